package api

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/seal"
	"candor/app/trading"
	"candor/app/trading/proof"
)

// fixtures are the committed receipts, each as the file that a trader downloads.
func fixtures(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	files := map[string]json.RawMessage{}
	for _, path := range []string{receiptsFixture, chargeReceiptsFixture} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &files))
	}
	require.Greater(t, len(files), 20)
	return files
}

func TestCommittedReceiptsCheckOut(t *testing.T) {
	t.Parallel()
	for name, raw := range fixtures(t) {
		require.Empty(t, fileProblem(t, raw), name)
	}
}

// presentation are the members of a receipt that prove nothing: there are none.
var presentation = map[string]bool{}

// TestEveryChangeOfAReceiptIsFound changes each value of each receipt, one at a time: each change must be found.
func TestEveryChangeOfAReceiptIsFound(t *testing.T) {
	t.Parallel()
	tried := 0
	for name, raw := range fixtures(t) {
		var tree any
		decoder := json.NewDecoder(strings.NewReader(string(raw)))
		decoder.UseNumber()
		require.NoError(t, decoder.Decode(&tree))
		walk(tree, "", func(path string, change func(to any), was any) {
			for _, to := range replacements(was) {
				change(to)
				changed, err := json.Marshal(tree)
				require.NoError(t, err)
				if presentation[path] {
					require.Empty(t, fileProblem(t, changed), "%s: %s is declared to be presentation and is not", name, path)
				} else {
					require.NotEmpty(t, fileProblem(t, changed), "%s: %s was changed from %v to %v and nothing noticed", name, path, was, to)
				}
				tried++
			}
			change(was)
		})
	}
	require.Greater(t, tried, 5_000)
}

// walk visits every leaf value of a tree, and offers every member and item for removal.
func walk(node any, path string, visit func(path string, change func(any), was any)) {
	switch node := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(node)) {
			child := node[key]
			visit(path+"/"+key, func(to any) {
				if node[key] = to; to == absent {
					delete(node, key)
				}
			}, child)
			walk(child, path+"/"+key, visit)
		}
	case []any:
		for i, child := range node {
			visit(fmt.Sprintf("%s/%d", path, i), func(to any) {
				if node[i] = to; to == absent {
					node[i] = map[string]any{}
				}
			}, child)
			walk(child, fmt.Sprintf("%s/%d", path, i), visit)
		}
	}
}

// absent marks a removed value.
const absent = "\x00absent"

// replacements are replacement values for a value.
func replacements(was any) []any {
	switch was := was.(type) {
	case json.Number:
		out := []any{json.Number("7" + strings.TrimPrefix(was.String(), "-")), json.Number("-1"), json.Number("9223372036854775807"), json.Number("-9223372036854775808"), "text"}
		if was != "0" {
			out = append(out, json.Number("0"), nil, absent)
		}
		return out
	case bool:
		return []any{!was}
	case string:
		out := []any{was + "1", "", "9223372036854.775807", "-1", json.Number("3"), nil, absent}
		for _, at := range []int{0, len(was) / 2, len(was) - 1} {
			out = append(out, was[:at]+string(otherCharacter(was[at]))+was[at+1:])
		}
		return out
	default:
		return []any{nil, absent}
	}
}

// otherCharacter is another character of the same kind, so that a changed number or hash keeps its form.
func otherCharacter(c byte) byte {
	switch {
	case c >= '1' && c <= '8':
		return c + 1
	case c == '0' || c == '9':
		return '5'
	case c >= 'a' && c <= 'e':
		return c + 1
	}
	return 'a'
}

func TestWhatIsNoReceiptIsSaid(t *testing.T) {
	t.Parallel()
	raw := string(fixtures(t)["EURJPY part closed"])
	for name, c := range map[string]struct{ file, what string }{
		"Nothing":            {"", "not the JSON of a receipt"},
		"NoJSON":             {"receipt", "not the JSON of a receipt"},
		"TwoValues":          {raw + raw, "not the JSON of a receipt"},
		"UnknownMember":      {strings.Replace(raw, `"format"`, `"more": 1, "format"`, 1), "not the JSON of a receipt"},
		"RepeatedMember":     {strings.Replace(raw, `"format"`, `"format": "candor-receipt/1", "format"`, 1), "not the JSON of a receipt"},
		"AnotherFormat":      {strings.Replace(raw, "candor-receipt/1", "candor-receipt/2", 1), `this program reads "candor-receipt/1"`},
		"AnEnvelope":         {`{"status":1,"data":` + raw + `}`, `its format is ""`},
		"AKeyOfAnotherSize":  {strings.Replace(raw, `"publicKey": "`, `"publicKey": "00`, 1), "publicKey is not 32 bytes in hex"},
		"APriceThatIsNone":   {strings.Replace(raw, `"price": "142.120"`, `"price": "1e3"`, 1), "fill.price is not a decimal number"},
		"APriceTooFine":      {strings.Replace(raw, `"price": "142.120"`, `"price": "142.1201"`, 1), "fill.price is not a decimal number"},
		"DecimalsBeyondMany": {strings.Replace(raw, `"point": 3`, `"point": 300`, 1), "point is not between 0 and 10"},
		"AnotherKind":        {strings.Replace(raw, "candor-receipt/1", "candor-charge-receipt/1", 1), "not the JSON of a receipt"},
		"ARuleThereIsNot":    {strings.Replace(raw, `"rule": "market"`, `"rule": "kindness"`, 1), "without a side, entry, rule"},
	} {
		_, _, _, err := ReadReceipt([]byte(c.file))
		require.ErrorContains(t, err, c.what, name)
	}
	_, _, _, err := ReadReceipt([]byte("\ufeff" + raw))
	require.NoError(t, err, "a file that an editor has marked")
}

