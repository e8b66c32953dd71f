package provider_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/clock"
	"candor/app/provider"
	"candor/app/provider/sandbox"
)

func (b *bundle) order(reference string) provider.PaymentOrder {
	return provider.PaymentOrder{Reference: reference, Kind: provider.ThirdParty, Amount: "100", Currency: "USDT", NotifyURL: b.notify}
}

func (b *bundle) payout(reference string) provider.PayoutOrder {
	return provider.PayoutOrder{Reference: reference, Kind: provider.Bank, Amount: "99.5", Currency: "USDT", Holder: "ANNA", IBAN: "DE89370400440532013000", NotifyURL: b.notify}
}

func TestPayments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asked, err := b.gateway.Pay(t.Context(), b.order("DP-1"))
	require.NoError(t, err)
	require.Equal(t, b.server.URL+"/pay/DP-1", asked.PayURL)
	again, err := b.gateway.Pay(t.Context(), b.order("DP-1"))
	require.NoError(t, err)
	require.Equal(t, asked, again, "asked twice, it acts once")
	other := b.order("DP-1")
	other.Amount = "1000"
	_, err = b.gateway.Pay(t.Context(), other)
	require.Equal(t, provider.RefusedError{Code: "another_order"}, err)
	_, err = b.gateway.Payment(t.Context(), "DP-2")
	require.ErrorIs(t, err, provider.ErrAbsent)

	require.NoError(t, b.sandbox.Settle("DP-1", provider.Paid, ""))
	b.sandbox.Wait()
	b.actOnAll()
	require.Len(t, b.handled, 1)
	now, err := b.gateway.Payment(t.Context(), "DP-1")
	require.NoError(t, err)
	require.Equal(t, []string{provider.Paid, "100"}, []string{now.State, now.Paid})
	require.Error(t, b.sandbox.Settle("DP-1", provider.Paid, ""), "it is paid once")
	require.NoError(t, b.sandbox.Settle("DP-1", provider.ChargedBack, ""))
}

func TestOverTheCounter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	order := b.order("DP-1")
	order.Kind = provider.OTC
	asked, err := b.gateway.Pay(t.Context(), order)
	require.NoError(t, err)
	require.NotEmpty(t, asked.Merchant.Account)
	require.Equal(t, provider.Offer{Currency: "EUR", Amount: "92.67", Rate: "0.9267", ReleaseMinutes: 30}, *asked.Offer)
	odd := order
	odd.Reference, odd.Amount = "DP-2", "much"
	_, err = b.gateway.Pay(t.Context(), odd)
	require.Equal(t, provider.RefusedError{Code: "amount"}, err)
	_, err = b.gateway.Act(t.Context(), "DP-1", provider.MarkPaid)
	require.NoError(t, err)
	disputed, err := b.gateway.Act(t.Context(), "DP-1", provider.Appeal)
	require.NoError(t, err)
	require.Equal(t, provider.Disputed, disputed.State)
	_, err = b.gateway.Act(t.Context(), "DP-1", provider.Cancel)
	require.Equal(t, provider.RefusedError{Code: "state"}, err)
	require.NoError(t, b.sandbox.Settle("DP-1", provider.Paid, ""))
	paid, err := b.gateway.Payment(t.Context(), "DP-1")
	require.NoError(t, err)
	require.Equal(t, []string{"92.67", "EUR", "100", "USDT"}, []string{paid.Paid, paid.PaidIn(), paid.Amount, paid.Currency})
	b.sandbox.Wait()
	b.actOnAll()
	require.Equal(t, []string{"92.67", "EUR"}, []string{b.handled[0].Amount, b.handled[0].Currency}, "the event says it in the same currency")
}

func TestCoins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for chain, begins := range map[string]string{"tron": "T", "ethereum": "0x", "bitcoin": "bc1q"} {
		a, err := b.gateway.Address(t.Context(), provider.AddressOrder{Reference: "AD-" + chain, Coin: "USDT", Chain: chain, NotifyURL: b.notify})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(a.Address, begins), a.Address)
	}
	_, err := b.gateway.Address(t.Context(), provider.AddressOrder{Reference: "AD-x", Coin: "USDT", Chain: "x"})
	require.Equal(t, provider.RefusedError{Code: "chain"}, err)

	id, err := b.sandbox.Receive("AD-tron", "USDT", "tron", "25")
	require.NoError(t, err)
	state := func() string {
		list, err := b.gateway.Transfers(t.Context(), "AD-tron")
		require.NoError(t, err)
		require.Len(t, list, 1)
		return fmt.Sprint(list[0].State, " ", list[0].Confirmations)
	}
	require.Equal(t, "detected 0", state())
	require.NoError(t, b.sandbox.Mine(id))
	require.Equal(t, "detected 1", state())
	require.NoError(t, b.sandbox.Reorganise(id))
	require.Equal(t, "dropped 0", state())
	require.Error(t, b.sandbox.Mine(id))
	require.NoError(t, b.sandbox.Reappear(id))
	for range sandbox.Required {
		require.NoError(t, b.sandbox.Mine(id))
	}
	require.Equal(t, "confirmed 3", state())
}

