package server

import (
	"context"

	"candor/admin/taskdesk"
	"candor/app/task"
)

// taskOwners read the trader whom the subject of a task concerns.
func (p *Platform) taskOwners() map[task.Kind]taskdesk.Owner {
	s := p.Services
	return map[task.Kind]taskdesk.Owner{
		task.Trader: func(ctx context.Context, id int64) (*int64, error) {
			t, err := s.traders.Trader(ctx, id)
			return &t.ID, err
		},
		task.Conversation: func(ctx context.Context, id int64) (*int64, error) {
			c, err := s.Chat.Get(ctx, id)
			return c.TraderID, err
		},
		task.Deposit: func(ctx context.Context, id int64) (*int64, error) {
			d, err := s.deposits.Read(ctx, id)
			return &d.TraderID, err
		},
		task.Withdrawal: func(ctx context.Context, id int64) (*int64, error) {
			w, err := s.withdrawals.Read(ctx, id)
			return &w.TraderID, err
		},
		task.Adjustment: func(ctx context.Context, id int64) (*int64, error) {
			a, err := s.adjustments.Read(ctx, id)
			return &a.TraderID, err
		},
		task.Identity: func(ctx context.Context, id int64) (*int64, error) {
			traderID, err := s.identities.Owner(ctx, id)
			return &traderID, err
		},
	}
}

// productCodes are the short codes of the products, as the register of complaints offers them.
func (p *Platform) productCodes() (codes []string) {
	for _, product := range p.Market.Products() {
		codes = append(codes, product.Symbol)
	}
	return codes
}
