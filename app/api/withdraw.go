package api

import (
	"candor/app/wire"
	"errors"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/ledger"
	"candor/app/payee"
	"candor/app/platform/money"
	"candor/app/switches"
	"candor/app/withdrawal"
)

// FindWithdrawTerms returns the trader's current withdrawal limits.
func (srv *Server) FindWithdrawTerms(c *echo.Context) error {
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	t, err := srv.Withdrawals.Quota(c.Request().Context(), o)
	if err != nil {
		return err
	}
	out := wire.WithdrawTerms{
		Currency: t.Account.Currency, Balance: wire.USDT(t.Account.Cash), Bonus: wire.USDT(t.Account.Bonus), Available: wire.USDT(t.Free),
		Minimum: wire.USDT(t.Least), Maximum: wire.USDT(t.Most), DayLimit: wire.USDT(t.Day), DayLeft: wire.USDT(t.DayLeft), MonthLimit: wire.USDT(t.Month), MonthLeft: wire.USDT(t.MonthLeft),
		FeeRate: srv.Switches.Value(switches.WithdrawRateKey), Verified: t.Verified,
		Ways: []wire.WithdrawWay{},
	}
	for _, way := range t.Kinds {
		out.Ways = append(out.Ways, wire.WithdrawWay{Kind: wire.WithdrawWayKind(way.Kind), Fee: wire.USDT(way.Fee), ArrivalHours: int(way.Kind.Arrival() / time.Hour)})
	}
	if !t.LockedUntil.IsZero() {
		why := wire.WithdrawTermsHeldReason(t.LockReason)
		out.HeldUntil, out.HeldReason = wire.Milliseconds(t.LockedUntil), &why
	}
	return srv.reply(c, out)
}

// InsertBankWithdraw requests a withdrawal to a saved bank account.
func (srv *Server) InsertBankWithdraw(c *echo.Context, _ wire.InsertBankWithdrawParams) error {
	return srv.toBankAccount(c, withdrawal.ByBank)
}

// InsertDaifuWithdraw requests a withdrawal through a payment agent to a saved bank account.
func (srv *Server) InsertDaifuWithdraw(c *echo.Context, _ wire.InsertDaifuWithdrawParams) error {
	return srv.toBankAccount(c, withdrawal.ByAgent)
}

func (srv *Server) toBankAccount(c *echo.Context, kind withdrawal.Kind) error {
	w, err := readProven[wire.BankWithdraw](srv, c)
	if err != nil {
		return err
	}
	sum, err := amount("amount", w.in.Amount, money.Scale)
	if err != nil {
		return err
	}
	done, err := srv.Withdrawals.Request(c.Request().Context(), w.owner, kind, w.in.WalletId, sum, w.proof, w.request)
	return srv.answerWithdraw(c, done, err)
}

// InsertStandardWithdraw requests a withdrawal to a saved address.
func (srv *Server) InsertStandardWithdraw(c *echo.Context, _ wire.InsertStandardWithdrawParams) error {
	w, err := readProven[wire.StandardWithdraw](srv, c)
	if err != nil {
		return err
	}
	sum, err := amount("amount", w.in.Amount, money.Scale)
	if err != nil {
		return err
	}
	done, err := srv.Withdrawals.Request(c.Request().Context(), w.owner, withdrawal.Crypto, w.in.AddressId, sum, w.proof, w.request)
	return srv.answerWithdraw(c, done, err)
}

// GetUserWithdrawTokenConfigList returns the coins that can be withdrawn to addresses, with their chains.
func (srv *Server) GetUserWithdrawTokenConfigList(c *echo.Context) error {
	out := []wire.WithdrawToken{}
	coins, err := srv.Payees.Coins()
	if err != nil && !errors.Is(err, payee.ErrOff) {
		return err
	}
	for _, coin := range coins {
		if coin.ID != ledger.Currency {
			continue
		}
		var chains []string
		for _, chain := range coin.Chains {
			chains = append(chains, chain.ID)
		}
		out = append(out, wire.WithdrawToken{Coin: coin.ID, MainLinks: strings.Join(chains, ",")})
	}
	return srv.reply(c, out)
}

