package tradedesk

import (
	"encoding/json"
	"net/http"
	"strings"
	"unicode/utf8"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/trader"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

const (
	revealAction = "trader.reveal"
	shortReason  = 5 // characters of the reason for a view
	longReason   = 200
)

// revealed is the audit record of viewing a contact: its kind and the reason, never the contact itself.
type revealed struct{ Contact, Reason string }

// contact reads the trader and the kind of contact in the address. It returns desk.ErrNotFound for a contact that the trader lacks.
func (s Services) contact(r *desk.Request) (subject, trader.Contact, error) {
	kind := trader.Contact(r.Param("kind"))
	sub, err := s.read(r)
	if err == nil && sub.trader.Contact(kind) == "" {
		err = desk.ErrNotFound
	}
	return sub, kind, err
}

// askContact asks for the reason.
func (s Services) askContact(r *desk.Request) error {
	sub, kind, err := s.contact(r)
	if err != nil {
		return err
	}
	return r.Show(tradeview.Ask(sub.asking(kind, "", "")))
}

func (sub subject) asking(kind trader.Contact, reason, problem string) tradeview.Reveal {
	id := sub.mask(kind).ID
	return tradeview.Reveal{
		Frame: ui.DialogView{
			ID: "reveal", Title: sub.t("trader.reveal.title."+string(kind), "id", sub.trader.ID), Note: sub.t("trader.reveal.note"),
			Form: ui.FormView{Post: sub.path("contact", string(kind)), Target: ui.At(id), Swap: ui.SwapWhole},
			Act:  ui.ButtonView{Label: sub.t("trader.reveal.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: sub.t("trader.reveal.busy")},
		},
		Reason: ui.FieldView{
			Name: "reason", Label: sub.t("trader.reveal.reason"), Hint: sub.t("trader.reveal.hint"), Value: reason, Error: problem, MaxLength: longReason, Required: true, StaffOnly: true,
		},
	}
}

// showContact shows a contact for half a minute. The audit log records the reason first.
func (s Services) showContact(r *desk.Request) error {
	sub, kind, err := s.contact(r)
	if err != nil {
		return err
	}
	reason := strings.Join(strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(r.PostFormValue("reason"), ""), "\x00", "")), " ")
	if n := utf8.RuneCountInString(reason); n < shortReason || n > longReason {
		return r.Dialog(http.StatusUnprocessableEntity, tradeview.Ask(sub.asking(kind, reason, sub.t("trader.reveal.why"))))
	}
	entry := audit.By(r.Actor(), sub.now, revealAction, "trader", sub.trader.ID)
	after, err := json.Marshal(revealed{string(kind), reason})
	if err != nil {
		return err
	}
	entry.After = string(after)
	until, limit, err := s.Staff.Reveal(sub.ctx, r.Actor(), entry)
	if err != nil {
		return err
	}
	if !until.IsZero() {
		return r.Dialog(http.StatusTooManyRequests, tradeview.Ask(sub.asking(kind, reason, r.RevealedEnough(limit, until))))
	}
	mask := sub.mask(kind)
	return r.Show(tradeview.Shown(ui.RevealedView{ID: mask.ID, Value: sub.trader.Contact(kind), Mask: mask}, sub.t("trader.reveal.flash")))
}
