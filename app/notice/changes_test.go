package notice_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/notice"
	"candor/app/platform/errs"
	"candor/app/platform/upload"
)

// fixture is a bundle with members of staff who publish.
type fixture struct {
	*bundle
	author, publisher, other audit.Actor
}

func setupStaff(t *testing.T) *fixture {
	t.Helper()
	d := &fixture{bundle: setup(t)}
	d.author, d.publisher, d.other = d.person("author"), d.person("publisher"), d.person("other")
	return d
}

func (b *bundle) person(name string) audit.Actor {
	b.Helper()
	a := audit.Actor{Kind: audit.Staff, Name: name}
	err := b.db.Pool.QueryRow(b.Context(), `INSERT INTO staff (email, name, state, created_at) VALUES ($1, $2, 'active', now()) RETURNING id`, name+"@desk.example", name).Scan(&a.ID)
	require.NoError(b, err)
	return a
}

func settings(kind notice.Kind) notice.Settings {
	return notice.Settings{
		Category: notice.Categories[kind][0], Placement: notice.Placements[kind][0], Severity: "info", Audience: "all", Zone: "Europe/Zurich", Frequency: notice.Once,
	}
}

func text(locale, title string) notice.Text {
	return notice.Text{Locale: locale, Title: title, Summary: "In short.", Body: "<p>In full.</p>"}
}

// draft makes an item of a kind in English.
func (d *fixture) draft(kind notice.Kind, change func(*notice.Settings)) notice.Item {
	d.Helper()
	set := settings(kind)
	if change != nil {
		change(&set)
	}
	item, err := d.service.Create(d.Context(), d.author, kind, set)
	require.NoError(d, err)
	item, err = d.service.Edit(d.Context(), d.author, item.ID, item.Version, new(text("en", "First")), nil)
	require.NoError(d, err)
	return item
}

func (d *fixture) submitted(item notice.Item) notice.Item {
	d.Helper()
	item, err := d.service.Submit(d.Context(), d.author, item.ID, item.Version, false)
	require.NoError(d, err)
	return item
}

// approve approves what the item's page shows now.
func (d *fixture) approve(by audit.Actor, item notice.Item) (notice.Item, error) {
	d.Helper()
	details, err := d.service.Get(d.Context(), item.ID)
	require.NoError(d, err)
	var shown []byte
	if a := details.Newest.Approval; a != nil {
		shown = a.Facts
	}
	return d.service.Approve(d.Context(), by, item.ID, item.Version, shown)
}

func (d *fixture) approved(item notice.Item) notice.Item {
	d.Helper()
	item, err := d.approve(d.publisher, item)
	require.NoError(d, err)
	return item
}

func (d *fixture) state(id int64) notice.State {
	d.Helper()
	details, err := d.service.Get(d.Context(), id)
	require.NoError(d, err)
	return details.Newest.Stage()
}

// due runs the engine and the service, and returns how many revisions they moved on.
func (d *fixture) due() int {
	d.Helper()
	started, err := d.engine.Run(d.Context())
	require.NoError(d, err)
	ended, err := d.service.RunDue(d.Context())
	require.NoError(d, err)
	return started + ended
}

// seen are the titles that a visitor sees.
func (d *fixture) seen(kind notice.Kind, v notice.Viewer) []string {
	d.Helper()
	list, _, err := d.service.List(d.Context(), v, notice.ListFilter{Kind: kind, Limit: 20})
	require.NoError(d, err)
	return titles(list)
}

func (d *fixture) acts() (out []string) {
	d.Helper()
	rows, err := d.db.Pool.Query(d.Context(), `SELECT actor_name || ' ' || action FROM audit_entries WHERE target_kind = 'notice' ORDER BY id`)
	require.NoError(d, err)
	defer rows.Close()
	for rows.Next() {
		var one string
		require.NoError(d, rows.Scan(&one))
		out = append(out, one)
	}
	return out
}

