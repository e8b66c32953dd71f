package tradedesk_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/staff"
	"candor/app/switches"
	"candor/app/trader"
)

func TestList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	agent := b.agent()

	t.Run("Empty", func(t *testing.T) {
		require.Contains(t, agent.Get("/admin/traders").Body.String(), "No traders yet.")
	})

	marta := b.register("marta@example.com", "+34600123418", 0)
	lena := b.register("lena.specimen@example.org", "", 0)
	found := func(words string) string {
		page := agent.Get("/admin/traders?" + url.Values{"q": {words}}.Encode())
		require.Equal(t, http.StatusOK, page.Code)
		return page.Body.String()
	}
	row := func(w someone) string { return fmt.Sprintf(`id="trader-%d"`, w.TraderID) }

	t.Run("MasksContacts", func(t *testing.T) {
		body := found("")
		require.Contains(t, body, "ma•••••a@example.com, +34•••••418")
		require.NotContains(t, body, "marta@example.com")
		require.NotContains(t, body, "600123418")
		require.NotContains(t, body, "secret-hash")
		for _, want := range []string{"ES", ">Real<", "Not verified", "Real, Demo", row(marta), row(lena), path(marta)} {
			require.Contains(t, body, want)
		}
		require.Less(t, strings.Index(body, row(lena)), strings.Index(body, row(marta)), "newest first")
	})
	t.Run("FindsByUidMailAndPhone", func(t *testing.T) {
		id := strconv.FormatInt(marta.TraderID, 10)
		for _, words := range []string{id, "  " + id + " ", "marta@example.com", "MARTA@example.com", "+34600123418", "+34 600 123 418", "34600123418"} {
			require.Contains(t, found(words), row(marta), words)
			if !strings.HasPrefix(words, "34") || words != "34600123418" {
				continue
			}
			require.NotContains(t, found(words), row(lena), words)
		}
		require.Contains(t, found("1000"), row(lena), "how a uid begins")
		require.NotContains(t, found("lena"), row(marta))
	})
	t.Run("WildcardsAndOddWordsFindNobody", func(t *testing.T) {
		for _, words := range []string{"%", "_arta", "marta", "marta@", "+34600", "3460012341", "' OR 1=1 --", "999", "\x00", "\xff", strings.Repeat("9", 400), "+"} {
			body := found(words)
			if words == "\x00" || words == "\xff" {
				continue // nothing remains to search for
			}
			require.Contains(t, body, "No traders found", "%q", words)
		}
	})
	t.Run("NotForContentEditors", func(t *testing.T) {
		editor := b.SignInAs(t, b.Hire(t, "Editor", access.ContentEditor))
		require.Equal(t, http.StatusForbidden, editor.Get("/admin/traders").Code)
		require.Equal(t, http.StatusForbidden, editor.Get(path(marta)).Code)
	})
}

func TestExamplesAreMarked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	agent := b.agent()
	example, marta := b.register("anna@demo.example", "", 0), b.register("marta@demo.example.com", "", 0)
	row := func(who someone) string {
		_, after, found := strings.Cut(agent.Get("/admin/traders").Body.String(), fmt.Sprintf(`id="trader-%d"`, who.TraderID))
		require.True(t, found)
		before, _, _ := strings.Cut(after, "</tr>")
		return before
	}
	require.Contains(t, row(example), ">Example<")
	require.NotContains(t, row(marta), ">Example<")
	require.Contains(t, agent.Get(path(example)).Body.String(), ">Example<")
	require.NotContains(t, agent.Get(path(marta)).Body.String(), ">Example<")
}

