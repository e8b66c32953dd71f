package kyc

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff"
	"candor/app/staff/member"
	"candor/app/trader"
)

// Outcome is what a review ends with.
type Outcome string

// The outcomes.
const (
	OutcomeApproved Outcome = "approved"
	OutcomeAsked    Outcome = "asked" // again
	OutcomeRejected Outcome = "rejected"
)

// Outcomes lists the outcomes in the order of the choice.
var Outcomes = []Outcome{OutcomeApproved, OutcomeAsked, OutcomeRejected}

// Sample is a decided application that a lead reviews again without knowing the decision. It never changes that decision.
type Sample struct {
	ID            int64
	ApplicationID int64
	Attempt       int       // the one that was decided
	ReviewerID    int64     // whose decision it was
	Week          time.Time // of the decision: its Monday
	Outcome       Outcome   // what was decided
	DrawnBy       int64
	DrawnAt       time.Time
	Again         *Outcome // what the second review ended with
	AgainBy       *int64
	AgainAt       *time.Time
	Note          string
}

// TableName is GORM's name of the table.
func (Sample) TableName() string { return "kyc_samples" }

// Agrees reports whether the second review ended as the first did.
func (s Sample) Agrees() bool { return s.Again != nil && *s.Again == s.Outcome }

// Refusals about samples; only staff read them.
var (
	ErrSample        = errs.New(errs.NotFound, "kyc.sample_unknown")
	ErrSampleDone    = errs.New(errs.Conflict, "kyc.sample_done")    // reviewed already
	ErrSampleChanged = errs.New(errs.Conflict, "kyc.sample_changed") // the trader has changed the application since, or it was shredded
	ErrSampleOwn     = errs.New(errs.Forbidden, "kyc.sample_own")    // who decided it can't review it again
	ErrShare         = errs.Field("share", "field.range")
	ErrWeek          = errs.Field("week", "field.choice")
	ErrOutcome       = errs.Field("outcome", "field.choice")
)

