package kycdesk_test

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/kycdesk"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/platform/dbtest"
	"candor/app/platform/i18n"
	"candor/app/platform/idempotency"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
	"candor/locales"
)

// bundle is a verification desk with traders and staff.
type bundle struct {
	*testing.T
	*desktest.Office
	kyc  *kyc.Service
	log  *audit.Log
	made int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{T: t}
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) {
		c.Health = desktest.Healthy
		c.Counts = map[string]func(context.Context) (desk.Waiting, error){"identity": func(ctx context.Context) (desk.Waiting, error) {
			n, oldest, err := b.kyc.CountWaiting(ctx)
			return desk.Waiting{Count: n, Oldest: oldest, Target: kyc.Target}, err
		}}
	})
	b.Office, b.log = o, audit.NewLog(o.DB)
	dir := t.TempDir()
	keys, err := vault.Load(dir, false)
	require.NoError(t, err)
	b.kyc = kyc.New(kyc.Config{DB: o.DB, Clock: o.Clock, Approvals: o.Approvals, Vault: keys, Folder: vault.NewFolder(filepath.Join(dir, "kyc"))})
	values, err := switches.Load(t.Context(), o.DB, nil)
	require.NoError(t, err)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	traders := trader.New(trader.Config{DB: o.DB, Clock: o.Clock, Sessions: session.New(o.DB, o.Clock, nil), Outbox: o.Outbox, Switches: values, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Texts: texts, Changed: func(int64) {}})
	o.Mount(kycdesk.Routes(kycdesk.Services{Identities: b.kyc, Traders: traders, Staff: o.Staff, Audit: b.log, Texts: texts, Tag: keys.Tag}))
	return b
}

// picture is a new picture, different from all others.
func (b *bundle) picture() upload.Picture {
	b.Helper()
	b.made++
	raw := striped(b.made)
	p, err := upload.New(upload.DefaultLimits(), nil).Take(b.Context(), upload.Sender{}, upload.Photo, -1, bytes.NewReader(raw))
	require.NoError(b, err)
	return p
}

// striped draws a page whose stripes encode n.
func striped(n int) []byte {
	img := image.NewGray(image.Rect(0, 0, 640, 400))
	draw.Draw(img, img.Bounds(), image.NewUniform(color.Gray{180}), image.Point{}, draw.Src)
	for i := range 16 {
		if n>>i&1 == 1 {
			draw.Draw(img, image.Rect(30, 12+i*24, 330, 24+i*24), image.NewUniform(color.Gray{70}), image.Point{}, draw.Src)
		}
	}
	var out bytes.Buffer
	_ = png.Encode(&out, img) // writing to memory can't fail
	return out.Bytes()
}

// trader creates a trader who registered in a country and reads Chinese.
func (b *bundle) trader(country string) ledger.Owner {
	b.Helper()
	b.made++
	o := ledger.Owner{Name: "ma***a@example.com", IP: "192.0.2.7"}
	err := b.DB.Pool.QueryRow(b.Context(), `INSERT INTO traders (email, name, password_hash, country, language, invite_code, accepted_at)
		VALUES ($1, $1, 'x', $2, 'zh_CN', md5($1), now()) RETURNING id`, fmt.Sprintf("marta%d@example.com", b.made), country).Scan(&o.TraderID)
	require.NoError(b, err)
	return o
}

// filled is a trader's submitted application with a German document.
func (b *bundle) filled(o ledger.Owner, documentType string) kyc.Application {
	b.Helper()
	b.made++
	return b.named(o, documentType, fmt.Sprintf("Erika Muster%d", b.made))
}

// named is such an application with this name.
func (b *bundle) named(o ledger.Owner, documentType, name string) kyc.Application {
	b.Helper()
	country, number, birth, expiry := "DE", fmt.Sprintf("C01X%05d", b.made), "1990-05-17", "2031-08-31"
	_, err := b.kyc.Save(b.Context(), o, kyc.Filled{Country: &country, DocumentType: &documentType, FullName: &name, Number: &number, BirthDate: &birth, ExpiryDate: &expiry})
	require.NoError(b, err)
	for _, side := range kyc.Sides[kyc.DocumentType(documentType)] {
		_, err := b.kyc.Attach(b.Context(), o, side, b.picture())
		require.NoError(b, err)
	}
	return b.submit(o)
}

func (b *bundle) submit(o ledger.Owner) kyc.Application {
	b.Helper()
	b.made++
	seen, err := b.kyc.Find(b.Context(), o.TraderID)
	require.NoError(b, err)
	done, err := b.kyc.Submit(b.Context(), o, seen.Version, idempotency.Request{TraderID: o.TraderID, Call: "test", Key: strconv.Itoa(b.made)})
	require.NoError(b, err)
	return done.Value.Application
}

