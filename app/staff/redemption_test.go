package staff_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/session/sessiontest"
	"candor/app/staff"
)

// restored is a time after which the calls that came too late no longer count as guesses.
const restored = 25 * time.Hour

// redemptions are the secrets of a member of staff that work once, by name. Each prepares one for every trial.
var redemptions = map[string]func(t *testing.T) func() func() error{
	"an authenticator's code at a sign-in": func(t *testing.T) func() func() error {
		b := setup(t)
		p := b.first(t)
		return func() func() error {
			b.clock.Advance(restored)
			code := b.code(t, b.secret[p.ID])
			return func() error {
				_, err := b.SignInCode(ctx, p.ID, code, nobody)
				return err
			}
		}
	},
	"an authenticator's code for a decision": func(t *testing.T) func() func() error {
		b := setup(t)
		p := b.first(t)
		return func() func() error {
			b.clock.Advance(restored)
			code := b.code(t, b.secret[p.ID])
			return func() error { return b.CheckCode(ctx, by(p), step, code) }
		}
	},
	"a passkey's answer at a sign-in": func(t *testing.T) func() func() error {
		b := setup(t)
		p := b.first(t)
		key := b.passkey(t, p)
		return func() func() error {
			b.clock.Advance(restored)
			answer := key.Answer(b.askSignIn(t, p))
			return func() error {
				_, err := b.SignInPasskey(ctx, p.ID, answer, nobody)
				return err
			}
		}
	},
	"a passkey's answer for a decision": func(t *testing.T) func() func() error {
		b := setup(t)
		p := b.first(t)
		key := b.passkey(t, p)
		return func() func() error {
			b.clock.Advance(restored)
			answer := key.Answer(b.askStep(t, p, step))
			return func() error { return b.CheckPasskey(ctx, by(p), step, answer) }
		}
	},
	"a printed recovery code": func(t *testing.T) func() func() error {
		b := setup(t)
		p, _, _ := b.admins(t)
		var codes []string
		return func() func() error {
			b.clock.Advance(restored)
			if len(codes) == 0 {
				codes = b.recoveryCodes(t, p)
			}
			code := codes[0]
			codes = codes[1:]
			return func() error {
				_, err := b.Recover(ctx, p.ID, code, nobody)
				return err
			}
		}
	},
	"an invitation": func(t *testing.T) func() func() error {
		b := setup(t)
		admin := b.first(t)
		n := 0
		return func() func() error {
			n++
			b.clock.Advance(restored)
			email := "new" + string(rune('a'+n%26)) + string(rune('a'+n/26)) + "@example.com"
			_, err := b.Invite(ctx, by(admin), email, "New")
			require.NoError(t, err)
			enrolment, err := b.Begin(ctx, b.sent(t, email), staff.Entry{Password: password})
			require.NoError(t, err)
			code := b.code(t, enrolment.Secret)
			return func() error {
				_, err := b.Finish(ctx, enrolment, code, nobody)
				return err
			}
		}
	},
}

// TestRedemptions redeems every secret that works once many times at once: it works once.
func TestRedemptions(t *testing.T) {
	t.Parallel()
	for name, prepare := range redemptions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sessiontest.Redeem(t, prepare(t))
		})
	}
}
