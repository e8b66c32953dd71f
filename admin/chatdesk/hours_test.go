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

const hoursPath = "/admin/chat/hours"

// table are the hours that are stored.
func (b *bundle) table() support.Timetable {
	b.Helper()
	table, err := b.chat.Timetable(b.Context())
	require.NoError(b, err)
	return table
}

// hoursForm is the form of a queue with some fields; seen is what the form was given.
func (b *bundle) hoursForm(language string, fields url.Values) url.Values {
	form := url.Values{"language": {language}, "zone": {"Europe/Berlin"}, "seen": {b.table()[language].Version()}}
	for name, values := range fields {
		form[name] = values
	}
	return form
}

func TestHours(t *testing.T) {
	t.Parallel()
	b := setup(t)
	seen := b.table()[""].Version()
	set := func(zone string, opens, closes []string) int {
		return b.lead.Send(hoursPath, url.Values{"zone": {zone}, "day-1-opens": opens, "day-1-closes": closes, "seen": {seen}}).Code
	}
	one := func(text string) []string { return []string{text} }
	for _, nonsense := range [][3]string{
		{"Mars/Olympus", "09:00", "18:00"}, {"", "09:00", "18:00"}, {"../../etc/passwd", "09:00", "18:00"}, {"US/Eastern", "09:00", "18:00"}, {"Europe/Berlin", "18:00", "09:00"}, {"Europe/Berlin", "09:00", "09:00"},
		{"Europe/Berlin", "nine", "18:00"}, {"Europe/Berlin", "09:00", "25:00"}, {"Europe/Berlin", "09:00", ""}, {"Europe/Berlin", "", "18:00"}, {"Europe/Berlin", "9:0", "18:00"}, {"Europe/Berlin", "09:60", "18:00"},
	} {
		require.Equal(t, http.StatusUnprocessableEntity, set(nonsense[0], one(nonsense[1]), one(nonsense[2])), "%q", nonsense)
	}
	require.Equal(t, http.StatusUnprocessableEntity, set("Europe/Berlin", []string{"09:00", "11:00"}, []string{"12:00", "18:00"}), "they overlap")
	require.Empty(t, b.table())
	require.Equal(t, http.StatusOK, set("europe/berlin", []string{"13:00", "", "9"}, []string{"00:00", "", "1200"}), "in any order, and an empty row is none")
	want := support.Hours{Zone: "Europe/Berlin"}
	want.Week[time.Monday] = []support.Span{{Opens: 9 * 60, Closes: 12 * 60}, {Opens: 13 * 60, Closes: 24 * 60}}
	require.Equal(t, want, b.table()[""])
	require.Equal(t, http.StatusConflict, set("Europe/Berlin", one("10:00"), one("18:00")), "on a page of before")
	require.Equal(t, http.StatusForbidden, b.kim.Send(hoursPath, url.Values{}).Code)
	require.Equal(t, want, b.table()[""])
	page := b.kim.Get(hoursPath).Body.String()
	require.Contains(t, page, "09:00–12:00, 13:00–24:00", "an agent reads them in words")
	require.NotContains(t, page, `name="day-1-opens"`)
}

// TestHolidaysAreEntered: a date with its own spans, one without any, and what is wrong beside its row.
func TestHolidaysAreEntered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	form := func(fields url.Values) url.Values {
		fields["day-1-opens"], fields["day-1-closes"] = []string{"09:00"}, []string{"18:00"}
		return b.hoursForm("", fields)
	}
	for _, wrong := range []url.Values{
		{"holiday-0-date": {""}, "holiday-0-name": {"No date"}}, {"holiday-0-date": {"2020-12-25"}, "holiday-0-name": {"Over"}}, {"holiday-0-date": {"2099-12-25"}, "holiday-0-name": {""}},
		{"holiday-0-date": {"2099-12-25"}, "holiday-0-name": {"Late"}, "holiday-0-opens": {"18:00"}, "holiday-0-closes": {"09:00"}},
	} {
		answer := b.lead.Send(hoursPath, form(wrong))
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
		require.Contains(t, answer.Body.String(), `name="holiday-0-date"`, "what was typed is still there")
	}
	twice := b.lead.Send(hoursPath, form(url.Values{
		"holiday-0-date": {"2099-12-25"}, "holiday-0-name": {"Christmas"}, "holiday-1-date": {"2099-12-25"}, "holiday-1-name": {"Again"},
	}))
	require.Equal(t, http.StatusUnprocessableEntity, twice.Code)
	require.Contains(t, twice.Body.String(), "already in the list")
	require.Equal(t, http.StatusOK, b.lead.Send(hoursPath, form(url.Values{
		"holiday-0-date": {"2099-12-25"}, "holiday-0-name": {"Christmas Day"}, "holiday-1-date": {"2099-12-24"}, "holiday-1-name": {"Christmas Eve"}, "holiday-1-opens": {"9"}, "holiday-1-closes": {"12"},
	})).Code)
	holidays := b.table()[""].Holidays
	require.Len(t, holidays, 2)
	require.Equal(t, "Christmas Eve", holidays[0].Name)
	require.Equal(t, []support.Span{{Opens: 9 * 60, Closes: 12 * 60}}, holidays[0].Spans)
	require.Empty(t, holidays[1].Spans)
	require.Contains(t, b.kim.Get(hoursPath).Body.String(), "2099-12-25 Christmas Day")
	require.Equal(t, http.StatusUnprocessableEntity, b.lead.Send(hoursPath, b.hoursForm("", url.Values{"holiday-0-date": {"2099-12-25"}, "holiday-0-name": {"Of no week"}})).Code)
}

