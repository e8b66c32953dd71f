package deposit

import (
	"maps"
	"slices"
)

// moves are the states that each state may turn into, by the way a deposit comes. Nothing else is possible, whoever asks.
var moves = map[Kind]map[State][]State{
	ByBank: {
		AwaitingTransfer: {ProofSubmitted, InReview, Cancelled, Expired},
		ProofSubmitted:   {InReview},
		InReview:         {ProofSubmitted, Approved, Credited, Rejected, MoreInfo},
		MoreInfo:         {ProofSubmitted, Expired},
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
	OnChain: { // a transfer waits as detected until it is confirmed; only then it is judged
		Detected:   {Dropped, Credited, AMLHold, BelowMin, WrongAsset},
		Dropped:    {Detected, Credited, AMLHold, BelowMin, WrongAsset}, // it may be mined again
		AMLHold:    {Dropped, Credited, Refunding},
		BelowMin:   {Dropped, Credited, Refunding},
		WrongAsset: {Dropped, Refunding},
		Refunding:  {Dropped, Refunded, AMLHold, BelowMin, WrongAsset},
		Credited:   {Reversed},
	},
}

// Moves lists the states that each state of a way to pay in may turn into.
func Moves(kind Kind) map[State][]State { return maps.Clone(moves[kind]) }

// May tells whether the deposit may turn into another state.
func (d Deposit) May(next State) bool { return slices.Contains(moves[d.Kind][d.State], next) }

// Cancellable tells whether its trader may still take the deposit back.
func (d Deposit) Cancellable() bool {
	switch d.State {
	case AwaitingTransfer, Redirected, AwaitingPayment:
		return true
	}
	return false
}
