package kyc_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/i18n"
	"candor/app/platform/money"
	"candor/app/platform/upload"
	"candor/app/staff"
	"candor/app/switches"
	"candor/app/trader"
	"candor/locales"
)

func TestClaim(t *testing.T) {
	t.Parallel()
	b := setup(t)

	t.Run("TwoAtOnceOneHasIt", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		id := b.submitted(b.owner()).ID
		var got atomic.Int32
		var group errgroup.Group
		for range 6 {
			by := b.staff(staff.ComplianceReviewer)
			group.Go(func() error {
				_, err := b.kyc.Claim(t.Context(), by, id)
				if err == nil {
					got.Add(1)
				} else if !errors.Is(err, kyc.ErrClaimed) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, got.Load())
		require.Len(t, b.acts(id), 5, "a save, two pictures, the submission and one claim")
	})
	t.Run("AQuarterOfAnHourUnlessSomethingIsDone", func(t *testing.T) {
		t.Parallel()
		b := setup(t) // its own clock
		a := b.claimed(b.owner())
		other := b.staff(staff.ComplianceReviewer)
		b.clock.Advance(14 * time.Minute)
		_, err := b.kyc.Claim(t.Context(), other, a.ID)
		require.ErrorIs(t, err, kyc.ErrClaimed)
		a, err = b.kyc.DecideDocument(t.Context(), b.reviewer, a.ID, a.Version, b.document(a.ID, kyc.Front).ID, true, "")
		require.NoError(t, err)
		b.clock.Advance(14 * time.Minute)
		_, err = b.kyc.Claim(t.Context(), other, a.ID)
		require.ErrorIs(t, err, kyc.ErrClaimed, "an act begins the claim anew")
		b.clock.Advance(time.Minute)
		_, err = b.kyc.AskAgain(t.Context(), b.reviewer, a.ID, a.Version, []kyc.Ask{{Part: kyc.Front, Reason: "glare"}}, "")
		require.ErrorIs(t, err, kyc.ErrNotClaimed)
		b.claim(other, a.ID)
	})
	t.Run("TheRoleMustFitTheStep", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		submitted, escalated, approved := b.submitted(b.owner()).ID, b.escalated(b.owner()).ID, b.approved(b.owner()).ID
		for _, by := range []audit.Actor{b.lead, b.staff(), b.staff(staff.SupportLead, staff.FinanceLead, staff.SuperAdmin)} {
			_, err := b.kyc.Claim(t.Context(), by, submitted)
			require.ErrorIs(t, err, kyc.ErrRole)
		}
		for _, id := range []int64{escalated, approved} {
			_, err := b.kyc.Claim(t.Context(), b.staff(staff.ComplianceReviewer), id)
			require.ErrorIs(t, err, kyc.ErrRole)
			b.claim(b.lead, id)
		}
		b.claim(b.reviewer, submitted)
	})
	t.Run("ARoleThatIsTakenAwayIsGoneAtOnce", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		by := b.staff(staff.ComplianceReviewer)
		a := b.accepted(by, b.claim(by, b.submitted(b.owner()).ID))
		b.exec(`DELETE FROM staff_roles WHERE staff_id = $1`, by.ID)
		_, err := b.kyc.Approve(t.Context(), by, a.ID, a.Version)
		require.ErrorIs(t, err, kyc.ErrRole)
		_, err = b.kyc.View(t.Context(), by, a.ID, b.document(a.ID, kyc.Front).ID)
		require.ErrorIs(t, err, kyc.ErrRole)
	})
	t.Run("NobodyDecidesAboutThemselvesOrWhomTheyIntroduced", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		self, introduced, stranger := b.owner(), b.owner(), b.owner()
		b.exec(`UPDATE traders SET email = (SELECT email FROM staff WHERE id = $2) WHERE id = $1`, self.TraderID, b.reviewer.ID)
		b.exec(`UPDATE traders SET invited_by = $2 WHERE id = $1`, introduced.TraderID, self.TraderID)
		for _, o := range []ledger.Owner{self, introduced} {
			id := b.submitted(o).ID
			_, err := b.kyc.Claim(t.Context(), b.reviewer, id)
			require.ErrorIs(t, err, kyc.ErrOwn)
			b.claim(b.staff(staff.ComplianceReviewer), id)
		}
		b.claim(b.reviewer, b.submitted(stranger).ID)
	})
}

func TestSecondPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)

	t.Run("NobodyIsBoth", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		both := b.staff(staff.ComplianceReviewer, staff.ComplianceLead) // forbidden, but possible by mistake
		a := b.accepted(both, b.claim(both, b.submitted(b.owner()).ID))
		a, err := b.kyc.Escalate(t.Context(), both, a.ID, a.Version, "document_forged", "")
		require.NoError(t, err)
		require.Equal(t, "document_forged", *a.InternalReason)
		_, err = b.kyc.Claim(t.Context(), both, a.ID)
		require.ErrorIs(t, err, kyc.ErrSelf)
		_, err = b.kyc.Confirm(t.Context(), both, a.ID, a.Version)
		require.ErrorIs(t, err, kyc.ErrSelf)
		_, err = b.kyc.RejectFinal(t.Context(), both, a.ID, a.Version, "document_forged", "")
		require.ErrorIs(t, err, kyc.ErrSelf)
		a = b.claim(b.lead, a.ID)
		a, err = b.kyc.RejectFinal(t.Context(), b.lead, a.ID, a.Version, "document_forged", "")
		require.NoError(t, err)
		require.Equal(t, []int64{both.ID, b.lead.ID}, []int64{*a.MakerID, *a.LeadID})
	})
	t.Run("AHintAsksForTheLead", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		b.drafted(o)
		b.save(o, kyc.Filled{Country: text("AT")})
		v, err := b.trySubmit(o)
		require.NoError(t, err)
		require.Equal(t, kyc.Risks{kyc.CountryDiffers}, b.row(v.ID).Risks)
		a := b.accepted(b.reviewer, b.claim(b.reviewer, v.ID))
		c, err := b.kyc.Case(t.Context(), b.reviewer, a.ID)
		require.NoError(t, err)
		require.True(t, c.SecondNeeded)
		a, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
		require.NoError(t, err)
		require.Equal(t, []any{kyc.Escalated, "approve"}, []any{a.State, *a.Proposal})
		b.requireTrader(o, trader.AuthReview, 0)
		a = b.accepted(b.lead, b.claim(b.lead, a.ID))
		a, err = b.kyc.Confirm(t.Context(), b.lead, a.ID, a.Version)
		require.NoError(t, err)
		require.Equal(t, kyc.Approved, a.State)
		b.requireTrader(o, trader.AuthPassed, 1)
	})
	t.Run("WithoutAHintOnePersonIsEnough", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		a := b.approved(o)
		require.Nil(t, a.LeadID)
		require.Equal(t, b.reviewer.ID, *a.MakerID)
		b.requireTrader(o, trader.AuthPassed, 1)
	})
	t.Run("TheLeadTooNeedsEveryPictureAccepted", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		a := b.accepted(b.lead, b.claim(b.lead, b.escalated(b.owner()).ID))
		a, err := b.kyc.DecideDocument(t.Context(), b.lead, a.ID, a.Version, b.document(a.ID, kyc.Selfie).ID, false, "face_differs")
		require.NoError(t, err)
		_, err = b.kyc.Confirm(t.Context(), b.lead, a.ID, a.Version)
		require.ErrorIs(t, err, kyc.ErrDocuments)
		a, err = b.kyc.AskAgain(t.Context(), b.lead, a.ID, a.Version, nil, "the lead asks")
		require.NoError(t, err)
		require.Equal(t, kyc.Resubmission, a.State)
		require.Nil(t, a.MakerID)
	})
	t.Run("TwoLeadsAtOnceDecideOnce", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		a := b.accepted(b.lead, b.claim(b.lead, b.escalated(b.owner()).ID))
		var confirmed, rejected error
		var group errgroup.Group
		group.Go(func() error { _, confirmed = b.kyc.Confirm(t.Context(), b.lead, a.ID, a.Version); return nil })
		group.Go(func() error {
			_, rejected = b.kyc.RejectFinal(t.Context(), b.lead, a.ID, a.Version, "sanctions", "")
			return nil
		})
		require.NoError(t, group.Wait())
		require.NotEqual(t, confirmed == nil, rejected == nil, "%v, %v", confirmed, rejected)
	})
}

