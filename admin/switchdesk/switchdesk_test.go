package switchdesk_test

import (
	"context"
	"fmt"
	"net/http"
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
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	"candor/app/platform/i18n"
	"candor/app/switches"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// house is an office with the desk of switches.
type house struct {
	*desktest.Office
	values  *switches.Service
	changes *switches.Changes
}

func open(t testing.TB) *house {
	t.Helper()
	h := &house{}
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	h.Office = desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) {
		h.values, err = switches.Load(t.Context(), c.DB)
		require.NoError(t, err)
		h.changes = switches.NewChanges(c.DB, h.values, c.Clock, bus)
		c.Health = desktest.Healthy
		c.Counts = map[string]func(context.Context) (desk.Waiting, error){"switches": switchdesk.Waiting(h.changes)}
	})
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	h.Mount(switchdesk.Routes(switchdesk.Services{Values: h.values, Changes: h.changes, Texts: texts, Online: func() int { return 7 }}))
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

func (h *house) newest(t *testing.T, key string) (switches.Change, string) {
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

func TestEveryKeyHasWordsAndAPage(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	texts, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	list := admin.Get("/admin/switches").Body.String()
	for _, d := range switches.Definitions {
		for _, key := range []string{"switch.name." + d.Key, "switch.about." + d.Key, "role." + d.Owner} {
			require.True(t, texts.Has("en", key), key)
		}
		require.Contains(t, list, d.Key)
		page := admin.Get("/admin/switches/" + d.Key)
		require.Equal(t, http.StatusOK, page.Code, d.Key)
		require.NotRegexp(t, regexp.MustCompile(`[>"]\s*switch\.[a-z_]+[a-z_.]*\s*[<"]`), strings.ReplaceAll(page.Body.String(), d.Key, ""), d.Key)
		require.Equal(t, d.Risk == switches.Locked, strings.Contains(page.Body.String(), "Nobody changes this key here"), d.Key)
	}
	for _, path := range []string{"/admin/switches/nobody.knows", "/admin/switches/x"} {
		require.Equal(t, http.StatusNotFound, admin.Get(path).Code, path)
	}
}

func TestTheListIsNarrowed(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	for query, want := range map[string][2]string{
		"?q=bank":         {"bank.fee", "demo.enabled"},
		"?show=sensitive": {"bank.fee", "clock_12h.default"},
		"?show=open":      {"No switch fits.", "bank.fee"},
		"?show=week":      {"No switch fits.", "bank.fee"},
	} {
		body := admin.Get("/admin/switches" + query).Body.String()
		require.Contains(t, body, want[0], query)
		require.NotContains(t, body, want[1], query)
	}
	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/clock_12h.default/change", wish("true")).Code)
	require.Contains(t, admin.Get("/admin/switches?show=week").Body.String(), "clock_12h.default")
}

func TestASensitiveKeyIsChangedByTwo(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin, approver := h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.ConfigApprover)
	key := switches.WithdrawRateKey
	form := admin.Part("/admin/switches/" + key + "/change").Body.String()
	for _, want := range []string{`name="value"`, `name="at"`, `name="reason"`, "Now: 0 %"} {
		require.Contains(t, form, want)
	}
	require.NotContains(t, form, `name="rules"`, "a fee is the same for everybody")
	for value, want := range map[string]string{"-1": "0 % to 10 %", "101": "0 % to 10 %", "0": "in force already", "x": "digits and a point"} {
		got := admin.Send("/admin/switches/"+key+"/change/review", wish(value))
		require.Equal(t, http.StatusUnprocessableEntity, got.Code, value)
		require.Contains(t, strings.ToLower(got.Body.String()), strings.ToLower(want), value)
	}
	low := admin.Send("/admin/switches/withdraw.minimum/change/review", wish("2000000"))
	require.Contains(t, low.Body.String(), "It would contradict “Largest withdrawal”, which is 1000000.")

	review := admin.Send("/admin/switches/"+key+"/change/review", wish("0.15"))
	require.Equal(t, http.StatusOK, review.Code, review.Body)
	for _, want := range []string{"0 %", "0.15 %", why, "Ask for approval", "Keep as a draft", "Every trader alike"} {
		require.Contains(t, review.Body.String(), want)
	}
	require.Equal(t, "0", h.values.Value(key), "looking changes nothing")

	asked := admin.Send("/admin/switches/"+key+"/change", wish("0.15"))
	require.Equal(t, http.StatusOK, asked.Code, asked.Body)
	require.Contains(t, asked.Body.String(), "waits for a second person")
	c, address := h.newest(t, key)
	require.NotContains(t, asked.Body.String(), address+"/approval", "no button for its author")
	require.Equal(t, http.StatusForbidden, admin.Send(address+"/approval", version(c, "key", key)).Code)

	page := approver.Get("/admin/switches/" + key).Body.String()
	require.Contains(t, page, address+"/approval")
	require.Contains(t, page, "You may agree: you are not the author")
	wrong := approver.Send(address+"/approval", version(c, "key", "withdraw.fee"))
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	require.Contains(t, wrong.Body.String(), "Type the key as it stands here.")
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
	require.Equal(t, []any{switches.InReview, "0"}, []any{c.State, c.After().Value})
	no := approver.Send(address+"/rejection", version(c, "reason", "short"))
	require.Equal(t, http.StatusUnprocessableEntity, no.Code)
	require.Equal(t, http.StatusOK, approver.Send(address+"/rejection", version(c, "reason", "the costs are what they are")).Code)
	require.Equal(t, "0.15", h.values.Value(key))
}

