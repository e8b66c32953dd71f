package embeddedpg

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// minMajor is the oldest PostgreSQL the schema is written for.
const minMajor = 15

// binaries is a PostgreSQL installation that the server's user can run.
type binaries struct {
	dir   string
	major int
}

func (b binaries) path(program string) string { return filepath.Join(b.dir, program) }

// findBinaries prefers the npm package, whose version the project pins, to the system's installations.
func findBinaries(cfg Config, acct *account, systemDirs []string) (binaries, error) {
	bin, npmErr := npmBinaries(cfg, acct)
	if npmErr == nil {
		return bin, nil
	}
	for _, dir := range systemDirs {
		if bin, err := probe(dir, acct); err == nil && bin.major >= minMajor {
			cfg.note("%v, so PostgreSQL %d in %s is used", npmErr, bin.major, dir)
			return bin, nil
		}
	}
	if errors.Is(npmErr, errNoPackage) {
		return binaries{}, ErrNoBinaries
	}
	return binaries{}, npmErr
}

// systemDirs lists the system's installations, the newest major first.
func systemDirs() []string {
	dirs, _ := filepath.Glob("/usr/lib/postgresql/[1-9][0-9]/bin")
	slices.Sort(dirs)
	slices.Reverse(dirs)
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	return dirs
}

var versionText = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// probe runs the server once to learn its version, as the user who will run it.
func probe(dir string, acct *account) (binaries, error) {
	for _, program := range []string{"postgres", "initdb"} {
		if !exists(filepath.Join(dir, program)) {
			return binaries{}, fmt.Errorf("%s has no %s", dir, program)
		}
	}
	out, err := command(acct, "/", filepath.Join(dir, "postgres"), "--version").CombinedOutput()
	if err != nil {
		return binaries{}, errors.Join(fmt.Errorf("run %s/postgres --version: %w", dir, err), outputError(out))
	}
	match := versionText.FindSubmatch(out)
	if match == nil {
		return binaries{}, fmt.Errorf("%s/postgres --version said %q", dir, out)
	}
	major, err := strconv.Atoi(string(match[1]))
	return binaries{dir: dir, major: major}, err
}

// command prepares a PostgreSQL program: as acct, from a directory it can enter, and
// without the caller's PG variables, which would redirect it.
func command(acct *account, dir, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = acct.attributes()
	return cmd
}

// outputError is the output of a failed program, if any.
func outputError(out []byte) error {
	if text := strings.TrimSpace(string(out)); text != "" {
		return errors.New(text)
	}
	return nil
}
