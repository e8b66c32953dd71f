package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/support"
)

// chat is the conversation of the rig's trader.
func (r *doorRig) chat(t *testing.T) support.Row {
	t.Helper()
	rows, err := r.platform.chat.Inbox(t.Context(), support.Filter{TraderID: r.traderID(t)})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	return rows[0]
}

// TestTheDeskHearsTheLanguageAndTheZoneOfTheApp: a language that is not the product's is English, a zone that is none is passed over.
func TestTheDeskHearsTheLanguageAndTheZoneOfTheApp(t *testing.T) {
	t.Parallel()
	r := newDoorRig(t)
	says := func(id, language, zone string) {
		r.got(t, http.MethodPost, "/kefu/kefuApi/insertMessage", r.real, language, `{"messageId":"0b0e8a4e-3f5c-4a53-9d61-0f1b5a3a7c`+id+`","text":"hello","zone":"`+zone+`"}`)
	}
	says("01", "zh_CN", "Mars/Olympus")
	require.Equal(t, []string{"zh_CN", ""}, []string{r.chat(t).Language, r.chat(t).Zone})
	says("02", "xx", "Asia/Shanghai")
	require.Equal(t, []string{"en", "Asia/Shanghai"}, []string{r.chat(t).Language, r.chat(t).Zone})
}

// TestTradersReadTheHoursOfTheirLanguage: those of every language where theirs has none.
func TestTradersReadTheHoursOfTheirLanguage(t *testing.T) {
	t.Parallel()
	r := newDoorRig(t)
	by := audit.Actor{Kind: audit.System, Name: "system"}
	require.NoError(t, r.platform.chat.SetHours(t.Context(), by, "ar", support.Hours{{Weekday: time.Sunday, Opens: 480, Closes: 960, Zone: "Asia/Riyadh"}}))
	require.NoError(t, r.platform.chat.SetHours(t.Context(), by, "", support.Hours{{Weekday: time.Monday, Opens: 540, Closes: 1080, Zone: "Europe/Zurich"}}))
	for language, zone := range map[string]string{"ar": "Asia/Riyadh", "de": "Europe/Zurich", "xx": "Europe/Zurich"} {
		config := r.got(t, http.MethodGet, "/kefu/kefuApi/findConfig", "", language, "").(map[string]any)
		require.Len(t, config["hours"], 1)
		require.Equal(t, zone, config["hours"].([]any)[0].(map[string]any)["zone"], language)
	}
}
