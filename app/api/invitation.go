package api

import (
	"context"
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/invitation"
	"candor/app/platform/money"
	"candor/app/wire"
)

// percentDecimals are the decimals of basis points in percent.
const percentDecimals = 2

// FindInvitation returns the trader's invitation.
func (srv *Server) FindInvitation(c *echo.Context) error {
	t, _, err := srv.Traders.Find(c.Request().Context(), principal(c))
	if err != nil {
		return err
	}
	o, err := srv.Invitations.Of(c.Request().Context(), t)
	if err != nil {
		return err
	}
	out := wire.Invitation{
		Enabled: srv.Invitations.On(), Code: o.Code, Rate: money.Trim(int64(o.RatioBps), percentDecimals), Invited: o.Invited, Active: o.Active,
		Earned: wire.USDT(o.Earned), SetAside: wire.USDT(o.SetAside), InvitedBy: o.InvitedBy,
	}
	if len(o.Tiers) > 0 {
		tiers := convertAll(o.Tiers, func(tier invitation.Tier) wire.InvitationTier {
			return wire.InvitationTier{From: tier.From, Rate: money.Trim(int64(tier.RatioBps), percentDecimals)}
		})
		out.Tiers = &tiers
	}
	return srv.reply(c, out)
}

// mostInvitees is how long a page of invited traders or of payments may be.
const mostInvitees = 100

// FindInviteePage returns invited traders.
func (srv *Server) FindInviteePage(c *echo.Context, params wire.FindInviteePageParams) error {
	size, err := keysetSize(params.Size, mostInvitees)
	if err != nil {
		return err
	}
	list, next, err := srv.Invitations.Invitees(c.Request().Context(), principal(c).TraderID, valueOrZero(params.Next), size)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.InviteePage{List: convertAll(list, inviteeOf), Next: next})
}

func inviteeOf(i invitation.Invitee) wire.Invitee {
	out := wire.Invitee{UserId: i.ID, Name: i.Name, Since: i.Since.UnixMilli(), Earned: wire.USDT(i.Earned), LastAt: wire.Moment(i.Last)}
	if i.Void != "" {
		void := wire.InviteeVoid(i.Void)
		out.Void = &void
	}
	return out
}

// FindRebatePaymentPage returns paid rebates.
func (srv *Server) FindRebatePaymentPage(c *echo.Context, params wire.FindRebatePaymentPageParams) error {
	size, err := keysetSize(params.Size, mostInvitees)
	if err != nil {
		return err
	}
	list, next, err := srv.Invitations.Payments(c.Request().Context(), principal(c).TraderID, valueOrZero(params.Next), size)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.RebatePaymentPage{Next: next, List: convertAll(list, func(p invitation.Payment) wire.RebatePayment {
		return wire.RebatePayment{PaymentId: p.ID, Day: p.Day.Format(time.DateOnly), Amount: wire.USDT(p.Amount), Fills: p.Fills, Time: p.PaidAt.UnixMilli()}
	})})
}

// ExportRebates returns the rebates of single trades as a file.
func (srv *Server) ExportRebates(c *echo.Context) error {
	return export(c, srv.rebateTable(c.Request().Context(), principal(c).TraderID))
}

func (srv *Server) rebateTable(ctx context.Context, traderID int64) table[invitation.Rebate] {
	return table[invitation.Rebate]{
		columns: []string{"fill", "invited", "time", "commission", "mark_up", "rate_percent", "rebate", "taken_back", "currency", "paid"},
		page: func(before int64, _, limit int) ([]invitation.Rebate, error) {
			return srv.Invitations.Rebates(ctx, traderID, before, limit)
		},
		id: func(r invitation.Rebate) int64 { return r.FillID },
		cells: func(r invitation.Rebate) []string {
			paid := "no"
			if r.Paid {
				paid = "yes"
			}
			return []string{
				number(r.FillID), r.Invited, clockTime(r.FilledAt), wire.USDT(r.Commission), wire.USDT(r.Markup), money.Trim(int64(r.RatioBps), percentDecimals), wire.USDT(r.Amount),
				wire.USDT(r.Reversed), "USDT", paid,
			}
		},
	}
}
