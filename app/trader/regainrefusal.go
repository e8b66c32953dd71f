package trader

import "candor/app/platform/errs"

// Refusals of what staff do for a trader who has lost the way in; only staff read them.
var (
	ErrNoFactor       = errs.New(errs.Conflict, "account_change.no_factor")
	ErrPartnerState   = errs.New(errs.Conflict, "account_change.partner_state") // is a partner already, or is none
	ErrContactDiffers = errs.Field("contact", "account_change.contact_differs") // not the one that was requested
	ErrContactTaken   = errs.Field("contact", "account_change.contact_taken")   // another trader has it, or this one already
	errContactForm    = errs.Field("contact", "account_change.contact_form")    // no address of the kind
)
