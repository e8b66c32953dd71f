package tradedesk

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"candor/admin/access"
	"candor/admin/desk/caseengine"
	"candor/app/trader"
	"candor/templates/ui"
)

// Finder finds the owners of something by its whole name, such as an address or a transaction: trader ids below one (0 starts at the top), newest first, at
// most limit; none for other words.
type Finder func(ctx context.Context, words string, below int64, limit int) ([]int64, error)

// numbers are the cases that can be found by their own number, with the permissions to view them.
var numbers = []struct {
	letters string
	sees    access.Permission
	address string
}{
	{"WD-", access.WithdrawalView, "/admin/withdrawals/{}"},
	{"DP-", access.DepositView, "/admin/deposits/{}"},
	{"ID-", access.IdentityView, "/admin/identity/{}"},
	{"AD-", access.AdjustmentView, "/admin/adjustments/{}"},
}

// named is the address of the case with this number or payment reference: empty for other words, and for a case that the member may not view, to reveal
// nothing.
func (s Services) named(pc pageContext, words string) (ui.Path, error) {
	words = strings.ToUpper(words)
	for _, n := range numbers {
		if digits, ok := strings.CutPrefix(words, n.letters); ok && pc.may(n.sees) {
			if id := caseengine.Numbered(digits, ""); id != 0 {
				return ui.To(n.address, id), nil
			}
		}
	}
	if !pc.deposits {
		return ui.Path{}, nil
	}
	id, err := s.Deposits.ByReference(pc.ctx, words)
	if err != nil || id == 0 {
		return ui.Path{}, err
	}
	return ui.To("/admin/deposits/{}", id), nil
}

// search lists the traders that the finders find by the whole words. When they find none it searches for a uid or its beginning, and for a whole contact.
func (s Services) search(ctx context.Context, words string, before int64, limit int) ([]trader.Listed, int64, error) {
	if words == "" {
		return s.Traders.Search(ctx, words, before, limit)
	}
	var ids []int64
	for _, find := range s.Finders {
		some, err := find(ctx, words, before, limit+1)
		if err != nil {
			return nil, 0, err
		}
		ids = append(ids, some...)
	}
	if len(ids) == 0 {
		return s.Traders.Search(ctx, words, before, limit)
	}
	slices.SortFunc(ids, func(a, b int64) int { return cmp.Compare(b, a) })
	ids, next := slices.Compact(ids), int64(0)
	if len(ids) > limit {
		ids = ids[:limit]
		next = ids[limit-1]
	}
	found, err := s.Traders.Named(ctx, ids)
	return found, next, err
}
