package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"candor/app/audit"
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

// Traders is what a withdrawal asks about its trader.
type Traders interface {
	// Prove tells whether somebody who asks for money to go out is the trader.
	Prove(ctx context.Context, traderID int64, proof trader.Proof) error
	// Held tells until when a trader's money may not go out, and why; the zero time when it may.
	Held(ctx context.Context, traderID int64) (until time.Time, reason string, err error)
	// HeldTx is Held inside a transaction.
	HeldTx(ctx context.Context, tx *db.Tx, traderID int64) (until time.Time, reason string, err error)
}

// Identities knows who the traders are.
type Identities interface {
	// HolderIs tells whether an account in a holder's name is the trader's own.
	HolderIs(ctx context.Context, traderID int64, holder string) (bool, error)
	// HolderIsTx is HolderIs inside a transaction.
	HolderIsTx(tx *db.Tx, traderID int64, holder string) (bool, error)
}

// Payees is where money may go.
type Payees interface {
	// FindTx is a payee of a trader that money may go to now.
	FindTx(ctx context.Context, tx *db.Tx, traderID, payeeID int64) (payee.Payee, error)
	// Holder is the name that a bank account is in.
	Holder(p payee.Payee) (string, error)
}

// Positions knows how much of a locked account its open positions can do without.
type Positions interface {
	WithdrawableTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error)
}

// Gate says whether money may go out at all.
type Gate interface {
	StoppedTx(ctx context.Context, tx *db.Tx) error
}

// Service is what the doors call.
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
	changed   func(accountID int64)
}

// Config is what the service works with.
type Config struct {
	DB         *db.DB
	Clock      clock.Clock
	Switches   *switches.Service
	Traders    Traders
	Identities Identities
	Payees     Payees
	Positions  Positions
	Gate       Gate
	Messenger  *trader.Messenger     // nil sends traders no messages
	Vault      *vault.Vault          // seals the names that the accounts are in
	Providers  Providers             // nil leaves all sending to staff
	Queue      *jobs.Queue           // with Providers: the outbox between an approval and its sending
	Changed    func(accountID int64) // called after the commit for the account of a withdrawal that moved on
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{
		db: c.DB, clock: c.Clock, switches: c.Switches, traders: c.Traders, persons: c.Identities, payees: c.Payees, positions: c.Positions, gate: c.Gate, messenger: c.Messenger,
		names: vault.NewNames(c.Vault, "withdrawals", "holder"), providers: c.Providers, queue: c.Queue, changed: c.Changed,
	}
	if s.queue != nil {
		jobs.Handle(s.queue, func(ctx context.Context, args sendPayout) error { return s.Send(ctx, args.ID) })
	}
	return s
}

// Owner is the trader who acts, with the account of the session.
type Owner struct {
	TraderID  int64
	AccountID int64
	Name      string
	IP        string
	Agent     string // what the browser calls itself
	TraceID   string
}

func (o Owner) actor() audit.Actor {
	return audit.Actor{Kind: audit.Trader, ID: o.TraderID, Name: o.Name, IP: o.IP, Agent: o.Agent, TraceID: o.TraceID}
}

// HolderIs tells staff whether the account that a withdrawal goes to is in the name that its trader is verified under.
func (s *Service) HolderIs(ctx context.Context, w Withdrawal) (bool, error) {
	holder, err := s.Holder(w)
	if err != nil {
		return false, err
	}
	return s.persons.HolderIs(ctx, w.TraderID, holder)
}

// Request asks for money to go to a saved bank account or address, once per key, and returns the encoded Withdrawal: the amount has left the account then. What
// would be refused anyway is refused before the proof is looked at. Refusals: ErrMock, payee.ErrOff, ErrUnstaffed, those of mayLeaveTx, ErrHolder, ErrAmount, ErrFee, ErrDay, ErrMonth,
// ErrFunds, ErrTooMany, ErrCoin, those of payee.FindTx and of trader.Prove.
func (s *Service) Request(ctx context.Context, o Owner, kind Kind, payeeID, amount int64, proof trader.Proof, r idempotency.Request) ([]byte, error) {
	prove := func(ctx context.Context) error {
		return s.traders.Prove(ctx, o.TraderID, proof.Of(trader.MoneyOut{Act: trader.Withdraw, Payee: payeeID, Amount: amount}))
	}
	return idempotency.DoProven(ctx, s.db, r, prove, func(tx *db.Tx) (any, error) { return s.requestTx(ctx, tx, o, kind, payeeID, amount) })
}

