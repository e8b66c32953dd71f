package complaintdesk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/complaintdesk"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/audit"
	"candor/app/complaint"
	"candor/app/platform/dbtest"
	"candor/app/platform/i18n"
	"candor/app/platform/passwords/passwordstest"
	"candor/app/session"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/trader"
	"candor/locales"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// bundle is a desk with an agent, two people of compliance, a trader who has complained in a conversation, and a visitor's conversation.
type bundle struct {
	*testing.T
	*desktest.Office
	complaints                             *complaint.Service
	agent, first, second, finance, auditor *desktest.Browser
	trader, conversation, visitor          int64
	keys                                   int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	b := &bundle{T: t, Office: o}
	texts, err := i18n.Load(locales.Customer())
	require.NoError(t, err)
	values, err := switches.Load(t.Context(), o.DB, nil)
	require.NoError(t, err)
	chat := support.New(o.DB, o.Clock, o.Bus, nil, nil, nil)
	b.complaints = complaint.New(o.DB, o.Clock, trader.NewMessenger(o.Clock, o.Outbox, texts, nil), o.Approvals)
	traders := trader.New(trader.Config{DB: o.DB, Clock: o.Clock, Sessions: session.New(o.DB, o.Clock, nil), Outbox: o.Outbox, Switches: values, Hasher: trader.NewHasherWith(passwordstest.Quick{}), Texts: texts, Changed: func(int64) {}})
	o.Mount(complaintdesk.Routes(complaintdesk.Services{
		Complaints: b.complaints, Traders: traders, Chat: chat, Staff: o.Staff, Audit: audit.NewLog(o.DB), Products: func() []string { return []string{"EURUSD"} },
	}))
	require.NoError(t, o.DB.Pool.QueryRow(t.Context(), `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ('t@example.com', 'T', '', 'DE', 'T', now()) RETURNING id`).Scan(&b.trader))
	say := func(from support.Customer, id string) int64 {
		m, err := chat.Send(t.Context(), from, support.Draft{ID: id, Text: "I complain"})
		require.NoError(t, err)
		return m.ConversationID
	}
	b.conversation = say(support.Customer{TraderID: b.trader, Language: "en"}, "0b9dc8a2-2f6a-4b0c-9a55-0d0a4b3f0001")
	b.visitor = say(support.Customer{Visitor: "0b9dc8a2-2f6a-4b0c-9a55-0d0a4b3f0009", Language: "en"}, "0b9dc8a2-2f6a-4b0c-9a55-0d0a4b3f0002")
	seat := func(name string, role access.Role) *desktest.Browser { return o.SignInAs(t, o.Hire(t, name, role)) }
	b.agent, b.first, b.second = seat("Agent 01", access.SupportAgent), seat("Reviewer 01", access.ComplianceReviewer), seat("Lead 01", access.ComplianceLead)
	b.finance, b.auditor = seat("Finance 01", access.FinanceMaker), seat("Auditor 01", access.Auditor)
	return b
}

func (b *bundle) form(change url.Values) url.Values {
	b.keys++
	form := url.Values{
		"key": {fmt.Sprintf("key-of-the-form-%03d", b.keys)}, "channel": {"phone"}, "category": {"withdrawal"}, "product": {"EURUSD"}, "summary": {"The withdrawal took nine days"},
		"received": {"2026-11-20"}, "claimed": {"1,250.50"},
	}
	for name, values := range change {
		form[name] = values
	}
	return form
}

// registered registers a complaint from the trader's page, and reads it.
func (b *bundle) registered(change url.Values) complaint.Complaint {
	b.Helper()
	answer := b.agent.Send(fmt.Sprintf("/admin/traders/%d/complaint", b.trader), b.form(change))
	require.Equal(b, http.StatusNoContent, answer.Code, answer.Body.String())
	return b.newest()
}

func (b *bundle) newest() complaint.Complaint {
	b.Helper()
	list, err := b.complaints.List(b.Context(), complaint.Search{Group: complaint.All}, complaint.Place{}, 1)
	require.NoError(b, err)
	return list[0]
}

func path(c complaint.Complaint, words ...string) string {
	return strings.Join(append([]string{fmt.Sprintf("/admin/complaints/%d", c.ID)}, words...), "/")
}

// send posts an act on the newest version of a complaint.
func (b *bundle) send(who *desktest.Browser, c complaint.Complaint, noun string, form url.Values) (int, string) {
	b.Helper()
	now, err := b.complaints.Read(b.Context(), c.ID)
	require.NoError(b, err)
	if form == nil {
		form = url.Values{}
	}
	form.Set("version", fmt.Sprint(now.Version))
	answer := who.Send(path(c, noun), form)
	return answer.Code, answer.Body.String()
}

