package controldesk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/market"
	"candor/app/platform/money"
)

// draft is the form of new terms as its page sends it: the terms of the catalogue's EURUSD, with the given values replaced as typed.
func draft(version int, values map[string]string, moment, reason string) url.Values {
	form := url.Values{
		"version": {fmt.Sprint(version)}, "effective_at": {moment}, "reason": {reason},
		"multiple": {"100", "50", "200", "20", "500"}, "tiers_from": {"0", "20", "40"}, "tiers_leverage": {"500", "200", "100"},
	}
	for _, term := range market.Catalogue()[0].List() {
		if term.Name != "multiple" && term.Name != "tiers" {
			form.Set(term.Name, term.Value)
		}
	}
	for _, name := range []string{"hedged_ratio_bps", "commission_bps", "spike_bps"} { // typed in percent
		bps, _ := strconv.ParseInt(form.Get(name), 10, 64)
		form.Set(name, money.Trim(bps, 2))
	}
	ms, _ := strconv.ParseInt(form.Get("stale_ms"), 10, 64)
	form.Set("stale_ms", money.Trim(ms, 3))
	for name, value := range values {
		form.Set(name, value)
	}
	return form
}

// withTiers replaces the rows of the tiers: each the volume from which it applies, and its leverage.
func withTiers(form url.Values, rows ...[2]string) url.Values {
	form.Del("tiers_from")
	form.Del("tiers_leverage")
	for _, row := range rows {
		form.Add("tiers_from", row[0])
		form.Add("tiers_leverage", row[1])
	}
	return form
}

// later is far enough after the office's time.
const later = "2026-11-23T00:00"

func (h *office) newestChange(t *testing.T) (market.Change, string) {
	t.Helper()
	list, err := h.changes.List(t.Context(), 0, false, 1)
	require.NoError(t, err)
	require.Len(t, list, 1)
	return list[0], fmt.Sprintf("/admin/product-changes/%d", list[0].ID)
}

func (h *office) versions(t *testing.T, product int) int {
	t.Helper()
	list, err := h.prices.Terms(product)
	require.NoError(t, err)
	return len(list)
}

func TestAProductShowsItsTermsInWords(t *testing.T) {
	t.Parallel()
	h := open(t)
	agent := h.SignIn(t, access.SupportAgent)
	for id, want := range map[int][]string{
		eurusd: {
			"EURUSD", "Full trading", "0.01 lots", "50 lots", "20 points", "1:100 by default, 1:50, 1:200, 1:20, 1:500", "up to 20 lots 1:500, up to 40 lots 1:200, beyond 1:100", "50%",
			"−8.9 points per lot and night", "+2.4 points per lot and night", "Wednesday", "10 s", "0.5%", "100,000 units", "EUR in USD", "Version 1, in force from the start",
		},
		xauusd: {"3.50 USDT per lot", "None, the same for any volume", "1%"},
		aapl:   {"0.05% of notional", "1.00 USDT per fill", "1 lot", "1 unit<", "−7.5% per year", "Friday"},
		201:    {"None, charged each day", "5 s"},
	} {
		page := agent.Get(fmt.Sprintf("/admin/products/%d", id)).Body.String()
		for _, words := range want {
			require.Contains(t, page, words)
		}
		require.Contains(t, page, "Only a config admin can request changes.", "the buttons are locked and say why")
		require.NotContains(t, page, "hx-get=\"/admin/products/")
		require.Equal(t, id == aapl, strings.Contains(page, "Add a dividend"), "only what stands for a share pays one")
	}
	require.Contains(t, agent.Get("/admin/products").Body.String(), `href="/admin/products/101"`)
	for _, path := range []string{"/admin/products/999", "/admin/products/x", "/admin/products/0"} {
		require.Equal(t, http.StatusNotFound, agent.Get(path).Code, path)
	}
}

