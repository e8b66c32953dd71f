package upload

import (
	"bufio"
	"encoding/binary"
	"errors"
	"image"
	_ "image/jpeg" // formats that are read
	_ "image/png"
	"io"
)

// layout is the shape and size of a picture while it is decoded, read from its header alone.
type layout struct {
	format        string
	width, height int
	decoded       int64 // bytes of the decoded picture
	transient     int64 // further bytes while it is decoded: coefficients, interlaced passes, planes of another layout
	scans         int
}

var errLayout = errors.New("no layout")

// judge reads the layout. Refusals: ErrFormat, ErrTooLarge.
func judge(r io.ReadSeeker) (l layout, err error) {
	config, format, err := image.DecodeConfig(bufio.NewReader(r))
	if err != nil || (format != "jpeg" && format != "png") {
		return l, ErrFormat
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > maxSide || config.Height > maxSide || config.Width*config.Height > maxPixels {
		return l, ErrTooLarge
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return l, err
	}
	if format == "png" {
		l, err = layoutPNG(bufio.NewReader(r))
	} else {
		l, err = layoutJPEG(bufio.NewReader(r))
	}
	switch {
	case err != nil, l.width != config.Width, l.height != config.Height:
		return l, ErrFormat
	case l.scans > maxScans:
		return l, ErrTooLarge
	}
	_, err = r.Seek(0, io.SeekStart)
	return l, err
}

// keptSize is the size of the stored picture.
func keptSize(width, height, longest int) (int, int) {
	side := max(width, height)
	if side <= longest {
		return width, height
	}
	return max(1, width*longest/side), max(1, height*longest/side)
}

// cost is the peak memory of a picture: while it is decoded, or afterwards with its flat copy, the turned one and the encoding.
func (l layout) cost(longest int, turned bool) int64 {
	w, h := keptSize(l.width, l.height, longest)
	flat := planes(w, h)
	after := l.decoded + flat + int64(w)*int64(h)
	if turned {
		after += flat
	}
	if l.transient < collectAfter { // it is not collected in between
		after += l.transient
	}
	return overhead + max(l.decoded+l.transient, after)
}

// overhead covers tables, row buffers and the strip in which rows are flattened.
const overhead = 1 << 20

// planes are the bytes of a picture in 4:2:0.
func planes(w, h int) int64 {
	return int64(w)*int64(h) + 2*int64((w+1)/2)*int64((h+1)/2)
}

// PNG colour types.
const (
	greyPNG    = 0
	palettePNG = 3
)

// layoutPNG reads the header, and whether a transparent colour gives every pixel an alpha channel.
func layoutPNG(r *bufio.Reader) (l layout, err error) {
	var header [33]byte // signature, length, "IHDR", 13 bytes, checksum
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return l, err
	}
	depth, color, interlaced := header[24], header[25], header[28] != 0
	l = layout{format: "png", width: int(binary.BigEndian.Uint32(header[16:])), height: int(binary.BigEndian.Uint32(header[20:]))}
	transparent := false
	for {
		length, kind, err := chunkHead(r)
		if err != nil {
			return l, err
		}
		if kind == "IDAT" {
			break
		}
		transparent = transparent || kind == "tRNS"
		if _, err := io.CopyN(io.Discard, r, length+4); err != nil {
			return l, err
		}
	}
	l.decoded = int64(l.width) * int64(l.height) * pixelBytes(depth, color, transparent)
	if interlaced { // each pass is a picture of its own
		l.transient = l.decoded
	}
	return l, nil
}

func chunkHead(r io.Reader) (length int64, kind string, err error) {
	var head [8]byte
	_, err = io.ReadFull(r, head[:])
	return int64(binary.BigEndian.Uint32(head[:])), string(head[4:]), err
}

// pixelBytes are the bytes of a pixel as image/png lays it out.
func pixelBytes(depth, color byte, transparent bool) int64 {
	size := int64(4)
	switch {
	case color == palettePNG:
		return 1
	case color == greyPNG && !transparent:
		size = 1
	}
	if depth == 16 {
		size *= 2
	}
	return size
}

