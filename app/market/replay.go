package market

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/app/platform/clock"
	"candor/app/platform/money"
)

const (
	recordingHeader  = "ts_ms,bid,ask"
	recordingSuffix  = ".csv.gz"
	resolutionRows   = 1_000              // rows whose median gap sets a recording's resolution
	resolutionFactor = 3                  // a replayed quote is stale after this many resolutions
	sameTime         = 7 * 24 * time.Hour // a symbol that starts later than this after its class was recorded at another time and has its own day 0
)

var classFolders = map[string]Class{"forex": Forex, "metals": Metal, "us-stocks": USStock, "crypto": Crypto, "index": Index}

// Replay is a feed of recorded quotes. Every class starts on day 0 and keeps its UTC time of day, so that classes recorded in different years run side by side.
type Replay struct {
	speed      float64
	from       time.Duration // time of day 0 at which the clock starts; earlier quotes are history
	start      time.Time     // the market time at which the clock starts
	clock      *clock.Scaled
	base       time.Time // the market date of day 0
	recordings []*recording
	resolution map[string]time.Duration
}

// recording is the files of one symbol, oldest first, read row by row.
type recording struct {
	class   Class
	symbol  string
	product Product
	first   time.Time // the date that is day 0
	days    []recordedDay
	file    *dayFile      // the open one
	shift   time.Duration // from recorded to market time
	head    Raw           // the next quote
	has     bool          // whether head is set
}

type recordedDay struct {
	path string
	date time.Time
}

// NewReplay lists the recordings in dir (<class folder>/<SYMBOL>/<YYYY-MM-DD>.csv.gz). Speed is market seconds per second; it must be positive.
// From is the time of the first day at which the clock starts; zero starts with the first quote.
func NewReplay(dir string, speed float64, from time.Duration) (*Replay, error) {
	if !(speed > 0) || math.IsInf(speed, 1) {
		return nil, fmt.Errorf("replay at speed %v: it must be positive", speed)
	}
	recordings, err := listRecordings(dir)
	if err != nil {
		return nil, fmt.Errorf("list recordings: %w", err)
	}
	if len(recordings) == 0 {
		return nil, fmt.Errorf("no recordings in %s", dir)
	}
	r := &Replay{speed: speed, from: from, recordings: recordings, resolution: map[string]time.Duration{}}
	r.base = align(recordings)
	r.clock = clock.NewScaled(r.base, speed)
	return r, nil
}

func listRecordings(dir string) ([]*recording, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	paths, err := fs.Glob(os.DirFS(dir), "*/*/*"+recordingSuffix)
	if err != nil {
		return nil, err
	}
	var out []*recording
	for _, path := range paths { // sorted, so a symbol's days are consecutive
		parts := strings.Split(path, "/")
		class, known := classFolders[parts[0]]
		if !known {
			continue
		}
		day, err := time.Parse(time.DateOnly, strings.TrimSuffix(parts[2], recordingSuffix))
		if err != nil {
			return nil, fmt.Errorf("%s is not named by a date", filepath.Join(dir, path))
		}
		if n := len(out); n == 0 || out[n-1].class != class || out[n-1].symbol != parts[1] {
			out = append(out, &recording{class: class, symbol: parts[1]})
		}
		last := out[len(out)-1]
		last.days = append(last.days, recordedDay{filepath.Join(dir, path), day})
	}
	return out, nil
}

// align gives each recording its day 0 and returns its market date: the first day of forex, or else of the earliest class.
func align(recordings []*recording) time.Time {
	first := map[Class]time.Time{}
	for _, r := range recordings {
		if day, ok := first[r.class]; !ok || r.days[0].date.Before(day) {
			first[r.class] = r.days[0].date
		}
	}
	var base time.Time
	for _, r := range recordings {
		r.first = first[r.class]
		if base.IsZero() || r.first.Before(base) {
			base = r.first
		}
		if r.days[0].date.Sub(r.first) > sameTime {
			r.first = r.days[0].date
		}
	}
	if forex, ok := first[Forex]; ok {
		return forex
	}
	return base
}

// Name is "replay".
func (r *Replay) Name() string { return "replay" }

