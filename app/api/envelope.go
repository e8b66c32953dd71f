package api

import (
	"candor/app/wire"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v5"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// wrapped is an Envelope with its data.
type wrapped struct {
	wire.Envelope
	Data any `json:"data"`
}

const (
	statusOK      = 1
	statusRefused = 0
)

// reply writes data as a successful response.
func (srv *Server) reply(c *echo.Context, data any) error { return respond(c, traceID(c), data) }

// respond is reply with the trace id of another request.
func respond(c *echo.Context, traceID string, data any) error {
	body, err := json.Marshal(wrapped{wire.Envelope{Status: statusOK, Code: "ok", TraceId: traceID}, data})
	if err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, body)
}

// envelope turns every error of a call into an Envelope; an internal error is logged once and answered with a general message.
func (srv *Server) envelope(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		c.Response().Header().Set("Cache-Control", "no-store")
		err := next(c)
		if err == nil {
			return nil
		}
		return srv.refuse(c, err)
	}
}

// refuse writes the response to an error.
func (srv *Server) refuse(c *echo.Context, err error) error {
	refusal, status := srv.read(c, err)
	srv.recordRefusal(c, refusal.Key)
	srv.logRefusal(c, refusal)
	body := wire.Envelope{Status: statusRefused, Code: refusal.Key, TraceId: traceID(c)}
	args := make(map[string]any, len(refusal.Args))
	for name, value := range refusal.Args {
		args[name] = value
	}
	body.CnMsg = srv.config.Texts.T("zh_CN", "error."+refusal.Key, args)
	body.EnMsg = srv.config.Texts.T("en", "error."+refusal.Key, args)
	if len(refusal.Args) > 0 {
		body.Args = &refusal.Args
	}
	if len(refusal.Fields) > 0 {
		body.Fields = &refusal.Fields
	}
	if errors.Is(err, errSign) {
		now := srv.now().UnixMilli()
		body.ServerTime = &now
	}
	return c.JSON(status, wrapped{Envelope: body})
}

var (
	errInternal = errs.New(errs.Unavailable, "internal")
	errDown     = errs.New(errs.Unavailable, "unavailable")
	errRoute    = errs.New(errs.NotFound, "route_unknown")
	errMethod   = errs.New(errs.Invalid, "method_not_allowed")
)

// read finds the refusal in an error and its HTTP status: business refusals are 200, as the spec's client expects.
func (srv *Server) read(c *echo.Context, err error) (*errs.Error, int) {
	if refusal := errs.As(err); refusal != nil {
		return refusal, httpStatus(refusal)
	}
	var transport echo.HTTPStatusCoder
	if errors.As(err, &transport) {
		switch code := transport.StatusCode(); code {
		case http.StatusNotFound:
			return errRoute, code
		case http.StatusMethodNotAllowed:
			return errMethod, code
		case http.StatusBadRequest:
			return errs.New(errs.Invalid, "invalid_input"), http.StatusOK
		case http.StatusRequestEntityTooLarge:
			return errs.New(errs.Invalid, "body_too_large"), code
		}
	}
	if c.Request().Context().Err() != nil {
		return errDown, http.StatusServiceUnavailable
	}
	if db.IsBusy(err) {
		slog.Warn("a call waited too long", "trace", traceID(c), "path", c.Path(), "error", err)
		return db.ErrBusy, http.StatusServiceUnavailable
	}
	if db.IsMalformed(err) {
		slog.Warn("a call brought what no column holds", "trace", traceID(c), "path", c.Path(), "error", err)
		return errs.New(errs.Invalid, "invalid_input"), http.StatusBadRequest
	}
	slog.Error("a call failed", "trace", traceID(c), "path", c.Path(), "error", err)
	if db.IsDown(err) {
		return errDown, http.StatusServiceUnavailable
	}
	return errInternal, http.StatusInternalServerError
}

func httpStatus(e *errs.Error) int {
	switch e.Kind {
	case errs.Unauthenticated:
		return http.StatusUnauthorized
	case errs.Forbidden:
		return http.StatusForbidden
	case errs.TooMany:
		return http.StatusTooManyRequests
	case errs.Unavailable:
		return http.StatusServiceUnavailable
	default:
		return http.StatusOK
	}
}