func TestDecideDocument(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.claimed(b.owner())
	front, selfie := b.document(a.ID, kyc.Front), b.document(a.ID, kyc.Selfie)
	elses := b.document(b.submitted(b.owner()).ID, kyc.Front)
	decide := func(document int64, accept bool, reason string) error {
		moved, err := b.kyc.DecideDocument(t.Context(), b.reviewer, a.ID, a.Version, document, accept, reason)
		if err == nil {
			a = moved
		}
		return err
	}
	for _, reason := range []string{"", "face_hidden", "data_differs", "sanctions", "ugly"} {
		require.Equal(t, kyc.ErrReason, decide(front.ID, false, reason), reason)
	}
	require.Equal(t, kyc.ErrReason, decide(front.ID, true, "glare"))
	require.ErrorIs(t, decide(elses.ID, true, ""), kyc.ErrUnknown)
	require.ErrorIs(t, decide(424242, true, ""), kyc.ErrUnknown)
	_, err := b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.ErrorIs(t, err, kyc.ErrDocuments, "nobody has judged them")
	require.NoError(t, decide(front.ID, false, "glare"))
	require.Contains(t, b.acts(a.ID)[0].After, fmt.Sprintf(`"front":"%d: refused, glare"`, front.ID), "the log says what was decided")
	require.NoError(t, decide(selfie.ID, true, ""))
	_, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.ErrorIs(t, err, kyc.ErrDocuments, "one is refused")
	require.Equal(t, kyc.Pending, b.document(elses.ApplicationID, kyc.Front).Decision)
	require.NoError(t, decide(front.ID, true, ""), "on second thoughts")
	a, err = b.kyc.MatchRest(t.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(t, err)
	_, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version-1)
	require.ErrorIs(t, err, kyc.ErrChanged)
	_, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(t, err)
}

func TestAskAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	a := b.claimed(o)
	for name, asks := range map[string][]kyc.Ask{
		"Nothing": nil, "NotTheSides": {{Part: kyc.Front, Reason: "face_hidden"}}, "NoSuchPart": {{Part: kyc.Back, Reason: "glare"}}, "AFinalOne": {{Part: kyc.Front, Reason: "sanctions"}},
		"NoSuchReason": {{Part: kyc.Front, Reason: "ugly"}}, "NotOfData": {{Part: kyc.DataPart, Reason: "glare"}},
	} {
		_, err := b.kyc.AskAgain(t.Context(), b.reviewer, a.ID, a.Version, asks, "")
		require.Equal(t, kyc.ErrReason, err, name)
	}
	_, err := b.kyc.AskAgain(t.Context(), b.reviewer, a.ID, a.Version, []kyc.Ask{{Part: kyc.Front, Reason: "glare"}}, strings.Repeat("x", 2_001))
	require.Equal(t, kyc.ErrNote, err)
	require.Equal(t, kyc.InReview, b.row(a.ID).State)
	a, err = b.kyc.DecideDocument(t.Context(), b.reviewer, a.ID, a.Version, b.document(a.ID, kyc.Selfie).ID, false, "face_hidden")
	require.NoError(t, err)
	a, err = b.kyc.AskAgain(t.Context(), b.reviewer, a.ID, a.Version, []kyc.Ask{{Part: kyc.Front, Reason: "glare"}}, "see the hologram")
	require.NoError(t, err)
	v, err := b.kyc.Find(t.Context(), o.TraderID)
	require.NoError(t, err)
	require.Equal(t, []kyc.Ask{{Part: kyc.Front, Reason: "glare"}, {Part: kyc.Selfie, Reason: "face_hidden"}}, v.Asked, "what was refused before is asked for too")
	require.Equal(t, "see the hologram", a.Note)
}

