package api

import (
	"strings"

	"github.com/labstack/echo/v5"

	"candor/app/deposit"
	"candor/app/payee"
)

// GetDepositAddress returns the trader's deposit address of a channel.
func (srv *Server) GetDepositAddress(c *echo.Context, params GetDepositAddressParams) error {
	return srv.depositAddress(c, int(params.ChannelId))
}

// InsertStandardRecharge starts a crypto deposit: it only needs an address to send to.
func (srv *Server) InsertStandardRecharge(c *echo.Context) error {
	in, _, err := body[StandardRecharge](c)
	if err != nil {
		return err
	}
	return srv.depositAddress(c, int(in.ChannelId))
}

func (srv *Server) depositAddress(c *echo.Context, channelID int) error {
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	a, ch, err := srv.Deposits.Address(c.Request().Context(), o, channelID)
	if err != nil {
		return err
	}
	least, _ := srv.Deposits.Limits(ch)
	chain := chainOf(ch.Chain)
	return srv.reply(c, DepositAddress{
		ChannelId: ch.ID, Coin: ch.Coin, Chain: ch.Chain, ChainName: chain.Name, Address: a.Address, Memo: a.Memo, Qr: a.Address, RechargeMin: usdt(least),
		Confirmations: nonZero(ch.Confirmations), Explorer: strings.ReplaceAll(chain.Explorer, "{address}", a.Address),
	})
}

// chainOf finds a network by its id; empty when it is unknown.
func chainOf(id string) payee.Chain {
	chain, _ := payee.FindChain(id)
	return chain
}

func nonEmpty(text string) *string { return nonZero(text) }

// nonZero returns a pointer to the value; nil for the zero value.
func nonZero[T comparable](value T) *T {
	var none T
	if value == none {
		return nil
	}
	return &value
}

// addCryptoFields adds the fields of a crypto deposit.
func addCryptoFields(out Recharge, dep deposit.Deposit) Recharge {
	if dep.Kind != deposit.Crypto {
		return out
	}
	out.Coin, out.Chain, out.TxHash, out.Dust = nonEmpty(dep.Coin), nonEmpty(dep.Chain), nonEmpty(dep.TxHash), nonEmpty(dep.Dust)
	out.Confirmations, out.Required = &dep.Confirmations, &dep.Required
	out.Explorer = nonEmpty(chainOf(dep.Chain).Transaction(dep.TxHash))
	return out
}
