package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/provider"
	"candor/app/staff"
)

// Providers gives access to the firms that send money.
type Providers interface {
	Provider(id string) (provider.Provider, bool)
	IDs() []string
	Gateway(id string) (provider.Gateway, error)
	NotifyURL(id string) string
	DoneTx(ctx context.Context, tx *db.Tx, e provider.Event, outcome string) error
}

// Times and limits of payouts through a provider.
const (
	sendingLife         = 2 * time.Minute     // longest time of a send call; after it, the sender has an answer or has died
	answerTimeout       = 10 * time.Minute    // time without an answer after which the outcome is unknown
	queryInterval       = time.Minute         // minimum interval between two queries about a withdrawal
	sentQueryInterval   = 10 * time.Minute    // the same for a sent one
	returnQueryInterval = 24 * time.Hour      // the same for a paid one
	returnLife          = 60 * 24 * time.Hour // time in which a bank may return money
	queryBatch          = 50
)

// sendPayout is the job that sends one withdrawal.
type sendPayout struct {
	ID int64
}

// Kind names the job.
func (sendPayout) Kind() string { return "send_payout" }

// queuedTx returns the columns of a fully approved withdrawal. It adds the job that sends it through a provider in the same transaction.
func (s *Service) queuedTx(ctx context.Context, tx *db.Tx, w Withdrawal, columns map[string]any) (map[string]any, error) {
	columns["state"], columns["queued_at"] = Queued, s.clock.Now()
	id, err := s.routeTx(tx, w.Kind, w.Chain)
	if err != nil || id == "" {
		return columns, err
	}
	columns["provider"] = id
	return columns, s.queue.AddTx(ctx, tx, sendPayout{w.ID})
}

// routeTx is the provider for withdrawals of a kind; empty when staff send them.
func (s *Service) routeTx(tx *db.Tx, kind Kind, chain string) (id string, err error) {
	if s.providers == nil {
		return "", nil
	}
	if err = tx.Rows.Model(&Route{}).Where("kind = ? AND chain = ? AND enabled", kind, chain).Pluck("provider", &id).Error; err != nil {
		return "", fmt.Errorf("look for a route of %s: %w", kind, err)
	}
	if _, known := s.providers.Provider(id); !known {
		return "", nil
	}
	return id, nil
}

// system is the actor of jobs and provider answers.
var system = audit.Actor{Kind: audit.System, Name: "payouts"}

// moveBySystem changes a withdrawal after a provider's answer or a timeout, and writes its audit entry. When the outcome becomes known so, what staff found
// out about it is void.
func (s *Service) moveBySystem(ctx context.Context, tx *db.Tx, id int64, action string, decide func(*Withdrawal) (map[string]any, error)) (w Withdrawal, err error) {
	before := ""
	w, err = s.moveTx(ctx, tx, id, 0, func(w *Withdrawal) (map[string]any, error) {
		before = summary(*w)
		columns, err := decide(w)
		if _, moves := columns["state"]; err != nil || !moves {
			return columns, err
		}
		if w.State == OutcomeUnknown {
			columns["outcome_approval"] = nil
			err = s.lapseFindingTx(ctx, tx, *w)
		}
		return staff.Released(columns), err
	})
	if err != nil {
		return w, err
	}
	entry := audit.By(system, s.clock.Now(), action, "withdrawal", id)
	entry.Before, entry.After = before, summary(w)
	return w, audit.RecordTx(ctx, tx, entry)
}

// errNoChange ends a transaction without a change.
var errNoChange = errors.New("nothing is to be done")

func ignoreNoChange(err error) error {
	if errors.Is(err, errNoChange) {
		return nil
	}
	return err
}

