// Package member reads members of staff for the other domains: who they are, and who is active. Package staff manages them.
package member

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// Member is a member of staff.
type Member struct {
	ID     int64
	Name   string
	Email  string
	Active bool // neither disabled nor only invited
}

const members = `SELECT id, name, email, state = 'active' FROM staff WHERE `

// Find reads members by ascending id; unknown ids are absent.
func Find(ctx context.Context, q db.Querier, ids ...int64) ([]Member, error) {
	return read(ctx, q, `id = ANY($1)`, ids)
}

// Active lists the active members by ascending id.
func Active(ctx context.Context, q db.Querier) ([]Member, error) {
	return read(ctx, q, `state = 'active'`)
}

func read(ctx context.Context, q db.Querier, condition string, values ...any) ([]Member, error) {
	rows, err := q.Query(ctx, members+condition+` ORDER BY id`, values...)
	if err != nil {
		return nil, fmt.Errorf("read members of staff: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Member])
	if err != nil {
		return nil, fmt.Errorf("read members of staff: %w", err)
	}
	return list, nil
}

// Names returns members' names by id. Unknown ids are absent, and so is 0, which stands for nobody.
func Names(ctx context.Context, q db.Querier, ids ...int64) (map[int64]string, error) {
	ids = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(ids))), func(id int64) bool { return id == 0 })
	names := make(map[int64]string, len(ids))
	if len(ids) == 0 {
		return names, nil
	}
	list, err := Find(ctx, q, ids...)
	if err != nil {
		return nil, err
	}
	for _, m := range list {
		names[m.ID] = m.Name
	}
	return names, nil
}

// Name is one member's name; empty for 0 and for an unknown id.
func Name(ctx context.Context, q db.Querier, id int64) (string, error) {
	names, err := Names(ctx, q, id)
	return names[id], err
}

// IDs lists the members' ids.
func IDs(list []Member) []int64 {
	ids := make([]int64, len(list))
	for i, m := range list {
		ids[i] = m.ID
	}
	return ids
}

// ID is the id that a column holds; 0 for an empty one.
func ID(column *int64) int64 {
	if column == nil {
		return 0
	}
	return *column
}
