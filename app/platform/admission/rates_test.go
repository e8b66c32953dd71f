package admission_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/admission"
	"candor/app/platform/clock"
	"candor/app/platform/errs"
)

func TestRate(t *testing.T) {
	t.Parallel()
	fixed := clock.NewFixed(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	rate := admission.NewRate(6, fixed.Now)
	for range 6 {
		require.NoError(t, rate.Take("anna"))
	}
	err := rate.Take("anna")
	require.ErrorIs(t, err, admission.ErrOften)
	require.Equal(t, "10", errs.As(err).Args["seconds"], "a sixth of a minute")
	require.NoError(t, rate.Take("bert"), "another caller")
	fixed.Advance(10 * time.Second)
	require.NoError(t, rate.Take("anna"))
	require.ErrorIs(t, rate.Take("anna"), admission.ErrOften)
	for n := range 1000 {
		require.NoError(t, rate.Take(fmt.Sprint(n)))
	}
	fixed.Advance(time.Hour)
	for range 6 {
		require.NoError(t, rate.Take("anna"), "no more than a minute's is saved up")
	}
	require.ErrorIs(t, rate.Take("anna"), admission.ErrOften)
}
