package bonus

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// Refusals that only staff read.
var (
	ErrRule    = errs.Field("rule", "field.choice")
	ErrAmount  = errs.Field("amount", "bonus.amount") // nothing, or above the maximum
	ErrShare   = errs.Field("share", "bonus.share")   // outside 1 to 100 percent
	ErrMinimum = errs.Field("minimum", "field.amount")
	ErrBudget  = errs.Field("budget", "bonus.budget") // less than one bonus
	ErrDays    = errs.Field("days", "bonus.days")
	ErrEnd     = errs.Field("last_day", "bonus.last_day") // past, or more than a year ahead
	ErrStopped = errs.New(errs.Conflict, "bonus.stopped")
	ErrWaiting = errs.New(errs.Conflict, "bonus.waiting") // the trader has an open offer or request
)

// longestRun is how far ahead a campaign may end.
const longestRun = 367 * 24 * time.Hour

// CampaignRequest is a request for a campaign and the approval that it takes.
type CampaignRequest struct {
	approval.Approval
	Campaign
}

func (c *Campaign) fields() approval.Fields {
	return approval.Fields{
		"rule": &c.Rule, "amount": &c.Amount, "share_bps": &c.ShareBps, "minimum": &c.Minimum, "budget": &c.Budget, "days": &c.Days, "last_day": (*approval.Day)(&c.LastDay),
	}
}

// campaignOf reads the campaign of an approval; its id is the approval's.
func campaignOf(a approval.Approval) (r CampaignRequest, err error) {
	r.Approval = a
	if err := a.Read(r.Campaign.fields()); err != nil {
		return r, err
	}
	r.Campaign.ID = a.ID
	return r, nil
}

func (s *Service) check(c Campaign) error {
	now := s.Clock.Now()
	switch {
	case !slices.Contains(Rules, c.Rule):
		return ErrRule
	case c.Amount <= 0 || c.Amount > s.Maximum():
		return ErrAmount.With("limit", money.Trim(s.Maximum(), money.Scale))
	case c.Rule == ByDeposit && (c.ShareBps <= 0 || c.ShareBps > wholeShare):
		return ErrShare
	case c.Rule == ByDeposit && c.Minimum <= 0:
		return ErrMinimum
	case c.Budget < c.Amount:
		return ErrBudget
	case c.Days < 1 || c.Days > LongestDays:
		return ErrDays.With("limit", LongestDays)
	case !c.EndsAt().After(now) || c.EndsAt().After(now.Add(longestRun)):
		return ErrEnd
	}
	return nil
}

// RequestCampaign requests a campaign, once per key of the form; it starts when another person approves it. Refusals: fields.
func (s *Service) RequestCampaign(ctx context.Context, by audit.Actor, c Campaign, note, key string) (r CampaignRequest, err error) {
	if c.Rule != ByDeposit {
		c.ShareBps, c.Minimum = 0, 0
	}
	if err := s.check(c); err != nil {
		return r, err
	}
	if err := approval.CheckNote(note); err != nil {
		return r, err
	}
	a, err := s.campaigns.Request(ctx, by, approval.Request{Proposal: c.fields(), Note: note, People: 2, Key: key})
	if err != nil {
		return r, err
	}
	return campaignOf(a)
}

// startTx starts an approved campaign.
func (s *Service) startTx(_ context.Context, tx *db.Tx, _ audit.Actor, a approval.Approval) error {
	r, err := campaignOf(a)
	if err != nil {
		return err
	}
	if err := s.check(r.Campaign); err != nil {
		return err
	}
	r.CreatedAt = s.Clock.Now()
	if err := tx.Rows.Create(&r.Campaign).Error; err != nil {
		return fmt.Errorf("write campaign %d: %w", a.ID, err)
	}
	return nil
}

// Stop ends a campaign for traders who have not accepted it; one person is enough. Refusals: ErrUnknown, ErrStopped.
func (s *Service) Stop(ctx context.Context, by audit.Actor, id int64) error {
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		c, err := campaignBy(tx.Rows, id)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		if !c.Open(now) {
			return ErrStopped
		}
		err = db.MustAffect(tx.Rows.Model(&Campaign{}).Where("id = ? AND stopped_at IS NULL", id).Updates(map[string]any{"stopped_at": now, "stopped_by": by.ID}))
		if err != nil {
			return orRefusal(err, ErrStopped)
		}
		return audit.RecordTx(ctx, tx, audit.By(by, now, "bonus_campaign.stop", "bonus_campaign", id))
	})
}

// Campaign reads a campaign. Refusal: ErrUnknown.
func (s *Service) Campaign(ctx context.Context, id int64) (Campaign, error) {
	return campaignBy(s.DB.Rows(ctx), id)
}

