package bankfile

import (
	"regexp"
	"strings"
	"time"

	"candor/app/platform/errs"
)

// Refusals of payments. {{payment}} is the position in the batch, from 1.
var (
	ErrNoPayments      = errs.New(errs.Refused, "bankfile.no_payments")
	ErrTooManyPayments = errs.New(errs.Refused, "bankfile.too_many_payments")
	ErrMessageID       = errs.New(errs.Refused, "bankfile.message_id")
	ErrInitiator       = errs.New(errs.Refused, "bankfile.initiator")
	ErrDebtor          = errs.New(errs.Refused, "bankfile.debtor") // name, IBAN or BIC of the account that pays
	ErrIBAN            = errs.New(errs.Refused, "bankfile.iban")
	ErrBIC             = errs.New(errs.Refused, "bankfile.bic")
	ErrCreditorName    = errs.New(errs.Refused, "bankfile.creditor_name") // missing, or letters that no bank of this network can read
	ErrCreditorAccount = errs.New(errs.Refused, "bankfile.creditor_account")
	ErrEndToEnd        = errs.New(errs.Refused, "bankfile.end_to_end")
	ErrSameEndToEnd    = errs.New(errs.Refused, "bankfile.same_end_to_end")
	ErrPayment         = errs.New(errs.Refused, "bankfile.payment") // no positive amount, more than the SEPA scheme takes, or no currency code
	ErrExecution       = errs.New(errs.Refused, "bankfile.execution")
	ErrControlSum      = errs.New(errs.Refused, "bankfile.control_sum")
)

// MaxPayments is the most payments of a batch.
const MaxPayments = 10_000

// Lengths by ISO 20022 and, for names and texts, the SEPA schemes.
const (
	idLength      = 35
	nameLength    = 70
	textLength    = 140
	accountLength = 34
)

// maxSEPA is the largest amount of the SEPA credit transfer scheme, in cents.
const maxSEPA = 999_999_999_99

// Batch is one payment file for one bank.
type Batch struct {
	MessageID string    // unique at the bank; at most 35 characters of the SWIFT character set
	Created   time.Time // written in UTC
	Initiator string    // the company that sends the file
	Payments  []Payment
}

// Debtor is the account that pays.
type Debtor struct {
	Name, IBAN string
	BIC        string // optional
}

// Payment is one credit transfer. Names and text are transliterated to the SWIFT character set and cut to 70 and 140 characters.
type Payment struct {
	Debtor     Debtor
	ExecuteOn  Date
	EndToEndID string // unique in the batch; at most 35 characters of the SWIFT character set
	Amount     int64  // smallest unit of Currency
	Currency   string // ISO 4217

	CreditorName    string
	CreditorIBAN    string // or CreditorAccount, not both
	CreditorAccount string
	CreditorBIC     string // optional
	Text            string // remittance information; optional
}

// sepa reports whether the SEPA credit transfer scheme takes the payment.
func (p Payment) sepa() bool {
	return p.Currency == "EUR" && inSEPA(p.Debtor.IBAN) && inSEPA(p.CreditorIBAN)
}

// identifier is what the SEPA schemes allow as a reference: no slash at either end, no two in a row.
var identifier = regexp.MustCompile(`^[A-Za-z0-9/?:().,'+ -]{1,35}$`)

func validIdentifier(id string) bool {
	return identifier.MatchString(id) && strings.TrimSpace(id) == id && !strings.HasPrefix(id, "/") && !strings.HasSuffix(id, "/") && !strings.Contains(id, "//")
}

// prepare returns the batch as it is written: account numbers compact, names and texts transliterated. It refuses what a bank would.
func (b Batch) prepare() (Batch, error) {
	var lost bool
	switch b.Initiator, lost = transliterate(b.Initiator, nameLength); {
	case len(b.Payments) == 0:
		return b, ErrNoPayments
	case len(b.Payments) > MaxPayments:
		return b, ErrTooManyPayments.With("limit", MaxPayments)
	case !validIdentifier(b.MessageID):
		return b, ErrMessageID
	case b.Initiator == "" || lost:
		return b, ErrInitiator
	}
	out := make([]Payment, 0, len(b.Payments))
	seen := map[string]int{}
	for i, p := range b.Payments {
		if err := p.prepare(i + 1); err != nil {
			return b, err
		}
		if earlier, twice := seen[p.EndToEndID]; twice {
			return b, ErrSameEndToEnd.With("payment", i+1).With("earlier", earlier)
		}
		seen[p.EndToEndID] = i + 1
		out = append(out, p)
	}
	b.Payments = out
	return b, nil
}

// prepare is for the payment at a position from 1.
func (p *Payment) prepare(position int) error {
	p.Debtor.IBAN, p.Debtor.BIC = account(p.Debtor.IBAN), account(p.Debtor.BIC)
	p.CreditorIBAN, p.CreditorBIC, p.CreditorAccount = account(p.CreditorIBAN), account(p.CreditorBIC), compact(p.CreditorAccount)
	var debtorLost, creditorLost bool
	p.Debtor.Name, debtorLost = transliterate(p.Debtor.Name, nameLength)
	p.CreditorName, creditorLost = transliterate(p.CreditorName, nameLength)
	p.Text, _ = transliterate(p.Text, textLength)
	spelled, accountLost := transliterate(p.CreditorAccount, accountLength+1)
	switch {
	case p.Debtor.Name == "" || debtorLost || !ValidIBAN(p.Debtor.IBAN) || p.Debtor.BIC != "" && !bicForm.MatchString(p.Debtor.BIC):
		return ErrDebtor.With("payment", position)
	case p.CreditorName == "" || creditorLost:
		return ErrCreditorName.With("payment", position)
	case (p.CreditorIBAN == "") == (p.CreditorAccount == "") || accountLost || spelled != p.CreditorAccount || len(spelled) > accountLength:
		return ErrCreditorAccount.With("payment", position)
	case p.CreditorIBAN != "" && !ValidIBAN(p.CreditorIBAN):
		return ErrIBAN.With("payment", position)
	case p.CreditorBIC != "" && !bicForm.MatchString(p.CreditorBIC):
		return ErrBIC.With("payment", position)
	case !validIdentifier(p.EndToEndID):
		return ErrEndToEnd.With("payment", position)
	case p.Amount <= 0 || p.sepa() && p.Amount > maxSEPA || !currencyCode.MatchString(p.Currency):
		return ErrPayment.With("payment", position)
	case p.ExecuteOn.IsZero():
		return ErrExecution.With("payment", position)
	}
	return nil
}

// account is an IBAN or BIC as files have it: capitals without spaces.
func account(text string) string { return strings.ToUpper(compact(text)) }
