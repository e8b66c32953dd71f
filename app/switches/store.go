package switches

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"candor/app/platform/db"
	"candor/app/staff/member"
)

// changesLock serialises changes on all servers.
const changesLock = 0x5717C4

// lockTx locks all values against other changes and reads them, because a key may be compared with another one.
func lockTx(ctx context.Context, tx *db.Tx) (map[string]Setting, error) {
	if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, changesLock); err != nil {
		return nil, fmt.Errorf("lock the switches: %w", err)
	}
	var rows []changedSwitch
	if err := tx.Rows.Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read the switches: %w", err)
	}
	return settingsOf(rows)
}

// saveTx stores what staff wrote in a change, if nobody changed it since it was read.
func saveTx(tx *db.Tx, change *Change) error {
	before := change.Version
	change.Version++
	result := tx.Rows.Model(&Change{}).Where("id = ? AND version = ?", change.ID, before).Updates(map[string]any{
		"base_version": change.BaseVersion, "was": change.Was, "becomes": change.Becomes, "reason": change.Reason, "apply_at": change.ApplyAt, "zone": change.Zone,
		"author_id": change.AuthorID, "approval": change.Approval, "revert_of": change.RevertOf, "reviewer_id": change.ReviewerID, "reviewed_at": change.ReviewedAt,
		"verdict": change.Verdict, "review_note": change.ReviewNote, "version": change.Version,
	})
	if err := db.MustAffect(result); err != nil {
		return fmt.Errorf("save change %d: %w", change.ID, err)
	}
	return nil
}

func (s Setting) bytes() []byte {
	text, _ := json.Marshal(Setting{Value: s.Value, Rules: s.Rules})
	return text
}

func rulesBytes(rules []Rule) []byte {
	if rules == nil {
		rules = []Rule{}
	}
	text, _ := json.Marshal(rules)
	return text
}

func readSetting(text []byte) (s Setting) {
	_ = json.Unmarshal(text, &s)
	return s
}

// list reads changes with their requests and the names of their people.
func (c *Changes) list(ctx context.Context, rows *gorm.DB) (list []Change, err error) {
	if err = rows.Find(&list).Error; err != nil {
		return nil, err
	}
	asked := make([]*int64, len(list))
	for i, change := range list {
		asked[i] = change.Approval
	}
	requests, err := c.approvals.Named(ctx, asked...)
	if err != nil {
		return nil, err
	}
	var people []int64
	for i, change := range list {
		if change.Approval != nil {
			list[i].Request = requests[*change.Approval]
		}
		people = append(people, change.AuthorID)
		people = append(people, list[i].Request.Everybody()...)
	}
	names, err := member.Names(ctx, c.db.Pool, people...)
	if err != nil {
		return nil, err
	}
	for i, change := range list {
		list[i].AuthorName, list[i].DeciderName, list[i].CloserName = names[change.AuthorID], names[member.ID(change.Request.SecondBy)], names[member.ID(change.Request.ClosedBy)]
		if change.Approval == nil {
			list[i].CloserName = list[i].AuthorName
		}
	}
	return list, nil
}

// Get reads one change. Refusal: ErrChange.
func (c *Changes) Get(ctx context.Context, id int64) (change Change, err error) {
	list, err := c.list(ctx, c.db.Rows(ctx).Where("id = ?", id))
	if err != nil {
		return change, fmt.Errorf("read change %d: %w", id, err)
	}
	if len(list) == 0 {
		return change, ErrChange
	}
	return list[0], nil
}

// Version is the setting of a key at a version; 0 is its default. Refusals: ErrUnknown, ErrChange.
func (c *Changes) Version(ctx context.Context, key string, version int) (Setting, error) {
	d, known := Define(key)
	if !known {
		return Setting{}, ErrUnknown
	}
	if version == 0 {
		return Setting{Value: d.Default}, nil
	}
	var then Change
	err := c.db.Rows(ctx).Where("key = ? AND to_version = ?", key, version).Limit(1).Find(&then).Error
	if err != nil {
		return Setting{}, fmt.Errorf("read version %d of %s: %w", version, key, err)
	}
	if then.ID == 0 {
		return Setting{}, ErrChange
	}
	return then.After(), nil
}

// UnderWay lists the changes that may still come into force, and the stops without a review, oldest first.
func (c *Changes) UnderWay(ctx context.Context) ([]Change, error) {
	list, err := c.list(ctx, c.db.Rows(ctx).Where("applied_at IS NULL AND closed_at IS NULL OR kind = 'stop' AND verdict IS NULL").Order("id").Limit(500))
	if err != nil {
		return nil, fmt.Errorf("read the changes under way: %w", err)
	}
	return list, nil
}

// Of lists the changes of a key, newest first.
func (c *Changes) Of(ctx context.Context, key string) ([]Change, error) {
	list, err := c.list(ctx, c.db.Rows(ctx).Where("key = ?", key).Order("id DESC").Limit(100))
	if err != nil {
		return nil, fmt.Errorf("read the changes of %s: %w", key, err)
	}
	return list, nil
}

// Last is the latest applied change of each key.
func (c *Changes) Last(ctx context.Context) (map[string]Change, error) {
	list, err := c.list(ctx, c.db.Rows(ctx).Where("applied_at IS NOT NULL AND to_version = (SELECT version FROM switches s WHERE s.key = switch_changes.key)"))
	if err != nil {
		return nil, fmt.Errorf("read the last changes: %w", err)
	}
	last := map[string]Change{}
	for _, change := range list {
		last[change.Key] = change
	}
	return last, nil
}

// CountWaiting counts the changes that await a second person and the stops without a review, and returns since when the oldest waits.
func (c *Changes) CountWaiting(ctx context.Context) (n int64, oldest time.Time, err error) {
	if n, oldest, err = c.approvals.Count(ctx); err != nil {
		return 0, oldest, err
	}
	var stops int64
	var first *time.Time
	err = c.db.Pool.QueryRow(ctx, `SELECT count(*), min(created_at) FROM switch_changes WHERE kind = 'stop' AND verdict IS NULL`).Scan(&stops, &first)
	if err != nil {
		return 0, oldest, fmt.Errorf("count the stops that wait: %w", err)
	}
	if first != nil && (n == 0 || first.Before(oldest)) {
		oldest = *first
	}
	return n + stops, oldest, nil
}
