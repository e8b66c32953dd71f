package controldesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/staff"
	"candor/templates/ui"
)

const longestSearch = 120

// people declares the list of staff.
func (s Services) people() caseengine.List[staff.Person] {
	return caseengine.List[staff.Person]{
		Name: "staff", Letters: "staff-", Target: "staff", Texts: "staff", Icon: ui.IconPeople, View: access.StaffView, Audit: s.Audit,
		Filters: []caseengine.Filter{
			caseengine.SearchPeople(longestSearch, cleaned(longestSearch)),
			caseengine.OneOf("role", staff.Roles, roleName),
			caseengine.OneOf("state", []staff.State{staff.Active, staff.Invited, staff.Disabled}, func(r *desk.Request, state staff.State) string {
				return word(r, "staff.state."+string(state))
			}),
		},
		Columns: []caseengine.Column{
			{Label: "staff.column.name"}, {Label: "staff.roles"}, {Label: "staff.column.state"}, {Label: "staff.last"}, {Label: "signin.email"},
		},
		Find: s.findPeople, Rows: peopleRows, ID: func(p staff.Person) int64 { return p.ID }, Buttons: staffButtons,
		Keys: []ui.KeyHint{{Keys: []string{"I"}, Label: "staff.invite.key"}},
	}
}

func (s Services) findPeople(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) ([]staff.Person, caseengine.Cursor, error) {
	by := staff.Search{Words: sel.Value("q"), Role: staff.Role(sel.Value("role")), State: staff.State(sel.Value("state"))}
	list, next, err := s.Staff.Find(ctxOf(r), by, after.ID, limit)
	return list, caseengine.Cursor{ID: next}, err
}

func peopleRows(r *desk.Request, list []staff.Person) ([]caseengine.Row, error) {
	rows := make([]caseengine.Row, len(list))
	for i, p := range list {
		rows[i] = caseengine.Row{Cells: []ui.Cell{
			{Text: p.Name}, {Text: roleList(r, p.Roles), Muted: len(p.Roles) == 0, Wrap: true}, {Chips: personChips(r, p)}, {Text: lastSignIn(r, p), Muted: true}, {Text: p.Email, Muted: true},
		}}
	}
	return rows, nil
}

func lastSignIn(r *desk.Request, p staff.Person) string {
	if p.SignedInAt == nil {
		return word(r, "staff.signed_in.never")
	}
	return at(r, *p.SignedInAt)
}

func staffButtons(r *desk.Request) []ui.ButtonView {
	invite := ui.ButtonView{Label: word(r, "staff.invite"), Icon: ui.IconPlus, Kind: ui.Primary, Size: ui.Small, Key: "I", HX: ui.OpenDialog(ui.To("/admin/staff/invitation"))}
	if !r.May(access.StaffManage) {
		invite.HX, invite.Kind, invite.Key, invite.Locked, invite.Why = ui.HX{}, ui.Plain, "", true, word(r, "staff.no_power")
	}
	return []ui.ButtonView{{Label: word(r, "staff.matrix.title"), Icon: ui.IconKey, Size: ui.Small, Href: "/admin/staff/roles"}, invite}
}
