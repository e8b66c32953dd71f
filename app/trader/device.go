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

// mostDevices is how many of the last used devices a trader sees.
const mostDevices = 50

// Devices lists the devices that the trader has logged in from and has not removed, last used first. Refusal: ErrGuest.
func (s *Service) Devices(ctx context.Context, p session.Principal) (list []session.Seen, err error) {
	if p.Guest() {
		return nil, ErrGuest
	}
	all, err := s.sessions.Devices(ctx, p.TraderID, mostDevices)
	for _, d := range all {
		if !d.Removed {
			list = append(list, d)
		}
	}
	return list, err
}

// RemoveDevice signs a device out and makes it count as new at its next log-in; 0 does so for all devices but the one in use. It needs the log-in password, and
// no code: nobody gains anything by it. Refusals: ErrGuest, session.ErrThrottle, ErrLoginPassword, ErrDevice.
func (s *Service) RemoveDevice(ctx context.Context, p session.Principal, deviceID int64, password string, from audit.Actor) error {
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
	if err := s.checkLoginPassword(ctx, t, password, from.IP); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if deviceID == 0 {
			if _, err := s.sessions.RemoveOtherDevicesTx(ctx, tx, t.ID, p.DeviceID); err != nil {
				return err
			}
			return s.recordTx(ctx, tx, t, t.Acting(from), "trader.remove_other_devices", "message.device_removed")
		}
		found, err := s.sessions.RemoveDeviceTx(ctx, tx, t.ID, deviceID)
		if err != nil {
			return err
		}
		if !found {
			return ErrDevice
		}
		return s.recordTx(ctx, tx, t, t.Acting(from), "trader.remove_device", "message.device_removed")
	})
}

// sessionMovedTx records that a session was ended because another network and browser used its token, and tells the owner.
func (s *Service) sessionMovedTx(ctx context.Context, tx *db.Tx, m session.Moved) error {
	t, err := s.traderTx(tx, m.TraderID)
	if err != nil {
		return err
	}
	by := audit.Visitor(audit.Actor{IP: m.By.IP, Agent: m.By.UserAgent})
	if err := audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "trader.end_moved_session", "trader", t.ID)); err != nil || t.Guest() {
		return err
	}
	return s.tellTx(ctx, tx, t, "message.session_moved", map[string]any{
		"device": m.By.Name(), "ip": m.By.IP, "time": s.clock.Now().UTC().Format("2006-01-02 15:04") + " UTC",
	})
}
