// Package passwordstest hashes passwords at next to no cost, for tests whose subject is not the hash.
package passwordstest

import (
	"github.com/alexedwards/argon2id"

	"candor/app/platform/passwords"
)

// Quick is argon2id with the least memory and one pass.
type Quick struct{ passwords.InProcess }

// Hash implements passwords.Argon2.
func (Quick) Hash(password []byte) (string, error) {
	return argon2id.CreateHash(string(password), &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
}
