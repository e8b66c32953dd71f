package api

import (
	"context"

	"github.com/labstack/echo/v5"

	"candor/app/deposit"
	"candor/app/platform/money"
	"candor/app/platform/once"
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
	bytes, err := d.Deposits.RequestThrough(c.Request().Context(), o, kind, int(in.ChannelId), sum, d.keyed(c, raw, toRecharge))
	return answer(c, bytes, err)
}

// writeRecharge is a keyed write about one of the trader's deposits, which answers with it.
func writeRecharge[T any](d *Door, c *echo.Context, act func(ctx context.Context, o deposit.Owner, in T, r once.Request) ([]byte, error)) error {
	in, raw, err := body[T](c)
	if err != nil {
		return err
	}
	o, err := d.owner(c)
	if err != nil {
		return err
	}
	bytes, err := act(c.Request().Context(), o, in, d.keyed(c, raw, toRecharge))
	return answer(c, bytes, err)
}

// UpdateRechargeAgreed agrees to an offer.
func (d *Door) UpdateRechargeAgreed(c *echo.Context, _ UpdateRechargeAgreedParams) error {
	return writeRecharge(d, c, func(ctx context.Context, o deposit.Owner, in RechargeId, r once.Request) ([]byte, error) {
		return d.Deposits.Agree(ctx, o, in.RechargeId, r)
	})
}

// UpdateRechargePaid says that a payment was made.
func (d *Door) UpdateRechargePaid(c *echo.Context, _ UpdateRechargePaidParams) error {
	return writeRecharge(d, c, func(ctx context.Context, o deposit.Owner, in RechargePaid, r once.Request) ([]byte, error) {
		return d.Deposits.MarkPaid(ctx, o, in.RechargeId, given(in.File), r)
	})
}

// InsertRechargeAppeal says what went wrong with a payment.
func (d *Door) InsertRechargeAppeal(c *echo.Context, _ InsertRechargeAppealParams) error {
	return writeRecharge(d, c, func(ctx context.Context, o deposit.Owner, in RechargeAppeal, r once.Request) ([]byte, error) {
		return d.Deposits.Appeal(ctx, o, in.RechargeId, in.Appeal, given(in.File), r)
	})
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
