package demo

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/deposit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/reconciliation"
	"candor/app/server"
	"candor/app/staff"
	"candor/app/switches"
	"candor/app/trader"
)

// newDemoPlatform is an empty platform, whose jobs do not run before start.
func newDemoPlatform(t *testing.T) (p *server.Platform, start func()) {
	t.Helper()
	ctx := context.Background()
	d, err := db.Open(ctx, dbtest.New(t).URL)
	require.NoError(t, err)
	folder := t.TempDir()
	config := server.Config{DataDir: folder, Mode: server.Development, Feed: "simulated", FeedSpeed: 1, NewsignKey: "candor-web", Providers: filepath.Join(folder, "providers.json")}
	database := &server.Database{DB: d}
	require.NoError(t, server.Seed(ctx, config, database))
	p, err = server.Build(ctx, config, database)
	require.NoError(t, err)
	t.Cleanup(func() {
		p.Market.Resign()
		p.Bus.Close()
		d.Close()
	})
	return p, func() { startDemo(t, p) }
}

func startDemo(t *testing.T, p *server.Platform) {
	ctx := context.Background()
	work, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	p.Start(work, &group)
	t.Cleanup(func() {
		p.StopSockets()
		_ = p.Jobs.Stop(ctx)
		cancel()
		group.Wait()
	})
}

// exampleCounts counts the records that must exist exactly once.
func exampleCounts(t *testing.T, p *server.Platform) map[string]int {
	t.Helper()
	counts := map[string]int{}
	rows, err := p.Database.Pool.Query(t.Context(), `
		SELECT 'deposit ' || state, count(*) FROM deposits GROUP BY 1
		UNION ALL SELECT 'withdrawal ' || state, count(*) FROM withdrawals GROUP BY 1
		UNION ALL SELECT 'identity ' || state, count(*) FROM kyc_applications GROUP BY 1
		UNION ALL SELECT 'trader of level ' || level, count(*) FROM traders GROUP BY 1
		UNION ALL SELECT 'role ' || role, count(*) FROM staff_roles GROUP BY 1
		UNION ALL SELECT 'staff ' || state, count(*) FROM staff GROUP BY 1
		UNION ALL SELECT 'account ' || book, count(*) FROM accounts WHERE trader_id IS NOT NULL GROUP BY 1
		UNION ALL SELECT 'payee', count(*) FROM payees
		UNION ALL SELECT 'proof', count(*) FROM files
		UNION ALL SELECT 'document', count(*) FROM kyc_documents
		UNION ALL SELECT 'conversation ' || state, count(*) FROM conversations GROUP BY 1
		UNION ALL SELECT 'message of ' || author, count(*) FROM chat_messages WHERE kind <> 'event' GROUP BY 1
		UNION ALL SELECT 'prepared answer', count(*) FROM chat_replies UNION ALL SELECT 'macro', count(*) FROM chat_macros
		UNION ALL SELECT i.kind || ' ' || r.state, count(*) FROM notice_items i JOIN notice_revisions r ON r.item_id = i.id WHERE i.key IS NULL GROUP BY 1
		UNION ALL SELECT use || ' ' || state, count(*) FROM approvals WHERE use IN ('content', 'switch_change') GROUP BY 1
		UNION ALL SELECT 'made', count(*) FROM audit_entries WHERE action = $1`, examplesMade)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var what string
		var n int
		require.NoError(t, rows.Scan(&what, &n))
		counts[what] = n
	}
	require.NoError(t, rows.Err())
	return counts
}

// countTrades lists the examples' open and closed positions and pending orders, by product; the open markets determine which there are.
func countTrades(t *testing.T, p *server.Platform) (list []string) {
	t.Helper()
	rows, err := p.Database.Pool.Query(t.Context(), `
		SELECT 'position ' || product_id || ' ' || state || ' ' || count(*) FROM positions GROUP BY product_id, state
		UNION ALL SELECT 'order ' || product_id || ' ' || status || ' ' || count(*) FROM orders WHERE type <> 'market' GROUP BY product_id, status ORDER BY 1`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		list = append(list, line)
	}
	require.NoError(t, rows.Err())
	return list
}

