package upload

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// pipes is a listener of connections within the process.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

// connect serves a handler on one connection.
func connect(t *testing.T, handler http.HandlerFunc) net.Conn {
	t.Helper()
	client, conn := net.Pipe()
	listener, server := make(pipes, 1), &http.Server{Handler: handler, ReadTimeout: within, IdleTimeout: within}
	listener <- conn
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() {
		close(listener)
		_ = client.Close()
		_ = server.Close()
		time.Sleep(time.Second) // of the test's clock: a connection that is closed after an answer lingers
	})
	return client
}

// post begins a request that announces a body of so many bytes.
func post(t *testing.T, conn net.Conn, bytes int) {
	t.Helper()
	_, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: candor\r\nContent-Length: %d\r\n\r\n", bytes)
	require.NoError(t, err)
}

// TestDiscard sends requests that are refused over connections of different speeds.
func TestDiscard(t *testing.T) {
	t.Parallel()
	const bytes = 1 << 20
	refuse := func(w http.ResponseWriter, r *http.Request) {
		Discard(w, r)
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	t.Run("ASlowSenderIsAnsweredAfterTwoSeconds", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			conn := connect(t, refuse)
			begun := time.Now()
			post(t, conn, bytes)
			go func() {
				for range bytes {
					if _, err := conn.Write([]byte(".")); err != nil {
						return
					}
					time.Sleep(time.Second / 10)
				}
			}()
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
			require.Equal(t, discardWithin, time.Since(begun))
			require.True(t, answer.Close)
		})
	})
	t.Run("AGoodLineKeepsItsConnection", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			conn := connect(t, refuse)
			answers := bufio.NewReader(conn)
			for range 2 {
				post(t, conn, bytes)
				_, err := conn.Write([]byte(strings.Repeat(".", bytes/2)))
				require.NoError(t, err)
				time.Sleep(discardWithin - time.Millisecond)
				_, err = conn.Write([]byte(strings.Repeat(".", bytes/2)))
				require.NoError(t, err)
				answer, err := http.ReadResponse(answers, nil)
				require.NoError(t, err)
				require.NoError(t, answer.Body.Close())
				require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
				require.False(t, answer.Close)
				time.Sleep(2 * discardWithin)
			}
		})
	})
	t.Run("WhatWasReadInTimeIsHandledToItsEnd", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			ended := make(chan error, 1)
			conn := connect(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				Discard(w, r)
				time.Sleep(5 * discardWithin)
				ended <- r.Context().Err()
			})
			post(t, conn, 1)
			_, err := conn.Write([]byte("."))
			require.NoError(t, err)
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			require.NoError(t, <-ended)
		})
	})
}
