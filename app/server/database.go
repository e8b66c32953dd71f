package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/deposit"
	"candor/app/market"
	"candor/app/platform/db"
	"candor/app/platform/embeddedpg"
	"candor/migrations"
)

// Database is an open database with its embedded server, if any.
type Database struct {
	*db.DB
	server   *embeddedpg.Server
	embedded bool
	runFile  string
}

const runFileName = "run.json"

// runInfo is stored beside the data while an embedded server runs, for the other commands.
type runInfo struct {
	Server string `json:"server"`
	Owner  string `json:"owner"`
}

// openExclusiveDatabase opens the database for serve, which must be alone on its data folder, because it owns the signing key and the checkpoints there.
func openExclusiveDatabase(ctx context.Context, c Config, log io.Writer) (*Database, error) {
	if c.Database != "" {
		return openExternal(ctx, c)
	}
	runFile := filepath.Join(c.DataDir, runFileName)
	if _, ok := running(ctx, runFile); ok {
		return nil, fmt.Errorf("another server runs on %s: stop it, or set CANDOR_DATA_DIR to another folder", c.DataDir)
	}
	return startEmbedded(ctx, c, runFile, log)
}

// OpenDatabase opens DATABASE_URL or the embedded server: the running one, or a new one. Development migrates and seeds automatically.
func OpenDatabase(ctx context.Context, c Config, log io.Writer) (*Database, error) {
	if c.Database != "" {
		return openExternal(ctx, c)
	}
	runFile := filepath.Join(c.DataDir, runFileName)
	if info, ok := running(ctx, runFile); ok {
		d, err := db.Open(ctx, info.Server)
		if err != nil {
			return nil, err
		}
		return &Database{DB: d, embedded: true}, nil
	}
	return startEmbedded(ctx, c, runFile, log)
}

func openExternal(ctx context.Context, c Config) (*Database, error) {
	if c.Owner != "" {
		if err := migrateExternal(ctx, c); err != nil {
			return nil, err
		}
	}
	d, err := db.Open(ctx, c.Database)
	if err != nil {
		return nil, fmt.Errorf("%w: correct DATABASE_URL, or leave it out for the embedded PostgreSQL", err)
	}
	if err := migrations.Check(ctx, d.Pool); err != nil {
		d.Close()
		return nil, fmt.Errorf("%w with CANDOR_OWNER_URL set", err)
	}
	return &Database{DB: d}, nil
}

func migrateExternal(ctx context.Context, c Config) error {
	u, err := url.Parse(c.Database)
	if err != nil {
		return errors.New("DATABASE_URL is no address such as postgres://user:password@host/database")
	}
	if u.User.Username() == "" {
		return errors.New("DATABASE_URL names no user: the server's role gets its rights by name")
	}
	return migrations.UpFor(ctx, c.Owner, u.User.Username())
}

func startEmbedded(ctx context.Context, c Config, runFile string, log io.Writer) (*Database, error) {
	logs, err := openLog(filepath.Join(c.DataDir, "postgres.log"), log)
	if err != nil {
		return nil, err
	}
	server, err := embeddedpg.Start(ctx, embeddedpg.Config{DataDir: filepath.Join(c.DataDir, "postgres"), Log: logs})
	if err != nil {
		return nil, err
	}
	stop := func(err error) (*Database, error) {
		return nil, errors.Join(err, server.Stop(context.WithoutCancel(ctx)))
	}
	if err := migrations.Up(ctx, server.OwnerURL(embeddedpg.Database)); err != nil {
		return stop(err)
	}
	info := runInfo{server.ServerURL(embeddedpg.Database), server.OwnerURL(embeddedpg.Database)}
	text, err := json.Marshal(info)
	if err == nil {
		err = os.WriteFile(runFile, text, 0o600)
	}
	if err != nil {
		return stop(fmt.Errorf("write %s: %w", runFile, err))
	}
	d, err := db.Open(ctx, info.Server)
	if err != nil {
		return stop(err)
	}
	return &Database{DB: d, server: server, embedded: true, runFile: runFile}, nil
}

// splitLog writes PostgreSQL's own log to a file and shows only the launcher's messages.
type splitLog struct{ file, shown io.Writer }

func openLog(path string, shown io.Writer) (splitLog, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return splitLog{}, fmt.Errorf("make the data folder: %w", err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return splitLog{}, fmt.Errorf("open the log of PostgreSQL: %w", err)
	}
	return splitLog{file, shown}, nil
}

// Write takes one or more lines.
func (l splitLog) Write(text []byte) (int, error) {
	if line, ok := strings.CutPrefix(string(text), "embeddedpg: "); ok {
		fmt.Fprint(l.shown, line)
	}
	return l.file.Write(text)
}

// running reads the addresses of an embedded server; ok reports whether it answers.
func running(ctx context.Context, runFile string) (info runInfo, ok bool) {
	text, err := os.ReadFile(runFile)
	if err != nil || json.Unmarshal(text, &info) != nil {
		return info, false
	}
	try, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	conn, err := pgx.Connect(try, info.Server)
	if err != nil {
		return info, false
	}
	_ = conn.Close(try)
	return info, true
}

// Close closes the connections and stops the embedded server if this process started it.
func (d *Database) Close(ctx context.Context) error {
	d.DB.Close()
	if d.server == nil {
		return nil
	}
	_ = os.Remove(d.runFile)
	return d.server.Stop(ctx)
}

// Migrate is the migrate command.
func Migrate(ctx context.Context, c Config, _ []string, out io.Writer) error {
	if c.Database != "" && c.Owner == "" {
		return errors.New("set CANDOR_OWNER_URL to the database as its owner: the server's own role can't alter tables")
	}
	d, err := OpenDatabase(ctx, c, out)
	if err != nil {
		return err
	}
	if err := market.Seed(ctx, d.DB); err != nil {
		return errors.Join(err, d.Close(ctx))
	}
	fmt.Fprintln(out, "the database has the present shape")
	return d.Close(ctx)
}

// DatabaseProblems lists the properties of the database with which production does not start.
func DatabaseProblems(ctx context.Context, d *Database, more func(context.Context, *db.DB) (string, error)) (reasons []string, err error) {
	violations, err := migrations.Violations(ctx, d.Pool)
	if err != nil {
		return nil, err
	}
	if len(violations) > 0 {
		reasons = append(reasons, "DATABASE_URL: the server's role has rights it must not have ("+strings.Join(violations, "; ")+")")
	}
	specimen, err := deposit.SpecimenEnabled(ctx, d.DB)
	if err != nil {
		return nil, err
	}
	if specimen {
		reasons = append(reasons, "pay_channels: the specimen bank account of development takes deposits")
	}
	sandbox, err := deposit.SandboxEnabled(ctx, d.DB)
	if sandbox {
		reasons = append(reasons, "pay_channels: a sandbox, which moves no money, takes deposits")
	}
	if err != nil {
		return reasons, err
	}
	if reason, err := more(ctx, d.DB); err != nil || reason != "" {
		return append(reasons, reason), err
	}
	return reasons, nil
}
