package newsdesk

import (
	"net/http"

	"candor/admin/desk"
	"candor/app/notice"
	"candor/templates/newsview"
	"candor/templates/ui"
)

func (s Services) askNew(r *desk.Request) error {
	if !r.Partial() {
		return r.RedirectTo("/admin/content")
	}
	return s.showNew(r, http.StatusOK, nil)
}

func (s Services) showNew(r *desk.Request, status int, problems map[string]string) error {
	kinds := ui.FieldView{Name: "kind", Label: word(r, "content.kind"), Error: problems["kind"]}
	for _, kind := range notice.Kinds {
		if kind != notice.Page {
			kinds.Options = append(kinds.Options, ui.Option{Value: string(kind), Label: word(r, "content.kind."+string(kind))})
		}
	}
	return r.Dialog(status, newsview.NewDialog(ui.DialogView{
		Title: word(r, "content.new.title"), Note: word(r, "content.new.note"),
		Form: ui.FormView{Post: ui.To("/admin/content"), Target: ui.TargetDialog, Swap: ui.SwapInside},
		Act:  ui.ButtonView{Label: word(r, "content.new.act"), Kind: ui.Primary, Submit: true},
	}, kinds))
}

// create creates an item with the default settings of its kind, and opens it for editing.
func (s Services) create(r *desk.Request) error {
	kind := notice.Kind(r.PostFormValue("kind"))
	if len(notice.Categories[kind]) == 0 || kind == notice.Page {
		return s.showNew(r, http.StatusUnprocessableEntity, map[string]string{"kind": word(r, "field.choice")})
	}
	item, err := s.Notices.Create(ctxOf(r), r.Actor(), kind, notice.Settings{
		Category: notice.Categories[kind][0], Placement: notice.Placements[kind][0], Severity: notice.Severities[0], Audience: notice.Audiences[0], Zone: r.Zone().String(),
		Frequency: notice.Once,
	})
	if err != nil {
		return err
	}
	return r.RedirectTo(path(item.ID).String())
}
