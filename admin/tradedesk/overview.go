package tradedesk

import (
	"errors"
	"slices"
	"strconv"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/money"
	"candor/app/trading"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

const lastFew = 5

// overview shows a trader's accounts and positions, the last deposits and the last logins.
func (s Services) overview(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	now, err := s.live(sub)
	if err != nil {
		return err
	}
	last, _, err := s.Deposits.List(sub.ctx, sub.trader.ID, deposit.Filter{Limit: lastFew})
	if err != nil {
		return err
	}
	logins, _, err := s.Audit.List(sub.ctx, audit.Filter{TargetKind: "trader", TargetID: strconv.FormatInt(sub.trader.ID, 10), Action: "trader.login", Limit: lastFew})
	if err != nil {
		return err
	}
	out, err := s.outCards(sub)
	if err != nil {
		return err
	}
	restricted, err := s.restrictionCard(sub)
	if err != nil {
		return err
	}
	terms, err := s.termsCard(sub)
	if err != nil {
		return err
	}
	scored, err := s.scoreCard(sub)
	if err != nil {
		return err
	}
	frame, err := s.tabFrame(r, sub, "overview")
	if err != nil {
		return err
	}
	cards := slices.Concat(restricted, []tradeview.Card{sub.lastDeposits(last), out[0], out[1], sub.logins(logins)}, scored, terms)
	return r.Show(tradeview.Overview(r.Page(frame.Number, navItem), frame, now, cards))
}

// valuation answers the page's polling, every few seconds, with the values that depend on prices.
func (s Services) valuation(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	now, err := s.live(sub)
	if err != nil {
		return err
	}
	return r.Show(tradeview.Refresh(now))
}

// valued is an account with its value, unless a price is missing, and its money under way.
type valued struct {
	trading.Valuation
	unpriced bool
	underWay int64
}

// live values every account at the newest quotes.
func (s Services) live(sub subject) (tradeview.Live, error) {
	v := tradeview.Live{Refresh: ui.HX{Get: sub.path("valuation"), Trigger: ui.Each5s, Target: ui.TargetThis, Swap: ui.SwapMorph}}
	var all []valued
	for _, a := range sub.accounts {
		worth, err := s.Trading.Value(sub.ctx, a.ID)
		unpriced := isUnpriced(err)
		if err != nil && !unpriced {
			return v, err
		}
		if unpriced {
			worth.Account, v.Alert = a, sub.t("trader.unpriced")
		}
		underWay, err := s.Withdrawals.UnderWayFrom(sub.ctx, sub.trader.ID, a.ID)
		if err != nil {
			return v, err
		}
		all = append(all, valued{worth, unpriced, underWay})
	}
	if len(all) > 0 {
		v.Sums = sub.sums(all[0])
	}
	v.Cards = []tradeview.Card{sub.accountCard(all)}
	if len(sub.funding) > 0 {
		v.Cards = append(v.Cards, sub.fundingCard())
	}
	v.Cards = append(v.Cards, s.positionCard(sub, all))
	return v, nil
}

// isUnpriced reports whether an account has no value because a price or rate is missing, or because its sums exceed the range of money.
func isUnpriced(err error) bool {
	return errors.Is(err, market.ErrProduct) || errors.Is(err, market.ErrNoPrice) || errors.Is(err, trading.ErrConversion) || errors.Is(err, trading.ErrTooLarge)
}

// unknown is shown for an unknown figure.
const unknown = "—"

func (pc pageContext) worth(a valued, value int64) string {
	if a.unpriced {
		return unknown
	}
	return pc.figures.Rounded(value)
}

func (a valued) level() string {
	if a.unpriced || a.Used == 0 {
		return unknown
	}
	return ui.Percent(money.Format(a.Level, 2))
}

// sums are the figures of the first account, the real one.
func (pc pageContext) sums(a valued) []ui.StatView {
	profit := ui.StatView{Label: pc.t("trader.sum.profit"), Value: unknown}
	if !a.unpriced {
		profit.Value, profit.Price = pc.figures.SignedRounded(a.Floating), ui.SideOf(a.Floating)
	}
	return []ui.StatView{
		{Label: pc.t("trader.sum.equity", "account", pc.accountName(a.Account)), Value: pc.worth(a, a.Equity)},
		{Label: pc.t("trader.sum.free"), Value: pc.worth(a, a.Free)},
		{Label: pc.t("trader.sum.level"), Value: a.level()},
		{Label: pc.t("trader.sum.under_way"), Value: pc.figures.Rounded(a.underWay)},
		profit,
	}
}

func (sub subject) accountCard(all []valued) tradeview.Card {
	card := tradeview.Card{
		Title: sub.t("trader.accounts"), Note: ledger.Currency,
		Table: ui.GridView{Caption: sub.t("trader.accounts"), Empty: sub.t("trader.accounts.none"), Columns: sub.columns(
			"account", "type", "#cash", "#bonus", "#under_way", "#deficit", "#used", "#equity", "#margin_level")},
	}
	for _, a := range all {
		account := a.Account
		name := ui.Cell{Text: strconv.FormatInt(account.ID, 10), Ident: true, Strong: true}
		if account.Name != "" || !account.Main() {
			name.Note = sub.shortName(account)
		}
		kind := ui.Cell{Text: sub.kind(account.Type), Note: sub.rules(account), Muted: true}
		if account.Mock() {
			kind.Chips = []ui.ChipView{{Tone: ui.ToneDemo, Label: sub.t("trader.demo")}}
		}
		underWay := sub.held(a.underWay)
		if a.underWay != 0 {
			underWay.Href = sub.path("funds").String()
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			name, kind, sub.held(account.Cash), sub.held(account.Bonus), underWay, sub.held(account.Debt()),
			{Text: sub.worth(a, a.Used)}, {Text: sub.worth(a, a.Equity), Strong: true}, {Text: a.level()},
		}})
	}
	return card
}

