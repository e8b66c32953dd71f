package report

import "context"

// Deposits adds up credited deposits by day, channel and currency. What was taken back counts on the day when it was taken back, with its fee.
func (s *Service) Deposits(ctx context.Context, span Span) (Table, error) {
	list, err := s.lines(ctx, "deposits", 4, `
		SELECT x.day, c.name, '', x.currency, sum(x.n)::bigint, sum(x.credited)::bigint, sum(x.fee)::bigint, sum(x.reversed)::bigint
		FROM (
			SELECT width_bucket(decided_at, $1::timestamptz[]) AS day, channel_id, account_id, currency, 1 AS n, received AS credited, fee, 0 AS reversed
			FROM deposits WHERE transaction_id IS NOT NULL AND decided_at >= $2 AND decided_at < $3
			UNION ALL
			SELECT width_bucket(moved_at, $1::timestamptz[]), channel_id, account_id, currency, 0, 0, -fee, received
			FROM deposits WHERE reversal_id IS NOT NULL AND moved_at >= $2 AND moved_at < $3
		) x JOIN pay_channels c ON c.id = x.channel_id JOIN accounts a ON a.id = x.account_id AND a.book = 'real'
		GROUP BY x.day, c.name, x.currency ORDER BY x.day, c.name, x.currency`, span.args()...)
	return table(span, []Column{{"deposits", Count, false}, {"credited", Money, true}, {"fees", Money, false}, {"reversed", Money, false}}, list), err
}

// Withdrawals adds up paid withdrawals by day, kind and currency: what left the house, and the fees it kept. What a bank returned counts on the day of its return.
func (s *Service) Withdrawals(ctx context.Context, span Span) (Table, error) {
	list, err := s.lines(ctx, "withdrawals", 4, `
		SELECT x.day, '', x.kind::text, x.currency::text, sum(x.n)::bigint, sum(x.paid)::bigint, sum(x.fee)::bigint, sum(x.returned)::bigint
		FROM (
			SELECT width_bucket(sent_at, $1::timestamptz[]) AS day, kind, account_id, currency, 1 AS n, amount - fee AS paid, fee, 0 AS returned
			FROM withdrawals WHERE sent_id IS NOT NULL AND sent_at >= $2 AND sent_at < $3
			UNION ALL
			SELECT width_bucket(ended_at, $1::timestamptz[]), kind, account_id, currency, 0, 0, -fee, amount - fee
			FROM withdrawals WHERE state = 'returned' AND ended_at IS NOT NULL AND ended_at >= $2 AND ended_at < $3
		) x JOIN accounts a ON a.id = x.account_id AND a.book = 'real'
		GROUP BY x.day, x.kind, x.currency ORDER BY x.day, x.kind, x.currency`, span.args()...)
	return table(span, []Column{{"withdrawals", Count, false}, {"paid", Money, true}, {"fees", Money, false}, {"returned", Money, false}}, list), err
}

// FirstDeposits adds up, by day and currency, the first deposits of traders that are still credited.
func (s *Service) FirstDeposits(ctx context.Context, span Span) (Table, error) {
	list, err := s.lines(ctx, "first deposits", 2, `
		SELECT width_bucket(d.decided_at, $1::timestamptz[]), '', '', d.currency, count(*), sum(d.received)::bigint
		FROM deposits d JOIN accounts a ON a.id = d.account_id AND a.book = 'real'
		WHERE d.transaction_id IS NOT NULL AND d.state = 'credited' AND d.decided_at >= $2 AND d.decided_at < $3
		  AND NOT EXISTS (SELECT 1 FROM deposits e WHERE e.trader_id = d.trader_id AND e.state = 'credited' AND (e.decided_at, e.id) < (d.decided_at, d.id))
		GROUP BY 1, d.currency ORDER BY 1, d.currency`, span.args()...)
	return table(span, []Column{{"first_deposits", Count, false}, {"sum", Money, true}}, list), err
}

// Registered adds up, by day, who registered, and how many of them have deposited by now.
func (s *Service) Registered(ctx context.Context, span Span) (Table, error) {
	list, err := s.lines(ctx, "registrations", 2, `
		SELECT width_bucket(t.created_at, $1::timestamptz[]), '', '', '', count(*),
		       count(*) FILTER (WHERE EXISTS (SELECT 1 FROM deposits d JOIN accounts a ON a.id = d.account_id AND a.book = 'real' WHERE d.trader_id = t.id AND d.state = 'credited'))
		FROM traders t WHERE t.type <> 8 AND t.created_at >= $2 AND t.created_at < $3 GROUP BY 1`, span.args()...)
	t := table(span, []Column{{"registered", Count, true}, {"funded", Count, true}, {"funded_share", Share, false}}, everyDay(span, list, 2))
	for _, rows := range [][]Row{t.Rows, t.Totals} {
		for i := range rows {
			rows[i].Figures = append(rows[i].Figures[:2:2], share(rows[i].Figures[1].Value, rows[i].Figures[0].Value))
		}
	}
	return t, err
}