// waiting is a passport issued in the trader's country of registration; risky is one issued in another country.
func (b *bundle) waiting() kyc.Application { return b.filled(b.trader("DE"), "passport") }

func (b *bundle) risky() kyc.Application { return b.filled(b.trader("FR"), "passport") }

func (b *bundle) now(id int64) (a kyc.Application) {
	b.Helper()
	require.NoError(b, b.DB.Rows(b.Context()).Where("id = ?", id).Take(&a).Error)
	return a
}

func (b *bundle) documents(id int64) (list []kyc.Document) {
	b.Helper()
	require.NoError(b, b.DB.Rows(b.Context()).Where("application_id = ? AND current", id).Order("id").Find(&list).Error)
	return list
}

func (b *bundle) count(sql string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, b.DB.Pool.QueryRow(b.Context(), sql, args...).Scan(&n))
	return n
}

// seat is a member of staff at the desk.
type seat struct {
	*desktest.Browser
	b *bundle
}

func (b *bundle) seat(name string, roles ...access.Role) seat {
	b.Helper()
	return seat{b.SignInAs(b.T, b.Hire(b.T, name, roles...)), b}
}

func (b *bundle) reviewer(name string) seat { return b.seat(name, access.ComplianceReviewer) }

func (b *bundle) lead(name string) seat { return b.seat(name, access.ComplianceLead) }

func path(a kyc.Application, words ...string) string {
	return strings.Join(append([]string{fmt.Sprint("/admin/identity/", a.ID)}, words...), "/")
}

func (s seat) claim(a kyc.Application) *httptest.ResponseRecorder {
	return s.Send(path(a, "claim"), nil)
}

// claimed claims a case, unless the decision about another one has done so.
func (s seat) claimed(a kyc.Application) kyc.Application {
	s.b.Helper()
	if now := s.b.now(a.ID); now.ClaimActiveBy(s.Person.ID, s.b.Clock.Now()) {
		return now
	}
	answer := s.claim(a)
	require.Equal(s.b, http.StatusNoContent, answer.Code, answer.Body.String())
	return s.b.now(a.ID)
}

func (s seat) release(a kyc.Application) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodDelete, path(a, "claim"), nil)
	r.Header.Set("HX-Request", "true")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return s.Do(r)
}

// judge accepts a picture, or refuses it for a reason.
func (s seat) judge(a kyc.Application, d kyc.Document, version int, reason string) *httptest.ResponseRecorder {
	return s.Send(path(a, "pictures", fmt.Sprint(d.ID)), url.Values{"version": {strconv.Itoa(version)}, "reason": {reason}})
}

// accepted accepts every picture and matches every field.
func (s seat) accepted(a kyc.Application) kyc.Application {
	s.b.Helper()
	answer := s.matchRest(a)
	require.Equal(s.b, http.StatusOK, answer.Code, answer.Body.String())
	for _, d := range s.b.documents(a.ID) {
		answer := s.judge(a, d, s.b.now(a.ID).Version, "")
		require.Equal(s.b, http.StatusOK, answer.Code, answer.Body.String())
	}
	return s.b.now(a.ID)
}

func (s seat) matchRest(a kyc.Application) *httptest.ResponseRecorder {
	return s.Send(path(a, "marks"), url.Values{"version": {strconv.Itoa(s.b.now(a.ID).Version)}})
}

// decide posts the form of a dialog.
func (s seat) decide(a kyc.Application, noun string, version int, pairs ...string) *httptest.ResponseRecorder {
	form := url.Values{"version": {strconv.Itoa(version)}}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return s.Send(path(a, noun), form)
}

var fetched = regexp.MustCompile(`<img src="([^"]+/pictures/[^"]+)"`)

// images lists the addresses of the pictures in a case's page.
func (s seat) images(a kyc.Application) (list []string) {
	s.b.Helper()
	page := s.Get(path(a))
	require.Equal(s.b, http.StatusOK, page.Code)
	for _, match := range fetched.FindAllStringSubmatch(page.Body.String(), -1) {
		list = append(list, html.UnescapeString(match[1]))
	}
	return list
}

// unchanged runs a request that must be refused, and requires that the case stays as it was.
func (b *bundle) unchanged(a kyc.Application, status int, request func() *httptest.ResponseRecorder) string {
	b.Helper()
	before := b.now(a.ID)
	answer := request()
	require.Equal(b, status, answer.Code, answer.Body.String())
	require.Equal(b, before, b.now(a.ID), "nothing changed")
	return answer.Body.String()
}

func (b *bundle) actions(id int64) (out []string) {
	b.Helper()
	entries, _, err := b.log.List(b.Context(), audit.Filter{TargetKind: "kyc", TargetID: strconv.FormatInt(id, 10)})
	require.NoError(b, err)
	for _, e := range entries {
		out = append(out, strings.TrimPrefix(e.Action, "kyc."))
	}
	return out
}
