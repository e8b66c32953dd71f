package drawing_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/drawing"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

type bundle struct {
	*testing.T
	db       *db.DB
	clock    *clock.Fixed
	drawings *drawing.Service
	products []int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	c := clock.NewFixed(start)
	b := &bundle{T: t, db: d, clock: c, drawings: drawing.New(d, c), products: []int{1, 2}}
	_, err = d.Pool.Exec(t.Context(), `
		INSERT INTO products (id, symbol, name, class, base, quote, point, contract_size, margin_model, calendar, sort)
		SELECT id, 'P' || id, 'Product', 'forex', 'EUR', 'USD', 5, 1, 'forex', 'x', 1 FROM unnest($1::int[]) AS id`, b.products)
	require.NoError(t, err)
	return b
}

func (b *bundle) trader() (id int64) {
	b.Helper()
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), `
		INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at)
		SELECT 't' || n || '@example.com', 'T', '', 'DE', 'I' || n, now() FROM (SELECT count(*) AS n FROM traders) counted RETURNING id`).Scan(&id))
	return id
}

// line is a trend line that was changed so long before the start.
func line(n int, before time.Duration) drawing.Drawing {
	return drawing.Drawing{
		ID: fmt.Sprintf("%032x", n), Tool: "segment", Anchors: []drawing.Anchor{{At: 1_700_000_000_000, Price: "1.15824"}, {At: 1_700_000_900_000, Price: "1.16"}},
		Style: drawing.Style{Colour: "#ff8800", Width: 2, Dash: "dashed"}, ChangedAt: start.Add(-before),
	}
}

func (b *bundle) save(traderID int64, changes ...drawing.Drawing) []drawing.Drawing {
	b.Helper()
	list, err := b.drawings.Save(b.Context(), traderID, b.products[0], changes)
	require.NoError(b, err)
	return list
}

func (b *bundle) of(traderID int64) []drawing.Drawing {
	b.Helper()
	list, err := b.drawings.Of(b.Context(), traderID, b.products[0])
	require.NoError(b, err)
	return list
}

func TestTheNewestChangeWins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trader := b.trader()
	first := line(1, time.Hour)
	saved := b.save(trader, first)
	require.Len(t, saved, 1)
	first.Version, first.ProductID, first.ChangedAt = 1, b.products[0], saved[0].ChangedAt
	require.Equal(t, first, saved[0], "it comes back as it was saved")
	require.Equal(t, start.Add(-time.Hour), saved[0].ChangedAt.UTC())

	newer := line(1, time.Minute)
	newer.Note, newer.Locked = "Support", true
	require.Equal(t, "Support", b.save(trader, newer)[0].Note)
	require.Equal(t, "Support", b.save(trader, line(1, 30*time.Minute))[0].Note, "a device that was offline is late")
	require.Equal(t, 2, b.of(trader)[0].Version)
	require.Len(t, b.save(trader, line(2, time.Hour)), 2, "each drawing for itself")
}

func TestAChangeIsNeverInTheFuture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trader := b.trader()
	require.Equal(t, start, b.save(trader, line(1, -365*24*time.Hour))[0].ChangedAt.UTC())
	b.clock.Advance(time.Second)
	later := line(1, -time.Second)
	later.Hidden = true
	require.True(t, b.save(trader, later)[0].Hidden, "a second later another device wins")
}

func TestADeletedOneComesBackOnlyByANewerChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trader := b.trader()
	gone := line(1, time.Minute)
	gone.Deleted = true
	b.save(trader, line(1, time.Hour))
	require.True(t, b.save(trader, gone)[0].Deleted)
	require.True(t, b.save(trader, line(1, 30*time.Minute))[0].Deleted, "a device that was offline doesn't bring it back")
	require.False(t, b.save(trader, line(1, 0))[0].Deleted, "but undo does")
	gone.ChangedAt = start.Add(time.Second)
	b.clock.Advance(time.Second)
	b.save(trader, gone)
	b.clock.Advance(29 * 24 * time.Hour)
	require.NoError(t, b.drawings.Sweep(t.Context()))
	require.Len(t, b.of(trader), 1)
	b.clock.Advance(2 * 24 * time.Hour)
	require.NoError(t, b.drawings.Sweep(t.Context()))
	require.Empty(t, b.of(trader))
}

