package kyc_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/trader"
)

// stage is a state of the desk, and the steps that bring an application into it. The owner of the claim acts, else the member of staff whose turn it is.
type stage struct {
	name  string
	reach func(b *bundle, o ledger.Owner) (id int64, holder audit.Actor)
}

var stages = []stage{
	{"None", func(b *bundle, _ ledger.Owner) (int64, audit.Actor) { return 0, b.reviewer }},
	{"Draft", func(b *bundle, o ledger.Owner) (int64, audit.Actor) { return b.drafted(o).ID, b.reviewer }},
	{"Submitted", func(b *bundle, o ledger.Owner) (int64, audit.Actor) { return b.submitted(o).ID, b.reviewer }},
	{"InReview", func(b *bundle, o ledger.Owner) (int64, audit.Actor) {
		return b.accepted(b.reviewer, b.claimed(o)).ID, b.reviewer
	}},
	{"InReviewNoLongerClaimed", func(b *bundle, o ledger.Owner) (int64, audit.Actor) {
		a := b.accepted(b.reviewer, b.claimed(o))
		b.exec(`UPDATE kyc_applications SET claimed_until = $2 WHERE id = $1`, a.ID, start)
		return a.ID, b.reviewer
	}},
	{"Escalated", func(b *bundle, o ledger.Owner) (int64, audit.Actor) { return b.escalated(o).ID, b.lead }},
	{"EscalatedAndClaimed", func(b *bundle, o ledger.Owner) (int64, audit.Actor) {
		return b.accepted(b.lead, b.claim(b.lead, b.escalated(o).ID)).ID, b.lead
	}},
	{"Resubmission", func(b *bundle, o ledger.Owner) (int64, audit.Actor) { return b.askedAgain(o).ID, b.reviewer }},
	{"ResubmissionFilled", func(b *bundle, o ledger.Owner) (int64, audit.Actor) {
		a := b.askedAgain(o)
		b.attach(o, kyc.Selfie)
		return a.ID, b.reviewer
	}},
	{"Approved", func(b *bundle, o ledger.Owner) (int64, audit.Actor) { return b.approved(o).ID, b.lead }},
	{"ApprovedAndClaimed", func(b *bundle, o ledger.Owner) (int64, audit.Actor) {
		return b.claim(b.lead, b.approved(o).ID).ID, b.lead
	}},
	{"LevelAsked", func(b *bundle, o ledger.Owner) (int64, audit.Actor) { return b.levelAsked(o).ID, b.reviewer }},
	{"LevelAskedAndClaimed", func(b *bundle, o ledger.Owner) (int64, audit.Actor) {
		return b.claim(b.reviewer, b.levelAsked(o).ID).ID, b.reviewer
	}},
	{"LevelGranted", func(b *bundle, o ledger.Owner) (int64, audit.Actor) {
		return b.claim(b.lead, b.levelGranted(o).ID).ID, b.lead
	}},
	{"Rejected", func(b *bundle, o ledger.Owner) (int64, audit.Actor) {
		a := b.accepted(b.lead, b.claim(b.lead, b.escalated(o).ID))
		a, err := b.kyc.RejectFinal(b.Context(), b.lead, a.ID, a.Version, "sanctions", "")
		require.NoError(b, err)
		return a.ID, b.lead
	}},
	{"Expiring", func(b *bundle, o ledger.Owner) (int64, audit.Actor) {
		a := b.approved(o)
		b.at(renewal.Add(-time.Hour), func() { require.Equal(b, 1, b.expire()) })
		return a.ID, b.lead
	}},
	{"Reverify", func(b *bundle, o ledger.Owner) (int64, audit.Actor) {
		a := b.approved(o)
		b.at(renewal, func() { require.Equal(b, 2, b.expire()) })
		return a.ID, b.lead
	}},
	{"Revoked", func(b *bundle, o ledger.Owner) (int64, audit.Actor) {
		a := b.claim(b.lead, b.approved(o).ID)
		a, err := b.kyc.Revoke(b.Context(), b.lead, a.ID, a.Version, "approved_in_error", "")
		require.NoError(b, err)
		return a.ID, b.lead
	}},
}

// attempt is an act on an application.
type attempt struct {
	name string
	do   func(b *bundle, o ledger.Owner, holder audit.Actor, id int64) error
}

func (b *bundle) version(id int64) int {
	b.Helper()
	if id == 0 {
		return 0
	}
	return b.row(id).Version
}

