package bonus

import (
	"context"
	"fmt"
	"slices"
	"time"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
)

// current takes what losses have taken until now from a list of bonuses, which holds all active ones of each of its accounts.
func (s *Service) current(ctx context.Context, list []Bonus) error {
	places := map[int64][]int{} // of the active bonuses of an account
	for i, b := range list {
		if b.State == Active {
			places[*b.AccountID] = append(places[*b.AccountID], i)
		}
	}
	if len(places) == 0 {
		return nil
	}
	ids := make([]int64, 0, len(places))
	for id := range places {
		ids = append(ids, id)
	}
	held, err := ledger.Bonuses(ctx, s.DB.Pool, ids)
	if err != nil {
		return err
	}
	for id, at := range places {
		slices.SortFunc(at, func(a, b int) int {
			if c := list[a].ExpiresAt.Compare(*list[b].ExpiresAt); c != 0 {
				return c
			}
			return int(list[a].ID - list[b].ID)
		})
		active := make([]Bonus, len(at))
		for i, j := range at {
			active[i] = list[j]
		}
		// A grant or an end between the two reads leaves what was written last: the job brings it up to date.
		changed, err := allot(active, held[id])
		if err != nil {
			continue
		}
		for _, i := range changed {
			list[at[i]].Remaining = active[i].Remaining
			if active[i].Remaining == 0 {
				list[at[i]].State = Used
			}
		}
	}
	return nil
}

// Figures is what became of a campaign, in traders and 10^-6 USDT.
type Figures struct {
	CampaignID int64
	Accepted   int   // in all
	Granted    int   // of them
	Promised   int64 // granted, and promised to those whose deposit has not come yet
	Given      int64 // granted
	Remaining  int64 // of what was granted, not yet lost, expired or given up
}

// FiguresOf adds up campaigns, by campaign; one that nobody accepted is absent.
func (s *Service) FiguresOf(ctx context.Context, campaignIDs []int64) (map[int64]Figures, error) {
	var list []Figures
	err := s.DB.Rows(ctx).Model(&Bonus{}).Where("campaign_id IN ?", campaignIDs).Group("campaign_id").
		Select("campaign_id, count(*) AS accepted, count(grant_id) AS granted, " + promised + " AS promised, coalesce(sum(amount) FILTER (WHERE grant_id IS NOT NULL), 0)::bigint AS given, sum(remaining)::bigint AS remaining").
		Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("add up campaigns: %w", err)
	}
	out := map[int64]Figures{}
	for _, f := range list {
		out[f.CampaignID] = f
	}
	return out, nil
}

// Campaigns lists campaigns before an id (0 begins the list), newest first.
func (s *Service) Campaigns(ctx context.Context, before int64, limit int) (list []Campaign, err error) {
	rows := s.DB.Rows(ctx).Order("id DESC").Limit(limit)
	if before > 0 {
		rows = rows.Where("id < ?", before)
	}
	if err := rows.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list campaigns: %w", err)
	}
	return list, nil
}

// List lists bonuses before an id (0 begins the list), newest first; of a campaign, or of all those by two people (0). What losses have taken is as it was last written.
func (s *Service) List(ctx context.Context, campaignID, before int64, limit int) (list []Bonus, err error) {
	rows := s.DB.Rows(ctx).Order("id DESC").Limit(limit)
	if campaignID > 0 {
		rows = rows.Where("campaign_id = ?", campaignID)
	} else {
		rows = rows.Where("approval_id IS NOT NULL")
	}
	if before > 0 {
		rows = rows.Where("id < ?", before)
	}
	if err := rows.Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list bonuses: %w", err)
	}
	return list, nil
}

// Requests lists the undecided requests, those for campaigns and those for single traders, longest waiting first.
func (s *Service) Requests(ctx context.Context, limit int) (campaigns []CampaignRequest, gifts []Gift, err error) {
	open := approval.Search{Open: true}
	list, err := s.campaigns.List(ctx, open, 0, limit)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range list {
		r, err := campaignOf(a)
		if err != nil {
			return nil, nil, err
		}
		campaigns = append(campaigns, r)
	}
	if list, err = s.gifts.List(ctx, open, 0, limit); err != nil {
		return nil, nil, err
	}
	for _, a := range list {
		g, err := giftOf(a)
		if err != nil {
			return nil, nil, err
		}
		gifts = append(gifts, g)
	}
	return campaigns, gifts, nil
}

// CampaignRequest reads the request of a campaign. It returns approval.ErrUnknown.
func (s *Service) CampaignRequest(ctx context.Context, id int64) (CampaignRequest, error) {
	a, err := s.campaigns.Find(ctx, id)
	if err != nil {
		return CampaignRequest{}, err
	}
	return campaignOf(a)
}

// Gift reads the request of a bonus for one trader. It returns approval.ErrUnknown.
func (s *Service) Gift(ctx context.Context, id int64) (Gift, error) {
	a, err := s.gifts.Find(ctx, id)
	if err != nil {
		return Gift{}, err
	}
	return giftOf(a)
}

// ApproveCampaign is the second person's approval of what was shown. Refusals: those of the approval, fields.
func (s *Service) ApproveCampaign(ctx context.Context, by audit.Actor, id int64, version int, shown []byte) error {
	_, err := s.campaigns.Approve(ctx, by, id, version, approval.Requested, shown)
	return err
}

// ApproveGift is the second person's approval of what was shown. Refusals: those of the approval, ErrOff, ErrUnverified.
func (s *Service) ApproveGift(ctx context.Context, by audit.Actor, id int64, version int, shown []byte) error {
	_, err := s.gifts.Approve(ctx, by, id, version, approval.Requested, shown)
	return err
}

// RefuseCampaign is another person's refusal. Refusals: those of the approval.
func (s *Service) RefuseCampaign(ctx context.Context, by audit.Actor, id int64, version int, why string) error {
	return refuse(ctx, s.campaigns, by, id, version, why)
}

// RefuseGift is another person's refusal. Refusals: those of the approval.
func (s *Service) RefuseGift(ctx context.Context, by audit.Actor, id int64, version int, why string) error {
	return refuse(ctx, s.gifts, by, id, version, why)
}

func refuse(ctx context.Context, use *approval.Service, by audit.Actor, id int64, version int, why string) error {
	if err := approval.CheckNote(why); err != nil {
		return err
	}
	_, err := use.Refuse(ctx, by, id, version, why)
	return err
}

// WithdrawCampaign takes the member's own request back. Refusals: those of the approval.
func (s *Service) WithdrawCampaign(ctx context.Context, by audit.Actor, id int64, version int) error {
	_, err := s.campaigns.Withdraw(ctx, by, id, version)
	return err
}

// WithdrawGift takes the member's own request back. Refusals: those of the approval.
func (s *Service) WithdrawGift(ctx context.Context, by audit.Actor, id int64, version int) error {
	_, err := s.gifts.Withdraw(ctx, by, id, version)
	return err
}

// CountWaiting counts the undecided requests, and returns since when the first of them waits.
func (s *Service) CountWaiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	n, oldest, err = s.campaigns.Count(ctx)
	if err != nil {
		return n, oldest, err
	}
	more, since, err := s.gifts.Count(ctx)
	if more > 0 && (n == 0 || since.Before(oldest)) {
		oldest = since
	}
	return n + more, oldest, err
}
