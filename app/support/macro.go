package support

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff/member"
)

// Limits of macros.
const (
	MostMacros       = 50
	LongestMacroName = 60 // characters
	MostKeys         = 9  // macros with a key of their own, from 1
)

// Refusals of macros.
var (
	ErrMacroName  = errs.Field("name", "field.macro_name")     // empty, too long, or another macro's
	ErrMacroKey   = errs.Field("key", "field.macro_key")       // another macro's
	ErrMacroReply = errs.Field("reply", "field.unknown")       // no prepared answer has this name
	ErrMacroSteps = errs.Field("ending", "field.macro_steps")  // it does nothing
	ErrMacroEnd   = errs.Field("ending", "field.unknown")      // not an ending, a snooze or a colleague
	ErrMacros     = errs.New(errs.Refused, "chat.macros_many") // more than MostMacros
	ErrNoMacro    = errs.New(errs.NotFound, "chat.macro_unknown")
	ErrNoKey      = errs.New(errs.Refused, "chat.macro_no_key") // Args key: no macro has it
	ErrNoReply    = errs.New(errs.Refused, "chat.macro_reply")  // Args name: no prepared answer in the customer's language or English
)

// Ending is the last step of a macro.
type Ending string

// The endings.
const (
	NoEnding    Ending = "none"
	EndResolve  Ending = "resolve"
	EndSnooze   Ending = "snooze"
	EndTransfer Ending = "transfer"
)

// Endings lists the endings.
var Endings = []Ending{NoEnding, EndResolve, EndSnooze, EndTransfer}

const morning = 9 // the hour at which a snooze until another day ends

// Snoozes lists the named lengths of a snooze.
var Snoozes = []string{"hour", "hours", "tomorrow", "monday"}

// SnoozeUntil is when a named snooze ends, in the zone of now; ok is false for an unknown name.
func SnoozeUntil(name string, now time.Time) (until time.Time, ok bool) {
	nextDay := func(days int) time.Time {
		y, m, d := now.Date()
		return time.Date(y, m, d+days, morning, 0, 0, 0, now.Location())
	}
	switch name {
	case "hour":
		return now.Add(time.Hour), true
	case "hours":
		return now.Add(4 * time.Hour), true
	case "tomorrow":
		return nextDay(1), true
	case "monday":
		return nextDay((8-int(now.Weekday())-1)%7 + 1), true
	}
	return time.Time{}, false
}

// Macro is a named set of steps that an agent runs on a conversation at once, in the order of the fields.
type Macro struct {
	ID         int64
	Name       string
	Key        *int      // from 1 to MostKeys; nil for none
	Reply      string    // the name of the prepared answer that is sent; empty for none
	Priority   *Priority // nil leaves it
	Labels     string    // are added; comma-separated
	Ending     Ending
	Snooze     string // of EndSnooze: one of Snoozes
	TransferTo *int64 // of EndTransfer; nil for the queue
	Version    int
	ChangedAt  time.Time

	TransferName string `db:"-"`
}

// About lists the labels that are added.
func (m Macro) About() []string { return Conversation{Labels: m.Labels}.About() }

// text is the macro as JSON for the audit log, with its steps.
func (m Macro) text() string {
	raw, _ := json.Marshal(m.facts())
	return string(raw)
}

func (m Macro) facts() map[string]string {
	facts := map[string]string{"macro": m.Name}
	for step, value := range map[string]string{"reply": m.Reply, "priority": string(given(m.Priority)), "labels": m.Labels} {
		if value != "" {
			facts[step] = value
		}
	}
	switch m.Ending {
	case EndSnooze:
		facts["ending"] = "snooze " + m.Snooze
	case EndTransfer:
		facts["ending"] = fmt.Sprintf("transfer %d", given(m.TransferTo))
	case EndResolve:
		facts["ending"] = "resolve"
	case NoEnding:
	}
	return facts
}

const macroColumns = `id, name, key, reply, priority, labels, ending, snooze, transfer_to, version, changed_at`

// Macros lists the macros by name.
func (s *Service) Macros(ctx context.Context) ([]Macro, error) {
	return macros(ctx, s.db.Pool, `SELECT `+macroColumns+` FROM chat_macros WHERE removed_at IS NULL ORDER BY lower(name), id LIMIT $1`, MostMacros)
}

// Macro returns a macro. Refusals: ErrNoMacro.
func (s *Service) Macro(ctx context.Context, id int64) (Macro, error) {
	return macroOf(ctx, s.db.Pool, `id = $1`, id)
}

// MacroOfKey returns the macro with a key. Refusals: ErrNoKey.
func (s *Service) MacroOfKey(ctx context.Context, key int) (Macro, error) {
	m, err := macroOf(ctx, s.db.Pool, `key = $1`, key)
	if err == ErrNoMacro { //nolint:errorlint // it is returned as it is
		err = ErrNoKey.With("key", key)
	}
	return m, err
}

func macroOf(ctx context.Context, q db.Querier, condition string, value any) (Macro, error) {
	list, err := macros(ctx, q, `SELECT `+macroColumns+` FROM chat_macros WHERE removed_at IS NULL AND `+condition, value)
	if err != nil || len(list) == 0 {
		return Macro{}, firstOf(err, ErrNoMacro)
	}
	return list[0], nil
}

