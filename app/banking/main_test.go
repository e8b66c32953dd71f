package banking_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/approval/approvaltest"
	"candor/app/audit"
	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/money"
	"candor/app/platform/upload"
	"candor/app/platform/vault/vaulttest"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/withdrawal"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const (
	usd        = money.Unit
	iban       = "DE89370400440532013000"
	traderName = "Marta Ruiz"
)

// bundle has a bank account with a channel, a trader, a maker and a checker.
type bundle struct {
	*testing.T
	database       *dbtest.DB
	db             *db.DB
	banking        *banking.Service
	deposits       *deposit.Service
	account        ledger.Account
	maker, checker audit.Actor
	number         int
	clock          *clock.Fixed
}

// named is the identities of traders who all have one name.
type named struct{}

func (named) VerifiedName(context.Context, int64) (string, error) { return traderName, nil }

func (named) HolderIs(_ context.Context, _ int64, holder string) (bool, error) {
	return strings.EqualFold(holder, traderName), nil
}

func (n named) HolderIsTx(ctx context.Context, _ *db.Tx, id int64, holder string) (bool, error) {
	return n.HolderIs(ctx, id, holder)
}

func setup(t *testing.T) *bundle {
	t.Helper()
	database := dbtest.New(t)
	d, err := db.Open(t.Context(), database.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	values, err := switches.Load(t.Context(), d, nil)
	require.NoError(t, err)
	b := &bundle{T: t, database: database, db: d, clock: clock.NewFixed(start)}
	keys, nobody := vaulttest.New(t), func(int64) {}
	engine := approval.New(d, b.clock, trader.TakeDutyTx)
	b.deposits = deposit.New(deposit.Config{
		DB: d, Clock: b.clock, Switches: values, Pictures: upload.NewStore(t.TempDir()), Identities: named{}, Vault: keys, Approvals: engine, Changed: nobody,
	})
	payouts := withdrawal.New(withdrawal.Config{DB: d, Clock: b.clock, Switches: values, Approvals: engine, Vault: keys, Changed: nobody})
	b.banking = banking.New(d, b.clock, keys, b.deposits, payouts, engine)
	require.NoError(t, deposit.SeedSpecimen(t.Context(), d))
	require.NoError(t, banking.SeedSpecimen(t.Context(), d))
	b.maker, b.checker = b.staff("Finance maker 02"), b.staff("Finance checker 01")
	b.account = b.trader()
	return b
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func (b *bundle) next() int {
	b.number++
	return b.number
}

func (b *bundle) staff(name string) audit.Actor {
	b.Helper()
	id := b.count(`INSERT INTO staff (email, name, state, created_at) VALUES ($1, $2, 'invited', now()) RETURNING id`, fmt.Sprintf("s%d@example.com", b.next()), name)
	return audit.Actor{Kind: audit.Staff, ID: id, Name: name}
}

func (b *bundle) trader() (a ledger.Account) {
	b.Helper()
	mail := fmt.Sprintf("t%d@example.com", b.next())
	id := b.count(`INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ($1, 'T', '', 'DE', $1, now()) RETURNING id`, mail)
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		a, err = ledger.OpenTx(b.Context(), tx, id, ledger.Real, 1, start)
		return err
	}))
	return a
}

// deposit announces a deposit with this amount and reference, in a state.
func (b *bundle) deposit(amount int64, reference string, state deposit.State) deposit.Deposit {
	b.Helper()
	id := b.count(`INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, reference, state, created_at, proof_at, expires_at)
		VALUES ($1, $2, 1, 'bank', 'USD', $3, $4, $5, $6, $6, $6::timestamptz + interval '3 days') RETURNING id`, b.account.TraderID, b.account.ID, amount, reference, string(state), start)
	return b.read(id)
}

func (b *bundle) read(id int64) deposit.Deposit {
	b.Helper()
	d, err := b.deposits.Read(b.Context(), id)
	require.NoError(b, err)
	return d
}