// TestFromDraftToArchive takes a notice through all of its states.
func TestFromDraftToArchive(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	visitor := reader("en")
	starts, ends := d.clock.Now().Add(time.Hour), d.clock.Now().Add(2*time.Hour)
	item := d.draft(notice.Notice, func(s *notice.Settings) { s.StartsAt, s.EndsAt = &starts, &ends })
	require.Empty(t, d.seen(notice.Notice, visitor))
	item = d.submitted(item)
	require.Equal(t, notice.InReview, d.state(item.ID))
	item = d.approved(item)
	require.Equal(t, notice.Scheduled, d.state(item.ID))
	require.Zero(t, d.due())
	require.Empty(t, d.seen(notice.Notice, visitor), "scheduled is not live")

	d.clock.Set(starts)
	require.Equal(t, 1, d.due())
	require.Equal(t, []string{"First"}, d.seen(notice.Notice, visitor))
	d.clock.Set(ends)
	require.Empty(t, d.seen(notice.Notice, visitor), "what is over is not read, even before it is taken down")
	require.Equal(t, 1, d.due())
	require.Equal(t, notice.Expired, d.state(item.ID))
	details, err := d.service.Get(t.Context(), item.ID)
	require.NoError(t, err)
	_, err = d.service.Archive(t.Context(), d.publisher, item.ID, details.Item.Version)
	require.NoError(t, err)
	require.Equal(t, notice.Archived, d.state(item.ID))
	require.Equal(t, []string{
		"author notice.create", "author notice.write", "author notice.request", "publisher notice.approve", "schedule notice.apply", "schedule notice.end", "publisher notice.archive",
	}, d.acts())
}

// TestNobodyPublishesAlone tests the approval by a second person.
func TestNobodyPublishesAlone(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	item := d.submitted(d.draft(notice.News, nil))

	_, err := d.approve(d.author, item)
	require.ErrorIs(t, err, approval.ErrSamePerson)
	_, err = d.service.Reject(t.Context(), d.author, item.ID, item.Version, "not good enough")
	require.ErrorIs(t, err, approval.ErrSamePerson)
	before := item
	before.Version--
	_, err = d.approve(d.publisher, before)
	require.ErrorIs(t, err, approval.ErrChanged, "another form than the one that was looked at")
	_, err = d.service.Approve(t.Context(), d.publisher, item.ID, item.Version, make([]byte, 32))
	require.ErrorIs(t, err, approval.ErrChanged, "other facts than those that are there")

	before = item
	item, err = d.service.Edit(t.Context(), d.other, item.ID, item.Version, new(text("en", "Changed meanwhile")), nil)
	require.NoError(t, err)
	require.Equal(t, notice.Drafted, d.state(item.ID), "what is changed is looked at again")
	_, err = d.approve(d.publisher, before)
	require.ErrorIs(t, err, approval.ErrChanged)
	_, err = d.approve(d.publisher, item)
	require.ErrorIs(t, err, notice.ErrState)
	item = d.submitted(item)
	for _, wrote := range []audit.Actor{d.author, d.other} {
		_, err = d.approve(wrote, item)
		require.ErrorIs(t, err, approval.ErrSamePerson, "everybody who wrote at it")
	}
	item, err = d.service.Reject(t.Context(), d.publisher, item.ID, item.Version, "say which market")
	require.NoError(t, err)
	details, err := d.service.Get(t.Context(), item.ID)
	require.NoError(t, err)
	require.Equal(t, []any{notice.Drafted, "say which market"}, []any{details.Newest.State, details.Newest.Approval.Refusal})
	require.Empty(t, d.seen(notice.News, reader("en")))
	item = d.submitted(item)
	_, err = d.db.Pool.Exec(t.Context(), `UPDATE approvals SET second_by = $2, second_at = now() WHERE subject = $1 AND state = 'requested'`, strconv.FormatInt(item.ID, 10), d.other.ID)
	require.ErrorContains(t, err, "approvals_not_by_an_author", "nor does the database let anybody")
	_, err = d.db.Pool.Exec(t.Context(), `UPDATE notice_revisions SET state = 'live', live_at = now() WHERE item_id = $1`, item.ID)
	require.ErrorContains(t, err, "nobody approved")
	item = d.approved(item)
	require.Equal(t, []string{"Changed meanwhile"}, d.seen(notice.News, reader("en")))
	_, err = d.db.Pool.Exec(t.Context(), `UPDATE notice_revisions SET link = '/elsewhere' WHERE item_id = $1`, item.ID)
	require.ErrorContains(t, err, "something else", "what was approved stays")
}