var wantedExamples = map[string]int{
	"deposit awaiting_transfer": 1, "deposit proof_submitted": 3, "deposit in_review": 1, "deposit approved": 1, "deposit credited": 7, "deposit rejected": 1,
	"withdrawal review": 3, "withdrawal approved_1": 1, "withdrawal rejected": 1, "withdrawal sent": 1,
	"identity submitted": 5, "identity in_review": 1, "identity approved": 5, "identity resubmission_required": 1,
	"trader of level 0": 8, "trader of level 1": 5, "account real": 13, "account mock": 1, "payee": 5, "proof": 13, "document": 24, "made": 1,
	"role super_admin": 2, "role finance_maker": 1, "role finance_checker": 1, "role finance_lead": 1, "role compliance_reviewer": 1, "role compliance_lead": 1, "role support_agent": 2,
	"role support_lead": 1, "role content_editor": 1, "role content_publisher": 1, "role config_admin": 1, "role config_approver": 1, "role risk": 1, "role auditor": 1, "staff active": 16,
	"conversation queued": 3, "conversation waiting_customer": 2, "conversation snoozed": 1, "conversation resolved": 1, "message of customer": 10, "message of agent": 6, "prepared answer": 13, "macro": 2,
	"notice live": 1, "notice submitted": 1, "banner live": 1, "news live": 1, "news submitted": 1, "popup draft": 1, "content applied": 3, "content scheduled": 1, "content requested": 1, "switch_change requested": 1,
}

func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("makes thirty people with their passwords")
	}
	t.Parallel()
	p, start := newDemoPlatform(t)
	ctx := t.Context()

	// An interrupted start.
	half, err := newDemo(ctx, p)
	require.NoError(t, err)
	steps := half.steps()
	for _, s := range steps[:len(steps)/2] {
		require.NoError(t, half.runStep(ctx, s))
	}
	require.Zero(t, exampleCounts(t, p)["made"])

	require.NoError(t, makeExamples(ctx, p, io.Discard))
	require.Equal(t, wantedExamples, exampleCounts(t, p), "the next start makes the rest")
	start()
	tell, err := tradeExamples(ctx, p)
	require.NoError(t, err)
	trades := countTrades(t, p)
	require.Contains(t, trades, fmt.Sprintf("position %d open 3", bitcoinID))
	require.Contains(t, trades, fmt.Sprintf("position %d closed 1", bitcoinID))
	require.Contains(t, trades, fmt.Sprintf("order %d working 1", bitcoinID))

	t.Run("AnotherStartAddsNothing", func(t *testing.T) {
		require.NoError(t, makeExamples(ctx, p, io.Discard))
		again, err := tradeExamples(ctx, p)
		require.NoError(t, err)
		require.Equal(t, tell, again)
		require.Equal(t, wantedExamples, exampleCounts(t, p))
		require.Equal(t, trades, countTrades(t, p))
	})
	t.Run("NorDoesEveryStepTakenAnew", func(t *testing.T) {
		anew, err := newDemo(ctx, p)
		require.NoError(t, err)
		for _, s := range anew.steps() {
			require.NoError(t, anew.runStep(ctx, s))
		}
		require.Equal(t, wantedExamples, exampleCounts(t, p))
	})
	t.Run("NoJobEndsAnything", func(t *testing.T) {
		values, err := switches.Load(ctx, p.Database.DB, nil)
		require.NoError(t, err)
		expired, err := deposit.New(deposit.Config{DB: p.Database.DB, Clock: p.Clock, Switches: values, Changed: func(int64) {}}).Expire(ctx)
		require.NoError(t, err)
		require.Zero(t, expired)
		require.Equal(t, wantedExamples, exampleCounts(t, p))
	})
	t.Run("TheBooksAgree", func(t *testing.T) {
		found, err := reconciliation.New(p.Database.DB, clock.Real{}).Run(ctx)
		require.NoError(t, err)
		require.Nil(t, found.Wrong)
		require.NoError(t, p.Chains.Seal(ctx))
		proved, err := server.Verify(ctx, p.Config, p.Database)
		require.NoError(t, err)
		require.True(t, proved.OK, "%+v", proved.Wrong)
		require.Positive(t, proved.Proved["postings"])
	})
	t.Run("EverybodyIsMarked", func(t *testing.T) {
		d, err := newDemo(ctx, p)
		require.NoError(t, err)
		list, _, err := d.traders.Search(ctx, "", 0, 100)
		require.NoError(t, err)
		require.Len(t, list, len(examples))
		for _, l := range list {
			require.True(t, l.Example(), l.Name)
		}
		people, err := d.staff.List(ctx, 0, 100)
		require.NoError(t, err)
		for _, person := range people {
			require.True(t, trader.IsExample(person.Email))
			require.Contains(t, person.Name, "Example")
		}
	})
	t.Run("TheSensitiveRolesAreGivenByTwo", func(t *testing.T) {
		var alone int
		require.NoError(t, p.Database.Pool.QueryRow(ctx, `
			SELECT count(*) FROM staff_roles r WHERE role = ANY($1) AND NOT EXISTS (
				SELECT 1 FROM approvals q WHERE q.use = 'staff_role' AND q.subject = r.staff_id::text AND q.proposal ->> 'role' = r.role AND q.state = 'applied' AND q.people = 2)`, slices.Collect(maps.Keys(staff.Sensitive))).Scan(&alone))
		require.Zero(t, alone)
	})
	t.Run("ItTellsHowToGetIn", func(t *testing.T) {
		for _, want := range []string{examplePassword, examplePaymentPassword, "anna@demo.example", "bin/candor outbox --to", "finance.checker@demo.example", "super admin"} {
			require.Contains(t, tell, want)
		}
		d, err := newDemo(ctx, p)
		require.NoError(t, err)
		opened, err := d.traders.Login(ctx, trader.Credentials{Account: examples[0].mail(), Password: examplePassword, Device: examples[0].device()})
		require.NoError(t, err)
		require.Equal(t, examples[0].mail(), *opened.Trader.Email)
	})
	t.Run("ProductionRefusesTheDatabase", func(t *testing.T) {
		reasons, err := server.DatabaseProblems(ctx, p.Database, ExamplesIn)
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(reasons, func(r string) bool { return r == exampleReason }), "%v", reasons)
		empty, err := db.Open(ctx, dbtest.New(t).URL)
		require.NoError(t, err)
		t.Cleanup(empty.Close)
		reasons, err = server.DatabaseProblems(ctx, &server.Database{DB: empty}, ExamplesIn)
		require.NoError(t, err)
		require.NotContains(t, reasons, exampleReason)
	})
}

