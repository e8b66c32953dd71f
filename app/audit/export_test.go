package audit

import "context"

// OfTraderSQL is what Log.OfTrader asks the database.
var OfTraderSQL = ofTrader

// CheckUncovered looks, through q, for a row that was slipped in behind the sealed ones.
func (c *Chain) CheckUncovered(ctx context.Context, q Querier) (*Problem, error) {
	return c.checkUncovered(ctx, q)
}
