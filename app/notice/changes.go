package notice

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Create adds an item with its first draft, which readers do not see. Refusals: fields, ErrIsPage.
func (s *Service) Create(ctx context.Context, by audit.Actor, kind Kind, set Settings) (item Item, err error) {
	if kind == Page || !slices.Contains(Kinds, kind) {
		return item, ErrIsPage
	}
	now := s.clock.Now()
	set.Image = nil
	if set, err = kind.read(set, now); err != nil {
		return item, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		item = Item{Kind: kind, ToldFrom: 1, Version: 1, CreatedAt: now}
		err := tx.Conn.QueryRow(ctx, `
			INSERT INTO notice_items (kind, sort, version, created_at)
			SELECT $1, least(coalesce(max(sort), 0) + 1, $3), 1, $2 FROM notice_items WHERE kind = $1 RETURNING id, sort`, kind, now, maxPosition).Scan(&item.ID, &item.Sort)
		if err != nil {
			return fmt.Errorf("write an item: %w", err)
		}
		revision, err := addTx(ctx, tx, by, item.ID, 1, set, now)
		if err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, "notice.create", item, revision, nil, set)
	})
	return item, err
}

// Save edits the settings of the current revision. A revision in review or scheduled becomes a draft again; a live one stays live, and the edit starts a new
// revision. The picture stays. Refusals: fields, ErrItem, ErrChanged.
func (s *Service) Save(ctx context.Context, by audit.Actor, id int64, version int, set Settings) (Item, error) {
	return s.edit(ctx, by, id, version, "notice.edit", func(_ *db.Tx, item Item, r *Revision) (before, after any, err error) {
		if set, err = item.Kind.read(set, s.clock.Now()); err != nil {
			return nil, nil, err
		}
		set.Image = r.Image
		before, r.Settings = r.Settings, set
		return before, set, nil
	})
}

// Write edits the text in one language, like Save; an empty text is deleted. Refusals: those of Save.
func (s *Service) Write(ctx context.Context, by audit.Actor, id int64, version int, text Text) (Item, error) {
	return s.edit(ctx, by, id, version, "notice.write", func(tx *db.Tx, item Item, r *Revision) (before, after any, err error) {
		if text, err = item.Kind.readText(text); err != nil {
			return nil, nil, err
		}
		texts, err := textsOf(ctx, tx.Conn, r.ID)
		if err != nil {
			return nil, nil, err
		}
		if i := slices.IndexFunc(texts, func(v Variant) bool { return v.Locale == text.Locale }); i >= 0 {
			before = texts[i].Text
		}
		return before, text, writeTx(ctx, tx, r.ID, text, s.clock.Now())
	})
}

// edit edits the current revision or starts the next one.
func (s *Service) edit(ctx context.Context, by audit.Actor, id int64, version int, action string, change func(*db.Tx, Item, *Revision) (before, after any, err error)) (item Item, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var r Revision
		if item, r, err = lockTx(ctx, tx, id, version); err != nil {
			return err
		}
		now := s.clock.Now()
		if !r.State.UnderWay() {
			if r, err = nextTx(ctx, tx, by, r.Number+1, r, now); err != nil {
				return err
			}
		}
		r.State, r.SubmittedAt, r.DeciderID, r.DecidedAt, r.Reason, r.Again = Drafted, nil, nil, nil, "", false
		if err := saveTx(ctx, tx, r); err != nil { // it must be a draft before its texts change
			return err
		}
		before, after, err := change(tx, item, &r)
		if err != nil {
			return err
		}
		r.AuthorID, r.ChangedAt = &by.ID, now
		if !slices.Contains(r.Authors, by.ID) {
			r.Authors = append(r.Authors, by.ID)
		}
		if err := saveTx(ctx, tx, r); err != nil {
			return err
		}
		if err := saveItemTx(ctx, tx, &item); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, action, item, r, before, after)
	})
	return item, err
}

