package chatdesk

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/notice"
	"candor/app/platform/errs"
	"candor/app/support"
	"candor/templates/chatview"
	"candor/templates/ui"
)

// act changes the conversation in the address and answers with its thread.
func (s Services) act(r *desk.Request, done string, do func(id int64) error, undo func(id int64) ui.Path) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	if err := do(id); err != nil {
		return err
	}
	flash := &ui.FlashView{Text: r.Word(done)}
	if undo != nil {
		flash.Undo = undo(id)
	}
	return s.answer(r, id, flash)
}

func (s Services) claim(r *desk.Request) error {
	return s.act(r, "chat.done.claim", func(id int64) error {
		_, err := s.Chat.Claim(ctxOf(r), r.Actor(), id)
		return err
	}, nil)
}

func (s Services) takeOver(r *desk.Request) error {
	return s.act(r, "chat.done.take_over", func(id int64) error {
		version, err := r.Version()
		if err == nil {
			_, err = s.Chat.TakeOver(ctxOf(r), r.Actor(), id, version)
		}
		return err
	}, nil)
}

func (s Services) reopen(r *desk.Request) error {
	return s.act(r, "chat.done.reopen", func(id int64) error {
		_, err := s.Chat.Reopen(ctxOf(r), r.Actor(), id, 0)
		return err
	}, nil)
}

// resolve resolves a conversation up to the last message on the page; with "next" it answers with the member's open conversation that has waited longest.
func (s Services) resolve(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	seen, err := strconv.ParseInt(r.PostFormValue("seen"), 10, 64)
	if err != nil {
		return errs.Field("seen", "field.required")
	}
	if _, err := s.Chat.Resolve(ctxOf(r), r.Actor(), id, 0, seen); err != nil {
		return err
	}
	flash := &ui.FlashView{Text: r.Word("chat.done.resolve"), Undo: ui.To(home+"/{}/reopening", id)}
	if r.PostFormValue("next") == "" {
		return s.answer(r, id, flash)
	}
	rows, err := s.Chat.Inbox(ctxOf(r), support.Filter{Mine: r.Member.ID})
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.State == support.Open {
			r.Response().Header().Set("HX-Push-Url", path(row.ID).String())
			return s.answer(r, row.ID, flash)
		}
	}
	return s.answer(r, id, flash)
}

func (s Services) conversation(r *desk.Request) (support.Conversation, error) {
	id, err := r.ID("id")
	if err != nil {
		return support.Conversation{}, err
	}
	return s.Chat.Get(ctxOf(r), id)
}

// ask opens a dialog about the conversation in the address; a request for a whole page goes to the thread.
func (s Services) ask(r *desk.Request, show func(c support.Conversation) error) error {
	c, err := s.conversation(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(path(c.ID).String())
	}
	return show(c)
}

func dialog(r *desk.Request, c support.Conversation, act string) ui.DialogView {
	return ui.DialogView{
		Title: r.Word("chat."+act+".title", "number", c.ID), Note: r.Word("chat." + act + ".note"),
		Form: ui.FormView{Post: ui.To(home+"/{}/"+act, c.ID), Target: ui.TargetDetail, Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(c.Version)}}},
		Act:  ui.ButtonView{Label: r.Word("chat." + act + ".act"), Kind: ui.Primary, Submit: true},
	}
}

func (s Services) askTransfer(r *desk.Request) error {
	return s.ask(r, func(c support.Conversation) error {
		agents, err := s.Chat.Agents(ctxOf(r))
		if err != nil {
			return err
		}
		to := ui.FieldView{Name: "to", Label: r.Word("chat.transfer.to"), Options: []ui.Option{{Value: "0", Label: r.Word("chat.transfer.queue")}}}
		for _, a := range agents {
			if a.Accepting && !c.OwnedBy(a.StaffID) {
				note := []string{r.Word("chat.load", "load", a.Load, "capacity", support.Capacity)}
				for _, code := range a.Languages {
					note = append(note, languageName(r, code))
				}
				to.Options = append(to.Options, ui.Option{Value: number(a.StaffID), Label: a.Name, Note: strings.Join(note, ", ")})
			}
		}
		note := ui.FieldView{Name: "note", Label: r.Word("chat.transfer.why"), MaxLength: support.LongestText, StaffOnly: true}
		return r.Dialog(http.StatusOK, chatview.ActDialog(dialog(r, c, "transfer"), []ui.FieldView{to}, &note, nil))
	})
}

