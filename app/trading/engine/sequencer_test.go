package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/dbtest"
	"candor/app/platform/idempotency"
	"candor/app/trading"
)

// crowd is a sequencer with one shard that can be paused: commands that queue meanwhile are decided together.
type crowd struct {
	*bundle
	owners []ledger.Owner
	group  sync.WaitGroup
}

func newCrowd(t *testing.T, traders int) *crowd {
	b := setup(t)
	b.prices()
	b.engine.sequencer.shards = b.engine.sequencer.shards[:1]
	c := &crowd{bundle: b}
	for range traders {
		c.owners = append(c.owners, b.fund(1_000*unit))
	}
	return c
}

// hold makes the shard wait for the row of the last owner's account until release is called.
func (c *crowd) hold() (release func()) {
	c.t.Helper()
	ctx := c.t.Context()
	tx, err := c.super.Begin(ctx)
	require.NoError(c.t, err)
	blocker := c.owners[len(c.owners)-1]
	_, err = tx.Exec(ctx, `SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE`, blocker.AccountID)
	require.NoError(c.t, err)
	c.group.Go(func() { _, _ = c.try(trading.Open{Owner: blocker, ProductID: 424242, Leverage: 1}) })
	c.await(0)
	return func() {
		require.NoError(c.t, tx.Rollback(ctx))
		c.group.Wait()
	}
}

// await returns when the shard is busy and so many commands are queued.
func (c *crowd) await(waiting int) {
	c.t.Helper()
	shard := c.engine.sequencer.shards[0]
	require.Eventually(c.t, func() bool {
		shard.mu.Lock()
		defer shard.mu.Unlock()
		return shard.running && len(shard.waiting) == waiting
	}, 10*time.Second, time.Millisecond)
}

// together has several acts, one command each, decided in one transaction.
func (c *crowd) together(acts ...func()) {
	c.t.Helper()
	release := c.hold()
	for i, act := range acts {
		c.group.Go(act)
		c.await(i + 1)
	}
	release()
}

// transactions counts the database transactions that wrote fills.
func (c *crowd) transactions() int64 { return c.number(`SELECT count(DISTINCT xid::text) FROM fills`) }

