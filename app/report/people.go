package report

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/staff/member"
)

// kase is one case of identity or chat as it counts in a report.
type kase struct {
	day      int
	what     string // of an identity: what happened
	staff    int64
	language string
	answered *int64 // seconds of support hours to the first answer, or seconds from the submission to the decision
	late     bool   // the answer came after the service time
	resolved *int64 // seconds of support hours to the resolution
	rating   int64
}

func (s *Service) cases(ctx context.Context, about, sql string, args ...any) ([]kase, error) {
	rows, err := s.db.Pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("report on %s: %w", about, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct {
		Day      int
		What     string
		Staff    int64
		Language string
		Answered *int64
		Late     bool
		Resolved *int64
		Rating   int64
	}])
	if err != nil {
		return nil, fmt.Errorf("report on %s: %w", about, err)
	}
	if len(list) > maxRows {
		return nil, ErrTooMany
	}
	out := make([]kase, len(list))
	for i, c := range list {
		out[i] = kase{c.Day, c.What, c.Staff, c.Language, c.Answered, c.Late, c.Resolved, c.Rating}
	}
	return out, nil
}

// group puts cases that have the same key together.
func group[K comparable](list []kase, key func(kase) K) map[K][]kase {
	out := map[K][]kase{}
	for _, c := range list {
		out[key(c)] = append(out[key(c)], c)
	}
	return out
}

// byDay has a row for every day, and the figures of all of them as the total.
func byDay(span Span, columns []Column, list []kase, sum func([]kase) []Figure) Table {
	t, of := Table{Columns: columns}, group(list, func(c kase) int { return c.day })
	for i, day := range span.Days() {
		t.Rows = append(t.Rows, Row{Day: day, Figures: sum(of[i+1])})
	}
	t.Totals = []Row{{Figures: sum(list)}}
	return t
}

// byWeek has a row for every week, which its Monday names, and the figures of all of them as the total.
func byWeek(span Span, columns []Column, list []kase, sum func([]kase) []Figure) Table {
	t, of := Table{Columns: columns}, group(list, func(c kase) time.Time { return mondayOf(span.days[c.day-1]) })
	for _, week := range span.Weeks() {
		t.Rows = append(t.Rows, Row{Day: week, Figures: sum(of[week])})
	}
	t.Totals = []Row{{Figures: sum(list)}}
	return t
}

// byStaff has a row for every member of staff, by name.
func (s *Service) byStaff(ctx context.Context, columns []Column, list []kase, sum func([]kase) []Figure) (Table, error) {
	t, of := Table{Columns: columns}, group(list, func(c kase) int64 { return c.staff })
	names, err := member.Names(ctx, s.db.Pool, slices.Collect(maps.Keys(of))...)
	if err != nil {
		return t, err
	}
	for _, id := range slices.SortedFunc(maps.Keys(of), func(a, b int64) int { return cmp.Or(cmp.Compare(names[a], names[b]), cmp.Compare(a, b)) }) {
		row := Row{Name: names[id], Figures: sum(of[id])}
		if id == 0 {
			row.Key = "nobody"
		}
		t.Rows = append(t.Rows, row)
	}
	t.Totals = []Row{{Figures: sum(list)}}
	return t, nil
}

// What happens to an identity case, as reports count it.
const (
	submitted = "submitted"
	approved  = "approved"
	again     = "asked_again"
	rejected  = "rejected"
)

// identityColumns are the columns of both identity reports.
var identityColumns = []Column{{submitted, Count, true}, {approved, Count, true}, {again, Count, true}, {rejected, Count, true}, {"median", Seconds, false}}

// identityActs reads what happened to identity cases, from the audit log: the cases themselves only know their last state.
func (s *Service) identityActs(ctx context.Context, span Span) ([]kase, error) {
	return s.cases(ctx, "identities", `
		SELECT width_bucket(e.at, $1::timestamptz[]), x.what, CASE WHEN x.what = 'submitted' THEN 0 ELSE e.actor_id END, '',
		       CASE WHEN x.what <> 'submitted' THEN (SELECT extract(epoch FROM e.at - b.at)::bigint FROM audit_entries b
		           WHERE b.target_id = e.target_id AND b.target_kind = 'kyc' AND b.action = 'kyc.submit' AND b.at <= e.at ORDER BY b.at DESC, b.id DESC LIMIT 1) END,
		       false, NULL::bigint, 0::bigint
		FROM audit_entries e, LATERAL (SELECT CASE
			WHEN e.action = 'kyc.submit' THEN 'submitted'
			WHEN e.action IN ('kyc.approve', 'kyc.confirm') AND e.after LIKE '%"state":"approved"%' THEN 'approved'
			WHEN e.action = 'kyc.ask_again' THEN 'asked_again'
			WHEN e.action = 'kyc.reject_final' THEN 'rejected' END AS what) x
		WHERE e.target_kind = 'kyc' AND e.at >= $2 AND e.at < $3 AND e.result = 'done' AND x.what IS NOT NULL
		ORDER BY e.at LIMIT $4`, span.args(maxRows+1)...)
}

