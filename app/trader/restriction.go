package trader

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// RestrictionKind is what a restriction keeps a trader from.
type RestrictionKind string

// The kinds. Closing positions, paying in and practice money stay open under all of them; under RestrictLogin there is nobody to do any of it.
const (
	RestrictTrade    RestrictionKind = "trade"    // new orders with real money
	RestrictWithdraw RestrictionKind = "withdraw" // money out, and new ways for it
	RestrictLogin    RestrictionKind = "login"    // sessions: the living ones end at once
)

// RestrictionKinds are all of them, in the order to show.
var RestrictionKinds = []RestrictionKind{RestrictTrade, RestrictWithdraw, RestrictLogin}

// RestrictionReasons are what staff may choose and a trader reads of why, coded, in the order to show. SelfFrozen is beside them.
var RestrictionReasons = []string{"verification_needed", "unusual_activity", "requested_by_trader", "payment_dispute", "legal_order", "other"}

// Bounds of a restriction: its life where it has an end, and its note in characters.
const (
	ShortestRestriction = time.Hour
	LongestRestriction  = 365 * 24 * time.Hour
	LongestNote         = 1000
)

// Refusals about restrictions. They carry "why", a reason's code, and "until" in milliseconds where there is an end.
var (
	ErrLoginRestricted = errs.New(errs.Refused, "restriction.login")
	ErrMoneyRestricted = errs.New(errs.Refused, "restriction.withdraw")
)

// Restriction is what keeps a trader from something.
type Restriction struct {
	ID       int64
	TraderID int64
	Kind     RestrictionKind
	Reason   string
	Note     string // for staff alone
	SetBy    int64  // 0: the trader
	SetAt    time.Time
	UntilAt  *time.Time // nil until somebody lifts it
	EndedAt  *time.Time
	LiftedBy *int64
	LiftNote string
	Version  int
}

// Lives tells whether it keeps its trader from anything at that moment.
func (r Restriction) Lives(now time.Time) bool {
	return r.EndedAt == nil && (r.UntilAt == nil || now.Before(*r.UntilAt))
}

// toldTx tells a trader in the app that a restriction began or was lifted: what it is about, and why.
func (s *Service) toldTx(ctx context.Context, tx *db.Tx, r Restriction) error {
	key := "message.restricted"
	if r.LiftedBy != nil {
		key = "message.restriction_lifted"
	}
	return s.messenger.PutTx(ctx, tx, r.TraderID, key, func(say func(string) string) map[string]any {
		return map[string]any{"what": say("restriction." + string(r.Kind)), "why": say("restriction.reason." + r.Reason)}
	}, fmt.Sprintf("restriction:%d", r.ID))
}

// refuses is the refusal that it is, with why and until when.
func (r Restriction) refuses(refusal *errs.Error) error {
	refusal = refusal.With("why", r.Reason)
	if r.UntilAt != nil {
		refusal = refusal.With("until", r.UntilAt.UnixMilli())
	}
	return refusal
}

const restrictionColumns = `id, trader_id, kind, reason, note, coalesce(set_by, 0), set_at, until_at, ended_at, lifted_by, lift_note, version`

// Restrictions lists the living restrictions of a trader, at most one a kind.
func (s *Service) Restrictions(ctx context.Context, traderID int64) ([]Restriction, error) {
	return s.living(ctx, s.db.Pool, traderID, RestrictionKinds...)
}

// ToldRestriction is a restriction as staff read it, with the names of who set and lifted it; nobody's where the trader set it.
type ToldRestriction struct {
	Restriction
	Setter, Lifter string
}

// RestrictionHistory lists a trader's restrictions for staff, the newest first, at most limit.
func (s *Service) RestrictionHistory(ctx context.Context, traderID int64, limit int) ([]ToldRestriction, error) {
	return s.told(ctx, `trader_id = $1 ORDER BY id DESC LIMIT $2`, traderID, limit)
}

// FindRestriction reads one restriction of a trader, for staff. Refusal: ErrRestriction.
func (s *Service) FindRestriction(ctx context.Context, traderID, id int64) (r ToldRestriction, err error) {
	list, err := s.told(ctx, `trader_id = $1 AND id = $2`, traderID, id)
	if err != nil {
		return r, err
	}
	if len(list) == 0 {
		return r, ErrRestriction
	}
	return list[0], nil
}

func (s *Service) told(ctx context.Context, where string, args ...any) ([]ToldRestriction, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT `+restrictionColumns+`, coalesce((SELECT name FROM staff WHERE staff.id = set_by), ''), coalesce((SELECT name FROM staff WHERE staff.id = lifted_by), '')
		FROM trader_restrictions WHERE `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read restrictions: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[ToldRestriction])
}

// living are a trader's living restrictions of some kinds.
func (s *Service) living(ctx context.Context, q ledger.Querier, traderID int64, kinds ...RestrictionKind) ([]Restriction, error) {
	return restrictions(ctx, q, `trader_id = $1 AND kind = ANY($2) AND ended_at IS NULL AND (until_at IS NULL OR until_at > $3) ORDER BY id`, traderID, kinds, s.clock.Now())
}

func restrictions(ctx context.Context, q ledger.Querier, where string, args ...any) ([]Restriction, error) {
	rows, err := q.Query(ctx, `SELECT `+restrictionColumns+` FROM trader_restrictions WHERE `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read restrictions: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Restriction])
	if err != nil {
		return nil, fmt.Errorf("read restrictions: %w", err)
	}
	return list, nil
}

// mayMoveMoney returns ErrMoneyRestricted while the trader's money is kept in by staff.
func (s *Service) mayMoveMoney(ctx context.Context, q db.Querier, traderID int64) error {
	list, err := s.living(ctx, q, traderID, RestrictWithdraw)
	if err != nil || len(list) == 0 {
		return err
	}
	return list[0].refuses(ErrMoneyRestricted)
}

// mayLogIn returns ErrLoginRestricted while the trader is kept from logging in.
func (s *Service) mayLogIn(ctx context.Context, q ledger.Querier, traderID int64) error {
	list, err := s.living(ctx, q, traderID, RestrictLogin)
	if err != nil || len(list) == 0 {
		return err
	}
	return list[0].refuses(ErrLoginRestricted)
}

// mayLogInTx is mayLogIn for whoever opens a session: a restriction that is being set waits until the session is there, and ends it.
func (s *Service) mayLogInTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	if _, err := tx.Conn.Exec(ctx, `SELECT FROM traders WHERE id = $1 FOR SHARE`, traderID); err != nil {
		return fmt.Errorf("lock trader %d: %w", traderID, err)
	}
	return s.mayLogIn(ctx, tx.Conn, traderID)
}

// Restricting is what a member of staff asks for. Life of zero has no end.
type Restricting struct {
	TraderID int64
	Kind     RestrictionKind
	Reason   string
	Note     string
	Life     time.Duration
}

func (r Restricting) check() error {
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

// checkNote demands words that can be kept.
func checkNote(field, text string, longest int) error {
	switch {
	case text == "":
		return errs.Field(field, "field.required")
	case !db.IsText(text) || utf8.RuneCountInString(text) > longest:
		return errs.Field(field, "field.length")
	}
	return nil
}
