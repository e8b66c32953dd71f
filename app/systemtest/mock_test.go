package systemtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/platform/vault"
	"candor/app/server"
	"candor/app/session"
	"candor/app/trader"
	"candor/app/withdrawal"
)

// The access of a mock session to a call.
const (
	public   = "public" // needs no session
	own      = "own"    // reads or changes the account's own data
	realOnly = "unreal" // moves real money, submits identity documents or guards withdrawals: refused to every mock account
	named    = "named"  // depends on the trader's identity: refused to a guest
)

// mockAccess classifies every call of the contract. A call that is missing here fails the test, so that each new one is classified.
var mockAccess = map[string]string{
	"/client/common/platformRunningStatus": public, "/client/api/findConfigByKey": public, "/client/config/findFrontConfigList": public,
	"/client/globalLanguage/findGlobalInfoByType": public, "/client/api/findCountryAreaCodeList": public, "/client/api/findByBannerList": public,
	"/client/api/findProductList": public, "/client/api/getPreheatedProductList": public, "/client/api/fp24hp": public, "/client/api/findKline": public,
	"/client/api/getMarketStatus": public, "/client/api/findTimeTrade": public, "/client/user/sendRegisterValidCode": public, "/client/user/checkUserExist": public, "/client/user/register": public,
	"/client/user/sendForgetPasswordValidCode": public, "/client/api/forgetUserPassword": public, "/client/user/sendLoginValidCode": public, "/client/user/login": public, "/client/user/loginByCode": public, "/client/user/createPasskeyLogin": public, "/client/user/loginByPasskey": public, "/client/user/createWalletLogin": public, "/client/user/walletLogin": public, "/client/user/registerByWallet": public, "/client/user/miningLogin": public, "/client/common/getVerify": public,

	"/client/api/findQuestionInfoList": public, "/client/api/insertQuestionFeedback": public, "/client/popup/findPopupMsgList": public, "/client/popup/updatePopupSeen": public,
	"/client/siteMail/findSiteMailPage": public, "/client/siteMail/findSiteMailDetail": public, "/client/currencyNews/findCurrencyNewsPage": public,
	"/client/currencyNews/findCurrencyNewsDetail": public, "/client/content/findPage": public, "/client/content/insertSeen": public, "/client/content/insertClick": public,
	"/kefu/kefuApi/findConfig": public, "/kefu/kefuApi/findMessageList": public, "/kefu/kefuApi/findEarlierList": public, "/kefu/kefuApi/insertMessage": public, "/kefu/kefuApi/updateUserRead": public,
	"/kefu/kefuApi/findUserReadCount": public, "/kefu/kefuApi/upload": public, "/kefu/kefuApi/findImage": public, "/kefu/kefuApi/updateTyping": public,
	"/kefu/kefuApi/insertRating": public, "/ws/user/plus": public, "/kefu/kefuApi/sendTranscript": own,
	"/client/userMsg/findUserMsgPage": own, "/client/userMsg/updateUserMsgRead": own, "/client/siteMail/updateSiteMailRead": own, "/client/siteMail/findUnreadCount": own,

	"/client/userFactor/findFactorInfo": named, "/client/userFactor/createPasskeyConfirmation": named, "/client/userFactor/createConfirmation": named, "/client/userFactor/createAuthenticator": named, "/client/userFactor/insertAuthenticator": named, "/client/userFactor/deleteAuthenticator": named, "/client/userFactor/createPasskey": named, "/client/userFactor/insertPasskey": named, "/client/userFactor/updatePasskey": named, "/client/userFactor/deletePasskey": named, "/client/userFactor/createRecoveryCodes": named,
	"/client/user/sendSecurityValidCode": named, "/client/user/updatePassword": named, "/client/user/sendContactValidCode": named, "/client/user/updateContact": named, "/client/user/updatePhrase": named, "/client/user/findDevicePage": named, "/client/user/deleteDevice": named, "/client/user/findSecurityEventPage": named, "/client/user/exportSecurityEvents": named,
	"/client/user/findPersonalInfo": named, "/client/user/updatePersonalInfo": named, "/client/user/uploadAvatar": named, "/client/user/findAvatar": named, "/client/user/deleteAvatar": named,
	"/client/user/insertDataExport": named, "/client/user/downloadDataExport": named, "/client/user/closeAccount": named, "/client/user/reopenAccount": named,
	"/client/user/createWalletLink": named, "/client/user/linkWallet": named, "/client/user/unlinkWallet": named, "/client/user/createWalletConfirmation": named,
	"/client/user/findInvitation": named, "/client/user/findInviteePage": named, "/client/user/findRebatePaymentPage": named, "/client/user/exportRebates": named, "/client/user/getPreferences": named, "/client/user/savePreferences": named, "/client/drawing/findDrawingList": named, "/client/drawing/saveDrawings": named, "/client/user/openAccount": named, "/client/user/renameAccount": named, "/client/user/setAccountLeverage": named,
	"/client/user/findCreditScore": named, "/client/user/findCreditScoreHistory": named, "/client/user/appealConductFlag": named,
	"/client/user/findBonusList": named, "/client/user/acceptBonus": realOnly, "/client/user/declineBonus": realOnly,
	"/client/user/createLoginCode": named, "/client/copy/switchUser": named, "/client/user/findSecurityInfo": named, "/client/userMsg/findUserMsgSettings": named,
	"/client/userMsg/updateUserMsgSetting": named,

	"/client/common/uploadFileImg": realOnly, "/client/recharge/insertBankRecharge": realOnly, "/client/recharge/getDepositAddress": realOnly, "/client/recharge/insertStandardRecharge": realOnly, "/client/recharge/updateRechargeProof": realOnly,
	"/client/withdraw/findWithdrawTerms": realOnly, "/client/withdraw/insertBankWithdraw": realOnly, "/client/withdraw/insertDaifuWithdraw": realOnly, "/client/withdraw/insertStandardWithdraw": realOnly, "/client/withdraw/cancelWithdraw": realOnly,
	"/client/withdraw/replyWithdraw": realOnly, "/client/withdraw/findWithdrawPage": realOnly,
	"/client/recharge/insertThirdPartyRecharge": realOnly, "/client/recharge/insertOtcRecharge": realOnly, "/client/recharge/updateRechargePaid": realOnly,
	"/client/recharge/updateRechargeAgreed": realOnly, "/client/recharge/insertRechargeAppeal": realOnly, "/client/recharge/findRecharge": own,
	"/client/recharge/cancelRecharge": realOnly, "/client/user/sendPaymentPasswordValidCode": realOnly, "/client/user/sendMoneyOutValidCode": realOnly,
	"/client/user/sendFreezeValidCode": named, "/client/user/freezeAccount": named,
	"/client/user/updatePayPassword": realOnly, "/client/user/resetPayPassword": realOnly,
	"/client/userAddress/findUserAddressList": realOnly, "/client/userAddress/insertUserAddress": realOnly, "/client/userAddress/deleteUserAddress": realOnly,
	"/client/userAddress/restoreUserAddress": realOnly, "/client/userWallet/restoreUserWallet": realOnly,
	"/client/userAddress/updateWhitelistOnly": realOnly, "/client/userWallet/findUserWalletList": realOnly, "/client/userWallet/bindUserWallet": realOnly,
	"/client/userWallet/updateUserWallet": realOnly, "/client/userWallet/selectUserWallet": realOnly, "/client/userWallet/deleteUserWallet": realOnly,
	"/client/userAuth/saveDraft": realOnly, "/client/userAuth/uploadImage": realOnly, "/client/userAuth/findImage": realOnly,
	"/client/userAuth/submit": realOnly, "/client/userAuth/withdraw": realOnly,

	"/client/wallet/findNewWalletExchange": realOnly, "/client/wallet/insertExchange": realOnly, "/client/wallet/insertTransfer": realOnly,
	"/client/wallet/findExchange": realOnly, "/client/wallet/findTransfer": realOnly,

	"/client/wallet/findByWalletList": own,
	"/client/user/logout":             own, "/client/api/rftk": own, "/client/user/findUserInfo": own, "/client/user/findAccountList": own, "/client/user/findFavouriteList": own,
	"/client/user/updateFavouriteList": own, "/client/api/findCurrencyMoneyList": own, "/client/userMoney/findUserMoneyOnly": own,
	"/client/wallet/findLedgerPage": own, "/client/payChannel/getPayChannelList": own, "/client/recharge/findRechargePage": own,
	"/client/userAddress/getChain": own, "/client/api/getUserWithdrawTokenConfigList": own,
	"/client/wallet/exportLedger": own, "/client/trade/exportHistory": own, "/client/trade/exportFills": own, "/client/trade/exportOrders": own, "/client/proof/findHeadPage": public,
	"/client/trade/insertOrder": own, "/client/trade/closePosition": own, "/client/trade/updatePosition": own, "/client/trade/insertPendingOrder": own,
	"/client/trade/updateOrder": own, "/client/trade/cancelOrder": own, "/client/trade/cancelAllOrders": own, "/client/trade/reversePosition": own,
	"/client/trade/closeByPosition": own, "/client/trade/closeAllPositions": own, "/client/trade/insertOcoOrders": own, "/client/trade/findOrderPage": own,
	"/client/trade/findPositionList": own, "/client/trade/findStatistics": own, "/client/trade/findHistoryPage": own, "/client/trade/findPerformance": own, "/client/wallet/findStatement": own, "/client/trade/findFillPage": own,
	"/client/trade/updateAccountMode": own, "/client/trade/findChargePage": own, "/client/trade/findMarginCallPage": own, "/client/trade/findReceipt": own, "/client/proof/findQuoteList": own,
	"/client/trade/findChargeReceipt": own, "/client/userAuth/findUserAuthInfoNew": own, "/client/userAuth/findAuthCountryList": own,
}

