package cashdesk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/app/deposit"
)

var rowPattern = regexp.MustCompile(`<article id="dp-(\d+)"`)

// rows are the deposits of a list, in order.
func rows(page string) (ids []string) {
	for _, match := range rowPattern.FindAllStringSubmatch(page, -1) {
		ids = append(ids, match[1])
	}
	return ids
}

func ids(list ...deposit.Deposit) (out []string) {
	for _, d := range list {
		out = append(out, fmt.Sprint(d.ID))
	}
	return out
}

func TestTheListIsFiltered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	rejected, credited, waiting, asked := b.waiting(100), b.waiting(200), b.waiting(300), b.waiting(400)
	announced := b.ask(b.trader("announced@example.com"), 500)
	for _, d := range []deposit.Deposit{rejected, credited, asked} {
		require.Equal(t, http.StatusOK, maker.claim(d).Code)
	}
	require.Equal(t, http.StatusOK, maker.reject(rejected, b.now(rejected.ID).Version, "not_received", "").Code)
	require.Equal(t, http.StatusOK, maker.approve(credited, b.now(credited.ID).Version, "200.00", "BANK-REF-1").Code)
	require.Equal(t, http.StatusOK, maker.Send(path(asked, "question"), url.Values{"version": {strconv.Itoa(b.now(asked.ID).Version)}, "reason": {"proof_unreadable"}}).Code)
	_, err := b.DB.Pool.Exec(t.Context(), `INSERT INTO pay_channels (id, kind, name, currency, minimum, maximum, bank, holder, iban, bic, sort, enabled)
		VALUES (3, 'bank', 'Another bank', 'USD', 1000000, 1000000000, 'B', 'C', 'DE3', '', 3, true)`)
	require.NoError(t, err)
	today, tomorrow := b.Clock.Now().Format("2006-01-02"), b.Clock.Now().AddDate(0, 0, 1).Format("2006-01-02")
	for query, want := range map[string][]string{
		"": ids(waiting, asked), "tab=ended": ids(credited, rejected), "tab=ended&outcome=rejected": ids(rejected), "tab=ended&outcome=expired": nil,
		"tab=ended&kind=bank": ids(credited, rejected), "tab=ended&kind=standard": nil, "channel=1": ids(waiting, asked), "channel=2": nil, "channel=3": nil, "tab=ended&channel=1": ids(credited, rejected), "channel=99999999999": ids(waiting, asked), "tab=ended&from=" + today + "&to=" + today: ids(credited, rejected),
		"tab=ended&from=" + tomorrow: nil, "state=more_info": ids(asked), "state=appeal": nil, "from=" + today: ids(waiting, asked), "from=" + tomorrow: nil,
		"q=dp-" + ids(credited)[0]: ids(credited), "q=" + ids(waiting)[0]: ids(waiting), "q=1": nil,
		"q=" + waiting.Reference: ids(waiting), "tab=ended&q=" + strings.ToLower(credited.Reference): ids(credited), "q=CD-2222-2222": nil, "q=" + announced.Reference: ids(announced),
		"tab=x&state=credited&q=y&from=z&to=2026-13-01": ids(waiting, asked),
	} {
		require.Equal(t, want, rows(maker.Get("/admin/deposits?"+query).Body.String()), query)
	}

	body := maker.Get("/admin/deposits?tab=ended&outcome=rejected&from=" + today).Body.String()
	for _, want := range []string{
		"Newest first", path(rejected) + "?tab=ended&amp;outcome=rejected&amp;from=" + today, "/admin/deposits/file?tab=ended&amp;outcome=rejected&amp;from=" + today,
		`href="/admin/deposits?tab=ended&amp;from=` + today + `"`, `href="/admin/deposits?tab=ended"`,
	} {
		require.Contains(t, body, want)
	}
	require.Contains(t, maker.Get("/admin/deposits?tab=ended&outcome=expired").Body.String(), "No ended deposits match these filters.")
	require.Equal(t, http.StatusOK, maker.Get(path(rejected)+"?tab=ended&outcome=rejected").Code)
	dialog := maker.Part("/admin/deposits/filter").Body.String()
	for _, name := range []string{"state", "q", "from", "to"} {
		require.Contains(t, dialog, `name="`+name+`"`)
	}
	require.NotContains(t, dialog, `name="kind"`, "the kinds of the queue are tabs")
	require.Equal(t, http.StatusSeeOther, maker.Get("/admin/deposits/filter").Code)
}

func TestEndedPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	maker := b.seat("Finance maker 02", access.FinanceMaker)
	first := b.waiting(450)
	_, err := b.DB.Pool.Exec(t.Context(), `
		INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, reference, state, file_id, created_at, proof_at, decided_at, expires_at)
		SELECT trader_id, account_id, channel_id, kind, currency, amount, 'REF-' || n, 'rejected', file_id, created_at - n / 10 * interval '1 minute', proof_at, proof_at, expires_at
		FROM deposits, generate_series(1, 120) n WHERE id = $1`, first.ID)
	require.NoError(t, err)
	var list []int64
	search := deposit.Search{Ended: true}
	for place := (deposit.Cursor{}); ; {
		page, next, err := b.deposits.Find(t.Context(), search, place, 25)
		require.NoError(t, err)
		last := time.Time{}
		for _, d := range page {
			require.True(t, last.IsZero() || !d.CreatedAt.After(last), "the newest first")
			last = d.CreatedAt
			require.NotContains(t, list, d.ID, "none twice")
			list = append(list, d.ID)
		}
		if place = next; next.ID == 0 {
			break
		}
	}
	require.Len(t, list, 120, "none left out")
	body := maker.Get("/admin/deposits?tab=ended").Body.String()
	require.Len(t, rows(body), 50)
	next := regexp.MustCompile(`href="(/admin/deposits\?tab=ended&amp;after=[^&"]+)"`).FindStringSubmatch(body)
	require.NotNil(t, next)
	body = maker.Get(strings.ReplaceAll(next[1], "&amp;", "&")).Body.String()
	require.Len(t, rows(body), 50)
	require.Contains(t, body, "Newest<")
}
