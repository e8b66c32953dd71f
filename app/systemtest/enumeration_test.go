package systemtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/require"

	"candor/app/platform/ethereum/ethereumtest"
	"candor/app/switches"
)

// stranger is a call of a stranger that names an account which there is, or which there is not.
type stranger struct {
	name string // of the kind of account; empty is its contact
	path string
	body func(known bool, n int) string
}

const (
	knownAccounts  = 20
	plainStrangers = 6                    // calls of each kind in an ordinary test run; ENUMERATION sets another number, and then the times are judged too
	mostApart      = 5 * time.Millisecond // the medians
)

// strangers are the calls that must not tell whether there is an account. user/checkUserExist is not among them: it tells, behind a challenge and its limits.
func strangers(wallets []ethereumtest.Wallet) []stranger {
	called := func(name, path, body string) stranger {
		return stranger{name, path, func(known bool, n int) string {
			account := fmt.Sprintf("stranger%d@example.com", n%knownAccounts)
			if known {
				account = fmt.Sprintf("%s%d@example.com", cmp.Or(name, "known"), n%knownAccounts)
			}
			return fmt.Sprintf(body, account)
		}}
	}
	named := func(path, body string) stranger { return called("", path, body) }
	return []stranger{
		named("/client/user/login", `{"account":%q,"password":"wrong horse battery","deviceId":"enumerating-device-01"}`),
		named("/client/user/sendLoginValidCode", `{"account":%q,"password":"wrong horse battery"}`),
		named("/client/user/sendRegisterValidCode", `{"account":%q}`),
		named("/client/user/sendForgetPasswordValidCode", `{"account":%q}`),
		named("/client/api/forgetUserPassword", `{"account":%q,"password":"a wholly different sentence","validCode":"123456"}`),
		named("/client/user/register", `{"account":%q,"password":"correct horse battery","validCode":"123456","country":"CH","language":"en","deviceId":"enumerating-device-01","accepted":true}`),
		called("granted", "/client/user/sendForgetPasswordValidCode", `{"account":%q}`),
		called("granted", "/client/api/forgetUserPassword", `{"account":%q,"password":"a wholly different sentence","validCode":"123456"}`),
		{"", "/client/user/createWalletLogin", func(known bool, n int) string {
			wallet := wallets[n%knownAccounts]
			if !known {
				wallet = wallets[knownAccounts+n%knownAccounts]
			}
			return fmt.Sprintf(`{"address":%q,"chainId":1,"deviceId":"enumerating-device-01"}`, wallet.Address().String())
		}},
	}
}

// TestEnumeration compares what a stranger is told about accounts that there are and that there are not: the same bytes, after the same time.
func TestEnumeration(t *testing.T) {
	t.Parallel()
	calls, judged := plainStrangers, false
	if text := os.Getenv("ENUMERATION"); text != "" {
		var err error
		calls, err = strconv.Atoi(text)
		require.NoError(t, err)
		judged = true
	}
	w := newWalletLoginFixture(t)
	w.flip(t, w.deciders(t), switches.Web3LoginKey, "true")
	wallets := make([]ethereumtest.Wallet, 2*knownAccounts)
	for n := range wallets {
		wallets[n] = ethereumtest.New(t)
	}
	hash, err := argon2id.CreateHash("correct horse battery", &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}) // as the server's
	require.NoError(t, err)
	for n := range knownAccounts {
		_, err := w.platform.Database.Pool.Exec(t.Context(), `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at, wallet) VALUES ($1, $1, $2, 'CH', $1, now(), $3)`,
			fmt.Sprintf("known%d@example.com", n), hash, wallets[n].Address().Lower())
		require.NoError(t, err)
		_, err = w.platform.Database.Pool.Exec(t.Context(), `INSERT INTO granted_contacts (trader_id, contact, asked_at, expires_at) SELECT id, $2, now(), now() + interval '3 days' FROM traders WHERE email = $1`,
			fmt.Sprintf("known%d@example.com", n), fmt.Sprintf("granted%d@example.com", n))
		require.NoError(t, err)
	}
	for _, s := range strangers(wallets) {
		t.Run(s.name+s.path, func(t *testing.T) { w.compare(t, s, calls, judged) })
	}
}

// compare makes the calls in turn, so that whatever else the machine does meets both alike.
func (w walletLoginFixture) compare(t *testing.T, s stranger, calls int, judged bool) {
	t.Helper()
	took := map[bool][]time.Duration{}
	for n := range calls {
		answers := map[bool]string{}
		for _, known := range []bool{n%2 == 0, n%2 != 0} {
			_, err := w.platform.Database.Pool.Exec(t.Context(), `DELETE FROM throttles; DELETE FROM codes; DELETE FROM code_requests`)
			require.NoError(t, err)
			solve, body := w.withSolution(t), []byte(s.body(known, n))
			begun := time.Now()
			status, _, raw := w.call(t, http.MethodPost, s.path, "", body, func(q *http.Request) {
				solve(q)
				q.Header.Set("traceId", "trace-00000001")
			})
			took[known] = append(took[known], time.Since(begun))
			answers[known] = fmt.Sprint(status, " ", differing.ReplaceAllString(raw, "*"))
		}
		require.NotContains(t, answers[true], "invalid_input", "the call is well formed")
		require.Equal(t, answers[false], answers[true], "call %d", n)
	}
	there, none := median(took[true]), median(took[false])
	line, err := json.Marshal(map[string]any{
		"goal": "enumeration", "call": s.name + s.path, "calls": calls, "thereMs": float64(there.Microseconds()) / 1000, "noneMs": float64(none.Microseconds()) / 1000,
	})
	require.NoError(t, err)
	fmt.Println(string(line))
	if judged {
		require.Less(t, max(there-none, none-there), mostApart, "%s against %s", there, none)
	}
}

// differing is what an answer has of its own: a wallet's address, an id, a time.
var differing = regexp.MustCompile(`0x[0-9a-fA-F]{40}|[0-9a-f]{32}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z`)

func median(list []time.Duration) time.Duration {
	sorted := slices.SortedFunc(slices.Values(list), cmp.Compare[time.Duration])
	return sorted[len(sorted)/2]
}
