package dbtest

import "os"

const (
	memory = "/dev/shm"
	room   = 4 << 30 // required free bytes
)

// Scratch is the folder for test servers' files: in memory where Linux has enough room, which makes creating and dropping databases ten times as fast;
// otherwise the system's temporary folder.
func Scratch() string {
	if free(memory) >= room {
		return memory
	}
	return os.TempDir()
}
