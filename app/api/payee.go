package api

import (
	"candor/app/ledger"
	"candor/app/wire"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v5"

	"candor/app/payee"
	"candor/app/platform/idempotency"
	"candor/app/trader"
)

// proven is a keyed write with a trader's proof.
type proven[T any] struct {
	in      T
	owner   ledger.Owner
	proof   trader.Proof
	request idempotency.Request
}

// readProven reads a keyed write with a trader's proof. The stored idempotency record leaves the proof out, so that it does not help to guess a payment
// password.
func readProven[T any](srv *Server, c *echo.Context) (w proven[T], err error) {
	in, raw, err := body[T](c)
	if err != nil {
		return w, err
	}
	var shown struct {
		PayPassword string `json:"payPassword"`
		ValidCode   string `json:"validCode"`
	}
	var members map[string]jsontext.Value
	if err := errors.Join(json.Unmarshal(raw, &shown), json.Unmarshal(raw, &members)); err != nil {
		return w, badJSON(err)
	}
	delete(members, "payPassword")
	delete(members, "validCode")
	rest, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return w, err
	}
	owner, err := srv.owner(c)
	proof := trader.Proof{PaymentPassword: shown.PayPassword, Code: shown.ValidCode, From: from(c)}
	return proven[T]{in, owner, proof, srv.keyed(c, rest)}, err
}

// readHolder is readProven for a bank account. The stored idempotency record does not reveal the holder's name.
func readHolder[T any](srv *Server, c *echo.Context) (w proven[T], err error) {
	if w, err = readProven[T](srv, c); err != nil {
		return w, err
	}
	w.request.Body, err = srv.Payees.Fingerprint(w.request.Body)
	return w, err
}

// GetChain returns the coins that may be sent and their chains.
func (srv *Server) GetChain(c *echo.Context) error {
	coins, err := srv.Payees.Coins()
	if err != nil {
		return err
	}
	out := []wire.AddressCoin{}
	for _, coin := range coins {
		one := wire.AddressCoin{Coin: coin.ID}
		for _, ch := range coin.Chains {
			one.Chains = append(one.Chains, wire.AddressChain{Chain: ch.ID, Name: ch.Name, Example: ch.Example, Memo: ch.Memo, Explorer: ch.Explorer})
		}
		out = append(out, one)
	}
	return srv.reply(c, out)
}

// FindUserAddressList returns the saved addresses.
func (srv *Server) FindUserAddressList(c *echo.Context) error {
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	list, err := srv.Payees.List(c.Request().Context(), o, payee.OnChain)
	if err != nil {
		return err
	}
	settings, err := srv.Payees.Settings(c.Request().Context(), o.TraderID)
	if err != nil {
		return err
	}
	rule := toRule(settings, srv.now())
	out := wire.UserAddressList{List: []wire.UserAddress{}, WhitelistOnly: rule.WhitelistOnly, WhitelistEndsAt: rule.WhitelistEndsAt, Limit: payee.MaxLiving}
	for _, p := range list {
		out.List = append(out.List, toUserAddress(p, srv.now()))
	}
	return srv.reply(c, out)
}

// InsertUserAddress saves an address.
func (srv *Server) InsertUserAddress(c *echo.Context, _ wire.InsertUserAddressParams) error {
	w, err := readProven[wire.InsertUserAddress](srv, c)
	if err != nil {
		return err
	}
	done, err := srv.Payees.Add(c.Request().Context(), w.owner, payee.Address{
		Coin: w.in.Coin, Chain: w.in.Chain, Address: w.in.Address, Memo: valueOrZero(w.in.Memo), Label: w.in.Label, Confirmed: valueOrZero(w.in.ConfirmLookalike),
	}, w.proof, w.request)
	return answerAddress(c, done, err)
}

// DeleteUserAddress deletes a saved address.
func (srv *Server) DeleteUserAddress(c *echo.Context, _ wire.DeleteUserAddressParams) error {
	w, err := readProven[wire.DeleteUserAddress](srv, c)
	if err != nil {
		return err
	}
	done, err := srv.Payees.Remove(c.Request().Context(), w.owner, payee.OnChain, w.in.AddressId, w.proof, w.request)
	return answerAddress(c, done, err)
}

// RestoreUserAddress restores a deleted address.
func (srv *Server) RestoreUserAddress(c *echo.Context, _ wire.RestoreUserAddressParams) error {
	w, err := readProven[wire.RestoreUserAddress](srv, c)
	if err != nil {
		return err
	}
	done, err := srv.Payees.Restore(c.Request().Context(), w.owner, payee.OnChain, w.in.AddressId, w.proof, w.request)
	return answerAddress(c, done, err)
}

// UpdateWhitelistOnly sets whether only saved payees are allowed.
func (srv *Server) UpdateWhitelistOnly(c *echo.Context, _ wire.UpdateWhitelistOnlyParams) error {
	w, err := readProven[wire.UpdateWhitelistOnly](srv, c)
	if err != nil {
		return err
	}
	done, err := srv.Payees.SetWhitelistOnly(c.Request().Context(), w.owner, w.in.WhitelistOnly, w.proof, w.request)
	return answer(c, done, err, func(s payee.Settings) wire.WhitelistOnly { return toRule(s, done.At) })
}

