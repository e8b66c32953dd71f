package paydesk

import (
	"strconv"
	"strings"

	"candor/admin/desk"
	"candor/app/platform/sheet"
	"candor/app/withdrawal"
)

// fileColumns are the column names; they never change.
var fileColumns = []string{
	"withdrawal", "state", "trader", "account", "currency", "amount", "fee", "net", "holder", "bank", "destination", "bic", "chain", "memo", "risk", "risk_reasons",
	"first_person", "second_person", "third_person", "bank_reference", "asked_at", "sent_at", "ended_at", "kind",
}

// cells are withdrawals as rows of a file.
func (s Services) cells(r *desk.Request, list []withdrawal.Withdrawal) ([][]string, error) {
	pc, err := s.pageContext(r, list...)
	if err != nil {
		return nil, err
	}
	rows := make([][]string, len(list))
	for i, w := range list {
		holder, err := s.Withdrawals.Holder(pc.Ctx, w)
		if err != nil {
			return nil, err
		}
		rows[i] = pc.line(w, holder)
	}
	return rows, nil
}

// line is a withdrawal as a row of a file, with the account's holder. Members who don't work on withdrawals get only the end of the account number, and who
// reads the payment at the bank gets nothing of what they read there.
func (pc pageContext) line(w withdrawal.Withdrawal, holder string) []string {
	to := w.Destination()
	if n := len(to); !pc.me.work && n > 4 {
		to = strings.Repeat("*", n-4) + to[n-4:]
	}
	sum, payment := pc.show.Plain, given(w.Payment)
	if pc.blind(w) {
		sum, to, payment = func(int64) string { return "" }, "", ""
	}
	if pc.withheld[w.TraderID] {
		holder, to, payment, w.Bank, w.BIC, w.Memo = "", "", "", "", "", ""
	}
	return []string{
		w.Number(), string(w.State), decimal(w.TraderID), decimal(w.AccountID), w.Currency, sum(w.Amount), sum(w.Fee), sum(w.Net()), holder, w.Bank, to, w.BIC, w.Chain, w.Memo,
		strconv.Itoa(w.Risk), strings.ReplaceAll(w.RiskReasons, ",", " "), pc.Name(pc.me.first(w)), pc.Name(pc.me.second(w)), pc.Name(pc.me.third(w)), payment,
		sheet.Moment(&w.CreatedAt), sheet.Moment(w.SentAt), sheet.Moment(w.EndedAt), string(w.Kind),
	}
}
