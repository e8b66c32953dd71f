// Package switches names every configuration key and feature switch once, with its type, bounds and default, and says which value is in force.
package switches

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// Type is what a value must look like.
type Type string

// The types.
const (
	Bool    Type = "bool"
	Int     Type = "int"
	Decimal Type = "decimal"
	Text    Type = "text"
	Enum    Type = "enum"
)

// Definition is one key, named once.
type Definition struct {
	Key     string
	Type    Type
	Default string
	Unset   string   // what holds while the value in force is an empty text; empty where that is not foreseen
	Public  bool     // the app may read it
	Choices []string // of an enum
	About   string
}

// ErrUnknown is returned for a key that does not exist or is not public.
var ErrUnknown = errs.New(errs.NotFound, "switch.unknown")

// Keys used by other packages.
const (
	DemoKey            = "demo.enabled"
	BannersKey         = "banner.enabled"
	ThirdPartyMinKey   = "third_party.minimum"
	RechargeRateKey    = "recharge.fee_rate"
	RechargeMinKey     = "recharge.minimum"
	RechargeMaxKey     = "recharge.maximum"
	UnverifiedTotalKey = "deposit.unverified_total"
	SecondPersonKey    = "deposit.second_person_above"
	AMLAboveKey        = "deposit.aml_above"
	MockTopUpKey       = "mock.top_up_limit"
	WithdrawMinKey     = "withdraw.minimum"
	WithdrawMaxKey     = "withdraw.maximum"
	WithdrawRateKey    = "withdraw.fee_rate"
	BankFeeKey         = "bank.fee"
	DaifuFeeKey        = "daifu.fee"
	LeadAboveKey       = "withdraw.lead_above"
	AddressKey         = "address.enabled"
	AdjustLeadKey      = "adjustment.lead_above"
	AdjustMaxKey       = "adjustment.maximum"
	ExchangeKey        = "exchange.enabled"
	ExchangeMinKey     = "exchange.minimum"
	ExchangeSpreadKey  = "exchange.spread"
)

// WithdrawDayKey is the limit of 24 hours at a level of verification, 1 or 2.
func WithdrawDayKey(level int) string { return fmt.Sprintf("withdraw.day_limit_%d", level) }

// WithdrawMonthKey is the limit of 30 days at a level of verification, 1 or 2.
func WithdrawMonthKey(level int) string { return fmt.Sprintf("withdraw.month_limit_%d", level) }

