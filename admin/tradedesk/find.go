package tradedesk

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/ledger"
	"candor/app/payee"
	"candor/app/trader"
	"candor/app/trading"
	"candor/templates/ui"
)

// Owners finds the owners of something by its whole name, such as an address or a transaction: trader ids below one (0 starts at the top), newest first, at
// most limit; none for other words.
type Owners func(ctx context.Context, words string, below int64, limit int) ([]int64, error)

// Finders find traders, their payees, their orders, positions and fills, and what they moved between their accounts.
func Finders(s Services) []desk.Finder {
	return []desk.Finder{
		{Kind: "trader", Permission: access.TraderView, Find: s.findTraders, All: home},
		{Kind: "payee", Permission: access.TraderView, Find: s.findPayees, All: home},
		{Kind: "trade", Permission: access.TraderView, Find: s.findTrades},
		{Kind: "movement", Permission: access.TraderView, Find: s.findMovements},
	}
}

// search lists the traders of the list's search: by whatever is theirs as a whole, by the words of their names or of their payees', or else by a uid or its
// beginning, or a whole contact.
func (s Services) search(ctx context.Context, words string, before int64, limit int) ([]trader.Listed, int64, error) {
	if words == "" {
		return s.Traders.Search(ctx, words, before, limit)
	}
	var ids []int64
	for _, find := range append(slices.Clone(s.Owners), s.named, s.Payees.OwnersNamed) {
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

// named is Owners by the names that traders entered for their verification.
func (s Services) named(ctx context.Context, words string, below int64, limit int) (ids []int64, err error) {
	list, err := s.Identities.TradersNamed(ctx, words, below, limit)
	for _, one := range list {
		ids = append(ids, one.TraderID)
	}
	return ids, err
}

// findTraders finds traders by a uid or its beginning, a whole contact, a deposit address, or the words of a name.
func (s Services) findTraders(r *desk.Request, words string, limit int) (hits []desk.Hit, err error) {
	pc := newPageContext(r)
	found, _, err := s.Traders.Search(pc.ctx, words, 0, limit)
	if err != nil {
		return nil, err
	}
	for _, l := range found {
		hits = append(hits, pc.traderHit(l.Trader, "", !strings.HasPrefix(number(l.ID), words) || number(l.ID) == words))
	}
	if len(hits) > 0 {
		return hits, nil
	}
	owners, err := s.Deposits.OwnersOf(pc.ctx, words, 0, limit)
	if err != nil {
		return nil, err
	}
	named, err := s.Identities.TradersNamed(pc.ctx, words, 0, limit)
	if err != nil {
		return nil, err
	}
	reasons := map[int64]string{}
	for _, one := range named {
		reasons[one.TraderID] = "find.name.entered"
		if one.Verified {
			reasons[one.TraderID] = "find.name.verified"
		}
		owners = append(owners, one.TraderID)
	}
	found, err = s.Traders.Named(pc.ctx, owners)
	for _, l := range found {
		hits = append(hits, pc.traderHit(l.Trader, reasons[l.ID], reasons[l.ID] == ""))
	}
	return hits[:min(limit, len(hits))], err
}

// traderHit shows a trader as the list does; reason is the key of the text that says by what it was found, empty for none.
func (pc pageContext) traderHit(t trader.Trader, reason string, exact bool) desk.Hit {
	chip := pc.verification(t, false)
	if t.Guest() {
		chip = pc.guest()
	}
	note := contacts(t)
	if reason != "" {
		note = pc.t(reason) + " · " + note
	}
	return desk.Hit{Label: pc.t("trader.number", "id", t.ID), Note: note, Chip: &chip, Href: ui.To("/admin/traders/{}", t.ID).String(), Exact: exact}
}

// findPayees finds payees by an account number or its last four, an address, or the words of a holder's name.
func (s Services) findPayees(r *desk.Request, words string, limit int) (hits []desk.Hit, err error) {
	pc := newPageContext(r)
	list, exact, err := s.Payees.Search(pc.ctx, words, limit)
	for _, p := range list {
		where := p.Bank
		if p.Kind == payee.OnChain {
			where = p.Coin + ", " + payee.ChainName(p.Chain)
		}
		chip := pc.payeeChip(p)
		hits = append(hits, desk.Hit{
			Label: p.Short(), Note: pc.t("find.trader", "id", p.TraderID) + " · " + where, Chip: &chip, Href: ui.To("/admin/traders/{}", p.TraderID).String(), Exact: exact,
		})
	}
	return hits, err
}

// payeeChip is whether money may go to a payee.
func (pc pageContext) payeeChip(p payee.Payee) ui.ChipView {
	switch p.State(pc.now) {
	case payee.Removed:
		return ui.ChipView{Icon: ui.IconClose, Label: pc.t("trader.payee.removed")}
	case payee.Cooling:
		return ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconClock, Label: pc.t("trader.payee.cooling", "at", pc.at(p.UsableFrom))}
	default:
		return ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: pc.t("trader.payee.active")}
	}
}

