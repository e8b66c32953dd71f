package trader

import (
	"context"
	"fmt"
)

// CountTry counts a try of a payment password for a caller that has read it as unlocked; a concurrent try may have locked it since.
func (s *Service) CountTry(ctx context.Context, traderID int64) error {
	_, err := s.countPaymentPassword(ctx, traderID)
	return err
}

// Occupy takes every slot of strangers' hashes until leave is called.
func (h *Hasher) Occupy(ctx context.Context) (leave func(), err error) {
	var all []func()
	leave = func() {
		for _, one := range all {
			one()
		}
	}
	for n := range hashesAtOnce() {
		one, err := h.strangers.Enter(ctx, fmt.Sprint("occupied ", n))
		if err != nil {
			leave()
			return nil, err
		}
		all = append(all, one)
	}
	return leave, nil
}

// Waiting counts the strangers' hashes that wait.
func (h *Hasher) Waiting() int {
	_, waiting := h.strangers.UnderWay()
	return waiting
}
