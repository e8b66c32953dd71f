package adjustment

import (
	"context"
	"fmt"
	"slices"

	"candor/app/platform/errs"
)

// CaseKind is the kind of a case that an adjustment answers.
type CaseKind string

// The kinds of cases.
const (
	Conversation CaseKind = "conversation"
	Deposit      CaseKind = "deposit"
	Withdrawal   CaseKind = "withdrawal"
	Complaint    CaseKind = "complaint"
	Task         CaseKind = "task"
	Order        CaseKind = "order"
	Fill         CaseKind = "fill"
)

// CaseKinds lists the kinds in the order of the choice.
var CaseKinds = []CaseKind{Conversation, Deposit, Withdrawal, Complaint, Task, Order, Fill}

// Case is what an adjustment answers. It is always the same trader's.
type Case struct {
	CaseKind CaseKind
	CaseID   int64
}

// Owner reads whose a case is; nil is a case that is no trader's. It returns a NotFound refusal when there is no such case.
type Owner func(ctx context.Context, id int64) (*int64, error)

// Refusals of a case; only staff read them.
var (
	ErrCaseKind    = errs.Field("case_kind", "field.choice")
	ErrCaseUnknown = errs.Field("case_id", "adjustment.case_unknown")
	ErrCaseOther   = errs.Field("case_id", "adjustment.case_foreign") // of another trader, or of nobody
)

// checkCase refuses a case that is not the trader's.
func (s *Service) checkCase(ctx context.Context, traderID int64, c Case) error {
	owner := s.owners[c.CaseKind]
	if owner == nil || !slices.Contains(CaseKinds, c.CaseKind) {
		return ErrCaseKind
	}
	if c.CaseID <= 0 {
		return ErrCaseUnknown
	}
	whose, err := owner(ctx, c.CaseID)
	if refusal := errs.As(err); refusal != nil && refusal.Kind == errs.NotFound {
		return ErrCaseUnknown
	}
	if err != nil {
		return fmt.Errorf("read whose %s %d is: %w", c.CaseKind, c.CaseID, err)
	}
	if whose == nil || *whose != traderID {
		return ErrCaseOther
	}
	return nil
}
