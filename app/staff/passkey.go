package staff

import (
	"context"
	"errors"

	"candor/app/audit"
	"candor/app/factor"
	"candor/app/platform/db"
)

// signInAct is what a passkey confirms at a sign-in.
const signInAct = "sign in"

// Factors reads a person's passkeys and recovery codes.
func (s *Service) Factors(ctx context.Context, id int64) (factor.Factors, error) {
	return s.factors.Read(ctx, factor.Staff(id))
}

// ask asks for one of a person's passkeys to confirm an act; nil for a person without any, and at an address without passkeys.
func (s *Service) ask(ctx context.Context, id int64, act string) (*factor.Request, error) {
	request, err := s.factors.NewConfirmation(ctx, factor.Staff(id), act)
	if errors.Is(err, factor.ErrNone) || errors.Is(err, factor.ErrNoSite) {
		return nil, nil
	}
	return request, err
}

// AskSignIn asks for a passkey in place of the code of a sign-in; nil for a person without any. The password must have been right.
func (s *Service) AskSignIn(ctx context.Context, id int64) (*factor.Request, error) {
	return s.ask(ctx, id, signInAct)
}

// AskStep asks for a passkey in place of the code before an act; nil for a person without any.
func (s *Service) AskStep(ctx context.Context, id int64, step Step) (*factor.Request, error) {
	return s.ask(ctx, id, step.text())
}

// SignInPasskey is SignInCode with the answer to AskSignIn. Refusals: ErrSignedOut when the person can no longer sign in, factor.ErrPasskey, factor.ErrExpired.
func (s *Service) SignInPasskey(ctx context.Context, id int64, answer []byte, from audit.Actor) (p Person, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if p, err = s.usePasskeyTx(ctx, tx, id, signInAct, answer); err != nil {
			return err
		}
		return s.signedInTx(ctx, tx, p, from, facts{"factor": "passkey"})
	})
	if errors.Is(err, factor.ErrPasskey) {
		if known, found := s.Person(ctx, id); found == nil {
			err = errors.Join(err, s.recordRefusedPasskey(ctx, known.Acting(from), "staff.sign_in"))
		}
	}
	if err != nil {
		return Person{}, err
	}
	return p, nil
}

// CheckPasskey is CheckCode with the answer to AskStep for the same step. A refused passkey is no guess: it is recorded, but it is not counted and ends no
// session. Refusals: ErrSignedOut, factor.ErrPasskey, factor.ErrExpired.
func (s *Service) CheckPasskey(ctx context.Context, by audit.Actor, step Step, answer []byte) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.usePasskeyTx(ctx, tx, by.ID, step.text(), answer); err != nil {
			return err
		}
		return s.coverTx(ctx, tx, by, step)
	})
	if errors.Is(err, factor.ErrPasskey) {
		err = errors.Join(err, s.recordRefusedPasskey(ctx, by, step.Act))
	}
	return err
}

// usePasskeyTx checks an answer and returns the person. The person is read after their factors are locked, so that nobody who is disabled meanwhile comes in.
func (s *Service) usePasskeyTx(ctx context.Context, tx *db.Tx, id int64, act string, answer []byte) (Person, error) {
	if err := s.factors.ConfirmTx(ctx, tx, factor.Staff(id), act, answer); err != nil {
		return Person{}, err
	}
	p, err := person(tx.Rows, id)
	if err == nil && !p.Ready() {
		err = ErrSignedOut
	}
	return p, err
}

func (s *Service) recordRefusedPasskey(ctx context.Context, by audit.Actor, act string) error {
	return s.recordFailed(ctx, by, "staff.refuse_passkey", facts{"act": act})
}

// NewPasskey starts a passkey of the member's own, which AddPasskey stores. The caller has checked a step-up. Refusals: factor.ErrMostKeys, factor.ErrNoSite,
// ErrSignedOut.
func (s *Service) NewPasskey(ctx context.Context, by audit.Actor) (creation *factor.Creation, err error) {
	err = s.ownTx(ctx, by, func(tx *db.Tx, p Person) error {
		creation, err = s.factors.NewPasskeyTx(ctx, tx, factor.Staff(p.ID), p.Email)
		return err
	})
	return creation, err
}

