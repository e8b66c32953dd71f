package deposit

import (
	"maps"
	"slices"
)

// moves are the allowed state transitions, by kind. All others are refused.
var moves = map[Kind]map[State][]State{
	ByBank: {
		AwaitingTransfer: {ProofSubmitted, InReview, Cancelled, Expired},
		ProofSubmitted:   {InReview},
		InReview:         {ProofSubmitted, Approved, Credited, Rejected, MoreInfo},
		MoreInfo:         {ProofSubmitted, InReview, Expired}, // the transfer is on the bank's statement after all
		Approved:         {Credited, Rejected, MoreInfo},
		Expired:          {InReview}, // its transfer came late, or without a proof
	},
	ThirdParty: {
		Created:         {Redirected, Credited, InReview, Failed, Expired, Cancelled, ProviderUnknown},
		Redirected:      {ProviderPending, Credited, InReview, Failed, Expired, Cancelled, ProviderUnknown},
		ProviderPending: {Credited, InReview, Failed, Expired, Cancelled, ProviderUnknown},
		ProviderUnknown: {Credited, InReview, Failed, Expired, Cancelled, Rejected},
		InReview:        {Approved, Credited, Rejected, Failed, ProviderUnknown},
		Approved:        {InReview, Credited, Rejected, Failed, ProviderUnknown},
		Expired:         {Credited, InReview, ProviderUnknown}, // paid late
		Failed:          {InReview},                            // paid after all
		Cancelled:       {InReview},
		Rejected:        {InReview},
		Credited:        {ChargedBack},
	},
	OTC: {
		Created:         {AwaitingPayment, Credited, InReview, Failed, Expired, Cancelled, ProviderUnknown},
		AwaitingPayment: {MarkedPaid, Credited, InReview, Failed, Expired, Cancelled, ProviderUnknown},
		MarkedPaid:      {Appealed, Credited, InReview, Expired, ProviderUnknown},
		Appealed:        {Credited, InReview, Rejected, ProviderUnknown},
		ProviderUnknown: {Credited, InReview, Failed, Expired, Cancelled, Rejected},
		InReview:        {Approved, Credited, Rejected, Failed, ProviderUnknown},
		Approved:        {InReview, Credited, Rejected, Failed, ProviderUnknown},
		Expired:         {Appealed, Credited, InReview, ProviderUnknown},
		Failed:          {InReview},
		Cancelled:       {InReview},
		Rejected:        {InReview},
		Credited:        {ChargedBack},
	},
	Crypto: { // a transfer stays detected until it is confirmed, and is judged only then
		Detected:   {Dropped, Credited, AMLReview, BelowMin, WrongAsset},
		Dropped:    {Detected, Credited, AMLReview, BelowMin, WrongAsset}, // it may be mined again
		AMLReview:  {Dropped, Credited, Refunding},
		BelowMin:   {Dropped, Credited, Refunding},
		WrongAsset: {Dropped, Refunding},
		Refunding:  {Dropped, Refunded, AMLReview, BelowMin, WrongAsset},
		Credited:   {Reversed},
	},
}

// Moves lists the allowed state transitions of a kind.
func Moves(kind Kind) map[State][]State { return maps.Clone(moves[kind]) }

// May reports whether the deposit may turn into another state.
func (d Deposit) May(next State) bool { return slices.Contains(moves[d.Kind][d.State], next) }

// Cancellable reports whether the trader may still cancel the deposit.
func (d Deposit) Cancellable() bool {
	switch d.State {
	case AwaitingTransfer, Redirected, AwaitingPayment:
		return true
	}
	return false
}
