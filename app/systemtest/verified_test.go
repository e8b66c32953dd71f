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
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/idempotency"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/server"
	"candor/app/staff"
)

// accountHolder is the holder of every bank account in these tests.
const accountHolder = "Anna Muster"

// verifyCall is the call name under which these tests submit identity documents.
const verifyCall = "verify"

// reviewers are the members of staff who decide about identities.
type reviewers struct{ reviewer, lead audit.Actor }

// hireReviewers hires a member of staff for each approval of a withdrawal, without whom none is accepted, and two who decide about identities.
func hireReviewers(t *testing.T, d *db.DB) reviewers {
	t.Helper()
	hired := map[staff.Role]audit.Actor{}
	for n, role := range []staff.Role{staff.FinanceMaker, staff.FinanceChecker, staff.ComplianceReviewer, staff.ComplianceLead} {
		who := hireDesk(t, d, 900+n)
		_, err := d.Pool.Exec(t.Context(), `UPDATE staff SET state = 'active' WHERE id = $1`, who.ID)
		require.NoError(t, err)
		_, err = d.Pool.Exec(t.Context(), `INSERT INTO staff_roles (staff_id, role, granted_at) VALUES ($1, $2, now())`, who.ID, role)
		require.NoError(t, err)
		hired[role] = who
	}
	return reviewers{hired[staff.ComplianceReviewer], hired[staff.ComplianceLead]}
}

// verify takes a trader's application through review. All traders share one name and bank account, which is a hint against each but the first: the lead
// confirms those.
func (p reviewers) verify(ctx context.Context, s *kyc.Service, traderID int64) error {
	o, text := ledger.Owner{TraderID: traderID, Name: "trader", IP: "192.0.2.7", TraceID: "trace-verify-0001"}, func(s string) *string { return &s }
	_, err := s.Save(ctx, o, kyc.Filled{
		Country: text("CH"), DocumentType: text("passport"), FullName: text(accountHolder), Number: text(fmt.Sprintf("C01V%d", traderID)),
		BirthDate: text("1990-05-17"), ExpiryDate: text(time.Now().AddDate(3, 0, 0).Format(time.DateOnly)),
	})
	if err != nil {
		return err
	}
	var v kyc.View
	for _, side := range []kyc.Part{kyc.Front, kyc.Selfie} {
		picture := fmt.Appendf(nil, "%s of %d", side, traderID)
		if v, err = s.Attach(ctx, o, side, upload.Picture{Bytes: picture, Width: 3, Height: 4, SHA256: sha256.Sum256(picture)}); err != nil {
			return err
		}
	}
	if _, err = s.Submit(ctx, o, v.Version, idempotency.Request{TraderID: traderID, Call: verifyCall, Key: fmt.Sprint("verify", traderID)}); err != nil {
		return err
	}
	a := v.Application
	if a, err = judge(ctx, s, p.reviewer, a.ID); err != nil {
		return err
	}
	if a, err = s.Approve(ctx, p.reviewer, a.ID, a.Version); err != nil || a.State == kyc.Approved {
		return err
	}
	if a, err = judge(ctx, s, p.lead, a.ID); err != nil {
		return err
	}
	_, err = s.Confirm(ctx, p.lead, a.ID, a.Version)
	return err
}

// judge claims an application, accepts every picture and finds that every field fits.
func judge(ctx context.Context, s *kyc.Service, by audit.Actor, id int64) (kyc.Application, error) {
	a, err := s.Claim(ctx, by, id)
	if err != nil {
		return a, err
	}
	c, err := s.Case(ctx, by, id)
	if err != nil {
		return a, err
	}
	for _, document := range c.Documents {
		if a, err = s.DecideDocument(ctx, by, id, a.Version, document.ID, true, ""); err != nil {
			return a, err
		}
	}
	return s.MatchRest(ctx, by, id, a.Version)
}

// enableWithdrawals prepares a trader for withdrawals: two people may approve them, and the trader is verified under the bank accounts' holder.
func (r *apiFixture) enableWithdrawals(t *testing.T, traderID int64) {
	t.Helper()
	d := r.platform.Database.DB
	desk := hireReviewers(t, d)
	keys, err := server.OpenVault(t.Context(), r.platform.Config, d)
	require.NoError(t, err)
	require.NoError(t, desk.verify(t.Context(), kyc.New(kyc.Config{DB: d, Clock: clock.Real{}, Vault: keys, Folder: vault.NewFolder(t.TempDir())}), traderID))
}
