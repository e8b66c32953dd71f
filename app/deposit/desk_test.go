package deposit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/switches"
)

// atOnce runs do eight times concurrently and counts the successes; the others must fail with one of refusals.
func (b *bundle) atOnce(do func(n int) error, refusals ...error) int {
	b.Helper()
	var worked atomic.Int32
	var group errgroup.Group
	for n := range 8 {
		group.Go(func() error {
			err := do(n)
			if err == nil {
				worked.Add(1)
				return nil
			}
			for _, refusal := range refusals {
				if errors.Is(err, refusal) {
					return nil
				}
			}
			return err
		})
	}
	require.NoError(b, group.Wait())
	return int(worked.Load())
}

func TestClaim(t *testing.T) {
	t.Parallel()

	t.Run("KeepsOthersOutForAQuarterOfAnHour", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.claimed(b.owner(1), 50*usdt)
		require.Equal(t, []any{deposit.InReview, b.maker.ID}, []any{d.State, *d.ClaimedBy})
		b.clock.Advance(15*time.Minute - time.Millisecond)
		_, err := b.deposits.Claim(t.Context(), b.checker, d.ID)
		require.ErrorIs(t, err, deposit.ErrClaimed)
		_, err = b.deposits.Release(t.Context(), b.checker, d.ID)
		require.ErrorIs(t, err, deposit.ErrNotClaimed)
		_, err = b.deposits.Decline(t.Context(), b.checker, d.ID, d.Version, false, "not_received", "")
		require.ErrorIs(t, err, deposit.ErrNotClaimed)
		_, err = b.deposits.Approve(t.Context(), b.checker, d.ID, d.Version, statementOf(d.Amount, "BANK-1"))
		require.ErrorIs(t, err, deposit.ErrNotClaimed)
		b.clock.Advance(time.Millisecond)
		_, err = b.approve(d, d.Amount)
		require.ErrorIs(t, err, deposit.ErrNotClaimed, "the claim is over")
		d = b.claim(b.checker, d.ID)
		require.Equal(t, b.checker.ID, *d.ClaimedBy)
		_, err = b.deposits.Claim(t.Context(), b.maker, d.ID)
		require.ErrorIs(t, err, deposit.ErrClaimed)
	})
	t.Run("IsProlongedByItsHolder", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.claimed(b.owner(1), 50*usdt)
		b.clock.Advance(10 * time.Minute)
		b.claim(b.maker, d.ID)
		b.clock.Advance(10 * time.Minute)
		_, err := b.deposits.Claim(t.Context(), b.checker, d.ID)
		require.ErrorIs(t, err, deposit.ErrClaimed)
	})
	t.Run("GivenBackItIsAnybodys", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.claimed(b.owner(1), 50*usdt)
		d, err := b.deposits.Release(t.Context(), b.maker, d.ID)
		require.NoError(t, err)
		require.Equal(t, deposit.ProofSubmitted, d.State)
		require.Nil(t, d.ClaimedBy)
		b.claim(b.checker, d.ID)
	})
	t.Run("OfEightPeopleAtOnceOneGetsIt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.proved(b.owner(1), 50*usdt)
		var people [8]audit.Actor
		for n := range people {
			people[n] = b.staff(fmt.Sprint("Finance maker ", n))
		}
		require.Equal(t, 1, b.atOnce(func(n int) error {
			_, err := b.deposits.Claim(t.Context(), people[n], d.ID)
			return err
		}, deposit.ErrClaimed))
	})
	t.Run("AnUnknownDepositIsUnknownToEveryAct", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, id := range []int64{424242, 0, -1} {
			_, claim := b.deposits.Claim(t.Context(), b.maker, id)
			_, release := b.deposits.Release(t.Context(), b.maker, id)
			_, approve := b.deposits.Approve(t.Context(), b.maker, id, 1, statementOf(usdt, "BANK-1"))
			_, confirm := b.deposits.Confirm(t.Context(), b.maker, id, 1)
			_, decline := b.deposits.Decline(t.Context(), b.maker, id, 1, false, "not_received", "")
			_, picture := b.deposits.Picture(t.Context(), b.maker, id)
			for _, err := range []error{claim, release, approve, confirm, decline, picture} {
				require.Equal(t, deposit.ErrUnknown, err)
			}
		}
	})
}

