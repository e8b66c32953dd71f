package preference_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/preference"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

type bundle struct {
	*testing.T
	db          *db.DB
	clock       *clock.Fixed
	preferences *preference.Service
}

func setup(t *testing.T) *bundle {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	c := clock.NewFixed(start)
	return &bundle{T: t, db: d, clock: c, preferences: preference.New(d, c, []string{"en", "ar"})}
}

func (b *bundle) trader() (id int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at)
		SELECT 't' || n || '@example.com', 'T', '', 'DE', 'I' || n, now() FROM (SELECT count(*) AS n FROM traders) counted RETURNING id`).Scan(&id))
	return id
}

// change is a change of a preference so long before the start; value is JSON.
func change(name, value string, before time.Duration) preference.Field {
	return preference.Field{Name: name, Value: json.RawMessage(value), ChangedAt: start.Add(-before)}
}

func (b *bundle) save(traderID int64, changes ...preference.Field) map[string]string {
	b.Helper()
	fields, err := b.preferences.Save(b.Context(), traderID, changes)
	require.NoError(b, err)
	return values(fields)
}

func (b *bundle) of(traderID int64) []preference.Field {
	b.Helper()
	fields, err := b.preferences.Of(b.Context(), traderID)
	require.NoError(b, err)
	return fields
}

func values(fields []preference.Field) map[string]string {
	out := map[string]string{}
	for _, f := range fields {
		out[f.Name] = string(f.Value)
	}
	return out
}

// TestTheNewestChangeWins saves changes of two devices in both orders.
func TestTheNewestChangeWins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trader := b.trader()
	require.Empty(t, b.of(trader))

	require.Equal(t, map[string]string{"theme": `"dark"`, "hourCycle": `"12"`}, b.save(trader, change("theme", `"dark"`, time.Hour), change("hourCycle", `"12"`, time.Hour)))
	require.Equal(t, map[string]string{"theme": `"light"`, "hourCycle": `"12"`}, b.save(trader, change("theme", `"light"`, time.Minute), change("hourCycle", `"24"`, 2*time.Hour)),
		"each field for itself: the newer theme wins, the older clock loses")
	require.Equal(t, `"light"`, b.save(trader, change("theme", `"dark"`, time.Minute))["theme"], "of two at the same moment the first stays")
	require.Equal(t, `"dark"`, b.save(trader, change("theme", `"dark"`, time.Minute-time.Millisecond))["theme"])
	require.Equal(t, start.Add(-time.Minute+time.Millisecond), b.of(trader)[1].ChangedAt.UTC())
	require.Len(t, b.save(trader), 2, "nothing to save answers what there is")
}

// TestAChangeIsNeverInTheFuture gives a device whose clock is a year ahead no advantage over later changes.
func TestAChangeIsNeverInTheFuture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trader := b.trader()
	b.save(trader, change("theme", `"dark"`, -365*24*time.Hour))
	require.Equal(t, start, b.of(trader)[0].ChangedAt.UTC())
	b.save(trader, preference.Field{Name: "orderSounds", Value: json.RawMessage("true"), ChangedAt: time.UnixMilli(1 << 62)})
	require.Equal(t, start, b.of(trader)[0].ChangedAt.UTC())

	b.clock.Advance(time.Second)
	require.Equal(t, `"light"`, b.save(trader, change("theme", `"light"`, -time.Second))["theme"], "a second later another device wins")
	require.Equal(t, start.Add(time.Second), b.of(trader)[1].ChangedAt.UTC(), "a time that is not in the future stays")
}

// TestWhatAPreferenceAllows saves each preference with an allowed value and with refused ones, which store nothing.
func TestWhatAPreferenceAllows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trader := b.trader()
	lots := func(n int) string {
		var products []string
		for i := range n {
			products = append(products, fmt.Sprintf(`"%d":"0.25"`, 100+i))
		}
		return "{" + strings.Join(products, ",") + "}"
	}
	const text, boolean = `"dark"`, `true`
	allowed := map[string][]string{
		"theme": {`"light"`, `"dark"`, `"system"`}, "language": {`"en"`, `"ar"`}, "direction": {`"green-up"`, `"red-up-blue-down"`}, "hourCycle": {`"12"`},
		"timeZone":     {`"local"`, `"utc"`, `"Asia/Shanghai"`, `"America/Argentina/Buenos_Aires"`, `"Etc/GMT+3"`},
		"reduceMotion": {`true`, `false`}, "displayCurrency": {`"BTC"`}, "hideSmall": {`true`}, "orderSounds": {`true`}, "compactRows": {`true`}, "shortcuts": {`false`},
		"chartPeriod": {`"4h"`}, "chartAverages": {`false`}, "orderEntry": {`"one-click"`, `"two-step"`, `"review"`}, "protectionUnit": {`"distance"`},
		"defaultLots": {`{}`, `{"201":"0.5","7":"12"}`, lots(400)},
	}
	refused := map[string][]string{
		"theme": {`"blue"`, boolean, `null`, `["dark"]`}, "language": {`"de"`, `""`, `"EN"`}, "direction": {`"up"`}, "hourCycle": {`12`},
		"timeZone":     {`"Mars"`, `"../etc/passwd"`, `""`, `"Asia/"`, `"<b>/x"`, `"A/` + strings.Repeat("x", 60) + `"`},
		"reduceMotion": {`1`, `"true"`, `null`}, "displayCurrency": {`"EUR"`}, "hideSmall": {text}, "orderSounds": {`0`}, "compactRows": {`{}`}, "shortcuts": {`[]`},
		"chartPeriod": {`"2h"`}, "chartAverages": {text}, "orderEntry": {`"fast"`}, "protectionUnit": {`"pips"`},
		"defaultLots": {`{"EURUSD":"1"}`, `{"0":"1"}`, `{"201":1}`, `{"201":null}`, `{"201":"-1"}`, `{"201":"1e9"}`, `[]`, `null`, text},
	}
	require.Len(t, refused, len(allowed))
	for name, list := range refused {
		for _, value := range list {
			good := change("compactRows", `true`, 0)
			if name == good.Name {
				good = change("shortcuts", `true`, 0)
			}
			_, err := b.preferences.Save(t.Context(), trader, []preference.Field{good, change(name, value, 0)})
			require.NotNil(t, errs.As(err), "%s %s", name, value)
			require.Contains(t, errs.As(err).Fields, name, "%s", value)
		}
	}
	require.Empty(t, b.of(trader), "what is refused stores nothing, also not what was sent beside it")
	for name, list := range allowed {
		for i, value := range list {
			saved := b.save(trader, change(name, value, time.Duration(len(list)-i)*time.Minute))
			require.JSONEq(t, value, saved[name], name)
		}
	}
	require.Len(t, b.of(trader), len(allowed))
}

// TestRefusedChanges refuses what names no preference, comes twice, is from before all time or too big.
func TestRefusedChanges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trader := b.trader()
	refuse := func(changes ...preference.Field) *errs.Error {
		t.Helper()
		_, err := b.preferences.Save(t.Context(), trader, changes)
		require.NotNil(t, errs.As(err))
		return errs.As(err)
	}
	theme := change("theme", `"dark"`, 0)
	require.Equal(t, preference.ErrName, refuse(theme, change("balance", `"1000000"`, 0)))
	require.Equal(t, preference.ErrRepeated, refuse(theme, change("theme", `"light"`, 0)))
	require.Equal(t, preference.ErrTime, refuse(preference.Field{Name: "theme", Value: theme.Value, ChangedAt: time.UnixMilli(-1)}))
	tooBig := map[string]string{"theme": `"dark"` + strings.Repeat(" ", 80), "defaultLots": `{"1":"` + strings.Repeat("1", 8<<10) + `"}`}
	for name, value := range tooBig {
		require.Equal(t, map[string]string{name: "field.length"}, refuse(change(name, value, 0)).Fields)
	}
	require.Empty(t, b.of(trader))
	require.Len(t, b.save(trader, preference.Field{Name: "theme", Value: theme.Value, ChangedAt: time.UnixMilli(0)}), 1, "the first moment is allowed")
}

// TestTwoTraders keeps the preferences of one trader from another.
func TestTwoTraders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, other := b.trader(), b.trader()
	b.save(one, change("theme", `"dark"`, 0))
	require.Empty(t, b.of(other))
	require.Equal(t, map[string]string{"theme": `"light"`}, b.save(other, change("theme", `"light"`, time.Hour)), "an older change, but of another trader")
	require.Equal(t, map[string]string{"theme": `"dark"`}, values(b.of(one)))
}

// TestTwoDevicesAtOnce saves many changes at the same time, in different orders: the newest of each field is what stays.
func TestTwoDevicesAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trader := b.trader()
	const rounds = 40
	var group errgroup.Group
	for i := range rounds {
		group.Go(func() error {
			changes := []preference.Field{
				change("defaultLots", fmt.Sprintf(`{"201":"%d"}`, i), time.Duration(i)*time.Second), change("chartAverages", fmt.Sprint(i == rounds-1), time.Duration(rounds-i)*time.Second),
			}
			if i%2 == 1 {
				slices.Reverse(changes)
			}
			_, err := b.preferences.Save(t.Context(), trader, changes)
			return err
		})
	}
	require.NoError(t, group.Wait())
	saved := values(b.of(trader))
	require.JSONEq(t, `{"201":"0"}`, saved["defaultLots"], "the newest lots came from the first device")
	require.Equal(t, "true", saved["chartAverages"], "the newest averages came from the last")
}
