package cashdesk_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/cashdesk"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/i18n"
	"candor/app/platform/idempotency"
	"candor/app/platform/money"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/platform/upload"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/trader"
	"candor/locales"
)

// bundle is a cash desk with one bank channel; it also stubs the identities.
type bundle struct {
	*testing.T
	*desktest.Office
	deposits *deposit.Service
	config   deposit.Config
	log      *audit.Log
	credited []int64 // accounts reported as changed
	made     int
	owner    string // the database URL of the tables' owner
}

func setup(t *testing.T) *bundle {
	t.Helper()
	addresses := dbtest.New(t)
	o := desktest.New(t, addresses.URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	b := &bundle{T: t, Office: o, log: audit.NewLog(o.DB), owner: addresses.OwnerURL}
	values, err := switches.Load(t.Context(), o.DB, nil)
	require.NoError(t, err)
	b.config = deposit.Config{DB: o.DB, Clock: o.Clock, Switches: values, Pictures: upload.NewStore(t.TempDir()), Identities: b, Vault: o.Keys, Approvals: o.Approvals, Changed: func(id int64) { b.credited = append(b.credited, id) }}
	b.deposits = deposit.New(b.config)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	traders := trader.New(trader.Config{DB: o.DB, Clock: o.Clock, Sessions: session.New(o.DB, o.Clock, nil), Outbox: o.Outbox, Switches: values, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Texts: texts, Changed: func(int64) {}})
	o.Mount(cashdesk.Routes(cashdesk.Services{Deposits: b.deposits, Traders: traders, Staff: o.Staff, Audit: b.log, Texts: texts}))
	_, err = o.DB.Pool.Exec(t.Context(), `INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, bank, holder, iban, bic, sort, enabled)
		VALUES (1, 'bank', 'EU bank transfer', 'USD', 1000000, 1000000000000, 'Specimen Bank', 'Candor client money', 'DE02120300000000202051', 'BYLADEM1001', 1, true)`)
	require.NoError(t, err)
	return b
}

const verifiedName = "Marta Ruiz"

// VerifiedName is the same name for every trader.
func (b *bundle) VerifiedName(context.Context, int64) (string, error) { return verifiedName, nil }

// HolderIs accepts only that name.
func (b *bundle) HolderIs(_ context.Context, _ int64, holder string) (bool, error) {
	return holder == verifiedName, nil
}

// HolderIsTx is HolderIs inside a transaction.
func (b *bundle) HolderIsTx(_ context.Context, _ *db.Tx, _ int64, holder string) (bool, error) {
	return holder == verifiedName, nil
}

// trader creates a trader with a real account; the level lifts the limit of unverified traders.
func (b *bundle) trader(mail string) ledger.Owner {
	b.Helper()
	var id int64
	err := b.DB.Pool.QueryRow(b.Context(), `INSERT INTO traders (email, name, password_hash, country, language, level, invite_code, accepted_at)
		VALUES ($1, $1, 'x', 'ES', 'zh_CN', 2, md5($1), now()) RETURNING id`, mail).Scan(&id)
	require.NoError(b, err)
	owner := ledger.Owner{TraderID: id, Name: "ma***a@example.com"}
	require.NoError(b, b.DB.InTx(b.Context(), func(tx *db.Tx) error {
		account, err := ledger.OpenTx(b.Context(), tx, id, ledger.Real, trader.Ordinary, b.Clock.Now())
		owner.AccountID = account.ID
		return err
	}))
	return owner
}

// ask announces a trader's transfer, in whole dollars.
func (b *bundle) ask(o ledger.Owner, dollars int64) deposit.Deposit {
	b.Helper()
	return b.did(o, func(r idempotency.Request) (deposit.Result, error) {
		return b.deposits.Request(b.Context(), o, 1, dollars*money.Unit, r)
	})
}

// prove submits a picture as proof; each shade is a different picture.
func (b *bundle) prove(o ledger.Owner, d deposit.Deposit, shade uint8) deposit.Deposit {
	b.Helper()
	picture, err := upload.New(upload.DefaultLimits(), nil).Take(b.Context(), upload.Sender{}, upload.Photo, -1, bytes.NewReader(picture(b.T, shade)))
	require.NoError(b, err)
	file, err := b.deposits.SaveFile(b.Context(), o.TraderID, picture)
	require.NoError(b, err)
	return b.did(o, func(r idempotency.Request) (deposit.Result, error) {
		return b.deposits.Prove(b.Context(), o, d.ID, file.Name, r)
	})
}

func (b *bundle) did(o ledger.Owner, act func(idempotency.Request) (deposit.Result, error)) deposit.Deposit {
	b.Helper()
	b.made++
	done, err := act(idempotency.Request{TraderID: o.TraderID, Call: "test", Key: strconv.Itoa(b.made)})
	require.NoError(b, err)
	return done.Value
}

// picture draws a page with a few lines; each shade gives a different picture.
func picture(t testing.TB, shade uint8) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 300, 470))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	for i, width := range []int{40, 160, 220, 120, 200, 90} {
		line := image.Rect(20, 20+i*60, 20+width, 34+i*60)
		draw.Draw(img, line, image.NewUniform(color.Gray{shade}), image.Point{}, draw.Src)
	}
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, img))
	return out.Bytes()
}

