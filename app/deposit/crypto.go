package deposit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/provider"
	"candor/app/switches"
	"candor/app/trader"
)

// ReviewStates lists the states in which a crypto deposit waits for staff.
var ReviewStates = []State{AMLReview, BelowMin, WrongAsset, Refunding}

// UnderReview reports whether a crypto deposit waits for staff.
func (d Deposit) UnderReview() bool { return slices.Contains(ReviewStates, d.State) }

// parsedTransfer is a parsed transfer of the custodian.
type parsedTransfer struct {
	provider.Transfer
	amount int64
	dust   string
}

var amountForm = regexp.MustCompile(`^([0-9]{1,12})(?:\.([0-9]{1,40}))?$`)

// readTransfer cuts a transfer's amount to the decimals of an account; the rest is dust. ok is false for an invalid transfer.
func readTransfer(t provider.Transfer) (a parsedTransfer, ok bool) {
	parts := amountForm.FindStringSubmatch(t.Amount)
	if parts == nil || t.ID == "" || len(t.ID) > 64 || !db.IsText(t.ID+t.Hash+t.Coin+t.Chain) || len(t.Hash) > 128 || t.Confirmations < 0 || t.Required < 0 {
		return a, false
	}
	whole, fraction := parts[1], parts[2]
	kept, rest := fraction, ""
	if len(fraction) > money.Scale {
		kept, rest = fraction[:money.Scale], strings.TrimRight(fraction[money.Scale:], "0")
	}
	if kept == "" {
		kept = "0"
	}
	a.Transfer = t
	amount, err := money.Parse(whole+"."+kept, money.Scale)
	if err != nil {
		return a, false
	}
	if a.amount = amount; rest != "" {
		a.dust = "0." + strings.Repeat("0", money.Scale) + rest
	}
	return a, a.amount > 0 || a.dust != ""
}

// sameAs reports whether a transfer matches its first report.
func (a parsedTransfer) sameAs(d Deposit) bool {
	return a.amount == d.Amount && a.dust == d.Dust && a.Coin == d.Coin && a.Chain == d.Chain && a.Hash == d.TxHash
}

// step is the effect of a transfer on its deposit: the next state (the current one when nothing changes) and the other columns. Settled reports that the
// transfer is confirmed and must be judged.
func (a parsedTransfer) step(d Deposit, now time.Time) (next State, columns map[string]any, settled bool) {
	columns = map[string]any{}
	if a.State == provider.Dropped {
		switch {
		case d.State == Credited && d.GoneAt == nil:
			columns["gone_at"], columns["proof_at"] = now, now
		case d.May(Dropped):
			columns["confirmations"], columns["maker_id"], columns["bank_reference"], columns["reason"] = 0, nil, nil, nil
			return Dropped, columns, false
		}
		return d.State, columns, false
	}
	if d.Missing() && a.State == provider.Confirmed { // it was mined again, and the requested reversal has no cause any more
		columns["gone_at"], columns["reversal_approval"] = nil, nil
	}
	if d.State != Detected && d.State != Dropped {
		return d.State, columns, false
	}
	if d.State == Dropped || a.Confirmations > d.Confirmations {
		columns["confirmations"] = a.Confirmations
	}
	if a.Required != d.Required {
		columns["required"] = a.Required
	}
	return Detected, columns, a.State == provider.Confirmed
}

// judgeTx decides about a confirmed crypto deposit: it is credited, or waits for staff with a reason that the trader sees.
func (s *Service) judgeTx(ctx context.Context, tx *db.Tx, d Deposit, c Channel) (State, error) {
	least, _ := s.limits(c)
	switch {
	case d.Coin != c.Coin || d.Chain != c.Chain:
		return WrongAsset, nil
	case d.Amount < least:
		return BelowMin, nil
	case d.Amount > s.switches.Amount(switches.AMLAboveKey):
		return AMLReview, nil
	}
	// The account lock serializes the sums of a trader's deposits.
	if _, err := ledger.LockTx(ctx, tx, d.AccountID); err != nil {
		return "", err
	}
	level, err := trader.LevelOf(ctx, tx.Conn, d.TraderID)
	if err != nil {
		return "", err
	}
	var above bool
	err = tx.Conn.QueryRow(ctx, `
		SELECT $2::bigint + coalesce(sum(coalesce(received, amount)), 0) > $4 FROM deposits WHERE trader_id = $1 AND id <> $3 AND state = 'credited'`,
		d.TraderID, d.Amount, d.ID, s.switches.Amount(switches.UnverifiedTotalKey)).Scan(&above)
	if err != nil {
		return "", fmt.Errorf("sum up deposits: %w", err)
	}
	if level == 0 && above {
		return AMLReview, nil
	}
	return Credited, nil
}
