package controldesk_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/controldesk"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/staff"
)

const (
	secretCode = "It is 864209."
	secretTo   = "secret.person@example.com"
)

// quiet is a sender that is never called: these tests run no queue.
type quiet struct{}

func (quiet) Send(context.Context, mail.Message) error { return nil }

// sending is an outbox that queues its mails.
func (h *office) sending(t *testing.T) *mail.Outbox {
	t.Helper()
	queue, err := jobs.New(h.DB.Pool)
	require.NoError(t, err)
	return mail.New(mail.Config{DB: h.DB, Clock: h.Clock, Queue: queue, Vault: h.Keys, Senders: map[mail.Channel]mail.Sender{mail.Mail: quiet{}}})
}

// message adds a code to an outbox, and returns its id.
func (h *office) message(t *testing.T, o *mail.Outbox) int64 {
	t.Helper()
	now := h.Clock.Now()
	require.NoError(t, h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return o.SendTx(t.Context(), tx, mail.Message{Kind: "login_code", Channel: mail.Mail, Recipient: secretTo, Subject: "Your code", Body: secretCode, CreatedAt: now, ExpiresAt: now.Add(10 * time.Minute)})
	}))
	return newest(t, h, `SELECT max(id) FROM outbox`)
}

var parameter = regexp.MustCompile(`:[a-z]+`)

// TestNobodyGetsACodeInProduction requests a message by every route of the desk, with every role.
func TestNobodyGetsACodeInProduction(t *testing.T) {
	t.Parallel()
	shown := func(t *testing.T, production bool) (found []string, asked int) {
		h := openIn(t, production)
		id := h.message(t, h.sending(t))
		root := h.SignIn(t, staff.Roles...)
		for _, r := range controldesk.Routes(controldesk.Services{}) { // all routes of a development server
			path := "/admin" + parameter.ReplaceAllString(r.Path, fmt.Sprint(id))
			asked++
			var body string
			if r.Method == http.MethodGet {
				body = root.Get(path).Body.String() + root.Part(path).Body.String()
			} else {
				body = root.Send(path, url.Values{"reason": {"the person is on the phone"}}).Body.String()
			}
			if strings.Contains(body, "864209") {
				found = append(found, r.Method+" "+r.Path)
			}
		}
		return found, asked
	}
	found, asked := shown(t, true)
	require.Empty(t, found)
	require.Greater(t, asked, 40)
	found, _ = shown(t, false)
	require.Equal(t, []string{"POST /outbox/:id/reveal"}, found, "a development server shows it to who says why")
}

func TestInProductionRecipientsAreMasked(t *testing.T) {
	t.Parallel()
	h := openIn(t, true)
	id := h.message(t, h.sending(t))
	root := h.SignIn(t, access.SuperAdmin)
	dialog := fmt.Sprintf("/admin/outbox/%d/sending", id)
	for _, body := range []string{
		root.Get("/admin/outbox").Body.String(), root.Part(dialog).Body.String(), root.Get("/admin/outbox?q=" + url.QueryEscape(secretTo)).Body.String(),
	} {
		require.Contains(t, body, "se***n@example.com")
		require.Contains(t, body, "Log-in code")
	}
	require.NotContains(t, root.Get("/admin/outbox").Body.String(), secretTo)
	require.Contains(t, root.Get("/admin/outbox?q=secret").Body.String(), "No messages to this recipient.", "a beginning would spell an address out")
	require.Equal(t, http.StatusNotFound, root.Part(fmt.Sprintf("/admin/outbox/%d/reveal", id)).Code)

	h = open(t)
	h.message(t, h.Outbox)
	require.Contains(t, h.SignIn(t, access.SuperAdmin).Get("/admin/outbox?q=secret").Body.String(), secretTo)
}

func TestSendingAgain(t *testing.T) {
	t.Parallel()
	h := openIn(t, true)
	id := h.message(t, h.sending(t))
	root := h.SignIn(t, access.SuperAdmin)
	path := fmt.Sprintf("/admin/outbox/%d/sending", id)
	entries := func() []audit.Entry {
		list, _, err := h.log.List(t.Context(), audit.Filter{Action: "outbox.send_again"})
		require.NoError(t, err)
		return list
	}
	refused := root.Send(path, nil) // the office's own outbox has no sender
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code)
	require.Contains(t, refused.Body.String(), "No sender is configured for this channel.")
	require.Empty(t, entries())

	*h.Outbox = *h.sending(t)
	_, err := h.DB.Pool.Exec(t.Context(), `UPDATE outbox SET state = 'failed'`)
	require.NoError(t, err)
	done := root.Send(path, nil)
	require.Equal(t, http.StatusOK, done.Code, done.Body.String())
	require.Contains(t, done.Body.String(), "Message queued.")
	require.Contains(t, done.Body.String(), fmt.Sprintf(`id="message-%d"`, id))
	require.Len(t, entries(), 1)
	require.Equal(t, root.Person.ID, entries()[0].ActorID)
	require.JSONEq(t, `{"kind":"login_code","recipient":"se***n@example.com"}`, entries()[0].After)

	h.Clock.Advance(10 * time.Minute)
	late := root.Send(path, nil)
	require.Equal(t, http.StatusConflict, late.Code)
	require.Contains(t, late.Body.String(), "The recipient has to request a new one.")
	require.Len(t, entries(), 1)
	require.Equal(t, http.StatusForbidden, h.SignIn(t, access.Auditor).Send(path, nil).Code)
}
