// Package factortest is a passkey in software, for tests: what a browser and its authenticator do together.
package factortest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/go-webauthn/webauthn/protocol/webauthncbor"
	"github.com/stretchr/testify/require"
)

// Flags of authenticator data.
const (
	userPresent  = 1
	userVerified = 4
	attested     = 64
)

// Passkey is one passkey of one site. Origin, Verified and Counter may be changed to misbehave.
type Passkey struct {
	t        testing.TB
	key      *ecdsa.PrivateKey
	id       []byte
	handle   string
	domain   string
	Origin   string
	Verified bool
	Counter  uint32
}

// options are what the server sends for a creation or a request.
type options struct {
	PublicKey struct {
		Challenge string `json:"challenge"`
		RPID      string `json:"rpId"`
		RP        struct {
			ID string `json:"id"`
		} `json:"rp"`
		User struct {
			ID string `json:"id"`
		} `json:"user"`
	} `json:"publicKey"`
}

func read(t testing.TB, sent any) (o options) {
	t.Helper()
	text, err := json.Marshal(sent)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &o))
	return o
}

// New makes a passkey for the server's creation options and returns the browser's answer.
func New(t testing.TB, origin string, creation any) (p *Passkey, response []byte) {
	t.Helper()
	o := read(t, creation)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	p = &Passkey{t: t, key: key, id: make([]byte, 32), handle: o.PublicKey.User.ID, domain: o.PublicKey.RP.ID, Origin: origin, Verified: true}
	_, _ = rand.Read(p.id)
	point, err := key.PublicKey.Bytes()
	require.NoError(t, err)
	public, err := webauthncbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})
	require.NoError(t, err)
	data := p.data(attested)
	data = append(data, make([]byte, 16)...) // no model
	data = binary.BigEndian.AppendUint16(data, uint16(len(p.id)))
	data = append(append(data, p.id...), public...)
	object, err := webauthncbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})
	require.NoError(t, err)
	return p, p.answer(map[string]any{"clientDataJSON": text(p.client("webauthn.create", o.PublicKey.Challenge)), "attestationObject": text(object), "transports": []string{"internal"}})
}

// Answer signs the server's request and returns the browser's answer.
func (p *Passkey) Answer(request any) []byte {
	p.t.Helper()
	o := read(p.t, request)
	p.Counter++
	data, client := p.data(0), p.client("webauthn.get", o.PublicKey.Challenge)
	sum := sha256.Sum256(client)
	signed := sha256.Sum256(append(append([]byte{}, data...), sum[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, p.key, signed[:])
	require.NoError(p.t, err)
	return p.answer(map[string]any{"clientDataJSON": text(client), "authenticatorData": text(data), "signature": text(signature), "userHandle": p.handle})
}

func (p *Passkey) data(flags byte) []byte {
	sum := sha256.Sum256([]byte(p.domain))
	flags |= userPresent
	if p.Verified {
		flags |= userVerified
	}
	return binary.BigEndian.AppendUint32(append(sum[:], flags), p.Counter)
}

func (p *Passkey) client(kind, challenge string) []byte {
	client, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": p.Origin, "crossOrigin": false})
	require.NoError(p.t, err)
	return client
}

func (p *Passkey) answer(response map[string]any) []byte {
	out, err := json.Marshal(map[string]any{
		"id": text(p.id), "rawId": text(p.id), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{}, "authenticatorAttachment": "platform",
	})
	require.NoError(p.t, err)
	return out
}

func text(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }
