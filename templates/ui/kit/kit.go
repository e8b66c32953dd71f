// Package kit shows every part of the back office in every state, with made-up records. It is a page for review and screenshots, not a route of the product, so
// its words are not in a locale file.
package kit

import (
	"time"

	"candor/templates/layout"
	"candor/templates/ui"
)

// Now is the page's fixed time.
var Now = time.Date(2026, 11, 20, 14, 32, 0, 0, time.UTC)

// Page is the kit's frame in a theme.
func Page(title, theme string) layout.Page {
	return layout.Page{
		Title:  title,
		Theme:  theme,
		Search: ui.To("/admin/search"),
		Nav: []layout.NavGroup{
			{Items: []layout.NavItem{{ID: "home", Label: "Home", Icon: ui.IconHome, Href: ui.To("/admin")}}},
			{Title: "Work", Items: []layout.NavItem{
				{ID: "chat", Label: "Chat", Icon: ui.IconChat, Href: ui.To("/admin/chat"), Count: 14},
				{ID: "identity", Label: "Identity", Icon: ui.IconIdentity, Href: ui.To("/admin/identity"), Count: 23},
				{ID: "withdrawals", Label: "Withdrawals", Icon: ui.IconOut, Href: ui.To("/admin/withdrawals"), Count: 17, Hot: true},
				{ID: "deposits", Label: "Deposits", Icon: ui.IconIn, Href: ui.To("/admin/deposits"), Count: 12, Current: true},
				{ID: "mine", Label: "Claimed by me", Href: ui.To("/admin/deposits/mine"), Count: 2, Sub: true},
			}},
			{Title: "Records", Items: []layout.NavItem{
				{Label: "Traders", Icon: ui.IconPeople, Href: ui.To("/admin/traders")},
				{Label: "Audit log", Icon: ui.IconLog, Href: ui.To("/admin/audit")},
			}},
			{Title: "Control", Items: []layout.NavItem{
				{ID: "switches", Label: "Switches", Icon: ui.IconSwitch, Href: ui.To("/admin/switches"), Count: 2},
				{Label: "Staff and roles", Icon: ui.IconPeople, Href: ui.To("/admin/staff")},
			}},
		},
		Health: []layout.HealthLine{
			{State: ui.DotOK, Label: "Price feeds", Value: "all fresh"},
			{State: ui.DotOK, Label: "Ledger", Value: "balanced 14:31"},
			{State: ui.DotWarn, Label: "Audit chain", Value: "verified 14:01"},
		},
		Me: layout.Me{Initials: "M2", Name: "Finance maker 02", Line: "On shift until 22:00", Profile: ui.To("/admin/me"), SignOut: ui.To("/admin/sign-out")},
	}
}

func chip(tone ui.Tone, icon ui.IconName, label string) *ui.ChipView {
	return &ui.ChipView{Tone: tone, Icon: icon, Label: label}
}

func waited(minutes, target int) *ui.DueView {
	since := Now.Add(-time.Duration(minutes) * time.Minute)
	view := ui.DueView{Text: map[int]string{184: "3 h 04", 101: "1 h 41", 58: "58 min", 44: "44 min", 9: "9 min", 52: "52 min", 72: "1 h 12", 12: "12 min"}[minutes]}
	switch {
	case minutes >= target:
		view.State = ui.DueLate
	case minutes*10 >= target*8:
		view.State = ui.DueWarn
	}
	_ = since
	return &view
}

func approved(initials, who string) ui.Person {
	return ui.Person{State: ui.PersonApproved, Initials: initials, Words: who + " approved"}
}

var (
	nobody = ui.Person{State: ui.PersonOpen, Words: "Open"}
	you    = ui.Person{State: ui.PersonYou, Words: "Open, you may"}
	notYou = ui.Person{State: ui.PersonLocked, Words: "Not you: you approved first"}
)

