package systemtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/banking"
	"candor/app/bench"
	"candor/app/bonus"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/payee"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/money"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/platform/vault/vaulttest"
	"candor/app/provider"
	"candor/app/provider/sandbox"
	"candor/app/reconciliation"
	"candor/app/server"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/withdrawal"
	"candor/locales"
)

const (
	racers      = 8  // concurrent callers
	plainTrials = 10 // of each action in an ordinary test run; RACE_TRIALS sets another number
)

// contest is an action that racers perform at once.
type contest struct {
	name       string
	cash       int64                                   // the trader's initial mock money; 0 uses the empty real account
	prepare    func(e *entrant) (act, <-chan struct{}) // prepares the trader; the racers start at the signal, or at once when it is nil
	effects    string                                  // SQL that counts the action's effects in account $1
	each       int                                     // effects of one call; 0 is one
	unreported int                                     // effects that no answer reports, such as a query to a provider
	score      func(tradeAnswer) int                   // the effects that an answer reports, where that differs
	maxEffects int                                     // effects that the state allows to racers with different keys; all of them must happen
	open       bool                                    // any number of effects is valid, as long as answers and database agree
	ownKeys    bool                                    // skips the trial with one shared key: the calls have no keys, or differ
	losers     []string                                // codes that a loser may get
	oneCode    bool                                    // with one key and one code, a racer who finds the code used is refused, and may retry
	abreast    int                                     // trials prepared together when they wait for a signal
}

// act is one racer's call.
type act func(racer int, key string) outcome

// outcome is one racer's answer.
type outcome struct {
	code   string
	raw    string
	answer tradeAnswer
}

// raceFixture is the platform with members of staff.
type raceFixture struct {
	reviewers reviewers
	*apiFixture
	trials            int
	deposits          *deposit.Service
	traders           *trader.Service
	members           []audit.Actor
	leads             []audit.Actor
	identityReviewers []audit.Actor // decide about identities: they may not also decide about the same trader's money
	starter           *starter
	sandbox           *sandbox.Sandbox

	providers   *provider.Service
	withdrawals *withdrawal.Service // without proofs; the desk sends everything itself
	payouts     *withdrawal.Service // the same with a provider that sends
	adjustments *adjustment.Service
	payees      *payee.Service // without proofs
	identities  *kyc.Service
	books       *reconciliation.Service
	keys        *vault.Vault
	bonuses     *bonus.Service
	campaign    int64 // of bonuses, for everybody

	mu     sync.Mutex
	counts map[string]int
	serial atomic.Int64
}

