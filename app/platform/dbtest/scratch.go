package dbtest

import "os"

const (
	memory = "/dev/shm"
	room   = 4 << 30 // bytes that must be free there
)

// Scratch is where test servers keep their files: in memory where Linux offers it with enough room, since creating and dropping a database is then
// ten times as fast; else the system's folder for temporary files.
func Scratch() string {
	if free(memory) >= room {
		return memory
	}
	return os.TempDir()
}
