package notice_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/notice"
	"candor/app/platform/errs"
)

func TestCheckTranslation(t *testing.T) {
	t.Parallel()
	source := notice.Text{Locale: "en", Title: "Pause at {time}", Body: `<p>We <strong>rest</strong>, see <a href="#/quotes">quotes</a>.</p>`}
	good := notice.Text{Locale: "de", Title: "{time}: Pause", Body: `<p>Wir <a href="#/quotes">Kurse</a> <strong>ruhen</strong>.</p>`}
	require.NotEqual(t, source.Fingerprint(), good.Fingerprint())
	_, err := notice.Notice.CheckTranslation(source, good)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		change func(*notice.Text)
		want   error
	}{
		"an element is lost":    {func(x *notice.Text) { x.Body = `<p>Wir <a href="#/quotes">Kurse</a> ruhen.</p>` }, notice.ErrMarkup},
		"an element is added":   {func(x *notice.Text) { x.Body += "<p>Mehr</p>" }, notice.ErrMarkup},
		"another link":          {func(x *notice.Text) { x.Body = `<p><strong>x</strong><a href="#/trade">Kurse</a></p>` }, notice.ErrMarkup},
		"a placeholder is lost": {func(x *notice.Text) { x.Title = "Pause" }, notice.ErrPlaceholder},
		"another placeholder":   {func(x *notice.Text) { x.Title = "Pause {zeit}" }, notice.ErrPlaceholder},
		"one more in the body":  {func(x *notice.Text) { x.Body = `<p>{time} <strong>x</strong><a href="#/quotes">y</a></p>` }, notice.ErrPlaceholder},
	} {
		text := good
		c.change(&text)
		_, err := notice.Notice.CheckTranslation(source, text)
		require.ErrorIs(t, err, c.want, name)
	}
	long := good
	long.Title = ""
	_, err = notice.Notice.CheckTranslation(source, long)
	require.Equal(t, "field.required", errs.As(err).Fields["title"])
}

// TestTranslate writes all texts or none, and publishes nothing.
func TestTranslate(t *testing.T) {
	t.Parallel()
	d := setupStaff(t)
	item := d.draft(notice.Notice, nil)
	_, err := d.service.Translate(t.Context(), d.author, item.ID, item.Version, []notice.Text{text("de", "Pause"), {Locale: "fr", Title: "Pause"}})
	require.Error(t, err, "a French body is missing")
	whole, err := d.service.Get(t.Context(), item.ID)
	require.NoError(t, err)
	require.Empty(t, whole.Text("de").Title)
	_, err = d.service.Translate(t.Context(), d.author, item.ID, item.Version+1, []notice.Text{text("de", "Pause")})
	require.ErrorIs(t, err, approval.ErrChanged)
	_, err = d.service.Translate(t.Context(), d.author, item.ID, item.Version, []notice.Text{text("de", "Pause"), text("fr", "Pause")})
	require.NoError(t, err)
	whole, err = d.service.Get(t.Context(), item.ID)
	require.NoError(t, err)
	require.Equal(t, []any{"Pause", "Pause", notice.Drafted}, []any{whole.Text("de").Title, whole.Text("fr").Title, whole.Newest.State})
	require.Nil(t, whole.Item.LiveID)
}
