package caseengine

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/templates/ui"
)

// Action is an act on a case that a dialog decides: its button, its dialog, and the act that the dialog's form posts.
type Action[C CaseContext] struct {
	Noun       string // as addresses and rights name it
	Verb       string // as the keys of its texts name it, after the desk's prefix: "approve" for "deposit.approve.open"
	Texts      string // prefix of the key of its button's text; the desk's when empty
	Permission access.Permission
	Kind       ui.ButtonKind
	Forward    bool     // moves the case to its next step: the last button
	Key        string   // opens the dialog
	Bound      bool     // bound to the facts that the dialog showed (About.Facts)
	Fields     []string // the fields that the form may post; a field "note" is a note for staff
	// Check refuses bad input before the act reads it; nil checks nothing.
	Check  func(C, Typed) error
	Dialog func(C, Typed) templ.Component
	// Shown is called each time before the dialog is shown; it may be nil.
	Shown func(*desk.Request, C) error
	Act   func(*desk.Request, C, Typed) (Flash, error)
	// StepUp is the act, as named in the audit log, that requires a code of the authenticator or a passkey; empty requires none. The dialog has Typed.Code.
	StepUp string
	// Amount is what the decision is about, in units of 10^-6 USDT: a small one may be covered by an earlier proof. Nil, as for what is no single payment,
	// always requires a proof.
	Amount func(C) int64
}

// proof is what a StepUp proves: the act on the case as it was shown.
func (act Action[C]) proof(cc C) desk.Proof {
	about := cc.About()
	p := desk.Proof{Act: act.StepUp, About: fmt.Sprintf("%s %d version %d", about.Target, about.ID, about.Version)}
	if act.Bound {
		p.About += " " + about.Facts
	}
	if act.Amount != nil {
		p.Amount = act.Amount(cc)
	}
	return p
}

// ErrConfirmAgain means that the input changes the text of the dialog: it is shown again, and must be confirmed again.
var ErrConfirmAgain = errors.New("the dialog has to be read again")

// Typed is what a dialog shows again: the values of its fields, their errors, and a message above.
type Typed struct {
	Values map[string]string
	Errors map[string]string
	Alert  *ui.AlertView
	Code   ui.FieldView // of a dialog with a StepUp; never shown again with what was typed
}

// Field sets the value and the error of a field.
func (in Typed) Field(f ui.FieldView) ui.FieldView {
	f.Value, f.Error = in.Values[f.Name], in.Errors[f.Name]
	return f
}

// NoteLimit is how many characters a note for staff may have.
const NoteLimit = 1000

// tidy normalizes the note for staff. It returns an Invalid error when the note is too long.
func (in Typed) tidy() error {
	note := desk.Plain(in.Values["note"])
	if utf8.RuneCountInString(note) > NoteLimit {
		return errs.Field("note", "field.length")
	}
	in.Values["note"] = note
	return nil
}

// Open answers with a decision's dialog and fresh data, or says why there is none.
func (d Desk[C, T]) Open(act Action[C]) func(*desk.Request) error {
	return func(r *desk.Request) error {
		cc, err := d.Named(r)
		if err != nil {
			return err
		}
		if refusal := cc.Right(act.Noun).Refusal(d.State); refusal != nil {
			return d.Refuse(r, cc.About().ID, refusal)
		}
		return act.show(r, http.StatusOK, cc, Typed{Values: map[string]string{}})
	}
}

// Decide runs the act that a dialog posted, if the case still is the version that was shown and the member has the right.
func (d Desk[C, T]) Decide(act Action[C]) func(*desk.Request) error {
	return func(r *desk.Request) error {
		cc, err := d.Named(r)
		if err != nil {
			return err
		}
		seen, err := r.Version()
		if err != nil {
			return err
		}
		in := Typed{Values: map[string]string{}}
		for _, name := range act.Fields {
			in.Values[name] = r.PostFormValue(name)
		}
		flash, err := d.run(r, act, cc, seen, in)
		if err != nil {
			return d.again(r, act, cc.About().ID, seen, in, err)
		}
		return d.answers().Done(r, cc, flash)
	}
}

