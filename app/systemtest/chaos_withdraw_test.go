//go:build chaos

package systemtest

import (
	"context"
	"errors"
	"fmt"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/session"
	"candor/app/trader"
	"candor/app/withdrawal"
)

const (
	insertsWithdrawal  = "withdraw/insert" // the prefix of all withdrawal calls
	insertBankWithdraw = insertsWithdrawal + "BankWithdraw"
)

// malformedWithdrawals are malformed withdrawal requests: every call must refuse them.
var malformedWithdrawals = []string{
	`{"walletId":%d,"amount":"-100","payPassword":"482915","validCode":"000000"}`, `{"walletId":%d,"amount":"1e3","payPassword":"482915","validCode":"000000"}`,
	`{"walletId":%d,"amount":"20.0000001","payPassword":"482915","validCode":"000000"}`, `{"walletId":%d,"amount":20}`, `{"walletId":%d,"amount":"20","payPassword":null,"validCode":[]}`,
}

// verifyTrader prepares a trader for withdrawals: verified, with a payment password and payees past their cooling time.
func (c *chaos) verifyTrader(client *chaosClient) error {
	ctx := context.Background()
	hash, err := cheapHash(paymentPassword)
	if err != nil {
		return err
	}
	if err := c.reviewers.verify(ctx, c.identities, client.traderID); err != nil {
		return err
	}
	if err := c.db.Pool.QueryRow(ctx, `UPDATE traders SET level = 2 WHERE id = $1 RETURNING email`, client.traderID).Scan(&client.contact); err != nil {
		return err
	}
	if _, err := c.db.Pool.Exec(ctx, `INSERT INTO payment_passwords (trader_id, hash, changed_at) VALUES ($1, $2, now())`, client.traderID, hash); err != nil {
		return err
	}
	if client.payeeID, err = savePayee(ctx, c.db, c.vault, client.traderID, withdrawal.ByBank); err != nil {
		return err
	}
	client.addressID, err = savePayee(ctx, c.db, c.vault, client.traderID, withdrawal.Crypto)
	return err
}

// code issues a code for a withdrawal; earlier codes are moved out of the daily limit.
func (w *chaosWorker) code(client *chaosClient, act trader.MoneyOut) (code string, err error) {
	ctx := context.Background()
	err = w.retry(func() error {
		return w.db.InTx(ctx, func(tx *db.Tx) (err error) {
			if _, err = tx.Conn.Exec(ctx, `UPDATE codes SET created_at = created_at - interval '2 days' WHERE address = $1 AND created_at > now() - interval '1 day'`, client.contact); err != nil {
				return err
			}
			code, err = session.New(w.db, clock.Real{}, nil).IssueCodeTx(ctx, tx, session.MoneyOutCode.To(client.contact).With(act.About()), session.Owner(fmt.Sprint("chaos ", client.traderID, w.keys)))
			return err
		})
	})
	return code, err
}

// withdraw requests a withdrawal with a proof; the trader cancels it, or the desk and a provider process it.
func (w *chaosWorker) withdraw(client *chaosClient) error {
	sum := []string{"20", "333.333333", "1000"}[w.random.IntN(3)]
	kind, to, payeeID := withdrawal.ByBank, fmt.Sprintf(`"walletId":%d`, client.payeeID), client.payeeID
	switch w.random.IntN(4) {
	case 0:
		kind = withdrawal.ByAgent
	case 1:
		kind, to, payeeID = withdrawal.Crypto, fmt.Sprintf(`"addressId":%d`, client.addressID), client.addressID
	}
	amount, err := money.Parse(sum, money.Scale)
	if err != nil {
		return err
	}
	code, err := w.code(client, trader.MoneyOut{Act: trader.Withdraw, Payee: payeeID, Amount: amount})
	if err != nil {
		return err
	}
	call := map[withdrawal.Kind]string{withdrawal.ByBank: insertBankWithdraw, withdrawal.ByAgent: insertsWithdrawal + "DaifuWithdraw", withdrawal.Crypto: insertsWithdrawal + "StandardWithdraw"}[kind]
	body := fmt.Sprintf(`{%s,"amount":%q,"payPassword":%q,"validCode":%q}`, to, sum, paymentPassword, code)
	answer, ok, err := w.until(client, true, call, body)
	if err != nil || !ok {
		return err
	}
	id := answer.Data.WithdrawID
	switch w.random.IntN(8) {
	case 0:
		_, _, err := w.until(client, true, "withdraw/cancelWithdraw", at("withdrawId", id))
		return err
	case 1:
		if err := w.processWithdrawal(id, withdrawal.MoreInfo, nil); err != nil {
			return err
		}
		if _, _, err := w.until(client, true, "withdraw/replyWithdraw", at("withdrawId", id, `,"answer":"From my salary."`)); err != nil {
			return err
		}
	}
	if kind != withdrawal.ByBank {
		return w.payOut(id, kind)
	}
	if w.random.IntN(8) == 0 { // the withdrawal stays in an intermediate state
		return w.processWithdrawal(id, []withdrawal.State{withdrawal.Approved1, withdrawal.Queued, withdrawal.Processing, withdrawal.OutcomeUnknown}[w.random.IntN(4)], w.chance)
	}
	ends := []withdrawal.State{withdrawal.Sent, withdrawal.Sent, withdrawal.Rejected, withdrawal.Failed, withdrawal.Returned}
	if err := w.processWithdrawal(id, ends[w.random.IntN(len(ends))], w.chance); err != nil {
		return err
	}
	w.withdrawn.Add(1)
	return nil
}

