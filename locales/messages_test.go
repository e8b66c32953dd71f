package locales_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/locales"
)

// subjects calls see with the subject of every message of both folders, in every language.
func subjects(t *testing.T, see func(kind, lang, subject string)) {
	t.Helper()
	for _, folder := range []fs.FS{locales.Customer(), locales.Backoffice()} {
		for _, lang := range languages(t, folder) {
			for key, text := range read(t, folder, lang) {
				kind, isMessage := strings.CutPrefix(key, "message.")
				if kind, isSubject := strings.CutSuffix(kind, ".subject"); isMessage && isSubject {
					see(kind, lang, text)
				}
			}
		}
	}
}

// TestSubjectsHoldNoCode keeps what lets somebody in out of subjects, which are stored in clear and shown to staff.
func TestSubjectsHoldNoCode(t *testing.T) {
	t.Parallel()
	seen := 0
	subjects(t, func(kind, lang, subject string) {
		seen++
		for _, name := range argument.FindAllStringSubmatch(subject, -1) {
			require.NotContains(t, []string{"code", "link"}, name[1], "%s in %s", kind, lang)
		}
	})
	require.Greater(t, seen, 100)
}

// TestEveryMessageHasAName lets the outbox of the back office say which message one is.
func TestEveryMessageHasAName(t *testing.T) {
	t.Parallel()
	names := read(t, locales.Backoffice(), "en")
	subjects(t, func(kind, _, _ string) { require.Contains(t, names, "outbox.kind."+kind) })
}