func queue() []ui.QueueRowView {
	row := func(id, trader, amount, note string) ui.QueueRowView {
		return ui.QueueRowView{ID: "dp-" + id, Title: "DP-" + id, Sub: trader, Text: amount, Strong: true, Note: note, Href: ui.To("/admin/deposits/{}", id).String(), HX: ui.OpenDetail(ui.To("/admin/deposits/{}", id))}
	}
	rows := []ui.QueueRowView{
		row("51877", "10477206", "8,000.00 EUR", "Proof in, statement line found"),
		row("51880", "10433008", "450.00 EUR", "Sender name differs"),
		row("51884", "10509121", "12,000.00 USD", "Waiting for a checker"),
		row("51886", "10498340", "200.00 EUR", "Proof in, bank has not booked it"),
		row("51893", "10520116", "75.00 EUR", "Same image as DP-50113"),
		row("51889", "10455190", "1,500.00 EUR", "Answer due in 41 h"),
	}
	rows[0].Selected, rows[0].Due, rows[0].State = true, waited(184, 120), chip(ui.ToneSuccess, ui.IconCheck, "5 of 6 match")
	rows[0].Owner = &ui.AvatarView{Initials: "M2", Name: "Finance maker 02", Me: true, Small: true}
	rows[1].Due, rows[1].State = waited(101, 120), chip(ui.ToneWarning, ui.IconWarning, "2 of 6 match")
	rows[1].Claim = &ui.ButtonView{Label: "Claim", Size: ui.Tiny, HX: ui.HX{Post: ui.To("/admin/deposits/51880/claim"), Target: ui.TargetRow, Swap: ui.SwapWhole}}
	rows[2].Due, rows[2].State, rows[2].People = waited(58, 120), chip(ui.ToneSuccess, ui.IconCheck, "6 of 6 match"), []ui.Person{approved("M3", "Finance maker 03"), nobody}
	rows[3].Due, rows[3].State = waited(44, 120), chip(ui.ToneNormal, "", "No line yet")
	rows[4].Due, rows[4].State = waited(9, 120), chip(ui.ToneError, ui.IconWarning, "Proof seen before")
	rows[5].Due, rows[5].State = &ui.DueView{Text: "Waiting on trader", NoIcon: true}, chip(ui.ToneNormal, ui.IconRetry, "Asked for proof")
	return rows
}

func history() []ui.StepView {
	return []ui.StepView{
		{State: ui.StepNow, Icon: ui.IconPerson, Text: "You claimed it", Time: "14:28", UTC: "13:28 UTC"},
		{Icon: ui.IconBank, Text: "Statement line suggested by reference", Time: "14:05"},
		{Icon: ui.IconDocument, Text: "Trader sent proof", Time: "11:28"},
		{Icon: ui.IconIn, Text: "Created, reference CD-7Q4K-2291", Time: "15 Nov"},
	}
}

func approval() ui.DialogView {
	return ui.DialogView{
		ID:    "approval",
		Title: "Approve WD-30418 as second person",
		Note:  "First approval: Finance maker 02, 13:58. Nothing has changed since; a change would void it.",
		Form: ui.FormView{
			Post: ui.To("/admin/withdrawals/30418/approval"), Target: ui.At("wd-30418"), Swap: ui.SwapWhole,
			Hidden: []ui.Hidden{{Name: "version", Value: "4"}, {Name: "key", Value: "k-1"}},
		},
		Facts:  approvalFacts(),
		Proof:  approvalProof(),
		Refuse: []ui.ButtonView{{Label: "Reject…", Kind: ui.Danger, HX: ui.OpenDialog(ui.To("/admin/withdrawals/30418/rejection"))}, {Label: "Ask the trader…", Kind: ui.Ghost, HX: ui.OpenDialog(ui.To("/admin/withdrawals/30418/question"))}},
		Act:    ui.ButtonView{Label: "Approve 12,395.00 USDT", Kind: ui.Primary, Submit: true, Money: true, Busy: "Approving…"},
	}
}
