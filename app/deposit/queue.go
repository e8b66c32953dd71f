package deposit

import (
	"context"
	"fmt"
)

// Repeated returns the deposits whose picture another deposit has used, with the first of those.
func (s *Service) Repeated(ctx context.Context, depositIDs []int64) (map[int64]int64, error) {
	found := map[int64]int64{}
	rows, err := s.db.Pool.Query(ctx, `
		SELECT mine.id, min(other.id) FROM deposits mine JOIN files f ON f.id = mine.file_id
		JOIN files same ON same.sha256 = f.sha256 JOIN deposits other ON other.file_id = same.id AND other.id <> mine.id
		WHERE mine.id = ANY($1) GROUP BY mine.id`, depositIDs)
	if err != nil {
		return nil, fmt.Errorf("look for repeated proofs: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, first int64
		if err := rows.Scan(&id, &first); err != nil {
			return nil, fmt.Errorf("look for repeated proofs: %w", err)
		}
		found[id] = first
	}
	return found, rows.Err()
}

// Read reads one deposit without related records, for staff. Refusal: ErrUnknown.
func (s *Service) Read(ctx context.Context, id int64) (d Deposit, err error) {
	if err = s.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&d).Error; err != nil {
		return d, fmt.Errorf("read deposit %d: %w", id, err)
	}
	if d.ID == 0 {
		return d, ErrUnknown
	}
	return d, nil
}
