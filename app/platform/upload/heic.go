package upload

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// heifModule is libheif with libde265 as github.com/gen2brain/heic v0.4.5 ships it (see NOTICE). That package bounds neither time nor memory, and prefers a native
// library of the system.
//
//go:embed heif/heif.wasm.gz
var heifModule []byte

// heicBrands are the brands of pictures in HEVC; AVIF and other relatives have others.
var heicBrands = []string{"heic", "heix", "heim", "heis", "mif1"}

// openHEIF starts libheif.
func (s *sandbox) openHEIF() (api.Module, error) {
	packed, err := gzip.NewReader(bytes.NewReader(heifModule))
	if err != nil {
		return nil, fmt.Errorf("unpack libheif: %w", err)
	}
	code, err := io.ReadAll(packed)
	if err != nil {
		return nil, fmt.Errorf("unpack libheif: %w", err)
	}
	runtime := wazero.NewRuntimeWithConfig(s.ctx, s.config)
	if _, err := wasi_snapshot_preview1.Instantiate(s.ctx, runtime); err != nil {
		return nil, fmt.Errorf("start libheif: %w", err)
	}
	module, err := runtime.CompileModule(s.ctx, code)
	if err != nil {
		return nil, fmt.Errorf("compile libheif: %w", err)
	}
	instance, err := runtime.InstantiateModule(s.ctx, module, wazero.NewModuleConfig())
	if err != nil {
		return nil, fmt.Errorf("start libheif: %w", err)
	}
	return instance, nil
}

// decodeHEIC decodes an HEIC picture, which libheif turns upright. Refusals: ErrFormat, ErrTooLarge, ErrDetailed.
func (s *sandbox) decodeHEIC(library api.Module, raw []byte) (image.Image, error) {
	picture := heifPicture{ctx: s.ctx, instance: library}
	decoded, err := picture.decode(raw)
	if err != nil && s.full {
		return nil, ErrDetailed
	}
	return decoded, err
}

// heifPicture is a picture in an instance.
type heifPicture struct {
	ctx      context.Context
	instance api.Module
	file     uint32
	size     uint32
	facts    uint32 // where libheif writes width, height, colours, subsampling, and whether the alpha is premultiplied
}

// heifFacts are the numbers that libheif writes.
type heifFacts struct{ width, height, colours, chroma, premultiplied uint32 }

// libheif's colours and subsamplings.
const (
	heifYCbCr = 0
	heifRGB   = 1
	heifGrey  = 2

	heif420 = 1
	heif422 = 2
	heif444 = 3
)

// decode reads the size first: a picture above the limits is never decoded. The result lives in the instance.
func (p *heifPicture) decode(raw []byte) (image.Image, error) {
	p.size = uint32(len(raw)) //nolint:gosec // at most MaxBytes
	var err error
	if p.file, err = p.alloc(p.size); err != nil {
		return nil, err
	}
	if p.facts, err = p.alloc(20); err != nil {
		return nil, err
	}
	if !p.instance.Memory().Write(p.file, raw) {
		return nil, ErrFormat
	}
	facts, err := p.call(true, 0)
	if err != nil {
		return nil, err
	}
	if facts.width == 0 || facts.height == 0 {
		return nil, ErrFormat
	}
	if facts.width > maxSide || facts.height > maxSide || facts.width*facts.height > maxPixels {
		return nil, ErrTooLarge
	}
	img, pixels, length := facts.layout()
	if img == nil {
		return nil, ErrFormat
	}
	at, err := p.alloc(length)
	if err != nil {
		return nil, err
	}
	if _, err := p.call(false, at); err != nil {
		return nil, err
	}
	view, ok := p.instance.Memory().Read(at, length)
	if !ok {
		return nil, ErrFormat
	}
	pixels(view)
	return img, nil
}

func (p *heifPicture) alloc(size uint32) (uint32, error) {
	result, err := p.instance.ExportedFunction("malloc").Call(p.ctx, uint64(size))
	if err != nil {
		return 0, errors.Join(ErrFormat, err)
	}
	if result[0] == 0 {
		return 0, ErrFormat
	}
	return uint32(result[0]), nil //nolint:gosec // an address of 32 bits
}

// call decodes the picture to an address, or only reads its facts.
func (p *heifPicture) call(onlyFacts bool, to uint32) (f heifFacts, err error) {
	flag := uint64(0)
	if onlyFacts {
		flag = 1
	}
	at := uint64(p.facts)
	result, err := p.instance.ExportedFunction("decode").Call(p.ctx, uint64(p.file), uint64(p.size), flag, at, at+4, at+8, at+12, at+16, uint64(to))
	if err != nil || result[0] == 0 { // a broken picture ends the instance or is refused
		return f, ErrFormat
	}
	for i, value := range []*uint32{&f.width, &f.height, &f.colours, &f.chroma, &f.premultiplied} {
		*value, _ = p.instance.Memory().ReadUint32Le(p.facts + 4*uint32(i)) //nolint:gosec // at most 4
	}
	return f, nil
}

// row is the length of libheif's rows: even, at least 64 pixels, aligned to 16 bytes.
func row(pixels, pixelBytes int) int { return (max(64, pixels+pixels%2)*pixelBytes + 15) &^ 15 }

// layout is the picture without its pixels, how they are put into it, and their length; nil for colours that libheif does not decode to.
func (f heifFacts) layout() (img image.Image, put func(view []byte), length uint32) {
	rect := image.Rect(0, 0, int(f.width), int(f.height))
	w, h := rect.Dx(), rect.Dy()
	switch f.colours {
	case heifYCbCr:
		return f.planes(rect)
	case heifGrey:
		grey := &image.Gray{Stride: row(w, 1), Rect: rect}
		return grey, func(view []byte) { grey.Pix = view }, uint32(row(w, 1) * h) //nolint:gosec // within maxPixels
	case heifRGB:
		colour := &image.NRGBA{Stride: row(w, 4), Rect: rect}
		return colour, func(view []byte) { colour.Pix = view }, uint32(row(w, 4) * h) //nolint:gosec // within maxPixels
	}
	return nil, nil, 0
}

func (f heifFacts) planes(rect image.Rectangle) (image.Image, func(view []byte), uint32) {
	w, h := rect.Dx(), rect.Dy()
	ratios := map[uint32]image.YCbCrSubsampleRatio{heif420: image.YCbCrSubsampleRatio420, heif422: image.YCbCrSubsampleRatio422, heif444: image.YCbCrSubsampleRatio444}
	ratio, known := ratios[f.chroma]
	if !known {
		return nil, nil, 0
	}
	across, down := w, h
	if ratio != image.YCbCrSubsampleRatio444 {
		across = (w + 1) / 2
	}
	if ratio == image.YCbCrSubsampleRatio420 {
		down = (h + 1) / 2
	}
	img := &image.YCbCr{SubsampleRatio: ratio, YStride: row(w, 1), CStride: row(across, 1), Rect: rect}
	luma, chroma := img.YStride*h, img.CStride*down
	return img, func(view []byte) {
		img.Y, img.Cb, img.Cr = view[:luma], view[luma:luma+chroma], view[luma+chroma:]
	}, uint32(luma + 2*chroma) //nolint:gosec // within maxPixels
}

// isHEIC reports whether a file begins as an HEIC picture.
func isHEIC(head []byte) bool {
	return len(head) >= 12 && string(head[4:8]) == "ftyp" && slices.Contains(heicBrands, string(head[8:12]))
}
