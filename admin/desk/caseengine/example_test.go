// The example of docs/desks.md: a whole desk on which staff answer requests. Its domain is a map, where a real desk calls a service of app/.
package caseengine_test

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/templates/caseview"
	"candor/templates/ui"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// request is what the desk is about.
type request struct {
	id      int64
	version int
	asked   time.Time
	text    string
	answer  string // empty while it is open
}

func (q request) number() string { return "RQ-" + strconv.FormatInt(q.id, 10) }

// Refusals of the domain, as app/ declares them.
var (
	errClosed  = errs.New(errs.Conflict, "adjustment.no_account")
	errChanged = errs.New(errs.Conflict, "approval.changed")
)

// requests are the dependencies of the desk.
type requests struct {
	byID  map[int64]request
	staff *staff.Service
	audit *audit.Log
}

// requestContext is one request at the desk: everything that a decision about it needs.
type requestContext struct {
	caseengine.PageContext
	request
	may bool
}

// About has the fields that every case has.
func (cc requestContext) About() caseengine.About {
	return caseengine.About{ID: cc.id, Number: cc.number(), Version: cc.version, Target: "adjustment", Home: ui.To("/admin/requests")}
}

// Right is the verdict on an act of the member now: pages lock what it refuses, and handlers refuse it too.
func (cc requestContext) Right(noun string) caseengine.Verdict {
	switch {
	case noun != "answer" || cc.answer != "":
		return caseengine.Verdict{} // not offered
	case !cc.may:
		return caseengine.No(errs.New(errs.Forbidden, "adjustment.role_checker"))
	}
	return caseengine.May
}

// desk declares the desk.
func (s requests) desk() caseengine.Desk[requestContext, request] {
	return caseengine.Desk[requestContext, request]{
		List: caseengine.List[request]{
			Name: "requests", Letters: "RQ-", Target: "adjustment", Texts: "adjustment", Icon: ui.IconInfo, View: access.AdjustmentView, Audit: s.audit,
			Tabs:    []caseengine.Tab{{Label: "adjustment.tab.waiting"}, {Name: "closed", Label: "adjustment.chip.applied", Over: true}},
			Filters: []caseengine.Filter{caseengine.Number("trader", caseengine.LastID)},
			Find:    s.find, Rows: s.rows, ID: func(q request) int64 { return q.id },
			Counts: func(context.Context) (map[string]int64, error) {
				open := int64(0)
				for _, q := range s.byID {
					if q.answer == "" {
						open++
					}
				}
				return map[string]int64{"": open}, nil
			},
			File: caseengine.File[request]{Permission: access.AdjustmentExport, Columns: []string{"request", "text", "answer"}, Cells: s.cells},
		},
		Read: s.read, Item: func(cc requestContext) request { return cc.request }, Show: show, History: requestContext.step, State: errClosed, Changed: errChanged,
		Actions: []caseengine.Action[requestContext]{{
			Noun: "answer", Verb: "confirm", Permission: access.AdjustmentConfirm, Kind: ui.Primary, Forward: true, Key: "A", Fields: []string{"text"}, StepUp: "request.answer",
			Check: func(_ requestContext, in caseengine.Typed) error {
				if in.Values["text"] == "" {
					return errs.Field("text", "field.required")
				}
				return nil
			},
			Dialog: answerDialog, Act: s.answer,
		}},
	}
}

// find reads a page of the list. A real one reads limit rows after the cursor by an index.
func (s requests) find(_ *desk.Request, sel caseengine.Selection, _ caseengine.Cursor, _ int) (list []request, next caseengine.Cursor, err error) {
	for _, q := range s.byID {
		if (q.answer != "") == (sel.Tab() == "closed") {
			list = append(list, q)
		}
	}
	return list, next, nil
}

func (s requests) rows(r *desk.Request, list []request) ([]caseengine.Row, error) {
	rows := make([]caseengine.Row, len(list))
	for i, q := range list {
		due := ui.Waiting(r.Context.Request().Context(), q.asked, r.Now(), time.Hour)
		rows[i] = caseengine.Row{QueueRowView: ui.QueueRowView{Title: q.number(), Text: q.text, Due: &due}}
	}
	return rows, nil
}