// customer lists objects of the fixture's trader: the real account has money, positions, a pending order and an open deposit.
type customer struct {
	accountID, position, other, order, deposit, fill, address, wallet int64
}

func (r *apiFixture) customer(t *testing.T) (c customer) {
	t.Helper()
	sessions := session.New(r.platform.Database.DB, clock.Real{}, nil)
	p, err := sessions.Check(t.Context(), r.real, session.Device{})
	require.NoError(t, err)
	account, err := ledger.Load(t.Context(), r.platform.Database.Pool, p.AccountID)
	require.NoError(t, err)
	c.accountID = account.ID
	require.NoError(t, r.platform.Database.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := ledger.PostTx(t.Context(), tx, ledger.Transaction{
			Kind: "test", Key: "test:matrix", Cause: "test", Book: ledger.Real, At: time.Now(), Entries: account.Receive(50_000 * money.Unit),
		})
		return err
	}))
	require.Eventually(t, func() bool { _, err := r.platform.Market.Tradable(201); return err == nil }, 10*time.Second, 20*time.Millisecond)
	for i, side := range []string{"buy", "sell"} {
		r.must(t, r.real, "/client/trade/insertOrder", map[string]any{"productId": 201, "side": side, "lots": "0.01", "leverage": 20}, fmt.Sprint("real", i))
	}
	r.must(t, r.real, "/client/trade/insertPendingOrder", map[string]any{
		"productId": 201, "type": "limit", "side": "buy", "lots": "0.01", "leverage": 20, "price": "1", "timeInForce": "gtc",
	}, "waits")
	r.must(t, r.real, "/client/recharge/insertBankRecharge", map[string]any{"channelId": r.number(t, `SELECT min(id) FROM pay_channels`), "amount": "100"}, "deposit")
	r.must(t, r.real, "/client/userAuth/saveDraft", validBodies["SaveAuthDraft"], "")
	c.position = r.number(t, `SELECT min(id) FROM positions WHERE account_id = $1`, c.accountID)
	c.other = r.number(t, `SELECT max(id) FROM positions WHERE account_id = $1`, c.accountID)
	c.order = r.number(t, `SELECT max(id) FROM orders WHERE account_id = $1`, c.accountID)
	c.deposit = r.number(t, `SELECT max(id) FROM deposits WHERE account_id = $1`, c.accountID)
	c.fill = r.number(t, `SELECT max(id) FROM fills WHERE account_id = $1`, c.accountID)
	c.address = r.payee(t, p.TraderID, withdrawal.Crypto)
	c.wallet = r.payee(t, p.TraderID, withdrawal.ByBank)
	return c
}

