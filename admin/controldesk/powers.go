package controldesk

import (
	"cmp"
	"slices"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/staff"
	"candor/templates/controlview"
	"candor/templates/ui"
)

// powerAreas are the areas of permissions in the order of the navigation, each with the first words of its permissions.
var powerAreas = []struct {
	name  string
	parts []string
}{
	{"chat", []string{"chat"}}, {"task", []string{"task"}}, {"complaint", []string{"complaint"}}, {"deposit", []string{"deposit"}}, {"channel", []string{"channel"}}, {"withdrawal", []string{"withdrawal", "stop"}}, {"adjustment", []string{"adjustment"}}, {"bonus", []string{"bonus"}}, {"account_change", []string{"account_change"}},
	{"statement", []string{"statement", "bank_account"}}, {"reconciliation", []string{"reconciliation"}}, {"identity", []string{"identity"}}, {"content", []string{"content"}},
	{"trader", []string{"trader", "tag"}}, {"report", []string{"report"}}, {"audit", []string{"audit"}}, {"outbox", []string{"outbox"}}, {"switch", []string{"switch"}}, {"product", []string{"product"}}, {"staff", []string{"staff"}},
}

// inArea are the permissions of a list that belong to one area, to view first.
func inArea(list []access.Permission, parts []string) (out []access.Permission) {
	for _, p := range list {
		if first, _, _ := strings.Cut(string(p), "."); slices.Contains(parts, first) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b access.Permission) int {
		return cmp.Or(viewFirst(a)-viewFirst(b), strings.Compare(string(a), string(b)))
	})
	return out
}

func viewFirst(p access.Permission) int {
	if strings.HasSuffix(string(p), ".view") {
		return 0
	}
	return 1
}

func permissionName(r *desk.Request, p access.Permission) string {
	return word(r, "permission."+string(p))
}

// powersOf describes a role before a person gets it: its permissions by area, the approvals that it takes, and the roles that it must not be combined with.
func powersOf(r *desk.Request, p staff.Person, role staff.Role, second bool) controlview.RolePowers {
	view := controlview.RolePowers{Approvals: word(r, "staff.powers.one")}
	if second {
		view.Approvals = word(r, "staff.powers.two")
	}
	held := access.PermissionsOf(role)
	for _, area := range powerAreas {
		group := controlview.PowerGroup{Title: word(r, "permission.area."+area.name)}
		for _, permission := range inArea(held, area.parts) {
			group.Powers = append(group.Powers, permissionName(r, permission))
		}
		if len(group.Powers) > 0 {
			view.Groups = append(view.Groups, group)
		}
	}
	var clashes []staff.Role
	for _, other := range role.Apart() {
		view.Apart = append(view.Apart, roleName(r, other))
		if p.Has(other) {
			clashes = append(clashes, other)
		}
	}
	if len(clashes) > 0 {
		view.Clash = word(r, "staff.powers.clash", "name", p.Name, "roles", roleList(r, clashes))
	}
	return view
}

// rolePowers answers the choice in the role dialog.
func (s Services) rolePowers(r *desk.Request) error {
	p, err := s.read(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(personPath(p.ID).String())
	}
	view, err := s.chosenPowers(r, p, staff.Role(r.QueryParam("role")))
	if err != nil {
		return err
	}
	return r.Show(controlview.RolePowersPart(view))
}

// chosenPowers are the powers of the chosen role, none without a known one.
func (s Services) chosenPowers(r *desk.Request, p staff.Person, role staff.Role) (view controlview.RolePowers, err error) {
	if !role.Known() {
		return view, nil
	}
	second, err := s.Staff.NeedsSecond(ctxOf(r), role)
	return powersOf(r, p, role, second), err
}

// roles shows which role has which permission, as the policy has it.
func (s Services) roles(r *desk.Request) error {
	return r.Show(controlview.RolesPage(r.Page(word(r, "staff.matrix.title"), "staff"), matrix(r)))
}

func matrix(r *desk.Request) (m controlview.Matrix) {
	has := map[staff.Role][]access.Permission{}
	var all []access.Permission
	for _, role := range staff.Roles {
		has[role] = access.PermissionsOf(role)
		for _, p := range has[role] {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
		m.Roles = append(m.Roles, roleName(r, role))
	}
	for _, area := range powerAreas {
		group := controlview.MatrixGroup{Title: word(r, "permission.area."+area.name)}
		for _, p := range inArea(all, area.parts) {
			row := controlview.MatrixRow{Name: permissionName(r, p)}
			for _, role := range staff.Roles {
				row.Has = append(row.Has, slices.Contains(has[role], p))
			}
			group.Rows = append(group.Rows, row)
		}
		m.Groups = append(m.Groups, group)
	}
	for _, role := range staff.Roles {
		if apart := role.Apart(); len(apart) > 0 {
			m.Apart = append(m.Apart, ui.Fact{Label: roleName(r, role), Value: roleList(r, apart)})
		}
	}
	return m
}
