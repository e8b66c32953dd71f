package systemtest

import (
	"bufio"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/bench"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/platform/vault"
	"candor/app/provider"
	"candor/app/server"
	"candor/app/trader"
	"candor/app/withdrawal"
)

const (
	injectionSeed   = 552
	injectionsLeast = 552
	injectionWithin = 5 * time.Second
	hostileOfEach   = 2   // values for each parameter and member in an ordinary test run; INJECTIONS sets another number
	injectionBatch  = 200 // requests after which throttles are reset
	injectionAtOnce = 4
)

// injection is one request with hostile values in one place.
type injection struct {
	who, place     string
	method, target string
	headers        map[string]string
	body           string
}

func (i injection) String() string {
	return fmt.Sprintf("%s, %s: %s %.200q %.300q %.300q", i.who, i.place, i.method, i.target, i.headers, i.body)
}

// text is the raw request as sent, without any check.
func (i injection) text(n int) string {
	now := strconv.FormatInt(time.Now().UnixMilli(), 10)
	headers := map[string]string{
		"Host": "candor.example", "Connection": "close", "localtimes": now, "newsign": apiSign(now), "language": "en", "X-Forwarded-For": fmt.Sprintf("198.%d.%d.%d", 18+n/62_500, n/250%250, n%250),
		"Idempotency-Key": fmt.Sprint("injection-", n), "visitor": fmt.Sprintf("0b0e8a4e-3f5c-4a53-9d61-%012d", n),
	}
	maps.Copy(headers, i.headers)
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s HTTP/1.1\r\n", i.method, i.target)
	_, hostile, _ := strings.Cut(i.place, "header ") // comes last: its value may end the header section
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if name != hostile {
			fmt.Fprintf(&out, "%s: %s\r\n", name, headers[name])
		}
	}
	if i.body != "" || i.method != http.MethodGet {
		fmt.Fprintf(&out, "Content-Length: %d\r\n", len(i.body))
	}
	if value, ok := headers[hostile]; ok {
		fmt.Fprintf(&out, "%s: %s\r\n", hostile, value)
	}
	return out.String() + "\r\n" + i.body
}

// injector attacks a platform; no attack may affect its customer.
type injector struct {
	*apiFixture
	victim                customer
	attackers             []injectorSession
	cookie                string // of a member of staff
	texts, brief, json    supply
	queries, paths, edges supply
	victimIDs             supply // the victim's ids
	each                  int
	list                  []injection
	mu                    sync.Mutex
	statuses              map[string]map[int]int // by sender and status
	faults                []string
	tooMany, places       int
	signedOut             []string
	slowest               time.Duration
}

type injectorSession struct {
	traderID   int64
	mock, real string
	own        map[string]int64 // the attacker's own ids by member name
}

