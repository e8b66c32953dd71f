// Package session opens and ends sessions: opaque tokens stored as hashes, devices, one-time codes and throttles against guessing.
package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/mileusna/useragent"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/events"
	"candor/app/platform/geo"
)

// Lifetimes of sessions.
const (
	lifetime  = 30 * 24 * time.Hour
	idle      = 7 * 24 * time.Hour
	seenEvery = time.Minute // how exact "last seen" is
)

// ErrToken is returned for a missing, unknown, ended or expired token.
var ErrToken = errs.New(errs.Unauthenticated, "token_invalid")

// Principal is the identity behind a token.
type Principal struct {
	SessionID int64
	TraderID  int64
	AccountID int64
	DeviceID  int64
	Country   string // of residence; empty for a guest

	Contactless bool // no address or telephone is bound: a guest, or a trader whose only way in is a wallet

	AccountType int // the spec's: 1, 2, 4 real; 5, 8 mock

	Closing bool // the account closes soon: it is only read, or reopened
}

// Mock reports whether the session is on an account with practice money.
func (p Principal) Mock() bool { return p.AccountType == 5 || p.Guest() }

// Guest reports whether the session belongs to a guest, who has not registered.
func (p Principal) Guest() bool { return p.AccountType == 8 }

// Device is the device of a log-in.
type Device struct {
	Fingerprint string // made by the app, random
	UserAgent   string
	IP          string
}

// Valid reports whether the fingerprint is as long as those that the app makes.
func (d Device) Valid() bool { return len(d.Fingerprint) >= 16 && len(d.Fingerprint) <= 64 }

// Hash is the stored form of the fingerprint.
func (d Device) Hash() []byte {
	sum := sha256.Sum256([]byte(d.Fingerprint))
	return sum[:]
}

// browsers are the names that Name returns. An unknown one is a part of a header that anyone can forge, and Name is part of messages.
var browsers = []string{
	useragent.Chrome, useragent.HeadlessChrome, useragent.Firefox, useragent.Safari, useragent.Edge, useragent.Opera, useragent.OperaMini, useragent.OperaTouch,
	useragent.Vivaldi, useragent.InternetExplorer, useragent.SamsungBrowser, useragent.FacebookApp, useragent.InstagramApp, useragent.TiktokApp,
	"Android browser", "Huawei Browser", "Miui Browser", "MiuiBrowser", "YaBrowser", "UCBrowser", "QQBrowser", "MQQBrowser", "MicroMessenger", "DuckDuckGo", "Whale",
}

// Name is the device's browser and system, or "Unknown device".
func (d Device) Name() string {
	ua := useragent.Parse(d.UserAgent)
	if ua.OS == "" || !slices.Contains(browsers, ua.Name) {
		return "Unknown device"
	}
	return ua.Name + ", " + ua.OS
}

// Service manages sessions. It is safe for concurrent use.
type Service struct {
	db    *db.DB
	clock clock.Clock
	bus   *events.Bus                  // nil if there is one server
	live  *db.Gather[string, live]     // by the hash of the token
	lives *db.Gather[int64, time.Time] // by session id

	places *geo.Places // nil knows no place

	mu      sync.Mutex
	ended   []func(sessionID int64)
	onMoved func(ctx context.Context, tx *db.Tx, m Moved) error
}

// New makes the service; the bus publishes ended sessions to every server and is nil if there is one server.
func New(d *db.DB, c clock.Clock, bus *events.Bus) *Service {
	s := &Service{db: d, clock: c, bus: bus}
	s.live, s.lives = db.NewGather(s.find), db.NewGather(s.Lives)
	return s
}

// UsePlaces sets where addresses are looked up at a log-in.
func (s *Service) UsePlaces(places *geo.Places) { s.places = places }

// Place is where an address is used; empty when unknown.
func (s *Service) Place(ip string) geo.Place { return s.places.Of(ip) }

// OnEnded registers a listener for sessions that end, so that their sockets close.
func (s *Service) OnEnded(f func(sessionID int64)) {
	s.mu.Lock()
	s.ended = append(s.ended, f)
	s.mu.Unlock()
}

// NewToken returns 256 random bits as text, and the hash of that text.
func NewToken() (token string, hash []byte) {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails: see crypto/rand
	token = base64.RawURLEncoding.EncodeToString(raw)
	return token, HashToken(token)
}

