package kyc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/staff"
)

// retention is the number of years for which submitted data is kept after the trader's last activity.
const retention = 5

// Refusals of a shredding; the operator reads them.
var (
	ErrNoTrader = errors.New("there is no such trader, or nothing of an identity")
	ErrWhy      = errors.New("say why, in 10 to 500 letters")
	ErrMoney    = errors.New("the trader still has money, a debt, a position, a deposit or a withdrawal with us")
	ErrOpen     = errors.New("the desk has not decided about the trader's application yet")
	ErrKept     = errors.New("what was handed in must be kept for five years after the last that happened")
)

// Shred makes a trader's submitted data permanently unreadable: it deletes every wrapped key, the ciphertexts, and the tags for comparison. The decisions stay,
// and a verified trader loses the verification. There is no override.
// Refusals: ErrWhy, ErrNoTrader, ErrMoney, ErrOpen, ErrKept with the day.
func (s *Service) Shred(ctx context.Context, traderID int64, reason string) (shredded int, err error) {
	if n := utf8.RuneCountInString(reason); n < 10 || n > 500 || !db.IsText(reason) {
		return 0, ErrWhy
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		shredded = 0
		var list []Application
		if _, err := lockTraderTx(ctx, tx, traderID); err != nil {
			if errors.Is(err, ledger.ErrAccount) {
				return ErrNoTrader
			}
			return err
		}
		if err := tx.Rows.Where("trader_id = ? AND shredded_at IS NULL", traderID).Order("id").Find(&list).Error; err != nil {
			return fmt.Errorf("read the applications of trader %d: %w", traderID, err)
		}
		if len(list) == 0 {
			return ErrNoTrader
		}
		if err := s.mayShredTx(ctx, tx, traderID, list); err != nil {
			return err
		}
		for _, a := range list {
			if err := s.shredApplicationTx(ctx, tx, a); err != nil {
				return err
			}
		}
		shredded = len(list)
		if err := s.updateStatusTx(tx, traderID); err != nil {
			return err
		}
		entry := audit.By(audit.Actor{Kind: audit.System, Name: "operator"}, s.clock.Now(), "kyc.shred", "trader", traderID)
		after, err := json.Marshal(map[string]string{"reason": reason})
		if err != nil {
			return fmt.Errorf("describe a shredding: %w", err)
		}
		entry.After = string(after)
		return audit.RecordTx(ctx, tx, entry)
	})
	return shredded, err
}

// mayShredTx refuses while the trader's identity is still needed.
func (s *Service) mayShredTx(ctx context.Context, tx *db.Tx, traderID int64, list []Application) error {
	if err := s.noBusinessTx(ctx, tx, traderID); err != nil {
		return err
	}
	last, err := ledger.LastPosted(ctx, tx.Conn, traderID)
	if err != nil {
		return err
	}
	until := time.Time{}
	for _, at := range append([]*time.Time{&last}, retentionTimes(list)...) {
		if at != nil && at.AddDate(retention, 0, 0).After(until) {
			until = at.AddDate(retention, 0, 0)
		}
	}
	for _, a := range list {
		if a.Undecided() {
			return ErrOpen
		}
	}
	if s.clock.Now().Before(until) {
		return fmt.Errorf("%w: until %s", ErrKept, until.UTC().Format(time.DateOnly))
	}
	return nil
}

// noBusinessTx returns ErrMoney while the trader has business with the house. The ledger is asked last: what moves between the questions leaves its posting there.
func (s *Service) noBusinessTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	if len(s.business) == 0 {
		return errors.New("nobody says what business a trader has")
	}
	for _, has := range append(slices.Clone(s.business), ledger.HasBalance, ledger.HasBonus) {
		open, err := has(ctx, tx.Conn, traderID)
		if err != nil {
			return fmt.Errorf("ask what trader %d still has: %w", traderID, err)
		}
		if open {
			return ErrMoney
		}
	}
	return nil
}

// retentionTimes are the times of submissions and decisions; an unsubmitted draft has no retention.
func retentionTimes(list []Application) (out []*time.Time) {
	for _, a := range list {
		out = append(out, a.SubmittedAt, a.DecidedAt)
	}
	return out
}

func (s *Service) shredApplicationTx(ctx context.Context, tx *db.Tx, a Application) error {
	documents, err := documentsTx(tx, a.ID, false)
	if err != nil {
		return err
	}
	for _, d := range documents {
		if d.Shredded() {
			continue
		}
		if err := s.shredTx(tx, d, d.ReplacedBy); err != nil {
			return err
		}
	}
	if err := tx.Rows.Model(&Document{}).Where("application_id = ?", a.ID).Update("picture_hash", nil).Error; err != nil {
		return fmt.Errorf("forget the tags of pictures of application %d: %w", a.ID, err)
	}
	if err := s.names.ForgetTx(ctx, tx, a.ID); err != nil {
		return err
	}
	changes := map[string]any{"number_hash": nil, "note": ""}
	for _, f := range a.fields() {
		changes[f.column+"_key"], changes[f.column+"_sealed"] = nil, nil
	}
	if a.State == Draft {
		return moveTx(tx, &a, changes)
	}
	changes = staff.Released(withLevel(changes, 0))
	changes["shredded_at"], changes["renew_on"], changes["kept_until"] = s.clock.Now(), nil, nil
	if a.State != Rejected {
		changes["state"] = Revoked
	}
	if err := s.lapseLevelTx(ctx, tx, a, changes); err != nil {
		return err
	}
	return moveTx(tx, &a, changes)
}
