package admin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/platform/i18n"
	"candor/app/staff"
	"candor/locales"
)

// TestEveryPermissionHasWords: the page of a member of staff lists the permissions of each role in words.
func TestEveryPermissionHasWords(t *testing.T) {
	t.Parallel()
	texts, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	for _, role := range staff.Roles {
		for _, p := range access.PermissionsOf(role) {
			require.True(t, p == access.Home || texts.Has(i18n.Reference, "permission."+string(p)), "%s of %s has no words", p, role)
		}
	}
	require.False(t, texts.Has(i18n.Reference, "permission.nothing"))
}
