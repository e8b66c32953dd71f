package member

// Duty is the subject of a member's decisions for a trader. A member has one duty for each trader, permanently.
type Duty string

// The duties.
const (
	IdentityDuty Duty = "person" // identity, level, and account recovery
	MoneyDuty    Duty = "money"  // deposits, withdrawals, adjustments
)