// payee saves a payee that has been usable since yesterday, without a proof.
func (r *apiFixture) payee(t *testing.T, traderID int64, kind withdrawal.Kind) int64 {
	t.Helper()
	id, err := savePayee(t.Context(), r.platform.Database.DB, r.vault(t), traderID, kind)
	require.NoError(t, err)
	return id
}

// vault opens the vault of the platform's folder.
func (r *apiFixture) vault(t *testing.T) *vault.Vault {
	t.Helper()
	keys, err := server.OpenVault(t.Context(), r.platform.Config, r.platform.Database.DB)
	require.NoError(t, err)
	return keys
}

func (r *apiFixture) number(t *testing.T, sql string, args ...any) (n int64) {
	t.Helper()
	require.NoError(t, r.platform.Database.Pool.QueryRow(t.Context(), sql, args...).Scan(&n))
	return n
}

func (r *apiFixture) must(t *testing.T, token, path string, body map[string]any, key string) map[string]any {
	t.Helper()
	raw, err := json.Marshal(body)
	require.NoError(t, err)
	_, answer, text := r.call(t, http.MethodPost, path, token, raw, withKey(key))
	require.Equal(t, "ok", answer["code"], "%s: %s", path, text)
	return answer
}

// guestToken logs in as a guest through the API.
func (r *apiFixture) guestToken(t *testing.T, device string) string {
	t.Helper()
	answer := r.must(t, "", "/client/user/miningLogin", map[string]any{"deviceId": device, "language": "en"}, "")
	return answer["data"].(map[string]any)["token"].(string)
}

