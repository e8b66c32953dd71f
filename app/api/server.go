// Package api is the traders' JSON API: it parses the spec's calls, calls a service and wraps the result in the envelope. Only this package knows the wire's
// names.
package api

import (
	"candor/app/wire"
	"context"
	"crypto/ed25519"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/adjustment"
	"candor/app/bonus"
	"candor/app/dataexport"
	"candor/app/deposit"
	"candor/app/drawing"
	"candor/app/invitation"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/notice"
	"candor/app/payee"
	"candor/app/platform/clock"
	"candor/app/platform/i18n"
	"candor/app/platform/refusals"
	"candor/app/platform/upload"
	"candor/app/preference"
	"candor/app/provider"
	"candor/app/score"
	"candor/app/session"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/trader"
	"candor/app/trading/engine"
	"candor/app/trading/proof"
	"candor/app/wallet"
	"candor/app/withdrawal"
)

//go:generate go tool oapi-codegen -config oapi.yaml -o server.gen.go openapi.yaml

// maxBody is the largest JSON body, in bytes; pictures have their own limit.
const maxBody = 64 << 10

// Services are the services behind the API.
type Services struct {
	Market      *market.Service
	Trading     *engine.Service
	Proofs      *proof.Reader
	Traders     *trader.Service
	Sessions    *session.Service
	Invitations *invitation.Service
	DataExports *dataexport.Service
	Preferences *preference.Service
	Drawings    *drawing.Service
	Scores      *score.Service
	Bonuses     *bonus.Service
	Deposits    *deposit.Service
	Payees      *payee.Service
	Adjustments *adjustment.Service
	Withdrawals *withdrawal.Service
	Wallets     *wallet.Service
	Notices     *notice.Service
	Chat        *support.Service
	Switches    *switches.Service
	Ledger      ledger.Querier
	Running     func(ctx context.Context) bool // reports whether the platform is in service: the database answers and staff have not stopped it
	Identities  *kyc.Service
	Providers   *provider.Service
	Uploads     *upload.Intake
}

// Config is the API's configuration.
type Config struct {
	NewsignKey string
	PublicKey  ed25519.PublicKey // of the tape's seals
	Texts      *i18n.Catalogue   // the trader app's texts, for cnMsg and enMsg
	Languages  []wire.Language
}

// Server serves the traders' calls.
type Server struct {
	Services
	config   Config
	clock    clock.Clock
	convert  wire.Converter
	limiters limiters
	refused  *refusals.Counter
}

// New makes the server.
func New(s Services, config Config, c clock.Clock) *Server {
	return &Server{Services: s, config: config, clock: c, convert: wire.Converter{Products: s.Market}, limiters: newLimiters(c.Now), refused: &refusals.Counter{}}
}

// Mount registers the contract's routes, the providers' event routes and the published pictures on e.
func (srv *Server) Mount(e *echo.Echo) {
	e.POST(provider.EventPath(":provider"), srv.takeEvent, srv.bareStatus, srv.receive, srv.admit)
	e.GET(picturesPath+":name", srv.findPicture, srv.bareStatus, srv.admit)
	RegisterHandlers(guarded{e, []echo.MiddlewareFunc{Compressed, srv.envelope, srv.checkSign, srv.maintenance, srv.receive, srv.identify, srv.admit}}, srv)
}

// guarded adds the middleware to contract routes only.
type guarded struct {
	*echo.Echo
	middleware []echo.MiddlewareFunc
}

// GET adds a route with the middleware.
func (g guarded) GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo {
	return g.Echo.GET(path, h, append(g.middleware, m...)...)
}

// POST adds a route with the middleware.
func (g guarded) POST(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo {
	return g.Echo.POST(path, h, append(g.middleware, m...)...)
}

var _ ServerInterface = (*Server)(nil)

func (srv *Server) now() time.Time { return srv.clock.Now() }
