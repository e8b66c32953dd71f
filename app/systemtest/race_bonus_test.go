package systemtest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/bonus"
	"candor/app/platform/db"
	"candor/app/switches"
	"candor/app/trader"
)

const (
	bonusesGranted = `SELECT count(*) FROM postings WHERE account_id = $1 AND kind = 'bonus_granted'`
	bonusesEnded   = `SELECT count(*) FROM postings WHERE account_id = $1 AND kind = 'bonus_given_up'`
	bonusesOffered = `SELECT count(*) FROM bonuses WHERE trader_id = (SELECT trader_id FROM accounts WHERE id = $1) AND approval_id IS NOT NULL`
)

// startBonuses makes the service of bonuses, and a campaign that covers all trials.
func (r *raceFixture) startBonuses(t *testing.T, values *switches.Service) {
	t.Helper()
	d, c := r.platform.Database.DB, r.platform.Clock
	r.bonuses = bonus.New(bonus.Config{
		DB: d, Clock: c, Switches: values, Approvals: approval.New(d, c, trader.TakeDutyTx), Traders: r.traders, Changed: func(int64) {},
		SamePerson: func(context.Context, db.Querier, int64) ([]int64, error) { return nil, nil },
	})
	ctx := context.Background()
	wanted := bonus.Campaign{Rule: bonus.Welcome, Amount: dollars(50), Budget: dollars(1_000_000), Days: 30, LastDay: c.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 5)}
	request, err := r.bonuses.RequestCampaign(ctx, r.members[0], wanted, "For the new season", "race-campaign")
	require.NoError(t, err)
	_, err = r.bonuses.Approve(ctx, r.members[1], request.ID, request.Version, request.Facts)
	require.NoError(t, err)
	r.campaign = request.ID
}

// eligible is the entrant as a trader who may get bonuses.
func (e *entrant) eligible() audit.Actor {
	e.t.Helper()
	_, err := e.platform.Database.Pool.Exec(context.Background(), `UPDATE traders SET auth_status = $2, country = 'JP' WHERE id = $1`, e.owner.TraderID, trader.AuthPassed)
	require.NoError(e.t, err)
	return e.owner.Actor()
}

func (e *entrant) requestBonus() bonus.Request {
	e.t.Helper()
	e.eligible()
	r, err := e.bonuses.RequestGift(context.Background(), e.members[0], e.owner.TraderID, dollars(25), 10, "A late answer", fmt.Sprint(e.handle, "-bonus"))
	require.NoError(e.t, err)
	return r
}

// heldBonus is the id of the entrant's only bonus.
func (e *entrant) heldBonus() int64 {
	e.t.Helper()
	list, _, err := e.bonuses.Of(context.Background(), e.owner.TraderID)
	require.NoError(e.t, err)
	require.Len(e.t, list, 1)
	return list[0].ID
}

// bonusContests are races over bonuses, whose calls have no keys: states and a trader's one bonus of a campaign protect them.
func bonusContests() []contest {
	return []contest{
		{
			name: "BonusAcceptCampaign", effects: bonusesGranted, maxEffects: 1, ownKeys: true, losers: []string{"bonus.taken"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				by := e.eligible()
				return func(int, string) outcome {
					return serviceOutcome("accepted", e.bonuses.AcceptCampaign(context.Background(), by, e.campaign, bonus.Terms))
				}, nil
			},
		},
		{
			name: "BonusConfirm", effects: bonusesOffered, maxEffects: 1, ownKeys: true, losers: []string{"approval.changed", "approval.state"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				r := e.requestBonus()
				return func(n int, _ string) outcome {
					_, err := e.bonuses.Approve(context.Background(), e.members[1+n%(racers-1)], r.ID, r.Version, r.Facts)
					return serviceOutcome("approved", err)
				}, nil
			},
		},
		{
			name: "BonusAcceptOffer", effects: bonusesGranted, maxEffects: 1, ownKeys: true, losers: []string{"bonus.taken"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				r := e.requestBonus()
				_, err := e.bonuses.Approve(context.Background(), e.members[1], r.ID, r.Version, r.Facts)
				require.NoError(e.t, err)
				id := e.heldBonus()
				return func(int, string) outcome {
					return serviceOutcome("accepted", e.bonuses.AcceptOffer(context.Background(), e.owner.Actor(), id, bonus.Terms))
				}, nil
			},
		},
		{
			name: "BonusGiveUp", effects: bonusesEnded, maxEffects: 1, ownKeys: true, losers: []string{"bonus.ended"},
			prepare: func(e *entrant) (act, <-chan struct{}) {
				require.NoError(e.t, e.bonuses.AcceptCampaign(context.Background(), e.eligible(), e.campaign, bonus.Terms))
				id := e.heldBonus()
				return func(int, string) outcome {
					return serviceOutcome("given up", e.bonuses.Decline(context.Background(), e.owner.Actor(), id, bonus.Active))
				}, nil
			},
		},
	}
}