func (d Desk[C, T]) run(r *desk.Request, act Action[C], cc C, seen int, in Typed) (Flash, error) {
	if err := d.check(act, cc, seen, r.PostFormValue(factsField), in); err != nil {
		return Flash{}, err
	}
	if act.StepUp != "" { // the last thing before the act: a code is used up, whatever follows
		if err := r.StepUp(act.proof(cc)); err != nil {
			return Flash{}, err
		}
	}
	return act.Act(r, cc, in)
}

// check refuses an act about another version or other facts than those that were shown, one that the member may not do, and bad input.
func (d Desk[C, T]) check(act Action[C], cc C, seen int, facts string, in Typed) error {
	if about := cc.About(); seen != about.Version || act.Bound && facts != about.Facts {
		return d.Changed
	}
	if err := cc.Right(act.Noun).Refusal(d.State); err != nil {
		return err
	}
	if err := in.tidy(); err != nil {
		return err
	}
	if act.Check != nil {
		return act.Check(cc, in)
	}
	return nil
}

// again answers with the dialog once more, with the input and the current case: field errors with 422, after a change with 409.
// When the member may not decide any more, only the reason is shown.
func (d Desk[C, T]) again(r *desk.Request, act Action[C], id int64, seen int, in Typed, reason error) error {
	cc, err := d.Read(r, id)
	if err != nil {
		return err
	}
	in.Errors = d.fieldErrors(r, reason)
	if len(in.Errors) > 0 || errors.Is(reason, ErrConfirmAgain) {
		return act.show(r, http.StatusUnprocessableEntity, cc, in)
	}
	if !conflicts(reason) {
		return reason
	}
	alert, err := d.stale(cc, seen, reason)
	if err != nil {
		return err
	}
	if in.Alert = &alert; !cc.Right(act.Noun).OK {
		return d.answers().Notice(r, cc, alert)
	}
	return act.show(r, http.StatusConflict, cc, in)
}

// show answers with the dialog.
func (act Action[C]) show(r *desk.Request, status int, cc C, in Typed) error {
	if act.Shown != nil {
		if err := act.Shown(r, cc); err != nil {
			return err
		}
	}
	var err error
	if act.StepUp != "" {
		if in.Code, err = r.CodeField(act.proof(cc), in.Errors["code"]); err != nil {
			return err
		}
	}
	if status == http.StatusOK {
		return r.Show(act.Dialog(cc, in))
	}
	return r.Dialog(status, act.Dialog(cc, in))
}

// factsField is the hidden field with the facts that a dialog showed.
const factsField = "facts"

// Shown is the hidden field of a form: the version that its dialog or page showed.
func (a About) Shown() ui.Hidden { return ui.Hidden{Name: "version", Value: strconv.Itoa(a.Version)} }

// shown are the hidden fields of a dialog: the version and the facts that it showed.
func (a About) shown() []ui.Hidden {
	hidden := []ui.Hidden{a.Shown()}
	if a.Facts != "" {
		hidden = append(hidden, ui.Hidden{Name: factsField, Value: a.Facts})
	}
	return hidden
}

// Frame is the common part of the dialogs: a form that carries the shown version and facts, and the act. The keys of its texts begin with textKey; pairs are
// their arguments besides the number of the case.
func Frame(cc CaseContext, noun, textKey string, kind ui.ButtonKind, pairs ...any) ui.DialogView {
	here, about := cc.Page(), cc.About()
	pairs = append(pairs, "number", about.Number)
	return ui.DialogView{
		ID: noun, Title: here.T(textKey+".title", pairs...), Note: here.T(textKey+".note", pairs...),
		Act:  ui.ButtonView{Label: here.T(textKey+".act", pairs...), Kind: kind, Busy: here.T(textKey + ".busy"), Submit: true, Money: true},
		Form: ui.FormView{Post: about.Below(noun), Target: ui.At(about.Key()), Swap: ui.SwapWhole, Hidden: about.shown()},
	}
}
