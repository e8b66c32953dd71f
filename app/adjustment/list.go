package adjustment

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"candor/app/approval"
)

// Search narrows a list.
type Search struct {
	State    approval.State // empty for all undecided ones
	TraderID int64
	Reason   string
}

// List lists adjustments after an id (0 begins the list): undecided ones longest waiting first, those of a state newest first.
func (s *Service) List(ctx context.Context, q Search, after int64, limit int) ([]Adjustment, error) {
	search := approval.Search{State: q.State, Open: q.State == "", TraderID: q.TraderID}
	if q.Reason != "" {
		reason, err := json.Marshal(map[string]string{"reason": q.Reason})
		if err != nil {
			return nil, err
		}
		search.Proposal = string(reason)
	}
	approvals, err := s.approvals.List(ctx, search, after, limit)
	if err != nil {
		return nil, err
	}
	list := make([]Adjustment, len(approvals))
	for i, a := range approvals {
		if list[i], err = of(a); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Read reads one adjustment. It returns approval.ErrUnknown.
func (s *Service) Read(ctx context.Context, id int64) (Adjustment, error) {
	found, err := s.approvals.Find(ctx, id)
	if err != nil {
		return Adjustment{}, err
	}
	a, err := of(found)
	if err != nil || a.State != approval.Applied {
		return a, err
	}
	var row postedAdjustment
	if err := s.db.Rows(ctx).Where("id = ?", id).Take(&row).Error; err != nil {
		return a, fmt.Errorf("read the posting of adjustment %d: %w", id, err)
	}
	a.TransactionID = &row.TransactionID
	return a, nil
}

// CountWaiting counts the undecided adjustments, and returns since when the first of them waits.
func (s *Service) CountWaiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	return s.approvals.Count(ctx)
}

// Reasons returns the reasons of an account's adjustments by id, for its statement; those of other accounts are left out.
func (s *Service) Reasons(ctx context.Context, accountID int64, ids []int64) (map[int64]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var list []postedAdjustment
	if err := s.db.Rows(ctx).Select("id", "reason").Where("account_id = ? AND id IN ?", accountID, ids).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read why an account was adjusted: %w", err)
	}
	reasons := make(map[int64]string, len(ids))
	for _, row := range list {
		reasons[row.ID] = row.Reason
	}
	return reasons, nil
}
