package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/deposit"
	"candor/app/ledger"
	"candor/app/payee"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/idempotency"
	"candor/app/platform/jobs"
	"candor/app/platform/money"
	"candor/app/platform/vault"
	"candor/app/staff"
	"candor/app/switches"
	"candor/app/trader"
)

// Traders checks the trader of a withdrawal.
type Traders interface {
	// Prove checks a trader's proof for money out.
	Prove(ctx context.Context, traderID int64, proof trader.Proof) error
	// WithdrawalLock returns the end and the reason of a trader's withdrawal lock; the zero time when there is none.
	WithdrawalLock(ctx context.Context, traderID int64) (until time.Time, reason string, err error)
	// WithdrawalLockTx is WithdrawalLock inside a transaction.
	WithdrawalLockTx(tx *db.Tx, traderID int64) (until time.Time, reason string, err error)
}

// Identities checks the verified names of traders.
type Identities interface {
	// HolderIs reports whether an account holder's name is the trader's own.
	HolderIs(ctx context.Context, traderID int64, holder string) (bool, error)
	// HolderIsTx is HolderIs inside a transaction.
	HolderIsTx(ctx context.Context, tx *db.Tx, traderID int64, holder string) (bool, error)
}

// Payees reads saved payees.
type Payees interface {
	// FindTx is a payee of a trader that is usable now.
	FindTx(tx *db.Tx, traderID, payeeID int64) (payee.Payee, error)
	// HolderTx is the holder's name of a bank account.
	HolderTx(ctx context.Context, tx *db.Tx, p payee.Payee) (string, error)
}

// Positions answers for a trader's trades.
type Positions interface {
	// WithdrawableTx is the part of a locked account that its open positions do not need.
	WithdrawableTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error)
	// TradedTx reports whether a trader has ever traded with real money.
	TradedTx(ctx context.Context, tx *db.Tx, traderID int64) (bool, error)
}

// Gate checks for a withdrawal halt.
type Gate interface {
	HaltedTx(tx *db.Tx) error
}

// Payer is a bank account of the broker that pays withdrawals, in dollars.
type Payer struct {
	ID       int
	Name     string // for staff
	Holder   string
	IBAN     string
	BIC      string
	Currency string
}

// Banks knows the broker's bank accounts.
type Banks interface {
	// Payers lists the accounts that pay withdrawals.
	Payers(ctx context.Context) ([]Payer, error)
	// PayerTx reads one of them, inside a transaction; ErrPayer for any other account.
	PayerTx(tx *db.Tx, id int) (Payer, error)
}

// Service implements withdrawals for the API, the back office and the jobs.
type Service struct {
	db        *db.DB
	clock     clock.Clock
	switches  *switches.Service
	traders   Traders
	persons   Identities
	payees    Payees
	positions Positions
	gate      Gate
	messenger *trader.Messenger
	providers Providers
	queue     *jobs.Queue
	names     vault.Names
	banks     Banks
	changed   func(accountID int64)
	payouts   *approval.Service
	outcomes  *approval.Service
	batches   *approval.Service
	routes    *approval.Settings[Route]
}

// Config is the dependencies of a Service.
type Config struct {
	DB         *db.DB
	Clock      clock.Clock
	Switches   *switches.Service
	Traders    Traders
	Identities Identities
	Payees     Payees
	Positions  Positions
	Gate       Gate
	Messenger  *trader.Messenger // nil sends traders no messages
	Approvals  *approval.Engine  // nil: nobody decides
	Banks      Banks
	Vault      *vault.Vault          // seals the names of account holders
	Providers  Providers             // nil leaves all payouts to staff
	Queue      *jobs.Queue           // with Providers: runs the jobs that send approved withdrawals
	Changed    func(accountID int64) // called after the commit with the account of a changed withdrawal
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{
		db: c.DB, clock: c.Clock, switches: c.Switches, traders: c.Traders, persons: c.Identities, payees: c.Payees, positions: c.Positions, gate: c.Gate, messenger: c.Messenger,
		names: vault.NewNames(c.Vault, "withdrawals", "holder"), providers: c.Providers, queue: c.Queue, banks: c.Banks, changed: c.Changed,
	}
	if c.Approvals != nil {
		s.payouts, s.outcomes, s.batches = c.Approvals.For(s.payoutUse()), c.Approvals.For(s.outcomeUse()), c.Approvals.For(s.batchUse())
		s.routes = routeSettings(c.Approvals)
	}
	if s.queue != nil {
		jobs.Handle(s.queue, func(ctx context.Context, args sendPayout) error { return s.Send(ctx, args.ID) })
	}
	return s
}

