package adjustdesk

import (
	"encoding/json"

	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/audit"
	"candor/app/platform/money"
	"candor/app/platform/sheet"
)

// A file has at most fileRows rows, read filePage at a time.
const (
	fileRows = 10_000
	filePage = 1_000
)

// fileColumns are the column names; they never change.
var fileColumns = []string{
	"adjustment", "state", "trader", "account", "currency", "amount", "reason", "reference", "first_person", "second_person", "third_person", "refused_by", "asked_at", "decided_at",
}

// file answers with the filtered list as a file. The audit log records the export first.
func (s Services) file(r *desk.Request) error {
	ctx := r.Context.Request().Context()
	lf := readListFilter(r.QueryParams())
	list, err := s.Adjustments.List(ctx, lf.search(), 0, filePage)
	if err != nil {
		return err
	}
	how, err := json.Marshal(map[string]any{"state": lf.state, "trader": lf.trader, "reason": lf.reason})
	if err != nil {
		return err
	}
	entry := audit.By(r.Actor(), r.Now(), "adjustment.export", "adjustments", "list")
	entry.After = string(how)
	if err := s.Audit.Record(ctx, entry); err != nil {
		return err
	}
	return r.File("adjustments", func() error { return s.write(r, lf.search(), list) })
}

// write writes the first page's rows, and those of the following pages.
func (s Services) write(r *desk.Request, search adjustment.Search, list []adjustment.Adjustment) error {
	w := sheet.New(r.Response())
	if err := w.Row(fileColumns...); err != nil {
		return err
	}
	for written := 0; ; {
		pc, err := s.pageContext(r, list...)
		if err != nil {
			return err
		}
		for _, a := range list {
			if err := w.Row(pc.cells(a)...); err != nil {
				return err
			}
		}
		if written += len(list); len(list) < filePage || written >= fileRows {
			break
		}
		if list, err = s.Adjustments.List(pc.ctx, search, list[len(list)-1].ID, filePage); err != nil {
			return err
		}
	}
	return w.Flush()
}

// cells is an adjustment as a row of a file.
func (pc pageContext) cells(a adjustment.Adjustment) []string {
	return []string{
		a.Number(), string(a.State), decimal(a.TraderID), decimal(a.AccountID), a.Currency, money.Format(a.Amount, money.Scale), a.Reason, a.Reference,
		pc.name(&a.RequestedBy), pc.name(a.SecondBy), pc.name(a.ThirdBy), pc.name(a.RefusedBy()), sheet.Moment(&a.RequestedAt), sheet.Moment(a.DecidedAt()),
	}
}