// identityFigures are how many were submitted, approved, asked again and rejected, and the median from submission to decision.
func identityFigures(list []kase) []Figure {
	n, waits := map[string]int64{}, []int64{}
	for _, c := range list {
		n[c.what]++
		if c.answered != nil {
			waits = append(waits, *c.answered)
		}
	}
	return append(figures(n[submitted], n[approved], n[again], n[rejected]), quantile(waits, 50))
}

// Identities reports on identity cases by day.
func (s *Service) Identities(ctx context.Context, span Span) (Table, error) {
	list, err := s.identityActs(ctx, span)
	return byDay(span, identityColumns, list, identityFigures), err
}

// Reviewers reports on identity cases by who decided them.
func (s *Service) Reviewers(ctx context.Context, span Span) (Table, error) {
	list, err := s.identityActs(ctx, span)
	if err != nil {
		return Table{}, err
	}
	decided := slices.DeleteFunc(list, func(c kase) bool { return c.what == submitted })
	t, err := s.byStaff(ctx, identityColumns[1:], decided, func(list []kase) []Figure { return identityFigures(list)[1:] })
	return t, err
}

// serviceColumns are the columns of the reports on service times.
var serviceColumns = []Column{
	{"conversations", Count, true}, {"answered", Count, true}, {"reply_median", Seconds, false}, {"reply_p90", Seconds, false}, {"within_target", Share, false},
	{"resolved", Count, false}, {"resolution_median", Seconds, false},
}

// conversations reads the conversations that began in the span.
func (s *Service) conversations(ctx context.Context, span Span) ([]kase, error) {
	return s.cases(ctx, "conversations", `
		SELECT width_bucket(created_at, $1::timestamptz[]), '', coalesce(agent_id, 0), language, answered_in::bigint, answered_late, resolved_in::bigint, 0::bigint
		FROM conversations WHERE created_at >= $2 AND created_at < $3 ORDER BY created_at LIMIT $4`, span.args(maxRows+1)...)
}

// serviceFigures are those of serviceColumns. Whoever got no answer yet is within no target.
func serviceFigures(list []kase) []Figure {
	var replies, ends []int64
	within := int64(0)
	for _, c := range list {
		if c.answered != nil {
			replies = append(replies, *c.answered)
			if !c.late {
				within++
			}
		}
		if c.resolved != nil {
			ends = append(ends, *c.resolved)
		}
	}
	n := int64(len(list))
	return []Figure{{Value: n}, {Value: int64(len(replies))}, quantile(replies, 50), quantile(replies, 90), share(within, n), {Value: int64(len(ends))}, quantile(ends, 50)}
}

// Service reports on how quickly customers got answers, by day. Times are in support hours, and each conversation is held to its own service time.
func (s *Service) Service(ctx context.Context, span Span) (Table, error) {
	list, err := s.conversations(ctx, span)
	return byDay(span, serviceColumns, list, serviceFigures), err
}

// ServiceByLanguage is Service by the customer's language.
func (s *Service) ServiceByLanguage(ctx context.Context, span Span) (Table, error) {
	list, err := s.conversations(ctx, span)
	t := Table{Columns: serviceColumns}
	of := group(list, func(c kase) string { return c.language })
	for _, language := range slices.Sorted(maps.Keys(of)) {
		t.Rows = append(t.Rows, Row{Name: language, Figures: serviceFigures(of[language])})
	}
	t.Totals = []Row{{Figures: serviceFigures(list)}}
	return t, err
}

// ServiceByAgent is Service by who has the conversation.
func (s *Service) ServiceByAgent(ctx context.Context, span Span) (Table, error) {
	list, err := s.conversations(ctx, span)
	if err != nil {
		return Table{}, err
	}
	return s.byStaff(ctx, serviceColumns, list, serviceFigures)
}

