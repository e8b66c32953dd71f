package staff

import (
	"context"
	"fmt"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
)

// RequestState is the state of a role request.
type RequestState string

// The states of a request.
const (
	Open      RequestState = "open"
	Granted   RequestState = "granted"
	Refused   RequestState = "refused"
	Withdrawn RequestState = "withdrawn"
)

// RoleRequest is a role that one person requested for another, to be granted by a third.
type RoleRequest struct {
	ID          int64
	StaffID     int64
	Role        Role
	State       RequestState
	RequestedBy int64
	DecidedBy   *int64
	RequestedAt time.Time
	DecidedAt   *time.Time

	StaffName     string `gorm:"->;-:migration"` // joined in lists
	RequesterName string `gorm:"->;-:migration"`
}

// TableName is GORM's name of the table.
func (RoleRequest) TableName() string { return "staff_role_requests" }

// MayDecide returns the reason why a person may not decide a request as the second person; nil when they may.
func (r RoleRequest) MayDecide(id int64) error {
	switch id {
	case r.StaffID:
		return ErrSelf
	case r.RequestedBy:
		return ErrOwnRequest
	}
	return nil
}

// OpenRequests lists the requests that await a second person, oldest first, at most limit.
func (s *Service) OpenRequests(ctx context.Context, limit int) (list []RoleRequest, err error) {
	err = s.db.Rows(ctx).Table("staff_role_requests r").
		Select("r.*, p.name AS staff_name, q.name AS requester_name").
		Joins("JOIN staff p ON p.id = r.staff_id").Joins("JOIN staff q ON q.id = r.requested_by").
		Where("r.state = 'open'").Order("r.id").Limit(limit).Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list role requests: %w", err)
	}
	return list, nil
}

// Request reads one request with its names. It returns ErrUnknown.
func (s *Service) Request(ctx context.Context, id int64) (r RoleRequest, err error) {
	err = s.db.Rows(ctx).Table("staff_role_requests r").
		Select("r.*, p.name AS staff_name, q.name AS requester_name").
		Joins("JOIN staff p ON p.id = r.staff_id").Joins("JOIN staff q ON q.id = r.requested_by").
		Where("r.id = ?", id).Limit(1).Find(&r).Error
	if err == nil && r.ID == 0 {
		err = ErrUnknown
	}
	return r, err
}

// CountOpenRequests counts the requests that await a second person.
func (s *Service) CountOpenRequests(ctx context.Context) (n int64, err error) {
	return n, s.db.Rows(ctx).Model(&RoleRequest{}).Where("state = 'open'").Count(&n).Error
}

// NeedsSecond reports whether granting a role needs a second person: roles for money, verification and switches do, and so does a further super admin once
// there are two.
func (s *Service) NeedsSecond(ctx context.Context, role Role) (needs bool, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		needs, err = needsSecondTx(tx, role)
		return err
	})
	return needs, err
}

func needsSecondTx(tx *db.Tx, role Role) (bool, error) {
	if role != SuperAdmin {
		return Sensitive[role], nil
	}
	admins, err := adminsTx(tx, 0)
	return admins >= 2, err
}

// AskRole grants a role at once when that needs one person, and otherwise opens a request for a second one. Refusals: ErrSelf, ErrRole, ErrUnknown,
// ErrDisabled, ErrHasRole, ErrAsked, ErrPair.
func (s *Service) AskRole(ctx context.Context, actor audit.Actor, id int64, role Role) (granted bool, err error) {
	if actor.ID == id {
		return false, ErrSelf
	}
	if !role.Known() {
		return false, ErrRole
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		p, err := lockTx(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := mayHoldTx(tx, p, role, 0); err != nil {
			return err
		}
		second, err := needsSecondTx(tx, role)
		if err != nil {
			return err
		}
		if granted = !second; granted {
			return s.grantTx(ctx, tx, actor, p, role, 0)
		}
		return s.askTx(ctx, tx, actor, id, role)
	})
	return granted && err == nil, err
}