// Send sends a queued withdrawal through its provider, once: it is marked as Processing before the call, and a later run only queries the outcome. After an
// error, such as a withdrawal halt, nothing was sent and the job may retry.
func (s *Service) Send(ctx context.Context, id int64) error {
	var w Withdrawal
	var holder string
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		w, err = s.moveBySystem(ctx, tx, id, "withdrawal.begin", func(w *Withdrawal) (_ map[string]any, err error) {
			if w.State != Queued || w.Provider == "" {
				return nil, errNoChange
			}
			if err := s.mayLeaveTx(ctx, tx, w.TraderID); err != nil {
				return nil, err
			}
			if _, known := s.providers.Provider(w.Provider); !known {
				return map[string]any{"provider": ""}, nil // the provider is no longer configured: staff send it
			}
			if holder, err = s.holder(ctx, tx.Conn, *w); err != nil {
				return nil, err
			}
			return map[string]any{"state": Processing, "asked_at": s.clock.Now()}, s.payouts.CheckTx(ctx, tx, *w.Approval)
		})
		return err
	})
	if err != nil || w.State != Processing {
		return ignoreNoChange(err)
	}
	gateway, err := s.providers.Gateway(w.Provider)
	if err != nil {
		return err
	}
	asked := s.clock.Now()
	answer, err := gateway.Send(ctx, s.order(w, holder))
	if err == nil {
		return s.applyAnswer(ctx, id, answer, asked, nil)
	}
	return s.queryOutcome(ctx, w, gateway, err)
}

// queryOutcome queries the outcome of a failed send call. Failed needs two signed answers: a refusal, and that the payout is unknown.
func (s *Service) queryOutcome(ctx context.Context, w Withdrawal, gateway provider.Gateway, reason error) error {
	asked := s.clock.Now()
	answer, err := gateway.Payout(ctx, w.Number())
	var refused provider.RefusedError
	switch {
	case err == nil:
		return s.applyAnswer(ctx, w.ID, answer, asked, nil)
	case errors.As(reason, &refused) && errors.Is(err, provider.ErrAbsent):
		answer = provider.Payout{Reference: w.Number(), State: provider.Failed, Amount: amountText(w.Net()), Currency: w.Currency}
		return s.applyAnswer(ctx, w.ID, answer, asked, nil)
	}
	slog.WarnContext(ctx, "nobody knows whether a withdrawal was sent", "withdrawal", w.ID, "provider", w.Provider, "sending", reason, "asking", err)
	return s.setOutcomeUnknown(ctx, w.ID)
}

// setOutcomeUnknown sets the outcome of a withdrawal to unknown.
func (s *Service) setOutcomeUnknown(ctx context.Context, id int64) error {
	return ignoreNoChange(s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := s.moveBySystem(ctx, tx, id, "withdrawal.lose", func(w *Withdrawal) (map[string]any, error) {
			if w.State != Processing {
				return nil, errNoChange
			}
			return map[string]any{"state": OutcomeUnknown}, nil
		})
		return err
	}))
}

func amountText(value int64) string { return money.Trim(value, money.Scale) }

// order builds the payout order for a holder.
func (s *Service) order(w Withdrawal, holder string) provider.PayoutOrder {
	return provider.PayoutOrder{
		Reference: w.Number(), Kind: string(w.Kind), Amount: amountText(w.Net()), Currency: w.Currency, Holder: holder, Bank: w.Bank, IBAN: w.IBAN, BIC: w.BIC,
		Chain: w.Chain, Address: w.Address, Memo: w.Memo, NotifyURL: s.providers.NotifyURL(w.Provider),
	}
}

// HandleEvent handles an event: it queries the provider about the withdrawal. An event about an unknown withdrawal, or one of another provider, is discarded.
func (s *Service) HandleEvent(ctx context.Context, e provider.Event) error {
	id, err := strconv.ParseInt(strings.TrimPrefix(e.Reference, "WD-"), 10, 64)
	w, readErr := s.Read(ctx, id)
	if err != nil || errors.Is(readErr, ErrUnknown) || readErr == nil && (w.Provider != e.Provider || w.Number() != e.Reference) {
		slog.WarnContext(ctx, "an event is about no withdrawal of its provider", "provider", e.Provider, "reference", e.Reference)
		return s.db.InTx(ctx, func(tx *db.Tx) error { return s.providers.DoneTx(ctx, tx, e, "unknown") })
	}
	if readErr != nil {
		return readErr
	}
	return s.ask(ctx, w, &e)
}

// AskProvider queries a withdrawal's provider, for staff and for jobs. Refusals: ErrUnknown, ErrState without a provider, provider.ErrUnavailable without an answer.
func (s *Service) AskProvider(ctx context.Context, id int64) error {
	w, err := s.Read(ctx, id)
	if err != nil {
		return err
	}
	if w.Provider == "" {
		return ErrState
	}
	return s.ask(ctx, w, nil)
}

