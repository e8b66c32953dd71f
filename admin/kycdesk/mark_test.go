package kycdesk_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/kyc"
)

// mark marks a field.
func (s seat) mark(a kyc.Application, field, mark string) *httptest.ResponseRecorder {
	return s.Send(path(a, "marks", field), url.Values{"version": {strconv.Itoa(s.b.now(a.ID).Version)}, "mark": {mark}})
}

func TestFieldsAreMarked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer, other := b.reviewer("Compliance reviewer 04"), b.reviewer("Compliance reviewer 05")
	a := b.waiting()
	require.NotContains(t, reviewer.Get(path(a)).Body.String(), "mark-name-fits", "claim it first")
	a = reviewer.claimed(a)
	require.Contains(t, reviewer.Get(path(a)).Body.String(), "0 of 6 fields marked")
	b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return other.matchRest(a) })
	a = reviewer.accepted(a)
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return reviewer.matchRest(a) })
	b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return other.mark(a, "name", "differs") })
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return reviewer.mark(a, "name", "perhaps") })
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return reviewer.mark(a, "selfie", "fits") })
	require.Contains(t, reviewer.Part(path(a, "question")).Body.String(), `value="" selected`, "nothing is wrong with the data yet")

	answer := reviewer.mark(a, "number", "differs")
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	body := answer.Body.String()
	require.NotContains(t, body, "<img", "no picture is fetched again")
	require.Contains(t, body, "Mismatch: Document number")
	require.Contains(t, body, "Some data is marked as a mismatch", "the approval is locked, and says why")
	a = b.now(a.ID)
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return reviewer.decide(a, "approval", a.Version) })
	sheet := reviewer.Part(path(a, "question")).Body.String()
	require.Contains(t, sheet, `value="data_differs" selected`, "the reason that fits is chosen")
	require.Contains(t, sheet, "Document number")

	require.Equal(t, http.StatusOK, reviewer.mark(a, "number", "").Code)
	a = b.now(a.ID)
	require.Equal(t, []kyc.Field{kyc.FieldNumber}, a.Marks.Unmarked())
	body = b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return reviewer.decide(a, "approval", a.Version) })
	require.Contains(t, body, "Mark every field as a match first.")
	a = b.now(a.ID)
	require.Equal(t, http.StatusOK, reviewer.matchRest(a).Code, "the rest is one press")
	a = b.now(a.ID)
	require.Equal(t, http.StatusNoContent, reviewer.decide(a, "approval", a.Version).Code)
	require.Contains(t, b.actions(a.ID), "mark")
}
