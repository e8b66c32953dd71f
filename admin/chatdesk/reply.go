package chatdesk

import (
	"net/http"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/deposit"
	"candor/app/notice"
	"candor/app/platform/errs"
	"candor/app/support"
	"candor/app/withdrawal"
	"candor/templates/chatview"
	"candor/templates/ui"
)

// values are the variables of prepared answers for a customer, in the customer's language. A variable without data is missing.
func (s Services) values(r *desk.Request, c support.Conversation) (map[string]string, error) {
	out := map[string]string{"agent": r.Member.Name}
	table, err := s.Chat.Timetable(ctxOf(r))
	if err != nil {
		return nil, err
	}
	out["hours"] = s.hoursFor(r, c, table.For(c.Language))
	if c.TraderID == nil {
		return out, nil
	}
	text := func(key string) string { return s.Texts.T(c.Language, key, nil) }
	amount := func(value int64, currency string) string { // customers get no bands: without the right to exact amounts the value stays empty
		if figures := r.Figures(); figures.Exact() {
			return figures.Sum(value, currency)
		}
		return ""
	}
	if r.May(access.WithdrawalView) {
		list, _, err := s.Withdrawals.List(ctxOf(r), *c.TraderID, withdrawal.Filter{Limit: 20})
		if err != nil {
			return nil, err
		}
		for _, w := range list {
			if !w.Ended() {
				out["withdrawal.number"], out["withdrawal.amount"] = w.Number(), amount(w.Amount, w.Currency)
				out["withdrawal.stage"] = text("withdraw.state." + string(w.State) + ".name")
				break
			}
		}
	}
	list, _, err := s.Deposits.List(ctxOf(r), *c.TraderID, deposit.Filter{Limit: 20})
	if err != nil {
		return nil, err
	}
	for _, d := range list {
		if d.Undecided() {
			out["deposit.number"], out["deposit.amount"] = d.Number(), amount(d.Amount, d.Currency)
			out["deposit.stage"] = text("deposit.state." + string(d.State) + ".name")
			break
		}
	}
	t, err := s.Traders.Trader(ctxOf(r), *c.TraderID)
	if err != nil {
		return nil, err
	}
	out["identity.state"] = text("me.auth." + identityKey[t.AuthStatus])
	return out, nil
}

// identityKey maps the spec's authStatus to the app's text keys.
var identityKey = map[int]string{1: "under_review", 2: "failed", 3: "passed", -1: "none", 0: "none"}

// palette answers with the prepared answers that match the text after the slash, filled in for this customer.
func (s Services) palette(r *desk.Request) error {
	c, err := s.conversation(r)
	if err != nil {
		return err
	}
	words := r.QueryParam("q")
	list, err := s.Chat.Replies(ctxOf(r), c.Language, words)
	if err != nil {
		return err
	}
	values, err := s.values(r, c)
	if err != nil {
		return err
	}
	var out []chatview.Suggestion
	for _, reply := range list {
		if reply.Language != c.Language && has(list, reply.Slug, c.Language) {
			continue // the customer's language has its own
		}
		text, missing := support.Fill(reply.Body, values)
		v := chatview.Suggestion{ID: number(reply.ID), Name: reply.Slug, Category: r.Word("chat.label." + reply.Category), Text: text, First: len(out) == 0}
		switch {
		case len(missing) == 0:
		case strings.HasSuffix(missing[0], ".amount") && !r.Figures().Exact():
			v.Missing = r.Word("chat.palette.amount")
		default:
			v.Missing = r.Word("chat.palette.missing", "name", r.Word("chat.variable."+missing[0]))
		}
		if out = append(out, v); len(out) == 8 {
			break
		}
	}
	return r.Show(chatview.Palette(out, words, ui.LanguageName(c.Language)))
}

func has(list []support.Reply, slug, language string) bool {
	for _, reply := range list {
		if reply.Slug == slug && reply.Language == language {
			return true
		}
	}
	return false
}

func (s Services) replies(r *desk.Request) error {
	page, err := s.readReplies(r)
	if err != nil {
		return err
	}
	page.Tabs = settings(r, "answers")
	return r.Show(chatview.RepliesPage(r.Page(r.Word("chat.settings"), navItem), page))
}

