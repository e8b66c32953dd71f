package bonus_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/bonus"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/vault/vaulttest"
	"candor/app/staff/member"
	"candor/app/switches"
	"candor/app/trader"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

var lastDay = time.Date(2026, 12, 20, 0, 0, 0, 0, time.UTC)

const unit = 1_000_000

// bundle is a fixture with two members of staff; bonuses are on, and traders live in Japan.
type bundle struct {
	*testing.T
	test      *dbtest.DB
	db        *db.DB
	clock     *clock.Fixed
	switches  *switches.Service
	bonuses   *bonus.Service
	anna, ben audit.Actor
	barred    int64             // a member with a conflict of interest
	same      map[int64][]int64 // the other traders of a person
	made      int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{T: t, test: dbtest.New(t), clock: clock.NewFixed(start), same: map[int64][]int64{}}
	var err error
	b.db, err = db.Open(t.Context(), b.test.URL)
	require.NoError(t, err)
	t.Cleanup(b.db.Close)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	queue, err := jobs.New(b.db.Pool)
	require.NoError(t, err)
	outbox := mail.New(mail.Config{DB: b.db, Clock: b.clock, Queue: queue, Vault: vaulttest.New(t), KeepUnsent: true})
	b.anna, b.ben = b.staff("Anna"), b.staff("Ben")
	b.scan(`INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, iban, sort, enabled) VALUES (900, 'bank', 'Bank A', 'USD', 1, 1000000000000, 'DE1', 1, true) RETURNING id`)
	b.set(switches.BonusKey, "true")
	b.bonuses = bonus.New(bonus.Config{
		DB: b.db, Clock: b.clock, Switches: b.switches, Traders: trader.New(trader.Config{DB: b.db, Clock: b.clock}), Messenger: trader.NewMessenger(b.clock, outbox, texts, nil),
		Approvals:  approval.New(b.db, b.clock, b.conflict),
		SamePerson: func(_ context.Context, _ db.Querier, id int64) ([]int64, error) { return b.same[id], nil },
		Changed:    func(int64) {},
	})
	return b
}

var errConflict = fmt.Errorf("a conflict of interest")

func (b *bundle) conflict(_ context.Context, _ *db.Tx, staffID, _ int64, _ member.Duty) error {
	if staffID == b.barred {
		return errConflict
	}
	return nil
}

// set sets a switch and loads the switches again.
func (b *bundle) set(key, value string) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), `INSERT INTO switches (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2, version = switches.version + 1`, key, value)
	require.NoError(b, err)
	loaded, err := switches.Load(b.Context(), b.db, nil)
	require.NoError(b, err)
	if b.switches == nil {
		b.switches = loaded
		return
	}
	require.NoError(b, b.switches.Reload(b.Context()))
}

func (b *bundle) staff(name string) audit.Actor {
	b.Helper()
	id := b.scan(`INSERT INTO staff (email, name, state, created_at) VALUES (lower($1) || '@house.example', $1, 'invited', now()) RETURNING id`, name)
	return audit.Actor{Kind: audit.Staff, ID: id, Name: name}
}

func (b *bundle) scan(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

// trader registers a verified trader of a country with a real account.
func (b *bundle) traderOf(country string) audit.Actor {
	b.Helper()
	b.made++
	id := b.scan(`INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at, auth_status) VALUES ($1, 'T', '', $2, $1, now(), 3) RETURNING id`,
		fmt.Sprintf("t%d@example.com", b.made), country)
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) error {
		_, err := ledger.OpenTx(b.Context(), tx, id, ledger.Real, trader.Ordinary, start)
		return err
	}))
	return audit.Actor{Kind: audit.Trader, ID: id, Name: "T***"}
}

func (b *bundle) trader() audit.Actor {
	b.Helper()
	return b.traderOf("JP")
}

func (b *bundle) account(t audit.Actor) ledger.Account {
	b.Helper()
	list, err := ledger.List(b.Context(), b.db.Pool, t.ID)
	require.NoError(b, err)
	return list[0]
}

