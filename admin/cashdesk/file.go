package cashdesk

import (
	"encoding/json"
	"strconv"

	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/deposit"
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
	"deposit", "state", "trader", "account", "currency", "amount", "reference", "received", "bank_reference", "first_person", "asked_at", "proof_at", "expires_at", "kind", "decided_at",
}

// file answers with the filtered list as a file. The audit log records the export first.
func (s Services) file(r *desk.Request) error {
	ctx := r.Context.Request().Context()
	lf := readListFilter(r.QueryParams())
	search := lf.search(r.Zone())
	list, next, err := s.Deposits.Find(ctx, search, deposit.Cursor{}, filePage)
	if err != nil {
		return err
	}
	how, err := json.Marshal(map[string]any{"kind": lf.kind, "state": lf.state, "id": lf.id, "reference": lf.named, "ended": lf.ended, "from": search.From, "to": search.To})
	if err != nil {
		return err
	}
	entry := audit.By(r.Actor(), r.Now(), "deposit.export", "deposits", "queue")
	entry.After = string(how)
	if err := s.Audit.Record(ctx, entry); err != nil {
		return err
	}
	return r.File("deposits", func() error { return s.write(r, search, list, next) })
}

// write writes the first page's rows, and those of the following pages.
func (s Services) write(r *desk.Request, search deposit.Search, list []deposit.Deposit, next deposit.Cursor) error {
	w := sheet.New(r.Response())
	if err := w.Row(fileColumns...); err != nil {
		return err
	}
	for written := 0; ; {
		pc, err := s.pageContext(r, list...)
		if err != nil {
			return err
		}
		for _, d := range list {
			if err := w.Row(pc.cells(d)...); err != nil {
				return err
			}
		}
		if written += len(list); next.ID == 0 || written >= fileRows {
			break
		}
		if list, next, err = s.Deposits.Find(pc.Ctx, search, next, filePage); err != nil {
			return err
		}
	}
	return w.Flush()
}

// cells is a deposit as a row of a file.
func (pc pageContext) cells(d deposit.Deposit) []string {
	received, bank, maker := "", "", ""
	if d.Received != nil {
		received = money.Format(*d.Received, money.Scale)
	}
	if d.BankReference != nil {
		bank = *d.BankReference
	}
	if d.MakerID != nil {
		maker = pc.Name(d.MakerID)
	}
	return []string{
		d.Number(), string(d.State), strconv.FormatInt(d.TraderID, 10), strconv.FormatInt(d.AccountID, 10), d.Currency, money.Format(d.Amount, money.Scale), d.Reference, received, bank, maker,
		sheet.Moment(&d.CreatedAt), sheet.Moment(d.ProofAt), sheet.Moment(d.ExpiresAt), d.Kind, sheet.Moment(d.DecidedAt),
	}
}
