package ledger_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/ledger"
	"candor/app/platform/db"
)

// The SQLSTATEs of the database's own refusals.
const (
	denied  = "42501"
	foreign = "23503"
	unique  = "23505"
	check   = "23514"
)

func requireCode(t *testing.T, code string, err error) {
	t.Helper()
	var pg *pgconn.PgError
	require.ErrorAs(t, err, &pg)
	require.Equal(t, code, pg.Code, pg.Message)
}

func TestOpen(t *testing.T) {
	t.Parallel()

	t.Run("OneAccountPerTraderAndBook", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		trader := b.trader()
		opened := b.openFor(trader, ledger.Real)
		require.Equal(t, opened, b.openFor(trader, ledger.Real))
		mock := b.openFor(trader, ledger.Mock)
		require.NotEqual(t, opened.ID, mock.ID)
		require.True(t, mock.Mock())
		require.False(t, opened.Mock())
		list, err := ledger.List(t.Context(), b.db.Pool, trader)
		require.NoError(t, err)
		require.Equal(t, []ledger.Account{opened, mock}, list)
	})
	t.Run("EightAtOnceOpenOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		trader := b.trader()
		var group errgroup.Group
		for range 8 {
			group.Go(func() error {
				return b.db.InTx(t.Context(), func(tx *db.Tx) error {
					_, err := ledger.OpenTx(t.Context(), tx, trader, ledger.Real, 1, start)
					return err
				})
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM accounts WHERE trader_id = $1`, trader))
	})
	t.Run("SomebodyElsesAccountIsUnknown", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		mine, theirs := b.open(ledger.Real), b.open(ledger.Real)
		_, err := ledger.Find(t.Context(), b.db.Pool, mine.TraderID, mine.ID)
		require.NoError(t, err)
		for _, id := range []int64{theirs.ID, 999_999, houseTrading} {
			_, err := ledger.Find(t.Context(), b.db.Pool, mine.TraderID, id)
			require.Equal(t, ledger.ErrAccount, err)
		}
	})
	t.Run("TheHouseIsNoTradersAccount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := ledger.Load(t.Context(), b.db.Pool, houseTrading)
		require.ErrorIs(t, err, ledger.ErrAccount)
		err = b.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := ledger.LockTx(t.Context(), tx, houseTrading)
			return err
		})
		require.ErrorIs(t, err, ledger.ErrAccount)
	})
}

func TestPost(t *testing.T) {
	t.Parallel()

	t.Run("MovesTheBucketsAndAppendsThePostings", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(1_000)
		b.requireBuckets(a.ID, 1_000, 0, 0)
		require.NoError(t, b.post(a.Book, "deal", a.Result(250, 10)...))
		b.requireBuckets(a.ID, 1_240, 0, 0)
		require.Equal(t, a.Version+1, b.load(a.ID).Version)
		lines, _, err := ledger.Statement(t.Context(), b.db.Pool, a.ID, ledger.StatementFilter{Limit: 10})
		require.NoError(t, err)
		require.Equal(t, []int64{240, 1_000}, []int64{lines[0].Amount, lines[1].Amount})
		b.requireProved()
	})
	t.Run("AStatementPagesByKeyAndShowsOneAccount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(1)
		b.funded(77)
		for n := range 4 {
			require.NoError(t, b.post(a.Book, fmt.Sprint("deal", n), a.Receive(int64(n)+2)...))
		}
		var amounts []int64
		for before := int64(0); ; {
			page, _, err := ledger.Statement(t.Context(), b.db.Pool, a.ID, ledger.StatementFilter{Before: before, Limit: 2})
			require.NoError(t, err)
			if len(page) == 0 {
				break
			}
			for _, line := range page {
				amounts, before = append(amounts, line.Amount), line.ID
			}
		}
		require.Equal(t, []int64{5, 4, 3, 2, 1}, amounts)
		others, _, err := ledger.Statement(t.Context(), b.db.Pool, b.funded(78).ID, ledger.StatementFilter{Limit: 1})
		require.NoError(t, err)
		page, _, err := ledger.Statement(t.Context(), b.db.Pool, a.ID, ledger.StatementFilter{Before: others[0].ID, Limit: 2})
		require.NoError(t, err)
		require.Empty(t, page, "behind an entry of somebody else")
	})
	t.Run("AnEntryKnowsWhatItsBucketHeldAfterIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		b.funded(77)
		require.NoError(t, b.post(a.Book, "bonus", ledger.Entry{AccountID: a.ID, Bucket: ledger.Bonus, Amount: 30}, ledger.Entry{AccountID: houseBonus, Bucket: house, Amount: -30}))
		for n, amount := range []int64{50, 5} {
			require.NoError(t, b.post(a.Book, fmt.Sprint("deal", n), b.load(a.ID).Receive(amount)...))
		}
		lines, next, err := ledger.Statement(t.Context(), b.db.Pool, a.ID, ledger.StatementFilter{Limit: 2})
		require.NoError(t, err)
		older, _, err := ledger.Statement(t.Context(), b.db.Pool, a.ID, ledger.StatementFilter{Limit: 2, Before: next})
		require.NoError(t, err)
		for _, page := range []struct {
			lines []ledger.Line
			want  []int64
		}{
			{lines, []int64{155, 150}},
			{older, []int64{30, 100}},
			{[]ledger.Line{lines[0], older[1]}, []int64{155, 100}}, // a filter left the ones between out
		} {
			after, err := ledger.BalancesAfter(t.Context(), b.db.Pool, a.ID, page.lines)
			require.NoError(t, err)
			require.Equal(t, page.want, []int64{after[page.lines[0].ID], after[page.lines[1].ID]})
		}
	})
	t.Run("NoEntryOfAnotherAccountHasABalance", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		mine, theirs := b.funded(100), b.funded(77)
		lines, _, err := ledger.Statement(t.Context(), b.db.Pool, theirs.ID, ledger.StatementFilter{Limit: 2})
		require.NoError(t, err)
		after, err := ledger.BalancesAfter(t.Context(), b.db.Pool, mine.ID, lines)
		require.NoError(t, err)
		require.Empty(t, after)
		after, err = ledger.BalancesAfter(t.Context(), b.db.Pool, mine.ID, nil)
		require.NoError(t, err)
		require.Empty(t, after)
	})
	t.Run("DebtIsOneBucketOfAStatement", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(100)
		require.NoError(t, b.post(a.Book, "debt", ledger.Entry{AccountID: a.ID, Bucket: ledger.Deficit, Amount: -3}, ledger.Entry{AccountID: a.ID, Bucket: ledger.Owed, Amount: -2}, ledger.Entry{AccountID: houseTrading, Bucket: house, Amount: 5}))
		lines, _, err := ledger.Statement(t.Context(), b.db.Pool, a.ID, ledger.StatementFilter{Limit: 3})
		require.NoError(t, err)
		after, err := ledger.BalancesAfter(t.Context(), b.db.Pool, a.ID, lines)
		require.NoError(t, err)
		require.Equal(t, []int64{-5, 100}, []int64{after[lines[0].ID], after[lines[2].ID]})
	})
	t.Run("AStatementIsNarrowedByKindAndTime", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.open(ledger.Real)
		start := time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)
		for n, kind := range []string{"deposit", "trade_open", "deposit"} {
			require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := ledger.PostTx(t.Context(), tx, ledger.Transaction{
					Kind: kind, Key: fmt.Sprint("line", n), Cause: "order:1", Book: a.Book, At: start.Add(time.Duration(n) * time.Hour), Entries: a.Receive(int64(n) + 1),
				})
				return err
			}))
		}
		for name, test := range map[string]struct {
			filter ledger.StatementFilter
			want   []int64
		}{
			"All":          {ledger.StatementFilter{}, []int64{3, 2, 1}},
			"OfAKind":      {ledger.StatementFilter{Kind: "deposit"}, []int64{3, 1}},
			"OfNoKind":     {ledger.StatementFilter{Kind: "trade_close"}, nil},
			"FromAMoment":  {ledger.StatementFilter{From: start.Add(time.Hour)}, []int64{3, 2}},
			"UntilAMoment": {ledger.StatementFilter{To: start.Add(time.Hour)}, []int64{1}},
			"OfBoth":       {ledger.StatementFilter{Kind: "deposit", From: start.Add(time.Hour)}, []int64{3}},
			"BehindOthers": {ledger.StatementFilter{Offset: 1}, []int64{2, 1}},
		} {
			test.filter.Limit = 10
			lines, _, err := ledger.Statement(t.Context(), b.db.Pool, a.ID, test.filter)
			require.NoError(t, err)
			var amounts []int64
			for _, l := range lines {
				amounts = append(amounts, l.Amount)
			}
			require.Equal(t, test.want, amounts, name)
		}
	})
	t.Run("AStatementFindsEveryStretchOfTime", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a, other := b.open(ledger.Real), b.funded(1)
		start := time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)
		moments := []time.Duration{} // two servers take turns; the clock of one is half a minute slow
		for n := range 30 {
			at := time.Duration(n) * 10 * time.Second
			moments = append(moments, at-time.Duration(n%2)*30*time.Second)
			require.NoError(t, b.post(a.Book, fmt.Sprint("other", n), other.Receive(1)...))
			require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := ledger.PostTx(t.Context(), tx, ledger.Transaction{
					Kind: "deal", Key: fmt.Sprint("line", n), Cause: "order:1", Book: a.Book, At: start.Add(moments[n]), Entries: a.Receive(int64(n) + 1),
				})
				return err
			}))
		}
		order := make([]int, len(moments)) // newest first; of two at the same time, the one written later
		for n := range order {
			order[n] = len(order) - 1 - n
		}
		slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(moments[y], moments[x]) })
		for from := -time.Minute; from < 6*time.Minute; from += 25 * time.Second {
			for to := from; to < 6*time.Minute; to += 35 * time.Second {
				var want, got []int64
				for _, n := range order {
					if moments[n] >= from && moments[n] < to {
						want = append(want, int64(n)+1)
					}
				}
				for before, more := int64(0), true; more; more = before != 0 {
					var lines []ledger.Line
					var err error
					lines, before, err = ledger.Statement(t.Context(), b.db.Pool, a.ID, ledger.StatementFilter{From: start.Add(from), To: start.Add(to), Before: before, Limit: 7})
					require.NoError(t, err)
					for _, line := range lines {
						require.Equal(t, start.Add(moments[line.Amount-1]), line.At.UTC())
						got = append(got, line.Amount)
					}
				}
				require.Equal(t, want, got, "from %s to %s", from, to)
			}
		}
		lines, _, err := ledger.Statement(t.Context(), b.db.Pool, b.open(ledger.Mock).ID, ledger.StatementFilter{From: start, To: start.Add(time.Hour), Limit: 1})
		require.NoError(t, err)
		require.Empty(t, lines, "an account without entries")
	})
	t.Run("UnbalancedIsRefusedBeforeTheDatabase", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.open(ledger.Real)
		for _, entries := range [][]ledger.Entry{
			nil,
			{{a.ID, ledger.Cash, 5}},
			{{a.ID, ledger.Cash, 5}, {houseTrading, house, -4}},
		} {
			require.ErrorContains(t, b.post(ledger.Real, "wrong", entries...), "that sum to")
		}
		require.ErrorContains(t, b.post(ledger.Real, "", a.Receive(5)...), "that sum to")
		require.Zero(t, b.count(`SELECT count(*) FROM ledger_transactions`))
		b.requireBuckets(a.ID, 0, 0, 0)
	})
	t.Run("ASumThatWrapsIsRefusedByTheDatabase", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.open(ledger.Real)
		const largest = 1<<63 - 1
		err := b.post(ledger.Real, "wrap", ledger.Entry{a.ID, ledger.Cash, 2}, ledger.Entry{houseTrading, house, largest}, ledger.Entry{houseBonus, house, largest})
		requireCode(t, check, err)
		b.requireBuckets(a.ID, 0, 0, 0)
	})
	t.Run("AUsedKeyIsRefusedAndMovesNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(10)
		require.NoError(t, b.post(a.Book, "deposit:1", a.Receive(5)...))
		require.ErrorIs(t, b.post(a.Book, "deposit:1", a.Receive(5)...), ledger.ErrPosted)
		require.ErrorIs(t, b.post(a.Book, "deposit:1", a.Receive(6)...), ledger.ErrPosted)
		b.requireBuckets(a.ID, 15, 0, 0)
		b.requireProved()
	})
	t.Run("EightAtOnceWithOneKeyPostOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(10)
		var posted, refused atomic.Int32
		var group errgroup.Group
		for range 8 {
			group.Go(func() error {
				switch err := b.post(a.Book, "deposit:1", a.Receive(5)...); {
				case err == nil:
					posted.Add(1)
				case errors.Is(err, ledger.ErrPosted):
					refused.Add(1)
				default:
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.Equal(t, []int32{1, 7}, []int32{posted.Load(), refused.Load()})
		b.requireBuckets(a.ID, 15, 0, 0)
	})
	t.Run("ParallelDealsOfOneAccountAllCount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.funded(1_000)
		var group errgroup.Group
		for n := range 16 {
			group.Go(func() error {
				return b.db.InTx(t.Context(), func(tx *db.Tx) error {
					locked, err := ledger.LockTx(t.Context(), tx, a.ID)
					if err != nil {
						return err
					}
					_, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{
						Kind: "deal", Key: fmt.Sprint("deal:", n), Cause: "test", Book: a.Book, At: start, Entries: locked.Result(-100, 1),
					})
					return err
				})
			})
		}
		require.NoError(t, group.Wait())
		b.requireBuckets(a.ID, 0, 0, 1_000-16*101)
		b.requireProved()
	})
	t.Run("NoBookIsCrossed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		trader := b.trader()
		real, mock := b.openFor(trader, ledger.Real), b.openFor(trader, ledger.Mock)
		require.NoError(t, b.post(ledger.Mock, "play", mock.Receive(500)...))
		for name, entries := range map[string][]ledger.Entry{
			"MockCashToReal":   {{mock.ID, ledger.Cash, -5}, {real.ID, ledger.Cash, 5}},
			"MockFromTheBank":  {{mock.ID, ledger.Cash, 5}, {houseTrading, house, -5}},
			"RealFromThePlay":  {{real.ID, ledger.Cash, 5}, {houseMockTrading, house, -5}},
			"HouseToMockHouse": {{houseTrading, house, 5}, {houseMockTrading, house, -5}},
		} {
			for _, book := range []ledger.Book{ledger.Real, ledger.Mock} {
				err := b.post(book, name+string(book), entries...)
				requireCode(t, foreign, err)
			}
		}
		requireCode(t, foreign, b.post(ledger.Real, "wrong book", mock.Receive(5)...))
		requireCode(t, foreign, b.post(ledger.Mock, "wrong book", real.Receive(5)...))
		b.requireBuckets(real.ID, 0, 0, 0)
		b.requireBuckets(mock.ID, 500, 0, 0)
		b.requireProved()
	})
	t.Run("NoBucketGoesToTheWrongSideOfZero", func(t *testing.T) {
		t.Parallel()
		for name, entry := range map[string]ledger.Entry{
			"Cash": {0, ledger.Cash, -101}, "Bonus": {0, ledger.Bonus, -21}, "Deficit": {0, ledger.Deficit, 1},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				a := b.funded(100)
				require.NoError(t, b.post(a.Book, "bonus", ledger.Entry{a.ID, ledger.Bonus, 20}, ledger.Entry{houseBonus, house, -20}))
				entry.AccountID = a.ID
				requireCode(t, check, b.post(a.Book, "too far", entry, ledger.Entry{houseTrading, house, -entry.Amount}))
				b.requireBuckets(a.ID, 100, 20, 0)
				if name != "Deficit" {
					entry.Amount++
					require.NoError(t, b.post(a.Book, "just enough", entry, ledger.Entry{houseTrading, house, -entry.Amount}))
				}
				b.requireProved()
			})
		}
	})
	t.Run("TheHouseKeepsNoBuckets", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		requireCode(t, check, b.post(ledger.Real, "k", ledger.Entry{houseTrading, ledger.Cash, 5}, ledger.Entry{houseBonus, house, -5}))
	})
}

// rawPost posts amounts by SQL, without the program's checks.
func rawPost(ctx context.Context, tx *db.Tx, key string, lines ...[3]any) (id int64, err error) {
	accounts, currencies, amounts := []any{}, []any{}, []any{}
	for _, line := range lines {
		accounts, currencies, amounts = append(accounts, line[0]), append(currencies, line[1]), append(amounts, line[2])
	}
	err = tx.Conn.QueryRow(ctx, `
		WITH t AS (
			INSERT INTO ledger_transactions (kind, key, cause, book, created_at) VALUES ('trade_close', $1, 'raw', 'real', now()) RETURNING id, created_at
		), p AS (
			INSERT INTO postings (transaction_id, created_at, account_id, bucket, book, currency, amount)
			SELECT t.id, t.created_at, l.account, CASE WHEN l.account < 100 THEN 'house' ELSE 'cash' END, 'real', l.currency, l.amount
			FROM t, unnest($2::bigint[], $3::text[], $4::bigint[]) AS l (account, currency, amount)
		) SELECT id FROM t`, key, accounts, currencies, amounts).Scan(&id)
	return id, err
}

// rawPosting adds one posting: account, currency, amount.
func rawPosting(ctx context.Context, conn pgx.Tx, id int64, line [3]any) error {
	_, err := conn.Exec(ctx, `
		INSERT INTO postings (transaction_id, created_at, account_id, bucket, book, currency, amount)
		VALUES ($1, (SELECT created_at FROM ledger_transactions WHERE id = $1), $2::bigint, CASE WHEN $2::bigint < 100 THEN 'house' ELSE 'cash' END, 'real', $3, $4)`, id, line[0], line[1], line[2])
	return err
}

func TestTheDatabaseItselfRefuses(t *testing.T) {
	t.Parallel()
	const usdt, usd = "USDT", "USD"
	b := setup(t)
	a := b.funded(100)

	t.Run("AnUnbalancedTransaction", func(t *testing.T) {
		t.Parallel()
		requireCode(t, check, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := rawPost(t.Context(), tx, "raw", [3]any{a.ID, usdt, 5}, [3]any{houseTrading, usdt, -4})
			return err
		}))
		require.Zero(t, b.count(`SELECT count(*) FROM ledger_transactions WHERE key = 'raw'`))
		b.inTx(func(tx *db.Tx) error {
			_, err := rawPost(t.Context(), tx, "balanced", [3]any{houseTrading, usdt, 5}, [3]any{houseBonus, usdt, -5})
			return err
		})
		b.requireProved()
	})
	t.Run("ATransactionThatBalancesOnlyAcrossCurrencies", func(t *testing.T) {
		t.Parallel()
		_, err := b.db.Pool.Exec(t.Context(), `INSERT INTO accounts (id, kind, name, book, type, currency) VALUES (90, 'house', 'trading', 'real', 0, 'USD')`)
		require.NoError(t, err)
		err = b.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := rawPost(t.Context(), tx, "two currencies", [3]any{houseTrading, usdt, 5}, [3]any{90, usd, -5})
			return err
		})
		requireCode(t, check, err)
	})
	t.Run("ATransactionWithoutPostings", func(t *testing.T) {
		t.Parallel()
		requireCode(t, check, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := rawPost(t.Context(), tx, "raw")
			return err
		}))
	})
	t.Run("PostingsBehindTheirTransaction", func(t *testing.T) {
		t.Parallel()
		requireCode(t, check, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Conn.Exec(t.Context(), `
				INSERT INTO ledger_transactions (kind, key, cause, book, created_at) VALUES ('raw', 'raw', 'raw', 'real', now())`)
			return err
		}))
		add := func(line [3]any) error {
			return b.db.InTx(t.Context(), func(tx *db.Tx) error {
				id, err := rawPost(t.Context(), tx, "behind", [3]any{houseTrading, usdt, 5}, [3]any{houseBonus, usdt, -5})
				require.NoError(t, err)
				return rawPosting(t.Context(), tx.Conn, id, line)
			})
		}
		requireCode(t, check, add([3]any{houseTrading, usdt, 5}))
		require.Zero(t, b.count(`SELECT count(*) FROM ledger_transactions WHERE key = 'behind'`))
	})
	t.Run("APostingOfAnOldTransaction", func(t *testing.T) {
		t.Parallel()
		var id int64
		var xid uint64
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT id, xid FROM ledger_transactions WHERE kind = 'test'`).Scan(&id, &xid))
		requireCode(t, foreign, b.db.InTx(t.Context(), func(tx *db.Tx) error { return rawPosting(t.Context(), tx.Conn, id, [3]any{a.ID, usdt, 5}) }))
		_, err := b.db.Pool.Exec(t.Context(), `
			INSERT INTO postings (transaction_id, xid, account_id, bucket, book, currency, amount) VALUES ($1, $2, $3, 'house', 'real', 'USDT', 5)`, id, xid, houseTrading)
		requireCode(t, denied, err)
		b.requireProved()
	})
	t.Run("APostingAtAnotherMomentThanItsTransaction", func(t *testing.T) {
		t.Parallel()
		post := func(key, later string) error {
			_, err := b.db.Pool.Exec(t.Context(), `
				WITH t AS (
					INSERT INTO ledger_transactions (kind, key, cause, book, created_at) VALUES ('trade_close', $1, 'raw', 'real', now()) RETURNING id, created_at
				)
				INSERT INTO postings (transaction_id, created_at, account_id, bucket, book, currency, amount)
				SELECT id, created_at + CASE account WHEN 2 THEN $2::interval ELSE '0' END, account, 'house', 'real', 'USDT', amount
				FROM t, (VALUES (2, 5), (4, -5)) l (account, amount)`, key, later)
			return err
		}
		requireCode(t, foreign, post("moment:1", "1 microsecond"))
		requireCode(t, foreign, post("moment:2", "-1 microsecond"))
		require.NoError(t, post("moment:3", "0"))
		b.requireProved()
	})
	t.Run("APostingThatCrossesBooksOrCurrencies", func(t *testing.T) {
		t.Parallel()
		for _, line := range [][3]any{{houseMockTrading, usdt, 5}, {houseTrading, usd, 5}, {a.ID, usd, 5}, {int64(424242), usdt, 5}} {
			requireCode(t, foreign, b.db.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := rawPost(t.Context(), tx, "raw", line, [3]any{houseBonus, usdt, -5})
				return err
			}))
		}
	})
	t.Run("APostingOfNothing", func(t *testing.T) {
		t.Parallel()
		requireCode(t, check, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := rawPost(t.Context(), tx, "raw", [3]any{houseTrading, usdt, 0})
			return err
		}))
	})
	t.Run("AKeyUsedTwice", func(t *testing.T) {
		t.Parallel()
		_, err := b.db.Pool.Exec(t.Context(), `
			INSERT INTO ledger_transactions (kind, key, cause, book, created_at) SELECT kind, key, cause, book, created_at FROM ledger_transactions`)
		requireCode(t, unique, err)
	})
	t.Run("BucketsOnTheWrongSideOfZero", func(t *testing.T) {
		t.Parallel()
		for _, change := range []string{"cash = -1", "bonus = -1", "deficit = 1"} {
			_, err := b.db.Pool.Exec(t.Context(), `UPDATE accounts SET `+change+` WHERE id = $1`, a.ID)
			requireCode(t, check, err)
		}
	})
	t.Run("AccountsOfTheWrongKind", func(t *testing.T) {
		t.Parallel()
		trader := b.trader()
		for _, values := range []string{
			`($1, 'contract', 'mock', 1, 'USDT')`, `($1, 'contract', 'real', 5, 'USDT')`, `($1, 'contract', 'real', 8, 'USDT')`,
			`($1, 'house', 'real', 0, 'USDT')`, `(NULLIF($1::bigint, $1), 'contract', 'real', 1, 'USDT')`, `($1, 'contract', 'real', 3, 'USDT')`,
		} {
			_, err := b.db.Pool.Exec(t.Context(), `INSERT INTO accounts (trader_id, kind, book, type, currency) VALUES `+values, trader)
			requireCode(t, check, err)
		}
	})
	t.Run("AccountsOfTheWrongTrader", func(t *testing.T) {
		t.Parallel()
		registered, guest := b.trader(), b.guest()
		open := func(trader int64, book ledger.Book, accountType int) error {
			_, err := b.db.Pool.Exec(t.Context(), `INSERT INTO accounts (trader_id, kind, book, type, currency) VALUES ($1, 'contract', $2, $3, 'USDT')`, trader, book, accountType)
			return err
		}
		for _, accountType := range []int{1, 2, 4} {
			requireCode(t, foreign, open(guest, ledger.Real, accountType))
		}
		requireCode(t, foreign, open(guest, ledger.Mock, 5))
		requireCode(t, foreign, open(registered, ledger.Mock, 8))
		require.NoError(t, open(guest, ledger.Mock, 8))
		require.NoError(t, open(registered, ledger.Mock, 5))
		_, err := b.db.Pool.Exec(t.Context(), `
			UPDATE traders SET type = 1, email = 'g@example.com', password_hash = '', country = 'DE', invite_code = 'G', accepted_at = now() WHERE id = $1`, guest)
		requireCode(t, foreign, err)
	})
}

