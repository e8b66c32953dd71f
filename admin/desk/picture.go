package desk

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"net/http"
	"sync"

	"github.com/labstack/echo/v5"
	resample "golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/f64"
	"golang.org/x/image/math/fixed"

	"candor/app/platform/errs"
)

// ErrPicture is returned for a request that would show a person's picture outside our pages.
var ErrPicture = errs.New(errs.Forbidden, "picture")

const (
	slope    = -24 * math.Pi / 180
	quality  = 88
	drawings = 2 // at once
)

// slots bound how many decoded pictures are in memory.
var slots = make(chan struct{}, drawings)

var letters = sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(goregular.TTF) })

// MayShow refuses a picture opened as a page of its own, from which it could be saved. Browsers state what they request.
func (r *Request) MayShow() error {
	if wanted := r.Request().Header.Get("Sec-Fetch-Dest"); wanted != "" && wanted != "image" {
		return ErrPicture
	}
	return nil
}

// SendPicture sends an uploaded JPEG into its page, with the viewer's name, the time and the case drawn into it. Opened by itself it would be
// a file that can do nothing: no script, no form, no frame.
func (r *Request) SendPicture(raw []byte, number string) error {
	marked, err := watermark(raw, r.Member.Name+" · "+r.Now().UTC().Format("2006-01-02 15:04 UTC")+" · "+number)
	if err != nil {
		return err
	}
	header := r.Response().Header()
	header.Set(echo.HeaderContentDisposition, `attachment; filename="`+number+`.jpg"`)
	header.Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; sandbox")
	header.Set(echo.HeaderXContentTypeOptions, "nosniff")
	header.Set(echo.HeaderCacheControl, "no-store")
	return r.Blob(http.StatusOK, "image/jpeg", marked)
}

// watermark draws words all over a picture, slanted, light and dark, so that they are visible on every background and can't be cut off.
func watermark(raw []byte, words string) ([]byte, error) {
	slots <- struct{}{}
	defer func() { <-slots }()
	picture, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	out := image.NewRGBA(image.Rect(0, 0, picture.Bounds().Dx(), picture.Bounds().Dy()))
	draw.Draw(out, out.Bounds(), picture, picture.Bounds().Min, draw.Src)
	strip, err := lettering(words, min(48, max(11, float64(out.Bounds().Dx())/36)))
	if err != nil {
		return nil, err
	}
	width, height := float64(strip.Bounds().Dx()), float64(strip.Bounds().Dy())
	sin, cos := math.Sincos(slope)
	reach := math.Hypot(float64(out.Bounds().Dx()), float64(out.Bounds().Dy()))
	for row := 0; float64(row)*height*4 < 2*reach; row++ {
		for column := -1; float64(column)*width*1.25 < reach; column++ {
			// Start of the strip in the turned plane, whose origin is above the picture.
			u := float64(column)*width*1.25 + float64(row%2)*width*0.6 - reach*0.3
			v := float64(row)*height*4 - reach*0.5
			transform := f64.Aff3{cos, -sin, u*cos - v*sin, sin, cos, u*sin + v*cos}
			resample.ApproxBiLinear.Transform(out, transform, strip, strip.Bounds(), resample.Over, nil)
		}
	}
	var marked bytes.Buffer
	err = jpeg.Encode(&marked, out, &jpeg.Options{Quality: quality})
	return marked.Bytes(), err
}

// lettering is one line of semi-transparent words with a light edge.
func lettering(words string, size float64) (*image.RGBA, error) {
	parsed, err := letters()
	if err != nil {
		return nil, err
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return nil, err
	}
	metrics := face.Metrics()
	strip := image.NewRGBA(image.Rect(0, 0, font.MeasureString(face, words).Ceil()+4, (metrics.Ascent+metrics.Descent).Ceil()+4))
	for _, layer := range []struct {
		ink    color.NRGBA
		offset int
	}{{color.NRGBA{255, 255, 255, 110}, 2}, {color.NRGBA{17, 21, 27, 90}, 1}} {
		pen := font.Drawer{Dst: strip, Src: image.NewUniform(layer.ink), Face: face, Dot: fixed.P(layer.offset, metrics.Ascent.Ceil()+layer.offset)}
		pen.DrawString(words)
	}
	return strip, nil
}
