package trader

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/platform/personal"
	"candor/app/session"
)

// ClosingDelay is the time from a trader's request until the account closes.
const ClosingDelay = 14 * 24 * time.Hour

// lastMailWait is how long erasing waits for the last message to leave the outbox.
const lastMailWait = 24 * time.Hour

// Refusals of closing.
var (
	ErrBusiness = errs.New(errs.Conflict, "closing.business") // with "open": what must end first
	ErrClosing  = errs.New(errs.Conflict, "closing.asked")    // the account is closing already
	ErrOpen     = errs.New(errs.Conflict, "closing.not_asked")
	ErrTooLate  = errs.New(errs.Conflict, "closing.too_late") // the last message was sent, and the data is being erased
)

// Business is something that must have ended before an account closes.
type Business struct {
	Name string // as the app knows it
	Has  func(ctx context.Context, q db.Querier, traderID int64) (bool, error)
}

// CloseWith declares what must have ended before an account closes, and what each domain erases then.
func (s *Service) CloseWith(business []Business, sources []personal.Source) {
	s.business, s.sources = business, sources
}

// Closing reports whether the account is closing.
func (t Trader) Closing() bool { return t.ClosesAt != nil && t.ClosedAt == nil }

// OpenBusiness names what must end before the account can close. Refusal: ErrGuest.
func (s *Service) OpenBusiness(ctx context.Context, p session.Principal) (names []string, err error) {
	if p.Guest() {
		return nil, ErrGuest
	}
	return s.openBusiness(ctx, s.db.Pool, p.TraderID)
}

func (s *Service) openBusiness(ctx context.Context, q db.Querier, traderID int64) (names []string, err error) {
	for _, b := range s.business {
		open, err := b.Has(ctx, q, traderID)
		if err != nil {
			return nil, fmt.Errorf("ask whether trader %d has a %s: %w", traderID, b.Name, err)
		}
		if open {
			names = append(names, b.Name)
		}
	}
	return names, nil
}

// mayCloseTx refuses while the trader has business with the house. Refusal: ErrBusiness.
func (s *Service) mayCloseTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	names, err := s.openBusiness(ctx, tx.Conn, traderID)
	if err == nil && len(names) > 0 {
		err = ErrBusiness.With("open", strings.Join(names, ","))
	}
	return err
}

// Close has the account close after ClosingDelay, and ends every other session. Refusals: those of secured, ErrClosing, ErrBusiness.
func (s *Service) Close(ctx context.Context, p session.Principal, proof SecurityProof) (at time.Time, err error) {
	err = s.secured(ctx, p, CloseAccount, proof, nil, func(tx *db.Tx, t Trader) error {
		if err := s.lockTx(tx, t.ID); err != nil {
			return err
		}
		if err := s.mayCloseTx(ctx, tx, t.ID); err != nil {
			return err
		}
		at = s.clock.Now().Add(ClosingDelay)
		if err := setClosing(tx, t.ID, "closes_at IS NULL", map[string]any{"closes_at": at}); err != nil {
			return db.OrRefusal(err, ErrClosing)
		}
		if _, err := s.sessions.EndOthersTx(ctx, tx, t.ID, p.SessionID); err != nil {
			return err
		}
		return s.closingTx(ctx, tx, t, t.Acting(proof.From), "trader.close", "message.closing", at)
	})
	return at, err
}

