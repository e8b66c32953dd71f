//go:build chaos

package systemtest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"candor/app/platform/upload"
	"candor/app/session"
)

const (
	attackWorkers         = 400              // concurrent acts
	attackRate            = 10.0             // acts a second at first; the governor finds the rate that takes half of the machine
	maxAttackRate         = 4_000.0          // acts a second
	maxIdleSockets        = 3_000            // concurrent idle sockets
	maxSlowConnections    = 400              // concurrent slow readers, writers and uploads, each
	slowConnectionTimeout = 45 * time.Second // maximum duration of a slow connection
	parallel              = 28               // concurrent withdrawals of one trader; 28 once blocked the platform
)

// attackKinds are the kinds of attack, each with its share of the acts.
var attackKinds = map[string]struct {
	share int
	act   func(*attack, *source)
}{
	"withdrawals": {2, (*attack).withdraw}, "picture bombs": {1, (*attack).bomb}, "sockets": {8, (*attack).keepSocketOpen}, "guesses": {3, (*attack).guess},
	"codes": {4, (*attack).requestCode}, "slow readers": {2, (*attack).readSlowly}, "slow writers": {2, (*attack).writeSlowly}, "slow uploads": {2, (*attack).uploadSlowly}, "desk": {2, (*attack).attackSignIn},
}

// source is one of the attacker's addresses.
type source struct {
	client  *http.Client
	dialer  *net.Dialer
	visitor string
	wrote   sync.Once
}

// form is a file in a multipart body.
type form struct {
	body []byte
	kind string
}

// attack is all attackers together.
type attack struct {
	*chaos
	load     *traderLoad
	accounts []*chaosClient // attacking traders with their own sessions
	sources  []*source
	bombs    []form
	mix      []string // the kinds, each as often as its share

	ctx     context.Context
	cancel  context.CancelFunc
	group   sync.WaitGroup
	tokens  chan struct{}
	rate    atomic.Int64 // acts per thousand seconds
	sockets atomic.Int64
	readers atomic.Int64
	writers atomic.Int64
	uploads atomic.Int64
	keys    atomic.Int64

	mu      sync.Mutex
	tally   map[string]map[string]int // answers by kind and code
	defects map[string]int
}

func newAttack(t *testing.T, c *chaos, accounts []*chaosClient, h *traderLoad) *attack {
	t.Helper()
	a := &attack{chaos: c, load: h, accounts: accounts, tokens: make(chan struct{}, attackWorkers), tally: map[string]map[string]int{}, defects: map[string]int{}}
	a.ctx, a.cancel = context.WithCancel(t.Context())
	t.Cleanup(a.cancel)
	a.rate.Store(attackRate * 1000)
	for n := range siegeSources {
		one := &source{visitor: uuid.NewString()}
		one.client, one.dialer = sourceClient(20, n)
		a.sources = append(a.sources, one)
	}
	for kind, k := range attackKinds {
		for range k.share {
			a.mix = append(a.mix, kind)
		}
	}
	var large bytes.Buffer
	require.NoError(t, png.Encode(&large, image.NewNRGBA64(image.Rect(0, 0, 3_900, 3_500)))) // 16 bits, just within the pixel limit
	for _, raw := range [][]byte{oversizedPNG(12_000, 3_333, nil), large.Bytes()} {
		body, kind := formOf(t, raw)
		a.bombs = append(a.bombs, form{body, kind})
	}
	return a
}

// start performs acts at the governed rate until stop. Acts without a free worker are dropped, so the attack's own load is bounded.
func (a *attack) start() {
	for n := range attackWorkers {
		random := rand.New(rand.NewPCG(2, uint64(n))) //nolint:gosec // a seed makes the run the same again
		a.group.Go(func() {
			for range a.tokens {
				kind := a.mix[random.IntN(len(a.mix))]
				attackKinds[kind].act(a, a.sources[random.IntN(len(a.sources))])
			}
		})
	}
	a.group.Go(func() {
		defer close(a.tokens)
		due, last := 0.0, time.Now()
		for {
			select {
			case <-a.ctx.Done():
				return
			case <-time.After(5 * time.Millisecond):
			}
			now := time.Now()
			due = min(due+now.Sub(last).Seconds()*float64(a.rate.Load())/1000, attackWorkers)
			for last = now; due >= 1; due-- {
				select {
				case a.tokens <- struct{}{}:
				default:
				}
			}
		}
	})
}