// TestWhatIsShownIsApproved: the second person approves the kind, the settings and the texts in every language as they are.
func TestWhatIsShownIsApproved(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	item := d.draft(notice.News, nil)
	facts := map[string]bool{}
	note := func() {
		details, err := d.service.Get(t.Context(), d.submitted(item).ID)
		require.NoError(t, err)
		facts[string(details.Newest.Approval.Facts)] = true
		item = details.Item
	}
	note()
	described := text("ar", "First")
	described.Alt = "A chart"
	for _, one := range []notice.Text{text("en", "Second"), text("ar", "First"), described} {
		var err error
		item, err = d.service.Edit(t.Context(), d.author, item.ID, item.Version, new(one), nil)
		require.NoError(t, err)
		note()
	}
	require.Len(t, facts, 4)
	_, err := d.db.Pool.Exec(t.Context(), `UPDATE notice_revisions SET link = '/elsewhere' WHERE item_id = $1`, item.ID)
	require.NoError(t, err)
	_, err = d.approve(d.publisher, item)
	require.ErrorIs(t, err, approval.ErrChanged)
}

// TestWhatIsOverAtItsStartIsADraftAgain runs the schedule after the end of a revision.
func TestWhatIsOverAtItsStartIsADraftAgain(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	starts, ends := d.clock.Now().Add(time.Hour), d.clock.Now().Add(2*time.Hour)
	item := d.approved(d.submitted(d.draft(notice.Notice, func(s *notice.Settings) { s.StartsAt, s.EndsAt = &starts, &ends })))
	d.clock.Set(ends)
	require.Equal(t, 1, d.due())
	details, err := d.service.Get(t.Context(), item.ID)
	require.NoError(t, err)
	require.Equal(t, []any{notice.Drafted, notice.ErrOver.Key, item.Version + 1}, []any{details.Newest.State, details.Newest.Approval.Refusal, details.Item.Version})
	require.Empty(t, d.seen(notice.Notice, reader("en")))
}

// TestWhatIsLiveStaysUpWhileItIsEdited tests revisions of a live item.
func TestWhatIsLiveStaysUpWhileItIsEdited(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	item := d.approved(d.submitted(d.draft(notice.Notice, nil)))
	item, err := d.service.Edit(t.Context(), d.author, item.ID, item.Version, new(text("zh_CN", "第二")), nil)
	require.NoError(t, err)
	require.Equal(t, []string{"First"}, d.seen(notice.Notice, reader("zh_CN")))
	details, err := d.service.Get(t.Context(), item.ID)
	require.NoError(t, err)
	require.Equal(t, []any{2, notice.Drafted, 1}, []any{details.Newest.Number, details.Newest.State, details.Live().Number})

	_, err = d.db.Pool.Exec(t.Context(), `UPDATE notice_variants SET title = 'Slipped in' WHERE revision_id = $1`, *item.LiveID)
	require.ErrorContains(t, err, "no draft", "the database keeps what was agreed to")

	item = d.approved(d.submitted(item))
	require.Equal(t, []string{"第二"}, d.seen(notice.Notice, reader("zh_CN")))
	require.Equal(t, []string{"First"}, d.seen(notice.Notice, reader("ja")))
	details, err = d.service.Get(t.Context(), item.ID)
	require.NoError(t, err)
	require.Equal(t, []any{notice.Live, notice.Replaced}, []any{details.Revisions[0].State, details.Revisions[1].State})

	item, err = d.service.Edit(t.Context(), d.author, item.ID, item.Version, nil, new(settings(notice.Notice)))
	require.NoError(t, err)
	item, err = d.service.Unpublish(t.Context(), d.publisher, item.ID, item.Version, "it was wrong")
	require.NoError(t, err)
	require.Empty(t, d.seen(notice.Notice, reader("en")), "at once")
	require.Equal(t, notice.Drafted, d.state(item.ID), "the draft on top of it stays one")
	_, err = d.service.Unpublish(t.Context(), d.publisher, item.ID, item.Version, "it was wrong")
	require.ErrorIs(t, err, notice.ErrState)
}

