package kyc_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/kyc"
	"candor/app/ledger"
)

func TestTradersAreTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	only := func(t *testing.T, o ledger.Owner) string {
		t.Helper()
		list := b.mails(o.TraderID)
		require.Len(t, list, 1)
		require.NotContains(t, list[0].Body, "{{")
		require.Len(t, b.mailbox(o.TraderID), 1)
		require.Regexp(t, `^message\.identity_\w+$`, b.mailbox(o.TraderID)[0].Key)
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
		b.askedAgain(o, kyc.Ask{Part: kyc.Selfie, Reason: "face_hidden"}, kyc.Ask{Part: kyc.DataPart, Reason: "name_incomplete"})
		message := only(t, o)
		require.Contains(t, message, "Selfie: The face is not fully visible")
		require.Contains(t, message, "Document details: The name is incomplete.")
		require.Contains(t, b.mailbox(o.TraderID)[0].Args["parts"], "{{identity.part.selfie}}: {{kyc.reason.face_hidden}}")
		require.NotContains(t, message, "Front of the document")
	})
	t.Run("OfARejectionWithoutItsReason", func(t *testing.T) {
		o := b.owner()
		b.exec(`UPDATE traders SET language = 'ar' WHERE id = $1`, o.TraderID)
		a := b.accepted(b.lead, b.claim(b.lead, b.escalated(o).ID))
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
		require.Contains(t, b.mails(o.TraderID)[0].Subject, "no longer valid")
		require.Len(t, b.mails(o.TraderID), 2)
	})
}

func TestTradersAreToldOfTheEndOfADocument(t *testing.T) {
	t.Parallel()
	soon := renewal.AddDate(0, 0, -30)
	subjects := func(b *bundle, o ledger.Owner) (list []string) {
		b.Helper()
		for _, m := range b.mails(o.TraderID)[:len(b.mails(o.TraderID))-1] { // without the oldest, the approval
			require.NotContains(t, m.Body, "{{")
			list = append(list, m.Subject)
		}
		return list
	}
	renewed := func(b *bundle, o ledger.Owner) kyc.View {
		b.Helper()
		f := b.filled()
		f.ExpiryDate = text("2041-08-31")
		b.save(o, f)
		b.attach(o, kyc.Front, kyc.Selfie)
		v, err := b.trySubmit(o)
		require.NoError(b, err)
		return v
	}

	t.Run("OnceBeforeAndOnceAfter", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner()
		b.approved(o)
		b.clock.Set(soon.Add(-time.Second))
		require.Zero(t, b.expire())
		require.Empty(t, subjects(b, o))
		for _, at := range []time.Time{soon, soon.AddDate(0, 0, 1), renewal.Add(-time.Second)} {
			b.clock.Set(at)
			b.expire()
			require.Equal(t, []string{"Your document expires soon"}, subjects(b, o), at)
		}
		require.Contains(t, b.mails(o.TraderID)[0].Body, "2031-09-01")
		for _, at := range []time.Time{renewal, renewal.AddDate(0, 0, 1), renewal.AddDate(0, 0, 30), renewal.AddDate(1, 0, 0)} {
			b.clock.Set(at)
			b.expire()
			require.Equal(t, []string{"Please verify a new document", "Your document expires soon"}, subjects(b, o), at)
		}
		require.Contains(t, b.mails(o.TraderID)[0].Body, "2031-10-01")
	})
	t.Run("NotOfWhatIsToComeWhenItHasCome", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner()
		b.approved(o)
		b.clock.Set(renewal)
		require.Equal(t, 2, b.expire())
		require.Equal(t, []string{"Please verify a new document"}, subjects(b, o))
	})
	t.Run("NotWhoHasHandedInANewOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		waiting, verified, drafting := b.owner(), b.owner(), b.owner()
		for _, o := range []ledger.Owner{waiting, verified, drafting} {
			b.approved(o)
		}
		b.clock.Set(soon)
		require.Equal(t, 3, b.expire())
		renewed(b, waiting)
		a := b.accepted(b.reviewer, b.claim(b.reviewer, renewed(b, verified).ID))
		_, err := b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
		require.NoError(t, err)
		b.save(drafting, b.filled())
		b.clock.Set(renewal)
		require.Equal(t, 3, b.expire())
		require.Equal(t, []string{"Your document expires soon"}, subjects(b, waiting))
		require.Equal(t, []string{"Your identity is verified", "Your document expires soon"}, subjects(b, verified))
		require.Equal(t, []string{"Please verify a new document", "Your document expires soon"}, subjects(b, drafting), "a draft is nothing yet")
	})
}
