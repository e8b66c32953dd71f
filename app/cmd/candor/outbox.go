package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"candor/app/server"
)

type keptMessage struct {
	ID      int64  `json:"id"`
	Kind    string `json:"kind"`
	To      string `json:"to"`
	Subject string `json:"subject"`
	Body    string `json:"body"`
	State   string `json:"state"`
	At      int64  `json:"at"` // Unix milliseconds
}

// outbox prints the newest messages, newest first; it refuses in production.
func outbox(ctx context.Context, c server.Config, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("outbox", flag.ContinueOnError)
	asJSON, to := flags.Bool("json", false, "print JSON"), flags.String("to", "", "only to this address")
	if err := flags.Parse(args); err != nil {
		return errFailed
	}
	if c.Mode == server.Production {
		return errors.New("production mode shows no messages: codes are for the people they are sent to")
	}
	d, err := server.OpenDatabase(ctx, c, io.Discard)
	if err != nil {
		return err
	}
	list, err := server.ReadOutbox(ctx, c, d, *to)
	if err = errors.Join(err, d.Close(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	kept := []keptMessage{}
	for _, m := range list {
		kept = append(kept, keptMessage{m.ID, m.Kind, m.Recipient, m.Subject, m.Body, string(m.State), m.CreatedAt.UnixMilli()})
	}
	if *asJSON {
		return json.NewEncoder(out).Encode(kept)
	}
	for _, m := range kept {
		fmt.Fprintf(out, "%d  %s  %s\n%s\n\n", m.ID, m.To, m.Subject, m.Body)
	}
	return nil
}
