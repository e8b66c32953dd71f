package systemtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/payee"
	"candor/app/payee/payeetest"
	"candor/app/platform/clock"
	"candor/app/server"
	"candor/app/session"
	"candor/app/trader"
)

const (
	plainGuesses = 200 // of each kind in an ordinary test run; GUESSES sets another number
	forgers      = 50  // forged source addresses
)

// forged sets a false source address in every header that a server might trust.
func forged(n int) func(*http.Request) {
	address := fmt.Sprintf("198.51.100.%d", n%forgers)
	return func(q *http.Request) {
		for _, header := range []string{"X-Forwarded-For", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP", "X-Client-IP", "Fly-Client-IP"} {
			q.Header.Set(header, address)
		}
		q.Header.Set("Forwarded", "for="+address)
		q.Header.Set("Idempotency-Key", fmt.Sprint("guess", n))
	}
}

// guesser is a trader whose secrets are guessed by an attacker with their session.
type guesser struct {
	*apiFixture
	customer
	traderID int64
	contact  string
	guesses  int
}

func newGuesser(t *testing.T) *guesser {
	t.Helper()
	return newGuesserWith(t, func(*server.Config) {})
}

// newGuesserWith is newGuesser with a changed configuration.
func newGuesserWith(t *testing.T, configure func(*server.Config)) *guesser {
	t.Helper()
	g := &guesser{apiFixture: newAPIFixtureWith(t, configure), guesses: plainGuesses}
	if text := os.Getenv("GUESSES"); text != "" {
		var err error
		g.guesses, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	g.customer = g.apiFixture.customer(t)
	d := g.platform.Database
	p, err := session.New(d.DB, clock.Real{}, nil).Check(t.Context(), g.real, session.Device{})
	require.NoError(t, err)
	g.traderID = p.TraderID
	g.enableWithdrawals(t, g.traderID)
	login, err := cheapHash(raceLogin)
	require.NoError(t, err)
	require.NoError(t, d.Pool.QueryRow(t.Context(), `UPDATE traders SET level = 1, password_hash = $2 WHERE id = $1 RETURNING email`, g.traderID, login).Scan(&g.contact))
	hash, err := cheapHash(paymentPassword)
	require.NoError(t, err)
	_, err = d.Pool.Exec(t.Context(), `INSERT INTO payment_passwords (trader_id, hash, changed_at) VALUES ($1, $2, now())`, g.traderID, hash)
	require.NoError(t, err)
	return g
}

// sendConcurrently sends n requests, four at a time, and counts the codes of the answers.
func (g *guesser) sendConcurrently(t *testing.T, n int, send func(n int) (code any, raw string)) map[string]int {
	t.Helper()
	var group errgroup.Group
	var next atomic.Int64
	codes := make([]string, n)
	for range 4 {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				code, raw := send(i)
				text, ok := code.(string)
				if !ok {
					return fmt.Errorf("guess %d: %s", i, raw)
				}
				codes[i] = text
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	counts := map[string]int{}
	for _, code := range codes {
		counts[code]++
	}
	return counts
}

// TestGuess guesses codes, payment passwords and login passwords by every available means, and counts the comparisons.
func TestGuess(t *testing.T) {
	t.Parallel()
	g := newGuesser(t)
	report := map[string]any{"goal": "G10", "commit": os.Getenv("COMMIT"), "guesses": g.guesses, "forgedSources": forgers}
	t.Run("ACode", func(t *testing.T) { g.guessCodes(t, report) })
	t.Run("TenCodesADay", func(t *testing.T) { g.requestCodes(t, report) })
	t.Run("ThePaymentPasswordOnEveryCall", func(t *testing.T) { g.guessPaymentPasswords(t, report) })
	t.Run("ALogIn", func(t *testing.T) { g.guessLogIns(t, report) })
	t.Run("WhoIsThereIsNotTold", func(t *testing.T) { g.enumerate(t) })
	if t.Failed() {
		return
	}
	line, err := json.Marshal(report)
	require.NoError(t, err)
	fmt.Println(string(line))
}

// requestWithdrawal requests a withdrawal with a proof.
func (g *guesser) requestWithdrawal(t *testing.T, n int, password, code string) (answer any, raw string) {
	body := fmt.Sprintf(`{"walletId":%d,"amount":"20","payPassword":%q,"validCode":%q}`, g.wallet, password, code)
	_, all, raw := g.call(t, http.MethodPost, "/client/withdraw/insertBankWithdraw", g.real, []byte(body), forged(n))
	return all["code"], raw
}

func (g *guesser) guessCodes(t *testing.T, report map[string]any) {
	right := g.proof(t, g.traderID, trader.Withdraw, "payeeId", g.wallet, "amount", "20")["validCode"].(string)
	cheapAgain, err := cheapHash(paymentPassword)
	require.NoError(t, err)
	_, err = g.platform.Database.Pool.Exec(t.Context(), `UPDATE payment_passwords SET hash = $2 WHERE trader_id = $1`, g.traderID, cheapAgain)
	require.NoError(t, err)
	number, err := strconv.Atoi(right)
	require.NoError(t, err)
	for _, n := range []int{1, 2, 3} { // one after another: at once, the first few could hit the payment password's counter
		code, raw := g.requestWithdrawal(t, -n, paymentPassword, fmt.Sprintf("%06d", (number+n)%1_000_000))
		require.Equal(t, "code.wrong", code, raw)
	}
	counts := g.sendConcurrently(t, g.guesses, func(n int) (any, string) {
		return g.requestWithdrawal(t, n, paymentPassword, fmt.Sprintf("%06d", (number+4+n)%1_000_000))
	})
	require.Empty(t, without(counts, "code.wrong", "payment_password.locked", "busy"))
	compared := g.number(t, `SELECT tries FROM codes WHERE address = $1 AND purpose = 'money_out' AND used_at IS NULL`, g.contact)
	require.LessOrEqual(t, compared, int64(5))
	_, err = g.platform.Database.Pool.Exec(t.Context(), `UPDATE payment_passwords SET failures = 0, locked_until = NULL WHERE trader_id = $1`, g.traderID)
	require.NoError(t, err)
	code, raw := g.requestWithdrawal(t, g.guesses+1, paymentPassword, right)
	require.Equal(t, "code.wrong", code, "after five wrong tries the right one is none: %s", raw)
	require.Zero(t, g.number(t, `SELECT count(*) FROM withdrawals`))
	report["comparedOfACode"] = compared
}

// without returns the counts except the named ones.
func without(counts map[string]int, names ...string) map[string]int {
	counts = maps.Clone(counts)
	for _, name := range names {
		delete(counts, name)
	}
	return counts
}

// requestCodes requests codes once per simulated minute, for every purpose that a session allows.
func (g *guesser) requestCodes(t *testing.T, report map[string]any) {
	d := g.platform.Database
	_, err := d.Pool.Exec(t.Context(), `DELETE FROM codes`)
	require.NoError(t, err)
	sent := 0
	for n := range 120 {
		_, err := d.Pool.Exec(t.Context(), `UPDATE codes SET created_at = created_at - interval '61 seconds'`)
		require.NoError(t, err)
		path := []string{"/client/user/sendMoneyOutValidCode", "/client/user/sendPaymentPasswordValidCode"}[n%2]
		body := [][]byte{[]byte(`{"act":"only_saved"}`), nil}[n%2]
		_, answer, raw := g.call(t, http.MethodPost, path, g.real, body, forged(n))
		if answer["code"] == "ok" {
			sent++
			continue
		}
		require.Equal(t, "code.too_many", answer["code"], raw)
	}
	require.Equal(t, 20, sent, "ten of each purpose")
	require.EqualValues(t, 10, g.number(t, `SELECT max(n) FROM (SELECT count(*) n FROM codes WHERE address = $1 GROUP BY purpose) counted`, g.contact))
	sent = 10
	report["codesADay"] = sent
	report["chanceADay"] = float64(sent*5) / 1e6
}

// moneyOutCall is a call that requires the payment password.
type moneyOutCall struct {
	method, path, field string
	body                map[string]any
}

// moneyOutCalls lists all of them with bodies that are valid except for the proof. The test fails when a call of the contract is missing.
func (g *guesser) moneyOutCalls(t *testing.T) (list []moneyOutCall) {
	t.Helper()
	ids := map[string]any{"walletId": g.wallet, "addressId": g.address}
	for _, o := range g.operations() {
		if o.path == "/client/withdraw/insertDaifuWithdraw" {
			continue // while no agent pays, it is refused before the proof is checked
		}
		header := slices.ContainsFunc(o.spec.Parameters, func(p *openapi3.ParameterRef) bool { return p.Value.Name == "Pay-Password" })
		switch schema := o.jsonBody(); {
		case header:
			list = append(list, moneyOutCall{o.method, o.path + fmt.Sprint("?walletId=", g.wallet), "", nil})
		case schema == nil:
		case schema.Properties["payPassword"] != nil || o.path == "/client/user/updatePayPassword":
			name := o.spec.RequestBody.Value.Content.Get("application/json").Schema.Ref
			body := maps.Clone(validBodies[name[strings.LastIndex(name, "/")+1:]])
			for id, value := range ids {
				if _, named := body[id]; named {
					body[id] = value
				}
			}
			if body["iban"] != nil {
				body["iban"] = "NL91ABNA0417164300"
			}
			if body["coin"] != nil {
				body["coin"], body["chain"], body["address"] = "USDT", "tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
			}
			field := "payPassword"
			if schema.Properties[field] == nil {
				field = "oldPassword"
			}
			list = append(list, moneyOutCall{o.method, o.path, field, body})
		}
	}
	return list
}

// try makes a call with a payment password given as JSON, or without one.
func (g *guesser) try(t *testing.T, n int, c moneyOutCall, password string) (code any, raw string) {
	t.Helper()
	var body []byte
	change := forged(n)
	if c.field == "" {
		change = func(q *http.Request) {
			forged(n)(q)
			q.Header.Set("Valid-Code", "123456")
			if text := ""; json.Unmarshal([]byte(password), &text) == nil {
				q.Header.Set("Pay-Password", text)
			}
		}
	} else {
		parts := maps.Clone(c.body)
		delete(parts, c.field)
		if password != "" {
			parts[c.field] = json.RawMessage(password)
		}
		var err error
		body, err = json.Marshal(parts)
		require.NoError(t, err)
	}
	status, answer, raw := g.call(t, c.method, c.path, g.real, body, change)
	require.Less(t, status, 500, "%s: %s", c.path, raw)
	require.EqualValues(t, 0, answer["status"], "%s: %s", c.path, raw)
	return answer["code"], raw
}

func (g *guesser) guessPaymentPasswords(t *testing.T, report map[string]any) {
	calls := g.moneyOutCalls(t)
	require.Len(t, calls, 11)
	_, err := g.platform.Database.Pool.Exec(t.Context(), `UPDATE payment_passwords SET failures = 0, locked_until = NULL WHERE trader_id = $1`, g.traderID)
	require.NoError(t, err)
	for _, c := range calls { // only removed payees can be restored
		switch {
		case strings.HasSuffix(c.path, "/restoreUserAddress"):
			c.body["addressId"] = g.number(t, `
				INSERT INTO payees (trader_id, kind, coin, chain, address, label, created_at, usable_from, removed_at)
				VALUES ($1, 'address', 'USDT', 'ethereum', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', 'Gone', now() - interval '2 days', now() - interval '1 day', now() - interval '1 hour')
				RETURNING id`, g.traderID)
		case strings.HasSuffix(c.path, "/restoreUserWallet"):
			gone := time.Now().Add(-time.Hour)
			c.body["walletId"], err = payeetest.Bank(t.Context(), g.platform.Database.DB, g.vault(t), payee.Payee{
				TraderID: g.traderID, Label: "Gone", Bank: "Sparkasse", IBAN: "GB82WEST12345698765432", BIC: "WESTGB22XXX", CreatedAt: gone.AddDate(0, 0, -2), UsableFrom: gone.AddDate(0, 0, -1), RemovedAt: &gone,
			}, accountHolder)
			require.NoError(t, err)
		}
	}
	before := g.realRows(t)
	failures := func() int64 {
		return g.number(t, `SELECT failures FROM payment_passwords WHERE trader_id = $1`, g.traderID)
	}
	n := 1_000_000
	next := func() int { n++; return n }
	for _, c := range calls {
		_, err := g.platform.Database.Pool.Exec(t.Context(), `UPDATE payment_passwords SET failures = 0, locked_until = NULL WHERE trader_id = $1`, g.traderID)
		require.NoError(t, err)
		for _, nothing := range []string{``, `null`, `""`, `[]`, `["482915"]`, `{"$ne":""}`, `482915`, `true`} {
			code, raw := g.try(t, next(), c, nothing)
			require.Contains(t, []any{"invalid_input", "payment_password.missing"}, code, "%s with %s: %s", c.path, nothing, raw)
			require.Zero(t, failures(), "%s with %s", c.path, nothing)
		}
		for tried, wrong := range []string{`"000000"`, `"482916"`, `"48291"`, strconv.Quote(strings.Repeat("4", 5_000))} {
			code, raw := g.try(t, next(), c, wrong)
			require.Equal(t, "payment_password.wrong", code, "%s: %s", c.path, raw)
			require.EqualValues(t, tried+1, failures())
		}
		for _, late := range []string{`"111111"`, `"222222"`, strconv.Quote(paymentPassword)} {
			code, raw := g.try(t, next(), c, late)
			require.Equal(t, "payment_password.locked", code, "%s: the fifth locks, and then the right one is none: %s", c.path, raw)
		}
		for _, other := range calls {
			code, raw := g.try(t, next(), other, strconv.Quote(paymentPassword))
			require.Equal(t, "payment_password.locked", code, "%s is locked by %s: %s", other.path, c.path, raw)
		}
		require.EqualValues(t, 5, failures())
	}
	counts := g.sendConcurrently(t, g.guesses, func(i int) (any, string) {
		return g.requestWithdrawal(t, keyOffset+i, fmt.Sprintf("%06d", i), "123456")
	})
	require.Equal(t, map[string]int{"payment_password.locked": g.guesses}, counts, "none of them is compared")
	report["moneyOutCalls"], report["comparedOfAPaymentPassword"] = len(calls), failures()
	_, err = g.platform.Database.Pool.Exec(t.Context(), `UPDATE payment_passwords SET failures = 0, locked_until = NULL WHERE trader_id = $1`, g.traderID)
	require.NoError(t, err)
	require.Equal(t, before, g.realRows(t), "nothing else has changed")
}

// keyOffset separates the idempotency keys of two kinds of guesses.
const keyOffset = 5_000_000

func (g *guesser) guessLogIns(t *testing.T, report map[string]any) {
	body := func(password string) []byte {
		return fmt.Appendf(nil, `{"account":%q,"password":%q,"deviceId":"guess-device-00000001"}`, g.contact, password)
	}
	counts := g.sendConcurrently(t, g.guesses, func(n int) (any, string) {
		_, answer, raw := g.call(t, http.MethodPost, "/client/user/login", "", body(fmt.Sprint("wrong horse ", n)), forged(n))
		return answer["code"], raw
	})
	require.Empty(t, without(counts, "login.wrong", "login.too_many", "busy"), "%v", counts)
	compared := g.number(t, `SELECT coalesce(sum(count), 0) FROM throttles WHERE name = 'password' AND subject LIKE $1 || '|%'`, g.contact)
	require.LessOrEqual(t, compared, int64(5), "no forged source counts as one of its own")
	require.LessOrEqual(t, counts["login.wrong"], 5)
	status, answer, raw := g.call(t, http.MethodGet, "/client/user/findUserInfo", g.real, nil, nil)
	require.Equal(t, http.StatusOK, status, raw)
	require.Equal(t, "ok", answer["code"], "whoever is logged in stays so: %s", raw)
	report["comparedOfAPasswordAtOnce"] = compared

	// One source guesses every ten seconds for a day.
	fixed := clock.NewFixed(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	sessions, tried := session.New(g.platform.Database.DB, fixed, nil), 0
	for range 24 * 360 {
		if sessions.Guess(t.Context(), session.Attempt{Account: "day-long@example.com", IP: "192.0.2.77"}) == nil {
			tried++
		}
		fixed.Advance(10 * time.Second)
	}
	require.LessOrEqual(t, tried, 110)
	report["comparedOfAPasswordADay"] = tried
}

// enumerate checks that answers about existing and unknown accounts are the same, byte for byte.
func (g *guesser) enumerate(t *testing.T) {
	_, err := g.platform.Database.Pool.Exec(t.Context(), `DELETE FROM throttles; DELETE FROM codes`)
	require.NoError(t, err)
	for path, body := range map[string]string{
		"/client/user/login":                 `{"account":%q,"password":"wrong horse battery","deviceId":"guess-device-00000001"}`,
		"/client/user/sendLoginValidCode":    `{"account":%q,"password":"wrong horse battery"}`,
		"/client/user/sendRegisterValidCode": `{"account":%q}`, "/client/user/sendForgetPasswordValidCode": `{"account":%q}`,
	} {
		ask := func(account string) (int, string) {
			status, _, raw := g.call(t, http.MethodPost, path, "", fmt.Appendf(nil, body, account), g.withSolution(t))
			return status, raw
		}
		thereStatus, there := ask(g.contact)
		noneStatus, none := ask("nobody-" + g.contact)
		require.Equal(t, noneStatus, thereStatus, path)
		require.Equal(t, none, there, path)
	}
}
