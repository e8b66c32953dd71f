package audit_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
)

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func openLog(t *testing.T) *audit.Log {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return audit.NewLog(d)
}

func record(t *testing.T, log *audit.Log, minute int, actor audit.Actor, action, target string, id any) {
	t.Helper()
	entry := audit.By(actor, start.Add(time.Duration(minute)*time.Minute), action, target, id)
	require.NoError(t, log.Record(t.Context(), entry))
}

func TestList(t *testing.T) {
	t.Parallel()
	log := openLog(t)
	maker := audit.Actor{Kind: audit.Staff, ID: 101, Name: "Finance maker 02", Roles: "finance_maker,support_agent"}
	other := audit.Actor{Kind: audit.Staff, ID: 102, Name: "100% other_name", Roles: "support_lead"}
	trader := audit.Actor{Kind: audit.Trader, ID: 10000001, Name: "ma***a@example.com"}
	record(t, log, 0, trader, "deposit.request", "deposit", 50001)
	record(t, log, 1, maker, "deposit.claim", "deposit", 50001)
	record(t, log, 2, maker, "deposit.approve", "deposit", 50001)
	record(t, log, 3, other, "trader.reveal", "trader", 10000001)

	list := func(f audit.Filter) (actions []string) {
		entries, _, err := log.List(context.Background(), f)
		require.NoError(t, err)
		for _, e := range entries {
			actions = append(actions, e.Action)
		}
		return actions
	}

	t.Run("NewestFirst", func(t *testing.T) {
		require.Equal(t, []string{"trader.reveal", "deposit.approve", "deposit.claim", "deposit.request"}, list(audit.Filter{}))
	})
	t.Run("EachFilterNarrows", func(t *testing.T) {
		require.Equal(t, []string{"deposit.request"}, list(audit.Filter{ActorKind: audit.Trader}))
		require.Equal(t, []string{"deposit.approve", "deposit.claim"}, list(audit.Filter{ActorKind: audit.Staff, ActorID: 101}))
		require.Equal(t, []string{"deposit.approve", "deposit.claim"}, list(audit.Filter{ActorName: "finance M"}))
		require.Equal(t, []string{"trader.reveal"}, list(audit.Filter{TargetKind: "trader", TargetID: "10000001"}))
		require.Equal(t, []string{"trader.reveal"}, list(audit.Filter{Action: "trader."}))
		require.Equal(t, []string{"deposit.approve", "deposit.claim"}, list(audit.Filter{Role: "finance_maker"}))
		require.Equal(t, []string{"deposit.approve", "deposit.claim"}, list(audit.Filter{Role: "support_agent"}))
		require.Equal(t, []string{"trader.reveal"}, list(audit.Filter{Role: "support_lead", TargetKind: "trader"}))
		require.Empty(t, list(audit.Filter{Role: "support"}), "a role is a whole word")
		require.Empty(t, list(audit.Filter{Result: audit.Denied}))
		require.Equal(t, []string{"deposit.approve", "deposit.claim"}, list(audit.Filter{From: start.Add(time.Minute), To: start.Add(3 * time.Minute)}))
	})
	t.Run("WorkIsOfSomeAreasAndDecides", func(t *testing.T) {
		work := func(areas []string, limit int) (actions []string) {
			entries, err := log.Work(context.Background(), areas, []string{"claim"}, limit)
			require.NoError(t, err)
			for _, e := range entries {
				actions = append(actions, e.Action)
			}
			return actions
		}
		require.Equal(t, []string{"deposit.approve"}, work([]string{"deposit", "withdrawal"}, 8), "neither what the trader did nor the claim")
		require.Equal(t, []string{"trader.reveal", "deposit.approve"}, work([]string{"deposit", "trader"}, 8))
		require.Equal(t, []string{"trader.reveal"}, work([]string{"deposit", "trader"}, 1))
		require.Empty(t, work([]string{"depo"}, 8), "an area is a whole word")
	})
	t.Run("WildcardsAreLetters", func(t *testing.T) {
		require.Empty(t, list(audit.Filter{ActorName: "%"}))
		require.Empty(t, list(audit.Filter{ActorName: "Finance_maker"}))
		require.Equal(t, []string{"trader.reveal"}, list(audit.Filter{ActorName: "100% other_"}))
	})
	t.Run("PagesByKey", func(t *testing.T) {
		entries, _, err := log.List(t.Context(), audit.Filter{Limit: 3})
		require.NoError(t, err)
		require.Len(t, entries, 3)
		require.Equal(t, []string{"deposit.request"}, list(audit.Filter{Before: entries[2].ID, Limit: 3}))
	})
}
