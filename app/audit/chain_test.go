package audit_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/seal"
)

// patience bounds the wait for transactions of other tests: they delay final rows, because the server's transaction numbers are shared.
const patience = time.Minute

type bundle struct {
	*testing.T
	db    *db.DB
	super *pgx.Conn
	dir   string
	chain *audit.Chain
}

func setup(t *testing.T) *bundle {
	t.Helper()
	addresses := dbtest.New(t)
	d, err := db.Open(t.Context(), addresses.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	super, err := pgx.Connect(t.Context(), addresses.SuperURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = super.Close(context.Background()) })
	dir := t.TempDir()
	b := &bundle{T: t, db: d, super: super, dir: dir}
	b.chain = b.newChain(dir)
	return b
}

func (b *bundle) newChain(dir string) *audit.Chain {
	b.Helper()
	key, err := seal.LoadKey(b.dir)
	require.NoError(b, err)
	return audit.NewChain(audit.Entries, b.db, clock.NewFixed(start), key, seal.NewCheckpointStore(dir, "audit"))
}

// in is the bundle for a subtest, on the same database.
func (b *bundle) in(t *testing.T) *bundle {
	other := *b
	other.T = t
	return &other
}

// entry is an act on deposit n.
func entry(n int) audit.Entry {
	actor := audit.Actor{
		Kind: audit.Staff, ID: 101, Name: "Finance maker 02", Roles: "finance_maker,support_agent", IP: "192.0.2.7", Agent: "Mozilla/5.0 Firefox/140.0", TraceID: "trace-0001",
	}
	e := audit.By(actor, start, "deposit.approve", "deposit", n)
	e.Before, e.After = `{"state":"in_review"}`, `{"state":"credited"}`
	return e
}

// record writes n entries in one transaction, so that one seal takes them all.
func (b *bundle) record(n int) {
	b.Helper()
	require.NoError(b, b.tryRecord(n))
}

func (b *bundle) tryRecord(n int) error {
	return b.db.InTx(b.Context(), func(tx *db.Tx) error {
		for i := range n {
			if err := audit.RecordTx(b.Context(), tx, entry(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

// seal seals until n entries are sealed.
func (b *bundle) seal(n int) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), patience)
	defer cancel()
	for sealed := 0; sealed < n; {
		more, err := b.chain.Seal(ctx)
		require.NoError(b, err)
		sealed += more
		require.LessOrEqual(b, sealed, n, "an entry was sealed twice")
	}
}

// fill makes three batches of three entries: ids 1 to 9.
func (b *bundle) fill() *bundle {
	b.Helper()
	for range 3 {
		b.record(3)
		b.seal(3)
	}
	return b
}

func (b *bundle) tamper(sql string, args ...any) {
	b.Helper()
	_, err := b.super.Exec(b.Context(), `SET session_replication_role = replica`)
	require.NoError(b, err)
	_, err = b.super.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

// keep saves all entries and heads for restore.
func (b *bundle) keep() {
	b.Helper()
	b.tamper(`CREATE TABLE kept_entries AS TABLE audit_entries; CREATE TABLE kept_heads AS TABLE audit_heads`)
}

func (b *bundle) restore() {
	b.Helper()
	b.tamper(`TRUNCATE audit_entries, audit_heads;
		INSERT INTO audit_entries OVERRIDING SYSTEM VALUE TABLE kept_entries; INSERT INTO audit_heads TABLE kept_heads`)
}

func (b *bundle) verify() *audit.Problem {
	b.Helper()
	problem, _, err := b.chain.Verify(b.Context())
	require.NoError(b, err)
	return problem
}

// requireProved requires a valid chain with every entry in exactly one batch.
func (b *bundle) requireProved(n int) {
	b.Helper()
	problem, proved, err := b.chain.Verify(b.Context())
	require.NoError(b, err)
	require.Nil(b, problem)
	require.EqualValues(b, n, proved)
	var once int
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `
		SELECT count(*) FROM audit_entries e
		WHERE 1 = (SELECT count(*) FROM audit_heads h CROSS JOIN LATERAL unnest(h.ids) AS covered (id) WHERE covered.id = e.id)`).Scan(&once))
	require.Equal(b, n, once)
}

func TestRecord(t *testing.T) {
	t.Parallel()

	t.Run("ActAndEntryShareOneFate", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		refusal := errors.New("no")
		err := b.db.InTx(t.Context(), func(tx *db.Tx) error {
			require.NoError(t, audit.RecordTx(t.Context(), tx, entry(1)))
			return refusal
		})
		require.ErrorIs(t, err, refusal)
		list, _, err := audit.NewLog(b.db).List(t.Context(), audit.Filter{})
		require.NoError(t, err)
		require.Empty(t, list)
		b.record(1)
		list, _, err = audit.NewLog(b.db).List(t.Context(), audit.Filter{})
		require.NoError(t, err)
		require.Len(t, list, 1)
	})
	t.Run("UnknownKindOfActorOrResultIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		nobody, maybe := entry(1), entry(1)
		nobody.ActorKind, maybe.Result = "ghost", "maybe"
		for _, e := range []audit.Entry{nobody, maybe} {
			require.ErrorContains(t, audit.NewLog(b.db).Record(t.Context(), e), "22P02")
		}
	})
}

