package api

import (
	"candor/app/ledger"
	"candor/app/wire"
	"context"

	"github.com/labstack/echo/v5"

	"candor/app/deposit"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
)

// InsertThirdPartyRecharge starts a deposit on a provider's page.
func (srv *Server) InsertThirdPartyRecharge(c *echo.Context, _ wire.InsertThirdPartyRechargeParams) error {
	return srv.insertProviderDeposit(c, deposit.ThirdParty)
}

// InsertOtcRecharge starts a deposit with a merchant.
func (srv *Server) InsertOtcRecharge(c *echo.Context, _ wire.InsertOtcRechargeParams) error {
	return srv.insertProviderDeposit(c, deposit.OTC)
}

func (srv *Server) insertProviderDeposit(c *echo.Context, kind deposit.Kind) error {
	in, raw, err := body[wire.ProviderRecharge](c)
	if err != nil {
		return err
	}
	sum, err := amount("amount", in.Amount, money.Scale)
	if err != nil {
		return err
	}
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	done, err := srv.Deposits.RequestProviderDeposit(c.Request().Context(), o, kind, int(in.ChannelId), sum, srv.keyed(c, raw))
	return answer(c, done, err, rechargeOf)
}

// writeRecharge runs a keyed write on one of the trader's deposits and returns the deposit.
func writeRecharge[T any](srv *Server, c *echo.Context, act func(ctx context.Context, o ledger.Owner, in T, r idempotency.Request) (deposit.Result, error)) error {
	in, raw, err := body[T](c)
	if err != nil {
		return err
	}
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	done, err := act(c.Request().Context(), o, in, srv.keyed(c, raw))
	return answer(c, done, err, rechargeOf)
}

// UpdateRechargeAgreed agrees to an offer.
func (srv *Server) UpdateRechargeAgreed(c *echo.Context, _ wire.UpdateRechargeAgreedParams) error {
	return writeRecharge(srv, c, func(ctx context.Context, o ledger.Owner, in wire.RechargeId, r idempotency.Request) (deposit.Result, error) {
		return srv.Deposits.Agree(ctx, o, in.RechargeId, r)
	})
}

// UpdateRechargePaid marks a deposit as paid by the trader.
func (srv *Server) UpdateRechargePaid(c *echo.Context, _ wire.UpdateRechargePaidParams) error {
	return writeRecharge(srv, c, func(ctx context.Context, o ledger.Owner, in wire.RechargePaid, r idempotency.Request) (deposit.Result, error) {
		return srv.Deposits.MarkPaid(ctx, o, in.RechargeId, valueOrZero(in.File), r)
	})
}

// InsertRechargeAppeal submits an appeal about a payment.
func (srv *Server) InsertRechargeAppeal(c *echo.Context, _ wire.InsertRechargeAppealParams) error {
	return writeRecharge(srv, c, func(ctx context.Context, o ledger.Owner, in wire.RechargeAppeal, r idempotency.Request) (deposit.Result, error) {
		return srv.Deposits.Appeal(ctx, o, in.RechargeId, in.Appeal, valueOrZero(in.File), r)
	})
}

// FindRecharge returns one of the trader's deposits.
func (srv *Server) FindRecharge(c *echo.Context, params wire.FindRechargeParams) error {
	dep, err := srv.Deposits.Own(c.Request().Context(), principal(c).TraderID, params.RechargeId)
	if err != nil {
		return err
	}
	return srv.reply(c, rechargeOf(dep))
}

// providerDepositOf adds the fields of a provider deposit. The payment details are included only while paying is possible, and only after an offer is agreed
// to.
func providerDepositOf(out *wire.Recharge, dep deposit.Deposit) {
	switch dep.State {
	case deposit.Redirected, deposit.ProviderPending:
		out.PayUrl = nonEmpty(dep.PayURL)
	case deposit.AwaitingPayment, deposit.MarkedPaid, deposit.Appealed:
		if dep.Agreed() {
			out.Merchant, out.MerchantBank, out.MerchantAccount = nonEmpty(dep.Merchant), nonEmpty(dep.MerchantBank), nonEmpty(dep.MerchantAccount)
		}
	}
	if dep.Offered() {
		out.Offer = &wire.RechargeOffer{Currency: dep.OfferCurrency, Amount: wire.USDT(dep.OfferAmount), Rate: wire.USDT(dep.OfferRate), AgreedAt: wire.Moment(dep.AgreedAt)}
	}
	out.Appeal = nonEmpty(dep.Appeal)
	if dep.Appealable() {
		until := dep.ExpiresAt.Add(deposit.AppealLife)
		out.AppealUntil = wire.Moment(&until)
	}
}
