package support

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/platform/clientip"
	"candor/app/platform/db"
	"candor/app/platform/upload"
)

const (
	uploadLife   = 24 * time.Hour // of a picture that no message refers to
	picturesADay = 40             // per customer
	picturesNear = 60             // for all visitors and guests of one network: a new id costs them nothing
)

// MayUpload checks the quota before a picture is read. Refusals: ErrVisitor, ErrWriteFirst, ErrOften.
func (s *Service) MayUpload(ctx context.Context, from Customer) error {
	if err := from.read(); err != nil {
		return err
	}
	return s.quota(ctx, s.db.Pool, from)
}

// Upload stores a customer's picture, to be sent as a message. Concurrent uploads are counted one after the other. Refusals: those of MayUpload.
func (s *Service) Upload(ctx context.Context, from Customer, p upload.Picture) (name string, err error) {
	if err := from.read(); err != nil {
		return "", err
	}
	if err := s.MayUpload(ctx, from); err != nil { // before anything is written
		return "", err
	}
	if name, err = s.pictures.Put(p); err != nil {
		return "", err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 3))`, from.counted()); err != nil {
			return fmt.Errorf("lock the pictures of %s: %w", from.counted(), err)
		}
		if err := s.quota(ctx, tx.Conn, from); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, name, p, from, 0)
	})
	if err != nil {
		return "", errors.Join(err, s.pictures.Remove(name))
	}
	return name, nil
}

// UploadOf stores an agent's picture.
func (s *Service) UploadOf(ctx context.Context, staffID int64, p upload.Picture) (name string, err error) {
	if name, err = s.pictures.Put(p); err != nil {
		return "", err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error { return s.recordTx(ctx, tx, name, p, Customer{}, staffID) })
	if err != nil {
		return "", errors.Join(err, s.pictures.Remove(name))
	}
	return name, nil
}

func (s *Service) recordTx(ctx context.Context, tx *db.Tx, name string, p upload.Picture, from Customer, staffID int64) error {
	network := ""
	if from.unknown() && staffID == 0 {
		network = from.Network()
	}
	_, err := tx.Conn.Exec(ctx, `
		INSERT INTO chat_uploads (name, trader_id, visitor, staff_id, from_ip, width, height, size, pages, created_at)
		VALUES ($1, nullif($2, 0), nullif($3, '')::uuid, nullif($4, 0), $5, $6, $7, $8, $9, $10)`,
		name, from.TraderID, from.Visitor, staffID, network, p.Width, p.Height, len(p.Bytes), p.Pages, s.clock.Now())
	if err != nil {
		return fmt.Errorf("record a picture: %w", err)
	}
	return nil
}

// quota allows picturesADay per customer. Visitors and guests must have written something first, and share picturesNear per network.
func (s *Service) quota(ctx context.Context, q db.Querier, from Customer) error {
	var own, near int
	var written bool
	err := q.QueryRow(ctx, `
		SELECT count(*) FILTER (WHERE trader_id = nullif($1, 0) OR visitor = nullif($2, '')::uuid), count(*) FILTER (WHERE from_ip = $3),
			EXISTS (SELECT 1 FROM conversations c JOIN chat_messages m ON m.conversation_id = c.id
				WHERE (c.trader_id = nullif($1, 0) OR c.visitor = nullif($2, '')::uuid) AND c.state <> 'closed' AND m.author = 'customer')
		FROM chat_uploads WHERE created_at > $4`, from.TraderID, from.Visitor, from.Network(), s.clock.Now().Add(-uploadLife)).Scan(&own, &near, &written)
	switch {
	case err != nil:
		return fmt.Errorf("count the pictures of %s: %w", from.counted(), err)
	case from.unknown() && !written:
		return ErrWriteFirst
	case own >= picturesADay || from.unknown() && near >= picturesNear:
		return ErrOften
	}
	return nil
}

// Network is the key under which visitor limits count an IP address.
func (c Customer) Network() string { return clientip.Source(c.IP) }

// unknown reports whether anyone can create such a customer as often as they like.
func (c Customer) unknown() bool { return c.TraderID == 0 || c.Guest }

// counted is the key for counting pictures: the trader, or all visitors and guests of a network.
func (c Customer) counted() string {
	if c.unknown() {
		return "visitors of " + c.Network()
	}
	return fmt.Sprint("trader ", c.TraderID)
}

// Sender is the customer's identity for uploads.
func (c Customer) Sender() upload.Sender {
	class := upload.Message
	if c.unknown() {
		class = upload.Stranger
	}
	return upload.Sender{Class: class, Person: c.counted()}
}

// ownPicture refuses a picture whose uploader does not match the condition.
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

// usePictureTx turns an upload into a permanent picture of the threads, and returns its pages. Refusals: ErrPicture if it was swept.
func usePictureTx(ctx context.Context, tx *db.Tx, name string) (pages int, err error) {
	_, err = tx.Conn.Exec(ctx, `
		INSERT INTO chat_pictures (name, trader_id, visitor, staff_id, width, height, size, pages, created_at)
		SELECT name, trader_id, visitor, staff_id, width, height, size, pages, created_at FROM chat_uploads WHERE name = $1 FOR SHARE ON CONFLICT (name) DO NOTHING`, name)
	if err != nil {
		return 0, fmt.Errorf("use a picture: %w", err)
	}
	err = tx.Conn.QueryRow(ctx, `SELECT pages FROM chat_pictures WHERE name = $1`, name).Scan(&pages)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrPicture
	}
	return pages, err
}

// addPages sets the pages of the messages whose pictures show a PDF.
func addPages(ctx context.Context, q db.Querier, list []Message) error {
	var names []string
	for _, m := range list {
		if m.Picture != nil {
			names = append(names, *m.Picture)
		}
	}
	if len(names) == 0 {
		return nil
	}
	rows, err := q.Query(ctx, `SELECT name, pages FROM chat_pictures WHERE name = ANY ($1) AND pages > 0`, names)
	if err != nil {
		return fmt.Errorf("read the pages of pictures: %w", err)
	}
	pages := map[string]int{}
	var name string
	var count int
	_, err = pgx.ForEachRow(rows, []any{&name, &count}, func() error {
		pages[name] = count
		return nil
	})
	for i, m := range list {
		list[i].Pages = pages[given(m.Picture)]
	}
	return err
}

// SweepPictures deletes upload records older than a day, and the pictures among them that no message refers to.
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
		// A separate query: the deletion has waited for messages that were being written.
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

// PictureFor returns a picture from the customer's own thread. Refusals: ErrUnknown.
func (s *Service) PictureFor(ctx context.Context, from Customer, name string) ([]byte, error) {
	if err := from.read(); err != nil {
		return nil, err
	}
	return s.picture(ctx, name, `
		SELECT EXISTS (SELECT 1 FROM chat_messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE m.picture = $1 AND NOT m.private AND (c.trader_id = nullif($2, 0) OR c.visitor = nullif($3, '')::uuid))`, from.TraderID, from.Visitor)
}

// PictureOf returns a picture from a thread, for staff. Refusals: ErrUnknown.
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
