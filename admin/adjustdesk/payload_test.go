package adjustdesk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/adjustment"
)

func TestWordsOfOthersStayWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.DB.Pool.Exec(t.Context(), `UPDATE traders SET name = $1, language = $1`, desktest.Payloads[0])
	require.NoError(t, err)
	for words := range slices.Chunk(desktest.Payloads, 10) {
		b.maker, b.checker = b.seat(words[0], access.FinanceMaker), b.seat(words[1], access.FinanceChecker)
		for _, payload := range words {
			nonsense := url.Values{}
			for _, name := range []string{"direction", "amount", "again", "unit", "reason", "case_kind", "case_id", "note", "key"} {
				nonsense.Set(name, payload)
			}
			again := b.maker.Send(b.formPath(), nonsense)
			require.Equal(t, http.StatusUnprocessableEntity, again.Code)
			desktest.Harmless(t, "the form again", again.Body.String(), payload)

			a := b.askWithText(payload)
			id := fmt.Sprint("/admin/adjustments/", a.ID)
			desktest.Harmless(t, "detail", b.checker.Get(id).Body.String(), words[0], payload)
			desktest.Harmless(t, "confirmation", b.checker.Part(path(a, "confirmation")).Body.String(), words[0], payload)
			long := payload + strings.Repeat("x", 500)
			desktest.Harmless(t, "refused again", b.checker.Send(path(a, "refusal"), url.Values{"version": {"1"}, "note": {long}}).Body.String(), long)
			require.Equal(t, http.StatusOK, b.checker.Send(path(a, "refusal"), url.Values{"version": {"1"}, "note": {payload}}).Code)
			desktest.Harmless(t, "refused", b.maker.Get(id).Body.String(), words[0], words[1], payload)
		}
		query := url.QueryEscape(words[2])
		desktest.Harmless(t, "narrowed", b.checker.Get("/admin/adjustments?tab="+query+"&trader="+query+"&reason="+query+"&after="+query).Body.String())
	}
	b.askWithText(desktest.Payloads[0])
	for _, state := range []string{"", "?tab=refused"} {
		desktest.Harmless(t, "queue", b.checker.Get("/admin/adjustments"+state).Body.String())
	}
}

// askWithText requests an adjustment with a payload as its note.
func (b *bundle) askWithText(text string) adjustment.Adjustment {
	b.Helper()
	form := b.form("in", "5")
	form.Set("note", text)
	answer := b.maker.Send(b.formPath(), form)
	require.Equal(b, http.StatusNoContent, answer.Code, answer.Body.String())
	var id int64
	_, err := fmt.Sscanf(answer.Header().Get("HX-Redirect"), "/admin/adjustments/%d", &id)
	require.NoError(b, err)
	return b.now(id)
}
