package upload

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// Store keeps pictures under random names in a folder.
type Store struct{ dir string }

// NewStore uses a folder, which is made at the first picture.
func NewStore(dir string) *Store { return &Store{dir} }

var nameForm = regexp.MustCompile(`^[0-9a-f]{32}\.jpg$`)

// Put keeps a picture and returns its name.
func (s *Store) Put(p Picture) (name string, err error) {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	name = hex.EncodeToString(raw) + ".jpg"
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return "", fmt.Errorf("make the upload folder: %w", err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, name), p.Bytes, 0o600); err != nil {
		return "", errors.Join(fmt.Errorf("store a picture: %w", err), os.Remove(filepath.Join(s.dir, name)))
	}
	return name, nil
}

// Get reads a picture by its name; a name of another form is not found.
func (s *Store) Get(name string) ([]byte, error) {
	if !nameForm.MatchString(name) {
		return nil, os.ErrNotExist
	}
	return os.ReadFile(filepath.Join(s.dir, name))
}

// Remove deletes a picture; a missing one is no error.
func (s *Store) Remove(name string) error {
	if !nameForm.MatchString(name) {
		return os.ErrNotExist
	}
	if err := os.Remove(filepath.Join(s.dir, name)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
