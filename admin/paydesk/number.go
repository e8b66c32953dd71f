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

// The number of a bank account is masked on the desk. Whoever may decide sees the whole of it for a reason, and in the dialogs in which it is read back before
// money goes out; each look is written down first.

// nounNumber is the whole number of the account that a withdrawal goes to.
const nounNumber = "number"

const (
	revealAction = "withdrawal.reveal"
	masked       = "•••••"
	openLetters  = 4 // at each end of a number
	shortReason  = 5 // characters of the reason for a look
	longReason   = 200
)

// revealed is what the audit log keeps of a look at an account number: why, or in which dialog; never the number itself.
type revealed struct{ Reason, Dialog string }

// ends are the letters of a number that everybody may see. Of a short one there are none.
func ends(number string) (before, after string) {
	if len(number) < 3*openLetters {
		return "", ""
	}
	return number[:openLetters], number[len(number)-openLetters:]
}

// mask is the account number with its middle hidden. Its eye opens the question why.
func (m matter) mask() ui.MaskedView {
	before, after := ends(m.IBAN)
	view := ui.MaskedView{ID: key(m.ID) + "-" + nounNumber, Before: before, Hidden: masked, After: after}
	if m.me.work {
		view.Reveal = below(m.ID, nounNumber)
	}
	return view
}

// veiled is the masked account number in a dialog.
func (m matter) veiled() ui.Fact {
	before, after := ends(m.IBAN)
	return ui.Fact{Value: strings.TrimSpace(before + " " + masked + " " + after), Ident: true}
}

// fours cuts a number into pieces of four, as it is printed.
func fours(number string) string {
	var pieces []string
	for piece := range slices.Chunk([]byte(number), 4) {
		pieces = append(pieces, string(piece))
	}
	return strings.Join(pieces, " ")
}

// number reads the withdrawal whose account number is asked for.
func (s Services) number(r *desk.Request) (matter, error) {
	m, err := s.cases().Named(r)
	if err == nil && m.IBAN == "" {
		err = desk.ErrNotFound
	}
	return m, err
}

// askNumber asks for the reason.
func (s Services) askNumber(r *desk.Request) error {
	m, err := s.number(r)
	if err != nil {
		return err
	}
	return r.Show(tradeview.Ask(m.asking("", "")))
}

func (m matter) asking(reason, problem string) tradeview.Reveal {
	return tradeview.Reveal{
		Frame: ui.DialogView{
			ID: "reveal", Title: m.T("withdrawal.reveal.title", "number", m.Number()), Note: m.T("trader.reveal.note"),
			Form: ui.FormView{Post: below(m.ID, nounNumber), Target: ui.At(m.mask().ID), Swap: ui.SwapWhole},
			Act:  ui.ButtonView{Label: m.T("trader.reveal.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: m.T("trader.reveal.busy")},
		},
		Reason: ui.FieldView{
			Name: "reason", Label: m.T("trader.reveal.reason"), Hint: m.T("withdrawal.reveal.hint"), Value: reason, Error: problem, MaxLength: longReason, Required: true, StaffOnly: true,
		},
	}
}

// showNumber shows the whole number for half a minute.
func (s Services) showNumber(r *desk.Request) error {
	m, err := s.number(r)
	if err != nil {
		return err
	}
	reason := strings.Join(strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(r.Posted("reason"), ""), "\x00", "")), " ")
	if n := utf8.RuneCountInString(reason); n < shortReason || n > longReason {
		return r.Dialog(http.StatusUnprocessableEntity, tradeview.Ask(m.asking(reason, m.T("trader.reveal.why"))))
	}
	entry, err := look(r, m.Withdrawal, revealed{Reason: reason})
	if err != nil {
		return err
	}
	until, limit, err := s.Staff.Reveal(m.Ctx, r.Actor(), entry)
	if err != nil {
		return err
	}
	if !until.IsZero() {
		return r.Dialog(http.StatusTooManyRequests, tradeview.Ask(m.asking(reason, r.RevealedEnough(limit, until))))
	}
	mask := m.mask()
	return r.Show(tradeview.Shown(ui.RevealedView{ID: mask.ID, Value: fours(m.IBAN), Mask: mask}, m.T("trader.reveal.flash")))
}

// shown writes down that a dialog shows the whole number; nil for a dialog that does not.
func (s Services) shown(d decision) func(*desk.Request, matter) error {
	if !d.whole {
		return nil
	}
	return func(r *desk.Request, m matter) error {
		if m.IBAN == "" {
			return nil
		}
		entry, err := look(r, m.Withdrawal, revealed{Dialog: d.noun})
		if err != nil {
			return err
		}
		return s.Audit.Record(m.Ctx, entry)
	}
}

// look is the entry of a look at an account number. The quota of contacts counts those of no dialog: whoever decides reads the number as often as they decide.
func look(r *desk.Request, w withdrawal.Withdrawal, why revealed) (audit.Entry, error) {
	after, err := json.Marshal(map[string]string{"reason": why.Reason, "dialog": why.Dialog})
	entry := audit.By(r.Actor(), r.Now(), revealAction, "withdrawal", w.ID)
	entry.After = string(after)
	return entry, err
}
