package systemtest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/platform/upload"
	"candor/app/session"
	"candor/app/trader"
)

const (
	requests = `SELECT count(*) FROM deposits WHERE account_id = $1`
	credits  = `SELECT count(*) FROM postings WHERE account_id = $1 AND amount > 0`
	ended    = `SELECT count(*) FROM deposits WHERE account_id = $1 AND decided_at IS NOT NULL`
)

// announceDeposit announces a bank transfer and returns the deposit's id.
func (e *entrant) announceDeposit() int64 {
	e.t.Helper()
	return e.done("recharge/insertBankRecharge", transfer).Data.RechargeID
}

const transfer = `{"channelId":1,"amount":"6000"}`

// proof is the body that submits a fresh proof.
func (e *entrant) proof(id int64) string {
	e.t.Helper()
	return at("rechargeId", id, fmt.Sprintf(`,"file":%q`, e.picture(id)))
}

// picture uploads a picture and returns its name.
func (e *entrant) picture(id int64) string {
	e.t.Helper()
	picture := fmt.Appendf(nil, "picture %d", id)
	_, err := e.platform.Database.Pool.Exec(context.Background(), `UPDATE files SET created_at = created_at - interval '1 day' WHERE trader_id = $1`, e.owner.TraderID) // avoids the daily limit
	require.NoError(e.t, err)
	file, err := e.deposits.SaveFile(context.Background(), e.owner.TraderID, upload.Picture{Bytes: picture, Width: 3, Height: 4, SHA256: sha256.Sum256(picture)})
	require.NoError(e.t, err)
	return file.Name
}

// proved is a deposit that awaits the desk.
func (e *entrant) proved() int64 {
	e.t.Helper()
	id := e.announceDeposit()
	e.done("recharge/updateRechargeProof", e.proof(id))
	return id
}

// noEffect scores every answer as no effect: all racers get the same answer, and only a second effect counts.
func noEffect(tradeAnswer) int { return 0 }

// moneyContests are races over deposits and single-use acts: opening the mock account with its money, its position mode, a guest account, a login link, a
// registration.
func moneyContests() []contest {
	return []contest{
		{
			name: "InsertBankRecharge", effects: requests, maxEffects: 5, losers: []string{"deposit.too_many"},
			prepare: func(e *entrant) (act, <-chan struct{}) { return e.post("recharge/insertBankRecharge", transfer), nil },
		},
		{
			name: "UpdateRechargeProof", effects: requests + ` AND state = 'proof_submitted'`, maxEffects: 1, losers: []string{"deposit.state"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("recharge/updateRechargeProof", e.proof(e.announceDeposit())), nil
			},
		},
		{
			name: "CancelRecharge", effects: ended, maxEffects: 1, losers: []string{"deposit.state"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("recharge/cancelRecharge", at("rechargeId", e.announceDeposit())), nil
			},
		},
		{
			name: "SwitchUser", maxEffects: 1, losers: []string{"token_invalid"}, ownKeys: true,
			effects: `SELECT count(*) FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.book = 'mock' AND a.trader_id = (SELECT trader_id FROM accounts WHERE id = $1) AND p.amount = 10000000000`,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return func(int, string) outcome { return e.send(http.MethodGet, "copy/switchUser?accountType=5", "", "") }, nil
			},
		},
		{
			name: "UpdateAccountMode", score: noEffect,
			effects: `SELECT greatest(count(*) - 1, 0) FROM audit_entries WHERE action = 'account.keep' AND target_id = $1::bigint::text`,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("trade/updateAccountMode", `{"netting":true}`), nil
			},
		},
		{
			name: "MiningLogin", score: noEffect, ownKeys: true,
			effects: `SELECT greatest(count(*) - 1, 0) FROM postings p JOIN accounts a ON a.id = p.account_id JOIN devices d ON d.trader_id = a.trader_id
				WHERE a.type = 8 AND d.fingerprint = sha256(convert_to('race-guest-device-' || $1::bigint, 'UTF8'))`,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				visit := trader.Visit{Language: "en", Device: session.Device{Fingerprint: fmt.Sprint("race-guest-device-", e.owner.AccountID), IP: e.handle}, TraceID: "trace-guest-0001"}
				return func(int, string) outcome {
					if _, err := e.traders.Try(context.Background(), visit); err != nil {
						return outcome{raw: err.Error()}
					}
					return outcome{code: "ok"}
				}, nil
			},
		},
		{
			name: "LoginByCode", maxEffects: 1, losers: []string{"login.link_used"}, ownKeys: true,
			effects: `SELECT count(*) FROM trader_sessions WHERE account_id = $1`,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				code := e.done("user/createLoginCode", `{}`).Data.LoginCode
				return e.post("user/loginByCode", fmt.Sprintf(`{"code":%q,"deviceId":"race-device-0000-0001"}`, code)), nil
			},
		},
		{
			name: "Register", maxEffects: 1, losers: []string{"code.wrong", "register.taken", "busy"}, ownKeys: true,
			effects: `SELECT count(*) FROM traders WHERE email = (SELECT 'new-' || t.email FROM traders t JOIN accounts a ON a.trader_id = t.id WHERE a.id = $1)`,
			prepare: prepareRegistration,
		},
	}
}

