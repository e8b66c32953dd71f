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

// guesses lists the refusals that tell of somebody who guesses, or of a flood, beside those of the kind errs.TooMany. Each wrong password and code of a log-in
// has a line of its own already.
var guesses = map[string]bool{
	session.ErrCodeFirst.Key: true, session.ErrVerifyWrong.Key: true, trader.ErrLoginPassword.Key: true, trader.ErrPaymentPassword.Key: true, admission.ErrBusy.Key: true,
}

// logRefusal writes the line by which operators see an attack, of many alike only some: anybody can cause them.
func (srv *Server) logRefusal(c *echo.Context, refusal *errs.Error) {
	if refusal.Kind != errs.TooMany && !guesses[refusal.Key] {
		return
	}
	kind, n, log := srv.refused.Count(refusals.Kind{Subject: c.Path(), Reason: refusal.Key, Source: clientip.Source(c.RealIP())}, srv.now())
	if log {
		slog.WarnContext(c.Request().Context(), "calls are refused", "path", kind.Subject, "reason", kind.Reason, "source", kind.Source, "this_minute", n, "trace", traceID(c))
	}
}
