package controlview

import "candor/templates/ui"

// RoleForm is the dialog that assigns a role.
type RoleForm struct {
	Dialog ui.DialogView
	Facts  []ui.Fact
	Select ui.FieldView
	Code   ui.FieldView // of the step-up
	Powers RolePowers
}

func (d RoleForm) frame() ui.DialogView { return Confirm{Dialog: d.Dialog, Facts: d.Facts}.frame() }

// RolePowers is what a role may do. The zero value is no role.
type RolePowers struct {
	Groups    []PowerGroup
	Approvals string   // how many people it takes to grant the role
	Apart     []string // roles that the same person must not have
	Clash     string   // why this person can't have it now; empty if they can
}

// PowerGroup is the permissions in one area.
type PowerGroup struct {
	Title  string
	Powers []string
}

// Matrix is the table of all roles and permissions.
type Matrix struct {
	Roles  []string // the columns
	Groups []MatrixGroup
	Apart  []ui.Fact // roles that one person must not combine, by role
}

// MatrixGroup is the rows of one area.
type MatrixGroup struct {
	Title string
	Rows  []MatrixRow
}

// MatrixRow is one permission. Has is in the order of the columns.
type MatrixRow struct {
	Name string
	Has  []bool
}
