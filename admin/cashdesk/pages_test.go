package cashdesk_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/deposit"
	"candor/app/platform/idempotency"
)

func TestQueue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)

	t.Run("Empty", func(t *testing.T) {
		page := maker.Get("/admin/deposits")
		require.Equal(t, http.StatusOK, page.Code)
		require.Contains(t, page.Body.String(), "No deposits are waiting.")
		require.Contains(t, page.Body.String(), "Select a deposit")
	})

	var list []deposit.Deposit
	for range 4 {
		list = append(list, b.waiting(450))
		b.Clock.Advance(30 * time.Minute)
	}
	maker = b.seat("Finance maker 02", access.FinanceMaker) // the first session has expired
	require.Equal(t, http.StatusOK, maker.claim(list[2]).Code)

	t.Run("LongestWaitingFirstWithClocks", func(t *testing.T) {
		body := maker.Get("/admin/deposits").Body.String()
		last := -1
		for _, d := range list {
			at := strings.Index(body, fmt.Sprintf(`id="dp-%d"`, d.ID))
			require.Greater(t, at, last)
			last = at
		}
		require.Contains(t, body, `<span class="due late chip">`, "two hours are over")
		require.Contains(t, body, `<span class="due  chip">`, "half an hour is fine")
		require.Contains(t, body, "Claimed by you until")
		require.Equal(t, 3, strings.Count(body, "data-label>Claim<"), "but not on the one that is held")
		require.NotContains(t, body, "Crypto", "only what exists")
	})
	t.Run("WhatWaitsForTheTraderStandsApart", func(t *testing.T) {
		d := list[2]
		form := url.Values{"version": {strconv.Itoa(b.now(d.ID).Version)}, "reason": {"proof_unreadable"}}
		require.Equal(t, http.StatusOK, maker.Send(path(d, "question"), form).Code)
		body := maker.Get("/admin/deposits").Body.String()
		require.Greater(t, strings.Index(body, fmt.Sprintf(`id="dp-%d"`, d.ID)), strings.Index(body, "Waiting for the trader"))
		require.Contains(t, body, "Proof requested")
		require.Contains(t, body, "Answer due in 3 days")
	})
	t.Run("ProofSeenBefore", func(t *testing.T) {
		owner := b.trader("again@example.com")
		first := b.prove(owner, b.ask(owner, 10), 77)
		second := b.prove(owner, b.ask(owner, 10), 77)
		body := maker.Get("/admin/deposits").Body.String()
		require.Contains(t, body, "Duplicate proof")
		require.Contains(t, body, "Same picture as "+first.Number())
		page := maker.Part(path(second)).Body.String()
		require.Contains(t, page, "Same as "+first.Number())
	})
}

func TestQueuePages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	first := b.waiting(450)
	_, err := b.DB.Pool.Exec(t.Context(), `
		INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, reference, state, file_id, created_at, proof_at, expires_at)
		SELECT trader_id, account_id, channel_id, kind, currency, amount, 'REF-' || n, state, file_id, created_at, proof_at, expires_at
		FROM deposits, generate_series(1, 60) n WHERE id = $1`, first.ID)
	require.NoError(t, err)

	rows := regexp.MustCompile(`<article id="dp-(\d+)"`)
	seen := map[string]bool{}
	body := maker.Get("/admin/deposits").Body.String()
	for _, match := range rows.FindAllStringSubmatch(body, -1) {
		seen[match[1]] = true
	}
	require.Len(t, seen, 50)
	next := regexp.MustCompile(`href="(/admin/deposits\?after=[^"]+)"`).FindStringSubmatch(body)
	require.NotNil(t, next)
	body = maker.Get(next[1]).Body.String()
	for _, match := range rows.FindAllStringSubmatch(body, -1) {
		require.False(t, seen[match[1]], "twice")
		seen[match[1]] = true
	}
	require.Len(t, seen, 61)
	require.Contains(t, body, "First page<")
	require.Contains(t, maker.Get(path(first)).Body.String(), `aria-current="true"`)
	for _, odd := range []string{"x", "1", "1.2.3", "-1.5", "99999999999999999999.1"} {
		require.Equal(t, http.StatusOK, maker.Get("/admin/deposits?after="+odd).Code, odd)
	}
}

