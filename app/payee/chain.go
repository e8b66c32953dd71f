package payee

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/btcsuite/btcd/btcutil/bech32"
	"golang.org/x/crypto/sha3"

	"candor/app/ledger"
)

// Chain is a network that coins move on.
type Chain struct {
	ID       string
	Name     string
	Example  string                    // an address, well formed; nobody's
	Memo     bool                      // whether payments name a memo beside the address
	Explorer string                    // the link to an address, with {address} in its place
	Receipts string                    // the link to a transaction, with {hash} in its place
	looks    func(address string) bool // by its shape alone
	parse    func(address string) (string, error)
}

// Coin is what may be sent, and on which chains.
type Coin struct {
	ID     string
	Chains []Chain
}

var (
	ethereum = Chain{
		ID: "ethereum", Name: "Ethereum (ERC-20)", Example: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		Explorer: "https://etherscan.io/address/{address}", Receipts: "https://etherscan.io/tx/{hash}",
		looks: looksEthereum, parse: parseEthereum,
	}
	tron = Chain{
		ID: "tron", Name: "TRON (TRC-20)", Example: "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW",
		Explorer: "https://tronscan.org/#/address/{address}", Receipts: "https://tronscan.org/#/transaction/{hash}",
		looks: looksTron, parse: parseTron,
	}
	bitcoin = Chain{
		ID: "bitcoin", Name: "Bitcoin", Example: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
		Explorer: "https://mempool.space/address/{address}", Receipts: "https://mempool.space/tx/{hash}",
		looks: looksBitcoin, parse: parseBitcoin,
	}
	chains = []Chain{ethereum, tron, bitcoin}
)

// Coins lists what is known, each with its chains.
var Coins = []Coin{{"USDT", []Chain{tron, ethereum}}, {"BTC", []Chain{bitcoin}}}

// payable lists what withdrawals are paid in: nothing else is worth saving.
func payable() []Coin {
	return slices.DeleteFunc(slices.Clone(Coins), func(c Coin) bool { return c.ID != ledger.Currency })
}

// FindChain is a chain by its id.
func FindChain(id string) (Chain, bool) {
	i := slices.IndexFunc(chains, func(c Chain) bool { return c.ID == id })
	if i < 0 {
		return Chain{}, false
	}
	return chains[i], true
}

// ChainName is a chain as people know it; the id itself for one that is not known any more.
func ChainName(id string) string {
	if c, known := FindChain(id); known {
		return c.Name
	}
	return id
}

// Transaction is the link to a transaction of the chain.
func (c Chain) Transaction(hash string) string { return strings.ReplaceAll(c.Receipts, "{hash}", hash) }

// chainOf is a coin's chain. It returns what is wrong with the field.
func chainOf(coin, chain string) (Chain, error) {
	i := slices.IndexFunc(Coins, func(c Coin) bool { return c.ID == coin })
	if i < 0 {
		return Chain{}, errCoin
	}
	j := slices.IndexFunc(Coins[i].Chains, func(c Chain) bool { return c.ID == chain })
	if j < 0 {
		return Chain{}, errNetwork
	}
	return Coins[i].Chains[j], nil
}

// Normal is an address of a coin on a chain in its one form. It returns ErrChain, or what is wrong with a field.
func Normal(coin, chain, address string) (string, error) {
	c, err := chainOf(coin, chain)
	if err != nil {
		return "", err
	}
	return c.Normal(address)
}

// longest is more than any address of ours has; what is longer is not even decoded.
const longest = 90

// Normal is an address in its one form on the chain. It returns ErrChain for one that looks like another chain's, or what is wrong with the field.
func (c Chain) Normal(address string) (string, error) {
	address = strings.TrimSpace(address)
	if len(address) > longest {
		return "", errAddress
	}
	if !c.looks(address) {
		for _, other := range chains {
			if other.looks(address) {
				return "", ErrChain.With("chain", other.Name)
			}
		}
		return "", errAddress
	}
	return c.parse(address)
}

// Typed is an address that somebody typed as its chain writes it; empty for words that are no address.
func Typed(address string) string {
	for _, c := range chains {
		if form, err := c.Normal(address); err == nil {
			return form
		}
	}
	return ""
}

// Chains are the chains that money goes out on.
func Chains() []Chain { return slices.Clone(chains) }

