package trader

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/nyaruka/phonenumbers"

	"candor/app/platform/db"
	"candor/app/session"
)

// Limits of text messages to numbers that nobody has confirmed: each costs the house, and may be asked for by whoever earns with it.
const (
	textsOfASource   = 10  // a day
	textsToACountry  = 200 // an hour, by calling code
	textsOfTheHouse  = 600 // an hour
	textsWindow      = time.Hour
	textsSourceFrame = 24 * time.Hour
)

// countTextTx counts a text message to a number that nobody has confirmed; nothing for e-mail. Reaching a limit of a country or of the house is logged as an error,
// because people are refused who did nothing. Refusal: session.ErrThrottle.
func (s *Service) countTextTx(ctx context.Context, tx *db.Tx, a address, by session.Requester) error {
	if !a.phone {
		return nil
	}
	parsed, err := phonenumbers.Parse(a.text, "")
	if err != nil {
		return fmt.Errorf("read a telephone number again: %w", err)
	}
	country := fmt.Sprint("+", parsed.GetCountryCode())
	for _, limit := range []struct {
		counter, subject string
		allowed          int
		window           time.Duration
	}{
		{"texts_source", by.Source, textsOfASource, textsSourceFrame},
		{"texts_country", country, textsToACountry, textsWindow},
		{"texts_house", "", textsOfTheHouse, textsWindow},
	} {
		n, err := s.sessions.CountTx(ctx, tx, limit.counter, limit.subject, limit.window)
		if err != nil {
			return err
		}
		if n <= limit.allowed {
			continue
		}
		if limit.counter != "texts_source" {
			slog.ErrorContext(ctx, "text messages to new numbers have reached a limit", "limit", limit.counter, "country", country, "an_hour", limit.allowed)
		}
		return s.sessions.ThrottledTx(ctx, tx, limit.counter, limit.subject, limit.window)
	}
	return nil
}
