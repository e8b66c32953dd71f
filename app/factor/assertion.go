package factor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
)

// NewLogin starts a log-in by passkey: the browser offers those that it has for the traders' site.
func (s *Service) NewLogin() (*Request, error) {
	challenge, err := s.newChallenge(login())
	if err != nil {
		return nil, err
	}
	request, _, err := s.loginRequest(challenge)
	return request, err
}

func (s *Service) loginRequest(challenge []byte) (*Request, *webauthn.SessionData, error) {
	party, err := s.party(Owner{})
	if err != nil {
		return nil, nil, err
	}
	request, session, err := party.BeginDiscoverableLogin(webauthn.WithChallenge(challenge))
	if err != nil {
		return nil, nil, fmt.Errorf("start a log-in by passkey: %w", err)
	}
	return request, session, nil
}

// LoginTx checks a browser's answer to NewLogin and returns the trader whose passkey it is. Refusals: ErrPasskey, ErrExpired.
func (s *Service) LoginTx(ctx context.Context, tx *db.Tx, response []byte) (traderID int64, err error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return 0, refused(ctx, Owner{}, err)
	}
	challenge, err := s.useChallengeTx(ctx, tx, login(), parsed.Response.CollectedClientData.Challenge)
	if err != nil {
		return 0, err
	}
	o, err := ownerOfHandle(ctx, tx, parsed.Response.UserHandle)
	if err != nil {
		return 0, err
	}
	if o.TraderID == 0 {
		return 0, ErrPasskey
	}
	u, err := userTx(ctx, tx, o, "")
	if err != nil {
		return 0, err
	}
	_, session, err := s.loginRequest(challenge)
	if err != nil {
		return 0, err
	}
	find := func(_, _ []byte) (webauthn.User, error) { return u, nil }
	used, err := s.traders.ValidateDiscoverableLogin(find, *session, parsed)
	if err != nil {
		return 0, refused(ctx, o, err)
	}
	return o.TraderID, s.usedTx(ctx, tx, u, used)
}

func ownerOfHandle(ctx context.Context, tx *db.Tx, handle []byte) (o Owner, err error) {
	err = tx.Conn.QueryRow(ctx, `SELECT coalesce(trader_id, 0), coalesce(staff_id, 0) FROM factor_owners WHERE handle = $1`, handle).Scan(&o.TraderID, &o.StaffID)
	if errors.Is(err, pgx.ErrNoRows) {
		return o, ErrPasskey
	}
	if err != nil {
		return o, fmt.Errorf("find a passkey's owner: %w", err)
	}
	return o, nil
}

// NewConfirmation asks for one of the owner's passkeys to confirm an act, which about identifies. Refusals: ErrNone without a passkey, ErrNoSite.
func (s *Service) NewConfirmation(ctx context.Context, o Owner, about string) (*Request, error) {
	row, ok, err := find(ctx, s.db.Pool, o)
	if err != nil {
		return nil, err
	}
	u := user{ownerRow: row}
	if ok {
		u.passkeys, err = passkeys(ctx, s.db.Pool, row.ID)
	}
	if err != nil {
		return nil, err
	}
	if len(u.passkeys) == 0 {
		return nil, ErrNone
	}
	challenge, err := s.newChallenge(confirmation(o, about))
	if err != nil {
		return nil, err
	}
	request, _, err := s.request(u, challenge)
	return request, err
}

func (s *Service) request(u user, challenge []byte) (*Request, *webauthn.SessionData, error) {
	party, err := s.party(u.Owner)
	if err != nil {
		return nil, nil, err
	}
	request, session, err := party.BeginLogin(u, webauthn.WithChallenge(challenge))
	if err != nil {
		return nil, nil, fmt.Errorf("ask for a passkey of %s: %w", u.Owner, err)
	}
	return request, session, nil
}

// ConfirmTx checks a browser's answer to NewConfirmation for the same act. Refusals: ErrPasskey, ErrExpired.
func (s *Service) ConfirmTx(ctx context.Context, tx *db.Tx, o Owner, about string, response []byte) error {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return refused(ctx, o, err)
	}
	challenge, err := s.useChallengeTx(ctx, tx, confirmation(o, about), parsed.Response.CollectedClientData.Challenge)
	if err != nil {
		return err
	}
	u, err := userTx(ctx, tx, o, "")
	if err != nil {
		return err
	}
	if len(u.passkeys) == 0 {
		return ErrPasskey
	}
	_, session, err := s.request(u, challenge)
	if err != nil {
		return err
	}
	party, err := s.party(o)
	if err != nil {
		return err
	}
	used, err := party.ValidateLogin(u, *session, parsed)
	if err != nil {
		return refused(ctx, o, err)
	}
	return s.usedTx(ctx, tx, u, used)
}

// usedTx stores the counter of a used passkey. A counter that went back means that the key was copied: such a passkey proves nothing.
func (s *Service) usedTx(ctx context.Context, tx *db.Tx, u user, used *webauthn.Credential) error {
	if used.Authenticator.CloneWarning {
		return refused(ctx, u.Owner, protocol.ErrBadRequest.WithDetails("The counter went back"))
	}
	record, err := json.Marshal(used)
	if err != nil {
		return err
	}
	tag, err := tx.Conn.Exec(ctx, `UPDATE passkeys SET credential = $3, last_used_at = $4 WHERE owner_id = $1 AND credential_id = $2`, u.ID, used.ID, record, s.clock.Now())
	if err != nil {
		return fmt.Errorf("note the use of a passkey of %s: %w", u.Owner, err)
	}
	if tag.RowsAffected() != 1 {
		return ErrPasskey
	}
	return nil
}
