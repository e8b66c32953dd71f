package ui_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"candor/app/platform/i18n"
	"candor/locales"
	"candor/templates/ui"
)

func speak(t *testing.T) context.Context {
	t.Helper()
	return inLanguage(t, "en")
}

func inLanguage(t *testing.T, lang string) context.Context {
	t.Helper()
	catalogue, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	return i18n.WithLang(context.Background(), catalogue, lang)
}

func render(t *testing.T, part templ.Component) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, part.Render(speak(t), &out))
	return out.String()
}

// hostile are names and words that a trader may type.
var hostile = []string{
	`<script>alert(1)</script>`,
	`<img src=x onerror=alert(1)>`,
	`" onmouseover="alert(1)" x="`,
	`' autofocus onfocus=alert(1) '`,
	`javascript:alert(1)`,
	`data:text/html,<script>alert(1)</script>`,
	`</textarea><script>alert(1)</script>`,
	`</template><svg onload=alert(1)>`,
	`x" hx-get="/admin/evil" hx-trigger="load`,
	`{{constructor.constructor('alert(1)')()}}`,
	`]]><!--<script>-->`,
}

// everywhere puts a text into each place of each part.
func everywhere(s string) map[string]templ.Component {
	button := ui.ButtonView{ID: s, Label: s, Key: s, Href: s, Name: s, Value: s, Form: s, Why: s, Opens: s, Busy: s, Money: true}
	press := button
	press.Href = ""
	locked := press
	locked.Locked = true
	chip := ui.ChipView{ID: s, Label: s, Title: s, Icon: ui.IconName(s), Tone: ui.Tone(s)}
	person := ui.AvatarView{Initials: s, Name: s}
	field := ui.FieldView{Name: s, ID: s, Label: s, Hint: s, Error: s, Type: s, Value: s, Placeholder: s, Autocomplete: s, InputMode: s, Suffix: s, Min: s, Max: s, Pattern: s, Accept: s, Lang: s, Options: []ui.Option{{Value: s, Label: s, Note: s}}}
	mask := ui.MaskedView{ID: s, Before: s, Hidden: s, After: s, Reveal: ui.To("/admin/traders/{}/phone", s)}
	hx := ui.HX{Get: ui.To("/admin/{}", s), Post: ui.To(s), Target: ui.At(s)}
	return map[string]templ.Component{
		"link":     ui.Button(button),
		"button":   ui.Button(press),
		"locked":   ui.Button(locked),
		"chip":     ui.Chip(chip),
		"avatar":   ui.Avatar(person),
		"filter":   ui.Filter(ui.FilterView{Label: s, Value: s, Remove: s}),
		"offer":    ui.Filter(ui.FilterView{Label: s, Key: s, HX: hx}),
		"input":    ui.Input(field),
		"textarea": ui.Textarea(field),
		"select":   ui.Select(field),
		"file":     ui.FileField(field),
		"check":    ui.Checkbox(ui.CheckView{Name: s, ID: s, Value: s, Label: s, Hint: s, Error: s}),
		"form":     ui.Form(ui.FormView{ID: s, Post: ui.To(s), Target: ui.At(s), Hidden: []ui.Hidden{{Name: s, Value: s}}, Class: s}),
		"search":   ui.SearchBox(ui.To("/admin/traders"), s, s, s),
		"table":    ui.Table(ui.TableView{ID: s, Caption: s, Columns: []ui.Column{{Label: s, Href: s, Sorted: ui.SortState(s)}}}),
		"row":      ui.Row(ui.RowView{ID: s, Href: s}),
		"rowlink":  ui.RowLink(ui.RowView{ID: s, Href: s, HX: hx}, s),
		"tabs":     ui.Tabs(s, []ui.TabView{{Label: s, Count: s, Href: s, HX: hx}}),
		"pager":    ui.Pager(ui.PagerView{Previous: s, Next: s, Note: s}),
		"queue":    ui.QueueRow(ui.QueueRowView{ID: s, Title: s, Href: s, HX: hx, Sub: s, Flags: []ui.ChipView{chip}, Due: &ui.DueView{Text: s, Note: s}, Text: s, Unread: s, State: &chip, Note: s, Owner: &person, People: []ui.Person{{State: ui.PersonState(s), Initials: s, Words: s}}, Claim: &press}),
		"found":    ui.QueueRow(ui.QueueRowView{ID: s, Title: s, Href: s, HX: hx, Found: []ui.Piece{{Text: s}, {Text: s, Marked: true}}}),
		"timeline": ui.Timeline([]ui.StepView{{Text: s, Note: s, Time: s, UTC: s, Href: s}}),
		"facts":    ui.Facts(ui.FactsView{Items: []ui.Fact{{Label: s, Value: s, Note: s, Chip: &chip}, {Label: s, Value: s, Href: s}}}),
		"stat":     ui.Stat(ui.StatView{Label: s, Value: s, Unit: s, Note: s}),
		"masked":   ui.Masked(mask),
		"revealed": ui.Revealed(ui.RevealedView{ID: s, Value: s, Mask: mask}),
		"diff":     ui.Diff(ui.DiffView{Changes: []ui.FieldDiff{{Field: s, Before: s, After: s}}, Note: s}),
		"hash":     ui.Hash(s),
		"copy":     ui.Copy(s),
		"json":     ui.JSONText(`{"name":"` + strings.ReplaceAll(s, `"`, `\"`) + `"}`),
		"address":  ui.Address(s),
		"alert":    ui.Alert(ui.AlertView{ID: s, Title: s, Text: s}),
		"empty":    ui.Empty(ui.EmptyView{Text: s, Action: s, Href: s}),
		"flash":    ui.Flash(ui.FlashView{Text: s, Undo: ui.To(s)}),
		"dialog":   ui.Dialog(ui.DialogView{ID: s, Title: s, Note: s, FootNote: s, Cancel: s, Act: press, Refuse: []ui.ButtonView{press}}),
		"viewer":   ui.Viewer(ui.ViewerView{ID: s, Title: s, Note: s, Alt: s, Mark: s, Image: ui.To(s), Window: ui.To("/x/{}", s), Second: ui.To("/x/{}", s)}),
		"later":    ui.Viewer(ui.ViewerView{ID: s, Title: s, Alt: s, Image: ui.To("/x/{}", s), Later: true}),
		"card":     ui.Card(s, s),
		"section":  ui.Section(s, s),
		"owned":    ui.OwnedBy(person, s),
		"price":    ui.Price(ui.PriceSide(s), s),
	}
}

func TestHostileText(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		for name, part := range everywhere(text) {
			out := render(t, part)
			tree, err := html.Parse(strings.NewReader(out))
			require.NoError(t, err)
			inspect(t, name, text, tree)
		}
	}
}

// inspect walks over the parsed HTML and looks for script, hostile addresses and requests that contain the text.
func inspect(t *testing.T, name, text string, node *html.Node) {
	t.Helper()
	if node.Type == html.ElementNode {
		switch node.Data {
		case "script", "style", "iframe", "object", "embed", "base":
			t.Errorf("%s: %q became <%s>", name, text, node.Data)
		case "svg":
			for _, a := range node.Attr {
				require.NotEqual(t, "onload", a.Key, "%s: %q", name, text)
			}
		}
		for _, a := range node.Attr {
			value := strings.ToLower(strings.TrimSpace(a.Val))
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "formaction", a.Key == "srcdoc":
				t.Errorf("%s: %q became the attribute %s", name, text, a.Key)
			case strings.HasPrefix(a.Key, "hx-"), a.Key == "src":
				require.NotContains(t, a.Val, text, "%s: typed words in %s", name, a.Key)
				require.NotContains(t, value, "evil", "%s: typed words in %s", name, a.Key)
			case a.Key == "href", a.Key == "action":
				require.False(t, strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:"), "%s: %s=%q", name, a.Key, a.Val)
			}
		}
	}
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		inspect(t, name, text, child)
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	require.Equal(t, "/admin/deposits/51877/approval", ui.To("/admin/deposits/{}/approval", 51877).String())
	require.Equal(t, "/admin/list?after=a1_-.~b&kind=bank", ui.To("/admin/list").With("after", "a1_-.~b").With("kind", "bank").String())

	for _, bad := range []any{"", "..", ".", "a/b", "a b", "a?b", "a#b", "a%2fb", "é", "<x>", `"`, "a\nb", strings.Repeat("x", 201), nil} {
		require.Empty(t, ui.To("/admin/{}", bad).String(), "%q", bad)
		require.Empty(t, ui.To("/admin").With("q", bad).String(), "%q", bad)
	}
	for _, bad := range []string{"", "admin", "//evil.example", "https://evil.example", "/a b", "/a?x=1", "/a/{}", "/\\evil"} {
		require.Empty(t, ui.To(bad).String(), bad)
	}
	require.Empty(t, ui.HX{Get: ui.To("//evil"), Target: ui.TargetDialog}.Attrs(), "no path, no request")
	require.NotContains(t, ui.HX{Get: ui.To("/a"), Target: ui.At("x, body")}.Attrs(), "hx-target")
}

