package controldesk_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/platform/i18n"
	"candor/locales"
)

// recorded matches the actions that the code writes into the audit log.
var recorded = regexp.MustCompile(`(?:audit\.By\(|\.act\(|recordTx\(|changeTx\(|[aA]ction(?:, \w+)? :?= )[^"\n]*"([a-z]+\.[a-z_]+)"`)

// TestEveryActionHasWords checks that the log has a sentence for each action.
func TestEveryActionHasWords(t *testing.T) {
	t.Parallel()
	texts, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	found := map[string]string{}
	for _, root := range []string{"../../app", "../../admin"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			raw, err := os.ReadFile(path)
			for _, match := range recorded.FindAllStringSubmatch(string(raw), -1) {
				if !strings.HasSuffix(match[1], "_") { // "staff.accept_" is followed by the purpose of a link
					found[match[1]] = path
				}
			}
			return err
		}))
	}
	require.Greater(t, len(found), 25, "the search must find the actions")
	for _, purpose := range []string{"first", "invite", "totp"} {
		found["staff.accept_"+purpose] = "the purposes of links"
	}
	for _, act := range []string{"request", "approve", "refuse", "withdraw", "expire"} {
		found["product."+act], found["adjustment."+act], found["staff."+act+"_role"] = "approvals", "approvals", "approvals"
	}
	for _, act := range []string{"request", "approve", "refuse", "withdraw", "apply", "fail", "draft", "amend", "stop", "review"} {
		found["switch."+act] = "the acts on a change of a switch"
	}
	for _, step := range []string{"expiring", "reverify", "lapse", "submit", "withdraw", "reject_final", "revoke"} {
		found["kyc."+step] = "what the clock and the ends of applications do"
	}
	for action, path := range found {
		require.True(t, texts.Has("en", "audit."+action), "%s: audit.%s has no words", path, action)
	}
}

// TestTheLogOffersEverythingThatHasAName checks that no area and no kind of things is missing among the filters.
func TestTheLogOffersEverythingThatHasAName(t *testing.T) {
	t.Parallel()
	h := open(t)
	dialog := h.SignIn(t, access.Auditor).Part("/admin/audit/filter").Body.String()
	raw, err := fs.ReadFile(locales.Backoffice(), "en/backoffice.json")
	require.NoError(t, err)
	var texts map[string]string
	require.NoError(t, json.Unmarshal(raw, &texts))
	found := 0
	for key := range texts {
		for _, prefix := range []string{"audit.area.", "audit.kind."} {
			if name, ok := strings.CutPrefix(key, prefix); ok {
				found++
				require.Contains(t, dialog, `value="`+name+`"`, key)
			}
		}
	}
	require.Greater(t, found, 50)
}
