package bankdesk

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// setting is a bank account or a channel: something that two people change, field by field.
type setting struct {
	id      int64
	version int
	number  string
	name    string
	sub     string // in the list, beside the name
	note    string // in the list, below
	draft   bool
	live    bool
	values  []value // as they are
	becomes []value // as the open request has them; nil without one
	asked   *approval.Approval
	bank    *comparison // of an account
}

// only is the setting of a list of one.
func only(list []setting, err error) (setting, error) {
	if err != nil {
		return setting{}, err
	}
	return list[0], nil
}

// value is one field of a setting in words.
type value struct {
	key    string // of its label, after the texts' prefix and ".field."
	text   string
	href   string // where the value leads; empty for none
	choice bool   // the text is one of the form's choices, which has words
}

// settings declares a desk of settings of one kind.
type settings struct {
	name, letters, target, texts string
	icon                         ui.IconName
	ask, confirm, suspend        access.Permission
	list                         func(context.Context) ([]setting, error)
	read                         func(context.Context, int64) (setting, error)
	// fields are those of the form, with the values that were typed, or those of the setting; s is the zero value in the form of a new one.
	fields  func(r *desk.Request, s setting, in caseengine.Typed) ([]ui.FieldView, error)
	names   []string // of the fields
	draftOf func(r *desk.Request, values map[string]string) (id int64, err error)
	request func(r *desk.Request, s setting, values map[string]string) error
	approve func(r *desk.Request, s setting, typed string) error
	decline func(r *desk.Request, s setting, note string) error
	stop    func(r *desk.Request, s setting, note string) error // nil where nothing can be suspended
	effect  func(r *desk.Request, s setting) ([]ui.Fact, error)
	more    []caseengine.Action[settingContext]
	// checkTyped refuses a wrong number, which the second person of an account types; nil where nothing is typed.
	checkTyped func(a approval.Approval, typed string) error
}

// settingContext is one setting at the desk.
type settingContext struct {
	caseengine.PageContext
	setting
	kind   settings
	may    func(access.Permission) bool
	effect []ui.Fact
	form   []ui.FieldView
	r      *desk.Request
}

// The acts on a setting, as addresses name them.
const (
	nounChange  = "change"
	nounSuspend = "suspension"
)

// About returns the fields that every case has.
func (cc settingContext) About() caseengine.About {
	return caseengine.About{ID: cc.id, Number: cc.number, Version: cc.version, Target: cc.kind.target, Home: ui.To("/admin/{}", cc.kind.name), Facts: cc.requests()}
}

// requests names the open requests: who decides decides about those that were shown.
func (cc settingContext) requests() string {
	var open []string
	if cc.asked != nil {
		open = append(open, fmt.Sprint(cc.asked.ID, ".", cc.asked.Version))
	}
	if cc.bank != nil && cc.bank.asked != nil {
		open = append(open, fmt.Sprint(cc.bank.asked.ID, ".", cc.bank.asked.Version))
	}
	return strings.Join(open, " ")
}

// Right is the verdict on an act of the member now.
func (cc settingContext) Right(noun string) caseengine.Verdict {
	out := caseengine.Rights{}
	cc.dayRights(out)
	if cc.live && cc.kind.stop != nil {
		out[nounSuspend] = caseengine.Never(errChecker)
		if cc.may(cc.kind.suspend) {
			out[nounSuspend] = caseengine.May
		}
	}
	if cc.asked == nil {
		out[nounChange] = caseengine.No(errAsk)
		if cc.may(cc.kind.ask) {
			out[nounChange] = caseengine.May
		}
		return out[noun]
	}
	out[nounAgree], out[nounRefuse], out[nounWithdraw] = caseengine.No(errSecond), caseengine.Never(errSecond), caseengine.Never(approval.ErrNotRequester)
	switch {
	case cc.asked.RequestedBy == cc.Me:
		out[nounAgree] = caseengine.No(approval.ErrSamePerson)
		out[nounWithdraw] = caseengine.May
	case cc.may(cc.kind.confirm):
		out[nounAgree], out[nounRefuse] = caseengine.May, caseengine.May
	}
	return out[noun]
}

