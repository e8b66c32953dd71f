package switches_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/errs"
	"candor/app/platform/events"
	"candor/app/platform/mail"
	"candor/app/switches"
)

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// fixture is a bundle with members of staff who change values.
type fixture struct {
	*bundle
	clock        *clock.Fixed
	changes      *switches.Changes
	approvals    *approval.Engine
	bus          *events.Bus
	outbox       *mail.Outbox
	author, lead audit.Actor
}

func setupStaff(t *testing.T) *fixture {
	t.Helper()
	b := setup(t)
	bus, err := events.Open("")
	require.NoError(t, err)
	t.Cleanup(bus.Close)
	r := &fixture{bundle: b, clock: clock.NewFixed(start), bus: bus}
	r.serve(nil)
	r.author, r.lead = r.person("author"), r.person("lead")
	return r
}

// serve makes the service of changes with its engine.
func (r *fixture) serve(n *switches.Notifier) {
	r.approvals = approval.New(r.db, r.clock, nil)
	r.changes = switches.NewChanges(r.db, r.values, r.clock, r.approvals, r.bus, n)
}

// applyDue sets the clock to a time and applies the due changes.
func (r *fixture) applyDue(moment time.Time, want int) {
	r.Helper()
	r.clock.Set(moment)
	n, err := r.approvals.Run(r.Context())
	require.NoError(r, err)
	require.Equal(r, want, n)
}

func (r *fixture) person(name string) audit.Actor {
	r.Helper()
	a := audit.Actor{Kind: audit.Staff, Name: name}
	err := r.db.Pool.QueryRow(r.Context(), `INSERT INTO staff (email, name, state, created_at) VALUES ($1, $2, 'active', now()) RETURNING id`, name+"@desk.example", name).Scan(&a.ID)
	require.NoError(r, err)
	return a
}

const why = "the board decided so on Friday"

func changeInput(value string) switches.ChangeInput {
	return switches.ChangeInput{Value: value, Reason: why, Zone: "UTC"}
}

func at(value string, moment time.Time) switches.ChangeInput {
	w := changeInput(value)
	w.At = moment
	return w
}

func (r *fixture) draft(key string, w switches.ChangeInput) switches.Change {
	r.Helper()
	seen, err := r.changes.Preview(key, w)
	require.NoError(r, err)
	c, err := r.changes.Draft(r.Context(), r.author, key, seen.BaseVersion, w)
	require.NoError(r, err)
	return c
}

// submitted is a change that its author has submitted.
func (r *fixture) submitted(key string, w switches.ChangeInput) switches.Change {
	r.Helper()
	c := r.draft(key, w)
	c, err := r.changes.Submit(r.Context(), r.author, c.ID, c.Version)
	require.NoError(r, err)
	return c
}

func (r *fixture) approved(key string, w switches.ChangeInput) switches.Change {
	r.Helper()
	c := r.submitted(key, w)
	c, err := r.changes.Approve(r.Context(), r.lead, c.ID, c.Version, key)
	require.NoError(r, err)
	return c
}

func (r *fixture) acts() (names []string) {
	r.Helper()
	rows, err := r.db.Pool.Query(r.Context(), `SELECT action FROM audit_entries ORDER BY id`)
	require.NoError(r, err)
	for rows.Next() {
		var name string
		require.NoError(r, rows.Scan(&name))
		names = append(names, name)
	}
	return names
}

func TestValuesAreReadIntoTheirOneForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ key, typed, want string }{
		{switches.WithdrawRateKey, " 0.150 ", "0.15"},
		{switches.WithdrawRateKey, "0", "0"},
		{switches.WithdrawRateKey, "10", "10"},
		{switches.WithdrawRateKey, "10.000001", ""},
		{switches.WithdrawRateKey, "101", ""},
		{switches.WithdrawRateKey, "-1", ""},
		{switches.WithdrawRateKey, "-0.000001", ""},
		{switches.WithdrawRateKey, "0.0000001", ""},
		{switches.WithdrawRateKey, "1e1", ""},
		{switches.WithdrawRateKey, "", ""},
		{switches.RechargeMinKey, "0.00005", ""},
		{switches.RechargeMinKey, "0.0001", "0.0001"},
		{switches.RechargeMaxKey, "1000000000.01", ""},
		{switches.DemoKey, "true", "true"},
		{switches.DemoKey, "on", ""},
		{switches.MaintenanceEndKey, "2026-11-22T10:00:00+01:00", "2026-11-22T09:00:00Z"},
		{switches.MaintenanceEndKey, "soon", ""},
		{switches.KefuKey, "2", "2"},
		{switches.KefuKey, "3", ""},
		{switches.HighRiskKey, " kp, ir\tIR ", "IR,KP"},
		{switches.HighRiskKey, "Iran", ""},
		{switches.HighRiskKey, "ZZ", ""},
	} {
		d, known := switches.Define(c.key)
		require.True(t, known)
		got, err := d.Read(c.typed)
		require.Equal(t, c.want, got, "%s = %q", c.key, c.typed)
		require.Equal(t, c.want == "", err != nil, "%s = %q: %v", c.key, c.typed, err)
	}
}

func TestASensitiveKeyTakesTwo(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	key := switches.WithdrawRateKey
	c := r.submitted(key, changeInput("0.150"))
	require.Equal(t, []any{approval.Requested, 2, "0.15"}, []any{c.State(), c.People(), c.After().Value})
	require.Equal(t, "0", r.values.Value(key), "nothing happens before the second person")

	_, err := r.changes.Approve(t.Context(), r.author, c.ID, c.Version, key)
	require.ErrorIs(t, err, approval.ErrSamePerson)
	_, err = r.changes.Approve(t.Context(), r.lead, c.ID, c.Version, "withdraw.fee")
	require.ErrorIs(t, err, switches.ErrKey)
	_, err = r.changes.Approve(t.Context(), r.lead, c.ID, c.Version-1, key)
	require.ErrorIs(t, err, approval.ErrChanged)

	done, err := r.changes.Approve(t.Context(), r.lead, c.ID, c.Version, key)
	require.NoError(t, err)
	require.Equal(t, []any{approval.Applied, 1, "author", "lead"}, []any{done.State(), *done.ToVersion, done.AuthorName, done.DeciderName})
	require.Equal(t, switches.Setting{Value: "0.15", Rules: []switches.Rule{}, Version: 1}, r.values.Setting(key))
	_, err = r.changes.Approve(t.Context(), r.lead, c.ID, done.Version, key)
	require.ErrorIs(t, err, approval.ErrState, "twice is once")
	require.Equal(t, []string{"switch.draft", "switch.request", "switch.approve"}, r.acts())
}

func TestAnOrdinaryKeyTakesOne(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	c := r.submitted(switches.Clock12Key, changeInput("true"))
	require.Equal(t, approval.Applied, c.State())
	require.True(t, r.values.On(switches.Clock12Key))
}