// Clock is the replayed market time; after Start it runs from the first quote, or from where the tape ends.
func (r *Replay) Clock() clock.Clock { return r.clock }

// StaleLimit is the product's own limit, or three times the recording's resolution where that is coarser.
func (r *Replay) StaleLimit(p Product) time.Duration {
	return max(time.Duration(p.StaleMS)*time.Millisecond, resolutionFactor*r.resolution[p.Symbol])
}

// Start opens the recordings of known products, skips quotes already on the tape, and starts the clock. It fails when no recording is of a known product,
// or when it reads a damaged file.
func (r *Replay) Start(products []Product, _ *Hours, last map[string]Last) error {
	if err := r.keep(products); err != nil {
		return err
	}
	var end time.Time
	for _, l := range last {
		end = later(end, l.At)
	}
	for _, rec := range r.recordings {
		if err := r.prepare(rec, end); err != nil {
			r.close()
			return err
		}
	}
	r.start = end
	if head := r.earliest(); end.IsZero() && head != nil {
		r.start = later(head.head.At, r.base.Add(r.from))
	}
	r.clock = clock.NewScaled(r.start, r.speed)
	return nil
}

// Covers reports whether a product was recorded.
func (r *Replay) Covers(p Product) bool {
	return slices.ContainsFunc(r.recordings, func(rec *recording) bool { return rec.product.ID == p.ID })
}

// keep drops recordings of unknown products and logs them once.
func (r *Replay) keep(products []Product) error {
	var kept []*recording
	var unknown []string
	for _, rec := range r.recordings {
		i := slices.IndexFunc(products, func(p Product) bool { return p.Symbol == rec.symbol && p.Class == rec.class })
		if i < 0 {
			unknown = append(unknown, rec.symbol)
			continue
		}
		rec.product = products[i]
		kept = append(kept, rec)
	}
	if len(unknown) > 0 {
		slog.Warn("recordings of unknown products are left out", "symbols", unknown)
	}
	if len(kept) == 0 {
		return errors.New("no recording is of a known product")
	}
	r.recordings = kept
	return nil
}

// prepare measures a recording and moves it to its first quote after end, the end of the tape.
func (r *Replay) prepare(rec *recording, end time.Time) error {
	resolution, err := measure(rec.days[0])
	if err != nil {
		return err
	}
	r.resolution[rec.symbol] = resolution
	for {
		if err := r.read(rec); err != nil {
			return err
		}
		if !rec.has || end.IsZero() || rec.head.At.After(end) {
			return nil
		}
	}
}

// History emits the quotes recorded before the clock's start; it has no candles without quotes.
func (r *Replay) History(ctx context.Context, emit func(Raw)) ([]Candle, error) {
	for ctx.Err() == nil {
		rec := r.earliest()
		if rec == nil || !rec.head.At.Before(r.start) {
			break
		}
		emit(rec.head)
		if err := r.read(rec); err != nil {
			return nil, err
		}
	}
	r.clock = clock.NewScaled(r.start, r.speed)
	return nil, ctx.Err()
}

// Run emits each quote when the market clock reaches it, until ctx ends or no quote is left (nil). On a damaged file it returns an error with file and line.
func (r *Replay) Run(ctx context.Context, emit func(Raw)) error {
	defer r.close()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		rec := r.earliest()
		if rec == nil {
			return nil
		}
		if wait := r.clock.Until(rec.head.At); wait > 0 {
			timer.Reset(max(wait, time.Millisecond)) // a shorter sleep would only spin
			select {
			case <-ctx.Done():
				return nil
			case <-timer.C:
			}
		}
		emit(rec.head)
		if err := r.read(rec); err != nil {
			return err
		}
	}
	return nil
}

// earliest is the recording whose next quote comes first, or nil.
func (r *Replay) earliest() *recording {
	var first *recording
	for _, rec := range r.recordings {
		if rec.has && (first == nil || rec.head.At.Before(first.head.At)) {
			first = rec
		}
	}
	return first
}

func (r *Replay) close() {
	for _, rec := range r.recordings {
		rec.close()
	}
}

func (rec *recording) close() {
	if rec.file != nil {
		rec.file.close()
	}
	rec.file, rec.has = nil, false
}

