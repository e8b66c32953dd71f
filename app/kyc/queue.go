package kyc

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/staff"
)

// Filter is the list filter of the queue; zero values do not filter.
type Filter struct {
	State        State   // Submitted, InReview or Escalated
	Stage        State   // as State, where Escalated leaves SecondApproval out
	Decided      []State // of these states, the last decided first, instead of the queue
	ClaimedBy    int64
	LevelAsked   bool // only with a requested higher level
	Country      string
	DocumentType DocumentType
	Attempt      int
	Rank         Rank
	Waiting      time.Duration // minimum waiting time
	Silent       time.Duration // with Decided: at least so long ago
	From, To     time.Time     // with Decided: decided then; From is included, To is not
	ByRisk       bool          // the highest rank first, and then the longest waiting
	After        time.Time     // keyset: waiting since a later time
	AfterID      int64         // at the same time, a larger id
	Limit        int
}

// The condition and the start of waiting for the desk, as the index of the queue writes them.
const (
	waits = `(state IN ('submitted', 'in_review', 'escalated') OR (level_approval IS NOT NULL AND level = 1))`
	since = `coalesce(level_asked_at, submitted_at)`
	// Of decided applications, and of those sent back to the trader, as the index of both writes them.
	over    = `state IN ('approved', 'expiring', 'reverify_required', 'rejected_final', 'revoked', 'resubmission_required')`
	decided = `coalesce(decided_at, created_at)`
)

// severeForm matches risks with a severe one.
var severeForm = func() string {
	codes := make([]string, len(severe))
	for i, risk := range severe {
		codes[i] = string(risk)
	}
	return "(^|,)(" + strings.Join(codes, "|") + ")(,|$)"
}()

// rankForm is the rank of an application as a number, the highest first when falling; severeForm is its argument.
const rankForm = `CASE WHEN risks ~ ? THEN 2 WHEN risks <> '' THEN 1 ELSE 0 END`

// byRisk orders the queue by the rank. A page continues after an application whose rank is read again: hints of a waiting application don't change.
func (s *Service) byRisk(ctx context.Context, rows *gorm.DB, f Filter) (*gorm.DB, error) {
	rows = rows.Clauses(clause.OrderBy{Expression: clause.Expr{SQL: rankForm + " DESC, " + since + ", id", Vars: []any{severeForm}}})
	if f.AfterID == 0 {
		return rows, nil
	}
	last, err := s.Application(ctx, f.AfterID)
	if err != nil {
		return nil, err
	}
	rank := len(Ranks) - 1 - slices.Index(Ranks, last.Risks.Rank())
	return rows.Where("("+rankForm+" < ? OR "+rankForm+" = ? AND ("+since+", id) > (?, ?))", severeForm, rank, severeForm, rank, f.After, f.AfterID), nil
}

// sealed are the columns of the trader's data.
var sealed = []string{"name_key", "name_sealed", "number_key", "number_sealed", "birth_key", "birth_sealed", "expiry_key", "expiry_sealed"}

// Queue lists the applications that wait for a decision, the longest waiting first, or with Decided those that were decided. It reads none of the traders' data.
func (s *Service) Queue(ctx context.Context, f Filter) (list []Application, err error) {
	rows, order := s.db.Rows(ctx).Omit(sealed...), since+", id"
	if len(f.Decided) > 0 {
		order = decided + " DESC, id DESC"
		rows = rows.Where(over).Where("state IN ?", f.Decided)
		if f.AfterID != 0 {
			rows = rows.Where("("+decided+", id) < (?, ?)", f.After, f.AfterID)
		}
		if !f.From.IsZero() {
			rows = rows.Where(decided+" >= ?", f.From)
		}
		if !f.To.IsZero() {
			rows = rows.Where(decided+" < ?", f.To)
		}
		if f.Silent > 0 {
			rows = rows.Where(decided+" <= ?", s.clock.Now().Add(-f.Silent))
		}
	} else if rows = rows.Where(waits); f.ByRisk {
		if rows, err = s.byRisk(ctx, rows, f); err != nil {
			return nil, err
		}
		order = ""
	} else {
		rows = rows.Where("("+since+", id) > (?, ?)", f.After, f.AfterID)
	}
	if f.ClaimedBy != 0 {
		rows = rows.Where("claimed_by = ? AND claimed_until > ?", f.ClaimedBy, s.clock.Now())
	}
	if f.LevelAsked {
		rows = rows.Where("level_approval IS NOT NULL")
	}
	switch f.Rank {
	case NoRisk:
		rows = rows.Where("risks = ''")
	case SomeRisk:
		rows = rows.Where("risks <> '' AND risks !~ ?", severeForm)
	case MostRisk:
		rows = rows.Where("risks ~ ?", severeForm)
	}
	switch f.Stage {
	case "":
	case Escalated:
		rows = rows.Where("state = ? AND proposal = ?", Escalated, proposeReview)
	case SecondApproval:
		rows = rows.Where("state = ? AND proposal = ?", Escalated, proposeApproval)
	default:
		rows = rows.Where("state = ?", f.Stage)
	}
	if f.Waiting > 0 {
		rows = rows.Where(since+" <= ?", s.clock.Now().Add(-f.Waiting))
	}
	for _, one := range []struct {
		set    bool
		column string
		value  any
	}{
		{f.State != "", "state", f.State}, {f.Country != "", "country", f.Country}, {f.DocumentType != "", "document_type", f.DocumentType},
		{f.Attempt != 0, "attempt", f.Attempt},
	} {
		if one.set {
			rows = rows.Where(one.column+" = ?", one.value)
		}
	}
	if order != "" {
		rows = rows.Order(order)
	}
	if err = rows.Limit(f.Limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the queue: %w", err)
	}
	return list, nil
}

