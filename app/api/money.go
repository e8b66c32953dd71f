package api

import (
	"candor/app/wire"
	"context"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/platform/upload"
	"candor/app/switches"
)

// FindCurrencyMoneyList returns currencies with their limits.
func (srv *Server) FindCurrencyMoneyList(c *echo.Context) error {
	return srv.reply(c, []wire.CurrencyConfig{{
		CurrencyMedium: "usdt_usdt", RechargeMin: srv.Switches.Value("recharge.minimum"), RechargeMax: srv.Switches.Value("recharge.maximum"),
		WithdrawMin: srv.Switches.Value(switches.WithdrawMinKey), WithdrawMax: srv.Switches.Value(switches.WithdrawMaxKey),
	}})
}

// FindUserMoneyOnly returns the balance.
func (srv *Server) FindUserMoneyOnly(c *echo.Context) error {
	in, _, err := body[wire.MoneyQuery](c)
	if err != nil {
		return err
	}
	if in.AccountType != "contract" {
		return errs.Field("accountType", "field.choice")
	}
	if in.CurrencyType != ledger.Currency {
		return errs.Field("currencyType", "field.choice")
	}
	a, err := ledger.Find(c.Request().Context(), srv.Ledger, principal(c).TraderID, principal(c).AccountID)
	if err != nil {
		return err
	}
	underWay, err := srv.Withdrawals.UnderWayFrom(c.Request().Context(), a.TraderID, a.ID)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.Money{
		Balance: wire.USDT(a.Cash), Zengjin: wire.USDT(a.Bonus), UnderWay: wire.USDT(underWay), Deficit: wire.USDT(a.Debt()), Owed: wire.USDT(a.Owed), Available: wire.USDT(a.Cash),
	})
}

// UploadFileImg stores a picture.
func (srv *Server) UploadFileImg(c *echo.Context) error {
	trader := principal(c).TraderID
	form, err := srv.picture(c, proofSender(c), upload.Paper, func(ctx context.Context) error { return srv.Deposits.MaySaveFile(ctx, trader) })
	if err != nil {
		return err
	}
	saved, err := srv.Deposits.SaveFile(c.Request().Context(), trader, form.Picture)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.UploadedFile{File: saved.Name, Width: saved.Width, Height: saved.Height, Pages: wire.NonZero(saved.Pages)})
}

// GetPayChannelList returns the deposit channels.
func (srv *Server) GetPayChannelList(c *echo.Context) error {
	channels, err := srv.Deposits.Channels(c.Request().Context(), principal(c).Country)
	if err != nil {
		return err
	}
	closed, err := srv.Deposits.Networks(c.Request().Context(), principal(c).Country)
	if err != nil {
		return err
	}
	out := []wire.PayChannel{}
	for _, ch := range append(channels, closed...) {
		least, most := srv.Deposits.Limits(ch)
		life := ch.Life()
		out = append(out, wire.PayChannel{
			ChannelId: ch.ID, Kind: wire.PayChannelKind(ch.Kind), Name: ch.Name, Currency: ch.Currency, RechargeMin: wire.USDT(least), RechargeMax: wire.USDT(most),
			Bank: ch.Bank, Holder: ch.Holder, Iban: ch.IBAN, Bic: ch.BIC, Hours: int(life / time.Hour), Minutes: int(life / time.Minute), FeeRate: money.Trim(srv.Deposits.FeeRate(ch), money.Scale), Instructions: nonEmpty(ch.Instructions.In(language(c))),
			Coin: nonEmpty(ch.Coin), Chain: nonEmpty(ch.Chain), ChainName: nonEmpty(chainOf(ch.Chain).Name),
			Confirmations: wire.NonZero(ch.Confirmations), Closed: wire.NonZero(!ch.Enabled),
		})
	}
	return srv.reply(c, out)
}

// InsertBankRecharge announces a bank transfer.
func (srv *Server) InsertBankRecharge(c *echo.Context, _ wire.InsertBankRechargeParams) error {
	in, raw, err := body[wire.BankRecharge](c)
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
	done, err := srv.Deposits.Request(c.Request().Context(), o, int(in.ChannelId), sum, srv.keyed(c, raw))
	return answer(c, done, err, rechargeOf)
}

// UpdateRechargeProof submits the proof of a transfer.
func (srv *Server) UpdateRechargeProof(c *echo.Context, _ wire.UpdateRechargeProofParams) error {
	return writeRecharge(srv, c, func(ctx context.Context, o ledger.Owner, in wire.RechargeProof, r idempotency.Request) (deposit.Result, error) {
		return srv.Deposits.Prove(ctx, o, in.RechargeId, in.File, r)
	})
}

// CancelRecharge cancels a deposit request.
func (srv *Server) CancelRecharge(c *echo.Context, _ wire.CancelRechargeParams) error {
	return writeRecharge(srv, c, func(ctx context.Context, o ledger.Owner, in wire.RechargeId, r idempotency.Request) (deposit.Result, error) {
		return srv.Deposits.Cancel(ctx, o, in.RechargeId, r)
	})
}

// FindRechargePage returns the trader's deposits.
func (srv *Server) FindRechargePage(c *echo.Context, params wire.FindRechargePageParams) error {
	page, size, offset, err := pageOf(params.Page, params.Size, params.Next)
	if err != nil {
		return err
	}
	ctx, trader := c.Request().Context(), principal(c).TraderID
	total, more, err := srv.Deposits.Count(ctx, trader)
	if err != nil {
		return err
	}
	list, next, err := srv.Deposits.List(ctx, trader, deposit.Filter{Before: valueOrZero(params.Next), Offset: offset, Limit: size})
	if err != nil {
		return err
	}
	return srv.reply(c, wire.RechargePage{List: convertAll(list, rechargeOf), Total: total, More: more, Page: page, Size: size, Next: next})
}

// rechargeOf converts a deposit for its trader; staff's notes and names stay private.
func rechargeOf(dep deposit.Deposit) wire.Recharge {
	out := wire.Recharge{
		RechargeId: dep.ID, RechargeNo: dep.Number(), Kind: wire.RechargeKind(dep.Kind), ChannelId: dep.ChannelID, Currency: dep.Currency, Amount: wire.USDT(dep.Amount),
		FeeRate: money.Trim(dep.FeeRate, money.Scale), Reference: dep.Reference, State: wire.RechargeState(dep.State), Reason: dep.Reason, CreatedAt: dep.CreatedAt.UnixMilli(), ExpiresAt: valueOrZero(wire.Moment(dep.ExpiresAt)),
		ProofAt: wire.Moment(dep.ProvedAt()), DecidedAt: wire.Moment(dep.DecidedAt), PromisedAt: wire.Moment(dep.DueAt()), Cancellable: dep.Cancellable(),
	}
	providerDepositOf(&out, dep)
	if dep.State == deposit.Credited && dep.Received != nil {
		received, fee, credited := wire.USDT(*dep.Received), wire.USDT(dep.Fee), wire.USDT(*dep.Received-dep.Fee)
		out.Received, out.Fee, out.Credited = &received, &fee, &credited
	}
	return addCryptoFields(out, dep)
}
