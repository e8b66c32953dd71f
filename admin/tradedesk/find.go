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

// Finder finds whose something is by its whole name, such as an address or a transaction: traders below one (0 begins at the top), newest first, at most
// limit; nobody for words that name no such thing.
type Finder func(ctx context.Context, words string, below int64, limit int) ([]int64, error)

// numbers are the cases that are found by their own number, and who may see them.
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

// named is where the case stands whose number, or payment reference, the words are: empty for other words, and for a case that the member may not see, of
// which nothing is told.
func (s Services) named(pc pageContext, words string) (ui.Path, error) {
	words = strings.ToUpper(words)
	for _, n := range numbers {
		if digits, ok := strings.CutPrefix(words, n.letters); ok && pc.may(n.sees) {
			if id := caseengine.Between(digits, caseengine.LastID); id != 0 {
				return ui.To(n.address, id), nil
			}
		}
	}
	if !pc.deposits {
		return ui.Path{}, nil
	}
	id, err := s.Deposits.Referred(pc.ctx, words)
	if err != nil || id == 0 {
		return ui.Path{}, err
	}
	return ui.To("/admin/deposits/{}", id), nil
}

// search lists the traders that the finders find by the whole words. Where they find nobody the words are a uid, or begin an address of a person.
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
