package trader

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
)

// Tagging is a tag on a trader.
type Tagging struct {
	ID       int64
	TraderID int64
	TagID    int64
	PutBy    int64
	PutAt    time.Time
	TakenBy  *int64
	TakenAt  *time.Time
}

// TableName is GORM's name of the table.
func (Tagging) TableName() string { return "trader_tags" }

// TagsOf reads the tags of traders by their ids, each trader's by name.
func (s *Service) TagsOf(ctx context.Context, traderIDs ...int64) (map[int64][]Tag, error) {
	if len(traderIDs) == 0 {
		return nil, nil
	}
	tags, err := s.Tags(ctx)
	if err != nil {
		return nil, err
	}
	var list []Tagging
	if err := s.db.Rows(ctx).Where("trader_id IN ? AND taken_at IS NULL", traderIDs).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the tags of traders: %w", err)
	}
	has := map[[2]int64]bool{}
	for _, t := range list {
		has[[2]int64{t.TraderID, t.TagID}] = true
	}
	out := map[int64][]Tag{}
	for _, id := range traderIDs {
		for _, tag := range tags {
			if has[[2]int64{id, tag.ID}] {
				out[id] = append(out[id], tag)
			}
		}
	}
	return out, nil
}

// CountTagged counts the traders with a tag, at most db.Stretch.
func (s *Service) CountTagged(ctx context.Context, tagID int64) (n int64, err error) {
	err = s.db.Pool.QueryRow(ctx, `SELECT count(*) FROM (SELECT 1 FROM trader_tags WHERE tag_id = $1 AND taken_at IS NULL LIMIT $2) tagged`, tagID, db.Stretch).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count the traders with tag %d: %w", tagID, err)
	}
	return n, nil
}

// SetTags puts tags on a trader and takes others off. A tag that is on, or off, already changes nothing. Refusals: ErrTag, ErrTagState for a retired tag to be
// put on, ledger.ErrAccount for an unknown trader.
func (s *Service) SetTags(ctx context.Context, by audit.Actor, traderID int64, on, off []int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.lockTx(tx, traderID); err != nil {
			return err
		}
		for _, id := range off {
			err := s.tagTx(ctx, tx, by, traderID, id, "untag", `UPDATE trader_tags SET taken_by = $3, taken_at = $4 WHERE trader_id = $1 AND tag_id = $2 AND taken_at IS NULL`)
			if err != nil {
				return err
			}
		}
		for _, id := range on {
			err := s.tagTx(ctx, tx, by, traderID, id, "tag", `
				INSERT INTO trader_tags (trader_id, tag_id, put_by, put_at) VALUES ($1, $2, $3, $4) ON CONFLICT (trader_id, tag_id) WHERE taken_at IS NULL DO NOTHING`)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// tagTx puts a tag on a locked trader, or takes it off; it records the act when that changed something.
func (s *Service) tagTx(ctx context.Context, tx *db.Tx, by audit.Actor, traderID, tagID int64, act, change string) error {
	var tag Tag
	if err := tx.Rows.Where("id = ?", tagID).Limit(1).Find(&tag).Error; err != nil {
		return fmt.Errorf("read tag %d: %w", tagID, err)
	}
	switch {
	case tag.ID == 0:
		return ErrTag
	case act == "tag" && tag.RetiredAt != nil:
		return ErrTagState
	}
	now := s.clock.Now()
	done, err := tx.Conn.Exec(ctx, change, traderID, tagID, by.ID, now)
	if err != nil {
		return fmt.Errorf("%s trader %d: %w", act, traderID, err)
	}
	if done.RowsAffected() == 0 {
		return nil
	}
	entry := audit.By(by, now, "trader."+act, "trader", traderID)
	after, err := json.Marshal(map[string]string{"tag": tag.Name})
	if err != nil {
		return err
	}
	entry.After = string(after)
	return audit.RecordTx(ctx, tx, entry)
}
