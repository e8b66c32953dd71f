package kycdesk_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/kyc"
)

const why = "Salary slips and the letter of the bank were seen."

// approved is a case that a reviewer has approved.
func (b *bundle) approved(reviewer seat) kyc.Application {
	b.Helper()
	a := reviewer.accepted(reviewer.claimed(b.waiting()))
	require.Equal(b, http.StatusNoContent, reviewer.decide(a, "approval", a.Version).Code)
	return b.now(a.ID)
}

func TestTwoPeopleRaiseALevel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer, other, lead := b.reviewer("Compliance reviewer 04"), b.reviewer("Compliance reviewer 05"), b.lead("Compliance lead 01")
	a := b.approved(reviewer)
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return reviewer.decide(a, "level", a.Version, "note", why) })
	b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return lead.decide(a, "level", a.Version, "note", why) })
	a = lead.claimed(a)
	require.Contains(t, lead.Part(path(a, "level")).Body.String(), fmt.Sprint("Request level 2 for trader ", a.TraderID))
	require.Contains(t, b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return lead.decide(a, "level", a.Version, "note", "good man") }),
		"Enter a reason of 10 to 1,000 characters.")
	leads(t, lead.decide(a, "level", a.Version, "note", why), fmt.Sprintf("/admin/identity?done=%d&did=level", a.ID))
	require.Contains(t, lead.Get(fmt.Sprintf("/admin/identity?done=%d&did=level", a.ID)).Body.String(), "level 2 requested. A reviewer decides.")
	a = b.now(a.ID)

	waits := b.waiting()
	queue := other.Get("/admin/identity?state=level_asked").Body.String()
	require.Contains(t, queue, a.Number())
	require.NotContains(t, queue, waits.Number())
	require.Contains(t, other.Get("/admin/identity").Body.String(), a.Number())
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return lead.decide(a, "grant", a.Version) })
	b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return other.decide(a, "grant", a.Version) })
	a = other.claimed(a)
	page := other.Get(path(a)).Body.String()
	for _, shown := range []string{why, "Compliance lead 01 requested level 2", "Erika", "<img", "Grant level 2…", "Reject level 2…"} {
		require.Contains(t, page, shown)
	}
	require.NotContains(t, page, "Revoke…", "that is the lead's")
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder {
		return other.decide(a, "revocation", a.Version, "reason", "sanctions")
	})
	require.Contains(t, other.Part(path(a, "grant")).Body.String(), why, "the sheet says what is agreed to")
	leads(t, other.decide(a, "grant", a.Version), fmt.Sprintf("/admin/identity/%d?done=%d&did=grant", waits.ID, a.ID))
	a = b.now(a.ID)
	require.Equal(t, 2, a.Level)
	require.NotContains(t, other.Get("/admin/identity").Body.String(), a.Number())

	a = lead.claimed(a)
	page = lead.Get(path(a)).Body.String()
	require.Contains(t, page, "Level 2")
	require.Contains(t, page, "Granted by")
	require.NotContains(t, page, "Request level 2…")
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return other.decide(a, "lowering", a.Version, "note", why) })
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return lead.decide(a, "lowering", a.Version) })
	require.Equal(t, http.StatusNoContent, lead.decide(a, "lowering", a.Version, "note", why).Code)
	a = b.now(a.ID)
	require.Equal(t, 1, a.Level)
	require.Equal(t, []string{"lower_level", "approve_level", "request_level"}, acted(b.actions(a.ID), "lower_level", "approve_level", "request_level"))
	page = b.seat("Auditor 01", access.Auditor).Get(path(a)).Body.String()
	for _, text := range []string{"Compliance lead 01 requested level 2", "Compliance reviewer 05 granted level 2", "Compliance lead 01 removed level 2"} {
		require.Contains(t, page, text)
	}
}

// acted filters a list of actions to the wanted ones, in order.
func acted(list []string, wanted ...string) (out []string) {
	for _, one := range list {
		for _, want := range wanted {
			if one == want {
				out = append(out, one)
			}
		}
	}
	return out
}

func TestALevelIsDeclined(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer, lead := b.reviewer("Compliance reviewer 04"), b.lead("Compliance lead 01")
	a := lead.claimed(b.approved(reviewer))
	require.Equal(t, http.StatusNoContent, lead.decide(a, "level", a.Version, "note", why).Code)
	a = reviewer.claimed(b.now(a.ID))
	b.unchanged(a, http.StatusUnprocessableEntity, func() *httptest.ResponseRecorder { return reviewer.decide(a, "declination", a.Version) })
	stale := a.Version - 1
	b.unchanged(a, http.StatusConflict, func() *httptest.ResponseRecorder { return reviewer.decide(a, "declination", stale, "note", why) })
	leads(t, reviewer.decide(a, "declination", a.Version, "note", "The letter is a year old."), fmt.Sprintf("/admin/identity?done=%d&did=declination", a.ID))
	a = b.now(a.ID)
	require.Equal(t, []any{1, false}, []any{a.Level, a.LevelAsked()})
	require.Contains(t, lead.Get(path(a)).Body.String(), "The letter is a year old.")
	require.Equal(t, http.StatusOK, lead.Get(fmt.Sprintf("/admin/identity?done=%d&did=made_up", a.ID)).Code)

	// The lead withdraws an undecided request.
	a = lead.claimed(a)
	require.Equal(t, http.StatusNoContent, lead.decide(a, "level", a.Version, "note", why).Code)
	a = lead.claimed(b.now(a.ID))
	require.Equal(t, http.StatusNoContent, lead.decide(a, "declination", a.Version, "note", "Asked for too early.").Code)
	require.False(t, b.now(a.ID).LevelAsked())
}

// TestWhoAsksForALevelDoesNotGrantIt gives one person both roles, which no grant allows: the desk must still refuse.
func TestWhoAsksForALevelDoesNotGrantIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	both := b.seat("Compliance 09", access.ComplianceReviewer, access.ComplianceLead)
	a := both.claimed(b.approved(b.reviewer("Compliance reviewer 04")))
	require.Equal(t, http.StatusNoContent, both.decide(a, "level", a.Version, "note", why).Code)
	a = both.claimed(b.now(a.ID))
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return both.decide(a, "grant", a.Version) })
	require.Contains(t, both.Get(path(a)).Body.String(), "You made the first decision")
}
