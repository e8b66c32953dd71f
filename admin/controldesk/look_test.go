//go:build look

package controldesk_test

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"candor/admin/desk/desktest"
	"candor/templates/assets"
)

// TestLook serves the pages with the example, for viewing in a browser, until the file named by DESK_STOP appears:
//
//	DESK_STOP=/tmp/stop go test -tags look -run TestLook ./admin/controldesk
//
// A POST to /admin/test/<id> signs in; the ids are printed.
func TestLook(t *testing.T) {
	dist := os.DirFS(cmp.Or(os.Getenv("DESK_DIST"), "../../customer-web/dist"))
	require.NoError(t, assets.Load(dist))
	h := open(t)
	if os.Getenv("DESK_EMPTY") == "" {
		for name, p := range h.example(t) {
			fmt.Printf("%d %s\n", p.ID, name)
		}
	}
	token, _, _ := h.Staff.FirstLink(t.Context())
	fmt.Println("first", token)
	h.Clock.Set(desktest.Start)
	h.Echo.StaticFS("/assets", echo.MustSubFS(dist, "assets"))
	server := &http.Server{Addr: cmp.Or(os.Getenv("DESK_ADDR"), "127.0.0.1:8099"), Handler: h.Echo, ReadHeaderTimeout: time.Second}
	go func() { fmt.Println(server.ListenAndServe()) }()
	for {
		if _, err := os.Stat(os.Getenv("DESK_STOP")); err == nil {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
}