// Monday is the first day of the week of a moment, in UTC.
func Monday(at time.Time) time.Time {
	day := today(at)
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

// DrawSamples draws a share, in percent, of what each reviewer decided in a week, and returns how many were drawn. What was drawn before counts, so the same
// share draws nothing twice. Refusals: ErrShare, ErrWeek, ErrRole.
func (s *Service) DrawSamples(ctx context.Context, by audit.Actor, share int, week time.Time) (drawn int, err error) {
	now := s.clock.Now()
	switch {
	case share < 1 || share > 100:
		return 0, ErrShare
	case week != Monday(week) || week.After(now):
		return 0, ErrWeek
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := mustLead(ctx, tx, by); err != nil {
			return err
		}
		if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('kyc_samples', 0))`); err != nil {
			return fmt.Errorf("wait for other draws: %w", err)
		}
		done, err := tx.Conn.Exec(ctx, `
			WITH pool AS (
				SELECT id, attempt,
				       CASE state WHEN 'resubmission_required' THEN asked_by WHEN 'rejected_final' THEN lead_id ELSE maker_id END AS reviewer,
				       CASE state WHEN 'resubmission_required' THEN 'asked' WHEN 'rejected_final' THEN 'rejected' ELSE 'approved' END AS outcome
				FROM kyc_applications WHERE `+over+` AND state <> 'revoked' AND shredded_at IS NULL AND `+decided+` >= $1 AND `+decided+` < $2
			), placed AS (
				SELECT p.*, s.id IS NOT NULL AS had, ceil(count(*) OVER (PARTITION BY reviewer) * $3 / 100.0) AS wanted,
				       row_number() OVER (PARTITION BY reviewer ORDER BY s.id IS NULL, random()) AS place
				FROM pool p LEFT JOIN kyc_samples s ON s.application_id = p.id AND s.attempt = p.attempt
				WHERE reviewer IS NOT NULL
			)
			INSERT INTO kyc_samples (application_id, attempt, reviewer_id, week, outcome, drawn_by, drawn_at)
			SELECT id, attempt, reviewer, ($1 AT TIME ZONE 'UTC')::date, outcome, $4, $5 FROM placed WHERE NOT had AND place <= wanted ORDER BY random()`,
			week, week.AddDate(0, 0, 7), share, by.ID, now)
		if err != nil {
			return fmt.Errorf("draw samples: %w", err)
		}
		if drawn = int(done.RowsAffected()); drawn == 0 {
			return nil
		}
		entry := audit.By(by, now, "kyc.draw_samples", "kyc_week", 0)
		entry.TargetID = week.Format(time.DateOnly)
		after, err := json.Marshal(map[string]any{"share": share, "drawn": drawn, "week": entry.TargetID})
		if err != nil {
			return err
		}
		entry.After = string(after)
		return audit.RecordTx(ctx, tx, entry)
	})
	return drawn, err
}

// mustLead refuses everybody but a lead.
func mustLead(ctx context.Context, tx *db.Tx, by audit.Actor) error {
	holds, err := staff.HoldsAny(ctx, tx.Conn, by.ID, staff.ComplianceLead)
	if err == nil && !holds {
		err = ErrRole
	}
	return err
}

// Samples lists samples, the newest first: those that can still be reviewed again, or those that were. At most limit.
func (s *Service) Samples(ctx context.Context, reviewed bool, limit int) (list []Sample, err error) {
	rows := s.db.Rows(ctx).Where("again IS NOT NULL").Order("again_at DESC, id DESC")
	if !reviewed {
		rows = s.db.Rows(ctx).Where("again IS NULL").Where(`EXISTS (SELECT FROM kyc_applications a WHERE a.id = application_id AND ` + unchanged + `)`).Order("id DESC")
	}
	if err := rows.Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the samples: %w", err)
	}
	return list, nil
}

// unchanged is the condition of an application that still is what was decided.
const unchanged = `a.attempt = kyc_samples.attempt AND a.data_attempt <= kyc_samples.attempt AND a.shredded_at IS NULL`

// Agreement is how often second reviews ended as a reviewer's decisions of a week did.
type Agreement struct {
	Week       time.Time
	ReviewerID int64
	Drawn      int
	Reviewed   int
	Agreed     int
}

// Agreements lists the newest weeks, at most limit rows.
func (s *Service) Agreements(ctx context.Context, limit int) ([]Agreement, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT week, reviewer_id, count(*), count(again), count(*) FILTER (WHERE again = outcome) FROM kyc_samples
		GROUP BY week, reviewer_id ORDER BY week DESC, reviewer_id LIMIT $1`, limit)
	if err != nil {
		return nil, fmt.Errorf("read how often reviews agree: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Agreement])
}

// FindSample reads a sample. It returns ErrSample.
func (s *Service) FindSample(ctx context.Context, id int64) (one Sample, err error) {
	if err := s.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&one).Error; err != nil {
		return one, fmt.Errorf("read sample %d: %w", id, err)
	}
	if one.ID == 0 {
		return one, ErrSample
	}
	return one, nil
}

// Evidence is what the first reviewer saw of an application, without what was decided.
type Evidence struct {
	SampleID     int64
	Week         time.Time
	Country      string
	RegisteredIn string
	DocumentType DocumentType
	Data         Data
	Documents    []Document // without decisions
	Hints        []Hint
}

// OpenSample shows a lead the evidence of a sample; the audit log records that the data was read. Refusals: ErrSample, ErrRole, ErrSampleOwn, ErrSampleDone,
// ErrSampleChanged, those of the conflict of interest.
func (s *Service) OpenSample(ctx context.Context, by audit.Actor, id int64) (e Evidence, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		e = Evidence{}
		one, t, err := s.sampleTx(ctx, tx, by, id)
		if err != nil {
			return err
		}
		e = Evidence{SampleID: one.ID, Week: one.Week, Country: t.Country, RegisteredIn: t.country, DocumentType: t.DocumentType}
		if e.Documents, err = evidenceTx(tx, one); err != nil {
			return err
		}
		if e.Data, err = s.open(ctx, tx.Conn, *t.Application); err != nil {
			return err
		}
		if e.Hints, err = s.hints(ctx, tx.Conn, *t.Application, e.Data, t.country, t.now); err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, audit.By(by, t.now, "kyc.read_data", "kyc", t.ID))
	})
	return e, err
}

