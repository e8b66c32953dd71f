package caseengine

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// Several declares that a desk's cases are claimed by the handful, and small ones decided together.
type Several[C CaseContext, T any] struct {
	// Mine reads the open cases that the member has claimed; nil for a desk whose cases are decided one by one.
	Mine func(r *desk.Request) ([]T, error)
	// Noun is the act that may be done to a case together with others; empty for one that has to be decided alone.
	Noun func(r *desk.Request, cc C) string
	// Line shows a case in the dialog: what it is about, and what is checked.
	Line func(C) (title, facts string)
	// StepUp is the act in the audit log that the code or the passkey is for.
	StepUp string
}

const (
	claimNext    = 10 // cases claimed at once
	severalCases = 20 // cases decided at once
)

// The addresses of the acts, below the list.
const (
	claimsPath   = "claims/next"
	togetherPath = "together"
)

// said is the message about the act that led to the list.
func (l List[T]) said(r *desk.Request) string {
	for _, name := range [...]string{"claimed", "decided"} {
		switch n, err := desk.ParseCount(r.QueryParam(name)); {
		case err != nil || n < 0:
		case n == 0:
			return r.Word("case.several.nothing")
		default:
			return r.Word("case.several."+name, "count", n)
		}
	}
	if l.Said != nil {
		return l.Said(r)
	}
	return ""
}

// withSeveral is the desk with the buttons of its acts on several cases.
func (d Desk[C, T]) withSeveral() Desk[C, T] {
	if d.Several == nil {
		return d
	}
	others := d.List.Buttons
	d.List.Buttons = func(r *desk.Request) (out []ui.ButtonView) {
		if others != nil {
			out = others(r)
		}
		if !r.May(d.Work) {
			return out
		}
		if d.Several.Mine != nil && slices.ContainsFunc(d.Actions, func(a Action[C]) bool { return a.Bound && r.May(a.Permission) }) {
			out = append(out, ui.ButtonView{Label: r.Word("case.several.open"), Size: ui.Small, HX: ui.OpenDialog(d.home(r, togetherPath))})
		}
		return append(out, ui.ButtonView{Label: r.Word("case.several.claim", "count", claimNext), Size: ui.Small, HX: ui.HX{Post: d.home(r, claimsPath)}})
	}
	return d
}

// claimNext claims the first cases of the list that the member may claim.
func (d Desk[C, T]) claimNext(r *desk.Request) error {
	sel := d.asked(r)
	items, _, err := d.Find(r, sel, Cursor{}, pageSize)
	if err != nil {
		return err
	}
	claimed := 0
	for _, item := range items {
		cc, err := d.Read(r, d.ID(item))
		if err != nil {
			return err
		}
		if !cc.Right(Claim).OK {
			continue
		}
		if err := d.Claim(r, cc); err != nil && errs.As(err) == nil {
			return err
		} else if err == nil {
			claimed++
		}
		if claimed == claimNext {
			break
		}
	}
	return redirect(r, sel.href(d.home(r), "claimed", strconv.Itoa(claimed)))
}

func redirect(r *desk.Request, address string) error {
	r.Response().Header().Set("HX-Redirect", address)
	return r.Context.NoContent(http.StatusNoContent)
}

// chosen is a case as the dialog showed it.
type chosen struct {
	id      int64
	version int
	facts   string
}

func (c chosen) String() string {
	return decimal(c.id) + ":" + strconv.Itoa(c.version) + ":" + c.facts
}

func readChosen(text string) (c chosen, ok bool) {
	parts := strings.SplitN(text, ":", 3)
	if len(parts) != 3 {
		return c, false
	}
	id, bad := strconv.ParseInt(parts[0], 10, 64)
	version, worse := strconv.Atoi(parts[1])
	return chosen{id, version, parts[2]}, bad == nil && worse == nil
}

// openTogether opens the dialog with the member's small cases.
func (d Desk[C, T]) openTogether(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(d.home(r).String())
	}
	return d.togetherDialog(r, http.StatusOK, Typed{})
}

// listedField has the cases that the dialog listed.
const listedField = "listed"

// proof is about the cases that the dialog listed: a passkey confirms a choice of them. No dialog was about a choice with others.
func (s Several[C, T]) proof(listed string, choice []chosen) desk.Proof {
	p := desk.Proof{Act: s.StepUp, About: listed}
	cases := strings.Fields(listed)
	for _, one := range choice {
		if !slices.Contains(cases, one.String()) {
			p.About += " and " + one.String()
		}
	}
	return p
}

