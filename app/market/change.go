package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/events"
	"candor/app/platform/money"
	"candor/app/staff/member"
)

// One person requests a change of a product and another approves it. It takes effect later, for every trader alike.

// ChangeKind is the subject of a change.
type ChangeKind string

// The kinds of changes.
const (
	TermsKind    ChangeKind = "terms"
	DividendKind ChangeKind = "dividend"
)

// ChangeState is the state of a change.
type ChangeState string

// The states of changes.
const (
	ChangeOpen      ChangeState = "open"
	ChangeApproved  ChangeState = "approved"
	ChangeRefused   ChangeState = "refused"
	ChangeWithdrawn ChangeState = "withdrawn"
)

// Notice is the minimum time between a request and its effect.
const Notice = 24 * time.Hour

// Refusals of changes.
var (
	ErrChange        = errs.New(errs.NotFound, "change.unknown")
	ErrChangeNotOpen = errs.New(errs.Conflict, "change.not_open")
	ErrChangeOpen    = errs.New(errs.Conflict, "change.other_open") // another change of this product awaits approval
	ErrChangeOwn     = errs.New(errs.Forbidden, "change.own")
	ErrChangeNotOwn  = errs.New(errs.Forbidden, "change.not_own")
	ErrChangeNothing = errs.New(errs.Refused, "change.nothing")
	ErrChangeSoon    = errs.Field("effective_at", "field.soon")
	ErrChangeOrder   = errs.Field("effective_at", "field.order") // versions take effect one after another
	ErrChangeLate    = errs.New(errs.Refused, "change.too_late") // the effective time passed before approval
	ErrChangeOld     = errs.New(errs.Conflict, "change.outdated")
	ErrReason        = errs.Field("reason", "field.required")
)

// Change is a requested change.
type Change struct {
	ID          int64
	ProductID   int
	Kind        ChangeKind
	BaseVersion int
	Terms       Terms     // for TermsKind: the full terms
	ExDate      time.Time // for DividendKind
	Amount      int64     // for DividendKind: 10^-6 of the quote currency per unit
	Reason      string
	EffectiveAt time.Time // market time
	State       ChangeState
	Version     int
	AskedBy     int64
	AskedAt     time.Time
	DecidedBy   *int64
	DecidedAt   *time.Time
	AskerName   string
	DeciderName string
}

// Changes is the service for requesting and approving changes.
type Changes struct {
	db     *db.DB
	market *Service
	clock  clock.Clock
	bus    *events.Bus
}

// NewChanges makes the service; each server follows the changes approved on any server.
func NewChanges(d *db.DB, m *Service, real clock.Clock, bus *events.Bus) *Changes {
	return &Changes{db: d, market: m, clock: real, bus: bus}
}

// TermsChanged is the subject of the event that terms have changed.
const TermsChanged = "market.terms"

// rereadEvery is the longest time for which a server may miss an approval on another server when its event was lost.
const rereadEvery = time.Minute

// Follow reads the terms again after each approval on any server, until ctx ends.
func (c *Changes) Follow(ctx context.Context) error {
	stop, err := c.bus.Subscribe(TermsChanged, func(string, []byte) { c.reread(ctx) })
	if err != nil {
		return err
	}
	defer stop()
	c.reread(ctx) // changes between Load and the subscription
	ticker := time.NewTicker(rereadEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			c.reread(ctx)
		case <-ctx.Done():
			return nil
		}
	}
}

func (c *Changes) reread(ctx context.Context) {
	if err := c.market.ReloadTerms(ctx); err != nil && ctx.Err() == nil {
		slog.ErrorContext(ctx, "the terms of products can't be read again", "error", err)
	}
}

// reasonLimit is the maximum number of characters in a reason.
const reasonLimit = 500

// DraftTerms is the change that AskTerms would request, for preview. Refusals: those of AskTerms but ErrChangeOpen, which only AskTerms returns.
func (c *Changes) DraftTerms(productID int, said map[string]string, effectiveAt time.Time, reason string) (Change, error) {
	versions, err := c.market.Terms(productID)
	if err != nil {
		return Change{}, err
	}
	last := versions[len(versions)-1]
	next, err := last.With(said)
	if err != nil {
		return Change{}, err
	}
	if len(last.Changes(next)) == 0 {
		return Change{}, ErrChangeNothing
	}
	next.Version, next.EffectiveAt = last.Version+1, effectiveAt
	draft := Change{ProductID: productID, Kind: TermsKind, BaseVersion: last.Version, Terms: next, EffectiveAt: effectiveAt, Reason: reason}
	if err := c.check(&draft); err != nil {
		return Change{}, err
	}
	if !effectiveAt.After(last.EffectiveAt) {
		return Change{}, ErrChangeOrder
	}
	return draft, nil
}

