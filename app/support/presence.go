package support

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/staff/member"
	"candor/app/trader"
)

const (
	awayAfter = 35 * time.Second // an agent's page reports presence every 10 s
	leftAfter = 5 * time.Minute  // then customers who wait for the agent return to the queue
)

// AnyLanguage among the languages of an agent also takes what nobody on shift speaks.
const AnyLanguage = "any"

// ErrLanguages refuses malformed language codes, or too many of them.
var ErrLanguages = errs.Field("language", "field.unknown")

// languageForm matches the app's language codes: "en", "zh_CN".
var languageForm = regexp.MustCompile(`^[A-Za-z]{2,3}(_[A-Za-z]{2,4})?$`)

const mostLanguages = 100

// Agent is an agent who is online.
type Agent struct {
	StaffID   int64
	Name      string
	Accepting bool     // takes chats: others may hand them conversations, and so does the queue
	Load      int      // conversations that count against Capacity: open, or answered and not resolved
	Languages []string // that they take, AnyLanguage among them; without any, the queue hands them nothing
}

// Speaks reports whether an agent has chosen a language by its name.
func (a Agent) Speaks(language string) bool { return slices.Contains(a.Languages, language) }

// Takes reports whether the queue may hand an agent a conversation in a language.
func (a Agent) Takes(language string) bool {
	return a.Speaks(language) || slices.Contains(a.Languages, AnyLanguage)
}

// Present records that an agent's page is open.
func (s *Service) Present(ctx context.Context, staffID int64) error {
	now := s.clock.Now()
	var came bool
	err := s.db.Pool.QueryRow(ctx, `
		WITH before AS (SELECT seen_at FROM chat_agents WHERE staff_id = $1)
		INSERT INTO chat_agents (staff_id, seen_at) VALUES ($1, $2) ON CONFLICT (staff_id) DO UPDATE SET seen_at = excluded.seen_at
		RETURNING coalesce((SELECT seen_at < $3 FROM before), true)`, staffID, now, now.Add(-awayAfter)).Scan(&came)
	if err == nil && came {
		s.publish(Event{What: Desk, AgentID: staffID})
	}
	return err
}

// SignedIn turns off that an agent takes chats: who signs in takes none before they say so.
func (s *Service) SignedIn(ctx context.Context, by audit.Actor) error {
	var accepting bool
	err := s.db.Pool.QueryRow(ctx, `SELECT coalesce((SELECT accepting FROM chat_agents WHERE staff_id = $1), false)`, by.ID).Scan(&accepting)
	if err != nil || !accepting {
		return err
	}
	return s.Accept(ctx, by, false)
}

// Accept sets whether an agent takes chats.
func (s *Service) Accept(ctx context.Context, by audit.Actor, accepting bool) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		_, err := tx.Conn.Exec(ctx, `INSERT INTO chat_agents (staff_id, seen_at, accepting) VALUES ($1, $2, $3) ON CONFLICT (staff_id) DO UPDATE SET accepting = $3, seen_at = $2`, by.ID, now, accepting)
		if err != nil {
			return err
		}
		tx.AfterCommit(func() { s.publish(Event{What: Desk, AgentID: by.ID}) })
		action := "chat.away"
		if accepting {
			action = "chat.accepting"
		}
		return audit.RecordTx(ctx, tx, audit.By(by, now, action, "staff", by.ID))
	})
}

// SetLanguages replaces the languages that an agent takes. Refusals: ErrLanguages.
func (s *Service) SetLanguages(ctx context.Context, by audit.Actor, languages []string) error {
	languages = slices.Compact(slices.Sorted(slices.Values(languages)))
	if len(languages) > mostLanguages || slices.ContainsFunc(languages, func(code string) bool { return !languageForm.MatchString(code) }) {
		return ErrLanguages
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		var before string
		now, after := s.clock.Now(), strings.Join(languages, ",")
		_, err := tx.Conn.Exec(ctx, `INSERT INTO chat_agents (staff_id, seen_at) VALUES ($1, $2) ON CONFLICT (staff_id) DO UPDATE SET seen_at = $2`, by.ID, now)
		if err == nil {
			err = tx.Conn.QueryRow(ctx, `SELECT languages FROM chat_agents WHERE staff_id = $1`, by.ID).Scan(&before)
		}
		if err == nil {
			_, err = tx.Conn.Exec(ctx, `UPDATE chat_agents SET languages = $2 WHERE staff_id = $1`, by.ID, after)
		}
		if err != nil {
			return fmt.Errorf("keep the languages of agent %d: %w", by.ID, err)
		}
		tx.AfterCommit(func() { s.publish(Event{What: Desk, AgentID: by.ID}) })
		entry := audit.By(by, now, "chat.languages", "staff", by.ID)
		entry.Before, entry.After = fmt.Sprintf(`{"languages":%q}`, before), fmt.Sprintf(`{"languages":%q}`, after)
		return audit.RecordTx(ctx, tx, entry)
	})
}

