package invitation

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/switches"
	"candor/app/trader"
)

// Overview is a trader's invitations, for the trader. Amounts are in 10^-6 USDT.
type Overview struct {
	Code      string
	RatioBps  int
	Invited   int   // traders who registered with the code
	Active    int   // of them, with a rebate in the last 30 days
	Earned    int64 // in all, less what was reversed
	SetAside  int64 // of it, not paid yet
	InvitedBy bool  // somebody earns on this trader
	Tiers     []Tier
}

// Of reads a trader's overview.
func (s *Service) Of(ctx context.Context, t trader.Trader) (o Overview, err error) {
	o.Code, o.InvitedBy = t.InviteCode, t.InvitedBy != nil
	if t.Type == trader.PartnerType {
		o.Tiers = s.Tiers()
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		if o.RatioBps, err = s.ratioTx(ctx, tx, t.ID, t.Type); err != nil {
			return err
		}
		if o.Active, err = s.active(ctx, tx.Conn, t.ID); err != nil {
			return err
		}
		return tx.Conn.QueryRow(ctx, `
			SELECT (SELECT count(*) FROM traders WHERE invited_by = $1), coalesce(sum(amount - reversed), 0)::bigint,
			       coalesce(sum(amount - reversed) FILTER (WHERE payment_id IS NULL), 0)::bigint
			FROM rebates WHERE inviter_id = $1`, t.ID).Scan(&o.Invited, &o.Earned, &o.SetAside)
	})
	if err != nil {
		return o, fmt.Errorf("read the invitations of trader %d: %w", t.ID, err)
	}
	return o, nil
}

// On reports whether invitations are offered.
func (s *Service) On() bool { return s.Switches.On(switches.InvitationKey) }

// Invitee is an invited trader, as the inviter sees one.
type Invitee struct {
	ID     int64
	Name   string // masked
	Since  time.Time
	Earned int64
	Last   *time.Time // fill with a rebate
	Void   Reason     // why the invitation earns nothing; empty while it does
}

// Invitees lists whom a trader invited, newest first, after one of them (0 begins at the newest), with the one after which the next page begins, 0 after the
// last.
func (s *Service) Invitees(ctx context.Context, inviterID, before int64, limit int) (list []Invitee, next int64, err error) {
	rows, err := s.DB.Pool.Query(ctx, `
		SELECT t.id, t.name, t.created_at, r.earned, r.last, coalesce(v.reason::text, '')
		FROM traders t LEFT JOIN void_invitations v ON v.invited_id = t.id,
		LATERAL (SELECT coalesce(sum(amount - reversed), 0)::bigint AS earned, max(filled_at) AS last FROM rebates WHERE inviter_id = $1 AND invited_id = t.id) r
		WHERE t.invited_by = $1 AND ($2::bigint = 0 OR t.id < $2) ORDER BY t.id DESC LIMIT $3`, inviterID, before, limit+1)
	if err != nil {
		return nil, 0, fmt.Errorf("list whom %d invited: %w", inviterID, err)
	}
	if list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Invitee]); err != nil {
		return nil, 0, fmt.Errorf("list whom %d invited: %w", inviterID, err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	for i := range list {
		list[i].Name = trader.Mask(list[i].Name)
	}
	return list, next, nil
}

// Payment is a day's rebates, paid.
type Payment struct {
	ID     int64
	Day    time.Time
	Amount int64
	Fills  int
	PaidAt time.Time
}

// Payments lists an inviter's payments like Invitees.
func (s *Service) Payments(ctx context.Context, inviterID, before int64, limit int) (list []Payment, next int64, err error) {
	rows, err := s.DB.Pool.Query(ctx, `
		SELECT id, day, amount, fills, paid_at FROM rebate_payments WHERE inviter_id = $1 AND ($2::bigint = 0 OR id < $2) ORDER BY id DESC LIMIT $3`, inviterID, before, limit+1)
	if err != nil {
		return nil, 0, fmt.Errorf("list the rebates paid to %d: %w", inviterID, err)
	}
	if list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Payment]); err != nil {
		return nil, 0, fmt.Errorf("list the rebates paid to %d: %w", inviterID, err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	return list, next, nil
}

// Rebate is the rebate of one fill, for a partner's file.
type Rebate struct {
	FillID     int64
	Invited    string // masked
	FilledAt   time.Time
	Commission int64
	Markup     int64
	RatioBps   int
	Amount     int64
	Reversed   int64
	Paid       bool
}

// Rebates lists an inviter's rebates, newest fill first, after a fill (0 begins at the newest).
func (s *Service) Rebates(ctx context.Context, inviterID, before int64, limit int) ([]Rebate, error) {
	rows, err := s.DB.Pool.Query(ctx, `
		SELECT r.fill_id, t.name, r.filled_at, r.commission, r.markup, r.ratio_bps, r.amount, r.reversed, r.payment_id IS NOT NULL
		FROM rebates r JOIN traders t ON t.id = r.invited_id WHERE r.inviter_id = $1 AND ($2::bigint = 0 OR r.fill_id < $2) ORDER BY r.fill_id DESC LIMIT $3`, inviterID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the rebates of %d: %w", inviterID, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Rebate])
	if err != nil {
		return nil, fmt.Errorf("list the rebates of %d: %w", inviterID, err)
	}
	for i := range list {
		list[i].Invited = trader.Mask(list[i].Invited)
	}
	return list, nil
}
