package api

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v5"

	"candor/app/payee"
	"candor/app/platform/once"
	"candor/app/trader"
)

// payer is the trader as the owner of payees.
func (d *Door) payer(c *echo.Context) (payee.Owner, error) {
	p := principal(c)
	t, err := d.Traders.Trader(c.Request().Context(), p.TraderID)
	return payee.Owner{TraderID: p.TraderID, AccountID: p.AccountID, Name: t.MaskedName(), IP: c.RealIP(), Agent: c.Request().UserAgent(), TraceID: traceID(c)}, err
}

// proven is a keyed write that asks for a proof.
type proven[T any] struct {
	in      T
	owner   payee.Owner
	proof   trader.Proof
	request once.Request
}

// readProven reads a keyed write that asks for a proof. What is kept of a request, to know it again, is kept without the proof: it must not help
// anybody to guess a payment password.
func readProven[T any](d *Door, c *echo.Context, wire func(any) any) (w proven[T], err error) {
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
	owner, err := d.payer(c)
	proof := trader.Proof{PaymentPassword: shown.PayPassword, Code: shown.ValidCode, From: from(c)}
	return proven[T]{in, owner, proof, d.keyed(c, rest, wire)}, err
}

// readHolder is readProven for a bank account. What is kept of the request is kept so that nobody can tell the holder's name from it.
func readHolder[T any](d *Door, c *echo.Context) (w proven[T], err error) {
	if w, err = readProven[T](d, c, d.userWallet); err != nil {
		return w, err
	}
	w.request.Body, err = d.Payees.Fingerprint(w.request.Body)
	return w, err
}

// GetChain answers what may be sent, and on which chains.
func (d *Door) GetChain(c *echo.Context) error {
	coins, err := d.Payees.Coins()
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
	return d.reply(c, out)
}

// FindUserAddressList answers the saved addresses.
func (d *Door) FindUserAddressList(c *echo.Context) error {
	o, err := d.payer(c)
	if err != nil {
		return err
	}
	list, err := d.Payees.List(c.Request().Context(), o, payee.OnChain)
	if err != nil {
		return err
	}
	settings, err := d.Payees.Settings(c.Request().Context(), o.TraderID)
	if err != nil {
		return err
	}
	rule := d.toRule(settings)
	out := UserAddressList{List: []UserAddress{}, WhitelistOnly: rule.WhitelistOnly, WhitelistEndsAt: rule.WhitelistEndsAt, Limit: payee.MaxLiving}
	for _, p := range list {
		out.List = append(out.List, d.toUserAddress(p))
	}
	return d.reply(c, out)
}

// InsertUserAddress saves an address.
func (d *Door) InsertUserAddress(c *echo.Context, _ InsertUserAddressParams) error {
	w, err := readProven[InsertUserAddress](d, c, d.userAddress)
	if err != nil {
		return err
	}
	bytes, err := d.Payees.Add(c.Request().Context(), w.owner, payee.Address{
		Coin: w.in.Coin, Chain: w.in.Chain, Address: w.in.Address, Memo: given(w.in.Memo), Label: w.in.Label, Confirmed: given(w.in.ConfirmLookalike),
	}, w.proof, w.request)
	return answer(c, bytes, err)
}

// DeleteUserAddress deletes a saved address.
func (d *Door) DeleteUserAddress(c *echo.Context, _ DeleteUserAddressParams) error {
	w, err := readProven[DeleteUserAddress](d, c, d.userAddress)
	if err != nil {
		return err
	}
	bytes, err := d.Payees.Remove(c.Request().Context(), w.owner, payee.OnChain, w.in.AddressId, w.proof, w.request)
	return answer(c, bytes, err)
}

// RestoreUserAddress restores a deleted address.
func (d *Door) RestoreUserAddress(c *echo.Context, _ RestoreUserAddressParams) error {
	w, err := readProven[RestoreUserAddress](d, c, d.userAddress)
	if err != nil {
		return err
	}
	bytes, err := d.Payees.Restore(c.Request().Context(), w.owner, payee.OnChain, w.in.AddressId, w.proof, w.request)
	return answer(c, bytes, err)
}

// UpdateWhitelistOnly says whether the saved payees are all there may be.
func (d *Door) UpdateWhitelistOnly(c *echo.Context, _ UpdateWhitelistOnlyParams) error {
	w, err := readProven[UpdateWhitelistOnly](d, c, d.whitelistOnly)
	if err != nil {
		return err
	}
	bytes, err := d.Payees.SetWhitelistOnly(c.Request().Context(), w.owner, w.in.WhitelistOnly, w.proof, w.request)
	return answer(c, bytes, err)
}

// FindUserWalletList answers the saved bank accounts.
func (d *Door) FindUserWalletList(c *echo.Context) error {
	o, err := d.payer(c)
	if err != nil {
		return err
	}
	list, err := d.Payees.List(c.Request().Context(), o, payee.AtBank)
	if err != nil {
		return err
	}
	out := []UserWallet{}
	for _, p := range list {
		holder, err := d.Payees.Holder(p)
		if err != nil {
			return err
		}
		out = append(out, d.toUserWallet(p, holder))
	}
	return d.reply(c, out)
}