func (s Services) readReplies(r *desk.Request) (p chatview.Replies, err error) {
	p.Words = r.QueryParam("q")
	list, err := s.Chat.Replies(ctxOf(r), "", p.Words)
	if err != nil {
		return p, err
	}
	may := r.May(access.ChatLead)
	if may {
		p.Add = &ui.ButtonView{Label: r.Word("chat.replies.add"), Icon: ui.IconPlus, Kind: ui.Primary, Size: ui.Small, Key: "N", HX: ui.OpenDialog(ui.To(home + "/answer"))}
	}
	for _, reply := range list {
		row := chatview.Reply{
			ID: number(reply.ID), Name: "/" + reply.Slug, Language: ui.LanguageName(reply.Language), Category: r.Word("chat.label." + reply.Category), Body: reply.Body, Changed: at(r, reply.ChangedAt),
		}
		if may {
			row.Edit = &ui.ButtonView{Label: r.Word("chat.replies.edit"), Size: ui.Tiny, HX: ui.OpenDialog(ui.To(home+"/answers/{}", reply.ID))}
			row.Remove = &ui.ButtonView{Label: r.Word("chat.replies.remove"), Size: ui.Tiny, Kind: ui.Danger, HX: ui.OpenDialog(ui.To(home+"/answers/{}/removal", reply.ID))}
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

// reply reads the prepared answer in the address; the zero value for a new one.
func (s Services) reply(r *desk.Request) (reply support.Reply, err error) {
	if r.Param("reply") == "" {
		return reply, nil
	}
	id, err := r.ID("reply")
	if err != nil {
		return reply, err
	}
	return s.Chat.Reply(ctxOf(r), id)
}

func (s Services) askReply(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home + "/answers")
	}
	reply, err := s.reply(r)
	if err != nil {
		return err
	}
	return s.showReply(r, http.StatusOK, reply, nil)
}

func (s Services) showReply(r *desk.Request, status int, reply support.Reply, refused error) error {
	problem := func(field string) string {
		if refusal := errs.As(refused); refusal != nil && refusal.Fields[field] != "" {
			return r.Word(refusal.Fields[field])
		}
		return ""
	}
	title, send := "chat.replies.add", ui.To(home+"/answers")
	if reply.ID != 0 {
		title, send = "chat.replies.edit", ui.To(home+"/answers/{}", reply.ID)
	}
	name := ui.FieldView{Name: "slug", Label: r.Word("chat.replies.name"), Value: reply.Slug, MaxLength: 40, Required: true, ReadOnly: reply.ID != 0, Hint: r.Word("chat.replies.name.hint"), Error: problem("slug")}
	language := ui.FieldView{Name: "language", Label: r.Word("chat.replies.language"), Error: problem("language")}
	for _, code := range notice.Locales {
		if reply.ID == 0 || code == reply.Language {
			language.Options = append(language.Options, ui.Option{Value: code, Label: ui.LanguageName(code), Selected: code == reply.Language || reply.Language == "" && code == "en"})
		}
	}
	category := ui.FieldView{Name: "category", Label: r.Word("chat.replies.category"), Error: problem("category")}
	for _, label := range support.Labels {
		category.Options = append(category.Options, ui.Option{Value: label, Label: r.Word("chat.label." + label), Selected: label == reply.Category})
	}
	var names []string
	for _, one := range support.VariableNames {
		names = append(names, "{{"+one+"}}")
	}
	text := ui.FieldView{
		Name: "body", Label: r.Word("chat.replies.body"), Value: reply.Body, MaxLength: support.LongestText, Required: true, Rows: 5, Hint: r.Word("chat.replies.variables", "names", strings.Join(names, " ")),
		Error: problem("body"),
	}
	return r.Dialog(status, chatview.ActDialog(ui.DialogView{
		Title: r.Word(title), Form: ui.FormView{Post: send, Target: ui.At("replies"), Swap: ui.SwapWhole, Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(reply.Version)}}},
		Act: ui.ButtonView{Label: r.Word("chat.replies.save"), Kind: ui.Primary, Submit: true},
	}, []ui.FieldView{name, language, category}, &text, nil))
}

func (s Services) saveReply(r *desk.Request) error {
	reply, err := s.reply(r)
	if err != nil {
		return err
	}
	if reply.ID == 0 {
		reply.Slug, reply.Language = r.PostFormValue("slug"), r.PostFormValue("language")
	}
	reply.Category, reply.Body = r.PostFormValue("category"), r.PostFormValue("body")
	if reply.Version, err = desk.ParseCount(r.PostFormValue("version")); err != nil {
		return errs.Field("version", "field.required")
	}
	if err := s.Chat.SaveReply(ctxOf(r), r.Actor(), reply); err != nil {
		if refusal := errs.As(err); refusal != nil && len(refusal.Fields) > 0 {
			return s.showReply(r, http.StatusUnprocessableEntity, reply, err)
		}
		return err
	}
	return s.repliesDone(r, "chat.replies.saved")
}

func (s Services) repliesDone(r *desk.Request, words string) error {
	page, err := s.readReplies(r)
	if err != nil {
		return err
	}
	return r.Show(chatview.RepliesDone(page, r.Word(words)))
}

func (s Services) askRemoval(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home + "/answers")
	}
	reply, err := s.reply(r)
	if err != nil {
		return err
	}
	return r.Dialog(http.StatusOK, chatview.ActDialog(ui.DialogView{
		Title: r.Word("chat.replies.remove.title", "name", "/"+reply.Slug), Note: r.Word("chat.replies.remove.note"),
		Form: ui.FormView{Post: ui.To(home+"/answers/{}/removal", reply.ID), Target: ui.At("replies"), Swap: ui.SwapWhole, Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(reply.Version)}}},
		Act:  ui.ButtonView{Label: r.Word("chat.replies.remove"), Kind: ui.Danger, Submit: true},
	}, nil, nil, nil))
}

func (s Services) removeReply(r *desk.Request) error {
	id, err := r.ID("reply")
	if err != nil {
		return err
	}
	version, err := r.Version()
	if err != nil {
		return err
	}
	if err := s.Chat.RemoveReply(ctxOf(r), r.Actor(), id, version); err != nil {
		return err
	}
	return s.repliesDone(r, "chat.replies.removed")
}
