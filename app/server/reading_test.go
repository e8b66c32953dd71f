package server

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	quoted     = regexp.MustCompile("`([^`]+)`")
	identifier = regexp.MustCompile(`^[A-Za-z]\w*$`)
	step       = regexp.MustCompile(`(?m)^\d+\. `)
)

// TestTheReadingPathsExist checks docs/reading.md: each file exists, each function is in the last Go file named before it, and no path has more than eight steps.
func TestTheReadingPathsExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs/reading.md"))
	require.NoError(t, err)
	file, source, functions := "", "", 0
	for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
		switch name := m[1]; {
		case strings.Contains(name, "/"):
			content, err := os.ReadFile(filepath.Join(root, name))
			require.NoError(t, err)
			file, source = name, string(content)
		case identifier.MatchString(name) && strings.HasSuffix(file, ".go"):
			require.Regexp(t, `(?m)^func (\([^)]*\) )?`+name+`[\[(]`, source, "%s in %s", name, file)
			functions++
		}
	}
	require.Greater(t, functions, 25)
	paths := strings.Split(string(text), "\n## ")[1:]
	require.Len(t, paths, 4)
	for _, path := range paths {
		require.LessOrEqual(t, len(step.FindAllString(path, -1)), 8, path)
	}
}
