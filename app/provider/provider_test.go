package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/provider"
)

func TestRead(t *testing.T) {
	t.Parallel()
	good := `{"id":"acme","name":"Acme","url":"https://pay.example","secret":"` + secret + `"}`
	for name, try := range map[string]struct{ text, says string }{
		"One":           {"[" + good + "]", ""},
		"None":          {"[]", ""},
		"Twice":         {"[" + good + "," + good + "]", "named twice"},
		"ASealedSecret": {`[{"id":"acme","name":"Acme","url":"https://pay.example"}]`, ""}, // TestUnseal requires it
		"AShortSecret":  {strings.Replace("["+good+"]", secret, "short", 1), "its secret has less than"},
		"NoAddress":     {strings.Replace("["+good+"]", "https://pay.example", "pay", 1), "is no address"},
		"AStrangeID":    {strings.Replace("["+good+"]", "acme", "../acme", 1), "an id is"},
		"NoName":        {strings.Replace("["+good+"]", "Acme", "", 1), "has no name"},
		"NothingToRead": {"nothing", "read the providers in"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "providers.json")
			require.NoError(t, os.WriteFile(path, []byte(try.text), 0o600))
			_, err := provider.Read(path)
			if try.says == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, try.says)
				require.NotContains(t, err.Error(), secret)
			}
		})
	}
	list, err := provider.Read(filepath.Join(t.TempDir(), "none.json"))
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestUnsafe(t *testing.T) {
	t.Parallel()
	require.Empty(t, provider.Provider{URL: "https://pay.example"}.ProductionProblem())
	require.NotEmpty(t, provider.Provider{URL: "http://pay.example"}.ProductionProblem())
	require.NotEmpty(t, provider.Provider{URL: "https://pay.example", Sandbox: true}.ProductionProblem())
	clear := provider.Provider{ID: "acme", URL: "https://pay.example", Secret: secret}.ProductionProblem()
	require.Contains(t, clear, "run candor providers secret acme and remove it from the file")
	require.NotContains(t, clear, secret)
}