func TestDetail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	d := b.waiting(8_000)

	t.Run("APageOfItsOwnHasItsRow", func(t *testing.T) {
		page := maker.Get(path(d))
		require.Equal(t, http.StatusOK, page.Code)
		body := page.Body.String()
		for _, want := range []string{
			"<html", fmt.Sprintf(`id="dp-%d"`, d.ID), d.Number(), "8,000.00", "To be credited", "8,000.00 USDT", "None", d.Reference, "Entered at approval", "2 of 5 match",
			"DE02 1203 0000 0000 2020 51", "Candor client money", "ma***1@example.com", "Trader submitted proof", "2 approvals", "above 5,000.00 USDT",
			fmt.Sprintf(`src="/admin/deposits/%d/proof"`, d.ID), "Picture used before", ", logged", `data-show="detail"`,
		} {
			require.Contains(t, body, want)
		}
		require.NotContains(t, body, "marta1@example.com", "contacts are masked")
	})
	t.Run("AProofDrawnFromAPDFSaysSo", func(t *testing.T) {
		require.NotContains(t, maker.Get(path(d)).Body.String(), "Rendered from a PDF")
		_, err := b.DB.Pool.Exec(t.Context(), `UPDATE files SET pages = 12 WHERE id = (SELECT file_id FROM deposits WHERE id = $1)`, d.ID)
		require.NoError(t, err)
		body := maker.Get(path(d)).Body.String()
		require.Contains(t, body, "Rendered from a PDF")
		require.Contains(t, body, "3 of 12 pages")
	})
	t.Run("ARowOpensOnlyThePane", func(t *testing.T) {
		body := maker.Part(path(d)).Body.String()
		require.NotContains(t, body, "<html")
		require.NotContains(t, body, "<article")
	})
	t.Run("ActsAreLockedWithTheirReason", func(t *testing.T) {
		body := maker.Part(path(d)).Body.String()
		require.Equal(t, 3, strings.Count(body, `title="Claim it first. A claim ends after 15 minutes."`), "reject, ask, approve")
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		body = maker.Part(path(d)).Body.String()
		require.NotContains(t, body, "Claim it first")
		require.Contains(t, body, fmt.Sprintf(`hx-delete="/admin/deposits/%d/claim"`, d.ID))
		body = b.seat("Auditor 01", access.Auditor).Part(path(d)).Body.String()
		require.Contains(t, body, "Your role can view deposits but not process them.")
	})
	t.Run("Nothing", func(t *testing.T) {
		for _, id := range []string{"1", "0", "-1", "abc", "99999999999999999999"} {
			require.Equal(t, http.StatusNotFound, maker.Get("/admin/deposits/"+id).Code, id)
		}
	})
	t.Run("NotForSupport", func(t *testing.T) {
		require.Equal(t, http.StatusForbidden, b.seat("Support agent 03", access.SupportAgent).Get(path(d)).Code)
	})
	t.Run("TellsTheHistory", func(t *testing.T) {
		d := b.approved(maker)
		checker := b.seat("Finance checker 01", access.FinanceChecker)
		body := checker.Part(path(d)).Body.String()
		require.Contains(t, body, "Finance maker 02 approved")
		require.Contains(t, body, "8,000.00 received, bank reference Hidden: read it at the bank")
		require.NotContains(t, body, "BANK-REF-")
		require.Contains(t, maker.Part(path(d)).Body.String(), fmt.Sprintf("8,000.00 received, bank reference BANK-REF-%d", d.ID))
		require.Contains(t, body, "4 of 5 match")
		require.Contains(t, body, "Approve…")
	})
}

func TestProof(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	d := b.waiting(450)

	t.Run("IsAPictureThatCanDoNothing", func(t *testing.T) {
		answer := maker.Get(path(d, "proof"))
		require.Equal(t, http.StatusOK, answer.Code)
		require.Equal(t, "image/jpeg", answer.Header().Get("Content-Type"))
		require.Equal(t, fmt.Sprintf(`attachment; filename="DP-%d.jpg"`, d.ID), answer.Header().Get("Content-Disposition"))
		require.Equal(t, "nosniff", answer.Header().Get("X-Content-Type-Options"))
		require.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
		require.Equal(t, "default-src 'none'; sandbox", answer.Header().Get("Content-Security-Policy"))
		require.True(t, strings.HasPrefix(answer.Body.String(), "\xff\xd8\xff"))
	})
	t.Run("NamesWhoLooks", func(t *testing.T) {
		d := b.waiting(450)
		first, again := maker.Get(path(d, "proof")), maker.Get(path(d, "proof"))
		require.Equal(t, first.Body.Bytes(), again.Body.Bytes())
		other := b.seat("Finance checker 09", access.FinanceChecker).Get(path(d, "proof"))
		require.Equal(t, http.StatusOK, other.Code)
		require.NotEqual(t, first.Body.Bytes(), other.Body.Bytes(), "the name is drawn into it")
	})
	t.Run("IsNoPage", func(t *testing.T) {
		d := b.waiting(450)
		for dest, code := range map[string]int{"document": http.StatusForbidden, "iframe": http.StatusForbidden, "image": http.StatusOK} {
			before := len(b.actions(d.ID))
			request := httptest.NewRequest(http.MethodGet, path(d, "proof"), nil)
			request.Header.Set("Sec-Fetch-Dest", dest)
			answer := maker.Do(request)
			require.Equal(t, code, answer.Code, dest)
			require.Equal(t, code == http.StatusOK, len(b.actions(d.ID)) > before, "no look, no entry: %s", dest)
		}
		require.NotContains(t, maker.Part(path(d)).Body.String(), `target="_blank"`, "nor is there a way to open it by itself")
	})
	t.Run("EachLookIsAnEntry", func(t *testing.T) {
		require.Equal(t, http.StatusOK, maker.Get(path(d, "proof")).Code)
		require.Equal(t, []string{"view_proof", "view_proof", "prove", "request"}, b.actions(d.ID))
		body := maker.Part(path(d)).Body.String()
		require.Equal(t, 1, strings.Count(body, "You viewed the proof"), "told once")
	})
	t.Run("NoProofYet", func(t *testing.T) {
		d := b.ask(b.trader("later@example.com"), 450)
		require.Equal(t, http.StatusNotFound, maker.Get(path(d, "proof")).Code)
		require.Contains(t, maker.Part(path(d)).Body.String(), "No proof submitted yet.")
	})
	t.Run("NotForSupport", func(t *testing.T) {
		require.Equal(t, http.StatusForbidden, b.seat("Support agent 03", access.SupportAgent).Get(path(d, "proof")).Code)
		require.Len(t, b.actions(d.ID), 4, "no look, no entry")
	})
}

