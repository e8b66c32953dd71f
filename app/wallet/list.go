package wallet

import (
	"context"
	"fmt"

	"candor/app/ledger"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// List reads the holdings of the session's trader: the session's account, and for a real one also the other real trading accounts, by number, and an account of
// every currency, even one never used. Holdings without a current price are left out of the totals, and Complete is then false.
func (s *Service) List(ctx context.Context, o ledger.Owner) (v Overview, err error) {
	v.Complete = true
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`); err != nil {
			return err
		}
		account, err := ledger.Find(ctx, tx.Conn, o.TraderID, o.AccountID)
		if err != nil {
			return err
		}
		holding, err := s.contractHoldingTx(ctx, tx, account)
		if err != nil {
			return err
		}
		v.add(holding)
		if account.Mock() {
			return nil
		}
		all, err := ledger.ListAll(ctx, tx.Conn, o.TraderID)
		if err != nil {
			return err
		}
		if err := s.otherHoldingsTx(ctx, tx, all, account.ID, &v); err != nil {
			return err
		}
		return s.fundingHoldings(o.TraderID, all, &v)
	})
	if err == nil {
		v.Totals, err = s.totals(v.Total)
	}
	if err != nil {
		return v, fmt.Errorf("read the wallet of trader %d: %w", o.TraderID, err)
	}
	return v, nil
}

func (v *Overview) add(h Holding) {
	v.Holdings = append(v.Holdings, h)
	if h.Worth == nil {
		v.Complete = false
		return
	}
	v.Total += *h.Worth
}

// contractHoldingTx is a contract account at the newest quotes. Without quotes it has its balances, but no worth.
func (s *Service) contractHoldingTx(ctx context.Context, tx *db.Tx, account ledger.Account) (h Holding, err error) {
	h.Account = account
	if h.Available, err = s.positions.WithdrawableTx(ctx, tx, account); err != nil {
		return h, dropRefusal(err)
	}
	worth, err := s.positions.EquityTx(ctx, tx, account)
	if err != nil {
		return h, dropRefusal(err)
	}
	h.Worth = &worth
	return h, nil
}

// dropRefusal drops the market's refusals, which mean that there is no price now.
func dropRefusal(err error) error {
	if errs.As(err) != nil {
		return nil //nolint:nilerr // shown without its worth while there is no price
	}
	return err
}

// otherHoldingsTx adds the real trading accounts besides the session's.
func (s *Service) otherHoldingsTx(ctx context.Context, tx *db.Tx, all []ledger.Account, session int64, v *Overview) error {
	for _, a := range all {
		if a.Kind != ledger.Contract || a.Mock() || a.ID == session {
			continue
		}
		holding, err := s.contractHoldingTx(ctx, tx, a)
		if err != nil {
			return err
		}
		v.add(holding)
	}
	return nil
}

func (s *Service) fundingHoldings(traderID int64, all []ledger.Account, v *Overview) (err error) {
	accounts := map[string]ledger.Account{}
	for _, a := range all {
		if a.Kind == ledger.Funding {
			accounts[a.Currency] = a
		}
	}
	for _, d := range ledger.Denominations {
		a, ok := accounts[d.Code]
		if !ok {
			a = ledger.Account{TraderID: traderID, Kind: ledger.Funding, Book: ledger.Real, Currency: d.Code}
		}
		h := Holding{Account: a, Available: a.Cash}
		if h.Worth, err = s.worth(d, a.Cash); err != nil {
			return err
		}
		v.add(h)
	}
	return nil
}

// worth is an amount in 10^-6 USDT at the newest confirmed bid, rounded down; nil without one.
func (s *Service) worth(d ledger.Denomination, amount int64) (*int64, error) {
	r := rate{from: d, to: ledger.Denominations[0]}
	if !d.Dollar() && amount != 0 {
		q, point, known := s.confirmed(d)
		if !known {
			return nil, nil
		}
		r.sell = &leg{q.Bid, point}
	}
	v, err := r.credit(amount)
	return &v, err
}

// totals are a sum of USDT in the other currencies, at the newest confirmed ask, rounded down; currencies without a price are left out.
func (s *Service) totals(sum int64) (list []Total, err error) {
	for _, d := range ledger.Denominations[1:] {
		r := rate{from: ledger.Denominations[0], to: d}
		if !d.Dollar() {
			q, point, known := s.confirmed(d)
			if !known {
				continue
			}
			r.buy = &leg{q.Ask, point}
		}
		t := Total{Denomination: d}
		if t.Amount, err = r.credit(sum); err != nil {
			return nil, err
		}
		if t.PerUSDT, err = r.shown(); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// confirmed is the newest confirmed quote of a currency, with the decimals of its prices.
func (s *Service) confirmed(d ledger.Denomination) (q market.Quote, point int, known bool) {
	p, err := s.prices.ProductBySymbol(symbolOf(d))
	if err != nil {
		return q, 0, false
	}
	q, known = s.prices.Confirmed(p.ID)
	return q, p.Point, known
}

// FindTransfer reads a trader's own transfer; ErrUnknown for any other.
func (s *Service) FindTransfer(ctx context.Context, traderID, id int64) (t Transfer, err error) {
	if err = s.db.Rows(ctx).Where("id = ? AND trader_id = ?", id, traderID).Limit(1).Find(&t).Error; err != nil {
		return t, fmt.Errorf("read transfer %d: %w", id, err)
	}
	if t.ID == 0 {
		return t, ErrUnknown
	}
	for account, kind := range map[int64]*ledger.Kind{t.FromAccount: &t.From, t.ToAccount: &t.To} {
		a, err := ledger.Load(ctx, s.db.Pool, account)
		if err != nil {
			return t, err
		}
		*kind = a.Kind
	}
	return t, nil
}

// FindExchange reads a trader's own exchange with its quote; ErrUnknown for any other.
func (s *Service) FindExchange(ctx context.Context, traderID, id int64) (e Exchange, err error) {
	if err = s.db.Rows(ctx).Where("id = ? AND trader_id = ?", id, traderID).Limit(1).Find(&e).Error; err != nil {
		return e, fmt.Errorf("read exchange %d: %w", id, err)
	}
	if e.ID == 0 {
		return e, ErrUnknown
	}
	if err = s.db.Rows(ctx).Where("id = ?", e.QuoteID).Limit(1).Find(&e.Quote).Error; err != nil {
		return e, fmt.Errorf("read the quote of exchange %d: %w", id, err)
	}
	return e, nil
}

// TransferOwner is the trader of a transfer between accounts, for staff; 0 when there is no such transfer.
func (s *Service) TransferOwner(ctx context.Context, id int64) (traderID int64, err error) {
	return s.owner(ctx, &Transfer{}, id)
}

// ExchangeOwner is the trader of an exchange, for staff; 0 when there is no such exchange.
func (s *Service) ExchangeOwner(ctx context.Context, id int64) (traderID int64, err error) {
	return s.owner(ctx, &Exchange{}, id)
}

func (s *Service) owner(ctx context.Context, model any, id int64) (traderID int64, err error) {
	if err = s.db.Rows(ctx).Model(model).Where("id = ?", id).Pluck("trader_id", &traderID).Error; err != nil {
		return 0, fmt.Errorf("read whose movement %d is: %w", id, err)
	}
	return traderID, nil
}
