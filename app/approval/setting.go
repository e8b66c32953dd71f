package approval

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"candor/app/audit"
	"candor/app/platform/db"
)

// Row is one of a table's rows that two people change field by field.
type Row struct {
	ID      int
	Version int
	Fields  Fields // pointing into the row, by its columns
}

// Settings are the rows of a table that two people change: one requests what a row becomes, another one agrees. The table has the columns id, version and
// approval, and a trigger that wants an approval for a row in force.
type Settings[T any] struct {
	*Service
	Row     func(*T) Row
	Unknown error // there is no such row
	Changed error // another version than the one shown
	Same    error // the request changes nothing
}

// NewSettings declares a use whose subject is a row.
func NewSettings[T any](e *Engine, use Use, s Settings[T]) *Settings[T] {
	use.Apply = s.applyTx
	s.Service = e.For(use)
	return &s
}

// LockTx reads and locks a row. It returns Unknown.
func (s *Settings[T]) LockTx(tx *db.Tx, id int) (row T, err error) {
	if err = tx.ForUpdate().Where("id = ?", id).Limit(1).Find(&row).Error; err != nil {
		return row, fmt.Errorf("lock setting %d: %w", id, err)
	}
	if s.Row(&row).ID == 0 {
		err = s.Unknown
	}
	return row, err
}

// Request asks another person to agree to what a row becomes; become makes that of the row as it is, and may refuse it.
// Refusals: ErrNote, Unknown, Changed, Same, ErrOpen, and those of become.
func (s *Settings[T]) Request(ctx context.Context, by audit.Actor, id, version int, note string, become func(T) (T, error)) (a Approval, err error) {
	if err := CheckNote(note); err != nil {
		return a, err
	}
	err = s.engine.db.InTx(ctx, func(tx *db.Tx) error {
		now, err := s.LockTx(tx, id)
		if err != nil {
			return err
		}
		if s.Row(&now).Version != version {
			return s.Changed
		}
		becomes, err := become(now)
		if err != nil {
			return err
		}
		fields := s.Row(&becomes).Fields
		if same, err := equal(s.Row(&now).Fields, fields); err != nil || same {
			return firstOf(err, s.Same)
		}
		a, err = s.RequestTx(ctx, tx, by, Request{Subject: strconv.Itoa(id), Proposal: fields, Note: note, People: 2})
		return err
	})
	return a, err
}

func firstOf(err, refusal error) error {
	if err != nil {
		return err
	}
	return refusal
}

// equal compares two values as a proposal stores them.
func equal(one, other any) (bool, error) {
	was, err := json.Marshal(one)
	if err != nil {
		return false, err
	}
	becomes, err := json.Marshal(other)
	return bytes.Equal(was, becomes), err
}

// Change is an open request about a row, and what the row would become.
type Change[T any] struct {
	Approval
	Becomes T
}

// Undecided reads the open requests about rows, by the ids of those that have one.
func (s *Settings[T]) Undecided(ctx context.Context, rows ...T) (map[int]Change[T], error) {
	subjects := make([]string, len(rows))
	for i := range rows {
		subjects[i] = strconv.Itoa(s.Row(&rows[i]).ID)
	}
	found := map[int]Change[T]{}
	if len(rows) == 0 {
		return found, nil
	}
	list, err := s.List(ctx, Search{Open: true, Subjects: subjects}, 0, len(rows)) // a row has one at most
	if err != nil {
		return nil, err
	}
	for _, a := range list {
		becomes := rows[slices.Index(subjects, a.Subject)]
		row := s.Row(&becomes)
		if err := a.Read(row.Fields); err != nil {
			return nil, err
		}
		found[row.ID] = Change[T]{a, becomes}
	}
	return found, nil
}

// Agree is the second person's agreement to what was shown. Refusals: those of Service.ApproveTx.
func (s *Settings[T]) Agree(ctx context.Context, by audit.Actor, a Approval) error {
	_, err := s.Approve(ctx, by, a.ID, a.Version, Requested, a.Facts)
	return err
}

// Decline withdraws the person's own request, or refuses another person's. Refusals: those of Service.DeclineTx.
func (s *Settings[T]) Decline(ctx context.Context, by audit.Actor, a Approval, note string) error {
	return s.engine.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := s.DeclineTx(ctx, tx, by, a, note)
		return err
	})
}

// applyTx makes an agreed change take effect.
func (s *Settings[T]) applyTx(_ context.Context, tx *db.Tx, _ audit.Actor, a Approval) error {
	id, err := strconv.Atoi(a.Subject)
	if err != nil {
		return err
	}
	row, err := s.LockTx(tx, id)
	if err != nil {
		return err
	}
	before := row
	now, was := s.Row(&row), s.Row(&before).Fields
	if err := a.Read(now.Fields); err != nil {
		return err
	}
	changes := map[string]any{"approval": a.ID, "version": now.Version + 1}
	for column, value := range now.Fields {
		same, err := equal(was[column], value)
		if err != nil {
			return err
		}
		if !same {
			changes[column] = value
		}
	}
	return db.MustAffect(tx.Rows.Model(&row).Where("id = ? AND version = ?", id, now.Version).Updates(changes))
}

// Suspend turns a column of a row off at once; one person is enough. On refuses a row that is off already. The audit entry is of action, with the note.
// Refusals: ErrNote, Unknown, Changed, those of on.
func (s *Settings[T]) Suspend(ctx context.Context, by audit.Actor, id, version int, note, column, action string, on func(T) error) error {
	if err := CheckNote(note); err != nil {
		return err
	}
	return s.engine.db.InTx(ctx, func(tx *db.Tx) error {
		row, err := s.LockTx(tx, id)
		if err != nil {
			return err
		}
		if s.Row(&row).Version != version {
			return s.Changed
		}
		if err := on(row); err != nil {
			return err
		}
		if err := db.MustAffect(tx.Rows.Model(&row).Where("id = ? AND version = ?", id, version).Updates(map[string]any{column: false, "version": version + 1})); err != nil {
			return err
		}
		after, err := json.Marshal(map[string]string{"note": note})
		if err != nil {
			return err
		}
		entry := audit.By(by, s.engine.clock.Now(), action, s.use.target(), id)
		entry.After = string(after)
		return audit.RecordTx(ctx, tx, entry)
	})
}
