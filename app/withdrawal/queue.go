package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Search is the list filter of the desk's queue. Empty fields do not filter.
type Search struct {
	States   []State
	Risk     int           // minimum
	Waiting  time.Duration // minimum time since the request
	TraderID int64
	ID       int64
	Payment  string // the bank reference, in any case
	Kind     Kind
	Chain    string
	Address  string    // complete, as its chain writes it
	Claimant int64     // who has claimed it now
	Least    int64     // the smallest amount
	Largest  bool      // the largest amount first, of open withdrawals
	Ended    bool      // ended withdrawals instead of open ones
	From, To time.Time // requested, or with Ended ended, at From or later, and before To
}

// named reports whether the filter names one withdrawal, which is found in any state.
func (q Search) named() bool { return q.ID != 0 || q.Payment != "" }

// Queue reads open withdrawals, the longest waiting first, or ended ones, the last ended first, after a withdrawal's id; 0 is the start. It returns the id
// after which the next page begins, 0 after the last page: a page may be shorter than its limit when a risk, a kind or a chain matches few. A named withdrawal
// is found in any state.
func (s *Service) Queue(ctx context.Context, q Search, after int64, limit int) (list []Withdrawal, next int64, err error) {
	l := db.List{Columns: db.Columns[Withdrawal](), Table: "withdrawals", Order: "created_at, id", Limit: limit}
	since := "created_at"
	if q.Ended = q.Ended && !q.named(); q.Ended {
		l.Order, since = "ended_at DESC, id DESC", "ended_at"
		l.Rows("ended_at IS NOT NULL")
		l.RowsIf(after != 0, "(ended_at, id) < ((SELECT ended_at FROM withdrawals WHERE id = ?), ?)", after, after)
	} else if l.RowsIf(!q.named(), "ended_at IS NULL"); q.Largest {
		l.Order = "amount DESC, id DESC"
		l.RowsIf(after != 0, "(amount, id) < ((SELECT amount FROM withdrawals WHERE id = ?), ?)", after, after)
	} else {
		l.RowsIf(after != 0, "(created_at, id) > ((SELECT created_at FROM withdrawals WHERE id = ?), ?)", after, after)
	}
	l.RowsIf(q.ID != 0, "id = ?", q.ID)
	l.RowsIf(q.Payment != "", "reference_key(payment) = ?", ledger.ReferenceKey(q.Payment))
	l.RowsIf(!q.From.IsZero(), since+" >= ?", q.From)
	l.RowsIf(!q.To.IsZero(), since+" < ?", q.To)
	l.RowsIf(q.Waiting > 0 && !q.Ended, "created_at < ?", s.clock.Now().Add(-q.Waiting))
	l.RowsIf(q.Address != "", "address = ? AND address <> ''", q.Address) // uses the index of addresses
	l.RowsIf(q.Address == "" && q.TraderID != 0, "trader_id = ?", q.TraderID)
	l.KeepIf(q.Address != "" && q.TraderID != 0, "trader_id = ?", q.TraderID)
	inOrder := q.TraderID == 0 && q.Address == "" && len(q.States) == 1 // uses the index of states
	if inOrder {
		l.Rows("state = ?", q.States[0])
	}
	l.KeepIf(!inOrder && len(q.States) > 0, "state = ANY(?::text[]::withdrawal_state[])", q.States)
	l.KeepIf(q.Risk > 0, "risk >= ?", q.Risk)
	l.KeepIf(q.Least > 0, "amount >= ?", q.Least)
	l.KeepIf(q.Claimant != 0, "claimed_by = ? AND claimed_until > ?", q.Claimant, s.clock.Now())
	l.KeepIf(q.Kind != "", "kind = ?", q.Kind)
	l.KeepIf(q.Chain != "", "chain = ?", q.Chain)
	list, next, err = db.Read(ctx, s.db.Pool, l, pgx.RowToStructByName[Withdrawal], func(w Withdrawal) int64 { return w.ID })
	if err != nil {
		return nil, 0, fmt.Errorf("read the queue of withdrawals: %w", err)
	}
	return list, next, nil
}

// isHash reports whether a reference is a transaction hash.
func isHash(text string) bool {
	for _, form := range hashes {
		if form.MatchString(text) {
			return true
		}
	}
	return false
}

// TradersByHash is the trader whose withdrawal a transaction paid, by its complete hash, for staff, with an id below a trader's (0 for all); none for any other text.
func (s *Service) TradersByHash(ctx context.Context, hash string, below int64, limit int) (ids []int64, err error) {
	if !isHash(strings.ToLower(strings.TrimSpace(hash))) {
		return nil, nil
	}
	err = s.db.Rows(ctx).Raw(`SELECT trader_id FROM withdrawals WHERE reference_key(payment) = ? AND (?::bigint = 0 OR trader_id < ?) LIMIT ?`, ledger.ReferenceKey(hash), below, below, limit).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("look for whose transaction it is: %w", err)
	}
	return ids, nil
}

// ByPayment reads, for staff, the withdrawal that was paid with a bank's reference or by a transaction, in any case; found is false for any other text.
func (s *Service) ByPayment(ctx context.Context, words string) (w Withdrawal, found bool, err error) {
	key := ledger.ReferenceKey(words)
	if key == "" {
		return w, false, nil
	}
	if err = s.db.Rows(ctx).Where("payment IS NOT NULL AND reference_key(payment) = ?", key).Limit(1).Find(&w).Error; err != nil {
		return w, false, fmt.Errorf("look for a withdrawal by its payment: %w", err)
	}
	return w, w.ID != 0, nil
}

