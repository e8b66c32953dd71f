package paydesk_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/switches"
	"candor/app/withdrawal"
)

const leadDollars = 40_000 // needs the lead

func TestClaim(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	other := b.seat("Finance maker 03", access.FinanceMaker)

	t.Run("AnswersTheRowAndTheRest", func(t *testing.T) {
		w := b.waiting(100)
		body := p.maker.claim(w).Body.String()
		for _, want := range []string{fmt.Sprintf(`id="wd-%d"`, w.ID), "is yours until 14:47", `id="count-withdrawals"`, `id="withdrawals-tabs"`} {
			require.Contains(t, body, want)
		}
		require.True(t, b.now(w.ID).ClaimActiveBy(p.maker.Person.ID, b.Clock.Now()))
	})
	t.Run("BringsTheOpenWithdrawalAlong", func(t *testing.T) {
		w := b.waiting(100)
		r := httptest.NewRequest(http.MethodPost, path(w, "claim"), nil)
		r.Header.Set("HX-Request", "true")
		r.Header.Set("HX-Current-URL", "http://desk.test"+path(w)+"?tab=approve&risk=10")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		body := p.maker.Do(r).Body.String()
		for _, part := range []string{"head", "main", "side", "foot"} {
			require.Contains(t, body, fmt.Sprintf(`id="wd-%d-%s"`, w.ID, part))
		}
		require.Contains(t, body, "risk=10", "the list beside it stays narrowed")
	})
	t.Run("OfSomebodyElseIsRespected", func(t *testing.T) {
		w := b.waiting(100)
		require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
		body := b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return other.claim(w) })
		require.Contains(t, body, "Claimed by Finance maker 02 until 14:")
		b.Clock.Advance(16 * time.Minute)
		require.Equal(t, http.StatusOK, other.claim(w).Code, "it has ended")
		require.Equal(t, http.StatusConflict, p.maker.release(w).Code)
		require.Equal(t, http.StatusOK, other.release(w).Code)
	})
	t.Run("IsForWhoeverHasTheNextStep", func(*testing.T) {
		w := b.waiting(100)
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.checker.claim(w) })
		p.maker.did(w, "approval")
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.maker.claim(w) })
		require.Equal(b, http.StatusOK, p.checker.claim(w).Code)
	})
	t.Run("OfEightAtOnceOneHasIt", func(t *testing.T) {
		w := b.waiting(100)
		seats := []seat{p.maker, other}
		codes := make([]int, 8)
		var group sync.WaitGroup
		for i := range codes {
			group.Go(func() { codes[i] = seats[i%2].claim(w).Code })
		}
		group.Wait()
		holder := *b.now(w.ID).ClaimedBy
		for i, code := range codes {
			if seats[i%2].Person.ID != holder {
				require.Equal(t, http.StatusConflict, code)
			}
		}
	})
}

func TestHistoryOfAProvider(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	w := b.in(p, withdrawal.Sent, 100)
	for action, state := range map[string]string{"begin": "processing", "lose": "outcome_unknown", "hear": "sent"} {
		entry := audit.By(audit.Actor{Kind: audit.System, Name: "payouts"}, b.Clock.Now(), "withdrawal."+action, "withdrawal", w.ID)
		entry.After = fmt.Sprintf(`{"state": %q}`, state)
		require.NoError(t, b.DB.InTx(t.Context(), func(tx *db.Tx) error { return audit.RecordTx(t.Context(), tx, entry) }))
	}
	body := p.maker.Get(path(w)).Body.String()
	for _, want := range []string{"Payout requested from the provider", "No answer from the provider", "The provider answered", "You started the payout"} {
		require.Contains(t, body, want)
	}
	require.NotContains(t, body, "payouts began", "nobody is called that")
	require.NotContains(t, body, "withdrawal.lose")
}

