package audit_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
)

func TestOfTrader(t *testing.T) {
	t.Parallel()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	log := audit.NewLog(d)
	person := func(mail string) (id int64) {
		require.NoError(t, d.Pool.QueryRow(t.Context(), `INSERT INTO traders (email, name, password_hash, country, language, invite_code, accepted_at, created_at)
			VALUES ($1, $1, 'x', 'ES', 'es', md5($1), $2, $2) RETURNING id`, mail, start).Scan(&id))
		return id
	}
	papers := func(trader int64) (id int64) {
		require.NoError(t, d.Pool.QueryRow(t.Context(), `INSERT INTO kyc_applications (trader_id, state, created_at) VALUES ($1, 'draft', $2) RETURNING id`, trader, start).Scan(&id))
		return id
	}
	marta, lena := person("marta@example.com"), person("lena@example.com")
	hers, theirs := papers(marta), papers(lena)
	staff := audit.Actor{Kind: audit.Staff, ID: marta, Name: "has the number of a trader"}
	record(t, log, 0, audit.Actor{Kind: audit.Trader, ID: marta}, "kyc.submit", "kyc", hers)
	record(t, log, 1, audit.Actor{Kind: audit.Trader, ID: marta}, "payee.add", "payee", 7)
	record(t, log, 2, audit.Actor{Kind: audit.Staff, ID: 101}, "trader.reveal", "trader", marta)
	record(t, log, 3, audit.Actor{Kind: audit.Staff, ID: 101}, "kyc.approve", "kyc", hers)
	record(t, log, 4, audit.Actor{Kind: audit.Staff, ID: 101}, "kyc.revoke", "kyc", theirs)
	record(t, log, 5, staff, "staff.sign_in", "staff", marta)
	record(t, log, 6, audit.Actor{Kind: audit.Trader, ID: lena}, "trader.login", "trader", lena)
	record(t, log, 7, audit.Actor{Kind: audit.Staff, ID: 101}, "deposit.claim", "deposit", hers) // another record with the same number
	record(t, log, 8, audit.Actor{Kind: audit.Trader, ID: marta}, "trader.login", "trader", marta)
	all := []string{"deposit", "withdrawal", "kyc", "adjustment", "conversation"}
	read := func(kinds []string, before int64, limit int) (actions []string, next int64) {
		list, next, err := log.OfTrader(t.Context(), marta, kinds, before, limit)
		require.NoError(t, err)
		for _, e := range list {
			actions = append(actions, e.Action)
		}
		return actions, next
	}

	t.Run("WhatATraderDidAndWhatWasDoneToTheirs", func(t *testing.T) {
		actions, next := read(all, 0, 10)
		require.Equal(t, []string{"trader.login", "kyc.approve", "trader.reveal", "payee.add", "kyc.submit"}, actions, "each once, the newest first, nothing of somebody else")
		require.Zero(t, next)
	})
	t.Run("WhatOthersDidToThingsOfOtherKindsStaysOut", func(t *testing.T) {
		actions, _ := read(nil, 0, 10)
		require.Equal(t, []string{"trader.login", "trader.reveal", "payee.add", "kyc.submit"}, actions)
	})
	t.Run("PageByPage", func(t *testing.T) {
		first, next := read(all, 0, 2)
		require.Equal(t, []string{"trader.login", "kyc.approve"}, first)
		second, next := read(all, next, 2)
		require.Equal(t, []string{"trader.reveal", "payee.add"}, second)
		third, next := read(all, next, 2)
		require.Equal(t, []string{"kyc.submit"}, third)
		require.Zero(t, next)
	})
}

// TestOfTraderReadsAlongIndexes fills the log with acts of others, and checks in the query plan that none of them is read.
func TestOfTraderReadsAlongIndexes(t *testing.T) {
	t.Parallel()
	test := dbtest.New(t)
	d, err := db.Open(t.Context(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	test.Tamper(t, fmt.Sprintf(`INSERT INTO audit_entries (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after)
		SELECT timestamptz '%s' + n * interval '1 second', CASE n %% 2 WHEN 0 THEN 'staff' ELSE 'trader' END, CASE n %% 2 WHEN 0 THEN 100 + n %% 20 ELSE 10000001 + n %% 1000 END, '', 'kyc.claim',
			CASE n %% 3 WHEN 0 THEN 'kyc' WHEN 1 THEN 'trader' ELSE 'deposit' END, (10000001 + n %% 1000)::text, 'done', '', '', '', '' FROM generate_series(1, 30000) n`, start.Format(time.RFC3339))+`; ANALYZE audit_entries`)
	for _, before := range []int64{0, 15_000} {
		sql := audit.OfTraderSQL([]string{"deposit", "withdrawal", "kyc", "adjustment", "conversation"}, before != 0)
		rows, err := d.Pool.Query(t.Context(), `EXPLAIN `+sql, int64(10000007), "10000007", 51, before)
		require.NoError(t, err)
		var plan strings.Builder
		for rows.Next() {
			var line string
			require.NoError(t, rows.Scan(&line))
			plan.WriteString(line + "\n")
		}
		require.NoError(t, rows.Err())
		require.NotContains(t, plan.String(), "Seq Scan on audit_entries")
		require.NotContains(t, plan.String(), "audit_entries_kind", "all of a kind is no way to one thing")
		require.Contains(t, plan.String(), "audit_entries_actor")
		require.Contains(t, plan.String(), "audit_entries_target")
	}
}
