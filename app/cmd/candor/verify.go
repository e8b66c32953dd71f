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

// verify recomputes all balances, fills, candles and chains, and names the first wrong row.
func verify(ctx context.Context, c server.Config, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "print JSON")
	if err := flags.Parse(args); err != nil {
		return errFailed
	}
	d, err := server.OpenDatabase(ctx, c, io.Discard)
	if err != nil {
		return err
	}
	r, err := server.Verify(ctx, c, d)
	if err = errors.Join(err, d.Close(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	printReport(out, r, *asJSON)
	if !r.OK {
		return errFailed
	}
	return nil
}

func printReport(out io.Writer, r server.Report, asJSON bool) {
	if asJSON {
		_ = json.NewEncoder(out).Encode(r)
		return
	}
	if r.Wrong != nil {
		fmt.Fprintf(out, "wrong: %s %s %s\n", r.Wrong.Table, r.Wrong.Row, r.Wrong.What)
		return
	}
	fmt.Fprintf(out, "all is proved: %d postings, %d fills, %d quotes, %d candles, %d audit entries\n",
		r.Proved["postings"], r.Proved["fills"], r.Proved["quotes"], r.Proved["candles"], r.Proved["audit entries"])
}
