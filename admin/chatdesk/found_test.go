package chatdesk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
)

func TestTheInboxShowsWhatWasLookedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.kim, b.ann)
	b.says(b.ann, "请问出金什么时候到账")
	b.says(b.ann, "first line\nWhy does the <b>commission</b> of my COMMISSIONS differ?\nlast line")
	b.says(b.ann, "something else altogether that goes on and on before it comes to the swap")
	require.Equal(t, http.StatusNoContent, write(b.kim, c.ID, "reply", "o is you").Code)
	require.Equal(t, http.StatusNoContent, write(b.lee, c.ID, "note", "finance has it").Code)
	search := func(words string) string { // the second line of the first row
		_, line, _ := strings.Cut(b.kim.Get("/admin/chat/rows?q="+url.QueryEscape(words)).Body.String(), `txt"><bdi>`)
		line, _, _ = strings.Cut(line, "</bdi>")
		return line
	}
	for words, want := range map[string]string{
		"出金":         "请问<mark>出金</mark>什么时候到账",
		"commission": "Why does the &lt;b&gt;<mark>commission</mark>&lt;/b&gt; of my <mark>COMMISSION</mark>S differ?",
		"swap":       "… before it comes to the <mark>swap</mark>",
		"is you":     "Answer: o <mark>is</mark> <mark>you</mark>",
		"FIN it":     "Note: <mark>fin</mark>ance has <mark>it</mark>",
		"%":          "",
		"nothing":    "",
	} {
		require.Equal(t, want, search(words), words)
	}
	require.NotContains(t, b.kim.Get("/admin/chat/rows").Body.String(), "<mark>")
	require.Equal(t, http.StatusForbidden, b.seat("Content editor 01", access.ContentEditor).Get("/admin/chat/rows?q=finance").Code)
}
