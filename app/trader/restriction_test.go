package trader_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/notice"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/events"
	"candor/app/trader"
)

// hire inserts a member of staff.
func (b *bundle) hire(name string) audit.Actor {
	b.Helper()
	var id int64
	require.NoError(b, b.db.Pool.QueryRow(b.Context(),
		`INSERT INTO staff (email, name, state, created_at) VALUES (md5($1), $1, 'active', now()) RETURNING id`, name).Scan(&id))
	return audit.Actor{Kind: audit.Staff, ID: id, Name: name}
}

func restrictionRequest(traderID int64, kind trader.RestrictionKind, life time.Duration) trader.RestrictionRequest {
	return trader.RestrictionRequest{TraderID: traderID, Kind: kind, Reason: "unusual_activity", Note: "Case 4711", Life: life}
}

// restrict sets a restriction by a new member of staff.
func (b *bundle) restrict(traderID int64, kind trader.RestrictionKind, life time.Duration) trader.Restriction {
	b.Helper()
	r, err := b.traders.Restrict(b.Context(), b.hire(string(kind)+b.clock.Now().String()), restrictionRequest(traderID, kind, life))
	require.NoError(b, err)
	return r
}

func (b *bundle) activeKinds(traderID int64) (kinds []trader.RestrictionKind) {
	b.Helper()
	list, err := b.traders.Restrictions(b.Context(), traderID)
	require.NoError(b, err)
	for _, r := range list {
		kinds = append(kinds, r.Kind)
	}
	return kinds
}

