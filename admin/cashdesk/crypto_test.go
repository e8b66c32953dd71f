package cashdesk_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/money"
	"candor/templates/ui"
)

// waitingCrypto is a crypto deposit that waits for the desk in a state.
func (b *bundle) waitingCrypto(state deposit.State, dollars int64) deposit.Deposit {
	b.Helper()
	b.made++
	number := strconv.Itoa(b.made)
	o := b.trader("coins" + number + "@example.com")
	var id int64
	err := b.DB.Pool.QueryRow(b.Context(), `
		WITH channel AS (
			INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, sort, enabled, provider, coin, chain)
			VALUES (111, 'standard', 'USDT, TRON', 'USDT', 10000000, 1000000000000, 2, true, 'custodian', 'USDT', 'tron') ON CONFLICT DO NOTHING),
		address AS (
			INSERT INTO deposit_addresses (trader_id, account_id, channel_id, reference, address, created_at) VALUES ($1, $2, 111, $3, $3, $4) RETURNING id)
		INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, reference, state, provider, address_id, transfer, tx_hash, coin, chain,
			confirmations, required, reason, created_at, proof_at, dust)
		SELECT $1, $2, 111, 'standard', 'USDT', $5, $3, $6::text, 'custodian', id, $3, 'abcdef0123456789', 'USDT', 'tron', 3, 3, $6, $4, $4, '0.0000004' FROM address RETURNING id`,
		o.TraderID, o.AccountID, "AD-"+number, b.Clock.Now(), dollars*money.Unit, string(state)).Scan(&id)
	require.NoError(b, err)
	return b.now(id)
}

// reversible is a credited deposit that its provider reports as gone.
func (b *bundle) reversible(maker, checker seat) deposit.Deposit {
	b.Helper()
	d := b.approved(maker)
	require.Equal(b, http.StatusOK, checker.claim(d).Code)
	d = b.now(d.ID)
	reference := *d.BankReference
	answer := checker.confirm(d, d.Version, reference[len(reference)-4:])
	require.Equal(b, deposit.Credited, b.now(d.ID).State, answer.Body.String())
	owner, err := pgx.Connect(b.Context(), b.owner)
	require.NoError(b, err)
	defer func() { _ = owner.Close(b.Context()) }()
	_, err = owner.Exec(b.Context(), `UPDATE deposits SET gone_at = $2, proof_at = $2, kind = 'third_party', provider = 'sandbox', amount = 3 * amount WHERE id = $1`, d.ID, b.Clock.Now())
	require.NoError(b, err)
	return b.now(d.ID)
}

// act sends a decision with the current version.
func (s seat) act(d deposit.Deposit, noun string, words ...string) *httptest.ResponseRecorder {
	form := url.Values{"version": {strconv.Itoa(s.b.now(d.ID).Version)}, "code": {s.Code(s.b.T)}}
	for i := 0; i+1 < len(words); i += 2 {
		form.Set(words[i], words[i+1])
	}
	return s.Send(path(d, noun), form)
}

func TestCoinsAreDecidedByTwo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker, checker := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance checker 01", access.FinanceChecker)
	other := b.seat("Finance maker 03", access.FinanceMaker)

	t.Run("TheQueueAndTheDetailShowThem", func(t *testing.T) {
		d := b.waitingCrypto(deposit.AMLReview, 20_000)
		require.Contains(t, maker.Get("/admin/deposits").Body.String(), d.Number())
		body := maker.Get(path(d)).Body.String()
		for _, words := range []string{"AML review", "USDT · tron", "3/3", "abcd ef01 2345 6789", "0.0000004", "custodian"} {
			require.Contains(t, body, words)
		}
		require.Contains(t, maker.Get(path(d, "credit")).Body.String(), "The second approver must agree")
	})
	t.Run("ACreditTakesTwo", func(t *testing.T) {
		d := b.waitingCrypto(deposit.AMLReview, 20_000)
		require.Equal(t, http.StatusOK, maker.act(d, "credit").Code)
		require.Zero(t, b.cash(d.AccountID))
		b.unchanged(b.now(d.ID), http.StatusForbidden, func() *httptest.ResponseRecorder { return maker.act(d, "agreement") })
		b.unchanged(b.now(d.ID), http.StatusForbidden, func() *httptest.ResponseRecorder { return other.act(d, "agreement") })
		require.Contains(t, checker.Get(path(d, "agreement")).Body.String(), "You are the second approver")
		require.Equal(t, http.StatusOK, checker.act(d, "agreement").Code)
		require.Equal(t, deposit.Credited, b.now(d.ID).State)
		require.EqualValues(t, 20_000*money.Unit, b.cash(d.AccountID))
		require.Equal(t, []string{"confirm", "approve"}, b.actions(d.ID))
	})
	t.Run("AnotherCoinIsOnlySentBack", func(t *testing.T) {
		d := b.waitingCrypto(deposit.WrongAsset, 50)
		require.Contains(t, maker.Part(path(d)).Body.String(), "Not screened", "which is no pass")
		require.NotContains(t, maker.Part(path(b.waiting(450))).Body.String(), "Not screened")
		b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return maker.act(d, "credit") })
		b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.act(d, "refund", "bankReference", " ") })
		require.Equal(t, http.StatusOK, maker.act(d, "refund", "bankReference", "0xabcdef").Code)
		require.Equal(t, deposit.Refunding, b.now(d.ID).State)
		require.Equal(t, http.StatusOK, maker.act(d, "recall").Code)
		require.Equal(t, deposit.WrongAsset, b.now(d.ID).State)
		require.Equal(t, http.StatusOK, maker.act(d, "refund", "bankReference", "0xabcdef").Code)
		require.Equal(t, http.StatusOK, checker.act(d, "agreement").Code)
		require.Equal(t, deposit.Refunded, b.now(d.ID).State)
		require.Zero(t, b.cash(d.AccountID))
	})
	t.Run("AReversalTakesTwo", func(t *testing.T) {
		d := b.reversible(maker, checker)
		require.Contains(t, maker.Get(path(d)).Body.String(), "Gone after credit")
		dialog := maker.Get(path(d, "reversal")).Body.String()
		require.Contains(t, dialog, ui.Amount(*d.Received), "what was credited is taken back")
		require.NotContains(t, dialog, ui.Amount(d.Amount), "not what was announced")
		b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.act(d, "reversal", "reason", " ") })
		require.Equal(t, http.StatusOK, maker.act(d, "reversal", "reason", "the bank took it back").Code)
		b.unchanged(b.now(d.ID), http.StatusForbidden, func() *httptest.ResponseRecorder { return maker.act(d, "agreement") })
		require.Equal(t, http.StatusOK, checker.act(d, "agreement").Code)
		require.Equal(t, deposit.ChargedBack, b.now(d.ID).State)
		require.Zero(t, b.cash(d.AccountID))
		a, err := ledger.Load(t.Context(), b.DB.Pool, d.AccountID)
		require.NoError(t, err)
		require.Zero(t, a.Owed)
		require.NotContains(t, maker.Get("/admin/deposits").Body.String(), d.Number())
	})
	t.Run("WhatIsThereIsNotTakenBack", func(*testing.T) {
		d := b.waiting(450)
		for noun, by := range map[string]seat{"reversal": maker, "agreement": checker, "recall": checker, "refund": maker, "credit": maker} {
			b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder {
				return by.act(d, noun, "reason", "I feel like it", "bankReference", "0xabcdef")
			})
		}
	})
}
