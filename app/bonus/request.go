package bonus

import (
	"context"
	"fmt"
	"slices"
	"time"

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
	ErrLastDay = errs.Field("last_day", "bonus.last_day") // past, or more than a year ahead
	ErrStopped = errs.New(errs.Conflict, "bonus.stopped")
	ErrWaiting = errs.New(errs.Conflict, "bonus.waiting") // the trader has an open offer or request
)

// Target is the time in which staff aim to decide.
const Target = 2 * 24 * time.Hour

// longestRun is how far ahead a campaign may end, in days.
const longestRun = 366

// Request is a request for a campaign, or for the bonus of one trader, and the approval that it takes. Of the latter only the amount and the days are wanted.
type Request struct {
	approval.Approval
	Wanted Campaign
}

// Gift reports whether the request is for the bonus of one trader.
func (r Request) Gift() bool { return r.TraderID != nil }

// RequestNumber is the display number of a request, and of the campaign that it has become.
func RequestNumber(id int64) string { return fmt.Sprintf("BO-%d", id) }

// Number is the display number of the request.
func (r Request) Number() string { return RequestNumber(r.ID) }

func (r *Request) fields() approval.Fields {
	c := &r.Wanted
	if r.Gift() {
		return approval.Fields{"amount": &c.Amount, "days": &c.Days}
	}
	return approval.Fields{
		"rule": &c.Rule, "amount": &c.Amount, "share_bps": &c.ShareBps, "minimum": &c.Minimum, "budget": &c.Budget, "days": &c.Days, "last_day": (*approval.Day)(&c.LastDay),
	}
}

// of reads the request of an approval.
func of(a approval.Approval) (r Request, err error) {
	r.Approval, r.Wanted.ID = a, a.ID
	return r, a.Read(r.fields())
}

func (s *Service) checkAmount(c Campaign) error {
	switch {
	case c.Amount <= 0 || c.Amount > s.Maximum():
		return ErrAmount.With("limit", money.Trim(s.Maximum(), money.Scale))
	case c.Days < 1 || c.Days > LongestDays:
		return ErrDays.With("limit", LongestDays)
	}
	return nil
}

func (s *Service) check(c Campaign) error {
	now := s.Clock.Now()
	if !slices.Contains(Rules, c.Rule) {
		return ErrRule
	}
	if err := s.checkAmount(c); err != nil {
		return err
	}
	switch {
	case c.Rule == ByDeposit && (c.ShareBps <= 0 || c.ShareBps > wholeShare):
		return ErrShare
	case c.Rule == ByDeposit && c.Minimum <= 0:
		return ErrMinimum
	case c.Budget < c.Amount:
		return ErrBudget
	case !c.EndsAt().After(now) || c.LastDay.After(now.AddDate(0, 0, longestRun)):
		return ErrLastDay
	}
	return nil
}

// RequestCampaign requests a campaign, once per key of the form; it starts when another person approves it. Refusals: fields.
func (s *Service) RequestCampaign(ctx context.Context, by audit.Actor, c Campaign, note, key string) (r Request, err error) {
	if c.Rule != ByDeposit {
		c.ShareBps, c.Minimum = 0, 0
	}
	if err := s.check(c); err != nil {
		return r, err
	}
	if err := approval.CheckNote(note); err != nil {
		return r, err
	}
	r.Wanted = c
	return asRequest(s.requests.Request(ctx, by, approval.Request{Proposal: r.fields(), Note: note, People: 2, Key: key}))
}

// RequestGift requests a bonus for one trader, once per key of the form; the trader is asked once another person approves it. Refusals: fields, ErrWaiting, ErrOff,
// ErrUnverified, trader.ErrGuest, those of the conflict of interest.
func (s *Service) RequestGift(ctx context.Context, by audit.Actor, traderID, amount int64, days int, note, key string) (r Request, err error) {
	r.TraderID, r.Wanted.Amount, r.Wanted.Days = &traderID, amount, days
	if err := s.checkAmount(r.Wanted); err != nil {
		return r, err
	}
	if err := approval.CheckNote(note); err != nil {
		return r, err
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		a, err := s.requests.RequestTx(ctx, tx, by, approval.Request{
			TraderID: &traderID, Proposal: r.fields(), Note: note, People: 2, Key: key, Admit: func() error { return s.admitTx(tx, traderID) },
		})
		if err == nil {
			r, err = of(a)
		}
		return err
	})
	return r, err
}

