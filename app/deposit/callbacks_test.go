package deposit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/jobs"
	"candor/app/provider"
	"candor/app/provider/sandbox"
)

// delivery is one request to the event endpoint.
type delivery struct {
	at, signature string
	body          []byte
	bad           bool // must be refused or have no effect
}

// signed signs a provider's message with a time.
func (h *providerFixture) signed(m provider.Message, at time.Time) delivery {
	body, err := json.Marshal(m)
	require.NoError(h, err)
	stamp := strconv.FormatInt(at.Unix(), 10)
	return delivery{stamp, provider.Sign(secret, stamp, http.MethodPost, provider.EventPath("sandbox"), body), body, false}
}

// invalid is the nth invalid variant of an event; it must have no effect.
func (h *providerFixture) invalid(n int, m provider.Message) delivery {
	now := h.clock.Now()
	m.Event = fmt.Sprint("BAD-", n)
	d := h.signed(m, now)
	d.bad = true
	switch n % 7 {
	case 0:
		d.signature = provider.Sign(strings.Repeat("x", 40), d.at, http.MethodPost, provider.EventPath("sandbox"), d.body)
	case 1:
		d = h.signed(m, now.Add(-provider.Window-time.Second))
	case 2:
		d.body = []byte(strings.Replace(string(d.body), `"amount":"`, `"amount":"9`, 1))
	case 3:
		d.signature = ""
	case 4: // properly signed, but untrue
		m.State, m.Amount = provider.Paid, "1000000"
		d = h.signed(m, now)
	case 5:
		m.Reference = "CD-NOBODY"
		d = h.signed(m, now)
	case 6:
		m.Currency = "BTC"
		d = h.signed(m, now)
	}
	d.bad = true
	return d
}

// callbacks is the number of events that TestCallbacks delivers.
func callbacks(t *testing.T) int {
	t.Helper()
	if text := os.Getenv("CALLBACKS"); text != "" {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		return n
	}
	return 500
}

// TestCallbacks delivers events one to five times, shuffled and concurrently, a fifth of them forged, stale, altered or untrue: every payment is credited once,
// to the unit, and nothing else is.
func TestCallbacks(t *testing.T) {
	t.Parallel()
	h, events := withProvider(t), callbacks(t)
	random := rand.New(rand.NewPCG(20, 261_120))
	require.NoError(t, h.sandbox.SetMode(sandbox.LostEvents)) // the test sends the events itself
	var list []delivery
	var owner ledger.Owner
	want, due, other := 0, int64(0), 0
	for n := 0; len(list) < events*4/5; n++ {
		if n%5 == 0 {
			owner = h.owner(2)
		}
		d := h.begin(owner, deposit.ThirdParty, int64(10*usdt)+int64(random.IntN(1_000_000_000)))
		m := provider.Message{Event: fmt.Sprint("EV-", n), Kind: provider.AboutPayment, Reference: d.Reference, State: provider.Paid, Amount: "10", Currency: "USDT"}
		switch n % 10 {
		case 8: // another amount
			require.NoError(t, h.sandbox.Settle(d.Reference, provider.Paid, "1"))
			other++
		case 9: // not paid, whatever the event says
		default:
			require.NoError(t, h.sandbox.Settle(d.Reference, provider.Paid, ""))
			want, due = want+1, due+d.Amount
		}
		for range 1 + random.IntN(5) {
			list = append(list, h.signed(m, h.clock.Now()))
		}
		if len(list) > 0 && n%3 == 0 { // in addition to the valid ones
			for range 2 {
				list = append(list, h.invalid(len(list), m))
			}
		}
	}
	for n := len(list); n < events; n++ {
		list = append(list, h.invalid(n, provider.Message{Kind: provider.AboutPayment, Reference: "CD-NOBODY", State: provider.Paid, Amount: "10", Currency: "USDT"}))
	}
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })

	var refused, accepted atomic.Int64
	concurrently(8, list, func(d delivery) {
		err := h.providers.Accept(t.Context(), "sandbox", d.at, d.signature, d.body)
		if err == nil {
			accepted.Add(1)
			return
		}
		assert.True(t, d.bad && errs.As(err) != nil, "%v", err)
		refused.Add(1)
	})
	ids := h.storedEvents()
	require.NotEmpty(t, ids)
	concurrently(8, append(ids, ids...), func(id int64) {
		if err := h.providers.Act(t.Context(), id); !errors.Is(err, db.ErrChanged) { // two runs acted on it at once, and one succeeded
			assert.NoError(t, err)
		}
	})
	h.advance(time.Minute)

	require.EqualValues(t, want, h.count(`SELECT count(*) FROM deposits WHERE state = 'credited'`))
	require.EqualValues(t, want, h.count(`SELECT count(*) FROM ledger_transactions WHERE kind = 'deposit'`))
	require.Equal(t, due, h.count(`SELECT coalesce(sum(cash), 0) FROM accounts WHERE trader_id IS NOT NULL AND book = 'real'`))
	require.EqualValues(t, other, h.count(`SELECT count(*) FROM deposits WHERE state = 'in_review'`))
	require.Zero(t, h.count(`SELECT count(*) FROM provider_events WHERE state = 'new'`))
	require.Positive(t, refused.Load())
	h.requireProved()
	require.Zero(t, h.withoutSecret(list), "without a secret nothing is accepted")

	text, err := json.Marshal(map[string]any{
		"goal": "G5", "events": len(list), "payments": want, "credits": want, "accepted": accepted.Load(), "refused": refused.Load(), "other_amounts": other, "without_secret": 0,
	})
	require.NoError(t, err)
	t.Log(string(text))
}

// storedEvents are the ids of the accepted events.
func (h *providerFixture) storedEvents() (ids []int64) {
	h.Helper()
	rows, err := h.db.Pool.Query(h.Context(), `SELECT id FROM provider_events`)
	require.NoError(h, err)
	for rows.Next() {
		var id int64
		require.NoError(h, rows.Scan(&id))
		ids = append(ids, id)
	}
	require.NoError(h, rows.Err())
	return ids
}

// withoutSecret is the number of deliveries that an installation without a secret accepts.
func (h *providerFixture) withoutSecret(list []delivery) (n int) {
	h.Helper()
	queue, err := jobs.New(h.db.Pool)
	require.NoError(h, err)
	bare := provider.New(h.db, h.clock, queue, "http://house", []provider.Provider{{ID: "sandbox", Name: "Sandbox", URL: h.server.URL}})
	for _, d := range list {
		unsigned := provider.Sign("", d.at, http.MethodPost, provider.EventPath("sandbox"), d.body)
		for _, signature := range []string{d.signature, unsigned, ""} {
			if bare.Accept(h.Context(), "sandbox", d.at, signature, d.body) == nil {
				n++
			}
		}
	}
	return n
}

// concurrently runs act for each element, at most width at a time.
func concurrently[T any](width int, list []T, act func(T)) {
	var group sync.WaitGroup
	work := make(chan T)
	for range width {
		group.Go(func() {
			for one := range work {
				act(one)
			}
		})
	}
	for _, one := range list {
		work <- one
	}
	close(work)
	group.Wait()
}
