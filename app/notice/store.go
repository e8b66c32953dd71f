package notice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/staff/member"
)

// one returns a query's only value; zero without a row.
func one[T any](ctx context.Context, q db.Querier, sql string, args ...any) (v T, err error) {
	if err = q.QueryRow(ctx, sql, args...).Scan(&v); errors.Is(err, pgx.ErrNoRows) {
		return v, nil
	}
	return v, err
}

func rowsOf[T any](ctx context.Context, q db.Querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByNameLax[T])
}

// itemTx locks an item. Refusal: ErrItem.
func itemTx(ctx context.Context, tx *db.Tx, id int64) (Item, error) {
	list, err := rowsOf[Item](ctx, tx.Conn, `SELECT * FROM notice_items WHERE id = $1 FOR UPDATE`, id)
	if err != nil {
		return Item{}, fmt.Errorf("lock item %d: %w", id, err)
	}
	if len(list) == 0 {
		return Item{}, ErrItem
	}
	return list[0], nil
}

// lockTx locks an item at a version and reads its current revision. Refusals: ErrItem, ErrChanged.
func lockTx(ctx context.Context, tx *db.Tx, id int64, version int) (item Item, r Revision, err error) {
	if item, err = itemTx(ctx, tx, id); err != nil {
		return item, r, err
	}
	if item.Version != version {
		return item, r, ErrChanged
	}
	r, err = newestTx(ctx, tx, id)
	return item, r, err
}

// orderTx locks all items of an item's kind by ascending id, which prevents deadlocks, and returns their ids in display order.
func orderTx(ctx context.Context, tx *db.Tx, id int64) ([]int64, error) {
	list, err := rowsOf[Item](ctx, tx.Conn, `SELECT * FROM notice_items WHERE kind = (SELECT kind FROM notice_items WHERE id = $1) ORDER BY id FOR UPDATE`, id)
	if err != nil {
		return nil, fmt.Errorf("lock the kind of item %d: %w", id, err)
	}
	slices.SortStableFunc(list, func(a, b Item) int { return cmp.Compare(a.Sort, b.Sort) })
	ids := make([]int64, len(list))
	for i, item := range list {
		ids[i] = item.ID
	}
	return ids, nil
}

// renumberTx numbers items in an order, starting at 1.
func renumberTx(ctx context.Context, tx *db.Tx, ids []int64) error {
	_, err := tx.Conn.Exec(ctx, `UPDATE notice_items i SET sort = p.n FROM unnest($1::bigint[]) WITH ORDINALITY p (id, n) WHERE p.id = i.id AND i.sort <> p.n`, ids)
	if err != nil {
		return fmt.Errorf("put items in order: %w", err)
	}
	return nil
}

const revisions = `SELECT * FROM notice_revisions `

func newestTx(ctx context.Context, tx *db.Tx, itemID int64) (Revision, error) {
	return onlyRevision(ctx, tx.Conn, revisions+`WHERE item_id = $1 ORDER BY number DESC LIMIT 1`, itemID)
}

func revisionTx(ctx context.Context, tx *db.Tx, id int64) (Revision, error) {
	return onlyRevision(ctx, tx.Conn, revisions+`WHERE id = $1`, id)
}

// revisionByNumber reads an item's revision by its number. Refusal: ErrItem.
func revisionByNumber(ctx context.Context, q db.Querier, itemID int64, number int) (Revision, error) {
	return onlyRevision(ctx, q, revisions+`WHERE item_id = $1 AND number = $2`, itemID, number)
}

// onlyRevision reads one revision, without names. Refusal: ErrItem.
func onlyRevision(ctx context.Context, q db.Querier, sql string, args ...any) (Revision, error) {
	list, err := rowsOf[Revision](ctx, q, sql, args...)
	if err != nil {
		return Revision{}, fmt.Errorf("read a revision: %w", err)
	}
	if len(list) == 0 {
		return Revision{}, ErrItem
	}
	return list[0], nil
}

// setNames sets the names of the revisions' authors and deciders.
func setNames(ctx context.Context, q db.Querier, list []Revision) error {
	var ids []int64
	for _, r := range list {
		ids = append(ids, member.ID(r.AuthorID), member.ID(r.DeciderID))
	}
	names, err := member.Names(ctx, q, ids...)
	for i, r := range list {
		list[i].AuthorName, list[i].DeciderName = names[member.ID(r.AuthorID)], names[member.ID(r.DeciderID)]
	}
	return err
}

