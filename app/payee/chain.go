package payee

import (
	"errors"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/btcsuite/btcd/btcutil/bech32"

	"candor/app/ledger"
	"candor/app/platform/ethereum"
)

// Chain is a network that coins move on.
type Chain struct {
	ID       string
	Name     string
	Example  string                    // a well-formed address that belongs to nobody
	Memo     bool                      // whether payments carry a memo besides the address
	Explorer string                    // link to an address, with the placeholder {address}
	Receipts string                    // link to a transaction, with the placeholder {hash}
	looks    func(address string) bool // checks only the shape
	parse    func(address string) (string, error)
}

// Coin is a coin that can be sent, with its chains.
type Coin struct {
	ID     string
	Chains []Chain
}

var (
	onEthereum = Chain{
		ID: "ethereum", Name: "Ethereum (ERC-20)", Example: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		Explorer: "https://etherscan.io/address/{address}", Receipts: "https://etherscan.io/tx/{hash}",
		looks: looksEthereum, parse: parseEthereum,
	}
	onTron = Chain{
		ID: "tron", Name: "TRON (TRC-20)", Example: "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW",
		Explorer: "https://tronscan.org/#/address/{address}", Receipts: "https://tronscan.org/#/transaction/{hash}",
		looks: looksTron, parse: parseTron,
	}
	onBitcoin = Chain{
		ID: "bitcoin", Name: "Bitcoin", Example: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
		Explorer: "https://mempool.space/address/{address}", Receipts: "https://mempool.space/tx/{hash}",
		looks: looksBitcoin, parse: parseBitcoin,
	}
	chains = []Chain{onEthereum, onTron, onBitcoin}
)

// Coins lists the known coins with their chains.
var Coins = []Coin{{"USDT", []Chain{onTron, onEthereum}}, {"BTC", []Chain{onBitcoin}}}

// payable lists the coins that withdrawals are paid in: no other address is worth saving.
func payable() []Coin {
	return slices.DeleteFunc(slices.Clone(Coins), func(c Coin) bool { return c.ID != ledger.Currency })
}

// FindChain finds a chain by its id.
func FindChain(id string) (Chain, bool) {
	i := slices.IndexFunc(chains, func(c Chain) bool { return c.ID == id })
	if i < 0 {
		return Chain{}, false
	}
	return chains[i], true
}

// ChainName is a chain's display name, or the id itself if the chain is no longer known.
func ChainName(id string) string {
	if c, known := FindChain(id); known {
		return c.Name
	}
	return id
}

// Transaction is the link to a transaction of the chain.
func (c Chain) Transaction(hash string) string { return strings.ReplaceAll(c.Receipts, "{hash}", hash) }

// chainOf finds a coin's chain. It returns a field error.
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

// Normal normalises an address of a coin on a chain. It returns ErrChain or a field error.
func Normal(coin, chain, address string) (string, error) {
	c, err := chainOf(coin, chain)
	if err != nil {
		return "", err
	}
	return c.Normal(address)
}

// longest is more than any supported address has; a longer text is not even decoded.
const longest = 90

// Normal normalises an address of the chain. It returns ErrChain for one that looks like another chain's, or a field error.
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

// Typed normalises a typed address on the chain that it is valid for; empty if it is none.
func Typed(address string) string {
	for _, c := range chains {
		if form, err := c.Normal(address); err == nil {
			return form
		}
	}
	return ""
}

// Chains lists the chains that payouts use.
func Chains() []Chain { return slices.Clone(chains) }

func hasPrefix(text, prefix string) bool { // in any case
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

func within(text, letters string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune(letters, r) })
}

const base58Chars = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

func looksEthereum(address string) bool {
	_, err := ethereum.ParseAddress(address)
	return !errors.Is(err, ethereum.ErrShape)
}

func parseEthereum(address string) (string, error) {
	parsed, err := ethereum.ParseAddress(address)
	if err != nil {
		return "", errChecksum
	}
	return parsed.String(), nil
}

func looksTron(address string) bool {
	return len(address) == 34 && address[0] == 'T' && within(address, base58Chars)
}

func parseTron(address string) (string, error) { return parseBase58(address, 0x41) }

// parseBase58 reads 20 bytes after a version byte, with their checksum.
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

// parseSegwit reads a witness program: version 0 (BIP 173) or taproot (BIP 350). Later versions are refused: anyone can spend what is sent there today.
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

// lookalike reports whether two different addresses start and end alike, so that a stranger's could be mistaken for one's own.
func lookalike(a, b string) bool {
	const ends = 4
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a != b && len(a) > 2*ends && len(b) > 2*ends && a[:ends] == b[:ends] && a[len(a)-ends:] == b[len(b)-ends:]
}

// Address is an address that a trader wants to save.
type Address struct {
	Coin, Chain, Address string
	Memo, Label          string
	Confirmed            bool // the trader confirmed that it looks like another one
}

// payee returns the address in its normal form. It returns ErrChain or a field error.
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
