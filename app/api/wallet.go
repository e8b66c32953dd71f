package api

import (
	"candor/app/wire"
	"strconv"
	"strings"

	"github.com/labstack/echo/v5"

	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/wallet"
)

// FindByWalletList returns all of the trader's balances.
func (srv *Server) FindByWalletList(c *echo.Context) error {
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	v, err := srv.Wallets.List(c.Request().Context(), o)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.Wallet{Total: wire.USDT(v.Total), Totals: convertAll(v.Totals, walletTotalOf), Complete: v.Complete, Accounts: convertAll(v.Holdings, walletAccountOf)})
}

func walletTotalOf(t wallet.Total) wire.WalletTotal {
	return wire.WalletTotal{Currency: wire.WalletCurrency(t.Code), Amount: money.Trim(t.Amount, t.Scale), PerUsdt: money.Trim(t.PerUSDT, wallet.RateScale)}
}

func walletAccountOf(h wallet.Holding) wire.WalletAccount {
	scale := h.ScaleOf()
	text := func(v int64) string { return money.Trim(v, scale) }
	out := wire.WalletAccount{
		AccountId: h.ID, Kind: wire.WalletKind(h.Kind), Number: max(1, h.Number), Name: h.Name, Currency: wire.WalletCurrency(h.Currency), Scale: scale, Balance: text(h.Cash), Bonus: text(h.Bonus),
		Deficit: text(h.Debt()), Available: text(h.Available),
	}
	if h.Worth != nil {
		worth := wire.USDT(*h.Worth)
		out.ValueUsdt = &worth
	}
	return out
}

// FindNewWalletExchange returns a quoted rate for an exchange.
func (srv *Server) FindNewWalletExchange(c *echo.Context, params wire.FindNewWalletExchangeParams) error {
	given := wallet.PaidSide
	if params.Given != nil {
		if given = wallet.GivenSide(*params.Given); given != wallet.PaidSide && given != wallet.ReceivedSide {
			return errs.Field("given", "field.choice")
		}
	}
	of, name := params.From, "from"
	if given == wallet.ReceivedSide {
		of, name = params.To, "to"
	}
	unit, ok := ledger.DenominationOf(string(of))
	if !ok {
		return errs.Field(name, "field.choice")
	}
	sum, err := amount("amount", params.Amount, unit.Scale)
	if err != nil {
		return err
	}
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	q, err := srv.Wallets.Quote(c.Request().Context(), o, string(params.From), string(params.To), given, sum)
	if err != nil {
		return err
	}
	return srv.reply(c, srv.exchangeQuoteOf(q))
}

func (srv *Server) exchangeQuoteOf(q wallet.Quote) wire.ExchangeQuote {
	return wire.ExchangeQuote{
		QuoteId: q.ID, From: wire.WalletCurrency(q.FromCurrency), To: wire.WalletCurrency(q.ToCurrency), FromAmount: formatAmount(q.FromAmount, q.FromCurrency),
		ToAmount: formatAmount(q.ToAmount, q.ToCurrency), Rate: money.Trim(q.Rate, wallet.RateScale), Spread: wire.USDT(q.Spread), Fee: formatAmount(q.Fee, q.ToCurrency),
		Sold: srv.exchangePrice(q.SellProduct, q.SellSeq, q.SellPrice), Bought: srv.exchangePrice(q.BuyProduct, q.BuySeq, q.BuyPrice),
		ExpiresAt: q.ExpiresAt.UnixMilli(), LifeMs: max(0, q.ExpiresAt.Sub(srv.now()).Milliseconds()),
	}
}

func (srv *Server) exchangePrice(product *int, seq, price *int64) *wire.ExchangePrice {
	if product == nil {
		return nil
	}
	return &wire.ExchangePrice{ProductId: *product, Sequence: *seq, Price: srv.convert.Price(*product, *price)}
}

// formatAmount formats an amount of a currency.
func formatAmount(v int64, currency string) string {
	return money.Trim(v, ledger.Account{Currency: currency}.ScaleOf())
}

// InsertExchange executes a quoted exchange.
func (srv *Server) InsertExchange(c *echo.Context, _ wire.InsertExchangeParams) error {
	in, raw, err := body[wire.InsertExchange](c)
	if err != nil {
		return err
	}
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	done, err := srv.Wallets.Exchange(c.Request().Context(), o, in.QuoteId, srv.keyed(c, raw))
	return answer(c, done, err, srv.exchangeOf)
}

// FindExchange returns one exchange.
func (srv *Server) FindExchange(c *echo.Context, params wire.FindExchangeParams) error {
	e, err := srv.Wallets.FindExchange(c.Request().Context(), principal(c).TraderID, params.ExchangeId)
	if err != nil {
		return err
	}
	return srv.reply(c, srv.exchangeOf(e))
}

func (srv *Server) exchangeOf(e wallet.Exchange) wire.ExchangeDone {
	q := e.Quote
	return wire.ExchangeDone{
		ExchangeId: e.ID, ExchangeNo: e.Number(), From: wire.WalletCurrency(q.FromCurrency), To: wire.WalletCurrency(q.ToCurrency), FromAmount: formatAmount(q.FromAmount, q.FromCurrency),
		ToAmount: formatAmount(q.ToAmount, q.ToCurrency), Rate: money.Trim(q.Rate, wallet.RateScale), Fee: formatAmount(q.Fee, q.ToCurrency), Spread: wire.USDT(q.Spread),
		Sold: srv.exchangePrice(q.SellProduct, q.SellSeq, q.SellPrice), Bought: srv.exchangePrice(q.BuyProduct, q.BuySeq, q.BuyPrice), Time: e.CreatedAt.UnixMilli(),
	}
}

