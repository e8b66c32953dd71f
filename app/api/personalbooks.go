package api

import (
	"context"
	"fmt"

	"candor/app/ledger"
	"candor/app/platform/personal"
	"candor/app/platform/sheet"
	"candor/app/session"
	"candor/app/trader"
	"candor/app/trading/engine"
)

// PersonalBooks are a trader's accounts, rebates and security events in the copy of their data: the same tables as the exports, whole. Nothing of the books is erased
// but what the trader called the accounts.
func (srv *Server) PersonalBooks() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"accounts": personal.Figures},
		Export: func(ctx context.Context, traderID int64, a *personal.Archive) error {
			accounts, err := ledger.ListAll(ctx, srv.Ledger, traderID)
			if err != nil {
				return err
			}
			for _, account := range accounts {
				if err := srv.exportAccount(ctx, account, a); err != nil {
					return err
				}
			}
			if err := whole(a, "rebates.csv", srv.rebateTable(ctx, traderID)); err != nil {
				return err
			}
			return whole(a, "security-events.csv", srv.securityEventTable(ctx, session.Principal{TraderID: traderID, AccountType: trader.Ordinary}))
		},
		Erase: ledger.ForgetNamesTx,
	}
}

func (srv *Server) exportAccount(ctx context.Context, account ledger.Account, a *personal.Archive) error {
	folder := fmt.Sprintf("accounts/%d", account.ID)
	err := a.JSON(folder+".json", map[string]any{
		"account": account.ID, "type": account.Type, "kind": account.Kind, "book": account.Book, "currency": account.Currency, "created_at": account.CreatedAt,
		"number": account.Number, "name": account.Name, "leverage_ceiling": account.LeverageCeiling, "netting": account.Netting,
	})
	if err != nil {
		return err
	}
	if err := whole(a, folder+"/ledger.csv", srv.ledgerTable(ctx, account, ledger.StatementFilter{})); err != nil {
		return err
	}
	if account.Kind != ledger.Contract {
		return nil
	}
	if err := whole(a, folder+"/orders.csv", srv.orderTable(ctx, account.ID, engine.OrderFilter{})); err != nil {
		return err
	}
	if err := whole(a, folder+"/fills.csv", srv.fillTable(ctx, account.ID, engine.FillFilter{})); err != nil {
		return err
	}
	return whole(a, folder+"/positions.csv", srv.historyTable(ctx, account.ID, engine.HistoryFilter{}))
}

// whole adds all rows of a table to a copy.
func whole[Row any](a *personal.Archive, name string, t table[Row]) error {
	w, err := a.Create(name)
	if err != nil {
		return err
	}
	t.whole = true
	rows, err := t.page(0, 0, exportPage)
	if err != nil {
		return err
	}
	return t.write(sheet.New(w), rows)
}
