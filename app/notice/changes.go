package notice

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"candor/app/approval"
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
		revision, err := addTx(tx, by, item.ID, 1, set, now)
		if err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, "notice.create", item, revision, nil, set)
	})
	return item, err
}

// Edit changes the settings and the text of the current revision in one language, both or neither; nil leaves one as it is. A submitted revision becomes a
// draft again; a live one stays live, and the edit starts a new revision. The picture stays; an empty text is deleted.
// Refusals: fields, ErrItem, approval.ErrChanged.
func (s *Service) Edit(ctx context.Context, by audit.Actor, id int64, version int, text *Text, set *Settings) (Item, error) {
	var changes []change
	if text != nil {
		changes = append(changes, s.changeText(*text))
	}
	if set != nil {
		changes = append(changes, s.changeSettings(*set))
	}
	return s.edit(ctx, by, id, version, changes...)
}

// change is an edit of a draft, with what it changes for the audit log.
type change struct {
	action string
	do     func(tx *db.Tx, item Item, r *Revision) (before, after any, err error)
}

func (s *Service) changeSettings(set Settings) change {
	return change{"notice.edit", func(_ *db.Tx, item Item, r *Revision) (before, after any, err error) {
		if set, err = item.Kind.read(set, s.clock.Now()); err != nil {
			return nil, nil, err
		}
		set.Image = r.Image
		before, r.Settings = r.Settings, set
		return before, set, nil
	}}
}

func (s *Service) changeText(text Text) change {
	return change{"notice.write", func(tx *db.Tx, item Item, r *Revision) (before, after any, err error) {
		if text, err = item.Kind.readText(text); err != nil {
			return nil, nil, err
		}
		texts, err := textsOf(tx.Rows, r.ID)
		if err != nil {
			return nil, nil, err
		}
		if i := slices.IndexFunc(texts, func(v Variant) bool { return v.Locale == text.Locale }); i >= 0 {
			before = texts[i].Text
		}
		return before, text, writeTx(tx, r.ID, text, s.clock.Now())
	}}
}

// edit edits the current revision or starts the next one.
func (s *Service) edit(ctx context.Context, by audit.Actor, id int64, version int, changes ...change) (Item, error) {
	return s.act(ctx, id, version, func(tx *db.Tx, item Item, r Revision) (err error) {
		now := s.clock.Now()
		switch {
		case r.State == Submitted:
			err = s.requests.LapseTx(ctx, tx, *r.ApprovalID) // it must be a draft before its texts change
		case r.State != Drafted:
			r, err = nextTx(ctx, tx, by, r.Number+1, r, now)
		}
		if err != nil {
			return err
		}
		r.AuthorID, r.ChangedAt = &by.ID, now
		if !slices.Contains(r.Authors, by.ID) {
			r.Authors = append(r.Authors, by.ID)
		}
		for _, one := range changes {
			before, after, err := one.do(tx, item, &r)
			if err == nil {
				err = s.recordTx(ctx, tx, by, one.action, item, r, before, after)
			}
			if err != nil {
				return err
			}
		}
		return saveTx(tx, r)
	})
}

// Restore makes the settings, picture and texts of an earlier revision the next draft. The live revision stays live. Refusals: ErrItem, approval.ErrChanged,
// ErrUnderWay.
func (s *Service) Restore(ctx context.Context, by audit.Actor, id int64, version, number int) (Item, error) {
	return s.act(ctx, id, version, func(tx *db.Tx, item Item, newest Revision) error {
		if newest.State.UnderWay() {
			return ErrUnderWay
		}
		from, err := oneRevision(tx.Rows, "item_id = ? AND number = ?::bigint", id, number)
		if err != nil {
			return err
		}
		r, err := nextTx(ctx, tx, by, newest.Number+1, from, s.clock.Now())
		if err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, "notice.restore", item, r, map[string]int{"revision": newest.Number}, map[string]int{"restored": number})
	})
}

// Unpublish takes the live revision down at once; a draft beside it stays a draft. Refusals: fields, ErrItem, ErrState, approval.ErrChanged.
func (s *Service) Unpublish(ctx context.Context, by audit.Actor, id int64, version int, reason string) (Item, error) {
	reason, err := readReason(reason)
	if err != nil {
		return Item{}, err
	}
	return s.act(ctx, id, version, func(tx *db.Tx, item Item, _ Revision) error {
		if item.LiveID == nil {
			return ErrState
		}
		r, err := oneRevision(tx.Rows, "id = ?", *item.LiveID)
		if err != nil {
			return err
		}
		return s.endTx(ctx, tx, by, "notice.unpublish", item, r, Unpublished, reason)
	})
}

