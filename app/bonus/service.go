package bonus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"candor/app/approval"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/staff/member"
	"candor/app/switches"
	"candor/app/trader"
)

// Config configures the service.
type Config struct {
	DB        *db.DB
	Clock     clock.Clock
	Switches  *switches.Service
	Approvals *approval.Engine
	Traders   *trader.Service
	Messenger *trader.Messenger
	// SamePerson lists the other traders with the document of a trader.
	SamePerson func(ctx context.Context, q db.Querier, traderID int64) ([]int64, error)
	Changed    func(accountID int64) // called after the commit with an account whose bonus has changed
}

// Service is the package's entry point.
type Service struct {
	Config
	requests *approval.Service
}

// requestLasts is how long a request waits for the second person.
const requestLasts = 7 * 24 * time.Hour

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.requests = c.Approvals.For(approval.Use{
		Name: "bonus", Target: "bonus_request", Duty: member.MoneyDuty, Lasts: requestLasts, People: func(approval.Approval) int { return 2 }, Apply: s.applyTx,
	})
	return s
}

// On reports whether traders get bonuses at all.
func (s *Service) On() bool { return s.Switches.On(switches.BonusKey) }

// OfferedIn reports whether traders of a country get bonuses; those of an unknown one get none.
func (s *Service) OfferedIn(country string) bool {
	return s.On() && country != "" && !slices.Contains(switches.CountryList(s.Switches.Value(switches.NoBonusKey)), country)
}

// Maximum is the largest bonus of one trader, in 10^-6 USDT.
func (s *Service) Maximum() int64 { return min(largest, s.Switches.Amount(switches.AdjustMaxKey)) }

// lockTx locks a trader who may get bonuses. Refusals: trader.ErrGuest, ErrOff also for a closed account, ErrUnverified.
func (s *Service) lockTx(tx *db.Tx, traderID int64) (trader.Trader, error) {
	t, err := s.Traders.LockedTx(tx, traderID)
	switch {
	case err != nil:
		return t, err
	case t.ClosedAt != nil || !s.OfferedIn(t.Country):
		return t, ErrOff
	case t.AuthStatus != trader.AuthPassed:
		return t, ErrUnverified
	}
	return t, nil
}

// grantTx grants a bonus that the trader has accepted, into a real account, and tells the trader.
func (s *Service) grantTx(ctx context.Context, tx *db.Tx, b Bonus, accountID, amount int64, depositID *int64) error {
	account, _, err := s.settleTx(ctx, tx, accountID) // what losses took until now is not taken from the new one
	if err != nil {
		return err
	}
	now := s.Clock.Now()
	id, err := s.postTx(ctx, tx, b, "bonus_granted", "granted", account.GrantBonus(amount))
	if err != nil {
		return err
	}
	expires := now.AddDate(0, 0, b.Days)
	err = db.MustAffect(tx.Rows.Model(&Bonus{}).Where("id = ? AND state IN ?", b.ID, []State{Offered, Accepted}).Updates(map[string]any{
		"state": Active, "amount": amount, "account_id": account.ID, "deposit_id": depositID, "grant_id": id, "granted_at": now, "expires_at": expires, "remaining": amount, "terms": b.Terms, "accepted_at": b.AcceptedAt,
	}))
	if err != nil {
		return err
	}
	return s.tellTx(ctx, tx, b.TraderID, "granted", b.ID, amount, &expires)
}

func (s *Service) postTx(ctx context.Context, tx *db.Tx, b Bonus, kind, moment string, entries []ledger.Entry) (int64, error) {
	cause := fmt.Sprint("bonus:", b.ID)
	id, err := ledger.PostTx(ctx, tx, ledger.Transaction{Kind: kind, Key: cause + ":" + moment, Cause: cause, Book: ledger.Real, At: s.Clock.Now(), Entries: entries})
	if err != nil {
		return 0, fmt.Errorf("post %s: %w", b.Number(), err)
	}
	tx.AfterCommit(func() { s.Changed(entries[0].AccountID) })
	return id, nil
}

