package demo

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"candor/app/platform/clock"
	"candor/app/provider"
	"candor/app/provider/sandbox"
	"candor/app/server"
)

// sandboxID is the provider id of the demo's own sandbox.
const sandboxID = "demo"

// answersAfter is how long the sandbox takes for each step of a payment, a transfer or a payout.
const answersAfter = 5 * time.Second

// startSandbox runs a provider that moves no money on a loopback port, so that every deposit method can be tried. With other providers it runs none.
// The result is the address of its panel, empty without it.
func startSandbox(ctx context.Context, c server.Config) (panel string, stop func(), err error) {
	list, err := provider.Read(c.Providers)
	if err != nil {
		return "", nil, err
	}
	for _, p := range list {
		if p.ID != sandboxID {
			return "", func() {}, nil
		}
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("start the sandbox provider: %w", err)
	}
	panel = "http://" + listener.Addr().String()
	secret, err := sandbox.Register(c.Providers, provider.Provider{ID: sandboxID, Name: "Demo provider (moves no money)", URL: panel})
	if err != nil {
		return "", nil, fmt.Errorf("register the sandbox provider: %w", err)
	}
	s := &http.Server{Handler: sandbox.New(secret, clock.Real{}, answersAfter).Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.Serve(listener) }()
	return panel, func() { _ = s.Close() }, nil
}
