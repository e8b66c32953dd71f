package systemtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"candor/app/bench"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/server"
	"candor/app/session"
	"candor/app/trader"
)

// apiFixture is the whole platform in this process, with its own database and two traders on mock accounts; the first also has a session on the real account.
// The functions in before run before the platform starts.
type apiFixture struct {
	url        string
	token      string // on the mock account
	real       string
	other      string // of the second trader
	otherOwner ledger.Owner
	platform   *server.Platform
	contract   *openapi3.T
	test       *dbtest.DB
}

func newAPIFixture(t *testing.T, before ...func(*server.Platform)) *apiFixture {
	t.Helper()
	return newAPIFixtureWith(t, func(*server.Config) {}, before...)
}

// newAPIFixtureWith is newAPIFixture with a changed configuration.
func newAPIFixtureWith(t *testing.T, configure func(*server.Config), before ...func(*server.Platform)) *apiFixture {
	t.Helper()
	ctx := context.Background()
	test := dbtest.New(t)
	d, err := db.Open(ctx, test.URL)
	require.NoError(t, err)
	config := server.Config{DataDir: t.TempDir(), Mode: server.Development, Feed: "simulated", FeedSpeed: 1, NewsignKey: "candor-web"}
	configure(&config)
	database := &server.Database{DB: d}
	require.NoError(t, server.Seed(ctx, config, database))
	p, err := server.Build(ctx, config, database)
	require.NoError(t, err)
	for _, prepare := range before {
		prepare(p)
	}
	work, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	p.Start(work, &group)
	p.Running.Store(true)
	listening := httptest.NewUnstartedServer(nil)
	listening.Config = server.NewServer(p.Handler, nil)
	listening.Start()
	t.Cleanup(func() {
		listening.Close()
		p.StopSockets()
		_ = p.Jobs.Stop(ctx)
		cancel()
		group.Wait()
		p.Bus.Close()
		d.Close()
	})
	owners, tokens, err := bench.FundedTraders(ctx, d, 2)
	require.NoError(t, err)
	contract, err := openapi3.NewLoader().LoadFromFile("../api/openapi.yaml")
	require.NoError(t, err)
	return &apiFixture{
		url: listening.URL, token: tokens[0], real: realSession(t, d, owners[0].TraderID), other: tokens[1], otherOwner: owners[1], platform: p, contract: contract, test: test,
	}
}

// realSession opens a session on the trader's real account.
func realSession(t *testing.T, d *db.DB, traderID int64) (token string) {
	t.Helper()
	require.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) error {
		account, err := ledger.OpenTx(t.Context(), tx, traderID, ledger.Real, trader.Ordinary, time.Now())
		if err != nil {
			return err
		}
		token, err = session.New(d, clock.Real{}, nil).OpenTx(t.Context(), tx, traderID, account.ID, session.Device{Fingerprint: "door-device-00000001", IP: "127.0.0.1"})
		return err
	}))
	return token
}

// requireBrowser requires that every audit entry of an action names the browser.
func (r *apiFixture) requireBrowser(t *testing.T, act string) {
	t.Helper()
	var agents []string
	require.NoError(t, r.platform.Database.Pool.QueryRow(t.Context(), `SELECT coalesce(array_agg(DISTINCT agent), '{}') FROM audit_entries WHERE action = $1`, act).Scan(&agents))
	require.Equal(t, []string{"Go-http-client/1.1"}, agents)
}

// sessionFor is a session that may make the call: calls about real money refuse mock accounts.
func (r *apiFixture) sessionFor(path string) string {
	if path, _, _ = strings.Cut(path, "?"); mockAccess[path] == realOnly {
		return r.real
	}
	return r.token
}

type apiResponse struct {
	status int
	header http.Header
	body   string
}

