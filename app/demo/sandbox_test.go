package demo

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/provider"
	"candor/app/server"
)

func TestTheDemoHasAProviderThatMovesNoMoney(t *testing.T) {
	t.Parallel()
	c := server.Config{Providers: filepath.Join(t.TempDir(), "providers.json")}
	start := func() (string, provider.Provider) {
		panel, stop, err := startSandbox(t.Context(), c)
		require.NoError(t, err)
		t.Cleanup(stop)
		list, err := provider.Read(c.Providers)
		require.NoError(t, err)
		require.Len(t, list, 1)
		return panel, list[0]
	}
	panel, first := start()
	require.Equal(t, []any{sandboxID, true, panel}, []any{first.ID, first.Sandbox, first.URL})
	require.Contains(t, first.Name, "moves no money")
	shown, err := http.Get(panel) //nolint:gosec,noctx // of this test
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, shown.Body)
	require.NoError(t, err)
	require.NoError(t, shown.Body.Close())
	require.Equal(t, http.StatusOK, shown.StatusCode)

	panel, again := start()
	require.Equal(t, []string{first.Secret, panel}, []string{again.Secret, again.URL}, "the next start has another port and the same secret")

	t.Run("WithOtherProvidersThereIsNone", func(t *testing.T) {
		require.NoError(t, os.WriteFile(c.Providers, []byte(`[{"id": "acme", "name": "Acme Pay", "url": "https://api.acme.example"}]`), 0o600))
		panel, stop, err := startSandbox(t.Context(), c)
		require.NoError(t, err)
		stop()
		require.Empty(t, panel)
		list, err := provider.Read(c.Providers)
		require.NoError(t, err)
		require.Len(t, list, 1)
	})
}
