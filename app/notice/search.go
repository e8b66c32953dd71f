package notice

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Sort is the order of the back office's list.
type Sort string

// The orders. The zero value is the last edited first.
const (
	OldestEdit Sort = "oldest"
	NewestItem Sort = "number"
)

// Search selects items for the back office, by their newest revision; zero values select all.
type Search struct {
	Kind    Kind
	Stage   State  // Live selects every item with a live revision; without a stage the archived ones are left out
	Missing string // a language without a text
	Country string // items that readers of the country may see
	Words   string // in a title, summary or body, in any language
	Sort    Sort
}

// Place is an item's place in the order of a list: when it was edited last, and its id. The zero value is the start.
type Place struct {
	At time.Time
	ID int64
}

// Place is where the list continues after this item.
func (l Listed) Place() Place { return Place{l.ChangedAt, l.ItemID} }

const found = `
	SELECT r.*, i.kind, i.sort, i.version, l.number AS live_number, coalesce(c.seen, 0) AS seen, coalesce(c.clicks, 0) AS clicks,
		coalesce((SELECT title FROM notice_variants v WHERE v.revision_id = r.id ORDER BY v.locale = 'en' DESC, v.locale LIMIT 1), '') AS title,
		ARRAY(SELECT locale FROM notice_variants v WHERE v.revision_id = r.id) AS locales
	FROM notice_revisions r JOIN notice_items i ON i.id = r.item_id
	LEFT JOIN notice_revisions l ON l.id = i.live_id
	LEFT JOIN LATERAL (SELECT count(*) AS seen, sum(clicks) AS clicks FROM notice_reach WHERE item_id = i.id) c ON true
	WHERE NOT EXISTS (SELECT 1 FROM notice_revisions n WHERE n.item_id = r.item_id AND n.number > r.number)
	AND @kind IN ('', i.kind::text)
	AND CASE @state WHEN '' THEN r.state <> 'archived' OR i.live_id IS NOT NULL WHEN 'live' THEN i.live_id IS NOT NULL ELSE r.state::text = @state END
	AND (@missing = '' OR NOT EXISTS (SELECT 1 FROM notice_variants v WHERE v.revision_id = r.id AND v.locale = @missing))
	AND (@country = '' OR cardinality(r.countries) = 0 OR @country = ANY (r.countries))
	AND (@words = '' OR EXISTS (SELECT 1 FROM notice_variants v WHERE v.revision_id = r.id AND (v.title ILIKE @words OR v.summary ILIKE @words OR v.body ILIKE @words)))`

// following are the condition and the order of a page after a place. The order of edits is that of the index notice_revisions_edited.
var following = map[Sort]string{
	"":         ` AND (@id = 0 OR (r.changed_at, r.item_id) < (@at, @id)) ORDER BY r.changed_at DESC, r.item_id DESC`,
	OldestEdit: ` AND (@id = 0 OR (r.changed_at, r.item_id) > (@at, @id)) ORDER BY r.changed_at, r.item_id`,
	NewestItem: ` AND (@id = 0 OR r.item_id < @id) ORDER BY r.item_id DESC`,
}

// likeWords escapes words for ILIKE.
var likeWords = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Search lists the selected items after a place, at most limit of them; more reports that others follow.
func (s *Service) Search(ctx context.Context, by Search, after Place, limit int) (list []Listed, more bool, err error) {
	for {
		page, err := s.searchPage(ctx, by, after, limit+1)
		if err != nil {
			return nil, false, err
		}
		for _, l := range page {
			if by.Stage == "" || by.Stage == Live || l.Stage() == by.Stage {
				list = append(list, l)
			}
		}
		if len(list) > limit {
			return list[:limit], true, nil
		}
		if len(page) <= limit {
			return list, false, nil
		}
		after = page[len(page)-1].Place()
	}
}

// searchPage reads a page of the rows. Those in review and those that are scheduled are both submitted: their approvals tell them apart.
func (s *Service) searchPage(ctx context.Context, by Search, after Place, limit int) ([]Listed, error) {
	words := ""
	if by.Words != "" {
		words = "%" + likeWords.Replace(by.Words) + "%"
	}
	var list []Listed
	err := s.db.Rows(ctx).Raw(found+following[by.Sort]+` LIMIT @limit`,
		sql.Named("kind", by.Kind), sql.Named("state", stored(by.Stage)), sql.Named("missing", by.Missing), sql.Named("country", by.Country), sql.Named("words", words),
		sql.Named("at", after.At), sql.Named("id", after.ID), sql.Named("limit", limit)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("search items: %w", err)
	}
	return list, s.complete(ctx, len(list), func(i int) *Revision { return &list[i].Revision })
}

// stored is the state of a revision at a stage.
func stored(stage State) State {
	if stage == InReview || stage == Scheduled {
		return Submitted
	}
	return stage
}

// CountStages counts the drafts, the revisions in review and scheduled, and the live ones.
func (s *Service) CountStages(ctx context.Context) (map[State]int64, error) {
	var drafts, submitted, live int64
	err := s.db.Pool.QueryRow(ctx, `
		SELECT count(*) FILTER (WHERE state = 'draft'), count(*) FILTER (WHERE state = 'submitted'), count(*) FILTER (WHERE state = 'live')
		FROM notice_revisions WHERE state IN ('draft', 'submitted', 'live')`).Scan(&drafts, &submitted, &live)
	if err != nil {
		return nil, fmt.Errorf("count items: %w", err)
	}
	waiting, _, err := s.CountWaiting(ctx)
	return map[State]int64{Drafted: drafts, InReview: waiting, Scheduled: submitted - waiting, Live: live}, err
}

// CountReaders counts the traders that the settings select now; more reports that the number is higher. Visitors are not counted, as nobody knows them before
// they come.
func (s *Service) CountReaders(ctx context.Context, set Settings) (n int64, more bool, err error) {
	if set.Audience == "guests" || s.readers == nil {
		return 0, false, nil
	}
	n, err = s.readers.Count(ctx, set.Countries, set.Languages, set.Audience == "verified", maxCounted+1)
	return min(n, maxCounted), n > maxCounted, err
}
