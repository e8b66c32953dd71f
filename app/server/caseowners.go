package server

import (
	"context"

	"candor/admin/taskdesk"
	"candor/app/adjustment"
	"candor/app/complaint"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/support"
	"candor/app/task"
	"candor/app/trader"
	"candor/app/trading"
	"candor/app/trading/engine"
	"candor/app/withdrawal"
)

// caseOwner reads the trader whom a case concerns; nil for nobody.
type caseOwner = func(ctx context.Context, id int64) (*int64, error)

// owned is the owner of what a service reads.
func owned[T any](read func(context.Context, int64) (T, error), whose func(T) *int64) caseOwner {
	return func(ctx context.Context, id int64) (*int64, error) {
		one, err := read(ctx, id)
		return whose(one), err
	}
}

func (s *services) ownerOfConversation() caseOwner {
	return owned(s.Chat.Get, func(c support.Conversation) *int64 { return c.TraderID })
}

func (s *services) ownerOfDeposit() caseOwner {
	return owned(s.deposits.Read, func(d deposit.Deposit) *int64 { return &d.TraderID })
}

func (s *services) ownerOfWithdrawal() caseOwner {
	return owned(s.withdrawals.Read, func(w withdrawal.Withdrawal) *int64 { return &w.TraderID })
}

// taskOwners read the trader whom the subject of a task concerns.
func (s *services) taskOwners() map[task.Kind]taskdesk.Owner {
	return map[task.Kind]taskdesk.Owner{
		task.Trader:       owned(s.traders.Trader, func(t trader.Trader) *int64 { return &t.ID }),
		task.Conversation: s.ownerOfConversation(), task.Deposit: s.ownerOfDeposit(), task.Withdrawal: s.ownerOfWithdrawal(),
		task.Adjustment: owned(s.adjustments.Read, func(a adjustment.Adjustment) *int64 { return &a.TraderID }),
		task.Identity:   owned(s.identities.Owner, func(traderID int64) *int64 { return &traderID }),
	}
}

// adjustmentOwners read the trader whose case an adjustment answers.
func (p *Platform) adjustmentOwners(s *services) map[adjustment.CaseKind]adjustment.Owner {
	return map[adjustment.CaseKind]adjustment.Owner{
		adjustment.Conversation: s.ownerOfConversation(), adjustment.Deposit: s.ownerOfDeposit(), adjustment.Withdrawal: s.ownerOfWithdrawal(),
		adjustment.Complaint: owned(s.complaints.Read, func(c complaint.Complaint) *int64 { return &c.TraderID }),
		adjustment.Task: owned(func(ctx context.Context, id int64) (task.Task, error) {
			return s.tasks.Read(ctx, task.Reader{All: true}, id)
		}, func(t task.Task) *int64 { return t.TraderID }),
		adjustment.Order: p.ownerOfTrade(func(n engine.Numbered) *int64 {
			if n.Order == nil {
				return nil
			}
			return &n.Order.AccountID
		}),
		adjustment.Fill: p.ownerOfTrade(func(n engine.Numbered) *int64 {
			if n.Fill == nil {
				return nil
			}
			return &n.Fill.AccountID
		}),
	}
}

// ownerOfTrade is the owner of the account of an order or a fill.
func (p *Platform) ownerOfTrade(account func(engine.Numbered) *int64) caseOwner {
	return func(ctx context.Context, id int64) (*int64, error) {
		n, err := p.Trading.Numbered(ctx, id)
		if err != nil {
			return nil, err
		}
		accountID := account(n)
		if accountID == nil {
			return nil, trading.ErrOrder
		}
		a, err := ledger.Load(ctx, p.Database.Pool, *accountID)
		return &a.TraderID, err
	}
}

// productCodes are the short codes of the products, as the register of complaints offers them.
func (p *Platform) productCodes() (codes []string) {
	for _, product := range p.Market.Products() {
		codes = append(codes, product.Symbol)
	}
	return codes
}
