package auditformat

import (
	"slices"
	"time"

	"candor/app/audit"
)

// Grouped are entries of one person that are shown as one line. Entry is the newest of them, Times are those of all, the newest first.
type Grouped struct {
	audit.Entry
	Times []time.Time
}

// Single is an entry alone.
func Single(e audit.Entry) Grouped { return Grouped{Entry: e, Times: []time.Time{e.At}} }

// Singles leaves every entry alone.
func Singles(entries []audit.Entry) []Grouped {
	return Group(entries, func(audit.Entry) string { return "" })
}

// reads are the actions that only read a trader's identity, relations or pages.
var reads = map[string]bool{"kyc.read_data": true, "kyc.view": true, "trader.view_relations": true, "trader.view_as": true}

// claims is the action that begins to read anew.
const claims = "kyc.claim"

// IsRead reports whether an entry says that somebody looked at a trader's identity, relations or pages.
func IsRead(e audit.Entry) bool { return reads[e.Action] }

// shows are the actions that show something hidden and change nothing.
var shows = map[string]bool{
	"kyc.read_data": true, "kyc.view": true, "deposit.view_proof": true, "trader.reveal": true, "withdrawal.reveal": true, "outbox.reveal": true, "trader.view_relations": true, "trader.view_as": true,
}

// Reads joins only entries that say what somebody looked at.
func Reads(entries []audit.Entry) []Grouped {
	return Group(entries, func(e audit.Entry) string {
		if shows[e.Action] {
			return e.Action
		}
		return ""
	})
}

// Group joins entries, newest first, of one actor with one target, result and key; an entry with an empty key stays alone. An act joins the act before it, reads
// between them left out; a read joins an earlier one of the same claim while nobody else acts. The log itself stays whole.
func Group(entries []audit.Entry, key func(audit.Entry) string) (groups []Grouped) {
	for _, e := range entries {
		at := joined(groups, e, key)
		if at == len(groups) {
			groups = append(groups, Single(e))
			continue
		}
		groups[at].Times = append(groups[at].Times, e.At)
	}
	return groups
}

// joined is the group that an entry joins, or the number of groups when it begins one.
func joined(groups []Grouped, e audit.Entry, key func(audit.Entry) string) int {
	for at, g := range slices.Backward(groups) {
		if joins(e, g.Entry, key) {
			return at
		}
		if !sameActor(e, g.Entry) || !IsRead(g.Entry) && (!IsRead(e) || g.Action == claims) {
			break
		}
	}
	return len(groups)
}

// Span is the first and the last time of a group; empty when they read the same, as the line has that time.
func (g Grouped) Span(write func(time.Time) string) string {
	first, last := write(g.Times[len(g.Times)-1]), write(g.Times[0])
	if first == last {
		return ""
	}
	return first + " – " + last
}

func sameActor(a, b audit.Entry) bool { return a.ActorKind == b.ActorKind && a.ActorID == b.ActorID }

func joins(a, b audit.Entry, key func(audit.Entry) string) bool {
	return sameActor(a, b) && a.Result == b.Result && a.TargetKind == b.TargetKind && a.TargetID == b.TargetID && key(a) != "" && key(a) == key(b)
}
