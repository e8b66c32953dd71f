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

// name identifies a reader for counting; empty for a visitor without a device.
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

// maxSeen is the limit of items in one report.
const maxSeen = 50

// mark is a reader's interaction with an item.
type mark struct {
	clicks   int
	revision *int // the revision seen; nil for the live one
	helpful  *bool
}

// Seen records that a reader has viewed items. Items that the reader may not see are skipped. Refusal: field ids.
func (s *Service) Seen(ctx context.Context, v Viewer, ids []int64) error {
	if len(ids) > maxSeen {
		return errs.Field("ids", "field.range")
	}
	return s.recordMarks(ctx, v, ids, mark{})
}

// Click records that a reader has followed an item's link. Refusal: ErrUnknown.
func (s *Service) Click(ctx context.Context, v Viewer, id int64) error {
	return s.recordMark(ctx, v, id, mark{clicks: 1})
}

// Answer records whether an answer helped. Refusal: ErrUnknown.
func (s *Service) Answer(ctx context.Context, v Viewer, id int64, helpful bool) error {
	if _, err := s.Find(ctx, v, FAQ, id); err != nil {
		return err
	}
	return s.recordMark(ctx, v, id, mark{helpful: &helpful})
}

// PopupSeen records that a revision of a pop-up was shown, and whether the reader confirmed it. Refusals: field revision, ErrUnknown.
func (s *Service) PopupSeen(ctx context.Context, v Viewer, id int64, revision int, acked bool) error {
	if revision < 1 {
		return errs.Field("revision", "field.range")
	}
	if _, err := s.Find(ctx, v, Popup, id); err != nil {
		return err
	}
	if err := s.recordMark(ctx, v, id, mark{revision: &revision}); err != nil || !acked {
		return err
	}
	_, err := s.db.Pool.Exec(ctx, `
		INSERT INTO notice_acks (item_id, viewer, revision, at)
		SELECT m.item_id, m.viewer, least($3, r.number), $4 FROM notice_reach m JOIN notice_items i ON i.id = m.item_id JOIN notice_revisions r ON r.id = i.live_id
		WHERE m.item_id = $1 AND m.viewer = $2 ON CONFLICT DO NOTHING`, id, v.name(), revision, s.clock.Now())
	if err != nil {
		return fmt.Errorf("note that pop-up %d was confirmed: %w", id, err)
	}
	return nil
}

func (s *Service) recordMark(ctx context.Context, v Viewer, id int64, m mark) error {
	args, err := s.viewerArgs(ctx, v)
	if err != nil {
		return err
	}
	args["id"] = id
	var there bool
	if err := s.db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT 1`+visible+` AND i.id = @id)`, args).Scan(&there); err != nil {
		return fmt.Errorf("look for item %d: %w", id, err)
	}
	if !there {
		return ErrUnknown
	}
	return s.recordMarks(ctx, v, []int64{id}, m)
}

// maxMarks is the approximate number of marks up to which visitors are counted, so that invented devices can't fill the disk. It is compared with
// PostgreSQL's estimate, whose cost does not grow with the table.
const maxMarks = 5_000_000

// recordMarks records a reader's mark on items, once per reader and item.
func (s *Service) recordMarks(ctx context.Context, v Viewer, ids []int64, m mark) error {
	if v.name() == "" || len(ids) == 0 {
		return nil
	}
	args, err := s.viewerArgs(ctx, v)
	if err != nil {
		return err
	}
	args["viewer"], args["ids"], args["session"], args["clicks"], args["revision"], args["helpful"], args["most"] = v.name(), ids, v.SessionID, m.clicks, m.revision, m.helpful, s.maxMarks
	_, err = s.db.Pool.Exec(ctx, `
		INSERT INTO notice_reach (item_id, viewer, first_at, last_at, session_id, clicks, helpful, revision)
		SELECT i.id, @viewer, @now, @now, @session, @clicks, @helpful::boolean, least(@revision::int, r.number)`+visible+` AND i.id = ANY (@ids)
		AND (NOT @guest OR (SELECT reltuples FROM pg_class WHERE oid = 'notice_reach'::regclass) < @most)
		ON CONFLICT (item_id, viewer) DO UPDATE SET last_at = excluded.last_at, session_id = excluded.session_id, clicks = least(notice_reach.clicks + excluded.clicks, 1000),
			helpful = coalesce(excluded.helpful, notice_reach.helpful), revision = greatest(notice_reach.revision, excluded.revision)`, args)
	if err != nil {
		return fmt.Errorf("count a reader: %w", err)
	}
	return nil
}

// Popups lists the pop-ups to show to a reader now: those not yet shown as often as allowed, or not yet confirmed. Marks from before the readers were
// notified again do not count.
func (s *Service) Popups(ctx context.Context, v Viewer) ([]Published, error) {
	return s.list(ctx, v, Popup, `
		AND NOT EXISTS (SELECT 1 FROM notice_reach seen WHERE seen.item_id = i.id AND seen.viewer = @viewer AND CASE
			WHEN r.must_ack AND r.frequency = '`+Once+`' THEN EXISTS (
				SELECT 1 FROM notice_acks a WHERE a.item_id = i.id AND a.viewer = @viewer AND a.revision >= i.told_from)
			WHEN seen.revision < i.told_from THEN false
			WHEN r.frequency = '`+Once+`' THEN true
			WHEN r.frequency = '`+EveryLogin+`' AND @session::bigint <> 0 THEN seen.session_id = @session
			ELSE seen.last_at > @since END)`+inOrder,
		pgx.NamedArgs{"viewer": v.name(), "session": v.SessionID, "since": s.clock.Now().Add(-24 * time.Hour)})
}

// Unread counts a trader's unread notices since registration, and unread messages.
func (s *Service) Unread(ctx context.Context, v Viewer) (notices, messages int, err error) {
	args, err := s.viewerArgs(ctx, v)
	if err != nil {
		return 0, 0, err
	}
	err = s.db.Pool.QueryRow(ctx, `SELECT (SELECT count(*)`+visible+unread+`), (SELECT count(*) FROM user_messages WHERE in_app AND trader_id = @trader AND read_at IS NULL)`, args).
		Scan(&notices, &messages)
	if err != nil {
		return 0, 0, fmt.Errorf("count what is unread: %w", err)
	}
	return notices, messages, nil
}

const unread = ` AND i.kind = 'notice' AND read.done IS NULL AND r.live_at > @joined`

// Read marks a notice as read by a trader. Refusal: ErrUnknown.
func (s *Service) Read(ctx context.Context, v Viewer, id int64) error {
	p, err := s.Find(ctx, v, Notice, id)
	if err != nil {
		return err
	}
	_, err = s.db.Pool.Exec(ctx, `INSERT INTO notice_reads (trader_id, item_id, revision, read_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
		v.TraderID, id, p.Number, s.clock.Now())
	if err != nil {
		return fmt.Errorf("note what was read: %w", err)
	}
	return s.recordMarks(ctx, v, []int64{id}, mark{})
}

// ReadAll marks every notice as read by a trader.
func (s *Service) ReadAll(ctx context.Context, v Viewer) error {
	args, err := s.viewerArgs(ctx, v)
	if err != nil {
		return err
	}
	_, err = s.db.Pool.Exec(ctx, `INSERT INTO notice_reads (trader_id, item_id, revision, read_at) SELECT @trader, i.id, r.number, @now`+visible+unread+` ON CONFLICT DO NOTHING`, args)
	if err != nil {
		return fmt.Errorf("note what was read: %w", err)
	}
	return nil
}
