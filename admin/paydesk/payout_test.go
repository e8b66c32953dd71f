package paydesk_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/payee"
	"candor/app/withdrawal"
)

// TestThePayoutIsCopiedIntoEBanking shows the maker of a started transfer every part of it to copy, for half an hour, and nobody else.
func TestThePayoutIsCopiedIntoEBanking(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	w := b.in(p, withdrawal.Queued, 100)
	require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
	body := p.maker.Part(path(w, "sending")).Body.String()
	require.Contains(t, body, "Specimen client account …")
	form := p.maker.form(w)
	form.Set("from", "99")
	b.unchanged(w, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return p.maker.Send(path(w, "sending"), form) })
	p.maker.did(w, "sending")
	require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
	open := p.maker.Get(path(w)).Body.String()
	for _, want := range []string{`data-copy="` + w.IBAN + `"`, `data-copy="100.00"`, `data-copy="CANDOR WD` + strconv.FormatInt(w.ID, 10) + `"`, `data-copy="Marta Specimen"`, "Bank pays", "1 USDT = 1 USD"} {
		require.Contains(t, open, want)
	}
	require.NotContains(t, p.checker.Get(path(w)).Body.String(), `data-copy="`+w.IBAN)
	b.Clock.Set(b.Clock.Now().Add(31 * time.Minute))
	again := seat{b.SignInAs(t, p.maker.Person), b}
	require.Equal(t, http.StatusOK, again.claim(w).Code)
	require.NotContains(t, again.Get(path(w)).Body.String(), `data-copy="`+w.IBAN, "half an hour later")
}

// TestTheCheckerReadsAtTheBank hides what was sent from the second person until they have typed it.
func TestTheCheckerReadsAtTheBank(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	w := b.in(p, withdrawal.Sent, 137)
	payment := fmt.Sprint("BANK-", w.ID)
	require.Contains(t, p.maker.Get(path(w)).Body.String(), payment, "who sent it sees it")
	require.Equal(t, http.StatusOK, p.checker.claim(w).Code)
	for _, body := range []string{p.checker.Get(path(w)).Body.String(), p.checker.Part(path(w, "bank-check")).Body.String()} {
		require.NotContains(t, body, payment)
		require.NotContains(t, body, "137.00")
		require.NotContains(t, body, w.IBAN[:4]+"<", "not even the ends of the account number")
		require.NotContains(t, body, w.IBAN[:4]+" ")
	}
	require.Equal(t, http.StatusNotFound, p.checker.Get(path(w, "number")).Code, "no way around it")
	form := p.checker.form(w)
	form.Set("amount", "136.00")
	body := p.checker.Send(path(w, "bank-check"), form).Body.String()
	require.Contains(t, body, "Not what was sent")
	require.Equal(t, withdrawal.Sent, b.now(w.ID).State)
	form = p.checker.form(w)
	form.Set("amount", "1,37")
	require.Equal(t, http.StatusUnprocessableEntity, p.checker.Send(path(w, "bank-check"), form).Code)
	p.checker.did(w, "bank-check")
	require.Equal(t, withdrawal.Completed, b.now(w.ID).State)
	other := b.in(p, withdrawal.Sent, 100)
	b.unchanged(other, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.maker.act(other, "bank-check") })
}

// TestTheDecisionHasTheTraderBesideIt shows the account now, all money, and the risk by the facts of now.
func TestTheDecisionHasTheTraderBesideIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	w := b.waiting(100)
	body := p.maker.Get(path(w)).Body.String()
	for _, want := range []string{"Account now", "1,234.00", "Net deposits", "Free margin"} {
		require.Contains(t, body, want)
	}
}

// TestABatchAtTheDesk takes a batch from its first transfer to its confirmation, and gives its file to who made it alone.
func TestABatchAtTheDesk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	o := b.owner("Marta Specimen", "Marta Specimen")
	o.payee = b.saved(payee.Payee{TraderID: o.TraderID, Label: "Mine", Bank: "Specimen Bank", IBAN: "GB33BUKB20201555555555", BIC: "BUKBGB22"}, "Marta Specimen")
	w := b.ask(o, 100)
	p.maker.did(w, "approval")
	p.checker.did(w, "confirmation")
	require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
	b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.checker.act(w, "batch") })
	require.Contains(t, p.maker.act(w, "batch").Body.String(), "is in the open batch")
	id := *b.now(w.ID).BatchID
	require.Contains(t, p.maker.Get("/admin/payout-batches").Body.String(), fmt.Sprint("PB-", id))
	at := func(noun string) string { return fmt.Sprintf("/admin/payout-batches/%d/%s", id, noun) }
	post := func(who seat, noun string, more ...string) *httptest.ResponseRecorder {
		batch, err := b.withdrawals.Batch(t.Context(), id)
		require.NoError(t, err)
		form := map[string][]string{"version": {strconv.Itoa(batch.Version)}, "code": {who.Code(t)}}
		for i := 0; i < len(more); i += 2 {
			form[more[i]] = []string{more[i+1]}
		}
		return who.Send(at(noun), form)
	}
	require.Equal(t, http.StatusForbidden, post(p.checker, "release-request").Code)
	require.Equal(t, http.StatusOK, post(p.maker, "release-request").Code)
	require.Equal(t, http.StatusForbidden, post(p.maker, "release-approval").Code)
	require.Equal(t, http.StatusOK, post(p.checker, "release-approval").Code)
	require.Equal(t, http.StatusForbidden, p.checker.Get(at("file")).Code)
	file := p.maker.Get(at("file"))
	require.Equal(t, http.StatusOK, file.Code, file.Body.String())
	require.Contains(t, file.Body.String(), "pain.001.001.09")
	require.Contains(t, file.Header().Get("Content-Disposition"), fmt.Sprintf("PB-%d.xml", id))
	sent := post(p.maker, "sending", "payment", "SPX-77")
	require.Equal(t, http.StatusOK, sent.Code, sent.Body.String())
	seen := p.checker.Get(fmt.Sprint("/admin/payout-batches/", id)).Body.String()
	require.NotContains(t, seen, "SPX-77")
	require.NotContains(t, seen, "100.00")
	last := post(p.checker, "bank-check", "payment", "spx 77", "count", "1", "amount", "100.00")
	require.Equal(t, http.StatusOK, last.Code, last.Body.String())
	require.Equal(t, withdrawal.Completed, b.now(w.ID).State)
}
