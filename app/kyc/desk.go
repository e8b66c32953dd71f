package kyc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/app/staff/member"
	"candor/app/trader"
)

// Times and limits of the desk.
const (
	Target          = 24 * time.Hour // time in which staff aim to decide
	MaxPictureViews = 200            // pictures that one member of staff may view in a day
	maxNote         = 2_000          // bytes
)

// Refusals that staff read.
var (
	ErrUnknown    = errs.New(errs.NotFound, "kyc.unknown")
	ErrClaimed    = errs.New(errs.Conflict, "kyc.claimed")      // claimed by another member of staff
	ErrNotClaimed = errs.New(errs.Conflict, "kyc.not_claimed")  // claim it first
	ErrSelf       = errs.New(errs.Forbidden, "kyc.same_person") // the second person must be another one
	ErrOwn        = errs.New(errs.Forbidden, "kyc.own")         // the member's own application, or that of a trader they introduced
	ErrRole       = errs.New(errs.Forbidden, "kyc.role")        // the member's roles do not allow this step
	ErrDocuments  = errs.New(errs.Refused, "kyc.documents")     // a picture is not accepted yet
	ErrProhibited = errs.New(errs.Refused, "kyc.prohibited")    // the broker serves nobody from the country
	ErrQuota      = errs.New(errs.TooMany, "kyc.quota")         // all views of the day are used
	ErrReason     = errs.Field("reason", "field.choice")
	ErrNote       = errs.Field("note", "field.length")
	ErrNoNote     = errs.Field("note", "field.required") // neither a note nor a reason
)

// The maker's requests to the second person.
const (
	proposeApproval = "approve"
	proposeReview   = "look"
)

// Case is the desk's view of an application.
type Case struct {
	Application
	RegisteredIn string // the trader's country of registration
	Data         Data   // only for the owner of the claim
	Documents    []Document
	Replaced     []Document // earlier pictures; those without a decision are shredded
	Earlier      []Application
	Hints        []Hint
	SecondNeeded bool        // an approval needs the lead too
	First        []Judgement // the first person's, once the second person has decided
}

// Prohibited reports whether the broker serves nobody from one of the countries.
func (c Case) Prohibited() bool { return has(c.Hints, Prohibited) }

// Case reads one application for the desk. The owner of the claim also gets the data, which writes an audit entry. Refusal: ErrUnknown.
func (s *Service) Case(ctx context.Context, by audit.Actor, id int64) (c Case, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		c = Case{}
		if c.Application, c.RegisteredIn, err = lockTx(ctx, tx, id); err != nil {
			return err
		}
		all, err := documentsTx(tx, id, false)
		if err != nil {
			return err
		}
		for _, d := range all {
			if d.Current {
				c.Documents = append(c.Documents, d)
			} else {
				c.Replaced = append(c.Replaced, d)
			}
		}
		if err := tx.Rows.Where("trader_id = ? AND id < ?", c.TraderID, id).Order("id DESC").Limit(5).Find(&c.Earlier).Error; err != nil {
			return err
		}
		if !c.Undecided() {
			if c.First, err = judgementsTx(tx, c.Application); err != nil {
				return err
			}
		}
		if !c.Undecided() && !c.Verified() {
			return nil
		}
		data, err := s.open(ctx, tx.Conn, c.Application)
		if err != nil {
			return err
		}
		if c.Hints, err = s.hints(ctx, tx.Conn, c.Application, data, c.RegisteredIn, s.clock.Now()); err != nil {
			return err
		}
		c.SecondNeeded = len(c.Hints) > 0
		if !c.ClaimActiveBy(by.ID, s.clock.Now()) {
			return nil
		}
		c.Data = data
		return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "kyc.read_data", "kyc", id))
	})
	return c, err
}

// lockTx locks the application's trader and reads both. Every act on an application takes this lock first. It returns ErrUnknown, also for a draft.
func lockTx(ctx context.Context, tx *db.Tx, id int64) (a Application, country string, err error) {
	if err = tx.Rows.Where("id = ?", id).Limit(1).Find(&a).Error; err != nil {
		return a, "", fmt.Errorf("read application %d: %w", id, err)
	}
	if a.ID == 0 || a.State == Draft {
		return a, "", ErrUnknown
	}
	if country, err = lockTraderTx(ctx, tx, a.TraderID); err != nil {
		return a, "", err
	}
	a = Application{}
	if err = tx.Rows.Where("id = ?", id).Take(&a).Error; err != nil {
		return a, "", fmt.Errorf("read application %d: %w", id, err)
	}
	if a.State == Draft {
		return a, "", ErrUnknown
	}
	return a, country, nil
}

// deskAct is one act of staff on a locked application.
type deskAct struct {
	*db.Tx
	*Application
	country string
	by      audit.Actor
	now     time.Time
	about   details
}