func TestSeal(t *testing.T) {
	t.Parallel()

	t.Run("WithoutNewEntriesThereIsNoBatch", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		sealed, err := b.chain.Seal(t.Context())
		require.NoError(t, err)
		require.Zero(t, sealed)
		b.requireProved(0)
		b.fill()
		sealed, err = b.chain.Seal(t.Context())
		require.NoError(t, err)
		require.Zero(t, sealed)
		b.requireProved(9)
	})
	t.Run("ALateCommitterIsSealedByTheNext", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.record(1)
		late, err := b.db.Pool.Begin(t.Context())
		require.NoError(t, err)
		defer func() { _ = late.Rollback(context.Background()) }()
		require.NoError(t, audit.RecordTx(t.Context(), &db.Tx{Conn: late}, entry(2)))
		b.record(1)
		b.seal(1) // only the first: the third belongs to a later transaction than one still running
		sealed, err := b.chain.Seal(t.Context())
		require.NoError(t, err)
		require.Zero(t, sealed)
		require.NoError(t, late.Commit(t.Context()))
		b.seal(2)
		b.requireProved(3)
	})
	t.Run("OneThatNeverCommitsHoldsNothingBack", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		late, err := b.db.Pool.Begin(t.Context())
		require.NoError(t, err)
		require.NoError(t, audit.RecordTx(t.Context(), &db.Tx{Conn: late}, entry(1)))
		b.record(1)
		require.NoError(t, late.Rollback(t.Context()))
		b.seal(1)
		b.requireProved(1)
	})
	t.Run("ATransactionIsNeverSplitOverBatches", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		const many = 5_003
		_, err := b.db.Pool.Exec(t.Context(), `
			INSERT INTO audit_entries (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after)
			SELECT $2, 'system', 0, 'job', 'deposit.expire', 'deposit', n::text, 'done', '', '', '', '' FROM generate_series(1, $1) n`, many, start)
		require.NoError(t, err)
		b.record(2)
		b.seal(many + 2)
		b.requireProved(many + 2)
		var whole bool
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT count = $1 FROM audit_heads WHERE batch = 1`, many).Scan(&whole))
		require.True(t, whole)
	})
	t.Run("ParallelSealersSealEachEntryOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		const sealers, writers, each = 4, 4, 15
		var writing, sealing errgroup.Group
		written := make(chan struct{})
		for range sealers {
			sealing.Go(func() error {
				for {
					select {
					case <-written:
						return nil
					default:
					}
					if _, err := b.chain.Seal(t.Context()); err != nil {
						return err
					}
				}
			})
		}
		for range writers {
			writing.Go(func() (err error) {
				for range each {
					err = errors.Join(err, b.tryRecord(1))
				}
				return err
			})
		}
		require.NoError(t, writing.Wait())
		close(written)
		require.NoError(t, sealing.Wait())
		var sealed int
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT coalesce(sum(count), 0) FROM audit_heads`).Scan(&sealed))
		b.seal(writers*each - sealed)
		b.requireProved(writers * each)
	})
	t.Run("AHeadThatCannotBeKeptOutsideIsAnError", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, os.WriteFile(filepath.Join(b.dir, "heads"), nil, 0o600))
		b.record(1)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		sealed, err := 0, error(nil)
		for sealed == 0 && ctx.Err() == nil {
			sealed, err = b.chain.Seal(ctx)
		}
		require.Equal(t, 1, sealed)
		require.ErrorContains(t, err, "heads")
		require.Contains(t, b.verify().What, "can't be read")
	})
}