func TestApprovals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()

	t.Run("TwoPeople", func(t *testing.T) {
		w := b.waiting(100)
		require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
		require.Contains(t, p.maker.act(w, "approval").Body.String(), "approved. A second approver is next.")
		require.Equal(t, http.StatusOK, p.checker.claim(w).Code)
		require.Contains(t, p.checker.act(w, "confirmation").Body.String(), "approved, 2 of 2. 100.00 USDT can be sent to Marta Specimen.")
		require.Equal(t, withdrawal.Queued, b.now(w.ID).State)
	})
	t.Run("CoinsAreReadBackByTheirAddress", func(t *testing.T) {
		w := b.cryptoWithdrawal(100)
		p.maker.did(w, "approval")
		require.Equal(t, http.StatusOK, p.checker.claim(w).Code)
		body := p.checker.Get(path(w, "confirmation")).Body.String()
		for _, want := range []string{"Last 4 of the address", "TRON (TRC-20)", `<span class="last">Lj</span></span><span class="last" aria-hidden="true">6t<`} {
			require.Contains(t, body, want)
		}
		require.NotContains(t, body, "IBAN")
		require.Contains(t, p.checker.act(w, "confirmation").Body.String(), "can be sent to TR7NHq…Lj6t.")
		p.maker.did(w, "sending")
		require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
		form := p.maker.form(w)
		hash := strings.Repeat("ab", 32)
		form.Set("payment", hash)
		require.Contains(t, p.maker.Send(path(w, "payment"), form).Body.String(), "to TR7NHq…Lj6t.")
		body = p.maker.Get(path(w)).Body.String()
		require.Contains(t, body, hash)
		require.Contains(t, body, "<dt>Transaction</dt>")
		require.NotContains(t, body, "<dt>Bank reference</dt>")
	})
	t.Run("ThreeAboveTheLimit", func(t *testing.T) {
		w := b.in(p, withdrawal.Approved1, leadDollars)
		require.Equal(t, http.StatusOK, p.checker.claim(w).Code)
		require.Contains(t, p.checker.act(w, "confirmation").Body.String(), "2 of 3. The finance lead is next.")
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.checker.act(w, "third-approval") })
		require.Equal(t, http.StatusOK, p.lead.claim(w).Code)
		require.Contains(t, p.lead.act(w, "third-approval").Body.String(), "approved, 3 of 3.")
		require.Equal(t, []int64{p.maker.Person.ID, p.checker.Person.ID, p.lead.Person.ID}, b.approvers(w.ID))
	})
	t.Run("ARaisedLimitSavesNobody", func(t *testing.T) {
		w := b.in(p, withdrawal.Approved1, leadDollars)
		limit := func(sum string) {
			b.exec(`INSERT INTO switches (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2`, switches.LeadAboveKey, sum)
			require.NoError(t, b.switches.Reload(t.Context()))
		}
		circles := func() int { return strings.Count(p.lead.Get(path(w)).Body.String(), `role="listitem"`) }
		before, shown := b.withdrawals.LeadAbove(), circles()
		limit("1000000")
		raised := circles()
		limit(money.Trim(before, money.Scale))
		require.Equal(t, shown, raised, "it was made for three people")
	})
	t.Run("BelowTheLimitTheLeadHasNothingToApprove", func(*testing.T) {
		w := b.in(p, withdrawal.Approved1, 100)
		require.Equal(b, http.StatusOK, p.lead.claim(w).Code, "to take the approval back")
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.lead.act(w, "third-approval") })
	})
	t.Run("NobodyTwice", func(t *testing.T) {
		all := b.seat("Both 01", access.FinanceMaker, access.FinanceChecker, access.FinanceLead) // no grant allows it; the desk must still refuse
		w := b.waiting(leadDollars)
		all.did(w, "approval")
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return all.act(w, "confirmation") })
		require.Equal(t, http.StatusOK, all.claim(w).Code, "to take it back")
		body := b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return all.act(w, "confirmation") })
		require.Contains(t, body, "You already took part in this.")
		require.Equal(t, http.StatusOK, all.release(w).Code)
		p.checker.did(w, "confirmation")
		require.Equal(t, http.StatusOK, all.claim(w).Code)
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return all.act(w, "third-approval") })
	})
	t.Run("NotWithoutReadingWhereCoinsGo", func(t *testing.T) {
		w := b.cryptoWithdrawal(100)
		p.maker.did(w, "approval")
		require.Equal(t, http.StatusOK, p.checker.claim(w).Code)
		form := p.checker.form(w)
		end := form.Get("proof")
		for _, wrong := range []string{"", "0000", end[1:], "0" + end, w.Address} {
			form.Set("proof", wrong)
			body := b.unchanged(w, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return p.checker.Send(path(w, "confirmation"), form) })
			require.Contains(t, body, `id="proof-error"`)
		}
	})
	t.Run("ANewVersionIsShownFirstWithWhoChangedIt", func(t *testing.T) {
		w := b.waiting(100)
		require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
		form := p.maker.form(w)
		require.Equal(t, http.StatusOK, p.compliance.act(w, "freeze").Code)
		require.Equal(t, http.StatusOK, p.compliance.act(w, "thaw").Code)
		require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
		body := b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.Send(path(w, "approval"), form) })
		require.Contains(t, body, "Finance maker 02 changed this at")
		require.Contains(t, body, "You saw version 2; the current version is 5.")
		require.Contains(t, body, `name="version" value="5"`, "the new one is offered")
	})
	t.Run("NotOtherFactsThanTheShownOnes", func(t *testing.T) {
		w := b.waiting(100)
		require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
		form := p.maker.form(w)
		b.database.Tamper(t, fmt.Sprintf(`UPDATE withdrawals SET iban = 'DE99120300000000202051' WHERE id = %d`, w.ID))
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.Send(path(w, "approval"), form) })
		for _, wrong := range []string{"", "zz", "00"} {
			form.Set("facts", wrong)
			b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.Send(path(w, "approval"), form) })
		}
		second := b.in(p, withdrawal.Approved1, 100)
		require.Equal(t, http.StatusOK, p.checker.claim(second).Code)
		b.database.Tamper(t, fmt.Sprintf(`UPDATE withdrawals SET amount = amount + 1000000 WHERE id = %d`, second.ID))
		b.unchanged(second, http.StatusConflict, func() *httptest.ResponseRecorder { return p.checker.act(second, "confirmation") })
	})
	t.Run("NotUnclaimed", func(*testing.T) {
		w := b.waiting(100)
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.act(w, "approval") })
	})
	t.Run("NeedsACodeThatWorksOnce", func(t *testing.T) {
		w := b.waiting(100)
		require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
		require.Contains(t, p.maker.Part(path(w, "approval")).Body.String(), `name="code"`)
		form := p.maker.form(w)
		right := form.Get("code")
		for typed, words := range map[string]string{"": "Required.", "000000": "The code is wrong or already used. Wait for the next one."} {
			form.Set("code", typed)
			body := b.unchanged(w, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return p.maker.Send(path(w, "approval"), form) })
			require.Contains(t, body, words)
			require.NotContains(t, body, `value="000000"`)
		}
		form.Set("code", right[:3]+" "+right[3:])
		require.Equal(t, http.StatusOK, p.maker.Send(path(w, "approval"), form).Code)

		second := b.waiting(100)
		require.Equal(t, http.StatusOK, p.maker.claim(second).Code)
		again := p.maker.form(second)
		_, err := b.DB.Pool.Exec(t.Context(), `UPDATE staff SET totp_step = $2 WHERE id = $1`, p.maker.Person.ID, b.Clock.Now().Unix()/30)
		require.NoError(t, err)
		body := b.unchanged(second, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return p.maker.Send(path(second, "approval"), again) })
		require.Contains(t, body, "Wait for a new code", "it approved the other one")
	})
	t.Run("TheFifthWrongCodeSignsOut", func(t *testing.T) {
		w, maker := b.waiting(100), b.seat("Finance maker 07", access.FinanceMaker)
		require.Equal(t, http.StatusOK, maker.claim(w).Code)
		form := maker.form(w)
		form.Set("code", "000000")
		for n, want := range []int{422, 422, 422, 422, http.StatusUnauthorized} {
			b.unchanged(w, want, func() *httptest.ResponseRecorder { return maker.Send(path(w, "approval"), form) })
			entries, _, err := b.log.List(t.Context(), audit.Filter{TargetKind: "staff", TargetID: fmt.Sprint(maker.Person.ID), Limit: 10})
			require.NoError(t, err)
			require.Len(t, entries, n+1)
			require.Equal(t, []any{"staff.step_up", audit.Failed}, []any{entries[0].Action, entries[0].Result})
		}
		require.Equal(t, http.StatusSeeOther, maker.Get(path(w)).Code, "signed out")
	})
	t.Run("WhatDecidesAsksForACode", func(t *testing.T) {
		asks := map[string]withdrawal.State{
			"approval": withdrawal.Review, "confirmation": withdrawal.Approved1, "third-approval": withdrawal.Approved2, "sending": withdrawal.Queued, "bounce": withdrawal.Sent,
			"rejection": withdrawal.Review, "payment": withdrawal.Processing, "unknown-outcome": withdrawal.Processing,
			"finding-paid": withdrawal.OutcomeUnknown, "finding-unpaid": withdrawal.OutcomeUnknown,
		}
		who := map[string]seat{"approval": p.maker, "confirmation": p.checker, "third-approval": p.lead, "sending": p.maker, "bounce": p.maker,
			"rejection": p.maker, "payment": p.maker, "unknown-outcome": p.maker, "finding-paid": p.maker, "finding-unpaid": p.maker}
		for noun, state := range asks {
			dollars := int64(100)
			if state == withdrawal.Approved2 {
				dollars = leadDollars
			}
			w := b.in(p, state, dollars)
			require.Equal(t, http.StatusOK, who[noun].claim(w).Code)
			require.Contains(t, who[noun].Part(path(w, noun)).Body.String(), `name="code"`, noun)
			form := who[noun].form(w)
			form.Del("code")
			b.unchanged(w, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return who[noun].Send(path(w, noun), form) })
		}
		w := b.in(p, withdrawal.Review, 100)
		require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
		require.NotContains(t, p.maker.Part(path(w, "question")).Body.String(), `name="code"`, "a question decides nothing")
	})
	t.Run("PressedTwiceAtOnceApprovesOnce", func(t *testing.T) {
		w := b.waiting(100)
		require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
		form := p.maker.form(w)
		codes := make([]int, 8)
		var group sync.WaitGroup
		for i := range codes {
			group.Go(func() { codes[i] = p.maker.Send(path(w, "approval"), form).Code })
		}
		group.Wait()
		worked := 0
		for _, code := range codes {
			if code == http.StatusOK {
				worked++
			}
		}
		require.Equal(t, 1, worked, codes)
		require.Equal(t, b.now(w.ID).Version, w.Version+2)
	})
}

