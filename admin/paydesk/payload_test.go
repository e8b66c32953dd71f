package paydesk_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/payee"
	"candor/app/platform/idempotency"
	"candor/app/withdrawal"
)

// payloadWithdrawal is a trader's withdrawal whose payee and answer consist of payloads.
func (b *bundle) payloadWithdrawal(words []string) withdrawal.Withdrawal {
	b.Helper()
	o := b.owner(words[0], "Marta Specimen")
	b.exec(`UPDATE traders SET language = $2 WHERE id = $1`, o.TraderID, words[1])
	o.payee = b.saved(payee.Payee{TraderID: o.TraderID, Label: words[2], Bank: words[4], IBAN: words[5], BIC: words[6]}, words[3])
	w := b.ask(o, 100)
	maker := b.seat(words[7], access.FinanceMaker)
	require.Equal(b, http.StatusOK, maker.claim(w).Code)
	asked := maker.form(w)
	asked.Set("note", words[8])
	require.Equal(b, http.StatusOK, maker.Send(path(w, "question"), asked).Code)
	b.made++
	_, err := b.withdrawals.Reply(context.Background(), o.Owner, w.ID, words[9], idempotency.Request{TraderID: o.TraderID, Call: "test", Key: strconv.Itoa(b.made)})
	require.NoError(b, err)
	return b.now(w.ID)
}

func TestWordsOfOthersStayWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	var made []withdrawal.Withdrawal
	for words := range slices.Chunk(desktest.Payloads, 10) {
		for i := 0; i < len(words); i += 4 { // each payload is used in three of the fields
			made = append(made, b.payloadWithdrawal(slices.Concat(words[i:], words[:i])))
		}
	}
	for _, w := range made {
		holder, err := b.withdrawals.Holder(t.Context(), w)
		require.NoError(t, err)
		desktest.Harmless(t, "detail", p.maker.Part(path(w)).Body.String(), holder, w.Bank, w.BIC, w.Answer, w.StaffNote)
	}
	for i, words := range desktest.Payloads {
		w := made[i%len(made)]
		query := url.QueryEscape(words)
		for _, address := range []string{
			"?number=" + query + "&payment=" + query + "&trader=" + query, "?state=" + query + "&kind=" + query + "&chain=" + query + "&address=" + query + "&from=" + query,
		} {
			page := p.maker.Get("/admin/withdrawals" + address)
			require.Equal(t, http.StatusOK, page.Code)
			desktest.Harmless(t, "narrowed", page.Body.String())
		}
		long := words + strings.Repeat("x", 1000)
		desktest.Harmless(t, "number", p.maker.Send(path(w, "number"), url.Values{"reason": {long}}).Body.String())
	}
	for i, words := range []string{desktest.Payloads[0], desktest.Payloads[18], desktest.Payloads[33]} {
		b.decided(p, made[i], words)
	}
	desktest.Harmless(t, "queue", p.maker.Get("/admin/withdrawals").Body.String())
	desktest.Harmless(t, "sent", p.maker.Get("/admin/withdrawals?state=sent").Body.String())
}

// decided tries the dialogs about a withdrawal, and pays it with a payload as reference.
func (b *bundle) decided(p team, w withdrawal.Withdrawal, words string) {
	b.Helper()
	require.Equal(b, http.StatusOK, p.maker.claim(w).Code)
	for _, noun := range []string{"approval", "rejection", "question"} {
		desktest.Harmless(b, noun, p.maker.Part(path(w, noun)).Body.String())
	}
	form := p.maker.form(w)
	form.Set("note", words+strings.Repeat("x", 1000))
	again := p.maker.Send(path(w, "rejection"), form)
	require.Equal(b, http.StatusUnprocessableEntity, again.Code)
	desktest.Harmless(b, "rejection again", again.Body.String(), form.Get("note"))

	p.maker.did(w, "approval")
	p.checker.did(w, "confirmation")
	p.maker.did(w, "sending")
	require.Equal(b, http.StatusOK, p.maker.claim(w).Code)
	form = p.maker.form(w)
	form.Set("payment", words)
	answer := p.maker.Send(path(w, "payment"), form)
	require.Equal(b, http.StatusOK, answer.Code, answer.Body.String())
	desktest.Harmless(b, "payment", answer.Body.String())
	desktest.Harmless(b, "sent", p.maker.Get(path(w)).Body.String(), strings.ToUpper(words)) // references are stored in capitals
}
