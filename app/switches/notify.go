package switches

import (
	"context"
	"fmt"
	"time"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/mail"
	"candor/app/staff/member"
)

// Texts formats the messages to staff.
type Texts interface {
	T(lang, key string, args map[string]any) string
}

// Notifier notifies the people that a change's approval names when it was applied or failed at its scheduled time, or when another person rejected or
// withdrew it.
type Notifier struct {
	Outbox  *mail.Outbox
	Texts   Texts
	Address string // the back office's, from the configuration: the start of links
}

// notifyTx notifies the author and the approver of a change, except the actor and inactive staff.
func (n *Notifier) notifyTx(ctx context.Context, tx *db.Tx, change Change, a approval.Approval, by audit.Actor, now time.Time, why string) error {
	if n == nil {
		return nil
	}
	people, err := member.Find(ctx, tx.Conn, a.Approvers()...)
	if err != nil {
		return fmt.Errorf("read whom to tell of change %d: %w", change.ID, err)
	}
	kind := "switch_" + string(a.State)
	key := "message." + kind
	for _, person := range people {
		if !person.Active || person.ID == by.ID {
			continue
		}
		args := map[string]any{
			"name": person.Name, "number": change.Number(), "switch": n.nameOf(change.Key), "by": by.Name, "reason": change.Reason, "why": why,
			"link": n.Address + "/admin/switches/" + change.Key,
		}
		err := n.Outbox.SendTx(ctx, tx, mail.Message{
			Kind: kind, Channel: mail.Mail, Recipient: person.Email, CreatedAt: now,
			Subject: n.Texts.T("en", key+".subject", args), Body: n.Texts.T("en", key+".body", args),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (n *Notifier) nameOf(key string) string { return n.Texts.T("en", "switch.name."+key, nil) }

// why is a refusal's text; empty for none.
func (n *Notifier) why(refusal *errs.Error) string {
	if n == nil || refusal == nil {
		return ""
	}
	args := map[string]any{}
	for name, value := range refusal.Args {
		args[name] = n.nameOf(value) // every argument of these refusals is a key
	}
	return n.Texts.T("en", "error."+refusal.Key, args)
}