// act locks an application, calls decide for the changes, and writes them with the trader's status and an audit entry in one transaction. Version is the
// version shown to the member of staff; 0 skips the check.
func (s *Service) act(ctx context.Context, by audit.Actor, id int64, version int, action string, decide func(deskAct) (map[string]any, error)) (Application, error) {
	var a Application
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		var country string
		if a, country, err = lockTx(ctx, tx, id); err != nil {
			return err
		}
		if version != 0 && a.Version != version {
			return ErrChanged
		}
		before, was := summary(a, nil), a
		about := details{}
		changes, err := decide(deskAct{tx, &a, country, by, s.clock.Now(), about})
		if err != nil {
			return err
		}
		if action != "kyc.claim" && action != "kyc.release" {
			if err := trader.TakeDutyTx(ctx, tx, by.ID, a.TraderID, member.IdentityDuty); err != nil {
				return err
			}
		}
		if err := s.lapseLevelTx(ctx, tx, a, changes); err != nil {
			return err
		}
		if err := moveTx(tx, &a, changes); err != nil {
			return err
		}
		if err := s.updateStatusTx(tx, a.TraderID); err != nil {
			return err
		}
		if err := s.messageTx(ctx, tx, a, messageKey(was, a)); err != nil {
			return err
		}
		if action == approval.InEngine {
			return nil
		}
		return s.recordTx(ctx, tx, by, action, before, a, about)
	})
	return a, err
}

// deskRole is the role that acts on an application in its state: the lead on escalated and approved ones.
func (a Application) deskRole() staff.Role {
	if a.State == Submitted || a.State == InReview {
		return staff.ComplianceReviewer
	}
	return staff.ComplianceLead
}

// deskRoles are the roles that may view an application in its state: the acting role, and the reviewer while a higher level is requested.
func (a Application) deskRoles() []staff.Role {
	if a.LevelAsked() {
		return []staff.Role{a.deskRole(), staff.ComplianceReviewer}
	}
	return []staff.Role{a.deskRole()}
}

// mayEdit refuses a member of staff without one of the roles, with a conflict of interest, or who decided as the first person.
func (t deskAct) mayEdit(ctx context.Context, roles []staff.Role) error {
	holds, err := staff.HoldsAny(ctx, t.Conn, t.by.ID, roles...)
	if err != nil {
		return err
	}
	conflict := error(nil)
	if holds {
		conflict = trader.CheckDutyConflict(ctx, t.Conn, t.by.ID, t.TraderID, member.IdentityDuty)
	}
	switch {
	case !holds:
		return ErrRole
	case errors.Is(conflict, trader.ErrOwn):
		return ErrOwn
	case conflict != nil:
		return conflict
	case t.State == Escalated && t.MakerID != nil && *t.MakerID == t.by.ID:
		return ErrSelf
	}
	return nil
}

// mayDecide is mayEditClaimed for the role of the application's state.
func (t deskAct) mayDecide(ctx context.Context, states ...State) error {
	return t.mayEditClaimed(ctx, []staff.Role{t.deskRole()}, states...)
}

// mayEditClaimed is mayEdit for the owner of the claim, in one of the states.
func (t deskAct) mayEditClaimed(ctx context.Context, roles []staff.Role, states ...State) error {
	if !slices.Contains(states, t.State) {
		return ErrState
	}
	if err := t.mayEdit(ctx, roles); err != nil {
		return err
	}
	if !t.ClaimActiveBy(t.by.ID, t.now) {
		return ErrNotClaimed
	}
	return nil
}

// Claim claims an application for a member of staff, unless another member's claim is current. A reviewer claims submitted applications and those with a
// requested level; the lead claims escalated ones, and approved ones for another review.
// Refusals: ErrUnknown, ErrState, ErrRole, ErrSelf, ErrOwn, ErrClaimed.
func (s *Service) Claim(ctx context.Context, by audit.Actor, id int64) (Application, error) {
	return s.act(ctx, by, id, 0, "kyc.claim", func(t deskAct) (map[string]any, error) {
		if !t.Undecided() && !t.Verified() {
			return nil, ErrState
		}
		if err := t.mayEdit(ctx, t.deskRoles()); err != nil {
			return nil, err
		}
		if t.ClaimActiveByOther(by.ID, t.now) {
			return nil, ErrClaimed
		}
		changes := staff.Claimed(map[string]any{}, by.ID, t.now)
		if t.State == Submitted {
			changes["state"] = InReview
		}
		return changes, nil
	})
}

// Release ends a claim. Refusals: ErrUnknown, ErrNotClaimed.
func (s *Service) Release(ctx context.Context, by audit.Actor, id int64) (Application, error) {
	return s.act(ctx, by, id, 0, "kyc.release", func(t deskAct) (map[string]any, error) {
		if !t.ClaimActiveBy(by.ID, t.now) {
			return nil, ErrNotClaimed
		}
		changes := staff.Released(map[string]any{})
		if t.State == InReview {
			changes["state"] = Submitted
		}
		return changes, nil
	})
}

