package tradedesk

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"candor/admin/desk"
	"candor/app/trader"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// home is the address of the list, and the parent of the traders' addresses.
var home = ui.To("/admin/traders")

// verdicts are the states of a verification in addresses, and statuses the matching values of AuthStatus.
var (
	verdicts = []string{"none", "review", "failed", "passed"}
	statuses = []int{trader.AuthNone, trader.AuthReview, trader.AuthFailed, trader.AuthPassed}
)

// listFilter is the list's filter from the address: search words, or filters. Values that make no sense filter nothing.
type listFilter struct {
	words       string
	verified    string
	restriction trader.RestrictionKind
}

func readListFilter(values url.Values) listFilter {
	if words := searched(values.Get("q")); words != "" {
		return listFilter{words: words}
	}
	return listFilter{verified: oneOf(verdicts, values.Get("verified")), restriction: oneOf(trader.RestrictionKinds, values.Get("restriction"))}
}

// isSet reports whether a filter is set.
func (lf listFilter) isSet() bool { return lf.verified != "" || lf.restriction != "" }

func (lf listFilter) values() url.Values {
	values := url.Values{}
	for name, value := range map[string]string{"q": lf.words, "verified": lf.verified, "restriction": string(lf.restriction)} {
		if value != "" {
			values.Set(name, value)
		}
	}
	return values
}

// found reads a page of the list.
func (s Services) found(ctx context.Context, lf listFilter, before int64, limit int) ([]trader.Listed, int64, error) {
	if !lf.isSet() {
		return s.search(ctx, lf.words, before, limit)
	}
	by := trader.ListFilter{Restriction: lf.restriction}
	if at := slices.Index(verdicts, lf.verified); at >= 0 {
		by.Verified = &statuses[at]
	}
	return s.Traders.Filtered(ctx, by, before, limit)
}

// filters are the active filters, with their removal, and the offers of others.
func (lf listFilter) filters(pc pageContext) (out []ui.FilterView) {
	pressed := "f"
	for _, name := range []string{"verified", "restriction"} {
		less := lf
		if name == "verified" {
			less.verified = ""
		} else {
			less.restriction = ""
		}
		f := ui.FilterView{Label: pc.t("trader.filter." + name), Remove: turn(home, less.values(), "before", 1, 0).Newest, HX: ui.OpenDialog(ui.To("/admin/traders/filter"))}
		for _, o := range lf.options(pc, name) {
			if o.Selected && o.Value != "" {
				f.Value = o.Label
			}
		}
		if f.Value == "" {
			f.Key, pressed = pressed, ""
		}
		out = append(out, f)
	}
	return out
}

// options are the choices of a filter, the first of which filters nothing.
func (lf listFilter) options(pc pageContext, name string) []ui.Option {
	options := []ui.Option{{Label: pc.t("case.filter.all")}}
	if name == "verified" {
		for _, verdict := range verdicts {
			options = append(options, ui.Option{Value: verdict, Label: pc.t("trader.verified." + verdict), Selected: verdict == lf.verified})
		}
		return options
	}
	for _, kind := range trader.RestrictionKinds {
		options = append(options, ui.Option{Value: string(kind), Label: pc.t("trader.restriction.chip." + string(kind)), Selected: kind == lf.restriction})
	}
	return options
}

// askFilter opens the dialog with the filters of the requesting page.
func (s Services) askFilter(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	pc, lf := newPageContext(r), readListFilter(r.CurrentPage().Query())
	view := caseview.Filters{Path: home}
	for _, name := range []string{"verified", "restriction"} {
		view.Fields = append(view.Fields, ui.FieldView{Name: name, Label: pc.t("trader.filter." + name), Options: lf.options(pc, name)})
	}
	return r.Dialog(http.StatusOK, caseview.FilterDialog(view))
}

// oneOf is the text if the list has it; empty for anything else.
func oneOf[T ~string](list []T, text string) T {
	if slices.Contains(list, T(text)) {
		return T(text)
	}
	return ""
}
