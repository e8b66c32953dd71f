package controldesk

import (
	"fmt"

	"candor/admin/desk"
	"candor/admin/desk/telling"
	"candor/app/audit"
	"candor/templates/ui"
)

// teller tells entries, and what the log's own page shows of one.
type teller struct {
	telling.Teller
	r *desk.Request
}

func (s Services) teller(r *desk.Request, entries []audit.Entry) (teller, error) {
	t, err := telling.New(r, s.Staff, s.Market, entries)
	return teller{t, r}, err
}

// recent tells entries as a timeline.
func (s Services) recent(r *desk.Request, f audit.Filter) ([]ui.StepView, error) {
	entries, _, err := s.Audit.List(ctxOf(r), f)
	if err != nil {
		return nil, err
	}
	t, err := s.teller(r, entries)
	if err != nil {
		return nil, err
	}
	steps := make([]ui.StepView, len(entries))
	for i, e := range entries {
		steps[i] = t.Step(e)
	}
	return steps, nil
}

func entryID(e audit.Entry) string { return fmt.Sprint("entry-", e.ID) }
