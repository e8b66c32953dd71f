package systemtest

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/adjustment"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/money"
	"candor/app/switches"
	"candor/app/trader"
)

// ownCases are conversations that have the number of their trader.
var ownCases = map[adjustment.CaseKind]adjustment.Owner{
	adjustment.Conversation: func(_ context.Context, id int64) (*int64, error) { return &id, nil },
}

func caseOf(traderID int64) adjustment.Case {
	return adjustment.Case{CaseKind: adjustment.Conversation, CaseID: traderID}
}

// TestATraderReadsWhyAnAccountWasAdjusted posts a correction beside open positions and reads the trader's statement.
func TestATraderReadsWhyAnAccountWasAdjusted(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	c := r.customer(t)
	d := r.platform.Database
	values, err := switches.Load(t.Context(), d.DB, nil)
	require.NoError(t, err)
	desk := adjustment.New(adjustment.Config{
		DB: d.DB, Clock: clock.Real{}, Switches: values, Approvals: approval.New(d.DB, clock.Real{}, trader.TakeDutyTx), Positions: r.platform.Trading, Owners: ownCases, Changed: func(int64) {},
	})
	var people []audit.Actor
	for _, name := range []string{"maker", "checker"} {
		id := r.number(t, `INSERT INTO staff (email, name, state, created_at) VALUES ($1 || '@house.example', $1, 'invited', now()) RETURNING id`, name)
		people = append(people, audit.Actor{Kind: audit.Staff, ID: id, Name: name})
	}
	traderID := r.number(t, `SELECT trader_id FROM accounts WHERE id = $1`, c.accountID)
	ask := func(amount int64) error {
		a, err := desk.Request(t.Context(), people[0], adjustment.Request{
			TraderID: traderID, Amount: amount, Reason: "system_fault", Case: caseOf(traderID), Note: "Staff alone read this", Key: fmt.Sprint("key", amount),
		})
		if err != nil {
			return err
		}
		_, err = desk.Approve(t.Context(), people[1], a.ID, a.Version, a.State, a.Facts)
		return err
	}
	cash := r.number(t, `SELECT cash FROM accounts WHERE id = $1`, c.accountID)
	require.ErrorIs(t, ask(-cash), adjustment.ErrFunds, "positions need some of it")
	require.NoError(t, ask(-5*money.Unit))
	require.Equal(t, cash-5*money.Unit, r.number(t, `SELECT cash FROM accounts WHERE id = $1`, c.accountID))

	_, answer, raw := r.call(t, http.MethodGet, "/client/wallet/findLedgerPage?kind=adjustment", r.real, nil, nil)
	list := answer["data"].(map[string]any)["list"].([]any)
	require.Len(t, list, 1, raw)
	line := list[0].(map[string]any)
	require.Equal(t, []any{"adjustment", "system_fault", "-5"}, []any{line["kind"], line["reason"], line["amount"]})
	require.NotContains(t, raw, "case")
	require.NotContains(t, raw, "Staff alone")
	_, _, raw = r.call(t, http.MethodGet, "/client/wallet/findLedgerPage?kind=deposit", r.real, nil, nil)
	require.NotContains(t, raw, `"reason"`)
}
