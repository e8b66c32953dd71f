package systemtest

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/accountdesk"
	"candor/admin/adjustdesk"
	"candor/admin/bankdesk"
	"candor/admin/bonusdesk"
	"candor/admin/cashdesk"
	"candor/admin/changedesk"
	"candor/admin/chatdesk"
	"candor/admin/complaintdesk"
	"candor/admin/controldesk"
	"candor/admin/desk"
	"candor/admin/finddesk"
	"candor/admin/kycdesk"
	"candor/admin/ledgerdesk"
	"candor/admin/newsdesk"
	"candor/admin/paydesk"
	"candor/admin/reportdesk"
	"candor/admin/signin"
	"candor/admin/switchdesk"
	"candor/admin/tagdesk"
	"candor/admin/taskdesk"
	"candor/admin/tradedesk"
	"candor/app/staff"
	"candor/app/switches"
)

// powersFile lists every power with its reach. A new power fails the test, which prints the line to add; the author fills in the reach.
const powersFile = "testdata/powers.txt"

// reaches are the reaches that a power may have. Prices, fills, settlements and one customer's execution are not among them and never may be.
var reaches = map[string]string{
	"nothing":     "it reads",
	"session":     "who is signed in, where, and with which password",
	"own":         "the asker's own settings, lists and files",
	"account":     "opens the asker's own account, chooses or names it, bounds the leverage of its new orders, or says how it keeps positions while it is flat",
	"order":       "asks the engine, which fills at the newest quote of the tape, for everybody alike",
	"deposit":     "a request for money in: its state and proof; the money comes with balanced postings, of two people where it matters",
	"withdrawal":  "a request for money out: its state and what proves it; the money goes with balanced postings, of two people at least",
	"event":       "what a provider has told, signed: a reason to ask it, and whether that was done",
	"secret":      "what a provider and the house sign with, sealed; only a command of the operator sets it",
	"access":      "a trader's way in, or that they are a partner: of two people, the trader is told at every contact, and withdrawals are held for three days",
	"adjustment":  "a correction of an account's cash: its state; the money moves with balanced postings, of two people at least, and the trader reads why",
	"bonus":       "promotional credit by a rule for everybody or for one trader, of two people, only if the trader accepts it; the money moves with balanced postings",
	"bank":        "the house's bank accounts, what their statements say, and what each line is, by two people where it matters; it moves no customer's money",
	"stop":        "whether money goes out at all, for everybody alike",
	"staff":       "who works here, and in which role",
	"mail":        "messages that wait or were sent",
	"limit":       "a bound, a fee or a feature, the same for everybody; of two people where it matters",
	"notice":      "what the app announces",
	"person":      "who a trader is: contacts, password, level",
	"identity":    "a trader's papers and what was decided about them, by two people where it matters; a level and its limits follow, the same for everybody",
	"terms":       "what a product costs and allows from a later moment on, agreed on by two people, the same for everybody",
	"warning":     "whether an account has recovered from a margin call",
	"reply":       "the result of a keyed write, stored with its effect and given again",
	"drawn":       "candles, which are drawn from the tape and decide nothing",
	"engine":      "what the engine keeps, guarded by a trigger and recomputed by candor verify",
	"jobs":        "the queue of work to do",
	"rebate":      "what an inviter earns on a fill: how far it was paid or taken back; the money moves with balanced postings, by the same rule for everybody",
	"approval":    "what one member of staff requests and others approve: its content never changes, nor who took part, nor a last decision",
	"restriction": "whether a trader may ask for new orders and money out, or log in; another person than who set it lifts it",
	"note":        "what staff wrote about a trader, notes and tags, which nobody else reads",
	"task":        "work that staff hand to each other, and who was named in a note; it moves nothing else",
	"complaint":   "the register of complaints, and what their traders were told; the final answer takes two people",
	"chat":        "what traders and agents say to each other, which is only added, and who answers whom",
	"conduct":     "what an agent flagged in a trader's chat, the trader's appeal, and the decision of another person; it lowers a score by which nothing is decided",
	"unused":      "rows that nothing was made of, a day after they could be used; a trigger keeps all others",
	"closing":     "what an account leaves that closes, once its trader has been told for the last time; a trigger keeps all others",
	"months":      "empty tables for the quotes of the coming months; it changes and drops nothing that is there",
	"wallet":      "the asker's own money between the asker's own accounts, with balanced postings, at a rate made of the tape where the currency changes",
}