func TestEntries(t *testing.T) {
	t.Parallel()
	account := func(cash, bonus, deficit int64) ledger.Account {
		return ledger.Account{ID: 1000, Book: ledger.Real, Cash: cash, Bonus: bonus, Deficit: deficit}
	}
	tests := []struct {
		name          string
		before, after ledger.Account
		entries       func(ledger.Account) []ledger.Entry
	}{
		{"AProfitIsCash", account(100, 0, 0), account(150, 0, 0), result(50, 0)},
		{"AProfitPaysTheDeficitFirst", account(0, 0, -30), account(20, 0, 0), result(50, 0)},
		{"ASmallProfitLeavesSomeDeficit", account(0, 0, -30), account(0, 0, -10), result(20, 0)},
		{"ADepositPaysTheDeficitFirst", account(0, 0, -30), account(70, 0, 0), receive(100)},
		{"ADepositIsCash", account(5, 0, 0), account(105, 0, 0), receive(100)},
		{"ALossTakesCash", account(100, 20, 0), account(40, 20, 0), result(-60, 0)},
		{"ALossTakesTheBonusAfterTheCash", account(100, 20, 0), account(0, 5, 0), result(-115, 0)},
		{"ALossBeyondCashAndBonusIsADeficit", account(100, 20, 0), account(0, 0, -30), result(-150, 0)},
		{"ALossAddsToTheDeficit", account(0, 0, -30), account(0, 0, -40), result(-10, 0)},
		{"ACommissionIsALoss", account(100, 0, 0), account(97, 0, 0), result(0, 3)},
		{"ACommissionLessensAProfit", account(100, 0, 0), account(107, 0, 0), result(10, 3)},
		{"ACommissionCanEatAProfit", account(100, 0, 0), account(98, 0, 0), result(1, 3)},
		{"AProfitThatTheCommissionEatsMovesOnlyTheHouse", account(100, 0, 0), account(100, 0, 0), result(3, 3)},
		{"NothingMovesNothing", account(100, 0, 0), account(100, 0, 0), result(0, 0)},
		{"ForgivingEndsTheDeficit", account(0, 0, -30), account(0, 0, 0), ledger.Account.WriteOff},
		{"ForgivingWithoutADeficitMovesNothing", account(10, 5, 0), account(10, 5, 0), ledger.Account.WriteOff},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			entries := test.entries(test.before)
			require.Equal(t, test.after, test.before.Apply(entries))
			sum := int64(0)
			for _, e := range entries {
				require.NotZero(t, e.Amount)
				sum += e.Amount
			}
			require.Zero(t, sum)
		})
	}

	t.Run("EachBookHasItsOwnHouse", func(t *testing.T) {
		t.Parallel()
		for _, book := range []ledger.Book{ledger.Real, ledger.Mock} {
			a := ledger.Account{ID: 1000, Book: book, Deficit: -5}
			for _, e := range append(append(a.Result(10, 1), a.Receive(10)...), a.WriteOff()...) {
				if e.AccountID != a.ID {
					require.Equal(t, book == ledger.Mock, e.AccountID > 10, "account %d", e.AccountID)
				}
			}
		}
	})
}

func result(profit, commission int64) func(ledger.Account) []ledger.Entry {
	return func(a ledger.Account) []ledger.Entry { return a.Result(profit, commission) }
}

func receive(amount int64) func(ledger.Account) []ledger.Entry {
	return func(a ledger.Account) []ledger.Entry { return a.Receive(amount) }
}
