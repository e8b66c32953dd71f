package bankdesk

import (
	"cmp"
	"context"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/templates/ui"
)

// channels declares the desk of the ways to pay in.
func (s Services) channels() settings {
	return settings{
		name: "channels", letters: "CH-", target: "channel", texts: "channel", icon: ui.IconIn, ask: access.ChannelAsk, confirm: access.ChannelConfirm, suspend: access.ChannelSuspend,
		names:  append([]string{"kind", "name", "account", "provider", "currency", "coin", "chain", "minimum", "maximum", "sort", "enabled"}, offerNames()...),
		fields: s.channelFields, effect: s.channelEffect,
		list: func(ctx context.Context) ([]setting, error) {
			list, err := s.Deposits.AllChannels(ctx)
			if err != nil {
				return nil, err
			}
			return s.channelSettings(ctx, list...)
		},
		read: func(ctx context.Context, id int64) (setting, error) {
			c, err := s.Deposits.ChannelByID(ctx, int(id))
			if err != nil {
				return setting{}, err
			}
			return only(s.channelSettings(ctx, c))
		},
		draftOf: func(r *desk.Request, values map[string]string) (int64, error) {
			c, err := s.typedChannel(r, deposit.Channel{Kind: values["kind"]}, values)
			if err != nil {
				return 0, err
			}
			c, err = s.Deposits.DraftChannel(ctxOf(r), r.Actor(), c)
			return int64(c.ID), err
		},
		request: func(r *desk.Request, item setting, values map[string]string) error {
			now, err := s.Deposits.ChannelByID(ctxOf(r), int(item.id))
			if err != nil {
				return err
			}
			c, err := s.typedChannel(r, now, values)
			if err != nil {
				return err
			}
			_, err = s.Deposits.RequestChannel(ctxOf(r), r.Actor(), now.ID, item.version, c, values["why"])
			return err
		},
		approve: func(r *desk.Request, item setting, _ string) error {
			return s.Deposits.ChannelChanges().Agree(ctxOf(r), r.Actor(), *item.asked)
		},
		decline: func(r *desk.Request, item setting, note string) error {
			return s.Deposits.ChannelChanges().Decline(ctxOf(r), r.Actor(), *item.asked, note)
		},
		stop: func(r *desk.Request, item setting, note string) error {
			return s.Deposits.SuspendChannel(ctxOf(r), r.Actor(), int(item.id), item.version, note)
		},
	}
}

// channelSettings shows channels as settings, with the open requests about them.
func (s Services) channelSettings(ctx context.Context, list ...deposit.Channel) ([]setting, error) {
	asked, err := s.Deposits.ChannelChanges().Undecided(ctx, list...)
	if err != nil {
		return nil, err
	}
	out := make([]setting, len(list))
	for i, c := range list {
		item := setting{
			id: int64(c.ID), version: c.Version, number: c.Number(), name: c.Name, sub: c.Currency, note: ui.Amount(c.Minimum) + " – " + ui.Amount(c.Maximum) + " " + c.Currency,
			draft: c.Draft(), live: c.Enabled, values: channelValues(ctx, c),
		}
		if change, ok := asked[c.ID]; ok {
			item.asked, item.becomes = &change.Approval, channelValues(ctx, change.Becomes)
		}
		out[i] = item
	}
	return out, nil
}

// channelValues are the fields of a channel in words, in the order of the page.
func channelValues(ctx context.Context, c deposit.Channel) []value {
	account := ""
	if c.BankAccountID != nil {
		account = ui.To("/admin/bank-accounts/{}", *c.BankAccountID).String()
	}
	return append([]value{
		{key: "kind", text: c.Kind, choice: true}, {key: "name", text: c.Name}, {key: "account", text: joined(c.Bank, fours(c.IBAN)), href: account}, {key: "provider", text: c.Provider}, {key: "currency", text: c.Currency},
		{key: "coin", text: c.Coin}, {key: "chain", text: c.Chain}, {key: "minimum", text: ui.Amount(c.Minimum)}, {key: "maximum", text: ui.Amount(c.Maximum)}, {key: "sort", text: strconv.Itoa(c.Sort)},
		{key: "enabled", text: word("enabled", c.Enabled), choice: true},
	}, offerValues(ctx, c)...)
}

// typedChannel reads the form over a channel; what a channel that was live pays into is not in its form. Refusals: fields.
func (s Services) typedChannel(r *desk.Request, c deposit.Channel, values map[string]string) (deposit.Channel, error) {
	var err error
	draft := c.Draft()
	c.Name, c.Enabled = values["name"], values["enabled"] != "not_enabled"
	if c.Minimum, err = desk.ReadAmount(values["minimum"]); err != nil {
		return c, errs.Field("minimum", "field.amount")
	}
	if c.Maximum, err = desk.ReadAmount(values["maximum"]); err != nil {
		return c, errs.Field("maximum", "field.amount")
	}
	if c.Sort, err = strconv.Atoi(values["sort"]); err != nil {
		return c, errs.Field("sort", "field.number")
	}
	if c, err = typedOffer(c, values); err != nil || !draft {
		return c, err
	}
	if c.Kind == deposit.ByBank {
		return s.paidInto(r, c, values["account"])
	}
	c.Provider, c.Currency, c.Coin, c.Chain = values["provider"], cmp.Or(values["currency"], "USDT"), values["coin"], values["chain"]
	if c.Kind != deposit.Crypto {
		c.Coin, c.Chain = "", ""
	}
	return c, nil
}

