package upload

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

const canary = "canary 52.5200 13.4050"

// read processes a picture with its own intake.
func read(raw []byte) (Picture, error) {
	return New(DefaultLimits(), nil).Take(context.Background(), trader("1"), Photo, int64(len(raw)), bytes.NewReader(raw))
}

func trader(person string) Sender { return Sender{Proof, "trader " + person} }

func mustRead(t testing.TB, raw []byte) (Picture, image.Image) {
	t.Helper()
	p, err := read(raw)
	require.NoError(t, err)
	decoded, err := jpeg.Decode(bytes.NewReader(p.Bytes))
	require.NoError(t, err)
	require.Equal(t, []int{p.Width, p.Height}, []int{decoded.Bounds().Dx(), decoded.Bounds().Dy()})
	require.Equal(t, sha256.Sum256(p.Bytes), p.SHA256)
	return p, decoded
}

var (
	red, green = color.RGBA{220, 0, 0, 255}, color.RGBA{0, 180, 0, 255}
	blue, grey = color.RGBA{0, 0, 220, 255}, color.RGBA{120, 120, 120, 255}
)

const width, height = 96, 64

// upright is a picture of four corners: red, green over blue, grey.
func upright(x, y int) color.RGBA {
	switch {
	case x < width/2 && y < height/2:
		return red
	case y < height/2:
		return green
	case x < width/2:
		return blue
	}
	return grey
}

// stored is the upright picture as a camera stores it under an EXIF orientation: which side its first row and its first column are.
func stored(orientation int) image.Image {
	columns, rows := width, height
	if orientation >= 5 {
		columns, rows = height, width
	}
	out := image.NewRGBA(image.Rect(0, 0, columns, rows))
	for r := range rows {
		for c := range columns {
			x, y := c, r // the first row is the top, the first column the left
			switch orientation {
			case 2: // top, right
				x = width - 1 - c
			case 3: // bottom, right
				x, y = width-1-c, height-1-r
			case 4: // bottom, left
				y = height - 1 - r
			case 5: // left, top
				x, y = r, c
			case 6: // right, top
				x, y = width-1-r, c
			case 7: // right, bottom
				x, y = width-1-r, height-1-c
			case 8: // left, bottom
				x, y = r, height-1-c
			}
			out.SetRGBA(c, r, upright(x, y))
		}
	}
	return out
}

func asJPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, jpeg.Encode(&out, img, &jpeg.Options{Quality: 95}))
	return out.Bytes()
}

func asPNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, img))
	return out.Bytes()
}

// tiff is an EXIF block with an orientation and a description.
func tiff(order binary.AppendByteOrder, orientation uint16) []byte {
	mark := "MM"
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		mark = "II"
	}
	text := canary + "\x00"
	out := order.AppendUint32(order.AppendUint16([]byte(mark), 42), 8)
	out = order.AppendUint16(out, 2)
	out = order.AppendUint32(order.AppendUint32(order.AppendUint16(order.AppendUint16(out, 0x010E), 2), uint32(len(text))), 8+2+2*12+4)
	out = order.AppendUint16(order.AppendUint16(order.AppendUint32(order.AppendUint16(order.AppendUint16(out, 0x0112), 3), 1), orientation), 0)
	return append(order.AppendUint32(out, 0), text...)
}

// segment puts a JPEG segment right after the start.
func segment(raw []byte, marker byte, content []byte) []byte {
	out := append([]byte{0xFF, 0xD8, 0xFF, marker}, binary.BigEndian.AppendUint16(nil, uint16(len(content)+2))...)
	return append(append(out, content...), raw[2:]...)
}

func exif(raw []byte, order binary.AppendByteOrder, orientation uint16) []byte {
	return segment(raw, 0xE1, append([]byte("Exif\x00\x00"), tiff(order, orientation)...))
}

// chunk puts a PNG chunk right after the header.
func chunk(raw []byte, kind string, content []byte) []byte {
	const header = 8 + 25
	body := append([]byte(kind), content...)
	out := append(bytes.Clone(raw[:header]), binary.BigEndian.AppendUint32(nil, uint32(len(content)))...)
	out = binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
	return append(out, raw[header:]...)
}

