// Package audit remembers who did what: every entry is written in the transaction of the act, never changed, and sealed into a signed chain.
package audit

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/seal"
)

// ActorKind tells traders, staff and the system apart.
type ActorKind string

// The kinds of actors.
const (
	Trader ActorKind = "trader"
	Staff  ActorKind = "staff"
	System ActorKind = "system"
)

// Actor is who acts, and from where.
type Actor struct {
	Kind    ActorKind
	ID      int64
	Name    string
	IP      string
	TraceID string
}

// Result tells how an act ended.
type Result string

// The results of acts.
const (
	Done   Result = "done"
	Denied Result = "denied"
	Failed Result = "failed"
)

// Entry is one act. Before and After hold JSON of what changed, or nothing.
type Entry struct {
	ID         int64
	At         time.Time
	ActorKind  ActorKind
	ActorID    int64
	ActorName  string
	Action     string // "deposit.approve": the noun, then the verb
	TargetKind string
	TargetID   string
	Result     Result
	IP         string
	TraceID    string
	Before     string
	After      string
}

// TableName is GORM's name of the table.
func (Entry) TableName() string { return "audit_entries" }

// By starts an entry of what actor did to a target.
func By(actor Actor, at time.Time, action, targetKind string, targetID any) Entry {
	return Entry{
		At: at.UTC().Truncate(time.Microsecond), ActorKind: actor.Kind, ActorID: actor.ID, ActorName: actor.Name,
		Action: action, TargetKind: targetKind, TargetID: fmt.Sprint(targetID), Result: Done, IP: actor.IP, TraceID: actor.TraceID,
	}
}

// RecordTx writes the entry in the caller's transaction, so that act and entry share one fate.
func RecordTx(ctx context.Context, tx *db.Tx, e Entry) error {
	var batch pgx.Batch
	Queue(&batch, e)
	if err := tx.Conn.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("record %s: %w", e.Action, err)
	}
	return nil
}

// Queue is RecordTx for a transaction that is written as a batch.
func Queue(batch *pgx.Batch, e Entry) {
	batch.Queue(`
		INSERT INTO audit_entries (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		e.At, e.ActorKind, e.ActorID, e.ActorName, e.Action, e.TargetKind, e.TargetID, e.Result, e.IP, e.TraceID, e.Before, e.After)
}

// leaf is the entry's hash: its fields in order, each led by its length as 4 bytes, numbers as 8 bytes, big endian.
func (e Entry) leaf() seal.Hash {
	var b bytes.Buffer
	number := func(v int64) { _ = binary.Write(&b, binary.BigEndian, v) }
	text := func(s string) {
		_ = binary.Write(&b, binary.BigEndian, uint32(len(s)))
		b.WriteString(s)
	}
	number(e.ID)
	number(e.At.UnixMicro())
	text(string(e.ActorKind))
	number(e.ActorID)
	for _, s := range []string{e.ActorName, e.Action, e.TargetKind, e.TargetID, string(e.Result), e.IP, e.TraceID, e.Before, e.After} {
		text(s)
	}
	return seal.Leaf(b.Bytes())
}