// sent is a withdrawal of an amount that staff sent from the first bank account with a payment reference.
func (b *bundle) sent(amount int64, payment string) (id int64) {
	b.Helper()
	id = int64(500 + b.next())
	payee := b.count(`INSERT INTO payees (trader_id, kind, label, holder_key, holder_sealed, bank, iban, bic, usable_from, created_at)
		VALUES ($1, 'bank', $2, '\x01', '\x01', 'B', $2, 'X', $3::timestamptz + interval '1 day', $3) RETURNING id`, b.account.TraderID, fmt.Sprint("DE", id), start)
	post := func(key string, entries []ledger.Entry) (posted int64) {
		require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
			posted, err = ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: "test", Key: key, Cause: key, Book: ledger.Real, At: start, Entries: entries})
			return err
		}))
		return posted
	}
	a, err := ledger.Load(b.Context(), b.db.Pool, b.account.ID)
	require.NoError(b, err)
	post(fmt.Sprint("in:", id), a.Receive(amount))
	a, err = ledger.Load(b.Context(), b.db.Pool, b.account.ID)
	require.NoError(b, err)
	taken, sent := post(fmt.Sprint("out:", id), a.DebitToPayouts(amount)), post(fmt.Sprint("sent:", id), ledger.Real.Send(amount, 0))
	approved := approvaltest.Applied(b.T, b.db.Pool, "withdrawal", id, b.account.TraderID, b.maker.ID, b.checker.ID)
	b.count(`INSERT INTO withdrawals (id, trader_id, account_id, payee_id, kind, currency, amount, fee, holder_key, holder_sealed, bank, iban, bic, risk, risk_reasons, state, approval, payment,
			taken_id, sent_id, created_at, moved_at, sent_at, bank_account_id)
		VALUES ($1, $2, $3, $4, 'bank', 'USDT', $5, 0, '\x01', '\x01', 'B', 'DE1', 'X', 0, '', 'sent', $6, $7, $8, $9, $10, $10, $10, 1) RETURNING id`,
		id, b.account.TraderID, b.account.ID, payee, amount, approved, payment, taken, sent, start)
	return id
}

// line is a movement of a statement.
type line struct {
	amount    int64 // cents
	reference string
	name      string
	text      string
}

// statement is an MT940 file of these lines, from an opening balance in cents.
func statement(number int, opening int64, lines ...line) []byte {
	var out strings.Builder
	write := func(format string, args ...any) { fmt.Fprintf(&out, format+"\r\n", args...) }
	write(":20:STMT%d", number)
	write(":25:%s", iban)
	write(":28C:%d/1", number)
	write(":60F:%s", balance(opening))
	for _, l := range lines {
		sign, size := "C", l.amount
		if size < 0 {
			sign, size = "D", -size
		}
		write(":61:2611201120%s%d,%02dNTRFNONREF//%s", sign, size/100, size%100, l.reference)
		write(":86:166?00TRANSFER?20%s?32%s", l.text, l.name)
		opening += l.amount
	}
	write(":62F:%s", balance(opening))
	return []byte(out.String())
}

func balance(cents int64) string { return fmt.Sprintf("C261120USD%d,%02d", cents/100, cents%100) }

// imported imports a file and returns its lines, the first one first.
func (b *bundle) imported(raw []byte) []banking.Line {
	b.Helper()
	out, err := b.banking.Import(b.Context(), b.maker, banking.File{Raw: raw})
	require.NoError(b, err)
	list, err := b.banking.Lines(b.Context(), banking.Search{StatementID: out.Statements[0].ID}, banking.Place{}, 1000)
	require.NoError(b, err)
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

func (b *bundle) line(id int64) banking.Line {
	b.Helper()
	l, err := b.banking.Line(b.Context(), id)
	require.NoError(b, err)
	return l
}