// sized is a PNG that states its size and has nothing after that.
func sized(w, h uint32) []byte {
	header := append([]byte("IHDR"), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)...)
	header = append(header, 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	return binary.BigEndian.AppendUint32(append(out, header...), crc32.ChecksumIEEE(header))
}

func requireNear(t testing.TB, want color.RGBA, got color.Color) {
	t.Helper()
	r, g, b, _ := got.RGBA()
	for i, pair := range [][2]int{{int(want.R), int(r >> 8)}, {int(want.G), int(g >> 8)}, {int(want.B), int(b >> 8)}} {
		require.InDelta(t, pair[0], pair[1], 24, "part %d of %v, got %v", i, want, got)
	}
}

func requireUpright(t testing.TB, img image.Image) {
	t.Helper()
	require.Equal(t, image.Rect(0, 0, width, height), img.Bounds())
	for _, at := range []image.Point{{8, 8}, {width - 9, 8}, {8, height - 9}, {width - 9, height - 9}} {
		requireNear(t, upright(at.X, at.Y), img.At(at.X, at.Y))
	}
}

func TestOrientation(t *testing.T) {
	t.Parallel()
	for orientation := 1; orientation <= 8; orientation++ {
		t.Run(fmt.Sprint(orientation), func(t *testing.T) {
			t.Parallel()
			for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
				_, decoded := mustRead(t, exif(asJPEG(t, stored(orientation)), order, uint16(orientation)))
				requireUpright(t, decoded)
			}
			_, decoded := mustRead(t, chunk(asPNG(t, stored(orientation)), "eXIf", tiff(binary.BigEndian, uint16(orientation))))
			requireUpright(t, decoded)
		})
	}
	t.Run("NoneOrAnUnknownOneLeavesThePictureAsItIs", func(t *testing.T) {
		t.Parallel()
		plain := asJPEG(t, stored(1))
		for _, raw := range [][]byte{plain, asPNG(t, stored(1)), exif(plain, binary.BigEndian, 0), exif(plain, binary.BigEndian, 9), exif(plain, binary.BigEndian, 65535)} {
			_, decoded := mustRead(t, raw)
			requireUpright(t, decoded)
		}
	})
	t.Run("ABrokenBlockIsPassedOver", func(t *testing.T) {
		t.Parallel()
		plain, block := asJPEG(t, stored(1)), tiff(binary.BigEndian, 6)
		for cut := range block {
			_, decoded := mustRead(t, segment(plain, 0xE1, append([]byte("Exif\x00\x00"), block[:cut]...)))
			require.Equal(t, width*height, decoded.Bounds().Dx()*decoded.Bounds().Dy())
		}
	})
}