// mayReach lists the reaches allowed to each kind of power: no page and no permission reaches an order, no call reaches another trader's account.
var mayReach = map[string][]string{
	"call":       {"nothing", "session", "own", "account", "order", "deposit", "withdrawal", "wallet", "identity", "chat", "conduct", "bonus"},
	"page":       {"nothing", "session", "access", "staff", "mail", "deposit", "withdrawal", "adjustment", "bonus", "bank", "stop", "identity", "terms", "restriction", "note", "limit", "notice", "chat", "conduct", "task", "complaint"},
	"permission": {"nothing", "session", "access", "staff", "mail", "deposit", "withdrawal", "adjustment", "bonus", "bank", "stop", "identity", "terms", "restriction", "note", "limit", "notice", "chat", "conduct", "task", "complaint"},
	"other":      {"nothing", "event"},
	"switch":     {"limit"},
	"update":     {"session", "own", "deposit", "withdrawal", "adjustment", "bonus", "approval", "event", "secret", "bank", "stop", "staff", "mail", "limit", "notice", "person", "reply", "drawn", "engine", "jobs", "terms", "warning", "identity", "restriction", "note", "chat", "conduct", "task", "complaint", "rebate"},
	"delete":     {"session", "own", "deposit", "staff", "mail", "limit", "notice", "person", "jobs", "chat", "unused", "closing"},
	"lend":       {"months"},
}

// appendOnlyTables are append-only tables: no power may update their rows, nor delete any but the unused ones.
var appendOnlyTables = []string{
	"tape_quotes", "tape_heads", "fills", "fill_heads", "ledger_transactions", "postings", "order_revisions", "audit_entries", "audit_heads", "products",
	"charges", "charge_heads", "product_terms", "terms_heads", "dividends", "leverage_caps", "feed_terms", "withdrawal_locks", "kyc_views", "kyc_judgements",
	"trader_notes",
	"transfers", "exchange_quotes", "exchanges", "notice_images", "notice_reads", "notice_acks", "chat_messages", "chat_pictures",
	"staff_duties", "adjustments", "payee_name_words", "task_comments", "complaint_letters", "bank_statements", "bank_days", "credit_scores",
}

// tableTriggers are the triggers that protect the engine's tables.
var tableTriggers = map[string]string{
	"orders": "orders_keep", "positions": "positions_keep", "accounts": "accounts_keep", "approvals": "approvals_keep",
	"payees": "payees_keep_holder", "withdrawals": "withdrawals_keep_holder",
}

// deletableTables are the tables of which some rows may be deleted, unreferenced ones or those of a closing account, with the triggers that protect all others.
var deletableTables = map[string]string{
	"drawings": "drawings_keep", "exchange_quotes": "exchange_quotes_keep", "granted_contacts": "granted_contacts_keep", "notification_settings": "only_of_closing", "payee_name_words": "only_of_closing", "payee_settings": "only_of_closing",
	"credit_scores": "only_of_closing", "conduct_flags": "only_of_closing", "payees": "only_of_closing", "payment_passwords": "only_of_closing", "trader_preferences": "only_of_closing", "user_messages": "only_of_closing",
}

// letsGo reports whether a reach is one of rows that a trigger lets go.
func letsGo(reach string) bool { return reach == "unused" || reach == "closing" }

// TestNobodyCanChangeAPrice compares all routes, permissions, switches and database rights with the list.
func TestNobodyCanChangeAPrice(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	found := slices.Concat(r.routePowers(t), permissionPowers(), switchPowers(), databasePowers(t, r))
	slices.Sort(found)
	listed := readPowers(t)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		writePowers(t, found, listed)
	}
	for _, problem := range checkPowers(found, listed) {
		t.Error(problem)
	}
	for table, trigger := range tableTriggers {
		var enabled bool
		require.NoError(t, r.platform.Database.Pool.QueryRow(t.Context(),
			`SELECT count(*) = 1 FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2 AND tgenabled IN ('O', 'A')`, table, trigger).Scan(&enabled))
		require.True(t, enabled, "%s has lost %s", table, trigger)
	}
	for table, trigger := range deletableTables {
		var enabled bool
		require.NoError(t, r.platform.Database.Pool.QueryRow(t.Context(),
			`SELECT count(*) = 1 FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2 AND tgenabled IN ('O', 'A') AND pg_get_triggerdef(oid) LIKE '% BEFORE DELETE ON % FOR EACH ROW EXECUTE %'`,
			table, trigger).Scan(&enabled))
		require.True(t, enabled, "%s has lost %s", table, trigger)
	}
}

