package market

import (
	"slices"
	"time"
)

// The calendars of the seed.
const (
	calendarForex   = "forex"
	calendarMetal   = "metal"
	calendarUSIndex = "us_index"
	calendarNYSE    = "nyse"
	calendarHKEX    = "hkex"
	calendarCrypto  = "crypto"
)

const (
	lot   = 1_000_000 // one lot in 10^-6 lots
	tenth = 100_000   // a tenth of a point or of a percent, the unit of the swaps below
)

// forexTiers raises the margin for the volume above 20 lots of a pair, and again above 40.
const forexTiers = "20:500,40:200,50:100"

func weekday(d time.Weekday) *int { n := int(d); return &n }

// Catalogue is the products of a new installation. IDs are fixed and never reused, so tapes and receipts keep their meaning.
func Catalogue() []Product {
	out := slices.Concat(forexPairs(), metals(), cryptos(), stocks(), indices())
	for i := range out {
		out[i].HedgedRatioBps, out[i].Mode, out[i].Version, out[i].EffectiveAt = 5000, FullTrading, 1, time.Unix(0, 0).UTC()
		out[i].Sort = out[i].ID
	}
	return out
}

func forexPairs() []Product {
	pair := func(id int, base, quote, name string, point, stop, hot int, long, short int64) Product {
		return Product{
			ID: id, Symbol: base + quote, Name: name, Class: Forex, Base: base, Quote: quote, Point: point, ContractSize: 100_000,
			MarginModel: ForexMargin, Calendar: calendarForex, Hot: hot,
			Terms: Terms{
				LotMin: lot / 100, LotStep: lot / 100, LotMax: 50 * lot, Multiple: "100,50,200,20,500", Tiers: forexTiers,
				StopLevel: stop, StaleMS: 10_000, SpikeBps: 50,
				SwapModel: PointSwap, SwapLong: long * tenth, SwapShort: short * tenth, TripleDay: weekday(time.Wednesday),
			},
		}
	}
	return []Product{
		pair(1, "EUR", "USD", "Euro / US dollar", 5, 20, 3, -89, 24),
		pair(2, "GBP", "USD", "British pound / US dollar", 5, 25, 7, -26, -31),
		pair(3, "USD", "JPY", "US dollar / Japanese yen", 3, 25, 9, 75, -152),
		pair(4, "AUD", "USD", "Australian dollar / US dollar", 5, 25, 0, -19, -18),
		pair(5, "USD", "CAD", "US dollar / Canadian dollar", 5, 25, 0, 15, -64),
		pair(6, "USD", "CHF", "US dollar / Swiss franc", 5, 25, 0, 47, -94),
		pair(7, "NZD", "USD", "New Zealand dollar / US dollar", 5, 30, 0, -32, -6),
		pair(8, "EUR", "GBP", "Euro / British pound", 5, 25, 0, -61, 19),
		pair(9, "EUR", "JPY", "Euro / Japanese yen", 3, 30, 0, 24, -110),
		pair(10, "GBP", "JPY", "British pound / Japanese yen", 3, 40, 0, 129, -235),
		pair(11, "EUR", "CHF", "Euro / Swiss franc", 5, 30, 0, 10, -56),
		pair(12, "AUD", "JPY", "Australian dollar / Japanese yen", 3, 35, 0, 49, -106),
		pair(13, "USD", "HKD", "US dollar / Hong Kong dollar", 5, 50, 0, -60, -40), // also converts the profit of HK50
	}
}

// metals have a spike limit of 100 basis points: they move about twice as far as currency pairs, silver further; 50 would reject real prices on data releases.
func metals() []Product {
	metal := func(id int, base, name string, point int, contract int64, stop, hot int, long, short int64) Product {
		return Product{
			ID: id, Symbol: base + "USD", Name: name, Class: Metal, Base: base, Quote: "USD", Point: point, ContractSize: contract,
			MarginModel: CFDMargin, Calendar: calendarMetal, Hot: hot,
			Terms: Terms{
				LotMin: lot / 100, LotStep: lot / 100, LotMax: 20 * lot, Multiple: "100,50,200,20",
				CommissionPerLot: 3_500_000, StopLevel: stop, StaleMS: 10_000, SpikeBps: 100,
				SwapModel: PointSwap, SwapLong: long * tenth, SwapShort: short * tenth, TripleDay: weekday(time.Wednesday),
			},
		}
	}
	return []Product{
		metal(101, "XAU", "Gold / US dollar", 2, 100, 50, 2, -660, 180),
		metal(102, "XAG", "Silver / US dollar", 3, 5000, 40, 0, -83, 19),
	}
}

