package notice

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/switches"
)

// Published is an item for a reader, in the reader's language or the nearest fallback.
type Published struct {
	ID     int64
	Kind   Kind
	Key    *string
	Number int       // the revision's
	LiveAt time.Time // when this revision went live
	Settings
	Text
	Read bool // by this trader
}

// maxListed is the limit of a list without pages.
const maxListed = 100

// visible selects the items that a reader may see: live, within their time, for the reader's audience, each in one language.
const visible = `
	FROM notice_items i JOIN notice_revisions r ON r.id = i.live_id
	JOIN LATERAL (
		SELECT * FROM notice_variants v WHERE v.revision_id = r.id
		ORDER BY v.locale = @language DESC, v.locale = '` + Default + `' DESC, v.locale = '` + second + `' DESC, v.locale LIMIT 1
	) t ON true
	LEFT JOIN LATERAL (SELECT 1 AS done FROM notice_reads WHERE item_id = i.id AND trader_id = @trader AND revision >= i.told_from LIMIT 1) read ON true
	WHERE (r.starts_at IS NULL OR r.starts_at <= @now) AND (r.ends_at IS NULL OR r.ends_at > @now)
	AND (cardinality(r.countries) = 0 OR @country = ANY (r.countries)) AND (cardinality(r.languages) = 0 OR @language = ANY (r.languages))
	AND (cardinality(r.platforms) = 0 OR @platform = ANY (r.platforms))
	AND CASE r.audience WHEN 'all' THEN true WHEN 'guests' THEN @guest WHEN 'traders' THEN NOT @guest
		ELSE @verified END`

const publishedColumns = `
	SELECT i.id, i.kind, i.key, r.number, r.live_at, r.category, r.placement, r.severity, r.audience, r.countries, r.languages, r.platforms, r.starts_at, r.ends_at, r.zone,
		r.sticky, r.link, r.source, r.frequency, r.must_ack, r.image, t.locale, t.title, t.summary, t.body, t.alt, read.done IS NOT NULL AS read`

// viewerArgs are the arguments of visible and unread for a reader.
func (s *Service) viewerArgs(ctx context.Context, v Viewer) (pgx.NamedArgs, error) {
	reader, err := s.reader(ctx, v.TraderID)
	if err != nil {
		return nil, err
	}
	var joined *time.Time // nil: nothing is unread
	if !reader.Since.IsZero() {
		joined = &reader.Since
	}
	return pgx.NamedArgs{
		"trader": v.TraderID, "guest": v.TraderID == 0 || v.Guest, "language": v.Language, "country": v.Country, "platform": v.Platform, "now": s.clock.Now(),
		"verified": reader.Verified, "joined": joined,
	}, nil
}

// reader reads a trader; the zero value is a visitor.
func (s *Service) reader(ctx context.Context, traderID int64) (Reader, error) {
	if traderID == 0 {
		return Reader{}, nil
	}
	return s.readers.Reader(ctx, traderID)
}

