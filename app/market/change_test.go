package market

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/platform/events"
	"candor/app/platform/seal"
)

// changes is the change service with two staff members.
func (b *bundle) changes() (c *Changes, anna, ben audit.Actor) {
	b.t.Helper()
	bus, err := events.Open("")
	require.NoError(b.t, err)
	b.t.Cleanup(bus.Close)
	b.tamper(`INSERT INTO staff (id, email, name, state, created_at) VALUES (1, 'anna@example.com', 'Anna', 'active', now()), (2, 'ben@example.com', 'Ben', 'active', now())`)
	return NewChanges(b.db, b.market, approval.New(b.db, b.real, nil), bus), audit.Actor{Kind: audit.Staff, ID: 1, Name: "Anna"}, audit.Actor{Kind: audit.Staff, ID: 2, Name: "Ben"}
}

func TestAChangeTakesTwoPeopleAndItsTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, anna, ben := b.changes()
	ctx, soon := t.Context(), b.market.Now().Add(48*time.Hour)
	id, err := c.AskTerms(ctx, anna, eurusd, map[string]string{"swap_long": "-9.5", "stop_level": "30"}, soon, "rates rose")
	require.NoError(t, err)
	change, err := c.Find(ctx, id)
	require.NoError(t, err)
	require.Equal(t, []any{"Anna", approval.Requested, int64(-9_500_000), 30, 2}, []any{change.Requester, change.State, change.Terms.SwapLong, change.Terms.StopLevel, change.Terms.Version})

	require.ErrorIs(t, c.Approve(ctx, anna, id), approval.ErrSamePerson)
	require.ErrorIs(t, c.Refuse(ctx, anna, id), approval.ErrSamePerson)
	require.ErrorIs(t, c.Withdraw(ctx, ben, id), approval.ErrNotRequester)
	_, err = c.AskTerms(ctx, ben, eurusd, map[string]string{"stop_level": "40"}, soon, "another")
	require.ErrorIs(t, err, approval.ErrOpen)
	require.NoError(t, c.Approve(ctx, ben, id))
	require.ErrorIs(t, c.Approve(ctx, ben, id), approval.ErrState)

	p, err := b.market.Product(eurusd)
	require.NoError(t, err)
	require.Equal(t, []any{1, 20}, []any{p.Version, p.StopLevel}, "not before its moment")
	versions, err := b.market.Terms(eurusd)
	require.NoError(t, err)
	next, ok := versions.Upcoming(b.market.Now())
	require.True(t, ok)
	require.Equal(t, []TermChange{{"stop_level", "20", "30"}, {"swap_long", "-8.9", "-9.5"}}, p.Terms.Changes(next))
	b.time.Set(soon)
	p, err = b.market.Product(eurusd)
	require.NoError(t, err)
	require.Equal(t, []any{2, 30}, []any{p.Version, p.StopLevel})
	require.Equal(t, 2, b.count(`SELECT count(*) FROM audit_entries WHERE action IN ('product.request', 'product.approve') AND target_id = '1'`))
}

func TestAChangeIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, anna, ben := b.changes()
	ctx, soon := t.Context(), b.market.Now().Add(48*time.Hour)
	ask := func(said map[string]string, at time.Time, reason string) error {
		_, err := c.AskTerms(ctx, anna, eurusd, said, at, reason)
		return err
	}
	for name, text := range map[string]string{
		"mode": "off", "spread_markup": "-1", "lot_min": "0", "lot_step": "0", "lot_max": "0.005", "multiple": "100,x", "tiers": "20:100,40:200", "hedged_ratio_bps": "10001",
		"commission_per_lot": "-1", "commission_bps": "1001", "commission_min": "-1", "stop_level": "x", "stale_ms": "10", "spike_bps": "0", "swap_model": "some",
		"swap_long": "1e3", "triple_day": "6", "contract_size": "1",
	} {
		refused := errs.As(ask(map[string]string{name: text}, soon, "why"))
		require.NotNil(t, refused, name)
		require.Contains(t, refused.Fields, name)
	}
	require.ErrorIs(t, ask(map[string]string{"stop_level": "20"}, soon, "why"), ErrChangeNothing)
	require.ErrorIs(t, ask(map[string]string{"stop_level": "21"}, soon, "  "), ErrReason)
	require.ErrorIs(t, ask(map[string]string{"stop_level": "21"}, b.market.Now().Add(Notice-time.Second), "why"), ErrChangeSoon)
	require.ErrorIs(t, c.Approve(ctx, ben, 99), approval.ErrUnknown)
	_, err := c.AskTerms(ctx, anna, 999, map[string]string{"stop_level": "21"}, soon, "why")
	require.ErrorIs(t, err, ErrProduct)

	require.NoError(t, ask(map[string]string{"stop_level": "21"}, soon, "why"))
	n, _, err := c.CountOpen(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	list, err := c.List(ctx, eurusd, true, 10)
	require.NoError(t, err)
	b.time.Set(soon)
	require.ErrorIs(t, c.Approve(ctx, ben, list[0].ID), ErrChangeLate)
	require.NoError(t, c.Refuse(ctx, ben, list[0].ID))
	require.NoError(t, ask(map[string]string{"stop_level": "22"}, soon.Add(48*time.Hour), "again"))
	list, err = c.List(ctx, 0, true, 10)
	require.NoError(t, err)
	require.NoError(t, c.Withdraw(ctx, anna, list[0].ID))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM product_terms WHERE product_id = 1`))
}

func TestADividendTakesTwoPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, anna, ben := b.changes()
	ctx, day := t.Context(), b.market.Now().AddDate(0, 0, 10)
	id, err := c.AskDividend(ctx, anna, 301, day, 260_000, "declared")
	require.NoError(t, err)
	_, err = c.AskDividend(ctx, anna, eurusd, day, 260_000, "declared")
	require.ErrorIs(t, err, ErrProduct, "a currency pays none")
	_, err = c.AskDividend(ctx, anna, 302, day, 0, "declared")
	require.NotNil(t, errs.As(err))
	require.NoError(t, c.Approve(ctx, ben, id))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM dividends WHERE product_id = 301 AND amount = 260000`))
	again, err := c.AskDividend(ctx, anna, 301, day, 270_000, "declared twice")
	require.NoError(t, err)
	require.ErrorIs(t, c.Approve(ctx, ben, again), ErrChangeOld)
}

// TestTheDatabaseHoldsTermsAgainstTheirChange checks that the server's own role can't put unapproved or altered terms in force.
func TestTheDatabaseHoldsTermsAgainstTheirChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, anna, ben := b.changes()
	ctx := t.Context()
	id, err := c.AskTerms(ctx, anna, eurusd, map[string]string{"stop_level": "30"}, b.market.Now().Add(48*time.Hour), "why")
	require.NoError(t, err)
	insert := func(change any, stop int) error {
		_, err := b.db.Pool.Exec(ctx, `
			INSERT INTO product_terms SELECT product_id, 2, $1, (c.proposal ->> 'effective_at')::timestamptz, mode, spread_markup, lot_min, lot_step, lot_max, multiple, tiers, hedged_ratio_bps, commission_per_lot,
				commission_bps, commission_min, $2, stale_ms, spike_bps, swap_model, swap_long, swap_short, triple_day
			FROM product_terms, approvals c WHERE product_id = 1 AND c.id = $3`, change, stop, id)
		return err
	}
	require.ErrorContains(t, insert(nil, 30), "product_terms_check")
	require.ErrorContains(t, insert(id, 30), "nobody approved")
	_, err = b.db.Pool.Exec(ctx, `UPDATE approvals SET state = 'applied', applied_at = now(), second_by = 1, second_at = now() WHERE id = $1`, id)
	require.ErrorContains(t, err, "check", "nobody agrees with oneself")
	_, err = b.db.Pool.Exec(ctx, `UPDATE approvals SET proposal = '{"stop_level": 99}' WHERE id = $1`, id)
	require.ErrorContains(t, err, "permission denied")
	_, err = b.super.Exec(ctx, `SET session_replication_role = DEFAULT; UPDATE approvals SET proposal = '{"stop_level": 99}'`)
	require.ErrorContains(t, err, "stays as it is", "nor may anybody else")
	_, err = b.db.Pool.Exec(ctx, `UPDATE product_terms SET stop_level = 99`)
	require.ErrorContains(t, err, "permission denied")
	require.NoError(t, c.Approve(ctx, ben, id))
	require.ErrorContains(t, insert(id, 31), "something else")
	_, err = b.db.Pool.Exec(ctx, `UPDATE approvals SET state = 'requested', second_by = NULL, second_at = NULL WHERE id = $1`, id)
	require.ErrorContains(t, err, "stays as it is")
}