func TestDeclines(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()

	t.Run("ARejectionGivesTheMoneyBack", func(t *testing.T) {
		w := b.waiting(100)
		before := b.cash(w.AccountID)
		p.maker.did(w, "rejection")
		require.Equal(t, withdrawal.Rejected, b.now(w.ID).State)
		require.Equal(t, before+w.Amount, b.cash(w.AccountID))
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.act(w, "rejection") })
	})
	t.Run("WhatIsApprovedTheCheckerRejects", func(t *testing.T) {
		w := b.in(p, withdrawal.Approved1, 100)
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.act(w, "rejection") })
		p.checker.did(w, "rejection")
		require.Equal(t, withdrawal.Rejected, b.now(w.ID).State)
	})
	t.Run("NotWithoutAReason", func(t *testing.T) {
		w := b.waiting(100)
		require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
		for _, noun := range []string{"rejection", "question"} {
			form := p.maker.form(w)
			form.Set("reason", "because")
			form.Set("note", "my own words")
			body := b.unchanged(w, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return p.maker.Send(path(w, noun), form) })
			require.Contains(t, body, `id="reason-error"`)
			require.Contains(t, body, "my own words", "what was typed stays")
			form.Set("reason", "other")
			form.Set("note", strings.Repeat("é", 1001))
			b.unchanged(w, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return p.maker.Send(path(w, noun), form) })
		}
	})
	t.Run("AQuestionWaitsForTheTrader", func(t *testing.T) {
		w := b.in(p, withdrawal.MoreInfo, 100)
		require.Contains(t, p.maker.Get("/admin/withdrawals").Body.String(), "Waiting for the trader")
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.act(w, "approval") })
	})
	t.Run("ApprovalsAreTakenBack", func(t *testing.T) {
		w := b.in(p, withdrawal.Approved2, leadDollars)
		p.lead.did(w, "recall")
		require.Equal(t, withdrawal.Review, b.now(w.ID).State)
		require.Empty(t, b.approvers(w.ID))
		again := b.in(p, withdrawal.Approved1, 100)
		b.unchanged(again, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.maker.act(again, "recall") })
		p.checker.did(again, "recall")
		b.unchanged(again, http.StatusConflict, func() *httptest.ResponseRecorder { return p.checker.act(again, "recall") })
	})
	t.Run("AFrozenOneIsRejectedByWhoMayRefuse", func(t *testing.T) {
		w := b.in(p, withdrawal.Frozen, 100)
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.act(w, "rejection") })
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.compliance.act(w, "rejection") })
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.lead.act(w, "rejection") })
		cash := b.cash(w.AccountID)
		p.checker.did(w, "rejection")
		require.Equal(t, withdrawal.Rejected, b.now(w.ID).State)
		require.Equal(t, cash+w.Amount, b.cash(w.AccountID), "the money is back")
	})
	t.Run("ComplianceFreezesAndThaws", func(t *testing.T) {
		w := b.in(p, withdrawal.Approved1, 100)
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.lead.act(w, "freeze") })
		require.Equal(t, http.StatusOK, p.compliance.act(w, "freeze").Code)
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.lead.claim(w) })
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.compliance.act(w, "freeze") })
		require.Equal(t, http.StatusOK, p.compliance.act(w, "thaw").Code)
		require.Equal(t, withdrawal.Approved1, b.now(w.ID).State)
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.compliance.act(w, "thaw") })
		gone := b.in(p, withdrawal.Processing, 100)
		b.unchanged(gone, http.StatusConflict, func() *httptest.ResponseRecorder { return p.compliance.act(gone, "freeze") })
	})
}

