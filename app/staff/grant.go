package staff

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/factor"
	"candor/app/platform/db"
	"candor/app/staff/member"
)

// RoleRequest is a role that one person requested for another, to be granted by a third.
type RoleRequest struct {
	approval.Approval
	StaffID       int64
	Role          Role
	StaffName     string
	RequesterName string
}

func roleRequest(a approval.Approval) (r RoleRequest, err error) {
	r = RoleRequest{Approval: a}
	if err := a.Read(approval.Fields{"role": &r.Role}); err != nil {
		return r, err
	}
	if r.StaffID, err = strconv.ParseInt(a.Subject, 10, 64); err != nil {
		return r, fmt.Errorf("read whom approval %d is about: %w", a.ID, err)
	}
	return r, nil
}

// requestLasts is how long a role request waits for its second person before it expires.
const requestLasts = 30 * 24 * time.Hour

// adminLossLasts is how long a lost super admin counts as one who must approve another. It must leave them and the others, who are mailed, the time to object,
// and not keep the last one from ever having a colleague again.
const adminLossLasts = 72 * time.Hour

// declare declares role requests to the engine.
func (s *Service) declare(e *approval.Engine) {
	s.requests = e.For(approval.Use{Name: "staff_role", Area: "staff", About: "role", Target: "staff", Lasts: requestLasts, MayApprove: notForOneself, Apply: s.applyTx})
}

// notForOneself refuses the person whom a request is about. It returns ErrSelf.
func notForOneself(by audit.Actor, a approval.Approval) error {
	if a.Subject == strconv.FormatInt(by.ID, 10) {
		return ErrSelf
	}
	return nil
}

// MayDecide returns the reason why a person may not decide a request as the second person; nil when they may.
func (r RoleRequest) MayDecide(id int64) error {
	if r.StaffID == id {
		return ErrSelf
	}
	if r.Decided(id) {
		return approval.ErrSamePerson
	}
	return nil
}

// OpenRequests lists the requests that await a second person, oldest first, at most limit.
func (s *Service) OpenRequests(ctx context.Context, limit int) ([]RoleRequest, error) {
	approvals, err := s.requests.List(ctx, approval.Search{Open: true}, 0, limit)
	if err != nil {
		return nil, err
	}
	list := make([]RoleRequest, len(approvals))
	for i, a := range approvals {
		if list[i], err = roleRequest(a); err != nil {
			return nil, err
		}
	}
	return list, s.setNames(ctx, list)
}

// Request reads one request with its names. It returns approval.ErrUnknown.
func (s *Service) Request(ctx context.Context, id int64) (RoleRequest, error) {
	a, err := s.requests.Find(ctx, id)
	if err != nil {
		return RoleRequest{}, err
	}
	list := make([]RoleRequest, 1)
	if list[0], err = roleRequest(a); err != nil {
		return RoleRequest{}, err
	}
	err = s.setNames(ctx, list)
	return list[0], err
}

func (s *Service) setNames(ctx context.Context, list []RoleRequest) error {
	var ids []int64
	for _, r := range list {
		ids = append(ids, r.StaffID, r.RequestedBy)
	}
	names, err := member.Names(ctx, s.db.Pool, ids...)
	for i, r := range list {
		list[i].StaffName, list[i].RequesterName = names[r.StaffID], names[r.RequestedBy]
	}
	return err
}

// CountOpenRequests counts the requests that await a second person, and returns since when the first of them waits.
func (s *Service) CountOpenRequests(ctx context.Context) (n int64, oldest time.Time, err error) {
	return s.requests.Count(ctx)
}

// NeedsSecond reports whether granting a role needs a second person: roles for money, verification and switches do, and so does a further super admin once
// there are two. A colleague who lost the role within three days counts: nobody can disable the others and then choose whom they approve with.
func (s *Service) NeedsSecond(ctx context.Context, role Role) (needs bool, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		needs, err = s.needsSecondTx(tx, role)
		return err
	})
	return needs, err
}

