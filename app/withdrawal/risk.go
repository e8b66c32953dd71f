package withdrawal

import (
	"context"
	"slices"
	"strings"
	"time"

	"candor/app/ledger"
	"candor/app/platform/db"
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

// risk is the risk points of a request from an account with this cash to a payee saved at a time, at most 100, and the coded reasons.
func (s *Service) risk(t usage, w Withdrawal, saved time.Time, cash int64) (points int, reasons string) {
	limit := s.limits(t).Day
	found := []string{}
	for code, is := range map[string]bool{
		"first": t.ever == 0, "new_payee": s.clock.Now().Sub(saved) < recent, "lately_held": t.locked, "no_deals": !t.dealt, "quick_turn": t.deposited,
		"most_of_it": w.Amount >= cash/10*9, "near_limit": t.inDay+w.Amount >= limit/5*4,
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

// riskNow is the risk of a withdrawal by the facts of now: its amount has left the account already, and counts among those of its day.
func (s *Service) riskNow(ctx context.Context, tx *db.Tx, w Withdrawal, t usage, saved time.Time) (points int, reasons string, err error) {
	account, err := ledger.Load(ctx, tx.Conn, w.AccountID)
	if err != nil {
		return 0, "", err
	}
	cash := account.Cash
	if w.BackID == nil {
		cash += w.Amount
		if w.CreatedAt.After(s.clock.Now().Add(-day)) {
			t.inDay -= w.Amount
		}
	}
	points, reasons = s.risk(t, w, saved, cash)
	return points, reasons, nil
}
