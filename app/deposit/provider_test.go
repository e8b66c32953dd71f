package deposit_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/jobs"
	"candor/app/provider"
	"candor/app/provider/sandbox"
)

var secret = strings.Repeat("s3cret", 6)

// Channels of the sandbox.
const (
	thirdParty = 101
	overCount  = 102
)

var channelOf = map[deposit.Kind]int{deposit.ThirdParty: thirdParty, deposit.OTC: overCount}

// providerFixture is a bundle with a provider, the sandbox.
type providerFixture struct {
	*bundle
	sandbox   *sandbox.Sandbox
	providers *provider.Service
	server    *httptest.Server
}

func withProvider(t *testing.T) *providerFixture {
	t.Helper()
	b := setup(t)
	h := &providerFixture{bundle: b, sandbox: sandbox.New(secret, b.clock, 0)}
	h.server = httptest.NewServer(h.sandbox.Handler())
	t.Cleanup(h.server.Close)
	queue, err := jobs.New(b.db.Pool)
	require.NoError(t, err)
	endpoint := httptest.NewServer(http.HandlerFunc(h.receiveEvent))
	t.Cleanup(endpoint.Close)
	list := []provider.Provider{{ID: "sandbox", Name: "Sandbox", URL: h.server.URL, Secret: secret, Sandbox: true}}
	h.providers = provider.New(b.db, b.clock, queue, endpoint.URL, list)
	b.config.Providers, b.config.Queue = h.providers, queue
	b.start()
	require.NoError(t, deposit.SeedSandbox(t.Context(), b.keeper, list))
	return h
}

