package paydesk

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/withdrawal"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// The desk masks account numbers. A member who may decide sees a full number after giving a reason, and in the dialogs that require reading it before
// money goes out; the audit log records each view first.

// nounNumber is the full account number of a withdrawal.
const nounNumber = "number"

const (
	revealAction = "withdrawal.reveal"
	masked       = "•••••"
	openLetters  = 4 // at each end of a number
	shortReason  = 5 // characters of the reason for a view
	longReason   = 200
)

// revealed is the audit record of viewing an account number: the reason, or the dialog; never the number itself.
type revealed struct{ Reason, Dialog string }

// ends are the visible ends of a number; a short number has none.
func ends(number string) (before, after string) {
	if len(number) < 3*openLetters {
		return "", ""
	}
	return number[:openLetters], number[len(number)-openLetters:]
}

// mask is the account number with its middle hidden. Its reveal button asks for the reason.
func (cc caseContext) mask() ui.MaskedView {
	before, after := ends(cc.IBAN)
	if cc.blind() {
		return ui.MaskedView{ID: cc.About().Key() + "-" + nounNumber, Hidden: masked + masked}
	}
	view := ui.MaskedView{ID: cc.About().Key() + "-" + nounNumber, Before: before, Hidden: masked, After: after}
	if cc.me.work {
		view.Reveal = cc.About().Below(nounNumber)
	}
	return view
}

// veiled is the masked account number for a dialog.
func (cc caseContext) veiled() ui.Fact {
	before, after := ends(cc.IBAN)
	if cc.blind() {
		before, after = "", ""
	}
	return ui.Fact{Value: strings.TrimSpace(before + " " + masked + " " + after), Ident: true}
}

// fours splits a number into groups of four, as it is printed.
func fours(number string) string {
	var pieces []string
	for piece := range slices.Chunk([]byte(number), 4) {
		pieces = append(pieces, string(piece))
	}
	return strings.Join(pieces, " ")
}

// number reads the withdrawal in the address. It returns desk.ErrNotFound for one without an account number, and for who has to read it at the bank.
func (s Services) number(r *desk.Request) (caseContext, error) {
	cc, err := s.desk().Named(r)
	if err == nil && (cc.IBAN == "" || cc.blind()) {
		err = desk.ErrNotFound
	}
	return cc, err
}

// askNumber asks for the reason.
func (s Services) askNumber(r *desk.Request) error {
	cc, err := s.number(r)
	if err != nil {
		return err
	}
	return r.Show(tradeview.Ask(cc.asking("", "")))
}

func (cc caseContext) asking(reason, problem string) tradeview.Reveal {
	return tradeview.Reveal{
		Frame: ui.DialogView{
			ID: "reveal", Title: cc.T("withdrawal.reveal.title", "number", cc.Number()), Note: cc.T("trader.reveal.note"),
			Form: ui.FormView{Post: cc.About().Below(nounNumber), Target: ui.At(cc.mask().ID), Swap: ui.SwapWhole},
			Act:  ui.ButtonView{Label: cc.T("trader.reveal.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: cc.T("trader.reveal.busy")},
		},
		Reason: ui.FieldView{
			Name: "reason", Label: cc.T("trader.reveal.reason"), Hint: cc.T("withdrawal.reveal.hint"), Value: reason, Error: problem, MaxLength: longReason, Required: true, StaffOnly: true,
		},
	}
}

// showNumber shows the full number for half a minute.
func (s Services) showNumber(r *desk.Request) error {
	cc, err := s.number(r)
	if err != nil {
		return err
	}
	reason := strings.Join(strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(r.PostFormValue("reason"), ""), "\x00", "")), " ")
	if n := utf8.RuneCountInString(reason); n < shortReason || n > longReason {
		return r.Dialog(http.StatusUnprocessableEntity, tradeview.Ask(cc.asking(reason, cc.T("trader.reveal.why"))))
	}
	entry, err := viewEntry(r, cc.Withdrawal, revealed{Reason: reason})
	if err != nil {
		return err
	}
	until, limit, err := s.Staff.Reveal(cc.Ctx, r.Actor(), entry)
	if err != nil {
		return err
	}
	if !until.IsZero() {
		return r.Dialog(http.StatusTooManyRequests, tradeview.Ask(cc.asking(reason, r.RevealedEnough(limit, until))))
	}
	mask := cc.mask()
	return r.Show(tradeview.Shown(ui.RevealedView{ID: mask.ID, Value: fours(cc.IBAN), Mask: mask}, cc.T("trader.reveal.flash")))
}

// shown records that a dialog shows the full number; it is nil for a dialog that does not.
func (s Services) shown(d decision) func(*desk.Request, caseContext) error {
	if !d.whole {
		return nil
	}
	return func(r *desk.Request, cc caseContext) error {
		if cc.IBAN == "" {
			return nil
		}
		entry, err := viewEntry(r, cc.Withdrawal, revealed{Dialog: d.noun})
		if err != nil {
			return err
		}
		return s.Audit.Record(cc.Ctx, entry)
	}
}

// viewEntry is the audit entry of viewing an account number. The quota of contacts does not count views in dialogs: deciding requires reading the number.
func viewEntry(r *desk.Request, w withdrawal.Withdrawal, why revealed) (audit.Entry, error) {
	after, err := json.Marshal(map[string]string{"reason": why.Reason, "dialog": why.Dialog})
	entry := audit.By(r.Actor(), r.Now(), revealAction, "withdrawal", w.ID)
	entry.After = string(after)
	return entry, err
}
