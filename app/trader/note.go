package trader

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/staff/member"
)

// LongestStaffNote is the longest staff note on a trader, in characters.
const LongestStaffNote = 2000

// Note is a staff note on a trader. Notes are only ever added; the trader never reads them.
type Note struct {
	ID        int64
	TraderID  int64
	AuthorID  int64
	Text      string
	CreatedAt time.Time
	Author    string `gorm:"-"` // current name
}

// TableName is GORM's name of the table.
func (Note) TableName() string { return "trader_notes" }

// Notes lists the staff notes on a trader, newest first, before the given id (0 for the newest), at most limit.
func (s *Service) Notes(ctx context.Context, traderID, before int64, limit int) (list []Note, next int64, err error) {
	if err := newest(s.db.Rows(ctx).Where("trader_id = ?", traderID), before).Limit(limit + 1).Find(&list).Error; err != nil {
		return nil, 0, fmt.Errorf("read the notes about trader %d: %w", traderID, err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	ids := make([]int64, len(list))
	for i, n := range list {
		ids[i] = n.AuthorID
	}
	names, err := member.Names(ctx, s.db.Pool, ids...)
	if err != nil {
		return nil, 0, err
	}
	for i, n := range list {
		list[i].Author = names[n.AuthorID]
	}
	return list, next, nil
}

// AddNote adds a note on a trader; then follows in its transaction with the id of the note, nil does nothing. Only staff with that permission may call it. Refusals: the field, ledger.ErrAccount for an unknown trader.
func (s *Service) AddNote(ctx context.Context, by audit.Actor, traderID int64, text string, then func(tx *db.Tx, id int64) error) error {
	if err := checkNote("note", text, LongestStaffNote); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		var id int64
		err := tx.Conn.QueryRow(ctx, `INSERT INTO trader_notes (trader_id, author_id, text, created_at) SELECT id, $2, $3, $4 FROM traders WHERE id = $1 RETURNING id`,
			traderID, by.ID, text, now).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return ledger.ErrAccount
		}
		if err != nil {
			return fmt.Errorf("note something about trader %d: %w", traderID, err)
		}
		if then != nil {
			if err := then(tx, id); err != nil {
				return err
			}
		}
		return audit.RecordTx(ctx, tx, audit.By(by, now, "trader.note", "trader", traderID))
	})
}
