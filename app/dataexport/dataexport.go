// Package dataexport makes the copy of their data that traders may have: a ZIP file, sealed until its owner proves who they are.
package dataexport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/jobs"
	"candor/app/platform/personal"
	"candor/app/platform/vault"
	"candor/app/session"
	"candor/app/trader"
)

// Life is how long a copy can be downloaded.
const Life = 7 * 24 * time.Hour

// every is the least time between two requests.
const every = 24 * time.Hour

// State is a copy's state.
type State string

// The states.
const (
	Requested State = "requested"
	Ready     State = "ready"
	Expired   State = "expired"
	Failed    State = "failed"
)

// States lists every state.
var States = []State{Requested, Ready, Expired, Failed}

// Refusals.
var (
	ErrSoon  = errs.New(errs.TooMany, "data_export.soon")     // one was requested within a day
	ErrNone  = errs.New(errs.NotFound, "data_export.unknown") // there is none to download
	ErrGuest = trader.ErrGuest
)

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{fileKey}

var fileKey = vault.Column{Table: "data_exports", Name: "file_key"}

// Export is a copy of a trader's data.
type Export struct {
	ID          int64
	TraderID    int64
	State       State
	RequestedAt time.Time
	ReadyAt     *time.Time
	ExpiresAt   *time.Time
	FileName    *string
	FileKey     []byte
	Size        *int64 // in bytes
}

// TableName is GORM's name of the table.
func (Export) TableName() string { return "data_exports" }

// NextAt is when another copy can be requested.
func (e Export) NextAt() time.Time {
	if e.State == Failed {
		return e.RequestedAt
	}
	return e.RequestedAt.Add(every)
}

func (e Export) associated() string {
	return fmt.Sprintf("data export %d of trader %d", e.ID, e.TraderID)
}

// Config configures the service.
type Config struct {
	DB        *db.DB
	Clock     clock.Clock
	Vault     *vault.Vault
	Folder    *vault.Folder
	Queue     *jobs.Queue
	Traders   *trader.Service
	Messenger *trader.Messenger
}

// Service is the package's entry point.
type Service struct {
	Config
	sources []personal.Source
}

// build is the job that makes a copy.
type build struct {
	ID int64
}

// Kind names the job.
func (build) Kind() string { return "data_export" }

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c}
	jobs.Handle(c.Queue, s.build)
	return s
}

// Read declares what the copies are made of. It is called before the first job runs.
func (s *Service) Read(sources []personal.Source) { s.sources = sources }

// Personal is what this package keeps about a trader.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"data_exports": personal.Erased},
		Erase: func(ctx context.Context, tx *db.Tx, traderID int64) error {
			list, err := endTx(ctx, tx, `trader_id = $1`, traderID)
			if err != nil {
				return err
			}
			tx.AfterCommit(func() { s.remove(list) })
			return nil
		},
	}
}

// Find reads a trader's newest copy; its state is empty when there is none. Refusal: ErrGuest.
func (s *Service) Find(ctx context.Context, p session.Principal) (e Export, err error) {
	if p.Guest() {
		return e, ErrGuest
	}
	if err = s.DB.Rows(ctx).Where("trader_id = ?", p.TraderID).Order("id DESC").Limit(1).Find(&e).Error; err != nil {
		return e, fmt.Errorf("read the copy of trader %d: %w", p.TraderID, err)
	}
	if e.State == Ready && !s.Clock.Now().Before(*e.ExpiresAt) {
		e.State = Expired
	}
	return e, nil
}

