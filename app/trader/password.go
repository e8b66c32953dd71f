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

// Hasher makes and checks password hashes, a few at a time, so that a flood of log-ins can't starve the trading. Callers take turns: strangers, by their source,
// among themselves, and those who have shown who they are, by their account, among themselves.
type Hasher struct {
	argon2            passwords.Argon2
	owners, strangers *admission.Limiter
}

// hashesAtOnce is how many cores the hashes of each of the two keep busy: a quarter of all, and one at least.
func hashesAtOnce() int { return max(1, runtime.GOMAXPROCS(0)/4) }

// HashWorkers is how many hashes are made at a time in all.
func HashWorkers() int { return 2 * hashesAtOnce() }

// NewHasher makes a hasher that hashes in this process.
func NewHasher() *Hasher { return NewHasherWith(passwords.InProcess{}) }

// NewHasherWith makes a hasher that leaves the work to another, HashWorkers passwords at a time.
func NewHasherWith(argon2 passwords.Argon2) *Hasher {
	limits := admission.Limits{Running: 4, Waiting: 120, Total: hashesAtOnce(), Crowd: 512, Patience: 10 * time.Second}
	return &Hasher{argon2: argon2, owners: admission.New(limits), strangers: admission.New(limits)}
}

// By is whose turn a hash takes.
type By struct {
	name  string
	shown bool
}

// Account is a trader with a session, or at a device that they have logged in from.
func Account(id int64) By { return By{strconv.FormatInt(id, 10), true} }

// Invited is who came with a code or a link that was sent to them, and staff in a browser that they have signed in with.
func Invited(ip string) By { return By{clientip.Source(ip), true} }

// Stranger is anybody else.
func Stranger(ip string) By { return By{clientip.Source(ip), false} }

func (h *Hasher) enter(ctx context.Context, by By) (leave func(), err error) {
	if by.shown {
		return h.owners.Enter(ctx, by.name)
	}
	return h.strangers.Enter(ctx, by.name)
}

// Hash makes a password's hash. It returns admission.ErrBusy when too many wait.
func (h *Hasher) Hash(ctx context.Context, by By, password string) (string, error) {
	leave, err := h.enter(ctx, by)
	if err != nil {
		return "", err
	}
	defer leave()
	return h.argon2.Hash([]byte(password))
}

// decoy is compared with when there is no account, so that the answer takes as long.
const decoy = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$qkUAVvVZBN5lBqvgWVDc9a8b6gMRZw5cnZc9SfvjMnc"

// Matches tells whether a password fits a hash; an empty hash never does, but costs the same. After an error nothing was compared.
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