func (b *bundle) done(who *desktest.Browser, c complaint.Complaint, noun string, form url.Values) {
	b.Helper()
	code, body := b.send(who, c, noun, form)
	require.Equal(b, http.StatusOK, code, body)
}

var proposal = url.Values{
	"outcome": {"upheld"}, "redress": {"25 USDT"}, "cause": {"Nobody was on duty on Sunday"}, "text": {"We are sorry and credit you 25 USDT."}, "way": {"mail"},
}

// facts are the facts of a proposed answer, as its dialog carries them.
func (b *bundle) facts(who *desktest.Browser, c complaint.Complaint) string {
	b.Helper()
	_, after, found := strings.Cut(who.Part(path(c, "agreement")).Body.String(), `name="facts" value="`)
	require.True(b, found)
	facts, _, _ := strings.Cut(after, `"`)
	return facts
}

func TestFromTheConversationToTheAnswerOfTwo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	from := fmt.Sprintf("/admin/chat/%d/complaint", b.conversation)
	require.NotContains(t, b.agent.Part(from).Body.String(), `name="channel"`, "the channel is the chat")
	require.Equal(t, http.StatusNoContent, b.agent.Send(from, b.form(nil)).Code)
	c := b.newest()
	require.Equal(t, []any{b.trader, b.conversation, complaint.ChannelChat, int64(1_250_500_000)}, []any{c.TraderID, *c.ConversationID, c.Channel, *c.Claimed})
	code, _ := b.send(b.agent, c, "acknowledgement", url.Values{"text": {"We have it, thank you"}, "way": {"mail"}})
	require.Equal(t, http.StatusForbidden, code, "support registers, compliance handles")
	require.Contains(t, b.first.Part(path(c, "acknowledgement")).Body.String(), "registered it as "+c.Number(), "a draft of the text")
	b.done(b.first, c, "acknowledgement", url.Values{"text": {"We have it, thank you"}, "way": {"mail"}})
	b.done(b.first, c, "investigation", nil)
	code, _ = b.send(b.first, c, "answer", url.Values{"outcome": {"upheld"}})
	require.Equal(t, http.StatusUnprocessableEntity, code)
	b.done(b.first, c, "answer", proposal)
	code, _ = b.send(b.first, c, "agreement", url.Values{"facts": {b.facts(b.second, c)}, "code": {b.first.Code(t)}})
	require.Equal(t, http.StatusForbidden, code, "a second person")
	code, _ = b.send(b.second, c, "agreement", url.Values{"facts": {"00"}, "code": {b.second.Code(t)}})
	require.Equal(t, http.StatusConflict, code, "other facts than those shown")
	code, _ = b.send(b.second, c, "agreement", url.Values{"facts": {b.facts(b.second, c)}})
	require.Equal(t, http.StatusUnprocessableEntity, code, "a fresh code")
	b.done(b.second, c, "agreement", url.Values{"facts": {b.facts(b.second, c)}, "code": {b.second.Code(t)}})
	page := b.agent.Get(path(c)).Body.String()
	for _, words := range []string{"Upheld", "25 USDT", "We are sorry and credit you", "Reviewer 01", "Lead 01"} {
		require.Contains(t, page, words)
	}
	b.done(b.first, c, "closing", nil)
	var mails int
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE kind = 'complaint' AND recipient = 't@example.com'`).Scan(&mails))
	require.Equal(t, 2, mails, "the acknowledgement and the answer")
	code, _ = b.send(b.first, c, "closing", nil)
	require.Equal(t, http.StatusConflict, code)
}

func TestRefuseAndWithdrawAnAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.registered(nil)
	b.done(b.first, c, "acknowledgement", url.Values{"text": {"We have it, thank you"}, "way": {"phone"}, "sent": {"2026-11-20"}})
	require.Contains(t, b.auditor.Get(path(c)).Body.String(), "Phone")
	b.done(b.first, c, "investigation", nil)
	b.done(b.first, c, "answer", proposal)
	code, _ := b.send(b.first, c, "refusal", url.Values{"note": {"I changed my mind"}})
	require.Equal(t, http.StatusForbidden, code, "one's own is withdrawn")
	code, _ = b.send(b.second, c, "withdrawal", nil)
	require.NotEqual(t, http.StatusOK, code, "only one's own")
	b.done(b.second, c, "refusal", url.Values{"note": {"Look at the log again"}})
	b.done(b.first, c, "answer", proposal)
	b.done(b.first, c, "withdrawal", nil)
	b.done(b.first, c, "extension", url.Values{"text": {"We need the log of the bank."}, "way": {"letter"}, "sent": {"2026-11-20"}})
	require.Contains(t, b.agent.Get(path(c)).Body.String(), "8 Jan 2027")
	code, _ = b.send(b.first, c, "extension", url.Values{"text": {"We need more time still."}, "way": {"mail"}})
	require.Equal(t, http.StatusConflict, code, "once")
}

func TestWhatIsRegisteredIsWhole(t *testing.T) {
	t.Parallel()
	b := setup(t)
	from := fmt.Sprintf("/admin/traders/%d/complaint", b.trader)
	for name, change := range map[string]url.Values{
		"channel": {"channel": {""}}, "category": {"category": {"weather"}}, "summary": {"summary": {"short"}}, "received": {"received": {"2026-11-21"}}, "claimed": {"claimed": {"1.2.3"}},
	} {
		answer := b.agent.Send(from, b.form(change))
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, name)
		require.Contains(t, answer.Body.String(), `id="`+name+`-error"`)
	}
	require.Equal(t, http.StatusUnprocessableEntity, b.agent.Send("/admin/complaints/request", b.form(url.Values{"trader": {"99"}})).Code)
	require.Equal(t, http.StatusNoContent, b.agent.Send("/admin/complaints/request", b.form(url.Values{"trader": {fmt.Sprint(b.trader)}, "claimed": {""}})).Code)
	require.Equal(t, http.StatusUnprocessableEntity, b.agent.Send(fmt.Sprintf("/admin/chat/%d/complaint", b.visitor), b.form(nil)).Code, "a visitor has no account")
	require.Equal(t, http.StatusForbidden, b.finance.Send(from, b.form(nil)).Code)
	require.Equal(t, http.StatusForbidden, b.auditor.Send(from, b.form(nil)).Code)
}

func TestTheRegister(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.registered(nil)
	for _, query := range []string{"", "?category=withdrawal", "?state=received", "?due=2026-11-27", "?tab=all&trader=" + fmt.Sprint(b.trader)} {
		require.Contains(t, b.auditor.Get("/admin/complaints"+query).Body.String(), "nine days", query)
	}
	for _, query := range []string{"?category=conduct", "?state=closed", "?due=2026-11-26", "?tab=ended", "?overdue=yes"} {
		require.NotContains(t, b.auditor.Get("/admin/complaints"+query).Body.String(), "nine days", query)
	}
	require.NotContains(t, b.agent.Get(path(c)).Body.String(), "1,250.5", "support reads no exact amount")
	require.Contains(t, b.first.Get(path(c)).Body.String(), "1,250.5")
	file := b.auditor.Get("/admin/complaints/file").Body.String()
	require.Contains(t, file, c.Number()+",received,")
	require.Contains(t, file, "1250.5")
	require.Equal(t, http.StatusForbidden, b.agent.Get("/admin/complaints/file").Code)
	var exports int
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_entries WHERE action = 'complaint.export'`).Scan(&exports))
	require.Equal(t, 1, exports)
	b.Clock.Set(time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC))
	auditor := b.SignInAs(t, b.auditor.Person)
	require.Contains(t, auditor.Get("/admin/complaints?overdue=yes").Body.String(), "Acknowledgement overdue since 27 Nov")
	waiting, err := complaintdesk.Waiting(b.complaints)(t.Context())
	require.NoError(t, err)
	require.Equal(t, desk.Waiting{Count: 1, Late: true}, waiting)
	require.Equal(t, http.StatusForbidden, b.SignInAs(t, b.finance.Person).Get("/admin/complaints").Code)
}

// TestPayloads shows what people type as text and nothing else.
func TestPayloads(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, payload := range desktest.Payloads {
		answer := b.agent.Send(fmt.Sprintf("/admin/traders/%d/complaint", b.trader), b.form(url.Values{"summary": {payload}, "channel": {payload}, "category": {payload}, "received": {payload}, "claimed": {payload}, "product": {payload}}))
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, payload)
		desktest.Harmless(t, "the form again", answer.Body.String(), payload)
	}
	payload := "<script>alert(1)</script> \"quoted\" and more"
	c := b.registered(url.Values{"summary": {payload}})
	b.done(b.first, c, "acknowledgement", url.Values{"text": {payload}, "way": {"mail"}})
	b.done(b.first, c, "investigation", nil)
	b.done(b.first, c, "answer", url.Values{"outcome": {"rejected"}, "cause": {payload}, "text": {payload}, "way": {"mail"}})
	desktest.Harmless(t, "list", b.second.Get("/admin/complaints").Body.String(), payload)
	desktest.Harmless(t, "complaint", b.second.Get(path(c)).Body.String(), payload)
	desktest.Harmless(t, "dialog", b.second.Part(path(c, "agreement")).Body.String(), payload)
}
