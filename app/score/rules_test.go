package score

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheRulesOfVersionOne computes scores by hand.
func TestTheRulesOfVersionOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		facts Facts
		score int
		band  Band
	}{
		{Facts{}, 500, Fair},
		{Facts{IdentityLevel: 1, AgeDays: 99, SettledDeposits: 2}, 500 + 60 + 9 + 12, Fair},
		{Facts{IdentityLevel: 2, AgeDays: 1099, SettledDeposits: 19}, 500 + 120 + 109 + 114, VeryGood},
		{Facts{IdentityLevel: 2, AgeDays: 1100, SettledDeposits: 20}, Highest, VeryGood},
		{Facts{IdentityLevel: 2, AgeDays: 9999, SettledDeposits: 9999}, Highest, VeryGood},
		{Facts{BouncedDeposits: 1, DisputedDeposits: 1}, 420, Low},
		{Facts{MarginCalls: 3, ConductFlags: 1}, 425, Low},
		{Facts{MarginCalls: 11}, 450, Fair},
		{Facts{BouncedDeposits: 9, DisputedDeposits: 9, MarginCalls: 99, ConductFlags: 9}, Lowest, Low},
		{Facts{IdentityLevel: 2, BouncedDeposits: 5, ConductFlags: 1}, 500 + 120 - 160 - 60, Low},
	} {
		require.Equal(t, c.score, compute(1, c.facts), "%+v", c.facts)
		require.Equal(t, c.band, Score{Score: c.score}.Band(), "%+v", c.facts)
	}
}

func TestTheBandsAreRangesWithoutGaps(t *testing.T) {
	t.Parallel()
	for band, ends := range map[Band][2]int{Low: {Lowest, 449}, Fair: {450, 599}, Good: {600, 699}, VeryGood: {700, Highest}} {
		for _, end := range ends {
			require.Equal(t, band, Score{Score: end}.Band(), "%d", end)
		}
	}
}

// TestRulesAreBoundedAndMonotonic looks at random facts: a score stays in its range, is the sum of its lines, and one more of any fact never moves it the wrong way.
func TestRulesAreBoundedAndMonotonic(t *testing.T) {
	t.Parallel()
	raises := map[Fact]bool{Identity: true, Age: true, Settled: true, Bounced: false, Disputed: false, Calls: false, Conduct: false}
	random := rand.New(rand.NewPCG(1, 2))
	for version := range versions {
		for range 20_000 {
			f := Facts{
				IdentityLevel: random.IntN(3), AgeDays: random.IntN(2000), SettledDeposits: random.IntN(40), BouncedDeposits: random.IntN(6), DisputedDeposits: random.IntN(6),
				MarginCalls: random.IntN(15), ConductFlags: random.IntN(4),
			}
			score, sum := compute(version, f), Base(version)
			require.True(t, score >= Lowest && score <= Highest, "%+v", f)
			lines := Lines(version, f)
			require.Len(t, lines, len(raises))
			for i, line := range lines {
				require.True(t, line.Points >= line.Least && line.Points <= line.Most, "%+v", line)
				require.True(t, raises[line.Fact] && line.Least == 0 || !raises[line.Fact] && line.Most == 0, "%+v gives or takes, not both", line)
				sum += line.Points

				more := f
				field := reflect.ValueOf(&more).Elem().Field(i)
				field.SetInt(field.Int() + 1)
				require.Equal(t, line.Value+1, Lines(version, more)[i].Value, "the facts have the order of the lines")
				if raises[line.Fact] {
					require.GreaterOrEqual(t, compute(version, more), score, "%+v", f)
				} else {
					require.LessOrEqual(t, compute(version, more), score, "%+v", f)
				}
			}
			require.Equal(t, min(max(sum, Lowest), Highest), score)
		}
	}
}

// TestTheRangeIsReached shows that both ends of the range can be reached.
func TestTheRangeIsReached(t *testing.T) {
	t.Parallel()
	for version, r := range versions {
		best, worst := r.base, r.base
		for _, w := range r.weights {
			best, worst = best+w.most, worst+w.least
		}
		require.Equal(t, Highest, best, "version %d", version)
		require.LessOrEqual(t, worst, Lowest, "version %d", version)
	}
	require.Contains(t, versions, Current)
}