func TestDialogs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	checker := b.seat("Finance checker 01", access.FinanceChecker)

	t.Run("Approval", func(t *testing.T) {
		d := b.waiting(450)
		require.Equal(t, http.StatusConflict, maker.Part(path(d, "approval")).Code, "not claimed")
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		body := maker.Part(path(d, "approval")).Body.String()
		for _, want := range []string{
			`<dialog id="approval-dialog"`, `name="version" value="3"`, `data-once`, `data-busy="Approving…"`, `name="received"`, `name="bankReference"`,
			"You can approve up to 5,000.00 USDT alone", d.Reference, "Not used before", "None. This is the first deposit.",
		} {
			require.Contains(t, body, want)
		}
		require.NotContains(t, body, "Approve 450.00 USD", "nothing was read at the bank yet")
		require.NotContains(t, body, `value="450.00"`, "the amount is typed, not offered")
		require.Equal(t, http.StatusForbidden, maker.Part(path(d, "confirmation")).Code)
	})
	t.Run("ApprovalAboveTheLimit", func(t *testing.T) {
		d := b.waiting(8_000)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		require.Contains(t, maker.Part(path(d, "approval")).Body.String(), "You approve first, then a second approver.")
	})
	t.Run("Confirmation", func(t *testing.T) {
		d := b.approved(maker)
		require.Equal(t, http.StatusConflict, checker.Part(path(d, "confirmation")).Code, "not claimed")
		require.Equal(t, http.StatusOK, checker.claim(d).Code)
		body := checker.Part(path(d, "confirmation")).Body.String()
		for _, want := range []string{"Approve 8,000.00 USDT", "Hidden: read it at the bank", "Finance maker 02", "Last 4 of the bank reference", `maxlength="4"`} {
			require.Contains(t, body, want)
		}
		require.NotContains(t, body, `name="received"`, "what the first person typed is not to be changed")
		require.NotContains(t, body, *d.BankReference, "the second person reads it at the bank")
	})
	t.Run("DeclineShowsTheTradersWords", func(t *testing.T) {
		d := b.waiting(450)
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		body := maker.Part(path(d, "rejection")).Body.String()
		require.Contains(t, body, "Reject 450.00 USD")
		require.Equal(t, len(deposit.Reasons)+1, strings.Count(body, "<option"))
		require.Contains(t, body, "is-staff")
		body = maker.Part(path(d, "reason-preview") + "?reason=not_received").Body.String()
		require.Contains(t, body, "The trader sees, in")
		require.Contains(t, maker.Part(path(d, "reason-preview")+"?reason=<script>").Body.String(), "appears here")
	})
}

func TestWordsOfOthersStayWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for words := range slices.Chunk(desktest.Payloads, 12) {
		maker := b.seat(words[0], access.FinanceMaker)
		owner := b.trader(fmt.Sprintf("x%d@example.com", b.made))
		_, err := b.DB.Pool.Exec(t.Context(), `UPDATE traders SET name = $2, language = $3 WHERE id = $1`, owner.TraderID, words[1], words[2])
		require.NoError(t, err)
		_, err = b.DB.Pool.Exec(t.Context(), `UPDATE pay_channels SET name = $1, bank = $2, holder = $3, iban = $4, bic = $5`, words[3], words[4], words[5], words[6], words[7])
		require.NoError(t, err)
		d := b.prove(owner, b.ask(owner, 8_000), uint8(100+b.made))
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
		desktest.Harmless(t, "approval", maker.Part(path(d, "approval")).Body.String())
		desktest.Harmless(t, "question", maker.Part(path(d, "question")).Body.String())
		desktest.Harmless(t, "reason-preview", maker.Part(path(d, "reason-preview")+"?reason=duplicate").Body.String())
		for _, typed := range words {
			desktest.Harmless(t, "again", maker.approve(d, b.now(d.ID).Version, typed, typed).Body.String(), typed)
			desktest.Harmless(t, "note", maker.reject(d, b.now(d.ID).Version, typed, typed).Body.String(), typed)
		}
		require.Equal(t, http.StatusOK, maker.reject(d, b.now(d.ID).Version, "duplicate", words[8]).Code)
		_, err = b.DB.Pool.Exec(t.Context(), `UPDATE deposits SET bank_reference = $2, received = 1 WHERE id = $1`, d.ID, words[9])
		require.NoError(t, err)
		desktest.Harmless(t, "detail", maker.Get(path(d)).Body.String(), words[0], words[3], words[4], words[5], words[8], words[9])
	}
	_, err := b.DB.Pool.Exec(t.Context(), `INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, bank, holder, iban, bic, sort, enabled)
		SELECT 100 + n, 'bank', words, 'USD', 1, 2, words, words, words, words, n, true FROM unnest($1::text[]) WITH ORDINALITY list (words, n)`, desktest.Payloads)
	require.NoError(t, err)
	_, err = b.DB.Pool.Exec(t.Context(), `
		INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, reference, state, file_id, created_at, proof_at, expires_at)
		SELECT trader_id, account_id, 100 + n, kind, currency, amount, words, 'proof_submitted', file_id, created_at, proof_at, expires_at
		FROM (SELECT * FROM deposits LIMIT 1) one, unnest($1::text[]) WITH ORDINALITY list (words, n)`, desktest.Payloads)
	require.NoError(t, err)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	body := maker.Get("/admin/deposits").Body.String()
	desktest.Harmless(t, "queue", body)
	desktest.Harmless(t, "rest of the queue", maker.Get(regexp.MustCompile(`/admin/deposits\?after=[^"]+`).FindString(body)).Body.String())
}

// TestEveryKeyHasWords checks the texts whose keys are composed.
func TestEveryKeyHasWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	states := []deposit.State{
		deposit.AwaitingTransfer, deposit.ProofSubmitted, deposit.InReview, deposit.MoreInfo, deposit.Approved, deposit.Credited, deposit.Rejected, deposit.Expired, deposit.Cancelled,
	}
	for _, state := range states {
		require.True(t, b.Texts.Has("en", "deposit.chip."+string(state)), state)
	}
	for _, reason := range deposit.Reasons {
		require.True(t, b.Texts.Has("en", "deposit.reason."+reason), reason)
	}
	for _, act := range []string{"request", "prove", "cancel", "expire", "claim", "release", "view_proof", "approve", "confirm", "reject", "ask"} {
		require.True(t, b.Texts.Has("en", "deposit.event."+act), act)
	}
	for _, refusal := range []string{"unknown", "state", "changed", "claimed", "not_claimed", "reference", "same_person", "role", "role_confirm"} {
		require.True(t, b.Texts.Has("en", "error.deposit."+refusal), refusal)
	}
}

func TestCancelledAndExpiredAreTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.trader("gone@example.com")
	cancelled, expired := b.ask(owner, 10), b.ask(owner, 10)
	b.did(owner, func(r idempotency.Request) (deposit.Result, error) {
		return b.deposits.Cancel(context.Background(), owner, cancelled.ID, r)
	})
	b.Clock.Advance(73 * time.Hour)
	_, err := b.deposits.Expire(t.Context())
	require.NoError(t, err)
	maker := b.seat("Finance maker 03", access.FinanceMaker)
	require.Contains(t, maker.Part(path(cancelled)).Body.String(), "Trader cancelled it")
	require.Contains(t, maker.Part(path(expired)).Body.String(), "Expired")
}

// TestARowIsReadAgain: a page that hears of a change requests the row, and the parts of the case if it shows it.
func TestARowIsReadAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker, other := b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance maker 03", access.FinanceMaker)
	d := b.waiting(450)
	require.Equal(t, http.StatusOK, maker.claim(d).Code)
	row := other.Part(path(d, "row")).Body.String()
	require.Contains(t, row, "Finance maker 02")
	require.Contains(t, row, `hx-swap-oob="morph"`)
	require.NotContains(t, row, `-foot"`, "the requesting page shows only the list")
	require.Equal(t, http.StatusForbidden, b.seat("Support agent 01", access.SupportAgent).Part(path(d, "row")).Code)
}
