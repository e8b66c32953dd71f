// Package templates_test checks the text of the templates against the markup rules.
package templates_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/locales"
)

// rules are forbidden patterns in markup. An hx- attribute may not contain an expression: requests come from ui.HX, which takes only our own paths and ids.
var rules = []struct {
	what    string
	pattern *regexp.Regexp
}{
	{"hx- attributes take no expression: spread ui.HX{…}.Attrs()", regexp.MustCompile(`\b(data-)?hx-[a-z:-]+\??=\{`)},
	{"hx-on is script in markup", regexp.MustCompile(`\bhx-on[:=-]`)},
	{"sse-connect and sse-swap take no typed words: use ui.Path", regexp.MustCompile(`\bsse-(connect|swap)=\{(?:[^}]*)\}`)},
	{"formaction is not cleaned by templ", regexp.MustCompile(`\bformaction\b`)},
	{"srcdoc is not cleaned by templ", regexp.MustCompile(`\bsrcdoc\b`)},
	{"xlink:href is not cleaned by templ", regexp.MustCompile(`\bxlink:href\b`)},
	{"markup comes from templates only", regexp.MustCompile(`templ\.(Raw|JSUnsafeFuncCall|JSExpression)\b`)},
	{"addresses are cleaned, never declared safe", regexp.MustCompile(`templ\.(SafeURL|SafeCSS|SafeScript|SafeCSSProperty)\b`)},
	{"no script in markup", regexp.MustCompile(`\bon[a-z]+=(\{|")`)},
	{"no style in markup", regexp.MustCompile(`(\bstyle=(\{|"))|<style\b`)},
	{"words come from the locale file: t(ctx, …)", regexp.MustCompile(`>[ \t]*[A-Z][a-z]+ [a-z]+[^<{]*</`)},
	{"words come from the locale file: t(ctx, …)", regexp.MustCompile(`^\s*[A-Z][a-z']+( [A-Za-z',.]+){2,}$`)},
}

// exempt are the files that may break a rule, with the rule's first word.
var exempt = map[string]string{}

func TestMarkupRules(t *testing.T) {
	t.Parallel()
	for _, file := range markup(t, ".templ") {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		for number, line := range strings.Split(string(raw), "\n") {
			for _, rule := range rules {
				if reason := exempt[filepath.ToSlash(file)]; reason != "" && strings.HasPrefix(rule.what, reason) {
					continue
				}
				tight := strings.ReplaceAll(line, "= {", "={")
				if rule.pattern.MatchString(tight) {
					t.Errorf("%s:%d: %s\n\t%s", file, number+1, rule.what, strings.TrimSpace(line))
				}
			}
		}
	}
}

// TestFewScripts allows the script elements of every page, of charts and of the trader app in the preview; each carries the request's nonce.
func TestFewScripts(t *testing.T) {
	t.Parallel()
	allowed := map[string]string{
		"layout/page.templ":       `<script type="module" src={ script() } nonce={ templ.GetNonce(ctx) }></script>`,
		"reportview/report.templ": `<script type="module" src={ script } nonce={ templ.GetNonce(ctx) }></script>`,
		"newsview/frame.templ":    `<script type="module" src={ assets.URL(previewEntry) } nonce={ templ.GetNonce(ctx) }></script>`,
	}
	for _, file := range markup(t, ".templ") {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		want := 0
		if element := allowed[filepath.ToSlash(file)]; element != "" {
			want = 1
			require.Contains(t, string(raw), element)
		}
		require.Equal(t, want, strings.Count(string(raw), "<script"), file)
	}
}

// TestRequestsComeFromOnePlace finds Go code that writes hx- attributes by hand.
func TestRequestsComeFromOnePlace(t *testing.T) {
	t.Parallel()
	byHand := regexp.MustCompile(`"(data-)?hx-[a-z-]+"`)
	for _, file := range append(markup(t, ".go"), markup(t, ".templ")...) {
		name := filepath.ToSlash(file)
		if name == "ui/hx.go" || name == "ui/field.go" || strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotRegexp(t, byHand, string(raw), name)
	}
}

// TestWordsExist requires every key used by a template in the English file.
func TestWordsExist(t *testing.T) {
	t.Parallel()
	raw, err := fs.ReadFile(locales.Backoffice(), "en/backoffice.json")
	require.NoError(t, err)
	var words map[string]string
	require.NoError(t, json.Unmarshal(raw, &words))

	named := regexp.MustCompile(`\b(?:t|i18n\.T)\(ctx, "([^"]+)"`)
	for _, file := range append(markup(t, ".templ"), markup(t, ".go")...) {
		if strings.HasSuffix(file, "_templ.go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, match := range named.FindAllStringSubmatch(string(raw), -1) {
			key := match[1]
			_, plain := words[key]
			_, plural := words[key+"_other"]
			begun := strings.HasSuffix(key, ".") && slices.ContainsFunc(slices.Collect(maps.Keys(words)), func(whole string) bool { return strings.HasPrefix(whole, key) })
			if !plain && !plural && !begun {
				t.Errorf("%s: the key %q has no English words", file, key)
			}
		}
	}
}

// TestLogicalProperties forbids left and right in the style sheets: the same files serve right-to-left languages.
func TestLogicalProperties(t *testing.T) {
	t.Parallel()
	physical := regexp.MustCompile(`(?:^|[;{\s])((?:margin|padding|border)-(?:left|right)[a-z-]*|left|right|float|text-align|clear)\s*:\s*([a-z0-9-]+)`)
	for _, file := range markup(t, ".css") {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, match := range physical.FindAllStringSubmatch(string(raw), -1) {
			switch match[1] {
			case "float", "text-align", "clear":
				if match[2] != "left" && match[2] != "right" {
					continue
				}
			}
			t.Errorf("%s: %s: %s", file, match[1], match[2])
		}
	}
}

func markup(t *testing.T, ending string) []string {
	t.Helper()
	var files []string
	require.NoError(t, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(name, ending) {
			files = append(files, name)
		}
		return err
	}))
	require.NotEmpty(t, files)
	return files
}