// settleTx locks an account and writes what losses have taken from its active bonuses, which it returns in the order of expiry.
func (s *Service) settleTx(ctx context.Context, tx *db.Tx, accountID int64) (account ledger.Account, active []Bonus, err error) {
	if account, err = ledger.LockTx(ctx, tx, accountID); err != nil {
		return account, nil, err
	}
	if err = tx.Rows.Where("account_id = ? AND state = ?", accountID, Active).Order("expires_at, id").Find(&active).Error; err != nil {
		return account, nil, fmt.Errorf("read the bonuses of account %d: %w", accountID, err)
	}
	changed, err := allot(active, account.Bonus)
	if err != nil {
		return account, nil, fmt.Errorf("account %d: %w", accountID, err)
	}
	for _, i := range changed {
		b := &active[i]
		columns := map[string]any{"remaining": b.Remaining}
		if b.Remaining == 0 {
			now := s.Clock.Now()
			b.State, b.EndedAt = Used, &now
			columns["state"], columns["ended_at"] = b.State, b.EndedAt
		}
		if err := db.MustAffect(tx.Rows.Model(&Bonus{}).Where("id = ? AND state = ?", b.ID, Active).Updates(columns)); err != nil {
			return account, nil, err
		}
	}
	return account, slices.DeleteFunc(active, func(b Bonus) bool { return b.State != Active }), nil
}

// endTx ends an active bonus: what is left of it goes back to the house. It reports false when losses had taken all of it.
func (s *Service) endTx(ctx context.Context, tx *db.Tx, b Bonus, into State) (ended bool, err error) {
	account, active, err := s.settleTx(ctx, tx, *b.AccountID)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(active, func(one Bonus) bool { return one.ID == b.ID })
	if i < 0 {
		return false, nil
	}
	left := active[i].Remaining
	id, err := s.postTx(ctx, tx, b, "bonus_"+string(into), "ended", account.EndBonus(left))
	if err != nil {
		return false, err
	}
	err = db.MustAffect(tx.Rows.Model(&Bonus{}).Where("id = ? AND state = ?", b.ID, Active).
		Updates(map[string]any{"state": into, "remaining": 0, "ended_at": s.Clock.Now(), "end_id": id}))
	if err != nil {
		return false, err
	}
	return true, s.tellTx(ctx, tx, b.TraderID, string(into), b.ID, left, nil)
}

// tellTx tells a trader what became of a bonus, and what of it was left.
func (s *Service) tellTx(ctx context.Context, tx *db.Tx, traderID int64, what string, id, amount int64, until *time.Time) error {
	return s.Messenger.SendTx(ctx, tx, trader.Message{
		TraderID: traderID, Category: trader.MoneyMessages, Key: "message.bonus_" + what, Cause: fmt.Sprintf("bonus:%d:%s", id, what),
		Words: func(func(string) string) map[string]any {
			words := map[string]any{"amount": money.Trim(amount, money.Scale) + " " + ledger.Currency}
			if until != nil {
				words["until"] = until.UTC().Add(-time.Nanosecond).Format(time.DateOnly) // the day that it ends
			}
			return words
		},
	})
}

// batchSize is how many bonuses a job reads at once.
const batchSize = 500

// warnBefore is how long before a bonus expires its trader is told; of one that lives no longer nobody is.
const warnBefore = 7 * 24 * time.Hour

// Settle brings bonuses up to date: those whose deposit has come are granted, those whose time is over lapse or expire, those whose deposit was reversed are taken
// back, and what losses took is written. Of several servers each does what the others have not.
// What fails for one bonus holds up no other one.
func (s *Service) Settle(ctx context.Context) (err error) {
	for _, step := range []func(context.Context) error{s.grantEarned, s.lapseOffers, s.takeBack, s.expire, s.warn, s.settleLosses} {
		err = errors.Join(err, step(ctx))
	}
	return err
}

// each runs an act for every bonus that a condition selects, each in a transaction of its own.
func (s *Service) each(ctx context.Context, act func(tx *db.Tx, b Bonus) error, condition string, values ...any) error {
	return s.batches(ctx, func(list []Bonus) (failed error) {
		for _, b := range list {
			failed = errors.Join(failed, s.inTx(ctx, b, act))
		}
		return failed
	}, condition, values...)
}

