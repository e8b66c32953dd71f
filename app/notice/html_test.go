package notice_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/notice"
	"candor/app/notice/noticetest"
)

// TestCleanLeavesNothingThatRuns cleans every payload, alone and within allowed HTML.
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

// TestCleanKeepsWhatIsAllowed is the counterpart: allowed HTML is unchanged.
func TestCleanKeepsWhatIsAllowed(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"<h2>Head</h2><h3>Lower</h3><p>One <strong>two</strong> <em>three</em><br>four</p>", "<ul><li>a</li></ul><ol><li>b</li></ol>", "<blockquote>said</blockquote><p><code>x</code></p>",
		"<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>", `<p><a href="#/trade?product=201">here</a></p>`, "<p>مرحبا 你好 &lt;b&gt; &amp;</p>",
	} {
		require.Equal(t, text, notice.Clean(text))
	}
	require.Contains(t, notice.Clean(`<p><a href="https://example.org/a?b=c#d">there</a></p>`), `href="https://example.org/a?b=c#d"`)
	require.Equal(t, "a & b", notice.Plain("<p>a &amp; <strong>b</strong></p>"))
}

// TestParagraphs tests text typed without HTML.
func TestParagraphs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, typed, body string }{
		{"OneLine", "Trading rests.", "<p>Trading rests.</p>"},
		{"BlankLinesMakeParagraphs", "First.\n\nSecond.\n \n\nThird.", "<p>First.</p>\n<p>Second.</p>\n<p>Third.</p>"},
		{"ALineEndBreaksTheLine", "From 10:00\nto 11:00", "<p>From 10:00<br>to 11:00</p>"},
		{"WordsBesideBlocks", "Before\n<ul><li>one</li><li>two</li></ul>\nAfter", "<p>Before</p>\n<ul><li>one</li><li>two</li></ul>\n<p>After</p>"},
		{"MarksWithinWords", "A <strong>bold</strong> word\n\nand <a href=\"#/trade\">a link</a>", "<p>A <strong>bold</strong> word</p>\n<p>and <a href=\"#/trade\">a link</a></p>"},
		{"AnElementIsNotTornApart", "<strong>one\n\ntwo</strong>", "<p><strong>one<br>two</strong></p>"},
		{"ABreakIsNotDoubled", "one<br>\ntwo", "<p>one<br>two</p>"},
		{"WhatIsMarkedUpStays", "<p>one\n\ntwo</p>\n<blockquote><p>three</p></blockquote>", "<p>one\n\ntwo</p>\n<blockquote><p>three</p></blockquote>"},
		{"SignsStaySigns", "a < b & c", "<p>a &lt; b &amp; c</p>"},
		{"Nothing", " \n\n ", ""},
	} {
		require.Equal(t, c.body, notice.Clean(c.typed), c.name)
		require.Equal(t, c.body, notice.Clean(c.body), "%s: cleaning twice", c.name)
		require.Equal(t, strings.ReplaceAll(c.body, "\n", ""), strings.ReplaceAll(notice.Clean(notice.ToTyped(c.body)), "\n", ""), "%s: typed again", c.name)
	}
	require.Equal(t, "First.\n\nSecond,\nbroken.", notice.ToTyped("<p>First.</p><p>Second,<br>broken.</p>"))
	quoted := "<blockquote><p>one</p><p>two</p></blockquote>"
	require.Equal(t, quoted, notice.ToTyped(quoted), "what typing can't say stays as it is")
}
