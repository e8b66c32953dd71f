package systemtest

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/upload"
)

// canaryMarkup is the text that the hostile files carry beside their pixels, if they have any.
const canaryMarkup = "<script>evilcanary(52.5200,13.4050)</script>"

// hostileFile is a file of the corpus. A file that is taken is a picture with hostile extras.
type hostileFile struct {
	what, name string
	raw        []byte
	accepted   bool
	document   bool // taken as a deposit proof only
}

func photograph(t *testing.T) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for i := range img.Pix {
		img.Pix[i] = byte(i*7 | 128)
	}
	var out bytes.Buffer
	require.NoError(t, jpeg.Encode(&out, img, &jpeg.Options{Quality: 97}))
	return out.Bytes()
}

func bitmapOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, img))
	return out.Bytes()
}

// withSegment inserts a JPEG segment after the start marker.
func withSegment(raw []byte, marker byte, content string) []byte {
	out := append([]byte{0xFF, 0xD8, 0xFF, marker}, binary.BigEndian.AppendUint16(nil, uint16(len(content)+2))...)
	return append(append(out, content...), raw[2:]...)
}

func pngChunk(kind string, content []byte) []byte {
	body := append([]byte(kind), content...)
	out := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	return binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}

// withChunk inserts a PNG chunk after the header.
func withChunk(raw []byte, kind string, content []byte) []byte {
	const header = 8 + 25
	out := append(bytes.Clone(raw[:header]), pngChunk(kind, content)...)
	return append(out, raw[header:]...)
}

// oversizedPNG is a PNG that claims large dimensions with little data behind them.
func oversizedPNG(w, h uint32, deflated []byte) []byte {
	header := append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h), 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", header)...)
	return append(append(out, pngChunk("IDAT", deflated)...), pngChunk("IEND", nil)...)
}

// gps is an EXIF block with a location.
func gps() string {
	le := binary.LittleEndian
	out := le.AppendUint32(le.AppendUint16([]byte("II"), 42), 8)
	out = le.AppendUint16(out, 2)
	out = le.AppendUint32(le.AppendUint32(le.AppendUint16(le.AppendUint16(out, 0x010E), 2), uint32(len(canaryMarkup)+1)), 60)
	out = le.AppendUint32(le.AppendUint32(le.AppendUint16(le.AppendUint16(out, 0x8825), 4), 1), 38)
	out = le.AppendUint32(out, 0)
	out = le.AppendUint32(le.AppendUint32(le.AppendUint16(le.AppendUint16(le.AppendUint16(out, 1), 1), 2), 2), uint32('N'))
	out = append(out, make([]byte, 60-len(out))...)
	return "Exif\x00\x00" + string(out) + canaryMarkup + "\x00"
}

