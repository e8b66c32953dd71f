//go:build chaos

package systemtest

import "fmt"

const (
	insertTransfer = "wallet/insertTransfer"
	insertExchange = "wallet/insertExchange"
)

// transferOrExchange transfers money between two accounts of a trader, or exchanges it at a rate that may expire while the server is down.
func (w *chaosWorker) transferOrExchange(client *chaosClient) error {
	if w.random.IntN(2) == 0 {
		way := [][2]string{{"contract", "funding"}, {"contract", "funding"}, {"funding", "contract"}}[w.random.IntN(3)]
		sum := []string{"0.000001", "12.345678", "250"}[w.random.IntN(3)]
		_, _, err := w.until(client, true, insertTransfer, fmt.Sprintf(`{"from":%q,"to":%q,"amount":%q}`, way[0], way[1], sum))
		return err
	}
	pair := [][2]string{{"USDT", "BTC"}, {"USDT", "USD"}, {"BTC", "ETH"}, {"USD", "USDT"}}[w.random.IntN(4)]
	amount := map[string]string{"USDT": "11.11", "USD": "10.123456", "BTC": "0.0002"}[pair[0]]
	quoteID, err := w.quote(client, fmt.Sprintf("wallet/findNewWalletExchange?from=%s&to=%s&amount=%s", pair[0], pair[1], amount))
	if err != nil || quoteID == 0 {
		return err
	}
	_, _, err = w.until(client, true, insertExchange, at("quoteId", quoteID))
	return err
}

// quote repeats a request for a rate until it is answered; 0 is a refusal.
func (w *chaosWorker) quote(client *chaosClient, path string) (id int64, err error) {
	var quoted struct{ QuoteID int64 }
	_, err = w.fetch(client, path, &quoted)
	return quoted.QuoteID, err
}