// small reads the cases that may be decided together.
func (d Desk[C, T]) small(r *desk.Request) (out []C, err error) {
	items, err := d.Several.Mine(r)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		cc, err := d.Read(r, d.ID(item))
		if err != nil {
			return nil, err
		}
		if _, ok := d.together(r, cc); ok && len(out) < severalCases {
			out = append(out, cc)
		}
	}
	return out, nil
}

// together is the act that may be done to a case together with others.
func (d Desk[C, T]) together(r *desk.Request, cc C) (act Action[C], ok bool) {
	noun := d.Several.Noun(r, cc)
	i := slices.IndexFunc(d.Actions, func(a Action[C]) bool { return noun != "" && a.Noun == noun })
	if i < 0 || !r.May(d.Actions[i].Permission) || !cc.Right(noun).OK {
		return act, false
	}
	return d.Actions[i], true
}

func (d Desk[C, T]) togetherDialog(r *desk.Request, status int, in Typed) error {
	cases, err := d.small(r)
	if err != nil {
		return err
	}
	view := caseview.Together{
		Dialog: caseview.Dialog{Frame: ui.DialogView{
			Title: r.Word(d.Texts + ".several.title"), Note: r.Word(d.Texts+".several.note", "amount", ui.Amount(r.Small().Amount)),
			Form: ui.FormView{Post: d.home(r, togetherPath), Target: ui.At("dialog"), Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: r.Word("case.several.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy"), Locked: len(cases) == 0, Why: r.Word("case.several.none")},
		}, Alert: in.Alert},
		Error: in.Errors["case"], None: r.Word("case.several.none"),
	}
	var listed []string
	for _, cc := range cases {
		about := cc.About()
		title, facts := d.Several.Line(cc)
		one := chosen{about.ID, about.Version, about.Facts}
		listed = append(listed, one.String())
		view.Cases = append(view.Cases, ui.CheckView{Name: "case", ID: "case-" + decimal(about.ID), Value: one.String(), Label: title, Hint: facts})
	}
	if len(cases) > 0 {
		shown := strings.Join(listed, " ")
		view.Frame.Form.Hidden = []ui.Hidden{{Name: listedField, Value: shown}}
		code, err := r.CodeField(d.Several.proof(shown, nil), in.Errors["code"])
		if err != nil {
			return err
		}
		view.Fields = []ui.FieldView{code}
	}
	return r.Dialog(status, caseview.DecideTogether(view))
}

// decideTogether decides the chosen cases one by one, each as if it were alone, and says which ones were refused.
func (d Desk[C, T]) decideTogether(r *desk.Request) error {
	var list []chosen
	for _, text := range r.PostFormValues("case") {
		if one, ok := readChosen(text); ok {
			list = append(list, one)
		}
	}
	if len(list) == 0 || len(list) > severalCases {
		return d.togetherDialog(r, http.StatusUnprocessableEntity, Typed{Errors: map[string]string{"case": r.Word("case.several.choose")}})
	}
	if err := r.StepUp(d.Several.proof(r.PostFormValue(listedField), list)); err != nil {
		problem := r.CodeProblem(err)
		if problem == "" {
			return err
		}
		return d.togetherDialog(r, http.StatusUnprocessableEntity, Typed{Errors: map[string]string{"code": problem}})
	}
	done, refused := 0, []string{}
	for _, one := range list {
		number, err := d.decideChosen(r, one)
		switch {
		case err == nil:
			done++
		case errs.As(err) != nil || errors.Is(err, ErrConfirmAgain):
			refused = append(refused, number+": "+r.Text(err))
		default:
			return err
		}
	}
	if len(refused) > 0 {
		return d.togetherDialog(r, http.StatusConflict, Typed{Alert: &ui.AlertView{
			Tone: ui.ToneError, Title: r.Word("case.several.refused", "done", done, "count", len(refused)), Text: strings.Join(refused, " "),
		}})
	}
	return redirect(r, d.asked(r).href(d.home(r), "decided", strconv.Itoa(done)))
}

func (d Desk[C, T]) decideChosen(r *desk.Request, one chosen) (number string, err error) {
	cc, err := d.Read(r, one.id)
	if err != nil {
		return "", err
	}
	number = cc.About().Number
	act, ok := d.together(r, cc)
	if !ok {
		return number, d.Changed
	}
	in := Typed{Values: map[string]string{}}
	if err := d.check(act, cc, one.version, one.facts, in); err != nil {
		return number, err
	}
	_, err = act.Act(r, cc, in)
	return number, err
}
