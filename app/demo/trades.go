package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/errs"
	"candor/app/trading"
)

const (
	firstPriceTimeout = 20 * time.Second // how long to wait for the first prices of an open market
	lotHundred        = 10_000           // a hundredth of a lot
)

// trade opens the examples' positions and pending orders at current prices, each once over all starts. It returns the closed markets.
func (d *demo) trade(ctx context.Context) (closed []string, err error) {
	for _, e := range examples {
		if _, err := d.find(ctx, e); err != nil {
			return nil, err
		}
		for n, t := range e.trades {
			q, open, err := d.quote(ctx, t.symbol)
			if err != nil {
				return nil, err
			}
			if !open {
				closed = append(closed, t.symbol)
				continue
			}
			if err := ignoreRefusal(e, d.openTrade(ctx, e, n, t, q)); err != nil {
				return nil, err
			}
		}
		if err := ignoreRefusal(e, d.placePendingOrder(ctx, e)); err != nil {
			return nil, err
		}
	}
	slices.Sort(closed)
	return slices.Compact(closed), nil
}

// ignoreRefusal ignores refusals of the market or the account, because the example's money may be used up.
func ignoreRefusal(e *example, err error) error {
	if errs.As(err) == nil {
		return err
	}
	slog.Info("an example was not traded", "trader", e.handle, "why", err)
	return nil
}

// quote is the product's current quote; open is false when its market is closed, or silent for too long.
func (d *demo) quote(ctx context.Context, symbol string) (q market.Quote, open bool, err error) {
	products := d.p.Market.Products()
	at := slices.IndexFunc(products, func(p market.Product) bool { return p.Symbol == symbol })
	if at < 0 {
		return q, false, fmt.Errorf("there is no product %s", symbol)
	}
	ticker, late := time.NewTicker(100*time.Millisecond), time.After(firstPriceTimeout)
	defer ticker.Stop()
	for {
		status, err := d.p.Market.Status(products[at].ID)
		if err != nil || !status.Open {
			return q, false, err
		}
		if q, err = d.p.Market.Tradable(products[at].ID); err == nil {
			return q, true, nil
		}
		select {
		case <-ticker.C:
		case <-late:
			return q, false, nil
		case <-ctx.Done():
			return q, false, ctx.Err()
		}
	}
}

func (i exampleAccount) owner() ledger.Owner {
	return ledger.Owner{TraderID: i.traderID, AccountID: i.accountID, Country: i.country}
}

// leverage is the product's default leverage in the trader's country.
func (d *demo) leverage(i exampleAccount, productID int) int {
	products := d.p.Market.Products()
	at := slices.IndexFunc(products, func(p market.Product) bool { return p.ID == productID })
	return d.p.Market.Leverages(products[at], i.country)[0]
}

func (d *demo) openTrade(ctx context.Context, e *example, n int, t exampleTrade, q market.Quote) error {
	i := d.tradersByHandle[e.handle]
	order := trading.Open{Owner: i.owner(), ProductID: q.ProductID, Side: trading.Buy, Lots: t.hundredths * lotHundred, Leverage: d.leverage(i, q.ProductID)}
	if t.hundredths < 0 {
		order.Side, order.Lots = trading.Sell, -order.Lots
	}
	if t.protected {
		stop, take := q.Bid/100*98, q.Ask/100*103
		order.StopLoss, order.TakeProfit = &stop, &take
	}
	done, err := valueOf(d.p.Trading.Open(ctx, order, i.keyed("trade-", n)))
	if err != nil || !t.closed {
		return err
	}
	_, err = d.p.Trading.Close(ctx, trading.Close{Owner: i.owner(), PositionID: done.Position.ID}, i.keyed("close-", n))
	return err
}

// placePendingOrder places a pending order, 4 percent below the market.
func (d *demo) placePendingOrder(ctx context.Context, e *example) error {
	if e.pendingOrder == "" {
		return nil
	}
	q, open, err := d.quote(ctx, e.pendingOrder)
	if err != nil || !open {
		return err
	}
	i := d.tradersByHandle[e.handle]
	_, err = d.p.Trading.Place(ctx, trading.Place{
		Owner: i.owner(), ProductID: q.ProductID, Type: trading.LimitOrder, Side: trading.Buy, Lots: lotHundred, Leverage: d.leverage(i, q.ProductID),
		Terms: trading.Terms{Price: q.Bid / 100 * 96, TimeInForce: trading.GoodTillCancelled},
	}, i.keyed("order"))
	if err != nil && errs.As(err) == nil {
		return errors.Join(fmt.Errorf("put an order of %s at rest", e.handle), err)
	}
	return err
}
