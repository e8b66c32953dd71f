// Package drawing keeps what traders draw on charts, the same on all of their devices: of two changes of a drawing the newest wins.
//
// Drawings are the trader's own data and have no other use. Closing an account removes the trader's rows of drawings.
package drawing

import (
	"regexp"
	"slices"
	"time"
	"unicode/utf8"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Anchor is a place on the chart: a moment, in milliseconds since 1970, and a price as a decimal.
type Anchor struct {
	At    int64
	Price string
}

// Style is how a drawing looks. Empty fields mean the app's own choice.
type Style struct {
	Colour string // #rrggbb
	Width  int    // px
	Dash   string // solid, dashed or dotted
	Fill   *int   // percent of the colour
}

// Drawing is one drawing of a trader, also a deleted one.
type Drawing struct {
	ID        string
	ProductID int
	Tool      string
	Anchors   []Anchor
	Style     Style
	Note      string // its text
	Locked    bool
	Hidden    bool
	Deleted   bool
	Version   int // counts the changes that were kept
	ChangedAt time.Time
}

// Limits.
const (
	mostOfAProduct = 300
	mostOfAChange  = 200 // drawings
	mostAnchors    = 500 // of a stroke
	mostWaves      = 100
	longestNote    = 500               // characters
	latestAt       = 4_102_444_800_000 // the year 2100
	keptDeleted    = 30 * 24 * time.Hour
)

// Refusals. That of a drawing's part names the part as its field.
var (
	ErrTooMany  = errs.New(errs.Refused, "drawing.too_many")
	errRepeated = errs.Field("id", "field.repeated")
)

// anchorCount is how many anchors a tool has, from least to most.
type anchorCount struct{ least, most int }

func exactly(n int) anchorCount { return anchorCount{n, n} }

// tools lists the drawing tools by the names that the app gives them.
var tools = map[string]anchorCount{
	"segment": exactly(2), "rayLine": exactly(2), "straightLine": exactly(2), "arrow": exactly(2), "horizontalStraightLine": exactly(1), "horizontalRayLine": exactly(2),
	"horizontalSegment": exactly(2), "verticalStraightLine": exactly(1), "verticalRayLine": exactly(2), "verticalSegment": exactly(2), "priceLine": exactly(1),
	"crossLine": exactly(1), "infoLine": exactly(2),
	"parallelStraightLine": exactly(3), "priceChannelLine": exactly(3), "flatTopBottom": exactly(3), "regressionTrend": exactly(2), "andrewsPitchfork": exactly(3), "schiffPitchfork": exactly(3),
	"fibonacciLine": exactly(2), "fibonacciSegment": exactly(2), "fibonacciExtension": exactly(3), "fibonacciCircle": exactly(2), "fibonacciSpiral": exactly(2),
	"fibonacciSpeedResistanceFan": exactly(2), "fibTimeZone": exactly(2), "fibChannel": exactly(3),
	"gannBox": exactly(2), "gannFan": exactly(2),
	"rect": exactly(2), "circle": exactly(2), "triangle": exactly(3), "parallelogram": exactly(3),
	"abcd": exactly(4), "xabcd": exactly(5), "headAndShoulders": exactly(7),
	"threeWaves": exactly(4), "fiveWaves": exactly(6), "eightWaves": exactly(9), "anyWaves": {2, mostWaves},
	"longPosition": exactly(3), "shortPosition": exactly(3), "measure": exactly(2),
	"brush": {2, mostAnchors}, "simpleAnnotation": exactly(1), "simpleTag": exactly(1),
}

var (
	idForm     = regexp.MustCompile(`^[0-9a-f]{32}$`)
	priceForm  = regexp.MustCompile(`^-?[0-9]{1,12}(\.[0-9]{1,10})?$`)
	colourForm = regexp.MustCompile(`^(#[0-9a-f]{6})?$`)
)

const (
	widest    = 8
	wholeFill = 100
)

// check refuses a drawing that no app of ours makes.
func (d Drawing) check() error {
	count, known := tools[d.Tool]
	switch {
	case !idForm.MatchString(d.ID):
		return errs.Field("id", "field.type")
	case !known:
		return errs.Field("tool", "field.choice")
	case len(d.Anchors) < count.least || len(d.Anchors) > count.most:
		return errs.Field("anchors", "field.length")
	case slices.ContainsFunc(d.Anchors, Anchor.wrong):
		return errs.Field("anchors", "field.range")
	case d.Style.wrong():
		return errs.Field("style", "field.choice")
	case utf8.RuneCountInString(d.Note) > longestNote || !db.IsText(d.Note):
		return errs.Field("note", "field.length")
	case d.ChangedAt.Before(time.UnixMilli(0)):
		return errs.Field("changedAt", "field.range")
	}
	return nil
}

func (a Anchor) wrong() bool {
	return a.At < 0 || a.At > latestAt || !priceForm.MatchString(a.Price)
}

func (s Style) wrong() bool {
	return !colourForm.MatchString(s.Colour) || s.Width < 0 || s.Width > widest || !slices.Contains([]string{"", "solid", "dashed", "dotted"}, s.Dash) ||
		s.Fill != nil && (*s.Fill < 0 || *s.Fill > wholeFill)
}
