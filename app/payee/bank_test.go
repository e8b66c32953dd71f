package payee_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/payee"
	"candor/app/platform/errs"
)

func with(change func(*payee.Account)) payee.Account {
	a := bank
	change(&a)
	return a
}

var second = payee.Account{Holder: "Anna Muster", Bank: "Rabobank", IBAN: "NL91ABNA0417164300", BIC: "ABNANL2A", Label: "Savings"}

// TestOurOwnDepositAddressIsNoPayee refuses our own deposit addresses in any case; the same text on another chain is another address.
func TestOurOwnDepositAddressIsNoPayee(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	const ours, free = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
	b.exec(`INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, sort, enabled, provider, coin, chain) VALUES (112, 'standard', 'C', 'USDT', 1, 2, 1, true, 'p', 'USDT', 'ethereum')`)
	b.exec(`INSERT INTO deposit_addresses (trader_id, account_id, channel_id, reference, address, created_at) VALUES ($1, $2, 112, 'AD-1', $3, now())`, o.TraderID, o.AccountID, ours)
	for address, want := range map[string]error{ours: payee.ErrHouse, strings.ToLower(ours): payee.ErrHouse, free: nil} {
		_, err := b.tryAdd(o, payee.Address{Coin: "USDT", Chain: "ethereum", Address: address, Label: "Mine"})
		require.ErrorIs(t, err, want)
	}
}

func TestABankAccountHasItsForm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	for field, wrong := range map[string][]payee.Account{
		"iban": {
			with(func(a *payee.Account) { a.IBAN = "" }), with(func(a *payee.Account) { a.IBAN = "DE88370400440532013000" }),
			with(func(a *payee.Account) { a.IBAN = "DE8937040044053201300" }), with(func(a *payee.Account) { a.IBAN = "1289370400440532013000" }),
			with(func(a *payee.Account) { a.IBAN = "DE89-3704-0044-0532-0130-00" }),
		},
		"bic": {
			with(func(a *payee.Account) { a.BIC = "" }), with(func(a *payee.Account) { a.BIC = "COBADEFF1" }), with(func(a *payee.Account) { a.BIC = "COB1DEFFXXX" }),
		},
		"holder": {with(func(a *payee.Account) { a.Holder = "\t" })},
		"bank":   {with(func(a *payee.Account) { a.Bank = "a\u2066b" })},
		"label":  {with(func(a *payee.Account) { a.Label = "" })},
	} {
		for _, a := range wrong {
			_, err := b.tryBind(o, a)
			require.NotNil(t, errs.As(err), "%s: %v", field, err)
			require.NotEmpty(t, errs.As(err).Fields[field], "%s: %v", field, err)
		}
	}
	_, err := b.tryBind(o, with(func(a *payee.Account) { a.IBAN = "gb82west12345698765432" }))
	require.ErrorIs(t, err, payee.ErrHouse)
	require.Zero(t, b.prover.asked)

	p := b.bind(o, bank)
	require.Equal(t, []string{"DE89370400440532013000", "COBADEFFXXX"}, []string{p.IBAN, p.BIC})
	_, err = b.payees.Find(t.Context(), o.TraderID, p.ID)
	require.ErrorIs(t, err, payee.ErrCooling)
	_, err = b.tryBind(o, with(func(a *payee.Account) { a.Label = "Twice" }))
	require.ErrorIs(t, err, payee.ErrExists)
	require.Equal(t, []string{"en message.payee_added.subject map[payee:DE8937…3000]"}, b.told(o))
}

func TestAnotherAccountIsAnotherPayee(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	p := b.bind(o, bank)
	b.clock.Advance(30 * time.Hour)
	rebind := func(id int64, a payee.Account) payee.Payee {
		changed, err := valueOf(b.payees.Rebind(t.Context(), o, id, a, proof, b.keyed(o)))
		require.NoError(t, err)
		return changed
	}
	renamed := rebind(p.ID, with(func(a *payee.Account) { a.Label = "Wages" }))
	require.Equal(t, p.ID, renamed.ID)
	require.Equal(t, "Wages", renamed.Label)
	require.Equal(t, payee.Active, renamed.State(b.clock.Now()), "a label is no reason to wait")

	replaced := rebind(p.ID, with(func(a *payee.Account) { a.Holder = "Someone Else" }))
	require.NotEqual(t, p.ID, replaced.ID)
	require.Equal(t, payee.Cooling, replaced.State(b.clock.Now()))
	require.True(t, replaced.Preferred)
	_, err := b.payees.Find(t.Context(), o.TraderID, p.ID)
	require.ErrorIs(t, err, payee.ErrUnknown)
	require.Equal(t, []string{"Anna Muster", "Someone Else"}, []string{b.holder(o, p.ID), b.holder(o, replaced.ID)}, "the old one stays readable")

	b.bind(o, second)
	_, err = b.payees.Rebind(t.Context(), o, replaced.ID, second, proof, b.keyed(o))
	require.ErrorIs(t, err, payee.ErrExists)
	_, err = b.payees.Rebind(t.Context(), o, replaced.ID, with(func(a *payee.Account) { a.IBAN = houseIBAN }), proof, b.keyed(o))
	require.ErrorIs(t, err, payee.ErrHouse)
	require.Equal(t, []string{"payee.add", "payee.label", "payee.remove", "payee.add", "payee.add"}, b.acts(o))
	require.Len(t, b.told(o), 5, "of each")
}

func TestOneBankAccountIsPreferred(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	one, two := b.bind(o, bank), b.bind(o, second)
	require.True(t, one.Preferred)
	require.False(t, two.Preferred)
	preferred := func() int64 {
		return b.count(`SELECT coalesce(max(id), 0) FROM payees WHERE preferred AND trader_id = $1`, o.TraderID)
	}

	var group errgroup.Group
	for n := range 8 {
		group.Go(func() error {
			_, err := b.payees.Prefer(t.Context(), o, []int64{one.ID, two.ID}[n%2])
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM payees WHERE preferred AND trader_id = $1`, o.TraderID))
	p, err := b.payees.Prefer(t.Context(), o, two.ID)
	require.NoError(t, err)
	require.True(t, p.Preferred)
	entries := len(b.acts(o))
	_, err = b.payees.Prefer(t.Context(), o, two.ID)
	require.NoError(t, err)
	require.Len(t, b.acts(o), entries, "nothing changed")
	require.Equal(t, two.ID, preferred())
	_, err = b.tryRemove(o, payee.AtBank, two.ID)
	require.NoError(t, err)
	require.Zero(t, preferred(), "nobody chose another one")
}
