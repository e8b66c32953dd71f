package trader

import (
	"context"
	"slices"

	"candor/app/audit"
	"candor/app/factor"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// SecurityAct is a change of what guards an account.
type SecurityAct string

// The acts that need a code of session.SecurityCode, or a confirmation.
const (
	SetAuthenticator    SecurityAct = "set_authenticator"
	RemoveAuthenticator SecurityAct = "remove_authenticator"
	AddPasskey          SecurityAct = "add_passkey"
	RemovePasskey       SecurityAct = "remove_passkey"
	NewRecoveryCodes    SecurityAct = "recovery_codes"
	ChangePassword      SecurityAct = "change_password"
	ChangeContact       SecurityAct = "change_contact"
	LinkWallet          SecurityAct = "link_wallet"
	UnlinkWallet        SecurityAct = "unlink_wallet"
	RemoveDevices       SecurityAct = "remove_device"
	CloseAccount        SecurityAct = "close_account"
	ReadExport          SecurityAct = "read_export"
)

// securityActs are the acts that a client may name.
var securityActs = []SecurityAct{
	SetAuthenticator, RemoveAuthenticator, AddPasskey, RemovePasskey, NewRecoveryCodes, ChangePassword, ChangeContact, LinkWallet, UnlinkWallet, RemoveDevices,
	CloseAccount, ReadExport,
}

// ErrAct refuses an act that is not declared. Acts are part of the keys of messages, so no other text may become one.
var ErrAct = errs.Field("act", "field.choice")

// ParseSecurityAct reads the act that a client names. Refusal: ErrAct.
func ParseSecurityAct(text string) (SecurityAct, error) { return parseAct(securityActs, text) }

func parseAct[A ~string](acts []A, text string) (a A, err error) {
	if !slices.Contains(acts, A(text)) {
		return a, ErrAct
	}
	return A(text), nil
}

// Act is the act as what a code authorises.
func (a SecurityAct) Act() Act { return Act{session.SecurityCode, string(a)} }

// SecurityProof is the trader's authorisation of a change of what guards the account: the log-in password, and a code of session.SecurityCode or a confirmation.
type SecurityProof struct {
	Password, Code string
	From           audit.Actor
}

// SendSecurityCode sends the code for an act. Refusals: ErrGuest, ErrConfirm, ErrPhone, the throttles of codes.
func (s *Service) SendSecurityCode(ctx context.Context, p session.Principal, a SecurityAct, ip string) error {
	return s.sendOwnCode(ctx, p, session.SecurityCode, string(a), "message.security_code."+string(a), nil, ip)
}

// tryEither checks the log-in password or, without one, a code or confirmation of an act, whose id it returns. Refusals: session.ErrThrottle, ErrLoginPassword,
// ErrConfirm, session.ErrCode.
func (s *Service) tryEither(ctx context.Context, t Trader, a SecurityAct, proof SecurityProof) (codeID int64, err error) {
	if proof.Code == "" {
		return 0, s.checkLoginPassword(ctx, t, proof.Password, proof.From.IP)
	}
	return s.tryOwnCode(ctx, t, a.Act().codeFor(t), proof.Code, proof.From)
}

// secured runs a change after its proof; the code is used up in the same transaction. Before tries what else the change needs, outside the transaction: nil for
// nothing, else a code's id, which is used up too. Refusals: ErrGuest, session.ErrThrottle, ErrLoginPassword, ErrConfirm, session.ErrCode.
func (s *Service) secured(ctx context.Context, p session.Principal, a SecurityAct, proof SecurityProof, before func(t Trader) (codeID int64, err error), change func(tx *db.Tx, t Trader) error) error {
	if p.Guest() {
		return ErrGuest
	}
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return err
	}
	if err := s.checkLoginPassword(ctx, t, proof.Password, proof.From.IP); err != nil {
		return err
	}
	codeID, err := s.tryOwnCode(ctx, t, a.Act().codeFor(t), proof.Code, proof.From)
	if err != nil {
		return err
	}
	codes := []int64{codeID}
	if before != nil {
		another, err := before(t)
		if err != nil {
			return err
		}
		if another != 0 {
			codes = append(codes, another)
		}
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		for _, id := range codes {
			if err := s.sessions.UseCodeTx(ctx, tx, id); err != nil {
				return err
			}
		}
		return change(tx, t)
	})
}

