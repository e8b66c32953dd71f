package deposit_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/jobs"
	"candor/app/provider"
	"candor/app/provider/sandbox"
	"candor/app/switches"
)

const coinChannel = 111

var coinSecret = strings.Repeat("s3cret", 6)

// custodianFixture is a fixture with a custodian, the sandbox.
type custodianFixture struct {
	*bundle
	sandbox   *sandbox.Sandbox
	providers *provider.Service
}

func withCustodian(t *testing.T) *custodianFixture {
	t.Helper()
	b := setup(t)
	queue, err := jobs.New(b.db.Pool)
	require.NoError(t, err)
	box := sandbox.New(coinSecret, b.clock, 0)
	server := httptest.NewServer(box.Handler())
	t.Cleanup(server.Close)
	c := &custodianFixture{bundle: b, sandbox: box}
	firm := provider.Provider{ID: "sandbox", Name: "Sandbox", URL: server.URL, Secret: coinSecret, Sandbox: true}
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || c.providers.Accept(r.Context(), firm.ID, r.Header.Get(provider.TimeHeader), r.Header.Get(provider.SignatureHeader), body) != nil {
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	t.Cleanup(endpoint.Close)
	c.providers = provider.New(b.db, b.clock, queue, endpoint.URL, []provider.Provider{firm})
	require.NoError(t, deposit.SeedSandbox(t.Context(), b.keeper, []provider.Provider{firm}))
	b.config.Providers, b.config.Queue = c.providers, queue
	b.config.NormalizeAddress = func(_, chain, address string) (string, error) {
		if chain == "tron" && !strings.HasPrefix(address, "T") {
			return "", fmt.Errorf("%s is no address on %s", address, chain)
		}
		return address, nil
	}
	b.start()
	return c
}

func (c *custodianFixture) address(o ledger.Owner) deposit.Address {
	c.Helper()
	a, _, err := c.deposits.Address(c.Context(), o, coinChannel)
	require.NoError(c, err)
	return a
}

// queryCustodian queries the custodian, as a job or an event would.
func (c *custodianFixture) queryCustodian() {
	c.Helper()
	c.clock.Advance(time.Minute)
	for asked := 1; asked > 0; {
		var err error
		asked, err = c.deposits.AskCustodians(c.Context())
		require.NoError(c, err)
	}
}

// receive sends an amount to an address and books it.
func (c *custodianFixture) receive(a deposit.Address, amount string) (id string, d deposit.Deposit) {
	c.Helper()
	id, err := c.sandbox.Receive(a.Reference, "USDT", "tron", amount)
	require.NoError(c, err)
	c.queryCustodian()
	return id, c.byTransfer(id)
}

func (c *custodianFixture) byTransfer(transfer string) (d deposit.Deposit) {
	c.Helper()
	return c.read(c.count(`SELECT id FROM deposits WHERE transfer = $1`, transfer))
}

// mine adds the blocks that a transfer requires.
func (c *custodianFixture) mine(id string) deposit.Deposit {
	c.Helper()
	for range sandbox.Required {
		require.NoError(c, c.sandbox.Mine(id))
	}
	c.queryCustodian()
	return c.byTransfer(id)
}

func (c *custodianFixture) missing(amount string) (o ledger.Owner, id string, d deposit.Deposit) {
	c.Helper()
	o = c.owner(1)
	id, _ = c.receive(c.address(o), amount)
	require.Equal(c, deposit.Credited, c.mine(id).State)
	require.NoError(c, c.sandbox.Reorganise(id))
	c.queryCustodian()
	return o, id, c.byTransfer(id)
}

func TestAnAddressIsOneForGood(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	o := c.owner(0)
	first := c.address(o)
	require.Equal(t, fmt.Sprint("AD-", first.ID), first.Reference)
	require.NotEmpty(t, first.Address)
	require.Equal(t, first.Address, c.address(o).Address)
	require.NotEqual(t, first.Address, c.address(c.owner(0)).Address)
	other, _, err := c.deposits.Address(t.Context(), o, coinChannel+1)
	require.NoError(t, err)
	require.NotEqual(t, first.Reference, other.Reference)
	require.EqualValues(t, 2, c.count(`SELECT count(*) FROM audit_entries WHERE action = 'deposit.address' AND actor_id = $1`, o.TraderID))

	mock := o
	mock.AccountID = c.account(o.TraderID, ledger.Mock)
	for refusal, ask := range map[error]func() error{
		deposit.ErrMock:    func() error { _, _, err := c.deposits.Address(t.Context(), mock, coinChannel); return err },
		deposit.ErrChannel: func() error { _, _, err := c.deposits.Address(t.Context(), o, channel); return err },
		ledger.ErrAccount: func() error {
			stranger := c.owner(0)
			stranger.AccountID = o.AccountID
			_, _, err := c.deposits.Address(t.Context(), stranger, coinChannel)
			return err
		},
	} {
		require.ErrorIs(t, ask(), refusal)
	}
}

// TestACustodianThatDoesNotAnswerIsAskedAgain loses requests and answers: the reference stays, and there is one address in the end.
func TestACustodianThatDoesNotAnswerIsAskedAgain(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	o := c.owner(0)
	for _, mode := range []sandbox.Mode{sandbox.LostRequest, sandbox.LateAnswer, sandbox.ServerError} {
		require.NoError(t, c.sandbox.SetMode(mode))
		_, _, err := c.deposits.Address(t.Context(), o, coinChannel)
		require.ErrorIs(t, err, provider.ErrUnavailable, mode)
		require.EqualValues(t, 1, c.count(`SELECT count(*) FROM deposit_addresses WHERE address = ''`))
	}
	require.NoError(t, c.sandbox.SetMode(sandbox.Healthy))
	require.Equal(t, "AD-1", c.address(o).Reference)
}

func TestAnAddressOfAnotherChainIsShownToNobody(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	c.exec(`UPDATE pay_channels SET chain = 'tron' WHERE id = $1`, coinChannel)
	c.config.Queue = nil // its jobs have their worker already
	c.config.NormalizeAddress = func(_, _, address string) (string, error) { return "", fmt.Errorf("%s is of another chain", address) }
	c.start()
	_, _, err := c.deposits.Address(t.Context(), c.owner(0), coinChannel)
	require.ErrorIs(t, err, provider.ErrUnavailable)
	require.EqualValues(t, 1, c.count(`SELECT count(*) FROM deposit_addresses WHERE address = ''`))
}

func TestCoinsAreCreditedOnceTheyAreConfirmed(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	o := c.owner(1)
	id, d := c.receive(c.address(o), "250.5")
	require.Equal(t, deposit.Detected, d.State)
	require.Equal(t, []int{0, sandbox.Required}, []int{d.Confirmations, d.Required})
	for n := 1; n < sandbox.Required; n++ {
		require.NoError(t, c.sandbox.Mine(id))
		c.queryCustodian()
		require.Equal(t, n, c.byTransfer(id).Confirmations)
		require.Zero(t, c.cash(o.AccountID), "nothing before the last")
	}
	require.NoError(t, c.sandbox.Mine(id))
	for range 3 {
		c.queryCustodian()
		d = c.byTransfer(id)
		require.Equal(t, []any{deposit.Credited, sandbox.Required, int64(250_500_000)}, []any{d.State, d.Confirmations, *d.Received})
		require.EqualValues(t, 250_500_000, c.cash(o.AccountID))
	}
	require.Len(t, c.acts(d.ID), 2, "detected and credited")
	c.requireProved()
}

// TestWhatIsTooSmallIsRecorded sends an amount of a coin with 18 decimals.
func TestWhatIsTooSmallIsRecorded(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	o := c.owner(1)
	a := c.address(o)
	id, _ := c.receive(a, "20.123456789012345678")
	d := c.mine(id)
	require.EqualValues(t, 20_123_456, *d.Received)
	require.Equal(t, "0.000000789012345678", d.Dust)
	require.EqualValues(t, 20_123_456, c.cash(o.AccountID))
	id, d = c.receive(a, "0.000000000000000001")
	require.Equal(t, []any{int64(0), "0.000000000000000001"}, []any{d.Amount, d.Dust})
	d = c.mine(id)
	require.Equal(t, deposit.BelowMin, d.State)
	_, err := c.deposits.ApproveUnderReview(t.Context(), c.maker, d.ID, d.Version)
	require.ErrorIs(t, err, deposit.ErrState, "there is nothing to credit")
	for _, amount := range []string{"-5", "1e6", "", "0", "0.0", "5,5", "9999999999999"} {
		id, err := c.sandbox.Receive(a.Reference, "USDT", "tron", amount)
		require.NoError(t, err)
		c.queryCustodian()
		require.Zero(t, c.count(`SELECT count(*) FROM deposits WHERE transfer = $1`, id), "%q can't be", amount)
	}
	c.requireProved()
}

func TestAReorganisationBeforeTheCreditDropsIt(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	o := c.owner(1)
	id, _ := c.receive(c.address(o), "100")
	require.NoError(t, c.sandbox.Mine(id))
	c.queryCustodian()
	require.NoError(t, c.sandbox.Reorganise(id))
	c.queryCustodian()
	d := c.byTransfer(id)
	require.Equal(t, []any{deposit.Dropped, 0}, []any{d.State, d.Confirmations})
	require.NoError(t, c.sandbox.Reappear(id))
	c.queryCustodian()
	require.Equal(t, deposit.Detected, c.byTransfer(id).State)
	require.Equal(t, deposit.Credited, c.mine(id).State)
	require.EqualValues(t, 100*usdt, c.cash(o.AccountID))
	c.requireProved()
}

func TestAReorganisationAfterTheCreditIsReversedByTwo(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	o, id, d := c.missing("100")
	require.True(t, d.Missing())
	require.Equal(t, deposit.Credited, d.State)
	require.EqualValues(t, 100*usdt, c.cash(o.AccountID), "nobody has decided")
	require.Zero(t, credited(t, c.db, o).Settled, "it is not there")
	_, err := c.deposits.ApproveReversal(t.Context(), c.checker, d.ID, d.Version)
	require.ErrorIs(t, err, deposit.ErrState)
	_, err = c.deposits.RequestReversal(t.Context(), c.maker, d.ID, d.Version, " ")
	require.Error(t, err, "a reason is needed")
	_, err = c.deposits.RequestReversal(t.Context(), c.maker, d.ID, 0, "the block is gone")
	require.ErrorIs(t, err, deposit.ErrChanged)
	asked, err := c.deposits.RequestReversal(t.Context(), c.maker, d.ID, d.Version, "the block is gone")
	require.NoError(t, err)
	_, err = c.deposits.RequestReversal(t.Context(), c.checker, d.ID, asked.Version, "the block is gone")
	require.ErrorIs(t, err, deposit.ErrState)
	_, err = c.deposits.ApproveReversal(t.Context(), c.maker, d.ID, asked.Version)
	require.ErrorIs(t, err, approval.ErrSamePerson)
	_, err = c.deposits.ApproveReversal(t.Context(), c.checker, d.ID, d.Version)
	require.ErrorIs(t, err, deposit.ErrChanged)
	require.EqualValues(t, 100*usdt, c.cash(o.AccountID))
	done, err := c.deposits.ApproveReversal(t.Context(), c.checker, d.ID, asked.Version)
	require.NoError(t, err)
	require.Equal(t, deposit.Reversed, done.State)
	require.Zero(t, c.cash(o.AccountID))
	_, err = c.deposits.ApproveReversal(t.Context(), c.checker, d.ID, done.Version)
	require.ErrorIs(t, err, deposit.ErrState)
	require.NoError(t, c.sandbox.Reappear(id))
	c.mine(id)
	require.Equal(t, deposit.Reversed, c.byTransfer(id).State, "what was reversed stays so")
	require.Equal(t, deposit.Outcomes{TraderID: o.TraderID, Bounced: 1}, credited(t, c.db, o))
	require.Zero(t, c.cash(o.AccountID))
	c.requireProved()
}

func TestWhatReappearsIsNotReversed(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	o, id, d := c.missing("100")
	asked, err := c.deposits.RequestReversal(t.Context(), c.maker, d.ID, d.Version, "the block is gone")
	require.NoError(t, err)
	require.NoError(t, c.sandbox.Reappear(id))
	require.False(t, c.mine(id).Missing())
	_, err = c.deposits.ApproveReversal(t.Context(), c.checker, d.ID, asked.Version)
	require.ErrorIs(t, err, deposit.ErrChanged)
	_, err = c.deposits.ApproveReversal(t.Context(), c.checker, d.ID, c.byTransfer(id).Version)
	require.ErrorIs(t, err, deposit.ErrState)
	require.EqualValues(t, 100*usdt, c.cash(o.AccountID))
}

func TestADepositThatIsThereIsNotReversed(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	id, _ := c.receive(c.address(c.owner(1)), "100")
	d := c.mine(id)
	_, err := c.deposits.RequestReversal(t.Context(), c.maker, d.ID, d.Version, "I feel like it")
	require.ErrorIs(t, err, deposit.ErrState)
	bank := c.approved(c.owner(1))
	_, err = c.deposits.RequestReversal(t.Context(), c.maker, bank.ID, bank.Version, "I feel like it")
	require.ErrorIs(t, err, deposit.ErrState)
}

// TestWhatIsSpentIsOwed reverses a deposit whose money is spent, and lets the next deposit pay the debt.
func TestWhatIsSpentIsOwed(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	o, _, d := c.missing("100")
	c.takeLoss(o, 70*usdt)
	asked, err := c.deposits.RequestReversal(t.Context(), c.maker, d.ID, d.Version, "the block is gone")
	require.NoError(t, err)
	_, err = c.deposits.ApproveReversal(t.Context(), c.checker, d.ID, asked.Version)
	require.NoError(t, err)
	a, err := ledger.Load(t.Context(), c.db.Pool, o.AccountID)
	require.NoError(t, err)
	require.Equal(t, []int64{0, -70 * usdt, 0}, []int64{a.Cash, a.Owed, a.Deficit})
	id, _ := c.receive(c.address(o), "80")
	c.mine(id)
	require.EqualValues(t, 10*usdt, c.cash(o.AccountID))
	c.requireProved()
}

func TestCoinsThatWaitForTheDesk(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		level        int
		coin, amount string
		want         deposit.State
	}{
		"AnotherCoin":                    {1, "BTC", "100", deposit.WrongAsset},
		"BelowTheMinimum":                {1, "USDT", "9.999999", deposit.BelowMin},
		"AtTheMinimum":                   {1, "USDT", "10", deposit.Credited},
		"AboveTheLimit":                  {1, "USDT", "10000.000001", deposit.AMLReview},
		"AtTheLimit":                     {1, "USDT", "10000", deposit.Credited},
		"UnverifiedAboveTheTotal":        {0, "USDT", "2000.01", deposit.AMLReview},
		"UnverifiedAtTheTotal":           {0, "USDT", "2000", deposit.Credited},
		"VerifiedAboveTheUnverifiedOnes": {1, "USDT", "2000.01", deposit.Credited},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := withCustodian(t)
			o := c.owner(one.level)
			a := c.address(o)
			id, err := c.sandbox.Receive(a.Reference, one.coin, "tron", one.amount)
			require.NoError(t, err)
			c.queryCustodian()
			require.Equal(t, deposit.Detected, c.byTransfer(id).State)
			d := c.mine(id)
			require.Equal(t, one.want, d.State)
			require.Equal(t, one.want == deposit.Credited, c.cash(o.AccountID) > 0)
			queue, err := c.deposits.Queue(t.Context(), time.Time{}, 0, 10)
			require.NoError(t, err)
			require.Equal(t, one.want != deposit.Credited, len(queue) == 1)
		})
	}
}

