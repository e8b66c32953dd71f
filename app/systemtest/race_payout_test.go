package systemtest

import (
	"context"
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/provider"
	"candor/app/withdrawal"
)

// providerWithdrawal is a withdrawal for a provider, in a given state. No job sends it and no timer asks about it: only the racers do.
func (e *entrant) providerWithdrawal(kind withdrawal.Kind, state withdrawal.State) withdrawal.Withdrawal {
	e.t.Helper()
	w := e.bring(e.funded(dollars(1_000)).newWithdrawal(kind, dollars(100)), state)
	_, err := e.platform.Database.Pool.Exec(context.Background(), `UPDATE withdrawals SET provider = 'sandbox', bank_account_id = NULL, asked_at = now() WHERE id = $1`, w.ID)
	require.NoError(e.t, err)
	return e.moved(e.payouts.Read(context.Background(), w.ID))
}

// sentWithdrawal is a withdrawal that was sent to the provider and advanced there.
func (e *entrant) sentWithdrawal(ends ...string) withdrawal.Withdrawal {
	e.t.Helper()
	w := e.providerWithdrawal(withdrawal.ByAgent, withdrawal.Queued)
	require.NoError(e.t, e.payouts.Send(context.Background(), w.ID))
	for _, end := range ends {
		require.NoError(e.t, e.sandbox.Advance(w.Number(), end))
	}
	return w
}

// sendUnrecorded sends a withdrawal to the provider without recording it.
func (e *entrant) sendUnrecorded(w withdrawal.Withdrawal) {
	e.t.Helper()
	gateway, err := e.providers.Gateway(w.Provider)
	require.NoError(e.t, err)
	_, err = gateway.Send(context.Background(), provider.PayoutOrder{Reference: w.Number(), Kind: string(w.Kind), Amount: money.Trim(w.Net(), money.Scale), Currency: w.Currency})
	require.NoError(e.t, err)
	require.NoError(e.t, e.sandbox.Advance(w.Number(), provider.Sent))
}

// deliverEvent delivers an event about a withdrawal. The event has one fixed name, so it may be a repetition. Errors after which the provider would send it again are
// ignored.
func (e *entrant) deliverEvent(w withdrawal.Withdrawal, name string) error {
	ctx, pool := context.Background(), e.platform.Database.Pool
	_, err := pool.Exec(ctx, `INSERT INTO provider_events (provider, event, kind, reference, body, at) VALUES ('sandbox', $1, 'payout', $2, '{}', now()) ON CONFLICT DO NOTHING`, name, w.Number())
	if err != nil {
		return err
	}
	event := provider.Event{Provider: "sandbox", Message: provider.Message{Event: name, Kind: provider.AboutPayout, Reference: w.Number()}}
	if err := pool.QueryRow(ctx, `SELECT id FROM provider_events WHERE provider = 'sandbox' AND event = $1`, name).Scan(&event.ID); err != nil {
		return err
	}
	if err := e.payouts.HandleEvent(ctx, event); !errors.Is(err, db.ErrChanged) && !errors.Is(err, provider.ErrUnavailable) {
		return err
	}
	return nil
}

