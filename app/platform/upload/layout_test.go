package upload

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// zeros compresses rows of nothing.
func zeros(n int64) []byte {
	var out bytes.Buffer
	w, _ := zlib.NewWriterLevel(&out, zlib.BestCompression)
	row := make([]byte, 1<<16)
	for ; n > 0; n -= int64(len(row)) {
		_, _ = w.Write(row[:min(n, int64(len(row)))])
	}
	_ = w.Close()
	return out.Bytes()
}

// flatPNG is a picture of one colour, of any colour type; it compresses a thousandfold.
func flatPNG(w, h int, depth, kind byte, interlaced, transparent bool) []byte {
	channels := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	header = append(header, depth, kind, 0, 0, 0)
	rows := func(w, h int) int64 {
		if w == 0 || h == 0 {
			return 0
		}
		return int64(h) * (1 + (int64(w)*int64(channels)*int64(depth)+7)/8)
	}
	size := rows(w, h)
	if interlaced {
		header[12], size = 1, 0
		for _, p := range [][4]int{{8, 8, 0, 0}, {8, 8, 4, 0}, {4, 8, 0, 4}, {4, 4, 2, 0}, {2, 4, 0, 2}, {2, 2, 1, 0}, {1, 2, 0, 1}} {
			size += rows((w-p[2]+p[0]-1)/p[0], (h-p[3]+p[1]-1)/p[1])
		}
	}
	out := rawChunk([]byte("\x89PNG\r\n\x1a\n"), "IHDR", header)
	if kind == 3 {
		out = rawChunk(out, "PLTE", []byte{10, 20, 30, 200, 210, 220})
	}
	if transparent {
		out = rawChunk(out, "tRNS", make([]byte, map[byte]int{0: 2, 2: 6, 3: 1}[kind]))
	}
	return rawChunk(rawChunk(out, "IDAT", zeros(size)), "IEND", nil)
}

func rawChunk(out []byte, kind string, content []byte) []byte {
	header := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 25)...)
	return append(out, chunk(header, kind, content)[len(header):]...)
}

