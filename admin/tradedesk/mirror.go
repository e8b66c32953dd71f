package tradedesk

import (
	"regexp"
	"slices"
	"strings"

	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/notice"
	"candor/app/platform/money"
	"candor/app/switches"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/app/withdrawal"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// mirrorRows is how many rows a card has.
const mirrorRows = 20

// mirrorAccount is what the trader sees of an account: its figures, open positions, pending orders and movements.
func (s Services) mirrorAccount(m mirror, a ledger.Account) (cards []tradeview.Card, err error) {
	worth, err := s.Trading.Value(m.ctx, a.ID)
	unpriced := isUnpriced(err)
	if err != nil && !unpriced {
		return nil, err
	}
	if unpriced {
		worth.Account = a
	}
	positions, _, err := s.openPositions(m.subject, a, 0, mirrorRows)
	if err != nil {
		return nil, err
	}
	orders, _, err := s.Trading.Orders(m.ctx, a.ID, engine.OrderFilter{Group: engine.WaitingOrders, Limit: mirrorRows})
	if err != nil {
		return nil, err
	}
	lines, _, err := ledger.Statement(m.ctx, s.Ledger, a.ID, ledger.StatementFilter{Limit: mirrorRows})
	if err != nil {
		return nil, err
	}
	return []tradeview.Card{m.assets(valued{Valuation: worth, unpriced: unpriced}), s.mirrorPositions(m, positions), s.mirrorOrders(m, orders), m.movements(a, lines)}, nil
}

// assets are the figures of an account.
func (m mirror) assets(a valued) tradeview.Card {
	fact := func(key, value string) ui.Fact { return ui.Fact{Label: m.say(key), Value: value} }
	card := tradeview.Card{Title: m.say("wallet.assets"), Note: m.accountWord(a.Account) + ", " + ledger.Currency, Facts: []ui.Fact{
		fact("wallet.balance", m.figures.Rounded(a.Account.Cash)), fact("wallet.bonus", m.figures.Rounded(a.Account.Bonus)), fact("wallet.equity", m.worth(a, a.Equity)),
		fact("wallet.used_margin", m.worth(a, a.Used)), fact("wallet.free_margin", m.worth(a, a.Free)), fact("figure.margin_level", a.level()),
	}}
	floating := fact("wallet.floating", unknown)
	if !a.unpriced {
		floating.Value = m.figures.SignedRounded(a.Floating)
	}
	card.Facts = append(card.Facts, floating)
	if debt := a.Account.Debt(); debt != 0 {
		card.Facts = append(card.Facts, fact("wallet.deficit", m.figures.Rounded(debt)))
	}
	return card
}

func (s Services) mirrorPositions(m mirror, list []openPosition) tradeview.Card {
	card := m.card("order.list", "order.empty", "figure.product", "trade.side", "#trade.lots_head", "#trade.open_price", "#trade.current", "#trade.profit_unit", "#trade.stop_loss", "#trade.take_profit")
	for _, p := range list {
		product, at, profit := s.product(p.ProductID), ui.Cell{Text: unknown, Muted: true}, ui.Cell{Text: unknown, Muted: true}
		if p.now != nil {
			at, profit = ui.Cell{Text: price(product, p.now.Price)}, m.floatingCell(p.now.Profit)
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: product.Symbol, Strong: true}, {Text: m.say("trade." + string(p.Side))}, {Text: m.figures.Lots(p.Lots)}, {Text: price(product, p.OpenPrice)}, at, profit,
			maybePrice(product, p.StopLoss), maybePrice(product, p.TakeProfit),
		}})
	}
	return card
}

func (s Services) mirrorOrders(m mirror, list []trading.Order) tradeview.Card {
	card := m.card("waiting.list", "waiting.empty", "figure.product", "trade.kind", "#trade.lots_head", "#trade.price", "#waiting.limit_price", "#trade.stop_loss", "#trade.take_profit", "#waiting.placed_at")
	for _, o := range list {
		product := s.product(o.ProductID)
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: slices.Concat([]ui.Cell{
			{Text: product.Symbol, Strong: true}, {Text: m.say("trade.waiting." + string(o.Side) + "_" + string(o.Type))}, {Text: m.figures.Lots(o.Lots)},
			maybePrice(product, o.Price), maybePrice(product, o.LimitPrice),
		}, s.protection(o), []ui.Cell{m.when(o.CreatedAt)})})
	}
	return card
}

// movements are the last entries of an account: deposits, withdrawals, transfers, conversions and results.
func (m mirror) movements(a ledger.Account, lines []ledger.Line) tradeview.Card {
	card := m.card("ledger.title", "ledger.empty", "trade.time", "ledger.filter.kind", "#deposit.amount.label")
	for _, l := range lines {
		kind := "ledger.kind." + l.Kind
		if m.say(kind) == kind {
			kind = "ledger.kind.other"
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{m.when(l.At), {Text: m.say(kind)}, {Text: m.figures.SignedCoins(l.Amount, a.ScaleOf()) + " " + a.Currency}}})
	}
	return card
}