func (s *Service) ask(ctx context.Context, w Withdrawal, e *provider.Event) error {
	gateway, err := s.providers.Gateway(w.Provider)
	if err != nil {
		return err
	}
	asked := s.clock.Now()
	answer, err := gateway.Payout(ctx, w.Number())
	now := s.clock.Now()
	old := w.State == Processing && now.Sub(w.MovedAt) >= sendingLife
	switch {
	case err == nil:
		return s.applyAnswer(ctx, w.ID, answer, asked, e)
	case errors.Is(err, provider.ErrAbsent) && old, w.State == Processing && now.Sub(w.MovedAt) >= answerTimeout:
		if err := s.setOutcomeUnknown(ctx, w.ID); err != nil {
			return err
		}
	}
	if noted := s.recordQuery(ctx, w.ID, now); noted != nil {
		return noted
	}
	if errors.Is(err, provider.ErrAbsent) && e == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", provider.ErrUnavailable, err)
}

// applyAnswer applies a provider's signed answer, and the time of the query, to a withdrawal.
func (s *Service) applyAnswer(ctx context.Context, id int64, answer provider.Payout, asked time.Time, e *provider.Event) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		err := ignoreNoChange(s.applyAnswerTx(ctx, tx, id, answer, asked))
		if err != nil || e == nil {
			return err
		}
		return s.providers.DoneTx(ctx, tx, *e, answer.State)
	})
}

func (s *Service) applyAnswerTx(ctx context.Context, tx *db.Tx, id int64, answer provider.Payout, asked time.Time) error {
	if err := s.storeAnswerTx(ctx, tx, id, answer, asked); err != nil {
		return err
	}
	for { // step by step: a returned payment was sent before
		_, err := s.moveBySystem(ctx, tx, id, "withdrawal.hear", func(w *Withdrawal) (map[string]any, error) {
			columns, err := s.judgeTx(ctx, tx, *w, answer)
			if err == nil && columns == nil {
				err = errNoChange
			}
			return columns, err
		})
		if err != nil {
			return ignoreNoChange(err)
		}
	}
}

// stages are the states of payouts, in order.
var stages = []string{provider.Accepted, provider.Sent, provider.Confirmed, provider.Failed, provider.Returned}

// storeAnswerTx stores a provider's answer; it moves no state. An answer that a further one has overtaken is discarded.
func (s *Service) storeAnswerTx(ctx context.Context, tx *db.Tx, id int64, answer provider.Payout, asked time.Time) error {
	var accountID int64
	var further bool
	err := tx.Conn.QueryRow(ctx, `
		UPDATE withdrawals w SET asked_at = greatest(asked_at, $5), provider_state = CASE WHEN overtaken THEN provider_state ELSE $2 END,
			confirmations = CASE WHEN overtaken THEN w.confirmations ELSE $3 END, required = CASE WHEN overtaken THEN required ELSE $4 END
		FROM (SELECT id, confirmations, coalesce(asked_at > $6 AND array_position($7::text[], provider_state) > array_position($7, $2), false) AS overtaken
			FROM withdrawals WHERE id = $1 FOR UPDATE) before WHERE w.id = before.id
		RETURNING w.account_id, before.confirmations <> w.confirmations`, id, answer.State, answer.Confirmations, answer.Required, s.clock.Now(), asked, stages).Scan(&accountID, &further)
	if err != nil {
		return fmt.Errorf("note what was said of withdrawal %d: %w", id, err)
	}
	if further {
		tx.AfterCommit(func() { s.changed(accountID) })
	}
	return nil
}

