package bench

import (
	"context"
	"time"

	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/mail"
	"candor/app/trading"
	"candor/app/trading/engine"
)

const listPage = 20

// Products of the rows: half of them, one in 200,000, none.
const muchProduct, littleProduct, noProduct = 1, 3, 4

// middle is a row in the middle of an account's list.
func (l lists) middle(account int64) int64 {
	if account == listFew {
		return int64(l.rows) / 2
	}
	return int64(l.rows)/2 + 1
}

func (l lists) middleTime(account int64) time.Time {
	return listStart.Add(time.Duration(l.middle(account)) * time.Second)
}

// listQuestions are the measured pages: first, next and filtered ones, with filters that match many, few and no rows.
func listQuestions() (all []question) {
	for _, few := range []bool{false, true} {
		whose := ""
		if few {
			whose = " of an account with a thousand"
		}
		for _, list := range [][]question{orderQuestions, positionQuestions, fillQuestions, statementQuestions, chargeQuestions} {
			for _, q := range list {
				q.few, q.name = few, q.name+whose
				all = append(all, q)
			}
		}
	}
	for _, list := range [][]question{depositQuestions, traderQuestions, auditQuestions, outboxQuestions} {
		all = append(all, list...)
	}
	return all
}

func orders(name string, filter func(l lists, account int64) engine.OrderFilter) question {
	return question{list: "orders", name: name, ask: func(ctx context.Context, l lists, account int64) (int, error) {
		f := filter(l, account)
		f.Limit = listPage
		list, _, err := l.trading.Orders(ctx, account, f)
		return len(list), err
	}}
}

var orderQuestions = []question{
	orders("first page", func(lists, int64) engine.OrderFilter { return engine.OrderFilter{} }),
	orders("next page", func(l lists, a int64) engine.OrderFilter { return engine.OrderFilter{Before: l.middle(a)} }),
	orders("waiting", func(lists, int64) engine.OrderFilter { return engine.OrderFilter{Group: engine.WaitingOrders} }),
	orders("filter matches much", func(lists, int64) engine.OrderFilter { return engine.OrderFilter{ProductID: muchProduct} }),
	orders("filter matches little", func(lists, int64) engine.OrderFilter { return engine.OrderFilter{ProductID: littleProduct} }),
	orders("filter matches nothing", func(lists, int64) engine.OrderFilter { return engine.OrderFilter{ProductID: noProduct} }),
	orders("filters that exclude each other", func(lists, int64) engine.OrderFilter {
		return engine.OrderFilter{ProductID: muchProduct, Side: trading.Sell, Type: trading.LimitOrder, Group: engine.UnfilledOrders, Reason: trading.ByTrader}
	}),
	orders("an hour long ago", func(l lists, a int64) engine.OrderFilter {
		return engine.OrderFilter{From: l.middleTime(a), To: l.middleTime(a).Add(time.Hour)}
	}),
	orders("a time of which there is nothing", func(lists, int64) engine.OrderFilter { return engine.OrderFilter{To: listStart} }),
}

func history(name string, filter func(l lists, account int64) engine.HistoryFilter) question {
	return question{list: "closed positions", name: name, ask: func(ctx context.Context, l lists, account int64) (int, error) {
		f := filter(l, account)
		f.Limit = listPage
		if _, _, err := l.trading.CountHistory(ctx, account, f); err != nil {
			return 0, err
		}
		list, _, err := l.trading.History(ctx, account, f)
		return len(list), err
	}}
}

