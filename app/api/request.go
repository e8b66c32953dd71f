package api

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v5"

	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
)

const (
	signLength = 10
	signPast   = 120 * time.Second
	signFuture = 60 * time.Second
)

// errSign refuses a request with a wrong newsign or localtimes; the response carries the server's time so that the app corrects its clock.
var errSign = errs.New(errs.Forbidden, "newsign")

// Sign is the spec's newsign: the first 10 hex characters of SHA-256(localtimes + key). It is a check of the client, not a secret.
func Sign(localtimes, key string) string {
	sum := sha256.Sum256([]byte(localtimes + key))
	return hex.EncodeToString(sum[:])[:signLength]
}

// SignFits reports whether newsign matches localtimes and localtimes is near now. Constant time in the signature.
func SignFits(localtimes, newsign, key string, now time.Time) bool {
	ms, err := strconv.ParseInt(localtimes, 10, 64)
	if err != nil || len(localtimes) > 15 {
		return false
	}
	age := now.Sub(time.UnixMilli(ms))
	fresh := age <= signPast && age >= -signFuture
	return subtle.ConstantTimeCompare([]byte(Sign(localtimes, key)), []byte(newsign)) == 1 && fresh
}

func (srv *Server) checkSign(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		h := c.Request().Header
		if !SignFits(h.Get("localtimes"), h.Get("newsign"), srv.config.NewsignKey, srv.now()) {
			return srv.refuse(c, errSign)
		}
		return next(c)
	}
}

// publicCalls lists the calls without a session; all others need one.
var publicCalls = map[string]bool{
	"/client/common/platformRunningStatus": true, "/client/api/findConfigByKey": true, "/client/config/findFrontConfigList": true,
	"/client/globalLanguage/findGlobalInfoByType": true, "/client/api/findCountryAreaCodeList": true, "/client/api/findByBannerList": true,
	"/client/api/findProductList": true, "/client/api/getPreheatedProductList": true, "/client/api/fp24hp": true, "/client/api/findKline": true,
	"/client/api/getMarketStatus": true, "/client/api/findTimeTrade": true, "/client/proof/findHeadPage": true, "/client/user/sendRegisterValidCode": true, "/client/user/checkUserExist": true, "/client/user/register": true,
	"/client/user/sendForgetPasswordValidCode": true, "/client/api/forgetUserPassword": true,
	"/client/user/sendLoginValidCode": true, "/client/user/login": true, "/client/user/loginByCode": true, "/client/user/createPasskeyLogin": true, "/client/user/loginByPasskey": true,
	"/client/user/createWalletLogin": true, "/client/user/walletLogin": true, "/client/user/registerByWallet": true,
	"/client/user/miningLogin": true, "/client/common/getVerify": true,
	"/kefu/kefuApi/findConfig": true, "/kefu/kefuApi/findMessageList": true, "/kefu/kefuApi/findEarlierList": true, "/kefu/kefuApi/insertMessage": true, "/kefu/kefuApi/updateUserRead": true,
	"/kefu/kefuApi/findUserReadCount": true, "/kefu/kefuApi/upload": true, "/kefu/kefuApi/findImage": true, "/kefu/kefuApi/updateTyping": true, "/kefu/kefuApi/insertRating": true,
	"/ws/user/plus":                    true,
	"/client/api/findQuestionInfoList": true, "/client/api/insertQuestionFeedback": true, "/client/popup/findPopupMsgList": true, "/client/popup/updatePopupSeen": true,
	"/client/siteMail/findSiteMailPage": true, "/client/siteMail/findSiteMailDetail": true, "/client/currencyNews/findCurrencyNewsPage": true,
	"/client/currencyNews/findCurrencyNewsDetail": true, "/client/content/findPage": true, "/client/content/insertSeen": true, "/client/content/insertClick": true,
}

