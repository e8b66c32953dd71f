package cashdesk_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/approval"
	"candor/app/deposit"
	"candor/app/payee"
	"candor/app/platform/idempotency"
	"candor/app/platform/jobs"
	"candor/app/platform/money"
	"candor/app/provider"
	"candor/app/provider/sandbox"
	"candor/app/trader"
)

// payments connects the desk's deposits to the sandbox provider.
func (b *bundle) payments() *sandbox.Sandbox {
	b.Helper()
	secret := strings.Repeat("s3cret", 6)
	box := sandbox.New(secret, b.Clock, 0)
	server := httptest.NewServer(box.Handler())
	b.Cleanup(server.Close)
	require.NoError(b, box.SetMode(sandbox.LostEvents))
	queue, err := jobs.New(b.DB.Pool)
	require.NoError(b, err)
	list := []provider.Provider{{ID: "sandbox", Name: "Sandbox", URL: server.URL, Secret: secret, Sandbox: true}}
	house := provider.New(b.DB, b.Clock, queue, "http://house", list)
	b.config.Providers, b.config.Queue, b.config.NormalizeAddress = house, queue, payee.Normal
	b.config.Approvals = approval.New(b.DB, b.Clock, trader.TakeDutyTx)
	*b.deposits = *deposit.New(b.config) // the desk has a pointer to it already
	require.NoError(b, deposit.SeedSandbox(b.Context(), b.DB, list))
	return box
}

// pays is a third-party payment of 100 that was paid with another amount.
func (b *bundle) pays(box *sandbox.Sandbox, paid string) deposit.Deposit {
	b.Helper()
	b.made++
	owner := b.trader("pays" + strconv.Itoa(b.made) + "@example.com")
	d := b.did(owner, func(r idempotency.Request) (deposit.Result, error) {
		return b.deposits.RequestProviderDeposit(b.Context(), owner, deposit.ThirdParty, 101, 100*money.Unit, r)
	})
	require.NoError(b, box.Settle(d.Reference, provider.Paid, paid))
	_, err := b.DB.Pool.Exec(context.Background(), `INSERT INTO provider_events (provider, event, kind, reference, body, at)
		VALUES ('sandbox', $1, 'payment', $2, $3, $4)`, "EV-"+d.Reference, d.Reference, `{"event":"EV-1","state":"paid","amount":"40","currency":"USDT"}`, b.Clock.Now())
	require.NoError(b, err)
	return b.now(d.ID)
}

