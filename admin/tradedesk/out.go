package tradedesk

import (
	"candor/admin/access"
	"candor/app/payee"
	"candor/app/withdrawal"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// outCards show a trader's last withdrawals and payees.
func (s Services) outCards(sub subject) ([2]tradeview.Card, error) {
	list, _, err := s.Withdrawals.List(sub.ctx, sub.trader.ID, withdrawal.Filter{Limit: lastFew})
	if err != nil {
		return [2]tradeview.Card{}, err
	}
	payees, err := s.Payees.Living(sub.ctx, sub.trader.ID)
	if err != nil {
		return [2]tradeview.Card{}, err
	}
	last := sub.withdrawalCard(list)
	last.Half = true
	last.End = &ui.ButtonView{Label: sub.t("trader.all"), Size: ui.Tiny, Kind: ui.Ghost, IconEnd: ui.IconChevronEnd, Href: sub.path("funds").String()}
	return [2]tradeview.Card{last, sub.payeeCard(payees)}, nil
}

// withdrawalCard lists withdrawals, with links to the cases if the member may view them.
func (sub subject) withdrawalCard(list []withdrawal.Withdrawal) tradeview.Card {
	card := tradeview.Card{
		Title: sub.t("trader.withdrawals"),
		Table: ui.GridView{Caption: sub.t("trader.withdrawals"), Empty: sub.t("trader.withdrawals.none"), Columns: sub.columns("withdrawal", "#asked", "#amount", "state")},
	}
	for _, w := range list {
		name := ui.Cell{Text: w.Number(), Ident: true, Strong: true}
		if sub.may(access.WithdrawalView) {
			name.Href = ui.To("/admin/withdrawals/{}", w.ID).String()
		}
		chip := ui.ChipView{Icon: ui.IconClock, Label: sub.t("withdrawal.chip." + string(w.State))}
		switch {
		case w.State == withdrawal.Completed:
			chip.Tone, chip.Icon = ui.ToneSuccess, ui.IconCheck
		case w.State == withdrawal.Frozen || w.State == withdrawal.OutcomeUnknown:
			chip.Tone, chip.Icon = ui.ToneError, ui.IconLock
		case w.Ended():
			chip.Icon = ui.IconClose
		}
		amount := ui.Cell{Text: sub.figures.Sum(w.Amount, w.Currency)}
		if w.Confirmable() && sub.may(access.WithdrawalConfirm) && *w.SentBy != sub.me { // who reads it at the bank
			amount = ui.Cell{Text: "—", Muted: true}
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			name, sub.when(w.CreatedAt), amount, {Chips: []ui.ChipView{chip}},
		}})
	}
	return card
}

// payeeCard lists a trader's payees, with the middle of each account hidden.
func (sub subject) payeeCard(list []payee.Payee) tradeview.Card {
	card := tradeview.Card{
		Title: sub.t("trader.payees"), Half: true,
		Table: ui.GridView{Caption: sub.t("trader.payees"), Empty: sub.t("trader.payees.none"), Columns: sub.columns("payee", "where", "#saved", "state")},
	}
	for _, p := range list {
		where := p.Bank
		if p.Kind == payee.OnChain {
			where = p.Coin + ", " + payee.ChainName(p.Chain)
		}
		chip := sub.payeeChip(p)
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: p.Short(), Ident: true, Strong: true}, {Text: where, Muted: true, Wrap: true}, sub.when(p.CreatedAt), {Chips: []ui.ChipView{chip}},
		}})
	}
	return card
}
