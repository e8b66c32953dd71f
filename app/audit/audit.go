// Package audit remembers who did what: every entry is written in the transaction of the act, never changed, and sealed into a signed chain.
package audit

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unicode"

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

// Actor is who acts, as what, and from where. What the browser calls itself is kept by By in a form that can be shown.
type Actor struct {
	Kind    ActorKind
	ID      int64
	Name    string
	Roles   string // that staff hold as they act, with commas between them
	IP      string
	Agent   string // what the browser calls itself
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
	ActorRoles string // empty of traders and the system, and of staff before they were kept
	Agent      string // empty of the system, and before it was kept
}

// TableName is GORM's name of the table.
func (Entry) TableName() string { return "audit_entries" }

// Visitor is somebody at a place who has not shown who they are; whose account they are at is the entry's target.
func Visitor(from Actor) Actor {
	from.Kind, from.ID, from.Name = System, 0, VisitorName
	return from
}

// VisitorName is the name of a Visitor.
const VisitorName = "visitor"

// By starts an entry of what actor did to a target.
func By(actor Actor, at time.Time, action, targetKind string, targetID any) Entry {
	return Entry{
		At: at.UTC().Truncate(time.Microsecond), ActorKind: actor.Kind, ActorID: actor.ID, ActorName: actor.Name,
		Action: action, TargetKind: targetKind, TargetID: fmt.Sprint(targetID), Result: Done, IP: actor.IP, TraceID: actor.TraceID,
		ActorRoles: actor.Roles, Agent: shown(actor.Agent),
	}
}

// agentLimit is how many bytes are kept of what a browser calls itself: anybody can make up a long one.
const agentLimit = 300

// shown is the beginning of what a browser calls itself, without what can't be seen.
func shown(agent string) string {
	visible := func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}
	return strings.Map(visible, strings.ToValidUTF8(agent[:min(len(agent), agentLimit)], ""))
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
		INSERT INTO audit_entries (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after,
			actor_roles, agent)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		e.At, e.ActorKind, e.ActorID, e.ActorName, e.Action, e.TargetKind, e.TargetID, e.Result, e.IP, e.TraceID, e.Before, e.After,
		e.ActorRoles, e.Agent)
}

// leaf is the entry's hash: its fields in order, each led by its length as 4 bytes, numbers as 8 bytes, big endian. The roles and the agent follow
// where the entry has either, so entries from before they were kept hash as they did, and one that gains or loses them hashes as no other.
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
	if e.ActorRoles != "" || e.Agent != "" {
		text(e.ActorRoles)
		text(e.Agent)
	}
	return seal.Leaf(b.Bytes())
}
