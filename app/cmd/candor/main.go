// Command candor is the whole platform in one binary: the server of the traders' API and the back office, and the maintenance commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"candor/app/bench"
	"candor/app/demo"
	"candor/app/platform/passwords"
	"candor/app/platform/upload"
	"candor/app/server"
)

// command is one subcommand; args follow its name.
type command struct {
	name, about string
	run         func(ctx context.Context, c server.Config, args []string, out io.Writer) error
}

func commands() []command {
	return []command{
		{"serve", "run the platform", serve},
		{"demo", "run the platform with example traders, cases and staff; never in production", demo.Command},
		{"migrate", "apply the migrations to the database", server.Migrate},
		{"verify", "prove every balance, fill, candle and chain; --json; exit 1 names the first wrong row", verify},
		{"verify-receipt", "check a receipt FILE without a server; --key PUBLICKEY; exit 1 names what is wrong, exit 2: not a receipt", verifyReceipt},
		{"staff", "staff link: print a new one-time link for the first administrator", staffCommand},
		{"keys", "keys status, rotate, rewrap, retire, or shred --trader ID --reason TEXT: the keys that seal identities, messages and secrets", keysCommand},
		{"providers", "list payment providers and where their secrets are; --json; providers secret ID: seal a secret from standard input", providersCommand},
		{"outbox", "print messages kept because no sender is configured (never in production); --json, --to ADDRESS", outbox},
		{"bench", "bench orders|stream|triggers|margin|lists: measure, as ratios to references in the same run", bench.Command},
		{server.HashCommand, "internal: serve starts it to compare passwords", hash},
		{server.RenderCommand, "internal: serve starts it to draw one uploaded PDF or HEIC picture", render},
		{"help", "this text", help},
	}
}

// errFailed ends the program with exit code 1 without a message: the command has already printed one.
var errFailed = errors.New("failed")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err == nil {
		return
	}
	if !errors.Is(err, errFailed) {
		fmt.Fprintln(os.Stderr, "candor:", err)
	}
	if errors.Is(err, errUnchecked) {
		os.Exit(2)
	}
	os.Exit(1)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	config, err := server.ReadConfig()
	if err != nil {
		return err
	}
	name := "help"
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(ctx, config, args, out)
		}
	}
	return fmt.Errorf("there is no command %q: see candor help", name)
}

func serve(ctx context.Context, c server.Config, _ []string, out io.Writer) error {
	return server.Serve(ctx, c, out, server.Extras{DatabaseProblem: demo.ExamplesIn})
}

func hash(_ context.Context, _ server.Config, _ []string, out io.Writer) error {
	return passwords.Work(os.Stdin, out)
}

func render(_ context.Context, _ server.Config, args []string, out io.Writer) error {
	return upload.Work(args, os.Stdin, out)
}

func help(_ context.Context, _ server.Config, _ []string, out io.Writer) error {
	fmt.Fprintln(out, "candor: an online broker that can prove every price, every fill and every cent")
	fmt.Fprintln(out)
	for _, c := range commands() {
		fmt.Fprintf(out, "  candor %-14s %s\n", c.name, c.about)
	}
	fmt.Fprintln(out, "\nConfiguration is by environment:")
	for _, row := range server.Settings {
		fmt.Fprintf(out, "  %-18s %-16s %s\n", row.Name, row.Fallback, row.About)
	}
	return nil
}
