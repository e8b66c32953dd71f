package wallet_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/switches"
	"candor/app/wallet"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const (
	usdt    = money.Unit
	coin    = int64(100_000_000) // one bitcoin, one ether
	bitcoin = 201
	ether   = 202
)

// bundle is a fixture with constant market prices.
type bundle struct {
	*testing.T
	database *dbtest.DB
	db       *db.DB
	clock    *clock.Fixed
	switches *switches.Service
	wallet   *wallet.Service

	mu      sync.Mutex
	number  int
	changed []int64
	needed  int64 // by the positions of each account
	profit  int64
	quotes  map[int]market.Quote
	refusal map[int]error
}

func setup(t *testing.T) *bundle {
	t.Helper()
	database := dbtest.New(t)
	d, err := db.Open(t.Context(), database.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	require.NoError(t, market.Seed(t.Context(), d))
	values, err := switches.Load(t.Context(), d, nil)
	require.NoError(t, err)
	b := &bundle{T: t, database: database, db: d, clock: clock.NewFixed(start), switches: values, refusal: map[int]error{}, quotes: map[int]market.Quote{}}
	b.price(bitcoin, 7, 9_000_000, 9_001_000)
	b.price(ether, 3, 300_000, 300_100)
	b.wallet = wallet.New(d, b.clock, values, b, b, func(id int64) {
		b.mu.Lock()
		b.changed = append(b.changed, id)
		b.mu.Unlock()
	})
	return b
}

func (b *bundle) price(product int, seq, bid, ask int64) {
	b.quotes[product] = market.Quote{ProductID: product, Seq: seq, Bid: bid, Ask: ask, AtMS: start.UnixMilli(), SourceMS: start.UnixMilli(), Source: "test", Batch: 1}
}

func (b *bundle) ProductBySymbol(symbol string) (market.Product, error) {
	for _, p := range market.Catalogue() {
		if _, priced := b.quotes[p.ID]; priced && p.Symbol == symbol {
			return p, nil
		}
	}
	return market.Product{}, market.ErrProduct
}

func (b *bundle) Tradable(id int) (market.Quote, error) { return b.quotes[id], b.refusal[id] }

func (b *bundle) Confirmed(id int) (market.Quote, bool) {
	q, ok := b.quotes[id]
	return q, ok
}

func (b *bundle) WithdrawableTx(_ context.Context, _ *db.Tx, account ledger.Account) (int64, error) {
	return max(0, account.Cash-b.needed), nil
}

func (b *bundle) EquityTx(_ context.Context, _ *db.Tx, account ledger.Account) (int64, error) {
	return account.Worth() + b.profit, nil
}

// next is a unique number.
func (b *bundle) next() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.number++
	return b.number
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func (b *bundle) set(key, value string) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), `INSERT INTO switches (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2`, key, value)
	require.NoError(b, err)
	require.NoError(b, b.switches.Reload(b.Context()))
}

// owner makes a trader with cash on the real account.
func (b *bundle) owner(cash int64) ledger.Owner {
	b.Helper()
	n := b.next()
	id := b.count(`INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ($1, 'T', '', 'DE', $2, now()) RETURNING id`,
		fmt.Sprintf("t%d@example.com", n), fmt.Sprint("I", n))
	o := ledger.Owner{TraderID: id, AccountID: b.account(id, ledger.Real, 1).ID, Name: "t***", IP: "192.0.2.7", TraceID: "trace-owner"}
	if cash > 0 {
		b.receive(o.AccountID, cash)
	}
	return o
}

func (b *bundle) account(traderID int64, book ledger.Book, accountType int) (a ledger.Account) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		a, err = ledger.OpenTx(b.Context(), tx, traderID, book, accountType, start)
		return err
	}))
	return a
}

// another opens another real account of a trader.
func (b *bundle) another(o ledger.Owner) (a ledger.Account) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		a, err = ledger.OpenAnotherTx(b.Context(), tx, ledger.Another{TraderID: o.TraderID, Book: ledger.Real, Type: 1, Name: fmt.Sprint("Plan ", b.next())}, start)
		return err
	}))
	return a
}

func (b *bundle) funding(traderID int64, currency string) (a ledger.Account) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		a, err = ledger.OpenFundingTx(b.Context(), tx, traderID, 1, currency, start)
		return err
	}))
	return a
}

