package trader_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/factor/factortest"
	"candor/app/platform/ethereum/ethereumtest"
	"candor/app/session/sessiontest"
	"candor/app/trader"
)

// restored is a time after which the calls that came too late no longer count as guesses.
const restored = 25 * time.Hour

// redemption is a secret that works once, and the call that redeems it. Another one must be prepared for every trial.
type redemption struct {
	name    string
	prepare func(t *testing.T) (prepareOne func() (redeem func() error))
}

// redemptions are every secret of a trader's that works once.
var redemptions = []redemption{
	{"a log-in link", func(t *testing.T) func() func() error {
		g := setup(t).guarded(anna)
		return func() func() error {
			code, _, err := g.traders.CreateLoginCode(t.Context(), g.Principal)
			require.NoError(t, err)
			return func() error {
				_, err := g.traders.LoginByCode(t.Context(), code, device(1), "trace-0007")
				return err
			}
		}
	}},
	{"a code for a forgotten password", func(t *testing.T) func() func() error {
		g := setup(t).guarded(anna)
		return func() func() error {
			g.clock.Advance(restored)
			code := g.forgottenCode(anna)
			return func() error { return g.replaceForgotten(anna, code) }
		}
	}},
	{"a granted contact", func(t *testing.T) func() func() error {
		g := setup(t).guarded(anna)
		n := 0
		return func() func() error {
			g.clock.Advance(restored)
			n++
			found := "found" + strconv.Itoa(n) + "@example.com"
			_, err := g.db.Pool.Exec(t.Context(), `INSERT INTO granted_contacts (trader_id, contact, asked_at, expires_at) VALUES ($1, $2, $3, $4)`, g.TraderID, found, g.clock.Now(), g.clock.Now().Add(time.Hour))
			require.NoError(t, err)
			code := g.forgottenCode(found)
			return func() error { return g.replaceForgotten(found, code) }
		}
	}},
	{"an authenticator's code at a log-in", func(t *testing.T) func() func() error {
		g := setup(t).guarded(anna)
		g.authenticator()
		return func() func() error {
			g.clock.Advance(restored)
			code := g.totp()
			return func() error { return g.loginWith(password, code, device(1)) }
		}
	}},
	{"a recovery code at a log-in", func(t *testing.T) func() func() error {
		g := setup(t).guarded(anna)
		codes := g.authenticator()
		return func() func() error {
			g.clock.Advance(restored)
			if len(codes) == 0 {
				var err error
				codes, err = g.traders.ReplaceRecoveryCodes(t.Context(), g.Principal, g.confirmed(trader.NewRecoveryCodes))
				require.NoError(t, err)
			}
			code := codes[0]
			codes = codes[1:]
			return func() error { return g.loginWith(password, code, device(1)) }
		}
	}},
	{"a confirmation by an authenticator", func(t *testing.T) func() func() error {
		g := setup(t).guarded(anna)
		g.authenticator()
		return func() func() error {
			g.clock.Advance(restored)
			code := g.totp()
			return func() error {
				_, err := g.traders.ConfirmByCode(t.Context(), g.Principal, trader.NewRecoveryCodes.Act(), code, origin)
				return err
			}
		}
	}},
	{"what confirms an act", func(t *testing.T) func() func() error {
		g := setup(t).guarded(anna)
		g.authenticator()
		return func() func() error {
			proof := g.confirmed(trader.NewRecoveryCodes)
			return func() error {
				_, err := g.traders.ReplaceRecoveryCodes(t.Context(), g.Principal, proof)
				return err
			}
		}
	}},
	{"a passkey's answer at a log-in", func(t *testing.T) func() func() error {
		g, key := withPasskey(t)
		return func() func() error {
			request, err := g.traders.NewPasskeyLogin()
			require.NoError(t, err)
			answer := key.Answer(request)
			return func() error {
				_, err := g.traders.LoginByPasskey(t.Context(), answer, device(1), "trace-0008")
				return err
			}
		}
	}},
	{"a passkey's answer that confirms", func(t *testing.T) func() func() error {
		g, key := withPasskey(t)
		act := trader.NewRecoveryCodes.Act()
		return func() func() error {
			ask, err := g.traders.NewConfirmation(t.Context(), g.Principal, act)
			require.NoError(t, err)
			answer := key.Answer(ask)
			return func() error {
				_, err := g.traders.ConfirmByPasskey(t.Context(), g.Principal, act, answer, origin)
				return err
			}
		}
	}},
	{"a wallet's text", func(t *testing.T) func() func() error {
		g, w := linked(t)
		return func() func() error {
			proof := g.signed(w, device(1))
			return func() error {
				_, err := g.walletLogin(proof, "")
				return err
			}
		}
	}},
	{"a wallet's text that links", func(t *testing.T) func() func() error {
		g := setup(t).allowWallets().guarded(anna)
		return func() func() error {
			g.clock.Advance(restored)
			w := ethereumtest.New(t)
			if _, err := g.db.Pool.Exec(t.Context(), `UPDATE traders SET wallet = NULL WHERE id = $1`, g.TraderID); err != nil {
				t.Fatal(err)
			}
			text, err := g.traders.NewWalletLink(t.Context(), g.Principal, choice(w), g.proof(trader.LinkWallet))
			require.NoError(t, err)
			signature := w.Sign(text.Text)
			return func() error { return g.traders.LinkWallet(t.Context(), g.Principal, text.ID, signature, origin) }
		}
	}},
	{"a code that proves a security act", func(t *testing.T) func() func() error {
		g := setup(t).guarded(anna)
		return func() func() error {
			g.clock.Advance(restored)
			proof := g.proof(trader.SetAuthenticator)
			return func() error {
				_, err := g.traders.OfferAuthenticator(t.Context(), g.Principal, proof)
				return err
			}
		}
	}},
}

func withPasskey(t *testing.T) (*guarded, *factortest.Passkey) {
	t.Helper()
	g := setup(t).guarded(anna)
	creation, err := g.traders.NewPasskey(t.Context(), g.Principal, g.proof(trader.AddPasskey))
	require.NoError(t, err)
	key, response := factortest.New(t, site, creation)
	_, err = g.traders.AddPasskey(t.Context(), g.Principal, "Phone", response, origin)
	require.NoError(t, err)
	return g, key
}

// TestRedemptions redeems every secret that works once many times at once: it works once.
func TestRedemptions(t *testing.T) {
	t.Parallel()
	for _, r := range redemptions {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			sessiontest.Redeem(t, r.prepare(t))
		})
	}
}
