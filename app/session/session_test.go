package session_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/platform/db"
	"candor/app/session"
)

const day = 24 * time.Hour

func TestToken(t *testing.T) {
	t.Parallel()

	t.Run("StandsForItsTraderAccountAndDevice", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		mine, theirs := b.account(), b.account()
		first, second, other := b.requireAlive(b.login(mine, 1)), b.requireAlive(b.login(mine, 1)), b.requireAlive(b.login(theirs, 1))
		require.Equal(t, []int64{mine.TraderID, mine.ID}, []int64{first.TraderID, first.AccountID})
		require.Equal(t, []int64{theirs.TraderID, theirs.ID}, []int64{other.TraderID, other.AccountID})
		require.Equal(t, first.DeviceID, second.DeviceID)
		require.NotEqual(t, first.SessionID, second.SessionID)
		require.NotEqual(t, first.DeviceID, other.DeviceID, "the same device of another trader is another one")
	})
	t.Run("IsNowhereInADumpOfTheDatabase", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.login(b.account(), 1)
		p := b.requireAlive(opened)
		switched, err := b.switchTo(p, p.AccountID)
		require.NoError(t, err)
		dump := b.dump()
		for _, token := range []string{opened, switched} {
			raw, err := base64.RawURLEncoding.DecodeString(token)
			require.NoError(t, err)
			require.Contains(t, dump, hex.EncodeToString(session.HashToken(token)), "the dump has the hash")
			for _, form := range []string{token, hex.EncodeToString(raw), hex.EncodeToString([]byte(token)), device(1).Fingerprint} {
				require.NotContains(t, dump, form)
			}
		}
	})
	t.Run("HasTwoHundredAndFiftySixBitsAndIsNeverTheSame", func(t *testing.T) {
		t.Parallel()
		seen := map[string]bool{}
		for range 1_000 {
			token, hash := session.NewToken()
			raw, err := base64.RawURLEncoding.DecodeString(token)
			require.NoError(t, err)
			require.Len(t, raw, 32)
			require.Equal(t, session.HashToken(token), hash)
			seen[token] = true
		}
		require.Len(t, seen, 1_000)
	})
	t.Run("UnknownIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token := b.login(b.account(), 1)
		stranger, _ := session.NewToken()
		for _, text := range []string{
			"", " ", "null", stranger, token[1:], token + "A", strings.ToUpper(token) + "x", strings.Repeat("A", 100_000), "\xff" + token[1:],
			hex.EncodeToString(session.HashToken(token)), base64.RawURLEncoding.EncodeToString(session.HashToken(token)),
		} {
			b.requireDead(text)
		}
		b.requireAlive(token)
	})
	t.Run("LogoutEndsItAndNoOther", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.account()
		token, other := b.login(a, 1), b.login(a, 2)
		var ended []int64
		b.sessions.OnEnded(func(id int64) { ended = append(ended, id) })
		p := b.requireAlive(token)
		require.NoError(t, b.sessions.End(t.Context(), p.SessionID))
		b.requireDead(token)
		b.requireAlive(other)
		require.Equal(t, []int64{p.SessionID}, ended)
		require.NoError(t, b.sessions.End(t.Context(), p.SessionID))
		b.requireDead(token)
	})
	t.Run("ALogoutThatIsRolledBackEndsNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token := b.login(b.account(), 1)
		told := false
		b.sessions.OnEnded(func(int64) { told = true })
		refusal := errors.New("no")
		p := b.requireAlive(token)
		require.ErrorIs(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			require.NoError(t, b.sessions.EndTx(t.Context(), tx, p.SessionID))
			return refusal
		}), refusal)
		b.requireAlive(token)
		require.False(t, told)
	})
	t.Run("LivesThirtyDaysAtMost", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token := b.login(b.account(), 1)
		for range 30 {
			b.requireAlive(token)
			b.clock.Advance(day)
		}
		b.requireAlive(token)
		b.clock.Advance(time.Millisecond)
		b.requireDead(token)
	})
	t.Run("DiesAfterSevenIdleDays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.account()
		used, left := b.login(a, 1), b.login(a, 2)
		b.clock.Advance(7 * day)
		b.requireAlive(used)
		b.clock.Advance(time.Millisecond)
		b.requireDead(left)
		b.clock.Advance(7*day - time.Millisecond)
		b.requireAlive(used)
	})
	t.Run("OneThatDiedOfIdlenessDoesNotComeBackByBeingAskedFor", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token := b.login(b.account(), 1)
		b.clock.Advance(7*day + time.Millisecond)
		b.requireDead(token)
		b.requireDead(token)
	})
}

// dump returns every row of every table as text.
func (b *bundle) dump() string {
	b.Helper()
	rows, err := b.db.Pool.Query(b.Context(), `SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`)
	require.NoError(b, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b, err)
	var out strings.Builder
	for _, table := range tables {
		var text string
		require.NoError(b, b.db.Pool.QueryRow(b.Context(), `SELECT coalesce(string_agg(row::text, E'\n'), '') FROM `+table+` row`).Scan(&text))
		out.WriteString(text)
	}
	return out.String()
}

func (b *bundle) switchTo(p session.Principal, accountID int64) (token string, err error) {
	err = b.db.InTx(b.Context(), func(tx *db.Tx) error {
		token, err = b.sessions.SwitchTx(b.Context(), tx, p, accountID)
		return err
	})
	return token, err
}