var attempts = []attempt{
	{"Save", func(b *bundle, o ledger.Owner, _ audit.Actor, _ int64) error {
		_, err := b.kyc.Save(b.Context(), o, kyc.Filled{FullName: text("Erika Muster")})
		return err
	}},
	{"AttachFront", func(b *bundle, o ledger.Owner, _ audit.Actor, _ int64) error {
		_, err := b.kyc.Attach(b.Context(), o, kyc.Front, b.picture(b.next()))
		return err
	}},
	{"AttachSelfie", func(b *bundle, o ledger.Owner, _ audit.Actor, _ int64) error {
		_, err := b.kyc.Attach(b.Context(), o, kyc.Selfie, b.picture(b.next()))
		return err
	}},
	{"Submit", func(b *bundle, o ledger.Owner, _ audit.Actor, _ int64) error { _, err := b.trySubmit(o); return err }},
	{"Withdraw", func(b *bundle, o ledger.Owner, _ audit.Actor, _ int64) error { _, err := b.tryWithdraw(o); return err }},
	{"Claim", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.Claim(b.Context(), holder, id)
		return err
	}},
	{"Release", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.Release(b.Context(), holder, id)
		return err
	}},
	{"DecideDocument", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		var document int64
		if id != 0 {
			document = b.document(id, kyc.Front).ID
		}
		_, err := b.kyc.DecideDocument(b.Context(), holder, id, b.version(id), document, false, "glare")
		return err
	}},
	{"MarkField", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.MarkField(b.Context(), holder, id, b.version(id), kyc.FieldName, kyc.Fits)
		return err
	}},
	{"MatchRest", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.MatchRest(b.Context(), holder, id, b.version(id))
		return err
	}},
	{"Approve", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.Approve(b.Context(), holder, id, b.version(id))
		return err
	}},
	{"Confirm", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.Confirm(b.Context(), holder, id, b.version(id))
		return err
	}},
	{"AskAgain", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.AskAgain(b.Context(), holder, id, b.version(id), []kyc.Ask{{Part: kyc.Front, Reason: "glare"}}, "")
		return err
	}},
	{"Escalate", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.Escalate(b.Context(), holder, id, b.version(id), "", "look")
		return err
	}},
	{"RejectFinal", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.RejectFinal(b.Context(), holder, id, b.version(id), "document_forged", "")
		return err
	}},
	{"Revoke", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.Revoke(b.Context(), holder, id, b.version(id), "document_forged", "")
		return err
	}},
	{"AskLevel", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.AskLevel(b.Context(), holder, id, b.version(id), whyLevel)
		return err
	}},
	{"GrantLevel", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.GrantLevel(b.Context(), holder, id, b.version(id))
		return err
	}},
	{"RefuseLevel", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.RefuseLevel(b.Context(), holder, id, b.version(id), whyLevel)
		return err
	}},
	{"LowerLevel", func(b *bundle, _ ledger.Owner, holder audit.Actor, id int64) error {
		_, err := b.kyc.LowerLevel(b.Context(), holder, id, b.version(id), whyLevel)
		return err
	}},
	{"Expire", func(b *bundle, _ ledger.Owner, _ audit.Actor, _ int64) error { b.expire(); return nil }},
	{"ExpireMuchLater", func(b *bundle, _ ledger.Owner, _ audit.Actor, id int64) error {
		if id == 0 {
			return nil
		}
		b.exec(`UPDATE kyc_applications SET renew_on = renew_on - interval '20 years', kept_until = kept_until - interval '20 years' WHERE id = $1`, id)
		b.expire()
		return nil
	}},
}