// read moves a recording to its next quote, across day files.
func (r *Replay) read(rec *recording) error {
	for rec.file != nil || len(rec.days) > 0 {
		if rec.file == nil {
			if err := r.open(rec); err != nil {
				return err
			}
		}
		line, more, err := rec.file.next()
		if err != nil {
			return err
		}
		if more {
			source := time.UnixMilli(line.ms).UTC()
			rec.head = Raw{Symbol: rec.symbol, Bid: line.bid, Ask: line.ask, At: source.Add(rec.shift), SourceAt: source}
			rec.has = true
			return nil
		}
		rec.close()
	}
	rec.has = false
	return nil
}

func (r *Replay) open(rec *recording) error {
	file, err := openDay(rec.days[0])
	if err != nil {
		return err
	}
	rec.file, rec.shift = file, r.base.Sub(rec.first)
	rec.days = rec.days[1:]
	return nil
}

// measure is the median gap of a day's first rows; 0 with fewer than two rows.
func measure(day recordedDay) (time.Duration, error) {
	file, err := openDay(day)
	if err != nil {
		return 0, err
	}
	defer file.close()
	var gaps []int64
	var previous int64
	for row := range resolutionRows {
		line, more, err := file.next()
		if err != nil {
			return 0, err
		}
		if !more {
			break
		}
		if row > 0 {
			gaps = append(gaps, line.ms-previous)
		}
		previous = line.ms
	}
	if len(gaps) == 0 {
		return 0, nil
	}
	slices.SortFunc(gaps, cmp.Compare[int64])
	return time.Duration(gaps[len(gaps)/2]) * time.Millisecond, nil
}

// dayFile reads one recorded day.
type dayFile struct {
	day   recordedDay
	file  *os.File
	lines *bufio.Reader
	line  int
}

type recordedLine struct {
	ms       int64
	bid, ask string
}

func openDay(day recordedDay) (*dayFile, error) {
	file, err := os.Open(day.path)
	if err != nil {
		return nil, err
	}
	d := &dayFile{day: day, file: file}
	unpacked, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		d.close()
		return nil, d.fault(err.Error())
	}
	d.lines = bufio.NewReader(unpacked)
	header, _, err := d.scan()
	if err == nil && header != recordingHeader {
		err = d.fault("the header is not " + recordingHeader)
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *dayFile) close() { _ = d.file.Close() } // opened for reading only

// fault is an error with file and line.
func (d *dayFile) fault(what string) error {
	return fmt.Errorf("recording %s line %d: %s", d.day.path, max(d.line, 1), what)
}

// scan is the next line; more is false at the end of the file. Partial data from a damaged file is never returned as a line.
func (d *dayFile) scan() (text string, more bool, err error) {
	raw, err := d.lines.ReadSlice('\n')
	if errors.Is(err, io.EOF) && len(raw) == 0 {
		return "", false, nil
	}
	d.line++
	if err != nil && !errors.Is(err, io.EOF) {
		return "", false, d.fault(err.Error())
	}
	return strings.TrimRight(string(raw), "\r\n"), true, nil
}

// next is the next row; more is false at the end of the file.
func (d *dayFile) next() (row recordedLine, more bool, err error) {
	text, more, err := d.scan()
	if err != nil || !more {
		return recordedLine{}, false, err
	}
	row, ok := d.parse(text)
	if !ok {
		return recordedLine{}, false, d.fault(fmt.Sprintf("%.80q is not a time of that day, a bid and an ask", text))
	}
	return row, true, nil
}

// parse checks for numbers only: the guards judge prices. A recorded day may be a local date, up to a day apart from UTC.
func (d *dayFile) parse(text string) (recordedLine, bool) {
	stamp, prices, _ := strings.Cut(text, ",")
	bid, ask, _ := strings.Cut(prices, ",")
	ms, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || ms < d.day.date.UnixMilli()-dayMS || ms >= d.day.date.UnixMilli()+2*dayMS {
		return recordedLine{}, false
	}
	return recordedLine{ms, bid, ask}, decimal(bid) && decimal(ask)
}

func decimal(text string) bool {
	_, err := money.ParseNearest(text, 0)
	return err == nil
}