func TestTermsAreReviewedAskedForAndAgreedOn(t *testing.T) {
	t.Parallel()
	h := open(t)
	asks, agrees := h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.ConfigApprover)
	form := asks.Part("/admin/products/1/terms").Body.String()
	for _, want := range []string{`name="stop_level"`, `value="20"`, "Now: 20 points", `name="effective_at"`, `value="2026-11-22T00:00"`, "Market time is 20 Nov 2026, 14:32 UTC", `value="points" selected`, `value="3" selected`} {
		require.Contains(t, form, want)
	}

	draftForm := withTiers(draft(1, map[string]string{"stop_level": "30", "swap_model": "percent"}, later, "rates rose"), [2]string{"0", "500"}, [2]string{"20", "100"})
	review := asks.Send("/admin/products/1/terms/review", draftForm)
	require.Equal(t, http.StatusOK, review.Code, review.Body)
	diff := []string{
		"20 points", "30 points", "−8.9 points per lot and night", "−8.9% per year", "up to 20 lots 1:500, up to 40 lots 1:200, beyond 1:100", "up to 20 lots 1:500, beyond 1:100",
		"23 Nov 2026, 00:00 UTC", "rates rose",
	}
	for _, want := range append(diff, "Back to edit", `name="stop_level" value="30"`) {
		require.Contains(t, review.Body.String(), want)
	}
	require.NotContains(t, review.Body.String(), "Stop level</span><span class=\"fig\"", "what stays is not in it")
	draftForm.Set("again", "1")
	require.Contains(t, asks.Send("/admin/products/1/terms/review", draftForm).Body.String(), `value="30"`, "the form comes back as it was typed")
	draftForm.Del("again")
	n, _, err := h.changes.CountOpen(t.Context())
	require.NoError(t, err)
	require.Zero(t, n, "looking asks for nothing")

	asked := asks.Send("/admin/products/1/terms", draftForm)
	require.Equal(t, http.StatusOK, asked.Code, asked.Body)
	for _, want := range []string{"New terms for EURUSD requested.", `id="count-products"`, `hx-swap-oob="innerHTML:#dialog"`, "You already took part in this. Another person must decide.", "/withdrawal"} {
		require.Contains(t, asked.Body.String(), want)
	}
	require.NotContains(t, asked.Body.String(), "/approval", "no button for who asked")
	twice := asks.Send("/admin/products/1/terms", draftForm)
	require.Equal(t, http.StatusConflict, twice.Code)
	require.Equal(t, "true", twice.Header().Get("Desk-Refusal"), "it goes into the dialog")
	require.Contains(t, twice.Body.String(), "Another request about this is still open.")

	_, path := h.newestChange(t)
	require.Contains(t, agrees.Get("/admin").Body.String(), "New terms for EURUSD from 23 Nov 2026, 00:00 UTC")
	page, dialog := agrees.Get("/admin/products/1").Body.String(), agrees.Part(path+"/approval").Body.String()
	for _, want := range append(diff, "config admin") {
		require.Contains(t, page, want)
		require.Contains(t, dialog, want, "the second person sees the same")
	}
	require.Equal(t, 1, h.versions(t, eurusd))
	done := agrees.Send(path+"/approval", nil)
	require.Equal(t, http.StatusOK, done.Code, done.Body)
	for _, want := range []string{"Approved. EURUSD changes on 23 Nov 2026, 00:00 UTC.", "Comes next: version 2", "config admin requested, config approver approved"} {
		require.Contains(t, done.Body.String(), want)
	}
	require.Equal(t, 2, h.versions(t, eurusd))
	again := agrees.Send(path+"/approval", nil)
	require.Equal(t, http.StatusConflict, again.Code, "once only")
	require.Contains(t, again.Body.String(), "It has already been decided.")
	require.Equal(t, http.StatusConflict, agrees.Part(path+"/refusal").Code, "the dialog knows too")

	outdated := asks.Send("/admin/products/1/terms/review", draftForm)
	require.Equal(t, http.StatusConflict, outdated.Code)
	require.Contains(t, outdated.Body.String(), "The product changed after this request was written")
	require.Equal(t, http.StatusConflict, asks.Send("/admin/products/1/terms", draftForm).Code)
	base := asks.Part("/admin/products/1/terms").Body.String()
	require.Contains(t, base, "Compared with version 2, in force from 23 Nov 2026, 00:00 UTC")
	require.Contains(t, base, "Now: 30 points")
	h.Clock.Advance(72 * time.Hour)
	in := h.SignInAs(t, agrees.Person).Get("/admin/products/1").Body.String()
	require.Contains(t, in, "Version 2, in force from 23 Nov 2026, 00:00 UTC")
	require.NotContains(t, in, "Comes next")
}