// DraftDividend is the change that AskDividend would request, for preview. Refusals: those of AskDividend but ErrChangeOpen.
func (c *Changes) DraftDividend(productID int, exDate time.Time, amount int64, reason string) (Change, error) {
	p, err := c.market.Product(productID)
	if err != nil {
		return Change{}, err
	}
	if !p.PaysDividends() {
		return Change{}, ErrProduct
	}
	versions, err := c.market.Terms(productID)
	if err != nil {
		return Change{}, err
	}
	if amount <= 0 {
		return Change{}, errs.Field("amount", "field.range")
	}
	y, m, d := exDate.Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	draft := Change{
		ProductID: productID, Kind: DividendKind, BaseVersion: len(versions), ExDate: day, Amount: amount, EffectiveAt: RolloverOn(day.AddDate(0, 0, -1)), Reason: reason,
	}
	return draft, c.check(&draft)
}

// check refuses a draft without a reason, with too long a reason, or that takes effect too soon.
func (c *Changes) check(draft *Change) error {
	draft.Reason = strings.TrimSpace(draft.Reason)
	switch {
	case draft.Reason == "":
		return ErrReason
	case utf8.RuneCountInString(draft.Reason) > reasonLimit:
		return errs.Field("reason", "field.length")
	case draft.EffectiveAt.Before(c.market.Now().Add(Notice)):
		return ErrChangeSoon
	}
	return nil
}

// AskTerms requests new terms of a product from a moment of market time on: the named terms change, the others stay. Refusals: ErrProduct,
// ErrChangeNothing, ErrChangeSoon, ErrChangeOrder, ErrChangeOpen, ErrReason, and a field for each invalid term.
func (c *Changes) AskTerms(ctx context.Context, actor audit.Actor, productID int, said map[string]string, effectiveAt time.Time, reason string) (int64, error) {
	draft, err := c.DraftTerms(productID, said, effectiveAt, reason)
	if err != nil {
		return 0, err
	}
	return c.ask(ctx, actor, draft)
}

// AskDividend requests a dividend of a product: positions held over the rollover before the ex-date receive it (long) or pay it (short). Refusals:
// ErrProduct (also when the product pays none), ErrChangeSoon, ErrChangeOpen, ErrReason, and a field for an amount that is not positive.
func (c *Changes) AskDividend(ctx context.Context, actor audit.Actor, productID int, exDate time.Time, amount int64, reason string) (int64, error) {
	draft, err := c.DraftDividend(productID, exDate, amount, reason)
	if err != nil {
		return 0, err
	}
	return c.ask(ctx, actor, draft)
}

func (c *Changes) ask(ctx context.Context, actor audit.Actor, change Change) (id int64, err error) {
	proposal, err := json.Marshal(change.proposal())
	if err != nil {
		return 0, err
	}
	err = c.db.InTx(ctx, func(tx *db.Tx) error {
		err := tx.Conn.QueryRow(ctx, `
			INSERT INTO product_changes (product_id, kind, base_version, proposal, reason, effective_at, state, asked_by, asked_at)
			VALUES ($1, $2, $3, $4, $5, $6, 'open', $7, $8) RETURNING id`,
			change.ProductID, change.Kind, change.BaseVersion, proposal, change.Reason, change.EffectiveAt, actor.ID, c.clock.Now()).Scan(&id)
		if err != nil {
			return err
		}
		return c.record(ctx, tx, actor, "ask", change, id)
	})
	if db.IsUnique(err, "product_changes_open") {
		err = ErrChangeOpen
	}
	return id, err
}

// record writes the audit entry of an act on a change: its base terms and the resulting ones.
func (c *Changes) record(ctx context.Context, tx *db.Tx, actor audit.Actor, act string, change Change, id int64) error {
	e := audit.By(actor, c.clock.Now(), "product."+act, "product", change.ProductID)
	after := change.proposal()
	after["change"], after["kind"], after["effective_at"], after["reason"] = id, change.Kind, change.EffectiveAt.UTC(), change.Reason
	text, err := json.Marshal(after)
	e.After = string(text)
	if versions, unknown := c.market.Terms(change.ProductID); unknown == nil && change.Kind == TermsKind {
		if base, ok := versions.Number(change.BaseVersion); ok {
			text, failed := json.Marshal(Change{Kind: TermsKind, Terms: base}.proposal())
			e.Before, err = string(text), errors.Join(err, failed)
		}
	}
	return errors.Join(err, audit.RecordTx(ctx, tx, e))
}