func TestGuests(t *testing.T) {
	t.Parallel()
	b := setup(t)
	agent := b.agent()
	guest, marta := b.guest(), b.register("marta@example.com", "", 0)
	row := func(who someone) string {
		body := agent.Get("/admin/traders").Body.String()
		_, after, found := strings.Cut(body, fmt.Sprintf(`id="trader-%d"`, who.TraderID))
		require.True(t, found)
		before, _, _ := strings.Cut(after, "</tr>")
		return before
	}

	t.Run("AreMarkedAmongTheTraders", func(t *testing.T) {
		require.Contains(t, row(guest), "Guest")
		require.Contains(t, row(guest), "Demo")
		require.NotContains(t, row(guest), "Real")
		require.NotContains(t, row(guest), "•••••", "there is no contact to hide")
		require.NotContains(t, row(marta), "Guest")
		require.Contains(t, row(marta), "•••••")
	})
	t.Run("HaveAPageWithoutContactsCountryAndIdentity", func(t *testing.T) {
		page := agent.Get(path(guest))
		require.Equal(t, http.StatusOK, page.Code)
		body := page.Body.String()
		for _, want := range []string{"Guest 4F2A", "Spanish", "First seen", "DEMO", ">Demo<"} {
			require.Contains(t, body, want)
		}
		for _, never := range []string{"Email", "Phone", "Not verified", "/contact/", "Country"} {
			require.NotContains(t, body, never)
		}
		require.Contains(t, agent.Get(path(marta)).Body.String(), "/contact/mail")
	})
	t.Run("HaveNoContactToLookAt", func(t *testing.T) {
		for _, kind := range []string{"mail", "phone"} {
			require.Equal(t, http.StatusNotFound, agent.Part(path(guest, "contact", kind)).Code)
		}
		require.Equal(t, http.StatusOK, agent.Part(path(marta, "contact", "mail")).Code)
	})
}

func TestListPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	agent := b.agent()
	for i := range 53 {
		b.register(fmt.Sprintf("page%02d@example.com", i), "", 0)
	}
	rows := regexp.MustCompile(`id="trader-(\d+)"`)
	seen := map[string]bool{}
	body := agent.Get("/admin/traders?q=1000").Body.String()
	for _, match := range rows.FindAllStringSubmatch(body, -1) {
		seen[match[1]] = true
	}
	require.Len(t, seen, 50)
	older := regexp.MustCompile(`<form method="get" action="/admin/traders"><input type="hidden" name="q" value="1000"><input type="hidden" name="after" value="(0\.\d+)">`).FindStringSubmatch(body)
	require.NotNil(t, older, "the search goes along")
	body = agent.Get("/admin/traders?q=1000&after=" + older[1]).Body.String()
	for _, match := range rows.FindAllStringSubmatch(body, -1) {
		require.False(t, seen[match[1]])
		seen[match[1]] = true
	}
	require.Len(t, seen, 53)
	require.Contains(t, body, `<form method="get" action="/admin/traders"><input type="hidden" name="q" value="1000"><button`, "back to the newest")
}

