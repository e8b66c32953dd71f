package kyc_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/ledger"
)

// whole is the content of the identity tables, and the number of files.
func (b *bundle) whole() (text string) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `
		SELECT (SELECT coalesce(string_agg(a::text, ';' ORDER BY id), '') FROM kyc_applications a) || (SELECT coalesce(string_agg(d::text, ';' ORDER BY id), '') FROM kyc_documents d) ||
		       (SELECT string_agg(auth_status || ' ' || level, ';' ORDER BY id) FROM traders) || (SELECT count(*) FROM kyc_views) || ' ' || (SELECT count(*) FROM idempotency_keys) || ' ' ||
		       (SELECT count(*) FROM audit_entries)`).Scan(&text))
	files, err := filepath.Glob(filepath.Join(b.dir, "kyc", "*"))
	require.NoError(b, err)
	keys, err := os.ReadFile(filepath.Join(b.dir, "keys", "vault.json"))
	require.NoError(b, err)
	return fmt.Sprint(text, len(files), string(keys))
}

// auditedAct prepares something and returns the act.
type auditedAct struct {
	name, action string
	prepare      func(b *bundle, o ledger.Owner) func() error
}

func auditedActs() []auditedAct {
	// byClaimOwner is an act by the owner of a claim.
	byClaimOwner := func(by func(b *bundle) audit.Actor, from func(b *bundle, o ledger.Owner) kyc.Application, act func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error)) func(*bundle, ledger.Owner) func() error {
		return func(b *bundle, o ledger.Owner) func() error {
			a := from(b, o)
			if !a.ClaimActiveBy(by(b).ID, b.clock.Now()) {
				a = b.claim(by(b), a.ID)
			}
			return func() error { _, err := act(b, by(b), a); return err }
		}
	}
	reviewer, lead := func(b *bundle) audit.Actor { return b.reviewer }, func(b *bundle) audit.Actor { return b.lead }
	claimed := func(b *bundle, o ledger.Owner) kyc.Application { return b.claimed(o) }
	accepted := func(b *bundle, o ledger.Owner) kyc.Application { return b.accepted(b.reviewer, b.claimed(o)) }
	escalated := func(b *bundle, o ledger.Owner) kyc.Application { return b.escalated(o) }
	confirmable := func(b *bundle, o ledger.Owner) kyc.Application {
		return b.accepted(b.lead, b.claim(b.lead, b.escalated(o).ID))
	}
	approved := func(b *bundle, o ledger.Owner) kyc.Application { return b.approved(o) }
	levelAsked := func(b *bundle, o ledger.Owner) kyc.Application { return b.levelAsked(o) }
	levelGranted := func(b *bundle, o ledger.Owner) kyc.Application { return b.levelGranted(o) }
	return []auditedAct{
		{"Claim", "kyc.claim", func(b *bundle, o ledger.Owner) func() error {
			id := b.submitted(o).ID
			return func() error { _, err := b.kyc.Claim(b.Context(), b.reviewer, id); return err }
		}},
		{"Release", "kyc.release", byClaimOwner(reviewer, claimed, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.Release(b.Context(), by, a.ID)
		})},
		{"DecideDocument", "kyc.decide_document", byClaimOwner(reviewer, claimed, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.DecideDocument(b.Context(), by, a.ID, a.Version, b.document(a.ID, kyc.Selfie).ID, false, "face_hidden")
		})},
		{"MarkField", "kyc.mark", byClaimOwner(reviewer, claimed, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.MarkField(b.Context(), by, a.ID, a.Version, kyc.FieldName, kyc.Differs)
		})},
		{"Approve", "kyc.approve", byClaimOwner(reviewer, accepted, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.Approve(b.Context(), by, a.ID, a.Version)
		})},
		{"AskAgain", "kyc.ask_again", byClaimOwner(reviewer, claimed, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.AskAgain(b.Context(), by, a.ID, a.Version, []kyc.Ask{{Part: kyc.Selfie, Reason: "face_hidden"}}, "")
		})},
		{"Escalate", "kyc.escalate", byClaimOwner(reviewer, claimed, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.Escalate(b.Context(), by, a.ID, a.Version, "sanctions", "look")
		})},
		{"Confirm", "kyc.confirm", byClaimOwner(lead, confirmable, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.Confirm(b.Context(), by, a.ID, a.Version)
		})},
		{"RejectFinal", "kyc.reject_final", byClaimOwner(lead, escalated, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.RejectFinal(b.Context(), by, a.ID, a.Version, "sanctions", "")
		})},
		{"Revoke", "kyc.revoke", byClaimOwner(lead, approved, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.Revoke(b.Context(), by, a.ID, a.Version, "sanctions", "")
		})},
		{"AskLevel", "kyc.request_level", byClaimOwner(lead, approved, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.AskLevel(b.Context(), by, a.ID, a.Version, whyLevel)
		})},
		{"GrantLevel", "kyc.approve_level", byClaimOwner(reviewer, levelAsked, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.GrantLevel(b.Context(), by, a.ID, a.Version)
		})},
		{"RefuseLevel", "kyc.refuse_level", byClaimOwner(reviewer, levelAsked, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.RefuseLevel(b.Context(), by, a.ID, a.Version, whyLevel)
		})},
		{"LowerLevel", "kyc.lower_level", byClaimOwner(lead, levelGranted, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.LowerLevel(b.Context(), by, a.ID, a.Version, whyLevel)
		})},
		{"ReadData", "kyc.read_data", byClaimOwner(reviewer, claimed, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			c, err := b.kyc.Case(b.Context(), by, a.ID)
			return c.Application, err
		})},
		{"MatchRest", "kyc.match_rest", byClaimOwner(reviewer, claimed, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			return b.kyc.MatchRest(b.Context(), by, a.ID, a.Version)
		})},
		{"View", "kyc.view", byClaimOwner(reviewer, claimed, func(b *bundle, by audit.Actor, a kyc.Application) (kyc.Application, error) {
			_, err := b.kyc.View(b.Context(), by, a.ID, b.document(a.ID, kyc.Front).ID)
			return a, err
		})},
		{"Submit", "kyc.submit", func(b *bundle, o ledger.Owner) func() error {
			b.drafted(o)
			return func() error { _, err := b.trySubmit(o); return err }
		}},
		{"Withdraw", "kyc.withdraw", func(b *bundle, o ledger.Owner) func() error {
			b.submitted(o)
			return func() error { _, err := b.tryWithdraw(o); return err }
		}},
		{"Attach", "kyc.attach", func(b *bundle, o ledger.Owner) func() error {
			b.drafted(o)
			return func() error { _, err := b.kyc.Attach(b.Context(), o, kyc.Back, b.picture(b.next())); return err }
		}},
		{"Shred", "kyc.shred", func(b *bundle, o ledger.Owner) func() error {
			b.drafted(o)
			return func() error { _, err := b.kyc.Shred(b.Context(), o.TraderID, why); return err }
		}},
	}
}