// realOnly lists the calls that move real money, submit documents or protect withdrawals: a session on a mock account is refused before anything is read.
var realOnly = map[string]bool{
	"/client/user/sendPaymentPasswordValidCode": true, "/client/user/sendMoneyOutValidCode": true, "/client/user/updatePayPassword": true,
	"/client/user/resetPayPassword": true, "/client/user/acceptBonus": true, "/client/user/declineBonus": true,
	"/client/common/uploadFileImg": true, "/client/recharge/insertBankRecharge": true, "/client/recharge/updateRechargeProof": true, "/client/recharge/cancelRecharge": true,
	"/client/recharge/getDepositAddress": true, "/client/recharge/insertStandardRecharge": true,
	"/client/recharge/insertThirdPartyRecharge": true, "/client/recharge/insertOtcRecharge": true, "/client/recharge/updateRechargePaid": true,
	"/client/recharge/updateRechargeAgreed": true, "/client/recharge/insertRechargeAppeal": true,
	"/client/withdraw/findWithdrawTerms": true, "/client/withdraw/insertBankWithdraw": true, "/client/withdraw/insertDaifuWithdraw": true, "/client/withdraw/insertStandardWithdraw": true, "/client/withdraw/cancelWithdraw": true,
	"/client/withdraw/replyWithdraw": true, "/client/withdraw/findWithdrawPage": true,
	"/client/userAddress/findUserAddressList": true, "/client/userAddress/insertUserAddress": true, "/client/userAddress/deleteUserAddress": true,
	"/client/userAddress/restoreUserAddress": true, "/client/userWallet/restoreUserWallet": true,
	"/client/userAddress/updateWhitelistOnly": true, "/client/userWallet/findUserWalletList": true, "/client/userWallet/bindUserWallet": true,
	"/client/userWallet/updateUserWallet": true, "/client/userWallet/selectUserWallet": true, "/client/userWallet/deleteUserWallet": true,
	"/client/userAuth/saveDraft": true, "/client/userAuth/uploadImage": true, "/client/userAuth/findImage": true,
	"/client/userAuth/submit": true, "/client/userAuth/withdraw": true,
	"/client/wallet/findNewWalletExchange": true, "/client/wallet/insertExchange": true, "/client/wallet/insertTransfer": true,
	"/client/wallet/findExchange": true, "/client/wallet/findTransfer": true,
}

// registeredOnly lists the calls about what guards an account or is kept with it: a guest has neither, and is refused before anything is read.
var registeredOnly = map[string]bool{
	"/client/userFactor/findFactorInfo": true, "/client/userFactor/createPasskeyConfirmation": true, "/client/userFactor/createConfirmation": true,
	"/client/userFactor/createAuthenticator": true, "/client/userFactor/insertAuthenticator": true, "/client/userFactor/deleteAuthenticator": true,
	"/client/userFactor/createPasskey": true, "/client/userFactor/insertPasskey": true, "/client/userFactor/updatePasskey": true,
	"/client/userFactor/deletePasskey": true, "/client/userFactor/createRecoveryCodes": true, "/client/user/sendSecurityValidCode": true,
	"/client/user/updatePassword": true, "/client/user/sendContactValidCode": true, "/client/user/updateContact": true,
	"/client/user/updatePhrase": true, "/client/user/findDevicePage": true, "/client/user/deleteDevice": true,
	"/client/user/findSecurityEventPage": true, "/client/user/findPersonalInfo": true, "/client/user/updatePersonalInfo": true, "/client/user/uploadAvatar": true,
	"/client/user/findAvatar": true, "/client/user/deleteAvatar": true, "/client/user/insertDataExport": true, "/client/user/downloadDataExport": true,
	"/client/user/closeAccount": true, "/client/user/reopenAccount": true, "/client/user/exportSecurityEvents": true,
	"/client/user/createWalletLink": true, "/client/user/linkWallet": true, "/client/user/unlinkWallet": true, "/client/user/createWalletConfirmation": true,
	"/client/user/findInvitation": true, "/client/user/findInviteePage": true, "/client/user/findRebatePaymentPage": true, "/client/user/exportRebates": true,
	"/client/user/findCreditScore": true, "/client/user/findCreditScoreHistory": true, "/client/user/appealConductFlag": true,
	"/client/user/findBonusList":  true,
	"/client/user/getPreferences": true, "/client/user/savePreferences": true,
	"/client/user/sendFreezeValidCode": true, "/client/user/freezeAccount": true,
	"/client/drawing/findDrawingList": true, "/client/drawing/saveDrawings": true,
	"/client/user/openAccount": true, "/client/user/renameAccount": true, "/client/user/setAccountLeverage": true,
}