// fields is a refusal's message by field.
func fields(t *testing.T, err error) map[string]string {
	t.Helper()
	refusal := errs.As(err)
	require.NotNil(t, refusal, err)
	return refusal.Fields
}

func TestADraftIsHeldToTheRulesAndAsksForNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, anna, ben := b.changes()
	soon := b.market.Now().Add(48 * time.Hour)
	draft, err := c.DraftTerms(eurusd, map[string]string{"stop_level": "30"}, soon, " rates rose ")
	require.NoError(t, err)
	require.Equal(t, []any{1, 2, 30, "rates rose", soon}, []any{draft.BaseVersion(), draft.Terms.Version, draft.Terms.StopLevel, draft.Note, draft.Terms.EffectiveAt})
	dividend, err := c.DraftDividend(aapl, soon.AddDate(0, 0, 3), 260_000, "declared")
	require.NoError(t, err)
	require.Equal(t, RolloverOn(dividend.ExDate.AddDate(0, 0, -1)), dividend.EffectiveAt)
	require.Zero(t, b.count(`SELECT count(*) FROM approvals`))

	_, err = c.DraftTerms(eurusd, map[string]string{"stop_level": "many", "lot_min": "", "tiers": "20:500"}, soon, "why")
	require.Equal(t, map[string]string{"stop_level": "field.number", "lot_min": "field.number"}, fields(t, err))
	_, err = c.DraftTerms(eurusd, map[string]string{"stop_level": "-1", "spike_bps": "0"}, soon, "why")
	require.Equal(t, map[string]string{"stop_level": "field.range", "spike_bps": "field.range"}, fields(t, err))
	_, err = c.DraftTerms(eurusd, map[string]string{"stop_level": "30"}, soon, strings.Repeat("x", 501))
	require.Equal(t, map[string]string{"reason": "field.length"}, fields(t, err))

	id, err := c.AskTerms(t.Context(), anna, eurusd, map[string]string{"stop_level": "30"}, soon, "why")
	require.NoError(t, err)
	require.NoError(t, c.Approve(t.Context(), ben, id))
	_, err = c.DraftTerms(eurusd, map[string]string{"stop_level": "40"}, soon, "why")
	require.Equal(t, map[string]string{"effective_at": "field.order"}, fields(t, err), "never beside or before the version that comes next")
	_, err = c.DraftTerms(eurusd, map[string]string{"stop_level": "40"}, soon.Add(time.Minute), "why")
	require.NoError(t, err)
}

func TestTheAuditEntryOfAChangeSaysWhatItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, anna, _ := b.changes()
	_, err := c.AskTerms(t.Context(), anna, eurusd, map[string]string{"stop_level": "30"}, b.market.Now().Add(48*time.Hour), "rates rose")
	require.NoError(t, err)
	require.Equal(t, 1, b.count(`
		SELECT count(*) FROM audit_entries WHERE action = 'product.request' AND before::jsonb ->> 'stop_level' = '20' AND after::jsonb ->> 'stop_level' = '30'
			AND after::jsonb ->> 'note' = 'rates rose' AND after::jsonb ->> 'effective_at' = '2026-11-26T15:00:00+00:00'`))
}