func macros(ctx context.Context, q db.Querier, sql string, values ...any) ([]Macro, error) {
	rows, err := q.Query(ctx, sql, values...)
	if err != nil {
		return nil, fmt.Errorf("list macros: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[Macro])
	if err != nil {
		return nil, fmt.Errorf("read macros: %w", err)
	}
	var people []int64
	for _, m := range list {
		people = append(people, given(m.TransferTo))
	}
	names, err := member.Names(ctx, q, people...)
	for i, m := range list {
		list[i].TransferName = names[given(m.TransferTo)]
	}
	return list, err
}

// read puts a macro in its form, or refuses it.
func (m *Macro) read() error {
	m.Name = strings.Join(strings.Fields(m.Name), " ")
	var kept []string
	for _, label := range Labels {
		if slices.Contains(m.About(), label) {
			kept = append(kept, label)
		}
	}
	if m.Ending != EndSnooze {
		m.Snooze = ""
	}
	if m.Ending != EndTransfer {
		m.TransferTo = nil
	}
	_, snoozes := SnoozeUntil(m.Snooze, time.Time{})
	switch {
	case m.Name == "" || utf8.RuneCountInString(m.Name) > LongestMacroName || !db.IsText(m.Name):
		return ErrMacroName
	case m.Key != nil && (*m.Key < 1 || *m.Key > MostKeys):
		return ErrMacroKey
	case len(kept) != len(m.About()):
		return ErrLabel
	case m.Priority != nil && !slices.Contains(Priorities, *m.Priority):
		return ErrPriority
	case !slices.Contains(Endings, m.Ending), m.Ending == EndSnooze && !snoozes:
		return ErrMacroEnd
	case m.Reply == "" && m.Priority == nil && len(kept) == 0 && m.Ending == NoEnding:
		return ErrMacroSteps
	}
	m.Labels = strings.Join(kept, ",")
	return nil
}

// SaveMacro writes a macro: a new one if its ID is 0, else a new version of the one seen. Refusals: fields, ErrMacros, ErrNoMacro, ErrChanged.
func (s *Service) SaveMacro(ctx context.Context, by audit.Actor, m Macro) error {
	if err := m.read(); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.checkMacroTx(ctx, tx, m); err != nil {
			return err
		}
		now := s.clock.Now()
		columns := []any{m.Name, m.Key, m.Reply, m.Priority, m.Labels, m.Ending, m.Snooze, m.TransferTo, by.ID, now}
		before := ""
		var err error
		if m.ID == 0 {
			err = tx.Conn.QueryRow(ctx, `INSERT INTO chat_macros (name, key, reply, priority, labels, ending, snooze, transfer_to, changed_by, changed_at)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`, columns...).Scan(&m.ID)
		} else {
			var stored Macro
			if stored, err = macroOf(ctx, tx.Conn, `id = $1`, m.ID); err != nil {
				return err
			}
			before = stored.text()
			err = changeMacroTx(ctx, tx, m, `name = $3, key = $4, reply = $5, priority = $6, labels = $7, ending = $8, snooze = $9, transfer_to = $10, changed_by = $11, changed_at = $12`, columns...)
		}
		switch {
		case db.IsUnique(err, "chat_macros_name"):
			return ErrMacroName
		case db.IsUnique(err, "chat_macros_key"):
			return ErrMacroKey
		case err != nil:
			return err
		}
		entry := audit.By(by, now, "chat.save_macro", "macro", m.ID)
		entry.Before, entry.After = before, m.text()
		return audit.RecordTx(ctx, tx, entry)
	})
}

// checkMacroTx refuses a macro that names what is not there, and one too many.
func (s *Service) checkMacroTx(ctx context.Context, tx *db.Tx, m Macro) error {
	var others int
	var answers bool
	err := tx.Conn.QueryRow(ctx, `SELECT (SELECT count(*) FROM chat_macros WHERE removed_at IS NULL), $1 = '' OR EXISTS (SELECT 1 FROM chat_replies WHERE slug = $1 AND removed_at IS NULL)`, m.Reply).Scan(&others, &answers)
	switch {
	case err != nil:
		return fmt.Errorf("check a macro: %w", err)
	case m.ID == 0 && others >= MostMacros:
		return ErrMacros
	case !answers:
		return ErrMacroReply
	case m.TransferTo == nil:
		return nil
	}
	people, err := member.Find(ctx, tx.Conn, *m.TransferTo)
	if err == nil && (len(people) == 0 || !people[0].Active) {
		err = ErrMacroEnd
	}
	return err
}

// RemoveMacro removes a macro. Refusals: ErrNoMacro, ErrChanged.
func (s *Service) RemoveMacro(ctx context.Context, by audit.Actor, id int64, version int) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		stored, err := macroOf(ctx, tx.Conn, `id = $1`, id)
		if err != nil {
			return err
		}
		now := s.clock.Now()
		if err := changeMacroTx(ctx, tx, Macro{ID: id, Version: version}, `removed_at = $3`, now); err != nil {
			return err
		}
		entry := audit.By(by, now, "chat.remove_macro", "macro", id)
		entry.Before = stored.text()
		return audit.RecordTx(ctx, tx, entry)
	})
}

func changeMacroTx(ctx context.Context, tx *db.Tx, m Macro, columns string, values ...any) error {
	done, err := tx.Conn.Exec(ctx, `UPDATE chat_macros SET version = version + 1, `+columns+` WHERE id = $1 AND version = $2 AND removed_at IS NULL`, append([]any{m.ID, m.Version}, values...)...)
	if err == nil && done.RowsAffected() == 0 {
		err = ErrChanged
	}
	return err
}

// Text is what a macro sends, filled in for the customer; empty if it sends nothing. Refusals: ErrNoReply, ErrVariable.
func (m Macro) Text(replies map[string]Reply, values map[string]string) (string, error) {
	if m.Reply == "" {
		return "", nil
	}
	reply, is := replies[m.Reply]
	if !is {
		return "", ErrNoReply.With("name", m.Reply)
	}
	text, missing := Fill(reply.Body, values)
	if len(missing) > 0 {
		return "", ErrVariable.With("name", missing[0])
	}
	return text, nil
}
