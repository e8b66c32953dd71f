package systemtest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/upload"
	"candor/app/staff"
)

// hireCompliance hires one reviewer and one lead per member of the desk.
func (r *raceFixture) hireCompliance(t *testing.T) {
	t.Helper()
	grant := func(id int64, role staff.Role) {
		_, err := r.platform.Database.Pool.Exec(t.Context(), `INSERT INTO staff_roles (staff_id, role, granted_at) VALUES ($1, $2, now())`, id, role)
		require.NoError(t, err)
	}
	for n := range r.members {
		reviewer := hireDesk(t, r.platform.Database.DB, 200+n)
		grant(reviewer.ID, staff.ComplianceReviewer)
		r.identityReviewers = append(r.identityReviewers, reviewer)
		lead := hireDesk(t, r.platform.Database.DB, 100+n)
		grant(lead.ID, staff.ComplianceLead)
		r.leads = append(r.leads, lead)
	}
}

func (e *entrant) reviewer(n int) audit.Actor { return e.identityReviewers[n] }

func (e *entrant) lead(n int) audit.Actor { return e.leads[n] }

func (e *entrant) applicant() ledger.Owner {
	return ledger.Owner{TraderID: e.owner.TraderID, Name: e.handle, IP: "192.0.2.7", TraceID: "trace-race-0001"}
}

// draft is a complete draft.
func (e *entrant) draft() kyc.View {
	e.t.Helper()
	ctx, text := context.Background(), func(s string) *string { return &s }
	_, err := e.identities.Save(ctx, e.applicant(), kyc.Filled{
		Country: text("CH"), DocumentType: text("passport"), FullName: text("Erika Mustermann"), Number: text(fmt.Sprintf("C01X%d", e.owner.TraderID)),
		BirthDate: text("1990-05-17"), ExpiryDate: text(time.Now().AddDate(3, 0, 0).Format(time.DateOnly)),
	})
	require.NoError(e.t, err)
	var v kyc.View
	for _, side := range []kyc.Part{kyc.Front, kyc.Selfie} {
		picture := fmt.Appendf(nil, "%s of %s", side, e.handle)
		v, err = e.identities.Attach(ctx, e.applicant(), side, upload.Picture{Bytes: picture, Width: 3, Height: 4, SHA256: sha256.Sum256(picture)})
		require.NoError(e.t, err)
	}
	return v
}

// submittedApplication is an application that awaits review.
func (e *entrant) submittedApplication() kyc.View {
	e.t.Helper()
	_, err := e.identities.Submit(context.Background(), e.applicant(), e.draft().Version, e.keyed("submitted"))
	require.NoError(e.t, err)
	v, err := e.identities.Find(context.Background(), e.owner.TraderID)
	require.NoError(e.t, err)
	return v
}

func (e *entrant) application(a kyc.Application, err error) kyc.Application {
	e.t.Helper()
	require.NoError(e.t, err)
	return a
}

// reviewed is an application claimed by a member of staff, who has accepted every picture and found that every field fits.
func (e *entrant) reviewed(by audit.Actor, id int64) kyc.Application {
	e.t.Helper()
	ctx := context.Background()
	a := e.application(e.identities.Claim(ctx, by, id))
	c, err := e.identities.Case(ctx, by, id)
	require.NoError(e.t, err)
	for _, d := range c.Documents {
		a = e.application(e.identities.DecideDocument(ctx, by, id, a.Version, d.ID, true, ""))
	}
	return e.application(e.identities.MatchRest(ctx, by, id, a.Version))
}

// escalated is an application that awaits the lead.
func (e *entrant) escalated() kyc.Application {
	e.t.Helper()
	a := e.reviewed(e.reviewer(0), e.submittedApplication().ID)
	return e.application(e.identities.Escalate(context.Background(), e.reviewer(0), a.ID, a.Version, "", "look"))
}

const (
	identitySteps = `SELECT coalesce(sum(k.version), 0) FROM kyc_applications k JOIN accounts a ON a.trader_id = k.trader_id WHERE a.id = $1`
	attempts      = `SELECT coalesce(sum(k.attempt), 0) FROM kyc_applications k JOIN accounts a ON a.trader_id = k.trader_id WHERE a.id = $1`
)

