package wallet

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/switches"
)

// symbolOf is the symbol of the product that prices a currency in dollars; dollars need none.
func symbolOf(d ledger.Denomination) string { return d.Code + "USD" }

// Quote quotes a rate for an exchange until the quote expires, and stores it with the tape quotes of its prices. No money is reserved.
// Refusals: ErrOff, ErrMock, the field, ErrAmount, ErrTooSmall, ErrTooMany, and those of market.Tradable.
func (s *Service) Quote(ctx context.Context, o ledger.Owner, from, to string, given GivenSide, amount int64) (q Quote, err error) {
	r, err := s.rate(from, to)
	if err != nil {
		return q, err
	}
	sell, buy, err := s.legs(&r)
	if err != nil {
		return q, err
	}
	if amount <= 0 {
		return q, ErrAmount
	}
	q = Quote{TraderID: o.TraderID, FromCurrency: from, ToCurrency: to, Given: given, Spread: r.spread}
	if q.FromAmount, q.ToAmount, q.Fee, err = r.sums(given, amount); err != nil {
		return q, s.least(err)
	}
	if q.Rate, err = r.shown(); err != nil {
		return q, err
	}
	worth, err := rate{from: r.from, to: ledger.Denominations[0], sell: r.sell}.credit(q.FromAmount)
	if err != nil {
		return q, err
	}
	if worth < s.switches.Amount(switches.ExchangeMinKey) {
		return q, s.least(ErrTooSmall)
	}
	q.SellProduct, q.SellSeq, q.SellPrice = proof(sell, func(q market.Quote) int64 { return q.Bid })
	q.BuyProduct, q.BuySeq, q.BuyPrice = proof(buy, func(q market.Quote) int64 { return q.Ask })
	return s.storeQuote(ctx, o, q, sell, buy)
}

// least adds the minimum worth of an exchange to ErrTooSmall.
func (s *Service) least(err error) error {
	if errors.Is(err, ErrTooSmall) {
		return ErrTooSmall.With("min", s.switches.Value(switches.ExchangeMinKey))
	}
	return err
}

// rate is the rate between two currencies, still without prices. Refusals: ErrOff, the field.
func (s *Service) rate(from, to string) (r rate, err error) {
	var known bool
	if r.from, known = ledger.DenominationOf(from); !known {
		return r, errs.Field("from", "field.choice")
	}
	if r.to, known = ledger.DenominationOf(to); !known || from == to {
		return r, ErrSame
	}
	r.spread = s.switches.Amount(switches.ExchangeSpreadKey)
	if !s.switches.On(switches.ExchangeKey) || r.spread < 0 || r.spread >= hundredPercent {
		return r, ErrOff
	}
	return r, nil
}

// legs reads both prices of a rate from the market, as for an order: the paid currency is sold at the bid, the received one is bought at the ask.
func (s *Service) legs(r *rate) (sell, buy *market.Quote, err error) {
	if !r.from.Dollar() {
		if r.sell, sell, err = s.leg(r.from, func(q market.Quote) int64 { return q.Bid }); err != nil {
			return nil, nil, err
		}
	}
	if !r.to.Dollar() {
		r.buy, buy, err = s.leg(r.to, func(q market.Quote) int64 { return q.Ask })
	}
	return sell, buy, err
}

func (s *Service) leg(d ledger.Denomination, side func(market.Quote) int64) (*leg, *market.Quote, error) {
	p, err := s.prices.ProductBySymbol(symbolOf(d))
	if err != nil {
		return nil, nil, ErrNoPrice.With("currency", d.Code)
	}
	q, err := s.prices.Tradable(p.ID)
	if err != nil {
		return nil, nil, err
	}
	return &leg{side(q), p.Point}, &q, nil
}

func proof(q *market.Quote, side func(market.Quote) int64) (product *int, seq, price *int64) {
	if q == nil {
		return nil, nil, nil
	}
	at := side(*q)
	return &q.ProductID, &q.Seq, &at
}