// TestWhoWasSearchedForStandsInNoLink looks at a list that was searched for a person, and saves a view of it.
func TestWhoWasSearchedForStandsInNoLink(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.register("erika@example.com", "", 0)
	lead := b.hired(access.SupportLead, "Lead")
	address := "/admin/traders?q=erika%40example.com"
	body := lead.Get(address).Body.String()
	require.Contains(t, body, "erika@example.com")
	require.NotRegexp(t, `(href|hx-get|hx-post|action)="[^"]*erika`, body)
	require.NotContains(t, body, "Save view…", "nothing but the search")
	require.Contains(t, lead.Get(address+"&verified=passed").Body.String(), "Save view…")
	answer := lead.Send("/admin/views/new", url.Values{"path": {"/admin/traders"}, "query": {"q=erika%40example.com&verified=passed"}, "name": {"Verified"}})
	require.Equal(t, "/admin/traders?verified=passed", answer.Header().Get("HX-Redirect"))
	var saved string
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT query FROM staff_views`).Scan(&saved))
	require.Equal(t, "verified=passed", saved)
}

func TestOverview(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quote("EURUSD", "1.08000", "1.08010")
	marta := b.register("marta@example.com", "+34600123418", 10_000)
	b.login(marta, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36", "83.44.12.9")
	b.buy(marta, eurusd, 50, 100)
	b.quote("EURUSD", "1.08210", "1.08220")
	agent := b.auditor()

	t.Run("ShowsWhatATraderHasNow", func(t *testing.T) {
		page := agent.Get(path(marta))
		require.Equal(t, http.StatusOK, page.Code)
		body := page.Body.String()
		for _, want := range []string{
			fmt.Sprintf("Trader %d", marta.TraderID), "Equity, Real", "10,100.00", "+100.00", `class="v  up"`, "EURUSD", "Buy", "0.50", "1.08010", "1.08210",
			">Real<", ">Demo<", "DEMO", "Not verified", "Spain", "Spanish", "83.44.•••.•••", "Logged in", "Read only. Staff can’t change prices or fills.",
			fmt.Sprintf(`hx-get="/admin/traders/%d/valuation"`, marta.TraderID), `hx-trigger="every 5s"`,
		} {
			require.Contains(t, body, want)
		}
		for _, never := range []string{"marta@example.com", "600123418", "83.44.12.9", "secret-hash"} {
			require.NotContains(t, body, never)
		}
	})
	t.Run("FollowsThePrices", func(t *testing.T) {
		b.quote("EURUSD", "1.07810", "1.07820")
		body := agent.Part(path(marta, "valuation")).Body.String()
		require.Contains(t, body, "−100.00")
		require.Contains(t, body, "9,900.00")
		require.Contains(t, body, `id="trader-sums" hx-swap-oob="true"`)
		require.NotContains(t, body, "<html")
	})
	t.Run("WithoutAPriceNothingIsGuessed", func(t *testing.T) {
		b.test.Tamper(t, fmt.Sprintf(`UPDATE positions SET product_id = %d WHERE account_id = %d`, btcusd, marta.AccountID))
		body := agent.Get(path(marta)).Body.String()
		require.Contains(t, body, "equity and margin are unknown")
		require.NotContains(t, body, "9,900.00")
	})
	t.Run("Nobody", func(t *testing.T) {
		for _, id := range []string{"1", "0", "abc", "-5", "99999999999999999999"} {
			require.Equal(t, http.StatusNotFound, agent.Get("/admin/traders/"+id).Code, id)
		}
	})
}

func TestFunds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quote("EURUSD", "1.08000", "1.08010")
	marta := b.register("marta@example.com", "", 10_000)
	position := b.buy(marta, eurusd, 50, 100)
	b.quote("EURUSD", "1.07900", "1.07910")
	b.close(marta, position)

	t.Run("EntriesLeadToTheirCause", func(t *testing.T) {
		maker := b.SignInAs(t, b.Hire(t, "Finance maker 02", access.FinanceMaker))
		body := maker.Get(path(marta, "funds")).Body.String()
		for _, want := range []string{
			"+10,000.00", "−55.00", "Position closed", `href="/admin/deposits/50001"`, "Entries are added, never changed.",
			fmt.Sprintf(`href="/admin/traders/%d/positions/%d?account=%d"`, marta.TraderID, position.ID, marta.AccountID), "Balance after", "9,945.000000",
		} {
			require.Contains(t, body, want)
		}
	})
	t.Run("NoLinkToWhatTheRoleMayNotOpen", func(t *testing.T) {
		body := b.hired(access.ComplianceReviewer, "Compliance 01").Get(path(marta, "funds")).Body.String()
		require.Contains(t, body, "DP-50001")
		require.NotContains(t, body, `href="/admin/deposits/50001"`)
	})
	t.Run("PagesByKey", func(t *testing.T) {
		_, err := b.DB.Pool.Exec(t.Context(), `
			WITH t AS (INSERT INTO ledger_transactions (kind, key, cause, book, created_at)
				SELECT 'deposit', 'many:' || n, 'deposit:' || n, 'real', now() FROM generate_series(1, 60) n RETURNING id, created_at)
			INSERT INTO postings (transaction_id, created_at, account_id, bucket, book, currency, amount)
			SELECT id, created_at, a, CASE a WHEN 1 THEN 'house' ELSE 'cash' END, 'real', 'USDT', CASE a WHEN 1 THEN -1000000 ELSE 1000000 END FROM t, unnest(ARRAY[1, $1::bigint]) a`, marta.AccountID)
		require.NoError(t, err)
		agent := b.auditor()
		body := agent.Get(path(marta, "funds")).Body.String()
		older := regexp.MustCompile(`href="([^"]+after=0\.\d+)"`).FindStringSubmatch(body)
		require.NotNil(t, older)
		require.Contains(t, agent.Get(html.UnescapeString(older[1])).Body.String(), "+10,000.00")
	})
	t.Run("ThePracticeAccountApart", func(t *testing.T) {
		require.NotContains(t, b.auditor().Get(path(marta, "funds")+"?account="+strconv.FormatInt(marta.mock.ID, 10)).Body.String(), "−55.00")
	})
}

