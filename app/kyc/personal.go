package kyc

import (
	"context"
	"fmt"

	"candor/app/platform/db"
	"candor/app/platform/personal"
)

// HasUndecided reports whether a trader's application waits for a decision.
func HasUndecided(ctx context.Context, q db.Querier, traderID int64) (has bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM kyc_applications WHERE trader_id = $1 AND state IN ('submitted', 'in_review', 'escalated'))`, traderID).Scan(&has)
	if err != nil {
		return false, fmt.Errorf("look for an application of trader %d: %w", traderID, err)
	}
	return has, nil
}

// Personal is what this package keeps about a trader. What was handed in is kept for the years that the law asks, and shredded after them.
func (s *Service) Personal() personal.Source {
	return personal.Source{
		Tables: map[string]personal.Treatment{"kyc_applications": personal.Kept, "kyc_name_words": personal.Kept},
		Export: s.exportTo,
		Erase:  s.eraseDraftsTx,
	}
}

// exportTo adds every application with its data and pictures.
func (s *Service) exportTo(ctx context.Context, traderID int64, a *personal.Archive) error {
	var list []Application
	if err := s.db.Rows(ctx).Where("trader_id = ? AND shredded_at IS NULL", traderID).Order("id").Find(&list).Error; err != nil {
		return fmt.Errorf("read the applications of trader %d: %w", traderID, err)
	}
	for _, application := range list {
		if err := s.exportApplication(ctx, application, a); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) exportApplication(ctx context.Context, application Application, a *personal.Archive) error {
	data, err := s.open(ctx, s.db.Pool, application)
	if err != nil {
		return err
	}
	folder := fmt.Sprintf("identity/%d", application.ID)
	err = a.JSON(folder+".json", map[string]any{
		"application": application.ID, "state": application.State, "country": application.Country, "document": application.DocumentType, "name": data.FullName,
		"number": data.Number, "born": data.BirthDate, "expires": data.ExpiryDate, "submitted_at": application.SubmittedAt, "decided_at": application.DecidedAt, "level": application.Level,
	})
	if err != nil {
		return err
	}
	var documents []Document
	if err := s.db.Rows(ctx).Where("application_id = ?", application.ID).Order("id").Find(&documents).Error; err != nil {
		return fmt.Errorf("read the pictures of application %d: %w", application.ID, err)
	}
	for _, d := range documents {
		if d.Shredded() {
			continue
		}
		read := func() ([]byte, error) { return s.picture(ctx, application.TraderID, d) }
		if err := a.Picture(fmt.Sprintf("%s/%d-%s.jpg", folder, d.ID, d.Side), read); err != nil {
			return err
		}
	}
	return nil
}

// eraseDraftsTx shreds what was typed and never handed in.
func (s *Service) eraseDraftsTx(ctx context.Context, tx *db.Tx, traderID int64) error {
	var drafts []Application
	if err := tx.Rows.Where("trader_id = ? AND state = ? AND attempt = 0", traderID, Draft).Find(&drafts).Error; err != nil {
		return fmt.Errorf("read the drafts of trader %d: %w", traderID, err)
	}
	for _, draft := range drafts {
		if err := s.shredApplicationTx(ctx, tx, draft); err != nil {
			return err
		}
	}
	return nil
}
