package trader

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff/member"
)

// RestrictionKind is the activity that a restriction blocks.
type RestrictionKind string

// The kinds. None of them blocks closing positions, deposits or mock money; under RestrictLogin the trader can't log in to use them.
const (
	RestrictTrade    RestrictionKind = "trade"    // new orders with real money
	RestrictWithdraw RestrictionKind = "withdraw" // withdrawals and new payees
	RestrictLogin    RestrictionKind = "login"    // new sessions; the open ones end at once
)

// RestrictionKinds are all kinds in display order.
var RestrictionKinds = []RestrictionKind{RestrictTrade, RestrictWithdraw, RestrictLogin}

// RestrictionReasons are the codes of the reasons that staff may choose and the trader reads, in display order. SelfFrozen is not among them.
var RestrictionReasons = []string{"verification_needed", "unusual_activity", "requested_by_trader", "payment_dispute", "legal_order", "other"}

// Limits of a restriction: its duration unless it is open-ended, and its note in characters.
const (
	ShortestRestriction = time.Hour
	LongestRestriction  = 365 * 24 * time.Hour
	LongestNote         = 1000
)

// Refusals about restrictions. They carry "why", a reason's code, and "until" in milliseconds when there is an end.
var (
	ErrLoginRestricted = errs.New(errs.Refused, "restriction.login")
	ErrMoneyRestricted = errs.New(errs.Refused, "restriction.withdraw")
)

// Restriction blocks an activity of a trader.
type Restriction struct {
	ID       int64
	TraderID int64
	Kind     RestrictionKind
	Reason   string
	Note     string // for staff only
	SetBy    int64  `gorm:"default:null"` // 0: the trader
	SetAt    time.Time
	UntilAt  *time.Time // nil until lifted
	EndedAt  *time.Time
	LiftedBy *int64
	LiftNote string
	Version  int
}

// TableName is GORM's name of the table.
func (Restriction) TableName() string { return "trader_restrictions" }

// Active reports whether the restriction is active at a moment.
func (r Restriction) Active(now time.Time) bool {
	return r.EndedAt == nil && (r.UntilAt == nil || now.Before(*r.UntilAt))
}

// notifyTx notifies a trader in the app that a restriction began or was lifted, with its kind and reason.
func (s *Service) notifyTx(ctx context.Context, tx *db.Tx, r Restriction) error {
	key := "message.restricted"
	if r.LiftedBy != nil {
		key = "message.restriction_lifted"
	}
	return s.messenger.SendTx(ctx, tx, Message{
		TraderID: r.TraderID, Category: SecurityMessages, Key: key, Cause: fmt.Sprintf("restriction:%d", r.ID), AppOnly: true,
		Words: func(say func(string) string) map[string]any {
			return map[string]any{"what": say("restriction." + string(r.Kind)), "why": say("restriction.reason." + r.Reason)}
		},
	})
}

// refuses adds the reason and the end to a refusal.
func (r Restriction) refuses(refusal *errs.Error) error {
	refusal = refusal.With("why", r.Reason)
	if r.UntilAt != nil {
		refusal = refusal.With("until", r.UntilAt.UnixMilli())
	}
	return refusal
}

// Restrictions lists the active restrictions of a trader, at most one of each kind.
func (s *Service) Restrictions(ctx context.Context, traderID int64) ([]Restriction, error) {
	return s.active(s.db.Rows(ctx), traderID, RestrictionKinds...)
}

// StaffRestriction is a restriction for staff, with the names of its setter and lifter; an empty name when the trader set it.
type StaffRestriction struct {
	Restriction
	Setter, Lifter string
}

// RestrictionHistory lists a trader's restrictions for staff, newest first, at most limit.
func (s *Service) RestrictionHistory(ctx context.Context, traderID int64, limit int) ([]StaffRestriction, error) {
	return s.staffRestrictions(ctx, s.db.Rows(ctx).Where("trader_id = ?", traderID).Order("id DESC").Limit(limit))
}

