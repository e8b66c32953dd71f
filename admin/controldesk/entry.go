package controldesk

import (
	"encoding/hex"
	"slices"
	"strings"

	"candor/admin/desk"
	"candor/admin/desk/auditformat"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/platform/seal"
	"candor/templates/controlview"
	"candor/templates/ui"
)

const sameLimit = 6

// openEntry reads one entry, to be shown beside the log.
func (s Services) openEntry(r *desk.Request, id int64) (opened caseengine.Opened[auditformat.Grouped], err error) {
	e, sealed, err := s.Audit.Read(ctxOf(r), id)
	if err != nil {
		return opened, err
	}
	one := []audit.Entry{e}
	if err := withoutPlaces(r, one); err != nil {
		return opened, err
	}
	e = one[0]
	view, err := s.entryView(r, e, sealed)
	return caseengine.Opened[auditformat.Grouped]{Item: auditformat.Single(e), Title: view.Title, Pane: controlview.EntryPane(view)}, err
}

func (s Services) entryView(r *desk.Request, e audit.Entry, sealed audit.Seal) (view controlview.Entry, err error) {
	f, err := s.formatter(r, []audit.Entry{e})
	if err != nil {
		return view, err
	}
	view = controlview.Entry{
		Title: word(r, "audit.entry", "id", e.ID), When: ui.ToSecond(ctxOf(r), e.At, r.Zone()), Actor: f.Actor(e), Description: f.Describe(e),
		Facts: f.facts(e), Changes: f.Changes(e),
	}
	view.Sealed, view.Chain = chainFacts(r, sealed)
	same := logHome.With("kind", e.TargetKind).With("target", e.TargetID)
	if slices.Contains(kinds, e.TargetKind) && same.String() != "" && e.TargetID != "0" {
		view.SameHref = same
		view.Same, err = s.recent(r, audit.Filter{TargetKind: e.TargetKind, TargetID: e.TargetID, UpTo: e.ID, Limit: sameLimit})
		if len(view.Same) > 0 {
			view.Same[0].State = ui.StepNow
		}
	}
	return view, err
}

func (f formatter) facts(e audit.Entry) []ui.Fact {
	tone := map[audit.Result]ui.Tone{audit.Done: ui.ToneSuccess, audit.Denied: ui.ToneError, audit.Failed: ui.ToneWarning}[e.Result]
	who := f.Name(e)
	if e.ActorID > 0 {
		who = word(f.r, "audit.fact.person", "name", who, "id", e.ActorID)
	}
	facts := []ui.Fact{
		{Label: word(f.r, "audit.fact.result"), Value: word(f.r, "audit.result."+string(e.Result)), Tone: tone},
		{Label: word(f.r, "audit.fact.who"), Value: who},
	}
	if e.ActorRoles != "" {
		facts = append(facts, ui.Fact{Label: word(f.r, "audit.fact.roles"), Value: f.roles(e)})
	}
	facts = append(facts,
		ui.Fact{Label: word(f.r, "audit.fact.what"), Value: e.Action, Ident: true},
		ui.Fact{Label: word(f.r, "audit.fact.target"), Value: f.Target(e)},
		ui.Fact{Label: word(f.r, "audit.fact.utc"), Value: e.At.UTC().Format("2006-01-02 15:04:05.000"), Ident: true})
	if e.IP != "" {
		facts = append(facts, ui.Fact{Label: word(f.r, "audit.fact.ip"), Value: e.IP, Ident: true})
	}
	if e.Agent != "" {
		facts = append(facts, ui.Fact{Label: word(f.r, "audit.fact.agent"), Value: e.Agent})
	}
	if e.TraceID != "" {
		facts = append(facts, ui.Fact{Label: word(f.r, "audit.fact.trace"), Value: e.TraceID, Ident: true})
	}
	return facts
}

// roles are the names of the roles that the actor had at the time.
func (f formatter) roles(e audit.Entry) string {
	names := strings.Split(e.ActorRoles, ",")
	for i, name := range names {
		names[i] = f.Value("role", name)
	}
	return strings.Join(names, ", ")
}

func chainFacts(r *desk.Request, sealed audit.Seal) (ui.ChipView, []ui.Fact) {
	leaf := ui.Fact{Label: word(r, "audit.fact.leaf"), Part: ui.Hash(hash(sealed.Leaf))}
	if sealed.Batch == 0 {
		return ui.ChipView{Icon: ui.IconClock, Label: word(r, "audit.not_sealed")}, []ui.Fact{leaf, {Label: word(r, "audit.fact.batch"), Value: word(r, "audit.not_sealed.note")}}
	}
	return ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: word(r, "audit.is_sealed")}, []ui.Fact{
		leaf,
		{Label: word(r, "audit.fact.batch"), Value: word(r, "audit.fact.batch.value", "batch", sealed.Batch, "at", at(r, sealed.At), "count", sealed.Entries)},
		{Label: word(r, "audit.fact.head"), Part: ui.Hash(hash(sealed.Hash))},
		{Label: word(r, "audit.fact.previous"), Part: ui.Hash(hash(sealed.Previous))},
	}
}

func hash(h seal.Hash) string { return hex.EncodeToString(h[:]) }
