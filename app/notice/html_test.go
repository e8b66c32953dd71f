package notice_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/notice"
	"candor/app/notice/noticetest"
)

// TestCleanLeavesNothingThatRuns cleans every payload, alone and within what is allowed.
func TestCleanLeavesNothingThatRuns(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(noticetest.Payloads), 60)
	bites := 0
	for _, payload := range noticetest.Payloads {
		for _, text := range []string{payload, "<p>before " + payload + " after</p>", "<table><tr><td>" + payload + "</td></tr></table>", `<a href="#/quotes">` + payload + `</a>`} {
			if noticetest.Harm(text) != "" {
				bites++
			}
			clean := notice.Clean(text)
			require.Empty(t, noticetest.Harm(clean), "%s became %s", text, clean)
			require.Equal(t, clean, notice.Clean(clean), "cleaning twice is cleaning once")
		}
	}
	require.Greater(t, bites, 200, "the test must find what is not clean")
}

// TestCleanKeepsWhatIsAllowed is its twin.
func TestCleanKeepsWhatIsAllowed(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"<h2>Head</h2><h3>Lower</h3><p>One <strong>two</strong> <em>three</em><br>four</p>", "<ul><li>a</li></ul><ol><li>b</li></ol>", "<blockquote>said</blockquote><code>x</code>",
		"<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>", `<a href="#/trade?product=201">here</a>`, "<p>مرحبا 你好 &lt;b&gt; &amp;</p>",
	} {
		require.Equal(t, text, notice.Clean(text))
	}
	require.Contains(t, notice.Clean(`<a href="https://example.org/a?b=c#d">there</a>`), `href="https://example.org/a?b=c#d"`)
	require.Equal(t, "a & b", notice.Plain("<p>a &amp; <strong>b</strong></p>"))
}
