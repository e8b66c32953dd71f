package task

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"candor/app/audit"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/staff"
	"candor/app/staff/member"
	"candor/app/trader"
)

// Tell tells the conversation that a task is about of an act: the last word of its audited action.
type Tell func(ctx context.Context, tx *db.Tx, by audit.Actor, t Task, act string) error

// Service keeps tasks and mentions.
type Service struct {
	db    *db.DB
	clock clock.Clock
	tell  Tell
}

// New makes the service; a nil tell tells nobody.
func New(d *db.DB, c clock.Clock, tell Tell) *Service { return &Service{db: d, clock: c, tell: tell} }

// longestAhead is how far in the future a deadline may be.
const longestAhead = 366 * 24 * time.Hour

// Request is a task as it is asked for.
type Request struct {
	Title, Note string
	Subject
	Team       Team  // empty for a colleague
	AssigneeID int64 // 0 for a team
	Priority   Priority
	DueAt      time.Time
	Key        string // of the form; a repeated key returns the first task
}

func (r *Request) check(now time.Time) error {
	r.Title, r.Note = strings.TrimSpace(r.Title), strings.TrimSpace(r.Note)
	switch {
	case !isText(r.Title, 3, LongestTitle):
		return ErrTitle
	case !isText(r.Note, 0, LongestText):
		return ErrNote
	case (r.Team == "") == (r.AssigneeID == 0), r.Team != "" && !slices.Contains(Teams, r.Team):
		return ErrFor
	case !slices.Contains(Priorities, r.Priority):
		return ErrPriority
	case !r.DueAt.After(now), r.DueAt.After(now.Add(longestAhead)):
		return ErrDue
	case r.SubjectKind == "" || r.SubjectID <= 0:
		return ErrAbout
	case len(r.Key) < 16 || len(r.Key) > 64:
		return ErrKey
	}
	return nil
}

func isText(text string, shortest, longest int) bool {
	n := utf8.RuneCountInString(text)
	return n >= shortest && n <= longest && db.IsText(text)
}

// Ask hands work to a team or a colleague, once per key. The caller has checked that the member may open the subject. Refusals: the fields.
func (s *Service) Ask(ctx context.Context, by audit.Actor, r Request) (t Task, err error) {
	if err := r.check(s.clock.Now()); err != nil {
		return t, err
	}
	ask := func(tx *db.Tx) error {
		t, err = s.askTx(ctx, tx, by, r)
		return err
	}
	err = s.db.InTx(ctx, ask)
	if db.IsUnique(err, "tasks_key") { // a repeat at the same time was first: it is read
		err = s.db.InTx(ctx, ask)
	}
	return t, err
}

func (s *Service) askTx(ctx context.Context, tx *db.Tx, by audit.Actor, r Request) (t Task, err error) {
	if err := tx.Rows.Where("asked_by = ? AND key = ?", by.ID, r.Key).Limit(1).Find(&t).Error; err != nil || t.ID != 0 {
		return t, err
	}
	if err := mayBeFor(ctx, tx, r); err != nil {
		return t, err
	}
	t = Task{
		Title: r.Title, Note: r.Note, Subject: r.Subject, Priority: r.Priority, DueAt: r.DueAt, State: Open, AskedBy: by.ID, AskedAt: s.clock.Now(), Key: r.Key, Version: 1,
	}
	if r.Team != "" {
		t.Team = &r.Team
	} else {
		t.AssigneeID = &r.AssigneeID
	}
	if err := tx.Rows.Create(&t).Error; err != nil {
		return t, fmt.Errorf("write a task: %w", err)
	}
	return t, s.recordTx(ctx, tx, by, t, "ask")
}

