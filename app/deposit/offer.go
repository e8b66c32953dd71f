package deposit

import (
	"context"
	"regexp"
	"strings"
	"time"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/provider"
)

// maxRelease is the longest time for a merchant to confirm a payment: a week, in minutes.
const maxRelease = 7 * 24 * 60

// Offer is a merchant's price for a payment over the counter, as the provider reported it once; empty for all other payments, and for those from before offers
// existed. Amounts and rates are in 10^-6.
type Offer struct {
	OfferCurrency string
	OfferAmount   int64 // that the trader pays
	OfferRate     int64 // OfferCurrency for one unit of the deposit's currency
	OfferRelease  int   // minutes in which the merchant aims to confirm
}

// Offered reports whether a merchant has made an offer.
func (o Offer) Offered() bool { return o.OfferAmount != 0 }

// Agreed reports whether the trader may see the payee: an offer must be accepted first.
func (d Deposit) Agreed() bool { return !d.Offered() || d.AgreedAt != nil }

// Appealable reports whether the trader may appeal. A trader who did not accept the offer never saw the payee, so nothing was paid.
func (d Deposit) Appealable() bool { return d.Kind == OTC && d.May(Appealed) && d.Agreed() }

var currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)

// readOffer parses an offer for the deposit. Ok is false for an invalid one: its amount must be the deposit's amount at its rate, rounded to the decimals that
// it is written with.
func (d Deposit) readOffer(in *provider.Offer) (o Offer, ok bool) {
	if in == nil || !currencyForm.MatchString(in.Currency) || in.ReleaseMinutes < 1 || in.ReleaseMinutes > maxRelease {
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

// stepOf is the value of the last written decimal of an amount.
func stepOf(amount string) int64 {
	_, decimals, _ := strings.Cut(amount, ".")
	return money.Pow10(max(0, money.Scale-len(decimals)))
}

// matchesOffer reports whether an answer names the stored offer; no offer also matches a deposit without one.
func (d Deposit) matchesOffer(in *provider.Offer) bool {
	if in == nil {
		return !d.Offered()
	}
	o, ok := d.readOffer(in)
	return ok && o == d.Offer
}

// Agree accepts the offer for the trader, once per key, and returns the Deposit. Refusals: ErrUnknown, ErrState.
func (s *Service) Agree(ctx context.Context, o ledger.Owner, depositID int64, r idempotency.Request) (Result, error) {
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (Deposit, error) {
		d, err := lockOwnTx(tx, o.TraderID, depositID)
		if err != nil {
			return Deposit{}, err
		}
		now := s.clock.Now()
		if d.State != AwaitingPayment || d.Agreed() || !now.Before(*d.ExpiresAt) {
			return Deposit{}, ErrState
		}
		if err := moveTx(tx, &d, map[string]any{"agreed_at": now}); err != nil {
			return Deposit{}, err
		}
		return d, audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "deposit.agree", "deposit", d.ID))
	})
}

// release is the time by which the merchant aims to confirm a payment made at a moment.
func (o Offer) release(paid time.Time) time.Time {
	return paid.Add(time.Duration(o.OfferRelease) * time.Minute)
}
