package newsdesk

import (
	"context"
	"encoding/hex"
	"net/http"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/notice"
	"candor/templates/newsview"
	"candor/templates/ui"
)

// decision is a decision on an item.
type decision struct {
	name       string // in the keys of its texts
	path       string
	kind       ui.ButtonKind
	permission access.Permission
	reason     bool // requires a reason
	offered    func(r *desk.Request, w notice.ItemDetails) bool
	do         act
}

// input is the input of a decision's dialog.
type input struct {
	reason string
	again  bool   // show it to all readers again
	facts  []byte // that an approval is bound to
}

type act func(s *notice.Service, ctx context.Context, by audit.Actor, id int64, version int, in input) (notice.Item, error)

// plain is an act without input.
func plain(do func(*notice.Service, context.Context, audit.Actor, int64, int) (notice.Item, error)) act {
	return func(s *notice.Service, ctx context.Context, by audit.Actor, id int64, version int, _ input) (notice.Item, error) {
		return do(s, ctx, by, id, version)
	}
}

// because is an act with a reason.
func because(do func(*notice.Service, context.Context, audit.Actor, int64, int, string) (notice.Item, error)) act {
	return func(s *notice.Service, ctx context.Context, by audit.Actor, id int64, version int, in input) (notice.Item, error) {
		return do(s, ctx, by, id, version, in.reason)
	}
}

func submit(s *notice.Service, ctx context.Context, by audit.Actor, id int64, version int, in input) (notice.Item, error) {
	return s.Submit(ctx, by, id, version, in.again)
}

func approve(s *notice.Service, ctx context.Context, by audit.Actor, id int64, version int, in input) (notice.Item, error) {
	return s.Approve(ctx, by, id, version, in.facts)
}

func edits(from notice.State) func(*desk.Request, notice.ItemDetails) bool {
	return func(r *desk.Request, w notice.ItemDetails) bool {
		return r.May(access.ContentEdit) && w.Newest.State == from
	}
}

// second reports whether the member may decide as the second person.
func second(r *desk.Request, w notice.ItemDetails) bool {
	return r.May(access.ContentPublish) && w.Newest.Stage() == notice.InReview && !w.Newest.TookPart(r.Member.ID)
}

// The decisions, in the order of their buttons.
var decisions = []decision{
	{"archive", "archiving", ui.Plain, access.ContentPublish, false, func(r *desk.Request, w notice.ItemDetails) bool {
		return r.May(access.ContentPublish) && w.Newest.State.MayArchive()
	}, plain((*notice.Service).Archive)},
	{"unpublish", "removal", ui.Danger, access.ContentPublish, true, func(r *desk.Request, w notice.ItemDetails) bool {
		return r.May(access.ContentPublish) && w.Item.LiveID != nil
	}, because((*notice.Service).Unpublish)},
	{"recall", "recall", ui.Plain, access.ContentEdit, false, edits(notice.Submitted), plain((*notice.Service).Recall)},
	{"submit", "submission", ui.Primary, access.ContentEdit, false, edits(notice.Drafted), submit},
	{"reject", "rejection", ui.Plain, access.ContentPublish, true, second, because((*notice.Service).Reject)},
	{"approve", "approval", ui.Primary, access.ContentPublish, false, second, approve},
}

// publishes reports whether the decision leads to readers: an item that is not ready offers it with the reason why not.
func (o decision) publishes() bool { return o.name == "submit" || o.name == "approve" }

func (o decision) address(id int64) ui.Path { return ui.To("/admin/content/{}/"+o.path, id) }

// askDecision opens the dialog of a decision: the differences from the live revision, its time window and its audience.
func (s Services) askDecision(o decision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		id, err := r.ID("id")
		if err != nil {
			return err
		}
		if !r.Partial() {
			return r.RedirectTo(path(id).String())
		}
		whole, err := s.Notices.Get(ctxOf(r), id)
		if err != nil {
			return err
		}
		if !o.offered(r, whole) {
			return notice.ErrState
		}
		return s.showDecision(r, http.StatusOK, o, whole, "", nil)
	}
}

