package staff

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/mail"
)

// recipient is a member of staff who is told something, in the language of their pages.
type recipient struct{ Email, Language string }

func (p Person) recipient() recipient { return recipient{p.Email, p.Language} }

// messageTx sends a member of staff a message; args are those of its texts. The zero life is without end.
func (s *Service) messageTx(ctx context.Context, tx *db.Tx, kind string, to recipient, args map[string]any, life time.Duration) error {
	key, now := "message."+kind, s.clock.Now()
	m := mail.Message{
		Kind: kind, Channel: mail.Mail, Recipient: to.Email, CreatedAt: now,
		Subject: s.texts.T(to.Language, key+".subject", args), Body: s.texts.T(to.Language, key+".body", args),
	}
	if life > 0 {
		m.ExpiresAt = now.Add(life)
	}
	return s.outbox.SendTx(ctx, tx, m)
}

// holdersTx are the active members with one of the roles, except one person.
func holdersTx(ctx context.Context, tx *db.Tx, except int64, roles ...Role) ([]recipient, error) {
	rows, err := tx.Conn.Query(ctx, `
		SELECT email, language FROM staff WHERE state = 'active' AND id <> $1 AND id IN (SELECT staff_id FROM staff_roles WHERE role = ANY($2)) ORDER BY email`, except, roles)
	if err != nil {
		return nil, fmt.Errorf("look for the holders of %v: %w", roles, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[recipient])
}

// tellTx tells a person what was changed about their account, when, and from where.
func (s *Service) tellTx(ctx context.Context, tx *db.Tx, p Person, kind string, by audit.Actor, more map[string]any) error {
	args := map[string]any{"name": p.Name, "at": stamp(s.clock.Now()), "ip": by.IP}
	for name, value := range more {
		args[name] = value
	}
	return s.messageTx(ctx, tx, kind, p.recipient(), args, 0)
}

// stamp writes a time for a message, whose reader's zone is unknown.
func stamp(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }
