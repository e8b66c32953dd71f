package withdrawal

import (
	"slices"
	"strings"
	"time"

	"candor/app/ledger"
	"candor/app/payee"
)

// Risks are the coded risk reasons with their points. They are hints for the approvers: every withdrawal needs people's approval.
var Risks = []struct {
	Code   string
	Points int
}{
	{"first", 30},       // no earlier payout to this trader
	{"new_payee", 25},   // saved within the last week
	{"lately_held", 20}, // a withdrawal lock within the last week
	{"no_deals", 20},    // never traded with real money
	{"quick_turn", 20},  // money came in within a day
	{"most_of_it", 10},  // nine tenths of the account or more
	{"near_limit", 10},  // four fifths of the day's limit or more
}

// recent is the time for which a payee or a lock counts as new.
const recent = 7 * 24 * time.Hour

// risk is the risk points of a request, at most 100, and the coded reasons.
func (s *Service) risk(t usage, w Withdrawal, to payee.Payee, account ledger.Account) (points int, reasons string) {
	limit := s.limits(t).Day
	found := []string{}
	for code, is := range map[string]bool{
		"first": t.ever == 0, "new_payee": s.clock.Now().Sub(to.CreatedAt) < recent, "lately_held": t.locked, "no_deals": !t.dealt, "quick_turn": t.deposited,
		"most_of_it": w.Amount >= account.Cash/10*9, "near_limit": t.inDay+w.Amount >= limit/5*4,
	} {
		if is {
			found = append(found, code)
		}
	}
	var codes []string
	for _, r := range Risks {
		if slices.Contains(found, r.Code) {
			points, codes = points+r.Points, append(codes, r.Code)
		}
	}
	return min(points, 100), strings.Join(codes, ",")
}