// ratingColumns are the columns of the reports on satisfaction.
var ratingColumns = []Column{{"ratings", Count, true}, {"average", Rating, false}, {"five", Count, false}, {"four", Count, false}, {"three", Count, false}, {"two", Count, false}, {"one", Count, false}}

// averageColumns are those of the reports that compare averages.
var averageColumns = []Column{{"ratings", Count, false}, {"average", Rating, true}, {"five", Count, false}, {"four", Count, false}, {"three", Count, false}, {"two", Count, false}, {"one", Count, false}}

// ratings reads every rating that was given in the span, with who had resolved the conversation. One that is resolved again may be rated again.
func (s *Service) ratings(ctx context.Context, span Span) ([]kase, error) {
	return s.cases(ctx, "ratings", `
		SELECT width_bucket(m.at, $1::timestamptz[]), '', coalesce((
		           SELECT e.staff_id FROM chat_messages e WHERE e.conversation_id = m.conversation_id AND e.id < m.id AND e.kind = 'event' AND e.body = 'chat.resolve'
		           ORDER BY e.id DESC LIMIT 1), c.resolved_by, c.agent_id, 0), c.language, NULL::bigint, false, NULL::bigint,
		       substr(m.body, 12, 1)::bigint
		FROM chat_messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE m.kind = 'event' AND m.body LIKE 'chat.rated.%' AND m.at >= $2 AND m.at < $3 ORDER BY m.at LIMIT $4`, span.args(maxRows+1)...)
}

// ratingFigures are those of ratingColumns.
func ratingFigures(list []kase) []Figure {
	var sum int64
	n := map[int64]int64{}
	for _, c := range list {
		sum += c.rating
		n[c.rating]++
	}
	average := Figure{None: len(list) == 0}
	if !average.None {
		average.Value = sum * 100 / int64(len(list))
	}
	return []Figure{{Value: int64(len(list))}, average, {Value: n[5]}, {Value: n[4]}, {Value: n[3]}, {Value: n[2]}, {Value: n[1]}}
}

// Satisfaction reports on ratings by day.
func (s *Service) Satisfaction(ctx context.Context, span Span) (Table, error) {
	list, err := s.ratings(ctx, span)
	return byDay(span, ratingColumns, list, ratingFigures), err
}

// SatisfactionByAgent is Satisfaction by who resolved the conversation.
func (s *Service) SatisfactionByAgent(ctx context.Context, span Span) (Table, error) {
	list, err := s.ratings(ctx, span)
	if err != nil {
		return Table{}, err
	}
	return s.byStaff(ctx, averageColumns, list, ratingFigures)
}

// SatisfactionByWeek is Satisfaction by week.
func (s *Service) SatisfactionByWeek(ctx context.Context, span Span) (Table, error) {
	list, err := s.ratings(ctx, span)
	return byWeek(span, averageColumns, list, ratingFigures), err
}

// SatisfactionByWeekAndAgent is Satisfaction by week and by who resolved the conversation; agents without a rating in a week are left out.
func (s *Service) SatisfactionByWeekAndAgent(ctx context.Context, span Span) (Table, error) {
	list, err := s.ratings(ctx, span)
	if err != nil {
		return Table{}, err
	}
	t := Table{Columns: averageColumns, Totals: []Row{{Figures: ratingFigures(list)}}}
	of := group(list, func(c kase) time.Time { return mondayOf(span.days[c.day-1]) })
	for _, week := range span.Weeks() {
		agents, err := s.byStaff(ctx, averageColumns, of[week], ratingFigures)
		if err != nil {
			return t, err
		}
		for _, row := range agents.Rows {
			row.Day = week
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}

// Comment is what a customer wrote with a rating.
type Comment struct {
	At     time.Time
	Rating int64
	Words  string
}

// Comments are the newest comments of the span, at most limit.
func (s *Service) Comments(ctx context.Context, span Span, limit int) ([]Comment, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT at, substr(body, 12, 1)::bigint, btrim(substr(body, 14), E' \t\r\n') FROM chat_messages
		WHERE kind = 'event' AND body LIKE 'chat.rated.%' AND substr(body, 14) ~ '\S' AND at >= $1 AND at < $2 ORDER BY at DESC LIMIT $3`, span.From(), span.To(), limit)
	if err != nil {
		return nil, fmt.Errorf("read comments: %w", err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Comment])
	if err != nil {
		return nil, fmt.Errorf("read comments: %w", err)
	}
	return out, nil
}
