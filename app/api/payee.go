package api

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v5"

	"candor/app/payee"
	"candor/app/platform/idempotency"
	"candor/app/trader"
)

// payeeOwner is the trader as the owner of payees.
func (srv *Server) payeeOwner(c *echo.Context) (payee.Owner, error) {
	p := principal(c)
	t, err := srv.Traders.Trader(c.Request().Context(), p.TraderID)
	return payee.Owner{TraderID: p.TraderID, AccountID: p.AccountID, Name: t.MaskedName(), IP: c.RealIP(), Agent: c.Request().UserAgent(), TraceID: traceID(c)}, err
}

// proven is a keyed write with a trader's proof.
type proven[T any] struct {
	in      T
	owner   payee.Owner
	proof   trader.Proof
	request idempotency.Request
}

// readProven reads a keyed write with a trader's proof. The stored idempotency record leaves the proof out, so that it does not help to guess a payment
// password.
func readProven[T any](srv *Server, c *echo.Context, wire func(any) any) (w proven[T], err error) {
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
	owner, err := srv.payeeOwner(c)
	proof := trader.Proof{PaymentPassword: shown.PayPassword, Code: shown.ValidCode, From: from(c)}
	return proven[T]{in, owner, proof, srv.keyed(c, rest, wire)}, err
}