// addFunds puts USDT on the trader's real contract or funding account.
func (e *entrant) addFunds(kind ledger.Kind, amount int64) {
	e.t.Helper()
	ctx := context.Background()
	require.NoError(e.t, e.platform.Database.InTx(ctx, func(tx *db.Tx) error {
		account, err := ledger.LockTx(ctx, tx, e.owner.AccountID)
		if err == nil && kind == ledger.Funding {
			account, err = ledger.OpenFundingTx(ctx, tx, e.owner.TraderID, account.Type, account.Currency, time.Now())
		}
		if err != nil {
			return err
		}
		_, err = ledger.PostTx(ctx, tx, ledger.Transaction{
			Kind: "test", Key: "race:" + e.handle, Cause: "race", Book: ledger.Real, At: time.Now(), Entries: account.Receive(amount),
		})
		return err
	}))
}

// quoted requests a rate for 10 USDT.
func (e *entrant) quoted() string {
	e.t.Helper()
	r := e.send(http.MethodGet, "wallet/findNewWalletExchange?from=USDT&to=USD&amount=10", "", "")
	require.Equal(e.t, "ok", r.code, r.raw)
	var quote struct{ Data struct{ QuoteID int64 } }
	require.NoError(e.t, json.Unmarshal([]byte(r.raw), &quote))
	require.Positive(e.t, quote.Data.QuoteID)
	return at("quoteId", quote.Data.QuoteID)
}

const exchanged = `SELECT count(*) FROM exchanges WHERE trader_id = (SELECT trader_id FROM accounts WHERE id = $1)`

// walletContests are races over transfers and exchanges between a trader's own accounts.
func walletContests() []contest {
	return []contest{
		{
			name: "InsertTransfer", maxEffects: 3, losers: []string{"wallet.funds"}, effects: `SELECT count(*) FROM transfers WHERE from_account = $1`,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				e.addFunds(ledger.Contract, 30*money.Unit)
				return e.post("wallet/insertTransfer", `{"from":"contract","to":"funding","amount":"10"}`), nil
			},
		},
		{
			name: "InsertExchange", maxEffects: 1, losers: []string{"wallet.quote_used"}, effects: exchanged,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				e.addFunds(ledger.Funding, 100*money.Unit)
				return e.post("wallet/insertExchange", e.quoted()), nil
			},
		},
		{
			name: "InsertExchangeOfEachQuote", maxEffects: 2, losers: []string{"wallet.funds"}, effects: exchanged, ownKeys: true,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				e.addFunds(ledger.Funding, 25*money.Unit)
				var calls [][2]string
				for range racers {
					calls = append(calls, [2]string{"wallet/insertExchange", e.quoted()})
				}
				return e.postEach(calls...), nil
			},
		},
		{
			name: "InsertTransferOrExchange", maxEffects: 1, losers: []string{"wallet.funds", "wallet.quote_used"}, ownKeys: true,
			effects: `SELECT (` + exchanged + `) + (SELECT count(*) FROM transfers WHERE to_account = $1)`,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				e.addFunds(ledger.Funding, 10*money.Unit)
				return e.postEach(
					[2]string{"wallet/insertExchange", e.quoted()}, [2]string{"wallet/insertTransfer", `{"from":"funding","to":"contract","amount":"10"}`},
				), nil
			},
		},
	}
}

// prepareRegistration issues a registration code for a new address, bound to the racers' source.
func prepareRegistration(e *entrant) (act, <-chan struct{}) {
	d, address := e.platform.Database.DB, "new-"+e.handle+"@example.com"
	var code string
	err := d.InTx(context.Background(), func(tx *db.Tx) (err error) {
		code, err = session.New(d, e.platform.Clock, nil).IssueCodeTx(context.Background(), tx, session.RegisterCode.To(address), session.Stranger("127.0.0.1"))
		return err
	})
	require.NoError(e.t, err)
	return e.post("user/register", fmt.Sprintf(
		`{"account":%q,"password":"correct horse battery","validCode":%q,"country":"CH","language":"en","deviceId":"race-device-0000-0001","accepted":true}`, address, code)), nil
}