func (s *Service) needsSecondTx(tx *db.Tx, role Role) (bool, error) {
	if role != SuperAdmin {
		return Sensitive[role], nil
	}
	var admins int64
	err := tx.Rows.Model(&Person{}).
		Where("admin_lost_at > ? OR state = 'active' AND id IN (SELECT staff_id FROM staff_roles WHERE role = ?)", s.clock.Now().Add(-adminLossLasts), SuperAdmin).
		Count(&admins).Error
	if err != nil {
		return false, fmt.Errorf("count super admins: %w", err)
	}
	return admins >= 2, nil
}

// AskRole grants a role at once when that needs one person, and otherwise opens a request for a second one. Refusals: ErrSelf, ErrRole, ErrUnknown,
// ErrDisabled, ErrHasRole, ErrAsked, ErrPair.
func (s *Service) AskRole(ctx context.Context, actor audit.Actor, id int64, role Role) (granted bool, err error) {
	if err := mayNameRole(actor, id, role); err != nil {
		return false, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		p, err := lockTx(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := s.mayHoldTx(tx, p, role, 0); err != nil {
			return err
		}
		people := 1
		if second, err := s.needsSecondTx(tx, role); err != nil {
			return err
		} else if second {
			people = 2
		}
		granted = people == 1
		_, err = s.requests.RequestTx(ctx, tx, actor, approval.Request{Subject: strconv.FormatInt(id, 10), Proposal: approval.Fields{"role": &role}, People: people})
		if err != nil || granted {
			return err
		}
		return s.announceTx(ctx, tx, actor, p, "staff.request_role", role)
	})
	return granted && err == nil, err
}

func mayNameRole(actor audit.Actor, id int64, role Role) error {
	if actor.ID == id {
		return ErrSelf
	}
	if !role.Known() {
		return ErrRole
	}
	return nil
}

// MayAskRole checks a role before its step-up, so that a refused one uses up no code. Refusals: those of AskRole.
func (s *Service) MayAskRole(ctx context.Context, actor audit.Actor, id int64, role Role) error {
	if err := mayNameRole(actor, id, role); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		p, err := person(tx.Rows, id)
		if err != nil {
			return err
		}
		return s.mayHoldTx(tx, p, role, 0)
	})
}

// mayHoldTx checks a role against the person's roles and their open requests, except one.
func (s *Service) mayHoldTx(tx *db.Tx, p Person, role Role, except int64) error {
	if p.State == Disabled {
		return ErrDisabled
	}
	if p.Has(role) {
		return ErrHasRole
	}
	open, err := s.requests.OpenTx(tx, strconv.FormatInt(p.ID, 10))
	if err != nil {
		return err
	}
	with := append([]Role(nil), p.Roles...)
	for _, a := range open {
		r, err := roleRequest(a)
		if err != nil {
			return err
		}
		if r.ID == except {
			continue
		}
		if r.Role == role {
			return ErrAsked
		}
		with = append(with, r.Role)
	}
	if other, clash := role.clashes(with); clash {
		return ErrPair.With("other", other)
	}
	return nil
}

// applyTx grants the requested role. Refusals: those of mayHoldTx.
func (s *Service) applyTx(ctx context.Context, tx *db.Tx, by audit.Actor, a approval.Approval) error {
	r, err := roleRequest(a)
	if err != nil {
		return err
	}
	p, err := lockTx(ctx, tx, r.StaffID)
	if err != nil {
		return err
	}
	if err := s.mayHoldTx(tx, p, r.Role, a.ID); err != nil {
		return err
	}
	if err := s.addRoleTx(tx, p.ID, r.Role); err != nil {
		return err
	}
	if err := s.announceTx(ctx, tx, by, p, "staff.role_grant", r.Role); err != nil {
		return err
	}
	return s.recordTx(ctx, tx, by, "staff.role_grant", p.ID, facts{"roles": p.Roles}, facts{"role": r.Role, "request": a.ID, "roles": append(append([]Role(nil), p.Roles...), r.Role)})
}

