package trader

import "context"

// CountTry counts a try of a payment password as somebody does who has read that it is not locked: others may have locked it since.
func (s *Service) CountTry(ctx context.Context, traderID int64) error {
	_, err := s.countPaymentPassword(ctx, traderID)
	return err
}
