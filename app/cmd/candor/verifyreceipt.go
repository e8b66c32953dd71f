package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"candor/app/api"
	"candor/app/server"
)

// errUnchecked ends the program with exit code 2: nothing was checked.
var errUnchecked = errors.New("nothing was checked")

// maxReceipt is the maximum size of a receipt file, in bytes.
const maxReceipt = 64 << 20

// verifyReceipt checks a receipt file by itself, without a database or a server.
func verifyReceipt(_ context.Context, _ server.Config, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("verify-receipt", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	wanted := flags.String("key", "", "the public key that the receipt must be sealed with, in hex")
	name := ""
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' { // the file may precede the flag
		name, args = args[0], args[1:]
	}
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("%w: %w", errUnchecked, err)
	}
	if name == "" {
		name = flags.Arg(0)
	}
	if name == "" {
		return fmt.Errorf("%w: candor verify-receipt FILE [--key PUBLICKEY]", errUnchecked)
	}
	raw, err := readLimited(name)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnchecked, err)
	}
	return checkReceipt(raw, *wanted, out)
}

func readLimited(name string) ([]byte, error) {
	file, err := os.Open(name) //nolint:gosec // the file that was asked for
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	raw, err := io.ReadAll(io.LimitReader(file, maxReceipt+1))
	if err == nil && len(raw) > maxReceipt {
		err = fmt.Errorf("%s is too large for a receipt", name)
	}
	return raw, err
}

// checkReceipt prints each check, and the first value that does not fit.
func checkReceipt(raw []byte, wanted string, out io.Writer) error {
	receipt, about, key, err := api.ReadReceipt(raw)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnchecked, err)
	}
	if wanted != "" {
		expected, err := hex.DecodeString(wanted)
		if err != nil || len(expected) != ed25519.PublicKeySize {
			return fmt.Errorf("%w: --key wants %d bytes in hex", errUnchecked, ed25519.PublicKeySize)
		}
		if !bytes.Equal(expected, key) {
			fmt.Fprintf(out, "wrong: the key: the receipt was sealed with %x\n", key)
			return errFailed
		}
	}
	for _, f := range receipt.Check(key) {
		if f.Wrong != "" {
			fmt.Fprintf(out, "wrong: %s: %s\n", f.What, f.Wrong)
			return errFailed
		}
		fmt.Fprintf(out, "ok     %s\n", f.What)
	}
	fmt.Fprintf(out, "%s is proved under the key %x\n", about, key)
	if wanted == "" {
		fmt.Fprintln(out, `compare the key with the one on the page "Prices and proof", or give it with --key`)
	}
	return nil
}