// advance moves a withdrawal on at the provider as soon as the provider knows it, and delivers an event for each state.
func (e *entrant) advance(w withdrawal.Withdrawal, key string, ends ...string) error {
	for _, end := range ends {
		err := e.sandbox.Advance(w.Number(), end)
		for late := time.Now().Add(time.Minute); err != nil && time.Now().Before(late); time.Sleep(time.Millisecond) {
			err = e.sandbox.Advance(w.Number(), end)
		}
		if err == nil {
			err = e.deliverEvent(w, key+end)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unreportedOutcome is the outcome of an act whose answer reports no effect.
func unreportedOutcome(err error) outcome {
	if err == nil {
		return outcome{code: "ok"}
	}
	return outcome{raw: err.Error()}
}

// raceUntilFinal runs the sending job, events and queries on one withdrawal until the provider has brought it to its last state.
func (e *entrant) raceUntilFinal(w withdrawal.Withdrawal, ends ...string) act {
	ctx, over := context.Background(), make(chan struct{})
	return func(n int, key string) outcome {
		if n == racers-1 {
			defer close(over)
			return unreportedOutcome(e.advance(w, key, ends...))
		}
		for {
			var err error
			switch n % 3 {
			case 0:
				err = e.payouts.Send(ctx, w.ID)
			case 1:
				err = e.deliverEvent(w, key)
			default:
				err = e.payouts.AskProvider(ctx, w.ID)
			}
			select {
			case <-over:
				return unreportedOutcome(err)
			default:
			}
			if err != nil {
				return unreportedOutcome(err)
			}
		}
	}
}

// payoutContests are races over provider withdrawals between the sending job, events, timed queries and the desk.
func payoutContests() []contest {
	ctx := context.Background()
	gone := []string{"withdrawal.changed", "withdrawal.state", "withdrawal.not_claimed"}
	raceContest := func(name string, kind withdrawal.Kind, moves int, ends ...string) contest {
		return contest{
			name: name, effects: steps, maxEffects: moves, unreported: moves, score: noEffect,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.raceUntilFinal(e.providerWithdrawal(kind, withdrawal.Queued), ends...), nil
			},
		}
	}
	return []contest{
		raceContest("PayoutOfCoins", withdrawal.Crypto, 3, provider.Sent, provider.Confirmed),
		raceContest("PayoutByAnAgent", withdrawal.ByAgent, 3, provider.Sent, provider.Confirmed),
		raceContest("PayoutThatFails", withdrawal.ByAgent, 2, provider.Failed),
		raceContest("PayoutThatComesBack", withdrawal.ByAgent, 4, provider.Sent, provider.Confirmed, provider.Returned),
		{
			name: "PayoutSend", effects: steps, maxEffects: 1, unreported: unreportedEffect, score: noEffect, ownKeys: true,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				id := e.providerWithdrawal(withdrawal.Crypto, withdrawal.Queued).ID
				return func(int, string) outcome { return unreportedOutcome(e.payouts.Send(ctx, id)) }, nil
			},
		},
		{
			name: "PayoutHear", effects: steps, maxEffects: 1, unreported: unreportedEffect, score: noEffect,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				w := e.sentWithdrawal(provider.Sent)
				return func(_ int, key string) outcome { return unreportedOutcome(e.deliverEvent(w, key)) }, nil
			},
		},
		{
			name: "PayoutAsk", effects: steps, maxEffects: 1, unreported: unreportedEffect, score: noEffect, ownKeys: true,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				id := e.sentWithdrawal(provider.Failed).ID
				return func(int, string) outcome { return unreportedOutcome(e.payouts.AskProvider(ctx, id)) }, nil
			},
		},
		{
			name: "PayoutCheckerAddsItsJob", maxEffects: 1, ownKeys: true, losers: gone,
			effects: `SELECT count(*) FROM river_job j JOIN withdrawals w ON j.args->>'ID' = w.id::text WHERE j.kind = 'send_payout' AND w.account_id = $1`,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				w := e.claim(1, e.bring(e.funded(dollars(1_000)).newWithdrawal(withdrawal.ByAgent, dollars(100)), withdrawal.Approved1).ID)
				return func(int, string) outcome {
					return withdrawalOutcome(e.payouts.Approve(ctx, e.payDesk(1), w.ID, w.Version, w.State, w.Facts()))
				}, nil
			},
		},
		{
			name: "PayoutSendOrFreeze", effects: withdrawalRequests + ` AND state IN ('processing', 'frozen')`, maxEffects: 1, unreported: unreportedEffect, score: noEffect, ownKeys: true, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				w := e.providerWithdrawal(withdrawal.ByAgent, withdrawal.Queued)
				return func(n int, _ string) outcome {
					if n%2 == 0 {
						return unreportedOutcome(e.payouts.Send(ctx, w.ID))
					}
					return withdrawalOutcome(freezeStep(e, e.payDesk(1), w))
				}, nil
			},
		},
		{ // two people settle it as unpaid, and the provider does not know it
			name: "PayoutSettleOrAsk", effects: steps, maxEffects: 1, ownKeys: true, losers: append([]string{"asked"}, gone...),
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.settleOrAsk(e.providerWithdrawal(withdrawal.ByAgent, withdrawal.OutcomeUnknown)), nil
			},
		},
		{ // the same, but the provider has sent it
			name: "PayoutSettleUnpaidButSent", effects: steps, maxEffects: 1, unreported: unreportedEffect, ownKeys: true, losers: append([]string{"asked"}, gone...),
			prepare: func(e *entrant) (act, <-chan struct{}) {
				w := e.providerWithdrawal(withdrawal.ByAgent, withdrawal.OutcomeUnknown)
				e.sendUnrecorded(w)
				return e.settleOrAsk(w), nil
			},
		},
	}
}

// settleOrAsk has one person report a withdrawal as unpaid; the second confirms while queries and events bring the provider's answer.
func (e *entrant) settleOrAsk(w withdrawal.Withdrawal) act {
	e.t.Helper()
	w = e.claim(1, e.reportOutcome(w, unpaidStep).ID)
	return func(n int, key string) outcome {
		switch n % 4 {
		case 0:
			return queryOutcome(e.payouts.AskProvider(context.Background(), w.ID))
		case 1:
			return queryOutcome(e.deliverEvent(w, key))
		}
		return withdrawalOutcome(e.payouts.ConfirmFinding(context.Background(), e.payDesk(1), w.ID, w.Version))
	}
}