// Refusals of both desks.
var (
	errAsk    = errs.New(errs.Forbidden, "setting.role_maker")
	errSecond = errs.New(errs.Forbidden, "setting.role_checker")
)

// routes lists the routes of a desk of settings.
func (s Services) settingRoutes(k settings) []desk.Route {
	d := s.settingDesk(k)
	return append(d.Routes(),
		desk.Route{Method: http.MethodGet, Path: "/" + k.name + "/new", Permission: k.ask, Handle: k.openNew},
		desk.Route{Method: http.MethodPost, Path: "/" + k.name, Permission: k.ask, Handle: k.addNew},
	)
}

// The tabs of settings.
const (
	tabWaiting  = "waiting"
	tabInactive = "inactive"
)

func (s Services) settingDesk(k settings) caseengine.Desk[settingContext, setting] {
	read := func(r *desk.Request, id int64) (cc settingContext, err error) {
		cc = settingContext{PageContext: caseengine.NewPageContext(r, "case", nil, nil), kind: k, may: r.May, r: r}
		if cc.setting, err = k.read(cc.Ctx, id); err != nil {
			return cc, err
		}
		var people []*int64
		if cc.asked != nil {
			people = append(people, &cc.asked.RequestedBy)
		}
		if cc.bank != nil && cc.bank.asked != nil {
			people = append(people, &cc.bank.asked.RequestedBy)
		}
		if err = cc.Know(s.Staff, people...); err != nil {
			return cc, err
		}
		if cc.effect, err = k.effect(r, cc.setting); err != nil {
			return cc, err
		}
		cc.form, err = k.fields(r, cc.setting, caseengine.Typed{Values: map[string]string{}})
		return cc, err
	}
	return caseengine.Desk[settingContext, setting]{
		List: s.settingList(k), Read: read, Item: func(cc settingContext) setting { return cc.setting }, Show: showSetting, History: settingContext.step, Actions: append(k.more, k.actions()...),
		State: approval.ErrState, Changed: approval.ErrChanged, FieldErrors: map[string]error{"why": approval.ErrNote},
	}
}

func (s Services) settingList(k settings) caseengine.List[setting] {
	return caseengine.List[setting]{
		Name: k.name, Letters: k.letters, Target: k.target, Texts: k.texts, Icon: k.icon, View: access.StatementView, Audit: s.Audit,
		Tabs: []caseengine.Tab{{Label: k.texts + ".tab.live"}, {Name: tabWaiting, Label: "setting.tab.waiting"}, {Name: tabInactive, Label: k.texts + ".tab.inactive"}},
		ID:   func(item setting) int64 { return item.id },
		Counts: func(ctx context.Context) (map[string]int64, error) {
			list, err := k.list(ctx)
			counts := map[string]int64{}
			for _, item := range list {
				counts[item.tab()]++
				if item.asked != nil {
					counts[tabWaiting]++
				}
			}
			return counts, err
		},
		Find: func(r *desk.Request, sel caseengine.Selection, _ caseengine.Cursor, _ int) ([]setting, caseengine.Cursor, error) {
			list, err := k.list(ctxOf(r))
			return slices.DeleteFunc(list, func(item setting) bool { return !item.in(sel.Tab()) }), caseengine.Cursor{}, err
		},
		Rows: func(r *desk.Request, list []setting) ([]caseengine.Row, error) {
			rows := make([]caseengine.Row, len(list))
			for i, item := range list {
				rows[i] = caseengine.Row{QueueRowView: ui.QueueRowView{Title: item.name, Sub: item.sub, Text: item.number, State: item.chip(r.Word, k.texts), Note: item.note}}
			}
			return rows, nil
		},
		Buttons: func(r *desk.Request) []ui.ButtonView {
			if !r.May(k.ask) {
				return nil
			}
			return []ui.ButtonView{{Label: r.Word(k.texts + ".new.open"), Icon: ui.IconPlus, Size: ui.Small, Key: "N", HX: ui.OpenDialog(ui.To("/admin/{}/new", k.name))}}
		},
	}
}