func TestPayouts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.gateway.Send(t.Context(), b.payout("WD-1"))
	require.NoError(t, err)
	again, err := b.gateway.Send(t.Context(), b.payout("WD-1"))
	require.NoError(t, err)
	require.Equal(t, provider.Accepted, again.State)
	require.NoError(t, b.sandbox.Advance("WD-1", provider.Sent))
	require.Error(t, b.sandbox.Advance("WD-1", provider.Failed), "what was sent did not fail")
	now, err := b.gateway.Payout(t.Context(), "WD-1")
	require.NoError(t, err)
	require.Equal(t, provider.Sent, now.State)
	require.NotEmpty(t, now.Payment)
	require.NoError(t, b.sandbox.Advance("WD-1", provider.Returned))
}

// TestFaults checks the client against each fault of the sandbox.
func TestFaults(t *testing.T) {
	t.Parallel()
	for mode, want := range map[sandbox.Mode]struct {
		unclear, done bool
		heard         int
	}{
		sandbox.Healthy:      {false, true, 1},
		sandbox.LostRequest:  {true, false, 0},
		sandbox.LateAnswer:   {true, true, 1},
		sandbox.Mute:         {true, true, 1},
		sandbox.ServerError:  {true, true, 1},
		sandbox.LostEvents:   {false, true, 0},
		sandbox.ManyEvents:   {false, true, 1},
		sandbox.OtherAmounts: {false, true, 1},
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			require.NoError(t, b.sandbox.SetMode(mode))
			_, err := b.gateway.Pay(t.Context(), b.order("DP-1"))
			if want.unclear {
				require.ErrorIs(t, err, provider.ErrUnclear)
			} else {
				require.NoError(t, err)
			}
			if mode == sandbox.Mute {
				_, err = b.gateway.Payment(t.Context(), "DP-1")
				require.ErrorIs(t, err, provider.ErrUnclear)
				require.NoError(t, b.sandbox.SetMode(sandbox.Healthy))
			}
			_, err = b.gateway.Payment(t.Context(), "DP-1")
			if !want.done {
				require.ErrorIs(t, err, provider.ErrAbsent)
				return
			}
			require.NoError(t, err)
			require.NoError(t, b.sandbox.Settle("DP-1", provider.Paid, ""))
			b.sandbox.Wait()
			b.actOnAll()
			require.Len(t, b.handled, want.heard)
			now, err := b.gateway.Payment(t.Context(), "DP-1")
			require.NoError(t, err)
			require.Equal(t, mode == sandbox.OtherAmounts, now.Paid != now.Amount)
		})
	}
	require.Error(t, setup(t).sandbox.SetMode("otherwise"))
}

// TestAnswersThatAreNotBelieved checks the answers of an impostor, or of a proxy in between.
func TestAnswersThatAreNotBelieved(t *testing.T) {
	t.Parallel()
	fixed := clock.NewFixed(evening)
	for name, answer := range map[string]func(w http.ResponseWriter, r *http.Request){
		"Unsigned": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"state":"paid"}`) },
		"SignedForAnotherPath": func(w http.ResponseWriter, _ *http.Request) {
			signed(w, fixed.Now(), http.StatusOK, "/v1/payments/DP-2", `{"state":"paid"}`)
		},
		"SignedForAnotherStatus": func(w http.ResponseWriter, r *http.Request) {
			head(w, fixed.Now(), http.StatusNotFound, r.URL.Path, `{}`)
			fmt.Fprint(w, `{}`)
		},
		"SignedLongAgo": func(w http.ResponseWriter, r *http.Request) {
			signed(w, fixed.Now().Add(-time.Hour), http.StatusOK, r.URL.Path, `{"state":"paid"}`)
		},
		"Redirected": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"Endless": func(w http.ResponseWriter, r *http.Request) {
			signed(w, fixed.Now(), http.StatusOK, r.URL.Path, `{"state":"`+strings.Repeat("x", 300<<10)+`"}`)
		},
		"NoJSON": func(w http.ResponseWriter, r *http.Request) {
			signed(w, fixed.Now(), http.StatusOK, r.URL.Path, `paid`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(answer))
			t.Cleanup(server.Close)
			gateway := provider.NewClient(provider.Provider{ID: "p1", URL: server.URL, Secret: secret}, fixed)
			_, err := gateway.Payment(t.Context(), "DP-1")
			require.ErrorIs(t, err, provider.ErrUnclear)
		})
	}
	t.Run("Nobody", func(t *testing.T) {
		t.Parallel()
		_, err := provider.NewClient(provider.Provider{ID: "p1", URL: "http://127.0.0.1:1", Secret: secret}, fixed).Payment(t.Context(), "DP-1")
		require.ErrorIs(t, err, provider.ErrUnclear)
	})
	t.Run("AnImpostorIsTurnedAwayByTheSandboxToo", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		impostor := b.provider
		impostor.Secret = strings.Repeat("x", 40)
		_, err := provider.NewClient(impostor, b.clock).Pay(t.Context(), b.order("DP-1"))
		require.ErrorIs(t, err, provider.ErrUnclear)
		_, err = b.gateway.Payment(t.Context(), "DP-1")
		require.ErrorIs(t, err, provider.ErrAbsent)
	})
}

func head(w http.ResponseWriter, at time.Time, status int, path, body string) {
	stamp := strconv.FormatInt(at.Unix(), 10)
	w.Header().Set(provider.TimeHeader, stamp)
	w.Header().Set(provider.SignatureHeader, provider.Sign(secret, stamp, strconv.Itoa(status), path, []byte(body)))
}

func signed(w http.ResponseWriter, at time.Time, status int, path, body string) {
	head(w, at, status, path, body)
	w.WriteHeader(status)
	fmt.Fprint(w, body)
}