// realRows are all rows of real money and identity as text; no mock account may change them.
func (r *apiFixture) realRows(t *testing.T) (out []string) {
	t.Helper()
	rows, err := r.platform.Database.Pool.Query(t.Context(), `
		WITH real AS (SELECT id FROM accounts WHERE book = 'real')
		SELECT 'account ' || a::text FROM accounts a WHERE book = 'real'
		UNION ALL SELECT 'postings ' || count(*) || ' ' || sum(amount) || ' ' || sum(abs(amount)) FROM postings WHERE book = 'real'
		UNION ALL SELECT 'position ' || p::text FROM positions p WHERE account_id IN (TABLE real)
		UNION ALL SELECT 'order ' || o::text FROM orders o WHERE account_id IN (TABLE real)
		UNION ALL SELECT 'fill ' || f::text FROM fills f WHERE account_id IN (TABLE real)
		UNION ALL SELECT 'deposit ' || d::text FROM deposits d
		UNION ALL SELECT 'transfer ' || t::text FROM transfers t
		UNION ALL SELECT 'exchange ' || e::text FROM exchanges e
		UNION ALL SELECT 'quote ' || q::text FROM exchange_quotes q
		UNION ALL SELECT 'payee ' || p::text FROM payees p
		UNION ALL SELECT 'payee settings ' || s::text FROM payee_settings s
		UNION ALL SELECT 'file ' || f::text FROM files f
		UNION ALL SELECT 'application ' || a::text FROM kyc_applications a
		UNION ALL SELECT 'papers ' || d::text FROM kyc_documents d
		UNION ALL SELECT 'trader ' || t::text FROM traders t WHERE NOT guest
		UNION ALL SELECT 'payment password ' || p::text FROM payment_passwords p
		UNION ALL SELECT 'money-out hold ' || h::text FROM withdrawal_locks h
		ORDER BY 1`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		out = append(out, line)
	}
	require.NoError(t, rows.Err())
	return out
}

// bodyFor is a valid body of a call with the ids of the customer's real account.
func (c customer) bodyFor(o operation) []byte {
	if o.jsonBody() == nil {
		return nil
	}
	name := o.spec.RequestBody.Value.Content.Get("application/json").Schema.Ref
	body := maps.Clone(validBodies[name[strings.LastIndex(name, "/")+1:]])
	for field, id := range map[string]int64{"positionId": c.position, "byPositionId": c.other, "orderId": c.order, "rechargeId": c.deposit, "addressId": c.address, "walletId": c.wallet} {
		if _, ok := body[field]; ok {
			body[field] = id
		}
	}
	raw, _ := json.Marshal(body)
	return raw
}

// TestMockAccountsTouchNoRealMoney sends every call of the contract from a mock session, of a registered trader (5) and of a guest (8), aimed at a real account
// with money, a position, a pending order and a deposit: the real book and the identity documents stay the same, row for row.
func TestMockAccountsTouchNoRealMoney(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	c := r.customer(t)
	principals := map[string]string{"5": r.token, "8": r.guestToken(t, "guest-device-0000001")}
	before := r.realRows(t)
	require.Greater(t, len(before), 8)
	operations := r.operations()
	require.ElementsMatch(t, slices.Sorted(maps.Keys(mockAccess)), paths(operations), "say of each call what a mock account may do with it")

	for kind, token := range principals {
		for _, o := range operations {
			if endsSession[o.path] {
				continue
			}
			query := strings.NewReplacer("fillId=1", fmt.Sprint("fillId=", c.fill), "rechargeId=1", fmt.Sprint("rechargeId=", c.deposit), "walletId=1", fmt.Sprint("walletId=", c.wallet)).Replace(queries[o.path])
			status, answer, raw := r.call(t, o.method, o.path+query, token, c.bodyFor(o), withKey("mock-"+kind+o.path))
			require.Less(t, status, 500, "%s: %s", o.path, raw)
			switch {
			case mockAccess[o.path] == realOnly:
				require.Equal(t, map[string]any{"5": "account.mock", "8": "guest.register"}[kind], answer["code"], "%s: %s", o.path, raw)
			case mockAccess[o.path] == named && kind == "8":
				require.Equal(t, "guest.register", answer["code"], "%s: %s", o.path, raw)
			}
			require.Equal(t, before, r.realRows(t), "type %s, %s: %s", kind, o.path, raw)
		}
	}

	for query, code := range map[string]string{"accountType=1&initAmount=100": "invalid_input", "accountType=5&initAmount=100000.01": "demo.top_up", "accountType=8": "invalid_input"} {
		_, answer, raw := r.call(t, http.MethodGet, "/client/copy/switchUser?"+query, r.token, nil, nil)
		require.Equal(t, code, answer["code"], raw)
		require.Equal(t, before, r.realRows(t), query)
	}
	_, answer, raw := r.call(t, http.MethodGet, "/client/copy/switchUser?accountType=1", r.token, nil, nil)
	require.Equal(t, "ok", answer["code"], "one's own real account is a new session: %s", raw)
	require.Equal(t, before, r.realRows(t))

	t.Run("TheRealAccountItselfMay", func(t *testing.T) {
		r.must(t, r.real, "/client/recharge/cancelRecharge", map[string]any{"rechargeId": c.deposit}, "cancel")
		r.must(t, r.real, "/client/trade/closePosition", map[string]any{"positionId": c.position}, "close")
		require.NotEqual(t, before, r.realRows(t), "the rows would show it")
	})
}

