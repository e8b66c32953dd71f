package withdrawal

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/trader"
)

// messages are the messages to traders by the new state of a withdrawal. The app shows all other steps.
var messages = map[State]string{
	Review:    "message.withdrawal_requested",
	MoreInfo:  "message.withdrawal_asked",
	Rejected:  "message.withdrawal_rejected",
	Sent:      "message.withdrawal_sent",
	Completed: "message.withdrawal_completed",
	Returned:  "message.withdrawal_returned",
	Failed:    "message.withdrawal_failed",
	Cancelled: "message.withdrawal_cancelled",
}

// needsMessage reports whether a state change needs a message: a new request, a question, or an end; not the return from a freeze.
func needsMessage(from, to State) bool {
	switch to {
	case Review:
		return from == ""
	case MoreInfo:
		return from != Frozen
	default:
		return messages[to] != ""
	}
}

// messageTx sends the trader the message about a withdrawal's state change.
func (s *Service) messageTx(ctx context.Context, tx *db.Tx, w Withdrawal, from State) error {
	if !needsMessage(from, w.State) {
		return nil
	}
	words := func(say func(string) string) map[string]any {
		args := map[string]any{"number": w.Number(), "amount": sum(w.Amount, w.Currency), "net": sum(w.Net(), w.Currency), "payee": lastCharacters(w.Destination()), "reason": ""}
		if w.Reason != nil {
			args["reason"] = say("withdraw.reason." + *w.Reason)
		}
		return args
	}
	return s.messenger.SendTx(ctx, tx, trader.Message{
		TraderID: w.TraderID, Category: trader.MoneyMessages, Key: messages[w.State], Words: words, Cause: fmt.Sprintf("withdrawal:%d:%d", w.ID, w.Version),
		Essential: isEssential(w.State),
	})
}

// isEssential reports whether the message about a state is mailed always: it asks for an answer, or someone else may have acted in the trader's name.
func isEssential(s State) bool { return s == MoreInfo || s == Review || s == Sent || s == Cancelled }

func sum(value int64, currency string) string {
	return money.Trim(value, money.Scale) + " " + currency
}

// lastCharacters is the end of an account number or address, enough for its owner to recognize it.
func lastCharacters(text string) string {
	if len(text) <= proofLetters {
		return text
	}
	return "…" + text[len(text)-proofLetters:]
}