// readHolder is readProven for a bank account. The stored idempotency record does not reveal the holder's name.
func readHolder[T any](srv *Server, c *echo.Context) (w proven[T], err error) {
	if w, err = readProven[T](srv, c, srv.userWallet); err != nil {
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
	out := []AddressCoin{}
	for _, coin := range coins {
		one := AddressCoin{Coin: coin.ID}
		for _, ch := range coin.Chains {
			one.Chains = append(one.Chains, AddressChain{Chain: ch.ID, Name: ch.Name, Example: ch.Example, Memo: ch.Memo, Explorer: ch.Explorer})
		}
		out = append(out, one)
	}
	return srv.reply(c, out)
}

// FindUserAddressList returns the saved addresses.
func (srv *Server) FindUserAddressList(c *echo.Context) error {
	o, err := srv.payeeOwner(c)
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
	rule := srv.toRule(settings)
	out := UserAddressList{List: []UserAddress{}, WhitelistOnly: rule.WhitelistOnly, WhitelistEndsAt: rule.WhitelistEndsAt, Limit: payee.MaxLiving}
	for _, p := range list {
		out.List = append(out.List, srv.toUserAddress(p))
	}
	return srv.reply(c, out)
}

// InsertUserAddress saves an address.
func (srv *Server) InsertUserAddress(c *echo.Context, _ InsertUserAddressParams) error {
	w, err := readProven[InsertUserAddress](srv, c, srv.userAddress)
	if err != nil {
		return err
	}
	bytes, err := srv.Payees.Add(c.Request().Context(), w.owner, payee.Address{
		Coin: w.in.Coin, Chain: w.in.Chain, Address: w.in.Address, Memo: valueOrZero(w.in.Memo), Label: w.in.Label, Confirmed: valueOrZero(w.in.ConfirmLookalike),
	}, w.proof, w.request)
	return answer(c, bytes, err)
}

// DeleteUserAddress deletes a saved address.
func (srv *Server) DeleteUserAddress(c *echo.Context, _ DeleteUserAddressParams) error {
	w, err := readProven[DeleteUserAddress](srv, c, srv.userAddress)
	if err != nil {
		return err
	}
	bytes, err := srv.Payees.Remove(c.Request().Context(), w.owner, payee.OnChain, w.in.AddressId, w.proof, w.request)
	return answer(c, bytes, err)
}

// RestoreUserAddress restores a deleted address.
func (srv *Server) RestoreUserAddress(c *echo.Context, _ RestoreUserAddressParams) error {
	w, err := readProven[RestoreUserAddress](srv, c, srv.userAddress)
	if err != nil {
		return err
	}
	bytes, err := srv.Payees.Restore(c.Request().Context(), w.owner, payee.OnChain, w.in.AddressId, w.proof, w.request)
	return answer(c, bytes, err)
}

// UpdateWhitelistOnly sets whether only saved payees are allowed.
func (srv *Server) UpdateWhitelistOnly(c *echo.Context, _ UpdateWhitelistOnlyParams) error {
	w, err := readProven[UpdateWhitelistOnly](srv, c, srv.whitelistOnly)
	if err != nil {
		return err
	}
	bytes, err := srv.Payees.SetWhitelistOnly(c.Request().Context(), w.owner, w.in.WhitelistOnly, w.proof, w.request)
	return answer(c, bytes, err)
}

// FindUserWalletList returns the saved bank accounts.
func (srv *Server) FindUserWalletList(c *echo.Context) error {
	o, err := srv.payeeOwner(c)
	if err != nil {
		return err
	}
	list, err := srv.Payees.List(c.Request().Context(), o, payee.AtBank)
	if err != nil {
		return err
	}
	out := []UserWallet{}
	for _, p := range list {
		holder, err := srv.Payees.Holder(p)
		if err != nil {
			return err
		}
		out = append(out, srv.toUserWallet(p, holder))
	}
	return srv.reply(c, out)
}

// BindUserWallet saves a bank account.
func (srv *Server) BindUserWallet(c *echo.Context, _ BindUserWalletParams) error {
	w, err := readHolder[BindUserWallet](srv, c)
	if err != nil {
		return err
	}
	account := payee.Account{Holder: w.in.Holder, Bank: w.in.Bank, IBAN: w.in.Iban, BIC: w.in.Bic, Label: w.in.Label}
	bytes, err := srv.Payees.Bind(c.Request().Context(), w.owner, account, w.proof, w.request)
	return srv.answerWallet(c, bytes, err)
}

// UpdateUserWallet changes a saved bank account.
func (srv *Server) UpdateUserWallet(c *echo.Context, _ UpdateUserWalletParams) error {
	w, err := readHolder[UpdateUserWallet](srv, c)
	if err != nil {
		return err
	}
	account := payee.Account{Holder: w.in.Holder, Bank: w.in.Bank, IBAN: w.in.Iban, BIC: w.in.Bic, Label: w.in.Label}
	bytes, err := srv.Payees.Rebind(c.Request().Context(), w.owner, w.in.WalletId, account, w.proof, w.request)
	return srv.answerWallet(c, bytes, err)
}

// SelectUserWallet sets the default bank account for withdrawals.
func (srv *Server) SelectUserWallet(c *echo.Context, params SelectUserWalletParams) error {
	o, err := srv.payeeOwner(c)
	if err != nil {
		return err
	}
	p, err := srv.Payees.Prefer(c.Request().Context(), o, params.WalletId)
	if err != nil {
		return err
	}
	holder, err := srv.Payees.Holder(p)
	if err != nil {
		return err
	}
	return srv.reply(c, srv.toUserWallet(p, holder))
}

// DeleteUserWallet deletes a saved bank account. The contract makes it a GET without an idempotency key; the account and the count of its deletions serve as
// the key.
func (srv *Server) DeleteUserWallet(c *echo.Context, params DeleteUserWalletParams) error {
	o, err := srv.payeeOwner(c)
	if err != nil {
		return err
	}
	removal, err := srv.Payees.Removal(c.Request().Context(), o.TraderID, params.WalletId)
	if err != nil {
		return err
	}
	r := srv.keyed(c, nil, srv.userWallet)
	r.Key = fmt.Sprint(params.WalletId, ":", removal)
	proof := trader.Proof{PaymentPassword: valueOrZero(params.PayPassword), Code: valueOrZero(params.ValidCode), From: from(c)}
	bytes, err := srv.Payees.Remove(c.Request().Context(), o, payee.AtBank, params.WalletId, proof, r)
	return srv.answerWallet(c, bytes, err)
}

// RestoreUserWallet restores a deleted bank account.
func (srv *Server) RestoreUserWallet(c *echo.Context, _ RestoreUserWalletParams) error {
	w, err := readProven[RestoreUserWallet](srv, c, srv.userWallet)
	if err != nil {
		return err
	}
	bytes, err := srv.Payees.Restore(c.Request().Context(), w.owner, payee.AtBank, w.in.WalletId, w.proof, w.request)
	return srv.answerWallet(c, bytes, err)
}

func (srv *Server) userAddress(result any) any { return srv.toUserAddress(result.(payee.Payee)) }

// userWallet is the stored response about a bank account; answerWallet adds the holder's name.
func (srv *Server) userWallet(result any) any { return srv.toUserWallet(result.(payee.Payee), "") }

func (srv *Server) answerWallet(c *echo.Context, bytes []byte, err error) error {
	return answerWithName(c, bytes, err, func(out *UserWallet) (err error) {
		out.Holder, err = srv.Payees.HolderOf(c.Request().Context(), principal(c).TraderID, out.WalletId)
		return err
	})
}

func (srv *Server) whitelistOnly(result any) any { return srv.toRule(result.(payee.Settings)) }

func (srv *Server) toUserAddress(p payee.Payee) UserAddress {
	return UserAddress{
		AddressId: p.ID, Coin: p.Coin, Chain: p.Chain, Address: p.Address, Memo: p.Memo, Label: p.Label,
		State: UserAddressState(p.State(srv.now())), UsableFrom: p.UsableFrom.UnixMilli(), CreatedAt: p.CreatedAt.UnixMilli(), GoneAt: moment(p.GoneAt()),
	}
}

func (srv *Server) toUserWallet(p payee.Payee, holder string) UserWallet {
	return UserWallet{
		WalletId: p.ID, Holder: holder, Bank: p.Bank, Iban: p.IBAN, Bic: p.BIC, Label: p.Label, Selected: p.Preferred,
		State: UserWalletState(p.State(srv.now())), UsableFrom: p.UsableFrom.UnixMilli(), CreatedAt: p.CreatedAt.UnixMilli(), GoneAt: moment(p.GoneAt()),
	}
}

func (srv *Server) toRule(s payee.Settings) WhitelistOnly {
	return WhitelistOnly{WhitelistOnly: s.OnlySaved(srv.now()), WhitelistEndsAt: moment(s.Ending(srv.now()))}
}
