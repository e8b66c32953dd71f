// Package bench measures the program against references in the same run; `candor bench` runs it.
package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"candor/app/server"
)

// target is one result of a benchmark: a ratio to a reference measured in the same run.
type target struct {
	ID     string         `json:"id"`
	Value  float64        `json:"value"`
	Target float64        `json:"target"`
	Better string         `json:"better"` // "higher" or "lower"
	Rounds int            `json:"rounds"`
	Detail map[string]any `json:"detail"`
}

const (
	benchRounds = 5
	benchRound  = 2 * time.Second // duration of one variant in one round
)

// benchmarks are the measurements of `candor bench`.
var benchmarks = map[string]func(ctx context.Context, out io.Writer) ([]target, error){
	"chat":     benchChat,
	"lists":    benchLists,
	"margin":   benchMargin,
	"orders":   benchOrders,
	"queues":   benchQueues,
	"search":   benchSearch,
	"stream":   benchStream,
	"triggers": benchTriggers,
}

// Command runs a benchmark. It needs only this program and starts everything that it measures, on free ports of 127.0.0.1.
func Command(ctx context.Context, _ server.Config, args []string, out io.Writer) error {
	if len(args) != 1 || benchmarks[args[0]] == nil {
		return fmt.Errorf("say what to measure: candor bench %s", strings.Join(slices.Sorted(maps.Keys(benchmarks)), "|"))
	}
	targets, err := benchmarks[args[0]](ctx, out)
	if err != nil {
		return err
	}
	for _, t := range targets {
		if err := json.NewEncoder(out).Encode(t); err != nil {
			return err
		}
	}
	return nil
}

// benchFolder makes a folder that PostgreSQL's own user may enter: otherwise root's server would keep its data elsewhere, and it would not be removed.
func benchFolder() (string, error) {
	dir, err := os.MkdirTemp("", "candor-bench-")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o711) //nolint:gosec // PostgreSQL's user must enter it
}

// profiled runs work; when CANDOR_PROFILE names a folder, it writes a CPU profile there for go tool pprof.
func profiled(name string, work func() error) (err error) {
	dir := os.Getenv("CANDOR_PROFILE")
	if dir == "" {
		return work()
	}
	file, err := os.Create(filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".pprof"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return work()
}

// sample is the result of one variant in one round.
type sample struct {
	perSecond float64
	cpu       time.Duration // per operation, of this process and the database together
	p50, p99  time.Duration
}

// measure runs one operation in several workers for benchRound and returns their total.
func measure(ctx context.Context, workers int, cpu func() time.Duration, operation func(ctx context.Context, worker int) error) (sample, error) {
	ctx, cancel := context.WithTimeout(ctx, benchRound)
	defer cancel()
	type result struct {
		took []time.Duration
		err  error
	}
	results := make(chan result, workers)
	cpuBefore, start := cpu(), time.Now()
	for worker := range workers {
		go func() {
			var r result
			for ctx.Err() == nil {
				begin := time.Now()
				if r.err = operation(context.WithoutCancel(ctx), worker); r.err != nil {
					break
				}
				r.took = append(r.took, time.Since(begin))
			}
			results <- r
		}()
	}
	var all []time.Duration
	for range workers {
		r := <-results
		if r.err != nil {
			cancel()
			return sample{}, fmt.Errorf("a worker failed: %w", r.err)
		}
		all = append(all, r.took...)
	}
	wall, spent := time.Since(start), cpu()-cpuBefore
	if len(all) == 0 {
		return sample{}, errors.New("nothing was done in a round")
	}
	slices.Sort(all)
	return sample{
		perSecond: float64(len(all)) / wall.Seconds(), cpu: spent / time.Duration(len(all)),
		p50: all[len(all)/2], p99: all[len(all)*99/100],
	}, nil
}

// medianOf is the median of one figure over the rounds.
func medianOf(samples []sample, figure func(sample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = figure(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func perSecond(s sample) float64 { return s.perSecond }
func cpuMicros(s sample) float64 { return float64(s.cpu.Nanoseconds()) / 1_000 }
func p50Millis(s sample) float64 { return float64(s.p50.Nanoseconds()) / 1e6 }
func p99Millis(s sample) float64 { return float64(s.p99.Nanoseconds()) / 1e6 }