// HolderIs reports to staff whether the payee account is in the trader's verified name.
func (s *Service) HolderIs(ctx context.Context, w Withdrawal) (bool, error) {
	holder, err := s.Holder(ctx, w)
	if err != nil {
		return false, err
	}
	return s.persons.HolderIs(ctx, w.TraderID, holder)
}

// Result is the result of a keyed write on a withdrawal.
type Result = idempotency.Result[Withdrawal]

// Request requests a withdrawal to a saved bank account or address, once per key, and returns the Withdrawal; the amount leaves the account at once.
// All other refusals are checked before the proof.
// Refusals: ErrMock, payee.ErrOff, ErrUnstaffed, those of mayLeaveTx, ErrHolder, ErrAmount, ErrFee, ErrDay, ErrMonth, ErrFunds, ErrTooMany, ErrCoin, those of
// payee.FindTx and of trader.Prove.
func (s *Service) Request(ctx context.Context, o ledger.Owner, kind Kind, payeeID, amount int64, proof trader.Proof, r idempotency.Request) (Result, error) {
	prove := func(ctx context.Context) error {
		return s.traders.Prove(ctx, o.TraderID, proof.Of(trader.MoneyOut{Act: trader.Withdraw, Payee: payeeID, Amount: amount}))
	}
	return idempotency.DoProven(ctx, s.db, r, prove, func(tx *db.Tx) (Withdrawal, error) { return s.requestTx(ctx, tx, o, kind, payeeID, amount) })
}

func (s *Service) requestTx(ctx context.Context, tx *db.Tx, o ledger.Owner, kind Kind, payeeID, amount int64) (Withdrawal, error) {
	account, err := ledger.LockMainTx(ctx, tx, o)
	if err != nil {
		return Withdrawal{}, err
	}
	to, charged, t, err := s.admit(ctx, tx, o, kind, account, payeeID, amount)
	if err != nil {
		return Withdrawal{}, err
	}
	now := s.clock.Now()
	w := Withdrawal{
		TraderID: o.TraderID, AccountID: account.ID, PayeeID: to.ID, Kind: kind, Currency: account.Currency, Amount: amount, Fee: charged,
		Bank: to.Bank, IBAN: to.IBAN, BIC: to.BIC, Chain: to.Chain, Address: to.Address, Memo: to.Memo, State: Review, Version: 1, CreatedAt: now, MovedAt: now,
	}
	w.Risk, w.RiskReasons = s.risk(t, w, to.CreatedAt, account.Cash)
	if err := tx.Conn.QueryRow(ctx, `SELECT nextval(pg_get_serial_sequence('withdrawals', 'id'))`).Scan(&w.ID); err != nil {
		return Withdrawal{}, fmt.Errorf("number a withdrawal: %w", err)
	}
	if err := s.sealTx(ctx, tx, &w, to); err != nil {
		return Withdrawal{}, err
	}
	if w.TakenID, err = s.postTx(ctx, tx, w, "withdrawal", account.DebitToPayouts(amount)); err != nil {
		return Withdrawal{}, err
	}
	if err := tx.Rows.Create(&w).Error; err != nil {
		return Withdrawal{}, fmt.Errorf("write a withdrawal: %w", err)
	}
	tx.AfterCommit(func() { s.changed(account.ID) })
	if err := s.messageTx(ctx, tx, w, ""); err != nil {
		return Withdrawal{}, err
	}
	return w, audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "withdrawal.request", "withdrawal", w.ID))
}

// postTx posts a step of a withdrawal, once: the withdrawal's id and the step are the key.
func (s *Service) postTx(ctx context.Context, tx *db.Tx, w Withdrawal, kind string, entries []ledger.Entry) (int64, error) {
	cause := fmt.Sprint("withdrawal:", w.ID)
	return ledger.PostTx(ctx, tx, ledger.Transaction{Kind: kind, Key: cause + ":" + kind, Cause: cause, Book: ledger.Real, At: s.clock.Now(), Entries: entries})
}

