package bankdesk

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"candor/admin/desk"
	"candor/app/banking"
	"candor/app/platform/errs"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// openMatches opens the dialog that matches all sure suggestions.
func (s Services) openMatches(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	return s.sureDialog(r, http.StatusOK, "", nil)
}

// sureDialog says how many lines would be matched, and their sum by currency.
func (s Services) sureDialog(r *desk.Request, status int, problem string, alert *ui.AlertView) error {
	lines, err := s.Banking.SureLines(ctxOf(r))
	if err != nil {
		return err
	}
	pc, err := s.pageContext(r)
	if err != nil {
		return err
	}
	count := len(lines)
	frame := ui.DialogView{
		Title: r.Word("bankline.sure.title", "count", count), Note: r.Word("bankline.sure.note", "score", banking.Sure),
		Form: ui.FormView{Post: ui.To("/admin/statements/matches"), Target: ui.At("dialog"), Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "seen", Value: banking.Fingerprint(lines)}}},
		Act: ui.ButtonView{
			Label: r.Word("bankline.sure.act", "count", count), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy"), Locked: count == 0, Why: r.Word("bankline.sure.none"),
		},
	}
	d := caseview.Dialog{Frame: frame, Alert: alert, Figures: pc.sums(lines), Facts: pc.sureFacts(lines)}
	if count > 0 {
		code, err := r.CodeField(sureProof(banking.Fingerprint(lines)), problem)
		if err != nil {
			return err
		}
		d.Fields = []ui.FieldView{code}
	}
	return r.Dialog(status, caseview.Decide(d))
}

// sureShown is how many of the lines the dialog names.
const sureShown = 12

// sureFacts name the lines with their days, amounts and suggestions.
func (pc pageContext) sureFacts(lines []banking.Line) (out []ui.Fact) {
	for _, l := range lines[:min(len(lines), sureShown)] {
		out = append(out, ui.Fact{
			Label: l.Number() + ", " + pc.Date(l.BookedOn), Value: ui.Amount(l.Amount) + " " + pc.accounts[l.AccountID].Currency, Note: pc.T("bankline.sure.with", "number", caseNumber(l, *l.SuggestedID), "score", l.Score),
		})
	}
	if more := len(lines) - sureShown; more > 0 {
		out = append(out, ui.Fact{Label: pc.T("bankline.sure.more", "count", more), Muted: true})
	}
	return out
}

// sums are the sums of lines by currency.
func (pc pageContext) sums(lines []banking.Line) (out []ui.StatView) {
	totals := map[string]int64{}
	var order []string
	for _, l := range lines {
		currency := pc.accounts[l.AccountID].Currency
		if _, known := totals[currency]; !known {
			order = append(order, currency)
		}
		totals[currency] += l.Amount
	}
	for _, currency := range order {
		out = append(out, ui.StatView{Label: pc.T("bankline.sure.sum"), Value: ui.Amount(totals[currency]), Unit: currency, Main: true})
	}
	return out
}

// sureProof is about the lines that the dialog showed.
func sureProof(seen string) desk.Proof { return desk.Proof{Act: "banking.match", About: seen} }

// matchSure matches them, and says of how many and why not of the others.
func (s Services) matchSure(r *desk.Request) error {
	if err := r.StepUp(sureProof(r.PostFormValue("seen"))); err != nil {
		problem := r.CodeProblem(err)
		if problem == "" {
			return err
		}
		return s.sureDialog(r, http.StatusUnprocessableEntity, problem, nil)
	}
	out, err := s.Banking.MatchSure(ctxOf(r), r.Actor(), r.PostFormValue("seen"))
	if refusal := errs.As(err); refusal != nil {
		return s.sureDialog(r, http.StatusConflict, "", &ui.AlertView{Tone: ui.ToneError, Title: r.Text(err), Text: r.Word("bankline.sure.nothing")})
	}
	if err != nil {
		return err
	}
	refused := slices.Sorted(maps.Keys(out.Refused))
	address := home.String() + "?matched=" + strconv.Itoa(out.Done) + "&refused=" + strconv.Itoa(len(refused))
	for _, id := range refused[:min(len(refused), sureShown)] {
		address += "&line=" + decimal(id)
	}
	r.Context.Response().Header().Set("HX-Redirect", address)
	return r.Context.NoContent(http.StatusNoContent)
}
