package deposit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/provider"
)

// offered is a payment of 111.20 EUR for 120 USDT with an accepted offer.
func offered(state State) Deposit {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	until := at.Add(OTCLife)
	return Deposit{
		ID: 1, Kind: OTC, State: state, Amount: 120_000_000, Currency: "USDT", Reference: "CD-1", ExpiresAt: &until, AgreedAt: &at,
		Offer: Offer{OfferCurrency: "EUR", OfferAmount: 111_200_000, OfferRate: 926_700, OfferRelease: 30},
	}
}

// TestReadOffer checks the offers that a provider may make for 120 USDT.
func TestReadOffer(t *testing.T) {
	t.Parallel()
	d := offered(Created)
	good := provider.Offer{Currency: "EUR", Amount: "111.20", Rate: "0.9267", ReleaseMinutes: 30}
	got, ok := d.readOffer(&good)
	require.True(t, ok)
	require.Equal(t, d.Offer, got)
	_, ok = d.readOffer(nil)
	require.False(t, ok)
	for name, try := range map[string]struct {
		spoil func(*provider.Offer)
		want  bool
	}{
		"RoundedUp":        {func(o *provider.Offer) { o.Amount = "111.21" }, true},
		"ToTheWhole":       {func(o *provider.Offer) { o.Amount, o.Rate, o.Currency = "18018", "150.1467", "JPY" }, true},
		"Exact":            {func(o *provider.Offer) { o.Amount = "111.204000" }, true},
		"ACentMore":        {func(o *provider.Offer) { o.Amount = "111.22" }, false},
		"ACentLess":        {func(o *provider.Offer) { o.Amount = "111.19" }, false},
		"Nothing":          {func(o *provider.Offer) { o.Amount = "0" }, false},
		"Minus":            {func(o *provider.Offer) { o.Amount, o.Rate = "-111.20", "-0.9267" }, false},
		"TooFine":          {func(o *provider.Offer) { o.Amount = "111.2040001" }, false},
		"NoNumber":         {func(o *provider.Offer) { o.Amount = "1e2" }, false},
		"AnotherRate":      {func(o *provider.Offer) { o.Rate = "0.93" }, false},
		"NoRate":           {func(o *provider.Offer) { o.Rate = "" }, false},
		"RateOfNothing":    {func(o *provider.Offer) { o.Rate, o.Amount = "0", "0" }, false},
		"BeyondAllNumbers": {func(o *provider.Offer) { o.Rate = "9000000000000" }, false},
		"NoCurrency":       {func(o *provider.Offer) { o.Currency = "" }, false},
		"OddCurrency":      {func(o *provider.Offer) { o.Currency = "eur" }, false},
		"NoRelease":        {func(o *provider.Offer) { o.ReleaseMinutes = 0 }, false},
		"AWeek":            {func(o *provider.Offer) { o.ReleaseMinutes = maxRelease }, true},
		"EndlessRelease":   {func(o *provider.Offer) { o.ReleaseMinutes = maxRelease + 1 }, false},
	} {
		o := good
		try.spoil(&o)
		_, ok := d.readOffer(&o)
		require.Equal(t, try.want, ok, name)
	}
}

// TestOffers checks payments with an offer: only the offered amount is credited; another amount is worth its share and goes to staff.
func TestOffers(t *testing.T) {
	t.Parallel()
	reported := provider.Offer{Currency: "EUR", Amount: "111.20", Rate: "0.9267", ReleaseMinutes: 30}
	for name, try := range map[string]struct {
		paid  string
		spoil func(*provider.Payment)
		want  verdict
	}{
		"JustThat":       {"111.2", nil, verdict{state: Credited, received: 120_000_000}},
		"Half":           {"55.60", nil, verdict{state: InReview, received: 60_000_000}},
		"More":           {"222.40", nil, verdict{state: InReview, received: 240_000_000}},
		"CutDown":        {"1", nil, verdict{state: InReview, received: 1_079_136}},
		"AHairMore":      {"111.200001", nil, verdict{state: InReview, received: 120_000_001}},
		"TheOtherNumber": {"120", nil, verdict{state: InReview, received: 129_496_402}},
		"None":           {"0", nil, verdict{state: ProviderUnknown}},
		"Minus":          {"-111.20", nil, verdict{state: ProviderUnknown}},
		"Beyond":         {"9000000000000", nil, verdict{state: ProviderUnknown}},
		"NoOfferAnyMore": {"120", func(p *provider.Payment) { p.Offer = nil }, verdict{state: ProviderUnknown}},
		"AnotherOffer":   {"111.21", func(p *provider.Payment) { p.Offer.Amount = "111.21" }, verdict{state: ProviderUnknown}},
		"AnotherRate":    {"111.20", func(p *provider.Payment) { p.Offer.Rate = "0.926701" }, verdict{state: ProviderUnknown}},
		"InDollars":      {"111.20", func(p *provider.Payment) { p.Offer.Currency = "USD" }, verdict{state: ProviderUnknown}},
	} {
		p := provider.Payment{Reference: "CD-1", State: provider.Paid, Amount: "120", Paid: try.paid, Currency: "USDT"}
		offer := reported
		if p.Offer = &offer; try.spoil != nil {
			try.spoil(&p)
		}
		for _, state := range []State{AwaitingPayment, MarkedPaid, Appealed, Expired} {
			d := offered(state)
			require.Equal(t, try.want, d.judge(answer{Payment: p, asked: state}, *d.AgreedAt), "%s %s", name, state)
		}
	}
	older := offered(MarkedPaid)
	older.Offer, older.AgreedAt = Offer{}, nil
	p := provider.Payment{Reference: "CD-1", State: provider.Paid, Amount: "120", Paid: "120", Currency: "USDT"}
	require.Equal(t, verdict{state: Credited, received: 120_000_000}, older.judge(answer{Payment: p, asked: MarkedPaid}, older.ExpiresAt.UTC()), "there were none before")
	p.Offer = &reported
	require.Equal(t, verdict{state: ProviderUnknown}, older.judge(answer{Payment: p, asked: MarkedPaid}, older.ExpiresAt.UTC()), "nobody was told of it")
}

// TestAgreed checks the trader's options before and after accepting an offer.
func TestAgreed(t *testing.T) {
	t.Parallel()
	open, older := offered(Expired), offered(Expired)
	open.AgreedAt = nil
	older.AgreedAt, older.Offer = nil, Offer{}
	require.True(t, offered(Expired).Appealable())
	require.False(t, open.Appealable(), "nobody was told whom to pay")
	require.True(t, older.Appealable())
	require.False(t, offered(AwaitingPayment).Appealable(), "it can be paid still")
	other := older
	other.Kind = ThirdParty
	require.False(t, other.Appealable())
}
