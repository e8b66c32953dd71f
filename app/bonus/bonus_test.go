package bonus_test

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/bonus"
	"candor/app/ledger"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/switches"
	"candor/app/trader"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "bonus_rule", ".", "Rule")
	d.RequireLabels(t, "bonus_state", ".", "State")
}

func TestTwoPeopleStartACampaign(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r, err := b.bonuses.RequestCampaign(t.Context(), b.anna, byDeposit(), "For the new season", "form")
	require.NoError(t, err)
	again, err := b.bonuses.RequestCampaign(t.Context(), b.anna, byDeposit(), "For the new season", "form")
	require.NoError(t, err)
	require.Equal(t, r.ID, again.ID, "the form sent twice is one request")
	tr := b.trader()
	require.ErrorIs(t, b.bonuses.AcceptCampaign(t.Context(), tr, r.ID, bonus.Terms), bonus.ErrUnknown, "one person starts nothing")
	_, err = b.bonuses.Approve(t.Context(), b.anna, r.ID, r.Version, r.Facts)
	require.ErrorIs(t, err, approval.ErrSamePerson)
	require.NoError(t, b.approve(r))
	c, err := b.bonuses.Campaign(t.Context(), r.ID)
	require.NoError(t, err)
	want := byDeposit()
	want.ID, want.CreatedAt, c.CreatedAt, c.LastDay = c.ID, start, c.CreatedAt.UTC(), c.LastDay.UTC()
	require.Equal(t, want, c)
	_, err = b.db.Pool.Exec(t.Context(), `INSERT INTO bonus_campaigns (id, rule, amount, share_bps, minimum, budget, days, last_day, created_at)
		SELECT nextval('approvals_id_seq'), rule, amount, share_bps, minimum, budget, days, last_day, created_at FROM bonus_campaigns`)
	require.ErrorContains(t, err, "nobody approved")
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE bonus_campaigns SET amount = 1`)
	require.ErrorContains(t, err, "permission denied")
}

func TestACampaignMustBeWhole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, one := range map[string]struct {
		change  func(c *bonus.Campaign)
		refusal error
	}{
		"Rule":          {func(c *bonus.Campaign) { c.Rule = "trades" }, bonus.ErrRule},
		"NoAmount":      {func(c *bonus.Campaign) { c.Amount = 0 }, bonus.ErrAmount},
		"LargeAmount":   {func(c *bonus.Campaign) { c.Amount = b.bonuses.Maximum() + 1; c.Budget = c.Amount }, bonus.ErrAmount},
		"NoShare":       {func(c *bonus.Campaign) { c.ShareBps = 0 }, bonus.ErrShare},
		"MoreThanWhole": {func(c *bonus.Campaign) { c.ShareBps = 10_001 }, bonus.ErrShare},
		"NoMinimum":     {func(c *bonus.Campaign) { c.Minimum = 0 }, bonus.ErrMinimum},
		"SmallBudget":   {func(c *bonus.Campaign) { c.Budget = c.Amount - 1 }, bonus.ErrBudget},
		"NoDays":        {func(c *bonus.Campaign) { c.Days = 0 }, bonus.ErrDays},
		"ManyDays":      {func(c *bonus.Campaign) { c.Days = 366 }, bonus.ErrDays},
		"Over":          {func(c *bonus.Campaign) { c.LastDay = start.AddDate(0, 0, -1).Truncate(24 * time.Hour) }, bonus.ErrLastDay},
		"Far":           {func(c *bonus.Campaign) { c.LastDay = lastDay.AddDate(1, 0, 0) }, bonus.ErrLastDay},
	} {
		c := byDeposit()
		one.change(&c)
		_, err := b.bonuses.RequestCampaign(t.Context(), b.anna, c, "For the new season", "")
		assert.ErrorIs(t, err, one.refusal, name)
	}
	_, err := b.bonuses.RequestCampaign(t.Context(), b.anna, byDeposit(), "", "")
	require.ErrorIs(t, err, approval.ErrNote)
	c := b.campaign(bonus.Campaign{Rule: bonus.Welcome, Amount: unit, ShareBps: 5, Minimum: 7, Budget: unit, Days: 365, LastDay: lastDay.AddDate(0, 11, 0)})
	require.Equal(t, []int64{0, 0}, []int64{int64(c.ShareBps), c.Minimum}, "a welcome has no deposit")
}

func TestAWelcomeIsGrantedWithItsAcceptance(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, tr := b.campaign(welcome()), b.trader()
	b.accept(tr, c)
	b.requireBonus(tr, 50)
	require.Zero(t, b.account(tr).Cash)
	one := b.of(tr)[0]
	require.Equal(t, []any{bonus.Active, int64(50 * unit), int64(50 * unit), start.AddDate(0, 0, 30), bonus.Terms}, []any{one.State, one.Amount, one.Remaining, one.ExpiresAt.UTC(), *one.Terms})
	require.ErrorIs(t, b.bonuses.AcceptCampaign(t.Context(), tr, c.ID, bonus.Terms), bonus.ErrTaken)
	b.requireBonus(tr, 50)
	require.Equal(t, []string{"bonus_granted"}, b.told(tr))
	require.EqualValues(t, 1, b.scan(`SELECT count(*) FROM audit_entries WHERE action = 'bonus.accept' AND target_id = $1::bigint::text AND actor_id = $2`, one.ID, tr.ID))
	require.EqualValues(t, 50*unit, b.scan(`SELECT -sum(p.amount)::bigint FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.kind = 'house' AND a.name = 'bonus'`))
}

func TestWhoGetsNoBonus(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, tr := b.campaign(welcome()), b.trader()
	accept := func(who audit.Actor) error {
		return b.bonuses.AcceptCampaign(t.Context(), who, c.ID, bonus.Terms)
	}
	require.ErrorIs(t, b.bonuses.AcceptCampaign(t.Context(), tr, c.ID, bonus.Terms+1), bonus.ErrTerms, "other terms than those shown")
	require.ErrorIs(t, b.bonuses.AcceptCampaign(t.Context(), tr, c.ID+1, bonus.Terms), bonus.ErrUnknown)
	require.ErrorIs(t, accept(b.traderOf("DE")), bonus.ErrOff, "a country that forbids it")
	guest := audit.Actor{Kind: audit.Trader, ID: b.scan(`INSERT INTO traders (name, type) VALUES ('Guest', 8) RETURNING id`)}
	require.ErrorIs(t, accept(guest), trader.ErrGuest)
	unverified := b.trader()
	b.test.Tamper(t, `UPDATE traders SET auth_status = 1 WHERE id = `+itoa(unverified.ID))
	require.ErrorIs(t, accept(unverified), bonus.ErrUnverified)
	b.set(switches.BonusKey, "false")
	require.ErrorIs(t, accept(tr), bonus.ErrOff)
	b.set(switches.BonusKey, "true")
	b.accept(tr, c)
	other := b.trader()
	b.same[other.ID] = []int64{unverified.ID, tr.ID}
	require.ErrorIs(t, accept(other), bonus.ErrPerson, "one bonus for one person")
	b.same[other.ID] = []int64{unverified.ID}
	require.NoError(t, accept(other))
	require.NoError(t, b.bonuses.Stop(t.Context(), b.anna, c.ID))
	require.ErrorIs(t, b.bonuses.Stop(t.Context(), b.anna, c.ID), bonus.ErrStopped)
	require.ErrorIs(t, accept(b.trader()), bonus.ErrOver)
	b.requireBonus(tr, 50)
	over := b.campaign(welcome())
	b.clock.Advance(31 * 24 * time.Hour)
	require.ErrorIs(t, b.bonuses.AcceptCampaign(t.Context(), b.trader(), over.ID, bonus.Terms), bonus.ErrOver)
}

func TestADepositEarnsItsShare(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct{ units, fee, want int64 }{
		"ShareOfWhatArrived": {600, 100, 100},
		"AtMostTheAmount":    {5_000, 0, 200},
		"FromTheMinimum":     {100, 0, 20},
		"NotBelow":           {99, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			c, tr := b.campaign(byDeposit()), b.trader()
			b.deposits(tr, 1_000, 0) // before the acceptance
			b.clock.Advance(time.Minute)
			b.accept(tr, c)
			b.requireBonus(tr, 0)
			b.settle()
			b.requireBonus(tr, 0)
			b.clock.Advance(time.Minute)
			id := b.deposits(tr, one.units, one.fee)
			b.settle()
			b.settle()
			b.requireBonus(tr, one.want)
			if one.want > 0 {
				require.Equal(t, id, *b.of(tr)[0].DepositID)
			}
			b.clock.Advance(time.Minute)
			b.deposits(tr, 1_000, 0)
			b.settle()
			if one.want > 0 {
				b.requireBonus(tr, one.want)
			} else {
				b.requireBonus(tr, 200)
			}
		})
	}
}

func TestADepositEarnsOneBonus(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tr := b.trader()
	b.accept(tr, b.campaign(byDeposit()))
	b.accept(tr, b.campaign(byDeposit()))
	b.clock.Advance(time.Minute)
	b.deposits(tr, 500, 0)
	b.settle()
	b.requireBonus(tr, 100)
	b.clock.Advance(time.Minute)
	b.deposits(tr, 500, 0)
	b.settle()
	b.requireBonus(tr, 200)
}

func TestAnAcceptedBonusLapsesWithoutADeposit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, tr, late := b.campaign(byDeposit()), b.trader(), b.trader()
	b.accept(tr, c)
	b.accept(late, c)
	b.clock.Advance(c.EndsAt().Sub(start))
	b.deposits(tr, 500, 0) // in the last moment, and seen after it
	b.clock.Advance(time.Minute)
	b.deposits(late, 500, 0)
	b.settle()
	require.Equal(t, bonus.Accepted, b.of(late)[0].State)
	b.clock.Advance(2 * time.Hour)
	b.settle()
	require.Equal(t, []bonus.State{bonus.Active, bonus.Lapsed}, []bonus.State{b.of(tr)[0].State, b.of(late)[0].State})
	require.Equal(t, []string{"bonus_lapsed"}, b.told(late))
	b.settle()
	require.Equal(t, []string{"bonus_lapsed"}, b.told(late), "once")
	b.requireBonus(late, 0)
}

// TestABudgetIsKept: what was promised to traders is covered, however many accept at once.
func TestABudgetIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	small := byDeposit()
	small.Budget = 3*small.Amount + unit
	c := b.campaign(small)
	traders := make([]audit.Actor, 12)
	for i := range traders {
		traders[i] = b.trader()
	}
	var group sync.WaitGroup
	var accepted, over sync.Map
	for _, tr := range traders {
		group.Go(func() {
			switch err := b.bonuses.AcceptCampaign(t.Context(), tr, c.ID, bonus.Terms); {
			case err == nil:
				accepted.Store(tr.ID, true)
			case assert.ErrorIs(t, err, bonus.ErrOver):
				over.Store(tr.ID, true)
			}
		})
	}
	group.Wait()
	count := func(m *sync.Map) (n int) {
		m.Range(func(any, any) bool { n++; return true })
		return n
	}
	require.Equal(t, []int{3, 9}, []int{count(&accepted), count(&over)})
	figures, err := b.bonuses.FiguresOf(t.Context(), c.ID)
	require.NoError(t, err)
	require.Equal(t, bonus.Figures{CampaignID: c.ID, Accepted: 3, Promised: 600 * unit}, figures)
	for _, tr := range traders {
		offers, err := b.bonuses.Offers(t.Context(), trader.Trader{ID: tr.ID, Country: "JP"})
		require.NoError(t, err)
		require.Empty(t, offers, "a budget that is used up is not offered")
	}
	b.clock.Advance(32 * 24 * time.Hour)
	b.settle()
	figures, err = b.bonuses.FiguresOf(t.Context(), c.ID)
	require.NoError(t, err)
	require.Zero(t, figures.Promised, "what lapsed is free again")
}

func TestOffersAreThoseNotAccepted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.campaign(welcome()), b.campaign(byDeposit())
	tr := b.trader()
	ids := func(country string) (out []int64) {
		list, err := b.bonuses.Offers(t.Context(), trader.Trader{ID: tr.ID, Country: country})
		require.NoError(t, err)
		for _, c := range list {
			out = append(out, c.ID)
		}
		return out
	}
	require.Equal(t, []int64{first.ID, second.ID}, ids("JP"))
	require.Empty(t, ids("FR"))
	require.Empty(t, ids(""))
	b.accept(tr, first)
	require.Equal(t, []int64{second.ID}, ids("JP"))
	require.NoError(t, b.bonuses.Stop(t.Context(), b.ben, second.ID))
	require.Empty(t, ids("JP"))
}

// TestALossBeforeAGrantIsNotTakenFromIt: not even where nobody has written the loss.
func TestALossBeforeAGrantIsNotTakenFromIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tr := b.trader()
	b.accept(tr, b.campaign(byDeposit())) // 60 days
	b.clock.Advance(time.Minute)
	b.deposits(tr, 500, 0)
	b.settle()
	b.loses(tr, 580)
	b.accept(tr, b.campaign(welcome())) // 30 days: first to expire
	list := b.of(tr)
	require.Equal(t, []int64{50 * unit, 20 * unit}, []int64{list[0].Remaining, list[1].Remaining})
}

// TestTheAppShowsTheTermsOfTheServer: the app sends the version of the text that it shows.
func TestTheAppShowsTheTermsOfTheServer(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../customer-web/src/features/bonus/components/bonus-terms.tsx")
	require.NoError(t, err)
	require.Contains(t, string(text), fmt.Sprintf("BONUS_TERMS = %d\n", bonus.Terms))
}

// TestOneFailureHoldsUpNoOther: an account whose bonuses do not add up keeps nobody else from theirs.
func TestOneFailureHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.campaign(welcome())
	wrong, right := b.trader(), b.trader()
	b.accept(wrong, c)
	b.accept(right, c)
	b.test.Tamper(t, fmt.Sprintf(`UPDATE bonuses SET remaining = 1 WHERE trader_id = %d`, wrong.ID))
	b.clock.Advance(30 * 24 * time.Hour)
	require.ErrorContains(t, b.bonuses.Settle(t.Context()), "more than its bonuses")
	b.requireBonus(right, 0)
	b.requireBonus(wrong, 50)
}

func TestAnAcceptedBonusIsDeclined(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, tr := b.campaign(byDeposit()), b.trader()
	b.accept(tr, c)
	require.NoError(t, b.bonuses.Decline(t.Context(), tr, b.of(tr)[0].ID, b.of(tr)[0].State))
	figures, err := b.bonuses.FiguresOf(t.Context(), c.ID)
	require.NoError(t, err)
	require.Zero(t, figures.Promised)
	require.ErrorIs(t, b.bonuses.AcceptCampaign(t.Context(), tr, c.ID, bonus.Terms), bonus.ErrTaken)
	b.clock.Advance(time.Minute)
	b.deposits(tr, 500, 0)
	b.settle()
	b.requireBonus(tr, 0)
}

// TestAClosedAccountGetsNone: what it accepted lapses.
func TestAClosedAccountGetsNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, tr := b.campaign(byDeposit()), b.trader()
	b.accept(tr, c)
	b.test.Tamper(t, fmt.Sprintf(`UPDATE traders SET closes_at = now(), closed_at = now(), email = NULL, password_hash = NULL WHERE id = %d`, tr.ID))
	require.ErrorIs(t, b.bonuses.AcceptCampaign(t.Context(), tr, b.campaign(welcome()).ID, bonus.Terms), bonus.ErrOff)
	b.clock.Advance(32 * 24 * time.Hour)
	b.settle()
	require.Equal(t, bonus.Lapsed, b.of(tr)[0].State)
}

// TestLossesTakeTheBonusAfterTheMoney: the bonus that expires first is taken first.
func TestLossesTakeTheBonusAfterTheMoney(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tr := b.trader()
	b.deposits(tr, 100, 0)
	b.clock.Advance(time.Minute)
	b.accept(tr, b.campaign(byDeposit())) // 60 days
	b.clock.Advance(time.Minute)
	b.deposits(tr, 100, 0)
	b.settle()
	b.accept(tr, b.campaign(welcome())) // 30 days: first to expire
	b.requireBonus(tr, 70)
	left := func() []int64 {
		list := b.of(tr)
		return []int64{list[0].Remaining / unit, list[1].Remaining / unit}
	}
	b.loses(tr, 150)
	require.Equal(t, []int64{50, 20}, left())
	b.loses(tr, 90)
	require.Equal(t, []int64{10, 20}, left(), "before it is written")
	b.settle()
	require.Equal(t, []int64{10, 20}, left())
	b.loses(tr, 15)
	b.settle()
	list := b.of(tr)
	require.Equal(t, []any{bonus.Used, int64(0), bonus.Active, int64(15 * unit)}, []any{list[0].State, list[0].Remaining, list[1].State, list[1].Remaining})
	b.clock.Advance(60 * 24 * time.Hour)
	b.settle()
	b.requireBonus(tr, 0)
	require.Equal(t, []bonus.State{bonus.Used, bonus.Expired}, []bonus.State{b.of(tr)[0].State, b.of(tr)[1].State})
	require.EqualValues(t, 15*unit, b.scan(`SELECT -p.amount FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id WHERE t.kind = 'bonus_expired' AND p.account_id = $1`, b.account(tr).ID))
	require.Contains(t, b.told(tr), "bonus_expired")
}

func TestABonusExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tr := b.trader()
	b.accept(tr, b.campaign(welcome()))
	b.clock.Advance(23*24*time.Hour - time.Second)
	b.settle()
	require.Equal(t, []string{"bonus_granted"}, b.told(tr))
	b.clock.Advance(time.Second)
	b.settle()
	b.settle()
	require.Equal(t, []string{"bonus_granted", "bonus_expiring"}, b.told(tr))
	b.clock.Advance(7*24*time.Hour - time.Second)
	b.settle()
	b.requireBonus(tr, 50)
	b.clock.Advance(time.Second)
	var group sync.WaitGroup
	for range 4 { // servers
		group.Go(func() { assert.NoError(t, b.bonuses.Settle(t.Context())) })
	}
	group.Wait()
	b.requireBonus(tr, 0)
	require.Equal(t, []string{"bonus_granted", "bonus_expiring", "bonus_expired"}, b.told(tr))
}

func TestABonusIsTakenBackWithItsDeposit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tr, kept := b.trader(), b.trader()
	c := b.campaign(byDeposit())
	b.accept(tr, c)
	b.accept(kept, c)
	b.clock.Advance(time.Minute)
	id := b.deposits(tr, 1_000, 0)
	b.deposits(kept, 1_000, 0)
	b.settle()
	b.requireBonus(tr, 200)
	b.loses(tr, 1_050)
	b.reverses(tr, id, 1_000)
	b.settle()
	b.requireBonus(tr, 0)
	b.requireBonus(kept, 200)
	require.Equal(t, bonus.TakenBack, b.of(tr)[0].State)
	require.EqualValues(t, 150*unit, b.scan(`SELECT -p.amount FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id WHERE t.kind = 'bonus_taken_back' AND p.account_id = $1`, b.account(tr).ID))
}

func TestTwoPeopleGiveABonus(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tr := b.trader()
	for name, one := range map[string]struct {
		amount  int64
		days    int
		refusal error
	}{
		"Amount": {0, 1, bonus.ErrAmount}, "Negative": {-unit, 1, bonus.ErrAmount}, "Large": {b.bonuses.Maximum() + 1, 1, bonus.ErrAmount}, "Days": {1, 0, bonus.ErrDays},
	} {
		_, err := b.bonuses.RequestGift(t.Context(), b.anna, tr.ID, one.amount, one.days, "A late answer", "")
		assert.ErrorIs(t, err, one.refusal, name)
	}
	_, err := b.bonuses.RequestGift(t.Context(), b.anna, b.traderOf("DE").ID, 30*unit, 10, "A late answer", "")
	require.ErrorIs(t, err, bonus.ErrOff)
	g, err := b.bonuses.RequestGift(t.Context(), b.anna, tr.ID, 30*unit, 10, "A late answer", "form")
	require.NoError(t, err)
	_, err = b.bonuses.RequestGift(t.Context(), b.ben, tr.ID, 30*unit, 10, "A late answer", "other")
	require.ErrorIs(t, err, bonus.ErrWaiting)
	_, err = b.bonuses.Approve(t.Context(), b.anna, g.ID, g.Version, g.Facts)
	require.ErrorIs(t, err, approval.ErrSamePerson)
	b.barred = b.ben.ID
	require.ErrorIs(t, b.approve(g), errConflict)
	b.barred = 0
	require.NoError(t, b.approve(g))
	b.requireBonus(tr, 0)
	offer := b.of(tr)[0]
	require.Equal(t, []any{bonus.Offered, int64(30 * unit)}, []any{offer.State, offer.Amount})
	require.ErrorIs(t, b.bonuses.AcceptOffer(t.Context(), b.trader(), offer.ID, bonus.Terms), bonus.ErrUnknown, "another trader's")
	require.ErrorIs(t, b.bonuses.AcceptOffer(t.Context(), tr, offer.ID, bonus.Terms+1), bonus.ErrTerms)
	require.NoError(t, b.bonuses.AcceptOffer(t.Context(), tr, offer.ID, bonus.Terms))
	require.ErrorIs(t, b.bonuses.AcceptOffer(t.Context(), tr, offer.ID, bonus.Terms), bonus.ErrTaken)
	b.requireBonus(tr, 30)
	require.Equal(t, []string{"bonus_offered", "bonus_granted"}, b.told(tr))
	_, err = b.db.Pool.Exec(t.Context(), `INSERT INTO bonuses (trader_id, approval_id, amount, days, state, accept_by, offered_at) SELECT trader_id, approval_id - 1, amount, days, 'offered', accept_by, offered_at FROM bonuses`)
	require.ErrorContains(t, err, "nobody approved")
}

func TestAnOfferLapsesOrIsDeclined(t *testing.T) {
	t.Parallel()
	b := setup(t)
	offer := func(tr audit.Actor) bonus.Bonus {
		g, err := b.bonuses.RequestGift(t.Context(), b.anna, tr.ID, unit, 1, "A late answer", "")
		require.NoError(t, err)
		require.NoError(t, b.approve(g))
		return b.of(tr)[0]
	}
	tr, other := b.trader(), b.trader()
	declined, left := offer(tr), offer(other)
	require.NoError(t, b.bonuses.Decline(t.Context(), tr, declined.ID, bonus.Offered))
	require.ErrorIs(t, b.bonuses.Decline(t.Context(), tr, declined.ID, bonus.Offered), bonus.ErrEnded)
	require.ErrorIs(t, b.bonuses.Decline(t.Context(), tr, left.ID, bonus.Offered), bonus.ErrUnknown)
	require.ErrorIs(t, b.bonuses.AcceptOffer(t.Context(), tr, declined.ID, bonus.Terms), bonus.ErrTaken)
	b.clock.Advance(bonus.OfferDays*24*time.Hour + 12*time.Hour + time.Second)
	require.ErrorIs(t, b.bonuses.AcceptOffer(t.Context(), other, left.ID, bonus.Terms), bonus.ErrOver)
	b.settle()
	require.Equal(t, []bonus.State{bonus.Declined, bonus.Lapsed}, []bonus.State{b.of(tr)[0].State, b.of(other)[0].State})
	offer(other)
}

// TestADeclineNamesWhatWasSeen: a bonus that was accepted or granted in another window is not given up by a decline.
func TestADeclineNamesWhatWasSeen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tr := b.trader()
	g, err := b.bonuses.RequestGift(t.Context(), b.anna, tr.ID, unit, 1, "A late answer", "")
	require.NoError(t, err)
	require.NoError(t, b.approve(g))
	id := b.of(tr)[0].ID
	require.ErrorIs(t, b.bonuses.Decline(t.Context(), tr, id, bonus.Active), bonus.ErrChanged, "nothing to give up yet")
	require.NoError(t, b.bonuses.AcceptOffer(t.Context(), tr, id, bonus.Terms))
	require.ErrorIs(t, b.bonuses.Decline(t.Context(), tr, id, bonus.Offered), bonus.ErrChanged)
	require.ErrorIs(t, b.bonuses.Decline(t.Context(), tr, id, bonus.Accepted), bonus.ErrChanged)
	for _, seen := range []bonus.State{"", "bogus", bonus.Used} {
		require.Equal(t, "invalid_input", errs.As(b.bonuses.Decline(t.Context(), tr, id, seen)).Key)
	}
	require.Equal(t, bonus.Active, b.of(tr)[0].State)
	require.NoError(t, b.bonuses.Decline(t.Context(), tr, id, bonus.Active))
	require.Equal(t, bonus.GivenUp, b.of(tr)[0].State)
}

// TestATraderGivesABonusUp: what losses left of it goes back to the house, once.
func TestATraderGivesABonusUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, tr, used := b.campaign(welcome()), b.trader(), b.trader()
	b.accept(tr, c)
	b.accept(used, c)
	b.loses(tr, 20)
	b.loses(used, 50)
	id := b.of(tr)[0].ID
	var group sync.WaitGroup
	results := make(chan error, 8)
	for range 8 {
		group.Go(func() { results <- b.bonuses.Decline(t.Context(), tr, id, bonus.Active) })
	}
	group.Wait()
	close(results)
	done := 0
	for err := range results {
		if err == nil {
			done++
			continue
		}
		require.ErrorIs(t, err, bonus.ErrEnded)
	}
	require.Equal(t, 1, done)
	require.ErrorIs(t, b.bonuses.Decline(t.Context(), used, b.of(used)[0].ID, bonus.Active), bonus.ErrEnded)
	b.requireBonus(tr, 0)
	has, err := ledger.HasBonus(t.Context(), b.db.Pool, tr.ID)
	require.NoError(t, err)
	require.False(t, has, "so that the account can close")
	require.EqualValues(t, 30*unit, b.scan(`SELECT -p.amount FROM postings p JOIN ledger_transactions t ON t.id = p.transaction_id WHERE t.kind = 'bonus_given_up' AND p.account_id = $1`, b.account(tr).ID))
}