// TestFinalReasons compares the public reasons with the internal ones.
func TestFinalReasons(t *testing.T) {
	t.Parallel()
	b := setup(t)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	for _, r := range kyc.Reasons {
		key := "kyc.reason." + r.Public
		require.NotEqual(t, key, texts.T("en", key, nil), "the trader reads it")
		if !r.Final() {
			require.Equal(t, r.Code, r.Public)
			continue
		}
		a := b.accepted(b.lead, b.claim(b.lead, b.escalated(b.owner()).ID))
		a, err := b.kyc.RejectFinal(t.Context(), b.lead, a.ID, a.Version, r.Code, "")
		require.NoError(t, err)
		require.Equal(t, []string{r.Public, r.Code}, []string{*a.PublicReason, *a.InternalReason})
	}
	for code, public := range map[string]string{
		"sanctions": "not_accepted", "document_forged": "not_accepted", "identity_stolen": "not_accepted", "duplicate_person": "not_accepted", "under_age": "under_age",
	} {
		for _, r := range kyc.Reasons {
			if r.Code == code {
				require.Equal(t, public, r.Public)
			}
		}
	}
	require.Greater(t, len(kyc.Reasons), 19)
	a := b.claim(b.lead, b.escalated(b.owner()).ID)
	for _, reason := range []string{"", "glare", "ugly"} {
		_, err := b.kyc.RejectFinal(t.Context(), b.lead, a.ID, a.Version, reason, "")
		require.Equal(t, kyc.ErrReason, err)
	}
}

func TestHints(t *testing.T) {
	t.Parallel()
	b := setup(t)
	risks := func(o ledger.Owner) kyc.Risks {
		b.Helper()
		v, err := b.trySubmit(o)
		require.NoError(t, err)
		return b.row(v.ID).Risks
	}

	first, second, third := b.owner(), b.owner(), b.owner()
	b.drafted(first)
	b.save(first, kyc.Filled{Number: text("C01X-00T 47")})
	require.Empty(t, risks(first))
	b.drafted(second)
	b.save(second, kyc.Filled{Number: text("c01x00t47")})
	require.Equal(t, kyc.Risks{kyc.NumberSeen}, risks(second), "the same number, written another way")
	b.drafted(third)
	b.save(third, kyc.Filled{Number: text("C01X00T48")})
	require.Empty(t, risks(third))

	p := b.picture(b.next())
	same, other := b.owner(), b.owner()
	for _, o := range []ledger.Owner{same, other} {
		b.drafted(o)
		_, err := b.kyc.Attach(t.Context(), o, kyc.Front, p)
		require.NoError(t, err)
	}
	require.Equal(t, kyc.Risks{kyc.PictureSeen}, risks(same))

	neighbour, flat, guest := b.owner(), b.owner(), b.count(`INSERT INTO traders (name, type) VALUES ('Guest', 8) RETURNING id`)
	b.device(neighbour, "shared")
	b.device(flat, "shared")
	alone := b.owner()
	b.device(alone, "alone")
	b.device(ledger.Owner{TraderID: guest}, "alone")
	b.drafted(flat)
	require.Equal(t, kyc.Risks{kyc.DeviceShared}, risks(flat))
	b.drafted(alone)
	require.Empty(t, risks(alone), "guests are who they are: the same person before registering")

	v, err := b.kyc.Find(t.Context(), second.TraderID)
	require.NoError(t, err)
	c, err := b.kyc.Case(t.Context(), b.reviewer, v.ID)
	require.NoError(t, err)
	require.Equal(t, []kyc.Hint{{Risk: kyc.NumberSeen, Traders: []int64{first.TraderID}}}, c.Hints)
	require.Empty(t, c.Data, "whoever has not claimed it reads no data")
}