// closingCalls lists the calls with effects that work while the trader's account is closing.
var closingCalls = map[string]bool{
	"/client/user/reopenAccount": true, "/client/user/insertDataExport": true, "/client/user/downloadDataExport": true, "/client/user/sendSecurityValidCode": true,
	"/client/userFactor/createPasskeyConfirmation": true, "/client/userFactor/createConfirmation": true, "/client/api/rftk": true,
	"/client/user/closeAccount":        true, // which says that it is closing
	"/client/user/sendFreezeValidCode": true, "/client/user/freezeAccount": true,
}

// getsWithEffects lists the GET calls of the specification that change something. Switching the account is none of them: while an account is closing, the trader
// reads every one of its accounts.
var getsWithEffects = map[string]bool{
	"/client/recharge/getDepositAddress": true, "/client/userWallet/selectUserWallet": true, "/client/userWallet/deleteUserWallet": true,
}

// contactFirst lists the calls that move real money or prepare it: an account that was opened by a wallet needs a contact before.
var contactFirst = map[string]bool{
	"/client/recharge/insertBankRecharge": true, "/client/recharge/getDepositAddress": true, "/client/recharge/insertStandardRecharge": true,
	"/client/recharge/insertThirdPartyRecharge": true, "/client/recharge/insertOtcRecharge": true,
	"/client/withdraw/insertBankWithdraw": true, "/client/withdraw/insertDaifuWithdraw": true, "/client/withdraw/insertStandardWithdraw": true,
	"/client/userAddress/insertUserAddress": true, "/client/userAddress/restoreUserAddress": true, "/client/userAddress/updateWhitelistOnly": true,
	"/client/userWallet/bindUserWallet": true, "/client/userWallet/updateUserWallet": true, "/client/userWallet/restoreUserWallet": true,
	"/client/wallet/insertExchange": true, "/client/wallet/insertTransfer": true, "/client/user/acceptBonus": true,
}

// maintenanceCalls lists the calls that work during maintenance: the platform's status, the configuration that the app needs to show it, and the chat, where traders
// ask about their money.
var maintenanceCalls = map[string]bool{
	"/client/common/platformRunningStatus": true, "/client/api/findConfigByKey": true, "/client/config/findFrontConfigList": true,
	"/client/globalLanguage/findGlobalInfoByType": true,
	"/kefu/kefuApi/findConfig":                    true, "/kefu/kefuApi/findMessageList": true, "/kefu/kefuApi/findEarlierList": true, "/kefu/kefuApi/insertMessage": true, "/kefu/kefuApi/updateUserRead": true,
	"/kefu/kefuApi/findUserReadCount": true, "/kefu/kefuApi/upload": true, "/kefu/kefuApi/findImage": true, "/kefu/kefuApi/updateTyping": true, "/kefu/kefuApi/insertRating": true,
	"/kefu/kefuApi/sendTranscript": true, "/ws/user/plus": true,
}

// errMaintenance refuses a call during maintenance; positions are still monitored and closed.
var errMaintenance = errs.New(errs.Unavailable, "platform.maintenance")

// maintenance refuses calls during maintenance, with the planned end.
func (srv *Server) maintenance(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		if refusal := srv.maintenanceRefusal(); refusal != nil && !maintenanceCalls[c.Path()] {
			return srv.refuse(c, refusal)
		}
		return next(c)
	}
}

// maintenanceRefusal is the maintenance refusal; nil outside maintenance.
func (srv *Server) maintenanceRefusal() *errs.Error {
	if !srv.Switches.On(switches.MaintenanceKey) {
		return nil
	}
	until, err := time.Parse(time.RFC3339, srv.Switches.Value(switches.MaintenanceEndKey))
	if err != nil {
		return errMaintenance
	}
	return errMaintenance.With("until", until.UnixMilli())
}

