package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"candor/app/api"
)

// readersSetting makes this program the readers of a running stream benchmark. They run in their own process, whose CPU time does not count.
const readersSetting = "CANDOR_BENCH_READERS"

// readerCommand is a command to the readers; they answer each with a readings.
type readerCommand struct {
	Do      string `json:"do"`      // "open", "subscribe", "begin" and "end" counting, "close"
	Name    string `json:"name"`    // of a set of sockets
	Address string `json:"address"` // of the server
	Sockets int    `json:"sockets"` // number to open
	Bare    bool   `json:"bare"`    // without a handshake
	Stalled bool   `json:"stalled"` // never read

	Products []int `json:"products"`
	Take     int   `json:"take"`  // number of products that each subscribes to, 0 for all
	Own      bool  `json:"own"`   // each takes its own selection
	Focus    int   `json:"focus"` // a product
}

// readings are the totals that a set of sockets received while counting.
type readings struct {
	Failed  string  `json:"failed,omitempty"`
	Seconds float64 `json:"seconds"`
	Frames  int64   `json:"frames"`
	Lines   int64   `json:"lines"`
	P50     float64 `json:"p50ms"` // delay from the price's time to the reader
	P99     float64 `json:"p99ms"`
}

// startReaders starts this program again as readers; ask sends a command and waits for the answer.
func startReaders(ctx context.Context) (ask func(readerCommand) (readings, error), stop func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	child := exec.CommandContext(ctx, program, "bench", "stream")
	child.Env, child.Stderr = append(os.Environ(), readersSetting+"=1"), os.Stderr
	orders, err := child.StdinPipe()
	if err != nil {
		cancel()
		return nil, nil, err
	}
	answers, err := child.StdoutPipe()
	if err != nil {
		cancel()
		return nil, nil, err
	}
	if err := child.Start(); err != nil {
		cancel()
		return nil, nil, err
	}
	decoder := json.NewDecoder(answers)
	ask = func(o readerCommand) (t readings, err error) {
		if err = json.NewEncoder(orders).Encode(o); err == nil {
			err = decoder.Decode(&t)
		}
		if err == nil && t.Failed != "" {
			err = errors.New(t.Failed)
		}
		return t, err
	}
	return ask, func() {
		_ = orders.Close()
		cancel()
		_ = child.Wait()
	}, nil
}

// readers are sets of sockets by name; the totals are counted over all of them.
type readers struct {
	sets     map[string][]net.Conn
	counting atomic.Bool
	since    time.Time
	frames   atomic.Int64
	lines    atomic.Int64
	delays   [delayLimit]atomic.Int32
}

// delayLimit is the longest measured delay, in milliseconds.
const delayLimit = 10_000

// runReaders executes commands until in ends.
func runReaders(in io.Reader, out io.Writer) error {
	raiseFileLimit(2*streamSockets + 1_000)
	r, decoder := &readers{sets: map[string][]net.Conn{}}, json.NewDecoder(in)
	for {
		var o readerCommand
		if err := decoder.Decode(&o); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		t, err := r.do(o)
		if err != nil {
			t.Failed = fmt.Sprintf("%s %s: %v", o.Do, o.Name, err)
		}
		if err := json.NewEncoder(out).Encode(t); err != nil {
			return err
		}
	}
}

func (r *readers) do(o readerCommand) (readings, error) {
	switch o.Do {
	case "open":
		return readings{}, r.open(o)
	case "subscribe":
		return readings{}, subscribeAll(r.sets[o.Name], o)
	case "begin":
		r.begin()
		return readings{}, nil
	case "end":
		return r.end(), nil
	case "close":
		for _, c := range r.sets[o.Name] {
			_ = c.Close()
		}
		return readings{}, nil
	}
	return readings{}, errors.New("unknown order")
}

// open connects a few sockets at a time.
func (r *readers) open(o readerCommand) error {
	conns := make([]net.Conn, o.Sockets)
	r.sets[o.Name] = conns
	failures := make([]error, o.Sockets)
	var group sync.WaitGroup
	gate := make(chan struct{}, 32)
	for i := range conns {
		gate <- struct{}{}
		group.Go(func() {
			conns[i], failures[i] = r.openOne(o)
			<-gate
		})
	}
	group.Wait()
	return errors.Join(failures...)
}

func (r *readers) openOne(o readerCommand) (net.Conn, error) {
	c, err := net.Dial("tcp", o.Address)
	if err != nil {
		return nil, err
	}
	if o.Stalled {
		err = c.(*net.TCPConn).SetReadBuffer(4096)
	}
	if err == nil && !o.Bare {
		err = handshake(c, o.Address)
	}
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	if !o.Stalled {
		go (&frameReader{readers: r}).read(c)
	}
	return c, nil
}

