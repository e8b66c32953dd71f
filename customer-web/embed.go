// Package customerweb carries the built trader web app inside the binary.
package customerweb

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Dist is the build's output folder: index.html, the hashed assets and .vite/manifest.json. Before
// the first build it holds nothing but placeholder.html.
var Dist = mustSub(files, "dist")

func mustSub(files embed.FS, dir string) fs.FS {
	sub, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // the name is a constant above: it cannot be invalid
	}
	return sub
}
