package embeddedpg

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// movedDir holds data that root's server can't reach in its own folder: nothing cleans up here.
const movedDir = "/var/lib"

// home is the locked directory that holds one cluster, and the user the server runs as.
type home struct {
	dir     string
	account *account
	lock    *os.File
}

func (h home) cluster() string { return clusterIn(h.dir) }

func clusterIn(dir string) string { return filepath.Join(dir, "cluster") }

func (h home) close() { _ = h.lock.Close() }

// openHome decides where the data lives and takes the lock that keeps other servers out.
func openHome(cfg Config) (home, error) {
	wanted, err := absolute(cfg.DataDir)
	if err != nil {
		return home{}, err
	}
	acct, err := accountFor(wanted)
	if err != nil {
		return home{}, err
	}
	dir, err := makeHome(wanted, acct)
	if err != nil {
		return home{}, err
	}
	if dir != wanted {
		cfg.note("the user %s cannot enter %s, so the data is kept in %s", acct.name, wanted, dir)
		if acct, err = accountFor(dir); err != nil {
			return home{}, err
		}
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return home{}, fmt.Errorf("resolve the data directory: %w", err)
	}
	lock, err := takeLock(dir)
	return home{dir: dir, account: acct, lock: lock}, err
}

// accountFor prefers the user to whom a cluster in dir already belongs, because
// PostgreSQL serves a directory to its owner only.
func accountFor(dir string) (*account, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	if owner, ok := accountOwning(clusterIn(dir)); ok {
		return owner, nil
	}
	return unprivilegedAccount()
}

// makeHome makes the data directory. Others may pass through it, as the server's user must.
func makeHome(dir string, acct *account) (string, error) {
	if err := os.MkdirAll(dir, 0o711); err != nil {
		return "", fmt.Errorf("make the data directory: %w", err)
	}
	if acct == nil || acct.canEnter(dir) {
		return dir, nil
	}
	sum := sha256.Sum256([]byte(dir))
	moved := filepath.Join(movedDir, "candor-"+hex.EncodeToString(sum[:6]))
	if err := makeOwnDir(moved); err != nil {
		return "", err
	}
	return moved, nil
}

// makeOwnDir makes a directory below one that everyone may write to, or accepts the one
// that is there if no other user can have put files into it.
func makeOwnDir(dir string) error {
	err := os.Mkdir(dir, 0o711)
	if err == nil {
		return os.Chmod(dir, 0o711)
	}
	if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the data directory: %w", err)
	}
	return checkOwnDir(dir)
}

func checkOwnDir(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("look at %s: %w", dir, err)
	}
	if !info.IsDir() || !ownedByUs(info) || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s is open to other users and cannot be trusted: remove it", dir)
	}
	return nil
}

// socketDir is the directory of the server's unix socket.
type socketDir struct {
	path      string
	temporary bool
}

// maxSocketDir keeps the whole path of the socket, port included, within 100 bytes.
const maxSocketDir = 100 - len("/.s.PGSQL.65535")

// openSocketDir chooses the cluster itself, or a short temporary directory if the path would be too long.
func openSocketDir(h home) (socketDir, error) {
	if len(h.cluster()) <= maxSocketDir {
		return socketDir{path: h.cluster()}, nil
	}
	dir, err := os.MkdirTemp("/tmp", "candor-pg-")
	if err != nil {
		return socketDir{}, fmt.Errorf("make a directory for the socket: %w", err)
	}
	return socketDir{path: dir, temporary: true}, h.account.own(dir)
}

func (s socketDir) close() {
	if s.temporary {
		_ = os.RemoveAll(s.path)
	}
}
