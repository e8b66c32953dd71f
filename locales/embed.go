// Package locales carries the texts of both doors: customer/<lang>/<namespace>.json and backoffice/<lang>/<namespace>.json.
package locales

import (
	"embed"
	"io/fs"
)

//go:embed */*/*.json
var files embed.FS

// Customer holds the languages of the trader app.
func Customer() fs.FS { return folder("customer") }

// Backoffice holds the languages of the back office.
func Backoffice() fs.FS { return folder("backoffice") }

func folder(name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // only an invalid name fails, and both names are constants
	}
	return sub
}