func TestSending(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()

	t.Run("WithTheBanksReference", func(t *testing.T) {
		w := b.in(p, withdrawal.Processing, 100)
		form := p.maker.form(w)
		for _, wrong := range []string{"", "abc", strings.Repeat("x", 65), "bank\u200bref", "b\xffnk-ref"} {
			form.Set("payment", wrong)
			body := b.unchanged(w, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return p.maker.Send(path(w, "payment"), form) })
			require.Contains(t, body, `id="payment-error"`, "%q", wrong)
		}
		form.Set("payment", " bank  7001 ")
		require.Contains(t, p.maker.Send(path(w, "payment"), form).Body.String(), "sent: 100.00 USDT to Marta Specimen.")
		require.Equal(t, "BANK 7001", *b.now(w.ID).Payment)
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.act(w, "payment") })

		second := b.in(p, withdrawal.Processing, 100)
		form = p.maker.form(second)
		form.Set("payment", "Bank 7001")
		body := b.unchanged(second, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return p.maker.Send(path(second, "payment"), form) })
		require.Contains(t, body, "belongs to another withdrawal")
	})
	t.Run("ByNobodyButAMaker", func(*testing.T) {
		w := b.in(p, withdrawal.Queued, 100)
		for _, s := range []seat{p.checker, p.lead, p.compliance} {
			b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return s.act(w, "sending") })
			b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return s.claim(w) })
		}
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.act(w, "sending") })
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.act(w, "payment") })
	})
	t.Run("AnUnknownOutcomeTakesTwo", func(t *testing.T) {
		w := b.in(p, withdrawal.OutcomeUnknown, 100)
		require.NotContains(t, p.maker.Part(path(w)).Body.String(), path(w, "sending"), "nothing sends it again")
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.maker.act(w, "settlement") })
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.checker.act(w, "finding-paid") })
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.checker.act(w, "settlement") })
		p.maker.did(w, "finding-unpaid")
		before := b.cash(w.AccountID)
		require.Equal(t, http.StatusOK, p.checker.claim(w).Code)
		require.Contains(t, p.checker.act(w, "settlement").Body.String(), "was not paid: 100.00 USDT is back in the account.")
		require.Equal(t, before+w.Amount, b.cash(w.AccountID))

		other := b.in(p, withdrawal.OutcomeUnknown, 100)
		p.maker.did(other, "finding-paid")
		p.checker.did(other, "settlement")
		require.Equal(t, withdrawal.Sent, b.now(other.ID).State)
	})
	t.Run("WhoFoundOutDoesNotAgree", func(*testing.T) {
		both := b.seat("Both 02", access.FinanceMaker, access.FinanceChecker)
		w := b.in(p, withdrawal.OutcomeUnknown, 100)
		both.did(w, "finding-paid")
		require.Equal(b, http.StatusOK, both.claim(w).Code)
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return both.act(w, "settlement") })
	})
	t.Run("TheBankGivesItBack", func(t *testing.T) {
		w := b.in(p, withdrawal.Sent, 100)
		before := b.cash(w.AccountID)
		b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.checker.act(w, "bounce") })
		p.maker.did(w, "bounce")
		require.Equal(t, withdrawal.Returned, b.now(w.ID).State)
		require.Equal(t, before+w.Amount, b.cash(w.AccountID))
		b.unchanged(w, http.StatusConflict, func() *httptest.ResponseRecorder { return p.maker.act(w, "bounce") })
	})
}

