package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"golang.org/x/sync/errgroup"

	"candor/app/api"
	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/support"
)

const (
	chatCustomers = 2_000
	chatAgents    = 50
	chatRate      = 200 // messages per second, half from each side
	chatRounds    = 3
	chatRound     = 8 * time.Second
	chatSettle    = 3 * time.Second // for the last messages of a round to arrive
)

// chatPath is a way to carry messages: the product's or the reference's.
type chatPath interface {
	fromCustomer(ctx context.Context, customer int, text string) error
	fromAgent(ctx context.Context, customer int, text string) error
}

// arrivals records when messages arrive, by their text, which is unique.
type arrivals struct {
	mu   sync.Mutex
	sent map[string]time.Time
	took []time.Duration
}

func (a *arrivals) begin(text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sent[text] = time.Now()
}

// arrived records the first arrival of a message on the other side.
func (a *arrivals) arrived(text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if at, waits := a.sent[text]; waits {
		a.took = append(a.took, time.Since(at))
		delete(a.sent, text)
	}
}

// chatBench is both ways on one database.
type chatBench struct {
	server  *streamServer
	product *productChat
	plain   *plainChat
	bytes   map[string]float64 // of live memory per socket, both ends included
}

// benchChat measures the delay of a message to the other side with 2,000 connected customers, 50 agents and 200 messages a second. The reference is a plain
// chat: one row per message, and one frame to its recipient by gorilla/websocket.
func benchChat(ctx context.Context, out io.Writer) (targets []target, err error) {
	raiseFileLimit(4*chatCustomers + 1_000)
	b := &chatBench{bytes: map[string]float64{}}
	if b.server, err = startStreamServer(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.server.close()) }()
	work, cancel := context.WithCancel(ctx)
	defer cancel()
	before := memoryInUse()
	if b.plain, err = startPlainChat(work, b.server.platform.Database.DB, b.server.postgres.OwnerURL("candor")); err != nil {
		return nil, err
	}
	defer b.plain.close()
	between := memoryInUse()
	if b.product, err = startProductChat(work, b.server); err != nil {
		return nil, err
	}
	defer b.product.close()
	after := memoryInUse()
	b.bytes["plainKB"], b.bytes["chatKB"] = (between.live-before.live)/1024/chatCustomers, (after.live-between.live)/1024/chatCustomers
	var ratios []float64
	detail := map[string]any{"plainKB": b.bytes["plainKB"], "chatKB": b.bytes["chatKB"], "customers": chatCustomers, "agents": chatAgents, "messagesPerSecond": chatRate}
	var all [2][]time.Duration
	for round := range chatRounds {
		plain, err := sendMessages(work, b.plain, &b.plain.arrivals)
		if err != nil {
			return nil, fmt.Errorf("the plain chat: %w", err)
		}
		product, err := sendMessages(work, b.product, &b.product.arrivals)
		if err != nil {
			return nil, fmt.Errorf("the chat: %w", err)
		}
		all[0], all[1] = append(all[0], plain...), append(all[1], product...)
		ratios = append(ratios, at99(product).Seconds()/at99(plain).Seconds())
		fmt.Fprintf(out, "# round %d: p99 %.2f ms, the plain chat %.2f ms\n", round+1, ms(at99(product)), ms(at99(plain)))
	}
	slices.Sort(ratios)
	detail["p50ms"], detail["p99ms"], detail["plainP50ms"], detail["plainP99ms"] = ms(at50(all[1])), ms(at99(all[1])), ms(at50(all[0])), ms(at99(all[0]))
	detail["messages"] = len(all[1])
	return []target{
		{ID: "chat p99", Value: ratios[len(ratios)/2], Target: 3, Better: "lower", Rounds: chatRounds, Detail: detail},
		{ID: "chat memory of a socket", Value: b.bytes["chatKB"] / b.bytes["plainKB"], Target: 1, Better: "lower", Rounds: 1, Detail: detail},
	}, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1_000 }

func at50(list []time.Duration) time.Duration { return quantileOf(list, 0.5) }
func at99(list []time.Duration) time.Duration { return quantileOf(list, 0.99) }

func quantileOf(list []time.Duration, part float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))]
}

