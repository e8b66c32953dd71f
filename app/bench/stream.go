package bench

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"
)

const (
	streamSockets = 5_000
	focusSockets  = 1_000
	listLength    = 20 // products of a list, for sockets with their own list
	streamSettle  = 500 * time.Millisecond
	stallSettle   = 3 * time.Second // until the unread sockets are full; after 5 s more they are closed
	streamRound   = 2 * time.Second
)

// streamBench is the server in this process and its readers in another one.
type streamBench struct {
	server  *streamServer
	ask     func(readerCommand) (readings, error)
	sockets int
	ids     []int
	memory  map[string]any
	idleKB  float64
}

// streamSample is the result of one variant in one round.
type streamSample struct {
	readings
	cpu     time.Duration // of the server
	due     float64       // frames that the sockets should get in this time
	sockets int
}

func linesPerCPU(s streamSample) float64 { return float64(s.Lines) / s.cpu.Seconds() }
func cpuPerFrame(s streamSample) float64 {
	return float64(s.cpu.Nanoseconds()) / 1_000 / float64(s.Frames)
}
func delivered(s streamSample) float64      { return float64(s.Frames) / s.due }
func delayP50(s streamSample) float64       { return s.P50 }
func delayP99(s streamSample) float64       { return s.P99 }
func linesPerSecond(s streamSample) float64 { return float64(s.Lines) / s.Seconds }
func streamCores(s streamSample) float64    { return s.cpu.Seconds() / s.Seconds }

// benchStream measures the price fan-out to sockets, against a bare loop of write(2) that sends the same bytes to as many plain sockets.
func benchStream(ctx context.Context, out io.Writer) (targets []target, err error) {
	if os.Getenv(readersSetting) != "" {
		return nil, runReaders(os.Stdin, out)
	}
	b := &streamBench{sockets: min(streamSockets, (raiseFileLimit(2*streamSockets+1_000)-1_000)/2)}
	if b.sockets < focusSockets {
		return nil, errors.New("too few files may be open: raise the limit (ulimit -n)")
	}
	if b.server, err = startStreamServer(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.server.close()) }()
	for _, p := range b.server.products {
		b.ids = append(b.ids, p.ID)
	}
	ask, stop, err := startReaders(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	b.ask = ask
	if err := b.connect(); err != nil {
		return nil, err
	}
	samples, err := b.rounds(ctx, out)
	if err != nil {
		return nil, err
	}
	return b.targets(samples), nil
}

// raiseFileLimit raises the process's file limit to n if allowed, and returns the limit. Go has already raised the soft limit to the hard one.
func raiseFileLimit(n int) int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil && limit.Cur < uint64(n) {
		raised := syscall.Rlimit{Cur: uint64(n), Max: max(limit.Max, uint64(n))}
		if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &raised) == nil {
			return n
		}
		return int(limit.Cur)
	}
	return n
}

// connect opens the sockets of both kinds and measures their memory while they are idle.
func (b *streamBench) connect() error {
	empty := memoryInUse()
	if _, err := b.ask(readerCommand{Do: "open", Name: "bare", Address: b.server.bare.listener.Addr().String(), Sockets: b.sockets, Bare: true}); err != nil {
		return err
	}
	bare := memoryInUse()
	for name, n := range map[string]int{"focused": focusSockets, "hub": b.sockets - focusSockets} {
		if _, err := b.ask(readerCommand{Do: "open", Name: name, Address: b.server.address, Sockets: n}); err != nil {
			return err
		}
	}
	hub := memoryInUse()
	kb := func(before, after float64) float64 { return (after - before) / 1024 / float64(b.sockets) }
	b.idleKB = kb(bare.live, hub.live) - kb(empty.live, bare.live)
	b.memory = map[string]any{
		"bareKB": kb(empty.live, bare.live), "hubKB": kb(bare.live, hub.live),
		"barePagesKB": kb(empty.pages, bare.pages), "hubPagesKB": kb(bare.pages, hub.pages),
	}
	return nil
}

// memoryUse is the process's memory after a garbage collection, in bytes: live objects and stacks, and their pages.
type memoryUse struct{ live, pages float64 }

func memoryInUse() memoryUse {
	time.Sleep(streamSettle) // the goroutines of handshakes end after them
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return memoryUse{float64(m.HeapAlloc + m.StackInuse), float64(m.HeapInuse + m.StackInuse)}
}

// streamVariant is one kind of subscription.
type streamVariant struct {
	name    string
	sets    []string
	watch   readerCommand
	every   time.Duration // interval at which a socket should get a frame
	stalled bool
}

func (b *streamBench) variants() []streamVariant {
	all, both := readerCommand{Products: b.ids}, []string{"hub", "focused"}
	list := readerCommand{Products: b.ids, Take: listLength}
	own := list
	own.Own = true
	one := readerCommand{Products: b.ids[:1], Focus: b.ids[0]}
	return []streamVariant{
		{name: "bare", sets: []string{"bare"}, every: bareFlush},
		{name: "shared", sets: both, watch: all, every: bareFlush},
		{name: "stalled", sets: both, watch: all, every: bareFlush, stalled: true},
		{name: "shared list", sets: both, watch: list, every: bareFlush},
		{name: "own lists", sets: both, watch: own, every: bareFlush},
		{name: "focus", sets: []string{"focused"}, watch: one, every: tickEvery},
	}
}