// mayBeFor refuses a colleague who is not active or in no team. Refusal: ErrFor.
func mayBeFor(ctx context.Context, tx *db.Tx, r Request) error {
	if r.AssigneeID == 0 {
		return nil
	}
	found, err := member.Find(ctx, tx.Conn, r.AssigneeID)
	if err != nil {
		return err
	}
	if len(found) == 0 || !found[0].Active {
		return ErrFor
	}
	holds, err := staff.HoldsAny(ctx, tx.Conn, r.AssigneeID, allRoles()...)
	if err == nil && !holds {
		err = ErrFor
	}
	return err
}

// Take begins to work on an open task. Refusals: ErrUnknown, ErrState, ErrChanged, ErrNotYours, trader.ErrOwn.
func (s *Service) Take(ctx context.Context, by audit.Actor, id int64, version int) (Task, error) {
	return s.act(ctx, by, id, version, "take", func(tx *db.Tx, t *Task) error {
		now := s.clock.Now()
		if t.State != Open {
			return ErrState
		}
		if err := s.mayWork(ctx, tx, by, *t); err != nil {
			return err
		}
		t.State, t.TakenBy, t.TakenAt = Taken, &by.ID, &now
		return nil
	})
}

// GiveBack leaves a task that the member took for others to take. Refusals: ErrUnknown, ErrState, ErrChanged, ErrNotYours.
func (s *Service) GiveBack(ctx context.Context, by audit.Actor, id int64, version int) (Task, error) {
	return s.act(ctx, by, id, version, "give_back", func(_ *db.Tx, t *Task) error {
		switch {
		case t.State != Taken:
			return ErrState
		case !t.TakenByMember(by.ID):
			return ErrNotYours
		}
		t.State, t.TakenBy, t.TakenAt = Open, nil, nil
		return nil
	})
}

// Finish ends a task that the member took, with what was done. Refusals: ErrText, ErrUnknown, ErrState, ErrChanged, ErrNotYours.
func (s *Service) Finish(ctx context.Context, by audit.Actor, id int64, version int, outcome string) (Task, error) {
	if !isText(outcome, 3, LongestText) {
		return Task{}, ErrText
	}
	return s.act(ctx, by, id, version, "finish", func(_ *db.Tx, t *Task) error {
		switch {
		case t.State != Taken:
			return ErrState
		case !t.TakenByMember(by.ID):
			return ErrNotYours
		}
		s.end(t, by, Done, outcome)
		return nil
	})
}

// Decline ends a task that is for the member, with the reason. Refusals: ErrText, ErrUnknown, ErrState, ErrChanged, ErrNotYours, trader.ErrOwn.
func (s *Service) Decline(ctx context.Context, by audit.Actor, id int64, version int, reason string) (Task, error) {
	if !isText(reason, 3, LongestText) {
		return Task{}, ErrText
	}
	return s.act(ctx, by, id, version, "decline", func(tx *db.Tx, t *Task) error {
		switch {
		case t.Ended():
			return ErrState
		case t.State == Taken && !t.TakenByMember(by.ID):
			return ErrNotYours
		}
		if err := s.mayWork(ctx, tx, by, *t); err != nil {
			return err
		}
		s.end(t, by, Declined, reason)
		return nil
	})
}

// Cancel ends a task that the member asked for. Refusals: ErrUnknown, ErrState, ErrChanged, ErrNotAsked.
func (s *Service) Cancel(ctx context.Context, by audit.Actor, id int64, version int) (Task, error) {
	return s.act(ctx, by, id, version, "cancel", func(_ *db.Tx, t *Task) error {
		switch {
		case t.Ended():
			return ErrState
		case t.AskedBy != by.ID:
			return ErrNotAsked
		}
		s.end(t, by, Cancelled, "")
		return nil
	})
}

// Comment adds a comment; who asked and whom it is for may, also after the task has ended. Refusals: ErrText, ErrUnknown, ErrChanged, ErrNotYours.
func (s *Service) Comment(ctx context.Context, by audit.Actor, id int64, version int, text string) (Task, error) {
	if !isText(text, 1, LongestText) {
		return Task{}, ErrText
	}
	return s.act(ctx, by, id, version, "comment", func(tx *db.Tx, t *Task) error {
		if t.AskedBy != by.ID && !t.For(by) && !t.TakenByMember(by.ID) {
			return ErrNotYours
		}
		comment := Comment{TaskID: t.ID, AuthorID: by.ID, Text: text, At: s.clock.Now()}
		if err := tx.Rows.Create(&comment).Error; err != nil {
			return fmt.Errorf("write a comment on task %d: %w", id, err)
		}
		return nil
	})
}