// admit refuses a request on a locked account, or returns its payee, its fee and the trader's usage.
func (s *Service) admit(ctx context.Context, tx *db.Tx, o ledger.Owner, kind Kind, account ledger.Account, payeeID, amount int64) (to payee.Payee, charged int64, t usage, err error) {
	if account.TraderID != o.TraderID {
		return to, 0, t, ledger.ErrAccount
	}
	if account.Mock() {
		return to, 0, t, ErrMock
	}
	if staffed, err := staff.ApproversTx(ctx, tx); err != nil {
		return to, 0, t, err
	} else if !staffed {
		return to, 0, t, ErrUnstaffed
	}
	if err := s.mayLeaveTx(ctx, tx, o.TraderID); err != nil {
		return to, 0, t, err
	}
	if !s.switches.On(switches.AddressKey) { // waysTx offers nothing then
		return to, 0, t, payee.ErrOff
	}
	if t, err = s.usageTx(ctx, tx, o.TraderID); err != nil {
		return to, 0, t, err
	}
	if t.open >= maxOpen {
		return to, 0, t, ErrTooMany.With("limit", maxOpen)
	}
	if err := s.limits(t).check(amount); err != nil {
		return to, 0, t, err
	}
	if charged, err = s.Fee(kind, amount); err != nil {
		return to, 0, t, err
	}
	if charged >= amount {
		return to, 0, t, ErrFee.With("fee", money.Trim(charged, money.Scale))
	}
	if to, err = s.payees.FindTx(tx, o.TraderID, payeeID); err != nil {
		return to, 0, t, err
	}
	switch {
	case to.Kind != payeeKinds[kind]:
		return to, 0, t, payee.ErrUnknown
	case kind == ByAgent:
		if err := s.agentTx(tx); err != nil {
			return to, 0, t, err
		}
	case kind == Crypto && to.Coin != account.Currency:
		return to, 0, t, ErrCoin.With("coin", account.Currency)
	}
	if to.Kind == payee.AtBank {
		if holder, err := s.payees.HolderTx(ctx, tx, to); err != nil {
			return to, 0, t, err
		} else if own, err := s.persons.HolderIsTx(ctx, tx, o.TraderID, holder); err != nil {
			return to, 0, t, err
		} else if !own {
			return to, 0, t, ErrHolder
		}
	}
	free, err := s.positions.WithdrawableTx(ctx, tx, account)
	if err != nil {
		return to, 0, t, err
	}
	if amount > free {
		return to, 0, t, ErrFunds.With("free", money.Trim(free, money.Scale))
	}
	return to, charged, t, nil
}

// mayLeaveTx refuses money out of a trader's accounts. It is checked at the request, at each approval and before sending, because conditions may change in
// between.
// Refusals: those of Gate, ErrUnverified, ErrMissingDeposit, trader.ErrMoneyRestricted, ErrLocked.
func (s *Service) mayLeaveTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	if err := s.gate.HaltedTx(tx); err != nil {
		return err
	}
	level, err := trader.LevelOf(ctx, tx.Conn, traderID)
	if err != nil {
		return err
	}
	if level == 0 {
		return ErrUnverified
	}
	missing, err := deposit.Missing(ctx, tx.Conn, traderID)
	if err != nil {
		return err
	}
	if missing {
		return ErrMissingDeposit
	}
	until, reason, err := s.traders.WithdrawalLockTx(tx, traderID)
	if err != nil {
		return err
	}
	if !until.IsZero() {
		return ErrLocked.With("until", until.UnixMilli()).With("hours", hours(until.Sub(s.clock.Now()))).With("why", reason)
	}
	return nil
}

func hours(left time.Duration) int64 { return int64((left + time.Hour - 1) / time.Hour) }

// payeeKinds is the kind of payee for each kind of withdrawal.
var payeeKinds = map[Kind]payee.Kind{ByBank: payee.AtBank, ByAgent: payee.AtBank, Crypto: payee.OnChain}

// Fee is the fee of a withdrawal. It fails with money.ErrOverflow.
func (s *Service) Fee(kind Kind, amount int64) (int64, error) {
	return feeOf(kind, amount, s.switches.Amount(switches.WithdrawRateKey), s.flat(kind))
}

// flat is the flat part of the fee.
func (s *Service) flat(kind Kind) int64 {
	switch kind {
	case ByBank:
		return s.switches.Amount(switches.BankFeeKey)
	case ByAgent:
		return s.switches.Amount(switches.DaifuFeeKey)
	}
	return 0
}

// usage is a trader's earlier activity: the input of the limits and of the risk.
type usage struct {
	level            int
	open, ever       int
	inDay, inMonth   int64
	deposited, dealt bool // money came in within a day; a real account was ever traded
	locked           bool // there was a withdrawal lock lately
}