func TestTheUnverifiedTotalCountsWhatCameBefore(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	a := c.address(c.owner(0))
	first, _ := c.receive(a, "1500")
	require.Equal(t, deposit.Credited, c.mine(first).State)
	second, _ := c.receive(a, "600")
	require.Equal(t, deposit.AMLReview, c.mine(second).State)
}

// TestTheDeskDecidesWithTwo tries every act in every state of a crypto deposit: unlisted acts are refused and change nothing.
func TestTheDeskDecidesWithTwo(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	ctx := t.Context()
	received := func(coin, amount string) func() deposit.Deposit {
		return func() deposit.Deposit {
			a := c.address(c.owner(1))
			id, err := c.sandbox.Receive(a.Reference, coin, "tron", amount)
			require.NoError(t, err)
			return c.mine(id)
		}
	}
	must := func(d deposit.Deposit, err error) deposit.Deposit {
		require.NoError(t, err)
		return d
	}
	aml, below, wrong := received("USDT", "20000"), received("USDT", "5"), received("BTC", "5")
	stages := map[string]func() deposit.Deposit{
		"Detected": func() deposit.Deposit { _, d := c.receive(c.address(c.owner(1)), "50"); return d },
		"Dropped": func() deposit.Deposit {
			id, _ := c.receive(c.address(c.owner(1)), "50")
			require.NoError(t, c.sandbox.Reorganise(id))
			c.queryCustodian()
			return c.byTransfer(id)
		},
		"AMLHold": aml, "BelowMin": below, "WrongAsset": wrong,
		"AMLHoldApproved": func() deposit.Deposit {
			d := aml()
			return must(c.deposits.ApproveUnderReview(ctx, c.maker, d.ID, d.Version))
		},
		"BelowMinApproved": func() deposit.Deposit {
			d := below()
			return must(c.deposits.ApproveUnderReview(ctx, c.maker, d.ID, d.Version))
		},
		"Refunding": func() deposit.Deposit {
			d := wrong()
			return must(c.deposits.Refund(ctx, c.maker, d.ID, d.Version, "0xabcd"))
		},
		"Refunded": func() deposit.Deposit {
			d := wrong()
			d = must(c.deposits.Refund(ctx, c.maker, d.ID, d.Version, "0xabcd"))
			return must(c.deposits.ConfirmRefund(ctx, c.checker, d.ID, d.Version))
		},
		"Credited": received("USDT", "50"),
		"Gone":     func() deposit.Deposit { _, _, d := c.missing("50"); return d },
		"GoneAsked": func() deposit.Deposit {
			_, _, d := c.missing("50")
			return must(c.deposits.RequestReversal(ctx, c.maker, d.ID, d.Version, "the block is gone"))
		},
		"Reversed": func() deposit.Deposit {
			_, _, d := c.missing("50")
			d = must(c.deposits.RequestReversal(ctx, c.maker, d.ID, d.Version, "the block is gone"))
			return must(c.deposits.ApproveReversal(ctx, c.checker, d.ID, d.Version))
		},
	}
	acts := map[string]func(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error){
		"CreditHeld": func(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error) {
			return c.deposits.ApproveUnderReview(ctx, by, d.ID, d.Version)
		},
		"ConfirmHeld": func(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error) {
			return c.deposits.ConfirmUnderReview(ctx, by, d.ID, d.Version)
		},
		"Refund": func(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error) {
			return c.deposits.Refund(ctx, by, d.ID, d.Version, "0xef01")
		},
		"ConfirmRefund": func(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error) {
			return c.deposits.ConfirmRefund(ctx, by, d.ID, d.Version)
		},
		"RefuseHeld": func(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error) {
			return c.deposits.RecallUnderReview(ctx, by, d.ID, d.Version)
		},
		"AskReversal": func(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error) {
			return c.deposits.RequestReversal(ctx, by, d.ID, d.Version, "the block is gone")
		},
		"RefuseReversal": func(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error) {
			return c.deposits.RefuseReversal(ctx, by, d.ID, d.Version)
		},
		"ConfirmReversal": func(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error) {
			return c.deposits.ApproveReversal(ctx, by, d.ID, d.Version)
		},
		"Claim": func(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error) {
			return c.deposits.Claim(ctx, by, d.ID)
		},
		"Approve": func(by audit.Actor, d deposit.Deposit) (deposit.Deposit, error) {
			return c.deposits.Approve(ctx, by, d.ID, d.Version, statementOf(5, "REFERENCE"))
		},
	}
	outcomes := map[string]map[string]deposit.State{
		"AMLHold":          {"CreditHeld": deposit.AMLReview, "Refund": deposit.Refunding},
		"BelowMin":         {"CreditHeld": deposit.BelowMin, "Refund": deposit.Refunding},
		"WrongAsset":       {"Refund": deposit.Refunding},
		"AMLHoldApproved":  {"ConfirmHeld": deposit.Credited, "RefuseHeld": deposit.AMLReview},
		"BelowMinApproved": {"ConfirmHeld": deposit.Credited, "RefuseHeld": deposit.BelowMin},
		"Refunding":        {"ConfirmRefund": deposit.Refunded, "RefuseHeld": deposit.WrongAsset},
		"Gone":             {"AskReversal": deposit.Credited},
		"GoneAsked":        {"ConfirmReversal": deposit.Reversed, "RefuseReversal": deposit.Credited},
	}
	for stage, reach := range stages {
		for act, do := range acts {
			d := reach()
			postings, entries := c.postings(), len(c.acts(d.ID))
			if d.MakerID != nil || d.ReversalApproval != nil {
				if _, err := do(c.maker, d); act == "ConfirmHeld" || act == "ConfirmRefund" || act == "ConfirmReversal" {
					require.Error(t, err, "%s at %s by the same person", act, stage)
				} else if err == nil {
					require.Contains(t, outcomes[stage], act)
					continue
				}
			}
			after, err := do(c.checker, d)
			if want, ok := outcomes[stage][act]; ok {
				require.NoError(t, err, "%s at %s", act, stage)
				require.Equal(t, want, after.State, "%s at %s", act, stage)
				require.Equal(t, entries+1, len(c.acts(d.ID)), "%s at %s", act, stage)
				continue
			}
			require.Error(t, err, "%s at %s", act, stage)
			require.Equal(t, d, c.read(d.ID), "%s at %s", act, stage)
			require.Equal(t, []any{postings, entries}, []any{c.postings(), len(c.acts(d.ID))}, "%s at %s", act, stage)
		}
	}
	c.requireProved()
}

