package api

import (
	"encoding/json"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/preference"
	"candor/app/wire"
)

// GetPreferences returns the trader's preferences.
func (srv *Server) GetPreferences(c *echo.Context) error {
	fields, err := srv.Preferences.Of(c.Request().Context(), principal(c).TraderID)
	if err != nil {
		return err
	}
	return srv.replyPreferences(c, fields)
}

// SavePreferences stores the newer ones of the changes and returns all preferences.
func (srv *Server) SavePreferences(c *echo.Context) error {
	in, _, err := body[wire.Preferences](c)
	if err != nil {
		return err
	}
	changes := make([]preference.Field, len(in.Fields))
	for i, f := range in.Fields {
		value, err := json.Marshal(f.Value)
		if err != nil {
			return err
		}
		changes[i] = preference.Field{Name: f.Name, Value: value, ChangedAt: time.UnixMilli(f.ChangedAt)}
	}
	fields, err := srv.Preferences.Save(c.Request().Context(), principal(c).TraderID, changes)
	if err != nil {
		return err
	}
	return srv.replyPreferences(c, fields)
}

func (srv *Server) replyPreferences(c *echo.Context, fields []preference.Field) error {
	return srv.reply(c, wire.Preferences{Fields: convertAll(fields, func(f preference.Field) wire.Preference {
		return wire.Preference{Name: f.Name, Value: f.Value, ChangedAt: f.ChangedAt.UnixMilli()}
	})})
}