// Funnel follows the traders who registered in the span: how many have been verified, have deposited and have traded by now, each with the share of the registered.
func (s *Service) Funnel(ctx context.Context, span Span) (Table, error) {
	t := Table{Columns: []Column{{"traders", Count, true}, {"registered_share", Share, false}}}
	var registered, verified, funded, traded int64
	err := s.db.Pool.QueryRow(ctx, `
		SELECT count(*), count(*) FILTER (WHERE level > 0),
		       count(*) FILTER (WHERE EXISTS (SELECT 1 FROM deposits d JOIN accounts a ON a.id = d.account_id AND a.book = 'real' WHERE d.trader_id = t.id AND d.state = 'credited')),
		       count(*) FILTER (WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.trader_id = t.id AND a.book = 'real' AND EXISTS (SELECT 1 FROM fills f WHERE f.account_id = a.id)))
		FROM traders t WHERE t.type <> 8 AND t.created_at >= $1 AND t.created_at < $2`, span.From(), span.To()).Scan(&registered, &verified, &funded, &traded)
	if err != nil {
		return t, err
	}
	for _, stage := range []struct {
		key string
		n   int64
	}{{"registered", registered}, {"verified", verified}, {"funded", funded}, {"traded", traded}} {
		t.Rows = append(t.Rows, Row{Key: stage.key, Figures: []Figure{{Value: stage.n}, share(stage.n, registered)}})
	}
	return t, nil
}

// Volume adds up, by day and class of product, what was traded on real accounts.
func (s *Service) Volume(ctx context.Context, span Span) (Table, error) {
	list, err := s.lines(ctx, "volume", 4, `
		SELECT width_bucket(f.created_at, $1::timestamptz[]), '', p.class::text, '', count(*), sum(f.lots)::bigint, sum(f.commission)::bigint, sum(f.profit)::bigint
		FROM fills f JOIN accounts a ON a.id = f.account_id AND a.book = 'real' JOIN products p ON p.id = f.product_id
		WHERE f.created_at >= $2 AND f.created_at < $3 GROUP BY 1, p.class ORDER BY 1, p.class`, span.args()...)
	return table(span, []Column{{"fills", Count, false}, {"lots", Lots, true}, {"commission", Money, false}, {"profit", Result, false}}, list), err
}

// HouseResult adds up, by day, what the house earned and lost on its ledger accounts: the other side of traders' real accounts.
func (s *Service) HouseResult(ctx context.Context, span Span) (Table, error) {
	list, err := s.lines(ctx, "the house's result", 7, `
		SELECT width_bucket(p.created_at, $1::timestamptz[]), '', '', '',
		       coalesce(sum(p.amount) FILTER (WHERE a.name = 'trading'), 0)::bigint, coalesce(sum(p.amount) FILTER (WHERE a.name = 'fees'), 0)::bigint,
		       coalesce(sum(p.amount) FILTER (WHERE a.name = 'swaps'), 0)::bigint, coalesce(sum(p.amount) FILTER (WHERE a.name = 'dividends'), 0)::bigint,
		       coalesce(sum(p.amount) FILTER (WHERE a.name = 'forgiven'), 0)::bigint, coalesce(sum(p.amount) FILTER (WHERE a.name IN ('bonus', 'adjustments')), 0)::bigint,
		       sum(p.amount)::bigint
		FROM accounts a JOIN postings p ON p.account_id = a.id AND p.created_at >= $2 AND p.created_at < $3
		WHERE a.kind = 'house' AND a.book = 'real' AND a.name IN ('trading', 'fees', 'swaps', 'dividends', 'forgiven', 'bonus', 'adjustments') AND a.currency = 'USDT'
		GROUP BY 1`, span.args()...)
	columns := []Column{
		{"trading", Result, false}, {"commissions", Result, false}, {"swaps", Result, false}, {"dividends", Result, false}, {"forgiven", Result, false},
		{"corrections", Result, false}, {"result", Result, true},
	}
	return table(span, columns, everyDay(span, list, len(columns))), err
}