func (s *Service) requestTx(ctx context.Context, tx *db.Tx, o Owner, kind Kind, payeeID, amount int64) (any, error) {
	account, err := ledger.LockTx(ctx, tx, o.AccountID)
	if err != nil {
		return nil, err
	}
	to, charged, t, err := s.admit(ctx, tx, o, kind, account, payeeID, amount)
	if err != nil {
		return nil, err
	}
	now := s.clock.Now()
	w := Withdrawal{
		TraderID: o.TraderID, AccountID: account.ID, PayeeID: to.ID, Kind: kind, Currency: account.Currency, Amount: amount, Fee: charged,
		Bank: to.Bank, IBAN: to.IBAN, BIC: to.BIC, Chain: to.Chain, Address: to.Address, Memo: to.Memo, State: Review, Version: 1, CreatedAt: now, MovedAt: now,
	}
	w.Risk, w.RiskReasons = s.risk(t, w, to, account)
	if err := tx.Conn.QueryRow(ctx, `SELECT nextval(pg_get_serial_sequence('withdrawals', 'id'))`).Scan(&w.ID); err != nil {
		return nil, fmt.Errorf("number a withdrawal: %w", err)
	}
	if err := s.sealTx(ctx, tx, &w, to); err != nil {
		return nil, err
	}
	if w.TakenID, err = s.postTx(ctx, tx, w, "withdrawal", account.DebitToPayouts(amount)); err != nil {
		return nil, err
	}
	if err := tx.Rows.Create(&w).Error; err != nil {
		return nil, fmt.Errorf("write a withdrawal: %w", err)
	}
	tx.AfterCommit(func() { s.changed(account.ID) })
	if err := s.tellTx(ctx, tx, w, ""); err != nil {
		return nil, err
	}
	return w, audit.RecordTx(ctx, tx, audit.By(o.actor(), now, "withdrawal.request", "withdrawal", w.ID))
}

// postTx books a step of a withdrawal, once for ever: the withdrawal's id and the step are the key.
func (s *Service) postTx(ctx context.Context, tx *db.Tx, w Withdrawal, kind string, entries []ledger.Entry) (int64, error) {
	cause := fmt.Sprint("withdrawal:", w.ID)
	return ledger.PostTx(ctx, tx, ledger.Transaction{Kind: kind, Key: cause + ":" + kind, Cause: cause, Book: ledger.Real, At: s.clock.Now(), Entries: entries})
}