// send sends a signed request with the required headers; change may modify it.
func (r *apiFixture) send(t *testing.T, method, path, token string, body []byte, change func(*http.Request)) apiResponse {
	t.Helper()
	request, err := http.NewRequest(method, r.url+path, bytes.NewReader(body))
	require.NoError(t, err)
	sign(request)
	request.Header.Set("language", "en")
	request.Header.Set("traceId", "trace-0000-0001")
	if token != "" {
		request.Header.Set("apptoken", token)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(request)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return apiResponse{response.StatusCode, response.Header, string(text)}
}

// call sends a request whose answer is JSON.
func (r *apiFixture) call(t *testing.T, method, path, token string, body []byte, change func(*http.Request)) (status int, answer map[string]any, raw string) {
	t.Helper()
	response := r.send(t, method, path, token, body, change)
	_ = json.Unmarshal([]byte(response.body), &answer)
	return response.status, answer, response.body
}

// operation is one call of the contract.
type operation struct {
	method, path string
	spec         *openapi3.Operation
}

func (o operation) guest() bool { return o.spec.Security != nil && len(*o.spec.Security) == 0 }

// file reports whether the answer is a CSV file or a picture; those have their own tests.
func (o operation) file() bool {
	content := o.spec.Responses.Status(http.StatusOK).Value.Content
	return content["text/csv"] != nil || content["image/jpeg"] != nil || content["application/zip"] != nil
}

func (o operation) jsonBody() *openapi3.Schema {
	if o.spec.RequestBody == nil {
		return nil
	}
	media := o.spec.RequestBody.Value.Content.Get("application/json")
	if media == nil {
		return nil
	}
	return media.Schema.Value
}

func (r *apiFixture) operations() (out []operation) {
	for path, item := range r.contract.Paths.Map() {
		for method, spec := range item.Operations() {
			out = append(out, operation{method, path, spec})
		}
	}
	slices.SortFunc(out, func(a, b operation) int { return strings.Compare(a.path, b.path) })
	return out
}

// queries are valid values of required query parameters.
var queries = map[string]string{
	"/client/api/findConfigByKey": "?key=demo.enabled", "/client/globalLanguage/findGlobalInfoByType": "?type=language", "/client/api/fp24hp": "?productNolist=1,201",
	"/client/api/findKline": "?productId=201&period=1m", "/client/drawing/findDrawingList": "?productId=201",
	"/client/trade/findPerformance": "?startTime=0&endTime=86400000&zone=Europe/Berlin", "/client/wallet/findStatement": "?startTime=0&endTime=86400000", "/client/api/findTimeTrade": "?productId=1", "/client/copy/switchUser": "?accountType=5", "/client/trade/findReceipt": "?fillId=1", "/client/recharge/findRecharge": "?rechargeId=50001", "/client/trade/findChargeReceipt": "?chargeId=1",
	"/client/proof/findHeadPage": "?chain=fills", "/client/proof/findQuoteList": "?productId=1&seq=1", "/client/userWallet/selectUserWallet": "?walletId=1", "/client/userWallet/deleteUserWallet": "?walletId=1",
	"/client/userAuth/findImage": "?side=front", "/client/recharge/getDepositAddress": "?channelId=111", "/client/wallet/findNewWalletExchange": "?from=USD&to=USDT&amount=12.5",
	"/client/content/findPage": "?key=terms", "/client/siteMail/findSiteMailDetail": "?id=9001", "/client/currencyNews/findCurrencyNewsDetail": "?id=9002",
	"/client/wallet/findExchange": "?exchangeId=70001", "/client/wallet/findTransfer": "?transferId=90001",
}

// endsSession are the calls that end the session: they run last, or are skipped.
var endsSession = map[string]bool{"/client/user/logout": true, "/client/copy/switchUser": true}

// getsWithEffects are the GET calls with side effects; they have their own tests.
var getsWithEffects = map[string]bool{"/client/userWallet/selectUserWallet": true, "/client/userWallet/deleteUserWallet": true, "/client/recharge/getDepositAddress": true}

func TestEveryAnswerFitsTheContract(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	require.Eventually(t, func() bool { _, err := r.platform.Market.Tradable(201); return err == nil }, 10*time.Second, 20*time.Millisecond)
	order := []byte(`{"productId":201,"side":"buy","lots":"0.01","leverage":20}`)
	status, answer, raw := r.call(t, http.MethodPost, "/client/trade/insertOrder", r.token, order, withKey("contract"))
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "ok", answer["code"], raw)
	deposit := []byte(`{"channelId":1,"amount":"100"}`)
	_, answer, raw = r.call(t, http.MethodPost, "/client/recharge/insertBankRecharge", r.sessionFor("/client/recharge/insertBankRecharge"), deposit, withKey("contract"))
	require.Equal(t, "ok", answer["code"], raw)
	_, err := r.platform.Database.Pool.Exec(t.Context(), `
		INSERT INTO charges (kind, position_id, account_id, product_id, terms, day, nights, side, lots, rate, amount, created_at, at_ms)
		SELECT 'swap', position_id, account_id, product_id, terms, '2026-11-24', 1, side, lots, -1, 0, now(), at_ms + 1 FROM fills LIMIT 1`)
	require.NoError(t, err)
	r.transferAndExchange(t)
	r.publishContent(t)
	for _, o := range r.operations() {
		if o.method != http.MethodGet || endsSession[o.path] || getsWithEffects[o.path] || o.file() {
			continue
		}
		status, answer, raw := r.call(t, o.method, o.path+queries[o.path], r.sessionFor(o.path), nil, nil)
		require.Equal(t, http.StatusOK, status, "%s: %s", o.path, raw)
		require.EqualValues(t, 1, answer["status"], "%s: %s", o.path, raw)
		require.Equal(t, "trace-0000-0001", answer["traceId"])
		schema := o.spec.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Schema.Value
		require.NoError(t, schema.VisitJSON(answer, openapi3.MultiErrors()), "%s: %s", o.path, raw)
	}
}