// govern adjusts the rate so that the attack takes its share of the machine and no more.
func (a *attack) govern(cores float64) {
	factor := min(max(siegeCores/max(cores, 0.05), 0.5), 1.2)
	a.rate.Store(int64(min(max(float64(a.rate.Load())/1000*factor, 1), maxAttackRate) * 1000))
}

func (a *attack) stop(t *testing.T) {
	t.Helper()
	a.cancel()
	ended := make(chan struct{})
	go func() { a.group.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the attack does not end")
	}
	for _, s := range a.sources {
		s.client.CloseIdleConnections()
	}
}

func (a *attack) countAnswer(kind, code string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tally[kind] == nil {
		a.tally[kind] = map[string]int{}
	}
	a.tally[kind][code]++
}

// counts are the answers by kind and code.
func (a *attack) counts() map[string]map[string]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.tally)
}

// serverErrors are the answers that report a server error.
func (a *attack) serverErrors() map[string]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.defects)
}

// answered is the number of acts of a kind that the server answered. Of slow writers and uploads, also those whose connection it closed or had open at the end.
func (a *attack) answered(kind string) (n int) {
	for code, times := range a.counts()[kind] {
		if code != "none" {
			n += times
		}
	}
	return n
}

// send makes a request and counts the answer. A status of 500 or above is a defect, except a 503 that asks to retry.
func (a *attack) send(kind string, s *source, method, path, token string, body []byte, change func(*http.Request)) (raw []byte) {
	request, err := a.newRequest(a.ctx, method, path, token, body, "", fmt.Sprint("attack", a.keys.Add(1)))
	if err != nil {
		return nil
	}
	request.Header.Set("visitor", s.visitor)
	if change != nil {
		change(request)
	}
	response, err := s.client.Do(request)
	if err != nil {
		a.countAnswer(kind, "none")
		return nil
	}
	defer func() { _ = response.Body.Close() }()
	raw, err = io.ReadAll(response.Body)
	if err != nil {
		a.countAnswer(kind, "none")
		return nil
	}
	var answer struct{ Code string }
	_ = json.Unmarshal(raw, &answer)
	a.countAnswer(kind, fmt.Sprint(response.StatusCode, " ", answer.Code))
	if response.StatusCode >= 500 && (response.StatusCode != http.StatusServiceUnavailable || answer.Code == "unavailable") {
		a.mu.Lock()
		a.defects[fmt.Sprintf("%s: %d %s", path, response.StatusCode, answer.Code)]++
		a.mu.Unlock()
	}
	return raw
}

// withdraw sends many withdrawal requests at once, each with something missing or wrong.
func (a *attack) withdraw(s *source) {
	trader := a.accounts[rand.IntN(len(a.accounts))] //nolint:gosec // any of them
	var burst sync.WaitGroup
	for n := range parallel {
		burst.Go(func() {
			call, body := "DaifuWithdraw", `{"walletId":%d,"amount":"10","payPassword":"000000","validCode":"000000"}`
			switch n % 4 {
			case 0:
				call, body = "BankWithdraw", malformedWithdrawals[n%len(malformedWithdrawals)]
			case 1:
				call, body = "BankWithdraw", `{"walletId":%d,"amount":"10","payPassword":"`+paymentPassword+`","validCode":"000000"}`
			case 2:
				call, body = "StandardWithdraw", `{"addressId":%d,"amount":"10","payPassword":"000000","validCode":"000000"}`
			}
			to := trader.payeeID + int64(n%8)/6*1_000_000 // a quarter names an unknown payee
			a.send("withdrawals", s, http.MethodPost, "/client/withdraw/insert"+call, trader.realToken, fmt.Appendf(nil, body, to), nil)
		})
	}
	burst.Wait()
}

