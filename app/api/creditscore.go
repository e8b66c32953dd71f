package api

import (
	"time"

	"github.com/labstack/echo/v5"

	"candor/app/score"
	"candor/app/wire"
)

// mostScores is how long a page of scores may be.
const mostScores = 100

// FindCreditScore returns the trader's credit score of today.
func (srv *Server) FindCreditScore(c *echo.Context) error {
	ctx, traderID := c.Request().Context(), principal(c).TraderID
	s, err := srv.Scores.Of(ctx, traderID)
	if err != nil {
		return err
	}
	flags, err := srv.Scores.Flags(ctx, traderID)
	if err != nil {
		return err
	}
	return srv.reply(c, wire.CreditScore{
		Score: s.Score, Least: score.Lowest, Most: score.Highest, Band: wire.CreditScoreBand(s.Band()), Day: s.Day.Format(time.DateOnly), Rules: s.Rules, Base: score.Base(s.Rules),
		Facts: convertAll(score.Lines(s.Rules, s.Facts), func(l score.Line) wire.CreditScoreFact {
			return wire.CreditScoreFact{Fact: wire.CreditScoreFactFact(l.Fact), Value: l.Value, Points: l.Points, Each: l.Each, Per: l.Per, Least: l.Least, Most: l.Most}
		}),
		Flags: convertAll(flags, srv.conductFlagOf),
	})
}

func (srv *Server) conductFlagOf(f score.Flag) wire.ConductFlag {
	return wire.ConductFlag{
		FlagId: f.ID, Reason: wire.ConductFlagReason(f.Reason), Time: f.MadeAt.UnixMilli(), LapsesAt: f.LapsesAt().UnixMilli(), Appealable: f.Appealable(srv.now()),
		AppealedAt: wire.Moment(f.AppealedAt), UpheldAt: wire.Moment(f.DecidedAt),
	}
}

// FindCreditScoreHistory returns the trader's scores by day.
func (srv *Server) FindCreditScoreHistory(c *echo.Context, params wire.FindCreditScoreHistoryParams) error {
	size, err := keysetSize(params.Size, mostScores)
	if err != nil {
		return err
	}
	var before time.Time
	if next := valueOrZero(params.Next); next != 0 {
		before = time.UnixMilli(next)
	}
	list, next, err := srv.Scores.History(c.Request().Context(), principal(c).TraderID, before, size)
	if err != nil {
		return err
	}
	page := wire.CreditScorePage{List: convertAll(list, func(s score.Score) wire.CreditScoreDay {
		return wire.CreditScoreDay{Day: s.Day.Format(time.DateOnly), Score: s.Score, Band: wire.CreditScoreBand(s.Band()), Rules: s.Rules}
	})}
	if !next.IsZero() {
		page.Next = next.UnixMilli()
	}
	return srv.reply(c, page)
}

// AppealConductFlag stores the trader's appeal against a flag and returns the score.
func (srv *Server) AppealConductFlag(c *echo.Context) error {
	in, _, err := body[wire.AppealConductFlag](c)
	if err != nil {
		return err
	}
	owner, err := srv.owner(c)
	if err != nil {
		return err
	}
	if err := srv.Scores.Appeal(c.Request().Context(), owner.Actor(), in.FlagId, in.Text); err != nil {
		return err
	}
	return srv.FindCreditScore(c)
}