// Closed tells which of the traders' accounts are closed.
func (s *Service) Closed(ctx context.Context, ids ...int64) (map[int64]bool, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT id FROM traders WHERE id = ANY($1) AND closed_at IS NOT NULL`, ids)
	if err != nil {
		return nil, fmt.Errorf("ask which accounts are closed: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("ask which accounts are closed: %w", err)
	}
	closed := make(map[int64]bool, len(list))
	for _, id := range list {
		closed[id] = true
	}
	return closed, nil
}

// Reopen takes back the request to close. Refusals: ErrGuest, ErrOpen, ErrTooLate.
func (s *Service) Reopen(ctx context.Context, p session.Principal, from audit.Actor) error {
	if p.Guest() {
		return ErrGuest
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.traderTx(tx, p.TraderID)
		if err != nil {
			return err
		}
		return s.keepTx(ctx, tx, t, from)
	})
}

// keepTx takes back the request to close, before the last message. Refusals: ErrOpen, ErrTooLate.
func (s *Service) keepTx(ctx context.Context, tx *db.Tx, t Trader, from audit.Actor) error {
	if t.Closing() && t.ToldAt != nil {
		return ErrTooLate
	}
	if err := setClosing(tx, t.ID, "told_at IS NULL AND closes_at IS NOT NULL", map[string]any{"closes_at": nil}); err != nil {
		return db.OrRefusal(err, ErrOpen)
	}
	return s.recordTx(ctx, tx, t, t.Acting(from), "trader.reopen", "message.reopened")
}

// setClosing changes the columns of closing where a condition holds.
func setClosing(tx *db.Tx, traderID int64, where string, columns map[string]any) error {
	return db.MustAffect(tx.Rows.Model(&Trader{}).Where("id = ? AND closed_at IS NULL AND "+where, traderID).Updates(columns))
}

// closingTx records a step of closing and tells every contact.
func (s *Service) closingTx(ctx context.Context, tx *db.Tx, t Trader, by audit.Actor, action, message string, at time.Time) error {
	if err := audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), action, "trader", t.ID)); err != nil {
		return err
	}
	for _, to := range t.contacts() {
		if err := s.sendTx(ctx, tx, to, message, map[string]any{"at": at.UTC().Format("2006-01-02 15:04") + " UTC"}); err != nil {
			return err
		}
	}
	return nil
}

// closer is who closes accounts whose time has come.
var closer = audit.Actor{Kind: audit.System, Name: "closing"}

// CloseDue takes the next step with every account whose time has come, and returns how many it changed: it tells the trader for the last time, and erases their
// data when that has been sent.
func (s *Service) CloseDue(ctx context.Context) (changed int, err error) {
	now := s.clock.Now()
	rows, err := s.db.Pool.Query(ctx, `
		SELECT id FROM traders WHERE closes_at <= $1 AND closed_at IS NULL ORDER BY closes_at, id LIMIT 100`, now)
	if err != nil {
		return 0, fmt.Errorf("look for accounts that close: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return 0, fmt.Errorf("look for accounts that close: %w", err)
	}
	for _, id := range ids {
		moved := false
		err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
			moved, err = s.closeTx(ctx, tx, id)
			return err
		})
		if err != nil {
			return changed, fmt.Errorf("close the account of trader %d: %w", id, err)
		}
		if moved {
			changed++
		}
	}
	return changed, nil
}

// closeTx takes one step; moved is false while the last message waits in the outbox.
func (s *Service) closeTx(ctx context.Context, tx *db.Tx, id int64) (moved bool, err error) {
	t, err := s.LockedTx(tx, id)
	now := s.clock.Now()
	if err != nil || !t.Closing() || t.ClosesAt.After(now) {
		return false, err
	}
	if err := s.mayCloseTx(ctx, tx, id); err != nil {
		if !errors.Is(err, ErrBusiness) {
			return false, err
		}
		if err := setClosing(tx, id, "closes_at IS NOT NULL", map[string]any{"closes_at": nil, "told_at": nil}); err != nil {
			return false, err
		}
		return true, s.closingTx(ctx, tx, t, closer, "trader.keep_open", "message.kept_open", now)
	}
	if t.ToldAt == nil {
		if err := setClosing(tx, id, "told_at IS NULL", map[string]any{"told_at": now}); err != nil {
			return false, err
		}
		if _, err := s.sessions.EndAllTx(ctx, tx, id); err != nil {
			return false, err
		}
		return true, s.closingTx(ctx, tx, t, closer, "trader.closes", "message.closed", now)
	}
	if waiting, err := s.lastMailWaits(ctx, tx, t); err != nil || waiting {
		return false, err
	}
	for _, source := range s.sources {
		if source.Erase == nil {
			continue
		}
		if err := source.Erase(ctx, tx, id); err != nil {
			return false, err
		}
	}
	if err := s.eraseTx(ctx, tx, t); err != nil {
		return false, err
	}
	return true, audit.RecordTx(ctx, tx, audit.By(closer, now, "trader.closed", "trader", id))
}

func (s *Service) lastMailWaits(ctx context.Context, tx *db.Tx, t Trader) (bool, error) {
	if s.clock.Now().Sub(*t.ToldAt) >= lastMailWait {
		return false, nil
	}
	for _, to := range t.contacts() {
		if waits, err := s.outbox.WaitsTx(ctx, tx, to.text); err != nil || waits {
			return waits, err
		}
	}
	return false, nil
}

// eraseTx erases what this package keeps about a trader. The row stays: the books refer to it.
func (s *Service) eraseTx(ctx context.Context, tx *db.Tx, t Trader) error {
	for _, to := range t.contacts() {
		if err := s.outbox.ForgetTx(ctx, tx, to.text); err != nil {
			return err
		}
		if err := s.sessions.ForgetAddressTx(ctx, tx, to.text); err != nil {
			return err
		}
	}
	if t.Wallet != nil {
		if err := s.sessions.ForgetAddressTx(ctx, tx, *t.Wallet); err != nil {
			return err
		}
	}
	if err := idempotency.ForgetTx(ctx, tx, t.ID); err != nil {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM trader_profiles WHERE trader_id = $1`,
		`DELETE FROM payment_passwords WHERE trader_id = $1`,
		`DELETE FROM notification_settings WHERE trader_id = $1`,
		`DELETE FROM favourites WHERE trader_id = $1`,
		`DELETE FROM granted_contacts WHERE trader_id = $1`,
	} {
		if _, err := tx.Conn.Exec(ctx, statement, t.ID); err != nil {
			return fmt.Errorf("erase data of trader %d: %w", t.ID, err)
		}
	}
	return setClosing(tx, t.ID, "told_at IS NOT NULL", map[string]any{
		"email": nil, "phone": nil, "wallet": nil, "password_hash": nil, "phrase": nil, "name": strconv.FormatInt(t.ID, 10), "language": "en", "closed_at": s.clock.Now(),
	})
}