// Restore makes the settings, picture and texts of an earlier revision the next draft. The live revision stays live. Refusals: ErrItem, ErrChanged,
// ErrUnderWay.
func (s *Service) Restore(ctx context.Context, by audit.Actor, id int64, version, number int) (item Item, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var newest Revision
		if item, newest, err = lockTx(ctx, tx, id, version); err != nil {
			return err
		}
		if newest.State.UnderWay() {
			return ErrUnderWay
		}
		from, err := revisionByNumber(ctx, tx.Conn, id, number)
		if err != nil {
			return err
		}
		r, err := nextTx(ctx, tx, by, newest.Number+1, from, s.clock.Now())
		if err != nil {
			return err
		}
		if err := saveItemTx(ctx, tx, &item); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, "notice.restore", item, r, map[string]int{"revision": newest.Number}, map[string]int{"restored": number})
	})
	return item, err
}

// Submit sends a draft to review. Refusals: ErrItem, ErrState, ErrChanged, ErrDefault, ErrAlt, ErrOver.
func (s *Service) Submit(ctx context.Context, by audit.Actor, id int64, version int) (Item, error) {
	return s.act(ctx, by, id, version, "notice.submit", func(tx *db.Tx, _ *Item, r *Revision) error {
		if r.State != Drafted {
			return ErrState
		}
		if err := s.readyTx(ctx, tx, *r); err != nil {
			return err
		}
		now := s.clock.Now()
		r.State, r.SubmittedAt, r.Reason = InReview, &now, ""
		return nil
	})
}

// Recall makes a revision in review or scheduled a draft again. Refusals: ErrItem, ErrState, ErrChanged.
func (s *Service) Recall(ctx context.Context, by audit.Actor, id int64, version int) (Item, error) {
	return s.act(ctx, by, id, version, "notice.recall", func(_ *db.Tx, _ *Item, r *Revision) error {
		if !r.State.May(Drafted) {
			return ErrState
		}
		r.State, r.SubmittedAt, r.DeciderID, r.DecidedAt, r.Again = Drafted, nil, nil, nil, false
		return nil
	})
}

// Approve is the second person's approval: the revision goes live at once or at its start. With again, readers of an earlier revision are notified again.
// Refusals: ErrItem, ErrState, ErrChanged, ErrSelf, ErrDefault, ErrAlt, ErrOver.
func (s *Service) Approve(ctx context.Context, by audit.Actor, id int64, version int, again bool) (Item, error) {
	return s.act(ctx, by, id, version, "notice.approve", func(tx *db.Tx, item *Item, r *Revision) error {
		if err := r.checkReviewer(by); err != nil {
			return err
		}
		if err := s.readyTx(ctx, tx, *r); err != nil {
			return err
		}
		now := s.clock.Now()
		r.State, r.DeciderID, r.DecidedAt, r.Again = Approved, &by.ID, &now, again
		if r.StartsAt != nil && r.StartsAt.After(now) {
			r.State = Scheduled
			return nil
		}
		return s.goLiveTx(ctx, tx, item, r)
	})
}

// Reject returns a revision to its author with a reason. Refusals: fields, ErrItem, ErrState, ErrChanged, ErrSelf.
func (s *Service) Reject(ctx context.Context, by audit.Actor, id int64, version int, reason string) (Item, error) {
	reason, err := readReason(reason)
	if err != nil {
		return Item{}, err
	}
	return s.act(ctx, by, id, version, "notice.reject", func(_ *db.Tx, _ *Item, r *Revision) error {
		if err := r.checkReviewer(by); err != nil {
			return err
		}
		r.State, r.SubmittedAt, r.Reason = Drafted, nil, reason
		return nil
	})
}

// checkReviewer refuses a revision that is not in review, and a reviewer who wrote at it. Refusals: ErrState, ErrSelf.
func (r Revision) checkReviewer(by audit.Actor) error {
	switch {
	case r.State != InReview:
		return ErrState
	case slices.Contains(r.Authors, by.ID):
		return ErrSelf
	}
	return nil
}

// Unpublish takes the live revision down at once; a draft beside it stays a draft. Refusals: fields, ErrItem, ErrState, ErrChanged.
func (s *Service) Unpublish(ctx context.Context, by audit.Actor, id int64, version int, reason string) (item Item, err error) {
	if reason, err = readReason(reason); err != nil {
		return item, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if item, _, err = lockTx(ctx, tx, id, version); err != nil {
			return err
		}
		return s.endTx(ctx, tx, by, "notice.unpublish", &item, Unpublished, reason)
	})
	return item, err
}