func newRaceFixture(t *testing.T) *raceFixture {
	t.Helper()
	r := &raceFixture{trials: plainTrials, starter: &starter{}, counts: map[string]int{}}
	if text := os.Getenv("RACE_TRIALS"); text != "" {
		var err error
		r.trials, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	r.apiFixture = newAPIFixture(t, func(p *server.Platform) { p.Market.OnQuote(r.starter.onQuote) })
	require.Eventually(t, func() bool { _, err := r.platform.Market.Tradable(bitcoin); return err == nil }, 10*time.Second, 20*time.Millisecond)
	require.NoError(t, chargeFees(t.Context(), r.platform.Database.DB))
	_, err := r.platform.Database.Pool.Exec(t.Context(), `INSERT INTO switches (key, value) VALUES ($1, '100000000'), ($2, 'true')`, switches.SoloCreditsPerDayKey, switches.BonusKey) // one person credits all trials
	require.NoError(t, err)
	values, err := switches.Load(t.Context(), r.platform.Database.DB, nil)
	require.NoError(t, err)
	r.keys, err = server.OpenVault(t.Context(), r.platform.Config, r.platform.Database.DB)
	require.NoError(t, err)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	d, c := r.platform.Database.DB, r.platform.Clock
	r.traders = trader.New(trader.Config{DB: d, Clock: c, Sessions: session.New(d, c, nil), Switches: values, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Texts: texts, Positions: r.platform.Trading, Changed: func(int64) {}}) // guests get no mail
	for n := range racers {
		r.members = append(r.members, hireDesk(t, r.platform.Database.DB, n))
	}
	r.reviewers = hireReviewers(t, r.platform.Database.DB)
	r.hireCompliance(t)
	queue, err := jobs.New(d.Pool) // never started: there are no senders
	require.NoError(t, err)
	r.hireSandbox(t, queue)
	r.deposits = deposit.New(deposit.Config{DB: r.platform.Database.DB, Clock: r.platform.Clock, Switches: values, Pictures: upload.NewStore(t.TempDir()), Identities: acceptAll{}, Vault: r.keys, Providers: r.providers, Queue: queue, Approvals: approval.New(r.platform.Database.DB, r.platform.Clock, trader.TakeDutyTx),
		NormalizeAddress: func(_, _, address string) (string, error) { return address, nil }, Changed: func(int64) {}})
	outbox := mail.New(mail.Config{DB: d, Clock: c, Queue: queue, Vault: vaulttest.New(t), KeepUnsent: true})
	r.books = reconciliation.New(d, c)
	r.payees = payee.New(payee.Config{DB: d, Clock: c, Switches: values, Outbox: outbox, Vault: r.keys, Texts: texts, Prover: acceptAll{}, House: r.deposits})
	r.withdrawals = withdrawal.New(withdrawal.Config{DB: d, Clock: c, Switches: values, Traders: acceptAll{}, Identities: acceptAll{}, Payees: r.payees, Positions: r.platform.Trading, Gate: r.books, Banks: banking.Payers{DB: d}, Vault: r.keys, Approvals: approval.New(d, c, trader.TakeDutyTx), Changed: func(int64) {}})
	r.payouts = withdrawal.New(withdrawal.Config{DB: d, Clock: c, Switches: values, Traders: acceptAll{}, Identities: acceptAll{}, Payees: r.payees, Positions: r.platform.Trading, Gate: r.books, Banks: banking.Payers{DB: d}, Vault: r.keys, Approvals: approval.New(d, c, trader.TakeDutyTx), Providers: r.providers, Queue: queue, Changed: func(int64) {}})
	r.adjustments = adjustment.New(adjustment.Config{
		DB: d, Clock: c, Switches: values, Approvals: approval.New(d, c, trader.TakeDutyTx), Positions: r.platform.Trading, Owners: ownCases, Changed: func(int64) {},
	})
	r.identities = kyc.New(kyc.Config{DB: d, Clock: c, Vault: r.keys, Folder: vault.NewFolder(filepath.Join(t.TempDir(), "kyc"))})
	r.startBonuses(t, values)
	return r
}

// TestRace lets racers perform each money action and each single-use action at once, with different keys and with one key. The effects must match the state's
// limit and the answers, and nothing else may change.
func TestRace(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	t.Parallel()
	r := newRaceFixture(t)
	list := slices.Concat(orderContests(), pendingContests(), moneyContests(), walletContests(), deskContests(), mixedContests(), withdrawContests(), payeeContests(), secretContests(),
		payDeskContests(), payoutContests(), adjustmentContests(), bonusContests(), identityContests(), providerDepositContests(), cryptoDepositContests())
	t.Cleanup(func() { r.report(t, len(list)+1) })
	t.Run("LiftTheStop", func(t *testing.T) { r.run(t, liftContest()) })
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r.run(t, c)
		})
	}
}

func (r *raceFixture) run(t *testing.T, c contest) {
	abreast := max(1, c.abreast)
	for done := 0; done < r.trials; done += abreast {
		for _, sameKey := range []bool{false, true} {
			if sameKey && (c.ownKeys || c.open) {
				continue
			}
			var heats []*heat
			for range min(abreast, r.trials-done) {
				heats = append(heats, r.start(t, c, sameKey))
			}
			for _, h := range heats {
				h.check()
			}
		}
	}
}

// entrant is the trader of one trial.
type entrant struct {
	*raceFixture
	t      *testing.T
	handle string
	owner  ledger.Owner
	token  string
}

