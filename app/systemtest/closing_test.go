package systemtest

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/money"
	"candor/app/platform/vault/vaulttest"
	"candor/app/withdrawal"
)

// leaver is a trader who registered through the API, and what they left with us.
type leaver struct {
	*apiFixture
	t        *testing.T
	outbox   *mail.Outbox
	account  string
	password string
	token    string
	traderID int64
}

func newLeaver(t *testing.T) *leaver {
	t.Helper()
	r := newAPIFixture(t)
	queue, err := jobs.New(r.platform.Database.Pool) // never started
	require.NoError(t, err)
	l := &leaver{apiFixture: r, t: t, account: "canary.address@example.com", password: "canary battery staple"}
	l.outbox = mail.New(mail.Config{DB: r.platform.Database.DB, Clock: r.platform.Clock, Queue: queue, Vault: r.vault(t), KeepUnsent: true})
	require.Equal(t, "ok", l.ask("/client/user/sendRegisterValidCode", map[string]any{"account": l.account}, r.withSolution(t)))
	raw := l.answer("/client/user/register", map[string]any{
		"account": l.account, "password": l.password, "validCode": r.mailedCode(t, l.outbox, l.account), "country": "CH", "language": "en", "deviceId": "canary-fingerprint-01", "accepted": true,
	}, nil)
	data, ok := raw["data"].(map[string]any)
	require.True(t, ok, raw)
	l.token = data["token"].(string)
	l.traderID = int64(data["user"].(map[string]any)["userId"].(float64))
	return l
}

func (l *leaver) answer(path string, body map[string]any, change func(*http.Request)) map[string]any {
	l.t.Helper()
	raw, err := json.Marshal(body)
	require.NoError(l.t, err)
	_, answer, _ := l.call(l.t, http.MethodPost, path, l.token, raw, change)
	return answer
}

// ask makes a call and returns its code.
func (l *leaver) ask(path string, body map[string]any, change func(*http.Request)) string {
	l.t.Helper()
	return fmt.Sprint(l.answer(path, body, change)["code"])
}

func (l *leaver) info() map[string]any {
	l.t.Helper()
	_, answer, raw := l.call(l.t, http.MethodGet, "/client/user/findPersonalInfo", l.token, nil, nil)
	data, ok := answer["data"].(map[string]any)
	require.True(l.t, ok, raw)
	return data
}

// proof is a proof of an act, with the code from the mailbox.
func (l *leaver) proof(act string) map[string]any {
	l.t.Helper()
	l.exec(`UPDATE codes SET created_at = created_at - interval '1 minute'`)
	require.Equal(l.t, "ok", l.ask("/client/user/sendSecurityValidCode", map[string]any{"act": act}, nil))
	return map[string]any{"password": l.password, "validCode": l.mailedCode(l.t, l.outbox, l.account)}
}

// exec changes rows as the owner of the database, which may more than the server.
func (l *leaver) exec(sql string, args ...any) {
	l.t.Helper()
	conn, err := pgx.Connect(l.t.Context(), l.test.OwnerURL)
	require.NoError(l.t, err)
	_, err = conn.Exec(l.t.Context(), sql, args...)
	require.NoError(l.t, errors.Join(err, conn.Close(context.Background())))
}

// exported waits until the copy of the data is ready.
func (l *leaver) exported() {
	l.t.Helper()
	for end := time.Now().Add(20 * time.Second); l.info()["dataExport"].(map[string]any)["state"] != "ready"; time.Sleep(50 * time.Millisecond) {
		require.True(l.t, time.Now().Before(end), "the copy is not made: %s", l.failures())
	}
}

// failures are the errors of jobs.
func (l *leaver) failures() (out string) {
	l.t.Helper()
	require.NoError(l.t, l.platform.Database.Pool.QueryRow(l.t.Context(), `SELECT coalesce(string_agg(kind || ': ' || (errors[cardinality(errors)]->>'error'), '; '), '') FROM river_job WHERE errors IS NOT NULL`).Scan(&out))
	return out
}

