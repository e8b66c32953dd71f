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

	"candor/app/banking"
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

// StopTimeout is the time limit of a graceful stop.
const StopTimeout = 15 * time.Second

// Extras are a command's additions to serving; zero adds nothing.
type Extras struct {
	Before func(ctx context.Context, p *Platform, out io.Writer) error     // before jobs, engine and listeners start
	After  func(ctx context.Context, p *Platform) (tell string, err error) // after all have started; tell is printed after the greeting
	// DatabaseProblem returns a further reason why production does not start with a database; empty without one.
	DatabaseProblem func(ctx context.Context, d *db.DB) (reason string, err error)
}

// Serve runs the platform until ctx ends.
func Serve(ctx context.Context, c Config, out io.Writer, more Extras) error {
	if reasons := c.ProductionProblems(); len(reasons) > 0 {
		return errors.New("production mode refuses to start:\n  - " + strings.Join(reasons, "\n  - "))
	}
	listening, err := listen(c)
	if err != nil {
		return err
	}
	defer listening.close()
	d, err := openExclusiveDatabase(ctx, c, out)
	if err != nil {
		return err
	}
	err = serveOn(ctx, c, d, listening, out, more)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return errors.Join(err, d.Close(closing))
}

// addresses are the listeners; admin is nil when the back office has no own address.
type addresses struct{ customer, admin net.Listener }

// listen opens the addresses first, so that a port in use is reported before anything starts.
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

// adminConnections are reserved for the back office when it has its own address.
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
	return netlimit.New(listener.(*net.TCPListener), netlimit.Config{Connections: connections, Exempt: c.isTrustedProxy}), nil //nolint:forcetypeassert // tcp makes no other
}

func serveOn(ctx context.Context, c Config, d *Database, listening addresses, out io.Writer, more Extras) error {
	if c.Mode == Production {
		if reasons, err := DatabaseProblems(ctx, d, more.DatabaseProblem); err != nil || len(reasons) > 0 {
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
		p.Release()
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
	p.printAddresses(ctx, listening.customer.Addr(), out)
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

// HashCommand is the program's command for the processes that hash passwords.
const HashCommand = "hash"

// RenderCommand is the program's command for a process that renders one HEIC picture or PDF.
const RenderCommand = "render"

// startHashing starts the processes that hash passwords.
func startHashing() (*passwords.Workers, error) {
	self, err := thisProgram()
	if err != nil {
		return nil, err
	}
	return passwords.Start(trader.HashWorkers(), self, HashCommand)
}

// thisProgram is the path of the running program.
func thisProgram() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil // valid also after an upgrade has replaced the program
	}
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return self, nil
}

// Release releases everything that a failed start has acquired.
func (p *Platform) Release() {
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

// Seed adds the data of a new installation.
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
		func() error { return banking.SeedSpecimen(ctx, d.DB) },
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

// ended is closed when the embedded server ends by itself; for any other database it is never closed.
func (d *Database) ended() <-chan struct{} {
	if d.server == nil {
		return nil
	}
	return d.server.Done()
}

// stop refuses new requests, waits for the running ones, closes every socket with a close frame, and lets the tape and the jobs finish.
func (p *Platform) stop(server *http.Server, stopWork func(), group *sync.WaitGroup) error {
	ctx, cancel := context.WithTimeout(context.Background(), StopTimeout-5*time.Second)
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

// serveAdmin serves the back office on its own address, if any.
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

// printAddresses prints the addresses.
func (p *Platform) printAddresses(ctx context.Context, address net.Addr, out io.Writer) {
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
