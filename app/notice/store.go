package notice

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/staff/member"
)

// itemTx locks an item, which every act locks first; its id may be the subject of an approval. Refusal: ErrItem.
func itemTx(tx *db.Tx, id any) (item Item, err error) {
	err = tx.ForUpdate().Where("id = ?", id).Limit(1).Find(&item).Error
	switch {
	case err != nil:
		return item, fmt.Errorf("lock item %v: %w", id, err)
	case item.ID == 0:
		return item, ErrItem
	}
	return item, nil
}

// setItemTx changes columns of an item, and always its version.
func setItemTx(tx *db.Tx, id int64, columns map[string]any) error {
	columns["version"] = gorm.Expr("version + 1")
	if err := db.MustAffect(tx.Rows.Model(&Item{}).Where("id = ?", id).Updates(columns)); err != nil {
		return fmt.Errorf("save item %d: %w", id, err)
	}
	return nil
}

// orderTx locks all items of an item's kind by ascending id, which prevents deadlocks, and returns their ids in display order.
func orderTx(tx *db.Tx, id int64) (ids []int64, err error) {
	var list []Item
	err = tx.ForUpdate().Where("kind = (SELECT kind FROM notice_items WHERE id = ?)", id).Order("id").Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("lock the kind of item %d: %w", id, err)
	}
	slices.SortStableFunc(list, func(a, b Item) int { return cmp.Compare(a.Sort, b.Sort) })
	for _, item := range list {
		ids = append(ids, item.ID)
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

// oneRevision reads the newest matching revision, without its approval and names. Refusal: ErrItem.
func oneRevision(rows *gorm.DB, where string, args ...any) (r Revision, err error) {
	err = rows.Where(where, args...).Order("number DESC").Limit(1).Find(&r).Error
	switch {
	case err != nil:
		return r, fmt.Errorf("read a revision: %w", err)
	case r.ID == 0:
		return r, ErrItem
	}
	return r, nil
}

// complete adds the approvals of n revisions, and the names of those who wrote and decided them.
func (s *Service) complete(ctx context.Context, n int, at func(i int) *Revision) error {
	named, people := make([]*int64, n), []int64{}
	for i := range n {
		named[i] = at(i).ApprovalID
	}
	approvals, err := s.requests.Named(ctx, named...)
	if err != nil {
		return err
	}
	for i := range n {
		r := at(i)
		if a, asked := approvals[member.ID(r.ApprovalID)]; asked {
			r.Approval = &a
		}
		people = append(people, member.ID(r.AuthorID), member.ID(r.DeciderID()))
	}
	names, err := member.Names(ctx, s.db.Pool, people...)
	for i := range n {
		r := at(i)
		r.AuthorName, r.DeciderName = names[member.ID(r.AuthorID)], names[member.ID(r.DeciderID())]
	}
	return err
}

func textsOf(rows *gorm.DB, revisionID int64) (list []Variant, err error) {
	if err := rows.Where("revision_id = ?", revisionID).Order("locale").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the texts of revision %d: %w", revisionID, err)
	}
	return list, nil
}