func (r *raceFixture) entrant(t *testing.T, cash int64) *entrant {
	t.Helper()
	e := &entrant{raceFixture: r, t: t, handle: fmt.Sprint("race", r.serial.Add(1))}
	book := ledger.Mock
	if cash == 0 {
		book = ledger.Real
	}
	var err error
	e.owner, e.token, err = bench.FundTrader(context.Background(), r.platform.Database.DB, e.handle, book, cash)
	require.NoError(t, err)
	return e
}

// heat is a running trial.
type heat struct {
	*entrant
	contest
	sameKey  bool
	effects  int   // before
	lastFill int64 // before
	replies  [racers]outcome
	group    sync.WaitGroup
}

func (r *raceFixture) start(t *testing.T, c contest, sameKey bool) *heat {
	t.Helper()
	h := &heat{entrant: r.entrant(t, c.cash), contest: c, sameKey: sameKey}
	act, signal := c.prepare(h.entrant)
	h.effects, h.lastFill = h.count(c.effects), int64(h.count(`SELECT coalesce(max(id), 0) FROM fills WHERE account_id = $1`))
	together := make(chan struct{})
	if signal == nil {
		signal = together
	}
	for n := range racers {
		h.group.Go(func() {
			key := h.handle
			if !sameKey {
				key += fmt.Sprint("-", n)
			}
			select {
			case <-signal:
			case <-time.After(time.Minute): // bounds the wait for a price
			}
			h.replies[n] = act(n, key)
		})
	}
	close(together)
	return h
}

// check waits for the racers and compares their answers with the effects.
func (h *heat) check() {
	t := h.t
	t.Helper()
	h.group.Wait()
	reported, fills, withoutPrice := h.unreported, map[int64]string{}, false
	answers := map[string]bool{}
	for n, r := range h.replies {
		require.NotEmpty(t, r.code, "%s: %s", h.handle, r.raw)
		if r.code != "ok" {
			withoutPrice = withoutPrice || strings.HasPrefix(r.code, "market.")
			require.True(t, slices.Contains(h.losers, r.code) || strings.HasPrefix(r.code, "market."), "%s: %s", h.handle, r.raw)
			require.False(t, h.sameKey && !h.oneCode && !strings.HasPrefix(r.code, "market."), "one key has one answer: %s", r.raw)
			continue
		}
		if h.sameKey && answers[r.raw] {
			continue
		}
		answers[r.raw] = true
		reported += h.scored(r.answer)
		for _, id := range r.answer.fills() {
			require.Empty(t, fills[id], "fill %d was told of twice", id)
			fills[id] = fmt.Sprint(n)
		}
	}
	happened := h.count(h.contest.effects) - h.effects
	require.Equal(t, reported, happened, "effects that were told of, and those that happened: %v", h.replies)
	if h.sameKey {
		require.LessOrEqual(t, len(answers), 1, "one key has one answer")
	}
	if !h.open {
		want := h.maxEffects
		if h.sameKey {
			want = h.once()
		}
		require.LessOrEqual(t, happened, want)
		if !withoutPrice {
			require.Equal(t, want, happened, "%v", h.replies)
		}
	}
	require.EqualValues(t, len(fills), h.count(`SELECT count(*) FROM fills WHERE account_id = $1 AND rule IN ('market', 'close_by') AND id > `+fmt.Sprint(h.lastFill)))
	wrong, err := violations(context.Background(), h.platform.Database.Pool, h.owner.AccountID)
	require.NoError(t, err)
	require.Empty(t, wrong, "%v", h.replies)
	h.addCount("heats", 1)
	h.addCount("requests", racers)
	h.addCount("effects", happened)
	h.addCount("triggered", h.count(`SELECT count(*) FROM fills WHERE account_id = $1 AND rule NOT IN ('market', 'close_by')`))
}

func (h *heat) scored(a tradeAnswer) int {
	if h.score == nil {
		return max(1, h.each)
	}
	return h.score(a)
}

// once is the number of effects of a single execution.
func (h *heat) once() int {
	if h.score == nil {
		return min(h.maxEffects, max(1, h.each))
	}
	return h.maxEffects
}

func (r *raceFixture) addCount(what string, n int) {
	r.mu.Lock()
	r.counts[what] += n
	r.mu.Unlock()
}

