package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/provider"
)

// Route is the provider for withdrawals of a kind, and for crypto of a chain. Without an enabled route staff send them, except an agent's, which are not offered.
type Route struct {
	ID       int
	Kind     Kind
	Chain    string
	Provider string
	Enabled  bool
	Approval *int64 // its newest; nil while it is a draft, and of the routes of development
	Version  int
}

// Number is the display number of the route.
func (r Route) Number() string { return fmt.Sprintf("PR-%d", r.ID) }

// lastSeededRoute is the last id of the routes of development, which the database takes without an approval.
const lastSeededRoute = 10

// Draft reports whether the route was never enabled.
func (r Route) Draft() bool { return r.Approval == nil && !r.Enabled && r.ID > lastSeededRoute }

// Refusals of routes.
var (
	ErrNoRoute      = errs.New(errs.NotFound, "route.unknown")
	ErrRouteState   = errs.New(errs.Conflict, "route.state")   // the act is not for its current state
	ErrRouteChanged = errs.New(errs.Conflict, "route.changed") // another version than the one shown
	ErrRouteSame    = errs.New(errs.Refused, "route.same")     // the request changes nothing
	ErrRouteTwice   = errs.Field("chain", "route.twice")       // there is one of the kind and chain
)

// routeSettings declares the changes of routes by two people.
func routeSettings(e *approval.Engine) *approval.Settings[Route] {
	return approval.NewSettings(e, approval.Use{Name: "payout_route", Area: "withdrawal", About: "route", Lasts: 30 * 24 * time.Hour}, approval.Settings[Route]{
		Row: func(r *Route) approval.Row {
			return approval.Row{ID: r.ID, Version: r.Version, Fields: approval.Fields{"provider": &r.Provider, "enabled": &r.Enabled}}
		},
		Unknown: ErrNoRoute, Changed: ErrRouteChanged, Same: ErrRouteSame,
	})
}

// RouteChanges are the routes as two people change them.
func (s *Service) RouteChanges() *approval.Settings[Route] { return s.routes }

// Routes lists the routes.
func (s *Service) Routes(ctx context.Context) (list []Route, err error) {
	return list, s.db.Rows(ctx).Order("kind, chain, id").Limit(100).Find(&list).Error
}

// Route reads a route. It returns ErrNoRoute.
func (s *Service) Route(ctx context.Context, id int64) (r Route, err error) {
	if id < 1 || id > math.MaxInt32 {
		return r, ErrNoRoute
	}
	if err = s.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&r).Error; err != nil {
		return r, fmt.Errorf("read route %d: %w", id, err)
	}
	if r.ID == 0 {
		err = ErrNoRoute
	}
	return r, err
}

// PayoutProviders lists the ids of the configured providers.
func (s *Service) PayoutProviders() []string {
	if s.providers == nil {
		return nil
	}
	return s.providers.IDs()
}

// tidyRoute returns a field error for an invalid route.
func (s *Service) tidyRoute(r Route) (Route, error) {
	_, known := payee.FindChain(r.Chain)
	switch {
	case !slices.Contains(Kinds, r.Kind):
		return r, errs.Field("kind", "field.choice")
	case (r.Kind == Crypto) != known:
		return r, errs.Field("chain", "field.choice")
	case !slices.Contains(s.PayoutProviders(), r.Provider):
		return r, errs.Field("provider", "field.choice")
	}
	return r, nil
}

// DraftRoute adds a route that is not enabled. Refusals: fields, ErrRouteTwice.
func (s *Service) DraftRoute(ctx context.Context, by audit.Actor, r Route) (Route, error) {
	if r.Kind != Crypto {
		r.Chain = ""
	}
	r, err := s.tidyRoute(Route{Kind: r.Kind, Chain: r.Chain, Provider: r.Provider, Version: 1})
	if err != nil {
		return r, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Rows.Create(&r).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
			return ErrRouteTwice
		} else if err != nil {
			return fmt.Errorf("add a route: %w", err)
		}
		return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "withdrawal.draft_route", "payout_route", r.ID))
	})
	return r, err
}

// RequestRoute asks another person to agree to a route's provider, and whether it is enabled. Withdrawals that are with a provider stay there.
// Refusals: fields and those of approval.Settings.Request.
func (s *Service) RequestRoute(ctx context.Context, by audit.Actor, id, version int, provider string, enabled bool, note string) (approval.Approval, error) {
	return s.routes.Request(ctx, by, id, version, note, func(r Route) (Route, error) {
		r.Provider, r.Enabled = provider, enabled
		return s.tidyRoute(r)
	})
}

// SuspendRoute disables a route at once; one person is enough. Staff send its withdrawals from then on. Refusals: ErrRouteState and those of
// approval.Settings.Suspend.
func (s *Service) SuspendRoute(ctx context.Context, by audit.Actor, id, version int, note string) error {
	return s.routes.Suspend(ctx, by, id, version, note, "enabled", "withdrawal.suspend_route", func(r Route) error {
		if !r.Enabled {
			return ErrRouteState
		}
		return nil
	})
}

// CountWaitingForRoute counts the withdrawals of a kind and chain that are not with a provider yet: a change of the route decides who sends them.
func (s *Service) CountWaitingForRoute(ctx context.Context, r Route) (n int64, err error) {
	err = s.db.Rows(ctx).Model(&Withdrawal{}).Where("ended_at IS NULL AND kind = ? AND chain = ? AND state IN ('review', 'more_info', 'approved_1', 'approved_2', 'frozen')", r.Kind, r.Chain).Count(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count the withdrawals of route %d: %w", r.ID, err)
	}
	return n, nil
}

// TableName is GORM's name of the table.
func (Route) TableName() string { return "payout_routes" }

// SeedSandbox routes crypto and agent payouts to the first sandbox provider of the list, in development, and disables routes of removed providers. Staff keep
// sending bank transfers.
func SeedSandbox(ctx context.Context, d *db.DB, list []provider.Provider) error {
	known := []string{}
	for _, p := range list {
		known = append(known, p.ID)
	}
	if _, err := d.Pool.Exec(ctx, `UPDATE payout_routes SET enabled = false WHERE provider <> ALL($1)`, known); err != nil {
		return fmt.Errorf("close the routes of providers that are gone: %w", err)
	}
	p, ok := provider.Sandbox(list)
	if !ok {
		return nil
	}
	routes := []Route{
		{ID: 1, Kind: Crypto, Chain: "tron", Provider: p.ID, Enabled: true, Version: 1}, {ID: 2, Kind: Crypto, Chain: "ethereum", Provider: p.ID, Enabled: true, Version: 1},
		{ID: 3, Kind: ByAgent, Provider: p.ID, Enabled: true, Version: 1},
	}
	upsert := clause.OnConflict{Columns: []clause.Column{{Name: "kind"}, {Name: "chain"}}, DoUpdates: clause.AssignmentColumns([]string{"provider", "enabled"}),
		Where: clause.Where{Exprs: []clause.Expression{gorm.Expr("payout_routes.id <= ? AND payout_routes.version = 1", lastSeededRoute)}}} // what staff changed stays
	if err := d.Rows(ctx).Clauses(upsert).Create(&routes).Error; err != nil {
		return fmt.Errorf("seed the routes of payouts: %w", err)
	}
	return nil
}

// agentTx refuses agent payouts without a route. It returns ErrKind.
func (s *Service) agentTx(tx *db.Tx) error {
	id, err := s.routeTx(tx, ByAgent, "")
	if err == nil && id == "" {
		err = ErrKind
	}
	return err
}
