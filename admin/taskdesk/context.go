package taskdesk

import (
	"strconv"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/task"
	"candor/templates/ui"
)

// subject is how a kind of subject is written and opened.
type subject struct {
	kind    task.Kind
	letters string // before its number, as staff type it; traders and conversations have none
	sees    access.Permission
	path    string
}

var subjects = []subject{
	{task.Trader, "", access.TraderView, "/admin/traders/{}"},
	{task.Conversation, "", access.ChatView, "/admin/chat/{}"},
	{task.Deposit, "DP-", access.DepositView, "/admin/deposits/{}"},
	{task.Withdrawal, "WD-", access.WithdrawalView, "/admin/withdrawals/{}"},
	{task.Adjustment, "AD-", access.AdjustmentView, "/admin/adjustments/{}"},
	{task.Identity, "ID-", access.IdentityView, "/admin/identity/{}"},
}

func subjectOf(kind task.Kind) subject {
	for _, one := range subjects {
		if one.kind == kind {
			return one
		}
	}
	return subject{}
}

// pageContext is the context of a page about tasks.
type pageContext struct {
	caseengine.PageContext
	may    func(access.Permission) bool
	reader task.Reader
}

// caseContext is one task with its comments.
type caseContext struct {
	pageContext
	task.Task
	comments []task.Comment
}

// About returns the fields that every case has.
func (cc caseContext) About() caseengine.About {
	return caseengine.About{ID: cc.ID, Number: cc.Number(), Version: cc.Version, Target: "task", Home: home}
}

func (s Services) read(r *desk.Request, id int64) (cc caseContext, err error) {
	if cc.Task, err = s.Tasks.Read(ctxOf(r), reader(r), id); err != nil {
		return cc, err
	}
	if cc.comments, err = s.Tasks.Comments(ctxOf(r), id); err != nil {
		return cc, err
	}
	people := cc.Everybody()
	for _, comment := range cc.comments {
		people = append(people, &comment.AuthorID)
	}
	cc.pageContext, err = s.pageContext(r, people...)
	return cc, err
}

// pageContext reads the names of the people of tasks that are shown together.
func (s Services) pageContext(r *desk.Request, people ...*int64) (pageContext, error) {
	pc := pageContext{PageContext: caseengine.NewPageContext(r, "case", nil, nil), may: r.May, reader: reader(r)}
	return pc, pc.Know(s.Staff, people...)
}

func everybody(list []task.Task) (people []*int64) {
	for _, t := range list {
		people = append(people, t.Everybody()...)
	}
	return people
}

// about writes a subject, and its address for a member who may open it.
func (pc pageContext) about(t task.Subject) (text, href string) {
	s := subjectOf(t.SubjectKind)
	text = s.letters + strconv.FormatInt(t.SubjectID, 10)
	if s.letters == "" {
		text = pc.T("task.subject."+string(t.SubjectKind), "number", t.SubjectID)
	}
	if pc.may(s.sees) {
		href = ui.To(s.path, t.SubjectID).String()
	}
	return text, href
}

// addressee is the team or the colleague.
func (pc pageContext) addressee(t task.Task) string {
	if t.Team != nil {
		return pc.T("task.team." + string(*t.Team))
	}
	return pc.Name(t.AssigneeID)
}

// looks are the chips of the states.
var looks = map[task.State]ui.ChipView{
	task.Open:      {Icon: ui.IconClock},
	task.Taken:     {Tone: ui.ToneAccent, Icon: ui.IconPerson},
	task.Done:      {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	task.Declined:  {Tone: ui.ToneError, Icon: ui.IconClose},
	task.Cancelled: {Icon: ui.IconUndo},
}

func (pc pageContext) chip(t task.Task) ui.ChipView {
	chip := looks[t.State]
	chip.Label = pc.T("task.state."+string(t.State), "name", pc.Name(t.TakenBy))
	return chip
}

// flag marks what is more than normally important; nil otherwise.
func (pc pageContext) flag(t task.Task) *ui.ChipView {
	tone := map[task.Priority]ui.Tone{task.High: ui.ToneWarning, task.Urgent: ui.ToneError}[t.Priority]
	if tone == ui.ToneNormal || t.Ended() {
		return nil
	}
	return &ui.ChipView{Tone: tone, Icon: ui.IconFlag, Label: pc.T("task.priority." + string(t.Priority))}
}

// soon is how long before a deadline its clock runs.
const soon = 24 * time.Hour

// due is the deadline: a running clock in its last day and after it, else its day; of an ended task when it ended.
func (pc pageContext) due(t task.Task) *ui.DueView {
	switch {
	case t.Ended():
		return &ui.DueView{Text: pc.At(*t.EndedAt), NoIcon: true}
	case t.DueAt.Sub(pc.Now) > soon:
		return &ui.DueView{Text: pc.At(t.DueAt)}
	case pc.Now.Sub(t.DueAt) > soon:
		return &ui.DueView{Text: pc.T("task.late", "at", pc.At(t.DueAt)), State: ui.DueLate}
	}
	due := ui.Remaining(pc.Ctx, t.DueAt, pc.Now, soon)
	return &due
}
