package switchdesk_test

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/switchdesk"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/notice"
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// office is an office with the switch desk.
type office struct {
	*desktest.Office
	values   *switches.Service
	changes  *switches.Changes
	traders  *trader.Service
	schedule *approval.Engine
}

func open(t testing.TB) *office {
	t.Helper()
	h := &office{}
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	h.Office = desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) {
		h.schedule = approval.New(c.DB, c.Clock, nil)
		h.values, err = switches.Load(t.Context(), c.DB, nil)
		require.NoError(t, err)
		h.changes = switches.NewChanges(c.DB, h.values, c.Clock, h.schedule, bus, nil)
		c.Health = desktest.Healthy
		c.Counts = map[string]func(context.Context) (desk.Waiting, error){"switches": switchdesk.Waiting(h.changes)}
	})
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	h.traders = trader.New(trader.Config{DB: h.DB, Clock: h.Clock, Sessions: session.New(h.DB, h.Clock, nil), Outbox: h.Outbox, Switches: h.values, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Texts: texts, Changed: func(int64) {}})
	h.Mount(switchdesk.Routes(switchdesk.Services{Values: h.values, Changes: h.changes, Traders: h.traders, Texts: texts, Online: func() int { return 7 }, Audit: audit.NewLog(h.DB)}))
	return h
}

const why = "the board decided so on Friday"

