package audit

import "context"

// OfTraderSQL is what Log.OfTrader asks the database.
var OfTraderSQL = ofTrader

// CheckUncovered finds a row that was added behind the sealed ones, reading with q.
func (c *Chain) CheckUncovered(ctx context.Context, q Querier) (*Problem, error) {
	return c.checkUncovered(ctx, q)
}
