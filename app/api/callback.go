package api

import (
	"io"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v5"

	"candor/app/platform/errs"
	"candor/app/provider"
)

// callbackStatus is what a provider is answered; anything below 500 tells it not to send the event again.
var callbackStatus = map[errs.Kind]int{errs.Forbidden: http.StatusForbidden, errs.Invalid: http.StatusBadRequest, errs.Conflict: http.StatusConflict}

// takeEvent keeps what a provider tells. It is no call of the app: the provider's signature is all that counts, and the answer is a status.
func (srv *Server) takeEvent(c *echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	body, err := io.ReadAll(c.Request().Body) // as much of it as receive has let in
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
