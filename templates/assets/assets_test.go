package assets_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"candor/templates/assets"
)

func TestLoad(t *testing.T) {
	require.Empty(t, assets.URL("admin.ts"), "nothing before Load")

	require.Error(t, assets.Load(fstest.MapFS{}), "no manifest")
	require.ErrorContains(t, assets.Load(fstest.MapFS{"manifest.json": {Data: []byte(`{"index.html":{"file":"a.js","isEntry":true}}`)}}), "admin.ts")

	require.NoError(t, assets.Load(fstest.MapFS{".vite/manifest.json": {Data: []byte(`{
		"index.html": {"file": "assets/index-1.js", "isEntry": true},
		"_shared-2.js": {"file": "assets/shared-2.js", "css": ["assets/shared-2.css"]},
		"../templates/assets/admin.ts": {"file": "assets/admin-3.js", "isEntry": true, "imports": ["_shared-2.js"], "css": ["assets/admin-3.css"]}
	}`)}}))
	require.Equal(t, "/assets/admin-3.js", assets.URL("admin.ts"))
	require.Equal(t, []string{"/assets/shared-2.css", "/assets/admin-3.css"}, assets.CSS("admin.ts"))
	require.Empty(t, assets.URL("other.ts"))
}
