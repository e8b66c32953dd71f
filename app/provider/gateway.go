package provider

import "context"

// Gateway is what the house asks of a provider. Every call that moves money carries our reference, which is the provider's idempotency key: asked twice, it acts
// once. Errors: RefusedError, ErrAbsent, ErrUnclear.
type Gateway interface {
	// Pay asks for a payment by the trader: third party, or over the counter.
	Pay(ctx context.Context, order PaymentOrder) (Payment, error)
	// Payment asks how a payment stands.
	Payment(ctx context.Context, reference string) (Payment, error)
	// Act says what the trader did or wants: MarkPaid, Appeal or Cancel.
	Act(ctx context.Context, reference string, act Act) (Payment, error)
	// Address asks for an address that what is sent to reaches us under the reference; asked twice, it is the same.
	Address(ctx context.Context, order AddressOrder) (Address, error)
	// Transfers lists what reached the address of a reference, oldest first.
	Transfers(ctx context.Context, reference string) ([]Transfer, error)
	// Send asks for money to go out.
	Send(ctx context.Context, order PayoutOrder) (Payout, error)
	// Payout asks how a payout stands.
	Payout(ctx context.Context, reference string) (Payout, error)
}

// Kinds of payments and payouts, as on the wire of the app.
const (
	ThirdParty = "third_party"
	OTC        = "otc"
	Bank       = "bank"
	Daifu      = "daifu" // paid by an agent
	Standard   = "standard"
)

// States of payments.
const (
	Pending     = "pending"
	Paid        = "paid" // Payment.Paid says how much
	Failed      = "failed"
	Expired     = "expired"
	Disputed    = "disputed" // over the counter: an appeal is open
	Cancelled   = "cancelled"
	ChargedBack = "charged_back"
)

// States of transfers on a chain.
const (
	Detected  = "detected"
	Confirmed = "confirmed"
	Dropped   = "dropped" // its block is no longer in the chain
)

// States of payouts.
const (
	Accepted = "accepted"
	Sent     = "sent"     // Payout.Payment is the bank's reference or the transaction's hash
	Returned = "returned" // it came back after it was sent
)

// Act is what a trader does to a payment.
type Act string

// The acts.
const (
	MarkPaid Act = "paid"
	Appeal   Act = "appeal"
	Cancel   Act = "cancel"
)

// PaymentOrder asks for a payment. Amounts are decimal strings.
type PaymentOrder struct {
	Reference string `json:"reference"`
	Kind      string `json:"kind"` // ThirdParty or OTC
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
	NotifyURL string `json:"notifyUrl"`
	ReturnURL string `json:"returnUrl"`
	ExpiresAt int64  `json:"expiresAt"` // milliseconds
}

// Payment is how a payment stands.
type Payment struct {
	Reference string    `json:"reference"`
	State     string    `json:"state"`
	Amount    string    `json:"amount"` // asked for
	Paid      string    `json:"paid"`   // came, in the currency of PaidIn
	Currency  string    `json:"currency"`
	PayURL    string    `json:"payUrl,omitzero"` // third party: where the trader pays
	Offer     *Offer    `json:"offer,omitzero"`  // over the counter: what the merchant wants for it
	Merchant  *Merchant `json:"merchant,omitzero"`
}

// PaidIn is the currency that Paid counts in: the offer's, where there is one.
func (p Payment) PaidIn() string {
	if p.Offer != nil {
		return p.Offer.Currency
	}
	return p.Currency
}

// Offer is what a merchant wants for a payment, in the currency that the trader pays in. It holds until the order's end, and never changes.
type Offer struct {
	Currency       string `json:"currency"`       // three capital letters
	Amount         string `json:"amount"`         // to pay: what was asked for at the rate, rounded to the decimals that are written
	Rate           string `json:"rate"`           // of Currency for one of what was asked for
	ReleaseMinutes int    `json:"releaseMinutes"` // within which the merchant confirms a payment that was made
}

// Merchant is whom a trader pays over the counter.
type Merchant struct {
	Name    string `json:"name"`
	Bank    string `json:"bank"`
	Account string `json:"account"`
}

// AddressOrder asks for an address of a coin on a chain.
type AddressOrder struct {
	Reference string `json:"reference"`
	Coin      string `json:"coin"`
	Chain     string `json:"chain"`
	NotifyURL string `json:"notifyUrl"`
}

// Address is where coins are sent to.
type Address struct {
	Reference string `json:"reference"`
	Coin      string `json:"coin"`
	Chain     string `json:"chain"`
	Address   string `json:"address"`
	Memo      string `json:"memo,omitzero"`
}

// Transfer is what reached an address.
type Transfer struct {
	ID            string `json:"id"` // the provider's, for good
	Reference     string `json:"reference"`
	State         string `json:"state"`
	Coin          string `json:"coin"`
	Chain         string `json:"chain"`
	Amount        string `json:"amount"`
	Hash          string `json:"hash"` // of the transaction
	Confirmations int    `json:"confirmations"`
	Required      int    `json:"required"`
}

// PayoutOrder asks for money to go out.
type PayoutOrder struct {
	Reference string `json:"reference"`
	Kind      string `json:"kind"`   // Bank, Daifu or Standard
	Amount    string `json:"amount"` // what the payee gets
	Currency  string `json:"currency"`
	Holder    string `json:"holder,omitzero"`
	Bank      string `json:"bank,omitzero"`
	IBAN      string `json:"iban,omitzero"`
	BIC       string `json:"bic,omitzero"`
	Chain     string `json:"chain,omitzero"`
	Address   string `json:"address,omitzero"`
	Memo      string `json:"memo,omitzero"`
	NotifyURL string `json:"notifyUrl"`
}

// Payout is how a payout stands.
type Payout struct {
	Reference     string `json:"reference"`
	State         string `json:"state"` // Accepted, Sent, Confirmed, Failed or Returned
	Amount        string `json:"amount"`
	Currency      string `json:"currency"`
	Payment       string `json:"payment,omitzero"`
	Confirmations int    `json:"confirmations,omitzero"`
	Required      int    `json:"required,omitzero"`
	Reason        string `json:"reason,omitzero"`
}