// identityContests are races over submitting, withdrawing and deciding applications.
func identityContests() []contest {
	gone := []string{"kyc.changed", "kyc.state", "kyc.not_claimed", "kyc.unknown", "kyc.role", "kyc.claimed"}
	decided := func(_ kyc.Application, err error) outcome { return serviceOutcome("", err) }
	once := func(name string, prepare func(e *entrant) act) contest {
		return contest{name: name, effects: identitySteps, maxEffects: 1, ownKeys: true, losers: gone, prepare: func(e *entrant) (act, <-chan struct{}) { return prepare(e), nil }}
	}
	claimed := once("IdentityClaim", func(e *entrant) act {
		id := e.submittedApplication().ID
		return func(n int, _ string) outcome {
			return decided(e.identities.Claim(context.Background(), e.reviewer(n), id))
		}
	})
	claimed.losers = []string{"kyc.claimed"}
	return []contest{
		{
			name: "SubmitAuth", effects: attempts, maxEffects: 1, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("userAuth/submit", fmt.Sprintf(`{"version":%d}`, e.draft().Version)), nil
			},
		},
		{
			name: "WithdrawAuth", effects: `SELECT 1 - (` + attempts + `)`, maxEffects: 1, losers: gone,
			prepare: func(e *entrant) (act, <-chan struct{}) {
				return e.post("userAuth/withdraw", fmt.Sprintf(`{"version":%d}`, e.submittedApplication().Version)), nil
			},
		},
		claimed,
		once("WithdrawAuthOrClaim", func(e *entrant) act {
			v := e.submittedApplication()
			back := e.post("userAuth/withdraw", fmt.Sprintf(`{"version":%d}`, v.Version))
			return func(n int, key string) outcome {
				if n%2 == 0 {
					return back(n, key)
				}
				return decided(e.identities.Claim(context.Background(), e.reviewer(n), v.ID))
			}
		}),
		once("IdentityApproveOrEscalate", func(e *entrant) act {
			a := e.reviewed(e.reviewer(0), e.submittedApplication().ID)
			return func(n int, _ string) outcome {
				if n%2 == 0 {
					return decided(e.identities.Approve(context.Background(), e.reviewer(0), a.ID, a.Version))
				}
				return decided(e.identities.Escalate(context.Background(), e.reviewer(0), a.ID, a.Version, "", "look"))
			}
		}),
		once("IdentityConfirmOrReject", func(e *entrant) act {
			a := e.reviewed(e.lead(0), e.escalated().ID)
			return func(n int, _ string) outcome {
				if n%2 == 0 {
					return decided(e.identities.Confirm(context.Background(), e.lead(0), a.ID, a.Version))
				}
				return decided(e.identities.RejectFinal(context.Background(), e.lead(0), a.ID, a.Version, "sanctions", ""))
			}
		}),
		once("IdentityRevoke", func(e *entrant) act {
			a := e.reviewed(e.lead(0), e.escalated().ID)
			a = e.application(e.identities.Confirm(context.Background(), e.lead(0), a.ID, a.Version))
			a = e.application(e.identities.Claim(context.Background(), e.lead(1), a.ID))
			return func(int, string) outcome {
				return decided(e.identities.Revoke(context.Background(), e.lead(1), a.ID, a.Version, "sanctions", ""))
			}
		}),
		once("IdentityAskAgainOrRelease", func(e *entrant) act {
			a := e.application(e.identities.Claim(context.Background(), e.reviewer(0), e.submittedApplication().ID))
			return func(n int, _ string) outcome {
				if n%2 == 0 {
					return decided(e.identities.AskAgain(context.Background(), e.reviewer(0), a.ID, a.Version, []kyc.Ask{{Part: kyc.Selfie, Reason: "face_hidden"}}, ""))
				}
				return decided(e.identities.Release(context.Background(), e.reviewer(0), a.ID))
			}
		}),
	}
}

// liftContest ends a halt of withdrawals. It runs alone, before all others: a halt in force blocks every withdrawal.
func liftContest() contest {
	return contest{
		name: "LiftTheStop", effects: `SELECT count(*) FROM withdrawal_halts WHERE ended_at IS NOT NULL`, maxEffects: 1, ownKeys: true, losers: []string{"money_out.no_stop"},
		prepare: func(e *entrant) (act, <-chan struct{}) {
			ctx := context.Background()
			var stop int64
			require.NoError(e.t, e.platform.Database.InTx(ctx, func(tx *db.Tx) error {
				return tx.Conn.QueryRow(ctx, `
					WITH wrong AS (INSERT INTO reconciliations (at, took_ms, proved, wrong_table, wrong_row, wrong_what) VALUES (now(), 1, 1, 'accounts', 'id 1', 'is not right') RETURNING id)
					INSERT INTO withdrawal_halts (reconciliation_id, at) SELECT id, now() FROM wrong RETURNING id`).Scan(&stop)
			}))
			result, err := e.books.Run(ctx)
			require.NoError(e.t, err)
			require.Nil(e.t, result.Wrong)
			var asker int64
			err = e.platform.Database.Pool.QueryRow(ctx, `INSERT INTO staff (email, name, state, created_at) VALUES ($1, 'Asker', 'invited', now()) RETURNING id`,
				fmt.Sprintf("asker%d@example.com", stop)).Scan(&asker)
			require.NoError(e.t, err)
			require.NoError(e.t, e.books.AskEnd(ctx, audit.Actor{Kind: audit.Staff, ID: asker, Name: "Asker"}, stop))
			return func(n int, _ string) outcome {
				return serviceOutcome("", e.books.Lift(ctx, audit.Actor{Kind: audit.Staff, ID: e.members[n].ID, Name: "Desk"}, stop))
			}, nil
		},
	}
}
