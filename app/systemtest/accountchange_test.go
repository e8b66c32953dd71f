package systemtest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/accountchange"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/platform/clock"
	"candor/app/platform/errs"
	"candor/app/platform/vault"
	"candor/app/trader"
)

// regainer is a trader who lost the way in, and the two members of staff who decide.
type regainer struct {
	*leaver
	reviewers
	changes *accountchange.Service
}

func newRegainer(t *testing.T) *regainer {
	t.Helper()
	l := newLeaver(t)
	d := l.platform.Database.DB
	return &regainer{leaver: l, reviewers: hireReviewers(t, d), changes: l.platform.Services.Changes}
}

// verified has the trader's identity verified.
func (g *regainer) verified() {
	g.t.Helper()
	identities := kyc.New(kyc.Config{DB: g.platform.Database.DB, Clock: clock.Real{}, Vault: g.vault(g.t), Folder: vault.NewFolder(g.t.TempDir())})
	require.NoError(g.t, g.verify(g.t.Context(), identities, g.traderID))
}

// pictured is a visitor's conversation with pictures of the customer.
func (g *regainer) pictured(count int, age time.Duration) (id int64) {
	g.t.Helper()
	const visitor = "8d9b0a5e-51cf-4c3b-8a37-1d0c6bb2b0aa"
	g.exec(`INSERT INTO conversations (visitor, from_ip, language, state, created_at, moved_at) VALUES ($1, '', 'en', 'queued', now(), now()) ON CONFLICT DO NOTHING`, visitor)
	id = g.number(g.t, `SELECT max(id) FROM conversations WHERE visitor = $1`, visitor)
	for n := range count {
		name := fmt.Sprint("picture-", age, n)
		g.exec(`INSERT INTO chat_pictures (name, visitor, width, height, size, created_at) VALUES ($1, $2, 1, 1, 1, now())`, name, visitor)
		g.exec(`INSERT INTO chat_messages (conversation_id, client_id, author, kind, private, body, picture, at) VALUES ($1, gen_random_uuid(), 'customer', 'picture', false, '', $2, $3)`, id, name, time.Now().Add(-age))
	}
	return id
}

// passkey gives the trader a second factor.
func (g *regainer) passkey() {
	g.t.Helper()
	g.exec(`INSERT INTO factor_owners (trader_id, handle) VALUES ($1, decode(repeat('cd', 64), 'hex'))`, g.traderID)
	g.exec(`INSERT INTO passkeys (owner_id, credential_id, credential, name, created_at) SELECT id, '\x02', '{}', 'Lost', now() FROM factor_owners WHERE trader_id = $1`, g.traderID)
}

func (g *regainer) request(by audit.Actor, kind accountchange.Kind, conversation int64, contact string) (accountchange.Change, error) {
	return g.changes.Request(g.t.Context(), by, accountchange.Request{TraderID: g.traderID, Kind: kind, ConversationID: conversation, Contact: contact, Compared: true, Note: "lost the phone on a journey"})
}

func (g *regainer) approve(by audit.Actor, c accountchange.Change, contact string) (accountchange.Change, error) {
	return g.changes.Approve(g.t.Context(), by, c.ID, c.Version, c.Facts, contact)
}

// kindsAt are the kinds of the messages to an address.
func (g *regainer) kindsAt(address string) (kinds []string) {
	g.t.Helper()
	list, err := g.outbox.List(g.t.Context(), address, 50)
	require.NoError(g.t, err)
	for _, m := range list {
		kinds = append(kinds, m.Kind)
	}
	return kinds
}

func (g *regainer) locked() (reason string, hours float64) {
	g.t.Helper()
	require.NoError(g.t, g.platform.Database.Pool.QueryRow(g.t.Context(), `SELECT reason::text, extract(epoch FROM until_at - now()) / 3600 FROM withdrawal_locks WHERE trader_id = $1 ORDER BY id DESC LIMIT 1`, g.traderID).Scan(&reason, &hours))
	return reason, hours
}

func TestALostFactorIsResetByTwo(t *testing.T) {
	t.Parallel()
	g := newRegainer(t)
	talk := g.pictured(2, time.Hour)
	_, err := g.request(g.reviewer, accountchange.ResetFactor, talk, "")
	require.ErrorIs(t, err, accountchange.ErrUnverified, "there is nothing to compare with")
	g.verified()
	_, err = g.request(g.reviewer, accountchange.ResetFactor, talk, "")
	require.ErrorIs(t, err, trader.ErrNoFactor)
	g.passkey()
	for name, conversation := range map[string]int64{"none": 0, "unknown": talk + 1000} {
		_, err = g.request(g.reviewer, accountchange.ResetFactor, conversation, "")
		require.ErrorIs(t, err, accountchange.ErrConversation, name)
	}
	g.exec(`UPDATE chat_messages SET at = now() - interval '8 days' WHERE picture LIKE '%0'`)
	_, err = g.request(g.reviewer, accountchange.ResetFactor, talk, "")
	require.ErrorIs(t, err, accountchange.ErrPictures)
	g.exec(`UPDATE chat_messages SET at = now() WHERE picture IS NOT NULL`)
	_, err = g.changes.Request(t.Context(), g.reviewer, accountchange.Request{TraderID: g.traderID, Kind: accountchange.ResetFactor, ConversationID: talk, Note: "not compared"})
	require.ErrorIs(t, err, accountchange.ErrCompared)

	first, err := g.request(g.reviewer, accountchange.ResetFactor, talk, "")
	require.NoError(t, err)
	require.Contains(t, g.kinds(), "factor_reset_asked", "the owner is told at once")
	_, err = g.request(g.reviewer, accountchange.ResetFactor, talk, "")
	require.ErrorIs(t, err, approval.ErrOpen)
	_, err = g.approve(g.reviewer, first, "")
	require.ErrorIs(t, err, approval.ErrSamePerson)
	g.exec(`UPDATE passkeys SET last_used_at = now()`)
	_, err = g.approve(g.lead, first, "")
	require.ErrorIs(t, err, approval.ErrChanged, "what was said to be lost was used")
	_, err = g.changes.Withdraw(t.Context(), g.reviewer, first.ID, first.Version)
	require.NoError(t, err)

	second, err := g.request(g.reviewer, accountchange.ResetFactor, talk, "")
	require.NoError(t, err)
	done, err := g.approve(g.lead, second, "")
	require.NoError(t, err)
	require.Equal(t, approval.Applied, done.State)
	require.EqualValues(t, 0, g.number(t, `SELECT count(*) FROM passkeys`))
	_, answer, _ := g.call(t, http.MethodGet, "/client/user/findUserInfo", g.token, nil, nil)
	require.Equal(t, "token_invalid", answer["code"], "every session ends")
	reason, hours := g.locked()
	require.Equal(t, trader.LockRecovery, reason)
	require.InDelta(t, 72, hours, 0.1)
	require.Contains(t, g.kinds(), "factor_reset")
	_, err = g.approve(g.lead, done, "")
	require.ErrorIs(t, err, approval.ErrState, "once")
}

