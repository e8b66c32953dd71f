package bonusdesk_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/bonusdesk"
	"candor/admin/desk"
	"candor/admin/desk/desktest"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/bonus"
	"candor/app/platform/dbtest"
	"candor/app/switches"
	"candor/app/trader"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

const unit = 1_000_000

// bundle is a desk with two of finance, and a verified trader.
type bundle struct {
	*testing.T
	*desktest.Office
	bonuses        *bonus.Service
	traderID       int64
	maker, checker *desktest.Browser
}

func setup(t *testing.T) *bundle {
	t.Helper()
	o := desktest.New(t, dbtest.New(t).URL, func(c *desk.Config) { c.Health = desktest.Healthy })
	b := &bundle{T: t, Office: o}
	_, err := o.DB.Pool.Exec(t.Context(), `INSERT INTO switches (key, value) VALUES ('bonus.enabled', 'true')`)
	require.NoError(t, err)
	values, err := switches.Load(t.Context(), o.DB, nil)
	require.NoError(t, err)
	traders := trader.New(trader.Config{DB: o.DB, Clock: o.Clock})
	b.bonuses = bonus.New(bonus.Config{DB: o.DB, Clock: o.Clock, Switches: values, Approvals: o.Approvals, Traders: traders, Changed: func(int64) {}})
	o.Mount(bonusdesk.Routes(bonusdesk.Services{Bonuses: b.bonuses, Traders: traders, Staff: o.Staff, Audit: audit.NewLog(o.DB)}))
	require.NoError(t, o.DB.Pool.QueryRow(t.Context(), `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at, auth_status) VALUES ('marta@example.com', 'Marta', 'x', 'JP', 'marta', now(), 3) RETURNING id`).Scan(&b.traderID))
	b.maker, b.checker = o.SignIn(t, access.FinanceMaker), o.SignIn(t, access.FinanceChecker)
	return b
}

func (b *bundle) campaign() url.Values {
	return url.Values{
		"rule": {"deposit"}, "amount": {"1,200"}, "share": {"12.5"}, "minimum": {"100"}, "days": {"60"}, "budget": {"12000"}, "note": {"For the new season"}, "key": {"0123456789abcdef"},
		"last_day": {b.Clock.Now().AddDate(0, 1, 0).Format(time.DateOnly)},
	}
}

// asked is the request that a form has made.
func (b *bundle) asked(path string, form url.Values) bonus.Request {
	b.Helper()
	answer := b.maker.Send(path, form)
	require.NotEmpty(b, answer.Header().Get("HX-Redirect"), answer.Body.String())
	list, err := b.bonuses.List(b.Context(), bonus.Search{}, 0, 5)
	require.NoError(b, err)
	return list[len(list)-1]
}

func (b *bundle) decide(by *desktest.Browser, r bonus.Request, noun string) *httptest.ResponseRecorder {
	b.Helper()
	return by.Send(fmt.Sprintf("/admin/bonuses/%d/%s", r.ID, noun), url.Values{
		"version": {strconv.Itoa(r.Version)}, "facts": {hex.EncodeToString(r.Facts)}, "note": {"too generous"}, "code": {by.Code(b.T)},
	})
}

func (b *bundle) read(id int64) bonus.Request {
	b.Helper()
	r, err := b.bonuses.Read(b.Context(), id)
	require.NoError(b, err)
	return r
}

func TestTwoPeopleStartACampaignAndOneStopsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Contains(t, b.maker.Part("/admin/bonuses/new").Body.String(), "Share of the deposit")
	r := b.asked("/admin/bonuses/new", b.campaign())
	require.Equal(t, []any{bonus.ByDeposit, int64(1_200 * unit), 1_250, int64(100 * unit), int64(12_000 * unit), 60}, []any{r.Wanted.Rule, r.Wanted.Amount, r.Wanted.ShareBps, r.Wanted.Minimum, r.Wanted.Budget, r.Wanted.Days})
	require.Equal(t, http.StatusForbidden, b.decide(b.maker, r, "confirmation").Code)
	page := b.checker.Get(fmt.Sprint("/admin/bonuses/", r.ID)).Body.String()
	for _, text := range []string{"1,200.00 USDT", "12.5 %", "12,000.00 USDT", "60 days after it is granted", "For the new season"} {
		require.Contains(t, page, text)
	}
	require.NotContains(t, page, "Stop campaign")
	require.Contains(t, b.decide(b.checker, r, "confirmation").Body.String(), r.Number()+" approved.")
	require.Contains(t, b.checker.Get("/admin/bonuses?tab=applied").Body.String(), r.Number())
	r = b.read(r.ID)
	require.Contains(t, b.checker.Get(fmt.Sprint("/admin/bonuses/", r.ID)).Body.String(), "Running")
	require.Equal(t, http.StatusForbidden, b.decide(b.maker, r, "stop").Code)
	require.Contains(t, b.decide(b.checker, r, "stop").Body.String(), "Campaign stopped.")
	page = b.checker.Get(fmt.Sprint("/admin/bonuses/", r.ID)).Body.String()
	require.Contains(t, page, "Stopped")
	require.Contains(t, page, "stopped the campaign "+r.Number())
	require.Equal(t, http.StatusConflict, b.decide(b.checker, r, "stop").Code, "once")
}

func TestABonusForOneTrader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := fmt.Sprintf("/admin/traders/%d/bonus", b.traderID)
	form := url.Values{"amount": {"25"}, "days": {"30"}, "note": {"A late answer"}, "key": {"fedcba9876543210"}}
	require.Contains(t, b.maker.Part(path).Body.String(), "Request a bonus for trader")
	require.Equal(t, http.StatusForbidden, b.checker.Send(path, form).Code, "who approves never asks")
	require.Equal(t, http.StatusNotFound, b.maker.Send("/admin/traders/1/bonus", form).Code)
	r := b.asked(path, form)
	require.True(t, r.Gift())
	require.Equal(t, http.StatusForbidden, b.decide(b.checker, r, "withdrawal").Code, "its requester alone")
	require.Contains(t, b.decide(b.checker, r, "refusal").Body.String(), r.Number()+" rejected.")
	require.Contains(t, b.maker.Get(fmt.Sprint("/admin/bonuses/", r.ID)).Body.String(), "too generous")
	form.Set("key", "fedcba9876543211")
	r = b.asked(path, form)
	b.decide(b.checker, r, "confirmation")
	require.Equal(t, approval.Applied, b.read(r.ID).State)
	require.Contains(t, b.checker.Get(fmt.Sprint("/admin/bonuses/", r.ID)).Body.String(), "waiting for the trader")
}

func TestWhatIsTypedMustBeComplete(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for field, value := range map[string]string{"rule": "trades", "amount": "much", "share": "0", "minimum": "-1", "days": "x", "budget": "1", "last_day": "2020-01-01", "note": "", "key": ""} {
		typed := b.campaign()
		typed.Set(field, value)
		answer := b.maker.Send("/admin/bonuses/new", typed)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Code, field)
		require.Contains(t, answer.Body.String(), "-error", field)
	}
	large := b.campaign()
	large.Set("amount", "99999999")
	large.Set("budget", "99999999")
	require.Contains(t, b.maker.Send("/admin/bonuses/new", large).Body.String(), "up to 50000 USDT")
	require.Equal(t, http.StatusForbidden, b.SignIn(t, access.SupportLead).Get("/admin/bonuses").Code)
}
