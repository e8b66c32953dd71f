package score

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/trader"
)

// Request is a flag as an agent makes it.
type Request struct {
	ConversationID int64
	Reason         Reason
	Note           string
}

// Flag flags the conduct of the trader of the agent's own conversation, and tells the trader. Refusals: ErrReason, ErrNote, ErrOwner, ErrFlagged, trader.ErrOwn, those of
// the conversation.
func (s *Service) Flag(ctx context.Context, by audit.Actor, r Request) error {
	r.Note = strings.TrimSpace(r.Note)
	switch {
	case !slices.Contains(Reasons, r.Reason):
		return ErrReason
	case !fits(r.Note):
		return ErrNote
	}
	c, err := s.Conversation(ctx, r.ConversationID)
	if err != nil {
		return err
	}
	if !c.OwnedBy(by.ID) || c.TraderID == nil {
		return ErrOwner
	}
	now := s.Clock.Now()
	f := Flag{TraderID: *c.TraderID, ConversationID: c.ID, Reason: r.Reason, Note: r.Note, MadeBy: by.ID, MadeAt: now, Day: day(now)}
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		found, err := trader.FindHolder(ctx, tx.Conn, f.TraderID)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return ErrOwner
		}
		if err := trader.CheckConflict(ctx, tx.Conn, by.ID, f.TraderID); err != nil {
			return err
		}
		if err := tx.Rows.Create(&f).Error; err != nil {
			return fmt.Errorf("flag trader %d: %w", f.TraderID, err)
		}
		if err := s.recordTx(ctx, tx, by, "conduct.flag", f, map[string]any{"reason": f.Reason}); err != nil {
			return err
		}
		return s.tellTx(ctx, tx, f, "message.conduct_flagged")
	})
	if db.IsUnique(err, "conduct_flags_day") {
		return ErrFlagged
	}
	return err
}

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
			return orChanged(err, ErrAppealed)
		}
		return s.recordTx(ctx, tx, by, "conduct.appeal", f, map[string]any{}) // what the trader wrote is not recorded: it can be erased
	})
}

// Appeals lists the appeals that nobody has decided, oldest first, at most limit.
func (s *Service) Appeals(ctx context.Context, limit int) (list []Flag, err error) {
	if err := s.DB.Rows(ctx).Where("appealed_at IS NOT NULL AND outcome IS NULL").Order("appealed_at, id").Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list appeals: %w", err)
	}
	return list, nil
}

// Decided lists the decided appeals, newest decision first, at most limit.
func (s *Service) Decided(ctx context.Context, limit int) (list []Flag, err error) {
	if err := s.DB.Rows(ctx).Where("outcome IS NOT NULL").Order("decided_at DESC, id DESC").Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list decided appeals: %w", err)
	}
	return list, nil
}

// Read reads a flag, for staff. Refusal: ErrFlag.
func (s *Service) Read(ctx context.Context, id int64) (f Flag, err error) {
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		f, err = flagTx(tx, id)
		return err
	})
	return f, err
}

// Decide is the decision on an appeal, by another person than the one who flagged. The trader is told. Refusals: ErrOutcome, ErrFlag, ErrDecided, ErrOwnFlag, trader.ErrOwn.
func (s *Service) Decide(ctx context.Context, by audit.Actor, id int64, outcome Outcome) error {
	if !slices.Contains(Outcomes, outcome) {
		return ErrOutcome
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		f, err := flagTx(tx, id)
		switch {
		case err != nil:
			return err
		case f.AppealedAt == nil || f.Outcome != nil:
			return ErrDecided
		case f.MadeBy == by.ID:
			return ErrOwnFlag
		}
		if err := trader.CheckConflict(ctx, tx.Conn, by.ID, f.TraderID); err != nil {
			return err
		}
		err = db.MustAffect(tx.Rows.Model(&Flag{}).Where("id = ? AND appealed_at IS NOT NULL AND outcome IS NULL", f.ID).
			Updates(map[string]any{"outcome": outcome, "decided_by": by.ID, "decided_at": s.Clock.Now()}))
		if err != nil {
			return orChanged(err, ErrDecided)
		}
		if err := s.recordTx(ctx, tx, by, "conduct.decide", f, map[string]any{"outcome": outcome}); err != nil {
			return err
		}
		return s.tellTx(ctx, tx, f, "message.conduct_"+string(outcome))
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

func (s *Service) tellTx(ctx context.Context, tx *db.Tx, f Flag, key string) error {
	return s.Messenger.SendTx(ctx, tx, trader.Message{
		TraderID: f.TraderID, Category: trader.SecurityMessages, Key: key, Cause: fmt.Sprint("conduct_flag:", f.ID),
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

// orChanged is the refusal where another request was first.
func orChanged(err, refusal error) error {
	if errors.Is(err, db.ErrChanged) {
		return refusal
	}
	return err
}