func zipped(t *testing.T, name string, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.Create(name)
	require.NoError(t, err)
	_, err = f.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

// hostileFiles makes the hostile files.
func hostileFiles(t *testing.T) []hostileFile {
	t.Helper()
	photo, bitmap := photograph(t), bitmapOf(t, image.NewNRGBA(image.Rect(0, 0, 40, 30)))
	var moving, zeros bytes.Buffer
	require.NoError(t, gif.Encode(&moving, image.NewPaletted(image.Rect(0, 0, 9, 9), color.Palette{color.Black, color.White}), nil))
	deflate := zlib.NewWriter(&zeros)
	_, err := deflate.Write(make([]byte, 64<<20))
	require.NoError(t, err)
	require.NoError(t, deflate.Close())
	padded := append(bytes.Clone(photo), bytes.Repeat([]byte(canaryMarkup), upload.MaxBytes/len(canaryMarkup)+1)...)
	frame := bytes.Index(photo, []byte{0xFF, 0xC0})
	require.Positive(t, frame)
	huge := bytes.Clone(photo)
	copy(huge[frame+5:], []byte{0xFF, 0xFF, 0xFF, 0xFF})
	flipped := bytes.Clone(bitmap)
	flipped[30] ^= 1
	svg := `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">` + canaryMarkup + `</svg>`
	html := "<!doctype html><title>x</title>" + canaryMarkup
	inner := zipped(t, "a.jpg", photo)
	page := "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n" +
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj\n% " + canaryMarkup + "\ntrailer<</Root 1 0 R>>\n%%EOF"
	heic, err := os.ReadFile("../platform/upload/testdata/corners.heic")
	require.NoError(t, err)
	return []hostileFile{
		{"empty", "empty.jpg", nil, false, false},
		{"an SVG", "a.svg", []byte(svg), false, false},
		{"an SVG called JPEG", "a.jpg", []byte(svg), false, false},
		{"an SVG with a BOM", "a.png", []byte("\xEF\xBB\xBF<?xml version=\"1.0\"?>" + svg), false, false},
		{"HTML", "a.html", []byte(html), false, false},
		{"HTML called PNG", "a.png", []byte(html), false, false},
		{"HTML before a photograph", "a.jpg", append([]byte(html), photo...), false, false},
		{"HTML behind a photograph", "a.html", append(bytes.Clone(photo), html...), true, false},
		{"HTML in a JPEG comment", "a.jpg", withSegment(photo, 0xFE, html), true, false},
		{"HTML in a JPEG application segment", "a.jpg", withSegment(photo, 0xE4, "*/="+html+"/*"), true, false},
		{"a script that is a JPEG too", "a.js", append(withSegment(photo, 0xE0, "JFIF\x00*/=alert(1);/*"), []byte("*/"+canaryMarkup)...), true, false},
		{"EXIF with a place", "a.jpg", withSegment(photo, 0xE1, gps()), true, false},
		{"XMP", "a.jpg", withSegment(photo, 0xE1, "http://ns.adobe.com/xap/1.0/\x00<x>"+canaryMarkup+"</x>"), true, false},
		{"IPTC", "a.jpg", withSegment(photo, 0xED, "Photoshop 3.0\x00"+canaryMarkup), true, false},
		{"a colour profile of many kilobytes", "a.jpg", withSegment(photo, 0xE2, "ICC_PROFILE\x00\x01\x01"+strings.Repeat(canaryMarkup, 1_000)), true, false},
		{"a text in a PNG", "a.png", withChunk(bitmap, "tEXt", []byte("Comment\x00"+canaryMarkup)), true, false},
		{"a place in a PNG", "a.png", withChunk(bitmap, "eXIf", []byte(strings.TrimPrefix(gps(), "Exif\x00\x00"))), true, false},
		{"a colour profile that unpacks to 64 MiB", "a.png", withChunk(bitmap, "iCCP", append([]byte("evil\x00\x00"), zeros.Bytes()...)), true, false},
		{"a text that unpacks to 64 MiB", "a.png", withChunk(bitmap, "zTXt", append([]byte("evil\x00\x00"), zeros.Bytes()...)), true, false},
		{"a moving PNG", "a.png", withChunk(bitmap, "acTL", []byte{0, 0, 0, 2, 0, 0, 0, 0}), true, false},
		{"a zip behind a PNG", "a.png", append(bytes.Clone(bitmap), zipped(t, "evil.html", []byte(html))...), true, false},
		{"a PNG that says 20,000 by 20,000", "a.png", oversizedPNG(20_000, 20_000, zeros.Bytes()), false, false},
		{"a PNG that says 2^31 by 1", "a.png", oversizedPNG(1<<31-1, 1, nil), false, false},
		{"a PNG that says nothing by nothing", "a.png", oversizedPNG(0, 0, nil), false, false},
		{"a PNG with 64 MiB behind 9 by 9", "a.png", oversizedPNG(9, 9, zeros.Bytes()), false, false},
		{"a JPEG that says 65,535 by 65,535", "a.jpg", huge, false, false},
		{"half a photograph", "a.jpg", photo[:len(photo)/2], false, false},
		{"half a bitmap", "a.png", bitmap[:len(bitmap)/2], false, false},
		{"a bitmap with a wrong sum", "a.png", flipped, false, false},
		{"two bytes", "a.jpg", []byte{0xFF, 0xD8}, false, false},
		{"a signature alone", "a.png", []byte("\x89PNG\r\n\x1a\n"), false, false},
		{"a GIF", "a.gif", moving.Bytes(), false, false},
		{"a GIF that is a script", "a.jpg", append([]byte("GIF89a/*"), []byte("*/=1;"+canaryMarkup)...), false, false},
		{"a zip", "a.zip", inner, false, false},
		{"a zip in a zip in a zip", "a.jpg", zipped(t, "b.zip", zipped(t, "c.zip", inner)), false, false},
		{"a TIFF", "a.tiff", []byte("II*\x00\x08\x00\x00\x00\x00\x00"), false, false},
		{"a BMP", "a.bmp", append([]byte("BM"), make([]byte, 100)...), false, false},
		{"a WebP", "a.webp", []byte("RIFF\x24\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00"), false, false},
		{"a PDF with a script", "a.pdf", []byte("%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF"), false, false},
		{"a PDF that acts when it is opened", "a.pdf", []byte(page), true, true},
		{"a PDF called JPEG", "a.jpg", []byte(page), true, true},
		{"half an HEIC picture", "a.heic", heic[:len(heic)/2], false, false},
		{"HTML behind an HEIC picture", "a.heic", append(bytes.Clone(heic), html...), true, false},
		{"a program", "a.jpg", append([]byte("\x7fELF"), make([]byte, 200)...), false, false},
		{"more than ten mebibytes", "a.jpg", padded, false, false},
		{"a name that climbs", "../../../../etc/cron.d/evil", append(bytes.Clone(photo), 1), true, false},
		{"a name with a NUL", "evil.php\x00.jpg", append(bytes.Clone(photo), 2), true, false},
		{"a name of markup", `"><img src=x onerror=alert(1)>.jpg`, append(bytes.Clone(photo), 3), true, false},
		{"a name of 5,000 letters", strings.Repeat("n", 5_000) + ".jpg", append(bytes.Clone(photo), 4), true, false},
	}
}

// uploadTo uploads a file to a call, and repeats it while the decoder is busy.
func (r *apiFixture) uploadTo(t *testing.T, path string, f hostileFile) (status int, answer map[string]any, raw string) {
	t.Helper()
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	require.NoError(t, parts.WriteField("side", "front"))
	head := textproto.MIMEHeader{}
	head.Set("Content-Disposition", fmt.Sprintf(`form-data; name="file"; filename=%q`, f.name))
	head.Set("Content-Type", "text/html")
	into, err := parts.CreatePart(head)
	require.NoError(t, err)
	_, err = into.Write(f.raw)
	require.NoError(t, err)
	require.NoError(t, parts.Close())
	for answer["code"] == nil || answer["code"] == upload.ErrBusy.Key {
		status, answer, raw = r.call(t, http.MethodPost, path, r.real, form.Bytes(), func(q *http.Request) { q.Header.Set("Content-Type", parts.FormDataContentType()) })
	}
	return status, answer, raw
}

// requireClean requires a JPEG that differs from the upload and contains nothing but pixels.
func requireClean(t *testing.T, f hostileFile, kept []byte) {
	t.Helper()
	_, err := jpeg.Decode(bytes.NewReader(kept))
	require.NoError(t, err, f.what)
	require.NotEqual(t, f.raw, kept, f.what)
	require.True(t, bytes.HasSuffix(kept, []byte{0xFF, 0xD9}), "%s: nothing hangs behind it", f.what)
	for _, evil := range []string{"evilcanary", "<script", "Exif", "ICC_PROFILE", "Photoshop", "PK\x03\x04", "alert", "\xFF\xE1", "\xFF\xFE"} {
		require.NotContains(t, string(kept), evil, f.what)
	}
	require.NotContains(t, string(kept), string(f.raw[:min(len(f.raw), 700)]), "%s: bytes as they came", f.what)
}

// keepCompiled keeps the compiled libraries of HEIC and PDF for the next run.
func keepCompiled(t *testing.T, data string) {
	t.Helper()
	kept, err := os.UserCacheDir()
	require.NoError(t, err)
	kept = filepath.Join(kept, "candor-test")
	require.NoError(t, os.MkdirAll(kept, 0o700))
	require.NoError(t, os.Symlink(kept, filepath.Join(data, "compiled")))
}

// TestUploads sends the corpus to both calls that take pictures: an accepted file is reduced to its pixels, any other is refused with a message, and no part of
// a file's name is used.
func TestUploads(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	keepCompiled(t, r.platform.Config.DataDir)
	files, counts, longest := hostileFiles(t), map[string]int{}, time.Duration(0)
	require.GreaterOrEqual(t, len(files), 40)
	for _, f := range files {
		for _, path := range []string{"/client/common/uploadFileImg", "/client/userAuth/uploadImage"} {
			begun := time.Now()
			status, answer, raw := r.uploadTo(t, path, f)
			longest = max(longest, time.Since(begun))
			require.Less(t, status, 500, "%s: %s", f.what, raw)
			if !f.accepted || f.document && path != "/client/common/uploadFileImg" {
				require.Contains(t, []any{"upload.format", "upload.pdf", "upload.pdf_broken", "upload.too_large", "invalid_input"}, answer["code"], "%s: %s", f.what, raw)
				require.NotEmpty(t, answer["enMsg"], f.what)
				counts["refused"]++
				continue
			}
			require.Equal(t, "ok", answer["code"], "%s: %s", f.what, raw)
			require.NotContains(t, raw, "etc/cron", f.what)
			counts["taken"]++
			if path == "/client/common/uploadFileImg" {
				name := answer["data"].(map[string]any)["file"].(string)
				require.Regexp(t, `^[0-9a-f]{32}\.jpg$`, name, f.what)
				kept, err := os.ReadFile(filepath.Join(r.platform.Config.DataDir, "uploads", name))
				require.NoError(t, err)
				requireClean(t, f, kept)
				continue
			}
			shown := r.send(t, http.MethodGet, "/client/userAuth/findImage?side=front", r.real, nil, nil)
			require.Equal(t, []string{"image/jpeg", "attachment", "nosniff", "no-store"}, []string{
				shown.header.Get("Content-Type"), shown.header.Get("Content-Disposition"), shown.header.Get("X-Content-Type-Options"), shown.header.Get("Cache-Control"),
			}, f.what)
			requireClean(t, f, []byte(shown.body))
		}
	}
	kept := 0
	require.NoError(t, os.Remove(filepath.Join(r.platform.Config.DataDir, "compiled")))
	require.NoError(t, filepath.WalkDir(r.platform.Config.DataDir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		require.NotContains(t, string(raw), "evilcanary", path)
		require.NotRegexp(t, `evil|\.php|\.html|\.svg`, filepath.Base(path))
		kept++
		return err
	}))
	require.Positive(t, kept)
	for _, path := range []string{"/uploads/", "/var/uploads/", "/client/common/uploads/"} { // no folder is served
		require.GreaterOrEqual(t, r.send(t, http.MethodGet, path, r.real, nil, nil).status, 400, path)
	}
	line, err := json.Marshal(map[string]any{
		"goal": "G17", "commit": os.Getenv("COMMIT"), "files": len(files), "taken": counts["taken"], "refused": counts["refused"], "active": 0, "original": 0, "longestMs": longest.Milliseconds(),
	})
	require.NoError(t, err)
	fmt.Println(string(line))
}
