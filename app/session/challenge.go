package session

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
	"time"

	"candor/app/platform/clientip"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// A challenge is hashcash (Adam Back, "Hashcash: a denial of service counter-measure", 2002) over SHA-256: before a request that costs us or bothers others,
// the client searches for a number whose hash, together with the challenge, starts with enough zero bits. The user sees, hears and types nothing.

// Refusals of solutions.
var (
	ErrVerify      = errs.New(errs.Refused, "verify.needed") // a challenge must be solved first
	ErrVerifyWrong = errs.New(errs.Refused, "verify.wrong")  // not solved, expired, used before, or too easy by now
)

// ChallengeLife is how long a challenge can be solved.
const ChallengeLife = 10 * time.Minute

// Difficulties, in zero bits. Each extra bit doubles the work: 16 bits take a browser 65,536 hashes on average.
const (
	easiest = 16
	hardest = 24
)

// A challenge is an id, the second at which it expires, its difficulty, and the signature of these.
const (
	idSize        = 16
	challengeSize = idSize + 8 + 1 + sha256.Size
)

// Challenge is a puzzle for a client to solve.
type Challenge struct {
	Text       string
	Difficulty int
}

// NewChallenge makes a challenge for a source. The more codes and guests the source has requested lately, the harder it is.
func (s *Service) NewChallenge(ctx context.Context, ip string) (Challenge, error) {
	key, err := s.challengeKey(ctx)
	if err != nil {
		return Challenge{}, err
	}
	difficulty, err := s.difficulty(ctx, s.db.Pool, ip)
	if err != nil {
		return Challenge{}, err
	}
	raw := make([]byte, idSize, challengeSize)
	_, _ = rand.Read(raw) // never fails: see crypto/rand
	raw = binary.BigEndian.AppendUint64(raw, uint64(s.clock.Now().Add(ChallengeLife).Unix()))
	raw = append(raw, byte(difficulty))
	return Challenge{base64.RawURLEncoding.EncodeToString(append(raw, sign(key, raw)...)), difficulty}, nil
}

// difficulty returns the difficulty of a source's next challenge.
func (s *Service) difficulty(ctx context.Context, q db.Querier, ip string) (int, error) {
	lately := 0
	err := q.QueryRow(ctx, `SELECT coalesce(sum(count), 0) FROM throttles WHERE name = 'solved' AND subject = $1 AND since > $2`,
		clientip.Source(ip), s.clock.Now().Add(-solvedWindow)).Scan(&lately)
	if err != nil {
		return 0, fmt.Errorf("count what a source has solved: %w", err)
	}
	return min(hardest, easiest+bits.Len(uint(lately/solvedFree))), nil
}

// outgrown is how many bits easier a solved challenge may be than its source's next one: neighbours may have solved some meanwhile. One that lacks more bits
// was fetched with many others while they were easy.
const outgrown = 1

const (
	solvedWindow = time.Hour
	solvedFree   = 200 // per source and hour before challenges grow harder: enough for an office or a carrier's customers
)

// UseSolution marks a solution, "challenge.number", as used, even if the request that it pays for is refused later.
// It returns ErrVerify if there is none, or ErrVerifyWrong.
func (s *Service) UseSolution(ctx context.Context, solution, ip string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error { return s.solveTx(ctx, tx, solution, ip) })
}

// solveTx is UseSolution within a transaction.
func (s *Service) solveTx(ctx context.Context, tx *db.Tx, solution, ip string) error {
	if solution == "" {
		return ErrVerify
	}
	text, _, _ := strings.Cut(solution, ".")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != challengeSize || len(solution) > 2*challengeSize {
		return ErrVerifyWrong
	}
	signed, signature := raw[:challengeSize-sha256.Size], raw[challengeSize-sha256.Size:]
	expires := time.Unix(int64(binary.BigEndian.Uint64(signed[idSize:])), 0)
	key, err := challengeKeyTx(ctx, tx)
	if err != nil {
		return err
	}
	difficulty := int(signed[len(signed)-1])
	if !hmac.Equal(signature, sign(key, signed)) || s.clock.Now().After(expires) || !solves(solution, difficulty) {
		return ErrVerifyWrong
	}
	needed, err := s.difficulty(ctx, tx.Conn, ip)
	if err != nil {
		return err
	}
	if difficulty+outgrown < needed {
		return ErrVerifyWrong
	}
	tag, err := tx.Conn.Exec(ctx, `INSERT INTO solved_challenges (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, signed[:idSize], expires)
	if err != nil {
		return fmt.Errorf("note a solved challenge: %w", err)
	}
	if tag.RowsAffected() != 1 {
		return ErrVerifyWrong
	}
	_, err = s.CountTx(ctx, tx, "solved", clientip.Source(ip), solvedWindow)
	return err
}

// solves reports whether the hash of a solution starts with at least that many zero bits.
func solves(solution string, difficulty int) bool {
	sum := sha256.Sum256([]byte(solution))
	return bits.LeadingZeros64(binary.BigEndian.Uint64(sum[:])) >= difficulty
}

// Solve finds a solution, for tests and demonstrations; the app does the same in the background.
func (c Challenge) Solve() string {
	for n := 0; ; n++ {
		if solution := fmt.Sprint(c.Text, ".", n); solves(solution, c.Difficulty) {
			return solution
		}
	}
}

func sign(key, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return mac.Sum(nil)
}

// challengeKey returns the key shared by all servers; the first one to need it creates it.
func (s *Service) challengeKey(ctx context.Context) (key []byte, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		key, err = challengeKeyTx(ctx, tx)
		return err
	})
	return key, err
}

func challengeKeyTx(ctx context.Context, tx *db.Tx) (key []byte, err error) {
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh)
	if _, err := tx.Conn.Exec(ctx, `INSERT INTO challenge_keys (id, key) VALUES (1, $1) ON CONFLICT DO NOTHING`, fresh); err != nil {
		return nil, fmt.Errorf("make the key of challenges: %w", err)
	}
	if err := tx.Conn.QueryRow(ctx, `SELECT key FROM challenge_keys WHERE id = 1`).Scan(&key); err != nil {
		return nil, fmt.Errorf("read the key of challenges: %w", err)
	}
	return key, nil
}
