package controldesk

import (
	"candor/admin/desk"
	"candor/admin/desk/auditformat"
	"candor/app/audit"
	"candor/templates/ui"
)

// formatter describes entries, with the details that only the log's own page shows.
type formatter struct {
	auditformat.Formatter
	r *desk.Request
}

func (s Services) formatter(r *desk.Request, entries []audit.Entry) (formatter, error) {
	f, err := auditformat.New(r, s.Staff, s.Market, entries)
	return formatter{f, r}, err
}

// recent lists entries as a timeline.
func (s Services) recent(r *desk.Request, which audit.Filter) ([]ui.StepView, error) {
	entries, _, err := s.Audit.List(ctxOf(r), which)
	if err != nil {
		return nil, err
	}
	return s.steps(r, entries)
}

// steps are entries as lines of a timeline.
func (s Services) steps(r *desk.Request, entries []audit.Entry) ([]ui.StepView, error) {
	f, err := s.formatter(r, entries)
	if err != nil {
		return nil, err
	}
	var steps []ui.StepView
	for _, g := range auditformat.Reads(entries) {
		step := f.Step(g.Entry)
		step.Text = f.Actor(g.Entry) + " " + f.describeAll(g)
		steps = append(steps, step)
	}
	return steps, nil
}
