package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"candor/app/deposit"
	"candor/app/market"
	"candor/app/notice"
	"candor/app/platform/db"
	"candor/app/platform/netlimit"
	"candor/app/platform/passwords"
	"candor/app/provider"
	"candor/app/trader"
	"candor/app/withdrawal"
	customerweb "candor/customer-web"
)

// StopWithin is how long a graceful stop may take in all.
const StopWithin = 15 * time.Second

// Extras are what a command does beside serving; zero does nothing.
type Extras struct {
	Before func(ctx context.Context, p *Platform, out io.Writer) error     // while no job, engine or door works yet
	After  func(ctx context.Context, p *Platform) (tell string, err error) // when all do; tell is printed after the greeting
	// unsafe says why production does not start with a database, besides what the server knows; empty when it does.
	Unsafe func(ctx context.Context, d *db.DB) (reason string, err error)
}

// Serve runs the platform until ctx ends.
func Serve(ctx context.Context, c Config, out io.Writer, more Extras) error {
	if reasons := c.Unsafe(); len(reasons) > 0 {
		return errors.New("production mode refuses to start:\n  - " + strings.Join(reasons, "\n  - "))
	}
	listening, err := listen(c)
	if err != nil {
		return err
	}
	defer listening.close()
	d, err := ownDatabase(ctx, c, out)
	if err != nil {
		return err
	}
	err = serveOn(ctx, c, d, listening, out, more)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return errors.Join(err, d.Close(closing))
}

// addresses are those that are listened on; admin is nil while the back office has none of its own.
type addresses struct{ customer, admin net.Listener }

// listen takes the addresses first, so that a port in use is said before anything starts.
func listen(c Config) (a addresses, err error) {
	connections, err := netlimit.Connections()
	if err != nil {
		return a, err
	}
	admin := 0
	if c.AdminAddr != "" {
		admin = min(adminConnections, connections/4)
	}
	if a.customer, err = listenOn(c, c.Addr, "CANDOR_ADDR", connections-admin); err != nil || c.AdminAddr == "" {
		return a, err
	}
	if a.admin, err = listenOn(c, c.AdminAddr, "CANDOR_ADMIN_ADDR", admin); err != nil {
		a.close()
	}
	return a, err
}

// adminConnections are kept for the back office while it has an address of its own.
const adminConnections = 1_024

func (a addresses) close() {
	_ = a.customer.Close()
	if a.admin != nil {
		_ = a.admin.Close()
	}
}

func listenOn(c Config, address, setting string, connections int) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use: stop the other program, or set %s to another address", address, setting)
	}
	if err != nil {
		return nil, fmt.Errorf("can't listen on %s, set %s to another address: %w", address, setting, err)
	}
	return netlimit.New(listener.(*net.TCPListener), netlimit.Config{Connections: connections, Exempt: c.trusts}), nil //nolint:forcetypeassert // tcp makes no other
}

func serveOn(ctx context.Context, c Config, d *Database, listening addresses, out io.Writer, more Extras) error {
	if c.Mode == Production {
		if reasons, err := UnsafeDatabase(ctx, d, more.Unsafe); err != nil || len(reasons) > 0 {
			return errors.Join(err, errors.New("production mode refuses to start:\n  - "+strings.Join(reasons, "\n  - ")))
		}
	}
	if err := d.CheckRoom(ctx); err != nil {
		return err
	}
	transport, err := c.transport()
	if err != nil {
		return err
	}
	if err := Seed(ctx, c, d); err != nil {
		return err
	}
	workers, err := startHashing()
	if err != nil {
		return err
	}
	defer workers.Close()
	c.argon2 = workers
	p, err := Build(ctx, c, d)
	if err == nil {
		err = p.backfill(ctx, out)
	}
	if err == nil {
		err = more.begin(ctx, p, out)
	}
	if err != nil {
		p.Abandon()
		return err
	}
	defer p.Bus.Close()
	server := NewServer(p.Handler, transport)
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	var group sync.WaitGroup
	p.Start(work, &group)
	served := make(chan error, 2)
	go func() { served <- serveOnListener(server, listening.customer) }()
	defer p.serveAdmin(listening.admin, transport, served)()
	tell, err := more.finish(ctx, p)
	if err != nil {
		return errors.Join(err, p.stop(server, stopWork, &group))
	}
	p.Running.Store(true)
	p.greet(ctx, listening.customer.Addr(), out)
	fmt.Fprint(out, tell)
	select {
	case <-ctx.Done():
	case err = <-served:
	case <-d.ended():
		err = errors.New("the embedded PostgreSQL ended unexpectedly: see its log in the data folder")
	}
	p.Running.Store(false)
	return errors.Join(ignoreClosed(err), p.stop(server, stopWork, &group))
}

