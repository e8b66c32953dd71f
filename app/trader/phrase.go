package trader

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// Lengths of a phrase in characters.
const shortestPhrase, longestPhrase = 4, 40

// SetPhrase sets the phrase that every mail to the trader starts with; an empty one removes it. Nobody can read it in the app: it is known from the mails.
// Refusals: ErrGuest, the field, session.ErrThrottle, ErrLoginPassword.
func (s *Service) SetPhrase(ctx context.Context, p session.Principal, phrase, password string, from audit.Actor) error {
	if p.Guest() {
		return ErrGuest
	}
	phrase = strings.Join(strings.Fields(phrase), " ")
	if n := utf8.RuneCountInString(phrase); n > longestPhrase || n > 0 && n < shortestPhrase || !db.IsText(phrase) {
		return errs.Field("phrase", "field.phrase")
	}
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return err
	}
	if err := s.checkLoginPassword(ctx, t, password, from.IP); err != nil {
		return err
	}
	var stored any
	if phrase != "" {
		stored = phrase
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := db.MustAffect(tx.Rows.Model(&Trader{}).Where("id = ?", t.ID).Update("phrase", stored)); err != nil {
			return fmt.Errorf("set the phrase of trader %d: %w", t.ID, err)
		}
		if t.Phrase = phrase; phrase == "" {
			return s.recordTx(ctx, tx, t, t.Acting(from), "trader.remove_phrase", "message.phrase_changed")
		}
		return s.recordTx(ctx, tx, t, t.Acting(from), "trader.set_phrase", "message.phrase_changed")
	})
}
