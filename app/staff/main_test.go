package staff_test

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/factor"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/platform/vault"
	"candor/app/platform/vault/vaulttest"
	"candor/app/session"
	"candor/app/staff"
	"candor/app/trader"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

const (
	password = "correct horse battery"
	origin   = "https://desk.test"
)

var (
	ctx    = context.Background()
	start  = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	nobody = audit.Actor{IP: "192.0.2.1", TraceID: "t"}
	link   = regexp.MustCompile(`https://desk\.test/admin/(invitation|authenticator)/(\S+)`)
)

// bundle is an installation without staff.
type bundle struct {
	*staff.Service
	db     *db.DB
	url    *dbtest.DB
	clock  *clock.Fixed
	outbox *mail.Outbox
	keys   *vault.Vault
	secret map[int64]string

	sessions *session.Service
}

func setup(t *testing.T) *bundle {
	t.Helper()
	url := dbtest.New(t)
	d, err := db.Open(t.Context(), url.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	texts, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	queue, err := jobs.New(d.Pool)
	require.NoError(t, err)
	c := clock.NewFixed(start)
	keys := vaulttest.New(t)
	outbox := mail.New(mail.Config{DB: d, Clock: c, Queue: queue, Vault: keys, KeepUnsent: true})
	sessions := session.New(d, c, nil)
	factors, err := factor.New(factor.Config{DB: d, Clock: c, Vault: keys, Sessions: sessions, Staff: factor.Site{Domain: "desk.test", Origins: []string{origin}}})
	require.NoError(t, err)
	s := staff.New(staff.Config{
		DB: d, Clock: c, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Sessions: sessions, Factors: factors, Outbox: outbox, Vault: keys, Texts: texts, Address: origin,
		Approvals: approval.New(d, c, trader.TakeDutyTx),
	})
	return &bundle{Service: s, keys: keys, outbox: outbox, db: d, url: url, clock: c, secret: map[int64]string{}, sessions: sessions}
}

func by(p staff.Person) audit.Actor {
	return p.Acting(audit.Actor{IP: "192.0.2.9", TraceID: "t"})
}

// code is the authenticator's current code. Each call advances the clock by one step, because a code works once.
func (b *bundle) code(t *testing.T, secret string) string {
	t.Helper()
	b.clock.Advance(30 * time.Second)
	code, err := totp.GenerateCode(secret, b.clock.Now())
	require.NoError(t, err)
	return code
}

// completeLink completes both steps of a link.
func (b *bundle) completeLink(t *testing.T, token string, e staff.Entry) staff.Person {
	t.Helper()
	enrolment, err := b.Begin(ctx, token, e)
	require.NoError(t, err)
	p, err := b.Finish(ctx, enrolment, b.code(t, enrolment.Secret), nobody)
	require.NoError(t, err)
	b.secret[p.ID] = enrolment.Secret
	return p
}

func (b *bundle) first(t *testing.T) staff.Person {
	t.Helper()
	token, ok, err := b.FirstLink(ctx)
	require.NoError(t, err)
	require.True(t, ok)
	return b.completeLink(t, token, staff.Entry{Email: "Root@Example.com", Name: " Super  admin 01 ", Password: password})
}

// sent is the latest link sent to an address.
func (b *bundle) sent(t *testing.T, email string) string {
	t.Helper()
	list, err := b.outbox.List(ctx, email, 1)
	require.NoError(t, err)
	require.Len(t, list, 1)
	found := link.FindStringSubmatch(list[0].Body)
	require.Len(t, found, 3, list[0].Body)
	return found[2]
}

// join invites a person and completes their link.
func (b *bundle) join(t *testing.T, admin staff.Person, email, name string) staff.Person {
	t.Helper()
	_, err := b.Invite(ctx, by(admin), email, name)
	require.NoError(t, err)
	return b.completeLink(t, b.sent(t, email), staff.Entry{Password: password})
}

// admins are two super admins and a person without roles.
func (b *bundle) admins(t *testing.T) (first, second, third staff.Person) {
	t.Helper()
	first = b.first(t)
	second = b.join(t, first, "second@example.com", "Super admin 02")
	third = b.join(t, first, "third@example.com", "Third")
	granted, err := b.AskRole(ctx, by(first), second.ID, staff.SuperAdmin)
	require.NoError(t, err)
	require.True(t, granted, "with one super admin there is nobody to ask")
	return b.read(t, first.ID), b.read(t, second.ID), b.read(t, third.ID)
}

func (b *bundle) read(t *testing.T, id int64) staff.Person {
	t.Helper()
	p, err := b.Person(ctx, id)
	require.NoError(t, err)
	return p
}

// logged counts the entries of an action and a result.
func (b *bundle) logged(t *testing.T, action string, result audit.Result) int {
	t.Helper()
	list, _, err := audit.NewLog(b.db).List(ctx, audit.Filter{Action: action, Result: result})
	require.NoError(t, err)
	n := 0
	for _, e := range list {
		if e.Action == action {
			n++
		}
	}
	return n
}

func countOf(list []string, one string) (n int) {
	for _, s := range list {
		if s == one {
			n++
		}
	}
	return n
}
