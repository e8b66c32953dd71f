package factor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/names"
)

// Limits of passkeys.
const (
	mostPasskeys = 20
	LongestName  = 60 // of a passkey, in characters
)

// Passkey is a passkey of an owner: a key pair whose private half never leaves its device or password manager.
type Passkey struct {
	ID         int64
	Name       string
	CreatedAt  time.Time
	LastUsedAt *time.Time
	credential webauthn.Credential
}

type (
	// Creation is what a browser needs to make a passkey.
	Creation = protocol.CredentialCreation
	// Request is what a browser needs to use one.
	Request = protocol.CredentialAssertion
)

// party is a site as the library's relying party; nil for none. A passkey must be discoverable and check the person, so that it is enough alone.
func (site Site) party() (*webauthn.WebAuthn, error) {
	if site.Domain == "" {
		return nil, nil
	}
	timeout := webauthn.TimeoutConfig{Timeout: ChallengeLife, TimeoutUVD: ChallengeLife}
	return webauthn.New(&webauthn.Config{
		RPID: site.Domain, RPDisplayName: "Candor", RPOrigins: site.Origins, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(), UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
	})
}

// party is the relying party of an owner's site. Refusal: ErrNoSite.
func (s *Service) party(o Owner) (*webauthn.WebAuthn, error) {
	party := s.traders
	if o.StaffID != 0 {
		party = s.staff
	}
	if party == nil {
		return nil, ErrNoSite
	}
	return party, nil
}

// user is an owner as the library sees one.
type user struct {
	ownerRow
	name     string
	passkeys []Passkey
}

func (u user) WebAuthnID() []byte          { return u.Handle }
func (u user) WebAuthnName() string        { return u.name }
func (u user) WebAuthnDisplayName() string { return u.name }
func (u user) WebAuthnCredentials() []webauthn.Credential {
	list := make([]webauthn.Credential, len(u.passkeys))
	for i, p := range u.passkeys {
		list[i] = p.credential
	}
	return list
}

func passkeys(ctx context.Context, q db.Querier, ownerID int64) ([]Passkey, error) {
	rows, err := q.Query(ctx, `SELECT id, name, created_at, last_used_at, credential FROM passkeys WHERE owner_id = $1 ORDER BY id`, ownerID)
	if err != nil {
		return nil, fmt.Errorf("read passkeys: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p Passkey, err error) {
		return p, row.Scan(&p.ID, &p.Name, &p.CreatedAt, &p.LastUsedAt, &p.credential)
	})
}

// userTx reads a locked owner with the passkeys; name is what a password manager lists the account by.
func userTx(ctx context.Context, tx *db.Tx, o Owner, name string) (u user, err error) {
	if u.ownerRow, err = lockTx(ctx, tx, o); err != nil {
		return u, err
	}
	u.name = name
	u.passkeys, err = passkeys(ctx, tx.Conn, u.ID)
	return u, err
}

// NewPasskeyTx starts a passkey of the owner. Refusal: ErrMostKeys.
func (s *Service) NewPasskeyTx(ctx context.Context, tx *db.Tx, o Owner, name string) (*Creation, error) {
	u, err := userTx(ctx, tx, o, name)
	if err != nil {
		return nil, err
	}
	if len(u.passkeys) >= mostPasskeys {
		return nil, ErrMostKeys
	}
	challenge, err := s.newChallenge(registration(o))
	if err != nil {
		return nil, err
	}
	creation, _, err := s.creation(u, challenge)
	return creation, err
}

func (s *Service) creation(u user, challenge []byte) (*Creation, *webauthn.SessionData, error) {
	party, err := s.party(u.Owner)
	if err != nil {
		return nil, nil, err
	}
	creation, session, err := party.BeginRegistration(u,
		webauthn.WithExclusions(webauthn.Credentials(u.WebAuthnCredentials()).CredentialDescriptors()),
		func(options *protocol.PublicKeyCredentialCreationOptions) error {
			options.Challenge = challenge
			return nil
		})
	if err != nil {
		return nil, nil, fmt.Errorf("start a passkey of %s: %w", u.Owner, err)
	}
	return creation, session, nil
}

