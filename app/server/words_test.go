package server

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const retiredWords = "app/server/testdata/retired-words.txt"

// TestRetiredWordsStayAway searches code, docs and texts for identifiers and phrases that standard words have replaced.
func TestRetiredWordsStayAway(t *testing.T) {
	t.Parallel()
	words := readRetiredWords(t)
	searched := 0
	for _, top := range []string{"app", "admin", "templates", "migrations", "locales", "customer-web", "docs", "README.md", "CONTRIBUTING.md", "Makefile"} {
		require.NoError(t, fs.WalkDir(os.DirFS(root), top, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				if entry != nil && (entry.Name() == "node_modules" || entry.Name() == "dist") {
					return fs.SkipDir
				}
				return err
			}
			if !slices.Contains([]string{".go", ".ts", ".tsx", ".mjs", ".css", ".sql", ".templ", ".md", ".json", ""}, filepath.Ext(path)) ||
				path == retiredWords || path == "app/GLOSSARY.md" { // the glossary names the words to avoid
				return nil
			}
			text, err := os.ReadFile(filepath.Join(root, path))
			if err != nil {
				return err
			}
			searched++
			for _, found := range retired(string(text), words) {
				t.Errorf("%s: %q was replaced by a standard word (app/GLOSSARY.md)", path, found)
			}
			return nil
		}))
	}
	require.Greater(t, searched, 1_000)
}

// TestARetiredWordIsFound shows that the search finds what it should: whole identifiers and whole phrases, and no part of a longer word.
func TestARetiredWordIsFound(t *testing.T) {
	t.Parallel()
	words := readRetiredWords(t)
	for _, word := range words {
		require.Equal(t, []string{word}, retired("a "+word+" b", words))
	}
	require.Empty(t, retired("insiders, GoOnward", words))
}

// retired returns the retired words in a text.
func retired(text string, words []string) (found []string) {
	for _, word := range words {
		if strings.Contains(text, word) && regexp.MustCompile(`(^|\W)`+regexp.QuoteMeta(word)+`(\W|$)`).MatchString(text) {
			found = append(found, word)
		}
	}
	return found
}

func readRetiredWords(t *testing.T) (words []string) {
	t.Helper()
	file, err := os.Open(filepath.Join(root, retiredWords))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if line := lines.Text(); !strings.HasPrefix(line, "#") {
			words = append(words, line)
		}
	}
	require.NotEmpty(t, words, fmt.Sprint("no words in ", retiredWords))
	return words
}
