package wallet

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
)

// used is a stored exchange: its quote, the tape quotes that the quote refers to, and the amounts that the ledger moved.
type used struct {
	id, quoteID                    int64
	q                              Quote
	sellBid, buyAsk                *int64
	inTime                         bool
	taken, brought                 int64
	fromCurrency, toCurrency, kind string
}

// Verify recomputes every exchange from the tape and compares it with the ledger; it returns the first mismatch, and the number of verified exchanges.
func Verify(ctx context.Context, q db.Querier, products []market.Product) (*audit.Problem, int64, error) {
	byID := map[int]market.Product{}
	for _, p := range products {
		byID[p.ID] = p
	}
	rows, err := q.Query(ctx, `
		SELECT e.id, e.quote_id, q.from_currency, q.to_currency, q.given, q.from_amount, q.to_amount, q.fee, q.spread, q.rate, q.sell_product, q.sell_price, q.buy_product, q.buy_price,
		       s.bid, b.ask, e.created_at >= q.created_at AND e.created_at < q.expires_at AND e.trader_id = q.trader_id,
		       -coalesce((SELECT sum(amount) FROM postings p WHERE p.transaction_id = e.transaction_id AND p.account_id = e.from_account), 0),
		       coalesce((SELECT sum(amount) FROM postings p WHERE p.transaction_id = e.transaction_id AND p.account_id = e.to_account), 0),
		       f.currency, t.currency, f.kind || ' ' || t.kind
		FROM exchanges e JOIN exchange_quotes q ON q.id = e.quote_id JOIN accounts f ON f.id = e.from_account JOIN accounts t ON t.id = e.to_account
		LEFT JOIN tape_quotes s ON s.product_id = q.sell_product AND s.seq = q.sell_seq
		LEFT JOIN tape_quotes b ON b.product_id = q.buy_product AND b.seq = q.buy_seq
		ORDER BY e.id`)
	if err != nil {
		return nil, 0, fmt.Errorf("read the exchanges: %w", err)
	}
	defer rows.Close()
	proved := int64(0)
	for rows.Next() {
		u, err := scanUsed(rows)
		if err != nil {
			return nil, 0, fmt.Errorf("read an exchange: %w", err)
		}
		if what := u.wrong(byID); what != "" {
			return &audit.Problem{Table: "exchanges", Row: fmt.Sprint("id ", u.id), What: what}, 0, nil
		}
		proved++
	}
	return nil, proved, rows.Err()
}

func scanUsed(row pgx.Row) (u used, err error) {
	err = row.Scan(&u.id, &u.quoteID, &u.q.FromCurrency, &u.q.ToCurrency, &u.q.Given, &u.q.FromAmount, &u.q.ToAmount, &u.q.Fee, &u.q.Spread, &u.q.Rate,
		&u.q.SellProduct, &u.q.SellPrice, &u.q.BuyProduct, &u.q.BuyPrice, &u.sellBid, &u.buyAsk, &u.inTime, &u.taken, &u.brought, &u.fromCurrency, &u.toCurrency, &u.kind)
	return u, err
}

// wrong describes the first mismatch, empty for none.
func (u used) wrong(products map[int]market.Product) string {
	r := rate{spread: u.q.Spread}
	var ok bool
	if r.from, ok = ledger.DenominationOf(u.q.FromCurrency); !ok {
		return "gives a currency that there is not"
	}
	if r.to, ok = ledger.DenominationOf(u.q.ToCurrency); !ok {
		return "gets a currency that there is not"
	}
	var what string
	if r.sell, what = proven(r.from, u.q.SellProduct, u.q.SellPrice, u.sellBid, products); what != "" {
		return "sells at " + what
	}
	if r.buy, what = proven(r.to, u.q.BuyProduct, u.q.BuyPrice, u.buyAsk, products); what != "" {
		return "buys at " + what
	}
	given := u.q.FromAmount
	if u.q.Given == ReceivedSide {
		given = u.q.ToAmount
	}
	from, to, fee, err := r.sums(u.q.Given, given)
	shown, badRate := r.shown()
	switch {
	case err != nil || badRate != nil:
		return "has a rate that gives no sum"
	case from != u.q.FromAmount || to != u.q.ToAmount || fee != u.q.Fee || shown != u.q.Rate:
		return fmt.Sprintf("gives %d for %d where its rate says %d for %d", u.q.FromAmount, u.q.ToAmount, from, to)
	case !u.inTime:
		return "was made outside the life of its quote, or by another trader"
	case u.fromCurrency != u.q.FromCurrency || u.toCurrency != u.q.ToCurrency || u.kind != "funding funding":
		return "moved money of other accounts than its quote is about"
	case u.taken != u.q.FromAmount || u.brought != u.q.ToAmount:
		return fmt.Sprintf("gives %d for %d but the ledger moved %d for %d", u.q.FromAmount, u.q.ToAmount, u.taken, u.brought)
	}
	return ""
}

// proven is a leg whose price matches the tape, or the mismatch.
func proven(d ledger.Denomination, product *int, price, tape *int64, products map[int]market.Product) (*leg, string) {
	switch {
	case d.Dollar() && product == nil:
		return nil, ""
	case product == nil || price == nil || tape == nil:
		return nil, "a price that is not on the tape"
	case products[*product].Symbol != symbolOf(d):
		return nil, "the price of another product"
	case *price != *tape:
		return nil, fmt.Sprintf("%d where the tape says %d", *price, *tape)
	}
	return &leg{*price, products[*product].Point}, ""
}
