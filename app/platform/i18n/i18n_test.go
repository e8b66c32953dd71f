package i18n_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"candor/app/platform/i18n"
)

func catalogue(t *testing.T) *i18n.Catalogue {
	t.Helper()
	loaded, err := i18n.Load(fstest.MapFS{
		"en/texts.json": {Data: []byte(`{
			"hello": "Hello {{name}}",
			"only.english": "English only",
			"row_one": "{{count}} row", "row_other": "{{count}} rows",
			"spaced": "{{ name }}, {{missing}} and {{open"}`)},
		"ru/texts.json": {Data: []byte(`{
			"hello": "Привет, {{name}}",
			"row_one": "{{count}} строка", "row_few": "{{count}} строки", "row_many": "{{count}} строк", "row_other": "{{count}} строки"}`)},
		"ar/texts.json": {Data: []byte(`{"row_two": "صفان", "row_other": "{{count}} صف"}`)},
	})
	require.NoError(t, err)
	return loaded
}

func TestLoad(t *testing.T) {
	t.Parallel()

	t.Run("NamesTheLanguages", func(t *testing.T) {
		require.Equal(t, []string{"ar", "en", "ru"}, catalogue(t).Languages())
	})
	t.Run("RefusesAFolderWithoutEnglish", func(t *testing.T) {
		_, err := i18n.Load(fstest.MapFS{"ru/texts.json": {Data: []byte(`{}`)}})
		require.ErrorContains(t, err, `"en"`)
	})
	t.Run("RefusesAKeyInTwoFiles", func(t *testing.T) {
		_, err := i18n.Load(fstest.MapFS{"en/one.json": {Data: []byte(`{"a":"b"}`)}, "en/two.json": {Data: []byte(`{"a":"c"}`)}})
		require.ErrorContains(t, err, "add en/two.json: a is in another file too")
	})
	t.Run("RefusesNestedObjects", func(t *testing.T) {
		_, err := i18n.Load(fstest.MapFS{"en/texts.json": {Data: []byte(`{"a":{"b":"c"}}`)}})
		require.ErrorContains(t, err, "parse en/texts.json")
	})
}

func TestText(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	name := map[string]any{"name": "Ana"}

	for _, test := range []struct {
		what, lang, key string
		args            map[string]any
		want            string
	}{
		{"TheLanguageAsked", "ru", "hello", name, "Привет, Ana"},
		{"FallsBackToEnglish", "ru", "only.english", nil, "English only"},
		{"AnUnknownLanguageIsEnglish", "xx", "hello", name, "Hello Ana"},
		{"AnUnknownKeyIsShown", "ru", "no.such", name, "no.such"},
		{"AMissingArgumentStaysVisible", "en", "spaced", name, "Ana, {{missing}} and {{open"},
		{"AnArgumentIsNotExpandedAgain", "en", "hello", map[string]any{"name": "{{name}}"}, "Hello {{name}}"},
		{"One", "en", "row", map[string]any{"count": 1}, "1 row"},
		{"Other", "en", "row", map[string]any{"count": 0}, "0 rows"},
		{"RussianOne", "ru", "row", map[string]any{"count": 21}, "21 строка"},
		{"RussianFew", "ru", "row", map[string]any{"count": 3}, "3 строки"},
		{"RussianMany", "ru", "row", map[string]any{"count": int64(11)}, "11 строк"},
		{"ArabicTwo", "ar", "row", map[string]any{"count": 2}, "صفان"},
		{"AMissingFormIsOther", "ar", "row", map[string]any{"count": 4}, "4 صف"},
		{"AFractionIsNoCount", "en", "row", map[string]any{"count": 1.5}, "row"},
	} {
		t.Run(test.what, func(t *testing.T) {
			require.Equal(t, test.want, c.T(test.lang, test.key, test.args))
		})
	}
}

func TestContext(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	require.Equal(t, "hello", i18n.T(ctx, "hello", "name", "Ana"), "without a language the key is shown")
	require.Equal(t, "en", i18n.Lang(ctx))

	ctx = i18n.WithLang(ctx, catalogue(t), "ru")
	require.Equal(t, "ru", i18n.Lang(ctx))
	require.Equal(t, "Привет, Ana", i18n.T(ctx, "hello", "name", "Ana"))
	require.Equal(t, "5 строк", i18n.T(ctx, "row", "count", 5))
}

func TestDirection(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"ar": "rtl", "ur": "rtl", "en": "ltr", "zh_CN": "ltr", "ar-EG": "rtl"} {
		require.Equal(t, want, i18n.Direction(lang), lang)
	}
}

func TestPluralForms(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]int{"en": 2, "ar": 6, "ru": 3, "ja": 1, "pl": 3} {
		require.Len(t, i18n.PluralForms(lang), want, lang)
	}
}
