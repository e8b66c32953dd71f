package sandbox

import (
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"

	"candor/app/provider"
)

// Register writes a sandbox with its address to a file of providers, before the others, and returns the secret that it shares with the house: its former one, or
// a new one.
func Register(path string, own provider.Provider) (secret string, err error) {
	list, err := provider.Read(path)
	if err != nil {
		return "", err
	}
	own.Secret, own.Sandbox = rand.Text()+rand.Text(), true
	kept := []provider.Provider{own}
	for _, p := range list {
		switch {
		case p.ID != own.ID:
			kept = append(kept, p)
		case p.Secret != "":
			kept[0].Secret = p.Secret
		}
	}
	text, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return kept[0].Secret, os.WriteFile(path, append(text, '\n'), 0o600)
}
