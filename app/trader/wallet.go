package trader

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/ethereum"
	"candor/app/session"
	"candor/app/switches"
)

// Refusals of Ethereum wallets.
var (
	ErrWalletsOff    = errs.New(errs.Refused, "module_disabled")
	ErrWalletAddress = errs.Field("address", "field.address")
	ErrWalletChain   = errs.New(errs.Refused, "wallet.chain")      // not one of walletChains
	ErrWalletUnknown = errs.New(errs.Refused, "wallet.not_linked") // only after a right signature
	ErrWalletTaken   = errs.New(errs.Refused, "wallet.taken")      // another trader's; only after a right signature
	ErrWalletSet     = errs.New(errs.Refused, "wallet.set")        // one wallet is linked already
	ErrNoWallet      = errs.New(errs.NotFound, "wallet.none")
)

// walletChains are the main networks that a wallet may name: Ethereum, OP Mainnet, BNB Smart Chain, Polygon, Base and Arbitrum One. The same key signs on each.
var walletChains = []int64{1, 10, 56, 137, 8453, 42161}

// The statements of the texts that wallets sign. They are in English, as EIP-4361 allows ASCII alone.
const (
	loginStatement = "Log in to Candor. This costs nothing and moves no money."
	linkStatement  = "Link this wallet to Candor account %d, so that it logs in to it. This costs nothing and moves no money."
)

// WalletChoice is the wallet that a browser offers, with the network that it is on.
type WalletChoice struct {
	Address string
	ChainID int64
}

// walletsOn reports whether wallets are switched on, at a site that the text can name.
func (s *Service) walletsOn() bool {
	return s.site != (ethereum.Site{}) && s.switches.On(switches.Web3LoginKey)
}

// walletMessage is the text for the wallet to sign. Refusals: ErrWalletsOff at a site that the text can't name, ErrWalletAddress, ErrWalletChain.
func (s *Service) walletMessage(c WalletChoice, statement string) (m ethereum.Message, err error) {
	if s.site == (ethereum.Site{}) {
		return m, ErrWalletsOff
	}
	address, err := ethereum.ParseAddress(c.Address)
	switch {
	case err != nil:
		return m, ErrWalletAddress
	case !slices.Contains(walletChains, c.ChainID):
		return m, ErrWalletChain
	}
	return ethereum.Message{Site: s.site, Address: address, Statement: statement, ChainID: c.ChainID}, nil
}

// NewWalletLogin makes the text that a wallet signs to log in from a device, after a solved challenge. It does not tell whether the wallet is linked. Refusals:
// fields, ErrWalletsOff, ErrWalletChain, session.ErrVerify, session.ErrVerifyWrong.
func (s *Service) NewWalletLogin(ctx context.Context, c WalletChoice, solution string, d session.Device) (text session.WalletText, err error) {
	if !s.walletsOn() {
		return text, ErrWalletsOff
	}
	m, err := s.walletMessage(c, loginStatement)
	if err != nil {
		return text, err
	}
	if err := checkDevice(d); err != nil {
		return text, err
	}
	if err := s.sessions.UseSolution(ctx, solution, d.IP); err != nil {
		return text, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		text, err = s.sessions.NewWalletTextTx(ctx, tx, m, session.WalletAim{Device: d})
		return err
	})
	return text, err
}

// WalletProof is a signed text from a device.
type WalletProof struct {
	ID, Signature string
	Device        session.Device
	TraceID       string
}

// wallet returns the address whose wallet signed for a log-in. Refusals: ErrWalletsOff, the field, session.ErrWalletText, session.ErrWalletSignature.
func (s *Service) wallet(ctx context.Context, p WalletProof) (a ethereum.Address, err error) {
	if !s.walletsOn() {
		return a, ErrWalletsOff
	}
	if err := checkDevice(p.Device); err != nil {
		return a, err
	}
	return s.sessions.Wallet(ctx, p.ID, p.Signature, session.WalletAim{Device: p.Device})
}

