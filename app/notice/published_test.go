package notice_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/notice"
)

// TestStart tests the content of a new installation.
func TestStart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	visitor := reader("en")

	t.Run("TheBannersSpeakTheLanguagesThatTheyHad", func(t *testing.T) {
		for language, title := range map[string]string{"en": "Every fill has a proof", "zh_CN": "每笔成交都有证明", "ar": "لكل صفقة إثبات", "ko": "Every fill has a proof", "xx": "Every fill has a proof"} {
			list, err := b.service.Banners(t.Context(), reader(language))
			require.NoError(t, err)
			require.Len(t, list, 2)
			require.Equal(t, title, list[0].Title, language)
			require.Equal(t, "/proof", list[0].Link)
		}
	})
	t.Run("EveryPageIsThereAndNoOther", func(t *testing.T) {
		for _, key := range notice.PageKeys {
			page, err := b.service.Page(t.Context(), visitor, key)
			require.NoError(t, err, key)
			require.Equal(t, []any{1, "en"}, []any{page.Number, page.Locale})
			require.NotEmpty(t, page.Body)
			require.Equal(t, notice.Clean(page.Body), page.Body)
		}
		_, err := b.service.Page(t.Context(), visitor, "faq.03.margin")
		require.ErrorIs(t, err, notice.ErrUnknown)
	})
	t.Run("TheLanguagesOfTheAppSayTheSame", func(t *testing.T) {
		shape := func(p notice.Published) []string {
			return regexp.MustCompile(`<[^>]+>|\d+%`).FindAllString(p.Body, -1)
		}
		all := func(language string) (list []notice.Published) {
			list, _, err := b.service.Questions(t.Context(), reader(language), "", "")
			require.NoError(t, err)
			for _, key := range notice.PageKeys {
				page, err := b.service.Page(t.Context(), reader(language), key)
				require.NoError(t, err)
				list = append(list, page)
			}
			return list
		}
		english := all("en")
		for _, language := range []string{"zh_CN", "ar"} {
			for i, said := range all(language) {
				require.Equal(t, language, said.Locale, said.Title)
				require.NotEqual(t, english[i].Title, said.Title)
				require.ElementsMatch(t, shape(english[i]), shape(said), "%s in %s", english[i].Title, language)
			}
		}
		for i, said := range all("ko") {
			require.Equal(t, english[i].Text, said.Text, "another language falls back")
		}
	})
	t.Run("QuestionsAreFoundByWordAndCategory", func(t *testing.T) {
		all, categories, err := b.service.Questions(t.Context(), visitor, "", "")
		require.NoError(t, err)
		require.Len(t, all, 16)
		require.Equal(t, notice.Categories[notice.FAQ], categories)
		found, categories, err := b.service.Questions(t.Context(), visitor, "", "ROLLOVER")
		require.NoError(t, err)
		require.Equal(t, []string{"What is a swap?"}, titles(found))
		require.Equal(t, notice.Categories[notice.FAQ], categories)
		found, _, err = b.service.Questions(t.Context(), visitor, "money", "rollover")
		require.NoError(t, err)
		require.Empty(t, found)
		found, _, err = b.service.Questions(t.Context(), visitor, "", "href")
		require.NoError(t, err)
		require.Empty(t, found, "elements are no words")
	})
	t.Run("ThereIsNoNewsUntilThereIsSome", func(t *testing.T) {
		for _, kind := range []notice.Kind{notice.News, notice.Notice} {
			list, next, err := b.service.List(t.Context(), visitor, notice.ListFilter{Kind: kind, Limit: 8})
			require.NoError(t, err)
			require.Empty(t, list)
			require.Zero(t, next)
		}
	})
	t.Run("StartingAgainAddsNothing", func(t *testing.T) {
		count := func() (n int) {
			require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM notice_items) + (SELECT count(*) FROM notice_variants)`).Scan(&n))
			return n
		}
		before := count()
		require.NoError(t, notice.Seed(t.Context(), b.db, start))
		require.Equal(t, before, count())
	})
}

// TestAccepted tests that the accepted revision is the one live when a trader registered.
func TestAccepted(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	accepts := func(name string) int64 {
		v := d.trader(name, false)
		_, err := d.db.Pool.Exec(t.Context(), `UPDATE traders SET accepted_at = $2 WHERE id = $1`, v.TraderID, d.clock.Now())
		require.NoError(t, err)
		return v.TraderID
	}
	accepted := func(trader int64, key string) int {
		revision, _, err := d.service.Accepted(t.Context(), trader, key)
		require.NoError(t, err)
		return revision
	}
	early := accepts("early")
	d.clock.Advance(time.Hour)
	page, err := d.service.Page(t.Context(), reader("en"), "terms")
	require.NoError(t, err)
	d.revised(page.ID, "Terms of use", false)
	d.clock.Advance(time.Hour)
	late := accepts("late")
	require.Equal(t, []int{1, 2}, []int{accepted(early, "terms"), accepted(late, "terms")})
	require.Equal(t, []int{1, 1}, []int{accepted(early, "risk"), accepted(late, "risk")})
	require.Zero(t, accepted(early, "about"), "nobody agrees to it")
	require.Zero(t, accepted(0, "terms"), "a visitor has agreed to nothing")
	_, at, err := d.service.Accepted(t.Context(), late, "terms")
	require.NoError(t, err)
	require.True(t, at.Equal(d.clock.Now()))
}

// TestBannersFollowTheirSwitch tests the switch for banners.
func TestBannersFollowTheirSwitch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.db.Pool.Exec(t.Context(), `INSERT INTO switches (key, value) VALUES ('banner.enabled', 'false')`)
	require.NoError(t, err)
	require.NoError(t, b.values.Reload(t.Context()))
	list, err := b.service.Banners(t.Context(), reader("en"))
	require.NoError(t, err)
	require.Empty(t, list)
}
