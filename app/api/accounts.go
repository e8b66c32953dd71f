package api

import (
	"github.com/labstack/echo/v5"

	"candor/app/ledger"
	"candor/app/trader"
	"candor/app/wire"
)

// FindAccountList returns the trading accounts. Before its first use the main mock account is listed as closed, while there is room for it.
func (srv *Server) FindAccountList(c *echo.Context) error {
	accounts, err := srv.Traders.Accounts(c.Request().Context(), principal(c).TraderID)
	if err != nil {
		return err
	}
	out := convertAll(accounts, accountOf)
	if n := len(accounts); n < trader.MostAccounts && (n == 0 || !accounts[n-1].Mock()) { // the mock ones are last
		out = append(out, wire.Account{AccountType: trader.MockType, Number: 1, Balance: wire.USDT(0), Currency: ledger.Currency})
	}
	return srv.reply(c, out)
}

func accountOf(a ledger.Account) wire.Account {
	return wire.Account{
		AccountId: a.ID, AccountType: a.Type, Number: a.Number, Name: a.Name, Open: true, Balance: wire.USDT(a.Cash), Currency: a.Currency,
		Netting: a.Netting, LeverageCeiling: a.LeverageCeiling,
	}
}

// OpenAccount opens another trading account.
func (srv *Server) OpenAccount(c *echo.Context, _ wire.OpenAccountParams) error {
	in, raw, err := body[wire.OpenAccount](c)
	if err != nil {
		return err
	}
	wanted := trader.AccountRequest{Mock: in.Mock, Name: in.Name, LeverageCeiling: in.LeverageCeiling, Netting: in.Netting}
	opened, err := srv.Traders.OpenAnother(c.Request().Context(), principal(c), wanted, from(c), srv.keyed(c, raw))
	return answer(c, opened, err, accountOf)
}

// RenameAccount sets what the trader calls an account.
func (srv *Server) RenameAccount(c *echo.Context) error {
	in, _, err := body[wire.RenameAccount](c)
	if err != nil {
		return err
	}
	account, err := srv.Traders.RenameAccount(c.Request().Context(), principal(c), in.AccountId, in.Name, from(c))
	if err != nil {
		return err
	}
	return srv.reply(c, accountOf(account))
}

// SetAccountLeverage sets the leverage ceiling of an account.
func (srv *Server) SetAccountLeverage(c *echo.Context) error {
	in, _, err := body[wire.SetAccountLeverage](c)
	if err != nil {
		return err
	}
	account, err := srv.Traders.SetLeverageCeiling(c.Request().Context(), principal(c), in.AccountId, in.LeverageCeiling, from(c))
	if err != nil {
		return err
	}
	return srv.reply(c, accountOf(account))
}