// TestAnEarlierRevisionComesBack tests Restore.
func TestAnEarlierRevisionComesBack(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	item := d.draft(notice.Notice, func(s *notice.Settings) { s.Link, s.Platforms = "/quotes", []string{"1"} })
	item, err := d.service.Edit(t.Context(), d.author, item.ID, item.Version, new(text("zh_CN", "第一")), nil)
	require.NoError(t, err)
	for number, why := range map[int]string{1: "the draft itself", 2: "one that is not there"} {
		_, err = d.service.Restore(t.Context(), d.other, item.ID, item.Version, number)
		require.ErrorIs(t, err, notice.ErrUnderWay, why)
	}
	item = d.approved(d.submitted(item))
	item, err = d.service.Edit(t.Context(), d.author, item.ID, item.Version, nil, new(settings(notice.Notice)))
	require.NoError(t, err)
	for _, gone := range []notice.Text{{Locale: "zh_CN"}, text("en", "Second")} {
		item, err = d.service.Edit(t.Context(), d.author, item.ID, item.Version, new(gone), nil)
		require.NoError(t, err)
	}
	_, err = d.service.Restore(t.Context(), d.other, item.ID, item.Version, 1)
	require.ErrorIs(t, err, notice.ErrUnderWay, "a draft is open")
	item = d.submitted(item)
	_, err = d.service.Restore(t.Context(), d.other, item.ID, item.Version, 1)
	require.ErrorIs(t, err, notice.ErrUnderWay, "one waits for its second person")
	item = d.approved(item)

	_, err = d.service.Restore(t.Context(), d.other, item.ID, item.Version-1, 1)
	require.ErrorIs(t, err, approval.ErrChanged)
	for _, number := range []int{3, math.MaxInt} {
		_, err = d.service.Restore(t.Context(), d.other, item.ID, item.Version, number)
		require.ErrorIs(t, err, notice.ErrItem)
		_, _, err = d.service.Revision(t.Context(), item.ID, number)
		require.ErrorIs(t, err, notice.ErrItem)
	}
	_, err = d.service.Restore(t.Context(), d.other, 1, item.Version, 1)
	require.ErrorIs(t, err, notice.ErrItem)
	acts := d.acts()
	item, err = d.service.Restore(t.Context(), d.other, item.ID, item.Version, 1)
	require.NoError(t, err)
	require.Equal(t, append(acts, "other notice.restore"), d.acts())
	require.Equal(t, []string{"Second"}, d.seen(notice.Notice, reader("zh_CN")), "what is live stays up")
	details, err := d.service.Get(t.Context(), item.ID)
	require.NoError(t, err)
	require.Equal(t, []any{3, notice.Drafted, 2}, []any{details.Newest.Number, details.Newest.State, details.Live().Number})
	require.Equal(t, []any{"First", "第一", "/quotes", []string{"1"}}, []any{details.Text("en").Title, details.Text("zh_CN").Title, details.Newest.Link, details.Newest.Platforms})

	item, err = d.service.Submit(t.Context(), d.author, item.ID, item.Version, false)
	require.NoError(t, err)
	_, err = d.approve(d.other, item)
	require.ErrorIs(t, err, approval.ErrSamePerson, "whoever went back does not agree to it")
	d.approved(item)
	require.Equal(t, []string{"第一"}, d.seen(notice.Notice, reader("zh_CN")))
}

