package casework

// Verdict says whether an act may be done, or why not. The zero value means that it is not offered at all.
type Verdict struct {
	OK  bool
	Why error
}

// May is the verdict of an act that may be done.
var May = Verdict{OK: true}

// No is the verdict of an act that is offered and locked.
func No(why error) Verdict { return Verdict{Why: why} }

// Offered tells whether the pages show the act.
func (v Verdict) Offered() bool { return v.OK || v.Why != nil }

// Refusal is the error of an act that may not be done, nil for one that may; state is the error of one that is not offered.
func (v Verdict) Refusal(state error) error {
	if !v.OK && v.Why == nil {
		return state
	}
	return v.Why
}

// Rights are what a member may do with a case now, by the noun of the act.
type Rights map[string]Verdict
