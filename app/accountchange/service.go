package accountchange

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff/member"
	"candor/app/trader"
)

// Config holds what a service needs.
type Config struct {
	DB        *db.DB
	Clock     clock.Clock
	Approvals *approval.Engine
	Traders   *trader.Service
	// Pictures counts the pictures that the customer of a conversation has sent since a time, and tells who the customer is; nil is a visitor. It returns a NotFound
	// refusal for no such conversation.
	Pictures func(ctx context.Context, conversationID int64, since time.Time) (owner *int64, count int, err error)
	// Verified reports whether the trader's documents are still there to compare with.
	Verified func(ctx context.Context, traderID int64) (bool, error)
}

// Service implements the changes for the desk.
type Service struct {
	Config
	approvals *approval.Service
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.approvals = c.Approvals.For(approval.Use{
		Name: "account_change", Target: "account_change", Duty: member.IdentityDuty, Lasts: lasts, People: func(approval.Approval) int { return 2 },
		Lock: s.lockTx, Facts: s.factsTx, Apply: s.applyTx, Closed: s.closedTx,
	})
	return s
}

// Number is the display number of a change.
func Number(id int64) string { return fmt.Sprintf("AC-%d", id) }

// of reads the change of an approval.
func of(a approval.Approval) (c Change, err error) {
	c.Approval = a
	if a.TraderID != nil {
		c.TraderID = *a.TraderID
	}
	return c, a.Read(c.fields())
}

// Request requests a change; a trader has at most one open request. Nothing changes yet, but a trader whom somebody wants to let in again is told at every contact.
// Refusals: fields, ErrUnverified, ErrClosing, trader.ErrNoFactor, trader.ErrPartnerState, approval.ErrOpen, and those of the conflict of interest.
func (s *Service) Request(ctx context.Context, by audit.Actor, r Request) (c Change, err error) {
	if err := r.check(); err != nil {
		return c, err
	}
	if r.Kind.Regains() {
		if err := s.checkPictures(ctx, r); err != nil {
			return c, err
		}
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.Traders.LockedTx(tx, r.TraderID)
		if err != nil {
			return err
		}
		open, err := s.approvals.CountOpenTx(tx, t.ID)
		if err == nil && open > 0 {
			err = approval.ErrOpen
		}
		if err != nil {
			return err
		}
		if err := s.admitTx(ctx, tx, t, r.Kind); err != nil {
			return err
		}
		p := proposal{Kind: r.Kind}
		if r.Kind.Regains() {
			p.ConversationID = r.ConversationID
		}
		if r.Kind.Contact() {
			if p.ContactID, p.Contact, err = s.Traders.AskContactTx(tx, t, r.Contact, r.Kind == ReplacePhone); err != nil {
				return err
			}
		}
		a, err := s.approvals.RequestTx(ctx, tx, by, approval.Request{TraderID: &t.ID, Proposal: p.fields(), Note: r.Note, People: 2})
		if err != nil {
			return err
		}
		if c, err = of(a); err != nil || !r.Kind.Regains() {
			return err
		}
		return s.Traders.TellOfRequestTx(ctx, tx, t, r.Kind.Contact())
	})
	return c, err
}

// checkPictures refuses a request that nobody can compare with the trader's verified documents.
func (s *Service) checkPictures(ctx context.Context, r Request) error {
	verified, err := s.Verified(ctx, r.TraderID)
	if err != nil {
		return err
	}
	if !verified {
		return ErrUnverified
	}
	owner, count, err := s.Pictures(ctx, r.ConversationID, s.Clock.Now().Add(-picturesWithin))
	if refusal := errs.As(err); refusal != nil && refusal.Kind == errs.NotFound {
		return ErrConversation
	}
	switch {
	case err != nil:
		return err
	case owner != nil && *owner != r.TraderID:
		return ErrConversation
	case count < picturesNeeded:
		return ErrPictures.With("count", picturesNeeded)
	}
	return nil
}

// admitTx refuses a change that has nothing to change.
func (s *Service) admitTx(ctx context.Context, tx *db.Tx, t trader.Trader, kind Kind) error {
	if t.ClosesAt != nil {
		return ErrClosing
	}
	switch kind {
	case ResetFactor:
		return s.Traders.HasFactorTx(ctx, tx, t)
	case MakePartner, EndPartner:
		if (t.Type == trader.PartnerType) != (kind == EndPartner) {
			return trader.ErrPartnerState
		}
		if kind == MakePartner && t.AuthStatus != trader.AuthPassed {
			return ErrUnverified
		}
	case ReplaceEmail, ReplacePhone:
	}
	return nil
}

