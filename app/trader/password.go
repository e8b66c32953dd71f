package trader

import (
	"context"
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

// common holds the passwords that every guesser tries first; the list is short because the throttles do the work.
var common = func() map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(commonPasswords) {
		set[word] = true
	}
	return set
}()

const commonPasswords = `
12345678 123456789 1234567890 password password1 password12 password123 passw0rd qwertyui qwertyuiop qwerty123 qwerty12 1q2w3e4r 1q2w3e4r5t
1qaz2wsx zaq12wsx iloveyou sunshine princess football baseball superman trustno1 letmein1 welcome1 welcome123 abc12345 abcd1234 abc123456
11111111 00000000 88888888 66666666 87654321 987654321 0987654321 12341234 11223344 asdfghjk asdfghjkl zxcvbnm1 qazwsxedc 123123123 112233445566
1234qwer qwer1234 admin123 admin1234 administrator monkey123 dragon123 michael1 jennifer computer internet whatever starwars master123 shadow123
changeme changeme1 secret123 a1234567 a12345678 aa123456 aa12345678 p@ssw0rd p@ssword google123 facebook bitcoin1 trading1 trader123 candor123`
