package controldesk

import (
	"context"
	"fmt"
	"net/http"

	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/templates/controlview"
	"candor/templates/ui"
)

func (s Services) askRole(r *desk.Request) error {
	p, err := s.read(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(personPath(p.ID).String())
	}
	return s.showRoleDialog(r, http.StatusOK, p, "", nil, "")
}

// showRoleDialog shows the roles to choose from, with the text of a refusal of the role or of the step-up.
func (s Services) showRoleDialog(r *desk.Request, status int, p staff.Person, chosen staff.Role, problem error, codeProblem string) error {
	second, err := s.Staff.NeedsSecond(ctxOf(r), staff.SuperAdmin)
	if err != nil {
		return err
	}
	field := ui.FieldView{Name: "role", Label: word(r, "staff.role"), Required: true, Hint: word(r, "staff.give_role.hint"), Options: []ui.Option{{Label: word(r, "staff.role.choose")}},
		HX: ui.HX{Get: ui.To("/admin/staff/{}/role/powers", p.ID), Target: ui.At("role-powers"), Swap: ui.SwapInside, Trigger: ui.OnChange, Only: "role"}}
	for _, role := range staff.Roles {
		option := ui.Option{Value: string(role), Label: roleName(r, role), Selected: role == chosen}
		switch {
		case p.Has(role):
			option.Disabled, option.Note = true, word(r, "staff.role.held")
		case staff.Sensitive[role] || role == staff.SuperAdmin && second:
			option.Note = word(r, "staff.role.second")
		}
		field.Options = append(field.Options, option)
	}
	if problem != nil {
		field.Error = r.Text(problem)
	}
	powers, err := s.chosenPowers(r, p, chosen)
	if err != nil {
		return err
	}
	if problem != nil { // it says the same
		powers.Clash = ""
	}
	code, err := r.CodeField(proofOf("staff.request_role", p), codeProblem)
	if err != nil {
		return err
	}
	return r.Dialog(status, controlview.RoleDialog(controlview.RoleForm{
		Dialog: ui.DialogView{
			Title: word(r, "staff.give_role.title", "name", p.Name), Note: word(r, "staff.give_role.note"),
			Form: personForm(p, ui.To("/admin/staff/{}/role", p.ID)),
			Act:  ui.ButtonView{Label: word(r, "staff.give_role.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: whoFacts(r, p), Select: field, Code: code, Powers: powers,
	}))
}

func (s Services) giveRole(r *desk.Request) error {
	p, err := s.read(r)
	if err != nil {
		return err
	}
	role := staff.Role(r.PostFormValue("role"))
	if err := s.Staff.MayAskRole(ctxOf(r), r.Actor(), p.ID, role); err != nil {
		return s.refuseRole(r, p, role, err)
	}
	may, err := r.Confirmed(proofOf("staff.request_role", p), func(problem string) error {
		return s.showRoleDialog(r, http.StatusUnprocessableEntity, p, role, nil, problem)
	})
	if !may {
		return err
	}
	granted, err := s.Staff.AskRole(ctxOf(r), r.Actor(), p.ID, role)
	if err != nil {
		return s.refuseRole(r, p, role, err)
	}
	flash := "staff.give_role.asked"
	if granted {
		flash = "staff.give_role.granted"
	}
	return s.done(r, p.ID, word(r, flash, "role", roleName(r, role), "name", p.Name))
}

// refuseRole shows the dialog again with what is wrong with a role.
func (s Services) refuseRole(r *desk.Request, p staff.Person, role staff.Role, err error) error {
	if refusal := errs.As(err); refusal != nil && refusal.Kind != errs.Forbidden && refusal.Kind != errs.NotFound {
		return s.showRoleDialog(r, http.StatusUnprocessableEntity, p, role, err, "")
	}
	return err
}

func (s Services) askRevocation(r *desk.Request) error {
	p, err := s.read(r)
	if err != nil {
		return err
	}
	role := staff.Role(r.Param("role"))
	switch {
	case !r.Partial():
		return r.RedirectTo(personPath(p.ID).String())
	case !p.Has(role):
		return staff.ErrNoRole
	}
	return showRevocation(r, http.StatusOK, p, role, "")
}

func showRevocation(r *desk.Request, status int, p staff.Person, role staff.Role, problem string) error {
	var alert *ui.AlertView
	if role == staff.SuperAdmin {
		alert = lossAlert(r)
	}
	return showProved(r, status, revoking(p, role), problem, controlview.Confirm{
		Alert: alert,
		Dialog: ui.DialogView{
			Title: word(r, "staff.revoke.title", "name", p.Name, "role", roleName(r, role)),
			Form:  personForm(p, ui.To("/admin/staff/{}/roles/{}/revocation", p.ID, role)),
			Act:   ui.ButtonView{Label: word(r, "staff.revoke.act", "role", roleName(r, role)), Kind: ui.Danger, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: append(whoFacts(r, p), ui.Fact{Label: word(r, "staff.then"), Value: word(r, "staff.revoke.then")}),
	})
}

// revoking is the step-up of a revocation.
func revoking(p staff.Person, role staff.Role) desk.Proof {
	proof := proofOf("staff.role_revoke", p)
	proof.About += " role " + string(role)
	return proof
}

func (s Services) revoke(r *desk.Request) error {
	p, err := s.read(r)
	if err != nil {
		return err
	}
	role := staff.Role(r.Param("role"))
	if !p.Has(role) {
		return staff.ErrNoRole
	}
	may, err := r.Confirmed(revoking(p, role), func(problem string) error { return showRevocation(r, http.StatusUnprocessableEntity, p, role, problem) })
	if !may {
		return err
	}
	if err := s.Staff.RevokeRole(ctxOf(r), r.Actor(), p.ID, role); err != nil {
		return err
	}
	return s.done(r, p.ID, word(r, "staff.revoke.done", "role", roleName(r, role)))
}

// decision is a decision on a role request.
type decision struct {
	name   string // in the keys of its texts
	path   string
	kind   ui.ButtonKind
	proved string // the act of the step-up that it needs, because it gives power; empty without one
	do     func(s *staff.Service, ctx context.Context, actor audit.Actor, requestID int64) error
}

// The decisions.
var (
	grant    = decision{"grant", "approval", ui.Primary, "staff.role_grant", (*staff.Service).GrantRole}
	refuse   = decision{"refuse", "refusal", ui.Danger, "", (*staff.Service).RefuseRole}
	withdraw = decision{"withdraw", "withdrawal", ui.Danger, "", (*staff.Service).WithdrawRole}
)

// askDecision opens the dialog of a decision, with the current request.
func (s Services) askDecision(d decision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		request, p, err := s.readRequest(r)
		if err != nil {
			return err
		}
		if !r.Partial() {
			return r.RedirectTo(personPath(p.ID).String())
		}
		if request.State != approval.Requested {
			return approval.ErrState
		}
		return d.show(r, http.StatusOK, request, p, "")
	}
}

// proof is the step-up of a decision on a request as the dialog showed it.
func (d decision) proof(request staff.RoleRequest) desk.Proof {
	return desk.Proof{Act: d.proved, About: fmt.Sprintf("role request %d: %s for staff %d", request.ID, request.Role, request.StaffID)}
}

func (d decision) show(r *desk.Request, status int, request staff.RoleRequest, p staff.Person, problem string) error {
	role := roleName(r, request.Role)
	facts := append(whoFacts(r, p),
		ui.Fact{Label: word(r, "staff.role"), Value: role, Strong: true},
		ui.Fact{Label: word(r, "staff.asked"), Value: request.RequesterName, Note: at(r, request.RequestedAt)},
		ui.Fact{Label: word(r, "staff.then"), Value: word(r, "staff."+d.name+".then")})
	dialog := controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "staff."+d.name+".title", "role", role, "name", p.Name),
			Form:  personForm(p, ui.To("/admin/role-requests/{}/"+d.path, request.ID)),
			Act:   ui.ButtonView{Label: word(r, "staff."+d.name+".act", "role", role), Kind: d.kind, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: facts,
	}
	if d.proved != "" {
		return showProved(r, status, d.proof(request), problem, dialog)
	}
	return r.Dialog(status, controlview.ConfirmDialog(dialog))
}

func (s Services) readRequest(r *desk.Request) (staff.RoleRequest, staff.Person, error) {
	id, err := r.ID("id")
	if err != nil {
		return staff.RoleRequest{}, staff.Person{}, err
	}
	request, err := s.Staff.Request(ctxOf(r), id)
	if err != nil {
		return request, staff.Person{}, err
	}
	p, err := s.Staff.Person(ctxOf(r), request.StaffID)
	return request, p, err
}

// decide runs the decision that the dialog posted.
func (s Services) decide(d decision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		request, p, err := s.readRequest(r)
		if err != nil {
			return err
		}
		if d.proved != "" {
			may, err := r.Confirmed(d.proof(request), func(problem string) error { return d.show(r, http.StatusUnprocessableEntity, request, p, problem) })
			if !may {
				return err
			}
		}
		if err := d.do(s.Staff, ctxOf(r), r.Actor(), request.ID); err != nil {
			return err
		}
		return s.done(r, p.ID, word(r, "staff."+d.name+".done", "role", roleName(r, request.Role), "name", fmt.Sprint(p.Name)))
	}
}
