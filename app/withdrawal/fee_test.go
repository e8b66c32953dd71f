package withdrawal

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/money"
)

const (
	feeSeed  = 20_261_121
	feeCases = 1_000_000
)

// randomAmount is small, ordinary or as large as it gets, in 10^-6.
func randomAmount(r *rand.Rand) int64 {
	return 1 + r.Int64N([]int64{20, 1_000_000, 100_000 * money.Unit, math.MaxInt64 / (200 * money.Unit)}[r.IntN(4)])
}

// TestFeesNeverFavourTheTaker draws amounts, rates and sums, and compares the fee with the exact fraction: the fee is the smallest integer that is not less.
// The payee's part and the fee add up to the amount; two withdrawals never cost less than one of their sum; every posting sums to zero.
func TestFeesNeverFavourTheTaker(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(feeSeed, 0)) //nolint:gosec // a seed makes the run repeatable
	hundred := big.NewInt(100 * money.Unit)
	counts := map[string]int{}
	for range feeCases {
		amount, rate, sum := randomAmount(r), r.Int64N(5*money.Unit), r.Int64N(3)*r.Int64N(10*money.Unit)
		charged, err := fee(amount, rate, sum)
		require.NoError(t, err)
		exact := new(big.Int).Mul(big.NewInt(amount), big.NewInt(rate))
		share := new(big.Int).Mul(big.NewInt(charged-sum), hundred)
		if over := new(big.Int).Sub(share, exact); over.Sign() < 0 || over.Cmp(hundred) >= 0 {
			t.Fatalf("the fee of %d at %d is %d: a share of %s was due", amount, rate, charged-sum, exact)
		}
		if charged-sum > 0 && rate == 0 {
			t.Fatal("a rate of nothing costs nothing")
		}
		w := Withdrawal{Amount: amount, Fee: charged}
		if w.Net()+w.Fee != amount {
			t.Fatalf("%d and %d are not %d", w.Net(), w.Fee, amount)
		}
		part := 1 + r.Int64N(amount)
		first, err := fee(part, rate, sum)
		require.NoError(t, err)
		second, err := fee(amount-part, rate, sum)
		require.NoError(t, err)
		if first+second < charged {
			t.Fatalf("%d in two parts costs %d, at once %d", amount, first+second, charged)
		}
		if charged >= amount {
			counts["refused"]++ // ErrFee
			continue
		}
		counts["charged"]++
		account := ledger.Account{ID: 1_000, Book: ledger.Real, Cash: amount}
		for _, entries := range [][]ledger.Entry{account.DebitToPayouts(amount), account.Refund(amount), ledger.Real.Send(w.Net(), w.Fee), account.PayoutReturn(w.Net(), w.Fee)} {
			total := int64(0)
			for _, e := range entries {
				total += e.Amount
			}
			if total != 0 {
				t.Fatalf("%d of %d with a fee of %d is out of nothing", total, amount, charged)
			}
		}
		if back := account.Apply(account.DebitToPayouts(amount)).Apply(account.PayoutReturn(w.Net(), w.Fee)); back.Cash != amount {
			t.Fatalf("%d came back of %d", back.Cash, amount)
		}
	}
	require.Greater(t, counts["charged"], feeCases/2)
	require.Positive(t, counts["refused"])
	line, err := json.Marshal(map[string]any{"goal": "G16", "commit": os.Getenv("COMMIT"), "seed": feeSeed, "cases": feeCases, "charged": counts["charged"], "refused": counts["refused"], "favours": 0})
	require.NoError(t, err)
	fmt.Println(string(line))
}

// TestAThousandSmallWithdrawalsGainNothing withdraws a balance in a thousand minimum parts, at each rate: payouts and fees add up to the balance.
func TestAThousandSmallWithdrawalsGainNothing(t *testing.T) {
	t.Parallel()
	for _, rate := range []int64{1, 333_333, money.Unit / 7, money.Unit, 99_999_999} {
		balance, paid, kept := int64(1_000*7), int64(0), int64(0)
		for range 1_000 {
			charged, err := fee(7, rate, 0)
			require.NoError(t, err)
			require.Positive(t, charged, "no share is so small that it costs nothing")
			balance, paid, kept = balance-7, paid+7-charged, kept+charged
		}
		require.Zero(t, balance)
		require.EqualValues(t, 1_000*7, paid+kept)
		whole, err := fee(1_000*7, rate, 0)
		require.NoError(t, err)
		require.GreaterOrEqual(t, kept, whole)
	}
}