func TestDepositsOfProviders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	box := b.payments()
	maker, checker := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance checker 01", access.FinanceChecker)
	looker := b.seat("Auditor 01", access.Auditor)
	d := b.pays(box, "40")
	bank := b.waiting(450)

	t.Run("TheProviderIsAskedAtTheDesk", func(t *testing.T) {
		require.Equal(t, http.StatusForbidden, looker.Send(path(d, "provider"), nil).Code)
		require.Equal(t, deposit.Redirected, b.now(d.ID).State)
		answer := maker.Send(path(d, "provider"), nil)
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
		require.Contains(t, answer.Body.String(), d.Number()+" checked with the provider.")
		require.Equal(t, deposit.InReview, b.now(d.ID).State)
		require.Contains(t, b.actions(d.ID), "ask_provider")
		require.Equal(t, http.StatusOK, maker.Send(path(d, "provider"), nil).Code, "as often as anybody likes")
		require.NotEqual(t, http.StatusOK, maker.Send(path(bank, "provider"), nil).Code, "a bank can't be asked")
	})
	t.Run("TheQueueIsNarrowedByTheWay", func(t *testing.T) {
		all := maker.Get("/admin/deposits").Body.String()
		require.Contains(t, all, d.Number())
		require.Contains(t, all, bank.Number())
		for _, tab := range []string{"All", "Provider", "OTC"} {
			require.Contains(t, all, tab)
		}
		third := maker.Get("/admin/deposits?tab=third_party").Body.String()
		require.Contains(t, third, d.Number())
		require.NotContains(t, third, bank.Number())
		require.NotContains(t, maker.Get("/admin/deposits?tab=otc").Body.String(), d.Number())
	})
	t.Run("TheDetailSaysWhatTheProviderSays", func(t *testing.T) {
		page := maker.Part(path(d)).Body.String()
		for _, want := range []string{"Provider’s answer", "40 USDT", "EV-1", "not processed yet", "Check with provider", d.Reference} {
			require.Contains(t, page, want)
		}
		require.NotContains(t, page, "IBAN")
		require.NotContains(t, page, "Request new proof", "there is none")
	})
	t.Run("TwoPeopleCreditJustWhatCame", func(t *testing.T) {
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		dialog := maker.Part(path(d, "approval")).Body.String()
		require.NotContains(t, dialog, "Bank reference")
		typed := func(received string) *httptest.ResponseRecorder {
			return maker.Send(path(d, "approval"), url.Values{"version": {strconv.Itoa(b.now(d.ID).Version)}, "received": {received}, "code": {maker.Code(t)}})
		}
		require.Contains(t, b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return typed("100") }), "reported a different amount")
		require.Equal(t, http.StatusOK, typed("40").Code)
		require.Equal(t, deposit.Approved, b.now(d.ID).State)
		require.Equal(t, http.StatusOK, checker.claim(d).Code)
		require.Contains(t, checker.Part(path(d, "confirmation")).Body.String(), "Last 4 of the payment reference")
		answer := checker.confirm(d, b.now(d.ID).Version, d.Reference[len(d.Reference)-4:])
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
		require.EqualValues(t, 40*money.Unit, b.cash(d.AccountID))
	})
	t.Run("WhatIsUnclearIsNotRejectedWhileItMayBePaid", func(t *testing.T) {
		other := b.pays(box, "100")
		_, err := b.DB.Pool.Exec(t.Context(), `UPDATE deposits SET state = 'provider_unknown', said_state = 'pending', proof_at = $2 WHERE id = $1`, other.ID, b.Clock.Now())
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, maker.claim(other).Code)
		require.Contains(t, maker.Part(path(other)).Body.String(), "Only the provider’s answer can credit it.")
		b.unchanged(other, http.StatusConflict, func() *httptest.ResponseRecorder {
			return maker.reject(other, b.now(other.ID).Version, "not_received", "")
		})
		require.Equal(t, http.StatusOK, maker.Send(path(other, "provider"), nil).Code)
		require.Equal(t, deposit.Credited, b.now(other.ID).State)
		require.NoError(t, box.Settle(other.Reference, provider.ChargedBack, ""))
		require.Equal(t, http.StatusOK, maker.Send(path(other, "provider"), nil).Code)
		require.Contains(t, maker.Get("/admin/deposits").Body.String(), "Gone after credit")
	})
}

func TestTheCustodianIsAskedAtTheDesk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	box := b.payments()
	maker, looker := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Auditor 01", access.Auditor)
	owner := b.trader("coins@example.com")
	at, _, err := b.deposits.Address(t.Context(), owner, 111)
	require.NoError(t, err)
	transfer, err := box.Receive(at.Reference, "USDT", "tron", "50")
	require.NoError(t, err)
	_, err = b.deposits.AskCustodians(t.Context())
	require.NoError(t, err)
	var id int64
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT id FROM deposits WHERE transfer = $1`, transfer).Scan(&id))
	d := b.now(id)
	require.Contains(t, maker.Part(path(d)).Body.String(), "Check with provider")
	for range sandbox.Required {
		require.NoError(t, box.Mine(transfer))
	}
	require.Equal(t, http.StatusForbidden, looker.Send(path(d, "provider"), nil).Code)
	require.NotEqual(t, deposit.Credited, b.now(d.ID).State, "its events are lost")
	answer := maker.Send(path(d, "provider"), nil)
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.Equal(t, deposit.Credited, b.now(d.ID).State)
	require.EqualValues(t, 50*money.Unit, b.cash(d.AccountID))
	require.Contains(t, b.actions(d.ID), "ask_provider")
	require.NoError(t, box.Reorganise(transfer))
	require.Equal(t, http.StatusOK, maker.Send(path(d, "provider"), nil).Code)
	require.Contains(t, maker.Part(path(d)).Body.String(), "Gone after credit")
}