// Request has a copy made; the trader is told when it is ready. An earlier one is deleted. Refusals: ErrGuest, ErrSoon.
func (s *Service) Request(ctx context.Context, p session.Principal, from audit.Actor) (e Export, err error) {
	if p.Guest() {
		return e, ErrGuest
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.Traders.LockedTx(tx, p.TraderID)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		var soon bool
		err = tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM data_exports WHERE trader_id = $1 AND requested_at > $2 AND state <> 'failed')`, t.ID, now.Add(-every)).Scan(&soon)
		if err != nil {
			return fmt.Errorf("look for a copy of trader %d: %w", t.ID, err)
		}
		if soon {
			return ErrSoon
		}
		before, err := endTx(ctx, tx, `trader_id = $1`, t.ID)
		if err != nil {
			return err
		}
		tx.AfterCommit(func() { s.remove(before) })
		e = Export{TraderID: t.ID, State: Requested, RequestedAt: now}
		if err := tx.Rows.Create(&e).Error; err != nil {
			return fmt.Errorf("request a copy: %w", err)
		}
		if err := audit.RecordTx(ctx, tx, audit.By(t.Acting(from), now, "trader.request_export", "trader", t.ID)); err != nil {
			return err
		}
		return s.Queue.AddTx(ctx, tx, build{e.ID})
	})
	return e, err
}

// build makes a copy and tells its trader.
func (s *Service) build(ctx context.Context, job build) error {
	var e Export
	if err := s.DB.Rows(ctx).Where("id = ? AND state = ?", job.ID, Requested).Limit(1).Find(&e).Error; err != nil || e.ID == 0 {
		return err
	}
	content, err := s.write(ctx, e.TraderID)
	if err != nil {
		return fmt.Errorf("make copy %d: %w", e.ID, err)
	}
	sealed, err := s.Vault.Seal(e.associated(), content)
	if err != nil {
		return err
	}
	name, err := s.Folder.Put(sealed.Ciphertext)
	if err != nil {
		return fmt.Errorf("keep copy %d: %w", e.ID, err)
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		now := s.Clock.Now()
		err := db.MustAffect(tx.Rows.Model(&Export{}).Where("id = ? AND state = ?", e.ID, Requested).Updates(map[string]any{
			"state": Ready, "ready_at": now, "expires_at": now.Add(Life), "file_name": name, "file_key": sealed.WrappedKey, "size": len(content),
		}))
		if err != nil {
			return err
		}
		return s.Messenger.SendTx(ctx, tx, trader.Message{
			TraderID: e.TraderID, Category: trader.SecurityMessages, Key: "message.data_export", Cause: fmt.Sprint("data_export:", e.ID), Essential: true,
		})
	})
	if err != nil {
		return errors.Join(err, s.Folder.Remove(name))
	}
	return nil
}

// write makes the ZIP file in memory: what a trader leaves behind is some megabytes at most.
func (s *Service) write(ctx context.Context, traderID int64) ([]byte, error) {
	var out bytes.Buffer
	a := personal.NewArchive(&out)
	for _, source := range s.sources {
		if source.Export == nil {
			continue
		}
		if err := source.Export(ctx, traderID, a); err != nil {
			return nil, err
		}
	}
	if err := a.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Download opens a trader's copy after a proof. Refusals: those of trader.Service.ProveSecurity, ErrNone.
func (s *Service) Download(ctx context.Context, p session.Principal, proof trader.SecurityProof) ([]byte, error) {
	e, err := s.Find(ctx, p)
	if err != nil {
		return nil, err
	}
	if e.State != Ready {
		return nil, ErrNone
	}
	if err := s.Traders.ProveSecurity(ctx, p, trader.ReadExport, proof, "trader.download_export"); err != nil {
		return nil, err
	}
	ciphertext, err := s.Folder.Get(*e.FileName)
	if err != nil {
		return nil, fmt.Errorf("read copy %d: %w", e.ID, err)
	}
	content, err := fileKey.Open(ctx, s.DB.Pool, s.Vault, e.ID, e.associated(), vault.Sealed{WrappedKey: e.FileKey, Ciphertext: ciphertext})
	if err != nil {
		return nil, fmt.Errorf("open copy %d: %w", e.ID, err)
	}
	return content, nil
}

// Expire deletes the copies whose time is over, and gives up those that could not be made in a day. It returns how many there were.
func (s *Service) Expire(ctx context.Context) (n int, err error) {
	now := s.Clock.Now()
	var list []string
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		if list, err = endTx(ctx, tx, `expires_at <= $1`, now); err != nil {
			return err
		}
		_, err = tx.Conn.Exec(ctx, `UPDATE data_exports SET state = 'failed' WHERE state = 'requested' AND requested_at < $1`, now.Add(-every))
		return err
	})
	if err != nil {
		return 0, err
	}
	s.remove(list)
	return len(list), nil
}

// endTx forgets the keys of ready copies that fit a condition, and returns their files, which can't be read any more.
func endTx(ctx context.Context, tx *db.Tx, condition string, value any) (files []string, err error) {
	rows, err := tx.Conn.Query(ctx, `
		WITH ending AS (SELECT id, file_name FROM data_exports WHERE state IN ('ready', 'requested') AND `+condition+` FOR UPDATE)
		UPDATE data_exports d SET state = 'expired', file_name = NULL, file_key = NULL, size = NULL, ready_at = NULL, expires_at = NULL FROM ending WHERE d.id = ending.id
		RETURNING coalesce(ending.file_name, '')`, value)
	if err != nil {
		return nil, fmt.Errorf("end copies: %w", err)
	}
	files, err = pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("end copies: %w", err)
	}
	return files, nil
}

// remove deletes files that nobody can open any more.
func (s *Service) remove(files []string) {
	for _, name := range files {
		if name == "" {
			continue
		}
		if err := s.Folder.Remove(name); err != nil {
			slog.Warn("the file of an expired copy stays", "file", name, "error", err)
		}
	}
}