// admit says what stands in the way of a request of a locked account, and else where it goes, what it costs, and what there was before.
func (s *Service) admit(ctx context.Context, tx *db.Tx, o Owner, kind Kind, account ledger.Account, payeeID, amount int64) (to payee.Payee, charged int64, t usage, err error) {
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
	if !s.switches.On(switches.AddressKey) { // as waysTx offers nothing then
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
	if to, err = s.payees.FindTx(ctx, tx, o.TraderID, payeeID); err != nil {
		return to, 0, t, err
	}
	switch {
	case to.Kind != goesTo[kind]:
		return to, 0, t, payee.ErrUnknown
	case kind == ByAgent:
		if err := s.agentTx(tx); err != nil {
			return to, 0, t, err
		}
	case kind == OnChain && to.Coin != account.Currency:
		return to, 0, t, ErrCoin.With("coin", account.Currency)
	}
	if to.Kind == payee.AtBank {
		if holder, err := s.payees.Holder(to); err != nil {
			return to, 0, t, err
		} else if own, err := s.persons.HolderIsTx(tx, o.TraderID, holder); err != nil {
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

// mayLeaveTx says what keeps a trader's money in. It is asked when somebody wants it to go out, at each approval, and before it is sent: what happened since
// the request counts. Refusals: those of Gate, ErrUnverified, ErrGone, trader.ErrMoneyRestricted, ErrHeld.
func (s *Service) mayLeaveTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	if err := s.gate.StoppedTx(ctx, tx); err != nil {
		return err
	}
	var level int
	if err := tx.Conn.QueryRow(ctx, `SELECT level FROM traders WHERE id = $1`, traderID).Scan(&level); err != nil {
		return fmt.Errorf("read the level of trader %d: %w", traderID, err)
	}
	if level == 0 {
		return ErrUnverified
	}
	if err := goneTx(ctx, tx, traderID); err != nil {
		return err
	}
	until, reason, err := s.traders.HeldTx(ctx, tx, traderID)
	if err != nil {
		return err
	}
	if !until.IsZero() {
		return ErrHeld.With("until", until.UnixMilli()).With("hours", hours(until.Sub(s.clock.Now()))).With("why", reason)
	}
	return nil
}

func hours(left time.Duration) int64 { return int64((left + time.Hour - 1) / time.Hour) }

// goesTo is where the money of each kind goes.
var goesTo = map[Kind]payee.Kind{ByBank: payee.AtBank, ByAgent: payee.AtBank, OnChain: payee.OnChain}

// Fee is what a withdrawal of an amount costs. It fails with money.ErrOverflow.
func (s *Service) Fee(kind Kind, amount int64) (int64, error) {
	return fee(amount, s.switches.Amount(switches.WithdrawRateKey), s.flat(kind))
}

// flat is what a withdrawal costs whatever its amount.
func (s *Service) flat(kind Kind) int64 {
	switch kind {
	case ByBank:
		return s.switches.Amount(switches.BankFeeKey)
	case ByAgent:
		return s.switches.Amount(switches.DaifuFeeKey)
	}
	return 0
}

// usage is what a trader's earlier withdrawals leave for the next one.
type usage struct {
	level            int
	open, ever       int
	inDay, inMonth   int64
	deposited, dealt bool // money came in within a day; there was ever a deal
	held             bool // a change to the trader's security held money in lately
}

const (
	day   = 24 * time.Hour
	month = 30 * day
)

func (s *Service) usageTx(ctx context.Context, tx *db.Tx, traderID int64) (t usage, err error) {
	now := s.clock.Now()
	err = tx.Conn.QueryRow(ctx, `
		SELECT t.level,
		       (SELECT count(*) FROM withdrawals w WHERE w.trader_id = t.id AND w.ended_at IS NULL),
		       (SELECT count(*) FROM (SELECT 1 FROM withdrawals w WHERE w.trader_id = t.id AND w.state IN ('sent', 'completed') LIMIT 1) paid),
		       coalesce((SELECT sum(amount) FROM withdrawals w WHERE w.trader_id = t.id AND w.created_at > $2 AND w.back_id IS NULL), 0),
		       coalesce((SELECT sum(amount) FROM withdrawals w WHERE w.trader_id = t.id AND w.created_at > $3 AND w.back_id IS NULL), 0),
		       EXISTS (SELECT 1 FROM deposits d WHERE d.trader_id = t.id AND d.state = 'credited' AND d.decided_at > $2),
		       EXISTS (SELECT 1 FROM fills f JOIN accounts a ON a.id = f.account_id WHERE a.trader_id = t.id AND a.book = 'real'),
		       EXISTS (SELECT 1 FROM money_out_holds h WHERE h.trader_id = t.id AND h.until_at > $4)
		FROM traders t WHERE t.id = $1`, traderID, now.Add(-day), now.Add(-month), now.Add(-recent)).
		Scan(&t.level, &t.open, &t.ever, &t.inDay, &t.inMonth, &t.deposited, &t.dealt, &t.held)
	if err != nil {
		return t, fmt.Errorf("sum up the withdrawals of trader %d: %w", traderID, err)
	}
	return t, nil
}

// goneTx returns ErrGone while a deposit of the trader is to be taken back.
func goneTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	var gone bool
	err := tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM deposits WHERE trader_id = $1 AND gone_at IS NOT NULL AND reversal_id IS NULL)`, traderID).Scan(&gone)
	switch {
	case err != nil:
		return fmt.Errorf("look for deposits of trader %d that are gone: %w", traderID, err)
	case gone:
		return ErrGone
	}
	return nil
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

// Terms are what a trader may read before asking: the limits, what may leave, and why not if nothing may.
type Terms struct {
	Limits
	Ways     []Way
	Free     int64 // of the account, beside what its positions need
	Account  ledger.Account
	Verified bool
	Held     time.Time // the zero time when nothing holds money back
	Why      string
}

// Way is a way for money to go out, with what it costs beside the share of the amount.
type Way struct {
	Kind Kind
	Fee  int64
}

// waysTx lists the ways for money to go out now. All of them lead to saved payees: without those there is none.
func (s *Service) waysTx(ctx context.Context, tx *db.Tx) (list []Way, err error) {
	if !s.switches.On(switches.AddressKey) {
		return nil, nil
	}
	if staffed, err := staff.ApproversTx(ctx, tx); err != nil || !staffed {
		return nil, err
	}
	for _, kind := range []Kind{ByBank, ByAgent, OnChain} {
		if kind == ByAgent {
			if err := s.agentTx(tx); errors.Is(err, ErrKind) {
				continue
			} else if err != nil {
				return nil, err
			}
		}
		list = append(list, Way{kind, s.flat(kind)})
	}
	return list, nil
}

// Terms reads what a trader may withdraw now. Refusal: ErrMock.
func (s *Service) Terms(ctx context.Context, o Owner) (t Terms, err error) {
	if t.Held, t.Why, err = s.traders.Held(ctx, o.TraderID); err != nil && !errors.Is(err, trader.ErrMoneyRestricted) { // what staff decided is read elsewhere
		return t, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if t.Account, err = ledger.Find(ctx, tx.Conn, o.TraderID, o.AccountID); err != nil {
			return err
		}
		if t.Account.Mock() {
			return ErrMock
		}
		standing, err := s.usageTx(ctx, tx, o.TraderID)
		if err != nil {
			return err
		}
		t.Limits, t.Verified = s.limits(standing), standing.level > 0
		if t.Ways, err = s.waysTx(ctx, tx); err != nil {
			return err
		}
		t.Free, err = s.positions.WithdrawableTx(ctx, tx, t.Account)
		return err
	})
	return t, err
}

// Cancel takes a request back before it is queued, once per key: its money is on the account again. Refusals: ErrUnknown, ErrState.
func (s *Service) Cancel(ctx context.Context, o Owner, id int64, r idempotency.Request) ([]byte, error) {
	return s.own(ctx, o, id, r, "withdrawal.cancel", func(tx *db.Tx, w *Withdrawal) (map[string]any, error) {
		if !w.State.Cancellable() {
			return nil, ErrState
		}
		return s.giveBackTx(ctx, tx, *w, Cancelled)
	})
}

// longestAnswer bounds what a trader answers, in bytes.
const longestAnswer = 2_000

// Reply answers what the desk asked, once per key. Refusals: ErrUnknown, ErrState, ErrAnswer.
func (s *Service) Reply(ctx context.Context, o Owner, id int64, answer string, r idempotency.Request) ([]byte, error) {
	if answer == "" || len(answer) > longestAnswer || !db.IsText(answer) {
		return nil, ErrAnswer
	}
	return s.own(ctx, o, id, r, "withdrawal.reply", func(_ *db.Tx, w *Withdrawal) (map[string]any, error) {
		if w.State != MoreInfo {
			return nil, ErrState
		}
		return map[string]any{"state": Review, "answer": answer}, nil
	})
}

// own moves a withdrawal of a trader.
func (s *Service) own(ctx context.Context, o Owner, id int64, r idempotency.Request, action string, decide func(*db.Tx, *Withdrawal) (map[string]any, error)) ([]byte, error) {
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (any, error) {
		w, err := s.moveTx(ctx, tx, id, 0, func(w *Withdrawal) (map[string]any, error) {
			if w.TraderID != o.TraderID {
				return nil, ErrUnknown
			}
			return decide(tx, w)
		})
		if err != nil {
			return nil, err
		}
		return w, audit.RecordTx(ctx, tx, audit.By(o.actor(), s.clock.Now(), action, "withdrawal", w.ID))
	})
}

// giveBackTx puts the money of a withdrawal that was not sent back on its account.
func (s *Service) giveBackTx(ctx context.Context, tx *db.Tx, w Withdrawal, state State) (map[string]any, error) {
	account, err := ledger.LockTx(ctx, tx, w.AccountID)
	if err != nil {
		return nil, err
	}
	id, err := s.postTx(ctx, tx, w, "withdrawal_returned", account.Refund(w.Amount))
	return map[string]any{"state": state, "back_id": id, "ended_at": s.clock.Now()}, err
}

// moveTx locks a withdrawal, lets decide say what changes, writes it, and tells its trader of it. The lifecycle is kept here: a change of state that it does not know is refused,
// whoever asks. Version is what the person saw; 0 asks for none.
func (s *Service) moveTx(ctx context.Context, tx *db.Tx, id int64, version int, decide func(*Withdrawal) (map[string]any, error)) (w Withdrawal, err error) {
	if err := tx.Rows.Raw(`SELECT * FROM withdrawals WHERE id = ? FOR UPDATE`, id).Scan(&w).Error; err != nil {
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
	if err := tx.Rows.Raw(`SELECT * FROM withdrawals WHERE id = ?`, id).Scan(&w).Error; err != nil {
		return w, fmt.Errorf("read withdrawal %d back: %w", id, err)
	}
	tx.AfterCommit(func() { s.changed(w.AccountID) })
	if w.State == from {
		return w, nil
	}
	return w, s.tellTx(ctx, tx, w, from)
}
