package banking

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"candor/app/ledger"
)

// ClientMoney compares what the broker owes its traders in one currency with what it holds for them, in 10^-Scale of the currency. US dollars and USDT count as
// one currency, USDT.
type ClientMoney struct {
	ledger.Denomination
	Cash      int64 // of real accounts; profit of open positions, bonus and debts are not in it
	Payouts   int64 // debited for withdrawals that haven't been sent
	Banks     int64 // on the bank accounts for client money, by the books (Balance.Books)
	Elsewhere int64 // at providers and in wallets, by the books: deposits credited, less withdrawals sent
	Unstated  int   // open bank accounts for client money that have no statement
}

// Owed is what traders could ask for.
func (m ClientMoney) Owed() int64 { return m.Cash + m.Payouts }

// Held is what is there to pay them.
func (m ClientMoney) Held() int64 { return m.Banks + m.Elsewhere }

// Excess is what is held beyond what is owed; negative when the broker must pay in money of its own.
func (m ClientMoney) Excess() int64 { return m.Held() - m.Owed() }

// ClientMoney compares client money owed and held, by currency: those of traders' accounts in their display order, then other currencies of bank accounts.
// Accounts are those of Accounts, balances those of Balances. It reads every real account.
func (s *Service) ClientMoney(ctx context.Context, accounts []Account, balances map[int]Balance) ([]ClientMoney, error) {
	list := []ClientMoney{}
	in := func(currency string) *ClientMoney {
		d := ledger.SummedIn(currency)
		at := slices.IndexFunc(list, func(m ClientMoney) bool { return m.Code == d.Code })
		if at < 0 {
			at, list = len(list), append(list, ClientMoney{Denomination: d})
		}
		return &list[at]
	}
	cash, err := ledger.CashOfTraders(ctx, s.db.Pool)
	if err != nil {
		return nil, err
	}
	for _, c := range cash {
		in(c.Code).Cash += c.Amount
	}
	for _, a := range accounts {
		switch b, there := balances[a.ID]; {
		case !a.Client:
		case there:
			in(a.Currency).Banks += b.Books
		case a.Open:
			in(a.Currency).Unstated++
		}
	}
	return list, s.addElsewhere(ctx, in)
}

// addElsewhere adds withdrawals that haven't been sent, and what providers and wallets hold by the books.
func (s *Service) addElsewhere(ctx context.Context, in func(string) *ClientMoney) error {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT currency, 0, sum(received)::bigint FROM deposits WHERE kind <> 'bank' AND transaction_id IS NOT NULL AND reversal_id IS NULL GROUP BY 1
		UNION ALL
		SELECT currency::text, sum(amount)::bigint, 0 FROM withdrawals WHERE sent_id IS NULL AND back_id IS NULL GROUP BY 1
		UNION ALL
		SELECT currency::text, 0, -sum(amount - fee)::bigint FROM withdrawals WHERE sent_id IS NOT NULL AND back_id IS NULL AND bank_account_id IS NULL GROUP BY 1`)
	if err != nil {
		return fmt.Errorf("add up client money outside banks: %w", err)
	}
	var currency string
	var payouts, elsewhere int64
	_, err = pgx.ForEachRow(rows, []any{&currency, &payouts, &elsewhere}, func() error {
		m := in(currency)
		m.Payouts += payouts
		m.Elsewhere += elsewhere
		return nil
	})
	if err != nil {
		return fmt.Errorf("add up client money outside banks: %w", err)
	}
	return nil
}