func TestDrawingsStayWithTheirTraderAndProduct(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, other := b.trader(), b.trader()
	b.save(one, line(1, time.Hour))
	require.Empty(t, b.of(other))
	b.save(other, line(1, time.Minute))
	require.Equal(t, start.Add(-time.Hour), b.of(one)[0].ChangedAt.UTC(), "the same id is another trader's own drawing")

	elsewhere, err := b.drawings.Save(t.Context(), one, b.products[1], []drawing.Drawing{line(1, 0)})
	require.NoError(t, err)
	require.Empty(t, elsewhere, "a drawing doesn't move to another product")
	tool := line(1, 0)
	tool.Tool, tool.Anchors = "crossLine", tool.Anchors[:1]
	require.Equal(t, "segment", b.save(one, tool)[0].Tool, "nor becomes another tool")
}

func TestWhatADrawingAllows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trader := b.trader()
	change := func(f func(*drawing.Drawing)) drawing.Drawing {
		d := line(1, time.Hour)
		f(&d)
		return d
	}
	fill := func(n int) *int { return &n }
	for field, list := range map[string][]drawing.Drawing{
		"id":   {change(func(d *drawing.Drawing) { d.ID = "1" }), change(func(d *drawing.Drawing) { d.ID = strings.Repeat("g", 32) })},
		"tool": {change(func(d *drawing.Drawing) { d.Tool = "" }), change(func(d *drawing.Drawing) { d.Tool = "laser" })},
		"anchors": {
			change(func(d *drawing.Drawing) { d.Anchors = nil }), change(func(d *drawing.Drawing) { d.Anchors = d.Anchors[:1] }),
			change(func(d *drawing.Drawing) { d.Anchors[0].Price = "1e9" }), change(func(d *drawing.Drawing) { d.Anchors[0].Price = "" }),
			change(func(d *drawing.Drawing) { d.Anchors[0].At = -1 }), change(func(d *drawing.Drawing) { d.Anchors[0].At = 1 << 62 }),
			change(func(d *drawing.Drawing) { d.Tool, d.Anchors = "brush", make([]drawing.Anchor, 501) }),
		},
		"style": {
			change(func(d *drawing.Drawing) { d.Style.Colour = "red" }), change(func(d *drawing.Drawing) { d.Style.Width = 99 }),
			change(func(d *drawing.Drawing) { d.Style.Dash = "wavy" }), change(func(d *drawing.Drawing) { d.Style.Fill = fill(101) }),
		},
		"note":      {change(func(d *drawing.Drawing) { d.Note = strings.Repeat("ж", 501) }), change(func(d *drawing.Drawing) { d.Note = "a\x00b" })},
		"changedAt": {change(func(d *drawing.Drawing) { d.ChangedAt = time.UnixMilli(-1) })},
	} {
		for _, d := range list {
			_, err := b.drawings.Save(t.Context(), trader, b.products[0], []drawing.Drawing{line(2, 0), d})
			require.Contains(t, errs.As(err).Fields, field, "%+v", d)
		}
	}
	_, err := b.drawings.Save(t.Context(), trader, b.products[0], []drawing.Drawing{line(1, 0), line(1, time.Hour)})
	require.Contains(t, errs.As(err).Fields, "id")
	require.Empty(t, b.of(trader), "a refusal stores none of its changes")

	stroke := change(func(d *drawing.Drawing) {
		d.Tool, d.Note, d.Style.Fill, d.Anchors = "brush", strings.Repeat("ж", 500), fill(0), nil
		for n := range 500 {
			d.Anchors = append(d.Anchors, drawing.Anchor{At: 1_700_000_000_000 + int64(n)*60_000, Price: fmt.Sprintf("%d.1234567890", 100_000_000_000+n)})
		}
	})
	require.Len(t, b.save(trader, stroke)[0].Anchors, 500)
}

func TestAProductHasThreeHundredDrawings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trader := b.trader()
	some := func(from, to int) (list []drawing.Drawing) {
		for n := from; n < to; n++ {
			list = append(list, line(n, time.Hour))
		}
		return list
	}
	b.save(trader, some(0, 150)...)
	var group errgroup.Group
	for at := range 2 {
		group.Go(func() error {
			_, err := b.drawings.Save(t.Context(), trader, b.products[0], some(150+at*100, 250+at*100))
			return err
		})
	}
	require.ErrorIs(t, group.Wait(), drawing.ErrTooMany, "two devices don't pass the limit together")
	require.Len(t, b.of(trader), 250)
	_, err := b.drawings.Save(t.Context(), trader, b.products[0], some(1000, 1201))
	require.ErrorIs(t, err, drawing.ErrTooMany, "nor does one call")
	gone := line(0, 0)
	gone.Deleted = true
	b.save(trader, gone)
	require.Len(t, b.save(trader, some(2000, 2050)...), 300, "a deleted one takes no place")
}
