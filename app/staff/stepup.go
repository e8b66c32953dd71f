package staff

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// CoverFor is how long a proof covers small decisions of the session that it was given in.
const CoverFor = 5 * time.Minute

// SmallStep is what counts as a small decision, and how many of them one proof covers; 0 covers none.
type SmallStep struct {
	Amount    int64 // the largest, in units of 10^-6 USDT
	Decisions int
}

// Covers is how many further small decisions the proof for a decision about an amount covers.
func (s SmallStep) Covers(amount int64) int {
	if amount <= 0 || amount > s.Amount {
		return 0
	}
	return s.Decisions
}

// Cover is what is left of a proof's cover.
type Cover struct {
	Left  int
	Until time.Time
}

// Step is what a signed-in person proves before an act, by a code or by a passkey.
type Step struct {
	Session int64  // that the act is done in
	Act     string // as the audit log names it
	About   string // what the act is done to: a passkey that confirms one act proves no other
	Covers  int    // the small decisions that the proof covers besides the act
}

// text identifies the act in the challenge of a passkey.
func (s Step) text() string { return s.Act + " " + s.About }

// ErrWrongCodes comes with ErrSignedOut: too many wrong codes before an act have ended the sessions.
var ErrWrongCodes = errs.New(errs.Unauthenticated, "signin.wrong_codes")

// CheckCode checks a new code of a signed-in person before an act that moves money. The last allowed wrong code ends the person's
// sessions, because another person may be using them. Refusals: ErrSignedOut, with ErrWrongCodes after that code, ErrCode, session.ErrThrottle.
func (s *Service) CheckCode(ctx context.Context, by audit.Actor, step Step, code string) error {
	tries, err := s.countCode(ctx, stepUpCodes, by.ID)
	if err != nil {
		return err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.useCodeTx(ctx, tx, stepUpCodes, by.ID, code); err != nil {
			return err
		}
		return s.coverTx(ctx, tx, by, step)
	})
	if !errors.Is(err, ErrCode) {
		return err
	}
	last := tries >= codeTries
	if failed := s.recordWrongStep(context.WithoutCancel(ctx), by, step.Act, last); failed != nil {
		return failed
	}
	if last {
		return errors.Join(ErrSignedOut, ErrWrongCodes)
	}
	return err
}

// coverTx lets the session do the small decisions that the proof covers. They replace what an earlier one covered.
func (s *Service) coverTx(ctx context.Context, tx *db.Tx, by audit.Actor, step Step) error {
	if step.Covers == 0 {
		return nil
	}
	now := s.clock.Now()
	_, err := tx.Conn.Exec(ctx, `UPDATE staff_sessions SET covered_left = $3, covered_until = $4 WHERE id = $1 AND staff_id = $2`, step.Session, by.ID, step.Covers, now.Add(CoverFor))
	if err != nil {
		return fmt.Errorf("cover small decisions of session %d: %w", step.Session, err)
	}
	entry := audit.By(by, now, "staff.step_up_covers", "staff", by.ID)
	entry.After = facts{"act": step.Act, "covers": step.Covers}.json()
	return audit.RecordTx(ctx, tx, entry)
}

// Covered returns what is left of the cover of a session's last proof.
func (s *Service) Covered(ctx context.Context, sessionID int64) (c Cover, err error) {
	err = s.db.Pool.QueryRow(ctx, `SELECT covered_left, covered_until FROM staff_sessions WHERE id = $1 AND covered_left > 0 AND covered_until > $2`, sessionID, s.clock.Now()).
		Scan(&c.Left, &c.Until)
	if errors.Is(err, pgx.ErrNoRows) {
		return Cover{}, nil
	}
	if err != nil {
		return Cover{}, fmt.Errorf("read the cover of session %d: %w", sessionID, err)
	}
	return c, nil
}

// UseCover takes one small decision from the cover of a session's last proof. It reports false when nothing is left.
func (s *Service) UseCover(ctx context.Context, sessionID int64) (bool, error) {
	tag, err := s.db.Pool.Exec(ctx, `UPDATE staff_sessions SET covered_left = covered_left - 1 WHERE id = $1 AND covered_left > 0 AND covered_until > $2`, sessionID, s.clock.Now())
	if err != nil {
		return false, fmt.Errorf("use the cover of session %d: %w", sessionID, err)
	}
	return tag.RowsAffected() == 1, nil
}

// recordWrongStep records a signed-in person's wrong code before an act, and ends their sessions after the last one.
func (s *Service) recordWrongStep(ctx context.Context, by audit.Actor, act string, last bool) error {
	entry := audit.By(by, s.clock.Now(), "staff.step_up", "staff", by.ID)
	entry.Result, entry.After = audit.Failed, facts{"act": act, "signed_out": last}.json()
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if last {
			if err := tx.Rows.Model(&Person{}).Where("id = ?", by.ID).Update("session_epoch", gorm.Expr("session_epoch + 1")).Error; err != nil {
				return fmt.Errorf("end the sessions of staff %d: %w", by.ID, err)
			}
		}
		return audit.RecordTx(ctx, tx, entry)
	})
}