// run runs a scheduled job now.
func (l *leaver) run(name string) {
	l.t.Helper()
	for _, job := range l.platform.PeriodicJobs() {
		if job.Name == name {
			require.NoError(l.t, job.Run(l.t.Context()))
			return
		}
	}
	require.Fail(l.t, "there is no such job", name)
}

const closingJob = "close the accounts whose time has come"

// due lets the 14 days pass, and takes one step.
func (l *leaver) due() {
	l.t.Helper()
	l.exec(`UPDATE traders SET closes_at = now() - interval '1 second' WHERE id = $1 AND closes_at IS NOT NULL`, l.traderID)
	l.run(closingJob)
}

func (l *leaver) kinds() (kinds []string) {
	l.t.Helper()
	list, err := l.outbox.List(l.t.Context(), l.account, 50)
	require.NoError(l.t, err)
	for _, m := range list {
		kinds = append(kinds, m.Kind)
	}
	return kinds
}

func TestClosingAnAccount(t *testing.T) {
	t.Parallel()
	t.Run("TakesAProofAndFourteenDays", func(t *testing.T) {
		t.Parallel()
		l := newLeaver(t)
		require.Equal(t, "login.password_wrong", l.ask("/client/user/closeAccount", map[string]any{"password": "not the password", "validCode": "123456"}, nil))
		require.Nil(t, l.info()["closesAt"])
		require.Equal(t, "closing.not_asked", l.ask("/client/user/reopenAccount", nil, nil))
		require.Equal(t, "ok", l.ask("/client/user/closeAccount", l.proof("close_account"), nil))
		require.WithinDuration(t, time.Now().Add(14*24*time.Hour), time.UnixMilli(int64(l.info()["closesAt"].(float64))), time.Minute)
		require.Contains(t, l.kinds(), "closing")
		require.Equal(t, "closing.asked", l.ask("/client/user/closeAccount", l.proof("close_account"), nil))
		l.run(closingJob)
		require.NotNil(t, l.info()["closesAt"], "not before its time")
	})
	t.Run("NothingElseWorksUntilItIsKept", func(t *testing.T) {
		t.Parallel()
		l := newLeaver(t)
		require.Equal(t, "ok", l.ask("/client/user/closeAccount", l.proof("close_account"), nil))
		for _, path := range []string{"/client/user/updateFavouriteList", "/client/recharge/insertBankRecharge", "/client/trade/insertOrder", "/client/user/updatePersonalInfo"} {
			require.Equal(t, "closing.asked", l.ask(path, validBodies["Favourites"], withKey("closing")), path)
		}
		require.Equal(t, "ok", l.ask("/client/user/reopenAccount", nil, nil))
		require.Equal(t, "ok", l.ask("/client/user/updateFavouriteList", validBodies["Favourites"], nil))
		require.Nil(t, l.info()["closesAt"])
		require.Contains(t, l.kinds(), "reopened")
		l.due()
		require.NotContains(t, l.kinds(), "closed")
	})
	t.Run("NotWithOpenBusiness", func(t *testing.T) {
		t.Parallel()
		l := newLeaver(t)
		require.Equal(t, "ok", l.ask("/client/recharge/insertBankRecharge", map[string]any{"channelId": l.number(t, `SELECT min(id) FROM pay_channels`), "amount": "100"}, withKey("deposit")))
		require.Equal(t, []any{"deposit"}, l.info()["openBusiness"])
		require.Equal(t, "closing.business", l.ask("/client/user/closeAccount", l.proof("close_account"), nil))
	})
	t.Run("MoneyThatArrivesMeanwhileKeepsItOpen", func(t *testing.T) {
		t.Parallel()
		l := newLeaver(t)
		require.Equal(t, "ok", l.ask("/client/user/closeAccount", l.proof("close_account"), nil))
		l.exec(`UPDATE traders SET closes_at = NULL WHERE id = $1`, l.traderID)
		require.Equal(t, "ok", l.ask("/client/recharge/insertBankRecharge", map[string]any{"channelId": l.number(t, `SELECT min(id) FROM pay_channels`), "amount": "100"}, withKey("deposit")))
		l.exec(`UPDATE traders SET closes_at = now() WHERE id = $1`, l.traderID)
		l.due()
		require.Nil(t, l.info()["closesAt"])
		require.Contains(t, l.kinds(), "kept_open")
	})
	t.Run("OthersAreSignedOutAndTheirsStays", func(t *testing.T) {
		t.Parallel()
		l := newLeaver(t)
		other := realSession(t, l.platform.Database.DB, l.otherOwner.TraderID)
		mine := l.token
		require.Equal(t, "ok", l.ask("/client/user/closeAccount", l.proof("close_account"), nil))
		l.due()
		l.due()
		_, answer, raw := l.call(t, http.MethodGet, "/client/user/findUserInfo", mine, nil, nil)
		require.Equal(t, "token_invalid", answer["code"], raw)
		_, answer, raw = l.call(t, http.MethodGet, "/client/user/findUserInfo", other, nil, nil)
		require.Equal(t, "ok", answer["code"], raw)
		require.EqualValues(t, 1, l.number(t, `SELECT count(*) FROM traders WHERE closed_at IS NOT NULL`))
		l.token = ""
		require.Equal(t, "ok", l.ask("/client/user/sendRegisterValidCode", map[string]any{"account": l.account}, l.withSolution(t)))
		require.Contains(t, l.kinds(), "register_code", "the address can be used again")
	})
}