// bomb uploads pictures with small files and huge dimensions, four at once.
func (a *attack) bomb(s *source) {
	s.wrote.Do(func() {
		message := fmt.Sprintf(`{"messageId":%q,"text":"hello"}`, uuid.NewString())
		a.send("messages", s, http.MethodPost, "/kefu/kefuApi/insertMessage", "", []byte(message), nil)
	})
	var burst sync.WaitGroup
	for n := range 4 {
		burst.Go(func() {
			bomb := a.bombs[n%len(a.bombs)]
			a.send("picture bombs", s, http.MethodPost, chatUpload, "", bomb.body, func(q *http.Request) { q.Header.Set("Content-Type", bomb.kind) })
		})
	}
	burst.Wait()
}

// guess tries a password of an honest trader, or of an unknown account.
func (a *attack) guess(s *source) {
	n := rand.IntN(2 * siegeTraders) //nolint:gosec // any of them
	body := fmt.Sprintf(`{"account":"honest%d@example.com","password":"wrong horse %d","deviceId":%q}`, n, a.keys.Load(), s.visitor)
	a.send("guesses", s, http.MethodPost, "/client/user/login", "", []byte(body), nil)
}

// requestCode requests codes for an honest trader's address: without a solution, with a wrong one, and sometimes with a right one.
func (a *attack) requestCode(s *source) {
	n := rand.IntN(siegeTraders) //nolint:gosec // any of them
	call := []string{"/client/user/sendRegisterValidCode", "/client/user/sendForgetPasswordValidCode"}[n%2]
	solution := ""
	switch n % 10 {
	case 0, 1, 2:
		solution = "nonsense.1"
	case 3:
		var challenge struct {
			Data struct {
				Challenge  string
				Difficulty int
			}
		}
		if json.Unmarshal(a.send("codes", s, http.MethodGet, "/client/common/getVerify", "", nil, nil), &challenge) == nil && challenge.Data.Challenge != "" {
			solution = session.Challenge{Text: challenge.Data.Challenge, Difficulty: challenge.Data.Difficulty}.Solve()
		}
	}
	body := fmt.Sprintf(`{"account":"honest%d@example.com"}`, n)
	a.send("codes", s, http.MethodPost, call, "", []byte(body), func(q *http.Request) {
		if solution != "" {
			q.Header.Set("verify", solution)
		}
	})
}

// reserve counts one more open connection; false at the maximum.
func reserve(count *atomic.Int64, most int64) bool {
	if count.Add(1) > most {
		count.Add(-1)
		return false
	}
	return true
}

// keepSocketOpen opens a socket and keeps it open: silent, or subscribed to many prices without reading any.
func (a *attack) keepSocketOpen(s *source) {
	if !reserve(&a.sockets, maxIdleSockets) {
		return
	}
	stalls, messages := rand.IntN(4) == 0, []string{} //nolint:gosec // one in four
	if stalls {
		messages = []string{(&loadTrader{lists: true}).prices()}
	}
	socket, status, err := a.socket(a.ctx, s.dialer, messages...)
	if status == 0 {
		a.countAnswer("sockets", "none")
	} else {
		a.countAnswer("sockets", fmt.Sprint(status))
	}
	if err != nil {
		a.sockets.Add(-1)
		return
	}
	a.group.Go(func() {
		defer func() { _ = socket.Close(); a.sockets.Add(-1) }()
		a.keepOpen(socket.NetConn(), stalls)
	})
}

// keepOpen keeps a connection open for a while; unless it stalls, it reads and so notices when the server closes it.
func (a *attack) keepOpen(conn net.Conn, stalls bool) {
	if stalls {
		a.pause(slowConnectionTimeout)
		return
	}
	ended := context.AfterFunc(a.ctx, func() { _ = conn.Close() })
	defer ended()
	_ = conn.SetReadDeadline(time.Now().Add(slowConnectionTimeout))
	_, _ = io.Copy(io.Discard, conn)
}