// findTrades finds the order, the position and the fill with a number.
func (s Services) findTrades(r *desk.Request, words string, _ int) (hits []desk.Hit, err error) {
	id := desk.Number(words, "")
	if id == 0 {
		return nil, nil
	}
	pc := newPageContext(r)
	found, err := s.Trading.Numbered(pc.ctx, id)
	if err != nil {
		return nil, err
	}
	add := func(kind string, accountID int64, product int, side trading.Side, address func(traderID int64) ui.Path) {
		var a ledger.Account
		if a, err = ledger.Load(pc.ctx, s.Ledger, accountID); err != nil {
			return
		}
		note := pc.t("find.trader", "id", a.TraderID) + " · " + s.product(product).Symbol + " · " + pc.side(side)
		hits = append(hits, desk.Hit{Label: pc.t("find."+kind, "id", id), Note: note, Href: address(a.TraderID).With("account", accountID).String(), Exact: true})
	}
	if o := found.Order; o != nil {
		add("order", o.AccountID, o.ProductID, o.Side, orderAddress(*o))
	}
	if p := found.Position; p != nil && err == nil {
		add("position", p.AccountID, p.ProductID, p.Side, func(traderID int64) ui.Path { return ui.To("/admin/traders/{}/positions/{}", traderID, id) })
	}
	if f := found.Fill; f != nil && err == nil {
		add("fill", f.AccountID, f.ProductID, f.Side, func(traderID int64) ui.Path { return ui.To("/admin/traders/{}/fills/{}", traderID, id) })
	}
	return hits, err
}

// orderAddress is the page on which an order is shown: its position's, or the list that it is in.
func orderAddress(o trading.Order) func(traderID int64) ui.Path {
	return func(traderID int64) ui.Path {
		switch {
		case o.PositionID != nil:
			return ui.To("/admin/traders/{}/positions/{}", traderID, *o.PositionID)
		case o.EndedAt != nil:
			return ui.To("/admin/traders/{}/orders/history", traderID)
		default:
			return ui.To("/admin/traders/{}/orders/pending", traderID)
		}
	}
}

// order opens the page on which an order of the trader is shown.
func (s Services) order(r *desk.Request) error {
	sub, err := s.subject(r)
	if err != nil {
		return err
	}
	id, err := r.ID("order")
	if err != nil {
		return err
	}
	found, err := s.Trading.Numbered(sub.ctx, id)
	if err != nil {
		return err
	}
	o := found.Order
	if o == nil || !slices.ContainsFunc(sub.accounts, func(a ledger.Account) bool { return a.ID == o.AccountID }) {
		return desk.ErrNotFound
	}
	return r.RedirectTo(orderAddress(*o)(sub.trader.ID).With("account", o.AccountID).String())
}

// findMovements finds transfers and exchanges between a trader's own accounts by their number.
func (s Services) findMovements(r *desk.Request, words string, _ int) ([]desk.Hit, error) {
	pc := newPageContext(r)
	for letters, owner := range map[string]func(context.Context, int64) (int64, error){"TR-": s.Wallets.TransferOwner, "EX-": s.Wallets.ExchangeOwner} {
		id := desk.Number(words, letters)
		if id == 0 || !strings.HasPrefix(strings.ToUpper(words), letters) {
			continue
		}
		traderID, err := owner(pc.ctx, id)
		if err != nil || traderID == 0 {
			return nil, err
		}
		return []desk.Hit{{Label: letters + number(id), Note: pc.t("find.trader", "id", traderID), Href: ui.To("/admin/traders/{}/funds", traderID).String(), Exact: true}}, nil
	}
	return nil, nil
}
