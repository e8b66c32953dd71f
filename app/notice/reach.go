package notice

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/errs"
)

var deviceForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// name is what a reader is counted as: nothing of a visitor who does not say which device it is.
func (v Viewer) name() string {
	switch {
	case v.TraderID != 0:
		return "t:" + strconv.FormatInt(v.TraderID, 10)
	case deviceForm.MatchString(v.Device):
		sum := sha256.Sum256([]byte(v.Device))
		return "g:" + hex.EncodeToString(sum[:16])
	}
	return ""
}

// mostSeen is how many items one call may say were seen.
const mostSeen = 50

// Seen notes that a reader has had items before the eyes. What the reader may not see is passed over. Refusal: field ids.
func (s *Service) Seen(ctx context.Context, v Viewer, ids []int64) error {
	if len(ids) > mostSeen {
		return errs.Field("ids", "field.range")
	}
	return s.note(ctx, v, ids, 0, false, nil)
}

// Click notes that a reader has followed an item. Refusal: ErrUnknown.
func (s *Service) Click(ctx context.Context, v Viewer, id int64) error {
	return s.noteOne(ctx, v, id, 1, false, nil)
}

// Answer notes whether an answer helped. Refusal: ErrUnknown.
func (s *Service) Answer(ctx context.Context, v Viewer, id int64, helpful bool) error {
	if _, err := s.Find(ctx, v, FAQ, id); err != nil {
		return err
	}
	return s.noteOne(ctx, v, id, 0, false, &helpful)
}

// PopupSeen notes that a pop-up was shown, and whether the reader said that it was read. Refusal: ErrUnknown.
func (s *Service) PopupSeen(ctx context.Context, v Viewer, id int64, acked bool) error {
	if _, err := s.Find(ctx, v, Popup, id); err != nil {
		return err
	}
	return s.noteOne(ctx, v, id, 0, acked, nil)
}

func (s *Service) noteOne(ctx context.Context, v Viewer, id int64, clicks int, acked bool, helpful *bool) error {
	args := s.asks(v)
	args["id"] = id
	var there bool
	if err := s.db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1`+visible+` AND i.id = @id)`, args).Scan(&there); err != nil {
		return fmt.Errorf("look for item %d: %w", id, err)
	}
	if !there {
		return ErrUnknown
	}
	return s.note(ctx, v, []int64{id}, clicks, acked, helpful)
}

// mostReached is up to how many visitors an item is counted: made-up devices fill no disk.
const mostReached = 1_000_000

// note counts a reader to items, each once however often it is told.
func (s *Service) note(ctx context.Context, v Viewer, ids []int64, clicks int, acked bool, helpful *bool) error {
	args := s.asks(v)
	if args["viewer"] = v.name(); args["viewer"] == "" || len(ids) == 0 {
		return nil
	}
	args["ids"], args["session"], args["clicks"], args["acked"], args["helpful"], args["most"] = ids, v.SessionID, clicks, acked, helpful, mostReached
	_, err := s.db.Pool.Exec(ctx, `
		INSERT INTO notice_reach (item_id, viewer, first_at, last_at, session_id, clicks, acked_at, helpful)
		SELECT i.id, @viewer, @now, @now, @session, @clicks, CASE WHEN @acked THEN @now::timestamptz END, @helpful::boolean`+visible+` AND i.id = ANY (@ids)
		AND (NOT @guest OR (SELECT count(*) FROM (SELECT 1 FROM notice_reach o WHERE o.item_id = i.id LIMIT @most) reached) < @most)
		ON CONFLICT (item_id, viewer) DO UPDATE SET last_at = excluded.last_at, session_id = excluded.session_id, clicks = least(notice_reach.clicks + excluded.clicks, 1000),
			acked_at = coalesce(notice_reach.acked_at, excluded.acked_at), helpful = coalesce(excluded.helpful, notice_reach.helpful)`, args)
	if err != nil {
		return fmt.Errorf("count a reader: %w", err)
	}
	return nil
}

// Popups lists the pop-ups to show to a reader now: those that have not been seen as often as they may be, or still wait to be said to be read.
func (s *Service) Popups(ctx context.Context, v Viewer) ([]Published, error) {
	return s.list(ctx, v, Popup, `
		AND NOT EXISTS (SELECT 1 FROM notice_reach seen WHERE seen.item_id = i.id AND seen.viewer = @viewer AND CASE
			WHEN r.must_ack AND r.frequency = '`+Once+`' THEN seen.acked_at IS NOT NULL
			WHEN r.frequency = '`+Once+`' THEN true
			WHEN r.frequency = '`+EveryLogin+`' AND @session <> 0 THEN seen.session_id = @session
			ELSE seen.last_at > @since END)`+inOrder,
		pgx.NamedArgs{"viewer": v.name(), "session": v.SessionID, "since": s.clock.Now().Add(-24 * time.Hour)})
}

// Unread counts what waits in a trader's mailbox: notices since the trader came, and messages.
func (s *Service) Unread(ctx context.Context, v Viewer) (notices, messages int, err error) {
	err = s.db.Pool.QueryRow(ctx, `SELECT (SELECT count(*)`+visible+unread+`), (SELECT count(*) FROM user_messages WHERE trader_id = @trader AND read_at IS NULL)`, s.asks(v)).
		Scan(&notices, &messages)
	if err != nil {
		return 0, 0, fmt.Errorf("count what is unread: %w", err)
	}
	return notices, messages, nil
}

const unread = ` AND i.kind = 'notice' AND read.trader_id IS NULL AND r.live_at > (SELECT created_at FROM traders WHERE traders.id = @trader)`

// Read notes that a trader has read a notice. Refusal: ErrUnknown.
func (s *Service) Read(ctx context.Context, v Viewer, id int64) error {
	if _, err := s.Find(ctx, v, Notice, id); err != nil {
		return err
	}
	_, err := s.db.Pool.Exec(ctx, `INSERT INTO notice_reads (trader_id, item_id, read_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, v.TraderID, id, s.clock.Now())
	if err != nil {
		return fmt.Errorf("note what was read: %w", err)
	}
	return s.note(ctx, v, []int64{id}, 0, false, nil)
}

// ReadAll notes that a trader has read every notice.
func (s *Service) ReadAll(ctx context.Context, v Viewer) error {
	_, err := s.db.Pool.Exec(ctx, `INSERT INTO notice_reads (trader_id, item_id, read_at) SELECT @trader, i.id, @now`+visible+unread+` ON CONFLICT DO NOTHING`, s.asks(v))
	if err != nil {
		return fmt.Errorf("note what was read: %w", err)
	}
	return nil
}