// DecideDocument accepts one picture, or refuses it for a reason that fits its side; it renews the claim. The decision may be revised until the application is
// decided.
// Refusals: ErrUnknown, ErrReason, ErrState, ErrRole, ErrNotClaimed, ErrChanged.
func (s *Service) DecideDocument(ctx context.Context, by audit.Actor, id int64, version int, documentID int64, accept bool, reason string) (Application, error) {
	return s.act(ctx, by, id, version, "kyc.decide_document", func(t deskAct) (map[string]any, error) {
		if err := t.mayDecide(ctx, InReview, Escalated); err != nil {
			return nil, err
		}
		documents, err := documentsTx(t.Tx, id, true)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(documents, func(d Document) bool { return d.ID == documentID })
		if i < 0 {
			return nil, ErrUnknown
		}
		if accept != (reason == "") || (!accept && !asksAgain(reason, documents[i].Side)) {
			return nil, ErrReason
		}
		return staff.Claimed(map[string]any{}, by.ID, t.now), t.decide(documents[i], accept, reason)
	})
}

// decide writes the decision about one picture, and adds it to the audit entry.
func (t deskAct) decide(d Document, accept bool, reason string) error {
	t.about[string(d.Side)] = fmt.Sprintf("%d: %s", d.ID, Accepted)
	if !accept {
		t.about[string(d.Side)] = fmt.Sprintf("%d: %s, %s", d.ID, Refused, reason)
	}
	changes := map[string]any{"decision": Accepted, "reason": nil, "decided_by": t.by.ID, "decided_at": t.now}
	if !accept {
		changes["decision"], changes["reason"] = Refused, reason
	}
	err := db.MustAffect(t.Rows.Model(&Document{}).Where("id = ? AND current", d.ID).Updates(changes))
	if err != nil {
		return fmt.Errorf("decide about picture %d: %w", d.ID, err)
	}
	return nil
}

// approvable is mayDecide for an approval. It refuses until every picture is accepted and every field fits, and for a prohibited country; then it opens the
// data and finds the hints.
func (s *Service) approvable(ctx context.Context, t deskAct, state State) (data Data, found []Hint, err error) {
	if err := t.mayDecide(ctx, state); err != nil {
		return data, nil, err
	}
	documents, err := documentsTx(t.Tx, t.ID, true)
	if err != nil {
		return data, nil, err
	}
	if slices.ContainsFunc(documents, func(d Document) bool { return d.Decision != Accepted }) {
		return data, nil, ErrDocuments
	}
	if err := t.Marks.Refusal(); err != nil {
		return data, nil, err
	}
	if data, err = s.open(ctx, t.Conn, *t.Application); err != nil {
		return data, nil, err
	}
	if found, err = s.hints(ctx, t.Conn, *t.Application, data, t.country, t.now); err != nil {
		return data, nil, err
	}
	if has(found, Prohibited) {
		return data, nil, ErrProhibited
	}
	return data, found, nil
}

// Approve is the reviewer's approval. Without hints the trader is verified at once; with a hint the application goes to the lead, who judges it afresh.
// Refusals: ErrUnknown, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged, ErrDocuments, ErrMarks, ErrUnmarked, ErrProhibited.
func (s *Service) Approve(ctx context.Context, by audit.Actor, id int64, version int) (Application, error) {
	return s.act(ctx, by, id, version, "kyc.approve", func(t deskAct) (map[string]any, error) {
		data, found, err := s.approvable(ctx, t, InReview)
		if err != nil {
			return nil, err
		}
		seen := t.Risks.with(found) // a hint that no longer applies counts too
		changes := staff.Released(map[string]any{"maker_id": by.ID, "risks": seen})
		if len(seen) > 0 {
			changes["state"], changes["proposal"] = Escalated, proposeApproval
			return changes, t.handOver(ctx, changes)
		}
		return approved(changes, data, t.now)
	})
}

// approved returns the columns of an approval.
func approved(changes map[string]any, data Data, now time.Time) (map[string]any, error) {
	renew, err := data.renewOn()
	if err != nil {
		return nil, fmt.Errorf("say when to renew: %w", err)
	}
	changes["state"], changes["level"], changes["decided_at"], changes["renew_on"] = Approved, level, now, renew
	return changes, nil
}

