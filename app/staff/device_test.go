package staff_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/session"
	"candor/app/staff"
	"candor/app/trader"
)

// member is a new member in an installation with two traders, who are unrelated to staff.
func (b *bundle) member(t *testing.T) (root, p staff.Person, traders [2]int64) {
	t.Helper()
	root = b.first(t)
	p = b.join(t, root, "kim@example.com", "Kim")
	for i := range traders {
		err := b.db.Pool.QueryRow(ctx, `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ($1, 'T', '', 'DE', md5($1), now()) RETURNING id`,
			fmt.Sprintf("trader%d@example.com", i)).Scan(&traders[i])
		require.NoError(t, err)
	}
	return root, p, traders
}

// logIn opens a session of the trader app from a device.
func (b *bundle) logIn(t *testing.T, traderID int64, d session.Device) {
	t.Helper()
	var accountID int64
	require.NoError(t, b.db.Pool.QueryRow(ctx, `INSERT INTO accounts (trader_id, kind, book, type, currency) VALUES ($1, 'contract', 'real', 1, 'USDT') RETURNING id`, traderID).Scan(&accountID))
	require.NoError(t, b.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := session.New(b.db, b.clock, nil).OpenTx(ctx, tx, traderID, accountID, d)
		return err
	}))
}

func browser(n int) session.Device { return session.Device{Fingerprint: fmt.Sprintf("%032x", n)} }

// TestABrowserOfTheDesk checks that a trader account used in a member's sign-in browser is the member's own, in either order.
func TestABrowserOfTheDesk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	root, p, traders := b.member(t)
	own := func(member, id int64) error { return trader.CheckConflict(ctx, b.db.Pool, member, id) }
	b.logIn(t, traders[0], browser(1))
	require.NoError(t, own(p.ID, traders[0]))
	require.NoError(t, b.RecordDevice(ctx, p, browser(2), nobody))
	require.NoError(t, own(p.ID, traders[0]), "another browser")
	require.NoError(t, b.RecordDevice(ctx, p, browser(1), nobody))
	require.ErrorIs(t, own(p.ID, traders[0]), trader.ErrOwn)
	require.NoError(t, own(root.ID, traders[0]), "a colleague signs in elsewhere")
	require.NoError(t, own(p.ID, traders[1]))
	b.logIn(t, traders[1], browser(2))
	require.ErrorIs(t, own(p.ID, traders[1]), trader.ErrOwn, "the browser of the desk came first")

	b.clock.Advance(time.Hour)
	require.NoError(t, b.RecordDevice(ctx, p, browser(3), nobody))
	require.NoError(t, b.RecordDevice(ctx, p, browser(1), nobody))
	require.ErrorIs(t, own(p.ID, traders[1]), trader.ErrOwn, "what was seen once stays")
	var first, last time.Time
	require.NoError(t, b.db.Pool.QueryRow(ctx, `SELECT first_seen_at, last_seen_at FROM staff_devices WHERE staff_id = $1 AND fingerprint = $2`, p.ID, browser(1).Hash()).Scan(&first, &last))
	require.Equal(t, time.Hour, last.Sub(first))
}

// TestWhatNoBrowserMadeIsLeftOut checks that values that the trader app would not send are not stored: they would make unrelated traders a member's own.
func TestWhatNoBrowserMadeIsLeftOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.first(t)
	for _, text := range []string{"", "null", strings.Repeat("a", 15), strings.Repeat("a", 65), strings.Repeat("a", 1<<20)} {
		require.NoError(t, b.RecordDevice(ctx, p, session.Device{Fingerprint: text}, nobody))
	}
	var n int
	require.NoError(t, b.db.Pool.QueryRow(ctx, `SELECT count(*) FROM staff_devices`).Scan(&n))
	require.Zero(t, n)
	require.NoError(t, b.RecordDevice(ctx, p, browser(1), nobody))
	require.NoError(t, b.db.Pool.QueryRow(ctx, `SELECT count(*) FROM staff_devices`).Scan(&n))
	require.Equal(t, 1, n)
}