func paths(operations []operation) (out []string) {
	for _, o := range operations {
		out = append(out, o.path)
	}
	return out
}

// TestGuestsAPI checks that a guest may log in, trade, top up and come back, and do nothing else.
func TestGuestsAPI(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	const device = "guest-device-0000001"
	token := r.guestToken(t, device)
	get := func(path string) (map[string]any, string) {
		_, answer, raw := r.call(t, http.MethodGet, path, token, nil, nil)
		return answer, raw
	}
	balance := func() string {
		answer, raw := get("/client/user/findAccountList")
		list, _ := answer["data"].([]any)
		require.Len(t, list, 1, raw)
		one, _ := list[0].(map[string]any)
		require.EqualValues(t, trader.GuestType, one["accountType"])
		require.Equal(t, true, one["open"])
		return fmt.Sprint(one["balance"])
	}

	answer, raw := get("/client/user/findUserInfo")
	user, _ := answer["data"].(map[string]any)
	require.Regexp(t, `^Guest [0-9A-F]{4}$`, user["userName"], raw)
	require.Equal(t, []any{"", "", 8.0, -1.0}, []any{user["mail"], user["country"], user["type"], user["authStatus"]}, raw)
	require.Equal(t, "10000", balance())

	require.Eventually(t, func() bool { _, err := r.platform.Market.Tradable(201); return err == nil }, 10*time.Second, 20*time.Millisecond)
	r.must(t, token, "/client/trade/insertOrder", map[string]any{"productId": 201, "side": "buy", "lots": "0.01", "leverage": 20}, "buy")
	answer, raw = get("/client/copy/switchUser?accountType=8&initAmount=50000")
	require.Equal(t, "demo.top_up_open", answer["code"], raw)
	r.must(t, token, "/client/trade/closeAllPositions", map[string]any{}, "flat")
	for _, accountType := range []string{"5", "8"} {
		answer, raw = get("/client/copy/switchUser?initAmount=5" + accountType + "000&accountType=" + accountType)
		require.Equal(t, "ok", answer["code"], raw)
		data, _ := answer["data"].(map[string]any)
		token, _ = data["token"].(string)
		require.Equal(t, "5"+accountType+"000", balance())
	}
	for _, c := range []struct{ query, code string }{
		{"accountType=1", "guest.register"}, {"accountType=2", "invalid_input"}, {"accountType=4", "invalid_input"}, {"accountType=8&initAmount=100000.01", "demo.top_up"},
	} {
		answer, raw = get("/client/copy/switchUser?" + c.query)
		require.Equal(t, c.code, answer["code"], raw)
		require.NotEmpty(t, answer["enMsg"], raw)
	}
	token = r.guestToken(t, device)
	require.Equal(t, "58000", balance(), "the same account")

	for body, code := range map[string]string{
		`{"deviceId":"guest-device-0000002","language":"en","initAmount":"100000.01"}`: "demo.top_up",
		`{"deviceId":"guest-device-0000002","language":"xx"}`:                          "invalid_input",
		`{"deviceId":"short","language":"en"}`:                                         "invalid_input",
	} {
		_, answer, raw = r.call(t, http.MethodPost, "/client/user/miningLogin", "", []byte(body), nil)
		require.Equal(t, code, answer["code"], raw)
	}
	problem, _, err := ledger.Verify(t.Context(), r.platform.Database.Pool)
	require.NoError(t, err)
	require.Nil(t, problem)
}