// LoginByWallet opens a session on the real account of the trader whose wallet signed the text of NewWalletLogin. The signature stands for the password, and a
// second factor is asked for as after one. A text is used up by the log-in alone: a missing or wrong factor leaves it for the next try. Refusals: those of wallet,
// ErrWalletUnknown, ErrLoginRestricted, ErrFactorRequired, session.ErrThrottle, factor.ErrCode.
func (s *Service) LoginByWallet(ctx context.Context, p WalletProof, factorCode string) (out Opened, err error) {
	address, err := s.wallet(ctx, p)
	if err != nil {
		return out, err
	}
	t, err := byWallet(s.db.Rows(ctx), address)
	if err != nil {
		return out, err
	}
	if err := s.mayLogIn(s.db.Rows(ctx), t.ID); err != nil {
		return out, err
	}
	if _, err := s.passFactor(ctx, t, Credentials{Factor: factorCode, Device: p.Device, TraceID: p.TraceID}); err != nil {
		return out, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.sessions.UseWalletTextTx(ctx, tx, p.ID); err != nil {
			return err
		}
		if err := LockRowTx(tx, t.ID); err != nil { // the wallet stays linked until the session is open
			return err
		}
		linked, err := byWallet(tx.Rows, address)
		switch {
		case err != nil:
			return err
		case linked.ID != t.ID: // the second factor was another trader's
			return session.ErrWalletText
		}
		out, err = s.openRealTx(ctx, tx, linked, p.Device, p.TraceID)
		return err
	})
	return out, err
}

// WalletRegistration is a new trader's request with an Ethereum wallet in place of a contact and a password.
type WalletRegistration struct {
	WalletProof
	Enrolment
}

// RegisterByWallet creates a trader whose only way in is the wallet that signed the text of NewWalletLogin, and logs in. The text is used up whatever comes of it,
// so that each try of an invitation costs a signature. Refusals: those of wallet, fields, ErrInvitation, ErrWalletTaken.
func (s *Service) RegisterByWallet(ctx context.Context, r WalletRegistration) (out Opened, err error) {
	address, err := s.wallet(ctx, r.WalletProof)
	if err != nil {
		return out, err
	}
	if err := r.Enrolment.check(); err != nil {
		return out, err
	}
	if err := s.db.InTx(ctx, func(tx *db.Tx) error { return s.sessions.UseWalletTextTx(ctx, tx, r.ID) }); err != nil {
		return out, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		wallet := address.Lower()
		out, err = s.createTx(ctx, tx, Trader{Name: address.Short(), Wallet: &wallet}, r.Enrolment, r.Device, r.TraceID)
		if errors.Is(err, ErrTaken) {
			err = ErrWalletTaken
		}
		return err
	})
	return out, err
}

// byWallet finds the trader of a wallet. Refusal: ErrWalletUnknown.
func byWallet(rows *gorm.DB, a ethereum.Address) (t Trader, err error) {
	if err := rows.Where("wallet = ?", a.Lower()).Limit(1).Find(&t).Error; err != nil {
		return t, fmt.Errorf("find the trader of a wallet: %w", err)
	}
	if t.ID == 0 {
		return t, ErrWalletUnknown
	}
	return t, nil
}

// NewWalletLink makes the text that a wallet signs to be linked to the trader's account. Refusals: ErrWalletsOff, ErrWalletAddress, ErrWalletChain, ErrWalletSet,
// those of secured.
func (s *Service) NewWalletLink(ctx context.Context, p session.Principal, c WalletChoice, proof SecurityProof) (text session.WalletText, err error) {
	if !s.walletsOn() {
		return text, ErrWalletsOff
	}
	m, err := s.walletMessage(c, fmt.Sprintf(linkStatement, p.TraderID))
	if err != nil {
		return text, err
	}
	err = s.secured(ctx, p, LinkWallet, proof, nil, func(tx *db.Tx, t Trader) error {
		if t.Wallet != nil {
			return ErrWalletSet
		}
		text, err = s.sessions.NewWalletTextTx(ctx, tx, m, session.WalletAim{TraderID: t.ID})
		return err
	})
	return text, err
}