func textsOf(ctx context.Context, q db.Querier, revisionID int64) ([]Variant, error) {
	list, err := rowsOf[Variant](ctx, q, `SELECT locale, title, summary, body, alt, changed_at FROM notice_variants WHERE revision_id = $1 ORDER BY locale`, revisionID)
	if err != nil {
		return nil, fmt.Errorf("read the texts of revision %d: %w", revisionID, err)
	}
	return list, nil
}

// addTx inserts a new draft.
func addTx(ctx context.Context, tx *db.Tx, by audit.Actor, itemID int64, number int, set Settings, now time.Time) (Revision, error) {
	r := Revision{ItemID: itemID, Number: number, State: Drafted, Settings: set, AuthorID: &by.ID, Authors: []int64{by.ID}, CreatedAt: now, ChangedAt: now}
	err := tx.Conn.QueryRow(ctx, `
		INSERT INTO notice_revisions (item_id, number, state, category, placement, severity, audience, countries, languages, platforms, starts_at, ends_at, zone, sticky, link, source,
			frequency, must_ack, image, author_id, authors, created_at, changed_at, reason)
		VALUES ($1, $2, 'draft', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $21, '') RETURNING id`,
		itemID, number, set.Category, set.Placement, set.Severity, set.Audience, set.Countries, set.Languages, set.Platforms, set.StartsAt, set.EndsAt, set.Zone, set.Sticky,
		set.Link, set.Source, set.Frequency, set.MustAck, set.Image, by.ID, r.Authors, now).Scan(&r.ID)
	if err != nil {
		return r, fmt.Errorf("write revision %d of item %d: %w", number, itemID, err)
	}
	return r, nil
}

// nextTx starts a revision with the settings and texts of another one.
func nextTx(ctx context.Context, tx *db.Tx, by audit.Actor, number int, from Revision, now time.Time) (Revision, error) {
	set := from.Settings
	if set.EndsAt != nil && !set.EndsAt.After(now) {
		set.StartsAt, set.EndsAt = nil, nil
	}
	r, err := addTx(ctx, tx, by, from.ItemID, number, set, now)
	if err != nil {
		return r, err
	}
	_, err = tx.Conn.Exec(ctx, `
		INSERT INTO notice_variants (revision_id, locale, title, summary, body, alt, changed_at)
		SELECT $2, locale, title, summary, body, alt, changed_at FROM notice_variants WHERE revision_id = $1`, from.ID, r.ID)
	if err != nil {
		return r, fmt.Errorf("copy the texts of revision %d: %w", from.ID, err)
	}
	return r, nil
}

// writeTx replaces the text in its language; an empty text deletes it.
func writeTx(ctx context.Context, tx *db.Tx, revisionID int64, text Text, now time.Time) error {
	sql, args := `DELETE FROM notice_variants WHERE revision_id = $1 AND locale = $2`, []any{revisionID, text.Locale}
	if !text.empty() {
		sql = `
			INSERT INTO notice_variants (revision_id, locale, title, summary, body, alt, changed_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (revision_id, locale) DO UPDATE SET title = excluded.title, summary = excluded.summary, body = excluded.body, alt = excluded.alt,
				changed_at = excluded.changed_at`
		args = append(args, text.Title, text.Summary, text.Body, text.Alt, now)
	}
	if _, err := tx.Conn.Exec(ctx, sql, args...); err != nil {
		return fmt.Errorf("write the text of revision %d in %s: %w", revisionID, text.Locale, err)
	}
	return nil
}

// saveTx stores the mutable fields of a revision. The caller holds the lock on its item.
func saveTx(ctx context.Context, tx *db.Tx, r Revision) error {
	tag, err := tx.Conn.Exec(ctx, `
		UPDATE notice_revisions SET state = $2, category = $3, placement = $4, severity = $5, audience = $6, countries = $7, languages = $8, platforms = $9, starts_at = $10,
			ends_at = $11, zone = $12, sticky = $13, link = $14, source = $15, frequency = $16, must_ack = $17, image = $18, author_id = $19, authors = $20, changed_at = $21,
			submitted_at = $22, decider_id = $23, decided_at = $24, reason = $25, live_at = $26, ended_at = $27, again = $28 WHERE id = $1`,
		r.ID, r.State, r.Category, r.Placement, r.Severity, r.Audience, r.Countries, r.Languages, r.Platforms, r.StartsAt, r.EndsAt, r.Zone, r.Sticky, r.Link, r.Source,
		r.Frequency, r.MustAck, r.Image, r.AuthorID, r.Authors, r.ChangedAt, r.SubmittedAt, r.DeciderID, r.DecidedAt, r.Reason, r.LiveAt, r.EndedAt, r.Again)
	if err != nil {
		return fmt.Errorf("save revision %d: %w", r.ID, err)
	}
	if tag.RowsAffected() != 1 {
		return ErrItem
	}
	return nil
}

