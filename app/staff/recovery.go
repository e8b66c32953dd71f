package staff

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"candor/app/audit"
	"candor/app/factor"
	"candor/app/platform/db"
)

// NewRecoveryCodes replaces the recovery codes of a super admin, who must be able to come back when no colleague is there to reset the authenticator. The caller
// has checked a step-up. Refusals: ErrNotAdmin, ErrSignedOut.
func (s *Service) NewRecoveryCodes(ctx context.Context, by audit.Actor) (codes []string, err error) {
	err = s.ownTx(ctx, by, func(tx *db.Tx, p Person) error {
		if !p.Has(SuperAdmin) {
			return ErrNotAdmin
		}
		if codes, err = s.factors.NewRecoveryCodesTx(ctx, tx, factor.Staff(p.ID)); err != nil {
			return err
		}
		if err := s.tellTx(ctx, tx, p, "staff_recovery_codes", by, nil); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, "staff.new_recovery_codes", p.ID, nil, facts{"codes": len(codes)})
	})
	return codes, err
}

// CanRecover reports whether a person may recover with a code: a super admin who has some.
func (s *Service) CanRecover(ctx context.Context, id int64) (bool, error) {
	p, err := s.Person(ctx, id)
	if err != nil || !p.Ready() || !p.Has(SuperAdmin) {
		return false, err
	}
	f, err := s.Factors(ctx, id)
	return f.RecoveryCodes > 0, err
}

// LastAdmin reports whether a person is the only super admin: nobody else could let them in again.
func (s *Service) LastAdmin(ctx context.Context, id int64) (bool, error) {
	p, err := s.Person(ctx, id)
	if err != nil || !p.Has(SuperAdmin) {
		return false, err
	}
	others, err := admins(s.db.Rows(ctx), id)
	return err == nil && others == 0, err
}

// LastAdminWithoutCodes reports whether a person who loses the authenticator could not come back at all: the only super admin, without recovery codes.
func (s *Service) LastAdminWithoutCodes(ctx context.Context, id int64) (bool, error) {
	last, err := s.LastAdmin(ctx, id)
	if err != nil || !last {
		return false, err
	}
	f, err := s.Factors(ctx, id)
	return f.RecoveryCodes == 0, err
}

// Recover turns a recovery code into the path of a one-time link by which a super admin sets up a new authenticator. The password must have been right, and the
// link asks for it again. The person and every other super admin are told, and the person of the last allowed wrong code. Refusals: ErrNotAdmin, ErrSignedOut, factor.ErrCode, session.ErrThrottle.
func (s *Service) Recover(ctx context.Context, id int64, code string, from audit.Actor) (path string, err error) {
	p, err := s.Person(ctx, id)
	if err != nil {
		return "", err
	}
	if !p.Has(SuperAdmin) {
		return "", ErrNotAdmin
	}
	last, err := s.factors.UseRecoveryCode(ctx, factor.Staff(id), factor.AtLogin, code, func(use func(tx *db.Tx) error) error {
		return s.ownTx(ctx, p.Acting(from), func(tx *db.Tx, p Person) error {
			if !p.Has(SuperAdmin) {
				return ErrNotAdmin
			}
			if err := use(tx); err != nil {
				return err
			}
			path, err = s.recoveryPathTx(ctx, tx, p, from)
			return err
		})
	})
	if errors.Is(err, factor.ErrCode) {
		err = cmp.Or(s.recordWrong(ctx, p, wrongCode{"staff.recover", "staff_wrong_recovery_codes", last}, from), err)
	}
	if err != nil {
		return "", err
	}
	return path, nil
}

func (s *Service) recoveryPathTx(ctx context.Context, tx *db.Tx, p Person, from audit.Actor) (string, error) {
	if err := s.voidLinksTx(tx, p.ID); err != nil {
		return "", err
	}
	token, err := s.makeLinkTx(tx, totpLink, &p.ID, RecoveryLinkLife)
	if err != nil {
		return "", err
	}
	return paths[totpLink] + token, s.recordRecoveryTx(ctx, tx, p, from)
}

// recordRecoveryTx records a used recovery code, and tells the person and every other super admin: somebody may have the password and the printed codes.
func (s *Service) recordRecoveryTx(ctx context.Context, tx *db.Tx, p Person, from audit.Actor) error {
	f, err := s.factors.Of(ctx, tx.Conn, factor.Staff(p.ID))
	if err != nil {
		return err
	}
	if err := s.tellTx(ctx, tx, p, "staff_recovered", from, map[string]any{"count": f.RecoveryCodes}); err != nil {
		return err
	}
	others, err := holdersTx(ctx, tx, p.ID, SuperAdmin)
	if err != nil {
		return err
	}
	args := map[string]any{"name": p.Name, "email": p.Email, "at": stamp(s.clock.Now()), "ip": from.IP, "link": s.address + "/admin/staff/" + strconv.FormatInt(p.ID, 10)}
	for _, to := range others {
		if err := s.messageTx(ctx, tx, "staff_admin_recovered", to, args, 0); err != nil {
			return err
		}
	}
	return s.recordTx(ctx, tx, p.Acting(from), "staff.recover", p.ID, nil, facts{"codes": f.RecoveryCodes})
}
