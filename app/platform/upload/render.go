package upload

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"candor/app/platform/errs"
)

// HEIC pictures and PDFs are decoded by C libraries. A process of its own renders each file in a sandbox, without this process's environment, and is killed at
// the time limit: an endless file ends like any other.
const (
	renderWithin  = 20 * time.Second // of a file
	compileWithin = 2 * time.Minute  // of a library at its first file
	renderedBytes = 32 << 20         // of the answer
)

// kind is the format of a file by its first bytes; a name or a declared type is never read.
type kind string

const (
	raster   kind = "raster" // JPEG, PNG, or nothing that is read
	heicFile kind = "heic"
	pdfFile  kind = "pdf"
)

// sniff reads the format.
func sniff(raw *blocks) kind {
	var head [12]byte
	n, _ := raw.ReadAt(head[:], 0)
	switch {
	case isHEIC(head[:n]):
		return heicFile
	case n >= len(pdfMark) && string(head[:len(pdfMark)]) == pdfMark:
		return pdfFile
	}
	return raster
}

// render makes a picture of an HEIC picture or a PDF. Refusals: those of the formats, ErrBusy.
func (in *Intake) render(ctx context.Context, from Sender, as kind, longest int, raw *blocks) (Picture, error) {
	leave, err := in.rendering.enter(ctx, from, 1, nil)
	if err != nil {
		return Picture{}, err
	}
	defer leave()
	return in.renderer.run(ctx, as, longest, raw.reader())
}

// unrendered is the refusal of a file whose process was killed or failed.
func unrendered(as kind) error {
	if as == pdfFile {
		return ErrPDFComplex
	}
	return ErrDetailed
}

// Renderer is the program that renders one file.
type Renderer struct {
	Program  string
	Args     []string // before those of Work
	Compiled string   // a folder that only this program can write: libraries run as they were compiled into it
	within   time.Duration
}

var errStuck = errors.New("rendering took too long")

func (r Renderer) run(ctx context.Context, as kind, longest int, file io.Reader) (Picture, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	limit := time.AfterFunc(compileWithin, func() { stop(errStuck) })
	defer limit.Stop()
	worker := exec.CommandContext(ctx, r.Program, append(slices.Clone(r.Args), string(as), strconv.Itoa(longest), r.Compiled)...) //nolint:gosec // this program
	worker.Env, worker.Stdin = []string{"GOMAXPROCS=1"}, file
	var complaint bytes.Buffer
	worker.Stderr, worker.WaitDelay = &complaint, time.Second
	answers, err := worker.StdoutPipe()
	if err != nil {
		return Picture{}, fmt.Errorf("connect a renderer: %w", err)
	}
	if err := worker.Start(); err != nil {
		return Picture{}, fmt.Errorf("start a renderer: %w", err)
	}
	answer := bufio.NewReader(io.LimitReader(answers, renderedBytes))
	line, err := answer.ReadString('\n')
	if err != nil || line != ready {
		stop(nil)
		return Picture{}, fmt.Errorf("start a renderer: %w: %s", errors.Join(err, worker.Wait()), complaint.String())
	}
	limit.Reset(r.within)
	p, err := readRendered(answer)
	asked := ctx.Err() == nil || errors.Is(context.Cause(ctx), errStuck)
	stop(nil) // it has answered, or never will
	if ended := worker.Wait(); err != nil && errs.As(err) == nil && asked {
		slog.WarnContext(ctx, "an upload could not be rendered", "format", string(as), "error", errors.Join(err, ended), "said", complaint.String())
		return Picture{}, unrendered(as)
	}
	return p, err
}

// readRendered reads a worker's answer. Refusals: the worker's.
func readRendered(answer *bufio.Reader) (p Picture, err error) {
	head, err := answer.ReadBytes('\n')
	if err != nil {
		return p, fmt.Errorf("read the head of an answer: %w", err)
	}
	var told rendered
	if err := json.Unmarshal(head, &told); err != nil {
		return p, fmt.Errorf("read the head of an answer: %w", err)
	}
	if told.Refusal != "" {
		return p, refusalOf(told.Refusal)
	}
	raw, err := io.ReadAll(answer)
	if err != nil {
		return p, fmt.Errorf("read a rendered picture: %w", err)
	}
	return Picture{Bytes: raw, Width: told.Width, Height: told.Height, Pages: told.Pages, SHA256: sha256.Sum256(raw)}, nil
}

// refusalOf finds a worker's refusal by its key.
func refusalOf(key string) error {
	for _, refusal := range []*errs.Error{ErrFormat, ErrTooLarge, ErrDetailed, ErrPDFBroken, ErrPDFLocked, ErrPDFComplex} {
		if refusal.Key == key {
			return refusal
		}
	}
	return fmt.Errorf("an unknown refusal: %s", key)
}