// TestTheListOfPowersBites shows that each rule refuses its violation.
func TestTheListOfPowersBites(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		found  []string
		listed map[string]string
		want   string
	}{
		"Unlisted":           {[]string{"call POST /client/trade/setPrice"}, nil, "is not listed"},
		"Gone":               {nil, map[string]string{"call GET /client/x": "nothing"}, "is listed, and there is none"},
		"NotSaid":            {[]string{"call GET /client/x"}, map[string]string{"call GET /client/x": "?"}, "what it can change is not said"},
		"APrice":             {[]string{"call GET /client/x"}, map[string]string{"call GET /client/x": "price"}, "what it can change is not said"},
		"APageThatTrades":    {[]string{"page POST /admin/x (x)"}, map[string]string{"page POST /admin/x (x)": "order"}, "a page may not reach order"},
		"APermissionToTrade": {[]string{"permission x"}, map[string]string{"permission x": "order"}, "a permission may not reach order"},
		"AQuote":             {[]string{"update tape_quotes (bid)"}, map[string]string{"update tape_quotes (bid)": "drawn"}, "rows of tape_quotes are only added"},
		"AFillRemoved":       {[]string{"delete fills"}, map[string]string{"delete fills": "own"}, "rows of fills are only added"},
		"Unguarded":          {[]string{"update devices (name)"}, map[string]string{"update devices (name)": "engine"}, "no trigger guards devices"},
		"AQuotedRate":        {[]string{"update exchange_quotes (rate)"}, map[string]string{"update exchange_quotes (rate)": "unused"}, "rows of exchange_quotes are only added"},
		"AnyQuoteOfMoney":    {[]string{"delete exchange_quotes"}, map[string]string{"delete exchange_quotes": "own"}, "rows of exchange_quotes are only added"},
		"AnExchangeRemoved":  {[]string{"delete exchanges"}, map[string]string{"delete exchanges": "unused"}, "rows of exchanges are only added"},
		"OrdersThatWait":     {[]string{"delete orders"}, map[string]string{"delete orders": "unused"}, "no trigger guards orders"},
		"ATableEmptied":      {[]string{"truncate codes"}, map[string]string{"truncate codes": "own"}, "a truncate may not reach own"},
	} {
		problems := checkPowers(c.found, c.listed)
		require.Len(t, problems, 1, name)
		require.Contains(t, problems[0], c.want, name)
	}
	require.Empty(t, checkPowers([]string{"update orders (status)"}, map[string]string{"update orders (status)": "engine"}))
	require.Empty(t, checkPowers([]string{"delete exchange_quotes"}, map[string]string{"delete exchange_quotes": "unused"}))
}

// checkPowers compares the found powers with the list and returns the violations.
func checkPowers(found []string, listed map[string]string) (problems []string) {
	for _, power := range found {
		reach, ok := listed[power]
		kind, rest, _ := strings.Cut(power, " ")
		table, _, _ := strings.Cut(rest, " ")
		switch {
		case !ok:
			problems = append(problems, fmt.Sprintf("this power is not listed in %s: %s = ?", powersFile, power))
		case reaches[reach] == "":
			problems = append(problems, fmt.Sprintf("%s: what it can change is not said by %q", power, reach))
		case (kind == "update" || kind == "delete" && (!letsGo(reach) || deletableTables[table] == "")) && slices.Contains(appendOnlyTables, table):
			problems = append(problems, fmt.Sprintf("%s: rows of %s are only added", power, table))
		case !slices.Contains(mayReach[kind], reach):
			problems = append(problems, fmt.Sprintf("%s: a %s may not reach %s", power, kind, reach))
		case reach == "engine" && tableTriggers[table] == "" || letsGo(reach) && deletableTables[table] == "":
			problems = append(problems, fmt.Sprintf("%s: no trigger guards %s", power, table))
		}
	}
	for _, power := range slices.Sorted(maps.Keys(listed)) {
		if !slices.Contains(found, power) {
			problems = append(problems, fmt.Sprintf("%s is listed, and there is none", power))
		}
	}
	return problems
}

