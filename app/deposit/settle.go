package deposit

import (
	"context"
	"fmt"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/provider"
)

// auditActions are the audit actions of provider answers, by new state.
var auditActions = map[State]string{
	Redirected: "deposit.redirect", AwaitingPayment: "deposit.await", Credited: "deposit.credit", InReview: "deposit.differ", Failed: "deposit.fail",
	Expired: "deposit.expire", Cancelled: "deposit.cancel", ProviderUnknown: "deposit.unclear",
}

// settle acts on an answer: state, money, audit entry and the end of the event share one transaction. Provider answers change deposits only here. By is the
// trader who cancels the deposit, empty otherwise.
func (s *Service) settle(ctx context.Context, id int64, a answer, by audit.Actor, done func(*db.Tx, Deposit) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		d, err := lockTx(tx, "id = ?", id)
		if err != nil {
			return err
		}
		now := s.clock.Now()
		if err := storeAnswerTx(tx, d, a, now); err != nil {
			return err
		}
		if err := s.applyVerdictTx(ctx, tx, &d, d.judge(a, now), a, by, now); err != nil {
			return err
		}
		if done == nil {
			return nil
		}
		return done(tx, d)
	})
}

// storeAnswerTx stores the answer and its time. The version stays the same, because no decision depends on them.
func storeAnswerTx(tx *db.Tx, d Deposit, a answer, now time.Time) error {
	state, amount, currency := a.State, a.Paid, a.PaidIn()
	switch {
	case a.unclear:
		state, amount, currency = d.SaidState, d.SaidAmount, d.SaidCurrency
	case a.refused:
		state = "refused"
	case a.absent:
		state = "absent"
	}
	columns := map[string]any{"asked_at": now, "said_state": state, "said_amount": amount, "said_currency": currency}
	if err := tx.Rows.Model(&Deposit{}).Where("id = ?", d.ID).Updates(columns).Error; err != nil {
		return fmt.Errorf("record the provider's answer about deposit %d: %w", d.ID, err)
	}
	return nil
}

func (s *Service) applyVerdictTx(ctx context.Context, tx *db.Tx, d *Deposit, v verdict, a answer, by audit.Actor, now time.Time) error {
	if v.state == "" && !v.missing && !v.returned {
		return nil
	}
	before, from, action := summary(*d), d.State, auditActions[v.state]
	changes, err := s.changesTx(ctx, tx, d, v, a.Payment, now)
	if err != nil {
		return err
	}
	switch {
	case v.missing:
		action = "deposit.gone"
	case v.returned:
		action = "deposit.back"
	}
	if err := moveTx(tx, d, changes); err != nil {
		return err
	}
	tx.AfterCommit(func() { s.changed(d.AccountID) })
	if err := s.messageTx(ctx, tx, *d, from); err != nil {
		return err
	}
	if taken := v.state == Cancelled && by.Kind != ""; !taken { // any other outcome is the provider's act, not the caller's
		if v.state == Cancelled {
			action = "deposit.call_off"
		}
		by = audit.Actor{Kind: audit.System, Name: d.Provider}
	}
	entry := audit.By(by, now, action, "deposit", d.ID)
	entry.Before, entry.After = before, summary(*d)
	return audit.RecordTx(ctx, tx, entry)
}

// changesTx returns the columns of a verdict; it posts a credit.
func (s *Service) changesTx(ctx context.Context, tx *db.Tx, d *Deposit, v verdict, p provider.Payment, now time.Time) (map[string]any, error) {
	switch {
	case v.missing:
		return map[string]any{"gone_at": now, "proof_at": now}, nil
	case v.returned: // the requested reversal has no cause any more
		return map[string]any{"gone_at": nil, "reversal_approval": nil}, s.lapseReversalTx(ctx, tx, *d)
	}
	changes := map[string]any{"moved_at": now}
	if v.state != d.State {
		changes["state"] = v.state
	}
	switch v.state {
	case Redirected:
		changes["pay_url"] = p.PayURL
	case AwaitingPayment:
		changes["merchant"], changes["merchant_bank"], changes["merchant_account"] = p.Merchant.Name, p.Merchant.Bank, p.Merchant.Account
		offer, _ := d.readOffer(p.Offer) // the offer was validated before
		changes["offer_currency"], changes["offer_amount"], changes["offer_rate"], changes["offer_release"] = offer.OfferCurrency, offer.OfferAmount, offer.OfferRate, offer.OfferRelease
	case Credited:
		changes["received"] = v.received
		return s.creditTx(ctx, tx, d, v.received, changes)
	case InReview: // an approval of another amount is void
		changes["received"], changes["proof_at"] = v.received, waitingSince(d.ProofAt, now)
		changes["maker_id"], changes["shown_hash"], changes["bank_reference"] = nil, nil, nil
	case ProviderUnknown:
		changes["proof_at"], changes["decided_at"], changes["reason"] = waitingSince(d.ProofAt, now), nil, nil
		changes["maker_id"], changes["shown_hash"], changes["bank_reference"] = nil, nil, nil
	case Failed, Expired, Cancelled:
		changes["decided_at"] = now
		if v.reason != "" {
			changes["reason"] = v.reason
		}
	}
	return changes, nil
}

// waitingSince is the time from which a deposit waits for staff.
func waitingSince(before *time.Time, now time.Time) time.Time {
	if before != nil {
		return *before
	}
	return now
}