// batches reads the bonuses that a condition selects, some at a time.
func (s *Service) batches(ctx context.Context, act func(list []Bonus) error, condition string, values ...any) (failed error) {
	for after := int64(0); ; {
		var list []Bonus
		if err := s.DB.Rows(ctx).Where(condition, values...).Where("id > ?", after).Order("id").Limit(batchSize).Find(&list).Error; err != nil {
			return errors.Join(failed, fmt.Errorf("look for bonuses: %w", err))
		}
		if len(list) == 0 {
			return failed
		}
		failed = errors.Join(failed, act(list))
		after = list[len(list)-1].ID
	}
}

func (s *Service) inTx(ctx context.Context, b Bonus, act func(tx *db.Tx, b Bonus) error) error {
	if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return act(tx, b) }); err != nil {
		return fmt.Errorf("%s: %w", b.Number(), err)
	}
	return nil
}

// lapseAfter is how long after its time an accepted bonus lapses: a deposit that was credited in time may still be committing.
const lapseAfter = time.Hour

// grantEarned grants accepted bonuses by the first deposit that counts; those without one lapse once their time is over.
func (s *Service) grantEarned(ctx context.Context) error {
	return s.batches(ctx, func(list []Bonus) (failed error) {
		arrivals, err := s.arrivals(ctx, list)
		if err != nil {
			return err
		}
		for _, b := range list {
			arrived := arrivals[b.TraderID]
			if len(arrived) > 0 || s.Clock.Now().After(b.AcceptBy.Add(lapseAfter)) {
				failed = errors.Join(failed, s.inTx(ctx, b, func(tx *db.Tx, b Bonus) error { return s.earnOrLapseTx(ctx, tx, b, arrived) }))
			}
		}
		return failed
	}, "state = ?", Accepted)
}

// arrivals are the deposits since the first of the acceptances, by trader, oldest first.
func (s *Service) arrivals(ctx context.Context, list []Bonus) (map[int64][]deposit.Arrival, error) {
	first := *list[0].AcceptedAt
	traders := make([]int64, len(list))
	for i, b := range list {
		traders[i] = b.TraderID
		if b.AcceptedAt.Before(first) {
			first = *b.AcceptedAt
		}
	}
	arrived, err := deposit.ArrivedSince(ctx, s.DB.Pool, traders, first)
	if err != nil {
		return nil, err
	}
	out := map[int64][]deposit.Arrival{}
	for _, one := range arrived {
		out[one.TraderID] = append(out[one.TraderID], one)
	}
	return out, nil
}

func (s *Service) earnOrLapseTx(ctx context.Context, tx *db.Tx, b Bonus, arrivals []deposit.Arrival) error {
	if _, err := s.Traders.LockedTx(tx, b.TraderID); err != nil {
		return err
	}
	b, err := bonusTx(tx, b.ID)
	if err != nil || b.State != Accepted {
		return err
	}
	by, amount, err := s.earnedTx(tx, b, arrivals)
	switch {
	case err != nil:
		return err
	case by != nil:
		return s.grantTx(ctx, tx, b, by.AccountID, amount, &by.ID)
	case s.Clock.Now().After(b.AcceptBy.Add(lapseAfter)):
		return s.lapseTx(ctx, tx, b)
	}
	return nil
}

// earnedTx finds the deposit that earns an accepted bonus, and what it earns; nil while there is none. A deposit earns one bonus.
func (s *Service) earnedTx(tx *db.Tx, b Bonus, arrivals []deposit.Arrival) (*deposit.Arrival, int64, error) {
	if len(arrivals) == 0 {
		return nil, 0, nil
	}
	c, err := campaignBy(tx.Rows, *b.CampaignID)
	if err != nil {
		return nil, 0, err
	}
	for _, one := range arrivals {
		if !one.At.After(*b.AcceptedAt) || one.At.After(b.AcceptBy) || one.Received < c.Minimum {
			continue
		}
		var taken int64
		if err := tx.Rows.Model(&Bonus{}).Where("deposit_id = ?", one.ID).Count(&taken).Error; err != nil {
			return nil, 0, fmt.Errorf("ask what deposit %d earned: %w", one.ID, err)
		}
		amount, err := c.Share(one.Net)
		if err != nil || taken == 0 && amount > 0 {
			return &one, amount, err
		}
	}
	return nil, 0, nil
}

