package deposit

import (
	"context"
	"strings"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// proofLetters is the number of last characters of the bank reference that the second person types.
const proofLetters = 4

// ErrProof is returned when the typed characters are not the end of the bank reference.
var ErrProof = errs.Field("proof", "field.proof")

// ErrProofLimit is returned after maxMismatches readings that were not what the maker entered: the deposit goes back to a maker.
var ErrProofLimit = errs.New(errs.Refused, "deposit.proof_limit")

// maxMismatches is how many readings of the bank's reference may differ from what the maker entered.
const maxMismatches = 3

// CheckProof is the second person's reading of the end of the bank's reference. One that differs is recorded, and changes the deposit's version.
// Refusals: ErrState, ErrNotClaimed, ErrChanged, ErrProof, ErrProofLimit.
func (s *Service) CheckProof(ctx context.Context, by audit.Actor, id int64, version int, typed string) error {
	d, err := s.Read(ctx, id)
	if err != nil {
		return err
	}
	if d.Mismatches < maxMismatches && d.ReadBack(typed) == nil {
		return nil
	}
	_, err = s.act(ctx, by, id, version, "deposit.mismatch", func(_ *db.Tx, d *Deposit) (map[string]any, error) {
		if err := d.decidable(by, s.clock.Now(), Approved); err != nil {
			return nil, err
		}
		if d.Mismatches >= maxMismatches {
			return nil, ErrProofLimit
		}
		return map[string]any{"mismatches": d.Mismatches + 1}, nil
	})
	if err != nil {
		return err
	}
	return ErrProof
}

// linePrefix begins the number of a statement's line. It stands for the bank's reference of a transfer that has none: there is nothing to read then.
const linePrefix = "BL-"

// Unreferenced reports whether the bank gave the transfer no reference: its line is the evidence.
func (d Deposit) Unreferenced() bool {
	return d.BankReference != nil && strings.HasPrefix(*d.BankReference, linePrefix)
}

// ReadBack checks that the typed characters are the end of the deposit's bank reference, if it has one. It returns ErrProof.
func (d Deposit) ReadBack(typed string) error {
	if d.Unreferenced() {
		return nil
	}
	letters := []rune(strings.ToUpper(strings.TrimSpace(typed)))
	if d.BankReference == nil || len(letters) != proofLetters {
		return ErrProof
	}
	whole := []rune(*d.BankReference)
	if len(whole) < proofLetters || string(whole[len(whole)-proofLetters:]) != string(letters) {
		return ErrProof
	}
	return nil
}