func TestAskingWritesAndSendsOrLeavesNothing(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	c, err := r.changes.Ask(t.Context(), r.author, switches.BannersKey, 0, changeInput("false"))
	require.NoError(t, err)
	require.Equal(t, []any{approval.Applied, false}, []any{c.State(), r.values.On(switches.BannersKey)})
	c, err = r.changes.Ask(t.Context(), r.author, switches.DemoKey, 0, changeInput("false"))
	require.NoError(t, err)
	require.Equal(t, []any{approval.Requested, true}, []any{c.State(), r.values.On(switches.DemoKey)})
	acts := []string{"switch.draft", "switch.apply", "switch.draft", "switch.request"}
	require.Equal(t, acts, r.acts())
	for _, refused := range []struct {
		key, value string
		version    int
		want       error
	}{
		{switches.DemoKey, "false", 0, approval.ErrOpen},
		{switches.BannersKey, "true", 0, switches.ErrOutdated},
		{switches.BannersKey, "false", 1, switches.ErrNothing},
		{"ai.enabled", "true", 0, switches.ErrLocked},
		{"nobody.knows", "true", 0, switches.ErrUnknown},
	} {
		_, err := r.changes.Ask(t.Context(), r.author, refused.key, refused.version, changeInput(refused.value))
		require.ErrorIs(t, err, refused.want, refused.key)
	}
	_, err = r.changes.Draft(t.Context(), r.author, switches.BannersKey, 0, changeInput("true"))
	require.ErrorIs(t, err, switches.ErrOutdated)
	require.Equal(t, acts, r.acts(), "not even a draft")
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	for _, c := range []struct {
		key  string
		wish switches.ChangeInput
		want error
	}{
		{"nobody.knows", changeInput("1"), switches.ErrUnknown},
		{"second_contract.enabled", changeInput("true"), switches.ErrLocked},
		{"ai.enabled", changeInput("true"), switches.ErrLocked},
		{switches.WithdrawRateKey, changeInput("0.00"), switches.ErrNothing},
		{switches.WithdrawRateKey, changeInput("101"), errs.Field("value", "field.range")},
		{switches.WithdrawRateKey, changeInput("-1"), errs.Field("value", "field.range")},
		{switches.WithdrawMinKey, changeInput("1000001"), switches.ErrOrder},
		{switches.WithdrawMaxKey, changeInput("9"), switches.ErrOrder},
		{switches.ThirdPartyMinKey, changeInput("1000000.01"), switches.ErrOrder},
		{switches.WithdrawDayKey(1), changeInput("100001"), switches.ErrOrder},
		{switches.WithdrawRateKey, at("1", start), switches.ErrPast},
		{switches.WithdrawRateKey, at("1", start.AddDate(2, 0, 0)), errs.Field("at", "field.far")},
		{switches.WithdrawRateKey, switches.ChangeInput{Value: "1", Reason: "short", Zone: "UTC"}, errs.Field("reason", "field.length")},
		{switches.WithdrawRateKey, switches.ChangeInput{Value: "1", Reason: strings.Repeat("a", 501), Zone: "UTC"}, errs.Field("reason", "field.length")},
		{switches.WithdrawRateKey, switches.ChangeInput{Value: "1", Reason: why, Zone: "Moon/Base"}, errs.Field("zone", "field.choice")},
		{switches.WithdrawRateKey, switches.ChangeInput{Value: "1", Reason: why, Zone: "UTC", Rules: []switches.Rule{{Countries: []string{"DE"}, Value: "2"}}}, errs.Field("rules", "field.choice")},
		{switches.BannersKey, switches.ChangeInput{Value: "true", Reason: why, Zone: "UTC", Rules: []switches.Rule{{Value: "false"}}}, errs.Field("rules", "field.required")},
		{switches.BannersKey, switches.ChangeInput{Value: "true", Reason: why, Zone: "UTC", Rules: []switches.Rule{{Countries: []string{"<b>"}, Value: "false"}}}, errs.Field("rules", "field.choice")},
		{switches.BannersKey, switches.ChangeInput{Value: "true", Reason: why, Zone: "UTC", Rules: []switches.Rule{{Countries: []string{"DE"}, Value: "maybe"}}}, errs.Field("value", "field.choice")},
	} {
		_, err := r.changes.Draft(t.Context(), r.author, c.key, 0, c.wish)
		if want := errs.As(c.want); len(want.Fields) > 0 {
			require.Equal(t, want.Fields, errs.As(err).Fields, "%s %+v", c.key, c.wish)
			continue
		}
		require.ErrorIs(t, err, c.want, "%s %+v", c.key, c.wish)
	}
	require.Empty(t, r.acts(), "nothing of it is written")
}

func TestAnEditVoidsTheApproval(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	key := switches.WithdrawRateKey
	c := r.approved(key, at("0.5", start.Add(time.Hour)))
	require.Equal(t, approval.Scheduled, c.State())
	editor := r.person("editor")
	edited, err := r.changes.Amend(t.Context(), editor, c.ID, c.Version, at("0.6", start.Add(time.Hour)))
	require.NoError(t, err)
	require.Equal(t, []any{approval.Requested, "editor", ""}, []any{edited.State(), edited.AuthorName, edited.DeciderName})
	r.applyDue(start.Add(2*time.Hour), 0)
	require.Equal(t, "0", r.values.Value(key), "nobody has agreed to this form")
	_, err = r.changes.Approve(t.Context(), editor, c.ID, edited.Version, key)
	require.ErrorIs(t, err, approval.ErrSamePerson, "whoever wrote the newest form is its author")
	_, err = r.changes.Approve(t.Context(), r.lead, c.ID, edited.Version, key)
	require.ErrorIs(t, err, switches.ErrPast)
}

