package trader

import "candor/app/platform/errs"

// Refusals of restricting and lifting, which only staff read.
var (
	ErrRestricted       = errs.New(errs.Conflict, "restriction.lives")        // there is one of the kind already
	ErrRestrictionEnded = errs.New(errs.Conflict, "restriction.ended")        // lifted before, or its time is over
	ErrOwnRestriction   = errs.New(errs.Forbidden, "restriction.same_person") // who sets one does not lift it
	ErrRestriction      = errs.New(errs.NotFound, "restriction.unknown")
)