// sendMessages sends messages at chatRate for one round and waits for all of them.
func sendMessages(ctx context.Context, path chatPath, a *arrivals) ([]time.Duration, error) {
	a.mu.Lock()
	a.sent, a.took = map[string]time.Time{}, nil
	a.mu.Unlock()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(64)
	start := time.Now()
	ticker := time.NewTicker(time.Second / chatRate)
	defer ticker.Stop()
	sent := 0
	for ; time.Since(start) < chatRound; <-ticker.C {
		for due := int(time.Since(start) * chatRate / time.Second); sent < due; sent++ {
			n, text := sent, uuid.NewString()
			group.Go(func() error {
				a.begin(text)
				if n%2 == 0 {
					return path.fromCustomer(ctx, n*7%chatCustomers, text)
				}
				return path.fromAgent(ctx, n*7%chatCustomers, text)
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for waited := time.Now(); time.Since(waited) < chatSettle; time.Sleep(10 * time.Millisecond) {
		a.mu.Lock()
		left := len(a.sent)
		a.mu.Unlock()
		if left == 0 {
			break
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.sent) > 0 {
		return nil, fmt.Errorf("%d of %d messages did not arrive", len(a.sent), sent)
	}
	return slices.Clone(a.took), nil
}

// productChat is the product's chat: customers on the traders' socket, and agents who receive events and read on from their last message.
type productChat struct {
	arrivals
	chat      *support.Service
	customers []support.Customer
	ids       []int64 // of their conversations
	agents    []audit.Actor
	sockets   []*websocket.Conn
	stops     []func()
}

func startProductChat(ctx context.Context, s *streamServer) (t *productChat, err error) {
	t = &productChat{chat: s.platform.Services.Chat, ids: make([]int64, chatCustomers)}
	for n := range chatAgents {
		a := audit.Actor{Kind: audit.Staff, Name: "agent " + strconv.Itoa(n)}
		err := s.platform.Database.DB.Pool.QueryRow(ctx, `INSERT INTO staff (email, name, state, created_at) VALUES ($1, $2, 'active', now()) RETURNING id`, fmt.Sprintf("a%d@bench.example", n), a.Name).Scan(&a.ID)
		if err != nil {
			return t, err
		}
		t.agents = append(t.agents, a)
	}
	for n := range chatCustomers {
		t.customers = append(t.customers, support.Customer{Visitor: uuid.NewString(), Language: "en", IP: "198.51.100." + strconv.Itoa(n)})
	}
	var group errgroup.Group
	group.SetLimit(8)
	for n := range chatCustomers {
		group.Go(func() error {
			m, err := t.chat.Send(ctx, t.customers[n], support.Draft{ID: uuid.NewString(), Text: "hello"})
			if err == nil {
				t.ids[n] = m.ConversationID
				_, err = t.chat.Claim(ctx, t.agents[n%chatAgents], m.ConversationID)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return t, err
	}
	for n := range chatAgents {
		stop, err := t.readEvents(ctx, n)
		if err != nil {
			return t, err
		}
		t.stops = append(t.stops, stop)
	}
	for n := range chatCustomers {
		if err := t.connect(s.address, n); err != nil {
			return t, err
		}
	}
	return t, nil
}

// readEvents makes an agent read on at each event of their conversations.
func (t *productChat) readEvents(ctx context.Context, agent int) (stop func(), err error) {
	wanted, last := make(chan int64, 4_096), map[int64]int64{}
	go func() {
		for {
			select {
			case id := <-wanted:
				list, _, err := t.chat.Messages(ctx, id, last[id])
				if err != nil {
					return
				}
				for _, m := range list {
					last[id] = m.ID
					if m.Author == support.ByCustomer {
						t.arrived(m.Body)
					}
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return t.chat.Subscribe(func(e support.Event) {
		if e.What == support.Said && e.AgentID == t.agents[agent].ID {
			wanted <- e.ConversationID
		}
	})
}

func (t *productChat) connect(address string, customer int) error {
	now := strconv.FormatInt(time.Now().UnixMilli(), 10)
	ws, answer, err := websocket.DefaultDialer.Dial("ws://"+address+"/ws?localtimes="+now+"&newsign="+api.Sign(now, benchKey), http.Header{"Origin": {"http://" + address}})
	if err != nil {
		return fmt.Errorf("connect customer %d: %w", customer, err)
	}
	_ = answer.Body.Close()
	t.sockets = append(t.sockets, ws)
	if err := ws.WriteMessage(websocket.TextMessage, []byte(`{"type":9,"data":{"uuid":"`+t.customers[customer].Visitor+`"}}`)); err != nil {
		return err
	}
	go readSocket(ws, func(text []byte) {
		var frame struct {
			Data struct {
				Message struct {
					Body       string `json:"body"`
					SenderType string `json:"senderType"`
				} `json:"message"`
			} `json:"data"`
		}
		if json.Unmarshal(text, &frame) == nil && frame.Data.Message.SenderType == "agent" {
			t.arrived(frame.Data.Message.Body)
		}
	})
	return nil
}

// readSocket reads a socket to its end.
func readSocket(ws *websocket.Conn, handle func(text []byte)) {
	for {
		_, text, err := ws.ReadMessage()
		if err != nil {
			return
		}
		handle(text)
	}
}

func (t *productChat) fromCustomer(ctx context.Context, customer int, text string) error {
	_, err := t.chat.Send(ctx, t.customers[customer], support.Draft{ID: uuid.NewString(), Text: text})
	return err
}

func (t *productChat) fromAgent(ctx context.Context, customer int, text string) error {
	_, err := t.chat.Answer(ctx, t.agents[customer%chatAgents], t.ids[customer], support.Draft{ID: uuid.NewString(), Text: text})
	return err
}

func (t *productChat) close() {
	for _, stop := range t.stops {
		stop()
	}
	for _, ws := range t.sockets {
		_ = ws.Close()
	}
}

// plainChat is the reference: one row per message, and one frame to its recipient's socket. Agents have a socket too.
type plainChat struct {
	arrivals
	db         *db.DB
	listener   net.Listener
	server     *http.Server
	mu         sync.Mutex
	recipients map[string]*plainSocket
	sockets    []*websocket.Conn
}

type plainSocket struct {
	mu sync.Mutex
	ws *websocket.Conn
}

func startPlainChat(ctx context.Context, d *db.DB, owner string) (*plainChat, error) {
	t := &plainChat{db: d, recipients: map[string]*plainSocket{}}
	ownerDB, err := db.Open(ctx, owner)
	if err != nil {
		return t, err
	}
	defer ownerDB.Close()
	_, err = ownerDB.Pool.Exec(ctx, `CREATE TABLE plain_messages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, who text NOT NULL, body text NOT NULL, at timestamptz NOT NULL DEFAULT now());
		GRANT SELECT, INSERT ON plain_messages TO PUBLIC`)
	if err != nil {
		return t, err
	}
	if t.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return t, err
	}
	var upgrader websocket.Upgrader
	t.server = &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		t.mu.Lock()
		t.recipients[strings.TrimPrefix(r.URL.Path, "/")] = &plainSocket{ws: ws}
		t.mu.Unlock()
		readSocket(ws, func([]byte) {})
	})}
	go func() { _ = t.server.Serve(t.listener) }()
	names := make([]string, 0, chatCustomers+chatAgents)
	for n := range chatCustomers {
		names = append(names, "c"+strconv.Itoa(n))
	}
	for n := range chatAgents {
		names = append(names, "a"+strconv.Itoa(n))
	}
	for _, name := range names {
		ws, answer, err := websocket.DefaultDialer.Dial("ws://"+t.listener.Addr().String()+"/"+name, nil)
		if err != nil {
			return t, err
		}
		_ = answer.Body.Close()
		t.sockets = append(t.sockets, ws)
		go readSocket(ws, func(text []byte) { t.arrived(string(text)) })
	}
	return t, nil
}

func (t *plainChat) deliver(ctx context.Context, to, text string) error {
	if _, err := t.db.Pool.Exec(ctx, `INSERT INTO plain_messages (who, body) VALUES ($1, $2)`, to, text); err != nil {
		return err
	}
	t.mu.Lock()
	recipient := t.recipients[to]
	t.mu.Unlock()
	recipient.mu.Lock()
	defer recipient.mu.Unlock()
	return recipient.ws.WriteMessage(websocket.TextMessage, []byte(text))
}

func (t *plainChat) fromCustomer(ctx context.Context, customer int, text string) error {
	return t.deliver(ctx, "a"+strconv.Itoa(customer%chatAgents), text)
}

func (t *plainChat) fromAgent(ctx context.Context, customer int, text string) error {
	return t.deliver(ctx, "c"+strconv.Itoa(customer), text)
}

func (t *plainChat) close() {
	for _, ws := range t.sockets {
		_ = ws.Close()
	}
	_ = t.server.Close()
}
