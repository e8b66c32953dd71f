package withdrawal_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/jobs"
	"candor/app/provider"
	"candor/app/provider/sandbox"
	"candor/app/withdrawal"
)

// payoutFixture is a fixture whose crypto and agent payouts go through a sandbox.
type payoutFixture struct {
	*bundle
	sandbox  *sandbox.Sandbox
	provider *provider.Service
}

func (b *bundle) withProvider() *payoutFixture {
	b.Helper()
	secret := strings.Repeat("s3cret", 6)
	s := &payoutFixture{bundle: b, sandbox: sandbox.New(secret, b.clock, 0)}
	server := httptest.NewServer(s.sandbox.Handler())
	b.Cleanup(server.Close)
	queue, err := jobs.New(b.db.Pool)
	require.NoError(b, err)
	s.provider = provider.New(b.db, b.clock, queue, "http://127.0.0.1:1", []provider.Provider{{ID: "sandbox", Name: "Sandbox", URL: server.URL, Secret: secret, Sandbox: true}})
	s.useProviders(s.provider)
	require.NoError(b, withdrawal.SeedSandbox(b.Context(), b.db, []provider.Provider{{ID: "sandbox", Sandbox: true}}))
	return s
}

// cryptoWithdrawal makes a trader with an address, and a fully approved withdrawal to it.
func (s *payoutFixture) cryptoWithdrawal(amount int64) (owner, withdrawal.Withdrawal) {
	s.Helper()
	o := s.owner(2, 1_000*usdt)
	o.payee, o.onChain = s.address(o.TraderID, "USDT", "tron", fmt.Sprint("T", s.next())), true
	return o, s.approvedByAll(o, amount)
}

func (s *payoutFixture) approvedByAll(o owner, amount int64) withdrawal.Withdrawal {
	s.Helper()
	w := s.requested(o, amount)
	for _, who := range []audit.Actor{s.maker, s.checker} {
		var err error
		w, err = s.approve(who, w.ID)
		require.NoError(s, err)
	}
	require.Equal(s, withdrawal.Queued, w.State)
	return w
}

func (s *payoutFixture) setMode(mode sandbox.Mode) {
	s.Helper()
	require.NoError(s, s.sandbox.SetMode(mode))
}

// requireState requires a state, and that the ledger agrees on the money under way.
func (s *payoutFixture) requireState(w withdrawal.Withdrawal, want withdrawal.State) withdrawal.Withdrawal {
	s.Helper()
	now := s.read(w.ID)
	require.Equal(s, want, now.State)
	underWay, _, err := s.withdrawals.UnderWay(s.Context())
	require.NoError(s, err)
	require.Equal(s, underWay, s.house("payouts"))
	return now
}

