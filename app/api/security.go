package api

import (
	"candor/app/wire"
	"strings"
	"unicode"

	"github.com/labstack/echo/v5"

	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/trader"
)

// SendPaymentPasswordValidCode sends the code for a new payment password.
func (srv *Server) SendPaymentPasswordValidCode(c *echo.Context) error {
	if err := srv.Traders.SendPaymentPasswordCode(c.Request().Context(), principal(c), c.RealIP()); err != nil {
		return err
	}
	return srv.reply(c, codeSent())
}

// SendMoneyOutValidCode sends the code for one act that moves money out.
func (srv *Server) SendMoneyOutValidCode(c *echo.Context) error {
	in, _, err := body[wire.SendMoneyOutValidCode](c)
	if err != nil {
		return err
	}
	act, words, err := srv.moneyOut(c, in)
	if err != nil {
		return err
	}
	if err := srv.Traders.SendMoneyOutCode(c.Request().Context(), principal(c), act, words, c.RealIP()); err != nil {
		return err
	}
	return srv.reply(c, codeSent())
}

// maxAddressLength is the longest address or IBAN as typed, in characters with blanks.
const maxAddressLength = 200

// moneyOut is the act that the code authorises, and the words that describe it to the trader.
func (srv *Server) moneyOut(c *echo.Context, in wire.SendMoneyOutValidCode) (m trader.MoneyOut, words map[string]any, err error) {
	act, err := trader.ParseMoneyOutAct(string(in.Act))
	if err != nil {
		return m, nil, err
	}
	m = trader.MoneyOut{Act: act, Payee: valueOrZero(in.PayeeId), Place: valueOrZero(in.Place)}
	switch m.Act {
	case trader.SaveAddress, trader.SaveAccount:
		place := strings.Join(strings.Fields(m.Place), "")
		if place == "" || len(m.Place) > maxAddressLength || strings.ContainsFunc(place, func(r rune) bool {
			return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ':'
		}) {
			return m, nil, errs.Field("place", "field.address")
		}
		if m.Act == trader.SaveAccount {
			place = "…" + place[max(0, len(place)-4):]
		}
		return m, map[string]any{"payee": place}, nil
	case trader.Withdraw:
		if m.Amount, err = amount("amount", valueOrZero(in.Amount), money.Scale); err != nil {
			return m, nil, err
		}
	case trader.OnlySaved, trader.NotOnlySaved:
		return m, nil, nil
	}
	if words, err = srv.Payees.Named(c.Request().Context(), principal(c).TraderID, m.Payee); err != nil {
		return m, nil, err
	}
	words["amount"] = money.Trim(m.Amount, money.Scale) + " " + ledger.Currency
	return m, words, nil
}

// SendFreezeValidCode sends the code for freezing the trader's own account.
func (srv *Server) SendFreezeValidCode(c *echo.Context) error {
	if err := srv.Traders.SendFreezeCode(c.Request().Context(), principal(c), c.RealIP()); err != nil {
		return err
	}
	return srv.reply(c, codeSent())
}

// FreezeAccount blocks withdrawals and log-ins, and ends every session.
func (srv *Server) FreezeAccount(c *echo.Context) error {
	in, _, err := body[wire.FreezeAccount](c)
	if err != nil {
		return err
	}
	if err := srv.Traders.Freeze(c.Request().Context(), principal(c), in.ValidCode, from(c)); err != nil {
		return err
	}
	return srv.reply(c, 1)
}

// UpdatePayPassword sets or changes the payment password.
func (srv *Server) UpdatePayPassword(c *echo.Context) error {
	in, _, err := body[wire.UpdatePayPassword](c)
	if err != nil {
		return err
	}
	change := trader.PaymentPasswordChange{New: in.NewPassword, Code: in.ValidCode, IP: c.RealIP(), Agent: c.Request().UserAgent(), TraceID: traceID(c)}
	switch {
	case in.OldPassword == nil && in.Password == nil:
		return errs.Field("oldPassword", "field.required")
	case in.OldPassword == nil:
		change.LoginPassword = *in.Password
		err = srv.Traders.SetPaymentPassword(c.Request().Context(), principal(c), change)
	case in.Password == nil:
		change.Old = *in.OldPassword
		err = srv.Traders.ChangePaymentPassword(c.Request().Context(), principal(c), change)
	default:
		return errs.Field("password", "field.unknown")
	}
	if err != nil {
		return err
	}
	return srv.FindSecurityInfo(c)
}

// ResetPayPassword replaces a forgotten payment password.
func (srv *Server) ResetPayPassword(c *echo.Context) error {
	in, _, err := body[wire.ResetPayPassword](c)
	if err != nil {
		return err
	}
	err = srv.Traders.ResetPaymentPassword(c.Request().Context(), principal(c), trader.PaymentPasswordChange{
		LoginPassword: in.Password, New: in.NewPassword, Code: in.ValidCode, IP: c.RealIP(), Agent: c.Request().UserAgent(), TraceID: traceID(c),
	})
	if err != nil {
		return err
	}
	return srv.FindSecurityInfo(c)
}

// FindSecurityInfo returns the account's security settings.
func (srv *Server) FindSecurityInfo(c *echo.Context) error {
	s, err := srv.Traders.Security(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	out := wire.SecurityInfo{
		Mail: s.Mail, Phone: s.Phone, Wallet: s.Wallet, PayPasswordSet: s.PaymentPasswordAt != nil, PayPasswordAt: wire.Moment(s.PaymentPasswordAt),
		PayPasswordLockedUntil: wire.Moment(s.LockedUntil), MoneyOutHeldUntil: wire.Moment(s.WithdrawalLockedUntil), LastLoginAt: wire.Milliseconds(s.LastLogin.LastSeenAt),
		PhraseSet: s.Phrase, Authenticator: s.Factors.AuthenticatorAt != nil, Passkeys: len(s.Factors.Passkeys), RecoveryCodes: s.Factors.RecoveryCodes,
	}
	if s.WithdrawalLockReason != "" {
		reason := wire.SecurityInfoMoneyOutHoldReason(s.WithdrawalLockReason)
		out.MoneyOutHoldReason = &reason
	}
	if s.LastLogin.Name != "" {
		out.LastLoginDevice = &s.LastLogin.Name
	}
	return srv.reply(c, out)
}
