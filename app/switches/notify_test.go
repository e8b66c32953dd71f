package switches_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/platform/i18n"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"candor/app/platform/vault/vaulttest"
	"candor/app/switches"
	"candor/locales"
)

// withNotifier is a fixture with notifications of scheduled changes.
func withNotifier(t *testing.T) *fixture {
	t.Helper()
	r := setupStaff(t)
	texts, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	queue, err := jobs.New(r.db.Pool)
	require.NoError(t, err)
	r.outbox = mail.New(mail.Config{DB: r.db, Clock: r.clock, Queue: queue, Vault: vaulttest.New(t), KeepUnsent: true})
	r.serve(&switches.Notifier{Outbox: r.outbox, Texts: texts, Address: "https://desk.test"})
	return r
}

// mails are the messages sent, by recipient.
func (r *fixture) mails() map[string]mail.Message {
	r.Helper()
	list, err := r.outbox.List(r.Context(), "", 100)
	require.NoError(r, err)
	out := map[string]mail.Message{}
	for _, m := range list {
		require.NotContains(r, out, m.Recipient, "nobody is told twice")
		out[m.Recipient] = m
	}
	return out
}

func TestTheAuthorAndTheApproverHearThatAScheduledChangeIsInForce(t *testing.T) {
	t.Parallel()
	r := withNotifier(t)
	moment := start.Add(time.Hour)
	c := r.approved(switches.WithdrawRateKey, at("0.5", moment))
	require.Empty(t, r.mails(), "its moment has not come")
	r.applyDue(moment, 1)
	mails := r.mails()
	require.Len(t, mails, 2)
	author := mails["author@desk.example"]
	require.Equal(t, []any{mail.Mail, c.Number() + " is in force: Withdrawal fee rate", moment}, []any{author.Channel, author.Subject, author.CreatedAt.UTC()})
	require.Equal(t, "Hello author,\n\n"+c.Number()+" is now in force: Withdrawal fee rate.\n\nReason for the change: "+why+
		"\n\nhttps://desk.test/admin/switches/withdraw.fee_rate", author.Body)
	require.Contains(t, mails["lead@desk.example"].Body, "Hello lead,")
}

func TestOnlyTheAuthorOfWhatOnePersonSchedulesHears(t *testing.T) {
	t.Parallel()
	r := withNotifier(t)
	moment := start.Add(time.Hour)
	require.Equal(t, approval.Scheduled, r.submitted(switches.BannersKey, at("false", moment)).State())
	r.applyDue(moment, 1)
	require.Len(t, r.mails(), 1)
	require.Contains(t, r.mails(), "author@desk.example")
}

func TestWhyAScheduledChangeFailedIsTold(t *testing.T) {
	t.Parallel()
	r := withNotifier(t)
	moment := start.Add(time.Hour)
	low := r.approved(switches.WithdrawMinKey, at("500", moment))
	r.approved(switches.WithdrawMaxKey, changeInput("400"))
	r.applyDue(moment, 1)
	mails := r.mails()
	require.Len(t, mails, 2)
	for _, m := range mails {
		require.Equal(t, low.Number()+" failed: Minimum withdrawal", m.Subject)
		require.Contains(t, m.Body, "did not take effect at its scheduled time: Minimum withdrawal. It conflicts with another switch: Maximum withdrawal.")
	}
}

func TestWhatComesIntoForceAtOnceIsNotTold(t *testing.T) {
	t.Parallel()
	r := withNotifier(t)
	require.Equal(t, approval.Applied, r.submitted(switches.BannersKey, changeInput("false")).State())
	require.Equal(t, approval.Applied, r.approved(switches.WithdrawRateKey, changeInput("0.5")).State())
	require.Empty(t, r.mails(), "whoever did it saw it")
}

func TestTheAuthorHearsWhoRejectedAChangeAndWhy(t *testing.T) {
	t.Parallel()
	r := withNotifier(t)
	c := r.submitted(switches.WithdrawRateKey, changeInput("0.5"))
	no := "the costs are what they are"
	c, err := r.changes.Reject(t.Context(), r.lead, c.ID, c.Version, no)
	require.NoError(t, err)
	require.Equal(t, []any{true, start, "lead"}, []any{c.Closed(), c.ClosedAt.UTC(), c.CloserName})
	mails := r.mails()
	require.Len(t, mails, 1, "whoever rejected it knows")
	m := mails["author@desk.example"]
	require.Equal(t, c.Number()+" was rejected: Withdrawal fee rate", m.Subject)
	require.Equal(t, "Hello author,\n\nlead rejected "+c.Number()+", so it will not take effect: Withdrawal fee rate. Reason for the rejection: "+no+
		"\n\nReason for the change: "+why+"\n\nhttps://desk.test/admin/switches/withdraw.fee_rate", m.Body)
}

func TestWhoeverElseWroteOrApprovedAChangeHearsThatItWasTakenBack(t *testing.T) {
	t.Parallel()
	r := withNotifier(t)
	other := r.person("other")
	c := r.approved(switches.WithdrawRateKey, at("0.5", start.Add(time.Hour)))
	c, err := r.changes.Withdraw(t.Context(), other, c.ID, c.Version)
	require.NoError(t, err)
	require.Equal(t, []any{true, "other"}, []any{c.Closed(), c.CloserName})
	mails := r.mails()
	require.Len(t, mails, 2)
	require.Contains(t, mails["author@desk.example"].Body, "other withdrew "+c.Number())
	require.Contains(t, mails, "lead@desk.example")
}

func TestNobodyHearsOfWhatItsAuthorTookBackAlone(t *testing.T) {
	t.Parallel()
	r := withNotifier(t)
	c := r.submitted(switches.WithdrawRateKey, changeInput("0.5"))
	_, err := r.changes.Withdraw(t.Context(), r.author, c.ID, c.Version)
	require.NoError(t, err)
	require.Empty(t, r.mails())
}

func TestWhoNoLongerWorksHereIsNotTold(t *testing.T) {
	t.Parallel()
	r := withNotifier(t)
	moment := start.Add(time.Hour)
	r.approved(switches.WithdrawRateKey, at("0.5", moment))
	_, err := r.db.Pool.Exec(t.Context(), `UPDATE staff SET state = 'disabled' WHERE id = $1`, r.author.ID)
	require.NoError(t, err)
	r.applyDue(moment, 1)
	require.Len(t, r.mails(), 1)
	require.Contains(t, r.mails(), "lead@desk.example")
}

func TestAChangeThatCannotBeToldStaysScheduled(t *testing.T) {
	t.Parallel()
	r := withNotifier(t)
	moment := start.Add(time.Hour)
	c := r.approved(switches.WithdrawRateKey, at("0.5", moment))
	r.test.Tamper(t, `ALTER TABLE outbox ADD CONSTRAINT nobody CHECK (recipient <> 'lead@desk.example')`)
	r.clock.Set(moment)
	_, err := r.approvals.Run(t.Context())
	require.ErrorContains(t, err, "nobody")
	c, err = r.changes.Get(t.Context(), c.ID)
	require.NoError(t, err)
	require.Equal(t, approval.Scheduled, c.State())
	require.Equal(t, "0", r.values.Value(switches.WithdrawRateKey))
	require.Empty(t, r.mails(), "the mails are of the same transaction")
}
