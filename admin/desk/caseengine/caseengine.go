// Package caseengine decides the cases of the desks: a member of staff claims a case, sees its current state, decides in a dialog about the version that was
// shown, and reads what was done or why nothing was. Desks differ in the data of their Desk and the methods of their CaseContext.
package caseengine

import (
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/staff"
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
	Number  string
	Version int
	Target  string // kind of thing in the audit log
	Claim   staff.Claim
}

// The acts on a claim, as addresses and rights name them.
const (
	Claim   = "claim"
	Release = "release"
)

// Desk holds the data of one desk.
type Desk[M CaseContext] struct {
	Audit       *audit.Log
	Read        func(r *desk.Request, id int64) (M, error)
	Claim       func(r *desk.Request, cc M) error
	Release     func(r *desk.Request, cc M) error
	Answers     Answers[M]
	State       error                  // the refusal of an act that the case does not offer in its current state
	Changed     error                  // the refusal of a decision about another version
	FieldErrors map[string]error       // refusals that belong beside a field, by its name
	ReadOnly    func(audit.Entry) bool // entries of the audit log that changed nothing; nil if there are none
}

// Answers is how a desk answers: with the changed row of its queue, or with another page.
type Answers[M CaseContext] interface {
	// Done answers a decision.
	Done(r *desk.Request, cc M, flash Flash) error
	// Claimed answers a claim and its release; cc is the case as it was before.
	Claimed(r *desk.Request, cc M, noun string) error
	// Notice answers an act that was not done: a dialog without a decision.
	Notice(r *desk.Request, cc M, alert ui.AlertView) error
}

// Flash is the message after an act. Every text also gets the number of the case.
type Flash struct {
	Key   string
	Pairs []any
}

// NewFlash makes a Flash.
func NewFlash(key string, pairs ...any) Flash { return Flash{key, pairs} }

// Named reads the case in the address.
func (d Desk[M]) Named(r *desk.Request) (cc M, err error) {
	id, err := r.ID("id")
	if err != nil {
		return cc, err
	}
	return d.Read(r, id)
}

// ClaimCase claims the case in the address. The member who has claimed it may claim it again, for another quarter of an hour.
func (d Desk[M]) ClaimCase(r *desk.Request) error {
	return d.handleClaim(r, Claim, d.Claim, func(cc M) error {
		if cc.Right(Release).OK {
			return nil
		}
		return cc.Right(Claim).Refusal(d.State)
	})
}

// ReleaseCase releases the claim on the case in the address.
func (d Desk[M]) ReleaseCase(r *desk.Request) error {
	return d.handleClaim(r, Release, d.Release, func(M) error { return nil })
}

func (d Desk[M]) handleClaim(r *desk.Request, noun string, act func(*desk.Request, M) error, may func(M) error) error {
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
	return d.Answers.Claimed(r, cc, noun)
}
