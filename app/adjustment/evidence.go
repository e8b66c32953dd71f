package adjustment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
)

// MaxEvidence is how many pictures an adjustment has.
const MaxEvidence = 3

// Refusals about evidence; only staff read them.
var (
	ErrEvidence        = errs.New(errs.NotFound, "adjustment.evidence_unknown")
	ErrTooMuchEvidence = errs.New(errs.Refused, "adjustment.evidence_max")
)

// Evidence is a picture, or the first pages of a PDF, with which the requester shows why. It is kept sealed, and never changed.
type Evidence struct {
	ID            int64
	ApprovalID    int64  // of the adjustment
	SealedKey     []byte `json:"-"`
	FileName      string
	Width, Height int
	Pages         int // of the PDF; 0 for a picture
	AddedBy       int64
	AddedAt       time.Time
}

// TableName is GORM's name of the table.
func (Evidence) TableName() string { return "adjustment_evidence" }

func (e Evidence) associated() string {
	return fmt.Sprintf("adjustment:%d|evidence:%d", e.ApprovalID, e.ID)
}

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{evidenceKey}

var evidenceKey = vault.Column{Table: "adjustment_evidence", Name: "sealed_key"}

// AddEvidence adds a picture to the member's own undecided request. Refusals: ErrTooMuchEvidence, those of approval.Service.LockOwnTx.
func (s *Service) AddEvidence(ctx context.Context, by audit.Actor, id int64, p upload.Picture) (e Evidence, err error) {
	name := ""
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		own, err := s.approvals.LockOwnTx(ctx, tx, by, id)
		if err != nil {
			return err
		}
		var n int64
		if err := tx.Rows.Model(&Evidence{}).Where("approval_id = ?", id).Count(&n).Error; err != nil {
			return fmt.Errorf("count the evidence of adjustment %d: %w", id, err)
		}
		if n >= MaxEvidence {
			return ErrTooMuchEvidence.With("limit", MaxEvidence)
		}
		if err := vault.LockTx(ctx, tx); err != nil {
			return err
		}
		if name, err = s.forget(name); err != nil { // of a retried transaction
			return err
		}
		e = Evidence{ApprovalID: own.ID, Width: p.Width, Height: p.Height, Pages: p.Pages, AddedBy: by.ID, AddedAt: s.clock.Now()}
		if err := tx.Conn.QueryRow(ctx, `SELECT nextval(pg_get_serial_sequence('adjustment_evidence', 'id'))`).Scan(&e.ID); err != nil {
			return fmt.Errorf("number the evidence: %w", err)
		}
		secret, err := s.vault.Seal(e.associated(), p.Bytes)
		if err != nil {
			return err
		}
		if name, err = s.folder.Put(secret.Ciphertext); err != nil {
			return err
		}
		e.SealedKey, e.FileName = secret.WrappedKey, name
		if err := tx.Rows.Create(&e).Error; err != nil {
			return fmt.Errorf("record the evidence: %w", err)
		}
		return audit.RecordTx(ctx, tx, audit.By(by, e.AddedAt, "adjustment.attach", "adjustment", id))
	})
	if err != nil {
		_, gone := s.forget(name)
		return Evidence{}, errors.Join(err, gone)
	}
	return e, nil
}

// forget removes a ciphertext whose row was not written.
func (s *Service) forget(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	return "", s.folder.Remove(name)
}

// EvidenceOf lists the pictures of an adjustment, the oldest first.
func (s *Service) EvidenceOf(ctx context.Context, id int64) (list []Evidence, err error) {
	if err := s.db.Rows(ctx).Where("approval_id = ?", id).Order("id").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the evidence of adjustment %d: %w", id, err)
	}
	return list, nil
}

// ViewEvidence opens a picture of an adjustment; the audit log records the view first. Refusal: ErrEvidence.
func (s *Service) ViewEvidence(ctx context.Context, by audit.Actor, id, evidenceID int64) ([]byte, error) {
	var e Evidence
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		e = Evidence{}
		if err := tx.Rows.Where("id = ? AND approval_id = ?", evidenceID, id).Limit(1).Find(&e).Error; err != nil {
			return fmt.Errorf("read evidence %d: %w", evidenceID, err)
		}
		if e.ID == 0 {
			return ErrEvidence
		}
		return audit.RecordTx(ctx, tx, audit.By(by, s.clock.Now(), "adjustment.view_evidence", "adjustment", id))
	})
	if err != nil {
		return nil, err
	}
	ciphertext, err := s.folder.Get(e.FileName)
	if err != nil {
		slog.ErrorContext(ctx, "the evidence of an adjustment is missing", "evidence", e.ID, "error", err)
		return nil, fmt.Errorf("read evidence %d: %w", e.ID, err)
	}
	return evidenceKey.Open(ctx, s.db.Pool, s.vault, e.ID, e.associated(), vault.Sealed{WrappedKey: e.SealedKey, Ciphertext: ciphertext})
}