func hasPrefix(text, prefix string) bool { // in whatever case
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

func within(text, letters string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune(letters, r) })
}

const (
	hexadecimal = "0123456789abcdefABCDEF"
	base58Chars = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
)

func looksEthereum(address string) bool {
	return len(address) == 42 && hasPrefix(address, "0x") && within(address[2:], hexadecimal)
}

// parseEthereum reads 40 hexadecimal digits. Those in both cases carry a checksum (EIP-55), which must fit; those in one case get theirs.
func parseEthereum(address string) (string, error) {
	digits := address[2:]
	lower := strings.ToLower(digits)
	summed := checksummed(lower)
	if digits != lower && digits != strings.ToUpper(digits) && digits != summed {
		return "", errChecksum
	}
	return "0x" + summed, nil
}

// checksummed writes each letter in upper case whose nibble of the hash of the whole is 8 or more.
func checksummed(lower string) string {
	hash := sha3.NewLegacyKeccak256()
	hash.Write([]byte(lower))
	nibbles := hex.EncodeToString(hash.Sum(nil))
	out := []byte(lower)
	for i, digit := range out {
		if digit >= 'a' && nibbles[i] >= '8' {
			out[i] = digit - 'a' + 'A'
		}
	}
	return string(out)
}

func looksTron(address string) bool {
	return len(address) == 34 && address[0] == 'T' && within(address, base58Chars)
}

func parseTron(address string) (string, error) { return parseBase58(address, 0x41) }

// parseBase58 reads 20 bytes behind a version, with their checksum.
func parseBase58(address string, versions ...byte) (string, error) {
	payload, version, err := base58.CheckDecode(address)
	if err != nil || len(payload) != 20 || !slices.Contains(versions, version) {
		return "", errChecksum
	}
	return address, nil
}

func looksBitcoin(address string) bool {
	if hasPrefix(address, "bc1") {
		return true
	}
	return len(address) >= 26 && len(address) <= 35 && (address[0] == '1' || address[0] == '3') && within(address, base58Chars)
}

func parseBitcoin(address string) (string, error) {
	if !hasPrefix(address, "bc1") {
		return parseBase58(address, 0x00, 0x05)
	}
	return parseSegwit(address)
}

// parseSegwit reads a witness program: version 0 (BIP 173) or taproot (BIP 350). Later versions are refused: what is sent there today is anybody's.
func parseSegwit(address string) (string, error) {
	prefix, data, encoding, err := bech32.DecodeGeneric(address)
	if err != nil || prefix != "bc" || len(data) == 0 {
		return "", errChecksum
	}
	program, err := bech32.ConvertBits(data[1:], 5, 8, false)
	if err != nil {
		return "", errChecksum
	}
	switch version, length := data[0], len(program); {
	case version == 0 && encoding == bech32.Version0 && (length == 20 || length == 32):
	case version == 1 && encoding == bech32.VersionM && length == 32:
	case version > 1 && encoding == bech32.VersionM:
		return "", errAddress
	default:
		return "", errChecksum
	}
	return strings.ToLower(address), nil
}

// lookalike tells whether two addresses that differ begin and end alike: that is how a stranger's address gets taken for one's own.
func lookalike(a, b string) bool {
	const ends = 4
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a != b && len(a) > 2*ends && len(b) > 2*ends && a[:ends] == b[:ends] && a[len(a)-ends:] == b[len(b)-ends:]
}

// Address is an address that a trader wants to save.
type Address struct {
	Coin, Chain, Address string
	Memo, Label          string
	Confirmed            bool // that it looks like another one
}

// payee is the address in its normal form. It returns ErrChain or what is wrong with a field.
func (a Address) payee() (p Payee, err error) {
	if a.Coin != ledger.Currency {
		return p, errCoin
	}
	chain, err := chainOf(a.Coin, a.Chain)
	if err != nil {
		return p, err
	}
	p = Payee{Kind: OnChain, Coin: a.Coin, Chain: chain.ID, Memo: a.Memo}
	if a.Memo != "" && !chain.Memo {
		return p, errMemo
	}
	if p.Address, err = chain.Normal(a.Address); err != nil {
		return p, err
	}
	p.Label, err = line(a.Label, labelLength, errLabel)
	return p, err
}
