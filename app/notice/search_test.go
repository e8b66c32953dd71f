package notice_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/notice"
)

// TestSearchPages reads the list page by page in each order: every item comes once.
func TestSearchPages(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	for range 5 {
		d.clock.Advance(time.Minute)
		d.draft(notice.Notice, nil)
	}
	for _, sort := range []notice.Sort{"", notice.OldestEdit, notice.NewestItem} {
		all, more, err := d.service.Search(t.Context(), notice.Search{Sort: sort}, notice.Place{}, 1000)
		require.NoError(t, err)
		require.False(t, more)
		require.Greater(t, len(all), 5)
		var paged []int64
		for after := (notice.Place{}); ; {
			page, more, err := d.service.Search(t.Context(), notice.Search{Sort: sort}, after, 3)
			require.NoError(t, err)
			for _, l := range page {
				paged = append(paged, l.ItemID)
			}
			if !more {
				break
			}
			after = page[len(page)-1].Place()
		}
		var want []int64
		for _, l := range all {
			want = append(want, l.ItemID)
		}
		require.Equal(t, want, paged, sort)
	}
}

// TestSearchStages: a submitted revision is in review until it is approved, then scheduled; the counts agree.
func TestSearchStages(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	soon := start.Add(time.Hour)
	item := d.draft(notice.Notice, func(set *notice.Settings) { set.StartsAt = &soon })
	at := func(stage notice.State) bool {
		list, _, err := d.service.Search(t.Context(), notice.Search{Kind: notice.Notice, Stage: stage}, notice.Place{}, 1)
		require.NoError(t, err)
		counts, err := d.service.CountStages(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, len(list), counts[stage])
		return len(list) == 1
	}
	require.True(t, at(notice.Drafted))
	item = d.submitted(item)
	require.True(t, at(notice.InReview))
	require.False(t, at(notice.Scheduled))
	d.approved(item)
	require.True(t, at(notice.Scheduled))
	require.False(t, at(notice.InReview))
	require.False(t, at(notice.Drafted))
}
