package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/events"
	"candor/app/platform/money"
	"candor/app/staff/member"
)

// One person requests a change of a product and another approves it. It takes effect later, for every trader alike.

// ChangeKind is the subject of a change.
type ChangeKind string

// The kinds of changes, as approvals name their use.
const (
	TermsKind    ChangeKind = "product_terms"
	DividendKind ChangeKind = "dividend"
)

// Notice is the minimum time between a request and its effect.
const Notice = 24 * time.Hour

// Refusals of changes, beside those of approvals.
var (
	ErrChangeNothing = errs.New(errs.Refused, "change.nothing")
	ErrChangeSoon    = errs.Field("effective_at", "field.soon")
	ErrChangeOrder   = errs.Field("effective_at", "field.order") // versions take effect one after another
	ErrChangeLate    = errs.New(errs.Refused, "change.too_late") // the effective time passed before approval
	ErrChangeOld     = errs.New(errs.Conflict, "change.outdated")
	ErrReason        = errs.Field("reason", "field.required")
)

// Change is a requested change: the approval that it takes, and what it proposes. Its note is the reason.
type Change struct {
	approval.Approval
	Kind        ChangeKind
	ProductID   int
	Terms       Terms     // for TermsKind: the full terms
	ExDate      time.Time // for DividendKind
	Amount      int64     // for DividendKind: 10^-6 of the quote currency per unit
	EffectiveAt time.Time // market time
	Requester   string    // names
	Decider     string
}

// BaseVersion is the version of the terms that new terms follow.
func (c Change) BaseVersion() int { return c.Terms.Version - 1 }

// Changes is the service for requesting and approving changes.
type Changes struct {
	db        *db.DB
	market    *Service
	bus       *events.Bus
	approvals map[ChangeKind]*approval.Service
}

// changeLasts is how long a request waits for its approval before it expires.
const changeLasts = 30 * 24 * time.Hour

// NewChanges makes the service; each server follows the changes approved on any server.
func NewChanges(d *db.DB, m *Service, e *approval.Engine, bus *events.Bus) *Changes {
	c := &Changes{db: d, market: m, bus: bus, approvals: map[ChangeKind]*approval.Service{}}
	for kind, apply := range map[ChangeKind]func(context.Context, *db.Tx, Change) error{TermsKind: applyTerms, DividendKind: applyDividend} {
		c.approvals[kind] = e.For(approval.Use{Name: string(kind), Area: "product", Target: "product", Lasts: changeLasts, Before: c.before, Apply: c.applying(apply)})
	}
	return c
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

// DraftTerms is the change that AskTerms would request, for preview. Refusals: those of AskTerms but approval.ErrOpen, which only AskTerms returns.
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
	draft := Change{Kind: TermsKind, ProductID: productID, Terms: next, EffectiveAt: effectiveAt}
	draft.Note = reason
	if err := c.check(&draft); err != nil {
		return Change{}, err
	}
	if !effectiveAt.After(last.EffectiveAt) {
		return Change{}, ErrChangeOrder
	}
	return draft, nil
}

// DraftDividend is the change that AskDividend would request, for preview. Refusals: those of AskDividend but approval.ErrOpen.
func (c *Changes) DraftDividend(productID int, exDate time.Time, amount int64, reason string) (Change, error) {
	p, err := c.market.Product(productID)
	if err != nil {
		return Change{}, err
	}
	if !p.PaysDividends() {
		return Change{}, ErrProduct
	}
	if amount <= 0 {
		return Change{}, errs.Field("amount", "field.range")
	}
	y, m, d := exDate.Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	draft := Change{Kind: DividendKind, ProductID: productID, ExDate: day, Amount: amount, EffectiveAt: RolloverOn(day.AddDate(0, 0, -1))}
	draft.Note = reason
	return draft, c.check(&draft)
}

// check refuses a draft without a reason, with too long a reason, or that takes effect too soon.
func (c *Changes) check(draft *Change) error {
	draft.Note = strings.TrimSpace(draft.Note)
	switch {
	case draft.Note == "":
		return ErrReason
	case utf8.RuneCountInString(draft.Note) > reasonLimit:
		return errs.Field("reason", "field.length")
	case draft.EffectiveAt.Before(c.market.Now().Add(Notice)):
		return ErrChangeSoon
	}
	return nil
}

