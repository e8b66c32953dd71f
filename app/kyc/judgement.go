package kyc

import (
	"context"
	"fmt"
	"time"

	"candor/app/platform/db"
)

// Judgement is what the first person said about one part, kept when the application goes to the second person. Document is nil for a field.
type Judgement struct {
	ID            int64
	ApplicationID int64
	Attempt       int
	StaffID       int64
	Part          string // a side, or a field
	DocumentID    *int64
	Verdict       string // a Decision about a picture, or a Mark
	Reason        *string
	JudgedAt      time.Time
}

// TableName is GORM's name of the table.
func (Judgement) TableName() string { return "kyc_judgements" }

// handOver keeps the first person's judgements and clears them, so that the second person judges every picture and field afresh. It adds the cleared marks to
// the changes.
func (t deskAct) handOver(ctx context.Context, changes map[string]any) error {
	for _, f := range Fields {
		mark := t.Marks[f]
		if mark == "" {
			continue
		}
		kept := Judgement{ApplicationID: t.ID, Attempt: t.Attempt, StaffID: t.by.ID, Part: string(f), Verdict: string(mark), JudgedAt: t.now}
		if err := t.Rows.Create(&kept).Error; err != nil {
			return fmt.Errorf("keep a mark of application %d: %w", t.ID, err)
		}
	}
	_, err := t.Conn.Exec(ctx, `
		INSERT INTO kyc_judgements (application_id, attempt, staff_id, part, document_id, verdict, reason, judged_at)
		SELECT application_id, $2, decided_by, side::text, id, decision::text, reason, decided_at FROM kyc_documents
		WHERE application_id = $1 AND current AND decision <> 'pending' ORDER BY id`, t.ID, t.Attempt)
	if err != nil {
		return fmt.Errorf("keep the decisions on pictures of application %d: %w", t.ID, err)
	}
	_, err = t.Conn.Exec(ctx, `
		UPDATE kyc_documents SET decision = 'pending', reason = NULL, decided_by = NULL, decided_at = NULL
		WHERE application_id = $1 AND current AND decision <> 'pending'`, t.ID)
	if err != nil {
		return fmt.Errorf("clear the decisions on pictures of application %d: %w", t.ID, err)
	}
	changes["marks"] = Marks(nil)
	return nil
}

// judgementsTx reads the first person's judgements of the current attempt.
func judgementsTx(tx *db.Tx, a Application) (list []Judgement, err error) {
	if err = tx.Rows.Where("application_id = ? AND attempt = ?", a.ID, a.Attempt).Order("id").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the judgements of application %d: %w", a.ID, err)
	}
	return list, nil
}
