package desk

import (
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"candor/admin/access"
	"candor/app/audit"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/templates/ui"
)

// Finder finds things of one kind for the search box that every page has. A member without the permission finds none of them.
type Finder struct {
	Kind       string // its title is the text find.kind.<kind>, and find.by.<kind> says by what it is found
	Permission access.Permission
	// Find lists what the words name, at most limit; each question uses an index.
	Find func(r *Request, words string, limit int) ([]Hit, error)
	All  ui.Path // a list with a search box that shows all hits; the empty path for none
}

// Hit is one thing that was found, shown as far as the member sees it elsewhere.
type Hit struct {
	Label string
	Note  string
	Chip  *ui.ChipView
	Href  string
	Exact bool // the words are its number or another name of its own: alone it opens at once
}

// AddFinders adds what the search box finds, in the order of its results.
func (f *Frame) AddFinders(lists ...[]Finder) {
	for _, list := range lists {
		f.finders = append(f.finders, list...)
	}
}

// Finders are those of what the member may view.
func (r *Request) Finders() (list []Finder) {
	for _, finder := range r.frame.finders {
		if r.May(finder.Permission) {
			list = append(list, finder)
		}
	}
	return list
}

// FindPath is the path of the results, below /admin.
const FindPath = "/find"

// longestWords is the length of a search, in characters: addresses have up to 90.
const longestWords = 96

// SearchWords cleans what was typed into a search box: one line without control characters and those that change the direction of text, at most 96 characters.
func SearchWords(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > longestWords {
		return strings.TrimSpace(string(runes[:longestWords]))
	}
	return text
}

// lastNumber is above every number of a case.
const lastNumber = 1 << 53

// Number reads the number of a case, with its letters ("DP-50001", in any case) or without them; 0 for anything else.
func Number(words, letters string) int64 {
	digits := strings.TrimPrefix(strings.ToUpper(words), letters)
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > lastNumber {
		return 0
	}
	return n
}

// Found makes the list of one hit from what a service has read; it is empty when there is nothing of that number.
func Found[T any](one T, err error) func(show func(T) Hit) ([]Hit, error) {
	return func(show func(T) Hit) ([]Hit, error) {
		if refusal := errs.As(err); refusal != nil && refusal.Kind == errs.NotFound {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return []Hit{show(one)}, nil
	}
}

// plainWords are searches that name nobody: the number of a case, or the digits of another number of ours. Longer digits may be a telephone number.
var plainWords = regexp.MustCompile(`^#?([A-Za-z]{1,2}-[0-9]{1,12}|[0-9]{1,8})$`)

// Searched records that the member searched for words, before what was found is shown. A search that may name a person is recorded as a keyed tag: equal searches can
// be told, nobody can be read. The same search within the hour, such as by a page that refreshes itself, counts once. It returns errSearches above the limit.
func (r *Request) Searched(words string, kinds []string, hits int) error {
	name := words
	if !plainWords.MatchString(words) {
		tag, err := r.frame.Tag("search", []byte(strings.ToLower(words)))
		if err != nil {
			return err
		}
		name = "~" + hex.EncodeToString(tag[:8])
	}
	entry := audit.By(r.Actor(), r.Now(), "search.find", "search", name)
	facts, err := json.Marshal(map[string]any{"kinds": strings.Join(kinds, ", "), "hits": hits})
	if err != nil {
		return err
	}
	entry.After = string(facts)
	until, err := r.frame.Staff.RecordSearch(r.Context.Request().Context(), r.Actor(), entry)
	if err != nil || until.IsZero() {
		return err
	}
	return errSearches.With("limit", staff.SearchesPerHour).With("at", r.Moment(until))
}

// errSearches refuses a search above the member's limit.
var errSearches = errs.New(errs.TooMany, "search.limit")