func (item setting) tab() string {
	if item.live {
		return ""
	}
	return tabInactive
}

// in reports whether a tab has the setting.
func (item setting) in(tab string) bool {
	if tab == tabWaiting {
		return item.asked != nil
	}
	return item.tab() == tab
}

// chip is the state of a setting.
func (item setting) chip(word func(string, ...any) string, texts string) *ui.ChipView {
	switch {
	case item.asked != nil:
		return &ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconPeople, Label: word("bankline.chip.asked")}
	case item.draft:
		return &ui.ChipView{Label: word("setting.chip.draft")}
	case item.live:
		return &ui.ChipView{Icon: ui.IconCheck, Label: word(texts + ".chip.live")}
	}
	return &ui.ChipView{Tone: ui.ToneError, Icon: ui.IconPause, Label: word(texts + ".chip.inactive")}
}

// shown is a value in words. The second person doesn't see the account's number before typing it.
func (cc settingContext) shown(v value) string {
	if v.key == "iban" && cc.kind.checkTyped != nil && cc.Right(nounAgree).OK {
		return cc.T("account.iban.hidden")
	}
	if v.choice && v.text != "" {
		return cc.T(cc.kind.texts + ".choice." + v.text)
	}
	return v.text
}

// label is the label of a field.
func (k settings) label(word func(string, ...any) string, key string) string {
	return word(k.texts + ".field." + key)
}

// showSetting is the page of a setting: as it is, and what a request changes.
func showSetting(cc settingContext) (caseview.Detail, error) {
	view := caseview.Detail{
		Head: caseview.Head{Chips: []ui.ChipView{*cc.chip(cc.T, cc.kind.texts)}}, Figures: []ui.StatView{{Label: cc.kind.label(cc.T, "name"), Value: cc.name, Main: true}},
		Foot: caseview.Foot{Title: cc.chip(cc.T, cc.kind.texts).Label},
	}
	if cc.asked != nil {
		view.Foot.People, view.Foot.Title = cc.people(), cc.T("deposit.foot.two")
		view.Main = append(view.Main, caseview.Section{Title: cc.T("setting.change"), Note: cc.Name(&cc.asked.RequestedBy) + ", " + cc.At(cc.asked.RequestedAt), Body: ui.Diff(cc.diff())})
	}
	view.Main = append(view.Main, cc.bankSections()...)
	var facts []ui.Fact
	for _, v := range cc.values {
		facts = append(facts, ui.Fact{Label: cc.kind.label(cc.T, v.key), Value: orDash(cc.shown(v)), Href: v.href})
	}
	view.Main = append(view.Main, caseview.FactsSection(cc.T("setting.now"), facts))
	if len(cc.effect) > 0 {
		view.Main = append(view.Main, caseview.FactsSection(cc.T("setting.effect"), cc.effect))
	}
	return view, nil
}

// diff is what the request changes.
func (cc settingContext) diff() (view ui.DiffView) {
	for i, was := range cc.values {
		if becomes := cc.becomes[i]; becomes.text != was.text || cc.draft && becomes.text != "" {
			before := cc.shown(was)
			if cc.draft {
				before = ""
			}
			view.Changes = append(view.Changes, ui.FieldDiff{Field: cc.kind.label(cc.T, was.key), Before: before, After: cc.shown(becomes)})
		}
	}
	view.Note = cc.asked.Note
	return view
}

func (cc settingContext) people() []ui.Person {
	none := caseengine.Verdict{}
	return []ui.Person{cc.Circle(&cc.asked.RequestedBy, none, none, staff.Claim{}), cc.Circle(nil, cc.Right(nounAgree), none, staff.Claim{})}
}