// post posts entries about an account, as a trade or a deposit would.
func (b *bundle) post(a ledger.Account, kind string, entries []ledger.Entry) (id int64) {
	b.Helper()
	b.made++
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		id, err = ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: kind, Key: fmt.Sprint("test:", b.made), Cause: "test", Book: a.Book, At: b.clock.Now(), Entries: entries})
		return err
	}))
	return id
}

// loses makes a trader lose money by trading.
func (b *bundle) loses(t audit.Actor, units int64) {
	b.Helper()
	a := b.account(t)
	b.post(a, "trade_close", a.Result(-units*unit, 0))
}

// deposits credits a trader's deposit now, and returns its id.
func (b *bundle) deposits(t audit.Actor, units, fee int64) (id int64) {
	b.Helper()
	a := b.account(t)
	posted := b.post(a, "deposit", a.Deposit(units*unit, fee*unit))
	b.test.Tamper(b.T, fmt.Sprintf(`INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, received, fee, reference, state, transaction_id, created_at, decided_at, expires_at)
		VALUES (%d, %d, 900, 'bank', 'USD', %d, %d, %d, gen_random_uuid()::text, 'credited', %d, '%s', '%[8]s', now())`,
		t.ID, a.ID, units*unit, units*unit, fee*unit, posted, b.clock.Now().Format(time.RFC3339Nano), b.clock.Now().Format(time.RFC3339Nano)))
	return b.scan(`SELECT max(id) FROM deposits WHERE trader_id = $1`, t.ID)
}

// reverses reverses a deposit.
func (b *bundle) reverses(t audit.Actor, id, units int64) {
	b.Helper()
	a := b.account(t)
	posted := b.post(a, "deposit_reversed", a.Reverse(units*unit, 0))
	b.test.Tamper(b.T, fmt.Sprintf(`UPDATE deposits SET state = 'reversed', reversal_id = %d, reversal_approval = 1 WHERE id = %d`, posted, id))
}

// campaign starts a campaign by two people.
func (b *bundle) campaign(c bonus.Campaign) bonus.Campaign {
	b.Helper()
	b.made++
	r, err := b.bonuses.RequestCampaign(b.Context(), b.anna, c, "For the new season", fmt.Sprint("form", b.made))
	require.NoError(b, err)
	require.NoError(b, b.approve(r))
	started, err := b.bonuses.Campaign(b.Context(), r.ID)
	require.NoError(b, err)
	return started
}

// approve is Ben's approval of a request.
func (b *bundle) approve(r bonus.Request) error {
	b.Helper()
	_, err := b.bonuses.Approve(b.Context(), b.ben, r.ID, r.Version, r.Facts)
	return err
}

func welcome() bonus.Campaign {
	return bonus.Campaign{Rule: bonus.Welcome, Amount: 50 * unit, Budget: 1_000 * unit, Days: 30, LastDay: lastDay}
}

func byDeposit() bonus.Campaign {
	return bonus.Campaign{Rule: bonus.ByDeposit, Amount: 200 * unit, ShareBps: 2_000, Minimum: 100 * unit, Budget: 1_000 * unit, Days: 60, LastDay: lastDay}
}

func (b *bundle) accept(t audit.Actor, c bonus.Campaign) {
	b.Helper()
	require.NoError(b, b.bonuses.AcceptCampaign(b.Context(), t, c.ID, bonus.Terms))
}

// settle runs the job.
func (b *bundle) settle() {
	b.Helper()
	require.NoError(b, b.bonuses.Settle(b.Context()))
}

// of lists a trader's bonuses, newest first.
func (b *bundle) of(t audit.Actor) []bonus.Bonus {
	b.Helper()
	list, _, err := b.bonuses.Of(b.Context(), t.ID)
	require.NoError(b, err)
	return list
}

// requireBonus compares the account's bonus, in units.
func (b *bundle) requireBonus(t audit.Actor, units int64) {
	b.Helper()
	require.Equal(b, units*unit, b.account(t).Bonus)
}

// told are the kinds of the mails to a trader, in order.
func (b *bundle) told(t audit.Actor) (out []string) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT coalesce(array_agg(kind ORDER BY id), '{}') FROM outbox WHERE recipient = (SELECT email FROM traders WHERE id = $1)`, t.ID).Scan(&out))
	return out
}

func itoa(id int64) string { return fmt.Sprint(id) }