// BindUserWallet saves a bank account.
func (d *Door) BindUserWallet(c *echo.Context, _ BindUserWalletParams) error {
	w, err := readHolder[BindUserWallet](d, c)
	if err != nil {
		return err
	}
	account := payee.Account{Holder: w.in.Holder, Bank: w.in.Bank, IBAN: w.in.Iban, BIC: w.in.Bic, Label: w.in.Label}
	bytes, err := d.Payees.Bind(c.Request().Context(), w.owner, account, w.proof, w.request)
	return d.answerWallet(c, bytes, err)
}

// UpdateUserWallet changes a saved bank account.
func (d *Door) UpdateUserWallet(c *echo.Context, _ UpdateUserWalletParams) error {
	w, err := readHolder[UpdateUserWallet](d, c)
	if err != nil {
		return err
	}
	account := payee.Account{Holder: w.in.Holder, Bank: w.in.Bank, IBAN: w.in.Iban, BIC: w.in.Bic, Label: w.in.Label}
	bytes, err := d.Payees.Rebind(c.Request().Context(), w.owner, w.in.WalletId, account, w.proof, w.request)
	return d.answerWallet(c, bytes, err)
}

// SelectUserWallet chooses the bank account that a withdrawal proposes.
func (d *Door) SelectUserWallet(c *echo.Context, params SelectUserWalletParams) error {
	o, err := d.payer(c)
	if err != nil {
		return err
	}
	p, err := d.Payees.Prefer(c.Request().Context(), o, params.WalletId)
	if err != nil {
		return err
	}
	holder, err := d.Payees.Holder(p)
	if err != nil {
		return err
	}
	return d.reply(c, d.toUserWallet(p, holder))
}

// DeleteUserWallet deletes a saved bank account. It is a GET by the contract and has no key; which account it is and which removal of it are key enough.
func (d *Door) DeleteUserWallet(c *echo.Context, params DeleteUserWalletParams) error {
	o, err := d.payer(c)
	if err != nil {
		return err
	}
	removal, err := d.Payees.Removal(c.Request().Context(), o.TraderID, params.WalletId)
	if err != nil {
		return err
	}
	r := d.keyed(c, nil, d.userWallet)
	r.Key = fmt.Sprint(params.WalletId, ":", removal)
	proof := trader.Proof{PaymentPassword: given(params.PayPassword), Code: given(params.ValidCode), From: from(c)}
	bytes, err := d.Payees.Remove(c.Request().Context(), o, payee.AtBank, params.WalletId, proof, r)
	return d.answerWallet(c, bytes, err)
}

// RestoreUserWallet restores a deleted bank account.
func (d *Door) RestoreUserWallet(c *echo.Context, _ RestoreUserWalletParams) error {
	w, err := readProven[RestoreUserWallet](d, c, d.userWallet)
	if err != nil {
		return err
	}
	bytes, err := d.Payees.Restore(c.Request().Context(), w.owner, payee.AtBank, w.in.WalletId, w.proof, w.request)
	return d.answerWallet(c, bytes, err)
}

func (d *Door) userAddress(result any) any { return d.toUserAddress(result.(payee.Payee)) }

// userWallet is what is stored of an answer about a bank account: answerWallet adds who holds it.
func (d *Door) userWallet(result any) any { return d.toUserWallet(result.(payee.Payee), "") }

func (d *Door) answerWallet(c *echo.Context, bytes []byte, err error) error {
	return named(c, bytes, err, func(out *UserWallet) (err error) {
		out.Holder, err = d.Payees.HolderOf(c.Request().Context(), principal(c).TraderID, out.WalletId)
		return err
	})
}

func (d *Door) whitelistOnly(result any) any { return d.toRule(result.(payee.Settings)) }

func (d *Door) toUserAddress(p payee.Payee) UserAddress {
	return UserAddress{
		AddressId: p.ID, Coin: p.Coin, Chain: p.Chain, Address: p.Address, Memo: p.Memo, Label: p.Label,
		State: UserAddressState(p.State(d.now())), UsableFrom: p.UsableFrom.UnixMilli(), CreatedAt: p.CreatedAt.UnixMilli(), GoneAt: moment(p.GoneAt()),
	}
}

func (d *Door) toUserWallet(p payee.Payee, holder string) UserWallet {
	return UserWallet{
		WalletId: p.ID, Holder: holder, Bank: p.Bank, Iban: p.IBAN, Bic: p.BIC, Label: p.Label, Selected: p.Preferred,
		State: UserWalletState(p.State(d.now())), UsableFrom: p.UsableFrom.UnixMilli(), CreatedAt: p.CreatedAt.UnixMilli(), GoneAt: moment(p.GoneAt()),
	}
}

func (d *Door) toRule(s payee.Settings) WhitelistOnly {
	return WhitelistOnly{WhitelistOnly: s.OnlySaved(d.now()), WhitelistEndsAt: moment(s.Ending(d.now()))}
}