func (cc settingContext) step(e audit.Entry) ui.StepView {
	_, act, _ := strings.Cut(e.Action, ".")
	step, _ := cc.Step(settingActs, strings.TrimSuffix(strings.TrimSuffix(act, "_account"), "_day"), e)
	step.Text = e.ActorName + " " + cc.T("audit."+e.Action, "target", cc.number)
	return step
}

// settingActs are the icons of a history's acts.
var settingActs = map[string]ui.StepView{
	"draft": {Icon: ui.IconPlus}, "request": {Icon: ui.IconPeople}, "approve": {Icon: ui.IconCheck, State: ui.StepDone}, "refuse": {Icon: ui.IconClose, State: ui.StepBad},
	"withdraw": {Icon: ui.IconUndo}, "expire": {Icon: ui.IconClock}, "suspend": {Icon: ui.IconPause, State: ui.StepBad},
}

// actions are the dialogs in the order of their buttons, the way forward last.
func (k settings) actions() []caseengine.Action[settingContext] {
	note := func(cc settingContext, in caseengine.Typed, key string) ui.FieldView {
		return in.Field(ui.FieldView{Name: "why", Label: cc.T("setting.field." + key), StaffOnly: true, Rows: 3, MaxLength: approval.MaxNote, Required: true})
	}
	checkNote := func(_ settingContext, in caseengine.Typed) error { return approval.CheckNote(in.Values["why"]) }
	noted := func(noun, verb, key string, p access.Permission, act func(*desk.Request, setting, string) error) caseengine.Action[settingContext] {
		return caseengine.Action[settingContext]{
			Noun: noun, Verb: verb, Texts: "setting", Permission: p, Kind: ui.Danger, Fields: []string{"why"}, Check: checkNote,
			Dialog: func(cc settingContext, in caseengine.Typed) templ.Component {
				d := cc.dialog(in, noun, verb, ui.Danger)
				d.Fields = []ui.FieldView{note(cc, in, key)}
				return caseview.Decide(d)
			},
			Act: func(r *desk.Request, cc settingContext, in caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("setting."+verb+".done", "name", cc.name), act(r, cc.setting, in.Values["why"])
			},
		}
	}
	refuse := noted(nounRefuse, "refuse", "refusal", k.confirm, k.decline)
	refuse.Bound = true
	list := []caseengine.Action[settingContext]{
		{
			Noun: nounChange, Verb: "change", Texts: "setting", Permission: k.ask, Kind: ui.Primary, Forward: true, Key: "E", Fields: append([]string{"why"}, k.names...), Dialog: changeDialog,
			Act: func(r *desk.Request, cc settingContext, in caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("setting.change.done", "name", cc.name), k.request(r, cc.setting, in.Values)
			},
		},
		{
			Noun: nounWithdraw, Verb: "withdraw", Texts: "setting", Permission: k.ask, Kind: ui.Danger,
			Dialog: func(cc settingContext, in caseengine.Typed) templ.Component {
				return caseview.Decide(cc.dialog(in, nounWithdraw, "withdraw", ui.Danger))
			},
			Act: func(r *desk.Request, cc settingContext, _ caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("setting.withdraw.done", "name", cc.name), k.decline(r, cc.setting, "")
			},
		},
		refuse,
		{
			Noun: nounAgree, Verb: "agree", Texts: "setting", Permission: k.confirm, Kind: ui.Primary, Forward: true, Key: "A", Bound: true, Fields: []string{"iban"}, StepUp: k.target + ".approve", Dialog: agreeSetting,
			Check: func(cc settingContext, in caseengine.Typed) error { // before the code is used up
				if k.checkTyped == nil {
					return nil
				}
				return k.checkTyped(*cc.asked, in.Values["iban"])
			},
			Act: func(r *desk.Request, cc settingContext, in caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("setting.agree.done", "name", cc.name), k.approve(r, cc.setting, in.Values["iban"])
			},
		},
	}
	if k.stop != nil {
		list = append([]caseengine.Action[settingContext]{noted(nounSuspend, "suspend", "reason", k.suspend, k.stop)}, list...)
	}
	return list
}

