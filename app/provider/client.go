package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"candor/app/platform/clock"
)

// Limits of a request to a provider.
const (
	requestTimeout = 15 * time.Second
	maxAnswer      = 256 << 10 // bytes
)

// client is a provider's gateway over HTTP.
type client struct {
	provider Provider
	clock    clock.Clock
	http     *http.Client
}

// NewClient makes a provider's gateway. It follows no redirect, and rejects unsigned answers.
func NewClient(p Provider, c clock.Clock) Gateway {
	return &client{p, c, &http.Client{
		Timeout:       requestTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (c *client) Pay(ctx context.Context, order PaymentOrder) (Payment, error) {
	return ask[Payment](ctx, c, http.MethodPost, "/v1/payments", order)
}

func (c *client) Payment(ctx context.Context, reference string) (Payment, error) {
	return ask[Payment](ctx, c, http.MethodGet, "/v1/payments/"+url.PathEscape(reference), nil)
}

func (c *client) Act(ctx context.Context, reference string, act Act) (Payment, error) {
	return ask[Payment](ctx, c, http.MethodPost, "/v1/payments/"+url.PathEscape(reference)+"/"+string(act), struct{}{})
}

func (c *client) Address(ctx context.Context, order AddressOrder) (Address, error) {
	return ask[Address](ctx, c, http.MethodPost, "/v1/addresses", order)
}

func (c *client) Transfers(ctx context.Context, reference string) ([]Transfer, error) {
	return ask[[]Transfer](ctx, c, http.MethodGet, "/v1/addresses/"+url.PathEscape(reference)+"/transfers", nil)
}

func (c *client) Send(ctx context.Context, order PayoutOrder) (Payout, error) {
	return ask[Payout](ctx, c, http.MethodPost, "/v1/payouts", order)
}

func (c *client) Payout(ctx context.Context, reference string) (Payout, error) {
	return ask[Payout](ctx, c, http.MethodGet, "/v1/payouts/"+url.PathEscape(reference), nil)
}

// ask sends one signed request and reads its signed answer.
func ask[T any](ctx context.Context, c *client, method, path string, in any) (out T, err error) {
	status, body, err := c.exchange(ctx, method, path, in)
	if err != nil {
		return out, fmt.Errorf("%w: %s %s: %w", ErrUnclear, method, path, err)
	}
	switch {
	case status == http.StatusNotFound:
		return out, ErrAbsent
	case status >= http.StatusBadRequest && status < http.StatusInternalServerError:
		var refusal struct {
			Code string `json:"code"`
		}
		_ = json.Unmarshal(body, &refusal)
		return out, RefusedError{refusal.Code}
	case status != http.StatusOK:
		return out, fmt.Errorf("%w: %s %s: status %d", ErrUnclear, method, path, status)
	}
	if err := json.Unmarshal(body, &out); err != nil {
		return out, fmt.Errorf("%w: %s %s: %w", ErrUnclear, method, path, err)
	}
	return out, nil
}

var (
	errUnsigned = errors.New("the answer is not signed as it should be")
	errTooLong  = errors.New("the answer is too long")
)

func (c *client) exchange(ctx context.Context, method, path string, in any) (status int, body []byte, err error) {
	var sent []byte
	if in != nil {
		if sent, err = json.Marshal(in); err != nil {
			return 0, nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, c.provider.URL+path, bytes.NewReader(sent))
	if err != nil {
		return 0, nil, err
	}
	at := strconv.FormatInt(c.clock.Now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(TimeHeader, at)
	request.Header.Set(SignatureHeader, Sign(c.provider.Secret, at, method, path, sent))
	answer, err := c.http.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return 0, nil, err
	case len(body) > maxAnswer:
		return 0, nil, errTooLong
	case !VerifySignature(c.provider.Secret, answer.Header.Get(TimeHeader), strconv.Itoa(answer.StatusCode), path, body, answer.Header.Get(SignatureHeader), c.clock.Now()):
		return 0, nil, errUnsigned
	}
	return answer.StatusCode, body, nil
}
