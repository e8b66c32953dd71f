package controldesk

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/desk"
	"candor/app/market"
	"candor/templates/controlview"
	"candor/templates/ui"
)

func className(r *desk.Request, class market.Class) string {
	return word(r, "product.class."+string(class))
}

// state is the state of a product's prices.
type state string

// The states, the most serious last.
const (
	fresh    state = "fresh"
	closed   state = "closed"
	off      state = "off"
	stale    state = "stale"
	halted   state = "halted"
	priceOut state = "no_price"
)

// bad reports whether an open market can't be traded on.
func (is state) bad() bool { return is == stale || is == halted || is == priceOut }

// condition is the state of a product: close-only comes first, then closed hours, which explain an old price.
func condition(p market.Product, status market.Status, priced bool) state {
	switch {
	case p.Mode == market.CloseOnly:
		return off
	case !status.Open:
		return closed
	case !priced:
		return priceOut
	case status.Halted:
		return halted
	case status.Stale:
		return stale
	default:
		return fresh
	}
}

var stateLooks = map[state]ui.ChipView{
	fresh:    {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	closed:   {Icon: ui.IconClock},
	off:      {Icon: ui.IconPause},
	stale:    {Tone: ui.ToneError, Icon: ui.IconClock},
	halted:   {Tone: ui.ToneError, Icon: ui.IconPause},
	priceOut: {Tone: ui.ToneError, Icon: ui.IconQuestion},
}

func stateChip(r *desk.Request, is state) ui.ChipView {
	chip := stateLooks[is]
	chip.Label = word(r, "product.state."+string(is))
	return chip
}

// until says when an open market closes, or a closed one opens.
func until(r *desk.Request, status market.Status) string {
	if status.Until.IsZero() {
		return word(r, "product.always")
	}
	key := "product.opens"
	if status.Open {
		key = "product.closes"
	}
	return word(r, key, "at", r.Moment(status.Until))
}

// age writes a short span: "0.4 s", "12 s", "3 min", "2 h".
func age(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < 2*time.Minute:
		return strconv.Itoa(int(d.Seconds())) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	default:
		return strconv.Itoa(int(d.Hours())) + " h"
	}
}

// feedChip names the source of prices; simulated ones are marked.
func (s Services) feedChip(r *desk.Request) ui.ChipView {
	name := s.Market.FeedName()
	switch {
	case strings.HasPrefix(name, "simulated"):
		return ui.ChipView{Tone: ui.ToneDemo, Label: word(r, "product.feed.simulated")}
	case strings.HasPrefix(name, "replay"):
		return ui.ChipView{Tone: ui.ToneDemo, Label: word(r, "product.feed.replay", "at", utc(r, s.Market.Now()))}
	default:
		return ui.ChipView{Tone: ui.ToneInfo, Icon: ui.IconBolt, Label: word(r, "product.feed.live", "name", name)}
	}
}

// rejections counts the refused quotes by their reasons.
func (s Services) rejections(r *desk.Request) string {
	counts := s.Market.Rejections()
	var parts []string
	for reason, n := range counts {
		parts = append(parts, word(r, "product.rejected.reason", "reason", word(r, "product.rejected."+string(reason)), "n", n))
	}
	if len(parts) == 0 {
		return word(r, "product.rejected.none")
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// feeds summarizes the products by class, for the start page.
func (s Services) feeds(r *desk.Request) controlview.Feeds {
	var view controlview.Feeds
	bad := 0
	var classes []market.Class
	sums := map[market.Class]*feedSum{}
	for _, p := range s.Market.Products() {
		sum := sums[p.Class]
		if sum == nil {
			sum = &feedSum{}
			sums[p.Class], classes = sum, append(classes, p.Class)
		}
		status, err := s.Market.Status(p.ID)
		_, priced := s.Market.Newest(p.ID)
		is := condition(p, status, priced && err == nil)
		sum.add(is, time.Duration(status.AgeMS)*time.Millisecond)
		if is.bad() {
			bad++
		}
	}
	for _, class := range classes {
		view.Lines = append(view.Lines, sums[class].line(r, className(r, class)))
	}
	view.Chip = ui.ChipView{Tone: ui.ToneSuccess, Icon: ui.IconCheck, Label: word(r, "home.feeds.fresh")}
	if bad > 0 {
		view.Chip = ui.ChipView{Tone: ui.ToneError, Icon: ui.IconWarning, Label: word(r, "home.feeds.bad", "count", bad)}
	}
	view.Note = s.feedChip(r).Label
	return view
}

// feedSum are the figures of a class of products.
type feedSum struct {
	products, bad, open int
	oldest              time.Duration
}

func (f *feedSum) add(is state, old time.Duration) {
	f.products++
	switch {
	case is.bad():
		f.bad, f.open = f.bad+1, f.open+1
	case is == fresh:
		f.open++
	default:
		return
	}
	f.oldest = max(f.oldest, old)
}

func (f *feedSum) line(r *desk.Request, name string) controlview.FeedLine {
	line := controlview.FeedLine{State: ui.DotOK, Name: name, Note: word(r, "home.feeds.count", "count", f.products), Value: age(f.oldest)}
	switch {
	case f.open == 0:
		line.State, line.Value = ui.DotOff, word(r, "product.state.closed")
	case f.bad > 0:
		line.State, line.Value = ui.DotBad, word(r, "home.feeds.class_bad", "count", f.bad)
	}
	return line
}
