package db

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// Code that has one connection and waits for another may wait for code that does the same: with as many of them as a pool has connections, all are stuck.
// So no code asks a pool inside a transaction. Tests switch on a check of it; it costs too much in production.

// ErrNested is returned, after ForbidNested, for a second connection inside a transaction.
var ErrNested = errors.New("a second connection was asked for inside a transaction: pass the transaction on")

var nesting struct {
	forbidden atomic.Bool
	mu        sync.Mutex
	found     []string // stacks of the requests for a second connection
}

// ForbidNested makes every request for a second connection inside a transaction fail, and records it for Nested. It is for tests.
func ForbidNested() { nesting.forbidden.Store(true) }

// Nested lists the stacks of the requests for a second connection inside a transaction since ForbidNested, and clears them.
func Nested() []string {
	nesting.mu.Lock()
	defer nesting.mu.Unlock()
	found := nesting.found
	nesting.found = nil
	return found
}

// holding runs work while this goroutine holds a connection: nested finds it on the stack by this function.
//
//go:noinline
func holding(work func() error) error { return work() }

var holdingEntry = reflect.ValueOf(holding).Pointer()

// refuseNested runs before a pool hands out a connection.
func refuseNested(context.Context, *pgx.Conn) (bool, error) { return true, nested() }

// nested returns ErrNested where this goroutine already holds a connection, if that is forbidden.
func nested() error {
	if !nesting.forbidden.Load() || !isHolding() {
		return nil
	}
	nesting.mu.Lock()
	defer nesting.mu.Unlock()
	nesting.found = append(nesting.found, string(debug.Stack()))
	return ErrNested
}

// isHolding reports whether this goroutine is inside holding.
func isHolding() bool {
	var stack [256]uintptr
	for _, pc := range stack[:runtime.Callers(2, stack[:])] {
		if f := runtime.FuncForPC(pc); f != nil && f.Entry() == holdingEntry {
			return true
		}
	}
	return false
}