// HashToken is the stored form of a token.
func HashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// OpenTx opens a session for an account and remembers the device.
func (s *Service) OpenTx(ctx context.Context, tx *db.Tx, traderID, accountID int64, d Device) (token string, err error) {
	now, place := s.clock.Now(), s.Place(d.IP)
	var deviceID int64
	err = tx.Conn.QueryRow(ctx, `
		INSERT INTO devices (trader_id, fingerprint, name, first_seen_at, last_seen_at, last_ip, country, city) VALUES ($1, $2, $3, $4, $4, $5, $6, $7)
		ON CONFLICT (trader_id, fingerprint) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at, last_ip = EXCLUDED.last_ip, country = EXCLUDED.country, city = EXCLUDED.city,
			name = EXCLUDED.name, removed_at = NULL
		RETURNING id`, traderID, d.Hash(), d.Name(), now, d.IP, place.Country, place.City).Scan(&deviceID)
	if err != nil {
		return "", fmt.Errorf("remember the device: %w", err)
	}
	token, hash := NewToken()
	_, err = tx.Conn.Exec(ctx, `
		INSERT INTO trader_sessions (token_hash, trader_id, account_id, device_id, ip, browser, country, city, created_at, last_seen_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $8, $9, $10, $6, $6, $7)`, hash, traderID, accountID, deviceID, d.IP, now, now.Add(lifetime), d.Name(), place.Country, place.City)
	if err != nil {
		return "", fmt.Errorf("open a session: %w", err)
	}
	return token, nil
}

// SwitchTx opens a session for another account on the same device and ends the previous one. It returns ErrToken if that one has already ended.
func (s *Service) SwitchTx(ctx context.Context, tx *db.Tx, p Principal, accountID int64) (token string, err error) {
	token, hash := NewToken()
	tag, err := tx.Conn.Exec(ctx, `
		WITH before AS (UPDATE trader_sessions SET ended_at = $3 WHERE id = $4 AND ended_at IS NULL RETURNING trader_id, device_id, ip, browser, country, city, expires_at)
		INSERT INTO trader_sessions (token_hash, trader_id, account_id, device_id, ip, browser, country, city, created_at, last_seen_at, expires_at)
		SELECT $1, trader_id, $2, device_id, ip, browser, country, city, $3, $3, expires_at FROM before`, hash, accountID, s.clock.Now(), p.SessionID)
	if err != nil {
		return "", fmt.Errorf("switch the session: %w", err)
	}
	if tag.RowsAffected() != 1 {
		return "", ErrToken
	}
	tx.AfterCommit(func() { s.tell(p.SessionID) })
	return token, nil
}

// EndTx ends one session.
func (s *Service) EndTx(ctx context.Context, tx *db.Tx, sessionID int64) error {
	_, err := tx.Conn.Exec(ctx, `UPDATE trader_sessions SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL`, sessionID, s.clock.Now())
	tx.AfterCommit(func() { s.tell(sessionID) })
	return err
}

// EndOfTx ends one active session of a trader; ended is false if there is none with that id.
func (s *Service) EndOfTx(ctx context.Context, tx *db.Tx, traderID, sessionID int64) (ended bool, err error) {
	tag, err := tx.Conn.Exec(ctx, `UPDATE trader_sessions SET ended_at = $3 WHERE id = $1 AND trader_id = $2 AND ended_at IS NULL`, sessionID, traderID, s.clock.Now())
	if err != nil {
		return false, fmt.Errorf("end session %d: %w", sessionID, err)
	}
	if ended = tag.RowsAffected() == 1; ended {
		tx.AfterCommit(func() { s.tell(sessionID) })
	}
	return ended, nil
}

// EndAllTx ends every session of a trader and returns how many there were.
func (s *Service) EndAllTx(ctx context.Context, tx *db.Tx, traderID int64) (count int, err error) {
	return s.EndOthersTx(ctx, tx, traderID, 0)
}

// EndOthersTx ends every session of a trader but one, and returns how many there were.
func (s *Service) EndOthersTx(ctx context.Context, tx *db.Tx, traderID, sessionID int64) (count int, err error) {
	rows, err := tx.Conn.Query(ctx, `UPDATE trader_sessions SET ended_at = $2 WHERE trader_id = $1 AND id <> $3 AND ended_at IS NULL RETURNING id`, traderID, s.clock.Now(), sessionID)
	if err != nil {
		return 0, fmt.Errorf("end the sessions of trader %d: %w", traderID, err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return 0, fmt.Errorf("end the sessions of trader %d: %w", traderID, err)
	}
	tx.AfterCommit(func() { s.tell(ids...) })
	return len(ids), nil
}

// End ends one session, at log-out.
func (s *Service) End(ctx context.Context, sessionID int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error { return s.EndTx(ctx, tx, sessionID) })
}

// tell reports ended sessions to the listeners of this server and to the other servers.
func (s *Service) tell(sessionIDs ...int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range sessionIDs {
		for _, f := range s.ended {
			f(id)
		}
	}
	s.publish(sessionIDs)
}

