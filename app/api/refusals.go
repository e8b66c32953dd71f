package api

import (
	"log/slog"

	"github.com/labstack/echo/v5"

	"candor/app/platform/admission"
	"candor/app/platform/clientip"
	"candor/app/platform/errs"
	"candor/app/platform/refusals"
	"candor/app/session"
	"candor/app/trader"
)

// guesses lists the refusals that indicate guessing or a flood, besides the kind errs.TooMany. A wrong log-in password or code already has its own log line.
var guesses = map[string]bool{
	session.ErrCodeFirst.Key: true, session.ErrVerifyWrong.Key: true, trader.ErrLoginPassword.Key: true, trader.ErrPaymentPassword.Key: true, admission.ErrBusy.Key: true,
}

// logRefusal logs possible attacks for operators. It logs only some of many equal refusals, because any caller can cause them.
func (srv *Server) logRefusal(c *echo.Context, refusal *errs.Error) {
	if refusal.Kind != errs.TooMany && !guesses[refusal.Key] {
		return
	}
	kind, n, log := srv.refused.Count(refusals.Kind{Subject: c.Path(), Reason: refusal.Key, Source: clientip.Source(c.RealIP())}, srv.now())
	if log {
		slog.WarnContext(c.Request().Context(), "calls are refused", "path", kind.Subject, "reason", kind.Reason, "source", kind.Source, "this_minute", n, "trace", traceID(c))
	}
}
