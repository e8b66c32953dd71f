package staff

import "time"

// claimLife is how long a claim holds without an act.
const claimLife = 15 * time.Minute

// Claim is a case that a member of staff has taken to work on, for a time. Rows that may be claimed embed it.
type Claim struct {
	ClaimedBy    *int64
	ClaimedUntil *time.Time
}

// HeldBy tells whether a member of staff holds a living claim.
func (c Claim) HeldBy(staffID int64, now time.Time) bool {
	return c.Held(now) && *c.ClaimedBy == staffID
}

// HeldByOther tells whether somebody else than a member of staff holds a living claim.
func (c Claim) HeldByOther(staffID int64, now time.Time) bool {
	return c.Held(now) && *c.ClaimedBy != staffID
}

// Held tells whether anybody holds a living claim.
func (c Claim) Held(now time.Time) bool {
	return c.ClaimedBy != nil && c.ClaimedUntil != nil && now.Before(*c.ClaimedUntil)
}

// Claimed adds a claim that begins now to the columns of a change.
func Claimed(columns map[string]any, staffID int64, now time.Time) map[string]any {
	columns["claimed_by"], columns["claimed_until"] = staffID, now.Add(claimLife)
	return columns
}

// Released adds the end of a claim to the columns of a change.
func Released(columns map[string]any) map[string]any {
	columns["claimed_by"], columns["claimed_until"] = nil, nil
	return columns
}
