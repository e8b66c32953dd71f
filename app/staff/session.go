package staff

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/session"
)

// Limits of a session in the back office.
const (
	SessionIdle     = 30 * time.Minute
	SessionAbsolute = 12 * time.Hour
)

// ErrMoved comes with ErrSignedOut: the session was used from another network and another browser than at the sign-in.
var ErrMoved = errs.New(errs.Unauthenticated, "signin.moved")

// ErrNoSession means that a session has ended already.
var ErrNoSession = errs.New(errs.Conflict, "staff.session_ended")

// Session is a browser in which a member of staff is signed in. A session without its row has ended.
type Session struct {
	ID         int64
	StartedAt  time.Time
	LastSeenAt time.Time
	Browser    string // name and system
	IP         string
}

// OpenSession records that a person has signed in with a browser, and returns the id that the browser's session must name.
func (s *Service) OpenSession(ctx context.Context, p Person, d session.Device) (id int64, err error) {
	err = s.db.Pool.QueryRow(ctx, `
		INSERT INTO staff_sessions (staff_id, epoch, started_at, last_seen_at, browser, ip) VALUES ($1, $2, $3, $3, $4, $5) RETURNING id`,
		p.ID, p.SessionEpoch, s.clock.Now(), d.Name(), d.IP).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("open a session of staff %d: %w", p.ID, err)
	}
	return id, nil
}

// UseSession records that a session was used now.
func (s *Service) UseSession(ctx context.Context, id int64) error {
	if _, err := s.db.Pool.Exec(ctx, `UPDATE staff_sessions SET last_seen_at = $2 WHERE id = $1`, id, s.clock.Now()); err != nil {
		return fmt.Errorf("use session %d of staff: %w", id, err)
	}
	return nil
}

// Visit is a use of a session: what the browser's cookie stands for, and who sent it.
type Visit struct {
	SessionID, StaffID int64
	Epoch              int
	From               audit.Actor
}

// InSession returns the person of a session. It returns ErrSignedOut when the session, or every session of its epoch, has ended, and when it is used from another
// network and another browser than at the sign-in, which ends it.
func (s *Service) InSession(ctx context.Context, v Visit) (Person, error) {
	p, err := s.Signed(ctx, v.StaffID, v.Epoch)
	if err != nil {
		return p, err
	}
	var ip, browser string
	err = s.db.Pool.QueryRow(ctx, `SELECT ip, browser FROM staff_sessions WHERE id = $1 AND staff_id = $2 AND epoch = $3`, v.SessionID, p.ID, p.SessionEpoch).Scan(&ip, &browser)
	if errors.Is(err, pgx.ErrNoRows) {
		return Person{}, ErrSignedOut
	}
	if err != nil {
		return Person{}, fmt.Errorf("read session %d of staff: %w", v.SessionID, err)
	}
	device := session.Device{UserAgent: v.From.Agent, IP: v.From.IP}
	if !device.MovedFrom(ip, browser) {
		return p, nil
	}
	if err := s.endMoved(ctx, p, v, device); err != nil {
		return Person{}, err
	}
	return Person{}, errors.Join(ErrSignedOut, ErrMoved)
}

// endMoved ends a session whose cookie another network and browser have used, and tells its person.
func (s *Service) endMoved(ctx context.Context, p Person, v Visit, device session.Device) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		ended, err := endSessionTx(ctx, tx, p.ID, v.SessionID)
		if errors.Is(err, ErrNoSession) { // another request of theirs was first
			return nil
		}
		if err != nil {
			return err
		}
		by := audit.Visitor(v.From)
		before, after := facts{"browser": ended.Browser, "ip": ended.IP, "since": ended.StartedAt}, facts{"browser": device.Name(), "ip": device.IP}
		if err := s.recordTx(ctx, tx, by, "staff.end_moved_session", p.ID, before, after); err != nil {
			return err
		}
		return s.tellTx(ctx, tx, p, "staff_session_moved", by, map[string]any{"device": device.Name()})
	})
}

// Sessions lists a person's active sessions, last used first, at most limit.
func (s *Service) Sessions(ctx context.Context, p Person, limit int) ([]Session, error) {
	now := s.clock.Now()
	rows, err := s.db.Pool.Query(ctx, `
		SELECT id, started_at, last_seen_at, browser, ip FROM staff_sessions
		WHERE staff_id = $1 AND epoch = $2 AND last_seen_at > $3 AND started_at > $4 ORDER BY last_seen_at DESC, id DESC LIMIT $5`,
		p.ID, p.SessionEpoch, now.Add(-SessionIdle), now.Add(-SessionAbsolute), limit)
	if err != nil {
		return nil, fmt.Errorf("list the sessions of staff %d: %w", p.ID, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Session])
}

// Session reads one active session of a person. It returns ErrNoSession.
func (s *Service) Session(ctx context.Context, p Person, sessionID int64) (found Session, err error) {
	err = s.db.Pool.QueryRow(ctx, `SELECT id, started_at, last_seen_at, browser, ip FROM staff_sessions WHERE id = $1 AND staff_id = $2 AND epoch = $3`,
		sessionID, p.ID, p.SessionEpoch).Scan(&found.ID, &found.StartedAt, &found.LastSeenAt, &found.Browser, &found.IP)
	if errors.Is(err, pgx.ErrNoRows) {
		return found, ErrNoSession
	}
	return found, err
}