func TestSendThroughAProvider(t *testing.T) {
	t.Parallel()

	t.Run("CoinsAreSentAndConfirmed", func(t *testing.T) {
		t.Parallel()
		s := setup(t).withProvider()
		_, w := s.cryptoWithdrawal(100 * usdt)
		require.Equal(t, "sandbox", w.Provider)
		require.EqualValues(t, 1, s.count(`SELECT count(*) FROM river_job WHERE kind = 'send_payout'`), "the job came with the approval")
		s.until = s.clock.Now().Add(time.Hour)
		require.ErrorIs(t, s.withdrawals.Send(t.Context(), w.ID), withdrawal.ErrLocked, "its trader changed something meanwhile")
		s.requireState(w, withdrawal.Queued)
		s.until = time.Time{}
		require.NoError(t, s.withdrawals.Send(t.Context(), w.ID))
		s.requireState(w, withdrawal.Processing)
		require.NoError(t, s.sandbox.Advance(w.Number(), provider.Sent))
		require.NoError(t, s.withdrawals.AskProvider(t.Context(), w.ID))
		sent := s.requireState(w, withdrawal.Sent)
		require.NotNil(t, sent.Payment)
		require.NotNil(t, sent.SentID)
		require.NoError(t, s.sandbox.Advance(w.Number(), provider.Confirmed))
		require.NoError(t, s.withdrawals.AskProvider(t.Context(), w.ID))
		done := s.requireState(w, withdrawal.Completed)
		require.Equal(t, []int{sandbox.Required, sandbox.Required}, []int{done.Confirmations, done.Required})
		s.requireProved()
	})
	t.Run("AnAgentPaysABankAccount", func(t *testing.T) {
		t.Parallel()
		s := setup(t).withProvider()
		s.set("daifu.fee", "2")
		o := s.owner(2, 1_000*usdt)
		w, err := valueOf(s.withdrawals.Request(t.Context(), o.Owner, withdrawal.ByAgent, o.payee, 100*usdt, proof, s.keyed(o)))
		require.NoError(t, err)
		require.EqualValues(t, 2*usdt, w.Fee)
		for _, who := range []audit.Actor{s.maker, s.checker} {
			_, err = s.approve(who, w.ID)
			require.NoError(t, err)
		}
		require.NoError(t, s.withdrawals.Send(t.Context(), w.ID))
		require.NoError(t, s.sandbox.Advance(w.Number(), provider.Sent))
		require.NoError(t, s.sandbox.Advance(w.Number(), provider.Confirmed))
		require.NoError(t, s.withdrawals.AskProvider(t.Context(), w.ID))
		s.requireState(w, withdrawal.Completed)
		require.NoError(t, s.sandbox.Advance(w.Number(), provider.Returned))
		require.NoError(t, s.withdrawals.AskProvider(t.Context(), w.ID))
		s.requireState(w, withdrawal.Returned) // a bank may return money long after its arrival
		require.EqualValues(t, 1_000*usdt, s.cash(o.AccountID), "with its fee")
		s.requireProved()
	})
	t.Run("WithoutARouteNoAgentPays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(2, 1_000*usdt)
		_, err := valueOf(b.withdrawals.Request(t.Context(), o.Owner, withdrawal.ByAgent, o.payee, 100*usdt, proof, b.keyed(o)))
		require.ErrorIs(t, err, withdrawal.ErrKind)
		s := b.withProvider()
		require.NoError(t, withdrawal.SeedSandbox(t.Context(), s.db, nil))
		_, err = valueOf(b.withdrawals.Request(t.Context(), o.Owner, withdrawal.ByAgent, o.payee, 100*usdt, proof, b.keyed(o)))
		require.ErrorIs(t, err, withdrawal.ErrKind)
	})
	t.Run("WithoutARouteStaffSendIt", func(t *testing.T) {
		t.Parallel()
		s := setup(t).withProvider()
		w := s.approvedByAll(s.owner(2, 1_000*usdt), 100*usdt)
		require.Empty(t, w.Provider)
		require.NoError(t, s.withdrawals.Send(t.Context(), w.ID), "nothing is to be done")
		s.requireState(w, withdrawal.Queued)
		_, err := s.by(s.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.withdrawals.Begin(t.Context(), s.maker, w.ID, w.Version, payer)
		})
		require.NoError(t, err)
	})
	t.Run("StaffDoNotSendWhatAProviderSends", func(t *testing.T) {
		t.Parallel()
		s := setup(t).withProvider()
		_, w := s.cryptoWithdrawal(100 * usdt)
		begin := func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.withdrawals.Begin(t.Context(), s.maker, w.ID, w.Version, payer)
		}
		_, err := s.by(s.maker, w.ID, begin)
		require.ErrorIs(t, err, withdrawal.ErrProvider)
		require.NoError(t, s.withdrawals.Send(t.Context(), w.ID))
		_, err = s.by(s.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
			return s.withdrawals.Finish(t.Context(), s.maker, w.ID, w.Version, strings.Repeat("a", 64), true)
		})
		require.ErrorIs(t, err, withdrawal.ErrProvider)
		s.requireState(w, withdrawal.Processing)
	})
	t.Run("WhileMoneyOutIsStoppedNothingIsSent", func(t *testing.T) {
		t.Parallel()
		s := setup(t).withProvider()
		_, w := s.cryptoWithdrawal(100 * usdt)
		s.halted = errHalted
		require.ErrorIs(t, s.withdrawals.Send(t.Context(), w.ID), errHalted)
		s.requireState(w, withdrawal.Queued)
		s.halted = nil
		_, err := s.withdrawals.AskAll(t.Context())
		require.NoError(t, err)
		s.requireState(w, withdrawal.Processing)
	})
	t.Run("WhatMayNotLeaveHoldsUpNothingElse", func(t *testing.T) {
		t.Parallel()
		s := setup(t).withProvider()
		_, sent := s.cryptoWithdrawal(100 * usdt)
		for range 50 {
			s.cryptoWithdrawal(100 * usdt)
		}
		require.NoError(t, s.withdrawals.Send(t.Context(), sent.ID))
		require.NoError(t, s.sandbox.Advance(sent.Number(), provider.Sent))
		s.halted = errHalted
		s.clock.Advance(2 * time.Minute)
		_, err := s.withdrawals.AskAll(t.Context())
		require.ErrorIs(t, err, errHalted)
		s.requireState(sent, withdrawal.Processing)
		_, err = s.withdrawals.AskAll(t.Context())
		require.NoError(t, err, "those that were tried just now wait")
		s.requireState(sent, withdrawal.Sent)
	})
	for name, when := range map[string]struct {
		after time.Duration
		asked int
		then  withdrawal.State
	}{
		"WhatABankSendsBackAfterItsEndIsFoundByAsking": {25 * time.Hour, 1, withdrawal.Returned},
		"WhatIsPaidIsAskedAboutOnceADay":               {23 * time.Hour, 0, withdrawal.Completed},
		"WhatWasPaidLongAgoIsNotAskedAbout":            {61 * 24 * time.Hour, 0, withdrawal.Completed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t).withProvider()
			o := s.owner(2, 1_000*usdt)
			w, err := valueOf(s.withdrawals.Request(t.Context(), o.Owner, withdrawal.ByAgent, o.payee, 100*usdt, proof, s.keyed(o)))
			require.NoError(t, err)
			for _, who := range []audit.Actor{s.maker, s.checker} {
				_, err = s.approve(who, w.ID)
				require.NoError(t, err)
			}
			require.NoError(t, s.withdrawals.Send(t.Context(), w.ID))
			for _, state := range []string{provider.Sent, provider.Confirmed} {
				require.NoError(t, s.sandbox.Advance(w.Number(), state))
			}
			require.NoError(t, s.withdrawals.AskProvider(t.Context(), w.ID))
			s.requireState(w, withdrawal.Completed)
			require.NoError(t, s.sandbox.Advance(w.Number(), provider.Returned)) // the event is lost
			s.clock.Advance(when.after)
			n, err := s.withdrawals.AskAll(t.Context())
			require.NoError(t, err)
			require.Equal(t, when.asked, n)
			s.requireState(w, when.then)
			s.requireProved()
		})
	}
	t.Run("WhatAProviderRefusesComesBack", func(t *testing.T) {
		t.Parallel()
		s := setup(t).withProvider()
		o := s.owner(2, 1_000*usdt)
		o.payee = s.payeeOf(o.TraderID, "REFUSED", start.Add(-25*time.Hour))
		w, err := valueOf(s.withdrawals.Request(t.Context(), o.Owner, withdrawal.ByAgent, o.payee, 100*usdt, proof, s.keyed(o)))
		require.NoError(t, err)
		for _, who := range []audit.Actor{s.maker, s.checker} {
			_, err = s.approve(who, w.ID)
			require.NoError(t, err)
		}
		require.NoError(t, s.withdrawals.Send(t.Context(), w.ID))
		now := s.requireState(w, withdrawal.Failed)
		require.Equal(t, "not_paid", *now.Reason)
		require.EqualValues(t, 1_000*usdt, s.cash(o.AccountID))
	})
}