// storeQuote stores a quote, and the tape quotes that it refers to. It returns ErrTooMany, and the refusals of realTx and market.Refusal.
func (s *Service) storeQuote(ctx context.Context, o ledger.Owner, q Quote, legs ...*market.Quote) (Quote, error) {
	var named []market.Quote
	for _, l := range legs {
		if l != nil {
			named = append(named, *l)
		}
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := contractAccountTx(ctx, tx, o); err != nil {
			return err
		}
		q.CreatedAt = s.clock.Now()
		q.ExpiresAt = q.CreatedAt.Add(QuoteLife)
		var valid int64
		if err := tx.Rows.Model(&Quote{}).Where("trader_id = ? AND expires_at > ?", o.TraderID, q.CreatedAt).Count(&valid).Error; err != nil {
			return fmt.Errorf("count the quotes of trader %d: %w", o.TraderID, err)
		}
		if valid >= maxValidQuotes {
			return ErrTooMany
		}
		var batch pgx.Batch
		market.QueueQuotes(&batch, named)
		if err := market.Refusal(tx.Conn.SendBatch(ctx, &batch).Close()); err != nil {
			return fmt.Errorf("store the quotes of an exchange: %w", err)
		}
		q.ID = 0
		return tx.Rows.Create(&q).Error
	})
	if err != nil {
		return q, fmt.Errorf("write an exchange's quote: %w", err)
	}
	return q, nil
}

// Exchange uses a quote, once per key and only once: the paid amount leaves one account of the trader, the received amount reaches the other, and the house
// takes the other side in both currencies.
// Refusals: ErrOff, ErrMock, ErrQuote, ErrQuoteExpired, ErrQuoteUsed, ErrFunds.
func (s *Service) Exchange(ctx context.Context, o ledger.Owner, quoteID int64, r idempotency.Request) (idempotency.Result[Exchange], error) {
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (Exchange, error) { return s.exchangeTx(ctx, tx, o, quoteID) })
}

func (s *Service) exchangeTx(ctx context.Context, tx *db.Tx, o ledger.Owner, quoteID int64) (Exchange, error) {
	if !s.switches.On(switches.ExchangeKey) {
		return Exchange{}, ErrOff
	}
	contract, err := contractAccountTx(ctx, tx, o)
	if err != nil {
		return Exchange{}, err
	}
	now := s.clock.Now()
	q, err := quoteTx(ctx, tx, o, quoteID)
	if err != nil {
		return Exchange{}, err
	}
	if !now.Before(q.ExpiresAt) {
		return Exchange{}, ErrQuoteExpired
	}
	from, err := ledger.OpenFundingTx(ctx, tx, o.TraderID, contract.Type, q.FromCurrency, now)
	if err != nil {
		return Exchange{}, err
	}
	to, err := ledger.OpenFundingTx(ctx, tx, o.TraderID, contract.Type, q.ToCurrency, now)
	if err != nil {
		return Exchange{}, err
	}
	if from, to, err = ledger.LockBothTx(ctx, tx, from.ID, to.ID); err != nil {
		return Exchange{}, err
	}
	e := Exchange{QuoteID: q.ID, TraderID: o.TraderID, FromAccount: from.ID, ToAccount: to.ID, CreatedAt: now, Quote: q}
	if err := s.useTx(ctx, tx, &e, from, to); err != nil {
		return Exchange{}, err
	}
	return e, audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "wallet.exchange", "exchange", e.ID))
}

// useTx posts an exchange between two locked accounts. A unique constraint allows one exchange per quote; the account locks serialize concurrent uses, so that
// the second one gets ErrQuoteUsed.
func (s *Service) useTx(ctx context.Context, tx *db.Tx, e *Exchange, from, to ledger.Account) (err error) {
	var used int64
	if err := tx.Rows.Model(&Exchange{}).Where("quote_id = ?", e.QuoteID).Count(&used).Error; err != nil {
		return fmt.Errorf("look whether quote %d is used: %w", e.QuoteID, err)
	}
	if used > 0 {
		return ErrQuoteUsed
	}
	if free := from.Cash; e.Quote.FromAmount > free {
		return ErrFunds.With("free", money.Trim(free, from.ScaleOf())).With("currency", from.Currency)
	}
	if e.ID, err = nextID(ctx, tx, "exchanges"); err != nil {
		return err
	}
	entries, currencies := from.ExchangeInto(to, e.Quote.FromAmount, e.Quote.ToAmount)
	if e.TransactionID, err = s.postTx(ctx, tx, "exchange", e.ID, entries, currencies); err != nil {
		return err
	}
	if err := tx.Rows.Create(e).Error; err != nil {
		return fmt.Errorf("write exchange %d: %w", e.ID, err)
	}
	return nil
}

// quoteTx reads a trader's own quote; ErrQuote for any other.
func quoteTx(_ context.Context, tx *db.Tx, o ledger.Owner, id int64) (q Quote, err error) {
	if err := tx.Rows.Where("id = ? AND trader_id = ?", id, o.TraderID).Limit(1).Find(&q).Error; err != nil {
		return q, fmt.Errorf("read quote %d: %w", id, err)
	}
	if q.ID == 0 {
		return q, ErrQuote
	}
	return q, nil
}