// LanguagesOf lists the languages that an agent takes.
func (s *Service) LanguagesOf(ctx context.Context, staffID int64) ([]string, error) {
	var text string
	err := s.db.Pool.QueryRow(ctx, `SELECT coalesce((SELECT languages FROM chat_agents WHERE staff_id = $1), '')`, staffID).Scan(&text)
	if err != nil || text == "" {
		return nil, err
	}
	return strings.Split(text, ","), nil
}

// Agents lists the online agents, by name.
func (s *Service) Agents(ctx context.Context) ([]Agent, error) { return s.agents(ctx, s.db.Pool) }

func (s *Service) agents(ctx context.Context, q db.Querier) (list []Agent, err error) {
	active, err := member.Active(ctx, q)
	if err != nil {
		return nil, err
	}
	names := map[int64]string{}
	for _, m := range active {
		names[m.ID] = m.Name
	}
	rows, err := q.Query(ctx, `
		SELECT a.staff_id, a.accepting, string_to_array(a.languages, ','), (SELECT count(*) FROM conversations c WHERE c.agent_id = a.staff_id AND c.state IN ('open', 'waiting_customer'))
		FROM chat_agents a WHERE a.seen_at > $1 AND a.staff_id = ANY ($2)`, s.clock.Now().Add(-awayAfter), member.IDs(active))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a Agent
		if err := rows.Scan(&a.StaffID, &a.Accepting, &a.Languages, &a.Load); err != nil {
			return nil, err
		}
		a.Name = names[a.StaffID]
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b Agent) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.StaffID, b.StaffID)) })
	return list, rows.Err()
}

