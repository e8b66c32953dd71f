package systemtest

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"

	"candor/app/market"
)

const (
	openings      = `SELECT count(*) FROM positions WHERE account_id = $1`
	closings      = `SELECT count(*) FROM fills WHERE account_id = $1 AND entry = 'close'`
	fillings      = `SELECT count(*) FROM fills WHERE account_id = $1`
	pendingOrders = `SELECT count(*) FROM orders WHERE account_id = $1 AND ended_at IS NULL`
	byTrader      = `SELECT count(*) FROM orders WHERE account_id = $1 AND reason = 'trader'`
)

func reportedFills(a tradeAnswer) int { return len(a.fills()) }

// at is a body that names one object.
func at(name string, id int64, more ...string) string {
	return fmt.Sprintf(`{%q:%d%s}`, name, id, strings.Join(more, ""))
}

func (e *entrant) openPosition(side, lots string) int64 {
	e.t.Helper()
	return e.done("trade/insertOrder", marketOrder(side, lots)).Data.Position.ID
}

func marketOrder(side, lots string) string {
	return fmt.Sprintf(`{"productId":%d,"side":%q,"lots":%q,"leverage":20}`, bitcoin, side, lots)
}

// orderContests are races over market orders and closings. A hundredth of a lot takes about 46 dollars of margin.
func orderContests() []contest {
	return []contest{
		{
			name: "InsertOrder", cash: dollars(60), effects: openings, maxEffects: 1, losers: []string{"order.no_margin"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("trade/insertOrder", marketOrder("buy", "0.01")), nil
			},
		},
		{
			name: "ClosePosition", cash: dollars(1_000), effects: closings, maxEffects: 1, losers: []string{"position.unknown"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("trade/closePosition", at("positionId", e.openPosition("buy", "0.01"))), nil
			},
		},
		{
			name: "ClosePartOfPosition", cash: dollars(1_000), effects: closings, maxEffects: 2, losers: []string{"order.lots"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("trade/closePosition", at("positionId", e.openPosition("sell", "0.05"), `,"lots":"0.02"`)), nil
			},
		},
		{
			name: "ReversePosition", cash: dollars(1_000), effects: fillings, maxEffects: 2, score: reportedFills, losers: []string{"position.unknown"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("trade/reversePosition", at("positionId", e.openPosition("buy", "0.02"))), nil
			},
		},
		{
			name: "CloseByPosition", cash: dollars(1_000), effects: closings, maxEffects: 2, score: reportedFills, losers: []string{"position.unknown"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("trade/closeByPosition", fmt.Sprintf(`{"positionId":%d,"byPositionId":%d}`, e.openPosition("buy", "0.03"), e.openPosition("sell", "0.03"))), nil
			},
		},
		{
			name: "CloseAllPositions", cash: dollars(1_000), effects: closings, maxEffects: 3, score: reportedFills, losers: []string{"position.nothing_open"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				for _, side := range []string{"buy", "sell", "buy"} {
					e.openPosition(side, "0.01")
				}
				return e.post("trade/closeAllPositions", `{}`), nil
			},
		},
		{
			name: "UpdatePosition", cash: dollars(1_000), effects: `SELECT sum(version) FROM positions WHERE account_id = $1`, maxEffects: racers,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("trade/updatePosition", at("positionId", e.openPosition("buy", "0.01"), `,"stopLoss":"20000","takeProfit":"400000"`)), nil
			},
		},
	}
}

// pendingContests are races over pending orders. BTCUSD trades near 92,000, so these do not trigger.
func pendingContests() []contest {
	return []contest{
		withPendingOrders(contest{
			name: "InsertPendingOrder", cash: dollars(1_000), effects: pendingOrders, maxEffects: 1, losers: []string{"order.too_many_orders"},
			prepare: func(e *entrant) (act, <-chan struct{}) { return e.post("trade/insertPendingOrder", buyLimit), nil },
		}, 199),
		withPendingOrders(contest{
			name: "InsertOcoOrders", cash: dollars(1_000), effects: pendingOrders, maxEffects: 2, losers: []string{"order.too_many_orders"},
			score:   func(a tradeAnswer) int { return len(a.Data.Orders) },
			prepare: func(e *entrant) (act, <-chan struct{}) { return e.post("trade/insertOcoOrders", ocoPair), nil },
		}, 198),
		{
			name: "UpdateOrder", cash: dollars(1_000), effects: `SELECT sum(revision) + (SELECT count(*) FROM order_revisions r JOIN orders o ON o.id = r.order_id WHERE o.account_id = $1) FROM orders WHERE account_id = $1`,
			maxEffects: 2 * racers, each: 2,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				id := e.done("trade/insertPendingOrder", buyLimit).Data.Order.ID
				return e.post("trade/updateOrder", at("orderId", id, `,"price":"51000","timeInForce":"gtc"`)), nil
			},
		},
		{
			name: "CancelOrder", cash: dollars(1_000), effects: byTrader, maxEffects: 1, losers: []string{"order.ended"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("trade/cancelOrder", at("orderId", e.done("trade/insertPendingOrder", sellStop).Data.Order.ID)), nil
			},
		},
		{
			name: "CancelOneOfTwo", cash: dollars(1_000), effects: `SELECT count(*) FROM orders WHERE account_id = $1 AND ended_at IS NOT NULL`, maxEffects: 2, each: 2, losers: []string{"order.ended"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				pair := e.done("trade/insertOcoOrders", ocoPair).Data.Orders
				calls := [][2]string{{"trade/cancelOrder", at("orderId", pair[0].ID)}, {"trade/cancelOrder", at("orderId", pair[1].ID)}}
				return func(n int, key string) outcome { // one key belongs to one order
					if !strings.Contains(key, "-") {
						n = 0
					}
					return e.postEach(calls...)(n, key)
				}, nil
			},
		},
		{
			name: "CancelAllOrders", cash: dollars(1_000), effects: byTrader, maxEffects: 4,
			score: func(a tradeAnswer) int { return len(a.Data.OrderIDs) },
			prepare: func(e *entrant) (act, <-chan struct{}) {
				for _, order := range []string{buyLimit, sellStop, stopLimit, buyLimit} {
					e.done("trade/insertPendingOrder", order)
				}
				return e.post("trade/cancelAllOrders", `{}`), nil
			},
		},
	}
}

