package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/jobs"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

// patience bounds a wait for the queue.
const patience = time.Minute

type greet struct {
	Name string `json:"name"`
}

func (greet) Kind() string { return "greet" }

type slow struct {
	N int `json:"n"`
}

func (slow) Kind() string { return "slow" }

type bundle struct {
	*testing.T
	db       *db.DB
	queue    *jobs.Queue
	periodic []jobs.Periodic
	heard    chan string
}

// setup makes a queue that handles greetings: "panic" panics and "fail" fails.
func setup(t *testing.T) *bundle {
	t.Helper()
	d, err := db.Open(t.Context(), dbtest.New(t).URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	queue, err := jobs.New(d.Pool)
	require.NoError(t, err)
	b := &bundle{T: t, db: d, queue: queue, heard: make(chan string, 100)}
	jobs.Handle(queue, func(_ context.Context, g greet) error {
		b.heard <- g.Name
		switch g.Name {
		case "panic":
			panic("boom")
		case "fail":
			return errors.New("no")
		}
		return nil
	})
	return b
}

func (b *bundle) start() {
	b.Helper()
	require.NoError(b, b.queue.Start(b.Context(), b.db.Pool, b.periodic))
	b.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.NoError(b, b.queue.Stop(ctx))
	})
}

func (b *bundle) add(name string) {
	b.Helper()
	require.NoError(b, b.db.InTx(b.Context(), func(tx *db.Tx) error { return b.queue.AddTx(b.Context(), tx, greet{name}) }))
}

func (b *bundle) await(want string) {
	b.Helper()
	select {
	case got := <-b.heard:
		require.Equal(b, want, got)
	case <-time.After(patience):
		b.Fatalf("%q never ran", want)
	}
}

func TestQueue(t *testing.T) {
	t.Parallel()

	t.Run("RunsWhatWasCommittedAndNothingElse", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		refusal := errors.New("no")
		require.ErrorIs(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			require.NoError(t, b.queue.AddTx(t.Context(), tx, greet{"never"}))
			return refusal
		}), refusal)
		b.add("before the start")
		b.start()
		b.await("before the start")
		b.add("after it")
		b.await("after it")
		require.Empty(t, b.heard)
	})
	t.Run("ManyMessagesDelayNothingElse", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		over := make(chan struct{})
		jobs.Handle(b.queue, func(ctx context.Context, _ slow) error {
			select {
			case <-over:
			case <-ctx.Done():
			}
			return nil
		})
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			for n := range 50 {
				if err := b.queue.AddToTx(t.Context(), tx, jobs.Messages, jobs.Normal, slow{n}); err != nil {
					return err
				}
			}
			return nil
		}))
		b.start()
		t.Cleanup(func() { close(over) })
		b.add("the books")
		b.await("the books")
	})
	t.Run("TheHigherPriorityComesFirst", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		order := make(chan int, 40)
		jobs.Handle(b.queue, func(_ context.Context, job slow) error {
			order <- job.N
			return nil
		})
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			for n := range 30 {
				priority := jobs.Normal
				if n == 29 {
					priority = jobs.High
				}
				if err := b.queue.AddToTx(t.Context(), tx, jobs.Messages, priority, slow{n}); err != nil {
					return err
				}
			}
			return nil
		}))
		b.start()
		place := 0
		for n := range order {
			if place++; n == 29 {
				break
			}
		}
		require.LessOrEqual(t, place, 8, "it is among the first that are taken")
	})
	t.Run("AFailureOrAPanicStopsNothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.start()
		b.add("panic")
		b.add("fail")
		b.add("well")
		left, late := map[string]bool{"panic": true, "fail": true, "well": true}, time.After(patience)
		for len(left) > 0 {
			select {
			case name := <-b.heard: // the first two may run again
				delete(left, name)
			case <-late:
				t.Fatalf("never ran: %v", left)
			}
		}
	})
	t.Run("WhatADeadServerRanIsRunAgainAndWhatALivingOneRunsIsNot", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.add("of the dead")
		b.add("of the living")
		for name, since := range map[string]string{"of the dead": "3 minutes", "of the living": "1 minute"} {
			tag, err := b.db.Pool.Exec(t.Context(), `UPDATE river_job SET state = 'running', attempt = 1, attempted_at = now() - $2::interval, attempted_by = '{dead}' WHERE args->>'name' = $1`, name, since)
			require.NoError(t, err)
			require.EqualValues(t, 1, tag.RowsAffected())
		}
		b.start()
		b.await("of the dead")
		require.Empty(t, b.heard)
	})
	t.Run("AScheduledJobRunsAtTheStart", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.periodic = []jobs.Periodic{{Name: "sweep", Each: time.Hour, Run: func(context.Context) error {
			b.heard <- "sweep"
			return nil
		}}}
		b.start()
		b.await("sweep")
		require.Empty(t, b.heard)
	})
	t.Run("ASlowScheduledJobTakesOneWorker", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		end := make(chan struct{})
		b.periodic = []jobs.Periodic{{Name: "sweep", Each: time.Second, Run: func(ctx context.Context) error {
			b.heard <- "sweep"
			select {
			case <-end:
			case <-ctx.Done():
			}
			return errors.New("it is not tried again")
		}}}
		b.start()
		b.await("sweep")
		time.Sleep(3 * time.Second) // two more would have run
		require.Empty(t, b.heard)
		close(end)
		b.await("sweep") // the next one
	})
	t.Run("OneThatNeverStartedStops", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, setup(t).queue.Stop(t.Context()))
	})
}
