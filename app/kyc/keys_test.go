package kyc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/keyring"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/vault"
	"candor/app/staff"
	"candor/app/trader"
)

// TestRetire retires unused older keys while other traders seal data at the same time.
func TestRetire(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	b.drafted(o)
	copied := b.row(b.save(o, kyc.Filled{}).ID)
	require.NoError(t, b.keys.Rotate(t.Context()))
	require.ErrorIs(t, b.keys.Retire(t.Context()), keyring.ErrStale)
	stale, err := b.keys.Stale(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 4+2, stale)

	page, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = b.keys.Rewrap(page)
	require.Error(t, err, "cut short")
	n, err := b.keys.Rewrap(t.Context())
	require.NoError(t, err)
	require.Equal(t, 4+2, n)

	var group sync.WaitGroup
	others := make([]ledger.Owner, 8)
	for i := range others {
		others[i] = b.owner()
	}
	for _, other := range others {
		group.Go(func() {
			_, err := b.kyc.Save(t.Context(), other, b.filled())
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range 4 {
		require.NoError(t, b.keys.Rotate(t.Context()))
		for {
			_, err := b.keys.Rewrap(t.Context())
			require.NoError(t, err)
			if err = b.keys.Retire(t.Context()); err == nil {
				break
			}
			require.ErrorIs(t, err, keyring.ErrStale, "somebody has sealed between")
		}
	}
	group.Wait()
	_, err = b.keys.Rewrap(t.Context())
	require.NoError(t, err)
	require.NoError(t, b.keys.Retire(t.Context()))
	keys, err := b.vault.Keys()
	require.NoError(t, err)
	require.Equal(t, 1, keys)
	for _, one := range append(others, o) {
		v, err := b.kyc.Find(t.Context(), one.TraderID)
		require.NoError(t, err)
		require.Equal(t, "Erika Mustermann", v.Data.FullName)
	}
	_, err = b.kyc.Picture(t.Context(), o.TraderID, kyc.Front)
	require.NoError(t, err)
	b.exec(`UPDATE kyc_applications SET name_key = $2, name_sealed = $3 WHERE id = $1`, copied.ID, copied.NameKey, copied.NameSealed)
	_, err = b.kyc.Find(t.Context(), o.TraderID)
	require.ErrorIs(t, err, vault.ErrUnreadable, "a copy from before stays shut")
	for action, most := range map[string]int64{"kyc.rotate": 5, "kyc.retire": 5} {
		require.Equal(t, most, b.count(`SELECT count(*) FROM audit_entries WHERE action = $1`, action), action)
	}
}

const why = "asked for by the trader"

// TestShred shreds identities at every stage, and refuses while an identity is still needed.
func TestShred(t *testing.T) {
	t.Parallel()
	b := setup(t)
	late := start.AddDate(5, 0, 1)
	shred := func(o ledger.Owner) error {
		_, err := b.kyc.Shred(t.Context(), o.TraderID, why)
		return err
	}

	t.Run("WhatItRefuses", func(t *testing.T) {
		b := b.in(t)
		o := b.owner()
		require.ErrorIs(t, shred(o), kyc.ErrNoTrader)
		require.ErrorIs(t, shred(ledger.Owner{TraderID: 1 << 40}), kyc.ErrNoTrader)
		b.submitted(o)
		for _, reason := range []string{"", "short", string(make([]byte, 20))} {
			_, err := b.kyc.Shred(t.Context(), o.TraderID, reason)
			require.ErrorIs(t, err, kyc.ErrWhy)
		}
		b.at(late, func() { require.ErrorIs(t, shred(o), kyc.ErrOpen) })
		approved := b.owner()
		b.approved(approved)
		require.ErrorIs(t, shred(approved), kyc.ErrKept)
		b.at(start.AddDate(5, 0, 0).Add(-time.Second), func() { require.ErrorContains(t, shred(approved), "until 2031-11-20") })
		move(b, approved, start, func(a ledger.Account) []ledger.Entry { return a.Receive(5) })
		b.at(late, func() { require.ErrorIs(t, shred(approved), kyc.ErrMoney) })
		move(b, approved, late.AddDate(-2, 0, 0), func(a ledger.Account) []ledger.Entry { return a.DebitToPayouts(5) })
		b.at(late, func() { require.ErrorIs(t, shred(approved), kyc.ErrKept, "money moved two years ago") })
		require.Zero(t, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'kyc.shred'`))
		require.Zero(t, b.count(`SELECT count(*) FROM kyc_applications WHERE shredded_at IS NOT NULL`))
	})
	t.Run("AnApprovedOne", func(t *testing.T) {
		b := b.in(t)
		o, twin := b.owner(), b.owner()
		a := b.approved(o)
		other := b.approved(twin)
		before, pictures := b.row(a.ID), b.documents(a.ID)
		b.at(late, func() { require.NoError(t, shred(o)) })
		after := b.row(a.ID)
		require.Equal(t, kyc.Revoked, after.State)
		for _, bytes := range [][]byte{after.NameKey, after.NameSealed, after.NumberKey, after.NumberSealed, after.BirthKey, after.BirthSealed, after.ExpiryKey, after.ExpirySealed, after.NumberHash} {
			require.Nil(t, bytes)
		}
		require.Equal(t, before.MakerID, after.MakerID, "what was decided stays")
		for _, d := range b.documents(a.ID) {
			require.True(t, d.Shredded())
			require.Nil(t, d.PictureHash)
		}
		for _, d := range pictures {
			_, err := os.Stat(filepath.Join(b.dir, "kyc", d.FileName))
			require.ErrorIs(t, err, os.ErrNotExist)
		}
		b.requireTrader(o, trader.AuthNone, 0)
		v, err := b.kyc.Find(t.Context(), o.TraderID)
		require.NoError(t, err)
		require.Empty(t, v.Data)
		b.exec(`UPDATE kyc_applications SET name_sealed = NULL WHERE id = $1`, a.ID) // its key is still missing
		require.Equal(t, kyc.Approved, b.row(other.ID).State, "nobody else is touched")
		v, err = b.kyc.Find(t.Context(), twin.TraderID)
		require.NoError(t, err)
		require.Equal(t, "Erika Mustermann", v.Data.FullName)

		b.save(o, b.filled()) // a returning trader is verified again
		require.Equal(t, kyc.Draft, func() kyc.State { v, _ := b.kyc.Find(t.Context(), o.TraderID); return v.State }())
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'kyc.shred' AND target_id = $1::bigint::text AND after LIKE '%' || $2 || '%'`, o.TraderID, why))
	})
	t.Run("ADraftAtOnce", func(t *testing.T) {
		b := b.in(t)
		o := b.owner()
		v := b.drafted(o)
		require.NoError(t, shred(o))
		require.Equal(t, kyc.Draft, b.row(v.ID).State)
		found, err := b.kyc.Find(t.Context(), o.TraderID)
		require.NoError(t, err)
		require.Empty(t, found.Data)
		_, err = b.kyc.Picture(t.Context(), o.TraderID, kyc.Front)
		require.ErrorIs(t, err, kyc.ErrNoImage)
		b.save(o, b.filled())
	})
	t.Run("WhatIsAskedForAgain", func(t *testing.T) {
		b := b.in(t)
		o := b.owner()
		a := b.askedAgain(o)
		b.at(late, func() { require.NoError(t, shred(o)) })
		require.NotNil(t, b.row(a.ID).ShreddedAt)
	})
	t.Run("WhoWasRejectedStaysSo", func(t *testing.T) {
		b := b.in(t)
		o := b.owner()
		a := b.escalated(o)
		a, err := b.kyc.RejectFinal(t.Context(), b.lead, b.claim(b.lead, a.ID).ID, 0, "sanctions", "")
		require.NoError(t, err)
		b.at(late, func() { require.NoError(t, shred(o)) })
		require.Equal(t, kyc.Rejected, b.row(a.ID).State)
		_, err = b.kyc.Save(t.Context(), o, b.filled())
		require.ErrorIs(t, err, kyc.ErrState)
		b.requireTrader(o, trader.AuthFailed, 0)
	})
	t.Run("EightAtOnceShredOnce", func(t *testing.T) {
		b := b.in(t)
		o := b.owner()
		a := b.approved(o)
		var group sync.WaitGroup
		var mu sync.Mutex
		done := 0
		b.at(late, func() {
			for range 8 {
				group.Go(func() {
					if err := shred(o); err == nil {
						mu.Lock()
						done++
						mu.Unlock()
					} else if !errors.Is(err, kyc.ErrNoTrader) {
						t.Error(err)
					}
				})
			}
			group.Wait()
		})
		require.Equal(t, 1, done)
		require.NotNil(t, b.row(a.ID).ShreddedAt)
	})
}

// move posts entries to a trader's real account at a given time.
func move(b *bundle, o ledger.Owner, at time.Time, entries func(ledger.Account) []ledger.Entry) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) error {
		a, err := ledger.OpenTx(b.Context(), tx, o.TraderID, ledger.Real, 1, start)
		if err != nil {
			return err
		}
		if a, err = ledger.LockTx(b.Context(), tx, a.ID); err != nil {
			return err
		}
		_, err = ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: "move", Key: at.String(), Cause: "test", Book: a.Book, At: at, Entries: entries(a)})
		return err
	}))
}

