package chatdesk_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
)

// stream opens a member's live stream with the session of a browser.
func (b *bundle) stream(server *httptest.Server, who *desktest.Browser) *bufio.Scanner {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL+"/admin/events", nil)
	require.NoError(b, err)
	r.AddCookie(who.Cookie("candor_desk"))
	answer, err := server.Client().Do(r)
	require.NoError(b, err)
	b.Cleanup(func() { _ = answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	b.readUntil(lines, "event: hello")
	return lines
}

// requireEnded requires that a stream ends.
func (b *bundle) requireEnded(lines *bufio.Scanner) {
	b.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines.Scan() { //nolint:revive // to the end
		}
	}()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		require.Fail(b, "the stream goes on")
	}
}

// TestAStreamEndsWithItsMembersRightToReadIt: a member's stream ends with the right to read it; the streams of others stay open.
func TestAStreamEndsWithItsMembersRightToReadIt(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(b *bundle, root audit.Actor){
		"Disabled": func(b *bundle, root audit.Actor) {
			require.NoError(b, b.Staff.Disable(b.Context(), root, b.kim.Person.ID, b.kim.Person.Version))
		},
		"RoleTaken": func(b *bundle, root audit.Actor) {
			require.NoError(b, b.Staff.RevokeRole(b.Context(), root, b.kim.Person.ID, access.SupportAgent))
		},
		"SessionsEnded": func(b *bundle, _ audit.Actor) {
			b.exec(`UPDATE staff SET session_epoch = session_epoch + 1 WHERE id = $1`, b.kim.Person.ID)
		},
		"Idle": func(b *bundle, _ audit.Actor) {
			b.Clock.Advance(desk.Idle - time.Minute)
			require.Equal(b, http.StatusOK, b.lee.Get("/admin/chat").Code, "lee goes on working")
			b.Clock.Advance(time.Minute)
		},
		"SignedOut": func(b *bundle, _ audit.Actor) {
			require.Equal(b, http.StatusNoContent, b.kim.Post("/admin/test/out", nil).Code)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			root := b.Hire(t, "Root", access.SuperAdmin)
			c := b.claimed(b.lee, b.ann)
			server := httptest.NewServer(b.Echo)
			t.Cleanup(server.Close)
			over, alive := b.stream(server, b.kim), b.stream(server, b.lee)
			end(b, audit.Actor{Kind: audit.Staff, ID: root.ID, Name: root.Name})
			b.requireEnded(over)
			b.says(b.ann, "still there?")
			b.readUntil(alive, fmt.Sprint("data: ", c.ID))
		})
	}
}
