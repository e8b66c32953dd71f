package staff

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Bounds of saved views.
const (
	ViewNameLength  = 40
	viewQueryLength = 1000
	viewsOfList     = 8
)

// ErrViews means that a list has as many saved views as it can show.
var ErrViews = errs.New(errs.Refused, "staff.views")

// View is a selection of a list that a member of staff has named.
type View struct {
	ID    int64
	Name  string
	Query string // of the list's address
}

// Views lists a person's views of the list with this address, by name.
func (s *Service) Views(ctx context.Context, staffID int64, path string) ([]View, error) {
	rows, _ := s.db.Pool.Query(ctx, `SELECT id, name, query FROM staff_views WHERE staff_id = $1 AND path = $2 ORDER BY name`, staffID, path)
	views, err := pgx.CollectRows(rows, pgx.RowToStructByName[View])
	if err != nil {
		return nil, fmt.Errorf("read the views of staff %d: %w", staffID, err)
	}
	return views, nil
}

// SaveView names a selection of a list; the same name again replaces it. Refusals: field errors, ErrViews.
func (s *Service) SaveView(ctx context.Context, by audit.Actor, path string, v View) error {
	v.Name = strings.Join(strings.Fields(strings.ToValidUTF8(v.Name, "")), " ")
	if n := utf8.RuneCountInString(v.Name); n == 0 || n > ViewNameLength || strings.ContainsRune(v.Name, 0) {
		return errs.Field("name", "field.length")
	}
	if len(v.Query) == 0 || len(v.Query) > viewQueryLength {
		return errs.Field("name", "field.length")
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SELECT 1 FROM staff WHERE id = $1 FOR UPDATE`, by.ID); err != nil {
			return fmt.Errorf("lock staff %d: %w", by.ID, err)
		}
		var others int
		err := tx.Conn.QueryRow(ctx, `SELECT count(*) FROM staff_views WHERE staff_id = $1 AND path = $2 AND name <> $3`, by.ID, path, v.Name).Scan(&others)
		if err != nil {
			return fmt.Errorf("count the views of staff %d: %w", by.ID, err)
		}
		if others >= viewsOfList {
			return ErrViews.With("limit", viewsOfList)
		}
		_, err = tx.Conn.Exec(ctx, `INSERT INTO staff_views (staff_id, path, query, name) VALUES ($1, $2, $3, $4)
			ON CONFLICT (staff_id, path, name) DO UPDATE SET query = excluded.query`, by.ID, path, v.Query, v.Name)
		if err != nil {
			return fmt.Errorf("save a view of staff %d: %w", by.ID, err)
		}
		return s.recordTx(ctx, tx, by, "staff.save_view", by.ID, nil, facts{"path": path, "name": v.Name})
	})
}

// RemoveView removes a person's own view. A view that is gone already is no error.
func (s *Service) RemoveView(ctx context.Context, by audit.Actor, id int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		tag, err := tx.Conn.Exec(ctx, `DELETE FROM staff_views WHERE id = $1 AND staff_id = $2`, id, by.ID)
		if err != nil {
			return fmt.Errorf("remove view %d: %w", id, err)
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		return s.recordTx(ctx, tx, by, "staff.remove_view", by.ID, facts{"view": id}, nil)
	})
}
