package api

import (
	"github.com/labstack/echo/v5"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/session"
	"candor/app/trader"
)

// SendRegisterValidCode sends a code to a new address.
func (d *Door) SendRegisterValidCode(c *echo.Context, params SendRegisterValidCodeParams) error {
	in, _, err := body[SendCode](c)
	if err != nil {
		return err
	}
	if err := d.Traders.SendRegisterCode(c.Request().Context(), in.Account, language(c), given(params.Verify), c.RealIP()); err != nil {
		return err
	}
	return d.reply(c, codeSent())
}

// SendForgetPasswordValidCode sends the code that replaces a forgotten password.
func (d *Door) SendForgetPasswordValidCode(c *echo.Context, params SendForgetPasswordValidCodeParams) error {
	in, _, err := body[SendCode](c)
	if err != nil {
		return err
	}
	if err := d.Traders.SendForgottenPasswordCode(c.Request().Context(), in.Account, given(params.Verify), c.RealIP()); err != nil {
		return err
	}
	return d.reply(c, codeSent())
}

// ForgetUserPassword replaces a forgotten password.
func (d *Door) ForgetUserPassword(c *echo.Context) error {
	in, _, err := body[ForgetUserPassword](c)
	if err != nil {
		return err
	}
	forgotten := trader.ForgottenPassword{Account: in.Account, New: in.Password, Code: in.ValidCode, From: from(c)}
	if err := d.Traders.ReplaceForgottenPassword(c.Request().Context(), forgotten); err != nil {
		return err
	}
	return d.reply(c, 1)
}

// GetVerify answers a challenge to solve.
func (d *Door) GetVerify(c *echo.Context) error {
	challenge, err := d.Sessions.NewChallenge(c.Request().Context(), c.RealIP())
	if err != nil {
		return err
	}
	return d.reply(c, Verify{Challenge: challenge.Text, Difficulty: challenge.Difficulty, ExpiresAfter: int(session.ChallengeLife.Seconds())})
}

func codeSent() CodeSent {
	return CodeSent{ResendAfter: int(session.ResendAfter.Seconds()), ExpiresAfter: int(session.CodeLife.Seconds())}
}

// Register makes a trader.
func (d *Door) Register(c *echo.Context) error {
	in, _, err := body[Register](c)
	if err != nil {
		return err
	}
	r := trader.Registration{
		Account: in.Account, Password: in.Password, Code: in.ValidCode, Country: in.Country, Language: in.Language,
		Accepted: in.Accepted, Device: device(c, in.DeviceId), TraceID: traceID(c),
	}
	if in.InvitationCode != nil {
		r.Invitation = *in.InvitationCode
	}
	if !d.speaks(in.Language) {
		return errs.Field("language", "field.choice")
	}
	opened, err := d.Traders.Register(c.Request().Context(), r)
	if err != nil {
		return err
	}
	d.adopt(c, opened.Trader, in.DeviceId)
	return d.reply(c, d.toSession(opened))
}

func (d *Door) speaks(code string) bool {
	for _, l := range d.config.Languages {
		if l.Code == code {
			return true
		}
	}
	return false
}

// SendLoginValidCode sends a code for a new device.
func (d *Door) SendLoginValidCode(c *echo.Context, params SendLoginValidCodeParams) error {
	in, _, err := body[SendLoginCode](c)
	if err != nil {
		return err
	}
	err = d.Traders.SendLoginCode(c.Request().Context(), trader.Credentials{Account: in.Account, Password: in.Password, Solution: given(params.Verify), Device: device(c, ""), TraceID: traceID(c)})
	if err != nil {
		return err
	}
	return d.reply(c, codeSent())
}

// Login opens a session.
func (d *Door) Login(c *echo.Context) error {
	in, _, err := body[Login](c)
	if err != nil {
		return err
	}
	credentials := trader.Credentials{Account: in.Account, Password: in.Password, Device: device(c, in.DeviceId), TraceID: traceID(c)}
	if in.ValidCode != nil {
		credentials.Code = *in.ValidCode
	}
	opened, err := d.Traders.Login(c.Request().Context(), credentials)
	if err != nil {
		return err
	}
	d.adopt(c, opened.Trader, in.DeviceId)
	return d.reply(c, d.toSession(opened))
}

// LoginByCode exchanges a one-time code.
func (d *Door) LoginByCode(c *echo.Context) error {
	in, _, err := body[LoginByCode](c)
	if err != nil {
		return err
	}
	opened, err := d.Traders.LoginByCode(c.Request().Context(), in.Code, device(c, in.DeviceId), traceID(c))
	if err != nil {
		return err
	}
	return d.reply(c, d.toSession(opened))
}