func cryptos() []Product {
	coin := func(id int, base, name string, point int, lotMin, lotMax int64, stop, hot int) Product {
		return Product{
			ID: id, Symbol: base + "USD", Name: name, Class: Crypto, Base: base, Quote: "USD", Point: point, ContractSize: 1,
			MarginModel: CFDMargin, Calendar: calendarCrypto, Hot: hot,
			Terms: Terms{
				LotMin: lotMin, LotStep: lotMin, LotMax: lotMax, Multiple: "20,10,50,5", StopLevel: stop, StaleMS: 5_000, SpikeBps: 300,
				SwapModel: PercentSwap, SwapLong: -180 * tenth, SwapShort: -36 * tenth, // charged every day: this market never closes
			},
		}
	}
	return []Product{
		coin(201, "BTC", "Bitcoin / US dollar", 2, lot/100, 50*lot, 1000, 1),
		coin(202, "ETH", "Ethereum / US dollar", 2, lot/100, 500*lot, 80, 4),
		coin(203, "LTC", "Litecoin / US dollar", 2, lot/10, 5_000*lot, 10, 0),
		coin(204, "SOL", "Solana / US dollar", 2, lot/10, 5_000*lot, 10, 10),
		coin(205, "XRP", "XRP / US dollar", 4, lot, 200_000*lot, 20, 0),
		coin(206, "ADA", "Cardano / US dollar", 5, lot, 500_000*lot, 60, 0),
		coin(207, "DOGE", "Dogecoin / US dollar", 5, lot, 1_000_000*lot, 30, 0),
		coin(208, "BNB", "BNB / US dollar", 2, lot/100, 1_000*lot, 40, 0),
	}
}

func stocks() []Product {
	share := func(id int, symbol, name string, hot int) Product {
		return Product{
			ID: id, Symbol: symbol, Name: name, Class: USStock, Base: symbol, Quote: "USD", Point: 2, ContractSize: 1,
			MarginModel: CFDMargin, Calendar: calendarNYSE, Hot: hot,
			Terms: Terms{
				LotMin: lot, LotStep: lot, LotMax: 10_000 * lot, Multiple: "5,10,20,1",
				CommissionBps: 5, CommissionMin: 1_000_000, StopLevel: 5, StaleMS: 60_000, SpikeBps: 500,
				SwapModel: PercentSwap, SwapLong: -75 * tenth, SwapShort: -25 * tenth, TripleDay: weekday(time.Friday),
			},
		}
	}
	return []Product{
		share(301, "AAPL", "Apple", 8),
		share(302, "MSFT", "Microsoft", 0),
		share(303, "NVDA", "NVIDIA", 5),
		share(304, "TSLA", "Tesla", 11),
		share(305, "AMZN", "Amazon", 0),
		share(306, "GOOGL", "Alphabet A", 0),
		share(307, "META", "Meta Platforms", 0),
		share(308, "SPY", "SPDR S&P 500 ETF", 0),
		share(309, "IBM", "IBM", 0),
		share(310, "BAC", "Bank of America", 0),
		share(311, "AIG", "American International Group", 0),
		share(312, "JPM", "JPMorgan Chase", 0),
		share(313, "AMD", "Advanced Micro Devices", 0),
	}
}

func indices() []Product {
	index := func(id int, symbol, name, quote, multiple, calendar string, stop, hot int) Product {
		return Product{
			ID: id, Symbol: symbol, Name: name, Class: Index, Base: symbol, Quote: quote, Point: 1, ContractSize: 1,
			MarginModel: CFDMargin, Calendar: calendar, Hot: hot,
			Terms: Terms{
				LotMin: lot / 10, LotStep: lot / 10, LotMax: 500 * lot, Multiple: multiple, StopLevel: stop, StaleMS: 10_000, SpikeBps: 100,
				SwapModel: PercentSwap, SwapLong: -72 * tenth, SwapShort: 12 * tenth, TripleDay: weekday(time.Friday),
			},
		}
	}
	return []Product{
		index(401, "US500", "US 500 index", "USD", "100,50,20,10", calendarUSIndex, 10, 6),
		index(402, "HK50", "Hong Kong 50 index", "HKD", "50,20,10", calendarHKEX, 100, 0),
	}
}
