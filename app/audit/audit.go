// Package audit records who did what: every entry is written in the transaction of the act, never changed, and sealed into a signed chain.
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

// ActorKind distinguishes traders, staff and the system.
type ActorKind string

// The kinds of actors.
const (
	Trader ActorKind = "trader"
	Staff  ActorKind = "staff"
	System ActorKind = "system"
)

// Actor is the author of an act, with roles and origin. By stores the user agent in printable form.
type Actor struct {
	Kind    ActorKind
	ID      int64
	Name    string
	Roles   string // of staff at the time of the act, separated by commas
	IP      string
	Agent   string // the browser's user agent
	TraceID string
}

// Result is the outcome of an act.
type Result string

// The results of acts.
const (
	Done   Result = "done"
	Denied Result = "denied"
	Failed Result = "failed"
)

// Entry is one act. Before and After are JSON of the changed values, or empty.
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
	ActorRoles string // empty for traders and the system, and for staff before roles were stored
	Agent      string // empty for the system, and before agents were stored
}

// TableName is GORM's name of the table.
func (Entry) TableName() string { return "audit_entries" }

// Visitor is an unauthenticated actor at from's address; the entry's target is the account concerned.
func Visitor(from Actor) Actor {
	from.Kind, from.ID, from.Name = System, 0, VisitorName
	return from
}

// ByVisitor reports whether the actor was a Visitor.
func (e Entry) ByVisitor() bool { return e.ActorKind == System && e.ActorName == VisitorName }

// VisitorName is the name of a Visitor.
const VisitorName = "visitor"

// By starts an entry for actor's act on a target.
func By(actor Actor, at time.Time, action, targetKind string, targetID any) Entry {
	return Entry{
		At: at.UTC().Truncate(time.Microsecond), ActorKind: actor.Kind, ActorID: actor.ID, ActorName: actor.Name,
		Action: action, TargetKind: targetKind, TargetID: fmt.Sprint(targetID), Result: Done, IP: actor.IP, TraceID: actor.TraceID,
		ActorRoles: actor.Roles, Agent: shown(actor.Agent),
	}
}

// agentLimit is the maximum number of stored bytes of a user agent: a client can send any length.
const agentLimit = 300

// shown is the beginning of a user agent, without unprintable characters.
func shown(agent string) string {
	visible := func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}
	return strings.Map(visible, strings.ToValidUTF8(agent[:min(len(agent), agentLimit)], ""))
}

// Recorded is the subject of the events that name the target of a new entry: its kind, a colon and its id.
const Recorded = "audit.recorded"

// RecordTx writes the entry in the caller's transaction, so that act and entry commit together.
// Once the transaction is durable, the event Recorded names the entry's target.
func RecordTx(ctx context.Context, tx *db.Tx, e Entry) error {
	tx.Publish(Recorded, []byte(e.TargetKind+":"+e.TargetID))
	var batch pgx.Batch
	Queue(&batch, e)
	if err := tx.Conn.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("record %s: %w", e.Action, err)
	}
	return nil
}

// Queue is RecordTx for a transaction written as a batch.
func Queue(batch *pgx.Batch, e Entry) {
	batch.Queue(`
		INSERT INTO audit_entries (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after,
			actor_roles, agent)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		e.At, e.ActorKind, e.ActorID, e.ActorName, e.Action, e.TargetKind, e.TargetID, e.Result, e.IP, e.TraceID, e.Before, e.After,
		e.ActorRoles, e.Agent)
}

// leaf is the entry's hash: its fields in order, each text after its length as 4 bytes, numbers as 8 bytes, big endian. Roles and agent follow
// when either is set, so entries from before they were stored keep their hash, and an entry that gains or loses them hashes like no other.
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
