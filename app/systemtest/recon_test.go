package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/clock"
	"candor/app/reconciliation"
	"candor/app/trader"
)

// reportWithin is the maximum time in which an error in the books must be found and must halt withdrawals.
const reportWithin = 2 * time.Minute

// TestRecon adds one unit to an account past every trigger: the next reconciliation, due within a minute, finds it, and a withdrawal with a valid proof is
// refused. It prints a line of results.
func TestRecon(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	c := r.customer(t)
	d := r.platform.Database
	traderID := r.number(t, `SELECT trader_id FROM accounts WHERE id = $1`, c.accountID)
	r.enableWithdrawals(t, traderID)
	books := reconciliation.New(d.DB, clock.Real{})
	before, err := books.Run(t.Context())
	require.NoError(t, err)
	require.Nil(t, before.Wrong, "the books are right at first")
	withdraw := func(key string) map[string]any {
		body := r.proof(t, traderID, trader.Withdraw, "payeeId", c.wallet, "amount", "20")
		body["walletId"], body["amount"] = c.wallet, "20"
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		_, answer, _ := r.call(t, http.MethodPost, "/client/withdraw/insertBankWithdraw", r.real, raw, withKey(key))
		return answer
	}
	require.Equal(t, "ok", withdraw("before")["code"], "money goes out")

	r.test.Tamper(t, fmt.Sprintf(`UPDATE accounts SET cash = cash + 1 WHERE id = %d`, c.accountID))
	planted := time.Now()
	found, err := books.Run(t.Context())
	require.NoError(t, err)
	require.NotNil(t, found.Wrong)
	require.Equal(t, "accounts", found.Wrong.Table)
	require.Contains(t, found.Wrong.Row, fmt.Sprint(c.accountID))
	require.Equal(t, "money_out.stopped", withdraw("after")["code"])
	proof := time.Since(planted)
	require.LessOrEqual(t, reconciliation.Every+proof, reportWithin, "the longest wait for a run, and the run")

	line, err := json.Marshal(map[string]any{
		"goal": "G25", "commit": os.Getenv("COMMIT"), "plantedUnits": 1, "found": found.Wrong.Table + " " + found.Wrong.Row + " " + found.Wrong.What, "postings": before.Proved,
		"proofMs": found.Took.Milliseconds(), "reportedWithinSeconds": (reconciliation.Every + proof).Seconds(), "limitSeconds": reportWithin.Seconds(), "moneyOut": "refused",
	})
	require.NoError(t, err)
	fmt.Println(string(line))
}