// FindUserWalletList returns the saved bank accounts.
func (srv *Server) FindUserWalletList(c *echo.Context) error {
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	list, err := srv.Payees.List(c.Request().Context(), o, payee.AtBank)
	if err != nil {
		return err
	}
	out := []wire.UserWallet{}
	for _, p := range list {
		holder, err := srv.Payees.Holder(c.Request().Context(), p)
		if err != nil {
			return err
		}
		out = append(out, toUserWallet(p, holder, srv.now()))
	}
	return srv.reply(c, out)
}

// BindUserWallet saves a bank account.
func (srv *Server) BindUserWallet(c *echo.Context, _ wire.BindUserWalletParams) error {
	w, err := readHolder[wire.BindUserWallet](srv, c)
	if err != nil {
		return err
	}
	account := payee.Account{Holder: w.in.Holder, Bank: w.in.Bank, IBAN: w.in.Iban, BIC: w.in.Bic, Label: w.in.Label}
	done, err := srv.Payees.Bind(c.Request().Context(), w.owner, account, w.proof, w.request)
	return srv.answerWallet(c, done, err)
}

// UpdateUserWallet changes a saved bank account.
func (srv *Server) UpdateUserWallet(c *echo.Context, _ wire.UpdateUserWalletParams) error {
	w, err := readHolder[wire.UpdateUserWallet](srv, c)
	if err != nil {
		return err
	}
	account := payee.Account{Holder: w.in.Holder, Bank: w.in.Bank, IBAN: w.in.Iban, BIC: w.in.Bic, Label: w.in.Label}
	done, err := srv.Payees.Rebind(c.Request().Context(), w.owner, w.in.WalletId, account, w.proof, w.request)
	return srv.answerWallet(c, done, err)
}

// SelectUserWallet sets the default bank account for withdrawals.
func (srv *Server) SelectUserWallet(c *echo.Context, params wire.SelectUserWalletParams) error {
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	p, err := srv.Payees.Prefer(c.Request().Context(), o, params.WalletId)
	if err != nil {
		return err
	}
	holder, err := srv.Payees.Holder(c.Request().Context(), p)
	if err != nil {
		return err
	}
	return srv.reply(c, toUserWallet(p, holder, srv.now()))
}

// DeleteUserWallet deletes a saved bank account. The contract makes it a GET without an idempotency key; the account and the count of its deletions serve as
// the key.
func (srv *Server) DeleteUserWallet(c *echo.Context, params wire.DeleteUserWalletParams) error {
	o, err := srv.owner(c)
	if err != nil {
		return err
	}
	removal, err := srv.Payees.Removal(c.Request().Context(), o.TraderID, params.WalletId)
	if err != nil {
		return err
	}
	r := srv.keyed(c, nil)
	r.Key = fmt.Sprint(params.WalletId, ":", removal)
	proof := trader.Proof{PaymentPassword: valueOrZero(params.PayPassword), Code: valueOrZero(params.ValidCode), From: from(c)}
	done, err := srv.Payees.Remove(c.Request().Context(), o, payee.AtBank, params.WalletId, proof, r)
	return srv.answerWallet(c, done, err)
}

// RestoreUserWallet restores a deleted bank account.
func (srv *Server) RestoreUserWallet(c *echo.Context, _ wire.RestoreUserWalletParams) error {
	w, err := readProven[wire.RestoreUserWallet](srv, c)
	if err != nil {
		return err
	}
	done, err := srv.Payees.Restore(c.Request().Context(), w.owner, payee.AtBank, w.in.WalletId, w.proof, w.request)
	return srv.answerWallet(c, done, err)
}

func answerAddress(c *echo.Context, done payee.Result, err error) error {
	return answer(c, done, err, func(p payee.Payee) wire.UserAddress { return toUserAddress(p, done.At) })
}

// answerWallet writes the response of a keyed write on a bank account. The holder's name is not kept with the result, so that it can be erased.
func (srv *Server) answerWallet(c *echo.Context, done payee.Result, err error) error {
	holder := ""
	if err == nil {
		holder, err = srv.Payees.HolderOf(c.Request().Context(), principal(c).TraderID, done.Value.ID)
	}
	return answer(c, done, err, func(p payee.Payee) wire.UserWallet { return toUserWallet(p, holder, done.At) })
}

// toUserAddress converts an address with its state at a moment.
func toUserAddress(p payee.Payee, at time.Time) wire.UserAddress {
	return wire.UserAddress{
		AddressId: p.ID, Coin: p.Coin, Chain: p.Chain, Address: p.Address, Memo: p.Memo, Label: p.Label,
		State: wire.UserAddressState(p.State(at)), UsableFrom: p.UsableFrom.UnixMilli(), CreatedAt: p.CreatedAt.UnixMilli(), GoneAt: wire.Moment(p.GoneAt()),
	}
}

// toUserWallet converts a bank account with its state at a moment.
func toUserWallet(p payee.Payee, holder string, at time.Time) wire.UserWallet {
	return wire.UserWallet{
		WalletId: p.ID, Holder: holder, Bank: p.Bank, Iban: p.IBAN, Bic: p.BIC, Label: p.Label, Selected: p.Preferred,
		State: wire.UserWalletState(p.State(at)), UsableFrom: p.UsableFrom.UnixMilli(), CreatedAt: p.CreatedAt.UnixMilli(), GoneAt: wire.Moment(p.GoneAt()),
	}
}

func toRule(s payee.Settings, at time.Time) wire.WhitelistOnly {
	return wire.WhitelistOnly{WhitelistOnly: s.OnlySaved(at), WhitelistEndsAt: wire.Moment(s.Ending(at))}
}
