package deposit

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Filter selects a page of a trader's deposits.
type Filter struct {
	Before int64 // keyset: deposits with a smaller id
	Offset int   // for numbered pages
	Limit  int
}

func (f Filter) list(traderID int64) db.List {
	l := db.List{Columns: db.Columns[Deposit](), Table: "deposits", Order: "id DESC", Offset: f.Offset, Limit: f.Limit}
	l.Rows("trader_id = ?", traderID)
	l.RowsIf(f.Before != 0, "id < ?", f.Before)
	return l
}

// List reads a trader's deposits, newest first, and the id after which the next page begins: 0 after the last page.
func (s *Service) List(ctx context.Context, traderID int64, f Filter) (list []Deposit, next int64, err error) {
	return db.Read(ctx, s.db.Pool, f.list(traderID), pgx.RowToStructByName[Deposit], func(d Deposit) int64 { return d.ID })
}

// Count counts a trader's last db.Stretch deposits; more reports whether there are older ones.
func (s *Service) Count(ctx context.Context, traderID int64) (total int, more bool, err error) {
	return db.Count(ctx, s.db.Pool, Filter{}.list(traderID))
}

// Queue lists at most limit deposits that wait for staff, the longest waiting first, after a keyset cursor (zero for the start).
func (s *Service) Queue(ctx context.Context, afterProof time.Time, afterID int64, limit int) ([]Deposit, error) {
	list, _, err := s.Find(ctx, Search{}, Cursor{At: afterProof, ID: afterID}, limit)
	return list, err
}

// Search is the desk's list filter. Empty fields do not filter.
type Search struct {
	Kind      Kind
	State     State
	ID        int64     // in any state
	Reference string    // by payment reference, in any state
	Ended     bool      // ended deposits instead of those that wait for staff
	Expected  bool      // announced bank transfers without a proof, instead of those
	From, To  time.Time // announced at From or later, and before To
	TraderID  int64
	ChannelID int64
	Claimant  int64 // who has claimed it now
	Least     int64 // the smallest announced amount
}

// Waits are the states in which a deposit waits for staff, and Ends are those in which it has ended.
var (
	WaitingStates = []State{ProofSubmitted, InReview, Approved, MoreInfo, ProviderUnknown, Appealed, AMLReview, BelowMin, WrongAsset, Refunding}
	EndedStates   = []State{Credited, Rejected, Expired, Cancelled, Failed, Dropped, Refunded, ChargedBack, Reversed}
)

// The conditions of the queue and of the list of ended deposits, as their partial indexes write them.
const (
	waitingCondition = `(state IN ('proof_submitted', 'in_review', 'approved', 'more_info', 'provider_unknown', 'appeal', 'aml_hold', 'below_min', 'wrong_asset', 'refunding')
		OR ` + missingCondition + `)`
	endedCondition = `state IN ('credited', 'rejected', 'expired', 'cancelled', 'failed', 'dropped', 'refunded', 'charged_back', 'reversed')`
)

// Cursor is a cursor: the time of a deposit in its list, and its id. The zero Place is before the first.
type Cursor struct {
	At time.Time
	ID int64
}

// Find lists deposits that wait for staff, the longest waiting first, or ended deposits, the newest first, after a cursor. It returns the cursor of the next
// page, zero after the last one: a page may be shorter than its limit when a filter matches few deposits.
func (s *Service) Find(ctx context.Context, q Search, after Cursor, limit int) (list []Deposit, next Cursor, err error) {
	l := db.List{Columns: db.Columns[Deposit](), Table: "deposits", Order: "proof_at, id", Limit: limit}
	cursorOf := func(d Deposit) Cursor {
		if d.ProofAt == nil {
			return Cursor{ID: d.ID}
		}
		return Cursor{*d.ProofAt, d.ID}
	}
	switch {
	case q.ID != 0:
		l.Rows("id = ?", q.ID)
	case q.Reference != "":
		l.Rows("reference = ?", q.Reference)
	case q.Ended:
		l.Order, cursorOf = "created_at DESC, id DESC", func(d Deposit) Cursor { return Cursor{d.CreatedAt, d.ID} }
		l.Rows(endedCondition)
		l.RowsIf(q.State != "", "state = ?", q.State)
		l.RowsIf(after.ID != 0, "(created_at, id) < (?, ?)", after.At, after.ID)
		l.RowsIf(!q.From.IsZero(), "created_at >= ?", q.From)
		l.RowsIf(!q.To.IsZero(), "created_at < ?", q.To)
	case q.Expected:
		l.Order, cursorOf = "created_at, id", func(d Deposit) Cursor { return Cursor{d.CreatedAt, d.ID} }
		l.Rows("state = 'awaiting_transfer'")
		l.RowsIf(after.ID != 0, "(created_at, id) > (?, ?)", after.At, after.ID)
	default:
		l.Rows(waitingCondition)
		l.Rows("(proof_at, id) > (?, ?)", after.At, after.ID)
	}
	narrowed := !q.Ended || q.ID != 0 || q.Reference != ""
	l.KeepIf(q.Kind != "", "kind = ?", q.Kind)
	l.KeepIf(q.TraderID != 0, "trader_id = ?", q.TraderID)
	l.KeepIf(q.ChannelID != 0, "channel_id = ?", q.ChannelID)
	l.KeepIf(q.Claimant != 0, "claimed_by = ? AND claimed_until > ?", q.Claimant, s.clock.Now())
	l.KeepIf(q.Least > 0, "amount >= ?", q.Least)
	l.KeepIf(narrowed && q.State != "", "state = ?", q.State)
	l.KeepIf(narrowed && !q.From.IsZero(), "created_at >= ?", q.From)
	l.KeepIf(narrowed && !q.To.IsZero(), "created_at < ?", q.To)
	list, id, err := db.Read(ctx, s.db.Pool, l, pgx.RowToStructByName[Deposit], func(d Deposit) int64 { return d.ID })
	if err != nil || id == 0 {
		return list, Cursor{}, err
	}
	if n := len(list); n > 0 && list[n-1].ID == id {
		return list, cursorOf(list[n-1]), nil
	}
	last, err := s.Read(ctx, id) // the last scanned deposit, which did not match
	return list, cursorOf(last), err
}

// CountWaiting counts the deposits that wait for a decision, at most db.Stretch, and returns when the oldest began to wait.
func (s *Service) CountWaiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	var since *time.Time
	err = s.db.Pool.QueryRow(ctx, `
		SELECT count(*), min(proof_at) FROM (
			SELECT proof_at FROM deposits
			WHERE state IN ('proof_submitted', 'in_review', 'approved', 'provider_unknown', 'appeal', 'aml_hold', 'below_min', 'wrong_asset', 'refunding')
				OR `+missingCondition+`
			ORDER BY proof_at, id LIMIT $1) first`, db.Stretch).Scan(&n, &since)
	if since != nil {
		oldest = *since
	}
	return n, oldest, err
}

// Kinds lists the kinds of the channels, in the order of the channels.
func (s *Service) Kinds(ctx context.Context) (list []Kind, err error) {
	return list, s.db.Rows(ctx).Raw(`SELECT kind FROM pay_channels GROUP BY kind ORDER BY min(sort), kind LIMIT 10`).Scan(&list).Error
}