func TestTermsThatDoNotFitAreRefusedBesideTheirFields(t *testing.T) {
	t.Parallel()
	h := open(t)
	asks := h.SignIn(t, access.ConfigAdmin)
	review := func(values map[string]string, moment, reason string) (int, string) {
		for _, path := range []string{"/admin/products/1/terms/review", "/admin/products/1/terms"} {
			got := asks.Send(path, draft(1, values, moment, reason))
			if path == "/admin/products/1/terms" {
				return got.Code, got.Body.String()
			}
			require.Equal(t, http.StatusUnprocessableEntity, got.Code)
		}
		return 0, ""
	}
	for name, one := range map[string]struct{ value, words string }{
		"spread_markup": {"-1", "From 0 to 10,000 points."}, "lot_min": {"0.015", "At least one step, in whole steps."}, "lot_step": {"0", "More than zero."},
		"lot_max": {"0", "At least the min lot"}, "multiple": {"1x", "Whole numbers from 1 to 2000"}, "tiers_leverage": {"x", "Whole lots that rise"},
		"hedged_ratio_bps": {"100.01", "From 0 to 100%"}, "commission_per_lot": {"-1", "Zero or more."}, "commission_bps": {"0.125", "From 0 to 10%, with at most 2 decimals."}, "commission_min": {"-1", "Zero or more."},
		"stop_level": {"-1", "From 0 to 1,000,000"}, "stale_ms": {"0.5", "From 1 to 600 seconds"}, "spike_bps": {"+5", "From 0.01 to 50%"}, "mode": {"off", "Select an option from the list."},
		"swap_model": {"none", "Zero if there are no swaps."}, "triple_day": {"6", "Select an option from the list."}, "swap_long": {"1e3", "Use digits and a point only."},
	} {
		code, body := review(map[string]string{name: one.value}, later, "why")
		require.Equal(t, http.StatusUnprocessableEntity, code, name)
		require.Contains(t, body, one.words, name)
		require.Contains(t, body, `aria-invalid="true"`)
		require.Contains(t, body, "<dialog", "the form comes again")
	}
	fits := map[string]string{"stop_level": "30"}
	for words, one := range map[string][2]string{
		"Choose a time at least 24 hours ahead of market time.": {"2026-11-21T14:31", "why"}, "Required.": {later, " "}, "Too short or too long.": {later, strings.Repeat("x", 501)},
	} {
		code, body := review(fits, one[0], one[1])
		require.Equal(t, http.StatusUnprocessableEntity, code)
		require.Contains(t, body, words)
		require.Contains(t, body, `value="30"`, "what was typed stays")
	}
	_, body := review(fits, "tomorrow", "why")
	require.Contains(t, body, "Required.")
	code, body := review(nil, later, "why")
	require.Equal(t, http.StatusUnprocessableEntity, code)
	require.Contains(t, body, "All values are already in force.")
	noVersion := draft(1, fits, later, "why")
	noVersion.Del("version")
	require.Equal(t, http.StatusUnprocessableEntity, asks.Send("/admin/products/1/terms", noVersion).Code, "the version seen comes along")
	require.Equal(t, http.StatusNotFound, asks.Send("/admin/products/999/terms", draft(1, fits, later, "why")).Code)
	require.Equal(t, http.StatusOK, asks.Send("/admin/products/1/terms", draft(1, fits, "2026-11-21T14:32", "why")).Code, "to the minute")
}

