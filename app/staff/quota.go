package staff

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
)

// SearchesPerHour is how often one member of staff may search within an hour; the same search again is no further one.
const SearchesPerHour = 120

const searchWindow = time.Hour

// searches is the quota of searches.
var searches = Quota{
	Name: "searches", Limit: SearchesPerHour, Since: func(now time.Time) time.Time { return now.Add(-searchWindow) },
	Views: `SELECT at FROM audit_entries WHERE actor_id = $1 AND actor_kind = 'staff' AND result = 'done' AND at > $2 AND action = 'search.find'`,
}

// RecordSearch records a search before its result is shown. Above the quota nothing may be shown: until is the time when the quota allows a search again, and the
// search is recorded as denied. A search that the member has recorded within the hour is recorded no second time.
func (s *Service) RecordSearch(ctx context.Context, by audit.Actor, search audit.Entry) (until time.Time, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		until = time.Time{}
		var repeated bool
		err := tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM audit_entries WHERE actor_id = $1 AND actor_kind = 'staff' AND result = 'done' AND at > $2 AND action = 'search.find' AND target_id = $3)`,
			by.ID, searches.Since(search.At), search.TargetID).Scan(&repeated)
		if err != nil || repeated {
			return err
		}
		oldest, err := CheckQuotaTx(ctx, tx, searches, by, search.At, s.AlarmTx)
		if err != nil {
			return err
		}
		entry := search
		if !oldest.IsZero() {
			until, entry.Result = oldest.Add(searchWindow), audit.Denied
		}
		return audit.RecordTx(ctx, tx, entry)
	})
	return until, err
}

// Contacts that one member of staff may reveal within an hour.
const (
	ContactsOfSupport = 10
	ContactsOfOthers  = 30
	contactsWindow    = time.Hour
)

// Quota limits a member's looks at records within a time.
type Quota struct {
	Name  string
	Limit int
	Since func(now time.Time) time.Time
	Views string // SQL: the times ("at") of a member's ($1) looks since a time ($2)
}

// Contacts is the quota of revealed contacts for a member with some roles.
func Contacts(roles []Role) Quota {
	limit := ContactsOfOthers
	if slices.Contains(roles, SupportAgent) || slices.Contains(roles, SupportLead) {
		limit = ContactsOfSupport
	}
	return Quota{
		Name: "contacts", Limit: limit, Since: func(now time.Time) time.Time { return now.Add(-contactsWindow) },
		Views: `SELECT at FROM audit_entries WHERE actor_id = $1 AND actor_kind = 'staff' AND result = 'done' AND at > $2
			AND (action = 'trader.reveal' OR action = 'withdrawal.reveal' AND after LIKE '{"dialog":"",%')`,
	}
}

// Alarm notifies others of a used-up quota in the same transaction.
type Alarm func(ctx context.Context, tx *db.Tx, q Quota, by audit.Actor, at time.Time) error

// CheckQuotaTx serialises a member's looks and checks that one more is within the quota; the caller then records it in the same transaction. Otherwise oldest is
// the time of the look that must expire first, and the alarm is raised, once per quota period.
func CheckQuotaTx(ctx context.Context, tx *db.Tx, q Quota, by audit.Actor, now time.Time, alarm Alarm) (oldest time.Time, err error) {
	if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtext('quota.' || $1), $2::int)`, q.Name, int32(by.ID)); err != nil {
		return oldest, fmt.Errorf("wait for other looks: %w", err)
	}
	since := q.Since(now)
	err = tx.Conn.QueryRow(ctx, `SELECT at FROM (`+q.Views+`) looks ORDER BY at DESC OFFSET $3 LIMIT 1`, by.ID, since, q.Limit-1).Scan(&oldest)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return time.Time{}, nil
	case err != nil:
		return oldest, fmt.Errorf("count looks: %w", err)
	}
	return oldest, exceededTx(ctx, tx, q, by, now, since, alarm)
}

// exceededTx raises the alarm unless it was raised within the same period.
func exceededTx(ctx context.Context, tx *db.Tx, q Quota, by audit.Actor, now, since time.Time, alarm Alarm) error {
	var raised bool
	err := tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM audit_entries WHERE actor_id = $1 AND actor_kind = 'staff' AND action = 'quota.exceeded' AND target_id = $2 AND at > $3)`,
		by.ID, q.Name, since).Scan(&raised)
	if err != nil || raised {
		return err
	}
	slog.WarnContext(ctx, "a member of staff has used up a quota", "staff", by.ID, "quota", q.Name, "limit", q.Limit, "trace", by.TraceID)
	entry := audit.By(by, now, "quota.exceeded", "quota", q.Name)
	entry.Result, entry.After = audit.Denied, fmt.Sprintf(`{"limit":%d}`, q.Limit)
	if err := audit.RecordTx(ctx, tx, entry); err != nil || alarm == nil {
		return err
	}
	return alarm(ctx, tx, q, by, now)
}

// AlarmTx mails the super admins and the compliance leads about a used-up quota. It is an Alarm.
func (s *Service) AlarmTx(ctx context.Context, tx *db.Tx, q Quota, by audit.Actor, at time.Time) error {
	people, err := holdersTx(ctx, tx, 0, SuperAdmin, ComplianceLead)
	if err != nil {
		return err
	}
	for _, to := range people {
		args := map[string]any{"name": by.Name, "id": by.ID, "limit": q.Limit, "at": stamp(at), "what": s.texts.T(to.Language, "message.staff_quota."+q.Name, nil)}
		if err := s.messageTx(ctx, tx, "staff_quota", to, args, 0); err != nil {
			return err
		}
	}
	return nil
}

// Reveal records a look at a contact before it is shown. Above the quota nothing may be shown: until is the time when the quota allows a look again, and the
// look is recorded as denied.
func (s *Service) Reveal(ctx context.Context, by audit.Actor, view audit.Entry) (until time.Time, limit int, err error) {
	q := Contacts(actingRoles(by))
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		oldest, err := CheckQuotaTx(ctx, tx, q, by, view.At, s.AlarmTx)
		if err != nil {
			return err
		}
		entry := view
		until = time.Time{}
		if !oldest.IsZero() {
			until, entry.Result = oldest.Add(contactsWindow), audit.Denied
		}
		return audit.RecordTx(ctx, tx, entry)
	})
	return until, q.Limit, err
}

// actingRoles are the roles of an actor.
func actingRoles(by audit.Actor) (roles []Role) {
	for name := range strings.SplitSeq(by.Roles, ",") {
		roles = append(roles, Role(name))
	}
	return roles
}
