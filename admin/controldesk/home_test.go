package controldesk_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/notice"
	"candor/app/staff"
	"candor/app/switches"
)

const why = "the board decided so on Friday"

// askSwitch submits a change of a key.
func (h *office) askSwitch(t *testing.T, by staff.Person, key, value string, at time.Time) switches.Change {
	t.Helper()
	c, err := h.keys.Ask(t.Context(), actor(by), key, 0, switches.ChangeInput{Value: value, Reason: why, Zone: "UTC", At: at})
	require.NoError(t, err)
	return c
}

func TestHomeListsTheChangesOfSwitchesThatWait(t *testing.T) {
	t.Parallel()
	h := open(t)
	author, lead := h.Hire(t, "Config admin 02", access.ConfigAdmin), h.Hire(t, "Config approver 02", access.ConfigApprover)
	rate := h.askSwitch(t, author, switches.WithdrawRateKey, "0.15", time.Time{})
	drafted, err := h.keys.Draft(t.Context(), actor(author), switches.WithdrawMinKey, 0, switches.ChangeInput{Value: "20", Reason: why, Zone: "UTC"})
	require.NoError(t, err)
	scheduled := h.askSwitch(t, author, switches.BannersKey, "false", h.Clock.Now().Add(time.Hour))
	stop, err := h.keys.Stop(t.Context(), actor(author), []string{"risk"}, switches.ExchangeKey, why)
	require.NoError(t, err)
	h.Clock.Advance(25 * time.Minute)

	page := h.SignInAs(t, lead).Get("/admin").Body.String()
	for _, want := range []string{
		rate.Number() + " Withdrawal fee rate", stop.Number() + " Exchange between currencies, switched off at once", "Requested by Config admin 02, 25 min",
		`href="/admin/switches/withdraw.fee_rate"`, `href="/admin/switches/exchange.enabled"`, "Open, you can approve",
	} {
		require.Contains(t, page, want)
	}
	for _, not := range []string{drafted.Number(), "someone else"} {
		require.NotContains(t, page, not, "a draft waits for nobody")
	}
	_, coming, _ := strings.Cut(page, "Coming up")
	require.Contains(t, coming, scheduled.Number(), "what is scheduled comes by itself")

	own := h.SignInAs(t, author).Get("/admin").Body.String()
	require.NotContains(t, own, "Awaiting second approval", "whoever can't decide is not asked to")
	require.NotContains(t, own, "Open, you can approve")
	looks := h.SignIn(t, access.Auditor).Get("/admin").Body.String()
	require.NotContains(t, looks, "Awaiting second approval")
	require.NotContains(t, looks, "Open, you can approve")
	require.NotContains(t, h.SignIn(t, access.SupportAgent).Get("/admin").Body.String(), rate.Number())

	_, err = h.keys.Approve(t.Context(), actor(lead), rate.ID, rate.Version, rate.Key)
	require.NoError(t, err)
	require.NotContains(t, h.SignInAs(t, lead).Get("/admin").Body.String(), rate.Number(), "it waits no more")
}

func TestHomeListsTheContentThatWaits(t *testing.T) {
	t.Parallel()
	h := open(t)
	author, publisher := h.Hire(t, "Content editor 04", access.ContentEditor), h.Hire(t, "Content publisher 01", access.ContentPublisher)
	asked, drafted := h.write(t, author, "Trading hours at Thanksgiving"), h.write(t, author, "Not ready yet")
	_, err := h.notices.Submit(t.Context(), actor(author), asked.ID, asked.Version, false)
	require.NoError(t, err)
	h.Clock.Advance(12 * time.Minute)

	page := h.SignInAs(t, publisher).Get("/admin").Body.String()
	for _, want := range []string{
		notice.Number(asked.ID) + " Trading hours at Thanksgiving", "Requested by Content editor 04, 12 min", fmt.Sprintf(`href="/admin/content/%d"`, asked.ID), "Open, you can approve",
	} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, fmt.Sprintf(`href="/admin/content/%d"`, drafted.ID), "a draft waits for nobody else")

	own := h.SignInAs(t, author).Get("/admin").Body.String()
	require.NotContains(t, own, "Awaiting second approval")
	require.NotContains(t, own, "Open, you can approve")
	require.NotContains(t, h.SignIn(t, access.SupportAgent).Get("/admin").Body.String(), "Trading hours at Thanksgiving", "who only reads content has nothing to do with it")
}

// write creates a notice.
func (h *office) write(t *testing.T, by staff.Person, title string) notice.Item {
	t.Helper()
	item, err := h.notices.Create(t.Context(), actor(by), notice.Notice, notice.Settings{
		Category: notice.Categories[notice.Notice][0], Placement: notice.Placements[notice.Notice][0], Severity: "info", Audience: "all", Zone: "UTC", Frequency: notice.Once,
	})
	require.NoError(t, err)
	item, err = h.notices.Edit(t.Context(), actor(by), item.ID, item.Version, &notice.Text{Locale: notice.Default, Title: title, Summary: "What changes.", Body: "The market is closed."}, nil)
	require.NoError(t, err)
	return item
}

func TestHomeWarnsTheOnlySuperAdminWithoutRecoveryCodes(t *testing.T) {
	t.Parallel()
	h := open(t)
	first := h.Hire(t, "Super admin 01", access.SuperAdmin)
	only := h.SignInAs(t, first)
	const warning = "If you lose your authenticator, no one can let you back in."
	require.Contains(t, only.Get("/admin").Body.String(), warning)
	require.NotContains(t, h.SignIn(t, access.SupportAgent).Get("/admin").Body.String(), warning)
	second := h.Hire(t, "Super admin 02", access.SuperAdmin)
	require.NotContains(t, only.Get("/admin").Body.String(), warning, "a colleague can")
	_, err := h.Staff.NewRecoveryCodes(t.Context(), actor(first))
	require.NoError(t, err)
	require.NoError(t, h.Staff.RevokeRole(t.Context(), actor(first), second.ID, access.SuperAdmin))
	require.NotContains(t, only.Get("/admin").Body.String(), warning, "printed codes can")
}