func newInjector(t *testing.T) *injector {
	t.Helper()
	i := &injector{apiFixture: newAPIFixtureWith(t, loopbackProxy), each: hostileOfEach, statuses: map[string]map[int]int{}}
	if text := os.Getenv("INJECTIONS"); text != "" {
		var err error
		i.each, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	i.victim = i.customer(t)
	i.must(t, i.real, "/client/trade/closeByPosition", map[string]any{"positionId": i.victim.position, "byPositionId": i.victim.other}, "flat") // a rollover would change open positions
	i.must(t, i.real, "/client/user/updateFavouriteList", map[string]any{"productIds": []int{1, 201}}, "")
	i.must(t, i.real, "/kefu/kefuApi/insertMessage", validBodies["InsertMessage"], "")
	i.publishContent(t)
	_, i.cookie = i.signInStaff(t)
	d := i.platform.Database
	desk := hireReviewers(t, d.DB)
	keys, err := server.OpenVault(t.Context(), i.platform.Config, d.DB)
	require.NoError(t, err)
	identities := kyc.New(kyc.Config{DB: d.DB, Clock: clock.Real{}, Vault: keys, Folder: vault.NewFolder(t.TempDir())})
	require.NoError(t, desk.verify(t.Context(), identities, i.traderID(t)))
	body := i.proof(t, i.traderID(t), trader.Withdraw, "payeeId", i.victim.wallet, "amount", "20")
	body["walletId"], body["amount"] = i.victim.wallet, "20"
	i.must(t, i.real, "/client/withdraw/insertBankWithdraw", body, "withdrawal")
	for n := range 8 {
		i.attackers = append(i.attackers, i.attacker(t, n))
		require.NoError(t, desk.verify(t.Context(), identities, i.attackers[n].traderID))
	}
	i.shuffleValues()
	return i
}

// attacker is a trader with money, payees, positions and orders, and with the payment password of the valid bodies.
func (i *injector) attacker(t *testing.T, n int) injectorSession {
	t.Helper()
	d := i.platform.Database
	owner, token, err := bench.FundTrader(t.Context(), d.DB, fmt.Sprint("attacker", n), ledger.Mock, 1_000_000*money.Unit)
	require.NoError(t, err)
	hash, err := cheapHash(validBodies["BankWithdraw"]["payPassword"].(string))
	require.NoError(t, err)
	_, err = d.Pool.Exec(t.Context(), `INSERT INTO payment_passwords (trader_id, hash, changed_at) VALUES ($1, $2, now())`, owner.TraderID, hash)
	require.NoError(t, err)
	for k, side := range []string{"buy", "sell"} {
		i.must(t, token, "/client/trade/insertOrder", map[string]any{"productId": 201, "side": side, "lots": "0.01", "leverage": 20}, fmt.Sprint("own", k))
	}
	i.must(t, token, "/client/trade/insertPendingOrder", map[string]any{
		"productId": 201, "type": "limit", "side": "buy", "lots": "0.01", "leverage": 20, "price": "1", "timeInForce": "gtc",
	}, "waits")
	of := func(what, table string) int64 {
		return i.number(t, `SELECT `+what+`(id) FROM `+table+` WHERE account_id = $1`, owner.AccountID)
	}
	return injectorSession{owner.TraderID, token, realSession(t, d.DB, owner.TraderID), map[string]int64{
		"positionId": of("min", "positions"), "byPositionId": of("max", "positions"), "orderId": of("max", "orders"),
		"addressId": i.payee(t, owner.TraderID, withdrawal.Crypto),
		"walletId":  i.payee(t, owner.TraderID, withdrawal.ByBank),
	}}
}

// ownIDPattern matches the members of a valid body that name the trader's own objects.
var ownIDPattern = regexp.MustCompile(`"(positionId|byPositionId|orderId|addressId|walletId)":\d\b`)

// findVictimIDs are the ids of the customer's objects.
func (i *injector) findVictimIDs() []int64 {
	v := i.victim
	return []int64{v.accountID, v.position, v.order, v.deposit, v.fill, v.address, v.wallet}
}

// shuffleValues shuffles the hostile values by the seed, together with the customer's ids.
func (i *injector) shuffleValues() {
	random := rand.New(rand.NewPCG(injectionSeed, 0))
	shuffled := func(values ...string) supply {
		random.Shuffle(len(values), func(a, b int) { values[a], values[b] = values[b], values[a] })
		return supply{values: values}
	}
	texts := slices.Clone(hostileTexts)
	for _, id := range i.findVictimIDs() {
		texts = append(texts, fmt.Sprint(id))
	}
	raw := slices.Clone(hostileJSON)
	for _, text := range texts {
		raw = append(raw, quoted(text))
	}
	for _, id := range i.findVictimIDs() {
		raw = append(raw, fmt.Sprint(id))
		i.victimIDs.values = append(i.victimIDs.values, fmt.Sprint(id))
	}
	brief := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return len(text) > 100 || !db.IsText(text) })
	i.texts, i.brief, i.json = shuffled(texts...), shuffled(brief...), shuffled(raw...)
	i.queries, i.paths, i.edges = shuffled(slices.Clone(hostileQueries)...), shuffled(slices.Clone(hostilePaths)...), supply{values: edges}
}