func TestRead(t *testing.T) {
	t.Parallel()

	t.Run("WhatShinesThroughIsWhite", func(t *testing.T) {
		t.Parallel()
		img := image.NewNRGBA(image.Rect(0, 0, 64, 32))
		for y := range 32 {
			for x := range 64 {
				switch {
				case x < 32 && y < 16:
					img.SetNRGBA(x, y, color.NRGBA{0, 0, 0, 0})
				case x < 32:
					img.SetNRGBA(x, y, color.NRGBA{200, 0, 0, 128})
				default:
					img.SetNRGBA(x, y, color.NRGBA{200, 0, 0, 255})
				}
			}
		}
		_, decoded := mustRead(t, asPNG(t, img))
		requireNear(t, color.RGBA{255, 255, 255, 255}, decoded.At(8, 4))
		requireNear(t, color.RGBA{227, 127, 127, 255}, decoded.At(8, 26))
		requireNear(t, color.RGBA{200, 0, 0, 255}, decoded.At(56, 16))
	})
	t.Run("EveryColourModelIsRead", func(t *testing.T) {
		t.Parallel()
		bounds := image.Rect(0, 0, 16, 16)
		for _, img := range []image.Image{
			image.NewGray(bounds), image.NewGray16(bounds), image.NewRGBA64(bounds), image.NewNRGBA64(bounds),
			image.NewPaletted(bounds, color.Palette{color.Black, color.White, color.Transparent}),
		} {
			mustRead(t, asPNG(t, img))
		}
		mustRead(t, asJPEG(t, image.NewGray(bounds)))
	})
	t.Run("NothingButThePixelsIsKept", func(t *testing.T) {
		t.Parallel()
		pixels, _ := mustRead(t, asJPEG(t, stored(1)))
		plain := asJPEG(t, stored(1))
		for name, raw := range map[string][]byte{
			"EXIF":     exif(plain, binary.LittleEndian, 1),
			"XMP":      segment(plain, 0xE1, []byte("http://ns.adobe.com/xap/1.0/\x00<x>"+canary+"</x>")),
			"IPTC":     segment(plain, 0xED, []byte("Photoshop 3.0\x00"+canary)),
			"Comment":  segment(plain, 0xFE, []byte("<script>"+canary+"</script>")),
			"Trailing": append(bytes.Clone(plain), "<script>"+canary+"</script>PK\x03\x04"...),
		} {
			p, _ := mustRead(t, raw)
			require.Equal(t, pixels.SHA256, p.SHA256, "%s: the same pixels are the same picture", name)
		}
		bitmap := asPNG(t, stored(1))
		for name, raw := range map[string][]byte{
			"Text": chunk(bitmap, "tEXt", []byte("Comment\x00"+canary)), "EXIF": chunk(bitmap, "eXIf", tiff(binary.BigEndian, 1)),
			"Trailing": append(bytes.Clone(bitmap), canary...),
		} {
			p, _ := mustRead(t, raw)
			require.NotContains(t, string(p.Bytes), "canary", name)
			require.NotContains(t, string(p.Bytes), "Exif", name)
			require.NotContains(t, string(p.Bytes), "\xFF\xE1", name)
			require.True(t, bytes.HasSuffix(p.Bytes, []byte{0xFF, 0xD9}), name)
		}
	})
	t.Run("WhatIsNoPictureIsRefused", func(t *testing.T) {
		t.Parallel()
		var moving bytes.Buffer
		require.NoError(t, gif.Encode(&moving, stored(1), nil))
		photo, bitmap := asJPEG(t, stored(1)), asPNG(t, stored(1))
		wrongSum := bytes.Clone(bitmap)
		wrongSum[30] ^= 1
		for name, raw := range map[string][]byte{
			"Nothing": {}, "Text": []byte("hello"), "GIF": moving.Bytes(), "ZIP": []byte("PK\x03\x04"),
			"SVG":       []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
			"HTML":      []byte("<!doctype html><script>alert(1)</script>"),
			"WebP":      []byte("RIFF\x24\x00\x00\x00WEBPVP8L"),
			"BMP":       append([]byte("BM"), make([]byte, 100)...),
			"TIFF":      tiff(binary.LittleEndian, 1),
			"SVGInPNG":  append([]byte("\x89PNG\r\n\x1a\n"), "<svg/>"...),
			"HTMLFirst": append([]byte("<html>"), photo...),
			"JustStart": {0xFF, 0xD8}, "HalfAPhoto": photo[:len(photo)/2], "PhotoWithoutItsEnd": photo[:len(photo)-40], "HalfABitmap": bitmap[:len(bitmap)/2],
			"BitmapHeader": bitmap[:33], "WrongSum": wrongSum,
		} {
			_, err := read(raw)
			require.ErrorIs(t, err, ErrFormat, name)
		}
	})
	t.Run("ABombIsRefusedBeforeItIsUnpacked", func(t *testing.T) {
		t.Parallel()
		photo := asJPEG(t, stored(1))
		frame := bytes.Index(photo, []byte{0xFF, 0xC0})
		require.Positive(t, frame)
		huge := bytes.Clone(photo)
		copy(huge[frame+5:], []byte{0xFF, 0xFF, 0xFF, 0xFF})
		for name, raw := range map[string][]byte{
			"Square": sized(20_000, 20_000), "Wide": sized(12_001, 1), "High": sized(1, 12_001), "Pixels": sized(12_000, 2_084), "Largest": sized(1<<24, 1<<24),
			"JPEG": huge,
		} {
			_, err := read(raw)
			require.ErrorIs(t, err, ErrTooLarge, name)
		}
		p, _ := mustRead(t, asPNG(t, image.NewGray(image.Rect(0, 0, 12_000, 1))))
		require.Equal(t, []int{Longest, 1}, []int{p.Width, p.Height})
	})
	t.Run("TenMebibytesAreTheMost", func(t *testing.T) {
		t.Parallel()
		photo := asJPEG(t, stored(1))
		padded := func(size int) []byte { return append(bytes.Clone(photo), make([]byte, size-len(photo))...) }
		mustRead(t, padded(MaxBytes))
		_, err := read(padded(MaxBytes + 1))
		require.ErrorIs(t, err, ErrTooLarge)
		endless := &counted{}
		_, err = New(DefaultLimits(), nil).Take(t.Context(), trader("1"), Photo, -1, endless)
		require.ErrorIs(t, err, ErrTooLarge)
		require.LessOrEqual(t, endless.n, MaxBytes+64<<10)
	})
	t.Run("AReaderThatBreaksIsNoRefusal", func(t *testing.T) {
		t.Parallel()
		broken := errors.New("connection reset")
		_, err := New(DefaultLimits(), nil).Take(t.Context(), trader("1"), Photo, -1, iotest.ErrReader(broken))
		require.ErrorIs(t, err, broken)
	})
}

