package kit_test

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"

	"candor/app/platform/i18n"
	"candor/locales"
	"candor/templates/assets"
	"candor/templates/layout"
	"candor/templates/ui/kit"
)

var (
	out  = flag.String("kit-out", os.Getenv("KIT_OUT"), "write the kit as static pages into this folder")
	dist = flag.String("kit-dist", "../../../customer-web/dist", "the Vite build with the style sheet")
)

// TestKit renders every part. With -kit-out it also writes the pages and their assets for viewing: go test ./templates/ui/kit -run TestKit -kit-out=/tmp/kit
func TestKit(t *testing.T) {
	if *out != "" {
		require.NoError(t, assets.LoadAt(os.DirFS(*dist), "."))
		copyAssets(t)
	}
	catalogue, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	ctx := i18n.WithLang(templ.WithNonce(context.Background(), "n0nce"), catalogue, "en")

	for _, theme := range []string{"light", "dark"} {
		for name, page := range map[string]templ.Component{
			"kit":      kit.Kit(theme),
			"list":     kit.Deposits(theme, layout.ShowList),
			"detail":   kit.Deposits(theme, layout.ShowDetail),
			"decision": kit.Decision(theme),
			"signin":   kit.SignIn(theme),
		} {
			var html bytes.Buffer
			require.NoError(t, page.Render(ctx, &html), name)
			require.Contains(t, html.String(), "</html>")
			require.NotContains(t, html.String(), ">ui.", "a key without words on %s", name)
			require.NotContains(t, html.String(), ">layout.", "a key without words on %s", name)
			if *out != "" {
				write(t, filepath.Join(*out, name+"-"+theme+".html"), html.Bytes())
				rtl := strings.Replace(html.String(), `dir="ltr"`, `dir="rtl"`, 1)
				write(t, filepath.Join(*out, name+"-"+theme+"-rtl.html"), []byte(rtl))
			}
		}
	}
}

func copyAssets(t *testing.T) {
	t.Helper()
	from := os.DirFS(*dist)
	files, err := fs.Glob(from, "assets/*")
	require.NoError(t, err)
	for _, name := range files {
		raw, err := fs.ReadFile(from, name)
		require.NoError(t, err)
		write(t, filepath.Join(*out, name), raw)
	}
}

func write(t *testing.T, name string, raw []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, raw, 0o644))
}