// TestEveryServerKnowsWhatTwoPeopleAgreedOn runs three servers on one database and one bus; two of them learn of the approval.
func TestEveryServerKnowsWhatTwoPeopleAgreedOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, anna, ben := b.changes()
	newest := func(m *Service) int {
		versions, err := m.Terms(eurusd)
		require.NoError(t, err)
		return len(versions)
	}
	server := func() *Service {
		m := New(Config{DB: b.db, Feed: &script{clock: b.time, now: make(chan Raw)}, Clock: b.real, Key: b.key, Checkpoints: b.outside})
		require.NoError(t, m.Load(t.Context()))
		return m
	}
	following, deaf := server(), server()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- NewChanges(b.db, following, approval.New(b.db, b.real, nil), c.bus).Follow(ctx) }()

	soon := b.market.Now()
	for version := 2; version <= 3; version++ { // by the second one, the server has surely subscribed
		soon = soon.Add(48 * time.Hour)
		id, err := c.AskTerms(t.Context(), anna, eurusd, map[string]string{"stop_level": strconv.Itoa(20 + version)}, soon, "why")
		require.NoError(t, err)
		require.NoError(t, c.Approve(t.Context(), ben, id))
		require.Equal(t, version, newest(b.market), "the server at which it was agreed knows at once")
		require.Eventually(t, func() bool { return newest(following) == version }, 20*time.Second, 5*time.Millisecond)
	}
	require.Equal(t, 1, newest(deaf))
	stop()
	require.NoError(t, <-ended)
}

// TestTextOfSealedTerms pins the text behind every published hash of a version.
func TestTextOfSealedTerms(t *testing.T) {
	t.Parallel()
	terms := Catalogue()[0].Terms
	terms.Version, terms.EffectiveAt = 2, time.UnixMilli(1_800_000_000_000)
	require.Equal(t, `terms 1
version 2
effective 1800000000000
mode full
spread_markup 0
lot_min 0.01
lot_step 0.01
lot_max 50
multiple 100,50,200,20,500
tiers 20:500,40:200,50:100
hedged_ratio_bps 5000
commission_per_lot 0
commission_bps 0
commission_min 0
stop_level 20
stale_ms 10000
spike_bps 50
swap_model points
swap_long -8.9
swap_short 2.4
triple_day 3
`, terms.text(eurusd))
}

// TestTermsAreSealed checks that each version is chained as approved, and that an alteration is found.
func TestTermsAreSealed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, anna, ben := b.changes()
	chain := audit.NewChain(SealedTerms, b.db, b.real, b.key, seal.NewCheckpointStore(t.TempDir(), "terms"))
	seals := func(want int, why string) {
		t.Helper()
		require.Eventually(t, func() bool { // a transaction of a parallel test can delay it
			sealed, err := chain.Seal(t.Context())
			want -= sealed
			return err == nil && want == 0
		}, time.Minute, 10*time.Millisecond, why)
	}
	seals(len(Catalogue()), "the first version of each")
	id, err := c.AskTerms(t.Context(), anna, eurusd, map[string]string{"stop_level": "30"}, b.market.Now().Add(48*time.Hour), "why")
	require.NoError(t, err)
	require.NoError(t, c.Approve(t.Context(), ben, id))
	seals(1, "two days before it takes effect")
	problem, proved, err := chain.Verify(t.Context())
	require.NoError(t, err)
	require.Nil(t, problem)
	require.EqualValues(t, len(Catalogue())+1, proved)
	b.tamper(`UPDATE product_terms SET stop_level = 31 WHERE product_id = 1 AND version = 2`)
	problem, _, err = chain.Verify(t.Context())
	require.NoError(t, err)
	require.Equal(t, "was altered after it was sealed", problem.What)
	require.Equal(t, "product_terms", problem.Table)
}
