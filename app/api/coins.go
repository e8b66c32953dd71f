package api

import (
	"candor/app/wire"
	"strings"

	"github.com/labstack/echo/v5"

	"candor/app/deposit"
	"candor/app/payee"
)

// GetDepositAddress returns the trader's deposit address of a channel.
func (srv *Server) GetDepositAddress(c *echo.Context, params wire.GetDepositAddressParams) error {
	return srv.depositAddress(c, int(params.ChannelId))
}

// InsertStandardRecharge starts a crypto deposit: it only needs an address to send to.
func (srv *Server) InsertStandardRecharge(c *echo.Context) error {
	in, _, err := body[wire.StandardRecharge](c)
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
	return srv.reply(c, wire.DepositAddress{
		ChannelId: ch.ID, Coin: ch.Coin, Chain: ch.Chain, ChainName: chain.Name, Address: a.Address, Memo: a.Memo, Qr: a.Address, RechargeMin: wire.USDT(least),
		Confirmations: wire.NonZero(ch.Confirmations), Explorer: strings.ReplaceAll(chain.Explorer, "{address}", a.Address),
	})
}

// chainOf finds a network by its id; empty when it is unknown.
func chainOf(id string) payee.Chain {
	chain, _ := payee.FindChain(id)
	return chain
}

func nonEmpty(text string) *string { return wire.NonZero(text) }

// addCryptoFields adds the fields of a crypto deposit.
func addCryptoFields(out wire.Recharge, dep deposit.Deposit) wire.Recharge {
	if dep.Kind != deposit.Crypto {
		return out
	}
	out.Coin, out.Chain, out.TxHash, out.Dust = nonEmpty(dep.Coin), nonEmpty(dep.Chain), nonEmpty(dep.TxHash), nonEmpty(dep.Dust)
	out.Confirmations, out.Required = &dep.Confirmations, &dep.Required
	out.Explorer = nonEmpty(chainOf(dep.Chain).Transaction(dep.TxHash))
	return out
}
