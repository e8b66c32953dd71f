package caseengine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/platform/dbtest"
)

// TestAFileIsWholeOrRefused: a file with as many rows as it may have is whole, and one of a row more is refused before anything is written.
func TestAFileIsWholeOrRefused(t *testing.T) {
	t.Parallel()
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	s := requests{byID: map[int64]request{}, staff: o.Staff, audit: audit.NewLog(o.DB)}
	for id := int64(1); id <= 10_000; id++ {
		s.byID[id] = request{id: id, version: 1, text: "Please call me"}
	}
	o.Mount(s.desk().Routes())
	auditor := o.SignInAs(t, o.Hire(t, "Auditor 01", access.Auditor))
	whole := auditor.Get("/admin/requests/file")
	require.Equal(t, http.StatusOK, whole.Code)
	require.Equal(t, 10_001, strings.Count(whole.Body.String(), "\r\n"), "the names of the columns, and the rows")

	s.byID[10_001] = request{id: 10_001, version: 1, text: "Me too"}
	refused := auditor.Get("/admin/requests/file")
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code)
	require.Contains(t, refused.Body.String(), "Narrow the filter.")
	require.NotContains(t, refused.Body.String(), "RQ-1,")
	entries, _, err := s.audit.List(t.Context(), audit.Filter{Action: "adjustment.export", Limit: 10})
	require.NoError(t, err)
	require.Len(t, entries, 1, "only the file that was given")
}
