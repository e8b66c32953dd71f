package systemtest

import (
	"candor/app/wire"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/market"
	"candor/app/platform/seal"
	"candor/app/server"
)

// TestReceiptOfTheRunningPlatformChecksOut downloads a receipt as the trader app does, and verifies the file with the program.
func TestReceiptOfTheRunningPlatformChecksOut(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	require.Eventually(t, func() bool { _, err := r.platform.Market.Tradable(201); return err == nil }, 10*time.Second, 20*time.Millisecond)
	_, _, raw := r.call(t, http.MethodPost, "/client/trade/insertOrder", r.token, []byte(`{"productId":201,"side":"buy","lots":"0.01","leverage":20}`), withKey("open"))
	var answer tradeAnswer
	require.NoError(t, json.Unmarshal([]byte(raw), &answer))
	path := fmt.Sprint("/client/trade/findReceipt?fillId=", answer.Data.Fill.ID)
	var receipt struct {
		Data wire.Receipt `json:"data"`
	}
	require.Eventually(t, func() bool {
		_, _, raw = r.call(t, http.MethodGet, path, r.token, nil, nil)
		require.NoError(t, json.Unmarshal([]byte(raw), &receipt), raw)
		return receipt.Data.Fill.Head != nil && receipt.Data.Quote.Head != nil
	}, 2*time.Minute, 50*time.Millisecond)
	requireQuotesAround(t, r, receipt.Data.Quote)
	file, err := json.MarshalIndent(receipt.Data, "", "  ")
	require.NoError(t, err)
	p := receiptProgram(t, file)
	code, stdout, stderr := p.run(t, "verify-receipt", p.file)
	require.Zero(t, code, stdout+stderr)
	require.Contains(t, stdout, "is proved under the key "+receipt.Data.PublicKey)
	require.Contains(t, stdout, "compare the key")
	require.GreaterOrEqual(t, strings.Count(stdout, "ok     "), 10)
	code, stdout, _ = p.run(t, "verify-receipt", p.file, "--key", receipt.Data.PublicKey)
	require.Zero(t, code)
	require.NotContains(t, stdout, "compare the key")

	code, stdout, _ = p.run(t, "verify-receipt", "--key", strings.Repeat("00", 32), p.file)
	require.Equal(t, 1, code, "another key than the file's")
	require.Contains(t, stdout, "wrong: the key")
	require.NoError(t, os.WriteFile(p.file, []byte(strings.Replace(string(file), `"leverage": 20`, `"leverage": 50`, 1)), 0o600))
	code, stdout, stderr = p.run(t, "verify-receipt", p.file)
	require.Equal(t, 1, code, stderr)
	require.Contains(t, stdout, fmt.Sprintf("wrong: fill %d: its path", receipt.Data.Fill.FillId))
}

// requireQuotesAround requires that the tape has a receipt's quote among those around it, and nothing for another number, product or visitor.
func requireQuotesAround(t *testing.T, r *apiFixture, quote wire.ProvedQuote) {
	t.Helper()
	ask := func(productID int, seq int64, token string) map[string]any {
		_, answer, raw := r.call(t, http.MethodGet, fmt.Sprintf("/client/proof/findQuoteList?productId=%d&seq=%d", productID, seq), token, nil, nil)
		require.NotNil(t, answer, raw)
		return answer
	}
	list := ask(quote.ProductId, quote.Seq, r.token)["data"].([]any)
	require.LessOrEqual(t, len(list), 41)
	require.Contains(t, list, map[string]any{"seq": float64(quote.Seq), "time": float64(quote.Time), "bid": quote.Bid, "ask": quote.Ask})
	require.Empty(t, ask(quote.ProductId, math.MaxInt64, r.token)["data"])
	require.Equal(t, "product.unknown", ask(9999, quote.Seq, r.token)["code"])
	require.Equal(t, "token_invalid", ask(quote.ProductId, quote.Seq, "")["code"])
}

// TestReceiptOfEveryKindOfChargeChecksOut verifies the committed receipts of swaps and dividends with the program, and rejects each with another amount.
func TestReceiptOfEveryKindOfChargeChecksOut(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../customer-web/src/features/receipt/model/charge-receipts.fixture.json")
	require.NoError(t, err)
	var files map[string]wire.ChargeReceipt
	require.NoError(t, json.Unmarshal(text, &files))
	require.Len(t, files, 4)
	for name, receipt := range files {
		file, err := json.Marshal(receipt)
		require.NoError(t, err)
		p := receiptProgram(t, file)
		code, stdout, stderr := p.run(t, "verify-receipt", p.file, "--key", receipt.PublicKey)
		require.Zero(t, code, name+stdout+stderr)
		require.Contains(t, stdout, fmt.Sprintf("charge %d is proved under the key ", receipt.Charge.ChargeId), name)
		receipt.Charge.Amount = "7.5"
		file, err = json.Marshal(receipt)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(p.file, file, 0o600))
		code, stdout, stderr = p.run(t, "verify-receipt", p.file)
		require.Equal(t, 1, code, name+stderr)
		require.Contains(t, stdout, fmt.Sprintf("wrong: charge %d: its path", receipt.Charge.ChargeId), name)
	}
}