// Confirm is the lead's approval of an escalated application, as the second person.
// Refusals: ErrUnknown, ErrState, ErrRole, ErrSelf, ErrOwn, ErrNotClaimed, ErrChanged, ErrDocuments, ErrMarks, ErrUnmarked, ErrProhibited.
func (s *Service) Confirm(ctx context.Context, by audit.Actor, id int64, version int) (Application, error) {
	return s.act(ctx, by, id, version, "kyc.confirm", func(t deskAct) (map[string]any, error) {
		data, _, err := s.approvable(ctx, t, Escalated)
		if err != nil {
			return nil, err
		}
		return approved(staff.Released(map[string]any{"lead_id": by.ID}), data, t.now)
	})
}

// AskAgain asks the trader to submit the named parts and all refused pictures again. Accepted parts stay.
// Refusals: ErrUnknown, ErrReason, ErrNote, ErrState, ErrRole, ErrSelf, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) AskAgain(ctx context.Context, by audit.Actor, id int64, version int, asks []Ask, note string) (Application, error) {
	if err := checkNote(note); err != nil {
		return Application{}, err
	}
	return s.act(ctx, by, id, version, "kyc.ask_again", func(t deskAct) (map[string]any, error) {
		if err := t.mayDecide(ctx, InReview, Escalated); err != nil {
			return nil, err
		}
		changes := staff.Released(map[string]any{"state": Resubmission, "note": note, "maker_id": nil, "proposal": nil, "decided_at": t.now, "asked_by": by.ID})
		documents, err := documentsTx(t.Tx, id, true)
		if err != nil {
			return nil, err
		}
		for _, ask := range asks {
			if !asksAgain(ask.Reason, ask.Part) {
				return nil, ErrReason
			}
			if ask.Part == DataPart {
				changes["data_reason"] = ask.Reason
				continue
			}
			d := current(documents, ask.Part)
			if d == nil {
				return nil, ErrReason
			}
			if err := t.decide(*d, false, ask.Reason); err != nil {
				return nil, err
			}
			d.Decision = Refused
		}
		refused := slices.ContainsFunc(documents, func(d Document) bool { return d.Decision == Refused })
		if !refused && changes["data_reason"] == nil {
			return nil, ErrReason
		}
		return changes, nil
	})
}

// Escalate passes an application to the lead, who judges it afresh, with a note for staff, a reason for the final rejection that the reviewer suggests, or both.
// Refusals: ErrUnknown, ErrReason, ErrNote, ErrNoNote, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) Escalate(ctx context.Context, by audit.Actor, id int64, version int, reason, note string) (Application, error) {
	if err := checkNote(note); err != nil {
		return Application{}, err
	}
	if reason == "" && strings.TrimSpace(note) == "" {
		return Application{}, ErrNoNote
	}
	if reason != "" {
		if _, err := finalReason(reason); err != nil {
			return Application{}, err
		}
	}
	return s.act(ctx, by, id, version, "kyc.escalate", func(t deskAct) (map[string]any, error) {
		if err := t.mayDecide(ctx, InReview); err != nil {
			return nil, err
		}
		changes := staff.Released(map[string]any{"state": Escalated, "maker_id": by.ID, "proposal": proposeReview, "internal_reason": nullIfEmpty(reason), "note": note})
		return changes, t.handOver(ctx, changes)
	})
}

func checkNote(note string) error {
	if len(note) > maxNote || !db.IsText(note) {
		return ErrNote
	}
	return nil
}

// RejectFinal is the lead's final rejection of an escalated application, as the second person. The trader sees the public form of the reason.
// Refusals: ErrUnknown, ErrReason, ErrNote, ErrState, ErrRole, ErrSelf, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) RejectFinal(ctx context.Context, by audit.Actor, id int64, version int, reason, note string) (Application, error) {
	return s.end(ctx, by, id, version, "kyc.reject_final", Rejected, reason, note, Escalated)
}

// Revoke is the lead's revocation of an approval; the unverified limits apply again.
// Refusals: ErrUnknown, ErrReason, ErrNote, ErrState, ErrRole, ErrOwn, ErrNotClaimed, ErrChanged.
func (s *Service) Revoke(ctx context.Context, by audit.Actor, id int64, version int, reason, note string) (Application, error) {
	return s.end(ctx, by, id, version, "kyc.revoke", Revoked, reason, note, Approved, Expiring)
}

func (s *Service) end(ctx context.Context, by audit.Actor, id int64, version int, action string, state State, reason, note string, from ...State) (Application, error) {
	if err := checkNote(note); err != nil {
		return Application{}, err
	}
	why, err := finalReason(reason)
	if err != nil {
		return Application{}, err
	}
	return s.act(ctx, by, id, version, action, func(t deskAct) (map[string]any, error) {
		if err := t.mayDecide(ctx, from...); err != nil {
			return nil, err
		}
		changes := staff.Released(map[string]any{
			"state": state, "public_reason": why.Public, "internal_reason": why.Code, "note": note, "decided_at": t.now, "kept_until": nil,
		})
		if state == Rejected {
			changes["lead_id"] = by.ID
		}
		return withLevel(changes, 0), nil
	})
}
