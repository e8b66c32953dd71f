package kyc

import (
	"context"
	"strings"

	"candor/app/platform/db"
)

// told are the messages that traders get when the desk has decided. An end says nothing of its reason: the app does, in its public form.
var told = map[State]string{
	Approved:     "message.identity_approved",
	Resubmission: "message.identity_asked",
	Rejected:     "message.identity_rejected",
	Revoked:      "message.identity_revoked",
}

// tellTx writes to the trader of an application that the desk has decided; what is asked for again is named, part by part.
func (s *Service) tellTx(ctx context.Context, tx *db.Tx, a Application) error {
	key := told[a.State]
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
	return s.messenger.TellTx(ctx, tx, a.TraderID, key, func(say func(string) string) map[string]any {
		var parts []string
		for _, one := range asked {
			parts = append(parts, say("identity.part."+string(one.Part))+": "+say("kyc.reason."+one.Reason))
		}
		return map[string]any{"parts": strings.Join(parts, "\n")}
	})
}