func TestVerify(t *testing.T) {
	t.Parallel()

	t.Run("UntouchedIsProvedAndWhatIsNotSealedYetIsPassedOver", func(t *testing.T) {
		t.Parallel()
		b := setup(t).fill()
		b.requireProved(9)
		b.record(1)
		problem, proved, err := b.chain.Verify(t.Context())
		require.NoError(t, err)
		require.Nil(t, problem)
		require.EqualValues(t, 9, proved)
	})

	tampers := []struct {
		name, sql  string
		table, row string
		what       string
	}{
		{"ChangedTime", `UPDATE audit_entries SET at = at + interval '1 microsecond' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedKind", `UPDATE audit_entries SET actor_kind = 'system' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedActor", `UPDATE audit_entries SET actor_id = 102 WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedName", `UPDATE audit_entries SET actor_name = 'Finance maker 03' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedAction", `UPDATE audit_entries SET action = 'deposit.reject' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedTargetKind", `UPDATE audit_entries SET target_kind = 'trader' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedTarget", `UPDATE audit_entries SET target_id = '50002' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedResult", `UPDATE audit_entries SET result = 'denied' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedIP", `UPDATE audit_entries SET ip = '' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedTrace", `UPDATE audit_entries SET trace_id = 'trace-0002' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedBefore", `UPDATE audit_entries SET before = before || ' ' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedAfter", `UPDATE audit_entries SET after = '' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedRoles", `UPDATE audit_entries SET actor_roles = 'finance_lead' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"ChangedAgent", `UPDATE audit_entries SET agent = 'curl/8' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"RolesTakenOff", `UPDATE audit_entries SET actor_roles = '' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"MadeToLookOld", `UPDATE audit_entries SET actor_roles = '', agent = '' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"RolesMovedIntoTheAgent", `UPDATE audit_entries SET actor_roles = '', agent = actor_roles || agent WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"TextMovedBetweenNeighbours", `UPDATE audit_entries SET ip = ip || left(trace_id, 1), trace_id = substr(trace_id, 2) WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"TheFirstOfSeveral", `UPDATE audit_entries SET ip = '' WHERE id IN (4, 6, 9)`, "audit_entries", "id 4", "altered"},
		{"ChangedTransaction", `UPDATE audit_entries SET xid = '1' WHERE id = 5`, "audit_entries", "id 5", "another transaction"},
		{"TransactionMovedOn", `UPDATE audit_entries SET xid = '9000000000' WHERE id = 9`, "audit_heads", "batch 3", "last row's transaction"},
		{"RowRemovedFromTheMiddle", `DELETE FROM audit_entries WHERE id = 5`, "audit_entries", "id 5", "missing"},
		{"LastRowRemoved", `DELETE FROM audit_entries WHERE id = 9`, "audit_entries", "id 9", "missing"},
		{"AlteredBeforeRemoved", `WITH gone AS (DELETE FROM audit_entries WHERE id = 6) UPDATE audit_entries SET ip = '' WHERE id = 5`, "audit_entries", "id 5", "altered"},
		{"RowInsertedBehind", `
			INSERT INTO audit_entries (id, xid, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after)
			OVERRIDING SYSTEM VALUE
			SELECT 99, xid, at, actor_kind, 999, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after FROM audit_entries WHERE id = 5`,
			"audit_entries", "id 99", "behind"},
		{"RowsReordered", `UPDATE audit_entries a SET target_id = b.target_id FROM audit_entries b WHERE (a.id, b.id) IN ((4, 5), (5, 4))`, "audit_entries", "id 4", "altered"},
		{"HeadPrevious", `UPDATE audit_heads SET previous = root WHERE batch = 2`, "audit_heads", "batch 2", "does not follow"},
		{"HeadRoot", `UPDATE audit_heads SET root = previous WHERE batch = 2`, "audit_heads", "batch 2", "hash or signature"},
		{"HeadCount", `UPDATE audit_heads SET count = count + 1 WHERE batch = 2`, "audit_heads", "batch 2", "hash or signature"},
		{"HeadTime", `UPDATE audit_heads SET sealed_at = sealed_at + interval '1 ms' WHERE batch = 2`, "audit_heads", "batch 2", "hash or signature"},
		{"HeadHash", `UPDATE audit_heads SET hash = root WHERE batch = 2`, "audit_heads", "batch 2", "hash or signature"},
		{"HeadSignature", `UPDATE audit_heads SET signature = set_byte(signature, 7, 255 - get_byte(signature, 7)) WHERE batch = 2`, "audit_heads", "batch 2", "hash or signature"},
		{"HeadUntil", `UPDATE audit_heads SET until_xid = '1' WHERE batch = 2`, "audit_heads", "batch 2", "last row's transaction"},
		{"HeadUntilOfTheLast", `UPDATE audit_heads SET until_xid = '9000000000' WHERE batch = 3`, "audit_heads", "batch 3", "last row's transaction"},
		{"HeadLeaves", `UPDATE audit_heads SET leaves = set_byte(leaves, 9, 255 - get_byte(leaves, 9)) WHERE batch = 2`, "audit_heads", "batch 2", "leaves"},
		{"HeadLeavesCut", `UPDATE audit_heads SET leaves = '' WHERE batch = 2`, "audit_heads", "batch 2", "leaves"},
		{"HeadIDs", `UPDATE audit_heads SET ids = ids[1:2] WHERE batch = 2`, "audit_heads", "batch 2", "root"},
		{"HeadIDsReordered", `UPDATE audit_heads SET ids = ARRAY[4, 6, 5] WHERE batch = 2`, "audit_entries", "id 6", "altered"},
		{"HeadsSwapped", `UPDATE audit_heads SET batch = CASE batch WHEN 1 THEN 102 WHEN 2 THEN 101 END WHERE batch < 3;
			UPDATE audit_heads SET batch = batch - 100 WHERE batch > 100`, "audit_heads", "batch 1", "does not follow"},
		{"HeadRemoved", `DELETE FROM audit_heads WHERE batch = 2`, "audit_heads", "batch 2", "missing"},
		{"TailCut", `DELETE FROM audit_heads WHERE batch = 3; DELETE FROM audit_entries WHERE id > 6`, "audit_heads", "batch 3", "kept outside"},
		{"LongTailCut", `DELETE FROM audit_heads WHERE batch > 1; DELETE FROM audit_entries WHERE id > 3`, "audit_heads", "batch 2", "go on to batch 3"},
		{"AllCut", `DELETE FROM audit_heads; DELETE FROM audit_entries`, "audit_heads", "batch 1", "go on to batch 3"},
	}
	shared := setup(t).fill()
	shared.keep()
	for _, tamper := range tampers {
		t.Run("Names/"+tamper.name, func(t *testing.T) {
			b := shared.in(t)
			defer b.restore()
			b.tamper(tamper.sql)
			problem := b.verify()
			require.NotNil(t, problem, "not noticed")
			require.Equal(t, []string{tamper.table, tamper.row}, []string{problem.Table, problem.Row}, problem.What)
			require.Contains(t, problem.What, tamper.what)
		})
	}
	shared.requireProved(9)

	t.Run("Names/RolesAndAgentGivenToAnOldEntry", func(t *testing.T) {
		t.Parallel()
		for _, sql := range []string{`SET actor_roles = 'finance_lead'`, `SET agent = 'curl/8'`} {
			b := setup(t)
			old := entry(1)
			old.ActorRoles, old.Agent = "", "" // as before roles and agents were stored
			require.NoError(t, audit.NewLog(b.db).Record(t.Context(), old))
			b.record(1)
			b.seal(2)
			b.requireProved(2)
			b.tamper(`UPDATE audit_entries ` + sql + ` WHERE id = 1`)
			require.Equal(t, &audit.Problem{Table: "audit_entries", Row: "id 1", What: "was altered after it was sealed"}, b.verify())
		}
	})
	t.Run("Names/TailCutAndSealedAnew", func(t *testing.T) {
		t.Parallel()
		b := setup(t).fill()
		b.tamper(`DELETE FROM audit_heads WHERE batch > 1; DELETE FROM audit_entries WHERE id > 3`)
		b.record(4)
		b.seal(4)
		b.record(1)
		b.seal(1)
		require.Equal(t, &audit.Problem{Table: "audit_heads", Row: "batch 2", What: "differs from the head kept outside"}, b.verify())
	})
	t.Run("Names/HeadSignedWithAnotherKey", func(t *testing.T) {
		t.Parallel()
		b := setup(t).fill()
		_, forger, err := ed25519.GenerateKey(nil)
		require.NoError(t, err)
		var hash []byte
		require.NoError(t, b.super.QueryRow(t.Context(), `SELECT hash FROM audit_heads WHERE batch = 3`).Scan(&hash))
		b.tamper(`UPDATE audit_heads SET signature = $1 WHERE batch = 3`, ed25519.Sign(forger, hash))
		require.Equal(t, "batch 3", b.verify().Row)
	})
	t.Run("Names/HeadsKeptOutsideAreGone", func(t *testing.T) {
		t.Parallel()
		b := setup(t).fill()
		path := filepath.Join(b.dir, "heads", "audit.jsonl")
		require.NoError(t, os.Remove(path))
		require.Equal(t, path, b.verify().Row)
	})
	t.Run("ALineMissingOutsideIsNoTampering", func(t *testing.T) {
		t.Parallel()
		b := setup(t).fill()
		b.chain = b.newChain(t.TempDir()) // a crash between the commit and the checkpoint, or another server
		b.record(1)
		b.seal(1)
		b.requireProved(10)
	})
}

