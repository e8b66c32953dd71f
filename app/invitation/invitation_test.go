package invitation_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/invitation"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/switches"
	"candor/app/trader"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const ratioBps = 2_000

// shelf are products for tests, with the terms of version 1, which may still have to be read.
type shelf struct {
	byID   map[int]market.Product
	unread bool
}

func (s *shelf) Product(id int) (market.Product, error) { return s.byID[id], nil }

func (s *shelf) Terms(id int) (market.Versions, error) {
	if s.unread {
		return nil, nil
	}
	return market.Versions{s.byID[id].Terms}, nil
}

func (s *shelf) ReloadTerms(context.Context) error {
	s.unread = false
	return nil
}

type bundle struct {
	*testing.T
	test        *dbtest.DB
	db          *db.DB
	clock       *clock.Fixed
	switches    *switches.Service
	products    *shelf
	invitations *invitation.Service
	related     map[[2]int64]invitation.Reason
	fills       int64
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{T: t, test: dbtest.New(t), clock: clock.NewFixed(start), products: &shelf{byID: map[int]market.Product{}}, related: map[[2]int64]invitation.Reason{}}
	var err error
	b.db, err = db.Open(t.Context(), b.test.URL)
	require.NoError(t, err)
	t.Cleanup(b.db.Close)
	require.NoError(t, market.Seed(t.Context(), b.db))
	b.switches, err = switches.Load(t.Context(), b.db, nil)
	require.NoError(t, err)
	for id, p := range map[int]market.Product{
		1:   {Point: 5, ContractSize: 100_000, Quote: "USD", Terms: market.Terms{SpreadMarkup: 7}},
		2:   {Point: 3, ContractSize: 100_000, Quote: "JPY", Terms: market.Terms{SpreadMarkup: 8}},
		3:   {Point: 2, ContractSize: 1, Quote: "USD", Terms: market.Terms{}},
		201: {Point: 2, ContractSize: 1, Quote: "USD", Terms: market.Terms{SpreadMarkup: 125}},
	} {
		p.ID = id
		b.products.byID[id] = p
	}
	b.invitations = invitation.New(invitation.Config{
		DB: b.db, Clock: b.clock, Switches: b.switches, Products: b.products, Changed: func(int64) {},
		Related: func(_ context.Context, _ db.Querier, inviter, invited int64) (invitation.Reason, error) {
			return b.related[[2]int64{inviter, invited}], nil
		},
	})
	_, err = b.invitations.Accrue(t.Context()) // sets the cursor
	require.NoError(t, err)
	return b
}

