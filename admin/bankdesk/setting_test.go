package bankdesk_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/deposit"
)

const letter = "The bank's letter of 16 November"

func TestTwoPeopleOpenAnAccountAndAChannel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wrong := account()
	wrong.Set("iban", "GB82 WEST 1234 5698 7654 33")
	answer := b.maker.Send("/admin/bank-accounts", wrong)
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
	require.Contains(t, answer.Body.String(), `id="iban-error"`)
	require.Contains(t, answer.Body.String(), "Specimen Trust", "what was typed stays")
	page := b.added("/admin/bank-accounts", account())
	change := account()
	change.Set("why", "no")
	change.Set("open", "open")
	require.Equal(t, http.StatusUnprocessableEntity, send(b.maker, page, "change", 1, change), "a reason is needed")
	change.Set("why", letter)
	require.Equal(t, http.StatusOK, send(b.maker, page, "change", 1, change))
	require.Contains(t, b.maker.Get(page).Body.String(), "GB82 WEST 1234 5698 7654 32")
	require.NotContains(t, b.second.Get(page).Body.String(), "GB82", "the second person types it")
	agree := func(typed string) int {
		return send(b.second, page, "agreement", 1, url.Values{"iban": {typed}, "code": {b.second.Code(t)}})
	}
	require.Equal(t, http.StatusForbidden, send(b.maker, page, "agreement", 1, url.Values{"iban": {"GB82WEST12345698765432"}, "code": {b.maker.Code(t)}}))
	require.Equal(t, http.StatusUnprocessableEntity, agree("GB82WEST12345698765433"))
	require.Equal(t, http.StatusOK, agree("gb82 west 1234 5698 7654 32"))
	require.Contains(t, b.maker.Get("/admin/bank-accounts").Body.String(), "Client EUR")

	form := url.Values{
		"kind": {"bank"}, "name": {"Bank transfer, two"}, "account": {"11"}, "provider": {""}, "currency": {""}, "coin": {""}, "chain": {""}, "minimum": {"50"}, "maximum": {"25,000"}, "sort": {"10"},
		"countries": {"AT,DE"}, "fee": {"1.5 %"}, "instructions.en": {"From your own account only."}, "language": {"de"}, "text": {"Nur vom eigenen Konto."},
	}
	for field, value := range map[string]string{"account": "99", "minimum": "5o", "maximum": "1", "sort": "x", "name": "", "fee": "25", "countries": "XX", "instructions.en": "", "language": ""} {
		bad := url.Values{}
		for name, values := range form {
			bad[name] = values
		}
		bad.Set(field, value)
		answer := b.maker.Send("/admin/channels", bad)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, field)
		require.Contains(t, answer.Body.String(), `id="`+field+`-error"`, field)
	}
	channel := b.added("/admin/channels", form)
	body := b.maker.Get(channel).Body.String()
	for _, shown := range []string{"Austria, Germany", "1.5%", "English: From your own account only.", "Deutsch: Nur vom eigenen Konto."} {
		require.Contains(t, body, shown)
	}
	dialog := b.maker.Part(channel + "/change").Body.String()
	require.Contains(t, dialog, `name="instructions.de"`, "the text that is there has its own field")
	require.NotContains(t, dialog, `name="instructions.fr"`)
	form.Set("instructions.de", "Nur vom eigenen Konto.")
	form.Del("language")
	form.Del("text")
	form.Set("why", letter)
	form.Set("enabled", "enabled")
	require.Equal(t, http.StatusOK, send(b.maker, channel, "change", 1, form))
	require.Contains(t, b.second.Get("/admin/channels?tab=waiting").Body.String(), "Bank transfer, two")
	require.Equal(t, http.StatusOK, send(b.second, channel, "agreement", 1, url.Values{"code": {b.second.Code(t)}}))
	require.Contains(t, b.maker.Get("/admin/channels").Body.String(), "50.00 – 25,000.00 USD")
	require.Equal(t, http.StatusForbidden, send(b.maker, channel, "suspension", 2, url.Values{"why": {letter}}))
	require.Equal(t, http.StatusOK, send(b.second, channel, "suspension", 2, url.Values{"why": {letter}}))
	require.NotContains(t, b.maker.Get("/admin/channels").Body.String(), "50.00 – 25,000.00 USD")
}

func TestARequestIsWithdrawnOrRejected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := "/admin/bank-accounts/1"
	change := url.Values{"name": {"Specimen, client"}, "bank": {"Specimen Bank"}, "holder": {"Candor"}, "bic": {""}, "open": {"open"}, "why": {letter}}
	require.Equal(t, http.StatusOK, send(b.maker, page, "change", 1, change))
	require.Equal(t, http.StatusConflict, send(b.other, page, "change", 1, change), "one request at a time")
	require.Equal(t, http.StatusForbidden, send(b.other, page, "withdrawal", 1, nil), "another maker's")
	require.Equal(t, http.StatusOK, send(b.maker, page, "withdrawal", 1, nil))
	require.Equal(t, http.StatusOK, send(b.maker, page, "change", 1, change))
	require.Equal(t, http.StatusUnprocessableEntity, send(b.second, page, "refusal", 1, url.Values{"why": {"no"}}))
	require.Equal(t, http.StatusOK, send(b.second, page, "refusal", 1, url.Values{"why": {"Not by this letter"}}))
	require.NotContains(t, b.maker.Get(page).Body.String(), "Specimen, client")
	for _, role := range []access.Role{access.Auditor, access.FinanceLead} {
		looker := b.seat("Looker", role)
		require.Equal(t, http.StatusOK, looker.Get(page).Code)
		require.Equal(t, http.StatusForbidden, send(looker, page, "change", 1, change), role)
	}
	require.Equal(t, http.StatusForbidden, b.seat("Support", access.SupportLead).Get(page).Code)
}

// TestTheSecondPersonDecidesAboutWhatWasShown withdraws a request after the second person has opened its dialog, and asks for something else.
func TestTheSecondPersonDecidesAboutWhatWasShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := "/admin/bank-accounts/1"
	change := url.Values{"name": {"Specimen, client"}, "bank": {"Specimen Bank"}, "holder": {"Candor"}, "bic": {""}, "open": {"open"}, "why": {letter}}
	require.Equal(t, http.StatusOK, send(b.maker, page, "change", 1, change))
	shown := factsOf(b.second, page, "agreement")
	require.NotEmpty(t, shown)
	require.Equal(t, http.StatusOK, send(b.maker, page, "withdrawal", 1, nil))
	change.Set("holder", "Somebody Else")
	require.Equal(t, http.StatusOK, send(b.maker, page, "change", 1, change))
	iban := deposit.SpecimenIBAN
	for noun, form := range map[string]url.Values{"agreement": {"iban": {iban}, "code": {b.second.Code(t)}}, "refusal": {"why": {"Not by this letter"}}} {
		form.Set("facts", shown)
		require.Equal(t, http.StatusConflict, send(b.second, page, noun, 1, form), noun)
	}
	require.Equal(t, http.StatusUnprocessableEntity, send(b.second, page, "agreement", 1, url.Values{"iban": {"DE1"}, "code": {b.second.Code(t)}}))
	require.Equal(t, http.StatusOK, send(b.second, page, "agreement", 1, url.Values{"iban": {iban}, "code": {b.second.Code(t)}}))
	require.Contains(t, b.maker.Get(page).Body.String(), "Somebody Else")
}
