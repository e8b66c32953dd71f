package cashdesk_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/audit"
	"candor/app/deposit"
)

func TestClaim(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker, other := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance maker 03", access.FinanceMaker)

	t.Run("AnswersTheRowAndTheRest", func(t *testing.T) {
		d := b.waiting(450)
		answer := maker.claim(d)
		require.Equal(t, http.StatusOK, answer.Code)
		body := answer.Body.String()
		require.Contains(t, body, `id="dp-`+strconv.FormatInt(d.ID, 10)+`"`)
		require.Contains(t, body, "is yours until 14:47")
		require.Contains(t, body, `id="count-deposits"`)
		require.NotContains(t, body, "<html")
		require.True(t, b.now(d.ID).ClaimActiveBy(maker.Person.ID, b.Clock.Now()))
		require.Equal(t, []string{"claim", "prove", "request"}, b.actions(d.ID))
	})
	t.Run("BringsTheOpenDepositAlong", func(t *testing.T) {
		d := b.waiting(450)
		r := httptest.NewRequest(http.MethodPost, path(d, "claim"), nil)
		r.Header.Set("HX-Request", "true")
		r.Header.Set("HX-Current-URL", "http://desk.test"+path(d))
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		body := maker.Do(r).Body.String()
		for _, part := range []string{"head", "main", "foot"} {
			require.Contains(t, body, fmt.Sprintf(`id="dp-%d-%s"`, d.ID, part))
		}
		require.NotContains(t, body, "<img", "the proof is not loaded again: each look is logged")
	})
	t.Run("OfSomebodyElseIsRespected", func(t *testing.T) {
		d := b.waiting(450)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		body := b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder {
			answer := other.claim(d)
			dialogAgain(t, answer)
			return answer
		})
		require.Contains(t, body, "Claimed by Finance maker 02 until 14:")
		require.Contains(t, body, `hx-swap-oob="true"`, "the row as it is now comes along")
	})
	t.Run("ItsHolderMayRenewIt", func(t *testing.T) {
		d := b.waiting(450)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		b.Clock.Advance(10 * time.Minute)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		require.Equal(t, b.Clock.Now().Add(15*time.Minute), b.now(d.ID).ClaimedUntil.UTC())
	})
	t.Run("EndsAndIsFreeAgain", func(t *testing.T) {
		d := b.waiting(450)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		b.Clock.Advance(16 * time.Minute)
		require.Equal(t, http.StatusOK, other.claim(d).Code)
		require.Equal(t, http.StatusConflict, maker.release(d).Code, "it is not theirs any more")
	})
	t.Run("IsGivenBack", func(t *testing.T) {
		d := b.waiting(450)
		b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return maker.release(d) })
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		require.Equal(t, http.StatusOK, maker.release(d).Code)
		require.Equal(t, deposit.ProofSubmitted, b.now(d.ID).State)
	})
	t.Run("NeedsTheRight", func(*testing.T) {
		d, auditor := b.waiting(450), b.seat("Auditor 01", access.Auditor)
		b.unchanged(d, http.StatusForbidden, func() *httptest.ResponseRecorder { return auditor.claim(d) })
	})
}