var positionQuestions = []question{
	{list: "open positions", name: "all", ask: func(ctx context.Context, l lists, account int64) (int, error) {
		v, err := l.trading.Value(ctx, account)
		return len(v.Positions), err
	}},
	history("first page and total", func(lists, int64) engine.HistoryFilter { return engine.HistoryFilter{} }),
	history("next page", func(l lists, a int64) engine.HistoryFilter { return engine.HistoryFilter{Before: l.middle(a)} }),
	history("numbered page", func(lists, int64) engine.HistoryFilter { return engine.HistoryFilter{Offset: 9 * listPage} }),
	history("filter matches much", func(lists, int64) engine.HistoryFilter { return engine.HistoryFilter{ProductID: muchProduct} }),
	history("filter matches little", func(lists, int64) engine.HistoryFilter { return engine.HistoryFilter{ProductID: littleProduct} }),
	history("filter matches nothing", func(lists, int64) engine.HistoryFilter { return engine.HistoryFilter{Reason: trading.StopOutClose} }),
	history("opened by what opened nothing", func(lists, int64) engine.HistoryFilter { return engine.HistoryFilter{OpenedBy: trading.LimitRule} }),
	history("an hour long ago", func(l lists, a int64) engine.HistoryFilter {
		return engine.HistoryFilter{From: l.middleTime(a), To: l.middleTime(a).Add(time.Hour)}
	}),
	history("a time of which there is nothing", func(lists, int64) engine.HistoryFilter { return engine.HistoryFilter{To: listStart} }),
}

func fills(name string, filter func(l lists, account int64) engine.FillFilter) question {
	return question{list: "fills", name: name, ask: func(ctx context.Context, l lists, account int64) (int, error) {
		f := filter(l, account)
		f.Limit = listPage
		list, _, err := l.trading.Fills(ctx, account, f)
		return len(list), err
	}}
}

var fillQuestions = []question{
	fills("first page", func(lists, int64) engine.FillFilter { return engine.FillFilter{} }),
	fills("next page", func(l lists, a int64) engine.FillFilter { return engine.FillFilter{Before: l.middle(a)} }),
	fills("of a position", func(l lists, a int64) engine.FillFilter { return engine.FillFilter{PositionID: l.middle(a)} }),
	fills("filter matches much", func(lists, int64) engine.FillFilter { return engine.FillFilter{ProductID: muchProduct} }),
	fills("filter matches little", func(lists, int64) engine.FillFilter { return engine.FillFilter{ProductID: littleProduct} }),
	fills("filter matches nothing", func(lists, int64) engine.FillFilter { return engine.FillFilter{Rule: trading.StopOutRule} }),
	fills("an hour long ago", func(l lists, a int64) engine.FillFilter {
		return engine.FillFilter{From: l.middleTime(a), To: l.middleTime(a).Add(time.Hour)}
	}),
	fills("a time of which there is nothing", func(lists, int64) engine.FillFilter { return engine.FillFilter{To: listStart} }),
}

func statement(name string, filter func(l lists, account int64) ledger.StatementFilter) question {
	return question{list: "statement", name: name, ask: func(ctx context.Context, l lists, account int64) (int, error) {
		f := filter(l, account)
		f.Limit = listPage
		list, _, err := ledger.Statement(ctx, l.database.Pool, account, f)
		return len(list), err
	}}
}

var statementQuestions = []question{
	statement("first page", func(lists, int64) ledger.StatementFilter { return ledger.StatementFilter{} }),
	statement("next page", func(l lists, a int64) ledger.StatementFilter { return ledger.StatementFilter{Before: l.middle(a)} }),
	statement("filter matches much", func(lists, int64) ledger.StatementFilter { return ledger.StatementFilter{Kind: "trade_close"} }),
	statement("filter matches little", func(lists, int64) ledger.StatementFilter { return ledger.StatementFilter{Kind: "deposit"} }),
	statement("filter matches nothing", func(lists, int64) ledger.StatementFilter { return ledger.StatementFilter{Kind: "swap"} }),
	statement("an hour long ago", func(l lists, a int64) ledger.StatementFilter {
		return ledger.StatementFilter{From: l.middleTime(a), To: l.middleTime(a).Add(time.Hour)}
	}),
	statement("a time of which there is nothing", func(lists, int64) ledger.StatementFilter {
		return ledger.StatementFilter{To: listStart.Add(-time.Hour)}
	}),
}