func withKey(key string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Idempotency-Key", key) }
}

func TestWhoMayCall(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	for _, o := range r.operations() {
		body := []byte(nil)
		if o.method == http.MethodPost {
			body = []byte(`{}`)
		}
		status, answer, raw := r.call(t, o.method, o.path+queries[o.path], "", body, nil)
		if o.guest() {
			require.NotEqual(t, http.StatusUnauthorized, status, "%s is open to guests: %s", o.path, raw)
			continue
		}
		require.Equal(t, http.StatusUnauthorized, status, "%s needs a session: %s", o.path, raw)
		require.Equal(t, "token_invalid", answer["code"])
		status, _, _ = r.call(t, o.method, o.path+queries[o.path], strings.Repeat("x", 43), body, nil)
		require.Equal(t, http.StatusUnauthorized, status, "%s takes no made-up token", o.path)
		status, _, _ = r.call(t, o.method, o.path+queries[o.path], "", body, func(q *http.Request) {
			q.AddCookie(&http.Cookie{Name: "apptoken", Value: r.token})
			q.URL.RawQuery += "&apptoken=" + r.token
		})
		require.Equal(t, http.StatusUnauthorized, status, "%s takes no token from a cookie or the address", o.path)
	}
}

func TestSignature(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	const path = "/client/common/platformRunningStatus"
	for name, spoil := range map[string]func(*http.Request){
		"Missing":      func(q *http.Request) { q.Header.Del("newsign") },
		"Wrong":        func(q *http.Request) { q.Header.Set("newsign", "0123456789") },
		"OtherTime":    func(q *http.Request) { q.Header.Set("localtimes", "1") },
		"NoNumber":     func(q *http.Request) { q.Header.Set("localtimes", "now") },
		"TooOld":       signedAt(time.Now().Add(-3 * time.Minute)),
		"FromTomorrow": signedAt(time.Now().Add(2 * time.Minute)),
	} {
		status, answer, raw := r.call(t, http.MethodGet, path, "", nil, spoil)
		require.Equal(t, http.StatusForbidden, status, name)
		require.Equal(t, "newsign", answer["code"], name)
		require.InDelta(t, time.Now().UnixMilli(), answer["serverTime"], 10_000, raw)
	}
	status, answer, _ := r.call(t, http.MethodGet, path, "", nil, signedAt(time.Now().Add(-100*time.Second)))
	require.Equal(t, http.StatusOK, status)
	require.EqualValues(t, 1, answer["data"])
}

func signedAt(at time.Time) func(*http.Request) {
	return func(q *http.Request) {
		ms := fmt.Sprint(at.UnixMilli())
		q.Header.Set("localtimes", ms)
		q.Header.Set("newsign", apiSign(ms))
	}
}