// Definitions lists every key: those that the app reads, and the limits of the desk.
var Definitions = []Definition{
	{Key: "ai.enabled", Type: Bool, Default: "false", Public: true, About: "AI products"},
	{Key: "follow.enabled", Type: Bool, Default: "false", Public: true, About: "Copy trading"},
	{Key: BannersKey, Type: Bool, Default: "true", Public: true, About: "Banners on the home page"},
	{Key: DemoKey, Type: Bool, Default: "true", Public: true, About: "Mock accounts"},
	{Key: "web3_login.enabled", Type: Bool, Default: "false", Public: true, About: "Log-in with a wallet"},
	{Key: "trade_verify.enabled", Type: Bool, Default: "false", Public: true, About: "A review sheet before each order"},
	{Key: "clock_12h.default", Type: Bool, Default: "false", Public: true, About: "12-hour clock unless the trader chooses"},
	{Key: AddressKey, Type: Bool, Default: "true", Public: true, About: "Saved addresses"},
	{Key: "second_contract.enabled", Type: Bool, Default: "false", Public: true, About: "Timed bets; nothing is behind it"},
	{Key: "kefu.type", Type: Enum, Default: "1", Public: true, Choices: []string{"1", "2"}, About: "Support chat: 1 built in, 2 agents"},
	{Key: RechargeRateKey, Type: Decimal, Default: "0", Public: true, About: "Fee on deposits, percent"},
	{Key: WithdrawMinKey, Type: Decimal, Default: "10", Unset: "0.0001", Public: true, About: "Least withdrawal, USDT"},
	{Key: WithdrawMaxKey, Type: Decimal, Default: "1000000", Unset: "1000000000", Public: true, About: "Largest withdrawal, USDT"},
	{Key: WithdrawDayKey(1), Type: Decimal, Default: "10000", Public: true, About: "Withdrawals in 24 hours at level 1, USDT"},
	{Key: WithdrawMonthKey(1), Type: Decimal, Default: "100000", Public: true, About: "Withdrawals in 30 days at level 1, USDT"},
	{Key: WithdrawDayKey(2), Type: Decimal, Default: "100000", Public: true, About: "Withdrawals in 24 hours at level 2, USDT"},
	{Key: WithdrawMonthKey(2), Type: Decimal, Default: "1000000", Public: true, About: "Withdrawals in 30 days at level 2, USDT"},
	{Key: LeadAboveKey, Type: Decimal, Default: "25000", About: "Withdrawals above this need the finance lead as the third, USDT"},
	{Key: WithdrawRateKey, Type: Decimal, Default: "0", Public: true, About: "Fee on withdrawals, percent"},
	{Key: DaifuFeeKey, Type: Decimal, Default: "0", Public: true, About: "Fee of a payment by an agent, USDT"},
	{Key: BankFeeKey, Type: Decimal, Default: "0", Public: true, About: "Fee of a bank transfer, USDT"},
	{Key: "mt5.fee", Type: Decimal, Default: "0", Public: true, About: "Fee on contracts, USDT a lot"},
	{Key: "us_stock.fee_rate", Type: Decimal, Default: "0.05", Public: true, About: "Commission on US stocks, percent of the worth, as in the products"},
	{Key: ThirdPartyMinKey, Type: Decimal, Default: "10", Public: true, About: "Least third-party deposit, USDT"},
	{Key: RechargeMinKey, Type: Decimal, Default: "10", Unset: "0.0001", Public: true, About: "Least deposit, USDT"},
	{Key: RechargeMaxKey, Type: Decimal, Default: "1000000", Unset: "1000000000", Public: true, About: "Largest deposit, USDT"},
	{Key: ExchangeKey, Type: Bool, Default: "true", Public: true, About: "Exchange between currencies"},
	{Key: ExchangeMinKey, Type: Decimal, Default: "1", Public: true, About: "Least exchange, worth in USDT"},
	{Key: ExchangeSpreadKey, Type: Decimal, Default: "0.5", Public: true, About: "Spread on exchanges, percent beside bid and ask"},
	{Key: MockTopUpKey, Type: Decimal, Default: "100000", Public: true, About: "Highest balance that a mock account may be topped up to, USDT"},
	{Key: UnverifiedTotalKey, Type: Decimal, Default: "2000", Public: true, About: "Deposits in all before the identity is verified, USDT"},
	{Key: AdjustLeadKey, Type: Decimal, Default: "5000", About: "Adjustments above this need the finance lead as the third, USDT"},
	{Key: AdjustMaxKey, Type: Decimal, Default: "50000", About: "Largest adjustment, USDT"},
	{Key: SecondPersonKey, Type: Decimal, Default: "5000", About: "Deposits above this need a second person, USDT"},
	{Key: AMLAboveKey, Type: Decimal, Default: "10000", About: "Coins above this wait until two people have looked where they come from, USDT"},
}

// Service reads the values in force.
type Service struct {
	db     *db.DB
	values atomic.Pointer[map[string]string]
}

type row struct{ Key, Value string }

// Load reads the values; keys without a row have their default.
func Load(ctx context.Context, d *db.DB) (*Service, error) {
	s := &Service{db: d}
	return s, s.Reload(ctx)
}

// Reload reads the values again.
func (s *Service) Reload(ctx context.Context) error {
	var rows []row
	if err := s.db.Rows(ctx).Table("switches").Find(&rows).Error; err != nil {
		return fmt.Errorf("read the switches: %w", err)
	}
	values := map[string]string{}
	for _, d := range Definitions {
		values[d.Key] = d.Default
	}
	for _, r := range rows {
		if _, known := values[r.Key]; known {
			values[r.Key] = r.Value
		}
	}
	for _, d := range Definitions {
		if values[d.Key] == "" && d.Unset != "" {
			values[d.Key] = d.Unset
		}
	}
	s.values.Store(&values)
	return nil
}

// Value is a key's value in force.
func (s *Service) Value(key string) string { return (*s.values.Load())[key] }

// On tells whether a switch is on.
func (s *Service) On(key string) bool { return s.Value(key) == "true" }

// Amount is a decimal key in units of 10^-6.
func (s *Service) Amount(key string) int64 {
	v, err := money.Parse(s.Value(key), money.Scale)
	if err != nil {
		return 0
	}
	return v
}

// Entry is a public key with its value.
type Entry struct {
	Definition
	Value string
}

// Public lists what the app may read.
func (s *Service) Public() []Entry {
	var out []Entry
	for _, d := range Definitions {
		if d.Public {
			out = append(out, Entry{d, s.Value(d.Key)})
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// Find is one public key. It returns ErrUnknown for any other: whether a secret key exists is nobody's business.
func (s *Service) Find(key string) (Entry, error) {
	for _, d := range Definitions {
		if d.Key == key && d.Public {
			return Entry{d, s.Value(key)}, nil
		}
	}
	return Entry{}, ErrUnknown
}
