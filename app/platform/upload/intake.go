package upload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Limits bound all uploads together.
type Limits struct {
	Memory   int64         // bytes for decoding; one picture may need all of them
	Received int64         // bytes of files that arrive or wait to be decoded
	Decodes  int           // at once
	Waiting  int           // waiting uploads of a class
	Wait     time.Duration // at each of the two gates, at most
}

// DefaultLimits keep what uploads add to the process below 200 MB. The memory suffices for a progressive photo of 12 megapixels, which needs 92 MB of coefficients
// and samples; a usual photo of 24 megapixels needs less.
func DefaultLimits() Limits {
	return Limits{Memory: 96 << 20, Received: 40 << 20, Decodes: 2, Waiting: 32, Wait: 10 * time.Second}
}

// collectAfter is how many bytes are decoded between garbage collections: otherwise the process lets its heap grow far beyond what is in use.
const collectAfter = 32 << 20

// Intake takes pictures in. A process has one.
type Intake struct {
	limits    Limits
	scanner   Scanner
	receiving gate
	decoding  gate
	rendering gate // one file at a time; it keeps no JPEG or PNG waiting
	renderer  Renderer
	pool      pool
	decoded   atomic.Int64 // weight since the last collection
}

// New makes the intake. Without a scanner nothing is scanned.
func New(l Limits, s Scanner) *Intake {
	const (
		pending = 3 // uploads of a person: one that is decoded, two that wait
		whole   = MaxBytes + formBytes
	)
	in := &Intake{limits: l, scanner: s, pool: pool{most: int(l.Received / blockSize)}}
	in.receiving = gate{
		limit: l.Received, share: [classes]int64{l.Received, max(whole, l.Received/2), max(whole, l.Received/4)}, own: whole,
		places: [classes]int{l.Waiting, l.Waiting / 2, l.Waiting / 4}, inside: pending, pending: pending, queue: l.Waiting, wait: l.Wait,
	}
	in.decoding = gate{
		limit: l.Memory, share: [classes]int64{l.Memory, l.Memory, l.Memory}, own: l.Memory,
		places: [classes]int{l.Decodes, l.Decodes, 1}, inside: 1, pending: pending, queue: l.Waiting, wait: l.Wait,
	}
	in.rendering = gate{
		limit: 1, share: [classes]int64{1, 1, 1}, own: 1, places: [classes]int{1, 1, 1}, inside: 1, pending: pending, queue: l.Waiting, wait: l.Wait,
	}
	return in
}

// RenderWith sets the program that renders HEIC pictures and PDFs, before the first upload.
func (in *Intake) RenderWith(r Renderer) *Intake {
	in.renderer = r
	in.renderer.within = renderWithin
	return in
}

// Peak is the most memory that was ever admitted at once: for decoding, and for files.
func (in *Intake) Peak() (decoding, received int64) {
	in.decoding.mu.Lock()
	defer in.decoding.mu.Unlock()
	in.receiving.mu.Lock()
	defer in.receiving.mu.Unlock()
	return in.decoding.peak, in.receiving.peak
}

// Take reads a file of at most size bytes (-1 if unknown), and makes it a picture. Refusals: ErrTooLarge, ErrDetailed, ErrFormat, ErrPDF,
// ErrPDFBroken, ErrPDFLocked, ErrPDFComplex, ErrInfected, ErrUnscanned, ErrBusy.
func (in *Intake) Take(ctx context.Context, from Sender, use Use, size int64, r io.Reader) (Picture, error) {
	done, err := in.admit(ctx, from, size, nil)
	if err != nil {
		return Picture{}, err
	}
	defer done()
	return in.read(ctx, from, use, r, nil)
}

// admit reserves the bytes of an incoming file.
func (in *Intake) admit(ctx context.Context, from Sender, size int64, a *arrival) (done func(), err error) {
	const whole = MaxBytes + formBytes
	if size < 0 || size > whole {
		size = whole
	}
	leave, err := in.receiving.enter(ctx, from, size, a)
	if err != nil {
		return nil, err
	}
	return func() {
		leave()
		if in.receiving.idle() {
			in.pool.drop()
		}
	}, nil
}

// read takes the file in; its arrival is paused while it is scanned and decoded.
func (in *Intake) read(ctx context.Context, from Sender, use Use, r io.Reader, a *arrival) (Picture, error) {
	raw := &blocks{pool: &in.pool}
	defer raw.release()
	switch _, err := io.Copy(raw, io.LimitReader(r, MaxBytes+1)); {
	case tooLong(err) || raw.size > MaxBytes:
		return Picture{}, ErrTooLarge
	case err != nil:
		return Picture{}, fmt.Errorf("read an upload: %w", err)
	}
	a.pause()
	defer a.begin()
	if err := in.scan(ctx, from, raw); err != nil {
		return Picture{}, err
	}
	switch as := sniff(raw); {
	case as == raster:
		return in.decode(ctx, from, use.Longest, raw)
	case as == pdfFile && !use.PDF:
		return Picture{}, ErrPDF
	default:
		return in.render(ctx, from, as, use.Longest, raw)
	}
}

func tooLong(err error) bool {
	var tooLarge *http.MaxBytesError
	return errors.As(err, &tooLarge)
}

func (in *Intake) scan(ctx context.Context, from Sender, raw *blocks) error {
	if in.scanner == nil {
		return nil
	}
	signature, err := in.scanner.Scan(ctx, raw.reader())
	switch {
	case err != nil:
		slog.ErrorContext(ctx, "an upload could not be scanned", "from", from.Person, "error", err)
		return ErrUnscanned
	case signature != "":
		slog.WarnContext(ctx, "an infected upload was refused", "from", from.Person, "signature", signature, "bytes", raw.size)
		return ErrInfected
	}
	return nil
}

// decode judges a picture by its header, waits until there is memory for it, and encodes it anew.
func (in *Intake) decode(ctx context.Context, from Sender, longest int, raw *blocks) (Picture, error) {
	l, err := judge(raw.reader())
	if err != nil {
		return Picture{}, err
	}
	turned := orientation(raw.reader(), l.format)
	cost := l.cost(longest, turned != 1)
	if cost > in.limits.Memory {
		return Picture{}, ErrDetailed
	}
	leave, err := in.decoding.enter(ctx, from, cost, nil)
	if err != nil {
		return Picture{}, err
	}
	defer leave()
	defer in.collect(cost)
	out := &blocks{pool: &in.pool}
	defer out.release()
	return encode(raw.reader(), l, longest, turned, out)
}

// collect frees decoded pictures before the next one is admitted; the last one returns the memory to the system.
func (in *Intake) collect(cost int64) {
	if in.decoded.Add(cost) < collectAfter {
		return
	}
	in.decoded.Store(0)
	if in.decoding.last() {
		debug.FreeOSMemory()
		return
	}
	runtime.GC()
}