// counted never ends.
type counted struct{ n int }

func (c *counted) Read(p []byte) (int, error) {
	c.n += len(p)
	return len(p), nil
}

func TestStore(t *testing.T) {
	t.Parallel()
	p, _ := mustRead(t, asJPEG(t, stored(1)))

	t.Run("KeepsUnderARandomName", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "uploads")
		s := NewStore(dir)
		names := map[string]bool{}
		for range 20 {
			name, err := s.Put(p)
			require.NoError(t, err)
			require.Regexp(t, `^[0-9a-f]{32}\.jpg$`, name)
			raw, err := s.Get(name)
			require.NoError(t, err)
			require.Equal(t, p.Bytes, raw)
			info, err := os.Stat(filepath.Join(dir, name))
			require.NoError(t, err)
			require.EqualValues(t, 0o600, info.Mode().Perm())
			names[name] = true
		}
		require.Len(t, names, 20)
		info, err := os.Stat(dir)
		require.NoError(t, err)
		require.EqualValues(t, 0o700, info.Mode().Perm())
	})
	t.Run("NoOtherFileIsRead", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		s := NewStore(filepath.Join(dir, "uploads"))
		name, err := s.Put(p)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("outside"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "uploads", "secret"), []byte("inside"), 0o600))
		for _, other := range []string{
			"", ".", "secret", "../" + name, "./" + name, "/etc/passwd", strings.ToUpper(name), name + "\x00", name + "\n", name + "/", "\n" + name,
			strings.Repeat("0", 32), strings.Repeat("0", 32) + ".jpg", strings.Repeat("0", 32) + ".png",
		} {
			_, err := s.Get(other)
			require.ErrorIs(t, err, os.ErrNotExist, "%q", other)
		}
	})
	t.Run("AFolderThatCannotBeMadeIsAnError", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		_, err := NewStore(file).Put(p)
		require.Error(t, err)
	})
}

// FuzzRead feeds arbitrary bytes: the result is a refusal or a clean JPEG.
func FuzzRead(f *testing.F) {
	photo, bitmap := asJPEG(f, stored(1)), asPNG(f, stored(1))
	for _, seed := range [][]byte{
		photo, bitmap, exif(photo, binary.LittleEndian, 6), chunk(bitmap, "eXIf", tiff(binary.BigEndian, 8)), segment(photo, 0xFE, []byte(canary)), sized(9, 9), {},
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if config, _, err := image.DecodeConfig(bytes.NewReader(raw)); err == nil && config.Width*config.Height > 1<<20 {
			t.Skip("a large one is only slow")
		}
		p, err := read(raw)
		if err != nil {
			if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrTooLarge) {
				t.Fatalf("neither a picture nor a refusal: %v", err)
			}
			return
		}
		if _, err := jpeg.Decode(bytes.NewReader(p.Bytes)); err != nil {
			t.Fatalf("no clean JPEG: %v", err)
		}
	})
}
