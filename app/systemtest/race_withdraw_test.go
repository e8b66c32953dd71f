package systemtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/payee"
	"candor/app/payee/payeetest"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/platform/vault"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/withdrawal"
)

// acceptAll accepts every proof and every holder: racers with eight keys would need eight codes, since a code works once.
type acceptAll struct{}

func (acceptAll) Prove(context.Context, int64, trader.Proof) error { return nil }

func (acceptAll) WithdrawalLock(context.Context, int64) (until time.Time, reason string, err error) {
	return until, "", nil
}

func (acceptAll) VerifiedName(context.Context, int64) (string, error) { return "Example Payer", nil }

func (acceptAll) HolderIs(context.Context, int64, string) (bool, error) { return true, nil }

// HolderIsTx is HolderIs inside a transaction.
func (acceptAll) HolderIsTx(context.Context, *db.Tx, int64, string) (bool, error) { return true, nil }

// WithdrawalLockTx is WithdrawalLock inside a transaction.
func (f acceptAll) WithdrawalLockTx(_ *db.Tx, traderID int64) (until time.Time, reason string, err error) {
	return f.WithdrawalLock(context.Background(), traderID)
}

const (
	steps              = `SELECT coalesce(sum(version), 0) FROM withdrawals WHERE account_id = $1`
	withdrawalRequests = `SELECT count(*) FROM withdrawals WHERE account_id = $1`
	savedPayees        = `SELECT count(*) FROM payees p JOIN accounts a ON a.trader_id = p.trader_id WHERE a.id = $1`
)

// funded puts money on the entrant's real account.
func (e *entrant) funded(sum int64) *entrant {
	e.t.Helper()
	ctx := context.Background()
	require.NoError(e.t, e.platform.Database.InTx(ctx, func(tx *db.Tx) error { return fundRealTx(ctx, tx, e.owner.AccountID, sum) }))
	return e
}

// fundRealTx credits test money to a real account.
func fundRealTx(ctx context.Context, tx *db.Tx, accountID, sum int64) error {
	account, err := ledger.LockTx(ctx, tx, accountID)
	if err != nil {
		return err
	}
	_, err = ledger.PostTx(ctx, tx, ledger.Transaction{
		Kind: "test", Key: fmt.Sprint("came in:", accountID), Cause: "harness", Book: ledger.Real, At: time.Now(), Entries: account.Receive(sum),
	})
	return err
}

// chargeFees sets withdrawal fees, so that every part of the transaction is tested.
func chargeFees(ctx context.Context, d *db.DB) error {
	_, err := d.Pool.Exec(ctx, `INSERT INTO switches (key, value) VALUES ($1, '0.15'), ($2, '1.5')`, switches.WithdrawRateKey, switches.BankFeeKey)
	return err
}

// saved saves a payee of the entrant that has been usable since yesterday.
func (e *entrant) saved(kind withdrawal.Kind) (id int64) {
	e.t.Helper()
	id, err := savePayee(context.Background(), e.platform.Database.DB, e.keys, e.owner.TraderID, kind)
	require.NoError(e.t, err)
	return id
}

func savePayee(ctx context.Context, d *db.DB, keys *vault.Vault, traderID int64, kind withdrawal.Kind) (id int64, err error) {
	if kind == withdrawal.Crypto {
		err = d.Pool.QueryRow(ctx, `
			INSERT INTO payees (trader_id, kind, coin, chain, address, label, created_at, usable_from)
			VALUES ($1, 'address', 'USDT', 'ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'Mine', now() - interval '2 days', now() - interval '1 day') RETURNING id`, traderID).Scan(&id)
		return id, err
	}
	return payeetest.Bank(ctx, d, keys, payee.Payee{
		TraderID: traderID, Label: "Mine", Bank: "Sparkasse", IBAN: "DE89370400440532013000", BIC: "COBADEFFXXX",
		CreatedAt: time.Now().AddDate(0, 0, -2), UsableFrom: time.Now().AddDate(0, 0, -1),
	}, accountHolder)
}