func TestAScheduledChangeComesAtItsMoment(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	moment := start.Add(time.Hour)
	r.approved(switches.WithdrawRateKey, at("0.5", moment))
	r.applyDue(moment.Add(-time.Second), 0)
	require.Equal(t, "0", r.values.Value(switches.WithdrawRateKey))
	r.clock.Set(moment)
	var applied atomic.Int64
	var group errgroup.Group
	for range 8 { // as many servers
		group.Go(func() error {
			n, err := r.approvals.Run(context.Background())
			applied.Add(int64(n))
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.EqualValues(t, 1, applied.Load())
	require.Equal(t, "0.5", r.values.Value(switches.WithdrawRateKey))
	require.Equal(t, "switch.apply", r.acts()[3])
}

func TestAScheduledChangeThatDoesNotFitAnyMoreFails(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	moment := start.Add(time.Hour)
	low := r.approved(switches.WithdrawMinKey, at("500", moment))
	r.approved(switches.WithdrawMaxKey, changeInput("400"))
	demo := r.approved(switches.ExchangeKey, at("false", moment))
	_, err := r.changes.Stop(t.Context(), r.lead, []string{"risk"}, switches.ExchangeKey, why)
	require.NoError(t, err)
	r.applyDue(moment, 2)
	for id, refusal := range map[int64]string{low.ID: "switch.order", demo.ID: "switch.outdated"} {
		c, err := r.changes.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, []any{approval.Failed, refusal}, []any{c.State(), c.Request.Refusal})
	}
	require.Equal(t, "10", r.values.Value(switches.WithdrawMinKey))
}

func TestOneChangeOfAKeyIsUnderWay(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	first, second := r.draft(switches.WithdrawRateKey, changeInput("1")), r.draft(switches.WithdrawRateKey, changeInput("2"))
	_, err := r.changes.Submit(t.Context(), r.author, first.ID, first.Version)
	require.NoError(t, err)
	_, err = r.changes.Submit(t.Context(), r.author, second.ID, second.Version)
	require.ErrorIs(t, err, approval.ErrOpen)
	_, err = r.changes.Submit(t.Context(), r.lead, second.ID, second.Version)
	require.ErrorIs(t, err, switches.ErrNotOwn)
	_, err = r.changes.Approve(t.Context(), r.lead, first.ID, 2, switches.WithdrawRateKey)
	require.NoError(t, err)
	_, err = r.changes.Submit(t.Context(), r.author, second.ID, second.Version)
	require.ErrorIs(t, err, switches.ErrOutdated)
}

func TestAStopIsAtOnceAndLookedAtLater(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	for _, roles := range [][]string{nil, {"support_agent"}, {"finance_maker", "config_approver"}} {
		_, err := r.changes.Stop(t.Context(), r.author, roles, switches.ExchangeKey, why)
		require.ErrorIs(t, err, switches.ErrNoStop, "%v", roles)
	}
	_, err := r.changes.Stop(t.Context(), r.author, []string{"risk"}, switches.WithdrawRateKey, why)
	require.ErrorIs(t, err, switches.ErrNoStop, "a fee has no safe value")
	_, err = r.changes.Stop(t.Context(), r.author, []string{"risk"}, switches.ExchangeKey, "now")
	require.Error(t, err)
	c, err := r.changes.Stop(t.Context(), r.author, []string{"support_agent", "risk"}, switches.ExchangeKey, why)
	require.NoError(t, err)
	require.False(t, r.values.On(switches.ExchangeKey))
	require.Equal(t, start.Add(24*time.Hour), c.ReviewDue.UTC())
	_, err = r.changes.Stop(t.Context(), r.author, []string{"risk"}, switches.ExchangeKey, why)
	require.ErrorIs(t, err, switches.ErrNothing)

	open, err := r.changes.UnderWay(t.Context())
	require.NoError(t, err)
	require.Len(t, open, 1)
	_, err = r.changes.Review(t.Context(), r.author, c.ID, c.Version, switches.Right, why)
	require.ErrorIs(t, err, approval.ErrSamePerson)
	_, err = r.changes.Review(t.Context(), r.lead, c.ID, c.Version, "maybe", why)
	require.Error(t, err)
	seen, err := r.changes.Review(t.Context(), r.lead, c.ID, c.Version, switches.Right, why)
	require.NoError(t, err)
	_, err = r.changes.Review(t.Context(), r.lead, c.ID, seen.Version, switches.Wrong, why)
	require.ErrorIs(t, err, approval.ErrState)
	require.False(t, r.values.On(switches.ExchangeKey), "a look changes nothing")
	back := r.submitted(switches.ExchangeKey, changeInput("true"))
	require.Equal(t, approval.Requested, back.State(), "switching it on again is for two")
}

func TestRevertIsANewVersion(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	key := switches.WithdrawRateKey
	r.approved(key, changeInput("1"))
	r.approved(key, changeInput("2"))
	c, err := r.changes.Revert(t.Context(), r.author, key, 1, changeInput(""))
	require.NoError(t, err)
	require.Equal(t, []any{"1", 1}, []any{c.After().Value, *c.RevertOf})
	c, err = r.changes.Submit(t.Context(), r.author, c.ID, c.Version)
	require.NoError(t, err)
	c, err = r.changes.Approve(t.Context(), r.lead, c.ID, c.Version, key)
	require.NoError(t, err)
	require.Equal(t, 3, *c.ToVersion)
	require.Equal(t, "1", r.values.Value(key))
	_, err = r.changes.Revert(t.Context(), r.author, key, 3, changeInput(""))
	require.ErrorIs(t, err, switches.ErrNothing)
	_, err = r.changes.Revert(t.Context(), r.author, key, 9, changeInput(""))
	require.ErrorIs(t, err, switches.ErrChange)
	c, err = r.changes.Revert(t.Context(), r.author, key, 0, changeInput(""))
	require.NoError(t, err)
	require.Equal(t, "0", c.After().Value)
}

func TestValuesDifferByViewer(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	w := changeInput("true")
	w.Rules = []switches.Rule{
		{Countries: []string{" de", "AT"}, Languages: []string{"de"}, Value: "false"},
		{Platforms: []string{"2"}, Value: "false"},
	}
	c := r.submitted(switches.BannersKey, w)
	require.Equal(t, []string{"DE", "AT"}, c.After().Rules[0].Countries)
	for v, want := range map[switches.Viewer]string{
		{}:                               "true",
		{Country: "DE"}:                  "true",
		{Country: "DE", Language: "de"}:  "false",
		{Country: "FR", Language: "de"}:  "true",
		{Country: "FR", Platform: "2"}:   "false",
		{Country: "", Language: "de"}:    "true",
		{Country: "AT", Language: "de_"}: "true",
	} {
		require.Equal(t, want, r.values.For(switches.BannersKey, v), "%+v", v)
		entry, err := r.values.Find(switches.BannersKey, v)
		require.NoError(t, err)
		require.Equal(t, want, entry.Value)
	}
	w.Rules = nil
	require.Equal(t, approval.Applied, r.submitted(switches.BannersKey, w).State(), "the rules are a part of the value")
}

// TestWhatAllowsNoActStaysAsItIs tries each act where only the change's own state refuses it; the engine tests those of requests.
func TestWhatAllowsNoActStaysAsItIs(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	key := switches.WithdrawRateKey
	tries := map[string]func(switches.Change) (switches.Change, error){
		"amend": func(c switches.Change) (switches.Change, error) {
			return r.changes.Amend(t.Context(), r.author, c.ID, c.Version, at("7", start.Add(time.Hour)))
		},
		"submit": func(c switches.Change) (switches.Change, error) {
			return r.changes.Submit(t.Context(), r.author, c.ID, c.Version)
		},
		"approve": func(c switches.Change) (switches.Change, error) {
			return r.changes.Approve(t.Context(), r.lead, c.ID, c.Version, key)
		},
		"reject": func(c switches.Change) (switches.Change, error) {
			return r.changes.Reject(t.Context(), r.lead, c.ID, c.Version, why)
		},
		"withdraw": func(c switches.Change) (switches.Change, error) {
			return r.changes.Withdraw(t.Context(), r.author, c.ID, c.Version)
		},
		"review": func(c switches.Change) (switches.Change, error) {
			return r.changes.Review(t.Context(), r.lead, c.ID, c.Version, switches.Right, why)
		},
	}
	draft, applied := r.draft(key, changeInput("1")), r.approved(key, changeInput("2"))
	withdrawn, err := tries["withdraw"](r.draft(key, changeInput("3")))
	require.NoError(t, err)
	refused, err := tries["reject"](r.submitted(key, changeInput("4")))
	require.NoError(t, err)
	for name, try := range tries {
		for _, c := range []switches.Change{applied, refused} {
			_, err := try(c)
			require.ErrorIs(t, err, approval.ErrState, "%s when it is %s", name, c.State())
		}
	}
	for name, want := range map[string]error{
		"approve": approval.ErrUnknown, "reject": approval.ErrUnknown, "review": approval.ErrState, "submit": approval.ErrState, "amend": approval.ErrState, "withdraw": approval.ErrState,
	} {
		_, err := tries[name](withdrawn)
		require.ErrorIs(t, err, want, "%s a draft that is withdrawn", name)
	}
	_, err = tries["approve"](draft)
	require.ErrorIs(t, err, approval.ErrUnknown, "nobody asked for it")
	_, err = tries["submit"](draft)
	require.ErrorIs(t, err, switches.ErrOutdated)
	_, err = r.changes.Withdraw(t.Context(), r.lead, draft.ID, draft.Version)
	require.ErrorIs(t, err, switches.ErrNotOwn)
	waiting := r.submitted(key, changeInput("5"))
	_, err = r.changes.Withdraw(t.Context(), r.lead, waiting.ID, waiting.Version)
	require.ErrorIs(t, err, approval.ErrNotRequester)
	_, err = tries["withdraw"](waiting)
	require.NoError(t, err)
	scheduled := r.approved(key, at("5", start.Add(time.Hour)))
	for _, name := range []string{"submit", "approve", "reject", "review"} {
		_, err := tries[name](scheduled)
		require.ErrorIs(t, err, approval.ErrState, name)
	}
	amended, err := tries["amend"](scheduled)
	require.NoError(t, err)
	require.Equal(t, approval.Requested, amended.State())
}

func TestTheDatabaseWantsTwo(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	c := r.submitted(switches.WithdrawRateKey, changeInput("1"))
	for sql, want := range map[string]string{
		`UPDATE switch_changes SET applied_at = now(), to_version = 1 WHERE id = $1`:                  "nobody approved",
		`UPDATE switch_changes SET applied_at = now(), to_version = 1, approval = NULL WHERE id = $1`: "nobody approved",
		`UPDATE switch_changes SET kind = 'stop' WHERE id = $1`:                                       "permission denied",
		`DELETE FROM switch_changes WHERE id = $1`:                                                    "permission denied",
	} {
		_, err := r.db.Pool.Exec(t.Context(), sql, c.ID)
		require.ErrorContains(t, err, want, sql)
	}
}

// TestTheDatabaseHoldsAChangeAgainstItsApproval alters a change between its approval and its time, and when it is in force.
func TestTheDatabaseHoldsAChangeAgainstItsApproval(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	alterations := []string{`becomes = '{"Value": "9", "Rules": []}'`, `becomes = becomes || '{"Rules": [{"Value": "9"}]}'`, `base_version = 7`, `was = '{}'`}
	c := r.approved(switches.WithdrawRateKey, at("1", start.Add(time.Hour)))
	r.clock.Set(*c.ApplyAt)
	for _, set := range alterations {
		_, err := r.db.Pool.Exec(t.Context(), `UPDATE switch_changes SET `+set+` WHERE id = $1`, c.ID)
		require.NoError(t, err)
		_, err = r.approvals.Run(t.Context())
		require.ErrorContains(t, err, "something else", set)
		_, err = r.db.Pool.Exec(t.Context(), `UPDATE switch_changes SET becomes = $2, base_version = 0, was = $3 WHERE id = $1`, c.ID, c.Becomes, c.Was)
		require.NoError(t, err)
	}
	r.applyDue(*c.ApplyAt, 1)
	for _, set := range alterations {
		_, err := r.db.Pool.Exec(t.Context(), `UPDATE switch_changes SET `+set+` WHERE id = $1`, c.ID)
		require.ErrorContains(t, err, "something else", set)
	}
}

func TestAnotherServerHearsOfAChange(t *testing.T) {
	t.Parallel()
	r := setupStaff(t)
	other, err := switches.Load(t.Context(), r.db, nil)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- switches.NewChanges(r.db, other, r.clock, approval.New(r.db, r.clock, nil), r.bus, nil).Follow(ctx)
	}()
	heard := false
	for n := 1; n < 50 && !heard; n++ { // no event arrives before it follows
		r.submitted(switches.MockTopUpKey, changeInput(fmt.Sprint(n)))
		for range 10 {
			time.Sleep(20 * time.Millisecond)
			heard = heard || other.Value(switches.MockTopUpKey) == fmt.Sprint(n)
		}
	}
	require.True(t, heard)
	cancel()
	require.NoError(t, <-done)
}
