package complaintdesk

import (
	"context"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/complaint"
	"candor/app/platform/money"
	"candor/app/platform/sheet"
	"candor/templates/ui"
)

// groups are the tabs' parts of the register, by the names of the tabs.
var groups = map[string]complaint.Group{"": complaint.Waiting, "ended": complaint.Ended, "all": complaint.All}

// overdue is the value of the filter for complaints whose last day has passed.
const overdue = "yes"

// list declares the register: what awaits an answer first.
func (s Services) list() caseengine.List[complaint.Complaint] {
	return caseengine.List[complaint.Complaint]{
		Name: "complaints", Letters: "CM-", Target: "complaint", Texts: "complaint", Icon: ui.IconFlag, View: access.ComplaintView, Audit: s.Audit, Order: "complaint.order",
		Tabs: []caseengine.Tab{{Label: "complaint.tab.waiting"}, {Name: "ended", Label: "complaint.tab.ended", Over: true}, {Name: "all", Label: "complaint.tab.all", Over: true}},
		Filters: []caseengine.Filter{
			caseengine.OneOf("state", complaint.States, func(r *desk.Request, v complaint.State) string { return r.Word("complaint.state." + string(v)) }),
			caseengine.OneOf("category", complaint.Categories, func(r *desk.Request, v complaint.Category) string { return r.Word("complaint.category." + string(v)) }),
			caseengine.Day("due"),
			caseengine.OneOf("overdue", []string{overdue}, func(r *desk.Request, _ string) string { return r.Word("complaint.filter.overdue.yes") }),
			caseengine.Number("trader", caseengine.LastID),
		},
		Counts: s.counts, Find: s.find, Rows: s.rows, ID: func(c complaint.Complaint) int64 { return c.ID }, Buttons: headButtons,
		File: caseengine.File[complaint.Complaint]{Permission: access.ComplaintExport, Columns: fileColumns, Cells: s.cells},
	}
}

func (s Services) counts(ctx context.Context) (map[string]int64, error) {
	n, _, err := s.Complaints.Count(ctx)
	return map[string]int64{"": n}, err
}

func headButtons(r *desk.Request) []ui.ButtonView {
	if !r.May(access.ComplaintRegister) {
		return nil
	}
	return []ui.ButtonView{{Label: r.Word("complaint.register.open"), Icon: ui.IconPlus, Size: ui.Small, Key: "N", HX: ui.OpenDialog(ui.To("/admin/complaints/request"))}}
}

func (s Services) find(r *desk.Request, sel caseengine.Selection, after caseengine.Cursor, limit int) (list []complaint.Complaint, next caseengine.Cursor, err error) {
	q := complaint.Search{
		Group: groups[sel.Tab()], State: complaint.State(sel.Value("state")), Category: complaint.Category(sel.Value("category")), TraderID: sel.Number("trader"),
		Overdue: sel.Value("overdue") == overdue,
	}
	if text := sel.Value("due"); text != "" {
		q.DueUntil, _ = time.Parse(time.DateOnly, text)
	}
	list, err = s.Complaints.List(ctxOf(r), q, complaint.Place{AnswerDue: after.At, ID: after.ID}, limit+1)
	if len(list) > limit {
		list = list[:limit]
		next = caseengine.Cursor{At: list[limit-1].AnswerDue, ID: list[limit-1].ID}
	}
	return list, next, err
}

// rows shows complaints: what about, in which state, and until when.
func (s Services) rows(r *desk.Request, list []complaint.Complaint) ([]caseengine.Row, error) {
	pc, err := s.pageContext(r, nil, list...)
	rows := make([]caseengine.Row, len(list))
	for i, c := range list {
		chips := pc.chips(c)
		rows[i] = caseengine.Row{QueueRowView: ui.QueueRowView{
			Title: c.Number(), Sub: number(c.TraderID), Text: pc.T("complaint.category." + string(c.Category)), Strong: true, State: &chips[0], Flags: chips[1:], Due: pc.due(c), Note: pc.summary(c),
		}}
	}
	return rows, err
}

// fileColumns are the column names; they never change.
var fileColumns = []string{
	"complaint", "state", "trader", "conversation", "channel", "category", "product", "received_on", "claimed_usdt", "registered_by", "registered_at", "acknowledge_due", "acknowledged_at",
	"answer_due", "extended_at", "handler", "outcome", "redress", "root_cause", "answered_at", "answer_sent_on", "closed_at", "summary",
}

// cells are complaints as rows of a file.
func (s Services) cells(r *desk.Request, list []complaint.Complaint) ([][]string, error) {
	pc, err := s.pageContext(r, nil, list...)
	rows := make([][]string, len(list))
	for i, c := range list {
		conversation, claimed, sent := "", "", ""
		if c.ConversationID != nil {
			conversation = number(*c.ConversationID)
		}
		if c.Claimed != nil {
			claimed = pc.figures.PlainCoins(*c.Claimed, money.Scale)
		}
		if c.AnswerSentOn != nil {
			sent = c.AnswerSentOn.Format(time.DateOnly)
		}
		rows[i] = []string{
			c.Number(), string(c.State), number(c.TraderID), conversation, string(c.Channel), string(c.Category), c.Product, c.ReceivedOn.Format(time.DateOnly), claimed, pc.Name(&c.RegisteredBy),
			sheet.Moment(&c.RegisteredAt), c.AcknowledgeDue.Format(time.DateOnly), sheet.Moment(c.AcknowledgedAt), c.AnswerDue.Format(time.DateOnly), sheet.Moment(c.ExtendedAt), pc.Name(c.HandlerID),
			given(c.Outcome), given(c.Redress), given(c.RootCause), sheet.Moment(c.AnsweredAt), sent, sheet.Moment(c.ClosedAt), pc.summary(c),
		}
	}
	return rows, err
}

// given is a text that may be none.
func given[T ~string](text *T) string {
	if text == nil {
		return ""
	}
	return string(*text)
}
