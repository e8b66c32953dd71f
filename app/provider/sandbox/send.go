package sandbox

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"candor/app/platform/clock"
	"candor/app/provider"
)

// Limits of deliveries: the attempts for one event, and the pause between them.
const (
	attempts = 20
	pause    = 500 * time.Millisecond
)

// sender delivers events, and retries until they are accepted.
type sender struct {
	secret string
	clock  clock.Clock
	http   *http.Client
	group  sync.WaitGroup
}

func newSender(secret string, c clock.Clock) *sender {
	return &sender{secret: secret, clock: c, http: &http.Client{Timeout: 10 * time.Second}}
}

func (s *sender) wait() { s.group.Wait() }

// send delivers a message once, or three times concurrently.
func (s *sender) send(to string, m provider.Message, often bool) {
	times := 1
	if often {
		times = 3
	}
	for range times {
		s.group.Go(func() {
			for range attempts {
				if s.try(to, m) {
					return
				}
				time.Sleep(pause)
			}
		})
	}
}

func (s *sender) try(to string, m provider.Message) (taken bool) {
	address, err := url.Parse(to)
	if err != nil {
		return true
	}
	body, _ := json.Marshal(m)
	request, err := http.NewRequest(http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return true
	}
	at := strconv.FormatInt(s.clock.Now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(provider.TimeHeader, at)
	request.Header.Set(provider.SignatureHeader, provider.Sign(s.secret, at, http.MethodPost, address.Path, body))
	answer, err := s.http.Do(request)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode < http.StatusInternalServerError
}
