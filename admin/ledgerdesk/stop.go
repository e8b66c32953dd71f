package ledgerdesk

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/reconciliation"
	"candor/templates/ledgerview"
	"candor/templates/ui"
)

// typed is the input of the stop dialog, and its errors.
type typed struct {
	reason string
	life   string
	fields map[string]string
	alert  *ui.AlertView
}

// askStop opens the dialog that stops all withdrawals.
func (s Services) askStop(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home)
	}
	return r.Dialog(http.StatusOK, ledgerview.HaltDialog(stopDialog(r, typed{life: "1"})))
}

// stop stops all withdrawals for a time.
func (s Services) stop(r *desk.Request) error {
	in := typed{reason: strings.TrimSpace(strings.ToValidUTF8(r.PostFormValue("reason"), "")), life: r.PostFormValue("life")}
	hours, _ := strconv.Atoi(in.life) // anything but a number becomes 0, which is refused
	err := s.Books.Stop(ctxOf(r), r.Actor(), in.reason, time.Duration(hours)*time.Hour)
	refusal, status := errs.As(err), http.StatusUnprocessableEntity
	switch {
	case err == nil:
		return s.done(r, word(r, "reconciliation.make.done"))
	case refusal == nil:
		return err
	case len(refusal.Fields) > 0:
		in.fields = r.FieldTexts(err)
	default:
		status, in.alert = http.StatusConflict, &ui.AlertView{Tone: ui.ToneError, Title: r.Text(refusal)}
	}
	return r.Dialog(status, ledgerview.HaltDialog(stopDialog(r, in)))
}

func stopDialog(r *desk.Request, in typed) ledgerview.HaltForm {
	life := ui.FieldView{Name: "life", Label: word(r, "reconciliation.make.life"), Value: in.life, Error: in.fields["life"], Required: true}
	for _, length := range reconciliation.Lengths {
		hours := int(length.Hours())
		value := strconv.Itoa(hours)
		life.Options = append(life.Options, ui.Option{Value: value, Label: word(r, "reconciliation.make.hours", "count", hours), Selected: value == in.life})
	}
	return ledgerview.HaltForm{
		Alert: in.alert, Life: life,
		Reason: ui.FieldView{
			Name: "reason", Label: word(r, "reconciliation.make.reason"), Hint: word(r, "reconciliation.make.reason.hint"), Value: in.reason, Error: in.fields["reason"],
			StaffOnly: true, Rows: 3, MaxLength: reconciliation.LongestReason, Required: true,
		},
		Frame: ui.DialogView{
			Title: word(r, "reconciliation.make.title"), Note: word(r, "reconciliation.make.note"),
			Form: ui.FormView{Post: ui.To(home + "/stops"), Target: ui.At("books"), Swap: ui.SwapInside},
			Act:  ui.ButtonView{Label: word(r, "reconciliation.make.act"), Kind: ui.Danger, Submit: true, Money: true, Busy: word(r, "act.busy")},
		},
	}
}