// CancelWithdraw cancels a withdrawal.
func (srv *Server) CancelWithdraw(c *echo.Context, _ wire.CancelWithdrawParams) error {
	in, raw, err := body[wire.WithdrawId](c)
	if err != nil {
		return err
	}
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	done, err := srv.Withdrawals.Cancel(c.Request().Context(), o, in.WithdrawId, srv.keyed(c, raw))
	return srv.answerWithdraw(c, done, err)
}

// ReplyWithdraw answers a question from staff.
func (srv *Server) ReplyWithdraw(c *echo.Context, _ wire.ReplyWithdrawParams) error {
	in, raw, err := body[wire.WithdrawReply](c)
	if err != nil {
		return err
	}
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	done, err := srv.Withdrawals.Reply(c.Request().Context(), o, in.WithdrawId, in.Answer, srv.keyed(c, raw))
	return srv.answerWithdraw(c, done, err)
}

// FindWithdrawPage returns the trader's withdrawals.
func (srv *Server) FindWithdrawPage(c *echo.Context, params wire.FindWithdrawPageParams) error {
	page, size, offset, err := pageOf(params.Page, params.Size, params.Next)
	if err != nil {
		return err
	}
	ctx, trader := c.Request().Context(), principal(c).TraderID
	total, more, err := srv.Withdrawals.Count(ctx, trader)
	if err != nil {
		return err
	}
	list, next, err := srv.Withdrawals.List(ctx, trader, withdrawal.Filter{Before: valueOrZero(params.Next), Offset: offset, Limit: size})
	if err != nil {
		return err
	}
	out := []wire.Withdraw{}
	for _, w := range list {
		holder, err := srv.Withdrawals.Holder(ctx, w)
		if err != nil {
			return err
		}
		out = append(out, withdrawOf(w, holder))
	}
	return srv.reply(c, wire.WithdrawPage{List: out, Total: total, More: more, Page: page, Size: size, Next: next})
}

// answerWithdraw writes the response of a keyed write on a withdrawal. The account holder's name is not kept with the result, so that it can be erased.
func (srv *Server) answerWithdraw(c *echo.Context, done withdrawal.Result, err error) error {
	holder := ""
	if err == nil && done.Value.Kind != withdrawal.Crypto {
		holder, err = srv.Withdrawals.HolderOf(c.Request().Context(), principal(c).TraderID, done.Value.ID)
	}
	return answer(c, done, err, func(w withdrawal.Withdrawal) wire.Withdraw { return withdrawOf(w, holder) })
}

// withdrawOf converts a withdrawal for its trader, with the holder's name; risk, staff's notes and names stay private.
func withdrawOf(w withdrawal.Withdrawal, holder string) wire.Withdraw {
	out := wire.Withdraw{
		WithdrawId: w.ID, WithdrawNo: w.Number(), Kind: wire.WithdrawKind(w.Kind), Currency: w.Currency, Amount: wire.USDT(w.Amount), Fee: wire.USDT(w.Fee), Net: wire.USDT(w.Net()),
		State: wire.WithdrawState(w.State), Cancellable: w.State.Cancellable(), Reason: w.Reason, Payment: w.Payment,
		CreatedAt: w.CreatedAt.UnixMilli(), MovedAt: w.MovedAt.UnixMilli(), PromisedAt: w.DueAt().UnixMilli(),
		QueuedAt: wire.Moment(w.QueuedAt), SentAt: wire.Moment(w.SentAt), EndedAt: wire.Moment(w.EndedAt),
	}
	if w.Kind == withdrawal.Crypto {
		name := chainOf(w.Chain).Name
		out.Chain, out.ChainName, out.Address = &w.Chain, &name, &w.Address
		if w.Memo != "" {
			out.Memo = &w.Memo
		}
	} else {
		out.Holder, out.Bank, out.Iban, out.Bic = &holder, &w.Bank, &w.IBAN, &w.BIC
	}
	if w.Answer != "" {
		out.Answer = &w.Answer
	}
	if w.SentID == nil {
		out.Payment = nil // unconfirmed: staff have entered it but not settled the payment
	}
	if w.Kind == withdrawal.Crypto && out.Payment != nil {
		if chain, known := payee.FindChain(w.Chain); known {
			link := chain.Transaction(*out.Payment)
			out.Explorer = &link
		}
	}
	if w.Required > 0 {
		out.Confirmations, out.Required = &w.Confirmations, &w.Required
	}
	return out
}