func (b *streamBench) rounds(ctx context.Context, out io.Writer) (map[string][]streamSample, error) {
	samples := map[string][]streamSample{}
	for round := range benchRounds {
		for _, v := range b.variants() {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			s, err := b.run(v)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", v.name, err)
			}
			samples[v.name] = append(samples[v.name], s)
			fmt.Fprintf(out, "round %d  %-12s %9.0f lines/s  %5.1f %% delivered  cpu %5.2f µs a frame, %.2f cores  delay p50 %3.0f ms  p99 %3.0f ms\n",
				round+1, v.name, linesPerSecond(s), 100*delivered(s), cpuPerFrame(s), streamCores(s), s.P50, s.P99)
		}
	}
	return samples, nil
}

// run subscribes, waits until the sockets have settled, and counts for one round.
func (b *streamBench) run(v streamVariant) (s streamSample, err error) {
	if err := b.subscribe(v); err != nil {
		return s, err
	}
	settle := streamSettle
	if v.stalled {
		settle = stallSettle
		stalled := readerCommand{Do: "open", Name: "stalled", Address: b.server.address, Sockets: b.sockets / 100, Stalled: true}
		if _, err := b.ask(stalled); err != nil {
			return s, err
		}
		stalled.Do, stalled.Products = "subscribe", b.ids
		if _, err := b.ask(stalled); err != nil {
			return s, err
		}
	}
	time.Sleep(settle)
	if s, err = b.count(v); err != nil || !v.stalled {
		return s, err
	}
	_, err = b.ask(readerCommand{Do: "close", Name: "stalled"})
	return s, err
}

// subscribe applies a variant's watchlist to its sets and clears all others.
func (b *streamBench) subscribe(v streamVariant) error {
	b.server.bare.running.Store(v.sets[0] == "bare")
	for _, name := range []string{"hub", "focused"} {
		watch := readerCommand{}
		if slices.Contains(v.sets, name) {
			watch = v.watch
		}
		watch.Do, watch.Name = "subscribe", name
		if _, err := b.ask(watch); err != nil {
			return err
		}
	}
	return nil
}

func (b *streamBench) count(v streamVariant) (s streamSample, err error) {
	s.sockets = b.sockets
	if len(v.sets) == 1 && v.sets[0] == "focused" {
		s.sockets = focusSockets
	}
	if _, err = b.ask(readerCommand{Do: "begin"}); err != nil {
		return s, err
	}
	before := ownCPU()
	if err := profiled("stream "+v.name, func() error { time.Sleep(streamRound); return nil }); err != nil {
		return s, err
	}
	s.cpu = ownCPU() - before
	if s.readings, err = b.ask(readerCommand{Do: "end"}); err != nil {
		return s, err
	}
	if s.Frames == 0 {
		return s, errors.New("nothing was received")
	}
	s.due = float64(s.sockets) * s.Seconds / v.every.Seconds()
	return s, nil
}

func (b *streamBench) targets(samples map[string][]streamSample) []target {
	figure := func(name string, f func(streamSample) float64) float64 { return streamMedian(samples[name], f) }
	detail := map[string]any{"sockets": b.sockets, "products": benchProducts}
	for name := range samples {
		detail[name] = map[string]float64{
			"linesPerSecond": figure(name, linesPerSecond), "linesPerCPUSecond": figure(name, linesPerCPU), "cpuMicrosPerFrame": figure(name, cpuPerFrame),
			"delivered": figure(name, delivered), "p50ms": figure(name, delayP50), "p99ms": figure(name, delayP99),
		}
	}
	detail["compression"] = b.compression(figure("shared", cpuPerFrame))
	near, far := figure("focus", delayP99)/20, figure("shared", delayP99)/100
	return []target{
		{"P7", figure("shared", linesPerCPU) / figure("bare", linesPerCPU), 0.90, "higher", benchRounds, detail},
		{"P9", figure("own lists", cpuPerFrame) / figure("shared list", cpuPerFrame), 1.1, "lower", benchRounds, map[string]any{
			"delivered": figure("own lists", delivered), "products": listLength,
		}},
		{"P10a", near, 2.0, "lower", benchRounds, map[string]any{"sockets": focusSockets, "intervalMs": 20}},
		{"P10b", far, 1.5, "lower", benchRounds, map[string]any{"sockets": b.sockets, "intervalMs": 100}},
		{"P10", far, 1.5, "lower", benchRounds, map[string]any{"focused20ms": near, "all100ms": far, "bare100ms": figure("bare", delayP99) / 100}},
		{"P11", figure("stalled", delayP99) / figure("shared", delayP99), 1.2, "lower", benchRounds, map[string]any{
			"stalled": b.sockets / 100, "deliveredToTheOthers": figure("stalled", delivered),
		}},
		{"P12", b.idleKB, 6, "lower", 1, b.memory},
	}
}

// streamMedian is the median of one figure over the rounds.
func streamMedian(samples []streamSample, figure func(streamSample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = figure(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// compression estimates the cost and saving of deflating a frame, at the fastest level and without a per-socket window.
func (b *streamBench) compression(frameMicros float64) map[string]float64 {
	const times = 300
	frame, _ := b.server.bare.frame()
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return nil
	}
	before := ownCPU()
	for range times {
		packed.Reset()
		w.Reset(&packed)
		_, _ = w.Write(frame)
		_ = w.Close()
	}
	micros := float64((ownCPU() - before).Nanoseconds()) / 1_000 / times
	return map[string]float64{
		"bytes": float64(len(frame)), "deflatedBytes": float64(packed.Len()), "deflateMicros": micros, "deflateToWholeFrame": micros / frameMicros,
	}
}