// TestWhoOnlyLooks requests every act with the roles that may only view.
func TestWhoOnlyLooks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	w := b.waiting(100)
	nouns := []string{
		"claim", "approval", "confirmation", "third-approval", "question", "rejection", "recall", "freeze", "thaw", "sending", "payment", "unknown-outcome", "finding-paid",
		"finding-unpaid", "settlement", "bounce",
	}
	for _, role := range []access.Role{access.Auditor, access.SupportAgent, access.SupportLead, access.Risk} {
		looker := b.seat("Looks", role)
		require.Equal(t, http.StatusOK, looker.Get(path(w)).Code)
		require.Contains(t, looker.Part(path(w)).Body.String(), "Your role can view withdrawals")
		for _, noun := range nouns {
			b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return looker.act(w, noun) })
		}
	}
	for _, role := range []access.Role{access.SuperAdmin, access.ConfigAdmin, access.ContentEditor, access.ComplianceReviewer} {
		require.Equal(t, http.StatusForbidden, b.seat("Others", role).Get("/admin/withdrawals").Code, role)
	}
	require.Equal(t, http.StatusUnprocessableEntity, func() int {
		require.Equal(t, http.StatusOK, p.maker.claim(w).Code)
		return p.maker.Send(path(w, "approval"), url.Values{"facts": {"00"}}).Code
	}(), "no version")
	require.Equal(t, http.StatusNotFound, p.maker.Get("/admin/withdrawals/"+strconv.Itoa(999_999)).Code)
}

// TestTheDeskSaysWhoHasAConflict: claim and approval are locked, with the reason, for the member who verified the trader, and direct requests are refused.
func TestTheDeskSaysWhoHasAConflict(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.team()
	w := b.waiting(100)
	second := b.seat("Finance maker 03", access.FinanceMaker)
	b.exec(`SELECT take_duty($1, $2, 'person')`, p.maker.Person.ID, w.TraderID)
	const why = "You verified this trader"
	for _, path := range []string{"/admin/withdrawals", path(w)} {
		require.Contains(t, p.maker.Get(path).Body.String(), why, path)
		require.NotContains(t, second.Get(path).Body.String(), why, path)
	}
	b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.maker.claim(w) })
	b.unchanged(w, http.StatusForbidden, func() *httptest.ResponseRecorder { return p.maker.act(w, "approval") })
	second.did(w, "approval")
}
