package kyc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/staff"
	"candor/app/trader"
)

// TestWhoDecidedAboutMoneyVerifiesNobody refuses a trader's application to a member of staff who decided about the trader's money, in the code and in the
// database.
func TestWhoDecidedAboutMoneyVerifiesNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	paid, other := b.staff(staff.ComplianceReviewer), b.staff(staff.ComplianceReviewer)
	b.exec(`SELECT take_duty($1, $2, 'money')`, paid.ID, o.TraderID)
	id := b.submitted(o).ID
	_, err := b.kyc.Claim(t.Context(), paid, id)
	require.ErrorIs(t, err, trader.ErrPaid)
	for _, column := range []string{"maker_id", "lead_id"} {
		_, err = b.db.Pool.Exec(t.Context(), `UPDATE kyc_applications SET `+column+` = $2 WHERE id = $1`, id, paid.ID)
		require.ErrorContains(t, err, "has the duty money", "the database refuses it too")
	}
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE kyc_documents SET decision = 'accepted', decided_by = $2, decided_at = now() WHERE application_id = $1`, id, paid.ID)
	require.ErrorContains(t, err, "has the duty money", "and to judge a picture")
	b.accepted(other, b.claim(other, id))
}

// TestADecisionAboutAPersonIsKept keeps the duty of a member who asked a trader again, although the application no longer names them; a claim gives no duty.
func TestADecisionAboutAPersonIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	duties := func(o ledger.Owner) int64 {
		return b.count(`SELECT count(*) FROM staff_duties WHERE trader_id = $1 AND staff_id = $2 AND duty = 'person'`, o.TraderID, b.reviewer.ID)
	}
	claimed := b.owner()
	b.claimed(claimed)
	require.Zero(t, duties(claimed), "a claim decides about nothing")
	asked := b.owner()
	b.askedAgain(asked, kyc.Ask{Part: kyc.DataPart, Reason: "data_differs"})
	require.EqualValues(t, 1, duties(asked))
	require.Zero(t, b.count(`SELECT count(*) FROM kyc_applications WHERE trader_id = $1 AND maker_id IS NOT NULL`, asked.TraderID), "the application has forgotten")
}
