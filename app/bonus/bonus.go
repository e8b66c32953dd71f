// Package bonus gives traders promotional credit: by the rule of a campaign that two people started, or to one trader by two people. A bonus counts in equity and
// margin and absorbs losses after the trader's own money; it is never withdrawn or transferred, and it expires. Every grant and every end is a posting.
package bonus

import (
	"fmt"
	"time"

	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// Terms is the version of the terms: what they say is in the customers' texts under bonus.terms, with the numbers of the bonus. A changed text is a new version.
const Terms = 1

// Rule is what earns the bonus of a campaign.
type Rule string

// The rules.
const (
	ByDeposit Rule = "deposit" // a share of the first deposit after the acceptance
	Welcome   Rule = "welcome" // the acceptance itself
)

// Rules lists the rules in the order of the choice.
var Rules = []Rule{Welcome, ByDeposit}

// State is a bonus's state.
type State string

// The states.
const (
	Offered   State = "offered"  // to one trader, by two people; awaits the trader
	Accepted  State = "accepted" // awaits the deposit
	Active    State = "active"   // granted, and something is left
	Used      State = "used"     // losses took all of it
	Expired   State = "expired"
	TakenBack State = "taken_back" // its deposit was reversed
	GivenUp   State = "given_up"   // by the trader
	Declined  State = "declined"   // by the trader, before a grant
	Lapsed    State = "lapsed"     // not accepted, or no deposit came, in time
)

// open reports whether a trader can still decline a bonus or give it up.
func (s State) open() bool { return s == Offered || s == Accepted || s == Active }

// Refusals for traders.
var (
	ErrUnknown    = errs.New(errs.NotFound, "bonus.unknown")
	ErrOff        = errs.New(errs.Refused, "bonus.off")        // no bonuses, or none in the trader's country
	ErrUnverified = errs.New(errs.Refused, "bonus.unverified") // the identity is not verified
	ErrPerson     = errs.New(errs.Refused, "bonus.person")     // the same person has had the campaign's bonus by another account
	ErrOver       = errs.New(errs.Conflict, "bonus.over")      // ended, stopped, or the budget is used up
	ErrChanged    = errs.New(errs.Conflict, "bonus.changed")   // accepted or granted since it was read
	ErrTaken      = errs.New(errs.Conflict, "bonus.taken")     // accepted, declined or granted before
	ErrTerms      = errs.New(errs.Conflict, "bonus.terms")     // other terms than those shown
	ErrEnded      = errs.New(errs.Conflict, "bonus.ended")
)

// Bounds of campaigns and bonuses.
const (
	LongestDays = 365 // of a bonus, from the grant
	OfferDays   = 14  // until the end of which a trader may accept a bonus by two people
	largest     = 100_000 * money.Unit
	wholeShare  = 10_000 // basis points
)

// Campaign is a rule by which every trader may get one bonus. Amounts are in 10^-6 USDT.
type Campaign struct {
	ID        int64
	Rule      Rule
	Amount    int64     // what a trader gets; by a deposit at most
	ShareBps  int       // of the deposit; 0 for a welcome
	Minimum   int64     // of the deposit; 0 for a welcome
	Budget    int64     // for all traders together
	Days      int       // from the grant until it expires
	LastDay   time.Time // UTC: until its end traders may accept, and deposits count
	CreatedAt time.Time
	StoppedAt *time.Time
	StoppedBy *int64
}

// TableName is GORM's name of the table.
func (Campaign) TableName() string { return "bonus_campaigns" }

// Open reports whether traders may accept.
func (c Campaign) Open(now time.Time) bool { return c.StoppedAt == nil && now.Before(c.EndsAt()) }

// EndsAt is the end of the last day.
func (c Campaign) EndsAt() time.Time { return c.LastDay.AddDate(0, 0, 1) }

// Share is the bonus that a deposit earns: its share, rounded down, at most the campaign's amount.
func (c Campaign) Share(deposited int64) (int64, error) {
	share, err := money.MulDiv(deposited, int64(c.ShareBps), wholeShare, money.Down)
	return min(share, c.Amount), err
}

// Bonus is one trader's bonus. Amounts are in 10^-6 USDT.
type Bonus struct {
	ID         int64
	TraderID   int64
	CampaignID *int64
	ApprovalID *int64 // of a bonus by two people
	Amount     int64  // the most that it may be; from the grant on what it was
	Days       int
	State      State
	Terms      *int
	AcceptBy   time.Time
	OfferedAt  time.Time
	AcceptedAt *time.Time
	AccountID  *int64
	DepositID  *int64
	GrantID    *int64
	GrantedAt  *time.Time
	ExpiresAt  *time.Time
	Remaining  int64
	WarnedAt   *time.Time
	EndedAt    *time.Time
	EndID      *int64
}

// TableName is GORM's name of the table.
func (Bonus) TableName() string { return "bonuses" }

// Number is the display number of a bonus.
func Number(id int64) string { return fmt.Sprintf("BN-%d", id) }

// Number is the display number of the bonus.
func (b Bonus) Number() string { return Number(b.ID) }

// Lost is what losses have taken of an active or used bonus.
func (b Bonus) Lost() int64 {
	if b.State != Active && b.State != Used {
		return 0
	}
	return b.Amount - b.Remaining
}

// allot takes what losses have used from the active bonuses of one account, which holds so much of them. The list is in the order of expiry; the places of the
// changed ones are returned.
func allot(active []Bonus, held int64) (changed []int, err error) {
	remaining := make([]int64, len(active))
	for i, b := range active {
		remaining[i] = b.Remaining
	}
	left, err := ledger.TakeLosses(remaining, held)
	if err != nil {
		return nil, err
	}
	for i := range active {
		if active[i].Remaining != left[i] {
			active[i].Remaining = left[i]
			changed = append(changed, i)
		}
	}
	return changed, nil
}
