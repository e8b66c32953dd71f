package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"candor/app/approval"
	"candor/app/platform/clock"
	"candor/app/server"
	"candor/app/staff"
)

// staffCommand prints a new one-time link for the first administrator, as long as there is none.
func staffCommand(ctx context.Context, c server.Config, args []string, out io.Writer) error {
	if len(args) != 1 || args[0] != "link" {
		return errors.New("say what to do: candor staff link")
	}
	d, err := server.OpenDatabase(ctx, c, io.Discard)
	if err != nil {
		return err
	}
	token, ok, err := staff.New(staff.Config{DB: d.DB, Clock: clock.Real{}, Approvals: approval.New(d.DB, clock.Real{}, nil)}).FirstLink(ctx)
	if err = errors.Join(err, d.Close(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	if !ok {
		return errors.New("there is an administrator already: ask that person for an invitation")
	}
	address := c.Addr
	if c.AdminAddr != "" {
		address = c.AdminAddr
	}
	fmt.Fprintf(out, "%s/admin/first/%s\n", c.LocalURL(address), token)
	return nil
}