// LinkWallet links the wallet that signed the text of NewWalletLink, and locks withdrawals for a day. Refusals: ErrGuest, ErrWalletsOff, session.ErrWalletText,
// session.ErrWalletSignature, ErrWalletTaken, ErrWalletSet.
func (s *Service) LinkWallet(ctx context.Context, p session.Principal, id, signature string, from audit.Actor) error {
	switch {
	case p.Guest():
		return ErrGuest
	case !s.walletsOn():
		return ErrWalletsOff
	}
	address, err := s.sessions.Wallet(ctx, id, signature, session.WalletAim{TraderID: p.TraderID})
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.sessions.UseWalletTextTx(ctx, tx, id); err != nil {
			return err
		}
		t, err := s.traderTx(tx, p.TraderID)
		if err != nil {
			return err
		}
		linked := tx.Rows.Model(&Trader{}).Where("id = ? AND wallet IS NULL", t.ID).Update("wallet", address.Lower())
		switch {
		case errors.Is(linked.Error, gorm.ErrDuplicatedKey):
			return ErrWalletTaken
		case linked.Error != nil:
			return fmt.Errorf("link a wallet to trader %d: %w", t.ID, linked.Error)
		case linked.RowsAffected != 1:
			return ErrWalletSet
		}
		return s.walletChangedTx(ctx, tx, t, address, from, "trader.link_wallet", "message.wallet_linked")
	})
}

// UnlinkWallet removes the link to the trader's wallet, and locks withdrawals for a day. It works while wallets are switched off. Within 72 hours of a first or a
// changed contact the wallet must confirm it with the text of NewWalletConfirmation: whoever changed the contact may not be the owner. Refusals: those of secured,
// among them ErrContactFirst for the only way in, ErrNoWallet, those of checkWallet.
func (s *Service) UnlinkWallet(ctx context.Context, p session.Principal, proof SecurityProof, signed *SignedText) error {
	confirm := func(t Trader) (int64, error) {
		if signed == nil {
			return 0, nil
		}
		return 0, s.checkWallet(ctx, t, unlinkAct(t), signed)
	}
	return s.secured(ctx, p, UnlinkWallet, proof, confirm, func(tx *db.Tx, t Trader) error {
		if t.Wallet == nil {
			return ErrNoWallet
		}
		if err := s.unlinkConfirmedTx(ctx, tx, t, signed); err != nil {
			return err
		}
		unlinked := tx.Rows.Model(&Trader{}).Where("id = ? AND wallet = ?", t.ID, *t.Wallet).Update("wallet", nil)
		if err := db.MustAffect(unlinked); err != nil {
			return fmt.Errorf("unlink the wallet of trader %d: %w", t.ID, err)
		}
		return s.walletChangedTx(ctx, tx, t, t.walletAddress(), proof.From, "trader.unlink_wallet", "message.wallet_unlinked")
	})
}

// unlinkConfirmedTx uses up the wallet's confirmation, which may be absent unless a contact was changed lately.
func (s *Service) unlinkConfirmedTx(ctx context.Context, tx *db.Tx, t Trader, signed *SignedText) error {
	if signed != nil {
		return s.sessions.UseWalletTextTx(ctx, tx, signed.ID)
	}
	lately, err := s.contactChangedLatelyTx(tx, t)
	if err == nil && lately {
		err = ErrWalletConfirm
	}
	return err
}

// walletChangedTx locks withdrawals for a day, records the change and tells the owner.
func (s *Service) walletChangedTx(ctx context.Context, tx *db.Tx, t Trader, a ethereum.Address, from audit.Actor, action, message string) error {
	if err := s.LockWithdrawalsTx(ctx, tx, t.ID, LockWalletChange, securityLockLife); err != nil {
		return err
	}
	entry := audit.By(t.Acting(from), s.clock.Now(), action, "trader", t.ID)
	entry.After = facts{"wallet": a.Short()}.json()
	if err := audit.RecordTx(ctx, tx, entry); err != nil {
		return err
	}
	return s.tellTx(ctx, tx, t, message, map[string]any{"wallet": a.Short()})
}

// ShortWallet is the wallet that logs the trader in, with its middle left out.
func (t Trader) ShortWallet() string { return t.walletAddress().Short() }

// walletAddress is the linked wallet's address; the zero address without one.
func (t Trader) walletAddress() (a ethereum.Address) {
	if t.Wallet != nil {
		a, _ = ethereum.ParseAddress(*t.Wallet) // its table checks the form
	}
	return a
}
