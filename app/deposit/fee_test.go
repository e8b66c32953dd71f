package deposit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/deposit"
)

// charge sets the fee of deposits that begin from now on, in percent.
func (b *bundle) charge(percent string) {
	b.Helper()
	b.exec(`INSERT INTO switches (key, value) VALUES ('recharge.fee_rate', $1) ON CONFLICT (key) DO UPDATE SET value = $1`, percent)
	require.NoError(b, b.switches.Reload(b.Context()))
}

func TestTheFeeIsKeptOfTheCredit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.charge("0.5")
	owner := b.owner(1)
	d, err := b.approve(b.claimed(owner, 100*usdt), 100_000_001)
	require.NoError(t, err)
	require.Equal(t, deposit.Approved, d.State, "another amount than announced is for two")
	d = b.claim(b.checker, d.ID)
	d, err = b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
	require.NoError(t, err)
	require.EqualValues(t, 500_001, d.Fee, "rounded up")
	require.EqualValues(t, 99_500_000, b.cash(owner.AccountID))
	require.EqualValues(t, 500_001, b.count(`SELECT sum(amount) FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.name = 'fees'`))
	require.EqualValues(t, -100_000_001, b.count(`SELECT sum(amount) FROM postings WHERE account_id = 1`), "the bank has what came")
	b.requireProved()
}

func TestTheFeeIsThatOfTheBeginning(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.owner(1)
	before := b.claimed(owner, 100*usdt)
	b.charge("2")
	d, err := b.approve(before, 100*usdt)
	require.NoError(t, err)
	require.Zero(t, d.Fee, "whoever asked before it was there pays none")
	require.EqualValues(t, 100*usdt, b.cash(owner.AccountID))
	after := b.claimed(owner, 100*usdt)
	b.charge("0")
	_, err = b.approve(after, 100*usdt)
	require.NoError(t, err)
	require.EqualValues(t, 198*usdt, b.cash(owner.AccountID))
}

func TestAReversalTakesBackWhatWasCreditedAndTheFee(t *testing.T) {
	t.Parallel()
	c := withCustodian(t)
	c.charge("1")
	o, _, d := c.missing("100")
	require.EqualValues(t, usdt, d.Fee)
	require.EqualValues(t, 99*usdt, c.cash(o.AccountID))
	asked, err := c.deposits.RequestReversal(t.Context(), c.maker, d.ID, d.Version, "its block is gone")
	require.NoError(t, err)
	_, err = c.deposits.ApproveReversal(t.Context(), c.checker, d.ID, asked.Version)
	require.NoError(t, err)
	require.Zero(t, c.cash(o.AccountID))
	require.Zero(t, c.count(`SELECT sum(amount) FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.name = 'fees'`), "nobody pays for what did not come")
	c.requireProved()
}