// mirrorTrader is what the trader sees beside the accounts: funding accounts, deposits, withdrawals, messages and notices.
func (s Services) mirrorTrader(m mirror) (cards []tradeview.Card, err error) {
	if len(m.funding) > 0 {
		kept := m.card("wallet.account.funding", "ledger.empty", "session.account", "#wallet.balance")
		for _, a := range m.funding {
			kept.Table.Rows = append(kept.Table.Rows, ui.GridRow{Cells: []ui.Cell{{Text: a.Currency, Strong: true}, {Text: m.figures.Full(a.Cash, a.ScaleOf())}}})
		}
		cards = append(cards, kept)
	}
	deposits, _, err := s.Deposits.List(m.ctx, m.trader.ID, deposit.Filter{Limit: mirrorRows})
	if err != nil {
		return nil, err
	}
	withdrawals, _, err := s.Withdrawals.List(m.ctx, m.trader.ID, withdrawal.Filter{Limit: mirrorRows})
	if err != nil {
		return nil, err
	}
	messages, _, err := s.Notices.Messages(m.ctx, m.trader.ID, nil, 0, 0, mirrorRows)
	if err != nil {
		return nil, err
	}
	viewer := notice.Viewer{Viewer: switches.Viewer{Country: m.trader.Country, Language: m.trader.Language, Platform: appPlatform}, TraderID: m.trader.ID, Guest: m.trader.Guest()}
	published, _, err := s.Notices.List(m.ctx, viewer, notice.ListFilter{Kind: notice.Notice, Limit: mirrorRows})
	return append(cards, m.deposits(deposits), m.withdrawals(withdrawals), m.messages(messages), m.notices(published)), err
}

// appPlatform is the app in a browser, as it names itself.
const appPlatform = "1"

func (m mirror) deposits(list []deposit.Deposit) tradeview.Card {
	card := m.card("deposit.title", "deposit.history.empty", "trade.time", "deposit.title", "#deposit.amount.label")
	for _, d := range list {
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			m.when(d.CreatedAt), {Text: d.Number(), Ident: true, Note: m.stateWord("deposit", string(d.State), d.Reason)}, {Text: m.figures.Sum(d.Amount, d.Currency)},
		}})
	}
	return card
}

func (m mirror) withdrawals(list []withdrawal.Withdrawal) tradeview.Card {
	card := m.card("withdraw.title", "withdraw.history.empty", "trade.time", "withdraw.title", "#deposit.amount.label")
	for _, w := range list {
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			m.when(w.CreatedAt), {Text: w.Number(), Ident: true, Note: m.stateWord("withdraw", string(w.State), w.Reason)}, {Text: m.figures.Sum(w.Amount, w.Currency)},
		}})
	}
	return card
}

// stateWord is the state of a deposit or a withdrawal with its public reason. Where the app has no name for the state, it is left out.
func (m mirror) stateWord(kind, state string, reason *string) string {
	key := kind + ".state." + state + ".name"
	word := m.say(key)
	if word == key {
		return ""
	}
	if reason == nil || *reason == "" {
		return word
	}
	key = kind + ".reason." + *reason
	why := m.say(key)
	if why == key {
		why = m.say(kind + ".reason.other")
	}
	return word + ": " + why
}

func (m mirror) messages(list []notice.Message) tradeview.Card {
	card := m.card("notice.tab.messages", "notice.empty_group.all", "trade.time", "notice.tab.messages")
	for _, one := range list {
		args := []any{}
		for name, value := range one.Args {
			args = append(args, name, m.argument(name, value))
		}
		title, body := m.say(one.Key+".subject", args...), m.say(one.Key+".body", args...)
		if title == one.Key+".subject" {
			title, body = m.say("notice.message.unknown"), ""
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{m.when(one.At), {Text: title, Note: strings.Join(strings.Fields(body), " "), Wrap: true, Strong: one.ReadAt == nil}}})
	}
	return card
}

func (m mirror) notices(list []notice.Published) tradeview.Card {
	card := m.card("notice.tab.notices", "notice.empty", "trade.time", "notice.tab.notices")
	for _, one := range list {
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{m.when(one.LiveAt), {Text: one.Title, Note: one.Summary, Wrap: true, Strong: !one.Read}}})
	}
	return card
}

var (
	innerText = regexp.MustCompile(`\{\{([\w.-]+)\}\}`)
	someMoney = regexp.MustCompile(`^([+-]?)(\d+)((?:\.\d+)?) ([A-Z][A-Z0-9]{1,9})$`)
)

// argument is an argument of a message: an amount as the member may read it, a volume, or words with the app's texts in them.
func (m mirror) argument(name, value string) string {
	if name == "lots" {
		if lots, err := money.Parse(value, money.Scale); err == nil {
			return m.figures.Lots(lots)
		}
	}
	if part := someMoney.FindStringSubmatch(value); part != nil {
		return m.amount(part[1], part[2], part[3]) + " " + part[4]
	}
	return innerText.ReplaceAllStringFunc(value, func(found string) string { return m.say(strings.Trim(found, "{}")) })
}

// amount writes an amount of a message from its sign, its whole part and its decimals.
func (m mirror) amount(sign, whole, decimals string) string {
	if m.figures.Exact() {
		return ui.Decimal(strings.Trim(sign, "+") + whole + decimals)
	}
	units, err := money.Parse(whole, 0)
	if err != nil {
		return unknown
	}
	if units == 0 && strings.Trim(decimals, ".0") != "" {
		units = 1 // of the lowest band
	}
	if sign == "-" {
		units = -units
	}
	return m.figures.Coins(units, 0)
}