// TestClosingErases plants texts wherever a trader leaves any, closes the account, and searches every table, file and log for them. It sets the log of the whole
// program, so it runs alone.
func TestClosingErases(t *testing.T) {
	var logged vaulttest.Log
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	l := newLeaver(t)
	planted := l.plant()
	dump := vaulttest.Dump(t, l.platform.Database.Pool)
	for _, p := range planted {
		if !p.sealed {
			require.True(t, vaulttest.Found(dump, p.text), "%s must be there before: %s", p.where, p.text)
		}
	}
	require.Equal(t, "ok", l.ask("/client/user/closeAccount", l.proof("close_account"), nil))
	planted = append(planted, // with a passkey mailed codes prove nothing any more, and a session that moves ends
		plant{where: "the passkey", text: "Canary key ring"}, plant{where: "the session's browser", text: "Canary Session Browser"}, plant{where: "the session's address", text: "198.51.100.238"})
	require.GreaterOrEqual(t, len(planted), 20)
	l.exec(`UPDATE trader_sessions SET browser = 'Canary Session Browser', ip = '198.51.100.238' WHERE trader_id = $1`, l.traderID)
	l.exec(`INSERT INTO factor_owners (trader_id, handle) VALUES ($1, decode(repeat('ab', 64), 'hex'))`, l.traderID)
	l.exec(`INSERT INTO passkeys (owner_id, credential_id, credential, name, created_at) SELECT id, '\x01', '{}', 'Canary key ring', now() FROM factor_owners WHERE trader_id = $1`, l.traderID)
	l.due()
	require.Contains(t, l.kinds(), "closed", "told for the last time, before the address goes")
	l.due()

	dump = vaulttest.Dump(t, l.platform.Database.Pool)
	files := vaulttest.Files(t, l.platform.Config.DataDir)
	for _, p := range planted {
		require.False(t, vaulttest.Found(dump, p.text), "%s stays in a table: %v", p.where, l.tablesWith(t, p.text))
		require.False(t, vaulttest.Found(files, p.text), "%s stays in a file", p.where)
		require.False(t, vaulttest.Found(logged.String(), p.text), "%s stays in a log", p.where)
	}
	require.True(t, vaulttest.Found(dump, "trader.closed"), "the search finds what is there")
	require.EqualValues(t, 1, l.number(t, `SELECT count(*) FROM payees WHERE trader_id = $1`, l.traderID), "the payee that was paid is kept")
	l.run(closingJob)
	require.EqualValues(t, 1, l.number(t, `SELECT count(*) FROM audit_entries WHERE action = 'trader.closed'`), "once")
}