func (s *Service) addRoleTx(tx *db.Tx, id int64, role Role) error {
	if err := tx.Rows.Create(&staffRole{StaffID: id, Role: role, GrantedAt: s.clock.Now()}).Error; err != nil {
		return fmt.Errorf("give a role: %w", err)
	}
	return nil
}

// GrantRole is the second person's approval. Refusals: ErrSelf, those of approval.Service.ApproveTx and of mayHoldTx.
func (s *Service) GrantRole(ctx context.Context, actor audit.Actor, requestID int64) error {
	a, err := s.requests.Find(ctx, requestID)
	if err != nil {
		return err
	}
	_, err = s.requests.Approve(ctx, actor, requestID, a.Version, approval.Requested, a.Facts)
	return err
}

// RefuseRole is the second person's rejection. Refusals: ErrSelf, those of approval.Service.RefuseTx.
func (s *Service) RefuseRole(ctx context.Context, actor audit.Actor, requestID int64) error {
	a, err := s.requests.Find(ctx, requestID)
	if err != nil {
		return err
	}
	_, err = s.requests.Refuse(ctx, actor, requestID, a.Version, "")
	return err
}

// WithdrawRole withdraws the actor's own open request. Refusals: those of approval.Service.WithdrawTx.
func (s *Service) WithdrawRole(ctx context.Context, actor audit.Actor, requestID int64) error {
	a, err := s.requests.Find(ctx, requestID)
	if err != nil {
		return err
	}
	_, err = s.requests.Withdraw(ctx, actor, requestID, a.Version)
	return err
}

// RevokeRole revokes a role at once. Refusals: ErrSelf, ErrUnknown, ErrNoRole, ErrLastAdmin.
func (s *Service) RevokeRole(ctx context.Context, actor audit.Actor, id int64, role Role) error {
	if actor.ID == id {
		return ErrSelf
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		p, err := lockTx(ctx, tx, id)
		if err != nil {
			return err
		}
		if role == SuperAdmin {
			if err := s.loseAdminTx(ctx, tx, actor, p); err != nil {
				return err
			}
		}
		revoked := tx.Rows.Where("staff_id = ? AND role = ?", id, role).Delete(&staffRole{})
		if revoked.Error != nil {
			return fmt.Errorf("revoke a role: %w", revoked.Error)
		}
		if revoked.RowsAffected != 1 {
			return ErrNoRole
		}
		var left []Role
		for _, r := range p.Roles {
			if r != role {
				left = append(left, r)
			}
		}
		if err := s.announceTx(ctx, tx, actor, p, "staff.role_revoke", role); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, actor, "staff.role_revoke", id, facts{"role": role, "roles": p.Roles}, facts{"roles": left})
	})
}

// loseAdminTx takes from a super admin what only they have, and tells them and every other super admin; nothing for anybody else. Refusal: ErrLastAdmin.
func (s *Service) loseAdminTx(ctx context.Context, tx *db.Tx, by audit.Actor, p Person) error {
	if !p.Has(SuperAdmin) {
		return nil
	}
	if err := lastAdminTx(tx, p); err != nil {
		return err
	}
	if p.State == Active { // who never signed in approved nothing
		if err := db.MustAffect(tx.Rows.Model(&Person{}).Where("id = ?", p.ID).Update("admin_lost_at", s.clock.Now())); err != nil {
			return err
		}
	}
	if err := s.factors.RemoveRecoveryCodesTx(ctx, tx, factor.Staff(p.ID)); err != nil {
		return err
	}
	told, err := holdersTx(ctx, tx, p.ID, SuperAdmin)
	if err != nil {
		return err
	}
	args := map[string]any{"name": p.Name, "email": p.Email, "by": by.Name, "at": stamp(s.clock.Now()), "ip": by.IP, "link": s.address + "/admin/staff/" + strconv.FormatInt(p.ID, 10)}
	for _, to := range append(told, p.recipient()) {
		if err := s.messageTx(ctx, tx, "staff_admin_lost", to, args, 0); err != nil {
			return err
		}
	}
	return nil
}