func TestSwitch(t *testing.T) {
	t.Parallel()

	t.Run("ANewTokenLivesAndTheOldOneIsDead", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a, other := b.account(), b.account()
		old := b.login(a, 1)
		before := b.requireAlive(old)
		var ended []int64
		b.sessions.OnEnded(func(id int64) { ended = append(ended, id) })
		token, err := b.switchTo(before, other.ID)
		require.NoError(t, err)
		require.NotEqual(t, old, token)
		after := b.requireAlive(token)
		require.Equal(t, []int64{before.TraderID, other.ID, before.DeviceID}, []int64{after.TraderID, after.AccountID, after.DeviceID})
		b.requireDead(old)
		require.Equal(t, []int64{before.SessionID}, ended)
	})
	t.Run("DoesNotProlongTheThirtyDays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		token := b.login(b.account(), 1)
		for range 30 {
			p, err := b.sessions.Check(t.Context(), token, session.Device{})
			require.NoError(t, err)
			token, err = b.switchTo(p, p.AccountID)
			require.NoError(t, err)
			b.clock.Advance(day)
		}
		b.requireAlive(token)
		b.clock.Advance(time.Millisecond)
		b.requireDead(token)
	})
	t.Run("OfEightAtOnceOneOpens", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.requireAlive(b.login(b.account(), 1))
		var opened, refused atomic.Int32
		var group errgroup.Group
		for range 8 {
			group.Go(func() error {
				switch _, err := b.switchTo(p, p.AccountID); {
				case err == nil:
					opened.Add(1)
				case errors.Is(err, session.ErrToken):
					refused.Add(1)
				default:
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.Equal(t, []int32{1, 7}, []int32{opened.Load(), refused.Load()})
	})
	t.Run("AfterALogoutThereIsNothingToSwitch", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := b.requireAlive(b.login(b.account(), 1))
		require.NoError(t, b.sessions.End(t.Context(), p.SessionID))
		_, err := b.switchTo(p, p.AccountID)
		require.ErrorIs(t, err, session.ErrToken)
		_, err = b.switchTo(session.Principal{SessionID: 424242}, p.AccountID)
		require.ErrorIs(t, err, session.ErrToken)
	})
	t.Run("OneThatIsRolledBackLeavesTheOldOneAlive", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		old := b.login(b.account(), 1)
		p := b.requireAlive(old)
		told := false
		b.sessions.OnEnded(func(int64) { told = true })
		refusal := errors.New("no")
		token := ""
		require.ErrorIs(t, b.db.InTx(t.Context(), func(tx *db.Tx) (err error) {
			token, err = b.sessions.SwitchTx(t.Context(), tx, p, p.AccountID)
			return errors.Join(err, refusal)
		}), refusal)
		b.requireAlive(old)
		b.requireDead(token)
		require.False(t, told)
	})
}

func TestDevice(t *testing.T) {
	t.Parallel()
	known := func(b *bundle, trader int64, d session.Device) (known bool) {
		require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
			known, err = b.sessions.KnownTx(b.Context(), tx, trader, d)
			return err
		}))
		return known
	}

	t.Run("IsKnownToTheTraderWhoUsedIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		mine, theirs := b.account(), b.account()
		require.False(t, known(b, mine.TraderID, device(1)))
		b.login(mine, 1)
		require.True(t, known(b, mine.TraderID, device(1)))
		require.False(t, known(b, mine.TraderID, device(2)))
		require.False(t, known(b, theirs.TraderID, device(1)))
	})
	t.Run("IsStrangeToWhoUsedOthersOnly", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		mine, theirs := b.account(), b.account()
		strange := func(trader int64, d session.Device) (strange bool) {
			require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) (err error) {
				strange, err = b.sessions.StrangeTx(b.Context(), tx, trader, d)
				return err
			}))
			return strange
		}
		require.False(t, strange(mine.TraderID, device(1)), "the first of all")
		b.login(mine, 1)
		require.False(t, strange(mine.TraderID, device(1)))
		require.True(t, strange(mine.TraderID, device(2)))
		require.False(t, strange(theirs.TraderID, device(2)))
		b.login(mine, 2)
		require.False(t, strange(mine.TraderID, device(1)))
		require.False(t, strange(mine.TraderID, device(2)))
	})
	t.Run("IsNamedAfterItsBrowserWhateverTheHeaderSays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.account()
		for agent, want := range map[string]string{
			chrome: "Chrome, Windows", "": "Unknown device", "curl/8": "Unknown device",
			"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox, Linux",
			"Confirm at candor-security.example/login (Linux)":                       "Unknown device", strings.Replace(chrome, "Safari/", "candor-security.example/1 Safari/", 1): "Unknown device",
			"\xff\xfe/1.0 (Linux)": "Unknown device", "a\x00b/1.0 (Linux)": "Unknown device",
			strings.Repeat("a", 10_000) + "/1.0 (Linux)": "Unknown device",
		} {
			require.NoError(t, b.db.InTx(context.Background(), func(tx *db.Tx) error {
				_, err := b.sessions.OpenTx(t.Context(), tx, a.TraderID, a.ID, session.Device{Fingerprint: agent, UserAgent: agent, IP: ip})
				return err
			}))
			var name string
			require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT name FROM devices ORDER BY id DESC LIMIT 1`).Scan(&name))
			require.Equal(t, want, name, "%.40q", agent)
		}
	})
}
