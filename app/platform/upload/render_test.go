package upload

import (
	"bytes"
	"compress/zlib"
	_ "embed"
	"encoding/binary"
	"fmt"
	"image/color"
	"image/jpeg"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/errs"
)

// TestMain also renders a file, when it is started for that.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "render" {
		if err := Work(os.Args[2:], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// corners is the upright picture of the other tests in HEIC, made with heif-enc of libheif.
//
//go:embed testdata/corners.heic
var corners []byte

// rendering is an intake whose renderer is this test; the compiled libraries are kept for the next run.
func rendering(t testing.TB) *Intake {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	kept, err := os.UserCacheDir()
	require.NoError(t, err)
	return New(DefaultLimits(), nil).RenderWith(Renderer{Program: self, Args: []string{"render"}, Compiled: filepath.Join(kept, "candor-test")})
}

func (in *Intake) take(t testing.TB, use Use, raw []byte) (Picture, error) {
	t.Helper()
	p, err := in.Take(t.Context(), trader("1"), use, int64(len(raw)), bytes.NewReader(raw))
	if err == nil {
		decoded, err := jpeg.Decode(bytes.NewReader(p.Bytes))
		require.NoError(t, err)
		require.Equal(t, []int{p.Width, p.Height}, []int{decoded.Bounds().Dx(), decoded.Bounds().Dy()})
	}
	return p, err
}

func TestHEIC(t *testing.T) {
	t.Parallel()
	in := rendering(t)
	t.Run("IsTakenLikeAnyPicture", func(t *testing.T) {
		p, err := in.take(t, Photo, corners)
		require.NoError(t, err)
		decoded, err := jpeg.Decode(bytes.NewReader(p.Bytes))
		require.NoError(t, err)
		requireUpright(t, decoded)
		require.Zero(t, p.Pages)
		small, err := in.take(t, Use{Longest: 48}, corners)
		require.NoError(t, err)
		require.Equal(t, []int{48, 32}, []int{small.Width, small.Height})
	})
	t.Run("TheDeclaredSizeIsLimitedBeforeItIsDecoded", func(t *testing.T) {
		for _, size := range [][2]uint32{{20_000, 20_000}, {12_001, 1}, {12_000, 2_084}} {
			_, err := in.take(t, Photo, declare(t, size[0], size[1]))
			require.ErrorIs(t, err, ErrTooLarge, "%v", size)
		}
	})
	t.Run("ADeclaredSizeThatIsNotThePicturesIsHarmless", func(t *testing.T) {
		for _, size := range [][2]uint32{{5_000, 5_000}, {8, 8}, {0, 64}} {
			if _, err := in.take(t, Photo, declare(t, size[0], size[1])); err != nil {
				require.ErrorIs(t, err, ErrFormat, "%v", size)
			}
		}
	})
	t.Run("ABrokenOneIsRefused", func(t *testing.T) {
		for _, cut := range []int{12, 28, 200, len(corners) / 2, len(corners) - 40} {
			_, err := in.take(t, Photo, corners[:cut])
			require.ErrorIs(t, err, ErrFormat, "the first %d bytes", cut)
		}
	})
	t.Run("ARelativeIsRefused", func(t *testing.T) {
		avif := bytes.Replace(corners, []byte("ftypheic"), []byte("ftypavif"), 1)
		_, err := in.take(t, Photo, avif)
		require.ErrorIs(t, err, ErrFormat)
	})
}

// declare changes the size that the file states.
func declare(t *testing.T, width, height uint32) []byte {
	t.Helper()
	raw := bytes.Clone(corners)
	at := bytes.Index(raw, []byte("ispe"))
	require.Positive(t, at)
	binary.BigEndian.PutUint32(raw[at+8:], width)
	binary.BigEndian.PutUint32(raw[at+12:], height)
	return raw
}

// pdf writes a PDF of so many pages, which all show the same content; its objects begin with number 4.
func pdf(pages int, objects ...string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count %d/Kids[%s]>>endobj\n", pages, strings.Repeat("3 0 R ", pages))
	out.WriteString("3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 400]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>endobj\n")
	for i, object := range objects {
		fmt.Fprintf(&out, "%d 0 obj%s endobj\n", 4+i, object)
	}
	out.WriteString("trailer<</Root 1 0 R>>\n%%EOF")
	return out.Bytes()
}

func stream(extra, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", extra, len(content), content)
}

// redHalf fills the left half of a page.
var redHalf = stream("", "0.86 0 0 rg 0 0 300 400 re f")

func TestPDF(t *testing.T) {
	t.Parallel()
	in := rendering(t)
	t.Run("ItsPageBecomesAPicture", func(t *testing.T) {
		p, err := in.take(t, Paper, pdf(1, redHalf))
		require.NoError(t, err)
		require.Equal(t, []int{1, pageSide, 1334}, []int{p.Pages, p.Width, p.Height})
		decoded, err := jpeg.Decode(bytes.NewReader(p.Bytes))
		require.NoError(t, err)
		requireNear(t, red, decoded.At(500, 600))
		requireNear(t, color.RGBA{255, 255, 255, 255}, decoded.At(1500, 600))
		require.NotContains(t, string(p.Bytes), "PDF")
	})
	t.Run("TheFirstThreePagesAreShownOfHoweverMany", func(t *testing.T) {
		p, err := in.take(t, Paper, pdf(10_000, redHalf))
		require.NoError(t, err)
		require.Equal(t, 10_000, p.Pages)
		require.LessOrEqual(t, p.Height, Longest)
		require.Equal(t, 3*1334+2*pageGap, p.Height)
	})
	t.Run("ItsNameIsNotRead", func(t *testing.T) {
		form, err := in.Form(httptest.NewRecorder(), form(t, "file", pdf(1, redHalf)), trader("1"), Paper) // as a.jpg
		require.NoError(t, err)
		require.Equal(t, 1, form.Picture.Pages)
	})
	t.Run("NothingInItRuns", func(t *testing.T) {
		active := bytes.Replace(pdf(1, redHalf), []byte("/Type/Catalog"), []byte("/Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>"), 1)
		p, err := in.take(t, Paper, active)
		require.NoError(t, err)
		plain, err := in.take(t, Paper, pdf(1, redHalf))
		require.NoError(t, err)
		require.Equal(t, plain.SHA256, p.SHA256, "the page alone is drawn")
	})
	t.Run("WhereOnlyPicturesAreTakenItIsRefused", func(t *testing.T) {
		_, err := in.take(t, Photo, pdf(1, redHalf))
		require.ErrorIs(t, err, ErrPDF)
	})
	t.Run("OneWithAPasswordIsRefused", func(t *testing.T) {
		locked := bytes.Replace(pdf(1, redHalf), []byte("trailer<<"), []byte("trailer<</ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<"+strings.Repeat("41", 32)+">/U<"+strings.Repeat("42", 32)+">>>"), 1)
		_, err := in.take(t, Paper, locked)
		require.ErrorIs(t, err, ErrPDFLocked)
	})
	t.Run("ABrokenOneIsRefused", func(t *testing.T) {
		for name, raw := range map[string][]byte{
			"Mark": []byte("%PDF-1.7\n"), "Half": pdf(1, redHalf)[:60], "NoPages": pdf(0), "Noise": append([]byte("%PDF-1.4\n"), bytes.Repeat([]byte("obj "), 5_000)...),
		} {
			_, err := in.take(t, Paper, raw)
			require.ErrorIs(t, err, ErrPDFBroken, name)
		}
	})
	t.Run("AHugePageIsDrawnSmall", func(t *testing.T) {
		p, err := in.take(t, Paper, bytes.Replace(pdf(1, redHalf), []byte("[0 0 600 400]"), []byte("[0 0 14400 14400]"), 1))
		require.NoError(t, err)
		require.Equal(t, []int{pageSide, pageSide}, []int{p.Width, p.Height})
	})
	t.Run("ABombMeetsTheBoundOfMemory", func(t *testing.T) {
		var packed bytes.Buffer
		deflate := zlib.NewWriter(&packed)
		_, err := deflate.Write(bytes.Repeat([]byte("0 0 m "), 100<<20/6*4))
		require.NoError(t, err)
		require.NoError(t, deflate.Close())
		_, err = in.take(t, Paper, pdf(1, stream("/Filter/FlateDecode", packed.String())))
		require.ErrorIs(t, err, ErrPDFComplex)
	})
	t.Run("AnEndlessOneIsEnded", func(t *testing.T) {
		brief := rendering(t)
		brief.renderer.within = time.Second / 4
		forms := []string{stream("", strings.Repeat("/X Do ", 20))}
		for level := range 12 { // twenty to the power of twelve
			inner := fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 600 400]/Resources<</XObject<</X %d 0 R>>>>", 6+level)
			forms = append(forms, stream(inner, strings.Repeat("/X Do ", 20)))
		}
		forms = append(forms, stream("/Type/XObject/Subtype/Form/BBox[0 0 600 400]", "0 0 600 400 re f"))
		_, err := brief.take(t, Paper, pdf(1, forms...))
		require.ErrorIs(t, err, ErrPDFComplex)
		_, err = in.take(t, Paper, pdf(1, redHalf))
		require.NoError(t, err, "the next one finds nothing of it")
	})
}

// TestARendererThatDoesNotStartIsNoRefusal: the customer's file is not at fault.
func TestARendererThatDoesNotStartIsNoRefusal(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	for _, r := range []Renderer{{Program: filepath.Join(t.TempDir(), "missing")}, {Program: self, Args: []string{"render", "too", "many"}}} {
		_, err := New(DefaultLimits(), nil).RenderWith(r).take(t, Photo, corners)
		require.Error(t, err)
		require.Nil(t, errs.As(err), "%v", err)
	}
}