// hireDesk inserts a member of staff.
func hireDesk(t *testing.T, d *db.DB, n int) audit.Actor {
	t.Helper()
	name := fmt.Sprint("Desk ", n)
	var id int64
	err := d.Pool.QueryRow(t.Context(), `INSERT INTO staff (email, name, state, created_at) VALUES ($1, $2, 'invited', now()) RETURNING id`,
		fmt.Sprintf("desk%d@example.com", n), name).Scan(&id)
	require.NoError(t, err)
	return audit.Actor{Kind: audit.Staff, ID: id, Name: name, IP: "192.0.2.9", TraceID: "trace-desk-0001"}
}

// depositOutcome is the outcome of an act on a deposit.
func depositOutcome(_ deposit.Deposit, err error) outcome {
	if err == nil {
		return outcome{code: "ok"}
	}
	if refusal := errs.As(err); refusal != nil {
		return outcome{code: refusal.Key, raw: err.Error()}
	}
	return outcome{raw: err.Error()}
}

// claimed is a deposit that the maker has claimed.
func (e *entrant) claimed() deposit.Deposit {
	e.t.Helper()
	d, err := e.deposits.Claim(context.Background(), e.members[0], e.proved())
	require.NoError(e.t, err)
	return d
}

func (e *entrant) approve(by audit.Actor, d deposit.Deposit, sum int64) (deposit.Deposit, error) {
	return e.deposits.Approve(context.Background(), by, d.ID, d.Version, deposit.Statement{Received: sum, Reference: fmt.Sprint("BANK-", d.ID), Sender: "Example Payer"})
}

// approved is a deposit approved by the maker and claimed by its second person.
func (e *entrant) approved(second audit.Actor) deposit.Deposit {
	e.t.Helper()
	d := e.claimed()
	d, err := e.approve(e.members[0], d, d.Amount)
	require.NoError(e.t, err)
	d, err = e.deposits.Claim(context.Background(), second, d.ID)
	require.NoError(e.t, err)
	return d
}

// small is a claimed deposit that one person may credit.
func (e *entrant) small() deposit.Deposit {
	e.t.Helper()
	id := e.done("recharge/insertBankRecharge", `{"channelId":1,"amount":"100"}`).Data.RechargeID
	e.done("recharge/updateRechargeProof", e.proof(id))
	d, err := e.deposits.Claim(context.Background(), e.members[0], id)
	require.NoError(e.t, err)
	return d
}

// deskContests are races over the acts of the cash desk, through its service. They have no idempotency keys: states, versions and claims protect them.
func deskContests() []contest {
	gone := []string{"deposit.changed", "deposit.state", "deposit.not_claimed"}
	return []contest{
		{
			name: "DeskClaim", effects: requests + ` AND claimed_by IS NOT NULL`, maxEffects: 1, ownKeys: true, losers: []string{"deposit.claimed"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				id := e.proved()
				return func(n int, _ string) outcome {
					return depositOutcome(e.deposits.Claim(context.Background(), e.members[n], id))
				}, nil
			},
		},
		{
			name: "DeskCredit", effects: credits, maxEffects: 1, ownKeys: true, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.small()
				return func(int, string) outcome { return depositOutcome(e.approve(e.members[0], d, d.Amount)) }, nil
			},
		},
		{
			name: "DeskMaker", effects: requests + ` AND maker_id IS NOT NULL`, maxEffects: 1, ownKeys: true, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.claimed()
				return func(int, string) outcome { return depositOutcome(e.approve(e.members[0], d, d.Amount)) }, nil
			},
		},
		{
			name: "DeskChecker", effects: credits, maxEffects: 1, ownKeys: true, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.approved(e.members[1])
				return func(int, string) outcome {
					return depositOutcome(e.deposits.Confirm(context.Background(), e.members[1], d.ID, d.Version))
				}, nil
			},
		},
		{
			name: "DeskMakerAsChecker", effects: credits, maxEffects: 0, ownKeys: true, losers: []string{"deposit.same_person"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.approved(e.members[0])
				return func(int, string) outcome {
					return depositOutcome(e.deposits.Confirm(context.Background(), e.members[0], d.ID, d.Version))
				}, nil
			},
		},
		{
			name: "DeskCreditOrReject", effects: ended, maxEffects: 1, ownKeys: true, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				d := e.approved(e.members[1])
				return func(n int, _ string) outcome {
					if n%2 == 0 {
						return depositOutcome(e.deposits.Decline(context.Background(), e.members[1], d.ID, d.Version, false, "not_received", ""))
					}
					return depositOutcome(e.deposits.Confirm(context.Background(), e.members[1], d.ID, d.Version))
				}, nil
			},
		},
	}
}
