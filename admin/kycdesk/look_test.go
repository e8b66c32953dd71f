package kycdesk_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"candor/admin/access"
	"candor/app/kyc"
	"candor/templates/assets"
)

// prepared is the number of waiting applications in the example.
const prepared = 20

// TestLook serves the desk with example applications, for viewing by hand or by a driven browser, until the test is stopped. Sign in by POST /admin/test/<id>.
//
//	CANDOR_LOOK=127.0.0.1:8099 go test ./admin/kycdesk -run TestLook -v -timeout 0
func TestLook(t *testing.T) {
	address := os.Getenv("CANDOR_LOOK")
	if address == "" {
		t.Skip("CANDOR_LOOK is not set")
	}
	dist := os.Getenv("CANDOR_LOOK_DIST")
	if dist == "" {
		dist = "../../customer-web/dist"
	}
	require.NoError(t, assets.Load(os.DirFS(dist)))
	b := setup(t)
	people := map[string]int64{}
	for name, role := range map[string]access.Role{"reviewer": access.ComplianceReviewer, "other": access.ComplianceReviewer, "lead": access.ComplianceLead, "auditor": access.Auditor} {
		people[name] = b.Hire(t, "Compliance "+name+" 04", role).ID
	}
	b.example()
	serve := http.NewServeMux()
	serve.Handle("/assets/", http.FileServer(http.Dir(dist)))
	serve.Handle("/", b.Echo)
	t.Logf("people reviewer=%d other=%d lead=%d auditor=%d", people["reviewer"], people["other"], people["lead"], people["auditor"])
	t.Log("serving http://" + address + "/admin/identity")
	require.NoError(t, http.ListenAndServe(address, serve)) //nolint:gosec // a test's server on a private address
}

// example fills the queue with passports and cards of traders registered in the issuing country, and one application that was requested again before.
func (b *bundle) example() {
	b.draw = specimen
	now := time.Now().UTC().Truncate(time.Second)
	b.Clock.Set(now.Add(-25 * time.Hour))
	o := b.trader("DE")
	b.filled(o, "passport")
	first := b.reviewer("Compliance reviewer 02")
	a := first.claimed(kyc.Application{ID: b.count(`SELECT max(id) FROM kyc_applications`)})
	require.Equal(b, http.StatusNoContent, first.decide(a, "question", a.Version, "selfie", "face_hidden").Code)
	b.Clock.Set(now.Add(-20 * time.Hour))
	_, err := b.kyc.Attach(b.Context(), o, kyc.Selfie, b.picture())
	require.NoError(b, err)
	b.submit(o)
	for i := range prepared - 1 {
		b.Clock.Set(now.Add(-time.Duration(19*60-i*45) * time.Minute))
		kind := "passport"
		if i%5 == 2 {
			kind = "id_card"
		}
		b.filled(b.trader("DE"), kind)
	}
	b.Clock.Set(now.Add(-time.Minute))
	b.risky()
	b.Clock.Set(now)
}

// specimen draws a fictitious card or face, different for each number.
func specimen(n int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, 1120, 760))
	fill := func(r image.Rectangle, c color.RGBA) { draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src) }
	disc := func(x, y, radius int, c color.RGBA) {
		for dy := -radius; dy <= radius; dy++ {
			for dx := -radius; dx <= radius; dx++ {
				if dx*dx+dy*dy <= radius*radius {
					img.SetRGBA(x+dx, y+dy, c)
				}
			}
		}
	}
	fill(img.Bounds(), color.RGBA{201, 209, 217, 255})
	fill(image.Rect(40, 60, 1080, 700), color.RGBA{223, 234, 241, 255})
	fill(image.Rect(40, 60, 1080, 150), color.RGBA{43, 48, 56, 255})
	fill(image.Rect(90, 210, 380, 580), color.RGBA{201, 209, 217, 255})
	disc(235, 340, 80, color.RGBA{142, 154, 166, 255})
	disc(235, 560, 130, color.RGBA{142, 154, 166, 255})
	fill(image.Rect(40, 600, 1080, 700), color.RGBA{251, 252, 250, 255})
	small := image.NewRGBA(image.Rect(0, 0, 280, 190))
	for i, line := range []string{"", "", fmt.Sprint("MUSTER ", n), "ERIKA", "17 05 1990", fmt.Sprintf("C01X%05d", n), "31 08 2031", "", "SPECIMEN"} {
		pen := font.Drawer{Dst: small, Src: image.NewUniform(color.RGBA{39, 49, 59, 255}), Face: basicfont.Face7x13, Dot: fixed.P(110, 34+i*17)}
		pen.DrawString(line)
	}
	for y := range 760 {
		for x := range 1120 {
			if c := small.RGBAAt(x/4, y/4); c.A > 0 {
				img.SetRGBA(x, y, c)
			}
		}
	}
	var out bytes.Buffer
	_ = png.Encode(&out, img) // writing to memory can't fail
	return out.Bytes()
}
