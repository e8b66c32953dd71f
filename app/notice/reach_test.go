package notice_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/notice"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// TestAudience checks that each item is visible to its audience only.
func TestAudience(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	visitor, trader, verified := reader("en"), d.trader("tess", false), d.trader("vera", true)
	guest := d.trader("gast", false)
	guest.Guest = true
	german := verified
	german.Country, german.Language, german.Platform = "DE", "de", "2"
	for name, c := range map[string]struct {
		change func(*notice.Settings)
		for_   []bool // visitor, guest session, trader, verified, verified in Germany with another platform
	}{
		"All":       {nil, []bool{true, true, true, true, true}},
		"Guests":    {func(s *notice.Settings) { s.Audience = "guests" }, []bool{true, true, false, false, false}},
		"Traders":   {func(s *notice.Settings) { s.Audience = "traders" }, []bool{false, false, true, true, true}},
		"Verified":  {func(s *notice.Settings) { s.Audience = "verified" }, []bool{false, false, false, true, true}},
		"Countries": {func(s *notice.Settings) { s.Countries = []string{"de", "CH"} }, []bool{false, false, false, false, true}},
		"Languages": {func(s *notice.Settings) { s.Languages = []string{"de"} }, []bool{false, false, false, false, true}},
		"Platforms": {func(s *notice.Settings) { s.Platforms = []string{"1"} }, []bool{true, true, true, true, false}},
	} {
		item := d.approved(d.submitted(d.draft(notice.News, c.change)))
		for i, v := range []notice.Viewer{visitor, guest, trader, verified, german} {
			_, err := d.service.Find(t.Context(), v, notice.News, item.ID)
			if c.for_[i] {
				require.NoError(t, err, "%s: %d", name, i)
				continue
			}
			require.ErrorIs(t, err, notice.ErrUnknown, "%s: %d", name, i)
			require.ErrorIs(t, d.service.Click(t.Context(), v, item.ID), notice.ErrUnknown)
		}
	}
}

// TestPages reads a list page by page, with sticky items first.
func TestPages(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	for i := range 5 {
		item := d.draft(notice.Notice, func(s *notice.Settings) { s.Sticky = i == 1 })
		item, err := d.service.Edit(t.Context(), d.author, item.ID, item.Version, new(text("en", string(rune('A'+i)))), nil)
		require.NoError(t, err)
		d.approved(d.submitted(item))
		d.clock.Advance(time.Second)
	}
	want := []string{"B", "E", "D", "C", "A"}
	var got []string
	var next int64
	for {
		list, after, err := d.service.List(t.Context(), reader("en"), notice.ListFilter{Kind: notice.Notice, Next: next, Limit: 2})
		require.NoError(t, err)
		got = append(got, titles(list)...)
		if next = after; next == 0 {
			break
		}
	}
	require.Equal(t, want, got)
	list, _, err := d.service.List(t.Context(), reader("en"), notice.ListFilter{Kind: notice.Notice, Offset: 2, Limit: 2})
	require.NoError(t, err)
	require.Equal(t, want[2:4], titles(list))
	total, more, err := d.service.Count(t.Context(), reader("en"), notice.ListFilter{Kind: notice.Notice})
	require.NoError(t, err)
	require.Equal(t, []any{5, false}, []any{total, more})
	list, _, err = d.service.List(t.Context(), reader("en"), notice.ListFilter{Kind: notice.Notice, Locale: "de", Limit: 9})
	require.NoError(t, err)
	require.Empty(t, list)
}

