package paydesk_test

import (
	"encoding/csv"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/audit"
	"candor/app/withdrawal"
)

var rowPattern = regexp.MustCompile(`<article id="wd-(\d+)"`)

// rows are the withdrawals of a list, in order.
func rows(page string) (ids []string) {
	for _, match := range rowPattern.FindAllStringSubmatch(page, -1) {
		ids = append(ids, match[1])
	}
	return ids
}

func ids(list ...withdrawal.Withdrawal) (out []string) {
	for _, w := range list {
		out = append(out, fmt.Sprint(w.ID))
	}
	return out
}

func TestQueue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	require.Contains(t, p.maker.Get("/admin/withdrawals").Body.String(), "No withdrawals are waiting.")

	first := b.waiting(100)
	b.Clock.Advance(5 * time.Minute)
	second := b.in(p, withdrawal.Approved1, 200)
	third := b.in(p, withdrawal.Approved2, leadDollars)
	queued := b.in(p, withdrawal.Queued, 400)
	b.Clock.Advance(5 * time.Minute)
	sending := b.in(p, withdrawal.Processing, 500)
	unknown := b.in(p, withdrawal.OutcomeUnknown, 600)
	frozen := b.in(p, withdrawal.Frozen, 700)
	sent := b.in(p, withdrawal.Sent, 800)
	ended := b.waiting(900)
	p.maker.did(ended, "rejection")

	t.Run("LongestWaitingFirstWithCountsAndTabs", func(t *testing.T) {
		body := p.checker.Get("/admin/withdrawals").Body.String()
		require.Equal(t, ids(first, second, third, queued, sending, unknown, frozen, sent), rows(body))
		require.Contains(t, body, "Pending")
		require.Contains(t, body, "42,500.00 USDT", "what has left accounts and is not out")
		require.Equal(t, 4, strings.Count(body, "data-label>Claim<"), "what a checker can go on with")
		for name, w := range map[string]withdrawal.Withdrawal{
			"approve": first, "second": second, "lead": third, "send": queued, "sending": sending, "unknown": unknown, "frozen": frozen, "sent": sent,
		} {
			require.Equal(t, ids(w), rows(p.maker.Get("/admin/withdrawals?tab="+name).Body.String()), name)
		}
	})
	t.Run("Filters", func(t *testing.T) {
		b.database.Tamper(t, fmt.Sprintf(`UPDATE withdrawals SET risk = CASE id WHEN %d THEN 70 ELSE 20 END, risk_reasons = 'first,quick_turn'`, second.ID))
		today, tomorrow := b.Clock.Now().Format("2006-01-02"), b.Clock.Now().AddDate(0, 0, 1).Format("2006-01-02")
		for query, want := range map[string][]string{
			"risk=60": ids(second), "waiting=9": ids(first), "waiting=4": ids(first, second, third, queued), "trader=" + fmt.Sprint(queued.TraderID): ids(queued),
			"number=wd-" + fmt.Sprint(ended.ID): ids(ended), "number=" + fmt.Sprint(ended.ID): ids(ended), "payment=bank-" + fmt.Sprint(sent.ID): ids(sent),
			"payment=nothing": nil, "tab=approve&risk=60": nil,
			"tab=ended": ids(ended), "tab=ended&outcome=rejected": ids(ended), "tab=ended&outcome=completed": nil, "tab=ended&kind=standard": nil,
			"tab=ended&from=2020-01-01&to=" + today: ids(ended), "tab=ended&from=" + tomorrow: nil, "from=" + tomorrow: nil,
			"kind=bank&tab=approve&outcome=completed&from=" + today: ids(first), "kind=standard": nil, "chain=tron": nil, "address=TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW": nil,
			"kind=x&chain=y&address=z&from=yesterday&to=2026-13-01&tab=send": ids(queued),
			"risk=x&waiting=-1&trader=0&number=;&tab=all&after=1.2.3":        ids(first, second, third, queued, sending, unknown, frozen, sent),
		} {
			require.Equal(t, want, rows(p.maker.Get("/admin/withdrawals?"+query).Body.String()), query)
		}
		body := p.maker.Get("/admin/withdrawals?risk=60&trader=" + fmt.Sprint(second.TraderID)).Body.String()
		require.Contains(t, body, "60 or more")
		require.Contains(t, body, `title="First withdrawal, Deposited within the last day"`)
		require.Contains(t, body, `href="/admin/withdrawals?trader=`+fmt.Sprint(second.TraderID)+`"`, "each is taken away by itself")
		require.Contains(t, body, fmt.Sprintf("%s?risk=60&amp;trader=%d", path(second), second.TraderID), "an open row keeps them")
		dialog := p.maker.Part("/admin/withdrawals/filter").Body.String()
		for _, name := range []string{"payment", "kind", "chain", "address", "from", "to", "waiting"} {
			require.Contains(t, dialog, `name="`+name+`"`)
		}
		require.NotContains(t, dialog, `name="outcome"`, "what is under way has none")
		body = p.maker.Get("/admin/withdrawals?tab=ended&chain=tron&address=TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW&from=" + today).Body.String()
		for _, want := range []string{"TRON (TRC-20)", "TJCnKs…sxMW", today, "No ended withdrawals match these filters.", `/admin/withdrawals/file?tab=ended&amp;chain=tron&amp;address=TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW&amp;from=` + today} {
			require.Contains(t, body, want)
		}
		require.Equal(t, http.StatusSeeOther, p.maker.Get("/admin/withdrawals/filter").Code)
	})
	t.Run("File", func(t *testing.T) {
		holder := b.ask(b.owner("Marta Specimen", "=HYPERLINK(\"x\")"), 50)
		read := func(s seat, query string) [][]string {
			answer := s.Get("/admin/withdrawals/file" + query)
			require.Equal(t, http.StatusOK, answer.Code)
			require.Contains(t, answer.Header().Get("Content-Disposition"), "attachment")
			table, err := csv.NewReader(answer.Body).ReadAll()
			require.NoError(t, err)
			return table
		}
		table := read(p.maker, "?tab=approve")
		require.Len(t, table, 3)
		require.Equal(t, first.Number(), table[1][0])
		require.Equal(t, "'=HYPERLINK(\"x\")", table[2][8], "a cell is no formula")
		require.Equal(t, holder.IBAN, table[2][10])
		require.Len(t, read(p.maker, ""), 10)
		require.Len(t, read(p.maker, "?payment=none"), 1)
		over := read(p.maker, "?tab=ended&kind=bank")
		require.Len(t, over, 2)
		require.Equal(t, []string{"kind", ended.Number(), "bank"}, []string{over[0][len(over[0])-1], over[1][0], over[1][len(over[1])-1]})
		require.Len(t, read(p.maker, "?tab=ended&kind=standard"), 1)
		looker := b.seat("Auditor 01", access.Auditor)
		require.Contains(t, looker.Get("/admin/withdrawals?tab=approve").Body.String(), `href="/admin/withdrawals/file?tab=approve"`)
		require.NotContains(t, fmt.Sprint(read(looker, "")), holder.IBAN)
		entries, _, err := b.log.List(t.Context(), audit.Filter{Action: "withdrawal.export"})
		require.NoError(t, err)
		require.Len(t, entries, 6, "each file is written down")
		require.Contains(t, entries[5].After, `"approve"`)
		require.Regexp(t, `"tab": ?"ended"`, entries[1].After)
		for _, role := range []access.Role{access.ContentEditor, access.SupportAgent, access.SupportLead, access.Risk} {
			s := b.seat("Looks only, "+string(role), role)
			require.Equal(t, http.StatusForbidden, s.Get("/admin/withdrawals/file").Code, role)
			require.NotContains(t, s.Get("/admin/withdrawals").Body.String(), "/admin/withdrawals/file", role)
		}
		require.EqualValues(t, 6, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'withdrawal.export'`))
	})
}

func TestQueueOfCoins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	bank, crypto := b.waiting(100), b.cryptoWithdrawal(200)
	require.Contains(t, p.maker.Part(path(crypto)).Body.String(), "Not screened")
	require.NotContains(t, p.maker.Part(path(bank)).Body.String(), "Not screened", "no account number is screened")
	for query, want := range map[string][]string{
		"kind=standard": ids(crypto), "chain=tron": ids(crypto), "address=+" + crypto.Address + "+": ids(crypto), "chain=tron&kind=bank": nil,
		"address=" + crypto.Address + "&tab=ended": nil, "kind=bank": ids(bank), "chain=bitcoin": nil,
	} {
		require.Equal(t, want, rows(p.maker.Get("/admin/withdrawals?"+query).Body.String()), query)
	}
	require.Contains(t, p.maker.Get("/admin/withdrawals?address="+crypto.Address).Body.String(), path(crypto)+"?address="+crypto.Address, "an open row keeps it")
	p.maker.did(crypto, "rejection")
	require.Equal(t, ids(crypto), rows(p.maker.Get("/admin/withdrawals?tab=ended&address="+crypto.Address).Body.String()))
	require.Equal(t, http.StatusOK, p.maker.Get(path(crypto)+"?tab=ended&address="+crypto.Address).Code)
}

func TestQueuePages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	first := b.waiting(100)
	b.exec(`
		INSERT INTO withdrawals (trader_id, account_id, payee_id, kind, currency, amount, fee, holder_key, holder_sealed, bank, iban, bic, risk, risk_reasons, state, taken_id, created_at, moved_at)
		SELECT trader_id, account_id, payee_id, kind, currency, amount, fee, holder_key, holder_sealed, bank, iban, bic, risk, risk_reasons, state, taken_id, created_at, moved_at
		FROM withdrawals, generate_series(1, 60) n WHERE id = $1`, first.ID)
	body := maker.Get("/admin/withdrawals?tab=approve").Body.String()
	seen := rows(body)
	require.Len(t, seen, 50)
	next := regexp.MustCompile(`href="(/admin/withdrawals\?tab=approve&amp;after=[^"]+)"`).FindStringSubmatch(body)
	require.NotNil(t, next)
	body = maker.Get(strings.ReplaceAll(next[1], "&amp;", "&")).Body.String()
	seen = append(seen, rows(body)...)
	slices.Sort(seen)
	require.Len(t, slices.Compact(seen), 61, "none twice, none left out")
	require.Contains(t, body, "First page<")
	require.Contains(t, maker.Get(path(first)).Body.String(), `aria-current="true"`)
}

