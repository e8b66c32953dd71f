package idempotency_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/idempotency"
)

// proofs accepts one proof once, as a code does, and counts how often it was asked.
type proofs struct {
	mu          sync.Mutex
	asked, left int
}

var errUnproven = errors.New("not proven")

func (p *proofs) prove(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	if p.left == 0 {
		return errUnproven
	}
	p.left--
	return nil
}

func TestProvenWork(t *testing.T) {
	t.Parallel()

	t.Run("IsDoneOnceAndReplayedWithoutAProof", func(t *testing.T) {
		t.Parallel()
		b, p := setup(t), &proofs{left: 1}
		first, err := idempotency.DoProven(t.Context(), b.db, request(), p.prove, work)
		require.NoError(t, err)
		again, err := idempotency.DoProven(t.Context(), b.db, request(), p.prove, work)
		require.NoError(t, err)
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
		require.Equal(t, []int{1, 1}, []int{p.asked, b.effects()}, "the rehearsal has left nothing")
	})
	t.Run("IsNotDoneWithoutAProof", func(t *testing.T) {
		t.Parallel()
		b, p := setup(t), &proofs{}
		_, err := idempotency.DoProven(t.Context(), b.db, request(), p.prove, work)
		require.ErrorIs(t, err, errUnproven)
		require.Zero(t, b.effects())
		p.left = 1
		_, err = idempotency.DoProven(t.Context(), b.db, request(), p.prove, work)
		require.NoError(t, err, "the key stayed free")
	})
	t.Run("WhatWouldBeRefusedAsksForNoProof", func(t *testing.T) {
		t.Parallel()
		b, p := setup(t), &proofs{left: 1}
		refusal := errors.New("refused")
		_, err := idempotency.DoProven(t.Context(), b.db, request(), p.prove, func(*db.Tx) (result, error) { return result{}, refusal })
		require.ErrorIs(t, err, refusal)
		require.Zero(t, p.asked)
	})
	t.Run("WhatADuplicateHasDoneMeanwhileIsAnsweredAndNotRefused", func(t *testing.T) {
		t.Parallel()
		b, p := setup(t), &proofs{left: 1}
		var first idempotency.Result[result]
		again, err := idempotency.DoProven(t.Context(), b.db, request(), p.prove, func(*db.Tx) (result, error) {
			err := dbtest.Concurrently(func() (err error) {
				first, err = idempotency.DoProven(t.Context(), b.db, request(), p.prove, work)
				return err
			})
			return result{}, errors.Join(err, errors.New("nothing is left to take"))
		})
		require.NoError(t, err)
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
		require.Equal(t, []int{1, 1}, []int{p.asked, b.effects()})
	})
	t.Run("AnotherBodyIsRefused", func(t *testing.T) {
		t.Parallel()
		b, p := setup(t), &proofs{left: 2}
		_, err := idempotency.DoProven(t.Context(), b.db, request(), p.prove, work)
		require.NoError(t, err)
		other := request()
		other.Body = []byte(`{"amount":"6"}`)
		_, err = idempotency.DoProven(t.Context(), b.db, other, p.prove, work)
		require.ErrorIs(t, err, idempotency.ErrKeyReused)
		_, err = idempotency.DoProven(t.Context(), b.db, idempotency.Request{}, p.prove, work)
		require.ErrorIs(t, err, idempotency.ErrKeyMissing)
	})
	t.Run("OfEightAtOnceWithOneProofAllAreAnsweredAlike", func(t *testing.T) {
		t.Parallel()
		b, p := setup(t), &proofs{left: 1}
		var group errgroup.Group
		answers := make([]idempotency.Result[result], 8)
		for n := range answers {
			group.Go(func() (err error) {
				answers[n], err = idempotency.DoProven(t.Context(), b.db, request(), p.prove, work)
				if errors.Is(err, errUnproven) { // it came before the one with the proof
					err = nil
				}
				return err
			})
		}
		require.NoError(t, group.Wait())
		require.Equal(t, 1, b.effects())
		different := map[string]bool{}
		for _, answer := range answers {
			if answer.TraceID != "" {
				different[dbtest.JSON(t, answer)] = true
			}
		}
		require.Len(t, different, 1)
	})
}