// cheapHash hashes a secret with minimal cost: the races test the counting, not the hashing.
func cheapHash(secret string) (string, error) {
	return argon2id.CreateHash(secret, &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
}

const raceLogin = "correct horse battery"

// secrets gives the entrant a login password, a payment password and a code for a purpose.
func (e *entrant) secrets(purpose session.Purpose, about string, paid bool) (code string) {
	e.t.Helper()
	ctx, d := context.Background(), e.platform.Database.DB
	login, err := cheapHash(raceLogin)
	require.NoError(e.t, err)
	var contact string
	require.NoError(e.t, d.Pool.QueryRow(ctx, `UPDATE traders SET password_hash = $2 WHERE id = $1 RETURNING email`, e.owner.TraderID, login).Scan(&contact))
	if paid {
		hash, err := cheapHash(paymentPassword)
		require.NoError(e.t, err)
		_, err = d.Pool.Exec(ctx, `INSERT INTO payment_passwords (trader_id, hash, changed_at) VALUES ($1, $2, now())`, e.owner.TraderID, hash)
		require.NoError(e.t, err)
	}
	if purpose == "" {
		return ""
	}
	require.NoError(e.t, d.InTx(ctx, func(tx *db.Tx) (err error) {
		code, err = session.New(d, clock.Real{}, nil).IssueCodeTx(ctx, tx, purpose.To(contact).With(about), purpose.Usual(e.handle))
		return err
	}))
	return code
}

// verified prepares the entrant for withdrawals through the API.
func (e *entrant) verified() {
	e.t.Helper()
	require.NoError(e.t, e.reviewers.verify(context.Background(), e.identities, e.owner.TraderID))
	_, err := e.platform.Database.Pool.Exec(context.Background(), `UPDATE traders SET level = 2 WHERE id = $1`, e.owner.TraderID)
	require.NoError(e.t, err)
}

// moneyOut is a body with a proof for an act.
func (e *entrant) moneyOut(act trader.MoneyOut, fields string) string {
	e.verified()
	return fmt.Sprintf(`{%s,"payPassword":%q,"validCode":%q}`, fields, paymentPassword, e.secrets(session.MoneyOutCode, act.About(), true))
}

func (e *entrant) withdrawalOwner() ledger.Owner {
	return ledger.Owner{TraderID: e.owner.TraderID, AccountID: e.owner.AccountID, Name: e.handle, IP: "192.0.2.7", TraceID: "trace-race-0001"}
}

func (e *entrant) keyed(key string) idempotency.Request {
	return idempotency.Request{TraderID: e.owner.TraderID, Call: "race", Key: key}
}

// serviceOutcome is the outcome of a service call.
func serviceOutcome[T any](answer T, err error) outcome {
	if err == nil {
		var raw []byte
		if raw, err = json.Marshal(answer); err == nil {
			return outcome{code: "ok", raw: string(raw)}
		}
	}
	if refusal := errs.As(err); refusal != nil {
		return outcome{code: refusal.Key, raw: err.Error()}
	}
	return outcome{raw: err.Error()}
}

// requestWithdrawal requests a withdrawal without a proof.
func (e *entrant) requestWithdrawal(kind withdrawal.Kind, payeeID, sum int64) func(key string) outcome {
	return func(key string) outcome {
		return serviceOutcome(e.payouts.Request(context.Background(), e.withdrawalOwner(), kind, payeeID, sum, trader.Proof{}, e.keyed(key)))
	}
}

// withdrawContests are races over the traders' withdrawal calls.
func withdrawContests() []contest {
	whole := dollars(500)
	return []contest{
		{
			name: "InsertBankWithdraw", effects: withdrawalRequests, maxEffects: 1, losers: []string{"withdrawal.funds"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				ask := e.funded(whole).requestWithdrawal(withdrawal.ByBank, e.saved(withdrawal.ByBank), whole)
				return func(_ int, key string) outcome { return ask(key) }, nil
			},
		},
		{
			name: "InsertStandardWithdraw", effects: withdrawalRequests, maxEffects: 1, losers: []string{"withdrawal.funds"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				ask := e.funded(whole).requestWithdrawal(withdrawal.Crypto, e.saved(withdrawal.Crypto), whole)
				return func(_ int, key string) outcome { return ask(key) }, nil
			},
		},
		{
			name: "InsertDaifuWithdraw", effects: withdrawalRequests, maxEffects: 1, losers: []string{"withdrawal.funds"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				ask := e.funded(whole).requestWithdrawal(withdrawal.ByAgent, e.saved(withdrawal.ByAgent), whole)
				return func(_ int, key string) outcome { return ask(key) }, nil
			},
		},
		{
			name: "FullBalanceByEveryWay", effects: withdrawalRequests, maxEffects: 1, ownKeys: true, losers: []string{"withdrawal.funds"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				e.funded(whole)
				bank, address := e.saved(withdrawal.ByBank), e.saved(withdrawal.Crypto)
				ways := []func(string) outcome{e.requestWithdrawal(withdrawal.ByBank, bank, whole), e.requestWithdrawal(withdrawal.ByAgent, bank, whole), e.requestWithdrawal(withdrawal.Crypto, address, whole)}
				return func(n int, key string) outcome { return ways[n%len(ways)](key) }, nil
			},
		},
		{
			name: "FullBalanceOrAPosition", effects: `SELECT (` + withdrawalRequests + `) + (` + openings + `)`, maxEffects: 1, ownKeys: true, losers: []string{"withdrawal.funds", "order.no_margin"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				ask := e.funded(dollars(60)).requestWithdrawal(withdrawal.ByBank, e.saved(withdrawal.ByBank), dollars(60))
				open := e.post("trade/insertOrder", marketOrder("buy", "0.01"))
				return func(n int, key string) outcome {
					if n%2 == 0 {
						return ask(key)
					}
					return open(n, key)
				}, nil
			},
		},
		{
			name: "FiveUnderWay", effects: withdrawalRequests, maxEffects: 5, ownKeys: true, losers: []string{"withdrawal.too_many"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				ask := e.funded(whole).requestWithdrawal(withdrawal.ByBank, e.saved(withdrawal.ByBank), dollars(20))
				return func(_ int, key string) outcome { return ask(key) }, nil
			},
		},
		{
			name: "WithdrawWithOneCode", oneCode: true, effects: withdrawalRequests, maxEffects: 1, losers: []string{"code.wrong", "busy", "payment_password.locked"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				to := e.saved(withdrawal.ByBank)
				body := e.funded(whole).moneyOut(trader.MoneyOut{Act: trader.Withdraw, Payee: to, Amount: dollars(20)}, fmt.Sprintf(`"walletId":%d,"amount":"20"`, to))
				return e.post("withdraw/insertBankWithdraw", body), nil
			},
		},
		{
			name: "CancelWithdraw", effects: withdrawalRequests + ` AND state = 'cancelled'`, maxEffects: 1, losers: []string{"withdrawal.state"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("withdraw/cancelWithdraw", at("withdrawId", e.underWay().ID)), nil
			},
		},
		{
			name: "ReplyWithdraw", effects: withdrawalRequests + ` AND state = 'review' AND answer <> ''`, maxEffects: 1, losers: []string{"withdrawal.state"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("withdraw/replyWithdraw", at("withdrawId", e.withdrawalIn(withdrawal.MoreInfo).ID, `,"answer":"From my salary."`)), nil
			},
		},
		{
			name: "ReplyOrCancelWithdraw", effects: steps, open: true, losers: []string{"withdrawal.state"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				id := e.withdrawalIn(withdrawal.MoreInfo).ID
				return e.postEach([2]string{"withdraw/cancelWithdraw", at("withdrawId", id)}, [2]string{"withdraw/replyWithdraw", at("withdrawId", id, `,"answer":"From my salary."`)}), nil
			},
		},
	}
}

// payeeContests are races over saving and removing payees.
func payeeContests() []contest {
	const account = `"holder":"Anna Muster","bank":"Sparkasse","iban":"NL91ABNA0417164300","bic":"ABNANL2A","label":"New"`
	const address = `"coin":"USDT","chain":"tron","address":"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t","label":"Cold"`
	removed := savedPayees + ` AND removed_at IS NOT NULL`
	return []contest{
		{
			name: "BindUserWallet", oneCode: true, effects: savedPayees, maxEffects: 1, losers: []string{"code.wrong", "payee.exists", "busy", "payment_password.locked"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("userWallet/bindUserWallet", e.moneyOut(trader.MoneyOut{Act: trader.SaveAccount, Place: "NL91ABNA0417164300"}, account)), nil
			},
		},
		{
			name: "InsertUserAddress", oneCode: true, effects: savedPayees, maxEffects: 1, losers: []string{"code.wrong", "payee.exists", "busy", "payment_password.locked"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("userAddress/insertUserAddress", e.moneyOut(trader.MoneyOut{Act: trader.SaveAddress, Place: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"}, address)), nil
			},
		},
		{
			name: "SaveOnePayeeProved", effects: savedPayees, maxEffects: 1, losers: []string{"payee.exists"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				saved := payee.Account{Holder: "Anna Muster", Bank: "Sparkasse", IBAN: "NL91ABNA0417164300", BIC: "ABNANL2A", Label: "New"}
				return func(_ int, key string) outcome {
					return serviceOutcome(e.payees.Bind(context.Background(), e.withdrawalOwner(), saved, trader.Proof{}, e.keyed(key)))
				}, nil
			},
		},
		{
			name: "DeleteUserAddress", oneCode: true, effects: removed, maxEffects: 1, losers: []string{"code.wrong", "payee.unknown", "busy", "payment_password.locked"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				id := e.saved(withdrawal.Crypto)
				return e.post("userAddress/deleteUserAddress", e.moneyOut(trader.MoneyOut{Act: trader.DeletePayee, Payee: id}, fmt.Sprintf(`"addressId":%d`, id))), nil
			},
		},
		{
			name: "RemoveOnePayeeProved", effects: removed, maxEffects: 1, losers: []string{"payee.unknown"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				id := e.saved(withdrawal.ByBank)
				return func(_ int, key string) outcome {
					return serviceOutcome(e.payees.Remove(context.Background(), e.withdrawalOwner(), payee.AtBank, id, trader.Proof{}, e.keyed(key)))
				}, nil
			},
		},
		{
			name: "RemoveThePayeeOrSendThere", effects: `SELECT (` + withdrawalRequests + `) + (` + removed + `)`, open: true, ownKeys: true, losers: []string{"payee.unknown", "withdrawal.funds"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				id := e.funded(dollars(100)).saved(withdrawal.ByBank)
				ask := e.requestWithdrawal(withdrawal.ByBank, id, dollars(100))
				return func(n int, key string) outcome {
					if n%2 == 0 {
						return ask(key)
					}
					return serviceOutcome(e.payees.Remove(context.Background(), e.withdrawalOwner(), payee.AtBank, id, trader.Proof{}, e.keyed(key)))
				}, nil
			},
		},
	}
}

// secretContests are races over the payment password, its failed attempts, and codes.
func secretContests() []contest {
	version := `SELECT coalesce(sum(p.version), 0) FROM payment_passwords p JOIN accounts a ON a.trader_id = p.trader_id WHERE a.id = $1`
	gone := []string{"code.wrong", "busy", "login.too_many", "payment_password.set", "payment_password.locked", "payment_password.wrong", "changed_meanwhile"}
	body := func(e *entrant, fields string, paid bool) string {
		return fmt.Sprintf(`{%s,"newPassword":"739104","validCode":%q}`, fields, e.secrets(session.PaymentPasswordCode, "", paid))
	}
	return []contest{
		{
			name: "SetPayPassword", effects: version, maxEffects: 1, ownKeys: true, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("user/updatePayPassword", body(e, fmt.Sprintf(`"password":%q`, raceLogin), false)), nil
			},
		},
		{
			name: "ChangePayPassword", effects: version, maxEffects: 1, ownKeys: true, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("user/updatePayPassword", body(e, fmt.Sprintf(`"oldPassword":%q`, paymentPassword), true)), nil
			},
		},
		{
			name: "ResetPayPassword", effects: version, maxEffects: 1, ownKeys: true, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("user/resetPayPassword", body(e, fmt.Sprintf(`"password":%q`, raceLogin), true)), nil
			},
		},
		{ // four attempts are answered with the number left, the fifth locks: no sixth is compared
			name: "WrongPayPasswords", maxEffects: 4, ownKeys: true, losers: []string{"payment_password.locked"},
			effects: `SELECT coalesce(sum(failures - (failures = 5 AND locked_until > now())::int), 0) FROM payment_passwords p JOIN accounts a ON a.trader_id = p.trader_id WHERE a.id = $1`,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				e.verified()
				e.secrets("", "", true)
				try := e.post("withdraw/insertBankWithdraw", fmt.Sprintf(`{"walletId":%d,"amount":"20","payPassword":"000000","validCode":"000000"}`, e.funded(dollars(100)).saved(withdrawal.ByBank)))
				return func(n int, key string) outcome {
					r := try(n, key)
					if r.code == "payment_password.wrong" {
						r.code = "ok"
					}
					return r
				}, nil
			},
		},
		{ // all eight get the same answer; the number of comparisons counts
			name: "WrongCodes", maxEffects: 0, ownKeys: true, score: noEffect, losers: []string{"code.wrong", "busy", "payment_password.locked"},
			effects: `SELECT greatest(coalesce(sum(c.tries), 0) - 5, 0) FROM codes c JOIN traders t ON t.email = c.address JOIN accounts a ON a.trader_id = t.id WHERE a.id = $1`,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				wrong := "000000"
				e.verified()
				to := e.funded(dollars(100)).saved(withdrawal.ByBank)
				if e.secrets(session.MoneyOutCode, trader.MoneyOut{Act: trader.Withdraw, Payee: to, Amount: dollars(20)}.About(), true) == wrong {
					wrong = "000001"
				}
				body := fmt.Sprintf(`{"walletId":%d,"amount":"20","payPassword":%q,"validCode":%q}`, to, paymentPassword, wrong)
				return e.post("withdraw/insertBankWithdraw", body), nil
			},
		},
		{
			name: "SendMoneyOutValidCode", maxEffects: 1, ownKeys: true, losers: []string{"code.too_soon", "code.too_many"},
			effects: `SELECT count(*) FROM codes c JOIN traders t ON t.email = c.address JOIN accounts a ON a.trader_id = t.id WHERE a.id = $1`,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				e.forgetSource()
				return func(int, string) outcome {
					return e.send(http.MethodPost, "user/sendMoneyOutValidCode", `{"act":"only_saved"}`, "")
				}, nil
			},
		},
	}
}

// forgetSource resets this machine's daily limit of fifty codes.
func (e *entrant) forgetSource() {
	_, err := e.platform.Database.Pool.Exec(context.Background(), `DELETE FROM throttles WHERE name = 'codes_ip'`)
	require.NoError(e.t, err)
}