// bitcoinID is the product that the examples trade most.
const bitcoinID = 201

func TestTheDemoRefuses(t *testing.T) {
	t.Parallel()
	t.Run("ProductionMode", func(t *testing.T) {
		t.Parallel()
		require.ErrorIs(t, Command(t.Context(), server.Config{Mode: server.Production}, nil, io.Discard), errDemoInProduction)
	})
	t.Run("AHouseWithPeople", func(t *testing.T) {
		t.Parallel()
		p, _ := newDemoPlatform(t)
		_, err := p.Database.Pool.Exec(t.Context(), `INSERT INTO staff (email, name, state, created_at) VALUES ('somebody@example.com', 'Somebody', 'invited', now())`)
		require.NoError(t, err)
		require.ErrorIs(t, makeExamples(t.Context(), p, io.Discard), errInstallationInUse)
		require.Zero(t, exampleCounts(t, p)["account real"])
	})
}

// TestTheCastIsComplete checks the cast against the needs of the queues, without running the demo.
func TestTheCastIsComplete(t *testing.T) {
	t.Parallel()
	handles, numbers, papers := map[string]bool{}, map[int]bool{}, map[string]int{}
	for _, e := range examples {
		require.False(t, handles[e.handle] || numbers[e.number], e.handle)
		handles[e.handle], numbers[e.number] = true, true
		require.Regexp(t, `^Example `, e.name)
		require.Equal(t, e.bankAdded > 0, e.bank.IBAN != "", e.handle)
		require.False(t, len(e.withdrawals) > 0 && e.bankAdded == 0, "%s has nowhere to send money to", e.handle)
		papers[string(e.identity)]++
	}
	require.Subset(t, slices.Collect(maps.Keys(papers)), []string{"none", "submitted", "in_review", "approved", "resubmission_required"})
	taken := map[staff.Role]bool{}
	for _, c := range colleagues {
		require.True(t, c.role.Known())
		require.NotEqual(t, staff.Role(""), c.role)
		taken[c.role] = true
	}
	for _, role := range staff.Roles {
		require.True(t, taken[role], "nobody shows what a %s does", role)
	}
}
