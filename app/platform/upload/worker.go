package upload

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"strconv"
	"syscall"

	"candor/app/platform/errs"
)

// ready is written when the library is compiled: the time limit of the file begins.
const ready = "ready\n"

// rendered is the answer of a worker; the JPEG follows it.
type rendered struct {
	Refusal       string
	Width, Height int
	Pages         int
}

// niceness is how far rendering steps back behind orders. At 10 a photo would miss its time limit while others keep every core busy.
const niceness = 5

// Work renders the file that it reads, as a process of its own: args are its format, the longer side of the picture and the folder of compiled libraries.
func Work(args []string, from io.Reader, to io.Writer) error {
	if len(args) != 3 {
		return errors.New("give a format, a size and a folder")
	}
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness); err != nil {
		return fmt.Errorf("lower the priority: %w", err)
	}
	longest, err := strconv.Atoi(args[1])
	if err != nil {
		return fmt.Errorf("read the size: %w", err)
	}
	return work(kind(args[0]), longest, args[2], from, to)
}

// work renders one file.
func work(as kind, longest int, compiled string, from io.Reader, to io.Writer) error {
	s, err := newSandbox(compiled)
	if err != nil {
		return err
	}
	render, err := s.open(as, longest)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(to, ready); err != nil {
		return err
	}
	raw, err := io.ReadAll(from)
	if err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	answer := bufio.NewWriter(to)
	shown, pages, err := render(raw)
	if refusal := errs.As(err); refusal != nil {
		err = json.NewEncoder(answer).Encode(rendered{Refusal: refusal.Key})
	} else if err == nil {
		err = answerPicture(answer, shown, pages, longest)
	}
	if err != nil {
		return err
	}
	return answer.Flush()
}

func answerPicture(answer io.Writer, shown image.Image, pages, longest int) error {
	p, err := pictureOf(flatten(shown, longest), &blocks{pool: &pool{}})
	if err != nil {
		return err
	}
	if err := json.NewEncoder(answer).Encode(rendered{Width: p.Width, Height: p.Height, Pages: pages}); err != nil {
		return err
	}
	_, err = answer.Write(p.Bytes)
	return err
}

// open starts the library for a format.
func (s *sandbox) open(as kind, longest int) (render func(raw []byte) (image.Image, int, error), err error) {
	if as == pdfFile {
		library, err := s.openPDFium()
		return func(raw []byte) (image.Image, int, error) { return s.renderPDF(library, raw, longest) }, err
	}
	library, err := s.openHEIF()
	return func(raw []byte) (image.Image, int, error) {
		shown, err := s.decodeHEIC(library, raw)
		return shown, 0, err
	}, err
}