// signAgain signs a receipt again with another key, as only a key holder could: a false value must then fail its computation.
func signAgain(r proof.Receipt, key ed25519.PrivateKey) proof.Receipt {
	sealed := func(leaf seal.Hash) *audit.Proof {
		return &audit.Proof{Head: seal.Next(seal.Head{}, 1, []seal.Hash{leaf}, time.UnixMilli(1), key)}
	}
	r.Fill.Proof, r.Quote.Proof = sealed(r.Fill.Leaf()), sealed(r.Quote.Quote.Leaf())
	for i := range r.Earlier {
		r.Earlier[i].Proof = sealed(r.Earlier[i].Leaf())
	}
	if r.By != nil {
		r.By.Proof = sealed(r.By.Leaf())
	}
	for i := range r.Held {
		r.Held[i].Proof = sealed(r.Held[i].Quote.Leaf())
	}
	for _, q := range []*proof.ProvedQuote{r.Best, r.Conversion, r.Margin} {
		if q != nil {
			q.Proof = sealed(q.Quote.Leaf())
		}
	}
	return r
}

func TestASealedLieIsFound(t *testing.T) {
	t.Parallel()
	public, key, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	files := fixtures(t)
	other := func(p **int64, v int64) { *p = &v }
	for _, c := range []struct {
		name, file string
		lie        func(r *proof.Receipt)
		wrong      string
	}{
		{"APrice", "EURUSD open, margin at its own price", func(r *proof.Receipt) { r.Fill.Price-- }, "its price is 1.39342 but its quote says 1.39343"},
		{"AQuote", "EURUSD open, margin at its own price", func(r *proof.Receipt) { r.Quote.Quote.Ask++ }, "its price is 1.39343 but its quote says 1.39344"},
		{"TheOtherSide", "EURUSD open, margin at its own price", func(r *proof.Receipt) { r.Fill.Side = trading.Sell }, "its price is"},
		{"AMargin", "EURUSD open, margin at its own price", func(r *proof.Receipt) { r.Fill.Fill.Margin++ }, "its margin is not what its sums give"},
		{"ALeverage", "EURUSD open, margin at its own price", func(r *proof.Receipt) { r.Fill.Leverage = 99 }, "its margin is not what its sums give"},
		{"AContractSize", "XAUUSD open, commission by lot", func(r *proof.Receipt) { r.Fill.Product.ContractSize++ }, "its margin is not what its sums give"},
		{"ACommission", "XAUUSD open, commission by lot", func(r *proof.Receipt) { r.Fill.Commission-- }, "its commission is not what its sums give"},
		{"AFee", "AAPL open, commission by its worth", func(r *proof.Receipt) { r.Fill.Product.CommissionBps++ }, "its commission is not what its sums give"},
		{"AProfitOfAnOpening", "XAUUSD open, commission by lot", func(r *proof.Receipt) { r.Fill.Profit = 1 }, "its margin is not what its sums give"},
		{"AProfit", "EURJPY part closed", func(r *proof.Receipt) { r.Fill.Profit++ }, "its profit is not what its sums give"},
		{"ARate", "EURJPY part closed", func(r *proof.Receipt) { r.Conversion.Quote.Bid -= 500 }, "its profit is not what its sums give"},
		{"ARateUpsideDown", "EURJPY part closed", func(r *proof.Receipt) { r.Fill.ConversionInverse = false }, "not converted as its currency demands"},
		{"AReleasedMargin", "EURJPY part closed", func(r *proof.Receipt) { r.Fill.Fill.Margin-- }, "the margin it released is not what its sums give"},
		{"AnOpenPrice", "EURJPY rest closed", func(r *proof.Receipt) { other(&r.Fill.OpenPrice, 142_129) }, "its open price is not the position's"},
		{"MoreThanIsOpen", "EURJPY rest closed", func(r *proof.Receipt) { r.Fill.Lots++ }, "it closes what no earlier fill opened"},
		{"AFillBeforeItTwice", "EURJPY rest closed", func(r *proof.Receipt) { r.Earlier = append(r.Earlier[:1], r.Earlier[0], r.Earlier[1]) }, "not in order"},
		{"AnotherPositionsFill", "EURJPY rest closed", func(r *proof.Receipt) { r.Earlier[1].PositionID++ }, "not of the same position"},
		{"AnotherAccountsFill", "EURJPY rest closed", func(r *proof.Receipt) { r.Earlier[0].AccountID++ }, "not of the same position"},
		{"NoFillBeforeIt", "EURJPY rest closed", func(r *proof.Receipt) { r.Earlier = nil }, "a closing fill has others before it"},
		{"AnotherQuote", "EURJPY rest closed", func(r *proof.Receipt) { r.Quote.Quote.Seq++ }, "its quote is another one"},
		{"AnotherRate", "EURJPY rest closed", func(r *proof.Receipt) { r.Conversion.Quote.Seq++ }, "the quote that converted it is another one"},
		{"NoRate", "EURJPY rest closed", func(r *proof.Receipt) { r.Conversion = nil }, "the quote that converted it is another one"},
		{"ARateTooMany", "AAPL closed", func(r *proof.Receipt) { q := r.Quote; r.Conversion = &q }, "the quote that converted it is another one"},
		{"AMarginRate", "EURJPY open, margin at the EURUSD mid", func(r *proof.Receipt) { r.Margin.Quote.Bid-- }, "its margin is not what its sums give"},
		{"AStopLossNotReached", "NZDUSD sell closed by stop loss, with a gap", func(r *proof.Receipt) { other(&r.Fill.LimitPrice, 87_096) }, "had not reached"},
		{"ATakeProfitNotReached", "EURUSD closed by take profit", func(r *proof.Receipt) { other(&r.Fill.LimitPrice, 139_358) }, "had not reached"},
		{"AStopOutAboveItsLevel", "EURUSD closed by stop-out", func(r *proof.Receipt) { r.Fill.Equity = r.Fill.UsedMargin/2 + 1 }, "had not fallen to the stop-out"},
		{"ATrailingStopNotReached", "GBPUSD closed by its trailing stop", func(r *proof.Receipt) { other(&r.Fill.LimitPrice, 169_489) }, "had not reached"},
		{"ATrailingStopAheadOfItsBest", "GBPUSD closed by its trailing stop", func(r *proof.Receipt) { r.Best.Quote.Bid = 169_499 }, "did not stand behind a better price"},
		{"ATrailingStopFromALaterQuote", "GBPUSD closed by its trailing stop", func(r *proof.Receipt) {
			later := r.Fill.QuoteSeq + 1
			r.Fill.BestSeq, r.Best.Quote.Seq = &later, later
		}, "its trailing stop did not stand there"},
		{"ATrailingStopFromBeforeItsBeginning", "GBPUSD closed by its trailing stop", func(r *proof.Receipt) { other(&r.Fill.TrailSince, *r.Fill.BestSeq+1) }, "its trailing stop did not stand there"},
		{"ALimitNotReached", "AUDUSD opened by a limit, better than asked", func(r *proof.Receipt) { other(&r.Fill.LimitPrice, 92_889) }, "had not reached the limit"},
		{"AStopNotReached", "AUDUSD opened by a stop, with a gap", func(r *proof.Receipt) { other(&r.Fill.LimitPrice, 92_789) }, "had not reached the stop"},
		{"ARuleOfTheOtherKind", "AUDUSD opened by a stop, with a gap", func(r *proof.Receipt) { r.Fill.Rule = trading.StopLossRule }, "none of this kind of fill"},
		{"ASettlementElsewhere", "GBPUSD settled against its opposite", func(r *proof.Receipt) { r.By.Price++ }, "it was settled at"},
		{"ASettlementAgainstAnother", "GBPUSD settled against its opposite", func(r *proof.Receipt) { r.By.PositionID++ }, "the position it was settled against is another one"},
		{"ASettlementAgainstItsOwnSide", "GBPUSD settled against its opposite", func(r *proof.Receipt) { r.By.Side = trading.Buy }, "does not face it"},
	} {
		honest, _, err := ReadFillReceipt(files[c.file])
		require.NoError(t, err, c.name)
		require.Empty(t, receiptProblem(signAgain(honest, key), public), c.name)
		lying, _, err := ReadFillReceipt(files[c.file])
		require.NoError(t, err, c.name)
		c.lie(&lying)
		require.Contains(t, receiptProblem(signAgain(lying, key), public), c.wrong, c.name)
	}
}

func receiptProblem(r Checkable, key ed25519.PublicKey) string {
	for _, f := range r.Check(key) {
		if f.Wrong != "" {
			return f.What + ": " + f.Wrong
		}
	}
	return ""
}