func TestDetail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	o := b.owner("Marta Specimen", "marta  specimen")
	earlier := b.ask(o, 50)
	p.maker.did(earlier, "rejection")
	w := b.ask(o, 100)

	t.Run("ShowsWhereItGoesAndWhatCameBefore", func(t *testing.T) {
		body := p.maker.Get(path(w)).Body.String()
		for _, want := range []string{
			w.Number(), "100.00", "marta  specimen", "Same as the trader", "26 h 0 min ago", "first use", "First withdrawal", "Never traded with real money",
			earlier.Number(), "Rejected", "Trader requested it", "2 approvals", "BYLADEM1001",
		} {
			require.Contains(t, body, want)
		}
		require.NotContains(t, body, "Marta Specimen", "the trader's name stays hidden")
		other := b.ask(b.owner("Marta Specimen", "Otto Other"), 100)
		require.NotContains(t, p.maker.Part(path(other)).Body.String(), "Different from the trader’s name")
		b.stranger = "Otto Other"
		require.Contains(t, p.maker.Part(path(other)).Body.String(), "Different from the trader’s name")
	})
	t.Run("ItsStepsAreTold", func(t *testing.T) {
		done := b.in(p, withdrawal.Sent, 100)
		body := p.checker.Part(path(done)).Body.String()
		for _, want := range []string{"You approved", "Finance maker 02 approved", "Finance maker 02 started the payout", "Finance maker 02 claimed it"} {
			require.Contains(t, body, want)
		}
		require.Contains(t, p.maker.Part(path(done)).Body.String(), "Sent BANK-"+fmt.Sprint(done.ID), "the checker reads it at the bank")
	})
	t.Run("DialogsShowWhatTheyAreBoundTo", func(t *testing.T) {
		second := b.in(p, withdrawal.Approved1, leadDollars)
		require.Equal(t, http.StatusOK, p.checker.claim(second).Code)
		foot := p.checker.Part(path(second)).Body.String()
		for _, label := range []string{"Approve…", "Reject…", "Revoke approvals…", "Release"} {
			require.Equal(t, 1, strings.Count(foot, "data-label>"+label+"<"), label)
		}
		body := p.checker.Part(path(second, "confirmation")).Body.String()
		now := b.now(second.ID)
		for _, want := range []string{
			"as second approver", "First approval: Finance maker 02", "40,000.00", now.IBAN, fmt.Sprintf(`name="version" value="%d"`, now.Version),
			fmt.Sprintf(`name="facts" value="%x"`, now.Facts()), "Approve 40,000.00 USDT",
		} {
			require.Contains(t, body, want)
		}
		require.NotContains(t, body, `name="amount"`, "amount and destination are read only")
		require.NotContains(t, body, `name="iban"`)
	})
	t.Run("EveryDialogOpensForWhoMayAndNobodyElse", func(t *testing.T) {
		for _, c := range []struct {
			state withdrawal.State
			who   seat
			nouns []string
		}{
			{withdrawal.Review, p.maker, []string{"approval", "question", "rejection"}},
			{withdrawal.MoreInfo, p.maker, []string{"rejection"}},
			{withdrawal.Approved1, p.checker, []string{"confirmation", "rejection", "recall"}},
			{withdrawal.Approved2, p.lead, []string{"third-approval", "recall"}},
			{withdrawal.Queued, p.maker, []string{"sending"}},
			{withdrawal.Processing, p.maker, []string{"payment", "unknown-outcome"}},
			{withdrawal.OutcomeUnknown, p.maker, []string{"finding-paid", "finding-unpaid"}},
			{withdrawal.Sent, p.maker, []string{"bounce"}},
			{withdrawal.Frozen, p.checker, []string{"rejection"}},
		} {
			dollars := int64(100)
			if c.state == withdrawal.Approved2 {
				dollars = leadDollars
			}
			one := b.in(p, c.state, dollars)
			require.Equal(t, http.StatusOK, c.who.claim(one).Code)
			for _, noun := range c.nouns {
				answer := c.who.Part(path(one, noun))
				require.Equal(t, http.StatusOK, answer.Code, "%s %s", c.state, noun)
				require.NotRegexp(t, `withdrawal\.[a-z]`, answer.Body.String(), "a text is missing in %s", noun)
				for _, other := range []seat{p.maker, p.checker, p.lead, p.compliance} {
					if other.Person.ID != c.who.Person.ID {
						require.NotEqual(t, http.StatusOK, other.Part(path(one, noun)).Code, "%s %s", c.state, noun)
					}
				}
			}
			require.NotContains(t, c.who.Get(path(one)).Body.String(), ">withdrawal.", "a text is missing in %s", c.state)
		}
	})
	t.Run("Wording", func(t *testing.T) {
		body := p.maker.Part(path(w, "reason-preview?reason=source_of_funds")).Body.String()
		require.Contains(t, body, "The trader sees, in")
		for _, code := range withdrawal.Reasons {
			require.Contains(t, p.maker.Part(path(w, "reason-preview?reason="+code)).Body.String(), html.EscapeString(b.texts.T("zh_CN", "withdraw.reason."+code, nil)), "in the trader's language")
		}
		require.Contains(t, p.maker.Part(path(w, "reason-preview?reason=anything")).Body.String(), "appears here")
	})
	t.Run("NoSuchOne", func(*testing.T) {
		for _, odd := range []string{"/admin/withdrawals/1", "/admin/withdrawals/x", "/admin/withdrawals/1/approval"} {
			require.Equal(b, http.StatusNotFound, p.maker.Do(httptest.NewRequest(http.MethodGet, odd, nil)).Code, odd)
		}
	})
}

