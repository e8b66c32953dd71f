package session

import (
	"context"
	"math"

	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// ErrStaffGuesses is returned instead of comparing a password for a back-office account whose guesses of the day are used up, with the hours until it is compared
// again: staff get no code by mail.
var ErrStaffGuesses = errs.New(errs.TooMany, "signin.no_more_guesses")

func (s *Service) staffGuessesTx(ctx context.Context, tx *db.Tx, account string) error {
	left, err := s.windowLeftTx(ctx, tx, accountGuesses, account, wrongWindow)
	if err != nil {
		return err
	}
	return ErrStaffGuesses.With("hours", math.Ceil(left.Hours()))
}