// TestAChangeThatCameToNothingStaysToBeRead by its author, by whoever rejected it and by anybody else; an open one is not among them.
func TestAChangeThatCameToNothingStaysToBeRead(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin, approver, reader := h.SignIn(t, access.ConfigAdmin), h.SignIn(t, access.ConfigApprover), h.SignIn(t, access.Auditor)
	key := switches.WithdrawRateKey
	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/"+key+"/change", wish("0.3")).Code)
	require.NotContains(t, admin.Get("/admin/switches/"+key).Body.String(), "Came to nothing")
	c, address := h.newest(t, key)
	no := "the costs are what they are"
	require.Contains(t, approver.Send(address+"/rejection", version(c, "reason", no)).Body.String(), "rejected it: "+no)
	for _, who := range []*desktest.Browser{admin, approver, reader} {
		page := who.Get("/admin/switches/" + key).Body.String()
		for _, want := range []string{"Came to nothing", c.Number(), "Rejected", "0.3 %", "rejected it: " + no, why} {
			require.Contains(t, page, want)
		}
	}
	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/"+key+"/change", wish("0.4", "draft", "1")).Code)
	c, address = h.newest(t, key)
	require.Equal(t, http.StatusOK, admin.Send(address+"/cancellation", version(c)).Code)
	page := admin.Get("/admin/switches/" + key).Body.String()
	require.Contains(t, page, "took it back")
	require.NotContains(t, admin.Get("/admin/switches/"+switches.BankFeeKey).Body.String(), "Came to nothing", "another key")
}

// TestWhyAScheduledChangeFailedIsRead names the key's own reason.
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
	n, err := h.changes.ApplyDue(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	page := h.SignIn(t, access.Auditor).Get("/admin/switches/" + switches.WithdrawMinKey).Body.String()
	require.Contains(t, page, "Its moment came, and it contradicted another key.")
	require.Contains(t, page, "Failed")
}

func TestADraftIsEditedScheduledAndTakenBack(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	key := switches.MockTopUpKey
	kept := admin.Send("/admin/switches/"+key+"/change", wish("5000", "draft", "1"))
	require.Contains(t, kept.Body.String(), "is kept as a draft")
	c, address := h.newest(t, key)
	require.Contains(t, admin.Part(address+"/edit").Body.String(), `value="5000"`)
	soon := h.Clock.Now().Add(time.Hour).UTC().Format("2006-01-02T15:04")
	form := wish("6000", "at", soon)
	form.Set("version", fmt.Sprint(c.Version))
	require.Contains(t, admin.Send(address+"/edit/review", form).Body.String(), "6,000")
	sent := admin.Send(address+"/edit", form)
	require.Equal(t, http.StatusOK, sent.Code, sent.Body)
	c, _ = h.newest(t, key)
	require.Equal(t, []any{switches.Scheduled, "6000"}, []any{c.State, c.After().Value})
	require.Contains(t, sent.Body.String(), "is scheduled")
	require.Equal(t, http.StatusOK, admin.Send(address+"/cancellation", version(c)).Code)
	h.Clock.Advance(2 * time.Hour)
	n, err := h.changes.ApplyDue(t.Context())
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
	require.Contains(t, page, "Stopped, wants a look")
	require.Equal(t, http.StatusOK, approver.Send(address+"/agreement", version(c, "note", why)).Code)
	c, _ = h.newest(t, switches.ExchangeKey)
	require.Equal(t, switches.Right, *c.Verdict)
}

func TestRulesAndTheTester(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	key := switches.BannersKey
	for _, rules := range []string{"DE | de | false", "<script> | | | false", "DE | | | maybe", " | | | false"} {
		got := admin.Send("/admin/switches/"+key+"/change/review", wish("true", "rules", rules))
		require.Equal(t, http.StatusUnprocessableEntity, got.Code, rules)
		require.NotContains(t, got.Body.String(), "<script> |")
	}
	done := admin.Send("/admin/switches/"+key+"/change", wish("true", "rules", "de, AT | ar | | false\n\n"))
	require.Equal(t, http.StatusOK, done.Code, done.Body)
	for query, want := range map[string]string{
		"?country=de&language=ar&platform=1": "Off, by rule 1", "?country=fr&language=ar&platform=1": "On, as everybody", "?country=&language=&platform=": "On, as everybody",
	} {
		require.Contains(t, admin.Get("/admin/switches/"+key+query).Body.String(), want, query)
	}
}

func TestMaintenanceIsShownBeforeItBegins(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := h.SignIn(t, access.ConfigAdmin)
	page := admin.Get("/admin/switches/" + switches.MaintenanceKey).Body.String()
	for _, want := range []string{"7 open apps at this server", "The platform is being maintained.", `lang="ar" dir="rtl"`} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, admin.Get("/admin/switches/"+switches.DemoKey).Body.String(), "What traders will see")
	key := switches.MaintenanceEndKey
	require.Equal(t, http.StatusUnprocessableEntity, admin.Send("/admin/switches/"+key+"/change", wish("soon")).Code)
	require.Equal(t, http.StatusOK, admin.Send("/admin/switches/"+key+"/change", wish("2026-11-22T09:00")).Code)
	require.Equal(t, "2026-11-22T09:00:00Z", h.values.Value(key))
	require.Contains(t, admin.Part("/admin/switches/"+key+"/change").Body.String(), `value="2026-11-22T09:00"`)
}