// mayWork refuses a member whom the task is not for, and one with a personal conflict of interest with its trader.
func (s *Service) mayWork(ctx context.Context, tx *db.Tx, by audit.Actor, t Task) error {
	if !t.For(by) {
		return ErrNotYours
	}
	if t.TraderID == nil {
		return nil
	}
	return trader.CheckConflict(ctx, tx.Conn, by.ID, *t.TraderID)
}

func (s *Service) end(t *Task, by audit.Actor, state State, outcome string) {
	now := s.clock.Now()
	t.State, t.EndedBy, t.EndedAt, t.Outcome = state, &by.ID, &now, outcome
}

// act locks a task, lets change decide, and stores the change with its audit entry, if the task still is the version that was shown.
func (s *Service) act(ctx context.Context, by audit.Actor, id int64, version int, act string, change func(*db.Tx, *Task) error) (t Task, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		t = Task{}
		if err := tx.ForUpdate().Where("id = ?", id).Limit(1).Find(&t).Error; err != nil {
			return fmt.Errorf("lock task %d: %w", id, err)
		}
		switch {
		case t.ID == 0:
			return ErrUnknown
		case t.Version != version:
			return ErrChanged
		}
		if err := change(tx, &t); err != nil {
			return err
		}
		t.Version++
		result := tx.Rows.Model(&Task{}).Where("id = ? AND version = ?", id, version).
			Select("State", "TakenBy", "TakenAt", "EndedBy", "EndedAt", "Outcome", "Version").Updates(&t)
		if err := db.MustAffect(result); err != nil {
			return fmt.Errorf("move task %d: %w", id, err)
		}
		return s.recordTx(ctx, tx, by, t, act)
	})
	return t, err
}

// recordTx writes the audit entry of an act, without the texts, which not all readers of the log may read, and tells the conversation.
func (s *Service) recordTx(ctx context.Context, tx *db.Tx, by audit.Actor, t Task, act string) error {
	facts := map[string]any{"state": t.State, "subject": string(t.SubjectKind), "subject_id": t.SubjectID, "priority": t.Priority, "due_at": t.DueAt.UTC()}
	if t.Team != nil {
		facts["team"] = *t.Team
	} else {
		facts["colleague"] = *t.AssigneeID
	}
	after, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	e := audit.By(by, s.clock.Now(), "task."+act, "task", t.ID)
	e.After = string(after)
	if err := audit.RecordTx(ctx, tx, e); err != nil || s.tell == nil || t.SubjectKind != Conversation || !told[act] {
		return err
	}
	return s.tell(ctx, tx, by, t, act)
}

// told are the acts that the conversation is told of.
var told = map[string]bool{"ask": true, "take": true, "finish": true, "decline": true, "cancel": true}

// Reader is who reads tasks.
type Reader struct {
	audit.Actor
	All bool // reads every task
}

// Sees reports whether a reader may read a task.
func (r Reader) Sees(t Task) bool {
	return r.All || t.AskedBy == r.ID || t.For(r.Actor) || t.TakenBy != nil && *t.TakenBy == r.ID
}

// visible narrows rows to those that a reader may read, as Sees does.
func (r Reader) visible(rows *gorm.DB) *gorm.DB {
	if r.All {
		return rows
	}
	return rows.Where("(asked_by = ? OR assignee_id = ? OR taken_by = ? OR team::text IN ?)", r.ID, r.ID, r.ID, r.teams())
}

// teams are the reader's teams; a list that matches nothing for none.
func (r Reader) teams() []Team { return append(TeamsOf(r.Actor), "") }
