package adjustdesk

import (
	"candor/admin/desk"
	"candor/app/adjustment"
	"candor/app/platform/money"
	"candor/app/platform/sheet"
)

// fileColumns are the column names; they never change.
var fileColumns = []string{
	"adjustment", "state", "trader", "account", "currency", "amount", "reason", "case_kind", "case", "first_person", "second_person", "third_person", "refused_by", "asked_at", "decided_at",
}

// cells are adjustments as rows of a file.
func (s Services) cells(r *desk.Request, list []adjustment.Adjustment) ([][]string, error) {
	pc, err := s.pageContext(r, list...)
	rows := make([][]string, len(list))
	for i, a := range list {
		rows[i] = []string{
			a.Number(), string(a.State), decimal(a.TraderID), decimal(a.AccountID), a.Currency, money.Format(a.Amount, money.Scale), a.Reason, string(a.CaseKind), caseNumber(a.Case),
			pc.Name(&a.RequestedBy), pc.Name(a.SecondBy), pc.Name(a.ThirdBy), pc.Name(a.RefusedBy()), sheet.Moment(&a.RequestedAt), sheet.Moment(a.DecidedAt()),
		}
	}
	return rows, err
}
