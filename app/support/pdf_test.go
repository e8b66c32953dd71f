package support_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"candor/app/support"
)

// TestBothSidesSeeThePagesOfAPDF sends pictures that show the first pages of PDFs, and one of no PDF.
func TestBothSidesSeeThePagesOfAPDF(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.claimed(b.ann)
	document := picture(t)
	document.Pages = 5
	name, err := b.chat.Upload(t.Context(), b.ann, document)
	require.NoError(t, err)
	sent, err := b.chat.Send(t.Context(), b.ann, support.Draft{ID: uuid.NewString(), Picture: name})
	require.NoError(t, err)
	require.Equal(t, 5, sent.Pages, "the event has them too")
	_, err = b.chat.Send(t.Context(), b.ann, support.Draft{ID: uuid.NewString(), Picture: b.uploads(b.ann)})
	require.NoError(t, err)
	document.Pages = 1
	name, err = b.chat.UploadOf(t.Context(), b.kim.ID, document)
	require.NoError(t, err)
	answered, err := b.chat.Answer(t.Context(), b.kim, c.ID, support.Draft{ID: uuid.NewString(), Picture: name, Seen: b.get(c.ID).LastMessageID})
	require.NoError(t, err)
	require.Equal(t, 1, answered.Pages)

	pagesOf := func(list []support.Message) (pages []int) {
		for _, m := range list {
			if m.Kind == support.Picture {
				pages = append(pages, m.Pages)
			}
		}
		return pages
	}
	require.Equal(t, []int{5, 0, 1}, pagesOf(b.thread(b.ann).List))
	desk, _, err := b.chat.Messages(t.Context(), c.ID, 0)
	require.NoError(t, err)
	require.Equal(t, []int{5, 0, 1}, pagesOf(desk))
	require.Contains(t, b.transcript(b.ann, c.ID).Body, "PDF (open the chat in the app to see it)")
}
