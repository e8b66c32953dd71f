package bonus

import (
	"context"
	"slices"

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