// routePowers are the handler's actual routes: the contract's calls, the back office's pages with their permissions, and the rest.
func (r *apiFixture) routePowers(t *testing.T) (found []string) {
	t.Helper()
	contract, pages := map[string]bool{}, pagePermissions()
	for _, o := range r.operations() {
		contract[o.method+" "+o.path] = true
	}
	calls := 0
	for _, route := range r.platform.Handler.(*echo.Echo).Router().Routes() {
		name := route.Method + " " + route.Path
		switch {
		case strings.HasPrefix(route.Method, "echo_route"): // the handlers of unknown routes
			found = append(found, "other "+name)
		case contract[name] || strings.HasPrefix(route.Path, "/client"):
			require.True(t, contract[name], "%s is no call of the contract", name)
			found = append(found, "call "+name)
			calls++
		case strings.HasPrefix(route.Path, "/admin"):
			permission, ok := pages[name]
			require.True(t, ok, "%s stands in no table of routes", name)
			found = append(found, fmt.Sprintf("page %s (%s)", name, permission))
			delete(pages, name)
		default:
			found = append(found, "other "+name)
		}
	}
	require.Len(t, contract, calls, "every call of the contract is there")
	require.Empty(t, pages, "every page of the tables is there")
	return found
}

// pagePermissions are the back office's routes with their permissions; routes before the sign-in have the permission "public".
func pagePermissions() map[string]string {
	out := map[string]string{}
	for _, r := range slices.Concat(new(desk.Frame).OwnRoutes(), controldesk.Routes(controldesk.Services{}), cashdesk.Routes(cashdesk.Services{}), paydesk.Routes(paydesk.Services{}), kycdesk.Routes(kycdesk.Services{}), ledgerdesk.Routes(ledgerdesk.Services{}), adjustdesk.Routes(adjustdesk.Services{}), changedesk.Routes(changedesk.Services{}), bonusdesk.Routes(bonusdesk.Services{}), bankdesk.Routes(bankdesk.Services{}), tradedesk.Routes(tradedesk.Services{}), switchdesk.Routes(switchdesk.Services{}), chatdesk.Routes(chatdesk.Services{}), newsdesk.Routes(newsdesk.Services{}), finddesk.Routes(), reportdesk.Routes(reportdesk.Services{}), taskdesk.Routes(taskdesk.Services{}), complaintdesk.Routes(complaintdesk.Services{}), tagdesk.Routes(tagdesk.Services{}), accountdesk.Routes(accountdesk.Services{})) {
		out[r.Method+" /admin"+r.Path] = string(r.Permission)
	}
	for _, r := range signin.Routes(nil) {
		out[r.Method+" /admin"+r.Path] = "public"
	}
	return out
}

func permissionPowers() (found []string) {
	for _, role := range staff.Roles {
		for _, p := range access.PermissionsOf(role) {
			found = append(found, "permission "+string(p))
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func switchPowers() (found []string) {
	for _, d := range switches.Definitions {
		found = append(found, "switch "+d.Key)
	}
	return found
}

// databasePowers are the rights of the server's role on existing rows: the columns it may update, the tables it may delete from or truncate, and functions that
// run with another role's rights.
func databasePowers(t *testing.T, r *apiFixture) []string {
	t.Helper()
	rows, err := r.platform.Database.Pool.Query(t.Context(), `
		WITH tables AS (SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f'))
		SELECT 'update ' || relname || ' (' || string_agg(attname, ' ' ORDER BY attname) || ')' FROM tables JOIN pg_attribute ON attrelid = oid
		WHERE attnum > 0 AND NOT attisdropped AND has_column_privilege(oid, attnum, 'UPDATE') GROUP BY relname
		UNION ALL SELECT 'delete ' || relname FROM tables WHERE has_table_privilege(oid, 'DELETE')
		UNION ALL SELECT 'truncate ' || relname FROM tables WHERE has_table_privilege(oid, 'TRUNCATE')
		UNION ALL SELECT 'lend ' || proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}

// readPowers reads the list: a power, an equals sign and its reach; lines that begin with # are comments.
func readPowers(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open(powersFile)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	listed := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		power, reach, ok := strings.Cut(line, " = ")
		require.True(t, ok, line)
		require.NotContains(t, listed, power, "listed twice")
		listed[power] = reach
	}
	return listed
}

// writePowers writes the found powers to the list, new ones with a question mark; the test fails until each has a reach.
func writePowers(t *testing.T, found []string, listed map[string]string) {
	t.Helper()
	var text strings.Builder
	text.WriteString("# Every power of traders, staff and the server itself, and what it can change; powers_test.go says what the words mean.\n")
	kind := ""
	for _, power := range found {
		if now, _, _ := strings.Cut(power, " "); now != kind {
			kind = now
			text.WriteString("\n")
		}
		reach := listed[power]
		if reach == "" {
			reach = "?"
		}
		fmt.Fprintf(&text, "%s = %s\n", power, reach)
	}
	require.NoError(t, os.WriteFile(powersFile, []byte(text.String()), 0o644)) //nolint:gosec // a file of the repository
}
