package bankdesk

import (
	"context"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/payee"
	"candor/app/platform/i18n"
	"candor/app/withdrawal"
	"candor/templates/ui"
)

// routes declares the desk of payout routes: which provider sends the withdrawals of a kind.
func (s Services) routes() settings {
	return settings{
		name: "payout-routes", letters: "PR-", target: "payout_route", texts: "route", icon: ui.IconOut, ask: access.ChannelAsk, confirm: access.ChannelConfirm, suspend: access.ChannelSuspend,
		names: []string{"kind", "chain", "provider", "enabled"}, fields: s.routeFields, effect: s.routeEffect,
		list: func(ctx context.Context) ([]setting, error) {
			list, err := s.Withdrawals.Routes(ctx)
			if err != nil {
				return nil, err
			}
			return s.routeSettings(ctx, list...)
		},
		read: func(ctx context.Context, id int64) (setting, error) {
			p, err := s.Withdrawals.Route(ctx, id)
			if err != nil {
				return setting{}, err
			}
			return only(s.routeSettings(ctx, p))
		},
		draftOf: func(r *desk.Request, values map[string]string) (int64, error) {
			p, err := s.Withdrawals.DraftRoute(ctxOf(r), r.Actor(), withdrawal.Route{Kind: withdrawal.Kind(values["kind"]), Chain: values["chain"], Provider: values["provider"]})
			return int64(p.ID), err
		},
		request: func(r *desk.Request, item setting, values map[string]string) error {
			_, err := s.Withdrawals.RequestRoute(ctxOf(r), r.Actor(), int(item.id), item.version, values["provider"], values["enabled"] == word("enabled", true), values["why"])
			return err
		},
		approve: func(r *desk.Request, item setting, _ string) error {
			return s.Withdrawals.RouteChanges().Agree(ctxOf(r), r.Actor(), *item.asked)
		},
		decline: func(r *desk.Request, item setting, note string) error {
			return s.Withdrawals.RouteChanges().Decline(ctxOf(r), r.Actor(), *item.asked, note)
		},
		stop: func(r *desk.Request, item setting, note string) error {
			return s.Withdrawals.SuspendRoute(ctxOf(r), r.Actor(), int(item.id), item.version, note)
		},
	}
}

// routeSettings shows routes as settings, with the open requests about them.
func (s Services) routeSettings(ctx context.Context, list ...withdrawal.Route) ([]setting, error) {
	asked, err := s.Withdrawals.RouteChanges().Undecided(ctx, list...)
	if err != nil {
		return nil, err
	}
	out := make([]setting, len(list))
	for i, p := range list {
		item := setting{id: int64(p.ID), version: p.Version, number: p.Number(), name: i18n.T(ctx, "route.choice."+string(p.Kind)), sub: payee.ChainName(p.Chain), note: p.Provider, draft: p.Draft(), live: p.Enabled, values: routeValues(p)}
		if change, ok := asked[p.ID]; ok {
			item.asked, item.becomes = &change.Approval, routeValues(change.Becomes)
		}
		out[i] = item
	}
	return out, nil
}

// routeValues are the fields of a route in words.
func routeValues(p withdrawal.Route) []value {
	return []value{
		{key: "kind", text: string(p.Kind), choice: true}, {key: "chain", text: payee.ChainName(p.Chain)}, {key: "provider", text: p.Provider}, {key: "enabled", text: word("enabled", p.Enabled), choice: true},
	}
}

// routeFields are the form of a route; what it sends is chosen once.
func (s Services) routeFields(r *desk.Request, item setting, in caseengine.Typed) (fields []ui.FieldView, err error) {
	var p withdrawal.Route
	if item.id != 0 {
		if p, err = s.Withdrawals.Route(ctxOf(r), item.id); err != nil {
			return nil, err
		}
	}
	choice := func(name, now string, options []ui.Option) {
		if typed, ok := in.Values[name]; ok {
			now = typed
		}
		for i := range options {
			options[i].Selected = options[i].Value == now
		}
		fields = append(fields, ui.FieldView{Name: name, Label: r.Word("route.field." + name), Error: in.Errors[name], Options: options, Required: true})
	}
	if item.id == 0 {
		var kinds, chains []ui.Option
		for _, kind := range withdrawal.Kinds {
			kinds = append(kinds, ui.Option{Value: string(kind), Label: r.Word("route.choice." + string(kind))})
		}
		choice("kind", "", kinds)
		chains = append(chains, ui.Option{Label: r.Word("route.chain.none")})
		for _, c := range payee.Chains() {
			chains = append(chains, ui.Option{Value: c.ID, Label: payee.ChainName(c.ID)})
		}
		choice("chain", "", chains)
		fields[len(fields)-1].Required = false
	}
	var providers []ui.Option
	for _, id := range s.Withdrawals.PayoutProviders() {
		providers = append(providers, ui.Option{Value: id, Label: id})
	}
	choice("provider", p.Provider, providers)
	if item.id != 0 {
		yes, no := word("enabled", true), word("enabled", false)
		choice("enabled", word("enabled", p.Enabled), []ui.Option{{Value: yes, Label: r.Word("route.choice." + yes)}, {Value: no, Label: r.Word("route.choice." + no)}})
	}
	return fields, nil
}

// routeEffect counts the withdrawals that a change of the route meets.
func (s Services) routeEffect(r *desk.Request, item setting) ([]ui.Fact, error) {
	p, err := s.Withdrawals.Route(ctxOf(r), item.id)
	if err != nil {
		return nil, err
	}
	n, err := s.Withdrawals.CountWaitingForRoute(ctxOf(r), p)
	return []ui.Fact{{Label: r.Word("route.effect.waiting"), Value: decimal(n), Href: ui.To("/admin/withdrawals").String(), Note: r.Word("route.effect.note")}}, err
}
