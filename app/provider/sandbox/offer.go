package sandbox

import (
	"candor/app/platform/money"
	"candor/app/provider"
)

// What the sandbox's merchant offers.
const (
	offerCurrency  = "EUR"
	exampleRate    = 926_700 // 0.9267 EUR for one of what is asked for: an example, and nobody's price
	releaseMinutes = 30
	cents          = 2 // the decimals of what is to be paid
)

// offered is what the merchant wants for an amount, rounded to the cent.
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
