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

func TestAnApprovalNeedsEveryFieldToFit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.claimed(b.owner())
	refused := func(want error, why string) {
		t.Helper()
		_, err := b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
		require.ErrorIs(t, err, want, why)
	}
	for _, side := range []kyc.Part{kyc.Front, kyc.Selfie} {
		var err error
		a, err = b.kyc.DecideDocument(t.Context(), b.reviewer, a.ID, a.Version, b.document(a.ID, side).ID, true, "")
		require.NoError(t, err)
	}
	refused(kyc.ErrUnmarked, "no field is marked")
	for _, f := range kyc.Fields[1:] {
		a = b.mark(b.reviewer, a, f, kyc.Fits)
	}
	refused(kyc.ErrUnmarked, "one field is not")
	a = b.mark(b.reviewer, a, kyc.FieldName, kyc.Differs)
	a = b.mark(b.reviewer, a, kyc.FieldExpiry, kyc.Differs)
	require.Equal(t, []kyc.Field{kyc.FieldName, kyc.FieldExpiry}, a.Marks.Differing())
	refused(kyc.ErrMarks, "two differ")
	a = b.mark(b.reviewer, a, kyc.FieldName, kyc.Fits)
	refused(kyc.ErrMarks, "one is enough")
	a = b.mark(b.reviewer, a, kyc.FieldExpiry, "")
	refused(kyc.ErrUnmarked, "a cleared mark agrees to nothing")
	a = b.mark(b.reviewer, a, kyc.FieldExpiry, kyc.Fits)
	_, err := b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(t, err)
	require.Contains(t, strings.ReplaceAll(b.acts(a.ID)[0].After, " ", ""), `"marks":{"birth":"fits","country":"fits"`, "the decision's entry has them")
}

// TestTheRestIsMatchedInOneAct keeps the marks that are there.
func TestTheRestIsMatchedInOneAct(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.mark(b.reviewer, b.claimed(b.owner()), kyc.FieldNumber, kyc.Differs)
	before := len(b.acts(a.ID))
	a, err := b.kyc.MatchRest(t.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(t, err)
	require.Equal(t, []kyc.Field{kyc.FieldNumber}, a.Marks.Differing())
	require.Empty(t, a.Marks.Unmarked())
	require.Len(t, b.acts(a.ID), before+1)
	_, err = b.kyc.MatchRest(t.Context(), b.reviewer, a.ID, a.Version)
	require.ErrorIs(t, err, kyc.ErrMarked)
	_, err = b.kyc.MatchRest(t.Context(), b.lead, a.ID, a.Version)
	require.ErrorIs(t, err, kyc.ErrRole)
	_, err = b.kyc.MatchRest(t.Context(), b.reviewer, a.ID, a.Version-1)
	require.ErrorIs(t, err, kyc.ErrChanged)
}

// TestTheSecondPersonJudgesAfresh hands a judged application to the lead in both ways: the lead finds nothing judged, and the first person's judgements are
// shown once the lead has decided.
func TestTheSecondPersonJudgesAfresh(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, handOver := range map[string]func(t *testing.T, a kyc.Application) (kyc.Application, error){
		"Escalation": func(t *testing.T, a kyc.Application) (kyc.Application, error) {
			a = b.mark(b.reviewer, a, kyc.FieldName, kyc.Differs)
			a, err := b.kyc.DecideDocument(t.Context(), b.reviewer, a.ID, a.Version, b.document(a.ID, kyc.Selfie).ID, false, "face_differs")
			require.NoError(t, err)
			return b.kyc.Escalate(t.Context(), b.reviewer, a.ID, a.Version, "", "two names")
		},
		"Approval": func(t *testing.T, a kyc.Application) (kyc.Application, error) {
			return b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := b.in(t)
			o := b.owner()
			b.drafted(o)
			b.save(o, kyc.Filled{Country: text("AT")})
			v, err := b.trySubmit(o)
			require.NoError(t, err)
			a, err := handOver(t, b.accepted(b.reviewer, b.claim(b.reviewer, v.ID)))
			require.NoError(t, err)
			require.Equal(t, name == "Approval", a.Stage() == kyc.SecondApproval)
			require.Empty(t, a.Marks)
			a = b.claim(b.lead, a.ID)
			c, err := b.kyc.Case(t.Context(), b.lead, a.ID)
			require.NoError(t, err)
			require.Empty(t, c.First, "not before the second decision")
			for _, d := range c.Documents {
				require.Equal(t, kyc.Pending, d.Decision)
				require.Nil(t, d.DecidedBy)
			}
			_, err = b.kyc.Confirm(t.Context(), b.lead, a.ID, a.Version)
			require.ErrorIs(t, err, kyc.ErrDocuments)
			a = b.accepted(b.lead, a)
			_, err = b.kyc.Confirm(t.Context(), b.lead, b.mark(b.lead, a, kyc.FieldBirth, "").ID, 0)
			require.ErrorIs(t, err, kyc.ErrUnmarked)
			_, err = b.kyc.Confirm(t.Context(), b.lead, b.mark(b.lead, b.row(a.ID), kyc.FieldBirth, kyc.Fits).ID, 0)
			require.NoError(t, err)
			c, err = b.kyc.Case(t.Context(), b.lead, a.ID)
			require.NoError(t, err)
			require.Len(t, c.First, len(kyc.Fields)+2)
			for _, one := range c.First {
				require.Equal(t, b.reviewer.ID, one.StaffID)
				differs := one.Part == string(kyc.FieldName) || one.Part == string(kyc.Selfie)
				require.Equal(t, name == "Escalation" && differs, one.Verdict == string(kyc.Differs) || one.Verdict == string(kyc.Refused), one.Part)
			}
			require.Equal(t, b.lead.ID, *c.Documents[0].DecidedBy)
		})
	}
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
