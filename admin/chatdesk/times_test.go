package chatdesk_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/support"
)

const timesPath = "/admin/chat/times"

func (b *bundle) serviceTable() support.ServiceTable {
	b.Helper()
	table, err := b.chat.ServiceTable(b.Context())
	require.NoError(b, err)
	return table
}

// timesForm is the form of a queue with the same text in every field.
func (b *bundle) timesForm(language, text string) url.Values {
	form := url.Values{"language": {language}, "seen": {b.serviceTable()[language].Version()}}
	for _, p := range support.Priorities {
		for _, t := range support.Targets {
			form.Set(support.TargetField(p, t), text)
		}
	}
	return form
}

func TestServiceTimes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, nonsense := range []string{"10", "0:5", "0:60", "-1:00", "1:00:00", "nine", "721:00", "70000:00", "0: 5"} {
		form := b.timesForm("", "0:10")
		form.Set("high-next_reply", nonsense)
		answer := b.lead.Send(timesPath, form)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, nonsense)
		require.Contains(t, answer.Body.String(), nonsense, "what was typed is still there")
	}
	require.Empty(t, b.serviceTable())
	form := b.timesForm("", "")
	form.Set("urgent-first_reply", "0:02")
	form.Set("normal-resolution", " 24:00 ")
	require.Equal(t, http.StatusOK, b.lead.Send(timesPath, form).Code)
	general := b.serviceTable().For("de")
	require.Equal(t, []time.Duration{2 * time.Minute, 24 * time.Hour, 0}, []time.Duration{general[support.Urgent][support.FirstReply], general[support.Normal][support.Resolution], general[support.Normal][support.FirstReply]})
	require.Equal(t, http.StatusConflict, b.lead.Send(timesPath, form).Code, "on a page of before")
	require.Equal(t, http.StatusForbidden, b.kim.Send(timesPath, b.timesForm("", "0:10")).Code)
	require.Equal(t, http.StatusUnprocessableEntity, b.lead.Send(timesPath, b.timesForm("tlh", "0:10")).Code)
	require.Equal(t, http.StatusNotFound, b.lead.Get(timesPath+"?language=tlh").Code)
	require.Equal(t, general, b.serviceTable().For("de"))
	page := b.kim.Get(timesPath).Body.String()
	require.Contains(t, page, "24:00", "an agent reads them")
	require.NotContains(t, page, `name="normal-resolution"`)
	require.Equal(t, http.StatusOK, b.seat("Auditor 01", access.Auditor).Get(timesPath).Code)
}

// TestServiceTimesOfALanguage begin from the general ones, and are removed with a save.
func TestServiceTimesOfALanguage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	german := b.lead.Get(timesPath + "?language=de").Body.String()
	require.Contains(t, german, "uses the service times of all languages")
	require.NotContains(t, german, `name="normal-first_reply"`)
	press := func(act string, form url.Values) string {
		form.Set("row", act)
		answer := b.lead.Send(timesPath, form)
		require.Equal(t, http.StatusOK, answer.Code)
		return answer.Body.String()
	}
	none := url.Values{"language": {"de"}, "seen": {b.serviceTable()["de"].Version()}}
	require.Contains(t, press("start", none), `value="0:10"`)
	require.Equal(t, http.StatusOK, b.lead.Send(timesPath, b.timesForm("de", "0:45")).Code)
	require.Equal(t, 45*time.Minute, b.serviceTable().For("de")[support.Normal][support.FirstReply])
	require.Equal(t, 10*time.Minute, b.serviceTable().For("en")[support.Normal][support.FirstReply])
	cleared := press("clear", b.timesForm("de", "0:45"))
	require.Contains(t, cleared, "Save to remove")
	require.NotEmpty(t, b.serviceTable()["de"], "nothing is stored before")
	none.Del("row")
	none.Set("seen", b.serviceTable()["de"].Version())
	require.Equal(t, http.StatusOK, b.lead.Send(timesPath, none).Code)
	require.Empty(t, b.serviceTable())
	require.Contains(t, press("clear", b.timesForm("", "0:45")), `value="0:03"`, "the general ones go back to the defaults")
}

// TestTheChipsUseTheServiceTimes: amber from 80 %, red after a breach, paused outside support hours.
func TestTheChipsUseTheServiceTimes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	form := b.timesForm("", "")
	form.Set("normal-first_reply", "0:10")
	form.Set("urgent-first_reply", "0:20")
	form.Set("normal-resolution", "2:00")
	require.Equal(t, http.StatusOK, b.lead.Send(timesPath, form).Code)
	c := b.claimed(b.kim, b.ann)
	chip := func() string {
		b.Helper()
		found := regexp.MustCompile(`class="due ([^"]*)"`).FindStringSubmatch(b.kim.Part("/admin/chat/rows").Body.String())
		require.NotNil(t, found)
		return strings.TrimSpace(found[1])
	}
	require.Equal(t, "chip", chip())
	require.Contains(t, b.kim.Get(path(c.ID)).Body.String(), "first reply, target 10 min")
	b.Clock.Advance(8 * time.Minute)
	b.kim = b.seat("Kim Later", access.SupportAgent)
	require.Equal(t, "warn chip", chip())
	b.Clock.Advance(2 * time.Minute)
	require.Equal(t, "late chip", chip())
	_, err := b.chat.Label(t.Context(), actor(b.kim), c.ID, 0, nil, support.Urgent)
	require.NoError(t, err)
	require.Equal(t, "chip", chip(), "it has 20 minutes now")
	require.NoError(t, b.chat.SetHours(t.Context(), actor(b.lead), "", b.table()[""].Version(), closedNow(b)))
	require.Contains(t, b.kim.Part("/admin/chat/rows").Body.String(), "Outside support hours")
}

// closedNow are hours that were open until a minute ago.
func closedNow(b *bundle) support.Hours {
	now := b.Clock.Now().UTC()
	h := support.Hours{Zone: "UTC"}
	for day := range h.Week {
		h.Week[day] = []support.Span{{Opens: 0, Closes: now.Hour()*60 + now.Minute()}}
	}
	return h
}
