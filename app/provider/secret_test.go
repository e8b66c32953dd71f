package provider_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/keyring"
	"candor/app/platform/jobs"
	"candor/app/platform/vault"
	"candor/app/platform/vault/vaulttest"
	"candor/app/provider"
)

// secretFixture is a fixture whose two providers have no secret in the file.
type secretFixture struct {
	*bundle
	keys    *vault.Vault
	secrets *provider.Secrets
	list    []provider.Provider
}

func setupSecrets(t *testing.T) *secretFixture {
	t.Helper()
	s := &secretFixture{bundle: setup(t), keys: vaulttest.New(t)}
	s.secrets = provider.NewSecrets(s.db, s.clock, s.keys)
	s.list = []provider.Provider{{ID: "acme", Name: "Acme", URL: "https://acme.example"}, {ID: "other", Name: "Other", URL: "https://other.example"}}
	return s
}

// secretOf is each provider's own secret.
func secretOf(id string) string { return strings.Repeat("Secret of "+id+". ", 3) }

func (s *secretFixture) setAll() {
	s.Helper()
	for _, p := range s.list {
		require.NoError(s, s.secrets.Set(s.Context(), p.ID, secretOf(p.ID)))
	}
}

func (s *secretFixture) text(sql string) (text string) {
	s.Helper()
	require.NoError(s, s.db.Pool.QueryRow(s.Context(), sql).Scan(&text))
	return text
}

func (s *secretFixture) unsealed() []provider.Provider {
	s.Helper()
	list, err := s.secrets.Unseal(s.Context(), s.list)
	require.NoError(s, err)
	return list
}

func TestSecretsAreSealed(t *testing.T) {
	t.Parallel()

	t.Run("NoTableHoldsThem", func(t *testing.T) {
		t.Parallel()
		s := setupSecrets(t)
		s.setAll()
		rows := s.text(`SELECT string_agg(p::text, ' ') FROM provider_secrets p`)
		entries := s.text(`SELECT string_agg(a::text, ' ') FROM audit_entries a`)
		require.Contains(t, rows, "acme", "the search finds what is there")
		for _, p := range s.list {
			secret := []byte(secretOf(p.ID))
			for _, written := range []string{string(secret), hex.EncodeToString(secret), base64.StdEncoding.EncodeToString(secret)} {
				require.NotContains(t, rows, written)
				require.NotContains(t, entries, written)
			}
		}
	})
	t.Run("EachOpensForItsProviderAlone", func(t *testing.T) {
		t.Parallel()
		s := setupSecrets(t)
		s.setAll()
		for i, p := range s.unsealed() {
			require.Equal(t, secretOf(s.list[i].ID), p.Secret)
			require.Empty(t, s.list[i].Secret, "what the file says stays as it is")
		}
		_, err := s.db.Pool.Exec(t.Context(), `
			UPDATE provider_secrets SET (secret_key, secret_sealed) = (SELECT secret_key, secret_sealed FROM provider_secrets WHERE provider = 'other') WHERE provider = 'acme'`)
		require.NoError(t, err)
		_, err = s.secrets.Unseal(t.Context(), s.list)
		require.ErrorIs(t, err, vault.ErrUnreadable)
		require.ErrorContains(t, err, "run candor providers secret acme")
		_, err = s.secrets.Unseal(t.Context(), s.list[1:])
		require.NoError(t, err)
	})
	t.Run("ALaterReplacesAnEarlier", func(t *testing.T) {
		t.Parallel()
		s := setupSecrets(t)
		s.setAll()
		s.clock.Advance(time.Hour)
		later := strings.Repeat("later", 7)
		require.NoError(t, s.secrets.Set(t.Context(), "acme", later))
		list := s.unsealed()
		require.Equal(t, []string{later, secretOf("other")}, []string{list[0].Secret, list[1].Secret})
		at, err := s.secrets.SetAt(t.Context())
		require.NoError(t, err)
		require.Len(t, at, 2)
		require.True(t, at["acme"].Equal(evening.Add(time.Hour)))
		require.True(t, at["other"].Equal(evening))
		require.Equal(t, "acme operator, acme operator, other operator",
			s.text(`SELECT string_agg(target_id || ' ' || actor_name, ', ' ORDER BY target_id) FROM audit_entries WHERE action = 'provider.secret' AND target_kind = 'provider'`))
	})
	t.Run("TheyAreRotated", func(t *testing.T) {
		t.Parallel()
		s := setupSecrets(t)
		s.setAll()
		before := s.text(`SELECT string_agg(encode(secret_key, 'hex'), ' ' ORDER BY provider) FROM provider_secrets`)
		ring := keyring.New(s.db, s.clock, s.keys, provider.SealedColumns)
		require.NoError(t, ring.Rotate(t.Context()))
		require.ErrorIs(t, ring.Retire(t.Context()), keyring.ErrStale)
		n, err := ring.Rewrap(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2, n)
		require.NotEqual(t, before, s.text(`SELECT string_agg(encode(secret_key, 'hex'), ' ' ORDER BY provider) FROM provider_secrets`))
		require.NoError(t, ring.Retire(t.Context()))
		require.Equal(t, secretOf("acme"), s.unsealed()[0].Secret)
	})
	t.Run("WithoutTheirKeysTheyStayShut", func(t *testing.T) {
		t.Parallel()
		s := setupSecrets(t)
		s.setAll()
		_, err := provider.NewSecrets(s.db, s.clock, vaulttest.New(t)).Unseal(t.Context(), s.list)
		require.ErrorIs(t, err, vault.ErrUnreadable)
	})
	t.Run("ShortOrLongerThanALineIsRefused", func(t *testing.T) {
		t.Parallel()
		s := setupSecrets(t)
		for _, bad := range []string{"", strings.Repeat("x", 31), strings.Repeat("x", 20) + "\n" + strings.Repeat("y", 20)} {
			err := s.secrets.Set(t.Context(), "acme", bad)
			require.ErrorContains(t, err, "provider acme: the secret has")
			require.NotContains(t, err.Error(), "xx")
		}
		require.Equal(t, "0 0", s.text(`SELECT (SELECT count(*) FROM provider_secrets) || ' ' || (SELECT count(*) FROM audit_entries)`))
		require.NoError(t, s.secrets.Set(t.Context(), "acme", strings.Repeat("x", 32)))
	})
}

