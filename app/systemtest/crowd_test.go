package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/server"
	"candor/app/session"
)

const (
	officeTraders     = 40  // traders behind one address in an ordinary test run; CROWD sets another number
	attackers         = 130 // addresses of one attacker
	officeConcurrency = 8
	officeAddress     = "203.0.113.200"
)

// withSolution adds the solution of a fresh challenge to a request.
func (r *apiFixture) withSolution(t *testing.T) func(*http.Request) {
	t.Helper()
	_, answer, raw := r.call(t, http.MethodGet, "/client/common/getVerify", "", nil, from(officeAddress))
	data, ok := answer["data"].(map[string]any)
	require.True(t, ok, raw)
	challenge := session.Challenge{Text: data["challenge"].(string), Difficulty: int(data["difficulty"].(float64))}
	solution := challenge.Solve()
	return func(q *http.Request) { q.Header.Set("verify", solution) }
}

// mailedCode reads the code from the newest message to an address.
func (r *apiFixture) mailedCode(t *testing.T, outbox *mail.Outbox, to string) string {
	t.Helper()
	list, err := outbox.List(t.Context(), to, 1)
	require.NoError(t, err)
	require.Len(t, list, 1, to)
	return regexp.MustCompile(`\d{6}`).FindString(list[0].Body)
}

// TestACrowdBehindOneAddress lets the traders of an office register, log in, trade and browse, all at once from one address, without a refusal. Meanwhile an
// attacker guesses a password from many addresses and is throttled.
func TestACrowdBehindOneAddress(t *testing.T) {
	t.Parallel()
	r := newAPIFixtureWith(t, loopbackProxy)
	n := officeTraders
	if text := os.Getenv("CROWD"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool { _, err := r.platform.Market.Tradable(201); return err == nil }, 10*time.Second, 20*time.Millisecond)
	keys, err := server.OpenVault(t.Context(), r.platform.Config, r.platform.Database.DB)
	require.NoError(t, err)
	queue, err := jobs.New(r.platform.Database.Pool) // never started
	require.NoError(t, err)
	outbox := mail.New(mail.Config{DB: r.platform.Database.DB, Clock: r.platform.Clock, Queue: queue, Vault: keys, KeepUnsent: true})
	hash, err := cheapHash(raceLogin)
	require.NoError(t, err)
	_, err = r.platform.Database.Pool.Exec(t.Context(), `UPDATE traders SET password_hash = $1 WHERE email = 'bench0@example.com'`, hash)
	require.NoError(t, err)

	var group errgroup.Group
	group.Go(func() error { return r.guessFromManyAddresses(t, "bench0@example.com") })
	var next atomic.Int64
	for range officeConcurrency {
		group.Go(func() error {
			for i := int(next.Add(1)); i <= n; i = int(next.Add(1)) {
				if err := r.registerAndTrade(t, outbox, i); err != nil {
					return fmt.Errorf("trader %d: %w", i, err)
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	var compared int
	require.NoError(t, r.platform.Database.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'trader.refuse_login'`).Scan(&compared))
	require.Equal(t, 100, compared, "passwords of one account in a day, whatever the sources")
}

// registerAndTrade takes a trader from registration to the first order.
func (r *apiFixture) registerAndTrade(t *testing.T, outbox *mail.Outbox, i int) error {
	account, device := fmt.Sprintf("office%d@example.com", i), fmt.Sprintf("office-device-%08d", i)
	say := func(path, token string, body map[string]any, change func(*http.Request)) (map[string]any, error) {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		status, answer, text := r.call(t, http.MethodPost, path, token, raw, func(q *http.Request) {
			from(officeAddress)(q)
			if change != nil {
				change(q)
			}
		})
		if answer["code"] != "ok" {
			return nil, fmt.Errorf("%s: %d %s", path, status, text)
		}
		data, _ := answer["data"].(map[string]any)
		return data, nil
	}
	if _, err := say("/client/user/miningLogin", "", map[string]any{"deviceId": device, "language": "en"}, r.withSolution(t)); err != nil {
		return err
	}
	if _, err := say("/client/user/sendRegisterValidCode", "", map[string]any{"account": account}, r.withSolution(t)); err != nil {
		return err
	}
	_, err := say("/client/user/register", "", map[string]any{
		"account": account, "password": raceLogin, "validCode": r.mailedCode(t, outbox, account), "country": "CH", "language": "en", "deviceId": device, "accepted": true,
	}, nil)
	if err != nil {
		return err
	}
	opened, err := say("/client/user/login", "", map[string]any{"account": account, "password": raceLogin, "deviceId": device}, nil)
	if err != nil {
		return err
	}
	token, _ := opened["token"].(string)
	status, answer, raw := r.call(t, http.MethodGet, "/client/copy/switchUser?accountType=5", token, nil, from(officeAddress))
	if answer["code"] != "ok" {
		return fmt.Errorf("switchUser: %d %s", status, raw)
	}
	practice, _ := answer["data"].(map[string]any)
	token, _ = practice["token"].(string)
	_, err = say("/client/trade/insertOrder", token, map[string]any{"productId": 201, "side": "buy", "lots": "0.01", "leverage": 20}, withKey("office"))
	return err
}

// guessFromManyAddresses tries wrong passwords of one account, one from each address, then the right one.
func (r *apiFixture) guessFromManyAddresses(t *testing.T, account string) error {
	for i := range attackers + 1 {
		secret := fmt.Sprint("wrong horse ", i)
		if i == attackers {
			secret = raceLogin
		}
		body := fmt.Appendf(nil, `{"account":%q,"password":%q,"deviceId":"guess-device-00000001"}`, account, secret)
		_, answer, raw := r.call(t, http.MethodPost, "/client/user/login", "", body, from(fmt.Sprintf("198.51.%d.%d", i/200, i%200)))
		want := "login.wrong"
		if i >= 100 {
			want = "login.code_first"
		}
		if answer["code"] != want {
			return fmt.Errorf("guess %d: %s", i, raw)
		}
	}
	return nil
}
