package signin_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/factor"
	"candor/app/staff"
)

func (b *bundle) ada(t *testing.T) staff.Person {
	t.Helper()
	list, err := b.Staff.List(t.Context(), 0, 1)
	require.NoError(t, err)
	return list[0]
}

// halfway enters the right password and returns the page of the second step.
func (b *bundle) halfway(t *testing.T) string {
	t.Helper()
	require.Equal(t, "/admin/signin/code", b.Post("/admin/signin", credentials("ada@example.com", password)).Header().Get("Location"))
	return b.Get("/admin/signin/code").Body.String()
}

func TestSignInByPasskey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	b.Post("/admin/signout", nil)
	require.NotContains(t, b.halfway(t), "data-passkey", "there is none yet")
	key := b.Passkey(t, b.ada(t))

	guest := &bundle{Office: b.Office, Browser: b.Guest()}
	answer := desktest.Touch(t, key, b.halfway(t))
	require.Equal(t, "/admin/signin", guest.Post("/admin/signin/passkey", url.Values{"passkey": {answer}}).Header().Get("Location"), "the password comes first")

	wrong := b.Post("/admin/signin/passkey", url.Values{"passkey": {`{"id":"x"}`}})
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	require.Contains(t, wrong.Body.String(), "The passkey was not accepted.")
	require.Contains(t, wrong.Body.String(), `name="code"`, "the code works as before")

	before := b.Cookie("candor_desk").Value
	done := b.Post("/admin/signin/passkey", url.Values{"passkey": {answer}})
	require.Equal(t, "/admin", done.Header().Get("Location"), done.Body.String())
	require.NotEqual(t, before, b.Cookie("candor_desk").Value, "a new token")
	require.Equal(t, "hello Ada", b.Get("/admin").Body.String())

	b.Post("/admin/signout", nil)
	page := b.halfway(t)
	again := b.Post("/admin/signin/passkey", url.Values{"passkey": {answer}})
	require.Equal(t, http.StatusUnprocessableEntity, again.Code, "an answer counts once")
	late := desktest.Touch(t, key, page)
	b.Clock.Advance(factor.ChallengeLife + time.Second)
	require.Contains(t, b.Post("/admin/signin/passkey", url.Values{"passkey": {late}}).Body.String(), "longer than 5 minutes")
	require.Equal(t, "/admin", b.Post("/admin/signin/code", url.Values{"code": {b.code(t)}}).Header().Get("Location"))
}

func TestALostAuthenticatorIsReplacedByARecoveryCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	ada := b.ada(t)
	other := b.Hire(t, "Root", access.SuperAdmin)
	codes, err := b.Staff.NewRecoveryCodes(t.Context(), ada.Acting(audit.Actor{IP: "192.0.2.9"}))
	require.NoError(t, err)
	b.Post("/admin/signout", nil)

	require.Equal(t, "/admin/signin", b.Get("/admin/signin/recovery").Header().Get("Location"), "the password comes first")
	require.Equal(t, "/admin/signin", b.Post("/admin/signin/recovery", url.Values{"code": {codes[0]}}).Header().Get("Location"))
	require.Contains(t, b.halfway(t), `href="/admin/signin/recovery"`)
	require.Equal(t, http.StatusOK, b.Get("/admin/signin/recovery").Code)
	wrong := b.Post("/admin/signin/recovery", url.Values{"code": {"AAAA-BBBB-CCCC-DDDD"}})
	require.Equal(t, http.StatusUnprocessableEntity, wrong.Code)
	require.Contains(t, wrong.Body.String(), "The code is wrong or was already used.")
	require.NotContains(t, wrong.Body.String(), "AAAA-BBBB")

	link := b.Post("/admin/signin/recovery", url.Values{"code": {codes[0]}}).Header().Get("Location")
	require.True(t, strings.HasPrefix(link, "/admin/authenticator/"), link)
	require.Equal(t, http.StatusSeeOther, b.Get("/admin").Code, "a recovery code alone opens nothing")
	require.Equal(t, http.StatusUnprocessableEntity, b.Post(link, url.Values{"password": {"wrong password"}}).Code)
	b.enrol(t, b.Post(link, url.Values{"password": {password}}))
	require.Equal(t, "hello Ada", b.Get("/admin").Body.String())

	told, err := b.Outbox.List(t.Context(), other.Email, 1)
	require.NoError(t, err)
	require.Equal(t, "Ada used a recovery code", told[0].Subject)
	require.Contains(t, told[0].Body, "/admin/staff/")
}

// TestOthersAreToldWhomToAsk: the page reads the same whether or not a member who is no super admin once had codes.
func TestOthersAreToldWhomToAsk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.first(t)
	ada := b.ada(t)
	codes, err := b.Staff.NewRecoveryCodes(t.Context(), ada.Acting(audit.Actor{IP: "192.0.2.9"}))
	require.NoError(t, err)
	root := b.Hire(t, "Root", access.SuperAdmin).Acting(audit.Actor{IP: "192.0.2.9"})
	b.Post("/admin/signout", nil)
	volatile := regexp.MustCompile(`nonce="[A-Z2-7]+"|[a-z2-7]{16}`)
	page := func() string { return volatile.ReplaceAllString(html.UnescapeString(b.halfway(t)), "") }

	require.NotContains(t, page(), "Ask a super admin")
	require.NoError(t, b.Staff.RevokeRole(t.Context(), root, ada.ID, staff.SuperAdmin))
	had := page()
	require.Contains(t, had, "Lost your authenticator? Ask a super admin to reset it.")
	require.NotContains(t, had, "/admin/signin/recovery")
	require.Equal(t, "/admin/signin/code", b.Get("/admin/signin/recovery").Header().Get("Location"))
	refused := b.Post("/admin/signin/recovery", url.Values{"code": {codes[0]}})
	require.Equal(t, http.StatusForbidden, refused.Code)

	_, err = b.DB.Pool.Exec(t.Context(), `INSERT INTO recovery_codes (owner_id, hash) SELECT id, sha256('x') FROM factor_owners WHERE staff_id = $1`, ada.ID)
	require.NoError(t, err)
	require.Equal(t, had, page(), "codes that a member should not have change nothing")
}
