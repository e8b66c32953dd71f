package signin

import (
	"encoding/json"
	"net/http"
	"time"

	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/templates/signinview"
	"candor/templates/ui"
)

// enrolTimeout is how long the secret waits for its first code; the link may expire earlier.
const enrolTimeout = 30 * time.Minute

func (d handlers) openLink(v *desk.Visitor) error {
	link, err := d.staff.Link(v.Request().Context(), v.Param("token"))
	if err != nil {
		return err
	}
	return d.showLink(v, http.StatusOK, link, signinview.LinkPage{})
}

func (d handlers) showLink(v *desk.Visitor, status int, link staff.Link, page signinview.LinkPage) error {
	purpose := string(link.Purpose)
	page.Frame = v.Bare(word(v, "signin.link."+purpose))
	page.Post = ui.To(staff.LinkPath(link.Purpose)+"{}", v.Param("token"))
	page.Lead = word(v, "signin.link."+purpose+".lead")
	page.AsksName, page.NewPassword = link.Asks()
	if !page.AsksName {
		page.Name, page.Email = link.Person.Name, link.Person.Email
	}
	return v.Show(status, signinview.Link(page))
}

func (d handlers) takeLink(v *desk.Visitor) error {
	ctx := v.Request().Context()
	link, err := d.staff.Link(ctx, v.Param("token"))
	if err != nil {
		return err
	}
	typed := staff.Entry{Email: v.PostFormValue("email"), Name: v.PostFormValue("name"), Password: v.PostFormValue("password"), IP: v.RealIP()}
	enrolment, err := d.staff.Begin(ctx, v.Param("token"), typed)
	if refusal := errs.As(err); refusal != nil && (refusal.Kind == errs.Invalid || refused(v, err)) {
		page := signinview.LinkPage{Name: typed.Name, Email: typed.Email, Errors: map[string]string{}}
		for field, key := range refusal.Fields {
			page.Errors[field] = word(v, key)
		}
		if len(refusal.Fields) == 0 {
			page.Error = v.Text(err)
		}
		return d.showLink(v, statusOf(err), link, page)
	}
	if err != nil {
		return err
	}
	raw, err := json.Marshal(enrolment)
	if err != nil {
		return err
	}
	if err := v.Keep(map[string]string{"step": "enrol", "at": stamp(v), "enrolment": string(raw)}); err != nil {
		return err
	}
	return v.RedirectTo("/admin/enrolment")
}

// enrolment reads the enrolment that the first step of a link stored in the session.
func enrolment(v *desk.Visitor) (e staff.Enrolment, ok bool) {
	if !waiting(v, "enrol", enrolTimeout) {
		return e, false
	}
	return e, json.Unmarshal([]byte(v.Kept("enrolment")), &e) == nil
}

func (d handlers) askEnrolment(v *desk.Visitor) error {
	e, ok := enrolment(v)
	if !ok {
		return staff.ErrLink
	}
	return d.showEnrolment(v, http.StatusOK, e, "")
}

func (d handlers) showEnrolment(v *desk.Visitor, status int, e staff.Enrolment, problem string) error {
	return v.Show(status, signinview.Enrol(signinview.EnrolPage{
		Page:    signinview.Page{Frame: v.Bare(word(v, "signin.enrol.title")), Post: ui.To("/admin/enrolment"), Error: problem},
		Picture: ui.To("/admin/enrolment/picture"), Secret: byFours(e.Secret), Raw: e.Secret,
	}))
}

func byFours(secret string) string {
	out := ""
	for i, letter := range secret {
		if i > 0 && i%4 == 0 {
			out += " "
		}
		out += string(letter)
	}
	return out
}

func (d handlers) picture(v *desk.Visitor) error {
	e, ok := enrolment(v)
	if !ok {
		return staff.ErrLink
	}
	picture, err := e.QR()
	if err != nil {
		return err
	}
	return v.Blob(http.StatusOK, "image/png", picture)
}

func (d handlers) takeEnrolment(v *desk.Visitor) error {
	e, ok := enrolment(v)
	if !ok {
		return staff.ErrLink
	}
	person, err := d.staff.Finish(v.Request().Context(), e, digits(v.PostFormValue("code")), v.From())
	if refused(v, err) {
		return d.showEnrolment(v, statusOf(err), e, v.Text(err))
	}
	if err != nil {
		return err
	}
	return d.enter(v, person, desk.Root)
}
