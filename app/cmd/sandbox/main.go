// Command sandbox runs a provider for developers that moves no money: it adds itself to the data folder's providers.json, which `candor serve` reads.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/caarlos0/env/v11"

	"candor/app/platform/clock"
	"candor/app/provider"
	"candor/app/provider/sandbox"
)

// id is the sandbox's provider id.
const id = "sandbox"

type config struct {
	Addr    string        `env:"SANDBOX_ADDR" envDefault:"127.0.0.1:8090"`
	DataDir string        `env:"CANDOR_DATA_DIR" envDefault:"./var"`
	Auto    time.Duration `env:"SANDBOX_AUTO" envDefault:"5s"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	c, err := env.ParseAs[config]()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return err
	}
	secret, err := register(filepath.Join(c.DataDir, "providers.json"), "http://"+listener.Addr().String())
	if err != nil {
		return err
	}
	server := &http.Server{Handler: sandbox.New(secret, clock.Real{}, c.Auto).Handler(), ReadHeaderTimeout: 10 * time.Second}
	fmt.Printf("The sandbox provider is running.\n  panel  http://%s/\n  start or restart candor: it reads %s at its start\n", listener.Addr(), filepath.Join(c.DataDir, "providers.json"))
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		err = server.Close()
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// register writes the sandbox with this address to the file, and returns the secret that it shares with the house.
func register(path, address string) (secret string, err error) {
	list, err := provider.Read(path)
	if err != nil {
		return "", err
	}
	kept := []provider.Provider{{ID: id, Name: "Sandbox", URL: address, Secret: rand.Text() + rand.Text(), Sandbox: true}}
	for _, p := range list {
		switch {
		case p.ID != id:
			kept = append(kept, p)
		case p.Secret != "":
			kept[0].Secret = p.Secret
		}
	}
	text, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return kept[0].Secret, os.WriteFile(path, append(text, '\n'), 0o600)
}