func TestApprove(t *testing.T) {
	t.Parallel()

	t.Run("OnePersonCreditsUpToFiveThousand", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d, err := b.approve(b.claimed(o, 5_000*usdt), 5_000*usdt)
		require.NoError(t, err)
		require.Equal(t, deposit.Credited, d.State)
		require.EqualValues(t, 5_000*usdt, b.cash(o.AccountID))
		require.Equal(t, []int64{o.AccountID}, b.changed)
		require.Equal(t, []any{b.maker.ID, true, true}, []any{*d.MakerID, d.CheckerID == nil, d.ClaimedBy == nil})
		require.EqualValues(t, *d.TransactionID, b.count(`SELECT id FROM ledger_transactions WHERE key = $1 AND cause = $1 AND kind = 'deposit'`, fmt.Sprint("deposit:", d.ID)))
		b.requireProved()
	})
	t.Run("AboveFiveThousandASecondPersonIsNeeded", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d, err := b.approve(b.claimed(o, 5_000*usdt+1), 5_000*usdt+1)
		require.NoError(t, err)
		require.Equal(t, []any{deposit.Approved, true, true}, []any{d.State, d.ClaimedBy == nil, d.TransactionID == nil})
		require.Zero(t, b.cash(o.AccountID))
		require.Equal(t, []int64{o.AccountID}, b.changed)
		require.Zero(t, b.postings())
	})
	t.Run("TheLimitIsASwitch", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.exec(`INSERT INTO switches (key, value) VALUES ($1, '100')`, switches.SecondPersonKey)
		require.NoError(t, b.switches.Reload(t.Context()))
		d, err := b.approve(b.claimed(b.owner(1), 101*usdt), 101*usdt)
		require.NoError(t, err)
		require.Equal(t, deposit.Approved, d.State)
		d, err = b.approve(b.claimed(b.owner(1), 100*usdt), 100*usdt)
		require.NoError(t, err)
		require.Equal(t, deposit.Credited, d.State)
	})
	t.Run("AnotherAmountThanAnnouncedNeedsASecondPerson", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, received := range []int64{50*usdt - 1, 50*usdt + 1, 1, 500 * usdt} {
			d, err := b.approve(b.claimed(b.owner(1), 50*usdt), received)
			require.NoError(t, err)
			require.Equal(t, []any{deposit.Approved, received}, []any{d.State, *d.Received})
		}
		require.Zero(t, b.postings())
	})
	t.Run("WhatIsTypedIsChecked", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.claimed(b.owner(1), 50*usdt)
		for _, typed := range []struct {
			received  int64
			reference string
			field     string
		}{
			{0, "BANK-1", "received"}, {-1, "BANK-1", "received"}, {500*usdt + 1, "BANK-1", "received"}, {1<<63 - 1, "BANK-1", "received"},
			{50 * usdt, "", "bankReference"}, {50 * usdt, " ABC ", "bankReference"}, {50 * usdt, strings.Repeat("A", 65), "bankReference"},
			{50 * usdt, "AB\x00CD", "bankReference"},
		} {
			_, err := b.deposits.Approve(t.Context(), b.maker, d.ID, d.Version, statementOf(typed.received, typed.reference))
			require.ErrorContains(t, err, typed.field+":", "%v", typed)
		}
		require.Equal(t, d, b.read(d.ID))
		_, err := b.deposits.Approve(t.Context(), b.maker, d.ID, d.Version, statementOf(50*usdt, " abcd "))
		require.NoError(t, err)
		require.Equal(t, "ABCD", *b.read(d.ID).BankReference)
	})
	t.Run("AVersionNotSeenIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.claimed(b.owner(1), 50*usdt)
		seen := d.Version
		b.claim(b.maker, d.ID)
		for _, version := range []int{seen, seen - 1, seen + 2, -1} {
			_, err := b.deposits.Approve(t.Context(), b.maker, d.ID, version, statementOf(50*usdt, "BANK-1"))
			require.ErrorIs(t, err, deposit.ErrChanged)
			_, err = b.deposits.Decline(t.Context(), b.maker, d.ID, version, false, "not_received", "")
			require.ErrorIs(t, err, deposit.ErrChanged)
		}
		require.Zero(t, b.postings())
		_, err := b.deposits.Approve(t.Context(), b.maker, d.ID, seen+1, statementOf(50*usdt, "BANK-1"))
		require.NoError(t, err)
	})
	t.Run("EightAtOnceCreditOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		for _, version := range []int{0, 3} {
			d := b.claimed(o, 50*usdt)
			before := b.cash(o.AccountID)
			require.Equal(t, 1, b.atOnce(func(n int) error {
				_, err := b.deposits.Approve(t.Context(), b.maker, d.ID, version, statementOf(50*usdt, fmt.Sprint("BANK-", version, n)))
				return err
			}, deposit.ErrState, deposit.ErrChanged))
			require.EqualValues(t, before+50*usdt, b.cash(o.AccountID))
			require.Len(t, b.acts(d.ID), 4)
		}
		b.requireProved()
	})
	t.Run("PaysADeficitFirst", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error {
			a, err := ledger.LockTx(t.Context(), tx, o.AccountID)
			if err != nil {
				return err
			}
			_, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{Kind: "deal", Key: "deal", Cause: "test", Book: a.Book, At: start, Entries: a.Result(-30*usdt, 0)})
			return err
		}))
		_, err := b.approve(b.claimed(o, 50*usdt), 50*usdt)
		require.NoError(t, err)
		require.EqualValues(t, 20*usdt, b.cash(o.AccountID))
		b.requireProved()
	})
}

