package api

import (
	"candor/app/ledger"
	"candor/app/wire"
	"context"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v5"

	"candor/app/kyc"
	"candor/app/platform/idempotency"
	"candor/app/platform/upload"
)

// FindUserAuthInfoNew returns the state of the trader's verification.
func (srv *Server) FindUserAuthInfoNew(c *echo.Context) error {
	v, err := srv.Identities.Find(c.Request().Context(), principal(c).TraderID)
	if err != nil {
		return err
	}
	return srv.reply(c, authInfoOf(v))
}

// FindAuthCountryList returns the countries; the app names them in its language from the ISO code.
func (srv *Server) FindAuthCountryList(c *echo.Context) error {
	out := []wire.AuthCountry{}
	for _, country := range kyc.Countries() {
		types := convertAll(country.Types, func(t kyc.DocumentType) wire.AuthDocumentType { return wire.AuthDocumentType(t) })
		out = append(out, wire.AuthCountry{Country: country.ISO, En: country.Name(), DocumentTypes: types})
	}
	return srv.reply(c, out)
}

// SaveAuthDraft stores the draft of an application.
func (srv *Server) SaveAuthDraft(c *echo.Context) error {
	in, _, err := body[wire.SaveAuthDraft](c)
	if err != nil {
		return err
	}
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	v, err := srv.Identities.Save(c.Request().Context(), o, kyc.Filled{
		Country: in.Country, DocumentType: in.DocumentType, FullName: in.FullName, Number: in.Number, BirthDate: in.BirthDate, ExpiryDate: in.ExpiryDate,
	})
	if err != nil {
		return err
	}
	return srv.reply(c, authInfoOf(v))
}

// UploadAuthImage stores the picture of one side of a document.
func (srv *Server) UploadAuthImage(c *echo.Context) error {
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	form, err := srv.picture(c, proofSender(c), upload.Photo, func(ctx context.Context) error { return srv.Identities.MayAttach(ctx, o) })
	if err != nil {
		return err
	}
	v, err := srv.Identities.Attach(c.Request().Context(), o, kyc.Part(form.Values["side"]), form.Picture)
	if err != nil {
		return err
	}
	return srv.reply(c, authInfoOf(v))
}

// picture reads the picture, or for a Paper the PDF, uploaded as "file". It checks that the sender may upload before it decodes anything.
func (srv *Server) picture(c *echo.Context, from upload.Sender, use upload.Use, may func(context.Context) error) (upload.Form, error) {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, upload.MaxForm)
	if err := may(r.Context()); err != nil {
		upload.Discard(c.Response(), r)
		return upload.Form{}, err
	}
	return srv.Uploads.Form(c.Response(), r, from, use)
}

// proofSender is the session's trader as the sender of a proof.
func proofSender(c *echo.Context) upload.Sender {
	return upload.Sender{Class: upload.Proof, Person: fmt.Sprint("trader ", principal(c).TraderID)}
}

// FindAuthImage returns one of the trader's own pictures.
func (srv *Server) FindAuthImage(c *echo.Context, params wire.FindAuthImageParams) error {
	bytes, err := srv.Identities.Picture(c.Request().Context(), principal(c).TraderID, kyc.Part(params.Side))
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", "attachment")
	return c.Blob(http.StatusOK, "image/jpeg", bytes)
}

// SubmitAuth submits the application.
func (srv *Server) SubmitAuth(c *echo.Context, _ wire.SubmitAuthParams) error {
	return srv.moveAuth(c, srv.Identities.Submit)
}

// WithdrawAuth withdraws the application.
func (srv *Server) WithdrawAuth(c *echo.Context, _ wire.WithdrawAuthParams) error {
	return srv.moveAuth(c, srv.Identities.Withdraw)
}

// moveAuth runs a keyed act on the version of the application that the trader saw.
func (srv *Server) moveAuth(c *echo.Context, act func(context.Context, ledger.Owner, int, idempotency.Request) (kyc.Result, error)) error {
	in, raw, err := body[wire.AuthVersion](c)
	if err != nil {
		return err
	}
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	done, err := act(c.Request().Context(), o, in.Version, srv.keyed(c, raw))
	return answer(c, done, err, authInfoOf)
}

// authInfoOf converts an application for its trader; reviewers, hints and the internal reason stay private.
func authInfoOf(v kyc.View) wire.UserAuthInfo {
	out := wire.UserAuthInfo{
		AuthStatus: v.AuthStatus, Level: v.Limits, State: authState(v), Version: v.Version, Attempt: v.Attempt, AttemptsLeft: v.AttemptsLeft(),
		Country: wire.NonZero(v.Country), DocumentType: wire.NonZero(wire.AuthDocumentType(v.DocumentType)),
		FullName: wire.NonZero(v.Data.FullName), Number: wire.NonZero(v.Data.Number), BirthDate: wire.NonZero(v.Data.BirthDate), ExpiryDate: wire.NonZero(v.Data.ExpiryDate),
		Images: convertAll(v.Images(), authImageOf), Asked: convertAll(v.Asked, authAskedOf), MayChangeData: v.MayEditData(), Reason: v.PublicReason,
		SubmittedAt: wire.Moment(v.SubmittedAt), PromisedAt: wire.Moment(v.DueAt()), DecidedAt: wire.Moment(v.DecidedAt), KeptUntil: wire.Moment(v.KeptUntil),
	}
	if v.CurrentState() != kyc.None {
		out.ApplicationNo = wire.NonZero(v.Number())
	}
	return out
}

// authState is the state for the trader: an escalated application is shown as under review.
func authState(v kyc.View) wire.UserAuthInfoState {
	if v.CurrentState() == kyc.Escalated {
		return wire.UserAuthInfoState(kyc.InReview)
	}
	return wire.UserAuthInfoState(v.CurrentState())
}

func authImageOf(i kyc.Image) wire.AuthImage {
	out := wire.AuthImage{Side: wire.AuthSide(i.Side), Present: i.Document != nil, Replaceable: i.Replaceable}
	if i.Document != nil {
		out.Width, out.Height = &i.Document.Width, &i.Document.Height
	}
	return out
}

func authAskedOf(a kyc.Ask) wire.AuthAsked {
	return wire.AuthAsked{Part: wire.AuthAskedPart(a.Part), Reason: a.Reason}
}
