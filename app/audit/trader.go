package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// things are a trader's records that others act on: their kind as a target, and their table. Acts of the trader alone are
// found by the actor.
var things = []struct{ kind, table string }{
	{"deposit", "deposits"}, {"withdrawal", "withdrawals"}, {"kyc", "kyc_applications"}, {"adjustment", "approvals"}, {"conversation", "conversations"},
}

// OfTrader reads the acts of a trader, on the trader, and on the trader's records of some kinds ("deposit", "withdrawal", "kyc", "adjustment",
// "conversation"): newest first, after an entry (0 begins at the newest), with the entry after which the next page begins, 0 after the last.
// It covers the newest db.Stretch records of each kind.
func (l *Log) OfTrader(ctx context.Context, traderID int64, kinds []string, before int64, limit int) (list []Entry, next int64, err error) {
	rows, err := l.db.Pool.Query(ctx, ofTrader(kinds, before != 0), pgx.QueryExecModeCacheDescribe, traderID, fmt.Sprint(traderID), limit+1, before)
	if err != nil {
		return nil, 0, fmt.Errorf("list what happened to trader %d: %w", traderID, err)
	}
	if list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Entry]); err != nil {
		return nil, 0, fmt.Errorf("list what happened to trader %d: %w", traderID, err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	return list, next, nil
}

// ofTrader takes the newest entries of each part along an index, and the newest of those. The kind is written so that its own index is unusable:
// the database would read it once for each record. Its arguments are the trader as a number and as a text, the limit, and the
// entry after which it begins.
func ofTrader(kinds []string, behind bool) string {
	const order = ` ORDER BY at DESC, id DESC LIMIT $3`
	page := ` AND $4 = 0` + order
	if behind {
		page = ` AND (at, id) < ((SELECT at FROM audit_entries WHERE id = $4), $4)` + order
	}
	parts := []string{
		`(SELECT at, id FROM audit_entries WHERE actor_id = $1 AND actor_kind = 'trader'` + page + `)`,
		`(SELECT at, id FROM audit_entries WHERE target_id = $2 AND target_kind || '' = 'trader'` + page + `)`,
	}
	for _, thing := range things {
		if !slices.Contains(kinds, thing.kind) {
			continue
		}
		parts = append(parts, fmt.Sprintf(`(SELECT e.at, e.id FROM (SELECT id FROM %s WHERE trader_id = $1 ORDER BY id DESC LIMIT %d) thing,
			LATERAL (SELECT at, id FROM audit_entries WHERE target_id = thing.id::text AND target_kind || '' = '%s'%s) e%s)`, thing.table, db.Stretch, thing.kind, page, order))
	}
	return `SELECT ` + columns + ` FROM audit_entries WHERE id IN (SELECT id FROM (` + strings.Join(parts, ` UNION `) + `) found` + order + `)` + strings.Replace(order, "LIMIT $3", "", 1)
}

// AboutTrader reads the acts of some actions on a trader, newest first, after an entry (0 begins at the newest).
func AboutTrader(ctx context.Context, q db.Querier, traderID int64, actions []string, before int64, limit int) ([]Entry, error) {
	rows, err := q.Query(ctx, `
		SELECT `+columns+` FROM audit_entries WHERE target_id = $1 AND target_kind || '' = 'trader' AND action = ANY($2)
		AND ($3::bigint = 0 OR (at, id) < ((SELECT at FROM audit_entries WHERE id = $3), $3)) ORDER BY at DESC, id DESC LIMIT $4`, fmt.Sprint(traderID), actions, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the acts on trader %d: %w", traderID, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Entry])
	if err != nil {
		return nil, fmt.Errorf("list the acts on trader %d: %w", traderID, err)
	}
	return list, nil
}
