package kycdesk_test

import (
	"bytes"
	"fmt"
	"html"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/kyc"
)

func TestQueue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.waiting()
	b.Clock.Advance(5 * time.Hour)
	reviewer := b.reviewer("Compliance reviewer 04")
	second := b.risky()
	third := b.filled(b.trader("DE"), "id_card")
	_, err := b.kyc.Claim(t.Context(), actor(reviewer), third.ID)
	require.NoError(t, err)

	page := reviewer.Get("/admin/identity").Body.String()
	order := []int{strings.Index(page, first.Number()), strings.Index(page, second.Number()), strings.Index(page, third.Number())}
	require.IsIncreasing(t, order, "the longest waiting first")
	require.Positive(t, order[0])
	require.Contains(t, page, `title="Document country differs from registration"`)
	require.Contains(t, page, "Medium, 1")
	require.Contains(t, page, "Compliance reviewer 04, until")
	require.NotContains(t, page, "Erika", "nothing that a trader typed is in the queue")

	for query, want := range map[string][]kyc.Application{
		"age=4": {first}, "risk=some": {second}, "risk=high": {}, "risk=none": {first, third}, "type=id_card": {third}, "state=in_review": {third}, "country=FR": {}, "country=DE": {first, second, third},
		"attempt=2": {}, "attempt=1&risk=some": {second}, "state=approved": {first, second, third}, "country=';--": {first, second, third},
	} {
		page := reviewer.Get("/admin/identity?" + query).Body.String()
		for _, a := range []kyc.Application{first, second, third} {
			found := false
			for _, one := range want {
				found = found || one.ID == a.ID
			}
			require.Equal(t, found, strings.Contains(page, a.Number()), "%s %s", query, a.Number())
		}
	}
	page = reviewer.Get("/admin/identity?order=risk").Body.String()
	require.Less(t, strings.Index(page, second.Number()), strings.Index(page, first.Number()), "a hint comes before no hint")
	require.Contains(t, reviewer.Get("/admin/identity?risk=some").Body.String(), fmt.Sprintf(`/admin/identity/%d?risk=some`, second.ID), "a case keeps the part of the queue")
	beyond := reviewer.Get(fmt.Sprintf("/admin/identity?after=%d.%d", first.SubmittedAt.UnixMicro(), first.ID)).Body.String()
	require.NotContains(t, beyond, first.Number())
	require.Contains(t, beyond, second.Number())
}

// TestDecidedCasesAreListed lists what was decided, the last first, what awaits the trader, and what the member has claimed.
func TestDecidedCasesAreListed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewer := b.reviewer("Compliance reviewer 04")
	first := b.approved(reviewer)
	b.Clock.Advance(time.Minute)
	second, asked, claimed, waiting := b.approved(reviewer), b.waiting(), b.waiting(), b.waiting()
	reviewer.claimed(asked)
	require.Equal(t, http.StatusNoContent, reviewer.decide(asked, "question", b.now(asked.ID).Version, "front", "glare").Code)
	reviewer.claimed(claimed)
	all := []kyc.Application{first, second, asked, claimed, waiting}
	for tab, want := range map[string][]kyc.Application{"": {claimed, waiting}, "mine": {claimed}, "asked": {asked}, "approved": {first, second}, "rejected": {}, "x": {claimed, waiting}} {
		page := reviewer.Get("/admin/identity?tab=" + tab).Body.String()
		for _, a := range all {
			listed := slices.ContainsFunc(want, func(one kyc.Application) bool { return one.ID == a.ID })
			require.Equal(t, listed, strings.Contains(page, ">"+a.Number()+"<"), "%s %s", tab, a.Number())
		}
	}
	today, tomorrow := b.Clock.Now().Format(time.DateOnly), b.Clock.Now().AddDate(0, 0, 1).Format(time.DateOnly)
	require.Contains(t, reviewer.Get("/admin/identity?tab=approved&from="+today+"&to="+today).Body.String(), ">"+first.Number()+"<")
	require.NotContains(t, reviewer.Get("/admin/identity?tab=approved&from="+tomorrow).Body.String(), ">"+first.Number()+"<")
	b.Clock.Advance(8 * 24 * time.Hour)
	reviewer = b.reviewer("Compliance reviewer 06") // the first one's session is over
	require.Contains(t, reviewer.Get("/admin/identity?tab=asked&silence=7").Body.String(), ">"+asked.Number()+"<")
	require.Contains(t, reviewer.Get("/admin/identity?tab=asked").Body.String(), "without an answer")
	require.NotContains(t, reviewer.Get("/admin/identity?tab=asked&silence=14").Body.String(), ">"+asked.Number()+"<")
	page := reviewer.Get("/admin/identity?tab=approved").Body.String()
	require.Less(t, strings.Index(page, second.Number()), strings.Index(page, first.Number()), "the last decided first")
	page = b.reviewer("Compliance reviewer 05").Get("/admin/identity?tab=mine").Body.String()
	require.NotContains(t, page, claimed.Number(), "claimed by another member")
}

func TestACaseIsShownToWhoeverHoldsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.waiting()
	reviewer, auditor := b.reviewer("Compliance reviewer 04"), b.seat("Auditor 01", access.Auditor)
	hidden := func(s seat, why string) {
		t.Helper()
		page := s.Get(path(a))
		require.Equal(t, http.StatusOK, page.Code)
		for _, secret := range []string{"Erika", "C01X", "1990-05-17", "<img"} {
			require.NotContains(t, page.Body.String(), secret, why)
		}
	}
	hidden(reviewer, "nobody has claimed it")
	hidden(auditor, "an auditor looks without pictures")
	reviewer.claimed(a)
	page := reviewer.Get(path(a)).Body.String()
	for _, shown := range []string{"Erika", "C01X", "1990-05-17", "<img", "Watermarked", "You claimed it"} {
		require.Contains(t, page, shown)
	}
	require.NotContains(t, page, "download")
	hidden(b.reviewer("Compliance reviewer 05"), "somebody else has it")
	hidden(auditor, "an auditor looks without pictures")
	b.Clock.Advance(16 * time.Minute)
	reviewer = seat{b.SignInAs(t, reviewer.Person), b}
	hidden(reviewer, "the claim is over")
	require.Equal(t, http.StatusNotFound, reviewer.Get("/admin/identity/999999").Code)
}

func TestACaseTellsWhatNobodyScreenedAndEachPictureThatCame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.filled(b.trader("DE"), "id_card")
	page := b.reviewer("Compliance reviewer 04").Get(path(a)).Body.String()
	require.Regexp(t, `(?s)class="muted">\s*<svg[^>]*>.{0,200}</svg>\s*</span>\s*<div>\s*Sanctions: not screened\s*<div class="muted">No screening provider is set up. This is not a pass.`, page)
	for _, came := range []string{"Trader uploaded the front", "Trader uploaded the back", "Trader uploaded a selfie"} {
		require.Equal(t, 1, strings.Count(page, came), came)
	}
	require.Equal(t, 1, strings.Count(page, "Trader saved data"), "what is saved again and again is told once")
}

func TestCountriesAreChosenByName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	dialog := b.reviewer("Compliance reviewer 04").Part("/admin/identity/filter").Body.String()
	_, choices, found := strings.Cut(dialog, `name="country"`)
	require.True(t, found)
	choices, _, _ = strings.Cut(choices, "</select>")
	var names []string
	for _, match := range regexp.MustCompile(`>([^<]+)</option>`).FindAllStringSubmatch(choices, -1) {
		names = append(names, match[1])
	}
	require.Greater(t, len(names), 100)
	require.IsIncreasing(t, names[1:], "the first narrows nothing")
}

func TestSupportSeesNoCases(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.waiting()
	for _, role := range []access.Role{access.SupportAgent, access.FinanceLead, access.SuperAdmin} {
		s := b.seat(string(role), role)
		require.Equal(t, http.StatusForbidden, s.Get("/admin/identity").Code, role)
		require.Equal(t, http.StatusForbidden, s.Get(path(a)).Code, role)
		b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return s.claim(a) })
	}
	auditor := b.seat("Auditor 01", access.Auditor)
	require.Equal(t, http.StatusOK, auditor.Get("/admin/identity").Code)
	b.unchanged(a, http.StatusForbidden, func() *httptest.ResponseRecorder { return auditor.claim(a) })
}

// get fetches a picture as a page does.
func (s seat) get(address, dest string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, address, nil)
	if dest != "" {
		r.Header.Set("Sec-Fetch-Dest", dest)
	}
	return s.Do(r)
}

