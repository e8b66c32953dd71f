package tradedesk

import (
	"net/http"
	"net/url"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/task"
	"candor/app/trader"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// notes shows the notes of staff about a trader. Notes are only added, and the trader never reads them.
func (s Services) notes(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	return s.showNotes(r, sub, http.StatusOK, typed{})
}

func (s Services) showNotes(r *desk.Request, sub subject, status int, in typed) error {
	before := keyset(r, "before")
	list, next, err := s.Traders.Notes(sub.ctx, sub.trader.ID, before, pageSize)
	if err != nil {
		return err
	}
	frame, err := s.tabFrame(r, sub, "notes")
	if err != nil {
		return err
	}
	v := tradeview.Notes{
		Add: ui.FormView{Post: sub.path("notes"), Plain: true},
		Field: in.field(ui.FieldView{
			Name: "note", Label: sub.t("trader.notes.add"), Hint: sub.t("trader.notes.hint"), Rows: 3, MaxLength: trader.LongestStaffNote, Required: true, StaffOnly: true, Mentions: ui.To("/admin/colleagues/trader"),
		}),
		Act:   ui.ButtonView{Label: sub.t("trader.notes.act"), Kind: ui.Primary, Submit: true, Money: true, Busy: sub.t("trader.notes.busy")},
		Empty: sub.t("trader.notes.none"), Pages: turn(sub.path("notes"), url.Values{}, "before", before, next),
	}
	for _, n := range list {
		v.List = append(v.List, tradeview.Note{Author: n.Author, Text: n.Text, Time: sub.at(n.CreatedAt), UTC: ui.Stamp(n.CreatedAt)})
	}
	return r.ShowStatus(status, tradeview.NotesPage(r.Page(frame.Number, navItem), frame, v))
}

// addNote adds a note.
func (s Services) addNote(r *desk.Request) error {
	sub, err := s.read(r)
	if err != nil {
		return err
	}
	in := read(r, "note")
	people, err := r.Colleagues(access.TraderNotes)
	if err != nil {
		return err
	}
	err = s.Traders.AddNote(sub.ctx, r.Actor(), sub.trader.ID, in.values["note"], func(tx *db.Tx, id int64) error {
		note := task.Note{Place: task.AboutTrader, PlaceID: sub.trader.ID, NoteID: id, Text: in.values["note"]}
		return s.Tasks.MentionTx(sub.ctx, tx, r.Actor(), note, task.Mentioned(note.Text, people))
	})
	if refusal := errs.As(err); refusal != nil && len(refusal.Fields) > 0 {
		in.errors = map[string]string{"note": word(r, refusal.Fields["note"])}
		return s.showNotes(r, sub, http.StatusUnprocessableEntity, in)
	}
	if err != nil {
		return err
	}
	return r.RedirectTo(sub.path("notes").String())
}
