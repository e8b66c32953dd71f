package trader

import (
	"context"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// ErrDevice refuses to remove a device that the trader does not have, or the one in use.
var ErrDevice = errs.New(errs.NotFound, "device.unknown")

// Devices lists the devices that the trader has logged in from and has not removed, last used first, after a device (0 begins at the last used), with the device
// after which the next page begins, 0 after the last. Refusal: ErrGuest.
func (s *Service) Devices(ctx context.Context, p session.Principal, after int64, limit int) (list []session.Seen, next int64, err error) {
	if p.Guest() {
		return nil, 0, ErrGuest
	}
	list, err = s.sessions.KeptDevices(ctx, p.TraderID, after, limit+1)
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	return list, next, err
}

// RemoveDevice signs a device out and makes it count as new at its next log-in; 0 does so for all devices but the one in use. It needs the log-in password, or a
// code or confirmation of RemoveDevices in its place: nobody gains anything by it. Refusals: ErrGuest, session.ErrThrottle, ErrLoginPassword, ErrConfirm,
// session.ErrCode, ErrDevice.
func (s *Service) RemoveDevice(ctx context.Context, p session.Principal, deviceID int64, proof SecurityProof) error {
	switch {
	case p.Guest():
		return ErrGuest
	case deviceID == p.DeviceID:
		return ErrDevice
	}
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return err
	}
	codeID, err := s.tryEither(ctx, t, RemoveDevices, proof)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if codeID != 0 {
			if err := s.sessions.UseCodeTx(ctx, tx, codeID); err != nil {
				return err
			}
		}
		return s.removeDeviceTx(ctx, tx, t, p, deviceID, proof.From)
	})
}

func (s *Service) removeDeviceTx(ctx context.Context, tx *db.Tx, t Trader, p session.Principal, deviceID int64, from audit.Actor) error {
	entry := audit.By(t.Acting(from), s.clock.Now(), "trader.remove_device", "trader", t.ID)
	if deviceID == 0 {
		count, err := s.sessions.RemoveOtherDevicesTx(ctx, tx, t.ID, p.DeviceID)
		if err != nil {
			return err
		}
		entry.Action, entry.After = "trader.remove_other_devices", facts{"devices": count}.json()
	} else {
		name, found, err := s.sessions.RemoveDeviceTx(ctx, tx, t.ID, deviceID)
		if err != nil {
			return err
		}
		if !found {
			return ErrDevice
		}
		entry.After = facts{"device": name}.json()
	}
	if err := audit.RecordTx(ctx, tx, entry); err != nil {
		return err
	}
	return s.sendTx(ctx, tx, t.recipient(), "message.device_removed", nil)
}

// sessionMovedTx records that a session was ended because another network and browser used its token, and tells the owner.
func (s *Service) sessionMovedTx(ctx context.Context, tx *db.Tx, m session.Moved) error {
	t, err := s.traderTx(tx, m.TraderID)
	if err != nil {
		return err
	}
	by := audit.Visitor(audit.Actor{IP: m.By.IP, Agent: m.By.UserAgent})
	entry := audit.By(by, s.clock.Now(), "trader.end_moved_session", "trader", t.ID)
	entry.After = s.placeFacts(m.By.IP).json()
	if err := audit.RecordTx(ctx, tx, entry); err != nil || t.Guest() {
		return err
	}
	return s.tellTx(ctx, tx, t, "message.session_moved", map[string]any{
		"device": m.By.Name(), "ip": s.from(m.By.IP, t.Language), "time": s.clock.Now().UTC().Format("2006-01-02 15:04") + " UTC",
	})
}
