// Command testpostgres runs a command with one throwaway PostgreSQL for all its test processes: testpostgres go test ./...
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"candor/app/platform/dbtest"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: testpostgres command [argument ...]")
		os.Exit(2)
	}
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "testpostgres:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// run returns the command's exit code; err is any failure around the command.
func run(args []string) (code int, err error) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)

	super, stop, err := dbtest.StartServer(context.Background())
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), dbtest.Variable+"="+super)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	return await(cmd, signals)
}

// await forwards signals to the command and waits for its end.
func await(cmd *exec.Cmd, signals <-chan os.Signal) (int, error) {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			_ = cmd.Process.Signal(s)
		case err := <-ended:
			return exitCode(err)
		}
	}
}

// exitCode follows the shell's rule for a command killed by a signal: 128 plus the signal's number.
func exitCode(err error) (int, error) {
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		return 0, err
	}
	if status, ok := failed.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return failed.ExitCode(), nil
}
