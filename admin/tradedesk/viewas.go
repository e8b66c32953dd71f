package tradedesk

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/language"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/i18n"
	"candor/app/trader"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

const (
	viewAction = "trader.view_as"
	viewLasts  = 15 * time.Minute // a given reason opens the page for so long
)

// askView opens the dialog that asks why the member wants to see what the trader sees.
func (s Services) askView(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(sub.path().String())
	}
	return r.Show(tradeview.Ask(sub.viewing("", "")))
}

func (sub subject) viewing(reason, problem string) tradeview.Reveal {
	return tradeview.Reveal{
		Frame: ui.DialogView{
			ID: "view-as", Title: sub.t("trader.view_as.title", "id", sub.trader.ID), Note: sub.t("trader.view_as.note"),
			Form: ui.FormView{Post: sub.path("view-as"), Swap: ui.SwapNone},
			Act:  ui.ButtonView{Label: sub.t("trader.view_as.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: sub.t("act.busy")},
		},
		Reason: ui.FieldView{
			Name: "reason", Label: sub.t("trader.reveal.reason"), Hint: sub.t("trader.reveal.hint"), Value: reason, Error: problem, MaxLength: longReason, Required: true, StaffOnly: true,
		},
	}
}

// openView records the reason, and then opens the page.
func (s Services) openView(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	reason := read(r, "reason").values["reason"]
	if n := utf8.RuneCountInString(reason); n < shortReason || n > longReason {
		return r.Dialog(http.StatusUnprocessableEntity, tradeview.Ask(sub.viewing(reason, sub.t("trader.reveal.why"))))
	}
	entry := audit.By(r.Actor(), sub.now, viewAction, "trader", sub.trader.ID)
	after, err := json.Marshal(map[string]string{"reason": reason})
	if err != nil {
		return err
	}
	entry.After = string(after)
	if err := s.Audit.Record(sub.ctx, entry); err != nil {
		return err
	}
	return r.RedirectTo(sub.path("view-as").String())
}

// viewAs shows what the trader sees, to a member who has given a reason. It opens no session of the trader, and nothing on it acts.
func (s Services) viewAs(r *desk.Request) error {
	sub, err := s.subject(r)
	if err != nil {
		return err
	}
	given, _, err := s.Audit.List(sub.ctx, audit.Filter{
		ActorKind: audit.Staff, ActorID: sub.me, TargetKind: "trader", TargetID: number(sub.trader.ID), Action: viewAction, From: sub.now.Add(-viewLasts), Limit: 1,
	})
	if err != nil {
		return err
	}
	if len(given) == 0 {
		return r.RedirectTo(sub.path().String())
	}
	frame, err := s.tabFrame(r, sub, "view-as")
	if err != nil {
		return err
	}
	v, err := s.mirror(r, sub)
	if err != nil {
		return err
	}
	return r.Show(tradeview.MirrorPage(r.Page(frame.Number, navItem), frame, v))
}

// mirror is a page in the trader's language.
type mirror struct {
	subject
	say func(key string, pairs ...any) string
}

// speaking is the trader's language, or English where the app has no texts in it.
func (s Services) speaking(sub subject) (lang string, m mirror) {
	lang = i18n.Reference
	if slices.Contains(s.Texts.Languages(), sub.trader.Language) {
		lang = sub.trader.Language
	}
	ctx := i18n.WithLang(sub.ctx, s.Texts, lang)
	return lang, mirror{sub, func(key string, pairs ...any) string { return i18n.T(ctx, key, pairs...) }}
}

// mirror is everything that the trader sees in one account.
func (s Services) mirror(r *desk.Request, sub subject) (tradeview.Mirror, error) {
	lang, m := s.speaking(sub)
	v := tradeview.Mirror{
		Lang: language.Make(lang).String(), Dir: i18n.Direction(lang), Words: m.status(),
		Banner: ui.AlertView{Icon: ui.IconEye, Title: sub.t("trader.view_as.banner"), Text: sub.t("trader.view_as.banner.text", "language", ui.LanguageName(lang), "at", sub.at(sub.now))},
	}
	if !sub.figures.Exact() {
		v.Banner.Text += " " + sub.t("trader.view_as.bands")
	}
	living, err := s.Traders.Restrictions(sub.ctx, sub.trader.ID)
	if err != nil {
		return v, err
	}
	for _, one := range living {
		v.Words = append(v.Words, m.say("restriction."+string(one.Kind))+". "+m.say("restriction.reason."+one.Reason))
	}
	if a, found := account(r, sub.accounts); found {
		for _, one := range sub.accounts {
			v.Accounts = append(v.Accounts, ui.ButtonView{Label: m.accountWord(one), Size: ui.Small, Current: one.ID == a.ID, Href: sub.path("view-as").With("account", one.ID).String()})
		}
		if v.Cards, err = s.mirrorAccount(m, a); err != nil {
			return v, err
		}
	}
	more, err := s.mirrorTrader(m)
	v.Cards = append(v.Cards, more...)
	return v, err
}

// accountWord is the name of an account in the app.
func (m mirror) accountWord(a ledger.Account) string {
	switch {
	case a.Kind == ledger.Funding:
		return m.say("wallet.account.funding")
	case m.trader.Guest():
		return m.say("session.type.guest")
	case a.Name != "":
		return a.Name
	case a.Mock() && !a.Main():
		return m.say("switch_account.name.demo", "number", a.Number)
	case a.Mock():
		return m.say("session.type.demo")
	case !a.Main():
		return m.say("switch_account.name.real", "number", a.Number)
	}
	return m.say("session.type.real")
}

// status are the words about the verification.
func (m mirror) status() []string {
	words := map[int]string{trader.AuthNone: "none", trader.AuthReview: "under_review", trader.AuthFailed: "failed", trader.AuthPassed: "passed"}
	if m.trader.Guest() {
		return nil
	}
	return []string{m.say("me.auth." + words[m.trader.AuthStatus])}
}

// columns are the heads of a card from the keys of the app's texts; "#" marks a numeric one.
func (m mirror) columns(keys ...string) []ui.Column {
	out := make([]ui.Column, len(keys))
	for i, key := range keys {
		key, numeric := strings.CutPrefix(key, "#")
		out[i] = ui.Column{Label: m.say(key), Numeric: numeric}
	}
	return out
}

// card begins a card of the app.
func (m mirror) card(title, empty string, columns ...string) tradeview.Card {
	return tradeview.Card{Title: m.say(title), Table: ui.GridView{Caption: m.say(title), Empty: m.say(empty), Columns: m.columns(columns...)}}
}