const (
	day   = 24 * time.Hour
	month = 30 * day
)

func (s *Service) usageTx(ctx context.Context, tx *db.Tx, traderID int64) (t usage, err error) {
	now := s.clock.Now()
	err = tx.Conn.QueryRow(ctx, `
		SELECT (SELECT count(*) FROM withdrawals WHERE trader_id = $1 AND ended_at IS NULL),
		       (SELECT count(*) FROM (SELECT 1 FROM withdrawals WHERE trader_id = $1 AND state IN ('sent', 'completed') LIMIT 1) paid),
		       coalesce((SELECT sum(amount) FROM withdrawals WHERE trader_id = $1 AND created_at > $2 AND back_id IS NULL), 0),
		       coalesce((SELECT sum(amount) FROM withdrawals WHERE trader_id = $1 AND created_at > $3 AND back_id IS NULL), 0)`,
		traderID, now.Add(-day), now.Add(-month)).Scan(&t.open, &t.ever, &t.inDay, &t.inMonth)
	if err != nil {
		return t, fmt.Errorf("sum up the withdrawals of trader %d: %w", traderID, err)
	}
	if t.level, err = trader.LevelOf(ctx, tx.Conn, traderID); err != nil {
		return t, err
	}
	if t.deposited, err = deposit.CreditedSince(ctx, tx.Conn, traderID, now.Add(-day)); err != nil {
		return t, err
	}
	if t.dealt, err = s.positions.TradedTx(ctx, tx, traderID); err != nil {
		return t, err
	}
	t.locked, err = trader.WasLocked(ctx, tx.Conn, traderID, now.Add(-recent))
	return t, err
}

func (s *Service) limits(t usage) Limits {
	amount := s.switches.Amount
	l := Limits{Least: amount(switches.WithdrawMinKey), Most: amount(switches.WithdrawMaxKey)}
	if level := min(t.level, 2); level > 0 {
		l.Day, l.Month = amount(switches.WithdrawDayKey(level)), amount(switches.WithdrawMonthKey(level))
	}
	l.DayLeft, l.MonthLeft = max(0, l.Day-t.inDay), max(0, l.Month-t.inMonth)
	return l
}

// Quota are the limits shown to a trader before a request: the amounts, the fees, and any withdrawal lock.
type Quota struct {
	Limits
	Kinds       []AvailableKind
	Free        int64 // withdrawable: not needed by positions
	Account     ledger.Account
	Verified    bool
	LockedUntil time.Time // end of the withdrawal lock; zero when there is none
	LockReason  string
}

// AvailableKind is an available kind of withdrawal with its flat fee.
type AvailableKind struct {
	Kind Kind
	Fee  int64
}

// kindsTx lists the available kinds of withdrawals. All of them need saved payees, so there are none while those are off.
func (s *Service) kindsTx(ctx context.Context, tx *db.Tx) (list []AvailableKind, err error) {
	if !s.switches.On(switches.AddressKey) {
		return nil, nil
	}
	if staffed, err := staff.ApproversTx(ctx, tx); err != nil || !staffed {
		return nil, err
	}
	for _, kind := range []Kind{ByBank, ByAgent, Crypto} {
		if kind == ByAgent {
			if err := s.agentTx(tx); errors.Is(err, ErrKind) {
				continue
			} else if err != nil {
				return nil, err
			}
		}
		list = append(list, AvailableKind{kind, s.flat(kind)})
	}
	return list, nil
}

// Quota reads a trader's withdrawal limits. Refusal: ErrMock.
func (s *Service) Quota(ctx context.Context, o ledger.Owner) (t Quota, err error) {
	if t.LockedUntil, t.LockReason, err = s.traders.WithdrawalLock(ctx, o.TraderID); err != nil && !errors.Is(err, trader.ErrMoneyRestricted) { // read elsewhere
		return t, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if t.Account, err = ledger.Main(ctx, tx.Conn, o); err != nil {
			return err
		}
		if t.Account.Mock() {
			return ErrMock
		}
		used, err := s.usageTx(ctx, tx, o.TraderID)
		if err != nil {
			return err
		}
		t.Limits, t.Verified = s.limits(used), used.level > 0
		if t.Kinds, err = s.kindsTx(ctx, tx); err != nil {
			return err
		}
		t.Free, err = s.positions.WithdrawableTx(ctx, tx, t.Account)
		return err
	})
	return t, err
}

