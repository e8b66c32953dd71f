package kyc_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/kyc"
	"candor/app/ledger"
)

// TestRelated finds who has papers, payees or devices in common with a trader, since when, and how much that says.
func TestRelated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	me := b.owner()
	papers := func(o ledger.Owner, number string) {
		b.drafted(o)
		b.save(o, kyc.Filled{Number: text(number)})
		_, err := b.trySubmit(o)
		require.NoError(t, err)
	}
	papers(me, "C01X-00T 47")
	b.device(me, "phone")
	b.device(me, "tablet")
	b.device(me, "shop")
	b.payee(me, "bank", "", "", "DE89370400440532013000", true)
	b.payee(me, "address", "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW", "101", "", false)
	b.clock.Advance(time.Hour)
	later := b.clock.Now().UTC()

	twin, household, both, payee, coins := b.owner(), b.owner(), b.owner(), b.owner(), b.owner()
	papers(twin, "c01x00t47")
	b.device(household, "phone")
	b.device(both, "phone")
	b.device(both, "tablet")
	b.payee(payee, "bank", "", "", "DE89370400440532013000", false)
	b.device(payee, "phone")
	var shoppers []int64
	for range 6 {
		shopper := b.owner()
		b.device(shopper, "shop")
		shoppers = append(shoppers, shopper.TraderID)
	}
	guest := b.count(`INSERT INTO traders (name, type) VALUES ('Guest', 8) RETURNING id`)
	b.device(ledger.Owner{TraderID: guest}, "tablet")
	stranger := b.owner()
	b.device(stranger, "other")
	b.payee(stranger, "bank", "", "", "NL91ABNA0417164300", false)
	b.payee(stranger, "address", "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW", "102", "", false)
	b.payee(coins, "address", "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW", "101", "", false)

	related, err := b.kyc.Related(t.Context(), me.TraderID)
	require.NoError(t, err)
	said := map[int64]string{}
	for _, one := range related {
		for _, r := range one.Relations {
			said[one.TraderID] += fmt.Sprint(r.Kind, " ", r.Count, " ")
			if r.Kind == kyc.SameBank || r.Kind == kyc.SameAddress {
				require.Equal(t, later, r.Since.UTC(), "when the second had it too")
			}
		}
		said[one.TraderID] += one.Strength().String()
	}
	want := map[int64]string{
		twin.TraderID: "number 1 strong", household.TraderID: "device 1 medium", both.TraderID: "device 2 strong", payee.TraderID: "bank 1 device 1 strong",
		coins.TraderID: "address 1 strong",
	}
	for _, id := range shoppers {
		want[id] = "device 1 weak"
	}
	require.Equal(t, want, said, "no guest, and nobody with other things")
	require.Equal(t, payee.TraderID, related[0].TraderID, "several things in common come first")

	none, err := b.kyc.Related(t.Context(), stranger.TraderID)
	require.NoError(t, err)
	require.Empty(t, none)
}

// TestTheNewestLinksAreKept: a number that more traders have than are looked for leaves out the oldest.
func TestTheNewestLinksAreKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	me := b.owner()
	b.drafted(me)
	b.save(me, kyc.Filled{Number: text("C01X-00T 47")})
	_, err := b.trySubmit(me)
	require.NoError(t, err)
	b.database.Tamper(t, fmt.Sprintf(`INSERT INTO kyc_applications OVERRIDING SYSTEM VALUE
		SELECT (jsonb_populate_record(a, jsonb_build_object('id', 900000 + n, 'trader_id', 800000 - n, 'created_at', a.created_at + n * interval '1 minute'))).*
		FROM kyc_applications a, generate_series(1, %d) n WHERE a.trader_id = %d`, kyc.MostRelated+1, me.TraderID))
	related, err := b.kyc.Related(t.Context(), me.TraderID)
	require.NoError(t, err)
	require.Len(t, related, kyc.MostRelated)
	found := map[int64]bool{}
	for _, one := range related {
		found[one.TraderID] = true
	}
	require.True(t, found[800000-kyc.MostRelated-1], "the newest, whatever its number")
	require.False(t, found[800000-1], "the oldest")
}