// AskTerms requests new terms of a product from a moment of market time on: the named terms change, the others stay. Refusals: ErrProduct,
// ErrChangeNothing, ErrChangeSoon, ErrChangeOrder, approval.ErrOpen, ErrReason, and a field for each invalid term.
func (c *Changes) AskTerms(ctx context.Context, actor audit.Actor, productID int, said map[string]string, effectiveAt time.Time, reason string) (int64, error) {
	draft, err := c.DraftTerms(productID, said, effectiveAt, reason)
	if err != nil {
		return 0, err
	}
	return c.request(ctx, actor, draft)
}

// AskDividend requests a dividend of a product: positions held over the rollover before the ex-date receive it (long) or pay it (short). Refusals:
// ErrProduct (also when the product pays none), ErrChangeSoon, approval.ErrOpen, ErrReason, and a field for an amount that is not positive.
func (c *Changes) AskDividend(ctx context.Context, actor audit.Actor, productID int, exDate time.Time, amount int64, reason string) (int64, error) {
	draft, err := c.DraftDividend(productID, exDate, amount, reason)
	if err != nil {
		return 0, err
	}
	return c.request(ctx, actor, draft)
}

func (c *Changes) request(ctx context.Context, actor audit.Actor, change Change) (int64, error) {
	made, err := c.approvals[change.Kind].Request(ctx, actor, approval.Request{Subject: strconv.Itoa(change.ProductID), Proposal: change.fields(), Note: change.Note, People: 2})
	return made.ID, err
}

// before is the terms that a change replaces, as JSON for the audit entry; empty for a dividend.
func (c *Changes) before(a approval.Approval) (string, error) {
	change, err := changeOf(a)
	if err != nil || change.Kind != TermsKind {
		return "", err
	}
	versions, err := c.market.Terms(change.ProductID)
	if err != nil {
		return "", err
	}
	base, known := versions.Number(change.BaseVersion())
	if !known {
		return "", nil // approved on another server a moment ago
	}
	replaced := Change{Kind: TermsKind, Terms: base}
	text, err := json.Marshal(replaced.fields())
	return string(text), err
}

// fields are what the change proposes, by the columns of its row.
func (c *Change) fields() approval.Fields {
	if c.Kind == DividendKind {
		return approval.Fields{"ex_date": (*approval.Day)(&c.ExDate), "amount": &c.Amount}
	}
	t := &c.Terms
	return approval.Fields{
		"mode": &t.Mode, "spread_markup": &t.SpreadMarkup, "lot_min": &t.LotMin, "lot_step": &t.LotStep, "lot_max": &t.LotMax, "multiple": &t.Multiple, "tiers": &t.Tiers,
		"hedged_ratio_bps": &t.HedgedRatioBps, "commission_per_lot": &t.CommissionPerLot, "commission_bps": &t.CommissionBps, "commission_min": &t.CommissionMin,
		"stop_level": &t.StopLevel, "stale_ms": &t.StaleMS, "spike_bps": &t.SpikeBps, "swap_model": &t.SwapModel, "swap_long": &t.SwapLong, "swap_short": &t.SwapShort,
		"triple_day": &t.TripleDay, "version": &t.Version, "effective_at": (*approval.Moment)(&t.EffectiveAt),
	}
}

// changeOf reads the change of an approval.
func changeOf(a approval.Approval) (c Change, err error) {
	c.Approval, c.Kind = a, ChangeKind(a.Use)
	if c.ProductID, err = strconv.Atoi(a.Subject); err != nil {
		return c, fmt.Errorf("read the product of approval %d: %w", a.ID, err)
	}
	if err := a.Read(c.fields()); err != nil {
		return c, err
	}
	c.EffectiveAt = c.Terms.EffectiveAt
	if c.Kind == DividendKind {
		c.EffectiveAt = RolloverOn(c.ExDate.AddDate(0, 0, -1))
	}
	return c, nil
}

// List is the changes of a product, or of all (0), newest first; optionally only undecided ones.
func (c *Changes) List(ctx context.Context, productID int, open bool, limit int) ([]Change, error) {
	search := approval.Search{Uses: []string{string(TermsKind), string(DividendKind)}, Open: open, NewestFirst: true}
	if productID != 0 {
		search.Subject = strconv.Itoa(productID)
	}
	approvals, err := c.approvals[TermsKind].List(ctx, search, 0, limit)
	if err != nil {
		return nil, err
	}
	list := make([]Change, len(approvals))
	for i, a := range approvals {
		if list[i], err = changeOf(a); err != nil {
			return nil, err
		}
	}
	return list, c.setNames(ctx, list)
}

