package chatdesk

import (
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

const macrosPath = home + "/macros"

func (s Services) macros(r *desk.Request) error {
	page, err := s.readMacros(r)
	if err != nil {
		return err
	}
	page.Tabs = settings(r, "macros")
	return r.Show(chatview.MacrosPage(r.Page(r.Word("chat.settings"), navItem), page))
}

func (s Services) readMacros(r *desk.Request) (p chatview.Macros, err error) {
	list, err := s.Chat.Macros(ctxOf(r))
	if err != nil {
		return p, err
	}
	may := r.May(access.ChatLead)
	if may {
		p.Add = &ui.ButtonView{Label: r.Word("chat.macros.add"), Icon: ui.IconPlus, Kind: ui.Primary, Size: ui.Small, Key: "N", HX: ui.OpenDialog(ui.To(home + "/macro"))}
	}
	for _, m := range list {
		row := chatview.Macro{ID: number(m.ID), Name: m.Name, Steps: steps(r, m), Key: keyText(m), Changed: at(r, m.ChangedAt)}
		if may {
			row.Edit = &ui.ButtonView{Label: r.Word("chat.macros.edit"), Size: ui.Tiny, HX: ui.OpenDialog(ui.To(macrosPath+"/{}", m.ID))}
			row.Remove = &ui.ButtonView{Label: r.Word("chat.macros.remove"), Size: ui.Tiny, Kind: ui.Danger, HX: ui.OpenDialog(ui.To(macrosPath+"/{}/removal", m.ID))}
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

// keyText is the shortcut of a macro; empty without one.
func keyText(m support.Macro) string {
	if m.Key == nil {
		return ""
	}
	return "⇧" + strconv.Itoa(*m.Key)
}

// steps are what a macro does, in words.
func steps(r *desk.Request, m support.Macro) (out []string) {
	if m.Reply != "" {
		out = append(out, r.Word("chat.macros.step.reply", "name", "/"+m.Reply))
	}
	if m.Priority != nil {
		out = append(out, r.Word("chat.macros.step.priority", "priority", r.Word("chat.priority."+string(*m.Priority))))
	}
	if m.Labels != "" {
		out = append(out, r.Word("chat.macros.step.labels", "labels", labels(r, support.Conversation{Labels: m.Labels})))
	}
	switch m.Ending {
	case support.EndResolve:
		out = append(out, r.Word("chat.macros.step.resolve"))
	case support.EndSnooze:
		out = append(out, r.Word("chat.macros.step.snooze", "until", r.Word("chat.snooze."+m.Snooze)))
	case support.EndTransfer:
		if m.TransferTo == nil {
			return append(out, r.Word("chat.macros.step.queue"))
		}
		out = append(out, r.Word("chat.macros.step.transfer", "name", m.TransferName))
	case support.NoEnding:
	}
	return out
}

// macro reads the macro in the address; the zero value for a new one.
func (s Services) macro(r *desk.Request) (m support.Macro, err error) {
	if r.Param("macro") == "" {
		return support.Macro{Ending: support.NoEnding}, nil
	}
	id, err := r.ID("macro")
	if err != nil {
		return m, err
	}
	return s.Chat.Macro(ctxOf(r), id)
}

func (s Services) askMacro(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(macrosPath)
	}
	m, err := s.macro(r)
	if err != nil {
		return err
	}
	return s.showMacro(r, http.StatusOK, m, nil)
}

func (s Services) showMacro(r *desk.Request, status int, m support.Macro, refused error) error {
	problems := r.FieldTexts(refused)
	replies, err := s.Chat.ReplyNames(ctxOf(r))
	if err != nil {
		return err
	}
	ending, err := s.endingField(r, m)
	if err != nil {
		return err
	}
	title, send := "chat.macros.add", ui.To(macrosPath)
	if m.ID != 0 {
		title, send = "chat.macros.edit", ui.To(macrosPath+"/{}", m.ID)
	}
	name := ui.FieldView{Name: "name", Label: r.Word("chat.macros.name"), Value: m.Name, MaxLength: support.LongestMacroName, Required: true}
	key := ui.FieldView{Name: "key", Label: r.Word("chat.macros.key"), Hint: r.Word("chat.macros.key.hint"), Options: []ui.Option{{Label: r.Word("chat.macros.key.none")}}}
	for n := 1; n <= support.MostKeys; n++ {
		key.Options = append(key.Options, ui.Option{Value: strconv.Itoa(n), Label: "⇧" + strconv.Itoa(n), Selected: m.Key != nil && *m.Key == n})
	}
	reply := ui.FieldView{Name: "reply", Label: r.Word("chat.macros.reply"), Hint: r.Word("chat.macros.reply.hint"), Options: []ui.Option{{Label: r.Word("chat.macros.reply.none")}}}
	for _, slug := range replies {
		reply.Options = append(reply.Options, ui.Option{Value: slug, Label: "/" + slug, Selected: slug == m.Reply})
	}
	priority := priorityField(r, "")
	priority.Options = append([]ui.Option{{Label: r.Word("chat.macros.priority.none"), Selected: m.Priority == nil}}, priority.Options...)
	for i, option := range priority.Options {
		priority.Options[i].Selected = m.Priority != nil && option.Value == string(*m.Priority) || m.Priority == nil && i == 0
	}
	fields := []ui.FieldView{name, key, reply, priority, ending}
	for i := range fields {
		fields[i].Error = problems[fields[i].Name]
	}
	return r.Dialog(status, chatview.MacroDialog(ui.DialogView{
		Title: r.Word(title), Note: r.Word("chat.macros.note"),
		Form: ui.FormView{Post: send, Target: ui.At("macros"), Swap: ui.SwapWhole, Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(m.Version)}}},
		Act:  ui.ButtonView{Label: r.Word("chat.macros.save"), Kind: ui.Primary, Submit: true},
	}, chatview.MacroForm{Fields: fields[:4], Labels: labelChecks(r, m.About()), Ending: fields[4]}))
}

// labelChecks are the labels to choose from.
func labelChecks(r *desk.Request, chosen []string) (checks []ui.CheckView) {
	for _, label := range support.Labels {
		checked := false
		for _, about := range chosen {
			checked = checked || about == label
		}
		checks = append(checks, ui.CheckView{Name: "label", ID: "label-" + label, Value: label, Label: r.Word("chat.label." + label), Checked: checked})
	}
	return checks
}

// endingField chooses the last step: "resolve", "snooze.monday", "transfer.0" to the queue or "transfer.12" to a colleague who answers.
func (s Services) endingField(r *desk.Request, m support.Macro) (ui.FieldView, error) {
	f := ui.FieldView{Name: "ending", Label: r.Word("chat.macros.ending")}
	chosen := endingValue(m)
	add := func(value, label string) {
		f.Options = append(f.Options, ui.Option{Value: value, Label: label, Selected: value == chosen})
	}
	add(string(support.NoEnding), r.Word("chat.macros.ending.none"))
	add(string(support.EndResolve), r.Word("chat.macros.step.resolve"))
	for _, name := range support.Snoozes {
		add("snooze."+name, r.Word("chat.macros.step.snooze", "until", r.Word("chat.snooze."+name)))
	}
	add("transfer.0", r.Word("chat.macros.step.queue"))
	people, err := r.Colleagues(access.ChatAnswer)
	for _, one := range people {
		add("transfer."+number(one.ID), r.Word("chat.macros.step.transfer", "name", one.Name))
	}
	if r.May(access.ChatAnswer) {
		add("transfer."+number(r.Member.ID), r.Word("chat.macros.step.transfer", "name", r.Member.Name))
	}
	return f, err
}

func endingValue(m support.Macro) string {
	switch m.Ending {
	case support.EndSnooze:
		return "snooze." + m.Snooze
	case support.EndTransfer:
		if m.TransferTo == nil {
			return "transfer.0"
		}
		return "transfer." + number(*m.TransferTo)
	case support.NoEnding, support.EndResolve:
	}
	return string(m.Ending)
}

// postMacro reads the fields of the form into a macro.
func postMacro(r *desk.Request, m *support.Macro) (err error) {
	m.Name, m.Reply, m.Labels = r.PostFormValue("name"), r.PostFormValue("reply"), strings.Join(r.PostFormValues("label"), ",")
	m.Key, m.Priority, m.TransferTo = nil, nil, nil
	if text := r.PostFormValue("key"); text != "" {
		key, err := strconv.Atoi(text)
		if err != nil {
			return support.ErrMacroKey
		}
		m.Key = &key
	}
	if text := r.PostFormValue("priority"); text != "" {
		p := support.Priority(text)
		m.Priority = &p
	}
	ending, rest, _ := strings.Cut(r.PostFormValue("ending"), ".")
	m.Ending, m.Snooze = support.Ending(ending), rest
	if m.Ending == support.EndTransfer {
		to, err := strconv.ParseInt(rest, 10, 64)
		if err != nil || to < 0 {
			return support.ErrMacroEnd
		}
		if to > 0 {
			m.TransferTo = &to
		}
	}
	if m.Version, err = desk.ParseCount(r.PostFormValue("version")); err != nil {
		return errs.Field("version", "field.required")
	}
	return nil
}

func (s Services) saveMacro(r *desk.Request) error {
	m, err := s.macro(r)
	if err != nil {
		return err
	}
	if err = postMacro(r, &m); err == nil {
		err = s.Chat.SaveMacro(ctxOf(r), r.Actor(), m)
	}
	if r.FieldTexts(err) != nil {
		return s.showMacro(r, http.StatusUnprocessableEntity, m, err)
	}
	if err != nil {
		return err
	}
	return s.macrosDone(r, "chat.macros.saved")
}

func (s Services) macrosDone(r *desk.Request, words string) error {
	page, err := s.readMacros(r)
	if err != nil {
		return err
	}
	return r.Show(chatview.MacrosDone(page, r.Word(words)))
}

func (s Services) askMacroRemoval(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(macrosPath)
	}
	m, err := s.macro(r)
	if err != nil {
		return err
	}
	return r.Dialog(http.StatusOK, chatview.ActDialog(ui.DialogView{
		Title: r.Word("chat.macros.remove.title", "name", m.Name), Note: r.Word("chat.macros.remove.note"),
		Form: ui.FormView{Post: ui.To(macrosPath+"/{}/removal", m.ID), Target: ui.At("macros"), Swap: ui.SwapWhole, Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(m.Version)}}},
		Act:  ui.ButtonView{Label: r.Word("chat.macros.remove"), Kind: ui.Danger, Submit: true},
	}, nil, nil, nil))
}

func (s Services) removeMacro(r *desk.Request) error {
	id, err := r.ID("macro")
	if err != nil {
		return err
	}
	version, err := r.Version()
	if err != nil {
		return err
	}
	if err := s.Chat.RemoveMacro(ctxOf(r), r.Actor(), id, version); err != nil {
		return err
	}
	return s.macrosDone(r, "chat.macros.removed")
}
