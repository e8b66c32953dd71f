package trader_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for id, contact := range map[int64][2]string{
		10_200_001: {"zoe@example.com", "+34600000001"}, 10_200_002: {"ann@example.com", "+34600000003"}, 34_600_001: {"anna@example.com", "+34600000002"},
		34_600_002: {"bob@example.com", "+12025550001"}, 34_700_000: {"an_n@example.com", "+34600000004"},
	} {
		b.exec(`INSERT INTO traders (id, email, phone, name, password_hash, country, invite_code, accepted_at) VALUES ($1, $2, $3, 'X', '', 'ES', $2, now())`,
			id, contact[0], contact[1])
	}
	for words, want := range map[string][]int64{
		"":                 {34_700_000, 34_600_002, 34_600_001, 10_200_002, 10_200_001}, // newest first
		"102":              {10_200_002, 10_200_001},
		"10200001":         {10_200_001},
		"34":               {34_700_000, 34_600_002, 34_600_001},
		"+34 600-000 003":  {10_200_002},
		"34600000002":      {34_600_001},
		"ANN@example.com":  {10_200_002},
		"an_n@example.com": {34_700_000},
		// A part of an address or number finds no trader.
		"+34600": {}, "346000000": {}, "+3460000000": {}, "ann": {}, "ann@": {}, "@example.com": {}, "an_": {}, "%": {}, "ann@example.co": {}, "carl": {},
	} {
		for limit := 1; limit <= 6; limit++ {
			got := []int64{}
			for pages, after := 0, int64(0); pages == 0 || after != 0; pages++ {
				list, next, err := b.traders.Search(t.Context(), words, after, limit)
				require.NoError(t, err)
				require.LessOrEqual(t, len(list), limit)
				require.LessOrEqual(t, pages, len(want), "a page after the last row")
				for _, l := range list {
					got = append(got, l.ID)
				}
				after = next
			}
			require.Equal(t, want, got, "%q, %d a page", words, limit)
		}
	}
}