// TestEachActIsOneEntry lets each act fail at its commit: no change, no file and no entry remain. Then the act succeeds and writes one entry.
func TestEachActIsOneEntry(t *testing.T) {
	t.Parallel()
	shared := setup(t)
	list := auditedActs()
	for _, a := range list {
		t.Run(a.name, func(t *testing.T) {
			b := shared.in(t)
			act := a.prepare(b, b.owner())
			before, entries := b.whole(), b.count(`SELECT count(*) FROM audit_entries`)
			allow := b.database.FailCommits(t, "audit_entries")
			err := act()
			allow()
			require.ErrorContains(t, err, "a planted fault")
			require.Equal(t, before, b.whole(), "half of it is left")

			require.NoError(t, act())
			require.EqualValues(t, entries+1, b.count(`SELECT count(*) FROM audit_entries`))
			require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE id = (SELECT max(id) FROM audit_entries) AND action = $1 AND actor_name <> '' AND target_id <> ''`, a.action))
			require.NotEqual(t, before, b.whole())
		})
	}
	line, err := json.Marshal(map[string]any{"goal": "G18", "commit": os.Getenv("COMMIT"), "part": "identities", "acts": len(list), "entriesOfEach": 1, "halfDone": 0})
	require.NoError(t, err)
	fmt.Println(string(line))
}