// pause returns false when the attack is over.
func (a *attack) pause(d time.Duration) bool {
	select {
	case <-a.ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// readSlowly requests a large answer and reads one byte a second.
func (a *attack) readSlowly(s *source) {
	a.slowly("slow readers", s, &a.readers, func(conn net.Conn) {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(2048)
		}
		request := a.head("GET", "/client/api/findKline?productId=201&period=1m&size=1000", 0) + "\r\n"
		_, _ = io.WriteString(conn, strings.Repeat(request, 40)) // more than the buffers of both ends
		status := make([]byte, len("HTTP/1.1 200"))
		if _, err := io.ReadFull(conn, status); err != nil {
			a.countAnswer("slow readers", "none")
			return
		}
		a.countAnswer("slow readers", string(status[9:]))
		for ends := time.Now().Add(slowConnectionTimeout); time.Now().Before(ends) && a.pause(time.Second); {
			if _, err := conn.Read(status[:1]); err != nil {
				return
			}
		}
	})
}

// writeSlowly sends one byte a second of the header or of the body.
func (a *attack) writeSlowly(s *source) {
	a.slowly("slow writers", s, &a.writers, func(conn net.Conn) {
		head := a.head("POST", "/client/user/login", 20_000)
		text := head + "X-Slow: " + strings.Repeat("x", 200)
		if rand.IntN(2) == 0 { //nolint:gosec // one half
			_, _ = io.WriteString(conn, head+"\r\n")
			text = `{"account":"` + strings.Repeat("x", 200)
		}
		a.drip("slow writers", conn, text, 1)
	})
}

// drip writes each bytes of a text per second, until the server answers or closes the connection. It counts how that ended; "open" when the attack ended first.
func (a *attack) drip(kind string, conn net.Conn, text string, each int) {
	ended := make(chan string, 1)
	go func() {
		status := make([]byte, len("HTTP/1.1 408"))
		if n, err := io.ReadFull(conn, status); err != nil {
			ended <- cmp.Or(string(status[:n]), "closed")
			return
		}
		ended <- string(status[9:])
	}()
	how := ""
	for len(text) > 0 && how == "" {
		each := min(each, len(text))
		if _, err := io.WriteString(conn, text[:each]); err != nil {
			break
		}
		text = text[each:]
		select {
		case how = <-ended:
		case <-a.ctx.Done():
			how = "open"
		case <-time.After(time.Second):
		}
	}
	if how == "" {
		how = <-ended
	}
	if how == "closed" && a.ctx.Err() != nil { // by the end of the attack
		how = "open"
	}
	a.countAnswer(kind, how)
}

// uploadSlowly starts a proof upload of the maximum size and sends it slowly.
func (a *attack) uploadSlowly(s *source) {
	trader := a.accounts[rand.IntN(len(a.accounts))] //nolint:gosec // any of them
	a.slowly("slow uploads", s, &a.uploads, func(conn net.Conn) {
		head := strings.Replace(a.head("POST", "/client/common/uploadFileImg", upload.MaxForm), "application/json", "multipart/form-data; boundary=cut", 1)
		_, _ = io.WriteString(conn, head+"apptoken: "+trader.realToken+"\r\n\r\n--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\r\n")
		a.drip("slow uploads", conn, strings.Repeat("x", 100<<10), 1<<10)
	})
}

// attackSignIn opens the back office's sign-in page, or posts a wrong sign-in.
func (a *attack) attackSignIn(s *source) {
	if rand.IntN(2) == 0 { //nolint:gosec // one half
		a.send("desk", s, http.MethodGet, "/admin/signin", "", nil, nil)
		return
	}
	form := fmt.Sprintf("email=staff%d%%40desk.example&password=wrong", a.keys.Load())
	a.send("desk", s, http.MethodPost, "/admin/signin", "", []byte(form), func(q *http.Request) {
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Sec-Fetch-Site", "same-origin")
	})
}

func (a *attack) slowly(kind string, s *source, held *atomic.Int64, act func(net.Conn)) {
	if !reserve(held, maxSlowConnections) {
		return
	}
	conn, err := s.dialer.DialContext(a.ctx, "tcp", a.address)
	if err != nil {
		a.countAnswer(kind, "none")
		held.Add(-1)
		return
	}
	a.group.Go(func() {
		defer held.Add(-1)
		defer context.AfterFunc(a.ctx, func() { _ = conn.Close() })()
		defer func() { _ = conn.Close() }()
		act(conn)
	})
}

func (a *attack) head(method, path string, length int) string {
	now := fmt.Sprint(time.Now().UnixMilli())
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nlocaltimes: %s\r\nnewsign: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", method, path, a.address, now, apiSign(now), length)
}
