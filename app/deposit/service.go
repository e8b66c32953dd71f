package deposit

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"candor/app/approval"
	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/idempotency"
	"candor/app/platform/jobs"
	"candor/app/platform/money"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/provider"
	"candor/app/staff"
	"candor/app/switches"
	"candor/app/trader"
)

// Service implements deposits for the API, the back office and the jobs.
type Service struct {
	db               *db.DB
	clock            clock.Clock
	switches         *switches.Service
	pictures         *upload.Store
	messenger        *trader.Messenger
	persons          Identities
	names            vault.Names
	changed          func(accountID int64)
	providers        *provider.Service
	queue            *jobs.Queue
	normalizeAddress NormalizeAddress
	reversals        *approval.Service
	channels         *approval.Settings[Channel]
	declined         func(ctx context.Context, tx *db.Tx, by audit.Actor, id int64) error // nil for none
}

// Config is the dependencies of a Service.
type Config struct {
	DB               *db.DB
	Clock            clock.Clock
	Switches         *switches.Service
	Pictures         *upload.Store
	Messenger        *trader.Messenger // nil sends traders no messages
	Identities       Identities
	Vault            *vault.Vault      // seals the names of senders
	Providers        *provider.Service // nil allows bank transfers only
	Queue            *jobs.Queue       // runs the jobs that query providers
	NormalizeAddress NormalizeAddress  // nil disables crypto deposits
	Approvals        *approval.Engine
	Changed          func(accountID int64) // called after the commit with the account of a deposit that staff, a provider or a job changed
}

// Identities gives the verified names of traders.
type Identities interface {
	// VerifiedName is a trader's verified name; empty without a valid verification.
	VerifiedName(ctx context.Context, traderID int64) (string, error)
	// HolderIs reports whether an account holder's name at a bank is the trader's own; false without a verification.
	HolderIs(ctx context.Context, traderID int64, holder string) (bool, error)
	// HolderIsTx is HolderIs inside the caller's transaction.
	HolderIsTx(ctx context.Context, tx *db.Tx, traderID int64, holder string) (bool, error)
}

// New makes the service. It handles the events of the providers, and the jobs of the queue that query them.
func New(c Config) *Service {
	s := &Service{
		db: c.DB, clock: c.Clock, switches: c.Switches, pictures: c.Pictures, messenger: c.Messenger, persons: c.Identities, names: vault.NewNames(c.Vault, "deposits", "sender_name"),
		changed: c.Changed, providers: c.Providers, queue: c.Queue, normalizeAddress: c.NormalizeAddress,
	}
	if c.Approvals != nil {
		s.reversals, s.channels = c.Approvals.For(reversalUse), channelSettings(c.Approvals)
	}
	if s.providers != nil {
		s.providers.HandleEvents(provider.AboutPayment, s.handleEvent)
		s.providers.HandleEvents(provider.AboutTransfer, s.handleTransferEvent)
	}
	if s.queue != nil {
		jobs.Handle(s.queue, func(ctx context.Context, job askProvider) error { return s.Ask(ctx, job.ID) })
	}
	return s
}

// WhenDeclined makes f part of the transaction that rejects a bank deposit or asks its trader for another proof. It is for the start of the program.
func (s *Service) WhenDeclined(f func(ctx context.Context, tx *db.Tx, by audit.Actor, id int64) error) {
	s.declined = f
}

// Channels lists the enabled channels for traders who live in a country, without those whose provider is not configured.
func (s *Service) Channels(ctx context.Context, country string) (list []Channel, err error) {
	err = s.db.Rows(ctx).Where("enabled").Order("sort, id").Find(&list).Error
	return slices.DeleteFunc(list, func(c Channel) bool { return !s.reaches(c) || !c.OfferedIn(country) }), err
}

// Networks lists the disabled crypto channels whose custodian is configured.
func (s *Service) Networks(ctx context.Context, country string) (closed []Channel, err error) {
	err = s.db.Rows(ctx).Where("NOT enabled AND kind = 'standard'").Order("sort, id").Find(&closed).Error
	return slices.DeleteFunc(closed, func(c Channel) bool { return !s.reaches(c) || !c.OfferedIn(country) }), err
}