func (s *Service) lockTx(_ context.Context, tx *db.Tx, a approval.Approval) error {
	_, err := s.Traders.LockedTx(tx, *a.TraderID)
	return err
}

// factsTx is the hash of the request and of the account: it differs once the trader uses a factor that was said to be lost.
func (s *Service) factsTx(ctx context.Context, tx *db.Tx, a approval.Approval) ([]byte, error) {
	t, err := s.Traders.LockedTx(tx, *a.TraderID)
	if err != nil {
		return nil, err
	}
	account, err := s.Traders.AccessTx(ctx, tx, t)
	if err != nil {
		return nil, err
	}
	c, err := of(a)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d|%+v|%q|%d|%s", c.TraderID, c.proposal, a.Note, a.RequestedBy, account))
	return sum[:], nil
}

// Approve is the second person's approval of the facts they were shown. The contact is typed again, as it stands in the conversation. Refusals: those of the
// approval, fields, trader.ErrContactTaken, trader.ErrNoFactor, trader.ErrPartnerState.
func (s *Service) Approve(ctx context.Context, by audit.Actor, id int64, version int, shown []byte, contact string) (c Change, err error) {
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		a, err := s.approvals.ApproveTx(ctx, tx, by, id, version, approval.Requested, shown)
		if err != nil {
			return err
		}
		if c, err = of(a); err != nil || !c.Kind.Contact() {
			return err
		}
		return s.Traders.CheckAskedContactTx(tx, c.ContactID, contact)
	})
	return c, err
}

func (s *Service) applyTx(ctx context.Context, tx *db.Tx, by audit.Actor, a approval.Approval) error {
	c, err := of(a)
	if err != nil {
		return err
	}
	t, err := s.Traders.LockedTx(tx, c.TraderID)
	if err != nil {
		return err
	}
	if err := s.admitTx(ctx, tx, t, c.Kind); err != nil {
		return err
	}
	switch c.Kind {
	case ResetFactor:
		return s.Traders.ResetFactorTx(ctx, tx, by, t)
	case ReplaceEmail, ReplacePhone:
		return s.Traders.GrantContactTx(ctx, tx, by, t, c.ContactID)
	case MakePartner, EndPartner:
		return s.Traders.SetPartnerTx(ctx, tx, by, t, c.Kind == MakePartner)
	}
	return ErrKind
}

// closedTx forgets a contact that nobody granted.
func (s *Service) closedTx(_ context.Context, tx *db.Tx, _ audit.Actor, a approval.Approval) error {
	c, err := of(a)
	if err != nil || c.ContactID == 0 {
		return err
	}
	return s.Traders.DropContactTx(tx, c.ContactID)
}

// Refuse is another person's refusal. Refusals: those of the approval.
func (s *Service) Refuse(ctx context.Context, by audit.Actor, id int64, version int, why string) (Change, error) {
	if err := approval.CheckNote(why); err != nil {
		return Change{}, err
	}
	a, err := s.approvals.Refuse(ctx, by, id, version, why)
	if err != nil {
		return Change{}, err
	}
	return of(a)
}

// Withdraw takes the member's own request back. Refusals: those of the approval.
func (s *Service) Withdraw(ctx context.Context, by audit.Actor, id int64, version int) (Change, error) {
	a, err := s.approvals.Withdraw(ctx, by, id, version)
	if err != nil {
		return Change{}, err
	}
	return of(a)
}

// Search is a filter of the list.
type Search struct {
	State    approval.State // empty for all undecided ones
	TraderID int64
}

// List lists changes after an id (0 begins the list): undecided ones longest waiting first, those of a state newest first.
func (s *Service) List(ctx context.Context, q Search, after int64, limit int) ([]Change, error) {
	approvals, err := s.approvals.List(ctx, approval.Search{State: q.State, Open: q.State == "", TraderID: q.TraderID}, after, limit)
	if err != nil {
		return nil, err
	}
	list := make([]Change, len(approvals))
	for i, a := range approvals {
		if list[i], err = of(a); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Read reads one change. It returns approval.ErrUnknown.
func (s *Service) Read(ctx context.Context, id int64) (Change, error) {
	a, err := s.approvals.Find(ctx, id)
	if err != nil {
		return Change{}, err
	}
	return of(a)
}

// CountWaiting counts the undecided changes, and returns since when the first of them waits.
func (s *Service) CountWaiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	return s.approvals.Count(ctx)
}