// TestFundingAccounts: funding accounts are shown, each sum in its own currency, and not offered for trading.
func TestFundingAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quote("EURUSD", "1.08000", "1.08010")
	marta := b.register("marta@example.com", "", 10_000)
	require.NotContains(t, b.agent().Get(path(marta)).Body.String(), "Funding accounts", "there is none yet")
	var dollars, crypto ledger.Account
	require.NoError(t, b.DB.InTx(t.Context(), func(tx *db.Tx) (err error) {
		if dollars, err = ledger.OpenFundingTx(t.Context(), tx, marta.TraderID, trader.Ordinary, "USDT", b.Clock.Now()); err != nil {
			return err
		}
		if crypto, err = ledger.OpenFundingTx(t.Context(), tx, marta.TraderID, trader.Ordinary, "BTC", b.Clock.Now()); err != nil {
			return err
		}
		post := func(kind string, entries []ledger.Entry, currencies map[int64]string) error {
			_, err := ledger.PostTx(t.Context(), tx, ledger.Transaction{
				Kind: kind, Key: kind, Cause: kind + ":90001", Book: ledger.Real, At: b.Clock.Now(), Entries: entries, Currencies: currencies,
			})
			return err
		}
		if err := post("transfer", marta.real.MoveTo(dollars, 2_000*money.Unit), nil); err != nil {
			return err
		}
		entries, currencies := dollars.ExchangeInto(crypto, 1_000*money.Unit, 1_234_567)
		return post("exchange", entries, currencies)
	}))
	agent := b.auditor()
	body := agent.Get(path(marta)).Body.String()
	for _, want := range []string{"Funding accounts", "0.01234567", "1,000.00", "8,000.00", fmt.Sprintf(`/funds?account=%d"`, crypto.ID)} {
		require.Contains(t, body, want)
	}
	body = agent.Get(path(marta, "funds") + "?account=" + strconv.FormatInt(crypto.ID, 10)).Body.String()
	for _, want := range []string{"+0.01234567", "EX-90001", "Funding BTC"} {
		require.Contains(t, body, want)
	}
	body = agent.Get(path(marta, "funds") + "?account=" + strconv.FormatInt(dollars.ID, 10)).Body.String()
	for _, want := range []string{"+2,000.00", "−1,000.00", "TR-90001"} {
		require.Contains(t, body, want)
	}
	require.NotContains(t, agent.Get(path(marta, "orders")).Body.String(), "Funding", "orders are of accounts to trade with")
}