func (s Services) transfer(r *desk.Request) error {
	return s.act(r, "chat.done.transfer", func(id int64) error {
		version, err := r.Version()
		if err != nil {
			return err
		}
		to, err := strconv.ParseInt(r.PostFormValue("to"), 10, 64)
		if err != nil || to < 0 {
			return errs.Field("to", "field.required")
		}
		_, err = s.Chat.Transfer(ctxOf(r), r.Actor(), r.May(access.ChatLead), id, version, to, r.PostFormValue("note"))
		return err
	}, nil)
}

const momentLayout = "2006-01-02T15:04" // of the browser's datetime field

func (s Services) askSnooze(r *desk.Request) error {
	return s.ask(r, func(c support.Conversation) error {
		until := ui.FieldView{Name: "until", Label: r.Word("chat.snooze.until")}
		for _, name := range support.Snoozes {
			moment, _ := support.SnoozeUntil(name, r.Now().In(r.Zone()))
			until.Options = append(until.Options, ui.Option{Value: name, Label: r.Word("chat.snooze." + name), Note: at(r, moment)})
		}
		until.Options = append(until.Options, ui.Option{Value: "moment", Label: r.Word("chat.snooze.moment")})
		moment := ui.FieldView{Name: "moment", Label: r.Word("chat.snooze.at"), Type: "datetime-local", Hint: r.ZoneNote()}
		return r.Dialog(http.StatusOK, chatview.ActDialog(dialog(r, c, "snooze"), []ui.FieldView{until, moment}, nil, nil))
	})
}

func (s Services) snooze(r *desk.Request) error {
	return s.act(r, "chat.done.snooze", func(id int64) error {
		version, err := r.Version()
		if err != nil {
			return err
		}
		until, err := time.ParseInLocation(momentLayout, r.PostFormValue("moment"), r.Zone())
		if named, ok := support.SnoozeUntil(r.PostFormValue("until"), r.Now().In(r.Zone())); ok {
			until, err = named, nil
		}
		if err != nil {
			return support.ErrUntil
		}
		_, err = s.Chat.Snooze(ctxOf(r), r.Actor(), id, version, until)
		return err
	}, func(id int64) ui.Path { return ui.To(home+"/{}/waking", id) })
}

func (s Services) wake(r *desk.Request) error {
	return s.act(r, "chat.done.wake", func(id int64) error {
		_, err := s.Chat.Wake(ctxOf(r), r.Actor(), id)
		return err
	}, nil)
}

func (s Services) askLabels(r *desk.Request) error {
	return s.ask(r, func(c support.Conversation) error {
		return r.Dialog(http.StatusOK, chatview.ActDialog(dialog(r, c, "labels"), []ui.FieldView{priorityField(r, c.Priority)}, nil, labelChecks(r, c.About())))
	})
}

func (s Services) label(r *desk.Request) error {
	return s.act(r, "chat.done.labels", func(id int64) error {
		version, err := r.Version()
		if err != nil {
			return err
		}
		_, err = s.Chat.Label(ctxOf(r), r.Actor(), id, version, r.PostFormValues("label"), support.Priority(r.PostFormValue("priority")))
		return err
	}, nil)
}

// priorityField chooses a priority.
func priorityField(r *desk.Request, chosen support.Priority) ui.FieldView {
	f := ui.FieldView{Name: "priority", Label: r.Word("chat.priority")}
	for _, p := range support.Priorities {
		f.Options = append(f.Options, ui.Option{Value: string(p), Label: r.Word("chat.priority." + string(p)), Selected: p == chosen})
	}
	return f
}

