package chatdesk

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/support"
	"candor/app/trader"
	"candor/app/withdrawal"
	"candor/templates/chatview"
	"candor/templates/ui"
)

const few = 3

// contextCards reads the context of a conversation; each card only for members with its permission.
func (s Services) contextCards(r *desk.Request, c support.Conversation) (cards []chatview.Card, err error) {
	cards = taskCard(r, c)
	if c.TraderID == nil {
		return append(cards, chatview.Card{Title: r.Word("chat.about"), Facts: []ui.Fact{
			{Label: r.Word("chat.fact.customer"), Value: r.Word("chat.fact.visitor")}, {Label: r.Word("chat.fact.language"), Value: ui.LanguageName(c.Language)},
		}}), nil
	}
	for _, part := range []func(*desk.Request, int64) ([]chatview.Card, error){s.person, s.trading, s.withdrawals, s.deposits, s.refused, s.refusals, s.notes, s.devices} {
		some, err := part(r, *c.TraderID)
		if err != nil {
			return nil, err
		}
		cards = append(cards, some...)
	}
	conduct, err := s.conduct(r, c)
	if err != nil {
		return nil, err
	}
	earlier, err := s.earlier(r, c)
	return slices.Concat(cards, conduct, earlier), err
}

// person shows the trader, masked: name and contacts, verification, and accounts.
func (s Services) person(r *desk.Request, id int64) ([]chatview.Card, error) {
	if !r.May(access.TraderView) {
		return nil, nil
	}
	t, err := s.Traders.Trader(ctxOf(r), id)
	if err != nil {
		return nil, err
	}
	asked, err := s.Identities.AskedAgain(ctxOf(r), id)
	if err != nil {
		return nil, err
	}
	facts := []ui.Fact{{Label: r.Word("chat.fact.trader"), Value: number(id), Ident: true, Href: ui.To("/admin/traders/{}", id).String()}, {Label: r.Word("chat.fact.name"), Value: t.MaskedName()}}
	for _, kind := range []trader.Contact{trader.MailContact, trader.PhoneContact} {
		if veiled := t.MaskContact(kind); veiled.Before != "" {
			facts = append(facts, ui.Fact{Label: r.Word("chat.fact." + string(kind)), Value: veiled.Before + "•••" + veiled.After, Ident: true})
		}
	}
	facts = append(facts,
		ui.Fact{Label: r.Word("chat.fact.identity"), Value: r.Word("chat.identity." + identity(t.AuthStatus, asked[id])), Note: t.Country},
		ui.Fact{Label: r.Word("chat.fact.language"), Value: ui.LanguageName(t.Language)},
		ui.Fact{Label: r.Word("chat.fact.since"), Value: r.Day(t.CreatedAt)},
	)
	accounts, err := ledger.ListAll(ctxOf(r), s.Ledger, id)
	if err != nil {
		return nil, err
	}
	facts = append(facts, ui.Fact{Label: r.Word("chat.fact.accounts"), Value: kinds(r, accounts)})
	living, err := s.Traders.Restrictions(ctxOf(r), id)
	if err != nil {
		return nil, err
	}
	if len(living) > 0 {
		facts = append(facts, ui.Fact{Label: r.Word("chat.fact.restricted"), Value: strconv.Itoa(len(living)), Tone: ui.ToneWarning})
	}
	return []chatview.Card{{Title: r.Word("chat.about"), Facts: facts}}, nil
}

