package deposit

import (
	"net/url"
	"time"

	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/provider"
)

// answer is what a provider said when it was asked about a deposit.
type answer struct {
	provider.Payment
	asked   State // of the deposit when the provider was asked
	refused bool  // it did nothing and will do nothing
	absent  bool  // it does not know the payment
	unclear bool  // nobody knows
}

// verdict is what an answer makes of a deposit. Without a state it stays where it is.
type verdict struct {
	state    State
	received int64  // what came, of a credit or a review
	reason   string // coded
	gone     bool   // who paid has taken it back after the credit
	back     bool   // it is there again, before anybody has reversed the credit
}

// judge says what becomes of a deposit. Money is credited only for an answer that says exactly what was asked for; anything near it is for people.
func (d Deposit) judge(a answer, now time.Time) verdict {
	v := d.read(a, now)
	switch {
	case v.received > 0 && d.settled(v):
		return verdict{}
	case v.state == "" || d.May(v.state):
		return v
	case v.state == InReview && d.State == InReview && v.received > 0:
		return v
	case v.received > 0 && d.May(InReview): // it had ended otherwise before
		return verdict{state: InReview, received: v.received}
	}
	return verdict{}
}

// settled tells whether people have decided about just this payment.
func (d Deposit) settled(v verdict) bool {
	return (d.held() || d.State == Rejected) && v.received == deref(d.Received)
}

// held tells whether people decide what is credited.
func (d Deposit) held() bool { return d.State == InReview || d.State == Approved }

func (d Deposit) read(a answer, now time.Time) verdict {
	switch {
	case a.unclear:
		return d.silent(now)
	case a.refused:
		return d.only(Created, verdict{state: Failed, reason: reasonRefused})
	case a.absent && d.State == Created:
		if now.Before(*d.ExpiresAt) {
			return verdict{}
		}
		return verdict{state: Failed, reason: reasonRefused}
	case a.absent: // a provider may forget what has expired
		return verdict{state: ProviderUnknown}.unless(a.asked != d.State || d.State == Expired)
	case !d.fits(a.Payment):
		return verdict{state: ProviderUnknown}
	}
	return d.says(a.Payment, now)
}

// says reads an answer that is about this deposit.
func (d Deposit) says(p provider.Payment, now time.Time) verdict {
	switch p.State {
	case provider.Paid:
		return d.paid(p)
	case provider.Pending, provider.Disputed:
		return d.pending(now)
	case provider.ChargedBack:
		if d.State == Credited {
			return verdict{gone: d.GoneAt == nil}
		}
		return verdict{state: Failed, reason: reasonFailed}
	case provider.Expired:
		return d.unlessSaidPaid(verdict{state: Expired}, Expired)
	case provider.Failed:
		return d.unlessSaidPaid(verdict{state: Failed, reason: reasonFailed}, ProviderUnknown)
	case provider.Cancelled:
		return d.unlessSaidPaid(verdict{state: Cancelled}, ProviderUnknown)
	}
	return verdict{state: ProviderUnknown}
}

// paid reads what came: just what was asked for is credited, another amount is for two people.
func (d Deposit) paid(p provider.Payment) verdict {
	received, exact := d.came(p)
	switch {
	case received <= 0:
		return verdict{state: ProviderUnknown}
	case d.Gone() && received == deref(d.Received):
		return verdict{back: true}
	case exact && !d.held():
		return verdict{state: Credited, received: received}
	}
	return verdict{state: InReview, received: received}.unless(d.State == Approved && received == deref(d.Received))
}

// came is what a payment is worth to the account, nothing where it can't be: over the counter its share of what the offer names, cut to what an account holds. Exact
// tells that it is just what was asked for.
func (d Deposit) came(p provider.Payment) (received int64, exact bool) {
	paid, err := money.Parse(p.Paid, money.Scale)
	switch {
	case err != nil || !d.repeats(p.Offer):
		return 0, false
	case !d.Offered():
		return paid, paid == d.Amount
	case paid == d.OfferAmount:
		return d.Amount, true
	}
	received, err = money.MulDiv(d.Amount, paid, d.OfferAmount, money.Down)
	if err != nil {
		return 0, false
	}
	return received, false
}

func (v verdict) unless(nothing bool) verdict {
	if nothing {
		return verdict{}
	}
	return v
}

// unlessSaidPaid is a payment that came to nothing; where the trader says to have paid it is not over.
func (d Deposit) unlessSaidPaid(v verdict, disputed State) verdict {
	switch d.State {
	case MarkedPaid:
		return verdict{state: disputed}
	case ProviderUnknown:
		return v.unless(d.FileID != nil)
	case Appealed, InReview, Approved, Credited:
		return verdict{}
	}
	return v
}

func (d Deposit) pending(now time.Time) verdict {
	if d.State != Created {
		return d.silent(now)
	}
	if d.Kind == OTC {
		return verdict{state: AwaitingPayment}
	}
	return verdict{state: Redirected}
}

// silent is a deposit of which nothing was heard: over the counter the time for the payment ends by our clock; a day after the end people look.
func (d Deposit) silent(now time.Time) verdict {
	switch {
	case d.State == AwaitingPayment && !now.Before(*d.ExpiresAt):
		return verdict{state: Expired}
	case now.Before(d.ExpiresAt.Add(Grace)):
		return verdict{}
	}
	switch d.State {
	case Created, Redirected, ProviderPending, MarkedPaid:
		return verdict{state: ProviderUnknown}
	}
	return verdict{}
}

func (d Deposit) only(s State, v verdict) verdict { return v.unless(d.State != s) }

// fits tells whether an answer is about what was asked for.
func (d Deposit) fits(p provider.Payment) bool {
	asked, err := money.Parse(p.Amount, money.Scale)
	return err == nil && p.Reference == d.Reference && p.Currency == d.Currency && asked == d.Amount
}

// longest is how many bytes a provider's text about where to pay may have.
const longest = 500

// leads tells whether an answer says where the trader pays, and over the counter how much, in texts that can be shown.
func (d Deposit) leads(p provider.Payment) bool {
	if d.Kind == OTC {
		_, priced := d.readOffer(p.Offer)
		return priced && p.Merchant != nil && p.Merchant.Account != "" && shown(p.Merchant.Name, p.Merchant.Bank, p.Merchant.Account)
	}
	page, err := url.Parse(p.PayURL)
	return err == nil && (page.Scheme == "https" || page.Scheme == "http") && page.Host != "" && shown(p.PayURL)
}

func shown(texts ...string) bool {
	for _, text := range texts {
		if len(text) > longest || !db.IsText(text) {
			return false
		}
	}
	return true
}