func TestPictures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.waiting(), b.waiting()
	reviewer, second := b.reviewer("Compliance reviewer 04"), b.reviewer("Compliance reviewer 05")
	reviewer.claimed(a)
	images := reviewer.images(a)
	require.Len(t, images, 2)
	require.Zero(t, b.count(`SELECT count(*) FROM kyc_views`), "the page alone is no look")

	answer := reviewer.get(images[0], "image")
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.Equal(t, "image/jpeg", answer.Header().Get("Content-Type"))
	require.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
	require.Equal(t, "nosniff", answer.Header().Get("X-Content-Type-Options"))
	require.Equal(t, fmt.Sprintf(`attachment; filename="ID-%d.jpg"`, a.ID), answer.Header().Get("Content-Disposition"))
	require.Equal(t, "default-src 'none'; sandbox", answer.Header().Get("Content-Security-Policy"))
	marked, err := jpeg.Decode(bytes.NewReader(answer.Body.Bytes()))
	require.NoError(t, err)
	require.Equal(t, 640, marked.Bounds().Dx())
	require.Equal(t, int64(1), b.count(`SELECT count(*) FROM kyc_views WHERE staff_id = $1`, reviewer.Person.ID))
	require.Contains(t, b.actions(a.ID), "view")

	refused := func(s seat, address, dest, why string) {
		t.Helper()
		before := b.count(`SELECT count(*) FROM kyc_views`)
		answer := s.get(address, dest)
		require.NotEqual(t, http.StatusOK, answer.Code, why)
		require.NotEqual(t, "image/jpeg", answer.Header().Get("Content-Type"), why)
		require.Equal(t, before, b.count(`SELECT count(*) FROM kyc_views`), why)
	}
	refused(reviewer, images[0], "document", "a picture is no page")
	refused(second, images[0], "image", "somebody else's right")
	cut := strings.LastIndex(images[0], "/")
	refused(reviewer, images[0][:cut]+"/0.AAAA", "image", "a right that nobody gave")
	right := images[0][cut+1:]
	refused(reviewer, images[0][:cut+1]+"9"+right[1:], "image", "a right for longer than was given")
	refused(reviewer, fmt.Sprintf("%s/pictures/%d/%s", path(a), b.documents(a.ID)[1].ID, right), "image", "the right of another picture")
	refused(reviewer, fmt.Sprintf("%s/pictures/%d/%s", path(other), b.documents(a.ID)[0].ID, right), "image", "the right of another case")
	refused(reviewer, fmt.Sprintf("%s/pictures/%d/%s", path(other), b.documents(other.ID)[0].ID, right), "image", "a picture of another case")

	b.Clock.Advance(time.Minute)
	refused(reviewer, images[1], "image", "the minute is over")
	images = reviewer.images(a)
	require.Equal(t, http.StatusOK, reviewer.get(images[1], "image").Code, "a fresh page has a fresh right")
	require.Equal(t, http.StatusNoContent, reviewer.release(a).Code)
	refused(reviewer, images[1], "image", "a right without the claim")
	second.claimed(a)
	refused(reviewer, images[1], "image", "somebody else has claimed it meanwhile")
}

func TestTheWatermarkCoversThePicture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.waiting()
	reviewer := b.reviewer("Jörg Rößler")
	reviewer.claimed(a)
	answer := reviewer.get(reviewer.images(a)[0], "")
	require.Equal(t, http.StatusOK, answer.Code)
	marked, err := jpeg.Decode(bytes.NewReader(answer.Body.Bytes()))
	require.NoError(t, err)
	// The right half of the picture is one grey; the watermark covers part of each of its quarters.
	for y := 0; y < 400; y += 100 {
		ink := 0
		for dy := range 100 {
			for x := 340; x < 640; x++ {
				if r, _, _, _ := marked.At(x, y+dy).RGBA(); r>>8 < 165 || r>>8 > 195 {
					ink++
				}
			}
		}
		require.Greater(t, ink, 300, "rows from %d", y)
	}
}

var later = regexp.MustCompile(`<img data-look="([^"]+/pictures/[^"]+)"`)

// windowPictures are the addresses of the pictures in a case's second window, and how long they may be shown.
func (s seat) windowPictures(a kyc.Application) (list []string, seconds string) {
	s.b.Helper()
	page := s.Get(path(a, "window"))
	require.Equal(s.b, http.StatusOK, page.Code)
	body := page.Body.String()
	require.NotContains(s.b, body, "<img src", "a picture is fetched when it comes to the front")
	require.NotContains(s.b, body, "download")
	for _, secret := range []string{"Erika", "C01X", "1990-05-17"} {
		require.NotContains(s.b, body, secret, "pictures alone")
	}
	for _, match := range later.FindAllStringSubmatch(body, -1) {
		list = append(list, html.UnescapeString(match[1]))
	}
	return list, regexp.MustCompile(`data-seconds="(\d+)"`).FindStringSubmatch(body)[1]
}