// validBodies are valid bodies by schema; the state of the platform may still refuse them.
var validBodies = map[string]map[string]any{
	"AcceptBonus":          {"campaignId": 90001, "terms": 1},
	"Drawings":             {"productId": 201, "drawings": []any{map[string]any{"id": "0123456789abcdef0123456789abcdef", "tool": "priceLine", "anchors": []any{map[string]any{"time": 1, "price": "1.5"}}, "style": map[string]any{"width": 2}, "note": "", "locked": false, "hidden": false, "deleted": false, "changedAt": 1}}},
	"DeclineBonus":         {"bonusId": 7001, "state": "offered"},
	"AppealConductFlag":    {"flagId": 1, "text": "That was not me in the chat"},
	"OpenAccount":          {"mock": true, "name": "Scalping", "leverageCeiling": 50, "netting": false},
	"RenameAccount":        {"accountId": 1000, "name": "Swing"},
	"SetAccountLeverage":   {"accountId": 1000, "leverageCeiling": 20},
	"UpdatePersonalInfo":   {"nickname": "Ada", "marketing": true},
	"UpdateUserMsgSetting": {"category": "orders", "inApp": true, "mail": true},
	"SendCode":             {"account": "new@example.com"},
	"Preferences":          {"fields": []any{map[string]any{"name": "theme", "value": "dark", "changedAt": 1_790_000_000_000}}},
	"Register":             {"account": "new@example.com", "password": "correct horse battery", "validCode": "123456", "country": "CH", "language": "en", "deviceId": "device-0000-0000-0001", "accepted": true},
	"ForgetUserPassword":   {"account": "new@example.com", "password": "correct horse battery", "validCode": "123456"},
	"SendLoginCode":        {"account": "new@example.com", "password": "correct horse battery"},
	"Login":                {"account": "new@example.com", "password": "correct horse battery", "deviceId": "device-0000-0000-0001"},
	"MiningLogin":          {"deviceId": "device-0000-0000-0001", "language": "en", "initAmount": "10000"},
	"UpdatePayPassword":    {"oldPassword": "482915", "newPassword": "739104", "validCode": "123456"},
	"ResetPayPassword":     {"password": "correct horse battery", "newPassword": "739104", "validCode": "123456"},
	"LoginByCode":          {"code": strings.Repeat("a", 43), "deviceId": "device-0000-0000-0001"},
	"Favourites":           {"productIds": []int{1}},
	"MoneyQuery":           {"accountType": "contract", "currencyType": "USDT"},
	"BankRecharge":         {"channelId": 1, "amount": "100"},
	"ProviderRecharge":     {"channelId": 101, "amount": "100"},
	"RechargePaid":         {"rechargeId": 1},
	"RechargeAppeal":       {"rechargeId": 1, "appeal": "I paid"},
	"StandardRecharge":     {"channelId": 111},
	"RechargeProof":        {"rechargeId": 1, "file": "00000000000000000000000000000000.jpg"},
	"RechargeId":           {"rechargeId": 1},
	"SaveAuthDraft":        {"country": "DE", "documentType": "passport", "fullName": "Erika Mustermann", "number": "C01X00T47", "birthDate": "1990-05-17", "expiryDate": "2031-08-31"},
	"AuthVersion":          {"version": 1},
	"InsertOrder":          {"productId": 201, "side": "buy", "lots": "0.01", "leverage": 20, "stopLoss": "1", "takeProfit": "900000", "price": "90000", "slippageBps": 50},
	"InsertPendingOrder":   {"productId": 201, "type": "stop_limit", "side": "sell", "lots": "0.01", "leverage": 20, "price": "1", "limitPrice": "2", "stopLoss": "9", "takeProfit": "1", "timeInForce": "date", "expiresAt": 1},
	"UpdateOrder":          {"orderId": 1, "price": "1", "limitPrice": "2", "stopLoss": "9", "takeProfit": "1", "timeInForce": "date", "expiresAt": 1},
	"CancelOrder":          {"orderId": 1},
	"CancelAllOrders":      {"productId": 201},
	"ClosePosition":        {"positionId": 1, "lots": "0.01", "price": "1", "slippageBps": 50},
	"UpdatePosition":       {"positionId": 1, "stopLoss": "1", "takeProfit": "2", "trailingStop": "1"},
	"ReversePosition":      {"positionId": 1, "price": "1", "slippageBps": 50},
	"CloseByPosition":      {"positionId": 1, "byPositionId": 2},
	"CloseAllPositions":    {"productId": 201, "side": "buy"},
	"UpdateAccountMode":    {"netting": true},
	"InsertOcoOrders":      {"orders": []any{pendingOrder, pendingOrder}},

	"QuestionFeedback": {"id": 2003, "helpful": true},
	"PopupSeen":        {"id": 9003, "revision": 1, "ack": true},
	"UserMsgRead":      {"ids": []int{1}},
	"SiteMailRead":     {"id": 9001},
	"ContentSeen":      {"ids": []int{2001}},
	"ContentClick":     {"id": 2001},

	"InsertMessage":  {"messageId": "0b0e8a4e-3f5c-4a53-9d61-0f1b5a3a7c11", "text": "Where is my withdrawal?", "zone": "Europe/Zurich"},
	"UpdateUserRead": {"lastId": 1, "read": true},
	"UpdateTyping":   {"typing": true},
	"InsertRating":   {"rating": 5, "comment": "quick"},
	"SendTranscript": {"convId": 1},
	"PlusUser":       {"uuid": "0b0e8a4e-3f5c-4a53-9d61-0f1b5a3a7c11", "agentId": "1", "name": "Anna"},

	"InsertUserAddress": {
		"coin": "USDT", "chain": "ethereum", "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "label": "Home", "confirmLookalike": true,
		"payPassword": "271828", "validCode": "314159",
	},
	"BankWithdraw":          {"walletId": 1, "amount": "100", "payPassword": "271828", "validCode": "314159"},
	"StandardWithdraw":      {"addressId": 1, "amount": "100", "payPassword": "271828", "validCode": "314159"},
	"InsertExchange":        {"quoteId": 1},
	"InsertTransfer":        {"from": "contract", "to": "funding", "amount": "5"},
	"WithdrawId":            {"withdrawId": 1},
	"WithdrawReply":         {"withdrawId": 1, "answer": "From my salary."},
	"DeleteUserAddress":     {"addressId": 1, "payPassword": "271828", "validCode": "314159"},
	"SendMoneyOutValidCode": {"act": "withdraw", "payeeId": 1, "amount": "12.5"},
	"FreezeAccount":         {"validCode": "314159"},
	"LoginByPasskey":        {"credential": passkeyAnswer, "deviceId": "device-0000-0000-0001"},
	"CreateWalletLogin":     {"address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "chainId": 1, "deviceId": "device-0000-0000-0001"},
	"WalletLogin":           {"id": walletTextID, "signature": "0x" + strings.Repeat("ab", 65), "deviceId": "device-0000-0000-0001"},
	"RegisterByWallet": {
		"id": walletTextID, "signature": "0x" + strings.Repeat("ab", 65), "country": "DE", "language": "en", "deviceId": "device-0000-0000-0001", "accepted": true,
	},
	"CreateWalletLink":         {"address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "chainId": 1, "password": "correct horse battery", "validCode": "314159"},
	"LinkWallet":               {"id": walletTextID, "signature": "0x" + strings.Repeat("ab", 65)},
	"CreateWalletConfirmation": {"chainId": 1, "account": "new@example.com"},
	"UnlinkWallet":             {"password": "correct horse battery", "validCode": "314159"},
	"SendSecurityValidCode":    {"act": "change_password"},
	"ConfirmedAct":             {"security": "change_password"},
	"CreateConfirmation":       {"act": map[string]any{"security": "change_password"}, "code": "314159"},
	"SecurityProof":            {"password": "correct horse battery", "validCode": "314159"},
	"InsertAuthenticator":      {"code": "314159"},
	"InsertPasskey":            {"name": "My phone", "credential": passkeyAnswer},
	"UpdatePasskey":            {"passkeyId": 1, "name": "My phone"},
	"DeletePasskey":            {"passkeyId": 1, "password": "correct horse battery", "validCode": "314159"},
	"UpdatePassword":           {"password": "correct horse battery", "newPassword": "staple battery horse", "validCode": "314159", "keepOthers": true},
	"UpdateContact":            {"account": "new@example.com", "contactCode": "314159", "password": "correct horse battery", "validCode": "314159"},
	"UpdatePhrase":             {"phrase": "blue heron", "password": "correct horse battery"},
	"DeleteDevice":             {"deviceId": 1, "password": "correct horse battery"},
	"RestoreUserAddress":       {"addressId": 1, "payPassword": "271828", "validCode": "314159"},
	"RestoreUserWallet":        {"walletId": 1, "payPassword": "271828", "validCode": "314159"},
	"UpdateWhitelistOnly":      {"whitelistOnly": true, "payPassword": "271828", "validCode": "314159"},
	"BindUserWallet": {
		"holder": "Anna Muster", "bank": "Sparkasse", "iban": "DE89370400440532013000", "bic": "COBADEFFXXX", "label": "Salary",
		"payPassword": "271828", "validCode": "314159",
	},
	"UpdateUserWallet": {
		"walletId": 1, "holder": "Anna Muster", "bank": "Sparkasse", "iban": "DE89370400440532013000", "bic": "COBADEFFXXX", "label": "Salary",
		"payPassword": "271828", "validCode": "314159",
	},
}

// walletTextID has the form of a text's id, and names none.
const walletTextID = "00112233445566778899aabbccddeeff"

// passkeyAnswer has the form of a passkey's answer, and proves nothing.
var passkeyAnswer = map[string]any{"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": map[string]any{"clientDataJSON": "e30", "attestationObject": "oA"}}

var pendingOrder = map[string]any{"productId": 201, "type": "limit", "side": "sell", "lots": "0.01", "leverage": 20, "price": "1", "timeInForce": "gtc"}

// invalidValues are invalid values and the fields that they are put in.
var invalidValues = []struct {
	name string
	json string
}{
	{"a number where text stands", `12`}, {"text where a number stands", `"x"`}, {"a list", `[1]`}, {"an object", `{"a":1}`}, {"nothing", `null`},
	{"not a number", `"NaN"`}, {"infinity", `"Infinity"`}, {"an exponent", `"1e5"`}, {"a negative", `"-5"`}, {"30 digits", `"123456789012345678901234567890"`},
	{"hexadecimal", `"0x10"`}, {"too many decimals", `"0.0000000001"`}, {"zero", `"0"`}, {"an empty text", `""`}, {"a long text", `"` + strings.Repeat("9", 5_000) + `"`}, {"a bare exponent", `1e400`}, {"a fraction", `1.5`},
}

func TestBadInputIsRefusedAndLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	before := r.rows(t)
	tried := 0
	for _, o := range r.operations() {
		schema := o.jsonBody()
		if schema == nil {
			continue
		}
		name := o.spec.RequestBody.Value.Content.Get("application/json").Schema.Ref
		body := validBodies[name[strings.LastIndex(name, "/")+1:]]
		require.NotNil(t, body, "give %s a good body", name)
		for _, text := range invalidBodies(t, body, schema) {
			tried++
			status, answer, raw := r.call(t, o.method, o.path, r.sessionFor(o.path), []byte(text), withKey(fmt.Sprint("bad", tried)))
			require.Less(t, status, 500, "%s %s: %s", o.path, clip(text), raw)
			require.EqualValues(t, 0, answer["status"], "%s %s: %s", o.path, clip(text), raw)
			require.NotEmpty(t, answer["code"], raw)
			require.NotContains(t, strings.ToLower(raw), "sql", raw)
		}
	}
	require.Greater(t, tried, 300)
	require.Equal(t, before, r.rows(t), "no row was written")
}

func TestBadInputNamesItsField(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	for field, body := range map[string]string{
		"lots":       `{"productId":201,"side":"buy","lots":"NaN","leverage":20}`,
		"side":       `{"productId":201,"side":7,"lots":"0.01","leverage":20}`,
		"stopLoss":   `{"productId":201,"side":"buy","lots":"0.01","leverage":20,"stopLoss":"1e3"}`,
		"mystery":    `{"productId":201,"side":"buy","lots":"0.01","leverage":20,"mystery":1}`,
		"leverage":   `{"productId":201,"side":"buy","lots":"0.01","leverage":20,"leverage":100}`,
		"takeProfit": `{"productId":201,"side":"buy","lots":"0.01","leverage":20,"takeProfit":"0.00000000001"}`,
	} {
		_, answer, raw := r.call(t, http.MethodPost, "/client/trade/insertOrder", r.token, []byte(body), withKey("field-"+field))
		fields, _ := answer["fields"].(map[string]any)
		require.Contains(t, fields, field, raw)
		require.NotEmpty(t, answer["enMsg"], raw)
		require.NotEqual(t, "error.invalid_input", answer["enMsg"], "the text exists")
	}
}

// invalidBodies lists invalid versions of a valid body.
func invalidBodies(t *testing.T, body map[string]any, schema *openapi3.Schema) (out []string) {
	t.Helper()
	text := func(m map[string]any) string {
		raw, err := json.Marshal(m)
		require.NoError(t, err)
		return string(raw)
	}
	whole := text(body)
	out = append(out, "", "null", "[]", `"text"`, "{", whole+whole, whole+"x", `{"unknown":1,`+whole[1:])
	for field, property := range schema.Properties {
		if _, ok := body[field]; !ok {
			continue
		}
		raw, err := json.Marshal(body[field])
		require.NoError(t, err)
		out = append(out, fmt.Sprintf(`{%q:%s,%s`, field, raw, whole[1:]))
		for _, p := range invalidValues {
			if acceptable(property.Value, field, p.json) {
				continue
			}
			changed := map[string]any{}
			for k, v := range body {
				changed[k] = v
			}
			changed[field] = json.RawMessage(p.json)
			out = append(out, text(changed))
		}
		if slices.Contains(schema.Required, field) {
			without := map[string]any{}
			for k, v := range body {
				if k != field {
					without[k] = v
				}
			}
			out = append(out, text(without))
		}
	}
	return out
}

// acceptable reports whether a poison is valid for a field: free text takes any text, an optional field takes null, an integer takes 12.
func acceptable(schema *openapi3.Schema, field, value string) bool {
	if value == "null" || (schema.Type.Is("array") && value == "[1]") || (schema.Type.Is("integer") && value == "12") {
		return true
	}
	return schema.Type.Is("string") && schema.Example == nil && strings.HasPrefix(value, `"`) && field != "account"
}

func clip(text string) string { return text[:min(len(text), 200)] }

// rows counts the rows of the tables that invalid input must not change.
func (r *apiFixture) rows(t *testing.T) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, table := range []string{"traders", "trader_preferences", "drawings", "orders", "positions", "fills", "deposits", "postings", "idempotency_keys", "codes", "favourites", "payment_passwords", "withdrawal_locks", "payees", "payee_settings", "withdrawals", "kyc_applications", "kyc_documents", "notice_reach", "notice_reads", "notice_acks", "conversations", "chat_messages", "conduct_flags"} {
		var n int
		require.NoError(t, r.platform.Database.Pool.QueryRow(context.Background(), "SELECT count(*) FROM "+table).Scan(&n))
		out[table] = n
	}
	return out
}

