package deposit

import (
	"context"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/money"
)

// told are the messages that traders get when the desk has brought a deposit into a state.
var told = map[State]string{
	Credited: "message.deposit_credited",
	Rejected: "message.deposit_rejected",
	MoreInfo: "message.deposit_asked",
}

// tellTx writes to the trader of a deposit that the desk has decided.
func (s *Service) tellTx(ctx context.Context, tx *db.Tx, d Deposit) error {
	key := told[d.State]
	if key == "" {
		return nil
	}
	return s.messenger.TellTx(ctx, tx, d.TraderID, key, func(say func(string) string) map[string]any {
		args := map[string]any{"number": d.Number(), "amount": money.Trim(d.Amount, money.Scale) + " " + d.Currency, "credited": "", "reason": ""}
		if d.Received != nil {
			args["credited"] = money.Trim(*d.Received, money.Scale) + " " + ledger.Currency
		}
		if d.Reason != nil {
			args["reason"] = say("deposit.reason." + *d.Reason)
		}
		return args
	})
}