// ProveSecurity checks the proof of an act that another package does, and records it. Refusals: those of secured.
func (s *Service) ProveSecurity(ctx context.Context, p session.Principal, a SecurityAct, proof SecurityProof, action string) error {
	return s.secured(ctx, p, a, proof, nil, func(tx *db.Tx, t Trader) error {
		return audit.RecordTx(ctx, tx, audit.By(t.Acting(proof.From), s.clock.Now(), action, "trader", t.ID))
	})
}

// SecondFactors reads the trader's second factors. Refusal: ErrGuest.
func (s *Service) SecondFactors(ctx context.Context, p session.Principal) (factor.Factors, error) {
	if p.Guest() {
		return factor.Factors{}, ErrGuest
	}
	return s.factors.Read(ctx, factor.Trader(p.TraderID))
}

// OfferAuthenticator offers a new secret, which ConfirmAuthenticator puts to use. Refusals: those of secured.
func (s *Service) OfferAuthenticator(ctx context.Context, p session.Principal, proof SecurityProof) (secret factor.Secret, err error) {
	err = s.secured(ctx, p, SetAuthenticator, proof, nil, func(tx *db.Tx, t Trader) error {
		secret, err = s.factors.OfferAuthenticatorTx(ctx, tx, factor.Trader(t.ID), t.MaskedName())
		return err
	})
	return secret, err
}

// ConfirmAuthenticator puts the offered secret to use after a right code. With the first factor it returns recovery codes. Refusals: ErrGuest,
// factor.ErrExpired, factor.ErrCode.
func (s *Service) ConfirmAuthenticator(ctx context.Context, p session.Principal, code string, from audit.Actor) (recovery []string, err error) {
	return s.added(ctx, p, from, "trader.set_authenticator", "message.authenticator_set", func(tx *db.Tx, o factor.Owner) error {
		return s.factors.ConfirmAuthenticatorTx(ctx, tx, o, code)
	})
}

// NewPasskey starts a passkey, which AddPasskey stores. Refusals: those of secured, factor.ErrMostKeys.
func (s *Service) NewPasskey(ctx context.Context, p session.Principal, proof SecurityProof) (creation *factor.Creation, err error) {
	err = s.secured(ctx, p, AddPasskey, proof, nil, func(tx *db.Tx, t Trader) error {
		creation, err = s.factors.NewPasskeyTx(ctx, tx, factor.Trader(t.ID), t.MaskedName())
		return err
	})
	return creation, err
}

// AddPasskey stores the passkey that the browser made for NewPasskey. With the first factor it returns recovery codes. Refusals: ErrGuest, factor.ErrName,
// factor.ErrPasskey, factor.ErrExpired, factor.ErrMostKeys.
func (s *Service) AddPasskey(ctx context.Context, p session.Principal, name string, response []byte, from audit.Actor) (recovery []string, err error) {
	return s.added(ctx, p, from, "trader.add_passkey", "message.passkey_added", func(tx *db.Tx, o factor.Owner) error {
		_, err := s.factors.AddPasskeyTx(ctx, tx, o, name, response)
		return err
	})
}

// added adds a factor, records it and tells the owner. The first factor comes with recovery codes.
func (s *Service) added(ctx context.Context, p session.Principal, from audit.Actor, action, message string, add func(tx *db.Tx, o factor.Owner) error) (recovery []string, err error) {
	if p.Guest() {
		return nil, ErrGuest
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.traderTx(tx, p.TraderID)
		if err != nil {
			return err
		}
		owner := factor.Trader(t.ID)
		before, err := s.factors.Of(ctx, tx.Conn, owner)
		if err != nil {
			return err
		}
		if err := add(tx, owner); err != nil {
			return err
		}
		if !before.Any() {
			if recovery, err = s.factors.NewRecoveryCodesTx(ctx, tx, owner); err != nil {
				return err
			}
		}
		return s.recordTx(ctx, tx, t, t.Acting(from), action, message)
	})
	return recovery, err
}