func TestMoneyButton(t *testing.T) {
	t.Parallel()
	out := render(t, ui.Button(ui.ButtonView{Label: "Approve 5.00", Money: true, Busy: "Approving…", Submit: true, Key: "A", Main: true}))
	require.Contains(t, out, "data-once")
	require.Contains(t, out, `data-busy="Approving…"`)
	require.NotContains(t, out, "data-key", "no key approves money")
	require.NotContains(t, out, "data-main", "a dialog never puts the focus on money")
}

func TestLockedButtonSaysWhy(t *testing.T) {
	t.Parallel()
	out := render(t, ui.Button(ui.ButtonView{Label: "Approve", Locked: true, Why: "You wrote it", Href: "/admin/x"}))
	require.Contains(t, out, "disabled")
	require.Contains(t, out, `title="You wrote it"`)
	require.NotContains(t, out, "href")
}

func TestDialogForm(t *testing.T) {
	t.Parallel()
	out := render(t, ui.Dialog(ui.DialogView{Title: "Approve", Form: ui.FormView{Post: ui.To("/admin/deposits/1/approval"), Target: ui.At("dp-1"), Swap: ui.SwapWhole, Hidden: []ui.Hidden{{Name: "version", Value: "4"}}}, Act: ui.ButtonView{Label: "Approve 5.00", Money: true, Submit: true}, Refuse: []ui.ButtonView{{Label: "Reject…"}}}))
	require.Contains(t, out, `action="/admin/deposits/1/approval"`, "without script nothing typed gets into an address")
	require.Contains(t, out, `method="post"`)
	require.Contains(t, out, `hx-target="#dp-1"`)
	require.Contains(t, out, `<input type="hidden" name="version" value="4">`)
	require.Less(t, strings.Index(out, "Reject…"), strings.Index(out, "Cancel"), "refuse at the start")
	require.Less(t, strings.Index(out, "Cancel"), strings.Index(out, "Approve 5.00"), "act at the end")
}

func TestAPasswordIsNeverSentBack(t *testing.T) {
	t.Parallel()
	require.NotContains(t, render(t, ui.Input(ui.FieldView{Name: "password", Type: "password", Value: "hunter2"})), "hunter2")
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		minutes int
		text    string
		state   ui.DueState
	}{
		{0, "now", ui.DueFine},
		{12, "12 min", ui.DueFine},
		{47, "47 min", ui.DueFine},
		{48, "48 min", ui.DueWarn},
		{59, "59 min", ui.DueWarn},
		{60, "1 h 0 min", ui.DueLate},
		{184, "3 h 4 min", ui.DueLate},
		{2879, "47 h 59 min", ui.DueLate},
		{2880, "2 days", ui.DueLate},
		{3000, "2 days", ui.DueLate},
	} {
		view := ui.Waiting(speak(t), now.Add(-time.Duration(test.minutes)*time.Minute), now, time.Hour)
		require.Equal(t, test.text, view.Text)
		require.Equal(t, test.state, view.State, test.text)
	}
	require.Contains(t, render(t, ui.Due(ui.Waiting(speak(t), now, now, time.Hour))), `data-late="2026-11-20T15:00:00Z"`)
}

func TestAddress(t *testing.T) {
	t.Parallel()
	out := render(t, ui.Address("0x7a3F91C2b80d"))
	require.Contains(t, out, `<span class="pre" aria-hidden="true">0x</span>`)
	require.Contains(t, out, `<span aria-hidden="true">7a3F</span>`)
	require.Contains(t, out, `<span class="last" aria-hidden="true">b80d</span>`)
	out = render(t, ui.Address("DE89370400440532013000"))
	require.Contains(t, out, `<span aria-hidden="true">01<span class="last">30</span></span><span class="last" aria-hidden="true">00</span>`, "the last four, wherever the pieces end")
	require.Contains(t, render(t, ui.Address("0xabc")), `<span class="last" aria-hidden="true">abc</span>`)
}

func TestRevealedFallsBackToItsMask(t *testing.T) {
	t.Parallel()
	out := render(t, ui.Revealed(ui.RevealedView{ID: "phone", Value: "+34 600 000 418", Mask: ui.MaskedView{ID: "phone", Before: "+34", After: "418", Reveal: ui.To("/admin/traders/1/phone")}}))
	require.Contains(t, out, `data-revealed="30"`)
	require.Contains(t, out, "<template>")
	require.Contains(t, render(t, ui.Masked(ui.MaskedView{ID: "x"})), "Your role can’t see this")
}
