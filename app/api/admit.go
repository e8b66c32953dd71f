package api

import (
	"bytes"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/platform/admission"
	"candor/app/platform/clientip"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/netlimit"
	"candor/app/provider"
	"candor/app/session"
)

// Limits on concurrent requests: of one trader, of one source without a session, and in total. A source may be an office or the customers of a carrier.
// Trading has slots of its own, so that an order never waits behind a password hash. Files have slots of their own, because their callers decide how long
// they take. Each waiting request costs about 60 kB.
var (
	tradingLimits  = admission.Limits{Running: 4, Waiting: 60, Total: 64, Crowd: 2048, Patience: 10 * time.Second}
	traderLimits   = admission.Limits{Running: 4, Waiting: 60, Total: 96, Crowd: 2048, Patience: 10 * time.Second}
	strangerLimits = admission.Limits{Running: 24, Waiting: 2048, Total: 48, Crowd: 2048, Patience: 15 * time.Second}
	fileLimits     = admission.Limits{Running: 3, Waiting: 3, Total: 512, Crowd: 512, Patience: 5 * time.Second} // of traders; strangers have as many of their own
)

// perMinute limits how often one caller may make a call in a minute: each of these stores a row or reads many.
var perMinute = map[string]int{
	"/client/user/createLoginCode": 20, "/client/copy/switchUser": 60, "/client/user/renameAccount": 60, "/client/user/setAccountLeverage": 60, "/client/wallet/findNewWalletExchange": 240,
	"/kefu/kefuApi/findConfig": 300, "/kefu/kefuApi/findMessageList": 300, "/kefu/kefuApi/findEarlierList": 300, "/kefu/kefuApi/findUserReadCount": 300, "/kefu/kefuApi/findImage": 300,
}

// limiters are the server's admission limits.
type limiters struct {
	trading, traders, strangers, passwords, events, files, strangersFiles *admission.Limiter

	bodies  map[db.Lane]*admission.Bodies
	answers map[db.Lane]*admission.Budget
	rates   map[string]callRates // by call
}

// callRates are the rates of one call: per caller, and for all visitors of a source together.
type callRates struct{ caller, source *admission.Rate }

// sourceRateFactor is the rate of a source as a multiple of one visitor's rate: visitors choose their own ids.
const sourceRateFactor = 20

func newLimiters(now func() time.Time) limiters {
	rates := map[string]callRates{}
	for call, n := range perMinute {
		rates[call] = callRates{caller: admission.NewRate(n, now), source: admission.NewRate(n*sourceRateFactor, now)}
	}
	return limiters{
		trading: admission.New(tradingLimits), traders: admission.New(traderLimits), strangers: admission.New(strangerLimits),
		passwords: admission.New(strangerLimits), events: admission.New(strangerLimits), files: admission.New(fileLimits), strangersFiles: admission.New(fileLimits),
		bodies:  map[db.Lane]*admission.Bodies{db.Traders: admission.NewBodies(budgetOf(bodyBudget)), db.Strangers: admission.NewBodies(budgetOf(bodyBudget))},
		answers: map[db.Lane]*admission.Budget{db.Traders: budgetOf(answerBudget), db.Strangers: budgetOf(answerBudget)}, rates: rates,
	}
}

// budgetOf returns a budget of which each caller may take an eighth.
func budgetOf(bytes int64) *admission.Budget { return admission.NewBudget(bytes, bytes/8) }

// passwords lists the calls that wait for the hash of a log-in password; they delay only each other.
var passwords = map[string]bool{
	"/client/user/login": true, "/client/user/sendLoginValidCode": true, "/client/user/register": true, "/client/api/forgetUserPassword": true,
}

// files lists the calls whose request or response is a file.
var files = map[string]bool{
	"/kefu/kefuApi/upload": true, "/client/common/uploadFileImg": true, "/client/userAuth/uploadImage": true, "/client/user/uploadAvatar": true, "/client/user/downloadDataExport": true,
	"/client/wallet/exportLedger": true, "/client/trade/exportHistory": true, "/client/trade/exportFills": true, "/client/trade/exportOrders": true,
}

// Limits on memory in bytes, for traders and strangers each: for incoming bodies above 4 kB, and for outgoing lists above 16 kB.
const (
	bodyBudget   = 12 << 20
	answerBudget = 32 << 20
	smallAnswer  = 16 << 10
)

// receive reads the body before the request takes a slot, so that a slow sender occupies none.
func (srv *Server) receive(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		if files[c.Path()] {
			return next(c)
		}
		lane, caller := db.Strangers, clientip.Source(c.RealIP())
		if admission.IsLarge(c.Request()) {
			lane, caller = srv.callerOf(c)
		}
		resume := netlimit.Waiting(c.Request().Context())
		release, err := srv.limiters.bodies[lane].Receive(c.Response(), c.Request(), caller, maxBody)
		resume()
		if errs.As(err) == nil && err != nil {
			return errs.New(errs.Invalid, "body_not_json")
		}
		if err != nil {
			return err
		}
		defer release()
		return next(c)
	}
}