// FindRestriction reads one restriction of a trader, for staff. Refusal: ErrRestriction.
func (s *Service) FindRestriction(ctx context.Context, traderID, id int64) (r StaffRestriction, err error) {
	list, err := s.staffRestrictions(ctx, s.db.Rows(ctx).Where("trader_id = ? AND id = ?", traderID, id))
	if err != nil {
		return r, err
	}
	if len(list) == 0 {
		return r, ErrRestriction
	}
	return list[0], nil
}

func (s *Service) staffRestrictions(ctx context.Context, rows *gorm.DB) ([]StaffRestriction, error) {
	found, err := restrictions(rows)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, r := range found {
		ids = append(ids, r.SetBy, member.ID(r.LiftedBy))
	}
	names, err := member.Names(ctx, s.db.Pool, ids...)
	if err != nil {
		return nil, err
	}
	list := make([]StaffRestriction, len(found))
	for i, r := range found {
		list[i] = StaffRestriction{Restriction: r, Setter: names[r.SetBy], Lifter: names[member.ID(r.LiftedBy)]}
	}
	return list, nil
}

// active returns a trader's active restrictions of some kinds.
func (s *Service) active(rows *gorm.DB, traderID int64, kinds ...RestrictionKind) ([]Restriction, error) {
	rows = rows.Where("trader_id = ? AND kind IN ? AND ended_at IS NULL AND (until_at IS NULL OR until_at > ?)", traderID, kinds, s.clock.Now())
	return restrictions(rows.Order("id"))
}

func restrictions(rows *gorm.DB) (list []Restriction, err error) {
	if err := rows.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read restrictions: %w", err)
	}
	return list, nil
}

// mayMoveMoney returns ErrMoneyRestricted while staff restrict the trader's withdrawals.
func (s *Service) mayMoveMoney(rows *gorm.DB, traderID int64) error {
	list, err := s.active(rows, traderID, RestrictWithdraw)
	if err != nil || len(list) == 0 {
		return err
	}
	return list[0].refuses(ErrMoneyRestricted)
}

// mayLogIn returns ErrLoginRestricted while the trader may not log in.
func (s *Service) mayLogIn(rows *gorm.DB, traderID int64) error {
	list, err := s.active(rows, traderID, RestrictLogin)
	if err != nil || len(list) == 0 {
		return err
	}
	return list[0].refuses(ErrLoginRestricted)
}

// mayLogInTx is mayLogIn for opening a session: a concurrent restriction waits until the session exists, and ends it.
func (s *Service) mayLogInTx(tx *db.Tx, traderID int64) error {
	if _, err := lockRowTx(tx, clause.LockingStrengthShare, traderID); err != nil {
		return err
	}
	return s.mayLogIn(tx.Rows, traderID)
}

// RestrictionRequest is a request to restrict a trader. A zero Life has no end.
type RestrictionRequest struct {
	TraderID int64
	Kind     RestrictionKind
	Reason   string
	Note     string
	Life     time.Duration
}

func (r RestrictionRequest) check() error {
	switch {
	case !slices.Contains(RestrictionKinds, r.Kind):
		return errs.Field("kind", "field.choice")
	case !slices.Contains(RestrictionReasons, r.Reason):
		return errs.Field("reason", "field.choice")
	case r.Life != 0 && (r.Life < ShortestRestriction || r.Life > LongestRestriction):
		return errs.Field("life", "field.choice")
	}
	return checkNote("note", r.Note, LongestNote)
}

// checkNote refuses a note that is empty, too long or not storable.
func checkNote(field, text string, longest int) error {
	switch {
	case text == "":
		return errs.Field(field, "field.required")
	case !db.IsText(text) || utf8.RuneCountInString(text) > longest:
		return errs.Field(field, "field.length")
	}
	return nil
}
