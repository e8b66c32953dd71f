package trader

import (
	"context"
	_ "embed"
	"runtime"
	"strconv"
	"strings"
	"time"

	"candor/app/platform/admission"
	"candor/app/platform/clientip"
	"candor/app/platform/passwords"
)

// Hasher makes and checks password hashes with limited concurrency, so that a flood of log-ins can't starve trading. Callers queue in two groups: strangers
// by source, and known callers by account.
type Hasher struct {
	argon2            passwords.Argon2
	owners, strangers *admission.Limiter
}

// hashesAtOnce is the number of cores for each group's hashes: a quarter of all, at least one.
func hashesAtOnce() int { return max(1, runtime.GOMAXPROCS(0)/4) }

// HashWorkers is the total number of concurrent hashes.
func HashWorkers() int { return 2 * hashesAtOnce() }

// NewHasher makes a hasher that hashes in this process.
func NewHasher() *Hasher { return NewHasherWith(passwords.InProcess{}) }

// NewHasherWith makes a hasher that delegates to argon2, at most HashWorkers passwords at a time.
func NewHasherWith(argon2 passwords.Argon2) *Hasher {
	limits := admission.Limits{Running: 4, Waiting: 120, Total: hashesAtOnce(), Crowd: 512, Patience: 10 * time.Second}
	return &Hasher{argon2: argon2, owners: admission.New(limits), strangers: admission.New(limits)}
}

// By is the caller whose turn a hash takes.
type By struct {
	name  string
	shown bool
}

// Account is a trader with a session or on a known device.
func Account(id int64) By { return By{strconv.FormatInt(id, 10), true} }

// Invited is a caller with a code or link that was sent to them, or staff in a browser of an earlier sign-in.
func Invited(ip string) By { return By{clientip.Source(ip), true} }

// Stranger is any other caller.
func Stranger(ip string) By { return By{clientip.Source(ip), false} }

func (h *Hasher) enter(ctx context.Context, by By) (leave func(), err error) {
	if by.shown {
		return h.owners.Enter(ctx, by.name)
	}
	return h.strangers.Enter(ctx, by.name)
}

// Hash makes a password's hash. It returns admission.ErrBusy when too many callers wait.
func (h *Hasher) Hash(ctx context.Context, by By, password string) (string, error) {
	leave, err := h.enter(ctx, by)
	if err != nil {
		return "", err
	}
	defer leave()
	return h.argon2.Hash([]byte(password))
}

// decoy is the hash to compare with when there is no account, so that the response takes as long.
const decoy = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$qkUAVvVZBN5lBqvgWVDc9a8b6gMRZw5cnZc9SfvjMnc"

// Matches reports whether a password fits a hash; an empty hash never does, but costs the same. After an error nothing was compared.
func (h *Hasher) Matches(ctx context.Context, by By, password, hash string) (bool, error) {
	leave, err := h.enter(ctx, by)
	if err != nil {
		return false, err
	}
	defer leave()
	against := hash
	if hash == "" {
		against = decoy
	}
	match, err := h.argon2.Matches([]byte(password), against)
	return match && hash != "", err
}

// common has the passwords that attackers try first, in lower case: about 18,000 from the list of zxcvbn-ts, written by "make generate", and those that our
// name and trade suggest.
var common = func() map[string]bool {
	set := map[string]bool{}
	for _, word := range append(strings.Fields(commonPasswords), "bitcoin1", "trading1", "trader123", "candor123", "candor1234") {
		set[word] = true
	}
	return set
}()

//go:embed common-passwords.txt
var commonPasswords string
