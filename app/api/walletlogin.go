package api

import (
	"github.com/labstack/echo/v5"

	"candor/app/platform/errs"
	"candor/app/session"
	"candor/app/trader"
	"candor/app/wire"
)

// CreateWalletLogin returns the text that an Ethereum wallet signs to log in.
func (srv *Server) CreateWalletLogin(c *echo.Context, params wire.CreateWalletLoginParams) error {
	in, _, err := body[wire.CreateWalletLogin](c)
	if err != nil {
		return err
	}
	choice := trader.WalletChoice{Address: in.Address, ChainID: in.ChainId}
	text, err := srv.Traders.NewWalletLogin(c.Request().Context(), choice, valueOrZero(params.Verify), device(c, in.DeviceId))
	return srv.replyWalletText(c, text, err)
}

func (srv *Server) replyWalletText(c *echo.Context, text session.WalletText, err error) error {
	if err != nil {
		return err
	}
	return srv.reply(c, wire.WalletText{Id: text.ID, Text: text.Text, ExpiresAfter: int(session.WalletTextLife.Seconds())})
}

// WalletLogin opens a session of the trader whose wallet is linked.
func (srv *Server) WalletLogin(c *echo.Context) error {
	in, _, err := body[wire.WalletLogin](c)
	if err != nil {
		return err
	}
	proof := trader.WalletProof{ID: in.Id, Signature: in.Signature, Device: device(c, in.DeviceId), TraceID: traceID(c)}
	opened, err := srv.Traders.LoginByWallet(c.Request().Context(), proof, valueOrZero(in.FactorCode))
	if err != nil {
		return err
	}
	srv.mergeVisitor(c, opened.Trader, in.DeviceId)
	return srv.reply(c, srv.toSession(opened))
}

// RegisterByWallet creates a trader whose only way in is a wallet.
func (srv *Server) RegisterByWallet(c *echo.Context) error {
	in, _, err := body[wire.RegisterByWallet](c)
	if err != nil {
		return err
	}
	if !srv.supportsLanguage(in.Language) {
		return errs.Field("language", "field.choice")
	}
	opened, err := srv.Traders.RegisterByWallet(c.Request().Context(), trader.WalletRegistration{
		WalletProof: trader.WalletProof{ID: in.Id, Signature: in.Signature, Device: device(c, in.DeviceId), TraceID: traceID(c)},
		Enrolment:   trader.Enrolment{Country: in.Country, Language: in.Language, Invitation: valueOrZero(in.InvitationCode), Accepted: in.Accepted},
	})
	if err != nil {
		return err
	}
	srv.mergeVisitor(c, opened.Trader, in.DeviceId)
	return srv.reply(c, srv.toSession(opened))
}

// CreateWalletLink returns the text that a wallet signs to be linked to the account.
func (srv *Server) CreateWalletLink(c *echo.Context) error {
	in, _, err := body[wire.CreateWalletLink](c)
	if err != nil {
		return err
	}
	choice := trader.WalletChoice{Address: in.Address, ChainID: in.ChainId}
	text, err := srv.Traders.NewWalletLink(c.Request().Context(), principal(c), choice, srv.securityProof(c, in.Password, in.ValidCode))
	return srv.replyWalletText(c, text, err)
}

// LinkWallet links the wallet that signed.
func (srv *Server) LinkWallet(c *echo.Context) error {
	in, _, err := body[wire.LinkWallet](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.LinkWallet(c.Request().Context(), principal(c), in.Id, in.Signature, from(c)); err != nil {
		return err
	}
	return srv.FindSecurityInfo(c)
}

// CreateWalletConfirmation returns the text that the linked wallet signs to confirm an act.
func (srv *Server) CreateWalletConfirmation(c *echo.Context) error {
	in, _, err := body[wire.CreateWalletConfirmation](c)
	if err != nil {
		return err
	}
	text, err := srv.Traders.NewWalletConfirmation(c.Request().Context(), principal(c), in.ChainId, valueOrZero(in.Account))
	return srv.replyWalletText(c, text, err)
}

func signedText(in *wire.WalletSignature) *trader.SignedText {
	if in == nil {
		return nil
	}
	return &trader.SignedText{ID: in.Id, Signature: in.Signature}
}

// UnlinkWallet removes the link to the wallet.
func (srv *Server) UnlinkWallet(c *echo.Context) error {
	in, _, err := body[wire.UnlinkWallet](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.UnlinkWallet(c.Request().Context(), principal(c), srv.securityProof(c, in.Password, in.ValidCode), signedText(in.Wallet)); err != nil {
		return err
	}
	return srv.FindSecurityInfo(c)
}
