package chatdesk

import (
	"net/http"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/score"
	"candor/app/support"
	"candor/templates/chatview"
	"candor/templates/ui"
)

const (
	flagsPath   = home + "/flags"
	mostAppeals = 100 // that wait
	lastDecided = 20
)

// conduct shows the flags of a registered trader that stand, and lets the conversation's agent set one.
func (s Services) conduct(r *desk.Request, c support.Conversation) ([]chatview.Card, error) {
	if !r.May(access.TraderView) {
		return nil, nil
	}
	t, err := s.Traders.Trader(ctxOf(r), *c.TraderID)
	if err != nil || t.Guest() {
		return nil, err
	}
	list, err := s.Scores.Flags(ctxOf(r), t.ID)
	if err != nil {
		return nil, err
	}
	card := chatview.Card{Title: r.Word("chat.conduct")}
	for _, f := range list {
		card.Facts = append(card.Facts, ui.Fact{Label: r.Word("chat.flag.reason." + string(f.Reason)), Value: r.Day(f.MadeAt)})
	}
	if len(list) == 0 {
		card.Empty = r.Word("chat.conduct.none")
	}
	if c.OwnedBy(r.Member.ID) && c.Live() && r.May(access.ChatAnswer) {
		card.Act = &ui.ButtonView{ID: "chat-flag", Label: r.Word("chat.flag"), Icon: ui.IconFlag, Size: ui.Small, HX: ui.OpenDialog(ui.To(home+"/{}/flag", c.ID))}
	}
	return []chatview.Card{card}, nil
}

func (s Services) askFlag(r *desk.Request) error {
	return s.ask(r, func(c support.Conversation) error { return showFlag(r, http.StatusOK, c, nil) })
}

// showFlag asks what was wrong with the customer's conduct.
func showFlag(r *desk.Request, status int, c support.Conversation, refused error) error {
	problems := r.FieldTexts(refused)
	reason := ui.FieldView{Name: "reason", Label: r.Word("chat.flag.reason"), Error: problems["reason"]}
	for _, one := range score.Reasons {
		reason.Options = append(reason.Options, ui.Option{Value: string(one), Label: r.Word("chat.flag.reason." + string(one)), Selected: string(one) == r.PostFormValue("reason")})
	}
	note := ui.FieldView{
		Name: "note", Label: r.Word("chat.flag.what"), Value: r.PostFormValue("note"), Rows: 4, MaxLength: score.LongestText, Required: true, StaffOnly: true, Error: problems["note"],
	}
	return r.Dialog(status, chatview.ActDialog(dialog(r, c, "flag"), []ui.FieldView{reason}, &note, nil))
}

// flag flags the conduct of the customer of the member's own conversation.
func (s Services) flag(r *desk.Request) error {
	c, err := s.conversation(r)
	if err != nil {
		return err
	}
	err = s.Scores.Flag(ctxOf(r), r.Actor(), score.Request{ConversationID: c.ID, Reason: score.Reason(r.PostFormValue("reason")), Note: r.PostFormValue("note")})
	if r.FieldTexts(err) != nil {
		return showFlag(r, http.StatusUnprocessableEntity, c, err)
	}
	if err != nil {
		return err
	}
	return s.answer(r, c.ID, &ui.FlashView{Text: r.Word("chat.done.flag")})
}

// appeals lists the appeals that wait, and the last decisions.
func (s Services) appeals(r *desk.Request) error {
	page, err := s.readAppeals(r)
	if err != nil {
		return err
	}
	page.Tabs = settings(r, "flags")
	return r.Show(chatview.FlagsPage(r.Page(r.Word("chat.settings"), "appeals"), page))
}