// send stores an answer or a note, once per id that the page gave it.
func (s Services) send(r *desk.Request) error {
	c, err := s.conversation(r)
	if err != nil {
		return err
	}
	seen, err := strconv.ParseInt(r.PostFormValue("seen"), 10, 64)
	if err != nil {
		return errs.Field("seen", "field.required")
	}
	draft := support.Draft{ID: r.PostFormValue("id"), Text: r.PostFormValue("text"), Picture: r.PostFormValue("picture"), Seen: seen}
	if r.PostFormValue("mode") == "note" {
		if draft.Then, err = s.mentioning(r, c.ID); err != nil {
			return err
		}
		_, err = s.Chat.AddNote(ctxOf(r), r.Actor(), c.ID, draft)
	} else {
		values, failed := s.values(r, c)
		if failed != nil {
			return failed
		}
		draft.Text, _ = support.Fill(draft.Text, values)
		_, err = s.Chat.Answer(ctxOf(r), r.Actor(), c.ID, draft)
	}
	if err != nil {
		return err
	}
	return r.NoContent(http.StatusNoContent)
}

// typing tells the customer that the member started or stopped typing.
func (s Services) typing(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	if err := s.Chat.Typing(ctxOf(r), id, me(r), r.PostFormValue("typing") == "yes"); err != nil {
		return err
	}
	return r.NoContent(http.StatusNoContent)
}

// seen records how far the member has read an own thread.
func (s Services) seen(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	upTo, err := strconv.ParseInt(r.PostFormValue("last"), 10, 64)
	if err != nil || upTo < 0 {
		return errs.Field("last", "field.required")
	}
	if err := s.Chat.MarkSeen(ctxOf(r), r.Member.ID, id, upTo, true); err != nil {
		return err
	}
	return r.NoContent(http.StatusNoContent)
}

// accept turns on or off that the member takes chats.
func (s Services) accept(r *desk.Request) error {
	if err := s.Chat.Accept(ctxOf(r), r.Actor(), r.PostFormValue("taking") != ""); err != nil {
		return err
	}
	return s.showDuty(r, "")
}

// showDuty answers with the member's own line of the desk, and closes the dialog that was about it.
func (s Services) showDuty(r *desk.Request, done string) error {
	agents, err := s.Chat.Agents(ctxOf(r))
	if err != nil {
		return err
	}
	if done == "" {
		return r.Show(chatview.ShowDuty(duty(r, agents)))
	}
	return r.Show(chatview.DutyDone(duty(r, agents), r.Word(done)))
}

// askLanguages opens the dialog with the languages that the member takes.
func (s Services) askLanguages(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home)
	}
	own, err := s.Chat.LanguagesOf(ctxOf(r), r.Member.ID)
	if err != nil {
		return err
	}
	checks := []ui.CheckView{{Name: "language", ID: "language-any", Value: support.AnyLanguage, Label: r.Word("chat.languages.any"), Hint: r.Word("chat.languages.any.note"), Checked: slices.Contains(own, support.AnyLanguage)}}
	for _, option := range s.languages("") {
		checks = append(checks, ui.CheckView{
			Name: "language", ID: "language-" + strings.ReplaceAll(option.Value, "_", "-"), Value: option.Value, Label: option.Label, Checked: slices.Contains(own, option.Value),
		})
	}
	return r.Dialog(http.StatusOK, chatview.ActDialog(ui.DialogView{
		Title: r.Word("chat.languages.title"), Note: r.Word("chat.languages.note"), Form: ui.FormView{Post: ui.To(home + "/desk/languages"), Swap: ui.SwapNone},
		Act: ui.ButtonView{Label: r.Word("chat.languages.act"), Kind: ui.Primary, Submit: true},
	}, nil, nil, checks))
}

// askAlerts opens the dialog with the member's own alerts, which their browser keeps.
func (s Services) askAlerts(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home)
	}
	return r.Dialog(http.StatusOK, chatview.AlertsDialog(ui.DialogView{
		Title: r.Word("chat.alerts.title"), Note: r.Word("chat.alerts.note"), Cancel: r.Word("ui.close"), Act: ui.ButtonView{Label: r.Word("chat.alerts.done"), Kind: ui.Primary, Closes: true},
	}))
}

// setLanguages stores the languages that the member takes.
func (s Services) setLanguages(r *desk.Request) error {
	languages := r.PostFormValues("language")
	for _, code := range languages {
		if code != support.AnyLanguage && !slices.Contains(notice.Locales, code) {
			return support.ErrLanguages
		}
	}
	if err := s.Chat.SetLanguages(ctxOf(r), r.Actor(), languages); err != nil {
		return err
	}
	return s.showDuty(r, "chat.languages.done")
}