func campaignBy(rows *gorm.DB, id int64) (c Campaign, err error) {
	if err := rows.Where("id = ?", id).Limit(1).Find(&c).Error; err != nil {
		return c, fmt.Errorf("read campaign %d: %w", id, err)
	}
	if c.ID == 0 {
		return c, ErrUnknown
	}
	return c, nil
}

// Gift is a request for a bonus of one trader and the approval that it takes.
type Gift struct {
	approval.Approval
	Amount int64 // 10^-6 USDT
	Days   int   // from the grant until it expires
}

func (g *Gift) fields() approval.Fields {
	return approval.Fields{"amount": &g.Amount, "days": &g.Days}
}

func giftOf(a approval.Approval) (g Gift, err error) {
	g.Approval = a
	return g, a.Read(g.fields())
}

// RequestGift requests a bonus for one trader, once per key of the form; the trader is asked once another person approves it. Refusals: fields, ErrWaiting, ErrOff,
// ErrUnverified, trader.ErrGuest, those of the conflict of interest.
func (s *Service) RequestGift(ctx context.Context, by audit.Actor, traderID int64, g Gift, note, key string) (out Gift, err error) {
	switch {
	case g.Amount <= 0 || g.Amount > s.Maximum():
		return out, ErrAmount.With("limit", money.Trim(s.Maximum(), money.Scale))
	case g.Days < 1 || g.Days > LongestDays:
		return out, ErrDays.With("limit", LongestDays)
	}
	if err := approval.CheckNote(note); err != nil {
		return out, err
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		a, err := s.gifts.RequestTx(ctx, tx, by, approval.Request{
			TraderID: &traderID, Proposal: g.fields(), Note: note, People: 2, Key: key, Admit: func() error { return s.admitGiftTx(tx, traderID) },
		})
		if err != nil {
			return err
		}
		out, err = giftOf(a)
		return err
	})
	return out, err
}

// admitGiftTx locks the trader and refuses a second gift while one waits.
func (s *Service) admitGiftTx(tx *db.Tx, traderID int64) error {
	if _, err := s.lockTx(tx, traderID); err != nil {
		return err
	}
	requested, err := s.gifts.CountOpenTx(tx, traderID)
	if err != nil {
		return err
	}
	var offered int64
	if err := tx.Rows.Model(&Bonus{}).Where("trader_id = ? AND state = ?", traderID, Offered).Count(&offered).Error; err != nil {
		return fmt.Errorf("look for open offers of trader %d: %w", traderID, err)
	}
	if requested > 0 || offered > 0 {
		return ErrWaiting
	}
	return nil
}

// offerTx offers an approved bonus to its trader.
func (s *Service) offerTx(ctx context.Context, tx *db.Tx, _ audit.Actor, a approval.Approval) error {
	g, err := giftOf(a)
	if err != nil {
		return err
	}
	if _, err := s.lockTx(tx, *a.TraderID); err != nil {
		return err
	}
	now := s.Clock.Now()
	b := Bonus{TraderID: *a.TraderID, ApprovalID: &a.ID, Amount: g.Amount, Days: g.Days, State: Offered, OfferedAt: now, AcceptBy: now.AddDate(0, 0, OfferDays)}
	if err := tx.Rows.Create(&b).Error; err != nil {
		return fmt.Errorf("offer a bonus to trader %d: %w", b.TraderID, err)
	}
	return s.tellTx(ctx, tx, b.TraderID, "offered", b.ID, b.Amount, &b.AcceptBy)
}

// promised is what a campaign has granted, and promised to those who accepted it, in 10^-6 USDT.
const promised = `coalesce(sum(amount) FILTER (WHERE state NOT IN ('lapsed', 'offered', 'declined')), 0)::bigint`

// promiseTx locks the campaign and refuses an acceptance that its budget does not cover, or that comes too late. It serialises all acceptances of a campaign.
func (s *Service) promiseTx(ctx context.Context, tx *db.Tx, id int64) (c Campaign, err error) {
	if _, err := tx.Conn.Exec(ctx, `SELECT 1 FROM bonus_campaigns WHERE id = $1 FOR NO KEY UPDATE`, id); err != nil {
		return c, fmt.Errorf("lock campaign %d: %w", id, err)
	}
	if c, err = campaignBy(tx.Rows, id); err != nil {
		return c, err
	}
	if !c.Open(s.Clock.Now()) {
		return c, ErrOver
	}
	var sum int64
	if err := tx.Conn.QueryRow(ctx, `SELECT `+promised+` FROM bonuses WHERE campaign_id = $1`, id).Scan(&sum); err != nil {
		return c, fmt.Errorf("sum up campaign %d: %w", id, err)
	}
	if sum+c.Amount > c.Budget {
		return c, ErrOver
	}
	return c, nil
}