// list reads the visible items of a kind with a further condition and its arguments.
func (s *Service) list(ctx context.Context, v Viewer, kind Kind, rest string, more pgx.NamedArgs) ([]Published, error) {
	args, err := s.viewerArgs(ctx, v)
	if err != nil {
		return nil, err
	}
	args["kind"] = kind
	for name, value := range more {
		args[name] = value
	}
	rows, err := s.db.Pool.Query(ctx, publishedColumns+visible+` AND i.kind = @kind `+rest, args)
	if err != nil {
		return nil, fmt.Errorf("read what is published: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[Published])
	if err != nil {
		return nil, fmt.Errorf("read what is published: %w", err)
	}
	return list, nil
}

var inOrder = fmt.Sprintf(` ORDER BY i.sort, i.id LIMIT %d`, maxListed)

// Banners lists the banners of the home page; none while their switch is off for the reader.
func (s *Service) Banners(ctx context.Context, v Viewer) ([]Published, error) {
	if s.switches.For(switches.BannersKey, v.Viewer) != "true" {
		return nil, nil
	}
	return s.list(ctx, v, Banner, inOrder, nil)
}

// Questions lists the questions of a category that contain a text, an empty argument matching all, and the categories with any questions.
func (s *Service) Questions(ctx context.Context, v Viewer, category, search string) (list []Published, categories []string, err error) {
	all, err := s.list(ctx, v, FAQ, inOrder, nil)
	if err != nil {
		return nil, nil, err
	}
	there := map[string]bool{}
	search = strings.ToLower(search)
	for _, q := range all {
		there[q.Category] = true
		if (category == "" || q.Category == category) && strings.Contains(strings.ToLower(q.Title+" "+Plain(q.Body)), search) {
			list = append(list, q)
		}
	}
	for _, c := range Categories[FAQ] {
		if there[c] {
			categories = append(categories, c)
		}
	}
	return list, categories, nil
}

// ListFilter is the list filter of notices and news.
type ListFilter struct {
	Kind      Kind
	Category  string // empty for all
	Placement string // empty for all
	Locale    string // only items in this language; empty for all
	Next      int64  // the id after which to continue; 0 from the start
	Offset    int
	Limit     int
}

// maxCounted is the highest exact total.
const maxCounted = 10_000

const listCondition = `
	AND (@category = '' OR r.category = @category) AND (@placement = '' OR r.placement = @placement)
	AND (@locale = '' OR EXISTS (SELECT 1 FROM notice_variants o WHERE o.revision_id = r.id AND o.locale = @locale))`

// List lists matching items, sticky ones first, then newest first; next is 0 at the end.
func (s *Service) List(ctx context.Context, v Viewer, w ListFilter) (list []Published, next int64, err error) {
	list, err = s.list(ctx, v, w.Kind, listCondition+`
		AND (@next::bigint = 0 OR (r.sticky, r.live_at, i.id) < (SELECT b.sticky, b.live_at, b.item_id FROM notice_items j JOIN notice_revisions b ON b.id = j.live_id WHERE j.id = @next))
		ORDER BY r.sticky DESC, r.live_at DESC, i.id DESC OFFSET @offset LIMIT @limit`,
		pgx.NamedArgs{"category": w.Category, "placement": w.Placement, "locale": w.Locale, "next": w.Next, "offset": w.Offset, "limit": w.Limit + 1})
	if err == nil && len(list) > w.Limit {
		list, next = list[:w.Limit], list[w.Limit-1].ID
	}
	return list, next, err
}

// Count counts matching items; more reports that the total exceeds the count.
func (s *Service) Count(ctx context.Context, v Viewer, w ListFilter) (total int, more bool, err error) {
	args, err := s.viewerArgs(ctx, v)
	if err != nil {
		return 0, false, err
	}
	args["kind"], args["category"], args["placement"], args["locale"] = w.Kind, w.Category, w.Placement, w.Locale
	err = s.db.Pool.QueryRow(ctx, `SELECT count(*) FROM (SELECT 1`+visible+` AND i.kind = @kind`+listCondition+fmt.Sprintf(` LIMIT %d) counted`, maxCounted+1), args).Scan(&total)
	if err != nil {
		return 0, false, fmt.Errorf("count what is published: %w", err)
	}
	return min(total, maxCounted), total > maxCounted, nil
}

// Find returns one item of a kind. Refusal: ErrUnknown.
func (s *Service) Find(ctx context.Context, v Viewer, kind Kind, id int64) (Published, error) {
	return s.one(s.list(ctx, v, kind, `AND i.id = @id`, pgx.NamedArgs{"id": id}))
}

// Page returns a page by its key. Refusal: ErrUnknown.
func (s *Service) Page(ctx context.Context, v Viewer, key string) (Published, error) {
	return s.one(s.list(ctx, v, Page, `AND i.key = @key`, pgx.NamedArgs{"key": key}))
}

// acceptedPages are the pages that a trader accepts by registering.
var acceptedPages = []string{"terms", "risk"}

// AcceptedPages are the keys of the pages that a trader accepts by registering.
func AcceptedPages() []string { return slices.Clone(acceptedPages) }

// Accepted returns the revision of a page that a trader accepted by registering: the one live then, which stays readable permanently. It is zero for any
// other page and for a reader who has not registered.
func (s *Service) Accepted(ctx context.Context, traderID int64, key string) (revision int, at time.Time, err error) {
	if traderID == 0 || !slices.Contains(acceptedPages, key) {
		return 0, at, nil
	}
	reader, err := s.reader(ctx, traderID)
	if err != nil || reader.AcceptedAt.IsZero() {
		return 0, at, err
	}
	err = s.db.Rows(ctx).Model(&Revision{}).Where("item_id = (SELECT id FROM notice_items WHERE key = ? AND kind = 'page')", key).
		Where("live_at <= ? AND (ended_at IS NULL OR ended_at > ?)", reader.AcceptedAt, reader.AcceptedAt).Order("number DESC").Limit(1).Pluck("number", &revision).Error
	if err != nil {
		return 0, at, fmt.Errorf("read what trader %d has accepted of %s: %w", traderID, key, err)
	}
	if revision == 0 {
		return 0, at, nil
	}
	return revision, reader.AcceptedAt, nil
}

func (s *Service) one(list []Published, err error) (Published, error) {
	if err != nil || len(list) == 0 {
		return Published{}, orUnknown(err)
	}
	return list[0], nil
}

func orUnknown(err error) error {
	if err == nil {
		return ErrUnknown
	}
	return err
}

// Image returns a picture by its hash. Refusal: ErrUnknown.
func (s *Service) Image(ctx context.Context, hash []byte) ([]byte, error) {
	rows, err := s.db.Pool.Query(ctx, `SELECT bytes FROM notice_images WHERE hash = $1`, hash)
	if err != nil {
		return nil, fmt.Errorf("read a picture: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	if err != nil || len(list) == 0 {
		return nil, orUnknown(err)
	}
	return list[0], nil
}
