package adjustment

import (
	"context"
	"fmt"
	"time"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/money"
	"candor/app/platform/vault"
	"candor/app/staff/member"
	"candor/app/switches"
)

// Positions computes the part of a locked account that its open positions do not need.
type Positions interface {
	WithdrawableTx(ctx context.Context, tx *db.Tx, account ledger.Account) (int64, error)
}

// Service implements adjustments for the desk.
type Service struct {
	db        *db.DB
	clock     clock.Clock
	switches  *switches.Service
	approvals *approval.Service
	positions Positions
	owners    map[CaseKind]Owner
	changed   func(accountID int64)
	vault     *vault.Vault
	folder    *vault.Folder // of the sealed evidence
}

// Config holds what a service needs.
type Config struct {
	DB        *db.DB
	Clock     clock.Clock
	Switches  *switches.Service
	Approvals *approval.Engine
	Positions Positions
	Owners    map[CaseKind]Owner
	Changed   func(accountID int64) // called after the commit with a corrected account
	Vault     *vault.Vault
	Folder    *vault.Folder // of the sealed evidence
}

// lasts is how long a request waits for its approvals before it expires.
const lasts = 30 * 24 * time.Hour

// New makes the service.
func New(c Config) *Service {
	s := &Service{db: c.DB, clock: c.Clock, switches: c.Switches, positions: c.Positions, owners: c.Owners, changed: c.Changed, vault: c.Vault, folder: c.Folder}
	s.approvals = c.Approvals.For(approval.Use{Name: "adjustment", Duty: member.MoneyDuty, Lasts: lasts, People: s.people, Apply: s.postTx})
	return s
}

// LeadAbove is the size above which the finance lead must confirm too.
func (s *Service) LeadAbove() int64 { return s.switches.Amount(switches.AdjustLeadKey) }

// Maximum is the largest size of an adjustment.
func (s *Service) Maximum() int64 { return s.switches.Amount(switches.AdjustMaxKey) }

// Request requests a correction of a trader's real account, once per key. No money moves yet.
// Refusals: fields, those of the case, ErrNoAccount, ErrMaximum, ErrFunds, ErrTooMany, and those of the conflict of interest.
func (s *Service) Request(ctx context.Context, by audit.Actor, r Request) (a Adjustment, err error) {
	if err := r.check(); err != nil {
		return a, err
	}
	if err := s.checkCase(ctx, r.TraderID, r.Case); err != nil {
		return a, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		account, err := s.accountTx(ctx, tx, r.TraderID)
		if err != nil {
			return err
		}
		c := Correction{AccountID: account.ID, Currency: account.Currency, Amount: r.Amount, Reason: r.Reason, Case: r.Case}
		requested, err := s.approvals.RequestTx(ctx, tx, by, approval.Request{
			TraderID: &r.TraderID, Proposal: c.fields(), Note: r.Note, People: s.peopleFor(c), Key: r.Key,
			Admit: func() error {
				if err := s.admitTx(ctx, tx, c, account); err != nil {
					return err
				}
				open, err := s.approvals.CountOpenTx(tx, r.TraderID)
				if err == nil && open >= maxOpen {
					err = ErrTooMany.With("limit", maxOpen)
				}
				return err
			},
		})
		if err != nil {
			return err
		}
		a, err = of(requested)
		return err
	})
	return a, err
}

// peopleFor is how many people must take part: above the limit three.
func (s *Service) peopleFor(c Correction) int {
	if c.Size() > s.LeadAbove() {
		return 3
	}
	return 2
}

// people is peopleFor by the limit of now.
func (s *Service) people(approved approval.Approval) int {
	a, err := of(approved)
	if err != nil {
		return 3
	}
	return s.peopleFor(a.Correction)
}

// accountTx locks the real account of a trader. It returns ErrNoAccount.
func (s *Service) accountTx(ctx context.Context, tx *db.Tx, traderID int64) (ledger.Account, error) {
	accounts, err := ledger.List(ctx, tx.Conn, traderID)
	if err != nil {
		return ledger.Account{}, err
	}
	for _, account := range accounts {
		if !account.Mock() && account.Kind == "contract" {
			return ledger.LockTx(ctx, tx, account.ID)
		}
	}
	return ledger.Account{}, ErrNoAccount
}

// admitTx refuses a correction above the maximum, or above the withdrawable amount of the locked account.
func (s *Service) admitTx(ctx context.Context, tx *db.Tx, c Correction, account ledger.Account) error {
	if c.Size() > s.Maximum() {
		return ErrMaximum.With("limit", money.Trim(s.Maximum(), money.Scale))
	}
	if c.Amount > 0 {
		return nil
	}
	free, err := s.positions.WithdrawableTx(ctx, tx, account)
	if err != nil {
		return err
	}
	if free = min(free, account.Cash); c.Size() > free {
		return ErrFunds.With("free", money.Trim(max(0, free), money.Scale))
	}
	return nil
}

// Approve is the next person's approval of the facts that were shown, from the state they saw. The last one posts. Refusals: those of
// approval.Service.ApproveTx, ErrMaximum, ErrFunds.
func (s *Service) Approve(ctx context.Context, by audit.Actor, id int64, version int, from approval.State, shown []byte) (Adjustment, error) {
	return s.after(s.approvals.Approve(ctx, by, id, version, from, shown))
}

// Refuse is another person's refusal, with a note for the requester. Refusals: approval.ErrNote and those of approval.Service.RefuseTx.
func (s *Service) Refuse(ctx context.Context, by audit.Actor, id int64, version int, note string) (Adjustment, error) {
	if err := approval.CheckNote(note); err != nil {
		return Adjustment{}, err
	}
	return s.after(s.approvals.Refuse(ctx, by, id, version, note))
}

// Withdraw cancels the member's own request. Refusals: those of approval.Service.WithdrawTx.
func (s *Service) Withdraw(ctx context.Context, by audit.Actor, id int64, version int) (Adjustment, error) {
	return s.after(s.approvals.Withdraw(ctx, by, id, version))
}

func (s *Service) after(moved approval.Approval, err error) (Adjustment, error) {
	if err != nil {
		return Adjustment{}, err
	}
	return of(moved)
}

// postTx posts an approved correction, once: the approval's id is the key.
func (s *Service) postTx(ctx context.Context, tx *db.Tx, _ audit.Actor, approved approval.Approval) error {
	a, err := of(approved)
	if err != nil {
		return err
	}
	account, err := s.accountTx(ctx, tx, a.TraderID)
	if err != nil {
		return err
	}
	if account.ID != a.AccountID {
		return approval.ErrChanged
	}
	if err := s.admitTx(ctx, tx, a.Correction, account); err != nil {
		return err
	}
	now, cause := s.clock.Now(), fmt.Sprint("adjustment:", a.ID)
	transactionID, err := ledger.PostTx(ctx, tx, ledger.Transaction{Kind: "adjustment", Key: cause, Cause: cause, Book: ledger.Real, At: now, Entries: account.Adjust(a.Amount)})
	if err != nil {
		return err
	}
	row := postedAdjustment{ID: a.ID, TraderID: a.TraderID, Correction: a.Correction, TransactionID: transactionID, CreatedAt: now}
	if err := tx.Rows.Create(&row).Error; err != nil {
		return fmt.Errorf("write adjustment %d: %w", a.ID, err)
	}
	tx.AfterCommit(func() { s.changed(a.AccountID) })
	return nil
}
