// Package i18n turns a key into words: flat JSON files, a folder of them for each language, English as the reference.
package i18n

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"
)

// Reference is the language every other one falls back to.
const Reference = "en"

// Catalogue holds the texts of one folder of languages. It never changes after Load, so it may be
// shared by all requests.
type Catalogue struct {
	texts map[string]map[string]string
	// Missing is called with each key that no text has; nil ignores them.
	Missing func(key string)
}

// Load reads every <lang>/<namespace>.json of files. A file is one flat object of strings, and a key is in one file of its language.
// It fails otherwise, and when English is missing.
func Load(files fs.FS) (*Catalogue, error) {
	names, err := fs.Glob(files, "*/*.json")
	if err != nil {
		return nil, fmt.Errorf("list languages: %w", err)
	}
	catalogue := &Catalogue{texts: map[string]map[string]string{}}
	for _, name := range names {
		raw, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		var texts map[string]string
		if err := json.Unmarshal(raw, &texts); err != nil {
			return nil, fmt.Errorf("parse %s: %w", name, err)
		}
		if err := catalogue.add(path.Dir(name), texts); err != nil {
			return nil, fmt.Errorf("add %s: %w", name, err)
		}
	}
	if _, ok := catalogue.texts[Reference]; !ok {
		return nil, fmt.Errorf("the reference language %q is missing", Reference)
	}
	return catalogue, nil
}

// add adds a file's texts to a language.
func (c *Catalogue) add(lang string, texts map[string]string) error {
	all := c.texts[lang]
	if all == nil {
		all = make(map[string]string, len(texts))
		c.texts[lang] = all
	}
	for key, text := range texts {
		if _, twice := all[key]; twice {
			return fmt.Errorf("%s is in another file too", key)
		}
		all[key] = text
	}
	return nil
}

// Languages lists the loaded languages, sorted.
func (c *Catalogue) Languages() []string {
	langs := make([]string, 0, len(c.texts))
	for lang := range c.texts {
		langs = append(langs, lang)
	}
	sort.Strings(langs)
	return langs
}

// Has reports whether lang itself, without falling back, has the key or one of its plural forms.
func (c *Catalogue) Has(lang, key string) bool {
	texts := c.texts[lang]
	if _, ok := texts[key]; ok {
		return true
	}
	_, ok := texts[key+"_other"]
	return ok
}

// T gives the text of key in lang, else in English, else the key itself, with {{name}} replaced by
// args. An argument "count" that is a whole number chooses among key_zero, _one, _two, _few, _many
// and _other by the rules of the language the text was found in.
func (c *Catalogue) T(lang, key string, args map[string]any) string {
	for _, candidate := range [...]string{lang, Reference} {
		if text, ok := c.find(candidate, key, args); ok {
			return fill(text, args)
		}
	}
	if c.Missing != nil {
		c.Missing(key)
	}
	return key
}

func (c *Catalogue) find(lang, key string, args map[string]any) (string, bool) {
	texts := c.texts[lang]
	if count, ok := whole(args["count"]); ok {
		for _, suffix := range [...]string{pluralSuffix(lang, count), "_other"} {
			if text, found := texts[key+suffix]; found {
				return text, true
			}
		}
	}
	text, ok := texts[key]
	return text, ok
}

// fill replaces {{name}} once, from left to right, so an argument that itself holds braces stays
// as it is. An unknown name stays visible: a missing argument is a bug to be seen, not hidden.
func fill(text string, args map[string]any) string {
	if len(args) == 0 || !strings.Contains(text, "{{") {
		return text
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		name, after, closed := strings.Cut(rest, "}}")
		if !closed {
			out.WriteString("{{" + rest)
			return out.String()
		}
		if value, ok := args[strings.TrimSpace(name)]; ok {
			fmt.Fprint(&out, value)
		} else {
			out.WriteString("{{" + name + "}}")
		}
		text = after
	}
}

type contextKey struct{}

type choice struct {
	catalogue *Catalogue
	lang      string
}

// WithLang makes T use lang, with the texts of the catalogue, for everything below ctx.
func WithLang(ctx context.Context, catalogue *Catalogue, lang string) context.Context {
	return context.WithValue(ctx, contextKey{}, choice{catalogue: catalogue, lang: lang})
}

// Lang is the language chosen by WithLang, or English.
func Lang(ctx context.Context) string {
	if chosen, ok := ctx.Value(contextKey{}).(choice); ok && chosen.lang != "" {
		return chosen.lang
	}
	return Reference
}

// Direction is "rtl" for languages written from right to left, otherwise "ltr": the value of the
// HTML attribute dir.
func Direction(lang string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(lang, "_", "-"), "-")
	switch base {
	case "ar", "fa", "he", "ur":
		return "rtl"
	default:
		return "ltr"
	}
}

// T gives the text of key in the language of ctx. Arguments come in pairs: name, value. Without
// WithLang it gives the key, which is what a test of markup wants.
func T(ctx context.Context, key string, pairs ...any) string {
	chosen, ok := ctx.Value(contextKey{}).(choice)
	if !ok || chosen.catalogue == nil {
		return key
	}
	return chosen.catalogue.T(chosen.lang, key, named(pairs))
}

func named(pairs []any) map[string]any {
	if len(pairs) == 0 {
		return nil
	}
	args := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		args[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return args
}
