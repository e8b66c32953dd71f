package staff

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/text/language"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/geo"
	"candor/app/platform/mail"
	"candor/app/trader"
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
	args := map[string]any{"name": p.Name, "at": stamp(s.clock.Now()), "ip": s.from(by.IP, p.Language), "link": s.address + accountPath}
	for name, value := range more {
		args[name] = value
	}
	return s.messageTx(ctx, tx, kind, p.recipient(), args, 0)
}

// accountPath is the page of a member's own account.
const accountPath = "/admin/account"

// Place is where an address is used; empty when unknown.
func (s *Service) Place(ip string) geo.Place { return s.throttle.Place(ip) }

// from is an address with its place, where known, for a message.
func (s *Service) from(ip, lang string) string {
	place := s.Place(ip)
	if place.Country == "" {
		return ip
	}
	name := trader.Country{ISO: place.Country}.NameIn(language.Make(lang))
	if place.City != "" {
		name = s.texts.T(lang, "trader.place", map[string]any{"city": place.City, "country": name})
	}
	return ip + " (" + name + ")"
}

// stamp writes a time for a message, whose reader's zone is unknown.
func stamp(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }
