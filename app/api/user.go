package api

import (
	"candor/app/wire"
	"slices"

	"github.com/labstack/echo/v5"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/session"
	"candor/app/trader"
)

// SendRegisterValidCode sends a code to a new address.
func (srv *Server) SendRegisterValidCode(c *echo.Context, params wire.SendRegisterValidCodeParams) error {
	in, _, err := body[wire.SendCode](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.SendRegisterCode(c.Request().Context(), in.Account, language(c), valueOrZero(params.Verify), c.RealIP()); err != nil {
		return err
	}
	return srv.reply(c, codeSent())
}

// SendForgetPasswordValidCode sends the code to replace a forgotten password.
func (srv *Server) SendForgetPasswordValidCode(c *echo.Context, params wire.SendForgetPasswordValidCodeParams) error {
	in, _, err := body[wire.SendCode](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.SendForgottenPasswordCode(c.Request().Context(), in.Account, valueOrZero(params.Verify), c.RealIP()); err != nil {
		return err
	}
	return srv.reply(c, codeSent())
}

// ForgetUserPassword replaces a forgotten password.
func (srv *Server) ForgetUserPassword(c *echo.Context) error {
	in, _, err := body[wire.ForgetUserPassword](c)
	if err != nil {
		return err
	}
	forgotten := trader.ForgottenPassword{Account: in.Account, New: in.Password, Code: in.ValidCode, From: from(c)}
	if err := srv.Traders.ReplaceForgottenPassword(c.Request().Context(), forgotten); err != nil {
		return err
	}
	return srv.reply(c, 1)
}

// GetVerify returns a challenge to solve.
func (srv *Server) GetVerify(c *echo.Context) error {
	challenge, err := srv.Sessions.NewChallenge(c.Request().Context(), c.RealIP())
	if err != nil {
		return err
	}
	return srv.reply(c, wire.Verify{Challenge: challenge.Text, Difficulty: challenge.Difficulty, ExpiresAfter: int(session.ChallengeLife.Seconds())})
}

// CheckUserExist reports whether an address has an account.
func (srv *Server) CheckUserExist(c *echo.Context, params wire.CheckUserExistParams) error {
	in, _, err := body[wire.SendCode](c)
	if err != nil {
		return err
	}
	exists, err := srv.Traders.Exists(c.Request().Context(), in.Account, valueOrZero(params.Verify), c.RealIP())
	if err != nil {
		return err
	}
	return srv.reply(c, wire.UserExist{Exists: exists})
}

func codeSent() wire.CodeSent {
	return wire.CodeSent{ResendAfter: int(session.ResendAfter.Seconds()), ExpiresAfter: int(session.CodeLife.Seconds())}
}

// Register creates a trader.
func (srv *Server) Register(c *echo.Context) error {
	in, _, err := body[wire.Register](c)
	if err != nil {
		return err
	}
	r := trader.Registration{
		Account: in.Account, Password: in.Password, Code: in.ValidCode, Device: device(c, in.DeviceId), TraceID: traceID(c),
		Enrolment: trader.Enrolment{Country: in.Country, Language: in.Language, Invitation: valueOrZero(in.InvitationCode), Accepted: in.Accepted},
	}
	if !srv.supportsLanguage(in.Language) {
		return errs.Field("language", "field.choice")
	}
	opened, err := srv.Traders.Register(c.Request().Context(), r)
	if err != nil {
		return err
	}
	srv.mergeVisitor(c, opened.Trader, in.DeviceId)
	return srv.reply(c, srv.toSession(opened))
}

func (srv *Server) supportsLanguage(code string) bool {
	for _, l := range srv.config.Languages {
		if l.Code == code {
			return true
		}
	}
	return false
}

// SendLoginValidCode sends a code for a new device.
func (srv *Server) SendLoginValidCode(c *echo.Context, params wire.SendLoginValidCodeParams) error {
	in, _, err := body[wire.SendLoginCode](c)
	if err != nil {
		return err
	}
	err = srv.Traders.SendLoginCode(c.Request().Context(), trader.Credentials{Account: in.Account, Password: in.Password, Solution: valueOrZero(params.Verify), Device: device(c, ""), TraceID: traceID(c)})
	if err != nil {
		return err
	}
	return srv.reply(c, codeSent())
}

// Login opens a session.
func (srv *Server) Login(c *echo.Context) error {
	in, _, err := body[wire.Login](c)
	if err != nil {
		return err
	}
	credentials := trader.Credentials{Account: in.Account, Password: in.Password, Factor: valueOrZero(in.FactorCode), Device: device(c, in.DeviceId), TraceID: traceID(c)}
	if in.ValidCode != nil {
		credentials.Code = *in.ValidCode
	}
	opened, err := srv.Traders.Login(c.Request().Context(), credentials)
	if err != nil {
		return err
	}
	srv.mergeVisitor(c, opened.Trader, in.DeviceId)
	return srv.reply(c, srv.toSession(opened))
}

// LoginByCode exchanges a one-time code for a session.
func (srv *Server) LoginByCode(c *echo.Context) error {
	in, _, err := body[wire.LoginByCode](c)
	if err != nil {
		return err
	}
	opened, err := srv.Traders.LoginByCode(c.Request().Context(), in.Code, device(c, in.DeviceId), traceID(c))
	if err != nil {
		return err
	}
	return srv.reply(c, srv.toSession(opened))
}

// MiningLogin opens a guest's session.
func (srv *Server) MiningLogin(c *echo.Context, params wire.MiningLoginParams) error {
	in, _, err := body[wire.MiningLogin](c)
	if err != nil {
		return err
	}
	if !srv.supportsLanguage(in.Language) {
		return errs.Field("language", "field.choice")
	}
	target, err := optional("initAmount", in.InitAmount, money.Scale)
	if err != nil {
		return err
	}
	opened, err := srv.Traders.Try(c.Request().Context(), trader.Visit{Language: in.Language, Target: target, Solution: valueOrZero(params.Verify), Device: device(c, in.DeviceId), TraceID: traceID(c)})
	if err != nil {
		return err
	}
	return srv.reply(c, srv.toSession(opened))
}

// CreateLoginCode creates a one-time code.
func (srv *Server) CreateLoginCode(c *echo.Context) error {
	code, life, err := srv.Traders.CreateLoginCode(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	return srv.reply(c, wire.LoginCode{Code: code, ExpiresAfter: int(life.Seconds())})
}

// Logout ends the session.
func (srv *Server) Logout(c *echo.Context) error {
	if err := srv.Sessions.End(c.Request().Context(), principal(c).SessionID); err != nil {
		return err
	}
	c.Response().Header().Set("Clear-Site-Data", `"cache"`)
	return srv.reply(c, 1)
}

// RenewToken exchanges the session's token for a fresh one.
func (srv *Server) RenewToken(c *echo.Context) error {
	token, err := srv.Sessions.Renew(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	return srv.reply(c, token)
}

// FindUserInfo returns the logged-in trader.
func (srv *Server) FindUserInfo(c *echo.Context) error {
	t, account, err := srv.Traders.Find(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	user := srv.toUser(t, account)
	if user.Restrictions, err = srv.restrictions(c, t.ID); err != nil {
		return err
	}
	user.ClosesAt = wire.Moment(t.ClosesAt)
	return srv.reply(c, user)
}

// restrictions are the trader's restrictions by staff; nil without any.
func (srv *Server) restrictions(c *echo.Context, traderID int64) (*[]wire.Restriction, error) {
	list, err := srv.Traders.Restrictions(c.Request().Context(), traderID)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	out := make([]wire.Restriction, len(list))
	for i, r := range list {
		out[i] = wire.Restriction{Kind: wire.RestrictionKind(r.Kind), Reason: wire.RestrictionReason(r.Reason), Until: wire.Moment(r.UntilAt)}
	}
	return &out, nil
}

func (srv *Server) toSession(o trader.Opened) wire.Session {
	return wire.Session{Token: o.Token, User: srv.toUser(o.Trader, o.Account)}
}

func (srv *Server) toUser(t trader.Trader, a ledger.Account) wire.UserInfo {
	return wire.UserInfo{
		UserId: t.ID, UserName: t.MaskedName(), Mail: t.MaskedMail(), Type: a.Type, UserTag: wire.UserInfoUserTag(t.Tag(srv.now())), AuthStatus: t.AuthStatus,
		Country: t.Country, AccountId: a.ID, AccountNumber: a.Number, AccountName: nonEmpty(a.Name),
		Netting: a.Netting, LeverageCaps: srv.caps(t.Country), LeverageCeiling: wire.NonZero(a.LeverageCeiling),
	}
}

// caps are the highest leverages of a country, by class.
func (srv *Server) caps(country string) map[string]int {
	out := map[string]int{}
	for _, class := range market.Classes {
		if maximum := srv.Market.LeverageCap(class, country); maximum > 0 {
			out[string(class)] = maximum
		}
	}
	return out
}

// SwitchUser switches the session to another account.
func (srv *Server) SwitchUser(c *echo.Context, params wire.SwitchUserParams) error {
	mock := params.AccountType == trader.MockType || params.AccountType == trader.GuestType
	if params.AccountType != trader.Ordinary && !mock {
		return errs.Field("accountType", "field.choice")
	}
	target, err := optional("initAmount", params.InitAmount, money.Scale)
	if err != nil {
		return err
	}
	if target != nil && !mock && params.AccountId == nil {
		return errs.Field("initAmount", "field.unknown")
	}
	to := trader.Destination{AccountID: valueOrZero(params.AccountId), Type: int(params.AccountType), Target: target}
	opened, err := srv.Traders.Switch(c.Request().Context(), principal(c), to, from(c))
	if err != nil {
		return err
	}
	return srv.reply(c, srv.toSession(opened))
}

// FindFavouriteList returns the favourites.
func (srv *Server) FindFavouriteList(c *echo.Context) error {
	ids, err := srv.Traders.Favourites(c.Request().Context(), principal(c).TraderID)
	return srv.replyIDs(c, ids, err)
}

// UpdateFavouriteList replaces the favourites; unknown products are skipped.
func (srv *Server) UpdateFavouriteList(c *echo.Context) error {
	in, _, err := body[wire.Favourites](c)
	if err != nil {
		return err
	}
	if len(in.ProductIds) > 200 {
		return errs.Field("productIds", "field.range")
	}
	known := slices.DeleteFunc(in.ProductIds, func(id int) bool { _, err := srv.Market.Product(id); return err != nil })
	ids, err := srv.Traders.SetFavourites(c.Request().Context(), principal(c).TraderID, known)
	return srv.replyIDs(c, ids, err)
}

func (srv *Server) replyIDs(c *echo.Context, ids []int, err error) error {
	if err != nil {
		return err
	}
	if ids == nil {
		ids = []int{}
	}
	return srv.reply(c, ids)
}