// isPresentTx reports whether an agent was online within a period.
func (s *Service) isPresentTx(ctx context.Context, q db.Querier, staffID int64, within time.Duration) (there bool, err error) {
	people, err := member.Find(ctx, q, staffID)
	if err != nil || len(people) == 0 || !people[0].Active {
		return false, err
	}
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM chat_agents WHERE staff_id = $1 AND seen_at > $2)`, staffID, s.clock.Now().Add(-within)).Scan(&there)
	return there, err
}

// takesTx reports whether an agent is online and takes chats.
func (s *Service) takesTx(ctx context.Context, q db.Querier, staffID int64) (takes bool, err error) {
	there, err := s.isPresentTx(ctx, q, staffID, awayAfter)
	if err != nil || !there {
		return false, err
	}
	err = q.QueryRow(ctx, `SELECT accepting FROM chat_agents WHERE staff_id = $1`, staffID).Scan(&takes)
	return takes, err
}

// Viewing publishes to other agents that an agent views a thread.
func (s *Service) Viewing(ctx context.Context, id int64, agent Agent) error {
	return s.signal(ctx, id, Activity{AgentID: agent.StaffID, Name: agent.Name}, viewLife)
}

// Typing publishes to the customer and other agents that an agent is typing; it expires after 6 s, or at once if typing is false.
func (s *Service) Typing(ctx context.Context, id int64, agent Agent, typing bool) error {
	return s.signal(ctx, id, Activity{AgentID: agent.StaffID, Name: agent.Name, Typing: true}, lifeOf(typing))
}

func lifeOf(typing bool) time.Duration {
	if typing {
		return typingLife
	}
	return 0
}

func (s *Service) signal(ctx context.Context, id int64, a Activity, life time.Duration) error {
	c, err := s.Get(ctx, id)
	if err == nil {
		s.setActivity(c, a, life)
	}
	return err
}

// CustomerTypes publishes to agents that a customer is typing, or has stopped. Without a current conversation it does nothing.
func (s *Service) CustomerTypes(ctx context.Context, from Customer, typing bool) error {
	if err := from.read(); err != nil {
		return err
	}
	c, err := ofCustomer(s.db.Rows(ctx), from)
	if err == nil && c.ID != 0 {
		s.setActivity(c, Activity{Typing: true}, lifeOf(typing))
	}
	return err
}

var system = audit.Actor{Kind: audit.System, Name: "system"}

// queue selects the queued conversations, each with its turn among those of the same customer; $1 are the registered traders among them. Visitors and guests
// of one network count as one customer: however many they begin, every other customer waits for only one of them.
const queue = `(
	SELECT c.id, c.priority, coalesce(c.waiting_since, c.moved_at) AS since,
		row_number() OVER (PARTITION BY CASE WHEN t.id IS NULL THEN c.from_ip ELSE c.trader_id::text END ORDER BY coalesce(c.waiting_since, c.moved_at), c.id) AS turn
	FROM conversations c LEFT JOIN unnest($1::bigint[]) t (id) ON t.id = c.trader_id WHERE c.state = 'queued') waiting`

const queueOrder = `priority DESC, turn, since, id`

// registered lists the registered traders with a queued conversation. One who is not among them yet waits with the guests of the network.
func registered(ctx context.Context, q db.Querier) ([]int64, error) {
	traders, err := ids(ctx, q, `SELECT trader_id FROM conversations WHERE state = 'queued' AND trader_id IS NOT NULL`)
	if err != nil {
		return nil, err
	}
	guests, err := trader.Guests(ctx, q, traders...)
	return slices.DeleteFunc(traders, func(id int64) bool { return guests[id] }), err
}

// queued lists the first conversations of the queue.
func queued(ctx context.Context, q db.Querier, limit int) ([]int64, error) {
	traders, err := registered(ctx, q)
	if err != nil {
		return nil, err
	}
	return ids(ctx, q, `SELECT id FROM `+queue+` ORDER BY `+queueOrder+` LIMIT $2`, traders, limit)
}

// position is a conversation's position in the queue, from 1; 0 if it is no longer queued.
func position(ctx context.Context, q db.Querier, id int64) (place int, err error) {
	traders, err := registered(ctx, q)
	if err != nil {
		return 0, err
	}
	err = q.QueryRow(ctx, `SELECT place FROM (SELECT id, row_number() OVER (ORDER BY `+queueOrder+`) AS place FROM `+queue+`) placed WHERE id = $2`, traders, id).Scan(&place)
	if errors.Is(err, pgx.ErrNoRows) { // an agent has claimed it meanwhile
		err = nil
	}
	return place, err
}

// Assign hands queued conversations, in queue order, to online agents who take chats and are below Capacity: to the least loaded of those who speak the
// language, else of those who take any. What neither takes stays in the queue; Unassigned says why.
func (s *Service) Assign(ctx context.Context) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtext('chat.assign'))`); err != nil {
			return err
		}
		agents, err := s.agents(ctx, tx.Conn)
		if err != nil {
			return err
		}
		waiting, err := queued(ctx, tx.Conn, 50)
		for i := 0; err == nil && i < len(waiting); i++ {
			err = s.assignTx(ctx, tx, agents, waiting[i])
		}
		return err
	})
}

// assignTx assigns one conversation, if an agent can take it.
func (s *Service) assignTx(ctx context.Context, tx *db.Tx, agents []Agent, id int64) error {
	c, err := lockTx(tx, id)
	if err != nil || c.State != Queued {
		return err
	}
	best := -1
	for i, a := range agents {
		if !a.free() || !a.Takes(c.Language) || best >= 0 && !agents[best].yields(a, c.Language) {
			continue
		}
		if c.TraderID != nil {
			if err := trader.CheckConflict(ctx, tx.Conn, a.StaffID, *c.TraderID); err != nil {
				if err == trader.ErrOwn { //nolint:errorlint // it is returned as it is
					continue
				}
				return err
			}
		}
		best = i
	}
	if best < 0 {
		return nil
	}
	agents[best].Load++
	return s.doTx(ctx, tx, system, &c, "chat.assign", map[string]any{"state": Open, "agent_id": agents[best].StaffID})
}

// yields reports whether another agent should get a conversation in a language rather than a.
func (a Agent) yields(other Agent, language string) bool {
	if a.Speaks(language) != other.Speaks(language) {
		return other.Speaks(language)
	}
	return other.Load < a.Load
}

func (a Agent) free() bool { return a.Accepting && a.Load < Capacity }

// Unassigned is why the queue hands a conversation to nobody.
type Unassigned string

// The reasons.
const (
	Assignable Unassigned = "" // somebody takes it, or soon will
	NobodyHere Unassigned = "nobody"
	NoSpeaker  Unassigned = "language"
	AllFull    Unassigned = "full"
)

// WhyUnassigned is why none of the online agents gets a queued conversation in a language.
func WhyUnassigned(agents []Agent, language string) Unassigned {
	why := NobodyHere
	for _, a := range agents {
		switch {
		case !a.Accepting:
		case a.Takes(language) && a.free():
			return Assignable
		case a.Takes(language):
			why = AllFull
		case why == NobodyHere:
			why = NoSpeaker
		}
	}
	return why
}