const principalKey = "principal"

// identify authenticates the caller. Identity comes from the header token alone, never from a cookie or a parameter.
func (srv *Server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		if publicCalls[c.Path()] {
			return next(c)
		}
		p, err := srv.Sessions.Check(c.Request().Context(), c.Request().Header.Get("apptoken"), device(c, ""))
		if err != nil {
			return srv.refuse(c, err)
		}
		switch {
		case p.Guest() && (realOnly[c.Path()] || registeredOnly[c.Path()]):
			return srv.refuse(c, trader.ErrGuest)
		case realOnly[c.Path()] && p.Mock():
			return srv.refuse(c, deposit.ErrMock)
		case p.Closing && (c.Request().Method != http.MethodGet || getsWithEffects[c.Path()]) && !closingCalls[c.Path()]:
			return srv.refuse(c, trader.ErrClosing)
		case tradesElsewhere(c, p):
			return srv.refuse(c, errSwitched)
		case contactFirst[c.Path()] && p.Contactless:
			return srv.refuse(c, trader.ErrContactFirst)
		}
		c.Set(principalKey, p)
		return next(c)
	}
}

// errSwitched refuses an order that was begun on an account which is no longer the session's.
var errSwitched = errs.New(errs.Conflict, "account.switched")

// tradesElsewhere reports whether a trading call names another account than the session's in the header accountId: another tab has switched meanwhile.
func tradesElsewhere(c *echo.Context, p session.Principal) bool {
	shown := c.Request().Header.Get("accountId")
	return shown != "" && shown != strconv.FormatInt(p.AccountID, 10) && c.Request().Method != http.MethodGet && strings.HasPrefix(c.Path(), "/client/trade/")
}

// principal is the authenticated caller; valid only after identify.
func principal(c *echo.Context) session.Principal {
	p, _ := c.Get(principalKey).(session.Principal)
	return p
}

// owner is the caller with their masked name, for acts that the audit log records; valid only after identify.
func (srv *Server) owner(c *echo.Context) (ledger.Owner, error) {
	p := principal(c)
	t, err := srv.Traders.Trader(c.Request().Context(), p.TraderID)
	return ledger.Owner{TraderID: p.TraderID, AccountID: p.AccountID, Country: p.Country, Name: t.MaskedName(), IP: c.RealIP(), Agent: c.Request().UserAgent(), TraceID: traceID(c)}, err
}

var traceForm = regexp.MustCompile(`^[0-9A-Za-z-]{8,64}$`)

// Trace gives every request a trace id: the client's when it is well formed, else a new one.
func Trace(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		id := c.Request().Header.Get("traceId")
		if !traceForm.MatchString(id) {
			raw := make([]byte, 8)
			_, _ = rand.Read(raw)
			id = hex.EncodeToString(raw)
		}
		c.Set("trace", id)
		return next(c)
	}
}

func traceID(c *echo.Context) string {
	id, _ := c.Get("trace").(string)
	return id
}

// language is the app's language, from the header.
func language(c *echo.Context) string {
	lang := c.Request().Header.Get("language")
	if len(lang) > 8 {
		return "en"
	}
	return lang
}

// device is the request's device.
func device(c *echo.Context, fingerprint string) session.Device {
	return session.Device{Fingerprint: fingerprint, UserAgent: c.Request().UserAgent(), IP: c.RealIP()}
}

// from is the request's origin for the audit log.
func from(c *echo.Context) audit.Actor {
	return audit.Actor{IP: c.RealIP(), Agent: c.Request().UserAgent(), TraceID: traceID(c)}
}