// TestNothingIsPublishedWithoutTheDefaultLanguage tests the mandatory texts.
func TestNothingIsPublishedWithoutTheDefaultLanguage(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	item, err := d.service.Create(t.Context(), d.author, notice.Notice, settings(notice.Notice))
	require.NoError(t, err)
	item, err = d.service.Edit(t.Context(), d.author, item.ID, item.Version, new(text("zh_CN", "标题")), nil)
	require.NoError(t, err)
	_, err = d.service.Submit(t.Context(), d.author, item.ID, item.Version, false)
	require.ErrorIs(t, err, notice.ErrDefault)
	item, err = d.service.Edit(t.Context(), d.author, item.ID, item.Version, new(text("en", "Title")), nil)
	require.NoError(t, err)
	item = d.submitted(item)

	item, err = d.service.Edit(t.Context(), d.author, item.ID, item.Version, new(notice.Text{Locale: "en"}), nil)
	require.NoError(t, err, "a text that says nothing is taken out")
	_, err = d.service.Submit(t.Context(), d.author, item.ID, item.Version, false)
	require.ErrorIs(t, err, notice.ErrDefault)
}

// TestWhatDoesNotFitIsRefused tests every field.
func TestWhatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	past, far := d.clock.Now().Add(-time.Second), d.clock.Now().Add(400*24*time.Hour)
	for field, change := range map[string]func(*notice.Settings){
		"category": func(s *notice.Settings) { s.Category = "gossip" }, "placement": func(s *notice.Settings) { s.Placement = "forehead" },
		"severity": func(s *notice.Settings) { s.Severity = "loud" }, "audience": func(s *notice.Settings) { s.Audience = "" },
		"countries": func(s *notice.Settings) { s.Countries = []string{"Germany"} }, "languages": func(s *notice.Settings) { s.Languages = []string{"tlh"} },
		"platforms": func(s *notice.Settings) { s.Platforms = []string{"9"} }, "link": func(s *notice.Settings) { s.Link = "javascript:alert(1)" },
		"source": func(s *notice.Settings) { s.Source = strings.Repeat("x", 61) }, "zone": func(s *notice.Settings) { s.Zone = "Nowhere/Town" },
		"frequency": func(s *notice.Settings) { s.Frequency = "always" }, "ends": func(s *notice.Settings) { s.EndsAt = &past }, "starts": func(s *notice.Settings) { s.StartsAt = &far },
	} {
		set := settings(notice.Notice)
		change(&set)
		_, err := d.service.Create(t.Context(), d.author, notice.Notice, set)
		require.Contains(t, errs.As(err).Fields, field)
	}
	for _, link := range []string{"//evil.test", "http://plain.test", "https://", "https://user@evil.test", "/path with blank", "https://x.test/\"", "data:text/html,x"} {
		set := settings(notice.Notice)
		set.Link = link
		_, err := d.service.Create(t.Context(), d.author, notice.Notice, set)
		require.Error(t, err, link)
	}
	for _, link := range []string{"", "/quotes", "/trade?product=201", "https://news.test/a?b=c"} {
		set := settings(notice.Notice)
		set.Link = link
		_, err := d.service.Create(t.Context(), d.author, notice.Notice, set)
		require.NoError(t, err, link)
	}
	_, err := d.service.Create(t.Context(), d.author, notice.Page, settings(notice.Page))
	require.ErrorIs(t, err, notice.ErrIsPage)
	item := d.draft(notice.Notice, nil)
	for field, wrong := range map[string]notice.Text{
		"locale": text("xx", "Title"), "title": {Locale: "en", Body: "<p>Body</p>"}, "body": {Locale: "en", Title: "Title", Body: "<p> </p><script>x</script>"},
		"summary": {Locale: "en", Title: "Title", Body: "<p>Body</p>", Summary: strings.Repeat("x", 301)}, "alt": {Locale: "en", Title: "Title", Body: "<p>Body</p>", Alt: "\x00"},
	} {
		_, err := d.service.Edit(t.Context(), d.author, item.ID, item.Version, new(wrong), nil)
		require.Contains(t, errs.As(err).Fields, field)
	}
	details, err := d.service.Get(t.Context(), item.ID)
	require.NoError(t, err)
	require.Equal(t, item.Version, details.Item.Version, "nothing of it was written")
}

