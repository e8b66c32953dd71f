package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/embeddedpg"
	"candor/app/server"
	"candor/migrations"
)

const (
	benchKey      = "candor-web"
	benchProducts = 50
	tickEvery     = 100 * time.Millisecond // of each product; the products are spread over the interval
	bareFlush     = 100 * time.Millisecond
)

// streamServer is the platform's own API and hub on its own PostgreSQL, with generated quotes, and the bare sockets.
type streamServer struct {
	dir      string
	postgres *embeddedpg.Server
	database *server.Database
	platform *server.Platform
	products []market.Product
	address  string
	bare     *bareServer
	stop     func()
}

func startStreamServer(ctx context.Context) (s *streamServer, err error) {
	s = &streamServer{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.dir, err = benchFolder(); err != nil {
		return s, err
	}
	if s.postgres, err = embeddedpg.Start(ctx, embeddedpg.Config{DataDir: s.dir + "/postgres"}); err != nil {
		return s, err
	}
	if err := migrations.Up(ctx, s.postgres.OwnerURL(embeddedpg.Database)); err != nil {
		return s, err
	}
	d, err := db.Open(ctx, s.postgres.ServerURL(embeddedpg.Database))
	if err != nil {
		return s, err
	}
	s.database = &server.Database{DB: d}
	config := server.Config{DataDir: s.dir, Mode: server.Development, Feed: "simulated", FeedSpeed: 1, NewsignKey: benchKey, OneSource: true}
	if err := server.Seed(ctx, config, s.database); err != nil {
		return s, err
	}
	if err := moreProducts(ctx, s.postgres.OwnerURL(embeddedpg.Database)); err != nil {
		return s, err
	}
	if s.platform, err = server.Build(ctx, config, s.database); err != nil {
		return s, err
	}
	s.products = s.platform.Market.Products()[:benchProducts]
	return s, s.start(ctx)
}

// moreProducts copies products of the catalogue under other names until there are enough.
func moreProducts(ctx context.Context, url string) error {
	owner, err := db.Open(ctx, url)
	if err != nil {
		return err
	}
	defer owner.Close()
	_, err = owner.Pool.Exec(ctx, `
		WITH copied AS (
			INSERT INTO products OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(p, jsonb_build_object('id', p.id + 10000, 'symbol', p.symbol || '2'))).*
			FROM products p ORDER BY p.id LIMIT greatest(0, $1 - (SELECT count(*) FROM products)) RETURNING id
		)
		INSERT INTO product_terms OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(t, jsonb_build_object('id', t.id + 10000, 'product_id', t.product_id + 10000))).*
		FROM product_terms t JOIN copied c ON c.id = t.product_id + 10000`, benchProducts)
	if err != nil {
		return fmt.Errorf("add products: %w", err)
	}
	return nil
}

// start serves and sends quotes. Nothing else of the platform runs, neither the market nor the engine.
func (s *streamServer) start(ctx context.Context) error {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		cancel()
		return err
	}
	s.address = listener.Addr().String()
	server := &http.Server{Handler: s.platform.Handler, ReadHeaderTimeout: 10 * time.Second}
	var group sync.WaitGroup
	group.Go(func() { _ = server.Serve(listener) })
	group.Go(func() { _ = s.platform.Hub.Run(s.platform.Sockets) })
	if s.bare, err = startBare(work, &group); err != nil {
		cancel()
		return err
	}
	group.Go(func() { s.quote(work) })
	s.stop = func() {
		s.platform.StopSockets()
		_ = server.Close()
		cancel()
		s.bare.close()
		group.Wait()
		s.platform.Bus.Close()
	}
	return nil
}

// quote sends a price of every product within each tickEvery, evenly spread, to the hub and to the bare loops.
func (s *streamServer) quote(ctx context.Context) {
	ticker := time.NewTicker(tickEvery / benchProducts)
	defer ticker.Stop()
	start, said := time.Now(), 0
	for {
		select {
		case <-ticker.C:
			for due := int(time.Since(start) * benchProducts / tickEvery); said < due; said++ {
				p, seq := s.products[said%benchProducts], int64(said/benchProducts+1)
				bid := 1_000_000 + seq%1_000
				q := market.Quote{ProductID: p.ID, Seq: seq, Bid: bid, Ask: bid + 10, AtMS: time.Now().UnixMilli()}
				s.platform.Hub.OnQuote(q)
				s.bare.quote(said%benchProducts, p, q)
			}
		case <-ctx.Done():
			return
		}
	}
}

func (s *streamServer) close() error {
	if s.stop != nil {
		s.stop()
	}
	var err error // the pool ends with its server: the market keeps a connection while it leads, and it was never started
	if s.postgres != nil {
		err = s.postgres.Stop(context.Background())
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

// bareServer is the reference: the same bytes by write(2) to plain sockets, with one loop per core.
type bareServer struct {
	listener net.Listener
	running  atomic.Bool
	mu       sync.Mutex
	conns    []net.Conn
	fds      []int
	lines    [benchProducts][]byte
}

func startBare(ctx context.Context, group *sync.WaitGroup) (b *bareServer, err error) {
	b = &bareServer{}
	if b.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	group.Go(b.accept)
	loops := runtime.GOMAXPROCS(0)
	for i := range loops {
		group.Go(func() { b.flush(ctx, i, loops) })
	}
	return b, nil
}

func (b *bareServer) accept() {
	for {
		c, err := b.listener.Accept()
		if err != nil {
			return
		}
		raw, err := c.(*net.TCPConn).SyscallConn()
		if err != nil {
			continue
		}
		_ = raw.Control(func(fd uintptr) {
			b.mu.Lock()
			b.conns, b.fds = append(b.conns, c), append(b.fds, int(fd))
			b.mu.Unlock()
		})
	}
}

// quote stores the line that the hub makes of the same quote.
func (b *bareServer) quote(place int, p market.Product, q market.Quote) {
	bid := p.FormatPrice(q.Bid)
	text := fmt.Appendf(nil, `{"productId":%d,"price":"%s","bid":"%s","ask":"%s","spread":"%s","sequence":%d,"time":%d,"halted":false}`,
		p.ID, bid, bid, p.FormatPrice(q.Ask), p.FormatPrice(q.Ask-q.Bid), q.Seq, q.AtMS)
	b.mu.Lock()
	b.lines[place] = text
	b.mu.Unlock()
}

func (b *bareServer) flush(ctx context.Context, share, shares int) {
	ticker := time.NewTicker(bareFlush)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if b.running.Load() {
				frame, fds := b.frame()
				for i := share; i < len(fds); i += shares {
					_, _ = syscall.Write(fds[i], frame) // bytes that a socket does not accept are lost and not counted
				}
			}
		case <-ctx.Done():
			return
		}
	}
}

func (b *bareServer) frame() (frame []byte, fds []int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	payload := []byte(`{"type":12,"data":[`)
	for i, l := range b.lines {
		if i > 0 {
			payload = append(payload, ',')
		}
		payload = append(payload, l...)
	}
	payload = append(payload, "]}"...)
	frame = append([]byte{0x81, 126, byte(len(payload) >> 8), byte(len(payload))}, payload...)
	return frame, slices.Clone(b.fds)
}

func (b *bareServer) close() {
	_ = b.listener.Close()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.conns {
		_ = c.Close()
	}
}
