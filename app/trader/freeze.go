package trader

import (
	"context"
	"errors"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/session"
)

// SelfFrozen is the reason of restrictions that traders set themselves; staff can't choose it.
const SelfFrozen = "self_frozen"

// SendFreezeCode sends the code for Freeze. Refusals: ErrGuest, ErrContactFirst, the throttles of codes.
func (s *Service) SendFreezeCode(ctx context.Context, p session.Principal, ip string) error {
	return s.sendOwnCode(ctx, p, session.FreezeCode, "", "message.freeze_code", nil, ip)
}

// Freeze restricts withdrawals and log-ins at the trader's own request, until staff lift each, and ends all of the trader's sessions. Existing restrictions
// by staff stay unchanged. An account that was closing is kept: its owner can't log in to keep it. Refusals: ErrGuest, session.ErrCode.
func (s *Service) Freeze(ctx context.Context, p session.Principal, code string, from audit.Actor) error {
	if p.Guest() {
		return ErrGuest
	}
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return err
	}
	codeID, err := s.tryOwnCode(ctx, t, session.FreezeCode.To(t.address().text), code, from)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.sessions.UseCodeTx(ctx, tx, codeID); err != nil {
			return err
		}
		if err := s.lockTx(tx, t.ID); err != nil {
			return err
		}
		for _, kind := range []RestrictionKind{RestrictWithdraw, RestrictLogin} {
			r, err := s.restrictTx(tx, audit.Actor{}, RestrictionRequest{TraderID: t.ID, Kind: kind, Reason: SelfFrozen})
			if errors.Is(err, ErrRestricted) {
				continue
			}
			if err != nil {
				return err
			}
			if err := s.recordChangeTx(ctx, tx, t.Acting(from), r, "trader.freeze", ""); err != nil {
				return err
			}
		}
		if t.Closing() {
			if err := s.keepTx(ctx, tx, t, from); err != nil {
				return err
			}
		}
		if _, err := s.sessions.EndAllTx(ctx, tx, t.ID); err != nil {
			return err
		}
		return s.tellTx(ctx, tx, t, "message.frozen", nil)
	})
}
