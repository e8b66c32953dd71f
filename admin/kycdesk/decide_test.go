package kycdesk_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/kyc"
)

func actor(s seat) audit.Actor {
	return audit.Actor{Kind: audit.Staff, ID: s.Person.ID, Name: s.Person.Name, IP: "192.0.2.9", TraceID: "trace"}
}

// leads requires an answer that opens another page.
func leads(t *testing.T, answer *httptest.ResponseRecorder, to string) {
	t.Helper()
	require.Equal(t, http.StatusNoContent, answer.Code, answer.Body.String())
	require.Equal(t, to, answer.Header().Get("HX-Redirect"))
}

func TestApproveOpensTheNextCase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.waiting()
	b.Clock.Advance(time.Minute)
	taken, next := b.waiting(), b.waiting()
	reviewer, other := b.reviewer("Compliance reviewer 04"), b.reviewer("Compliance reviewer 05")
	other.claimed(taken)
	a := reviewer.claimed(first)

	require.Contains(t, reviewer.Get(path(a)).Body.String(), "To approve: pictures 0 of 2, fields 0 of 6")
	body := b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return reviewer.decide(a, "approval", a.Version) })
	require.Contains(t, body, "Accept every picture first.")
	a = reviewer.accepted(a)
	sheet := reviewer.Part(path(a, "approval")).Body.String()
	require.Contains(t, sheet, fmt.Sprint("Approve trader ", a.TraderID))
	require.Contains(t, sheet, "Erika", "the sheet names the person")
	leads(t, reviewer.decide(a, "approval", a.Version), fmt.Sprintf("/admin/identity/%d?done=%d", next.ID, a.ID))
	require.Equal(t, kyc.Approved, b.now(a.ID).State)
	require.Contains(t, reviewer.Get(fmt.Sprintf("/admin/identity/%d?done=%d", next.ID, a.ID)).Body.String(), a.Number()+" is approved.")

	next = b.now(next.ID)
	require.True(t, next.ClaimActiveBy(reviewer.Person.ID, b.Clock.Now()), "the next case is claimed")
	a = reviewer.accepted(next)
	leads(t, reviewer.decide(a, "approval", a.Version), fmt.Sprintf("/admin/identity?done=%d", a.ID))
	require.Equal(t, http.StatusOK, reviewer.Get("/admin/identity?done=garbage").Code)
}

func TestDecisionsNeedTheClaimAndTheVersion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.waiting()
	reviewer, other := b.reviewer("Compliance reviewer 04"), b.reviewer("Compliance reviewer 05")
	d := b.documents(a.ID)[0]
	b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return reviewer.judge(a, d, a.Version, "") })
	a = reviewer.claimed(a)
	require.Contains(t, b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return other.claim(a) }), "Claimed by Compliance reviewer 04 until")
	for _, noun := range []string{"approval", "escalation", "question"} {
		b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return other.decide(a, noun, a.Version, "selfie", "face_hidden") })
	}
	b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return other.judge(a, d, a.Version, "") })
	b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return reviewer.judge(a, d, a.Version+1, "") })
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return reviewer.judge(a, d, a.Version, "sanctions") })
	b.unchanged(a, http.StatusNotFound, func() *httptest.ResponseRecorder {
		return reviewer.judge(a, b.documents(b.waiting().ID)[0], a.Version, "")
	})
	stale := a.Version
	a = reviewer.accepted(a)
	body := b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return reviewer.decide(a, "approval", stale) })
	require.Contains(t, body, fmt.Sprintf("You saw version %d; the current version is %d.", stale, a.Version))
	require.Contains(t, body, "Compliance reviewer 04 changed it")
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return reviewer.Send(path(a, "approval"), nil) })
	// The reviewer does not have the lead's permissions.
	for _, noun := range []string{"confirmation", "rejection", "revocation"} {
		b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return reviewer.decide(a, noun, a.Version, "reason", "sanctions") })
	}
	lead := b.lead("Compliance lead 01")
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return lead.claim(a) })
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return lead.decide(a, "approval", a.Version) })
}

func TestTheAnswerToAJudgementFetchesNoPictureAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer := b.reviewer("Compliance reviewer 04")
	a := reviewer.claimed(b.waiting())
	d := b.documents(a.ID)[1]
	answer := reviewer.judge(a, d, a.Version, "face_hidden")
	require.Equal(t, http.StatusOK, answer.Code)
	body := answer.Body.String()
	require.NotContains(t, body, "<img")
	require.Contains(t, body, "Face partly hidden")
	require.Contains(t, body, fmt.Sprintf(`value="%d"`, b.now(a.ID).Version), "the next judgement is about what is shown now")
	require.Equal(t, kyc.Refused, b.documents(a.ID)[1].Decision)
	extended := reviewer.claim(a)
	require.Equal(t, http.StatusOK, extended.Code, "whoever holds it has it for longer")
	require.NotContains(t, extended.Body.String(), "<img")
}

func TestAskAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer := b.reviewer("Compliance reviewer 04")
	a := reviewer.claimed(b.waiting())
	require.Contains(t, b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return reviewer.decide(a, "question", a.Version) }),
		"Select what to request again.")
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder {
		return reviewer.decide(a, "question", a.Version, "front", "face_hidden")
	})
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder {
		return reviewer.decide(a, "question", a.Version, "front", "glare", "note", strings.Repeat("x", 2_001))
	})
	preview := reviewer.Part(path(a, "reason-preview?part=front&front=glare")).Body.String()
	require.Contains(t, preview, `lang="zh-CN"`)
	require.Contains(t, preview, "反光", "the trader's words, not the staff's")
	require.NotContains(t, reviewer.Part(path(a, "reason-preview?part=front&front=made_up")).Body.String(), "<p")
	require.Equal(t, http.StatusNotFound, reviewer.Part(path(a, "reason-preview?part=name&name=x")).Code)

	leads(t, reviewer.decide(a, "question", a.Version, "front", "glare", "data", "name_incomplete", "note", "Second time."), fmt.Sprintf("/admin/identity?done=%d", a.ID))
	after := b.now(a.ID)
	require.Equal(t, kyc.Resubmission, after.State)
	require.Equal(t, "name_incomplete", *after.DataReason)
	require.Equal(t, "Second time.", after.Note)
	require.Equal(t, kyc.Refused, b.documents(a.ID)[0].Decision)
	require.Equal(t, kyc.Pending, b.documents(a.ID)[1].Decision)
	b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return reviewer.decide(a, "question", a.Version, "front", "glare") })
}

func TestRefusedPicturesAreAskedForAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer := b.reviewer("Compliance reviewer 04")
	a := reviewer.claimed(b.waiting())
	list := reviewer.Part(path(a, "pictures", fmt.Sprint(b.documents(a.ID)[1].ID), "refusal")).Body.String()
	require.Contains(t, list, `data-digit="1"`)
	require.Contains(t, list, "face_hidden")
	require.NotContains(t, list, "wrong_side", "a selfie has no other side")
	require.Equal(t, http.StatusOK, reviewer.judge(a, b.documents(a.ID)[1], a.Version, "not_live").Code)
	sheet := reviewer.Part(path(a, "question")).Body.String()
	require.Contains(t, sheet, `value="not_live" selected`)
	a = b.now(a.ID)
	require.Equal(t, http.StatusNoContent, reviewer.decide(a, "question", a.Version).Code, "the refused one is asked for without another word")
	require.Equal(t, "not_live", *b.documents(a.ID)[1].Reason)
}

func TestTwoPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer, lead := b.reviewer("Compliance reviewer 04"), b.lead("Compliance lead 01")
	a := reviewer.accepted(reviewer.claimed(b.risky()))
	require.Contains(t, reviewer.Get(path(a)).Body.String(), "Needs 2 approvals")
	require.Contains(t, reviewer.Part(path(a, "approval")).Body.String(), "the compliance lead must approve as well")
	require.Equal(t, http.StatusNoContent, reviewer.decide(a, "approval", a.Version).Code)
	a = b.now(a.ID)
	require.Equal(t, kyc.Escalated, a.State)

	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return reviewer.claim(a) })
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return reviewer.decide(a, "confirmation", a.Version) })
	b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return lead.decide(a, "confirmation", a.Version) })
	require.Contains(t, lead.Get(path(a)).Body.String(), "First approved by Compliance reviewer 04")
	require.NotContains(t, lead.Get(path(a)).Body.String(), "Escalated by")
	a = lead.claimed(a)
	body := b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return lead.decide(a, "confirmation", a.Version) })
	require.Contains(t, body, "Accept every picture first.", "the second person judges afresh")
	require.NotContains(t, lead.Get(path(a)).Body.String(), "First review")
	a = lead.accepted(a)
	require.Contains(t, lead.Part(path(a, "confirmation")).Body.String(), "Compliance reviewer 04")
	require.Equal(t, http.StatusNoContent, lead.decide(a, "confirmation", a.Version).Code)
	require.Equal(t, kyc.Approved, b.now(a.ID).State)
	require.Contains(t, lead.Get(path(a)).Body.String(), "Accepted, Compliance reviewer 04", "what the first person said is shown now")

	// Only the lead may revoke an approved case.
	a = lead.claimed(a)
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return lead.decide(a, "revocation", a.Version, "reason", "glare") })
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder {
		return reviewer.decide(a, "revocation", a.Version, "reason", "sanctions")
	})
	require.Equal(t, http.StatusNoContent, lead.decide(a, "revocation", a.Version, "reason", "approved_in_error", "note", "Wrong person.").Code)
	require.Equal(t, kyc.Revoked, b.now(a.ID).State)
}

