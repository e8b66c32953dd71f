// Package accountchange is what two members of staff change about a trader's account: they let a trader in again who has lost the second factor or a contact, and
// make a trader a partner. One requests it, another one approves what was requested, and then it takes effect.
package accountchange

import (
	"slices"
	"time"

	"candor/app/approval"
	"candor/app/platform/errs"
)

// Target is the time in which staff aim to decide.
const Target = 24 * time.Hour

// lasts is how long a request waits for the second person.
const lasts = 3 * 24 * time.Hour

// Kind is what is changed.
type Kind string

// The kinds of changes.
const (
	ResetFactor  Kind = "reset_factor"  // remove the second factors
	ReplaceEmail Kind = "replace_email" // grant another e-mail address
	ReplacePhone Kind = "replace_phone" // grant another telephone
	MakePartner  Kind = "make_partner"
	EndPartner   Kind = "end_partner"
)

// Kinds lists the kinds in the order of the choice.
var Kinds = []Kind{ResetFactor, ReplaceEmail, ReplacePhone, MakePartner, EndPartner}

// Contact reports whether the kind grants another contact.
func (k Kind) Contact() bool { return k == ReplaceEmail || k == ReplacePhone }

// Regains reports whether the kind lets a trader in again, which takes another check of who they are.
func (k Kind) Regains() bool { return k == ResetFactor || k.Contact() }

// Refusals; only staff read them.
var (
	ErrKind         = errs.Field("kind", "field.choice")
	ErrConversation = errs.Field("conversation", "account_change.conversation") // unknown, or another trader's
	ErrPictures     = errs.Field("conversation", "account_change.pictures")     // fewer pictures of the customer than one of themself and one of the document
	ErrCompared     = errs.Field("compared", "account_change.compared")
	ErrUnverified   = errs.New(errs.Refused, "account_change.unverified") // nothing to compare with
	ErrClosing      = errs.New(errs.Conflict, "account_change.closing")
)

// The pictures that a trader sends for a check: of themself and of the verified document, within the days.
const (
	picturesNeeded = 2
	picturesWithin = 7 * 24 * time.Hour
)

// Change is a change and the approval that it takes.
type Change struct {
	approval.Approval
	proposal
	TraderID int64
}

// proposal is what is approved.
type proposal struct {
	Kind           Kind
	ConversationID int64  // in which the trader showed who they are; 0 for none
	ContactID      int64  // of the contact that is granted; 0 for none
	Contact        string // that contact with its middle hidden
}

func (p *proposal) fields() approval.Fields {
	return approval.Fields{"kind": &p.Kind, "conversation_id": &p.ConversationID, "contact_id": &p.ContactID, "contact": &p.Contact}
}

// Number is the display number of the change.
func (c Change) Number() string { return Number(c.ID) }

// Request is a member's request.
type Request struct {
	TraderID       int64
	Kind           Kind
	ConversationID int64  // in which the trader sent pictures of themself and of the document
	Contact        string // the other contact; for kinds that grant one
	Compared       bool   // the member has compared the pictures with the verified documents
	Note           string
}

func (r Request) check() error {
	switch {
	case !slices.Contains(Kinds, r.Kind):
		return ErrKind
	case r.Kind.Regains() && r.ConversationID <= 0:
		return ErrConversation
	case r.Kind.Regains() && !r.Compared:
		return ErrCompared
	}
	return approval.CheckNote(r.Note)
}
