//go:build !linux && !darwin

package embeddedpg

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Elsewhere the package only builds: Start returns what to do instead.

type account struct{ name string }

func unprivilegedAccount() (*account, error)        { return nil, nil }
func accountOwning(string) (*account, bool)         { return nil, false }
func (a *account) attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
func (a *account) own(string) error                 { return nil }
func (a *account) canEnter(string) bool             { return true }
func ownedByUs(fs.FileInfo) bool                    { return true }
func dieWithUs(*syscall.SysProcAttr, bool)          {}
func serverOn(string) (pid int, running bool)       { return 0, false }

func takeLock(string) (*os.File, error) {
	return nil, errors.New("PostgreSQL is started on Linux and macOS only: set DATABASE_URL")
}
