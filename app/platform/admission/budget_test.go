package admission_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/admission"
)

func TestBudget(t *testing.T) {
	t.Parallel()
	budget := admission.NewBudget(10, 6)
	anna, err := budget.Take("anna", 6)
	require.NoError(t, err)
	_, err = budget.Take("anna", 1)
	require.ErrorIs(t, err, admission.ErrBusy, "anna has her share")
	_, err = budget.Take("bert", 5)
	require.ErrorIs(t, err, admission.ErrBusy, "more than is left")
	bert, err := budget.Take("bert", 4)
	require.NoError(t, err)
	anna()
	anna() // the second call does nothing
	_, err = budget.Take("anna", 7)
	require.ErrorIs(t, err, admission.ErrBusy)
	_, err = budget.Take("anna", 6)
	require.NoError(t, err)
	bert()
	_, err = budget.Take("clara", 5)
	require.ErrorIs(t, err, admission.ErrBusy)
	_, err = budget.Take("clara", 4)
	require.NoError(t, err)
}

// TestTakeOne: a caller may take one item above its share, and nothing beside it.
func TestTakeOne(t *testing.T) {
	t.Parallel()
	budget := admission.NewBudget(10, 2)
	_, err := budget.Take("anna", 3)
	require.ErrorIs(t, err, admission.ErrBusy, "a share is a share")
	anna, err := budget.TakeOne("anna", 7)
	require.NoError(t, err)
	_, err = budget.TakeOne("anna", 1)
	require.ErrorIs(t, err, admission.ErrBusy, "one at a time")
	_, err = budget.TakeOne("bert", 4)
	require.ErrorIs(t, err, admission.ErrBusy, "more than is left")
	bert, err := budget.TakeOne("bert", 1)
	require.NoError(t, err)
	_, err = budget.TakeOne("bert", 2)
	require.ErrorIs(t, err, admission.ErrBusy, "who has taken something has a share")
	small, err := budget.TakeOne("bert", 1)
	require.NoError(t, err)
	for _, release := range []func(){anna, bert, small} {
		release()
	}
	_, err = budget.TakeOne("clara", 10)
	require.NoError(t, err, "all was given back")
}
