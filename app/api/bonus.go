package api

import (
	"github.com/labstack/echo/v5"

	"candor/app/bonus"
	"candor/app/platform/errs"
	"candor/app/platform/money"
	"candor/app/trader"
	"candor/app/wire"
)

// FindBonusList returns the trader's bonuses and those on offer.
func (srv *Server) FindBonusList(c *echo.Context) error {
	ctx := c.Request().Context()
	t, _, err := srv.Traders.Find(ctx, principal(c))
	if err != nil {
		return err
	}
	offers, err := srv.Bonuses.Offers(ctx, t)
	if err != nil {
		return err
	}
	list, campaigns, err := srv.Bonuses.Of(ctx, t.ID)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.BonusList{
		Enabled: srv.Bonuses.OfferedIn(t.Country), Verified: t.AuthStatus == trader.AuthPassed, Terms: bonus.Terms, Offers: convertAll(offers, bonusOfferOf),
		Bonuses: convertAll(list, func(b bonus.Bonus) wire.TraderBonus { return bonusOf(b, campaigns) }),
	})
}

func bonusOfferOf(c bonus.Campaign) wire.BonusOffer {
	out := wire.BonusOffer{CampaignId: c.ID, Rule: wire.BonusOfferRule(c.Rule), Amount: wire.USDT(c.Amount), Days: c.Days, Until: c.EndsAt().UnixMilli()}
	out.Share, out.Minimum = depositOf(c)
	return out
}

// depositOf is the share and the minimum of a campaign by deposit; nil for others.
func depositOf(c bonus.Campaign) (share, minimum *string) {
	if c.Rule != bonus.ByDeposit {
		return nil, nil
	}
	percent, least := money.Trim(int64(c.ShareBps), percentDecimals), wire.USDT(c.Minimum)
	return &percent, &least
}

func bonusOf(b bonus.Bonus, campaigns map[int64]bonus.Campaign) wire.TraderBonus {
	out := wire.TraderBonus{
		BonusId: b.ID, Rule: wire.TraderBonusRuleGift, State: wire.TraderBonusState(b.State), Amount: wire.USDT(b.Amount), Remaining: wire.USDT(b.Remaining), Lost: wire.USDT(b.Lost()), Days: b.Days,
		Until: b.AcceptBy.UnixMilli(), AcceptedAt: wire.Moment(b.AcceptedAt), GrantedAt: wire.Moment(b.GrantedAt), ExpiresAt: wire.Moment(b.ExpiresAt), EndedAt: wire.Moment(b.EndedAt),
	}
	if b.CampaignID != nil {
		c := campaigns[*b.CampaignID]
		out.Rule = wire.TraderBonusRule(c.Rule)
		out.Share, out.Minimum = depositOf(c)
	}
	return out
}

// errOneBonus: a bonus is a campaign's or one that was offered to the trader.
var errOneBonus = errs.Field("bonusId", "field.choice")

// AcceptBonus accepts a bonus and returns the trader's bonuses.
func (srv *Server) AcceptBonus(c *echo.Context) error {
	in, _, err := body[wire.AcceptBonus](c)
	if err != nil {
		return err
	}
	owner, err := srv.owner(c)
	if err != nil {
		return err
	}
	switch ctx := c.Request().Context(); {
	case (in.CampaignId == nil) == (in.BonusId == nil):
		return errOneBonus
	case in.CampaignId != nil:
		err = srv.Bonuses.AcceptCampaign(ctx, owner.Actor(), *in.CampaignId, in.Terms)
	default:
		err = srv.Bonuses.AcceptOffer(ctx, owner.Actor(), *in.BonusId, in.Terms)
	}
	if err != nil {
		return err
	}
	return srv.FindBonusList(c)
}

// DeclineBonus declines or gives up a bonus and returns the trader's bonuses.
func (srv *Server) DeclineBonus(c *echo.Context) error {
	in, _, err := body[wire.DeclineBonus](c)
	if err != nil {
		return err
	}
	owner, err := srv.owner(c)
	if err != nil {
		return err
	}
	if err := srv.Bonuses.Decline(c.Request().Context(), owner.Actor(), in.BonusId, bonus.State(in.State)); err != nil {
		return err
	}
	return srv.FindBonusList(c)
}
