package deposit

import (
	"context"
	"fmt"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/trader"
)

// messages are the messages to traders by the new state of a deposit, whatever caused it. The app shows all other steps.
var messages = map[State]string{
	Credited:    "message.deposit_credited",
	Rejected:    "message.deposit_rejected",
	MoreInfo:    "message.deposit_asked",
	AMLReview:   "message.deposit_held",
	BelowMin:    "message.deposit_held",
	WrongAsset:  "message.deposit_held",
	Refunded:    "message.deposit_refunded",
	Reversed:    "message.deposit_reversed",
	ChargedBack: "message.deposit_reversed",
}

// messageKey is the message about a state change; empty when the trader needs none, such as after a cancelled refund.
func messageKey(from, to State) string {
	if from == to || from == Refunding && to != Refunded {
		return ""
	}
	return messages[to]
}

// messageTx sends the trader the message about a deposit's state change.
func (s *Service) messageTx(ctx context.Context, tx *db.Tx, d Deposit, from State) error {
	key := messageKey(from, d.State)
	if key == "" {
		return nil
	}
	words := func(say func(string) string) map[string]any {
		args := map[string]any{"number": d.Number(), "amount": d.amountText(), "credited": "", "reason": ""}
		if d.Received != nil {
			args["credited"] = money.Trim(d.Net(*d.Received), money.Scale) + " " + ledger.Currency
		}
		if d.Reason != nil && (d.State == Rejected || d.State == MoreInfo) {
			args["reason"] = say("deposit.reason." + *d.Reason)
		}
		state := "deposit.state." + string(d.State)
		args["meaning"], args["next"] = say(state+".meaning"), say(state+".next")
		return args
	}
	return s.messenger.SendTx(ctx, tx, trader.Message{
		TraderID: d.TraderID, Category: trader.MoneyMessages, Key: key, Words: words, Cause: fmt.Sprintf("deposit:%d:%d", d.ID, d.Version), Essential: d.State == MoreInfo,
	})
}

// amountText is the received or announced amount; a crypto deposit of dust only shows the dust.
func (d Deposit) amountText() string {
	switch {
	case d.Coin == "":
		return money.Trim(d.Amount, money.Scale) + " " + d.Currency
	case d.Amount == 0:
		return d.Dust + " " + d.Coin
	default:
		return money.Trim(d.Amount, money.Scale) + " " + d.Coin
	}
}