func TestARestrictedTradersPayout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	const words = "Withdrawals restricted"
	w, other := b.waiting(100), b.waiting(100)
	b.exec(`INSERT INTO trader_restrictions (trader_id, kind, reason, note, set_by, set_at) VALUES ($1, 'withdraw', 'legal_order', 'Case 4711', $2, $3)`,
		w.TraderID, p.compliance.Person.ID, b.Clock.Now())
	b.exec(`INSERT INTO trader_restrictions (trader_id, kind, reason, note, set_by, set_at) VALUES ($1, 'trade', 'legal_order', 'Case 4711', $2, $3)`,
		other.TraderID, p.compliance.Person.ID, b.Clock.Now())
	require.Contains(t, p.maker.Part(path(w)).Body.String(), words)
	require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
	require.Contains(t, p.maker.Part(path(w, "approval")).Body.String(), words, "whoever approves it sees it too")
	require.NotContains(t, p.maker.Part(path(other)).Body.String(), words, "orders alone are restricted")
}

// TestSavedViews names a selection of the list, shows it again, and removes it.
func TestSavedViews(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker, checker := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance checker 01", access.FinanceChecker)
	small, large := b.waiting(100), b.waiting(2_000)
	const list = "/admin/withdrawals"
	require.Less(t, strings.Index(maker.Get(list+"?order=amount").Body.String(), large.Number()), strings.Index(maker.Get(list+"?order=amount").Body.String(), small.Number()))
	body := maker.Get(list + "?least=1,000").Body.String()
	require.Contains(t, body, large.Number())
	require.NotContains(t, body, small.Number())
	require.Contains(t, body, "Save view…")
	require.NotContains(t, maker.Get(list+"?mine=1").Body.String(), large.Number())
	require.Equal(t, http.StatusOK, maker.claim(large).Code)
	require.Contains(t, maker.Get(list+"?mine=1").Body.String(), large.Number())

	save := func(s seat, path, query, name string) *httptest.ResponseRecorder {
		return s.Send("/admin/views/new", url.Values{"path": {path}, "query": {query}, "name": {name}})
	}
	answer := save(maker, list, "least=1,000&after=1.2&claimed=3", "Large ones")
	require.Equal(t, list+"?least=1%2C000", answer.Header().Get("HX-Redirect"))
	require.Equal(t, http.StatusUnprocessableEntity, save(maker, list, "least=1", "").Code)
	for _, elsewhere := range []string{"/admin/staff", "/admin/withdrawals/1", "//example.com", "https://example.com", ""} {
		require.Equal(t, http.StatusNotFound, save(maker, elsewhere, "a=1", "Elsewhere").Code, elsewhere)
	}
	shown := regexp.MustCompile(`<a href="([^"]+)"[^>]*>Large ones</a>`)
	body = maker.Get(list).Body.String()
	require.Equal(t, list+"?least=1%2C000", html.UnescapeString(shown.FindStringSubmatch(body)[1]))
	require.NotContains(t, checker.Get(list).Body.String(), "Large ones")
	body = maker.Get(list + "?least=1%2C000").Body.String()
	require.NotContains(t, body, "Save view…")
	removal := regexp.MustCompile(`hx-post="(/admin/views/\d+/removal)"`).FindStringSubmatch(body)[1]
	require.Equal(t, http.StatusNoContent, maker.Send(removal, nil).Code)
	require.NotContains(t, maker.Get(list).Body.String(), "Large ones")
}
