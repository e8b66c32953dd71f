package api

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/admission"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// TestAPanicIsAnsweredOnTheOuterResponse: the recovering middleware must not write into a buffered body that is never sent.
func TestAPanicIsAnsweredOnTheOuterResponse(t *testing.T) {
	t.Parallel()
	e := echo.New()
	c := e.NewContext(httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder())
	outer := c.Response()
	c.SetResponse(&buffered{ResponseWriter: outer, header: http.Header{}})
	require.Panics(t, func() { _ = runAndRestore(c, func(*echo.Context) error { panic("a defect") }, outer) })
	require.Same(t, outer, c.Response())
}

// TestBareStatusSaysTryAgain: without an envelope a refusal is a status, and any other error goes to the logging middleware.
func TestBareStatusSaysTryAgain(t *testing.T) {
	t.Parallel()
	srv := New(Services{}, Config{}, clock.Real{})
	away := errors.New("away")
	for status, err := range map[int]error{
		http.StatusServiceUnavailable: admission.ErrBusy, http.StatusTooManyRequests: admission.ErrOften, http.StatusBadRequest: errs.New(errs.Invalid, "body_not_json"),
	} {
		answer := httptest.NewRecorder()
		c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/", nil), answer)
		require.NoError(t, srv.bareStatus(func(*echo.Context) error { return err })(c))
		require.Equal(t, status, answer.Code)
	}
	c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder())
	require.ErrorIs(t, srv.bareStatus(func(*echo.Context) error { return away })(c), away)
}

// TestStrangersFilesTakeNoPlaceOfATraders: when strangers occupy all of their file slots, a trader's file still passes.
func TestStrangersFilesTakeNoPlaceOfATraders(t *testing.T) {
	t.Parallel()
	l := newLimiters(time.Now)
	for n := range fileLimits.Total {
		_, err := l.of(chatUpload, db.Strangers).Enter(t.Context(), fmt.Sprint("stranger ", n))
		require.NoError(t, err)
	}
	running, _ := l.of(chatUpload, db.Strangers).UnderWay()
	require.Equal(t, fileLimits.Total, running)
	for _, path := range []string{chatUpload, "/client/common/uploadFileImg", "/client/trade/insertOrder"} {
		leave, err := l.of(path, db.Traders).Enter(t.Context(), "10000001")
		require.NoError(t, err)
		leave()
	}
	leave, err := l.of("/client/user/login", db.Strangers).Enter(t.Context(), "stranger")
	require.NoError(t, err)
	leave()
}

const chatUpload = "/kefu/kefuApi/upload"

// TestOrdersWaitForNothingElse: traders who occupy all other slots delay no order.
func TestOrdersWaitForNothingElse(t *testing.T) {
	t.Parallel()
	l := newLimiters(time.Now)
	for n := range traderLimits.Total {
		_, err := l.of("/client/withdraw/insertBankWithdraw", db.Traders).Enter(t.Context(), fmt.Sprint("attacker ", n))
		require.NoError(t, err)
	}
	for _, call := range []string{"/client/trade/insertOrder", "/client/trade/findPositionList"} {
		leave, err := l.of(call, db.Traders).Enter(t.Context(), "10000001")
		require.NoError(t, err)
		leave()
	}
}

// TestVisitorsWhoRenameThemselvesShareARate: each visitor of an office has a rate, and all ids of one source share another.
func TestVisitorsWhoRenameThemselvesShareARate(t *testing.T) {
	t.Parallel()
	const call = "/kefu/kefuApi/findMessageList"
	now := time.Now()
	l := newLimiters(func() time.Time { return now })
	ask := func(source, visitor string) error {
		q := httptest.NewRequest(http.MethodGet, call, nil)
		q.Header.Set("visitor", visitor)
		c := echo.New().NewContext(q, httptest.NewRecorder())
		c.SetPath(call)
		return l.countRate(c, source, db.Strangers)
	}
	for range perMinute[call] {
		require.NoError(t, ask("office", "ann"))
	}
	require.ErrorIs(t, ask("office", "ann"), admission.ErrOften)
	require.NoError(t, ask("office", "ben"))
	for n := range sourceRateFactor * perMinute[call] {
		require.NoError(t, ask("attacker", fmt.Sprint("name ", n)))
	}
	require.ErrorIs(t, ask("attacker", "another name"), admission.ErrOften)
	require.NoError(t, ask("elsewhere", "another name"))
}