// receiveEvent is a minimal event endpoint.
func (h *providerFixture) receiveEvent(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	err := h.providers.Accept(r.Context(), "sandbox", r.Header.Get(provider.TimeHeader), r.Header.Get(provider.SignatureHeader), body)
	if err != nil && errs.As(err) == nil {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// begin requests a payment.
func (h *providerFixture) begin(o ledger.Owner, kind deposit.Kind, amount int64) deposit.Deposit {
	h.Helper()
	d, err := valueOf(h.deposits.RequestProviderDeposit(h.Context(), o, kind, channelOf[kind], amount, h.keyed(o)))
	require.NoError(h, err)
	return h.read(d.ID)
}

// events runs the jobs of the received events.
func (h *providerFixture) events() {
	h.Helper()
	h.sandbox.Wait()
	rows, err := h.db.Pool.Query(h.Context(), `SELECT id FROM provider_events WHERE state = 'new' ORDER BY id`)
	require.NoError(h, err)
	var ids []int64
	for rows.Next() {
		var id int64
		require.NoError(h, rows.Scan(&id))
		ids = append(ids, id)
	}
	require.NoError(h, rows.Err())
	for _, id := range ids {
		require.NoError(h, h.providers.Act(h.Context(), id))
	}
}

// settle makes the provider end a payment, and handles its event.
func (h *providerFixture) settle(d deposit.Deposit, state, paid string) deposit.Deposit {
	h.Helper()
	require.NoError(h, h.sandbox.Settle(d.Reference, state, paid))
	h.events()
	return h.read(d.ID)
}

func (h *providerFixture) agree(o ledger.Owner, id int64) (deposit.Deposit, error) {
	return valueOf(h.deposits.Agree(h.Context(), o, id, h.keyed(o)))
}

// agreed requests a payment of 100 over the counter, and accepts its offer.
func (h *providerFixture) agreed(o ledger.Owner) deposit.Deposit {
	h.Helper()
	d, err := h.agree(o, h.begin(o, deposit.OTC, 100*usdt).ID)
	require.NoError(h, err)
	return d
}

func (h *providerFixture) markPaid(o ledger.Owner, id int64, file string) (deposit.Deposit, error) {
	return valueOf(h.deposits.MarkPaid(h.Context(), o, id, file, h.keyed(o)))
}

func (h *providerFixture) appeal(o ledger.Owner, id int64, text, file string) (deposit.Deposit, error) {
	return valueOf(h.deposits.Appeal(h.Context(), o, id, text, file, h.keyed(o)))
}

func (h *providerFixture) picture(o ledger.Owner) string {
	return h.file(o, fmt.Sprint("picture ", h.next())).Name
}

// advance advances the clock and queries the open deposits.
func (h *providerFixture) advance(pass time.Duration) {
	h.Helper()
	h.clock.Advance(pass)
	_, err := h.deposits.AskOpen(h.Context())
	require.NoError(h, err)
}

func TestThirdParty(t *testing.T) {
	t.Parallel()

	t.Run("LeadsToTheProvidersPageAndCreditsWhatWasPaid", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.begin(o, deposit.ThirdParty, 100*usdt)
		require.Equal(t, deposit.Redirected, d.State)
		require.Equal(t, h.server.URL+"/pay/"+d.Reference, d.PayURL)
		require.Equal(t, start.Add(deposit.ThirdPartyLife), d.ExpiresAt.UTC())
		require.Zero(t, h.postings())
		d = h.settle(d, provider.Paid, "")
		require.Equal(t, deposit.Credited, d.State)
		require.Equal(t, 100*int64(usdt), *d.Received)
		require.Equal(t, 100*int64(usdt), h.cash(o.AccountID))
		require.Equal(t, "deposit.credit", h.acts(d.ID)[0].Action)
		require.Equal(t, "sandbox", h.acts(d.ID)[0].ActorName)
		require.EqualValues(t, 1, h.count(`SELECT count(*) FROM provider_events WHERE state = 'done' AND outcome = 'credited'`))
		require.NoError(t, h.deposits.Ask(t.Context(), d.ID))
		require.Equal(t, 100*int64(usdt), h.cash(o.AccountID), "asked again, it credits nothing")
		h.requireProved()
	})
	t.Run("HappensOncePerKey", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		key := h.keyed(o)
		first, err := h.deposits.RequestProviderDeposit(t.Context(), o, deposit.ThirdParty, thirdParty, 100*usdt, key)
		require.NoError(t, err)
		again, err := h.deposits.RequestProviderDeposit(t.Context(), o, deposit.ThirdParty, thirdParty, 100*usdt, key)
		require.NoError(t, err)
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
		require.EqualValues(t, 1, h.count(`SELECT count(*) FROM deposits`))
	})
	t.Run("AnotherAmountIsCreditedByTwoPeopleOrNot", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.settle(h.begin(o, deposit.ThirdParty, 100*usdt), provider.Paid, "40")
		require.Equal(t, deposit.InReview, d.State)
		require.Zero(t, h.postings())
		d = h.claim(h.maker, d.ID)
		_, err := h.deposits.Approve(t.Context(), h.maker, d.ID, d.Version, statementOf(100*usdt, "BANK-1"))
		require.ErrorIs(t, err, deposit.ErrState, "there is no bank")
		_, err = h.deposits.Accept(t.Context(), h.maker, d.ID, d.Version, 100*usdt)
		require.ErrorIs(t, err, deposit.ErrPaidOther)
		d, err = h.deposits.Accept(t.Context(), h.maker, d.ID, d.Version, 40*usdt)
		require.NoError(t, err)
		require.Equal(t, deposit.Approved, d.State, "a second person is needed for any amount")
		d = h.claim(h.maker, d.ID)
		_, err = h.deposits.Confirm(t.Context(), h.maker, d.ID, d.Version)
		require.ErrorIs(t, err, deposit.ErrSelf)
		d, err = h.deposits.Release(t.Context(), h.maker, d.ID)
		require.NoError(t, err)
		d = h.claim(h.checker, d.ID)
		d, err = h.deposits.Confirm(t.Context(), h.checker, d.ID, d.Version)
		require.NoError(t, err)
		require.Equal(t, deposit.Credited, d.State)
		require.Equal(t, 40*int64(usdt), h.cash(o.AccountID))
		h.requireProved()
	})
	t.Run("AnotherAmountMayBeRejected", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.settle(h.begin(o, deposit.ThirdParty, 100*usdt), provider.Paid, "140")
		d = h.claim(h.maker, d.ID)
		_, err := h.deposits.Decline(t.Context(), h.maker, d.ID, d.Version, true, "amount_differs", "")
		require.ErrorIs(t, err, deposit.ErrState, "there is no other proof to ask for")
		d, err = h.deposits.Decline(t.Context(), h.maker, d.ID, d.Version, false, "amount_differs", "")
		require.NoError(t, err)
		require.Equal(t, deposit.Rejected, d.State)
		require.NoError(t, h.deposits.Ask(t.Context(), d.ID))
		require.Equal(t, deposit.Rejected, h.read(d.ID).State, "what was decided stays decided")
		require.Zero(t, h.postings())
	})
	t.Run("AFailureSaysWhy", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		d := h.settle(h.begin(h.owner(2), deposit.ThirdParty, 100*usdt), provider.Failed, "")
		require.Equal(t, []any{deposit.Failed, "payment_failed"}, []any{d.State, *d.Reason})
		require.NotNil(t, d.DecidedAt)
	})
	t.Run("PaidAfterItHadFailedItIsForTwoPeople", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.begin(o, deposit.ThirdParty, 100*usdt)
		h.exec(`UPDATE deposits SET state = 'failed', decided_at = now() WHERE id = $1`, d.ID)
		d = h.settle(d, provider.Paid, "")
		require.Equal(t, deposit.InReview, d.State)
		require.NoError(t, h.deposits.Ask(t.Context(), d.ID))
		require.Equal(t, deposit.InReview, h.read(d.ID).State)
		require.Zero(t, h.postings())
	})
	t.Run("ADayAfterItsEndPeopleLookWhyNothingWasHeard", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		d := h.begin(h.owner(2), deposit.ThirdParty, 100*usdt)
		h.advance(deposit.ThirdPartyLife + deposit.Grace - time.Second)
		require.Equal(t, deposit.Redirected, h.read(d.ID).State)
		h.advance(time.Minute)
		d = h.read(d.ID)
		require.Equal(t, deposit.ProviderUnknown, d.State)
		d = h.claim(h.maker, d.ID)
		_, err := h.deposits.Decline(t.Context(), h.maker, d.ID, d.Version, false, "not_received", "")
		require.ErrorIs(t, err, deposit.ErrStillOpen, "it may still be paid")
		d = h.settle(d, provider.Paid, "")
		require.Equal(t, deposit.Credited, d.State)
	})
	t.Run("ALostEventChangesNothing", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		require.NoError(t, h.sandbox.SetMode(sandbox.LostEvents))
		o := h.owner(2)
		d := h.settle(h.begin(o, deposit.ThirdParty, 100*usdt), provider.Paid, "")
		require.Equal(t, deposit.Redirected, d.State)
		h.advance(time.Minute)
		require.Equal(t, deposit.Credited, h.read(d.ID).State)
		require.Equal(t, 100*int64(usdt), h.cash(o.AccountID))
	})
	t.Run("TakenBackAfterTheCreditItWaitsForTheDesk", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.settle(h.begin(o, deposit.ThirdParty, 100*usdt), provider.Paid, "")
		d = h.settle(d, provider.ChargedBack, "")
		require.Equal(t, deposit.Credited, d.State)
		require.True(t, d.Missing())
		require.Equal(t, 100*int64(usdt), h.cash(o.AccountID), "nothing moves by itself")
		list, err := h.deposits.Queue(t.Context(), time.Time{}, 0, 10)
		require.NoError(t, err)
		require.Len(t, list, 1)
	})
	t.Run("TakenBackAndPaidAgainNothingIsToBeReversed", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.settle(h.begin(o, deposit.ThirdParty, 100*usdt), provider.Paid, "")
		d = h.settle(d, provider.ChargedBack, "")
		d, err := h.deposits.RequestReversal(t.Context(), h.maker, d.ID, d.Version, "the card's holder took it back")
		require.NoError(t, err)
		again := h.settle(d, provider.Paid, "")
		require.False(t, again.Missing())
		_, err = h.deposits.ApproveReversal(t.Context(), h.checker, d.ID, again.Version)
		require.ErrorIs(t, err, deposit.ErrState)
		require.Equal(t, 100*int64(usdt), h.cash(o.AccountID), "credited once")
	})
	t.Run("TakenBackItIsReversedByTwo", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.settle(h.begin(o, deposit.OTC, 100*usdt), provider.Paid, "")
		d = h.settle(d, provider.ChargedBack, "")
		d, err := h.deposits.RequestReversal(t.Context(), h.maker, d.ID, d.Version, "the merchant never had it")
		require.NoError(t, err)
		_, err = h.deposits.ApproveReversal(t.Context(), h.maker, d.ID, d.Version)
		require.ErrorIs(t, err, approval.ErrSamePerson)
		d, err = h.deposits.ApproveReversal(t.Context(), h.checker, d.ID, d.Version)
		require.NoError(t, err)
		require.Equal(t, deposit.ChargedBack, d.State)
		require.Zero(t, h.cash(o.AccountID))
		require.Equal(t, deposit.ChargedBack, h.settle(d, provider.Paid, "").State, "what was reversed is credited by nobody")
		require.Equal(t, deposit.Outcomes{TraderID: o.TraderID, Disputed: 1}, credited(t, h.db, o))
	})
	t.Run("IsTakenBackOnlyWhenTheProviderHasEndedIt", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.begin(o, deposit.ThirdParty, 100*usdt)
		require.NoError(t, h.sandbox.SetMode(sandbox.LateAnswer))
		_, err := h.tryCancel(o, d.ID)
		require.ErrorIs(t, err, deposit.ErrNotNow)
		require.Equal(t, deposit.Redirected, h.read(d.ID).State)
		require.NoError(t, h.sandbox.SetMode(sandbox.Healthy))
		d, err = h.tryCancel(o, d.ID)
		require.NoError(t, err)
		require.Equal(t, deposit.Cancelled, d.State)
		paid := h.begin(o, deposit.ThirdParty, 50*usdt)
		require.NoError(t, h.sandbox.Settle(paid.Reference, provider.Paid, ""))
		_, err = h.tryCancel(o, paid.ID)
		require.ErrorIs(t, err, deposit.ErrState)
		require.Equal(t, deposit.Credited, h.read(paid.ID).State, "it was paid meanwhile")
	})
	t.Run("OfAnUnknownReferenceNothingComes", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		d := h.begin(h.owner(2), deposit.ThirdParty, 100*usdt)
		h.exec(`UPDATE deposits SET reference = 'CD-OTHER' WHERE id = $1`, d.ID)
		require.NoError(t, h.sandbox.Settle(d.Reference, provider.Paid, ""))
		h.events()
		require.Zero(t, h.postings())
		require.EqualValues(t, 1, h.count(`SELECT count(*) FROM provider_events WHERE outcome = 'unknown reference'`))
	})
}

