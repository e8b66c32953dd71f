package vault

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Folder keeps ciphertexts as files under random names.
type Folder struct{ dir string }

// NewFolder uses a folder, which is made with the first file.
func NewFolder(dir string) *Folder { return &Folder{dir} }

var nameForm = regexp.MustCompile(`^[0-9a-f]{32}\.sealed$`)

// Put keeps a ciphertext and returns its name.
func (f *Folder) Put(ciphertext []byte) (name string, err error) {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	name = hex.EncodeToString(raw) + ".sealed"
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return "", fmt.Errorf("make the folder of secrets: %w", err)
	}
	if err := os.WriteFile(filepath.Join(f.dir, name), ciphertext, 0o600); err != nil {
		return "", errors.Join(fmt.Errorf("keep a secret: %w", err), f.Remove(name))
	}
	return name, nil
}

// Get reads a ciphertext by its name; a name of another form is not found.
func (f *Folder) Get(name string) ([]byte, error) {
	if !nameForm.MatchString(name) {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(filepath.Join(f.dir, name))
}

// Remove deletes a ciphertext; a missing one is no error.
func (f *Folder) Remove(name string) error {
	if !nameForm.MatchString(name) {
		return fs.ErrNotExist
	}
	if err := os.Remove(filepath.Join(f.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a secret: %w", err)
	}
	return nil
}
