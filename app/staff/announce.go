package staff

import (
	"context"
	"slices"
	"strconv"

	"candor/app/audit"
	"candor/app/platform/db"
)

// notToldToPerson are the acts that their person gets no message of: they get a link, which says enough, or nothing has changed yet.
var notToldToPerson = []string{"staff.invite", "staff.invite_again", "staff.reset_authenticator", "staff.start_afresh", "staff.request_role"}

// announceTx tells every super admin, the actor among them, and the person of a change: whoever has the cookie of one super admin changes nobody's access in silence.
// Role is that of a role change. Of a lost super admin loseAdminTx tells.
func (s *Service) announceTx(ctx context.Context, tx *db.Tx, by audit.Actor, p Person, action string, role Role) error {
	lost := role == SuperAdmin && action == "staff.role_revoke" || p.Has(SuperAdmin) && (action == "staff.disable" || action == "staff.start_afresh")
	if lost {
		return nil
	}
	admins, err := holdersTx(ctx, tx, p.ID, SuperAdmin)
	if err != nil {
		return err
	}
	tell := func(kind string, to recipient) error {
		words := map[string]any{"target": p.Name, "name": p.Name, "email": p.Email, "role": s.texts.T(to.Language, "role."+string(role), nil)}
		what := s.texts.T(to.Language, "audit."+action, words)
		return s.messageTx(ctx, tx, kind, to, map[string]any{
			"name": p.Name, "by": by.Name, "at": stamp(s.clock.Now()), "ip": by.IP, "what": what, "link": s.address + "/admin/staff/" + strconv.FormatInt(p.ID, 10),
		}, 0)
	}
	for _, to := range admins {
		if err := tell("staff_changed", to); err != nil {
			return err
		}
	}
	if p.State == Invited || slices.Contains(notToldToPerson, action) {
		return nil
	}
	return tell("staff_account_changed", p.recipient())
}