// addTx inserts a new draft.
func addTx(tx *db.Tx, by audit.Actor, itemID int64, number int, set Settings, now time.Time) (Revision, error) {
	r := Revision{ItemID: itemID, Number: number, State: Drafted, Settings: set, AuthorID: &by.ID, Authors: []int64{by.ID}, CreatedAt: now, ChangedAt: now}
	if err := tx.Rows.Create(&r).Error; err != nil {
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
	r, err := addTx(tx, by, from.ItemID, number, set, now)
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
func writeTx(tx *db.Tx, revisionID int64, text Text, now time.Time) error {
	var result *gorm.DB
	if text.empty() {
		result = tx.Rows.Where("revision_id = ? AND locale = ?", revisionID, text.Locale).Delete(&Variant{})
	} else {
		upsert := clause.OnConflict{Columns: []clause.Column{{Name: "revision_id"}, {Name: "locale"}}, DoUpdates: clause.AssignmentColumns([]string{"title", "summary", "body", "alt", "changed_at"})}
		result = tx.Rows.Clauses(upsert).Create(&Variant{RevisionID: revisionID, Text: text, ChangedAt: now})
	}
	if err := result.Error; err != nil {
		return fmt.Errorf("write the text of revision %d in %s: %w", revisionID, text.Locale, err)
	}
	return nil
}

// saveTx stores the settings and authors of a draft. The caller holds the lock on its item.
func saveTx(tx *db.Tx, r Revision) error {
	result := tx.Rows.Model(&r).Select("*").Omit("ItemID", "Number", "State", "CreatedAt", "ApprovalID", "Again", "Reason", "LiveAt", "EndedAt").Updates(&r)
	if err := db.MustAffect(result); err != nil {
		return fmt.Errorf("save revision %d: %w", r.ID, err)
	}
	return nil
}

// setTx changes columns of a revision.
func setTx(tx *db.Tx, id int64, columns map[string]any) error {
	if err := db.MustAffect(tx.Rows.Model(&Revision{}).Where("id = ?", id).Updates(columns)); err != nil {
		return fmt.Errorf("move revision %d: %w", id, err)
	}
	return nil
}

// Listed is an item in the back office's list: its current revision, the live one, and its reach.
type Listed struct {
	Revision
	Kind       Kind
	Sort       int
	Version    int      // the item's
	Title      string   // in the default language, or the first one present
	Locales    []string `gorm:"serializer:array"` // languages with a text
	LiveNumber *int
	Position   int // position among its kind, 1 being the first
	Seen       int64
	Clicks     int64
}

// Items lists the items of a kind, or of all kinds (empty), in the readers' order; optionally only those whose newest revision is at a stage. Archived items
// are left out unless asked for.
func (s *Service) Items(ctx context.Context, kind Kind, stage State) ([]Listed, error) {
	state := stage
	if stage == InReview || stage == Scheduled {
		state = Submitted
	}
	var list []Listed
	err := s.db.Rows(ctx).Raw(`
		SELECT r.*, i.kind, i.sort, i.version, l.number AS live_number, p.position, coalesce(c.seen, 0) AS seen, coalesce(c.clicks, 0) AS clicks,
			coalesce((SELECT title FROM notice_variants v WHERE v.revision_id = r.id ORDER BY v.locale = 'en' DESC, v.locale LIMIT 1), '') AS title,
			ARRAY(SELECT locale FROM notice_variants v WHERE v.revision_id = r.id) AS locales
		FROM notice_items i JOIN (SELECT id, row_number() OVER (PARTITION BY kind ORDER BY sort, id) AS position FROM notice_items) p ON p.id = i.id
		JOIN LATERAL (SELECT * FROM notice_revisions WHERE item_id = i.id ORDER BY number DESC LIMIT 1) r ON true
		LEFT JOIN notice_revisions l ON l.id = i.live_id
		LEFT JOIN LATERAL (SELECT count(*) AS seen, sum(clicks) AS clicks FROM notice_reach WHERE item_id = i.id) c ON true
		WHERE @kind IN ('', i.kind::text)
		AND CASE @state WHEN '' THEN r.state <> 'archived' OR i.live_id IS NOT NULL WHEN 'live' THEN i.live_id IS NOT NULL ELSE r.state::text = @state END
		ORDER BY i.kind, CASE WHEN i.kind NOT IN ('notice', 'news') THEN p.position END, l.id IS NOT NULL, l.sticky DESC, l.live_at DESC, i.id DESC LIMIT 500`,
		sql.Named("kind", kind), sql.Named("state", state)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list items: %w", err)
	}
	if err := s.complete(ctx, len(list), func(i int) *Revision { return &list[i].Revision }); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(l Listed) bool { return state == Submitted && l.Stage() != stage }), nil
}

// Tally is how many items are scheduled and how many others are live, and how many translations the newest revisions of those lack.
type Tally struct{ Scheduled, Live, Missing int }

// Tally counts the items.
func (s *Service) Tally(ctx context.Context) (t Tally, err error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT CASE WHEN r.state = 'submitted' THEN r.approval END, count(*) FILTER (WHERE i.live_id IS NOT NULL),
			coalesce(sum(greatest($1 - (SELECT count(*) FROM notice_variants v WHERE v.revision_id = r.id), 0)) FILTER (WHERE i.live_id IS NOT NULL), 0)::int
		FROM notice_items i JOIN LATERAL (SELECT * FROM notice_revisions WHERE item_id = i.id ORDER BY number DESC LIMIT 1) r ON true GROUP BY 1`, len(Locales))
	if err != nil {
		return t, fmt.Errorf("count items: %w", err)
	}
	type group struct {
		Approval      *int64 // of the one item that is submitted; nil for all others together
		Live, Missing int
	}
	groups, err := pgx.CollectRows(rows, pgx.RowToStructByPos[group])
	if err != nil {
		return t, fmt.Errorf("count items: %w", err)
	}
	named := make([]*int64, len(groups))
	for i, g := range groups {
		named[i] = g.Approval
	}
	approvals, err := s.requests.Named(ctx, named...)
	for _, g := range groups {
		if g.Approval != nil && State(approvals[*g.Approval].State) == Scheduled {
			t.Scheduled++
			continue
		}
		t.Live, t.Missing = t.Live+g.Live, t.Missing+g.Missing
	}
	return t, err
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

// Shown is the language in which readers of a language see the newest revision: their own, or the nearest fallback; empty without any text.
func (w ItemDetails) Shown(locale string) string {
	for _, one := range []string{locale, Default, second} {
		if w.Text(one).Title != "" {
			return one
		}
	}
	if len(w.Texts) == 0 {
		return ""
	}
	return w.Texts[0].Locale // they are in the order of their codes, as the readers' query has them
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
	rows := s.db.Rows(ctx)
	if err := rows.Where("id = ?", id).Limit(1).Find(&w.Item).Error; err != nil {
		return w, fmt.Errorf("read item %d: %w", id, err)
	}
	if w.Item.ID == 0 {
		return w, ErrItem
	}
	if err := rows.Where("item_id = ?", id).Order("number DESC").Limit(200).Find(&w.Revisions).Error; err != nil {
		return w, fmt.Errorf("read the revisions of item %d: %w", id, err)
	}
	if err := s.complete(ctx, len(w.Revisions), func(i int) *Revision { return &w.Revisions[i] }); err != nil {
		return w, err
	}
	w.Newest = w.Revisions[0]
	if w.Texts, err = textsOf(rows, w.Newest.ID); err != nil {
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

// Revision reads the settings of a revision by its number, with its texts. Refusal: ErrItem.
func (s *Service) Revision(ctx context.Context, id int64, number int) (r Revision, texts []Variant, err error) {
	if r, err = oneRevision(s.db.Rows(ctx), "item_id = ? AND number = ?::bigint", id, number); err != nil {
		return r, nil, err
	}
	texts, err = textsOf(s.db.Rows(ctx), r.ID)
	return r, texts, err
}
