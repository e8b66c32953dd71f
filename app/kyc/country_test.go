package kyc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/approval"
	"candor/app/kyc"
	"candor/app/switches"
	"candor/app/trader"
)

// listing is the same world with lists of countries.
func (b *bundle) listing(prohibited, highRisk string) *bundle {
	b.Helper()
	for key, list := range map[string]string{switches.ProhibitedKey: prohibited, switches.HighRiskKey: highRisk} {
		b.exec(`INSERT INTO switches (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2`, key, list)
	}
	values, err := switches.Load(b.Context(), b.db, nil)
	require.NoError(b, err)
	c := b.config
	c.Switches, c.Approvals = values, approval.New(b.db, b.clock, trader.TakeDutyTx)
	b.kyc = kyc.New(c)
	return b
}

func TestACountryOfHighRiskTakesTwo(t *testing.T) {
	t.Parallel()
	b := setup(t).listing("", "AT,DE")
	v := b.submitted(b.owner())
	require.Equal(t, kyc.Risks{kyc.HighRisk}, b.row(v.ID).Risks)
	require.Equal(t, kyc.SomeRisk, b.row(v.ID).Risks.Rank())
	a := b.accepted(b.reviewer, b.claim(b.reviewer, v.ID))
	a, err := b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(t, err)
	require.Equal(t, kyc.SecondApproval, a.Stage())
	a = b.accepted(b.lead, b.claim(b.lead, a.ID))
	a, err = b.kyc.Confirm(t.Context(), b.lead, a.ID, a.Version)
	require.NoError(t, err)
	require.Equal(t, kyc.Approved, a.State)
}

// TestNobodyFromAProhibitedCountryIsApproved lists the country of registration: neither person may approve, and the lead may reject.
func TestNobodyFromAProhibitedCountryIsApproved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	b.drafted(o)
	b.save(o, kyc.Filled{Country: text("AT")})
	v, err := b.trySubmit(o)
	require.NoError(t, err)
	a := b.accepted(b.reviewer, b.claim(b.reviewer, v.ID))

	b.listing("DE", "DE")
	require.Equal(t, kyc.Prohibited, b.kyc.CountryRisk("DE"), "the graver list counts")
	require.Empty(t, b.kyc.CountryRisk("AT"))
	c, err := b.kyc.Case(t.Context(), b.reviewer, a.ID)
	require.NoError(t, err)
	require.True(t, c.Prohibited())
	_, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.ErrorIs(t, err, kyc.ErrProhibited)
	a, err = b.kyc.Escalate(t.Context(), b.reviewer, a.ID, a.Version, "country_unsupported", "")
	require.NoError(t, err)
	a = b.accepted(b.lead, b.claim(b.lead, a.ID))
	_, err = b.kyc.Confirm(t.Context(), b.lead, a.ID, a.Version)
	require.ErrorIs(t, err, kyc.ErrProhibited)
	a, err = b.kyc.RejectFinal(t.Context(), b.lead, a.ID, a.Version, "country_unsupported", "")
	require.NoError(t, err)
	require.Equal(t, kyc.Rejected, a.State)
}

func TestAnEscalationSaysWhy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.claimed(b.owner())
	for _, note := range []string{"", " \n"} {
		_, err := b.kyc.Escalate(t.Context(), b.reviewer, a.ID, a.Version, "", note)
		require.Equal(t, kyc.ErrNoNote, err)
	}
	_, err := b.kyc.Escalate(t.Context(), b.reviewer, a.ID, a.Version, "sanctions", "")
	require.NoError(t, err)
}
