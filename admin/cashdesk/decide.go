package cashdesk

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/a-h/templ"

	"candor/admin/desk"
	"candor/app/deposit"
	"candor/templates/ui"
)

// decision is a dialog that decides a deposit, and the act that its form posts.
type decision struct {
	noun   string
	fields []string
	right  func(rights) verdict
	dialog func(matter, typed) templ.Component
	act    func(Services, *desk.Request, matter, map[string]string) (flash, error)
}

// flash is what an act that was done says.
type flash struct {
	key   string
	pairs []any
}

// typed is what a dialog shows again: the words in its fields, what is wrong with them, and a message above.
type typed struct {
	words  map[string]string
	errors map[string]string
	alert  *ui.AlertView
}

func (in typed) field(f ui.FieldView) ui.FieldView {
	f.Value, f.Error = in.words[f.Name], in.errors[f.Name]
	return f
}

// open answers a decision's dialog with fresh data, or says why there is none.
func (s Services) open(r *desk.Request, d decision) error {
	m, err := s.read(r)
	if err != nil {
		return err
	}
	if refusal := d.right(m.rights(m.Deposit)).refusal(); refusal != nil {
		return s.refuse(r, m.ID, refusal)
	}
	return r.Show(d.dialog(m, typed{words: map[string]string{}}))
}

// decide runs the act that a dialog posted, if the deposit still is the version that was shown and the member may.
func (s Services) decide(r *desk.Request, d decision) error {
	m, err := s.read(r)
	if err != nil {
		return err
	}
	seen, err := r.Version()
	if err != nil {
		return err
	}
	words := map[string]string{}
	for _, name := range d.fields {
		words[name] = r.Posted(name)
	}
	said, err := flash{}, error(deposit.ErrChanged)
	if seen == m.Version {
		err = d.right(m.rights(m.Deposit)).refusal()
	}
	if err == nil {
		said, err = d.act(s, r, m, words)
	}
	if err != nil {
		return s.again(r, d, m.ID, seen, typed{words: words}, err)
	}
	return s.done(r, m.ID, said.key, said.pairs...)
}

// differs is the refusal of an approval whose amount is not the one on the button: it is shown and pressed again.
type differs int64

func (differs) Error() string { return "another amount than the button said" }

// again answers the dialog once more, with what was typed and the deposit as it is now: beside its fields with 422, after a change with 409.
// Where the member may not decide any more, only the reason is left.
func (s Services) again(r *desk.Request, d decision, id int64, seen int, in typed, reason error) error {
	m, err := s.readAgain(r, id)
	if err != nil {
		return err
	}
	status := http.StatusUnprocessableEntity
	var received differs
	switch in.errors = fieldErrors(r, reason); {
	case errors.As(reason, &received):
		in.words["shown"] = plain(int64(received))
	case conflicts(reason):
		alert, err := s.changed(m, seen, reason)
		if err != nil {
			return err
		}
		status, in.alert = http.StatusConflict, &alert
	case len(in.errors) == 0:
		return reason
	}
	if in.alert != nil && !d.right(m.rights(m.Deposit)).ok {
		return s.notice(r, m, *in.alert)
	}
	return instead(r, status, d.dialog(m, in))
}

// frame is what all decisions have: a form that carries the version that is shown, and the act.
func (m matter) frame(noun, title, note string, act ui.ButtonView, hidden ...ui.Hidden) ui.DialogView {
	act.Submit, act.Money = true, true
	return ui.DialogView{
		ID: noun, Title: title, Note: note, Act: act,
		Form: ui.FormView{
			Post: below(m.ID, noun), Target: ui.At(key(m.ID)), Swap: ui.SwapWhole,
			Hidden: append([]ui.Hidden{{Name: "version", Value: strconv.Itoa(m.Version)}}, hidden...),
		},
	}
}