func TestBankReference(t *testing.T) {
	t.Parallel()
	approve := func(b *bundle, d deposit.Deposit, reference string) (deposit.Deposit, error) {
		return b.deposits.Approve(b.Context(), b.maker, d.ID, d.Version, statementOf(d.Amount, reference))
	}

	t.Run("CreditsOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := approve(b, b.claimed(b.owner(1), 50*usdt), "BANK-1")
		require.NoError(t, err)
		second := b.claimed(b.owner(1), 50*usdt)
		for _, same := range []string{"BANK-1", "bank-1", " Bank-1 ", "BANK1", "b a n k 1", "BANK–1", "Bank/1.", "BANK\u00a01"} {
			_, err = approve(b, second, same)
			require.ErrorIs(t, err, deposit.ErrReference)
		}
		require.Equal(t, second, b.read(second.ID))
		_, err = approve(b, second, "--- -")
		require.ErrorContains(t, err, "bankReference", "marks alone are no reference")
		_, err = b.db.Pool.Exec(t.Context(), `UPDATE deposits SET state = 'approved', bank_reference = 'bank 1' WHERE id = $1`, second.ID)
		require.ErrorContains(t, err, "deposits_bank_reference", "the database refuses it too")
		_, err = approve(b, second, "BANK-11")
		require.NoError(t, err)
	})
	t.Run("OfADepositThatWaitsForItsSecondPersonIsTakenToo", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, err := approve(b, b.claimed(b.owner(1), 6_000*usdt), "BANK-1")
		require.NoError(t, err)
		second := b.claimed(b.owner(1), 6_000*usdt)
		_, err = approve(b, second, "BANK-1")
		require.ErrorIs(t, err, deposit.ErrReference)
		b.decline(b.checker, b.claim(b.checker, first.ID), false)
		_, err = approve(b, second, "BANK-1")
		require.NoError(t, err, "a rejected one has credited nothing")
	})
	t.Run("OfEightDepositsAtOnceOneIsCredited", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		var claimed [8]deposit.Deposit
		for n := range claimed {
			claimed[n] = b.claimed(b.owner(1), 50*usdt)
		}
		require.Equal(t, 1, b.atOnce(func(n int) error {
			_, err := approve(b, claimed[n], "BANK-1")
			return err
		}, deposit.ErrReference))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM deposits WHERE state = 'credited'`))
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM ledger_transactions`))
	})
}