func TestDevices(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta := b.register("marta@example.com", "", 0)
	b.login(marta, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36", "83.44.12.9")
	b.login(marta, "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1", "2001:db8:1::5")
	body := b.agent().Get(path(marta, "devices")).Body.String()
	for _, want := range []string{"Chrome, Windows", "Safari, iOS", "83.44.•••.•••", "2001:0db8:•••", "1 active", "Staff can’t see or set passwords."} {
		require.Contains(t, body, want)
	}
	require.NotContains(t, body, "83.44.12.9")

	b.Clock.Advance(8 * 24 * time.Hour)
	body = b.agent().Get(path(marta, "devices")).Body.String()
	require.Contains(t, body, "No active sessions.")
	require.Contains(t, body, "Chrome, Windows", "the devices stay")
}

func TestContact(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta := b.register("marta@example.com", "", 0)
	agent := b.agent()
	views := func() []audit.Entry {
		entries, _, err := b.log.List(t.Context(), audit.Filter{Action: "trader.reveal"})
		require.NoError(t, err)
		return entries
	}

	t.Run("AsksForAReasonFirst", func(t *testing.T) {
		body := agent.Part(path(marta, "contact", "mail")).Body.String()
		require.Contains(t, body, "Why you need it")
		require.NotContains(t, body, "marta@example.com")
	})
	t.Run("NotWithoutAReason", func(t *testing.T) {
		for _, reason := range []string{"", "   ", "hm", "a b", strings.Repeat("x", 201)} {
			answer := agent.Send(path(marta, "contact", "mail"), url.Values{"reason": {reason}})
			require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
			require.Equal(t, "#dialog", answer.Header().Get("HX-Retarget"))
			require.NotContains(t, answer.Body.String(), "marta@example.com")
		}
		require.Empty(t, views())
	})
	t.Run("NeverByALink", func(t *testing.T) {
		require.NotContains(t, agent.Get(path(marta, "contact", "mail")+"?reason=because+I+can").Body.String(), "marta@example.com")
		require.Empty(t, views())
	})
	t.Run("ShowsItForHalfAMinuteAndWritesItDown", func(t *testing.T) {
		answer := agent.Send(path(marta, "contact", "mail"), url.Values{"reason": {"case 4711"}})
		require.Equal(t, http.StatusOK, answer.Code)
		require.Contains(t, answer.Body.String(), "marta@example.com")
		require.Contains(t, answer.Body.String(), `data-revealed="30"`)
		require.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
		entries := views()
		require.Len(t, entries, 1)
		require.Equal(t, agent.Person.ID, entries[0].ActorID)
		require.Equal(t, strconv.FormatInt(marta.TraderID, 10), entries[0].TargetID)
		require.Contains(t, entries[0].After, "case 4711")
		require.NotContains(t, entries[0].After, "marta", "the log keeps no contact")
		require.Contains(t, agent.Get(path(marta, "audit")).Body.String(), "case 4711")
	})
	t.Run("NotOneThatIsNotThere", func(t *testing.T) {
		for _, kind := range []string{"phone", "password_hash", "name"} {
			require.Equal(t, http.StatusNotFound, agent.Send(path(marta, "contact", kind), url.Values{"reason": {"case 4711"}}).Code, kind)
		}
	})
	t.Run("NeedsTheRight", func(t *testing.T) {
		editor := b.SignInAs(t, b.Hire(t, "Editor", access.ContentEditor))
		require.Equal(t, http.StatusForbidden, editor.Send(path(marta, "contact", "mail"), url.Values{"reason": {"case 4711"}}).Code)
		require.Len(t, views(), 1)
	})
}

// TestContactsOfAnHour: the eleventh contact within an hour is refused with a message, and shown once the first one is an hour old.
func TestContactsOfAnHour(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, agent := b.register("marta@example.com", "", 0), b.agent()
	reveal := func() *httptest.ResponseRecorder {
		return agent.Send(path(marta, "contact", "mail"), url.Values{"reason": {"case 4711"}})
	}
	for range staff.ContactsOfSupport {
		require.Equal(t, http.StatusOK, reveal().Code)
	}
	b.Clock.Advance(10 * time.Minute)
	answer := reveal()
	require.Equal(t, http.StatusTooManyRequests, answer.Code)
	require.Equal(t, "#dialog", answer.Header().Get("HX-Retarget"))
	require.Contains(t, answer.Body.String(), "You have revealed 10 contacts in the last hour. Ask a team lead, or try again at 15:32.")
	require.NotContains(t, answer.Body.String(), "marta@example.com")
	b.Clock.Advance(50 * time.Minute)
	agent = b.SignInAs(t, agent.Person)
	require.Equal(t, http.StatusOK, reveal().Code)
}

func TestWordsOfOthersStayWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := 0
	for words := range slices.Chunk(desktest.Payloads, 10) {
		made++
		who := b.register(fmt.Sprintf("x%d@example.com", made), "", 0)
		b.login(who, words[0], words[1])
		_, err := b.DB.Pool.Exec(t.Context(), `UPDATE traders SET name = $2, language = $3, email = lower($4 || email), phone = $5 WHERE id = $1`,
			who.TraderID, words[0], words[1], words[3], words[4])
		require.NoError(t, err)
		_, err = b.DB.Pool.Exec(t.Context(), `UPDATE devices SET name = $2, last_ip = $3 WHERE trader_id = $1`, who.TraderID, words[5], words[6])
		require.NoError(t, err)
		agent := b.SignInAs(t, b.Hire(t, words[7], access.SupportAgent))
		actor := audit.Actor{Kind: audit.Staff, ID: agent.Person.ID, Name: words[7]}
		for _, payload := range words {
			require.NoError(t, b.log.Record(t.Context(), audit.By(audit.Actor{Kind: audit.Staff, ID: 1, Name: payload, IP: payload}, b.Clock.Now(), payload, "trader", who.TraderID)))
			require.NoError(t, b.traders.AddNote(t.Context(), actor, who.TraderID, payload, nil))
			_, err = b.DB.Pool.Exec(t.Context(), `
				WITH t AS (INSERT INTO ledger_transactions (kind, key, cause, book, created_at) VALUES ($2, 'k' || $2, $2, 'real', now()) RETURNING id, created_at)
				INSERT INTO postings (transaction_id, created_at, account_id, bucket, book, currency, amount)
				SELECT id, created_at, a, CASE a WHEN 1 THEN 'house' ELSE 'cash' END, 'real', 'USDT', CASE a WHEN 1 THEN -1 ELSE 1 END FROM t, unnest(ARRAY[1, $1::bigint]) a`, who.AccountID, payload)
			require.NoError(t, err)
			desktest.Harmless(t, "list", agent.Get("/admin/traders?"+url.Values{"q": {payload}}.Encode()).Body.String(), desk.SearchWords(payload))
		}
		_, err = b.traders.Restrict(t.Context(), actor, trader.RestrictionRequest{TraderID: who.TraderID, Kind: trader.RestrictTrade, Reason: "other", Note: words[8]})
		require.NoError(t, err)
		risk := b.SignInAs(t, b.Hire(t, words[9], access.Risk))
		desktest.Harmless(t, "lift", risk.Part(path(who, "restrictions", newest(b, who), "end")).Body.String(), words[8])
		form := url.Values{"kind": {words[0]}, "reason": {words[1]}, "life": {words[2]}, "note": {words[3]}}
		desktest.Harmless(t, "restrict again", risk.Send(path(who, "restrictions"), form).Body.String(), words[3])
		long := words[4] + strings.Repeat("x", 2000)
		desktest.Harmless(t, "note again", agent.Post(path(who, "notes"), url.Values{"note": {long}}).Body.String(), long)
		long = words[5] + strings.Repeat("x", 200)
		desktest.Harmless(t, "asked again", agent.Send(path(who, "contact", "mail"), url.Values{"reason": {long}}).Body.String(), long)
		desktest.Harmless(t, "shown", agent.Send(path(who, "contact", "mail"), url.Values{"reason": {words[6] + "xxxxx"}}).Body.String(), strings.ToLower(words[3]))
		for tab, shown := range map[string][]string{
			"": nil, "orders": nil, "funds": words, "devices": {words[5]}, "notes": words, "audit": words, "valuation": nil,
		} {
			desktest.Harmless(t, tab, agent.Get(strings.TrimSuffix(path(who, tab), "/")).Body.String(), shown...)
		}
	}
	desktest.Harmless(t, "all", b.agent().Get("/admin/traders").Body.String())
}

