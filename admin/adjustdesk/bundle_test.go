package adjustdesk_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/adjustdesk"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/adjustment"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/platform/money"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/session"
	"candor/app/switches"
	"candor/app/task"
	"candor/app/trader"
	"candor/locales"
)

const usdt = money.Unit

// bundle is a desk with staff, and a trader who has 1,000 USDT.
type bundle struct {
	*testing.T
	*desktest.Office
	adjustments         *adjustment.Service
	values              *switches.Service
	tasks               *task.Service
	account             ledger.Account
	maker, checker, led *desktest.Browser
	made                int
}

// flat stubs positions that need no margin.
type flat struct{}

func (flat) WithdrawableTx(_ context.Context, _ *db.Tx, account ledger.Account) (int64, error) {
	return account.Cash, nil
}

func setup(t *testing.T) *bundle {
	t.Helper()
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	b := &bundle{T: t, Office: o}
	values, err := switches.Load(t.Context(), o.DB, nil)
	require.NoError(t, err)
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	b.values, b.tasks = values, task.New(o.DB, o.Clock, nil)
	b.adjustments = adjustment.New(adjustment.Config{
		DB: o.DB, Clock: o.Clock, Switches: values, Approvals: o.Approvals, Positions: flat{}, Changed: func(int64) {}, Vault: o.Keys, Folder: vault.NewFolder(t.TempDir()),
		Owners: map[adjustment.CaseKind]adjustment.Owner{
			adjustment.Conversation: b.owner, adjustment.Deposit: b.owner, adjustment.Order: b.owner, adjustment.Task: func(context.Context, int64) (*int64, error) { return &b.account.TraderID, nil },
		},
	})
	o.Mount(adjustdesk.Routes(adjustdesk.Services{
		Adjustments: b.adjustments, Staff: o.Staff, Audit: audit.NewLog(o.DB), Ledger: o.DB.Pool, Tasks: b.tasks, Uploads: upload.New(upload.DefaultLimits(), nil),
		Traders: trader.New(trader.Config{DB: o.DB, Clock: o.Clock, Sessions: session.New(o.DB, o.Clock, nil), Outbox: o.Outbox, Switches: values, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Texts: texts, Changed: func(int64) {}}),
	}))
	b.account = b.trader("marta@example.com", 1_000)
	b.maker, b.checker, b.led = b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance checker 01", access.FinanceChecker), b.seat("Finance lead 01", access.FinanceLead)
	return b
}

// noCase is the number of no case; every other case has the number of its trader.
const noCase = 900_001

func (b *bundle) owner(_ context.Context, id int64) (*int64, error) {
	if id == noCase {
		return nil, errs.New(errs.NotFound, "deposit.unknown")
	}
	return &id, nil
}

func (b *bundle) seat(name string, roles ...access.Role) *desktest.Browser {
	b.Helper()
	return b.SignInAs(b.T, b.Hire(b.T, name, roles...))
}

func (b *bundle) trader(mail string, dollars int64) (a ledger.Account) {
	b.Helper()
	var id int64
	require.NoError(b, b.DB.Pool.QueryRow(b.Context(), `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at)
		VALUES ($1, 'Marta', 'x', 'ES', $1, now()) RETURNING id`, mail).Scan(&id))
	require.NoError(b, b.DB.InTx(b.Context(), func(tx *db.Tx) (err error) {
		if a, err = ledger.OpenTx(b.Context(), tx, id, ledger.Real, trader.Ordinary, b.Clock.Now()); err != nil {
			return err
		}
		_, err = ledger.PostTx(b.Context(), tx, ledger.Transaction{Kind: "deposit", Key: mail, Cause: "test", Book: ledger.Real, At: b.Clock.Now(), Entries: a.Receive(dollars * usdt)})
		return err
	}))
	return a
}

func (b *bundle) cash() int64 {
	b.Helper()
	a, err := ledger.Load(b.Context(), b.DB.Pool, b.account.ID)
	require.NoError(b, err)
	return a.Cash
}

// form is a maker's input, with a new key each time.
func (b *bundle) form(direction, amount string) url.Values {
	b.made++
	return url.Values{
		"direction": {direction}, "amount": {amount}, "again": {amount}, "unit": {"USDT"}, "reason": {"missed_credit"}, "case_kind": {"deposit"}, "case_id": {fmt.Sprint("dp-", b.account.TraderID)}, "note": {"The bank line was there"},
		"key": {fmt.Sprintf("key-of-the-form-%04d", b.made)},
	}
}

func (b *bundle) formPath() string {
	return fmt.Sprintf("/admin/traders/%d/adjustment", b.account.TraderID)
}

// ask requests an adjustment.
func (b *bundle) ask(direction, amount string) adjustment.Adjustment {
	b.Helper()
	return b.asked(b.form(direction, amount))
}

// asked requests an adjustment with a form.
func (b *bundle) asked(form url.Values) adjustment.Adjustment {
	b.Helper()
	answer := b.maker.Send(b.formPath(), form)
	require.Equal(b, http.StatusNoContent, answer.Code, answer.Body.String())
	var id int64
	_, err := fmt.Sscanf(answer.Header().Get("HX-Redirect"), "/admin/adjustments/%d", &id)
	require.NoError(b, err)
	return b.now(id)
}

func (b *bundle) now(id int64) adjustment.Adjustment {
	b.Helper()
	a, err := b.adjustments.Read(b.Context(), id)
	require.NoError(b, err)
	return a
}

func path(a adjustment.Adjustment, noun string) string {
	return fmt.Sprintf("/admin/adjustments/%d/%s", a.ID, noun)
}

// decide posts a dialog about an adjustment in its current state.
func (b *bundle) decide(who *desktest.Browser, a adjustment.Adjustment, noun string) *httptest.ResponseRecorder {
	now := b.now(a.ID)
	return who.Send(path(a, noun), url.Values{
		"version": {strconv.Itoa(now.Version)}, "facts": {hex.EncodeToString(now.Facts)}, "note": {"Not this one"}, "code": {who.Code(b.T)},
	})
}