// TestAHintOfLater lets a document expire and a device be shared while the application waits.
func TestAHintOfLater(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, neighbour := b.owner(), b.owner()
	b.drafted(o)
	b.save(o, kyc.Filled{ExpiryDate: text("2026-11-21")})
	v, err := b.trySubmit(o)
	require.NoError(t, err)
	require.Empty(t, b.row(v.ID).Risks)
	b.clock.Advance(48 * time.Hour)
	b.device(o, "later")
	b.device(neighbour, "later")
	a := b.accepted(b.reviewer, b.claim(b.reviewer, v.ID))
	a, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(t, err)
	require.Equal(t, kyc.Escalated, a.State)
	require.Equal(t, kyc.Risks{kyc.DeviceShared, kyc.DocumentExpired}, a.Risks)
}

func TestCase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.claimed(b.owner())
	read := func() (n int) {
		for _, e := range b.acts(a.ID) {
			if e.Action == "kyc.read_data" {
				n++
			}
		}
		return n
	}
	_, err := b.kyc.Case(t.Context(), b.staff(staff.ComplianceReviewer), a.ID)
	require.NoError(t, err)
	require.Zero(t, read())
	c, err := b.kyc.Case(t.Context(), b.reviewer, a.ID)
	require.NoError(t, err)
	require.Equal(t, "Erika Mustermann", c.Data.FullName)
	require.Equal(t, []any{"DE", 2, 0, false}, []any{c.RegisteredIn, len(c.Documents), len(c.Replaced), c.SecondNeeded})
	require.Equal(t, 1, read(), "reading the data is an entry")
	for _, id := range []int64{0, 424242, b.drafted(b.owner()).ID} {
		_, err = b.kyc.Case(t.Context(), b.reviewer, id)
		require.ErrorIs(t, err, kyc.ErrUnknown, "a draft is nobody's business")
	}
}