// kinds lists the accounts by purpose, practice accounts included.
func kinds(r *desk.Request, accounts []ledger.Account) string {
	var names []string
	for _, a := range accounts {
		name := accountName(r, a) + " " + a.Currency
		if a.Kind == ledger.Funding {
			name = r.Word("trader.book.kept", "currency", a.Currency)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// accountName is the book of a trading account with the account's number after the first, and what the trader calls it.
func accountName(r *desk.Request, a ledger.Account) string {
	name := r.Word("trader.book." + string(a.Book))
	if !a.Main() {
		name += " " + strconv.Itoa(a.Number)
	}
	if a.Name != "" {
		name += " · " + a.Name
	}
	return name
}

// identity is the key of the spec's authStatus.
func identity(status int, askedAgain bool) string {
	switch status {
	case trader.AuthReview:
		return "review"
	case trader.AuthFailed:
		if askedAgain {
			return "asked"
		}
		return "failed"
	case trader.AuthPassed:
		return "passed"
	}
	return "none"
}

// withdrawals shows the open withdrawals, each with its stage.
func (s Services) withdrawals(r *desk.Request, id int64) (cards []chatview.Card, err error) {
	if !r.May(access.WithdrawalView) {
		return nil, nil
	}
	list, _, err := s.Withdrawals.List(ctxOf(r), id, withdrawal.Filter{Limit: 20})
	if err != nil {
		return nil, err
	}
	for _, w := range list {
		if w.Ended() {
			continue
		}
		cards = append(cards, chatview.Card{Title: r.Word("chat.withdrawal.open"), Note: w.Number(), Foot: r.Word("chat.withdrawal.foot"), Facts: []ui.Fact{
			{Label: r.Word("chat.fact.withdrawal"), Value: w.Number(), Ident: true, Href: ui.To("/admin/withdrawals/{}", w.ID).String()},
			{Label: r.Word("chat.fact.amount"), Value: r.Figures().Sum(w.Amount, w.Currency), Strong: true},
			{Label: r.Word("chat.fact.stage"), Value: r.Word("withdrawal.chip." + string(w.State))},
			{Label: r.Word("chat.fact.asked"), Value: at(r, w.CreatedAt)},
		}})
		if len(cards) == few {
			break
		}
	}
	return cards, nil
}

// deposits shows the undecided deposits.
func (s Services) deposits(r *desk.Request, id int64) (cards []chatview.Card, err error) {
	if !r.May(access.ChatAnswer) && !r.May(access.DepositView) {
		return nil, nil
	}
	list, _, err := s.Deposits.List(ctxOf(r), id, deposit.Filter{Limit: 20})
	if err != nil {
		return nil, err
	}
	for _, d := range list {
		if !d.Undecided() {
			continue
		}
		fact := ui.Fact{Label: r.Word("chat.fact.deposit"), Value: d.Number(), Ident: true}
		if r.May(access.DepositView) {
			fact.Href = ui.To("/admin/deposits/{}", d.ID).String()
		}
		cards = append(cards, chatview.Card{Title: r.Word("chat.deposit.open"), Facts: []ui.Fact{
			fact, {Label: r.Word("chat.fact.amount"), Value: r.Figures().Sum(d.Amount, d.Currency), Strong: true},
			{Label: r.Word("chat.fact.stage"), Value: r.Word("deposit.chip." + string(d.State))}, {Label: r.Word("chat.fact.asked"), Value: at(r, d.CreatedAt)},
		}})
		if len(cards) == few {
			break
		}
	}
	return cards, nil
}

// refusals shows the trader's last refused requests, each with its trace id.
func (s Services) refusals(r *desk.Request, id int64) ([]chatview.Card, error) {
	list, err := s.Chat.Refusals(ctxOf(r), id, 5)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	card := chatview.Card{Title: r.Word("chat.errors")}
	for _, one := range list {
		card.Steps = append(card.Steps, ui.StepView{
			Text: s.Texts.T("en", "error."+one.Code, nil), Note: r.Word("chat.trace", "trace", one.TraceID), Time: at(r, one.At), UTC: ui.Stamp(one.At),
		})
	}
	return []chatview.Card{card}, nil
}

// devices shows the trader's last devices.
func (s Services) devices(r *desk.Request, id int64) ([]chatview.Card, error) {
	if !r.May(access.TraderView) {
		return nil, nil
	}
	list, err := s.Sessions.Devices(ctxOf(r), id, few)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	card := chatview.Card{Title: r.Word("chat.devices")}
	for _, d := range list {
		fact := ui.Fact{Label: d.Name, Value: at(r, d.LastSeenAt)}
		if r.Now().Sub(d.FirstSeenAt) < 24*time.Hour {
			fact.Chip = &ui.ChipView{Tone: ui.ToneWarning, Label: r.Word("chat.device.new")}
		}
		card.Facts = append(card.Facts, fact)
	}
	return []chatview.Card{card}, nil
}

// earlier shows the trader's previous conversations.
func (s Services) earlier(r *desk.Request, c support.Conversation) ([]chatview.Card, error) {
	rows, err := s.Chat.Inbox(ctxOf(r), support.Filter{TraderID: *c.TraderID})
	if err != nil {
		return nil, err
	}
	card := chatview.Card{Title: r.Word("chat.earlier")}
	for _, row := range rows {
		if row.ID != c.ID && len(card.Facts) < 5 {
			card.Facts = append(card.Facts, ui.Fact{Label: at(r, row.CreatedAt), Value: plain(row.LastBody), Href: path(row.ID).String()})
		}
	}
	if len(card.Facts) == 0 {
		return nil, nil
	}
	return []chatview.Card{card}, nil
}
