package provider_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/errs"
	"candor/app/provider"
)

// receiveEvent is a minimal event endpoint.
func (b *bundle) receiveEvent(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	err := b.service.Accept(r.Context(), "sandbox", r.Header.Get(provider.TimeHeader), r.Header.Get(provider.SignatureHeader), body)
	if err != nil && errs.As(err) == nil {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

// accept delivers a message signed by the provider at a moment.
func (b *bundle) accept(m provider.Message, at time.Time) error {
	b.Helper()
	body, err := json.Marshal(m)
	require.NoError(b, err)
	stamp := strconv.FormatInt(at.Unix(), 10)
	return b.service.Accept(b.Context(), "sandbox", stamp, provider.Sign(secret, stamp, http.MethodPost, provider.EventPath("sandbox"), body), body)
}

var paid = provider.Message{Event: "EV-1", Kind: provider.AboutPayment, Reference: "DP-50001", State: provider.Paid, Amount: "100", Currency: "USDT"}

func TestAccept(t *testing.T) {
	t.Parallel()

	t.Run("AnEventIsKeptOnceAndActedOnOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 5 {
			require.NoError(t, b.accept(paid, evening))
		}
		require.Equal(t, 1, b.count("new"))
		b.actOnAll()
		b.actOnAll()
		require.Len(t, b.handled, 1)
		require.Equal(t, paid, b.handled[0].Message)
		require.Equal(t, "sandbox", b.handled[0].Provider)
		require.Equal(t, 1, b.count("done"))
	})
	t.Run("EightAtOnceKeepItOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() { require.NoError(t, b.accept(paid, evening)) })
		}
		group.Wait()
		require.Equal(t, 1, b.count("new"))
	})
	t.Run("TheSameEventWithAnotherContentIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.accept(paid, evening))
		other := paid
		other.Amount = "100000"
		require.ErrorIs(t, b.accept(other, evening), provider.ErrAltered)
		b.actOnAll()
		require.Equal(t, "100", b.handled[0].Amount)
	})
	t.Run("AnEventThatWasNotActedOnComesAgain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.accept(paid, evening))
		b.fail = errors.New("the database is away")
		var id int64
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT id FROM provider_events`).Scan(&id))
		require.ErrorIs(t, b.service.Act(t.Context(), id), b.fail)
		require.Equal(t, 1, b.count("new"))
		b.fail = nil
		b.actOnAll()
		require.Len(t, b.handled, 1)
	})
	t.Run("OfAKindThatNobodyWaitsForItIsKeptAndDone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		payout := paid
		payout.Kind = provider.AboutPayout
		require.NoError(t, b.accept(payout, evening))
		b.actOnAll()
		require.Empty(t, b.handled)
		require.Equal(t, 1, b.count("done"))
	})
}

func TestAcceptRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	body, err := json.Marshal(paid)
	require.NoError(t, err)
	at := strconv.FormatInt(evening.Unix(), 10)
	path := provider.EventPath("sandbox")
	good := provider.Sign(secret, at, http.MethodPost, path, body)
	stamp := func(moved time.Duration) string { return strconv.FormatInt(evening.Add(moved).Unix(), 10) }
	signed := func(at string) [2]string {
		return [2]string{at, provider.Sign(secret, at, http.MethodPost, path, body)}
	}
	for name, try := range map[string]struct {
		provider string
		head     [2]string
		body     string
		want     error
	}{
		"NoSignature":               {"sandbox", [2]string{at, ""}, string(body), provider.ErrEvent},
		"AnotherSecret":             {"sandbox", [2]string{at, provider.Sign(strings.Repeat("x", 36), at, http.MethodPost, path, body)}, string(body), provider.ErrEvent},
		"NoSecretAtAll":             {"sandbox", [2]string{at, provider.Sign("", at, http.MethodPost, path, body)}, string(body), provider.ErrEvent},
		"AnUnknownProvider":         {"other", [2]string{at, good}, string(body), provider.ErrEvent},
		"AnUnknownProviderNoSecret": {"other", [2]string{at, provider.Sign("", at, http.MethodPost, provider.EventPath("other"), body)}, string(body), provider.ErrEvent},
		"AnAlteredBody":             {"sandbox", [2]string{at, good}, strings.Replace(string(body), "100", "900", 1), provider.ErrEvent},
		"ARequestsSignature":        {"sandbox", [2]string{at, provider.Sign(secret, at, http.MethodGet, path, body)}, string(body), provider.ErrEvent},
		"AnotherPathsSignature":     {"sandbox", [2]string{at, provider.Sign(secret, at, http.MethodPost, "/v1/payments", body)}, string(body), provider.ErrEvent},
		"AnotherTimesSignature":     {"sandbox", [2]string{stamp(time.Second), good}, string(body), provider.ErrEvent},
		"TooOld":                    {"sandbox", signed(stamp(-provider.Window - time.Second)), string(body), provider.ErrEvent},
		"FromTheFuture":             {"sandbox", signed(stamp(provider.Window + time.Second)), string(body), provider.ErrEvent},
		"NoTime":                    {"sandbox", signed(""), string(body), provider.ErrEvent},
		"ATimeThatIsNone":           {"sandbox", signed("today"), string(body), provider.ErrEvent},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, b.service.Accept(t.Context(), try.provider, try.head[0], try.head[1], []byte(try.body)), try.want)
		})
	}
	for name, m := range map[string]provider.Message{
		"NoEvent":       {Kind: paid.Kind, Reference: "DP-1"},
		"NoReference":   {Event: "EV-2", Kind: paid.Kind},
		"AnUnknownKind": {Event: "EV-2", Kind: "price", Reference: "DP-1"},
		"ALongEvent":    {Event: strings.Repeat("e", 65), Kind: paid.Kind, Reference: "DP-1"},
		"AZeroByte":     {Event: "EV\x00", Kind: paid.Kind, Reference: "DP-1"},
	} {
		t.Run(name, func(t *testing.T) { require.ErrorIs(t, b.accept(m, evening), provider.ErrMalformed) })
	}
	require.Zero(t, b.count("new"))
	require.NoError(t, b.accept(paid, evening.Add(-provider.Window)), "the edge of the window")
	require.Equal(t, 1, b.count("new"))
}