// outcomes are the results of the attempts at each stage: a state or a refusal. All others are ErrState, and no expiry.
var outcomes = map[string]map[string]any{
	"None": {
		"Save": kyc.Draft, "AttachFront": kyc.Draft, "AttachSelfie": kyc.Draft, "Claim": kyc.ErrUnknown, "Release": kyc.ErrUnknown, "DecideDocument": kyc.ErrUnknown, "MarkField": kyc.ErrUnknown, "MatchRest": kyc.ErrUnknown,
		"Approve": kyc.ErrUnknown, "Confirm": kyc.ErrUnknown, "AskAgain": kyc.ErrUnknown, "Escalate": kyc.ErrUnknown, "RejectFinal": kyc.ErrUnknown, "Revoke": kyc.ErrUnknown,
		"AskLevel": kyc.ErrUnknown, "GrantLevel": kyc.ErrUnknown, "RefuseLevel": kyc.ErrUnknown, "LowerLevel": kyc.ErrUnknown,
	},
	"Draft": {
		"Save": kyc.Draft, "AttachFront": kyc.Draft, "AttachSelfie": kyc.Draft, "Submit": kyc.Submitted, "Claim": kyc.ErrUnknown, "Release": kyc.ErrUnknown,
		"DecideDocument": kyc.ErrUnknown, "MarkField": kyc.ErrUnknown, "MatchRest": kyc.ErrUnknown, "Approve": kyc.ErrUnknown, "Confirm": kyc.ErrUnknown, "AskAgain": kyc.ErrUnknown, "Escalate": kyc.ErrUnknown,
		"RejectFinal": kyc.ErrUnknown, "Revoke": kyc.ErrUnknown,
		"AskLevel": kyc.ErrUnknown, "GrantLevel": kyc.ErrUnknown, "RefuseLevel": kyc.ErrUnknown, "LowerLevel": kyc.ErrUnknown,
	},
	"Submitted": {"Withdraw": kyc.Draft, "Claim": kyc.InReview, "Release": kyc.ErrNotClaimed},
	"InReview": {
		"Claim": kyc.InReview, "Release": kyc.Submitted, "DecideDocument": kyc.InReview, "MarkField": kyc.InReview, "MatchRest": kyc.ErrMarked, "Approve": kyc.Approved, "AskAgain": kyc.Resubmission, "Escalate": kyc.Escalated,
	},
	"InReviewNoLongerClaimed": {
		"Claim": kyc.InReview, "Release": kyc.ErrNotClaimed, "DecideDocument": kyc.ErrNotClaimed, "MarkField": kyc.ErrNotClaimed, "MatchRest": kyc.ErrNotClaimed, "Approve": kyc.ErrNotClaimed, "AskAgain": kyc.ErrNotClaimed, "Escalate": kyc.ErrNotClaimed,
	},
	"Escalated": {
		"Claim": kyc.Escalated, "Release": kyc.ErrNotClaimed, "DecideDocument": kyc.ErrNotClaimed, "MarkField": kyc.ErrNotClaimed, "MatchRest": kyc.ErrNotClaimed, "Confirm": kyc.ErrNotClaimed, "AskAgain": kyc.ErrNotClaimed,
		"RejectFinal": kyc.ErrNotClaimed,
	},
	"EscalatedAndClaimed": {
		"Claim": kyc.Escalated, "Release": kyc.Escalated, "DecideDocument": kyc.Escalated, "MarkField": kyc.Escalated, "MatchRest": kyc.ErrMarked, "Confirm": kyc.Approved, "AskAgain": kyc.Resubmission, "RejectFinal": kyc.Rejected,
	},
	"Resubmission":       {"Save": kyc.ErrPart, "AttachFront": kyc.ErrPart, "AttachSelfie": kyc.Resubmission, "Submit": kyc.ErrAsked, "Release": kyc.ErrNotClaimed},
	"ResubmissionFilled": {"Save": kyc.ErrPart, "AttachFront": kyc.ErrPart, "AttachSelfie": kyc.Resubmission, "Submit": kyc.Submitted, "Release": kyc.ErrNotClaimed},
	"Approved":           {"Claim": kyc.Approved, "Release": kyc.ErrNotClaimed, "Revoke": kyc.ErrNotClaimed, "AskLevel": kyc.ErrNotClaimed, "ExpireMuchLater": kyc.Reverify},
	"ApprovedAndClaimed": {"Claim": kyc.Approved, "Release": kyc.Approved, "Revoke": kyc.Revoked, "AskLevel": kyc.Approved, "ExpireMuchLater": kyc.Reverify},
	"LevelAsked": {
		"Claim": kyc.Approved, "Release": kyc.ErrNotClaimed, "Revoke": kyc.ErrRole, "GrantLevel": kyc.ErrNotClaimed, "RefuseLevel": kyc.ErrNotClaimed, "ExpireMuchLater": kyc.Reverify,
	},
	"LevelAskedAndClaimed": {
		"Claim": kyc.Approved, "Release": kyc.Approved, "Revoke": kyc.ErrRole, "GrantLevel": kyc.Approved, "RefuseLevel": kyc.Approved, "ExpireMuchLater": kyc.Reverify,
	},
	"LevelGranted": {"Claim": kyc.Approved, "Release": kyc.Approved, "Revoke": kyc.Revoked, "LowerLevel": kyc.Approved, "ExpireMuchLater": kyc.Reverify},
	"Rejected":     {"Release": kyc.ErrNotClaimed},
	"Expiring": {
		"Save": kyc.Expiring, "AttachFront": kyc.Expiring, "AttachSelfie": kyc.Expiring, "Claim": kyc.Expiring, "Release": kyc.ErrNotClaimed, "Revoke": kyc.ErrNotClaimed,
		"ExpireMuchLater": kyc.Reverify,
	},
	"Reverify": {"Save": kyc.Reverify, "AttachFront": kyc.Reverify, "AttachSelfie": kyc.Reverify, "Release": kyc.ErrNotClaimed, "ExpireMuchLater": kyc.Reverify},
	"Revoked":  {"Release": kyc.ErrNotClaimed},
}

