// Package vault seals secrets: each has its own data key, which a key of the data folder wraps, and is bound to its owner and field.
// Without its wrapped key a secret is gone, however many copies of its ciphertext exist.
package vault

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/prf"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// ErrUnreadable is returned for a secret that can't be opened: it was altered, moved to another owner or field, shredded, or its key is not in the key file.
var ErrUnreadable = errors.New("vault: this secret can't be opened")

// TagSize is the length of a tag in bytes.
const TagSize = 32

// Sealed is a secret as it is stored. Deleting the wrapped key shreds the secret.
type Sealed struct {
	WrappedKey []byte
	Ciphertext []byte
}

// Vault seals and opens. It is safe for many goroutines, and for several servers that share a data folder.
type Vault struct {
	path string

	mu   sync.RWMutex
	keys keys
}

// keys are the contents of the key file: those that wrap data keys, the primary one for new data keys, and the one that makes tags, which never changes.
type keys struct {
	text     []byte // of the file
	wrapping *keyset.Handle
	tagging  *keyset.Handle
	wrap     tink.AEAD
	envelope tink.AEAD
	tag      *prf.Set
}

// prepare makes the primitives that use the keys.
func (k keys) prepare() (keys, error) {
	var err error
	if k.wrap, err = aead.New(k.wrapping); err != nil {
		return k, fmt.Errorf("use the wrapping keys: %w", err)
	}
	k.envelope = aead.NewKMSEnvelopeAEAD2(aead.AES256GCMKeyTemplate(), k.wrap)
	if k.tag, err = prf.NewPRFSet(k.tagging); err != nil {
		return k, fmt.Errorf("use the key of tags: %w", err)
	}
	return k, nil
}

func (v *Vault) now() keys {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.keys
}

// lengthSize is the number of bytes that hold the length of the wrapped key in Tink's envelope.
const lengthSize = 4

// Seal encrypts a secret with a new data key. The associated data names its owner and field, such as "trader:7|document:9|front"; it must be the same
// to open it. The newest key of the file wraps, even if another server or a command has just added it.
func (v *Vault) Seal(associated string, plaintext []byte) (Sealed, error) {
	if _, err := v.reload(); err != nil {
		return Sealed{}, err
	}
	envelope, err := v.now().envelope.Encrypt(plaintext, []byte(associated))
	if err != nil {
		return Sealed{}, fmt.Errorf("seal a secret: %w", err)
	}
	length := binary.BigEndian.Uint32(envelope)
	rest := envelope[lengthSize:]
	return Sealed{WrappedKey: bytes.Clone(rest[:length]), Ciphertext: bytes.Clone(rest[length:])}, nil
}

// open decrypts a secret. It returns ErrUnreadable.
func (v *Vault) open(associated string, s Sealed) ([]byte, error) {
	if len(s.WrappedKey) == 0 {
		return nil, ErrUnreadable
	}
	envelope := binary.BigEndian.AppendUint32(make([]byte, 0, lengthSize+len(s.WrappedKey)+len(s.Ciphertext)), uint32(len(s.WrappedKey)))
	envelope = append(append(envelope, s.WrappedKey...), s.Ciphertext...)
	return v.decrypt(func(k keys) ([]byte, error) { return k.envelope.Decrypt(envelope, []byte(associated)) })
}

// decrypt tries with the loaded keys and, if another server has changed the key file since, with those of the file.
func (v *Vault) decrypt(try func(keys) ([]byte, error)) ([]byte, error) {
	plaintext, err := try(v.now())
	if err == nil {
		return plaintext, nil
	}
	changed, err := v.reload()
	if err != nil {
		return nil, err
	}
	if !changed {
		return nil, ErrUnreadable
	}
	if plaintext, err = try(v.now()); err != nil {
		return nil, ErrUnreadable
	}
	return plaintext, nil
}

// Rewrap wraps the data key of a secret with the newest key; the ciphertext does not change. It returns ErrUnreadable.
func (v *Vault) Rewrap(s Sealed) (Sealed, error) {
	if _, err := v.reload(); err != nil {
		return Sealed{}, err
	}
	dataKey, err := v.decrypt(func(k keys) ([]byte, error) { return k.wrap.Decrypt(s.WrappedKey, nil) })
	if err != nil {
		return Sealed{}, err
	}
	wrapped, err := v.now().wrap.Encrypt(dataKey, nil)
	if err != nil {
		return Sealed{}, fmt.Errorf("wrap a data key: %w", err)
	}
	return Sealed{WrappedKey: wrapped, Ciphertext: s.Ciphertext}, nil
}

// Fresh is the prefix of the wrapped keys that the newest key has made; all others must be wrapped again.
func (v *Vault) Fresh() ([]byte, error) {
	if _, err := v.reload(); err != nil {
		return nil, err
	}
	primary, err := v.now().wrapping.Primary()
	if err != nil {
		return nil, fmt.Errorf("find the newest key: %w", err)
	}
	const tinkPrefix = 1
	return binary.BigEndian.AppendUint32([]byte{tinkPrefix}, primary.KeyID()), nil
}

// Tag is the HMAC-SHA256 of a text for one purpose: equal texts have equal tags, and nobody without the key can tell a text from its tag.
// Rotation does not change it.
func (v *Vault) Tag(purpose string, text []byte) ([]byte, error) {
	input := binary.BigEndian.AppendUint32(nil, uint32(len(purpose)))
	input = append(append(input, purpose...), text...)
	tag, err := v.now().tag.ComputePrimaryPRF(input, TagSize)
	if err != nil {
		return nil, fmt.Errorf("make a tag: %w", err)
	}
	return tag, nil
}