func TestConfirm(t *testing.T) {
	t.Parallel()

	t.Run("ASecondPersonCreditsWhatWasReceived", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d, err := b.approve(b.claimed(o, 50*usdt), 49*usdt)
		require.NoError(t, err)
		d = b.claim(b.checker, d.ID)
		d, err = b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
		require.NoError(t, err)
		require.Equal(t, []any{deposit.Credited, b.maker.ID, b.checker.ID}, []any{d.State, *d.MakerID, *d.CheckerID})
		require.EqualValues(t, 49*usdt, b.cash(o.AccountID))
		require.Equal(t, []int64{o.AccountID}, b.changed)
		b.requireProved()
	})
	t.Run("TheMakerIsNoSecondPerson", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.claim(b.maker, b.approved(b.owner(1)).ID)
		_, err := b.deposits.Confirm(t.Context(), b.maker, d.ID, d.Version)
		require.ErrorIs(t, err, deposit.ErrSelf)
		require.Equal(t, d, b.read(d.ID))
		require.Zero(t, b.postings())
		_, err = b.db.Pool.Exec(t.Context(), `UPDATE deposits SET checker_id = $1 WHERE id = $2`, b.maker.ID, d.ID)
		require.ErrorContains(t, err, "23514", "nor does the database let him")
	})
	t.Run("NotAfterThreeReadingsThatDiffer", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.claim(b.checker, b.approved(b.owner(1)).ID)
		right := (*d.BankReference)[len(*d.BankReference)-4:]
		for range 3 {
			require.NoError(t, b.deposits.CheckProof(t.Context(), b.checker, d.ID, d.Version, right))
			require.ErrorIs(t, b.deposits.CheckProof(t.Context(), b.checker, d.ID, d.Version, "????"), deposit.ErrProof)
			d = b.read(d.ID)
		}
		require.ErrorIs(t, b.deposits.CheckProof(t.Context(), b.checker, d.ID, d.Version, right), deposit.ErrProofLimit)
		_, err := b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
		require.ErrorIs(t, err, deposit.ErrProofLimit, "nor without a reading")
		require.Zero(t, b.postings())
	})
	t.Run("ADecisionOnAnotherVersionIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.claim(b.checker, b.approved(b.owner(1)).ID)
		_, err := b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version-1)
		require.ErrorIs(t, err, deposit.ErrChanged)
	})
	t.Run("EightAtOnceCreditOnce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.claim(b.checker, b.approved(o).ID)
		require.Equal(t, 1, b.atOnce(func(int) error {
			_, err := b.deposits.Confirm(t.Context(), b.checker, d.ID, 0)
			return err
		}, deposit.ErrState))
		require.EqualValues(t, 6_000*usdt, b.cash(o.AccountID))
		require.Equal(t, []int64{o.AccountID}, b.changed)
	})
	t.Run("OfAConfirmationAndARejectionAtOnceOneCounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.claim(b.checker, b.approved(o).ID)
		require.Equal(t, 1, b.atOnce(func(n int) (err error) {
			if n%2 == 0 {
				_, err = b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
			} else {
				_, err = b.deposits.Decline(t.Context(), b.checker, d.ID, d.Version, false, "duplicate", "")
			}
			return err
		}, deposit.ErrState, deposit.ErrChanged))
		require.Equal(t, b.read(d.ID).State == deposit.Credited, b.cash(o.AccountID) > 0)
	})

	shared := setup(t)
	for fact, change := range map[string]string{
		"Amount": "amount = amount + 1", "Received": "received = received - 1", "Account": "account_id = {account}", "Trader": "trader_id = {trader}",
		"Currency": "currency = 'EUR'", "Reference": "reference = 'CD-AAAA-AAAA'", "Picture": "file_id = {file}", "NoPicture": "file_id = NULL",
		"BankReference": "bank_reference = 'BANK-XXXX'", "NothingReceived": "received = NULL", "NoBankReference": "bank_reference = NULL",
		"NoMaker": "maker_id = NULL", "NoHash": "shown_hash = NULL",
	} {
		t.Run("AChangedFactVoidsTheApproval/"+fact, func(t *testing.T) {
			b := shared.in(t)
			o, other := b.owner(1), b.owner(1)
			d := b.claim(b.checker, b.approved(o).ID)
			set := strings.NewReplacer("{account}", fmt.Sprint(other.AccountID), "{trader}", fmt.Sprint(other.TraderID), "{file}", fmt.Sprint(b.file(o, "another picture").ID)).Replace(change)
			b.exec(`UPDATE deposits SET `+set+` WHERE id = $1`, d.ID)
			_, err := b.deposits.Confirm(t.Context(), b.checker, d.ID, d.Version)
			if fact == "NoMaker" {
				require.ErrorIs(t, err, deposit.ErrSelf)
			} else {
				require.ErrorIs(t, err, deposit.ErrChanged)
			}
			require.Equal(t, deposit.Approved, b.read(d.ID).State)
			require.Zero(t, b.postings())
			b.exec(`DELETE FROM deposits`)
		})
	}
}

