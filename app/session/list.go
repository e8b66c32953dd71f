package session

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/geo"
)

// Seen is a device that a trader has logged in from.
type Seen struct {
	ID          int64
	Name        string
	FirstSeenAt time.Time
	LastSeenAt  time.Time
	LastIP      string
	geo.Place        // of LastIP, as it was known at that log-in
	Removed     bool // by the trader
	Living      int  // active sessions on it
}

// seenDevices selects the columns of Seen.
const seenDevices = `
	SELECT d.id, d.name, d.first_seen_at, greatest(d.last_seen_at, used.last) AS seen, d.last_ip, d.country, d.city, d.removed_at IS NOT NULL AS removed, used.living
	FROM devices d, LATERAL (
		SELECT max(t.last_seen_at) AS last, count(*) FILTER (WHERE t.expires_at > $2 AND t.last_seen_at > $3) AS living
		FROM trader_sessions t WHERE t.trader_id = d.trader_id AND t.device_id = d.id AND t.ended_at IS NULL
	) used`

// Devices lists a trader's devices, removed ones too, last seen first, at most limit.
func (s *Service) Devices(ctx context.Context, traderID int64, limit int) ([]Seen, error) {
	now := s.clock.Now()
	rows, err := s.db.Pool.Query(ctx, seenDevices+` WHERE d.trader_id = $1 ORDER BY seen DESC, d.id DESC LIMIT $4`, traderID, now, now.Add(-idle), limit)
	if err != nil {
		return nil, fmt.Errorf("list devices: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Seen])
}

// KeptDevices lists a trader's devices that are not removed, last seen first, after a device (0 begins at the last seen).
func (s *Service) KeptDevices(ctx context.Context, traderID, after int64, limit int) ([]Seen, error) {
	now := s.clock.Now()
	rows, err := s.db.Pool.Query(ctx, `
		WITH listed AS (`+seenDevices+` WHERE d.trader_id = $1)
		SELECT * FROM listed WHERE NOT removed AND ($4::bigint = 0 OR (seen, id) < ((SELECT seen FROM listed WHERE id = $4), $4))
		ORDER BY seen DESC, id DESC LIMIT $5`, traderID, now, now.Add(-idle), after, limit)
	if err != nil {
		return nil, fmt.Errorf("list devices: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Seen])
}

// RemoveDeviceTx ends the sessions of a trader's device, makes it count as new at its next log-in, and returns its name. found is false without such a device.
func (s *Service) RemoveDeviceTx(ctx context.Context, tx *db.Tx, traderID, deviceID int64) (name string, found bool, err error) {
	names, err := s.removeTx(ctx, tx, `trader_id = $1 AND id = $3`, traderID, deviceID)
	if len(names) == 0 {
		return "", false, err
	}
	return names[0], true, err
}

// RemoveOtherDevicesTx is RemoveDeviceTx for all of a trader's devices but one, and returns how many there were.
func (s *Service) RemoveOtherDevicesTx(ctx context.Context, tx *db.Tx, traderID, deviceID int64) (count int, err error) {
	names, err := s.removeTx(ctx, tx, `trader_id = $1 AND id <> $3`, traderID, deviceID)
	return len(names), err
}

func (s *Service) removeTx(ctx context.Context, tx *db.Tx, which string, traderID, deviceID int64) (names []string, err error) {
	now := s.clock.Now()
	rows, err := tx.Conn.Query(ctx, `UPDATE devices SET removed_at = $2 WHERE removed_at IS NULL AND `+which+` RETURNING id, name`, traderID, now, deviceID)
	if err != nil {
		return nil, fmt.Errorf("remove devices of trader %d: %w", traderID, err)
	}
	var devices []int64
	var id int64
	var name string
	_, err = pgx.ForEachRow(rows, []any{&id, &name}, func() error {
		devices, names = append(devices, id), append(names, name)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("remove devices of trader %d: %w", traderID, err)
	}
	rows, err = tx.Conn.Query(ctx, `UPDATE trader_sessions SET ended_at = $2 WHERE trader_id = $1 AND device_id = ANY($3) AND ended_at IS NULL RETURNING id`, traderID, now, devices)
	if err != nil {
		return nil, fmt.Errorf("end the sessions of removed devices: %w", err)
	}
	ended, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("end the sessions of removed devices: %w", err)
	}
	tx.AfterCommit(func() { s.tell(ended...) })
	return names, nil
}

// Living is an active session.
type Living struct {
	ID         int64
	AccountID  int64
	Device     string
	IP         string
	geo.Place  // of IP, as it was known at the log-in
	CreatedAt  time.Time
	LastSeenAt time.Time
	ExpiresAt  time.Time
}

// Sessions lists a trader's active sessions for staff, newest first, at most limit. It reads no tokens.
func (s *Service) Sessions(ctx context.Context, traderID int64, limit int) ([]Living, error) {
	now := s.clock.Now()
	rows, err := s.db.Pool.Query(ctx, `
		SELECT t.id, t.account_id, d.name, t.ip, t.country, t.city, t.created_at, t.last_seen_at, t.expires_at
		FROM trader_sessions t JOIN devices d ON d.id = t.device_id
		WHERE t.trader_id = $1 AND t.ended_at IS NULL AND t.expires_at > $2 AND t.last_seen_at > $3
		ORDER BY t.id DESC LIMIT $4`, traderID, now, now.Add(-idle), limit)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Living])
}

// SharingDevices are the other traders, guests among them, who have logged in from a device of the trader, by rising id.
func SharingDevices(ctx context.Context, q db.Querier, traderID int64) ([]int64, error) {
	rows, err := q.Query(ctx, `
		SELECT DISTINCT same.trader_id FROM devices mine JOIN devices same ON same.fingerprint = mine.fingerprint AND same.trader_id <> mine.trader_id
		WHERE mine.trader_id = $1 ORDER BY 1`, traderID)
	if err != nil {
		return nil, fmt.Errorf("look for who shares a device with trader %d: %w", traderID, err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// Link is how another trader is tied to one: by devices that both have logged in from.
type Link struct {
	TraderID int64
	Count    int       // of the devices
	Crowd    int       // traders on the least used of them, both included, at most mostCrowd
	Since    time.Time // when both had used one
	Last     time.Time // when the other one last used one
}

// mostCrowd is how far the traders on a device are counted.
const mostCrowd = 50

// Links lists the traders, guests among them, who have logged in from a device of the trader, by rising id, at most limit.
func Links(ctx context.Context, q db.Querier, traderID int64, limit int) ([]Link, error) {
	rows, err := q.Query(ctx, `
		SELECT same.trader_id, count(*), min((SELECT count(*) FROM (SELECT FROM devices d WHERE d.fingerprint = mine.fingerprint LIMIT $3) crowd)),
		       min(greatest(mine.first_seen_at, same.first_seen_at)), max(same.last_seen_at)
		FROM devices mine JOIN devices same ON same.fingerprint = mine.fingerprint AND same.trader_id <> mine.trader_id
		WHERE mine.trader_id = $1 GROUP BY 1 ORDER BY 1 LIMIT $2`, traderID, limit, mostCrowd)
	if err != nil {
		return nil, fmt.Errorf("look for who is tied to trader %d by a device: %w", traderID, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Link])
}