// InsertTransfer moves USDT between the trader's accounts.
func (srv *Server) InsertTransfer(c *echo.Context, _ wire.InsertTransferParams) error {
	in, raw, err := body[wire.InsertTransfer](c)
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
	done, err := srv.Wallets.Transfer(c.Request().Context(), o, transferEnd(in.From, in.FromAccount), transferEnd(in.To, in.ToAccount), sum, srv.keyed(c, raw))
	return answer(c, done, err, transferOf)
}

func transferEnd(kind wire.WalletKind, account *int64) wallet.End {
	return wallet.End{Kind: ledger.Kind(kind), AccountID: valueOrZero(account)}
}

// FindTransfer returns one transfer.
func (srv *Server) FindTransfer(c *echo.Context, params wire.FindTransferParams) error {
	t, err := srv.Wallets.FindTransfer(c.Request().Context(), principal(c).TraderID, params.TransferId)
	if err != nil {
		return err
	}
	return srv.reply(c, transferOf(t))
}

func transferOf(t wallet.Transfer) wire.TransferDone {
	return wire.TransferDone{
		TransferId: t.ID, TransferNo: t.Number(), From: wire.WalletKind(t.From), To: wire.WalletKind(t.To), FromAccount: t.FromAccount, ToAccount: t.ToAccount, Currency: wire.WalletCurrency(t.Currency), Amount: formatAmount(t.Amount, t.Currency),
		Time: t.CreatedAt.UnixMilli(),
	}
}

// ownAccount is one of the trader's accounts in the session's book; the session's account by default. It refuses any other account as unknown.
func (srv *Server) ownAccount(c *echo.Context, id *wire.OfAccount) (ledger.Account, error) {
	p := principal(c)
	wanted := p.AccountID
	if id != nil {
		wanted = *id
	}
	account, err := ledger.Find(c.Request().Context(), srv.Ledger, p.TraderID, wanted)
	if err == nil && account.Mock() != p.Mock() {
		return account, ledger.ErrAccount
	}
	return account, err
}

// FindLedgerPage returns an account's entries.
func (srv *Server) FindLedgerPage(c *echo.Context, params wire.FindLedgerPageParams) error {
	size, err := keysetSize(params.Size, 100)
	if err != nil {
		return err
	}
	filter, err := statementFilter(params.Kind, params.StartTime, params.EndTime)
	if err != nil {
		return err
	}
	account, err := srv.ownAccount(c, params.AccountId)
	if err != nil {
		return err
	}
	filter.Before, filter.Limit = valueOrZero(params.Next), size
	lines, next, err := ledger.Statement(c.Request().Context(), srv.Ledger, account.ID, filter)
	if err != nil {
		return err
	}
	after, err := ledger.BalancesAfter(c.Request().Context(), srv.Ledger, account.ID, lines)
	if err != nil {
		return err
	}
	list := make([]wire.LedgerLine, len(lines))
	for i, l := range lines {
		list[i] = wire.LedgerLine{
			Id: l.ID, Time: l.At.UnixMilli(), Kind: l.Kind, Cause: l.Cause, Bucket: wire.LedgerLineBucket(shownBucket(l.Bucket)), Amount: formatAmount(l.Amount, account.Currency), Currency: account.Currency,
		}
		if held, known := after[l.ID]; known {
			text := formatAmount(held, account.Currency)
			list[i].BalanceAfter = &text
		}
	}
	if err := srv.addReceipts(c, account.ID, lines, list); err != nil {
		return err
	}
	if err := srv.explain(c, account.ID, list); err != nil {
		return err
	}
	return srv.reply(c, wire.LedgerPage{List: list, Next: next})
}

// explain adds the reasons of adjustments.
func (srv *Server) explain(c *echo.Context, accountID int64, list []wire.LedgerLine) error {
	var ids []int64
	for _, line := range list {
		if id := adjustmentID(line); id != 0 {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	reasons, err := srv.Adjustments.Reasons(c.Request().Context(), accountID, ids)
	if err != nil {
		return err
	}
	for i, line := range list {
		if reason := wire.LedgerLineReason(reasons[adjustmentID(line)]); reason != "" {
			list[i].Reason = &reason
		}
	}
	return nil
}

// adjustmentID is the id of an entry's adjustment; 0 for other entries.
func adjustmentID(line wire.LedgerLine) int64 {
	text, found := strings.CutPrefix(line.Cause, "adjustment:")
	id, err := strconv.ParseInt(text, 10, 64)
	if !found || err != nil {
		return 0
	}
	return id
}

// addReceipts adds the fill or charge to each entry of a deal, for its receipt.
func (srv *Server) addReceipts(c *echo.Context, accountID int64, lines []ledger.Line, list []wire.LedgerLine) error {
	of, booked := map[string][]int64{}, []int64{}
	for _, l := range lines {
		word, text, _ := strings.Cut(l.Cause, ":")
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			of[word] = append(of[word], id)
			booked = append(booked, l.TransactionID)
		}
	}
	ctx := c.Request().Context()
	fills, err := srv.Trading.FillsOf(ctx, accountID, of["order"])
	if err != nil {
		return err
	}
	charges, err := srv.Trading.ChargesOf(ctx, accountID, of["position"], booked)
	if err != nil {
		return err
	}
	for i, l := range lines {
		if id, ok := fills[l.TransactionID]; ok {
			list[i].FillId = &id
		}
		if id, ok := charges[l.TransactionID]; ok {
			list[i].ChargeId = &id
		}
	}
	return nil
}

// shownBucket is a bucket as traders see it: all debt is one sum.
func shownBucket(b ledger.Bucket) ledger.Bucket {
	if b == ledger.Owed {
		return ledger.Deficit
	}
	return b
}
