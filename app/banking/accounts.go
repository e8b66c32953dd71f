package banking

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/bankfile"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/withdrawal"
)

// Accounts lists the bank accounts, those of clients' money first.
func (s *Service) Accounts(ctx context.Context) (list []Account, err error) {
	return list, s.db.Rows(ctx).Order("client DESC, name, id").Limit(500).Find(&list).Error
}

// Account reads a bank account. It returns ErrUnknown.
func (s *Service) Account(ctx context.Context, id int) (a Account, err error) {
	if id < 1 || id > math.MaxInt32 {
		return a, ErrUnknown
	}
	err = s.db.Rows(ctx).Where("id = ?", id).Take(&a).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = ErrUnknown
	}
	return a, err
}

// Draft is what a request says of a bank account.
type Draft struct {
	Name     string
	Bank     string
	Holder   string
	IBAN     string
	BIC      string
	Currency string
	Client   bool
	Open     bool
}

// accountSettings declares the changes of bank accounts.
func accountSettings(e *approval.Engine) *approval.Settings[Account] {
	return approval.NewSettings(e, approval.Use{Name: "bank_account", Area: "banking", About: "account", Lasts: requestLasts}, approval.Settings[Account]{
		Row: func(a *Account) approval.Row {
			return approval.Row{ID: a.ID, Version: a.Version, Fields: approval.Fields{
				"name": &a.Name, "bank": &a.Bank, "holder": &a.Holder, "iban": &a.IBAN, "bic": &a.BIC, "currency": &a.Currency, "client": &a.Client, "open": &a.Open,
			}}
		},
		Unknown: ErrUnknown, Changed: ErrChanged, Same: ErrNothing,
	})
}

// AccountChanges are the bank accounts as two people change them.
func (s *Service) AccountChanges() *approval.Settings[Account] { return s.accounts }

const (
	nameLength   = 70 // characters
	numberLength = 34 // of an IBAN
)

var (
	bicForm      = regexp.MustCompile(`^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$`)
	currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)
	numberForm   = regexp.MustCompile(`^[A-Z0-9]{5,34}$`)
)

// tidy normalizes a draft. It returns a field error for an invalid value.
func (d Draft) tidy() (Draft, error) {
	d.IBAN, d.BIC, d.Currency = NormalNumber(d.IBAN), NormalNumber(d.BIC), NormalNumber(d.Currency)
	for name, text := range map[string]*string{"name": &d.Name, "bank": &d.Bank, "holder": &d.Holder} {
		*text = strings.Join(strings.Fields(*text), " ")
		if n := utf8.RuneCountInString(*text); n < 2 || n > nameLength || !db.IsText(*text) {
			return d, errs.Field(name, "field.length")
		}
	}
	switch {
	case !numberForm.MatchString(d.IBAN) || len(d.IBAN) > numberLength || looksLikeIBAN(d.IBAN) && !bankfile.ValidIBAN(d.IBAN):
		return d, errs.Field("iban", "field.iban")
	case d.BIC != "" && !bicForm.MatchString(d.BIC):
		return d, errs.Field("bic", "field.bic")
	case !currencyForm.MatchString(d.Currency):
		return d, errs.Field("currency", "field.choice")
	}
	return d, nil
}

// looksLikeIBAN reports two letters and two digits at the beginning: then the check digits must be right.
func looksLikeIBAN(number string) bool {
	letters := func(b byte) bool { return b >= 'A' && b <= 'Z' }
	digits := func(b byte) bool { return b >= '0' && b <= '9' }
	return len(number) > 4 && letters(number[0]) && letters(number[1]) && digits(number[2]) && digits(number[3])
}

// DraftAccount adds an account that is not open. Refusals: fields, ErrRepeated.
func (s *Service) DraftAccount(ctx context.Context, by audit.Actor, d Draft) (row Account, err error) {
	if d, err = d.tidy(); err != nil {
		return row, err
	}
	row = Account{Name: d.Name, Bank: d.Bank, Holder: d.Holder, IBAN: d.IBAN, BIC: d.BIC, Currency: d.Currency, Client: d.Client, Version: 1, CreatedAt: s.clock.Now()}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Rows.Create(&row).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
			return ErrRepeated
		} else if err != nil {
			return fmt.Errorf("add a bank account: %w", err)
		}
		return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "banking.draft_account", "bank_account", row.ID))
	})
	return row, err
}

// RequestAccount asks another person to agree to what an account becomes. Its number, currency and purpose stay. Refusals: fields, ErrUnknown, ErrChanged,
// ErrNothing, approval.ErrOpen.
func (s *Service) RequestAccount(ctx context.Context, by audit.Actor, id, version int, d Draft, note string) (a approval.Approval, err error) {
	return s.accounts.Request(ctx, by, id, version, note, func(now Account) (Account, error) {
		d.IBAN, d.Currency, d.Client = now.IBAN, now.Currency, now.Client
		d, err := d.tidy()
		now.Name, now.Bank, now.Holder, now.BIC, now.Open = d.Name, d.Bank, d.Holder, d.BIC, d.Open
		return now, err
	})
}

// Values are what a request says of the account, as it is now.
func (a Account) Values() Draft {
	return Draft{Name: a.Name, Bank: a.Bank, Holder: a.Holder, IBAN: a.IBAN, BIC: a.BIC, Currency: a.Currency, Client: a.Client, Open: a.Open}
}

// ApproveAccount is the second person's agreement. Typed is the account's number as that person reads it on the bank's letter. Refusals: ErrTyped and those
// of approval.Service.ApproveTx.
func (s *Service) ApproveAccount(ctx context.Context, by audit.Actor, a approval.Approval, typed string) error {
	if err := s.CheckTyped(a, typed); err != nil {
		return err
	}
	return s.accounts.Agree(ctx, by, a)
}

// CheckTyped refuses another number than that of the account that a request is about. It returns ErrTyped.
func (s *Service) CheckTyped(a approval.Approval, typed string) error {
	var becomes Account
	if err := a.Read(s.accounts.Row(&becomes).Fields); err != nil {
		return err
	}
	if NormalNumber(typed) != becomes.IBAN {
		return ErrTyped
	}
	return nil
}

// Payers are the bank accounts that pay withdrawals: open, of clients' money, in dollars.
type Payers struct{ DB *db.DB }

// payers keeps the accounts that pay.
func payers(rows *gorm.DB) *gorm.DB {
	return rows.Where("open AND client AND currency IN ?", []string{"USD", ledger.Currency})
}

func (a Account) payer() withdrawal.Payer {
	return withdrawal.Payer{ID: a.ID, Name: a.Name, Holder: a.Holder, IBAN: a.IBAN, BIC: a.BIC, Currency: a.Currency}
}

// Payers lists the accounts that pay.
func (p Payers) Payers(ctx context.Context) (list []withdrawal.Payer, err error) {
	var found []Account
	if err = payers(p.DB.Rows(ctx)).Order("name, id").Limit(500).Find(&found).Error; err != nil {
		return nil, fmt.Errorf("list the accounts that pay: %w", err)
	}
	for _, a := range found {
		list = append(list, a.payer())
	}
	return list, nil
}

// PayerTx reads an account that pays. It returns withdrawal.ErrPayer.
func (p Payers) PayerTx(tx *db.Tx, id int) (withdrawal.Payer, error) {
	var a Account
	err := payers(tx.Rows).Where("id = ?", id).Take(&a).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = withdrawal.ErrPayer
	}
	return a.payer(), err
}
