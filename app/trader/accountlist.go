package trader

import (
	"context"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/platform/names"
	"candor/app/session"
	"candor/app/switches"
)

// MostAccounts is how many trading accounts a trader may have, real and mock together.
const MostAccounts = 10

const (
	longestAccountName = 30    // characters
	highestCeiling     = 1_000 // a leverage
)

// Refusals about the list of accounts.
var (
	ErrAccounts    = errs.New(errs.Refused, "account.limit")
	ErrAccountName = errs.Field("name", "field.taken")
)

// AccountRequest is a request for another trading account.
type AccountRequest struct {
	Mock            bool
	Name            string // empty for none
	LeverageCeiling int    // the highest leverage of an order; 0 for none
	Netting         bool
}

// OpenAnother opens another trading account, once per key; the main account of the book is opened first where it is missing. A mock one gets the opening
// balance. Refusals: the fields, ErrGuest, ErrLoginRestricted, ErrDemoOff, ErrAccounts, ErrAccountName.
func (s *Service) OpenAnother(ctx context.Context, p session.Principal, wanted AccountRequest, from audit.Actor, r idempotency.Request) (idempotency.Result[ledger.Account], error) {
	name, err := s.accountName(wanted.Name)
	if err == nil {
		err = checkCeiling(wanted.LeverageCeiling)
	}
	switch {
	case err != nil:
		return idempotency.Result[ledger.Account]{}, err
	case p.Guest():
		return idempotency.Result[ledger.Account]{}, ErrGuest
	case wanted.Mock && !s.switches.On(switches.DemoKey):
		return idempotency.Result[ledger.Account]{}, ErrDemoOff
	}
	wanted.Name = name
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (ledger.Account, error) { return s.openAnotherTx(ctx, tx, p, wanted, from) })
}

func (s *Service) openAnotherTx(ctx context.Context, tx *db.Tx, p session.Principal, wanted AccountRequest, from audit.Actor) (ledger.Account, error) {
	t, err := s.LockedTx(tx, p.TraderID)
	if err != nil {
		return ledger.Account{}, err
	}
	if err := s.mayLogIn(tx.Rows, t.ID); err != nil {
		return ledger.Account{}, err
	}
	if err := freeNameTx(ctx, tx, t.ID, 0, wanted.Name); err != nil {
		return ledger.Account{}, err
	}
	book, accountType := ledger.Real, t.Type
	if wanted.Mock {
		book, accountType = ledger.Mock, t.mockType()
		if _, err := s.mockTx(ctx, tx, t, nil); err != nil {
			return ledger.Account{}, err
		}
	} else if _, err := ledger.OpenTx(ctx, tx, t.ID, book, accountType, s.clock.Now()); err != nil {
		return ledger.Account{}, err
	}
	if err := countTx(ctx, tx, t.ID); err != nil {
		return ledger.Account{}, err
	}
	account, err := ledger.OpenAnotherTx(ctx, tx, ledger.Another{
		TraderID: t.ID, Book: book, Type: accountType, Name: wanted.Name, LeverageCeiling: wanted.LeverageCeiling, Netting: wanted.Netting,
	}, s.clock.Now())
	if err != nil {
		return account, err
	}
	opened := facts{"book": book, "number": account.Number, "leverage": account.LeverageCeiling, "netting": account.Netting}
	if err := s.recordAccountTx(ctx, tx, t, from, "account.open", account.ID, nil, opened); err != nil || !wanted.Mock {
		return account, err
	}
	return s.topUpTx(ctx, tx, account, s.openingBalance(), s.clock.Now())
}

// RenameAccount sets what the trader calls an account, empty for nothing. Refusals: the field, ErrGuest, ledger.ErrAccount, ErrAccountName.
func (s *Service) RenameAccount(ctx context.Context, p session.Principal, accountID int64, name string, from audit.Actor) (ledger.Account, error) {
	name, err := s.accountName(name)
	if err != nil {
		return ledger.Account{}, err
	}
	return s.changeAccount(ctx, p, accountID, func(tx *db.Tx, t Trader, account ledger.Account) (ledger.Account, error) {
		if account.Name == name {
			return account, nil
		}
		if err := freeNameTx(ctx, tx, t.ID, account.ID, name); err != nil {
			return account, err
		}
		account.Name = name
		if err := ledger.RenameTx(ctx, tx, account.ID, name); err != nil {
			return account, err
		}
		return account, s.recordAccountTx(ctx, tx, t, from, "account.rename", account.ID, nil, facts{"named": name != ""}) // the name itself can be erased
	})
}