// statuses are the status in the app and the level, by state.
var statuses = map[kyc.State][2]int{
	kyc.Draft: {trader.AuthNone, 0}, kyc.Submitted: {trader.AuthReview, 0}, kyc.InReview: {trader.AuthReview, 0}, kyc.Escalated: {trader.AuthReview, 0},
	kyc.Approved: {trader.AuthPassed, 1}, kyc.Expiring: {trader.AuthPassed, 1}, kyc.Resubmission: {trader.AuthFailed, 0}, kyc.Rejected: {trader.AuthFailed, 0},
	kyc.Revoked: {trader.AuthFailed, 0}, kyc.Reverify: {trader.AuthNone, 1},
}

// beginsAnother reports whether the trader's act begins another application; the earlier one stays unchanged.
func beginsAnother(stage, attempt string) bool {
	return (stage == "None" || stage == "Expiring" || stage == "Reverify") && (attempt == "Save" || attempt == "AttachFront" || attempt == "AttachSelfie")
}

// TestEveryActAtEveryStage checks the whole matrix: an allowed act moves the application and the trader's status, and writes one entry; a refused one changes
// nothing.
func TestEveryActAtEveryStage(t *testing.T) {
	t.Parallel()
	for _, stage := range stages {
		t.Run(stage.name, func(t *testing.T) {
			t.Parallel()
			shared := setup(t)
			for _, attempt := range attempts {
				t.Run(attempt.name, func(t *testing.T) { shared.in(t).tryAct(stage, attempt) })
			}
		})
	}
}

func (b *bundle) tryAct(stage stage, attempt attempt) {
	b.Helper()
	o := b.owner()
	id, holder := stage.reach(b, o)
	everything := func() string { return fmt.Sprint(b.everything(o.TraderID)) }
	before, entries := everything(), len(b.acts(id))
	err := attempt.do(b, o, holder, id)
	switch want := outcomes[stage.name][attempt.name].(type) {
	case kyc.State:
		require.NoError(b, err)
		if beginsAnother(stage.name, attempt.name) {
			v, err := b.kyc.Find(b.Context(), o.TraderID)
			require.NoError(b, err)
			require.Equal(b, kyc.Draft, v.State)
			require.NotEqual(b, id, v.ID)
			require.Len(b, b.acts(v.ID), 1)
			return
		}
		after := b.row(id)
		require.Equal(b, want, after.State)
		if attempt.name == "ExpireMuchLater" {
			return // several steps
		}
		require.Len(b, b.acts(id), entries+1)
		level := statuses[want][1]
		if after.Level == 2 {
			level = 2
		}
		b.requireTrader(o, statuses[want][0], level)
		return
	case error:
		require.ErrorIs(b, err, want)
	case nil:
		if attempt.name == "Expire" || attempt.name == "ExpireMuchLater" {
			require.NoError(b, err)
			if id != 0 {
				require.Len(b, b.acts(id), entries)
			}
			return
		}
		require.ErrorIs(b, err, kyc.ErrState)
	}
	require.Equal(b, before, everything())
	require.Len(b, b.acts(id), entries)
}

