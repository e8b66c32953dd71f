package desk_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/platform/dbtest"
)

func TestSmoke(t *testing.T) {
	t.Parallel()
	o := desktest.New(t, dbtest.New(t).URL).Mount([]desk.Route{
		{Method: "GET", Path: "", Permission: access.Home, Handle: func(r *desk.Request) error { return r.String(200, "home of "+r.Member.Name) }},
		{Method: "GET", Path: "/audit", Permission: access.AuditView, Handle: func(r *desk.Request) error { return desk.ErrNotFound }},
	})
	b := o.SignIn(t, access.ComplianceReviewer)
	got := b.Get("/admin")
	require.Equal(t, 200, got.Code)
	t.Log(got.Header(), got.Body)
	got = b.Get("/admin/audit")
	require.Equal(t, http.StatusForbidden, got.Code)
	t.Log(got.Body)
	got = o.Guest().Get("/admin/audit?x=1")
	t.Log(got.Code, got.Header())
	got = o.SignIn(t, access.Auditor).Get("/admin/audit")
	t.Log(got.Code, got.Body)
}