// endedDeposits are the final states of a deposit; in all others the trader's identity is still needed.
var endedDeposits = []string{"credited", "rejected", "expired", "cancelled", "failed", "charged_back", "dropped", "refunded", "reversed"}

// TestShredKeepsWhoseDepositIsOpen tries every state that the table allows.
func TestShredKeepsWhoseDepositIsOpen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	b.approved(o)
	move(b, o, start, func(a ledger.Account) []ledger.Entry { return a.Receive(5) })
	move(b, o, start.Add(time.Second), func(a ledger.Account) []ledger.Entry { return a.DebitToPayouts(5) })
	refusal := func() error {
		_, err := b.kyc.Shred(t.Context(), o.TraderID, why)
		return err
	}
	require.ErrorIs(t, refusal(), kyc.ErrKept, "no deposit yet")
	channel := b.count(`
		INSERT INTO pay_channels (kind, name, currency, minimum, maximum, sort, enabled, provider)
		VALUES ('third_party', 'Pay', 'USDT', 1, 2, 99, false, 'sandbox') RETURNING id`)
	b.exec(`
		INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, reference, state, provider, maker_id, checker_id, bank_reference,
			created_at, expires_at)
		SELECT $1, id, $2, 'third_party', 'USDT', 5, 'C-1', 'created', 'sandbox', $3, $4, 'R-1', now(), now() FROM accounts WHERE trader_id = $1`,
		o.TraderID, channel, b.staff(staff.FinanceMaker).ID, b.staff(staff.FinanceChecker).ID)
	stand := func(state string) {
		t.Helper()
		b.database.Tamper(t, `
			UPDATE deposits SET state = '`+state+`', transaction_id = CASE WHEN '`+state+`' IN ('credited', 'charged_back', 'reversed') THEN (SELECT min(id) FROM ledger_transactions) END,
			       reversal_approval = 1, reversal_id = CASE WHEN '`+state+`' IN ('charged_back', 'reversed') THEN (SELECT max(id) FROM ledger_transactions) END`)
	}
	rows, err := b.db.Pool.Query(t.Context(), `SELECT unnest(enum_range(NULL::deposit_state))::text`)
	require.NoError(t, err)
	states, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Subset(t, states, append([]string{"aml_hold", "appeal", "provider_unknown", "refunding", "detected", "marked_paid", "awaiting_transfer"}, endedDeposits...))
	for _, state := range states {
		stand(state)
		if slices.Contains(endedDeposits, state) {
			require.ErrorIs(t, refusal(), kyc.ErrKept, state)
		} else {
			require.ErrorIs(t, refusal(), kyc.ErrMoney, state)
		}
	}
	stand("credited")
	b.exec(`UPDATE deposits SET gone_at = now()`)
	require.ErrorIs(t, refusal(), kyc.ErrMoney, "credited, and about to be taken back")
	stand("reversed")
	require.ErrorIs(t, refusal(), kyc.ErrKept)
}