// admit lets a request pass while its caller is within the limits, and gives it the database connections of its lane. It returns admission.ErrBusy or
// admission.ErrOften.
func (srv *Server) admit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		r := c.Request()
		lane, caller := srv.callerOf(c)
		if err := srv.limiters.countRate(c, caller, lane); err != nil {
			return err
		}
		resume := netlimit.Waiting(r.Context())
		leave, err := srv.limiters.of(c.Path(), lane).Enter(r.Context(), caller)
		resume()
		if err != nil {
			return err
		}
		defer leave()
		c.SetRequest(r.WithContext(db.WithLane(r.Context(), lane)))
		if files[c.Path()] {
			return next(c)
		}
		outer := c.Response()
		kept := buffer(outer)
		c.SetResponse(kept)
		if err := runAndRestore(c, next, outer); err != nil {
			return err
		}
		leave()
		return srv.limiters.send(kept, r.Method, lane, caller)
	}
}

// of returns the limiter of a call in a lane.
func (l limiters) of(path string, lane db.Lane) *admission.Limiter {
	switch file := files[path]; {
	case passwords[path]:
		return l.passwords
	case path == provider.EventPath(":provider"):
		return l.events
	case lane == db.Traders && file:
		return l.files
	case lane == db.Traders && strings.HasPrefix(path, "/client/trade/"):
		return l.trading
	case lane == db.Traders:
		return l.traders
	case file:
		return l.strangersFiles
	}
	return l.strangers
}

// runAndRestore runs the handler and then restores the outer response, also after a panic: the recovering middleware writes there.
func runAndRestore(c *echo.Context, next echo.HandlerFunc, outer http.ResponseWriter) error {
	defer c.SetResponse(outer)
	return next(c)
}

// countRate counts a rate-limited call for its caller, and for a visitor also for the source. It returns admission.ErrOften.
func (l limiters) countRate(c *echo.Context, caller string, lane db.Lane) error {
	rates, limited := l.rates[c.Path()]
	if !limited {
		return nil
	}
	if visitor := visitorOf(c.Request(), lane); visitor != "" {
		if err := rates.source.Take(caller); err != nil {
			return err
		}
		caller += visitor
	}
	return rates.caller.Take(caller)
}

// bareStatus answers a refusal of admit or receive with a bare status, on routes without an envelope.
func (srv *Server) bareStatus(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		err := next(c)
		refusal := errs.As(err)
		if refusal == nil {
			return err
		}
		srv.logRefusal(c, refusal)
		if refusal.Kind == errs.Invalid {
			return c.NoContent(http.StatusBadRequest)
		}
		return c.NoContent(httpStatus(refusal))
	}
}

// visitorOf distinguishes the visitors of one source, which may be an office. A visitor can change the id; the limits of the source still apply.
func visitorOf(r *http.Request, lane db.Lane) string {
	if id := r.Header.Get("visitor"); lane == db.Strangers && len(id) <= 36 {
		return " " + id
	}
	return ""
}

// callerOf returns the lane and caller of a request: a trader, or else a source. Guests are strangers, because one source can open any number of mock
// accounts.
func (srv *Server) callerOf(c *echo.Context) (lane db.Lane, caller string) {
	if p := srv.caller(c); p.TraderID != 0 && !p.Guest() {
		return db.Traders, strconv.FormatInt(p.TraderID, 10)
	}
	return db.Strangers, clientip.Source(c.RealIP())
}

// caller returns the request's principal; zero without a session. On open routes only this reads the token.
func (srv *Server) caller(c *echo.Context) session.Principal {
	if p := principal(c); p.TraderID != 0 {
		return p
	}
	token := c.Request().Header.Get("apptoken")
	if token == "" {
		return session.Principal{}
	}
	p, err := srv.Sessions.Check(c.Request().Context(), token, device(c, ""))
	if err != nil {
		return session.Principal{}
	}
	return p
}

// buffered keeps a handler's response until its request has released its slot, so that a slow reader occupies none.
type buffered struct {
	http.ResponseWriter
	header http.Header // its own: a refusal that replaces the response has none of it
	status int
	body   bytes.Buffer
}

// buffer starts a buffered response with the headers that are set already; its own headers do not reach the writer before it is sent.
func buffer(outer http.ResponseWriter) *buffered {
	return &buffered{ResponseWriter: outer, header: outer.Header().Clone(), status: http.StatusOK}
}

// Header returns the headers of the buffered response.
func (a *buffered) Header() http.Header { return a.header }

// WriteHeader records the status.
func (a *buffered) WriteHeader(status int) { a.status = status }

// Write appends to the body.
func (a *buffered) Write(part []byte) (int, error) { return a.body.Write(part) }

// Unwrap returns the underlying writer.
func (a *buffered) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// send writes a response. A large list must fit into its caller's share of memory, otherwise send returns admission.ErrBusy; a write is always answered. A
// single response, such as a stored picture, may exceed the share. Pictures count here and not as files, of which 512 may be sent at once.
func (l limiters) send(a *buffered, method string, lane db.Lane, caller string) error {
	if method == http.MethodGet && a.body.Len() > smallAnswer {
		release, err := l.answers[lane].TakeOne(caller, int64(a.body.Len()))
		if err != nil {
			return err
		}
		defer release()
	}
	return a.send()
}

// send writes the buffered response.
func (a *buffered) send() error {
	outer := a.ResponseWriter.Header()
	clear(outer)
	maps.Copy(outer, a.header)
	a.ResponseWriter.WriteHeader(a.status)
	if a.body.Len() == 0 {
		return nil
	}
	_, err := a.ResponseWriter.Write(a.body.Bytes())
	return err
}
