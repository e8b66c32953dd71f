package kyc_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/staff"
	"candor/app/trader"
)

const whyLevel = "Salary slips and the letter of the bank were seen."

// levelAsked is an approval with a requested higher level.
func (b *bundle) levelAsked(o ledger.Owner) kyc.Application {
	b.Helper()
	a := b.claim(b.lead, b.approved(o).ID)
	a, err := b.kyc.AskLevel(b.Context(), b.lead, a.ID, a.Version, whyLevel)
	require.NoError(b, err)
	return a
}

// levelGranted is an approval with a granted higher level.
func (b *bundle) levelGranted(o ledger.Owner) kyc.Application {
	b.Helper()
	a := b.claim(b.reviewer, b.levelAsked(o).ID)
	a, err := b.kyc.GrantLevel(b.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(b, err)
	return a
}

func TestTheHigherLevelTakesTwo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	a := b.levelAsked(o)
	require.True(t, a.LevelAsked())
	require.False(t, a.ClaimActive(b.clock.Now()), "somebody else may take it")
	b.requireTrader(o, trader.AuthPassed, 1)
	require.Len(t, b.mails(o.TraderID), 1, "a request tells the trader nothing")
	require.Contains(t, b.acts(a.ID)[0].After, whyLevel)

	a = b.claim(b.reviewer, a.ID)
	_, err := b.kyc.View(t.Context(), b.reviewer, a.ID, b.document(a.ID, kyc.Front).ID)
	require.NoError(t, err, "who grants it looks at the papers")
	a, err = b.kyc.GrantLevel(t.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(t, err)
	levels, err := b.kyc.LevelApprovals(t.Context(), a)
	require.NoError(t, err)
	require.Equal(t, []int64{b.lead.ID, b.reviewer.ID}, levels[a.ID].Approvers())
	b.requireTrader(o, trader.AuthPassed, 2)
	require.Contains(t, b.mails(o.TraderID)[0].Subject, "level is now 2")
	require.Len(t, b.mails(o.TraderID), 2)
	_, err = b.kyc.Claim(t.Context(), b.reviewer, a.ID)
	require.ErrorIs(t, err, kyc.ErrRole, "it is the lead's again")
}

func TestWhoMayDecideAboutALevel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asks := func(by audit.Actor, a kyc.Application) error {
		_, err := b.kyc.AskLevel(t.Context(), by, a.ID, a.Version, whyLevel)
		return err
	}
	grants := func(by audit.Actor, a kyc.Application) error {
		_, err := b.kyc.GrantLevel(t.Context(), by, a.ID, a.Version)
		return err
	}
	t.Run("AReviewerAsksForNothing", func(t *testing.T) {
		a := b.approved(b.owner())
		require.ErrorIs(t, asks(b.reviewer, a), kyc.ErrRole)
	})
	t.Run("ALeadGrantsNothing", func(t *testing.T) {
		other := b.staff(staff.ComplianceLead)
		a := b.claim(other, b.levelAsked(b.owner()).ID)
		require.ErrorIs(t, grants(other, a), kyc.ErrRole)
	})
	t.Run("NobodyGrantsTheirOwn", func(t *testing.T) {
		both := b.staff(staff.ComplianceLead)
		a := b.claim(both, b.approved(b.owner()).ID)
		a, err := b.kyc.AskLevel(t.Context(), both, a.ID, a.Version, whyLevel)
		require.NoError(t, err)
		b.exec(`UPDATE staff_roles SET role = $2 WHERE staff_id = $1`, both.ID, staff.ComplianceReviewer)
		a = b.claim(both, a.ID)
		require.ErrorIs(t, grants(both, a), approval.ErrSamePerson)
		_, err = b.kyc.RefuseLevel(t.Context(), both, a.ID, a.Version, whyLevel)
		require.NoError(t, err, "but may take it back")
	})
	t.Run("NobodyDecidesAboutSomebodyTheyIntroduced", func(t *testing.T) {
		o, agent := b.owner(), b.owner()
		a := b.levelAsked(o)
		b.exec(`UPDATE traders SET invited_by = $2 WHERE id = $1`, o.TraderID, agent.TraderID)
		for _, role := range []staff.Role{staff.ComplianceReviewer, staff.ComplianceLead} {
			own := b.staff(role)
			b.exec(`UPDATE traders SET email = (SELECT email FROM staff WHERE id = $2) WHERE id = $1`, agent.TraderID, own.ID)
			_, err := b.kyc.Claim(t.Context(), own, a.ID)
			require.ErrorIs(t, err, kyc.ErrOwn, role)
			b.exec(`UPDATE kyc_applications SET claimed_by = $2, claimed_until = $3 WHERE id = $1`, a.ID, own.ID, b.clock.Now().Add(time.Minute))
			if role == staff.ComplianceReviewer {
				require.ErrorIs(t, grants(own, a), kyc.ErrOwn)
			}
			_, err = b.kyc.RefuseLevel(t.Context(), own, a.ID, a.Version, whyLevel)
			require.ErrorIs(t, err, kyc.ErrOwn, role)
			_, err = b.db.Pool.Exec(t.Context(), `UPDATE approvals SET state = 'applied', applied_at = now(), second_by = $2, second_at = now() WHERE id = $1`, *a.LevelApproval, own.ID)
			require.ErrorContains(t, err, "decides about their own trader", "the database holds to it too")
		}
	})
	t.Run("OnlyTheVersionThatWasSeen", func(t *testing.T) {
		a := b.claim(b.reviewer, b.levelAsked(b.owner()).ID)
		a.Version--
		require.ErrorIs(t, grants(b.reviewer, a), kyc.ErrChanged)
		a.Version++
		require.NoError(t, grants(b.reviewer, a))
	})
	t.Run("OnlyWithWords", func(t *testing.T) {
		a := b.claim(b.lead, b.approved(b.owner()).ID)
		for _, wrong := range []string{"", "good man.", strings.Repeat("x", 1001), "with a \x00 in it"} {
			_, err := b.kyc.AskLevel(t.Context(), b.lead, a.ID, a.Version, wrong)
			require.ErrorIs(t, err, kyc.ErrLevelWhy, wrong)
			_, err = b.kyc.RefuseLevel(t.Context(), b.lead, a.ID, a.Version, wrong)
			require.ErrorIs(t, err, kyc.ErrLevelWhy, wrong)
			_, err = b.kyc.LowerLevel(t.Context(), b.lead, a.ID, a.Version, wrong)
			require.ErrorIs(t, err, kyc.ErrLevelWhy, wrong)
		}
		_, err := b.kyc.AskLevel(t.Context(), b.lead, a.ID, a.Version, "good man!!")
		require.NoError(t, err, "ten characters are enough")
	})
}

func TestAnotherChangeVoidsWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	void := func(t *testing.T, id int64) {
		t.Helper()
		a := b.row(id)
		require.False(t, a.LevelAsked())
		require.Nil(t, a.LevelApproval)
		require.Zero(t, b.count(`SELECT count(*) FROM approvals WHERE subject = $1::bigint::text AND state IN ('requested', 'confirmed')`, id))
	}
	t.Run("ARefusal", func(t *testing.T) {
		o := b.owner()
		a := b.claim(b.reviewer, b.levelAsked(o).ID)
		a, err := b.kyc.RefuseLevel(t.Context(), b.reviewer, a.ID, a.Version, whyLevel)
		require.NoError(t, err)
		void(t, a.ID)
		b.requireTrader(o, trader.AuthPassed, 1)
		require.Len(t, b.mails(o.TraderID), 1, "nothing has changed for the trader")
		a = b.claim(b.lead, a.ID)
		_, err = b.kyc.AskLevel(t.Context(), b.lead, a.ID, a.Version, whyLevel)
		require.NoError(t, err, "it may be asked for again")
	})
	t.Run("ARevocation", func(t *testing.T) {
		o := b.owner()
		a := b.claim(b.lead, b.levelAsked(o).ID)
		_, err := b.kyc.Revoke(t.Context(), b.lead, a.ID, a.Version, "approved_in_error", "")
		require.NoError(t, err)
		void(t, a.ID)
		b.requireTrader(o, trader.AuthFailed, 0)
	})
	t.Run("ADocumentThatComesToItsEnd", func(t *testing.T) {
		o := b.owner()
		a := b.levelAsked(o)
		b.at(renewal.Add(-time.Hour), func() { require.Positive(t, b.expire()) })
		require.Equal(t, kyc.Expiring, b.row(a.ID).State)
		void(t, a.ID)
		b.requireTrader(o, trader.AuthPassed, 1)
	})
}

func TestTheHigherLevelIsTakenBackByOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	a := b.levelGranted(o)
	_, err := b.kyc.LowerLevel(t.Context(), b.reviewer, a.ID, a.Version, whyLevel)
	require.ErrorIs(t, err, kyc.ErrRole)
	_, err = b.kyc.LowerLevel(t.Context(), b.lead, a.ID, a.Version, whyLevel)
	require.ErrorIs(t, err, kyc.ErrNotClaimed)
	b.requireTrader(o, trader.AuthPassed, 2)
	a = b.claim(b.lead, a.ID)
	a, err = b.kyc.LowerLevel(t.Context(), b.lead, a.ID, a.Version, whyLevel)
	require.NoError(t, err)
	require.Equal(t, kyc.Approved, a.State)
	require.Nil(t, a.LevelApproval)
	b.requireTrader(o, trader.AuthPassed, 1)
	require.Contains(t, b.mails(o.TraderID)[0].Subject, "level is now 1")
}

// TestAHigherLevelLastsAsLongAsItsIdentity lets a document expire: the level stays as long as the limits, and the next verification begins at the standard
// level.
func TestAHigherLevelLastsAsLongAsItsIdentity(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	a := b.levelGranted(o)
	b.clock.Set(renewal.Add(-time.Hour))
	require.Equal(t, 1, b.expire())
	b.requireTrader(o, trader.AuthPassed, 2)
	b.clock.Set(renewal)
	require.Equal(t, 1, b.expire())
	b.requireTrader(o, trader.AuthNone, 2)
	require.Equal(t, kyc.Reverify, b.row(a.ID).State)
	f := b.filled()
	f.ExpiryDate = text("2041-08-31")
	b.save(o, f)
	b.attach(o, kyc.Front, kyc.Selfie)
	v, err := b.trySubmit(o)
	require.NoError(t, err)
	next := b.accepted(b.reviewer, b.claim(b.reviewer, v.ID))
	_, err = b.kyc.Approve(t.Context(), b.reviewer, next.ID, next.Version)
	require.NoError(t, err)
	b.requireTrader(o, trader.AuthPassed, 1)
}

func TestALevelThatIsAskedForWaitsInTheQueue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	numbers := func(f kyc.Filter) (ids []int64) {
		f.Limit = 10
		list, err := b.kyc.Queue(t.Context(), f)
		require.NoError(t, err)
		for _, a := range list {
			ids = append(ids, a.ID)
		}
		return ids
	}
	approved := b.approved(b.owner())
	b.clock.Advance(time.Hour)
	waiting := b.submitted(b.owner())
	b.clock.Advance(time.Hour)
	a := b.claim(b.lead, approved.ID)
	a, err := b.kyc.AskLevel(t.Context(), b.lead, a.ID, a.Version, whyLevel)
	require.NoError(t, err)
	require.Equal(t, []int64{waiting.ID, a.ID}, numbers(kyc.Filter{}), "since it was asked for, not since it was submitted")
	require.Equal(t, []int64{a.ID}, numbers(kyc.Filter{LevelAsked: true}))
	require.Equal(t, []int64{a.ID}, numbers(kyc.Filter{After: *waiting.SubmittedAt, AfterID: waiting.ID}))
	require.Empty(t, numbers(kyc.Filter{After: *a.LevelAskedAt, AfterID: a.ID}))
	require.Equal(t, []int64{waiting.ID}, numbers(kyc.Filter{Waiting: time.Minute}))
	n, oldest, err := b.kyc.CountWaiting(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{int64(2), true}, []any{n, oldest.Equal(*waiting.SubmittedAt)})

	a = b.claim(b.reviewer, a.ID)
	_, err = b.kyc.GrantLevel(t.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(t, err)
	require.Equal(t, []int64{waiting.ID}, numbers(kyc.Filter{}), "it is decided")
}
