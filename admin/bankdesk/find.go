package bankdesk

import (
	"errors"
	"slices"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/banking"
	"candor/app/deposit"
	"candor/templates/ui"
)

// Finders find the lines of statements by their number and the bank's reference, and statements, bank accounts and pay channels by their number.
func Finders(s Services) []desk.Finder {
	return []desk.Finder{
		{Kind: "line", Permission: access.StatementView, Find: s.findLines},
		{Kind: "statement", Permission: access.StatementView, Find: s.findStatement},
		{Kind: "account", Permission: access.StatementView, Find: s.findAccount},
		{Kind: "channel", Permission: access.StatementView, Find: s.findChannel},
	}
}

func (s Services) findLines(r *desk.Request, words string, limit int) (hits []desk.Hit, err error) {
	ctx := r.Context.Request().Context()
	show := func(l banking.Line) desk.Hit {
		return desk.Hit{Label: l.Number(), Note: r.Date(l.BookedOn) + " · " + l.BankReference, Href: ui.To("/admin/statements/{}", l.ID).String(), Exact: true}
	}
	if id := desk.Number(words, "BL-"); id != 0 {
		if hits, err = desk.Found(s.Banking.Line(ctx, id))(show); err != nil {
			return nil, err
		}
	}
	list, err := s.Banking.ByReference(ctx, words, limit)
	for _, l := range list {
		if h := show(l); !slices.ContainsFunc(hits, func(other desk.Hit) bool { return other.Href == h.Href }) {
			hits = append(hits, h)
		}
	}
	return hits, err
}

func (s Services) findStatement(r *desk.Request, words string, _ int) ([]desk.Hit, error) {
	id := desk.Number(words, "BS-")
	if id == 0 {
		return nil, nil
	}
	return desk.Found(s.Banking.Statement(r.Context.Request().Context(), id))(func(st banking.Statement) desk.Hit {
		return desk.Hit{
			Label: st.DisplayNumber(), Note: r.Date(st.FirstDay) + " – " + r.Date(st.LastDay), Href: ui.To("/admin/statements").With("statement", st.ID).String(), Exact: true,
		}
	})
}

func (s Services) findAccount(r *desk.Request, words string, _ int) ([]desk.Hit, error) {
	id := desk.Number(words, "BA-")
	if id == 0 {
		return nil, nil
	}
	return desk.Found(s.Banking.Account(r.Context.Request().Context(), int(id)))(func(a banking.Account) desk.Hit {
		return desk.Hit{Label: a.Number(), Note: a.Name, Href: ui.To("/admin/bank-accounts/{}", a.ID).String(), Exact: true}
	})
}

func (s Services) findChannel(r *desk.Request, words string, _ int) ([]desk.Hit, error) {
	id := desk.Number(words, "CH-")
	if id == 0 {
		return nil, nil
	}
	c, err := s.Deposits.ChannelByID(r.Context.Request().Context(), int(id))
	if errors.Is(err, deposit.ErrNoChannel) {
		return nil, nil
	}
	return desk.Found(c, err)(func(c deposit.Channel) desk.Hit {
		return desk.Hit{Label: c.Number(), Note: c.Name, Href: ui.To("/admin/channels/{}", c.ID).String(), Exact: true}
	})
}
