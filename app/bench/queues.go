package bench

import (
	"context"
	"io"
	"strings"
	"time"

	"candor/app/audit"
	"candor/app/withdrawal"
)

// benchAddress is the address of a quarter of the withdrawals.
const benchAddress = "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW"

// queueRows fill the queue of withdrawals and the audit log, with a number of rows each: half of the withdrawals are under way, and one in 200,000 is frozen.
var queueRows = []string{
	`INSERT INTO withdrawals (id, trader_id, account_id, payee_id, kind, currency, amount, fee, holder_key, holder_sealed, bank, iban, bic, chain, address, risk, risk_reasons, state, frozen_from,
			payment, taken_id, sent_id, back_id, created_at, moved_at, sent_at, ended_at) OVERRIDING SYSTEM VALUE
		SELECT n, 10000001 + n % 1000, 1001 + n % 1000, n, CASE WHEN coins THEN 'standard' ELSE 'bank' END, 'USDT', 100000000, 1000000, CASE WHEN NOT coins THEN '\x01'::bytea END, CASE WHEN NOT coins THEN '\x01'::bytea END, 'A bank',
			CASE WHEN coins THEN '' ELSE 'DE89370400440532013000' END, 'COBADEFFXXX', CASE WHEN coins THEN 'tron' ELSE '' END, CASE WHEN coins THEN '` + benchAddress + `' ELSE '' END,
			CASE WHEN n % 200000 = 7 THEN 90 ELSE n % 40 END, '', state, CASE state WHEN 'frozen' THEN 'review' END,
			CASE WHEN state IN ('sent', 'completed') THEN 'PAY-' || n END, n, CASE WHEN state IN ('sent', 'completed') THEN n END, CASE WHEN state = 'cancelled' THEN n END,
			` + listTime + `, ` + listTime + `, CASE WHEN state IN ('sent', 'completed') THEN ` + listTime + ` END, CASE WHEN state IN ('completed', 'cancelled') THEN ` + listTime + ` END
		FROM (SELECT n, CASE WHEN n % 200000 = 7 THEN 'frozen' WHEN n % 4 = 0 THEN 'review' WHEN n % 4 = 1 THEN 'sent' WHEN n % 4 = 2 THEN 'completed' ELSE 'cancelled' END AS state,
				n % 8 IN (4, 6) AS coins
			FROM generate_series(1, $n) n) w`,
	auditRows(),
}

// auditRows fill the audit log like the benchmark of lists, from several addresses.
func auditRows() string {
	for _, statement := range listRows {
		if strings.HasPrefix(statement, "INSERT INTO audit_entries") {
			return strings.Replace(statement, `'127.0.0.1'`, `CASE WHEN n % 200000 = 7 THEN '203.0.113.7' ELSE '198.51.100.' || n % 100 END`, 1)
		}
	}
	panic("no rows of the audit log")
}

// benchQueues measures the queue of withdrawals and the audit log at a million rows against a thousand.
func benchQueues(ctx context.Context, out io.Writer) ([]target, error) {
	return (&listBench{id: "queues", fill: queueRows, questions: append(withdrawalQuestions(), logQuestions()...)}).run(ctx, out)
}

// waiting is a page of the queue with the counts of its tabs, the withdrawals under way and the waiting ones.
func waiting(name string, search withdrawal.Search, after func(l lists) int64) question {
	return question{list: "withdrawal queue", name: name, ask: func(ctx context.Context, l lists, _ int64) (int, error) {
		list, _, err := l.withdrawals.Queue(ctx, search, after(l), listPage)
		if err != nil {
			return 0, err
		}
		if _, err := l.withdrawals.Counts(ctx); err != nil {
			return 0, err
		}
		if _, _, err := l.withdrawals.UnderWay(ctx); err != nil {
			return 0, err
		}
		_, _, err = l.withdrawals.CountWaiting(ctx)
		return len(list), err
	}}
}

func withdrawalQuestions() []question {
	middle := func(l lists) int64 { return l.middle(listMost) }
	hour := func(n int) time.Time { return listStart.Add(time.Duration(n) * time.Hour) }
	states := func(state ...withdrawal.State) withdrawal.Search { return withdrawal.Search{States: state} }
	return []question{
		waiting("first page", withdrawal.Search{}, fromStart),
		waiting("next page", withdrawal.Search{}, middle),
		waiting("of a state that much matches", states(withdrawal.Review), fromStart),
		waiting("of a state that much matches, next page", states(withdrawal.Review), middle),
		waiting("of a state that little matches", states(withdrawal.Frozen), fromStart),
		waiting("of a state that nothing matches", states(withdrawal.OutcomeUnknown), fromStart),
		waiting("by a risk that much matches", withdrawal.Search{Risk: 10}, fromStart),
		waiting("by a risk that nothing matches", withdrawal.Search{Risk: 95}, fromStart),
		waiting("of a trader", withdrawal.Search{TraderID: listTraders + 8}, fromStart),
		waiting("that waits for long", withdrawal.Search{Waiting: time.Hour}, fromStart),
		waiting("one by its number", withdrawal.Search{ID: 500}, fromStart),
		waiting("one by its bank reference", withdrawal.Search{Payment: "PAY-501"}, fromStart),
		waiting("to an address that much matches", withdrawal.Search{Address: benchAddress}, fromStart),
		waiting("by a kind that nothing matches", withdrawal.Search{Kind: withdrawal.ByAgent}, fromStart),
		waiting("by a chain that much matches", withdrawal.Search{Chain: "tron"}, fromStart),
		waiting("asked for in an hour", withdrawal.Search{From: hour(0), To: hour(1)}, fromStart),
		waiting("ended, first page", withdrawal.Search{Ended: true}, fromStart),
		waiting("ended, next page", withdrawal.Search{Ended: true}, func(l lists) int64 { return l.middle(listMost)/4*4 + 2 }),
		waiting("ended in a state that much matches", withdrawal.Search{Ended: true, States: []withdrawal.State{withdrawal.Completed}}, fromStart),
		waiting("ended in a state that nothing matches", withdrawal.Search{Ended: true, States: []withdrawal.State{withdrawal.Returned}}, fromStart),
		waiting("ended, of a trader", withdrawal.Search{Ended: true, TraderID: listTraders + 5}, fromStart),
		waiting("ended, to an address", withdrawal.Search{Ended: true, Address: benchAddress}, fromStart),
		waiting("ended, by a kind that nothing matches", withdrawal.Search{Ended: true, Kind: withdrawal.ByAgent}, fromStart),
		waiting("ended, by a risk that nothing matches", withdrawal.Search{Ended: true, Risk: 95}, fromStart),
		waiting("ended in an hour", withdrawal.Search{Ended: true, From: hour(0), To: hour(1)}, fromStart),
		waiting("filters that exclude each other", withdrawal.Search{States: []withdrawal.State{withdrawal.Frozen}, Risk: 95}, fromStart),
	}
}

func logQuestions() []question {
	return append(auditQuestions,
		entries("from an address that much matches", func(lists) audit.Filter { return audit.Filter{IP: "198.51.100.7"} }),
		entries("from an address that little matches", func(lists) audit.Filter { return audit.Filter{IP: "203.0.113.7"} }),
		entries("from an address that nothing matches", func(lists) audit.Filter { return audit.Filter{IP: "192.0.2.1"} }),
	)
}