func (s requests) cells(_ *desk.Request, list []request) (rows [][]string, err error) {
	for _, q := range list {
		rows = append(rows, []string{q.number(), q.text, q.answer})
	}
	return rows, nil
}

func (s requests) read(r *desk.Request, id int64) (cc requestContext, err error) {
	q, there := s.byID[id]
	if !there {
		return cc, desk.ErrNotFound
	}
	cc = requestContext{PageContext: caseengine.NewPageContext(r, "case", nil, nil), request: q, may: r.May(access.AdjustmentConfirm)}
	return cc, cc.Know(s.staff)
}

// show is the page of a request; the engine adds the number, the buttons and the history.
func show(cc requestContext) (caseview.Detail, error) {
	facts := []ui.Fact{{Label: cc.T("adjustment.fact.reason"), Value: cc.text, Strong: true}, {Label: cc.T("adjustment.fact.refusal"), Value: cc.answer}}
	return caseview.Detail{Main: []caseview.Section{caseview.FactsSection(cc.T("case.facts"), facts)}}, nil
}

func (cc requestContext) step(e audit.Entry) ui.StepView {
	step, _ := cc.Step(map[string]ui.StepView{"answer": {Icon: ui.IconCheck, State: ui.StepDone}}, "answer", e)
	return step
}

func answerDialog(cc requestContext, in caseengine.Typed) templ.Component {
	d := caseview.Dialog{Frame: caseengine.Frame(cc, "answer", "adjustment.confirm", ui.Primary, "amount", cc.number()), Alert: in.Alert}
	d.Fields = []ui.FieldView{in.Field(ui.FieldView{Name: "text", Label: cc.T("adjustment.field.note"), Rows: 3, Required: true}), in.Code}
	return caseview.Decide(d)
}

// answer decides. A real one calls a service, which compares the version again in its transaction and writes the audit entry there.
func (s requests) answer(_ *desk.Request, cc requestContext, in caseengine.Typed) (caseengine.Flash, error) {
	s.byID[cc.id] = request{id: cc.id, version: cc.version + 1, asked: cc.asked, text: cc.text, answer: in.Values["text"]}
	return caseengine.NewFlash("adjustment.confirm.done.applied", "amount", cc.number()), nil
}

// TestTheExampleIsADesk mounts the example and works at it.
func TestTheExampleIsADesk(t *testing.T) {
	t.Parallel()
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	s := requests{byID: map[int64]request{7: {id: 7, version: 1, asked: o.Clock.Now(), text: "Please call me"}}, staff: o.Staff, audit: audit.NewLog(o.DB)}
	o.Mount(s.desk().Routes())
	checker, looker := o.SignInAs(t, o.Hire(t, "Checker 01", access.FinanceChecker)), o.SignInAs(t, o.Hire(t, "Auditor 01", access.Auditor))
	require.Contains(t, looker.Get("/admin/requests").Body.String(), "Please call me")
	require.Equal(t, http.StatusForbidden, looker.Send("/admin/requests/7/answer", url.Values{"version": {"1"}, "text": {"x"}}).Code)
	send := func(version, text string) int {
		return checker.Send("/admin/requests/7/answer", url.Values{"version": {version}, "text": {text}, "code": {checker.Code(t)}}).Code
	}
	require.Equal(t, http.StatusConflict, send("2", "We called"), "another version than the one shown")
	require.Equal(t, http.StatusUnprocessableEntity, send("1", ""))
	require.Equal(t, http.StatusOK, send("1", "We called"))
	require.Equal(t, http.StatusConflict, send("2", "Again"), "it is answered")
	require.NotContains(t, checker.Get("/admin/requests").Body.String(), "Please call me")
	require.Contains(t, checker.Get("/admin/requests?tab=closed").Body.String(), "Please call me")
	require.Contains(t, looker.Get("/admin/requests/file?tab=closed").Body.String(), "RQ-7,Please call me,We called")
}
