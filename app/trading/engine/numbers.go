package engine

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// series is a database sequence that numbers the engine's rows.
type series int

const (
	ofOrders series = iota
	ofPositions
	ofFills
	ofTransactions
	ofCalls
	allSeries
)

var sequences = [allSeries]string{"orders_id_seq", "positions_id_seq", "fills_id_seq", "ledger_transactions_id_seq", "margin_calls_id_seq"}

// numbers are ids for new rows, drawn after the accounts are locked: the ids of one account ascend with time whichever server draws them. Unused ids are lost.
type numbers struct {
	ctx  context.Context
	conn *pgx.Conn
	free [allSeries][]int64
}

// queue queues the drawing of as many ids as so many commands usually need.
func (n *numbers) queue(batch *pgx.Batch, commands int) {
	batch.Queue(`SELECT nextval('orders_id_seq'), nextval('positions_id_seq'), nextval('fills_id_seq'), nextval('ledger_transactions_id_seq')
		FROM generate_series(1, $1)`, commands).Query(func(rows pgx.Rows) error {
		var order, position, fill, transaction int64
		_, err := pgx.ForEachRow(rows, []any{&order, &position, &fill, &transaction}, func() error {
			for s, id := range []int64{order, position, fill, transaction} {
				n.free[s] = append(n.free[s], id)
			}
			return nil
		})
		return err
	})
}

// next returns a new id of a series.
func (n *numbers) next(s series) (int64, error) {
	if len(n.free[s]) == 0 {
		rows, err := n.conn.Query(n.ctx, `SELECT nextval($1::regclass) FROM generate_series(1, 8)`, sequences[s])
		if err != nil {
			return 0, fmt.Errorf("number: %w", err)
		}
		if n.free[s], err = pgx.CollectRows(rows, pgx.RowTo[int64]); err != nil {
			return 0, fmt.Errorf("number: %w", err)
		}
	}
	id := n.free[s][0]
	n.free[s] = n.free[s][1:]
	return id, nil
}