// MiningLogin lets a visitor in as a guest.
func (d *Door) MiningLogin(c *echo.Context, params MiningLoginParams) error {
	in, _, err := body[MiningLogin](c)
	if err != nil {
		return err
	}
	if !d.speaks(in.Language) {
		return errs.Field("language", "field.choice")
	}
	target, err := optional("initAmount", in.InitAmount, money.Scale)
	if err != nil {
		return err
	}
	opened, err := d.Traders.Try(c.Request().Context(), trader.Visit{Language: in.Language, Target: target, Solution: given(params.Verify), Device: device(c, in.DeviceId), TraceID: traceID(c)})
	if err != nil {
		return err
	}
	return d.reply(c, d.toSession(opened))
}

// CreateLoginCode makes a one-time code.
func (d *Door) CreateLoginCode(c *echo.Context) error {
	code, life, err := d.Traders.CreateLoginCode(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	return d.reply(c, LoginCode{Code: code, ExpiresAfter: int(life.Seconds())})
}

// Logout ends the session.
func (d *Door) Logout(c *echo.Context) error {
	if err := d.Sessions.End(c.Request().Context(), principal(c).SessionID); err != nil {
		return err
	}
	c.Response().Header().Set("Clear-Site-Data", `"cache"`)
	return d.reply(c, 1)
}

// FindUserInfo answers who is logged in.
func (d *Door) FindUserInfo(c *echo.Context) error {
	t, account, err := d.Traders.Find(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	user := d.toUser(t, account)
	if user.Restrictions, err = d.restrictions(c, t.ID); err != nil {
		return err
	}
	return d.reply(c, user)
}

// restrictions are what staff keep a trader from, or nil.
func (d *Door) restrictions(c *echo.Context, traderID int64) (*[]Restriction, error) {
	list, err := d.Traders.Restrictions(c.Request().Context(), traderID)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	out := make([]Restriction, len(list))
	for i, r := range list {
		out[i] = Restriction{Kind: RestrictionKind(r.Kind), Reason: RestrictionReason(r.Reason), Until: moment(r.UntilAt)}
	}
	return &out, nil
}

func (d *Door) toSession(o trader.Opened) Session {
	return Session{Token: o.Token, User: d.toUser(o.Trader, o.Account)}
}

func (d *Door) toUser(t trader.Trader, a ledger.Account) UserInfo {
	return UserInfo{
		UserId: t.ID, UserName: t.MaskedName(), Mail: t.MaskedMail(), Type: a.Type, UserTag: t.UserTag, AuthStatus: t.AuthStatus,
		Country: t.Country, AccountId: a.ID, Netting: a.Netting, LeverageCaps: d.caps(t.Country),
	}
}

// caps are the highest leverages of a country, by class.
func (d *Door) caps(country string) map[string]int {
	out := map[string]int{}
	for _, class := range market.Classes {
		if maximum := d.Market.LeverageCap(class, country); maximum > 0 {
			out[string(class)] = maximum
		}
	}
	return out
}

// SwitchUser changes the account.
func (d *Door) SwitchUser(c *echo.Context, params SwitchUserParams) error {
	mock := params.AccountType == trader.MockType || params.AccountType == trader.GuestType
	if params.AccountType != trader.Ordinary && !mock {
		return errs.Field("accountType", "field.choice")
	}
	target, err := optional("initAmount", params.InitAmount, money.Scale)
	if err != nil {
		return err
	}
	if target != nil && !mock {
		return errs.Field("initAmount", "field.unknown")
	}
	opened, err := d.Traders.Switch(c.Request().Context(), principal(c), int(params.AccountType), target, from(c))
	if err != nil {
		return err
	}
	return d.reply(c, d.toSession(opened))
}

// FindAccountList answers the accounts to change to.
func (d *Door) FindAccountList(c *echo.Context) error {
	accounts, err := d.Traders.Accounts(c.Request().Context(), principal(c).TraderID)
	if err != nil {
		return err
	}
	mock := Account{AccountType: trader.MockType, Balance: usdt(0), Currency: ledger.Currency} // a guest's is open, as type 8
	out := []Account{}
	for _, a := range accounts {
		one := Account{AccountType: a.Type, Open: true, Balance: usdt(a.Worth()), Currency: a.Currency}
		if a.Mock() {
			mock = one
			continue
		}
		out = append(out, one)
	}
	return d.reply(c, append(out, mock))
}

// FindFavouriteList answers the favourites.
func (d *Door) FindFavouriteList(c *echo.Context) error {
	ids, err := d.Traders.Favourites(c.Request().Context(), principal(c).TraderID)
	return d.replyIDs(c, ids, err)
}

// UpdateFavouriteList replaces the favourites.
func (d *Door) UpdateFavouriteList(c *echo.Context) error {
	in, _, err := body[Favourites](c)
	if err != nil {
		return err
	}
	if len(in.ProductIds) > 200 {
		return errs.Field("productIds", "field.range")
	}
	ids, err := d.Traders.SetFavourites(c.Request().Context(), principal(c).TraderID, in.ProductIds)
	return d.replyIDs(c, ids, err)
}

func (d *Door) replyIDs(c *echo.Context, ids []int, err error) error {
	if err != nil {
		return err
	}
	if ids == nil {
		ids = []int{}
	}
	return d.reply(c, ids)
}