// sampleTx locks the application of a sample for a lead who may review it again.
func (s *Service) sampleTx(ctx context.Context, tx *db.Tx, by audit.Actor, id int64) (one Sample, t deskAct, err error) {
	if err := tx.Rows.Where("id = ?", id).Limit(1).Find(&one).Error; err != nil {
		return one, t, fmt.Errorf("read sample %d: %w", id, err)
	}
	if one.ID == 0 {
		return one, t, ErrSample
	}
	if err := mustLead(ctx, tx, by); err != nil {
		return one, t, err
	}
	a, country, err := lockTx(ctx, tx, one.ApplicationID)
	if err != nil {
		return one, t, err
	}
	if err := tx.Rows.Where("id = ?", id).Take(&one).Error; err != nil {
		return one, t, fmt.Errorf("read sample %d: %w", id, err)
	}
	took := []*int64{&one.ReviewerID, a.MakerID, a.LeadID, a.AskedBy}
	switch {
	case slices.ContainsFunc(took, func(who *int64) bool { return who != nil && *who == by.ID }):
		return one, t, ErrSampleOwn
	case one.Again != nil:
		return one, t, ErrSampleDone
	case a.Attempt != one.Attempt || a.DataAttempt > one.Attempt || a.ShreddedAt != nil:
		return one, t, ErrSampleChanged
	}
	if err := trader.CheckDutyConflict(ctx, tx.Conn, by.ID, a.TraderID, member.IdentityDuty); err != nil {
		return one, t, err
	}
	return one, deskAct{tx, &a, country, by, s.clock.Now(), details{}}, nil
}

// evidenceTx reads the pictures that were decided, the last one of each side, without their decisions.
func evidenceTx(tx *db.Tx, one Sample) (out []Document, err error) {
	all, err := documentsTx(tx, one.ApplicationID, false)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		if d.Attempt > one.Attempt || d.Shredded() {
			continue
		}
		d.Decision, d.Reason, d.DecidedBy, d.DecidedAt = Pending, nil, nil, nil
		if i := slices.IndexFunc(out, func(before Document) bool { return before.Side == d.Side }); i >= 0 {
			out[i] = d
		} else {
			out = append(out, d)
		}
	}
	return out, nil
}

// ViewSampled opens a picture of a sample, as View does. Refusals: those of OpenSample, ErrUnknown, ErrQuota.
func (s *Service) ViewSampled(ctx context.Context, by audit.Actor, id, documentID int64) ([]byte, error) {
	var d Document
	var traderID int64
	var refused error
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		one, t, err := s.sampleTx(ctx, tx, by, id)
		if err != nil {
			return err
		}
		documents, err := evidenceTx(tx, one)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(documents, func(d Document) bool { return d.ID == documentID })
		if i < 0 {
			return ErrUnknown
		}
		d, traderID = documents[i], t.TraderID
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

// JudgeSample records how the second review of a sample ends, once. It changes nothing about the application. Refusals: ErrOutcome, ErrNote, those of OpenSample.
func (s *Service) JudgeSample(ctx context.Context, by audit.Actor, id int64, outcome Outcome, note string) (one Sample, err error) {
	if !slices.Contains(Outcomes, outcome) {
		return one, ErrOutcome
	}
	if err := checkNote(note); err != nil {
		return one, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var t deskAct
		if one, t, err = s.sampleTx(ctx, tx, by, id); err != nil {
			return err
		}
		one.Again, one.AgainBy, one.AgainAt, one.Note = &outcome, &by.ID, &t.now, note
		err := db.MustAffect(tx.Rows.Model(&Sample{}).Where("id = ? AND again IS NULL", id).
			Updates(map[string]any{"again": outcome, "again_by": by.ID, "again_at": t.now, "note": note}))
		if err != nil {
			return fmt.Errorf("judge sample %d: %w", id, err)
		}
		entry := audit.By(by, t.now, "kyc.judge_sample", "kyc", t.ID)
		after, err := json.Marshal(map[string]any{"outcome": outcome, "agrees": one.Agrees()})
		if err != nil {
			return err
		}
		entry.After = string(after)
		return audit.RecordTx(ctx, tx, entry)
	})
	return one, err
}