// Check finds a token's principal, and counts as use of the session. It returns ErrToken if there is none, and ends a session that is used from another network
// and another browser than it was opened with: its token was stolen. Without an address, by is not compared.
func (s *Service) Check(ctx context.Context, token string, by Device) (Principal, error) {
	found, err := s.look(ctx, token, by)
	if err != nil {
		return Principal{}, err
	}
	if now := s.clock.Now(); now.Sub(found.seen) > seenEvery {
		_, err = s.db.Pool.Exec(db.WithLane(ctx, db.Sessions), `UPDATE trader_sessions SET last_seen_at = $2 WHERE id = $1`, found.SessionID, now)
	}
	return found.Principal, err
}

// look finds the active session of a token that the device may use. It returns ErrToken if there is none.
func (s *Service) look(ctx context.Context, token string, by Device) (live, error) {
	if len(token) < 20 || len(token) > 100 {
		return live{}, ErrToken
	}
	found, ok, err := s.live.Find(ctx, string(HashToken(token)))
	if err != nil {
		return live{}, fmt.Errorf("check a token: %w", err)
	}
	if !ok || s.clock.Now().After(found.ends()) {
		return live{}, ErrToken
	}
	if by.MovedFrom(found.ip, found.browser) {
		if err := s.endMoved(ctx, found, by); err != nil {
			return live{}, err
		}
		return live{}, ErrToken
	}
	if found.fresh {
		err = s.promote(ctx, token)
	}
	return found, err
}

// live is a session that has not been ended.
type live struct {
	Principal
	ip, browser   string // at the log-in
	seen, expires time.Time
	fresh         bool // found by a renewed token that nobody has used yet
}

// find reads the sessions of many hashed tokens.
func (s *Service) find(ctx context.Context, hashes []string) (map[string]live, error) {
	raw := make([][]byte, len(hashes))
	for i, hash := range hashes {
		raw[i] = []byte(hash)
	}
	rows, err := s.db.Pool.Query(db.WithLane(ctx, db.Sessions), `
		SELECT asked.hash, s.id, s.trader_id, s.account_id, s.device_id, coalesce(t.country, ''), a.type, num_nonnulls(t.email, t.phone) = 0, s.ip, s.browser, s.last_seen_at,
			CASE WHEN s.old_hash = asked.hash THEN least(s.expires_at, s.old_until) ELSE s.expires_at END, s.next_hash IS NOT DISTINCT FROM asked.hash, t.closes_at IS NOT NULL
		FROM unnest($1::bytea[]) asked(hash)
		JOIN trader_sessions s ON s.token_hash = asked.hash OR s.next_hash = asked.hash OR s.old_hash = asked.hash
		JOIN traders t ON t.id = s.trader_id JOIN accounts a ON a.id = s.account_id
		WHERE s.ended_at IS NULL`, raw)
	if err != nil {
		return nil, err
	}
	found := map[string]live{}
	var hash []byte
	var l live
	_, err = pgx.ForEachRow(rows, []any{&hash, &l.SessionID, &l.TraderID, &l.AccountID, &l.DeviceID, &l.Country, &l.AccountType, &l.Contactless, &l.ip, &l.browser, &l.seen, &l.expires, &l.fresh, &l.Closing}, func() error {
		found[string(hash)] = l
		return nil
	})
	return found, err
}

// Known is KnownTx outside a transaction.
func (s *Service) Known(ctx context.Context, traderID int64, d Device) (known bool, err error) {
	err = s.db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM devices WHERE trader_id = $1 AND fingerprint = $2 AND removed_at IS NULL)`, traderID, d.Hash()).Scan(&known)
	return known, err
}

// KnownTx reports whether a trader has logged in from the device before.
func (s *Service) KnownTx(ctx context.Context, tx *db.Tx, traderID int64, d Device) (known bool, err error) {
	err = tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM devices WHERE trader_id = $1 AND fingerprint = $2 AND removed_at IS NULL)`, traderID, d.Hash()).Scan(&known)
	return known, err
}

// UsedTx reports whether a trader has ever logged in from the device, removed or not.
func (s *Service) UsedTx(ctx context.Context, tx *db.Tx, traderID int64, d Device) (used bool, err error) {
	err = tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM devices WHERE trader_id = $1 AND fingerprint = $2)`, traderID, d.Hash()).Scan(&used)
	return used, err
}

// StrangeTx reports whether a trader has logged in before, but never from the device.
func (s *Service) StrangeTx(ctx context.Context, tx *db.Tx, traderID int64, d Device) (strange bool, err error) {
	err = tx.Conn.QueryRow(ctx, `SELECT count(*) > 0 AND NOT coalesce(bool_or(fingerprint = $2 AND removed_at IS NULL), false) FROM devices WHERE trader_id = $1`, traderID, d.Hash()).Scan(&strange)
	return strange, err
}