// TestEventsLostDoubledAndAtOnce lets the custodian send every event three times, or none, while the jobs query it as well.
func TestEventsLostDoubledAndAtOnce(t *testing.T) {
	t.Parallel()
	for _, mode := range []sandbox.Mode{sandbox.ManyEvents, sandbox.LostEvents} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			c := withCustodian(t)
			o := c.owner(1)
			a := c.address(o)
			require.NoError(t, c.sandbox.SetMode(mode))
			for range 3 {
				id, err := c.sandbox.Receive(a.Reference, "USDT", "tron", "100")
				require.NoError(t, err)
				for range sandbox.Required {
					require.NoError(t, c.sandbox.Mine(id))
				}
			}
			c.sandbox.Wait()
			c.clock.Advance(time.Minute)
			var group sync.WaitGroup
			for _, event := range c.events() {
				group.Go(func() { _ = c.providers.Act(context.WithoutCancel(t.Context()), event) })
			}
			for range 3 {
				group.Go(func() { _, _ = c.deposits.AskCustodians(context.WithoutCancel(t.Context())) })
			}
			group.Wait()
			for _, event := range c.events() {
				require.NoError(t, c.providers.Act(t.Context(), event))
			}
			c.queryCustodian()
			require.EqualValues(t, 300*usdt, c.cash(o.AccountID))
			require.Zero(t, c.count(`SELECT count(*) FROM provider_events WHERE state = 'new'`))
			c.requireProved()
		})
	}
}

func (c *custodianFixture) events() (ids []int64) {
	c.Helper()
	for n := range c.count(`SELECT count(*) FROM provider_events`) {
		ids = append(ids, c.count(`SELECT id FROM provider_events ORDER BY id OFFSET $1 LIMIT 1`, n))
	}
	return ids
}

// takeLoss takes a loss from an account.
func (c *custodianFixture) takeLoss(o ledger.Owner, amount int64) {
	c.Helper()
	require.NoError(c, c.db.InTx(c.Context(), func(tx *db.Tx) error {
		a, err := ledger.LockTx(c.Context(), tx, o.AccountID)
		if err != nil {
			return err
		}
		_, err = ledger.PostTx(c.Context(), tx, ledger.Transaction{Kind: "trade_close", Key: "loss", Cause: "loss", Book: a.Book, At: c.clock.Now(), Entries: a.Result(-amount, 0)})
		return err
	}))
}

func TestTheDatabaseWantsTwoForAReversal(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	_, _, d := c.missing("100")
	requested, err := c.deposits.RequestReversal(t.Context(), c.maker, d.ID, d.Version, "the block is gone")
	require.NoError(t, err)
	for name, sql := range map[string]string{
		"ReversedWhileRequested": fmt.Sprintf(`UPDATE deposits SET state = 'reversed', reversal_id = transaction_id, reversal_approval = %d WHERE id = %d`, *requested.ReversalApproval, d.ID),
		"ReversedWithoutPosting": fmt.Sprintf(`UPDATE deposits SET state = 'reversed' WHERE id = %d`, d.ID),
		"ReversedByNobody":       fmt.Sprintf(`UPDATE deposits SET state = 'reversed', reversal_id = transaction_id WHERE id = %d`, d.ID),
	} {
		_, err := c.keeper.Pool.Exec(t.Context(), sql)
		require.ErrorContains(t, err, "23514", name)
	}
	requested, err = c.deposits.ApproveReversal(t.Context(), c.checker, d.ID, requested.Version)
	require.NoError(t, err)
	for _, column := range []string{"received = received + 1", "fee = fee + 1", "reversal_approval = NULL"} {
		_, err := c.keeper.Pool.Exec(t.Context(), fmt.Sprintf(`UPDATE deposits SET %s WHERE id = %d`, column, requested.ID))
		require.ErrorContains(t, err, "23514", column)
	}
	require.NotContains(t, publicKeys(), switches.AMLAboveKey, "it would tell how to stay below it")
}

func publicKeys() (keys []string) {
	for _, d := range switches.Definitions {
		if d.Public {
			keys = append(keys, d.Key)
		}
	}
	return keys
}
