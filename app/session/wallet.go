package session

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/ethereum"
)

// WalletTextLife is how long a text for an Ethereum wallet can be signed.
const WalletTextLife = 5 * time.Minute

// Refusals of signed texts.
var (
	ErrWalletText      = errs.New(errs.Refused, "wallet.expired")   // unknown, too old, used before, of another browser or act: one answer for all
	ErrWalletSignature = errs.New(errs.Refused, "wallet.signature") // not of the wallet's own key, as those of contract wallets
)

// WalletAim is what a signed text is for: a log-in from a device, the link to a trader's account, or an act of a trader. It proves nothing else.
type WalletAim struct {
	Device   Device
	TraderID int64
	Act      string // identifies the act; empty for the link
}

// columns are the aim as its row holds it.
func (a WalletAim) columns() (traderID *int64, device []byte) {
	if a.TraderID != 0 {
		return &a.TraderID, nil
	}
	return nil, a.Device.Hash()
}

// WalletText is a text for an Ethereum wallet to sign.
type WalletText struct{ ID, Text string }

const walletIDSize = 16

// NewWalletTextTx stores the text of a message for an aim. Its id is the nonce of the text.
func (s *Service) NewWalletTextTx(ctx context.Context, tx *db.Tx, m ethereum.Message, aim WalletAim) (WalletText, error) {
	id := make([]byte, walletIDSize)
	_, _ = rand.Read(id) // never fails: see crypto/rand
	m.Nonce, m.IssuedAt = hex.EncodeToString(id), s.clock.Now()
	m.ExpiresAt = m.IssuedAt.Add(WalletTextLife)
	traderID, device := aim.columns()
	_, err := tx.Conn.Exec(ctx, `INSERT INTO wallet_texts (id, address, text, trader_id, device, expires_at, act) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		id, m.Address.Lower(), m.Text(), traderID, device, m.ExpiresAt, aim.Act)
	if err != nil {
		return WalletText{}, fmt.Errorf("store a text for a wallet: %w", err)
	}
	return WalletText{m.Nonce, m.Text()}, nil
}

// Wallet returns the address whose wallet signed a text for an aim. It does not use the text up: UseWalletTextTx does, with the act that the signature proves.
// Refusals: ErrWalletText, ErrWalletSignature.
func (s *Service) Wallet(ctx context.Context, id, signature string, aim WalletAim) (a ethereum.Address, err error) {
	raw, err := walletID(id)
	if err != nil {
		return a, err
	}
	var address, text string
	traderID, device := aim.columns()
	err = s.db.Pool.QueryRow(ctx, `
		SELECT address, text FROM wallet_texts
		WHERE id = $1 AND trader_id IS NOT DISTINCT FROM $2 AND device IS NOT DISTINCT FROM $3 AND act = $5 AND used_at IS NULL AND expires_at > $4`,
		raw, traderID, device, s.clock.Now(), aim.Act).Scan(&address, &text)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, ErrWalletText
	}
	if err != nil {
		return a, fmt.Errorf("read a text for a wallet: %w", err)
	}
	a, err = ethereum.Recover(text, signature)
	if err != nil || a.Lower() != address {
		return ethereum.Address{}, ErrWalletSignature
	}
	return a, nil
}

// UseWalletTextTx uses up a text; of two concurrent calls, one gets ErrWalletText.
func (s *Service) UseWalletTextTx(ctx context.Context, tx *db.Tx, id string) error {
	raw, err := walletID(id)
	if err != nil {
		return err
	}
	now := s.clock.Now()
	tag, err := tx.Conn.Exec(ctx, `UPDATE wallet_texts SET used_at = $2 WHERE id = $1 AND used_at IS NULL AND expires_at > $2`, raw, now)
	if err != nil {
		return fmt.Errorf("use a text for a wallet: %w", err)
	}
	if tag.RowsAffected() != 1 {
		return ErrWalletText
	}
	return nil
}

func walletID(id string) ([]byte, error) {
	raw, err := hex.DecodeString(id)
	if err != nil || len(raw) != walletIDSize {
		return nil, ErrWalletText
	}
	return raw, nil
}