// EndSession ends one session of another person at once, who is told, as all super admins are. Refusals: ErrSelf, ErrUnknown, ErrNoSession.
func (s *Service) EndSession(ctx context.Context, actor audit.Actor, id, sessionID int64) error {
	if actor.ID == id {
		return ErrSelf
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		p, err := person(tx.Rows, id)
		if err != nil {
			return err
		}
		found, err := endSessionTx(ctx, tx, p.ID, sessionID)
		if err != nil {
			return err
		}
		if err := s.announceTx(ctx, tx, actor, p, "staff.end_session", ""); err != nil {
			return err
		}
		return s.recordEndedTx(ctx, tx, actor, p.ID, found)
	})
}

func (s *Service) recordEndedTx(ctx context.Context, tx *db.Tx, actor audit.Actor, id int64, ended Session) error {
	return s.recordTx(ctx, tx, actor, "staff.end_session", id, facts{"browser": ended.Browser, "ip": ended.IP, "since": ended.StartedAt}, nil)
}

// EndOwnSession ends another session of the actor's own at once. Refusals: ErrSignedOut, ErrNoSession, also for the one that asks.
func (s *Service) EndOwnSession(ctx context.Context, actor audit.Actor, from, sessionID int64) error {
	return s.ownSessionTx(ctx, actor, from, func(tx *db.Tx, p Person) error {
		if sessionID == from {
			return ErrNoSession
		}
		ended, err := endSessionTx(ctx, tx, p.ID, sessionID)
		if err != nil {
			return err
		}
		return s.recordEndedTx(ctx, tx, actor, p.ID, ended)
	})
}

// EndOtherSessions ends all of the actor's own sessions at once, except the one that asks. Refusal: ErrSignedOut.
func (s *Service) EndOtherSessions(ctx context.Context, actor audit.Actor, from int64) error {
	return s.ownSessionTx(ctx, actor, from, func(tx *db.Tx, p Person) error {
		list, err := endOtherSessionsTx(ctx, tx, p.ID, from)
		for _, ended := range list {
			err = errors.Join(err, s.recordEndedTx(ctx, tx, actor, p.ID, ended))
		}
		return err
	})
}

func endSessionTx(ctx context.Context, tx *db.Tx, id, sessionID int64) (ended Session, err error) {
	err = tx.Conn.QueryRow(ctx, `DELETE FROM staff_sessions WHERE id = $1 AND staff_id = $2 RETURNING id, started_at, last_seen_at, browser, ip`, sessionID, id).
		Scan(&ended.ID, &ended.StartedAt, &ended.LastSeenAt, &ended.Browser, &ended.IP)
	if errors.Is(err, pgx.ErrNoRows) {
		return ended, ErrNoSession
	}
	return ended, err
}

// ownSessionTx is ownTx for an act that must come from one of the actor's active sessions: of two sessions that end each other, one acts. Refusal: ErrSignedOut.
func (s *Service) ownSessionTx(ctx context.Context, by audit.Actor, sessionID int64, change func(tx *db.Tx, p Person) error) error {
	return s.ownTx(ctx, by, func(tx *db.Tx, p Person) error {
		var lives bool
		err := tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM staff_sessions WHERE id = $1 AND staff_id = $2 AND epoch = $3)`, sessionID, p.ID, p.SessionEpoch).Scan(&lives)
		if err != nil {
			return fmt.Errorf("read session %d of staff: %w", sessionID, err)
		}
		if !lives {
			return ErrSignedOut
		}
		return change(tx, p)
	})
}

// endOtherSessionsTx ends a person's sessions except one, and returns them.
func endOtherSessionsTx(ctx context.Context, tx *db.Tx, id, except int64) ([]Session, error) {
	rows, err := tx.Conn.Query(ctx, `DELETE FROM staff_sessions WHERE staff_id = $1 AND id <> $2 RETURNING id, started_at, last_seen_at, browser, ip`, id, except)
	if err != nil {
		return nil, fmt.Errorf("end the other sessions of staff %d: %w", id, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Session])
}

// CloseSession removes a session whose browser has signed out or whose time is over.
func (s *Service) CloseSession(ctx context.Context, sessionID int64) error {
	if _, err := s.db.Pool.Exec(ctx, `DELETE FROM staff_sessions WHERE id = $1`, sessionID); err != nil {
		return fmt.Errorf("close session %d of staff: %w", sessionID, err)
	}
	return nil
}

// OnShift is a member who works now.
type OnShift struct {
	ID    int64
	Name  string
	Roles []Role
	Since time.Time // the sign-in
}

// onShiftLimit is how many members OnShift lists.
const onShiftLimit = 100

// OnShift lists the active members whose sessions were used after a moment, the longest signed in first.
func (s *Service) OnShift(ctx context.Context, seenAfter time.Time) ([]OnShift, error) {
	rows, err := s.db.Pool.Query(ctx, `
		SELECT p.id, p.name, (SELECT coalesce(array_agg(role ORDER BY role), '{}') FROM staff_roles WHERE staff_id = p.id), min(s.started_at) AS since
		FROM staff_sessions s JOIN staff p ON p.id = s.staff_id AND p.session_epoch = s.epoch AND p.state = 'active'
		WHERE s.last_seen_at > $1 AND s.started_at > $2 GROUP BY p.id, p.name ORDER BY since, p.id LIMIT $3`, seenAfter, s.clock.Now().Add(-SessionAbsolute), onShiftLimit)
	if err != nil {
		return nil, fmt.Errorf("list who is on shift: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[OnShift])
}

// DropSessions removes the sessions that are older than a session can be; a schedule runs it.
func (s *Service) DropSessions(ctx context.Context) error {
	_, err := s.db.Pool.Exec(ctx, `DELETE FROM staff_sessions WHERE started_at < $1`, s.clock.Now().Add(-SessionAbsolute))
	return err
}
