package bankdesk_test

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/bankdesk"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/banking"
	"candor/app/deposit"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/upload"
	"candor/app/platform/vault/vaulttest"
	"candor/app/switches"
	"candor/app/withdrawal"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// bundle is the desk with a maker, a second maker and a checker.
type bundle struct {
	*testing.T
	*desktest.Office
	banking              *banking.Service
	deposits             *deposit.Service
	maker, other, second *desktest.Browser
}

type named struct{}

func (named) VerifiedName(context.Context, int64) (string, error) { return "Marta Ruiz", nil }

func (named) HolderIs(_ context.Context, _ int64, holder string) (bool, error) {
	return holder == "Marta Ruiz", nil
}

func (named) HolderIsTx(_ context.Context, _ *db.Tx, _ int64, holder string) (bool, error) {
	return holder == "Marta Ruiz", nil
}

func setup(t *testing.T) *bundle {
	t.Helper()
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	b := &bundle{T: t, Office: o}
	values, err := switches.Load(t.Context(), o.DB, nil)
	require.NoError(t, err)
	keys, nobody := vaulttest.New(t), func(int64) {}
	b.deposits = deposit.New(deposit.Config{
		DB: o.DB, Clock: o.Clock, Switches: values, Pictures: upload.NewStore(t.TempDir()), Identities: named{}, Vault: keys, Approvals: o.Approvals, Changed: nobody,
	})
	payouts := withdrawal.New(withdrawal.Config{DB: o.DB, Clock: o.Clock, Switches: values, Approvals: o.Approvals, Vault: keys, Changed: nobody})
	b.banking = banking.New(o.DB, o.Clock, keys, b.deposits, payouts, o.Approvals)
	require.NoError(t, deposit.SeedSpecimen(t.Context(), o.DB))
	require.NoError(t, banking.SeedSpecimen(t.Context(), o.DB))
	o.Mount(bankdesk.Routes(bankdesk.Services{Banking: b.banking, Deposits: b.deposits, Withdrawals: payouts, Staff: o.Staff, Audit: audit.NewLog(o.DB)}))
	b.maker, b.other, b.second = b.seat("Finance maker 01", access.FinanceMaker), b.seat("Finance maker 02", access.FinanceMaker), b.seat("Finance checker 01", access.FinanceChecker)
	return b
}

func (b *bundle) seat(name string, roles ...access.Role) *desktest.Browser {
	b.Helper()
	return b.SignInAs(b.T, b.Hire(b.T, name, roles...))
}

// added posts a form of a new setting and returns the path of its page.
func (b *bundle) added(path string, form url.Values) string {
	b.Helper()
	answer := b.maker.Send(path, form)
	require.Equal(b, http.StatusNoContent, answer.Code, answer.Body.String())
	return answer.Header().Get("HX-Redirect")
}

// shownFacts finds the facts that a dialog is bound to.
var shownFacts = regexp.MustCompile(`name="facts" value="([^"]*)"`)

// send posts an act on a page, with the version that it has, and with the facts of the dialog unless the form has others.
func send(who *desktest.Browser, page, noun string, version int, form url.Values) int {
	sent := url.Values{"facts": {factsOf(who, page, noun)}}
	maps.Copy(sent, form)
	sent.Set("version", strconv.Itoa(version))
	return who.Send(page+"/"+noun, sent).Code
}

// factsOf are the facts that a dialog is bound to; empty where it is bound to none.
func factsOf(who *desktest.Browser, page, noun string) string {
	if found := shownFacts.FindStringSubmatch(who.Part(page + "/" + noun).Body.String()); found != nil {
		return found[1]
	}
	return ""
}

func account() url.Values {
	return url.Values{
		"name": {"Client EUR"}, "bank": {"Specimen Trust"}, "holder": {"Candor, client money"}, "iban": {"GB82 WEST 1234 5698 7654 32"}, "bic": {""}, "currency": {"USD"}, "client": {"client"},
	}
}
