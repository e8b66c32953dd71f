package adjustdesk

import (
	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/adjustment"
	"candor/app/platform/errs"
	"candor/app/task"
	"candor/templates/ui"
)

// caseLook is how a kind of case is written, and who may open it.
type caseLook struct {
	letters string // before its number; the others have none
	sees    access.Permission
	path    func(a adjustment.Adjustment) ui.Path
}

// at is the page of a case by its number alone.
func at(path string) func(adjustment.Adjustment) ui.Path {
	return func(a adjustment.Adjustment) ui.Path { return ui.To(path, a.CaseID) }
}

// ofTrader is the page of a case below its trader's.
func ofTrader(path string) func(adjustment.Adjustment) ui.Path {
	return func(a adjustment.Adjustment) ui.Path { return ui.To(path, a.TraderID, a.CaseID) }
}

var caseLooks = map[adjustment.CaseKind]caseLook{
	adjustment.Conversation: {"", access.ChatView, at("/admin/chat/{}")},
	adjustment.Deposit:      {"DP-", access.DepositView, at("/admin/deposits/{}")},
	adjustment.Withdrawal:   {"WD-", access.WithdrawalView, at("/admin/withdrawals/{}")},
	adjustment.Complaint:    {"CM-", access.ComplaintView, at("/admin/complaints/{}")},
	adjustment.Task:         {"TK-", access.TaskView, at("/admin/tasks/{}")},
	adjustment.Order:        {"", access.TraderView, ofTrader("/admin/traders/{}/order/{}")},
	adjustment.Fill:         {"", access.TraderView, ofTrader("/admin/traders/{}/fills/{}")},
}

// typedCase reads the case as it was entered: its kind, and its number with or without the letters.
func typedCase(r *desk.Request) adjustment.Case {
	kind := adjustment.CaseKind(r.PostFormValue("case_kind"))
	return adjustment.Case{CaseKind: kind, CaseID: caseengine.Numbered(r.PostFormValue("case_id"), caseLooks[kind].letters)}
}

// caseNumber is the number of the case with its letters.
func caseNumber(c adjustment.Case) string { return caseLooks[c.CaseKind].letters + decimal(c.CaseID) }

// caseName names the case.
func (pc pageContext) caseName(c adjustment.Case) string {
	return pc.T("adjustment.case."+string(c.CaseKind), "number", caseNumber(c))
}

// caseHref is the address of the case for a member who may open it, empty for others.
func (pc pageContext) caseHref(a adjustment.Adjustment) string {
	look := caseLooks[a.CaseKind]
	if !pc.may(look.sees) || a.CaseKind == adjustment.Task && !pc.tasks[a.CaseID] {
		return ""
	}
	return look.path(a).String()
}

// caseKinds are the options of the form.
func (pc pageContext) caseKinds(chosen string) []ui.Option {
	options := []ui.Option{{Label: pc.T("adjustment.field.choose"), Selected: chosen == ""}}
	for _, kind := range adjustment.CaseKinds {
		options = append(options, ui.Option{Value: string(kind), Label: pc.T("adjustment.case_kind." + string(kind)), Selected: chosen == string(kind)})
	}
	return options
}

// knowTasks notes which of the tasks that adjustments answer the member may read.
func (s Services) knowTasks(r *desk.Request, pc *pageContext, list []adjustment.Adjustment) error {
	pc.tasks = map[int64]bool{}
	if !pc.may(access.TaskView) {
		return nil
	}
	reader := task.Reader{Actor: r.Actor(), All: pc.may(access.TaskAll)}
	for _, a := range list {
		if a.CaseKind != adjustment.Task {
			continue
		}
		_, err := s.Tasks.Read(pc.Ctx, reader, a.CaseID)
		if refusal := errs.As(err); err != nil && (refusal == nil || refusal.Kind != errs.NotFound) {
			return err
		}
		pc.tasks[a.CaseID] = err == nil
	}
	return nil
}
