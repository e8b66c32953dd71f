package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/session"
	"candor/app/trader"
)

// steps are the acts of one trader.
func (e *example) steps() []demoStep {
	list := []demoStep{{e.registered, e.handle, e.register}}
	if e.identity != kyc.None {
		list = append(list, demoStep{e.applied, e.handle, e.verify})
	}
	if e.bankAdded > 0 {
		list = append(list, demoStep{e.bankAdded, e.handle, e.bindAccount})
	}
	if e.hasMock {
		list = append(list, demoStep{e.registered - 2*time.Hour, e.handle, e.openMock})
	}
	for n, wanted := range e.deposits {
		list = append(list, demoStep{wanted.ago, e.handle, func(ctx context.Context, d *demo) error { return e.makeDeposit(ctx, d, n, wanted) }})
	}
	for n, wanted := range e.withdrawals {
		list = append(list, demoStep{wanted.ago, e.handle, func(ctx context.Context, d *demo) error { return e.makeWithdrawal(ctx, d, n, wanted) }})
	}
	return list
}

func (e *example) device() session.Device {
	return session.Device{
		Fingerprint: fmt.Sprint("example-device-", e.number), IP: e.ip(),
		UserAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
	}
}

// find finds the trader, when registered at an earlier start or in an earlier step.
func (d *demo) find(ctx context.Context, e *example) (found bool, err error) {
	if _, found = d.tradersByHandle[e.handle]; found {
		return true, nil
	}
	list, _, err := d.traders.Search(ctx, e.mail(), 0, 1)
	if err != nil || len(list) == 0 {
		return false, err
	}
	accounts, err := d.traders.Accounts(ctx, list[0].ID)
	at := slices.IndexFunc(accounts, func(a ledger.Account) bool { return !a.Mock() })
	if err != nil || at < 0 {
		return false, err
	}
	d.addTrader(e, list[0].Trader, accounts[at].ID)
	return true, nil
}

func (d *demo) addTrader(e *example, t trader.Trader, accountID int64) {
	d.tradersByHandle[e.handle] = exampleAccount{t.ID, accountID, t.MaskedName(), t.Country}
}

func (e *example) register(ctx context.Context, d *demo) error {
	if found, err := d.find(ctx, e); found || err != nil {
		return err
	}
	code, err := d.code(ctx, e, session.RegisterCode, "")
	if err != nil {
		return err
	}
	opened, err := d.traders.Register(ctx, trader.Registration{
		Account: e.mail(), Password: examplePassword, Code: code, Device: e.device(), TraceID: exampleTrace,
		Enrolment: trader.Enrolment{Country: e.country, Language: e.language, Accepted: true},
	})
	if err == nil {
		d.addTrader(e, opened.Trader, opened.Account.ID)
	}
	return err
}

// openMock opens the mock account.
func (e *example) openMock(ctx context.Context, d *demo) error {
	accounts, err := d.traders.Accounts(ctx, d.tradersByHandle[e.handle].traderID)
	if err != nil || slices.ContainsFunc(accounts, ledger.Account.Mock) {
		return err
	}
	opened, err := d.traders.Login(ctx, trader.Credentials{Account: e.mail(), Password: examplePassword, Language: e.language, Device: e.device(), TraceID: exampleTrace})
	if err != nil {
		return err
	}
	p, err := d.sessions.Check(ctx, opened.Token, session.Device{})
	if err != nil {
		return err
	}
	_, err = d.traders.Switch(ctx, p, trader.Destination{Type: trader.MockType}, audit.Actor{IP: e.ip(), TraceID: exampleTrace})
	return err
}

// bindAccount sets the payment password and saves a bank account.
func (e *example) bindAccount(ctx context.Context, d *demo) error {
	i := d.tradersByHandle[e.handle]
	if err := e.setPaymentPassword(ctx, d, i); err != nil {
		return err
	}
	saved, err := d.payees.Living(ctx, i.traderID)
	if err != nil || len(saved) > 0 {
		return err
	}
	proof, err := d.proof(ctx, e, trader.MoneyOut{Act: trader.SaveAccount, Place: e.bank.IBAN})
	if err != nil {
		return err
	}
	_, err = d.payees.Bind(ctx, ledger.Owner{TraderID: i.traderID, AccountID: i.accountID, Name: i.name, IP: e.ip(), TraceID: exampleTrace}, e.bank, proof, i.keyed("payee"))
	return err
}

func (e *example) setPaymentPassword(ctx context.Context, d *demo, i exampleAccount) error {
	p := session.Principal{TraderID: i.traderID, AccountID: i.accountID, Country: i.country, AccountType: trader.Ordinary}
	guarded, err := d.traders.Security(ctx, p)
	if err != nil || guarded.PaymentPasswordAt != nil {
		return err
	}
	code, err := d.code(ctx, e, session.PaymentPasswordCode, "")
	if err != nil {
		return err
	}
	return d.traders.SetPaymentPassword(ctx, p, trader.PaymentPasswordChange{LoginPassword: examplePassword, New: examplePaymentPassword, Code: code, IP: e.ip(), TraceID: exampleTrace})
}