// dialog is the frame of a dialog about the setting.
func (cc settingContext) dialog(in caseengine.Typed, noun, verb string, kind ui.ButtonKind) caseview.Dialog {
	frame := caseengine.Frame(cc, noun, "setting."+verb, kind, "name", cc.name)
	frame.Act.Busy = cc.T("act.busy")
	return caseview.Dialog{Frame: frame, Alert: in.Alert}
}

// changeDialog is the form of a request, filled in with the values of now.
func changeDialog(cc settingContext, in caseengine.Typed) templ.Component {
	d := cc.dialog(in, nounChange, "change", ui.Primary)
	d.People, d.Two = []ui.Person{cc.Open(true), cc.Open(false)}, cc.T("setting.change.two")
	fields, err := cc.kind.fields(cc.r, cc.setting, in)
	if err != nil { // the form that was read with the page
		fields = cc.form
	}
	d.Fields = slices.Concat(fields, []ui.FieldView{in.Field(ui.FieldView{Name: "why", Label: cc.T("setting.field.reason"), StaffOnly: true, Rows: 3, MaxLength: approval.MaxNote, Required: true})})
	return caseview.Decide(d)
}

// agreeSetting shows the change again; the second person of an account types its number from the bank's letter.
func agreeSetting(cc settingContext, in caseengine.Typed) templ.Component {
	d := cc.dialog(in, nounAgree, "agree", ui.Primary)
	for _, change := range cc.diff().Changes {
		d.Facts = append(d.Facts, ui.Fact{Label: change.Field, Value: orDash(change.After), Note: change.Before, Strong: true})
	}
	d.Facts = append(append(d.Facts, ui.Fact{Label: cc.T("setting.field.reason"), Value: cc.asked.Note}), cc.effect...)
	d.People, d.Two = cc.people(), cc.T("bankline.agree.two")
	if cc.kind.checkTyped != nil {
		d.Fields = append(d.Fields, in.Field(ui.FieldView{Name: "iban", Label: cc.T("account.field.iban"), Hint: cc.T("account.iban.typed"), MaxLength: 42, Required: true}))
	}
	d.Fields = append(d.Fields, in.Code)
	return caseview.Decide(d)
}

// openNew opens the form of a new setting.
func (k settings) openNew(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(ui.To("/admin/{}", k.name).String())
	}
	return k.newDialog(r, http.StatusOK, caseengine.Typed{Values: map[string]string{}})
}

func (k settings) newDialog(r *desk.Request, status int, in caseengine.Typed) error {
	fields, err := k.fields(r, setting{}, in)
	if err != nil {
		return err
	}
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Alert: in.Alert, Fields: fields,
		Frame: ui.DialogView{
			Title: r.Word(k.texts + ".new.title"), Note: r.Word("setting.new.note"), Form: ui.FormView{Post: ui.To("/admin/{}", k.name), Target: ui.At("dialog"), Swap: ui.SwapInside},
			Act: ui.ButtonView{Label: r.Word("setting.new.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
		},
	}))
}

// addNew adds a draft and opens it.
func (k settings) addNew(r *desk.Request) error {
	in := caseengine.Typed{Values: map[string]string{}}
	for _, name := range k.names {
		in.Values[name] = strings.ToValidUTF8(r.PostFormValue(name), "")
	}
	id, err := k.draftOf(r, in.Values)
	if refusal := errs.As(err); refusal != nil {
		if in.Errors = r.FieldTexts(err); len(in.Errors) == 0 {
			in.Alert = &ui.AlertView{Tone: ui.ToneError, Title: r.Text(err)}
		}
		return k.newDialog(r, http.StatusUnprocessableEntity, in)
	}
	if err != nil {
		return err
	}
	r.Context.Response().Header().Set("HX-Redirect", ui.To("/admin/{}/{}", k.name, id).String())
	return r.Context.NoContent(http.StatusNoContent)
}