func TestBatch(t *testing.T) {
	t.Parallel()
	open := func(o ledger.Owner) trading.Open {
		return trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent}
	}
	limit := func(o ledger.Owner) trading.Place {
		return trading.Place{Owner: o, ProductID: btcusd, Type: trading.LimitOrder, Side: trading.Buy, Lots: cent, Leverage: 20, Terms: trading.Terms{Price: 40_000_00, TimeInForce: trading.GoodTillCancelled}}
	}

	t.Run("ManyAccountsShareATransaction", func(t *testing.T) {
		t.Parallel()
		c := newCrowd(t, 9)
		var acts []func()
		for _, o := range c.owners[:8] {
			acts = append(acts, func() { c.opens(open(o)) })
		}
		c.together(acts...)
		require.EqualValues(t, 8, c.number(`SELECT count(*) FROM fills`))
		require.EqualValues(t, 1, c.transactions())
		c.proves()
	})
	t.Run("ARefusalHarmsNobodyElse", func(t *testing.T) {
		t.Parallel()
		c := newCrowd(t, 4)
		tooLarge := open(c.owners[1])
		tooLarge.Lots = 10 * unit
		c.together(
			func() { c.opens(open(c.owners[0])) },
			func() { _, err := c.try(tooLarge); require.ErrorIs(t, err, trading.ErrMargin) },
			func() {
				_, err := c.engine.Pair(t.Context(), trading.Pair{Owner: c.owners[1], Orders: [2]trading.Place{limit(c.owners[1]), {}}}, c.request(c.owners[1]))
				require.ErrorIs(t, err, trading.ErrSide, "of the second")
			},
			func() { c.opens(open(c.owners[2])) },
			func() {
				_, err := c.try(trading.Open{Owner: ledger.Owner{TraderID: c.owners[0].TraderID, AccountID: c.owners[2].AccountID}, ProductID: btcusd, Side: trading.Buy, Lots: cent})
				require.ErrorIs(t, err, ledger.ErrAccount)
			},
		)
		require.EqualValues(t, 2, c.number(`SELECT count(*) FROM fills`))
		require.EqualValues(t, 1, c.transactions())
		require.Zero(t, c.number(`SELECT count(*) FROM positions WHERE account_id = $1`, c.owners[1].AccountID))
		require.Zero(t, c.number(`SELECT count(*) FROM orders WHERE account_id = $1`, c.owners[1].AccountID), "nor the first of the pair")
		c.proves()
	})
	t.Run("CommandsOfOneAccountFollowEachOther", func(t *testing.T) {
		t.Parallel()
		c := newCrowd(t, 2)
		o := c.owners[0]
		held := c.opens(open(o)).Position
		half := open(o)
		half.Lots = 2 * cent
		c.together(
			func() { c.closes(o, held.ID, 0) },
			func() { c.opens(half) },
			func() {
				_, err := c.tryClose(trading.Close{Owner: o, PositionID: held.ID})
				require.ErrorIs(t, err, trading.ErrPosition, "closed by the one before")
			},
			func() { c.opens(open(o)) },
		)
		require.EqualValues(t, 2, c.transactions())
		require.Len(t, c.value(o).Positions, 2)
		require.EqualValues(t, c.account(o).Version, c.engine.sequencer.shards[0].known[o.AccountID].Account.Version)
		c.proves()
	})
	t.Run("WhatOneStatementCannotStoreFailsAlone", func(t *testing.T) {
		t.Parallel()
		c := newCrowd(t, 5)
		_, err := c.super.Exec(t.Context(), fmt.Sprintf(`ALTER TABLE fills ADD CONSTRAINT not_this_one CHECK (account_id <> %d)`, c.owners[1].AccountID))
		require.NoError(t, err)
		c.together(
			func() { c.opens(open(c.owners[0])) },
			func() { _, err := c.try(open(c.owners[1])); require.ErrorContains(t, err, "not_this_one") },
			func() {
				tooLarge := open(c.owners[3])
				tooLarge.Lots = 10 * unit
				_, err := c.try(tooLarge)
				require.ErrorIs(t, err, trading.ErrMargin, "refused for its own reason")
			},
			func() { c.opens(open(c.owners[2])) },
		)
		require.EqualValues(t, 2, c.number(`SELECT count(*) FROM fills`))
		require.Zero(t, c.number(`SELECT count(*) FROM orders WHERE account_id = $1`, c.owners[1].AccountID), "nothing half done")
		c.proves()
	})
	t.Run("APanicIsTheCommandsAlone", func(t *testing.T) {
		t.Parallel()
		c := newCrowd(t, 3)
		c.together(
			func() { c.opens(open(c.owners[0])) },
			func() {
				_, err := decide(t.Context(), c.engine, c.owners[1], c.request(c.owners[1]), func(trading.Journal, trading.Portfolio, trading.Open) (trading.Outcome, error) { panic("boom") }, trading.Open{})
				require.ErrorContains(t, err, "boom")
			},
		)
		require.EqualValues(t, 1, c.number(`SELECT count(*) FROM fills`))
		c.proves()
	})
	t.Run("OneKeyHasOneEffectAndOneAnswer", func(t *testing.T) {
		t.Parallel()
		c := newCrowd(t, 2)
		r := c.request(c.owners[0])
		other := r
		other.Body = []byte("another")
		var first, second Result
		c.together(
			func() { first = c.answer(open(c.owners[0]), r) },
			func() { second = c.answer(open(c.owners[0]), r) },
			func() {
				_, err := c.engine.Open(t.Context(), open(c.owners[0]), other)
				require.ErrorIs(t, err, idempotency.ErrKeyReused)
			},
		)
		require.NotNil(t, first.Value.Fill)
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, second))
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, c.answer(open(c.owners[0]), r)), "and later")
		require.EqualValues(t, 1, c.number(`SELECT count(*) FROM fills`))
	})
	t.Run("AKeyIsDemanded", func(t *testing.T) {
		t.Parallel()
		c := newCrowd(t, 1)
		for _, key := range []string{"", strings.Repeat("k", 65), "zero\x00byte"} {
			r := c.request(c.owners[0])
			r.Key = key
			_, err := c.engine.Open(t.Context(), open(c.owners[0]), r)
			require.ErrorIs(t, err, idempotency.ErrKeyMissing)
		}
	})
	t.Run("WhoeverGoesWhileTheyWaitHasNothingDone", func(t *testing.T) {
		t.Parallel()
		c := newCrowd(t, 2)
		gone, cancel := context.WithCancel(t.Context())
		release := c.hold()
		c.group.Go(func() {
			_, err := c.engine.Open(gone, open(c.owners[0]), c.request(c.owners[0]))
			require.ErrorIs(t, err, context.Canceled)
		})
		c.await(1)
		cancel()
		c.await(0)
		release()
		require.Zero(t, c.number(`SELECT count(*) FROM fills`))
	})
	t.Run("WhoeverGoesWhileTheyAreDecidedIsTold", func(t *testing.T) {
		t.Parallel()
		c := newCrowd(t, 1)
		gone, cancel := context.WithCancel(t.Context())
		tx, err := c.super.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), `SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE`, c.owners[0].AccountID)
		require.NoError(t, err)
		cmd := open(c.owners[0])
		cmd.Leverage = 20
		c.group.Go(func() {
			_, err := c.engine.Open(gone, cmd, c.request(c.owners[0]))
			require.NoError(t, err)
		})
		c.await(0)
		cancel()
		require.NoError(t, tx.Rollback(t.Context()))
		c.group.Wait()
		require.EqualValues(t, 1, c.number(`SELECT count(*) FROM fills`))
	})
}