// handshake opens a websocket. Its read ends with the response, because the server sends nothing unasked.
func handshake(c net.Conn, address string) error {
	now := strconv.FormatInt(time.Now().UnixMilli(), 10)
	_, err := fmt.Fprintf(c, "GET /ws?newsign=%s&localtimes=%s HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", api.Sign(now, benchKey), now, address, address)
	if err != nil {
		return err
	}
	answer := bufio.NewReaderSize(c, 512)
	for first := true; ; first = false {
		line, err := answer.ReadString('\n')
		if err != nil {
			return err
		}
		if first && !bytes.Contains([]byte(line), []byte(" 101 ")) {
			return fmt.Errorf("the handshake was refused: %s", line)
		}
		if line == "\r\n" {
			return nil
		}
	}
}

// subscribeAll replaces the subscription of every socket; an empty one counts as a heartbeat.
func subscribeAll(conns []net.Conn, o readerCommand) error {
	random := rand.New(rand.NewPCG(1, 1))
	products := slices.Clone(o.Products)
	for _, c := range conns {
		if o.Own {
			random.Shuffle(len(products), func(a, b int) { products[a], products[b] = products[b], products[a] })
		}
		taken := products
		if o.Take > 0 {
			taken = products[:o.Take]
		}
		text, err := json.Marshal(map[string]any{"type": 12, "data": map[string]any{"productIds": append([]int{}, taken...), "focus": o.Focus}})
		if err != nil {
			return err
		}
		if _, err := c.Write(clientFrame(text)); err != nil {
			return err
		}
	}
	return nil
}

// clientFrame is a client's text frame, masked with zeros.
func clientFrame(payload []byte) []byte {
	out := []byte{0x81, 0x80 | 126, byte(len(payload) >> 8), byte(len(payload)), 0, 0, 0, 0}
	if len(payload) < 126 {
		out = []byte{0x81, 0x80 | byte(len(payload)), 0, 0, 0, 0}
	}
	return append(out, payload...)
}

func (r *readers) begin() {
	r.frames.Store(0)
	r.lines.Store(0)
	for i := range r.delays {
		r.delays[i].Store(0)
	}
	r.since = time.Now()
	r.counting.Store(true)
}

func (r *readers) end() readings {
	r.counting.Store(false)
	return readings{
		Seconds: time.Since(r.since).Seconds(), Frames: r.frames.Load(), Lines: r.lines.Load(),
		P50: r.delay(0.50), P99: r.delay(0.99),
	}
}

// delay is a quantile in milliseconds.
func (r *readers) delay(quantile float64) float64 {
	var all, sum int64
	for i := range r.delays {
		all += int64(r.delays[i].Load())
	}
	for i := range r.delays {
		if sum += int64(r.delays[i].Load()); float64(sum) >= quantile*float64(all) {
			return float64(i)
		}
	}
	return delayLimit
}

// frameReader parses the frames of one socket, wherever reads split them.
type frameReader struct {
	*readers
	head []byte // of an incomplete header
	left int    // remaining bytes of the frame's payload
}

func (r *frameReader) read(c net.Conn) {
	buffer := make([]byte, 16<<10)
	for {
		n, err := c.Read(buffer)
		if err != nil {
			return
		}
		frames, lines, sample := r.consume(buffer[:n])
		if !r.counting.Load() {
			continue
		}
		r.frames.Add(frames)
		r.lines.Add(lines)
		if sample > 0 {
			r.delays[min(max(time.Now().UnixMilli()-sample, 0), delayLimit-1)].Add(1)
		}
	}
}

var timeField = []byte(`"time":`)

// consume counts the frames that begin and the lines that end in p, and returns the time of one complete line, 0 for none.
func (r *frameReader) consume(p []byte) (frames, lines, sample int64) {
	for len(p) > 0 {
		if r.left == 0 {
			r.head = append(r.head, p[0])
			p = p[1:]
			if r.left = payloadLength(r.head); r.left > 0 {
				r.head = r.head[:0]
				frames++
			}
			continue
		}
		piece := p[:min(len(p), r.left)]
		p, r.left = p[len(piece):], r.left-len(piece)
		lines += int64(bytes.Count(piece, []byte("}")))
		if r.left == 0 {
			lines-- // the frame's own brace
		}
		if at := lineTime(piece[rand.IntN(len(piece)):]); at > 0 {
			sample = at
		}
	}
	return frames, lines, sample
}

// lineTime is the time of the first complete line in text, 0 for none.
func lineTime(text []byte) (ms int64) {
	at := bytes.Index(text, timeField)
	if at < 0 {
		return 0
	}
	for _, b := range text[at+len(timeField):] {
		if b < '0' || b > '9' {
			return ms
		}
		ms = ms*10 + int64(b-'0')
	}
	return 0
}

// payloadLength is 0 until the header is complete; the server sends no frame without a payload.
func payloadLength(head []byte) int {
	switch {
	case len(head) == 2 && head[1] < 126:
		return int(head[1])
	case len(head) == 4 && head[1] == 126:
		return int(binary.BigEndian.Uint16(head[2:]))
	case len(head) == 10:
		return int(binary.BigEndian.Uint64(head[2:]))
	}
	return 0
}
