package chatdesk

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/platform/errs"
	"candor/app/support"
	"candor/templates/chatview"
	"candor/templates/ui"
)

// askRun opens the dialog with the macros: each says what it does, and what would be sent.
func (s Services) askRun(r *desk.Request) error {
	return s.ask(r, func(c support.Conversation) error {
		list, err := s.Chat.Macros(ctxOf(r))
		if err != nil {
			return err
		}
		values, err := s.values(r, c)
		if err != nil {
			return err
		}
		view := ui.DialogView{
			Title: r.Word("chat.macros.run", "number", c.ID), Note: r.Word("chat.macros.run.note"), Cancel: r.Word("ui.close"),
			Form: ui.FormView{Post: ui.To(home+"/{}/macros", c.ID), Target: ui.TargetDetail, Swap: ui.SwapInside, Hidden: []ui.Hidden{
				{Name: "version", Value: strconv.Itoa(c.Version)}, {Name: "seen", Value: number(c.LastMessageID)},
			}},
		}
		names := make([]string, len(list))
		for i, m := range list {
			names[i] = m.Reply
		}
		replies, err := s.Chat.RepliesFor(ctxOf(r), c.Language, names...)
		if err != nil {
			return err
		}
		var choices []chatview.MacroChoice
		for _, m := range list {
			choice, err := s.macroChoice(r, c, m, replies, values)
			if err != nil {
				return err
			}
			choices = append(choices, choice)
		}
		return r.Dialog(http.StatusOK, chatview.RunDialog(view, choices))
	})
}

func (s Services) macroChoice(r *desk.Request, c support.Conversation, m support.Macro, replies map[string]support.Reply, values map[string]string) (chatview.MacroChoice, error) {
	v := chatview.MacroChoice{Value: number(m.ID) + "." + strconv.Itoa(m.Version), Name: m.Name, Steps: steps(r, m), Lang: c.Language}
	if m.Key != nil {
		v.Digit = strconv.Itoa(*m.Key)
	}
	text, err := macroText(r, m, replies, values)
	var refusal *errs.Error
	if errors.As(err, &refusal) {
		v.Cannot = r.Text(err)
		return v, nil
	}
	v.Text = text
	return v, err
}

// errAmountHidden is returned for an answer with an amount to a role that sees bands of amounts.
var errAmountHidden = errs.New(errs.Refused, "chat.amount_hidden")

// macroText is what a macro says in the conversation. Refusals: those of Macro.Text, errAmountHidden.
func macroText(r *desk.Request, m support.Macro, replies map[string]support.Reply, values map[string]string) (string, error) {
	text, err := m.Text(replies, values)
	if errors.Is(err, support.ErrVariable) && strings.HasSuffix(errs.As(err).Args["name"], ".amount") && !r.Figures().Exact() {
		return "", errAmountHidden
	}
	return text, err
}

// run runs a macro on the conversation as the page showed it: one of the dialog, or the one of a key.
func (s Services) run(r *desk.Request) error {
	c, err := s.conversation(r)
	if err != nil {
		return err
	}
	m, err := s.chosenMacro(r)
	if err != nil {
		return err
	}
	values, err := s.values(r, c)
	if err != nil {
		return err
	}
	run := support.MacroRun{Macro: m, ConversationID: c.ID, Now: r.Now().In(r.Zone()), Lead: r.May(access.ChatLead)}
	if run.Version, err = r.Version(); err != nil {
		return err
	}
	if run.Seen, err = strconv.ParseInt(r.PostFormValue("seen"), 10, 64); err != nil {
		return errs.Field("seen", "field.required")
	}
	replies, err := s.Chat.RepliesFor(ctxOf(r), c.Language, m.Reply)
	if err != nil {
		return err
	}
	if run.Text, err = macroText(r, m, replies, values); err != nil {
		return err
	}
	if _, err := s.Chat.RunMacro(ctxOf(r), r.Actor(), run); err != nil {
		return err
	}
	flash := &ui.FlashView{Text: r.Word("chat.macros.ran", "name", m.Name)}
	switch {
	case m.Reply != "": // what was sent stays sent
	case m.Ending == support.EndResolve:
		flash.Undo = ui.To(home+"/{}/reopening", c.ID)
	case m.Ending == support.EndSnooze:
		flash.Undo = ui.To(home+"/{}/waking", c.ID)
	}
	return s.answer(r, c.ID, flash)
}

// chosenMacro is the macro that the form names, as "12.3" with its version, or that has the pressed key.
func (s Services) chosenMacro(r *desk.Request) (m support.Macro, err error) {
	named := r.PostFormValue("macro")
	if named == "" {
		key, err := strconv.Atoi(r.PostFormValue("key"))
		if err != nil {
			return m, support.ErrMacroKey
		}
		return s.Chat.MacroOfKey(ctxOf(r), key)
	}
	text, version, _ := strings.Cut(named, ".")
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return m, support.ErrNoMacro
	}
	if m, err = s.Chat.Macro(ctxOf(r), id); err == nil && strconv.Itoa(m.Version) != version {
		err = support.ErrChanged
	}
	return m, err
}
