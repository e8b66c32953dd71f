package bankdesk

import (
	"context"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/banking"
	"candor/templates/ui"
)

// accounts declares the desk of the broker's bank accounts.
func (s Services) accounts() settings {
	return settings{
		name: "bank-accounts", letters: "BA-", target: "bank_account", texts: "account", icon: ui.IconBank, ask: access.BankAccountAsk, confirm: access.BankAccountConfirm, checkTyped: s.Banking.CheckTyped,
		names: []string{"name", "bank", "holder", "iban", "bic", "currency", "client", "open"}, fields: accountFields, effect: s.accountEffect,
		list: func(ctx context.Context) ([]setting, error) {
			list, err := s.Banking.Accounts(ctx)
			if err != nil {
				return nil, err
			}
			return s.accountSettings(ctx, list...)
		},
		read: func(ctx context.Context, id int64) (setting, error) {
			a, err := s.Banking.Account(ctx, int(id))
			if err != nil {
				return setting{}, err
			}
			item, err := only(s.accountSettings(ctx, a))
			if err != nil {
				return setting{}, err
			}
			bank, err := s.comparison(ctx, a.ID)
			item.bank = &bank
			return item, err
		},
		more: s.dayActions(),
		draftOf: func(r *desk.Request, values map[string]string) (int64, error) {
			a, err := s.Banking.DraftAccount(ctxOf(r), r.Actor(), typedAccount(values))
			return int64(a.ID), err
		},
		request: func(r *desk.Request, item setting, values map[string]string) error {
			_, err := s.Banking.RequestAccount(ctxOf(r), r.Actor(), int(item.id), item.version, typedAccount(values), values["why"])
			return err
		},
		approve: func(r *desk.Request, item setting, typed string) error {
			return s.Banking.ApproveAccount(ctxOf(r), r.Actor(), *item.asked, typed)
		},
		decline: func(r *desk.Request, item setting, note string) error {
			return s.Banking.AccountChanges().Decline(ctxOf(r), r.Actor(), *item.asked, note)
		},
	}
}

// accountSettings shows accounts as settings, with the open requests about them.
func (s Services) accountSettings(ctx context.Context, list ...banking.Account) ([]setting, error) {
	asked, err := s.Banking.AccountChanges().Undecided(ctx, list...)
	if err != nil {
		return nil, err
	}
	out := make([]setting, len(list))
	for i, a := range list {
		item := setting{
			id: int64(a.ID), version: a.Version, number: a.Number(), name: a.Name, sub: a.Currency, note: joined(a.Bank, bankEnding(a)), draft: a.Draft(), live: a.Open, values: accountValues(a.Values()),
		}
		if change, ok := asked[a.ID]; ok {
			item.asked, item.becomes = &change.Approval, accountValues(change.Becomes.Values())
		}
		out[i] = item
	}
	return out, nil
}

func accountValues(d banking.Draft) []value {
	return []value{
		{key: "name", text: d.Name}, {key: "bank", text: d.Bank}, {key: "holder", text: d.Holder}, {key: "iban", text: fours(d.IBAN)}, {key: "bic", text: d.BIC}, {key: "currency", text: d.Currency},
		{key: "client", text: word("client", d.Client), choice: true}, {key: "open", text: word("open", d.Open), choice: true},
	}
}

// word is a choice of yes or no as the form has it.
func word(name string, is bool) string {
	if is {
		return name
	}
	return "not_" + name
}

func typedAccount(values map[string]string) banking.Draft {
	return banking.Draft{
		Name: values["name"], Bank: values["bank"], Holder: values["holder"], IBAN: values["iban"], BIC: values["bic"], Currency: values["currency"], Client: values["client"] != "not_client",
		Open: values["open"] != "not_open",
	}
}

// accountFields is the form of an account. Its number, currency and purpose are typed once.
func accountFields(r *desk.Request, item setting, in caseengine.Typed) (out []ui.FieldView, err error) {
	fresh := item.id == 0
	for i, v := range accountValues(banking.Draft{Open: true, Client: true}) {
		fixed := v.key == "iban" || v.key == "currency" || v.key == "client"
		if fixed && !fresh || v.key == "open" && fresh {
			continue
		}
		if _, typed := in.Values[v.key]; !typed && !fresh {
			in.Values[v.key] = item.values[i].text
			if v.key == "open" && item.draft {
				in.Values[v.key] = "open"
			}
		}
		field := ui.FieldView{Name: v.key, Label: r.Word("account.field." + v.key), MaxLength: 70, Required: v.key != "bic"}
		if v.choice {
			for _, choice := range []string{v.key, "not_" + v.key} {
				field.Options = append(field.Options, ui.Option{Value: choice, Label: r.Word("account.choice." + choice), Selected: in.Values[v.key] == choice})
			}
		}
		out = append(out, in.Field(field))
	}
	return out, nil
}

// accountEffect counts what depends on the account.
func (s Services) accountEffect(r *desk.Request, item setting) (facts []ui.Fact, err error) {
	list, err := s.Banking.Statements(ctxOf(r), int(item.id), 0, 1)
	if err != nil {
		return nil, err
	}
	last := r.Word("account.statement.none")
	if len(list) > 0 {
		last = list[0].DisplayNumber() + ", " + r.Date(list[0].LastDay)
	}
	channels, err := s.Deposits.AllChannels(ctxOf(r))
	live := 0
	for _, c := range channels {
		if c.Enabled && c.BankAccountID != nil && int64(*c.BankAccountID) == item.id {
			live++
		}
	}
	return []ui.Fact{
		{Label: r.Word("account.effect.statement"), Value: last, Href: home.String() + "?tab=all&account=" + decimal(item.id)},
		{Label: r.Word("account.effect.channels"), Value: strconv.Itoa(live), Href: ui.To("/admin/channels").String()},
	}, err
}