const ocoPair = `{"orders":[` + buyLimit + `,` + stopLimit + `]}`

// withPendingOrders runs all heats of a contest with one trader who already has that many pending orders; orders left by the previous heat are cancelled first.
func withPendingOrders(c contest, pending int) contest {
	var once sync.Once
	var crowd entrant
	prepare := c.prepare
	c.prepare = func(e *entrant) (act, <-chan struct{}) {
		once.Do(func() {
			crowd = *e
			for range pending / 2 {
				e.done("trade/insertOcoOrders", ocoPair)
			}
			for range pending % 2 {
				e.done("trade/insertPendingOrder", buyLimit)
			}
		})
		e.owner, e.token = crowd.owner, crowd.token
		if e.count(pendingOrders) > pending {
			e.done("trade/cancelOrder", at("orderId", int64(e.count(`SELECT max(id) FROM orders WHERE account_id = $1 AND ended_at IS NULL`))))
		}
		require.Equal(e.t, pending, e.count(pendingOrders))
		return prepare(e)
	}
	return c
}

// mixedContests are races between different calls about the same object.
func mixedContests() []contest {
	return []contest{
		{
			name: "AllAboutOnePosition", cash: dollars(1_000), effects: fillings, score: reportedFills, open: true,
			losers: []string{"position.unknown", "position.nothing_open", "position.not_opposite", "order.lots"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				long, short := e.openPosition("buy", "0.05"), e.openPosition("sell", "0.03")
				return e.postEach([][2]string{
					{"trade/closePosition", at("positionId", long)},
					{"trade/closePosition", at("positionId", long, `,"lots":"0.02"`)},
					{"trade/reversePosition", at("positionId", long)},
					{"trade/closeByPosition", fmt.Sprintf(`{"positionId":%d,"byPositionId":%d}`, long, short)},
					{"trade/closeByPosition", fmt.Sprintf(`{"positionId":%d,"byPositionId":%d}`, short, long)},
					{"trade/closePosition", at("positionId", short)},
					{"trade/reversePosition", at("positionId", short)},
					{"trade/closeAllPositions", `{"side":"buy"}`},
				}...), nil
			},
		},
		{
			name: "CancelReviseAndTrigger", cash: dollars(10_000), effects: byTrader, open: true, abreast: 100,
			losers: []string{"order.ended", "order.price_below", "order.price_above"}, score: reportedCancels,
			prepare: cancelAmendAndTrigger,
		},
		{
			name: "ProveAndCancelRecharge", effects: `SELECT count(*) FROM deposits WHERE account_id = $1 AND state IN ('proof_submitted', 'cancelled')`, maxEffects: 1,
			losers: []string{"deposit.state"}, ownKeys: true,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				id := e.announceDeposit()
				return e.postEach([2]string{"recharge/updateRechargeProof", e.proof(id)}, [2]string{"recharge/cancelRecharge", at("rechargeId", id)}), nil
			},
		},
	}
}

func reportedCancels(a tradeAnswer) int {
	if a.Data.Order.Status == "cancelled" {
		return 1
	}
	return 0
}

// cancelAmendAndTrigger starts at the quote that triggers one of two orders around the price: the engine fills it while the trader amends and cancels both.
func cancelAmendAndTrigger(e *entrant) (act, <-chan struct{}) {
	p, err := e.platform.Market.Product(bitcoin)
	require.NoError(e.t, err)
	for {
		q, _ := e.platform.Market.Newest(p.ID)
		low, high := q.Ask-int64(p.StopLevel)-slack, q.Ask+int64(p.StopLevel)+slack
		order := `{"productId":201,"type":%q,"side":"buy","lots":"0.01","leverage":20,"price":%q,"timeInForce":"gtc"}`
		signal := e.starter.at(func(q market.Quote) bool { return q.ProductID == p.ID && (q.Ask <= low || q.Ask >= high) })
		placed := e.send(http.MethodPost, "trade/insertOcoOrders",
			fmt.Sprintf(`{"orders":[`+order+`,`+order+`]}`, "limit", p.FormatPrice(low), "stop", p.FormatPrice(high)), fmt.Sprint("pair", e.serial.Add(1)))
		if placed.code == "order.price_below" || placed.code == "order.price_above" || strings.HasPrefix(placed.code, "market.") {
			continue // the price has moved meanwhile
		}
		require.Equal(e.t, "ok", placed.code, placed.raw)
		limit, stop := placed.answer.Data.Orders[0].ID, placed.answer.Data.Orders[1].ID
		return e.postEach([][2]string{
			{"trade/updateOrder", at("orderId", limit, fmt.Sprintf(`,"price":%q,"timeInForce":"gtc"`, p.FormatPrice(low)))},
			{"trade/cancelOrder", at("orderId", limit)},
			{"trade/updateOrder", at("orderId", stop, fmt.Sprintf(`,"price":%q,"timeInForce":"gtc"`, p.FormatPrice(high)))},
			{"trade/cancelOrder", at("orderId", stop)},
		}...), signal
	}
}

// slack is the allowed price move while two orders around the price are placed, in price units.
const slack = 200
