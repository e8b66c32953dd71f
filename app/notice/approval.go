package notice

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
)

// An author submits a revision and a second person approves it. It goes live then, or at its start; when its request ends otherwise, it is a draft again.

// declare declares the publishing of content to the engine. The subject is the item, whose newest revision is the one that is submitted.
func (s *Service) declare(e *approval.Engine) {
	s.requests = e.For(approval.Use{
		Name: "content", Area: "notice", Target: "notice", MayApprove: notByAuthors, MayWithdraw: func(audit.Actor, approval.Approval) error { return nil },
		Lock: lockTx, Facts: factsTx, Apply: s.publishTx, Closed: draftAgainTx,
	})
}

// notByAuthors refuses everybody who wrote at the revision. It returns approval.ErrSamePerson.
func notByAuthors(by audit.Actor, a approval.Approval) error {
	var authors []int64
	if err := a.Read(approval.Fields{"authors": &authors}); err != nil {
		return err
	}
	if slices.Contains(authors, by.ID) {
		return approval.ErrSamePerson
	}
	return nil
}

func lockTx(_ context.Context, tx *db.Tx, a approval.Approval) error {
	_, err := itemTx(tx, a.Subject)
	return err
}

// content is the row of a revision without what changes while it is under way.
const content = `(to_jsonb(r) - '{id,item_id,state,approval,reason,created_at,changed_at,live_at,ended_at}'::text[])`

// factsTx hashes what an approver sees: the settings, the picture's hash, and the texts in every language.
func factsTx(ctx context.Context, tx *db.Tx, a approval.Approval) (facts []byte, err error) {
	err = tx.Conn.QueryRow(ctx, `
		SELECT sha256(convert_to(jsonb_build_array(i.kind, `+content+`, (
			SELECT jsonb_agg(to_jsonb(v) - '{revision_id,changed_at}'::text[] ORDER BY v.locale) FROM notice_variants v WHERE v.revision_id = r.id
		))::text, 'UTF8'))
		FROM notice_items i JOIN notice_revisions r ON r.item_id = i.id WHERE i.id = $1 ORDER BY r.number DESC LIMIT 1`, a.Subject).Scan(&facts)
	if err != nil {
		return nil, fmt.Errorf("hash the content of item %s: %w", a.Subject, err)
	}
	return facts, nil
}

// Submit sends a draft to review. With again, readers of an earlier revision are notified again when it goes live.
// Refusals: ErrItem, ErrState, approval.ErrChanged, ErrDefault, ErrAlt, ErrOver.
func (s *Service) Submit(ctx context.Context, by audit.Actor, id int64, version int, again bool) (Item, error) {
	return s.act(ctx, id, version, func(tx *db.Tx, _ Item, r Revision) error {
		if r.State != Drafted {
			return ErrState
		}
		if err := s.readyTx(tx, r); err != nil {
			return err
		}
		if err := setTx(tx, r.ID, map[string]any{"again": again}); err != nil {
			return err
		}
		var proposal approval.Fields
		if err := tx.Conn.QueryRow(ctx, `SELECT `+content+` FROM notice_revisions r WHERE id = $1`, r.ID).Scan(&proposal); err != nil {
			return fmt.Errorf("read revision %d: %w", r.ID, err)
		}
		request := approval.Request{Subject: strconv.FormatInt(id, 10), Proposal: proposal, People: 2}
		if r.StartsAt != nil && r.StartsAt.After(s.clock.Now()) {
			request.EffectiveAt = r.StartsAt
		}
		a, err := s.requests.RequestTx(ctx, tx, by, request)
		if err != nil {
			return err
		}
		return setTx(tx, r.ID, map[string]any{"state": Submitted, "approval": a.ID})
	})
}