// AddPasskeyTx stores the passkey that a browser made for NewPasskeyTx. Refusals: ErrName, ErrPasskey, ErrExpired, ErrMostKeys.
func (s *Service) AddPasskeyTx(ctx context.Context, tx *db.Tx, o Owner, name string, response []byte) (p Passkey, err error) {
	if p.Name, err = CheckName(name); err != nil {
		return p, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(response)
	if err != nil {
		return p, refused(ctx, o, err)
	}
	u, err := userTx(ctx, tx, o, "")
	if err != nil {
		return p, err
	}
	if len(u.passkeys) >= mostPasskeys {
		return p, ErrMostKeys
	}
	challenge, err := s.useChallengeTx(ctx, tx, registration(o), parsed.Response.CollectedClientData.Challenge)
	if err != nil {
		return p, err
	}
	_, session, err := s.creation(u, challenge)
	if err != nil {
		return p, err
	}
	party, err := s.party(o)
	if err != nil {
		return p, err
	}
	made, err := party.CreateCredential(u, *session, parsed)
	if err != nil {
		return p, refused(ctx, o, err)
	}
	record, err := json.Marshal(made)
	if err != nil {
		return p, err
	}
	p.CreatedAt, p.credential = s.clock.Now(), *made
	err = tx.Conn.QueryRow(ctx, `INSERT INTO passkeys (owner_id, credential_id, credential, name, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (credential_id) DO NOTHING RETURNING id`,
		u.ID, made.ID, record, p.Name, p.CreatedAt).Scan(&p.ID)
	if errors.Is(err, pgx.ErrNoRows) { // a credential of another owner
		return p, ErrPasskey
	}
	if err != nil {
		return p, fmt.Errorf("store a passkey of %s: %w", o, err)
	}
	return p, nil
}

// CheckName tidies and checks the name of a passkey. Refusals: ErrName for the length, the field for what is no visible text.
func CheckName(name string) (string, error) {
	name, err := names.Label(name, LongestName)
	if err == nil && name == "" {
		err = ErrName
	}
	return name, err
}

// refused logs why the library refused a response; the caller gets ErrPasskey.
func refused(ctx context.Context, o Owner, err error) error {
	var detailed *protocol.Error
	if errors.As(err, &detailed) {
		slog.WarnContext(ctx, "a passkey was refused", "owner", o.String(), "reason", detailed.Details, "info", detailed.DevInfo)
	}
	return ErrPasskey
}

// RenamePasskeyTx renames a passkey of the owner. Refusals: ErrName, ErrNone.
func (s *Service) RenamePasskeyTx(ctx context.Context, tx *db.Tx, o Owner, id int64, name string) error {
	name, err := CheckName(name)
	if err != nil {
		return err
	}
	row, err := lockTx(ctx, tx, o)
	if err != nil {
		return err
	}
	tag, err := tx.Conn.Exec(ctx, `UPDATE passkeys SET name = $3 WHERE id = $1 AND owner_id = $2`, id, row.ID, name)
	if err != nil {
		return fmt.Errorf("rename passkey %d of %s: %w", id, o, err)
	}
	if tag.RowsAffected() != 1 {
		return ErrNone
	}
	return nil
}

// RemovePasskeyTx removes a passkey of the owner. Refusal: ErrNone.
func (s *Service) RemovePasskeyTx(ctx context.Context, tx *db.Tx, o Owner, id int64) error {
	row, err := lockTx(ctx, tx, o)
	if err != nil {
		return err
	}
	tag, err := tx.Conn.Exec(ctx, `DELETE FROM passkeys WHERE id = $1 AND owner_id = $2`, id, row.ID)
	if err != nil {
		return fmt.Errorf("remove passkey %d of %s: %w", id, o, err)
	}
	if tag.RowsAffected() != 1 {
		return ErrNone
	}
	return dropRecoveryTx(ctx, tx, row)
}