// TestANewBrowserOrNetworkIsTold checks whom a mail follows after a sign-in.
func TestANewBrowserOrNetworkIsTold(t *testing.T) {
	t.Parallel()
	const kind = "staff_new_sign_in"
	at := func(ip string) audit.Actor {
		return audit.Actor{IP: ip, Agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"}
	}
	known := func(t *testing.T) (*bundle, staff.Person) {
		t.Helper()
		b := setup(t)
		p := b.first(t)
		require.NoError(t, b.RecordDevice(ctx, p, browser(1), at("203.0.113.9")))
		return b, p
	}
	t.Run("TheFirstSignInIsNot", func(t *testing.T) {
		t.Parallel()
		b, p := known(t)
		require.Empty(t, b.kinds(t, p.Email))
	})
	t.Run("NorAKnownBrowserInAKnownNetwork", func(t *testing.T) {
		t.Parallel()
		b, p := known(t)
		require.NoError(t, b.RecordDevice(ctx, p, browser(1), at("203.0.113.200")))
		require.NoError(t, b.RecordDevice(ctx, p, browser(1), at("::ffff:203.0.113.1")))
		require.Empty(t, b.kinds(t, p.Email))
	})
	t.Run("ANewBrowserIsOnceWithItsPlace", func(t *testing.T) {
		t.Parallel()
		b, p := known(t)
		b.usePlaces(t)
		for range 2 {
			require.NoError(t, b.RecordDevice(ctx, p, browser(2), at("203.0.113.9")))
		}
		list, err := b.outbox.List(ctx, p.Email, 5)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, kind, list[0].Kind)
		require.Contains(t, list[0].Body, "Chrome, Windows")
		require.Contains(t, list[0].Body, "203.0.113.9 (Lisbon, Portugal)")
	})
	t.Run("ANewNetworkIsOnce", func(t *testing.T) {
		t.Parallel()
		b, p := known(t)
		for _, ip := range []string{"203.0.112.9", "203.0.112.10", "2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:2::1"} {
			require.NoError(t, b.RecordDevice(ctx, p, browser(1), at(ip)))
		}
		require.Equal(t, []string{kind, kind, kind}, b.kinds(t, p.Email))
	})
	t.Run("WhatWasNotSeenFor90DaysIsNew", func(t *testing.T) {
		t.Parallel()
		b, p := known(t)
		b.clock.Advance(89 * 24 * time.Hour)
		require.NoError(t, b.RecordDevice(ctx, p, browser(1), at("203.0.113.9")))
		require.Empty(t, b.kinds(t, p.Email))
		b.clock.Advance(90 * 24 * time.Hour)
		require.NoError(t, b.RecordDevice(ctx, p, browser(1), at("203.0.113.9")))
		require.Equal(t, []string{kind}, b.kinds(t, p.Email))
	})
	t.Run("ABrowserThatHidesIsNewEachTime", func(t *testing.T) {
		t.Parallel()
		b, p := known(t)
		for range 2 {
			require.NoError(t, b.RecordDevice(ctx, p, session.Device{}, at("203.0.113.9")))
		}
		require.Equal(t, []string{kind, kind}, b.kinds(t, p.Email))
	})
	t.Run("WhatAColleagueUsesIsNew", func(t *testing.T) {
		t.Parallel()
		b, p := known(t)
		colleague := b.join(t, p, "kim@example.com", "Kim")
		require.NoError(t, b.RecordDevice(ctx, colleague, browser(3), at("198.51.100.9")))
		before := len(b.kinds(t, colleague.Email))
		require.NoError(t, b.RecordDevice(ctx, colleague, browser(1), at("203.0.113.9")))
		require.Len(t, b.kinds(t, colleague.Email), before+1)
		require.NotContains(t, b.kinds(t, p.Email), kind)
	})
	t.Run("OfManyAtOnceOneIsTold", func(t *testing.T) {
		t.Parallel()
		b, p := known(t)
		var group sync.WaitGroup
		for range 5 {
			group.Go(func() {
				if err := b.RecordDevice(ctx, p, browser(2), at("198.51.100.9")); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.Equal(t, []string{kind}, b.kinds(t, p.Email))
	})
}

// TestSetPhone checks that a number is normalised like traders' numbers, so that a trader with it is the member's own, and that the audit log has who changed
// it.
func TestSetPhone(t *testing.T) {
	t.Parallel()
	t.Run("ATraderWithItIsTheirOwn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		root, p, traders := b.member(t)
		_, err := b.db.Pool.Exec(ctx, `UPDATE traders SET phone = '+491701234567' WHERE id = $1`, traders[0])
		require.NoError(t, err)
		own := func(member, id int64) error { return trader.CheckConflict(ctx, b.db.Pool, member, id) }
		require.NoError(t, own(p.ID, traders[0]))
		require.NoError(t, b.SetPhone(ctx, by(root), p.ID, p.Version, " +49 (170) 123-4567 "))
		require.Equal(t, "+491701234567", *b.read(t, p.ID).Phone)
		require.ErrorIs(t, own(p.ID, traders[0]), trader.ErrOwn)
		require.NoError(t, own(p.ID, traders[1]))
		require.NoError(t, own(root.ID, traders[0]))
		require.NoError(t, b.SetPhone(ctx, by(root), p.ID, p.Version+1, "+49 170 1234568"))
		require.NoError(t, own(p.ID, traders[0]), "another number")
		require.NoError(t, b.SetPhone(ctx, by(root), p.ID, p.Version+2, " "))
		require.Nil(t, b.read(t, p.ID).Phone)
	})
	t.Run("IsLogged", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		root, p, _ := b.member(t)
		require.NoError(t, b.SetPhone(ctx, by(root), p.ID, p.Version, "+491701234567"))
		require.NoError(t, b.SetPhone(ctx, by(root), p.ID, p.Version+1, ""))
		list, _, err := audit.NewLog(b.db).List(ctx, audit.Filter{Action: "staff.set_phone"})
		require.NoError(t, err)
		require.Len(t, list, 2)
		require.Equal(t, root.ID, list[0].ActorID)
		require.Contains(t, list[0].Before, `"phone":"+49***67"`)
		require.NotContains(t, list[0].After, "phone")
		require.NotContains(t, list[1].Before, "phone")
		require.Contains(t, list[1].After, `"phone":"+49***67"`)
	})
	t.Run("OneselfAnOldVersionAndNoNumberAreRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		root, p, _ := b.member(t)
		require.ErrorIs(t, b.SetPhone(ctx, by(p), p.ID, p.Version, ""), staff.ErrSelf)
		require.ErrorIs(t, b.SetPhone(ctx, by(root), p.ID, p.Version-1, ""), db.ErrChanged)
		for _, wrong := range []string{"0170 1234567", "+49", "+49 170 12", "x", "+999 1234567"} {
			require.ErrorContains(t, b.SetPhone(ctx, by(root), p.ID, p.Version, wrong), "phone", wrong)
		}
		require.Equal(t, p.Version, b.read(t, p.ID).Version)
		require.Zero(t, b.logged(t, "staff.set_phone", audit.Done))
	})
}