// TestPopUpsShowAsOftenAsTheyMay tests the frequencies.
func TestPopUpsShowAsOftenAsTheyMay(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	trader, visitor := d.trader("tess", false), reader("en")
	shown := func(v notice.Viewer) bool {
		list, err := d.service.Popups(t.Context(), v)
		require.NoError(t, err)
		return len(list) > 0
	}
	up := func(frequency string, mustAck bool) (id int64, down func()) {
		item := d.approved(d.submitted(d.draft(notice.Popup, func(s *notice.Settings) { s.Frequency, s.MustAck = frequency, mustAck })))
		return item.ID, func() {
			_, err := d.service.Unpublish(t.Context(), d.publisher, item.ID, item.Version, "the next one comes")
			require.NoError(t, err)
		}
	}

	id, down := up(notice.Once, false)
	require.True(t, shown(trader))
	require.NoError(t, d.service.PopupSeen(t.Context(), trader, id, 1, false))
	d.clock.Advance(48 * time.Hour)
	require.False(t, shown(trader), "once is once")
	require.True(t, shown(visitor), "somebody else has not seen it")
	down()
	require.False(t, shown(visitor))
	require.ErrorIs(t, d.service.PopupSeen(t.Context(), visitor, id, 1, false), notice.ErrUnknown)

	id, down = up(notice.Daily, false)
	require.NoError(t, d.service.PopupSeen(t.Context(), trader, id, 1, false))
	d.clock.Advance(24*time.Hour - time.Second)
	require.False(t, shown(trader))
	d.clock.Advance(2 * time.Second)
	require.True(t, shown(trader))
	down()

	id, down = up(notice.EveryLogin, false)
	require.NoError(t, d.service.PopupSeen(t.Context(), trader, id, 1, false))
	d.clock.Advance(48 * time.Hour)
	require.False(t, shown(trader), "the same session")
	again := trader
	again.SessionID++
	require.True(t, shown(again))
	require.NoError(t, d.service.PopupSeen(t.Context(), visitor, id, 1, false))
	require.False(t, shown(visitor), "a visitor never logs in: once a day")
	d.clock.Advance(25 * time.Hour)
	require.True(t, shown(visitor))
	down()

	id, _ = up(notice.Once, true)
	require.NoError(t, d.service.PopupSeen(t.Context(), trader, id, 1, false))
	require.True(t, shown(trader), "until it is confirmed")
	require.NoError(t, d.service.PopupSeen(t.Context(), trader, id, 1, true))
	require.False(t, shown(trader))
}

// revised publishes the next revision of an item.
func (d *fixture) revised(id int64, title string, again bool) notice.Item {
	d.Helper()
	details, err := d.service.Get(d.Context(), id)
	require.NoError(d, err)
	item, err := d.service.Edit(d.Context(), d.author, id, details.Item.Version, new(text("en", title)), nil)
	require.NoError(d, err)
	item, err = d.service.Submit(d.Context(), d.author, id, item.Version, again)
	require.NoError(d, err)
	return d.approved(item)
}

// TestTellingEverybodyAgain tests that marks of earlier revisions count until readers are notified again.
func TestTellingEverybodyAgain(t *testing.T) {
	t.Parallel()
	for name, mustAck := range map[string]bool{"Confirmed": true, "Seen": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setupStaff(t)
			tess, otto := d.trader("tess", false), d.trader("otto", false)
			id := d.approved(d.submitted(d.draft(notice.Popup, func(s *notice.Settings) { s.MustAck = mustAck }))).ID
			shown := func(v notice.Viewer) (out []int) {
				list, err := d.service.Popups(t.Context(), v)
				require.NoError(t, err)
				for _, p := range list {
					out = append(out, p.Number)
				}
				return out
			}
			acked := func() int64 {
				details, err := d.service.Get(t.Context(), id)
				require.NoError(t, err)
				return details.Acked
			}
			showPopup := func(v notice.Viewer, revision int) {
				require.NoError(t, d.service.PopupSeen(t.Context(), v, id, revision, mustAck))
			}
			counted := map[bool]int64{true: 1}[mustAck]
			showPopup(tess, 1)
			d.revised(id, "A comma", false)
			require.Empty(t, shown(tess), "an earlier mark counts")
			require.Equal(t, counted, acked())
			require.Equal(t, []int{2}, shown(otto))

			d.revised(id, "Other words", true)
			require.Equal(t, []int{3}, shown(tess))
			require.Zero(t, acked(), "nobody has confirmed these words")
			showPopup(tess, 2)
			require.Equal(t, []int{3}, shown(tess), "what was open when the next came is not what was read")
			showPopup(tess, 3)
			require.Empty(t, shown(tess))
			require.Equal(t, counted, acked())
			require.Equal(t, []int{3}, shown(otto))
			showPopup(otto, 9)
			d.revised(id, "More words", true)
			require.Equal(t, []int{4}, shown(otto), "nobody reads ahead")

			require.Contains(t, errs.As(d.service.PopupSeen(t.Context(), tess, id, 0, true)).Fields, "revision")
			if mustAck {
				var revisions []int
				require.NoError(t, d.db.Pool.QueryRow(t.Context(), `SELECT array_agg(revision ORDER BY revision) FROM notice_acks WHERE viewer = $1`,
					fmt.Sprintf("t:%d", tess.TraderID)).Scan(&revisions))
				require.Equal(t, []int{1, 2, 3}, revisions, "each confirmation stays with what it confirmed")
			}
		})
	}
}

