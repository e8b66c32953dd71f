package kycdesk_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"candor/admin/desk/desktest"
	"candor/app/kyc"
)

// names joins payloads to texts as long as a name may be; payloads with characters that no name may have are left out.
func names() (out []string) {
	for _, words := range desktest.Payloads {
		last := len(out) - 1
		switch {
		case strings.ContainsFunc(words, unicode.IsControl):
		case last >= 0 && len([]rune(out[last]+" "+words)) <= 120:
			out[last] += " " + words
		default:
			out = append(out, words)
		}
	}
	return out
}

func TestWordsOfTradersStayWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	list := names()
	require.Greater(t, len(list), 20)
	for i, name := range list {
		words := desktest.Payloads[i]
		o := b.trader("DE")
		_, err := b.DB.Pool.Exec(t.Context(), `UPDATE traders SET name = $2, language = $3 WHERE id = $1`, o.TraderID, name, words)
		require.NoError(t, err)
		a := b.named(o, "passport", name)
		reviewer := b.reviewer(words)
		reviewer.claimed(a)
		desktest.Harmless(t, "case", reviewer.Get(path(a)).Body.String(), name, words)
		desktest.Harmless(t, "part", reviewer.Part(path(a)).Body.String(), name)
		for _, noun := range []string{"question", "rejection", "escalation"} {
			desktest.Harmless(t, noun, reviewer.Part(path(a, noun)).Body.String())
			form := url.Values{"version": {words}, "reason": {words}, "note": {words}, "data": {words}, "selfie": {words}, "front": {words}}
			desktest.Harmless(t, noun, reviewer.Send(path(a, noun), form).Body.String())
		}
	}
	looker := b.reviewer("Compliance reviewer 04")
	desktest.Harmless(t, "queue", looker.Get("/admin/identity").Body.String(), desktest.Payloads[:len(list)]...)
	for words := range slices.Chunk(desktest.Payloads, 5) {
		query := url.QueryEscape(words[0])
		page := looker.Get("/admin/identity?country=" + query + "&type=" + query + "&risk=" + query + "&state=" + query + "&age=" + query + "&attempt=" + query + "&after=" + query)
		require.Equal(t, http.StatusOK, page.Code)
		desktest.Harmless(t, "narrowed", page.Body.String())
	}
}

// TestNoOtherFieldTakesThem: every field but the name has a strict format.
func TestNoOtherFieldTakesThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.trader("DE")
	for _, words := range desktest.Payloads {
		for name, filled := range map[string]kyc.Filled{
			"country": {Country: &words}, "type": {DocumentType: &words}, "number": {Number: &words}, "birth": {BirthDate: &words}, "expiry": {ExpiryDate: &words},
		} {
			_, err := b.kyc.Save(t.Context(), o, filled)
			require.Error(t, err, "%s: %q", name, words)
		}
		_, err := b.kyc.Save(t.Context(), o, kyc.Filled{FullName: &words})
		require.Equal(t, strings.ContainsFunc(words, unicode.IsControl), err != nil, "a name takes all but control characters: %q", words)
	}
}