// flatJPEG is a grey picture of one brightness: each scan has one or two bits per block. Three components have 2 × 2 brightness samples per colour sample.
func flatJPEG(w, h, components int, isProgressive bool, scans int) []byte {
	be := binary.BigEndian
	out := []byte{0xFF, 0xD8}
	part := func(marker byte, content ...byte) {
		out = append(be.AppendUint16(append(out, 0xFF, marker), uint16(len(content)+2)), content...)
	}
	part(0xDB, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	frame := append(be.AppendUint16(be.AppendUint16([]byte{8}, uint16(h)), uint16(w)), byte(components))
	blocks := (w + 7) / 8 * ((h + 7) / 8)
	scan := []byte{byte(components)}
	for c := range components {
		factor := byte(0x11)
		if c == 0 && components == 3 {
			factor, blocks = 0x22, (w+15)/16*((h+15)/16)*6
		}
		frame, scan = append(frame, byte(c+1), factor, 0), append(scan, byte(c+1), 0)
	}
	table := append([]byte{1}, make([]byte, 16)...) // one code of one bit: nothing, or the block's end
	marker, last, bits := byte(0xC0), byte(63), 2*blocks
	if isProgressive {
		marker, last, bits = 0xC2, 0, blocks
	}
	part(marker, frame...)
	part(0xC4, append(append([]byte{0}, table[:16]...), 0)...)
	part(0xC4, append(append([]byte{0x10}, table[:16]...), 0)...)
	for range scans {
		part(0xDA, append(scan, 0, last, 0)...)
		out = append(out, make([]byte, bits/8+1)...)
	}
	return append(out, 0xFF, 0xD9)
}

func TestFlatPicturesAreWhole(t *testing.T) {
	t.Parallel()
	for _, raw := range [][]byte{
		flatPNG(33, 17, 8, 6, false, false), flatPNG(33, 17, 16, 2, true, false), flatPNG(33, 17, 1, 3, false, true), flatPNG(33, 17, 8, 0, true, true),
		flatJPEG(33, 17, 1, false, 1), flatJPEG(33, 17, 3, false, 1), flatJPEG(33, 17, 3, true, 1), flatJPEG(33, 17, 1, true, 3),
	} {
		p, _ := mustRead(t, raw)
		require.Equal(t, []int{33, 17}, []int{p.Width, p.Height})
	}
}

func judged(t *testing.T, raw []byte) layout {
	t.Helper()
	l, err := judge(bytes.NewReader(raw))
	require.NoError(t, err)
	return l
}

func TestLayout(t *testing.T) {
	t.Parallel()

	t.Run("CountsWhatImagePNGAllocates", func(t *testing.T) {
		t.Parallel()
		const pixels = 40 * 30
		for name, one := range map[string]struct {
			depth, kind             byte
			interlaced, transparent bool
			decoded, transient      int64
		}{
			"Grey": {8, 0, false, false, pixels, 0}, "GreyOfOneBit": {1, 0, false, false, pixels, 0}, "Grey16": {16, 0, false, false, 2 * pixels, 0},
			"GreyWithATransparentOne": {8, 0, false, true, 4 * pixels, 0}, "Grey16WithATransparentOne": {16, 0, false, true, 8 * pixels, 0},
			"Colour": {8, 2, false, false, 4 * pixels, 0}, "Colour16": {16, 2, false, false, 8 * pixels, 0}, "Palette": {8, 3, false, true, pixels, 0},
			"GreyAlpha": {8, 4, false, false, 4 * pixels, 0}, "Alpha16": {16, 6, false, false, 8 * pixels, 0},
			"Interlaced": {8, 6, true, false, 4 * pixels, 4 * pixels}, "InterlacedPalette": {4, 3, true, false, pixels, pixels},
		} {
			raw := flatPNG(40, 30, one.depth, one.kind, one.interlaced, one.transparent)
			l := judged(t, raw)
			require.Equal(t, []int64{one.decoded, one.transient}, []int64{l.decoded, l.transient}, name)
			decoded, err := png.Decode(bytes.NewReader(raw))
			require.NoError(t, err, name)
			require.EqualValues(t, one.decoded, pixelsOf(decoded), name)
		}
	})
	t.Run("CountsSamplesAndCoefficientsOfAJPEG", func(t *testing.T) {
		t.Parallel()
		l := judged(t, flatJPEG(17, 9, 3, false, 1))
		require.Equal(t, layout{"jpeg", 17, 9, 2 * 384, 0, 1}, l)
		l = judged(t, flatJPEG(17, 9, 3, true, 2))
		require.Equal(t, layout{"jpeg", 17, 9, 2 * 384, 8 * 384, 2}, l)
		l = judged(t, flatJPEG(17, 9, 1, true, 1))
		require.Equal(t, layout{"jpeg", 17, 9, 6 * 64, 24 * 64, 1}, l)
		photo := asJPEG(t, stored(1))
		adobe := func(transform byte) layout {
			return judged(t, segment(photo, 0xEE, []byte{'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, transform}))
		}
		require.EqualValues(t, width*height*3/2, adobe(1).decoded)
		require.Equal(t, []int64{4 * width * height, width * height * 3 / 2}, []int64{adobe(0).decoded, adobe(0).transient}, "RGB becomes a picture of its own")
	})
	t.Run("ATransparentColourBehindThePixelsChangesNothing", func(t *testing.T) {
		t.Parallel()
		raw := flatPNG(40, 30, 8, 0, false, false)
		l := judged(t, append(raw[:len(raw)-12], rawChunk(nil, "tRNS", []byte{0, 0})...))
		require.EqualValues(t, 40*30, l.decoded)
	})
	t.Run("ScansHaveABound", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, maxScans, judged(t, flatJPEG(40, 30, 3, true, maxScans)).scans)
		_, err := read(flatJPEG(40, 30, 3, true, maxScans+1))
		require.ErrorIs(t, err, ErrTooLarge)
		preview := segment(asJPEG(t, stored(1)), 0xE2, bytes.Repeat([]byte{0xFF, 0xDA, 0, 2}, 1000))
		mustRead(t, preview) // data within a segment is not a scan
	})
	t.Run("PhotosOfPhonesPass", func(t *testing.T) {
		t.Parallel()
		budget := DefaultLimits().Memory
		for name, one := range map[string]struct {
			raw   []byte
			fits  bool
			turns bool
		}{
			"TwelveMegapixels":               {flatJPEG(4032, 3024, 3, false, 1), true, true},
			"TwelveMegapixelsProgressive":    {flatJPEG(4032, 3024, 3, true, 1), true, true},
			"TwentyFourMegapixels":           {flatJPEG(5712, 4284, 3, false, 1), true, true},
			"TwentyFourProgressive":          {flatJPEG(5712, 4284, 3, true, 1), false, false},
			"AScreenshot":                    {flatPNG(3840, 2160, 8, 6, false, false), true, false},
			"TwelveMegapixelsInterlaced":     {flatPNG(4032, 3024, 8, 6, true, false), true, false},
			"TwelveMegapixelsOf16Bits":       {flatPNG(4032, 3024, 16, 6, false, false), false, false},
			"TwelveMegapixelsOf16Interlaced": {flatPNG(4032, 3024, 16, 6, true, false), false, false},
		} {
			if !one.fits {
				_, err := read(one.raw)
				require.ErrorIs(t, err, ErrDetailed, name)
			}
			cost := judged(t, one.raw).cost(Longest, one.turns)
			require.Equal(t, one.fits, cost <= budget, "%s: %d of %d", name, cost, budget)
		}
	})
}

// TestTheCostCoversWhatIsAllocated runs beside no other test: it reads a counter of the process.
func TestTheCostCoversWhatIsAllocated(t *testing.T) { //nolint:paralleltest // see above
	for name, raw := range map[string][]byte{
		"Progressive": flatJPEG(1600, 1200, 3, true, 1), "Baseline": flatJPEG(1600, 1200, 3, false, 1), "Interlaced": flatPNG(1600, 1200, 8, 6, true, false),
		"Wide": flatPNG(1600, 1200, 16, 2, false, false), "Palette": flatPNG(1600, 1200, 8, 3, false, true), "Scaled": flatPNG(6000, 200, 8, 6, false, false),
	} {
		l := judged(t, raw)
		raw, out := kept(raw), &blocks{pool: &pool{}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := encode(raw.reader(), l, Longest, 6, out)
		require.NoError(t, err, name)
		runtime.ReadMemStats(&after)
		require.LessOrEqual(t, int64(after.TotalAlloc-before.TotalAlloc), l.cost(Longest, true)+l.transient, name)
	}
}

func kept(raw []byte) *blocks {
	b := &blocks{pool: &pool{}}
	_, _ = b.Write(raw)
	return b
}

// pixelsOf are the bytes of a decoded picture.
func pixelsOf(img image.Image) int {
	switch p := img.(type) {
	case *image.Gray:
		return len(p.Pix)
	case *image.Gray16:
		return len(p.Pix)
	case *image.RGBA:
		return len(p.Pix)
	case *image.NRGBA:
		return len(p.Pix)
	case *image.RGBA64:
		return len(p.Pix)
	case *image.NRGBA64:
		return len(p.Pix)
	case *image.Paletted:
		return len(p.Pix)
	}
	return -1
}

func TestLargePicturesAreScaledDown(t *testing.T) {
	t.Parallel()
	img := image.NewRGBA(image.Rect(0, 0, 5000, 1000))
	for y := range 1000 {
		for x := range 5000 {
			img.SetRGBA(x, y, color.RGBA{200, 30, 30, 255})
			if x >= 2500 {
				img.SetRGBA(x, y, color.RGBA{30, 30, 200, 255})
			}
		}
	}
	p, decoded := mustRead(t, asJPEG(t, img))
	require.Equal(t, []int{Longest, 819}, []int{p.Width, p.Height})
	requireNear(t, color.RGBA{200, 30, 30, 255}, decoded.At(20, 400))
	requireNear(t, color.RGBA{30, 30, 200, 255}, decoded.At(4000, 400))
	requireNear(t, color.RGBA{200, 30, 30, 255}, decoded.At(2000, 810))
	small, err := New(DefaultLimits(), nil).Take(t.Context(), trader("1"), Use{Longest: 500}, -1, bytes.NewReader(asPNG(t, img)))
	require.NoError(t, err)
	require.Equal(t, []int{500, 100}, []int{small.Width, small.Height})
}
