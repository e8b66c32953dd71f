// Package tagdesk keeps the list of tags that staff put on traders.
package tagdesk

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/staff"
	"candor/app/trader"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Traders *trader.Service
	Staff   *staff.Service
	Audit   *audit.Log
}

// home is the address of the list.
var home = ui.To("/admin/tags")

// Routes lists the desk's routes.
func Routes(s Services) []desk.Route {
	return append(s.desk().Routes(),
		desk.Route{Method: http.MethodGet, Path: "/tags/new", Permission: access.TagManage, Handle: s.openNew},
		desk.Route{Method: http.MethodPost, Path: "/tags", Permission: access.TagManage, Handle: s.make},
	)
}

// tagContext is one tag at the desk.
type tagContext struct {
	caseengine.PageContext
	tag     trader.Tag
	traders int64 // that have it, at most db.Stretch
}

// About returns the fields that every case has.
func (cc tagContext) About() caseengine.About {
	return caseengine.About{ID: cc.tag.ID, Number: cc.tag.Number(), Version: cc.tag.Version, Target: "tag", Home: home}
}

// Right is the verdict on an act: whoever sees the list may change it.
func (cc tagContext) Right(noun string) caseengine.Verdict {
	if noun == nounRestore == (cc.tag.RetiredAt == nil) {
		return caseengine.Verdict{}
	}
	return caseengine.May
}

func (s Services) desk() caseengine.Desk[tagContext, trader.Tag] {
	return caseengine.Desk[tagContext, trader.Tag]{
		List: s.list(), Read: s.read, Item: func(cc tagContext) trader.Tag { return cc.tag }, Show: show, History: tagContext.step, Actions: s.actions(),
		State: trader.ErrTagState, Changed: db.ErrChanged,
	}
}

// retired is the tab of the retired tags.
const retired = "retired"

func (s Services) list() caseengine.List[trader.Tag] {
	return caseengine.List[trader.Tag]{
		Name: "tags", Letters: "TG-", Target: "tag", Texts: "tag", Icon: ui.IconTag, View: access.TagManage, Audit: s.Audit,
		Tabs: []caseengine.Tab{{Label: "tag.tab.live"}, {Name: retired, Label: "tag.tab.retired", Over: true}},
		ID:   func(t trader.Tag) int64 { return t.ID },
		Counts: func(ctx context.Context) (map[string]int64, error) {
			list, err := s.in(ctx, "")
			return map[string]int64{"": int64(len(list))}, err
		},
		Find: func(r *desk.Request, sel caseengine.Selection, _ caseengine.Cursor, _ int) ([]trader.Tag, caseengine.Cursor, error) {
			list, err := s.in(r.Context.Request().Context(), sel.Tab())
			return list, caseengine.Cursor{}, err
		},
		Rows: func(r *desk.Request, list []trader.Tag) ([]caseengine.Row, error) {
			rows := make([]caseengine.Row, len(list))
			for i, t := range list {
				chip := ui.Tag(r.Word("tag.colour."+string(t.Colour)), string(t.Colour))
				rows[i] = caseengine.Row{QueueRowView: ui.QueueRowView{Title: t.Name, Text: t.Number(), State: &chip}}
			}
			return rows, nil
		},
		Buttons: func(r *desk.Request) []ui.ButtonView {
			return []ui.ButtonView{{Label: r.Word("tag.new.open"), Icon: ui.IconPlus, Size: ui.Small, Key: "N", HX: ui.OpenDialog(ui.To("/admin/tags/new"))}}
		},
	}
}

// in reads the tags of a tab.
func (s Services) in(ctx context.Context, tab string) (out []trader.Tag, err error) {
	list, err := s.Traders.Tags(ctx)
	for _, t := range list {
		if (t.RetiredAt != nil) == (tab == retired) {
			out = append(out, t)
		}
	}
	return out, err
}

func (s Services) read(r *desk.Request, id int64) (cc tagContext, err error) {
	cc.PageContext = caseengine.NewPageContext(r, "case", nil, nil)
	if cc.tag, err = s.Traders.Tag(cc.Ctx, id); err != nil {
		return cc, err
	}
	if cc.traders, err = s.Traders.CountTagged(cc.Ctx, id); err != nil {
		return cc, err
	}
	return cc, cc.Know(s.Staff, &cc.tag.MadeBy)
}

// show is the page of a tag.
func show(cc tagContext) (caseview.Detail, error) {
	count := ui.Fact{Label: cc.T("tag.fact.traders"), Value: strconv.FormatInt(cc.traders, 10)}
	if cc.traders == db.Stretch {
		count.Value += "+"
	}
	if cc.Traders && cc.traders > 0 {
		count.Href = ui.To("/admin/traders").With("tag", cc.tag.ID).String()
	}
	foot := cc.T("tag.chip.live")
	if cc.tag.RetiredAt != nil {
		foot = cc.T("tag.chip.retired", "at", cc.At(*cc.tag.RetiredAt))
	}
	facts := []ui.Fact{count, {Label: cc.T("tag.fact.made"), Value: cc.Name(&cc.tag.MadeBy), Note: cc.At(cc.tag.MadeAt)}}
	return caseview.Detail{
		Head: caseview.Head{Chips: []ui.ChipView{ui.Tag(cc.tag.Name, string(cc.tag.Colour))}}, Foot: caseview.Foot{Title: foot, Note: cc.T("tag.foot")},
		Main: []caseview.Section{caseview.FactsSection(cc.T("case.facts"), facts)},
	}, nil
}

// acts are the icons of a history's acts.
var acts = map[string]ui.StepView{"make": {Icon: ui.IconPlus}, "change": {Icon: ui.IconDocument}, "retire": {Icon: ui.IconPause}, "restore": {Icon: ui.IconUndo}}

func (cc tagContext) step(e audit.Entry) ui.StepView {
	step, _ := cc.Step(acts, strings.TrimPrefix(e.Action, "tag."), e)
	step.Text = e.ActorName + " " + cc.T("audit."+e.Action, "target", cc.tag.Number(), "name", named(e.After))
	return step
}