// admitTx locks the trader and refuses a second bonus while one waits.
func (s *Service) admitTx(tx *db.Tx, traderID int64) error {
	if _, err := s.lockTx(tx, traderID); err != nil {
		return err
	}
	requested, err := s.requests.CountOpenTx(tx, traderID)
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

// applyTx starts an approved campaign, or offers an approved bonus to its trader.
func (s *Service) applyTx(ctx context.Context, tx *db.Tx, _ audit.Actor, a approval.Approval) error {
	r, err := of(a)
	if err != nil {
		return err
	}
	if r.Gift() {
		return s.offerTx(ctx, tx, r)
	}
	if err := s.check(r.Wanted); err != nil {
		return err
	}
	r.Wanted.CreatedAt = s.Clock.Now()
	if err := tx.Rows.Create(&r.Wanted).Error; err != nil {
		return fmt.Errorf("write campaign %d: %w", a.ID, err)
	}
	return nil
}

func (s *Service) offerTx(ctx context.Context, tx *db.Tx, r Request) error {
	if _, err := s.lockTx(tx, *r.TraderID); err != nil {
		return err
	}
	if err := s.checkAmount(r.Wanted); err != nil {
		return err
	}
	now := s.Clock.Now()
	lastDay := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, OfferDays)
	b := Bonus{TraderID: *r.TraderID, ApprovalID: &r.ID, Amount: r.Wanted.Amount, Days: r.Wanted.Days, State: Offered, OfferedAt: now, AcceptBy: lastDay.AddDate(0, 0, 1)}
	if err := tx.Rows.Create(&b).Error; err != nil {
		return fmt.Errorf("offer a bonus to trader %d: %w", b.TraderID, err)
	}
	return s.tellTx(ctx, tx, b.TraderID, "offered", b.ID, b.Amount, &b.AcceptBy)
}

// Approve is the second person's approval of the facts that they were shown. Refusals: those of the approval, fields, ErrOff, ErrUnverified.
func (s *Service) Approve(ctx context.Context, by audit.Actor, id int64, version int, shown []byte) (Request, error) {
	return asRequest(s.requests.Approve(ctx, by, id, version, approval.Requested, shown))
}

// Refuse is another person's refusal. Refusals: those of the approval.
func (s *Service) Refuse(ctx context.Context, by audit.Actor, id int64, version int, why string) (Request, error) {
	if err := approval.CheckNote(why); err != nil {
		return Request{}, err
	}
	return asRequest(s.requests.Refuse(ctx, by, id, version, why))
}

// Withdraw takes the member's own request back. Refusals: those of the approval.
func (s *Service) Withdraw(ctx context.Context, by audit.Actor, id int64, version int) (Request, error) {
	return asRequest(s.requests.Withdraw(ctx, by, id, version))
}

// Read reads one request. It returns approval.ErrUnknown.
func (s *Service) Read(ctx context.Context, id int64) (Request, error) {
	return asRequest(s.requests.Find(ctx, id))
}

func asRequest(a approval.Approval, err error) (Request, error) {
	if err != nil {
		return Request{}, err
	}
	return of(a)
}

// Search is a filter of the list.
type Search struct {
	State    approval.State // empty for all undecided ones
	TraderID int64
}

// List lists requests after an id (0 begins the list): undecided ones longest waiting first, those of a state newest first.
func (s *Service) List(ctx context.Context, q Search, after int64, limit int) ([]Request, error) {
	approvals, err := s.requests.List(ctx, approval.Search{State: q.State, Open: q.State == "", TraderID: q.TraderID}, after, limit)
	if err != nil {
		return nil, err
	}
	list := make([]Request, len(approvals))
	for i, a := range approvals {
		if list[i], err = of(a); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// CountWaiting counts the undecided requests, and returns since when the first of them waits.
func (s *Service) CountWaiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	return s.requests.Count(ctx)
}