func TestForeignIDsLookUnknown(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	for _, c := range []struct{ method, path, body, code string }{
		{http.MethodPost, "/client/trade/closePosition", `{"positionId":999999}`, "position.unknown"},
		{http.MethodPost, "/client/trade/updatePosition", `{"positionId":999999}`, "position.unknown"},
		{http.MethodPost, "/client/trade/updateOrder", `{"orderId":999999,"price":"1","timeInForce":"gtc"}`, "order.unknown"},
		{http.MethodPost, "/client/trade/cancelOrder", `{"orderId":999999}`, "order.unknown"},
		{http.MethodPost, "/client/trade/reversePosition", `{"positionId":999999}`, "position.unknown"},
		{http.MethodPost, "/client/trade/closeByPosition", `{"positionId":999999,"byPositionId":999998}`, "position.unknown"},
		{http.MethodGet, "/client/trade/findReceipt?fillId=999999", "", "fill.unknown"},
		{http.MethodGet, "/client/trade/findChargeReceipt?chargeId=999999", "", "charge.unknown"},
		{http.MethodPost, "/client/recharge/updateRechargeProof", `{"rechargeId":999999,"file":"00000000000000000000000000000000.jpg"}`, "deposit.unknown"},
		{http.MethodPost, "/client/recharge/cancelRecharge", `{"rechargeId":999999}`, "deposit.unknown"},
		{http.MethodPost, "/client/withdraw/cancelWithdraw", `{"withdrawId":999999}`, "withdrawal.unknown"},
		{http.MethodPost, "/client/withdraw/replyWithdraw", `{"withdrawId":999999,"answer":"From my salary."}`, "withdrawal.unknown"},
		{http.MethodPost, "/client/userAddress/deleteUserAddress", `{"addressId":999999,"payPassword":"271828","validCode":"314159"}`, "payee.unknown"},
		{http.MethodPost, "/client/userAddress/restoreUserAddress", `{"addressId":999999,"payPassword":"271828","validCode":"314159"}`, "payee.unknown"},
		{http.MethodPost, "/client/userWallet/restoreUserWallet", `{"walletId":999999,"payPassword":"271828","validCode":"314159"}`, "payee.unknown"},
		{http.MethodGet, "/client/userWallet/selectUserWallet?walletId=999999", "", "payee.unknown"},
		{http.MethodGet, "/client/userWallet/deleteUserWallet?walletId=999999", "", "payee.unknown"},
		{http.MethodGet, "/client/api/findKline?productId=9999&period=1m", "", "product.unknown"},
		{http.MethodPost, "/client/user/declineBonus", `{"bonusId":999999,"state":"offered"}`, "bonus.unknown"},
		{http.MethodPost, "/client/user/acceptBonus", `{"bonusId":999999,"campaignId":999999,"terms":1}`, "invalid_input"},
		{http.MethodPost, "/client/user/appealConductFlag", `{"flagId":999999,"text":"That was not me in the chat"}`, "score.flag"},
		{http.MethodPost, "/kefu/kefuApi/sendTranscript", `{"convId":999999}`, "chat.unknown"},
	} {
		body := []byte(c.body)
		if c.body == "" {
			body = nil
		}
		status, answer, raw := r.call(t, c.method, c.path, r.sessionFor(c.path), body, withKey("foreign"))
		require.Equal(t, http.StatusOK, status, raw)
		require.Equal(t, c.code, answer["code"], raw)
	}
}