func wish(value string, more ...string) url.Values {
	form := url.Values{"value": {value}, "reason": {why}, "version": {"0"}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

func (h *office) newest(t *testing.T, key string) (switches.Change, string) {
	t.Helper()
	list, err := h.changes.Of(t.Context(), key)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list[0], fmt.Sprintf("/admin/switch-changes/%d", list[0].ID)
}

func version(c switches.Change, more ...string) url.Values {
	form := url.Values{"version": {fmt.Sprint(c.Version)}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

var nextPage = regexp.MustCompile(`href="(/admin/switches\?[^"]*after=[^"]+)"`)

// wholeList is the list of switches, all pages of it.
func wholeList(admin interface {
	Get(path string) *httptest.ResponseRecorder
}) (list string) {
	for path := "/admin/switches"; path != ""; {
		page := admin.Get(path).Body.String()
		list += page
		path = ""
		if next := nextPage.FindStringSubmatch(page); next != nil {
			path = html.UnescapeString(next[1])
		}
	}
	return list
}

func TestEveryKeyHasWordsAndAPage(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	texts, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	list := wholeList(admin)
	for _, d := range switches.Definitions {
		for _, key := range []string{"switch.name." + d.Key, "switch.about." + d.Key, "role." + d.Owner} {
			require.True(t, texts.Has("en", key), key)
		}
		require.Contains(t, list, d.Key)
		page := admin.Get("/admin/switches/" + d.Key)
		require.Equal(t, http.StatusOK, page.Code, d.Key)
		require.NotRegexp(t, regexp.MustCompile(`[>"]\s*switch\.[a-z_]+[a-z_.]*\s*[<"]`), strings.ReplaceAll(page.Body.String(), d.Key, ""), d.Key)
		require.Equal(t, d.Risk == switches.Locked, strings.Contains(page.Body.String(), "This switch can’t be changed here"), d.Key)
	}
	for _, path := range []string{"/admin/switches/nobody.knows", "/admin/switches/x"} {
		require.Equal(t, http.StatusNotFound, admin.Get(path).Code, path)
	}
}

func TestTheListIsFiltered(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	for query, want := range map[string][2]string{
		"?q=bank":        {"bank.fee", "demo.enabled"},
		"?tab=sensitive": {"bank.fee", "clock_12h.default"},
		"?tab=open":      {"No switches here.", "bank.fee"},
		"?changed=week":  {"No switches match these filters.", "bank.fee"},
	} {
		body := admin.Get("/admin/switches" + query).Body.String()
		require.Contains(t, body, want[0], query)
		require.NotContains(t, body, want[1], query)
	}
	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/clock_12h.default/change", wish("true")).Code)
	require.Contains(t, admin.Get("/admin/switches?changed=week").Body.String(), "clock_12h.default")
}

func TestASensitiveKeyIsChangedByTwo(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin, approver := h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.ConfigApprover)
	key := switches.WithdrawRateKey
	form := admin.Part("/admin/switches/" + key + "/change").Body.String()
	for _, want := range []string{`name="value"`, `name="at"`, `name="reason"`, "Now: 0%"} {
		require.Contains(t, form, want)
	}
	require.NotContains(t, form, `name="rules"`, "a fee is the same for everybody")
	for value, want := range map[string]string{"-1": "0% to 10%", "101": "0% to 10%", "0": "already in force", "x": "digits and a point"} {
		got := admin.Send("/admin/switches/"+key+"/change/review", wish(value))
		require.Equal(t, http.StatusUnprocessableEntity, got.Code, value)
		require.Contains(t, strings.ToLower(got.Body.String()), strings.ToLower(want), value)
	}
	low := admin.Send("/admin/switches/withdraw.minimum/change/review", wish("2000000"))
	require.Contains(t, low.Body.String(), "It would conflict with “Maximum withdrawal”, which is 1000000.")

	review := admin.Send("/admin/switches/"+key+"/change/review", wish("0.15"))
	require.Equal(t, http.StatusOK, review.Code, review.Body)
	for _, want := range []string{"0%", "0.15%", why, "Request approval", "Save as draft", "All traders"} {
		require.Contains(t, review.Body.String(), want)
	}
	require.Equal(t, "0", h.values.Value(key), "looking changes nothing")

	asked := admin.Send("/admin/switches/"+key+"/change", wish("0.15"))
	require.Equal(t, http.StatusOK, asked.Code, asked.Body)
	require.Contains(t, asked.Body.String(), "is awaiting a second approval")
	c, address := h.newest(t, key)
	require.NotContains(t, asked.Body.String(), address+"/approval", "no button for its author")
	require.Equal(t, http.StatusForbidden, admin.Send(address+"/approval", version(c, "key", key)).Code)

	page := approver.Get("/admin/switches/" + key).Body.String()
	require.Contains(t, page, address+"/approval")
	require.Contains(t, page, "You can approve: you are not the author")
	wrong := approver.Send(address+"/approval", version(c, "key", "withdraw.fee"))
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	require.Contains(t, wrong.Body.String(), "Type the key exactly as shown.")
	old := version(c, "key", key)
	old.Set("version", "1")
	require.Equal(t, http.StatusConflict, approver.Send(address+"/approval", old).Code)
	done := approver.Send(address+"/approval", version(c, "key", key))
	require.Equal(t, http.StatusOK, done.Code, done.Body)
	require.Equal(t, "0.15", h.values.Value(key))
	require.Equal(t, http.StatusConflict, approver.Send(address+"/approval", version(c, "key", key)).Code, "twice")

	back := admin.Send("/admin/switches/"+key+"/versions/0/return", url.Values{"reason": {why}})
	require.Equal(t, http.StatusOK, back.Code, back.Body)
	c, address = h.newest(t, key)
	require.Equal(t, []any{approval.Requested, "0"}, []any{c.State(), c.After().Value})
	no := approver.Send(address+"/rejection", version(c, "reason", "short"))
	require.Equal(t, http.StatusUnprocessableEntity, no.Code)
	require.Equal(t, http.StatusOK, approver.Send(address+"/rejection", version(c, "reason", "the costs are what they are")).Code)
	require.Equal(t, "0.15", h.values.Value(key))
}

// TestAChangeThatCameToNothingStaysToBeRead by every member who may view it; an open change is not listed as closed.
func TestAChangeThatCameToNothingStaysToBeRead(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin, approver, reader := h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.ConfigApprover), h.SignIn(t, access.Auditor)
	key := switches.WithdrawRateKey
	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/"+key+"/change", wish("0.3")).Code)
	require.NotContains(t, admin.Get("/admin/switches/"+key).Body.String(), "Closed without effect")
	c, address := h.newest(t, key)
	no := "the costs are what they are"
	require.Contains(t, approver.Send(address+"/rejection", version(c, "reason", no)).Body.String(), "Rejected by config approver: "+no)
	for _, who := range []*desktest.Browser{admin, approver, reader} {
		page := who.Get("/admin/switches/" + key).Body.String()
		for _, want := range []string{"Closed without effect", c.Number(), "Rejected", "0.3%", "Rejected by config approver: " + no, why} {
			require.Contains(t, page, want)
		}
	}
	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/"+key+"/change", wish("0.4", "draft", "1")).Code)
	c, address = h.newest(t, key)
	require.Equal(t, http.StatusOK, admin.Send(address+"/cancellation", version(c)).Code)
	page := admin.Get("/admin/switches/" + key).Body.String()
	require.Contains(t, page, "Withdrawn by")
	require.NotContains(t, admin.Get("/admin/switches/"+switches.BankFeeKey).Body.String(), "Closed without effect", "another key")
}

// TestWhyAScheduledChangeFailedIsRead: the page shows the key's own reason.
func TestWhyAScheduledChangeFailedIsRead(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin, approver := h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.ConfigApprover)
	agree := func(key string) {
		c, address := h.newest(t, key)
		require.Equal(t, http.StatusOK, approver.Send(address+"/approval", version(c, "key", key)).Code)
	}
	soon := h.Clock.Now().Add(time.Hour).UTC().Format("2006-01-02T15:04")
	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/"+switches.WithdrawMinKey+"/change", wish("500", "at", soon)).Code)
	agree(switches.WithdrawMinKey)
	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/"+switches.WithdrawMaxKey+"/change", wish("400")).Code)
	agree(switches.WithdrawMaxKey)
	h.Clock.Advance(2 * time.Hour)
	n, err := h.schedule.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	page := h.SignIn(t, access.Auditor).Get("/admin/switches/" + switches.WithdrawMinKey).Body.String()
	require.Contains(t, page, "At its scheduled time it conflicted with another switch.")
	require.Contains(t, page, "Failed")
}

func TestADraftIsEditedScheduledAndTakenBack(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	key := switches.MockTopUpKey
	kept := admin.Send("/admin/switches/"+key+"/change", wish("5000", "draft", "1"))
	require.Contains(t, kept.Body.String(), "saved as a draft")
	c, address := h.newest(t, key)
	require.Contains(t, admin.Part(address+"/edit").Body.String(), `value="5000"`)
	soon := h.Clock.Now().Add(time.Hour).UTC().Format("2006-01-02T15:04")
	form := wish("6000", "at", soon)
	form.Set("version", fmt.Sprint(c.Version))
	require.Contains(t, admin.Send(address+"/edit/review", form).Body.String(), "6,000")
	sent := admin.Send(address+"/edit", form)
	require.Equal(t, http.StatusOK, sent.Code, sent.Body)
	c, _ = h.newest(t, key)
	require.Equal(t, []any{approval.Scheduled, "6000"}, []any{c.State(), c.After().Value})
	require.Contains(t, sent.Body.String(), "is scheduled")
	require.Equal(t, http.StatusOK, admin.Send(address+"/cancellation", version(c)).Code)
	h.Clock.Advance(2 * time.Hour)
	n, err := h.schedule.Run(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
}

func TestAStopIsForTheRolesThatAreNamed(t *testing.T) {
	t.Parallel()
	h := open(t)
	risk, lead, approver := h.SignIn(t, access.Risk), h.SignIn(t, access.ComplianceLead), h.SignIn(t, access.ConfigApprover)
	stop := "/admin/switches/" + switches.ExchangeKey + "/stop"
	require.Contains(t, risk.Get("/admin/switches/"+switches.ExchangeKey).Body.String(), stop)
	require.NotContains(t, lead.Get("/admin/switches/"+switches.ExchangeKey).Body.String(), stop, "exchange is not theirs")
	require.Equal(t, http.StatusForbidden, lead.Send(stop, url.Values{"reason": {why}}).Code)
	require.Equal(t, http.StatusForbidden, approver.Send(stop, url.Values{"reason": {why}}).Code)
	require.Equal(t, http.StatusUnprocessableEntity, risk.Send(stop, url.Values{"reason": {"now"}}).Code)
	require.Equal(t, http.StatusOK, risk.Send(stop, url.Values{"reason": {why}}).Code)
	require.False(t, h.values.On(switches.ExchangeKey))
	c, address := h.newest(t, switches.ExchangeKey)
	require.Equal(t, http.StatusForbidden, risk.Send(address+"/agreement", version(c, "note", why)).Code)
	page := approver.Get("/admin/switches/" + switches.ExchangeKey).Body.String()
	require.Contains(t, page, "Stopped, review due")
	require.Equal(t, http.StatusOK, approver.Send(address+"/agreement", version(c, "note", why)).Code)
	c, _ = h.newest(t, switches.ExchangeKey)
	require.Equal(t, switches.Right, *c.Verdict)
}

// rule fills a row of rules.
func rule(form url.Values, row int, countries, value string, languages ...string) url.Values {
	form.Set("rules", fmt.Sprint(row+1))
	form.Set(fmt.Sprint("rule-countries-", row), countries)
	form.Set(fmt.Sprint("rule-value-", row), value)
	form[fmt.Sprint("rule-languages-", row)] = languages
	return form
}

func TestRulesAndTheTester(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	key := switches.BannersKey
	for name, form := range map[string]url.Values{
		"a country that is none": rule(wish("true"), 0, "<script>", "false"), "a value that is none": rule(wish("true"), 0, "DE", "maybe"), "nobody named": rule(wish("true"), 0, "", "false"),
	} {
		got := admin.Send("/admin/switches/"+key+"/change/review", form)
		require.Equal(t, http.StatusUnprocessableEntity, got.Code, name)
		require.NotContains(t, got.Body.String(), "<script>", name)
	}
	form := rule(rule(wish("true"), 0, "de, AT", "false", "ar"), 1, "AT", "true")
	review := admin.Send("/admin/switches/"+key+"/change/review", form).Body.String()
	require.Contains(t, review, "Countries: DE, AT. Languages: ar. Platforms: any. Value: Off")
	require.Contains(t, review, `name="rule-languages-0" value="ar"`, "what was looked at is what is sent")
	done := admin.Send("/admin/switches/"+key+"/change", form)
	require.Equal(t, http.StatusOK, done.Code, done.Body)
	for query, want := range map[string]string{
		"?country=de&language=ar&platform=1": "Off, by rule 1", "?country=at&language=ar&platform=1": "Off, by rule 1", "?country=at&language=de": "On, by rule 2",
		"?country=fr&language=ar&platform=1": "On, as for everyone", "?country=&language=&platform=": "On, as for everyone",
	} {
		require.Contains(t, admin.Get("/admin/switches/"+key+query).Body.String(), want, query)
	}
	change := admin.Part("/admin/switches/" + key + "/change").Body.String()
	for _, want := range []string{`value="DE, AT"`, "Move rule 1 down", "Move rule 2 up", "Remove rule 2", "Add a rule", "polski"} {
		require.Contains(t, change, want)
	}
	require.NotContains(t, change, "Move rule 1 up")
	require.NotContains(t, change, "Move rule 2 down")
}

// TestRowsOfRulesAreRearrangedWithoutLosingWhatWasTyped: nothing is stored before the form is submitted.
func TestRowsOfRulesAreRearrangedWithoutLosingWhatWasTyped(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	key := switches.BannersKey
	typed := func() url.Values {
		form := rule(rule(wish("false"), 0, "DE", "true", "de", "tlh"), 1, "not yet a country", "false")
		form.Set("rule-platforms-1", "1")
		return form
	}
	rows := func(act string) []string {
		form := typed()
		form.Set("rule", act)
		got := admin.Send("/admin/switches/"+key+"/change/review", form)
		require.Equal(t, http.StatusOK, got.Code, act)
		body := got.Body.String()
		require.Contains(t, body, why, "the reason stays")
		found := []string{}
		for _, m := range regexp.MustCompile(`name="rules" value="(\d+)"|value="([^"]*)" [^>]*name="rule-countries-\d"|name="rule-countries-\d"[^>]* value="([^"]*)"`).FindAllStringSubmatch(body, -1) {
			found = append(found, m[1]+m[2]+m[3])
		}
		return found
	}
	for act, want := range map[string][]string{
		"add-2": {"3", "DE", "not yet a country", ""}, "remove-0": {"1", "not yet a country"}, "remove-1": {"1", "DE"},
		"up-1": {"2", "not yet a country", "DE"}, "down-0": {"2", "not yet a country", "DE"},
		"up-0": {"2", "DE", "not yet a country"}, "down-1": {"2", "DE", "not yet a country"}, "remove-9": {"2", "DE", "not yet a country"}, "burn-0": {"2", "DE", "not yet a country"},
	} {
		require.Equal(t, want, rows(act), act)
	}
	form := typed()
	form.Set("rule", "down-0")
	body := admin.Send("/admin/switches/"+key+"/change/review", form).Body.String()
	require.Regexp(t, `<input[^>]*name="rule-languages-1"[^>]*value="tlh" checked`, body, "also a language that the product does not have")
	require.Regexp(t, `<input[^>]*name="rule-platforms-0"[^>]*value="1" checked`, body)
	require.Zero(t, h.values.Setting(key).Version)
}

func TestTheTesterTakesATradersCountryAndLanguage(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin, risk := h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.Risk)
	var id int64
	require.NoError(t, h.DB.Pool.QueryRow(t.Context(), `
		INSERT INTO traders (email, name, password_hash, country, language, invite_code, accepted_at)
		VALUES ('pia@trader.example', '', '', 'AT', 'pl', 'PIA00001', now()) RETURNING id`).Scan(&id))
	key := switches.BannersKey
	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/"+key+"/change", rule(wish("true"), 0, "AT", "false", "pl")).Code)
	for _, words := range []string{fmt.Sprint(id), "pia@trader.example"} {
		page := risk.Get("/admin/switches/" + key + "?country=FR&trader=" + url.QueryEscape(words)).Body.String()
		require.Contains(t, page, "Off, by rule 1", words)
		require.Contains(t, page, fmt.Sprintf("Trader %d: Austria, polski", id), words)
	}
	for _, words := range []string{"999", "pia", "pia@trader"} {
		page := risk.Get("/admin/switches/" + key + "?country=AT&language=pl&trader=" + words).Body.String()
		require.Contains(t, page, "Trader not found.", words)
		require.NotContains(t, page, "by rule 1", words)
	}
	page := admin.Get("/admin/switches/" + key + "?country=FR&trader=pia@trader.example").Body.String()
	require.NotContains(t, page, `name="trader"`, "who may not see traders looks nobody up")
	require.Contains(t, page, "On, as for everyone")
}

func TestTheTesterSaysWhyAValueIsOne(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	for key, want := range map[string]string{
		switches.WithdrawRateKey: "0%, as for everyone. Only values visible to the app can differ", switches.SecondPersonKey: "5,000 USDT: this is a back-office limit", switches.ContractFeeKey: "as for everyone. Only",
	} {
		require.Contains(t, admin.Get("/admin/switches/"+key+"?country=DE&language=de").Body.String(), want, key)
		require.NotContains(t, admin.Get("/admin/switches/"+key).Body.String(), want, "nothing is asked yet: "+key)
	}
	for _, code := range notice.Locales {
		require.Contains(t, admin.Get("/admin/switches/"+switches.BannersKey).Body.String(), `<option value="`+code+`"`)
	}
}

// TestSeveralAreSwitchedAtOnce: each key gets its own change; a refused one does not stop the others.
func TestSeveralAreSwitchedAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin, reader := h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.Auditor)
	require.NotContains(t, reader.Get("/admin/switches").Body.String(), "/admin/switch-batches/new")
	require.Contains(t, admin.Get("/admin/switches").Body.String(), "/admin/switch-batches/new")
	form := admin.Part("/admin/switch-batches/new").Body.String()
	for _, d := range switches.Definitions {
		flips := d.Type == switches.Bool && d.Risk != switches.Locked
		require.Equal(t, flips, strings.Contains(form, `value="`+d.Key+`"`), d.Key)
	}
	batch := func(keys ...string) url.Values {
		return url.Values{"value": {"false"}, "reason": {why}, "keys": keys}
	}
	for name, bad := range map[string]url.Values{
		"none": batch(), "so already": batch(switches.Clock12Key), "no switch": batch(switches.BankFeeKey), "locked": batch("ai.enabled"),
		"no reason": {"value": {"false"}, "reason": {"now"}, "keys": {switches.BannersKey}}, "no value": {"value": {"maybe"}, "reason": {why}, "keys": {switches.BannersKey}},
	} {
		require.Equal(t, http.StatusUnprocessableEntity, admin.Send("/admin/switch-batches/review", bad).Code, name)
	}
	chosen := batch(switches.BannersKey, switches.DemoKey, switches.ExchangeKey, switches.Clock12Key)
	review := admin.Send("/admin/switch-batches/review", chosen)
	require.Equal(t, http.StatusOK, review.Code, review.Body)
	for _, want := range []string{"Off, after a second approval", "Already set", "banner.enabled:0", "demo.enabled:0", why} {
		require.Contains(t, review.Body.String(), want)
	}
	require.NotContains(t, review.Body.String(), "clock_12h.default:", "what is so already is not sent")
	require.True(t, h.values.On(switches.BannersKey), "looking changes nothing")

	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/"+switches.ExchangeKey+"/change", wish("false")).Code) // a change is under way meanwhile
	done := admin.Send("/admin/switch-batches", batch("banner.enabled:0", "demo.enabled:0", "exchange.enabled:0"))
	require.Equal(t, http.StatusOK, done.Code, done.Body)
	require.Contains(t, done.Body.String(), "Another request about this is still open.")
	require.False(t, h.values.On(switches.BannersKey))
	require.True(t, h.values.On(switches.DemoKey), "it waits for its second person")
	c, _ := h.newest(t, switches.DemoKey)
	require.Equal(t, []any{approval.Requested, "false", why}, []any{c.State(), c.After().Value, c.Reason})
	list, err := h.changes.Of(t.Context(), switches.ExchangeKey)
	require.NoError(t, err)
	require.Len(t, list, 1, "what is refused leaves no draft behind")
	var entries int
	require.NoError(t, h.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action IN ('switch.apply', 'switch.request') AND target_id IN ('banner.enabled', 'demo.enabled')`).Scan(&entries))
	require.Equal(t, 2, entries)
	again := admin.Send("/admin/switch-batches", url.Values{"value": {"true"}, "reason": {why}, "keys": {"banner.enabled:0"}})
	require.Contains(t, again.Body.String(), "The switch has changed since this was written", "another version than the one that was looked at")
	require.False(t, h.values.On(switches.BannersKey))
	require.Equal(t, http.StatusForbidden, reader.Send("/admin/switch-batches", batch("banner.enabled:1")).Code)
}

func TestMaintenanceIsShownBeforeItBegins(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	page := admin.Get("/admin/switches/" + switches.MaintenanceKey).Body.String()
	for _, want := range []string{"7 open apps on this server", "We’re down for maintenance.", `lang="ar" dir="rtl"`} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, admin.Get("/admin/switches/"+switches.DemoKey).Body.String(), "What traders will see")
	key := switches.MaintenanceEndKey
	require.Equal(t, http.StatusUnprocessableEntity, admin.Send("/admin/switches/"+key+"/change", wish("soon")).Code)
	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/"+key+"/change", wish("2026-11-22T09:00")).Code)
	require.Equal(t, "2026-11-22T09:00:00Z", h.values.Value(key))
	require.Contains(t, admin.Part("/admin/switches/"+key+"/change").Body.String(), `value="2026-11-22T09:00"`)
}
