package server

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var tagsRead = regexp.MustCompile(`\.(Tags|TagsOf|SetTags|CountTagged)\(|trader_tags`)

// TestTheAppNeverReadsTags: the words of staff about a trader are in no answer to the trader's app, and no rule about money reads them.
func TestTheAppNeverReadsTags(t *testing.T) {
	t.Parallel()
	require.Regexp(t, tagsRead, "s.Traders.TagsOf(ctx, id)")
	eachFile(t, ".go", func(path, text string) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if strings.HasSuffix(path, "_test.go") || folder == "app/trader" || !strings.HasPrefix(folder, "app/") || strings.HasPrefix(folder, "app/platform") {
			return
		}
		for _, found := range tagsRead.FindAllString(text, -1) {
			t.Errorf("%s reads tags: %s", path, found)
		}
	})
}