// TestInjections puts hostile values into every parameter, header and member of every call of the contract, as a visitor and as a trader, and into every page
// of the back office: no server error, no leak of internals, no slow answer, and no change of another trader's data.
func TestInjections(t *testing.T) {
	t.Parallel()
	i := newInjector(t)
	started := time.Now()
	_, _, _ = i.call(t, http.MethodGet, "/client/user/findCreditScore", i.real, nil, nil) // computed once a day: not between the two comparisons
	before := i.rowsOf(t, i.traderID(t))
	require.Greater(t, len(before), 20, "there is something to change")
	for _, o := range i.operations() {
		i.attackOperation(t, o)
	}
	i.attackProviders()
	i.run(t)
	require.Equal(t, before, i.rowsOf(t, i.traderID(t)), "nothing of somebody else has changed")
	i.attackBackOffice(t)
	i.run(t)
	i.requireHealthy(t)
	total := 0
	for _, statuses := range i.statuses {
		for _, n := range statuses {
			total += n
		}
	}
	require.Empty(t, i.faults)
	require.GreaterOrEqual(t, total, injectionsLeast)
	require.Less(t, i.tooMany*20, total, "refusals of too many hide what else would be answered")
	require.Empty(t, i.signedOut, "the traders were signed in all the time")
	line, err := json.Marshal(map[string]any{
		"goal": "injections", "commit": os.Getenv("COMMIT"), "seed": injectionSeed, "values": len(hostileTexts) + len(hostileJSON) + len(hostileQueries) + len(hostilePaths), "ofEach": i.each, "places": i.places,
		"requests": total, "answers": i.statuses, "serverErrors": 0, "tooMany": i.tooMany, "slowestMs": i.slowest.Milliseconds(), "seconds": int(time.Since(started).Seconds()),
	})
	require.NoError(t, err)
	fmt.Println(string(line))
}

// attack puts n values into one place of a call, as a trader and as a visitor; a visitor without access to the call gets one.
func (i *injector) attack(o operation, place string, from *supply, n int, put func(value string, q *injection)) {
	i.places++
	for _, who := range []string{"stranger", "trader"} {
		of := n
		if who == "stranger" && !o.guest() {
			of = 1
		}
		for _, value := range from.take(of) {
			q := injection{who: who, place: place, method: o.method, target: o.path + queries[o.path], headers: map[string]string{}}
			if body := o.validBody(); body != nil {
				raw, _ := json.Marshal(body)
				q.body, q.headers["Content-Type"] = string(raw), "application/json"
			}
			one := i.attackers[len(i.list)%len(i.attackers)]
			if who == "trader" {
				q.headers["apptoken"] = one.session(o.path)
			}
			put(value, &q)
			q.body = ownIDPattern.ReplaceAllStringFunc(q.body, func(member string) string {
				name, _, _ := strings.Cut(member, ":")
				return fmt.Sprint(name, ":", one.own[strings.Trim(name, `"`)])
			})
			q.body = strings.Replace(q.body, `"`+valuePlaceholder+`"`, value, 1)
			i.list = append(i.list, q)
		}
	}
}

// session is the attacker's session that the call accepts.
func (one injectorSession) session(path string) string {
	if mockAccess[path] == realOnly {
		return one.real
	}
	return one.mock
}

// validBody is a valid JSON body of the call; nil for a call without one.
func (o operation) validBody() (body map[string]any) {
	if o.jsonBody() == nil {
		return nil
	}
	name := o.spec.RequestBody.Value.Content.Get("application/json").Schema.Ref
	raw, _ := json.Marshal(validBodies[name[strings.LastIndex(name, "/")+1:]])
	_ = json.Unmarshal(raw, &body)
	return body
}

// headerNames are the headers that the server reads on any request, besides those of the contract.
var headerNames = []string{
	"apptoken", "language", "traceId", "visitor", "Idempotency-Key", "localtimes", "newsign", "verify", "Content-Type", "User-Agent", "X-Forwarded-For", "Origin", "Cookie", "Host", "Range", "Accept-Encoding",
}