// reaches reports whether a channel is usable: a provider's channel is usable while the provider is configured.
func (s *Service) reaches(c Channel) bool {
	if c.Kind == ByBank {
		return true
	}
	if s.providers == nil {
		return false
	}
	_, known := s.providers.Provider(c.Provider)
	return known
}

// MaySaveFile checks the quota before an upload is read. Refusal: ErrPictures.
func (s *Service) MaySaveFile(ctx context.Context, traderID int64) error {
	return quota(s.db.Rows(ctx), traderID, s.clock.Now())
}

// SaveFile stores a picture of a trader. Refusal: ErrPictures.
func (s *Service) SaveFile(ctx context.Context, traderID int64, p upload.Picture) (f File, err error) {
	name := ""
	err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		now := s.clock.Now()
		if err := quotaTx(tx, traderID, now); err != nil {
			return err
		}
		if name == "" { // a retried transaction has stored it already
			if name, err = s.pictures.Put(p); err != nil {
				return err
			}
		}
		f = File{
			Name: name, TraderID: traderID, Purpose: "proof", Type: "image/jpeg", Size: len(p.Bytes), Width: p.Width, Height: p.Height,
			Pages: p.Pages, SHA256: p.SHA256[:], CreatedAt: now,
		}
		if err := tx.Rows.Create(&f).Error; err != nil {
			return fmt.Errorf("record a picture: %w", err)
		}
		return nil
	})
	return f, err
}

// quotaTx limits a trader to maxPictures in 24 hours; its lock on the trader serializes uploads.
func quotaTx(tx *db.Tx, traderID int64, now time.Time) error {
	if err := trader.LockRowTx(tx, traderID); err != nil {
		return err
	}
	return quota(tx.Rows, traderID, now)
}

func quota(rows *gorm.DB, traderID int64, now time.Time) error {
	var kept int64
	if err := rows.Model(&File{}).Where("trader_id = ? AND created_at > ?", traderID, now.Add(-24*time.Hour)).Count(&kept).Error; err != nil {
		return fmt.Errorf("count the pictures of trader %d: %w", traderID, err)
	}
	if kept >= maxPictures {
		return ErrPictures.With("limit", maxPictures)
	}
	return nil
}

// Result is the result of a keyed write on a deposit.
type Result = idempotency.Result[Deposit]

// Request announces a bank transfer, once per key, and returns the Deposit with the reference that the transfer must name.
// Refusals: ErrMock, ErrChannel, ErrAmount, ErrUnverified, ErrTooMany.
func (s *Service) Request(ctx context.Context, o ledger.Owner, channelID int, amount int64, r idempotency.Request) (Result, error) {
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (Deposit, error) {
		account, err := ledger.LockMainTx(ctx, tx, o)
		if err != nil {
			return Deposit{}, err
		}
		channel, err := s.admit(ctx, tx, o, account, ByBank, channelID, amount)
		if err != nil {
			return Deposit{}, err
		}
		now := s.clock.Now()
		until := now.Add(TransferLife)
		d := Deposit{
			TraderID: o.TraderID, AccountID: account.ID, ChannelID: channel.ID, Kind: channel.Kind, Currency: channel.Currency, Amount: amount,
			FeeRate: s.FeeRate(channel), Reference: newReference(), State: AwaitingTransfer, Version: 1, CreatedAt: now, ExpiresAt: &until,
		}
		if err := tx.Rows.Create(&d).Error; err != nil {
			return Deposit{}, fmt.Errorf("write a deposit: %w", err)
		}
		return d, audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "deposit.request", "deposit", d.ID))
	})
}

func (s *Service) admit(ctx context.Context, tx *db.Tx, o ledger.Owner, account ledger.Account, kind Kind, channelID int, amount int64) (channel Channel, err error) {
	if account.TraderID != o.TraderID {
		return channel, ledger.ErrAccount
	}
	if account.Mock() {
		return channel, ErrMock
	}
	if err := tx.Rows.Where("id = ? AND enabled", channelID).Limit(1).Find(&channel).Error; err != nil {
		return channel, err
	}
	if channel.ID == 0 || channel.Kind != kind || !s.reaches(channel) || !channel.OfferedIn(o.Country) {
		return channel, ErrChannel
	}
	least, most := s.limits(channel)
	if amount < least || amount > most {
		return channel, ErrAmount.With("min", money.Trim(least, money.Scale)).With("max", money.Trim(most, money.Scale))
	}
	return channel, s.admitTotal(ctx, tx, o.TraderID, amount)
}

