package deposit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/trader"
)

// TestNobodyDecidesAboutTheirOwn tries every act of the desk on deposits of the member of staff, of a trader they introduced, and of another trader.
func TestNobodyDecidesAboutTheirOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	self, introduced, other := b.owner(1), b.owner(1), b.owner(1)
	b.exec(`UPDATE traders SET email = (SELECT email FROM staff WHERE id = $2) WHERE id = $1`, self.TraderID, b.checker.ID)
	b.exec(`UPDATE traders SET invited_by = $2 WHERE id = $1`, introduced.TraderID, self.TraderID)
	acts := map[string]func(d deposit.Deposit) (deposit.Deposit, error){
		"Claim": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.Claim(ctx, b.checker, d.ID)
		},
		"Release": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.Release(ctx, b.checker, d.ID)
		},
		"Accept": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.Accept(ctx, b.checker, d.ID, d.Version, usdt)
		},
		"Confirm": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.Confirm(ctx, b.checker, d.ID, d.Version)
		},
		"Approve": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.Approve(ctx, b.checker, d.ID, d.Version, statementOf(usdt, "BANK-OWN"))
		},
		"Reject": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.Decline(ctx, b.checker, d.ID, d.Version, false, "not_received", "")
		},
		"Ask": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.Decline(ctx, b.checker, d.ID, d.Version, true, "not_received", "")
		},
		"Credit": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.ApproveUnderReview(ctx, b.checker, d.ID, d.Version)
		},
		"Agree": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.ConfirmUnderReview(ctx, b.checker, d.ID, d.Version)
		},
		"Refund": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.Refund(ctx, b.checker, d.ID, d.Version, "0xabcd")
		},
		"Refunded": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.ConfirmRefund(ctx, b.checker, d.ID, d.Version)
		},
		"Recall": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.RecallUnderReview(ctx, b.checker, d.ID, d.Version)
		},
		"Reverse": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.RequestReversal(ctx, b.checker, d.ID, d.Version, "it is gone")
		},
		"Keep": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.RefuseReversal(ctx, b.checker, d.ID, d.Version)
		},
		"Reversed": func(d deposit.Deposit) (deposit.Deposit, error) {
			return b.deposits.ApproveReversal(ctx, b.checker, d.ID, d.Version)
		},
	}
	for whose, o := range map[string]ledger.Owner{"Own": self, "Introduced": introduced} {
		fresh, made := b.read(b.proved(o, 50*usdt).ID), b.read(b.approved(o).ID)
		for name, act := range acts {
			for _, d := range []deposit.Deposit{fresh, made} {
				entries := len(b.acts(d.ID))
				_, err := act(d)
				require.ErrorIs(t, err, trader.ErrOwn, "%s of %s", name, whose)
				require.Equal(t, d, b.read(d.ID), "%s of %s", name, whose)
				require.Len(t, b.acts(d.ID), entries, "%s of %s", name, whose)
			}
		}
		_, err := b.db.Pool.Exec(ctx, `UPDATE deposits SET checker_id = $2 WHERE id = $1`, made.ID, b.checker.ID)
		require.ErrorContains(t, err, "their own trader", "the database refuses it too")
		b.claim(b.maker, fresh.ID)
	}
	for name, act := range acts {
		_, err := act(b.proved(b.owner(1), 50*usdt))
		require.NotErrorIs(t, err, trader.ErrOwn, name)
	}
	made := b.claim(b.checker, b.approved(other).ID)
	done, err := b.deposits.Confirm(ctx, b.checker, made.ID, made.Version)
	require.NoError(t, err)
	require.Equal(t, deposit.Credited, done.State)
	require.EqualValues(t, 6_000*usdt, b.cash(other.AccountID))
	require.Zero(t, b.cash(self.AccountID)+b.cash(introduced.AccountID))
}

// TestWhoVerifiedATraderCreditsThemNothing refuses a trader's deposits to the member of staff who verified the trader, in the code and in the database.
func TestWhoVerifiedATraderCreditsThemNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(1)
	made := b.read(b.approved(o).ID)
	b.exec(`SELECT take_duty($1, $2, 'person')`, b.checker.ID, o.TraderID)
	_, err := b.deposits.Claim(t.Context(), b.checker, made.ID)
	require.ErrorIs(t, err, trader.ErrVerified)
	_, err = b.deposits.Confirm(t.Context(), b.checker, made.ID, made.Version)
	require.ErrorIs(t, err, trader.ErrVerified)
	_, err = b.deposits.Decline(t.Context(), b.checker, made.ID, made.Version, false, "not_received", "")
	require.ErrorIs(t, err, trader.ErrVerified)
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE deposits SET checker_id = $2 WHERE id = $1`, made.ID, b.checker.ID)
	require.ErrorContains(t, err, "has the duty person", "the database refuses it too")
	_, err = b.db.Pool.Exec(t.Context(), `
		INSERT INTO approvals (use, subject, trader_id, proposal, note, facts, people, state, requested_by, requested_at)
		VALUES ('deposit_reversal', $1::bigint::text, $2, '{"fee": 0}', '', sha256(''), 2, 'requested', $3, now())`, made.ID, o.TraderID, b.checker.ID)
	require.ErrorContains(t, err, "has the duty person", "a reversal neither")
	other := b.claim(b.checker, b.approved(b.owner(1)).ID)
	_, err = b.deposits.Confirm(t.Context(), b.checker, other.ID, other.Version)
	require.NoError(t, err, "another trader's they may")
}