// report verifies the whole database again and prints the counts.
func (r *raceFixture) report(t *testing.T, actions int) {
	if t.Failed() {
		return
	}
	proved, err := server.Verify(context.Background(), r.platform.Config, r.platform.Database)
	require.NoError(t, err)
	require.True(t, proved.OK, "%+v", proved.Wrong)
	line, err := json.Marshal(map[string]any{
		"goal": "G3", "commit": os.Getenv("COMMIT"), "seed": server.SimulationSeed, "actions": actions, "trials": r.trials, "racers": racers,
		"heats": r.counts["heats"], "requests": r.counts["requests"], "effects": r.counts["effects"], "triggered": r.counts["triggered"], "doubleEffects": 0, "proved": proved.Proved,
	})
	require.NoError(t, err)
	fmt.Println(string(line))
}

// count runs a query for one number; $1 is the entrant's account.
func (e *entrant) count(sql string) (n int) {
	e.t.Helper()
	args := []any{}
	if strings.Contains(sql, "$1") {
		args = append(args, e.owner.AccountID)
	}
	require.NoError(e.t, e.platform.Database.Pool.QueryRow(context.Background(), sql, args...).Scan(&n))
	return n
}

// post is an act in which every racer makes the same call.
func (e *entrant) post(path string, body string) act {
	return func(_ int, key string) outcome { return e.send(http.MethodPost, path, body, key) }
}

// postEach is an act in which the racers' calls differ.
func (e *entrant) postEach(calls ...[2]string) act {
	return func(n int, key string) outcome {
		c := calls[n%len(calls)]
		return e.send(http.MethodPost, c[0], c[1], key)
	}
}

// send calls the API as the entrant. The code is empty after a network error.
func (e *entrant) send(method, path, body, key string) (r outcome) {
	request, err := http.NewRequest(method, e.url+"/client/"+path, strings.NewReader(body))
	if err != nil {
		return outcome{raw: err.Error()}
	}
	sign(request)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("apptoken", e.token)
	request.Header.Set("traceId", "trace-race-0001")
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := raceClient.Do(request)
	if err != nil {
		return outcome{raw: err.Error()}
	}
	defer func() { _ = response.Body.Close() }()
	var text json.RawMessage
	if err := json.NewDecoder(response.Body).Decode(&text); err != nil {
		return outcome{raw: err.Error()}
	}
	r.raw = string(text)
	_ = json.Unmarshal(text, &r.answer) // some calls return data that is not an object; it is not read
	r.code = r.answer.Code
	return r
}

// done makes a call that must succeed. It waits while there is no fresh price.
func (e *entrant) done(path, body string) tradeAnswer {
	e.t.Helper()
	var r outcome
	require.Eventually(e.t, func() bool {
		r = e.send(http.MethodPost, path, body, fmt.Sprint("prepare", e.serial.Add(1)))
		return !strings.HasPrefix(r.code, "market.")
	}, time.Minute, 20*time.Millisecond)
	require.Equal(e.t, "ok", r.code, "%s %s: %s", path, body, r.raw)
	return r.answer
}

// starter starts racers at a quote, right after the engine received it.
type starter struct {
	mu    sync.Mutex
	gates []gate
}

type gate struct {
	matches func(market.Quote) bool
	open    chan struct{}
}

// at returns a channel that is closed at the first matching quote.
func (s *starter) at(matches func(market.Quote) bool) <-chan struct{} {
	g := gate{matches, make(chan struct{})}
	s.mu.Lock()
	s.gates = append(s.gates, g)
	s.mu.Unlock()
	return g.open
}

func (s *starter) onQuote(q market.Quote) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gates = slices.DeleteFunc(s.gates, func(g gate) bool {
		if !g.matches(q) {
			return false
		}
		close(g.open)
		return true
	})
}

const bitcoin = 201 // BTCUSD: it trades at all hours

func dollars(n int64) int64 { return n * money.Unit }

var raceClient = &http.Client{Transport: &http.Transport{MaxIdleConns: 256, MaxIdleConnsPerHost: 256}}