func (i *injector) attackOperation(t *testing.T, o operation) {
	t.Helper()
	if endsSession[o.path] { // each ends its session
		defer func(from int) {
			for n := range i.list[from:] {
				if q := i.list[from+n]; q.who == "trader" && q.headers["apptoken"] != "" && q.place != "header apptoken" {
					q.headers["apptoken"] = realSession(t, i.platform.Database.DB, i.attackers[0].traderID)
				}
			}
		}(len(i.list))
	}
	i.attackBody(t, o) // first, while the positions and orders that valid bodies name are open
	headers := slices.Clone(headerNames)
	for _, p := range o.spec.Parameters {
		name := p.Value.Name
		switch p.Value.In {
		case "query":
			with := func(change func(url.Values)) string {
				values, _ := url.ParseQuery(strings.TrimPrefix(queries[o.path], "?"))
				change(values)
				return o.path + "?" + values.Encode()
			}
			set := func(value string, q *injection) { q.target = with(func(v url.Values) { v.Set(name, value) }) }
			i.attack(o, "query "+name, &i.texts, i.each, set)
			if isNumber(p.Value.Schema.Value) {
				i.attack(o, "query "+name+" at the edges", &i.edges, len(edges), set)
			}
			if strings.HasSuffix(name, "Id") {
				i.attack(o, "query "+name+" of somebody else", &i.victimIDs, len(i.victimIDs.values), set)
			}
			i.attack(o, "query "+name+" twice", &i.texts, 1, func(value string, q *injection) {
				q.target = with(func(v url.Values) { v[name] = append(v[name], value, value) })
			})
			i.attack(o, "query "+name+"[]", &i.texts, 1, func(value string, q *injection) {
				q.target = with(func(v url.Values) { v.Del(name); v.Set(name+"[]", value); v.Set(name+"[a]", value) })
			})
		case "header":
			headers = append(headers, name)
		case "path":
			i.attack(o, "path "+name, &i.texts, i.each, func(value string, q *injection) {
				q.target = strings.ReplaceAll(q.target, "{"+name+"}", url.PathEscape(value))
			})
		}
	}
	slices.Sort(headers)
	for _, name := range slices.Compact(headers) {
		i.attack(o, "header "+name, &i.texts, 1, func(value string, q *injection) { q.headers[name] = value })
	}
	i.attack(o, "the query", &i.queries, 1, func(value string, q *injection) { q.target = o.path + "?" + value })
	i.attack(o, "the path", &i.paths, 1, func(value string, q *injection) { q.target = o.path + value + queries[o.path] })
}

// valuePlaceholder marks the place of the hostile value in a body.
const valuePlaceholder = "here-comes-a-value"

// withPlaceholders copies a value once per member, nested ones included, with the spot in its place; keyed by the member's path.
func withPlaceholders(value any) map[string]any {
	out := map[string]any{}
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			with := func(change any) map[string]any { c := maps.Clone(v); c[name] = change; return c }
			out[name] = with(valuePlaceholder)
			for place, changed := range withPlaceholders(inner) {
				out[name+"."+place] = with(changed)
			}
		}
	case []any:
		if len(v) == 0 {
			break
		}
		with := func(change any) []any { c := slices.Clone(v); c[0] = change; return c }
		out["0"] = with(valuePlaceholder)
		for place, changed := range withPlaceholders(v[0]) {
			out["0."+place] = with(changed)
		}
	}
	return out
}

func (i *injector) attackBody(t *testing.T, o operation) {
	t.Helper()
	if body := o.validBody(); body != nil {
		for name := range o.jsonBody().Properties {
			if _, ok := body[name]; !ok {
				body[name] = valuePlaceholder // an optional member
			}
		}
		places := withPlaceholders(body)
		for _, name := range slices.Sorted(maps.Keys(places)) {
			whole, err := json.Marshal(withoutOptionals(places[name], name))
			require.NoError(t, err)
			set := func(_ string, q *injection) { q.body = string(whole) }
			i.attack(o, "member "+name, &i.json, i.each, set)
			if property := o.jsonBody().Properties[name]; property != nil && isNumber(property.Value) {
				i.attack(o, "member "+name+" at the edges", &i.edges, len(edges), set)
			}
			if strings.HasSuffix(name, "Id") {
				i.attack(o, "member "+name+" of somebody else", &i.victimIDs, len(i.victimIDs.values), set)
			}
		}
		i.attack(o, "the body", &i.json, 2, func(value string, q *injection) { q.body = value })
		i.attack(o, "a member's name", &i.texts, 1, func(value string, q *injection) { q.body = "{" + quoted(value) + ":1," + q.body[1:] })
		i.attack(o, "a member twice", &i.json, 1, func(_ string, q *injection) {
			name, _, _ := strings.Cut(q.body, ":")
			q.body = name + `:"` + valuePlaceholder + `",` + q.body[1:]
		})
	}
	if o.spec.RequestBody == nil || o.spec.RequestBody.Value.Content.Get("multipart/form-data") == nil {
		return
	}
	schema := o.spec.RequestBody.Value.Content.Get("multipart/form-data").Schema.Value
	form := func(file, content string, fields map[string]string) string {
		var out strings.Builder
		for name, value := range fields {
			fmt.Fprintf(&out, "--cut\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n", name, value)
		}
		fmt.Fprintf(&out, "--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\nContent-Type: image/png\r\n\r\n%s\r\n--cut--\r\n", file, content)
		return out.String()
	}
	drawn := string(drawing(t, 30))
	put := func(write func(value string) string) func(string, *injection) {
		return func(value string, q *injection) {
			q.headers["Content-Type"], q.body = "multipart/form-data; boundary=cut", write(value)
		}
	}
	i.attack(o, "a file's name", &i.texts, i.each, put(func(value string) string { return form(value, drawn, map[string]string{"side": "front"}) }))
	i.attack(o, "a file", &i.texts, i.each, put(func(value string) string { return form("a.png", value, map[string]string{"side": "front"}) }))
	i.attack(o, "a form's boundary", &i.texts, 1, func(value string, q *injection) {
		q.headers["Content-Type"], q.body = "multipart/form-data; boundary="+value, form("a.png", drawn, nil)
	})
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		i.attack(o, "part "+name, &i.texts, i.each, put(func(value string) string { return form("a.png", drawn, map[string]string{name: value}) }))
	}
}

