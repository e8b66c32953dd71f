package controldesk_test

import (
	"context"
	"crypto/ed25519"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/controldesk"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/admin/signin"
	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/kyc"
	"candor/app/market"
	"candor/app/notice"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/events"
	"candor/app/platform/mail"
	"candor/app/platform/seal"
	"candor/app/reconciliation"
	"candor/app/report"
	"candor/app/staff"
	"candor/app/support"
	"candor/app/switches"
	"candor/app/withdrawal"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// office is an office with the control desk and the sign-in routes.
type office struct {
	*desktest.Office
	prices  *prices
	changes *market.Changes
	keys    *switches.Changes
	notices *notice.Service
	log     *audit.Log
	books   *reconciliation.Service
	chat    *support.Service
	test    *dbtest.DB
}

func open(t testing.TB) *office { return openIn(t, false) }

// openIn opens the desk of a production server or of a development server.
func openIn(t testing.TB, production bool) *office {
	t.Helper()
	h := &office{prices: &prices{}, test: dbtest.New(t)}
	var values *switches.Service
	nobody := func(int64) {}
	h.Office = desktest.New(t, h.test.URL, func(c *desk.Config) {
		bus, err := events.Open("")
		require.NoError(t, err)
		t.Cleanup(bus.Close)
		h.prices.Service, h.changes = terms(t, c, bus)
		values, err = switches.Load(t.Context(), c.DB, nil)
		require.NoError(t, err)
		h.keys, h.notices = switches.NewChanges(c.DB, values, c.Clock, approval.New(c.DB, c.Clock, nil), bus, nil), notice.New(c.DB, c.Clock, values, bus, nil, approval.New(c.DB, c.Clock, nil))
		h.chat = support.New(c.DB, c.Clock, bus, nil, nil, nil)
		c.Health = desktest.Healthy
		c.Counts = map[string]func(context.Context) (desk.Waiting, error){
			"staff": controldesk.WaitingRequests(c.Staff), "products": controldesk.WaitingChanges(h.changes),
		}
	})
	h.log, h.books = audit.NewLog(h.DB), reconciliation.New(h.DB, h.Clock)
	h.Frame.MountPublic(h.Echo, signin.Routes(h.Staff))
	h.Mount(controldesk.Routes(controldesk.Services{
		Staff: h.Staff, Audit: h.log, Outbox: h.Outbox, Market: h.prices, Changes: h.changes, Switches: h.keys, Notices: h.notices, Books: h.books, Kept: true, Production: production,
		Deposits: deposit.New(deposit.Config{DB: h.DB, Clock: h.Clock, Switches: values, Changed: nobody}), Withdrawals: withdrawal.New(withdrawal.Config{DB: h.DB, Clock: h.Clock, Switches: values, Approvals: h.Approvals, Changed: nobody}),
		Adjustments: adjustment.New(adjustment.Config{DB: h.DB, Clock: h.Clock, Switches: values, Approvals: h.Approvals, Changed: nobody}), Identities: kyc.New(kyc.Config{DB: h.DB, Clock: h.Clock}), Chat: h.chat,
		Reports: report.New(h.DB, h.Clock),
	}))
	return h
}

// terms is a market on the office's clock, with its service of changes.
func terms(t testing.TB, c *desk.Config, bus *events.Bus) (*market.Service, *market.Changes) {
	t.Helper()
	require.NoError(t, market.Seed(t.Context(), c.DB))
	_, key, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	m := market.New(market.Config{DB: c.DB, Feed: silent{c.Clock}, Clock: c.Clock, Key: key, Checkpoints: seal.NewCheckpointStore(t.TempDir(), "tape")})
	require.NoError(t, m.Load(t.Context()))
	return m, market.NewChanges(c.DB, m, approval.New(c.DB, c.Clock, nil), bus)
}

// silent is a feed without quotes.
type silent struct{ clock clock.Clock }

func (silent) Name() string         { return "silent" }
func (f silent) Clock() clock.Clock { return f.clock }

func (silent) Start([]market.Product, *market.Hours, map[string]market.Last) error { return nil }

func (silent) History(context.Context, func(market.Raw)) ([]market.Candle, error) { return nil, nil }
func (silent) Run(context.Context, func(market.Raw)) error                        { return nil }
func (silent) StaleLimit(market.Product) time.Duration                            { return time.Hour }

func actor(p staff.Person) audit.Actor {
	return p.Acting(audit.Actor{
		IP: "10.20.4.17", Agent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36", TraceID: "5d02aa1be8be18b1",
	})
}

func (h *office) act(t testing.TB, e audit.Entry) {
	t.Helper()
	require.NoError(t, h.log.Record(t.Context(), e))
}

// people hires the people of the example, by name.
func (h *office) people(t testing.TB) map[string]staff.Person {
	t.Helper()
	out := map[string]staff.Person{}
	for _, one := range []struct {
		name  string
		roles []access.Role
	}{
		{"Super admin 01", []access.Role{access.SuperAdmin}}, {"Super admin 02", []access.Role{access.SuperAdmin}}, {"Finance maker 02", []access.Role{access.FinanceMaker}},
		{"Finance checker 01", []access.Role{access.FinanceChecker}}, {"Support agent 07", []access.Role{access.SupportAgent}}, {"Auditor 01", []access.Role{access.Auditor}},
		{"Compliance reviewer 04", nil}, {"Content editor 02", []access.Role{access.ContentEditor}},
	} {
		out[one.name] = h.Hire(t, one.name, one.roles...)
	}
	return out
}

// example fills the office with a day of work.
func (h *office) example(t testing.TB) map[string]staff.Person {
	t.Helper()
	p, ctx := h.people(t), t.Context()
	root, second, maker := p["Super admin 01"], p["Super admin 02"], p["Finance maker 02"]
	h.Clock.Set(desktest.Start.Add(-26 * time.Hour))
	_, err := h.Staff.AskRole(ctx, actor(root), p["Compliance reviewer 04"].ID, staff.ComplianceReviewer)
	require.NoError(t, err)
	h.Clock.Set(desktest.Start.Add(-90 * time.Minute))
	_, err = h.Staff.AskRole(ctx, actor(second), p["Support agent 07"].ID, staff.Risk)
	require.NoError(t, err)
	invited, err := h.Staff.Invite(ctx, actor(root), "new.person@example.com", "Marta Specimen")
	require.NoError(t, err)
	require.NoError(t, h.Staff.Disable(ctx, actor(root), p["Content editor 02"].ID, 1))
	_, err = h.DB.Pool.Exec(ctx, `UPDATE staff SET signed_in_at = $1 WHERE id <> $2`, desktest.Start.Add(-48*time.Minute), invited.ID)
	require.NoError(t, err)

	trader := audit.Actor{Kind: audit.Trader, ID: 10482731, Name: "ma***a@example.com", IP: "198.51.100.7", TraceID: "aa"}
	for i, e := range []audit.Entry{
		audit.By(trader, desktest.Start.Add(-5*time.Hour), "deposit.request", "deposit", 51877),
		audit.By(trader, desktest.Start.Add(-4*time.Hour), "deposit.prove", "deposit", 51877),
		audit.By(actor(maker), desktest.Start.Add(-50*time.Minute), "deposit.claim", "deposit", 51877),
		audit.By(actor(maker), desktest.Start.Add(-45*time.Minute), "deposit.view_proof", "deposit", 51877),
		audit.By(actor(maker), desktest.Start.Add(-34*time.Minute), "deposit.approve", "deposit", 51877),
		audit.By(actor(p["Support agent 07"]), desktest.Start.Add(-6*time.Minute), "access.refuse", "route", "POST /admin/deposits/:id/approval"),
		audit.By(audit.Actor{Kind: audit.System, Name: "expiry"}, desktest.Start.Add(-2*time.Minute), "deposit.expire", "deposit", 51801),
	} {
		switch i {
		case 4:
			e.Before, e.After = `{"state":"in_review","version":4}`, `{"state":"approved","version":5,"received":8000000000,"maker":`+strconv.FormatInt(maker.ID, 10)+`}`
		case 5:
			e.Result, e.After = audit.Denied, `{"permission":"deposit.decide","reason":"denied"}`
		}
		h.act(t, e)
	}
	h.Clock.Set(desktest.Start)
	require.NoError(t, h.DB.InTx(ctx, func(tx *db.Tx) error {
		return h.Outbox.SendTx(ctx, tx, mail.Message{Kind: "register_code", Channel: mail.SMS, Recipient: "+34600000000", Subject: "Code", Body: "Your code is 123456.", CreatedAt: desktest.Start.Add(-time.Minute)})
	}))
	h.exampleChanges(t, p)
	return p
}

// Products of the catalogue used by the tests.
const (
	eurusd = 1
	xauusd = 101
	aapl   = 301
)

// exampleChanges lets two people change products: a scheduled version, open requests, a refused and a withdrawn one.
func (h *office) exampleChanges(t testing.TB, p map[string]staff.Person) {
	t.Helper()
	asks, agrees := h.Hire(t, "Config admin 01", access.ConfigAdmin), h.Hire(t, "Config approver 01", access.ConfigApprover)
	p["Config admin 01"], p["Config approver 01"] = asks, agrees
	ctx, by := t.Context(), actor(agrees)
	require.NoError(t, h.changes.Approve(ctx, by, h.askTerms(t, asks, eurusd, 48, map[string]string{"swap_long": "-9.4", "stop_level": "30"}, "Rates of the providers rose.")))
	require.NoError(t, h.changes.Refuse(ctx, by, h.askTerms(t, asks, eurusd, 96, map[string]string{"spread_markup": "9"}, "Quiet nights.")))
	require.NoError(t, h.changes.Withdraw(ctx, actor(asks), h.askTerms(t, asks, xauusd, 96, map[string]string{"stale_ms": "5000"}, "Typed on the wrong product.")))
	h.askTerms(t, asks, eurusd, 96, map[string]string{"tiers": "10:500,20:200,50:100", "lot_max": "40", "commission_per_lot": "2.5", "swap_model": "percent"}, "The risk desk asked for it.")
	_, err := h.changes.AskDividend(ctx, actor(asks), aapl, desktest.Start.AddDate(0, 0, 12), 260_000, "Declared on 19 November.")
	require.NoError(t, err)
}

// askTerms requests new terms, effective after some hours.
func (h *office) askTerms(t testing.TB, by staff.Person, product int, hours time.Duration, values map[string]string, reason string) int64 {
	t.Helper()
	id, err := h.changes.AskTerms(t.Context(), actor(by), product, values, h.Clock.Now().Add(hours*time.Hour), reason)
	require.NoError(t, err)
	return id
}

// prices is a market with fixed prices, whose products cover every state.
type prices struct{ *market.Service }

func (*prices) Newest(id int) (market.Quote, bool) {
	return market.Quote{ProductID: id, Seq: 8812204, Bid: 107_942 + int64(id)*31, Ask: 107_951 + int64(id)*31}, id%13 != 5
}

func (*prices) Status(id int) (market.Status, error) {
	until := desktest.Start.Add(3 * time.Hour)
	switch id % 13 {
	case 3:
		return market.Status{Open: true, Until: until, Stale: true, AgeMS: 47_000}, nil
	case 4:
		return market.Status{Open: true, Until: until, Halted: true, AgeMS: 900}, nil
	case 7:
		return market.Status{Until: until, Stale: true, AgeMS: 7_400_000}, nil
	default:
		return market.Status{Open: true, Until: until, AgeMS: 400}, nil
	}
}

func (*prices) StaleLimit(p market.Product) time.Duration {
	return time.Duration(p.StaleMS) * time.Millisecond
}
func (*prices) Rejections() map[market.Rejection]int64 {
	return map[market.Rejection]int64{"crossed": 2, "spike": 14}
}
func (*prices) FeedName() string { return "simulated" }