// chance is true with a probability of one in five.
func (w *chaosWorker) chance() bool { return w.random.IntN(5) == 0 }

// processWithdrawal brings a withdrawal to its end state step by step, with the person who may take each step. A step whose answer was lost shows in the state, or is
// refused when repeated.
func (w *chaosWorker) processWithdrawal(id int64, end withdrawal.State, detour func() bool) error {
	ctx := context.Background()
	var last error
	for range 60 {
		reached := false
		err := w.retry(func() error { // reads the state first: a step whose answer was lost may have been taken, and the next is the other person's
			now, err := w.withdrawals.Read(ctx, id)
			if err != nil {
				return err
			}
			sent := now.Provider != "" && now.State != withdrawal.OutcomeUnknown // by the provider, after all approvals
			if reached = now.State == end || now.Ended() || sent; reached {
				return nil
			}
			who, err := w.nextMember(ctx, now)
			if err != nil {
				return err
			}
			claimed, err := w.withdrawals.Claim(ctx, who, id)
			if err != nil {
				return err
			}
			return w.act(who, claimed, end, detour != nil && detour())
		})
		if reached {
			return nil
		}
		if err != nil && errs.As(err) == nil {
			return err
		}
		if err != nil {
			last = err
		}
	}
	return fmt.Errorf("withdrawal %d did not come to be %s: %w", id, end, last)
}

// nextMember is the person who may take the next step: the second one after the first has decided.
func (w *chaosWorker) nextMember(ctx context.Context, now withdrawal.Withdrawal) (audit.Actor, error) {
	first, second := w.members[0], w.members[1]
	approvals, err := w.withdrawals.Approvals(ctx, now)
	if err != nil {
		return first, err
	}
	findings, err := w.withdrawals.Findings(ctx, now)
	if err != nil {
		return first, err
	}
	if a := approvals[now.ID]; a.Decided(first.ID) && !a.Decided(second.ID) || findings[now.ID].Decided(first.ID) {
		return second, nil
	}
	return first, nil
}

// act takes the next step towards an end; astray takes a detour first.
func (w *chaosWorker) act(by audit.Actor, now withdrawal.Withdrawal, end withdrawal.State, detour bool) (err error) {
	ctx, s := context.Background(), w.withdrawals
	paid := end == withdrawal.Sent || end == withdrawal.Returned
	switch now.State {
	case withdrawal.Review, withdrawal.Approved1:
		switch {
		case end == withdrawal.MoreInfo && now.State == withdrawal.Review:
			_, err = s.Ask(ctx, by, now.ID, now.Version, "source_of_funds", "")
		case end == withdrawal.Rejected:
			_, err = s.Reject(ctx, by, now.ID, now.Version, "other", "")
		case detour:
			_, err = s.Freeze(ctx, by, now.ID, now.Version, "under_examination", "")
		default:
			_, err = s.Approve(ctx, by, now.ID, now.Version, now.State, now.Facts())
		}
	case withdrawal.MoreInfo:
		_, err = s.Reject(ctx, by, now.ID, now.Version, "other", "") // the trader was not asked
	case withdrawal.Frozen:
		_, err = s.Unfreeze(ctx, by, now.ID, now.Version)
	case withdrawal.Queued:
		_, err = s.Begin(ctx, by, now.ID, now.Version, 1)
	case withdrawal.Processing:
		known := paid && !detour
		_, err = s.Finish(ctx, by, now.ID, now.Version, fmt.Sprint("OUT-", now.ID), known)
	case withdrawal.OutcomeUnknown:
		if now.OutcomeApproval == nil {
			_, err = s.RecordFinding(ctx, by, now.ID, now.Version, paid, fmt.Sprint("OUT-", now.ID), "asked by telephone")
		} else {
			_, err = s.ConfirmFinding(ctx, by, now.ID, now.Version)
		}
	case withdrawal.Sent:
		_, err = s.RecordReturn(ctx, by, now.ID, now.Version, "account_closed", "")
	default:
		return errors.New("there is no way on from " + string(now.State))
	}
	return err
}
