package vault

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/prf"
)

// keyFile is the form of the key file: two of Tink's keysets, in its binary form.
type keyFile struct {
	Wrapping []byte `json:"wrapping"`
	Tagging  []byte `json:"tagging"`
}

// Load reads the keys of the data folder and makes them on the first start. inUse says that something is sealed already: then a missing key file
// is refused, because new keys would open nothing.
func Load(dir string, inUse bool) (*Vault, error) {
	v := &Vault{path: filepath.Join(dir, "keys", "vault.json")}
	text, err := os.ReadFile(v.path)
	if errors.Is(err, fs.ErrNotExist) {
		if inUse {
			return nil, fmt.Errorf("the key file %s is missing, and the database holds what only its keys open: restore it from the backup", v.path)
		}
		if text, err = v.create(); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read the key file: %w", err)
	}
	v.keys, err = v.parse(text)
	return v, err
}

// create writes a new key file, or reads the one that another server has written meanwhile.
func (v *Vault) create() ([]byte, error) {
	wrapping, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("make a wrapping key: %w", err)
	}
	tagging, err := keyset.NewHandle(prf.HMACSHA256PRFKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("make a key for tags: %w", err)
	}
	text, err := format(wrapping, tagging)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(v.path), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of keys: %w", err)
	}
	whole := v.path + "." + rand.Text()
	if err := write(whole, text); err != nil {
		return nil, err
	}
	err = os.Link(whole, v.path) // unlike a rename it never replaces a file
	if removed := os.Remove(whole); removed != nil {
		return nil, fmt.Errorf("write the key file: %w", removed)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("write the key file: %w", err)
	}
	return os.ReadFile(v.path)
}

// write keeps a text in a private file, and returns once it would survive a power cut.
func write(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write the key file: %w", err)
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(fmt.Errorf("write the key file: %w", err), os.Remove(path))
	}
	return nil
}

func format(wrapping, tagging *keyset.Handle) ([]byte, error) {
	var file keyFile
	for _, one := range []struct {
		handle *keyset.Handle
		into   *[]byte
	}{{wrapping, &file.Wrapping}, {tagging, &file.Tagging}} {
		var text bytes.Buffer
		if err := insecurecleartextkeyset.Write(one.handle, keyset.NewBinaryWriter(&text)); err != nil {
			return nil, fmt.Errorf("write a keyset: %w", err)
		}
		*one.into = text.Bytes()
	}
	return json.Marshal(file)
}

func (v *Vault) parse(text []byte) (keys, error) {
	damaged := fmt.Errorf("the key file %s is damaged: restore it from the backup", v.path)
	var file keyFile
	if err := json.Unmarshal(text, &file); err != nil {
		return keys{}, damaged
	}
	wrapping, err := insecurecleartextkeyset.Read(keyset.NewBinaryReader(bytes.NewReader(file.Wrapping)))
	if err != nil {
		return keys{}, damaged
	}
	tagging, err := insecurecleartextkeyset.Read(keyset.NewBinaryReader(bytes.NewReader(file.Tagging)))
	if err != nil {
		return keys{}, damaged
	}
	return keys{text: text, wrapping: wrapping, tagging: tagging}.prepare()
}

// reload uses the key file if it has changed since it was last read.
func (v *Vault) reload() (changed bool, err error) {
	text, err := os.ReadFile(v.path)
	if err != nil {
		return false, fmt.Errorf("read the key file again: %w", err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if bytes.Equal(text, v.keys.text) {
		return false, nil
	}
	fresh, err := v.parse(text)
	if err != nil {
		return false, err
	}
	v.keys = fresh
	return true, nil
}

// Rotate adds a new key that wraps from now on; the older ones stay for what they have wrapped. A second rotation at the same time is refused: the first
// writes a file beside the key file.
func (v *Vault) Rotate() error {
	return v.change(func(m *keyset.Manager) error {
		id, err := m.Add(aead.AES256GCMKeyTemplate())
		if err != nil {
			return fmt.Errorf("add a wrapping key: %w", err)
		}
		if err := m.SetPrimary(id); err != nil {
			return fmt.Errorf("choose the new wrapping key: %w", err)
		}
		return nil
	})
}

// Retire removes all keys but the newest from the key file. Secrets that only they have wrapped can't be opened any more, in any copy: the
// caller knows that none of these is in use.
func (v *Vault) Retire() error {
	return v.change(func(m *keyset.Manager) error {
		handle, err := m.Handle()
		if err != nil {
			return fmt.Errorf("list the wrapping keys: %w", err)
		}
		for i := range handle.Len() {
			entry, err := handle.Entry(i)
			if err != nil {
				return fmt.Errorf("list the wrapping keys: %w", err)
			}
			if entry.IsPrimary() {
				continue
			}
			if err := m.Delete(entry.KeyID()); err != nil {
				return fmt.Errorf("retire a wrapping key: %w", err)
			}
		}
		return nil
	})
}

// Keys counts the keys that wrap or have wrapped.
func (v *Vault) Keys() (int, error) {
	if _, err := v.reload(); err != nil {
		return 0, err
	}
	return v.now().wrapping.Len(), nil
}

// change replaces the key file with one that has other wrapping keys, as a whole and durably, and uses it from now on.
func (v *Vault) change(act func(*keyset.Manager) error) error {
	if _, err := v.reload(); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	manager := keyset.NewManagerFromHandle(v.keys.wrapping)
	if err := act(manager); err != nil {
		return err
	}
	wrapping, err := manager.Handle()
	if err != nil {
		return fmt.Errorf("change the wrapping keys: %w", err)
	}
	text, err := format(wrapping, v.keys.tagging)
	if err != nil {
		return err
	}
	fresh, err := v.parse(text)
	if err != nil {
		return err
	}
	next := v.path + ".next"
	if err := write(next, text); err != nil {
		return fmt.Errorf("%w: if no other rotation is under way, one was cut short; remove %s", err, next)
	}
	if err := os.Rename(next, v.path); err != nil {
		return fmt.Errorf("replace the key file: %w", err)
	}
	v.keys = fresh
	return settle(filepath.Dir(v.path))
}

// settle returns once a power cut can't undo a rename in a folder: what the new key wraps must not outlive the key.
func settle(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("settle the folder of keys: %w", err)
	}
	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return fmt.Errorf("settle the folder of keys: %w", err)
	}
	return nil
}
