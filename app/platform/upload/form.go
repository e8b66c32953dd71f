package upload

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"time"

	"candor/app/platform/errs"
)

// formBytes is the size allowed for a form besides its picture.
const formBytes = 4096

// MaxForm is the largest size in bytes of a form with a picture.
const MaxForm = MaxBytes + formBytes

// Bounds of a form.
const (
	headBytes  = 64 << 10 // of the header before a part
	valueBytes = 1 << 10
	maxParts   = 16
)

// Form is a form with one picture.
type Form struct {
	Picture Picture
	Values  map[string]string
}

// Form reads a multipart form and takes its part "file" in. It reads nothing before there is room for it, and writes nothing to a disk. A slow
// form is aborted when others wait for its room. Refusals: ErrMissing, those of Take.
func (in *Intake) Form(w http.ResponseWriter, r *http.Request, from Sender, use Use) (Form, error) {
	defer Discard(w, r)
	body := &measured{ReadCloser: r.Body, arrival: arriving(w)}
	r.Body = body
	parts, err := r.MultipartReader()
	if err != nil {
		return Form{}, ErrMissing
	}
	done, err := in.admit(r.Context(), from, r.ContentLength, body.arrival)
	if err != nil {
		return Form{}, err
	}
	defer done()
	form, err := in.parts(r.Context(), parts, body, from, use)
	if err != nil && body.arrival.aborted.Load() {
		err = ErrBusy
	}
	return form, err
}

// parts reads the parts of a form.
func (in *Intake) parts(ctx context.Context, parts *multipart.Reader, body *measured, from Sender, use Use) (Form, error) {
	form, taken := Form{Values: map[string]string{}}, false
	for range maxParts {
		body.left = headBytes
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF) && taken:
			return form, nil
		case errors.Is(err, io.EOF):
			return Form{}, ErrMissing
		case tooLong(err):
			return Form{}, ErrTooLarge
		case err != nil:
			return Form{}, errors.Join(ErrMissing, err)
		}
		body.left = MaxBytes + formBytes
		if part.FormName() == "file" && !taken {
			form.Picture, err = in.read(ctx, from, use, part, body.arrival)
			taken = true
		} else {
			var value []byte
			value, err = io.ReadAll(io.LimitReader(part, valueBytes))
			form.Values[part.FormName()] = string(value)
		}
		if err != nil && errs.As(err) == nil { // the request ended too soon
			err = errors.Join(ErrMissing, err)
		}
		if err != nil {
			return Form{}, err
		}
	}
	return Form{}, ErrMissing
}

// discardWithin limits how long the rest of a refused request is read: its sender keeps a slot meanwhile.
const discardWithin = 2 * time.Second

// Discard reads the rest of a refused request, so that its sender gets the answer instead of a broken connection. A slow sender's connection is
// closed after the answer.
func Discard(w http.ResponseWriter, r *http.Request) {
	body := r.Body
	if m, ok := body.(*measured); ok {
		body = m.ReadCloser
	}
	ended := make(chan struct{})
	// Not a deadline set in advance: it would also cancel a request that was read in time and is still being handled.
	late := time.AfterFunc(discardWithin, func() {
		defer close(ended)
		_ = http.NewResponseController(w).SetReadDeadline(time.Now())
	})
	_, _ = io.Copy(io.Discard, io.LimitReader(body, MaxBytes+formBytes))
	if !late.Stop() {
		<-ended // w can't be used after its request
	}
}

// measured stops an endless header of a part, which would be kept in memory.
type measured struct {
	io.ReadCloser
	left    int
	arrival *arrival
}

var errHead = errors.New("the head of a part is too long")

func (m *measured) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, errHead
	}
	n, err := m.ReadCloser.Read(p[:min(len(p), m.left)])
	m.left -= n
	m.arrival.bytes.Add(int64(n))
	return n, err
}
