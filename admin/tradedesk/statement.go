package tradedesk

import (
	"encoding/json"
	"net/http"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/errs"
	"candor/app/platform/sheet"
	"candor/templates/tradeview"
	"candor/templates/ui"
)

// A statement is only for members who see exact amounts, and of days that have begun.
var (
	errStatementFigures = errs.New(errs.Forbidden, "statement.figures")
	errStatementDays    = errs.New(errs.Refused, "statement.days")
)

// statementColumns are the column names; they never change.
var statementColumns = []string{"line", "account", "currency", "entry", "time", "kind", "cause", "bucket", "amount", "balance"}

// askStatement opens the dialog that asks for the days of a statement: the last month at first.
func (s Services) askStatement(r *desk.Request) error {
	sub, err := s.subject(r)
	if err != nil {
		return err
	}
	if !r.Partial() {
		return r.RedirectTo(sub.path("funds").String())
	}
	today := sub.now.In(sub.zone)
	first := time.Date(today.Year(), today.Month()-1, 1, 0, 0, 0, 0, sub.zone)
	day := func(name string, at time.Time) ui.FieldView {
		return ui.FieldView{
			Name: name, Label: sub.t("trader.statement." + name), Type: "date", Value: at.Format(time.DateOnly), Required: true, Max: today.Format(time.DateOnly),
		}
	}
	return r.Dialog(http.StatusOK, tradeview.StatementDialog(tradeview.Statement{
		Path: sub.path("statement", "file"), From: day("from", first), To: day("to", first.AddDate(0, 1, -1)), Note: sub.t("trader.statement.note", "zone", ui.ZoneName(sub.now, sub.zone)),
	}))
}

// statement answers with the statement of all of the trader's real accounts as a file. The audit log records the export first.
func (s Services) statement(r *desk.Request) error {
	sub, err := s.subject(r)
	if err != nil {
		return err
	}
	if !r.May(access.TraderFunds) {
		return errStatementFigures
	}
	from, to, err := statementDays(r)
	if err != nil {
		return err
	}
	var list []accountPeriod
	for _, a := range append(sub.accounts, sub.funding...) {
		if a.Mock() {
			continue
		}
		p, err := ledger.ReadPeriod(sub.ctx, s.Ledger, a.ID, from, to)
		if err != nil {
			return err
		}
		list = append(list, accountPeriod{a, p})
	}
	entry := audit.By(r.Actor(), r.Now(), "trader.export_statement", "trader", sub.trader.ID)
	after, err := json.Marshal(map[string]string{"from": r.QueryParam("from"), "to": r.QueryParam("to")})
	if err != nil {
		return err
	}
	entry.After = string(after)
	if err := s.Audit.Record(sub.ctx, entry); err != nil {
		return err
	}
	return r.File("statement-"+number(sub.trader.ID), func() error { return sub.writeStatement(sheet.New(r.Response()), list, from, to) })
}

// statementDays are the moments of the days in the address, in the member's zone: the last day is included.
func statementDays(r *desk.Request) (from, to time.Time, err error) {
	from, err1 := time.ParseInLocation(time.DateOnly, r.QueryParam("from"), r.Zone())
	last, err2 := time.ParseInLocation(time.DateOnly, r.QueryParam("to"), r.Zone())
	if err1 != nil || err2 != nil || last.Before(from) || from.After(r.Now()) {
		return from, to, errStatementDays
	}
	return from, last.AddDate(0, 0, 1), nil
}

// accountPeriod is an account with its statement.
type accountPeriod struct {
	ledger.Account
	ledger.Period
}

// writeStatement writes each account's opening balances, entries and closing balances, and then the totals of each currency.
func (sub subject) writeStatement(w *sheet.Writer, list []accountPeriod, from, to time.Time) error {
	if err := w.Row(statementColumns...); err != nil {
		return err
	}
	for _, one := range list {
		for _, row := range sub.periodRows(one, from, to) {
			if err := w.Row(row...); err != nil {
				return err
			}
		}
	}
	for _, row := range sub.totalRows(list, from, to) {
		if err := w.Row(row...); err != nil {
			return err
		}
	}
	return w.Flush()
}

// periodRows are an account's rows. A bucket that was always empty has none.
func (sub subject) periodRows(one accountPeriod, from, to time.Time) (rows [][]string) {
	sum := func(value int64) string { return sub.figures.PlainCoins(value, one.ScaleOf()) }
	held := func(line string, at time.Time, buckets ledger.Buckets) {
		for _, bucket := range []ledger.Bucket{ledger.Cash, ledger.Bonus, ledger.Deficit} {
			if _, used := one.Closing[bucket]; used || bucket == ledger.Cash {
				rows = append(rows, []string{line, number(one.ID), one.Currency, "", stamp(at), "", "", string(bucket), "", sum(buckets[bucket])})
			}
		}
	}
	held("opening", from, one.Opening)
	for _, l := range one.Lines {
		rows = append(rows, []string{"entry", number(one.ID), one.Currency, number(l.ID), stamp(l.At), l.Kind, l.Cause, string(l.Bucket), sum(l.Amount), sum(l.Held)})
	}
	held("closing", to, one.Closing)
	return rows
}

// totalRows are the sums of a currency's accounts at the beginning and at the end, and the movement between.
func (sub subject) totalRows(list []accountPeriod, from, to time.Time) (rows [][]string) {
	for _, d := range ledger.Denominations {
		opening, closing, kept := int64(0), int64(0), false
		for _, one := range list {
			if one.Currency == d.Code {
				opening, closing, kept = opening+one.Opening.Total(), closing+one.Closing.Total(), true
			}
		}
		if kept {
			sum := func(value int64) string { return sub.figures.PlainCoins(value, d.Scale) }
			rows = append(rows, []string{"total_opening", "", d.Code, "", stamp(from), "", "", "", "", sum(opening)},
				[]string{"total_movement", "", d.Code, "", "", "", "", "", sum(closing - opening), ""}, []string{"total_closing", "", d.Code, "", stamp(to), "", "", "", "", sum(closing)})
		}
	}
	return rows
}
