package trader

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// ErrWalletConfirm asks for a signature of the linked wallet, which must confirm the act.
var ErrWalletConfirm = errs.New(errs.Refused, "wallet.confirm")

// The statements of the texts by which the linked wallet confirms an act.
const (
	firstContactStatement = "Add the contact %s to Candor account %d. Whoever receives its messages and knows the password can log in."
	unlinkStatement       = "Unlink this wallet from Candor account %d. It will no longer log in to it."
)

// walletConfirmationsAnHour limits the texts that a trader asks for.
const walletConfirmationsAnHour = 20

// walletAct is an act that the linked wallet confirms: the first contact, or its own removal.
type walletAct struct{ act, statement string }

func firstContactAct(t Trader, a address) walletAct {
	ascii := strings.Trim(strconv.QuoteToASCII(a.text), `"`) // EIP-4361 allows ASCII alone
	return walletAct{"first_contact " + a.text, fmt.Sprintf(firstContactStatement, ascii, t.ID)}
}

func unlinkAct(t Trader) walletAct { return walletAct{"unlink", fmt.Sprintf(unlinkStatement, t.ID)} }

// SignedText is a text of the server with a wallet's signature.
type SignedText struct{ ID, Signature string }

// NewWalletConfirmation makes the text that the linked wallet signs to confirm a first contact or, without a contact, its own removal. It works while wallets are
// switched off, as it lets nobody in. Refusals: ErrGuest, the field, ErrPhone, ErrNoWallet, ErrWalletsOff, ErrWalletChain, session.ErrThrottle.
func (s *Service) NewWalletConfirmation(ctx context.Context, p session.Principal, chainID int64, contact string) (text session.WalletText, err error) {
	if p.Guest() {
		return text, ErrGuest
	}
	t, err := s.Trader(ctx, p.TraderID)
	if err != nil {
		return text, err
	}
	if t.Wallet == nil {
		return text, ErrNoWallet
	}
	act := unlinkAct(t)
	if contact != "" {
		a, err := s.reachable(contact)
		if err != nil {
			return text, err
		}
		act = firstContactAct(t, a)
	}
	m, err := s.walletMessage(WalletChoice{Address: t.walletAddress().String(), ChainID: chainID}, act.statement)
	if err != nil {
		return text, err
	}
	if _, err := s.sessions.Throttle(ctx, "wallet_confirmations", fmt.Sprint(t.ID), walletConfirmationsAnHour, time.Hour); err != nil {
		return text, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		text, err = s.sessions.NewWalletTextTx(ctx, tx, m, session.WalletAim{TraderID: t.ID, Act: act.act})
		return err
	})
	return text, err
}

// checkWallet checks that the linked wallet signed the text of an act; session.UseWalletTextTx uses it up with the act. Refusals: ErrWalletConfirm without a
// signature, session.ErrWalletText, session.ErrWalletSignature.
func (s *Service) checkWallet(ctx context.Context, t Trader, act walletAct, signed *SignedText) error {
	if signed == nil {
		return ErrWalletConfirm
	}
	by, err := s.sessions.Wallet(ctx, signed.ID, signed.Signature, session.WalletAim{TraderID: t.ID, Act: act.act})
	if err == nil && (t.Wallet == nil || by.Lower() != *t.Wallet) {
		err = session.ErrWalletSignature
	}
	return err
}

// contactChangedLatelyTx reports whether a contact was bound or changed within contactLockLife.
func (s *Service) contactChangedLatelyTx(tx *db.Tx, t Trader) (lately bool, err error) {
	var n int64
	err = tx.Rows.Model(&withdrawalLock{}).Where("trader_id = ? AND reason = ? AND from_at > ?", t.ID, LockContactChange, s.clock.Now().Add(-contactLockLife)).Count(&n).Error
	if err != nil {
		return false, fmt.Errorf("look for a changed contact of trader %d: %w", t.ID, err)
	}
	return n > 0, nil
}
