package trader

import (
	"context"
	"fmt"
)

// CountTry counts a try of a payment password as somebody does who has read that it is not locked: others may have locked it since.
func (s *Service) CountTry(ctx context.Context, traderID int64) error {
	_, err := s.countPaymentPassword(ctx, traderID)
	return err
}

// Occupy takes every place that strangers' hashes have, until leave is called.
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

// Waiting counts the hashes of strangers that wait.
func (h *Hasher) Waiting() int {
	_, waiting := h.strangers.UnderWay()
	return waiting
}
