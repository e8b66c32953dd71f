package systemtest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/session"
	"candor/app/support"
)

func (r *apiFixture) chat(t *testing.T) support.Row {
	t.Helper()
	rows, err := r.platform.Services.Chat.Inbox(t.Context(), support.Filter{TraderID: r.traderID(t)})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	return rows[0]
}

// TestTheDeskHearsTheLanguageAndTheZoneOfTheApp checks that an unknown language becomes English, and that an invalid time zone is ignored.
func TestTheDeskHearsTheLanguageAndTheZoneOfTheApp(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	says := func(id, language, zone string) {
		r.getData(t, http.MethodPost, "/kefu/kefuApi/insertMessage", r.real, language, `{"messageId":"0b0e8a4e-3f5c-4a53-9d61-0f1b5a3a7c`+id+`","text":"hello","zone":"`+zone+`"}`)
	}
	says("01", "zh_CN", "Mars/Olympus")
	require.Equal(t, []string{"zh_CN", ""}, []string{r.chat(t).Language, r.chat(t).Zone})
	says("02", "xx", "Asia/Shanghai")
	require.Equal(t, []string{"en", "Asia/Shanghai"}, []string{r.chat(t).Language, r.chat(t).Zone})
}

// TestTradersReadTheHoursOfTheirLanguage checks that a language without hours of its own shows the general hours and holidays.
func TestTradersReadTheHoursOfTheirLanguage(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	by := audit.Actor{Kind: audit.System, Name: "system"}
	require.NoError(t, r.platform.Services.Chat.SetHours(t.Context(), by, "ar", support.Hours{}.Version(), support.Hours{Zone: "Asia/Riyadh", Week: [7][]support.Span{time.Sunday: {{Opens: 480, Closes: 960}}}}))
	general := support.Hours{Zone: "Europe/Zurich", Week: [7][]support.Span{time.Monday: {{Opens: 540, Closes: 720}, {Opens: 780, Closes: 1080}}}}
	tomorrow := general.Today(time.Now()).AddDate(0, 0, 1)
	general.Holidays = []support.Holiday{{Date: tomorrow, Name: "A holiday", Spans: []support.Span{{Opens: 540, Closes: 600}}}}
	require.NoError(t, r.platform.Services.Chat.SetHours(t.Context(), by, "", support.Hours{}.Version(), general))
	for language, zone := range map[string]string{"ar": "Asia/Riyadh", "de": "Europe/Zurich", "xx": "Europe/Zurich"} {
		config := r.getData(t, http.MethodGet, "/kefu/kefuApi/findConfig", "", language, "").(map[string]any)
		require.Equal(t, zone, config["hours"].([]any)[0].(map[string]any)["zone"], language)
		if language == "ar" {
			require.Len(t, config["hours"], 1)
			require.Empty(t, config["holidays"], "the holidays of other languages are not theirs")
			continue
		}
		require.Len(t, config["hours"], 2)
		holiday := config["holidays"].([]any)[0].(map[string]any)
		require.Equal(t, tomorrow.Format(time.DateOnly), holiday["day"])
		span := holiday["spans"].([]any)[0].(map[string]any)
		require.EqualValues(t, time.Hour.Milliseconds(), span["to"].(float64)-span["from"].(float64))
	}
}

// TestWhatAVisitorSaidBecomesTheirs checks that a visitor who registers, or logs in with a password, on the same device continues the thread. A login link does
// not prove that it is the same person, and a guest is still a visitor.
func TestWhatAVisitorSaidBecomesTheirs(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	device := strings.ReplaceAll(uuid.NewString(), "-", "")
	visitor := func(q *http.Request) { q.Header.Set("visitor", device) }
	says := func(text string) {
		raw, err := json.Marshal(map[string]any{"messageId": uuid.NewString(), "text": text})
		require.NoError(t, err)
		_, answer, body := r.call(t, http.MethodPost, "/kefu/kefuApi/insertMessage", "", raw, visitor)
		require.Equal(t, "ok", answer["code"], body)
	}
	reads := func(call, token string) string {
		_, answer, body := r.call(t, http.MethodGet, "/kefu/kefuApi/"+call, token, nil, visitor)
		require.Equal(t, "ok", answer["code"], body)
		return body
	}
	token := func(answer map[string]any) string { return answer["data"].(map[string]any)["token"].(string) }
	const text = "I can't find the way to register"
	says(text)

	link := r.must(t, r.real, "/client/user/createLoginCode", map[string]any{}, "")["data"].(map[string]any)["code"]
	byLink := token(r.must(t, "", "/client/user/loginByCode", map[string]any{"code": link, "deviceId": device}, ""))
	require.NotContains(t, reads("findMessageList", byLink), text)
	require.NotContains(t, reads("findMessageList", r.guestToken(t, device)), text)
	require.Contains(t, reads("findMessageList", ""), text)

	const address, password = "visitor@example.com", "correct horse battery"
	var code string
	require.NoError(t, r.platform.Database.InTx(t.Context(), func(tx *db.Tx) (err error) {
		code, err = session.New(r.platform.Database.DB, clock.Real{}, nil).IssueCodeTx(t.Context(), tx, session.RegisterCode.To(address), session.Stranger("127.0.0.1"))
		return err
	}))
	registered := token(r.must(t, "", "/client/user/register", map[string]any{
		"account": address, "password": password, "validCode": code, "country": "CH", "language": "en", "deviceId": device, "accepted": true,
	}, ""))
	require.Contains(t, reads("findMessageList", registered), text)
	require.NotContains(t, reads("findMessageList", ""), text, "it is no visitor's any more")
	require.NotContains(t, reads("findEarlierList", ""), text)

	const again = "somebody forgot to log in"
	says(again)
	loggedIn := token(r.must(t, "", "/client/user/login", map[string]any{"account": address, "password": password, "deviceId": device}, ""))
	require.Contains(t, reads("findMessageList", loggedIn), text, "this one goes on")
	require.Contains(t, reads("findEarlierList", loggedIn), again)
	require.Contains(t, reads("findMessageList", loggedIn), `"earlier":true`)
	require.EqualValues(t, 2, r.number(t, `SELECT count(*) FROM audit_entries WHERE action = 'chat.adopt' AND actor_kind = 'trader'`))
}
