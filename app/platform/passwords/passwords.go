// Package passwords makes and compares hashes of passwords: in this process, or in processes of their own that leave the cores to everything else.
package passwords

import (
	"fmt"

	"github.com/alexedwards/argon2id"
)

// Argon2 makes hashes and compares them. It is safe for many goroutines; the caller limits how many it serves at a time.
type Argon2 interface {
	// Hash makes the hash of a password, with a new salt.
	Hash(password []byte) (hash string, err error)
	// Matches reports whether a password fits a hash. An error says nothing about the password. It returns admission.ErrBusy when it would take too long.
	Matches(password []byte, hash string) (bool, error)
}

// cost is what one hash costs: 19 MiB, two passes, one lane (OWASP's minimum for argon2id).
var cost = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// InProcess hashes in this process.
type InProcess struct{}

// Hash implements Argon2.
func (InProcess) Hash(password []byte) (string, error) {
	return argon2id.CreateHash(string(password), cost)
}

// Matches implements Argon2.
func (InProcess) Matches(password []byte, hash string) (bool, error) {
	match, err := argon2id.ComparePasswordAndHash(string(password), hash)
	if err != nil {
		return false, fmt.Errorf("compare a password: %w", err)
	}
	return match, nil
}
