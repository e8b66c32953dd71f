package desktest

import (
	"html"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/width"
)

func TestPayloadsAreSixty(t *testing.T) {
	t.Parallel()
	require.Len(t, Payloads, 60)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(Payloads))), 60, "no two are the same")
	for _, text := range Payloads {
		require.Equal(t, strings.TrimSpace(text), text, "a service that trims leaves it as it is")
		require.NotContains(t, text, "\x00")
	}
}

// unquoted reads text that is escaped as in a script.
func unquoted(text string) string {
	if plain, err := strconv.Unquote(`"` + text + `"`); err == nil {
		return plain
	}
	return ""
}

// TestEveryPayloadWouldHarm puts each payload unescaped where a careless page might: at least one position must show the harm. Escaped, it must
// show none.
func TestEveryPayloadWouldHarm(t *testing.T) {
	t.Parallel()
	careless := []func(string) string{
		func(s string) string { return "<p>" + s + "</p>" },
		func(s string) string { return `<input value="` + s + `">` },
		func(s string) string { return `<input value='` + s + `'>` },
		func(s string) string { return `<input value=` + s + `>` },
		func(s string) string { return `<a href="` + s + `">x</a>` },
		func(s string) string { return `<p>` + html.UnescapeString(s) + `</p>` },
		func(s string) string { return `<p>` + unquoted(s) + `</p>` },
		func(s string) string { return `<p>` + width.Narrow.String(s) + `</p>` },
	}
	for _, text := range Payloads {
		seen := slices.ContainsFunc(careless, func(page func(string) string) bool {
			_, harm := read(page(text))
			return harm != ""
		})
		require.True(t, seen, "%q harms nowhere", text)

		escaped := html.EscapeString(text)
		for _, page := range []string{"<p>" + escaped + "</p>", `<input value="` + escaped + `">`, "<textarea>" + escaped + "</textarea>", "<tr><td>" + escaped} {
			Harmless(t, "escaped", page, text)
		}
	}
}

// TestWhatIsNotOursIsSeen tries markup that the payloads lack, each with its harmless twin.
func TestWhatIsNotOursIsSeen(t *testing.T) {
	t.Parallel()
	for bad, good := range map[string]string{
		`<script src="/assets/desk.js"></script>`:               `<script src="/assets/desk.js" nonce="n"></script>`,
		`<script nonce="n">alert(1)</script>`:                   `<p nonce="n">alert(1)</p>`,
		`<meta http-equiv="refresh" content="1">`:               `<meta name="robots" content="noindex">`,
		`<tr><td onclick="alert(1)">x`:                          `<tr><td class="onclick">x`,
		`<a href="https://evil.example">x</a>`:                  `<a href="/admin/audit?person=https%3A%2F%2Fevil.example">x</a>`,
		`<a href="/\evil.example">x</a>`:                        `<a href="#main">x</a>`,
		"<a href=\"\n/\t/evil.example\">x</a>":                  `<a href="">x</a>`,
		`<svg><use xlink:href="data:x"></use></svg>`:            `<svg><use href="#icon"></use></svg>`,
		`<p hx-get="//evil.example/x">x</p>`:                    `<p hx-get="/admin/staff/7?after=3.4">x</p>`,
		`<p hx-get="/admin/evil">x</p>`:                         `<p hx-post="/admin">x</p>`,
		`<p hx-trigger="load[alert(1)]">x</p>`:                  `<p hx-trigger="input changed delay:300ms, search">x</p>`,
		`<p hx-vals='{"a":1}'>x</p>`:                            `<p hx-swap-oob="innerHTML:#context">x</p>`,
		`<p data-hx-get="/admin/staff">x</p>`:                   `<p data-seen="/admin/chat/7/seen">x</p>`,
		`<img src="x.png" alt="">`:                              `<img src="/admin/deposits/7/proof" alt="">`,
		`<template><tr style="color:red"></tr></template>`:      `<template><tr class="red"></tr></template>`,
		`<html><body><noscript><p>x</p></noscript></body>`:      `<html><body><p>x</p></body>`,
		`<form action="javascript:x" method="post"></form>`:     `<form action="/admin/chat/7/messages" method="post"></form>`,
		`<svg><foreignObject><p>x</p></foreignObject></svg>`:    `<svg><path d="M0 0"></path></svg>`,
		`<button formaction="/admin/staff">x</button>`:          `<button type="submit">x</button>`,
		`<link rel="stylesheet" href="http://evil.example/x">`:  `<link rel="stylesheet" href="/assets/desk.css">`,
		`<div sse-connect="https://evil.example/events"></div>`: `<div sse-connect="/admin/events"></div>`,
	} {
		_, harm := read(bad)
		require.NotEmpty(t, harm, bad)
		_, harm = read(good)
		require.Empty(t, harm, good)
	}
}
