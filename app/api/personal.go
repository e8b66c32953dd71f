package api

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v5"

	"candor/app/dataexport"
	"candor/app/platform/upload"
	"candor/app/wire"
)

// avatarSide is the longer side of a trader's picture, in pixels.
const avatarSide = 512

// FindPersonalInfo returns the trader's own profile.
func (srv *Server) FindPersonalInfo(c *echo.Context) error {
	ctx, p := c.Request().Context(), principal(c)
	profile, err := srv.Traders.Profile(ctx, p)
	if err != nil {
		return err
	}
	t, err := srv.Traders.Trader(ctx, p.TraderID)
	if err != nil {
		return err
	}
	identity, err := srv.Identities.Find(ctx, t.ID)
	if err != nil {
		return err
	}
	open, err := srv.Traders.OpenBusiness(ctx, p)
	if err != nil {
		return err
	}
	export, err := srv.DataExports.Find(ctx, p)
	if err != nil {
		return err
	}
	out := wire.PersonalInfo{
		UserId: t.ID, Nickname: profile.Nickname, AvatarAt: wire.Moment(profile.AvatarAt), Mail: t.MaskedMail(), Phone: t.MaskedPhone(), Country: t.Country,
		Marketing: profile.MarketingAt != nil, CreatedAt: t.CreatedAt.UnixMilli(), ClosesAt: wire.Moment(t.ClosesAt), DataExport: dataExportOf(export),
		OpenBusiness: convertAll(open, func(name string) wire.PersonalInfoOpenBusiness { return wire.PersonalInfoOpenBusiness(name) }),
	}
	if identity.Verified() {
		out.Name = identity.Data.FullName
	}
	return srv.reply(c, out)
}

func dataExportOf(e dataexport.Export) *wire.DataExport {
	if e.ID == 0 {
		return nil
	}
	return &wire.DataExport{
		State: wire.DataExportState(e.State), RequestedAt: e.RequestedAt.UnixMilli(), NextAt: e.NextAt().UnixMilli(), ExpiresAt: wire.Moment(e.ExpiresAt), Size: e.Size,
	}
}

// UpdatePersonalInfo changes the nickname and the consent to offers.
func (srv *Server) UpdatePersonalInfo(c *echo.Context) error {
	in, _, err := body[wire.UpdatePersonalInfo](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.ChangeProfile(c.Request().Context(), principal(c), in.Nickname, in.Marketing, from(c)); err != nil {
		return err
	}
	return srv.FindPersonalInfo(c)
}

// UploadAvatar sets the trader's own picture.
func (srv *Server) UploadAvatar(c *echo.Context) error {
	form, err := srv.picture(c, proofSender(c), upload.Use{Longest: avatarSide}, func(context.Context) error { return nil })
	if err != nil {
		return err
	}
	if err := srv.Traders.SetAvatar(c.Request().Context(), principal(c), form.Picture.Bytes, from(c)); err != nil {
		return err
	}
	return srv.FindPersonalInfo(c)
}

// FindAvatar returns the trader's own picture.
func (srv *Server) FindAvatar(c *echo.Context) error {
	picture, err := srv.Traders.Avatar(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", "attachment")
	return c.Blob(http.StatusOK, "image/jpeg", picture)
}

// DeleteAvatar removes the trader's own picture.
func (srv *Server) DeleteAvatar(c *echo.Context) error {
	if err := srv.Traders.SetAvatar(c.Request().Context(), principal(c), nil, from(c)); err != nil {
		return err
	}
	return srv.FindPersonalInfo(c)
}

// InsertDataExport has a copy of the trader's data made.
func (srv *Server) InsertDataExport(c *echo.Context) error {
	if _, err := srv.DataExports.Request(c.Request().Context(), principal(c), from(c)); err != nil {
		return err
	}
	return srv.FindPersonalInfo(c)
}

// DownloadDataExport returns the copy of the trader's data.
func (srv *Server) DownloadDataExport(c *echo.Context) error {
	in, _, err := body[wire.SecurityProof](c)
	if err != nil {
		return err
	}
	file, err := srv.DataExports.Download(c.Request().Context(), principal(c), srv.securityProof(c, in.Password, in.ValidCode))
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Disposition", "attachment")
	h.Set("Cache-Control", "no-store")
	return c.Blob(http.StatusOK, "application/zip", file)
}

// CloseAccount has the account close after 14 days.
func (srv *Server) CloseAccount(c *echo.Context) error {
	in, _, err := body[wire.SecurityProof](c)
	if err != nil {
		return err
	}
	if _, err := srv.Traders.Close(c.Request().Context(), principal(c), srv.securityProof(c, in.Password, in.ValidCode)); err != nil {
		return err
	}
	return srv.FindPersonalInfo(c)
}

// ReopenAccount keeps the account that is closing.
func (srv *Server) ReopenAccount(c *echo.Context) error {
	if err := srv.Traders.Reopen(c.Request().Context(), principal(c), from(c)); err != nil {
		return err
	}
	return srv.FindPersonalInfo(c)
}
