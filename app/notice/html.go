package notice

import (
	"html"
	"net/url"
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
)

// routeForm is the form of a route in the trader app.
var routeForm = regexp.MustCompile(`^/[A-Za-z0-9/_-]*(\?[A-Za-z0-9=&_.-]*)?$`)

var (
	allowed = allow()
	plain   = bluemonday.StrictPolicy()
)

// allow is the allow-list of a body's HTML: text, emphasis, lists, headings, tables and links. It has no classes, styles or ids and loads no resources.
func allow() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "strong", "em", "ul", "ol", "li", "h2", "h3", "blockquote", "code", "table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("href").Matching(regexp.MustCompile(`^(https://[^\s/?#@\\]+([/?#][^\s\\]*)?|#/[A-Za-z0-9/_-]*(\?[A-Za-z0-9=&_.-]*)?)$`)).OnElements("a")
	p.AllowURLSchemes("https")
	p.AllowRelativeURLs(true) // "#/…"; the pattern limits it
	p.RequireParseableURLs(true)
	p.RequireNoReferrerOnFullyQualifiedLinks(true)
	return p
}

// Clean keeps only the allowed HTML and wraps loose text in paragraphs: a blank line ends one, a single line end becomes a line break. Cleaning is
// idempotent.
func Clean(text string) string { return paragraphs(strings.TrimSpace(allowed.Sanitize(text))) }

// Plain is the text of HTML without its elements.
func Plain(text string) string { return html.UnescapeString(plain.Sanitize(text)) }

// isLink reports whether a text is a route of the app or an absolute https address.
func isLink(text string) bool {
	if routeForm.MatchString(text) && !strings.HasPrefix(text, "//") {
		return true
	}
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && !strings.ContainsAny(text, " \\<>\"'")
}
