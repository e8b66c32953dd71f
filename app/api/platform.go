package api

import (
	"candor/app/wire"

	"github.com/labstack/echo/v5"

	"candor/app/switches"
	"candor/app/trader"
)

// PlatformRunningStatus returns 1 while the platform is in service, else 0; during maintenance it returns the refusal.
func (srv *Server) PlatformRunningStatus(c *echo.Context) error {
	if refusal := srv.maintenanceRefusal(); refusal != nil {
		return refusal
	}
	if !srv.Running(c.Request().Context()) {
		return srv.reply(c, 0)
	}
	return srv.reply(c, 1)
}

// FindConfigByKey returns one public key.
func (srv *Server) FindConfigByKey(c *echo.Context, params wire.FindConfigByKeyParams) error {
	entry, err := srv.Switches.Find(params.Key, srv.viewer(c))
	if err != nil {
		return err
	}
	return srv.reply(c, toConfig(entry))
}

// FindFrontConfigList returns every public key.
func (srv *Server) FindFrontConfigList(c *echo.Context) error {
	out := []wire.ConfigEntry{}
	for _, entry := range srv.Switches.Public(srv.viewer(c)) {
		out = append(out, toConfig(entry))
	}
	return srv.reply(c, out)
}

// viewer is the reader of switch values: a trader's country of residence is known, a visitor's is not.
func (srv *Server) viewer(c *echo.Context) switches.Viewer {
	h := c.Request().Header
	v := switches.Viewer{Language: h.Get("language"), Platform: h.Get("platformType")}
	if token := h.Get("apptoken"); token != "" {
		if p, err := srv.Sessions.Check(c.Request().Context(), token, device(c, "")); err == nil {
			v.Country = p.Country
		}
	}
	return v
}

func toConfig(e switches.Entry) wire.ConfigEntry {
	return wire.ConfigEntry{Key: e.Key, Value: e.Value, Type: wire.ConfigEntryType(e.Type)}
}

// FindGlobalInfoByType returns the app's languages.
func (srv *Server) FindGlobalInfoByType(c *echo.Context, _ wire.FindGlobalInfoByTypeParams) error {
	return srv.reply(c, srv.config.Languages)
}

// FindCountryAreaCodeList returns the countries; the app names them in its language from the ISO code.
func (srv *Server) FindCountryAreaCodeList(c *echo.Context) error {
	out := []wire.CountryAreaCode{}
	for _, country := range trader.Countries() {
		out = append(out, wire.CountryAreaCode{Code: country.AreaCode, Country: country.ISO, En: country.Name()})
	}
	return srv.reply(c, out)
}
