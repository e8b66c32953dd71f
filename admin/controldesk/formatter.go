package controldesk

import (
	"fmt"

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
	f, err := s.formatter(r, entries)
	if err != nil {
		return nil, err
	}
	steps := make([]ui.StepView, len(entries))
	for i, e := range entries {
		steps[i] = f.Step(e)
	}
	return steps, nil
}

func entryID(e audit.Entry) string { return fmt.Sprint("entry-", e.ID) }