func TestUnseal(t *testing.T) {
	t.Parallel()

	t.Run("AProviderWithoutAnySecretIsRefusedInWords", func(t *testing.T) {
		t.Parallel()
		s := setupSecrets(t)
		require.NoError(t, s.secrets.Set(t.Context(), "acme", secretOf("acme")))
		_, err := s.secrets.Unseal(t.Context(), s.list)
		require.EqualError(t, err, "provider other has no secret: run candor providers secret other")
		list, err := s.secrets.Unseal(t.Context(), s.list[:1])
		require.NoError(t, err)
		require.Equal(t, secretOf("acme"), list[0].Secret)
	})
	t.Run("TheOneInTheFileCounts", func(t *testing.T) {
		t.Parallel()
		s := setupSecrets(t)
		s.setAll()
		s.list[0].Secret = secret
		list := s.unsealed()
		require.Equal(t, []string{secret, secretOf("other")}, []string{list[0].Secret, list[1].Secret})
	})
	t.Run("NoProvidersNeedNone", func(t *testing.T) {
		t.Parallel()
		list, err := setupSecrets(t).secrets.Unseal(t.Context(), nil)
		require.NoError(t, err)
		require.Empty(t, list)
	})
}

// TestEventsOfASealedSecret accepts only events signed with the sealed secret.
func TestEventsOfASealedSecret(t *testing.T) {
	t.Parallel()
	s := setupSecrets(t)
	s.setAll()
	queue, err := jobs.New(s.db.Pool)
	require.NoError(t, err)
	service := provider.New(s.db, s.clock, queue, "http://house", s.unsealed())
	body, err := json.Marshal(paid)
	require.NoError(t, err)
	at := strconv.FormatInt(evening.Unix(), 10)
	accept := func(secret string) error {
		return service.Accept(t.Context(), "acme", at, provider.Sign(secret, at, http.MethodPost, provider.EventPath("acme"), body), body)
	}
	require.ErrorIs(t, accept(secretOf("other")), provider.ErrEvent)
	require.ErrorIs(t, accept(secret), provider.ErrEvent)
	require.ErrorIs(t, accept(""), provider.ErrEvent)
	require.Zero(t, s.count("new"))
	require.NoError(t, accept(secretOf("acme")))
	require.Equal(t, 1, s.count("new"))
}