func TestRequestThroughRefuses(t *testing.T) {
	t.Parallel()
	h := withProvider(t)
	o := h.owner(0)
	try := func(o ledger.Owner, kind deposit.Kind, channel int, amount int64) error {
		_, err := h.deposits.RequestProviderDeposit(t.Context(), o, kind, channel, amount, h.keyed(o))
		return err
	}
	require.ErrorIs(t, try(o, deposit.ThirdParty, channel, 100*usdt), deposit.ErrChannel, "a bank is no provider")
	require.ErrorIs(t, try(o, deposit.ThirdParty, overCount, 100*usdt), deposit.ErrChannel, "of another kind")
	require.ErrorIs(t, try(o, deposit.OTC, 999, 100*usdt), deposit.ErrChannel)
	require.ErrorIs(t, try(o, deposit.OTC, overCount, 10*usdt-1), deposit.ErrAmount)
	require.ErrorIs(t, try(o, deposit.OTC, overCount, 100_000*usdt+1), deposit.ErrAmount)
	require.ErrorIs(t, try(o, deposit.ThirdParty, thirdParty, 2_001*usdt), deposit.ErrUnverified)
	_, err := h.deposits.Request(t.Context(), o, thirdParty, 100*usdt, h.keyed(o))
	require.ErrorIs(t, err, deposit.ErrChannel, "a provider is no bank")
	for range 5 {
		require.NoError(t, try(o, deposit.OTC, overCount, 10*usdt))
	}
	require.ErrorIs(t, try(o, deposit.ThirdParty, thirdParty, 10*usdt), deposit.ErrTooMany)
	mock := o
	mock.AccountID = h.account(o.TraderID, "mock")
	require.ErrorIs(t, try(mock, deposit.OTC, overCount, 10*usdt), deposit.ErrMock)

	other := h.owner(2)
	h.exec(`INSERT INTO switches (key, value) VALUES ('third_party.minimum', '50')`)
	require.NoError(t, h.switches.Reload(t.Context()))
	require.ErrorIs(t, try(other, deposit.ThirdParty, thirdParty, 49*usdt), deposit.ErrAmount)
	require.NoError(t, try(other, deposit.OTC, overCount, 49*usdt), "the switch is about third parties")
}

