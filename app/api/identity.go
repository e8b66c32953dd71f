package api

import (
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
	out := []AuthCountry{}
	for _, country := range kyc.Countries() {
		types := convertAll(country.Types, func(t kyc.DocumentType) AuthDocumentType { return AuthDocumentType(t) })
		out = append(out, AuthCountry{Country: country.ISO, En: country.Name(), DocumentTypes: types})
	}
	return srv.reply(c, out)
}

// applicant is the trader as the owner of a verification.
func (srv *Server) applicant(c *echo.Context) (kyc.Owner, error) {
	p := principal(c)
	t, err := srv.Traders.Trader(c.Request().Context(), p.TraderID)
	return kyc.Owner{TraderID: p.TraderID, Name: t.MaskedName(), IP: c.RealIP(), Agent: c.Request().UserAgent(), TraceID: traceID(c)}, err
}

// SaveAuthDraft stores the draft of an application.
func (srv *Server) SaveAuthDraft(c *echo.Context) error {
	in, _, err := body[SaveAuthDraft](c)
	if err != nil {
		return err
	}
	o, err := srv.applicant(c)
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
	o, err := srv.applicant(c)
	if err != nil {
		return err
	}
	form, err := srv.picture(c, proofSender(c), func(ctx context.Context) error { return srv.Identities.MayAttach(ctx, o) })
	if err != nil {
		return err
	}
	v, err := srv.Identities.Attach(c.Request().Context(), o, kyc.Part(form.Values["side"]), form.Picture)
	if err != nil {
		return err
	}
	return srv.reply(c, authInfoOf(v))
}

// picture reads the picture uploaded as "file". It checks that the sender may upload before it decodes anything.
func (srv *Server) picture(c *echo.Context, from upload.Sender, may func(context.Context) error) (upload.Form, error) {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, upload.MaxForm)
	if err := may(r.Context()); err != nil {
		upload.Discard(c.Response(), r)
		return upload.Form{}, err
	}
	return srv.Uploads.Form(c.Response(), r, from, upload.Longest)
}

// proofSender is the session's trader as the sender of a proof.
func proofSender(c *echo.Context) upload.Sender {
	return upload.Sender{Class: upload.Proof, Person: fmt.Sprint("trader ", principal(c).TraderID)}
}

// FindAuthImage returns one of the trader's own pictures.
func (srv *Server) FindAuthImage(c *echo.Context, params FindAuthImageParams) error {
	bytes, err := srv.Identities.Picture(c.Request().Context(), principal(c).TraderID, kyc.Part(params.Side))
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", "attachment")
	return c.Blob(http.StatusOK, "image/jpeg", bytes)
}

// SubmitAuth submits the application.
func (srv *Server) SubmitAuth(c *echo.Context, _ SubmitAuthParams) error {
	return srv.moveAuth(c, srv.Identities.Submit)
}

// WithdrawAuth withdraws the application.
func (srv *Server) WithdrawAuth(c *echo.Context, _ WithdrawAuthParams) error {
	return srv.moveAuth(c, srv.Identities.Withdraw)
}

// moveAuth runs a keyed act on the version of the application that the trader saw.
func (srv *Server) moveAuth(c *echo.Context, act func(context.Context, kyc.Owner, int, idempotency.Request) (kyc.Result, error)) error {
	in, raw, err := body[AuthVersion](c)
	if err != nil {
		return err
	}
	o, err := srv.applicant(c)
	if err != nil {
		return err
	}
	done, err := act(c.Request().Context(), o, in.Version, srv.keyed(c, raw))
	return answer(c, done, err, authInfoOf)
}

// authInfoOf converts an application for its trader; reviewers, hints and the internal reason stay private.
func authInfoOf(v kyc.View) UserAuthInfo {
	out := UserAuthInfo{
		AuthStatus: v.AuthStatus, Level: v.Limits, State: authState(v), Version: v.Version, Attempt: v.Attempt, AttemptsLeft: v.AttemptsLeft(),
		Country: filled(v.Country), DocumentType: filled(AuthDocumentType(v.DocumentType)),
		FullName: filled(v.Data.FullName), Number: filled(v.Data.Number), BirthDate: filled(v.Data.BirthDate), ExpiryDate: filled(v.Data.ExpiryDate),
		Images: convertAll(v.Images(), authImageOf), Asked: convertAll(v.Asked, authAskedOf), MayChangeData: v.MayEditData(), Reason: v.PublicReason,
		SubmittedAt: moment(v.SubmittedAt), PromisedAt: moment(v.DueAt()), DecidedAt: moment(v.DecidedAt), KeptUntil: moment(v.KeptUntil),
	}
	if v.CurrentState() != kyc.None {
		out.ApplicationNo = filled(v.Number())
	}
	return out
}

// authState is the state for the trader: an escalated application is shown as under review.
func authState(v kyc.View) UserAuthInfoState {
	if v.CurrentState() == kyc.Escalated {
		return UserAuthInfoState(kyc.InReview)
	}
	return UserAuthInfoState(v.CurrentState())
}

func authImageOf(i kyc.Image) AuthImage {
	out := AuthImage{Side: AuthSide(i.Side), Present: i.Document != nil, Replaceable: i.Replaceable}
	if i.Document != nil {
		out.Width, out.Height = &i.Document.Width, &i.Document.Height
	}
	return out
}

func authAskedOf(a kyc.Ask) AuthAsked {
	return AuthAsked{Part: AuthAskedPart(a.Part), Reason: a.Reason}
}

// filled returns a pointer to the text; nil when it is empty.
func filled[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}