// limits are the minimum and maximum of a deposit through a channel: the narrower of the channel's own and those of the switches.
func (s *Service) limits(c Channel) (least, most int64) {
	least, most = max(c.Minimum, s.switches.Amount(switches.RechargeMinKey)), min(c.Maximum, s.switches.Amount(switches.RechargeMaxKey))
	if c.Kind == ThirdParty {
		least = max(least, s.switches.Amount(switches.ThirdPartyMinKey))
	}
	return least, most
}

// FeeRate is the fee of deposits that begin now through a channel: percent, in 10^-6.
func (s *Service) FeeRate(c Channel) int64 {
	if c.OwnFee != nil {
		return *c.OwnFee
	}
	return s.switches.Amount(switches.RechargeRateKey)
}

// Limits are the minimum and maximum of a deposit through a channel now.
func (s *Service) Limits(c Channel) (least, most int64) { return s.limits(c) }

// admitTotal limits the open deposits of a trader, and the total of an unverified trader, which includes open deposits.
func (s *Service) admitTotal(ctx context.Context, tx *db.Tx, traderID, amount int64) error {
	level, err := trader.LevelOf(ctx, tx.Conn, traderID)
	if err != nil {
		return err
	}
	var open int
	var total int64
	err = tx.Conn.QueryRow(ctx, `
		SELECT count(*) FILTER (WHERE state NOT IN ('credited') AND kind <> 'standard'), coalesce(sum(coalesce(received, amount)), 0)
		FROM deposits WHERE trader_id = $1
			AND state NOT IN ('rejected', 'expired', 'cancelled', 'failed', 'dropped', 'wrong_asset', 'refunding', 'refunded', 'reversed', 'charged_back')`, traderID).Scan(&open, &total)
	if err != nil {
		return fmt.Errorf("sum up deposits: %w", err)
	}
	if open >= maxOpen {
		return ErrTooMany.With("limit", maxOpen)
	}
	if limit := s.switches.Amount(switches.UnverifiedTotalKey); level == 0 && total+amount > limit {
		return ErrUnverified.With("limit", money.Trim(limit, money.Scale)).With("left", money.Trim(max(0, limit-total), money.Scale))
	}
	return nil
}

// referenceLetters are the characters of a reference; similar-looking ones are left out.
const referenceLetters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// newReference makes a bank reference such as CD-7Q4K-2294.
func newReference() string {
	raw := make([]byte, 8)
	_, _ = rand.Read(raw)
	for i := range raw {
		raw[i] = referenceLetters[int(raw[i])%len(referenceLetters)]
	}
	return "CD-" + string(raw[:4]) + "-" + string(raw[4:])
}

// Prove submits the proof of a transfer, once per key, and returns the Deposit. Refusals: ErrUnknown, ErrState, ErrFile.
func (s *Service) Prove(ctx context.Context, o ledger.Owner, depositID int64, fileName string, r idempotency.Request) (Result, error) {
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (Deposit, error) {
		d, err := lockOwnTx(tx, o.TraderID, depositID)
		if err != nil {
			return Deposit{}, err
		}
		if d.State != AwaitingTransfer && d.State != MoreInfo {
			return Deposit{}, ErrState
		}
		file, err := ownFileTx(tx, o.TraderID, fileName)
		if err != nil {
			return Deposit{}, err
		}
		now := s.clock.Now()
		err = moveTx(tx, &d, staff.Released(map[string]any{"state": ProofSubmitted, "file_id": file.ID, "proof_at": now, "reason": nil}))
		if err != nil {
			return Deposit{}, err
		}
		return d, audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "deposit.prove", "deposit", d.ID))
	})
}

