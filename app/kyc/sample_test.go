package kyc_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/kyc"
	"candor/app/platform/errs"
	"candor/app/staff"
)

func (b *bundle) drawn(share int, want int) []kyc.Sample {
	b.Helper()
	n, err := b.kyc.DrawSamples(b.Context(), b.lead, share, kyc.Monday(b.clock.Now()))
	require.NoError(b, err)
	require.Equal(b, want, n)
	list, err := b.kyc.Samples(b.Context(), false, 50)
	require.NoError(b, err)
	return list
}

// TestDrawSamples draws a share of each reviewer's decisions of a week, once.
func TestDrawSamples(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := b.staff(staff.ComplianceReviewer)
	for range 4 {
		b.approved(b.owner())
	}
	asked := b.askedAgain(b.owner())
	first := b.reviewer
	b.reviewer = second
	other := b.approved(b.owner())
	b.reviewer = first
	b.submitted(b.owner()) // not decided

	list := b.drawn(40, 3) // two of five, and one of one
	per := map[int64]int{}
	for _, one := range list {
		per[one.ReviewerID]++
		require.Equal(t, kyc.Monday(start).Format(time.DateOnly), one.Week.Format(time.DateOnly))
		want := kyc.OutcomeApproved
		if one.ApplicationID == asked.ID {
			want = kyc.OutcomeAsked
		}
		require.Equal(t, want, one.Outcome)
	}
	require.Equal(t, map[int64]int{first.ID: 2, second.ID: 1}, per)
	b.drawn(40, 0)
	list = b.drawn(100, 3)
	require.Len(t, list, 6, "what was drawn before counts")
	found := map[int64]int64{}
	for _, one := range list {
		found[one.ApplicationID] = one.ReviewerID
	}
	require.Equal(t, []int64{first.ID, second.ID}, []int64{found[asked.ID], found[other.ID]})
	require.EqualValues(t, 2, b.count(`SELECT count(*) FROM audit_entries WHERE action = 'kyc.draw_samples'`), "a draw that draws nothing is none")

	draw := func(share int, week time.Time) error {
		_, err := b.kyc.DrawSamples(t.Context(), b.lead, share, week)
		return err
	}
	monday := kyc.Monday(start)
	require.Equal(t, errs.As(kyc.ErrShare).Fields, errs.As(draw(0, monday)).Fields)
	require.Equal(t, errs.As(kyc.ErrShare).Fields, errs.As(draw(101, monday)).Fields)
	require.Equal(t, errs.As(kyc.ErrWeek).Fields, errs.As(draw(10, start)).Fields)
	require.Equal(t, errs.As(kyc.ErrWeek).Fields, errs.As(draw(10, monday.AddDate(0, 0, 7))).Fields)
	_, err := b.kyc.DrawSamples(t.Context(), b.reviewer, 10, monday)
	require.ErrorIs(t, err, kyc.ErrRole)
}

// TestSamplesAreReviewedBlind shows the evidence without the decision, records one second outcome, and changes nothing about the application.
func TestSamplesAreReviewedBlind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.approved(b.owner())
	sample := b.drawn(100, 1)[0]
	e, err := b.kyc.OpenSample(t.Context(), b.lead, sample.ID)
	require.NoError(t, err)
	require.Equal(t, "Erika Mustermann", e.Data.FullName)
	require.NotEmpty(t, e.Documents)
	for _, d := range e.Documents {
		require.Equal(t, kyc.Pending, d.Decision)
		require.Nil(t, d.DecidedBy)
	}
	raw, err := b.kyc.ViewSampled(t.Context(), b.lead, sample.ID, e.Documents[0].ID)
	require.NoError(t, err)
	require.NotEmpty(t, raw)
	_, err = b.kyc.ViewSampled(t.Context(), b.lead, sample.ID, 999_999)
	require.ErrorIs(t, err, kyc.ErrUnknown)
	require.EqualValues(t, 1, b.count(`SELECT count(*) FROM kyc_views WHERE staff_id = $1`, b.lead.ID), "a view counts and is recorded")

	for want, by := range map[error]int64{kyc.ErrRole: b.staff(staff.ComplianceReviewer).ID, kyc.ErrSampleOwn: b.reviewer.ID} {
		actor := b.reviewer
		actor.ID = by
		if want == kyc.ErrSampleOwn {
			b.exec(`INSERT INTO staff_roles (staff_id, role, granted_at) VALUES ($1, 'compliance_lead', now())`, by)
		}
		_, err := b.kyc.OpenSample(t.Context(), actor, sample.ID)
		require.ErrorIs(t, err, want)
		_, err = b.kyc.ViewSampled(t.Context(), actor, sample.ID, e.Documents[0].ID)
		require.ErrorIs(t, err, want)
		_, err = b.kyc.JudgeSample(t.Context(), actor, sample.ID, kyc.OutcomeApproved, "")
		require.ErrorIs(t, err, want)
	}
	_, err = b.kyc.JudgeSample(t.Context(), b.lead, sample.ID, "perhaps", "")
	require.Equal(t, errs.As(kyc.ErrOutcome).Fields, errs.As(err).Fields)
	_, err = b.kyc.JudgeSample(t.Context(), b.lead, sample.ID, kyc.OutcomeAsked, strings.Repeat("x", 3_000))
	require.Equal(t, errs.As(kyc.ErrNote).Fields, errs.As(err).Fields)
	judged, err := b.kyc.JudgeSample(t.Context(), b.lead, sample.ID, kyc.OutcomeAsked, "The selfie is dark")
	require.NoError(t, err)
	require.False(t, judged.Agrees())
	_, err = b.kyc.JudgeSample(t.Context(), b.lead, sample.ID, kyc.OutcomeApproved, "")
	require.ErrorIs(t, err, kyc.ErrSampleDone, "once")
	_, err = b.kyc.OpenSample(t.Context(), b.lead, sample.ID)
	require.ErrorIs(t, err, kyc.ErrSampleDone)
	require.Equal(t, []any{kyc.Approved, a.Version}, []any{b.row(a.ID).State, b.row(a.ID).Version}, "the decision stays")

	rates, err := b.kyc.Agreements(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, rates, 1)
	require.Equal(t, []any{b.reviewer.ID, 1, 1, 0}, []any{rates[0].ReviewerID, rates[0].Drawn, rates[0].Reviewed, rates[0].Agreed})
	open, err := b.kyc.Samples(t.Context(), false, 10)
	require.NoError(t, err)
	require.Empty(t, open)
	done, err := b.kyc.Samples(t.Context(), true, 10)
	require.NoError(t, err)
	require.Equal(t, sample.ID, done[0].ID)
}

// TestAChangedSampleIsLeftOut: what the trader has submitted anew is not what was decided.
func TestAChangedSampleIsLeftOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	b.askedAgain(o)
	sample := b.drawn(100, 1)[0]
	b.attach(o, kyc.Selfie)
	e, err := b.kyc.OpenSample(t.Context(), b.lead, sample.ID)
	require.NoError(t, err, "a new picture is not yet submitted, and not shown")
	for _, d := range e.Documents {
		require.Equal(t, 1, d.Attempt)
	}
	_, err = b.trySubmit(o)
	require.NoError(t, err)
	_, err = b.kyc.OpenSample(t.Context(), b.lead, sample.ID)
	require.ErrorIs(t, err, kyc.ErrSampleChanged)
	list, err := b.kyc.Samples(t.Context(), false, 10)
	require.NoError(t, err)
	require.Empty(t, list)
}
