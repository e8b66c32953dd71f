package session_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/session"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const (
	chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
	ip     = "192.0.2.7"
)

type bundle struct {
	*testing.T
	db       *db.DB
	clock    *clock.Fixed
	sessions *session.Service
}

func setup(t *testing.T) *bundle {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	c := clock.NewFixed(start)
	return &bundle{T: t, db: d, clock: c, sessions: session.New(d, c, nil)}
}

// account makes a trader with an account.
func (b *bundle) account() (a ledger.Account) {
	b.Helper()
	var trader int64
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at)
		SELECT 't' || n || '@example.com', 'T', '', 'DE', 'I' || n, now() FROM (SELECT count(*) AS n FROM traders) counted RETURNING id`).Scan(&trader))
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		a, err = ledger.OpenTx(b.Context(), tx, trader, ledger.Real, 1, start)
		return err
	}))
	return a
}

func device(n int) session.Device {
	return session.Device{Fingerprint: fmt.Sprintf("fingerprint-%08d", n), UserAgent: chrome, IP: ip}
}

// login opens a session from device n.
func (b *bundle) login(a ledger.Account, n int) (token string) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		token, err = b.sessions.OpenTx(b.Context(), tx, a.TraderID, a.ID, device(n))
		return err
	}))
	return token
}

func (b *bundle) requireAlive(token string) session.Principal {
	b.Helper()
	p, err := b.sessions.Check(b.Context(), token, session.Device{})
	require.NoError(b, err)
	return p
}

func (b *bundle) requireDead(token string) {
	b.Helper()
	p, err := b.sessions.Check(b.Context(), token, session.Device{})
	require.ErrorIs(b, err, session.ErrToken)
	require.Zero(b, p)
}

func (b *bundle) issue(purpose session.Purpose, address, from string) (code string, err error) {
	return b.issueAs(purpose, address, purpose.Usual(from))
}

func (b *bundle) issueAs(purpose session.Purpose, address string, by session.Requester) (code string, err error) {
	var sent error
	err = b.db.InTx(b.Context(), func(tx *db.Tx) error {
		code, err = b.sessions.IssueCodeTx(b.Context(), tx, purpose.To(address), by)
		if errors.Is(err, session.ErrCodeSent) {
			sent, err = err, nil
		}
		return err
	})
	return code, errors.Join(sent, err)
}

func (b *bundle) mustIssue(purpose session.Purpose, address string) string {
	b.Helper()
	code, err := b.issue(purpose, address, ip)
	require.NoError(b, err)
	return code
}

func (b *bundle) try(purpose session.Purpose, address, code string) (int64, error) {
	return b.sessions.TryCode(b.Context(), purpose.To(address), purpose.Usual(ip), code)
}

func (b *bundle) use(id int64) error {
	return b.db.InTx(b.Context(), func(tx *db.Tx) error { return b.sessions.UseCodeTx(b.Context(), tx, id) })
}

// requireWait requires a refusal that names the seconds to wait.
func requireWait(t testing.TB, refusal error, seconds string, err error) {
	t.Helper()
	require.ErrorIs(t, err, refusal)
	require.Equal(t, seconds, errs.As(err).Args["seconds"])
}

// wrong returns another code.
func wrong(code string) string {
	if code == "000000" {
		return "000001"
	}
	return "000000"
}
