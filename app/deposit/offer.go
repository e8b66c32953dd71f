package deposit

import (
	"context"
	"regexp"
	"strings"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/provider"
)

// longestRelease is how many minutes a merchant may take at most to confirm a payment: a week.
const longestRelease = 7 * 24 * 60

// Offer is what a merchant wants for a payment over the counter, as the provider has told it once; empty for all other payments, and for those before there were
// offers. Amounts and rates are in 10^-6.
type Offer struct {
	OfferCurrency string
	OfferAmount   int64 // what the trader pays
	OfferRate     int64 // of OfferCurrency for one of the deposit's currency
	OfferRelease  int   // minutes within which the merchant means to confirm
}

// Offered tells whether a merchant has named its price.
func (o Offer) Offered() bool { return o.OfferAmount != 0 }

// Agreed tells whether the trader may be told whom to pay: an offer is agreed to before.
func (d Deposit) Agreed() bool { return !d.Offered() || d.AgreedAt != nil }

// Appealable tells whether its trader may say that a payment was made and is not credited. Nobody pays who was not told whom.
func (d Deposit) Appealable() bool { return d.Kind == OTC && d.May(Appealed) && d.Agreed() }

var currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)

// readOffer reads an offer for the deposit. Ok is false for one that can't be told to anybody: its amount must be that of the deposit at its rate, rounded to the
// decimals that it is written with.
func (d Deposit) readOffer(in *provider.Offer) (o Offer, ok bool) {
	if in == nil || !currencyForm.MatchString(in.Currency) || in.ReleaseMinutes < 1 || in.ReleaseMinutes > longestRelease {
		return o, false
	}
	amount, wrong := money.Parse(in.Amount, money.Scale)
	rate, bad := money.Parse(in.Rate, money.Scale)
	if wrong != nil || bad != nil || amount <= 0 || rate <= 0 {
		return o, false
	}
	exact, err := money.MulDiv(d.Amount, rate, money.Unit, money.HalfAway)
	if err != nil || max(exact-amount, amount-exact) >= stepOf(in.Amount) {
		return o, false
	}
	return Offer{in.Currency, amount, rate, in.ReleaseMinutes}, true
}

// stepOf is the smallest amount that a decimal can say with the decimals that it is written with.
func stepOf(amount string) int64 {
	_, decimals, _ := strings.Cut(amount, ".")
	return money.Pow10(max(0, money.Scale-len(decimals)))
}

// repeats tells whether an answer still names the offer that was told, or none where there was none.
func (d Deposit) repeats(in *provider.Offer) bool {
	if in == nil {
		return !d.Offered()
	}
	o, ok := d.readOffer(in)
	return ok && o == d.Offer
}

// Agree says that the trader takes the offer, once per key, and returns the encoded Deposit. Refusals: ErrUnknown, ErrState.
func (s *Service) Agree(ctx context.Context, o Owner, depositID int64, r idempotency.Request) ([]byte, error) {
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (any, error) {
		d, err := lockOwnTx(tx, o.TraderID, depositID)
		if err != nil {
			return nil, err
		}
		now := s.clock.Now()
		if d.State != AwaitingPayment || d.Agreed() || !now.Before(*d.ExpiresAt) {
			return nil, ErrState
		}
		if err := moveTx(tx, &d, map[string]any{"agreed_at": now}); err != nil {
			return nil, err
		}
		return d, audit.RecordTx(ctx, tx, audit.By(o.actor(), now, "deposit.agree", "deposit", d.ID))
	})
}

// release is when the merchant means to have confirmed what was paid at a moment.
func (o Offer) release(paid time.Time) time.Time {
	return paid.Add(time.Duration(o.OfferRelease) * time.Minute)
}
