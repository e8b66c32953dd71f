package controldesk

import (
	"net/http"

	"candor/admin/desk"
	"candor/app/staff"
	"candor/app/trader"
	"candor/templates/controlview"
	"candor/templates/ui"
)

func phoneOf(p staff.Person) string {
	if p.Phone == nil {
		return ""
	}
	return *p.Phone
}

// phoneFact shows only the ends of the number: it is for comparing, not for calling.
func phoneFact(r *desk.Request, p staff.Person) ui.Fact {
	if p.Phone == nil {
		return ui.Fact{Label: word(r, "staff.phone"), Value: word(r, "staff.phone.none"), Muted: true}
	}
	return ui.Fact{Label: word(r, "staff.phone"), Value: trader.Mask(*p.Phone)}
}

func (s Services) askPhone(r *desk.Request) error {
	p, err := s.read(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(personPath(p.ID).String())
	}
	return showPhone(r, http.StatusOK, p, phoneOf(p), nil)
}

func showPhone(r *desk.Request, status int, p staff.Person, phone string, problems map[string]string) error {
	return showProved(r, status, proofOf("staff.set_phone", p), problems["code"], controlview.Confirm{
		Dialog: ui.DialogView{
			Title: word(r, "staff.phone.title", "name", p.Name), Note: word(r, "staff.phone.note"),
			Form: personForm(p, ui.To("/admin/staff/{}/phone", p.ID)),
			Act:  ui.ButtonView{Label: word(r, "staff.phone.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
		Facts: whoFacts(r, p),
		Fields: []ui.FieldView{
			{Name: "phone", Label: word(r, "staff.phone"), Type: "tel", Hint: word(r, "staff.phone.hint"), Value: phone, MaxLength: 40, Error: problems["phone"]},
		},
	})
}

func (s Services) setPhone(r *desk.Request) error {
	p, err := s.read(r)
	if err != nil {
		return err
	}
	version, err := r.Version()
	if err != nil {
		return err
	}
	typed := r.PostFormValue("phone")
	if problems := fieldProblems(r, staff.CheckPhone(typed)); problems != nil {
		return showPhone(r, http.StatusUnprocessableEntity, p, typed, problems)
	}
	may, err := r.Confirmed(proofOf("staff.set_phone", p), func(problem string) error {
		return showPhone(r, http.StatusUnprocessableEntity, p, typed, map[string]string{"code": problem})
	})
	if !may {
		return err
	}
	err = s.Staff.SetPhone(ctxOf(r), r.Actor(), p.ID, version, typed)
	if problems := fieldProblems(r, err); problems != nil {
		return showPhone(r, http.StatusUnprocessableEntity, p, typed, problems)
	}
	if err != nil {
		return err
	}
	return s.done(r, p.ID, word(r, "staff.phone.done"))
}
