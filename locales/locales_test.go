package locales_test

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/i18n"
	"candor/locales"
)

var (
	argument = regexp.MustCompile(`\{\{\s*([A-Za-z0-9_]+)\s*\}\}`)
	plural   = regexp.MustCompile(`_(zero|one|two|few|many|other)$`)
	dotted   = regexp.MustCompile(`^[a-z0-9_-]+(\.[a-z0-9_-]+)*$`)
)

// TestLanguages compares every language of a folder with English: the same keys, the same
// arguments, the plural forms of the language, nothing empty.
func TestLanguages(t *testing.T) {
	t.Parallel()
	for name, folder := range map[string]fs.FS{"customer": locales.Customer(), "backoffice": locales.Backoffice()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			english := read(t, folder, "en")
			require.NotEmpty(t, english)
			for _, lang := range languages(t, folder) {
				t.Run(lang, func(t *testing.T) { compare(t, english, read(t, folder, lang), lang) })
			}
		})
	}
}

func languages(t *testing.T, folder fs.FS) (list []string) {
	t.Helper()
	entries, err := fs.ReadDir(folder, ".")
	require.NoError(t, err)
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

// read reads all texts of a language.
func read(t *testing.T, folder fs.FS, lang string) map[string]string {
	t.Helper()
	files, err := fs.Glob(folder, lang+"/*.json")
	require.NoError(t, err)
	texts := map[string]string{}
	for _, name := range files {
		readFile(t, folder, name, texts)
	}
	return texts
}

func readFile(t *testing.T, folder fs.FS, name string, texts map[string]string) {
	t.Helper()
	raw, err := fs.ReadFile(folder, name)
	require.NoError(t, err)
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	opening, err := decoder.Token()
	require.NoError(t, err)
	require.Equal(t, json.Delim('{'), opening)
	for decoder.More() { // by token, because a plain decode hides a key written twice
		key, err := decoder.Token()
		require.NoError(t, err)
		var text string
		require.NoError(t, decoder.Decode(&text), "%s: %v is not text", name, key)
		_, twice := texts[key.(string)]
		require.False(t, twice, "%s: %s is written twice", name, key)
		texts[key.(string)] = text
	}
}

func compare(t *testing.T, english, texts map[string]string, lang string) {
	t.Helper()
	for key, text := range texts {
		if !dotted.MatchString(key) {
			t.Errorf("%s: keys are flat, dotted and lower case", key)
		}
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s: empty", key)
		}
		if base := plural.ReplaceAllString(key, ""); base != key && hasPlural(english, base) {
			continue
		}
		reference, known := english[key]
		if !known {
			t.Errorf("%s: English does not have it", key)
			continue
		}
		if want, got := arguments(reference), arguments(text); !slices.Equal(want, got) {
			t.Errorf("%s: arguments %v, English has %v", key, got, want)
		}
	}
	for key := range english {
		base := plural.ReplaceAllString(key, "")
		if base != key && hasPlural(english, base) {
			checkPlural(t, english, texts, lang, base)
			continue
		}
		if _, ok := texts[key]; !ok {
			t.Errorf("%s: missing", key)
		}
	}
}

func hasPlural(texts map[string]string, base string) bool {
	_, ok := texts[base+"_other"]
	return ok
}

// checkPlural wants one text for each form the language has. A form may leave the count out
// (Arabic says "two rows" in one word) but may not bring a new argument.
func checkPlural(t *testing.T, english, texts map[string]string, lang, base string) {
	t.Helper()
	allowed := arguments(english[base+"_other"])
	for _, form := range append(i18n.PluralForms(lang), "other") {
		text, ok := texts[base+"_"+form]
		if !ok {
			t.Errorf("%s: the form %q is missing", base, form)
			continue
		}
		for _, name := range arguments(text) {
			if !slices.Contains(allowed, name) {
				t.Errorf("%s_%s: argument %q is not in English", base, form, name)
			}
		}
	}
}

func arguments(text string) []string {
	var names []string
	for _, match := range argument.FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
