package paydesk_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/approval"
	"candor/app/platform/idempotency"
	"candor/app/platform/jobs"
	"candor/app/provider"
	"candor/app/provider/sandbox"
	"candor/app/trader"
	"candor/app/withdrawal"
)

const ask = "Check with provider"

// connectSandbox connects withdrawals by agent to a sandbox provider.
func (b *bundle) connectSandbox() *sandbox.Sandbox {
	b.Helper()
	secret := strings.Repeat("s3cret", 6)
	box := sandbox.New(secret, b.Clock, 0)
	server := httptest.NewServer(box.Handler())
	b.Cleanup(server.Close)
	queue, err := jobs.New(b.DB.Pool)
	require.NoError(b, err)
	providers := provider.New(b.DB, b.Clock, queue, "http://127.0.0.1:1", []provider.Provider{{ID: "sandbox", Name: "Sandbox", URL: server.URL, Secret: secret, Sandbox: true}})
	b.config.Providers, b.config.Queue, b.config.Approvals = providers, queue, approval.New(b.DB, b.Clock, trader.TakeDutyTx)
	*b.withdrawals = *withdrawal.New(b.config) // the desk has a pointer to it already
	require.NoError(b, withdrawal.SeedSandbox(context.Background(), b.DB, []provider.Provider{{ID: "sandbox", Sandbox: true}}))
	return box
}

// byAgent is a fully approved withdrawal that the provider was asked to pay.
func (b *bundle) byAgent(p team) (w withdrawal.Withdrawal) {
	b.Helper()
	o := b.owner("Marta Specimen", "Marta Specimen")
	b.made++
	done, err := b.withdrawals.Request(context.Background(), o.Owner, withdrawal.ByAgent, o.payee, 100*usdt, trader.Proof{},
		idempotency.Request{TraderID: o.TraderID, Call: "test", Key: strconv.Itoa(b.made)})
	require.NoError(b, err)
	w = done.Value
	p.maker.did(w, "approval")
	p.checker.did(w, "confirmation")
	require.NoError(b, b.withdrawals.Send(context.Background(), w.ID))
	return b.now(w.ID)
}

func (s seat) enquire(w withdrawal.Withdrawal) *httptest.ResponseRecorder {
	return s.Send(path(w, "enquiry"), nil)
}

// asked counts the enquiries of staff about a withdrawal.
func (b *bundle) asked(w withdrawal.Withdrawal) int64 {
	b.Helper()
	return b.count(`SELECT count(*) FROM audit_entries WHERE action = 'withdrawal.enquire' AND target_kind = 'withdrawal' AND target_id = $1 AND actor_kind = 'staff'`,
		strconv.FormatInt(w.ID, 10))
}

func TestAskingTheProvider(t *testing.T) {
	t.Parallel()
	b := setup(t)
	box, p := b.connectSandbox(), b.team()

	t.Run("MovesByWhatItSays", func(t *testing.T) {
		w := b.byAgent(p)
		require.Equal(t, withdrawal.Processing, w.State)
		for _, s := range []seat{p.maker, p.checker, p.lead} {
			require.Contains(t, s.Part(path(w)).Body.String(), ask)
		}
		require.Contains(t, p.checker.enquire(w).Body.String(), "The provider reports no change for "+w.Number())
		require.Equal(t, w.Version, b.now(w.ID).Version, "no news change nothing")
		require.NoError(t, box.Advance(w.Number(), provider.Sent))
		body := p.maker.enquire(w).Body.String()
		require.Contains(t, body, "The provider answered about "+w.Number()+": Sent.")
		require.Equal(t, withdrawal.Sent, b.now(w.ID).State)
		require.EqualValues(t, 2, b.asked(w))
		history := p.maker.Part(path(w)).Body.String()
		require.Contains(t, history, "You checked with the provider")
		require.Contains(t, history, "Finance checker 01 checked with the provider")
		require.Contains(t, history, "The provider answered")
		require.NotContains(t, history, ask, "it is sent")
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.enquire(w) })
		require.EqualValues(t, 2, b.asked(w), "what is refused asks nobody")
	})
	t.Run("FindsOutAboutAnUnknownOutcome", func(t *testing.T) {
		require.NoError(t, box.SetMode(sandbox.Mute))
		w := b.byAgent(p)
		require.Equal(t, withdrawal.OutcomeUnknown, w.State)
		require.Contains(t, p.lead.Part(path(w)).Body.String(), ask)
		answer := p.lead.enquire(w)
		require.Equal(t, http.StatusConflict, answer.Code)
		require.Contains(t, answer.Body.String(), "The provider is not responding")
		require.Equal(t, withdrawal.OutcomeUnknown, b.now(w.ID).State)
		require.NoError(t, box.SetMode(sandbox.Healthy))
		require.NoError(t, box.Advance(w.Number(), provider.Failed))
		cash := b.cash(w.AccountID)
		require.Contains(t, p.lead.enquire(w).Body.String(), "The provider answered about "+w.Number()+": Not paid.")
		require.Equal(t, withdrawal.Failed, b.now(w.ID).State)
		require.Equal(t, cash+w.Amount, b.cash(w.AccountID), "the money is back")
		require.NotContains(t, p.lead.Part(path(w)).Body.String(), ask)
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.lead.enquire(w) })
	})
	t.Run("NotWhereABankIsTold", func(t *testing.T) {
		for _, state := range []withdrawal.State{withdrawal.Processing, withdrawal.OutcomeUnknown, withdrawal.Sent} {
			w := b.in(p, state, 100)
			require.NotContains(t, p.maker.Part(path(w)).Body.String(), ask)
			b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.enquire(w) })
			require.Zero(t, b.asked(w))
		}
	})
	t.Run("NotByWhoOnlyLooks", func(t *testing.T) {
		w := b.byAgent(p)
		for _, role := range []access.Role{access.Auditor, access.SupportLead, access.Risk, access.ComplianceLead} {
			looker := b.seat("Looks", role)
			require.NotContains(t, looker.Part(path(w)).Body.String(), ask)
			b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return looker.enquire(w) })
		}
		require.Zero(t, b.asked(w))
	})
}