// Counts counts open withdrawals by state, over the db.Stretch longest waiting.
func (s *Service) Counts(ctx context.Context) (map[State]int64, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT state, count(*) FROM (SELECT state FROM withdrawals WHERE ended_at IS NULL ORDER BY created_at, id LIMIT $1) first GROUP BY state`, db.Stretch)
	if err != nil {
		return nil, fmt.Errorf("count withdrawals: %w", err)
	}
	defer rows.Close()
	counts := map[State]int64{}
	for rows.Next() {
		var state State
		var n int64
		if err := rows.Scan(&state, &n); err != nil {
			return nil, fmt.Errorf("count withdrawals: %w", err)
		}
		counts[state] = n
	}
	return counts, rows.Err()
}

// AwaitsStaff are the states in which staff must do the next step.
var AwaitsStaff = []State{Review, Approved1, Approved2, Queued, Processing, OutcomeUnknown}

// CountWaiting counts the withdrawals that wait for staff, at most db.Stretch, and returns when the oldest began to wait for a decision.
func (s *Service) CountWaiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	var since *time.Time
	err = s.db.Pool.QueryRow(ctx, `
		SELECT count(*), min(moved_at) FILTER (WHERE state IN ('review', 'approved_1', 'approved_2')) FROM (
			SELECT w.state, w.moved_at FROM unnest($1::text[]::withdrawal_state[]) waits, LATERAL (
				SELECT state, moved_at FROM withdrawals WHERE ended_at IS NULL AND state = waits ORDER BY created_at, id LIMIT $2) w LIMIT $2) first`, AwaitsStaff, db.Stretch).Scan(&n, &since)
	if since != nil {
		oldest = *since
	}
	return n, oldest, err
}

// recentRows is the number of earlier withdrawals and of deposits in a Case.
const recentRows = 3

// Case is the desk's view of a withdrawal.
type Case struct {
	Withdrawal
	Holder     string           // account holder; empty for crypto
	PayeeSaved time.Time        // when the trader saved the payee
	PaidBefore int              // earlier payouts to the payee, at most 100
	Earlier    []Withdrawal     // the trader's last ones, newest first
	Deposits   []deposit.Credit // the trader's last ones, newest first
	Deposited  int64            // the trader's total
	Withdrawn  int64            // the trader's total of other payouts that were sent
	RiskNow    int              // the risk by the facts of now
	ReasonsNow string           // of RiskNow, as RiskReasons
	Used       Limits           // the trader's day and month, with this withdrawal
}

// Case reads one withdrawal for the desk. Refusal: ErrUnknown.
func (s *Service) Case(ctx context.Context, id int64) (c Case, err error) {
	if c.Withdrawal, err = s.Read(ctx, id); err != nil {
		return c, err
	}
	if c.Holder, err = s.Holder(ctx, c.Withdrawal); err != nil {
		return c, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		used, err := s.usageTx(ctx, tx, c.TraderID)
		if err != nil {
			return err
		}
		c.Used = s.limits(used)
		if c.Deposited, c.Deposits, err = deposit.Credits(ctx, tx.Conn, c.TraderID, recentRows); err != nil {
			return err
		}
		if c.PayeeSaved, err = payee.SavedAt(ctx, tx.Conn, c.PayeeID); err != nil {
			return err
		}
		if c.RiskNow, c.ReasonsNow, err = s.riskNow(ctx, tx, c.Withdrawal, used, c.PayeeSaved); err != nil {
			return err
		}
		return errors.Join(
			tx.Conn.QueryRow(ctx, `SELECT coalesce(sum(amount), 0) FROM withdrawals WHERE trader_id = $1 AND id <> $2 AND state IN ('sent', 'completed')`, c.TraderID, c.ID).Scan(&c.Withdrawn),
			tx.Conn.QueryRow(ctx, `
				SELECT count(*) FROM (SELECT 1 FROM withdrawals WHERE trader_id = $1 AND payee_id = $2 AND id <> $3 AND state IN ('sent', 'completed') LIMIT 100) paid`,
				c.TraderID, c.PayeeID, c.ID).Scan(&c.PaidBefore),
			tx.Rows.Where("trader_id = ? AND id <> ?", c.TraderID, c.ID).Order("id DESC").Limit(recentRows).Find(&c.Earlier).Error,
		)
	})
	if err != nil {
		return c, fmt.Errorf("read what is around withdrawal %d: %w", id, err)
	}
	return c, nil
}

// proofLetters is the number of last characters of the destination that the second and the third person type.
const proofLetters = 4

// ErrProof is returned when the typed characters are not the end of the destination.
var ErrProof = errs.Field("proof", "field.proof")

// ReadBack checks that the typed characters are the end of the destination. It returns ErrProof.
func (w Withdrawal) ReadBack(typed string) error {
	typed, to := strings.TrimSpace(typed), w.Destination()
	if len(typed) != proofLetters || len(to) < proofLetters || !strings.EqualFold(to[len(to)-proofLetters:], typed) {
		return ErrProof
	}
	return nil
}

// Owns reports whether a withdrawal belongs to a trader.
func (s *Service) Owns(ctx context.Context, traderID, id int64) (own bool, err error) {
	if err = s.db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM withdrawals WHERE id = $1 AND trader_id = $2)`, id, traderID).Scan(&own); err != nil {
		return false, fmt.Errorf("look for withdrawal %d: %w", id, err)
	}
	return own, nil
}
