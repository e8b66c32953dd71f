// Command lapse ends the one-day wait of saved payees, for journeys in a browser: lapse data-folder. The product has no such function.
//
// It changes the database of a running `candor serve` as its owner, whose address is in the data folder. The server's own role can't do it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
)

// patience limits the whole run.
const patience = 30 * time.Second

// errNobody means that all payees of the folder can be used already; the caller expects one that waits.
var errNobody = errors.New("no payee waits in this data folder")

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: lapse data-folder")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	n, err := run(ctx, os.Args[1])
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lapse:", err)
		os.Exit(1)
	}
	fmt.Println(n, "can be used now")
}

// run makes the waiting payees of a data folder usable and returns how many. It fails when none waits.
func run(ctx context.Context, folder string) (n int64, err error) {
	owner, err := ownerOf(folder)
	if err != nil {
		return 0, err
	}
	return lapse(ctx, owner)
}

// ownerOf reads the owner's address of the database that runs on a data folder.
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

// lapse moves the dates of each waiting payee into the past, so that its wait keeps its length and ends now.
func lapse(ctx context.Context, owner string) (n int64, err error) {
	conn, err := pgx.Connect(ctx, owner)
	if err != nil {
		return 0, fmt.Errorf("open the database as its owner: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	tag, err := conn.Exec(ctx, `
		UPDATE payees SET created_at = now() - (usable_from - created_at), usable_from = now()
		WHERE usable_from > now() AND removed_at IS NULL`)
	if err != nil {
		return 0, fmt.Errorf("let the wait of payees pass: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return 0, errNobody
	}
	return tag.RowsAffected(), nil
}
