// Package activity tells traders what happened to their orders, positions and margin: it follows the trading journal and writes messages and mails.
package activity

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"candor/app/ledger"
	"candor/app/platform/money"
	"candor/app/trader"
	"candor/app/trading"
)

// account is the account that a row of the journal belongs to.
type account struct {
	ID       int64
	TraderID int64
	Book     ledger.Book
	Currency string
	Number   int    // among the trader's accounts of the book
	Name     string // what the trader calls it; empty for none
}

// product is what a message names of a product.
type product struct {
	Symbol string
	Point  int
}

// fill is a fill that the trader did not ask for at that moment: of a pending order, or of a rule that closed a position.
type fill struct {
	account
	product
	ID           int64
	XID          uint64
	OrderID      int64
	Entry        string
	Rule         trading.Rule
	Lots         int64
	Price        int64
	Profit       int64
	OrderSide    trading.Side
	PositionSide trading.Side
	Realised     int64 // result of the whole position
}

// endedOrder is a pending order that ended without a fill and without an act of the trader.
type endedOrder struct {
	account
	product
	ID     int64
	Type   trading.OrderType
	Side   trading.Side
	Lots   int64
	Price  int64
	Reason trading.EndReason
}

// marginCall is a new margin call.
type marginCall struct {
	account
	ID         int64
	Equity     int64
	UsedMargin int64
}

// night is what an account paid or received at one rollover.
type night struct {
	account
	Day       time.Time
	Amount    int64
	Positions int
}

// journal is what committed in a span of transactions.
type journal struct {
	fills  []fill
	orders []endedOrder
	calls  []marginCall
	nights []night
}

// messages are the messages about a journal, by ascending trader, which is the order of locks.
func (j journal) messages() (out []trader.Message) {
	out = append(out, fillMessages(j.fills)...)
	for _, o := range j.orders {
		out = append(out, o.message())
	}
	for _, c := range j.calls {
		out = append(out, c.message())
	}
	for _, n := range j.nights {
		out = append(out, n.message())
	}
	slices.SortStableFunc(out, func(a, b trader.Message) int { return cmp.Compare(a.TraderID, b.TraderID) })
	return out
}

// fillMessages are one message for each pending order, each closed position, and each stop-out of an account. The fills of an order or a stop-out are of one
// transaction.
func fillMessages(fills []fill) (out []trader.Message) {
	var groups [][]fill
	place := map[string]int{}
	for _, f := range fills {
		key := f.group()
		if _, known := place[key]; !known {
			place[key] = len(groups)
			groups = append(groups, nil)
		}
		groups[place[key]] = append(groups[place[key]], f)
	}
	for _, group := range groups {
		switch first := group[0]; first.Rule {
		case trading.StopOutRule:
			out = append(out, stopOutMessage(group))
		case trading.StopLossRule, trading.TakeProfitRule, trading.TrailingRule:
			out = append(out, first.closeMessage())
		case trading.LimitRule, trading.StopRule, trading.StopLimitRule:
			out = append(out, orderMessage(group))
		case trading.MarketRule, trading.CloseByRule: // an act of the trader, which the app answers at once
		}
	}
	return out
}

// group names the fills that one message tells.
func (f fill) group() string {
	if f.Rule == trading.StopOutRule {
		return fmt.Sprint("stop-out ", f.XID, " ", f.account.ID)
	}
	return fmt.Sprint("order ", f.OrderID)
}

// orderMessage is the message about the fills of a pending order; in a netting account it may close a position and open one.
func orderMessage(fills []fill) trader.Message {
	first, lots, closes, profit := fills[0], int64(0), false, int64(0)
	for _, f := range fills {
		lots += f.Lots
		if f.Entry == trading.EntryClose {
			closes, profit = true, profit+f.Profit
		}
	}
	key := "message.order_filled"
	if closes {
		key = "message.order_filled_closing"
	}
	return first.account.message(trader.OrderMessages, key, fmt.Sprint("order:", first.OrderID), func(say func(string) string, words map[string]any) {
		words["order"] = say(orderName(first.OrderSide, trading.OrderType(first.Rule)))
		words["symbol"], words["lots"], words["price"] = first.Symbol, lotsText(lots), money.Format(first.Price, first.Point)
		words["result"], words["fill"] = first.result(profit), first.ID
	})
}

// closeMessage is the message about a position that its stop loss, take profit or trailing stop closed.
func (f fill) closeMessage() trader.Message {
	key := map[trading.Rule]string{
		trading.StopLossRule: "message.closed_stop_loss", trading.TakeProfitRule: "message.closed_take_profit", trading.TrailingRule: "message.closed_trailing_stop",
	}[f.Rule]
	return f.account.message(trader.ProtectionMessages, key, fmt.Sprint("fill:", f.ID), func(say func(string) string, words map[string]any) {
		words["side"] = say("trade." + string(f.PositionSide))
		words["symbol"], words["lots"], words["price"] = f.Symbol, lotsText(f.Lots), money.Format(f.Price, f.Point)
		words["result"], words["fill"] = f.result(f.Realised), f.ID
	})
}

// stopOutMessage is the message about all positions that one stop-out closed.
func stopOutMessage(fills []fill) trader.Message {
	first, sum := fills[0], int64(0)
	for _, f := range fills {
		sum += f.Realised
	}
	return first.account.message(trader.MarginMessages, "message.stop_out", fmt.Sprint("fill:", first.ID), func(_ func(string) string, words map[string]any) {
		words["positions"], words["level"], words["result"], words["fill"] = len(fills), trading.StopOutPercent, first.result(sum), first.ID
	})
}

func (o endedOrder) message() trader.Message {
	key := "message.order_cancelled"
	if o.Reason == trading.TimeIsUp {
		key = "message.order_expired"
	}
	return o.account.message(trader.OrderMessages, key, fmt.Sprint("order:", o.ID), func(say func(string) string, words map[string]any) {
		words["order"], words["reason"] = say(orderName(o.Side, o.Type)), say("history.ended_by."+string(o.Reason))
		words["symbol"], words["lots"], words["price"] = o.Symbol, lotsText(o.Lots), money.Format(o.Price, o.Point)
	})
}

func (c marginCall) message() trader.Message {
	return c.account.message(trader.MarginMessages, "message.margin_call", fmt.Sprint("margin_call:", c.ID), func(_ func(string) string, words map[string]any) {
		words["level"], words["warning"], words["stop"] = levelText(c.Equity, c.UsedMargin), trading.MarginCallPercent, trading.StopOutPercent
	})
}

func (n night) message() trader.Message {
	day := n.Day.Format(time.DateOnly)
	return n.account.message(trader.ChargeMessages, "message.charged", fmt.Sprint("charges:", n.account.ID, ":", day), func(_ func(string) string, words map[string]any) {
		words["day"], words["positions"], words["result"] = day, n.Positions, n.result(n.Amount)
	})
}

// message is a message about the account, with its name. Practice money is never mailed about.
func (a account) message(c trader.Category, key, cause string, add func(say func(string) string, words map[string]any)) trader.Message {
	return trader.Message{
		TraderID: a.TraderID, Category: c, Key: key, Cause: cause, AppOnly: a.Book == ledger.Mock,
		Words: func(say func(string) string) map[string]any {
			words := map[string]any{"book": a.Book, "account_id": strconv.FormatInt(a.ID, 10), "demo": "", "account": say("session.type.real")}
			if a.Book == ledger.Mock {
				words["demo"], words["account"] = say("home.account.demo")+" · ", say("session.type.demo")
			}
			switch {
			case a.Name != "":
				words["account"] = a.Name
			case a.Number > 1:
				words["account"] = fmt.Sprint(words["account"], " ", a.Number)
			}
			add(say, words)
			return words
		},
	}
}

// result is an amount in the account's currency with its sign and at least two decimals.
func (a account) result(amount int64) string {
	text := money.Trim(amount, money.Scale)
	if amount%cent == 0 {
		text = money.Format(amount/cent, 2)
	}
	if amount > 0 {
		text = "+" + text
	}
	return text + " " + a.Currency
}

// cent is 0.01 at money.Scale.
const cent = money.Unit / 100

func lotsText(lots int64) string { return money.Trim(lots, money.Scale) }

// levelText is a margin level in percent. It is rounded down, so that a level below a threshold never reads as the threshold.
func levelText(equity, used int64) string {
	level, err := money.MulDiv(equity, 10_000, max(used, 1), money.Down)
	if err != nil {
		level = 0
	}
	return money.Format(level, 2)
}

// orderName is the key of an order's name, such as "Buy limit".
func orderName(side trading.Side, kind trading.OrderType) string {
	return "trade.waiting." + string(side) + "_" + string(kind)
}