func (c *crowd) answer(cmd trading.Open, r idempotency.Request) Result {
	cmd.Leverage = 20
	answer, err := c.engine.Open(c.t.Context(), cmd, r)
	require.NoError(c.t, err)
	return answer
}

// TestBusy fills a shard's queue: the next command is refused with nothing done, and the queued ones are decided.
func TestBusy(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, 2)
	c.engine.sequencer.limit = 2
	order := trading.Open{Owner: c.owners[0], ProductID: btcusd, Side: trading.Buy, Lots: cent}
	release := c.hold()
	for i := range 2 {
		c.group.Go(func() { c.opens(order) })
		c.await(i + 1)
	}
	_, err := c.try(order)
	require.ErrorIs(t, err, ErrBusy)
	release()
	require.EqualValues(t, 2, c.number(`SELECT count(*) FROM fills`))
	c.opens(order)
	c.proves()
}

// TestKnownAccounts alters an account in the database, as another server does: the engine uses what it remembers only while the version is the same.
func TestKnownAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(1_000 * unit)
	second := b.another()
	order := trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent, Leverage: 20}
	held := b.opens(order).Position
	_, err := second.Close(t.Context(), trading.Close{Owner: o, PositionID: held.ID}, b.request(o))
	require.NoError(t, err)
	_, err = b.tryClose(trading.Close{Owner: o, PositionID: held.ID})
	require.ErrorIs(t, err, trading.ErrPosition)
	b.opens(order)
	require.Len(t, b.value(o).Positions, 1)
	b.proves()
}

// TestTwoEngines has two servers trade one account at once: each waits for the other's lock, and no command is refused.
func TestTwoEngines(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o := b.fund(100_000 * unit)
	var group sync.WaitGroup
	for _, engine := range []*Service{b.engine, b.another()} {
		for range 4 {
			group.Go(func() {
				for range 10 {
					answer, err := engine.Open(t.Context(), trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent, Leverage: 20}, b.request(o))
					if !assert.NoError(t, err) {
						return
					}
					done := answer.Value
					_, err = engine.Close(t.Context(), trading.Close{Owner: o, PositionID: done.Position.ID}, b.request(o))
					assert.NoError(t, err)
				}
			})
		}
	}
	group.Wait()
	require.EqualValues(t, 160, b.number(`SELECT count(*) FROM fills`))
	b.proves()
}

// TestFillsNameWhatIsThere inserts fills by SQL, as only a bug could: the database requires that everything a fill names exists, for its account and product.
func TestFillsNameWhatIsThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.prices()
	o, other := b.fund(1_000*unit), b.fund(1_000*unit)
	fill := b.opens(trading.Open{Owner: o, ProductID: btcusd, Side: trading.Buy, Lots: cent}).Fill
	foreign := b.opens(trading.Open{Owner: other, ProductID: btcusd, Side: trading.Buy, Lots: cent}).Fill
	columns := []string{"order_id", "position_id", "account_id", "product_id", "quote_seq", "terms", "transaction_id", "conversion_product", "conversion_seq", "margin_product",
		"margin_seq", "by_position", "best_seq", "rule"}
	add := func(column string, value any) error {
		values := slices.Clone(columns)
		if i := slices.Index(values, column); i >= 0 {
			values[i] = fmt.Sprint(value)
		}
		tx, err := b.db.Pool.Begin(t.Context())
		require.NoError(t, err)
		defer func() { _ = tx.Rollback(t.Context()) }()
		_, err = tx.Exec(t.Context(), `
			INSERT INTO fills (`+strings.Join(columns, ", ")+`, side, entry, lots, price, open_value, leverage, margin, commission, profit, equity, used_margin, created_at, at_ms)
			SELECT `+strings.Join(values, ", ")+`, side, 'close', lots, price, 1, leverage, margin, commission, profit, equity, used_margin, created_at, at_ms
			FROM fills WHERE id = $1`, fill.ID)
		return err
	}
	require.NoError(t, add("", nil), "all of it is there")
	for column, value := range map[string]any{
		"order_id": foreign.OrderID, "position_id": foreign.PositionID, "account_id": other.AccountID, "product_id": eurusd, "quote_seq": 424242, "terms": 99,
		"transaction_id": 424242,
	} {
		err := add(column, value)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, column)
		require.Equal(t, "23503", refused.Code, column)
	}
}