type plant struct {
	where, text string
	sealed      bool // not readable even before
}

// plant leaves a text in every place that traders write to, or that is written about them, and that the law does not keep.
func (l *leaver) plant() (list []plant) {
	l.t.Helper()
	add := func(where, text string) string {
		list = append(list, plant{where: where, text: text})
		return text
	}
	seal := func(where, text string) string {
		list = append(list, plant{where, text, true})
		return text
	}
	add("the e-mail address", l.account)
	seal("the password", l.password)
	seal("the device's fingerprint", "canary-fingerprint-01")
	seal("the session's token", l.token)
	l.exec(`UPDATE traders SET phone = $2 WHERE id = $1`, l.traderID, add("the telephone", "+41791870318"))
	require.Equal(l.t, "ok", l.ask("/client/user/updatePersonalInfo", map[string]any{"nickname": add("the nickname", "Canary Nightingale"), "marketing": true}, nil))
	require.Equal(l.t, "ok", l.ask("/client/user/updatePhrase", map[string]any{"phrase": add("the phrase", "canary sings twice"), "password": l.password}, nil))
	accounts, err := ledger.List(l.t.Context(), l.platform.Database.Pool, l.traderID)
	require.NoError(l.t, err)
	require.Equal(l.t, "ok", l.ask("/client/user/renameAccount", map[string]any{"accountId": accounts[0].ID, "name": add("the name of an account", "Canary swing account")}, nil))
	l.exec(`UPDATE trader_profiles SET avatar = convert_to($2, 'UTF8'), avatar_at = now() WHERE trader_id = $1`, l.traderID, add("the picture", "canary-drawn-portrait"))
	l.exec(`UPDATE devices SET name = $2, last_ip = $3 WHERE trader_id = $1`, l.traderID, add("the device", "Canary Browser, CanaryOS"), add("the address of the device", "198.51.100.237"))
	unused := l.payee(l.t, l.traderID, withdrawal.Crypto)
	l.exec(`UPDATE payees SET label = $2, memo = $3 WHERE id = $1`, unused, add("the payee's label", "Canary savings"), add("the payee's memo", "canary-memo-4711"))
	paid := l.payee(l.t, l.traderID, withdrawal.ByBank)
	l.exec(`UPDATE payees SET label = $2 WHERE id = $1`, paid, add("the label of a payee that was paid", "Canary salary"))
	l.paidOnce(paid)
	draft := map[string]any{"country": "CH", "documentType": "passport", "fullName": seal("the name in a draft", "Canaria Songbird"), "number": seal("the number in a draft", "QZX7001KVW")}
	require.Equal(l.t, "ok", l.ask("/client/userAuth/saveDraft", draft, nil))
	l.exec(`INSERT INTO user_messages (trader_id, category, key, args, cause, at, in_app) VALUES ($1, 'security', 'message.frozen', jsonb_build_object('name', $2::text), 'canary', now(), true)`, l.traderID, add("a message", "canary-message-words"))
	l.exec(`UPDATE outbox SET subject = $2 WHERE id = (SELECT max(id) FROM outbox WHERE recipient = $1)`, l.account, add("the subject of a mail", "Canary subject line"))
	l.exec(`INSERT INTO idempotency_keys (trader_id, call, key, body_hash, trace_id, created_at, result) VALUES ($1, 'test', 'k', '\x01', 't', now(), convert_to($2, 'UTF8'))`, l.traderID, add("a stored answer", "canary-stored-answer"))
	l.flagged(add("the note on a conduct flag", "canary shouted at us"), add("the appeal against a conduct flag", "canary was only singing"))
	require.Equal(l.t, "ok", l.ask("/client/user/insertDataExport", nil, nil))
	l.exported()
	return list
}

