package mail

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var code = Message{ID: 7, Channel: SMS, Recipient: "+4915123456789", Body: "Your code is 123456 – 您好"}

// provider is a provider on this machine that answers as told, and keeps the last call.
func provider(t *testing.T, status int, answer string) (base string, got func() (*http.Request, string)) {
	t.Helper()
	var last *http.Request
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		last, body = r, string(raw)
		if status == http.StatusFound {
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() (*http.Request, string) { return last, body }
}

func TestNewTexter(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"twilio://AC1:token@?from=%2B15550100", "vonage://key:secret@?from=Candor", "https://key:secret@gateway.example/sms"} {
		_, err := NewTexter(good)
		require.NoError(t, err, good)
	}
	for _, bad := range []string{"", "twilio://", "twilio://AC1:verysecret@", "vonage://key@?from=x", "http://key:verysecret@gateway.example", "https://gateway.example", "smtp://a:verysecret@b", "twilio://AC1:very%zzsecret@?from=1"} {
		_, err := NewTexter(bad)
		require.ErrorContains(t, err, "SMS_URL", bad)
		require.NotContains(t, err.Error(), "verysecret")
	}
}

func TestTwilio(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]error{201: nil, 400: ErrRefused, 404: ErrRefused} {
		base, got := provider(t, status, `{}`)
		err := newTexter(twilio(base, "AC1", "token", "+15550100"), readStatus).Send(t.Context(), code)
		require.ErrorIs(t, err, want)
		r, body := got()
		require.Equal(t, "/2010-04-01/Accounts/AC1/Messages.json", r.URL.Path)
		user, password, _ := r.BasicAuth()
		require.Equal(t, []string{"AC1", "token"}, []string{user, password})
		form, err := url.ParseQuery(body)
		require.NoError(t, err)
		require.Equal(t, url.Values{"To": {code.Recipient}, "From": {"+15550100"}, "Body": {code.Body}}, form)
	}
}

func TestVonage(t *testing.T) {
	t.Parallel()
	for answer, refused := range map[string]bool{
		`{"messages":[{"status":"0"},{"status":"0"}]}`: false, `{"messages":[{"status":"1"}]}`: false, `{"messages":[{"status":"0"},{"status":"3"}]}`: true, `{"messages":[{"status":"6"}]}`: true,
		`{"messages":[]}`: false, `<html>`: false,
	} {
		base, got := provider(t, 200, answer)
		err := newTexter(vonage(base, "key", "secret", "Candor"), readVonage).Send(t.Context(), code)
		if answer == `{"messages":[{"status":"0"},{"status":"0"}]}` {
			require.NoError(t, err)
		} else {
			require.Error(t, err, answer)
			require.Equal(t, refused, errors.Is(err, ErrRefused), answer)
		}
		_, body := got()
		form, err := url.ParseQuery(body)
		require.NoError(t, err)
		require.Equal(t, "4915123456789", form.Get("to"))
		require.Equal(t, "unicode", form.Get("type"))
	}
}

func TestWebhook(t *testing.T) {
	t.Parallel()
	base, got := provider(t, 204, "")
	at := time.Unix(1_800_000_000, 0)
	require.NoError(t, newTexter(webhook(base, "key", "secret", func() time.Time { return at }), readStatus).Send(t.Context(), code))
	r, body := got()
	require.JSONEq(t, `{"id":7,"to":"+4915123456789","text":"Your code is 123456 – 您好"}`, body)
	mac := hmac.New(sha256.New, []byte("secret"))
	mac.Write([]byte("1800000000." + body))
	require.Equal(t, hex.EncodeToString(mac.Sum(nil)), r.Header.Get("X-Candor-Signature"))
	require.Equal(t, []string{"key", "1800000000"}, []string{r.Header.Get("X-Candor-Key"), r.Header.Get("X-Candor-Time")})
}

func TestProvidersThatMisbehave(t *testing.T) {
	t.Parallel()
	for status, refused := range map[int]bool{500: false, 503: false, 429: false, 401: false, 302: false, 410: true} {
		base, _ := provider(t, status, "")
		err := newTexter(webhook(base, "key", "verysecret", time.Now), readStatus).Send(t.Context(), code)
		require.Error(t, err, status)
		require.Equal(t, refused, errors.Is(err, ErrRefused), status)
		require.NotContains(t, err.Error(), "verysecret")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := newTexter(webhook("http://127.0.0.1:1/verysecret", "key", "x", time.Now), readStatus).Send(ctx, code)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "verysecret")
	require.False(t, errors.Is(err, ErrRefused))
}