// TestAnswersThatNobodyReadsHaveABudget: a caller has a share of the memory for long lists that are being sent; short ones and writes always pass.
func TestAnswersThatNobodyReadsHaveABudget(t *testing.T) {
	t.Parallel()
	l := newLimiters(time.Now)
	send := func(method, caller string, bytes int) error {
		answer := &buffered{ResponseWriter: httptest.NewRecorder(), header: http.Header{}, status: http.StatusOK}
		answer.body.WriteString(strings.Repeat("x", bytes))
		return l.send(answer, method, db.Traders, caller)
	}
	release, err := l.answers[db.Traders].Take("slow reader", answerBudget/8)
	require.NoError(t, err)
	require.ErrorIs(t, send(http.MethodGet, "slow reader", smallAnswer+1), admission.ErrBusy)
	require.NoError(t, send(http.MethodPost, "slow reader", smallAnswer+1))
	require.NoError(t, send(http.MethodGet, "slow reader", smallAnswer))
	require.NoError(t, send(http.MethodGet, "another", smallAnswer+1))
	release()
	for range 10 {
		require.NoError(t, send(http.MethodGet, "slow reader", answerBudget/8), "what was sent is given back")
	}
	for n := range 8 {
		_, err := l.answers[db.Strangers].Take(fmt.Sprint("stranger ", n), answerBudget/8)
		require.NoError(t, err)
	}
	require.NoError(t, send(http.MethodGet, "trader", smallAnswer+1), "strangers take nothing of traders")
}

// stalled is a client that reads nothing until it is released.
type stalled struct {
	*httptest.ResponseRecorder
	started chan struct{}
	release chan struct{}
}

func (s stalled) Write(part []byte) (int, error) {
	close(s.started)
	<-s.release
	return s.ResponseRecorder.Write(part)
}

// TestALargePictureIsAnswered: a picture larger than a share passes, one at a time, and the total never exceeds the budget.
func TestALargePictureIsAnswered(t *testing.T) {
	t.Parallel()
	l := newLimiters(time.Now)
	send := func(w http.ResponseWriter, caller string, bytes int) error {
		answer := &buffered{ResponseWriter: w, header: http.Header{}, status: http.StatusOK}
		answer.body.Write(make([]byte, bytes))
		return l.send(answer, http.MethodGet, db.Traders, caller)
	}
	const picture = answerBudget/8 + 1
	slow, sent := stalled{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}, make(chan error, 1)
	go func() { sent <- send(slow, "owner", answerBudget-picture) }()
	select {
	case <-slow.started:
	case err := <-sent:
		require.NoError(t, err, "it is being sent")
	}
	require.ErrorIs(t, send(httptest.NewRecorder(), "owner", smallAnswer+1), admission.ErrBusy, "one at a time")
	require.ErrorIs(t, send(httptest.NewRecorder(), "another", picture+1), admission.ErrBusy, "more than is left")
	require.NoError(t, send(httptest.NewRecorder(), "another", picture))
	close(slow.release)
	require.NoError(t, <-sent)
	require.NoError(t, send(httptest.NewRecorder(), "owner", picture))
}

// TestARefusalHasNoHeadersOfTheAnswer: a refused picture must not be cached for a year.
func TestARefusalHasNoHeadersOfTheAnswer(t *testing.T) {
	t.Parallel()
	l := newLimiters(time.Now)
	outer := httptest.NewRecorder()
	outer.Header().Set("X-Frame-Options", "DENY")
	kept := buffer(outer)
	kept.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, err := kept.Write(make([]byte, smallAnswer+1))
	require.NoError(t, err)
	release, err := l.answers[db.Strangers].Take("reader", answerBudget/8)
	require.NoError(t, err)
	require.ErrorIs(t, l.send(kept, http.MethodGet, db.Strangers, "reader"), admission.ErrBusy)
	require.Equal(t, http.Header{"X-Frame-Options": {"DENY"}}, outer.Header())
	release()
	require.NoError(t, l.send(kept, http.MethodGet, db.Strangers, "reader"))
	require.Equal(t, http.Header{"X-Frame-Options": {"DENY"}, "Cache-Control": {"public, max-age=31536000, immutable"}}, outer.Header())
}

// TestPasswordsKeepNobodyElseWaiting: while log-ins occupy all of their slots, public calls and provider events pass.
func TestPasswordsKeepNobodyElseWaiting(t *testing.T) {
	t.Parallel()
	l := newLimiters(time.Now)
	for n := range strangerLimits.Total {
		_, err := l.of("/client/user/login", db.Strangers).Enter(t.Context(), fmt.Sprint("source ", n))
		require.NoError(t, err)
	}
	running, _ := l.of("/client/user/login", db.Strangers).UnderWay()
	require.Equal(t, strangerLimits.Total, running)
	for _, path := range []string{"/client/api/findProductList", "/provider/:provider/events"} {
		for n := range strangerLimits.Total {
			leave, err := l.of(path, db.Strangers).Enter(t.Context(), fmt.Sprint("source ", n))
			require.NoError(t, err)
			defer leave()
		}
	}
}

// TestGuestsAreStrangers: a source that opens mock accounts gets no more slots.
func TestGuestsAreStrangers(t *testing.T) {
	t.Parallel()
	srv := &Server{}
	for accountType, lane := range map[int]db.Lane{1: db.Traders, 5: db.Traders, 8: db.Strangers} {
		r := httptest.NewRequest(http.MethodGet, "/", nil) // from 192.0.2.1
		c := echo.New().NewContext(r, httptest.NewRecorder())
		c.Set(principalKey, session.Principal{TraderID: 10000001, AccountType: accountType})
		got, caller := srv.callerOf(c)
		require.Equal(t, lane, got)
		require.Equal(t, map[db.Lane]string{db.Traders: "10000001", db.Strangers: "192.0.2.1"}[lane], caller)
	}
}
