package kyc_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/keyring"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/notice"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/platform/idempotency"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/staff"
	"candor/app/trader"
	"candor/app/trading/engine"
	"candor/app/withdrawal"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

type bundle struct {
	*testing.T
	*fixture
}

// fixture is shared by the subtests of one test.
type fixture struct {
	database *dbtest.DB
	db       *db.DB
	clock    *clock.Fixed
	vault    *vault.Vault
	dir      string
	keys     *keyring.Service
	outbox   *mail.Outbox
	config   kyc.Config
	kyc      *kyc.Service
	reviewer audit.Actor
	lead     audit.Actor

	mu     sync.Mutex
	number int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	database := dbtest.New(t)
	d, err := db.Open(t.Context(), database.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	b := &bundle{t, &fixture{database: database, db: d, clock: clock.NewFixed(start), dir: t.TempDir()}}
	b.vault, err = vault.Load(b.dir, false)
	require.NoError(t, err)
	b.keys = keyring.New(d, b.clock, b.vault, kyc.SealedColumns)
	b.config = kyc.Config{
		DB: d, Clock: b.clock, Vault: b.vault, Folder: vault.NewFolder(filepath.Join(b.dir, "kyc")), Messenger: b.messenger(t),
		Approvals: approval.New(d, b.clock, trader.TakeDutyTx), Business: []kyc.Business{engine.HasOpenPosition, withdrawal.HasOpen, deposit.HasOpen},
	}
	b.kyc = kyc.New(b.config)
	b.reviewer, b.lead = b.staff(staff.ComplianceReviewer), b.staff(staff.ComplianceLead)
	return b
}

// in is the same world for a subtest.
func (b *bundle) in(t *testing.T) *bundle { return &bundle{t, b.fixture} }

// next is a unique number.
func (b *fixture) next() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.number++
	return b.number
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func (b *bundle) staff(roles ...staff.Role) audit.Actor {
	b.Helper()
	n := b.next()
	id := b.count(`INSERT INTO staff (email, name, state, created_at) VALUES ($1, $2, 'active', now()) RETURNING id`, fmt.Sprintf("s%d@example.com", n), fmt.Sprint("Compliance ", n))
	for _, role := range roles {
		b.exec(`INSERT INTO staff_roles (staff_id, role, granted_at) VALUES ($1, $2, now())`, id, role)
	}
	return audit.Actor{Kind: audit.Staff, ID: id, Name: fmt.Sprint("Compliance ", n), IP: "192.0.2.9", TraceID: "trace-desk"}
}

// owner makes a trader registered in Germany.
func (b *bundle) owner() ledger.Owner {
	b.Helper()
	n := b.next()
	trader := b.count(`
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at)
		VALUES ($1, 'T', '', 'DE', $2, now()) RETURNING id`, fmt.Sprintf("t%d@example.com", n), fmt.Sprint("I", n))
	return ledger.Owner{TraderID: trader, Name: "t***", IP: "192.0.2.7", TraceID: "trace-owner"}
}

// device records a login from a device.
func (b *bundle) device(o ledger.Owner, fingerprint string) {
	b.Helper()
	b.exec(`INSERT INTO devices (trader_id, fingerprint, name, first_seen_at, last_seen_at, last_ip) VALUES ($1, $2, 'D', now(), now(), '192.0.2.7')`, o.TraderID, []byte(fingerprint))
}

// payee makes a saved payee of a trader.
func (b *bundle) payee(o ledger.Owner, kind, address, memo, iban string, removed bool) {
	b.Helper()
	b.exec(`
		INSERT INTO payees (trader_id, kind, coin, chain, address, memo, label, holder_key, holder_sealed, bank, iban, bic, usable_from, removed_at, created_at)
		SELECT $1, $2, CASE WHEN $3 <> '' THEN 'USDT' ELSE '' END, CASE WHEN $3 <> '' THEN 'tron' ELSE '' END, $3, $4, 'L', CASE WHEN $5 <> '' THEN '\x01'::bytea END, CASE WHEN $5 <> '' THEN '\x01'::bytea END,
		       CASE WHEN $5 <> '' THEN 'B' ELSE '' END, $5, CASE WHEN $5 <> '' THEN 'X' ELSE '' END, $7::timestamptz + interval '24 hours', CASE WHEN $6 THEN $7::timestamptz END, $7`,
		o.TraderID, kind, address, memo, iban, removed, b.clock.Now())
}

// trader reads the trader's status in the app and the level that limits use.
func (b *bundle) trader(o ledger.Owner) (status, level int) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT auth_status, level FROM traders WHERE id = $1`, o.TraderID).Scan(&status, &level))
	return status, level
}

func (b *bundle) requireTrader(o ledger.Owner, status, level int) {
	b.Helper()
	gotStatus, gotLevel := b.trader(o)
	require.Equal(b, [2]int{status, level}, [2]int{gotStatus, gotLevel})
}

// picture is a picture drawn from a number; equal numbers give equal pictures.
func (b *bundle) picture(n int) upload.Picture {
	b.Helper()
	drawn := image.NewRGBA(image.Rect(0, 0, 32, 24))
	for i := range 24 {
		if n>>i&1 == 1 {
			for x := range 32 {
				drawn.Set(x, i, color.RGBA{200, 10, 10, 255})
			}
		}
	}
	var raw bytes.Buffer
	require.NoError(b, png.Encode(&raw, drawn))
	return b.read(raw.Bytes())
}

func (b *bundle) read(raw []byte) upload.Picture {
	b.Helper()
	p, err := upload.New(upload.DefaultLimits(), nil).Take(b.Context(), upload.Sender{}, upload.Photo, -1, bytes.NewReader(raw))
	require.NoError(b, err)
	return p
}

func text(s string) *string { return &s }

// filled is a complete passport with a unique number.
func (b *bundle) filled() kyc.Filled {
	return kyc.Filled{
		Country: text("DE"), DocumentType: text("passport"), FullName: text("Erika Mustermann"), Number: text(fmt.Sprintf("C01X%05d", b.next())),
		BirthDate: text("1990-05-17"), ExpiryDate: text("2031-08-31"),
	}
}

// keyed is a write request with a unique key.
func (b *bundle) keyed(o ledger.Owner) idempotency.Request {
	return idempotency.Request{TraderID: o.TraderID, Call: "call", Key: fmt.Sprint("key-", b.next())}
}

func (b *bundle) save(o ledger.Owner, f kyc.Filled) kyc.View {
	b.Helper()
	v, err := b.kyc.Save(b.Context(), o, f)
	require.NoError(b, err)
	return v
}

func (b *bundle) attach(o ledger.Owner, sides ...kyc.Part) (v kyc.View) {
	b.Helper()
	for _, side := range sides {
		var err error
		v, err = b.kyc.Attach(b.Context(), o, side, b.picture(b.next()))
		require.NoError(b, err)
	}
	return v
}

// valueOf is the value of a keyed write's result.
func valueOf(r idempotency.Result[kyc.View], err error) (kyc.View, error) { return r.Value, err }

// seen is the version shown to the trader.
func (b *bundle) seen(o ledger.Owner) int {
	v, err := b.kyc.Find(b.Context(), o.TraderID)
	require.NoError(b, err)
	return v.Version
}

func (b *bundle) trySubmit(o ledger.Owner) (kyc.View, error) {
	return valueOf(b.kyc.Submit(b.Context(), o, b.seen(o), b.keyed(o)))
}

func (b *bundle) tryWithdraw(o ledger.Owner) (kyc.View, error) {
	return valueOf(b.kyc.Withdraw(b.Context(), o, b.seen(o), b.keyed(o)))
}

// drafted is a complete draft.
func (b *bundle) drafted(o ledger.Owner) kyc.View {
	b.Helper()
	b.save(o, b.filled())
	return b.attach(o, kyc.Front, kyc.Selfie)
}

// submitted is an application that waits for staff.
func (b *bundle) submitted(o ledger.Owner) kyc.View {
	b.Helper()
	b.drafted(o)
	v, err := b.trySubmit(o)
	require.NoError(b, err)
	return v
}

func (b *bundle) claim(by audit.Actor, id int64) kyc.Application {
	b.Helper()
	a, err := b.kyc.Claim(b.Context(), by, id)
	require.NoError(b, err)
	return a
}

// claimed is an application with the reviewer's claim.
func (b *bundle) claimed(o ledger.Owner) kyc.Application {
	b.Helper()
	return b.claim(b.reviewer, b.submitted(o).ID)
}

// accepted is an application whose pictures the owner of the claim has all accepted, and whose fields all fit.
func (b *bundle) accepted(by audit.Actor, a kyc.Application) kyc.Application {
	b.Helper()
	c, err := b.kyc.Case(b.Context(), by, a.ID)
	require.NoError(b, err)
	for _, d := range c.Documents {
		a, err = b.kyc.DecideDocument(b.Context(), by, a.ID, a.Version, d.ID, true, "")
		require.NoError(b, err)
	}
	if len(a.Marks.Unmarked()) > 0 {
		a, err = b.kyc.MatchRest(b.Context(), by, a.ID, a.Version)
		require.NoError(b, err)
	}
	return a
}

// escalated is an application that waits for the lead, who has judged nothing yet.
func (b *bundle) escalated(o ledger.Owner) kyc.Application {
	b.Helper()
	a := b.accepted(b.reviewer, b.claimed(o))
	a, err := b.kyc.Escalate(b.Context(), b.reviewer, a.ID, a.Version, "", "look at the photo")
	require.NoError(b, err)
	return a
}

func (b *bundle) approved(o ledger.Owner) kyc.Application {
	b.Helper()
	a := b.accepted(b.reviewer, b.claimed(o))
	a, err := b.kyc.Approve(b.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(b, err)
	require.Equal(b, kyc.Approved, a.State)
	return a
}

// askedAgain asks for the selfie again, or for other parts.
func (b *bundle) askedAgain(o ledger.Owner, asks ...kyc.Ask) kyc.Application {
	b.Helper()
	if len(asks) == 0 {
		asks = []kyc.Ask{{Part: kyc.Selfie, Reason: "face_hidden"}}
	}
	v, err := b.kyc.Find(b.Context(), o.TraderID)
	require.NoError(b, err)
	if v.CurrentState() == kyc.None {
		v = b.submitted(o)
	}
	a := b.claim(b.reviewer, v.ID)
	a, err = b.kyc.AskAgain(b.Context(), b.reviewer, a.ID, a.Version, asks, "")
	require.NoError(b, err)
	return a
}

// row is an application's row.
func (b *bundle) row(id int64) (a kyc.Application) {
	b.Helper()
	require.NoError(b, b.db.Rows(b.Context()).Where("id = ?", id).Take(&a).Error)
	return a
}

func (b *bundle) documents(id int64) (list []kyc.Document) {
	b.Helper()
	require.NoError(b, b.db.Rows(b.Context()).Where("application_id = ?", id).Order("id").Find(&list).Error)
	return list
}

// document is the current picture of a side.
func (b *bundle) document(id int64, side kyc.Part) kyc.Document {
	b.Helper()
	for _, d := range b.documents(id) {
		if d.Current && d.Side == side {
			return d
		}
	}
	b.Fatalf("application %d has no %s", id, side)
	return kyc.Document{}
}

// acts are the audit entries of an application, newest first.
func (b *bundle) acts(id int64) []audit.Entry {
	b.Helper()
	list, _, err := audit.NewLog(b.db).List(b.Context(), audit.Filter{TargetKind: "kyc", TargetID: fmt.Sprint(id)})
	require.NoError(b, err)
	return list
}

// renewal is the time at which an approval with a document valid to the end of August 2031 must be renewed.
var renewal = time.Date(2031, 9, 1, 0, 0, 0, 0, time.UTC)

func (b *bundle) expire() int {
	b.Helper()
	n, err := b.kyc.Expire(b.Context())
	require.NoError(b, err)
	return n
}

// at runs work at another time, then sets the clock back.
func (b *bundle) at(moment time.Time, work func()) {
	b.Helper()
	now := b.clock.Now()
	b.clock.Set(moment)
	work()
	b.clock.Set(now)
}

// messenger writes to traders through an outbox that keeps everything.
func (b *bundle) messenger(t *testing.T) *trader.Messenger {
	t.Helper()
	queue, err := jobs.New(b.db.Pool)
	require.NoError(t, err)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	if b.outbox == nil {
		b.outbox = mail.New(mail.Config{DB: b.db, Clock: b.clock, Queue: queue, Vault: b.vault, KeepUnsent: true})
	}
	return trader.NewMessenger(b.clock, b.outbox, texts, notice.New(b.db, b.clock, nil, bus, nil, nil))
}

// mailbox are a trader's messages in the app, oldest first.
func (b *bundle) mailbox(traderID int64) (list []notice.Message) {
	b.Helper()
	list, _, err := notice.New(b.db, b.clock, nil, nil, nil, nil).Messages(b.Context(), traderID, nil, 0, 0, 100)
	require.NoError(b, err)
	slices.Reverse(list)
	return list
}

// mails are the mails to a trader, newest first.
func (b *bundle) mails(traderID int64) (list []mail.Message) {
	b.Helper()
	var address string
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT email FROM traders WHERE id = $1`, traderID).Scan(&address))
	list, err := b.outbox.List(b.Context(), address, 50)
	require.NoError(b, err)
	return list
}
