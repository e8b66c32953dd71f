package desktest

import (
	_ "embed" // the list is a file, because the browser journeys read it too
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

//go:embed payloads.json
var payloads []byte

// Payloads are sixty texts that run a script, load something or send something off wherever a page treats them as markup. Each calls alert(1), sets
// window.__ran, or requests something from evil.example.
var Payloads = list()

func list() (texts []string) {
	if err := json.Unmarshal(payloads, &texts); err != nil {
		panic(err)
	}
	return texts
}

// Harmless parses a page, or a part of one, as a browser does. It requires that nothing in it is foreign, and that it has the shown texts as words.
func Harmless(t testing.TB, name, page string, shown ...string) {
	t.Helper()
	words, harm := read(page)
	require.Empty(t, harm, name)
	for _, text := range shown {
		require.True(t, strings.Contains(words, newlines.Replace(text)), "%s: %q is not shown as words", name, text)
	}
}

// newlines are the sequences that a browser treats as equal.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// read parses a page: its words, those in attributes too, and the first foreign thing in it. htmx parses a part inside a template, where a row needs no
// table around it.
func read(page string) (words, harm string) {
	if !strings.Contains(page, "<html") {
		page = "<!doctype html><body><template>" + page + "</template>"
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return "", err.Error()
	}
	var text strings.Builder
	for n := range root.Descendants() {
		switch n.Type {
		case html.TextNode:
			text.WriteString(n.Data)
		case html.ElementNode:
			for _, a := range n.Attr {
				text.WriteString("\n" + a.Val + "\n")
			}
			if harm == "" {
				harm = element(n)
			}
		}
	}
	return text.String(), harm
}

// foreign are the elements that none of our pages has.
var foreign = []string{
	"animate", "animatemotion", "animatetransform", "applet", "audio", "base", "embed", "foreignobject", "frame", "frameset", "iframe", "listing", "marquee", "math", "noscript", "object",
	"plaintext", "portal", "set", "source", "style", "track", "video", "xmp",
}

func element(n *html.Node) string {
	name, attrs := strings.ToLower(n.Data), map[string]string{}
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		attrs[key] = a.Val
		if why := attribute(key, a.Val); why != "" {
			return fmt.Sprintf("<%s %s=%q>: %s", n.Data, a.Key, a.Val, why)
		}
	}
	switch {
	case slices.Contains(foreign, name):
		return "an element that is not ours: <" + name + ">"
	case name == "script" && (attrs["nonce"] == "" || !strings.HasPrefix(attrs["src"], "/assets/") || n.FirstChild != nil):
		return "a script that is not ours"
	case name == "meta" && attrs["http-equiv"] != "":
		return "a page that leads away by itself"
	}
	return ""
}

var (
	// requests are the attributes with which our elements send requests; ui.HX and the frame write them.
	requests = []string{"hx-get", "hx-post", "hx-delete", "sse-connect"}
	// others are the attributes that say how.
	others = []string{"hx-disinherit", "hx-encoding", "hx-ext", "hx-history", "hx-params", "hx-push-url", "hx-swap", "hx-swap-oob", "hx-sync", "hx-target", "hx-trigger", "sse-close", "sse-swap"}
	// addresses are the attributes that a browser follows or loads.
	addresses = []string{"action", "cite", "data", "href", "longdesc", "manifest", "poster", "src"}
	// never are the attributes that we never write.
	never = []string{"background", "formaction", "ping", "srcdoc", "srcset", "style"}

	ours = regexp.MustCompile(`^/admin(/[A-Za-z0-9_~=.-]+)*(\?[^\s"'<>]*)?$`)
	how  = regexp.MustCompile(`^[A-Za-z0-9 :#.,_/-]*$`)
)

// attribute says what is wrong with an attribute, or nothing.
func attribute(key, value string) string {
	htmx := strings.HasPrefix(key, "hx-") || strings.HasPrefix(key, "data-hx-") || strings.HasPrefix(key, "sse-") || strings.HasPrefix(key, "ws-")
	switch {
	case strings.HasPrefix(key, "on"):
		return "it runs a script"
	case slices.Contains(never, key):
		return "we never write it"
	case slices.Contains(requests, key):
		if !ours.MatchString(value) || strings.Contains(value, "evil") {
			return "it asks for what is not ours"
		}
	case slices.Contains(others, key):
		if !how.MatchString(value) {
			return "it holds words"
		}
	case htmx:
		return "htmx would listen to it"
	case slices.Contains(addresses, key) && !inside(value):
		return "it leads away"
	}
	return ""
}

// inside reports whether an address stays on our site, as a browser reads it: without the blanks and control characters in which a scheme hides.
func inside(address string) bool {
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimLeftFunc(address, func(r rune) bool { return r <= ' ' }))
	address = strings.ReplaceAll(address, `\`, "/")
	return address == "" || address[0] == '#' || address[0] == '?' || address[0] == '/' && !strings.HasPrefix(address, "//")
}
