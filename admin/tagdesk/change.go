package tagdesk

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/platform/errs"
	"candor/app/trader"
	"candor/templates/caseview"
	"candor/templates/ui"
)

// The acts on a tag, as addresses name them.
const (
	nounChange  = "change"
	nounRetire  = "retirement"
	nounRestore = "restoration"
)

func (s Services) actions() []caseengine.Action[tagContext] {
	plain := func(noun, verb string, kind ui.ButtonKind, act func(*desk.Request, tagContext) error) caseengine.Action[tagContext] {
		return caseengine.Action[tagContext]{
			Noun: noun, Verb: verb, Permission: access.TagManage, Kind: kind,
			Dialog: func(cc tagContext, in caseengine.Typed) templ.Component {
				return caseview.Decide(caseview.Dialog{Frame: caseengine.Frame(cc, noun, "tag."+verb, kind, "name", cc.tag.Name), Alert: in.Alert})
			},
			Act: func(r *desk.Request, cc tagContext, _ caseengine.Typed) (caseengine.Flash, error) {
				return caseengine.NewFlash("tag."+verb+".done", "name", cc.tag.Name), act(r, cc)
			},
		}
	}
	return []caseengine.Action[tagContext]{
		plain(nounRetire, "retire", ui.Danger, func(r *desk.Request, cc tagContext) error {
			return s.Traders.RetireTag(cc.Ctx, r.Actor(), cc.tag.ID, cc.tag.Version)
		}),
		plain(nounRestore, "restore", ui.Plain, func(r *desk.Request, cc tagContext) error {
			return s.Traders.RestoreTag(cc.Ctx, r.Actor(), cc.tag.ID, cc.tag.Version)
		}),
		{
			Noun: nounChange, Verb: "change", Permission: access.TagManage, Kind: ui.Primary, Forward: true, Key: "E", Fields: []string{"name", "colour"},
			Dialog: func(cc tagContext, in caseengine.Typed) templ.Component {
				if len(in.Values) == 0 {
					in.Values = map[string]string{"name": cc.tag.Name, "colour": string(cc.tag.Colour)}
				}
				return caseview.Decide(caseview.Dialog{
					Frame: caseengine.Frame(cc, nounChange, "tag.change", ui.Primary, "name", cc.tag.Name), Alert: in.Alert, Fields: fields(cc.T, in),
				})
			},
			Act: func(r *desk.Request, cc tagContext, in caseengine.Typed) (caseengine.Flash, error) {
				d := draft(in.Values)
				return caseengine.NewFlash("tag.change.done", "name", d.Name), s.Traders.ChangeTag(cc.Ctx, r.Actor(), cc.tag.ID, cc.tag.Version, d)
			},
		},
	}
}

// draft is a tag as it was entered.
func draft(values map[string]string) trader.TagDraft {
	return trader.TagDraft{Name: strings.ReplaceAll(strings.ToValidUTF8(values["name"], ""), "\x00", ""), Colour: trader.TagColour(values["colour"])}
}

// fields are the form of a tag.
func fields(word func(key string, pairs ...any) string, in caseengine.Typed) []ui.FieldView {
	colour := in.Field(ui.FieldView{Name: "colour", Label: word("tag.field.colour"), Required: true})
	for _, c := range trader.TagColours {
		colour.Options = append(colour.Options, ui.Option{Value: string(c), Label: word("tag.colour." + string(c)), Selected: string(c) == colour.Value})
	}
	name := in.Field(ui.FieldView{Name: "name", Label: word("tag.field.name"), Hint: word("tag.field.name.hint"), MaxLength: trader.LongestTag, Required: true})
	return []ui.FieldView{name, colour}
}

// openNew answers with the form of a new tag.
func (s Services) openNew(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo(home.String())
	}
	return showNew(r, http.StatusOK, caseengine.Typed{Values: map[string]string{}})
}

func showNew(r *desk.Request, status int, in caseengine.Typed) error {
	return r.Dialog(status, caseview.Decide(caseview.Dialog{
		Frame: ui.DialogView{
			ID: "tag-new", Title: r.Word("tag.new.title"), Note: r.Word("tag.new.note"), Form: ui.FormView{Post: home, Target: ui.TargetDialog, Swap: ui.SwapInside},
			Act: ui.ButtonView{Label: r.Word("tag.new.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: r.Word("act.busy")},
		},
		Fields: fields(r.Word, in),
	}))
}

// make adds the tag that was entered.
func (s Services) make(r *desk.Request) error {
	in := caseengine.Typed{Values: map[string]string{"name": r.PostFormValue("name"), "colour": r.PostFormValue("colour")}}
	made, err := s.Traders.MakeTag(r.Context.Request().Context(), r.Actor(), draft(in.Values))
	if refusal := errs.As(err); refusal != nil && len(refusal.Fields) > 0 {
		in.Errors = r.FieldTexts(err)
		return showNew(r, http.StatusUnprocessableEntity, in)
	}
	if err != nil {
		return err
	}
	return r.RedirectTo(ui.To("/admin/tags/{}", made.ID).String())
}

// named is the name in the facts of an audit entry.
func named(facts string) string {
	var tag struct{ Name string }
	_ = json.Unmarshal([]byte(facts), &tag) // the sentence has no name then
	return tag.Name
}