func (s Services) showDecision(r *desk.Request, status int, o decision, w notice.ItemDetails, reason string, problems map[string]string) error {
	textKey := "content." + o.name
	facts := []ui.Fact{
		{Label: word(r, "content.title"), Value: w.Text(notice.Default).Title, Strong: true}, {Label: word(r, "content.shown"), Value: window(r, w.Newest.Settings)},
		{Label: word(r, "content.languages"), Value: word(r, "content.coverage", "n", len(w.Texts), "of", len(notice.Locales))},
		{Label: word(r, "content.author"), Value: author(r, w.Newest.AuthorName)},
	}
	seenBy, err := s.seenBy(r, w.Newest.Settings)
	if err != nil {
		return err
	}
	facts = append(facts, seenBy...)
	if w.Newest.State == notice.Submitted && w.Newest.Again {
		facts = append(facts, ui.Fact{Label: word(r, "content.again"), Value: word(r, "content.yes"), Strong: true})
	}
	view := newsview.Decision{
		Dialog: ui.DialogView{
			Title: word(r, textKey+".title", "number", notice.Number(w.Item.ID)), Note: word(r, textKey+".note"),
			Form:  ui.FormView{Post: o.address(w.Item.ID), Target: ui.At("content"), Swap: ui.SwapInside, Hidden: []ui.Hidden{{Name: "version", Value: strconv.Itoa(w.Item.Version)}}},
			Act:   ui.ButtonView{Label: word(r, textKey+".act"), Kind: o.kind, Submit: true, Money: true, Busy: word(r, "act.busy")},
			Facts: ui.Facts(ui.FactsView{Wide: true, Items: facts}),
		},
	}
	if o.kind == ui.Plain {
		view.Dialog.Act.Kind = ui.Primary
	}
	if o.reason {
		view.Reason = &ui.FieldView{Name: "reason", Label: word(r, "content.reason"), Value: reason, Error: problems["reason"], MaxLength: 500, Required: true}
	}
	if o.publishes() {
		before := 0
		if live := w.Live(); live != nil {
			before = live.Number
		}
		parts, err := s.difference(r, w.Item.ID, w.Newest.Number, before)
		if err != nil {
			return err
		}
		view.Parts = parts
	}
	if o.name == "approve" {
		hidden := ui.Hidden{Name: "facts", Value: hex.EncodeToString(w.Newest.Approval.Facts)}
		view.Dialog.Form.Hidden = append(view.Dialog.Form.Hidden, hidden)
	}
	if o.name == "submit" && w.MayNotifyAgain() {
		view.Again = &ui.CheckView{Name: "again", Label: word(r, "content.again"), Hint: word(r, "content.again.hint"), Checked: w.Newest.MustAck}
	}
	return r.Dialog(status, newsview.DecisionDialog(view))
}

func (s Services) decide(o decision) func(*desk.Request) error {
	return func(r *desk.Request) error {
		id, err := r.ID("id")
		if err != nil {
			return err
		}
		version, err := r.Version()
		if err != nil {
			return err
		}
		facts, err := hex.DecodeString(r.PostFormValue("facts"))
		if err != nil {
			return approval.ErrChanged
		}
		in := input{r.PostFormValue("reason"), r.PostFormValue("again") != "", facts}
		_, err = o.do(s.Notices, ctxOf(r), r.Actor(), id, version, in)
		if problems := r.FieldTexts(err); problems["reason"] != "" {
			whole, err := s.Notices.Get(ctxOf(r), id)
			if err != nil {
				return err
			}
			return s.showDecision(r, http.StatusUnprocessableEntity, o, whole, in.reason, problems)
		}
		if err != nil {
			return err
		}
		return s.done(r, id, word(r, "content."+o.name+".done", "number", notice.Number(id)))
	}
}
