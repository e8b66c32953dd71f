package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"candor/app/keyring"
	"candor/app/kyc"
	"candor/app/platform/clock"
	"candor/app/platform/vault"
	"candor/app/server"
)

const keysUsage = "say what to do: candor keys status | rotate | rewrap | retire | shred --trader ID --reason TEXT"

// keysCommand manages the vault's keys: it adds a key, wraps again what older keys wrapped, retires the older keys, or shreds the key of one trader's identity.
func keysCommand(ctx context.Context, c server.Config, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New(keysUsage)
	}
	d, err := server.OpenDatabase(ctx, c, io.Discard)
	if err != nil {
		return err
	}
	return errors.Join(keysAct(ctx, c, d, args[0], args[1:], out), d.Close(context.WithoutCancel(ctx)))
}

func keysAct(ctx context.Context, c server.Config, d *server.Database, act string, args []string, out io.Writer) error {
	keys, err := server.OpenVault(ctx, c, d.DB)
	if err != nil {
		return err
	}
	s := keyring.New(d.DB, clock.Real{}, keys, server.SealedColumns)
	if act != "shred" && len(args) > 0 {
		return errors.New(keysUsage)
	}
	switch act {
	case "status":
		return keysStatus(ctx, s, keys, out)
	case "rotate":
		if err := s.Rotate(ctx); err != nil {
			return err
		}
		fmt.Fprintln(out, "a new key wraps from now on")
		return keysRewrap(ctx, s, out)
	case "rewrap":
		return keysRewrap(ctx, s, out)
	case "retire":
		if err := s.Retire(ctx); err != nil {
			return err
		}
		fmt.Fprintln(out, "the older keys are gone: what copies hold of them stays shut")
		return nil
	case "shred":
		return keysShred(ctx, kyc.New(kyc.Config{DB: d.DB, Clock: clock.Real{}, Vault: keys, Folder: vault.NewFolder(filepath.Join(c.DataDir, "kyc")), Business: server.Business}), args, out)
	}
	return errors.New(keysUsage)
}

func keysStatus(ctx context.Context, s *keyring.Service, keys *vault.Vault, out io.Writer) error {
	stale, err := s.Stale(ctx)
	if err != nil {
		return err
	}
	n, err := keys.Keys()
	if err == nil {
		fmt.Fprintf(out, "keys in the file: %d; wrapped by older ones than the newest: %d\n", n, stale)
	}
	return err
}

// keysRewrap may be interrupted and repeated: finished entries are skipped.
func keysRewrap(ctx context.Context, s *keyring.Service, out io.Writer) error {
	n, err := s.Rewrap(ctx)
	if err != nil {
		return fmt.Errorf("%d were rewrapped, then: %w: continue with candor keys rewrap", n, err)
	}
	fmt.Fprintf(out, "rewrapped: %d; candor keys retire removes the older keys\n", n)
	return nil
}

func keysShred(ctx context.Context, s *kyc.Service, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("keys shred", flag.ContinueOnError)
	trader, reason := flags.Int64("trader", 0, "the trader's number"), flags.String("reason", "", "why, for the audit log")
	if err := flags.Parse(args); err != nil {
		return errFailed
	}
	if *trader <= 0 || flags.NArg() > 0 {
		return errors.New(keysUsage)
	}
	n, err := s.Shred(ctx, *trader, *reason)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "shredded: %d applications of trader %d\n", n, *trader)
	return nil
}
