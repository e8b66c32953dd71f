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

// Prices is what an exchange asks the market.
type Prices interface {
	ProductBySymbol(symbol string) (market.Product, error)
	// Tradable is the quote that an order would fill at, or why there is none.
	Tradable(productID int) (market.Quote, error)
	// Confirmed is the newest quote that is believed, whatever its age.
	Confirmed(productID int) (market.Quote, bool)
}

// Positions knows what the open positions of an account make of it.
type Positions interface {
	WithdrawableTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error)
	EquityTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error)
}

// Service is what the doors call.
type Service struct {
	db        *db.DB
	clock     clock.Clock
	switches  *switches.Service
	prices    Prices
	positions Positions
	changed   func(accountID int64)
}

// New makes the service; changed is told, after the commit, of the account to trade with whenever money came to it or left it.
func New(d *db.DB, c clock.Clock, sw *switches.Service, p Prices, o Positions, changed func(accountID int64)) *Service {
	return &Service{db: d, clock: c, switches: sw, prices: p, positions: o, changed: changed}
}

// Owner is the trader who acts, with the account of the session.
type Owner struct {
	TraderID  int64
	AccountID int64
	Name      string
	IP        string
	Agent     string // what the browser calls itself
	TraceID   string
}

func (o Owner) actor() audit.Actor {
	return audit.Actor{Kind: audit.Trader, ID: o.TraderID, Name: o.Name, IP: o.IP, Agent: o.Agent, TraceID: o.TraceID}
}

// realTx is the session's account, which must be one of real money to trade with. Refusals: ErrMock, ledger.ErrAccount.
func realTx(ctx context.Context, tx *db.Tx, o Owner) (ledger.Account, error) {
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

// Transfer moves USDT between the account to trade with and the one that keeps USDT, once per key, and returns the encoded Transfer. What may leave the account to
// trade with is what its positions can do without, as with a withdrawal; what it owes is paid first. Refusals: ErrMock, ErrFunds, the field.
func (s *Service) Transfer(ctx context.Context, o Owner, from, to ledger.Kind, amount int64, r idempotency.Request) ([]byte, error) {
	if amount <= 0 {
		return nil, ErrAmount
	}
	if from == to || !tradesOrFunds(from) || !tradesOrFunds(to) {
		return nil, ErrSame
	}
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (any, error) { return s.transferTx(ctx, tx, o, from, amount) })
}

func tradesOrFunds(k ledger.Kind) bool { return k == ledger.Contract || k == ledger.Funding }

func (s *Service) transferTx(ctx context.Context, tx *db.Tx, o Owner, from ledger.Kind, amount int64) (any, error) {
	contract, err := realTx(ctx, tx, o)
	if err != nil {
		return nil, err
	}
	now := s.clock.Now()
	funding, err := ledger.OpenFundingTx(ctx, tx, o.TraderID, contract.Type, contract.Currency, now)
	if err != nil {
		return nil, err
	}
	if contract, funding, err = ledger.LockBothTx(ctx, tx, contract.ID, funding.ID); err != nil {
		return nil, err
	}
	source, target, free := funding, contract, funding.Free()
	if from == ledger.Contract {
		source, target = contract, funding
		if free, err = s.positions.WithdrawableTx(ctx, tx, contract); err != nil {
			return nil, err
		}
	}
	if amount > free {
		return nil, ErrFunds.With("free", money.Trim(free, source.ScaleOf())).With("currency", source.Currency)
	}
	t := Transfer{TraderID: o.TraderID, FromAccount: source.ID, ToAccount: target.ID, Currency: source.Currency, Amount: amount, CreatedAt: now, From: source.Kind, To: target.Kind}
	if t.ID, err = number(ctx, tx, "transfers"); err != nil {
		return nil, err
	}
	if t.TransactionID, err = s.postTx(ctx, tx, "transfer", t.ID, source.MoveTo(target, amount), nil); err != nil {
		return nil, err
	}
	if err := tx.Rows.Create(&t).Error; err != nil {
		return nil, fmt.Errorf("write transfer %d: %w", t.ID, err)
	}
	tx.AfterCommit(func() { s.changed(contract.ID) })
	return t, audit.RecordTx(ctx, tx, audit.By(o.actor(), now, "wallet.transfer", "transfer", t.ID))
}

// number takes the next id of a table: the cause of a transaction stands in it before the row does.
func number(ctx context.Context, tx *db.Tx, table string) (id int64, err error) {
	if err = tx.Conn.QueryRow(ctx, `SELECT nextval(pg_get_serial_sequence($1, 'id'))`, table).Scan(&id); err != nil {
		return 0, fmt.Errorf("number a row of %s: %w", table, err)
	}
	return id, nil
}

// postTx books an act of the wallet, once for ever: what caused it is the key.
func (s *Service) postTx(ctx context.Context, tx *db.Tx, kind string, id int64, entries []ledger.Entry, currencies map[int64]string) (int64, error) {
	cause := fmt.Sprint(kind, ":", id)
	return ledger.PostTx(ctx, tx, ledger.Transaction{
		Kind: kind, Key: cause, Cause: cause, Book: ledger.Real, At: s.clock.Now(), Entries: entries, Currencies: currencies,
	})
}