// saveItemTx stores an item under its next version, unless its version has changed since it was read. Refusal: ErrChanged.
func saveItemTx(ctx context.Context, tx *db.Tx, item *Item) error {
	tag, err := tx.Conn.Exec(ctx, `UPDATE notice_items SET sort = $3, live_id = $4, told_from = $5, version = version + 1 WHERE id = $1 AND version = $2`,
		item.ID, item.Version, item.Sort, item.LiveID, item.ToldFrom)
	if err != nil {
		return fmt.Errorf("save item %d: %w", item.ID, err)
	}
	if tag.RowsAffected() != 1 {
		return ErrChanged
	}
	item.Version++
	return nil
}

// Listed is an item in the back office's list: its current revision, the live one, and its reach.
type Listed struct {
	Item
	Revision
	Title      string   // in the default language, or the first one present
	Locales    []string // languages with a text
	LiveNumber *int
	Position   int // position among its kind, 1 being the first
	Seen       int64
	Clicks     int64
}

// Items lists the items of a kind, or of all kinds (empty), in the readers' order; optionally only those whose newest revision is in a state. Archived items
// are left out unless asked for.
func (s *Service) Items(ctx context.Context, kind Kind, state State) ([]Listed, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT i.id, i.kind, i.key, i.sort, i.live_id, i.version, r.number, r.state, r.category, r.placement, r.starts_at, r.ends_at, r.zone, r.sticky, r.audience, r.image,
			r.changed_at, r.submitted_at, r.author_id, r.authors, l.number AS live_number,
			coalesce((SELECT title FROM notice_variants v WHERE v.revision_id = r.id ORDER BY v.locale = 'en' DESC, v.locale LIMIT 1), '') AS title,
			ARRAY(SELECT locale FROM notice_variants v WHERE v.revision_id = r.id) AS locales,
			p.place, coalesce(c.seen, 0) AS seen, coalesce(c.clicks, 0) AS clicks
		FROM notice_items i JOIN (SELECT id, row_number() OVER (PARTITION BY kind ORDER BY sort, id) AS place FROM notice_items) p ON p.id = i.id
		JOIN LATERAL (SELECT * FROM notice_revisions WHERE item_id = i.id ORDER BY number DESC LIMIT 1) r ON true
		LEFT JOIN notice_revisions l ON l.id = i.live_id
		LEFT JOIN LATERAL (SELECT count(*) AS seen, sum(clicks) AS clicks FROM notice_reach WHERE item_id = i.id) c ON true
		WHERE ($1 = '' OR i.kind = $1) AND CASE $2 WHEN '' THEN r.state <> 'archived' OR i.live_id IS NOT NULL WHEN 'live' THEN i.live_id IS NOT NULL ELSE r.state = $2 END
		ORDER BY i.kind, CASE WHEN i.kind NOT IN ('notice', 'news') THEN p.place END, l.id IS NOT NULL, l.sticky DESC, l.live_at DESC, i.id DESC LIMIT 500`, kind, state)
	if err != nil {
		return nil, fmt.Errorf("list items: %w", err)
	}
	defer rows.Close()
	var list []Listed
	for rows.Next() {
		var l Listed
		err := rows.Scan(&l.Item.ID, &l.Kind, &l.Key, &l.Sort, &l.LiveID, &l.Version, &l.Number, &l.State, &l.Category, &l.Placement, &l.StartsAt, &l.EndsAt, &l.Zone, &l.Sticky,
			&l.Audience, &l.Image, &l.ChangedAt, &l.SubmittedAt, &l.AuthorID, &l.Authors, &l.LiveNumber, &l.Title, &l.Locales, &l.Position, &l.Seen, &l.Clicks)
		if err != nil {
			return nil, fmt.Errorf("list items: %w", err)
		}
		list = append(list, l)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list items: %w", err)
	}
	return list, s.nameAuthors(ctx, list)
}

// nameAuthors sets the names of the newest revisions' authors.
func (s *Service) nameAuthors(ctx context.Context, list []Listed) error {
	ids := make([]int64, len(list))
	for i, l := range list {
		ids[i] = member.ID(l.AuthorID)
	}
	names, err := member.Names(ctx, s.db.Pool, ids...)
	for i, l := range list {
		list[i].AuthorName = names[member.ID(l.AuthorID)]
	}
	return err
}

// CountWaiting counts the revisions in review and returns the submission time of the oldest.
func (s *Service) CountWaiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	var first *time.Time
	err = s.db.Pool.QueryRow(ctx, `SELECT count(*), min(submitted_at) FROM notice_revisions WHERE state = 'in_review'`).Scan(&n, &first)
	if err != nil {
		return 0, oldest, fmt.Errorf("count what waits: %w", err)
	}
	if first != nil {
		oldest = *first
	}
	return n, oldest, nil
}

// ItemDetails is an item with its current revision, its texts, and every revision, newest first.
type ItemDetails struct {
	Item      Item
	Newest    Revision
	Texts     []Variant
	Revisions []Revision
	Seen      int64
	Clicks    int64
	Acked     int64 // readers who confirmed a revision that counts
	Helped    int64
	NotHelped int64
}

// Text is the newest revision in a language.
func (w ItemDetails) Text(locale string) Variant { return inLocale(w.Texts, locale) }

func inLocale(texts []Variant, locale string) Variant {
	for _, v := range texts {
		if v.Locale == locale {
			return v
		}
	}
	return Variant{Text: Text{Locale: locale}}
}

// Outdated reports whether a text is older than the one in the default language.
func (w ItemDetails) Outdated(locale string) bool {
	return w.Text(locale).ChangedAt.Before(w.Text(Default).ChangedAt)
}

// Live is the live revision; nil without one.
func (w ItemDetails) Live() *Revision {
	for i := range w.Revisions {
		if w.Item.LiveID != nil && w.Revisions[i].ID == *w.Item.LiveID {
			return &w.Revisions[i]
		}
	}
	return nil
}

// MayNotifyAgain reports whether the newest revision may have readers who marked an earlier one as read.
func (w ItemDetails) MayNotifyAgain() bool {
	return (w.Item.Kind == Popup || w.Item.Kind == Notice) && slices.ContainsFunc(w.Revisions, func(r Revision) bool { return r.LiveAt != nil })
}

// Get reads an item with its revisions and texts. Refusal: ErrItem.
func (s *Service) Get(ctx context.Context, id int64) (w ItemDetails, err error) {
	items, err := rowsOf[Item](ctx, s.db.Pool, `SELECT * FROM notice_items WHERE id = $1`, id)
	if err != nil {
		return w, fmt.Errorf("read item %d: %w", id, err)
	}
	if len(items) == 0 {
		return w, ErrItem
	}
	w.Item = items[0]
	if w.Revisions, err = rowsOf[Revision](ctx, s.db.Pool, revisions+`WHERE item_id = $1 ORDER BY number DESC LIMIT 200`, id); err != nil {
		return w, fmt.Errorf("read the revisions of item %d: %w", id, err)
	}
	if err := setNames(ctx, s.db.Pool, w.Revisions); err != nil {
		return w, err
	}
	w.Newest = w.Revisions[0]
	if w.Texts, err = textsOf(ctx, s.db.Pool, w.Newest.ID); err != nil {
		return w, err
	}
	err = s.db.Pool.QueryRow(ctx, `
		SELECT count(*), coalesce(sum(clicks), 0), (SELECT count(DISTINCT viewer) FROM notice_acks WHERE item_id = $1 AND revision >= $2),
			count(*) FILTER (WHERE helpful), count(*) FILTER (WHERE NOT helpful) FROM notice_reach WHERE item_id = $1`, id, w.Item.ToldFrom).
		Scan(&w.Seen, &w.Clicks, &w.Acked, &w.Helped, &w.NotHelped)
	if err != nil {
		return w, fmt.Errorf("count the readers of item %d: %w", id, err)
	}
	return w, nil
}

// Revision reads a revision by its number, with its texts. Refusal: ErrItem.
func (s *Service) Revision(ctx context.Context, id int64, number int) (r Revision, texts []Variant, err error) {
	if r, err = revisionByNumber(ctx, s.db.Pool, id, number); err != nil {
		return r, nil, err
	}
	list := []Revision{r}
	if err := setNames(ctx, s.db.Pool, list); err != nil {
		return r, nil, err
	}
	r = list[0]
	texts, err = textsOf(ctx, s.db.Pool, r.ID)
	return r, texts, err
}
