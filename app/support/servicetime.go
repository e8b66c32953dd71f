package support

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// Priority ranks the conversations that wait, and selects their service times.
type Priority string

// The priorities, in their order.
const (
	Normal Priority = "normal"
	High   Priority = "high"
	Urgent Priority = "urgent"
)

// Priorities lists the priorities, the lowest first.
var Priorities = []Priority{Normal, High, Urgent}

// Target names a service time.
type Target string

// The targets.
const (
	FirstReply Target = "first_reply" // from the customer's first message to the first answer
	NextReply  Target = "next_reply"  // from a later message to its answer
	Resolution Target = "resolution"  // from the beginning, or the last reopening
)

// Targets lists the targets.
var Targets = []Target{FirstReply, NextReply, Resolution}

// LongestTarget is the longest service time, in support hours.
const LongestTarget = 30 * 24 * time.Hour

// ServiceTimes are the targets of each priority, in support hours; an absent one or 0 is no target.
type ServiceTimes map[Priority]map[Target]time.Duration

// DefaultTimes are in force until a lead sets others.
func DefaultTimes() ServiceTimes {
	replies := func(d time.Duration) map[Target]time.Duration {
		return map[Target]time.Duration{FirstReply: d, NextReply: d}
	}
	return ServiceTimes{Normal: replies(10 * time.Minute), High: replies(5 * time.Minute), Urgent: replies(3 * time.Minute)}
}

// ServiceTable maps a language to its own service times; the empty name has those of all other languages.
type ServiceTable map[string]ServiceTimes

// For returns a language's own service times, or the general ones.
func (t ServiceTable) For(language string) ServiceTimes {
	if own := t[language]; own != nil {
		return own
	}
	if general := t[""]; general != nil {
		return general
	}
	return DefaultTimes()
}

// TargetField names the field of a target in refusals.
func TargetField(p Priority, t Target) string { return string(p) + "-" + string(t) }

// ServiceTable returns the service times in force.
func (s *Service) ServiceTable(ctx context.Context) (ServiceTable, error) {
	return readServiceTable(ctx, s.db.Pool)
}

func readServiceTable(ctx context.Context, q db.Querier) (ServiceTable, error) {
	rows, err := q.Query(ctx, `SELECT language, priority, target, seconds FROM chat_service_times`)
	if err != nil {
		return nil, fmt.Errorf("read the service times: %w", err)
	}
	defer rows.Close()
	table := ServiceTable{}
	for rows.Next() {
		var language string
		var p Priority
		var t Target
		var seconds int
		if err := rows.Scan(&language, &p, &t, &seconds); err != nil {
			return nil, fmt.Errorf("read the service times: %w", err)
		}
		if table[language] == nil {
			table[language] = ServiceTimes{}
		}
		if table[language][p] == nil {
			table[language][p] = map[Target]time.Duration{}
		}
		table[language][p][t] = time.Duration(seconds) * time.Second
	}
	return table, rows.Err()
}

// SetServiceTimes replaces the service times of a language, or the general ones if language is empty. Seen is the Version of those that the author saw. With
// nil a language has the general ones, and these are the defaults. Refusals: fields, db.ErrChanged.
func (s *Service) SetServiceTimes(ctx context.Context, by audit.Actor, language, seen string, times ServiceTimes) error {
	if problems := times.problems(); len(problems) > 0 {
		return &errs.Error{Kind: errs.Invalid, Key: "invalid_input", Fields: problems}
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtext('chat.service_times'))`); err != nil {
			return fmt.Errorf("lock the service times: %w", err)
		}
		table, err := readServiceTable(ctx, tx.Conn)
		if err != nil {
			return err
		}
		if table[language].Version() != seen {
			return db.ErrChanged
		}
		if _, err := tx.Conn.Exec(ctx, `DELETE FROM chat_service_times WHERE language = $1`, language); err != nil {
			return fmt.Errorf("replace the service times: %w", err)
		}
		for _, p := range Priorities {
			for _, t := range Targets {
				if times == nil {
					continue
				}
				if _, err := tx.Conn.Exec(ctx, `INSERT INTO chat_service_times (language, priority, target, seconds) VALUES ($1, $2, $3, $4)`, language, p, t, int(times[p][t].Seconds())); err != nil {
					return fmt.Errorf("store the service times: %w", err)
				}
			}
		}
		tx.AfterCommit(func() { s.publish(Event{What: Desk, AgentID: by.ID}) })
		entry := audit.By(by, s.clock.Now(), "chat.set_service_times", "chat", 0)
		entry.Before, entry.After = table[language].text(language), times.text(language)
		return audit.RecordTx(ctx, tx, entry)
	})
}

// problems are the targets that are neither absent nor whole minutes up to LongestTarget.
func (t ServiceTimes) problems() map[string]string {
	problems := map[string]string{}
	for p, targets := range t {
		for target, d := range targets {
			if !slices.Contains(Priorities, p) || !slices.Contains(Targets, target) || d < 0 || d > LongestTarget || d%time.Minute != 0 {
				problems[TargetField(p, target)] = "field.service_time"
			}
		}
	}
	return problems
}

// Version names the service times: it changes with them.
func (t ServiceTimes) Version() string {
	sum := sha256.Sum256([]byte(t.text("")))
	return hex.EncodeToString(sum[:8])
}

// text is the service times as JSON for the audit log; only the language where there are none.
func (t ServiceTimes) text(language string) string {
	facts := map[string]string{"language": language}
	for _, p := range Priorities {
		for _, target := range Targets {
			if d := t[p][target]; d > 0 {
				facts[TargetField(p, target)] = Clock(int(d.Minutes()))
			} else if t != nil {
				facts[TargetField(p, target)] = ""
			}
		}
	}
	raw, _ := json.Marshal(facts)
	return string(raw)
}
