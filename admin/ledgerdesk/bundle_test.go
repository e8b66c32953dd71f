package ledgerdesk_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/ledgerdesk"
	"candor/app/banking"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/money"
	"candor/app/reconciliation"
)

// bundle is a desk with one trader who has money.
type bundle struct {
	*testing.T
	*desktest.Office
	test    *dbtest.DB
	books   *reconciliation.Service
	account ledger.Account
}

func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	b := &bundle{T: t, test: test}
	b.Office = desktest.New(t, test.URL, func(c *desk.Config) {
		c.Health = desktest.Healthy
		c.Counts = map[string]func(context.Context) (desk.Waiting, error){
			"reconciliation": func(ctx context.Context) (desk.Waiting, error) { return ledgerdesk.Stopped(b.books)(ctx) },
		}
	})
	b.books = reconciliation.New(b.DB, b.Clock)
	require.NoError(t, banking.SeedSpecimen(t.Context(), b.DB))
	b.Mount(ledgerdesk.Routes(ledgerdesk.Services{Books: b.books, Staff: b.Staff, Banking: banking.New(b.DB, b.Clock, b.Keys, nil, nil, b.Approvals)}))
	var trader int64
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at, level)
		VALUES ('t@example.com', 'T', '', 'DE', 'I1', now(), 1) RETURNING id`).Scan(&trader))
	require.NoError(t, b.DB.InTx(t.Context(), func(tx *db.Tx) (err error) {
		if b.account, err = ledger.OpenTx(t.Context(), tx, trader, ledger.Real, 1, b.Clock.Now()); err != nil {
			return err
		}
		_, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{
			Kind: "test", Key: "in", Cause: "test", Book: ledger.Real, At: b.Clock.Now(), Entries: b.account.Receive(1_000 * money.Unit),
		})
		return err
	}))
	return b
}

// shift changes a balance by units without a posting, bypassing every trigger.
func (b *bundle) shift(units int) {
	b.Helper()
	b.test.Tamper(b.T, fmt.Sprintf(`UPDATE accounts SET cash = cash + (%d) WHERE id = %d`, units, b.account.ID))
}

func (b *bundle) prove() {
	b.Helper()
	b.Clock.Advance(time.Minute)
	_, err := b.books.Run(b.Context())
	require.NoError(b, err)
}

// stop makes the books wrong for one reconciliation, then right again without running another.
func (b *bundle) stop() reconciliation.Stop {
	b.Helper()
	b.shift(1)
	b.prove()
	b.shift(-1)
	stop, stopped, err := b.books.Living(b.Context())
	require.NoError(b, err)
	require.True(b, stopped)
	return stop
}

func (b *bundle) stopped() bool {
	b.Helper()
	_, stopped, err := b.books.Living(b.Context())
	require.NoError(b, err)
	return stopped
}

func (b *bundle) seat(name string, roles ...access.Role) *desktest.Browser {
	b.Helper()
	return b.SignInAs(b.T, b.Hire(b.T, name, roles...))
}

func path(stop reconciliation.Stop, noun string) string {
	return fmt.Sprintf("/admin/reconciliation/stops/%d/%s", stop.ID, noun)
}

// body requests the page and returns its text.
func (b *bundle) body(who *desktest.Browser) string {
	b.Helper()
	answer := who.Get("/admin/reconciliation")
	require.Equal(b, http.StatusOK, answer.Code, answer.Body.String())
	return answer.Body.String()
}
