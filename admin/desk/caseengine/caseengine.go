// Package caseengine runs the desks that decide cases. A desk is a declaration: its list with tabs, filters and a file, the page of a case, and its actions. A
// member of staff claims a case, sees its current state, decides in a dialog about the version that was shown, and reads what was done or why nothing was.
package caseengine

import (
	"net/http"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/staff"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// CaseContext is one case with everything that a decision about it needs.
type CaseContext interface {
	About() About
	// Right is the verdict on an act of the member now. Pages lock the refused acts, and handlers refuse them too.
	Right(noun string) Verdict
	// Page is the context of the page that shows the case.
	Page() PageContext
}

// About has the fields that every case has.
type About struct {
	ID      int64
	Number  string // "DP-5"
	Version int
	Target  string  // kind of thing in the audit log
	Home    ui.Path // the desk's list
	Claim   staff.Claim
	Facts   string // of a bound decision, in the form of the page; empty for a desk without any
}

// Key is the id of the case's row, and the prefix of the ids of its parts: "dp-5".
func (a About) Key() string { return strings.ToLower(a.Number) }

// Below is the address of an act on the case.
func (a About) Below(noun string) ui.Path { return ui.To(a.Home.String()+"/{}/{}", a.ID, noun) }

// The acts on a claim, as addresses and rights name them.
const (
	Claim   = "claim"
	Release = "release"
)

// Desk declares a desk whose cases have contexts C and list items T.
type Desk[C CaseContext, T any] struct {
	List[T]

	// Read reads a case, and Item is the case as an item of the list.
	Read func(r *desk.Request, id int64) (C, error)
	Item func(C) T
	// Show is the page of a case. The engine fills in its number, claims, buttons and history.
	Show    func(C) (caseview.Detail, error)
	History func(C, audit.Entry) ui.StepView
	Actions []Action[C]
	// Extra are buttons without a dialog, before those of the actions, a primary one at the end; nil if there are none.
	Extra       func(C) []ui.ButtonView
	Claim       func(r *desk.Request, cc C) error
	Release     func(r *desk.Request, cc C) error
	Reasons     Reasons[C]             // the coded reasons that traders read; none without codes
	Several     *Several[C, T]         // acts on several cases at once; nil without any
	Answers     Answers[C]             // nil answers with the changed row of the list
	State       error                  // the refusal of an act that the case does not offer in its current state
	Changed     error                  // the refusal of a decision about another version
	FieldErrors map[string]error       // refusals that belong beside a field, by its name
	ReadOnly    func(audit.Entry) bool // entries of the audit log that changed nothing; nil if there are none
}

// Routes lists the desk's routes. The handlers check again who may act in the case's current state.
func (d Desk[C, T]) Routes() []desk.Route {
	d = d.withSeveral()
	routes := d.List.Routes()
	add := func(method, path string, p access.Permission, handle func(*desk.Request) error) {
		routes = append(routes, desk.Route{Method: method, Path: "/" + d.Name + path, Permission: p, Handle: handle})
	}
	add(http.MethodGet, "/:id", d.View, d.detail)
	routes = append(routes, desk.Route{Method: http.MethodGet, Path: "/" + d.Name + "/:id/row", Permission: d.View, Quiet: true, Handle: d.row})
	if d.Claim != nil {
		add(http.MethodPost, "/:id/claim", d.Work, d.ClaimCase)
		add(http.MethodDelete, "/:id/claim", d.Work, d.ReleaseCase)
	}
	if d.Several != nil {
		add(http.MethodPost, "/"+claimsPath, d.Work, d.claimNext)
	}
	if d.Several != nil && d.Several.Mine != nil {
		add(http.MethodGet, "/"+togetherPath, d.Work, d.openTogether)
		add(http.MethodPost, "/"+togetherPath, d.Work, d.decideTogether)
	}
	if len(d.Reasons.Codes) > 0 {
		add(http.MethodGet, "/:id/reason-preview", d.Reasons.Permission, d.reasonPreview)
	}
	for _, act := range d.Actions {
		add(http.MethodGet, "/:id/"+act.Noun, act.Permission, d.Open(act))
		add(http.MethodPost, "/:id/"+act.Noun, act.Permission, d.Decide(act))
	}
	return routes
}

// Answers is how a desk answers: with the changed row of its list, or with another page.
type Answers[C CaseContext] interface {
	// Done answers a decision.
	Done(r *desk.Request, cc C, flash Flash) error
	// Claimed answers a claim and its release; cc is the case as it was before.
	Claimed(r *desk.Request, cc C, noun string) error
	// Notice answers an act that was not done: a dialog without a decision.
	Notice(r *desk.Request, cc C, alert ui.AlertView) error
}

func (d Desk[C, T]) answers() Answers[C] {
	if d.Answers != nil {
		return d.Answers
	}
	return rows[C, T]{d}
}

// Done answers an act that a dialog did not decide.
func (d Desk[C, T]) Done(r *desk.Request, cc C, flash Flash) error {
	return d.answers().Done(r, cc, flash)
}

// Flash is the message after an act. Every text also gets the number of the case.
type Flash struct {
	Key   string
	Pairs []any
}

// NewFlash makes a Flash.
func NewFlash(key string, pairs ...any) Flash { return Flash{key, pairs} }

// Named reads the case in the address.
func (d Desk[C, T]) Named(r *desk.Request) (cc C, err error) {
	id, err := r.ID("id")
	if err != nil {
		return cc, err
	}
	return d.Read(r, id)
}

// ClaimCase claims the case in the address. The member who has claimed it may claim it again, for another quarter of an hour.
func (d Desk[C, T]) ClaimCase(r *desk.Request) error {
	return d.handleClaim(r, Claim, d.Claim, func(cc C) error {
		if cc.Right(Release).OK {
			return nil
		}
		return cc.Right(Claim).Refusal(d.State)
	})
}

// ReleaseCase releases the claim on the case in the address.
func (d Desk[C, T]) ReleaseCase(r *desk.Request) error {
	return d.handleClaim(r, Release, d.Release, func(C) error { return nil })
}

func (d Desk[C, T]) handleClaim(r *desk.Request, noun string, act func(*desk.Request, C) error, may func(C) error) error {
	cc, err := d.Named(r)
	if err != nil {
		return err
	}
	err = may(cc)
	if err == nil {
		err = act(r, cc)
	}
	if err != nil {
		return d.Refuse(r, cc.About().ID, err)
	}
	return d.answers().Claimed(r, cc, noun)
}