// body reads the request's JSON strictly into v: one value, known and unrepeated keys, the right types. Refusals name the field.
func body[T any](c *echo.Context) (v T, raw []byte, err error) {
	if !strings.HasPrefix(c.Request().Header.Get("Content-Type"), "application/json") {
		return v, nil, errs.New(errs.Invalid, "body_not_json")
	}
	raw, err = io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, maxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return v, nil, errs.New(errs.Invalid, "body_too_large")
	}
	if err != nil {
		return v, nil, errs.New(errs.Invalid, "body_not_json")
	}
	if hasZeroByte(raw) {
		return v, nil, errs.New(errs.Invalid, "body_not_json")
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(raw, &members); err != nil || members == nil {
		return v, nil, badJSON(err)
	}
	if err := json.Unmarshal(raw, &v, json.RejectUnknownMembers(true)); err != nil {
		return v, nil, badJSON(err)
	}
	for _, name := range required(reflect.TypeFor[T]()) {
		if value, ok := members[name]; !ok || string(value) == "null" {
			return v, nil, errs.Field(name, "field.required")
		}
	}
	return v, raw, nil
}

// hasZeroByte reports whether a text in a JSON body has a zero byte: no valid text has one, and the database can't store it.
func hasZeroByte(raw []byte) bool {
	if !bytes.Contains(raw, []byte(`\u0000`)) {
		return false
	}
	for decoder := jsontext.NewDecoder(bytes.NewReader(raw)); ; {
		token, err := decoder.ReadToken()
		if err != nil {
			return false // at the end, or invalid JSON, which the reader refuses
		}
		if token.Kind() == '"' && strings.ContainsRune(token.String(), 0) {
			return true
		}
	}
}

// required lists the contract's mandatory members: those that the generated type never omits.
func required(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		if name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); options == "" {
			names = append(names, name)
		}
	}
	return names
}

func badJSON(err error) error {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		reason := "field.type"
		if errors.Is(err, json.ErrUnknownName) {
			reason = "field.unknown"
		}
		return errs.Field(field(semantic.JSONPointer), reason)
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) && errors.Is(err, jsontext.ErrDuplicateName) {
		return errs.Field(field(syntactic.JSONPointer), "field.repeated")
	}
	return errs.New(errs.Invalid, "body_not_json")
}

func field(p jsontext.Pointer) string {
	name := strings.TrimPrefix(string(p), "/")
	if name == "" || len(name) > 64 {
		return "body"
	}
	return name
}

// amount reads a decimal string in units of 10^-scale.
func amount(name, text string, scale int) (int64, error) {
	v, err := money.Parse(text, scale)
	switch {
	case errors.Is(err, money.ErrPrecision):
		return 0, errs.Field(name, "field.precision")
	case errors.Is(err, money.ErrOverflow):
		return 0, errs.Field(name, "field.range")
	case err != nil:
		return 0, errs.Field(name, "field.number")
	case v <= 0:
		return 0, errs.Field(name, "field.positive")
	}
	return v, nil
}

// optional reads a decimal string that may be absent.
func optional(name string, text *string, scale int) (*int64, error) {
	if text == nil {
		return nil, nil
	}
	v, err := amount(name, *text, scale)
	return &v, err
}

// keyed is the idempotent request of a write.
func (srv *Server) keyed(c *echo.Context, raw []byte) idempotency.Request {
	return idempotency.Request{
		TraderID: principal(c).TraderID, Call: c.Path(), Key: c.Request().Header.Get("Idempotency-Key"), Body: raw, TraceID: traceID(c), At: srv.now(),
	}
}

// answer writes the response of a keyed write: every request with the key gets the first one's.
func answer[T, W any](c *echo.Context, result idempotency.Result[T], err error, wire func(T) W) error {
	if err != nil {
		return err
	}
	return respond(c, result.TraceID, wire(result.Value))
}

// pageOf reads a numbered page: size 8 by default, at most 100, within the first 20,000 rows. A keyset page (next) has no offset.
func pageOf(page, size *int, next *int64) (number, length, offset int, err error) {
	number, length = 1, 8
	if page != nil {
		number = *page
	}
	if size != nil {
		length = *size
	}
	if number < 1 || number > 10_000 || number*length > 20_000 {
		return 0, 0, 0, errs.Field("page", "field.range")
	}
	if length < 1 || length > 100 {
		return 0, 0, 0, errs.Field("size", "field.range")
	}
	if valueOrZero(next) != 0 {
		return number, length, 0, nil
	}
	return number, length, (number - 1) * length, nil
}
