package cashdesk

import (
	"strconv"

	"candor/admin/desk"
	"candor/app/deposit"
	"candor/app/platform/money"
	"candor/app/platform/sheet"
)

// fileColumns are the column names; they never change.
var fileColumns = []string{
	"deposit", "state", "trader", "account", "currency", "amount", "reference", "received", "bank_reference", "first_person", "asked_at", "proof_at", "expires_at", "kind", "decided_at",
}

// cells are deposits as rows of a file.
func (s Services) cells(r *desk.Request, list []deposit.Deposit) ([][]string, error) {
	pc, err := s.pageContext(r, list...)
	rows := make([][]string, len(list))
	for i, d := range list {
		rows[i] = pc.line(d)
	}
	return rows, err
}

// line is a deposit as a row of a file.
func (pc pageContext) line(d deposit.Deposit) []string {
	received, bank, maker := "", "", ""
	if d.Received != nil {
		received = money.Format(*d.Received, money.Scale)
	}
	if d.BankReference != nil && !pc.me.readsBank(d) { // who reads it at the bank
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