// TestEveryRandomTamperingIsNoticed edits, removes, swaps and cuts at random positions of one chain, and restores it after each.
func TestEveryRandomTamperingIsNoticed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const batches, size = 8, 5
	for range batches {
		b.record(size)
		b.seal(size)
	}
	b.keep()
	columns := []string{"actor_id = actor_id + 1", "at = at - interval '1 s'", "action = action || '.'", "result = 'failed'", "target_id = ''", "after = upper(after)", "actor_roles = 'risk'", "agent = agent || '.'"}
	for n := range 120 {
		id, batch := 1+n*7%(batches*size), 1+n%batches
		sql := ""
		switch n % 5 {
		case 0, 1:
			sql = fmt.Sprintf(`UPDATE audit_entries SET %s WHERE id = %d`, columns[n%len(columns)], id)
		case 2:
			sql = fmt.Sprintf(`DELETE FROM audit_entries WHERE id = %d`, id)
		case 3:
			sql = fmt.Sprintf(`UPDATE audit_heads SET root = hash WHERE batch = %d`, batch)
		case 4:
			sql = fmt.Sprintf(`DELETE FROM audit_heads WHERE batch >= %d; DELETE FROM audit_entries WHERE id > %d`, batch, (batch-1)*size)
		}
		b.tamper(sql)
		require.NotNil(t, b.verify(), "not noticed: %s", sql)
		b.restore()
	}
	b.requireProved(batches * size)
}