// TestPayoutFaults checks each fault of a provider: money that may have been sent is never refunded, and none is sent twice.
func TestPayoutFaults(t *testing.T) {
	t.Parallel()
	for mode, want := range map[sandbox.Mode]withdrawal.State{
		sandbox.Healthy: withdrawal.Processing, sandbox.LateAnswer: withdrawal.Processing, sandbox.ServerError: withdrawal.Processing, sandbox.LostEvents: withdrawal.Processing,
		sandbox.ManyEvents: withdrawal.Processing, sandbox.OtherAmounts: withdrawal.Processing,
		sandbox.LostRequest: withdrawal.OutcomeUnknown, sandbox.Mute: withdrawal.OutcomeUnknown,
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			s := setup(t).withProvider()
			o, w := s.cryptoWithdrawal(100 * usdt)
			s.setMode(mode)
			require.NoError(t, s.withdrawals.Send(t.Context(), w.ID))
			s.requireState(w, want)
			require.EqualValues(t, 900*usdt, s.cash(o.AccountID))
			require.NoError(t, s.withdrawals.Send(t.Context(), w.ID), "the job comes again")
			s.requireState(w, want)
			s.setMode(sandbox.Healthy)
			s.clock.Advance(time.Hour)
			_, err := s.withdrawals.AskAll(t.Context())
			require.NoError(t, err)
			if mode == sandbox.LostRequest {
				s.requireState(w, withdrawal.OutcomeUnknown) // its absence alone does not resolve the outcome: two people do
				return
			}
			s.requireState(w, withdrawal.Processing)
			require.NoError(t, s.sandbox.Advance(w.Number(), provider.Sent))
			require.NoError(t, s.sandbox.Advance(w.Number(), provider.Confirmed))
			s.clock.Advance(time.Hour)
			_, err = s.withdrawals.AskAll(t.Context())
			require.NoError(t, err)
			s.requireState(w, withdrawal.Completed)
			require.EqualValues(t, 900*usdt, s.cash(o.AccountID))
			s.requireProved()
		})
	}
}

