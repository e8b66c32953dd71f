package api

import (
	"github.com/labstack/echo/v5"

	"candor/app/switches"
	"candor/app/trader"
)

// PlatformRunningStatus answers 1 while the platform serves, and why not during maintenance.
func (d *Door) PlatformRunningStatus(c *echo.Context) error {
	if refusal := d.maintained(); refusal != nil {
		return refusal
	}
	if !d.Running(c.Request().Context()) {
		return d.reply(c, 0)
	}
	return d.reply(c, 1)
}

// FindConfigByKey answers one public key.
func (d *Door) FindConfigByKey(c *echo.Context, params FindConfigByKeyParams) error {
	entry, err := d.Switches.Find(params.Key, d.viewer(c))
	if err != nil {
		return err
	}
	return d.reply(c, toConfig(entry))
}

// FindFrontConfigList answers every public key.
func (d *Door) FindFrontConfigList(c *echo.Context) error {
	out := []ConfigEntry{}
	for _, entry := range d.Switches.Public(d.viewer(c)) {
		out = append(out, toConfig(entry))
	}
	return d.reply(c, out)
}

// viewer is for whom values are asked: a trader's country of residence is known, a visitor's is not.
func (d *Door) viewer(c *echo.Context) switches.Viewer {
	h := c.Request().Header
	v := switches.Viewer{Language: h.Get("language"), Platform: h.Get("platformType")}
	if token := h.Get("apptoken"); token != "" {
		if p, err := d.Sessions.Check(c.Request().Context(), token); err == nil {
			v.Country = p.Country
		}
	}
	return v
}

func toConfig(e switches.Entry) ConfigEntry {
	return ConfigEntry{Key: e.Key, Value: e.Value, Type: ConfigEntryType(e.Type)}
}

// FindGlobalInfoByType answers the app's languages.
func (d *Door) FindGlobalInfoByType(c *echo.Context, _ FindGlobalInfoByTypeParams) error {
	return d.reply(c, d.config.Languages)
}

// FindCountryAreaCodeList answers the countries; the app names them in its language from the ISO code.
func (d *Door) FindCountryAreaCodeList(c *echo.Context) error {
	out := []CountryAreaCode{}
	for _, country := range trader.Countries() {
		out = append(out, CountryAreaCode{Code: country.AreaCode, Country: country.ISO, En: country.Name()})
	}
	return d.reply(c, out)
}
