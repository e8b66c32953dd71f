package taskdesk

import (
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/staff/member"
	"candor/app/task"
	"candor/templates/caseview"
	"candor/templates/taskview"
	"candor/templates/ui"
)

// mentions declares the list of the notes that name the member.
func (s Services) mentions() caseengine.List[task.Mention] {
	return caseengine.List[task.Mention]{
		Name: "mentions", Letters: "MN-", Target: "mention", Texts: "mention", Icon: ui.IconBell, View: access.TaskView, Audit: s.Audit, Newest: true,
		Part: &caseengine.Part{Path: "/mentions", Show: func(r *desk.Request, q caseview.Queue) error {
			return r.Show(caseview.Show(r.Page(q.Title, "tasks"), caseview.Page{Queue: q}))
		}},
		Columns: []caseengine.Column{{Label: "mention.column.who"}, {Label: "mention.column.where"}, {Label: "mention.column.note"}, {Label: "mention.column.at", Numeric: true}},
		Find:    s.findMentions, Rows: s.mentionRows, ID: func(m task.Mention) int64 { return m.ID }, Hears: s.hearsMention,
		Buttons: func(r *desk.Request) []ui.ButtonView {
			return []ui.ButtonView{{Label: r.Word("task.title"), Icon: ui.IconChevronStart, Size: ui.Small, Href: home.String()}}
		},
	}
}

func (s Services) hearsMention(r *desk.Request, id string) bool {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return false
	}
	_, err = s.Tasks.Mention(ctxOf(r), r.Member.ID, n)
	return err == nil
}

func (s Services) findMentions(r *desk.Request, _ caseengine.Selection, after caseengine.Cursor, limit int) (list []task.Mention, next caseengine.Cursor, err error) {
	list, err = s.Tasks.Mentions(ctxOf(r), r.Member.ID, after.ID, limit+1)
	if len(list) > limit {
		list, next = list[:limit], caseengine.Cursor{ID: list[limit-1].ID}
	}
	return list, next, err
}

// placeSees are the permissions to read the notes of a place.
var placeSees = map[task.PlaceKind]access.Permission{task.InConversation: access.ChatView, task.AboutTrader: access.TraderNotes}

// mentionRows shows mentions. Who may no longer read the place reads neither the note nor opens it.
func (s Services) mentionRows(r *desk.Request, list []task.Mention) ([]caseengine.Row, error) {
	var people []*int64
	for _, m := range list {
		people = append(people, &m.ByID)
	}
	pc, err := s.pageContext(r, people...)
	if err != nil {
		return nil, err
	}
	rows := make([]caseengine.Row, len(list))
	for i, m := range list {
		reads, err := s.readsPlace(r, m)
		if err != nil {
			return nil, err
		}
		where := ui.Cell{Text: pc.T("task.subject."+string(m.Place), "number", m.PlaceID)}
		note := ui.Cell{Text: pc.T("mention.hidden"), Muted: true}
		if reads {
			where.Href = ui.To("/admin/mentions/{}", m.ID).String()
			note = ui.Cell{Text: m.Text, Wrap: true, Strong: m.ReadAt == nil}
		}
		who := ui.Cell{Text: pc.Name(&m.ByID), Strong: m.ReadAt == nil}
		if m.ReadAt == nil {
			who.Chips = []ui.ChipView{{Tone: ui.ToneAccent, Label: pc.T("mention.new")}}
		}
		rows[i].Cells = []ui.Cell{who, where, note, {Text: pc.At(m.At), Title: ui.Stamp(m.At), Muted: true}}
	}
	return rows, nil
}

// readsPlace reports whether the member may still read the place of a mention.
func (s Services) readsPlace(r *desk.Request, m task.Mention) (bool, error) {
	if !r.May(placeSees[m.Place]) {
		return false, nil
	}
	traderID := m.PlaceID
	if m.Place == task.InConversation {
		owner, err := s.Owners[task.Conversation](ctxOf(r), m.PlaceID)
		if err != nil {
			return false, err
		}
		traderID = member.ID(owner)
	}
	withheld, err := r.Withheld(traderID)
	return !withheld[traderID], err
}

// openMention marks a mention as read and opens the place of its note.
func (s Services) openMention(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	m, err := s.Tasks.Mention(ctxOf(r), r.Member.ID, id)
	if err != nil {
		return err
	}
	reads, err := s.readsPlace(r, m)
	if err != nil {
		return err
	}
	if !reads {
		return desk.ErrNotFound
	}
	if _, err := s.Tasks.OpenMention(ctxOf(r), r.Actor(), id); err != nil {
		return err
	}
	if m.Place == task.AboutTrader {
		return r.RedirectTo(ui.To("/admin/traders/{}/notes", m.PlaceID).String())
	}
	return r.RedirectTo(ui.To("/admin/chat/{}", m.PlaceID).String() + "#m-" + number(m.NoteID))
}

// colleagues answers with the names of those who may read the notes of a place, to choose from after an @.
func colleagues(p access.Permission) func(*desk.Request) error {
	return func(r *desk.Request) error {
		people, err := r.Colleagues(p)
		if err != nil {
			return err
		}
		names := make([]string, len(people))
		for i, person := range people {
			names[i] = person.Name
		}
		return r.Show(taskview.Colleagues(names))
	}
}
