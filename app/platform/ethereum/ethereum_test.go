package ethereum_test

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/ethereum"
	"candor/app/platform/ethereum/ethereumtest"
)

func address(t *testing.T, text string) ethereum.Address {
	t.Helper()
	a, err := ethereum.ParseAddress(text)
	require.NoError(t, err)
	return a
}

// TestAddresses has the test cases of EIP-55.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, want := range []string{
		"0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D", "0xde709f2102306220921060314715629080e2fb77",
		"0x27b1fdb04752bbc536007a920d24acb045561c26", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
		"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
	} {
		require.Equal(t, want, address(t, want).String())
		require.Equal(t, want, address(t, strings.ToLower(want)).String())
		require.Equal(t, want, address(t, "0X"+strings.ToUpper(want[2:])).String())
		require.Equal(t, strings.ToLower(want), address(t, want).Lower())
	}
	require.Equal(t, "0x5aAe…eAed", address(t, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed").Short())
	_, err := ethereum.ParseAddress("0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
	require.ErrorIs(t, err, ethereum.ErrChecksum)
	for _, bad := range []string{"", "0x", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd", "0x5gAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"} {
		_, err := ethereum.ParseAddress(bad)
		require.ErrorIs(t, err, ethereum.ErrShape, bad)
	}
}

// The example of web3.eth.accounts.sign in the documentation of web3.js.
const (
	published        = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
	publishedAddress = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23"
	publishedDigest  = "1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655"
	publishedSigned  = "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c"
)

func TestPublishedSignature(t *testing.T) {
	t.Parallel()
	require.Equal(t, publishedDigest, hex.EncodeToString(ethereum.Digest("Some data")))
	found, err := ethereum.Recover("Some data", publishedSigned)
	require.NoError(t, err)
	require.Equal(t, publishedAddress, found.String())
	require.Equal(t, publishedSigned, ethereumtest.Of(t, published).Sign("Some data"))
	require.Equal(t, publishedAddress, ethereumtest.Of(t, published).Address().String())
}

func TestRecover(t *testing.T) {
	t.Parallel()
	wallet := ethereumtest.New(t)
	for range 20 { // both recovery ids
		text := fmt.Sprint("text ", ethereumtest.New(t).Address())
		signed := wallet.Sign(text)
		found, err := ethereum.Recover(text, signed)
		require.NoError(t, err)
		require.Equal(t, wallet.Address(), found)
		found, err = ethereum.Recover(text, zeroBased(t, signed))
		require.NoError(t, err, "a hardware wallet counts v from 0")
		require.Equal(t, wallet.Address(), found)
		found, err = ethereum.Recover(text+" ", signed)
		if err == nil { // some key's, but not this one's
			require.NotEqual(t, wallet.Address(), found)
		}
	}
}

// zeroBased is a signature with v as 0 or 1.
func zeroBased(t *testing.T, signature string) string {
	t.Helper()
	raw, err := hex.DecodeString(signature[2:])
	require.NoError(t, err)
	raw[64] -= 27
	return "0x" + hex.EncodeToString(raw)
}

// highS is the other signature that the same key could have made: n − s, and the other v.
func highS(t *testing.T, signature string) string {
	t.Helper()
	raw, err := hex.DecodeString(signature[2:])
	require.NoError(t, err)
	order, _ := new(big.Int).SetString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16)
	new(big.Int).Sub(order, new(big.Int).SetBytes(raw[32:64])).FillBytes(raw[32:64])
	raw[64] ^= 27 ^ 28
	return "0x" + hex.EncodeToString(raw)
}

func TestOtherSignaturesAreRefused(t *testing.T) {
	t.Parallel()
	good := ethereumtest.Of(t, published).Sign("Some data")
	zero, most := strings.Repeat("00", 32), strings.Repeat("ff", 32)
	for name, bad := range map[string]string{
		"none": "", "no prefix": good[2:], "too short": good[:130], "too long": good + "00", "compact, of ERC-2098": good[:130], "not hexadecimal": good[:10] + "zz" + good[12:],
		"v is 2": good[:130] + "02", "v is 26": good[:130] + "1a", "v is 29": good[:130] + "1d", "v is 255": good[:130] + "ff", "v of a transaction": good[:130] + "25",
		"high s": highS(t, good), "r is 0": "0x" + zero + good[66:], "s is 0": good[:66] + zero + "1b", "s is too large": good[:66] + most + "1b", "r is too large": "0x" + most + good[66:],
	} {
		_, err := ethereum.Recover("Some data", bad)
		require.ErrorIs(t, err, ethereum.ErrSignature, name)
	}
}

// message has the address, nonce and moment of the example in EIP-4361.
func message(t *testing.T) ethereum.Message {
	t.Helper()
	issued := time.Date(2021, 9, 30, 16, 25, 24, 0, time.FixedZone("", 7200))
	return ethereum.Message{
		Site: ethereum.Site{Domain: "example.com", URI: "https://example.com"}, Address: address(t, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"), Statement: "Log in.", ChainID: 1, Nonce: "32891756",
		IssuedAt: issued, ExpiresAt: issued.Add(5 * time.Minute),
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	require.Equal(t, `example.com wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

Log in.

URI: https://example.com
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2021-09-30T14:25:24Z
Expiration Time: 2021-09-30T14:30:24Z`, message(t).Text())
}

// TestEachFieldIsSigned changes one field after another: the signature proves none of these texts.
func TestEachFieldIsSigned(t *testing.T) {
	t.Parallel()
	wallet := ethereumtest.New(t)
	signed := wallet.Sign(message(t).Text())
	found, err := ethereum.Recover(message(t).Text(), signed)
	require.NoError(t, err)
	require.Equal(t, wallet.Address(), found)
	for name, change := range map[string]func(m *ethereum.Message){
		"domain": func(m *ethereum.Message) { m.Domain = "example.org" }, "page": func(m *ethereum.Message) { m.URI = "https://example.org" },
		"address": func(m *ethereum.Message) { m.Address[0]++ }, "statement": func(m *ethereum.Message) { m.Statement = "Link." }, "chain": func(m *ethereum.Message) { m.ChainID = 10 },
		"nonce": func(m *ethereum.Message) { m.Nonce = "32891757" }, "issue": func(m *ethereum.Message) { m.IssuedAt = m.IssuedAt.Add(time.Second) },
		"expiry": func(m *ethereum.Message) { m.ExpiresAt = m.ExpiresAt.Add(time.Second) },
	} {
		other := message(t)
		change(&other)
		require.NotEqual(t, message(t).Text(), other.Text(), name)
		if found, err := ethereum.Recover(other.Text(), signed); err == nil {
			require.NotEqual(t, wallet.Address(), found, name)
		}
	}
}

func TestSiteAt(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]ethereum.Site{
		"https://trade.example.com":  {Domain: "trade.example.com", URI: "https://trade.example.com"},
		"https://trade.example.com/": {Domain: "trade.example.com", URI: "https://trade.example.com"},
		"http://127.0.0.1:8080":      {Domain: "127.0.0.1:8080", URI: "http://127.0.0.1:8080"},
	} {
		require.Equal(t, want, ethereum.SiteAt(address))
	}
	for _, bad := range []string{"", "example.com", "http://"} {
		require.Zero(t, ethereum.SiteAt(bad), bad)
	}
}
