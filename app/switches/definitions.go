package switches

import (
	"fmt"
	"slices"
)

// Keys used by other packages.
const (
	DemoKey              = "demo.enabled"
	BannersKey           = "banner.enabled"
	ThirdPartyMinKey     = "third_party.minimum"
	RechargeRateKey      = "recharge.fee_rate"
	RechargeMinKey       = "recharge.minimum"
	RechargeMaxKey       = "recharge.maximum"
	UnverifiedTotalKey   = "deposit.unverified_total"
	SecondPersonKey      = "deposit.second_person_above"
	SoloCreditsPerDayKey = "deposit.alone_a_day"
	AMLAboveKey          = "deposit.aml_above"
	MockTopUpKey         = "mock.top_up_limit"
	WithdrawMinKey       = "withdraw.minimum"
	WithdrawMaxKey       = "withdraw.maximum"
	WithdrawRateKey      = "withdraw.fee_rate"
	BankFeeKey           = "bank.fee"
	DaifuFeeKey          = "daifu.fee"
	LeadAboveKey         = "withdraw.lead_above"
	AddressKey           = "address.enabled"
	AdjustLeadKey        = "adjustment.lead_above"
	AdjustMaxKey         = "adjustment.maximum"
	SmallAmountKey       = "step_up.small_amount"
	SmallDecisionsKey    = "step_up.small_decisions"
	ExchangeKey          = "exchange.enabled"
	ExchangeMinKey       = "exchange.minimum"
	ExchangeSpreadKey    = "exchange.spread"
	KefuKey              = "kefu.type"
	ProhibitedKey        = "identity.prohibited_countries"
	HighRiskKey          = "identity.high_risk_countries"
	PhoneKey             = "contact.phone"
	Web3LoginKey         = "web3_login.enabled"
	MaintenanceKey       = "maintenance.enabled"
	MaintenanceEndKey    = "maintenance.until"
	Clock12Key           = "clock_12h.default"
	TradeVerifyKey       = "trade_verify.enabled"
	ContractFeeKey       = "mt5.fee"
	StockRateKey         = "us_stock.fee_rate"
	InvitationKey        = "invitation.enabled"
	BonusKey             = "bonus.enabled"
	NoBonusKey           = "bonus.excluded_countries"
	RebateRateKey        = "invitation.rebate_rate"
)

// WithdrawDayKey is the key of the 24-hour limit at a verification level, 1 or 2.
func WithdrawDayKey(level int) string { return fmt.Sprintf("withdraw.day_limit_%d", level) }

// WithdrawMonthKey is the key of the 30-day limit at a verification level, 1 or 2.
func WithdrawMonthKey(level int) string { return fmt.Sprintf("withdraw.month_limit_%d", level) }

// PartnerTiers is how many tiers of partners there are.
const PartnerTiers = 3

// PartnerRateKey is the key of a partner's rebate in a tier from 1 up, and PartnerFromKey of the invited traders that the tier takes.
func PartnerRateKey(tier int) string { return fmt.Sprintf("invitation.partner_rate_%d", tier) }

// PartnerFromKey is the key of the number of invited traders with fills in the last 30 days from which a tier counts.
func PartnerFromKey(tier int) string { return fmt.Sprintf("invitation.partner_from_%d", tier) }

// The roles that own keys.
const (
	finance    = "finance_lead"
	compliance = "compliance_lead"
	riskRole   = "risk"
	config     = "config_admin"
	supporters = "support_lead"
	publishers = "content_publisher"
)

// noIncentives are the countries whose regulators forbid bonuses for retail traders: those of the European Economic Area (ESMA decision (EU) 2018/796 and the
// national measures that followed it), the United Kingdom (FCA COBS 22.5) and Australia (ASIC instrument 2020/986).
const noIncentives = "AT,AU,BE,BG,CY,CZ,DE,DK,EE,ES,FI,FR,GB,GR,HR,HU,IE,IS,IT,LI,LT,LU,LV,MT,NL,NO,PL,PT,RO,SE,SI,SK"

// most is the highest value of a limit.
const most = "1000000000"

func fee(key, unit, top, value string) Definition {
	return Definition{Key: key, Type: Decimal, Area: Money, Risk: Sensitive, Owner: finance, Unit: unit, Min: "0", Max: top, Default: value, Public: true}
}

func limit(key, value string) Definition {
	return Definition{Key: key, Type: Decimal, Area: Money, Risk: Sensitive, Owner: finance, Unit: USDT, Min: "0", Max: most, Default: value, Public: true}
}

// countries is a list of countries of compliance; the broker names them, none is listed at first.
func countries(key string) Definition {
	return Definition{Key: key, Type: Countries, Area: BackOffice, Risk: Sensitive, Owner: compliance}
}

// excluded is a list of countries in which something is not offered.
func excluded(key, value string) Definition {
	d := countries(key)
	d.Area, d.Default = Money, value
	return d
}

func secret(d Definition) Definition {
	d.Area, d.Public = BackOffice, false
	return d
}

func unset(d Definition, value string) Definition {
	d.Unset = value
	return d
}

func from(least string, d Definition) Definition {
	d.Min = least
	return d
}

func feature(key string, area Area, owner, value string) Definition {
	return Definition{Key: key, Type: Bool, Area: area, Risk: Ordinary, Owner: owner, Default: value, Public: true}
}

func tierFrom(key, value string) Definition {
	return Definition{Key: key, Type: Int, Area: Money, Risk: Sensitive, Owner: finance, Min: "1", Max: "100000", Default: value, Public: true}
}

func targeted(d Definition) Definition {
	d.Targeted = true
	return d
}