// HashCommand is the command of the program by which a server starts the processes that compare its passwords.
const HashCommand = "hash"

// startHashing starts the processes that compare passwords.
func startHashing() (*passwords.Workers, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	if runtime.GOOS == "linux" {
		self = "/proc/self/exe" // also after an upgrade has put another program in its place
	}
	return passwords.Start(trader.HashWorkers(), self, HashCommand)
}

// Abandon gives back what a start that has failed had taken, as far as it had come.
func (p *Platform) Abandon() {
	if p.Market != nil {
		p.Market.Resign()
	}
	if p.Bus != nil {
		p.Bus.Close()
	}
}

func (e Extras) begin(ctx context.Context, p *Platform, out io.Writer) error {
	if e.Before == nil {
		return nil
	}
	return e.Before(ctx, p, out)
}

func (e Extras) finish(ctx context.Context, p *Platform) (tell string, err error) {
	if e.After == nil {
		return "", nil
	}
	return e.After(ctx, p)
}

// Seed adds what a new installation starts with.
func Seed(ctx context.Context, c Config, d *Database) error {
	if err := market.Seed(ctx, d.DB); err != nil {
		return err
	}
	if err := notice.Seed(ctx, d.DB, time.Now()); err != nil {
		return err
	}
	if c.Mode == Production {
		return nil
	}
	providers, err := provider.Read(c.Providers)
	if err != nil {
		return err
	}
	seeds := []func() error{
		func() error { return deposit.SeedSpecimen(ctx, d.DB) },
		func() error { return deposit.SeedSandbox(ctx, d.DB, providers) },
		func() error { return withdrawal.SeedSandbox(ctx, d.DB, providers) },
	}
	for _, seed := range seeds {
		if err := seed(); err != nil {
			return err
		}
	}
	return nil
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// ended is closed when the embedded server ends by itself; it never is for any other database.
func (d *Database) ended() <-chan struct{} {
	if d.server == nil {
		return nil
	}
	return d.server.Done()
}

// stop refuses new requests, lets the running ones end, closes every socket with a frame, and lets the tape and the jobs finish.
func (p *Platform) stop(server *http.Server, stopWork func(), group *sync.WaitGroup) error {
	ctx, cancel := context.WithTimeout(context.Background(), StopWithin-5*time.Second)
	defer cancel()
	p.StopSockets()
	err := server.Shutdown(ctx)
	err = errors.Join(err, p.Jobs.Stop(ctx))
	stopWork()
	finished := make(chan struct{})
	go func() {
		group.Wait()
		close(finished)
	}()
	select {
	case <-finished:
	case <-ctx.Done():
		err = errors.Join(err, errors.New("some work did not end in time"))
	}
	return err
}

// serveAdmin serves the back office on its own address, if it has one.
func (p *Platform) serveAdmin(listener net.Listener, transport *tls.Config, served chan<- error) (stop func()) {
	if listener == nil {
		return func() {}
	}
	if transport != nil {
		transport = transport.Clone()
	}
	server := NewServer(p.adminHandler(customerweb.Dist), transport)
	go func() { served <- serveOnListener(server, listener) }()
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		_ = server.Shutdown(ctx)
	}
}

// greet prints where everything is.
func (p *Platform) greet(ctx context.Context, address net.Addr, out io.Writer) {
	show := func(address string) string {
		return p.Config.LocalURL(strings.Replace(address, "127.0.0.1", "localhost", 1))
	}
	app, office := show(address.String()), show(address.String())
	if p.Config.AdminAddr != "" {
		office = show(p.Config.AdminAddr)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\nCandor is running.\n  trader app   %s/\n  back office  %s/admin\n", app, office)
	if token, ok, err := p.Services.Staff.FirstLink(ctx); err == nil && ok {
		fmt.Fprintf(&text, "  first administrator (once, 15 minutes)  %s/admin/first/%s\n", office, token)
	}
	if p.Config.SMTP == "" {
		fmt.Fprintln(&text, "  codes and messages are kept: bin/candor outbox")
	}
	fmt.Fprintf(&text, "  prices       %s\n\n", p.Market.FeedName())
	fmt.Fprint(out, text.String())
}