// TestKilledWhileSending leaves a withdrawal like a server that dies between the mark and the provider's answer.
func TestKilledWhileSending(t *testing.T) {
	t.Parallel()
	for _, reached := range []bool{false, true} {
		t.Run(fmt.Sprint("TheProviderHasIt", reached), func(t *testing.T) {
			t.Parallel()
			s := setup(t).withProvider()
			o, w := s.cryptoWithdrawal(100 * usdt)
			dying, die := context.WithCancel(t.Context())
			s.dieWhileSending(dying, die, w.ID)
			if reached {
				gateway, err := s.provider.Gateway("sandbox")
				require.NoError(t, err)
				_, err = gateway.Send(t.Context(), provider.PayoutOrder{
					Reference: w.Number(), Kind: "standard", Amount: "100", Currency: "USDT", Chain: w.Chain, Address: w.Address, NotifyURL: s.provider.NotifyURL("sandbox"),
				})
				require.NoError(t, err)
			}
			s.requireState(w, withdrawal.Processing)
			require.NoError(t, s.withdrawals.Send(t.Context(), w.ID), "another server takes the job")
			s.requireState(w, withdrawal.Processing)
			_, err := s.withdrawals.AskAll(t.Context())
			require.NoError(t, err)
			s.requireState(w, withdrawal.Processing)
			require.NoError(t, s.withdrawals.AskProvider(t.Context(), w.ID), "whoever began may still be at it")
			s.requireState(w, withdrawal.Processing)
			s.clock.Advance(3 * time.Minute)
			_, err = s.withdrawals.AskAll(t.Context())
			require.NoError(t, err)
			if reached {
				s.requireState(w, withdrawal.Processing)
			} else {
				s.requireState(w, withdrawal.OutcomeUnknown)
			}
			require.EqualValues(t, 900*usdt, s.cash(o.AccountID))
		})
	}
}

// dieWhileSending marks a withdrawal as being sent, without the call.
func (s *payoutFixture) dieWhileSending(dying context.Context, die func(), id int64) {
	s.Helper()
	s.setMode(sandbox.Mute)
	s.useProviders(dyingProviders{s.provider, die})
	require.Error(s, s.withdrawals.Send(dying, id))
	s.useProviders(s.provider)
	s.setMode(sandbox.Healthy)
}

// useProviders replaces the providers.
func (s *payoutFixture) useProviders(p withdrawal.Providers) {
	s.Helper()
	s.config.Providers, s.config.Queue, s.config.Approvals = p, s.queue(), s.approvals()
	s.withdrawals = withdrawal.New(s.config)
}

func (s *payoutFixture) queue() *jobs.Queue {
	s.Helper()
	queue, err := jobs.New(s.db.Pool)
	require.NoError(s, err)
	return queue
}

// dyingProviders kill the process when a gateway is used.
type dyingProviders struct {
	*provider.Service
	die func()
}

func (d dyingProviders) Gateway(id string) (provider.Gateway, error) {
	g, err := d.Service.Gateway(id)
	return dyingGateway{g, d.die}, err
}

