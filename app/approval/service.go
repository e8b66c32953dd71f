package approval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff/member"
)

// Limits of the note of a refusal, in characters.
const (
	MinNote = 5
	MaxNote = 500
)

// Conflict refuses a member of staff with a conflict of interest with a trader, and records the duty that the member takes.
type Conflict func(ctx context.Context, tx *db.Tx, staffID, traderID int64, duty member.Duty) error

// Engine runs the approvals of every use.
type Engine struct {
	db       *db.DB
	clock    clock.Clock
	conflict Conflict
	uses     map[string]Use
}

// New makes the engine.
func New(d *db.DB, c clock.Clock, conflict Conflict) *Engine {
	return &Engine{db: d, clock: c, conflict: conflict, uses: map[string]Use{}}
}

// Service is the engine for one use.
type Service struct {
	engine *Engine
	use    Use
}

// For declares a use. All uses are declared before Run.
func (e *Engine) For(use Use) *Service {
	if _, known := e.uses[use.Name]; known {
		panic("approval: " + use.Name + " is declared twice")
	}
	e.uses[use.Name] = use
	return &Service{engine: e, use: use}
}

// RequestTx requests a decision, once per key and requester. One that takes one person takes effect at once. Refusals: ErrOpen, ErrChanged for a key that was
// used for something else, those of the conflict of interest, of Admit, and of Apply when it takes effect.
func (s *Service) RequestTx(ctx context.Context, tx *db.Tx, by audit.Actor, r Request) (a Approval, err error) {
	if err := s.conflictTx(ctx, tx, by, r.TraderID); err != nil {
		return a, err
	}
	proposal, err := json.Marshal(r.Proposal)
	if err != nil {
		return a, fmt.Errorf("encode a proposal: %w", err)
	}
	if r.Key != "" {
		err := tx.Rows.Where("use = ? AND requested_by = ? AND key = ?", s.use.Name, by.ID, r.Key).Limit(1).Find(&a).Error
		if err == nil && a.ID != 0 && !sameJSON(a.Proposal, proposal) {
			err = ErrChanged
		}
		if err != nil || a.ID != 0 {
			return a, err
		}
	}
	if r.Admit != nil {
		if err := r.Admit(); err != nil {
			return a, err
		}
	}
	now := s.engine.clock.Now()
	a = Approval{
		Use: s.use.Name, Subject: r.Subject, TraderID: r.TraderID, Proposal: proposal, Note: r.Note, People: r.People, State: Requested, RequestedBy: by.ID, RequestedAt: now, EffectiveAt: r.EffectiveAt,
		ExpiresAt: r.ExpiresAt, Version: 1,
	}
	if r.Key != "" {
		a.Key = &r.Key
	}
	if a.ExpiresAt == nil && s.use.Lasts > 0 {
		until := now.Add(s.use.Lasts)
		a.ExpiresAt = &until
	}
	if err := tx.Conn.QueryRow(ctx, `SELECT nextval(pg_get_serial_sequence('approvals', 'id'))`).Scan(&a.ID); err != nil {
		return a, fmt.Errorf("number an approval: %w", err)
	}
	if a.Subject == "" {
		a.Subject = strconv.FormatInt(a.ID, 10)
	}
	if a.Facts, err = s.factsTx(ctx, tx, a); err != nil {
		return a, err
	}
	if a.People == 1 { // at once: it is never open
		a.complete(now)
	}
	err = tx.Rows.Create(&a).Error
	switch {
	case db.IsUnique(err, "approvals_open"):
		return a, ErrOpen
	case err != nil:
		return a, fmt.Errorf("write an approval: %w", err)
	case a.State == Applied:
		return s.completedTx(ctx, tx, by, a, "apply")
	}
	return a, s.recordTx(ctx, tx, by, "request", a)
}

// Request is RequestTx in its own transaction.
func (s *Service) Request(ctx context.Context, by audit.Actor, r Request) (a Approval, err error) {
	err = s.engine.db.InTx(ctx, func(tx *db.Tx) (err error) {
		a, err = s.RequestTx(ctx, tx, by, r)
		return err
	})
	return a, err
}

