//go:build !linux

package dbtest

func free(string) uint64 { return 0 }
