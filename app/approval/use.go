package approval

import (
	"context"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/staff/member"
)

// Use declares one kind of decision that takes more than one person: what is different about it. A nil function adds nothing.
type Use struct {
	// Name is the use in the table.
	Name string
	// Area is the first part of the names of audited acts, which are Area.request, .approve, .refuse, .withdraw, .apply, .expire and .fail; empty: Name.
	Area string
	// About is added to those names: with "role" they are Area.request_role and so on.
	About string
	// Target is the kind of the subject in the audit log; empty: Name.
	Target string
	// Duty is what everybody who takes part decides about for the trader; empty when no trader is concerned.
	Duty member.Duty
	// Lasts is the time until an undecided request expires; 0 is no limit.
	Lasts time.Duration
	// People is who must take part by the rules of now; a request never takes fewer than it was made for.
	People func(a Approval) int
	// MayApprove returns the refusal of a person who may not approve or refuse it although they took no part yet.
	MayApprove func(by audit.Actor, a Approval) error
	// MayWithdraw returns the refusal of a person who may not withdraw it; without it only the requester may.
	MayWithdraw func(by audit.Actor, a Approval) error
	// Lock locks what every act of the use locks before the approval's own row, so that two acts never wait for each other. Callers of RequestTx lock it
	// themselves.
	Lock func(ctx context.Context, tx *db.Tx, a Approval) error
	// Facts hashes what an approver is shown, as it is now; without it that is the content of the request.
	Facts func(ctx context.Context, tx *db.Tx, a Approval) ([]byte, error)
	// Apply makes it take effect, in the transaction of the last approval or of its time. A refusal at its time makes the approval fail.
	Apply func(ctx context.Context, tx *db.Tx, by audit.Actor, a Approval) error
	// Closed follows a refusal, a withdrawal, an expiry or a failure, in its transaction.
	Closed func(ctx context.Context, tx *db.Tx, by audit.Actor, a Approval) error
	// Before is JSON of the subject before the change, for the audit entry; empty without one.
	Before func(a Approval) (string, error)
}

// InEngine is the action of a case's act whose audit entry the engine writes.
const InEngine = ""

// action is the name of an audited act.
func (u Use) action(verb string) string {
	area := u.Name
	if u.Area != "" {
		area = u.Area
	}
	if u.About != "" {
		verb += "_" + u.About
	}
	return area + "." + verb
}

func (u Use) target() string {
	if u.Target != "" {
		return u.Target
	}
	return u.Name
}

// Request is what a person asks the others to approve.
type Request struct {
	Subject     string // empty: the approval is its own subject
	TraderID    *int64
	Proposal    Fields
	Note        string
	People      int // who must take part, the requester included; 1 takes effect at once
	EffectiveAt *time.Time
	ExpiresAt   *time.Time // none: after the use's Lasts
	Key         string     // of the form; a repeated key returns the first request
	// Admit returns what else refuses a new request; a repeated one is not asked again. Nil admits all.
	Admit func() error
}