// TestIllegalMoves tries every act in every state.
func TestIllegalMoves(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	soon := d.clock.Now().Add(time.Hour)
	make := map[notice.State]func() notice.Item{
		notice.Drafted:  func() notice.Item { return d.draft(notice.Notice, nil) },
		notice.InReview: func() notice.Item { return d.submitted(d.draft(notice.Notice, nil)) },
		notice.Scheduled: func() notice.Item {
			return d.approved(d.submitted(d.draft(notice.Notice, func(s *notice.Settings) { s.StartsAt = &soon })))
		},
		notice.Live: func() notice.Item { return d.approved(d.submitted(d.draft(notice.Notice, nil))) },
		notice.Unpublished: func() notice.Item {
			item := d.approved(d.submitted(d.draft(notice.Notice, nil)))
			item, err := d.service.Unpublish(t.Context(), d.publisher, item.ID, item.Version, "no longer true")
			require.NoError(t, err)
			return item
		},
		notice.Archived: func() notice.Item {
			item := d.draft(notice.Notice, nil)
			item, err := d.service.Archive(t.Context(), d.publisher, item.ID, item.Version)
			require.NoError(t, err)
			return item
		},
	}
	acts := map[string]struct {
		from []notice.State
		do   func(notice.Item) error
	}{
		"submit": {[]notice.State{notice.Drafted}, func(i notice.Item) error {
			_, err := d.service.Submit(t.Context(), d.author, i.ID, i.Version, false)
			return err
		}},
		"recall": {[]notice.State{notice.InReview, notice.Scheduled}, func(i notice.Item) error {
			_, err := d.service.Recall(t.Context(), d.author, i.ID, i.Version)
			return err
		}},
		"approve": {[]notice.State{notice.InReview}, func(i notice.Item) error {
			_, err := d.approve(d.publisher, i)
			return err
		}},
		"reject": {[]notice.State{notice.InReview}, func(i notice.Item) error {
			_, err := d.service.Reject(t.Context(), d.publisher, i.ID, i.Version, "no good")
			return err
		}},
		"unpublish": {[]notice.State{notice.Live}, func(i notice.Item) error {
			_, err := d.service.Unpublish(t.Context(), d.publisher, i.ID, i.Version, "no good")
			return err
		}},
		"archive": {[]notice.State{notice.Drafted, notice.Unpublished}, func(i notice.Item) error {
			_, err := d.service.Archive(t.Context(), d.publisher, i.ID, i.Version)
			return err
		}},
	}
	for state, item := range make {
		for name, act := range acts {
			i := item()
			require.Equal(t, state, d.state(i.ID))
			err := act.do(i)
			if contains(act.from, state) {
				require.NoError(t, err, "%s of %s", name, state)
				continue
			}
			refusal := notice.ErrState
			if state == notice.Scheduled && (name == "approve" || name == "reject") {
				refusal = approval.ErrState
			}
			require.ErrorIs(t, err, refusal, "%s of %s", name, state)
			require.Equal(t, state, d.state(i.ID))
		}
	}
}

func contains(list []notice.State, one notice.State) bool {
	for _, s := range list {
		if s == one {
			return true
		}
	}
	return false
}

// drawn is a picture of a given size, half of it noise.
func drawn(t *testing.T, width, height int, asPNG bool) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	seed := uint32(1)
	for y := range height {
		for x := range width {
			seed = seed*1664525 + 1013904223
			picture.SetRGBA(x, y, color.RGBA{byte(seed >> 24), byte(x), byte(y), 255})
		}
	}
	var out bytes.Buffer
	if asPNG {
		require.NoError(t, png.Encode(&out, picture))
	} else {
		require.NoError(t, jpeg.Encode(&out, picture, nil))
	}
	return out.Bytes()
}

