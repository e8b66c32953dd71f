package score

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/trader"
)

// Flags lists a trader's flags that stand, newest first.
func (s *Service) Flags(ctx context.Context, traderID int64) (list []Flag, err error) {
	now := s.Clock.Now()
	err = s.DB.Rows(ctx).Where("trader_id = ? AND made_at > ? AND outcome IS DISTINCT FROM ?", traderID, now.AddDate(-lookBack, 0, 0), Removed).Order("made_at DESC, id DESC").Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list the flags of trader %d: %w", traderID, err)
	}
	return list, nil
}

// countFlags counts the flags of traders that stand, made after a moment. A trader without any is absent.
func countFlags(ctx context.Context, q db.Querier, traderIDs []int64, since time.Time) (map[int64]int, error) {
	rows, err := q.Query(ctx, `
		SELECT trader_id, count(*) FROM conduct_flags WHERE trader_id = ANY($1) AND made_at > $2 AND outcome IS DISTINCT FROM 'removed' GROUP BY trader_id`, traderIDs, since)
	if err != nil {
		return nil, fmt.Errorf("count conduct flags: %w", err)
	}
	out := map[int64]int{}
	var traderID int64
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&traderID, &n}, func() error { out[traderID] = n; return nil }); err != nil {
		return nil, fmt.Errorf("count conduct flags: %w", err)
	}
	return out, nil
}

// Appeal is the trader's own appeal against a flag, once. Refusals: ErrText, ErrFlag, ErrAppealed.
func (s *Service) Appeal(ctx context.Context, by audit.Actor, flagID int64, text string) error {
	text = strings.TrimSpace(text)
	if !fits(text) {
		return ErrText
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		f, err := flagTx(tx, flagID)
		now := s.Clock.Now()
		switch {
		case err != nil:
			return err
		case f.TraderID != by.ID:
			return ErrFlag
		case !f.Appealable(now):
			return ErrAppealed
		}
		err = db.MustAffect(tx.Rows.Model(&Flag{}).Where("id = ? AND appealed_at IS NULL", f.ID).Updates(map[string]any{"appeal": text, "appealed_at": now}))
		if err != nil {
			return db.OrRefusal(err, ErrAppealed)
		}
		return s.recordTx(ctx, tx, by, "conduct.appeal", f, map[string]any{}) // what the trader wrote is not recorded: it can be erased
	})
}

func flagTx(tx *db.Tx, id int64) (f Flag, err error) {
	if err := tx.Rows.Where("id = ?", id).Limit(1).Find(&f).Error; err != nil {
		return f, fmt.Errorf("read flag %d: %w", id, err)
	}
	if f.ID == 0 {
		return f, ErrFlag
	}
	return f, nil
}

// recordTx records an act on a flag, as one about the trader.
func (s *Service) recordTx(ctx context.Context, tx *db.Tx, by audit.Actor, action string, f Flag, facts map[string]any) error {
	facts["flag"] = f.ID
	after, err := json.Marshal(facts)
	if err != nil {
		return fmt.Errorf("describe an act on a flag: %w", err)
	}
	entry := audit.By(by, s.Clock.Now(), action, "trader", f.TraderID)
	entry.After = string(after)
	return audit.RecordTx(ctx, tx, entry)
}

// tellTx tells the trader what became of a flag: it was made (flagged), or an outcome.
func (s *Service) tellTx(ctx context.Context, tx *db.Tx, f Flag, what string) error {
	return s.Messenger.SendTx(ctx, tx, trader.Message{
		TraderID: f.TraderID, Category: trader.SecurityMessages, Key: "message.conduct_" + what, Cause: fmt.Sprint("conduct_flag:", f.ID),
		Words: func(say func(string) string) map[string]any {
			return map[string]any{"reason": say("score.reason." + string(f.Reason))}
		},
	})
}

// fits reports whether a note or an appeal has an allowed length.
func fits(text string) bool {
	n := utf8.RuneCountInString(text)
	return n >= shortestText && n <= LongestText && db.IsText(text)
}