// ApproveTx is the next person's approval of the facts they were shown, from the state they saw. With the last one it takes effect, or is scheduled.
// Refusals: ErrUnknown, ErrState, ErrChanged, ErrLate, ErrSamePerson, those of the conflict of interest, of MayApprove and of Apply.
func (s *Service) ApproveTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64, version int, from State, shown []byte) (a Approval, err error) {
	if a, err = s.lockTx(ctx, tx, id, version); err != nil {
		return a, err
	}
	if a.State != from {
		return a, ErrState
	}
	if err := s.mayDecideTx(ctx, tx, by, a, a.Decided(by.ID)); err != nil {
		return a, err
	}
	facts, err := s.factsTx(ctx, tx, a)
	if err != nil {
		return a, err
	}
	now := s.engine.clock.Now()
	switch {
	case !bytes.Equal(shown, a.Facts), !bytes.Equal(facts, a.Facts):
		return a, ErrChanged
	case a.ExpiresAt != nil && !a.ExpiresAt.After(now):
		return a, ErrLate
	}
	if a.State == Requested {
		a.SecondBy, a.SecondAt = &by.ID, &now
	} else {
		a.ThirdBy, a.ThirdAt = &by.ID, &now
	}
	if s.use.People != nil {
		a.People = max(a.People, s.use.People(a))
	}
	if len(a.Approvers()) < a.People {
		a.State = Confirmed
		if err := s.saveTx(tx, &a); err != nil {
			return a, err
		}
		return a, s.recordTx(ctx, tx, by, "approve", a)
	}
	a.complete(now)
	if err := s.saveTx(tx, &a); err != nil {
		return a, err
	}
	return s.completedTx(ctx, tx, by, a, "approve")
}

// Approve is ApproveTx in its own transaction.
func (s *Service) Approve(ctx context.Context, by audit.Actor, id int64, version int, from State, shown []byte) (a Approval, err error) {
	err = s.engine.db.InTx(ctx, func(tx *db.Tx) (err error) {
		a, err = s.ApproveTx(ctx, tx, by, id, version, from, shown)
		return err
	})
	return a, err
}

// completedTx makes an approval that everybody has given take effect, unless it is scheduled; verb is the audited act.
func (s *Service) completedTx(ctx context.Context, tx *db.Tx, by audit.Actor, a Approval, verb string) (Approval, error) {
	if a.State == Applied && s.use.Apply != nil {
		if err := s.use.Apply(ctx, tx, by, a); err != nil {
			return a, err
		}
	}
	return a, s.recordTx(ctx, tx, by, verb, a)
}

// RefuseTx is another person's refusal of an undecided request. Refusals: ErrUnknown, ErrState, ErrChanged, ErrSamePerson, those of the conflict of interest
// and of MayApprove.
func (s *Service) RefuseTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64, version int, why string) (a Approval, err error) {
	if a, err = s.lockTx(ctx, tx, id, version); err != nil {
		return a, err
	}
	if err := s.mayDecideTx(ctx, tx, by, a, a.RequestedBy == by.ID); err != nil {
		return a, err
	}
	return s.closeTx(ctx, tx, by, a, Refused, why)
}

// Refuse is RefuseTx in its own transaction.
func (s *Service) Refuse(ctx context.Context, by audit.Actor, id int64, version int, why string) (a Approval, err error) {
	err = s.engine.db.InTx(ctx, func(tx *db.Tx) (err error) {
		a, err = s.RefuseTx(ctx, tx, by, id, version, why)
		return err
	})
	return a, err
}

// WithdrawTx withdraws a request that has not taken effect. Refusals: ErrUnknown, ErrState, ErrChanged, ErrNotRequester or those of MayWithdraw.
func (s *Service) WithdrawTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64, version int, why string) (a Approval, err error) {
	if a, err = s.lockTx(ctx, tx, id, version); err != nil {
		return a, err
	}
	switch {
	case s.use.MayWithdraw != nil:
		if err := s.use.MayWithdraw(by, a); err != nil {
			return a, err
		}
	case a.RequestedBy != by.ID:
		return a, ErrNotRequester
	}
	return s.closeTx(ctx, tx, by, a, Withdrawn, why)
}

// Withdraw is WithdrawTx in its own transaction.
func (s *Service) Withdraw(ctx context.Context, by audit.Actor, id int64, version int) (a Approval, err error) {
	err = s.engine.db.InTx(ctx, func(tx *db.Tx) (err error) {
		a, err = s.WithdrawTx(ctx, tx, by, id, version, "")
		return err
	})
	return a, err
}

// LockOwnTx locks a request that has not taken effect for an act of its requester that decides nothing. Refusals: ErrUnknown, ErrState, ErrNotRequester.
func (s *Service) LockOwnTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64) (Approval, error) {
	a, err := s.lockTx(ctx, tx, id, anyVersion)
	if err == nil && a.RequestedBy != by.ID {
		err = ErrNotRequester
	}
	return a, err
}

// DeclineTx withdraws the person's own request, or refuses another person's. Refusals: those of WithdrawTx and RefuseTx.
func (s *Service) DeclineTx(ctx context.Context, tx *db.Tx, by audit.Actor, a Approval, why string) (Approval, error) {
	if a.RequestedBy == by.ID {
		return s.WithdrawTx(ctx, tx, by, a.ID, a.Version, why)
	}
	return s.RefuseTx(ctx, tx, by, a.ID, a.Version, why)
}