// TestRowsAreAddedAndRemoved: the buttons of the form change only the form.
func TestRowsAreAddedAndRemoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fields := url.Values{}
	press := func(act string) (opens []string) {
		form := b.hoursForm("", fields)
		form.Set("row", act)
		answer := b.lead.Send(hoursPath, form)
		require.Equal(t, http.StatusOK, answer.Code, act)
		fields = url.Values{}
		for _, found := range regexp.MustCompile(`value="([^"]*)"[^>]*name="((?:day|holiday)-[^"]*)"|name="((?:day|holiday)-[^"]*)"[^>]*value="([^"]*)"`).FindAllStringSubmatch(answer.Body.String(), -1) {
			fields.Add(found[2]+found[3], found[1]+found[4])
		}
		return fields["day-1-opens"]
	}
	begun := b.lead.Send(hoursPath, url.Values{"row": {"start"}, "seen": {b.table()[""].Version()}}).Body.String()
	require.Regexp(t, `value="UTC"[^>]*name="zone"|name="zone"[^>]*value="UTC"`, begun, "the member's zone")
	require.Equal(t, []string{"09:00"}, press("start"))
	require.Equal(t, []string{"09:00"}, fields["day-5-opens"])
	require.Empty(t, press("remove.day-1.0"))
	require.Equal(t, []string{"09:00"}, press("add.day-1"))
	require.Equal(t, []string{"09:00", ""}, press("add.day-1"))
	require.Equal(t, []string{"09:00"}, press("remove.day-1.1"))
	press("remove.day-5.0")
	require.Empty(t, fields["day-5-opens"])
	press("copy.day-1")
	require.Equal(t, []string{"09:00"}, fields["day-5-opens"])
	require.Empty(t, fields["day-6-opens"], "Saturday is no weekday")
	press("add.holiday")
	press("add.holiday-0")
	require.Equal(t, []string{"09:00"}, fields["holiday-0-opens"])
	for _, nonsense := range []string{"add.day-9", "remove.day-1.7", "remove.day-1.x", "drop.5", "copy.holiday-3", "x"} {
		require.Equal(t, []string{"09:00"}, press(nonsense), nonsense)
		require.Contains(t, fields, "holiday-0-date")
	}
	press("drop.0")
	require.NotContains(t, fields, "holiday-0-date")
	for range 2 * support.MostSpans {
		press("add.day-2")
	}
	require.Len(t, fields["day-2-opens"], support.MostSpans)
	require.Empty(t, press("clear"))
	require.Empty(t, b.table(), "nothing was stored")
}

