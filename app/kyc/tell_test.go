package kyc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/kyc"
)

func TestTradersAreTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	only := func(t *testing.T, o kyc.Owner) string {
		t.Helper()
		list := b.mails(o.TraderID)
		require.Len(t, list, 1)
		require.NotContains(t, list[0].Body, "{{")
		return list[0].Subject + "\n" + list[0].Body
	}

	t.Run("OfAnApproval", func(t *testing.T) {
		o := b.owner()
		a := b.accepted(b.reviewer, b.claimed(o))
		require.Empty(t, b.mails(o.TraderID))
		_, err := b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
		require.NoError(t, err)
		require.Contains(t, only(t, o), "Your identity is verified")
		_, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
		require.Error(t, err)
		require.Len(t, b.mails(o.TraderID), 1, "a refused act tells nothing")
	})
	t.Run("OfWhatIsAskedForAgain", func(t *testing.T) {
		o := b.owner()
		b.askedAgain(o, kyc.Ask{Part: kyc.Selfie, Reason: "face_hidden"}, kyc.Ask{Part: kyc.Typed, Reason: "name_incomplete"})
		told := only(t, o)
		require.Contains(t, told, "Selfie: The face is not fully visible")
		require.Contains(t, told, "Data of the document: The name is incomplete.")
		require.NotContains(t, told, "Front of the document")
	})
	t.Run("OfARejectionWithoutItsReason", func(t *testing.T) {
		o := b.owner()
		b.exec(`UPDATE traders SET language = 'ar' WHERE id = $1`, o.TraderID)
		a := b.claim(b.lead, b.escalated(o).ID)
		require.Empty(t, b.mails(o.TraderID), "that a lead looks at it is not said")
		_, err := b.kyc.RejectFinal(t.Context(), b.lead, a.ID, a.Version, "sanctions", "on the list")
		require.NoError(t, err)
		require.Contains(t, only(t, o), "تعذّر علينا التحقق من هويتك")
		require.NotContains(t, only(t, o), "list")
	})
	t.Run("OfARevocation", func(t *testing.T) {
		o := b.owner()
		a := b.claim(b.lead, b.approved(o).ID)
		_, err := b.kyc.Revoke(t.Context(), b.lead, a.ID, a.Version, "approved_in_error", "")
		require.NoError(t, err)
		require.Contains(t, b.mails(o.TraderID)[0].Subject, "no longer holds")
		require.Len(t, b.mails(o.TraderID), 2)
	})
}
