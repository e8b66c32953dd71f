package complaint

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
)

// Answer is the final answer to a complaint, as two people agree on it.
type Answer struct {
	Outcome   Outcome
	Redress   string // what the trader gets; empty for nothing
	RootCause string
	Answer    string // as the trader reads it
	AnswerWay Way
}

// fields are the answer by the columns of the complaint.
func (a *Answer) fields() approval.Fields {
	return approval.Fields{"outcome": &a.Outcome, "redress": &a.Redress, "root_cause": &a.RootCause, "answer": &a.Answer, "answer_way": &a.AnswerWay}
}

func (a *Answer) check() error {
	a.Redress, a.RootCause, a.Answer = strings.TrimSpace(a.Redress), strings.TrimSpace(a.RootCause), strings.TrimSpace(a.Answer)
	switch {
	case !slices.Contains(Outcomes, a.Outcome):
		return ErrOutcome
	case !isText(a.Redress, 0), a.Outcome != Rejected && a.Redress == "":
		return ErrRedress
	case !isText(a.RootCause, shortest):
		return ErrCause
	case !isText(a.Answer, shortest):
		return ErrText
	case !slices.Contains(Ways, a.AnswerWay):
		return ErrWay
	}
	return nil
}

// RequestAnswer proposes the final answer to another person. Refusals: the fields, ErrUnknown, ErrState, ErrChanged, ErrAsked, those of the conflict of interest.
func (s *Service) RequestAnswer(ctx context.Context, by audit.Actor, id int64, version int, a Answer) (Complaint, error) {
	if err := a.check(); err != nil {
		return Complaint{}, err
	}
	return s.act(ctx, by, id, version, approval.InEngine, func(tx *db.Tx, c *Complaint) error {
		switch {
		case c.State != Investigating:
			return ErrState
		case c.Approval != nil:
			return ErrAsked
		}
		asked, err := s.answers.RequestTx(ctx, tx, by, approval.Request{Subject: strconv.FormatInt(id, 10), TraderID: &c.TraderID, Proposal: a.fields(), People: 2})
		c.Approval = &asked.ID
		return err
	})
}

// Proposed reads the answer that was proposed for a complaint and how it was decided; ok is false without one.
func (s *Service) Proposed(ctx context.Context, c Complaint) (asked approval.Approval, a Answer, ok bool, err error) {
	if c.Approval == nil {
		return asked, a, false, nil
	}
	if asked, err = s.answers.Find(ctx, *c.Approval); err != nil {
		return asked, a, false, err
	}
	return asked, a, true, asked.Read(a.fields())
}

// ApproveAnswer is the second person's agreement; the answer takes effect with it, and is mailed. Refusals: those of approval.Service.ApproveTx, ErrNoAddress.
func (s *Service) ApproveAnswer(ctx context.Context, by audit.Actor, asked approval.Approval) error {
	_, err := s.answers.Approve(ctx, by, asked.ID, asked.Version, approval.Requested, asked.Facts)
	return err
}

// DeclineAnswer withdraws the person's own proposal, or refuses another person's. Refusals: approval.ErrNote, those of approval.Service.DeclineTx.
func (s *Service) DeclineAnswer(ctx context.Context, by audit.Actor, asked approval.Approval, why string) error {
	if asked.RequestedBy != by.ID {
		if err := approval.CheckNote(why); err != nil {
			return err
		}
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := s.answers.DeclineTx(ctx, tx, by, asked, why)
		return err
	})
}

// answerTx makes an agreed answer take effect.
func (s *Service) answerTx(ctx context.Context, tx *db.Tx, _ audit.Actor, asked approval.Approval) error {
	c, err := approvedTx(tx, asked)
	if err != nil {
		return err
	}
	var a Answer
	if err := asked.Read(a.fields()); err != nil {
		return err
	}
	now := s.clock.Now()
	c.State, c.AnsweredAt = Answered, &now
	c.Outcome, c.Redress, c.RootCause, c.Answer, c.AnswerWay = &a.Outcome, &a.Redress, &a.RootCause, &a.Answer, &a.AnswerWay
	if a.AnswerWay == WayMail {
		today := Day(now, nil)
		if today.Before(c.ReceivedOn) { // it is tomorrow already where the complaint was registered
			today = c.ReceivedOn
		}
		c.AnswerSentOn = &today
		if err := s.mailTx(ctx, tx, c, a.Answer); err != nil {
			return err
		}
	}
	return saveTx(tx, &c)
}

// unansweredTx frees the complaint of a proposal that was refused, was withdrawn or expired.
func (s *Service) unansweredTx(_ context.Context, tx *db.Tx, _ audit.Actor, asked approval.Approval) error {
	c, err := approvedTx(tx, asked)
	if err != nil {
		return err
	}
	c.Approval = nil
	return saveTx(tx, &c)
}

// approvedTx locks the complaint that an approval is about. It returns ErrState when the complaint has moved on.
func approvedTx(tx *db.Tx, asked approval.Approval) (c Complaint, err error) {
	id, err := strconv.ParseInt(asked.Subject, 10, 64)
	if err != nil {
		return c, err
	}
	if c, err = lockTx(tx, id); err == nil && (c.State != Investigating || c.Approval == nil || *c.Approval != asked.ID) {
		err = ErrState
	}
	return c, err
}
