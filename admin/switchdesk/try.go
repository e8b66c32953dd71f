package switchdesk

import (
	"slices"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/notice"
	"candor/app/switches"
	"candor/app/trader"
	"candor/templates/switchview"
	"candor/templates/ui"
)

// try is the tester: the value that a viewer gets now, and why. It answers only when asked.
func (s Services) try(r *desk.Request, d switches.Definition, setting switches.Setting) (*switchview.Try, error) {
	q := r.Context.QueryParams()
	viewer := switches.Viewer{Country: strings.ToUpper(strings.TrimSpace(q.Get("country"))), Language: q.Get("language"), Platform: q.Get("platform")}
	view := &switchview.Try{Path: path(d.Key)}
	if r.May(access.TraderView) {
		typed := strings.TrimSpace(q.Get("trader"))
		view.Trader = &ui.FieldView{Name: "trader", Label: word(r, "switch.try.trader"), Hint: word(r, "switch.try.trader.hint"), Value: typed, MaxLength: 200}
		if typed != "" {
			t, found, err := s.traderBy(r, typed)
			if err != nil {
				return nil, err
			}
			if !found {
				view.Trader.Error = word(r, "switch.try.nobody")
			} else {
				viewer.Country, viewer.Language = t.Country, t.Language
				view.Who = word(r, "switch.try.who", "id", strconv.FormatInt(t.ID, 10), "country", caseengine.Country(ctxOf(r), t.Country), "language", ui.LanguageName(t.Language))
			}
		}
	}
	view.Country = ui.FieldView{Name: "country", Label: word(r, "switch.country"), Options: options(r, countries(r), viewer.Country, func(iso string) string { return caseengine.Country(ctxOf(r), iso) })}
	view.Language = ui.FieldView{Name: "language", Label: word(r, "switch.language"), Options: options(r, notice.Locales, viewer.Language, ui.LanguageName)}
	view.Platform = ui.FieldView{Name: "platform", Label: word(r, "switch.platform"), Options: options(r, notice.Platforms, viewer.Platform, func(code string) string { return platformName(r, code) })}
	if q.Has("country") && (view.Trader == nil || view.Trader.Error == "") {
		view.Answer = answer(r, d, setting, viewer)
	}
	return view, nil
}

// answer is the value that a viewer gets of a key, and its cause.
func answer(r *desk.Request, d switches.Definition, setting switches.Setting, viewer switches.Viewer) string {
	value, rule := setting.For(viewer)
	switch {
	case !d.Public:
		return word(r, "switch.try.desk", "value", shown(r, d, value))
	case !d.Targeted:
		return word(r, "switch.try.one", "value", shown(r, d, value))
	case rule > 0:
		return word(r, "switch.try.rule", "value", shown(r, d, value), "n", rule)
	}
	return word(r, "switch.try.all", "value", shown(r, d, value))
}

// traderBy finds the one trader with this number or this whole e-mail address.
func (s Services) traderBy(r *desk.Request, words string) (t trader.Trader, found bool, err error) {
	list, _, err := s.Traders.Search(ctxOf(r), words, 0, 10)
	if err != nil {
		return t, false, err
	}
	for _, one := range list {
		if strconv.FormatInt(one.ID, 10) == words || strings.EqualFold(one.Contact(trader.MailContact), words) {
			return one.Trader, true, nil
		}
	}
	return t, false, nil
}

func options(r *desk.Request, values []string, chosen string, named func(code string) string) []ui.Option {
	out := []ui.Option{{Label: word(r, "switch.unknown")}}
	for _, value := range values {
		out = append(out, ui.Option{Value: value, Label: named(value), Selected: value == chosen})
	}
	return out
}

// countries are the codes of all countries in the order of their names.
func countries(r *desk.Request) []string {
	var out []string
	for _, c := range trader.Countries() {
		out = append(out, c.ISO)
	}
	slices.SortFunc(out, func(a, b string) int {
		return strings.Compare(caseengine.Country(ctxOf(r), a), caseengine.Country(ctxOf(r), b))
	})
	return out
}