// Archive archives a draft, expired or unpublished revision; a live one beside a draft stays live. Refusals: ErrItem, ErrState, approval.ErrChanged.
func (s *Service) Archive(ctx context.Context, by audit.Actor, id int64, version int) (Item, error) {
	return s.act(ctx, id, version, func(tx *db.Tx, item Item, r Revision) error {
		if !r.State.MayArchive() {
			return ErrState
		}
		if err := setTx(tx, r.ID, map[string]any{"state": Archived}); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, "notice.archive", item, r, map[string]any{"state": r.State}, map[string]any{"state": Archived})
	})
}

// maxPosition is the highest position in an order.
const maxPosition = 9999

// Reorder moves an item to a position among its kind, 1 being the first; the others shift. Refusals: field sort, also for a kind without an order, ErrItem,
// approval.ErrChanged.
func (s *Service) Reorder(ctx context.Context, by audit.Actor, id int64, version, position int) (item Item, err error) {
	if position < 1 || position > maxPosition {
		return item, errs.Field("sort", "field.range")
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		ids, err := orderTx(tx, id)
		if err != nil {
			return err
		}
		item, err = actTx(tx, id, version, func(tx *db.Tx, item Item, r Revision) error {
			if !item.Kind.Ordered() {
				return errs.Field("sort", "field.choice")
			}
			before := slices.Index(ids, id)
			ids = slices.Delete(ids, before, before+1)
			after := min(position-1, len(ids))
			if err := renumberTx(ctx, tx, slices.Insert(ids, after, id)); err != nil {
				return err
			}
			tx.AfterCommit(func() { s.announce(ctx) })
			return s.recordTx(ctx, tx, by, "notice.place", item, r, map[string]int{"sort": before + 1}, map[string]int{"sort": after + 1})
		})
		return err
	})
	return item, err
}

// act is actTx in its own transaction.
func (s *Service) act(ctx context.Context, id int64, version int, do func(*db.Tx, Item, Revision) error) (item Item, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		item, err = actTx(tx, id, version, do)
		return err
	})
	return item, err
}

// actTx locks an item at a version, acts on it and its newest revision, and returns it at its next version. Refusals: ErrItem, approval.ErrChanged.
func actTx(tx *db.Tx, id int64, version int, do func(*db.Tx, Item, Revision) error) (Item, error) {
	item, err := itemTx(tx, id)
	if err != nil {
		return item, err
	}
	if item.Version != version {
		return item, approval.ErrChanged
	}
	r, err := oneRevision(tx.Rows, "item_id = ?", id)
	if err != nil {
		return item, err
	}
	if err := do(tx, item, r); err != nil {
		return item, err
	}
	if err := setItemTx(tx, id, map[string]any{}); err != nil {
		return item, err
	}
	return itemTx(tx, id)
}

// endTx takes an item's live revision down.
func (s *Service) endTx(ctx context.Context, tx *db.Tx, by audit.Actor, action string, item Item, live Revision, to State, reason string) error {
	if err := setTx(tx, live.ID, map[string]any{"state": to, "ended_at": s.clock.Now(), "reason": reason}); err != nil {
		return err
	}
	if err := setItemTx(tx, item.ID, map[string]any{"live_id": nil}); err != nil {
		return err
	}
	tx.AfterCommit(func() { s.announce(ctx) })
	return s.recordTx(ctx, tx, by, action, item, live, map[string]any{"state": Live}, map[string]any{"state": to, "reason": reason})
}

// schedule is the actor that ends revisions.
var schedule = audit.Actor{Kind: audit.System, Name: "schedule"}

// RunDue takes down the revisions whose end has come. It returns their number.
func (s *Service) RunDue(ctx context.Context) (n int, err error) {
	for due := true; due && err == nil; {
		if due, err = s.endNext(ctx); due {
			n++
		}
	}
	return n, err
}

// endNext finds an item whose live revision has ended, locks it and ends the revision; a concurrent second caller finds it already ended.
func (s *Service) endNext(ctx context.Context) (due bool, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var ended Revision
		err := tx.Rows.Where("state = 'live' AND ends_at <= ?", s.clock.Now()).Order("ends_at, id").Limit(1).Find(&ended).Error
		if due = ended.ID != 0; err != nil || !due {
			return err
		}
		item, err := itemTx(tx, ended.ItemID)
		if err != nil || item.LiveID == nil {
			return err
		}
		r, err := oneRevision(tx.Rows, "id = ?", *item.LiveID)
		if err != nil || r.EndsAt == nil || r.EndsAt.After(s.clock.Now()) {
			return err
		}
		return s.endTx(ctx, tx, schedule, "notice.end", item, r, Expired, "")
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
				slog.ErrorContext(ctx, "what is over can't be taken down", "error", err)
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