func TestDecline(t *testing.T) {
	t.Parallel()

	t.Run("NeedsACodedReason", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.claimed(b.owner(1), 50*usdt)
		for _, reason := range []string{"", "because", "NOT_RECEIVED", "not_received "} {
			_, err := b.deposits.Decline(t.Context(), b.maker, d.ID, d.Version, false, reason, "")
			require.Equal(t, deposit.ErrReason, err)
		}
		for _, reason := range deposit.Reasons {
			d := b.claimed(b.owner(1), 50*usdt)
			d, err := b.deposits.Decline(t.Context(), b.maker, d.ID, d.Version, false, reason, "for staff")
			require.NoError(t, err)
			require.Equal(t, []any{deposit.Rejected, reason, "for staff"}, []any{d.State, *d.Reason, d.StaffNote})
			require.Equal(t, start, d.DecidedAt.UTC())
		}
	})
	t.Run("AQuestionReopensTheProofAndForgetsTheApproval", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.decline(b.checker, b.claim(b.checker, b.approved(o).ID), true)
		require.Equal(t, deposit.MoreInfo, d.State)
		require.True(t, d.MakerID == nil && d.Received == nil && d.BankReference == nil && d.ShownHash == nil && d.ClaimedBy == nil && d.DecidedAt == nil)
		require.Equal(t, start.Add(deposit.TransferLife), d.ExpiresAt.UTC())
		d, err := b.tryProve(o, d.ID, b.file(o, "a better picture").Name)
		require.NoError(t, err)
		d, err = b.approve(b.claim(b.maker, d.ID), d.Amount)
		require.NoError(t, err)
		require.Equal(t, deposit.Approved, d.State, "both people start anew")
	})
}

// summary decodes the deposit in an audit entry.
func summary(t *testing.T, text string) (out map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &out))
	return out
}

