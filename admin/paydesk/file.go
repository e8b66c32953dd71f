package paydesk

import (
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/platform/sheet"
	"candor/app/withdrawal"
)

// A file has at most fileRows rows, read filePage at a time.
const (
	fileRows = 10_000
	filePage = 1_000
)

// fileColumns are the column names; they never change.
var fileColumns = []string{
	"withdrawal", "state", "trader", "account", "currency", "amount", "fee", "net", "holder", "bank", "destination", "bic", "chain", "memo", "risk", "risk_reasons",
	"first_person", "second_person", "third_person", "bank_reference", "asked_at", "sent_at", "ended_at", "kind",
}

// file answers with the filtered queue as a file. The audit log records the export first.
func (s Services) file(r *desk.Request) error {
	search := readListFilter(r.QueryParams()).search(r.Zone())
	ctx := r.Context.Request().Context()
	list, next, err := s.Withdrawals.Queue(ctx, search, 0, filePage)
	if err != nil {
		return err
	}
	if err := s.Withdrawals.RecordExport(ctx, r.Actor(), search); err != nil {
		return err
	}
	return r.File("withdrawals", func() error { return s.write(r, search, list, next) })
}

// write writes the first page's rows, and those of the following pages.
func (s Services) write(r *desk.Request, search withdrawal.Search, list []withdrawal.Withdrawal, next int64) error {
	w := sheet.New(r.Response())
	if err := w.Row(fileColumns...); err != nil {
		return err
	}
	for written := 0; ; {
		pc, err := s.pageContext(r, list...)
		if err != nil {
			return err
		}
		for _, row := range list {
			holder, err := s.Withdrawals.Holder(pc.Ctx, row)
			if err != nil {
				return err
			}
			if err := w.Row(pc.cells(row, holder)...); err != nil {
				return err
			}
		}
		if written += len(list); next == 0 || written >= fileRows {
			break
		}
		if list, next, err = s.Withdrawals.Queue(pc.Ctx, search, next, filePage); err != nil {
			return err
		}
	}
	return w.Flush()
}

// cells is a withdrawal as a row of a file, with the account's holder. Members who don't work on withdrawals get only the end of the account number.
func (pc pageContext) cells(w withdrawal.Withdrawal, holder string) []string {
	to := w.Destination()
	if n := len(to); !pc.me.work && n > 4 {
		to = strings.Repeat("*", n-4) + to[n-4:]
	}
	sum := pc.show.Plain
	return []string{
		w.Number(), string(w.State), decimal(w.TraderID), decimal(w.AccountID), w.Currency, sum(w.Amount), sum(w.Fee), sum(w.Net()), holder, w.Bank, to, w.BIC, w.Chain, w.Memo,
		strconv.Itoa(w.Risk), strings.ReplaceAll(w.RiskReasons, ",", " "), pc.Name(pc.me.first(w)), pc.Name(pc.me.second(w)), pc.Name(pc.me.third(w)), given(w.Payment),
		sheet.Moment(&w.CreatedAt), sheet.Moment(w.SentAt), sheet.Moment(w.EndedAt), string(w.Kind),
	}
}
