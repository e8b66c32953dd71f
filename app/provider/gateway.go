package provider

import "context"

// Gateway is the interface to a provider. Every call that moves money carries our reference, which is the provider's idempotency key: a repeated call acts
// once. Errors: RefusedError, ErrAbsent, ErrUnclear.
type Gateway interface {
	// Pay orders a payment by the trader: third party, or over the counter.
	Pay(ctx context.Context, order PaymentOrder) (Payment, error)
	// Payment queries a payment.
	Payment(ctx context.Context, reference string) (Payment, error)
	// Act reports the trader's act: MarkPaid, Appeal or Cancel.
	Act(ctx context.Context, reference string, act Act) (Payment, error)
	// Address requests the crypto address for a reference; a repeated call returns the same one.
	Address(ctx context.Context, order AddressOrder) (Address, error)
	// Transfers lists the transfers to the address of a reference, oldest first.
	Transfers(ctx context.Context, reference string) ([]Transfer, error)
	// Send orders a payout.
	Send(ctx context.Context, order PayoutOrder) (Payout, error)
	// Payout queries a payout.
	Payout(ctx context.Context, reference string) (Payout, error)
}

// Kinds of payments and payouts, as in the app's API.
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
	Paid        = "paid" // Payment.Paid is the amount
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
	Sent     = "sent"     // Payout.Payment is the bank reference or the transaction hash
	Returned = "returned" // it came back after it was sent
)

// Act is a trader's act on a payment.
type Act string

// The acts.
const (
	MarkPaid Act = "paid"
	Appeal   Act = "appeal"
	Cancel   Act = "cancel"
)

// PaymentOrder orders a payment. Amounts are decimal strings.
type PaymentOrder struct {
	Reference string `json:"reference"`
	Kind      string `json:"kind"` // ThirdParty or OTC
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
	NotifyURL string `json:"notifyUrl"`
	ReturnURL string `json:"returnUrl"`
	ExpiresAt int64  `json:"expiresAt"` // milliseconds
}

// Payment is the state of a payment.
type Payment struct {
	Reference string    `json:"reference"`
	State     string    `json:"state"`
	Amount    string    `json:"amount"` // requested
	Paid      string    `json:"paid"`   // received, in the currency of PaidIn
	Currency  string    `json:"currency"`
	PayURL    string    `json:"payUrl,omitzero"` // third party: the page where the trader pays
	Offer     *Offer    `json:"offer,omitzero"`  // over the counter: the merchant's price
	Merchant  *Merchant `json:"merchant,omitzero"`
}

// PaidIn is the currency of Paid: the offer's, if there is one.
func (p Payment) PaidIn() string {
	if p.Offer != nil {
		return p.Offer.Currency
	}
	return p.Currency
}

// Offer is a merchant's price for a payment, in the currency that the trader pays in. It is valid until the order expires, and never changes.
type Offer struct {
	Currency       string `json:"currency"`       // three capital letters
	Amount         string `json:"amount"`         // to pay: the requested amount at the rate, rounded to the written decimals
	Rate           string `json:"rate"`           // Currency per unit of the requested currency
	ReleaseMinutes int    `json:"releaseMinutes"` // time in which the merchant confirms a payment
}

// Merchant is the payee of a payment over the counter.
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

// Address is an address for a coin on a chain.
type Address struct {
	Reference string `json:"reference"`
	Coin      string `json:"coin"`
	Chain     string `json:"chain"`
	Address   string `json:"address"`
	Memo      string `json:"memo,omitzero"`
}

// Transfer is a transfer to an address.
type Transfer struct {
	ID            string `json:"id"` // the provider's, permanent
	Reference     string `json:"reference"`
	State         string `json:"state"`
	Coin          string `json:"coin"`
	Chain         string `json:"chain"`
	Amount        string `json:"amount"`
	Hash          string `json:"hash"` // of the transaction
	Confirmations int    `json:"confirmations"`
	Required      int    `json:"required"`
}

// PayoutOrder orders a payout.
type PayoutOrder struct {
	Reference string `json:"reference"`
	Kind      string `json:"kind"`   // Bank, Daifu or Standard
	Amount    string `json:"amount"` // that the payee receives
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

// Payout is the state of a payout.
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