func TestAudit(t *testing.T) {
	t.Parallel()

	t.Run("EachActIsOneEntryThatSaysWhatTheRowSays", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.decline(b.checker, b.claim(b.checker, b.approved(o).ID), true)
		entries := b.acts(d.ID)
		var actions []string
		for _, e := range entries {
			actions = append(actions, e.Action)
		}
		require.Equal(t, []string{"deposit.ask", "deposit.claim", "deposit.approve", "deposit.claim", "deposit.prove", "deposit.request"}, actions)
		require.Equal(t, []any{b.checker.ID, "Finance checker 01", "192.0.2.9", "trace-desk"}, []any{entries[0].ActorID, entries[0].ActorName, entries[0].IP, entries[0].TraceID})
		before, after := summary(t, entries[0].Before), summary(t, entries[0].After)
		require.Equal(t, map[string]any{
			"state": "approved", "amount": 6e9, "received": 6e9, "bankReference": before["bankReference"], "claimedBy": float64(b.checker.ID),
			"maker": float64(b.maker.ID), "checker": nil, "reason": nil, "senderSame": true, "valueDate": nil,
		}, before)
		require.Equal(t, map[string]any{
			"state": "more_info", "amount": 6e9, "received": nil, "bankReference": nil, "claimedBy": nil, "maker": nil, "checker": nil, "reason": "not_received",
			"senderSame": nil, "valueDate": nil,
		}, after)
		approved := summary(t, entries[2].After)
		require.Equal(t, []any{"approved", float64(b.maker.ID), nil}, []any{approved["state"], approved["maker"], approved["claimedBy"]})
	})
	t.Run("AnActWithoutItsEntryDoesNotHappen", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		nobody, secondNobody := b.maker, b.checker
		nobody.Kind, secondNobody.Kind = "ghost", "ghost" // the log refuses such an actor
		waiting, reviewed, small, approved := b.proved(o, 50*usdt), b.claimed(o, 50*usdt), b.claimed(o, 60*usdt), b.claim(b.checker, b.approved(o).ID)
		for name, act := range map[string]func() (deposit.Deposit, error){
			"Claim":   func() (deposit.Deposit, error) { return b.deposits.Claim(t.Context(), nobody, waiting.ID) },
			"Release": func() (deposit.Deposit, error) { return b.deposits.Release(t.Context(), nobody, reviewed.ID) },
			"Decline": func() (deposit.Deposit, error) {
				return b.deposits.Decline(t.Context(), nobody, reviewed.ID, reviewed.Version, false, "duplicate", "")
			},
			"Approve": func() (deposit.Deposit, error) {
				return b.deposits.Approve(t.Context(), nobody, small.ID, small.Version, statementOf(small.Amount, "BANK-0001"))
			},
			"Confirm": func() (deposit.Deposit, error) {
				return b.deposits.Confirm(t.Context(), secondNobody, approved.ID, approved.Version)
			},
		} {
			_, err := act()
			require.ErrorContains(t, err, "22P02", name)
		}
		for _, d := range []deposit.Deposit{waiting, reviewed, small, approved} {
			require.Equal(t, b.read(d.ID).Version, d.Version)
			require.Equal(t, b.read(d.ID).State, d.State)
		}
		require.Zero(t, b.postings())
		require.Empty(t, b.changed)
	})
	t.Run("ATradersActWithoutItsEntryDoesNotHappen", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.request(o, 50*usdt)
		picture := b.file(o, "picture").Name
		nameless := o
		nameless.Name = "\x00" // the log can't hold it
		_, err := b.tryRequest(nameless, 50*usdt)
		require.ErrorContains(t, err, "deposit.request")
		_, err = b.tryProve(nameless, d.ID, picture)
		require.ErrorContains(t, err, "deposit.prove")
		_, err = b.tryCancel(nameless, d.ID)
		require.ErrorContains(t, err, "deposit.cancel")
		require.Equal(t, d.Version, b.read(d.ID).Version)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM deposits`))
		_, err = b.tryProve(o, d.ID, picture)
		require.NoError(t, err)
	})
	t.Run("AnActThatFailsLeavesNoEntry", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.claimed(o, 50*usdt)
		require.NoError(t, b.db.InTx(t.Context(), func(tx *db.Tx) error { // another transaction has used the credit's key
			a, err := ledger.LockTx(t.Context(), tx, o.AccountID)
			if err != nil {
				return err
			}
			_, err = ledger.PostTx(t.Context(), tx, ledger.Transaction{
				Kind: "test", Key: fmt.Sprint("deposit:", d.ID), Cause: "test", Book: a.Book, At: start, Entries: a.Receive(1),
			})
			return err
		}))
		entries := len(b.acts(d.ID))
		_, err := b.approve(d, 50*usdt)
		require.ErrorIs(t, err, ledger.ErrPosted)
		require.Len(t, b.acts(d.ID), entries)
		require.Equal(t, d, b.read(d.ID))
		require.EqualValues(t, 1, b.cash(o.AccountID))
		require.Empty(t, b.changed)
	})
}

func TestCase(t *testing.T) {
	t.Parallel()

	t.Run("TellsWhereThePictureWasSeenBefore", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o, other := b.owner(1), b.owner(1)
		same := func(of ledger.Owner, text string) deposit.Deposit {
			d, err := b.tryProve(of, b.request(of, 50*usdt).ID, b.file(of, text).Name)
			require.NoError(t, err)
			return d
		}
		first, second, third, unlike := same(o, "one picture"), same(other, "one picture"), same(o, "one picture"), same(o, "another picture")
		for of, want := range map[int64][]int64{
			first.ID: {second.ID, third.ID}, second.ID: {first.ID, third.ID}, third.ID: {first.ID, second.ID}, unlike.ID: nil,
		} {
			c, err := b.deposits.Case(t.Context(), of)
			require.NoError(t, err)
			require.Equal(t, want, c.SeenBefore)
		}
	})
	t.Run("TellsWhoTheTraderIsAndWhatWasCreditedEarlier", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		earlier, err := b.approve(b.claimed(o, 50*usdt), 50*usdt)
		require.NoError(t, err)
		c, err := b.deposits.Case(t.Context(), b.proved(o, 5_000*usdt).ID)
		require.NoError(t, err)
		require.Equal(t, []any{traderName, earlier.ID, "SEPA"}, []any{c.Verified, c.Earlier[0].ID, c.Channel.Name})
		require.Len(t, c.Earlier, 1)
	})
	t.Run("APictureIsShownAndTheLookRecorded", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		o := b.owner(1)
		d := b.request(o, 50*usdt)
		_, err := b.deposits.Picture(t.Context(), b.maker, d.ID)
		require.ErrorIs(t, err, deposit.ErrFile)
		_, err = b.tryProve(o, d.ID, b.file(o, "what the bank printed").Name)
		require.NoError(t, err)
		raw, err := b.deposits.Picture(t.Context(), b.maker, d.ID)
		require.NoError(t, err)
		require.Equal(t, "what the bank printed", string(raw))
		require.Equal(t, []any{"deposit.view_proof", b.maker.ID}, []any{b.acts(d.ID)[0].Action, b.acts(d.ID)[0].ActorID})
		nobody := b.maker
		nobody.Kind = audit.ActorKind("ghost")
		raw, err = b.deposits.Picture(t.Context(), nobody, d.ID)
		require.ErrorContains(t, err, "22P02", "what can't be recorded is not shown")
		require.Empty(t, raw)
	})
}

func TestQueue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var proved []deposit.Deposit
	for range 4 {
		proved = append(proved, b.proved(b.owner(1), 50*usdt))
		b.clock.Advance(time.Minute)
	}
	b.request(b.owner(1), 50*usdt)
	credited, err := b.approve(b.claim(b.maker, proved[1].ID), 50*usdt)
	require.NoError(t, err)
	b.decline(b.maker, b.claim(b.maker, proved[2].ID), true)
	size, oldest, err := b.deposits.CountWaiting(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, size)
	require.Equal(t, start, oldest.UTC())
	var ids []int64
	for at, after := (time.Time{}), int64(0); ; {
		page, err := b.deposits.Queue(t.Context(), at, after, 2)
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		for _, d := range page {
			ids, at, after = append(ids, d.ID), *d.ProofAt, d.ID
		}
	}
	require.Equal(t, []int64{proved[0].ID, proved[2].ID, proved[3].ID}, ids, "the longest waiting first, %d is done", credited.ID)
}