func TestRestrict(t *testing.T) {
	t.Parallel()

	t.Run("OneOfAKindLivesUntilItsTimeIsOver", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		id, other := opened.Trader.ID, b.register(bert).Trader.ID
		risk := b.hire("Risk 01")
		version := b.account(opened.Account.ID).Version
		r, err := b.traders.Restrict(t.Context(), risk, restrictionRequest(id, trader.RestrictTrade, time.Hour))
		require.NoError(t, err)
		require.Equal(t, start.Add(time.Hour), *r.UntilAt)
		require.Equal(t, version+1, b.account(opened.Account.ID).Version, "what the engine remembers is stale")
		require.Equal(t, []int64{opened.Account.ID}, b.changed)
		_, err = b.traders.Restrict(t.Context(), b.hire("Risk 02"), restrictionRequest(id, trader.RestrictTrade, 0))
		require.ErrorIs(t, err, trader.ErrRestricted)
		_, err = b.traders.Restrict(t.Context(), risk, restrictionRequest(id, trader.RestrictWithdraw, 0))
		require.NoError(t, err, "another kind beside it")
		require.Equal(t, []trader.RestrictionKind{trader.RestrictTrade, trader.RestrictWithdraw}, b.activeKinds(id))
		require.Empty(t, b.activeKinds(other))
		b.clock.Advance(time.Hour - time.Millisecond)
		require.Len(t, b.activeKinds(id), 2)
		b.clock.Advance(time.Millisecond)
		require.Equal(t, []trader.RestrictionKind{trader.RestrictWithdraw}, b.activeKinds(id))
		_, err = b.traders.Restrict(t.Context(), risk, restrictionRequest(id, trader.RestrictTrade, 0))
		require.NoError(t, err, "after the first is over")
		history, err := b.traders.RestrictionHistory(t.Context(), id, 10)
		require.NoError(t, err)
		require.Len(t, history, 3)
		require.Equal(t, start.Add(time.Hour), history[2].EndedAt.UTC())
		require.Nil(t, history[2].LiftedBy)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.restrict' AND actor_id = $1 AND
			after = '{"kind":"trade","note":"Case 4711","reason":"unusual_activity","until":"2026-11-20T13:00:00Z"}'`, risk.ID))
	})
	t.Run("OnlyWithAKindAReasonANoteAndALifeWithinBounds", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		by := b.hire("Risk 01")
		for field, change := range map[string]func(*trader.RestrictionRequest){
			"kind": func(r *trader.RestrictionRequest) { r.Kind = "deposit" }, "reason": func(r *trader.RestrictionRequest) { r.Reason = "because" },
			"life": func(r *trader.RestrictionRequest) { r.Life = time.Hour - 1 }, "note": func(r *trader.RestrictionRequest) { r.Note = "" },
		} {
			wanted := restrictionRequest(id, trader.RestrictTrade, time.Hour)
			change(&wanted)
			_, err := b.traders.Restrict(t.Context(), by, wanted)
			require.NotNil(t, errs.As(err), field)
			require.Contains(t, errs.As(err).Fields, field)
		}
		for _, wanted := range []trader.RestrictionRequest{restrictionRequest(id, trader.RestrictTrade, -time.Hour), restrictionRequest(id, trader.RestrictTrade, 365*24*time.Hour+1)} {
			_, err := b.traders.Restrict(t.Context(), by, wanted)
			requireField(t, "life", "field.choice", err)
		}
		long := restrictionRequest(id, trader.RestrictTrade, 365*24*time.Hour)
		long.Note = strings.Repeat("ä", 1001)
		_, err := b.traders.Restrict(t.Context(), by, long)
		requireField(t, "note", "field.length", err)
		require.Empty(t, b.activeKinds(id))
		require.NotContains(t, b.acts(), "trader.restrict")
		long.Note = strings.Repeat("ä", 1000)
		_, err = b.traders.Restrict(t.Context(), by, long)
		require.NoError(t, err)
	})
	t.Run("NobodyAndGuestsAreNotRestricted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		by := b.hire("Risk 01")
		_, err := b.traders.Restrict(t.Context(), by, restrictionRequest(424242, trader.RestrictTrade, 0))
		require.ErrorIs(t, err, ledger.ErrAccount)
		guest, err := b.traders.Try(t.Context(), trader.Visit{Language: "en", Device: device(7)})
		require.NoError(t, err)
		_, err = b.traders.Restrict(t.Context(), by, restrictionRequest(guest.Trader.ID, trader.RestrictLogin, 0))
		require.ErrorIs(t, err, trader.ErrGuest)
		b.principal(guest.Token)
	})
	t.Run("OfEightAtOnceOneIsSet", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.register(anna).Trader.ID
		by := b.hire("Risk 01")
		require.EqualValues(t, 1, b.eight(func(int) error {
			_, err := b.traders.Restrict(context.Background(), by, restrictionRequest(id, trader.RestrictLogin, 0))
			return err
		}, trader.ErrRestricted))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.restrict'`))
	})
}