func TestOverTheCounter(t *testing.T) {
	t.Parallel()

	t.Run("TellsAnOfferThatTheTraderAgreesToBeforePaying", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.begin(o, deposit.OTC, 100*usdt)
		require.Equal(t, deposit.Offer{OfferCurrency: "EUR", OfferAmount: 92_670_000, OfferRate: 926_700, OfferRelease: 30}, d.Offer)
		require.Nil(t, d.AgreedAt)
		_, err := h.markPaid(o, d.ID, h.picture(o))
		require.ErrorIs(t, err, deposit.ErrState, "nobody has agreed yet")
		_, err = h.agree(h.owner(2), d.ID)
		require.ErrorIs(t, err, deposit.ErrUnknown)
		d, err = h.agree(o, d.ID)
		require.NoError(t, err)
		require.Equal(t, start, d.AgreedAt.UTC())
		require.Equal(t, deposit.AwaitingPayment, d.State)
		require.Equal(t, "deposit.agree", h.acts(d.ID)[0].Action)
		_, err = h.agree(o, d.ID)
		require.ErrorIs(t, err, deposit.ErrState, "once")
		h.clock.Advance(time.Minute)
		d, err = h.markPaid(o, d.ID, h.picture(o))
		require.NoError(t, err)
		require.Equal(t, start.Add(31*time.Minute), d.DueAt().UTC(), "the merchant has half an hour")
	})
	t.Run("AnOfferEndsWithItsTimeAndIsNotAppealedUnagreed", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.begin(o, deposit.OTC, 100*usdt)
		h.clock.Advance(deposit.OTCLife)
		_, err := h.agree(o, d.ID)
		require.ErrorIs(t, err, deposit.ErrState)
		h.advance(time.Minute)
		require.Equal(t, deposit.Expired, h.read(d.ID).State)
		_, err = h.appeal(o, d.ID, "I paid", h.picture(o))
		require.ErrorIs(t, err, deposit.ErrState, "nobody was told whom to pay")
	})
	t.Run("WhatWasToldOfAnOfferStays", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.agreed(o)
		for _, change := range []string{"offer_amount = 1", "offer_rate = 1", "offer_currency = 'USD'", "offer_release = 1", "merchant_account = 'DE1'", "agreed_at = now()", "agreed_at = NULL"} {
			_, err := h.db.Pool.Exec(t.Context(), `UPDATE deposits SET `+change+` WHERE id = $1`, d.ID)
			require.ErrorContains(t, err, "is what it was told as", change)
		}
		third := h.begin(o, deposit.ThirdParty, 100*usdt)
		_, err := h.db.Pool.Exec(t.Context(), `UPDATE deposits SET offer_amount = 1, offer_rate = 1, offer_currency = 'EUR', offer_release = 1 WHERE id = $1`, third.ID)
		require.ErrorContains(t, err, "deposits_offer", "only over the counter")
		_, err = h.db.Pool.Exec(t.Context(), `UPDATE deposits SET agreed_at = now() WHERE id = $1`, third.ID)
		require.ErrorContains(t, err, "deposits_agreed")
	})
	t.Run("AnotherPayAmountIsWorthItsShareAndDecidedByTwo", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.settle(h.agreed(o), provider.Paid, "46.335")
		require.Equal(t, deposit.InReview, d.State)
		require.Equal(t, 50*int64(usdt), *d.Received)
		require.Equal(t, []string{"46.335", "EUR"}, []string{d.SaidAmount, d.SaidCurrency})
		require.Zero(t, h.postings())
		d = h.claim(h.maker, d.ID)
		_, err := h.deposits.Accept(t.Context(), h.maker, d.ID, d.Version, 100*usdt)
		require.ErrorIs(t, err, deposit.ErrPaidOther)
		_, err = h.deposits.Accept(t.Context(), h.maker, d.ID, d.Version, 50*usdt)
		require.NoError(t, err)
		d = h.claim(h.checker, d.ID)
		_, err = h.deposits.Confirm(t.Context(), h.checker, d.ID, d.Version)
		require.NoError(t, err)
		require.Equal(t, 50*int64(usdt), h.cash(o.AccountID))
		h.requireProved()
	})

	t.Run("SaysWhomToPayAndIsCreditedWhenTheMerchantConfirms", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.agreed(o)
		require.Equal(t, deposit.AwaitingPayment, d.State)
		require.Equal(t, []string{"Sandbox Merchant", "DE89370400440532013000"}, []string{d.Merchant, d.MerchantAccount})
		require.Equal(t, start.Add(15*time.Minute), d.ExpiresAt.UTC())
		_, err := h.markPaid(o, d.ID, "")
		require.ErrorIs(t, err, deposit.ErrNoProof)
		_, err = h.markPaid(o, d.ID, "nothing.jpg")
		require.ErrorIs(t, err, deposit.ErrFile)
		_, err = h.markPaid(h.owner(2), d.ID, h.picture(o))
		require.ErrorIs(t, err, deposit.ErrUnknown)
		d, err = h.markPaid(o, d.ID, h.picture(o))
		require.NoError(t, err)
		require.Equal(t, deposit.MarkedPaid, d.State)
		_, err = h.markPaid(o, d.ID, h.picture(o))
		require.ErrorIs(t, err, deposit.ErrState)
		h.advance(time.Hour)
		require.Equal(t, deposit.MarkedPaid, h.read(d.ID).State, "what is paid does not expire")
		require.Equal(t, deposit.Credited, h.settle(d, provider.Paid, "").State)
		require.Equal(t, 100*int64(usdt), h.cash(o.AccountID))
	})
	t.Run("ExpiresAfterAQuarterOfAnHourAndMayBeAppealed", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.agreed(o)
		_, err := h.appeal(o, d.ID, "I paid", h.picture(o))
		require.ErrorIs(t, err, deposit.ErrState, "it can be paid still")
		h.advance(15*time.Minute - time.Second)
		require.Equal(t, deposit.AwaitingPayment, h.read(d.ID).State)
		h.advance(time.Minute)
		require.Equal(t, deposit.Expired, h.read(d.ID).State)
		_, err = h.appeal(o, d.ID, " ", h.picture(o))
		require.ErrorIs(t, err, deposit.ErrAppealText)
		_, err = h.appeal(o, d.ID, "I paid", "")
		require.ErrorIs(t, err, deposit.ErrNoProof)
		d, err = h.appeal(o, d.ID, "I paid at the last minute", h.picture(o))
		require.NoError(t, err)
		require.Equal(t, deposit.Appealed, d.State)
		require.Equal(t, provider.Disputed, h.read(d.ID).SaidState, "the provider knows of it")
		d = h.claim(h.maker, d.ID)
		_, err = h.deposits.Decline(t.Context(), h.maker, d.ID, d.Version, false, "not_received", "")
		require.ErrorIs(t, err, deposit.ErrStillOpen)
		_, err = h.deposits.Accept(t.Context(), h.maker, d.ID, d.Version, 100*usdt)
		require.ErrorIs(t, err, deposit.ErrState, "only the provider's answer credits")
		require.Equal(t, deposit.Credited, h.settle(d, provider.Paid, "").State)
	})
	t.Run("AnAppealThatTheMerchantRefusesIsRejectedByPeople", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.agreed(o)
		_, err := h.markPaid(o, d.ID, h.picture(o))
		require.NoError(t, err)
		d, err = h.appeal(o, d.ID, "The merchant does not answer", "")
		require.NoError(t, err)
		d = h.settle(d, provider.Failed, "")
		require.Equal(t, deposit.Appealed, d.State)
		d = h.claim(h.maker, d.ID)
		d, err = h.deposits.Decline(t.Context(), h.maker, d.ID, d.Version, false, "not_received", "The merchant shows the statement.")
		require.NoError(t, err)
		require.Equal(t, deposit.Rejected, d.State)
		require.Zero(t, h.postings())
	})
	t.Run("ThatTheTraderSaysToHavePaidDoesNotFailByItself", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.agreed(o)
		_, err := h.markPaid(o, d.ID, h.picture(o))
		require.NoError(t, err)
		require.Equal(t, deposit.ProviderUnknown, h.settle(d, provider.Failed, "").State)
		h.advance(time.Minute)
		require.Equal(t, deposit.ProviderUnknown, h.read(d.ID).State)
	})
	t.Run("AWeekAfterItsEndThereIsNoAppeal", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.agreed(o)
		h.advance(time.Hour)
		h.clock.Set(d.ExpiresAt.Add(deposit.AppealLife + time.Second))
		_, err := h.appeal(o, d.ID, "I paid", h.picture(o))
		require.ErrorIs(t, err, deposit.ErrAppealLate)
		h.clock.Set(d.ExpiresAt.Add(deposit.AppealLife))
		_, err = h.appeal(o, d.ID, "I paid", h.picture(o))
		require.NoError(t, err)
	})
	t.Run("PaidAfterItsEndItIsFoundWithoutAnEvent", func(t *testing.T) {
		t.Parallel()
		h := withProvider(t)
		o := h.owner(2)
		d := h.agreed(o)
		h.advance(time.Hour)
		require.NoError(t, h.sandbox.SetMode(sandbox.LostEvents))
		require.NoError(t, h.sandbox.Settle(d.Reference, provider.Paid, ""))
		h.advance(2 * time.Hour)
		require.Equal(t, deposit.Credited, h.read(d.ID).State)
	})
}