// TestCandlesPageBackToTheFirst stores more candles of each period than fit on one page, and joins the pages.
func TestCandlesPageBackToTheFirst(t *testing.T) {
	t.Parallel()
	const kept = 2_345
	r := newAPIFixture(t)
	page := func(period string, size int, end int64) (times []int64) {
		path := fmt.Sprintf("/client/api/findKline?productId=201&period=%s&size=%d&endTime=%d", period, size, end)
		_, answer, raw := r.call(t, http.MethodGet, path, "", nil, nil)
		list, ok := answer["data"].([]any)
		require.True(t, ok, raw)
		for _, one := range list {
			times = append(times, int64(one.(map[string]any)["time"].(float64)))
		}
		require.LessOrEqual(t, len(times), size)
		return times
	}
	for period, seconds := range map[string]int64{"1m": 60, "5m": 300, "15m": 900, "30m": 1_800, "1h": 3_600, "4h": 14_400, "1d": 86_400, "1w": 604_800} {
		_, err := r.platform.Database.Pool.Exec(t.Context(), `
			INSERT INTO candles SELECT 201, $1::int, n * $1::int * 1000::bigint, 1, 1, 1, 1, 1 FROM generate_series(1::bigint, $2) n`, seconds, kept)
		require.NoError(t, err)
		want := make([]int64, kept)
		for i := range want {
			want[i] = int64(i+1) * seconds * 1_000
		}
		for _, size := range []int{500, 1_000} {
			var all []int64
			for end := want[kept-1] + 1; ; end = all[0] {
				older := page(period, size, end)
				if len(older) == 0 {
					break
				}
				all = append(older, all...)
			}
			require.Equal(t, want, all, "pages of %d, period %s", size, period)
		}
	}
	for path, field := range map[string]string{"size=1001&period=1m": "size", "size=0&period=1m": "size", "period=2m": "period"} {
		_, answer, raw := r.call(t, http.MethodGet, "/client/api/findKline?productId=201&"+path, "", nil, nil)
		require.Contains(t, answer["fields"], field, raw)
	}
}

