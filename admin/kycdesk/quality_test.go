package kycdesk_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/kyc"
)

const qualityPage = "/admin/identity/quality"

// drawn draws everything of the week and returns the address of the newest sample.
func (s seat) drawn() string {
	s.b.Helper()
	answer := s.Send(qualityPage+"/draw", url.Values{"share": {"100"}, "week": {kyc.Monday(s.b.Clock.Now()).Format(time.DateOnly)}})
	require.Equal(s.b, http.StatusNoContent, answer.Code, answer.Body.String())
	list, err := s.b.kyc.Samples(s.b.Context(), false, 1)
	require.NoError(s.b, err)
	return fmt.Sprint(qualityPage, "/", list[0].ID)
}

// TestQuality draws a sample, reviews it blind, and shows the agreement afterwards.
func TestQuality(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer, lead := b.reviewer("Compliance reviewer 04"), b.lead("Compliance lead 01")
	a := b.approved(reviewer)
	require.Contains(t, lead.Get("/admin/identity").Body.String(), `href="`+qualityPage+`"`)
	require.Contains(t, lead.Part(qualityPage+"/draw").Body.String(), "Share, %")
	for field, form := range map[string]url.Values{
		"share": {"share": {"0"}, "week": {kyc.Monday(b.Clock.Now()).Format(time.DateOnly)}}, "week": {"share": {"10"}, "week": {"yesterday"}},
	} {
		answer := lead.Send(qualityPage+"/draw", form)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
		require.Contains(t, answer.Body.String(), `id="`+field+`-error"`)
	}
	sample := lead.drawn()
	page := lead.Get(qualityPage).Body.String()
	require.Contains(t, page, `href="`+sample+`"`)
	require.Contains(t, page, "Compliance reviewer 04", "in the table of the reviewers")
	require.NotContains(t, page, a.Number(), "the case is not named before it is reviewed")

	blind := lead.Get(sample).Body.String()
	require.Contains(t, blind, "Erika Muster")
	require.Contains(t, blind, "Blind review")
	for _, not := range []string{"Compliance reviewer 04", a.Number(), "Accepted", "approved"} {
		require.NotContains(t, blind, not)
	}
	images := fetched.FindAllStringSubmatch(blind, -1)
	require.Len(t, images, 2)
	address := html.UnescapeString(images[0][1])
	require.Equal(t, http.StatusOK, lead.get(address, "image").Code)
	require.NotEqual(t, http.StatusOK, lead.get(address[:strings.LastIndex(address, "/")]+"/0.AAAA", "image").Code)
	require.NotEqual(t, http.StatusOK, reviewer.get(address, "image").Code)

	require.Contains(t, lead.Part(sample+"/verdict").Body.String(), "How would you decide?")
	require.Equal(t, http.StatusUnprocessableEntity, lead.Send(sample+"/verdict", url.Values{"outcome": {"perhaps"}}).Code)
	done := lead.Send(sample+"/verdict", url.Values{"outcome": {"asked"}, "note": {"The selfie is dark"}})
	require.Equal(t, http.StatusNoContent, done.Code, done.Body.String())
	page = lead.Get(done.Header().Get("HX-Redirect")).Body.String()
	for _, want := range []string{"you differ. The first review ended with: Approved.", a.Number(), "0%", "The selfie is dark", "Differs"} {
		require.Contains(t, page, want)
	}
	require.Equal(t, http.StatusConflict, lead.Send(sample+"/verdict", url.Values{"outcome": {"approved"}}).Code, "once")
	require.Equal(t, http.StatusConflict, lead.Get(sample).Code)
	require.Contains(t, lead.Get(qualityPage+"?drawn=0").Body.String(), "Nothing left to draw")
	require.Equal(t, kyc.Approved, b.now(a.ID).State)
}

// TestWhoReadsTheQuality: the auditor reads the rates, and only a lead draws and reviews.
func TestWhoReadsTheQuality(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer, lead, auditor := b.reviewer("Compliance reviewer 04"), b.lead("Compliance lead 01"), b.seat("Auditor 01", access.Auditor)
	b.approved(reviewer)
	sample := lead.drawn()
	page := auditor.Get(qualityPage)
	require.Equal(t, http.StatusOK, page.Code)
	require.Contains(t, page.Body.String(), "Compliance reviewer 04")
	require.NotContains(t, page.Body.String(), `href="`+sample+`"`)
	for _, who := range []seat{auditor, reviewer} {
		require.Equal(t, http.StatusForbidden, who.Get(sample).Code)
		require.Equal(t, http.StatusForbidden, who.Send(qualityPage+"/draw", nil).Code)
		require.Equal(t, http.StatusForbidden, who.Send(sample+"/verdict", url.Values{"outcome": {"approved"}}).Code)
	}
	require.Equal(t, http.StatusForbidden, reviewer.Get(qualityPage).Code)
	require.NotContains(t, reviewer.Get("/admin/identity").Body.String(), qualityPage)
	require.Equal(t, http.StatusNotFound, lead.Get(qualityPage+"/999").Code)
}
