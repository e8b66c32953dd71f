package trader

import (
	"context"
	"fmt"
	"time"

	"candor/app/platform/clientip"
)

// Limits of Exists, beside the challenge that each call costs.
const (
	existPerSource  = 60 // an hour
	existPerAccount = 20 // a day, from all sources
)

// Exists reports whether an address has an account, after a solved challenge. A source may ask often enough for an office that registers, and an address is
// answered for only a few times a day. Refusals: the field, session.ErrVerify, session.ErrVerifyWrong, session.ErrThrottle.
func (s *Service) Exists(ctx context.Context, account, solution, ip string) (bool, error) {
	a, err := parseAddress(account)
	if err != nil {
		return false, err
	}
	if err := s.sessions.UseSolution(ctx, solution, ip); err != nil {
		return false, err
	}
	if _, err := s.sessions.Throttle(ctx, "exist_source", clientip.Source(ip), existPerSource, time.Hour); err != nil {
		return false, err
	}
	if _, err := s.sessions.Throttle(ctx, "exist_account", a.text, existPerAccount, 24*time.Hour); err != nil {
		return false, err
	}
	_, known, err := find(s.db.Rows(ctx), a)
	if err != nil {
		return false, fmt.Errorf("find a trader: %w", err)
	}
	return known, nil
}
