package payee_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/payee"
	"candor/app/platform/errs"
)

func chain(t *testing.T, id string) payee.Chain {
	t.Helper()
	for _, coin := range payee.Coins {
		for _, c := range coin.Chains {
			if c.ID == id {
				return c
			}
		}
	}
	require.Fail(t, "no such chain", id)
	return payee.Chain{}
}

const (
	evm     = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	evmToo  = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
	tronOne = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
	segwit  = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
	taproot = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"
)

func TestAddressesHaveOneForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ chain, address, want string }{
		{"ethereum", evm, evm},
		{"ethereum", " " + evm + "\n", evm},
		{"ethereum", strings.ToLower(evm), evm},
		{"ethereum", "0x" + strings.ToUpper(evm[2:]), evm},
		{"ethereum", "0X" + strings.ToUpper(evm[2:]), evm},
		{"ethereum", evmToo, evmToo},
		{"ethereum", "0x52908400098527886E0F7030069857D2E4169EE7", "0x52908400098527886E0F7030069857D2E4169EE7"},
		{"ethereum", "0xde709f2102306220921060314715629080e2fb77", "0xde709f2102306220921060314715629080e2fb77"},
		{"tron", tronOne, tronOne},
		{"bitcoin", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"},
		{"bitcoin", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"},
		{"bitcoin", segwit, segwit},
		{"bitcoin", strings.ToUpper(segwit), segwit},
		{"bitcoin", "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3", "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3"},
		{"bitcoin", taproot, taproot},
	} {
		got, err := chain(t, c.chain).Normal(c.address)
		require.NoError(t, err, c.address)
		require.Equal(t, c.want, got)
	}
	for _, coin := range payee.Coins {
		for _, c := range coin.Chains {
			got, err := c.Normal(c.Example)
			require.NoError(t, err, c.ID)
			require.Equal(t, c.Example, got)
			require.Contains(t, c.Explorer, "{address}")
		}
	}
}

func TestWrongAddressesAreRefused(t *testing.T) {
	t.Parallel()
	const shape, sum = "field.address", "field.address_checksum"
	for _, c := range []struct{ chain, address, want string }{
		{"ethereum", "", shape},
		{"ethereum", evm[:41], shape},
		{"ethereum", evm + "0", shape},
		{"ethereum", "0x" + strings.Repeat("g", 40), shape},
		{"ethereum", strings.Replace(evm, "A", "a", 1), sum},
		{"tron", tronOne[:33], shape},
		{"tron", tronOne[:33] + "u", sum},
		{"tron", "T" + strings.Repeat("0", 33), shape},
		{"bitcoin", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3", sum},
		{"bitcoin", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", shape},                               // test network
		{"bitcoin", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", shape},                       // test network
		{"bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", sum},                         // one character off
		{"bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh", sum},                         // version 0 as bech32m
		{"bitcoin", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", sum},     // version 1 as bech32
		{"bitcoin", "bc1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", sum},                         // mixed case
		{"bitcoin", "bc1pfeessrawgf", sum},                                                     // anyone can spend it
		{"bitcoin", "BC1SW50QGDZ25J", shape},                                                   // a version not in use yet
		{"bitcoin", "bc1", sum},                                                                // no data
		{"bitcoin", "bc1" + strings.Repeat("q", 5_000), shape},                                 // not even decoded
		{"ethereum", strings.Repeat(" ", 1_000) + strings.Repeat("0x", 2_000) + "\x00", shape}, // nor this
	} {
		_, err := chain(t, c.chain).Normal(c.address)
		refusal := errs.As(err)
		require.NotNil(t, refusal, c.address)
		require.Equal(t, c.want, refusal.Fields["address"], c.address)
	}
}

func TestAnAddressOfAnotherChainIsCalledByItsName(t *testing.T) {
	t.Parallel()
	names := map[string]string{evm: "Ethereum (ERC-20)", tronOne: "TRON (TRC-20)", segwit: "Bitcoin", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy": "Bitcoin"}
	for address, name := range names {
		for _, id := range []string{"ethereum", "tron", "bitcoin"} {
			c := chain(t, id)
			_, err := c.Normal(address)
			if c.Name == name {
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, payee.ErrChain, "%s on %s", address, id)
			require.Equal(t, name, errs.As(err).Args["chain"])
		}
	}
}

func FuzzNormal(f *testing.F) {
	for _, address := range []string{evm, tronOne, segwit, taproot, "", "bc1", "0x", "T", "\xff"} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		for _, coin := range payee.Coins {
			for _, c := range coin.Chains {
				normal, err := c.Normal(address)
				if err != nil {
					require.NotNil(t, errs.As(err), "a refusal, not a fault")
					continue
				}
				again, err := c.Normal(normal)
				require.NoError(t, err)
				require.Equal(t, normal, again, "the one form stays as it is")
			}
		}
	})
}

func TestChainName(t *testing.T) {
	t.Parallel()
	require.Equal(t, "TRON (TRC-20)", payee.ChainName("tron"))
	require.Equal(t, "gone", payee.ChainName("gone"), "one that is not known any more")
}