// paidInto fills in the bank account of a bank channel.
func (s Services) paidInto(r *desk.Request, c deposit.Channel, typed string) (deposit.Channel, error) {
	id, err := strconv.Atoi(typed)
	if err != nil {
		return c, errs.Field("account", "field.choice")
	}
	a, err := s.Banking.Account(ctxOf(r), id)
	if err != nil || !a.Open {
		return c, errs.Field("account", "field.choice")
	}
	c.BankAccountID, c.Bank, c.Holder, c.IBAN, c.BIC, c.Currency = &a.ID, a.Bank, a.Holder, a.IBAN, a.BIC, a.Currency
	return c, nil
}

// channelKinds are the kinds of channels in the order of the choice.
var channelKinds = []string{deposit.ByBank, deposit.ThirdParty, deposit.OTC, deposit.Crypto}

// channelFields is the form of a channel.
func (s Services) channelFields(r *desk.Request, item setting, in caseengine.Typed) (out []ui.FieldView, err error) {
	fresh := item.id == 0
	c := deposit.Channel{Minimum: 10 * money.Unit, Maximum: 25_000 * money.Unit, Sort: 10, Enabled: true}
	if !fresh {
		if c, err = s.Deposits.ChannelByID(ctxOf(r), int(item.id)); err != nil {
			return nil, err
		}
	}
	if _, typed := in.Values["name"]; !typed {
		in.Values["name"], in.Values["minimum"], in.Values["maximum"], in.Values["sort"] = c.Name, ui.Amount(c.Minimum), ui.Amount(c.Maximum), strconv.Itoa(c.Sort)
		in.Values["kind"], in.Values["provider"], in.Values["coin"], in.Values["chain"] = c.Kind, c.Provider, c.Coin, c.Chain
		if c.BankAccountID != nil {
			in.Values["account"] = strconv.Itoa(*c.BankAccountID)
		}
		in.Values["enabled"] = word("enabled", c.Enabled || c.Draft())
		fillOffer(in.Values, c)
	}
	field := func(f ui.FieldView) {
		f.Label, f.Required = r.Word("channel.field."+f.Name), true
		out = append(out, in.Field(f))
	}
	choice := func(name string, options []ui.Option) {
		for i := range options {
			options[i].Selected = options[i].Value == in.Values[name]
		}
		field(ui.FieldView{Name: name, Options: options})
	}
	if fresh {
		var kinds []ui.Option
		for _, kind := range channelKinds {
			kinds = append(kinds, ui.Option{Value: kind, Label: r.Word("channel.choice." + kind)})
		}
		choice("kind", kinds)
	}
	field(ui.FieldView{Name: "name", MaxLength: 60})
	if fresh || c.Draft() {
		if err := s.payingInto(r, c, fresh, choice, field); err != nil {
			return nil, err
		}
	}
	field(ui.FieldView{Name: "minimum", InputMode: "decimal", MaxLength: 20, Suffix: c.Currency})
	field(ui.FieldView{Name: "maximum", InputMode: "decimal", MaxLength: 20, Suffix: c.Currency})
	field(ui.FieldView{Name: "sort", InputMode: "numeric", MaxLength: 3, Hint: r.Word("channel.field.sort.hint")})
	out = append(out, offerFields(r, in)...)
	if !fresh {
		choice("enabled", []ui.Option{{Value: "enabled", Label: r.Word("channel.choice.enabled")}, {Value: "not_enabled", Label: r.Word("channel.choice.not_enabled")}})
	}
	return out, nil
}

// payingInto are the fields of what a channel pays into; of a new one all, as its kind is chosen in the same form.
func (s Services) payingInto(r *desk.Request, c deposit.Channel, fresh bool, choice func(string, []ui.Option), field func(ui.FieldView)) error {
	if fresh || c.Kind == deposit.ByBank {
		accounts, err := s.Banking.Accounts(ctxOf(r))
		if err != nil {
			return err
		}
		options := []ui.Option{{Label: r.Word("channel.field.account.none")}}
		for _, a := range accounts {
			if a.Open {
				options = append(options, ui.Option{Value: strconv.Itoa(a.ID), Label: a.Name + ", " + a.Currency + ", " + bankEnding(a)})
			}
		}
		choice("account", options)
	}
	if !fresh && c.Kind == deposit.ByBank {
		return nil
	}
	options := []ui.Option{{Label: r.Word("channel.field.provider.none")}}
	for _, id := range s.Deposits.Providers() {
		options = append(options, ui.Option{Value: id, Label: id})
	}
	choice("provider", options)
	if fresh || c.Kind == deposit.Crypto {
		field(ui.FieldView{Name: "coin", MaxLength: 10, Hint: r.Word("channel.field.coin.hint")})
		field(ui.FieldView{Name: "chain", MaxLength: 20, Hint: r.Word("channel.field.coin.hint")})
	}
	return nil
}

func bankEnding(a banking.Account) string { return "…" + a.IBAN[max(0, len(a.IBAN)-4):] }

// channelEffect counts whom the channel, or its requested limits, meet.
func (s Services) channelEffect(r *desk.Request, item setting) ([]ui.Fact, error) {
	c, err := s.Deposits.ChannelByID(ctxOf(r), int(item.id))
	if err != nil {
		return nil, err
	}
	asked, err := s.Deposits.ChannelChanges().Undecided(ctxOf(r), c)
	if err != nil {
		return nil, err
	}
	becomes := c
	if change, ok := asked[c.ID]; ok {
		becomes = change.Becomes
	}
	e, err := s.Deposits.EffectOf(ctxOf(r), c.ID, becomes.Minimum, becomes.Maximum)
	return []ui.Fact{
		{Label: r.Word("channel.effect.open"), Value: decimal(e.Open), Href: ui.To("/admin/deposits").String()}, {Label: r.Word("channel.effect.traders"), Value: decimal(e.Traders)},
		{Label: r.Word("channel.effect.outside"), Value: decimal(e.Outside)},
	}, err
}