type dyingGateway struct {
	provider.Gateway
	die func()
}

func (d dyingGateway) Send(ctx context.Context, _ provider.PayoutOrder) (provider.Payout, error) {
	d.die()
	return provider.Payout{}, errors.Join(provider.ErrUnclear, ctx.Err())
}

func TestTwoWorkersSendOnce(t *testing.T) {
	t.Parallel()
	s := setup(t).withProvider()
	_, w := s.cryptoWithdrawal(100 * usdt)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { require.NoError(t, s.withdrawals.Send(t.Context(), w.ID)) })
	}
	group.Wait()
	s.requireState(w, withdrawal.Processing)
	require.EqualValues(t, 1, s.count(`SELECT count(*) FROM audit_entries WHERE action = 'withdrawal.begin'`))
}

func TestHear(t *testing.T) {
	t.Parallel()
	s := setup(t).withProvider()
	o, w := s.cryptoWithdrawal(100 * usdt)
	require.NoError(t, s.withdrawals.Send(t.Context(), w.ID))
	event := func(from, reference string) provider.Event {
		s.Helper()
		id := s.count(`INSERT INTO provider_events (provider, event, kind, reference, body, at) VALUES ($1, $2, 'payout', $3, '{}', now()) RETURNING id`, from, fmt.Sprint("EV-", s.next()), reference)
		return provider.Event{ID: id, Provider: from, Message: provider.Message{Kind: provider.AboutPayout, Reference: reference}}
	}
	for name, e := range map[string]provider.Event{
		"AnotherProvider": event("other", w.Number()), "NoNumber": event("sandbox", "WD-x"), "Unknown": event("sandbox", "WD-1"), "AnotherSpelling": event("sandbox", fmt.Sprint("WD-0", w.ID)),
	} {
		require.NoError(t, s.withdrawals.HandleEvent(t.Context(), e), name)
	}
	require.EqualValues(t, 4, s.count(`SELECT count(*) FROM provider_events WHERE outcome = 'unknown'`))
	s.requireState(w, withdrawal.Processing)

	require.NoError(t, s.sandbox.Advance(w.Number(), provider.Sent))
	e := event("sandbox", w.Number())
	s.setMode(sandbox.Mute)
	require.ErrorIs(t, s.withdrawals.HandleEvent(t.Context(), e), provider.ErrUnavailable, "it will come again")
	s.setMode(sandbox.Healthy)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := s.withdrawals.HandleEvent(t.Context(), e); err != nil && !errors.Is(err, db.ErrChanged) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	s.requireState(w, withdrawal.Sent)
	require.EqualValues(t, 900*usdt, s.cash(o.AccountID))
	require.EqualValues(t, 1, s.count(`SELECT count(*) FROM ledger_transactions WHERE kind = 'withdrawal_sent'`))
	require.NoError(t, s.sandbox.Advance(w.Number(), provider.Returned))
	require.NoError(t, s.withdrawals.AskProvider(t.Context(), w.ID))
	s.requireState(w, withdrawal.Sent) // a crypto withdrawal can't be returned, whatever the provider reports
	s.requireProved()
}

// TestWhatDoesNotFitMovesNothing answers with another payment.
func TestWhatDoesNotFitMovesNothing(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]provider.Payout{
		"Amount":    {State: provider.Failed, Amount: "1", Currency: "USDT"},
		"Currency":  {State: provider.Failed, Amount: "100", Currency: "EUR"},
		"Reference": {Reference: "WD-1", State: provider.Failed, Amount: "100", Currency: "USDT"},
		"NoProof":   {State: provider.Sent, Amount: "100", Currency: "USDT", Payment: "paid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t).withProvider()
			o, w := s.cryptoWithdrawal(100 * usdt)
			if answer.Reference == "" {
				answer.Reference = w.Number()
			}
			s.useProviders(lyingProviders{s.provider, answer})
			require.NoError(t, s.withdrawals.Send(t.Context(), w.ID))
			s.requireState(w, withdrawal.OutcomeUnknown)
			require.EqualValues(t, 900*usdt, s.cash(o.AccountID))
		})
	}
}

