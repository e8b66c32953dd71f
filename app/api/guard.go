package api

import (
	"context"

	"github.com/labstack/echo/v5"

	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/trader"
	"candor/app/wire"
)

// UpdatePassword replaces the log-in password.
func (srv *Server) UpdatePassword(c *echo.Context) error {
	in, _, err := body[wire.UpdatePassword](c)
	if err != nil {
		return err
	}
	change := trader.PasswordChange{New: in.NewPassword, KeepOthers: valueOrZero(in.KeepOthers), SecurityProof: srv.securityProof(c, in.Password, in.ValidCode)}
	if err := srv.Traders.ChangePassword(c.Request().Context(), principal(c), change); err != nil {
		return err
	}
	return srv.reply(c, 1)
}

// SendContactValidCode sends a code to a new contact.
func (srv *Server) SendContactValidCode(c *echo.Context) error {
	in, _, err := body[wire.SendCode](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.SendContactCode(c.Request().Context(), principal(c), in.Account, c.RealIP()); err != nil {
		return err
	}
	return srv.reply(c, codeSent())
}

// UpdateContact binds or replaces a contact.
func (srv *Server) UpdateContact(c *echo.Context) error {
	in, _, err := body[wire.UpdateContact](c)
	if err != nil {
		return err
	}
	change := trader.ContactChange{Contact: in.Account, Code: in.ContactCode, Proof: srv.securityProof(c, in.Password, in.ValidCode), Wallet: signedText(in.Wallet)}
	if err := srv.Traders.ChangeContact(c.Request().Context(), principal(c), change); err != nil {
		return err
	}
	return srv.FindSecurityInfo(c)
}

// UpdatePhrase sets the phrase of the trader's mails.
func (srv *Server) UpdatePhrase(c *echo.Context) error {
	in, _, err := body[wire.UpdatePhrase](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.SetPhrase(c.Request().Context(), principal(c), in.Phrase, in.Password, from(c)); err != nil {
		return err
	}
	return srv.FindSecurityInfo(c)
}

// mostDevices is how long a page of devices may be.
const mostDevices = 100

// FindDevicePage returns the account's devices.
func (srv *Server) FindDevicePage(c *echo.Context, params wire.FindDevicePageParams) error {
	size, err := keysetSize(params.Size, mostDevices)
	if err != nil {
		return err
	}
	list, next, err := srv.Traders.Devices(c.Request().Context(), principal(c), valueOrZero(params.Next), size)
	if err != nil {
		return err
	}
	current := principal(c).DeviceID
	return srv.reply(c, wire.DevicePage{Next: next, List: convertAll(list, func(d session.Seen) wire.Device {
		return wire.Device{
			DeviceId: d.ID, Name: d.Name, Ip: d.LastIP, FirstSeenAt: d.FirstSeenAt.UnixMilli(), LastSeenAt: d.LastSeenAt.UnixMilli(), Active: d.Living > 0, Current: d.ID == current,
			Country: nonEmpty(d.Country), City: nonEmpty(d.City),
		}
	})})
}

// DeleteDevice signs a device out, or all others.
func (srv *Server) DeleteDevice(c *echo.Context) error {
	in, _, err := body[wire.DeleteDevice](c)
	if err != nil {
		return err
	}
	switch {
	case in.DeviceId != nil && *in.DeviceId <= 0:
		return errs.Field("deviceId", "field.unknown")
	case in.Password != nil && in.ValidCode != nil:
		return errs.Field("password", "field.unknown")
	}
	proof := srv.securityProof(c, valueOrZero(in.Password), valueOrZero(in.ValidCode))
	if err := srv.Traders.RemoveDevice(c.Request().Context(), principal(c), valueOrZero(in.DeviceId), proof); err != nil {
		return err
	}
	return srv.reply(c, 1)
}

// mostEvents is how long a page of security events may be.
const mostEvents = 100

// FindSecurityEventPage returns security events.
func (srv *Server) FindSecurityEventPage(c *echo.Context, params wire.FindSecurityEventPageParams) error {
	size, err := keysetSize(params.Size, mostEvents)
	if err != nil {
		return err
	}
	list, next, err := srv.Traders.SecurityEvents(c.Request().Context(), principal(c), valueOrZero(params.Next), size)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.SecurityEventPage{List: convertAll(list, securityEventOf), Next: next})
}

func securityEventOf(e trader.SecurityEvent) wire.SecurityEvent {
	out := wire.SecurityEvent{
		EventId: e.ID, Kind: e.Kind, Time: e.At.UnixMilli(), By: wire.SecurityEventBy(e.By), Country: nonEmpty(e.Country), City: nonEmpty(e.City), About: nonEmpty(e.About),
	}
	if e.IP != "" {
		out.Ip, out.Device = &e.IP, &e.Device
	}
	return out
}

// ExportSecurityEvents returns security events as a file.
func (srv *Server) ExportSecurityEvents(c *echo.Context) error {
	return export(c, srv.securityEventTable(c.Request().Context(), principal(c)))
}

func (srv *Server) securityEventTable(ctx context.Context, p session.Principal) table[trader.SecurityEvent] {
	return table[trader.SecurityEvent]{
		whole:   true,
		columns: []string{"event", "time", "kind", "by", "ip", "device", "country", "city", "about"},
		page: func(before int64, _, limit int) ([]trader.SecurityEvent, error) {
			list, _, err := srv.Traders.SecurityEvents(ctx, p, before, limit)
			return list, err
		},
		id: func(e trader.SecurityEvent) int64 { return e.ID },
		cells: func(e trader.SecurityEvent) []string {
			return []string{number(e.ID), clockTime(e.At), e.Kind, e.By, e.IP, e.Device, e.Country, e.City, e.About}
		},
	}
}
