package kyc

import (
	"context"
	"strconv"
	"unicode/utf8"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/app/staff/member"
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
func (a Application) LevelAsked() bool { return a.LevelApproval != nil && a.Level == level }

// MayAskLevel reports whether the higher level may be requested.
func (a Application) MayAskLevel() bool {
	return a.State == Approved && a.Level == level && !a.LevelAsked()
}

// MayLowerLevel reports whether the trader has the higher level.
func (a Application) MayLowerLevel() bool { return a.Verified() && a.Level == higher }

// withLevel adds a level that needs no second person to the columns; it clears the request and the grant of the higher level.
func withLevel(columns map[string]any, to int) map[string]any {
	columns["level"], columns["level_approval"], columns["level_asked_at"] = to, nil, nil
	return columns
}

// levelUse declares the higher level, which the lead requests and a reviewer approves.
var levelUse = approval.Use{Name: "identity_level", Area: "kyc", About: "level", Target: "kyc", Duty: member.IdentityDuty}

// LevelApprovals reads the approvals of the higher level, by application. An application without one is absent.
func (s *Service) LevelApprovals(ctx context.Context, list ...Application) (map[int64]approval.Approval, error) {
	return approval.ByCase(ctx, s.levels, list, func(a Application) *int64 { return a.LevelApproval })
}

// openLevelTx reads the open request of the higher level. It returns ErrState without one.
func (s *Service) openLevelTx(t deskAct) (approval.Approval, error) {
	open, err := s.levels.OpenTx(t.Tx, strconv.FormatInt(t.ID, 10))
	if err == nil && (!t.LevelAsked() || len(open) == 0) {
		err = ErrState
	}
	if err != nil {
		return approval.Approval{}, err
	}
	return open[0], nil
}

// lapseLevelTx ends the open request of the higher level when changes of the application forget it.
func (s *Service) lapseLevelTx(ctx context.Context, tx *db.Tx, a Application, changes map[string]any) error {
	if forgotten, changed := changes["level_approval"]; !changed || forgotten != nil || a.LevelApproval == nil {
		return nil
	}
	return s.levels.LapseTx(ctx, tx, *a.LevelApproval)
}

// AskLevel is the lead's request of the higher level for a verified trader. It ends with a decision, or when the approval or its level changes.
// Refusals: ErrLevelWhy, ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) AskLevel(ctx context.Context, by audit.Actor, id int64, version int, why string) (Application, error) {
	return s.level(ctx, by, id, version, approval.InEngine, why, func(t deskAct) (map[string]any, error) {
		if !t.MayAskLevel() {
			return nil, ErrState
		}
		if err := t.mayDecide(ctx, Approved); err != nil {
			return nil, err
		}
		to := higher
		a, err := s.levels.RequestTx(ctx, t.Tx, by, approval.Request{
			Subject: strconv.FormatInt(t.ID, 10), TraderID: &t.TraderID, Proposal: approval.Fields{"level": &to}, Note: why, People: 2,
		})
		return staff.Released(map[string]any{"level_approval": a.ID, "level_asked_at": t.now}), err
	})
}

// GrantLevel is the reviewer's confirmation, as the second person, of the requested higher level; the trader's higher limits apply at once.
// Refusals: ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged, and those of approval.Service.ApproveTx.
func (s *Service) GrantLevel(ctx context.Context, by audit.Actor, id int64, version int) (Application, error) {
	return s.act(ctx, by, id, version, approval.InEngine, func(t deskAct) (map[string]any, error) {
		a, err := s.openLevelTx(t)
		if err != nil {
			return nil, err
		}
		if err := t.mayEditClaimed(ctx, []staff.Role{staff.ComplianceReviewer}, Approved); err != nil {
			return nil, err
		}
		_, err = s.levels.ApproveTx(ctx, t.Tx, by, a.ID, a.Version, a.State, a.Facts)
		return staff.Released(map[string]any{"level": higher}), err
	})
}

// RefuseLevel is the reviewer's refusal of the requested higher level, or the lead's cancellation of the request: the level stays.
// Refusals: ErrLevelWhy, ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) RefuseLevel(ctx context.Context, by audit.Actor, id int64, version int, why string) (Application, error) {
	return s.level(ctx, by, id, version, approval.InEngine, why, func(t deskAct) (map[string]any, error) {
		a, err := s.openLevelTx(t)
		if err != nil {
			return nil, err
		}
		if err := t.mayEditClaimed(ctx, t.deskRoles(), Approved); err != nil {
			return nil, err
		}
		_, err = s.levels.DeclineTx(ctx, t.Tx, by, a, why)
		return staff.Released(withLevel(map[string]any{}, level)), err
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
