package changedesk_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/changedesk"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/accountchange"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/platform/vault"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// bundle is a desk with two of compliance, and a verified trader who wrote in conversation 88001.
type bundle struct {
	*testing.T
	*desktest.Office
	changes        *accountchange.Service
	traderID       int64
	reviewer, lead *desktest.Browser
}

const talk = 88001

func setup(t *testing.T) *bundle {
	t.Helper()
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	b := &bundle{T: t, Office: o}
	values, err := switches.Load(t.Context(), o.DB, nil)
	require.NoError(t, err)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	sessions := session.New(o.DB, o.Clock, nil)
	traders := trader.New(trader.Config{
		DB: o.DB, Clock: o.Clock, Sessions: sessions, Outbox: o.Outbox, Switches: values, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Texts: texts, Changed: func(int64) {},
	})
	b.changes = accountchange.New(accountchange.Config{
		DB: o.DB, Clock: o.Clock, Approvals: o.Approvals, Traders: traders,
		Pictures: func(_ context.Context, id int64, _ time.Time) (*int64, int, error) {
			if id != talk {
				return nil, 0, errs.New(errs.NotFound, "chat.unknown")
			}
			return nil, 2, nil
		},
		Verified: func(context.Context, int64) (bool, error) { return true, nil },
	})
	o.Mount(changedesk.Routes(changedesk.Services{
		Changes: b.changes, Traders: traders, Staff: o.Staff, Audit: audit.NewLog(o.DB),
		Identities: kyc.New(kyc.Config{DB: o.DB, Clock: o.Clock, Vault: o.Keys, Folder: vault.NewFolder(t.TempDir())}),
	}))
	require.NoError(t, o.DB.Pool.QueryRow(t.Context(), `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at, auth_status) VALUES ('marta@example.com', 'Marta', 'x', 'ES', 'marta', now(), 3) RETURNING id`).Scan(&b.traderID))
	b.reviewer, b.lead = o.SignIn(t, access.ComplianceReviewer), o.SignIn(t, access.ComplianceLead)
	return b
}

func (b *bundle) formPath() string { return fmt.Sprintf("/admin/traders/%d/change", b.traderID) }

func form(kind accountchange.Kind) url.Values {
	return url.Values{"kind": {string(kind)}, "conversation": {strconv.Itoa(talk)}, "contact": {"found@example.com"}, "compared": {"on"}, "note": {"the old mailbox is gone"}}
}

// asked is a change that the reviewer has requested.
func (b *bundle) asked(kind accountchange.Kind) accountchange.Change {
	b.Helper()
	answer := b.reviewer.Send(b.formPath(), form(kind))
	require.NotEmpty(b, answer.Header().Get("HX-Redirect"), answer.Body.String())
	list, err := b.changes.List(b.Context(), accountchange.Search{TraderID: b.traderID}, 0, 5)
	require.NoError(b, err)
	return list[len(list)-1]
}

func path(c accountchange.Change, noun string) string {
	return fmt.Sprintf("/admin/account-changes/%d/%s", c.ID, noun)
}

func (b *bundle) decide(by *desktest.Browser, c accountchange.Change, noun, contact string) *httptest.ResponseRecorder {
	b.Helper()
	return by.Send(path(c, noun), url.Values{
		"version": {strconv.Itoa(c.Version)}, "facts": {hex.EncodeToString(c.Facts)}, "contact": {contact}, "note": {"another face"}, "code": {by.Code(b.T)},
	})
}

func (b *bundle) state(id int64) approval.State {
	b.Helper()
	c, err := b.changes.Read(b.Context(), id)
	require.NoError(b, err)
	return c.State
}

func TestTwoPeopleGrantAContact(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Contains(t, b.reviewer.Part(b.formPath()).Body.String(), "same person, same document")
	require.Equal(t, http.StatusSeeOther, b.reviewer.Get(b.formPath()).Code, "without the script the trader is shown")
	c := b.asked(accountchange.ReplaceEmail)
	page := b.lead.Get(fmt.Sprint("/admin/account-changes/", c.ID)).Body.String()
	require.Contains(t, page, "Replace a lost email address")
	require.NotContains(t, page, "found@example.com", "the second person reads it in the conversation")
	require.Equal(t, http.StatusForbidden, b.decide(b.reviewer, c, "confirmation", "found@example.com").Code)
	wrong := b.decide(b.lead, c, "confirmation", "fuond@example.com")
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	require.Contains(t, wrong.Body.String(), "Not the contact that was requested")
	require.Equal(t, approval.Requested, b.state(c.ID))
	done := b.decide(b.lead, c, "confirmation", "found@example.com")
	require.Equal(t, http.StatusOK, done.Code, done.Body.String())
	require.Contains(t, done.Body.String(), c.Number()+" approved.")
	require.Equal(t, approval.Applied, b.state(c.ID))
	require.Contains(t, b.lead.Get("/admin/account-changes?tab=applied").Body.String(), c.Number())
	require.Contains(t, b.lead.Get(fmt.Sprint("/admin/account-changes/", c.ID)).Body.String(), fmt.Sprintf("approved %s for trader %d", c.Number(), b.traderID), "the history")
}

func TestARequestIsRefusedOrWithdrawn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.asked(accountchange.MakePartner)
	require.Equal(t, http.StatusForbidden, b.decide(b.lead, c, "withdrawal", "").Code, "its requester alone")
	require.Contains(t, b.decide(b.lead, c, "refusal", "").Body.String(), c.Number()+" rejected.")
	require.Contains(t, b.reviewer.Get(fmt.Sprint("/admin/account-changes/", c.ID)).Body.String(), "another face")
	second := b.asked(accountchange.MakePartner)
	require.Contains(t, b.decide(b.reviewer, second, "withdrawal", "").Body.String(), second.Number()+" withdrawn.")
	require.Equal(t, http.StatusConflict, b.decide(b.lead, second, "confirmation", "").Code)
}

func TestWhatIsTypedMustBeComplete(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for field, value := range map[string]string{"kind": "everything", "conversation": "1", "contact": "no contact", "compared": "", "note": ""} {
		typed := form(accountchange.ReplaceEmail)
		typed.Set(field, value)
		answer := b.reviewer.Send(b.formPath(), typed)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, field)
		require.Contains(t, answer.Body.String(), "-error", field)
	}
	require.Equal(t, http.StatusNotFound, b.reviewer.Send("/admin/traders/1/change", form(accountchange.MakePartner)).Code)
	require.Equal(t, http.StatusForbidden, b.lead.Send(b.formPath(), form(accountchange.MakePartner)).Code, "who approves never asks")
	require.Equal(t, http.StatusForbidden, b.SignIn(t, access.SupportLead).Get("/admin/account-changes").Code)
}