// TestFaultsOfAProvider checks each fault of a provider: nothing is credited twice, and every payment is credited in the end.
func TestFaultsOfAProvider(t *testing.T) {
	t.Parallel()
	for _, kind := range []deposit.Kind{deposit.ThirdParty, deposit.OTC} {
		for _, mode := range sandbox.Modes {
			t.Run(kind+"/"+string(mode), func(t *testing.T) {
				t.Parallel()
				h := withProvider(t)
				o := h.owner(2)
				require.NoError(t, h.sandbox.SetMode(mode))
				d := h.begin(o, kind, 100*usdt)
				unclear := mode == sandbox.LostRequest || mode == sandbox.LateAnswer || mode == sandbox.ServerError || mode == sandbox.Mute
				require.Equal(t, unclear, d.State == deposit.Created)
				if unclear {
					require.NoError(t, h.sandbox.SetMode(sandbox.Healthy))
					h.advance(time.Minute)
					require.NotEqual(t, deposit.Created, h.read(d.ID).State, "asked again with the same reference")
				}
				d = h.settle(d, provider.Paid, "")
				if mode == sandbox.LostEvents {
					h.advance(time.Minute)
				}
				h.advance(time.Minute)
				d = h.read(d.ID)
				if mode == sandbox.OtherAmounts {
					require.Equal(t, deposit.InReview, d.State)
					require.Zero(t, h.postings())
					return
				}
				require.Equal(t, deposit.Credited, d.State)
				require.Equal(t, 100*int64(usdt), h.cash(o.AccountID))
				h.requireProved()
			})
		}
	}
}