// Archive archives a draft, expired or unpublished revision; a live one beside a draft stays live. Refusals: ErrItem, ErrState, ErrChanged.
func (s *Service) Archive(ctx context.Context, by audit.Actor, id int64, version int) (Item, error) {
	return s.act(ctx, by, id, version, "notice.archive", func(_ *db.Tx, _ *Item, r *Revision) error {
		if !r.State.May(Archived) {
			return ErrState
		}
		r.State = Archived
		return nil
	})
}

// maxPosition is the highest position in an order.
const maxPosition = 9999

// Reorder moves an item to a position among its kind, 1 being the first; the others shift. Refusals: field sort, also for a kind without an order, ErrItem,
// ErrChanged.
func (s *Service) Reorder(ctx context.Context, by audit.Actor, id int64, version, position int) (item Item, err error) {
	if position < 1 || position > maxPosition {
		return item, errs.Field("sort", "field.range")
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		ids, err := orderTx(ctx, tx, id)
		if err != nil {
			return err
		}
		var r Revision
		if item, r, err = lockTx(ctx, tx, id, version); err != nil {
			return err
		}
		if !item.Kind.Ordered() {
			return errs.Field("sort", "field.choice")
		}
		before := slices.Index(ids, id)
		ids = slices.Delete(ids, before, before+1)
		after := min(position-1, len(ids))
		if err := renumberTx(ctx, tx, slices.Insert(ids, after, id)); err != nil {
			return err
		}
		item.Sort = after + 1
		if err := saveItemTx(ctx, tx, &item); err != nil {
			return err
		}
		tx.AfterCommit(func() { s.announce(ctx) })
		return s.recordTx(ctx, tx, by, "notice.place", item, r, map[string]int{"sort": before + 1}, map[string]int{"sort": item.Sort})
	})
	return item, err
}

// act locks an item and its newest revision, applies decide, and stores the result with its audit entry in one transaction.
func (s *Service) act(ctx context.Context, by audit.Actor, id int64, version int, action string, decide func(*db.Tx, *Item, *Revision) error) (item Item, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var r Revision
		if item, r, err = lockTx(ctx, tx, id, version); err != nil {
			return err
		}
		before := r.State
		if err := decide(tx, &item, &r); err != nil {
			return err
		}
		if err := saveTx(ctx, tx, r); err != nil {
			return err
		}
		if r.State == Live {
			item.LiveID = &r.ID
		}
		if err := saveItemTx(ctx, tx, &item); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, action, item, r, map[string]any{"state": before}, auditDetails(r))
	})
	return item, err
}

// auditDetails is the part of an act's audit entry about the revision.
func auditDetails(r Revision) map[string]any {
	after := map[string]any{"state": r.State, "reason": r.Reason}
	if r.Again {
		after["again"] = true
	}
	return after
}

func (s *Service) readyTx(ctx context.Context, tx *db.Tx, r Revision) error {
	texts, err := textsOf(ctx, tx.Conn, r.ID)
	if err != nil {
		return err
	}
	return r.ready(texts, s.clock.Now())
}

// goLiveTx makes a revision live and replaces the previous one.
func (s *Service) goLiveTx(ctx context.Context, tx *db.Tx, item *Item, r *Revision) error {
	now := s.clock.Now()
	if item.LiveID != nil {
		_, err := tx.Conn.Exec(ctx, `UPDATE notice_revisions SET state = 'replaced', ended_at = $2 WHERE id = $1 AND state = 'live'`, *item.LiveID, now)
		if err != nil {
			return fmt.Errorf("replace revision %d: %w", *item.LiveID, err)
		}
	}
	r.State, r.LiveAt = Live, &now
	if r.Again {
		item.ToldFrom = r.Number
	}
	tx.AfterCommit(func() { s.announce(ctx) })
	return nil
}

