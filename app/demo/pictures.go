package demo

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"candor/app/platform/upload"
)

var (
	inkColour   = color.RGBA{0x22, 0x2b, 0x38, 0xff}
	bandColour  = color.RGBA{0x0b, 0x4f, 0x6c, 0xff}
	paperColour = color.RGBA{0xf4, 0xf1, 0xe8, 0xff}
	skinColour  = color.RGBA{0xc9, 0x9b, 0x7b, 0xff}
	wallColour  = color.RGBA{0xcf, 0xda, 0xe0, 0xff}
)

// sketch is a drawing.
type sketch struct{ *image.RGBA }

// newSketch is an empty drawing under a band that marks it as an example.
func newSketch(width, height int, ground color.Color) sketch {
	d := sketch{image.NewRGBA(image.Rect(0, 0, width, height))}
	d.fill(d.Bounds(), ground)
	d.fill(image.Rect(0, 0, width, 150), bandColour)
	d.write(40, 18, 9, "EXAMPLE", color.White)
	return d
}

func (d sketch) fill(r image.Rectangle, c color.Color) {
	draw.Draw(d, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// write writes a line at a multiple of the font's size of 7 by 13 pixels.
func (d sketch) write(x, y, times int, text string, c color.Color) {
	face := basicfont.Face7x13
	small := image.NewAlpha(image.Rect(0, 0, face.Advance*len([]rune(text)), face.Height))
	pen := font.Drawer{Dst: small, Src: image.Opaque, Face: face, Dot: fixed.P(0, face.Ascent)}
	pen.DrawString(text)
	for at := range small.Bounds().Dx() {
		for down := range small.Bounds().Dy() {
			if small.AlphaAt(at, down).A > 0 {
				d.fill(image.Rect(0, 0, times, times).Add(image.Pt(x+at*times, y+down*times)), c)
			}
		}
	}
}

// disc draws the part of a filled ellipse inside a frame.
func (d sketch) disc(frame, r image.Rectangle, c color.Color) {
	a, b, middle := r.Dx()/2, r.Dy()/2, r.Min.Add(r.Max).Div(2)
	for x := -a; x <= a; x++ {
		for y := -b; y <= b; y++ {
			if at := middle.Add(image.Pt(x, y)); at.In(frame) && x*x*b*b+y*y*a*a <= a*a*b*b {
				d.Set(at.X, at.Y, c)
			}
		}
	}
}

// head draws an invented person.
func (d sketch) head(r image.Rectangle) {
	d.fill(r, wallColour)
	w, h := r.Dx(), r.Dy()
	part := func(x0, y0, x1, y1 int) image.Rectangle {
		return image.Rect(w*x0/100, h*y0/100, w*x1/100, h*y1/100).Add(r.Min)
	}
	d.disc(r, part(10, 72, 90, 128), bandColour)
	d.disc(r, part(27, 14, 73, 60), inkColour)
	d.disc(r, part(30, 20, 70, 74), skinColour)
	for _, eye := range [][2]int{{39, 45}, {55, 61}} {
		d.disc(r, part(eye[0], 42, eye[1], 46), inkColour)
	}
	d.fill(part(43, 60, 57, 62), inkColour)
}

// proofPicture is a bank's confirmation of a transfer.
func proofPicture(holder, amount, currency, reference string, at time.Time) image.Image {
	d := newSketch(900, 1100, color.White)
	d.write(40, 180, 4, "Example Bank", inkColour)
	d.write(40, 250, 3, "Transfer sent", inkColour)
	rows := [][2]string{{"From", holder}, {"To", "Candor client money"}, {"Amount", amount + " " + currency}, {"Reference", reference}, {"Sent", at.Format("2 Jan 2006 15:04 UTC")}}
	for n, row := range rows {
		d.write(40, 360+n*130, 2, row[0], bandColour)
		d.write(40, 395+n*130, 4, row[1], inkColour)
	}
	d.write(40, 1040, 2, "An example: no money moved, and no such bank exists.", bandColour)
	return d
}

// passportPicture is a page of an invented passport.
func passportPicture(name, country, number, born, expiry string) image.Image {
	d := newSketch(1200, 820, paperColour)
	d.head(image.Rect(50, 180, 390, 640))
	rows := [][2]string{{"Passport of nowhere", country}, {"Name", name}, {"Number", number}, {"Born", born}, {"Valid until", expiry}}
	for n, row := range rows {
		d.write(440, 180+n*95, 2, row[0], bandColour)
		d.write(440, 210+n*95, 4, row[1], inkColour)
	}
	filler := func(text string) string {
		return (strings.ReplaceAll(strings.ToUpper(text), " ", "<") + strings.Repeat("<", 40))[:40]
	}
	d.write(40, 690, 4, filler("P<EXAMPLE<"+name), inkColour)
	d.write(40, 750, 4, filler(number+"<"+strings.ReplaceAll(born, "-", "")), inkColour)
	return d
}

// selfiePicture is an invented face.
func selfiePicture(name string) image.Image {
	d := newSketch(900, 1100, wallColour)
	d.head(image.Rect(100, 160, 800, 1000))
	d.fill(image.Rect(0, 1000, 900, 1100), bandColour)
	d.write(40, 1030, 3, name, color.White)
	return d
}

// readPicture passes a drawing through the platform's picture checks.
func (d *demo) readPicture(ctx context.Context, drawn image.Image) (upload.Picture, error) {
	var raw bytes.Buffer
	if err := png.Encode(&raw, drawn); err != nil {
		return upload.Picture{}, fmt.Errorf("encode a picture: %w", err)
	}
	return d.p.Services.Uploads.Take(ctx, upload.Sender{Class: upload.Proof, Person: "the examples"}, upload.Photo, int64(raw.Len()), &raw)
}