// AddPasskey stores the passkey that the browser made for NewPasskey. Refusals: factor.ErrName, factor.ErrPasskey, factor.ErrExpired, factor.ErrMostKeys,
// ErrSignedOut.
func (s *Service) AddPasskey(ctx context.Context, by audit.Actor, name string, answer []byte) error {
	return s.ownTx(ctx, by, func(tx *db.Tx, p Person) error {
		added, err := s.factors.AddPasskeyTx(ctx, tx, factor.Staff(p.ID), name, answer)
		if err != nil {
			return err
		}
		if err := s.tellTx(ctx, tx, p, "staff_passkey_added", by, map[string]any{"passkey": added.Name}); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, "staff.add_passkey", p.ID, nil, facts{"passkey": added.Name})
	})
}

// Passkey reads one of a person's passkeys. It returns factor.ErrNone.
func (s *Service) Passkey(ctx context.Context, id, passkeyID int64) (factor.Passkey, error) {
	f, err := s.Factors(ctx, id)
	if err != nil {
		return factor.Passkey{}, err
	}
	return passkeyOf(f, passkeyID)
}

func passkeyOf(f factor.Factors, id int64) (factor.Passkey, error) {
	for _, one := range f.Passkeys {
		if one.ID == id {
			return one, nil
		}
	}
	return factor.Passkey{}, factor.ErrNone
}

// RenamePasskey renames a passkey of the member's own. Refusals: factor.ErrName, factor.ErrNone, ErrSignedOut.
func (s *Service) RenamePasskey(ctx context.Context, by audit.Actor, passkeyID int64, name string) error {
	name, err := factor.CheckName(name)
	if err != nil {
		return err
	}
	return s.ownPasskeyTx(ctx, by, passkeyID, func(tx *db.Tx, p Person, known factor.Passkey) error {
		if err := s.factors.RenamePasskeyTx(ctx, tx, factor.Staff(p.ID), passkeyID, name); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, "staff.rename_passkey", p.ID, facts{"passkey": known.Name}, facts{"passkey": name})
	})
}

// RemovePasskey removes a passkey of the member's own. The caller has checked a step-up. Refusals: factor.ErrNone, ErrSignedOut.
func (s *Service) RemovePasskey(ctx context.Context, by audit.Actor, passkeyID int64) error {
	return s.ownPasskeyTx(ctx, by, passkeyID, func(tx *db.Tx, p Person, known factor.Passkey) error {
		if err := s.factors.RemovePasskeyTx(ctx, tx, factor.Staff(p.ID), passkeyID); err != nil {
			return err
		}
		if err := s.tellTx(ctx, tx, p, "staff_passkey_removed", by, map[string]any{"passkey": known.Name}); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, by, "staff.remove_passkey", p.ID, facts{"passkey": known.Name}, nil)
	})
}

// ownTx changes the actor's own account, if they still may sign in. Refusal: ErrSignedOut.
func (s *Service) ownTx(ctx context.Context, by audit.Actor, change func(tx *db.Tx, p Person) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		p, err := lockTx(ctx, tx, by.ID)
		if err != nil {
			return err
		}
		if !p.Ready() {
			return ErrSignedOut
		}
		return change(tx, p)
	})
}

func (s *Service) ownPasskeyTx(ctx context.Context, by audit.Actor, passkeyID int64, change func(tx *db.Tx, p Person, known factor.Passkey) error) error {
	return s.ownTx(ctx, by, func(tx *db.Tx, p Person) error {
		f, err := s.factors.Of(ctx, tx.Conn, factor.Staff(p.ID))
		if err != nil {
			return err
		}
		known, err := passkeyOf(f, passkeyID)
		if err != nil {
			return err
		}
		return change(tx, p, known)
	})
}
