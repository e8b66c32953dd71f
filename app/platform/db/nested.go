package db

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"strconv"
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
	within    map[int64]bool // goroutines that are inside a transaction
	found     []string       // stacks of the requests for a second connection
}

// ForbidNested makes every request for a second connection inside a transaction fail, and records it for Nested. It is for tests.
func ForbidNested() {
	nesting.mu.Lock()
	defer nesting.mu.Unlock()
	nesting.within = map[int64]bool{}
	nesting.forbidden.Store(true)
}

// Nested lists the stacks of the requests for a second connection inside a transaction since ForbidNested, and clears them.
func Nested() []string {
	nesting.mu.Lock()
	defer nesting.mu.Unlock()
	found := nesting.found
	nesting.found = nil
	return found
}

// enter records that this goroutine has a connection until leave.
func enter() (leave func()) {
	if !nesting.forbidden.Load() {
		return func() {}
	}
	id := goroutine()
	nesting.mu.Lock()
	defer nesting.mu.Unlock()
	nesting.within[id] = true
	return func() {
		nesting.mu.Lock()
		defer nesting.mu.Unlock()
		delete(nesting.within, id)
	}
}

// refuseNested runs before a pool hands out a connection.
func refuseNested(context.Context, *pgx.Conn) (bool, error) { return true, nested() }

// nested returns ErrNested where this goroutine already has a connection, if that is forbidden.
func nested() error {
	if !nesting.forbidden.Load() {
		return nil
	}
	nesting.mu.Lock()
	defer nesting.mu.Unlock()
	if !nesting.within[goroutine()] {
		return nil
	}
	nesting.found = append(nesting.found, string(debug.Stack()))
	return ErrNested
}

// goroutine is the number of this goroutine, from the start of its stack: "goroutine 17 [running]:".
func goroutine() int64 {
	var raw [32]byte
	text := bytes.TrimPrefix(raw[:runtime.Stack(raw[:], false)], []byte("goroutine "))
	id, _ := strconv.ParseInt(string(text[:max(0, bytes.IndexByte(text, ' '))]), 10, 64)
	return id
}
