package session

import (
	"context"

	"candor/app/platform/clientip"
	"candor/app/platform/db"
)

// Moved is a session that was ended because its token was used from another network and another browser.
type Moved struct {
	Principal
	By Device
}

// OnMoved registers what happens, in the transaction that ends it, to a session that has moved.
func (s *Service) OnMoved(f func(ctx context.Context, tx *db.Tx, m Moved) error) { s.onMoved = f }

// MovedFrom reports whether a device differs from the one of the log-in in network and browser. Either alone changes in daily use: a phone changes networks, and
// an app shows another name after an update.
func (d Device) MovedFrom(ip, browser string) bool {
	return d.IP != "" && clientip.Network(d.IP) != clientip.Network(ip) && d.Name() != browser
}

func (s *Service) endMoved(ctx context.Context, l live, by Device) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		ended, err := s.EndOfTx(ctx, tx, l.TraderID, l.SessionID)
		if err != nil || !ended || s.onMoved == nil {
			return err
		}
		return s.onMoved(ctx, tx, Moved{l.Principal, by})
	})
}