// TestANoticeWaitsAgain tests the mailbox with a scheduled revision.
func TestANoticeWaitsAgain(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	tess := d.trader("tess", false)
	id := d.approved(d.submitted(d.draft(notice.Notice, nil))).ID
	unread := func() int {
		notices, _, err := d.service.Unread(t.Context(), tess)
		require.NoError(t, err)
		return notices
	}
	read := func() bool {
		p, err := d.service.Find(t.Context(), tess, notice.Notice, id)
		require.NoError(t, err)
		return p.Read
	}
	require.NoError(t, d.service.Read(t.Context(), tess, id))
	d.revised(id, "A comma", false)
	require.Equal(t, []any{0, true}, []any{unread(), read()})
	d.revised(id, "Other words", true)
	require.Equal(t, []any{1, false}, []any{unread(), read()})
	require.NoError(t, d.service.ReadAll(t.Context(), tess))
	require.Equal(t, []any{0, true}, []any{unread(), read()})

	soon := d.clock.Now().Add(time.Hour)
	details, err := d.service.Get(t.Context(), id)
	require.NoError(t, err)
	set := details.Newest.Settings
	set.StartsAt = &soon
	item, err := d.service.Edit(t.Context(), d.author, id, details.Item.Version, nil, new(set))
	require.NoError(t, err)
	item, err = d.service.Submit(t.Context(), d.author, id, item.Version, true)
	require.NoError(t, err)
	item = d.approved(item)
	require.Zero(t, unread(), "not before it is shown")
	d.clock.Advance(2 * time.Hour)
	_, err = d.engine.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, unread())
	require.NoError(t, d.service.Read(t.Context(), tess, id))

	item, err = d.service.Edit(t.Context(), d.author, id, item.Version+1, new(text("en", "Once more")), nil)
	require.NoError(t, err)
	d.approved(d.submitted(item))
	require.Zero(t, unread(), "a revision begins without the tick of the one before")
}

// TestReach checks that each reader counts once.
func TestReach(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	item := d.approved(d.submitted(d.draft(notice.News, nil)))
	trader := d.trader("tess", false)
	nameless := reader("en")
	nameless.Device = "no device of ours"
	for _, v := range []notice.Viewer{trader, reader("en"), reader("de"), nameless} {
		for range 3 {
			require.NoError(t, d.service.Seen(t.Context(), v, []int64{item.ID, 1}))
		}
	}
	require.NoError(t, d.service.Click(t.Context(), trader, item.ID))
	require.NoError(t, d.service.Click(t.Context(), trader, item.ID))
	details, err := d.service.Get(t.Context(), item.ID)
	require.NoError(t, err)
	require.Equal(t, []int64{2, 2}, []int64{details.Seen, details.Clicks})
	require.Error(t, d.service.Seen(t.Context(), trader, make([]int64, 51)))

	list, _, err := d.service.Questions(t.Context(), reader("en"), "", "")
	require.NoError(t, err)
	require.NoError(t, d.service.Answer(t.Context(), trader, list[0].ID, false))
	require.NoError(t, d.service.Answer(t.Context(), trader, list[0].ID, true))
	require.ErrorIs(t, d.service.Answer(t.Context(), trader, item.ID, true), notice.ErrUnknown, "news is no answer")
	details, err = d.service.Get(t.Context(), list[0].ID)
	require.NoError(t, err)
	require.Equal(t, []int64{1, 0}, []int64{details.Helped, details.NotHelped}, "said again it replaces what was said")
}