// TestEveryKeyHasWords checks the texts whose keys are composed.
func TestEveryKeyHasWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for prefix, ends := range map[string][]string{
		"trader.reason.":           {"manual", "market", "sl", "tp", "stop_out"},
		"trader.entry.":            {"open", "close"},
		"trader.side.":             {"buy", "sell"},
		"trader.bucket.":           {string(ledger.Cash), string(ledger.Bonus), string(ledger.Deficit), string(ledger.Owed)},
		"trader.book.":             {string(ledger.Real), string(ledger.Mock)},
		"trader.kind.":             {"deposit", "mock_top_up", "trade_open", "trade_close", "negative_balance_protection", "deposit_reversed", "transfer", "exchange", "withdrawal", "swap", "dividend"},
		"trader.event.":            {"register", "login", "reveal", "restrict", "lift", "note", "end_session", "end_sessions", "send_password_reset", "reset_password"},
		"trader.result.":           {string(audit.Done), string(audit.Denied), string(audit.Failed)},
		"trader.tab.":              {"overview", "orders", "funds", "devices", "notes", "audit"},
		"trader.restriction.kind.": {"trade", "withdraw", "login"}, "trader.restriction.chip.": {"trade", "withdraw", "login"},
		"trader.restriction.reason.": trader.RestrictionReasons, "trader.restriction.life.": {"0", "1", "6", "24", "72", "168", "720", "2160", "8760"},
	} {
		for _, end := range ends {
			require.True(t, b.Texts.Has("en", prefix+end), prefix+end)
		}
	}
	marta := b.register("marta@example.com", "", 0)
	agent := b.agent()
	bare := regexp.MustCompile(`>\s*(trader|deposit|ui|error|field)\.[a-z_.]+\s*<`)
	for _, tab := range []string{"", "orders", "funds", "devices", "notes", "audit"} {
		page := agent.Get(strings.TrimSuffix(path(marta, tab), "/"))
		require.Equal(t, http.StatusOK, page.Code, tab)
		require.Empty(t, bare.FindString(page.Body.String()), tab)
	}
}

