// Package score computes a trader's credit score once a day, from facts that the trader sees, and keeps what staff flag as misconduct in a chat.
//
// The score is Candor's own and only informs: no other domain may import this package, and nothing decides by it. Nobody sets a score. Staff correct the fact
// behind it where that fact is kept; a conduct flag is corrected by an appeal.
package score

import (
	"time"

	"candor/app/platform/errs"
)

// Lowest and Highest bound every score.
const (
	Lowest  = 300
	Highest = 850
)

// lookBack is how many years back margin calls and conduct flags count.
const lookBack = 1

// Score is a trader's score of one day (UTC). It is never changed.
type Score struct {
	TraderID int64
	Day      time.Time // midnight of UTC
	Rules    int       // the version of the rules
	Score    int
	Facts
	ComputedAt time.Time
}

// Facts are what a score counts, as of its day.
type Facts struct {
	IdentityLevel    int // 0 to 2
	AgeDays          int // whole days since the registration
	SettledDeposits  int // credited, and still there
	BouncedDeposits  int // credited, then reversed because the money did not stay
	DisputedDeposits int // credited, then charged back by the payer
	MarginCalls      int // on real accounts, in the last 12 months
	ConductFlags     int // that stand: see Flag.Stands
}

// Band is a range of scores.
type Band string

// The bands.
const (
	Low      Band = "low"
	Fair     Band = "fair"
	Good     Band = "good"
	VeryGood Band = "very_good"
)

// Band is the range that the score is in.
func (s Score) Band() Band {
	switch {
	case s.Score < 450:
		return Low
	case s.Score < 600:
		return Fair
	case s.Score < 700:
		return Good
	}
	return VeryGood
}

// Refusals.
var (
	ErrNone     = errs.New(errs.NotFound, "score.none")     // guests and closed accounts have no score
	ErrFlag     = errs.New(errs.NotFound, "score.flag")     // no such flag, or another trader's
	ErrAppealed = errs.New(errs.Conflict, "score.appealed") // once only, and only while the flag stands
	ErrText     = errs.Field("text", "field.length")
)

// day is the day of a moment.
func day(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }
