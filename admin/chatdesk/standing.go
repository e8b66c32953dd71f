package chatdesk

import (
	"errors"
	"slices"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/app/withdrawal"
	"candor/templates/chatview"
	"candor/templates/ui"
)

const mostWaiting = 100 // orders that are counted

// trading shows what a trader holds: positions, waiting orders, the equity of each real account, and the orders that ended without their trader's doing.
func (s Services) trading(r *desk.Request, id int64) ([]chatview.Card, error) {
	if !r.May(access.TraderView) {
		return nil, nil
	}
	accounts, err := ledger.ListAll(ctxOf(r), s.Ledger, id)
	if err != nil {
		return nil, err
	}
	several := slices.ContainsFunc(accounts, func(a ledger.Account) bool { return !a.Mock() && !a.Main() })
	card, failed := chatview.Card{Title: r.Word("chat.trading")}, chatview.Card{Title: r.Word("chat.unfilled")}
	for _, a := range accounts {
		if a.Mock() || a.Kind != ledger.Contract {
			continue
		}
		facts, err := s.standing(r, a)
		if err != nil {
			return nil, err
		}
		if several || a.Name != "" {
			card.Facts = append(card.Facts, ui.Fact{Label: r.Word("chat.fact.account"), Value: accountName(r, a), Note: number(a.ID)})
		}
		card.Facts = append(card.Facts, facts...)
		ended, _, err := s.Trading.Orders(ctxOf(r), a.ID, engine.OrderFilter{Group: engine.UnfilledOrders, Limit: 20})
		if err != nil {
			return nil, err
		}
		for _, o := range ended {
			if o.Reason == nil || *o.Reason == trading.ByTrader || *o.Reason == trading.OtherEnded || o.EndedAt == nil || len(failed.Steps) == few {
				continue
			}
			failed.Steps = append(failed.Steps, ui.StepView{
				Text: r.Word("chat.order", "number", o.ID), Note: r.Word("trader.order.ended." + string(*o.Reason)), Time: at(r, *o.EndedAt), UTC: ui.Stamp(*o.EndedAt),
				Href: ui.To("/admin/traders/{}/orders", id).String(),
			})
		}
	}
	var cards []chatview.Card
	if len(card.Facts) > 0 {
		cards = append(cards, card)
	}
	if len(failed.Steps) > 0 {
		cards = append(cards, failed)
	}
	return cards, nil
}

// standing are the figures of an account; without a price its equity is not known.
func (s Services) standing(r *desk.Request, a ledger.Account) ([]ui.Fact, error) {
	worth, err := s.Trading.Value(ctxOf(r), a.ID)
	unpriced := errors.Is(err, market.ErrProduct) || errors.Is(err, market.ErrNoPrice) || errors.Is(err, trading.ErrConversion) || errors.Is(err, trading.ErrTooLarge)
	if err != nil && !unpriced {
		return nil, err
	}
	open, _, err := s.Trading.OpenPositions(ctxOf(r), a.ID, 0, mostWaiting)
	if err != nil {
		return nil, err
	}
	waiting, more, err := s.Trading.Orders(ctxOf(r), a.ID, engine.OrderFilter{Group: engine.WaitingOrders, Limit: mostWaiting})
	if err != nil {
		return nil, err
	}
	orders := strconv.Itoa(len(waiting))
	if more != 0 {
		orders += "+"
	}
	equity := "—"
	if !unpriced {
		equity = r.Figures().Rounded(worth.Equity) + " " + a.Currency
	}
	return []ui.Fact{
		{Label: r.Word("chat.fact.equity"), Value: equity, Strong: true},
		{Label: r.Word("chat.fact.positions"), Value: strconv.Itoa(len(open))}, {Label: r.Word("chat.fact.orders"), Value: orders},
	}, nil
}

// refused shows the last deposits and withdrawals that were rejected.
func (s Services) refused(r *desk.Request, id int64) ([]chatview.Card, error) {
	card := chatview.Card{Title: r.Word("chat.refused")}
	deposits, _, err := s.Deposits.List(ctxOf(r), id, deposit.Filter{Limit: 20})
	if err != nil {
		return nil, err
	}
	for _, d := range deposits {
		if d.State == deposit.Rejected && len(card.Facts) < few && (r.May(access.ChatAnswer) || r.May(access.DepositView)) {
			card.Facts = append(card.Facts, refusedFact(r, d.Number(), r.Figures().Sum(d.Amount, d.Currency), ui.To("/admin/deposits/{}", d.ID), access.DepositView))
		}
	}
	if r.May(access.WithdrawalView) {
		withdrawals, _, err := s.Withdrawals.List(ctxOf(r), id, withdrawal.Filter{Limit: 20})
		if err != nil {
			return nil, err
		}
		for i, w := range withdrawals {
			if w.State == withdrawal.Rejected && i < few {
				card.Facts = append(card.Facts, refusedFact(r, w.Number(), r.Figures().Sum(w.Amount, w.Currency), ui.To("/admin/withdrawals/{}", w.ID), access.WithdrawalView))
			}
		}
	}
	if len(card.Facts) == 0 {
		return nil, nil
	}
	return []chatview.Card{card}, nil
}

func refusedFact(r *desk.Request, number, amount string, to ui.Path, sees access.Permission) ui.Fact {
	fact := ui.Fact{Label: amount, Value: number, Ident: true}
	if r.May(sees) {
		fact.Href = to.String()
	}
	return fact
}

// notes shows the last notes of staff about a trader.
func (s Services) notes(r *desk.Request, id int64) ([]chatview.Card, error) {
	if !r.May(access.TraderNotes) {
		return nil, nil
	}
	list, _, err := s.Traders.Notes(ctxOf(r), id, 0, few)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	card := chatview.Card{Title: r.Word("chat.notes")}
	for _, n := range list {
		card.Steps = append(card.Steps, ui.StepView{Text: n.Text, Note: n.Author, Time: at(r, n.CreatedAt), UTC: ui.Stamp(n.CreatedAt), Href: ui.To("/admin/traders/{}/notes", id).String()})
	}
	return []chatview.Card{card}, nil
}
