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
	Ident  bool            // a number of a thing or an address: letters and digits told apart
	Strong bool            // half bold
	Muted  bool            // of less weight
	Href   string          // makes the value a link
	Note   string          // grey, after the value
	Chip   *ChipView       // at the end
	Part   templ.Component // instead of Value: Masked, Address, Due
}

// FactsView is a list of facts in the order they are checked.
type FactsView struct {
	Items []Fact
	Ends  bool // values stand at the end of the line
	Wide  bool // 128 px names, for dialogs
}

// StatView is one figure. Main is the one that matters: 22 px, once a page.
type StatView struct {
	Label string
	Value string
	Unit  string
	Note  string
	Main  bool
	Tone  Tone
	Price PriceSide // profit and loss only
}

// PriceSide paints a profit or a loss; a triangle says the same.
type PriceSide string

// The sides.
const (
	PriceNone PriceSide = ""
	PriceUp   PriceSide = "up"
	PriceDown PriceSide = "dn"
)

// MaskedView is a value that is hidden until somebody with the right asks for it.
type MaskedView struct {
	ID     string // of the element the revealed value replaces
	Before string // what may be seen, for example +34
	Hidden string // dots, for example ••• •••
	After  string // what may be seen, for example 418
	Reveal Path   // opens the dialog that asks for the reason; empty when the role cannot
}

// RevealedView is the value after the reason was given.
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

// Change is one field before and after.
type Change struct {
	Field  string
	Before string
	After  string
	Same   bool
}

// DiffView is a table of changes.
type DiffView struct {
	Changes []Change
	Note    string
}

// piece is a part of an address: letters, and those behind them that are among its last four.
type piece struct{ plain, last string }

// readBack is how many of an address's last letters are marked: those that whoever decides types again.
const readBack = 4

// groups cuts an address into pieces of four after its prefix, and marks its last letters.
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

// hashGroups shortens a hash to its first and last eight letters, by fours.
func hashGroups(hash string) string {
	if len(hash) < 24 {
		return hash
	}
	end := len(hash)
	return hash[:4] + " " + hash[4:8] + " … " + hash[end-8:end-4] + " " + hash[end-4:]
}

// PrettyJSON indents JSON; what is no JSON stays as it is.
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
