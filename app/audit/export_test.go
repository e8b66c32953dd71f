package audit

// OfTraderSQL is the query of Log.OfTrader.
var OfTraderSQL = ofTrader

// CheckUncovered looks, through q, for a row that was slipped in behind the sealed ones.
func (c *Chain) CheckUncovered(ctx context.Context, q Querier) (*Problem, error) {
	return c.checkUncovered(ctx, q)
}
