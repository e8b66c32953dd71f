package banking

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/bankfile"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Accounts lists the bank accounts, those of clients' money first.
func (s *Service) Accounts(ctx context.Context) (list []Account, err error) {
	return list, s.db.Rows(ctx).Order("client DESC, name, id").Limit(500).Find(&list).Error
}

// Account reads a bank account. It returns ErrUnknown.
func (s *Service) Account(ctx context.Context, id int) (a Account, err error) {
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

func (d *Draft) fields() approval.Fields {
	return approval.Fields{
		"name": &d.Name, "bank": &d.Bank, "holder": &d.Holder, "iban": &d.IBAN, "bic": &d.BIC, "currency": &d.Currency, "client": &d.Client, "open": &d.Open,
	}
}

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

// RequestAccount asks another person to agree to a new bank account, or to a change of one: its number, currency and purpose stay. Refusals: fields,
// ErrRepeated, ErrUnknown, approval.ErrOpen.
func (s *Service) RequestAccount(ctx context.Context, by audit.Actor, accountID int, d Draft, note, key string) (a approval.Approval, err error) {
	if err := approval.CheckNote(note); err != nil {
		return a, err
	}
	if accountID != 0 {
		now, err := s.Account(ctx, accountID)
		if err != nil {
			return a, err
		}
		d.IBAN, d.Currency, d.Client = now.IBAN, now.Currency, now.Client
	}
	if d, err = d.tidy(); err != nil {
		return a, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		admit := func() error {
			var n int64
			err := tx.Rows.Model(&Account{}).Where("iban = ? AND id <> ?", d.IBAN, accountID).Count(&n).Error
			if err == nil && n > 0 {
				err = ErrRepeated
			}
			return err
		}
		a, err = s.accounts.RequestTx(ctx, tx, by, approval.Request{Subject: d.IBAN, Proposal: d.fields(), Note: note, People: 2, Key: key, Admit: admit})
		return err
	})
	return a, err
}

// Requests lists the undecided requests about bank accounts, the longest waiting first.
func (s *Service) Requests(ctx context.Context) ([]approval.Approval, error) {
	return s.accounts.List(ctx, approval.Search{Open: true}, 0, 100)
}

// FindRequest reads a request about a bank account, and what it asks for. It returns approval.ErrUnknown.
func (s *Service) FindRequest(ctx context.Context, id int64) (a approval.Approval, d Draft, err error) {
	if a, err = s.accounts.Find(ctx, id); err != nil {
		return a, d, err
	}
	return a, d, a.Read(d.fields())
}

// ApproveAccount is the second person's agreement. Typed is the account's number as that person reads it on the bank's letter. Refusals: ErrTyped and those
// of approval.Service.ApproveTx.
func (s *Service) ApproveAccount(ctx context.Context, by audit.Actor, a approval.Approval, typed string) error {
	var d Draft
	if err := a.Read(d.fields()); err != nil {
		return err
	}
	if NormalNumber(typed) != d.IBAN {
		return ErrTyped
	}
	_, err := s.accounts.Approve(ctx, by, a.ID, a.Version, approval.Requested, a.Facts)
	return err
}

// DeclineAccount withdraws the person's own request, or refuses another person's. Refusals: those of approval.Service.DeclineTx.
func (s *Service) DeclineAccount(ctx context.Context, by audit.Actor, a approval.Approval, note string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := s.accounts.DeclineTx(ctx, tx, by, a, note)
		return err
	})
}

// applyAccountTx adds or changes the account of an approved request.
func (s *Service) applyAccountTx(_ context.Context, tx *db.Tx, _ audit.Actor, a approval.Approval) error {
	var d Draft
	if err := a.Read(d.fields()); err != nil {
		return err
	}
	changed := tx.Rows.Model(&Account{}).Where("iban = ?", d.IBAN).Updates(map[string]any{
		"name": d.Name, "bank": d.Bank, "holder": d.Holder, "bic": d.BIC, "open": d.Open, "approval": a.ID,
	})
	if changed.Error != nil || changed.RowsAffected == 1 {
		return changed.Error
	}
	row := Account{
		Name: d.Name, Bank: d.Bank, Holder: d.Holder, IBAN: d.IBAN, BIC: d.BIC, Currency: d.Currency, Client: d.Client, Open: d.Open, Approval: &a.ID, CreatedAt: s.clock.Now(),
	}
	if err := tx.Rows.Create(&row).Error; err != nil {
		return fmt.Errorf("add a bank account: %w", err)
	}
	return nil
}