func TestTheAuditTabTellsWhatHappenedToATradersThings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, lena := b.register("marta@example.com", "", 1_000), b.register("lena@example.com", "", 1_000)
	withdrawal := b.paidOut(marta, b.saved(marta, wallet, 48), wallet, hash)
	var papers int64
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `INSERT INTO kyc_applications (trader_id, state, created_at) VALUES ($1, 'draft', $2) RETURNING id`,
		marta.TraderID, b.Clock.Now()).Scan(&papers))
	by := func(kind audit.ActorKind, id int64, name, action, target string, of int64) {
		require.NoError(t, b.log.Record(t.Context(), audit.By(audit.Actor{Kind: kind, ID: id, Name: name}, b.Clock.Now(), action, target, of)))
		b.Clock.Advance(time.Second)
	}
	by(audit.Trader, marta.TraderID, "ma***a@example.com", "withdrawal.request", "withdrawal", withdrawal)
	by(audit.Staff, 101, "Finance maker 02", "withdrawal.claim", "withdrawal", withdrawal)
	by(audit.Staff, 102, "Compliance reviewer 04", "kyc.approve", "kyc", papers)
	by(audit.Trader, lena.TraderID, "le***a@example.com", "withdrawal.cancel", "withdrawal", withdrawal+1)
	require.NoError(t, b.log.Record(t.Context(), audit.By(audit.Visitor(audit.Actor{}), b.Clock.Now(), "trader.refuse_login", "trader", marta.TraderID)))
	agent, reviewer := b.agent(), b.hired(access.ComplianceReviewer, "Compliance 01")
	claimed, approved := fmt.Sprintf("claimed WD-%d", withdrawal), fmt.Sprintf("approved ID-%d", papers)
	asked := `title="withdrawal.request"`

	for _, page := range []string{path(marta, "audit"), path(marta)} { // the tab, and the recent events beside every tab
		seen := agent.Get(page).Body.String()
		require.Contains(t, seen, claimed, page)
		require.NotContains(t, seen, approved, "an agent may not see papers")
		require.Contains(t, seen, "Someone", "a visitor has shown no name")
		require.NotContains(t, seen, ">"+audit.VisitorName+"<", page)
		seen = reviewer.Get(page).Body.String()
		require.Contains(t, seen, approved, page)
		require.NotContains(t, seen, claimed, "a reviewer may not see withdrawals")
	}
	require.Contains(t, reviewer.Get(path(marta, "audit")).Body.String(), asked, "what a trader did is told to whoever may see the trader")
	other := agent.Get(path(lena, "audit")).Body.String()
	require.NotContains(t, other, asked)
	require.NotContains(t, other, claimed)
}

func TestTheIdentityAndTheChatOfATrader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marta, lena := b.register("marta@example.com", "", 0), b.register("lena@example.com", "", 0)
	name, number, birth, expiry, country, passport := "Marta Specimen Verified", "C01X00001", "1990-05-17", "2031-08-31", "ES", "passport"
	_, err := b.kyc.Save(t.Context(), ledger.Owner{TraderID: marta.TraderID}, kyc.Filled{FullName: &name, Number: &number, BirthDate: &birth, ExpiryDate: &expiry, Country: &country, DocumentType: &passport})
	require.NoError(t, err)
	id, err := b.kyc.Newest(t.Context(), marta.TraderID)
	require.NoError(t, err)
	papers, talk := fmt.Sprintf(`href="/admin/identity/%d"`, id), `href="/admin/chat/70"`
	b.test.Tamper(t, fmt.Sprintf(`INSERT INTO conversations (id, trader_id, language, state, created_at, moved_at) OVERRIDING SYSTEM VALUE VALUES (70, %d, 'es', 'queued', now(), now());
		INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, at) VALUES (70, gen_random_uuid(), 'customer', 'text', false, 'Where is my money?', now())`, marta.TraderID))
	reviewer, agent, finance := b.hired(access.ComplianceReviewer, "Compliance 01"), b.agent(), b.hired(access.FinanceMaker, "Finance maker 03")

	require.Contains(t, reviewer.Get(path(marta, "identity")).Body.String(), "No applications submitted.", "a draft is nobody's business")
	b.test.Tamper(t, fmt.Sprintf(`UPDATE kyc_applications SET state = 'approved', attempt = 1, number_hash = 'x', level = 1, maker_id = 1, renew_on = now(), submitted_at = now(), decided_at = now() WHERE trader_id = %d`, marta.TraderID))

	page := reviewer.Get(path(marta, "identity")).Body.String()
	require.Contains(t, page, papers)
	require.Contains(t, page, "Approved")
	require.Contains(t, page, "Passport")
	require.NotContains(t, reviewer.Get(path(lena, "identity")).Body.String(), papers)
	require.Equal(t, http.StatusForbidden, agent.Get(path(marta, "identity")).Code)
	require.NotContains(t, agent.Get(path(marta)).Body.String(), path(marta, "identity"), "no tab that can't be opened")

	talked := agent.Get(path(marta, "chat")).Body.String()
	require.Contains(t, talked, talk)
	require.Contains(t, talked, "Where is my money?")
	require.NotContains(t, agent.Get(path(lena, "chat")).Body.String(), talk)
	require.Equal(t, http.StatusForbidden, finance.Get(path(marta, "chat")).Code)
	require.NotContains(t, finance.Get(path(marta)).Body.String(), path(marta, "chat"))

	for _, who := range []*desktest.Browser{reviewer, finance} {
		require.Contains(t, who.Get(path(marta)).Body.String(), name, "who compares names")
	}
	require.NotContains(t, agent.Get(path(marta)).Body.String(), name, "who compares none")
	require.NotContains(t, finance.Get(path(lena)).Body.String(), "Verified name")
}

