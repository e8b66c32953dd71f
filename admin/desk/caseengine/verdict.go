package caseengine

import (
	"slices"

	"candor/app/platform/errs"
)

// Verdict allows an act, or has the reason against it. The zero value means that it is not offered at all.
type Verdict struct {
	OK     bool
	Why    error
	Hidden bool // the pages leave the act out, and its refusal has the reason
}

// May is the verdict of an act that may be done.
var May = Verdict{OK: true}

// No is the verdict of an act that is offered but locked.
func No(why error) Verdict { return Verdict{Why: why} }

// Never is the verdict of an act that is not this member's at all.
func Never(why error) Verdict { return Verdict{Why: why, Hidden: true} }

// Offered reports whether the pages show the act.
func (v Verdict) Offered() bool { return v.OK || v.Why != nil && !v.Hidden }

// Refusal is the error of a refused act, nil for an allowed one; state is the error of an act that is not offered.
func (v Verdict) Refusal(state error) error {
	if !v.OK && v.Why == nil {
		return state
	}
	return v.Why
}

// Rights are what a member may do with a case now, by the noun of the act.
type Rights map[string]Verdict

// Conflicting locks everything that a member with a conflict of interest could do, except releasing the claim and the named acts. An act that their role or
// an earlier decision of theirs forbids keeps its reason; nil is no conflict.
func (r Rights) Conflicting(why error, but ...string) Rights {
	if why == nil {
		return r
	}
	for noun, v := range r {
		refusal := errs.As(v.Why)
		if noun == Release || v.Hidden || slices.Contains(but, noun) || !v.OK && (refusal == nil || refusal.Kind == errs.Forbidden) {
			continue
		}
		r[noun] = No(why)
	}
	return r
}
