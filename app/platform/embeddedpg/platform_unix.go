//go:build linux || darwin

package embeddedpg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user the server runs as, since PostgreSQL refuses root. Nil is the current user.
type account struct {
	name     string
	uid, gid uint32
}

func unprivilegedAccount() (*account, error) {
	for _, name := range []string{"postgres", "nobody"} {
		if found, err := user.Lookup(name); err == nil {
			return accountOf(found)
		}
	}
	return nil, errors.New("PostgreSQL does not run as root and there is no user postgres or nobody: " +
		"start the program as an ordinary user, or set DATABASE_URL")
}

// accountOwning returns the ordinary user to whom path belongs.
func accountOwning(path string) (*account, bool) {
	info, err := os.Stat(path)
	if err != nil || ownerOf(info).Uid == 0 {
		return nil, false
	}
	found, err := user.LookupId(strconv.FormatUint(uint64(ownerOf(info).Uid), 10))
	if err != nil {
		return nil, false
	}
	acct, err := accountOf(found)
	return acct, err == nil
}

func accountOf(u *user.User) (*account, error) {
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("read the id of user %s: %w", u.Username, err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("read the group of user %s: %w", u.Username, err)
	}
	return &account{name: u.Username, uid: uint32(uid), gid: uint32(gid)}, nil
}

// attributes keep the terminal's Ctrl-C away from the server: this program decides when it stops.
func (a *account) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		attr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return attr
}

// own makes the account the owner of a file.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}

// canEnter reports whether the account may pass through dir and everything above it.
func (a *account) canEnter(dir string) bool {
	for {
		info, err := os.Stat(dir)
		if err != nil || !a.canPass(info) {
			return false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return true
		}
		dir = parent
	}
}

func (a *account) canPass(info fs.FileInfo) bool {
	owner := ownerOf(info)
	switch {
	case owner.Uid == a.uid:
		return info.Mode()&0o100 != 0
	case owner.Gid == a.gid:
		return info.Mode()&0o010 != 0
	default:
		return info.Mode()&0o001 != 0
	}
}

func ownedByUs(info fs.FileInfo) bool { return int(ownerOf(info).Uid) == os.Getuid() }

func ownerOf(info fs.FileInfo) *syscall.Stat_t { return info.Sys().(*syscall.Stat_t) }

// takeLock keeps other programs off dir. The system drops the lock when this process ends, however it ends.
func takeLock(dir string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("%s belongs to another user: run as that user, or choose another directory", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("lock the data directory: %w", err)
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return file, nil
	}
	_ = file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fmt.Errorf("another candor already runs on %s: stop it first, or set DATABASE_URL", dir)
	}
	return nil, fmt.Errorf("lock the data directory: %w", err)
}
