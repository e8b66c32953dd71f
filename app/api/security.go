package api

import (
	"github.com/labstack/echo/v5"

	"candor/app/platform/errs"
	"candor/app/trader"
)

// SendPaymentPasswordValidCode sends the code for a new payment password.
func (d *Door) SendPaymentPasswordValidCode(c *echo.Context) error {
	if err := d.Traders.SendPaymentPasswordCode(c.Request().Context(), principal(c), c.RealIP()); err != nil {
		return err
	}
	return d.reply(c, codeSent())
}

// SendMoneyOutValidCode sends the code for money out.
func (d *Door) SendMoneyOutValidCode(c *echo.Context) error {
	if err := d.Traders.SendMoneyOutCode(c.Request().Context(), principal(c), c.RealIP()); err != nil {
		return err
	}
	return d.reply(c, codeSent())
}

// SendFreezeValidCode sends the code for freezing one's own account.
func (d *Door) SendFreezeValidCode(c *echo.Context) error {
	if err := d.Traders.SendFreezeCode(c.Request().Context(), principal(c), c.RealIP()); err != nil {
		return err
	}
	return d.reply(c, codeSent())
}

// FreezeAccount freezes money out and logging in, and ends every session.
func (d *Door) FreezeAccount(c *echo.Context) error {
	in, _, err := body[FreezeAccount](c)
	if err != nil {
		return err
	}
	if err := d.Traders.Freeze(c.Request().Context(), principal(c), in.ValidCode, from(c)); err != nil {
		return err
	}
	return d.reply(c, 1)
}

// UpdatePayPassword sets the first payment password or changes it.
func (d *Door) UpdatePayPassword(c *echo.Context) error {
	in, _, err := body[UpdatePayPassword](c)
	if err != nil {
		return err
	}
	change := trader.PaymentPasswordChange{New: in.NewPassword, Code: in.ValidCode, IP: c.RealIP(), Agent: c.Request().UserAgent(), TraceID: traceID(c)}
	switch {
	case in.OldPassword == nil && in.Password == nil:
		return errs.Field("oldPassword", "field.required")
	case in.OldPassword == nil:
		change.LoginPassword = *in.Password
		err = d.Traders.SetPaymentPassword(c.Request().Context(), principal(c), change)
	case in.Password == nil:
		change.Old = *in.OldPassword
		err = d.Traders.ChangePaymentPassword(c.Request().Context(), principal(c), change)
	default:
		return errs.Field("password", "field.unknown")
	}
	if err != nil {
		return err
	}
	return d.FindSecurityInfo(c)
}

// ResetPayPassword replaces a forgotten payment password.
func (d *Door) ResetPayPassword(c *echo.Context) error {
	in, _, err := body[ResetPayPassword](c)
	if err != nil {
		return err
	}
	err = d.Traders.ResetPaymentPassword(c.Request().Context(), principal(c), trader.PaymentPasswordChange{
		LoginPassword: in.Password, New: in.NewPassword, Code: in.ValidCode, IP: c.RealIP(), Agent: c.Request().UserAgent(), TraceID: traceID(c),
	})
	if err != nil {
		return err
	}
	return d.FindSecurityInfo(c)
}

// FindSecurityInfo answers how the account is guarded.
func (d *Door) FindSecurityInfo(c *echo.Context) error {
	s, err := d.Traders.Security(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	out := SecurityInfo{
		Mail: s.Mail, Phone: s.Phone, PayPasswordSet: s.PaymentPasswordAt != nil, PayPasswordAt: moment(s.PaymentPasswordAt),
		PayPasswordLockedUntil: moment(s.LockedUntil), MoneyOutHeldUntil: moment(s.HeldUntil), LastLoginAt: milliseconds(s.LastLogin.LastSeenAt),
	}
	if s.HoldReason != "" {
		reason := SecurityInfoMoneyOutHoldReason(s.HoldReason)
		out.MoneyOutHoldReason = &reason
	}
	if s.LastLogin.Name != "" {
		out.LastLoginDevice = &s.LastLogin.Name
	}
	return d.reply(c, out)
}
