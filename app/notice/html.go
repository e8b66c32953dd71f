package notice

import (
	"html"
	"net/url"
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
)

// routeForm is a route of the trader app, as its addresses have it.
var routeForm = regexp.MustCompile(`^/[A-Za-z0-9/_-]*(\?[A-Za-z0-9=&_.-]*)?$`)

var (
	allowed = allow()
	plain   = bluemonday.StrictPolicy()
)

// allow is what a body may consist of: words, their emphasis, lists, headings, tables and links. Nothing has a class, a style or an id, nothing is loaded.
func allow() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "strong", "em", "ul", "ol", "li", "h2", "h3", "blockquote", "code", "table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("href").Matching(regexp.MustCompile(`^(https://[^\s/?#@\\]+([/?#][^\s\\]*)?|#/[A-Za-z0-9/_-]*(\?[A-Za-z0-9=&_.-]*)?)$`)).OnElements("a")
	p.AllowURLSchemes("https")
	p.AllowRelativeURLs(true) // "#/…", as the pattern says
	p.RequireParseableURLs(true)
	p.RequireNoReferrerOnFullyQualifiedLinks(true)
	return p
}

// Clean keeps of HTML what is allowed, and makes paragraphs of the words that stand in no element: a blank line ends one, a lone line end breaks the line.
// Cleaning twice is cleaning once.
func Clean(text string) string { return paragraphs(strings.TrimSpace(allowed.Sanitize(text))) }

// Plain is the words of HTML.
func Plain(text string) string { return html.UnescapeString(plain.Sanitize(text)) }

// isLink tells whether a text is a route of the app or a whole address with https.
func isLink(text string) bool {
	if routeForm.MatchString(text) && !strings.HasPrefix(text, "//") {
		return true
	}
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && !strings.ContainsAny(text, " \\<>\"'")
}