// Application reads an application without the trader's data, for staff. Refusal: ErrUnknown.
func (s *Service) Application(ctx context.Context, id int64) (a Application, err error) {
	if err = s.db.Rows(ctx).Omit(sealed...).Where("id = ?", id).Limit(1).Find(&a).Error; err != nil {
		return a, fmt.Errorf("read application %d: %w", id, err)
	}
	if a.ID == 0 {
		return a, ErrUnknown
	}
	return a, nil
}

// OfTrader lists a trader's submitted applications, newest first, for staff. It reads none of the trader's data.
func (s *Service) OfTrader(ctx context.Context, traderID int64, limit int) (list []Application, err error) {
	err = s.db.Rows(ctx).Omit(sealed...).Where("trader_id = ? AND state <> ?", traderID, Draft).Order("id DESC").Limit(limit).Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list the applications of trader %d: %w", traderID, err)
	}
	return list, nil
}

// Owner is the trader of a submitted application, for staff. Refusal: ErrUnknown.
func (s *Service) Owner(ctx context.Context, id int64) (traderID int64, err error) {
	if err := s.db.Rows(ctx).Model(&Application{}).Where("id = ? AND state <> ?", id, Draft).Limit(1).Pluck("trader_id", &traderID).Error; err != nil {
		return 0, fmt.Errorf("read whose application %d is: %w", id, err)
	}
	if traderID == 0 {
		return 0, ErrUnknown
	}
	return traderID, nil
}

// CountWaiting counts the applications that wait for a decision, at most db.Stretch, and returns when the oldest began to wait.
func (s *Service) CountWaiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	var first *time.Time
	err = s.db.Pool.QueryRow(ctx, `
		SELECT count(*), min(since) FROM (SELECT `+since+` since FROM kyc_applications WHERE `+waits+` ORDER BY `+since+`, id LIMIT $1) first`,
		db.Stretch).Scan(&n, &first)
	if err != nil {
		return 0, oldest, fmt.Errorf("count the queue: %w", err)
	}
	if first != nil {
		oldest = *first
	}
	return n, oldest, nil
}

// PictureView is one view of a picture by a member of staff.
type PictureView struct {
	ID            int64
	StaffID       int64
	ApplicationID int64
	DocumentID    int64
	ViewedAt      time.Time
	IP            string
	TraceID       string
}

// TableName is GORM's name of the table.
func (PictureView) TableName() string { return "kyc_views" }

// PictureViews lists the views of an application's pictures, newest first, at most limit.
func (s *Service) PictureViews(ctx context.Context, applicationID int64, limit int) (list []PictureView, err error) {
	if err = s.db.Rows(ctx).Where("application_id = ?", applicationID).Order("id DESC").Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list the views of application %d: %w", applicationID, err)
	}
	return list, nil
}

// View opens a picture for the owner of the claim. The view is recorded before the picture is read; a view over the daily quota is refused, and the refusal is
// recorded too.
// Refusals: ErrUnknown, ErrRole, ErrSelf, ErrOwn, ErrNotClaimed, ErrQuota, ErrNoImage.
func (s *Service) View(ctx context.Context, by audit.Actor, id, documentID int64) ([]byte, error) {
	var d Document
	var traderID int64
	var refused error
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		d, refused = Document{}, nil
		a, country, err := lockTx(ctx, tx, id)
		if err != nil {
			return err
		}
		traderID = a.TraderID
		t := deskAct{tx, &a, country, by, s.clock.Now(), nil}
		if err := t.mayEditClaimed(ctx, t.deskRoles(), InReview, Escalated, Approved, Expiring); err != nil {
			return err
		}
		if err := tx.Rows.Where("id = ? AND application_id = ?", documentID, id).Limit(1).Find(&d).Error; err != nil {
			return fmt.Errorf("read picture %d: %w", documentID, err)
		}
		switch {
		case d.ID == 0:
			return ErrUnknown
		case d.Shredded():
			return ErrNoImage
		}
		refused, err = t.recordViewTx(ctx, d, s.alarm)
		return err
	})
	if err != nil {
		return nil, err
	}
	if refused != nil {
		return nil, refused
	}
	return s.picture(ctx, traderID, d)
}

// pictureViewQuota is the daily quota of picture views.
var pictureViewQuota = staff.Quota{Name: "pictures", Limit: MaxPictureViews, Since: today, Views: `SELECT viewed_at AS at FROM kyc_views WHERE staff_id = $1 AND viewed_at >= $2`}

// recordViewTx counts a view against the daily quota and records it, or its refusal.
func (t deskAct) recordViewTx(ctx context.Context, d Document, alarm staff.Alarm) (refused, err error) {
	oldest, err := staff.CheckQuotaTx(ctx, t.Tx, pictureViewQuota, t.by, t.now, alarm)
	if err != nil {
		return nil, err
	}
	entry := audit.By(t.by, t.now, "kyc.view", "kyc", t.ID)
	entry.After = fmt.Sprintf(`{"side":%q,"document":%d}`, d.Side, d.ID)
	if !oldest.IsZero() {
		entry.Result, refused = audit.Denied, ErrQuota.With("limit", MaxPictureViews)
		return refused, audit.RecordTx(ctx, t.Tx, entry)
	}
	view := PictureView{StaffID: t.by.ID, ApplicationID: t.ID, DocumentID: d.ID, ViewedAt: t.now, IP: t.by.IP, TraceID: t.by.TraceID}
	if err := t.Rows.Create(&view).Error; err != nil {
		return nil, fmt.Errorf("record a view of a document: %w", err)
	}
	return nil, audit.RecordTx(ctx, t.Tx, entry)
}