// isNumber reports whether a member expects a number, or a number as text.
func isNumber(schema *openapi3.Schema) bool {
	_, err := strconv.ParseFloat(fmt.Sprint(schema.Example), 64)
	return schema.Type.Is("integer") || schema.Type.Is("number") || err == nil
}

// withoutOptionals drops the other members that contain the spot.
func withoutOptionals(body any, place string) any {
	members := maps.Clone(body.(map[string]any))
	maps.DeleteFunc(members, func(name string, value any) bool { return value == valuePlaceholder && name != place })
	return members
}

// attackProviders attacks the routes outside the contract: provider events and published pictures.
func (i *injector) attackProviders() {
	event := operation{method: http.MethodPost, path: provider.EventPath("bank")}
	picture := operation{method: http.MethodGet, path: picturesPrefix + strings.Repeat("a", 64) + ".jpg"}
	add := func(o operation, place string, from *supply, put func(value string, q *injection)) {
		i.places++
		for _, value := range from.take(i.each) {
			q := injection{who: "stranger", place: place, method: o.method, target: o.path, headers: map[string]string{"Content-Type": "application/json"}}
			put(value, &q)
			i.list = append(i.list, q)
		}
	}
	add(event, "path provider", &i.texts, func(value string, q *injection) { q.target = provider.EventPath(url.PathEscape(value)) })
	add(event, "the body", &i.json, func(value string, q *injection) { q.body = value })
	for _, name := range []string{provider.TimeHeader, provider.SignatureHeader} {
		add(event, "header "+name, &i.texts, func(value string, q *injection) { q.headers[name] = value })
	}
	add(picture, "path name", &i.texts, func(value string, q *injection) { q.target = picturesPrefix + url.PathEscape(value) })
}

const picturesPrefix = "/pictures/"