// LapseTx ends an approval that nobody decides any more because its subject has changed; that change has its own audit entry. It does nothing when the
// approval has ended.
func (s *Service) LapseTx(ctx context.Context, tx *db.Tx, id int64) error {
	a, err := s.lockTx(ctx, tx, id, anyVersion)
	if errors.Is(err, ErrState) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = s.endTx(ctx, tx, schedule, a, Expired, "")
	return err
}

// CheckTx refuses to act on an approval that is not in effect, or whose facts are no longer those that were approved. Refusals: ErrUnknown, ErrState, ErrChanged.
func (s *Service) CheckTx(ctx context.Context, tx *db.Tx, id int64) error {
	a, err := s.FindTx(tx, id)
	if err != nil {
		return err
	}
	if a.State != Applied {
		return ErrState
	}
	facts, err := s.factsTx(ctx, tx, a)
	if err != nil {
		return err
	}
	if !bytes.Equal(facts, a.Facts) {
		return ErrChanged
	}
	return nil
}

// anyVersion is a version that lockTx does not compare.
const anyVersion = 0

// mayDecideTx refuses a person who may not approve or refuse; took reports whether the part that they took already forbids it.
func (s *Service) mayDecideTx(ctx context.Context, tx *db.Tx, by audit.Actor, a Approval, took bool) error {
	switch {
	case !a.Undecided():
		return ErrState
	case took:
		return ErrSamePerson
	}
	if s.use.MayApprove != nil {
		if err := s.use.MayApprove(by, a); err != nil {
			return err
		}
	}
	return s.conflictTx(ctx, tx, by, a.TraderID)
}

func (s *Service) conflictTx(ctx context.Context, tx *db.Tx, by audit.Actor, traderID *int64) error {
	if traderID == nil || s.use.Duty == "" {
		return nil
	}
	return s.engine.conflict(ctx, tx, by.ID, *traderID, s.use.Duty)
}

func (s *Service) factsTx(ctx context.Context, tx *db.Tx, a Approval) ([]byte, error) {
	if s.use.Facts == nil {
		return a.hash()
	}
	return s.use.Facts(ctx, tx, a)
}

// closeTx ends an approval that takes no effect, with its audit entry.
func (s *Service) closeTx(ctx context.Context, tx *db.Tx, by audit.Actor, a Approval, state State, why string) (Approval, error) {
	a, err := s.endTx(ctx, tx, by, a, state, why)
	if err != nil {
		return a, err
	}
	verb := map[State]string{Refused: "refuse", Withdrawn: "withdraw", Expired: "expire", Failed: "fail"}[state]
	return a, s.recordTx(ctx, tx, by, verb, a)
}

func (s *Service) endTx(ctx context.Context, tx *db.Tx, by audit.Actor, a Approval, state State, why string) (Approval, error) {
	now := s.engine.clock.Now()
	a.State, a.ClosedAt, a.Refusal = state, &now, why
	if by.Kind == audit.Staff {
		a.ClosedBy = &by.ID
	}
	if err := s.saveTx(tx, &a); err != nil {
		return a, err
	}
	if s.use.Closed != nil {
		if err := s.use.Closed(ctx, tx, by, a); err != nil {
			return a, err
		}
	}
	return a, nil
}

func (s *Service) lockTx(ctx context.Context, tx *db.Tx, id int64, version int) (Approval, error) {
	a, err := s.lockRowTx(ctx, tx, id)
	switch {
	case err != nil:
		return a, err
	case a.ID == 0:
		return a, ErrUnknown
	case !a.Undecided() && a.State != Scheduled:
		return a, ErrState
	case version != anyVersion && a.Version != version:
		return a, ErrChanged
	}
	return a, nil
}

// lockRowTx locks and reads an approval of the use in any state, after what the use locks before it. It has no id when there is none.
func (s *Service) lockRowTx(ctx context.Context, tx *db.Tx, id int64) (a Approval, err error) {
	mine := func() *gorm.DB { return tx.Rows.Where("id = ? AND use = ?", id, s.use.Name).Limit(1) }
	if s.use.Lock != nil {
		var about Approval
		if err := mine().Find(&about).Error; err != nil {
			return a, fmt.Errorf("read approval %d: %w", id, err)
		}
		if about.ID == 0 {
			return a, nil
		}
		if err := s.use.Lock(ctx, tx, about); err != nil {
			return a, err
		}
	}
	if err := mine().Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).Find(&a).Error; err != nil {
		return a, fmt.Errorf("lock approval %d: %w", id, err)
	}
	return a, nil
}

