package support

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/staff/member"
)

// Filter narrows the inbox.
type Filter struct {
	Mine     int64  // the owner; 0 for any
	Nobody   bool   // only without an owner
	State    State  // empty for all that are neither snoozed nor ended; with words or a trader, for all
	Language string // empty for all
	TraderID int64  // 0 for all
	Words    string // in any message or note, also inside words; results are then sorted by newest message
}

// Row is a conversation in the inbox. In a search, its last message is the newest match.
type Row struct {
	Conversation
	AgentName string `db:"-"`
	LastBody  string
	LastKind  Kind
	LastBy    Author
	Unread    int // customer messages that no agent has read
}

const (
	inboxSize = 100
	hits      = 1000 // matching messages that a search considers, newest first
)

const narrowed = `($1::bigint = 0 OR agent_id = $1) AND (NOT $2 OR agent_id IS NULL) AND ($4 = '' OR language = $4) AND ($5::bigint = 0 OR trader_id = $5)`

// Inbox lists at most 100 conversations: waits by priority, then the longest wait, then the most recently moved.
func (s *Service) Inbox(ctx context.Context, f Filter) ([]Row, error) {
	if strings.TrimSpace(f.Words) != "" {
		return s.search(ctx, f)
	}
	order := `CASE WHEN c.waiting_since IS NOT NULL THEN c.priority END DESC NULLS LAST, c.waiting_since NULLS LAST, c.moved_at DESC, c.id`
	if f.State == Resolved || f.State == Closed || f.TraderID != 0 {
		order = `c.moved_at DESC, c.id DESC`
	}
	return s.rows(ctx, `
		WITH found AS (
			SELECT `+db.Columns[Conversation]()+` FROM conversations c
			WHERE `+narrowed+` AND CASE WHEN $3 = '' THEN state NOT IN ('snoozed', 'resolved', 'closed') OR $5 <> 0 ELSE state::text = $3 END
			ORDER BY `+order+` LIMIT $6)
		SELECT c.*, `+rowColumns+` FROM found c
		LEFT JOIN LATERAL (SELECT body, kind, author FROM chat_messages WHERE conversation_id = c.id AND kind <> 'event' ORDER BY id DESC LIMIT 1) m ON true
		ORDER BY `+order, f.Mine, f.Nobody, f.State, f.Language, f.TraderID, inboxSize)
}

const rowColumns = `coalesce(m.body, '') AS last_body, coalesce(m.kind::text, '') AS last_kind, coalesce(m.author::text, '') AS last_by,
	(SELECT count(*) FROM chat_messages u WHERE u.conversation_id = c.id AND u.id > c.agent_read AND u.author = 'customer') AS unread`

// searchSQL finds the newest messages that contain every word, one per conversation. Notes are included: everyone with access to the inbox may read them.
func searchSQL(among string) string {
	return `
	WITH hits AS (
		SELECT m.id, m.conversation_id FROM ` + among + ` AND m.body ILIKE ALL ($7) AND ` + narrowed + ` AND $3 IN ('', state::text)
		ORDER BY m.id DESC LIMIT $8),
	newest AS (SELECT conversation_id, max(id) AS hit FROM hits GROUP BY conversation_id ORDER BY hit DESC LIMIT $9),
	found AS (SELECT ` + db.Columns[Conversation]() + ` FROM conversations WHERE id IN (SELECT conversation_id FROM newest))
	SELECT c.*, ` + rowColumns + ` FROM newest n JOIN found c ON c.id = n.conversation_id JOIN chat_messages m ON m.id = n.hit
	ORDER BY n.hit DESC`
}

// Sources of a search: common words appear among the newest messages; the index of character pairs finds rare ones.
const (
	amongNewest = `(SELECT id, conversation_id, body FROM chat_messages WHERE kind <> 'event' ORDER BY id DESC LIMIT 2000) m JOIN conversations c ON c.id = m.conversation_id WHERE $6::text <> ''`
	byPairs     = `chat_messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.kind <> 'event' AND chat_pairs(m.body) @> chat_pairs($6)`
)

// search lists the conversations of the newest 1000 matching messages, newest first. The database plans it for the actual words.
func (s *Service) search(ctx context.Context, f Filter) (list []Row, err error) {
	words := strings.Join(strings.Fields(f.Words), " ")
	for _, among := range []string{amongNewest, byPairs} {
		list, err = s.rows(ctx, searchSQL(among), pgx.QueryExecModeCacheDescribe, f.Mine, f.Nobody, f.State, f.Language, f.TraderID, words, patterns(f.Words), hits, inboxSize)
		if err != nil || len(list) == inboxSize {
			return list, err
		}
	}
	return list, nil
}

