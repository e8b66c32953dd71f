package tradedesk

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/wallet"
	"candor/app/withdrawal"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// funds shows an account's ledger entries, each with its cause, and the trader's deposits.
func (s Services) funds(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	tab := tradeview.Tab{Line: sub.t("trader.funds.line")}
	all := slices.Concat(sub.accounts, sub.funding)
	if account, found := account(r, all); found {
		tab.Accounts = sub.choice(account, all, "funds")
		card, err := s.ledgerCard(r, sub, account)
		if err != nil {
			return err
		}
		tab.Cards = append(tab.Cards, card)
	}
	list, _, err := s.Deposits.List(sub.ctx, sub.trader.ID, deposit.Filter{Limit: rowsOfTab})
	if err != nil {
		return err
	}
	out, _, err := s.Withdrawals.List(sub.ctx, sub.trader.ID, withdrawal.Filter{Limit: rowsOfTab})
	if err != nil {
		return err
	}
	tab.Cards = append(tab.Cards, sub.depositCard(list), sub.withdrawalCard(out))
	frame, err := s.tabFrame(r, sub, "funds")
	if err != nil {
		return err
	}
	return r.Show(tradeview.TabPage(r.Page(frame.Number, navItem), frame, tab))
}

func (s Services) ledgerCard(r *desk.Request, sub subject, a ledger.Account) (tradeview.Card, error) {
	before := keyset(r, "before")
	lines, next, err := ledger.Statement(sub.ctx, s.Ledger, a.ID, ledger.StatementFilter{Before: before, Limit: pageSize})
	if err != nil {
		return tradeview.Card{}, err
	}
	var orders []int64
	for _, l := range lines {
		if kind, id := cause(l); kind == "order" {
			orders = append(orders, id)
		}
	}
	positions, err := s.Trading.PositionsOf(sub.ctx, a.ID, orders)
	if err != nil {
		return tradeview.Card{}, err
	}
	card := tradeview.Card{
		Title: sub.t("trader.ledger"), Note: a.Currency, Side: sub.t("trader.ledger.note"),
		Table: ui.GridView{Caption: sub.t("trader.ledger"), Empty: sub.t("trader.ledger.none"), Columns: sub.columns("entry", "#when", "what", "cause", "bucket", "#amount")},
		Pages: turn(sub.path("funds"), url.Values{"account": {strconv.FormatInt(a.ID, 10)}}, "before", before, next),
	}
	if !a.Mock() && r.May(access.AdjustmentAsk) {
		card.End = &ui.ButtonView{Label: sub.t("adjustment.ask.open"), Size: ui.Tiny, Kind: ui.Ghost, Icon: ui.IconSwap, HX: ui.OpenDialog(sub.path("adjustment"))}
	}
	for _, l := range lines {
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: strconv.FormatInt(l.ID, 10), Ident: true}, sub.when(l.At), {Text: sub.kindOf(l.Kind)}, sub.causeCell(a.ID, l, positions),
			{Text: sub.t("trader.bucket." + string(l.Bucket)), Muted: true}, {Text: sub.figures.SignedCoins(l.Amount, a.ScaleOf()), Strong: true},
		}})
	}
	return card, nil
}

// kindOf is the name of a kind of ledger transaction.
func (pc pageContext) kindOf(kind string) string {
	key := "trader.kind." + kind
	if words := pc.t(key); words != key {
		return words
	}
	return kind
}

// cause parses the cause of an entry: "deposit:50001" is a deposit and its id.
func cause(l ledger.Line) (kind string, id int64) {
	kind, text, _ := strings.Cut(l.Cause, ":")
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return "", 0
	}
	return kind, id
}

// causeCell links to the cause of an entry, if the member may view it.
func (sub subject) causeCell(accountID int64, l ledger.Line, positions map[int64]int64) ui.Cell {
	kind, id := cause(l)
	switch {
	case kind == "deposit":
		cell := ui.Cell{Text: deposit.Deposit{ID: id}.Number(), Ident: true}
		if sub.deposits {
			cell.Href = ui.To("/admin/deposits/{}", id).String()
		}
		return cell
	case kind == "adjustment":
		cell := ui.Cell{Text: adjustment.Number(id), Ident: true}
		if sub.adjustments {
			cell.Href = ui.To("/admin/adjustments/{}", id).String()
		}
		return cell
	case kind == "order" && positions[id] != 0:
		cell := sub.positionCell(accountID, positions[id])
		cell.Text = sub.t("trader.cause.order", "id", id)
		return cell
	case kind == "transfer":
		return ui.Cell{Text: wallet.Transfer{ID: id}.Number(), Ident: true}
	case kind == "exchange":
		return ui.Cell{Text: wallet.Exchange{ID: id}.Number(), Ident: true}
	case kind == "account":
		return ui.Cell{Text: sub.t("trader.cause.account", "id", id)}
	default:
		return ui.Cell{Text: l.Cause, Ident: true}
	}
}

func (sub subject) depositCard(list []deposit.Deposit) tradeview.Card {
	card := tradeview.Card{
		Title: sub.t("trader.deposits"),
		Table: ui.GridView{Caption: sub.t("trader.deposits"), Empty: sub.t("trader.deposits.none"), Columns: sub.columns("deposit", "#asked", "#announced", "#received", "state")},
	}
	for _, d := range list {
		name := ui.Cell{Text: d.Number(), Ident: true, Strong: true}
		if sub.deposits {
			name.Href = ui.To("/admin/deposits/{}", d.ID).String()
		}
		received := ui.Cell{Text: unknown}
		if d.Received != nil {
			received.Text = sub.figures.Amount(*d.Received)
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			name, sub.when(d.CreatedAt), {Text: sub.figures.Sum(d.Amount, d.Currency)}, received, {Chips: []ui.ChipView{sub.depositState(d.State)}},
		}})
	}
	return card
}

func (pc pageContext) depositState(state deposit.State) ui.ChipView {
	chip := ui.ChipView{Label: pc.t("deposit.chip." + string(state)), Icon: ui.IconClock}
	switch state {
	case deposit.Credited:
		chip.Tone, chip.Icon = ui.ToneSuccess, ui.IconCheck
	case deposit.Rejected:
		chip.Tone, chip.Icon = ui.ToneError, ui.IconClose
	case deposit.Approved:
		chip.Tone, chip.Icon = ui.ToneWarning, ui.IconPeople
	default:
	}
	return chip
}
