package banking

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"candor/app/deposit"
	"candor/app/ledger"
)

// Points of what agrees between a line and a case; all together are 100.
const (
	referencePoints = 60
	amountPoints    = 25
	senderPoints    = 15
)

const (
	suggestBatch  = 500 // lines that one run looks at
	maxCandidates = 8   // cases that are compared with one line
)

// Candidate is a case that a line may belong to.
type Candidate struct {
	ID        int64
	Score     int
	Reference bool // what agrees
	Amount    bool
	Sender    bool
}

func (c Candidate) scored() Candidate {
	c.Score = 0
	for _, part := range []struct {
		agrees bool
		points int
	}{{c.Reference, referencePoints}, {c.Amount, amountPoints}, {c.Sender, senderPoints}} {
		if part.agrees {
			c.Score += part.points
		}
	}
	return c
}

// Suggest looks for the cases of the unmatched lines and stores the best one of each; a line whose best two score the same gets none.
func (s *Service) Suggest(ctx context.Context) error {
	for after := int64(0); ; {
		var lines []Line
		err := s.db.Rows(ctx).Where("state = 'unmatched' AND approval IS NULL AND id > ?", after).Order("id").Limit(suggestBatch).Find(&lines).Error
		if err != nil {
			return fmt.Errorf("list unmatched lines: %w", err)
		}
		for _, l := range lines {
			if err := s.suggest(ctx, l); err != nil {
				return err
			}
			after = l.ID
		}
		if len(lines) < suggestBatch {
			return nil
		}
	}
}

// suggest stores the best candidate of a line. A suggestion is no decision: the version of the line stays.
func (s *Service) suggest(ctx context.Context, l Line) error {
	found, err := s.Candidates(ctx, l)
	if err != nil {
		return err
	}
	var id *int64
	score := 0
	if len(found) == 1 || len(found) > 1 && found[0].Score > found[1].Score {
		id, score = &found[0].ID, found[0].Score
	}
	if same := id == nil && l.SuggestedID == nil || id != nil && l.SuggestedID != nil && *id == *l.SuggestedID && score == l.Score; same {
		return nil
	}
	_, err = s.db.Pool.Exec(ctx, `UPDATE bank_lines SET suggested_id = $2, score = $3 WHERE id = $1 AND state = 'unmatched'`, l.ID, id, score)
	return err
}

// Candidates lists the cases that a line may belong to, the best first. Cases that have their line already are left out.
func (s *Service) Candidates(ctx context.Context, l Line) (list []Candidate, err error) {
	detail, err := s.Detail(ctx, l)
	if err != nil {
		return nil, err
	}
	if l.Credit() {
		list, err = s.depositsFor(ctx, l, detail)
	} else {
		list, err = s.withdrawalsFor(ctx, l, detail)
	}
	if err != nil || len(list) == 0 {
		return nil, err
	}
	used, err := s.matchedCases(ctx, l, list)
	list = slices.DeleteFunc(list, func(c Candidate) bool { return slices.Contains(used, c.ID) })
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return list, err
}

// matchedCases lists the candidates that have a line already.
func (s *Service) matchedCases(ctx context.Context, l Line, list []Candidate) (used []int64, err error) {
	column := "withdrawal_id"
	if l.Credit() {
		column = "deposit_id"
	}
	ids := make([]int64, len(list))
	for i, c := range list {
		ids[i] = c.ID
	}
	return used, s.db.Rows(ctx).Model(&Line{}).Where(column+" IN ?", ids).Pluck(column, &used).Error
}

// depositsFor compares a credit with the deposits that it may belong to.
func (s *Service) depositsFor(ctx context.Context, l Line, detail Detail) (list []Candidate, err error) {
	account, err := s.Account(ctx, l.AccountID)
	if err != nil {
		return nil, err
	}
	found, err := s.deposits.ForCredit(ctx, deposit.BankCredit{AccountID: account.ID, Currency: account.Currency, Amount: l.Amount, Reference: l.Reference, BankReference: l.BankReference}, maxCandidates)
	if err != nil {
		return nil, err
	}
	for _, d := range found {
		c := Candidate{ID: d.ID, Amount: d.Amount == l.Amount, Reference: d.Reference == l.Reference}
		if d.BankReference != nil { // entered by hand
			c.Reference, c.Amount = true, d.Received != nil && *d.Received == l.Amount
		}
		if detail.Counterparty != "" {
			if c.Sender, err = s.deposits.SenderIs(ctx, d.TraderID, detail.Counterparty); err != nil {
				return nil, err
			}
		}
		list = append(list, c.scored())
	}
	return list, nil
}

// sentWithin is how long before its debit a withdrawal may have been sent.
const sentWithin = 30 * 24 * time.Hour

// withdrawalsFor compares a debit with the withdrawals that it may belong to. Withdrawals are in dollars.
func (s *Service) withdrawalsFor(ctx context.Context, l Line, detail Detail) (list []Candidate, err error) {
	account, err := s.Account(ctx, l.AccountID)
	if err != nil || !deposit.InDollars(account.Currency) {
		return nil, err
	}
	found, err := s.withdrawals.ForDebit(ctx, l.AccountID, -l.Amount, l.BankReference, l.BookedOn.Add(-sentWithin), maxCandidates)
	words := ledger.ReferenceKey(l.BankReference + " " + detail.Text)
	for _, w := range found {
		c := Candidate{ID: w.ID, Amount: true, Sender: NormalNumber(detail.Account) == w.IBAN}
		c.Reference = w.Payment != nil && strings.Contains(words, ledger.ReferenceKey(*w.Payment)) || strings.Contains(words, ledger.ReferenceKey(w.Number()))
		list = append(list, c.scored())
	}
	return list, err
}