func TestAChangeIsRefusedOrTakenBack(t *testing.T) {
	t.Parallel()
	h := open(t)
	asks, other, agrees := h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.ConfigApprover)
	ask := func() string {
		h.askTerms(t, asks.Person, eurusd, 48, map[string]string{"stop_level": "30"}, "why")
		_, path := h.newestChange(t)
		return path
	}
	change := ask()
	require.Equal(t, http.StatusForbidden, other.Send(change+"/withdrawal", nil).Code)
	require.NotContains(t, other.Get("/admin/products/1").Body.String(), change, "nothing of it is another one's to press")
	require.Contains(t, agrees.Send(change+"/refusal", nil).Body.String(), "Change to EURUSD rejected.")
	change = ask()
	require.Contains(t, asks.Send(change+"/withdrawal", nil).Body.String(), "Change to EURUSD withdrawn.")
	page := asks.Get("/admin/products/1").Body.String()
	require.Contains(t, page, "Withdrawn")
	require.Contains(t, page, "Rejected")
	require.Equal(t, 1, h.versions(t, eurusd))

	change = ask()
	h.Clock.Advance(72 * time.Hour)
	agrees = h.SignInAs(t, agrees.Person)
	late := agrees.Send(change+"/approval", nil)
	require.Equal(t, http.StatusUnprocessableEntity, late.Code)
	require.Contains(t, late.Body.String(), "Its effective time has passed.")
	require.Equal(t, http.StatusNotFound, agrees.Send("/admin/product-changes/99999/approval", nil).Code)
	require.Equal(t, http.StatusNotFound, agrees.Part("/admin/product-changes/99999/approval").Code)
}

// TestNobodyAgreesWithThemselves gives one person both permissions, which no grant allows.
func TestNobodyAgreesWithThemselves(t *testing.T) {
	t.Parallel()
	h := open(t)
	both := h.SignIn(t, access.ConfigAdmin, access.ConfigApprover)
	h.askTerms(t, both.Person, eurusd, 48, map[string]string{"stop_level": "30"}, "why")
	_, change := h.newestChange(t)
	page := both.Get("/admin/products/1").Body.String()
	require.Contains(t, page, "You already took part in this. Another person must decide.")
	require.NotContains(t, page, change+"/approval")
	for i, try := range []string{"/approval", "/refusal"} {
		require.Equal(t, http.StatusForbidden, both.Send(change+try, nil).Code, try)
		require.Equal(t, i+1, h.denials(t), "and each try is recorded")
	}
	require.Equal(t, 1, h.versions(t, eurusd))
}

func TestWhoLacksThePowerIsRefused(t *testing.T) {
	t.Parallel()
	h := open(t)
	asks, agrees := h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.ConfigApprover)
	h.askTerms(t, asks.Person, eurusd, 48, map[string]string{"stop_level": "30"}, "why")
	_, change := h.newestChange(t)
	form := draft(1, map[string]string{"stop_level": "40"}, later, "why")
	for _, one := range []struct {
		browser *desktest.Browser
		paths   []string
	}{
		{agrees, []string{"/admin/products/1/terms", "/admin/products/1/terms/review", "/admin/products/301/dividend", "/admin/products/301/dividend/review", change + "/withdrawal"}},
		{asks, []string{change + "/approval", change + "/refusal"}},
		{h.SignIn(t, access.SuperAdmin, access.Risk, access.Auditor, access.SupportLead), []string{
			"/admin/products/1/terms", "/admin/products/1/terms/review", "/admin/products/301/dividend", "/admin/products/301/dividend/review", change + "/withdrawal", change + "/approval",
			change + "/refusal",
		}},
	} {
		for _, path := range one.paths {
			require.Equal(t, http.StatusForbidden, one.browser.Send(path, form).Code, path)
		}
	}
	found, _ := h.newestChange(t)
	require.Equal(t, approval.Requested, found.State)
	require.Contains(t, asks.Get("/admin/products/1").Body.String(), "Another request about this is still open.", "a second one can't even be begun")
	require.NotContains(t, asks.Get("/admin").Body.String(), "New terms for EURUSD", "it waits for those who may decide")
}