// proposal is the change by column, as the database compares it with the result.
func (c Change) proposal() map[string]any {
	if c.Kind == DividendKind {
		return map[string]any{"ex_date": c.ExDate.Format(time.DateOnly), "amount": c.Amount}
	}
	t := c.Terms
	return map[string]any{
		"mode": t.Mode, "spread_markup": t.SpreadMarkup, "lot_min": t.LotMin, "lot_step": t.LotStep, "lot_max": t.LotMax, "multiple": t.Multiple, "tiers": t.Tiers,
		"hedged_ratio_bps": t.HedgedRatioBps, "commission_per_lot": t.CommissionPerLot, "commission_bps": t.CommissionBps, "commission_min": t.CommissionMin,
		"stop_level": t.StopLevel, "stale_ms": t.StaleMS, "spike_bps": t.SpikeBps, "swap_model": t.SwapModel, "swap_long": t.SwapLong, "swap_short": t.SwapShort,
		"triple_day": t.TripleDay,
	}
}

// read parses a proposal from the database.
func (c *Change) read(proposal []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(proposal, &values); err != nil {
		return err
	}
	if c.Kind == DividendKind {
		var day string
		err := errors.Join(json.Unmarshal(values["ex_date"], &day), json.Unmarshal(values["amount"], &c.Amount))
		if err == nil {
			c.ExDate, err = time.Parse(time.DateOnly, day)
		}
		return err
	}
	t := &c.Terms
	for name, into := range map[string]any{
		"mode": &t.Mode, "spread_markup": &t.SpreadMarkup, "lot_min": &t.LotMin, "lot_step": &t.LotStep, "lot_max": &t.LotMax, "multiple": &t.Multiple, "tiers": &t.Tiers,
		"hedged_ratio_bps": &t.HedgedRatioBps, "commission_per_lot": &t.CommissionPerLot, "commission_bps": &t.CommissionBps, "commission_min": &t.CommissionMin,
		"stop_level": &t.StopLevel, "stale_ms": &t.StaleMS, "spike_bps": &t.SpikeBps, "swap_model": &t.SwapModel, "swap_long": &t.SwapLong, "swap_short": &t.SwapShort,
		"triple_day": &t.TripleDay,
	} {
		if err := json.Unmarshal(values[name], into); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	t.Version, t.EffectiveAt = c.BaseVersion+1, c.EffectiveAt
	return nil
}

const changeColumns = `c.id, c.product_id, c.kind, c.base_version, c.proposal, c.reason, c.effective_at, c.state, c.version, c.asked_by, c.asked_at, c.decided_by, c.decided_at`

func scanChange(row pgx.Row) (c Change, err error) {
	var proposal []byte
	err = row.Scan(&c.ID, &c.ProductID, &c.Kind, &c.BaseVersion, &proposal, &c.Reason, &c.EffectiveAt, &c.State, &c.Version, &c.AskedBy, &c.AskedAt, &c.DecidedBy, &c.DecidedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return c, ErrChange
	}
	if err == nil {
		err = c.read(proposal)
	}
	return c, err
}

// List is the changes of a product, or of all (0), newest first; optionally only open ones.
func (c *Changes) List(ctx context.Context, productID int, open bool, limit int) ([]Change, error) {
	rows, err := c.db.Pool.Query(ctx, `SELECT `+changeColumns+` FROM product_changes c
		WHERE ($1 = 0 OR c.product_id = $1) AND (NOT $2 OR c.state = 'open') ORDER BY c.id DESC LIMIT $3`, productID, open, limit)
	if err != nil {
		return nil, fmt.Errorf("list the changes: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Change, error) { return scanChange(row) })
	if err != nil {
		return nil, err
	}
	return list, c.setNames(ctx, list)
}

// Find reads one change. It returns ErrChange.
func (c *Changes) Find(ctx context.Context, id int64) (Change, error) {
	change, err := scanChange(c.db.Pool.QueryRow(ctx, `SELECT `+changeColumns+` FROM product_changes c WHERE c.id = $1`, id))
	if err != nil {
		return change, err
	}
	list := []Change{change}
	err = c.setNames(ctx, list)
	return list[0], err
}

// setNames sets the names of those who asked for the changes and decided them.
func (c *Changes) setNames(ctx context.Context, list []Change) error {
	var ids []int64
	for _, change := range list {
		ids = append(ids, change.AskedBy, member.ID(change.DecidedBy))
	}
	names, err := member.Names(ctx, c.db.Pool, ids...)
	for i, change := range list {
		list[i].AskerName, list[i].DeciderName = names[change.AskedBy], names[member.ID(change.DecidedBy)]
	}
	return err
}

// CountOpen counts the changes that await approval, and returns the time of the oldest.
func (c *Changes) CountOpen(ctx context.Context) (n int64, oldest time.Time, err error) {
	err = c.db.Pool.QueryRow(ctx, `SELECT count(*), coalesce(min(asked_at), 'epoch') FROM product_changes WHERE state = 'open'`).Scan(&n, &oldest)
	return n, oldest, err
}

// Approve schedules a change for its effective time. Refusals: ErrChange, ErrChangeNotOpen, ErrChangeOwn, ErrChangeLate, ErrChangeOld.
func (c *Changes) Approve(ctx context.Context, actor audit.Actor, id int64) error {
	return c.decide(ctx, actor, id, ChangeApproved, "approve", func(_ *db.Tx, change Change) error {
		switch {
		case change.AskedBy == actor.ID:
			return ErrChangeOwn
		case !change.EffectiveAt.After(c.market.Now()):
			return ErrChangeLate
		}
		return nil
	}, func(tx *db.Tx, change Change) error {
		if change.Kind == DividendKind {
			_, err := tx.Conn.Exec(ctx, `INSERT INTO dividends (product_id, ex_date, amount, change_id) VALUES ($1, $2, $3, $4)`,
				change.ProductID, change.ExDate, change.Amount, change.ID)
			if db.IsUnique(err, "dividends_pkey") {
				return ErrChangeOld
			}
			return err
		}
		var newest int
		if err := tx.Conn.QueryRow(ctx, `SELECT max(version) FROM product_terms WHERE product_id = $1`, change.ProductID).Scan(&newest); err != nil {
			return err
		}
		if newest != change.BaseVersion {
			return ErrChangeOld
		}
		return insertTerms(ctx, tx, change.ProductID, change.Terms, &change.ID)
	})
}

// Refuse rejects another person's change. Refusals: ErrChange, ErrChangeNotOpen, ErrChangeOwn.
func (c *Changes) Refuse(ctx context.Context, actor audit.Actor, id int64) error {
	return c.decide(ctx, actor, id, ChangeRefused, "refuse", func(_ *db.Tx, change Change) error {
		if change.AskedBy == actor.ID {
			return ErrChangeOwn
		}
		return nil
	}, nil)
}

// Withdraw cancels the actor's own change. Refusals: ErrChange, ErrChangeNotOpen, ErrChangeNotOwn.
func (c *Changes) Withdraw(ctx context.Context, actor audit.Actor, id int64) error {
	return c.decide(ctx, actor, id, ChangeWithdrawn, "withdraw", func(_ *db.Tx, change Change) error {
		if change.AskedBy != actor.ID {
			return ErrChangeNotOwn
		}
		return nil
	}, nil)
}

func (c *Changes) decide(ctx context.Context, actor audit.Actor, id int64, state ChangeState, act string, may func(*db.Tx, Change) error, then func(*db.Tx, Change) error) error {
	return c.db.InTx(ctx, func(tx *db.Tx) error {
		change, err := scanChange(tx.Conn.QueryRow(ctx, `SELECT `+changeColumns+` FROM product_changes c WHERE c.id = $1 FOR UPDATE`, id))
		if err != nil {
			return err
		}
		if change.State != ChangeOpen {
			return ErrChangeNotOpen
		}
		if err := may(tx, change); err != nil {
			return err
		}
		_, err = tx.Conn.Exec(ctx, `UPDATE product_changes SET state = $2, decided_by = $3, decided_at = $4, version = version + 1 WHERE id = $1`, id, state, actor.ID, c.clock.Now())
		if err != nil {
			return fmt.Errorf("decide change %d: %w", id, err)
		}
		if then != nil {
			if err := then(tx, change); err != nil {
				return err
			}
			tx.AfterCommit(func() {
				c.reread(context.WithoutCancel(ctx))
				_ = c.bus.Publish(TermsChanged, nil)
			})
		}
		return c.record(ctx, tx, actor, act, change, id)
	})
}

// Dividend formats the amount per unit.
func (c Change) Dividend() string { return money.Trim(c.Amount, money.Scale) }