// TestVisitorsFillNoTable checks that only traders are counted above the limit of marks.
func TestVisitorsFillNoTable(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	item := d.approved(d.submitted(d.draft(notice.News, nil)))
	d.service.SetMaxMarks(2)
	visitor := func(n int) notice.Viewer {
		v := reader("en")
		v.Device = fmt.Sprintf("%032x", n)
		return v
	}
	seen := func(v notice.Viewer) int64 {
		require.NoError(t, d.service.Seen(t.Context(), v, []int64{item.ID}))
		details, err := d.service.Get(t.Context(), item.ID)
		require.NoError(t, err)
		return details.Seen
	}
	require.EqualValues(t, 1, seen(visitor(1)))
	require.EqualValues(t, 2, seen(visitor(2)))
	d.test.Tamper(t, `ANALYZE notice_reach`)
	require.EqualValues(t, 2, seen(visitor(3)))
	require.EqualValues(t, 3, seen(d.trader("tess", false)))
}

// TestMailbox tests a trader's read notices.
func TestMailbox(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	early, other := d.trader("tess", false), d.trader("otto", false)
	first := d.approved(d.submitted(d.draft(notice.Notice, nil)))
	d.clock.Advance(time.Minute)
	d.approved(d.submitted(d.draft(notice.Notice, nil)))
	late := d.trader("lara", false)
	_, err := d.db.Pool.Exec(t.Context(), `UPDATE traders SET created_at = $2 WHERE id = $1`, late.TraderID, d.clock.Now().Add(time.Second))
	require.NoError(t, err)
	unread := func(v notice.Viewer) []int {
		notices, messages, err := d.service.Unread(t.Context(), v)
		require.NoError(t, err)
		return []int{notices, messages}
	}
	require.Equal(t, []int{2, 0}, unread(early))
	require.Equal(t, []int{0, 0}, unread(late), "what was there before a trader came is no news")
	require.NoError(t, d.service.Read(t.Context(), early, first.ID))
	require.NoError(t, d.service.Read(t.Context(), early, first.ID))
	require.ErrorIs(t, d.service.Read(t.Context(), early, 1), notice.ErrUnknown)
	require.Equal(t, []int{1, 0}, unread(early))
	require.NoError(t, d.service.ReadAll(t.Context(), early))
	require.Equal(t, []int{0, 0}, unread(early))
	require.Equal(t, []int{2, 0}, unread(other))

	addMessage := func(cause, category string, inApp bool) error {
		return d.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := d.service.AddMessageTx(t.Context(), tx, notice.Message{
				TraderID: early.TraderID, Category: category, Key: "deposit.credited", Args: map[string]string{"amount": "100"}, Cause: cause, InApp: inApp,
			})
			return err
		})
	}
	require.NoError(t, addMessage("deposit:1", "money", true))
	require.NoError(t, addMessage("deposit:1", "money", true), "an event is told once")
	require.NoError(t, addMessage("deposit:2", "identity", true))
	require.NoError(t, addMessage("deposit:3", "money", false), "a message that is only mailed")
	require.Equal(t, []int{0, 2}, unread(early))
	list, next, err := d.service.Messages(t.Context(), early.TraderID, nil, 0, 0, 1)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, map[string]string{"amount": "100"}, list[0].Args)
	rest, end, err := d.service.Messages(t.Context(), early.TraderID, nil, next, 0, 8)
	require.NoError(t, err)
	require.Len(t, rest, 1)
	require.Zero(t, end)
	require.NoError(t, d.service.ReadMessages(t.Context(), other.TraderID, []int64{list[0].ID}))
	require.Equal(t, []int{0, 2}, unread(early), "nobody else reads them")
	require.NoError(t, d.service.ReadMessages(t.Context(), early.TraderID, []int64{list[0].ID}))
	require.Equal(t, []int{0, 1}, unread(early))
	require.NoError(t, d.service.ReadMessages(t.Context(), early.TraderID, nil))
	require.Equal(t, []int{0, 0}, unread(early))
}
