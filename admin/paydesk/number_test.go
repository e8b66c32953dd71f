package paydesk_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/staff"
	"candor/app/withdrawal"
)

// printed is an account number as a reveal shows it.
func printed(number string) string {
	var out []string
	for ; len(number) > 4; number = number[4:] {
		out = append(out, number[:4])
	}
	return strings.Join(append(out, number), " ")
}

// shows reports whether a page has a full account number, in any of the desk's notations.
func shows(body string, w withdrawal.Withdrawal) bool {
	return strings.Contains(body, w.IBAN) || strings.Contains(body, printed(w.IBAN))
}

func (b *bundle) views(w withdrawal.Withdrawal) int64 {
	b.Helper()
	return b.count(`SELECT count(*) FROM audit_entries WHERE action = 'withdrawal.reveal' AND target_id = $1`, fmt.Sprint(w.ID))
}

func TestTheAccountNumberIsMasked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	w := b.waiting(100)
	support := b.seat("Support agent 03", access.SupportAgent)
	auditor := b.seat("Auditor 01", access.Auditor)
	for name, s := range map[string]seat{"maker": p.maker, "checker": p.checker, "lead": p.lead, "compliance": p.compliance, "support": support, "auditor": auditor} {
		body := s.Get(path(w)).Body.String()
		require.False(t, shows(body, w), name)
		require.Contains(t, body, w.IBAN[:4], name)
		require.Contains(t, body, w.IBAN[len(w.IBAN)-4:], name)
		decides := name == "maker" || name == "checker" || name == "lead"
		require.Equal(t, decides, strings.Contains(body, path(w, "number")), name)
		require.Equal(t, !decides, strings.Contains(body, "Your role can’t see this"), name)
	}
	require.False(t, shows(p.compliance.Part(path(w, "freeze")).Body.String(), w), "a dialog that sends nothing shows no more")
	require.Zero(t, b.views(w))

	t.Run("WhoDecidesIsShownItForAReason", func(t *testing.T) {
		require.Contains(t, p.maker.Part(path(w, "number")).Body.String(), "Why you need it")
		require.Zero(t, b.views(w), "the question alone shows nothing")
		answer := p.maker.Send(path(w, "number"), url.Values{"reason": {"The bank  asks"}})
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
		require.True(t, shows(answer.Body.String(), w))
		require.Contains(t, answer.Body.String(), `data-revealed="30"`)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'withdrawal.reveal' AND target_id = $1 AND actor_id = $2 AND after LIKE '%"The bank asks"%'`,
			fmt.Sprint(w.ID), p.maker.Person.ID))
		require.Zero(t, b.count(`SELECT count(*) FROM audit_entries WHERE after LIKE '%' || $1 || '%' AND action = 'withdrawal.reveal'`, w.IBAN), "the log does not hold it")
		body := p.checker.Part(path(w)).Body.String()
		require.Contains(t, body, "Finance maker 02 revealed the account number")
		require.Contains(t, body, "The bank asks")
		require.False(t, shows(body, w), "it is masked again")
	})
	t.Run("NobodyElseIs", func(t *testing.T) {
		before := b.views(w)
		for _, reason := range []string{"", "1234", strings.Repeat("x", 201)} {
			answer := p.maker.Send(path(w, "number"), url.Values{"reason": {reason}})
			require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
			require.False(t, shows(answer.Body.String(), w))
		}
		for _, s := range []seat{support, auditor, p.compliance} {
			for _, answer := range []int{s.Part(path(w, "number")).Code, s.Send(path(w, "number"), url.Values{"reason": {"The bank asks"}}).Code} {
				require.Equal(t, http.StatusForbidden, answer)
			}
		}
		crypto := b.cryptoWithdrawal(100)
		require.Equal(t, http.StatusNotFound, p.maker.Send(path(crypto, "number"), url.Values{"reason": {"The bank asks"}}).Code, "coins go to no account number")
		require.Contains(t, support.Get(path(crypto)).Body.String(), crypto.Address, "an address of a chain is public")
		require.Equal(t, before, b.views(w))
		require.Zero(t, b.views(crypto))
	})
}

// TestWhoeverApprovesReadsTheWholeNumber: the dialogs that let money out show the full number, and the audit log records each view.
func TestWhoeverApprovesReadsTheWholeNumber(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	w := b.waiting(100)
	require.NotEqual(t, http.StatusOK, p.maker.Part(path(w, "approval")).Code)
	require.Zero(t, b.views(w), "without a claim there is no dialog, and no look")
	require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
	require.True(t, shows(p.maker.Part(path(w, "approval")).Body.String(), w))
	require.EqualValues(t, 1, b.views(w))
	require.False(t, shows(p.maker.Part(path(w, "rejection")).Body.String(), w), "who gives the money back needs no number")
	require.EqualValues(t, 1, b.views(w))
	wrong := p.maker.form(w)
	wrong.Set("code", "000000")
	answer := p.maker.Send(path(w, "approval"), wrong)
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
	require.True(t, shows(answer.Body.String(), w))
	require.EqualValues(t, 2, b.views(w), "the dialog that comes back shows it too")
	require.Equal(t, http.StatusOK, p.maker.act(w, "approval").Code)
	require.EqualValues(t, 2, b.views(w), "the decision itself shows nothing")
	crypto := b.cryptoWithdrawal(100)
	require.Equal(t, http.StatusOK, p.maker.claim(crypto).Code)
	require.Contains(t, p.maker.Part(path(crypto, "approval")).Body.String(), crypto.Address)
	require.Zero(t, b.views(crypto))
}

// TestNumbersCountAsContacts: above the hourly limit a number is refused with a message, while the dialogs of decisions stay open.
func TestNumbersCountAsContacts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	w := b.waiting(100)
	show := func() *httptest.ResponseRecorder {
		return p.maker.Send(path(w, "number"), url.Values{"reason": {"the bank asks"}})
	}
	for range staff.ContactsOfOthers {
		require.Equal(t, http.StatusOK, show().Code)
	}
	answer := show()
	require.Equal(t, http.StatusTooManyRequests, answer.Code)
	require.Contains(t, answer.Body.String(), "You have revealed 30 contacts in the last hour.")
	p.maker.claim(w)
	require.Equal(t, http.StatusOK, p.maker.Part(path(w, "approval")).Code, "whoever decides reads the number back")
}
