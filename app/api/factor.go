package api

import (
	"encoding/json"

	"github.com/labstack/echo/v5"

	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/trader"
	"candor/app/wire"
)

// FindFactorInfo returns the trader's second factors.
func (srv *Server) FindFactorInfo(c *echo.Context) error {
	f, err := srv.Traders.SecondFactors(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	out := wire.FactorInfo{AuthenticatorAt: wire.Moment(f.AuthenticatorAt), Passkeys: []wire.Passkey{}, RecoveryCodes: f.RecoveryCodes}
	for _, p := range f.Passkeys {
		out.Passkeys = append(out.Passkeys, wire.Passkey{PasskeyId: p.ID, Name: p.Name, CreatedAt: p.CreatedAt.UnixMilli(), LastUsedAt: wire.Moment(p.LastUsedAt)})
	}
	return srv.reply(c, out)
}

// SendSecurityValidCode sends the code for a change of what guards the account.
func (srv *Server) SendSecurityValidCode(c *echo.Context) error {
	in, _, err := body[wire.SendSecurityValidCode](c)
	if err != nil {
		return err
	}
	act, err := trader.ParseSecurityAct(string(in.Act))
	if err != nil {
		return err
	}
	if err := srv.Traders.SendSecurityCode(c.Request().Context(), principal(c), act, c.RealIP()); err != nil {
		return err
	}
	return srv.reply(c, codeSent())
}

// CreatePasskeyConfirmation returns the challenge by which a passkey confirms an act.
func (srv *Server) CreatePasskeyConfirmation(c *echo.Context) error {
	in, _, err := body[wire.ConfirmedAct](c)
	if err != nil {
		return err
	}
	act, err := srv.confirmedAct(c, in)
	if err != nil {
		return err
	}
	request, err := srv.Traders.NewConfirmation(c.Request().Context(), principal(c), act)
	if err != nil {
		return err
	}
	return srv.reply(c, request)
}

// CreateConfirmation confirms an act with a second factor.
func (srv *Server) CreateConfirmation(c *echo.Context) error {
	in, _, err := body[wire.CreateConfirmation](c)
	if err != nil {
		return err
	}
	act, err := srv.confirmedAct(c, in.Act)
	if err != nil {
		return err
	}
	var confirmation string
	switch {
	case (in.Code == nil) == (in.Credential == nil):
		return errs.Field("code", "field.required")
	case in.Code != nil:
		confirmation, err = srv.Traders.ConfirmByCode(c.Request().Context(), principal(c), act, *in.Code, from(c))
	default:
		var response []byte
		if response, err = json.Marshal(in.Credential); err == nil {
			confirmation, err = srv.Traders.ConfirmByPasskey(c.Request().Context(), principal(c), act, response, from(c))
		}
	}
	if err != nil {
		return err
	}
	return srv.reply(c, wire.Confirmation{ValidCode: confirmation, ExpiresAfter: int(session.ConfirmationLife.Seconds())})
}

// confirmedAct is the one act that a second factor confirms.
func (srv *Server) confirmedAct(c *echo.Context, in wire.ConfirmedAct) (trader.Act, error) {
	switch pay := in.NewPayPassword != nil && *in.NewPayPassword; {
	case in.Security != nil && in.MoneyOut == nil && !pay:
		act, err := trader.ParseSecurityAct(string(*in.Security))
		return act.Act(), err
	case in.MoneyOut != nil && in.Security == nil && !pay:
		act, _, err := srv.moneyOut(c, *in.MoneyOut)
		return trader.Act{Purpose: session.MoneyOutCode, About: act.About()}, err
	case pay && in.Security == nil && in.MoneyOut == nil:
		return trader.Act{Purpose: session.PaymentPasswordCode}, nil
	}
	return trader.Act{}, trader.ErrAct
}

func (srv *Server) securityProof(c *echo.Context, password, code string) trader.SecurityProof {
	return trader.SecurityProof{Password: password, Code: code, From: from(c)}
}

// CreateAuthenticator offers a secret for an authenticator app.
func (srv *Server) CreateAuthenticator(c *echo.Context) error {
	in, _, err := body[wire.SecurityProof](c)
	if err != nil {
		return err
	}
	secret, err := srv.Traders.OfferAuthenticator(c.Request().Context(), principal(c), srv.securityProof(c, in.Password, in.ValidCode))
	if err != nil {
		return err
	}
	return srv.reply(c, wire.AuthenticatorOffer{Secret: secret.Text, Address: secret.Address})
}

// InsertAuthenticator puts the offered secret to use.
func (srv *Server) InsertAuthenticator(c *echo.Context) error {
	in, _, err := body[wire.InsertAuthenticator](c)
	if err != nil {
		return err
	}
	codes, err := srv.Traders.ConfirmAuthenticator(c.Request().Context(), principal(c), in.Code, from(c))
	return srv.replyRecovery(c, codes, err)
}

func (srv *Server) replyRecovery(c *echo.Context, codes []string, err error) error {
	if err != nil {
		return err
	}
	return srv.reply(c, wire.RecoveryCodes{Codes: append([]string{}, codes...)})
}

// DeleteAuthenticator removes the authenticator.
func (srv *Server) DeleteAuthenticator(c *echo.Context) error {
	in, _, err := body[wire.SecurityProof](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.RemoveAuthenticator(c.Request().Context(), principal(c), srv.securityProof(c, in.Password, in.ValidCode)); err != nil {
		return err
	}
	return srv.FindFactorInfo(c)
}

// CreatePasskey starts a passkey.
func (srv *Server) CreatePasskey(c *echo.Context) error {
	in, _, err := body[wire.SecurityProof](c)
	if err != nil {
		return err
	}
	creation, err := srv.Traders.NewPasskey(c.Request().Context(), principal(c), srv.securityProof(c, in.Password, in.ValidCode))
	if err != nil {
		return err
	}
	return srv.reply(c, creation)
}

// InsertPasskey stores the passkey that the browser made.
func (srv *Server) InsertPasskey(c *echo.Context) error {
	in, _, err := body[wire.InsertPasskey](c)
	if err != nil {
		return err
	}
	response, err := json.Marshal(in.Credential)
	if err != nil {
		return err
	}
	codes, err := srv.Traders.AddPasskey(c.Request().Context(), principal(c), in.Name, response, from(c))
	return srv.replyRecovery(c, codes, err)
}

// UpdatePasskey renames a passkey.
func (srv *Server) UpdatePasskey(c *echo.Context) error {
	in, _, err := body[wire.UpdatePasskey](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.RenamePasskey(c.Request().Context(), principal(c), in.PasskeyId, in.Name, from(c)); err != nil {
		return err
	}
	return srv.FindFactorInfo(c)
}

// DeletePasskey removes a passkey.
func (srv *Server) DeletePasskey(c *echo.Context) error {
	in, _, err := body[wire.DeletePasskey](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.RemovePasskey(c.Request().Context(), principal(c), in.PasskeyId, srv.securityProof(c, in.Password, in.ValidCode)); err != nil {
		return err
	}
	return srv.FindFactorInfo(c)
}

// CreateRecoveryCodes makes new recovery codes.
func (srv *Server) CreateRecoveryCodes(c *echo.Context) error {
	in, _, err := body[wire.SecurityProof](c)
	if err != nil {
		return err
	}
	codes, err := srv.Traders.ReplaceRecoveryCodes(c.Request().Context(), principal(c), srv.securityProof(c, in.Password, in.ValidCode))
	return srv.replyRecovery(c, codes, err)
}

// CreatePasskeyLogin returns the challenge of a log-in by passkey.
func (srv *Server) CreatePasskeyLogin(c *echo.Context) error {
	request, err := srv.Traders.NewPasskeyLogin()
	if err != nil {
		return err
	}
	return srv.reply(c, request)
}

// LoginByPasskey opens a session.
func (srv *Server) LoginByPasskey(c *echo.Context) error {
	in, _, err := body[wire.LoginByPasskey](c)
	if err != nil {
		return err
	}
	response, err := json.Marshal(in.Credential)
	if err != nil {
		return err
	}
	opened, err := srv.Traders.LoginByPasskey(c.Request().Context(), response, device(c, in.DeviceId), traceID(c))
	if err != nil {
		return err
	}
	srv.mergeVisitor(c, opened.Trader, in.DeviceId)
	return srv.reply(c, srv.toSession(opened))
}
