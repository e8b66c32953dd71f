package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const formerWithin = 5 * time.Second

// awaitFormerServer handles a server left by a program that was killed. We hold the
// lock, so that program is gone; its server is about to end, and gets the time to.
// The pid file is then stale: its number may belong to any process by now.
func awaitFormerServer(ctx context.Context, h home) error {
	ctx, cancel := context.WithTimeout(ctx, formerWithin)
	defer cancel()
	for {
		pid, running := serverOn(h.cluster())
		if !running {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("a PostgreSQL with process id %d already runs on %s: stop it, or set DATABASE_URL", pid, h.dir)
		case <-time.After(20 * time.Millisecond):
		}
	}
	err := os.Remove(filepath.Join(h.cluster(), "postmaster.pid"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a stale pid file: %w", err)
	}
	return nil
}
