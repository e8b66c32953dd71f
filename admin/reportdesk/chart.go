package reportdesk

import (
	"slices"
	"strconv"
	"strings"

	"candor/app/ledger"
	"candor/app/platform/money"
	"candor/app/report"
	"candor/templates/reportview"
	"candor/templates/ui"
)

// height is how high a picture is in its own unit: figures are scaled to it, so that no sum is too large for a script.
const height = 10_000

// mostSeries is how many colours there are.
const mostSeries = 8

// point is a figure with its text.
type point struct {
	value int64
	text  string
}

// series is a colour of the picture.
type series struct {
	name   string
	points []point // one for each label
}

// picture is what is drawn: places along the line, and the figures above them.
type picture struct {
	labels  []string
	series  []series
	stacked bool
	column  report.Column // gives the unit of the ticks
	scale   int
}

// pictureOf draws the drawn columns of a report by its rows; a report by day and place draws its one drawn column with a colour for each place. Money
// of other than dollar currencies has no place on one line with dollars, and is only in the table.
func (w writer) pictureOf(t report.Table, span report.Span) picture {
	p := picture{scale: money.Scale}
	dates := w.kind.dates(span)
	if w.kind.dated() {
		for _, d := range dates {
			p.labels = append(p.labels, ui.ShortDate(w.ctx, d))
		}
	} else {
		for _, row := range t.Rows {
			p.labels = append(p.labels, w.place(row))
		}
	}
	for i, c := range t.Columns {
		if !c.Drawn {
			continue
		}
		p.column = c
		for n, row := range t.Rows {
			if c.Unit == report.Money && !dollar(row) {
				continue
			}
			at, name := n, w.head(c)
			if w.kind.dated() {
				at = slices.IndexFunc(dates, row.Day.Equal)
				if w.kind.place != "" || c.Unit == report.Money {
					name, p.stacked = strings.TrimSpace(w.colour(row, c)), c.Unit != report.Rating
				}
			}
			p.add(name, at, point{row.Figures[i].Value, w.figure(c, row, row.Figures[i])})
		}
	}
	return p
}

// colour is the name of the series of a row of a report by day and place.
func (w writer) colour(row report.Row, c report.Column) string {
	name := ""
	if w.kind.place != "" {
		name = w.place(row)
	}
	if c.Unit == report.Money {
		name += " " + currency(row)
	}
	return name
}

func dollar(row report.Row) bool {
	d, ok := ledger.DenominationOf(currency(row))
	return ok && d.Dollar()
}

// add puts a point on the line of a series. The last colour is for all further series.
func (p *picture) add(name string, at int, one point) {
	i := slices.IndexFunc(p.series, func(s series) bool { return s.name == name })
	if i < 0 {
		if len(p.series) == mostSeries {
			return
		}
		p.series, i = append(p.series, series{name, make([]point, len(p.labels))}), len(p.series)
	}
	p.series[i].points[at] = one
}

// bounds are the lowest and the highest value, zero among them.
func (p picture) bounds() (low, high int64) {
	for at := range p.labels {
		var sum int64
		for _, s := range p.series {
			v := s.points[at].value
			if sum += v; !p.stacked {
				sum = v
			}
			low, high = min(low, sum), max(high, sum)
		}
	}
	return low, high
}

// step is a round number: 1, 2 or 5 and zeroes, such that about four steps make a range.
func step(length int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, n := range []int64{1, 2, 5} {
			if n*unit*4 >= length {
				return n * unit
			}
		}
	}
}

// view is the picture for the script: numbers of its own unit, and the texts of the server's one formatter.
func (p picture) view(w writer) reportview.Chart {
	low, high := p.bounds()
	by := step(max(high-low, 1))
	bottom, top := floor(low, by), -floor(-high, by)
	if top == bottom {
		top = bottom + by
	}
	size := func(v int64) int64 { return scaled(v, top-bottom) }
	chart := reportview.Chart{Labels: p.labels, Low: size(bottom), High: size(top), Stacked: p.stacked}
	for at := bottom; at <= top; at += by {
		chart.Ticks = append(chart.Ticks, reportview.Tick{At: size(at), Text: p.tick(at)})
	}
	for _, s := range p.series {
		line := reportview.Series{Name: s.name}
		for i, one := range s.points {
			text := ""
			if one.text != "" {
				text = w.word("report.point", "series", s.name, "label", p.labels[i], "value", one.text)
			}
			line.Values, line.Texts = append(line.Values, size(one.value)), append(line.Texts, text)
		}
		chart.Series = append(chart.Series, line)
	}
	return chart
}

// tick is the text beside a line, short: sums without decimals that are zero.
func (p picture) tick(at int64) string {
	switch p.column.Unit {
	case report.Money, report.Result, report.Lots:
		return ui.Decimal(money.Trim(at, p.scale))
	case report.Rating:
		return ui.Decimal(money.Trim(at, 2))
	case report.Count, report.Share, report.Seconds:
	}
	return ui.Decimal(strconv.FormatInt(at, 10))
}

// floor is the next multiple of a step that is not above a value.
func floor(v, by int64) int64 {
	if v >= 0 {
		return v / by * by
	}
	return -((-v + by - 1) / by * by)
}

// scaled is a value in parts of the picture's height.
func scaled(v, whole int64) int64 {
	out, err := money.MulDiv(v, height, whole, money.HalfAway)
	if err != nil {
		return 0
	}
	return out
}
