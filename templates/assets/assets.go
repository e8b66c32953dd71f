// Package assets resolves the built names of the back office's scripts and style sheets.
package assets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync/atomic"
)

// Entry is the script of every page; its style sheet comes with it.
const Entry = "admin.ts"

type chunk struct {
	File    string   `json:"file"`
	CSS     []string `json:"css"`
	Imports []string `json:"imports"`
	IsEntry bool     `json:"isEntry"`
}

type manifest struct {
	base   string
	chunks map[string]chunk
}

var current atomic.Pointer[manifest]

// Load reads the manifest of a Vite build from its output folder, once, at start. The files are served below "/". It fails when there is no manifest or when it
// lacks the back office's entry.
func Load(dist fs.FS) error { return LoadAt(dist, "/") }

// LoadAt is Load for files served below another path.
func LoadAt(dist fs.FS, base string) error {
	var raw []byte
	var err error
	for _, name := range [...]string{".vite/manifest.json", "manifest.json"} {
		if raw, err = fs.ReadFile(dist, name); err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("read the asset manifest: %w", err)
	}
	loaded := &manifest{base: strings.TrimSuffix(base, "/") + "/"}
	if err := json.Unmarshal(raw, &loaded.chunks); err != nil {
		return fmt.Errorf("parse the asset manifest: %w", err)
	}
	if _, ok := loaded.entry(Entry); !ok {
		return fmt.Errorf("the asset manifest has no entry %s", Entry)
	}
	current.Store(loaded)
	return nil
}

// URL is the path of an entry, for example URL("admin.ts"); "" before Load.
func URL(entry string) string {
	m := current.Load()
	if m == nil {
		return ""
	}
	found, ok := m.entry(entry)
	if !ok {
		return ""
	}
	return m.base + found.File
}

// CSS lists the paths of the style sheets of an entry and of its imports.
func CSS(entry string) []string {
	m := current.Load()
	if m == nil {
		return nil
	}
	found, ok := m.entry(entry)
	if !ok {
		return nil
	}
	var sheets []string
	m.collect(found, map[string]bool{}, &sheets)
	return sheets
}

// entry finds an entry by the end of its source path, independent of Vite's root.
func (m *manifest) entry(name string) (chunk, bool) {
	for source, c := range m.chunks {
		if c.IsEntry && path.Base(source) == name {
			return c, true
		}
	}
	return chunk{}, false
}

func (m *manifest) collect(c chunk, seen map[string]bool, sheets *[]string) {
	for _, source := range c.Imports {
		if !seen[source] {
			seen[source] = true
			m.collect(m.chunks[source], seen, sheets)
		}
	}
	for _, sheet := range c.CSS {
		if address := m.base + sheet; !slices.Contains(*sheets, address) {
			*sheets = append(*sheets, address)
		}
	}
}
