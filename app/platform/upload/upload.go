// Package upload takes pictures from strangers: it refuses what is no picture, caps what is decoded, and keeps only a fresh encoding, never the original bytes.
package upload

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	_ "image/png" // a format that is read
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/bep/imagemeta"

	"candor/app/platform/errs"
)

// Limits of a picture.
const (
	MaxBytes  = 10 << 20
	maxPixels = 40_000_000
	maxSide   = 12_000
	quality   = 85
	decodes   = 2 // at once
)

// Refusals of pictures.
var (
	ErrTooLarge = errs.New(errs.Refused, "upload.too_large")
	ErrFormat   = errs.New(errs.Refused, "upload.format") // JPEG and PNG are read
	ErrBusy     = errs.New(errs.Unavailable, "busy")
)

// Picture is a fresh JPEG without any metadata.
type Picture struct {
	Bytes         []byte
	Width, Height int
	SHA256        [sha256.Size]byte
}

var slots = make(chan struct{}, decodes)

// Read decodes a picture and encodes it anew, upright. It returns ErrTooLarge, ErrFormat or ErrBusy.
func Read(r io.Reader) (Picture, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return Picture{}, fmt.Errorf("read an upload: %w", err)
	}
	if len(raw) > MaxBytes {
		return Picture{}, ErrTooLarge
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil || (format != "jpeg" && format != "png") {
		return Picture{}, ErrFormat
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > maxSide || config.Height > maxSide || config.Width*config.Height > maxPixels {
		return Picture{}, ErrTooLarge
	}
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	default:
		return Picture{}, ErrBusy
	}
	return encode(raw, format)
}

func encode(raw []byte, format string) (Picture, error) {
	decoded, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return Picture{}, ErrFormat
	}
	flat := image.NewRGBA(image.Rect(0, 0, decoded.Bounds().Dx(), decoded.Bounds().Dy()))
	draw.Draw(flat, flat.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(flat, flat.Bounds(), decoded, decoded.Bounds().Min, draw.Over)
	upright := turn(flat, orientation(raw, format))
	var out bytes.Buffer
	if err := jpeg.Encode(&out, upright, &jpeg.Options{Quality: quality}); err != nil {
		return Picture{}, fmt.Errorf("encode a picture: %w", err)
	}
	return Picture{Bytes: out.Bytes(), Width: upright.Bounds().Dx(), Height: upright.Bounds().Dy(), SHA256: sha256.Sum256(out.Bytes())}, nil
}

// orientation is the EXIF orientation, 1 to 8; 1 when there is none.
func orientation(raw []byte, format string) (value int) {
	value = 1
	kind := imagemeta.JPEG
	if format == "png" {
		kind = imagemeta.PNG
	}
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(raw), ImageFormat: kind, Sources: imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool { return tag.Tag == "Orientation" },
		HandleTag: func(tag imagemeta.TagInfo) error {
			if v, ok := tag.Value.(uint16); ok && v >= 1 && v <= 8 {
				value = int(v)
			}
			return nil
		},
	})
	return value
}

// turn brings a picture upright: EXIF orientations mirror and rotate.
func turn(src *image.RGBA, orientation int) *image.RGBA {
	if orientation == 1 {
		return src
	}
	w, h := src.Bounds().Dx(), src.Bounds().Dy()
	size := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	out := image.NewRGBA(size)
	for y := range h {
		for x := range w {
			tx, ty := x, y
			switch orientation {
			case 2:
				tx, ty = w-1-x, y
			case 3:
				tx, ty = w-1-x, h-1-y
			case 4:
				tx, ty = x, h-1-y
			case 5:
				tx, ty = y, x
			case 6:
				tx, ty = h-1-y, x
			case 7:
				tx, ty = h-1-y, w-1-x
			case 8:
				tx, ty = y, w-1-x
			}
			out.SetRGBA(tx, ty, src.RGBAAt(x, y))
		}
	}
	return out
}

// Store keeps pictures under random names in a folder.
type Store struct{ dir string }

// NewStore uses a folder, which is made at the first picture.
func NewStore(dir string) *Store { return &Store{dir} }

var nameForm = regexp.MustCompile(`^[0-9a-f]{32}\.jpg$`)

// Put keeps a picture and returns its name.
func (s *Store) Put(p Picture) (name string, err error) {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	name = hex.EncodeToString(raw) + ".jpg"
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return "", fmt.Errorf("make the upload folder: %w", err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, name), p.Bytes, 0o600); err != nil {
		return "", errors.Join(fmt.Errorf("store a picture: %w", err), os.Remove(filepath.Join(s.dir, name)))
	}
	return name, nil
}

// Get reads a picture by its name; a name of any other form is no picture.
func (s *Store) Get(name string) ([]byte, error) {
	if !nameForm.MatchString(name) {
		return nil, os.ErrNotExist
	}
	return os.ReadFile(filepath.Join(s.dir, name))
}

// Remove deletes a picture; one that is not there is no fault.
func (s *Store) Remove(name string) error {
	if !nameForm.MatchString(name) {
		return os.ErrNotExist
	}
	if err := os.Remove(filepath.Join(s.dir, name)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