// TestTheFirstPersonIsNotTheSecond gives one person both roles, which no grant allows: the desk must still refuse.
func TestTheFirstPersonIsNotTheSecond(t *testing.T) {
	t.Parallel()
	b := setup(t)
	both := b.seat("Compliance 09", "compliance_reviewer", "compliance_lead")
	a := both.claimed(b.waiting())
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return both.decide(a, "escalation", a.Version) })
	require.Equal(t, http.StatusNoContent, both.decide(a, "escalation", a.Version, "note", "Look at the photo.").Code)
	a = b.now(a.ID)
	require.Equal(t, kyc.Escalated, a.State)
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return both.claim(a) })
	require.Contains(t, both.Get(path(a)).Body.String(), "You made the first decision")
}

func TestFinalRejection(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer, lead := b.reviewer("Compliance reviewer 04"), b.lead("Compliance lead 01")
	a := reviewer.claimed(b.waiting())
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder {
		return reviewer.decide(a, "escalation", a.Version, "reason", "glare")
	})
	require.Equal(t, http.StatusNoContent, reviewer.decide(a, "escalation", a.Version, "reason", "document_forged", "note", "Fonts differ.").Code)
	a = lead.claimed(b.now(a.ID))
	sheet := lead.Part(path(a, "rejection")).Body.String()
	require.Contains(t, sheet, `value="document_forged" selected`, "what the reviewer suggested")
	require.Contains(t, sheet, "Fonts differ.")
	words := lead.Part(path(a, "reason-preview?part=reason&reason=document_forged")).Body.String()
	require.NotContains(t, strings.ToLower(words), "forge")
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return lead.decide(a, "rejection", a.Version) })
	require.Equal(t, http.StatusNoContent, lead.decide(a, "rejection", a.Version, "reason", "document_forged").Code)
	after := b.now(a.ID)
	require.Equal(t, kyc.Rejected, after.State)
	require.Equal(t, "not_accepted", *after.PublicReason)
	require.Empty(t, lead.images(a), "nobody looks at what is decided")
}

func TestTwoClaimAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.waiting()
	seats := []seat{b.reviewer("Compliance reviewer 04"), b.reviewer("Compliance reviewer 05")}
	codes := make([]int, len(seats))
	var group sync.WaitGroup
	for i, s := range seats {
		group.Go(func() { codes[i] = s.claim(a).Code })
	}
	group.Wait()
	require.ElementsMatch(t, []int{http.StatusNoContent, http.StatusConflict}, codes)
}

// TestReadsInARowAreOneLine reads the data and the pictures twice; the log keeps each.
func TestReadsInARowAreOneLine(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer := b.reviewer("Compliance reviewer 04")
	a := reviewer.claimed(b.waiting())
	for range 2 {
		for _, address := range reviewer.images(a) {
			require.Equal(t, http.StatusOK, reviewer.get(address, "image").Code)
		}
	}
	page := reviewer.Get(path(a)).Body.String()
	require.Equal(t, 1, strings.Count(page, "You viewed the front"))
	require.Contains(t, page, "You viewed the front, 2 times")
	require.Contains(t, page, "You viewed the data, 3 times")
	require.Equal(t, int64(4), b.count(`SELECT count(*) FROM kyc_views WHERE application_id = $1`, a.ID))
}

func TestTheTimelineTellsEveryAttemptAndLook(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.trader("DE")
	a := b.filled(o, "passport")
	reviewer, other := b.reviewer("Compliance reviewer 04"), b.reviewer("Compliance reviewer 05")
	reviewer.claimed(a)
	for _, address := range reviewer.images(a) {
		require.Equal(t, http.StatusOK, reviewer.get(address, "image").Code)
	}
	a = b.now(a.ID)
	require.Equal(t, http.StatusNoContent, reviewer.decide(a, "question", a.Version, "selfie", "face_hidden").Code)
	_, err := b.kyc.Attach(t.Context(), o, kyc.Selfie, b.picture())
	require.NoError(t, err)
	b.submit(o)
	page := other.Get(path(a)).Body.String()
	for _, text := range []string{
		"Attempt 1 submitted", "Compliance reviewer 04 viewed the front", "Compliance reviewer 04 viewed the selfie", "Compliance reviewer 04 requested resubmission",
		"Attempt 2 submitted", "Selfie, attempt 1", "Face partly hidden (Compliance reviewer 04)",
	} {
		require.Contains(t, page, text)
	}
}

// TestTheDeskSaysWhoHasAConflict: a case is locked, with the reason, for the member who decided about the trader's money; for others it is open.
func TestTheDeskSaysWhoHasAConflict(t *testing.T) {
	t.Parallel()
	b := setup(t)
	paid, other := b.reviewer("Reviewer 02"), b.reviewer("Reviewer 03")
	a := b.waiting()
	_, err := b.DB.Pool.Exec(t.Context(), `SELECT take_duty($1, $2, 'money')`, paid.Person.ID, a.TraderID)
	require.NoError(t, err)
	const why = "You decided about this trader"
	page := fmt.Sprint("/admin/identity/", a.ID)
	require.Contains(t, paid.Get(page).Body.String(), why)
	require.NotContains(t, other.Get(page).Body.String(), why)
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return paid.claim(a) })
	other.claimed(a)
}
