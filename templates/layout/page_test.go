package layout_test

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"testing"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"

	"candor/app/platform/i18n"
	"candor/locales"
	"candor/templates/layout"
	"candor/templates/ui"
)

func render(t *testing.T, part templ.Component, lang string) string {
	t.Helper()
	catalogue, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	ctx := i18n.WithLang(templ.WithNonce(context.Background(), "n0nce"), catalogue, lang)
	var out bytes.Buffer
	require.NoError(t, part.Render(ctx, &out))
	return out.String()
}

func TestShell(t *testing.T) {
	t.Parallel()
	page := layout.Page{
		Title: `<b>Deposits</b>`,
		Theme: `dark`,
		Nav:   []layout.NavGroup{{Items: []layout.NavItem{{ID: "deposits", Label: "Deposits", Href: ui.To("/admin/deposits"), Count: 3, Current: true}}}},
		Me:    layout.Me{Name: "Maker 02", SignOut: ui.To("/admin/sign-out")},
	}
	out := render(t, layout.Shell(page), "ar")

	require.Contains(t, out, `<html lang="ar" dir="rtl" data-theme="dark"`)
	require.Contains(t, out, `&lt;b&gt;Deposits&lt;/b&gt;`)
	require.Contains(t, out, `<a href="/admin/deposits" class="menu-active" aria-current="page">`)
	require.Contains(t, out, `id="count-deposits"`)
	require.Contains(t, out, `<a class="skip" href="#main">`)
	require.NotContains(t, out, "Withdrawals", "only the items of the view model")
	require.NotContains(t, out, `id="live"`, "no stream was asked for")
	require.NotContains(t, out, `type="search"`, "no search was asked for")
}

func TestTheSearchIsOnThePageOfWhomItIsFor(t *testing.T) {
	t.Parallel()
	out := render(t, layout.Shell(layout.Page{Title: "x", Search: ui.To("/admin/traders")}), "en")
	require.Regexp(t, `<form class="nav-search" method="get" action="/admin/traders" role="search">`, out)
	require.Contains(t, out, "data-find", "a narrow screen opens it by a button")
	require.Contains(t, out, "Open search")
	without := render(t, layout.Shell(layout.Page{Title: "x"}), "en")
	require.NotContains(t, without, "data-find")
	require.NotContains(t, without, "Open search", "no key is promised that does nothing")
}

func TestThemeIsOneOfTwo(t *testing.T) {
	t.Parallel()
	require.Contains(t, render(t, layout.Bare(layout.BarePage{Title: "x", Theme: `"><script>`}), "en"), `data-theme="light"`)
}

func TestHTMXIsHeldShort(t *testing.T) {
	t.Parallel()
	out := render(t, layout.Shell(layout.Page{Title: "x"}), "en")
	content := regexp.MustCompile(`name="htmx-config" content="([^"]*)"`).FindStringSubmatch(out)
	require.Len(t, content, 2)
	var config map[string]any
	require.NoError(t, json.Unmarshal([]byte(unescape(content[1])), &config))
	for name, want := range map[string]any{"allowEval": false, "allowScriptTags": false, "historyCacheSize": 0.0, "selfRequestsOnly": true, "includeIndicatorStyles": false, "attributesToSettle": []any{"class"}} {
		require.Equal(t, want, config[name], name)
	}
}

func unescape(s string) string {
	return string(regexp.MustCompile(`&#34;`).ReplaceAll([]byte(s), []byte(`"`)))
}

func TestPanesNameWhatIsInFront(t *testing.T) {
	t.Parallel()
	empty := ui.Empty(ui.EmptyView{Text: "Choose a row"})
	out := render(t, layout.Panes(layout.PanesView{List: empty, Detail: empty, Show: layout.ShowDetail}), "en")
	require.Contains(t, out, `data-show="detail"`)
	require.NotContains(t, out, `id="context"`, "there is none")
}
