package desk

import (
	"candor/admin/access"
	"candor/app/staff"
	"candor/app/staff/member"
)

// mostColleagues is the most people that a choice offers.
const mostColleagues = 500

// Colleagues lists the active members of staff with a permission, the requesting member left out.
func (r *Request) Colleagues(p access.Permission) (list []member.Member, err error) {
	people, _, err := r.frame.Staff.Find(r.Context.Request().Context(), staff.Search{State: staff.Active}, 0, mostColleagues)
	for _, person := range people {
		if person.ID != r.Member.ID && r.frame.Access.Allowed(person.Roles, p) {
			list = append(list, member.Member{ID: person.ID, Name: person.Name, Email: person.Email, Active: true})
		}
	}
	return list, err
}
