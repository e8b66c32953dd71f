package tradedesk

import (
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/kyc"
	"candor/app/support"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// identities lists a trader's applications, without pictures and data: those are in the case.
func (s Services) identities(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	list, err := s.Identities.OfTrader(sub.ctx, sub.trader.ID, pageSize)
	if err != nil {
		return err
	}
	card := tradeview.Card{
		Title: sub.t("trader.identities"),
		Table: ui.GridView{Caption: sub.t("trader.identities"), Empty: sub.t("trader.identities.none"), Columns: sub.columns("case", "#sent", "country", "document", "#attempt", "#level", "state", "#decided")},
	}
	for _, a := range list {
		card.Table.Rows = append(card.Table.Rows, sub.identityRow(a))
	}
	return s.showCard(r, sub, "identity", card)
}

func (sub subject) identityRow(a kyc.Application) ui.GridRow {
	moments := [2]ui.Cell{{Text: unknown}, {Text: unknown}}
	if a.SubmittedAt != nil {
		moments[0] = sub.when(*a.SubmittedAt)
	}
	if a.DecidedAt != nil {
		moments[1] = sub.when(*a.DecidedAt)
	}
	chip := ui.ChipView{Icon: ui.IconClock, Label: sub.t("identity.state." + string(a.Stage()))}
	switch {
	case a.Verified():
		chip.Tone, chip.Icon = ui.ToneSuccess, ui.IconShieldCheck
	case !a.Undecided():
		chip.Icon = ui.IconClose
	}
	document := sub.t("identity.type.none")
	if a.DocumentType != "" {
		document = sub.t("identity.type." + string(a.DocumentType))
	}
	return ui.GridRow{Cells: []ui.Cell{
		{Text: a.Number(), Ident: true, Strong: true, Href: ui.To("/admin/identity/{}", a.ID).String()}, moments[0], {Text: caseengine.Country(sub.ctx, a.Country)}, {Text: document},
		{Text: strconv.Itoa(a.Attempt)}, {Text: strconv.Itoa(a.Level)}, {Chips: []ui.ChipView{chip}}, moments[1],
	}}
}

// chats lists a trader's conversations with support, with links to the threads.
func (s Services) chats(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	list, err := s.Chat.Inbox(sub.ctx, support.Filter{TraderID: sub.trader.ID})
	if err != nil {
		return err
	}
	card := tradeview.Card{
		Title: sub.t("trader.chats"),
		Table: ui.GridView{Caption: sub.t("trader.chats"), Empty: sub.t("trader.chats.none"), Columns: sub.columns("conversation", "#began", "said", "who", "state", "#moved")},
	}
	for _, c := range list {
		chip := ui.ChipView{Icon: ui.IconCheck, Label: sub.t("chat.state." + string(c.State))}
		if c.Live() {
			chip.Icon = ui.IconClock
		}
		card.Table.Rows = append(card.Table.Rows, ui.GridRow{Cells: []ui.Cell{
			{Text: strconv.FormatInt(c.ID, 10), Ident: true, Strong: true, Href: ui.To("/admin/chat/{}", c.ID).String()}, sub.when(c.CreatedAt), {Text: c.LastBody, Wrap: true},
			{Text: c.AgentName}, {Chips: []ui.ChipView{chip}}, sub.when(c.MovedAt),
		}})
	}
	return s.showCard(r, sub, "chat", card)
}

// showCard answers with a tab of one card.
func (s Services) showCard(r *desk.Request, sub subject, tab string, card tradeview.Card) error {
	return s.showTab(r, sub, tab, tradeview.Tab{Cards: []tradeview.Card{card}})
}

func (s Services) showTab(r *desk.Request, sub subject, name string, tab tradeview.Tab) error {
	frame, err := s.tabFrame(r, sub, name)
	if err != nil {
		return err
	}
	return r.Show(tradeview.TabPage(r.Page(frame.Number, navItem), frame, tab))
}

// verifiedName is the trader's verified name in full, for members who compare names: in documents, or with the holders of accounts that money comes from or
// goes to.
func (s Services) verifiedName(sub subject) ([]ui.Fact, error) {
	if !sub.may(access.IdentityDecide) && !sub.may(access.DepositWork) && !sub.may(access.WithdrawalWork) {
		return nil, nil
	}
	name, err := s.Identities.VerifiedName(sub.ctx, sub.trader.ID)
	if err != nil || name == "" {
		return nil, err
	}
	return []ui.Fact{{Label: sub.t("trader.fact.verified_name"), Value: name}}, nil
}