// held is a sum beside values that move with the prices: with two decimals as they have, and with all of them on hover.
func (pc pageContext) held(value int64) ui.Cell {
	return ui.Cell{Text: pc.figures.Rounded(value), Title: pc.figures.Full(value, money.Scale)}
}

// fundingCard shows the funding accounts, each sum in its own currency.
func (sub subject) fundingCard() tradeview.Card {
	card := tradeview.Card{
		Title: sub.t("trader.kept"), Side: sub.t("trader.kept.note"),
		Table: ui.GridView{Caption: sub.t("trader.kept"), Columns: sub.columns("account", "currency", "#cash")},
	}
	for _, a := range sub.funding {
		number := strconv.FormatInt(a.ID, 10)
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: number, Ident: true, Strong: true, Href: sub.path("funds").With("account", a.ID).String()}, {Text: a.Currency},
			{Text: sub.figures.Full(a.Cash, a.ScaleOf()), Strong: true},
		}})
	}
	return card
}

// columns makes column heads from their keys; "#" marks a numeric one.
func (pc pageContext) columns(keys ...string) []ui.Column {
	out := make([]ui.Column, len(keys))
	for i, key := range keys {
		numeric := key[0] == '#'
		if numeric {
			key = key[1:]
		}
		out[i] = ui.Column{Label: pc.t("trader.column." + key), Numeric: numeric}
	}
	return out
}

func (s Services) positionCard(sub subject, all []valued) tradeview.Card {
	card := tradeview.Card{
		Title: sub.t("trader.positions"), Side: sub.t("trader.positions.readonly"),
		Table: ui.GridView{Caption: sub.t("trader.positions"), Empty: sub.t("trader.positions.none"), Columns: sub.columns(
			"position", "account", "product", "side", "#lots", "#open", "#now", "#margin", "#profit", "#opened")},
	}
	for _, a := range all {
		for _, p := range a.Positions {
			card.Table.Rows = append(card.Table.Rows, s.openRow(sub, a.Account, p))
		}
	}
	card.Note = strconv.Itoa(len(card.Table.Rows))
	return card
}

func (s Services) openRow(sub subject, a ledger.Account, p trading.Valued) ui.GridRow {
	product := s.product(p.ProductID)
	return ui.GridRow{Cells: []ui.Cell{
		sub.positionCell(a.ID, p.ID), {Text: sub.accountName(a), Muted: true}, {Text: product.Symbol, Strong: true}, {Text: sub.side(p.Side)}, {Text: sub.figures.Lots(p.Lots)},
		{Text: price(product, p.OpenPrice)}, {Text: price(product, p.Price)}, {Text: sub.figures.Rounded(p.Margin)}, sub.floatingCell(p.Profit), sub.when(p.OpenedAt),
	}}
}

// positionCell links to a position.
func (sub subject) positionCell(accountID, positionID int64) ui.Cell {
	return ui.Cell{Text: number(positionID), Ident: true, Href: sub.path("positions", number(positionID)).With("account", accountID).String()}
}

func (pc pageContext) side(s trading.Side) string { return pc.t("trader.side." + string(s)) }

// profitCell is a settled profit or loss, with every decimal.
func (pc pageContext) profitCell(value int64) ui.Cell {
	return ui.Cell{Text: pc.figures.SignedFull(value, money.Scale), Price: ui.SideOf(value), Priced: true}
}

// floatingCell is a profit or loss that moves with the prices.
func (pc pageContext) floatingCell(value int64) ui.Cell {
	return ui.Cell{Text: pc.figures.SignedRounded(value), Price: ui.SideOf(value), Priced: true}
}

// product is a product by its id. An unknown one gets its number as symbol.
func (s Services) product(id int) market.Product {
	p, err := s.Market.Product(id)
	if err != nil {
		return market.Product{ID: id, Symbol: "#" + strconv.Itoa(id)}
	}
	return p
}

func price(p market.Product, value int64) string { return ui.Decimal(p.FormatPrice(value)) }

func (sub subject) lastDeposits(list []deposit.Deposit) tradeview.Card {
	card := sub.depositCard(list)
	card.Half = true
	card.End = &ui.ButtonView{Label: sub.t("trader.all"), Size: ui.Tiny, Kind: ui.Ghost, IconEnd: ui.IconChevronEnd, Href: sub.path("funds").String()}
	return card
}

func (sub subject) logins(entries []audit.Entry) tradeview.Card {
	card := tradeview.Card{
		Title: sub.t("trader.logins"), Half: true,
		End:   &ui.ButtonView{Label: sub.t("trader.tab.devices"), Size: ui.Tiny, Kind: ui.Ghost, IconEnd: ui.IconChevronEnd, Href: sub.path("devices").String()},
		Table: ui.GridView{Caption: sub.t("trader.logins"), Empty: sub.t("trader.logins.none"), Columns: sub.columns("from", "#when")},
	}
	for _, e := range entries {
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{{Text: someIP(e.IP), Ident: true}, sub.when(e.At)}})
	}
	return card
}
