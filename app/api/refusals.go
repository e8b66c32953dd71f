package api

import (
	"log/slog"

	"github.com/labstack/echo/v5"

	"candor/app/platform/clientip"
	"candor/app/platform/errs"
	"candor/app/platform/refusals"
)

// guesses lists the refusals that tell of somebody who guesses, beside those of the kind errs.TooMany and admission.ErrBusy, which tell of a flood.
var guesses = map[string]bool{
	"login.code_first": true, "login.password_wrong": true, "payment_password.wrong": true, "verify.wrong": true, "busy": true,
}

// logRefusal writes the line by which operators see an attack, of many alike only some: anybody can cause them.
func (d *Door) logRefusal(c *echo.Context, refusal *errs.Error) {
	if refusal.Kind != errs.TooMany && !guesses[refusal.Key] {
		return
	}
	kind, n, log := d.refused.Count(refusals.Kind{Subject: c.Path(), Reason: refusal.Key, Source: clientip.Source(c.RealIP())}, d.now())
	if log {
		slog.WarnContext(c.Request().Context(), "calls are refused", "path", kind.Subject, "reason", kind.Reason, "source", kind.Source, "this_minute", n, "trace", traceID(c))
	}
}