// taken is a picture as the upload handler passes it on.
func taken(t *testing.T, raw []byte) upload.Picture {
	t.Helper()
	p, err := upload.New(upload.DefaultLimits(), nil).Take(t.Context(), upload.Sender{}, upload.Use{Longest: notice.LongestImage}, -1, bytes.NewReader(raw))
	require.NoError(t, err)
	return p
}

// TestPictures checks that pictures are cropped, compressed, and described in every language.
func TestPictures(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	for kind, want := range map[notice.Kind][2]int{notice.Banner: {1000, 500}, notice.News: {1000, 562}} {
		item := d.draft(kind, nil)
		raw := drawn(t, 1000, 900, kind == notice.News)
		item, err := d.service.SetImage(t.Context(), d.author, item.ID, item.Version, taken(t, raw))
		require.NoError(t, err)
		details, err := d.service.Get(t.Context(), item.ID)
		require.NoError(t, err)
		served, err := d.service.Image(t.Context(), details.Newest.Image)
		require.NoError(t, err)
		require.LessOrEqual(t, len(served), notice.MaxImage)
		require.False(t, bytes.Equal(raw, served), "never the bytes that came")
		size, err := jpeg.DecodeConfig(bytes.NewReader(served))
		require.NoError(t, err)
		require.InDelta(t, want[0], size.Width, 16)
		require.InDelta(t, want[1], size.Height, 9)
		require.InDelta(t, float64(want[0])/float64(want[1]), float64(size.Width)/float64(size.Height), 0.01)

		_, err = d.service.Submit(t.Context(), d.author, item.ID, item.Version, false)
		require.ErrorIs(t, err, notice.ErrAlt)
		require.Equal(t, "en", errs.As(err).Args["locale"])
		described := text("en", "First")
		described.Alt = "A chart that rises"
		item, err = d.service.Edit(t.Context(), d.author, item.ID, item.Version, new(described), nil)
		require.NoError(t, err)
		item = d.approved(d.submitted(item))
		item, err = d.service.RemoveImage(t.Context(), d.author, item.ID, item.Version)
		require.NoError(t, err)
		require.Equal(t, notice.Drafted, d.state(item.ID))
	}
	item := d.draft(notice.Banner, nil)
	_, err := d.service.SetImage(t.Context(), d.author, item.ID, item.Version, taken(t, drawn(t, 300, 300, false)))
	require.Contains(t, errs.As(err).Fields, "image", "too small")
	faq := d.draft(notice.FAQ, nil)
	_, err = d.service.SetImage(t.Context(), d.author, faq.ID, faq.Version, taken(t, drawn(t, 800, 800, false)))
	require.Contains(t, errs.As(err).Fields, "image")
}

