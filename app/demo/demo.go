// Package demo fills an empty platform with example traders, staff, money and talk; `candor demo` runs it.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/server"
	"candor/app/staff"
	"candor/app/trader"
)

// The shared credentials of all examples. They are printed, so they protect nothing: production refuses a database with examples.
const (
	examplePassword        = "only an example 2026"
	examplePaymentPassword = "314159"
)

var (
	errDemoInProduction  = errors.New("candor demo refuses to start in production mode: it makes example traders and staff, and prints their passwords")
	errInstallationInUse = errors.New("people work in this house already: candor demo wants a data folder of its own, set CANDOR_DATA_DIR to another one")
)

// Command runs the platform, and makes the examples on the first start.
func Command(ctx context.Context, c server.Config, _ []string, out io.Writer) error {
	if c.Mode == server.Production {
		return errDemoInProduction
	}
	err := server.Serve(ctx, c, out, server.Extras{Before: makeExamples, After: tradeExamples, DatabaseProblem: ExamplesIn})
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // interrupted: the next start continues
	}
	return err
}

// makeExamples makes the missing examples through the same services as real users. It must run before the jobs, which use the real clock and would expire
// pending records dated in the past.
func makeExamples(ctx context.Context, p *server.Platform, out io.Writer) error {
	d, err := newDemo(ctx, p)
	if err != nil {
		return err
	}
	if made, err := d.made(ctx); made || err != nil {
		return err
	}
	fmt.Fprintln(out, "making the examples, which takes some seconds")
	if err := d.makeAll(ctx); err != nil {
		return fmt.Errorf("make the examples: %w", err)
	}
	return nil
}

// tradeExamples opens the missing positions, which needs prices, and returns the log-ins to print.
func tradeExamples(ctx context.Context, p *server.Platform) (tell string, err error) {
	d, err := newDemo(ctx, p)
	if err != nil {
		return "", err
	}
	closed, err := d.trade(ctx)
	if err != nil {
		return "", fmt.Errorf("trade for the examples: %w", err)
	}
	return d.loginList(ctx, closed)
}

// examplesMade is the audit action recorded once all examples exist, except trades that need an open market.
const examplesMade = "staff.examples"

// made reports whether an earlier start made all examples.
func (d *demo) made(ctx context.Context) (bool, error) {
	list, _, err := audit.NewLog(d.db).List(ctx, audit.Filter{ActorKind: audit.System, Action: examplesMade, Limit: 1, Whole: true})
	return len(list) > 0, err
}

// makeAll runs every step, oldest first, and records completion. A step skips existing records, so that the next start completes an interrupted one.
func (d *demo) makeAll(ctx context.Context) error {
	for _, s := range d.steps() {
		if err := d.runStep(ctx, s); err != nil {
			return err
		}
	}
	return d.db.InTx(ctx, func(tx *db.Tx) error {
		return audit.RecordTx(ctx, tx, audit.By(audit.Actor{Kind: audit.System, Name: "candor"}, d.now, examplesMade, "staff", 0))
	})
}

// demoStep is an event some time ago.
type demoStep struct {
	ago time.Duration
	who string
	act func(ctx context.Context, d *demo) error
}

func (d *demo) runStep(ctx context.Context, s demoStep) error {
	d.clock.Set(d.now.Add(-s.ago))
	if err := s.act(ctx, d); err != nil {
		return fmt.Errorf("for %s, %s ago: %w", s.who, s.ago, err)
	}
	return nil
}

// steps are the acts of staff and traders, oldest first.
func (d *demo) steps() []demoStep {
	list := []demoStep{{staffSince, "the staff", func(ctx context.Context, d *demo) error { return d.hire(ctx) }}}
	for _, e := range examples {
		list = append(list, e.steps()...)
	}
	for _, t := range exampleConversations {
		list = append(list, t.steps()...)
	}
	list = append(list, demoStep{exampleAnswersFrom, "prepared answers", prepareAnswers}, demoStep{exampleAnswersFrom - time.Minute, "macros", prepareMacros}, demoStep{exampleChangeFrom, "a switch", requestChange})
	for _, item := range exampleItems {
		list = append(list, demoStep{item.ago, item.texts[0].Title, item.publish})
	}
	slices.SortStableFunc(list, func(a, b demoStep) int { return int(b.ago - a.ago) })
	return list
}

// loginList is the list of log-ins to print.
func (d *demo) loginList(ctx context.Context, closed []string) (string, error) {
	people, err := d.staff.List(ctx, 0, 100)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Everyone in here is an example. They all have the password %s\n\n", examplePassword)
	fmt.Fprintf(&text, "  traders, with the payment password %s where they have one\n", examplePaymentPassword)
	for _, e := range examples {
		fmt.Fprintf(&text, "    %-22s %s\n", e.mail(), e.about)
	}
	fmt.Fprintf(&text, "  a log-in asks for a code: CANDOR_DATA_DIR=%s bin/candor outbox --to %s\n", d.p.Config.DataDir, examples[0].mail())
	fmt.Fprint(&text, "  a browser is a new device to them: withdrawals wait for 24 hours after its first log-in\n\n")
	fmt.Fprintln(&text, "  staff, each with the key for an authenticator app")
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, p := range people {
		if p.State == staff.Active && trader.IsExample(p.Email) {
			secret, err := d.staff.ExampleSecret(ctx, p)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(table, "    %s\t%s\t%s\n", p.Email, roleWords(p.Roles), secret)
		}
	}
	if err := table.Flush(); err != nil {
		return "", err
	}
	if len(closed) > 0 {
		fmt.Fprintf(&text, "\n  closed now: %s; positions in them are opened at a start while they trade\n", strings.Join(closed, ", "))
	}
	fmt.Fprintln(&text)
	return text.String(), nil
}

func roleWords(roles []staff.Role) string {
	words := make([]string, len(roles))
	for i, r := range roles {
		words[i] = strings.ReplaceAll(string(r), "_", " ")
	}
	return strings.Join(words, ", ")
}

// exampleReason is the reason why production refuses examples.
const exampleReason = "traders, staff: some are examples of candor demo, with a published password"

// ExamplesIn returns the reason why production refuses a database with examples: their passwords are public. It is empty without any.
func ExamplesIn(ctx context.Context, d *db.DB) (reason string, err error) {
	found := false
	err = d.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM staff WHERE email LIKE '%' || $1 AND state <> 'disabled') OR EXISTS (SELECT 1 FROM traders WHERE email = ANY($2))`,
		trader.ExampleDomain, exampleMails()).Scan(&found)
	switch {
	case err != nil:
		return "", fmt.Errorf("look for examples: %w", err)
	case found:
		return exampleReason, nil
	}
	return "", nil
}