// mayHoldTx checks a role against the person's roles and their open requests, except one.
func mayHoldTx(tx *db.Tx, p Person, role Role, except int64) error {
	if p.State == Disabled {
		return ErrDisabled
	}
	if p.Has(role) {
		return ErrHasRole
	}
	var asked []RoleRequest
	if err := tx.Rows.Where("staff_id = ? AND state = 'open' AND id <> ?", p.ID, except).Find(&asked).Error; err != nil {
		return fmt.Errorf("read role requests: %w", err)
	}
	with := append([]Role(nil), p.Roles...)
	for _, r := range asked {
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

func (s *Service) askTx(ctx context.Context, tx *db.Tx, actor audit.Actor, id int64, role Role) error {
	r := RoleRequest{StaffID: id, Role: role, State: Open, RequestedBy: actor.ID, RequestedAt: s.clock.Now()}
	if err := tx.Rows.Select("StaffID", "Role", "State", "RequestedBy", "RequestedAt").Create(&r).Error; err != nil {
		return fmt.Errorf("ask for a role: %w", err)
	}
	return s.recordTx(ctx, tx, actor, "staff.role_ask", id, nil, facts{"role": role, "request": r.ID})
}

// grantTx grants a role; request is the id of its request, 0 without one.
func (s *Service) grantTx(ctx context.Context, tx *db.Tx, actor audit.Actor, p Person, role Role, request int64) error {
	if err := s.addRoleTx(ctx, tx, p.ID, role); err != nil {
		return err
	}
	after := facts{"role": role, "roles": append(append([]Role(nil), p.Roles...), role)}
	if request != 0 {
		after["request"] = request
	}
	return s.recordTx(ctx, tx, actor, "staff.role_grant", p.ID, facts{"roles": p.Roles}, after)
}

func (s *Service) addRoleTx(ctx context.Context, tx *db.Tx, id int64, role Role) error {
	_, err := tx.Conn.Exec(ctx, `INSERT INTO staff_roles (staff_id, role, granted_at) VALUES ($1, $2, $3)`, id, role, s.clock.Now())
	if err != nil {
		return fmt.Errorf("give a role: %w", err)
	}
	return nil
}

// GrantRole is the second person's approval. Refusals: ErrUnknown, ErrNotOpen, ErrSelf, ErrOwnRequest, ErrDisabled, ErrHasRole, ErrPair.
func (s *Service) GrantRole(ctx context.Context, actor audit.Actor, requestID int64) error {
	return s.decideTx(ctx, actor, requestID, Granted, func(tx *db.Tx, p Person, r RoleRequest) error {
		if err := r.MayDecide(actor.ID); err != nil {
			return err
		}
		if err := mayHoldTx(tx, p, r.Role, r.ID); err != nil {
			return err
		}
		return s.grantTx(ctx, tx, actor, p, r.Role, r.ID)
	})
}

// RefuseRole is the second person's rejection. Refusals: ErrUnknown, ErrNotOpen, ErrSelf, ErrOwnRequest.
func (s *Service) RefuseRole(ctx context.Context, actor audit.Actor, requestID int64) error {
	return s.decideTx(ctx, actor, requestID, Refused, func(tx *db.Tx, _ Person, r RoleRequest) error {
		if err := r.MayDecide(actor.ID); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, actor, "staff.role_refuse", r.StaffID, nil, facts{"role": r.Role, "request": r.ID})
	})
}

// WithdrawRole withdraws the actor's own open request. Refusals: ErrUnknown, ErrNotOpen, ErrNotAsker.
func (s *Service) WithdrawRole(ctx context.Context, actor audit.Actor, requestID int64) error {
	return s.decideTx(ctx, actor, requestID, Withdrawn, func(tx *db.Tx, _ Person, r RoleRequest) error {
		if actor.ID != r.RequestedBy {
			return ErrNotAsker
		}
		return s.recordTx(ctx, tx, actor, "staff.role_withdraw", r.StaffID, nil, facts{"role": r.Role, "request": r.ID})
	})
}

// decideTx moves an open request to its end state and runs act in the same transaction.
func (s *Service) decideTx(ctx context.Context, actor audit.Actor, requestID int64, to RequestState, act func(*db.Tx, Person, RoleRequest) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := lockStaffTx(ctx, tx); err != nil {
			return err
		}
		var r RoleRequest
		if err := tx.Rows.Table("staff_role_requests").Where("id = ?", requestID).Limit(1).Find(&r).Error; err != nil {
			return fmt.Errorf("read a role request: %w", err)
		}
		switch {
		case r.ID == 0:
			return ErrUnknown
		case r.State != Open:
			return ErrNotOpen
		}
		p, err := person(tx.Rows, r.StaffID)
		if err != nil {
			return err
		}
		if err := act(tx, p, r); err != nil {
			return err
		}
		decider := &actor.ID
		if to == Withdrawn {
			decider = nil // the constraint accepts only the second person as a decider
		}
		return db.MustAffect(tx.Rows.Model(&RoleRequest{}).Where("id = ? AND state = 'open'", requestID).
			Updates(map[string]any{"state": to, "decided_by": decider, "decided_at": s.clock.Now()}))
	})
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
			if err := lastAdminTx(tx, p); err != nil {
				return err
			}
		}
		tag, err := tx.Conn.Exec(ctx, `DELETE FROM staff_roles WHERE staff_id = $1 AND role = $2`, id, role)
		if err != nil {
			return fmt.Errorf("revoke a role: %w", err)
		}
		if tag.RowsAffected() != 1 {
			return ErrNoRole
		}
		var left []Role
		for _, r := range p.Roles {
			if r != role {
				left = append(left, r)
			}
		}
		return s.recordTx(ctx, tx, actor, "staff.role_revoke", id, facts{"role": role, "roles": p.Roles}, facts{"roles": left})
	})
}