// TestPlace tests the common order of the back office and the app.
func TestPlace(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	const proof, demo = "Every fill has a proof", "Practise first"
	for _, title := range []string{"A", "B"} {
		item := d.draft(notice.Banner, nil)
		item, err := d.service.Edit(t.Context(), d.author, item.ID, item.Version, new(text("en", title)), nil)
		require.NoError(t, err)
		d.approved(d.submitted(item))
	}
	listed := func() (list []notice.Listed, shown []string) {
		list, err := d.service.Items(t.Context(), notice.Banner, "")
		require.NoError(t, err)
		for i, l := range list {
			shown = append(shown, l.Title)
			require.Equal(t, i+1, l.Position)
		}
		return list, shown
	}
	reorder := func(from, to int) (notice.Item, error) {
		list, _ := listed()
		return d.service.Reorder(t.Context(), d.publisher, list[from-1].ItemID, list[from-1].Version, to)
	}
	shows := func(want ...string) {
		t.Helper()
		list, err := d.service.Banners(t.Context(), reader("en"))
		require.NoError(t, err)
		require.Equal(t, want, titles(list), "the app")
		_, shown := listed()
		require.Equal(t, want, shown, "the desk")
	}
	shows(proof, demo, "A", "B")
	for _, step := range []struct {
		from, to int
		want     []string
	}{
		{4, 3, []string{proof, demo, "B", "A"}}, // one step changes both sides
		{1, 2, []string{demo, proof, "B", "A"}},
		{4, 1, []string{"A", demo, proof, "B"}},
		{1, 9999, []string{demo, proof, "B", "A"}},
		{2, 2, []string{demo, proof, "B", "A"}},
	} {
		_, err := reorder(step.from, step.to)
		require.NoError(t, err)
		shows(step.want...)
	}
	list, _ := listed()
	_, err := d.service.Reorder(t.Context(), d.publisher, list[0].ItemID, list[0].Version-1, 2)
	require.ErrorIs(t, err, approval.ErrChanged)
	for _, out := range []int{0, -1, 10_000} {
		_, err = reorder(1, out)
		require.Contains(t, errs.As(err).Fields, "sort")
	}
	news := d.draft(notice.News, nil)
	_, err = d.service.Reorder(t.Context(), d.publisher, news.ID, news.Version, 1)
	require.Contains(t, errs.As(err).Fields, "sort", "the newest news stands first")
	shows(demo, proof, "B", "A")
}

// TestOnlyTheNewestFirstStayOnTop checks that sticky has no effect on kinds that staff order.
func TestOnlyTheNewestFirstStayOnTop(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	for _, kind := range notice.Kinds {
		if kind == notice.Page {
			continue
		}
		item := d.draft(kind, func(s *notice.Settings) { s.Sticky = true })
		details, err := d.service.Get(t.Context(), item.ID)
		require.NoError(t, err)
		require.Equal(t, kind == notice.Notice || kind == notice.News, details.Newest.Sticky, kind)
	}
}

// TestTwoPublishersPutInOrder moves items from two publishers concurrently: each position is used once, and there is no deadlock.
func TestTwoPublishersPutInOrder(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	list, err := d.service.Items(t.Context(), notice.FAQ, "")
	require.NoError(t, err)
	done := make(chan error, len(list))
	for i, l := range list {
		go func() {
			_, err := d.service.Reorder(t.Context(), d.publisher, l.ItemID, l.Version, len(list)-i)
			done <- err
		}()
	}
	for range list {
		require.NoError(t, <-done)
	}
	list, err = d.service.Items(t.Context(), notice.FAQ, "")
	require.NoError(t, err)
	for i, l := range list {
		require.Equal(t, i+1, l.Sort)
	}
}

// TestTheTallyCountsWhatTheListShows compares the numbers with the list: a draft and an item in review are neither live nor scheduled.
func TestTheTallyCountsWhatTheListShows(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	before, err := d.service.Tally(t.Context())
	require.NoError(t, err)
	d.draft(notice.Banner, nil)
	d.submitted(d.draft(notice.Banner, nil))
	d.approved(d.submitted(d.draft(notice.Banner, nil)))
	later := d.clock.Now().Add(time.Hour)
	d.approved(d.submitted(d.draft(notice.Banner, func(s *notice.Settings) { s.StartsAt = &later })))
	tally, err := d.service.Tally(t.Context())
	require.NoError(t, err)
	require.Equal(t, notice.Tally{Scheduled: before.Scheduled + 1, Live: before.Live + 1, Missing: before.Missing + len(notice.Locales) - 1}, tally)
	list, err := d.service.Items(t.Context(), "", "")
	require.NoError(t, err)
	var want notice.Tally
	for _, item := range list {
		switch {
		case item.Stage() == notice.Scheduled:
			want.Scheduled++
		case item.LiveNumber != nil:
			want.Live, want.Missing = want.Live+1, want.Missing+max(len(notice.Locales)-len(item.Locales), 0)
		}
	}
	require.Equal(t, want, tally)
}
