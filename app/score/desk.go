package score

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/trader"
)

// Target is the time in which staff aim to decide an appeal.
const Target = 2 * 24 * time.Hour

// Refusals that only staff read.
var (
	ErrDecided = errs.New(errs.Conflict, "score.decided")   // not appealed, or decided already
	ErrOwnFlag = errs.New(errs.Forbidden, "score.own_flag") // another person decides
	ErrFlagged = errs.New(errs.Conflict, "score.flagged")   // once a day for each trader
	ErrOwner   = errs.New(errs.Forbidden, "score.owner")    // the conversation is not the member's own, or with a visitor or a guest
	ErrReason  = errs.Field("reason", "field.choice")
	ErrNote    = errs.Field("note", "field.length")
	ErrOutcome = errs.Field("outcome", "field.choice")
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
		return s.tellTx(ctx, tx, f, "flagged")
	})
	if db.IsUnique(err, "conduct_flags_day") {
		return ErrFlagged
	}
	return err
}

// Appeals lists the appeals that nobody has decided, oldest first, at most limit.
func (s *Service) Appeals(ctx context.Context, limit int) (list []Flag, err error) {
	if err := s.DB.Rows(ctx).Where("appealed_at IS NOT NULL AND outcome IS NULL").Order("appealed_at, id").Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list appeals: %w", err)
	}
	return list, nil
}

// CountAppeals counts the appeals that nobody has decided, and returns since when the first of them waits.
func (s *Service) CountAppeals(ctx context.Context) (n int64, oldest time.Time, err error) {
	var first *time.Time
	err = s.DB.Pool.QueryRow(ctx, `SELECT count(*), min(appealed_at) FROM conduct_flags WHERE appealed_at IS NOT NULL AND outcome IS NULL`).Scan(&n, &first)
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("count appeals: %w", err)
	}
	if first != nil {
		oldest = *first
	}
	return n, oldest, nil
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
			return db.OrRefusal(err, ErrDecided)
		}
		if err := s.recordTx(ctx, tx, by, "conduct.decide", f, map[string]any{"outcome": outcome}); err != nil {
			return err
		}
		return s.tellTx(ctx, tx, f, string(outcome))
	})
}
