// Package wallet moves a trader's money between the trader's own accounts: as it is, or from one currency into another at a quoted rate that expires.
package wallet

import (
	"fmt"
	"time"

	"candor/app/ledger"
	"candor/app/platform/errs"
)

// QuoteLife is how long a quoted rate holds.
const QuoteLife = 15 * time.Second

// mostLiving bounds the quotes of one trader that hold at a time.
const mostLiving = 40

// Refusals.
var (
	ErrMock         = errs.New(errs.Forbidden, "account.mock")
	ErrFunds        = errs.New(errs.Refused, "wallet.funds")     // more than may be moved
	ErrOff          = errs.New(errs.Refused, "wallet.off")       // exchanges are switched off
	ErrTooSmall     = errs.New(errs.Refused, "wallet.too_small") // worth less than the least, or one side of it would be nothing
	ErrUnknown      = errs.New(errs.NotFound, "wallet.unknown")
	ErrQuote        = errs.New(errs.NotFound, "wallet.quote_unknown")
	ErrQuoteExpired = errs.New(errs.Refused, "wallet.quote_expired")
	ErrQuoteUsed    = errs.New(errs.Conflict, "wallet.quote_used")
	ErrTooMany      = errs.New(errs.TooMany, "wallet.too_many_quotes")
	ErrNoPrice      = errs.New(errs.Refused, "wallet.no_price") // what a currency is worth is not told by this feed
	ErrSame         = errs.Field("to", "field.choice")
	ErrAmount       = errs.Field("amount", "field.range")
)

// Given says which amount of an exchange the trader named; the other follows from the rate.
type Given string

// What may be given.
const (
	Pay Given = "from"
	Get Given = "to"
)

// Quote is a rate for one exchange, with the two quotes of the tape that it is made of. Amounts are in units of their currencies.
type Quote struct {
	ID           int64
	TraderID     int64
	FromCurrency string
	ToCurrency   string
	Given        Given
	FromAmount   int64
	ToAmount     int64
	Fee          int64 // what the spread costs, in what is got
	Spread       int64 // 10^-6 percent
	Rate         int64 // 10^-RateScale of what is got for one of what is given
	SellProduct  *int
	SellSeq      *int64
	SellPrice    *int64
	BuyProduct   *int
	BuySeq       *int64
	BuyPrice     *int64
	CreatedAt    time.Time
	ExpiresAt    time.Time
}

// TableName is GORM's name of the table.
func (Quote) TableName() string { return "exchange_quotes" }

// Transfer is money that moved between two accounts of one trader and currency.
type Transfer struct {
	ID            int64
	TraderID      int64
	FromAccount   int64
	ToAccount     int64
	Currency      string
	Amount        int64
	TransactionID int64
	CreatedAt     time.Time
	From          ledger.Kind `gorm:"-"`
	To            ledger.Kind `gorm:"-"`
}

// TableName is GORM's name of the table.
func (Transfer) TableName() string { return "transfers" }

// Number is what people call the transfer.
func (t Transfer) Number() string { return fmt.Sprintf("TR-%d", t.ID) }

// Exchange is a quote that was used.
type Exchange struct {
	ID            int64
	QuoteID       int64
	TraderID      int64
	FromAccount   int64
	ToAccount     int64
	TransactionID int64
	CreatedAt     time.Time
	Quote         Quote `gorm:"-"`
}

// TableName is GORM's name of the table.
func (Exchange) TableName() string { return "exchanges" }

// Number is what people call the exchange.
func (e Exchange) Number() string { return fmt.Sprintf("EX-%d", e.ID) }

// Holding is one account of the wallet. Its ID is 0 while nothing was ever on it.
type Holding struct {
	ledger.Account
	Available int64  // what may leave it
	Worth     *int64 // 10^-6 USDT; nil while a price is missing
}

// Overview is all that a session's trader holds.
type Overview struct {
	Holdings []Holding
	Total    int64   // 10^-6 USDT, of what has a price
	Totals   []Total // the same in the other currencies that have one
	Complete bool    // everything has one
}

// Total is the worth of a wallet in a currency.
type Total struct {
	ledger.Denomination
	Amount  int64
	PerUSDT int64 // 10^-RateScale of it for one USDT
}