func (s *Service) rows(ctx context.Context, sql string, values ...any) ([]Row, error) {
	rows, err := s.db.Pool.Query(ctx, sql, values...)
	if err != nil {
		return nil, fmt.Errorf("list conversations: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[Row])
	if err != nil {
		return nil, err
	}
	agents := make([]int64, len(list))
	for i, row := range list {
		agents[i] = given(row.AgentID)
	}
	names, err := member.Names(ctx, s.db.Pool, agents...)
	for i, agent := range agents {
		list[i].AgentName = names[agent]
	}
	return list, err
}

// Counts are the numbers on the inbox tabs. Only MineSnoozed, Nobody, Snoozed and Reopened count snoozed conversations, and none counts ended ones.
type Counts struct {
	Mine, Nobody, All    int
	MineSnoozed, Snoozed int
	Reopened             int // in the last day
	Waiting              int // for an answer
	Languages            map[string]int
}

// Count counts the conversations of a language (empty for all); Languages always covers every language.
func (s *Service) Count(ctx context.Context, agentID int64, language string) (n Counts, err error) {
	err = s.db.Pool.QueryRow(ctx, `
		SELECT count(*) FILTER (WHERE agent_id = $1 AND state <> 'snoozed'), count(*) FILTER (WHERE agent_id IS NULL), count(*) FILTER (WHERE state <> 'snoozed'),
			count(*) FILTER (WHERE agent_id = $1 AND state = 'snoozed'), count(*) FILTER (WHERE state = 'snoozed'), count(*) FILTER (WHERE reopened_at > $2),
			count(*) FILTER (WHERE waiting_since IS NOT NULL AND state <> 'snoozed')
		FROM conversations WHERE state NOT IN ('resolved', 'closed') AND ($3 = '' OR language = $3)`, agentID, s.clock.Now().Add(-24*time.Hour), language).Scan(&n.Mine, &n.Nobody, &n.All, &n.MineSnoozed, &n.Snoozed, &n.Reopened, &n.Waiting)
	if err != nil {
		return n, fmt.Errorf("count conversations: %w", err)
	}
	n.Languages = map[string]int{}
	rows, err := s.db.Pool.Query(ctx, `SELECT language, count(*) FROM conversations WHERE state NOT IN ('snoozed', 'resolved', 'closed') GROUP BY language`)
	if err != nil {
		return n, err
	}
	defer rows.Close()
	for rows.Next() {
		var language string
		var count int
		if err := rows.Scan(&language, &count); err != nil {
			return n, err
		}
		n.Languages[language] = count
	}
	return n, rows.Err()
}

// Call is an agent's own conversation, as their notification shows it on any page.
type Call struct {
	ID       int64
	TraderID int64 // 0 for a visitor's
	Waits    bool  // the customer waits for an answer
	Last     int64 // the newest customer message, or the handover to the agent
	Given    bool  // Last is the handover
	Unread   bool
}

// Calls lists an agent's own conversations that are not snoozed, the longest wait first; at most 100.
func (s *Service) Calls(ctx context.Context, agentID int64) ([]Call, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT c.id, coalesce(c.trader_id, 0), c.waiting_since IS NOT NULL, m.id, m.author <> 'customer', m.id > c.agent_read
		FROM conversations c CROSS JOIN LATERAL (
			SELECT id, author FROM chat_messages WHERE conversation_id = c.id AND (author = 'customer' OR staff_id = $1 AND body IN ('chat.assign', 'chat.transfer')) ORDER BY id DESC LIMIT 1) m
		WHERE c.agent_id = $1 AND c.state IN ('open', 'waiting_customer') ORDER BY c.waiting_since NULLS LAST, c.id LIMIT $2`, agentID, inboxSize)
	if err != nil {
		return nil, fmt.Errorf("list the conversations of agent %d: %w", agentID, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Call])
}

// Refusal is a request that the product refused.
type Refusal struct {
	Code, Call, TraceID string
	At                  time.Time
}

// Refusals lists a trader's last refusals, newest first.
func (s *Service) Refusals(ctx context.Context, traderID int64, limit int) ([]Refusal, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT code, call, trace_id, at FROM refusals WHERE trader_id = $1 ORDER BY id DESC LIMIT $2`, traderID, limit)
	if err != nil {
		return nil, fmt.Errorf("list refusals: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Refusal])
}

// ListedRefusal is a refusal with its place in the list.
type ListedRefusal struct {
	ID int64
	Refusal
}

// RefusalsOf lists a trader's refusals of some calls, newest first, before the given id (0 for the newest). next is the id before which the next page begins,
// 0 after the last.
func (s *Service) RefusalsOf(ctx context.Context, traderID int64, calls []string, before int64, limit int) (list []ListedRefusal, next int64, err error) {
	l := db.List{Columns: "id, code, call, trace_id, at", Table: "refusals", Order: "id DESC", Limit: limit}
	l.Rows("trader_id = ?", traderID)
	l.RowsIf(before != 0, "id < ?", before)
	l.KeepIf(true, "call = ANY(?)", calls)
	return db.Read(ctx, s.db.Pool, l, func(row pgx.CollectableRow) (r ListedRefusal, err error) {
		return r, row.Scan(&r.ID, &r.Code, &r.Call, &r.TraceID, &r.At)
	}, func(r ListedRefusal) int64 { return r.ID })
}

// RecordRefusal records a refusal for support. It never blocks: if too many come at once, some are dropped.
func (s *Service) RecordRefusal(traderID int64, r Refusal) {
	select {
	case s.noted <- noted{traderID, r}:
	default:
	}
}

// noted is a refusal that is not stored yet.
type noted struct {
	traderID int64
	Refusal
}

// StoreRefusals stores noted refusals until ctx ends.
func (s *Service) StoreRefusals(ctx context.Context) error {
	for {
		select {
		case n := <-s.noted:
			_, err := s.db.Pool.Exec(ctx, `INSERT INTO refusals (trader_id, code, call, trace_id, at) VALUES ($1, $2, $3, $4, $5)`, n.traderID, n.Code, n.Call, n.TraceID, n.At)
			if err != nil && ctx.Err() == nil {
				slog.Warn("a refusal could not be kept for support", "trader", n.traderID, "code", n.Code, "error", err)
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// DeleteOldRefusals deletes refusals older than a week.
func (s *Service) DeleteOldRefusals(ctx context.Context) error {
	_, err := s.db.Pool.Exec(ctx, `DELETE FROM refusals WHERE at < $1`, s.clock.Now().AddDate(0, 0, -7))
	return err
}
