package embeddedpg

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// passwords are made once, with the cluster, and kept inside it.
type passwords struct {
	Super  string `json:"postgres"`
	Owner  string `json:"candor_owner"`
	Server string `json:"candor_server"`
}

const passwordFile = "candor-passwords.json"

func readPasswords(cluster string) (passwords, error) {
	text, err := os.ReadFile(filepath.Join(cluster, passwordFile))
	if err != nil {
		return passwords{}, fmt.Errorf("read the passwords of the database roles: %w", err)
	}
	var p passwords
	if err := json.Unmarshal(text, &p); err != nil {
		return passwords{}, fmt.Errorf("read %s in %s: %w", passwordFile, cluster, err)
	}
	return p, nil
}

// ensureCluster makes the cluster if there is none. A cluster is made aside and renamed
// when it is whole, so a PG_VERSION in place means that initdb ran to its end.
func ensureCluster(ctx context.Context, cfg Config, h home, bin binaries) error {
	if err := removeDrafts(h.dir); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(h.cluster(), "PG_VERSION"))
	if err == nil {
		return checkMajor(strings.TrimSpace(string(text)), h.dir, bin)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the version of the cluster: %w", err)
	}
	if err := setAside(cfg, h); err != nil {
		return err
	}
	return makeCluster(ctx, cfg, h, bin)
}

func checkMajor(found, dir string, bin binaries) error {
	if found == strconv.Itoa(bin.major) {
		return nil
	}
	return fmt.Errorf("%s holds data of PostgreSQL %s but the program in %s is PostgreSQL %d: "+
		"install PostgreSQL %s, or move that directory away to begin with an empty database",
		dir, found, bin.dir, bin.major, found)
}

// removeDrafts deletes what an interrupted initdb left. We hold the lock, so no other process is working there.
func removeDrafts(dir string) error {
	drafts, err := filepath.Glob(filepath.Join(dir, "draft-*"))
	if err != nil {
		return fmt.Errorf("look for unfinished clusters: %w", err)
	}
	for _, draft := range drafts {
		if err := os.RemoveAll(draft); err != nil {
			return fmt.Errorf("remove an unfinished cluster: %w", err)
		}
	}
	return nil
}

// setAside moves a cluster directory without PG_VERSION out of the way: it is not
// complete, but someone put it there.
func setAside(cfg Config, h home) error {
	if !exists(h.cluster()) {
		return nil
	}
	aside := fmt.Sprintf("%s-unfinished-%d", h.cluster(), time.Now().UnixNano())
	if err := os.Rename(h.cluster(), aside); err != nil {
		return fmt.Errorf("set an unfinished cluster aside: %w", err)
	}
	cfg.note("%s was not finished and is now %s", h.cluster(), aside)
	return nil
}

func makeCluster(ctx context.Context, cfg Config, h home, bin binaries) error {
	draft, err := os.MkdirTemp(h.dir, "draft-")
	if err != nil {
		return fmt.Errorf("make the cluster: %w", err)
	}
	defer func() { _ = os.RemoveAll(draft) }()
	if err := h.account.own(draft); err != nil {
		return fmt.Errorf("make the cluster: %w", err)
	}
	secrets := passwords{Super: rand.Text(), Owner: rand.Text(), Server: rand.Text()}
	if err := initdb(ctx, cfg, h, bin, draft, secrets.Super); err != nil {
		return err
	}
	cluster := filepath.Join(draft, "cluster")
	if err := writePasswords(cluster, secrets, h.account); err != nil {
		return err
	}
	if err := os.Rename(cluster, h.cluster()); err != nil {
		return fmt.Errorf("put the cluster in place: %w", err)
	}
	return nil
}

func initdb(ctx context.Context, cfg Config, h home, bin binaries, draft, password string) error {
	secret := filepath.Join(draft, "password")
	if err := writeSecret(secret, []byte(password), h.account); err != nil {
		return err
	}
	args := []string{"-D", filepath.Join(draft, "cluster"), "-U", "postgres", "--pwfile=" + secret,
		"--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions"}
	args = append(args, localeFlags(bin.major)...)
	if cfg.Fast {
		args = append(args, "--no-sync")
	}
	cmd := command(h.account, draft, bin.path("initdb"), args...)
	dieWithUs(cmd.SysProcAttr, cfg.Fast)
	out, err := runUntil(ctx, cmd)
	if err != nil {
		return errors.Join(fmt.Errorf("run initdb: %w", err), outputError(out))
	}
	return nil
}

// localeFlags sort text by code point and know the letters of every language. The
// character class of the C library stays UTF-8 because full text search uses it too.
func localeFlags(major int) []string {
	if major < 17 {
		return []string{"--locale=C.UTF-8"}
	}
	ctype := "C.UTF-8"
	if runtime.GOOS == "darwin" {
		ctype = "en_US.UTF-8"
	}
	return []string{"--locale=C", "--lc-ctype=" + ctype, "--locale-provider=builtin", "--builtin-locale=C.UTF-8"}
}

func writePasswords(cluster string, p passwords, acct *account) error {
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write the passwords: %w", err)
	}
	return writeSecret(filepath.Join(cluster, passwordFile), text, acct)
}

func writeSecret(path string, text []byte, acct *account) error {
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return fmt.Errorf("write a password: %w", err)
	}
	if err := acct.own(path); err != nil {
		return fmt.Errorf("write a password: %w", err)
	}
	return nil
}
