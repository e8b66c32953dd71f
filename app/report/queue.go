package report

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Pace is how quickly a queue was worked on: how many items were decided, how many of them within the target, and the median in seconds.
type Pace struct {
	Decided int64
	OnTime  Figure // share in hundredths of a percent
	Median  Figure
}

// queue says, in the words of the audit log, what makes an item of a queue wait and what decides it.
type queue struct {
	kind   string
	begins []string
	ends   []string
	first  string // an act of the first person that decides only where it leads to the state final
	final  string
}

// queues are those of the navigation, by its ids.
var queues = map[string]queue{
	"deposits": {
		kind: "deposit", begins: []string{"deposit.prove", "deposit.differ", "deposit.appeal", "deposit.hold", "deposit.unclear", "deposit.take_up", "deposit.request"},
		ends: []string{"deposit.confirm", "deposit.reject", "deposit.ask", "deposit.confirm_refund"}, first: "deposit.approve", final: "credited",
	},
	"withdrawals": {kind: "withdrawal", begins: []string{"withdrawal.request", "withdrawal.reply"}, ends: []string{"withdrawal.approve_payout", "withdrawal.reject", "withdrawal.ask"}},
	"adjustments": {kind: "adjustment", begins: []string{"adjustment.request"}, ends: []string{"adjustment.approve", "adjustment.refuse"}},
	"identity": {
		kind: "kyc", begins: []string{"kyc.submit", "kyc.request_level"}, ends: []string{"kyc.confirm", "kyc.ask_again", "kyc.reject_final", "kyc.approve_level", "kyc.refuse_level"},
		first: "kyc.approve", final: "approved",
	},
	"switches": {kind: "switch", begins: []string{"switch.request"}, ends: []string{"switch.approve", "switch.refuse"}},
	"content":  {kind: "notice", begins: []string{"notice.request"}, ends: []string{"notice.approve", "notice.refuse"}},
	"products": {kind: "product", begins: []string{"product.request"}, ends: []string{"product.approve", "product.refuse"}},
}

// Pace adds up what staff decided in a queue since a moment, within a target; ok is false for a queue that is not measured. An item counts once, by its last
// decision, and at most maxRows count.
func (s *Service) Pace(ctx context.Context, name string, since time.Time, target time.Duration) (p Pace, ok bool, err error) {
	q, ok := queues[name]
	if !ok {
		return p, false, nil
	}
	rows, err := s.db.Pool.Query(ctx, `
		SELECT DISTINCT ON (e.target_id) extract(epoch FROM e.at - b.at)::bigint FROM audit_entries e, LATERAL (
			SELECT at FROM audit_entries WHERE target_id = e.target_id AND target_kind = $1 AND action = ANY($2) AND at <= e.at AND id < e.id ORDER BY at DESC, id DESC LIMIT 1) b
		WHERE e.target_kind = $1 AND (e.action = ANY($3) OR e.action = $4 AND e.after LIKE '%"state":"' || $5 || '"%') AND e.actor_kind = 'staff' AND e.result = 'done' AND e.at >= $6
		ORDER BY e.target_id, e.id DESC LIMIT $7`, q.kind, q.begins, q.ends, q.first, q.final, since, maxRows)
	if err != nil {
		return p, true, fmt.Errorf("measure the queue %s: %w", name, err)
	}
	waits, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return p, true, fmt.Errorf("measure the queue %s: %w", name, err)
	}
	within := int64(0)
	for _, wait := range waits {
		if wait <= int64(target/time.Second) {
			within++
		}
	}
	return paceOf(waits, within), true, nil
}

func paceOf(waits []int64, within int64) Pace {
	n := int64(len(waits))
	return Pace{Decided: n, OnTime: share(within, n), Median: quantile(waits, 50)}
}

// ChatPace is Pace of conversations that began since a moment and got their first answer, against their own service times in support hours; with an agent, of
// theirs alone. The newest maxRows count.
func (s *Service) ChatPace(ctx context.Context, since time.Time, agent int64) (Pace, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT answered_in::bigint, answered_late FROM conversations
		WHERE created_at >= $1 AND answered_in IS NOT NULL AND ($2::bigint = 0 OR agent_id = $2) ORDER BY created_at DESC LIMIT $3`, since, agent, maxRows)
	if err != nil {
		return Pace{}, fmt.Errorf("measure conversations: %w", err)
	}
	var waits []int64
	var within, wait int64
	var late bool
	_, err = pgx.ForEachRow(rows, []any{&wait, &late}, func() error {
		if waits = append(waits, wait); !late {
			within++
		}
		return nil
	})
	if err != nil {
		return Pace{}, fmt.Errorf("measure conversations: %w", err)
	}
	return paceOf(waits, within), nil
}
