package kyc

import (
	"context"
	"unicode/utf8"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff"
)

// Limits of the reason for a level, in characters.
const (
	ShortestWhy = 10
	LongestWhy  = 1_000
)

// ErrLevelWhy refuses a reason for a level that is too short or too long.
var ErrLevelWhy = errs.Field("note", "field.why")

func checkWhy(why string) error {
	if n := utf8.RuneCountInString(why); n < ShortestWhy || n > LongestWhy || !db.IsText(why) {
		return ErrLevelWhy
	}
	return nil
}

// LevelAsked reports whether a request for the higher level is undecided.
func (a Application) LevelAsked() bool { return a.LevelAskedBy != nil && a.LevelGrantedBy == nil }

// MayAskLevel reports whether the higher level may be requested.
func (a Application) MayAskLevel() bool {
	return a.State == Approved && a.Level == level && !a.LevelAsked()
}

// MayLowerLevel reports whether the trader has the higher level.
func (a Application) MayLowerLevel() bool { return a.Verified() && a.Level == higher }

// withLevel adds a level that needs no second person to the columns; it clears the request and the grant of the higher level.
func withLevel(columns map[string]any, to int) map[string]any {
	columns["level"] = to
	columns["level_asked_by"], columns["level_asked_at"], columns["level_reason"], columns["level_granted_by"] = nil, nil, nil, nil
	return columns
}

// AskLevel is the lead's request of the higher level for a verified trader. It ends with a decision, or when the approval or its level changes.
// Refusals: ErrLevelWhy, ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) AskLevel(ctx context.Context, by audit.Actor, id int64, version int, why string) (Application, error) {
	return s.level(ctx, by, id, version, "kyc.ask_level", why, func(t deskAct) (map[string]any, error) {
		if !t.MayAskLevel() {
			return nil, ErrState
		}
		if err := t.mayDecide(ctx, Approved); err != nil {
			return nil, err
		}
		return staff.Released(map[string]any{"level_asked_by": by.ID, "level_asked_at": t.now, "level_reason": why}), nil
	})
}

// GrantLevel is the reviewer's confirmation, as the second person, of the requested higher level; the trader's higher limits apply at once.
// Refusals: ErrUnknown, ErrState, ErrRole, ErrSelf, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) GrantLevel(ctx context.Context, by audit.Actor, id int64, version int) (Application, error) {
	return s.act(ctx, by, id, version, "kyc.grant_level", func(t deskAct) (map[string]any, error) {
		switch {
		case !t.LevelAsked():
			return nil, ErrState
		case *t.LevelAskedBy == by.ID:
			return nil, ErrSelf
		}
		if err := t.mayEditClaimed(ctx, []staff.Role{staff.ComplianceReviewer}, Approved); err != nil {
			return nil, err
		}
		return staff.Released(map[string]any{"level": higher, "level_granted_by": by.ID}), nil
	})
}

// RefuseLevel is the reviewer's refusal of the requested higher level, or the lead's cancellation of the request: the level stays.
// Refusals: ErrLevelWhy, ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) RefuseLevel(ctx context.Context, by audit.Actor, id int64, version int, why string) (Application, error) {
	return s.level(ctx, by, id, version, "kyc.refuse_level", why, func(t deskAct) (map[string]any, error) {
		if !t.LevelAsked() {
			return nil, ErrState
		}
		if err := t.mayEditClaimed(ctx, t.deskRoles(), Approved); err != nil {
			return nil, err
		}
		return staff.Released(withLevel(map[string]any{}, level)), nil
	})
}

// LowerLevel returns the trader to the standard level, by one lead alone; the standard limits apply at once.
// Refusals: ErrLevelWhy, ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) LowerLevel(ctx context.Context, by audit.Actor, id int64, version int, why string) (Application, error) {
	return s.level(ctx, by, id, version, "kyc.lower_level", why, func(t deskAct) (map[string]any, error) {
		if !t.MayLowerLevel() {
			return nil, ErrState
		}
		if err := t.mayDecide(ctx, Approved, Expiring); err != nil {
			return nil, err
		}
		return staff.Released(withLevel(map[string]any{}, level)), nil
	})
}

// level is act with a reason, which the audit entry keeps.
func (s *Service) level(ctx context.Context, by audit.Actor, id int64, version int, action, why string, decide func(deskAct) (map[string]any, error)) (Application, error) {
	if err := checkWhy(why); err != nil {
		return Application{}, err
	}
	return s.act(ctx, by, id, version, action, func(t deskAct) (map[string]any, error) {
		t.about["why"] = why
		return decide(t)
	})
}
