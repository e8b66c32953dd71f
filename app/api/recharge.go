package api

import (
	"github.com/labstack/echo/v5"

	"candor/app/deposit"
	"candor/app/platform/money"
)

// InsertThirdPartyRecharge asks for a provider's page.
func (d *Door) InsertThirdPartyRecharge(c *echo.Context, _ InsertThirdPartyRechargeParams) error {
	return d.insertThrough(c, deposit.ThirdParty)
}

// InsertOtcRecharge asks for a merchant.
func (d *Door) InsertOtcRecharge(c *echo.Context, _ InsertOtcRechargeParams) error {
	return d.insertThrough(c, deposit.OTC)
}

func (d *Door) insertThrough(c *echo.Context, kind deposit.Kind) error {
	in, raw, err := body[ProviderRecharge](c)
	if err != nil {
		return err
	}
	sum, err := amount("amount", in.Amount, money.Scale)
	if err != nil {
		return err
	}
	o, err := d.owner(c)
	if err != nil {
		return err
	}
	bytes, err := d.Deposits.RequestThrough(c.Request().Context(), o, kind, in.ChannelId, sum, d.keyed(c, raw, toRecharge))
	return answer(c, bytes, err)
}

// UpdateRechargeAgreed agrees to an offer.
func (d *Door) UpdateRechargeAgreed(c *echo.Context, _ UpdateRechargeAgreedParams) error {
	in, raw, err := body[RechargeId](c)
	if err != nil {
		return err
	}
	o, err := d.owner(c)
	if err != nil {
		return err
	}
	bytes, err := d.Deposits.Agree(c.Request().Context(), o, in.RechargeId, d.keyed(c, raw, toRecharge))
	return answer(c, bytes, err)
}

// UpdateRechargePaid says that a payment was made.
func (d *Door) UpdateRechargePaid(c *echo.Context, _ UpdateRechargePaidParams) error {
	in, raw, err := body[RechargePaid](c)
	if err != nil {
		return err
	}
	o, err := d.owner(c)
	if err != nil {
		return err
	}
	bytes, err := d.Deposits.MarkPaid(c.Request().Context(), o, in.RechargeId, given(in.File), d.keyed(c, raw, toRecharge))
	return answer(c, bytes, err)
}

// InsertRechargeAppeal says what went wrong with a payment.
func (d *Door) InsertRechargeAppeal(c *echo.Context, _ InsertRechargeAppealParams) error {
	in, raw, err := body[RechargeAppeal](c)
	if err != nil {
		return err
	}
	o, err := d.owner(c)
	if err != nil {
		return err
	}
	bytes, err := d.Deposits.Appeal(c.Request().Context(), o, in.RechargeId, in.Appeal, given(in.File), d.keyed(c, raw, toRecharge))
	return answer(c, bytes, err)
}

// FindRecharge answers one of the trader's deposits.
func (d *Door) FindRecharge(c *echo.Context, params FindRechargeParams) error {
	dep, err := d.Deposits.Own(c.Request().Context(), principal(c).TraderID, params.RechargeId)
	if err != nil {
		return err
	}
	return d.reply(c, rechargeOf(dep))
}

// throughOf adds what a trader needs to know of a payment through a provider. Where to pay is told only while paying is possible, and not before an offer is agreed to.
func throughOf(out *Recharge, dep deposit.Deposit) {
	switch dep.State {
	case deposit.Redirected, deposit.ProviderPending:
		out.PayUrl = stated(dep.PayURL)
	case deposit.AwaitingPayment, deposit.MarkedPaid, deposit.Appealed:
		if dep.Agreed() {
			out.Merchant, out.MerchantBank, out.MerchantAccount = stated(dep.Merchant), stated(dep.MerchantBank), stated(dep.MerchantAccount)
		}
	}
	if dep.Offered() {
		out.Offer = &RechargeOffer{Currency: dep.OfferCurrency, Amount: usdt(dep.OfferAmount), Rate: usdt(dep.OfferRate), AgreedAt: moment(dep.AgreedAt)}
	}
	out.Appeal = stated(dep.Appeal)
	if dep.Appealable() {
		until := dep.ExpiresAt.Add(deposit.AppealLife)
		out.AppealUntil = moment(&until)
	}
}
