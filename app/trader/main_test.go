package trader_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/factor"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/ethereum"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/passwords"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/platform/vault/vaulttest"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const (
	anna     = "anna@example.com"
	bert     = "+4915123456789"
	password = "correct horse battery"
	ip       = "192.0.2.7"
	otherIP  = "198.51.100.1"
	site     = "https://example.com"
)

// words is a Texts that returns the key and the arguments, in order.
type words struct{}

func (words) Languages() []string { return []string{"en", "zh_CN", "ar"} }

func (words) T(lang, key string, args map[string]any) string {
	return fmt.Sprint(lang, " ", key, " ", args)
}

type bundle struct {
	*testing.T
	test     *dbtest.DB
	db       *db.DB
	clock    *clock.Fixed
	sessions *session.Service
	switches *switches.Service
	outbox   *mail.Outbox
	traders  *trader.Service
	config   trader.Config
	hasher   *trader.Hasher
	factors  *factor.Service

	mu      sync.Mutex
	changed []int64
}

func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	d, err := db.Open(t.Context(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	queue, err := jobs.New(d.Pool)
	require.NoError(t, err)
	values, err := switches.Load(t.Context(), d, nil)
	require.NoError(t, err)
	c := clock.NewFixed(start)
	b := &bundle{T: t, test: test, db: d, clock: c, sessions: session.New(d, c, nil), switches: values, hasher: trader.NewHasherWith(passwordstest.Quick{})}
	keys := vaulttest.New(t)
	b.outbox = mail.New(mail.Config{DB: d, Clock: c, Queue: queue, Vault: keys, KeepUnsent: true})
	b.factors, err = factor.New(factor.Config{DB: d, Clock: c, Vault: keys, Sessions: b.sessions, Traders: factor.Site{Domain: "example.com", Origins: []string{site}}})
	require.NoError(t, err)
	b.config = trader.Config{DB: d, Clock: c, Sessions: b.sessions, Factors: b.factors, Outbox: b.outbox, Switches: values, Hasher: b.hasher, Texts: words{}, Positions: b, Changed: b.onChanged, Site: ethereum.Site{Domain: "example.com", URI: site}}
	b.traders = trader.New(b.config)
	return b
}

// hashWith replaces the password hashing from now on.
func (b *bundle) hashWith(argon2 passwords.Argon2) {
	b.hasher = trader.NewHasherWith(argon2)
	b.config.Hasher = b.hasher
	b.traders = trader.New(b.config)
}

// OpenTx reports whether an account has one of the positions that position inserts.
func (b *bundle) OpenTx(ctx context.Context, tx *db.Tx, accountID int64) (open bool, err error) {
	return open, tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM positions WHERE account_id = $1 AND state = 'open')`, accountID).Scan(&open)
}

func (b *bundle) onChanged(accountID int64) {
	b.mu.Lock()
	b.changed = append(b.changed, accountID)
	b.mu.Unlock()
}

func device(n int) session.Device {
	return session.Device{Fingerprint: fmt.Sprintf("fingerprint-%08d", n), UserAgent: "", IP: ip}
}

func from(d session.Device, source string) session.Device {
	d.IP = source
	return d
}

var enrolment = trader.Enrolment{Country: "DE", Language: "de", Accepted: true}

func registration(account, code string) trader.Registration {
	return trader.Registration{
		Account: account, Password: password, Code: code, Enrolment: enrolment, Device: device(1), TraceID: "trace-0001",
	}
}

var digits = regexp.MustCompile(`code:(\d{6})`)

// messages are the outbox messages of a recipient, newest first.
func (b *bundle) messages(to string) []mail.Message {
	b.Helper()
	list, err := b.outbox.List(b.Context(), to, 100)
	require.NoError(b, err)
	return list
}

// lastCode reads the code of the latest message.
func (b *bundle) lastCode(to string) string {
	b.Helper()
	list := b.messages(to)
	require.NotEmpty(b, list)
	found := digits.FindStringSubmatch(list[0].Body)
	require.NotNil(b, found, "no code in %q", list[0].Body)
	return found[1]
}

// solved is the solution of a new challenge.
func (b *bundle) solved() string {
	b.Helper()
	challenge, err := b.sessions.NewChallenge(b.Context(), ip)
	require.NoError(b, err)
	return challenge.Solve()
}

func (b *bundle) sendRegisterCode(account, ip string) error {
	return b.traders.SendRegisterCode(b.Context(), account, "de", b.solved(), ip)
}

func (b *bundle) registerCode(account string) string {
	b.Helper()
	require.NoError(b, b.sendRegisterCode(account, ip))
	return b.lastCode(strings.ReplaceAll(account, " ", ""))
}

// register makes a trader on device 1.
func (b *bundle) register(account string) trader.Opened {
	b.Helper()
	opened, err := b.traders.Register(b.Context(), registration(account, b.registerCode(account)))
	require.NoError(b, err)
	return opened
}

func (b *bundle) principal(token string) session.Principal {
	b.Helper()
	p, err := b.sessions.Check(b.Context(), token, session.Device{})
	require.NoError(b, err)
	return p
}

func (b *bundle) requireDead(token string) {
	b.Helper()
	_, err := b.sessions.Check(b.Context(), token, session.Device{})
	require.ErrorIs(b, err, session.ErrToken)
}

func (b *bundle) login(account, secret, code string, d session.Device) (trader.Opened, error) {
	return b.traders.Login(b.Context(), trader.Credentials{Account: account, Password: secret, Code: code, Device: d, TraceID: "trace-0002"})
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

func (b *bundle) set(key, value string) {
	b.Helper()
	b.exec(`INSERT INTO switches (key, value) VALUES ($1, $2)`, key, value)
	require.NoError(b, b.switches.Reload(b.Context()))
}

// acts are the actions of the audit log, oldest first.
func (b *bundle) acts() (actions []string) {
	b.Helper()
	list, _, err := audit.NewLog(b.db).List(context.Background(), audit.Filter{})
	require.NoError(b, err)
	for _, e := range slices.Backward(list) {
		actions = append(actions, e.Action)
	}
	return actions
}

func (b *bundle) account(id int64) ledger.Account {
	b.Helper()
	a, err := ledger.Load(b.Context(), b.db.Pool, id)
	require.NoError(b, err)
	return a
}

// requireField expects a refusal of one field.
func requireField(t testing.TB, field, reason string, err error) {
	t.Helper()
	refusal := errs.As(err)
	require.NotNil(t, refusal, "%v", err)
	require.Equal(t, map[string]string{field: reason}, refusal.Fields)
}