// flagged is the trader's conduct in a chat, flagged and appealed against.
func (l *leaver) flagged(note, appeal string) {
	l.t.Helper()
	l.exec(`
		WITH member AS (INSERT INTO staff (email, name, state, created_at) VALUES ('flags@house.example', 'Agent', 'invited', now()) RETURNING id),
			talk AS (INSERT INTO conversations (trader_id, language, state, agent_id, created_at, moved_at) SELECT $1, 'en', 'open', id, now(), now() FROM member RETURNING id, agent_id)
		INSERT INTO conduct_flags (trader_id, conversation_id, reason, note, made_by, made_at, day, appeal, appealed_at) SELECT $1, id, 'abuse', $2, agent_id, now(), now(), $3, now() FROM talk`, l.traderID, note, appeal)
}

// paidOnce makes a withdrawal to a payee that has ended.
func (l *leaver) paidOnce(payeeID int64) {
	l.t.Helper()
	accounts, err := ledger.List(l.t.Context(), l.platform.Database.Pool, l.traderID)
	require.NoError(l.t, err)
	for _, amount := range []int64{money.Unit, -money.Unit} {
		require.NoError(l.t, l.platform.Database.InTx(l.t.Context(), func(tx *db.Tx) error {
			_, err := ledger.PostTx(l.t.Context(), tx, ledger.Transaction{
				Kind: "test", Key: fmt.Sprint("leaver", amount > 0), Cause: "test", Book: ledger.Real, At: time.Now(), Entries: accounts[0].Adjust(amount),
			})
			return err
		}))
	}
	l.exec(`
		INSERT INTO withdrawals (trader_id, account_id, payee_id, kind, currency, amount, fee, bank, iban, bic, chain, address, memo, risk, risk_reasons, state, taken_id, back_id, reason, created_at, moved_at, ended_at, holder_key, holder_sealed)
		SELECT p.trader_id, a.id, p.id, CASE p.kind::text WHEN 'address' THEN 'standard' ELSE 'bank' END, a.currency, 1000000, 0, p.bank, p.iban, p.bic, p.chain, p.address, p.memo, 0, '', 'cancelled', t.id, t.id, 'trader', now(), now(), now(), p.holder_key, p.holder_sealed
		FROM payees p JOIN accounts a ON a.trader_id = p.trader_id AND a.book = 'real', ledger_transactions t WHERE p.id = $1 AND t.key = 'leavertrue' LIMIT 1`, payeeID)
}