// TestAskedAgainIsNoRefusal has a trader who was asked again and one who was refused: to the app both have failed.
func TestAskedAgainIsNoRefusal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	agent := b.agent()
	asked, refused := b.register("marta@example.com", "", 0), b.register("lena.specimen@example.org", "", 0)
	_, err := b.DB.Pool.Exec(t.Context(), `UPDATE traders SET auth_status = $1`, trader.AuthFailed)
	require.NoError(t, err)
	_, err = b.DB.Pool.Exec(t.Context(), `INSERT INTO kyc_applications (trader_id, state, attempt, created_at) VALUES ($1, 'resubmission_required', 1, now())`, asked.TraderID)
	require.NoError(t, err)
	page := agent.Get(path(asked)).Body.String()
	require.Contains(t, page, "Resubmission requested")
	require.NotContains(t, page, "Not approved")
	require.Contains(t, agent.Get(path(refused)).Body.String(), "Not approved")
	list := agent.Get("/admin/traders?verified=failed").Body.String()
	require.Equal(t, 1, strings.Count(list, "Resubmission requested"))
	require.Equal(t, 1, strings.Count(list, "Not approved</span>")+strings.Count(list, "Not approved </span>"))
}

func TestListedCountriesAreMarked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	agent := b.agent()
	marta := b.register("marta@example.com", "", 0)
	require.NotContains(t, agent.Get("/admin/traders").Body.String(), "High risk")
	_, err := b.DB.Pool.Exec(t.Context(), `INSERT INTO switches (key, value) VALUES ($1, 'ES')`, switches.HighRiskKey)
	require.NoError(t, err)
	require.NoError(t, b.values.Reload(t.Context()))
	for _, page := range []string{"/admin/traders", path(marta), path(marta, "audit")} {
		require.Contains(t, agent.Get(page).Body.String(), "High risk", page)
	}
}

func TestReadsOfAnIdentityAreOneLine(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lead := b.hired(access.ComplianceLead, "Compliance lead 01")
	marta := b.register("marta@example.com", "", 0)
	var papers int64
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `INSERT INTO kyc_applications (trader_id, state, created_at) VALUES ($1, 'draft', $2) RETURNING id`,
		marta.TraderID, b.Clock.Now()).Scan(&papers))
	for _, action := range []string{"kyc.read_data", "kyc.view", "kyc.read_data", "kyc.view", "kyc.view"} {
		require.NoError(t, b.log.Record(t.Context(), audit.By(audit.Actor{Kind: audit.Staff, ID: 102, Name: "Compliance reviewer 04"}, b.Clock.Now(), action, "kyc", papers)))
		b.Clock.Advance(time.Minute)
	}
	for _, page := range []string{path(marta, "audit"), path(marta)} {
		seen := lead.Get(page).Body.String()
		require.Contains(t, seen, fmt.Sprintf("viewed a picture of ID-%d, 3 times", papers), page)
		require.NotContains(t, seen, fmt.Sprintf("viewed a picture of ID-%d<", papers), page)
		require.Contains(t, seen, fmt.Sprintf("viewed the data of ID-%d, 2 times", papers), page)
	}
}
