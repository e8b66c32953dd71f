package kyc

import (
	"context"
	"unicode/utf8"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff"
)

// Bounds of the words that say why a level is to be another one, in characters.
const (
	ShortestWhy = 10
	LongestWhy  = 1_000
)

// ErrLevelWhy refuses words that do not say why a level is to be another one.
var ErrLevelWhy = errs.Field("note", "field.why")

func checkWhy(why string) error {
	if n := utf8.RuneCountInString(why); n < ShortestWhy || n > LongestWhy || !db.IsText(why) {
		return ErrLevelWhy
	}
	return nil
}

// LevelAsked tells whether somebody has asked for the higher level, and nobody has decided about that yet.
func (a Application) LevelAsked() bool { return a.LevelAskedBy != nil && a.LevelGrantedBy == nil }

// MayAskLevel tells whether the higher level may be asked for.
func (a Application) MayAskLevel() bool {
	return a.State == Approved && a.Level == level && !a.LevelAsked()
}

// MayLowerLevel tells whether there is a higher level to take back.
func (a Application) MayLowerLevel() bool { return a.Verified() && a.Level == higher }

// levelled adds a level that takes no second person to the columns of a change: nobody asks for the higher one any more, or has granted it.
func levelled(columns map[string]any, to int) map[string]any {
	columns["level"] = to
	columns["level_asked_by"], columns["level_asked_at"], columns["level_reason"], columns["level_granted_by"] = nil, nil, nil, nil
	return columns
}

// AskLevel is the lead's request of the higher level for a trader who is verified. It holds until somebody decides about it, or the approval or its level is
// another one. Refusals: ErrLevelWhy, ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) AskLevel(ctx context.Context, by Desk, id int64, version int, why string) (Application, error) {
	return s.level(ctx, by, id, version, "kyc.ask_level", why, func(t turn) (map[string]any, error) {
		if !t.MayAskLevel() {
			return nil, ErrState
		}
		if err := t.mayDecide(ctx, Approved); err != nil {
			return nil, err
		}
		return staff.Released(map[string]any{"level_asked_by": by.ID, "level_asked_at": t.now, "level_reason": why}), nil
	})
}

// GrantLevel is a reviewer's agreement, as the second person, to the higher level that a lead has asked for; the trader's limits are higher at once.
// Refusals: ErrUnknown, ErrState, ErrRole, ErrSelf, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) GrantLevel(ctx context.Context, by Desk, id int64, version int) (Application, error) {
	return s.act(ctx, by, id, version, "kyc.grant_level", func(t turn) (map[string]any, error) {
		switch {
		case !t.LevelAsked():
			return nil, ErrState
		case *t.LevelAskedBy == by.ID:
			return nil, ErrSelf
		}
		if err := t.mayHold(ctx, []staff.Role{staff.ComplianceReviewer}, Approved); err != nil {
			return nil, err
		}
		return staff.Released(map[string]any{"level": higher, "level_granted_by": by.ID}), nil
	})
}

// RefuseLevel is a reviewer's no to the higher level that a lead has asked for, or a lead's who takes it back: the level stays as it is.
// Refusals: ErrLevelWhy, ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) RefuseLevel(ctx context.Context, by Desk, id int64, version int, why string) (Application, error) {
	return s.level(ctx, by, id, version, "kyc.refuse_level", why, func(t turn) (map[string]any, error) {
		if !t.LevelAsked() {
			return nil, ErrState
		}
		if err := t.mayHold(ctx, t.deskRoles(), Approved); err != nil {
			return nil, err
		}
		return staff.Released(levelled(map[string]any{}, level)), nil
	})
}

// LowerLevel takes the higher level back, which one lead does alone: the trader's limits are the standard ones at once.
// Refusals: ErrLevelWhy, ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) LowerLevel(ctx context.Context, by Desk, id int64, version int, why string) (Application, error) {
	return s.level(ctx, by, id, version, "kyc.lower_level", why, func(t turn) (map[string]any, error) {
		if !t.MayLowerLevel() {
			return nil, ErrState
		}
		if err := t.mayDecide(ctx, Approved, Expiring); err != nil {
			return nil, err
		}
		return staff.Released(levelled(map[string]any{}, level)), nil
	})
}

// level is act with the words that say why, which its audit entry keeps.
func (s *Service) level(ctx context.Context, by Desk, id int64, version int, action, why string, decide func(turn) (map[string]any, error)) (Application, error) {
	if err := checkWhy(why); err != nil {
		return Application{}, err
	}
	return s.act(ctx, by, id, version, action, func(t turn) (map[string]any, error) {
		t.about["why"] = why
		return decide(t)
	})
}
