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
	account, err := ledger.Find(ctx, tx.Conn, o.TraderID, o.AccountID)
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

// Transfer moves USDT between the contract account and the USDT funding account, once per key, and returns the Transfer. The contract account may give
// as much as a withdrawal could take; its debt is paid first.
// Refusals: ErrMock, ErrFunds, the field.
func (s *Service) Transfer(ctx context.Context, o ledger.Owner, from, to ledger.Kind, amount int64, r idempotency.Request) (idempotency.Result[Transfer], error) {
	if amount <= 0 {
		return idempotency.Result[Transfer]{}, ErrAmount
	}
	if from == to || !transferable(from) || !transferable(to) {
		return idempotency.Result[Transfer]{}, ErrSame
	}
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (Transfer, error) { return s.transferTx(ctx, tx, o, from, amount) })
}

func transferable(k ledger.Kind) bool { return k == ledger.Contract || k == ledger.Funding }

func (s *Service) transferTx(ctx context.Context, tx *db.Tx, o ledger.Owner, from ledger.Kind, amount int64) (Transfer, error) {
	contract, err := contractAccountTx(ctx, tx, o)
	if err != nil {
		return Transfer{}, err
	}
	now := s.clock.Now()
	funding, err := ledger.OpenFundingTx(ctx, tx, o.TraderID, contract.Type, contract.Currency, now)
	if err != nil {
		return Transfer{}, err
	}
	if contract, funding, err = ledger.LockBothTx(ctx, tx, contract.ID, funding.ID); err != nil {
		return Transfer{}, err
	}
	source, target, free := funding, contract, funding.Cash
	if from == ledger.Contract {
		source, target = contract, funding
		if free, err = s.positions.WithdrawableTx(ctx, tx, contract); err != nil {
			return Transfer{}, err
		}
	}
	if amount > free {
		return Transfer{}, ErrFunds.With("free", money.Trim(free, source.ScaleOf())).With("currency", source.Currency)
	}
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
	tx.AfterCommit(func() { s.changed(contract.ID) })
	return t, audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "wallet.transfer", "transfer", t.ID))
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
