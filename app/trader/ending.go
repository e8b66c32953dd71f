package trader

import (
	"context"
	"encoding/json"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// ErrSession refuses to end a session that has ended or is not the trader's.
var ErrSession = errs.New(errs.NotFound, "session.unknown")

// EndSession ends one session of a trader at once. Only staff with that permission may call it. Refusal: ErrSession.
func (s *Service) EndSession(ctx context.Context, by audit.Actor, traderID, sessionID int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		ended, err := s.sessions.EndOfTx(ctx, tx, traderID, sessionID)
		if err != nil {
			return err
		}
		if !ended {
			return ErrSession
		}
		return s.endedTx(ctx, tx, by, traderID, "trader.end_session", map[string]int64{"session": sessionID})
	})
}

// EndSessions ends every session of a trader at once and returns their number. Only staff with that permission may call it.
func (s *Service) EndSessions(ctx context.Context, by audit.Actor, traderID int64) (count int, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if count, err = s.sessions.EndAllTx(ctx, tx, traderID); err != nil || count == 0 {
			return err
		}
		return s.endedTx(ctx, tx, by, traderID, "trader.end_sessions", map[string]int64{"sessions": int64(count)})
	})
	return count, err
}

func (s *Service) endedTx(ctx context.Context, tx *db.Tx, by audit.Actor, traderID int64, action string, words map[string]int64) error {
	after, err := json.Marshal(words)
	if err != nil {
		return err
	}
	entry := audit.By(by, s.clock.Now(), action, "trader", traderID)
	entry.After = string(after)
	return audit.RecordTx(ctx, tx, entry)
}
