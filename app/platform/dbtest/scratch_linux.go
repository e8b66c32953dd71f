package dbtest

import "syscall"

const writable = 2 // access(2)

// free is the number of writable bytes under a path; 0 when it is not writable.
func free(path string) uint64 {
	var stat syscall.Statfs_t
	if syscall.Access(path, writable) != nil || syscall.Statfs(path, &stat) != nil {
		return 0
	}
	return stat.Bavail * uint64(stat.Bsize) //nolint:gosec // a size is never negative
}