func TestADividendIsAskedForAndAgreedOn(t *testing.T) {
	t.Parallel()
	h := open(t)
	asks, agrees := h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.ConfigApprover)
	form := url.Values{"ex_date": {"2026-12-01"}, "amount": {"0.26"}, "reason": {"declared"}}
	for words, wrong := range map[string]url.Values{
		"Must be more than zero.":      {"ex_date": {"2026-12-01"}, "amount": {"0"}, "reason": {"declared"}},
		"Use digits and a point only.": {"ex_date": {"2026-12-01"}, "amount": {"a lot"}, "reason": {"declared"}},
		"Required.":                    {"ex_date": {""}, "amount": {"0.26"}, "reason": {"declared"}},
		"Choose a time at least 24 hours ahead of market time.": {"ex_date": {"2026-11-21"}, "amount": {"0.26"}, "reason": {"declared"}},
	} {
		for _, path := range []string{"/admin/products/301/dividend/review", "/admin/products/301/dividend"} {
			got := asks.Send(path, wrong)
			require.Equal(t, http.StatusUnprocessableEntity, got.Code, words)
			require.Contains(t, got.Body.String(), words)
			require.Contains(t, got.Body.String(), `aria-invalid="true"`, words)
		}
	}
	review := asks.Send("/admin/products/301/dividend/review", form).Body.String()
	diff := []string{"Booked at", "0.26 USD", "1 Dec 2026", "30 Nov 2026, 22:00 UTC", "declared"}
	for _, want := range diff {
		require.Contains(t, review, want)
	}
	form.Set("again", "1")
	require.Contains(t, asks.Send("/admin/products/301/dividend/review", form).Body.String(), `value="0.26"`)
	for range 2 { // the second dividend has the same date
		require.Equal(t, http.StatusOK, asks.Send("/admin/products/301/dividend", form).Code)
		_, change := h.newestChange(t)
		dialog := agrees.Part(change + "/approval").Body.String()
		for _, want := range diff {
			require.Contains(t, dialog, want)
		}
		done := agrees.Send(change+"/approval", nil)
		if strings.Contains(done.Body.String(), "Approved. AAPL changes") {
			continue
		}
		require.Equal(t, http.StatusConflict, done.Code)
		require.Contains(t, done.Body.String(), "The product changed after this request was written", "an outdated one is refused in words")
	}
	list, err := h.changes.List(t.Context(), aapl, false, 10)
	require.NoError(t, err)
	require.Equal(t, []approval.State{approval.Requested, approval.Applied}, []approval.State{list[0].State, list[1].State})
	for _, path := range []string{"/admin/products/1/dividend", "/admin/products/1/dividend/review"} {
		require.Equal(t, http.StatusNotFound, asks.Send(path, form).Code, "a currency pays none")
	}
	require.Equal(t, http.StatusNotFound, asks.Part("/admin/products/1/dividend").Code)
}