// TestAnAnswerThatWasOvertaken delivers an answer after a later one: it does not replace the later state. The answer to a later query does.
func TestAnAnswerThatWasOvertaken(t *testing.T) {
	t.Parallel()
	s := setup(t).withProvider()
	_, w := s.cryptoWithdrawal(100 * usdt)
	require.NoError(t, s.withdrawals.Send(t.Context(), w.ID))
	came := false
	meanwhile := func() {
		if came {
			return // this call queries too
		}
		came = true
		s.clock.Advance(time.Second)
		require.NoError(t, s.sandbox.Advance(w.Number(), provider.Failed))
		require.NoError(t, s.withdrawals.AskProvider(t.Context(), w.ID))
		require.Equal(t, provider.Failed, s.requireState(w, withdrawal.Failed).ProviderState)
	}
	s.useProviders(slowProviders{s.provider, meanwhile})
	require.NoError(t, s.withdrawals.AskProvider(t.Context(), w.ID))
	require.Equal(t, provider.Failed, s.requireState(w, withdrawal.Failed).ProviderState)

	s.useProviders(lyingProviders{s.provider, provider.Payout{Reference: w.Number(), State: provider.Accepted, Amount: "100", Currency: "USDT"}})
	require.NoError(t, s.withdrawals.AskProvider(t.Context(), w.ID))
	require.Equal(t, provider.Accepted, s.requireState(w, withdrawal.Failed).ProviderState)
}

// slowProviders run a function between an answer and its arrival.
type slowProviders struct {
	*provider.Service
	meanwhile func()
}

func (p slowProviders) Gateway(id string) (provider.Gateway, error) {
	g, err := p.Service.Gateway(id)
	return slowGateway{g, p.meanwhile}, err
}

type slowGateway struct {
	provider.Gateway
	meanwhile func()
}

func (g slowGateway) Payout(ctx context.Context, reference string) (provider.Payout, error) {
	answer, err := g.Gateway.Payout(ctx, reference)
	g.meanwhile()
	return answer, err
}

type lyingProviders struct {
	*provider.Service
	answer provider.Payout
}

func (l lyingProviders) Gateway(string) (provider.Gateway, error) {
	return lyingGateway{answer: l.answer}, nil
}

type lyingGateway struct {
	provider.Gateway
	answer provider.Payout
}

func (l lyingGateway) Send(context.Context, provider.PayoutOrder) (provider.Payout, error) {
	return l.answer, nil
}

func (l lyingGateway) Payout(context.Context, string) (provider.Payout, error) { return l.answer, nil }

// TestTwoPeopleAndTheProvider lets two people record an unpaid outcome while the provider knows better, gives no answer, or agrees.
func TestTwoPeopleAndTheProvider(t *testing.T) {
	t.Parallel()
	for mode, want := range map[sandbox.Mode]withdrawal.State{sandbox.Mute: withdrawal.Processing, sandbox.LostRequest: withdrawal.Failed} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			s := setup(t).withProvider()
			_, w := s.cryptoWithdrawal(100 * usdt)
			s.setMode(mode)
			require.NoError(t, s.withdrawals.Send(t.Context(), w.ID))
			s.requireState(w, withdrawal.OutcomeUnknown)
			_, err := s.by(s.maker, w.ID, func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
				return s.withdrawals.RecordFinding(t.Context(), s.maker, w.ID, w.Version, false, "", "asked by telephone")
			})
			require.NoError(t, err)
			settle := func(w withdrawal.Withdrawal) (withdrawal.Withdrawal, error) {
				return s.withdrawals.ConfirmFinding(t.Context(), s.checker, w.ID, w.Version)
			}
			if mode == sandbox.Mute {
				_, err = s.by(s.checker, w.ID, settle)
				require.ErrorIs(t, err, provider.ErrUnavailable, "while it says nothing, nobody knows")
				s.requireState(w, withdrawal.OutcomeUnknown)
				s.setMode(sandbox.Healthy)
				_, err = s.by(s.checker, w.ID, settle)
				require.ErrorIs(t, err, withdrawal.ErrChanged, "it knows the withdrawal")
			} else {
				_, err = s.by(s.checker, w.ID, settle)
				require.NoError(t, err)
			}
			s.requireState(w, want)
			s.requireProved()
		})
	}
}
