package kyc_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/platform/dbtest"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/platform/vault/vaulttest"
	"candor/app/trader"
)

func TestSave(t *testing.T) {
	t.Parallel()
	b := setup(t)

	t.Run("KeepsWhatIsFilledInSoFar", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		b.save(o, kyc.Filled{FullName: text("  Erika Mustermann ")})
		b.save(o, kyc.Filled{Country: text("DE"), Number: text("C01X00T47")})
		v := b.save(o, kyc.Filled{DocumentType: text("id_card")})
		require.Equal(t, kyc.Data{FullName: "Erika Mustermann", Number: "C01X00T47"}, v.Data)
		require.Equal(t, []any{kyc.Draft, "DE", kyc.IDCard, 3}, []any{v.State, v.Country, v.DocumentType, v.AttemptsLeft()})
		v = b.save(o, kyc.Filled{Number: text(""), Country: text("")})
		require.Equal(t, kyc.Data{FullName: "Erika Mustermann"}, v.Data)
		require.Empty(t, v.Country)
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM kyc_applications WHERE trader_id = $1`, o.TraderID))
	})
	t.Run("RefusesWhatCantBeRight", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		for field, bad := range map[string]kyc.Filled{
			"country": {Country: text("XX")}, "documentType": {DocumentType: text("library_card")}, "fullName": {FullName: text("E")},
			"number": {Number: text("C01/\u0660\u0661\u0662")}, "birthDate": {BirthDate: text("17.05.1990")}, "expiryDate": {ExpiryDate: text("2031-02-30")},
		} {
			_, err := b.kyc.Save(t.Context(), o, bad)
			require.Contains(t, errs.As(err).Fields, field)
		}
		for _, bad := range []kyc.Filled{
			{FullName: text("Erika\x00Mustermann")}, {FullName: text("Erika\nMustermann")}, {FullName: text(string([]byte{'a', 0xff, 'b'}))}, {Number: text("123")},
			{BirthDate: text("1899-12-31")}, {BirthDate: text("0001-01-01")}, {Country: text("GB"), DocumentType: text("id_card")},
		} {
			_, err := b.kyc.Save(t.Context(), o, bad)
			require.Equal(t, errs.Invalid, errs.As(err).Kind)
		}
		require.Zero(t, b.count(`SELECT count(*) FROM kyc_applications WHERE trader_id = $1`, o.TraderID))
		b.save(o, kyc.Filled{Country: text("GB"), DocumentType: text("driving_licence")})
	})
	t.Run("AGuestHasNoPapers", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		guest := ledger.Owner{TraderID: b.count(`INSERT INTO traders (name, type) VALUES ('Guest', 8) RETURNING id`)}
		_, err := b.kyc.Save(t.Context(), guest, b.filled())
		require.ErrorIs(t, err, trader.ErrGuest)
		_, err = b.kyc.Attach(t.Context(), guest, kyc.Front, b.picture(b.next()))
		require.ErrorIs(t, err, trader.ErrGuest)
	})
	t.Run("TwoAtOnceBeginOne", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		var group errgroup.Group
		for range 8 {
			group.Go(func() error {
				_, err := b.kyc.Save(t.Context(), o, kyc.Filled{FullName: text("Erika Mustermann")})
				return err
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, b.count(`SELECT count(*) FROM kyc_applications WHERE trader_id = $1`, o.TraderID))
	})
}

func TestAttach(t *testing.T) {
	t.Parallel()
	b := setup(t)

	t.Run("TheOwnerSeesItWhileItIsADraft", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o, other := b.owner(), b.owner()
		p := b.picture(b.next())
		v, err := b.kyc.Attach(t.Context(), o, kyc.Front, p)
		require.NoError(t, err)
		require.Len(t, v.Documents, 1)
		require.Equal(t, []int{p.Width, p.Height}, []int{v.Documents[0].Width, v.Documents[0].Height})
		seen, err := b.kyc.Picture(t.Context(), o.TraderID, kyc.Front)
		require.NoError(t, err)
		require.Equal(t, p.Bytes, seen)
		for _, c := range []struct {
			trader int64
			side   kyc.Part
		}{{o.TraderID, kyc.Back}, {other.TraderID, kyc.Front}, {424242, kyc.Front}} {
			_, err = b.kyc.Picture(t.Context(), c.trader, c.side)
			require.ErrorIs(t, err, kyc.ErrNoImage)
		}
		for _, side := range []kyc.Part{"", "data", "../front"} {
			_, err = b.kyc.Picture(t.Context(), o.TraderID, side)
			require.Contains(t, errs.As(err).Fields, "side")
			_, err = b.kyc.Attach(t.Context(), o, side, p)
			require.Contains(t, errs.As(err).Fields, "side")
		}
		b.save(o, b.filled())
		b.attach(o, kyc.Selfie)
		_, err = b.trySubmit(o)
		require.NoError(t, err)
		_, err = b.kyc.Picture(t.Context(), o.TraderID, kyc.Front)
		require.ErrorIs(t, err, kyc.ErrNoImage, "not once it was submitted")
	})
	t.Run("AnotherOneShredsTheOneBefore", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		first := b.attach(o, kyc.Front).Documents[0]
		_, err := os.Stat(filepath.Join(b.dir, "kyc", first.FileName))
		require.NoError(t, err)
		second := b.attach(o, kyc.Front).Documents[0]
		all := b.documents(first.ApplicationID)
		require.Len(t, all, 2)
		require.True(t, all[0].Shredded())
		require.Equal(t, second.ID, *all[0].ReplacedBy)
		require.False(t, all[1].Shredded())
		_, err = os.Stat(filepath.Join(b.dir, "kyc", first.FileName))
		require.ErrorIs(t, err, os.ErrNotExist)
	})
	t.Run("ThirtyAreEnough", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		p := b.picture(b.next())
		var taken atomic.Int32
		var group errgroup.Group
		for range 33 {
			group.Go(func() error {
				_, err := b.kyc.Attach(t.Context(), o, kyc.Front, p)
				if err == nil {
					taken.Add(1)
				} else if !errors.Is(err, kyc.ErrTooMany) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 30, taken.Load())
	})
}

func TestSubmit(t *testing.T) {
	t.Parallel()
	b := setup(t)

	t.Run("EachDocumentTypeNeedsItsPictures", func(t *testing.T) {
		t.Parallel()
		for documentType, sides := range map[string][]kyc.Part{
			"passport": {kyc.Front, kyc.Selfie}, "id_card": {kyc.Front, kyc.Back, kyc.Selfie}, "driving_licence": {kyc.Front, kyc.Back, kyc.Selfie},
		} {
			b := b.in(t)
			for _, lacks := range sides {
				o := b.owner()
				f := b.filled()
				f.DocumentType = text(documentType)
				b.save(o, f)
				for _, side := range sides {
					if side != lacks {
						b.attach(o, side)
					}
				}
				_, err := b.trySubmit(o)
				require.Equal(t, map[string]string{string(lacks): "field.required"}, errs.As(err).Fields, documentType)
				b.attach(o, lacks)
				v, err := b.trySubmit(o)
				require.NoError(t, err)
				require.Equal(t, []any{kyc.Submitted, 1, 2}, []any{v.State, v.Attempt, v.AttemptsLeft()})
				b.requireTrader(o, trader.AuthReview, 0)
			}
		}
	})
	t.Run("APassportsBackIsShredded", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		b.attach(o, kyc.Back)
		b.drafted(o)
		v, err := b.trySubmit(o)
		require.NoError(t, err)
		require.Len(t, v.Documents, 2)
		require.True(t, b.documents(v.ID)[0].Shredded())
	})
	t.Run("EachFieldIsNeeded", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		for field, empty := range map[string]kyc.Filled{
			"country": {Country: text("")}, "documentType": {DocumentType: text("")}, "fullName": {FullName: text("")}, "number": {Number: text("")},
			"birthDate": {BirthDate: text("")}, "expiryDate": {ExpiryDate: text("")},
		} {
			o := b.owner()
			b.drafted(o)
			b.save(o, empty)
			_, err := b.trySubmit(o)
			require.Equal(t, map[string]string{field: "field.required"}, errs.As(err).Fields)
		}
	})
	t.Run("FromEighteenOn", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		for born, want := range map[string]error{"2008-11-20": nil, "2008-11-21": kyc.ErrAge, "2026-11-20": kyc.ErrAge, "2030-01-01": kyc.ErrAge} {
			o := b.owner()
			b.drafted(o)
			b.save(o, kyc.Filled{BirthDate: text(born)})
			_, err := b.trySubmit(o)
			require.ErrorIs(t, err, want, born)
		}
	})
	t.Run("WithADocumentThatHoldsToday", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		b.drafted(o)
		b.save(o, kyc.Filled{ExpiryDate: text("2026-11-19")})
		_, err := b.trySubmit(o)
		require.Equal(t, map[string]string{"expiryDate": "field.future"}, errs.As(err).Fields)
		b.save(o, kyc.Filled{ExpiryDate: text("2026-11-20")})
		_, err = b.trySubmit(o)
		require.NoError(t, err)
	})
	t.Run("HappensOncePerKey", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		b.drafted(o)
		key, seen := b.keyed(o), b.seen(o)
		first, err := b.kyc.Submit(t.Context(), o, seen, key)
		require.NoError(t, err)
		again, err := b.kyc.Submit(t.Context(), o, seen, key)
		require.NoError(t, err)
		require.Equal(t, dbtest.JSON(t, first), dbtest.JSON(t, again))
		vaulttest.RequireNoKeysInResults(t, b.db.Pool, "kyc_applications", "name_key", "number_key", "birth_key", "expiry_key")
		vaulttest.RequireNoKeysInResults(t, b.db.Pool, "kyc_documents", "sealed_key")
		key.Key = ""
		_, err = b.kyc.Submit(t.Context(), o, seen, key)
		require.ErrorIs(t, err, idempotency.ErrKeyMissing)
	})
	t.Run("WhatTheTraderHasNotSeenIsNotHandedIn", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		b.drafted(o)
		seen := b.seen(o)
		b.save(o, kyc.Filled{FullName: text("Somebody Else")}) // on another device
		_, err := b.kyc.Submit(t.Context(), o, seen, b.keyed(o))
		require.ErrorIs(t, err, kyc.ErrChanged)
		v, err := b.trySubmit(o)
		require.NoError(t, err)
		_, err = b.kyc.Withdraw(t.Context(), o, v.Version-1, b.keyed(o))
		require.ErrorIs(t, err, kyc.ErrChanged)
		_, err = b.tryWithdraw(o)
		require.NoError(t, err)
	})
	t.Run("TwoAtOnceCountOnce", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		id := b.drafted(o).ID
		seen := b.seen(o)
		var done atomic.Int32
		var group errgroup.Group
		for range 8 {
			key := b.keyed(o)
			group.Go(func() error {
				_, err := b.kyc.Submit(t.Context(), o, seen, key)
				if err == nil {
					done.Add(1)
				} else if !errors.Is(err, kyc.ErrState) {
					return err
				}
				return nil
			})
		}
		require.NoError(t, group.Wait())
		require.EqualValues(t, 1, done.Load())
		require.Equal(t, 1, b.row(id).Attempt)
	})
}

func TestWithdraw(t *testing.T) {
	t.Parallel()
	b := setup(t)

	t.Run("TakesTheAttemptBack", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		for range 5 {
			b.drafted(o)
			_, err := b.trySubmit(o)
			require.NoError(t, err)
			v, err := b.tryWithdraw(o)
			require.NoError(t, err)
			require.Equal(t, []any{kyc.Draft, 0}, []any{v.State, v.Attempt})
			require.Empty(t, v.Data, "an answer that is stored carries no data")
			b.requireTrader(o, trader.AuthNone, 0)
		}
	})
	t.Run("WhatWasAskedForStaysAskedFor", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		b.askedAgain(o)
		b.attach(o, kyc.Selfie)
		_, err := b.trySubmit(o)
		require.NoError(t, err)
		v, err := b.tryWithdraw(o)
		require.NoError(t, err)
		require.Equal(t, []any{kyc.Resubmission, 1}, []any{v.State, v.Attempt})
		_, err = b.kyc.Attach(t.Context(), o, kyc.Front, b.picture(b.next()))
		require.ErrorIs(t, err, kyc.ErrPart)
		b.attach(o, kyc.Selfie)
		v, err = b.trySubmit(o)
		require.NoError(t, err)
		require.Equal(t, 2, v.Attempt)
	})
	t.Run("AgainstAClaimAtTheSameTimeOneWins", func(t *testing.T) {
		t.Parallel()
		for range 6 {
			b := b.in(t)
			o := b.owner()
			id := b.submitted(o).ID
			var withdrawn, claimed error
			var group errgroup.Group
			group.Go(func() error { _, withdrawn = b.tryWithdraw(o); return nil })
			group.Go(func() error { _, claimed = b.kyc.Claim(t.Context(), b.reviewer, id); return nil })
			require.NoError(t, group.Wait())
			require.NotEqual(t, withdrawn == nil, claimed == nil, "%v, %v", withdrawn, claimed)
		}
	})
}

func TestResubmission(t *testing.T) {
	t.Parallel()
	b := setup(t)

	t.Run("OnlyWhatWasRefusedIsReplaced", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		a := b.askedAgain(o, kyc.Ask{Part: kyc.Selfie, Reason: "not_live"}, kyc.Ask{Part: kyc.DataPart, Reason: "data_differs"})
		v, err := b.kyc.Find(t.Context(), o.TraderID)
		require.NoError(t, err)
		require.Equal(t, []kyc.Ask{{Part: kyc.DataPart, Reason: "data_differs"}, {Part: kyc.Selfie, Reason: "not_live"}}, v.Asked)
		require.Equal(t, "Erika Mustermann", v.Data.FullName, "the rest is filled in")
		require.True(t, v.MayEditData())
		require.Equal(t, []kyc.Image{{Side: kyc.Front, Document: &v.Documents[0]}, {Side: kyc.Selfie, Replaceable: true}}, v.Images())
		b.requireTrader(o, trader.AuthFailed, 0)

		refused := b.document(a.ID, kyc.Selfie)
		b.attach(o, kyc.Selfie)
		b.save(o, kyc.Filled{})
		_, err = b.trySubmit(o)
		require.ErrorIs(t, err, kyc.ErrAsked, "the data are still missing")
		_, err = b.kyc.Save(t.Context(), o, kyc.Filled{Country: text("AT")})
		require.ErrorIs(t, err, kyc.ErrPart)
		_, err = b.kyc.Save(t.Context(), o, kyc.Filled{DocumentType: text("id_card")})
		require.ErrorIs(t, err, kyc.ErrPart)
		b.save(o, kyc.Filled{FullName: text("Erika Maria Mustermann")})
		b.save(o, kyc.Filled{FullName: text("Erika M. Mustermann")})
		second := b.document(a.ID, kyc.Selfie)
		b.attach(o, kyc.Selfie)
		v, err = b.trySubmit(o)
		require.NoError(t, err)
		require.Equal(t, []any{kyc.Submitted, 2}, []any{v.State, v.Attempt})
		all := map[int64]kyc.Document{}
		for _, d := range b.documents(a.ID) {
			all[d.ID] = d
		}
		require.False(t, all[refused.ID].Shredded(), "what was judged can be looked at")
		require.Equal(t, second.ID, *all[refused.ID].ReplacedBy)
		require.True(t, all[second.ID].Shredded(), "what nobody has judged is gone")
	})
	t.Run("ThreeAttemptsThenCustomerService", func(t *testing.T) {
		t.Parallel()
		b := b.in(t)
		o := b.owner()
		b.submitted(o)
		for range 2 {
			b.askedAgain(o)
			b.attach(o, kyc.Selfie)
			_, err := b.trySubmit(o)
			require.NoError(t, err)
		}
		b.askedAgain(o, kyc.Ask{Part: kyc.Selfie, Reason: "not_live"}, kyc.Ask{Part: kyc.DataPart, Reason: "data_differs"})
		_, err := b.trySubmit(o)
		require.ErrorIs(t, err, kyc.ErrAttempts)
		_, err = b.kyc.Attach(t.Context(), o, kyc.Selfie, b.picture(b.next()))
		require.ErrorIs(t, err, kyc.ErrAttempts)
		_, err = b.kyc.Save(t.Context(), o, b.filled())
		require.ErrorIs(t, err, kyc.ErrAttempts)
		v, err := b.kyc.Find(t.Context(), o.TraderID)
		require.NoError(t, err)
		require.Zero(t, v.AttemptsLeft())
		require.False(t, v.MayEditData())
		require.False(t, v.Images()[1].Replaceable)
	})
}

func TestFind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	v, err := b.kyc.Find(t.Context(), o.TraderID)
	require.NoError(t, err)
	require.Equal(t, []any{kyc.None, trader.AuthNone, 0}, []any{v.CurrentState(), v.AuthStatus, v.Limits})
	b.submitted(o)
	v, err = b.kyc.Find(t.Context(), o.TraderID)
	require.NoError(t, err)
	require.Empty(t, v.Data, "what was submitted stays sealed")
	require.Equal(t, []any{trader.AuthReview, start.Add(kyc.Target)}, []any{v.AuthStatus, v.DueAt().UTC()})
	a := b.accepted(b.reviewer, b.claim(b.reviewer, v.ID))
	_, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(t, err)
	v, err = b.kyc.Find(t.Context(), o.TraderID)
	require.NoError(t, err)
	require.Equal(t, kyc.Data{FullName: "Erika Mustermann"}, v.Data, "of an approved one the name is shown")
	require.Equal(t, []int{trader.AuthPassed, 1}, []int{v.AuthStatus, v.Limits})
	require.Nil(t, v.DueAt())
}

func TestCountries(t *testing.T) {
	t.Parallel()
	types := map[string][]kyc.DocumentType{}
	for _, c := range kyc.Countries() {
		types[c.ISO] = c.Types
		require.Contains(t, c.Types, kyc.Passport)
	}
	require.Contains(t, types["DE"], kyc.IDCard)
	require.NotContains(t, types["GB"], kyc.IDCard)
	require.Greater(t, len(types), 200)
}

// TestExpire takes an approval to the expiry of its document, and beyond.
func TestExpire(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, other := b.owner(), b.owner()
	a := b.approved(o)
	b.submitted(other)
	require.Equal(t, renewal, a.RenewOn.UTC())
	steps := []struct {
		at     time.Time
		moved  int
		state  kyc.State
		status int
		level  int
	}{
		{renewal.AddDate(0, 0, -32), 0, kyc.Approved, trader.AuthPassed, 1},
		{renewal.AddDate(0, 0, -30), 1, kyc.Expiring, trader.AuthPassed, 1},
		{renewal.Add(-time.Second), 0, kyc.Expiring, trader.AuthPassed, 1},
		{renewal, 1, kyc.Reverify, trader.AuthNone, 1},
		{renewal.AddDate(0, 0, 30).Add(-time.Second), 0, kyc.Reverify, trader.AuthNone, 1},
		{renewal.AddDate(0, 0, 30), 1, kyc.Reverify, trader.AuthNone, 0},
		{renewal.AddDate(1, 0, 0), 0, kyc.Reverify, trader.AuthNone, 0},
	}
	for _, step := range steps {
		b.clock.Set(step.at)
		require.Equal(t, step.moved, b.expire(), "%s", step.at)
		require.Equal(t, step.state, b.row(a.ID).State)
		b.requireTrader(o, step.status, step.level)
	}
	require.Equal(t, []string{"kyc.lapse", "kyc.reverify", "kyc.expiring"}, []string{b.acts(a.ID)[0].Action, b.acts(a.ID)[1].Action, b.acts(a.ID)[2].Action})
}

// TestRenewal submits new documents while the old ones are still valid.
func TestRenewal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	old := b.approved(o)
	b.clock.Set(renewal.AddDate(0, 0, -20))
	require.Equal(t, 1, b.expire())
	f := b.filled()
	f.ExpiryDate = text("2041-08-31")
	b.save(o, f)
	b.requireTrader(o, trader.AuthPassed, 1)
	b.attach(o, kyc.Front, kyc.Selfie)
	v, err := b.trySubmit(o)
	require.NoError(t, err)
	require.NotEqual(t, old.ID, v.ID)
	b.requireTrader(o, trader.AuthPassed, 1)
	a := b.accepted(b.reviewer, b.claim(b.reviewer, v.ID))
	b.clock.Set(renewal)
	require.Equal(t, 1, b.expire())
	b.requireTrader(o, trader.AuthReview, 1)
	a = b.claim(b.reviewer, a.ID)
	_, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
	require.NoError(t, err)
	b.requireTrader(o, trader.AuthPassed, 1)
	b.clock.Set(renewal.AddDate(0, 2, 0))
	require.Equal(t, 1, b.expire(), "the limits that the old papers kept")
	b.requireTrader(o, trader.AuthPassed, 1)
}

func TestBornOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o, other := b.owner(), b.owner()
	requireBorn := func(o ledger.Owner, want time.Time) {
		t.Helper()
		born, err := b.kyc.BornOn(t.Context(), o.TraderID)
		require.NoError(t, err)
		require.Equal(t, want, born)
	}
	want := time.Date(1990, 5, 17, 0, 0, 0, 0, time.UTC)
	requireBorn(o, time.Time{})
	b.submitted(other)
	requireBorn(other, time.Time{}) // not reviewed yet
	b.approved(o)
	requireBorn(o, want)
	requireBorn(other, time.Time{})
	b.clock.Set(renewal)
	b.expire()
	requireBorn(o, want)
	b.clock.Set(start.AddDate(6, 0, 0))
	_, err := b.kyc.Shred(t.Context(), o.TraderID, why)
	require.NoError(t, err)
	requireBorn(o, time.Time{})
}