// waiting is a deposit with a submitted proof.
func (b *bundle) waiting(dollars int64) deposit.Deposit {
	b.Helper()
	b.made++
	owner := b.trader(fmt.Sprintf("marta%d@example.com", b.made))
	return b.prove(owner, b.ask(owner, dollars), uint8(b.made))
}

func (b *bundle) now(id int64) deposit.Deposit {
	b.Helper()
	d, err := b.deposits.Read(context.Background(), id)
	require.NoError(b, err)
	return d
}

func (b *bundle) cash(accountID int64) int64 {
	b.Helper()
	a, err := ledger.Load(context.Background(), b.DB.Pool, accountID)
	require.NoError(b, err)
	return a.Cash
}

func (b *bundle) actions(id int64) (out []string) {
	b.Helper()
	entries, _, err := b.log.List(context.Background(), audit.Filter{TargetKind: "deposit", TargetID: strconv.FormatInt(id, 10)})
	require.NoError(b, err)
	for _, e := range entries {
		out = append(out, strings.TrimPrefix(e.Action, "deposit."))
	}
	return out
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

func path(d deposit.Deposit, words ...string) string {
	return strings.Join(append([]string{fmt.Sprint("/admin/deposits/", d.ID)}, words...), "/")
}

func (s seat) claim(d deposit.Deposit) *httptest.ResponseRecorder {
	return s.Send(path(d, "claim"), nil)
}

func (s seat) release(d deposit.Deposit) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodDelete, path(d, "claim"), nil)
	r.Header.Set("HX-Request", "true")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return s.Do(r)
}

func (s seat) approve(d deposit.Deposit, version int, received, reference string) *httptest.ResponseRecorder {
	return s.Send(path(d, "approval"), s.approval(version, received, reference))
}

// approval is a maker's form for a statement that names the trader.
func (s seat) approval(version int, received, reference string) url.Values {
	return url.Values{
		"version": {strconv.Itoa(version)}, "received": {received}, "bankReference": {reference}, "sender": {verifiedName}, "shown": {received}, "code": {s.Code(s.b.T)},
	}
}

func (s seat) confirm(d deposit.Deposit, version int, proof string) *httptest.ResponseRecorder {
	return s.Send(path(d, "confirmation"), url.Values{"version": {strconv.Itoa(version)}, "proof": {proof}, "code": {s.Code(s.b.T)}})
}

func (s seat) reject(d deposit.Deposit, version int, reason, note string) *httptest.ResponseRecorder {
	return s.Send(path(d, "rejection"), url.Values{"version": {strconv.Itoa(version)}, "reason": {reason}, "note": {note}})
}

// approved is a deposit above the limit, claimed and approved by a maker.
func (b *bundle) approved(maker seat) deposit.Deposit {
	b.Helper()
	d := b.waiting(8_000)
	require.Equal(b, http.StatusOK, maker.claim(d).Code)
	answer := maker.approve(d, b.now(d.ID).Version, "8000.00", fmt.Sprint("BANK-REF-", d.ID))
	require.Equal(b, http.StatusOK, answer.Code, answer.Body.String())
	require.Equal(b, deposit.Approved, b.now(d.ID).State)
	return b.now(d.ID)
}

// unchanged runs a request that must be refused, and requires that the deposit and its account stay as they were.
func (b *bundle) unchanged(d deposit.Deposit, status int, request func() *httptest.ResponseRecorder) string {
	b.Helper()
	before, cash := b.now(d.ID), b.cash(d.AccountID)
	answer := request()
	require.Equal(b, status, answer.Code, answer.Body.String())
	require.Equal(b, before, b.now(d.ID), "nothing changed")
	require.Equal(b, cash, b.cash(d.AccountID), "no money moved")
	return answer.Body.String()
}

// dialogAgain requires an answer that replaces the dialog.
func dialogAgain(t *testing.T, answer *httptest.ResponseRecorder) {
	t.Helper()
	require.Equal(t, "#dialog", answer.Header().Get("HX-Retarget"))
	require.Equal(t, "innerHTML", answer.Header().Get("HX-Reswap"))
}

const hour = time.Hour