func TestApprove(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	claimed := func(dollars int64) (deposit.Deposit, int) {
		d := b.waiting(dollars)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		return d, b.now(d.ID).Version
	}

	t.Run("CreditsAtOnceBelowTheLimit", func(t *testing.T) {
		d, version := claimed(450)
		answer := maker.approve(d, version, "450.00", "bank-1001")
		require.Equal(t, http.StatusOK, answer.Code)
		require.Contains(t, answer.Body.String(), "approved: 450.00 USDT credited")
		require.Equal(t, deposit.Credited, b.now(d.ID).State)
		require.Equal(t, "BANK-1001", *b.now(d.ID).BankReference)
		require.EqualValues(t, 450_000_000, b.cash(d.AccountID))
		require.Contains(t, b.credited, d.AccountID)
	})
	t.Run("PressedTwiceCreditsOnce", func(t *testing.T) {
		d, version := claimed(450)
		require.Equal(t, http.StatusOK, maker.approve(d, version, "450.00", "bank-1002").Code)
		body := b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return maker.approve(d, version, "450.00", "bank-1002") })
		require.Contains(t, body, "Finance maker 02 changed this at 14:32:00.")
		require.EqualValues(t, 450_000_000, b.cash(d.AccountID))
	})
	t.Run("AboveTheLimitWaitsForASecondPerson", func(t *testing.T) {
		d := b.approved(maker)
		require.Zero(t, b.cash(d.AccountID))
		require.Nil(t, d.TransactionID)
	})
	t.Run("AnotherAmountIsShownFirstAndTakesTwo", func(t *testing.T) {
		d, version := claimed(450)
		form := maker.approval(version, "400", "bank-1003")
		form.Set("shown", "450.000000")
		body := b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.Send(path(d, "approval"), form) })
		require.Contains(t, body, "−50.00 USD compared with the announced amount.")
		require.Contains(t, body, "Approve 400.00 USD", "the button names what was typed")
		require.Contains(t, body, `name="shown" value="400.000000"`)
		require.Contains(t, body, `value="bank-1003"`, "what was typed stays")
		form.Set("shown", "400.000000")
		require.Equal(t, http.StatusOK, maker.Send(path(d, "approval"), form).Code)
		require.Equal(t, deposit.Approved, b.now(d.ID).State)
		require.Zero(t, b.cash(d.AccountID))
	})
	t.Run("WrongAmountsStayInTheirField", func(t *testing.T) {
		d, version := claimed(450)
		for _, wrong := range []string{"", "0", "-1", "abc", "1e3", "450.001", "8,00", "8.000,00", "NaN", "99999999999999999999", "9223372036854.78"} {
			body := b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.approve(d, version, wrong, "bank-1004") })
			require.Contains(t, body, `id="received-error"`, wrong)
			require.Contains(t, body, `value="bank-1004"`, wrong)
		}
	})
	t.Run("ThousandsCommasWithDecimalsAreRead", func(t *testing.T) {
		d, version := claimed(1_200)
		form := maker.approval(version, " 1,200.00 ", "bank-1005")
		form.Set("shown", "1200.000000")
		require.Equal(t, http.StatusOK, maker.Send(path(d, "approval"), form).Code)
		require.EqualValues(t, 1_200_000_000, b.cash(d.AccountID))
	})
	t.Run("FarFromAnnouncedIsRefused", func(t *testing.T) {
		d, version := claimed(450)
		body := b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.approve(d, version, "45000", "bank-1006") })
		require.Contains(t, body, "far from the announced amount")
	})
	t.Run("AReferenceCreditsOnce", func(t *testing.T) {
		first, version := claimed(450)
		require.Equal(t, http.StatusOK, maker.approve(first, version, "450.00", "BANK 2001").Code)
		for _, again := range []string{"BANK 2001", "bank 2001", "  bank   2001 "} {
			d, version := claimed(450)
			body := b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.approve(d, version, "450.00", again) })
			require.Contains(t, body, `id="bankReference-error"`)
			require.Contains(t, body, "has already credited another deposit")
		}
	})
	t.Run("WrongReferences", func(t *testing.T) {
		d, version := claimed(450)
		for _, wrong := range []string{"", "abc", strings.Repeat("x", 65), "bank\x00ref", "bank\u200bref", "b\xffnk-ref"} {
			body := b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.approve(d, version, "450.00", wrong) })
			require.Contains(t, body, `id="bankReference-error"`, "%q", wrong)
		}
	})
	t.Run("NotClaimed", func(*testing.T) {
		d := b.waiting(450)
		b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return maker.approve(d, d.Version, "450.00", "bank-1007") })
	})
	t.Run("ClaimedBySomebodyElse", func(t *testing.T) {
		d := b.waiting(450)
		require.Equal(t, http.StatusOK, b.seat("Finance maker 09", access.FinanceMaker).claim(d).Code)
		body := b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return maker.approve(d, b.now(d.ID).Version, "450.00", "bank-1008") })
		require.Contains(t, body, "Claimed by Finance maker 09")
	})
	t.Run("AStaleVersionDoesNothingAndSaysWho", func(t *testing.T) {
		d, version := claimed(450)
		require.Equal(t, http.StatusOK, maker.release(d).Code)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		body := b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder {
			answer := maker.approve(d, version, "450.00", "bank-1009")
			dialogAgain(t, answer)
			return answer
		})
		require.Contains(t, body, "Finance maker 02 changed this at")
		require.Contains(t, body, "You saw version 3; the current version is 5.")
		require.Contains(t, body, `value="bank-1009"`, "what was typed stays")
		require.Contains(t, body, `name="version" value="5"`, "the new one is offered")
	})
	t.Run("NoVersion", func(*testing.T) {
		d, _ := claimed(450)
		b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder {
			return maker.Send(path(d, "approval"), url.Values{"received": {"450"}, "bankReference": {"bank-1010"}})
		})
	})
	t.Run("NeedsTheRight", func(*testing.T) {
		d, version := claimed(450)
		risk := b.seat("Risk 01", access.Risk)
		b.unchanged(d, http.StatusForbidden, func() *httptest.ResponseRecorder { return risk.approve(d, version, "450.00", "bank-1011") })
	})
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	checker := b.seat("Finance checker 01", access.FinanceChecker)
	end := func(d deposit.Deposit) string { ref := *d.BankReference; return ref[len(ref)-4:] }

	t.Run("TheSecondPersonCredits", func(t *testing.T) {
		d := b.approved(maker)
		require.Equal(t, http.StatusOK, checker.claim(d).Code)
		d = b.now(d.ID)
		answer := checker.confirm(d, d.Version, strings.ToLower(end(d)))
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
		require.Contains(t, answer.Body.String(), "approved, 2 of 2: 8,000.00 USDT credited")
		require.EqualValues(t, 8_000_000_000, b.cash(d.AccountID))
		require.Equal(t, checker.Person.ID, *b.now(d.ID).CheckerID)
	})
	t.Run("NotWithoutReadingTheReference", func(t *testing.T) {
		d := b.approved(maker)
		require.Equal(t, http.StatusOK, checker.claim(d).Code)
		d = b.now(d.ID)
		for n, wrong := range []string{"0000", "X" + end(d), *d.BankReference} {
			answer := checker.confirm(d, d.Version, wrong)
			require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
			require.Contains(t, answer.Body.String(), `id="proof-error"`)
			d = b.now(d.ID)
			require.Equal(t, []any{deposit.Approved, n + 1}, []any{d.State, d.Mismatches})
			require.Contains(t, answer.Body.String(), fmt.Sprintf(`name="version" value="%d"`, d.Version), "the next entry is about the deposit as it is")
		}
		require.Contains(t, checker.confirm(d, d.Version, end(d)).Body.String(), "Three entries did not match", "the right one comes too late")
		var entries int
		require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'deposit.mismatch' AND target_id = $1`, fmt.Sprint(d.ID)).Scan(&entries))
		require.Equal(t, 3, entries)
		require.Equal(t, http.StatusOK, checker.reject(d, d.Version, "duplicate", "").Code, "it is not stuck")
	})
	t.Run("NotTheSamePerson", func(t *testing.T) {
		both := b.seat("Both 02", access.FinanceMaker, access.FinanceChecker) // no grant allows it; the desk must still refuse
		d := b.approved(both)
		b.unchanged(d, http.StatusForbidden, func() *httptest.ResponseRecorder { return both.claim(d) })
		b.unchanged(d, http.StatusForbidden, func() *httptest.ResponseRecorder { return both.confirm(d, d.Version, end(d)) })
		body := both.Part(path(d)).Body.String()
		require.Contains(t, body, "You gave the first approval, so someone else must give the second.")
		b.unchanged(d, http.StatusForbidden, func() *httptest.ResponseRecorder { return both.reject(d, d.Version, "duplicate", "") })
	})
	t.Run("NotAMaker", func(*testing.T) {
		d, other := b.approved(maker), b.seat("Finance maker 05", access.FinanceMaker)
		b.unchanged(d, http.StatusForbidden, func() *httptest.ResponseRecorder { return other.claim(d) })
		b.unchanged(d, http.StatusForbidden, func() *httptest.ResponseRecorder { return other.confirm(d, d.Version, end(d)) })
	})
	t.Run("NotUnclaimed", func(*testing.T) {
		d := b.approved(maker)
		b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return checker.confirm(d, d.Version, end(d)) })
	})
	t.Run("NotAStaleVersion", func(t *testing.T) {
		d := b.approved(maker)
		require.Equal(t, http.StatusOK, checker.claim(d).Code)
		body := b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return checker.confirm(d, d.Version, end(d)) })
		require.Contains(t, body, "Finance checker 01 changed this at")
	})
	t.Run("NotWithFactsThatChanged", func(t *testing.T) {
		d := b.approved(maker)
		require.Equal(t, http.StatusOK, checker.claim(d).Code)
		_, err := b.DB.Pool.Exec(t.Context(), `UPDATE deposits SET received = received + 1000000 WHERE id = $1`, d.ID)
		require.NoError(t, err)
		d = b.now(d.ID)
		b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return checker.confirm(d, d.Version, end(d)) })
	})
	t.Run("BelowTheLimitThereIsNothingToConfirm", func(t *testing.T) {
		d := b.waiting(450)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		d = b.now(d.ID)
		b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return checker.confirm(d, d.Version, "1234") })
	})
}

// TestTheFirstPersonIsAMaker: checkers and leads can't make a maker's decisions about bank transfers, crypto deposits and credits that are gone; makers can.
func TestTheFirstPersonIsAMaker(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker, checker, lead := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance checker 01", access.FinanceChecker), b.seat("Finance lead 01", access.FinanceLead)
	for _, second := range []seat{checker, lead} {
		d := b.waiting(450)
		refused := func(d deposit.Deposit, act func() *httptest.ResponseRecorder) {
			require.Contains(t, b.unchanged(b.now(d.ID), http.StatusForbidden, act), `role="alert"`)
		}
		refused(d, func() *httptest.ResponseRecorder { return second.claim(d) })
		_, err := b.deposits.Claim(t.Context(), audit.Actor{Kind: audit.Staff, ID: second.Person.ID, Name: second.Person.Name}, d.ID) // claimed before this rule
		require.NoError(t, err)
		version := b.now(d.ID).Version
		refused(d, func() *httptest.ResponseRecorder { return second.approve(d, version, "450.00", "BANK-ALONE") })
		refused(d, func() *httptest.ResponseRecorder { return second.reject(d, version, "duplicate", "") })
		refused(d, func() *httptest.ResponseRecorder { return second.act(d, "question", "reason", "duplicate") })
		require.Contains(t, second.Part(path(d)).Body.String(), "Only a finance maker can do this.")
		require.Equal(t, http.StatusOK, second.release(d).Code)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		require.Equal(t, http.StatusOK, maker.approve(d, b.now(d.ID).Version, "450.00", "BANK-"+d.Number()).Code)
		require.Equal(t, deposit.Credited, b.now(d.ID).State)

		waiting := b.waitingCrypto(deposit.AMLReview, 20_000)
		refused(waiting, func() *httptest.ResponseRecorder { return second.act(waiting, "credit") })
		refused(waiting, func() *httptest.ResponseRecorder { return second.act(waiting, "refund", "bankReference", "0xabcdef") })
		require.Equal(t, http.StatusOK, maker.act(waiting, "credit").Code)
		require.Equal(t, http.StatusOK, second.act(waiting, "recall").Code, "the second person may refuse")
		require.Equal(t, http.StatusOK, maker.act(waiting, "credit").Code)
		require.Equal(t, http.StatusOK, second.act(waiting, "agreement").Code)

		credited := b.reversible(maker, second)
		refused(credited, func() *httptest.ResponseRecorder {
			return second.act(credited, "reversal", "reason", "the bank took it back")
		})
		require.Equal(t, http.StatusOK, maker.act(credited, "reversal", "reason", "the bank took it back").Code)
		require.Equal(t, http.StatusOK, second.act(credited, "agreement").Code)
		require.Equal(t, deposit.ChargedBack, b.now(credited.ID).State)
	}
}

func TestDecline(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	claimed := func() deposit.Deposit {
		d := b.waiting(450)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		return b.now(d.ID)
	}
	ask := func(d deposit.Deposit, reason string) *httptest.ResponseRecorder {
		return maker.Send(path(d, "question"), url.Values{"version": {strconv.Itoa(d.Version)}, "reason": {reason}, "note": {"for us"}})
	}

	t.Run("RejectsWithACodedReasonAndANote", func(t *testing.T) {
		d := claimed()
		answer := maker.reject(d, d.Version, "not_received", "statement of 14:00")
		require.Equal(t, http.StatusOK, answer.Code)
		require.Contains(t, answer.Body.String(), "rejected. The trader sees the reason.")
		require.Equal(t, deposit.Rejected, b.now(d.ID).State)
		require.Equal(t, "not_received", *b.now(d.ID).Reason)
		require.Equal(t, "statement of 14:00", b.now(d.ID).StaffNote)
	})
	t.Run("AsksForAnotherProof", func(t *testing.T) {
		d := claimed()
		require.Equal(t, http.StatusOK, ask(d, "proof_unreadable").Code)
		require.Equal(t, deposit.MoreInfo, b.now(d.ID).State)
		require.Equal(t, b.Clock.Now().Add(72*hour), b.now(d.ID).ExpiresAt.UTC())
	})
	t.Run("NoReason", func(t *testing.T) {
		d := claimed()
		for _, wrong := range []string{"", "because", "deposit.title"} {
			body := b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return maker.reject(d, d.Version, wrong, "my own words") })
			require.Contains(t, body, `id="reason-error"`)
			require.Contains(t, body, "my own words", "what was typed stays")
		}
	})
	t.Run("ANoteTooLong", func(*testing.T) {
		d := claimed()
		b.unchanged(d, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder {
			return maker.reject(d, d.Version, "duplicate", strings.Repeat("é", 1001))
		})
	})
	t.Run("AStaleVersion", func(*testing.T) {
		d := claimed()
		b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return maker.reject(d, d.Version-1, "duplicate", "") })
	})
	t.Run("NotClaimed", func(*testing.T) {
		d := b.waiting(450)
		b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return maker.reject(d, d.Version, "duplicate", "") })
		b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return ask(d, "duplicate") })
	})
	t.Run("DecidedOnce", func(t *testing.T) {
		d := claimed()
		require.Equal(t, http.StatusOK, maker.reject(d, d.Version, "duplicate", "").Code)
		b.unchanged(d, http.StatusConflict, func() *httptest.ResponseRecorder { return maker.reject(d, b.now(d.ID).Version, "duplicate", "") })
	})
	t.Run("TheCheckerMayRefuseWhatAMakerApproved", func(t *testing.T) {
		d, checker := b.approved(maker), b.seat("Finance checker 01", access.FinanceChecker)
		require.Equal(t, http.StatusOK, checker.claim(d).Code)
		require.Equal(t, http.StatusOK, checker.reject(d, b.now(d.ID).Version, "sender_differs", "").Code)
		require.Nil(t, b.now(d.ID).MakerID, "the approval is void")
	})
}

// TestTheDeskSaysWhoHasAConflict: a deposit is locked, with the reason, for the member who verified the trader; for others it is open.
func TestTheDeskSaysWhoHasAConflict(t *testing.T) {
	t.Parallel()
	b := setup(t)
	verified, other := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance maker 03", access.FinanceMaker)
	d := b.waiting(100)
	_, err := b.DB.Pool.Exec(t.Context(), `SELECT take_duty($1, $2, 'person')`, verified.Person.ID, d.TraderID)
	require.NoError(t, err)
	const why = "You verified this trader"
	page := fmt.Sprint("/admin/deposits/", d.ID)
	require.Contains(t, verified.Get(page).Body.String(), why)
	require.NotContains(t, other.Get(page).Body.String(), why)
	b.unchanged(d, http.StatusForbidden, func() *httptest.ResponseRecorder { return verified.claim(d) })
	require.Equal(t, http.StatusOK, other.claim(d).Code)
}
