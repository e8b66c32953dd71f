package staff

import (
	"context"
	"fmt"
)

// Search selects people. An empty field does not filter.
type Search struct {
	Words string // within the name or the e-mail address
	Role  Role
	State State
}

// Find lists people by rising id after the given one (0 for the first page), at most limit, and the id after which the next page begins, 0 after the last.
func (s *Service) Find(ctx context.Context, by Search, after int64, limit int) (list []Person, next int64, err error) {
	rows := s.db.Rows(ctx).Where("id > ?", after)
	if by.Words != "" {
		rows = rows.Where("strpos(lower(name), lower(?)) > 0 OR strpos(email, lower(?)) > 0", by.Words, by.Words)
	}
	if by.Role != "" {
		rows = rows.Where("EXISTS (SELECT 1 FROM staff_roles r WHERE r.staff_id = staff.id AND r.role = ?)", by.Role)
	}
	if by.State != "" {
		rows = rows.Where("state = ?", by.State)
	}
	if err = rows.Order("id").Limit(limit + 1).Find(&list).Error; err != nil {
		return nil, 0, fmt.Errorf("search staff: %w", err)
	}
	if len(list) > limit {
		list, next = list[:limit], list[limit-1].ID
	}
	return list, next, s.setRoles(ctx, list)
}

func (s *Service) setRoles(ctx context.Context, list []Person) error {
	ids := make([]int64, len(list))
	for i, p := range list {
		ids[i] = p.ID
	}
	roles, err := rolesOf(s.db.Rows(ctx), ids...)
	for i := range list {
		list[i].Roles = roles[list[i].ID]
	}
	return err
}

// List reads all people by ascending id after a keyset cursor (zero for the start), at most limit.
func (s *Service) List(ctx context.Context, after int64, limit int) ([]Person, error) {
	list, _, err := s.Find(ctx, Search{}, after, limit)
	return list, err
}