// TestVerifyComparesNoEntryWithEachSealedOne: with 6,000 entries in 30 batches, nothing is joined by comparing each row with each.
func TestVerifyComparesNoEntryWithEachSealedOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.super.Exec(t.Context(), `
		INSERT INTO audit_entries (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, result, ip, trace_id, before, after)
			SELECT now(), 'system', 0, '', '', '', 0, 'done', '', '', '', '' FROM generate_series(1, 6000);
		SET session_replication_role = replica;
		INSERT INTO audit_heads (batch, previous, root, count, sealed_at, hash, signature, until_xid, ids, leaves)
			SELECT n, '', '', 200, now(), decode(md5(n::text), 'hex'), '', (SELECT (max(xid::text::bigint) + n)::text::xid8 FROM audit_entries),
				array(SELECT id FROM audit_entries ORDER BY id OFFSET 200 * (n - 1) LIMIT 200), '' FROM generate_series(1, 30) n;
		SET session_replication_role = origin;
		ANALYZE audit_entries, audit_heads`)
	require.NoError(t, err)
	e := dbtest.Explain(b.db.Pool)
	problem, err := b.chain.CheckUncovered(t.Context(), e)
	require.NoError(t, err)
	require.Nil(t, problem)
	e.RequireNoSquare(t)
	_, err = b.super.Exec(t.Context(), `UPDATE audit_heads SET ids = ids[2:] WHERE batch = 7`)
	require.NoError(t, err)
	problem, err = b.chain.CheckUncovered(t.Context(), e)
	require.NoError(t, err)
	require.Equal(t, "was added behind the sealed ones", problem.What)
}