var chargeQuestions = []question{
	{list: "charges", name: "first page", ask: func(ctx context.Context, l lists, account int64) (int, error) {
		list, _, err := l.trading.Charges(ctx, account, 0, 0, listPage)
		return len(list), err
	}},
	{list: "charges", name: "next page", ask: func(ctx context.Context, l lists, account int64) (int, error) {
		list, _, err := l.trading.Charges(ctx, account, 0, l.middle(account), listPage)
		return len(list), err
	}},
	{list: "charges", name: "of a position", ask: func(ctx context.Context, l lists, account int64) (int, error) {
		list, _, err := l.trading.Charges(ctx, account, l.middle(account), 0, listPage)
		return len(list), err
	}},
	{list: "margin calls", name: "first page", ask: func(ctx context.Context, l lists, account int64) (int, error) {
		list, _, err := l.trading.MarginCalls(ctx, account, 0, listPage)
		return len(list), err
	}},
	{list: "margin calls", name: "next page", ask: func(ctx context.Context, l lists, account int64) (int, error) {
		list, _, err := l.trading.MarginCalls(ctx, account, l.middle(account), listPage)
		return len(list), err
	}},
}

func deposits(name string, filter func(l lists) deposit.Filter) question {
	return question{list: "a trader's deposits", name: name, ask: func(ctx context.Context, l lists, account int64) (int, error) {
		f, traderID := filter(l), listTraders+account-1_000
		f.Limit = listPage
		if _, _, err := l.deposits.Count(ctx, traderID); err != nil {
			return 0, err
		}
		list, _, err := l.deposits.List(ctx, traderID, f)
		return len(list), err
	}}
}

func queued(name string, after func(l lists) time.Time) question {
	return question{list: "deposit queue", name: name, ask: func(ctx context.Context, l lists, _ int64) (int, error) {
		list, err := l.deposits.Queue(ctx, after(l), 0, listPage)
		if err != nil {
			return 0, err
		}
		ids := make([]int64, len(list))
		for i, d := range list {
			ids[i] = d.ID
		}
		if _, err := l.deposits.Repeated(ctx, ids); err != nil {
			return 0, err
		}
		_, _, err = l.deposits.CountWaiting(ctx)
		return len(list), err
	}}
}

var depositQuestions = []question{
	deposits("first page and total", func(lists) deposit.Filter { return deposit.Filter{} }),
	deposits("next page", func(l lists) deposit.Filter { return deposit.Filter{Before: l.middle(listMost)} }),
	deposits("numbered page", func(lists) deposit.Filter { return deposit.Filter{Offset: 9 * listPage} }),
	queued("first page, repeated proofs and count", func(lists) time.Time { return time.Time{} }),
	queued("next page", func(l lists) time.Time { return l.middleTime(listMost) }),
	over("ended, first page", deposit.Search{}, fromStart),
	over("ended, next page", deposit.Search{}, func(l lists) int64 { return l.middle(listMost) }),
	over("ended in a state that much matches", deposit.Search{State: deposit.Credited}, fromStart),
	over("ended in a state that nothing matches", deposit.Search{State: deposit.Refunded}, fromStart),
	over("ended, of a kind that nothing matches", deposit.Search{Kind: deposit.Crypto}, fromStart),
	over("ended, of an hour", deposit.Search{From: listStart, To: listStart.Add(time.Hour)}, fromStart),
}

// over is a page of ended deposits, after a row.
func over(name string, search deposit.Search, after func(l lists) int64) question {
	search.Ended = true
	return question{list: "deposits", name: name, ask: func(ctx context.Context, l lists, _ int64) (int, error) {
		place := deposit.Cursor{ID: after(l)}
		if place.ID != 0 {
			place.At = listStart.Add(time.Duration(place.ID) * time.Second)
		}
		list, _, err := l.deposits.Find(ctx, search, place, listPage)
		return len(list), err
	}}
}

