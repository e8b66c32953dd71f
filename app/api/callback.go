package api

import (
	"io"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v5"

	"candor/app/platform/errs"
	"candor/app/provider"
)

// callbackStatus is the response to a provider; a status below 500 stops it from sending the event again.
var callbackStatus = map[errs.Kind]int{errs.Forbidden: http.StatusForbidden, errs.Invalid: http.StatusBadRequest, errs.Conflict: http.StatusConflict}

// takeEvent stores a provider's event. It is not a call of the app: only the provider's signature authenticates it, and the response is a status.
func (srv *Server) takeEvent(c *echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	body, err := io.ReadAll(c.Request().Body) // receive has limited its size
	if err != nil {
		return err
	}
	refuse := func(status int, reason string) error {
		srv.Providers.Refused(c.Request().Context(), c.Param("provider"), reason, c.RealIP(), traceID(c))
		return c.NoContent(status)
	}
	if len(body) > maxBody {
		return refuse(http.StatusRequestEntityTooLarge, "too_large")
	}
	h := c.Request().Header
	err = srv.Providers.Accept(c.Request().Context(), c.Param("provider"), h.Get(provider.TimeHeader), h.Get(provider.SignatureHeader), body)
	if refusal := errs.As(err); refusal != nil && callbackStatus[refusal.Kind] != 0 {
		return refuse(callbackStatus[refusal.Kind], refusal.Key)
	}
	if err != nil {
		slog.Error("an event of a provider was not kept", "trace", traceID(c), "provider", c.Param("provider"), "error", err)
		return c.NoContent(http.StatusServiceUnavailable)
	}
	return c.NoContent(http.StatusOK)
}
