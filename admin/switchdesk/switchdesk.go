// Package switchdesk changes the product's switches: after a review of the difference, sensitive keys by two people, and changes that reduce risk at once.
package switchdesk

import (
	"context"
	"net/http"
	"slices"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/platform/i18n"
	"candor/app/switches"
	"candor/app/trader"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Values  *switches.Service
	Changes *switches.Changes
	Traders *trader.Service
	Texts   *i18n.Catalogue // of the trader app
	Online  func() int      // number of apps connected to this server
	Audit   *audit.Log
}

// Routes lists the desk's routes.
func Routes(s Services) []desk.Route {
	routes := append(s.list().Routes(), []desk.Route{
		{Method: http.MethodGet, Path: "/switches/:key", Permission: access.SwitchView, Handle: s.key},
		{Method: http.MethodGet, Path: "/switches/:key/change", Permission: access.SwitchChange, Handle: s.askChange},
		{Method: http.MethodPost, Path: "/switches/:key/change/review", Permission: access.SwitchChange, Handle: s.reviewChange},
		{Method: http.MethodPost, Path: "/switches/:key/change", Permission: access.SwitchChange, Handle: s.change},
		{Method: http.MethodGet, Path: "/switches/:key/versions/:id/return", Permission: access.SwitchChange, Handle: s.askReturn},
		{Method: http.MethodPost, Path: "/switches/:key/versions/:id/return", Permission: access.SwitchChange, Handle: s.goBack},
		{Method: http.MethodGet, Path: "/switches/:key/stop", Permission: access.SwitchStop, Handle: s.askStop},
		{Method: http.MethodPost, Path: "/switches/:key/stop", Permission: access.SwitchStop, Handle: s.stop},
		{Method: http.MethodGet, Path: "/switch-batches/new", Permission: access.SwitchChange, Handle: s.askSeveral},
		{Method: http.MethodPost, Path: "/switch-batches/review", Permission: access.SwitchChange, Handle: s.reviewSeveral},
		{Method: http.MethodPost, Path: "/switch-batches", Permission: access.SwitchChange, Handle: s.several},
		{Method: http.MethodGet, Path: "/switch-changes/:id/edit", Permission: access.SwitchChange, Handle: s.askEdit},
		{Method: http.MethodPost, Path: "/switch-changes/:id/edit/review", Permission: access.SwitchChange, Handle: s.reviewEdit},
		{Method: http.MethodPost, Path: "/switch-changes/:id/edit", Permission: access.SwitchChange, Handle: s.edit},
	}...)
	for _, o := range decisions {
		routes = append(routes,
			desk.Route{Method: http.MethodGet, Path: "/switch-changes/:id/" + o.path, Permission: o.permission, Handle: s.askDecision(o)},
			desk.Route{Method: http.MethodPost, Path: "/switch-changes/:id/" + o.path, Permission: o.permission, Handle: s.decide(o)},
		)
	}
	return routes
}

// Target is how long a change may wait for its second person.
const Target = 24 * time.Hour

// Waiting reads the queue of the navigation item; desk.Config.Counts takes it.
func Waiting(c *switches.Changes) func(context.Context) (desk.Waiting, error) {
	return func(ctx context.Context) (desk.Waiting, error) {
		n, oldest, err := c.CountWaiting(ctx)
		return desk.Waiting{Count: n, Oldest: oldest, Target: Target}, err
	}
}

func ctxOf(r *desk.Request) context.Context { return r.Context.Request().Context() }

func word(r *desk.Request, key string, pairs ...any) string { return i18n.T(ctxOf(r), key, pairs...) }

func at(r *desk.Request, moment time.Time) string { return r.Moment(moment) }

func path(key string) ui.Path { return ui.To("/admin/switches/{}", key) }

func name(r *desk.Request, key string) string { return word(r, "switch.name."+key) }

// shown writes a value with its unit, or as text for on, off and choices.
func shown(r *desk.Request, d switches.Definition, value string) string {
	switch {
	case d.Type == switches.Bool:
		return word(r, "switch.value."+value)
	case d.Type == switches.Enum:
		return word(r, "switch.choice."+d.Key+"."+value)
	case value == "":
		return word(r, "switch.value.empty")
	case d.Type == switches.Moment:
		if moment, err := time.Parse(time.RFC3339, value); err == nil {
			return at(r, moment)
		}
		return value
	case d.Unit == "":
		return value
	}
	return word(r, "switch.with."+d.Unit, "value", ui.Decimal(value))
}

func roleOf(r *desk.Request, role string) string { return word(r, "role."+role) }

func riskChip(r *desk.Request, risk switches.Risk) ui.ChipView {
	chip := ui.ChipView{Outline: true, Label: word(r, "switch.risk."+string(risk))}
	if risk != switches.Ordinary {
		chip.Icon = ui.IconLock
	}
	return chip
}

// difference compares a key's settings before and after a change, field by field.
func difference(r *desk.Request, d switches.Definition, before, after switches.Setting) []ui.FieldDiff {
	changes := []ui.FieldDiff{{Field: word(r, "switch.for_all"), Before: shown(r, d, before.Value), After: shown(r, d, after.Value), Same: before.Value == after.Value}}
	for i := range max(len(before.Rules), len(after.Rules)) {
		line := ui.FieldDiff{Field: word(r, "switch.rule_n", "n", i+1)}
		if i < len(before.Rules) {
			line.Before = ruleWords(r, d, before.Rules[i])
		}
		if i < len(after.Rules) {
			line.After = ruleWords(r, d, after.Rules[i])
		}
		line.Same = line.Before == line.After
		changes = append(changes, line)
	}
	return changes
}

func (s Services) define(r *desk.Request) (switches.Definition, error) {
	d, known := switches.Define(r.Context.Param("key"))
	if !known {
		return d, switches.ErrUnknown
	}
	return d, nil
}

func mayStop(r *desk.Request, d switches.Definition) bool {
	return r.May(access.SwitchStop) && d.MayStop(roles(r))
}

func roles(r *desk.Request) []string {
	out := make([]string, len(r.Member.Roles))
	for i, role := range r.Member.Roles {
		out[i] = string(role)
	}
	return slices.Clip(out)
}