func (s *Service) lapseTx(ctx context.Context, tx *db.Tx, b Bonus) error {
	done := tx.Rows.Model(&Bonus{}).Where("id = ? AND state = ?", b.ID, b.State).Updates(map[string]any{"state": Lapsed, "ended_at": s.Clock.Now()})
	if done.Error != nil || done.RowsAffected == 0 {
		return done.Error
	}
	return s.tellTx(ctx, tx, b.TraderID, "lapsed", b.ID, b.Amount, &b.AcceptBy)
}

func (s *Service) lapseOffers(ctx context.Context) error {
	return s.each(ctx, func(tx *db.Tx, b Bonus) error { return s.lapseTx(ctx, tx, b) }, "state = ? AND accept_by < ?", Offered, s.Clock.Now())
}

// takeBack ends the bonuses whose deposit was reversed.
func (s *Service) takeBack(ctx context.Context) error {
	return s.batches(ctx, func(list []Bonus) (failed error) {
		ids := make([]int64, len(list))
		for i, b := range list {
			ids[i] = *b.DepositID
		}
		reversed, err := deposit.ReversedOf(ctx, s.DB.Pool, ids)
		if err != nil {
			return err
		}
		for _, b := range list {
			if reversed[*b.DepositID] {
				failed = errors.Join(failed, s.inTx(ctx, b, func(tx *db.Tx, b Bonus) error { return s.endNowTx(ctx, tx, b, TakenBack) }))
			}
		}
		return failed
	}, "state = ? AND deposit_id IS NOT NULL", Active)
}

// endNowTx is endTx for a bonus that may have been used up meanwhile.
func (s *Service) endNowTx(ctx context.Context, tx *db.Tx, b Bonus, into State) error {
	_, err := s.endTx(ctx, tx, b, into)
	return err
}

func (s *Service) expire(ctx context.Context) error {
	return s.each(ctx, func(tx *db.Tx, b Bonus) error { return s.endNowTx(ctx, tx, b, Expired) }, "state = ? AND expires_at <= ?", Active, s.Clock.Now())
}

// warn tells traders of bonuses that will expire, once each.
func (s *Service) warn(ctx context.Context) error {
	now := s.Clock.Now()
	return s.each(ctx, func(tx *db.Tx, b Bonus) error {
		_, active, err := s.settleTx(ctx, tx, *b.AccountID)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(active, func(one Bonus) bool { return one.ID == b.ID && one.WarnedAt == nil })
		if i < 0 {
			return nil
		}
		if err := db.MustAffect(tx.Rows.Model(&Bonus{}).Where("id = ? AND warned_at IS NULL", b.ID).Update("warned_at", now)); err != nil {
			return err
		}
		return s.tellTx(ctx, tx, b.TraderID, "expiring", b.ID, active[i].Remaining, b.ExpiresAt)
	}, "state = ? AND warned_at IS NULL AND days > ? AND expires_at <= ?", Active, int(warnBefore/(24*time.Hour)), now.Add(warnBefore))
}

// settleLosses writes what losses have taken.
func (s *Service) settleLosses(ctx context.Context) (failed error) {
	var accounts []struct{ AccountID, Remaining int64 }
	err := s.DB.Rows(ctx).Model(&Bonus{}).Where("state = ?", Active).Select("account_id, sum(remaining)::bigint AS remaining").Group("account_id").Order("account_id").Find(&accounts).Error
	if err != nil {
		return fmt.Errorf("look for accounts with bonuses: %w", err)
	}
	ids := make([]int64, len(accounts))
	for i, a := range accounts {
		ids[i] = a.AccountID
	}
	held, err := ledger.Bonuses(ctx, s.DB.Pool, ids)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		if held[a.AccountID] == a.Remaining {
			continue
		}
		failed = errors.Join(failed, s.DB.InTx(ctx, func(tx *db.Tx) error {
			_, _, err := s.settleTx(ctx, tx, a.AccountID)
			return err
		}))
	}
	return failed
}

func bonusTx(tx *db.Tx, id int64) (b Bonus, err error) {
	if err := tx.Rows.Where("id = ?", id).Limit(1).Find(&b).Error; err != nil {
		return b, fmt.Errorf("read bonus %d: %w", id, err)
	}
	if b.ID == 0 {
		return b, ErrUnknown
	}
	return b, nil
}
