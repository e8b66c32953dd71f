package upload

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"runtime"

	"github.com/bep/imagemeta"
	"golang.org/x/image/draw"
)

// encode decodes an admitted picture and encodes it anew, upright and no longer than longest. Refusal: ErrFormat.
func encode(r io.ReadSeeker, l layout, longest, orientation int, out *blocks) (Picture, error) {
	decoded, _, err := image.Decode(bufio.NewReader(r))
	if err != nil {
		return Picture{}, ErrFormat
	}
	if l.transient >= collectAfter { // the cost counts the rest of the way without it
		runtime.GC()
	}
	return pictureOf(turn(flatten(decoded, longest), orientation), out)
}

// pictureOf encodes a flat picture.
func pictureOf(flat *image.YCbCr, out *blocks) (Picture, error) {
	if err := jpeg.Encode(out, flat, &jpeg.Options{Quality: quality}); err != nil {
		return Picture{}, fmt.Errorf("encode a picture: %w", err)
	}
	raw := out.bytes()
	return Picture{Bytes: raw, Width: flat.Rect.Dx(), Height: flat.Rect.Dy(), SHA256: sha256.Sum256(raw)}, nil
}

// flatten makes a picture 4:2:0, on white, scaled to its kept size.
func flatten(decoded image.Image, longest int) *image.YCbCr {
	size := decoded.Bounds().Size()
	width, height := keptSize(size.X, size.Y, longest)
	if ycc, ok := decoded.(*image.YCbCr); ok && ycc.SubsampleRatio == image.YCbCrSubsampleRatio420 && width == size.X && height == size.Y {
		return ycc
	}
	return redraw(decoded, width, height)
}

// stripRows are the rows that are flattened at once; even, as 4:2:0 takes them in pairs.
const stripRows = 16

// redraw flattens strip by strip, so that no copy of the whole picture in RGBA is made.
func redraw(src image.Image, width, height int) *image.YCbCr {
	out, whole := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420), image.Rect(0, 0, width, height)
	strip := image.NewRGBA(image.Rect(0, 0, width, stripRows))
	for y := 0; y < height; y += stripRows {
		strip.Rect = image.Rect(0, y, width, min(y+stripRows, height))
		draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
		if src.Bounds().Size() == whole.Size() {
			draw.Draw(strip, strip.Rect, src, src.Bounds().Min.Add(strip.Rect.Min), draw.Over)
		} else {
			draw.ApproxBiLinear.Scale(strip, whole, src, src.Bounds(), draw.Over, nil)
		}
		subsample(out, strip)
	}
	return out
}

// subsample writes a strip of opaque pixels: brightness for each, colour for each square of four, their mean.
func subsample(out *image.YCbCr, strip *image.RGBA) {
	for y := strip.Rect.Min.Y; y < strip.Rect.Max.Y; y += 2 {
		rows := min(2, strip.Rect.Max.Y-y)
		for x := 0; x < strip.Rect.Max.X; x += 2 {
			columns := min(2, strip.Rect.Max.X-x)
			var r, g, b, n int
			for dy := range rows {
				for dx := range columns {
					p := strip.Pix[strip.PixOffset(x+dx, y+dy):]
					out.Y[out.YOffset(x+dx, y+dy)], _, _ = color.RGBToYCbCr(p[0], p[1], p[2])
					r, g, b, n = r+int(p[0]), g+int(p[1]), b+int(p[2]), n+1
				}
			}
			at := out.COffset(x, y)
			_, out.Cb[at], out.Cr[at] = color.RGBToYCbCr(uint8((r+n/2)/n), uint8((g+n/2)/n), uint8((b+n/2)/n))
		}
	}
}

// orientation is the EXIF orientation, 1 to 8; 1 when there is none.
func orientation(r io.ReadSeeker, format string) (value int) {
	value = 1
	kind := imagemeta.JPEG
	if format == "png" {
		kind = imagemeta.PNG
	}
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: r, ImageFormat: kind, Sources: imagemeta.EXIF,
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

// turn brings a picture upright: EXIF orientations mirror and rotate. The three planes of 4:2:0 turn alike.
func turn(src *image.YCbCr, orientation int) *image.YCbCr {
	if orientation == 1 {
		return src
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	size := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	out := image.NewYCbCr(size, image.YCbCrSubsampleRatio420)
	turnPlane(out.Y, out.YStride, src.Y, src.YStride, w, h, orientation)
	turnPlane(out.Cb, out.CStride, src.Cb, src.CStride, (w+1)/2, (h+1)/2, orientation)
	turnPlane(out.Cr, out.CStride, src.Cr, src.CStride, (w+1)/2, (h+1)/2, orientation)
	return out
}

func turnPlane(out []byte, outStride int, src []byte, stride, w, h, orientation int) {
	for y := range h {
		for x, value := range src[y*stride:][:w] {
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
			out[ty*outStride+tx] = value
		}
	}
}