// Find reads one change. It returns approval.ErrUnknown.
func (c *Changes) Find(ctx context.Context, id int64) (Change, error) {
	a, err := c.approvals[TermsKind].Find(ctx, id)
	if errors.Is(err, approval.ErrUnknown) {
		a, err = c.approvals[DividendKind].Find(ctx, id)
	}
	if err != nil {
		return Change{}, err
	}
	list := make([]Change, 1)
	if list[0], err = changeOf(a); err != nil {
		return Change{}, err
	}
	err = c.setNames(ctx, list)
	return list[0], err
}

// setNames sets the names of those who requested the changes and decided them.
func (c *Changes) setNames(ctx context.Context, list []Change) error {
	var ids []int64
	for _, change := range list {
		ids = append(ids, change.Everybody()...)
	}
	names, err := member.Names(ctx, c.db.Pool, ids...)
	for i, change := range list {
		list[i].Requester, list[i].Decider = names[change.RequestedBy], names[member.ID(change.SecondBy)]
		if change.ClosedBy != nil {
			list[i].Decider = names[*change.ClosedBy]
		}
	}
	return err
}

// CountOpen counts the changes that await approval, and returns the time of the oldest.
func (c *Changes) CountOpen(ctx context.Context) (n int64, oldest time.Time, err error) {
	for _, service := range c.approvals {
		count, since, err := service.Count(ctx)
		if err != nil {
			return 0, oldest, err
		}
		if n += count; count > 0 && (oldest.IsZero() || since.Before(oldest)) {
			oldest = since
		}
	}
	return n, oldest, nil
}

// Approve approves a change as it was requested; it takes effect at its effective time. Refusals: those of approval.Service.ApproveTx, ErrChangeLate,
// ErrChangeOld.
func (c *Changes) Approve(ctx context.Context, actor audit.Actor, id int64) error {
	change, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	_, err = c.approvals[change.Kind].Approve(ctx, actor, id, change.Version, approval.Requested, change.Facts)
	return err
}

// Refuse rejects another person's change. Refusals: those of approval.Service.RefuseTx.
func (c *Changes) Refuse(ctx context.Context, actor audit.Actor, id int64) error {
	change, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	_, err = c.approvals[change.Kind].Refuse(ctx, actor, id, change.Version, "")
	return err
}

// Withdraw cancels the actor's own change. Refusals: those of approval.Service.WithdrawTx.
func (c *Changes) Withdraw(ctx context.Context, actor audit.Actor, id int64) error {
	change, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	_, err = c.approvals[change.Kind].Withdraw(ctx, actor, id, change.Version)
	return err
}

// applying makes an approved change take effect at every server. Refusal: ErrChangeLate, and those of apply.
func (c *Changes) applying(apply func(context.Context, *db.Tx, Change) error) func(context.Context, *db.Tx, audit.Actor, approval.Approval) error {
	return func(ctx context.Context, tx *db.Tx, _ audit.Actor, a approval.Approval) error {
		change, err := changeOf(a)
		if err != nil {
			return err
		}
		if !change.EffectiveAt.After(c.market.Now()) {
			return ErrChangeLate
		}
		tx.AfterCommit(func() {
			c.reread(context.WithoutCancel(ctx))
			_ = c.bus.Publish(TermsChanged, nil)
		})
		return apply(ctx, tx, change)
	}
}

func applyDividend(ctx context.Context, tx *db.Tx, change Change) error {
	_, err := tx.Conn.Exec(ctx, `INSERT INTO dividends (product_id, ex_date, amount, approval_id) VALUES ($1, $2, $3, $4)`, change.ProductID, change.ExDate, change.Amount, change.ID)
	if db.IsUnique(err, "dividends_pkey") {
		return ErrChangeOld
	}
	return err
}

func applyTerms(ctx context.Context, tx *db.Tx, change Change) error {
	var newest int
	if err := tx.Conn.QueryRow(ctx, `SELECT max(version) FROM product_terms WHERE product_id = $1`, change.ProductID).Scan(&newest); err != nil {
		return err
	}
	if newest != change.BaseVersion() {
		return ErrChangeOld
	}
	return insertTerms(ctx, tx, change.ProductID, change.Terms, &change.ID)
}

// Dividend formats the amount per unit.
func (c Change) Dividend() string { return money.Trim(c.Amount, money.Scale) }
