package switches

import (
	"context"
	"fmt"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/mail"
)

// Texts writes the messages that staff get.
type Texts interface {
	T(lang, key string, args map[string]any) string
}

// teller writes to the people of a change what became of it without them. A nil one writes nothing.
type teller struct {
	outbox  *mail.Outbox
	texts   Texts
	address string
}

// TellBy lets the author and the approver of a change hear what became of it: when its moment came, or when somebody else said no or took it back. Links begin
// with address, which comes from the configuration.
func (c *Changes) TellBy(o *mail.Outbox, t Texts, address string) { c.teller = &teller{o, t, address} }

// tellTx writes to the author and the approver of a change what became of it, apart from whoever did that, and only to those who still work here.
func (t *teller) tellTx(ctx context.Context, tx *db.Tx, change Change, by audit.Actor, now time.Time, why string) error {
	if t == nil {
		return nil
	}
	var people []struct{ Name, Email string }
	err := tx.Rows.Raw(`SELECT name, email FROM staff WHERE id IN (?, ?) AND id <> ? AND state = 'active' ORDER BY id`, change.AuthorID, change.DeciderID, by.ID).Scan(&people).Error
	if err != nil {
		return fmt.Errorf("read whom to tell of change %d: %w", change.ID, err)
	}
	kind := "switch_" + string(change.State)
	key := "message." + kind
	for _, person := range people {
		args := map[string]any{
			"name": person.Name, "number": change.Number(), "switch": t.nameOf(change.Key), "by": by.Name, "reason": change.Reason, "why": why,
			"link": t.address + "/admin/switches/" + change.Key,
		}
		err := t.outbox.SendTx(ctx, tx, mail.Message{
			Kind: kind, Channel: mail.Mail, Recipient: person.Email, CreatedAt: now,
			Subject: t.texts.T("en", key+".subject", args), Body: t.texts.T("en", key+".body", args),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *teller) nameOf(key string) string { return t.texts.T("en", "switch.name."+key, nil) }

// why says a refusal in words; empty for none.
func (t *teller) why(refusal *errs.Error) string {
	if t == nil || refusal == nil {
		return ""
	}
	args := map[string]any{}
	for name, value := range refusal.Args {
		args[name] = t.nameOf(value) // the one argument there is names another key
	}
	return t.texts.T("en", "error."+refusal.Key, args)
}