// gate is a feature switch: switching it on takes two people, switching it off reduces risk.
func gate(d Definition, stopBy ...string) Definition {
	d.Risk, d.Safe, d.StopBy = Sensitive, "false", append([]string{config, riskRole}, stopBy...)
	return d
}

func sensitive(d Definition) Definition {
	d.Risk = Sensitive
	return d
}

func locked(d Definition) Definition {
	d.Risk = Locked
	return d
}

// Definitions lists every key: those that the app reads, and the back office's limits.
var Definitions = []Definition{
	fee(WithdrawRateKey, Percent, "10", "0"),
	fee(BankFeeKey, USDT, "1000", "0"),
	fee(DaifuFeeKey, USDT, "1000", "0"),
	fee(RechargeRateKey, Percent, "10", "0"),
	from("0.0001", unset(limit(RechargeMinKey, "10"), "0.0001")),
	unset(limit(RechargeMaxKey, "1000000"), most),
	limit(ThirdPartyMinKey, "10"),
	limit(UnverifiedTotalKey, "2000"),
	from("0.0001", unset(limit(WithdrawMinKey, "10"), "0.0001")),
	unset(limit(WithdrawMaxKey, "1000000"), most),
	limit(WithdrawDayKey(1), "10000"),
	limit(WithdrawMonthKey(1), "100000"),
	limit(WithdrawDayKey(2), "100000"),
	limit(WithdrawMonthKey(2), "1000000"),
	gate(feature(AddressKey, Money, compliance, "true"), compliance, finance),
	gate(feature(ExchangeKey, Money, riskRole, "true"), finance),
	limit(ExchangeMinKey, "1"),
	fee(ExchangeSpreadKey, Percent, "10", "0.5"),

	gate(feature(InvitationKey, Money, finance, "true")),
	gate(feature(BonusKey, Money, finance, "false"), compliance),
	excluded(NoBonusKey, noIncentives),
	fee(RebateRateKey, Percent, "50", "20"),
	fee(PartnerRateKey(1), Percent, "50", "25"),
	fee(PartnerRateKey(2), Percent, "50", "30"),
	fee(PartnerRateKey(3), Percent, "50", "35"),
	tierFrom(PartnerFromKey(1), "1"),
	tierFrom(PartnerFromKey(2), "10"),
	tierFrom(PartnerFromKey(3), "50"),

	locked(fee(ContractFeeKey, USDTALot, most, "0")),
	locked(fee(StockRateKey, Percent, "10", "0.05")),
	targeted(feature(TradeVerifyKey, Trading, riskRole, "false")),
	locked(feature("second_contract.enabled", Trading, compliance, "false")),
	locked(feature("follow.enabled", Trading, riskRole, "false")),
	locked(feature("ai.enabled", Trading, riskRole, "false")),

	sensitive(feature(MaintenanceKey, App, config, "false")),
	{Key: MaintenanceEndKey, Type: Moment, Area: App, Risk: Ordinary, Owner: config, Default: "", Public: true},
	gate(feature(DemoKey, App, config, "true")),
	{Key: MockTopUpKey, Type: Decimal, Area: App, Risk: Ordinary, Owner: config, Unit: USDT, Min: "0", Max: most, Default: "100000", Public: true},
	targeted(feature(BannersKey, App, publishers, "true")),
	targeted(feature(Clock12Key, App, config, "false")),
	gate(feature(Web3LoginKey, App, config, "false")),
	locked(feature(PhoneKey, App, config, "false")),
	targeted(Definition{Key: KefuKey, Type: Enum, Area: App, Risk: Ordinary, Owner: supporters, Default: "1", Public: true, Choices: []string{"1", "2"}}),

	secret(limit(SecondPersonKey, "5000")),
	secret(limit(SoloCreditsPerDayKey, "20000")),
	secret(limit(AMLAboveKey, "10000")),
	secret(limit(LeadAboveKey, "25000")),
	secret(limit(AdjustLeadKey, "5000")),
	secret(limit(AdjustMaxKey, "50000")),
	secret(limit(SmallAmountKey, "500")),
	secret(Definition{Key: SmallDecisionsKey, Type: Int, Risk: Sensitive, Owner: finance, Min: "0", Max: "50", Default: "10"}),
	countries(ProhibitedKey),
	countries(HighRiskKey),
}

// ordered lists pairs of keys whose first value must not exceed the second.
var ordered = [][2]string{
	{RechargeMinKey, RechargeMaxKey}, {ThirdPartyMinKey, RechargeMaxKey}, {WithdrawMinKey, WithdrawMaxKey},
	{WithdrawDayKey(1), WithdrawMonthKey(1)}, {WithdrawDayKey(2), WithdrawMonthKey(2)}, {WithdrawDayKey(1), WithdrawDayKey(2)}, {WithdrawMonthKey(1), WithdrawMonthKey(2)},
	{AdjustLeadKey, AdjustMaxKey},
}

// Define finds a key's definition.
func Define(key string) (Definition, bool) {
	i := slices.IndexFunc(Definitions, func(d Definition) bool { return d.Key == key })
	if i < 0 {
		return Definition{}, false
	}
	return Definitions[i], true
}

// outOfOrder finds a key that contradicts another key's value; empty for none.
func outOfOrder(key string, value func(key string) string) (other string) {
	for _, pair := range ordered {
		if pair[0] != key && pair[1] != key || amount(value(pair[0])) <= amount(value(pair[1])) {
			continue
		}
		if pair[0] == key {
			return pair[1]
		}
		return pair[0]
	}
	return ""
}