func ids(ctx context.Context, q db.Querier, sql string, values ...any) (list []int64, err error) {
	rows, err := q.Query(ctx, sql, values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		list = append(list, id)
	}
	return list, rows.Err()
}

// RouteQueue makes the moves that depend on time: it ends due snoozes, resolves silent conversations, closes resolved ones, queues offline messages when
// working hours begin, and requeues customers who wait for an agent who has left. Then it assigns the queue.
func (s *Service) RouteQueue(ctx context.Context) error {
	now := s.clock.Now()
	begun, err := s.openLanguages(ctx, now)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		from   State
		since  string
		before time.Time
		action string
		into   func(c Conversation) map[string]any
	}{
		{Snoozed, "snoozed_until", now, "chat.wake", func(c Conversation) map[string]any { return woken(c, now) }},
		{WaitingCustomer, "moved_at", now.Add(-SilentAfter), "chat.silent", func(Conversation) map[string]any {
			return map[string]any{"state": Resolved, "resolved_at": now, "resolved_by": nil, "resolved_in": nil, "resolved_late": false, "waiting_since": nil, "woken_at": nil, "rating": nil, "rated_at": nil}
		}},
		{Resolved, "resolved_at", now.Add(-CloseAfter), "chat.close", func(Conversation) map[string]any { return map[string]any{"state": Closed} }},
		{OfflineMessage, "created_at", now, "chat.hours", func(Conversation) map[string]any { return map[string]any{"state": Queued} }},
	} {
		due, err := ids(ctx, s.db.Pool, `SELECT id FROM conversations WHERE state = $1 AND `+step.since+` <= $2 AND (state <> $3 OR language = ANY ($4)) ORDER BY id LIMIT 200`,
			step.from, step.before, OfflineMessage, begun)
		if err != nil {
			return err
		}
		for _, id := range due {
			_, err := s.act(ctx, system, id, 0, step.action, func(_ *db.Tx, c Conversation) (map[string]any, error) {
				if c.State != step.from || c.State == WaitingCustomer && c.MovedAt.After(step.before) {
					return nil, nil
				}
				return step.into(c), nil
			})
			if err != nil {
				return err
			}
		}
	}
	if err := s.requeueAbsent(ctx); err != nil {
		return err
	}
	return s.Assign(ctx)
}

// openLanguages lists the languages of offline messages whose working hours have begun.
func (s *Service) openLanguages(ctx context.Context, now time.Time) (languages []string, err error) {
	table, err := s.Timetable(ctx)
	if err != nil {
		return nil, err
	}
	if err = s.db.Rows(ctx).Model(&Conversation{}).Where("state = ?", OfflineMessage).Distinct().Pluck("language", &languages).Error; err != nil {
		return nil, fmt.Errorf("list the languages of the night: %w", err)
	}
	return slices.DeleteFunc(languages, func(language string) bool { return !table.For(language).Open(now) }), nil
}

// woken returns the changes for a snooze that has ended: the agent has to act, and a wait starts unless one is running.
func woken(c Conversation, now time.Time) map[string]any {
	since := c.WaitingSince
	if since == nil {
		since = &now
	}
	return map[string]any{"state": Open, "snoozed_until": nil, "waiting_since": since, "woken_at": now}
}

// requeueAbsent requeues conversations whose customers wait for agents who have left.
func (s *Service) requeueAbsent(ctx context.Context) error {
	active, err := member.Active(ctx, s.db.Pool)
	if err != nil {
		return err
	}
	left, err := ids(ctx, s.db.Pool, `
		SELECT c.id FROM conversations c WHERE c.state = 'open' AND c.waiting_since IS NOT NULL AND NOT EXISTS (
			SELECT 1 FROM chat_agents a WHERE a.staff_id = c.agent_id AND a.seen_at > $1 AND a.staff_id = ANY ($2))
		ORDER BY c.id LIMIT 200`, s.clock.Now().Add(-leftAfter), member.IDs(active))
	if err != nil {
		return err
	}
	for _, id := range left {
		_, err := s.act(ctx, system, id, 0, "chat.release", func(tx *db.Tx, c Conversation) (map[string]any, error) {
			if c.State != Open || c.WaitingSince == nil {
				return nil, nil
			}
			there, err := s.isPresentTx(ctx, tx.Conn, given(c.AgentID), leftAfter)
			if err != nil || there {
				return nil, err
			}
			return map[string]any{"state": Queued, "agent_id": nil}, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