// TestDataExport compares the copy of a trader's data with the database.
func TestDataExport(t *testing.T) {
	t.Parallel()
	g := newGuesser(t)
	l := &leaver{apiFixture: g.apiFixture, t: t, account: g.contact, password: raceLogin, token: g.real, traderID: g.traderID}
	queue, err := jobs.New(g.platform.Database.Pool)
	require.NoError(t, err)
	l.outbox = mail.New(mail.Config{DB: g.platform.Database.DB, Clock: g.platform.Clock, Queue: queue, Vault: g.vault(t), KeepUnsent: true})
	require.Equal(t, "data_export.unknown", l.ask("/client/user/downloadDataExport", l.proof("read_export"), nil))
	l.must(t, l.token, "/client/user/openAccount", map[string]any{"mock": false, "name": "Swing", "leverageCeiling": 50, "netting": true}, "another")
	require.Equal(t, "ok", l.ask("/client/user/insertDataExport", nil, nil))
	require.Equal(t, "data_export.soon", l.ask("/client/user/insertDataExport", nil, nil))
	l.exported()
	require.Contains(t, l.kinds(), "data_export")
	require.Equal(t, "login.password_wrong", l.ask("/client/user/downloadDataExport", map[string]any{"password": "wrong", "validCode": "000000"}, nil), "a session alone opens nothing")

	proof, err := json.Marshal(l.proof("read_export"))
	require.NoError(t, err)
	answer := l.send(t, http.MethodPost, "/client/user/downloadDataExport", l.token, proof, nil)
	require.Equal(t, "application/zip", answer.header.Get("Content-Type"), answer.body)
	files := unzip(t, []byte(answer.body))
	var profile map[string]any
	require.NoError(t, json.Unmarshal(files["profile.json"], &profile))
	require.Equal(t, []any{float64(l.traderID), l.account, "CH"}, []any{profile["id"], profile["email"], profile["country"]})
	accounts, err := ledger.List(t.Context(), g.platform.Database.Pool, l.traderID)
	require.NoError(t, err)
	require.Greater(t, len(accounts), 2)
	for _, account := range accounts {
		var copied map[string]any
		require.NoError(t, json.Unmarshal(files[fmt.Sprintf("accounts/%d.json", account.ID)], &copied), account.ID)
		require.Equal(t, []any{float64(account.Number), account.Name, float64(account.LeverageCeiling), account.Netting}, pick(copied, "number", "name", "leverage_ceiling", "netting"))
	}
	for name, sql := range map[string]string{
		fmt.Sprintf("accounts/%d/orders.csv", g.accountID): `SELECT count(*) FROM orders WHERE account_id = $2 AND type <> 'market' AND $1 > 0`,
		fmt.Sprintf("accounts/%d/fills.csv", g.accountID):  `SELECT count(*) FROM fills WHERE account_id = $2 AND $1 > 0`,
		fmt.Sprintf("accounts/%d/ledger.csv", g.accountID): `SELECT count(*) FROM postings WHERE account_id = $2 AND $1 > 0`,
		"deposits.csv": `SELECT count(*) FROM deposits WHERE trader_id = $1 AND $2 > 0`,
		"payees.csv":   `SELECT count(*) FROM payees WHERE trader_id = $1 AND $2 > 0`,
		"devices.csv":  `SELECT count(*) FROM devices WHERE trader_id = $1 AND $2 > 0`,
		"sessions.csv": `SELECT count(*) FROM trader_sessions WHERE trader_id = $1 AND $2 > 0`,
	} {
		rows, err := csv.NewReader(bytes.NewReader(files[name])).ReadAll()
		require.NoError(t, err, name)
		stored := g.number(t, sql, l.traderID, g.accountID)
		require.Positive(t, stored, name)
		require.Len(t, rows, int(stored)+1, "%s\n%s", name, files[name])
	}
	var identities []any
	for name, content := range files {
		if strings.HasPrefix(name, "identity/") && strings.HasSuffix(name, ".json") {
			var identity map[string]any
			require.NoError(t, json.Unmarshal(content, &identity))
			identities = append(identities, identity["name"])
		}
		require.False(t, vaulttest.Found(string(content), "bench1@example.com"), "%s has somebody else's data", name)
	}
	require.Equal(t, []any{"Anna Muster"}, identities)
	require.False(t, vaulttest.Found(vaulttest.Files(t, g.platform.Config.DataDir), "Anna Muster"), "at rest it is sealed")

	l.exec(`UPDATE data_exports SET expires_at = now() - interval '1 second'`)
	require.Equal(t, "expired", l.info()["dataExport"].(map[string]any)["state"])
	l.run("delete expired copies of data")
	require.Zero(t, g.number(t, `SELECT count(*) FROM data_exports WHERE file_key IS NOT NULL`))
	require.Equal(t, "data_export.unknown", l.ask("/client/user/downloadDataExport", l.proof("read_export"), nil))
}

func unzip(t *testing.T, raw []byte) map[string][]byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	require.NoError(t, err)
	files := map[string][]byte{}
	for _, f := range archive.File {
		r, err := f.Open()
		require.NoError(t, err)
		files[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	return files
}