// judgeTx returns the changes of a withdrawal after its provider's answer; nil for none. An answer that does not match moves no money: the outcome is then
// unknown.
func (s *Service) judgeTx(ctx context.Context, tx *db.Tx, w Withdrawal, answer provider.Payout) (map[string]any, error) {
	open := w.State == Processing || w.State == OutcomeUnknown
	gone := w.State == Sent || w.State == Completed
	out := answer.State == provider.Sent || answer.State == provider.Confirmed || answer.State == provider.Returned && w.Kind != Crypto
	switch {
	case !open && !gone:
		return nil, nil
	case !w.matchesOrder(answer):
		slog.ErrorContext(ctx, "a provider says something else of a withdrawal than was asked for", "withdrawal", w.ID, "provider", w.Provider, "said", answer)
		return w.outcomeUnknown(), nil
	case open && out:
		if payment, err := w.ReadPayment(answer.Payment); err == nil {
			return s.sendTx(ctx, tx, w, payment)
		}
		slog.ErrorContext(ctx, "a provider's proof of a payment is none", "withdrawal", w.ID, "provider", w.Provider, "payment", answer.Payment)
		return w.outcomeUnknown(), nil
	case open && answer.State == provider.Failed:
		columns, err := s.refundTx(ctx, tx, w, Failed)
		if err == nil {
			columns["reason"] = "not_paid"
		}
		return columns, err
	case w.State == OutcomeUnknown && answer.State == provider.Accepted:
		return map[string]any{"state": Processing}, nil
	case w.State == Sent && answer.State == provider.Confirmed:
		return map[string]any{"state": Completed, "ended_at": s.clock.Now()}, nil
	case gone && answer.State == provider.Returned && w.Kind != Crypto:
		columns, err := s.recordReturnTx(ctx, tx, w)
		if err == nil {
			columns["reason"] = "account_closed"
		}
		return columns, err
	case answer.State == provider.Failed, answer.State == provider.Returned:
		slog.ErrorContext(ctx, "a provider takes back what it said of a withdrawal", "withdrawal", w.ID, "provider", w.Provider, "said", answer)
	}
	return nil, nil
}

// outcomeUnknown returns the changes after an answer that proves nothing.
func (w Withdrawal) outcomeUnknown() map[string]any {
	if w.State == Processing {
		return map[string]any{"state": OutcomeUnknown}
	}
	return nil
}

// matchesOrder reports whether an answer matches the order.
func (w Withdrawal) matchesOrder(answer provider.Payout) bool {
	amount, err := money.Parse(answer.Amount, money.Scale)
	return err == nil && amount == w.Net() && answer.Currency == w.Currency && answer.Reference == w.Number()
}

// AskAll queries the unended withdrawals of providers, and at longer intervals whether a bank has returned a paid one; the least recently queried come first.
// It returns their number.
func (s *Service) AskAll(ctx context.Context) (n int, err error) {
	if s.providers == nil {
		return 0, nil
	}
	now := s.clock.Now()
	var due []struct {
		ID    int64
		State State
	}
	err = s.db.Rows(ctx).Raw(`
		(SELECT id, state FROM withdrawals
		 WHERE provider <> '' AND ended_at IS NULL AND state IN ('queued', 'processing', 'outcome_unknown', 'sent')
		   AND (asked_at IS NULL OR asked_at < CASE state WHEN 'sent' THEN ?::timestamptz ELSE ? END)
		 ORDER BY asked_at NULLS FIRST, id LIMIT ?)
		UNION ALL
		(SELECT id, state FROM withdrawals
		 WHERE provider <> '' AND state = 'completed' AND kind <> 'standard' AND ended_at > ? AND (asked_at IS NULL OR asked_at < ?)
		 ORDER BY asked_at NULLS FIRST, id LIMIT ?)`,
		now.Add(-sentQueryInterval), now.Add(-queryInterval), queryBatch, now.Add(-returnLife), now.Add(-returnQueryInterval), queryBatch).Scan(&due).Error
	if err != nil {
		return 0, fmt.Errorf("look for withdrawals to ask about: %w", err)
	}
	for _, d := range due {
		if d.State == Queued {
			err = errors.Join(err, s.sendLate(ctx, d.ID))
		} else if failed := s.AskProvider(ctx, d.ID); !errors.Is(failed, provider.ErrUnavailable) {
			err = errors.Join(err, failed)
		}
	}
	return len(due), err
}

// sendLate sends a withdrawal that its job has not sent. After an error it moves behind the others.
func (s *Service) sendLate(ctx context.Context, id int64) error {
	err := s.Send(ctx, id)
	if err == nil {
		return nil
	}
	return errors.Join(err, s.recordQuery(ctx, id, s.clock.Now()))
}

// recordQuery records the time of a query, so that others come first.
func (s *Service) recordQuery(ctx context.Context, id int64, now time.Time) error {
	if err := s.db.Rows(ctx).Model(&Withdrawal{}).Where("id = ?", id).Update("asked_at", gorm.Expr("greatest(asked_at, ?)", now)).Error; err != nil {
		return fmt.Errorf("record a query about withdrawal %d: %w", id, err)
	}
	return nil
}