func TestShredKeepsWhoOwes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	refusal := func(o ledger.Owner) error {
		_, err := b.kyc.Shred(t.Context(), o.TraderID, why)
		return err
	}
	owes, lost := b.owner(), b.owner()
	for _, o := range []ledger.Owner{owes, lost} {
		b.approved(o)
	}
	move(b, owes, start, func(a ledger.Account) []ledger.Entry { return a.Reverse(5, 0) })
	require.ErrorIs(t, refusal(owes), kyc.ErrMoney)
	move(b, owes, start.Add(time.Second), func(a ledger.Account) []ledger.Entry { return a.Receive(5) })
	require.ErrorIs(t, refusal(owes), kyc.ErrKept, "it is paid back")
	require.ErrorIs(t, refusal(lost), kyc.ErrKept)
	move(b, lost, start.Add(2*time.Second), func(a ledger.Account) []ledger.Entry { return a.Result(-5, 0) })
	require.ErrorIs(t, refusal(lost), kyc.ErrMoney)
}

// TestShredAsksEveryPart refuses while any part of the house has business with the trader, and where no part is asked.
func TestShredAsksEveryPart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	a := b.approved(o)
	closed := errors.New("closed")
	answering := func(open bool, err error) kyc.Business {
		return func(_ context.Context, _ db.Querier, traderID int64) (bool, error) {
			require.Equal(t, o.TraderID, traderID)
			return open, err
		}
	}
	shred := func(business ...kyc.Business) error {
		s := kyc.New(kyc.Config{DB: b.db, Clock: b.clock, Vault: b.vault, Folder: vault.NewFolder(b.dir), Business: business})
		_, err := s.Shred(t.Context(), o.TraderID, why)
		return err
	}
	b.at(start.AddDate(5, 0, 1), func() {
		require.ErrorContains(t, shred(), "nobody says")
		require.ErrorIs(t, shred(answering(true, nil), answering(false, nil)), kyc.ErrMoney)
		require.ErrorIs(t, shred(answering(false, nil), answering(true, nil)), kyc.ErrMoney)
		require.ErrorIs(t, shred(answering(false, nil), answering(false, closed)), closed)
		require.Nil(t, b.row(a.ID).ShreddedAt)
		require.NoError(t, shred(answering(false, nil), answering(false, nil)))
		require.NotNil(t, b.row(a.ID).ShreddedAt)
	})
}