func TestView(t *testing.T) {
	t.Parallel()
	b := setup(t)

	t.Run("TheHolderSeesAndIsWrittenDown", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		p := b.picture(b.next())
		b.drafted(o)
		_, err := b.kyc.Attach(t.Context(), o, kyc.Front, p)
		require.NoError(t, err)
		v, err := b.trySubmit(o)
		require.NoError(t, err)
		front := b.document(v.ID, kyc.Front).ID
		_, err = b.kyc.View(t.Context(), b.reviewer, v.ID, front)
		require.ErrorIs(t, err, kyc.ErrState, "nobody has claimed it")
		b.claim(b.reviewer, v.ID)
		for _, by := range []audit.Actor{b.staff(staff.ComplianceReviewer), b.lead, b.staff(staff.SupportAgent)} {
			_, err = b.kyc.View(t.Context(), by, v.ID, front)
			require.True(t, errors.Is(err, kyc.ErrNotClaimed) || errors.Is(err, kyc.ErrRole), "%v", err)
		}
		_, err = b.kyc.View(t.Context(), b.reviewer, v.ID, b.document(b.submitted(b.owner()).ID, kyc.Front).ID)
		require.ErrorIs(t, err, kyc.ErrUnknown)
		views, err := b.kyc.PictureViews(t.Context(), v.ID, 10)
		require.NoError(t, err)
		require.Empty(t, views)
		seen, err := b.kyc.View(t.Context(), b.reviewer, v.ID, front)
		require.NoError(t, err)
		require.Equal(t, p.Bytes, seen)
		views, err = b.kyc.PictureViews(t.Context(), v.ID, 10)
		require.NoError(t, err)
		require.Len(t, views, 1)
		require.Equal(t, []any{b.reviewer.ID, front, "192.0.2.9", "trace-desk"}, []any{views[0].StaffID, views[0].DocumentID, views[0].IP, views[0].TraceID})
		require.Equal(t, []string{"kyc.view", fmt.Sprintf(`{"side":"front","document":%d}`, front)}, []string{b.acts(v.ID)[0].Action, b.acts(v.ID)[0].After})
	})
	t.Run("TwoHundredADay", func(t *testing.T) {
		t.Parallel()
		b := setup(t) // its own clock
		a := b.claimed(b.owner())
		front := b.document(a.ID, kyc.Front).ID
		b.exec(`INSERT INTO kyc_views (staff_id, application_id, document_id, viewed_at, ip, trace_id) SELECT $1, $2, $3, $4, '', '' FROM generate_series(1, 197)`,
			b.reviewer.ID, a.ID, front, b.clock.Now())
		b.exec(`INSERT INTO kyc_views (staff_id, application_id, document_id, viewed_at, ip, trace_id) SELECT $1, $2, $3, $4, '', '' FROM generate_series(1, 300)`,
			b.lead.ID, a.ID, front, b.clock.Now())
		var seen atomic.Int32
		var group errgroup.Group
		for range 8 {
			group.Go(func() error {
				_, err := b.kyc.View(t.Context(), b.reviewer, a.ID, front)
				if err == nil {
					seen.Add(1)
				} else if !errors.Is(err, kyc.ErrQuota) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 3, seen.Load(), "also when eight ask at once")
		denied, _, err := audit.NewLog(b.db).List(t.Context(), audit.Filter{Result: audit.Denied, ActorID: b.reviewer.ID, Action: "kyc.view"})
		require.NoError(t, err)
		require.Len(t, denied, 5, "what was refused is written down")
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'quota.exceeded' AND actor_id = $1`, b.reviewer.ID), "the alarm is raised once")
		b.clock.Set(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
		b.claim(b.reviewer, a.ID)
		_, err = b.kyc.View(t.Context(), b.reviewer, a.ID, front)
		require.NoError(t, err, "another day")
	})
	t.Run("WhatIsShreddedStaysUnseen", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		first := b.attach(o, kyc.Front).Documents[0]
		b.drafted(o)
		v, err := b.trySubmit(o)
		require.NoError(t, err)
		b.claim(b.reviewer, v.ID)
		_, err = b.kyc.View(t.Context(), b.reviewer, v.ID, first.ID)
		require.ErrorIs(t, err, kyc.ErrNoImage)
	})
}

func TestQueue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.drafted(b.owner())
	b.approved(b.owner())
	var waiting []int64
	for i := range 4 {
		b.clock.Advance(time.Hour)
		o := b.owner()
		b.drafted(o)
		if i == 1 {
			b.save(o, kyc.Filled{Country: text("AT"), DocumentType: text("driving_licence")})
			b.attach(o, kyc.Back)
		}
		v, err := b.trySubmit(o)
		require.NoError(t, err)
		waiting = append(waiting, v.ID)
	}
	b.claim(b.reviewer, waiting[3])
	ids := func(f kyc.Filter) (out []int64) {
		f.Limit = max(f.Limit, 1)
		if f.Limit == 1 {
			f.Limit = 50
		}
		list, err := b.kyc.Queue(t.Context(), f)
		require.NoError(t, err)
		for _, a := range list {
			require.Nil(t, a.NameSealed)
			out = append(out, a.ID)
		}
		return out
	}
	require.Equal(t, waiting, ids(kyc.Filter{}), "the longest waiting first")
	require.Equal(t, waiting[1:2], ids(kyc.Filter{Country: "AT"}))
	require.Equal(t, waiting[1:2], ids(kyc.Filter{DocumentType: kyc.DrivingLicence}))
	require.Equal(t, waiting[1:2], ids(kyc.Filter{Rank: kyc.SomeRisk}))
	require.Equal(t, []int64{waiting[0], waiting[2], waiting[3]}, ids(kyc.Filter{Rank: kyc.NoRisk}))
	require.Empty(t, ids(kyc.Filter{Rank: kyc.MostRisk}))
	b.exec(`UPDATE kyc_applications SET risks = 'phone_differs,number_seen' WHERE id = $1`, waiting[0])
	require.Equal(t, waiting[:1], ids(kyc.Filter{Rank: kyc.MostRisk}), "the gravest hint counts")
	require.Equal(t, waiting[1:2], ids(kyc.Filter{Rank: kyc.SomeRisk}))
	require.Equal(t, waiting[3:], ids(kyc.Filter{State: kyc.InReview}))
	require.Equal(t, waiting[3:], ids(kyc.Filter{Stage: kyc.InReview}))
	require.Empty(t, ids(kyc.Filter{Stage: kyc.SecondApproval}))
	require.Equal(t, waiting, ids(kyc.Filter{Attempt: 1}))
	require.Empty(t, ids(kyc.Filter{Attempt: 2}))
	require.Equal(t, waiting[:2], ids(kyc.Filter{Waiting: 2 * time.Hour}))
	first, err := b.kyc.Queue(t.Context(), kyc.Filter{Limit: 2})
	require.NoError(t, err)
	require.Equal(t, waiting[2:], ids(kyc.Filter{After: *first[1].SubmittedAt, AfterID: first[1].ID}))
	n, oldest, err := b.kyc.CountWaiting(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 4, n)
	require.Equal(t, start.Add(time.Hour), oldest.UTC())

	b.exec(`UPDATE kyc_applications SET risks = 'number_seen' WHERE id = $1`, waiting[2])
	ranked := []int64{waiting[0], waiting[2], waiting[1], waiting[3]}
	require.Equal(t, ranked, ids(kyc.Filter{ByRisk: true}), "the highest rank first, and then the longest waiting")
	for pages, f := 0, (kyc.Filter{ByRisk: true, Limit: 1}); pages < len(ranked); pages++ {
		list, err := b.kyc.Queue(t.Context(), f)
		require.NoError(t, err)
		require.Equal(t, ranked[pages], list[0].ID)
		f.After, f.AfterID = list[0].ListedAt(), list[0].ID
	}
}

// TestSilentTraders lists those who were asked again and have not answered for so long.
func TestSilentTraders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asked := b.askedAgain(b.owner(), kyc.Ask{Part: kyc.Front, Reason: "glare"})
	decided := func(from, to time.Time) int {
		list, err := b.kyc.Queue(t.Context(), kyc.Filter{Decided: []kyc.State{kyc.Resubmission}, From: from, To: to, Limit: 5})
		require.NoError(t, err)
		return len(list)
	}
	require.Equal(t, []int{1, 0, 0, 1}, []int{decided(start, time.Time{}), decided(start.Add(time.Hour), time.Time{}), decided(time.Time{}, start), decided(time.Time{}, start.Add(time.Hour))}, "from is included, to is not")
	silent := func(f time.Duration) (out []int64) {
		list, err := b.kyc.Queue(t.Context(), kyc.Filter{Decided: []kyc.State{kyc.Resubmission}, Silent: f, Limit: 5})
		require.NoError(t, err)
		for _, a := range list {
			out = append(out, a.ID)
		}
		return out
	}
	b.clock.Advance(7*24*time.Hour - time.Minute)
	require.Empty(t, silent(7*24*time.Hour))
	require.Equal(t, []int64{asked.ID}, silent(3*24*time.Hour))
	b.clock.Advance(time.Minute)
	require.Equal(t, []int64{asked.ID}, silent(7*24*time.Hour))
}

// TestDepositsAfterVerification checks that an approval lifts the deposit limit, and that its end restores it.
func TestDepositsAfterVerification(t *testing.T) {
	t.Parallel()
	b := setup(t)
	values, err := switches.Load(t.Context(), b.db, nil)
	require.NoError(t, err)
	deposits := deposit.New(deposit.Config{DB: b.db, Clock: b.clock, Switches: values, Pictures: upload.NewStore(t.TempDir()), Identities: b.kyc, Vault: b.vault, Changed: func(int64) {}})
	b.exec(`
		INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, bank, holder, iban, bic, sort, enabled)
		VALUES (7, 'bank', 'SEPA', 'USDT', 20000000, 100000000000, 'Bank', 'Candor', 'DE00', 'XXXX', 1, true)`)
	o := b.owner()
	var account ledger.Account
	require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
		account, err = ledger.OpenTx(t.Context(), tx, o.TraderID, ledger.Real, trader.Ordinary, start)
		return err
	}))
	request := func() error {
		_, err := deposits.Request(t.Context(), ledger.Owner{TraderID: o.TraderID, AccountID: account.ID}, 7, 3_000*money.Unit, b.keyed(o))
		return err
	}
	require.ErrorIs(t, request(), deposit.ErrUnverified)
	a := b.submitted(o)
	require.ErrorIs(t, request(), deposit.ErrUnverified, "handed in is not verified")
	approved := b.accepted(b.reviewer, b.claim(b.reviewer, a.ID))
	_, err = b.kyc.Approve(t.Context(), b.reviewer, approved.ID, approved.Version)
	require.NoError(t, err)
	require.NoError(t, request())
	approved = b.claim(b.lead, a.ID)
	_, err = b.kyc.Revoke(t.Context(), b.lead, a.ID, approved.Version, "false_statements", "")
	require.NoError(t, err)
	require.ErrorIs(t, request(), deposit.ErrUnverified)
}

// TestHintsOfPayees checks the payees of other traders, active or removed.
func TestHintsOfPayees(t *testing.T) {
	t.Parallel()
	b := setup(t)
	save := b.payee
	hints := func(o ledger.Owner) []kyc.Hint {
		b.Helper()
		b.drafted(o)
		v, err := b.trySubmit(o)
		require.NoError(t, err)
		c, err := b.kyc.Case(t.Context(), b.reviewer, v.ID)
		require.NoError(t, err)
		var risks kyc.Risks
		for _, h := range c.Hints {
			risks = append(risks, h.Risk)
		}
		require.Equal(t, risks, b.row(v.ID).Risks)
		return c.Hints
	}
	neighbour := b.owner()
	save(neighbour, "bank", "", "", "DE89370400440532013000", true)
	save(neighbour, "address", "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW", "", "", false)
	save(neighbour, "address", "TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb", "101", "", false)
	shared := []kyc.Hint{{Risk: kyc.PayeeShared, Traders: []int64{neighbour.TraderID}}}

	bank := b.owner()
	save(bank, "bank", "", "", "DE89370400440532013000", false)
	require.Equal(t, shared, hints(bank), "removed by the other")
	coins := b.owner()
	save(coins, "address", "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW", "", "", true)
	require.Equal(t, shared, hints(coins), "removed by the trader")
	alone := b.owner()
	save(alone, "bank", "", "", "NL91ABNA0417164300", false)
	save(alone, "bank", "", "", "NL91ABNA0417164300", true)
	save(alone, "address", "TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb", "102", "", false)
	require.Empty(t, hints(alone), "an account saved twice by one, and an address whose memo tells them apart")
	require.Empty(t, hints(b.owner()), "who has saved none")
}

func TestAHintOfThePhone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for phone, want := range map[string]kyc.Risks{
		"": nil, "+4915123456789": nil, "+41791234567": {kyc.PhoneDiffers}, "+14155552671": {kyc.PhoneDiffers}, "+80012345678": nil,
	} {
		o := b.owner()
		if phone != "" {
			b.exec(`UPDATE traders SET phone = $2 WHERE id = $1`, o.TraderID, phone)
		}
		b.drafted(o)
		v, err := b.trySubmit(o)
		require.NoError(t, err)
		require.ElementsMatch(t, want, b.row(v.ID).Risks, phone)
	}
}