func (b *bundle) receive(accountID, amount int64) {
	b.Helper()
	b.post(accountID, func(a ledger.Account) []ledger.Entry { return a.Receive(amount) })
}

func (b *bundle) post(accountID int64, entries func(ledger.Account) []ledger.Entry) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) error {
		a, err := ledger.LockTx(b.Context(), tx, accountID)
		if err != nil {
			return err
		}
		_, err = ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: "deposit", Key: fmt.Sprint("in:", b.next()), Cause: "test", Book: a.Book, At: start, Entries: entries(a)})
		return err
	}))
}

// fund posts money in a currency to a trader's funding account, against the house.
func (b *bundle) fund(o ledger.Owner, currency string, amount int64) {
	b.Helper()
	a := b.funding(o.TraderID, currency)
	house := b.count(`SELECT id FROM accounts WHERE kind = 'house' AND name = 'exchange' AND currency = $1`, currency)
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) error {
		_, err := ledger.PostTx(b.Context(), tx, ledger.Transaction{
			Kind: "test", Key: fmt.Sprint("in:", b.next()), Cause: "test", Book: ledger.Real, At: start, Currencies: map[int64]string{a.ID: currency, house: currency},
			Entries: []ledger.Entry{{AccountID: a.ID, Bucket: ledger.Cash, Amount: amount}, {AccountID: house, Bucket: "house", Amount: -amount}},
		})
		return err
	}))
}

// fundUSDT posts USDT to the trader's funding account.
func (b *bundle) fundUSDT(o ledger.Owner, amount int64) {
	b.Helper()
	b.receive(b.funding(o.TraderID, ledger.Currency).ID, amount)
}

func (b *bundle) cash(accountID int64) int64 {
	b.Helper()
	a, err := ledger.Load(b.Context(), b.db.Pool, accountID)
	require.NoError(b, err)
	return a.Cash
}

// fundingBalance is a trader's balance in a currency's funding account.
func (b *bundle) fundingBalance(o ledger.Owner, currency string) int64 {
	b.Helper()
	return b.count(`SELECT coalesce(sum(cash), 0) FROM accounts WHERE trader_id = $1 AND kind = 'funding' AND currency = $2`, o.TraderID, currency)
}

// keyed is a write request with a unique key.
func (b *bundle) keyed(o ledger.Owner) idempotency.Request {
	return idempotency.Request{TraderID: o.TraderID, Call: "call", Key: fmt.Sprint("key-", b.next())}
}

// valueOf is the value of a keyed write's result.
func valueOf[T any](r idempotency.Result[T], err error) (T, error) { return r.Value, err }

func (b *bundle) transfer(o ledger.Owner, from, to ledger.Kind, amount int64) (wallet.Transfer, error) {
	return b.move(o, wallet.End{Kind: from}, wallet.End{Kind: to}, amount)
}

// move transfers between any two accounts.
func (b *bundle) move(o ledger.Owner, from, to wallet.End, amount int64) (wallet.Transfer, error) {
	return valueOf(b.wallet.Transfer(b.Context(), o, from, to, amount, b.keyed(o)))
}

func (b *bundle) quote(o ledger.Owner, from, to string, given wallet.GivenSide, amount int64) wallet.Quote {
	b.Helper()
	q, err := b.wallet.Quote(b.Context(), o, from, to, given, amount)
	require.NoError(b, err)
	return q
}

func (b *bundle) exchange(o ledger.Owner, quoteID int64) (wallet.Exchange, error) {
	return valueOf(b.wallet.Exchange(b.Context(), o, quoteID, b.keyed(o)))
}

// requireProved requires that the ledger verifies and that every exchange matches its quote.
func (b *bundle) requireProved() {
	b.Helper()
	problem, _, err := ledger.Verify(b.Context(), b.db.Pool)
	require.NoError(b, err)
	require.Nil(b, problem)
	problem, proved, err := wallet.Verify(b.Context(), b.db.Pool, market.Catalogue())
	require.NoError(b, err)
	require.Nil(b, problem)
	require.Equal(b, b.count(`SELECT count(*) FROM exchanges`), proved)
}