func TestLift(t *testing.T) {
	t.Parallel()

	t.Run("AnotherPersonLiftsItOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		setter, lifter := b.hire("Risk 01"), b.hire("Risk 02")
		r, err := b.traders.Restrict(t.Context(), setter, restrictionRequest(opened.Trader.ID, trader.RestrictTrade, 0))
		require.NoError(t, err)
		lift := func(by audit.Actor, traderID, id int64, version int) error {
			_, err := b.traders.Lift(context.Background(), by, traderID, id, version, "Cleared")
			return err
		}
		require.ErrorIs(t, lift(setter, opened.Trader.ID, r.ID, 1), trader.ErrOwnRestriction)
		require.ErrorIs(t, lift(lifter, opened.Trader.ID, r.ID, 2), db.ErrChanged)
		require.ErrorIs(t, lift(lifter, b.register(bert).Trader.ID, r.ID, 1), trader.ErrRestriction)
		require.ErrorIs(t, lift(lifter, opened.Trader.ID, 424242, 1), trader.ErrRestriction)
		_, err = b.traders.Lift(t.Context(), lifter, opened.Trader.ID, r.ID, 1, "")
		requireField(t, "note", "field.required", err)
		require.Len(t, b.activeKinds(opened.Trader.ID), 1)
		require.NotContains(t, b.acts(), "trader.lift")
		version := b.account(opened.Account.ID).Version

		require.NoError(t, lift(lifter, opened.Trader.ID, r.ID, 1))
		require.Empty(t, b.activeKinds(opened.Trader.ID))
		require.Equal(t, version+1, b.account(opened.Account.ID).Version)
		require.ErrorIs(t, lift(lifter, opened.Trader.ID, r.ID, 2), trader.ErrRestrictionEnded)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.lift' AND actor_id = $1`, lifter.ID))
	})
	t.Run("WhatIsOverIsNotLifted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		r := b.restrict(b.register(anna).Trader.ID, trader.RestrictTrade, time.Hour)
		b.clock.Advance(time.Hour)
		_, err := b.traders.Lift(t.Context(), b.hire("Risk 02"), r.TraderID, r.ID, 1, "Cleared")
		require.ErrorIs(t, err, trader.ErrRestrictionEnded)
	})
	t.Run("TheDatabaseKeepsTheRulesToo", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		r := b.restrict(b.register(anna).Trader.ID, trader.RestrictTrade, time.Hour)
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE trader_restrictions SET ended_at = now(), lifted_by = set_by, lift_note = 'x' WHERE id = $1`, r.ID)
		require.ErrorContains(t, err, "violates check constraint", "not by who set it")
		_, err = b.db.Pool.Exec(t.Context(), `UPDATE trader_restrictions SET ended_at = set_at WHERE id = $1`, r.ID)
		require.ErrorContains(t, err, "violates check constraint", "nor before its time by nobody")
		for _, statement := range []string{
			`UPDATE trader_restrictions SET until_at = set_at + interval '1 s'`, `UPDATE trader_restrictions SET set_by = set_by`, `DELETE FROM trader_restrictions`,
			`UPDATE trader_notes SET text = 'x'`, `DELETE FROM trader_notes`,
		} {
			_, err = b.db.Pool.Exec(t.Context(), statement)
			require.ErrorContains(t, err, "permission denied", statement)
		}
	})
}

func TestRestrictedLogin(t *testing.T) {
	t.Parallel()

	t.Run("EndsEverySessionAndLetsNobodyIn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, other := b.register(anna), b.register(bert)
		second, err := b.login(anna, password, "", device(1))
		require.NoError(t, err)
		link, _, err := b.traders.CreateLoginCode(t.Context(), b.principal(first.Token))
		require.NoError(t, err)
		p := b.principal(first.Token)
		var ended []int64
		b.sessions.OnEnded(func(id int64) { ended = append(ended, id) })
		sessions := []int64{b.principal(first.Token).SessionID, b.principal(second.Token).SessionID}
		b.restrict(first.Trader.ID, trader.RestrictLogin, time.Hour)
		b.requireDead(first.Token)
		b.requireDead(second.Token)
		require.ElementsMatch(t, sessions, ended, "the sockets hear of it")
		b.principal(other.Token)

		_, err = b.login(anna, password, "", device(1))
		require.ErrorIs(t, err, trader.ErrLoginRestricted)
		require.Equal(t, map[string]string{"why": "unusual_activity", "until": strconv.FormatInt(start.Add(time.Hour).UnixMilli(), 10)}, errs.As(err).Args)
		require.ErrorIs(t, b.sendLoginCode(anna, password, device(2)), trader.ErrLoginRestricted)
		_, err = b.traders.LoginByCode(t.Context(), link, device(1), "trace-0003")
		require.ErrorIs(t, err, trader.ErrLoginCode)
		_, err = b.traders.Switch(t.Context(), p, trader.Destination{Type: trader.MockType}, audit.Actor{IP: ip, TraceID: "trace-0004"})
		require.ErrorIs(t, err, trader.ErrLoginRestricted)
		_, err = b.login(anna, "wrong horse battery", "", device(1))
		require.ErrorIs(t, err, trader.ErrCredentials, "who does not know the password learns nothing")

		b.clock.Advance(time.Hour)
		_, err = b.login(anna, password, "", device(1))
		require.NoError(t, err)
		b.requireDead(first.Token)
	})
	t.Run("TheOtherKindsKeepNobodyOut", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		b.restrict(opened.Trader.ID, trader.RestrictTrade, 0)
		b.restrict(opened.Trader.ID, trader.RestrictWithdraw, 0)
		b.principal(opened.Token)
		_, err := b.login(anna, password, "", device(1))
		require.NoError(t, err)
	})
	t.Run("NoSessionOutlivesItWhoeverComesFirst", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		opened := b.register(anna)
		by := b.hire("Risk 01")
		var group errgroup.Group
		for range 4 { // as many as may try at once
			group.Go(func() error {
				_, err := b.login(anna, password, "", device(1))
				if refusal := errs.As(err); refusal != nil && refusal.Is(trader.ErrLoginRestricted) {
					return nil
				}
				return err
			})
		}
		group.Go(func() error {
			_, err := b.traders.Restrict(context.Background(), by, restrictionRequest(opened.Trader.ID, trader.RestrictLogin, 0))
			return err
		})
		require.NoError(t, group.Wait())
		list, err := b.sessions.Sessions(t.Context(), opened.Trader.ID, 100)
		require.NoError(t, err)
		require.Empty(t, list)
	})
}

func TestRestrictedMoney(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.withPin(anna)
	other := b.register("zoe@example.com").Trader.ID
	r := b.restrict(p.TraderID, trader.RestrictWithdraw, 0)
	_, _, err := b.traders.WithdrawalLock(t.Context(), p.TraderID)
	require.ErrorIs(t, err, trader.ErrMoneyRestricted)
	require.Equal(t, map[string]string{"why": "unusual_activity"}, errs.As(err).Args, "without an end none is told")
	require.ErrorIs(t, b.prove(p, pin), trader.ErrMoneyRestricted)
	require.ErrorIs(t, b.prove(p, "000001"), trader.ErrMoneyRestricted)
	require.Zero(t, b.count(`SELECT failures FROM payment_passwords`), "before the payment password is looked at")
	b.requireLock(other, time.Time{}, "")
	_, err = b.traders.Security(t.Context(), p)
	require.NoError(t, err, "the trader still sees how the account is guarded")

	_, err = b.traders.Lift(t.Context(), b.hire("Lead"), p.TraderID, r.ID, 1, "Cleared")
	require.NoError(t, err)
	require.NoError(t, b.prove(p, pin))
	_, _, err = b.traders.WithdrawalLock(t.Context(), p.TraderID)
	require.NoError(t, err)
	b.restrict(p.TraderID, trader.RestrictTrade, 0)
	b.restrict(p.TraderID, trader.RestrictLogin, 0)
	_, _, err = b.traders.WithdrawalLock(t.Context(), p.TraderID)
	require.NoError(t, err, "other kinds keep no money in")
}

func TestNotes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, other := b.register(anna).Trader.ID, b.register(bert).Trader.ID
	by := b.hire("Support lead")
	for _, text := range []string{"first", "second", strings.Repeat("ü", 2000)} {
		require.NoError(t, b.traders.AddNote(t.Context(), by, id, text, nil))
	}
	for text, reason := range map[string]string{"": "field.required", strings.Repeat("ü", 2001): "field.length", "a\x00b": "field.length", "\xff": "field.length"} {
		requireField(t, "note", reason, b.traders.AddNote(t.Context(), by, id, text, nil))
	}
	require.ErrorIs(t, b.traders.AddNote(t.Context(), by, 424242, "nobody", nil), ledger.ErrAccount)
	list, next, err := b.traders.Notes(t.Context(), id, 0, 2)
	require.NoError(t, err)
	require.Equal(t, []any{"second", "Support lead", list[1].ID}, []any{list[1].Text, list[1].Author, next})
	list, next, err = b.traders.Notes(t.Context(), id, next, 2)
	require.NoError(t, err)
	require.Equal(t, []any{1, "first", int64(0)}, []any{len(list), list[0].Text, next})
	list, _, err = b.traders.Notes(t.Context(), other, 0, 2)
	require.NoError(t, err)
	require.Empty(t, list)
	require.EqualValues(t, 3, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.note' AND target_id = $1 AND after NOT LIKE '%first%'`, strconv.FormatInt(id, 10)))
}

func TestEndSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.register(anna)
	other := b.register(bert)
	second, err := b.login(anna, password, "", device(1))
	require.NoError(t, err)
	by := b.hire("Support lead")
	id := first.Trader.ID
	var ended []int64
	b.sessions.OnEnded(func(id int64) { ended = append(ended, id) })
	session1, session2 := b.principal(first.Token).SessionID, b.principal(second.Token).SessionID

	require.ErrorIs(t, b.traders.EndSession(t.Context(), by, id, b.principal(other.Token).SessionID), trader.ErrSession, "somebody else's")
	require.ErrorIs(t, b.traders.EndSession(t.Context(), by, id, 424242), trader.ErrSession)
	require.NotContains(t, b.acts(), "trader.end_session")
	require.NoError(t, b.traders.EndSession(t.Context(), by, id, session1))
	require.ErrorIs(t, b.traders.EndSession(t.Context(), by, id, session1), trader.ErrSession, "twice")
	b.requireDead(first.Token)
	b.principal(second.Token)
	ended = ended[:0]

	third, err := b.login(anna, password, "", device(1))
	require.NoError(t, err)
	session3 := b.principal(third.Token).SessionID
	count, err := b.traders.EndSessions(t.Context(), by, id)
	require.NoError(t, err)
	require.Equal(t, 2, count)
	require.ElementsMatch(t, []int64{session2, session3}, ended)
	b.requireDead(second.Token)
	b.principal(other.Token)
	count, err = b.traders.EndSessions(t.Context(), by, id)
	require.NoError(t, err)
	require.Zero(t, count)
	_, err = b.login(anna, password, "", device(1))
	require.NoError(t, err, "they may come back")
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'trader.end_sessions' AND after = '{"sessions":2}'`), "nothing is written when nothing was ended")
}

// TestTradersAreToldOfRestrictions expects a message in the app when a restriction begins and when it is lifted, and none for a refused one.
func TestTradersAreToldOfRestrictions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	box := notice.New(b.db, b.clock, nil, bus, nil, nil)
	b.config.Messenger = trader.NewMessenger(b.clock, nil, words{}, box)
	b.traders = trader.New(b.config)
	id := b.register(anna).Trader.ID
	messages := func() (out [][2]string) {
		list, _, err := box.Messages(t.Context(), id, nil, 0, 0, 10)
		require.NoError(t, err)
		for _, m := range list {
			out = append(out, [2]string{m.Key, m.Args["what"]})
		}
		return out
	}
	r := b.restrict(id, trader.RestrictTrade, 0)
	_, err = b.traders.Restrict(t.Context(), b.hire("Risk 03"), restrictionRequest(id, trader.RestrictTrade, 0))
	require.ErrorIs(t, err, trader.ErrRestricted)
	require.Equal(t, [][2]string{{"message.restricted", "{{restriction.trade}}"}}, messages())
	_, err = b.traders.Lift(t.Context(), b.hire("Risk 04"), id, r.ID, r.Version, "it is cleared up")
	require.NoError(t, err)
	require.Equal(t, [][2]string{{"message.restriction_lifted", "{{restriction.trade}}"}, {"message.restricted", "{{restriction.trade}}"}}, messages())
}