// Cancel withdraws an unpaid request, once per key, and returns the Deposit; a provider deposit is cancelled after its provider has ended it.
// Refusals: ErrUnknown, ErrState, ErrNotNow.
func (s *Service) Cancel(ctx context.Context, o ledger.Owner, depositID int64, r idempotency.Request) (Result, error) {
	if err := r.Check(); err != nil { // before the provider is asked to cancel
		return Result{}, err
	}
	if err := s.cancelAtProvider(ctx, o, depositID); err != nil {
		return Result{}, err
	}
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (Deposit, error) {
		d, err := lockOwnTx(tx, o.TraderID, depositID)
		if err != nil {
			return Deposit{}, err
		}
		if d.ByProvider() && d.State == Cancelled {
			return d, nil
		}
		if d.State != AwaitingTransfer {
			return Deposit{}, ErrState
		}
		now := s.clock.Now()
		if err := moveTx(tx, &d, map[string]any{"state": Cancelled, "decided_at": now}); err != nil {
			return Deposit{}, err
		}
		return d, audit.RecordTx(ctx, tx, audit.By(o.Actor(), now, "deposit.cancel", "deposit", d.ID))
	})
}

// Expire ends overdue requests and returns their number.
func (s *Service) Expire(ctx context.Context) (n int64, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var late []Deposit
		now := s.clock.Now()
		skipLocked := clause.Locking{Strength: clause.LockingStrengthUpdate, Options: clause.LockingOptionsSkipLocked}
		err := tx.Rows.Clauses(skipLocked).Where("state IN ('awaiting_transfer', 'more_info') AND expires_at < ?", now).Order("id").Limit(500).Find(&late).Error
		if err != nil {
			return err
		}
		for _, d := range late {
			if err := moveTx(tx, &d, map[string]any{"state": Expired, "decided_at": now}); err != nil {
				return err
			}
			tx.AfterCommit(func() { s.changed(d.AccountID) })
			entry := audit.By(audit.Actor{Kind: audit.System, Name: "expiry"}, now, "deposit.expire", "deposit", d.ID)
			if err := audit.RecordTx(ctx, tx, entry); err != nil {
				return err
			}
		}
		n = int64(len(late))
		return nil
	})
	return n, err
}

// lockTx locks and reads the deposit that meets a condition. Refusal: ErrUnknown.
func lockTx(tx *db.Tx, condition string, values ...any) (d Deposit, err error) {
	if err = tx.ForUpdate().Where(condition, values...).Limit(1).Find(&d).Error; err != nil {
		return d, fmt.Errorf("lock a deposit: %w", err)
	}
	if d.ID == 0 {
		return d, ErrUnknown
	}
	return d, nil
}

func lockOwnTx(tx *db.Tx, traderID, id int64) (Deposit, error) {
	return lockTx(tx, "id = ? AND trader_id = ?", id, traderID)
}

// moveTx writes columns if the row still has the version that was read, raises the version, and reads the row back. It refuses state changes outside the
// lifecycle with ErrState.
func moveTx(tx *db.Tx, d *Deposit, columns map[string]any) error {
	if next, moving := columns["state"].(State); moving && moves[d.Kind] != nil && !d.May(next) {
		return ErrState
	}
	columns["version"] = d.Version + 1
	result := tx.Rows.Model(&Deposit{}).Where("id = ? AND version = ?", d.ID, d.Version).Updates(columns)
	if err := db.MustAffect(result); err != nil {
		return fmt.Errorf("move deposit %d: %w", d.ID, err)
	}
	var moved Deposit
	if err := tx.Rows.Where("id = ?", d.ID).Take(&moved).Error; err != nil {
		return fmt.Errorf("read deposit %d back: %w", d.ID, err)
	}
	*d = moved
	return nil
}

// ProvedAt is the time when the trader submitted a proof or reported the payment; nil when staff matched the transfer without a proof.
func (d Deposit) ProvedAt() *time.Time {
	if d.Kind == ByBank && d.FileID == nil {
		return nil
	}
	return d.ProofAt
}

// DueAt is the time by which staff aim to decide, or the merchant aims to confirm a reported payment over the counter; nil before that time runs.
func (d Deposit) DueAt() *time.Time {
	if d.ProofAt == nil {
		return nil
	}
	at := d.ProofAt.Add(Target)
	if d.State == MarkedPaid && d.Offered() {
		at = d.release(*d.ProofAt)
	}
	return &at
}