func traders(name, words string, after func(l lists) int64) question {
	return question{list: "traders", name: name, ask: func(ctx context.Context, l lists, _ int64) (int, error) {
		list, _, err := l.traders.Search(ctx, words, after(l), listPage)
		return len(list), err
	}}
}

func fromStart(lists) int64 { return 0 }

func (l lists) middleTrader() int64 { return listTraders + l.middle(listMost) }

var traderQuestions = []question{
	traders("first page", "", fromStart),
	traders("next page", "", lists.middleTrader),
	traders("by an address", "user1@example.com", fromStart),
	traders("by an address that nobody has", "nobody@example.com", fromStart),
	traders("by a number that nobody has", "+34600000000", fromStart),
	traders("by a uid", "10000007", fromStart),
	traders("by digits", "1000", fromStart),
}

func entries(name string, filter func(l lists) audit.Filter) question {
	return question{list: "audit log", name: name, ask: func(ctx context.Context, l lists, _ int64) (int, error) {
		f := filter(l)
		f.Limit = listPage
		list, _, err := l.audit.List(ctx, f)
		return len(list), err
	}}
}

var auditQuestions = []question{
	entries("first page", func(lists) audit.Filter { return audit.Filter{} }),
	entries("next page", func(l lists) audit.Filter { return audit.Filter{Before: l.middle(listMost)} }),
	entries("of an area that much matches", func(lists) audit.Filter { return audit.Filter{Action: "deposit."} }),
	entries("of an area that little matches", func(lists) audit.Filter { return audit.Filter{Action: "staff."} }),
	entries("of an area that nothing matches", func(lists) audit.Filter { return audit.Filter{Action: "product."} }),
	entries("about one target", func(lists) audit.Filter { return audit.Filter{TargetKind: "deposit", TargetID: "50"} }),
	entries("about a kind that little matches", func(lists) audit.Filter { return audit.Filter{TargetKind: "staff"} }),
	entries("of a person", func(lists) audit.Filter { return audit.Filter{ActorName: "us***1"} }),
	entries("of nobody", func(lists) audit.Filter { return audit.Filter{ActorName: "nobody"} }),
	entries("by a role that much matches", func(lists) audit.Filter { return audit.Filter{Role: "finance_maker"} }),
	entries("by a role that little matches", func(lists) audit.Filter { return audit.Filter{Role: "auditor"} }),
	entries("by a role that nothing matches", func(lists) audit.Filter { return audit.Filter{Role: "risk"} }),
	entries("refused", func(lists) audit.Filter { return audit.Filter{Result: audit.Denied} }),
	entries("failed, of which there is nothing", func(lists) audit.Filter { return audit.Filter{Result: audit.Failed} }),
	entries("filters that exclude each other", func(lists) audit.Filter { return audit.Filter{Action: "deposit.", TargetKind: "trader"} }),
	entries("an hour long ago", func(l lists) audit.Filter {
		return audit.Filter{From: l.middleTime(listMost), To: l.middleTime(listMost).Add(time.Hour)}
	}),
}

func messages(name, recipient string, after func(l lists) int64) question {
	return question{list: "outbox", name: name, ask: func(ctx context.Context, l lists, _ int64) (int, error) {
		list, _, err := l.outbox.Page(ctx, mail.Filter{Beginning: recipient}, after(l), listPage)
		return len(list), err
	}}
}

var outboxQuestions = []question{
	messages("first page", "", fromStart),
	messages("next page", "", func(l lists) int64 { return l.middle(listMost) }),
	messages("to recipients that much matches", "user", fromStart),
	messages("to recipients, next page", "user", func(l lists) int64 { return l.middle(listMost) }),
	messages("to a recipient that little matches", "rare", fromStart),
	messages("to a recipient that nothing matches", "nobody", fromStart),
}