func TestChangesWaitInTheNavigationAndInTheLog(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.askTerms(t, h.Hire(t, "Config admin 01", access.ConfigAdmin), eurusd, 48, map[string]string{"stop_level": "30"}, "why")
	h.Clock.Advance(25 * time.Hour)
	approver, agent, auditor := h.SignIn(t, access.ConfigApprover), h.SignIn(t, access.SupportAgent), h.SignIn(t, access.Auditor)
	item := func(b *desktest.Browser) string {
		_, rest, ok := strings.Cut(b.Get("/admin").Body.String(), `id="count-products"`)
		require.True(t, ok)
		count, _, _ := strings.Cut(rest, "</span>")
		return count
	}
	require.Contains(t, item(approver), ">1")
	home := approver.Get("/admin").Body.String()
	require.Contains(t, home, "Awaiting second approval")
	require.Contains(t, home, "Queues")
	require.NotContains(t, agent.Get("/admin").Body.String(), "Queues", "who can't decide has no such queue")
	require.Contains(t, auditor.Get("/admin/audit?area=product").Body.String(), "requested a change to EURUSD")
	entries, _, err := h.log.List(t.Context(), audit.Filter{Action: "product.", Limit: 1})
	require.NoError(t, err)
	entry := auditor.Get(fmt.Sprintf("/admin/audit/%d", entries[0].ID)).Body.String()
	require.Contains(t, entry, "Stop level")
	require.Contains(t, entry, "why")
}

// TestTermsAreTypedInTheUnitsThatAreRead types percent, seconds and the rows of lists.
func TestTermsAreTypedInTheUnitsThatAreRead(t *testing.T) {
	t.Parallel()
	h := open(t)
	asks := h.SignIn(t, access.ConfigAdmin)
	const review = "/admin/products/1/terms/review"
	form := draft(1, map[string]string{"hedged_ratio_bps": "12.5", "stale_ms": "2.5", "commission_bps": "0.07"}, later, "why")
	form["multiple"] = []string{"200", "", "50"}
	withTiers(form, [2]string{"0", "200"}, [2]string{"", ""}, [2]string{" 5", "100"})
	got := asks.Send(review, form)
	require.Equal(t, http.StatusOK, got.Code, got.Body)
	for _, want := range []string{"12.5%", "2.5 s", "0.07% of notional", "1:200 by default, 1:50", "up to 5 lots 1:200, beyond 1:100", `name="hedged_ratio_bps" value="12.5"`} {
		require.Contains(t, got.Body.String(), want)
	}
	require.Equal(t, http.StatusOK, asks.Send("/admin/products/1/terms", form).Code)
	change, _ := h.newestChange(t)
	require.Equal(t, 1250, change.Terms.HedgedRatioBps)
	require.Equal(t, 2500, change.Terms.StaleMS)
	require.Equal(t, 7, change.Terms.CommissionBps)
	require.Equal(t, "200,50", change.Terms.Multiple)
	require.Equal(t, "5:200,50:100", change.Terms.Tiers, "the end of the last tier stays as it was stored")
}

func TestRowsAreAddedAndRemoved(t *testing.T) {
	t.Parallel()
	h := open(t)
	asks := h.SignIn(t, access.ConfigAdmin)
	rows := func(act string, tiers ...string) (multiple, tierRows int) {
		form := draft(1, map[string]string{"row": act, "stop_level": "77"}, later, "why")
		withTiers(form)
		form["multiple"] = []string{"100", "50"}
		for _, from := range tiers {
			form.Add("tiers_from", from)
			form.Add("tiers_leverage", "100")
		}
		got := asks.Send("/admin/products/1/terms/review", form)
		require.Equal(t, http.StatusOK, got.Code, act)
		require.Contains(t, got.Body.String(), `value="77"`, "what was typed stays")
		return strings.Count(got.Body.String(), `name="multiple"`), strings.Count(got.Body.String(), `name="tiers_from"`)
	}
	for act, want := range map[string][2]int{
		"add-multiple": {3, 1}, "remove-multiple-0": {1, 1}, "remove-multiple-5": {2, 1}, "add-tiers": {2, 2}, "remove-tiers-0": {2, 0}, "add-mode": {2, 1}, "remove-tiers-x": {2, 1},
	} {
		multiple, tiers := rows(act, "20")
		require.Equal(t, want, [2]int{multiple, tiers}, act)
	}
	_, tiers := rows("add-tiers")
	require.Equal(t, 1, tiers, "the first tier of a product without")
}