// run sends the planned requests, a few at a time.
func (i *injector) run(t *testing.T) {
	t.Helper()
	list := i.list
	i.list = nil
	began := time.Now()
	defer func() { t.Log(len(list), "requests in", time.Since(began)) }()
	var slow []int
	for start := 0; start < len(list); start += injectionBatch {
		i.resetThrottles(t)
		var group errgroup.Group
		group.SetLimit(injectionAtOnce)
		for n := start; n < min(start+injectionBatch, len(list)); n++ {
			group.Go(func() error {
				if i.inject(list[n], n) > injectionWithin {
					i.mu.Lock()
					defer i.mu.Unlock()
					slow = append(slow, n)
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
	}
	for _, n := range slow { // a busy machine is no failure: each slow request must be fast when sent again alone
		require.Less(t, i.inject(list[n], len(list)+n), injectionWithin, "%s", list[n])
	}
}

// resetThrottles resets the throttles of persons and sources.
func (i *injector) resetThrottles(t *testing.T) {
	t.Helper()
	for _, sql := range []string{
		`UPDATE codes SET created_at = created_at - interval '2 days'`, `DELETE FROM throttles`, `DELETE FROM wrong_logins`, `UPDATE payment_passwords SET failures = 0, locked_until = NULL`,
	} {
		_, err := i.platform.Database.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
}

// leaks match words of an answer that reveal internals: stacks or database messages.
var leaks = regexp.MustCompile(`goroutine \d+ \[|\w\.go:\d+|runtime error|panic:|SQLSTATE|syntax error at|violates [a-z-]+ constraint|pgconn|pgx\.|gorm\.io|pg_catalog|no rows in result|/usr/local/go|context (deadline|canceled)`)

// inject sends one request and checks the answer.
func (i *injector) inject(q injection, n int) time.Duration {
	status, header, body, took, err := exchange(i.url, q.text(n))
	i.mu.Lock()
	defer i.mu.Unlock()
	if err != nil {
		i.faults = append(i.faults, fmt.Sprintf("no answer: %s: %s", q, err))
		return took
	}
	if i.statuses[q.who] == nil {
		i.statuses[q.who] = map[int]int{}
	}
	i.statuses[q.who][status]++
	i.slowest = max(i.slowest, took)
	fault := func(what string) {
		i.faults = append(i.faults, fmt.Sprintf("%s: %s: %d %.300q", what, q, status, body))
	}
	switch {
	case status >= 500:
		fault("a fault")
	case status == http.StatusTooManyRequests:
		i.tooMany++
	case status == http.StatusUnauthorized && q.who == "trader" && q.place != "header apptoken":
		i.signedOut = append(i.signedOut, fmt.Sprintf("%s: %.200q", q, body))
	}
	if found := leaks.FindString(body); found != "" {
		fault("tells of " + found)
	}
	if header.Get("X-Injected") != "" {
		fault("a header of somebody else's")
	}
	return took
}

// exchange sends a raw request and reads the answer; for a stream, only its headers.
func exchange(base, text string) (status int, header http.Header, body string, took time.Duration, err error) {
	started := time.Now()
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		return 0, nil, "", 0, err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return 0, nil, "", 0, err
	}
	go func() { _, _ = io.WriteString(conn, text) }() // the server may answer before it has read everything
	method, _, _ := strings.Cut(text, " ")
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		return 0, nil, "", time.Since(started), err
	}
	var raw []byte
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		raw, err = io.ReadAll(response.Body)
	}
	return response.StatusCode, response.Header, string(raw), time.Since(started), err
}

// rowsOf are fingerprints of all rows of a trader, by table.
func (i *injector) rowsOf(t *testing.T, traderID int64) map[string]string {
	t.Helper()
	pool, out := i.platform.Database.Pool, map[string]string{}
	type column struct{ Table, Name string }
	rows, err := pool.Query(t.Context(), `
		SELECT c.table_name, c.column_name FROM information_schema.columns c JOIN information_schema.tables USING (table_schema, table_name)
		WHERE c.table_schema = 'public' AND table_type = 'BASE TABLE' AND (c.column_name IN ('trader_id', 'account_id') OR (c.table_name, c.column_name) = ('traders', 'id'))`)
	require.NoError(t, err)
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[column])
	require.NoError(t, err)
	for _, c := range columns {
		owner := "= $1"
		if c.Name == "account_id" {
			owner = "IN (SELECT id FROM accounts WHERE trader_id = $1)"
		}
		var text string
		sql := fmt.Sprintf(`SELECT coalesce(string_agg(r::text, E'\n' ORDER BY r::text), '') FROM %s r WHERE r.%s %s`, pgx.Identifier{c.Table}.Sanitize(), pgx.Identifier{c.Name}.Sanitize(), owner)
		require.NoError(t, pool.QueryRow(t.Context(), sql, traderID).Scan(&text), sql)
		out[c.Table+" by "+c.Name] = fmt.Sprintf("%d rows %x", strings.Count(text, "\n"), md5.Sum([]byte(text)))
	}
	return out
}

// requireHealthy requires that the server still answers and takes orders, and that the books are right.
func (i *injector) requireHealthy(t *testing.T) {
	t.Helper()
	_, answer, raw := i.call(t, http.MethodGet, "/client/common/platformRunningStatus", "", nil, from("203.0.113.1"))
	require.EqualValues(t, 1, answer["data"], raw)
	i.must(t, i.token, "/client/trade/insertOrder", map[string]any{"productId": 201, "side": "buy", "lots": "0.01", "leverage": 20}, "sound")
	text, err := violations(t.Context(), i.platform.Database.Pool, 0)
	require.NoError(t, err)
	require.Empty(t, text)
}
