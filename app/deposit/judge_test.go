package deposit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/provider"
)

var everyState = []State{
	AwaitingTransfer, ProofSubmitted, InReview, MoreInfo, Approved, Credited, Rejected, Expired, Cancelled, Created, Redirected, ProviderPending, ProviderUnknown,
	Failed, ChargedBack, AwaitingPayment, MarkedPaid, Appealed, Detected, Confirmed, AMLReview, BelowMin, WrongAsset, Dropped, Refunding, Refunded, Reversed,
}

// TestMoves compares the lifecycle with an independent table; transitions outside of it are refused.
func TestMoves(t *testing.T) {
	t.Parallel()
	table := map[Kind]string{
		ByBank: `awaiting_transfer>cancelled,expired,in_review,proof_submitted expired>in_review approved>credited,more_info,rejected in_review>approved,credited,more_info,proof_submitted,rejected
			more_info>expired,in_review,proof_submitted proof_submitted>in_review`,
		ThirdParty: `approved>credited,failed,in_review,provider_unknown,rejected cancelled>in_review
			created>cancelled,credited,expired,failed,in_review,provider_unknown,redirected credited>charged_back expired>credited,in_review,provider_unknown
			failed>in_review in_review>approved,credited,failed,provider_unknown,rejected provider_pending>cancelled,credited,expired,failed,in_review,provider_unknown
			provider_unknown>cancelled,credited,expired,failed,in_review,rejected
			redirected>cancelled,credited,expired,failed,in_review,provider_pending,provider_unknown rejected>in_review`,
		OTC: `appeal>credited,in_review,provider_unknown,rejected approved>credited,failed,in_review,provider_unknown,rejected
			awaiting_payment>cancelled,credited,expired,failed,in_review,marked_paid,provider_unknown cancelled>in_review
			created>awaiting_payment,cancelled,credited,expired,failed,in_review,provider_unknown credited>charged_back expired>appeal,credited,in_review,provider_unknown
			failed>in_review in_review>approved,credited,failed,provider_unknown,rejected marked_paid>appeal,credited,expired,in_review,provider_unknown
			provider_unknown>cancelled,credited,expired,failed,in_review,rejected rejected>in_review`,
		Crypto: `aml_hold>credited,dropped,refunding below_min>credited,dropped,refunding credited>reversed detected>aml_hold,below_min,credited,dropped,wrong_asset
			dropped>aml_hold,below_min,credited,detected,wrong_asset refunding>aml_hold,below_min,dropped,refunded,wrong_asset wrong_asset>dropped,refunding`,
	}
	for kind, want := range table {
		var got []string
		for _, from := range everyState {
			var next []string
			for _, to := range everyState {
				if (Deposit{Kind: kind, State: from}).May(to) {
					next = append(next, string(to))
				}
			}
			if slices.Sort(next); len(next) > 0 {
				got = append(got, string(from)+">"+strings.Join(next, ","))
			}
		}
		require.ElementsMatch(t, strings.Fields(want), got, kind)
	}
}

// TestJudge checks every answer in every state: only an answer that matches the request exactly credits money, and only once.
func TestJudge(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	until := began.Add(OTCLife)
	good := provider.Payment{Reference: "CD-1", State: provider.Paid, Amount: "100", Paid: "100", Currency: "USDT"}
	answers := map[string]answer{"unclear": {unclear: true}, "refused": {refused: true}, "absent": {absent: true}}
	for _, state := range []string{provider.Pending, provider.Paid, provider.Failed, provider.Expired, provider.Disputed, provider.Cancelled, provider.ChargedBack, "new"} {
		p := good
		p.State = state
		answers[state] = answer{Payment: p}
	}
	for name, spoil := range map[string]func(*provider.Payment){
		"less": func(p *provider.Payment) { p.Paid = "99.999999" }, "more": func(p *provider.Payment) { p.Paid = "100.000001" },
		"none": func(p *provider.Payment) { p.Paid = "0" }, "minus": func(p *provider.Payment) { p.Paid = "-100" }, "text": func(p *provider.Payment) { p.Paid = "1e2" },
		"currency": func(p *provider.Payment) { p.Currency = "EUR" }, "order": func(p *provider.Payment) { p.Amount = "200" },
		"reference": func(p *provider.Payment) { p.Reference = "CD-2" },
	} {
		p := good
		spoil(&p)
		answers[name] = answer{Payment: p}
	}
	earns := map[State]bool{Created: true, Redirected: true, ProviderPending: true, ProviderUnknown: true, Expired: true, AwaitingPayment: true, MarkedPaid: true, Appealed: true}
	for _, kind := range []Kind{ThirdParty, OTC} {
		for _, state := range everyState {
			if len(moves[kind][state]) == 0 {
				continue
			}
			for name, a := range answers {
				for _, now := range []time.Time{began, until, until.Add(Grace)} {
					d := Deposit{ID: 1, Kind: kind, State: state, Amount: 100_000_000, Currency: "USDT", Reference: "CD-1", ExpiresAt: &until}
					a.asked = state
					v := d.judge(a, now)
					about := fmt.Sprint(kind, " ", state, " ", name)
					require.Equal(t, name == "paid" && earns[state], v.state == Credited, about)
					if v.state != "" && v.state != state {
						require.True(t, d.May(v.state), about)
					}
					if v.state == InReview {
						require.Positive(t, v.received, about)
						require.Contains(t, []string{"paid", "less", "more"}, name, about)
					}
					require.Equal(t, name == "charged_back" && state == Credited, v.missing, about)
				}
			}
		}
	}
}

// TestWhereToPay checks the payment details that a provider may answer.
func TestWhereToPay(t *testing.T) {
	t.Parallel()
	third, otc := Deposit{Kind: ThirdParty}, Deposit{Kind: OTC}
	for page, want := range map[string]bool{
		"https://pay.example/1": true, "http://127.0.0.1:9/pay/1": true, "": false, "javascript:alert(1)": false, "/pay": false, "https://": false, "data:text/html,x": false,
		"https://pay.example/" + strings.Repeat("x", 500): false, "https://pay.example/\x00": false,
	} {
		require.Equal(t, want, third.hasPaymentDetails(provider.Payment{PayURL: page}), page)
	}
	otc.Amount = 100_000_000
	offer := &provider.Offer{Currency: "EUR", Amount: "92.67", Rate: "0.9267", ReleaseMinutes: 30}
	require.True(t, otc.hasPaymentDetails(provider.Payment{Offer: offer, Merchant: &provider.Merchant{Name: "M", Account: "1"}}))
	require.False(t, otc.hasPaymentDetails(provider.Payment{}))
	require.False(t, otc.hasPaymentDetails(provider.Payment{Merchant: &provider.Merchant{Name: "M", Account: "1"}}), "at what price?")
	require.False(t, otc.hasPaymentDetails(provider.Payment{Offer: offer}))
	require.False(t, otc.hasPaymentDetails(provider.Payment{Offer: offer, Merchant: &provider.Merchant{Name: "M"}}))
	require.False(t, otc.hasPaymentDetails(provider.Payment{Offer: offer, Merchant: &provider.Merchant{Name: "M\x00", Account: "1"}}))
}
