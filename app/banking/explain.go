package banking

import (
	"context"
	"slices"
	"strconv"
	"time"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
)

// requestLasts is how long a request waits for its second person.
const requestLasts = 30 * 24 * time.Hour

// RequestExplanation asks another person to agree that a line is neither a deposit nor a withdrawal. Refusals: fields, ErrUnknown, ErrState, ErrChanged.
func (s *Service) RequestExplanation(ctx context.Context, by audit.Actor, id int64, version int, cause Cause, note string) (Line, error) {
	if !slices.Contains(Causes, cause) {
		return Line{}, ErrCause
	}
	if err := approval.CheckNote(note); err != nil {
		return Line{}, err
	}
	return s.act(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, l *Line) (map[string]any, error) {
		if l.State != Unmatched || l.Approval != nil {
			return nil, ErrState
		}
		a, err := s.explanations.RequestTx(ctx, tx, by, approval.Request{Subject: strconv.FormatInt(id, 10), Proposal: explained(&l.Amount, &cause), Note: note, People: 2})
		return map[string]any{"approval": a.ID}, err
	})
}

// explained is what is agreed on, by the columns of the line.
func explained(amount *int64, cause *Cause) approval.Fields {
	return approval.Fields{"amount": amount, "cause": cause}
}

// Explanation reads what was requested of a line; ok is false without a request.
func (s *Service) Explanation(ctx context.Context, l Line) (a approval.Approval, cause Cause, ok bool, err error) {
	if l.Approval == nil {
		return a, "", false, nil
	}
	if a, err = s.explanations.Find(ctx, *l.Approval); err != nil {
		return a, "", false, err
	}
	var amount int64
	return a, cause, true, a.Read(explained(&amount, &cause))
}

// ApproveExplanation is the second person's agreement. Refusals: those of approval.Service.ApproveTx.
func (s *Service) ApproveExplanation(ctx context.Context, by audit.Actor, a approval.Approval) error {
	_, err := s.explanations.Approve(ctx, by, a.ID, a.Version, approval.Requested, a.Facts)
	return err
}

// DeclineExplanation withdraws the person's own request, or refuses another person's. Refusals: those of approval.Service.DeclineTx.
func (s *Service) DeclineExplanation(ctx context.Context, by audit.Actor, a approval.Approval, note string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := s.explanations.DeclineTx(ctx, tx, by, a, note)
		return err
	})
}

// explainTx makes an agreed explanation take effect.
func (s *Service) explainTx(_ context.Context, tx *db.Tx, by audit.Actor, a approval.Approval) error {
	l, err := approvedTx(tx, a)
	if err != nil {
		return err
	}
	var amount int64
	var cause Cause
	if err := a.Read(explained(&amount, &cause)); err != nil {
		return err
	}
	return moveTx(tx, &l, map[string]any{"state": Explained, "cause": cause, "decided_by": by.ID, "decided_at": s.clock.Now()})
}

// unexplainedTx frees the line of a request that was refused, was withdrawn or expired.
func (s *Service) unexplainedTx(_ context.Context, tx *db.Tx, _ audit.Actor, a approval.Approval) error {
	l, err := approvedTx(tx, a)
	if err != nil {
		return err
	}
	return moveTx(tx, &l, map[string]any{"approval": nil})
}

// approvedTx locks the line that an approval is about. It returns ErrState when the line has moved on.
func approvedTx(tx *db.Tx, a approval.Approval) (l Line, err error) {
	id, err := strconv.ParseInt(a.Subject, 10, 64)
	if err != nil {
		return l, err
	}
	if l, err = lockTx(tx, id); err == nil && (l.State != Unmatched || l.Approval == nil || *l.Approval != a.ID) {
		err = ErrState
	}
	return l, err
}