func TestALostContactIsReplacedByTwo(t *testing.T) {
	t.Parallel()
	g := newRegainer(t)
	g.verified()
	talk := g.pictured(2, time.Hour)
	const found, password = "found.again@example.com", "another battery staple"
	forgotten := func() string {
		g.exec(`UPDATE codes SET created_at = created_at - interval '10 minutes'`)
		g.exec(`UPDATE code_requests SET at = at - interval '10 minutes'`)
		return g.ask("/client/user/sendForgetPasswordValidCode", map[string]any{"account": found}, g.withSolution(t))
	}
	_, err := g.request(g.reviewer, accountchange.ReplaceEmail, talk, "no address")
	require.Contains(t, errs.As(err).Fields, "contact")
	_, err = g.request(g.reviewer, accountchange.ReplaceEmail, talk, g.account)
	require.ErrorIs(t, err, trader.ErrContactTaken)
	first, err := g.request(g.reviewer, accountchange.ReplaceEmail, talk, found)
	require.NoError(t, err)
	require.NotContains(t, first.Contact, found, "masked")
	require.Contains(t, g.kinds(), "contact_asked")
	require.Equal(t, "ok", forgotten())
	require.NotContains(t, g.kindsAt(found), "password_code", "nobody has agreed yet")
	_, err = g.changes.Refuse(t.Context(), g.lead, first.ID, first.Version, "another face")
	require.NoError(t, err)
	require.EqualValues(t, 0, g.number(t, `SELECT count(*) FROM granted_contacts`), "forgotten with the refusal")

	second, err := g.request(g.reviewer, accountchange.ReplaceEmail, talk, found)
	require.NoError(t, err)
	_, err = g.approve(g.lead, second, "found.agian@example.com")
	require.Equal(t, "account_change.contact_differs", errs.As(err).Fields["contact"], "the second person reads it too")
	_, err = g.approve(g.lead, second, " Found.Again@example.com ")
	require.NoError(t, err)
	require.Contains(t, g.kinds(), "contact_granted_old")
	require.Contains(t, g.kindsAt(found), "contact_granted")
	g.exec(`UPDATE granted_contacts SET expires_at = now() - interval '1 second'`)
	require.Equal(t, "ok", forgotten())
	require.NotContains(t, g.kindsAt(found), "password_code", "after 72 hours it is over")
	g.exec(`UPDATE granted_contacts SET expires_at = now() + interval '1 hour'`)
	require.Equal(t, "ok", forgotten())
	reset := map[string]any{"account": found, "password": password, "validCode": g.mailedCode(t, g.outbox, found)}
	require.Equal(t, "ok", g.ask("/client/api/forgetUserPassword", reset, nil))
	require.EqualValues(t, 1, g.number(t, `SELECT count(*) FROM traders WHERE id = $1 AND email = $2`, g.traderID, found))
	require.Contains(t, g.kinds(), "contact_changed", "the old contact hears of it")
	_, answer, _ := g.call(t, http.MethodGet, "/client/user/findUserInfo", g.token, nil, nil)
	require.Equal(t, "token_invalid", answer["code"])
	require.EqualValues(t, 1, g.number(t, `SELECT count(*) FROM granted_contacts WHERE used_at IS NOT NULL`))
}

func TestTwoMakeAPartner(t *testing.T) {
	t.Parallel()
	g := newRegainer(t)
	_, err := g.request(g.reviewer, accountchange.MakePartner, 0, "")
	require.ErrorIs(t, err, accountchange.ErrUnverified)
	g.verified()
	_, err = g.request(g.reviewer, accountchange.EndPartner, 0, "")
	require.ErrorIs(t, err, trader.ErrPartnerState)
	c, err := g.request(g.reviewer, accountchange.MakePartner, 0, "")
	require.NoError(t, err)
	_, err = g.approve(g.lead, c, "")
	require.NoError(t, err)
	require.EqualValues(t, trader.PartnerType, g.number(t, `SELECT type FROM traders WHERE id = $1`, g.traderID))
	require.Contains(t, g.kinds(), "partner")
	c, err = g.request(g.reviewer, accountchange.EndPartner, 0, "")
	require.NoError(t, err)
	_, err = g.approve(g.lead, c, "")
	require.NoError(t, err)
	require.EqualValues(t, trader.Ordinary, g.number(t, `SELECT type FROM traders WHERE id = $1`, g.traderID))
	require.Contains(t, g.kinds(), "partner_ended")
}