func TestHoursOfALanguage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fields := url.Values{"zone": {"Asia/Shanghai"}}
	for day := range time.Weekday(7) {
		fields[support.DayField(day)+"-opens"], fields[support.DayField(day)+"-closes"] = []string{"09:00"}, []string{"18:00"}
	}
	set := func(language string) int { return b.lead.Send(hoursPath, b.hoursForm(language, fields)).Code }
	require.Equal(t, http.StatusUnprocessableEntity, set("tlh"))
	require.Empty(t, b.table())
	require.Equal(t, http.StatusNotFound, b.lead.Get(hoursPath+"?language=tlh").Code)
	require.Equal(t, http.StatusOK, set("zh_CN"))
	require.EqualValues(t, 7, b.count(`SELECT count(*) FROM chat_hours WHERE language = 'zh_CN'`))
	zone := regexp.MustCompile(`value="Asia/Shanghai"[^>]*name="zone"|name="zone"[^>]*value="Asia/Shanghai"`)
	require.Regexp(t, zone, b.lead.Get(hoursPath+"?language=zh_CN").Body.String())
	require.NotRegexp(t, zone, b.lead.Get(hoursPath).Body.String(), "the general ones are as they were")
	require.Equal(t, http.StatusOK, set(""))
	german := b.lead.Get(hoursPath + "?language=de").Body.String()
	require.Contains(t, german, "uses the hours of all languages")
	require.NotContains(t, german, `name="day-1-opens"`)
	form := b.hoursForm("de", url.Values{"row": {"start"}})
	require.Contains(t, b.lead.Send(hoursPath, form).Body.String(), `name="day-1-opens"`, "it may begin from them")

	// At 20:00 in Shanghai the clock of Chinese conversations is paused, and that of the others runs.
	require.NoError(t, b.chat.SetHours(t.Context(), actor(b.lead), "", b.table()[""].Version(), support.Hours{}))
	b.Clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	b.kim, b.lead = b.seat("Kim Night", access.SupportAgent), b.seat("Lena Night", access.SupportLead)
	english, chinese := b.claimed(b.kim, b.ann), b.trader("Bao")
	chinese.Language = "zh_CN"
	late := b.claimed(b.kim, chinese)
	require.NotContains(t, b.kim.Get(path(english.ID)+"?language=en").Body.String(), "Outside support hours")
	require.Contains(t, b.kim.Get(path(late.ID)+"?language=zh_CN").Body.String(), "Outside support hours")
}

// TestAPreparedAnswerSaysTheHoursAsItsReaderLives: the hours are in the reader's language and time zone, with the holidays that come.
func TestAPreparedAnswerSaysTheHoursAsItsReaderLives(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.chat.SaveReply(t.Context(), actor(b.lead), support.Reply{Slug: "when", Language: "en", Category: "account", Body: "[{{hours}}]"}))
	c := b.claimed(b.kim, b.ann)
	hours := func(zone, language string) string {
		b.ann.Zone, b.ann.Language = zone, language
		b.says(b.ann, "when")
		_, rest, _ := strings.Cut(b.kim.Part(path(c.ID, "replies?q=when")).Body.String(), "[")
		text, _, _ := strings.Cut(rest, "]")
		return text
	}
	set := func(h support.Hours) {
		require.NoError(t, b.chat.SetHours(t.Context(), actor(b.lead), "", b.table()[""].Version(), h))
	}
	require.Equal(t, "at any time", hours("", "en"))
	h := support.Hours{Zone: "Asia/Shanghai"}
	for _, day := range []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Friday} {
		h.Week[day] = []support.Span{{Opens: 9 * 60, Closes: 18 * 60}}
	}
	set(h)
	require.Equal(t, "Mon–Wed 09:00–18:00, Fri 09:00–18:00 (UTC+8)", hours("", "en"), "by the desk's clock while theirs is unknown")
	require.Equal(t, "Mon–Wed 06:30–15:30, Fri 06:30–15:30 (UTC+5:30)", hours("Asia/Kolkata", "en"))
	require.Equal(t, "周一–周三 09:00–18:00, 周五 09:00–18:00 (UTC+8)", hours("Asia/Shanghai", "zh_CN"))
	require.Equal(t, "الاثنين–الأربعاء 04:00–13:00, الجمعة 04:00–13:00 (UTC+3)", hours("Asia/Riyadh", "ar"))

	today := h.Today(b.Clock.Now())
	h.Week[time.Friday] = []support.Span{{Opens: 9 * 60, Closes: 12 * 60}, {Opens: 13 * 60, Closes: 18 * 60}}
	h.Holidays = []support.Holiday{
		{Date: today.AddDate(0, 0, 1), Name: "A", Spans: []support.Span{{Opens: 10 * 60, Closes: 11 * 60}}}, {Date: today.AddDate(0, 0, 2), Name: "B"}, {Date: today.AddDate(0, 0, 30), Name: "Far"},
	}
	set(h)
	day := func(n int) string { return today.AddDate(0, 0, n).Format(time.DateOnly) }
	require.Equal(t, "Mon–Wed 06:30–15:30, Fri 06:30–09:30 / 10:30–15:30 (UTC+5:30). Holidays: "+day(1)+" 07:30–08:30, "+day(2)+" closed", hours("Asia/Kolkata", "en"))
}
