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
	Each, Per   int // the points for so many whole units of the value
	Least, Most int // the points that the fact can give: negative ones are taken
}

// Current is the version of the rules that scores are computed by. Earlier versions stay, so that each kept score can be explained.
const Current = 1

// versions are the rules by version. The weights are Candor's own choice; no credit bureau's model is behind them.
//
//	score = base + the points of each fact, but at least Lowest and at most Highest
//	points of a fact = each × whole times that per goes into the value, but at least least and at most most
//
// Without any of the facts that take points, full points reach Highest.
var versions = map[int]rules{
	1: {base: 500, weights: []weight{
		{fact: Identity, value: func(f Facts) int { return f.IdentityLevel }, each: 60, per: 1, most: 120},
		{fact: Age, value: func(f Facts) int { return f.AgeDays }, each: 1, per: 10, most: 110},
		{fact: Settled, value: func(f Facts) int { return f.SettledDeposits }, each: 6, per: 1, most: 120},
		{fact: Bounced, value: func(f Facts) int { return f.BouncedDeposits }, each: -40, per: 1, least: -160},
		{fact: Disputed, value: func(f Facts) int { return f.DisputedDeposits }, each: -40, per: 1, least: -120},
		{fact: Calls, value: func(f Facts) int { return f.MarginCalls }, each: -5, per: 1, least: -50},
		{fact: Conduct, value: func(f Facts) int { return f.ConductFlags }, each: -60, per: 1, least: -120},
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
	each, per   int
	least, most int
}

// Base is the number that a version of the rules begins with.
func Base(version int) int { return versions[version].base }

// Lines explain the score of facts by a version of the rules, one line for each fact.
func Lines(version int, f Facts) []Line {
	var out []Line
	for _, w := range versions[version].weights {
		value := w.value(f)
		points := min(max(value/w.per*w.each, w.least), w.most)
		out = append(out, Line{Fact: w.fact, Value: value, Points: points, Each: w.each, Per: w.per, Least: w.least, Most: w.most})
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
