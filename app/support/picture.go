package support

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/db"
	"candor/app/platform/upload"
)

const (
	uploadLife   = 24 * time.Hour // of a picture that no message names
	picturesADay = 40             // of one customer
	picturesNear = 60             // of all visitors of one address: an id of their own costs them nothing
)

// Upload keeps a picture of a customer, to be sent as a message. Refusals: ErrVisitor, ErrOften, and those of upload.Read.
func (s *Service) Upload(ctx context.Context, from Customer, p upload.Picture) (name string, err error) {
	if err := from.read(); err != nil {
		return "", err
	}
	var own, near int
	err = s.db.Pool.QueryRow(ctx, `
		SELECT count(*) FILTER (WHERE trader_id = nullif($1, 0) OR visitor = nullif($2, '')::uuid), count(*) FILTER (WHERE visitor IS NOT NULL AND from_ip = $3)
		FROM chat_uploads WHERE created_at > $4`, from.TraderID, from.Visitor, from.IP, s.clock.Now().Add(-uploadLife)).Scan(&own, &near)
	if err != nil {
		return "", err
	}
	if own >= picturesADay || from.TraderID == 0 && near >= picturesNear {
		return "", ErrOften
	}
	return s.keep(ctx, p, from, 0)
}

// UploadOf reads and keeps a picture of an agent. Refusals: those of upload.Read.
func (s *Service) UploadOf(ctx context.Context, staffID int64, file io.Reader) (name string, err error) {
	p, err := upload.Read(file)
	if err != nil {
		return "", err
	}
	return s.keep(ctx, p, Customer{}, staffID)
}

func (s *Service) keep(ctx context.Context, p upload.Picture, from Customer, staffID int64) (name string, err error) {
	if name, err = s.pictures.Put(p); err != nil {
		return "", err
	}
	_, err = s.db.Pool.Exec(ctx, `
		INSERT INTO chat_uploads (name, trader_id, visitor, staff_id, from_ip, width, height, size, created_at)
		VALUES ($1, nullif($2, 0), nullif($3, '')::uuid, nullif($4, 0), $5, $6, $7, $8, $9)`,
		name, from.TraderID, from.Visitor, staffID, from.IP, p.Width, p.Height, len(p.Bytes), s.clock.Now())
	return name, err
}

// ownPicture refuses a picture that is not of whom the condition names.
func (s *Service) ownPicture(ctx context.Context, name, condition string, values ...any) error {
	var own bool
	err := s.db.Pool.QueryRow(ctx, `
		SELECT EXISTS (SELECT 1 FROM chat_uploads WHERE name = $1 AND (`+condition+`)) OR EXISTS (SELECT 1 FROM chat_pictures WHERE name = $1 AND (`+condition+`))`,
		append([]any{name}, values...)...).Scan(&own)
	if err == nil && !own {
		err = ErrPicture
	}
	return err
}

// usePictureTx makes an upload a picture of the threads, which stays. Refusals: ErrPicture where it was swept.
func usePictureTx(ctx context.Context, tx *db.Tx, name string) error {
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO chat_pictures (name, trader_id, visitor, staff_id, width, height, size, created_at)
		SELECT name, trader_id, visitor, staff_id, width, height, size, created_at FROM chat_uploads WHERE name = $1 FOR SHARE ON CONFLICT (name) DO NOTHING`, name)
	if err != nil {
		return fmt.Errorf("use a picture: %w", err)
	}
	var there bool
	err = tx.Conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM chat_pictures WHERE name = $1)`, name).Scan(&there)
	if err == nil && !there {
		err = ErrPicture
	}
	return err
}

// SweepPictures forgets the uploads of more than a day ago, and deletes the pictures among them that no message names.
func (s *Service) SweepPictures(ctx context.Context) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Conn.Query(ctx, `DELETE FROM chat_uploads WHERE created_at < $1 RETURNING name`, s.clock.Now().Add(-uploadLife))
		if err != nil {
			return fmt.Errorf("sweep pictures: %w", err)
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		// A question of its own: the deletion has waited for the messages that were being written.
		if rows, err = tx.Conn.Query(ctx, `SELECT name FROM unnest($1::text[]) name WHERE NOT EXISTS (SELECT 1 FROM chat_pictures p WHERE p.name = name.name)`, names); err != nil {
			return err
		}
		unsent, err := pgx.CollectRows(rows, pgx.RowTo[string])
		tx.AfterCommit(func() {
			for _, name := range unsent {
				if err := s.pictures.Remove(name); err != nil {
					slog.Warn("a picture that nobody sent stays", "name", name, "error", err)
				}
			}
		})
		return err
	})
}

// PictureFor is a picture of the customer's own thread. Refusals: ErrUnknown.
func (s *Service) PictureFor(ctx context.Context, from Customer, name string) ([]byte, error) {
	if err := from.read(); err != nil {
		return nil, err
	}
	return s.picture(ctx, name, `
		SELECT EXISTS (SELECT 1 FROM chat_messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE m.picture = $1 AND NOT m.private AND (c.trader_id = nullif($2, 0) OR c.visitor = nullif($3, '')::uuid))`, from.TraderID, from.Visitor)
}

// PictureOf is a picture of a thread, for the desk. Refusals: ErrUnknown.
func (s *Service) PictureOf(ctx context.Context, conversationID int64, name string) ([]byte, error) {
	return s.picture(ctx, name, `SELECT EXISTS (SELECT 1 FROM chat_messages WHERE picture = $1 AND conversation_id = $2)`, conversationID)
}

func (s *Service) picture(ctx context.Context, name, question string, values ...any) ([]byte, error) {
	var known bool
	if err := s.db.Pool.QueryRow(ctx, question, append([]any{name}, values...)...).Scan(&known); err != nil {
		return nil, err
	}
	if !known {
		return nil, ErrUnknown
	}
	return s.pictures.Get(name)
}
