package trader

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/alexedwards/argon2id"
)

// hashing is what one password hash costs: 19 MiB, two passes, one lane (OWASP's minimum for argon2id).
var hashing = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

const (
	hashesAtOnce = 4
	hashWait     = 5 * time.Second
)

// Hasher makes and checks password hashes, a few at a time, so that a flood of log-ins can't starve the trading.
type Hasher struct{ slots chan struct{} }

// NewHasher makes a hasher that works on four passwords at once.
func NewHasher() *Hasher { return &Hasher{make(chan struct{}, hashesAtOnce)} }

func (h *Hasher) enter(ctx context.Context) (leave func(), err error) {
	timer := time.NewTimer(hashWait)
	defer timer.Stop()
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots }, nil
	case <-timer.C:
		return nil, ErrBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Hash makes a password's hash. It returns ErrBusy when too many wait.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return argon2id.CreateHash(password, hashing)
}

// decoy is compared with when there is no account, so that the answer takes as long.
const decoy = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$qkUAVvVZBN5lBqvgWVDc9a8b6gMRZw5cnZc9SfvjMnc"

// Matches tells whether a password fits a hash; an empty hash never does, but costs the same.
func (h *Hasher) Matches(ctx context.Context, password, hash string) (bool, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	against := hash
	if hash == "" {
		against = decoy
	}
	match, err := argon2id.ComparePasswordAndHash(password, against)
	if err != nil {
		return false, fmt.Errorf("compare a password: %w", err)
	}
	return match && hash != "", nil
}

// common holds the passwords that guessers try first, in lower case: about 18,000 from the list of zxcvbn-ts, written by "make generate", and those
// that our name and trade suggest.
var common = func() map[string]bool {
	set := map[string]bool{}
	for _, word := range append(strings.Fields(commonPasswords), "bitcoin1", "trading1", "trader123", "candor123", "candor1234") {
		set[word] = true
	}
	return set
}()

//go:embed common-passwords.txt
var commonPasswords string
