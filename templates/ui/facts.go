package ui

import (
	"encoding/json"
	"strings"

	"github.com/a-h/templ"
)

// Fact is a name and a value.
type Fact struct {
	Label  string
	Value  string
	Tone   Tone
	Ident  bool            // a reference number or an address, set so that letters and digits differ
	Strong bool            // semibold
	Muted  bool            // less prominent
	Href   string          // makes the value a link
	Note   string          // grey, after the value
	Chip   *ChipView       // at the end
	Part   templ.Component // instead of Value: Masked, Address, Due
}

// FactsView is a list of facts in the order of checking.
type FactsView struct {
	Items []Fact
	Ends  bool // values are aligned to the end of the line
	Wide  bool // names are 128 px wide, for dialogs
}

// StatView is one figure. Main is the principal one: 22 px, one per page.
type StatView struct {
	Label string
	Value string
	Unit  string
	Note  string
	Main  bool
	Tone  Tone
	Price PriceSide // profit and loss only
}

// PriceSide colours a profit or a loss; a triangle shows the same.
type PriceSide string

// The sides.
const (
	PriceNone PriceSide = ""
	PriceUp   PriceSide = "up"
	PriceDown PriceSide = "dn"
)

// MaskedView is a value that is hidden until an authorized member of staff reveals it.
type MaskedView struct {
	ID     string // of the element that the revealed value replaces
	Before string // visible start, for example +34
	Hidden string // dots, for example ••• •••
	After  string // visible end, for example 418
	Reveal Path   // opens the dialog that asks for the reason; empty when the role may not
}

// RevealedView is the value after a reason was given.
type RevealedView struct {
	ID      string
	Value   string
	Seconds int // 30 when 0; then the mask comes back
	Mask    MaskedView
}

func (r RevealedView) seconds() int {
	if r.Seconds == 0 {
		return 30
	}
	return r.Seconds
}

// FieldDiff is one field before and after.
type FieldDiff struct {
	Field  string
	Before string
	After  string
	Same   bool
}

// DiffView is a table of changes.
type DiffView struct {
	Changes []FieldDiff
	Note    string
}

// piece is up to four letters of an address; last contains those among its last four.
type piece struct{ plain, last string }

// readBack is the number of marked letters at the end of an address; the decider types them again.
const readBack = 4

// groups splits an address into groups of four after its prefix, and marks its last letters.
func groups(address string) (prefix string, pieces []piece) {
	rest := address
	if strings.HasPrefix(rest, "0x") {
		prefix, rest = "0x", rest[2:]
	}
	letters := []rune(rest)
	for at := 0; at < len(letters); at += 4 {
		end := min(at+4, len(letters))
		marked := min(max(len(letters)-readBack, at), end)
		pieces = append(pieces, piece{string(letters[at:marked]), string(letters[marked:end])})
	}
	return prefix, pieces
}

// hashGroups shortens a hash to its first and last eight letters, in groups of four.
func hashGroups(hash string) string {
	if len(hash) < 24 {
		return hash
	}
	end := len(hash)
	return hash[:4] + " " + hash[4:8] + " … " + hash[end-8:end-4] + " " + hash[end-4:]
}

// PrettyJSON indents JSON; invalid JSON stays as it is.
func PrettyJSON(raw string) string {
	var value any
	if err := json.Unmarshal([]byte(raw), &value); err != nil {
		return raw
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return raw
	}
	return strings.TrimSpace(out.String())
}