// everything is all stored data of a trader's identity, as text.
func (b *bundle) everything(traderID int64) (out []string) {
	b.Helper()
	rows, err := b.db.Pool.Query(b.Context(), `
		SELECT a::text FROM kyc_applications a WHERE trader_id = $1
		UNION ALL SELECT d::text FROM kyc_documents d JOIN kyc_applications a ON a.id = d.application_id WHERE trader_id = $1
		UNION ALL SELECT t::text FROM traders t WHERE id = $1
		ORDER BY 1`, traderID)
	require.NoError(b, err)
	defer rows.Close()
	for rows.Next() {
		var line string
		require.NoError(b, rows.Scan(&line))
		out = append(out, line)
	}
	require.NoError(b, rows.Err())
	return out
}

// TestTheDatabaseKnowsTheStates writes rows that no service would write.
func TestTheDatabaseKnowsTheStates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	draft, escalated, approved := b.drafted(b.owner()).ID, b.escalated(b.owner()).ID, b.approved(b.owner()).ID
	asked, granted := b.levelAsked(b.owner()).ID, b.levelGranted(b.owner()).ID
	front := b.document(approved, kyc.Front).ID
	for name, sql := range map[string]string{
		"ApprovedWithNothing":     fmt.Sprint(`UPDATE kyc_applications SET state = 'approved' WHERE id = `, draft),
		"ApprovedByNobody":        fmt.Sprint(`UPDATE kyc_applications SET maker_id = NULL WHERE id = `, approved),
		"ApprovedForNothing":      fmt.Sprint(`UPDATE kyc_applications SET level = 0 WHERE id = `, approved),
		"OnePersonTwice":          fmt.Sprint(`UPDATE kyc_applications SET lead_id = maker_id WHERE id = `, escalated),
		"RejectedByOne":           fmt.Sprint(`UPDATE kyc_applications SET state = 'rejected_final', public_reason = 'x', decided_at = now() WHERE id = `, escalated),
		"SubmittedWithoutData":    fmt.Sprint(`UPDATE kyc_applications SET number_key = NULL WHERE id = `, approved),
		"AFourthAttempt":          fmt.Sprint(`UPDATE kyc_applications SET attempt = 4 WHERE id = `, approved),
		"AClaimForEver":           fmt.Sprint(`UPDATE kyc_applications SET claimed_by = maker_id, claimed_until = NULL WHERE id = `, approved),
		"AHigherLevelByNobody":    fmt.Sprint(`UPDATE kyc_applications SET level = 2 WHERE id = `, approved),
		"AHigherLevelByOne":       fmt.Sprint(`UPDATE kyc_applications SET level = 2 WHERE id = `, asked),
		"AHigherLevelUnasked":     fmt.Sprintf(`UPDATE kyc_applications SET level = 2, level_asked_at = now(), level_approval = (SELECT level_approval FROM kyc_applications WHERE id = %d) WHERE id = %d`, granted, approved),
		"GrantedAndNotHigher":     fmt.Sprint(`UPDATE kyc_applications SET level = 1 WHERE id = `, granted),
		"AskedForAtNoTime":        fmt.Sprint(`UPDATE kyc_applications SET level_asked_at = NULL WHERE id = `, asked),
		"AskedForAfterTheEnd":     fmt.Sprint(`UPDATE kyc_applications SET state = 'expiring' WHERE id = `, asked),
		"RefusedWithoutAReason":   fmt.Sprint(`UPDATE kyc_documents SET decision = 'refused' WHERE id = `, front),
		"DecidedByNobody":         fmt.Sprint(`UPDATE kyc_documents SET decided_by = NULL WHERE id = `, front),
		"ShreddedAndStillCurrent": fmt.Sprint(`UPDATE kyc_documents SET sealed_key = NULL WHERE id = `, front),
	} {
		_, err := b.db.Pool.Exec(t.Context(), sql)
		require.ErrorContains(t, err, "23514", name)
	}
	_, err := b.db.Pool.Exec(t.Context(), fmt.Sprint(`UPDATE kyc_applications SET state = 'passed' WHERE id = `, draft))
	require.ErrorContains(t, err, "22P02", "an unknown state")
	for name, sql := range map[string]string{
		"AnApplication": `DELETE FROM kyc_applications`, "APicture": `DELETE FROM kyc_documents`, "ALook": `DELETE FROM kyc_views`,
		"AnotherTraders": `UPDATE kyc_applications SET trader_id = trader_id`, "AnotherFile": `UPDATE kyc_documents SET file_name = file_name`, "WhoLooked": `UPDATE kyc_views SET staff_id = staff_id`,
	} {
		_, err := b.db.Pool.Exec(t.Context(), sql)
		require.ErrorContains(t, err, "42501", name)
	}
}