// saveTx stores the decision part of an approval if nobody changed it since it was read.
func (s *Service) saveTx(tx *db.Tx, a *Approval) error {
	read := a.Version
	a.Version++
	result := tx.Rows.Model(&Approval{}).Where("id = ? AND version = ?", a.ID, read).
		Select("State", "People", "SecondBy", "SecondAt", "ThirdBy", "ThirdAt", "ClosedBy", "ClosedAt", "Refusal", "AppliedAt", "Version").Updates(a)
	if err := db.MustAffect(result); err != nil {
		return fmt.Errorf("move approval %d: %w", a.ID, err)
	}
	return nil
}

// recordTx writes the audit entry of an act: what is proposed, by name, and where the approval stands.
func (s *Service) recordTx(ctx context.Context, tx *db.Tx, by audit.Actor, verb string, a Approval) error {
	e := audit.By(by, s.engine.clock.Now(), s.use.action(verb), s.use.target(), a.Subject)
	after, err := a.facts()
	if err != nil {
		return err
	}
	text, err := json.Marshal(after)
	if err != nil {
		return err
	}
	e.After = string(text)
	if s.use.Before != nil {
		before, err := s.use.Before(a)
		if err != nil {
			return err
		}
		e.Before = before
	}
	return audit.RecordTx(ctx, tx, e)
}

// CheckNote refuses a note that is too short or too long, or no text. It returns ErrNote.
func CheckNote(note string) error {
	if n := utf8.RuneCountInString(note); n < MinNote || n > MaxNote || !db.IsText(note) {
		return ErrNote
	}
	return nil
}

// schedule is the actor of what happens by time.
var schedule = audit.Actor{Kind: audit.System, Name: "schedule"}

// Run applies the approvals whose time has come, the earliest first, and ends the requests that nobody decided in time. One that no longer fits fails with its
// refusal; one that can't be moved on delays no other. It returns the number of those that were moved.
func (e *Engine) Run(ctx context.Context) (n int, err error) {
	now := e.clock.Now()
	var due []Approval
	err = e.db.Rows(ctx).Select("id", "use").Where("(state = 'scheduled' AND effective_at <= ?) OR (state IN ('requested', 'confirmed') AND expires_at <= ?)", now, now).
		Order("effective_at, id").Limit(db.Stretch).Find(&due).Error
	if err != nil {
		return 0, fmt.Errorf("find the approvals that are due: %w", err)
	}
	var problems []error
	for _, a := range due {
		use, known := e.uses[a.Use]
		if !known {
			continue // of a newer server
		}
		moved, err := (&Service{engine: e, use: use}).moveDue(ctx, a.ID)
		switch {
		case err != nil:
			problems = append(problems, fmt.Errorf("move approval %d on: %w", a.ID, err))
		case moved:
			n++
		}
	}
	return n, errors.Join(problems...)
}

// moveDue moves one due approval on, unless another server did.
func (s *Service) moveDue(ctx context.Context, id int64) (moved bool, err error) {
	var refusal *errs.Error
	err = s.engine.db.InTx(ctx, func(tx *db.Tx) error {
		refusal = nil
		a, due, err := s.dueTx(ctx, tx, id)
		if moved = due; err != nil || !due {
			return err
		}
		if a.Undecided() {
			_, err = s.closeTx(ctx, tx, schedule, a, Expired, "")
			return err
		}
		now := s.engine.clock.Now()
		a.State, a.AppliedAt = Applied, &now
		if err := s.saveTx(tx, &a); err != nil {
			return err
		}
		if err := s.use.Apply(ctx, tx, schedule, a); err != nil {
			refusal = errs.As(err)
			return err
		}
		return s.recordTx(ctx, tx, schedule, "apply", a)
	})
	if refusal == nil {
		return moved, err
	}
	return moved, s.engine.db.InTx(ctx, func(tx *db.Tx) error {
		a, due, err := s.dueTx(ctx, tx, id)
		if err != nil || !due {
			return err
		}
		_, err = s.closeTx(ctx, tx, schedule, a, Failed, refusal.Key)
		return err
	})
}

// dueTx locks an approval and reports whether its time has come.
func (s *Service) dueTx(ctx context.Context, tx *db.Tx, id int64) (a Approval, due bool, err error) {
	a, err = s.lockRowTx(ctx, tx, id)
	now := s.engine.clock.Now()
	switch {
	case err != nil || a.ID == 0:
		return a, false, err
	case a.State == Scheduled:
		return a, !a.EffectiveAt.After(now), nil
	}
	return a, a.Undecided() && a.ExpiresAt != nil && !a.ExpiresAt.After(now), nil
}