func TestTheSecondWindow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.waiting(), b.waiting()
	reviewer, second := b.reviewer("Compliance reviewer 04"), b.reviewer("Compliance reviewer 05")
	nothing := func(s seat, why, words string) {
		t.Helper()
		list, seconds := s.windowPictures(a)
		require.Empty(t, list, why)
		require.Equal(t, "0", seconds, why)
		body := s.Get(path(a, "window")).Body.String()
		require.Contains(t, body, words, why)
		require.Contains(t, body, "data-covered", why)
		require.NotContains(t, s.Get(path(a)).Body.String(), "data-second", why)
	}
	nothing(reviewer, "nobody has claimed it", "Claim the case")

	reviewer.claimed(a)
	nothing(second, "somebody else has claimed it", "Claim the case")
	require.Contains(t, reviewer.Get(path(a)).Body.String(), fmt.Sprintf(`data-second="%s"`, path(a, "window")))
	list, seconds := reviewer.windowPictures(a)
	require.Len(t, list, 2)
	require.Equal(t, "60", seconds)
	require.NotContains(t, reviewer.Get(path(a, "window")).Body.String(), "data-covered")
	require.Zero(t, b.count(`SELECT count(*) FROM kyc_views`), "the page alone is no look")
	require.Equal(t, http.StatusOK, reviewer.get(list[0], "image").Code)
	require.Equal(t, int64(1), b.count(`SELECT count(*) FROM kyc_views WHERE staff_id = $1`, reviewer.Person.ID))
	require.Contains(t, b.actions(a.ID), "view")
	require.NotEqual(t, http.StatusOK, second.get(list[0], "image").Code, "somebody else's right")

	b.Clock.Advance(time.Minute)
	require.NotEqual(t, http.StatusOK, reviewer.get(list[1], "image").Code, "the minute is over")
	list, _ = reviewer.windowPictures(a)
	require.Equal(t, http.StatusOK, reviewer.get(list[1], "image").Code, "the page anew has a fresh right")
	require.Equal(t, int64(2), b.count(`SELECT count(*) FROM kyc_views`), "each look is written down")

	b.Clock.Set(b.now(a.ID).ClaimedUntil.Add(-20 * time.Second))
	reviewer = seat{b.SignInAs(t, reviewer.Person), b}
	list, seconds = reviewer.windowPictures(a)
	require.Len(t, list, 2)
	require.Equal(t, "20", seconds, "no longer than the claim")
	require.Equal(t, http.StatusNoContent, reviewer.release(a).Code)
	nothing(reviewer, "it was given back", "Claim the case")
	require.NotEqual(t, http.StatusOK, reviewer.get(list[0], "image").Code, "a right without the claim")

	a = reviewer.claimed(a)
	b.Clock.Advance(16 * time.Minute)
	reviewer = seat{b.SignInAs(t, reviewer.Person), b}
	nothing(reviewer, "the claim is over", "Claim the case")
	a = reviewer.claimed(a)
	require.Equal(t, http.StatusNoContent, reviewer.decide(a, "question", a.Version, "selfie", "face_hidden").Code)
	nothing(reviewer, "it is decided", "This case is decided")

	next := reviewer.Get(fmt.Sprintf("%s?done=%d", path(other, "window"), a.ID)).Body.String()
	require.Contains(t, next, a.Number()+": resubmission requested", "what was done is told where the next case stands")
	require.Equal(t, http.StatusNotFound, reviewer.Get("/admin/identity/999999/window").Code)
}

func TestTheSecondWindowTakesTheRightToPictures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.waiting()
	for _, role := range []access.Role{access.SupportAgent, access.FinanceLead, access.SuperAdmin, access.Auditor} {
		require.Equal(t, http.StatusForbidden, b.seat(string(role), role).Get(path(a, "window")).Code, role)
	}
	require.Equal(t, http.StatusOK, b.reviewer("Compliance reviewer 04").Get(path(a, "window")).Code)
	require.Equal(t, http.StatusOK, b.lead("Compliance lead 01").Get(path(a, "window")).Code)
}