func TestSeedSandbox(t *testing.T) {
	t.Parallel()
	h := withProvider(t)
	shown := func() (names []string) {
		list, err := h.deposits.Channels(t.Context(), "DE")
		require.NoError(t, err)
		for _, c := range list {
			names = append(names, c.Kind)
		}
		return names
	}
	require.Equal(t, []string{"bank", "third_party", "otc", "standard", "standard"}, shown())
	closed := func() (chains []string) {
		list, err := h.deposits.Networks(t.Context(), "DE")
		require.NoError(t, err)
		for _, c := range list {
			require.Equal(t, sandbox.Required, c.Confirmations)
			require.False(t, c.Enabled)
			chains = append(chains, c.Chain)
		}
		return chains
	}
	require.Empty(t, closed(), "a bank that is closed is no network")
	h.exec(`UPDATE pay_channels SET enabled = false WHERE chain = 'tron' OR kind = 'otc'`)
	require.Equal(t, []string{"tron"}, closed(), "what is no network vanishes")
	require.Equal(t, []string{"bank", "third_party", "standard"}, shown())
	on, err := deposit.SandboxEnabled(t.Context(), h.db)
	require.NoError(t, err)
	require.True(t, on)
	require.NoError(t, deposit.SeedSandbox(t.Context(), h.keeper, []provider.Provider{{ID: "acme", Name: "Acme"}}))
	require.Equal(t, []string{"bank"}, shown(), "the sandbox is gone, and a real provider gets no channels by itself")
	on, err = deposit.SandboxEnabled(t.Context(), h.db)
	require.NoError(t, err)
	require.False(t, on)
	require.NoError(t, deposit.SeedSandbox(t.Context(), h.keeper, []provider.Provider{{ID: "elsewhere", Name: "Elsewhere", Sandbox: true}}))
	require.Equal(t, []string{"bank"}, shown(), "of a provider that is not configured there is nothing to show")
	require.Empty(t, closed(), "nor a network that is closed")
}
