package wallet

import (
	"context"
	"fmt"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/switches"
)

// Prices gives the market's quotes for exchanges.
type Prices interface {
	ProductBySymbol(symbol string) (market.Product, error)
	// Tradable is the quote at which an order would fill, or the reason why there is none.
	Tradable(productID int) (market.Quote, error)
	// Confirmed is the newest confirmed quote, at any age.
	Confirmed(productID int) (market.Quote, bool)
}

// Positions computes the withdrawable amount and the equity of an account from its open positions.
type Positions interface {
	WithdrawableTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error)
	EquityTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error)
}

// Service implements the wallet for the API.
type Service struct {
	db        *db.DB
	clock     clock.Clock
	switches  *switches.Service
	prices    Prices
	positions Positions
	changed   func(accountID int64)
}

// New makes the service; changed is called after the commit with a contract account that money came to or left.
func New(d *db.DB, c clock.Clock, sw *switches.Service, p Prices, o Positions, changed func(accountID int64)) *Service {
	return &Service{db: d, clock: c, switches: sw, prices: p, positions: o, changed: changed}
}

// contractAccountTx is the session's account, which must be a real contract account. Refusals: ErrMock, ledger.ErrAccount.
func contractAccountTx(ctx context.Context, tx *db.Tx, o ledger.Owner) (ledger.Account, error) {
	return realAccountTx(ctx, tx, o.TraderID, o.AccountID)
}

// realAccountTx is a trader's own real contract account. Refusals: ErrMock, ledger.ErrAccount.
func realAccountTx(ctx context.Context, tx *db.Tx, traderID, accountID int64) (ledger.Account, error) {
	account, err := ledger.Find(ctx, tx.Conn, traderID, accountID)
	switch {
	case err != nil:
		return account, err
	case account.Mock():
		return account, ErrMock
	case account.Kind != ledger.Contract:
		return account, ledger.ErrAccount
	}
	return account, nil
}

// End is one side of a transfer: the funding account, or a trading account.
type End struct {
	Kind      ledger.Kind
	AccountID int64 // of a trading account; 0 for the session's
}

// Transfer moves USDT between two of the trader's own accounts, once per key, and returns the Transfer: the USDT funding account and the real trading accounts.
// A trading account may give as much as a withdrawal could take; a debt of the one that gets the money is paid first.
// Refusals: ErrMock, ErrFunds, the field, ledger.ErrAccount.
func (s *Service) Transfer(ctx context.Context, o ledger.Owner, from, to End, amount int64, r idempotency.Request) (idempotency.Result[Transfer], error) {
	if amount <= 0 {
		return idempotency.Result[Transfer]{}, ErrAmount
	}
	if from == to || !from.valid() || !to.valid() {
		return idempotency.Result[Transfer]{}, ErrSame
	}
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (Transfer, error) { return s.transferTx(ctx, tx, o, from, to, amount) })
}

// valid reports whether there can be such an account: the funding account has no id to be chosen by.
func (e End) valid() bool {
	return e.Kind == ledger.Contract || e.Kind == ledger.Funding && e.AccountID == 0
}

func (s *Service) transferTx(ctx context.Context, tx *db.Tx, o ledger.Owner, from, to End, amount int64) (Transfer, error) {
	session, err := contractAccountTx(ctx, tx, o)
	if err != nil {
		return Transfer{}, err
	}
	source, err := s.endTx(ctx, tx, session, from)
	if err != nil {
		return Transfer{}, err
	}
	target, err := s.endTx(ctx, tx, session, to)
	if err != nil {
		return Transfer{}, err
	}
	if source.ID == target.ID {
		return Transfer{}, ErrSame
	}
	if source, target, err = ledger.LockBothTx(ctx, tx, source.ID, target.ID); err != nil {
		return Transfer{}, err
	}
	free, err := s.freeTx(ctx, tx, source)
	if err != nil {
		return Transfer{}, err
	}
	if amount > free {
		return Transfer{}, ErrFunds.With("free", money.Trim(free, source.ScaleOf())).With("currency", source.Currency)
	}
	now := s.clock.Now()
	t := Transfer{TraderID: o.TraderID, FromAccount: source.ID, ToAccount: target.ID, Currency: source.Currency, Amount: amount, CreatedAt: now, From: source.Kind, To: target.Kind}
	if t.ID, err = nextID(ctx, tx, "transfers"); err != nil {
		return Transfer{}, err
	}
	if t.TransactionID, err = s.postTx(ctx, tx, "transfer", t.ID, source.MoveTo(target, amount), nil); err != nil {
		return Transfer{}, err
	}
	if err := tx.Rows.Create(&t).Error; err != nil {
		return Transfer{}, fmt.Errorf("write transfer %d: %w", t.ID, err)
	}
	tx.AfterCommit(func() { s.moved(source, target) })
	return t, audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "wallet.transfer", "transfer", t.ID))
}

// endTx is the account at one end of a transfer, unlocked; the funding account is opened on first use. Refusals: ErrMock, ledger.ErrAccount.
func (s *Service) endTx(ctx context.Context, tx *db.Tx, session ledger.Account, e End) (ledger.Account, error) {
	switch {
	case e.Kind == ledger.Funding:
		return ledger.OpenFundingTx(ctx, tx, session.TraderID, session.Type, session.Currency, s.clock.Now())
	case e.AccountID == 0:
		return session, nil
	}
	return realAccountTx(ctx, tx, session.TraderID, e.AccountID)
}

// freeTx is what a locked account may give.
func (s *Service) freeTx(ctx context.Context, tx *db.Tx, source ledger.Account) (int64, error) {
	if source.Kind == ledger.Funding {
		return source.Cash, nil
	}
	return s.positions.WithdrawableTx(ctx, tx, source)
}

// moved tells of the contract accounts whose money changed.
func (s *Service) moved(accounts ...ledger.Account) {
	for _, a := range accounts {
		if a.Kind == ledger.Contract {
			s.changed(a.ID)
		}
	}
}

// nextID takes the next id of a table: the transaction's cause needs it before the row exists.
func nextID(ctx context.Context, tx *db.Tx, table string) (id int64, err error) {
	if err = tx.Conn.QueryRow(ctx, `SELECT nextval(pg_get_serial_sequence($1, 'id'))`, table).Scan(&id); err != nil {
		return 0, fmt.Errorf("number a row of %s: %w", table, err)
	}
	return id, nil
}

// postTx posts an act of the wallet, once: its cause is the key.
func (s *Service) postTx(ctx context.Context, tx *db.Tx, kind string, id int64, entries []ledger.Entry, currencies map[int64]string) (int64, error) {
	cause := fmt.Sprint(kind, ":", id)
	return ledger.PostTx(ctx, tx, ledger.Transaction{
		Kind: kind, Key: cause, Cause: cause, Book: ledger.Real, At: s.clock.Now(), Entries: entries, Currencies: currencies,
	})
}
