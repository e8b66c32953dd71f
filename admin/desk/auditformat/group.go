package auditformat

import "candor/app/audit"

// reads are the actions that only show something.
var reads = map[string]bool{
	"kyc.view": true, "kyc.read_data": true, "deposit.view_proof": true, "trader.reveal": true, "withdrawal.reveal": true, "outbox.reveal": true,
}

// Group is an entry with the equal reads that follow it in a list.
type Group struct {
	audit.Entry
	All []audit.Entry // the first one included
}

// Has reports whether an entry belongs to the group.
func (g Group) Has(id int64) bool {
	for _, e := range g.All {
		if e.ID == id {
			return true
		}
	}
	return false
}

// Grouped puts reads that stand in a row together: the same person, act, target and result.
func Grouped(entries []audit.Entry) (groups []Group) {
	for _, e := range entries {
		if n := len(groups); n > 0 && sameRead(groups[n-1].Entry, e) {
			groups[n-1].All = append(groups[n-1].All, e)
			continue
		}
		groups = append(groups, Group{Entry: e, All: []audit.Entry{e}})
	}
	return groups
}

func sameRead(a, b audit.Entry) bool {
	return reads[a.Action] && a.Action == b.Action && a.ActorKind == b.ActorKind && a.ActorID == b.ActorID && a.ActorName == b.ActorName &&
		a.TargetKind == b.TargetKind && a.TargetID == b.TargetID && a.Result == b.Result
}