// endTx takes an item's live revision down. Refusal: ErrState.
func (s *Service) endTx(ctx context.Context, tx *db.Tx, by audit.Actor, action string, item *Item, to State, reason string) error {
	if item.LiveID == nil {
		return ErrState
	}
	r, err := revisionTx(ctx, tx, *item.LiveID)
	if err != nil {
		return err
	}
	now := s.clock.Now()
	r.State, r.EndedAt, r.Reason = to, &now, reason
	item.LiveID = nil
	if err := saveTx(ctx, tx, r); err != nil {
		return err
	}
	if err := saveItemTx(ctx, tx, item); err != nil {
		return err
	}
	tx.AfterCommit(func() { s.announce(ctx) })
	return s.recordTx(ctx, tx, by, action, *item, r, map[string]any{"state": Live}, map[string]any{"state": to, "reason": reason})
}

// schedule is the actor that starts and ends scheduled revisions.
var schedule = audit.Actor{Kind: audit.System, Name: "schedule"}

// RunDue shows the revisions whose start has come and takes down those whose end has come. It returns their number.
func (s *Service) RunDue(ctx context.Context) (n int, err error) {
	for _, step := range []func(context.Context) (bool, error){s.startNext, s.endNext} {
		due := true
		for due && err == nil {
			if due, err = step(ctx); due {
				n++
			}
		}
	}
	return n, err
}

func (s *Service) startNext(ctx context.Context) (bool, error) {
	return s.next(ctx, `SELECT item_id FROM notice_revisions WHERE state = 'scheduled' AND starts_at <= $1 ORDER BY starts_at, id LIMIT 1`, func(tx *db.Tx, item Item) error {
		r, err := newestTx(ctx, tx, item.ID)
		if err != nil || r.State != Scheduled || r.StartsAt.After(s.clock.Now()) {
			return err
		}
		if err := s.goLiveTx(ctx, tx, &item, &r); err != nil {
			return err
		}
		if err := saveTx(ctx, tx, r); err != nil {
			return err
		}
		item.LiveID = &r.ID
		if err := saveItemTx(ctx, tx, &item); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, schedule, "notice.start", item, r, map[string]any{"state": Scheduled}, map[string]any{"state": Live})
	})
}

func (s *Service) endNext(ctx context.Context) (bool, error) {
	return s.next(ctx, `SELECT item_id FROM notice_revisions WHERE state = 'live' AND ends_at <= $1 ORDER BY ends_at, id LIMIT 1`, func(tx *db.Tx, item Item) error {
		if item.LiveID == nil {
			return nil
		}
		r, err := revisionTx(ctx, tx, *item.LiveID)
		if err != nil || r.EndsAt == nil || r.EndsAt.After(s.clock.Now()) {
			return err
		}
		return s.endTx(ctx, tx, schedule, "notice.end", &item, Expired, "")
	})
}

// next finds a due item, locks it and moves it on; a concurrent second caller finds it already moved.
func (s *Service) next(ctx context.Context, find string, move func(*db.Tx, Item) error) (due bool, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		id, err := one[int64](ctx, tx.Conn, find, s.clock.Now())
		if due = id != 0; err != nil || !due {
			return err
		}
		item, err := itemTx(ctx, tx, id)
		if err != nil {
			return err
		}
		return move(tx, item)
	})
	return due, err
}

// Changed is the subject of events that the live items have changed.
const Changed = "notice.changed"

func (s *Service) announce(ctx context.Context) {
	if err := s.bus.Publish(Changed, nil); err != nil {
		slog.ErrorContext(ctx, "what is published can't be told", "error", err)
	}
}

// Follow calls RunDue every second until ctx ends.
func (s *Service) Follow(ctx context.Context) error {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for {
		select {
		case <-second.C:
			if _, err := s.RunDue(ctx); err != nil && ctx.Err() == nil {
				slog.ErrorContext(ctx, "what is scheduled can't be published", "error", err)
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// recordTx writes the audit entry of an act on a revision.
func (s *Service) recordTx(ctx context.Context, tx *db.Tx, by audit.Actor, action string, item Item, r Revision, before, after any) error {
	e := audit.By(by, s.clock.Now(), action, "notice", item.ID)
	was, err := json.Marshal(map[string]any{"revision": r.Number, "was": before})
	if err != nil {
		return err
	}
	is, err := json.Marshal(map[string]any{"kind": item.Kind, "revision": r.Number, "is": after})
	if err != nil {
		return err
	}
	e.Before, e.After = string(was), string(is)
	return audit.RecordTx(ctx, tx, e)
}
