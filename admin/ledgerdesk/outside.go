package ledgerdesk

import (
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/banking"
	"candor/templates/ui"
)

// outside compares the books of each bank account with its bank; nil where there is none, or for a role that may not see statements.
func (s Services) outside(r *desk.Request) (*ui.GridView, error) {
	if s.Banking == nil || !r.May(access.StatementView) {
		return nil, nil
	}
	accounts, err := s.Banking.Accounts(ctxOf(r))
	if err != nil {
		return nil, err
	}
	balances, err := s.Banking.Balances(ctxOf(r))
	if err != nil {
		return nil, err
	}
	view := &ui.GridView{Caption: word(r, "reconciliation.outside"), Empty: word(r, "reconciliation.outside.none")}
	for _, c := range []ui.Column{
		{Label: "account"}, {Label: "number"}, {Label: "currency"}, {Label: "books", Numeric: true}, {Label: "statement", Numeric: true}, {Label: "difference", Numeric: true}, {Label: "of"}, {Label: "state"},
	} {
		view.Columns = append(view.Columns, ui.Column{Label: word(r, "reconciliation.outside."+c.Label), Numeric: c.Numeric})
	}
	for _, a := range accounts {
		if b, there := balances[a.ID]; a.Open || there {
			view.Rows = append(view.Rows, outsideRow(r, a, b, there))
		}
	}
	return view, nil
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
		ui.Cell{Text: ui.Day(b.Statement.LastDay, time.UTC)}, ui.Cell{Chips: []ui.ChipView{chip}},
	)
	return row
}
