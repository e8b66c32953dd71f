package ledgerdesk

import (
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/banking"
	"candor/templates/ui"
)

// outside compares what traders are owed with what is held for them, and the books of each bank account with its bank; nil where there is none, or for a role
// that may not see statements.
func (s Services) outside(r *desk.Request) (clients, banks *ui.GridView, err error) {
	if s.Banking == nil || !r.May(access.StatementView) {
		return nil, nil, nil
	}
	accounts, err := s.Banking.Accounts(ctxOf(r))
	if err != nil {
		return nil, nil, err
	}
	balances, err := s.Banking.Balances(ctxOf(r))
	if err != nil {
		return nil, nil, err
	}
	money, err := s.Banking.ClientMoney(ctxOf(r), accounts, balances)
	if err != nil {
		return nil, nil, err
	}
	clients = grid(r, "reconciliation.clients", "currency", "#cash", "#payouts", "#owed", "#banks", "#elsewhere", "#held", "#excess", "state")
	for _, m := range money {
		clients.Rows = append(clients.Rows, clientRow(r, m))
	}
	banks = grid(r, "reconciliation.outside", "account", "number", "currency", "#books", "#statement", "#difference", "of", "state")
	for _, a := range accounts {
		if b, there := balances[a.ID]; a.Open || there {
			banks.Rows = append(banks.Rows, outsideRow(r, a, b, there))
		}
	}
	return clients, banks, nil
}

// grid is a table with the texts of a key; "#" marks a numeric column.
func grid(r *desk.Request, key string, columns ...string) *ui.GridView {
	view := &ui.GridView{Caption: word(r, key), Empty: word(r, key+".none")}
	for _, name := range columns {
		name, numeric := strings.CutPrefix(name, "#")
		view.Columns = append(view.Columns, ui.Column{Label: word(r, key+"."+name), Numeric: numeric})
	}
	return view
}

// clientRow is what is owed and held in one currency. Less held than owed is a fault; a missing statement makes the sum uncertain.
func clientRow(r *desk.Request, m banking.ClientMoney) ui.GridRow {
	chip := ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: word(r, "reconciliation.clients.covered")}
	switch {
	case m.Unstated > 0:
		chip = ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: word(r, "reconciliation.clients.unstated", "count", m.Unstated)}
	case m.Excess() < 0:
		chip = ui.ChipView{Tone: ui.ToneError, Icon: ui.IconWarning, Label: word(r, "reconciliation.clients.short")}
	}
	sum := func(amount int64) ui.Cell { return ui.Cell{Text: ui.Coins(amount, m.Scale), Muted: amount == 0} }
	return ui.GridRow{Cells: []ui.Cell{
		{Text: m.Code, Strong: true}, sum(m.Cash), sum(m.Payouts), {Text: ui.Coins(m.Owed(), m.Scale), Strong: true},
		sum(m.Banks), sum(m.Elsewhere), {Text: ui.Coins(m.Held(), m.Scale), Strong: true},
		{Text: ui.SignedCoins(m.Excess(), m.Scale), Strong: m.Excess() < 0}, {Chips: []ui.ChipView{chip}},
	}}
}

func outsideRow(r *desk.Request, a banking.Account, b banking.Balance, there bool) ui.GridRow {
	row := ui.GridRow{Opens: ui.To("/admin/bank-accounts/{}", a.ID).String(), Cells: []ui.Cell{{Text: a.Name, Strong: true}, {Text: "…" + a.IBAN[max(0, len(a.IBAN)-4):], Ident: true}, {Text: a.Currency}}}
	if !there {
		none := ui.Cell{Text: "—", Muted: true}
		missing := ui.Cell{Chips: []ui.ChipView{{Tone: ui.ToneWarning, Icon: ui.IconWarning, Label: word(r, "reconciliation.outside.missing")}}}
		row.Cells = append(row.Cells, none, none, none, none, missing)
		return row
	}
	chip := ui.ChipView{Icon: ui.IconCheck, Label: word(r, "reconciliation.outside.agrees")}
	if b.Difference() != 0 {
		chip = ui.ChipView{Tone: ui.ToneError, Icon: ui.IconWarning, Label: word(r, "reconciliation.outside.differs")}
	}
	row.Cells = append(row.Cells,
		ui.Cell{Text: ui.Amount(b.Books)}, ui.Cell{Text: ui.Amount(b.Bank)}, ui.Cell{Text: ui.Signed(b.Difference()), Strong: b.Difference() != 0},
		ui.Cell{Text: r.Date(b.Statement.LastDay)}, ui.Cell{Chips: []ui.ChipView{chip}},
	)
	return row
}
