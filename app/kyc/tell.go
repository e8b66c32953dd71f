package kyc

import (
	"context"
	"fmt"
	"strings"
	"time"

	"candor/app/platform/db"
	"candor/app/trader"
)

// messages are the messages to traders after a decision, or at the expiry of a document. They name no final reason: the app shows its public form.
var messages = map[State]string{
	Approved:     "message.identity_approved",
	Resubmission: "message.identity_asked",
	Rejected:     "message.identity_rejected",
	Revoked:      "message.identity_revoked",
	Expiring:     "message.identity_expiring",
	Reverify:     "message.identity_reverify",
}

// messageKey is the message about an act; empty when the trader needs none. A state change takes precedence over a level change.
func messageKey(before, a Application) string {
	switch {
	case a.State != before.State:
		return messages[a.State]
	case a.Level > before.Level:
		return "message.identity_level_higher"
	case a.Level < before.Level:
		return "message.identity_level_standard"
	}
	return ""
}

// messageTx sends a message to an application's trader, none for an empty key; it names each part that staff asked for.
func (s *Service) messageTx(ctx context.Context, tx *db.Tx, a Application, key string) error {
	if key == "" {
		return nil
	}
	var asked []Ask
	if a.State == Resubmission {
		documents, err := documentsTx(tx, a.ID, true)
		if err != nil {
			return err
		}
		asked = askedFor(a, documents)
	}
	texts := func(say func(string) string) map[string]any {
		var parts []string
		for _, one := range asked {
			parts = append(parts, say("identity.part."+string(one.Part))+": "+say("kyc.reason."+one.Reason))
		}
		words := map[string]any{"parts": strings.Join(parts, "\n")}
		switch {
		case a.State == Expiring && a.RenewOn != nil:
			words["date"] = a.RenewOn.UTC().Format(time.DateOnly)
		case a.State == Reverify && a.KeptUntil != nil:
			words["date"] = a.KeptUntil.UTC().Format(time.DateOnly)
		}
		return words
	}
	return s.messenger.SendTx(ctx, tx, trader.Message{
		TraderID: a.TraderID, Category: trader.IdentityMessages, Key: key, Words: texts, Cause: fmt.Sprintf("identity:%d:%d", a.ID, a.Version),
		Essential: a.State == Resubmission || a.State == Reverify,
	})
}

// remindTx tells the trader once that a document expires or has expired. It sends nothing when a newer application is submitted or verified, and no warning
// after the expiry.
func (s *Service) remindTx(ctx context.Context, tx *db.Tx, a Application) error {
	if a.State == Expiring && !a.RenewOn.After(s.clock.Now()) {
		return nil
	}
	newest, err := newestTx(tx, a.TraderID, 1)
	if err != nil {
		return err
	}
	if newer := newest[0]; newer.ID != a.ID && (newer.Undecided() || newer.Verified()) {
		return nil
	}
	return s.messageTx(ctx, tx, a, messages[a.State])
}
