package score

// Fact names one of the facts, as the trader reads it.
type Fact string

// The facts.
const (
	Identity Fact = "identity"
	Age      Fact = "age"
	Settled  Fact = "settled"
	Bounced  Fact = "bounced"
	Disputed Fact = "disputed"
	Calls    Fact = "margin_calls"
	Conduct  Fact = "conduct"
)

// Line is what one fact gives or takes.
type Line struct {
	Fact        Fact
	Value       int // level, days or count
	Points      int
	Least, Most int // the points that the fact can give: negative ones are taken
}

// Current is the version of the rules that scores are computed by. Earlier versions stay, so that each kept score can be explained.
const Current = 1

// versions are the rules by version. The weights are Candor's own choice; no credit bureau's model is behind them.
//
//	score = base + the points of each fact, but at least Lowest and at most Highest
//
// Version 1 begins at 500. Identity gives 0, 60 or 120 points for levels 0 to 2. The account's age gives 1 for every 10 days, up to 110. Each settled deposit gives
// 6, up to 120. Each bounced deposit takes 40, up to 160; each disputed one 40, up to 120; each margin call 5, up to 50; each conduct flag 60, up to 120. Without any
// of the last four, full points reach Highest.
var versions = map[int]rules{
	1: {base: 500, weights: []weight{
		{Identity, func(f Facts) int { return f.IdentityLevel }, func(level int) int { return 60 * level }, 0, 120},
		{Age, func(f Facts) int { return f.AgeDays }, func(days int) int { return days / 10 }, 0, 110},
		{Settled, func(f Facts) int { return f.SettledDeposits }, func(n int) int { return 6 * n }, 0, 120},
		{Bounced, func(f Facts) int { return f.BouncedDeposits }, func(n int) int { return -40 * n }, -160, 0},
		{Disputed, func(f Facts) int { return f.DisputedDeposits }, func(n int) int { return -40 * n }, -120, 0},
		{Calls, func(f Facts) int { return f.MarginCalls }, func(n int) int { return -5 * n }, -50, 0},
		{Conduct, func(f Facts) int { return f.ConductFlags }, func(n int) int { return -60 * n }, -120, 0},
	}},
}

// rules are one version.
type rules struct {
	base    int
	weights []weight
}

// weight is how one fact counts.
type weight struct {
	fact        Fact
	value       func(Facts) int
	points      func(value int) int
	least, most int
}

// Base is the number that a version of the rules begins with.
func Base(version int) int { return versions[version].base }

// Lines explain the score of facts by a version of the rules, one line for each fact.
func Lines(version int, f Facts) []Line {
	var out []Line
	for _, w := range versions[version].weights {
		value := w.value(f)
		out = append(out, Line{Fact: w.fact, Value: value, Points: min(max(w.points(value), w.least), w.most), Least: w.least, Most: w.most})
	}
	return out
}

// compute is the score of facts by a version of the rules.
func compute(version int, f Facts) int {
	sum := Base(version)
	for _, line := range Lines(version, f) {
		sum += line.Points
	}
	return min(max(sum, Lowest), Highest)
}
