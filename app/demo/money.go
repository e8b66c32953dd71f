package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/money"
	"candor/app/trader"
	"candor/app/withdrawal"
)

// makeDeposit requests a deposit and advances it to its target state. A deposit that was moved to another state meanwhile is left alone.
func (e *example) makeDeposit(ctx context.Context, d *demo, n int, wanted exampleDeposit) error {
	i := d.tradersByHandle[e.handle]
	o := ledger.Owner{TraderID: i.traderID, AccountID: i.accountID, Name: i.name, IP: e.ip(), TraceID: exampleTrace}
	asked, err := valueOf(d.deposits.Request(ctx, o, d.channel.ID, wanted.dollars*exampleUnit, i.keyed("deposit-", n)))
	if err != nil {
		return err
	}
	now, err := d.deposits.Read(ctx, asked.ID)
	for err == nil && now.State != wanted.state {
		was := now.Version
		now, err = e.advanceDeposit(ctx, d, o, now, wanted.state)
		if now.Version == was {
			break
		}
	}
	return err
}

// advanceDeposit takes the deposit's next step to a state; without one it is unchanged.
func (e *example) advanceDeposit(ctx context.Context, d *demo, o ledger.Owner, now deposit.Deposit, to deposit.State) (deposit.Deposit, error) {
	maker, checker := d.staffByHandle["finance.maker"], d.staffByHandle["finance.checker"]
	switch {
	case now.State == deposit.AwaitingTransfer:
		return e.submitProof(ctx, d, o, now)
	case now.State == deposit.ProofSubmitted, now.State == deposit.InReview && !now.ClaimActiveBy(maker.ID, d.clock.Now()):
		d.clock.Advance(8 * time.Minute)
		return d.deposits.Claim(ctx, maker, now.ID)
	case now.State == deposit.InReview && to == deposit.Rejected:
		d.clock.Advance(3 * time.Minute)
		return d.deposits.Decline(ctx, maker, now.ID, now.Version, false, "sender_differs", "The account that paid is not the trader's own.")
	case now.State == deposit.InReview:
		d.clock.Advance(3 * time.Minute)
		return d.deposits.Approve(ctx, maker, now.ID, now.Version, deposit.Statement{Received: now.Amount, Reference: fmt.Sprint("EXAMPLE-BANK-", now.ID), Sender: e.name})
	case now.State == deposit.Approved && !now.ClaimActiveBy(checker.ID, d.clock.Now()):
		d.clock.Advance(15 * time.Minute)
		return d.deposits.Claim(ctx, checker, now.ID)
	case now.State == deposit.Approved:
		return d.deposits.Confirm(ctx, checker, now.ID, now.Version)
	}
	return now, nil
}

func (e *example) submitProof(ctx context.Context, d *demo, o ledger.Owner, now deposit.Deposit) (deposit.Deposit, error) {
	d.clock.Advance(5 * time.Minute)
	picture, err := d.readPicture(ctx, proofPicture(e.name, money.Trim(now.Amount, money.Scale), now.Currency, now.Reference, d.clock.Now()))
	if err != nil {
		return now, err
	}
	file, err := d.deposits.SaveFile(ctx, o.TraderID, picture)
	if err != nil {
		return now, err
	}
	return valueOf(d.deposits.Prove(ctx, o, now.ID, file.Name, d.tradersByHandle[e.handle].keyed("proof-", now.ID)))
}

// makeWithdrawal requests a withdrawal and advances it to its target state.
func (e *example) makeWithdrawal(ctx context.Context, d *demo, n int, wanted exampleWithdrawal) error {
	w, err := e.requestWithdrawal(ctx, d, n, wanted)
	for err == nil && w.State != wanted.state {
		was := w.Version
		w, err = advanceWithdrawal(ctx, d, w, wanted.state)
		if w.Version == was {
			break
		}
	}
	return err
}

// requestWithdrawal requests a withdrawal once: an existing one of the same amount is returned.
func (e *example) requestWithdrawal(ctx context.Context, d *demo, n int, wanted exampleWithdrawal) (w withdrawal.Withdrawal, err error) {
	i := d.tradersByHandle[e.handle]
	list, _, err := d.withdrawals.List(ctx, i.traderID, withdrawal.Filter{Limit: 50})
	if err != nil {
		return w, err
	}
	for _, w := range list {
		if w.Amount == wanted.dollars*exampleUnit {
			return w, nil
		}
	}
	saved, err := d.payees.Living(ctx, i.traderID)
	if err != nil || len(saved) == 0 {
		return w, errors.Join(err, errors.New("there is no bank account to send money to"))
	}
	proof, err := d.proof(ctx, e, trader.MoneyOut{Act: trader.Withdraw, Payee: saved[0].ID, Amount: wanted.dollars * exampleUnit})
	if err != nil {
		return w, err
	}
	o := ledger.Owner{TraderID: i.traderID, AccountID: i.accountID, Name: i.name, IP: e.ip(), TraceID: exampleTrace}
	return valueOf(d.withdrawals.Request(ctx, o, withdrawal.ByBank, saved[0].ID, wanted.dollars*exampleUnit, proof, i.keyed("withdrawal-", n)))
}

// advanceWithdrawal takes the withdrawal's next step to a state; without one it is unchanged.
func advanceWithdrawal(ctx context.Context, d *demo, w withdrawal.Withdrawal, to withdrawal.State) (withdrawal.Withdrawal, error) {
	by := d.staffByHandle["finance.maker"]
	if w.State == withdrawal.Approved1 {
		by = d.staffByHandle["finance.checker"]
	}
	if !w.ClaimActiveBy(by.ID, d.clock.Now()) && !w.Ended() && w.State != withdrawal.Sent {
		d.clock.Advance(20 * time.Minute)
		return d.withdrawals.Claim(ctx, by, w.ID)
	}
	d.clock.Advance(4 * time.Minute)
	switch {
	case w.State == withdrawal.Review && to == withdrawal.Rejected:
		return d.withdrawals.Reject(ctx, by, w.ID, w.Version, "account_closed", "The bank says that the account is closed.")
	case w.State == withdrawal.Review, w.State == withdrawal.Approved1:
		return d.withdrawals.Approve(ctx, by, w.ID, w.Version, w.State, w.Facts())
	case w.State == withdrawal.Queued:
		return d.withdrawals.Begin(ctx, by, w.ID, w.Version, banking.SpecimenID)
	case w.State == withdrawal.Processing:
		return d.withdrawals.Finish(ctx, by, w.ID, w.Version, fmt.Sprint("EXAMPLE-PAID-", w.ID), true)
	}
	return w, nil
}