// RemoveAuthenticator removes the authenticator and locks withdrawals for a day. Refusals: those of secured, factor.ErrNone.
func (s *Service) RemoveAuthenticator(ctx context.Context, p session.Principal, proof SecurityProof) error {
	return s.removed(ctx, p, RemoveAuthenticator, proof, "message.authenticator_removed", s.factors.RemoveAuthenticatorTx)
}

// RemovePasskey removes a passkey and locks withdrawals for a day. Refusals: those of secured, factor.ErrNone.
func (s *Service) RemovePasskey(ctx context.Context, p session.Principal, id int64, proof SecurityProof) error {
	return s.removed(ctx, p, RemovePasskey, proof, "message.passkey_removed", func(ctx context.Context, tx *db.Tx, o factor.Owner) error {
		return s.factors.RemovePasskeyTx(ctx, tx, o, id)
	})
}

func (s *Service) removed(ctx context.Context, p session.Principal, a SecurityAct, proof SecurityProof, message string, remove func(context.Context, *db.Tx, factor.Owner) error) error {
	return s.secured(ctx, p, a, proof, nil, func(tx *db.Tx, t Trader) error {
		if err := remove(ctx, tx, factor.Trader(t.ID)); err != nil {
			return err
		}
		if err := s.LockWithdrawalsTx(ctx, tx, t.ID, LockAuthenticatorChange, securityLockLife); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, t, t.Acting(proof.From), "trader."+string(a), message)
	})
}

// RenamePasskey renames a passkey. Refusals: ErrGuest, factor.ErrName, factor.ErrNone.
func (s *Service) RenamePasskey(ctx context.Context, p session.Principal, id int64, name string, from audit.Actor) error {
	if p.Guest() {
		return ErrGuest
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.factors.RenamePasskeyTx(ctx, tx, factor.Trader(p.TraderID), id, name); err != nil {
			return err
		}
		t, err := s.traderTx(tx, p.TraderID)
		if err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, audit.By(t.Acting(from), s.clock.Now(), "trader.rename_passkey", "trader", t.ID))
	})
}

// ReplaceRecoveryCodes makes new recovery codes; those before count no more. Refusals: those of secured, factor.ErrNone without a second factor.
func (s *Service) ReplaceRecoveryCodes(ctx context.Context, p session.Principal, proof SecurityProof) (codes []string, err error) {
	err = s.secured(ctx, p, NewRecoveryCodes, proof, nil, func(tx *db.Tx, t Trader) error {
		owner := factor.Trader(t.ID)
		f, err := s.factors.Of(ctx, tx.Conn, owner)
		if err != nil {
			return err
		}
		if !f.Any() {
			return factor.ErrNone
		}
		if codes, err = s.factors.NewRecoveryCodesTx(ctx, tx, owner); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, t, t.Acting(proof.From), "trader.new_recovery_codes", "message.recovery_codes_new")
	})
	return codes, err
}

// NewPasskeyLogin starts a log-in by passkey.
func (s *Service) NewPasskeyLogin() (*factor.Request, error) { return s.factors.NewLogin() }

// LoginByPasskey opens a session on the real account of the trader whose passkey answered NewPasskeyLogin. It needs neither a password nor a code: a passkey is
// both possession and the person's consent. Refusals: fields, factor.ErrPasskey, factor.ErrExpired, ErrLoginRestricted.
func (s *Service) LoginByPasskey(ctx context.Context, response []byte, d session.Device, traceID string) (out Opened, err error) {
	if err := checkDevice(d); err != nil {
		return out, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		id, err := s.factors.LoginTx(ctx, tx, response)
		if err != nil {
			return err
		}
		t, err := s.traderTx(tx, id)
		if err != nil {
			return err
		}
		out, err = s.openRealTx(ctx, tx, t, d, traceID)
		return err
	})
	return out, err
}