// Cancel cancels a request before it is queued, once per key, and refunds the account. Refusals: ErrUnknown, ErrState.
func (s *Service) Cancel(ctx context.Context, o ledger.Owner, id int64, r idempotency.Request) (Result, error) {
	return s.own(ctx, o, id, r, "withdrawal.cancel", func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		if !w.State.Cancellable() {
			return nil, ErrState
		}
		return s.refundTx(ctx, tx, *w, Cancelled)
	})
}

// maxAnswer is the maximum length of a trader's answer, in bytes.
const maxAnswer = 2_000

// Reply answers the desk's question, once per key. Refusals: ErrUnknown, ErrState, ErrAnswer.
func (s *Service) Reply(ctx context.Context, o ledger.Owner, id int64, answer string, r idempotency.Request) (Result, error) {
	if answer == "" || len(answer) > maxAnswer || !db.IsText(answer) {
		return Result{}, ErrAnswer
	}
	return s.own(ctx, o, id, r, "withdrawal.reply", func(_ *db.Tx, w *Withdrawal) (map[string]any, error) {
		if w.State != MoreInfo {
			return nil, ErrState
		}
		return map[string]any{"state": Review, "answer": answer}, nil
	})
}

// own changes a withdrawal for its trader.
func (s *Service) own(ctx context.Context, o ledger.Owner, id int64, r idempotency.Request, action string, decide func(*db.Tx, *Withdrawal) (map[string]any, error)) (Result, error) {
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (Withdrawal, error) {
		w, err := s.moveTx(ctx, tx, id, 0, func(w *Withdrawal) (map[string]any, error) {
			if w.TraderID != o.TraderID {
				return nil, ErrUnknown
			}
			return decide(tx, w)
		})
		if err != nil {
			return Withdrawal{}, err
		}
		return w, audit.RecordTx(ctx, tx, audit.By(o.Actor(), s.clock.Now(), action, "withdrawal", w.ID))
	})
}

// refundTx refunds an unsent withdrawal to its account, and ends what is still to be decided about it.
func (s *Service) refundTx(ctx context.Context, tx *db.Tx, w Withdrawal, state State) (map[string]any, error) {
	if err := s.lapseTx(ctx, tx, w); err != nil {
		return nil, err
	}
	account, err := ledger.LockTx(ctx, tx, w.AccountID)
	if err != nil {
		return nil, err
	}
	id, err := s.postTx(ctx, tx, w, "withdrawal_returned", account.Refund(w.Amount))
	return map[string]any{"state": state, "back_id": id, "ended_at": s.clock.Now()}, err
}

// moveTx locks a withdrawal, calls decide for the changes, writes them, and informs the trader. It refuses state changes outside the lifecycle with ErrState.
// Version is the version shown to the caller; 0 skips the check.
func (s *Service) moveTx(ctx context.Context, tx *db.Tx, id int64, version int, decide func(*Withdrawal) (map[string]any, error)) (w Withdrawal, err error) {
	if err := tx.ForUpdate().Where("id = ?", id).Limit(1).Find(&w).Error; err != nil {
		return w, fmt.Errorf("read withdrawal %d: %w", id, err)
	}
	if w.ID == 0 {
		return w, ErrUnknown
	}
	if version != 0 && w.Version != version {
		return w, ErrChanged
	}
	columns, err := decide(&w)
	if err != nil {
		return w, err
	}
	from := w.State
	if next, moves := columns["state"].(State); moves {
		if !w.State.May(next) {
			return w, ErrState
		}
		columns["moved_at"] = s.clock.Now()
	}
	columns["version"] = w.Version + 1
	result := tx.Rows.Model(&Withdrawal{}).Where("id = ? AND version = ?", w.ID, w.Version).Updates(columns)
	if err := db.MustAffect(result); err != nil {
		return w, fmt.Errorf("move withdrawal %d: %w", id, err)
	}
	w = Withdrawal{}
	if err := tx.Rows.Where("id = ?", id).Take(&w).Error; err != nil {
		return w, fmt.Errorf("read withdrawal %d back: %w", id, err)
	}
	tx.AfterCommit(func() { s.changed(w.AccountID) })
	if w.State == from {
		return w, nil
	}
	if err := s.endBatchTx(ctx, tx, w); err != nil {
		return w, err
	}
	return w, s.messageTx(ctx, tx, w, from)
}
