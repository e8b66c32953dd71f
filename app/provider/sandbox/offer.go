package sandbox

import (
	"candor/app/platform/money"
	"candor/app/provider"
)

// The offer of the sandbox's merchant.
const (
	offerCurrency  = "EUR"
	exampleRate    = 926_700 // 0.9267 EUR per unit of the requested currency: an example, not a market price
	releaseMinutes = 30
	cents          = 2 // decimals of the amount to pay
)

// offered is the merchant's offer for an amount, rounded to the cent.
func offered(amount string) (*provider.Offer, error) {
	asked, err := money.Parse(amount, money.Scale)
	if err != nil {
		return nil, err
	}
	pay, err := money.MulDiv(asked, exampleRate, money.Unit*money.Pow10(money.Scale-cents), money.HalfAway)
	if err != nil {
		return nil, err
	}
	return &provider.Offer{Currency: offerCurrency, Amount: money.Format(pay, cents), Rate: money.Trim(exampleRate, money.Scale), ReleaseMinutes: releaseMinutes}, nil
}