// trader makes a trader, invited by another one or by nobody, with a real account.
func (b *bundle) trader(inviter int64) (id int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at, invited_by)
		SELECT 'trader' || n || '@example.com', 'trader' || n || '@example.com', '', 'DE', 'I' || n, now(), nullif($1::bigint, 0) FROM (SELECT count(*) AS n FROM traders) counted RETURNING id`, inviter).Scan(&id))
	b.account(id, ledger.Real)
	return id
}

func (b *bundle) account(id int64, book ledger.Book) (a ledger.Account) {
	b.Helper()
	kind := trader.Ordinary
	if book == ledger.Mock {
		kind = trader.MockType
	}
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
		a, err = ledger.OpenTx(b.Context(), tx, id, book, kind, start)
		return err
	}))
	return a
}

// fill is a fill for tests.
type fill struct {
	id, account, commission, lots int64
	product                       int
	side, rule                    string
	conversion                    *int64 // bid + ask of USDJPY, by which JPY is converted
	at                            time.Time
}

// expected is the rebate by other arithmetic than the product's: exact fractions, cut at the end of each sum.
func (b *bundle) expected(f fill) int64 {
	p := b.products.byID[f.product]
	points := int64(p.SpreadMarkup) / 2
	if f.side == "buy" {
		points = (int64(p.SpreadMarkup) + 1) / 2
	}
	markup := new(big.Rat).SetFrac(big.NewInt(f.lots), big.NewInt(1))
	for _, factor := range []int64{points, p.ContractSize} {
		markup.Mul(markup, new(big.Rat).SetInt64(factor))
	}
	for range p.Point {
		markup.Quo(markup, big.NewRat(10, 1))
	}
	if f.conversion != nil { // yen, of which a dollar is half the sum of bid and ask, in thousandths
		markup.Quo(markup, new(big.Rat).SetFrac(big.NewInt(*f.conversion), big.NewInt(2_000)))
	}
	if f.rule == "close_by" {
		markup.SetInt64(0)
	}
	sum := new(big.Int).Quo(markup.Num(), markup.Denom())
	sum.Add(sum, big.NewInt(f.commission))
	return sum.Mul(sum, big.NewInt(ratioBps)).Quo(sum, big.NewInt(10_000)).Int64()
}

// write stores fills, without the checks that compare them with a market.
func (b *bundle) write(fills ...fill) {
	b.Helper()
	for len(fills) > 0 {
		part := fills[:min(len(fills), 5_000)]
		fills = fills[len(part):]
		var quotes, rows []string
		for _, f := range part {
			entry, more := "open", "NULL, NULL"
			if f.rule == "close_by" {
				entry, more = "close", fmt.Sprintf("1, %d", f.id)
			}
			converted := "NULL, NULL, false"
			if f.conversion != nil {
				converted = fmt.Sprintf("2, %d, true", f.id)
				quotes = append(quotes, fmt.Sprintf("(2, %d, %d, %d, 1, 1, 'test', 1)", f.id, *f.conversion/2, *f.conversion-*f.conversion/2))
			}
			rows = append(rows, fmt.Sprintf("(%[1]d, %[1]d, %[1]d, %d, %d, '%s', '%s', '%s', %d, 100000, 1, 20, 0, %d, 0, 0, 0, '%s', 1, 1, %s, %s)",
				f.id, f.account, f.product, f.side, entry, f.rule, f.lots, f.commission, f.at.Format(time.RFC3339Nano), more, converted))
		}
		statements := `INSERT INTO fills (id, order_id, position_id, account_id, product_id, side, entry, rule, lots, price, quote_seq, leverage, margin, commission, profit, equity, used_margin,
			created_at, at_ms, terms, open_value, by_position, conversion_product, conversion_seq, conversion_inverse) OVERRIDING SYSTEM VALUE VALUES ` + strings.Join(rows, ", ") + `;`
		if len(quotes) > 0 {
			statements += `INSERT INTO tape_quotes (product_id, seq, bid, ask, at_ms, source_ms, source, batch) VALUES ` + strings.Join(quotes, ", ") + `;`
		}
		b.test.Tamper(b, statements)
	}
}

// fill is one fill of EURUSD of a trader: a lot, a commission of 3 USDT; its mark-up is 7 points, 4 of them the buyer's: 4 USDT.
func (b *bundle) fill(account int64) fill {
	b.fills++
	return fill{id: b.fills, account: account, commission: 3_000_000, lots: 1_000_000, product: 1, side: "buy", rule: "market", at: b.clock.Now()}
}

// accrue follows until the cursor is behind the last fill. Transactions of other tests, which share the cluster, hold it back for a moment.
func (b *bundle) accrue() {
	b.Helper()
	require.Eventually(b, func() bool {
		behind, err := b.invitations.Accrue(b.Context())
		return err == nil && !behind && b.number(`SELECT count(*) FROM fills WHERE xid > (SELECT xid FROM rebate_cursor)`) == 0
	}, time.Minute, time.Millisecond)
}

// TestCreditEarnsNobodyMoney: a fill whose posting took from a bonus has no rebate; one that took cash has.
func TestCreditEarnsNobodyMoney(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inviter := b.trader(0)
	a := b.account(b.trader(inviter), ledger.Real)
	grant := func(key string, entries []ledger.Entry) (id int64) {
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
			id, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{Kind: "test", Key: key, Cause: key, Book: a.Book, At: start, Entries: entries})
			return err
		}))
		return id
	}
	grant("cash", a.Receive(10))
	grant("bonus", a.GrantBonus(100))
	a.Cash, a.Bonus = 10, 100
	byCash := grant("a loss of cash", a.Result(-5, 0))
	a.Cash = 5
	byBonus := grant("a loss of both", a.Result(-50, 0))
	first, second := b.fill(a.ID), b.fill(a.ID)
	b.write(first, second)
	b.test.Tamper(t, fmt.Sprintf(`UPDATE fills SET transaction_id = %d WHERE id = %d; UPDATE fills SET transaction_id = %d WHERE id = %d`, byCash, first.id, byBonus, second.id))
	b.accrue()
	require.EqualValues(t, 1, b.number(`SELECT count(*) FROM rebates WHERE inviter_id = $1`, inviter))
	require.EqualValues(t, first.id, b.number(`SELECT fill_id FROM rebates`))
}

func (b *bundle) pay() int {
	b.Helper()
	n, err := b.invitations.Pay(b.Context())
	require.NoError(b, err)
	return n
}

func (b *bundle) number(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

func (b *bundle) cash(id int64) int64 {
	return b.number(`SELECT cash + owed FROM accounts WHERE trader_id = $1 AND book = 'real' AND kind = 'contract'`, id)
}

// house is the balance of the account in which rebates wait.
func (b *bundle) house() int64 {
	return b.number(`SELECT coalesce(sum(p.amount), 0)::bigint FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.name = 'rebates'`)
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

// TestRebatesOfManyFills compares the rebates of random fills with other arithmetic: 20 % of commission and mark-up of the invited, to the unit, and none on
// anything else.
func TestRebatesOfManyFills(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const count, seed = 100_000, 20_261_120
	random := rand.New(rand.NewPCG(seed, seed))
	var alone, invited []int64
	inviterOf, owner := map[int64]int64{}, map[int64]int64{}
	for range 5 {
		inviter := b.trader(0)
		alone = append(alone, b.account(inviter, ledger.Real).ID)
		for range 4 {
			id := b.trader(inviter)
			account := b.account(id, ledger.Real).ID
			invited = append(invited, account, b.account(id, ledger.Mock).ID)
			inviterOf[account], owner[account] = inviter, id
		}
	}
	b.exec(`INSERT INTO void_invitations (invited_id, inviter_id, reason, voided_at) VALUES ($1, $2, 'device', now())`, owner[invited[0]], inviterOf[invited[0]])
	delete(inviterOf, invited[0])

	want, fills := map[int64]int64{}, make([]fill, count)
	for i := range fills {
		f := fill{
			id: int64(i + 1), account: append(alone, invited...)[random.IntN(len(alone)+len(invited))], commission: random.Int64N(20_000_000), lots: 10_000 * (1 + random.Int64N(500)),
			product: []int{1, 2, 3, 201}[random.IntN(4)], side: []string{"buy", "sell"}[random.IntN(2)], rule: "market", at: start.Add(time.Duration(i) * time.Millisecond),
		}
		if random.IntN(10) == 0 {
			f.rule = "close_by"
		}
		if f.product == 2 {
			double := 2 * (100_000 + random.Int64N(60_000))
			f.conversion = &double
		}
		fills[i] = f
		if inviter, counts := inviterOf[f.account]; counts {
			want[inviter] += b.expected(f)
		}
	}
	b.write(fills...)
	b.accrue()
	total := int64(0)
	for inviter, sum := range want {
		require.Equal(t, sum, b.number(`SELECT sum(amount)::bigint FROM rebates WHERE inviter_id = $1`, inviter))
		total += sum
	}
	require.Equal(t, total, b.number(`SELECT sum(amount)::bigint FROM rebates`))
	require.Equal(t, total, b.house())
	require.Zero(t, b.number(`SELECT count(*) FROM rebates r JOIN fills f ON f.id = r.fill_id JOIN accounts a ON a.id = f.account_id WHERE a.book <> 'real' OR a.trader_id <> r.invited_id`))

	require.Zero(t, b.pay(), "the day is not over")
	b.clock.Advance(12 * time.Hour)
	require.Equal(t, len(want), b.pay())
	require.Zero(t, b.pay(), "once a day")
	for inviter, sum := range want {
		require.Equal(t, sum, b.cash(inviter))
	}
	require.Zero(t, b.house())
	problem, _, err := ledger.Verify(t.Context(), b.db.Pool)
	require.NoError(t, err)
	require.Nil(t, problem)
}

func TestAccrue(t *testing.T) {
	t.Parallel()
	t.Run("Each fill counts once, however many servers follow", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		inviter := b.trader(0)
		account := b.account(b.trader(inviter), ledger.Real).ID
		for range 300 {
			b.write(b.fill(account))
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for range 10 {
					_, _ = b.invitations.Accrue(t.Context())
				}
			})
		}
		all.Wait()
		b.accrue()
		require.Equal(t, int64(300*1_400_000), b.house())
	})
	t.Run("Nothing is set aside while invitations are off, and a partner's tier counts the active", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		partner := b.trader(0)
		b.exec(`UPDATE traders SET type = 4 WHERE id = $1`, partner)
		account := b.account(b.trader(partner), ledger.Real).ID
		b.exec(`INSERT INTO switches (key, value) VALUES ('invitation.enabled', 'false')`)
		require.NoError(t, b.switches.Reload(t.Context()))
		b.write(b.fill(account))
		b.accrue()
		require.Zero(t, b.house())
		b.exec(`UPDATE switches SET value = 'true'`)
		require.NoError(t, b.switches.Reload(t.Context()))
		b.write(b.fill(account)) // nobody is active yet: 20 %
		b.accrue()
		require.Equal(t, int64(1_400_000), b.house())
		b.write(b.fill(account)) // one is: 25 %
		b.accrue()
		require.Equal(t, int64(1_400_000+1_750_000), b.house())
	})
}

// TestTermsThatWereNotRead makes a fill under terms that became effective elsewhere: they are read, and the mark-up counts.
func TestTermsThatWereNotRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inviter := b.trader(0)
	b.write(b.fill(b.number(`SELECT id FROM accounts WHERE trader_id = $1 AND book = 'real' AND kind = 'contract'`, b.trader(inviter))))
	b.products.unread = true
	b.accrue()
	require.False(t, b.products.unread)
	require.Positive(t, b.number(`SELECT markup FROM rebates WHERE inviter_id = $1`, inviter))
}

func TestPay(t *testing.T) {
	t.Parallel()
	t.Run("Debt is paid first, and two servers pay once", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		inviter := b.trader(0)
		b.write(b.fill(b.account(b.trader(inviter), ledger.Real).ID))
		b.accrue()
		b.clock.Advance(24 * time.Hour)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { _, _ = b.invitations.Pay(t.Context()) })
		}
		all.Wait()
		require.Equal(t, int64(1_400_000), b.cash(inviter))
		require.EqualValues(t, 1, b.number(`SELECT count(*) FROM rebate_payments`))
	})
	t.Run("A closed account is paid nothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		inviter, other := b.trader(0), b.trader(0)
		b.write(b.fill(b.account(b.trader(inviter), ledger.Real).ID), b.fill(b.account(b.trader(other), ledger.Real).ID))
		b.accrue()
		b.exec(`UPDATE traders SET closes_at = now(), closed_at = now(), email = NULL, password_hash = NULL WHERE id = $1`, inviter)
		b.clock.Advance(24 * time.Hour)
		require.Equal(t, 1, b.pay())
		require.Zero(t, b.cash(inviter))
		require.NotZero(t, b.cash(other))
	})
	t.Run("Nothing is earned while the account closes, and again once it is kept", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		inviter := b.trader(0)
		invited := b.account(b.trader(inviter), ledger.Real).ID
		b.exec(`UPDATE traders SET closes_at = now() + interval '14 days' WHERE id = $1`, inviter)
		b.write(b.fill(invited))
		b.accrue()
		require.Zero(t, b.number(`SELECT count(*) FROM rebates`), "the account must be empty to close")
		b.exec(`UPDATE traders SET closes_at = NULL WHERE id = $1`, inviter)
		b.write(b.fill(invited))
		b.accrue()
		require.EqualValues(t, 1, b.number(`SELECT count(*) FROM rebates`))
	})
	t.Run("Fills on every real account count, and the main account is paid", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		inviter := b.trader(0)
		invited := b.trader(inviter)
		paid := b.account(inviter, ledger.Real).ID
		second := map[int64]int64{}
		for _, id := range []int64{inviter, invited} {
			require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
				a, err := ledger.OpenAnotherTx(t.Context(), tx, ledger.Another{TraderID: id, Book: ledger.Real, Type: trader.Ordinary}, start)
				second[id] = a.ID
				return err
			}))
		}
		b.write(b.fill(second[invited]))
		b.accrue()
		b.clock.Advance(24 * time.Hour)
		require.Equal(t, 1, b.pay())
		require.EqualValues(t, 1_400_000, b.number(`SELECT cash FROM accounts WHERE id = $1`, paid))
		require.Zero(t, b.number(`SELECT cash FROM accounts WHERE id = $1`, second[inviter]))
	})
	t.Run("An invitation by which one earns on oneself is void: what is unpaid goes back, and no more comes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		inviter := b.trader(0)
		honest, self := b.trader(inviter), b.trader(inviter)
		for _, id := range []int64{honest, self} {
			b.write(b.fill(b.account(id, ledger.Real).ID))
		}
		b.accrue()
		b.related[[2]int64{inviter, self}] = invitation.SamePayee
		b.clock.Advance(24 * time.Hour)
		require.Equal(t, 1, b.pay())
		require.Equal(t, int64(1_400_000), b.cash(inviter))
		require.Zero(t, b.house())
		b.write(b.fill(b.account(self, ledger.Real).ID))
		b.accrue()
		require.Zero(t, b.house())
		list, next, err := b.invitations.Invitees(t.Context(), inviter, 0, 10)
		require.NoError(t, err)
		require.Zero(t, next)
		require.Equal(t, []invitation.Reason{invitation.SamePayee, ""}, []invitation.Reason{list[0].Void, list[1].Void})
		require.Equal(t, []int64{0, 1_400_000}, []int64{list[0].Earned, list[1].Earned})
		require.Contains(t, list[0].Name, "***")
	})
}

// refund stores a refund of a part of a fill's costs, as staff have agreed on it.
func (b *bundle) refund(fillID, traderID, amount int64) {
	b.Helper()
	b.test.Tamper(b, fmt.Sprintf(`
		INSERT INTO adjustments (id, trader_id, account_id, currency, amount, reason, case_kind, case_id, transaction_id, created_at)
		SELECT coalesce(max(id), 0) + 1, %d, 1, 'USDT', %d, 'fee_refund', 'fill', %d, coalesce(max(id), 0) + 1, now() FROM adjustments`, traderID, amount, fillID))
}

func TestReverse(t *testing.T) {
	t.Parallel()
	for _, paid := range []bool{false, true} {
		t.Run(fmt.Sprintf("A refund takes its part back once (paid: %v)", paid), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			inviter := b.trader(0)
			invited := b.trader(inviter)
			f := b.fill(b.account(invited, ledger.Real).ID)
			b.write(f)
			b.accrue()
			if paid {
				b.clock.Advance(24 * time.Hour)
				require.Equal(t, 1, b.pay())
			}
			left := func() int64 { return b.house() + b.cash(inviter) }
			require.Equal(t, int64(1_400_000), left())
			b.refund(f.id, invited, 3_000_000) // the commission: 20 % of it
			for range 2 {
				_, err := b.invitations.Reverse(t.Context())
				require.NoError(t, err)
				require.Equal(t, int64(800_000), left())
			}
			b.refund(f.id, invited, 100_000_000) // more than everything
			_, err := b.invitations.Reverse(t.Context())
			require.NoError(t, err)
			require.Zero(t, left())
			problem, _, err := ledger.Verify(t.Context(), b.db.Pool)
			require.NoError(t, err)
			require.Nil(t, problem)
		})
	}
}
