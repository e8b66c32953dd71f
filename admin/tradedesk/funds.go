package tradedesk

import (
	"slices"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/adjustment"
	"candor/app/bonus"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/wallet"
	"candor/app/withdrawal"
	"candor/templates/caseview"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// ledgerKinds are the kinds of ledger transactions of traders, as the filter offers them.
var ledgerKinds = []string{
	"deposit", "deposit_reversed", "withdrawal", "withdrawal_returned", "withdrawal_bounced", "trade_open", "trade_close", "swap", "dividend", "adjustment", "transfer", "exchange",
	"negative_balance_protection", "rebate", "rebate_reversed", "bonus_granted", "bonus_expired", "bonus_taken_back", "bonus_given_up", "mock_top_up",
}

// ledgerList declares the entries of an account, each with its cause and with what its bucket held after it.
func (s Services) ledgerList() caseengine.List[ledger.Line] {
	return caseengine.List[ledger.Line]{
		Name: "ledger", Letters: "entry-", Texts: "trader.ledger", View: access.TraderView, Newest: true, Audit: s.Audit,
		Part:    &caseengine.Part{Path: "/traders/:id/funds", Show: s.showFunds, Export: exported("trader.export_ledger")},
		Filters: []caseengine.Filter{caseengine.Fixed("account"), worded("kind", "trader.kind.", ledgerKinds), caseengine.Day("from"), caseengine.Day("to")},
		Columns: heads("entry", "#when", "what", "cause", "bucket", "#amount", "#balance"),
		ID:      func(l ledger.Line) int64 { return l.ID },
		Find:    s.ledgerLines, Rows: s.ledgerRows,
		File: caseengine.File[ledger.Line]{
			Permission: access.TraderExport, Columns: []string{"entry", "time", "kind", "cause", "bucket", "amount", "balance_after", "currency", "account"}, Cells: s.ledgerCells,
		},
	}
}

// fundsAccount is the account in the address, of all that the trader has.
func (sub subject) fundsAccount(r *desk.Request) (ledger.Account, bool) {
	return account(r, slices.Concat(sub.accounts, sub.funding))
}

func (s Services) ledgerLines(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) ([]ledger.Line, caseengine.Cursor, error) {
	sub, err := s.subject(r)
	if err != nil {
		return nil, caseengine.Cursor{}, err
	}
	a, found := sub.fundsAccount(r)
	if !found {
		return nil, caseengine.Cursor{}, nil
	}
	f := ledger.StatementFilter{Kind: sel.Value("kind"), Before: after.ID, Limit: limit}
	f.From, f.To = sel.Days(r.Zone())
	lines, next, err := ledger.Statement(sub.ctx, s.Ledger, a.ID, f)
	return lines, caseengine.Cursor{ID: next}, err
}

// ledgerRows shows entries. One with too many newer entries has no balance after it: counting back to it would cost more than a page may.
func (s Services) ledgerRows(r *desk.Request, lines []ledger.Line) ([]caseengine.Row, error) {
	sub, err := s.subject(r)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	a, _ := sub.fundsAccount(r)
	held, err := ledger.BalancesAfter(sub.ctx, s.Ledger, a.ID, lines)
	if err != nil {
		return nil, err
	}
	positions, err := s.Trading.PositionsOf(sub.ctx, a.ID, ordersOf(lines))
	rows := make([]caseengine.Row, len(lines))
	for i, l := range lines {
		balance := ui.Cell{Text: unknown, Muted: true}
		if after, known := held[l.ID]; known {
			balance = ui.Cell{Text: sub.figures.Full(after, a.ScaleOf())}
		}
		rows[i].Cells = []ui.Cell{
			{Text: number(l.ID), Ident: true}, {Text: sub.dated(l.At), Title: ui.Stamp(l.At), Muted: true}, {Text: sub.kindOf(l.Kind)}, sub.causeCell(a.ID, l, positions),
			{Text: sub.t("trader.bucket." + string(l.Bucket)), Muted: true}, {Text: sub.figures.SignedFull(l.Amount, a.ScaleOf()), Strong: true}, balance,
		}
	}
	return rows, err
}

// ordersOf are the orders that caused entries.
func ordersOf(lines []ledger.Line) (orders []int64) {
	for _, l := range lines {
		if kind, id := cause(l); kind == "order" {
			orders = append(orders, id)
		}
	}
	return orders
}

// ledgerCells are entries as rows of a file.
func (s Services) ledgerCells(r *desk.Request, lines []ledger.Line) ([][]string, error) {
	sub, err := s.subject(r)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	a, _ := sub.fundsAccount(r)
	held, err := ledger.BalancesAfter(sub.ctx, s.Ledger, a.ID, lines)
	rows := make([][]string, len(lines))
	for i, l := range lines {
		after := ""
		if balance, known := held[l.ID]; known {
			after = sub.figures.PlainCoins(balance, a.ScaleOf())
		}
		rows[i] = []string{number(l.ID), stamp(l.At), l.Kind, l.Cause, string(l.Bucket), sub.figures.PlainCoins(l.Amount, a.ScaleOf()), after, a.Currency, number(a.ID)}
	}
	return rows, err
}

// showFunds shows an account's ledger, the trader's deposits and withdrawals, and the form for a statement.
func (s Services) showFunds(r *desk.Request, q caseview.Queue) error {
	sub, err := s.subject(r)
	if err != nil {
		return err
	}
	tab := tradeview.Tab{Line: sub.t("trader.funds.line"), List: &q}
	if a, found := sub.fundsAccount(r); found {
		tab.Accounts = sub.choice(a, slices.Concat(sub.accounts, sub.funding), "funds")
		if !a.Mock() && r.May(access.AdjustmentAsk) {
			tab.Acts = append(tab.Acts, ui.ButtonView{Label: sub.t("adjustment.ask.open"), Size: ui.Small, Icon: ui.IconSwap, HX: ui.OpenDialog(sub.path("adjustment"))})
		}
	}
	if !sub.trader.Guest() && r.May(access.TraderExport) && sub.figures.Exact() {
		tab.Acts = append(tab.Acts, ui.ButtonView{Label: sub.t("trader.statement.open"), Size: ui.Small, Icon: ui.IconDownload, HX: ui.OpenDialog(sub.path("statement"))})
	}
	list, _, err := s.Deposits.List(sub.ctx, sub.trader.ID, deposit.Filter{Limit: rowsOfTab})
	if err != nil {
		return err
	}
	out, _, err := s.Withdrawals.List(sub.ctx, sub.trader.ID, withdrawal.Filter{Limit: rowsOfTab})
	if err != nil {
		return err
	}
	bonuses, err := s.bonusCard(sub)
	if err != nil {
		return err
	}
	tab.Cards = append(append(tab.Cards, sub.depositCard(list), sub.withdrawalCard(out)), bonuses...)
	frame, err := s.tabFrame(r, sub, "funds")
	if err != nil {
		return err
	}
	return r.Show(tradeview.TabPage(r.Page(frame.Number, navItem), frame, tab))
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
	case kind == "withdrawal":
		cell := ui.Cell{Text: withdrawal.Withdrawal{ID: id}.Number(), Ident: true}
		if sub.may(access.WithdrawalView) {
			cell.Href = ui.To("/admin/withdrawals/{}", id).String()
		}
		return cell
	case kind == "position":
		cell := sub.positionCell(accountID, id)
		cell.Text = sub.t("trader.position", "id", id)
		return cell
	case kind == "order" && positions[id] != 0:
		cell := sub.positionCell(accountID, positions[id])
		cell.Text = sub.t("trader.cause.order", "id", id)
		return cell
	case kind == "bonus":
		return ui.Cell{Text: bonus.Number(id), Ident: true}
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
