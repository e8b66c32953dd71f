package adjustment_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/platform/vault"
	"candor/app/reconciliation"
	"candor/app/switches"
	"candor/app/trader"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const usdt = money.Unit

// bundle is a fixture with traders and a finance desk.
type bundle struct {
	*testing.T
	dir                 string
	test                *dbtest.DB
	db                  *db.DB
	clock               *clock.Fixed
	switches            *switches.Service
	adjustments         *adjustment.Service
	maker, checker, led audit.Actor

	mu      sync.Mutex
	number  int
	needed  int64 // by the positions of each account
	changed []int64
}

func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	d, err := db.Open(t.Context(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	values, err := switches.Load(t.Context(), d, nil)
	require.NoError(t, err)
	dir := t.TempDir()
	keys, err := vault.Load(dir, false)
	require.NoError(t, err)
	b := &bundle{T: t, dir: dir, test: test, db: d, clock: clock.NewFixed(start), switches: values}
	b.adjustments = adjustment.New(adjustment.Config{
		DB: d, Clock: b.clock, Switches: values, Approvals: approval.New(d, b.clock, trader.TakeDutyTx), Positions: b, Changed: b.onChanged, Vault: keys, Folder: vault.NewFolder(filepath.Join(dir, "adjustments")),
		Owners: map[adjustment.CaseKind]adjustment.Owner{adjustment.Conversation: b.owner, adjustment.Deposit: b.owner},
	})
	b.maker, b.checker, b.led = b.staff("Maker"), b.staff("Checker"), b.staff("Lead")
	return b
}

// WithdrawableTx is the free cash that positions do not need.
func (b *bundle) WithdrawableTx(_ context.Context, _ *db.Tx, account ledger.Account) (int64, error) {
	return account.Cash - b.needed, nil
}

// Cases that nobody has, and that are of nobody.
const (
	noCase     = 900_001
	nobodyCase = 900_002
)

// owner is the owner of a case that has the number of its trader.
func (b *bundle) owner(_ context.Context, id int64) (*int64, error) {
	switch id {
	case noCase:
		return nil, errs.New(errs.NotFound, "deposit.unknown")
	case nobodyCase:
		return nil, nil
	}
	return &id, nil
}

func (b *bundle) onChanged(accountID int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changed = append(b.changed, accountID)
}

func (b *bundle) staff(name string) audit.Actor {
	b.Helper()
	id := b.count(`INSERT INTO staff (email, name, state, created_at) VALUES (lower($1) || '@house.example', $1, 'invited', now()) RETURNING id`, name)
	return audit.Actor{Kind: audit.Staff, ID: id, Name: name}
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

// trader makes a trader with dollars on a real account.
func (b *bundle) trader(dollars int64) (a ledger.Account) {
	b.Helper()
	b.number++
	id := b.count(`INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ($1, 'T', '', 'DE', $1, now()) RETURNING id`, fmt.Sprintf("t%d@example.com", b.number))
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		if a, err = ledger.OpenTx(b.Context(), tx, id, ledger.Real, 1, start); err != nil || dollars == 0 {
			return err
		}
		_, err = ledger.PostTx(b.Context(), tx, ledger.Transaction{
			Kind: "test", Key: fmt.Sprint("in:", id), Cause: "test", Book: ledger.Real, At: start, Entries: a.Receive(dollars * usdt),
		})
		return err
	}))
	return a
}

func (b *bundle) request(a ledger.Account, amount int64) adjustment.Request {
	b.number++
	return adjustment.Request{TraderID: a.TraderID, Amount: amount, Reason: "missed_credit", Case: adjustment.Case{CaseKind: adjustment.Conversation, CaseID: a.TraderID}, Note: "Bank line of 19 November", Key: fmt.Sprint(b.number)}
}

func (b *bundle) requested(a ledger.Account, amount int64) adjustment.Adjustment {
	b.Helper()
	made, err := b.adjustments.Request(b.Context(), b.maker, b.request(a, amount))
	require.NoError(b, err)
	return made
}

// confirm confirms the current facts.
func (b *bundle) confirm(by audit.Actor, a adjustment.Adjustment) (adjustment.Adjustment, error) {
	return b.adjustments.Approve(b.Context(), by, a.ID, a.Version, a.State, a.Facts)
}

func (b *bundle) load(id int64) ledger.Account {
	b.Helper()
	a, err := ledger.Load(b.Context(), b.db.Pool, id)
	require.NoError(b, err)
	return a
}

func (b *bundle) cash(a ledger.Account) int64 { return b.load(a.ID).Cash }

// proved requires that the reconciliation finds no problem.
func (b *bundle) proved() {
	b.Helper()
	wrong, _, err := reconciliation.Prove(b.Context(), b.db, time.Time{})
	require.NoError(b, err)
	require.Nil(b, wrong)
}
