package mail

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ErrRefused is a message that its provider will never take, such as one to a number that does not exist: it is not tried again.
var ErrRefused = errors.New("mail: the provider refuses this message")

// smsTimeout is how long a provider of text messages may take.
const smsTimeout = 20 * time.Second

// mostAnswer is how much of a provider's answer is read.
const mostAnswer = 64 << 10

// Texter sends text messages through a provider.
type Texter struct {
	client  *http.Client
	request func(ctx context.Context, m Message) (*http.Request, error)
	read    func(status int, answer []byte) error
}

const smsForms = "SMS_URL must look like twilio://ACCOUNT_SID:AUTH_TOKEN@?from=+15550100, vonage://KEY:SECRET@?from=Candor, or https://key:secret@host/path"

// NewTexter reads an address: twilio://ACCOUNT_SID:AUTH_TOKEN@?from=+15550100, vonage://KEY:SECRET@?from=Candor, or the https:// address of a webhook with a key and
// the secret that signs its calls.
func NewTexter(address string) (*Texter, error) {
	u, err := url.Parse(address)
	if err != nil || u.User == nil { // the error would show the secret
		return nil, errors.New(smsForms)
	}
	user, from := u.User.Username(), u.Query().Get("from")
	secret, _ := u.User.Password()
	if user == "" || secret == "" || (u.Scheme != "https" && from == "") {
		return nil, errors.New(smsForms)
	}
	switch u.Scheme {
	case "twilio":
		return newTexter(twilio("https://api.twilio.com", user, secret, from), readStatus), nil
	case "vonage":
		return newTexter(vonage("https://rest.nexmo.com", user, secret, from), readVonage), nil
	case "https":
		u.User = nil
		return newTexter(webhook(u.String(), user, secret, time.Now), readStatus), nil
	}
	return nil, errors.New(smsForms)
}

func newTexter(request func(context.Context, Message) (*http.Request, error), read func(int, []byte) error) *Texter {
	client := &http.Client{Timeout: smsTimeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &Texter{client: client, request: request, read: read}
}

// Send delivers one text message. It returns ErrRefused for one that the provider will never take.
func (s *Texter) Send(ctx context.Context, m Message) error {
	request, err := s.request(ctx, m)
	if err != nil {
		return errors.New("write the call of the SMS provider") // the cause may show the secret
	}
	response, err := s.client.Do(request)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // without the address
		}
		return fmt.Errorf("reach the SMS provider: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if err != nil {
		return fmt.Errorf("read the answer of the SMS provider: %w", err)
	}
	return s.read(response.StatusCode, answer)
}

// readStatus tells by the status alone: what the provider can't do now is tried again, and what it refuses is not. Refused credentials are tried again: the
// operator corrects them.
func readStatus(status int, _ []byte) error {
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusBadRequest || status == http.StatusNotFound || status == http.StatusGone || status == http.StatusUnprocessableEntity:
		return fmt.Errorf("%w: status %d", ErrRefused, status)
	}
	return fmt.Errorf("the SMS provider answered with status %d", status)
}

func formRequest(ctx context.Context, address string, form url.Values) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err == nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return request, err
}

// twilio writes calls of Twilio's Messages resource (https://www.twilio.com/docs/messaging/api/message-resource).
func twilio(base, account, token, from string) func(context.Context, Message) (*http.Request, error) {
	return func(ctx context.Context, m Message) (*http.Request, error) {
		request, err := formRequest(ctx, base+"/2010-04-01/Accounts/"+url.PathEscape(account)+"/Messages.json", url.Values{"To": {m.Recipient}, "From": {from}, "Body": {m.Body}})
		if err == nil {
			request.SetBasicAuth(account, token)
		}
		return request, err
	}
}

// vonage writes calls of Vonage's SMS API (https://developer.vonage.com/en/api/sms).
func vonage(base, key, secret, from string) func(context.Context, Message) (*http.Request, error) {
	return func(ctx context.Context, m Message) (*http.Request, error) {
		return formRequest(ctx, base+"/sms/json", url.Values{
			"api_key": {key}, "api_secret": {secret}, "from": {from}, "to": {strings.TrimPrefix(m.Recipient, "+")}, "text": {m.Body}, "type": {"unicode"},
		})
	}
}

// readVonage reads an answer that has status 200 whatever happened. Its own status 1 is a throttle, 5 an internal error, 4 and 8 credentials and 9 a quota.
func readVonage(status int, answer []byte) error {
	if err := readStatus(status, answer); err != nil {
		return err
	}
	var said struct {
		Messages []struct {
			Status string `json:"status"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(answer, &said); err != nil || len(said.Messages) == 0 {
		return errors.New("the SMS provider's answer can't be read")
	}
	for _, part := range said.Messages {
		switch part.Status {
		case "0":
		case "1", "4", "5", "8", "9":
			return fmt.Errorf("the SMS provider answered with status %s", part.Status)
		default:
			return fmt.Errorf("%w: status %q", ErrRefused, part.Status)
		}
	}
	return nil
}

// webhook writes calls to a broker's own gateway: JSON of id, to and text, with the key, the time in seconds, and HMAC-SHA256 of time, a point and the body.
func webhook(address, key, secret string, now func() time.Time) func(context.Context, Message) (*http.Request, error) {
	return func(ctx context.Context, m Message) (*http.Request, error) {
		body, err := json.Marshal(map[string]any{"id": m.ID, "to": m.Recipient, "text": m.Body})
		if err != nil {
			return nil, err
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		at := strconv.FormatInt(now().Unix(), 10)
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(at + "."))
		mac.Write(body)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("X-Candor-Key", key)
		request.Header.Set("X-Candor-Time", at)
		request.Header.Set("X-Candor-Signature", hex.EncodeToString(mac.Sum(nil)))
		return request, nil
	}
}
