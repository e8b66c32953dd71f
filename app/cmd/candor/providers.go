package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"candor/app/provider"
	"candor/app/server"
)

const providersUsage = "say what to do: candor providers [--json] | secret ID, with the secret on standard input"

// maxSecret is the maximum number of bytes read from standard input; a secret is shorter.
const maxSecret = 4096

// secretState describes where a provider's secret is stored.
func secretState(p server.NamedProvider) string {
	switch {
	case p.InFile && p.Sealed:
		return "sealed, and another in clear in the file, which counts"
	case p.InFile:
		return "in clear in the file"
	case p.Sealed:
		return "sealed"
	}
	return "none"
}

// providersCommand lists the providers, or seals the secret of one.
func providersCommand(ctx context.Context, c server.Config, args []string, out io.Writer) error {
	if len(args) > 0 && args[0] == "secret" {
		return sealProviderSecret(ctx, c, args[1:], os.Stdin, out)
	}
	flags := flag.NewFlagSet("providers", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "print JSON")
	if err := flags.Parse(args); err != nil {
		return errFailed
	}
	if flags.NArg() > 0 {
		return errors.New(providersUsage)
	}
	list, err := server.ListProviders(ctx, c)
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(out).Encode(list)
	}
	for _, p := range list {
		fmt.Fprintf(out, "%s  %s  %s  secret: %s\n", p.ID, p.Name, p.URL, secretState(p))
	}
	return nil
}

// sealProviderSecret reads a secret and seals it. No output or error contains it.
func sealProviderSecret(ctx context.Context, c server.Config, args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New(providersUsage)
	}
	id := args[0]
	providers, err := provider.Read(c.Providers)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(providers, func(p provider.Provider) bool { return p.ID == id }) {
		return fmt.Errorf("there is no provider %q in %s", id, c.Providers)
	}
	text, err := io.ReadAll(io.LimitReader(in, maxSecret+1))
	switch {
	case err != nil:
		return fmt.Errorf("read the secret from standard input: %w", err)
	case len(text) > maxSecret:
		return fmt.Errorf("the secret has more than %d bytes", maxSecret)
	}
	d, err := server.OpenDatabase(ctx, c, io.Discard)
	if err != nil {
		return err
	}
	err = server.SetProviderSecret(ctx, c, d, id, strings.TrimRight(string(text), "\r\n"))
	if err = errors.Join(err, d.Close(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	fmt.Fprintf(out, "the secret of %s is sealed; servers use it from their next start on\n", id)
	return nil
}