// JPEG markers.
const (
	baseline    = 0xC0
	extended    = 0xC1
	progressive = 0xC2
	restart0    = 0xD0
	restart7    = 0xD7
	endOfImage  = 0xD9
	startOfScan = 0xDA
	application = 0xEE // Adobe's segment
)

// jpegWalk reads the segments as image/jpeg does.
type jpegWalk struct {
	*bufio.Reader
	layout
	components int
	rgb        bool
	content    [18]byte // the start of a segment: a frame of four components has no more
}

// layoutJPEG reads how the first frame lays out its samples, and counts every scan. A picture without its end also has a layout: the decoder refuses it.
func layoutJPEG(r *bufio.Reader) (layout, error) {
	w := jpegWalk{Reader: r, layout: layout{format: "jpeg"}}
	_, err := r.Discard(2)
	for more := true; more && err == nil; {
		more, err = w.segment()
	}
	if w.components == 0 || err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return w.layout, errors.Join(errLayout, err)
	}
	if w.rgb && w.components == 3 || w.components == 4 { // converted into four bytes a pixel
		w.transient += w.decoded
		w.decoded = 4 * int64(w.width) * int64(w.height)
	}
	return w.layout, nil
}

func (w *jpegWalk) segment() (more bool, err error) {
	marker, err := w.marker()
	if err != nil || marker == endOfImage {
		return false, err
	}
	var length [2]byte
	if _, err := io.ReadFull(w, length[:]); err != nil {
		return false, err
	}
	n := int(binary.BigEndian.Uint16(length[:])) - 2
	if n < 0 {
		return false, errLayout
	}
	content := w.content[:min(n, len(w.content))]
	if _, err := io.ReadFull(w, content); err != nil {
		return false, err
	}
	switch marker {
	case baseline, extended, progressive:
		err = w.frame(content, n, marker == progressive)
	case startOfScan:
		w.scans++
	case application:
		w.rgb = w.rgb || len(content) >= 12 && string(content[:5]) == "Adobe" && content[11] == 0
	}
	if err == nil {
		_, err = w.Discard(n - len(content))
	}
	return true, err
}

// frame counts the samples of whole MCUs, a byte each. A progressive picture keeps a coefficient of four bytes for each of them while it is decoded.
func (w *jpegWalk) frame(content []byte, length int, coefficients bool) error {
	if w.components > 0 || len(content) < 9 || length != len(content) || length != 6+3*int(content[5]) {
		return errLayout
	}
	w.components = int(content[5])
	w.height, w.width = int(binary.BigEndian.Uint16(content[1:])), int(binary.BigEndian.Uint16(content[3:]))
	factors := func(component int) (across, down int) {
		if w.components == 1 { // it is not interleaved
			return 1, 1
		}
		both := content[7+3*component]
		return int(both >> 4), int(both & 15)
	}
	across, down := factors(0)
	if across == 0 || down == 0 {
		return errLayout
	}
	units := int64((w.width+8*across-1)/(8*across)) * int64((w.height+8*down-1)/(8*down))
	for c := range w.components {
		h, v := factors(c)
		w.decoded += 64 * units * int64(h*v)
	}
	if coefficients {
		w.transient = 4 * w.decoded
	}
	w.rgb = w.rgb || w.components == 3 && content[6] == 'R' && content[9] == 'G' && content[12] == 'B'
	return nil
}

// marker finds the next marker and skips entropy coded data, stuffed and fill bytes, and restarts.
func (w *jpegWalk) marker() (byte, error) {
	for {
		if err := w.skip(); err != nil {
			return 0, err
		}
		b, err := w.ReadByte()
		for err == nil && b == 0xFF {
			b, err = w.ReadByte()
		}
		if err != nil {
			return 0, err
		}
		if b != 0 && (b < restart0 || b > restart7) {
			return b, nil
		}
	}
}

// skip reads up to and including the next 0xFF.
func (w *jpegWalk) skip() (err error) {
	for err = bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
		_, err = w.ReadSlice(0xFF)
	}
	return err
}
