package server

import (
	"context"

	"candor/app/invitation"
	"candor/app/kyc"
	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/session"
)

// related tells by which fact an inviter and an invited trader are one person.
func related(ctx context.Context, q db.Querier, inviterID, invitedID int64) (invitation.Reason, error) {
	for _, fact := range []struct {
		reason invitation.Reason
		share  func(ctx context.Context, q db.Querier, one, other int64) (bool, error)
	}{
		{invitation.SameDevice, session.ShareDevice}, {invitation.SameDocument, kyc.ShareDocument}, {invitation.SamePayee, payee.Share},
	} {
		if shared, err := fact.share(ctx, q, inviterID, invitedID); err != nil || shared {
			return fact.reason, err
		}
	}
	return "", nil
}