// receiptFile is the program with a receipt file, without a database or server.
type receiptFile struct {
	*program
	file string
}

func receiptProgram(t *testing.T, text []byte) receiptFile {
	t.Helper()
	p := receiptFile{newProgram(t, "DATABASE_URL=postgres://nobody@127.0.0.1:1/none"), filepath.Join(t.TempDir(), "receipt.json")}
	require.NoError(t, os.WriteFile(p.file, text, 0o600))
	return p
}

func TestWhatIsNoReceiptEndsWithTwo(t *testing.T) {
	t.Parallel()
	p := receiptProgram(t, []byte("{}"))
	for _, c := range []struct {
		args []string
		what string
	}{
		{[]string{p.file}, "its format is"},
		{[]string{p.file + ".none"}, "no such file"},
		{[]string{}, "candor verify-receipt FILE"},
		{[]string{p.file, "--kee", "00"}, "flag provided but not defined"},
		{[]string{filepath.Dir(p.file)}, "is a directory"},
	} {
		code, stdout, stderr := p.run(t, append([]string{"verify-receipt"}, c.args...)...)
		require.Equal(t, 2, code, stdout+stderr)
		require.Empty(t, stdout)
		require.Contains(t, stderr, c.what)
	}
}

func TestPublishedHeads(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	page := func(query string) (out wire.HeadPage, header http.Header) {
		t.Helper()
		var answer struct {
			Data wire.HeadPage `json:"data"`
		}
		request, err := http.NewRequest(http.MethodGet, r.url+"/client/proof/findHeadPage?"+query, nil)
		require.NoError(t, err)
		sign(request)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
		return answer.Data, response.Header
	}
	require.Eventually(t, func() bool { newest, _ := page("chain=tape"); return len(newest.List) >= 4 }, time.Minute, 100*time.Millisecond)
	first, header := page("chain=tape&size=3")
	require.Equal(t, "public, max-age=1", header.Get("Cache-Control"))
	require.Equal(t, hex.EncodeToString(publicKey(t, r.platform)), first.PublicKey)
	require.Len(t, first.List, 3)
	heads := first.List
	for next := first.Next; next != nil; {
		older, header := page(fmt.Sprint("chain=tape&size=2&next=", *next))
		require.Equal(t, "public, max-age=86400", header.Get("Cache-Control"))
		heads, next = append(heads, older.List...), older.Next
	}
	require.EqualValues(t, 1, heads[len(heads)-1].Batch)
	require.Equal(t, strings.Repeat("00", seal.HashSize), heads[len(heads)-1].Previous, "the first follows nothing")
	for i, head := range heads {
		hash, err := hex.DecodeString(head.Hash)
		require.NoError(t, err)
		signature, err := hex.DecodeString(head.Signature)
		require.NoError(t, err)
		require.True(t, ed25519.Verify(publicKey(t, r.platform), hash, signature))
		if i > 0 {
			require.Equal(t, head.Hash, heads[i-1].Previous)
		}
	}
	for _, chain := range []string{"fills", "charges"} {
		empty, _ := page("chain=" + chain)
		require.Empty(t, empty.List)
		require.Nil(t, empty.Next)
	}

	require.Eventually(t, func() bool { // a transaction of a parallel test can delay it
		terms, _ := page("chain=terms")
		return len(terms.List) == 1 && terms.List[0].Count == int64(len(market.Catalogue()))
	}, time.Minute, 50*time.Millisecond, "the first version of every product")

	for query, field := range map[string]string{"chain=audit": "chain", "chain=tape&size=0": "size", "chain=tape&size=101": "size", "chain=tape&next=0": "next"} {
		_, answer, raw := r.call(t, http.MethodGet, "/client/proof/findHeadPage?"+query, "", nil, nil)
		require.Equal(t, "invalid_input", answer["code"], raw)
		require.Contains(t, answer["fields"], field)
	}
}

// publicKey is the public key in the platform's data folder.
func publicKey(t *testing.T, p *server.Platform) ed25519.PublicKey {
	t.Helper()
	key, err := seal.LoadKey(p.Config.DataDir)
	require.NoError(t, err)
	return key.Public().(ed25519.PublicKey)
}