// Recall makes a submitted revision a draft again. Refusals: ErrItem, ErrState, approval.ErrChanged.
func (s *Service) Recall(ctx context.Context, by audit.Actor, id int64, version int) (Item, error) {
	return s.decide(ctx, id, version, func(tx *db.Tx, a approval.Approval) error {
		_, err := s.requests.WithdrawTx(ctx, tx, by, a.ID, a.Version, "")
		return err
	})
}

// Approve is the second person's approval of the facts that they were shown: the revision goes live at once or at its start.
// Refusals: ErrItem, ErrState, ErrDefault, ErrAlt, ErrOver, those of approval.Service.ApproveTx.
func (s *Service) Approve(ctx context.Context, by audit.Actor, id int64, version int, shown []byte) (Item, error) {
	return s.decide(ctx, id, version, func(tx *db.Tx, a approval.Approval) error {
		_, err := s.requests.ApproveTx(ctx, tx, by, a.ID, a.Version, approval.Requested, shown)
		return err
	})
}

// Reject returns a revision to its author with a reason. Refusals: fields, ErrItem, ErrState, those of approval.Service.RefuseTx.
func (s *Service) Reject(ctx context.Context, by audit.Actor, id int64, version int, reason string) (Item, error) {
	reason, err := readReason(reason)
	if err != nil {
		return Item{}, err
	}
	return s.decide(ctx, id, version, func(tx *db.Tx, a approval.Approval) error {
		_, err := s.requests.RefuseTx(ctx, tx, by, a.ID, a.Version, reason)
		return err
	})
}

// decide acts on the approval of a submitted revision. Refusal: ErrState.
func (s *Service) decide(ctx context.Context, id int64, version int, do func(*db.Tx, approval.Approval) error) (Item, error) {
	return s.act(ctx, id, version, func(tx *db.Tx, _ Item, _ Revision) error {
		open, err := s.requests.OpenTx(tx, strconv.FormatInt(id, 10))
		if err != nil {
			return err
		}
		if len(open) == 0 {
			return ErrState
		}
		return do(tx, open[0])
	})
}

// publishTx makes an approved revision live and replaces the previous one. Refusals: ErrDefault, ErrAlt, ErrOver.
func (s *Service) publishTx(ctx context.Context, tx *db.Tx, _ audit.Actor, a approval.Approval) error {
	item, err := itemTx(tx, a.Subject)
	if err != nil {
		return err
	}
	r, err := oneRevision(tx.Rows, "approval = ?", a.ID)
	if err != nil {
		return err
	}
	if err := s.readyTx(tx, r); err != nil {
		return err
	}
	now := s.clock.Now()
	if item.LiveID != nil {
		if err := setTx(tx, *item.LiveID, map[string]any{"state": Replaced, "ended_at": now}); err != nil {
			return err
		}
	}
	if err := setTx(tx, r.ID, map[string]any{"state": Live, "live_at": now}); err != nil {
		return err
	}
	if r.Again {
		item.ToldFrom = r.Number
	}
	tx.AfterCommit(func() { s.announce(ctx) })
	return setItemTx(tx, item.ID, map[string]any{"live_id": r.ID, "told_from": item.ToldFrom})
}

// draftAgainTx makes a revision a draft again after its request ended without effect.
func draftAgainTx(_ context.Context, tx *db.Tx, _ audit.Actor, a approval.Approval) error {
	r, err := oneRevision(tx.Rows, "approval = ?", a.ID)
	if err != nil {
		return err
	}
	if err := setTx(tx, r.ID, map[string]any{"state": Drafted}); err != nil {
		return err
	}
	return setItemTx(tx, r.ItemID, map[string]any{})
}

func (s *Service) readyTx(tx *db.Tx, r Revision) error {
	texts, err := textsOf(tx.Rows, r.ID)
	if err != nil {
		return err
	}
	return r.ready(texts, s.clock.Now())
}

// CountWaiting counts the revisions in review and returns the submission time of the oldest.
func (s *Service) CountWaiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	return s.requests.Count(ctx)
}