func TestWritesWithoutAKeyAreRefused(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	for _, o := range r.operations() {
		keyed := slices.ContainsFunc(o.spec.Parameters, func(p *openapi3.ParameterRef) bool { return p.Value.Name == "Idempotency-Key" })
		if !keyed {
			continue
		}
		name := o.spec.RequestBody.Value.Content.Get("application/json").Schema.Ref
		body, err := json.Marshal(validBodies[name[strings.LastIndex(name, "/")+1:]])
		require.NoError(t, err)
		_, answer, raw := r.call(t, o.method, o.path, r.sessionFor(o.path), body, nil)
		require.EqualValues(t, 0, answer["status"], raw)
		require.Contains(t, []any{"idempotency.missing", "position.unknown", "order.unknown"}, answer["code"], "%s: %s", o.path, raw)
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	for path, want := range map[string]int{
		"/client/nothing": http.StatusNotFound, "/client/trade/findstatistics": http.StatusNotFound, "/client/trade/findStatistics/": http.StatusNotFound, "/client/": http.StatusNotFound, "/.git/config": http.StatusNotFound, "/debug/pprof/": http.StatusNotFound,
		"/client/user%2flogin": http.StatusNotFound, "/metrics": http.StatusNotFound, "/assets/none.js": http.StatusNotFound,
	} {
		status, _, _ := r.call(t, http.MethodGet, path, "", nil, nil)
		require.Equal(t, want, status, path)
	}
	status, _, _ := r.call(t, http.MethodDelete, "/client/common/platformRunningStatus", "", nil, nil)
	require.Equal(t, http.StatusMethodNotAllowed, status)
}

// TestEnvelope compares the shapes of answers with a golden file, so that every change shows.
func TestEnvelope(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	var lines []string
	for _, c := range []struct{ name, method, path, token, body string }{
		{"success", http.MethodGet, "/client/common/platformRunningStatus", "", ""},
		{"refusal", http.MethodGet, "/client/api/findConfigByKey?key=secret", "", ""},
		{"no session", http.MethodGet, "/client/trade/findStatistics", "", ""},
		{"bad field", http.MethodPost, "/client/trade/insertOrder", r.token, `{"productId":201,"side":"buy","lots":"x","leverage":20}`},
		{"refusal with arguments", http.MethodPost, "/client/trade/insertOrder", r.token, `{"productId":201,"side":"buy","lots":"0.0001","leverage":20}`},
	} {
		body := []byte(c.body)
		if c.body == "" {
			body = nil
		}
		status, _, raw := r.call(t, c.method, c.path, c.token, body, withKey("golden"))
		lines = append(lines, fmt.Sprintf("%s: %d %s", c.name, status, strings.TrimSpace(raw)))
	}
	got := strings.Join(lines, "\n") + "\n"
	const golden = "testdata/envelope.golden"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}
