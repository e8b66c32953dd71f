// Package wallet moves money between a trader's own accounts: a transfer keeps the currency, an exchange converts it at a quoted rate that expires.
package wallet

import (
	"fmt"
	"time"

	"candor/app/ledger"
	"candor/app/platform/errs"
)

// QuoteLife is the validity of a quoted rate.
const QuoteLife = 15 * time.Second

// maxValidQuotes is the maximum number of valid quotes of one trader.
const maxValidQuotes = 40

// Refusals.
var (
	ErrMock         = errs.New(errs.Forbidden, "account.mock")
	ErrFunds        = errs.New(errs.Refused, "wallet.funds")     // more than the available amount
	ErrOff          = errs.New(errs.Refused, "wallet.off")       // exchanges are switched off
	ErrTooSmall     = errs.New(errs.Refused, "wallet.too_small") // worth less than the minimum, or one amount would be zero
	ErrUnknown      = errs.New(errs.NotFound, "wallet.unknown")
	ErrQuote        = errs.New(errs.NotFound, "wallet.quote_unknown")
	ErrQuoteExpired = errs.New(errs.Refused, "wallet.quote_expired")
	ErrQuoteUsed    = errs.New(errs.Conflict, "wallet.quote_used")
	ErrTooMany      = errs.New(errs.TooMany, "wallet.too_many_quotes")
	ErrNoPrice      = errs.New(errs.Refused, "wallet.no_price") // the feed does not price the currency
	ErrSame         = errs.Field("to", "field.choice")
	ErrAmount       = errs.Field("amount", "field.range")
)

// GivenSide is the amount that the trader entered; the other one follows from the rate.
type GivenSide string

// The amounts that may be given.
const (
	PaidSide     GivenSide = "from"
	ReceivedSide GivenSide = "to"
)

// Quote is a rate for one exchange, with the two tape quotes of its prices. Amounts are in units of their currencies.
type Quote struct {
	ID           int64
	TraderID     int64
	FromCurrency string
	ToCurrency   string
	Given        GivenSide
	FromAmount   int64
	ToAmount     int64
	Fee          int64 // cost of the spread, in the received currency
	Spread       int64 // 10^-6 percent
	Rate         int64 // 10^-RateScale of the received currency for one of the paid
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

// Number is the display number of the transfer.
func (t Transfer) Number() string { return fmt.Sprintf("TR-%d", t.ID) }

// Exchange is a used quote.
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

// Number is the display number of the exchange.
func (e Exchange) Number() string { return fmt.Sprintf("EX-%d", e.ID) }

// Holding is one account of the wallet. Its ID is 0 until it is first used.
type Holding struct {
	ledger.Account
	Available int64  // that may leave the account
	Worth     *int64 // 10^-6 USDT; nil while a price is missing
}

// Overview is the whole wallet of the session's trader.
type Overview struct {
	Holdings []Holding
	Total    int64   // 10^-6 USDT, over holdings with a price
	Totals   []Total // the same in the other currencies with a price
	Complete bool    // every holding has a price
}

// Total is the worth of a wallet in one currency.
type Total struct {
	ledger.Denomination
	Amount  int64
	PerUSDT int64 // 10^-RateScale of the currency for one USDT
}
