package staff

import "time"

// claimLife is the duration of a claim without an act.
const claimLife = 15 * time.Minute

// Claim is a member's temporary claim of a case. Rows that can be claimed embed it.
type Claim struct {
	ClaimedBy    *int64
	ClaimedUntil *time.Time
}

// ClaimActiveBy reports whether the member has an active claim.
func (c Claim) ClaimActiveBy(staffID int64, now time.Time) bool {
	return c.ClaimActive(now) && *c.ClaimedBy == staffID
}

// ClaimActiveByOther reports whether another member has an active claim.
func (c Claim) ClaimActiveByOther(staffID int64, now time.Time) bool {
	return c.ClaimActive(now) && *c.ClaimedBy != staffID
}

// ClaimActive reports whether any member has an active claim.
func (c Claim) ClaimActive(now time.Time) bool {
	return c.ClaimedBy != nil && c.ClaimedUntil != nil && now.Before(*c.ClaimedUntil)
}

// Claimed adds a claim that begins now to the columns of an update.
func Claimed(columns map[string]any, staffID int64, now time.Time) map[string]any {
	columns["claimed_by"], columns["claimed_until"] = staffID, now.Add(claimLife)
	return columns
}

// Released adds the end of a claim to the columns of an update.
func Released(columns map[string]any) map[string]any {
	columns["claimed_by"], columns["claimed_until"] = nil, nil
	return columns
}
