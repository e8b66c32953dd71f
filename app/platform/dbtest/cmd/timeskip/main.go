// Command timeskip ends a wait in the database of a running test server: timeskip data-folder payees|codes|authenticators|notices|scores. The product has no such
// function.
// ¶ It connects as the database's owner, whose address `candor serve` writes to the data folder. The server's own role lacks the rights.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// timeout is the time limit of a run.
const timeout = 30 * time.Second

// skips are the statements that end a wait, by name.
var skips = map[string]string{
	// A saved payee is usable after a day.
	"payees": `UPDATE payees SET created_at = now() - (usable_from - created_at), usable_from = now() WHERE usable_from > now() AND removed_at IS NULL`,
	// Codes are sent at least a minute apart.
	"codes": `UPDATE codes SET created_at = created_at - interval '1 minute', expires_at = expires_at - interval '1 minute' WHERE created_at > now() - interval '1 minute'`,
	// An authenticator code works once, and the next one comes after thirty seconds.
	"authenticators": `
		WITH traders AS (UPDATE authenticators SET step = step - 2 WHERE step > extract(epoch FROM now()) / 30 - 2)
		UPDATE staff SET totp_step = totp_step - 2 WHERE totp_step > extract(epoch FROM now()) / 30 - 2`,
	// A scheduled notice goes live at its start time.
	"notices": `
		SET timezone TO 'UTC';
		ALTER TABLE approvals DISABLE TRIGGER approvals_keep;
		WITH early AS (UPDATE notice_revisions r SET starts_at = now() FROM approvals a WHERE a.id = r.approval AND a.state = 'scheduled' RETURNING a.id)
		UPDATE approvals SET effective_at = now(), proposal = jsonb_set(proposal, '{starts_at}', to_jsonb(now())) WHERE id IN (SELECT id FROM early);
		ALTER TABLE approvals ENABLE TRIGGER approvals_keep`,
	// A credit score is computed once a day.
	"scores": `
		UPDATE credit_scores today SET day = day - 1 WHERE day = (now() AT TIME ZONE 'UTC')::date
		AND NOT EXISTS (SELECT 1 FROM credit_scores before WHERE before.trader_id = today.trader_id AND before.day = today.day - 1)`,
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintf(os.Stderr, "usage: timeskip data-folder %s\n", strings.Join(names(), "|"))
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	n, err := run(ctx, os.Args[1], os.Args[2])
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "timeskip:", err)
		os.Exit(1)
	}
	fmt.Println(n)
}

func names() []string { return slices.Sorted(maps.Keys(skips)) }

// run ends a wait in the database of a data folder, and returns the number of changed rows.
func run(ctx context.Context, folder, wait string) (n int64, err error) {
	statement, known := skips[wait]
	if !known {
		return 0, fmt.Errorf("%q is none of %s", wait, strings.Join(names(), ", "))
	}
	owner, err := ownerOf(folder)
	if err != nil {
		return 0, err
	}
	conn, err := pgx.Connect(ctx, owner)
	if err != nil {
		return 0, fmt.Errorf("open the database as its owner: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	results, err := conn.PgConn().Exec(ctx, statement).ReadAll()
	if err != nil {
		return 0, fmt.Errorf("let the wait of %s pass: %w", wait, err)
	}
	for _, result := range results {
		n += result.CommandTag.RowsAffected()
	}
	return n, nil
}

// ownerOf reads the address of the database's owner from a data folder.
func ownerOf(folder string) (string, error) {
	path := filepath.Join(folder, "run.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("no server runs on %s: %w", folder, err)
	}
	var info struct {
		Owner string `json:"owner"`
	}
	if err := json.Unmarshal(text, &info); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	if info.Owner == "" {
		return "", fmt.Errorf("%s names no owner", path)
	}
	return info.Owner, nil
}
