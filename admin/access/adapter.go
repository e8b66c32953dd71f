package access

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/casbin/casbin/v3/model"
	"github.com/casbin/casbin/v3/persist"

	"candor/app/platform/db"
)

var errCodeIsTheSource = errors.New("the policy is changed in code")

// rules is the policy in the table casbin_rules.
type rules struct {
	ctx context.Context // the adapter's interface does not pass one
	db  *db.DB
}

var _ persist.Adapter = rules{}

// write replaces the table's rows with the policy of the code.
func (r rules) write(policy map[Role][]Permission) error {
	return r.db.InTx(r.ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(r.ctx, `LOCK TABLE casbin_rules IN EXCLUSIVE MODE`); err != nil {
			return err
		}
		if _, err := tx.Conn.Exec(r.ctx, `DELETE FROM casbin_rules`); err != nil {
			return err
		}
		for _, role := range slices.Sorted(maps.Keys(policy)) {
			for _, permission := range policy[role] {
				if _, err := tx.Conn.Exec(r.ctx, `INSERT INTO casbin_rules (ptype, v0, v1) VALUES ('p', $1, $2)`, role, permission); err != nil {
					return fmt.Errorf("write %s of %s: %w", permission, role, err)
				}
			}
		}
		return nil
	})
}

// LoadPolicy reads the table into the model.
func (r rules) LoadPolicy(m model.Model) error {
	rows, err := r.db.Pool.Query(r.ctx, `SELECT ptype, v0, v1 FROM casbin_rules ORDER BY id`)
	if err != nil {
		return fmt.Errorf("read the policy: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		line := make([]string, 3)
		if err := rows.Scan(&line[0], &line[1], &line[2]); err != nil {
			return err
		}
		if err := persist.LoadPolicyArray(line, m); err != nil {
			return fmt.Errorf("take rule %v: %w", line, err)
		}
	}
	return rows.Err()
}

// SavePolicy is refused: the code is the one source.
func (rules) SavePolicy(model.Model) error { return errCodeIsTheSource }

// AddPolicy is refused.
func (rules) AddPolicy(_, _ string, _ []string) error { return errCodeIsTheSource }

// RemovePolicy is refused.
func (rules) RemovePolicy(_, _ string, _ []string) error { return errCodeIsTheSource }

// RemoveFilteredPolicy is refused.
func (rules) RemoveFilteredPolicy(_, _ string, _ int, _ ...string) error { return errCodeIsTheSource }
