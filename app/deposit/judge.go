package deposit

import (
	"net/url"
	"time"

	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/provider"
)

// answer is a provider's answer about a deposit.
type answer struct {
	provider.Payment
	asked   State // the state of the deposit at the time of the query
	refused bool  // the provider did nothing and will do nothing
	absent  bool  // the provider does not know the payment
	unclear bool  // the state of the payment is unknown
}

// verdict is the effect of an answer on a deposit. An empty state keeps the deposit's state.
type verdict struct {
	state    State
	received int64  // the amount of a credit or a review
	reason   string // coded
	missing  bool   // the payer took it back after the credit
	returned bool   // it is back before the credit was reversed
}

// judge decides about a deposit by an answer. Only an answer that matches the request exactly credits money; staff decide about any other payment.
func (d Deposit) judge(a answer, now time.Time) verdict {
	v := d.judgeAnswer(a, now)
	switch {
	case v.received > 0 && d.settled(v):
		return verdict{}
	case v.state == "" || d.May(v.state):
		return v
	case v.state == InReview && d.State == InReview && v.received > 0:
		return v
	case v.received > 0 && d.May(InReview): // the deposit had ended in another way
		return verdict{state: InReview, received: v.received}
	}
	return verdict{}
}

// settled reports whether staff review, have approved or have rejected exactly this payment.
func (d Deposit) settled(v verdict) bool {
	return (d.staffDecide() || d.State == Rejected) && v.received == deref(d.Received)
}

// staffDecide reports whether staff decide the amount to credit.
func (d Deposit) staffDecide() bool { return d.State == InReview || d.State == Approved }

func (d Deposit) judgeAnswer(a answer, now time.Time) verdict {
	switch {
	case a.unclear:
		return d.judgeTimeout(now)
	case a.refused:
		return d.verdictIn(Created, verdict{state: Failed, reason: reasonRefused})
	case a.absent && d.State == Created:
		if now.Before(*d.ExpiresAt) {
			return verdict{}
		}
		return verdict{state: Failed, reason: reasonRefused}
	case a.absent: // a provider may delete expired payments
		return verdict{state: ProviderUnknown}.noneIf(a.asked != d.State || d.State == Expired)
	case !d.matchesRequest(a.Payment):
		return verdict{state: ProviderUnknown}
	}
	return d.judgePayment(a.Payment, now)
}

// judgePayment judges an answer that matches this deposit.
func (d Deposit) judgePayment(p provider.Payment, now time.Time) verdict {
	switch p.State {
	case provider.Paid:
		return d.judgePaid(p)
	case provider.Pending, provider.Disputed:
		return d.judgePending(now)
	case provider.ChargedBack:
		if d.State == Credited {
			return verdict{missing: d.GoneAt == nil}
		}
		return verdict{state: Failed, reason: reasonFailed}
	case provider.Expired:
		return d.judgeUnpaid(verdict{state: Expired}, Expired)
	case provider.Failed:
		return d.judgeUnpaid(verdict{state: Failed, reason: reasonFailed}, ProviderUnknown)
	case provider.Cancelled:
		return d.judgeUnpaid(verdict{state: Cancelled}, ProviderUnknown)
	}
	return verdict{state: ProviderUnknown}
}

// judgePaid judges a payment: exactly the requested amount is credited, another amount needs two people.
func (d Deposit) judgePaid(p provider.Payment) verdict {
	received, exact := d.creditableAmount(p)
	switch {
	case received <= 0:
		return verdict{state: ProviderUnknown}
	case d.Missing() && received == deref(d.Received):
		return verdict{returned: true}
	case exact && !d.staffDecide():
		return verdict{state: Credited, received: received}
	}
	return verdict{state: InReview, received: received}.noneIf(d.State == Approved && received == deref(d.Received))
}

// creditableAmount is the amount that a payment adds to the account, 0 if it can't be credited. Over the counter it is the paid share of the offer, rounded down. Exact
// reports that it is the requested amount.
func (d Deposit) creditableAmount(p provider.Payment) (received int64, exact bool) {
	paid, err := money.Parse(p.Paid, money.Scale)
	switch {
	case err != nil || !d.matchesOffer(p.Offer):
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

func (v verdict) noneIf(none bool) verdict {
	if none {
		return verdict{}
	}
	return v
}

// judgeUnpaid is the verdict on a payment that ended unpaid, unless the trader reported it as paid or staff decide about it.
func (d Deposit) judgeUnpaid(v verdict, disputed State) verdict {
	switch d.State {
	case MarkedPaid:
		return verdict{state: disputed}
	case ProviderUnknown:
		return v.noneIf(d.FileID != nil)
	case Appealed, InReview, Approved, Credited:
		return verdict{}
	}
	return v
}

func (d Deposit) judgePending(now time.Time) verdict {
	if d.State != Created {
		return d.judgeTimeout(now)
	}
	if d.Kind == OTC {
		return verdict{state: AwaitingPayment}
	}
	return verdict{state: Redirected}
}

// judgeTimeout is the verdict without news from the provider: the time to pay over the counter ends by our clock, and after Grace the deposit goes to staff.
func (d Deposit) judgeTimeout(now time.Time) verdict {
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

func (d Deposit) verdictIn(s State, v verdict) verdict { return v.noneIf(d.State != s) }

// matchesRequest reports whether an answer matches the request.
func (d Deposit) matchesRequest(p provider.Payment) bool {
	asked, err := money.Parse(p.Amount, money.Scale)
	return err == nil && p.Reference == d.Reference && p.Currency == d.Currency && asked == d.Amount
}

// maxDetailLength is the maximum length of a text about payment details, in bytes.
const maxDetailLength = 500

// hasPaymentDetails reports whether an answer contains payment details, and over the counter the price, in texts that can be shown.
func (d Deposit) hasPaymentDetails(p provider.Payment) bool {
	if d.Kind == OTC {
		_, priced := d.readOffer(p.Offer)
		return priced && p.Merchant != nil && p.Merchant.Account != "" && displayable(p.Merchant.Name, p.Merchant.Bank, p.Merchant.Account)
	}
	page, err := url.Parse(p.PayURL)
	return err == nil && (page.Scheme == "https" || page.Scheme == "http") && page.Host != "" && displayable(p.PayURL)
}

func displayable(texts ...string) bool {
	for _, text := range texts {
		if len(text) > maxDetailLength || !db.IsText(text) {
			return false
		}
	}
	return true
}