// SetLeverageCeiling sets the highest leverage of an account's orders, 0 for none. Open positions and pending orders keep theirs. Refusals: the field, ErrGuest,
// ledger.ErrAccount.
func (s *Service) SetLeverageCeiling(ctx context.Context, p session.Principal, accountID int64, ceiling int, from audit.Actor) (ledger.Account, error) {
	if err := checkCeiling(ceiling); err != nil {
		return ledger.Account{}, err
	}
	return s.changeAccount(ctx, p, accountID, func(tx *db.Tx, t Trader, account ledger.Account) (ledger.Account, error) {
		before := account.LeverageCeiling
		if before == ceiling {
			return account, nil
		}
		account.LeverageCeiling = ceiling
		if err := ledger.SetLeverageCeilingTx(ctx, tx, account.ID, ceiling); err != nil {
			return account, err
		}
		tx.AfterCommit(func() { s.changed(account.ID) })
		return account, s.recordAccountTx(ctx, tx, t, from, "account.leverage", account.ID, facts{"leverage": before}, facts{"leverage": ceiling})
	})
}

// changeAccount changes a trading account of the trader under the trader's lock and the account's.
func (s *Service) changeAccount(ctx context.Context, p session.Principal, accountID int64, change func(*db.Tx, Trader, ledger.Account) (ledger.Account, error)) (account ledger.Account, err error) {
	if p.Guest() {
		return account, ErrGuest
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.LockedTx(tx, p.TraderID)
		if err != nil {
			return err
		}
		if account, err = ownTx(ctx, tx, t.ID, accountID); err != nil {
			return err
		}
		if account, err = ledger.LockTx(ctx, tx, account.ID); err != nil {
			return err
		}
		account, err = change(tx, t, account)
		return err
	})
	return account, err
}

// ownTx is a trader's own trading account; any other is ledger.ErrAccount.
func ownTx(ctx context.Context, tx *db.Tx, traderID, accountID int64) (ledger.Account, error) {
	account, err := ledger.Find(ctx, tx.Conn, traderID, accountID)
	if err == nil && account.Kind != ledger.Contract {
		err = ledger.ErrAccount
	}
	return account, err
}

// mayOpenTx refuses the first account of a book when the trader has as many accounts as allowed. The caller holds the trader's lock.
func mayOpenTx(ctx context.Context, tx *db.Tx, traderID int64, book ledger.Book) error {
	accounts, err := ledger.List(ctx, tx.Conn, traderID)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		if a.Book == book {
			return nil
		}
	}
	return roomFor(accounts)
}

// countTx refuses another account when the trader has as many as allowed. The caller holds the trader's lock.
func countTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	accounts, err := ledger.List(ctx, tx.Conn, traderID)
	if err != nil {
		return err
	}
	return roomFor(accounts)
}

func roomFor(accounts []ledger.Account) error {
	if len(accounts) >= MostAccounts {
		return ErrAccounts.With("limit", MostAccounts)
	}
	return nil
}

// freeNameTx refuses a name that another account of the trader has, in capitals or not. The caller holds the trader's lock.
func freeNameTx(ctx context.Context, tx *db.Tx, traderID, accountID int64, name string) error {
	if name == "" {
		return nil
	}
	accounts, err := ledger.List(ctx, tx.Conn, traderID)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		if a.ID != accountID && strings.EqualFold(a.Name, name) {
			return ErrAccountName
		}
	}
	return nil
}

// accountName tidies and checks a name. Refusals: the field, ErrAccountName for the app's own words for the kinds of accounts.
func (s *Service) accountName(name string) (string, error) {
	name, err := names.Label(name, longestAccountName)
	if err != nil {
		return "", err
	}
	if s.isKind(name) {
		return "", ErrAccountName
	}
	return name, nil
}

// kinds are the keys of the app's words for the kinds of accounts.
var kinds = []string{"session.type.demo", "session.type.real", "home.account.demo", "home.account.real"}

// isKind reports whether a name reads like the app's own word for a kind of account in one of its languages, with a number or without.
func (s *Service) isKind(name string) bool {
	unjoined := strings.Map(func(r rune) rune {
		if names.Hidden(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(name))
	plain := strings.TrimRightFunc(unjoined, func(r rune) bool { return unicode.IsDigit(r) || unicode.IsSpace(r) })
	for _, language := range s.texts.Languages() {
		for _, key := range kinds {
			if strings.EqualFold(plain, s.texts.T(language, key, nil)) {
				return true
			}
		}
	}
	return false
}

func checkCeiling(ceiling int) error {
	if ceiling < 0 || ceiling > highestCeiling {
		return errs.Field("leverageCeiling", "field.range")
	}
	return nil
}

// recordAccountTx records an act on an account in the audit log.
func (s *Service) recordAccountTx(ctx context.Context, tx *db.Tx, t Trader, from audit.Actor, action string, accountID int64, before, after facts) error {
	entry := audit.By(t.Acting(from), s.clock.Now(), action, "account", accountID)
	entry.Before, entry.After = before.json(), after.json()
	return audit.RecordTx(ctx, tx, entry)
}
