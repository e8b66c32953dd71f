package kyc_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/kyc"
)

func (b *bundle) mark(by audit.Actor, a kyc.Application, f kyc.Field, m kyc.Mark) kyc.Application {
	b.Helper()
	a, err := b.kyc.MarkField(b.Context(), by, a.ID, a.Version, f, m)
	require.NoError(b, err)
	return a
}

func TestNothingIsApprovedWhileAFieldDiffers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.accepted(b.reviewer, b.claimed(b.owner()))
	a = b.mark(b.reviewer, a, kyc.FieldName, kyc.Fits)
	a = b.mark(b.reviewer, a, kyc.FieldNumber, kyc.Differs)
	a = b.mark(b.reviewer, a, kyc.FieldExpiry, kyc.Differs)
	require.Equal(t, kyc.Marks{kyc.FieldName: kyc.Fits, kyc.FieldNumber: kyc.Differs, kyc.FieldExpiry: kyc.Differs}, b.row(a.ID).Marks)
	require.Equal(t, []kyc.Field{kyc.FieldNumber, kyc.FieldExpiry}, a.Marks.Differing())
	_, err := b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.ErrorIs(t, err, kyc.ErrMarks)
	a = b.mark(b.reviewer, a, kyc.FieldNumber, kyc.Fits)
	_, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.ErrorIs(t, err, kyc.ErrMarks, "one is enough")
	a = b.mark(b.reviewer, a, kyc.FieldExpiry, "")
	a, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(t, err, "what nobody marked the approval agrees to")
	require.Contains(t, strings.ReplaceAll(b.acts(a.ID)[0].After, " ", ""), `"marks":{"name":"fits","number":"fits"}`, "the decision's entry has them")
}

// TestAMarkStaysForTheSecondPerson escalates an application with a differing field: the lead can't confirm it until the mark is corrected.
func TestAMarkStaysForTheSecondPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.mark(b.reviewer, b.accepted(b.reviewer, b.claimed(b.owner())), kyc.FieldName, kyc.Differs)
	a, err := b.kyc.Escalate(t.Context(), b.reviewer, a.ID, a.Version, "", "two names")
	require.NoError(t, err)
	a = b.claim(b.lead, a.ID)
	_, err = b.kyc.Confirm(t.Context(), b.lead, a.ID, a.Version)
	require.ErrorIs(t, err, kyc.ErrMarks)
	a = b.mark(b.lead, a, kyc.FieldName, kyc.Fits)
	_, err = b.kyc.Confirm(t.Context(), b.lead, a.ID, a.Version)
	require.NoError(t, err)
}

func TestMarksAreVoidOnceTheDataIsTypedAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	a := b.mark(b.reviewer, b.claimed(o), kyc.FieldName, kyc.Differs)
	_, err := b.kyc.AskAgain(t.Context(), b.reviewer, a.ID, a.Version, []kyc.Ask{{Part: kyc.DataPart, Reason: "data_differs"}}, "")
	require.NoError(t, err)
	require.NotEmpty(t, b.row(a.ID).Marks, "until then they say what was wrong")
	b.save(o, kyc.Filled{FullName: text("Erika Muster")})
	require.Empty(t, b.row(a.ID).Marks)
}

func TestWhoMarksWhat(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.claimed(b.owner())
	tries := func(by audit.Actor, a kyc.Application, f kyc.Field, m kyc.Mark) error {
		_, err := b.kyc.MarkField(t.Context(), by, a.ID, a.Version, f, m)
		return err
	}
	require.ErrorIs(t, tries(b.reviewer, a, "selfie", kyc.Fits), kyc.ErrMark)
	require.ErrorIs(t, tries(b.reviewer, a, kyc.FieldName, "perhaps"), kyc.ErrMark)
	require.ErrorIs(t, tries(b.lead, a, kyc.FieldName, kyc.Fits), kyc.ErrRole)
	stale := a
	stale.Version--
	require.ErrorIs(t, tries(b.reviewer, stale, kyc.FieldName, kyc.Fits), kyc.ErrChanged)
	b.clock.Advance(10 * time.Minute)
	a = b.mark(b.reviewer, a, kyc.FieldName, kyc.Fits)
	b.clock.Advance(10 * time.Minute)
	a = b.mark(b.reviewer, a, kyc.FieldBirth, kyc.Fits) // a mark renews the claim
	b.clock.Advance(16 * time.Minute)
	require.ErrorIs(t, tries(b.reviewer, a, kyc.FieldName, kyc.Differs), kyc.ErrNotClaimed)
	require.Equal(t, kyc.Marks{kyc.FieldName: kyc.Fits, kyc.FieldBirth: kyc.Fits}, b.row(a.ID).Marks)
}