func (s Services) readAppeals(r *desk.Request) (p chatview.Flags, err error) {
	waiting, err := s.Scores.Appeals(ctxOf(r), mostAppeals)
	if err != nil {
		return p, err
	}
	decided, err := s.Scores.Decided(ctxOf(r), lastDecided)
	if err != nil {
		return p, err
	}
	for _, f := range append(waiting, decided...) {
		row, err := s.appealRow(r, f)
		if err != nil {
			return p, err
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

func (s Services) appealRow(r *desk.Request, f score.Flag) (row chatview.Flag, err error) {
	row = chatview.Flag{
		ID: number(f.ID), Trader: number(f.TraderID), Reason: r.Word("chat.flag.reason." + string(f.Reason)), Made: at(r, f.MadeAt), Appealed: at(r, *f.AppealedAt),
		State: ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconClock, Label: r.Word("chat.flags.waiting")},
	}
	if row.Agent, err = s.Chat.NameOf(ctxOf(r), f.MadeBy); err != nil {
		return row, err
	}
	if r.May(access.TraderView) {
		row.TraderHref = ui.To("/admin/traders/{}", f.TraderID).String()
	}
	switch {
	case f.Outcome != nil:
		row.State = ui.ChipView{Icon: ui.IconCheck, Label: r.Word("chat.flags." + string(*f.Outcome))}
		row.Why, err = s.Chat.NameOf(ctxOf(r), *f.DecidedBy)
	case f.MadeBy == r.Member.ID:
		row.Why = r.Word("chat.flags.own")
	default:
		row.Decide = &ui.ButtonView{Label: r.Word("chat.flags.decide"), Size: ui.Tiny, HX: ui.OpenDialog(ui.To(flagsPath+"/{}", f.ID))}
	}
	return row, err
}

// askDecision shows an appeal and asks for the decision.
func (s Services) askDecision(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(flagsPath)
	}
	id, err := r.ID("flag")
	if err != nil {
		return err
	}
	f, err := s.Scores.Read(ctxOf(r), id)
	if err != nil {
		return err
	}
	if f.Appeal == nil || f.Outcome != nil {
		return score.ErrDecided
	}
	agent, err := s.Chat.NameOf(ctxOf(r), f.MadeBy)
	if err != nil {
		return err
	}
	choice := ui.FieldView{Name: "outcome", Label: r.Word("chat.flags.outcome"), Required: true, Options: []ui.Option{{Label: r.Word("chat.flags.outcome.none")}}}
	for _, one := range score.Outcomes {
		choice.Options = append(choice.Options, ui.Option{Value: string(one), Label: r.Word("chat.flags.outcome." + string(one))})
	}
	return r.Dialog(http.StatusOK, chatview.AppealDialog(ui.DialogView{
		Title: r.Word("chat.flags.title", "trader", number(f.TraderID)), Note: r.Word("chat.flags.about"),
		Form: ui.FormView{Post: ui.To(flagsPath+"/{}", f.ID), Target: ui.At("flags"), Swap: ui.SwapWhole},
		Act:  ui.ButtonView{Label: r.Word("chat.flags.decide"), Kind: ui.Primary, Submit: true},
	}, chatview.Appeal{Note: f.Note, Appeal: *f.Appeal, Choice: choice, Facts: []ui.Fact{
		{Label: r.Word("chat.flag.reason"), Value: r.Word("chat.flag.reason." + string(f.Reason)), Strong: true},
		{Label: r.Word("chat.flags.agent"), Value: agent, Note: at(r, f.MadeAt)},
		{Label: r.Word("chat.flags.conversation"), Value: "#" + number(f.ConversationID), Ident: true, Href: path(f.ConversationID).String()},
		{Label: r.Word("chat.flags.appealed"), Value: at(r, *f.AppealedAt)},
	}}))
}

// decide upholds or removes a flag that another person set.
func (s Services) decide(r *desk.Request) error {
	id, err := r.ID("flag")
	if err != nil {
		return err
	}
	outcome := score.Outcome(r.PostFormValue("outcome"))
	if err := s.Scores.Decide(ctxOf(r), r.Actor(), id, outcome); err != nil {
		return err
	}
	page, err := s.readAppeals(r)
	if err != nil {
		return err
	}
	return r.Show(chatview.FlagsDone(page, r.Word("chat.flags.done."+string(outcome))))
}
